/*
 * host/shifts.c - the shifts pass: a loop on the host that adds to neighbouring cells of one array adds to each
 * kind of neighbour in a loop of its own.
 *
 *     for (i...) {                          for (i...) d_y[i + 1] += d_x[i] * c;
 *         p = d_x[i] * c;                   for (i...) d_y[i] += d_x[i] * c;
 *         d_y[i + 1] += p;        becomes   for (i...) {
 *         d_y[i] += p;                          d_y[i - 1] += d_x[i] * c;
 *         d_y[i - 1] += p;                      d_x[i] = 0;
 *         d_x[i] = 0;                       }
 *     }
 *
 * That is the reverse of a stencil. In the one loop an iteration adds to cells of the iterations beside it, so
 * that no compiler takes several at once; each of the others goes through memory in order.
 *
 * Requires a counted loop whose body is straight code without tape and calls and carries nothing. Sound because
 * no load of the loop reads a cell that another iteration of it writes, nor one that this iteration wrote
 * before, and nothing is stored to a cell that is added to: what is read is the same in each of the loops, of
 * which the last alone stores; and additions to a cell may be made in any order, but for rounding.
 */
#include "analysis/facts/facts.h"
#include "analysis/ir/optional.h"
#include "analysis/ir/passes.h"
#include "analysis/ir/restructure.h"
#include "rewriters/host/host_private.h"

#include <stdlib.h>

enum { MOST_ADDITIONS = 16, MOST_LOOPS = 8 };

/* The additions of a loop, each with the number of the loop that it goes to; 0: it stays. */
typedef struct parts {
    gw_op of[MOST_ADDITIONS];
    uint32_t loop[MOST_ADDITIONS], count, loops;
} parts;

static bool apart(const gw_func *f, gw_op loop, gw_op x, gw_op y) {
    return gw_always_apart(f, gw_op_at(f, loop)->parent, x, y);
}

/* The load reads what it read before the loop ran. */
static bool reads_alike(const gw_func *f, gw_op loop, gw_op load, gw_op write, bool before) {
    if (apart(f, loop, load, write)) return true;
    return !before && gw_op_at(f, write)->code == GW_OP_STORE && gw_moves_on(f, loop, write, load);
}

/* What the op writes is no business of the others, wherever they are made. */
static bool may_part(const gw_func *f, gw_op loop, gw_op write) {
    bool before = true; /* the write runs before what is looked at */
    for (gw_op op = gw_region_end(f, gw_loop_body(f, loop)); op; op = gw_prev(f, op)) {
        before &= op != write;
        const gw_opcode code = (gw_opcode)gw_op_at(f, op)->code;
        if (code == GW_OP_LOAD && !reads_alike(f, loop, op, write, before)) return false;
        const bool differ = code == (gw_op_at(f, write)->code == GW_OP_STORE ? GW_OP_ACCUM : GW_OP_STORE);
        if (differ && !apart(f, loop, op, write)) return false;
    }
    return true;
}

/* One after the other in memory, as the loop goes. */
static bool is_in_line(const gw_func *f, gw_op loop, gw_op op) {
    const uint32_t last = gw_index_count(f, op) - 1;
    for (uint32_t i = 0; i < last; i++)
        if (!gw_value_invariant(f, gw_operand(f, op, i), gw_op_at(f, loop)->parent)) return false;
    return gw_index_count(f, op) && gw_host_counts_up(f, loop, gw_operand(f, op, last));
}

static bool meet(const gw_func *f, gw_op loop, gw_op x, gw_op y) {
    const bool one = gw_op_at(f, x)->object == gw_op_at(f, y)->object;
    return one && !gw_same_address(f, x, y) && !apart(f, loop, x, y);
}

static bool meets_any(const gw_func *f, gw_op loop, gw_op add, const parts *p, uint32_t number) {
    for (uint32_t i = 0; i < p->count; i++)
        if (p->loop[i] == number && meet(f, loop, p->of[i], add)) return true;
    return false;
}

/* In the first loop that has nothing which meets it. */
static bool place(const gw_func *f, gw_op loop, gw_op add, parts *p) {
    uint32_t to = 0;
    while (to < p->loops && meets_any(f, loop, add, p, to)) to++;
    if (p->count == MOST_ADDITIONS || to == MOST_LOOPS) return false;
    p->of[p->count] = add;
    p->loop[p->count++] = to;
    if (to >= p->loops) p->loops = to + 1;
    return true;
}

static bool find_parts(const gw_func *f, gw_op loop, parts *p) {
    const gw_op_data *o = gw_op_at(f, loop);
    const int64_t step = gw_loop_step(f, loop);
    if ((step != 1 && step != -1) || o->flags & GW_OP_EXIT || o->policy || o->results) return false;
    const gw_region body = gw_loop_body(f, loop);
    if (!gw_host_is_long(f, loop) || !gw_host_is_straight(f, body)) return false;
    for (gw_op op = gw_first(f, body); op; op = gw_next(f, op)) {
        const gw_op_data *in = gw_op_at(f, op);
        if (in->code != GW_OP_ACCUM && in->code != GW_OP_STORE) continue;
        const bool add = in->code == GW_OP_ACCUM;
        if (!may_part(f, loop, op) || !is_in_line(f, loop, op) ||
            (add && (!gw_type_is_float(gw_added_type(f, op)) || !place(f, loop, op, p))))
            return false;
    }
    return p->loops > 1;
}

/* ---- a loop for each ---- */
/* Marks the values of the body of which the op is made. */
static void mark_needed(const gw_func *f, gw_region body, gw_op op, bool *needed) {
    for (uint32_t i = 0; i < gw_op_at(f, op)->operands; i++) {
        const gw_op from = gw_value_at(f, gw_operand(f, op, i))->op;
        if (!from || gw_op_at(f, from)->parent != body || needed[from]) continue;
        needed[from] = true;
        mark_needed(f, body, from, needed);
    }
}

static gw_op new_loop(gw_func *f, gw_op loop) {
    gw_builder b = {f, gw_op_at(f, loop)->parent, loop, gw_op_at(f, loop)->loc};
    const gw_value of[3] = {gw_operand(f, loop, 0), gw_operand(f, loop, 1), gw_operand(f, loop, 2)};
    const uint16_t compare = gw_op_at(f, loop)->attr;
    const gw_value_data iv = *gw_value_at(f, gw_arg(f, gw_loop_body(f, loop), 0));
    const gw_op made = gw_emit(&b, GW_OP_FOR, GW_T_VOID, 0, of, 3);
    gw_op_at(f, made)->attr = compare;
    gw_region_arg(f, gw_region_new(f, made), iv.type, iv.name);
    return made;
}

static void make_loop(gw_func *f, gw_op loop, const parts *p, uint32_t number) {
    const gw_region body = gw_loop_body(f, loop);
    bool *needed = gw_alloc(f->ops.count * sizeof *needed);
    for (uint32_t i = 0; i < p->count; i++) {
        if (p->loop[i] != number) continue;
        needed[p->of[i]] = true;
        mark_needed(f, body, p->of[i], needed);
    }
    const gw_region to = gw_loop_body(f, new_loop(f, loop));
    gw_builder b = {f, to, 0, gw_op_at(f, loop)->loc};
    gw_cloner c = {.from = f, .to = &b};
    gw_map_set(&c.values, gw_arg(f, body, 0), gw_arg(f, to, 0));
    const gw_op end = gw_region_end(f, body);
    for (gw_op op = gw_first(f, body); op != end; op = gw_next(f, op))
        if (needed[op]) gw_clone_op(&c, op);
    gw_yield(&b, NULL, 0);
    gw_map_free(&c.values);
    gw_map_free(&c.objects);
    free(needed);
}

static void drop_unused(gw_func *f, gw_region body) {
    for (gw_op op = gw_region_end(f, body), before; op; op = before) {
        before = gw_prev(f, op);
        if (gw_op_at(f, op)->results == 1 && !gw_count_uses(f, gw_result(f, op, 0))) gw_op_remove(f, op);
    }
}

static void part_loop(gw_func *f, gw_op loop, const parts *p) {
    for (uint32_t number = 1; number < p->loops; number++) make_loop(f, loop, p, number);
    for (uint32_t i = 0; i < p->count; i++)
        if (p->loop[i]) gw_op_remove(f, p->of[i]);
    drop_unused(f, gw_loop_body(f, loop));
}

static void walk(gw_func *f, gw_region r) {
    for (gw_op op = gw_first(f, r), next; op; op = next) {
        next = gw_next(f, op);
        for (uint32_t i = 0; i < gw_op_at(f, op)->regions; i++) walk(f, gw_op_at(f, op)->region[i]);
        parts p = {0};
        if (gw_op_at(f, op)->code == GW_OP_FOR && find_parts(f, op, &p)) part_loop(f, op, &p);
    }
}

bool gw_pass_shifts(gw_run *run) {
    for (uint32_t i = 0; i < run->session->funcs.count; i++) {
        gw_func *f = run->session->funcs.at[i];
        if (f->kind == GW_FUNC_HOST && (f->form == GW_FORM_GRAD || f->form == GW_FORM_PULLBACK))
            walk(f, f->entry);
    }
    return true;
}
