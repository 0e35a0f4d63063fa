/*
 * collective/partial.c - the pass `partial`: what a collective gives, used by threads that do not have it.
 *
 * A sum over a block is defined in thread 0 alone, one over a warp in its first lane. The headers of
 * collectives say so by the op VALID: operand 0 is defined in threads whose rank, operand 1, is 0. Here its
 * value is followed through arithmetic, choices, loops and arrays of the thread's own, to what a thread does
 * with it: a store, an atomic operation, a branch or a loop. Where that is not proved to be done by thread 0
 * alone, it is a warning, since the conditions around may mean so all the same. A kernel counts the lanes of
 * warps in many ways, so there it is a warning where no condition around parts lanes; the rank is a remainder
 * then. A shuffle from the first lane hands the value to all. Behind the pass there are no such ops.
 */
#include "analysis/facts/facts.h"
#include "analysis/ir/diagnostics.h"
#include "analysis/ir/passes.h"
#include "analysis/ir/query.h"
#include "analysis/ir/warp.h"
#include "analysis/prove/prove.h"

#include <stdlib.h>

typedef struct trail {
    gw_func *f;
    gw_normal *n;
    const gw_uniform *uniform;
    gw_op valid;
    bool of_warp;
    bool *value, *object; /* reached */
    bool changed;
} trail;

static bool is_rank_zero(trail *t, gw_context *c) {
    gw_number rank;
    gw_poly none;
    uint64_t assumed = 0;
    gw_normal_exact(t->n, c, gw_operand(t->f, t->valid, 1), &rank);
    if (rank.bits) return false;
    none = rank.poly;
    gw_poly_scale(&none, -1);
    return gw_prove_nonnegative(t->n, &c->facts, &none, &assumed);
}

/* A condition that lanes of a warp may answer differently. */
static bool parts_lanes(const trail *t, gw_region r, gw_value condition) {
    bool parts = condition && t->uniform->value[condition] > GW_UNIFORM_WARP;
    for (gw_op around = gw_region_at(t->f, r)->parent; around && !parts; around = gw_op_around(t->f, around))
        parts = gw_op_at(t->f, around)->code == GW_OP_IF &&
                t->uniform->value[gw_operand(t->f, around, 0)] > GW_UNIFORM_WARP;
    return parts;
}

/* The first thread alone is where region r runs and, if there is one, the condition holds. For a collective of
 * a warp it is enough that lanes may part there. */
static bool is_of_first(trail *t, gw_region r, gw_value condition) {
    if (t->of_warp) return parts_lanes(t, r, condition);
    return is_rank_zero(t, condition ? gw_normal_under(t->n, r, condition) : gw_normal_context(t->n, r));
}

static void reach(trail *t, gw_value v) {
    t->changed |= !t->value[v];
    t->value[v] = true;
}

/* The value of the first lane, for all. */
static bool hands_on(const trail *t, gw_op op) {
    const gw_op_data *o = gw_op_at(t->f, op);
    int64_t lane;
    return o->code == GW_OP_WARP && (o->attr == GW_WARP_SHFL || o->attr == GW_WARP_TO_LANE) &&
           gw_const_int(t->f, gw_operand(t->f, op, 2), &lane) && lane == 0 && t->of_warp;
}

/* By operand 0 the result is another's where the first thread is not meant. */
static bool is_chosen_for_first(trail *t, gw_op op) {
    const gw_op_data *o = gw_op_at(t->f, op);
    if (o->code == GW_OP_SELECT && !t->value[gw_operand(t->f, op, 0)] && !t->value[gw_operand(t->f, op, 2)])
        return is_of_first(t, o->parent, gw_operand(t->f, op, 0));
    if (o->code != GW_OP_AND || gw_typeof(t->f, o->first_result) != GW_T_BOOL) return false;
    for (uint32_t i = 0; i < 2; i++)
        if (!t->value[gw_operand(t->f, op, i)] && is_of_first(t, o->parent, gw_operand(t->f, op, i)))
            return true;
    return false;
}

static bool has_reached(const trail *t, gw_op op) {
    for (uint32_t i = 0; i < gw_op_at(t->f, op)->operands; i++)
        if (t->value[gw_operand(t->f, op, i)]) return true;
    return false;
}

/* `s > 0 && threadIdx.x == 0`: whatever s is, it is false in the others. */
static bool is_false_in_others(trail *t, gw_region side, gw_value v) {
    int64_t constant;
    if (gw_const_int(t->f, v, &constant)) return constant == 0;
    return gw_typeof(t->f, v) == GW_T_BOOL && is_of_first(t, side, v);
}

static void follow_branch(trail *t, gw_op op) {
    const gw_op_data *o = gw_op_at(t->f, op);
    const bool steered = t->value[gw_operand(t->f, op, 0)];
    for (uint32_t i = 0; i < o->results; i++) {
        bool same = true, reached = false;
        for (uint32_t side = 0; side < 2; side++) {
            const gw_value v = gw_yielded(t->f, o->region[side], i);
            same &= is_false_in_others(t, o->region[side], v);
            reached |= t->value[v] && !is_of_first(t, o->region[side], 0);
        }
        if (reached || (steered && !same)) reach(t, gw_result(t->f, op, i));
    }
}

static void follow_loop(trail *t, gw_op op) {
    for (uint32_t i = 0; i < gw_op_at(t->f, op)->results; i++) {
        if (!t->value[gw_loop_init(t->f, op, i)] && !t->value[gw_loop_next(t->f, op, i)]) continue;
        reach(t, gw_loop_arg(t->f, op, i));
        reach(t, gw_result(t->f, op, i));
    }
}

static bool is_own(const trail *t, gw_op op) {
    return gw_object_at(t->f, gw_op_at(t->f, op)->object)->kind == GW_OBJECT_LOCAL;
}

static void follow(trail *t, gw_op op) {
    const gw_op_data *o = gw_op_at(t->f, op);
    if (o->code == GW_OP_IF) {
        follow_branch(t, op);
    } else if (gw_is_loop(t->f, op)) {
        follow_loop(t, op);
    } else if (o->code == GW_OP_STORE) {
        const bool more = is_own(t, op) && has_reached(t, op) && !t->object[o->object];
        t->changed |= more, t->object[o->object] |= more;
    } else if (o->results == 1 && !t->value[o->first_result]) {
        const bool loaded = o->code == GW_OP_LOAD && t->object[o->object];
        if ((loaded || has_reached(t, op)) && !hands_on(t, op) && !is_chosen_for_first(t, op))
            reach(t, o->first_result);
    }
}

/* It is seen by others. */
static bool is_seen(const trail *t, gw_op op) {
    const gw_op_data *o = gw_op_at(t->f, op);
    return (o->code == GW_OP_STORE && !is_own(t, op)) || o->code == GW_OP_ATOMIC || o->code == GW_OP_CALL ||
           o->code == GW_OP_BARRIER;
}

/* Another thread than the first may do something in it that is seen. */
static bool steers(trail *t, gw_op branch) {
    for (gw_op in = branch; in; in = gw_walk_op(t->f, in, branch))
        if (is_seen(t, in) && !is_of_first(t, gw_op_at(t->f, in)->parent, 0)) return true;
    return false;
}

/* A thread that does not have it does something with it that is seen, or goes by it. */
static bool is_use(trail *t, gw_op op) {
    const gw_op_data *o = gw_op_at(t->f, op);
    if (!has_reached(t, op) || is_of_first(t, o->parent, 0)) return false;
    if (o->code == GW_OP_IF) return steers(t, op);
    return is_seen(t, op) || gw_is_loop(t->f, op);
}

/* The first operation that other threads may do with what they do not have; 0: there is none. */
static gw_op find_use(trail *t) {
    t->value[gw_result(t->f, t->valid, 0)] = true;
    do {
        t->changed = false;
        for (gw_op op = 1; op < t->f->ops.count; op++)
            if (!gw_op_at(t->f, op)->dead && op != t->valid) follow(t, op);
    } while (t->changed);
    gw_op op = gw_first(t->f, t->f->entry);
    while (op && !is_use(t, op)) op = gw_walk(t->f, op, t->f->entry);
    return op;
}

static void check(gw_func *f, gw_normal *n, const gw_uniform *uniform, gw_op valid) {
    trail t = {.f = f, .n = n, .uniform = uniform, .valid = valid};
    t.of_warp = gw_made_by(f, gw_operand(f, valid, 1), GW_OP_REM) != 0;
    t.value = gw_alloc(f->values.count * sizeof *t.value);
    t.object = gw_alloc(f->objects.count * sizeof *t.object);
    const gw_op use = find_use(&t);
    if (use)
        gw_diag(f->session, GW_DIAG_PARTIAL_RESULT, gw_op_at(f, use)->loc,
                t.of_warp ? "the first lane of a warp" : "thread 0 of a block", gw_op_at(f, valid)->loc.line,
                t.of_warp ? "__shfl_sync(mask, sum, 0)" : "a shared variable and __syncthreads()");
    free(t.value);
    free(t.object);
}

static void remove_all(gw_func *f) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        if (gw_op_at(f, op)->dead || gw_op_at(f, op)->code != GW_OP_VALID) continue;
        gw_replace_uses(f, gw_result(f, op, 0), gw_operand(f, op, 0));
        gw_op_remove(f, op);
    }
}

bool gw_pass_partial(gw_run *run) {
    for (uint32_t i = 0; i < run->session->funcs.count; i++) {
        gw_func *f = run->session->funcs.at[i];
        gw_normal *n = NULL;
        gw_uniform uniform;
        for (gw_op op = 1; op < f->ops.count; op++) {
            if (gw_op_at(f, op)->dead || gw_op_at(f, op)->code != GW_OP_VALID) continue;
            if (!n) {
                gw_effort_begin(f);
                n = gw_normal_new(f);
                gw_uniform_new(&uniform, f);
            }
            check(f, n, &uniform, op);
        }
        if (!n) continue;
        gw_uniform_free(&uniform);
        gw_normal_free(n);
        remove_all(f);
    }
    return true;
}
