/*
 * gather.c - the gather pass: additions to adjoint cells that threads of a block share, turned from scatter
 * into gather.
 *
 * In the reverse of a product of tiles, `acc += a[ty][q] * b[q][tx]`, thread (ty, tx) adds to d_a[ty][q] for
 * every q: all threads of a row add to the same cells. The pairs (thread of the row, q) fill a square, in which
 * the cell depends on q only. So the pass turns the square: thread (ty, tx) takes the iterations q = tx, tx +
 * T, ... for all T threads of its row and adds their sum to the cell, once. What it needs of another thread is
 * read again from shared or read-only memory with that thread's place in the index, or was left by that thread
 * in a shared array before (gather/stage.c).
 *
 * Requires a kernel's gradient before ownership, with blocks of known length (gather/block.c; the launch is
 * checked). Guarantees that each cell gets the same sum, by fewer additions, in an order that does not change
 * from run to run, and leaves to ownership whether they can be plain: as each cell then has one thread of the
 * axis, mostly they can.
 *
 * Why that is sound. The additions that are taken out are those of all threads along the axis in all iterations
 * of a loop. All of them run it, with the same bounds (it stands in control that is uniform in the block, as do
 * its bounds, and it has no exit), so they are the pairs of [0, T) and the loop's range. The new loops run over
 * the same pairs, each once: for each q there is one thread with q = lo + step*(threadIdx + T*r). The value of
 * a pair is a pure function of the loop's index, of what is the same along the axis, of what the other thread
 * left in an array before a barrier, and of cells that nobody stores to between the barriers around the loop;
 * its address is the same along the axis; both exist, as the pair was run before. Between these barriers
 * nothing but additions reaches the object, so that theirs may be later than they were and come from another
 * thread. The new additions name no origin: what the primal's race-freedom says of its threads' cells
 * (ownership/premise.c) does not hold for them, and ownership proves them by their index.
 */
#include "analysis/facts/facts.h"
#include "analysis/ir/rungs.h"
#include "rewriters/gather/gather_private.h"

#include "analysis/clean/clean.h"
#include "rewriters/gather/grid_private.h"
#include "rewriters/gather/shift_private.h"
#include "analysis/ir/passes.h"
#include "analysis/ownership/ownership.h"
#include "analysis/ir/restructure.h"
#include "rewriters/formula/formula.h"
#include "analysis/ir/optional.h"

#include <stdlib.h>

/* A loop so short that most threads would have no iteration is left to reductions over the block. */
enum { FEWEST_IN_EIGHT = 1, MOST_ROUNDS = 64 };

static void look(gw_gather *g) {
    gw_uniform_new(&g->uniform, g->f);
    gw_intervals_new(&g->intervals, g->f);
}

static void look_away(gw_gather *g) {
    gw_uniform_free(&g->uniform);
    gw_intervals_free(&g->intervals);
}

static bool is_block_uniform(const gw_gather *g, gw_op loop) {
    return g->uniform.region[gw_op_at(g->f, loop)->parent] <= GW_UNIFORM_BLOCK &&
           gw_uniform_control(&g->uniform, loop) <= GW_UNIFORM_BLOCK;
}

static bool is_long_enough(const gw_gather *g, gw_op loop, unsigned axis) {
    int64_t low, high, step = gw_loop_step(g->f, loop);
    if (!step || !gw_loop_ends(g->f, loop, &low, &high)) return true;
    int64_t trips = (high - low) / step;
    return (trips < 0 ? -trips : trips) * 8 >= (int64_t)g->most[axis] * FEWEST_IN_EIGHT;
}

static bool can_turn(const gw_gather *g, gw_op loop) {
    const gw_op_data *o = gw_op_at(g->f, loop);
    int64_t step;
    if (o->code != GW_OP_FOR || (o->flags & GW_OP_EXIT) || o->attr == GW_OP_NE || gw_holds_barrier(g->f, loop))
        return false;
    gw_type type = gw_typeof(g->f, gw_operand(g->f, loop, 0));
    if (!gw_type_is_signed(type) || gw_type_bits(type) < 32) return false;
    return gw_const_int(g->f, gw_operand(g->f, loop, 2), &step) && is_block_uniform(g, loop);
}

/* The first loop of the region with additions that are gathered over the axis; true if one was turned. */
static bool turn_first(gw_gather *g, gw_region r, unsigned axis) {
    gw_func *f = g->f;
    for (gw_op op = gw_first(f, r); op; op = gw_next(f, op)) {
        for (uint32_t i = 0; i < gw_op_at(f, op)->regions; i++)
            if (turn_first(g, gw_op_at(f, op)->region[i], axis)) return true;
        if (!can_turn(g, op) || !is_long_enough(g, op, axis)) continue;
        gw_turn t = {.g = g, .loop = op, .axis = axis};
        bool found = gw_gather_slice(&t) && gw_gather_has_room(&t) &&
                     gw_takes(f->session, GW_OPTIONAL_GATHER_BLOCK);
        if (found) {
            gw_gather_note_rows(&t);
            gw_gather_make(&t);
        }
        gw_gather_slice_free(&t);
        if (found) return true;
    }
    return false;
}

static bool turn_one(gw_gather *g) {
    bool turned = false;
    look(g);
    for (unsigned axis = 0; axis < 3 && !turned; axis++)
        if (g->most[axis] > 1) turned = turn_first(g, g->f->entry, axis);
    look_away(g);
    return turned;
}

static void turn_all(gw_func *f) {
    gw_gather g = {.f = f};
    bool any = false;
    gw_gather_lengths(&g);
    bool known = g.most[0] && g.most[1] && g.most[2];
    for (int round = 0; round < MOST_ROUNDS && known && turn_one(&g); round++) any = true;
    if (any) gw_clean(f);
    gw_gather_spread_rows(&g);
    gw_vec_free(&g.staged);
    gw_vec_free(&g.rows);
}

/* ---- kernels of their own ---- */
static bool may_have_kernels(const gw_func *f) {
    return !f->template_head && !gw_is_split(f) && !f->primal->packed.count;
}

static void add_kernel(gw_func *f, gw_func *kernel) {
    gw_push(&f->session->funcs, kernel);
    f->has_gathers = true;
}

/* The launch is checked for how many threads it has, and nothing else. */
static bool asks_for_threads(const gw_ownership *w, uint64_t assumed) {
    bool only = true;
    for (uint32_t i = 0; i < w->n->assumptions.count; i++) {
        const gw_poly *p = &w->n->assumptions.at[i];
        for (uint32_t k = 0; k < p->count && (assumed >> (GW_ASSUME_LENGTHS + i) & 1); k++)
            for (uint32_t a = 0; a < p->term[k].factors; a++)
                only &= gw_atom_at(w->n, p->term[k].factor[a])->kind == GW_ATOM_SPECIAL;
    }
    return only;
}

/* Each addition to the object has one thread a cell; `freely`: without another check of the launch's
 * parameters. */
static bool are_owned(gw_func *f, gw_object o, bool freely) {
    gw_ownership w;
    gw_verdict verdict = {.owned = true};
    gw_ownership_start(&w, f);
    w.by_rules = true;
    gw_ownership_look_at(&w, o);
    for (uint32_t i = 0; i < w.refs.count && verdict.owned; i++) {
        gw_ownership_judge(&w, i, &verdict);
        verdict.owned = verdict.owned && (!freely || asks_for_threads(&w, verdict.assumed));
    }
    gw_ownership_end(&w);
    return verdict.owned;
}

static bool are_additions_owned(gw_func *f, const gw_shift *s) {
    gw_ownership w;
    bool owned = true;
    gw_ownership_start(&w, f);
    w.by_rules = true;
    for (uint32_t i = 0; i < s->adds.count && owned; i++) owned = gw_ownership_would_own(&w, s->adds.at[i].add);
    gw_ownership_end(&w);
    return owned;
}

/* Additions of neighbouring threads, a kernel for each object; it is made only if ownership will prove all of
 * it. */
static void turn_shifts(gw_func *f, uint32_t *kernels) {
    uint32_t before = *kernels;
    for (gw_object o = 1; o < f->objects.count && may_have_kernels(f); o++) {
        gw_shift s;
        gw_func *made = NULL;
        if (gw_shift_find(&s, f, o) && !are_additions_owned(f, &s)) made = gw_shift_make(&s, *kernels + 1);
        if (made) gw_clean(made);
        if (made && are_owned(made, o, false) && gw_takes(f->session, GW_OPTIONAL_GATHER_SHIFT)) {
            for (uint32_t i = 0; i < s.adds.count; i++) gw_op_remove(f, s.adds.at[i].add);
            add_kernel(f, made);
            ++*kernels;
        } else if (made) {
            gw_func_free(made);
        }
        gw_shift_free(&s);
    }
    if (*kernels > before) gw_clean(f);
}

/* Each cell one thread's, if that can be proved; else, what has no fixed order. What is in no fixed order
 * anyway is not worth a refused launch. */
static gw_func *make_over_grid(gw_grid_turn *t, uint32_t number) {
    bool fixed = t->f->session->options.deterministic;
    gw_func *made = gw_grid_tells_cell(t) ? gw_grid_make(t, number, true) : NULL;
    if (made) gw_clean(made);
    if (made && !are_owned(made, gw_op_at(t->f, t->add)->object, !fixed)) {
        gw_func_free(made);
        made = NULL;
    }
    return made || fixed ? made : gw_grid_make(t, number, false);
}

/* Additions of many blocks, each by a kernel of its own. */
static void turn_over_grid(gw_func *f, uint32_t *kernels) {
    uint32_t before = *kernels;
    bool flat = gw_gather_is_unused(f, 1) && gw_gather_is_unused(f, 2);
    for (gw_op op = 1; op < f->ops.count && flat && may_have_kernels(f); op++) {
        gw_grid_turn t;
        if (gw_op_at(f, op)->dead || gw_op_at(f, op)->code != GW_OP_ACCUM || !gw_gather_may(f, op)) continue;
        bool found = gw_grid_find(&t, f, op) && gw_takes(f->session, GW_OPTIONAL_GATHER_GRID);
        gw_func *made = found ? make_over_grid(&t, *kernels + 1) : NULL;
        gw_grid_free(&t);
        if (!made) continue;
        add_kernel(f, made);
        ++*kernels;
        gw_op_remove(f, op);
    }
    if (*kernels == before) return;
    for (unsigned axis = 1; axis < 3; axis++) f->block_least[axis] = f->block_most[axis] = 1;
    gw_clean(f);
}

bool gw_pass_gather(gw_run *run) {
    gw_session *s = run->session;
    uint32_t count = s->funcs.count; /* kernels are added behind */
    bool wanted = s->options.accumulate == GW_RUNG_AUTO || s->options.accumulate == GW_RUNG_GATHER;
    for (uint32_t i = 0; i < count; i++) {
        gw_func *f = s->funcs.at[i];
        if (f->kind != GW_FUNC_KERNEL || f->form != GW_FORM_GRAD) continue;
        if (!wanted && !gw_asked_anywhere(f, GW_RUNG_AUTO) && !gw_asked_anywhere(f, GW_RUNG_GATHER)) continue;
        turn_all(f);
        uint32_t kernels = 0;
        turn_shifts(f, &kernels);
        turn_over_grid(f, &kernels);
        if (wanted && may_have_kernels(f)) gw_gather_behind(f);
    }
    return true;
}
