/*
 * lifetime.c - a local array whose contents no iteration of a loop takes over from another begins its life anew
 * in each: its DECLARE moves into the loop. Iterations are then independent of each other, which the derivative
 * transformation makes use of.
 *
 * Requires an array that starts uninitialised, is used inside of one loop or side of a branch only, and there
 * by accesses that are the same in all iterations: addresses, trip counts and conditions around them depend on
 * nothing that an iteration changes. Sound: the first iteration reads no cell that it has not stored before (it
 * would be uninitialised); the others store and read the same cells in the same order, so neither do they.
 */
#include "analysis/clean/clean.h"

#include "analysis/facts/facts.h"
#include "analysis/ir/restructure.h"
#include "analysis/ir/optional.h"

/* The region inside of r's ops in which all of the object is used, or 0; its DECLARE is in r. */
static gw_region only_user(const gw_func *f, gw_region r, gw_op declare) {
    gw_object o = gw_op_at(f, declare)->object;
    gw_op user = 0;
    for (gw_op op = gw_first(f, r); op; op = gw_next(f, op)) {
        if (op == declare || !gw_names_object(f, op, o)) continue;
        if (user || !gw_op_at(f, op)->regions) return 0;
        user = op;
    }
    gw_region found = 0;
    for (uint32_t i = 0; user && i < gw_op_at(f, user)->regions; i++)
        for (gw_op in = gw_first(f, gw_op_at(f, user)->region[i]); in; in = gw_next(f, in)) {
            gw_region inner = gw_op_at(f, user)->region[i];
            if (!gw_names_object(f, in, o)) continue;
            if (found && found != inner) return 0;
            found = inner;
        }
    return found;
}

static bool begins_in(gw_func *f, gw_region r, gw_op declare) {
    gw_op user = gw_region_at(f, r)->parent;
    if (!gw_is_loop(f, user)) return true;
    if (gw_loop_body(f, user) != r) return false;
    return gw_accesses_repeat(f, user, r, gw_op_at(f, declare)->object);
}

bool gw_narrow_lifetimes(gw_func *f) {
    bool changed = false;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead || o->code != GW_OP_DECLARE || gw_object_at(f, o->object)->zeroed) continue;
        for (gw_region to; (to = only_user(f, gw_op_at(f, op)->parent, op)) != 0 && begins_in(f, to, op);) {
            if (!gw_takes(f->session, GW_OPTIONAL_LIFETIMES)) break;
            gw_op_move(f, op, to, gw_first(f, to));
            changed = true;
        }
    }
    return changed;
}
