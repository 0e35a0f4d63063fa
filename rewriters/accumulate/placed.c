/*
 * accumulate/placed.c - rows of threads at positions of a list, for the slots rung (accumulate/slots.c), where
 * no bound of a loop is known at the launch:
 *
 *     for (j = row[i]; j < row[i + 1]; j++)            // GW_SORTED(row): row j
 *         ... d_x[column[j]] += v ...
 *     for (j = start[b]; j < start[b + 1]; j++)        // GW_SORTED(start): row (j, c)
 *         ... d_table[index[j] * width + c] += v ...
 *
 * How often a thread comes to the addition nobody knows at the launch, but where in the list it is then tells
 * it from all others; where several threads, or iterations, have one position, a number that the key is made of
 * beside the entry may tell these apart. Each pair of both has a row of its own. How many positions there are
 * the caller of the launch says, as for rows of warps (accumulate/list.c); between which numbers the second one
 * lies the host computes (value_bound.c).
 *
 * Sound because
 *   - two threads, or one at two times, never come to the addition with one pair (position.c has the proof):
 *     each row is written once;
 *   - a pair for which there is no row stops the kernel;
 *   - the rest is as for rows of threads: what a row holds, and where it stands among those of its key, is the
 *     same on every run.
 *
 * Both numbers are guesses that the proof takes or leaves. What is left is an error with --deterministic, and
 * says which promise is missing.
 */
#include "rewriters/accumulate/slots_private.h"

#include "analysis/facts/facts.h"
#include "analysis/host_bounds/host_bounds.h"
#include "analysis/ir/promises.h"
#include "analysis/ir/query.h"
#include "analysis/ir/reasons.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH_MOST = 12, WITHIN_MOST = 4 };

/* A difference of two numbers that vary has bounds that are far apart: there would be rows for many pairs that
 * nobody has. */
static bool is_difference(const gw_func *f, gw_op op) {
    gw_value a, d;
    int64_t known;
    return gw_op_at(f, op)->code == GW_OP_SUB && !gw_const_int(f, gw_operand(f, op, 1), &known) &&
           !gw_is_remainder(f, op, &a, &d);
}

static bool holds_difference(const gw_func *f, gw_value v, int depth) {
    gw_op op = gw_value_at(f, v)->op;
    gw_opcode code = op ? gw_op_at(f, op)->code : GW_OP_CONST;
    if (code != GW_OP_ADD && code != GW_OP_MUL && code != GW_OP_CAST && code != GW_OP_SUB) return false;
    if (!depth || is_difference(f, op)) return true;
    for (uint32_t i = 0; i < gw_op_at(f, op)->operands && code != GW_OP_SUB; i++)
        if (holds_difference(f, gw_operand(f, op, i), depth - 1)) return true;
    return code == GW_OP_SUB && !gw_is_remainder(f, op, &(gw_value){0}, &(gw_value){0}) &&
           holds_difference(f, gw_operand(f, op, 0), depth - 1);
}

/* Numbers that the key is a sum with. */
static uint32_t find_within(gw_func *f, gw_op add, gw_value v, gw_value *out, uint32_t count, int depth) {
    gw_op op = gw_value_at(f, v)->op;
    if (!op || !depth) return count;
    const gw_op_data o = *gw_op_at(f, op);
    if ((o.code != GW_OP_ADD && o.code != GW_OP_SUB && o.code != GW_OP_CAST) || is_difference(f, op))
        return count;
    for (uint32_t i = 0; i < o.operands; i++) {
        gw_value part = gw_operand(f, op, i);
        int64_t known;
        bool whole = gw_type_is_integer(gw_typeof(f, part)) && !gw_const_int(f, part, &known) &&
                     !holds_difference(f, part, DEPTH_MOST);
        bool taken =
            whole && count < WITHIN_MOST && gw_is_there(f, part, add) && gw_row_has_bounds(f, part, false);
        if (taken) out[count++] = part;
        else count = find_within(f, add, part, out, count, depth - 1);
    }
    return count;
}

/* The load that tells where the range begins in which the position is. */
static gw_op range_of(const gw_func *f, gw_value v, int depth) {
    gw_op op = gw_value_at(f, v)->op, up = gw_region_at(f, gw_value_at(f, v)->region)->parent, found = 0;
    if (!depth) return 0;
    if (!op)
        return up && gw_op_at(f, up)->code == GW_OP_FOR && gw_value_at(f, v)->index == 0
                   ? range_of(f, gw_operand(f, up, 0), depth - 1)
                   : 0;
    const gw_op_data *o = gw_op_at(f, op);
    if (o->code == GW_OP_LOAD) return gw_index_count(f, op) ? op : 0;
    if (o->code != GW_OP_ADD && o->code != GW_OP_SUB && o->code != GW_OP_CAST) return 0;
    for (uint32_t i = 0; i < o->operands && !found; i++) found = range_of(f, gw_operand(f, op, i), depth - 1);
    return found;
}

static bool is_promised(const gw_func *f, gw_op load) {
    const gw_op_data *o = gw_op_at(f, load);
    return gw_promised(f, GW_PROMISE_SORTED, o->object, o->path, "") ||
           gw_promised(f, GW_PROMISE_DISJOINT_RANGES, o->object, o->path, ".x");
}

/* The list of which some loop around takes both ends of a range. */
static gw_op ends_of_range(const gw_func *f, gw_op add, const gw_place *at) {
    for (gw_op up = gw_op_around(f, add); up; up = gw_op_around(f, up)) {
        if (gw_op_at(f, up)->code != GW_OP_FOR) continue;
        gw_op first = range_of(f, gw_operand(f, up, 0), DEPTH_MOST),
              last = range_of(f, gw_operand(f, up, 1), DEPTH_MOST);
        if (!first) first = range_of(f, at->first, DEPTH_MOST);
        bool one = first && last && first != last && gw_op_at(f, first)->object == gw_op_at(f, last)->object;
        if (one && gw_object_at(f, gw_op_at(f, first)->object)->kind == GW_OBJECT_POINTER) return first;
    }
    return 0;
}

static gw_why explain(const gw_func *f, gw_op add, const gw_places *places) {
    for (uint32_t i = 0; i < places->count; i++) {
        gw_op load = ends_of_range(f, add, &places->at[i]);
        if (!load || is_promised(f, load)) continue;
        const gw_op_data *o = gw_op_at(f, load);
        bool pairs = strncmp(gw_cstr(f->session, o->path), "[].", 3) == 0;
        gw_why why = gw_because(pairs ? GW_REASON_UNBOUNDED_OVERLAPPING : GW_REASON_UNBOUNDED_UNSORTED);
        gw_why_add(f->session, &why, gw_cstr(f->session, gw_object_at(f, o->object)->name), 0);
        return why;
    }
    return gw_because(places->count ? GW_REASON_UNBOUNDED_UNTOLD : GW_REASON_UNBOUNDED_NO_LIST);
}

bool gw_placed_rows(gw_func *f, gw_op add, gw_value key, gw_placement *out, gw_why *why) {
    gw_places places = {.count = 0};
    gw_value within[1 + WITHIN_MOST] = {0};
    uint32_t count = 1;
    *out = (gw_placement){0, 0};
    if (!f->template_head) gw_list_places(f, NULL, add, key, &places);
    if (key) count += find_within(f, add, key, within + 1, 0, DEPTH_MOST);
    for (uint32_t i = 0; i < places.count && !out->position; i++) {
        gw_value position = gw_list_place_value(f, add, &places.at[i]);
        for (uint32_t k = 0; k < count && !out->position; k++) {
            gw_placement p = {position, within[k]};
            if (gw_row_tells_thread(f, add, (gw_value[]){p.position, p.within}, p.within ? 2 : 1)) *out = p;
        }
    }
    *why = out->position ? gw_because(GW_REASON_PLACED_ROWS) : explain(f, add, &places);
    if (!out->position || out->within) return out->position != 0;
    gw_builder b = {f, gw_op_at(f, add)->parent, add, gw_op_at(f, add)->loc};
    out->within = gw_int(&b, GW_T_I64, 0);
    return true;
}
