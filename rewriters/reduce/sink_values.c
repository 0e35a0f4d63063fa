/*
 * sink_values.c - a part of the reduce pass: what is zero, or what it was before, unless a side of a branch was
 * taken is computed in that side.
 *
 *     g = 0;                                            h = before;
 *     if (valid) { ...; g = ...; }                      if (valid) { ...; g = ...;
 *     v = g * q;                              ->            v = g * q;
 *     h = before + v * w;                                   h = before + v * w; }
 *
 * Several instances of one computation that a thread makes behind one another (the pixels of a thread, a loop
 * that was written out) add up such sums. sink.c moves what ends in an addition to a cell; here the numbers go
 * on, as results of the branch. What is then left behind the branch is the last sum alone, and who asks when it
 * is zero (rewriters/accumulate/branches.c) finds the innermost condition.
 *
 * Requires and guarantees what sink.c does: a value that moves vanishes where the other side was taken, by the
 * same rules, or is the sum of a number that does not depend on the branch and of one that vanishes. So the
 * branch gives 0, or that number, there. Pure ops alone move, and questions that only these ask. It pays where
 * more is moved than is handed on, and where what is handed on leaves the side around the branch as it is: an
 * instance has a condition of its own. What straight code goes on to compute with is left to selections, and so
 * is all that stands in no loop (`project` of benchmarks/projection.cu: 0.81 ms, in the side 0.96).
 */
#include "rewriters/reduce/sink_private.h"

#include "analysis/facts/facts.h"
#include "analysis/ir/restructure.h"

#include <stdlib.h>

enum { MOST_EXITS = 16, LEAST_SAVED = 2 };

typedef struct values {
    gw_sink s;
    gw_value *base; /* by value: what a sum is where the side is not taken; 0: 0, or it does not move */
} values;

static bool is_question(const gw_func *f, gw_op op) {
    return gw_typeof(f, gw_op_at(f, op)->first_result) == GW_T_BOOL;
}

/* What op is on the other side, if that is a number that the branch does not make: before + what vanishes. */
static gw_value base_of(const values *v, gw_op op) {
    const gw_func *f = v->s.f;
    const uint16_t code = gw_op_at(f, op)->code;
    if (code != GW_OP_ADD && code != GW_OP_SUB) return 0;
    for (uint32_t i = 0; i < (code == GW_OP_ADD ? 2u : 1u); i++) {
        const gw_value x = gw_operand(f, op, i);
        if (!v->s.vanishes[gw_operand(f, op, 1 - i)] || v->s.vanishes[x]) continue;
        if (v->base[x]) return v->base[x];
        if (gw_sink_at_hand(&v->s, x)) return x;
    }
    return 0;
}

static void find_candidates(values *v) {
    gw_sink *s = &v->s;
    const gw_func *f = s->f;
    for (gw_op op = gw_next(f, s->branch); op && !gw_holds_barrier(f, op); op = gw_next(f, op)) {
        const gw_op_data *o = gw_op_at(f, op);
        if (!gw_sink_is_pure(f, op) || o->results != 1) continue;
        s->vanishes[o->first_result] = gw_sink_vanishes(s, op);
        if (!s->vanishes[o->first_result]) v->base[o->first_result] = base_of(v, op);
        s->moves[op] = s->vanishes[o->first_result] || v->base[o->first_result] || is_question(f, op);
    }
}

static bool must_stay(const gw_sink *s, gw_op op) {
    const gw_value made = gw_op_at(s->f, op)->first_result;
    if (is_question(s->f, op) && s->moved[made] != s->uses[made]) return true;
    for (uint32_t i = 0; i < gw_op_at(s->f, op)->operands; i++)
        if (!gw_sink_at_hand(s, gw_operand(s->f, op, i))) return true;
    return false;
}

/* The end of the region alone asks for the value, beside what moves. */
static bool is_handed_on(const gw_sink *s, gw_value v) {
    const gw_op end = gw_region_end(s->f, gw_op_at(s->f, s->branch)->parent);
    uint32_t uses = 0;
    for (uint32_t i = 0; i < gw_op_at(s->f, end)->operands; i++) uses += gw_operand(s->f, end, i) == v;
    return s->moved[v] + uses == s->uses[v];
}

static bool is_exit(const gw_sink *s, gw_op op) {
    const gw_value made = gw_op_at(s->f, op)->first_result;
    return s->moves[op] && s->moved[made] != s->uses[made];
}

/* Until nothing more has to stay; whether what moves is worth what is handed on. */
static bool settle(values *v) {
    gw_sink *s = &v->s;
    const gw_func *f = s->f;
    uint32_t exits = 0, ops = 0;
    for (bool changed = true; changed;) {
        changed = false;
        exits = ops = 0;
        gw_sink_count(s);
        for (gw_op op = gw_next(f, s->branch); op; op = gw_next(f, op)) {
            if (!s->moves[op]) continue;
            const bool stays = must_stay(s, op);
            changed |= stays;
            if (stays) s->moves[op] = s->vanishes[gw_op_at(f, op)->first_result] = false;
            else ops += !is_question(f, op), exits += is_exit(s, op);
        }
    }
    for (gw_op op = gw_next(f, s->branch); op; op = gw_next(f, op))
        if (is_exit(s, op) && !is_handed_on(s, gw_op_at(f, op)->first_result)) return false;
    return exits && exits <= MOST_EXITS && ops >= LEAST_SAVED * exits;
}

/* What others ask for becomes results of the branch; the new branch. */
static gw_op hand_on(values *v, const gw_value *out, uint32_t n) {
    gw_func *f = v->s.f;
    gw_value there[MOST_EXITS], yields[2][MOST_EXITS];
    gw_builder b = {f, gw_op_at(f, v->s.branch)->parent, v->s.branch, gw_op_at(f, v->s.branch)->loc};
    for (uint32_t i = 0; i < n; i++) {
        there[i] = v->base[out[i]] ? v->base[out[i]] : gw_real(&b, gw_typeof(f, out[i]), 0);
        yields[v->s.side][i] = out[i];
        yields[1 - v->s.side][i] = there[i];
    }
    const uint32_t before = gw_op_at(f, v->s.branch)->results;
    gw_op made = gw_if_rebuild(f, v->s.branch, NULL, yields[0], yields[1], n);
    gw_value_map map = {0};
    for (uint32_t i = 0; i < n; i++) {
        gw_value_at(f, gw_result(f, made, before + i))->name = gw_value_at(f, out[i])->name;
        gw_map_set(&map, out[i], gw_result(f, made, before + i));
    }
    gw_rename_from(f, gw_next(f, made), &map);
    gw_map_free(&map);
    return made;
}

static gw_op sink_into(gw_func *f, gw_op branch, uint32_t side) {
    values v = {.s = gw_sink_new(f, branch, side)};
    gw_value out[MOST_EXITS];
    uint32_t n = 0;
    v.base = gw_alloc((f->values.count + 1) * sizeof *v.base);
    find_candidates(&v);
    gw_sink_count_uses(&v.s);
    if (settle(&v)) {
        for (gw_op op = gw_next(f, branch); op; op = gw_next(f, op)) {
            if (!is_exit(&v.s, op)) continue;
            out[n++] = gw_op_at(f, op)->first_result;
            if (v.base[out[n - 1]]) gw_sink_ahead(&v.s, v.base[out[n - 1]]);
        }
        gw_sink_move(&v.s);
        branch = hand_on(&v, out, n);
    }
    free(v.base);
    gw_sink_free(&v.s);
    return branch;
}

void gw_sink_values(gw_func *f, gw_region r) {
    const gw_op around = gw_region_at(f, r)->parent;
    const bool side_of_branch =
        around && gw_op_at(f, around)->code == GW_OP_IF && gw_loop_around(f, around);
    for (gw_op op = gw_first(f, r); op; op = gw_next(f, op)) {
        const bool gives = gw_op_at(f, op)->code == GW_OP_IF && gw_op_at(f, op)->results;
        if (side_of_branch && gives && !gw_holds_barrier(f, op))
            for (uint32_t side = 0; side < 2; side++) op = sink_into(f, op, side);
        for (uint32_t i = 0; i < gw_op_at(f, op)->regions; i++) gw_sink_values(f, gw_op_at(f, op)->region[i]);
    }
}
