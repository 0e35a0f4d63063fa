/*
 * first.c - accesses that no other one comes before, in any thread, or that none comes after: each of their
 * executions is the first, or the last, of all that reach its cell (contract: ownership.h). Where it is the
 * first an adjoint that is new need not be read; where a zeroing is the last, a seed may be kept.
 *
 *     for (i = first; i < n; i += step) d_x[i] += v;         a cell an iteration: first
 *     d_x[i] += v;  if (more) d_x[i] += u;                   the second is not
 *     for (k = 0; k < 3; k++) d_x[i] += v[k];                nor is this
 *
 * A is first, of the accesses that reach the object, if
 *   - executions of A at one cell are one: of one thread, in one iteration of each loop around it
 *     (position.c);
 *   - no other access B comes to a cell of A's in another thread, whatever barriers stand between them
 *     (disjoint.c: race-freedom of the primal does not say it, since it knows barriers);
 *   - in A's own thread, B reaches other cells than A, or comes behind A, in each run of the kernel: it stands
 *     behind A, and where loops are around both, both being at one cell means that they are in the same
 *     iteration of each of these loops.
 * For the last the third is turned round.
 */
#include "analysis/ownership/ownership.h"

#include "analysis/ir/query.h"
#include "analysis/ir/rungs.h"

#include <string.h>

enum { LOOPS_MOST = 8, INDICES_MOST = 2 };

/* ---- other threads ---- */
static bool is_alone(gw_ownership *w, gw_op add, uint64_t *assumed) {
    const uint32_t none = w->refs.count;
    uint32_t mine = none;
    for (uint32_t i = 0; i < w->refs.count; i++)
        if (w->refs.at[i] == add) mine = i;
    for (uint32_t i = 0; i < w->refs.count && mine != none; i++) {
        const gw_meeting *m = gw_ownership_meeting(w, mine, i);
        if (!m->disjoint) return false;
        *assumed |= m->assumed;
    }
    return mine != none;
}

/* ---- one thread ---- */
static gw_access access_of(gw_ownership *w, gw_op op, gw_number *index) {
    const uint32_t count = gw_index_count(w->f, op);
    gw_context *c = gw_normal_context(w->n, gw_op_at(w->f, op)->parent);
    for (uint32_t i = 0; i < count; i++)
        gw_normal_exact(w->n, c, gw_operand(w->f, op, i), &index[i]);
    return (gw_access){.context = c, .index = index, .count = count, .op = op};
}

static bool never_in_one_run(const gw_func *f, gw_op a, gw_op b) {
    const gw_region common = gw_common_region(f, a, b);
    return gw_holder(f, a, common) == gw_holder(f, b, common); /* sides of one branch */
}

/* Both at one cell are in the same iteration of each loop around both. */
static bool in_one_iteration(gw_ownership *w, const gw_access *a, const gw_access *b, uint64_t *assumed) {
    const gw_func *f = w->f;
    const gw_region common = gw_common_region(f, a->op, b->op);
    gw_number loops[LOOPS_MOST];
    uint32_t count = 0;
    for (gw_op at = gw_region_at(f, common)->parent; at; at = gw_op_around(f, at)) {
        if (!gw_is_loop(f, at)) continue;
        if (gw_op_at(f, at)->code != GW_OP_FOR || count == LOOPS_MOST) return false;
        gw_normal_exact(w->n, gw_normal_context(w->n, common), gw_arg(f, gw_loop_body(f, at), 0),
                        &loops[count++]);
    }
    gw_meeting m;
    if (!count) return true;
    if (!gw_meeting_agrees(w->n, a, b, loops, count, &m)) return false;
    *assumed |= m.assumed;
    return true;
}

static bool comes_first(gw_ownership *w, gw_op a, gw_op b, uint64_t *assumed) {
    const gw_func *f = w->f;
    gw_number of_a[INDICES_MOST], of_b[INDICES_MOST];
    if (gw_ownership_other_fields(f, a, b)) return true;
    if (gw_op_at(f, a)->path != gw_op_at(f, b)->path) return false;
    const gw_access at_a = access_of(w, a, of_a), at_b = access_of(w, b, of_b);
    if (!in_one_iteration(w, &at_a, &at_b, assumed)) return false;
    return gw_comes_before(f, a, b) || never_in_one_run(f, a, b) ||
           gw_cells_differ(w->n, &at_a, &at_b, assumed);
}

static bool is_access(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    return (o->code == GW_OP_ACCUM || o->code == GW_OP_LOAD || o->code == GW_OP_STORE) &&
           gw_index_count(f, op) <= (gw_cell_behind_pointer(f, o->object, o->path) ? 1 : INDICES_MOST);
}

/* All that may reach the op's cells are accesses of one cell each; `added`: and additions. */
static bool is_known(const gw_func *f, gw_op of, bool added) {
    const gw_object object = gw_op_at(f, of)->object;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead || o->object != object || gw_ownership_other_fields(f, op, of)) continue;
        if (!is_access(f, op) || (added && o->code != GW_OP_ACCUM)) return false;
    }
    return true;
}

static bool is_at_end(gw_ownership *w, gw_op op, bool first) {
    const gw_object object = gw_op_at(w->f, op)->object;
    const uint32_t count = gw_index_count(w->f, op);
    gw_value index[INDICES_MOST];
    uint64_t assumed = 0;
    if (gw_op_at(w->f, op)->attr != GW_ACCUMULATE_PLAIN || !is_known(w->f, op, first)) return false;
    for (uint32_t i = 0; i < count; i++)
        index[i] = gw_operand(w->f, op, i);
    gw_ownership_look_at(w, object);
    if (!is_alone(w, op, &assumed)) return false;
    for (uint32_t i = 0; i < w->refs.count; i++) {
        const gw_op other = w->refs.at[i];
        if (other != op && !comes_first(w, first ? op : other, first ? other : op, &assumed)) return false;
    }
    if (!gw_position_tells_thread(w, op, index, count, object)) return false;
    for (uint32_t bit = 0; bit < 64; bit++)
        if ((assumed & ~w->assumed) >> bit & 1) w->assumed_for[bit] = object;
    w->assumed |= assumed;
    return true;
}

/* ---- where no thread waits for another ---- */
/* All that the primal does to such cells it does between the same two barriers, once: so if it is free of
 * races, one thread does it. */
static bool is_one_interval(const gw_func *p, gw_op of) {
    gw_intervals v;
    uint32_t begins = 0;
    gw_intervals_new(&v, p);
    const size_t bytes = v.words * sizeof *v.begin;
    const uint64_t *begin = v.begin + (size_t)of * v.words;
    for (uint32_t i = 0; i < 64 * v.words; i++)
        begins += begin[i / 64] >> i % 64 & 1;
    bool good = begins == 1;
    for (gw_op op = 1; op < p->ops.count && good; op++) {
        const gw_op_data *o = gw_op_at(p, op);
        if (o->dead) continue;
        good = o->code != GW_OP_SYNCWARP && o->code != GW_OP_ATOMIC &&
               (o->code != GW_OP_BARRIER || !gw_loop_around(p, op));
        if (o->object != gw_op_at(p, of)->object || gw_ownership_other_fields(p, op, of)) continue;
        good &= is_access(p, op) && memcmp(v.begin + (size_t)op * v.words, begin, bytes) == 0;
    }
    gw_intervals_free(&v);
    return good;
}

static bool is_zeroing(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    double x;
    return o->code == GW_OP_STORE && gw_const_real(f, gw_operand(f, op, o->operands - 1), &x) && x == 0;
}

/* Behind it are zeroings, if anything. */
static bool is_last_by_premise(const gw_func *f, gw_op last) {
    if (gw_op_at(f, last)->attr != GW_ACCUMULATE_PLAIN || gw_loop_around(f, last) ||
        !gw_ownership_alone_by_premise(f, last) || !is_one_interval(f->primal, gw_op_at(f, last)->origin))
        return false;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead || op == last || o->object != gw_op_at(f, last)->object ||
            gw_ownership_other_fields(f, op, last))
            continue;
        if (!is_access(f, op) || !gw_ownership_alone_by_premise(f, op) ||
            (!gw_comes_before(f, op, last) && !never_in_one_run(f, op, last) && !is_zeroing(f, op)))
            return false;
    }
    return true;
}

bool gw_ownership_is_first(gw_ownership *w, gw_op add) {
    return gw_op_at(w->f, add)->flags & GW_OP_ALONE || is_at_end(w, add, true);
}
bool gw_ownership_is_last(gw_ownership *w, gw_op op) {
    return is_last_by_premise(w->f, op) || is_at_end(w, op, false);
}
