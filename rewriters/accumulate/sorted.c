/*
 * accumulate/sorted.c - rows that need no sort, for the slots rung (accumulate/slots.c): a key that is an entry
 * of a list which GW_SORTED names.
 *
 *     int i = blockIdx.x * blockDim.x + threadIdx.x;               // GW_SORTED(ids)
 *     if (i < n) ... d_x[ids[i]] += v ...                          // row i, of key ids[i]
 *
 * The entry's index is the position of what is added, and the row is that of the position instead of the
 * thread's n-th. Keys of rows then ascend as the list does, in whatever order threads run and loops turn: rows
 * of one key lie behind each other, with rows that nobody has used between them, and the reduction (reduce.cuh)
 * sums them as they stand.
 *
 * Sound because
 *   - two threads, or one at two times, never come to the addition with one position (position.c has the
 *     proof): each row is written once, and none is lost;
 *   - no thread writes to the list (a promise about one that the kernel writes is an error), so the key at a
 *     position is one number, and those at greater positions are not less;
 *   - the host finds between which positions the launch has all of them (value_bound.c). Where these are many
 *     more than the rows that threads could write, as with ids[100 * i], or where it finds none, rows are the
 *     thread's n-th, and sorted, in the same kernel. A position that is not between them (it is 2^63 or more)
 *     stops the kernel;
 *   - a promise that does not hold is seen: the reduction compares the keys of all neighbours, in every build.
 *
 * What is not understood is sorted as ever; --explain says why.
 */
#include "rewriters/accumulate/slots_private.h"

#include "analysis/facts/facts.h"
#include "analysis/host_bounds/host_bounds.h"
#include "analysis/ir/promises.h"
#include "analysis/ir/reasons.h"
#include "analysis/ownership/ownership.h"

/* The load that the key is: an entry of a list that ascends. */
static gw_op sorted_entry(const gw_func *f, gw_value key) {
    gw_op op = key ? gw_value_at(f, key)->op : 0;
    if (!op || gw_op_at(f, op)->code != GW_OP_LOAD || gw_index_count(f, op) == 0) return 0;
    for (uint32_t i = 0; i + 1 < gw_index_count(f, op); i++) { /* d->list is of d[0] */
        int64_t c;
        if (!gw_const_int(f, gw_operand(f, op, i), &c)) return 0;
    }
    return gw_promised(f, GW_PROMISE_SORTED, gw_op_at(f, op)->object, gw_op_at(f, op)->path, "") ? op : 0;
}

static gw_value position_of(const gw_func *f, gw_op entry) {
    return gw_operand(f, entry, gw_index_count(f, entry) - 1);
}

static const char *name_of_list(const gw_func *f, gw_op entry) {
    const gw_func *of = f->primal ? f->primal : f;
    uint32_t i = 0;
    while (of->promises.at[i].kind != GW_PROMISE_SORTED ||
           !gw_promise_names(f, &of->promises.at[i], gw_op_at(f, entry)->object, gw_op_at(f, entry)->path, ""))
        i++;
    return gw_cstr(f->session, of->promises.at[i].name);
}

static gw_value behind_casts(const gw_func *f, gw_value v) {
    for (gw_op op = gw_value_at(f, v)->op; op && gw_op_at(f, op)->code == GW_OP_CAST;
         op = gw_value_at(f, v)->op) {
        gw_type from = gw_typeof(f, gw_operand(f, op, 0));
        if (!gw_type_is_integer(from) || gw_type_bits(from) > gw_type_bits(gw_typeof(f, v)) ||
            (gw_type_is_signed(from) && !gw_type_is_signed(gw_typeof(f, v))))
            break;
        v = gw_operand(f, op, 0);
    }
    return v;
}

bool gw_sorted_ascends(const gw_func *f, gw_value key, gw_value position) {
    gw_op entry = sorted_entry(f, key);
    return entry && behind_casts(f, position_of(f, entry)) == behind_casts(f, position);
}

bool gw_row_has_bounds(gw_func *f, gw_value v, bool trusting) {
    gw_probe probe;
    gw_probe_open(&probe, f);
    gw_interval range = trusting ? gw_bounds_trusting(&probe.bounds, v) : gw_bounds_of(&probe.bounds, v);
    gw_probe_close(&probe);
    return range.low && range.high;
}

bool gw_row_tells_thread(gw_func *f, gw_op add, const gw_value *numbers, uint32_t count) {
    gw_ownership o;
    gw_ownership_start(&o, f);
    bool tells = gw_position_tells_thread(&o, add, numbers, count, gw_op_at(f, add)->object);
    if (tells) gw_launch_check_more(&o);
    gw_ownership_end(&o);
    return tells;
}

gw_value gw_sorted_position(gw_func *f, gw_op add, gw_value key, gw_why *why) {
    gw_op entry = sorted_entry(f, key);
    *why = gw_because(GW_REASON_SORTED_ROWS);
    if (!entry) return 0;
    gw_value position = position_of(f, entry);
    if (!gw_row_has_bounds(f, position, true)) why->reason = GW_REASON_NO_BOUNDS_IN;
    else if (!gw_row_tells_thread(f, add, &position, 1)) why->reason = GW_REASON_NO_OWN_POSITION_IN;
    else why->reason = GW_REASON_ROWS_IN_ORDER;
    gw_why_add(f->session, why, name_of_list(f, entry), 0);
    return why->reason == GW_REASON_ROWS_IN_ORDER ? position : 0;
}
