/*
 * adjoint/near.c - which condition keeps two loops from being a nest that is reversed without a tape (contract:
 * adjoint.h; the conditions: nest.c, their words: nests.def).
 *
 * Asked for what people read only: each loop around a loop is brought into form on a copy of the primal, as
 * nest/shape.c does, and nest.c says what it lacks. It is nearly a nest if the inner loop multiplies a number
 * that the outer one carries, and is left before its end.
 */
#include "analysis/facts/facts.h"
#include "rewriters/adjoint/adjoint_private.h"

const gw_near_nest_row gw_near_nest_rows[GW_NEAR_NEST_COUNT] = {
    {"", ""},
#define GW_NEAR_NEST(CODE, says, mends) {says, mends},
#include "rewriters/adjoint/nest/nests.def"
#undef GW_NEAR_NEST
};

/* A loop that does not count may have one inside of it that is what a nest has there. */
static bool holds_undone(const gw_func *p, gw_region r) {
    gw_invert s;
    for (gw_op op = gw_first(p, r); op; op = gw_walk(p, op, r))
        for (uint32_t i = 0; gw_is_loop(p, op) && i < gw_loop_carried(p, op); i++)
            if (gw_invert_examine(p, op, i, &s)) return true;
    return false;
}

static void examine(const gw_func *primal, const gw_request *q, gw_op loop, gw_near_nest_list *out) {
    gw_func *p = gw_func_copy(primal);
    const gw_loc at = gw_op_at(p, loop)->loc;
    bool undone = holds_undone(p, gw_loop_body(p, loop));
    gw_op outer = gw_nest_form(p, loop);
    if (outer) {
        gw_roles roles;
        gw_activity activity;
        gw_nest n;
        gw_roles_find(&roles, p, q);
        gw_activity_new(&activity, p, &roles);
        bool fits = gw_nest_fits(p, &activity, outer, &n);
        gw_op load = fits ? gw_adjoint_unstaged(p, outer) : 0;
        if (load) n.lacks = GW_NEAR_NEST_STAGED, n.shows = load;
        if (n.lacks) {
            const gw_loc inner = gw_op_at(p, n.loop[GW_NEST_INNER])->loc;
            gw_push(out, ((gw_near_nest){n.lacks, at, inner, gw_op_at(p, n.shows)->loc}));
        }
        gw_activity_free(&activity);
        gw_roles_free(&roles);
    } else if (undone) {
        gw_push(out, ((gw_near_nest){GW_NEAR_NEST_OUTER, at, at, at}));
    }
    gw_func_free(p);
}

void gw_near_nests(const gw_func *primal, const gw_request *q, gw_near_nest_list *out) {
    for (gw_op op = 1; primal->kind == GW_FUNC_KERNEL && op < primal->ops.count; op++) {
        if (gw_op_at(primal, op)->dead || !gw_is_loop(primal, op)) continue;
        if (gw_has_loop(primal, gw_loop_body(primal, op))) examine(primal, q, op, out);
    }
}
