/*
 * accumulate/bulk.c - the bulk rung: atomic additions of one thread to 16 to 256 bytes side by side are one
 * asynchronous reduction out of the thread's own shared memory (gw_bulk_add, bulk.cuh; contract: accumulate.h).
 *
 * Sound: the reduction adds each value to its cell once, as atomically as an instruction of one would. It is
 * made behind the thread's back, at any time until the kernel ends: so the kernel does nothing else to the
 * object than to add atomically, which commutes; nobody reads it or adds plainly. Where the address is not
 * aligned, or the block has more threads than there is room for, the function adds one by one.
 *
 * Chosen where it pays by itself: from 48 bytes on a thread (docs/performance.md), where the kernel has enough
 * static shared memory left, and none that the launch sizes, which the user may have to the last byte, and
 * where no value waits in registers, over a branch or a loop, for the others (multipole_lookup: 175 registers
 * instead of 160, a block less on each multiprocessor, 1.4 times the time). A short loop over the cells is
 * written out before, if that is so of them (gw_rung_write_out).
 */
#include "analysis/clean/clean.h"
#include "analysis/facts/facts.h"
#include "analysis/ir/restructure.h"
#include "analysis/ir/rungs.h"
#include "analysis/ownership/ownership.h"
#include "rewriters/accumulate/accumulate_private.h"
#include "analysis/ir/optional.h"

enum {
    ALIGNMENT = 16,
    MOST_BYTES = 256,
    BYTES_THAT_PAY = 48,
    ROOM = 256 * 112, /* GW_BULK_THREADS * GW_BULK_BYTES (bulk.cuh) */
    MOST_MEMBERS = MOST_BYTES / 4
};

static bool is_wanted(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    if (o->dead || o->code != GW_OP_ACCUM || o->attr != GW_ACCUMULATE_ATOMIC) return false;
    const gw_rung rung = gw_asked_rung_at(f, op);
    if (rung != GW_RUNG_AUTO && rung != GW_RUNG_BULK) return false;
    gw_object_kind kind = gw_object_at(f, o->object)->kind;
    gw_type type = gw_stored_type(f, o->object, o->path);
    return kind != GW_OBJECT_SHARED && (type == GW_T_F32 || type == GW_T_F64);
}

static void take(gw_func *f, gw_op op, bool room) {
    gw_op chain[MOST_MEMBERS];
    const gw_op_data *o = gw_op_at(f, op);
    const uint32_t each = gw_type_bytes(gw_stored_type(f, o->object, o->path));
    const bool asked = gw_asked_rung_at(f, op) == GW_RUNG_BULK;
    const uint32_t n = gw_rung_chain(f, op, is_wanted, chain, MOST_BYTES / each);
    if (n * each < (asked ? ALIGNMENT : BYTES_THAT_PAY)) return;
    if (!asked && !(room && gw_rung_is_straight(f, chain, n))) return;
    for (uint32_t i = 0; i < n; i++)
        if (!gw_rung_adds_atomically(f, chain[i])) return;
    if (!asked && !gw_takes(f->session, GW_OPTIONAL_BULK)) return;
    gw_rung_join(f, chain, n, GW_ACCUMULATE_BULK);
}

bool gw_rung_bulk_pays(const gw_func *f, gw_op add, uint32_t count) {
    const gw_op_data *o = gw_op_at(f, add);
    const uint32_t bytes = count * gw_type_bytes(gw_stored_type(f, o->object, o->path));
    return is_wanted(f, add) && bytes >= BYTES_THAT_PAY && bytes <= MOST_BYTES && !gw_rung_launch_sizes(f) &&
           gw_rung_has_room(f, ROOM) && gw_rung_adds_atomically(f, add) &&
           gw_takes(f->session, GW_OPTIONAL_BULK);
}

void gw_rung_bulk(gw_func *f) {
    bool any = false;
    for (gw_op op = 1; op < f->ops.count; op++) any |= is_wanted(f, op);
    if (!any) return;
    gw_cse(f); /* elements are told apart by value */
    const bool room = !gw_rung_launch_sizes(f) && gw_rung_has_room(f, ROOM);
    for (gw_op op = 1; op < f->ops.count; op++)
        if (is_wanted(f, op)) take(f, op, room);
}

uint32_t gw_rung_bulk_length(const gw_func *f, gw_op first) {
    const gw_op_data *o = gw_op_at(f, first);
    return gw_rung_joined(f, first, MOST_BYTES / gw_type_bytes(gw_stored_type(f, o->object, o->path)));
}
