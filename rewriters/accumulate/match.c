/*
 * accumulate/match.c - the match rung: lanes of a warp that are at one cell at one time add together (contract:
 * accumulate.h).
 *
 * The lanes that happen to make an addition side by side ask each other for the addresses of their cells; of
 * those with one address the first adds up what they bring, and makes one atomic addition (gw_match_add,
 * collectives.cuh). Sound at any place and for any cells: lanes that are apart, in control or in time, make
 * additions of their own, which are atomic.
 *
 * Never chosen by cost: to find who has the same address takes about as long as a few atomic additions, so that
 * it pays only where many lanes meet, which nobody knows of an index that is read from memory.
 */
#include "analysis/ir/run.h"
#include "analysis/ir/rungs.h"
#include "rewriters/accumulate/accumulate_private.h"
#include "analysis/facts/facts.h"
#include "analysis/ownership/ownership.h"

void gw_rung_match(gw_func *f) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead || o->code != GW_OP_ACCUM || o->attr != GW_ACCUMULATE_ATOMIC) continue;
        if (gw_asked_rung_at(f, op) == GW_RUNG_MATCH) gw_ownership_raise(f, op, GW_ACCUMULATE_MATCH);
    }
}
