/*
 * sink.c - a part of the reduce pass: what is zero unless a side of a branch was taken moves into that side.
 *
 *     if (c) { ...; g = ...; } else g = 0;           if (c) { ...; g = ...;
 *     h = g * q;                                               h = g * q;
 *     d_x[i] += h;                            ->               d_x[i] += h; }
 *
 * The reverse of `if (skipped) continue;` ends so: what stands in front of it in the iteration has adjoints of
 * zero where it was taken, and adding them would cost as much as adding others, atomics included.
 *
 * A value vanishes if it is zero where the other side was taken: a result that is 0 there, products with such a
 * value, sums of two. (Where a factor is infinite the product was NaN; what moves is no longer added then.)
 * Moved are additions of vanishing values to adjoint cells, loops and branches that do nothing else, and the
 * vanishing values that only these use; pure ops that they need besides go in front of the branch. Sound since
 * additions commute: between the branch and the addition nothing else accesses the object, what is loaded for
 * it is not stored to, and no threads meet. The addition then runs under more conditions than before, never
 * under others.
 */
#include "rewriters/reduce/sink_private.h"

#include "analysis/facts/facts.h"
#include "analysis/ir/restructure.h"
#include "analysis/ir/rungs.h"

#include <stdlib.h>

typedef gw_sink sink;

bool gw_sink_is_pure(const gw_func *f, gw_op op) {
    return gw_op_rows[gw_op_at(f, op)->code].effect == GW_EFFECT_PURE && !gw_op_at(f, op)->regions;
}

/* ---- what vanishes ---- */
static bool gone(const sink *s, gw_op op, uint32_t i) {
    gw_value v = gw_operand(s->f, op, i);
    return s->vanishes[v] || gw_is_zero(s->f, v);
}

bool gw_sink_vanishes(const sink *s, gw_op op) {
    switch (gw_op_at(s->f, op)->code) {
    case GW_OP_MUL: return gone(s, op, 0) || gone(s, op, 1);
    case GW_OP_ADD:
    case GW_OP_SUB: return gone(s, op, 0) && gone(s, op, 1);
    case GW_OP_SELECT: return gone(s, op, 1) && gone(s, op, 2);
    case GW_OP_DIV:
    case GW_OP_NEG: return gone(s, op, 0);
    case GW_OP_CAST: return gw_type_is_float(gw_typeof(s->f, gw_operand(s->f, op, 0))) && gone(s, op, 0);
    default: return false;
    }
}

/* To where `access`, of the op `to` behind the branch, moves. */
static bool is_free_way(const sink *s, gw_op to, gw_op access) {
    const gw_object object = gw_op_at(s->f, access)->object;
    const bool adds = gw_op_at(s->f, access)->code == GW_OP_ACCUM;
    for (gw_op op = gw_next(s->f, s->branch); op != to; op = gw_next(s->f, op))
        for (gw_op in = op; in; in = gw_walk_op(s->f, in, op))
            if (!gw_op_at(s->f, in)->regions && (!adds || gw_op_at(s->f, in)->code != GW_OP_ACCUM) &&
                gw_touches(s->f, in, object, adds ? GW_TOUCH_READ | GW_TOUCH_WRITE : GW_TOUCH_WRITE))
                return false;
    return true;
}

static bool is_part(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    return (o->code == GW_OP_FOR || o->code == GW_OP_IF) && !o->results && !(o->flags & GW_OP_EXIT);
}

/* Threads add to different cells of shared memory: barriers can order that where all come, and make each cell
 * one thread's (rewriters/device/phases.c). */
static bool may_be_ordered(const gw_func *f, gw_op add) {
    gw_uniform u;
    bool differs = false;
    if (gw_object_at(f, gw_op_at(f, add)->object)->kind != GW_OBJECT_SHARED) return false;
    gw_uniform_new(&u, f);
    for (uint32_t i = 0; i + 1 < gw_op_at(f, add)->operands; i++)
        differs |= u.value[gw_operand(f, add, i)] > GW_UNIFORM_BLOCK;
    gw_uniform_free(&u);
    return differs;
}

/* A loop or branch that does nothing but add what vanishes. */
static bool part_vanishes(const sink *s, gw_op part) {
    const gw_func *f = s->f;
    bool any = false;
    if (!is_part(f, part) || f->session->options.deterministic) return false; /* blocks sum what all come to */
    for (gw_op op = gw_walk_op(f, part, part); op; op = gw_walk_op(f, op, part)) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->code == GW_OP_YIELD || is_part(f, op)) continue;
        const bool adds = o->code == GW_OP_ACCUM && s->vanishes[gw_operand(f, op, o->operands - 1)] &&
                          gw_asked_rung_at(f, op) == GW_RUNG_AUTO; /* others may need all threads */
        const bool loads = o->code == GW_OP_LOAD;
        if ((adds || loads) ? !is_free_way(s, part, op) : !gw_sink_is_pure(f, op)) return false;
        if (adds && may_be_ordered(f, op)) return false;
        if (o->results == 1) s->vanishes[o->first_result] = gw_sink_vanishes(s, op);
        any |= adds;
    }
    return any;
}

static bool is_addition(const sink *s, gw_op op) {
    return gw_op_at(s->f, op)->code == GW_OP_ACCUM || is_part(s->f, op);
}

/* Ops that could move if all they need and all that needs them does; false if there is no addition among
 * them. */
static bool find_candidates(sink *s) {
    gw_func *f = s->f;
    bool any = false;
    for (gw_op op = gw_next(f, s->branch); op && !gw_holds_barrier(f, op); op = gw_next(f, op)) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->code == GW_OP_ACCUM)
            s->moves[op] = s->vanishes[gw_operand(f, op, o->operands - 1)] && is_free_way(s, op, op);
        else if (part_vanishes(s, op))
            s->moves[op] = true;
        else if (gw_sink_is_pure(f, op) && o->results == 1 && gw_sink_vanishes(s, op))
            s->moves[op] = s->vanishes[o->first_result] = true;
        else if (gw_sink_is_pure(f, op) && o->results == 1 && gw_typeof(f, o->first_result) == GW_T_BOOL)
            s->moves[op] = true; /* a question that what moves alone asks */
        any |= is_addition(s, op) && s->moves[op];
    }
    return any;
}

/* ---- what may move ---- */
static bool stands_behind(const sink *s, gw_op op) {
    for (gw_op at = gw_next(s->f, s->branch); at; at = gw_next(s->f, at))
        if (at == op) return true;
    return false;
}

bool gw_sink_at_hand(const sink *s, gw_value v) {
    const gw_func *f = s->f;
    gw_op op = gw_value_at(f, v)->op;
    if (!op || op == s->branch) return !op || s->vanishes[v];
    if (gw_op_at(f, op)->parent != gw_op_at(f, s->branch)->parent || !stands_behind(s, op)) return true;
    if (s->moves[op]) return true;
    if (!gw_sink_is_pure(f, op)) return false;
    for (uint32_t i = 0; i < gw_op_at(f, op)->operands; i++) {
        const gw_value x = gw_operand(f, op, i);
        gw_op from = gw_value_at(f, x)->op;
        if (from == s->branch || (from && s->moves[from]) || !gw_sink_at_hand(s, x)) return false;
    }
    return true;
}

void gw_sink_count(sink *s) {
    gw_func *f = s->f;
    for (gw_op op = gw_next(f, s->branch); op; op = gw_next(f, op))
        for (gw_op in = op; in; in = gw_walk_op(f, in, op))
            for (uint32_t i = 0; i < gw_op_at(f, in)->operands; i++) s->moved[gw_operand(f, in, i)] = 0;
    for (gw_op op = gw_next(f, s->branch); op; op = gw_next(f, op))
        for (gw_op in = s->moves[op] ? op : 0; in; in = gw_walk_op(f, in, op))
            for (uint32_t i = 0; i < gw_op_at(f, in)->operands; i++)
                s->moved[gw_operand(f, in, i)]++;
}

static bool must_stay(const sink *s, gw_op op) {
    const gw_op_data *o = gw_op_at(s->f, op);
    if (!is_addition(s, op) && s->moved[o->first_result] != s->uses[o->first_result]) return true;
    for (gw_op in = op; in; in = gw_walk_op(s->f, in, op))
        for (uint32_t i = 0; i < gw_op_at(s->f, in)->operands; i++)
            if (!gw_sink_at_hand(s, gw_operand(s->f, in, i))) return true;
    return false;
}

/* Until nothing more has to stay; says whether an addition is left that moves. */
static bool settle(sink *s) {
    bool changed = true, any = false;
    while (changed) {
        changed = any = false;
        gw_sink_count(s);
        for (gw_op op = gw_next(s->f, s->branch); op; op = gw_next(s->f, op)) {
            if (!s->moves[op]) continue;
            if (must_stay(s, op)) s->moves[op] = false, changed = true;
            else any |= is_addition(s, op);
        }
    }
    return any;
}

/* ---- the move ---- */
void gw_sink_ahead(sink *s, gw_value v) {
    gw_func *f = s->f;
    gw_op op = gw_value_at(f, v)->op;
    if (!op || op == s->branch || s->moves[op] || !stands_behind(s, op)) return;
    for (uint32_t i = 0; i < gw_op_at(f, op)->operands; i++) gw_sink_ahead(s, gw_operand(f, op, i));
    gw_op_move(f, op, gw_op_at(f, s->branch)->parent, s->branch);
}

void gw_sink_move(sink *s) {
    gw_func *f = s->f;
    gw_region to = gw_op_at(f, s->branch)->region[s->side];
    gw_op end = gw_region_end(f, to);
    for (gw_op op = gw_next(f, s->branch), next; op; op = next) {
        next = gw_next(f, op);
        if (!s->moves[op]) continue;
        for (gw_op in = op; in; in = gw_walk_op(f, in, op))
            for (uint32_t i = 0; i < gw_op_at(f, in)->operands; i++) {
                gw_value v = gw_operand(f, in, i);
                gw_sink_ahead(s, v);
                if (gw_value_at(f, v)->op == s->branch)
                    gw_set_operand(f, in, i, gw_operand(f, end, gw_value_at(f, v)->index));
            }
        next = gw_next(f, op); /* what went ahead may have been it */
        gw_op_move(f, op, to, end);
    }
}

/* Results that nobody reads any more are 0 on both sides, so that what made them may move on. */
static void drop_results(const sink *s) {
    gw_func *f = s->f;
    gw_op end = gw_region_end(f, gw_op_at(f, s->branch)->region[s->side]);
    gw_builder b = {f, gw_op_at(f, s->branch)->parent, s->branch, gw_op_at(f, s->branch)->loc};
    for (uint32_t k = 0; k < gw_op_at(f, s->branch)->results; k++) {
        gw_value v = gw_result(f, s->branch, k);
        if (s->vanishes[v] && s->moved[v] == s->uses[v])
            gw_set_operand(f, end, k, gw_real(&b, gw_typeof(f, v), 0));
    }
}

gw_sink gw_sink_new(gw_func *f, gw_op branch, uint32_t side) {
    sink s = {.f = f, .branch = branch, .side = side};
    s.vanishes = gw_alloc(f->values.count + 1);
    s.moves = gw_alloc(f->ops.count + 1);
    s.uses = gw_alloc((f->values.count + 1) * sizeof *s.uses);
    s.moved = gw_alloc((f->values.count + 1) * sizeof *s.moved);
    for (uint32_t k = 0; k < gw_op_at(f, branch)->results; k++) {
        gw_region other = gw_op_at(f, branch)->region[1 - side];
        s.vanishes[gw_result(f, branch, k)] = gw_is_zero(f, gw_yielded(f, other, k));
    }
    return s;
}

void gw_sink_free(gw_sink *s) {
    free(s->vanishes);
    free(s->moves);
    free(s->uses);
    free(s->moved);
}

void gw_sink_count_uses(gw_sink *s) {
    const gw_func *f = s->f;
    for (gw_op op = 1; op < f->ops.count; op++)
        for (uint32_t i = 0; !gw_op_at(f, op)->dead && i < gw_op_at(f, op)->operands; i++)
            s->uses[gw_operand(f, op, i)]++;
}

static bool sink_into(gw_func *f, gw_op branch, uint32_t side) {
    sink s = gw_sink_new(f, branch, side);
    bool found = find_candidates(&s);
    if (found) gw_sink_count_uses(&s);
    found = found && settle(&s);
    if (found) {
        gw_sink_move(&s);
        drop_results(&s);
    }
    gw_sink_free(&s);
    return found;
}

void gw_sink_additions(gw_func *f, gw_region r) {
    for (gw_op op = gw_first(f, r); op; op = gw_next(f, op)) {
        if (gw_op_at(f, op)->code == GW_OP_IF && gw_op_at(f, op)->results && !gw_holds_barrier(f, op))
            for (uint32_t side = 0; side < 2 && !sink_into(f, op, side); side++) continue;
        for (uint32_t i = 0; i < gw_op_at(f, op)->regions; i++)
            gw_sink_additions(f, gw_op_at(f, op)->region[i]);
    }
}
