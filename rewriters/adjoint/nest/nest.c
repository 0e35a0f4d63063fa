/*
 * nest.c - nests of two loops whose reverse needs two numbers of each thread: what an undone value was in the
 * end, and how many iterations of the inner loop there were up to the last one that had an effect.
 *
 *     for (b = 0; b < batches; b++) {                              // outer
 *         ... if (everybody is done) break; ...
 *         for (j = 0; !done && j < bound; j++) {                   // inner
 *             count++; ...
 *             if (next < 1e-4f) { done = true; continue; }
 *             sum += ...; t = next; last = count;
 *         }
 *     }
 *
 * What is asked for:
 *  1. t is undone by the inner loop (invert.c), which the outer one gives its t, and takes it back;
 *     `done` likewise. So once `done` is true no iteration of the inner loop runs any more.
 *  2. `count` and `last` (if they are not in the source, shape.c adds them) are carried so, too; both
 *     start from 0; each iteration of the inner loop adds 1 to count, and sets last to that on every path on
 *     which a carried value with a derivative changes, and on no path on which the test of 1 holds.
 *     Or, for the other way of stopping, on every path on which that test holds, and nothing else stops:
 *         sum += ...; t *= f; last = count; if (t < 1e-4f) done = true;
 *     shape.c lets t be there what it was, and another number what it became. Then the iteration that
 *     stops is the last one with an effect, if the loop was stopped: in the reverse the test holds in that
 *     alone.
 *  3. All values with a derivative that the outer loop carries are handed through like t, and used for nothing
 *     else; the inner loop writes nothing; the outer one writes shared memory only, which is read nowhere else.
 *     What has no derivative, and is never read in the function, either may write.
 *     So an iteration of either loop behind the last one with an effect has the identity as its adjoint.
 *  4. The inner loop ends by `done` or by its counter, whose start and bound are computed again (as are the
 *     conditions on the way to it) from the outer loop's counters and memory that the loop leaves alone, and by
 *     no comparison of rounded numbers.
 *
 * Then the reverse needs t and last alone. Let full(b) be the trips that the counter allows in iteration b, and
 * before(b) the sum of full over the iterations before b. A thread that runs an iteration with an effect in b
 * has run full in all iterations before: `done` was false, and nothing else ends the loop. So the iterations of
 * b up to the last effect are those below min(max(last - before(b), 0), full(b)), in them the test of 1 is
 * false, and behind them there is nothing to do. A condition that leaves the outer loop (everybody is done)
 * need not be known: where it held, no thread had an effect any more. So instead of it the reverse asks whether
 * any thread of the block has last > before(b), which never leads further than the primal came, and never less
 * far than to the last effect. At the end of b, it asks for last > before(b + 1). A loop without such a
 * condition is asked at the start of b. A third loop may stand between the two: middle.c.
 */
#include "rewriters/adjoint/nest/nest_private.h"


#include <string.h>

/* ---- 2: how far the thread came ---- */
static bool starts_from_zero(const gw_func *p, const gw_nest *n, uint32_t m) {
    uint32_t i = gw_nest_handed_as(p, n, m);
    int64_t c;
    return i != GW_NEST_NONE && gw_const_int(p, gw_loop_init(p, n->loop[GW_NEST_OUTER], i), &c) && c == 0;
}

static bool adds_one(const gw_func *p, gw_value v, gw_value arg) {
    gw_op op = gw_value_at(p, v)->op;
    int64_t c;
    if (!op || gw_op_at(p, op)->code != GW_OP_ADD) return false;
    gw_value x = gw_operand(p, op, 0), y = gw_operand(p, op, 1);
    return (x == arg && gw_const_int(p, y, &c) && c == 1) || (y == arg && gw_const_int(p, x, &c) && c == 1);
}

bool gw_nest_keeps(const gw_func *p, gw_value v, gw_value arg) {
    gw_op op = gw_value_at(p, v)->op;
    uint32_t k = gw_value_at(p, v)->index;
    if (v == arg || !op || gw_op_at(p, op)->code != GW_OP_IF) return v == arg;
    return gw_nest_keeps(p, gw_arm_value(p, op, 0, k), arg) && gw_nest_keeps(p, gw_arm_value(p, op, 1, k), arg);
}

typedef struct progress {
    const gw_func *p;
    gw_value arg, count; /* of `last`; count + 1 */
    gw_value test;       /* by which the loop is left, 0 = none or passed */
    bool negated;        /* where it does not hold */
} progress;

/* The test may have been asked on the way to what region r yields. */
static bool may_have_ended(const progress *s, gw_region r) {
    gw_region at = s->test ? gw_value_region(s->p, s->test) : 0;
    return at && (gw_region_inside(s->p, r, at) || gw_region_inside(s->p, at, r));
}

/* Wherever v changes, `last` becomes the count. */
static bool is_noted(const progress *s, gw_value last, gw_value v, gw_value arg) {
    const gw_func *p = s->p;
    if (last == s->count || v == arg) return true;
    if (gw_nest_keeps(p, v, arg)) return true;
    gw_op op = gw_made_by(p, v, GW_OP_IF);
    if (!op || gw_value_at(p, last)->op != op) return false;
    uint32_t k = gw_value_at(p, v)->index, l = gw_value_at(p, last)->index;
    return is_noted(s, gw_arm_value(p, op, 0, l), gw_arm_value(p, op, 0, k), arg) &&
           is_noted(s, gw_arm_value(p, op, 1, l), gw_arm_value(p, op, 1, k), arg);
}

/* `last` is what it was, or the count where the test does not end the loop. r: where it is yielded. */
static bool is_progress(const progress *s, gw_value last, gw_region r) {
    const gw_func *p = s->p;
    if (last == s->arg) return true;
    if (last == s->count) return !may_have_ended(s, r);
    gw_op op = gw_made_by(p, last, GW_OP_IF);
    if (!op) return false;
    uint32_t k = gw_value_at(p, last)->index;
    bool negated = false, is_test = s->test && gw_behind_not(p, gw_operand(p, op, 0), &negated) == s->test;
    for (uint32_t side = 0; side < 2; side++) {
        gw_value in = gw_arm_value(p, op, side, k);
        bool ends = ((side == 0) != negated) != s->negated;
        progress past = *s;
        past.test = 0;
        if (is_test && ends ? in != s->arg
                            : !is_progress(is_test ? &past : s, in, gw_op_at(p, op)->region[side]))
            return false;
    }
    return true;
}

/* The flag becomes true by the test alone. */
static bool stops_by_test(const gw_invert *t, gw_value flag) {
    const gw_func *p = t->p;
    int64_t c;
    bool negated = false;
    if (flag == t->flag_arg || (gw_const_int(p, flag, &c) && !c)) return true;
    if (gw_behind_not(p, flag, &negated) == t->test) return negated == t->negated;
    const gw_op op = gw_made_by(p, flag, GW_OP_IF);
    const uint32_t k = gw_value_at(p, flag)->index;
    if (!op) return false;
    negated = false;
    const bool asks = gw_behind_not(p, gw_operand(p, op, 0), &negated) == t->test;
    for (uint32_t side = 0; side < 2; side++) {
        const bool stops = asks && ((side == 0) != negated) != t->negated;
        const gw_value in = gw_arm_value(p, op, side, k);
        if (stops ? !gw_const_int(p, in, &c) || !c : !stops_by_test(t, in)) return false;
    }
    return true;
}

/* `last` becomes the count on the way to the test. */
static bool notes_stop(const progress *s, gw_value last, gw_value test) {
    const gw_func *p = s->p;
    for (;;) {
        const gw_op op = gw_made_by(p, last, GW_OP_IF);
        if (last == s->count || !op) return last == s->count;
        const gw_op_data *o = gw_op_at(p, op);
        uint32_t side = 0;
        while (side < 2 && !gw_region_inside(p, gw_value_region(p, test), o->region[side])) side++;
        if (side == 2) return false;
        last = gw_arm_value(p, op, side, gw_value_at(p, last)->index);
    }
}

static bool notes_effects(gw_nest *n, const gw_activity *activity, const uint32_t *masks, uint32_t k,
                          uint32_t m, gw_value count, const gw_invert *t) {
    const gw_func *p = t->p;
    gw_op inner = n->loop[GW_NEST_INNER];
    progress s = {p, gw_loop_arg(p, inner, m), count, t->test, t->negated};
    gw_value last = gw_loop_next(p, inner, m);
    if (n->state[k].late) {
        if (!t->test || !stops_by_test(t, t->flag_next) || !notes_stop(&s, last, t->test)) return false;
        s.test = 0;
    }
    if (!is_progress(&s, last, gw_loop_body(p, inner))) return false;
    if (!n->asked && !gw_nest_notes_while_on(p, n, k, m)) return false;
    for (uint32_t i = 0; i < gw_loop_carried(p, inner); i++)
        if (gw_nest_is_of(p, activity, n, masks, i, k) &&
            !is_noted(&s, last, gw_loop_next(p, inner, i), gw_loop_arg(p, inner, i)))
            return false;
    return true;
}

/* A count of the type that the other states have tells the progress of state k, which is `late` or not. */
static bool find_progress(gw_nest *n, const gw_func *p, const gw_activity *activity, const uint32_t *masks,
                          uint32_t k, bool late) {
    n->state[k].late = late;
    gw_op inner = n->loop[GW_NEST_INNER];
    gw_nest_state *state = &n->state[k];
    gw_invert s;
    gw_invert_examine_by(p, inner, state->value[GW_NEST_INNER], state->flag, &s);
    for (uint32_t c = 0; c < gw_loop_carried(p, inner); c++) {
        gw_type type = gw_typeof(p, gw_loop_arg(p, inner, c));
        bool counts = gw_type_is_integer(type) && gw_type_bits(type) >= 32 && starts_from_zero(p, n, c);
        if (!counts || !adds_one(p, gw_loop_next(p, inner, c), gw_loop_arg(p, inner, c))) continue;
        if (k && type != gw_typeof(p, gw_loop_arg(p, inner, n->state[0].effective[GW_NEST_INNER]))) continue;
        for (uint32_t m = 0; m < gw_loop_carried(p, inner); m++) {
            if (m == c || gw_typeof(p, gw_loop_arg(p, inner, m)) != type || !starts_from_zero(p, n, m))
                continue;
            if (!notes_effects(n, activity, masks, k, m, gw_loop_next(p, inner, c), &s)) continue;
            state->effective[GW_NEST_INNER] = m;
            state->effective[GW_NEST_OUTER] = gw_nest_handed_as(p, n, m);
            return true;
        }
    }
    return false;
}

static bool all_noted(const gw_func *p, const gw_activity *activity, gw_nest *n) {
    uint32_t *masks = gw_nest_masks(p, n), k = 0;
    while (k < n->states && (find_progress(n, p, activity, masks, k, false) ||
                             find_progress(n, p, activity, masks, k, true)))
        k++;
    free(masks);
    return k == n->states;
}

/* ---- 3: nothing else has an effect ---- */
static bool is_for_others(const gw_func *p, const gw_activity *activity, gw_op op);

/* Or written for others: what is stored there, and not where. */
static bool only_yielded(const gw_func *p, const gw_nest *n, const gw_activity *activity, gw_region r,
                         gw_value v) {
    for (gw_op op = gw_first(p, r); op; op = gw_next(p, op)) {
        const gw_op_data *o = gw_op_at(p, op);
        const bool inner = op == n->loop[GW_NEST_INNER], hands = inner || op == n->loop[GW_NEST_MIDDLE];
        const bool writes = o->code == GW_OP_STORE && is_for_others(p, activity, op);
        for (uint32_t i = 0; o->code != GW_OP_YIELD && !hands && i < o->operands; i++)
            if (gw_operand(p, op, i) == v && !(writes && i + 1 == o->operands)) return false;
        for (uint32_t i = 0; !inner && i < o->regions; i++)
            if (!only_yielded(p, n, activity, o->region[i], v)) return false;
    }
    return true;
}

static bool uses_inside(const gw_func *p, gw_region r, gw_value v) {
    for (gw_op op = gw_first(p, r); op; op = gw_next(p, op))
        if (gw_uses_value(p, op, v)) return true;
    return false;
}

/* Everything with a derivative that the region of the outer loop makes comes from the inner one, and is only
 * handed on. */
static bool hands_on(const gw_func *p, gw_nest *n, const gw_activity *activity, gw_region r) {
    gw_op inner = n->loop[GW_NEST_INNER];
    gw_region body = gw_loop_body(p, n->loop[GW_NEST_OUTER]);
    for (gw_op op = gw_first(p, r); op; op = gw_next(p, op)) {
        const gw_op_data *o = gw_op_at(p, op);
        const bool middle = op == n->loop[GW_NEST_MIDDLE];
        bool structured = o->regions && (op == inner || middle || o->code == GW_OP_IF);
        for (uint32_t i = 0; structured && i < o->results; i++)
            if (gw_active_value(activity, gw_result(p, op, i)) &&
                (!only_yielded(p, n, activity, body, gw_result(p, op, i)) ||
                 (middle && !only_yielded(p, n, activity, body, gw_loop_arg(p, op, i)))))
                return gw_nest_lacks(n, GW_NEAR_NEST_CARRIED, op);
        for (uint32_t i = 0; op != inner && i < o->regions; i++)
            if (!hands_on(p, n, activity, o->region[i])) return false;
    }
    return true;
}

static bool all_handed(const gw_func *p, gw_nest *n, const gw_activity *activity) {
    gw_op outer = n->loop[GW_NEST_OUTER], inner = n->loop[GW_NEST_INNER];
    gw_region body = gw_loop_body(p, inner);
    for (uint32_t m = 0; m < gw_loop_carried(p, inner); m++) {
        bool active = gw_active_value(activity, gw_loop_arg(p, inner, m)) ||
                      gw_active_value(activity, gw_result(p, inner, m));
        gw_op given = gw_value_at(p, gw_loop_init(p, inner, m))->op;
        if (active && gw_nest_handed_as(p, n, m) == GW_NEST_NONE)
            return gw_nest_lacks(n, GW_NEAR_NEST_CARRIED, given ? given : inner);
    }
    for (uint32_t i = 0; i < gw_loop_carried(p, outer); i++) {
        gw_value arg = gw_loop_arg(p, outer, i);
        if (!gw_active_value(activity, arg) && !gw_active_value(activity, gw_result(p, outer, i))) continue;
        if (gw_nest_handed(p, n, i) == GW_NEST_NONE ||
            !only_yielded(p, n, activity, gw_loop_body(p, outer), arg) || uses_inside(p, body, arg)) {
            gw_op next = gw_value_at(p, gw_loop_next(p, outer, i))->op;
            return gw_nest_lacks(n, GW_NEAR_NEST_CARRIED, next ? next : outer);
        }
    }
    return hands_on(p, n, activity, gw_loop_body(p, outer));
}

static bool loads_elsewhere(const gw_func *p, gw_op outer, gw_object o) {
    for (gw_op op = 1; op < p->ops.count; op++) {
        const gw_op_data *d = gw_op_at(p, op);
        if (!d->dead && d->object == o && d->code == GW_OP_LOAD &&
            !gw_region_inside(p, d->parent, gw_loop_body(p, outer)))
            return true;
    }
    return false;
}

/* Asks for the pointer at most, and leaves what is in memory alone. */
static bool only_writes(const gw_func *p, gw_op op) {
    const gw_op_data *o = gw_op_at(p, op);
    if (o->code == GW_OP_LOAD) return gw_path_asks(gw_cstr(p->session, o->path));
    return o->code == GW_OP_STORE ||
           (o->code == GW_OP_ATOMIC && (!o->results || !gw_count_uses(p, gw_result(p, op, 0))));
}

/* What is written there is for others: the function reads none of it, and no derivative goes through it. */
static bool is_for_others(const gw_func *p, const gw_activity *activity, gw_op op) {
    const gw_object to = gw_op_at(p, op)->object;
    if (!only_writes(p, op) || gw_object_is_inner(gw_object_at(p, to)->kind) || gw_active_object(activity, to))
        return false;
    for (gw_op at = 1; at < p->ops.count; at++)
        if (!gw_op_at(p, at)->dead && gw_op_at(p, at)->object == to && !only_writes(p, at)) return false;
    return true;
}

/* `quiet`: the inner loop, and the one between. */
static bool writes_stages_only(const gw_func *p, const gw_activity *activity, gw_nest *n, gw_region r,
                               bool quiet) {
    for (gw_op op = gw_first(p, r); op; op = gw_next(p, op)) {
        const gw_op_data *o = gw_op_at(p, op);
        bool inside = quiet || op == gw_nest_second(n);
        if (is_for_others(p, activity, op) || gw_nest_tells_lanes(p, activity, n, op)) continue;
        switch (o->code) {
        case GW_OP_STORE:
            if (quiet || gw_object_at(p, o->object)->kind != GW_OBJECT_SHARED ||
                loads_elsewhere(p, n->loop[GW_NEST_OUTER], o->object))
                return gw_nest_lacks(n, GW_NEAR_NEST_WRITES, op);
            break;
        case GW_OP_BARRIER:
            if (quiet) return gw_nest_lacks(n, GW_NEAR_NEST_WRITES, op);
            break;
        case GW_OP_CALL: return gw_nest_lacks(n, GW_NEAR_NEST_WRITES, op);
        default:
            if (gw_op_rows[o->code].effect == GW_EFFECT_WRITE || gw_op_rows[o->code].effect == GW_EFFECT_MEET ||
                gw_op_rows[o->code].effect == GW_EFFECT_LANES)
                return gw_nest_lacks(n, GW_NEAR_NEST_WRITES, op);
        }
        for (uint32_t i = 0; i < o->regions; i++)
            if (!writes_stages_only(p, activity, n, o->region[i], inside)) return false;
    }
    return true;
}

/* ---- 4: what is computed again ---- */
bool gw_nest_recomputes(const gw_func *p, gw_op outer, gw_value v) {
    if (gw_value_visible(p, v, gw_op_at(p, outer)->parent)) return true;
    gw_op op = gw_value_at(p, v)->op;
    gw_value step;
    bool down;
    if (!op) {
        uint32_t first = gw_loop_first_arg(p, outer), i = gw_value_at(p, v)->index;
        if (gw_value_region(p, v) != gw_loop_body(p, outer)) return false;
        return i < first || gw_loop_is_induction(p, outer, i - first, &step, &down);
    }
    const gw_op_data *o = gw_op_at(p, op);
    bool load = o->code == GW_OP_LOAD && !gw_object_is_inner(gw_object_at(p, o->object)->kind) &&
                !gw_touches(p, outer, o->object, GW_TOUCH_WRITE);
    if (o->regions || (!load && gw_op_rows[o->code].effect != GW_EFFECT_PURE) || gw_is_discrete(p, op))
        return false;
    for (uint32_t i = 0; i < o->operands; i++)
        if (!gw_nest_recomputes(p, outer, gw_operand(p, op, i))) return false;
    return true;
}

/* v is `j < bound` in the condition of the inner loop. */
static bool is_bound(const gw_func *p, gw_nest *n, gw_value v) {
    gw_op inner = n->loop[GW_NEST_INNER], outer = n->loop[GW_NEST_OUTER], less = gw_value_at(p, v)->op;
    uint16_t code = less ? gw_op_at(p, less)->code : GW_OP_NONE;
    n->closed = code == GW_OP_LE || code == GW_OP_GE;
    if (code != GW_OP_LT && code != GW_OP_GT && !n->closed) return false;
    bool turned = code == GW_OP_GT || code == GW_OP_GE;
    gw_value counted = gw_operand(p, less, turned ? 1 : 0);
    gw_op ahead = gw_made_by(p, counted, GW_OP_ADD);
    n->ahead = ahead && adds_one(p, counted, gw_operand(p, ahead, 0)); /* ++j < bound */
    const gw_value_data *counter = gw_value_at(p, n->ahead ? gw_operand(p, ahead, 0) : counted);
    if (n->closed && !gw_type_is_signed(counter->type)) return false; /* it might never end */
    if (counter->op || counter->region != gw_op_at(p, inner)->region[0] || gw_type_bits(counter->type) < 32)
        return false;
    n->start = gw_loop_init(p, inner, counter->index);
    n->bound = gw_operand(p, less, turned ? 0 : 1);
    return adds_one(p, gw_loop_next(p, inner, counter->index), gw_loop_arg(p, inner, counter->index)) &&
           gw_nest_recomputes(p, outer, n->start) && gw_nest_recomputes(p, outer, n->bound);
}

/* The truth of v while any state's flag is false; `flags` begin where the first carried value does. */
static bool while_any(const gw_func *p, const gw_nest *n, gw_value v, gw_region flags, gw_nest_truth truth) {
    for (uint32_t k = 0; k < n->states; k++) {
        uint32_t i = gw_value_at(p, n->state[k].flag)->index - gw_loop_first_arg(p, n->loop[GW_NEST_INNER]);
        gw_value flag = flags ? gw_arg(p, flags, i) : gw_loop_next(p, n->loop[GW_NEST_INNER], i);
        if (gw_nest_truth_if(p, v, flag, false) != truth) return false;
    }
    return true;
}

/* v of the condition asks for the bound, and beside it for nothing that fails while any flag is false. */
static bool asks_for_bound(const gw_func *p, gw_nest *n, gw_value v, bool *bounded) {
    gw_op both = gw_value_at(p, v)->op;
    gw_region test = gw_op_at(p, n->loop[GW_NEST_INNER])->region[0];
    if (both && gw_op_at(p, both)->code == GW_OP_AND && !while_any(p, n, v, test, GW_NEST_TRUE))
        return asks_for_bound(p, n, gw_operand(p, both, 0), bounded) &&
               asks_for_bound(p, n, gw_operand(p, both, 1), bounded);
    int64_t c;
    bool no_else = both && gw_op_at(p, both)->code == GW_OP_IF &&
                   gw_const_int(p, gw_arm_value(p, both, 1, gw_value_at(p, v)->index), &c) && !c;
    if (no_else && !while_any(p, n, v, test, GW_NEST_TRUE))
        return asks_for_bound(p, n, gw_operand(p, both, 0), bounded) &&
               asks_for_bound(p, n, gw_arm_value(p, both, 0, gw_value_at(p, v)->index), bounded);
    if (!*bounded && is_bound(p, n, v)) return *bounded = true;
    if (while_any(p, n, v, test, GW_NEST_TRUE)) return true;
    bool compares = both && gw_op_at(p, both)->code >= GW_OP_LT && gw_op_at(p, both)->code <= GW_OP_GE;
    return gw_nest_lacks(n, compares && !*bounded ? GW_NEAR_NEST_BOUND : GW_NEAR_NEST_ENDS,
                         n->loop[GW_NEST_INNER]);
}

static bool counts_up(const gw_func *p, gw_nest *n) {
    gw_op inner = n->loop[GW_NEST_INNER], outer = n->loop[GW_NEST_OUTER];
    const gw_op_data *o = gw_op_at(p, inner);
    n->start = gw_operand(p, inner, 0);
    n->bound = gw_operand(p, inner, 1);
    n->closed = o->attr == GW_OP_LE;
    const gw_type type = gw_typeof(p, n->start);
    return (o->attr == GW_OP_LT || (n->closed && gw_type_is_signed(type))) && gw_type_bits(type) >= 32 &&
           gw_loop_step(p, inner) == 1 && gw_nest_recomputes(p, outer, n->start) &&
           gw_nest_recomputes(p, outer, n->bound);
}

static bool is_endless(const gw_func *p, gw_op loop) {
    int64_t c;
    return gw_op_at(p, loop)->code == GW_OP_WHILE && gw_const_int(p, gw_loop_test(p, loop), &c) && c;
}

/* How the inner loop ends: by its counter, or when all flags are set. */
static bool find_bound(const gw_func *p, gw_nest *n) {
    gw_op inner = n->loop[GW_NEST_INNER];
    gw_region body = gw_loop_body(p, inner);
    if (gw_op_at(p, inner)->flags & GW_OP_EXIT && !while_any(p, n, gw_yielded(p, body, 0), 0, GW_NEST_FALSE))
        return gw_nest_lacks(n, is_endless(p, inner) ? GW_NEAR_NEST_ENDLESS : GW_NEAR_NEST_ENDS, inner);
    bool bounded = false;
    if (gw_op_at(p, inner)->code == GW_OP_FOR)
        bounded = counts_up(p, n);
    else if (!asks_for_bound(p, n, gw_yielded(p, gw_op_at(p, inner)->region[0], 0), &bounded))
        return false;
    return bounded || gw_nest_lacks(n, GW_NEAR_NEST_BOUND, inner);
}

gw_op gw_nest_branch(const gw_func *p, const gw_nest *n, gw_region r) {
    gw_op op = gw_nest_second(n);
    while (gw_op_at(p, op)->parent != r) op = gw_op_around(p, op);
    return op == gw_nest_second(n) ? 0 : op;
}

/* The flag that leaves the outer loop, and the branches on the way to the inner one, from region r on. */
static bool way_is_known(const gw_func *p, gw_nest *n, gw_region r, gw_value flag) {
    gw_op outer = n->loop[GW_NEST_OUTER], branch = gw_nest_branch(p, n, r),
          made_by = flag ? gw_value_at(p, flag)->op : 0;
    if (branch && gw_op_at(p, branch)->code != GW_OP_IF) return false;
    bool yielded = branch && made_by == branch;
    bool negated = false;
    if (flag && !yielded && gw_behind_not(p, flag, &negated) != n->test && !gw_nest_recomputes(p, outer, flag))
        return false;
    if (!branch) return true;
    negated = false;
    gw_value condition = gw_operand(p, branch, 0), test = gw_behind_not(p, condition, &negated);
    if (!gw_nest_recomputes(p, outer, condition) && test != n->test) return false;
    uint32_t k = yielded ? gw_value_at(p, flag)->index : 0;
    for (uint32_t side = 0; side < 2; side++) {
        gw_value in = yielded ? gw_arm_value(p, branch, side, k) : flag;
        gw_region to = gw_op_at(p, branch)->region[side];
        if (gw_region_inside(p, gw_op_at(p, gw_nest_second(n))->parent, to)) {
            if (!way_is_known(p, n, to, in)) return false;
        } else if (yielded && gw_behind_not(p, in, &negated) != n->test && !gw_nest_recomputes(p, outer, in)) {
            return false;
        }
    }
    return true;
}

/* The condition by which the outer loop is left without its being computed again: one at most, on the way to
 * the inner loop, or at the end of the iteration. */
static gw_value find_test(const gw_func *p, gw_nest *n, gw_value flag, bool *negated) {
    gw_op outer = n->loop[GW_NEST_OUTER];
    gw_invert s = {.p = p, .loop = outer, .body = gw_loop_body(p, outer), .flag_next = flag};
    for (gw_region r = gw_op_at(p, gw_nest_second(n))->parent; r != s.body;) {
        gw_op branch = gw_region_at(p, r)->parent;
        bool other = false;
        *negated = false;
        gw_value test = gw_behind_not(p, gw_operand(p, branch, 0), &other);
        if (!gw_nest_recomputes(p, outer, test)) return gw_invert_flag_is(&s, flag, test, negated) ? test : 0;
        r = gw_op_at(p, branch)->parent;
    }
    *negated = false;
    n->behind = !gw_nest_recomputes(p, outer, flag) && gw_value_region(p, flag) == s.body;
    return n->behind ? gw_behind_not(p, flag, negated) : 0;
}

static bool find_way(const gw_func *p, gw_nest *n) {
    gw_op outer = n->loop[GW_NEST_OUTER];
    gw_region body = gw_loop_body(p, outer);
    gw_value flag = gw_loop_flag(p, outer);
    if (flag) n->test = find_test(p, n, flag, &n->negated);
    gw_op branch = gw_nest_branch(p, n, body);
    if (!way_is_known(p, n, body, flag)) return gw_nest_lacks(n, GW_NEAR_NEST_WAY, branch ? branch : outer);
    if (!gw_holds_block_barrier(p, outer)) return !n->lanes || gw_nest_lacks(n, GW_NEAR_NEST_MEETS, outer);
    gw_uniform u;
    gw_uniform_new(&u, p);
    n->meets = u.region[n->test ? gw_value_region(p, n->test) : body] <= GW_UNIFORM_BLOCK;
    gw_uniform_free(&u);
    return n->meets || gw_nest_lacks(n, GW_NEAR_NEST_MEETS, n->test ? gw_value_at(p, n->test)->op : outer);
}

/* ---- the nest ---- */

/* The number of which the condition of the inner loop asks whether it has stopped. */
static bool find_asked(const gw_func *p, gw_nest *n) {
    gw_op outer = n->loop[GW_NEST_OUTER], inner = n->loop[GW_NEST_INNER];
    gw_invert s;
    for (uint32_t i = 0; i < gw_loop_carried(p, outer); i++) {
        uint32_t m = gw_nest_handed(p, n, i);
        if (m == GW_NEST_NONE) continue;
        bool undone = gw_invert_examine(p, inner, m, &s);
        if (undone && !gw_nest_starts_low(p, n, i, &s)) continue;
        if (!undone && s.lacks) gw_nest_lacks(n, s.lacks, s.shows);
        if (undone && !s.flag_arg) gw_nest_lacks(n, GW_NEAR_NEST_BREAK, inner);
        if (n->lacks && is_endless(p, inner)) gw_nest_lacks(n, GW_NEAR_NEST_ENDLESS, inner);
        if (!undone || !s.flag_arg) continue;
        n->state[0] = (gw_nest_state){.value = {i, m}, .flag = s.flag_arg};
        n->states = 1;
        return n->asked = true;
    }
    return false;
}

/* The loop between counts, to what is computed again. */
static bool middle_fits(const gw_func *p, gw_nest *n) {
    const gw_op middle = n->loop[GW_NEST_MIDDLE];
    if (!middle || (gw_nest_middle_counts(p, n) &&
                    gw_nest_recomputes(p, n->loop[GW_NEST_OUTER], gw_operand(p, middle, 1))))
        return true;
    return gw_nest_lacks(n, GW_NEAR_NEST_BETWEEN, middle);
}

static bool has_states(const gw_func *p, const gw_activity *activity, bool numbered, gw_nest *n) {
    gw_op outer = n->loop[GW_NEST_OUTER], inner = n->loop[GW_NEST_INNER];
    n->lacks = 0;
    for (uint32_t k = 0; k < n->states; k++) {
        uint32_t i = gw_value_at(p, n->state[k].flag)->index - gw_loop_first_arg(p, inner);
        if (gw_nest_handed_as(p, n, i) == GW_NEST_NONE) return gw_nest_lacks(n, GW_NEAR_NEST_FLAG, inner);
    }
    if (!n->asked && !gw_nest_apart(p, activity, n)) return false;
    return (!numbered || all_noted(p, activity, n)) && all_handed(p, n, activity) &&
           writes_stages_only(p, activity, n, gw_loop_body(p, outer), false) && find_bound(p, n) &&
           middle_fits(p, n) && find_way(p, n);
}

/* One state by its number may do where the others have flags: what these lack is said all the same, since they
 * take a tape. */
static bool fits(const gw_func *p, const gw_activity *activity, bool numbered, gw_nest *n) {
    gw_nest several = {0};
    memcpy(several.loop, n->loop, sizeof several.loop);
    bool alone = find_asked(p, n) && has_states(p, activity, numbered, n),
         found = gw_nest_find_states(p, &several);
    if (found && several.states > n->states) {
        bool all = has_states(p, activity, numbered, &several);
        if (alone && !all)
            gw_nest_lacks(n, several.lacks, several.shows);
        else
            *n = several;
        return alone || all;
    }
    if (!found && several.lacks && !n->states) gw_nest_lacks(n, several.lacks, several.shows);
    return alone;
}

static bool find_inner(const gw_func *p, const gw_activity *activity, gw_region r, bool numbered, gw_nest *n) {
    const gw_op outer = n->loop[GW_NEST_OUTER], middle = n->loop[GW_NEST_MIDDLE];
    gw_nest near = *n; /* the last that lacks something that is known */
    for (gw_op op = gw_first(p, r); op; op = gw_next(p, op)) {
        const gw_op_data *o = gw_op_at(p, op);
        *n = (gw_nest){.loop = {outer, 0, middle}};
        for (uint32_t i = 0; o->code == GW_OP_IF && i < 2; i++)
            if (find_inner(p, activity, o->region[i], numbered, n)) return true;
        if (n->lacks) near = *n;
        if (!middle && gw_is_loop(p, op)) {
            *n = (gw_nest){.loop = {outer, 0, op}};
            if (find_inner(p, activity, gw_loop_body(p, op), numbered, n)) return true;
            if (n->lacks) near = *n;
        }
        *n = (gw_nest){.loop = {outer, op, middle}};
        /* a FOR, which no flag of its condition leaves, says what it lacks */
        if (gw_is_loop(p, op) && fits(p, activity, numbered, n)) return true;
        if (n->lacks) near = *n;
    }
    *n = near;
    return false;
}

static bool find_around(const gw_func *p, const gw_activity *activity, gw_op outer, bool numbered, gw_nest *n) {
    *n = (gw_nest){.loop = {outer, 0}};
    if (p->kind != GW_FUNC_KERNEL || gw_op_at(p, outer)->code != GW_OP_FOR) return false;
    return find_inner(p, activity, gw_loop_body(p, outer), numbered, n);
}

bool gw_nest_find(const gw_func *p, const gw_activity *activity, gw_op outer, gw_nest *n) {
    return find_around(p, activity, outer, true, n);
}
bool gw_nest_fits(const gw_func *p, const gw_activity *activity, gw_op outer, gw_nest *n) {
    return find_around(p, activity, outer, false, n);
}

/* ---- conditions that come out alike ---- */
static bool depends_on(const gw_func *p, gw_value v, gw_value on) {
    gw_op op = gw_value_at(p, v)->op;
    if (v == on) return true;
    for (uint32_t i = 0; op && !gw_op_at(p, op)->regions && i < gw_op_at(p, op)->operands; i++)
        if (depends_on(p, gw_operand(p, op, i), on)) return true;
    return false;
}

static bool is_product(const gw_func *p, gw_value v) {
    gw_op op = gw_value_at(p, v)->op;
    while (op && gw_op_at(p, op)->code == GW_OP_NEG) op = gw_value_at(p, gw_operand(p, op, 0))->op;
    return op && gw_op_at(p, op)->code == GW_OP_MUL;
}

static void round_value(gw_func *p, const gw_nest *n, gw_value v) {
    gw_op op = gw_value_at(p, v)->op;
    gw_region body = gw_loop_body(p, n->loop[GW_NEST_INNER]);
    if (!op || gw_op_at(p, op)->regions || !gw_region_inside(p, gw_op_at(p, op)->parent, body)) return;
    gw_op_data *o = gw_op_at(p, op);
    bool sum = (o->code == GW_OP_ADD || o->code == GW_OP_SUB) &&
               (gw_typeof(p, v) == GW_T_F32 || gw_typeof(p, v) == GW_T_F64);
    if (o->flags & GW_OP_ROUNDED) return;
    if (sum && (is_product(p, gw_operand(p, op, 0)) || is_product(p, gw_operand(p, op, 1))))
        o->flags |= GW_OP_ROUNDED;
    for (uint32_t i = 0; i < o->operands; i++) round_value(p, n, gw_operand(p, op, i));
}

static bool depends_on_state(const gw_func *p, const gw_nest *n, gw_value v) {
    for (uint32_t k = 0; k < n->states; k++)
        if (depends_on(p, v, gw_loop_arg(p, n->loop[GW_NEST_INNER], n->state[k].value[GW_NEST_INNER])))
            return true;
    return false;
}

static bool is_state(const gw_func *p, const gw_nest *n, gw_value v) {
    for (uint32_t k = 0; k < n->states; k++)
        if (v == gw_loop_arg(p, n->loop[GW_NEST_INNER], n->state[k].value[GW_NEST_INNER])) return true;
    return false;
}

static void round_region(gw_func *p, const gw_nest *n, gw_region r, bool factors) {
    for (gw_op op = gw_first(p, r); op; op = gw_next(p, op)) {
        const gw_op_data *o = gw_op_at(p, op);
        bool discrete = o->results == 1 && !o->regions && gw_is_discrete(p, op);
        if (discrete && !depends_on_state(p, n, o->first_result)) round_value(p, n, o->first_result);
        for (uint32_t i = 0; factors && o->code == GW_OP_MUL && i < 2; i++)
            if (is_state(p, n, gw_operand(p, op, i))) round_value(p, n, gw_operand(p, op, 1 - i));
        for (uint32_t i = 0; i < o->regions; i++) round_region(p, n, o->region[i], factors);
    }
}

void gw_nest_round(gw_func *p, const gw_nest *n, bool factors) {
    round_region(p, n, gw_loop_body(p, n->loop[GW_NEST_INNER]), factors);
}
