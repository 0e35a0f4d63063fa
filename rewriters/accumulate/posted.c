/*
 * accumulate/posted.c - the posted rung: an addition to a cell of the caller's memory that is the thread's own
 * is handed to the L2, which makes it (contract: accumulate.h).
 *
 * d_x[i] += v is a load, an addition and a store, and a thread, which issues in order, waits for the load. An
 * atomic addition whose result nobody uses is one instruction that nobody waits for (red.relaxed.cta on a GPU);
 * the L2 makes full sectors of them at the rate of stores (measured: docs/log/gpu-kernels.md). It pays
 *   - beside the arithmetic of a thread that adds to three cells or more: their loads are not all in flight
 *     with those of what it computes;
 *   - in a loop that takes records, whose turns run one after the other: the load is one more link of the
 *     chain;
 *   - in a loop that goes over a row again: what it reads, the loop before has left in the caches, so the
 *     cell's own load is the one that it waits for (norms.cu: 0.135 to 0.101 ms). Where the L2 makes other
 *     additions of the kernel too, they are in each other's way: plain was 10 % faster. Additions that blocks
 *     sum in shared memory first are none of these (0.111 to 0.095 ms). And it waits for nothing where the
 *     schedule makes loads of several iterations first (device/ahead.c), so that object stays plain (0.125 to
 *     0.116 ms); likewise where other loops' additions to the object stay plain: they load from the L2 what it
 *     has added.
 *   - in rows of a thread's own that together are longer than what a thread has of the L1: each cell's sector
 *     has left the L1 before the row's next cell is added to (projection.cu, 192 bytes a thread: 0.81 to 0.70).
 * In other loops the load is in flight with those of its turn, and often finds its cell in the L1: plain was
 * 10 % faster there.
 *
 * Sound: the cell is the thread's own for the whole kernel, so all that touches it stands in one program order,
 * in which overlapping accesses of one thread to one cell, atomic or not, take effect (PTX memory model,
 * coherence and causality order: operations in program order are morally strong). So every sum is made of the
 * same numbers in the same order, by the same rounding, and has the same bits on every run; but floats below
 * 2^-126 count as zero, as in all atomic additions of floats to global memory. Half precision stays plain,
 * since its += rounds once, after a sum in floats.
 */
#include "analysis/ir/reasons.h"
#include "analysis/ir/rungs.h"
#include "rewriters/accumulate/accumulate_private.h"
#include "rewriters/device/device.h"
#include "analysis/facts/facts.h"
#include "analysis/ownership/ownership.h"
#include "analysis/ir/restructure.h"
#include "analysis/ir/passes.h"

#include <stdlib.h>
#include <string.h>

/* So few loads of a kernel are in flight beside those of what it computes; so many bytes of the L1 has a thread
 * (256 KiB for 2,048); so many numbers may be held over loads ahead (rows.cu's softmax: 48, and four registers
 * more leave two blocks of three: 0.245 to 0.310 ms). */
enum { FEWEST = 3, DEEPEST = 12, WARP = 32, BYTES_OF_L1 = 128, MOST_HELD = 32 };

bool gw_rung_posts(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    if (o->dead || o->code != GW_OP_ACCUM || o->attr != GW_ACCUMULATE_PLAIN ||
        !gw_ownership_is_adjoint(f, o->object))
        return false;
    gw_object_kind kind = gw_object_at(f, o->object)->kind;
    gw_type type = gw_stored_type(f, o->object, o->path);
    bool global =
        kind == GW_OBJECT_POINTER || kind == GW_OBJECT_GLOBAL || gw_cell_behind_pointer(f, o->object, o->path);
    return global && (type == GW_T_F32 || type == GW_T_F64);
}

/* ---- which pays ---- */
/* How far the values of neighbouring threads are apart, as the arithmetic shows. Entries of a list count as
 * neighbours: most lists are in some order. */
typedef enum distance { SAME, NEIGHBOURS, APART } distance;

static distance of_threads(const gw_func *f, gw_value v, uint32_t depth);

static distance of_argument(const gw_func *f, gw_value v, uint32_t depth) {
    const gw_value_data *d = gw_value_at(f, v);
    gw_op loop = gw_region_at(f, d->region)->parent;
    /* a parameter; of other loops, nothing is known */
    if (!loop || gw_op_at(f, loop)->code != GW_OP_FOR) return SAME;
    return of_threads(f, gw_operand(f, loop, d->index ? d->index + 2 : 0), depth + 1);
}

static distance of_threads(const gw_func *f, gw_value v, uint32_t depth) {
    gw_op op = gw_value_at(f, v)->op;
    if (depth == DEEPEST) return NEIGHBOURS;
    if (!op) return of_argument(f, v, depth);
    const gw_op_data *o = gw_op_at(f, op);
    int64_t divisor = 0;
    if (o->code == GW_OP_SPECIAL) return o->attr == 4 * GW_THREAD_IDX ? NEIGHBOURS : SAME;
    if (o->code == GW_OP_LOAD || o->regions) return NEIGHBOURS;
    if (o->code == GW_OP_DIV && gw_const_int(f, gw_operand(f, op, 1), &divisor) && divisor >= WARP) return SAME;
    distance most = SAME;
    for (uint32_t i = 0; i < o->operands; i++) {
        distance one = of_threads(f, gw_operand(f, op, i), depth + 1);
        if (one > most) most = one;
    }
    return o->code == GW_OP_MUL && most == NEIGHBOURS ? APART : most;
}

/* Members of a struct, and rows of a thread's own, share sectors: all but the first of them are in the L1, and
 * the L2 makes each sector's additions one after the other. */
static bool fills_sectors(const gw_func *f, gw_op op) {
    const char *path = gw_cstr(f->session, gw_op_at(f, op)->path);
    size_t n = strlen(path), indices = gw_index_count(f, op);
    return n >= 2 && strcmp(path + n - 2, "[]") == 0 &&
           of_threads(f, gw_operand(f, op, (uint32_t)indices - 1), 0) != APART;
}

static bool is_in(const gw_func *f, gw_op op, gw_op loop) {
    while (op && op != loop) op = gw_op_around(f, op);
    return op != 0;
}

static bool pops(const gw_func *f, gw_op loop) {
    for (gw_op op = 1; op < f->ops.count; op++)
        if (!gw_op_at(f, op)->dead && gw_op_at(f, op)->code == GW_OP_POP && is_in(f, op, loop)) return true;
    return false;
}

static bool loads_in(const gw_func *f, gw_op loop, gw_object object) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (!o->dead && o->code == GW_OP_LOAD && o->object == object && is_in(f, op, loop)) return true;
    }
    return false;
}

/* A loop before this one has loaded from an array of the caller's that this one loads from. */
static bool goes_again(const gw_func *f, gw_op loop) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead || o->code != GW_OP_LOAD || gw_object_at(f, o->object)->kind != GW_OBJECT_POINTER) continue;
        const gw_op before = gw_op_around(f, op);
        if (before && before != loop && gw_is_loop(f, before) && gw_comes_before(f, before, loop) &&
            !is_in(f, loop, before) && loads_in(f, loop, o->object))
            return true;
    }
    return false;
}

/* The L2 makes additions of this kernel that are no thread's own. */
static bool others_add(const gw_func *f) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (!o->dead && o->code == GW_OP_ACCUM && !gw_object_is_inner(gw_object_at(f, o->object)->kind) &&
            o->attr != GW_ACCUMULATE_PLAIN && o->attr != GW_ACCUMULATE_LOCAL &&
            o->attr != GW_ACCUMULATE_POSTED && !gw_rung_sums_in_block(f, o->object))
            return true;
    }
    return false;
}

typedef enum place { IN_LINE, IN_LOOP, IN_LATER_LOOP, IN_CHAIN } place;

static place place_of(const gw_func *f, gw_op op) {
    place found = IN_LINE;
    for (gw_op at = op; (at = gw_op_around(f, at));) {
        if (!gw_is_loop(f, at)) continue;
        if (pops(f, at)) return IN_CHAIN;
        if (found == IN_LINE) found = goes_again(f, at) ? IN_LATER_LOOP : IN_LOOP;
    }
    return found;
}

static bool may_pay(const gw_func *f, gw_op op) {
    return gw_asked_rung_at(f, op) == GW_RUNG_AUTO && gw_rung_posts(f, op) &&
           gw_rung_adds_only(f, gw_op_at(f, op)->object); /* else an addition can be part of a store */
}

static void post(gw_func *f, gw_op op, gw_reason why) {
    gw_ownership_choose(f, op, (gw_rung_choice){.rung = GW_RUNG_POSTED, .why = gw_because(why)});
    gw_ownership_raise(f, op, GW_ACCUMULATE_POSTED);
}

typedef struct addition {
    gw_op op;
    gw_object object;
    place place;
    bool fills; /* its sector, with those of other threads */
    bool waits; /* in a row that a loop goes over again */
} addition;
typedef GW_VEC(addition) additions;

/* Some addition to this object stands there: the others go with it, since a cell that the L2 adds to is not in
 * the L1. */
static bool some_stands(const additions *all, gw_object object, place where) {
    for (uint32_t i = 0; i < all->count; i++)
        if (all->at[i].fills && all->at[i].object == object && all->at[i].place == where) return true;
    return false;
}

/* Numbers that a thread holds from before the loop to behind it. */
static uint32_t held_past(const gw_func *f, gw_op loop) {
    bool *seen = gw_alloc(f->values.count * sizeof *seen);
    uint32_t count = 0;
    for (gw_op op = 1; op < f->ops.count; op++) {
        if (gw_op_at(f, op)->dead || !gw_comes_before(f, loop, op)) continue;
        for (uint32_t i = 0; i < gw_op_at(f, op)->operands; i++) {
            const gw_value v = gw_operand(f, op, i);
            const gw_op from = gw_value_at(f, v)->op;
            if (!from || seen[v] || gw_op_at(f, from)->code == GW_OP_CONST) continue;
            seen[v] = true;
            count += gw_comes_before(f, from, loop);
        }
    }
    free(seen);
    return count;
}

/* Its load stands early enough, and the registers that it takes cost no occupancy. */
static bool loads_early(const gw_func *f, const addition *a) {
    return a->place == IN_LATER_LOOP && gw_goes_ahead(f, a->op) &&
           held_past(f, gw_op_around(f, a->op)) <= MOST_HELD;
}

/* Some addition to the object is best as it is, or a loop's loads from the L2 what that has added. */
static bool some_stays(const gw_func *f, const additions *all, gw_object object) {
    for (uint32_t i = 0; i < all->count; i++) {
        const addition *a = &all->at[i];
        if (a->object == object && (a->fills ? loads_early(f, a) : a->place != IN_LINE)) return true;
    }
    return false;
}

/* The i-th addition is to be posted with the others to its object, in loops that go over a row again. */
static bool waits(const gw_func *f, const additions *all, uint32_t i) {
    const gw_object object = all->at[i].object;
    for (uint32_t before = 0; before < i; before++)
        if (all->at[before].object == object) return all->at[before].waits;
    return some_stands(all, object, IN_LATER_LOOP) && !some_stays(f, all, object);
}

/* Bytes of a row of this object that a thread adds to in line. */
static uint32_t length_of_row(const gw_func *f, const additions *all, gw_object object) {
    uint32_t bytes = 0;
    for (uint32_t i = 0; i < all->count; i++) {
        const addition *a = &all->at[i];
        if (a->object == object && a->place == IN_LINE && !a->fills)
            bytes += gw_type_bytes(gw_stored_type(f, object, gw_op_at(f, a->op)->path));
    }
    return bytes;
}

/* A row of a thread's own goes by asynchronous reductions where it can; what none takes is posted where the row
 * is longer than its part of the L1. */
static void take_row(gw_func *f, const additions *all, const addition *a) {
    const bool leaves = length_of_row(f, all, a->object) > BYTES_OF_L1;
    gw_rung_bulk_own(f, a->object, may_pay);
    if (leaves && gw_op_at(f, a->op)->attr == GW_ACCUMULATE_PLAIN) post(f, a->op, GW_REASON_ROW_LEAVES);
}

static void post_own(gw_func *f) {
    additions all = {0};
    uint32_t in_line = 0;
    const bool alone = !others_add(f);
    for (gw_op op = 1; op < f->ops.count; op++) {
        if (gw_rung_posts(f, op) && gw_asked_rung_at(f, op) == GW_RUNG_POSTED) post(f, op, GW_REASON_AS_ASKED);
        if (!may_pay(f, op)) continue;
        gw_push(&all, ((addition){op, gw_op_at(f, op)->object, place_of(f, op), fills_sectors(f, op), false}));
        in_line += all.at[all.count - 1].place == IN_LINE && all.at[all.count - 1].fills;
    }
    for (uint32_t i = 0; i < all.count && alone; i++) all.at[i].waits = waits(f, &all, i);
    for (uint32_t i = 0; i < all.count; i++) {
        const addition *a = &all.at[i];
        if (!a->fills) {
            if (a->place == IN_LINE) take_row(f, &all, a);
        } else if (some_stands(&all, a->object, IN_CHAIN)) post(f, a->op, GW_REASON_CHAIN_WAITS);
        else if (a->waits) post(f, a->op, GW_REASON_ROW_WAITS);
        else if (in_line >= FEWEST && a->place == IN_LINE) post(f, a->op, GW_REASON_THREAD_WAITS);
    }
    gw_vec_free(&all);
}

bool gw_pass_posted(gw_run *run) {
    for (uint32_t i = 0; i < run->session->funcs.count; i++) {
        gw_func *f = run->session->funcs.at[i];
        if (f->form == GW_FORM_GRAD && f->kind == GW_FUNC_KERNEL) post_own(f);
    }
    return true;
}
