/*
 * accumulate/bulk.c - the bulk rung: atomic additions of one thread to 16 to 256 bytes side by side are one
 * asynchronous reduction out of the thread's own shared memory (gw_bulk_add, bulk.cuh; contract: accumulate.h).
 *
 * Sound: the reduction adds each value to its cell once, as atomically as an instruction of one would. It is
 * made behind the thread's back, at any time until the kernel ends: so the kernel does nothing else to the
 * object than to add atomically, which commutes; nobody reads it or adds plainly. Where the address is not
 * aligned, or the block has more threads than there is room for, the function adds one by one.
 *
 * Chosen where it pays by itself: from 48 bytes on a thread, 32 where they are the thread's own
 * (docs/performance.md), where the kernel has enough static shared memory left, and none that the launch sizes,
 * which the user may have to the last byte, and where no value waits in registers, over a branch or a loop, for
 * the others (multipole_lookup: 175 registers instead of 160, a block less on each multiprocessor, 1.4 times
 * the time). A short loop over the cells is written out before, if that is so of them (gw_rung_write_out).
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
    OWN_BYTES_THAT_PAY = 32,
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

static uint32_t bytes_of(const gw_func *f, gw_op add) {
    const gw_op_data *o = gw_op_at(f, add);
    return gw_type_bytes(gw_stored_type(f, o->object, o->path));
}

/* No number that is added was made in front of a branch or loop behind which all are added. */
static bool none_waits(const gw_func *f, const gw_op *chain, uint32_t n) {
    gw_op over = 0;
    for (gw_op op = gw_first(f, gw_op_at(f, chain[0])->parent); op; op = gw_next(f, op)) {
        for (uint32_t i = 0; i < n && over; i++) {
            if (op != chain[i]) continue;
            const gw_op made = gw_value_at(f, gw_operand(f, op, gw_index_count(f, op)))->op;
            if (made && gw_op_at(f, made)->parent == gw_op_at(f, op)->parent && gw_comes_before(f, made, over))
                return false;
        }
        if (gw_op_at(f, op)->regions) over = op;
    }
    return true;
}

static void take(gw_func *f, gw_op op, bool room) {
    gw_op chain[MOST_MEMBERS];
    const uint32_t each = bytes_of(f, op);
    const bool asked = gw_asked_rung_at(f, op) == GW_RUNG_BULK;
    const uint32_t n = gw_rung_chain(f, op, is_wanted, chain, MOST_BYTES / each);
    if (n * each < (asked ? ALIGNMENT : BYTES_THAT_PAY)) return;
    if (!asked && !(room && gw_rung_is_straight(f, chain, n) && none_waits(f, chain, n))) return;
    for (uint32_t i = 0; i < n; i++)
        if (!gw_rung_adds_atomically(f, chain[i])) return;
    if (!asked && !gw_takes(f->session, GW_OPTIONAL_BULK)) return;
    gw_rung_join(f, chain, n, GW_ACCUMULATE_BULK);
}

bool gw_rung_bulk_pays(const gw_func *f, gw_op add, uint32_t count) {
    const uint32_t bytes = count * bytes_of(f, add);
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

/* ---- rows of a thread's own ----
 *
 * The sectors of a row are in the L1 of a thread that adds to it number by number, until those of the other
 * threads push them out; by reductions the L2 makes whole sectors (rows of 48 bytes: 0.117 to 0.052 ms, of 192:
 * 0.785 to 0.167; `project` of benchmarks/projection.cu 0.817 to 0.377, docs/log/gpu-kernels.md). No other
 * thread comes to the cells of such a row; so that the thread's own additions do not meet either, each cell has
 * one. Then it does not matter when a reduction is made, and sums have the same bits on every run.
 */
typedef GW_VEC(gw_op) additions;

/* One addition reaches each cell: none is in a loop, and all lie in one row, at different places. */
static bool adds_once(const gw_func *f, const additions *all, gw_rung_wanted *wanted) {
    for (uint32_t i = 0; i < all->count; i++) {
        if (!wanted(f, all->at[i]) || gw_loop_around(f, all->at[i])) return false;
        for (uint32_t k = 0; k < i; k++) {
            int64_t ahead;
            if (!gw_rung_distance(f, all->at[k], all->at[i], &ahead)) return false;
            if (ahead < (int64_t)bytes_of(f, all->at[k]) && -ahead < (int64_t)bytes_of(f, all->at[i]))
                return false;
        }
    }
    return true;
}

static void find_additions(const gw_func *f, gw_object object, additions *all) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (!o->dead && o->code == GW_OP_ACCUM && o->object == object) gw_push(all, op);
    }
}

/* The chain of op, if a reduction can make it; else 0. */
static uint32_t own_chain(const gw_func *f, gw_op op, gw_rung_wanted *wanted, gw_op *chain) {
    const uint32_t each = bytes_of(f, op);
    const uint32_t n = gw_rung_chain(f, op, wanted, chain, MOST_BYTES / each);
    return n * each >= OWN_BYTES_THAT_PAY && gw_rung_is_straight(f, chain, n) ? n : 0;
}

bool gw_rung_bulk_own(gw_func *f, gw_object object, gw_rung_wanted *wanted) {
    gw_session *s = f->session;
    additions all = {0};
    gw_op chain[MOST_MEMBERS];
    bool taken = false;
    if (s->options.deterministic || s->options.checked || gw_rung_launch_sizes(f) || !gw_rung_has_room(f, ROOM))
        return false;
    for (gw_object o = 1; o < f->objects.count; o++)
        if (gw_rung_sums_in_block(f, o)) return false; /* the room is taken */
    find_additions(f, object, &all);
    const bool once = adds_once(f, &all, wanted);
    for (uint32_t i = 0; i < all.count && once; i++) {
        const uint32_t n = wanted(f, all.at[i]) ? own_chain(f, all.at[i], wanted, chain) : 0;
        if (n && gw_takes(s, GW_OPTIONAL_BULK)) taken |= gw_rung_join(f, chain, n, GW_ACCUMULATE_BULK);
    }
    gw_vec_free(&all);
    return taken;
}

uint32_t gw_rung_bulk_length(const gw_func *f, gw_op first) {
    return gw_rung_joined(f, first, MOST_BYTES / bytes_of(f, first));
}
