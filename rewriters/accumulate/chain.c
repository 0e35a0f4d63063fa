/*
 * accumulate/chain.c - additions of one thread to cells side by side, found and brought together for the rungs
 * that make them by one call (contract: accumulate_private.h).
 *
 * Sound: each addition stays what it is, and as atomic. They are brought together in front of the last of them:
 * what they pass touches their object only by additions, and is no point where threads meet.
 */
#include "analysis/clean/clean.h"
#include "analysis/facts/facts.h"
#include "analysis/ir/rungs.h"
#include "analysis/ownership/ownership.h"
#include "rewriters/accumulate/accumulate_private.h"

/* The wanted addition of the region whose cell lies right behind that of op (ahead), or in front of it; 0:
 * none. */
static gw_op neighbour(const gw_func *f, gw_op op, gw_rung_wanted *wanted, bool ahead) {
    for (gw_op other = gw_first(f, gw_op_at(f, op)->parent); other; other = gw_next(f, other))
        if (other != op && wanted(f, other) &&
            (ahead ? gw_rung_next_cell(f, op, other) : gw_rung_next_cell(f, other, op)))
            return other;
    return 0;
}

uint32_t gw_rung_chain(const gw_func *f, gw_op op, gw_rung_wanted *wanted, gw_op *chain, uint32_t most) {
    uint32_t n = 0;
    gw_op before = neighbour(f, op, wanted, false);
    for (uint32_t i = 0; before && i < most; i++, before = neighbour(f, op, wanted, false)) op = before;
    for (; op && n < most; op = neighbour(f, op, wanted, true)) chain[n++] = op;
    return n;
}

static bool is_in(gw_op op, const gw_op *chain, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        if (chain[i] == op) return true;
    return false;
}

bool gw_rung_is_straight(const gw_func *f, const gw_op *chain, uint32_t n) {
    uint32_t met = 0;
    for (gw_op op = gw_first(f, gw_op_at(f, chain[0])->parent); op && met < n; op = gw_next(f, op)) {
        if (is_in(op, chain, n)) met++;
        if (met && gw_op_at(f, op)->regions) return false;
    }
    return true;
}

bool gw_rung_join(gw_func *f, const gw_op *chain, uint32_t n, gw_accumulate how) {
    gw_op last = 0;
    for (gw_op op = gw_first(f, gw_op_at(f, chain[0])->parent); op; op = gw_next(f, op))
        if (is_in(op, chain, n)) last = op;
    for (uint32_t i = 0; i < n; i++)
        if (chain[i] != last && gw_cannot_pass(f, chain[i], last, gw_op_at(f, last)->object)) return false;
    gw_op behind = gw_next(f, last);
    for (uint32_t i = 0; i < n; i++) {
        gw_op_move(f, chain[i], gw_op_at(f, last)->parent, behind);
        gw_ownership_raise(f, chain[i], how);
    }
    return true;
}

uint32_t gw_rung_joined(const gw_func *f, gw_op first, uint32_t most) {
    const uint16_t how = gw_op_at(f, first)->attr;
    uint32_t n = 1;
    gw_op op = first;
    for (gw_op next = gw_next(f, op); next && n < most; op = next, next = gw_next(f, op), n++)
        if (gw_op_at(f, next)->code != GW_OP_ACCUM || gw_op_at(f, next)->attr != how ||
            !gw_rung_next_cell(f, op, next))
            break;
    return n;
}
