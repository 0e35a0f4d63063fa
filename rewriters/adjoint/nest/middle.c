/*
 * middle.c - a loop between the two of a nest (contract: nest_private.h; the nest: nest.c).
 *
 *     for (b = 0; b < batches; b++) {                                          // outer
 *         ... if (everybody is done) break; ... stage a batch ...
 *         for (c = 0; c < min(256, left); c += 32) {                           // middle
 *             unsigned word = __ballot_sync(...);
 *             for (j = 0; !done && j < 32; j++) { if (!(word >> j & 1)) continue; ... }
 *         }
 *     }
 *
 * It hands on what the outer loop carries as branches do, counts, whatever the threads do, and has the inner
 * loop in each iteration, which counts alike in all of them, as the outer loop's numbers say. So an iteration
 * of the outer loop allows trips(middle) times full trips of the inner one, and all that nest.c says of an
 * iteration of the outer loop holds of one of the middle loop: `before` grows by the inner loop's full trips
 * in each. In the reverse the middle loop runs all of its iterations, downward, and the inner one in each as
 * far as `last` says. A constant bounds the trips of both, so that 31 bits hold all trips of a batch.
 *
 * What lanes of a warp tell each other in the middle loop, of numbers without a derivative, they tell again:
 * all lanes that came there in the primal come there in the reverse, because all threads of the block leave
 * the outer loop together, which is asked for then, and the middle loop's trips are the primal's.
 */
#include "rewriters/adjoint/nest/nest_private.h"

enum { MOST_ITERATIONS = 1 << 30 };

/* v, a count from 0 on, is at most that; 0: nobody knows. */
static int64_t most(const gw_func *p, gw_value v) {
    const gw_op least = gw_made_by(p, v, GW_OP_IMIN);
    int64_t c;
    if (gw_const_int(p, v, &c)) return c > 0 && c <= MOST_ITERATIONS ? c : 0;
    for (uint32_t i = 0; least && i < 2; i++)
        if (gw_const_int(p, gw_operand(p, least, i), &c)) return c > 0 && c <= MOST_ITERATIONS ? c : 0;
    return 0;
}

static bool starts_at_zero(const gw_func *p, gw_value v) {
    int64_t c;
    return gw_const_int(p, v, &c) && c == 0;
}

bool gw_nest_middle_counts(const gw_func *p, const gw_nest *n) {
    const gw_op middle = n->loop[GW_NEST_MIDDLE];
    const gw_op_data *o = gw_op_at(p, middle);
    if (o->code != GW_OP_FOR || o->flags & GW_OP_EXIT || o->attr != GW_OP_LT || n->closed || n->ahead ||
        gw_op_at(p, n->loop[GW_NEST_INNER])->parent != gw_loop_body(p, middle))
        return false;
    const gw_value start = gw_operand(p, middle, 0), bound = gw_operand(p, middle, 1);
    const int64_t step = gw_loop_step(p, middle), outside = most(p, bound), inside = most(p, n->bound);
    const bool few = step > 0 && step <= MOST_ITERATIONS && outside && inside &&
                     (outside + step - 1) / step * inside <= MOST_ITERATIONS;
    if (!starts_at_zero(p, start) || !starts_at_zero(p, n->start)) return false;
    return few && gw_type_bits(gw_typeof(p, start)) == 32;
}

bool gw_nest_tells_lanes(const gw_func *p, const gw_activity *activity, gw_nest *n, gw_op op) {
    const bool tells = gw_op_at(p, op)->code == GW_OP_WARP && n->loop[GW_NEST_MIDDLE] &&
                       gw_op_at(p, op)->parent == gw_loop_body(p, n->loop[GW_NEST_MIDDLE]);
    n->lanes |= tells;
    return tells && !gw_active_value(activity, gw_result(p, op, 0));
}
