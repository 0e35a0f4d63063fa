/*
 * accumulate/cache.c - the cache rung: cells that only run time tells, of which a block's threads have few, are
 * summed in the block's shared memory (gw_cache_add, cache.cuh; contract: accumulate.h).
 *
 *     gw_cache_begin<float>();
 *     ... gw_cache_add(&d_surface[cell], v); ...
 *     gw_cache_end<float>();                            // each cell of the cache has one atomic addition
 *
 * Sound: each value is added to its cell once, by an atomic addition to the cache or to the cell, and what the
 * cache has to its cell at the kernel's end. So additions come late: the kernel does nothing else to the cells
 * than to add atomically, which commutes; nobody reads them or adds plainly. All threads of the block come to
 * the beginning and the end of a kernel, which has no way out between.
 *
 * Chosen where a number of an array is looked up at a place that is computed of floats, as an interpolation
 * does: threads meet there, where the array is short, or where what is looked up lies close together. Not where
 * a loop's index has a part in the place, as in records that are gone through, nor where the place is read from
 * memory, as of long lists (docs/performance.md has what it gains and costs), nor where the launch sizes shared
 * memory, which the user may have to the last byte.
 */
#include "analysis/facts/facts.h"
#include "analysis/ir/passes.h"
#include "analysis/ir/query.h"
#include "analysis/ir/reasons.h"
#include "analysis/ir/rungs.h"
#include "analysis/ownership/ownership.h"
#include "rewriters/accumulate/accumulate_private.h"
#include "rewriters/adjoint/adjoint.h"
#include "analysis/ir/optional.h"

#include <string.h>

enum { CELLS = 512 /* GW_CACHE_CELLS (cache.cuh) */, FLOATS = CELLS * 12, DOUBLES = CELLS * 16 };

/* ---- room in shared memory ---- */
static uint64_t taken_by_caches(const gw_func *f) {
    bool floats = false, doubles = false;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead || o->code != GW_OP_ACCUM || o->attr != GW_ACCUMULATE_CACHE) continue;
        const bool wide = gw_stored_type(f, o->object, o->path) == GW_T_F64;
        doubles |= wide;
        floats |= !wide;
    }
    return (uint64_t)(floats ? FLOATS : 0) + (uint64_t)(doubles ? DOUBLES : 0);
}

bool gw_rung_has_room(const gw_func *f, uint64_t bytes) {
    uint64_t used;
    return gw_adjoint_shared_room(f, &used) >= bytes + taken_by_caches(f);
}

bool gw_rung_launch_sizes(const gw_func *f) {
    for (gw_object o = 1; o < f->objects.count; o++)
        if (gw_object_at(f, o)->kind == GW_OBJECT_SHARED && gw_object_at(f, o)->sized) return true;
    return false;
}

/* ---- a place that is computed ---- */
typedef struct maker {
    bool of_floats, of_others;
} maker;

/* The same for all threads of a block, and for all turns of a loop: a guess where it is a cell that somebody
 * may write, of which nothing but speed depends. */
static bool is_common(const gw_uniform *u, gw_value v) {
    const gw_func *f = u->f;
    const gw_value_data *d = gw_value_at(f, v);
    if (!d->op) return !d->region || d->region == f->entry; /* else a loop's own */
    if (gw_op_at(f, d->op)->code != GW_OP_LOAD)
        return u->value[v] <= GW_UNIFORM_BLOCK && !gw_loop_around(f, d->op);
    bool common = true;
    for (uint32_t i = 0; i < gw_op_at(f, d->op)->operands; i++)
        common &= u->value[gw_operand(f, d->op, i)] <= GW_UNIFORM_BLOCK;
    return common;
}

static void look(const gw_uniform *u, gw_value v, maker *m) {
    const gw_func *f = u->f;
    const gw_op op = gw_value_at(f, v)->op;
    if (m->of_others || is_common(u, v)) return;
    if (op && gw_op_at(f, op)->code == GW_OP_CAST && gw_type_is_float(gw_typeof(f, gw_operand(f, op, 0)))) {
        m->of_floats = true;
    } else if (op && gw_op_at(f, op)->code == GW_OP_IF) {
        for (unsigned side = 0; side < 2; side++)
            look(u, gw_yielded(f, gw_op_at(f, op)->region[side], gw_value_at(f, v)->index), m);
    } else if (op && gw_is_cheap(f, op)) {
        const bool chooses = gw_op_at(f, op)->code == GW_OP_SELECT;
        for (uint32_t i = chooses; i < gw_op_at(f, op)->operands; i++) look(u, gw_operand(f, op, i), m);
    } else {
        m->of_others = true;
    }
}

static bool is_looked_up(const gw_uniform *u, gw_op add) {
    maker m = {false, false};
    for (uint32_t i = 0; i < gw_index_count(u->f, add); i++) look(u, gw_operand(u->f, add, i), &m);
    return m.of_floats && !m.of_others;
}

/* The last that the path says is that it is an element of an array. */
static bool is_plain_number(const gw_func *f, gw_op add) {
    const char *path = gw_cstr(f->session, gw_op_at(f, add)->path);
    const size_t length = strlen(path);
    return length >= 2 && strcmp(path + length - 2, "[]") == 0;
}

/* ---- the rung ---- */
static bool may_take(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    if (o->dead || o->code != GW_OP_ACCUM || o->attr != GW_ACCUMULATE_ATOMIC) return false;
    const gw_rung rung = gw_asked_rung_at(f, op);
    if (rung != GW_RUNG_CACHE && rung != GW_RUNG_AUTO) return false;
    const gw_type type = gw_stored_type(f, o->object, o->path);
    return gw_object_at(f, o->object)->kind != GW_OBJECT_SHARED && (type == GW_T_F32 || type == GW_T_F64);
}

static bool pays(const gw_uniform *u, gw_op op) {
    const gw_func *f = u->f;
    return !f->session->options.deterministic && is_plain_number(f, op) && !gw_rung_launch_sizes(f) &&
           is_looked_up(u, op);
}

void gw_rung_cache(gw_func *f) {
    bool any = false;
    for (gw_op op = 1; op < f->ops.count; op++) any |= may_take(f, op);
    if (!any || !gw_is_gradient_kernel(f)) return;
    gw_uniform u;
    gw_uniform_new(&u, f);
    for (gw_op op = 1; op < f->ops.count; op++) {
        if (!may_take(f, op) || !gw_rung_adds_atomically(f, op) || !gw_rung_has_room(f, DOUBLES)) continue;
        const bool asked = gw_asked_rung_at(f, op) == GW_RUNG_CACHE;
        if (!asked && !(pays(&u, op) && gw_takes(f->session, GW_OPTIONAL_CACHE))) continue;
        if (!asked)
            gw_ownership_choose(
                f, op, (gw_rung_choice){.rung = GW_RUNG_CACHE, .why = gw_because(GW_REASON_LOOKED_UP)});
        gw_ownership_raise(f, op, GW_ACCUMULATE_CACHE);
    }
    gw_uniform_free(&u);
}
