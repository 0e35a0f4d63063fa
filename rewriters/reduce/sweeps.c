/*
 * sweeps.c - the sweeps pass: what several loops over one range add to one cell of a thread is added by the
 * last of them.
 *
 *     for (i ...) { ...; d_x[row + i] += v; }            for (i ...) { ... }
 *     s = ...                                            s = ...
 *     for (i ...) d_x[row + i] += s;             ->      for (i ...) d_x[row + i] += s + v';
 *
 * The reverse of a row that is normalised goes over it once for each sum of the primal, and reads and writes
 * the adjoint each time. What an earlier loop adds is made again in the last one (v'), where that takes no more
 * than the two accesses: MOST_LOADS loads, which have just been made, and some arithmetic.
 *
 * Sound because
 *   - the two loops have one header, leave it in no other way and stand in one region: they run alike, and so
 *     do the additions that stand in them under no condition;
 *   - both additions are their thread's own, nothing but additions reaches the object in the kernel, and
 *     additions commute;
 *   - v' is what v was: made by pure ops of values from outside of the loops, of their index, and of memory
 *     that the kernel does not write.
 *
 * Where blocks sum what the earlier loop adds to short arrays (accumulate/copies.c), all that it adds and the
 * zeros of its seeds go to the last loop, too, so that the earlier one only reads (norms.cu: 0.117 to 0.097 ms,
 * with what is left posted). Without such sums it cost more than it saved: the earlier loop's stores kept warps
 * apart, which then met at each cell (docs/log/gpu-kernels.md). Sound besides because nothing but additions
 * reaches those arrays, and because nothing but its load in the earlier loop comes to a seed that is a thread's
 * own: it is read twice, and zeroed then.
 */
#include "rewriters/reduce/reduce.h"

#include "analysis/clean/clean.h"
#include "analysis/facts/facts.h"
#include "analysis/ir/optional.h"
#include "analysis/ir/passes.h"
#include "analysis/ir/restructure.h"
#include "analysis/ir/rungs.h"
#include "analysis/ir/query.h"
#include "rewriters/reduce/reduce_private.h"

#include <stdlib.h>

enum {
    MOST_LOADS = 2,
    MOST_LOADS_OF_ALL = 3,
    MOST_MOVED = 8,
    MOST_OPS = 24,
    MOST_COSTLY = 2,
    OF_DIVISION = 2,
    MOST_DEPTH = 24
};

/* What `from` adds by `add` is to be added by `into`, at `to`. */
typedef struct move {
    gw_func *f;
    gw_op from, into, add, to;
    bool all; /* all that `from` adds or zeroes: */
    gw_op moved[MOST_MOVED];
    uint32_t moves;
    gw_op again[MOST_OPS];       /* what is to be made again, */
    uint32_t ops, loads, costly; /* how many of them, and of these kinds */
} move;

/* ---- two loops that run alike ---- */
static bool same_number(const gw_func *f, gw_value a, gw_value b) {
    return gw_typeof(f, a) == gw_typeof(f, b) && gw_same_number(f, a, b);
}

static bool run_alike(const gw_func *f, gw_op a, gw_op b) {
    const gw_op_data *x = gw_op_at(f, a), *y = gw_op_at(f, b);
    bool alike = x->code == GW_OP_FOR && y->code == GW_OP_FOR && x->attr == y->attr &&
                 !((x->flags | y->flags) & GW_OP_EXIT);
    for (uint32_t i = 0; i < 3 && alike; i++)
        alike = same_number(f, gw_operand(f, a, i), gw_operand(f, b, i));
    return alike;
}

/* b, in the later loop, is what a is in the earlier one, an iteration for an iteration. */
static bool same_value(const move *m, gw_value a, gw_value b, unsigned depth) {
    const gw_func *f = m->f;
    const gw_region from = gw_loop_body(f, m->from), into = gw_loop_body(f, m->into);
    if (same_number(f, a, b)) return true;
    if (a == gw_arg(f, from, 0)) return b == gw_arg(f, into, 0);
    const gw_op x = gw_value_at(f, a)->op, y = gw_value_at(f, b)->op;
    if (!x || !y || !depth) return false;
    const gw_op_data *p = gw_op_at(f, x), *q = gw_op_at(f, y);
    bool same = p->code == q->code && p->attr == q->attr && p->operands == q->operands && !p->regions &&
                gw_typeof(f, a) == gw_typeof(f, b) && gw_op_rows[p->code].effect == GW_EFFECT_PURE &&
                p->code != GW_OP_CONST && p->imm.i == q->imm.i;
    for (uint32_t i = 0; i < p->operands && same; i++)
        same = same_value(m, gw_operand(f, x, i), gw_operand(f, y, i), depth - 1);
    return same;
}

static bool same_cell(const move *m, gw_op a, gw_op b) {
    const gw_op_data *x = gw_op_at(m->f, a), *y = gw_op_at(m->f, b);
    bool same = x->object == y->object && x->path == y->path;
    for (uint32_t i = 0; i < gw_index_count(m->f, a) && same; i++)
        same = same_value(m, gw_operand(m->f, a, i), gw_operand(m->f, b, i), MOST_DEPTH);
    return same;
}

/* ---- what may be made again ---- */
static bool is_written(const gw_func *f, gw_object object) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (!o->dead && !o->regions && o->code != GW_OP_LOAD && gw_names_object(f, op, object)) return true;
    }
    return false;
}

static bool is_costly(gw_opcode code) {
    switch (code) {
    case GW_OP_LOAD:
    case GW_OP_CONST:
    case GW_OP_ADD:
    case GW_OP_SUB:
    case GW_OP_MUL:
    case GW_OP_NEG:
    case GW_OP_FMA:
    case GW_OP_CAST:
    case GW_OP_SELECT:
    case GW_OP_EQ:
    case GW_OP_NE:
    case GW_OP_LT:
    case GW_OP_LE:
    case GW_OP_GT:
    case GW_OP_GE:
    case GW_OP_FABS:
    case GW_OP_FMIN:
    case GW_OP_FMAX:
    case GW_OP_AND:
    case GW_OP_OR:
    case GW_OP_NOT:
        return false;
    default:
        return true;
    }
}

/* False where it is one too many. */
static bool count_again(move *m, gw_op op) {
    const gw_op_data *o = gw_op_at(m->f, op);
    if (m->ops == MOST_OPS) return false;
    m->again[m->ops++] = op;
    m->loads += o->code == GW_OP_LOAD;
    if (gw_type_is_float(gw_typeof(m->f, gw_result(m->f, op, 0))) && is_costly((gw_opcode)o->code))
        m->costly += o->code == GW_OP_DIV ? OF_DIVISION : 1;
    return m->loads <= (m->all ? MOST_LOADS_OF_ALL : MOST_LOADS) && m->costly <= MOST_COSTLY;
}

static bool is_counted(const move *m, gw_op op) {
    for (uint32_t i = 0; i < m->ops; i++)
        if (m->again[i] == op) return true;
    return false;
}

/* The load is of a seed that goes along. */
static bool is_of_moved(const move *m, gw_op load) {
    for (uint32_t i = 0; i < m->moves; i++)
        if (gw_zeroes_adjoint(m->f, m->moved[i]) &&
            gw_op_at(m->f, m->moved[i])->object == gw_op_at(m->f, load)->object)
            return true;
    return false;
}

static bool can_make_again(move *m, gw_value v, unsigned depth) {
    const gw_func *f = m->f;
    const gw_region body = gw_loop_body(f, m->from);
    const gw_op op = gw_value_at(f, v)->op;
    if (op && is_counted(m, op)) return true;
    if (gw_value_visible(f, v, gw_op_at(f, m->from)->parent) || v == gw_arg(f, body, 0)) return true;
    if (!op || !depth || gw_op_at(f, op)->parent != body) return false;
    const gw_op_data *o = gw_op_at(f, op);
    if (o->regions || o->results != 1 || !count_again(m, op)) return false;
    bool good = gw_op_rows[o->code].effect == GW_EFFECT_PURE;
    if (o->code == GW_OP_LOAD)
        good = gw_object_at(f, o->object)->kind == GW_OBJECT_POINTER &&
               (!is_written(f, o->object) || is_of_moved(m, op));
    for (uint32_t i = 0; i < o->operands && good; i++)
        good = can_make_again(m, gw_operand(f, op, i), depth - 1);
    return good;
}

/* ---- which ---- */
static bool is_only_added_to(const gw_func *f, gw_object object) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (!o->dead && !o->regions && o->code != GW_OP_ACCUM && gw_names_object(f, op, object)) return false;
    }
    return true;
}

static bool is_own_addition(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    return o->code == GW_OP_ACCUM && o->attr == GW_ACCUMULATE_PLAIN &&
           gw_object_at(f, o->object)->kind == GW_OBJECT_POINTER;
}

static gw_op addition_to_same(const move *m) {
    for (gw_op op = gw_first(m->f, gw_loop_body(m->f, m->into)); op; op = gw_next(m->f, op))
        if (is_own_addition(m->f, op) && same_cell(m, m->add, op)) return op;
    return 0;
}

/* The last loop behind `from` that adds to the cell. */
static bool find(move *m) {
    move found = {0};
    const uint32_t value = gw_index_count(m->f, m->add);
    for (gw_op loop = gw_next(m->f, m->from); loop; loop = gw_next(m->f, loop)) {
        move now = {.f = m->f, .from = m->from, .into = loop, .add = m->add};
        if (!run_alike(m->f, m->from, loop)) continue;
        now.to = addition_to_same(&now);
        if (now.to && can_make_again(&now, gw_operand(m->f, m->add, value), MOST_DEPTH)) found = now;
    }
    if (!found.to || !is_only_added_to(m->f, gw_op_at(m->f, m->add)->object)) return false;
    *m = found;
    return true;
}

/* ---- doing it ---- */
static gw_value make_again(move *m, gw_cloner *c, gw_value v) {
    const gw_func *f = m->f;
    const gw_op op = gw_value_at(f, v)->op;
    if (gw_value_visible(f, v, gw_op_at(f, m->from)->parent) || gw_map_get(&c->values, v))
        return gw_clone_value(c, v);
    for (uint32_t i = 0; i < gw_op_at(f, op)->operands; i++)
        make_again(m, c, gw_operand(f, op, i));
    gw_clone_op(c, op);
    return gw_clone_value(c, v);
}

static void do_move(move *m) {
    gw_func *f = m->f;
    const gw_region body = gw_loop_body(f, m->into);
    const uint32_t value = gw_index_count(f, m->add);
    gw_builder b = {f, body, m->to, gw_op_at(f, m->add)->loc};
    gw_cloner c = {.from = f, .to = &b};
    gw_map_set(&c.values, gw_arg(f, gw_loop_body(f, m->from), 0), gw_arg(f, body, 0));
    const gw_value v = make_again(m, &c, gw_operand(f, m->add, value));
    gw_set_operand(f, m->to, value, gw_binary(&b, GW_OP_ADD, gw_operand(f, m->to, value), v));
    gw_op_remove(f, m->add);
    gw_map_free(&c.values);
    gw_map_free(&c.objects);
}

static bool move_from(gw_func *f, gw_op loop) {
    bool any = false;
    for (gw_op op = gw_first(f, gw_loop_body(f, loop)), next; op; op = next) {
        move m = {.f = f, .from = loop, .add = op};
        next = gw_next(f, op);
        if (!is_own_addition(f, op) || !find(&m)) continue;
        do_move(&m);
        any = true;
    }
    return any;
}

static bool move_in(gw_func *f, gw_region r) {
    bool any = false;
    for (gw_op op = gw_first(f, r); op; op = gw_next(f, op)) {
        for (uint32_t i = 0; i < gw_op_at(f, op)->regions; i++)
            any |= move_in(f, gw_op_at(f, op)->region[i]);
        if (gw_op_at(f, op)->code == GW_OP_FOR) any |= move_from(f, op);
    }
    return any;
}

/* ---- with all that the loop adds, and its seeds ---- */
enum { OWN = 1, SUMMED = 2, SEED = 4, EACH_KIND = OWN | SUMMED | SEED };

/* An iteration loads the seed's cell before it zeroes it, another one has another cell, and nothing else comes
 * to these. */
static bool is_seed_of_loop(const move *m, gw_op zero) {
    const gw_func *f = m->f;
    const gw_op_data *z = gw_op_at(f, zero);
    if (!gw_zeroes_adjoint(f, zero) || z->attr != GW_ACCUMULATE_PLAIN) return false;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead || o->regions || op == zero || !gw_names_object(f, op, z->object)) continue;
        if (o->code != GW_OP_LOAD || o->parent != z->parent || o->attr != GW_ACCUMULATE_PLAIN ||
            !gw_moves_on(f, m->from, zero, op) || !gw_comes_before(f, op, zero))
            return false;
    }
    return true;
}

static bool goes_along(const move *m, gw_op op, gw_sums_in_block *summed, unsigned *kinds) {
    const gw_func *f = m->f;
    const gw_op_data *o = gw_op_at(f, op);
    move one = *m;
    one.add = op;
    if (is_own_addition(f, op)) {
        *kinds |= OWN;
        return addition_to_same(&one) && is_only_added_to(f, o->object);
    }
    *kinds |= o->code == GW_OP_ACCUM ? SUMMED : SEED;
    if (o->code == GW_OP_ACCUM) return o->attr == GW_ACCUMULATE_COPIES && summed(f, o->object);
    return is_seed_of_loop(m, op);
}

/* All that others see of the loop `from` goes to `into`. */
static bool collect(move *m, gw_sums_in_block *summed) {
    const gw_func *f = m->f;
    unsigned kinds = 0;
    for (gw_op op = gw_first(f, gw_loop_body(f, m->from)); op; op = gw_next(f, op)) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->regions) return false;
        if (o->code != GW_OP_ACCUM && gw_op_rows[o->code].effect != GW_EFFECT_WRITE) continue;
        if (o->code != GW_OP_ACCUM && o->code != GW_OP_STORE) return false;
        if (m->moves == MOST_MOVED || !goes_along(m, op, summed, &kinds)) return false;
        m->moved[m->moves++] = op;
    }
    for (uint32_t i = 0; i < m->moves; i++)
        for (uint32_t k = 0; k < gw_op_at(f, m->moved[i])->operands; k++)
            if (!can_make_again(m, gw_operand(f, m->moved[i], k), MOST_DEPTH)) return false;
    return kinds == EACH_KIND;
}

static void move_all(move *m) {
    gw_func *f = m->f;
    const gw_region body = gw_loop_body(f, m->into);
    gw_builder b = {f, body, gw_first(f, body), gw_op_at(f, m->from)->loc};
    gw_cloner c = {.from = f, .to = &b};
    gw_map_set(&c.values, gw_arg(f, gw_loop_body(f, m->from), 0), gw_arg(f, body, 0));
    for (uint32_t i = 0; i < m->moves; i++)
        for (uint32_t k = 0; k < gw_op_at(f, m->moved[i])->operands; k++)
            make_again(m, &c, gw_operand(f, m->moved[i], k));
    for (uint32_t i = 0; i < m->moves; i++) {
        const uint32_t value = gw_index_count(f, m->moved[i]);
        m->add = m->moved[i];
        b.before = gw_region_end(f, body);
        if (!is_own_addition(f, m->add)) gw_clone_op(&c, m->add);
        else {
            m->to = addition_to_same(m);
            b.before = m->to;
            gw_value v = gw_clone_value(&c, gw_operand(f, m->add, value));
            gw_set_operand(f, m->to, value, gw_binary(&b, GW_OP_ADD, gw_operand(f, m->to, value), v));
        }
        gw_op_remove(f, m->add);
    }
    gw_map_free(&c.values);
    gw_map_free(&c.objects);
}

static bool sweep_seeds_of(gw_func *f, gw_op from, gw_sums_in_block *summed) {
    move found = {0};
    for (gw_op loop = gw_next(f, from); loop; loop = gw_next(f, loop)) {
        move m = {.f = f, .from = from, .into = loop, .all = true};
        if (run_alike(f, from, loop) && collect(&m, summed)) found = m;
    }
    if (!found.moves || !gw_takes(f->session, GW_OPTIONAL_SWEEPS)) return false;
    move_all(&found);
    return true;
}

void gw_sweep_seeds(gw_func *f, gw_sums_in_block *summed) {
    bool any = false;
    for (gw_op op = 1; op < f->ops.count; op++)
        if (!gw_op_at(f, op)->dead && gw_op_at(f, op)->code == GW_OP_FOR) any |= sweep_seeds_of(f, op, summed);
    if (any) gw_cse(f);
    if (any) gw_dce(f);
}

void gw_sweep_together(gw_func *f) {
    if (!move_in(f, f->entry)) return;
    gw_cse(f);
    gw_dce(f);
}
