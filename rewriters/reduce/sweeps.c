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
 * do the additions that stand in them under no condition;
 *   - both additions are their thread's own, nothing but additions reaches the object in the kernel, and
 * additions commute;
 *   - v' is what v was: made by pure ops of values from outside of the loops, of their index, and of memory
 * that the kernel does not write. Of a consumed seed that a loop reads and then zeroes, each iteration its own
 * cell, the zeroing moves to the later loop as well: it is the kernel's only write to the object, all reads
 * come before it, and no barrier is passed, at which the cell could be another thread's (ownership/premise.c).
 */
#include "analysis/clean/clean.h"
#include "analysis/facts/facts.h"
#include "analysis/ir/passes.h"
#include "analysis/ir/restructure.h"
#include "analysis/ir/rungs.h"

#include <stdlib.h>

enum { MOST_LOADS = 2, MOST_OPS = 24, MOST_COSTLY = 1, MOST_DEPTH = 24 };

/* What `from` adds by `add` is to be added by `into`, at `to`. */
typedef struct move {
    gw_func *f;
    gw_op from, into, add, to;
    gw_op zero;                  /* the store that moves as well; 0: none */
    gw_op again[MOST_OPS];       /* what is to be made again, */
    uint32_t ops, loads, costly; /* how many of them, and of these kinds */
} move;

/* ---- two loops that run alike ---- */
static bool same_number(const gw_func *f, gw_value a, gw_value b) {
    int64_t x, y;
    if (a == b) return true;
    return gw_typeof(f, a) == gw_typeof(f, b) && gw_const_int(f, a, &x) && gw_const_int(f, b, &y) && x == y;
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
/* Accesses to different members, of whichever elements. */
static bool is_other_member(const gw_func *f, gw_op x, gw_op y) {
    const char *p = gw_cstr(f->session, gw_op_at(f, x)->path), *q = gw_cstr(f->session, gw_op_at(f, y)->path);
    while (*p && *p == *q)
        p++, q++;
    return *p && *q;
}

static bool is_access(const gw_func *f, gw_op op) {
    const gw_opcode code = (gw_opcode)gw_op_at(f, op)->code;
    return code == GW_OP_LOAD || code == GW_OP_STORE || code == GW_OP_ACCUM;
}

/* The kernel's only write to what `load` reads, a zero in the body of a loop of that region. */
static gw_op only_zeroing(const gw_func *f, gw_op load, gw_region r) {
    const gw_object object = gw_op_at(f, load)->object;
    gw_op found = 0;
    double x;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead || o->regions || o->code == GW_OP_LOAD || !gw_names_object(f, op, object)) continue;
        if (is_access(f, op) && o->object == object && is_other_member(f, op, load)) continue;
        if (found || o->code != GW_OP_STORE || !gw_const_real(f, gw_operand(f, op, o->operands - 1), &x) ||
            x != 0)
            return 0;
        found = op;
    }
    const gw_op loop = found ? gw_op_around(f, found) : 0;
    return loop && gw_is_loop(f, loop) && gw_op_at(f, loop)->parent == r ? found : 0;
}

static bool is_written(const gw_func *f, gw_object object) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (!o->dead && !o->regions && o->code != GW_OP_LOAD && gw_names_object(f, op, object)) return true;
    }
    return false;
}

/* v is the same in all iterations. */
static bool is_fixed(const gw_func *f, gw_op loop, gw_value v, unsigned depth) {
    const gw_op op = gw_value_at(f, v)->op;
    if (gw_value_visible(f, v, gw_op_at(f, loop)->parent)) return true;
    if (!op || !depth || gw_op_at(f, op)->regions || gw_op_rows[gw_op_at(f, op)->code].effect != GW_EFFECT_PURE)
        return false;
    for (uint32_t i = 0; i < gw_op_at(f, op)->operands; i++)
        if (!is_fixed(f, loop, gw_operand(f, op, i), depth - 1)) return false;
    return true;
}

/* v advances with the loop's index, so that no two iterations have one. */
static bool advances(const gw_func *f, gw_op loop, gw_value v) {
    const gw_op op = gw_value_at(f, v)->op;
    int64_t c;
    if (v == gw_arg(f, gw_loop_body(f, loop), 0)) return true;
    if (!op || gw_op_at(f, op)->regions) return false;
    const gw_op_data *o = gw_op_at(f, op);
    const gw_value a = o->operands ? gw_operand(f, op, 0) : 0, b = o->operands > 1 ? gw_operand(f, op, 1) : 0;
    if (o->code == GW_OP_CAST)
        return gw_type_bits(gw_typeof(f, v)) >= gw_type_bits(gw_typeof(f, a)) && advances(f, loop, a);
    if (o->code == GW_OP_MUL && gw_const_int(f, b, &c))
        return (c == 1 || c == 2 || c == 4) && advances(f, loop, a);
    if (o->code != GW_OP_ADD && o->code != GW_OP_SUB) return false;
    if (is_fixed(f, loop, b, MOST_DEPTH)) return advances(f, loop, a);
    return is_fixed(f, loop, a, MOST_DEPTH) && advances(f, loop, b);
}

static bool has_barrier_between(const gw_func *f, gw_op first, gw_op last) {
    bool any = false;
    for (gw_op op = first; op && !any; op = op == last ? 0 : gw_next(f, op))
        for (gw_op in = op; in && !any; in = gw_walk_op(f, in, op)) {
            const gw_opcode code = (gw_opcode)gw_op_at(f, in)->code;
            any = code == GW_OP_BARRIER || code == GW_OP_SYNCWARP || code == GW_OP_DEVICE;
        }
    return any;
}

/* The cell is the thread's between two barriers, for all that is proved. */
static bool between_barriers(const gw_func *f, gw_op access) {
    const uint32_t decision = gw_op_at(f, access)->decision;
    return !decision || gw_decision_by_premise(&f->session->decisions.at[decision]);
}

/* Everything that reads the zeroed object does so before: in the loop of the zeroing, the same cell, or in what
 * comes before that loop. */
static bool reads_come_before(const gw_func *f, gw_op zero) {
    const gw_op loop = gw_op_around(f, zero);
    const gw_region r = gw_op_at(f, loop)->parent;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead || o->code != GW_OP_LOAD || o->object != gw_op_at(f, zero)->object) continue;
        if (is_other_member(f, op, zero)) continue;
        const gw_op holder = gw_holder(f, op, r);
        if (!holder) return false;
        if (holder != loop && !gw_comes_before(f, holder, loop)) return false;
        if (holder == loop && !(o->parent == gw_op_at(f, zero)->parent && gw_same_address(f, op, zero) &&
                                gw_comes_before(f, op, zero)))
            return false;
    }
    return true;
}

/* A seed: read again in the later loop, it has to be zeroed there, or later. */
static bool may_read_seed(move *m, gw_op load) {
    const gw_func *f = m->f;
    const gw_op zero = only_zeroing(f, load, gw_op_at(f, m->from)->parent);
    if (!zero || (m->zero && m->zero != zero)) return false;
    if ((between_barriers(f, load) || between_barriers(f, zero)) && has_barrier_between(f, m->from, m->into))
        return false;
    const gw_op loop = gw_op_around(f, zero);
    bool each = false;
    for (uint32_t i = 0; i < gw_index_count(f, zero); i++)
        each |= advances(f, loop, gw_operand(f, zero, i));
    if (loop == m->from && each && gw_same_address(f, load, zero) && reads_come_before(f, zero)) {
        m->zero = zero;
        return true;
    }
    if (loop == m->into) return each && same_cell(m, load, zero) && gw_comes_before(f, m->to, zero);
    return loop != m->from && gw_comes_before(f, m->into, loop);
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
    m->costly += gw_type_is_float(gw_typeof(m->f, gw_result(m->f, op, 0))) && is_costly((gw_opcode)o->code);
    return m->loads <= MOST_LOADS && m->costly <= MOST_COSTLY;
}

static bool is_counted(const move *m, gw_op op) {
    for (uint32_t i = 0; i < m->ops; i++)
        if (m->again[i] == op) return true;
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
               (!is_written(f, o->object) || may_read_seed(m, op));
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

static gw_op addition_to_same(move *m) {
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
    if (m->zero) {
        for (uint32_t i = 0; i < gw_index_count(f, m->zero); i++)
            gw_set_operand(f, m->zero, i, make_again(m, &c, gw_operand(f, m->zero, i)));
        b.before = gw_region_end(f, body);
        gw_set_operand(f, m->zero, gw_index_count(f, m->zero),
                       gw_real(&b, gw_typeof(f, gw_operand(f, m->zero, gw_index_count(f, m->zero))), 0));
        gw_op_move(f, m->zero, body, gw_region_end(f, body));
    }
    gw_map_free(&c.values);
    gw_map_free(&c.objects);
}

static bool move_from(gw_func *f, gw_op loop) {
    bool any = false;
    for (gw_op op = gw_first(f, gw_loop_body(f, loop)), next; op; op = next) {
        move m = {.f = f, .from = loop, .add = op};
        next = gw_next(f, op);
        if (!is_own_addition(f, op) || !find(&m)) continue;
        if (m.zero == next) next = gw_next(f, next);
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

void gw_sweep_together(gw_func *f) {
    if (!move_in(f, f->entry)) return;
    gw_cse(f);
    gw_dce(f);
}
