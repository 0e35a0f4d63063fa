/*
 * accumulate/vector.c - the vector rung: atomic additions of one thread to floats side by side, an aligned pair
 * or four, are made by one instruction (contract: accumulate.h): components of a float2 or float4, members of a
 * struct that is aligned to 8 or 16 bytes, elements of an array in it.
 *
 * Sound: each float's addition is as atomic as it was (the instruction promises no more). They lie in memory
 * that a kernel is given, so it is global; and their types say that a pair or all four are aligned to their
 * size (accumulate/place.c). The additions are brought together in front of the last of them: what they pass
 * touches their object only by additions, and is no point where threads meet. Emission looks for neighbours
 * again (emit/text/vector.c), so that a later pass may take them apart.
 */
#include "analysis/ir/run.h"
#include "analysis/ir/rungs.h"
#include "rewriters/accumulate/accumulate_private.h"
#include "analysis/facts/facts.h"
#include "analysis/clean/clean.h"
#include "analysis/ownership/ownership.h"
#include "analysis/ir/optional.h"

#include <string.h>

enum { MOST_COMPONENTS = 4, FLOAT = 4, PAIR = 2 * FLOAT, FOUR = 4 * FLOAT };

/* A float in the caller's memory that may be one of an aligned pair. */
static bool place(const gw_func *f, gw_op op, gw_rung_cell *c) {
    const gw_op_data *o = gw_op_at(f, op);
    if (gw_object_at(f, o->object)->kind != GW_OBJECT_POINTER && !gw_cell_behind_pointer(f, o->object, o->path))
        return false;
    return gw_stored_type(f, o->object, o->path) == GW_T_F32 && gw_rung_place(f, op, c) && c->align >= PAIR &&
           c->offset % FLOAT == 0;
}

/* Its number among the four floats that begin at a multiple of 16 bytes, seen from the element. */
static uint32_t component(const gw_rung_cell *c) { return (uint32_t)(c->offset % FOUR / FLOAT); }

uint32_t gw_rung_vector_length(const gw_func *f, gw_op first) {
    uint32_t length = 1;
    gw_rung_cell c;
    gw_op op = first;
    for (gw_op next = gw_next(f, op); length < MOST_COMPONENTS && next;
         op = next, next = gw_next(f, op), length++)
        if (gw_op_at(f, next)->code != GW_OP_ACCUM || gw_op_at(f, next)->attr != GW_ACCUMULATE_VECTOR ||
            !gw_rung_next_cell(f, op, next))
            break;
    if (!place(f, first, &c)) return 1;
    if (component(&c) == 0 && c.align >= FOUR && length == 4) return 4;
    return component(&c) % 2 == 0 && length >= 2 ? 2 : 1;
}

static bool is_wanted(const gw_func *f, gw_op op, gw_rung_cell *c) {
    const gw_op_data *o = gw_op_at(f, op);
    if (o->dead || o->code != GW_OP_ACCUM || o->attr != GW_ACCUMULATE_ATOMIC || !place(f, op, c)) return false;
    gw_rung rung = gw_asked_rung_at(f, op);
    return rung == GW_RUNG_AUTO || rung == GW_RUNG_VECTOR;
}

/* The first addition of the region to each of the four floats of which `like` adds to one. */
static void find(const gw_func *f, gw_op like, const gw_rung_cell *in, gw_op found[MOST_COMPONENTS]) {
    gw_rung_cell c;
    memset(found, 0, MOST_COMPONENTS * sizeof *found);
    for (gw_op op = gw_first(f, gw_op_at(f, like)->parent); op; op = gw_next(f, op))
        if (is_wanted(f, op, &c) && c.offset / FOUR == in->offset / FOUR &&
            gw_rung_same_element(f, like, in, op, &c) && !found[component(&c)])
            found[component(&c)] = op;
}

/* Components `from` to `to` come together if all are there and free to move. */
static bool join(gw_func *f, const gw_op found[MOST_COMPONENTS], uint32_t from, uint32_t to) {
    gw_op last = 0;
    for (uint32_t i = from; i < to; i++)
        if (!found[i]) return false;
    for (gw_op op = gw_first(f, gw_op_at(f, found[from])->parent); op; op = gw_next(f, op))
        for (uint32_t i = from; i < to; i++)
            if (found[i] == op) last = op;
    for (uint32_t i = from; i < to; i++)
        if (found[i] != last && gw_cannot_pass(f, found[i], last, gw_op_at(f, last)->object)) return false;
    for (uint32_t i = from; i < to; i++)
        if (gw_asked_rung_at(f, found[i]) == GW_RUNG_AUTO && !gw_takes(f->session, GW_OPTIONAL_VECTOR))
            return false;
    gw_op behind = gw_next(f, last);
    for (uint32_t i = from; i < to; i++) {
        gw_op_move(f, found[i], gw_op_at(f, last)->parent, behind);
        gw_ownership_raise(f, found[i], GW_ACCUMULATE_VECTOR);
    }
    return true;
}

void gw_rung_vector(gw_func *f) {
    bool any = false;
    gw_rung_cell c;
    for (gw_op op = 1; op < f->ops.count; op++) any |= is_wanted(f, op, &c);
    if (any) gw_cse(f); /* elements are told apart by value */
    for (gw_op op = 1; op < f->ops.count && any; op++) {
        gw_op found[MOST_COMPONENTS];
        if (!is_wanted(f, op, &c)) continue;
        find(f, op, &c, found);
        if (c.align >= FOUR && join(f, found, 0, 4)) continue;
        join(f, found, 0, 2);
        join(f, found, 2, 4);
    }
}
