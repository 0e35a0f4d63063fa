/*
 * tangent/entries.c - a pattern that integers alone decide: f_jacobian_pattern names its entries.
 *
 * pattern.c's function carries bits. Where nothing decides on its way but integers of the function, it is
 * written anew here: each store of an output's bits becomes a call that names the row, and one for each column
 * that the stored bits come from; numbers go. t_y and t_x then hold the numbers of rows and columns.
 *
 *     gw_sparse_row(entries, t_y[i]);         row i begins anew: what was named of it is gone
 *     gw_sparse_row_on(entries, t_y[i]);      row i goes on: the value has what the cell had, y[i] += ...
 *     gw_sparse_entry(entries, t_x[i + k]);   of that row
 *
 * So the runtime has what the bits would be in the end, exactly. Bits come together by OR, so where they come
 * from are loads and parameters, and
 *   - branches: made once more at the store, with the calls on both sides. What both sides have for sure is
 *     named in front of it, or a row of branches would be a tree;
 *   - loops that keep what they have and add to it: made once more at the store, with the calls at the end of
 *     the body, if the loops around the store are those around the loop; else calls would multiply.
 * Everything else leaves the function with its bits: a number that an iteration around the store hands on,
 * memory of the function's own, another cell of an output.
 *
 * What the calls and the way to them do not use is cleaned away: all numbers, as nothing but integers decides.
 */
#include "analysis/clean/clean.h"
#include "rewriters/tangent/tangent_private.h"

#include <stdlib.h>
#include <string.h>

/* Ops that there may be for each one with bits: choices of choices take exponentially many. */
enum { MOST_COPIES = 32 };

typedef struct naming {
    const gw_func *f; /* with bits; `made` is written anew from it */
    gw_func *made;
    gw_builder b;
    gw_cloner c;
    gw_object entries;
    bool *is_row, *is_column; /* objects whose bits are stored; only loaded */
    bool *is_named;           /* values whose columns have been, wherever the next call is */
    gw_op around;             /* the loop around the next call, in f; 0: none */
    bool good;
} naming;

/* ---- what bits are made of ---- */
typedef enum knowledge { UNKNOWN, HAS, LACKS } knowledge;

/* v has all bits of `of`, whichever way the function goes. */
static bool has_for_sure(const gw_func *f, gw_value v, gw_value of, knowledge *known) {
    if (v == of) return true;
    if (known[v]) return known[v] == HAS;
    const gw_op op = gw_value_at(f, v)->op;
    const gw_opcode code = op ? (gw_opcode)gw_op_at(f, op)->code : GW_OP_NONE;
    const uint32_t i = op ? v - gw_op_at(f, op)->first_result : 0;
    bool has = false;
    if (code == GW_OP_OR)
        has = has_for_sure(f, gw_operand(f, op, 0), of, known) ||
              has_for_sure(f, gw_operand(f, op, 1), of, known);
    else if (code == GW_OP_IF)
        has = has_for_sure(f, gw_arm_value(f, op, 0, i), of, known) &&
              has_for_sure(f, gw_arm_value(f, op, 1, i), of, known);
    else if (op && gw_is_loop(f, op))
        has = has_for_sure(f, gw_loop_next(f, op, i), gw_loop_arg(f, op, i), known) &&
              has_for_sure(f, gw_loop_init(f, op, i), of, known);
    known[v] = has ? HAS : LACKS;
    return has;
}

static bool contains(const naming *n, gw_value v, gw_value of) {
    knowledge *known = gw_alloc(n->f->values.count * sizeof *known);
    const bool has = has_for_sure(n->f, v, of, known);
    free(known);
    return has;
}

static bool keeps(const naming *n, gw_op loop, uint32_t i) {
    return contains(n, gw_loop_next(n->f, loop, i), gw_loop_arg(n->f, loop, i));
}

/* ---- calls ---- */
static void call(naming *n, const char *function, gw_value number) {
    gw_session *s = n->made->session;
    const gw_value first = gw_int(&n->b, GW_T_I32, 0),
                   operands[2] = {gw_address(&n->b, n->entries, gw_intern(s, "[]"), &first, 1, GW_OP_WRITES),
                                  number};
    const gw_op made = gw_emit(&n->b, GW_OP_CALL, GW_T_VOID, 0, operands, 2);
    gw_op_at(n->made, made)->callee = gw_intern(s, function);
}

static void name(naming *n, gw_value v);
static void copy_region(naming *n, gw_region r, bool with_calls);

/* Begins a region of `made`; what is copied and named in it holds to its end. */
typedef struct scope {
    gw_builder outside;
    gw_value_map values;
    bool *is_named;
    gw_op around;
} scope;

static scope open_scope(naming *n, gw_op made) {
    const scope s = {n->b, gw_map_copy(&n->c.values), n->is_named, n->around};
    n->is_named = gw_alloc(n->f->values.count);
    memcpy(n->is_named, s.is_named, n->f->values.count);
    n->b.region = gw_region_new(n->made, made);
    n->b.before = 0;
    return s;
}

static void close_scope(naming *n, const scope *s) {
    free(n->is_named);
    gw_map_free(&n->c.values);
    n->c.values = s->values;
    n->is_named = s->is_named;
    n->around = s->around;
    n->b.region = s->outside.region;
    n->b.before = s->outside.before;
}

static gw_op begin_branch(naming *n, gw_value condition) {
    const gw_value made = gw_clone_value(&n->c, condition);
    return gw_emit(&n->b, GW_OP_IF, GW_T_VOID, 0, &made, 1);
}

/* The columns of v in a side of a branch, which has the ops of r (0: none). */
static void name_side(naming *n, gw_op branch, gw_region r, gw_value v) {
    const scope s = open_scope(n, branch);
    if (r) copy_region(n, r, false);
    name(n, v);
    gw_yield(&n->b, NULL, 0);
    close_scope(n, &s);
}

/* Names what both sides of the branch have of what is visible around it. */
static void name_common(naming *n, gw_op branch, const gw_value side[2], gw_value v, bool *seen) {
    const gw_func *f = n->f;
    if (seen[v]) return;
    seen[v] = true;
    if (gw_value_visible(f, v, gw_op_at(f, branch)->parent)) {
        if (contains(n, side[0], v) && contains(n, side[1], v)) name(n, v);
        return;
    }
    const gw_op op = gw_value_at(f, v)->op;
    const uint32_t i = op ? v - gw_op_at(f, op)->first_result : 0;
    if (!op) return;
    if (gw_op_at(f, op)->code == GW_OP_OR || gw_op_at(f, op)->code == GW_OP_IF)
        for (uint32_t k = 0; k < 2; k++)
            name_common(n, branch, side,
                        gw_op_at(f, op)->code == GW_OP_OR ? gw_operand(f, op, k) : gw_arm_value(f, op, k, i),
                        seen);
    else if (gw_is_loop(f, op)) name_common(n, branch, side, gw_loop_init(f, op, i), seen);
}

static void name_branch(naming *n, gw_op branch, uint32_t i) {
    const gw_func *f = n->f;
    const gw_value side[2] = {gw_arm_value(f, branch, 0, i), gw_arm_value(f, branch, 1, i)};
    bool *seen = gw_alloc(f->values.count);
    name_common(n, branch, side, side[0], seen);
    free(seen);
    const gw_op made = begin_branch(n, gw_operand(f, branch, 0));
    for (uint32_t k = 0; k < 2; k++) name_side(n, made, gw_op_at(f, branch)->region[k], side[k]);
}

static void name_choice(naming *n, gw_op op) {
    const gw_op made = begin_branch(n, gw_operand(n->f, op, 0));
    for (uint32_t k = 1; k < 3; k++) name_side(n, made, 0, gw_operand(n->f, op, k));
}

/* A branch or loop with what is in it; `added`, if it is there, is an argument of the loop of which columns are
 * named where the body ends, as it is in the next iteration. */
static void copy_control(naming *n, gw_op op, bool with_calls, gw_value added) {
    const gw_func *f = n->f;
    const gw_op_data o = *gw_op_at(f, op);
    GW_VEC(gw_value) list = {0};
    for (uint32_t i = 0; i < o.operands; i++) gw_push(&list, gw_clone_value(&n->c, gw_operand(f, op, i)));
    const gw_op made = gw_emit(&n->b, (gw_opcode)o.code, GW_T_VOID, 0, list.at, list.count);
    gw_op_at(n->made, made)->flags = o.flags;
    gw_op_at(n->made, made)->attr = o.attr;
    gw_op_at(n->made, made)->loc = o.loc;
    for (uint32_t k = 0; k < o.regions; k++) {
        const scope s = open_scope(n, made);
        const gw_region r = o.region[k];
        for (uint32_t i = 0; i < gw_region_at(f, r)->args; i++) {
            const gw_value v = gw_arg(f, r, i);
            gw_map_set(&n->c.values, v,
                       gw_region_arg(n->made, n->b.region, gw_typeof(f, v), gw_value_at(f, v)->name));
        }
        copy_region(n, r, with_calls);
        if (added && r == gw_loop_body(f, op)) {
            n->around = op;
            n->is_named[added] = true;
            name(n, gw_loop_next(f, op, gw_value_at(f, added)->index - gw_loop_first_arg(f, op)));
        }
        list.count = 0;
        const gw_op end = gw_region_end(f, r);
        for (uint32_t i = 0; i < gw_op_at(f, end)->operands; i++)
            gw_push(&list, gw_clone_value(&n->c, gw_operand(f, end, i)));
        gw_yield(&n->b, list.at, list.count);
        close_scope(n, &s);
    }
    for (uint32_t i = 0; i < o.results; i++) {
        const gw_value v = gw_result(f, op, i);
        gw_map_set(&n->c.values, v,
                   gw_op_add_result(n->made, made, gw_typeof(f, v), gw_value_at(f, v)->name));
    }
    gw_vec_free(&list);
}

static void name_loop(naming *n, gw_op loop, uint32_t i) {
    if (gw_loop_around(n->f, loop) != n->around || !keeps(n, loop, i)) {
        n->good = false;
        return;
    }
    name(n, gw_loop_init(n->f, loop, i));
    gw_value_map values = gw_map_copy(&n->c.values);
    copy_control(n, loop, false, gw_loop_arg(n->f, loop, i));
    gw_map_free(&n->c.values);
    n->c.values = values;
}

/* The number that the cell has, loaded once more: the call stands elsewhere. */
static gw_value number_at(naming *n, gw_op access) {
    const gw_op_data *o = gw_op_at(n->f, access);
    gw_value *index = gw_alloc((o->operands + 1) * sizeof *index);
    for (uint32_t i = 0; i < gw_index_count(n->f, access); i++)
        index[i] = gw_clone_value(&n->c, gw_operand(n->f, access, i));
    const gw_value number = gw_load(&n->b, o->object, o->path, index, gw_index_count(n->f, access));
    free(index);
    return number;
}

static bool is_parameter(const naming *n, gw_value v) {
    return !gw_value_at(n->f, v)->op && gw_value_at(n->f, v)->region == n->f->entry;
}

/* The columns that v's bits come from, if they are not named there yet. */
static void name(naming *n, gw_value v) {
    const gw_func *f = n->f;
    n->good &= n->made->ops.count < MOST_COPIES * f->ops.count;
    if (!n->good || n->is_named[v]) return;
    n->is_named[v] = true;
    const gw_op op = gw_value_at(f, v)->op;
    const gw_op_data *o = op ? gw_op_at(f, op) : NULL;
    if (is_parameter(n, v)) call(n, "gw_sparse_entry", gw_clone_value(&n->c, v));
    else if (op && o->code == GW_OP_LOAD && n->is_column[o->object])
        call(n, "gw_sparse_entry", number_at(n, op));
    else if (op && o->code == GW_OP_OR)
        for (uint32_t i = 0; i < 2; i++) name(n, gw_operand(f, op, i));
    else if (op && o->code == GW_OP_IF) name_branch(n, op, v - o->first_result);
    else if (op && o->code == GW_OP_SELECT) name_choice(n, op);
    else if (op && gw_is_loop(f, op)) name_loop(n, op, v - o->first_result);
    else n->good &= op && o->code == GW_OP_CONST; /* 0 */
}

/* ---- stores ---- */
/* What `load` reads is there until the store, which stands beside it or under branches. */
static bool lasts(const gw_func *f, gw_op load, gw_op store) {
    const gw_object o = gw_op_at(f, store)->object;
    for (gw_op at = store; at; at = gw_op_around(f, at)) {
        if (at != store && gw_op_at(f, at)->code != GW_OP_IF) return false;
        for (gw_op before = gw_prev(f, at); before; before = gw_prev(f, before)) {
            if (before == load) return true;
            if (gw_touches(f, before, o, GW_TOUCH_WRITE)) return false;
        }
    }
    return false;
}

static bool is_cell_of(const gw_func *f, gw_op load, gw_op store) {
    const gw_op_data *x = gw_op_at(f, load), *y = gw_op_at(f, store);
    if (x->dead || x->code != GW_OP_LOAD || x->object != y->object || x->path != y->path) return false;
    for (uint32_t i = 0; i < x->operands; i++)
        if (gw_operand(f, load, i) != gw_operand(f, store, i)) return false;
    return true;
}

static void name_store(naming *n, gw_op store) {
    const gw_func *f = n->f;
    const gw_op_data *o = gw_op_at(f, store);
    const gw_value bits = gw_operand(f, store, o->operands - 1);
    const char *row = "gw_sparse_row";
    memset(n->is_named, 0, f->values.count);
    for (gw_op load = 1; load < f->ops.count; load++) {
        if (!is_cell_of(f, load, store) || !lasts(f, load, store)) continue;
        if (!contains(n, bits, gw_result(f, load, 0))) continue;
        n->is_named[gw_result(f, load, 0)] = true;
        row = "gw_sparse_row_on";
    }
    call(n, row, number_at(n, store));
    n->around = gw_loop_around(f, store);
    name(n, bits);
}

static bool is_access_of_bits(const naming *n, gw_op op) {
    const gw_op_data *o = gw_op_at(n->f, op);
    return o->code == GW_OP_LOAD && (n->is_row[o->object] || n->is_column[o->object]);
}

/* All ops but those of bits, and those with an effect: what is stored, declared and called for numbers. */
static void copy_region(naming *n, gw_region r, bool with_calls) {
    const gw_func *f = n->f;
    const gw_op end = gw_region_end(f, r);
    for (gw_op op = gw_first(f, r); op && op != end && n->good; op = gw_next(f, op)) {
        const gw_op_data *o = gw_op_at(f, op);
        n->b.loc = o->loc;
        if (o->regions) copy_control(n, op, with_calls, 0);
        else if (gw_op_rows[o->code].effect != GW_EFFECT_WRITE && !is_access_of_bits(n, op))
            gw_clone_op(&n->c, op);
        else if (o->code == GW_OP_STORE && n->is_row[o->object] && with_calls) name_store(n, op);
        else
            for (uint32_t i = 0; i < o->results; i++)
                gw_map_set(&n->c.values, gw_result(f, op, i),
                           gw_zero(&n->b, gw_typeof(f, gw_result(f, op, i))));
    }
}

/* ---- the function ---- */
/* No parameter is both, and an input that is read is not written (pattern.c). */
static void find_memory(naming *n, const gw_func *primal, const gw_request *q) {
    const gw_func *f = n->f;
    n->is_row = gw_alloc(f->objects.count);
    n->is_column = gw_alloc(f->objects.count);
    for (uint32_t i = 0; i < f->params.count; i++) {
        const gw_param *p = &f->params.at[i];
        if (!p->is_adjoint || !p->object) continue;
        const gw_str asked = gw_param_asked(primal, &primal->params.at[p->primal_index]);
        (gw_names_have(&q->dependents, asked) ? n->is_row : n->is_column)[p->object] = true;
    }
}

static gw_object add_entries(gw_func *f) {
    gw_session *s = f->session;
    gw_param p = {.name = gw_intern(s, "entries"),
                  .type_text = gw_intern(s, "gw_sparse *"),
                  .is_adjoint = true,
                  .primal_index = UINT32_MAX};
    p.object = gw_object_new(f, GW_OBJECT_POINTER, p.name, GW_T_U64);
    gw_object_at(f, p.object)->type_text = gw_intern(s, "gw_sparse");
    gw_push(&f->params, p);
    return p.object;
}

static void write_anew(naming *n) {
    for (gw_op op = gw_first(n->made, n->made->entry); op; op = gw_first(n->made, n->made->entry))
        gw_op_remove(n->made, op);
    for (uint32_t i = 0; i < gw_region_at(n->f, n->f->entry)->args; i++)
        gw_map_set(&n->c.values, gw_arg(n->f, n->f->entry, i), gw_arg(n->f, n->f->entry, i));
    for (gw_object o = 1; o < n->f->objects.count; o++) gw_map_set(&n->c.objects, o, o);
    n->entries = add_entries(n->made);
    copy_region(n, n->f->entry, true);
    gw_emit(&n->b, GW_OP_RET, GW_T_VOID, 0, NULL, 0);
}

bool gw_tangent_name_entries(gw_tangent *t, const gw_request *q) {
    if (t->path) return false;
    gw_func *bits = gw_func_copy(t->f);
    naming n = {.f = bits, .made = t->f, .b = {.f = t->f, .region = t->f->entry}, .good = true};
    n.c = (gw_cloner){.from = bits, .to = &n.b};
    n.is_named = gw_alloc(bits->values.count);
    find_memory(&n, t->primal, q);
    write_anew(&n);
    if (n.good) gw_clean(t->f);
    else gw_func_take(t->f, bits);
    gw_map_free(&n.c.values);
    gw_map_free(&n.c.objects);
    free(n.is_row);
    free(n.is_column);
    free(n.is_named);
    gw_func_free(bits);
    return n.good;
}
