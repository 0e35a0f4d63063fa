/*
 * repeat.c - a counted loop whose iterations all compute the same runs once: neither its index nor its carried
 * values are used in it, and it only computes and loads. for (k = 0; k < n; k++) v = f(x[i]) becomes if (0 < n)
 * v = f(x[i]). What is differentiated is then one iteration, and not n of which all but one have zero adjoints.
 *
 * Sound: without a store in the loop, each iteration loads what the first one loaded, so the last one's results
 * are the first one's.
 */
#include "analysis/clean/clean.h"

#include "analysis/ir/restructure.h"
#include "analysis/ir/optional.h"

/* Nothing in the region but computations and loads that use none of the loop's arguments; yields aside. */
static bool same_each_time(const gw_func *f, gw_region r, gw_value first, gw_value behind) {
    for (gw_op op = gw_first(f, r); op; op = gw_walk(f, op, r)) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->parent == r && o->code == GW_OP_YIELD) continue;
        gw_effect effect = (gw_effect)gw_op_rows[o->code].effect;
        bool control = o->code == GW_OP_IF || o->code == GW_OP_YIELD || gw_is_loop(f, op);
        if (effect != GW_EFFECT_PURE && o->code != GW_OP_LOAD && !control) return false;
        for (uint32_t i = 0; i < o->operands; i++) {
            gw_value v = gw_operand(f, op, i);
            if (v >= first && v < behind) return false;
        }
    }
    return true;
}

static bool repeats(const gw_func *f, gw_op loop) {
    const gw_op_data *o = gw_op_at(f, loop);
    if (o->code != GW_OP_FOR || o->flags & GW_OP_EXIT || !o->results) return false;
    gw_region body = gw_loop_body(f, loop);
    gw_value first = gw_arg(f, body, 0), behind = first + 1 + o->results;
    gw_op yield = gw_region_end(f, body);
    for (uint32_t i = 0; i < o->results; i++) {
        gw_value v = gw_operand(f, yield, i);
        if (v >= first && v < behind && v != gw_arg(f, body, 1 + i)) return false;
    }
    return same_each_time(f, body, first, behind);
}

static bool walk(gw_func *f, gw_region r) {
    bool changed = false;
    for (gw_op op = gw_first(f, r), next; op; op = next) {
        next = gw_next(f, op);
        for (uint32_t i = 0; i < gw_op_at(f, op)->regions; i++) changed |= walk(f, gw_op_at(f, op)->region[i]);
        if (!repeats(f, op) || !gw_takes(f->session, GW_OPTIONAL_REPEATS)) continue;
        const int64_t any = 0;
        gw_guard_loop(f, op);
        gw_write_out_loop(f, op, &any, 1);
        changed = true;
    }
    return changed;
}

bool gw_run_repeated_once(gw_func *f) { return walk(f, f->entry); }
