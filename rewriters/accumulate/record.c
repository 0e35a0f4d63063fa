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
#include "analysis/ir/passes.h"
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

/* The wanted addition of the region whose cell lies right behind that of op (ahead), or in front of it; 0:
 * none. */
static gw_op neighbour(const gw_func *f, gw_op op, bool ahead) {
    for (gw_op other = gw_first(f, gw_op_at(f, op)->parent); other; other = gw_next(f, other))
        if (other != op && is_wanted(f, other) &&
            (ahead ? gw_rung_next_cell(f, op, other) : gw_rung_next_cell(f, other, op)))
            return other;
    return 0;
}

static uint32_t chain_of(const gw_func *f, gw_op op, gw_op chain[MOST_MEMBERS]) {
    uint32_t n = 0;
    gw_op before = neighbour(f, op, false);
    for (uint32_t i = 0; before && i < MOST_MEMBERS; i++, before = neighbour(f, op, false)) op = before;
    for (; op && n < MOST_MEMBERS; op = neighbour(f, op, true)) chain[n++] = op;
    return n;
}

static bool is_in(gw_op op, const gw_op *chain, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        if (chain[i] == op) return true;
    return false;
}

static void join(gw_func *f, const gw_op *chain, uint32_t n) {
    gw_op last = 0;
    for (gw_op op = gw_first(f, gw_op_at(f, chain[0])->parent); op; op = gw_next(f, op))
        if (is_in(op, chain, n)) last = op;
    for (uint32_t i = 0; i < n; i++)
        if (chain[i] != last && gw_cannot_pass(f, chain[i], last, gw_op_at(f, last)->object)) return;
    gw_op behind = gw_next(f, last);
    for (uint32_t i = 0; i < n; i++) {
        gw_op_move(f, chain[i], gw_op_at(f, last)->parent, behind);
        gw_ownership_raise(f, chain[i], GW_ACCUMULATE_RECORD);
    }
}

void gw_rung_record(gw_func *f) {
    bool any = false;
    for (gw_op op = 1; op < f->ops.count; op++) any |= is_wanted(f, op);
    if (any) gw_cse(f); /* elements are told apart by value */
    for (gw_op op = 1; op < f->ops.count && any; op++) {
        gw_op chain[MOST_MEMBERS];
        if (!is_wanted(f, op)) continue;
        uint32_t n = chain_of(f, op, chain);
        if (n >= FEWEST_MEMBERS) join(f, chain, n);
    }
}

uint32_t gw_rung_record_length(const gw_func *f, gw_op first) {
    uint32_t n = 1;
    gw_op op = first;
    for (gw_op next = gw_next(f, op); next && n < MOST_MEMBERS; op = next, next = gw_next(f, op), n++)
        if (gw_op_at(f, next)->code != GW_OP_ACCUM || gw_op_at(f, next)->attr != GW_ACCUMULATE_RECORD ||
            !gw_rung_next_cell(f, op, next))
            break;
    return n;
}
