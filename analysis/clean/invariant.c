/*
 * invariant.c - what every iteration of a loop computes alike is computed once, before it: pure ops, and loads
 * of cells that nothing in the loop stores to.
 *
 * A pure op may go even where the loop does not run, unless it may be undefined there (integer overflow,
 * division by 0). A load may not: then loop and load go into a branch of the loop's first condition, if they
 * are not in one already or an access of the same cell ran before. Only ops that run in every iteration are
 * moved, so nothing is computed more often than before.
 */
#include "analysis/clean/clean.h"

#include "analysis/facts/facts.h"
#include "analysis/ir/restructure.h"
#include "analysis/ir/optional.h"

static bool is_invariant(const gw_func *f, gw_op op, gw_region outside) {
    for (uint32_t i = 0; i < gw_op_at(f, op)->operands; i++)
        if (!gw_value_visible(f, gw_operand(f, op, i), outside)) return false;
    return true;
}

/* C leaves open what the op does for some operands: it must not run where the source does not run it. */
static bool may_be_undefined(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    gw_type type = gw_typeof(f, o->first_result);
    switch (o->code) {
    case GW_OP_DIV:
    case GW_OP_REM: return !gw_type_is_float(type);
    case GW_OP_CAST: return gw_type_is_float(gw_typeof(f, gw_operand(f, op, 0))) && !gw_type_is_float(type);
    case GW_OP_SHL:
    case GW_OP_SHR:
    case GW_OP_TEXTURE: /* the object may be none where nothing is fetched from it */
    case GW_OP_TEXTURE_SLOPE: return true;
    case GW_OP_ADD:
    case GW_OP_SUB:
    case GW_OP_MUL:
    case GW_OP_NEG:
    case GW_OP_IABS: return gw_type_is_integer(type) && gw_type_is_signed(type);
    default: return false;
    }
}

static bool is_stored_in(const gw_func *f, gw_region r, gw_op load, gw_region outside) {
    gw_object object = gw_op_at(f, load)->object;
    for (gw_op op = gw_first(f, r); op; op = gw_walk(f, op, r)) {
        const gw_op_data *o = gw_op_at(f, op);
        bool store = o->object == object && o->code == GW_OP_STORE;
        if (o->object == object &&
            (o->flags & GW_OP_WRITES || o->code == GW_OP_DECLARE || o->code == GW_OP_ATOMIC))
            return true;
        if (store && gw_alias_across(f, op, load, outside) != GW_ALIAS_NO) return true;
    }
    return false;
}

/* The loop stands in a branch that is taken only if it runs. */
static bool is_guarded(const gw_func *f, gw_op loop) {
    gw_region r = gw_op_at(f, loop)->parent;
    gw_op guard = gw_region_at(f, r)->parent;
    if (!guard || gw_op_at(f, guard)->code != GW_OP_IF || gw_op_at(f, guard)->region[0] != r) return false;
    gw_op test = gw_value_at(f, gw_operand(f, guard, 0))->op;
    return test && gw_op_at(f, test)->code == gw_op_at(f, loop)->attr &&
           gw_operand(f, test, 0) == gw_operand(f, loop, 0) && gw_operand(f, test, 1) == gw_operand(f, loop, 1);
}

/* The cell was accessed on every way to the loop. */
static bool was_accessed(const gw_func *f, gw_op loop, gw_op load) {
    for (gw_op at = loop; at; at = gw_op_around(f, at))
        for (gw_op op = gw_prev(f, at); op; op = gw_prev(f, op)) {
            const gw_op_data *o = gw_op_at(f, op);
            bool access = o->code == GW_OP_LOAD || o->code == GW_OP_STORE;
            if (access && o->object == gw_op_at(f, load)->object && gw_same_address(f, op, load)) return true;
        }
    return false;
}

static bool hoist(gw_func *f, gw_op loop) {
    bool changed = false, may_end = false; /* before the op, in an iteration */
    for (gw_op op = gw_first(f, gw_loop_body(f, loop)), next; op; op = next) {
        gw_region outside = gw_op_at(f, loop)->parent;
        const gw_op_data *o = gw_op_at(f, op);
        next = gw_next(f, op);
        may_end |= gw_holds_stop(f, op);
        bool surely = !may_end && (gw_runs_for_sure(f, loop) || is_guarded(f, loop));
        bool pure =
            gw_op_rows[o->code].effect == GW_EFFECT_PURE && !o->regions && (surely || !may_be_undefined(f, op));
        bool load = o->code == GW_OP_LOAD && !(o->flags & GW_OP_STALE);
        if ((!pure && !load) || !is_invariant(f, op, outside)) continue;
        if (!gw_takes(f->session, GW_OPTIONAL_INVARIANTS)) continue;
        if (load) {
            if (is_stored_in(f, gw_loop_body(f, loop), op, outside)) continue;
            const bool was = surely || was_accessed(f, loop, op);
            if (!was && may_end) continue;
            if (!was) gw_guard_loop(f, loop);
        }
        gw_op_move(f, op, gw_op_at(f, loop)->parent, loop);
        changed = true;
    }
    return changed;
}

static bool walk(gw_func *f, gw_region r) {
    bool changed = false;
    GW_VEC(gw_op) list = {0};
    for (gw_op op = gw_first(f, r); op; op = gw_next(f, op)) gw_push(&list, op);
    for (uint32_t i = 0; i < list.count; i++) {
        for (uint32_t k = 0; k < gw_op_at(f, list.at[i])->regions; k++)
            changed |= walk(f, gw_op_at(f, list.at[i])->region[k]);
        const gw_op_data *o = gw_op_at(f, list.at[i]);
        if (o->code == GW_OP_FOR && !(o->flags & GW_OP_EXIT)) changed |= hoist(f, list.at[i]);
    }
    gw_vec_free(&list);
    return changed;
}

bool gw_hoist_invariants(gw_func *f) { return walk(f, f->entry); }
