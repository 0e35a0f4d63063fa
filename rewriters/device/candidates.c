/*
 * candidates.c - the candidates pass: a warp that goes over a list asks first which entries can concern any of
 * its lanes.
 *
 *     for (j = last; j >= 0; --j) {              for (first = last; first >= 0; first -= 32) {
 *         adds = f(j, lane) < c;       becomes       // of 32 iterations, one a lane:
 *         if (any lane adds) { ... }                 least = that of f(first - lane, x), over all lanes' x;
 *     }                                              for (each lane with least < c) {
 *                                                        j = first - lane;
 *                                                        the body as it was
 *                                                    }
 *                                                }
 *
 * Most splats of a tile, bodies of a cell or edges of a box reach few of its warps: such an iteration costs a
 * test of all lanes, and here a thirty-second of a test of spans (span.c).
 *
 * Requires a counted loop that all lanes of the warp run side by side (bounds are the same in them, all come
 * there), going up or down by one, in which nothing is done but under a vote on whether any lane takes part,
 * and nothing is carried on if none does. The vote may stand under a condition that all lanes agree on (a bit
 * of a word, alike.c): then lanes ask for that first, and by spans for one of those iterations in which it
 * holds, since in others cells need not exist; where spans tell nothing, all of those are gone through.
 * Guarantees that every iteration in which a lane takes part runs,
 * once, in the order of before, with all lanes. Sound because an iteration that is left out would have changed
 * nothing, and what a lane reads to ask about it is what all lanes read without condition in that iteration,
 * which would have run: such cells exist, and are not changed while the loop runs. Iterations that lanes would
 * ask about which are not there (the last warp of a block) are all gone through. Loops that lanes leave one by
 * one: leaving.c.
 */
#include "analysis/facts/facts.h"
#include "analysis/ir/passes.h"
#include "analysis/ir/warp.h"
#include "rewriters/device/look_private.h"
#include "rewriters/formula/formula.h"
#include "rewriters/motion/motion.h"

enum { LANES = GW_LOOK_LANES };
static const double LEAST_TRIPS = GW_LOOK_LEAST_TRIPS;

typedef struct search {
    gw_func *f;
    const gw_uniform *uniform; /* of the function as it was */
    gw_op loop, vote;
    gw_op guard; /* around all that is done, on what all lanes agree on; or 0 */
    gw_value lanes;
    bool down;
    bool plain; /* nothing is known of the guarded iterations but their guard */
} search;

/* ---- which loops ---- */
static bool goes_by_one(search *s) {
    const gw_func *f = s->f;
    const gw_op_data *o = gw_op_at(f, s->loop);
    int64_t step = gw_loop_step(f, s->loop);
    if (o->flags & GW_OP_EXIT || gw_typeof(f, gw_operand(f, s->loop, 0)) != GW_T_I32) return false;
    s->down = step == -1 && (o->attr == GW_OP_GE || o->attr == GW_OP_GT);
    return s->down || (step == 1 && (o->attr == GW_OP_LT || o->attr == GW_OP_LE));
}

static bool runs_side_by_side(const search *s) {
    const gw_uniform *u = s->uniform;
    return u->region[gw_op_at(s->f, s->loop)->parent] <= GW_UNIFORM_WARP &&
           gw_uniform_control(u, s->loop) <= GW_UNIFORM_WARP;
}

/* The vote that the branch is about: whether any of the lanes that there are takes part. */
static gw_op vote_of(const gw_func *f, gw_op branch) {
    gw_op test = gw_value_at(f, gw_operand(f, branch, 0))->op;
    int64_t zero = 1;
    if (!test || gw_op_at(f, test)->code != GW_OP_NE || !gw_const_int(f, gw_operand(f, test, 1), &zero) ||
        zero != 0)
        return 0;
    gw_op vote = gw_made_by(f, gw_operand(f, test, 0), GW_OP_WARP);
    if (!vote) return 0;
    if (gw_op_at(f, vote)->attr != GW_WARP_ANY && gw_op_at(f, vote)->attr != GW_WARP_SAYING) return 0;
    gw_op mask = gw_value_at(f, gw_operand(f, vote, 0))->op;
    return mask && gw_op_at(f, mask)->code == GW_OP_WARP && gw_op_at(f, mask)->attr == GW_WARP_PRESENT ? vote
                                                                                                       : 0;
}

/* What is carried is what it was if nobody takes part. */
static bool keeps_what_is_carried(const search *s, gw_op branch) {
    const gw_func *f = s->f;
    gw_region body = gw_loop_body(f, s->loop);
    for (uint32_t i = 0; i < gw_loop_carried(f, s->loop); i++) {
        gw_value v = gw_yielded(f, body, i), own = gw_arg(f, body, 1 + i);
        if (s->guard && gw_value_at(f, v)->op == s->guard) {
            if (gw_arm_value(f, s->guard, 1, gw_value_at(f, v)->index) != own) return false;
            v = gw_arm_value(f, s->guard, 0, gw_value_at(f, v)->index);
        }
        if (gw_value_at(f, v)->op == branch) v = gw_arm_value(f, branch, 1, gw_value_at(f, v)->index);
        if (v != own) return false;
    }
    return true;
}

static bool is_idle(const gw_func *f, gw_region side) {
    for (gw_op op = gw_first(f, side), end = gw_region_end(f, side); op && op != end; op = gw_next(f, op))
        if (gw_op_rows[gw_op_at(f, op)->code].effect != GW_EFFECT_PURE) return false;
    return true;
}

/* The region in which all is done that the loop does. */
static gw_region work_of(const search *s) {
    return s->guard ? gw_op_at(s->f, s->guard)->region[0] : gw_loop_body(s->f, s->loop);
}

/* The one branch of the region, beside at most one vote; 0: something else is done. */
static gw_op only_branch(search *s, gw_region r, int *cost) {
    const gw_func *f = s->f;
    gw_op branch = 0;
    for (gw_op op = gw_first(f, r), end = gw_region_end(f, r); op && op != end; op = gw_next(f, op)) {
        const gw_op_data *o = gw_op_at(f, op);
        *cost += o->code == GW_OP_LOAD ? 0 : gw_cost_of_op(f, op);
        if (o->code == GW_OP_IF && !branch)
            branch = op;
        else if (o->code == GW_OP_WARP && !s->vote)
            s->vote = op;
        else if (o->code != GW_OP_LOAD && gw_op_rows[o->code].effect != GW_EFFECT_PURE)
            return 0;
    }
    return branch;
}

static bool is_guard(const search *s, gw_op branch) {
    const gw_value asked = gw_operand(s->f, branch, 0);
    return !s->vote && asked < s->uniform->f->values.count && s->uniform->value[asked] <= GW_UNIFORM_WARP &&
           is_idle(s->f, gw_op_at(s->f, branch)->region[1]);
}

static bool does_nothing_else(search *s) {
    const gw_func *f = s->f;
    int cost = 0;
    gw_op branch = only_branch(s, gw_loop_body(f, s->loop), &cost);
    if (branch && is_guard(s, branch)) {
        s->guard = branch;
        cost = 0;
        branch = only_branch(s, work_of(s), &cost);
    }
    if (!branch || !s->vote || vote_of(f, branch) != s->vote || cost < GW_LOOK_LEAST_COST) return false;
    s->lanes = gw_operand(f, s->vote, 0);
    return is_idle(f, gw_op_at(f, branch)->region[1]) && keeps_what_is_carried(s, branch) &&
           !gw_holds_record(f, s->loop) && !gw_holds_block_barrier(f, s->loop);
}

static bool qualifies(search *s) {
    int64_t lo, hi;
    const gw_func *f = s->f;
    if (gw_op_at(f, s->loop)->code != GW_OP_FOR || !goes_by_one(s) || !runs_side_by_side(s) ||
        !does_nothing_else(s))
        return false;
    return !gw_loop_ends(f, s->loop, &lo, &hi) || gw_cost_trips(f, s->loop) >= LEAST_TRIPS;
}

/* ---- the two loops ---- */
/* A loop from `first` and what the old one carries. */
static gw_look_loop open_loop(search *s, gw_builder *b, gw_value first, const char *name,
                              const gw_value *carried) {
    GW_VEC(gw_value) args = {0};
    const uint32_t count = gw_loop_carried(s->f, s->loop);
    for (uint32_t i = 0; i < count; i++)
        gw_push(&args, gw_loop_arg(s->f, s->loop, i));
    const gw_look_loop made = gw_look_open(b, first, name, carried, args.at, count);
    gw_vec_free(&args);
    return made;
}

static gw_value onward(const search *s, gw_builder *b, gw_value from, gw_value by) {
    return gw_binary(b, s->down ? GW_OP_SUB : GW_OP_ADD, from, gw_cast(b, GW_T_I32, by));
}

/* How many iterations come behind `first`. */
static gw_value count_behind(const search *s, gw_builder *b, gw_value first) {
    const gw_op_data o = *gw_op_at(s->f, s->loop);
    gw_value from = gw_cast(b, GW_T_U32, first), bound = gw_cast(b, GW_T_U32, gw_operand(s->f, s->loop, 1));
    gw_value behind = s->down ? gw_binary(b, GW_OP_SUB, from, bound) : gw_binary(b, GW_OP_SUB, bound, from);
    return o.attr == GW_OP_GT || o.attr == GW_OP_LT ? gw_binary(b, GW_OP_SUB, behind, gw_int(b, GW_T_U32, 1))
                                                    : behind;
}

/* Spans of the iteration that is asked about. */
static gw_spans spans_of(const search *s, const gw_region ways[2], gw_builder *b, gw_value asked) {
    return (gw_spans){.f = s->f,
                      .uniform = s->uniform,
                      .loop = s->loop,
                      .ways = ways,
                      .way_count = 2,
                      .index = gw_arg(s->f, gw_loop_body(s->f, s->loop), 0),
                      .lanes = s->lanes,
                      .iteration = asked,
                      .b = b};
}

/* Whether lanes may take part in the iteration `asked`, of which `holds`, or 0, says that it is one; 0: nothing
 * is known of it. */
static gw_value may_take_part(search *s, gw_builder *b, gw_value asked, gw_value holds) {
    const gw_region ways[] = {gw_loop_body(s->f, s->loop), work_of(s)};
    gw_spans spans = spans_of(s, ways, b, asked);
    gw_value may = gw_look_may(&spans, gw_span_possible(&spans, gw_operand(s->f, s->vote, 1), true), holds);
    gw_spans_free(&spans);
    return may;
}

/* Lanes for which the guard's condition does not hold ask about the first iteration for which it does. */
static gw_value find_guarded(search *s, gw_builder *b, gw_value first, gw_value asked, gw_value there) {
    gw_func *f = s->f;
    const gw_region ways[] = {gw_loop_body(f, s->loop), work_of(s)};
    gw_spans points = spans_of(s, ways, b, asked);
    gw_value holds = gw_span_possible(&points, gw_operand(f, s->guard, 0), true);
    gw_spans_free(&points);
    if (!holds || points.doubt) return 0;
    holds = gw_look_named(f, gw_binary(b, GW_OP_AND, there, holds), "holds");
    gw_value held = gw_look_saying(b, s->lanes, holds, "held"), zero = gw_int(b, GW_T_U32, 0);
    if (s->plain) return held;
    gw_value any = gw_binary(b, GW_OP_NE, held, zero);
    gw_op branch = gw_emit(b, GW_OP_IF, GW_T_VOID, 0, &any, 1);
    gw_value reached = gw_op_add_result(f, branch, GW_T_U32, gw_intern(f->session, "reached"));
    gw_builder in = {f, gw_region_new(f, branch), 0, b->loc}, out = {f, gw_region_new(f, branch), 0, b->loc};
    gw_value lowest = gw_binary(&in, GW_OP_SUB, gw_unary(&in, GW_OP_FFS, gw_cast(&in, GW_T_I32, held)),
                                gw_int(&in, GW_T_I32, 1));
    gw_value here = gw_look_named(f, gw_select(&in, holds, asked, onward(s, &in, first, lowest)), "asked");
    gw_value may = may_take_part(s, &in, here, holds);
    if (!may) return 0;
    gw_value said = gw_look_saying(&in, s->lanes, may, "reached");
    gw_yield(&in, &said, 1);
    gw_yield(&out, &zero, 1);
    return reached;
}

/* A bit for each of the 32 iterations from `first` on in which some lane may take part; 0: nothing is known of
 * any. */
static gw_value find_candidates(search *s, gw_builder *b, gw_value first, gw_value behind) {
    gw_func *f = s->f;
    gw_value lane = gw_look_lane(b), own = gw_binary(b, GW_OP_IMIN, lane, behind);
    gw_value asked = gw_look_named(f, onward(s, b, first, own), "asked"), said = 0;
    gw_look_named(f, behind, "left");
    gw_value there = gw_binary(b, GW_OP_LE, lane, behind);
    if (s->guard) {
        said = find_guarded(s, b, first, asked, there);
    } else {
        gw_value may = may_take_part(s, b, asked, there);
        said = may ? gw_look_saying(b, s->lanes, may, "reached") : 0;
    }
    return said ? gw_look_candidates(b, s->lanes, said, behind) : 0;
}

/* The old body, for each candidate. */
static gw_look_loop go_through(search *s, gw_look_loop *outer, gw_value first, gw_value candidates) {
    gw_func *f = s->f;
    const gw_op_data old = *gw_op_at(f, s->loop);
    GW_VEC(gw_value) values = {0};
    gw_value_map map = {0};
    for (uint32_t i = 0; i < old.results; i++)
        gw_push(&values, gw_arg(f, outer->in.region, 1 + i));
    gw_look_loop n = open_loop(s, &outer->in, candidates, "candidates", values.at);
    gw_value go_on = gw_look_any(&n.test), left = gw_arg(f, n.in.region, 0);
    gw_yield(&n.test, &go_on, 1);
    gw_value index = onward(s, &n.in, first, gw_look_bit(&n.in, left));
    gw_value_at(f, index)->name = gw_value_at(f, gw_arg(f, old.region[0], 0))->name;
    gw_map_set(&map, gw_arg(f, old.region[0], 0), index);
    for (uint32_t i = 0; i < old.results; i++)
        gw_map_set(&map, gw_arg(f, old.region[0], 1 + i), gw_arg(f, n.in.region, 1 + i));
    gw_op end = gw_region_end(f, old.region[0]);
    for (gw_op op = gw_first(f, old.region[0]), next; op != end; op = next) {
        next = gw_next(f, op);
        gw_op_move(f, op, n.in.region, 0);
    }
    values.count = 0;
    gw_push(&values, gw_look_rest(&n.in, left));
    for (uint32_t i = 0; i < old.results; i++)
        gw_push(&values, gw_operand(f, end, i));
    gw_yield(&n.in, values.at, values.count);
    gw_rename_from(f, gw_first(f, n.in.region), &map);
    gw_map_free(&map);
    gw_vec_free(&values);
    return n;
}

/* False: nothing is known of an iteration before it runs, and the function is not what it was. */
static bool rewrite(search *s) {
    gw_func *f = s->f;
    const gw_op_data old = *gw_op_at(f, s->loop);
    gw_builder b = {f, old.parent, s->loop, old.loc};
    GW_VEC(gw_value) values = {0};
    for (uint32_t i = 0; i < old.results; i++)
        gw_push(&values, gw_operand(f, s->loop, 3 + i));
    gw_look_loop outer = open_loop(s, &b, gw_operand(f, s->loop, 0), "first", values.at);
    gw_op_at(f, outer.op)->origin = old.origin;
    gw_op_at(f, outer.op)->note =
        gw_intern(f->session, "a warp asks by bounds over its lanes, one iteration a lane, in which of 32 any "
                              "lane may take part, and goes through those");
    gw_value go_on =
        gw_binary(&outer.test, (gw_opcode)old.attr, gw_arg(f, outer.test.region, 0), gw_operand(f, s->loop, 1));
    gw_yield(&outer.test, &go_on, 1);
    gw_value first = gw_arg(f, outer.in.region, 0), behind = count_behind(s, &outer.in, first);
    gw_value candidates = find_candidates(s, &outer.in, first, behind);
    if (candidates) {
        gw_look_loop inner = go_through(s, &outer, first, candidates);
        gw_value top = gw_binary(&outer.in, GW_OP_IMIN, behind, gw_int(&outer.in, GW_T_U32, LANES - 1));
        gw_value by = gw_binary(&outer.in, GW_OP_ADD, top, gw_int(&outer.in, GW_T_U32, 1));
        /* by an instruction of which nvcc knows that all lanes have its result: else it asks before each vote
         * who is there */
        values.count = 0;
        gw_push(&values, gw_look_most(&outer.in, s->lanes, onward(s, &outer.in, first, by)));
        for (uint32_t i = 0; i < old.results; i++)
            gw_push(&values, gw_result(f, inner.op, 1 + i));
        gw_yield(&outer.in, values.at, values.count);
        gw_value_map map = {0};
        for (uint32_t i = 0; i < old.results; i++)
            gw_map_set(&map, gw_result(f, s->loop, i), gw_result(f, outer.op, 1 + i));
        gw_op_remove(f, s->loop);
        gw_replace_many(f, &map);
        gw_map_free(&map);
    }
    gw_vec_free(&values);
    return candidates != 0;
}

/* Rewrites a copy of f, and f becomes that if something is known of the loop's iterations. */
static bool try_to_rewrite(gw_func *f, search s) {
    gw_func *work = gw_func_copy(f);
    s.f = work;
    const bool done = rewrite(&s);
    if (done) gw_func_take(f, work);
    gw_func_free(work);
    return done;
}

static void search_loops(gw_func *f) {
    gw_func *before = gw_func_copy(f);
    gw_uniform u;
    gw_uniform_new(&u, before);
    for (gw_op op = 1; op < before->ops.count; op++) {
        search s = {.f = f, .uniform = &u, .loop = op};
        if (gw_op_at(before, op)->dead || gw_op_at(f, op)->dead || !qualifies(&s)) continue;
        if (try_to_rewrite(f, s) || !s.guard) continue;
        s.plain = true;
        try_to_rewrite(f, s);
    }
    gw_uniform_free(&u);
    gw_func_free(before);
}

bool gw_pass_candidates(gw_run *run) {
    for (uint32_t i = 0; i < run->session->funcs.count; i++) {
        gw_func *f = run->session->funcs.at[i];
        if (f->kind != GW_FUNC_KERNEL) continue;
        if (f->form == GW_FORM_GRAD || f->form == GW_FORM_BWD) search_loops(f);
        if (f->form == GW_FORM_GRAD || f->form == GW_FORM_FWD) gw_look_leaving(f);
    }
    return true;
}
