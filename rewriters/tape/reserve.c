/*
 * reserve.c - room on a host function's tape: where it is asked for, so that pushes are plain stores.
 *
 * Requires pushes and pops that nest like brackets (verifier_tape.c). Guarantees that on every path the last
 * RESERVE before a push left room for it. A region is cut into stretches: what a stretch pushes at most - sums,
 * the larger side of a branch, small loops of constant trips - is asked for once before its first push.
 * Whatever is not bounded so asks for itself and ends the stretch before it, since its pushes would use up the
 * stretch's room: a loop whose header tells its trips asks for all iterations before it starts, any other in
 * each iteration. A loop that leaves nothing (it pops what it pushed, or more) is never higher than where it
 * started plus one iteration's pushes, so one iteration's bytes serve them all.
 */
#include "rewriters/tape/tape.h"

#include "analysis/ir/passes.h"
#include "analysis/facts/facts.h"
#include "analysis/ir/restructure.h"

enum {
    SMALL_LOOP = 4096, /* bytes that a loop of constant trips may add to a stretch */
    LARGEST = 1 << 15  /* bytes of a stretch: the attribute of a RESERVE has 16 bits */
};

/* Trips that are known when compiling. The code that they are computed by is dropped: it is all constants. */
static bool constant_trips(gw_func *f, gw_op loop, int64_t *trips) {
    gw_builder b = {f, gw_op_at(f, loop)->parent, loop, gw_op_at(f, loop)->loc};
    for (uint32_t i = 0; i < 3; i++) {
        int64_t x;
        if (gw_op_at(f, loop)->code != GW_OP_FOR || !gw_const_int(f, gw_operand(f, loop, i), &x)) return false;
    }
    gw_value v = gw_header_trips(&b, loop);
    return v && gw_const_int(f, v, trips);
}

/* ---- what is pushed ---- */
static bool measure_region(gw_func *f, gw_region r, uint64_t *bytes);

static bool measure_loop(gw_func *f, gw_op loop, uint64_t *bytes) {
    int64_t trips;
    if (!measure_region(f, gw_loop_body(f, loop), bytes)) return false;
    if (*bytes == 0 || !gw_leaves_records(f, loop)) return true;
    if (!constant_trips(f, loop, &trips) || (uint64_t)trips > SMALL_LOOP / *bytes) return false;
    *bytes *= (uint64_t)trips;
    return true;
}

/* A loop that may run in any order, of which each iteration takes off what it has pushed: it asks for its room
 * itself, on a tape that may not be the function's. */
static bool has_own_tape(const gw_func *f, gw_op op) {
    return gw_op_at(f, op)->policy && gw_has_op(f, op, GW_OP_PUSH) && !gw_leaves_records(f, op) &&
           !gw_takes_records(f, op);
}

/* Most bytes that one run of the op pushes, if they are few and known. */
static bool measure(gw_func *f, gw_op op, uint64_t *bytes) {
    const gw_op_data o = *gw_op_at(f, op);
    if (has_own_tape(f, op)) return false;
    *bytes = o.code == GW_OP_PUSH ? gw_record_bytes(f, op) : 0;
    if (gw_is_loop(f, op)) return measure_loop(f, op, bytes);
    for (uint32_t i = 0; i < o.regions; i++) {
        uint64_t side;
        if (!measure_region(f, o.region[i], &side)) return false;
        if (side > *bytes) *bytes = side;
    }
    return true;
}

static bool measure_region(gw_func *f, gw_region r, uint64_t *bytes) {
    *bytes = 0;
    for (gw_op op = gw_first(f, r); op; op = gw_next(f, op)) {
        uint64_t more;
        if (!measure(f, op, &more)) return false;
        *bytes += more;
        if (*bytes > LARGEST) return false;
    }
    return true;
}

/* ---- asking ---- */
static void ask(gw_func *f, gw_op before, gw_value trips, uint64_t bytes) {
    gw_builder b = {f, gw_op_at(f, before)->parent, before, gw_op_at(f, before)->loc};
    if (!trips) trips = gw_int(&b, GW_T_U64, 1);
    gw_op made = gw_emit(&b, GW_OP_RESERVE, GW_T_VOID, 0, &trips, 1);
    gw_op_at(f, made)->attr = (uint16_t)bytes;
}

static void place_in(gw_func *f, gw_region r);

/* An op whose pushes no stretch can hold. */
static void place_inside(gw_func *f, gw_op op) {
    uint64_t bytes;
    gw_builder b = {f, gw_op_at(f, op)->parent, op, gw_op_at(f, op)->loc};
    if (!has_own_tape(f, op) && gw_is_loop(f, op) && measure_region(f, gw_loop_body(f, op), &bytes)) {
        gw_value trips = gw_header_trips(&b, op);
        if (trips) {
            ask(f, op, trips, bytes);
            return;
        }
    }
    for (uint32_t i = 0; i < gw_op_at(f, op)->regions; i++) place_in(f, gw_op_at(f, op)->region[i]);
}

static void place_in(gw_func *f, gw_region r) {
    gw_op start = 0;
    uint64_t bytes = 0;
    for (gw_op op = gw_first(f, r); op; op = gw_next(f, op)) {
        uint64_t more = 0;
        bool fits = measure(f, op, &more);
        if (start && (!fits || bytes + more > LARGEST)) {
            ask(f, start, 0, bytes);
            start = 0;
            bytes = 0;
        }
        if (!fits)
            place_inside(f, op);
        else if (more && !start)
            start = op;
        if (fits) bytes += more;
    }
    if (start) ask(f, start, 0, bytes);
}

void gw_reserve_tape(gw_func *f) { place_in(f, f->entry); }
