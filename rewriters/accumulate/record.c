/*
 * accumulate/record.c - the record rung, on request: atomic additions of one thread to members of one element
 * that lie side by side are made together with those of the lanes that come there at the same time, each to an
 * element of its own, so that neighbouring lanes write neighbouring members (contract: accumulate.h).
 *
 * Sound: each member's addition is made once, by a lane that was told the value, and is as atomic as it was. As
 * on the vector rung, the additions are brought together in front of the last of them: what they pass touches
 * their object only by additions, and is no point where threads meet. Lanes need not come together:
 * gw_record_add works with those that do.
 */
#include "analysis/ir/run.h"
#include "analysis/ir/rungs.h"
#include "rewriters/accumulate/accumulate_private.h"
#include "analysis/facts/facts.h"
#include "analysis/clean/clean.h"
#include "analysis/ownership/ownership.h"

enum { FEWEST_MEMBERS = 4, MOST_MEMBERS = 12 }; /* gw_record_add (records.cuh) has room for so many */

static bool is_wanted(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    if (o->dead || o->code != GW_OP_ACCUM || o->attr != GW_ACCUMULATE_ATOMIC ||
        gw_asked_rung_at(f, op) != GW_RUNG_RECORD)
        return false;
    gw_object_kind kind = gw_object_at(f, o->object)->kind;
    gw_type type = gw_stored_type(f, o->object, o->path);
    return kind != GW_OBJECT_SHARED && (type == GW_T_F32 || type == GW_T_F64);
}

void gw_rung_record(gw_func *f) {
    bool any = false;
    for (gw_op op = 1; op < f->ops.count; op++) any |= is_wanted(f, op);
    if (any) gw_cse(f); /* elements are told apart by value */
    for (gw_op op = 1; op < f->ops.count && any; op++) {
        gw_op chain[MOST_MEMBERS];
        if (!is_wanted(f, op)) continue;
        uint32_t n = gw_rung_chain(f, op, is_wanted, chain, MOST_MEMBERS);
        if (n >= FEWEST_MEMBERS) gw_rung_join(f, chain, n, GW_ACCUMULATE_RECORD);
    }
}

uint32_t gw_rung_record_length(const gw_func *f, gw_op first) { return gw_rung_joined(f, first, MOST_MEMBERS); }
