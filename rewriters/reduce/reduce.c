/*
 * reduce.c - the reduce pass: fewer and better placed updates of adjoint cells in a derivative.
 *
 *  1. a zeroed cell that is then added to is stored once, or not touched when it gets back what was read; if
 *     only one side of a branch adds to it, it is stored behind the branch: what was added, or 0;
 *  2. an addition to one cell in every iteration of a loop becomes a sum in a register and one addition
 *     after the loop (if it ran: otherwise the address may not exist);
 *  3. an addition of a branch's result that is zero on the other side moves into the branch, with all that is
 *     zero then (sink.c); in code of a device, where an addition may be an atomic and threads skip together,
 *     what both sides add to one cell is added behind the branch (arms.c);
 *  4. zeroing goes last in its region: a store right behind the load of the same cell stalls the loads
 *     that follow it.
 * Each is sound for one thread because the accesses it passes do not touch the cell (distinct objects are
 * disjoint), and for several because an addition commutes with the additions of others; reads and zeroings
 * of an adjoint are exclusive to a thread or refused by the ownership pass. No access of memory that other
 * threads see passes a barrier.
 */
#include "analysis/facts/facts.h"
#include "analysis/clean/clean.h"
#include "analysis/ir/passes.h"
#include "analysis/ir/reasons.h"
#include "analysis/ir/restructure.h"
#include "rewriters/reduce/sink_private.h"

#include <stdlib.h>

enum { MOST_INDICES = 16 };

static bool is_shadow(const gw_func *f, gw_object o) {
    const gw_object_data *d = gw_object_at(f, o);
    if (d->shadow_of) return true;
    for (uint32_t i = 0; i < f->params.count; i++)
        if (f->params.at[i].is_adjoint && f->params.at[i].object == o) return true;
    return false;
}

static bool is_zero_store(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    double x;
    return o->code == GW_OP_STORE && is_shadow(f, o->object) &&
           gw_const_real(f, gw_operand(f, op, o->operands - 1), &x) && x == 0;
}

/* ---- 1: zero, then add ---- */
static gw_op next_touching(const gw_func *f, gw_op op, gw_object o) {
    for (op = gw_next(f, op); op; op = gw_next(f, op))
        if (gw_touches(f, op, o, GW_TOUCH_READ | GW_TOUCH_WRITE)) return op;
    return 0;
}

/* The next op that touches the object, or, if other threads see it, a barrier before that. */
static gw_op next_ordered(const gw_func *f, gw_op op, gw_object o) {
    bool seen = !gw_object_is_private(gw_object_at(f, o)->kind);
    for (op = gw_next(f, op); op; op = gw_next(f, op))
        if (gw_touches(f, op, o, GW_TOUCH_READ | GW_TOUCH_WRITE) || (seen && gw_holds_barrier(f, op)))
            return op;
    return 0;
}

static bool reads_back(const gw_func *f, gw_op store, gw_value v) {
    gw_op def = gw_made_by(f, v, GW_OP_LOAD);
    if (!def || gw_op_at(f, def)->parent != gw_op_at(f, store)->parent) return false;
    return gw_same_address(f, def, store) && next_ordered(f, def, gw_op_at(f, store)->object) == store;
}

static void merge_zero_and_add(gw_func *f, gw_op store) {
    gw_object o = gw_op_at(f, store)->object;
    gw_op add = next_ordered(f, store, o);
    while (add && gw_op_at(f, add)->code == GW_OP_ACCUM && gw_alias_ops(f, store, add) == GW_ALIAS_NO)
        add = next_ordered(f, add, o);
    if (!add || gw_op_at(f, add)->code != GW_OP_ACCUM || !gw_same_address(f, store, add)) return;
    gw_value v = gw_operand(f, add, gw_op_at(f, add)->operands - 1);
    if (reads_back(f, store, v)) gw_op_remove(f, add);
    else gw_op_at(f, add)->code = GW_OP_STORE;
    gw_op_remove(f, store);
}

/* The only op in the branch that touches the store's object, if that is an addition to the same cell. */
static gw_op lone_addition(const gw_func *f, gw_op branch, gw_op store) {
    gw_op found = 0;
    gw_object o = gw_op_at(f, store)->object;
    for (uint32_t side = 0; side < 2; side++)
        for (gw_op op = gw_first(f, gw_op_at(f, branch)->region[side]); op; op = gw_next(f, op)) {
            if (!gw_touches(f, op, o, GW_TOUCH_READ | GW_TOUCH_WRITE)) continue;
            if (found || gw_op_at(f, op)->code != GW_OP_ACCUM || !gw_same_address(f, store, op)) return 0;
            found = op;
        }
    return found;
}

static void merge_zero_and_branch(gw_func *f, gw_op store) {
    gw_op branch = next_ordered(f, store, gw_op_at(f, store)->object);
    if (!branch || gw_op_at(f, branch)->code != GW_OP_IF || gw_holds_barrier(f, branch)) return;
    gw_op add = lone_addition(f, branch, store);
    if (!add) return;
    uint32_t last = gw_index_count(f, store), n = gw_op_at(f, branch)->results;
    gw_value zero = gw_operand(f, store, last), v = gw_operand(f, add, last);
    bool is_then = gw_op_at(f, add)->parent == gw_op_at(f, branch)->region[0];
    gw_op_remove(f, add);
    branch = gw_if_rebuild(f, branch, NULL, is_then ? &v : &zero, is_then ? &zero : &v, 1);
    gw_op_move(f, store, gw_op_at(f, branch)->parent, gw_next(f, branch));
    gw_set_operand(f, store, last, gw_result(f, branch, n));
}

/* ---- 2: sums over loops ---- */
typedef struct sum {
    gw_op add;   /* the ACCUM */
    gw_op guard; /* an IF around it that only holds it, or 0 */
} sum;

static bool lone_guard(const gw_func *f, gw_op op, sum *s) {
    const gw_op_data *o = gw_op_at(f, op);
    if (o->code != GW_OP_IF || o->results) return false;
    gw_op first = gw_first(f, o->region[0]), other = gw_first(f, o->region[1]);
    if (gw_op_at(f, first)->code != GW_OP_ACCUM || gw_op_at(f, gw_next(f, first))->code != GW_OP_YIELD)
        return false;
    if (gw_op_at(f, other)->code != GW_OP_YIELD) return false;
    *s = (sum){first, op};
    return true;
}

/* Every access to the object by this path in the loop is an addition: they commute with the one after the
 * loop. */
static bool only_additions(const gw_func *f, gw_region r, gw_object o, gw_str path) {
    for (gw_op op = gw_first(f, r); op; op = gw_walk(f, op, r)) {
        const gw_op_data *d = gw_op_at(f, op);
        bool elsewhere = (d->code == GW_OP_LOAD || d->code == GW_OP_STORE) && d->path != path;
        if (d->object == o && d->code != GW_OP_ACCUM && !elsewhere) return false;
    }
    return true;
}

static bool can_sum(const gw_func *f, gw_op loop, const sum *s) {
    gw_region outside = gw_op_at(f, loop)->parent, body = gw_loop_body(f, loop);
    gw_value v = gw_operand(f, s->add, gw_op_at(f, s->add)->operands - 1);
    if (!gw_address_visible(f, s->add, outside) || gw_index_count(f, s->add) > MOST_INDICES) return false;
    if (!gw_object_is_private(gw_object_at(f, gw_op_at(f, s->add)->object)->kind) && gw_holds_barrier(f, loop))
        return false;
    if (s->guard && !gw_value_visible(f, gw_operand(f, s->guard, 0), outside)) return false;
    if (s->guard && gw_value_region(f, v) == gw_op_at(f, s->add)->parent) return false;
    return only_additions(f, body, gw_op_at(f, s->add)->object, gw_op_at(f, s->add)->path);
}

/* Adjoint of a by-value parameter: one cell that always exists. */
static bool always_valid(const gw_func *f, gw_op add) {
    gw_object o = gw_op_at(f, add)->object;
    if (gw_cell_behind_pointer(f, o, gw_op_at(f, add)->path)) return false;
    for (uint32_t i = 0; i < f->params.count; i++) {
        const gw_param *p = &f->params.at[i];
        if (!p->is_adjoint || p->object != o || p->primal_index >= f->primal->params.count) continue;
        const gw_param *x = &f->primal->params.at[p->primal_index];
        return x->value || gw_object_at(f->primal, x->object)->kind == GW_OBJECT_STRUCT;
    }
    return gw_object_at(f, o)->kind == GW_OBJECT_LOCAL;
}

/* if (condition) cell += value; at the builder; `origin` is the branch's */
static void add_under(gw_builder *b, gw_value condition, gw_op origin, const gw_op_data *add,
                      const gw_value *index, uint32_t n, gw_value value) {
    gw_builder at = *b;
    gw_op guard = 0;
    if (condition) {
        guard = gw_emit(b, GW_OP_IF, GW_T_VOID, 0, &condition, 1);
        gw_op_at(b->f, guard)->origin = origin;
        at.region = gw_region_new(b->f, guard);
        at.before = 0;
    }
    gw_op made = gw_accum(&at, add->object, add->path, index, n, value);
    gw_op_at(b->f, made)->origin = add->origin;
    gw_op_at(b->f, made)->decision = add->decision;
    if (!guard) return;
    gw_yield(&at, NULL, 0);
    at.region = gw_region_new(b->f, guard);
    gw_yield(&at, NULL, 0);
}

static gw_op sum_over_loop(gw_func *f, gw_op loop, const sum *s) {
    gw_op_data add = *gw_op_at(f, s->add);
    uint32_t n = gw_index_count(f, s->add);
    gw_value index[MOST_INDICES], v = gw_operand(f, s->add, n), condition = 0;
    for (uint32_t i = 0; i < n; i++) index[i] = gw_operand(f, s->add, i);
    gw_builder b = {f, add.parent, loop, add.loc};
    b.region = gw_op_at(f, loop)->parent;
    gw_why why = gw_because(GW_REASON_SUMMED_OVER_LOOP);
    gw_why_add(f->session, &why, NULL, gw_op_at(f, loop)->loc.line);
    add.decision = gw_decision_made(f->session, why);
    gw_value zero = gw_real(&b, gw_typeof(f, v), 0);
    bool runs = gw_runs_for_sure(f, loop),
         asks = gw_op_at(f, loop)->code == GW_OP_FOR && !runs && !always_valid(f, s->add);
    gw_op from = s->guard ? s->guard : loop, origin = asks || runs ? gw_op_at(f, from)->origin : 0;
    if (asks)
        condition =
            gw_binary(&b, (gw_opcode)gw_op_at(f, loop)->attr, gw_operand(f, loop, 0), gw_operand(f, loop, 1));
    if (s->guard) {
        gw_value inner = gw_operand(f, s->guard, 0);
        condition = condition ? gw_binary(&b, GW_OP_AND, condition, inner) : inner;
    }
    gw_op after = gw_op_at(f, loop)->next;
    gw_op made = gw_loop_rebuild(f, loop, NULL, &zero, 1);
    v = gw_operand(f, s->add, n); /* may be an argument of the loop, which was renamed */
    gw_op_remove(f, s->add);
    gw_region body = gw_loop_body(f, made);
    gw_op end = gw_region_end(f, body);
    gw_builder in = {f, body, end, add.loc};
    gw_value arg = gw_arg(f, body, gw_region_at(f, body)->args - 1);
    char *name = gw_format("%s_sum", gw_cstr(f->session, gw_object_at(f, add.object)->name));
    gw_value_at(f, arg)->name = gw_intern(f->session, name);
    free(name);
    gw_set_operand(f, end, gw_op_at(f, end)->operands - 1, gw_binary(&in, GW_OP_ADD, arg, v));
    b.before = after;
    add_under(&b, condition, origin, &add, index, n, gw_result(f, made, gw_op_at(f, made)->results - 1));
    return made;
}

static bool find_sum(gw_func *f, gw_op loop, sum *s) {
    gw_region body = gw_loop_body(f, loop);
    bool counted = gw_op_at(f, loop)->code == GW_OP_FOR;
    for (gw_op op = gw_first(f, body); op; op = gw_next(f, op)) {
        *s = (sum){op, 0};
        if (gw_op_at(f, op)->code != GW_OP_ACCUM && !lone_guard(f, op, s)) continue;
        if (!counted && !always_valid(f, s->add)) continue;
        if (can_sum(f, loop, s)) return true;
    }
    return false;
}

static void sum_loops(gw_func *f, gw_region r) {
    for (gw_op op = gw_first(f, r), next; op; op = next) {
        next = gw_next(f, op);
        for (uint32_t i = 0; i < gw_op_at(f, op)->regions; i++) sum_loops(f, gw_op_at(f, op)->region[i]);
        sum s;
        while (gw_is_loop(f, op) && find_sum(f, op, &s)) op = sum_over_loop(f, op, &s);
    }
}

/* ---- 4: zeroing last, or not at all where the user keeps the seed ---- */

/* Nothing that runs after the op, on the way out of all regions around it, touches the object. */
static bool is_last_touch(const gw_func *f, gw_op op, gw_object o) {
    for (gw_op at = op; at; at = gw_op_around(f, at))
        if (next_touching(f, at, o) || (at != op && gw_is_loop(f, at))) return false;
    return true;
}

static void sink_zero(gw_func *f, gw_op store) {
    gw_region r = gw_op_at(f, store)->parent;
    gw_op end = gw_region_end(f, r);
    gw_object o = gw_op_at(f, store)->object;
    if (f->session->options.keep_seed && is_last_touch(f, store, o)) {
        gw_op_remove(f, store);
        return;
    }
    if (next_ordered(f, store, o) || gw_next(f, store) == end) return;
    gw_op_move(f, store, r, end);
}

typedef void visitor(gw_func *f, gw_op op);

static void each_op(gw_func *f, gw_region r, bool (*wanted)(const gw_func *, gw_op), visitor *visit) {
    GW_VEC(gw_op) list = {0};
    for (gw_op op = gw_first(f, r); op; op = gw_next(f, op)) gw_push(&list, op);
    for (uint32_t i = 0; i < list.count; i++) {
        gw_op op = list.at[i];
        if (gw_op_at(f, op)->dead) continue;
        for (uint32_t k = 0; k < gw_op_at(f, op)->regions; k++)
            each_op(f, gw_op_at(f, op)->region[k], wanted, visit);
        if (wanted(f, op)) visit(f, op);
    }
    gw_vec_free(&list);
}

static bool is_global_zero_store(const gw_func *f, gw_op op) {
    return is_zero_store(f, op) && !gw_object_is_inner(gw_object_at(f, gw_op_at(f, op)->object)->kind);
}

/* ---- the steps, as passes.def has them ---- */
void gw_reduce_zero_and_add(gw_func *f) { each_op(f, f->entry, is_zero_store, merge_zero_and_add); }
void gw_reduce_sum_loops(gw_func *f) { sum_loops(f, f->entry); }
void gw_reduce_zero_and_branch(gw_func *f) { each_op(f, f->entry, is_zero_store, merge_zero_and_branch); }
void gw_reduce_zero_last(gw_func *f) { each_op(f, f->entry, is_global_zero_store, sink_zero); }

static bool is_on_device(const gw_func *f) { return f->kind == GW_FUNC_KERNEL || f->kind == GW_FUNC_DEVICE; }

void gw_reduce_sink(gw_func *f) { gw_sink_additions(f, f->entry); }

void gw_reduce_sink_values(gw_func *f) {
    if (is_on_device(f)) gw_sink_values(f, f->entry);
}

void gw_reduce_join(gw_func *f) {
    if (is_on_device(f)) gw_join_additions(f, f->entry);
}
