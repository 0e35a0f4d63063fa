/*
 * rung_vector.c - the vector rung: atomic additions of one thread to components of a float2 or float4 that lie side by side are
 * made by one instruction (contract: accumulate.h).
 *
 * Sound: each component's addition is as atomic as it was (the instruction promises no more), and they lie in a float2
 * or float4 in memory that a kernel is given (of an array, or a member of an element), so it is global and a pair or all four are aligned to their size. The additions
 * are brought together in front of the last of them: what they pass touches their object only by additions, and is no point where
 * threads meet. Emission looks for neighbours again (emit_vector.c), so that a later pass may take them apart.
 */
#include "accumulate.h"
#include "asked.h"
#include "dce.h"
#include "ownership.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_COMPONENTS = 4 };
static const char names[] = "xyzw";

/* The number of the component of a float2 or float4 that an access reaches, an element of the array or a member of one;
 * MOST_COMPONENTS: it reaches none in the caller's memory. */
static uint32_t component(const gw_func *f, gw_op op) {
    const gw_session *s = f->session;
    const gw_op_data *o = gw_op_at(f, op);
    const char *path = gw_cstr(s, o->path), *dot = strrchr(path, '.'), *name = dot && strlen(dot) == 2 ? strchr(names, dot[1]) : NULL;
    if (!name || (gw_object_at(f, o->object)->kind != GW_OBJECT_POINTER && !gw_cell_behind_pointer(f, o->object, o->path))) return MOST_COMPONENTS;
    char *around = gw_format("%.*s", (int)(dot - path), path);
    const gw_type_data *type = &s->types.at[gw_cell_type(f, o->object, gw_intern(f->session, around))];
    free(around);
    const char *word = type->kind == GW_TYPE_STRUCT ? gw_cstr(s, type->name) : "";
    return strcmp(word, "float2") == 0 || strcmp(word, "float4") == 0 ? (uint32_t)(name - names) : MOST_COMPONENTS;
}

uint32_t gw_rung_vector_length(const gw_func *f, gw_op first) {
    uint32_t length = 1, at = component(f, first);
    gw_op op = first;
    for (gw_op next = gw_next(f, op); length < MOST_COMPONENTS && next; op = next, next = gw_next(f, op), length++)
        if (gw_op_at(f, next)->code != GW_OP_ACCUM || gw_op_at(f, next)->attr != GW_ACCUMULATE_VECTOR || !gw_rung_next_cell(f, op, next)) break;
    if (at == 0 && length == 4) return 4;
    return at % 2 == 0 && at < MOST_COMPONENTS && length >= 2 ? 2 : 1;
}

static bool is_wanted(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    if (o->dead || o->code != GW_OP_ACCUM || o->attr != GW_ACCUMULATE_ATOMIC || component(f, op) == MOST_COMPONENTS) return false;
    gw_rung rung = gw_asked_rung_at(f, op);
    return rung == GW_RUNG_AUTO || rung == GW_RUNG_VECTOR;
}

static bool same_element(const gw_func *f, gw_op a, gw_op b) {
    const char *p = gw_cstr(f->session, gw_op_at(f, a)->path), *q = gw_cstr(f->session, gw_op_at(f, b)->path);
    size_t n = strlen(p);
    if (gw_op_at(f, a)->object != gw_op_at(f, b)->object || n != strlen(q) || strncmp(p, q, n - 1) != 0) return false;
    for (uint32_t i = 0; i < gw_index_count(f, a); i++)
        if (gw_operand(f, a, i) != gw_operand(f, b, i)) return false;
    return true;
}

/* The first addition of the region to each component of the element of `like`. */
static void find(const gw_func *f, gw_op like, gw_op found[MOST_COMPONENTS]) {
    memset(found, 0, MOST_COMPONENTS * sizeof *found);
    for (gw_op op = gw_first(f, gw_op_at(f, like)->parent); op; op = gw_next(f, op))
        if (is_wanted(f, op) && same_element(f, op, like) && !found[component(f, op)]) found[component(f, op)] = op;
}

/* Of components `from` to `to`, all there and free to come together. */
static bool join(gw_func *f, const gw_op found[MOST_COMPONENTS], uint32_t from, uint32_t to) {
    gw_op last = 0;
    for (uint32_t i = from; i < to; i++)
        if (!found[i]) return false;
    for (gw_op op = gw_first(f, gw_op_at(f, found[from])->parent); op; op = gw_next(f, op))
        for (uint32_t i = from; i < to; i++)
            if (found[i] == op) last = op;
    for (uint32_t i = from; i < to; i++)
        if (found[i] != last && gw_cannot_pass(f, found[i], last, gw_op_at(f, last)->object)) return false;
    gw_op behind = gw_next(f, last);
    for (uint32_t i = from; i < to; i++) {
        gw_op_move(f, found[i], gw_op_at(f, last)->parent, behind);
        gw_ownership_raise(f, found[i], GW_ACCUMULATE_VECTOR);
    }
    return true;
}

void gw_rung_vector(gw_func *f) {
    bool any = false;
    for (gw_op op = 1; op < f->ops.count; op++) any |= is_wanted(f, op);
    if (any) gw_cse(f); /* elements are told apart by value */
    for (gw_op op = 1; op < f->ops.count && any; op++) {
        gw_op found[MOST_COMPONENTS];
        if (!is_wanted(f, op)) continue;
        find(f, op, found);
        if (join(f, found, 0, 4)) continue;
        join(f, found, 0, 2);
        join(f, found, 2, 4);
    }
}
