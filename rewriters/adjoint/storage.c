/*
 * adjoint/storage.c - which of the values that the reverse of recorded parts needs are stored, and which are
 * computed again: a minimum cut.
 *
 * A first derivative (the survey) records everything that formulas, addresses, conditions and headers ask for.
 * What is still popped after dead-code elimination is needed. Each needed value is either stored, at the cost
 * of a push and a pop of its bytes, or its op is repeated, at the cost of the op, if its operands are there: in
 * scope, or needed in their turn. Costs count as often as the value's region runs. The cheapest choice is a
 * minimum cut of this graph (cut.c), with nodes `needed` and `repeated` for each value v:
 *
 *     source -> needed v            never cut, where v is asked for
 *     needed v -> repeated v        cut: v is stored
 *     repeated v -> sink            cut: the op of v is repeated; never, where it must not be
 *     repeated v -> needed operand  never cut, for each operand that is not in scope
 *
 * since a cut that separates no `never` edge is a choice in which every value is there, and its capacity what
 * the choice costs. (The same cut places checkpoints between forward and backward graphs in array compilers.)
 *
 * Not repeated: values that no op without effect makes (carried ones, results of loops, branches and calls),
 * loads of cells that are overwritten meanwhile (adjoint/reload.c), and what turns rounded numbers into
 * something discrete (a condition, an index): contracted differently by a compiler it might come out
 * differently, and take another path than the forward sweep did. What the user marked (adjoint/marks.c) has no
 * finite cost either: to repeat it, or to store it. The choice is a matter of cost only: whatever it says,
 * adjoint/record.c records a value that cannot be repeated where it is asked for.
 */
#include "rewriters/adjoint/adjoint_private.h"
#include "rewriters/formula/formula.h"
#include "rewriters/adjoint/cut_private.h"
#include "analysis/ir/optional.h"

#include <stdlib.h>

/* a stored index or condition hides from ownership what it is made of */
enum { MOST_WEIGHT = 1000000000, HIDDEN = 64 };

static bool is_pure(const gw_func *p, gw_op op) {
    return op && gw_op_rows[gw_op_at(p, op)->code].effect == GW_EFFECT_PURE && !gw_op_at(p, op)->regions;
}

gw_storage_reason gw_storage_obstacle(gw_adjoint *a, gw_value v) {
    const gw_func *p = a->primal;
    gw_op op = gw_value_at(p, v)->op;
    if (!op) return GW_STORED_CARRIED;
    if (gw_op_at(p, op)->regions) return GW_STORED_PART;
    if (gw_op_at(p, op)->code == GW_OP_LOAD)
        return gw_adjoint_reloads(a, op) ? GW_STORED_CHEAPER : GW_STORED_OVERWRITTEN;
    if (gw_op_at(p, op)->code == GW_OP_ATOMIC) return GW_STORED_ATOMIC;
    if (gw_op_rows[gw_op_at(p, op)->code].effect == GW_EFFECT_LANES) return GW_STORED_LANES;
    if (!is_pure(p, op)) return GW_STORED_EFFECT;
    return gw_is_discrete(p, op) ? GW_STORED_DISCRETE : GW_STORED_CHEAPER;
}

static const char *const reason_text[] = {
    [GW_STORED_CHEAPER] = "to compute it again costs more",
    [GW_STORED_CARRIED] = "a loop carries it",
    [GW_STORED_PART] = "a branch or loop makes it",
    [GW_STORED_OVERWRITTEN] = "its cell is overwritten",
    [GW_STORED_EFFECT] = "a call makes it",
    [GW_STORED_LANES] = "the lanes that come to it make it",
    [GW_STORED_ASKED] = "GW_STORE asks for it",
    [GW_STORED_ATOMIC] = "the order of the threads decides it",
    [GW_STORED_DISCRETE] = "rounded again it might decide otherwise",
};

const char *gw_storage_text(gw_storage_reason reason) { return reason_text[reason]; }

/* ---- the survey ---- */
static int64_t weight_of(const gw_func *p, gw_region r) {
    double weight = 1;
    for (gw_op op; (op = gw_region_at(p, r)->parent) != 0; r = gw_op_at(p, op)->parent)
        if (gw_is_loop(p, op)) weight *= gw_cost_trips(p, op);
    return weight < (double)MOST_WEIGHT ? (int64_t)weight : MOST_WEIGHT;
}

/* v and what it is computed from, as far as it could be repeated. */
static void survey(gw_adjoint *a, gw_value v) {
    const gw_func *p = a->primal;
    gw_need *n = &a->choice->survey[v];
    if (n->known) return;
    n->known = true;
    n->in_scope = gw_map_get(&a->c.values, v) != 0;
    if (n->in_scope) return;
    int64_t weight = weight_of(p, gw_value_region(p, v));
    n->store = weight * gw_cost_of_record(p, gw_typeof(p, v), gw_adjoint_leaves_branch(a, v));
    if (p->kind == GW_FUNC_KERNEL && !gw_type_is_float(gw_typeof(p, v))) n->store *= HIDDEN;
    n->repeat = GW_CUT_NEVER;
    n->can_repeat = gw_storage_obstacle(a, v) == GW_STORED_CHEAPER;
    if (!n->can_repeat || gw_mark_is(a, v, GW_OP_KEEP)) return;
    if (gw_mark_is(a, v, GW_OP_REPEAT)) n->store = GW_CUT_NEVER;
    gw_op op = gw_value_at(p, v)->op;
    n->repeat = weight * gw_cost_of_op(p, op);
    for (uint32_t i = 0; i < gw_op_at(p, op)->operands; i++) survey(a, gw_operand(p, op, i));
}

void gw_storage_ask(gw_adjoint *a, gw_value v, gw_object slot) {
    survey(a, v);
    a->choice->survey[v].slot = slot;
}

void gw_storage_confirm(const gw_adjoint *a) {
    bool *popped = gw_alloc(a->f->objects.count);
    for (gw_op op = 1; op < a->f->ops.count; op++)
        if (!gw_op_at(a->f, op)->dead && gw_op_at(a->f, op)->code == GW_OP_POP)
            popped[gw_op_at(a->f, op)->object] = true;
    for (gw_value v = 1; v < a->primal->values.count; v++)
        a->choice->survey[v].needed = a->choice->survey[v].slot && popped[a->choice->survey[v].slot];
    free(popped);
}

/* ---- the choice ---- */
static uint32_t needed_node(gw_value v) { return GW_CUT_FIRST + 2 * v; }
static uint32_t repeated_node(gw_value v) { return GW_CUT_FIRST + 2 * v + 1; }

static void add_edges(gw_cut *cut, const gw_func *p, const gw_need *needs, gw_value v) {
    const gw_need *n = &needs[v];
    if (n->needed) gw_cut_edge(cut, GW_CUT_SOURCE, needed_node(v), GW_CUT_NEVER);
    gw_cut_edge(cut, needed_node(v), repeated_node(v), n->store);
    gw_cut_edge(cut, repeated_node(v), GW_CUT_SINK, n->repeat);
    if (n->repeat >= GW_CUT_NEVER) return;
    gw_op op = gw_value_at(p, v)->op;
    for (uint32_t i = 0; i < gw_op_at(p, op)->operands; i++) {
        gw_value x = gw_operand(p, op, i);
        if (!needs[x].in_scope) gw_cut_edge(cut, repeated_node(v), needed_node(x), GW_CUT_NEVER);
    }
}

/* What is asked for and not needed disappears with all that it is made from: a record of it would only bind the
 * order of the loop's iterations until then. */
void gw_storage_choose(const gw_need *needs, const gw_func *p, bool *repeated) {
    gw_cut *cut = gw_cut_new(GW_CUT_FIRST + 2 * p->values.count);
    for (gw_value v = 1; v < p->values.count; v++)
        if (needs[v].known && !needs[v].in_scope) add_edges(cut, p, needs, v);
    gw_cut_solve(cut);
    for (gw_value v = 1; v < p->values.count; v++) {
        const gw_need *n = &needs[v];
        bool wanted = gw_cut_is_source_side(cut, repeated_node(v)) || (n->slot && !n->needed);
        repeated[v] = n->known && !n->in_scope && n->can_repeat && wanted &&
                      gw_takes(p->session, GW_OPTIONAL_REPEATED);
    }
    gw_cut_free(cut);
}
