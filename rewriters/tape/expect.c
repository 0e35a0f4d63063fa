/*
 * expect.c - a first guess of what nested loops of a host function push, so that its tape is made once and in
 * its size.
 *
 * A tape that grows while inner loops ask for room doubles, ends up to twice as large as it has to be, and is
 * given back to the system after each call, whose pages the next call has to get anew (twice the time of an
 * LSTM's gradient). Allocators keep a block that is allocated in one piece for the next call. So in front of a
 * loop that leaves records of loops inside it stands an EXPECT with the sum over all of them: trips from
 * headers that are known there times bytes; what is not known counts nothing.
 *
 * Sound, whatever the guess: it is a wish. The RESERVE ops (reserve.c) still ask for all room that pushes need.
 * None stands in a loop that leaves something, where the tape would be moved again and again.
 */
#include "rewriters/tape/tape.h"

#include "analysis/ir/passes.h"
#include "analysis/facts/facts.h"
#include "analysis/ir/restructure.h"

#include <stdlib.h>

static gw_value guess_region(gw_builder *b, gw_region r);

static gw_value add(gw_builder *b, gw_value x, gw_value y) { return gw_joined(b, GW_OP_ADD, x, y); }

/* Bytes that all iterations push; what an iteration pops again counts once. 0 if nothing is known. */
static gw_value guess_loop(gw_builder *b, gw_op loop) {
    gw_func *f = b->f;
    gw_value each = guess_region(b, gw_loop_body(f, loop));
    if (!each || !gw_leaves_records(f, loop)) return each;
    for (uint32_t i = 0; gw_op_at(f, loop)->code == GW_OP_FOR && i < 3; i++)
        if (!gw_value_visible(f, gw_operand(f, loop, i), b->region)) return 0;
    gw_value trips = gw_header_trips(b, loop);
    return trips ? gw_binary(b, GW_OP_MUL, trips, each) : 0;
}

static gw_value guess_region(gw_builder *b, gw_region r) {
    gw_func *f = b->f;
    gw_value sum = 0;
    uint32_t bytes = 0;
    for (gw_op op = gw_first(f, r); op; op = gw_next(f, op)) {
        const gw_op_data o = *gw_op_at(f, op);
        if (o.code == GW_OP_PUSH) bytes += gw_record_bytes(f, op);
        if (gw_is_loop(f, op)) sum = add(b, sum, guess_loop(b, op));
        for (uint32_t i = 0; o.code == GW_OP_IF && i < 2; i++) sum = add(b, sum, guess_region(b, o.region[i]));
    }
    return bytes ? add(b, sum, gw_int(b, GW_T_U64, bytes)) : sum;
}

static bool pushes_in_loops(const gw_func *f, gw_region r, bool inside) {
    for (gw_op op = gw_first(f, r); op; op = gw_next(f, op)) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->code == GW_OP_PUSH && inside) return true;
        for (uint32_t i = 0; i < o->regions; i++)
            if (pushes_in_loops(f, o->region[i], inside || gw_is_loop(f, op))) return true;
    }
    return false;
}

static void expect_in(gw_func *f, gw_region r) {
    for (gw_op op = gw_first(f, r); op; op = gw_next(f, op)) {
        if (!gw_is_loop(f, op) || !gw_leaves_records(f, op)) {
            for (uint32_t i = 0; i < gw_op_at(f, op)->regions; i++) expect_in(f, gw_op_at(f, op)->region[i]);
            continue;
        }
        gw_builder b = {f, r, op, gw_op_at(f, op)->loc};
        gw_value bytes = pushes_in_loops(f, gw_loop_body(f, op), false) ? guess_loop(&b, op) : 0;
        if (bytes) gw_emit(&b, GW_OP_EXPECT, GW_T_VOID, 0, &bytes, 1);
    }
}

void gw_expect_tape(gw_func *f) { expect_in(f, f->entry); }
