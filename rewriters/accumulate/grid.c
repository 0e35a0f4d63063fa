/*
 * accumulate/grid.c - the grid rung: a cell that all threads of a grid add into gets one addition a block
 * (contract: accumulate.h).
 *
 * The COLLECT stands where all threads of the block come, so they may meet there at barriers: each warp sums
 * its values as in accumulate/warp.c and writes the sums to shared memory, and one thread for each value adds
 * up what the warps wrote. The shared array is read by nothing else; a barrier before it is written keeps it
 * for those who still read the sums of the COLLECT before. Additions to the same cell commute.
 *
 * The block rung is the same where ownership proved that no other block comes to the cell, or the cell is in
 * shared memory: then the thread adds without an atomic, and in the same order on every run. Within the block
 * nobody else may be at the cell: all additions to the object that are not their thread's own take this rung,
 * else none does; those of one COLLECT have different cells (accumulate/warp.c); and before and behind the
 * addition stands a barrier, so that it meets no other access of the block (a thread may have read its own cell
 * there without one). Where no thread adds, nothing is written, so an address that no thread would have reached
 * is not either.
 *
 * A short loop over such cells, for (k = 0; k < 25; k++) d_weights[k] += ..., is written out: then all its
 * values are summed together, outside of any branch, instead of one in each iteration.
 */
#include "analysis/ir/passes.h"
#include "analysis/ir/rungs.h"
#include "rewriters/accumulate/accumulate_private.h"
#include "analysis/ir/restructure.h"
#include "rewriters/adjoint/adjoint.h"
#include "analysis/clean/clean.h"
#include "analysis/ownership/ownership.h"

#include <stdlib.h>

enum { MOST_WARPS = 32, MOST_VALUES = 32, MOST_OPS = 1024 };

static gw_object sums(gw_func *f, gw_type type, uint32_t values) {
    gw_session *s = f->session;
    gw_type whole = gw_type_array(s, gw_type_array(s, type, values), MOST_WARPS);
    gw_str name = gw_intern(s, "warp_sums");
    for (gw_object o = 1; o < f->objects.count; o++)
        if (gw_object_at(f, o)->kind == GW_OBJECT_SHARED && gw_object_at(f, o)->name == name &&
            gw_object_at(f, o)->type == whole)
            return o;
    gw_object made = gw_object_new(f, GW_OBJECT_SHARED, name, whole);
    gw_object_at(f, made)->type_text = s->types.at[type].name;
    return made;
}

static void turn_into(gw_func *f, gw_op collect, gw_accumulate how) {
    gw_op add = collect;
    for (uint32_t i = 1; i < gw_op_at(f, collect)->operands; i++) {
        add = gw_prev(f, add);
        gw_ownership_raise(f, add, how);
    }
    gw_op_at(f, collect)->attr = (uint16_t)how;
}

void gw_rung_by_warps(gw_func *f, gw_op collect) { turn_into(f, collect, GW_ACCUMULATE_WARP); }

/* ---- the block rung ---- */
static bool adds_otherwise(const gw_func *f, gw_object object) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        bool owned = o->attr == GW_ACCUMULATE_PLAIN || o->attr == GW_ACCUMULATE_POSTED;
        if (!o->dead && o->code == GW_OP_ACCUM && o->object == object && !owned &&
            o->attr != GW_ACCUMULATE_BLOCK)
            return true;
    }
    return false;
}

static bool is_block_only(const gw_func *f, gw_op collect) {
    gw_op add = collect;
    for (uint32_t i = 1; i < gw_op_at(f, collect)->operands; i++) {
        add = gw_prev(f, add);
        if (adds_otherwise(f, gw_op_at(f, add)->object)) return false;
    }
    return true;
}

/* One that takes another rung may be the reason for others to. */
static void keep_apart(gw_func *f) {
    for (bool changed = true; changed;) {
        changed = false;
        for (gw_op op = 1; op < f->ops.count; op++) {
            const gw_op_data *o = gw_op_at(f, op);
            if (o->dead || o->code != GW_OP_COLLECT || o->attr != GW_ACCUMULATE_BLOCK || is_block_only(f, op))
                continue;
            bool by_warps = f->session->options.deterministic ||
                            gw_object_at(f, gw_op_at(f, gw_prev(f, op))->object)->kind == GW_OBJECT_SHARED;
            turn_into(f, op, by_warps ? GW_ACCUMULATE_WARP : GW_ACCUMULATE_GRID);
            changed = true;
        }
    }
}

void gw_rung_grid(gw_func *f) {
    uint64_t used, room = gw_adjoint_shared_room(f, &used);
    keep_apart(f);
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead || o->code != GW_OP_COLLECT || !gw_accumulates_by_block(o->attr)) continue;
        gw_op add = gw_prev(f, op);
        gw_type type = gw_typeof(f, gw_operand(f, add, gw_index_count(f, add)));
        uint32_t objects = f->objects.count, values = o->operands - 1;
        uint64_t bytes = (uint64_t)MOST_WARPS * values * gw_type_bytes(type);
        if (bytes > room) {
            gw_rung_by_warps(f, op);
            continue;
        }
        gw_object made = sums(f, type, values);
        gw_op_at(f, op)->object = made;
        if (f->objects.count > objects) room -= bytes;
    }
}

/* ---- loops over such cells ---- */
static uint32_t count_ops(const gw_func *f, gw_region r) {
    uint32_t n = 0;
    for (gw_op op = gw_first(f, r); op; op = gw_walk(f, op, r)) n++;
    return n;
}

static bool changes_in(const gw_func *f, gw_region body, gw_op add) {
    for (uint32_t i = 0; i < gw_index_count(f, add); i++)
        if (!gw_value_visible(f, gw_operand(f, add, i), gw_region_outside(f, body))) return true;
    return false;
}

/* Additions of the loop to cells that all threads of the grid reach, another cell in each iteration. */
static uint32_t count_cells(const gw_uniform *u, gw_region body, gw_region r) {
    const gw_func *f = u->f;
    uint32_t n = 0;
    for (gw_op op = gw_first(f, r); op; op = gw_walk(f, op, r)) {
        const gw_op_data *o = gw_op_at(f, op);
        if (!gw_rung_climbs(f, op) || gw_object_at(f, o->object)->kind == GW_OBJECT_SHARED) continue;
        bool one = true;
        for (uint32_t i = 0; i < gw_index_count(f, op); i++)
            one &= u->value[gw_operand(f, op, i)] == GW_UNIFORM_GRID;
        n += one && changes_in(f, body, op);
    }
    return n;
}

/* All iterations have one v: it is made of what stands before the loop, and of memory that the loop leaves
 * alone. */
static bool stays(const gw_func *f, gw_op loop, gw_value v) {
    const gw_op op = gw_value_at(f, v)->op;
    if (gw_value_visible(f, v, gw_op_at(f, loop)->parent)) return true;
    if (!op || gw_op_at(f, op)->parent != gw_loop_body(f, loop) || gw_op_at(f, op)->regions) return false;
    const gw_op_data *o = gw_op_at(f, op);
    const bool reads = o->code == GW_OP_LOAD && !(o->flags & GW_OP_STALE) && !gw_accesses_shared(f, op) &&
                       !gw_touches(f, loop, o->object, GW_TOUCH_WRITE);
    if (gw_op_rows[o->code].effect != GW_EFFECT_PURE && !reads) return false;
    for (uint32_t i = 0; i < o->operands; i++)
        if (!stays(f, loop, gw_operand(f, op, i))) return false;
    return true;
}

/* v grows by one from iteration to iteration, as the index does. */
static bool goes_along(const gw_func *f, gw_op loop, gw_value v) {
    const gw_op op = gw_value_at(f, v)->op;
    const gw_value index = gw_arg(f, gw_loop_body(f, loop), 0);
    if (v == index || !op) return v == index;
    const uint16_t code = gw_op_at(f, op)->code;
    if (code == GW_OP_CAST) return goes_along(f, loop, gw_operand(f, op, 0));
    for (uint32_t i = 0; i < 2 && code == GW_OP_ADD; i++)
        if (stays(f, loop, gw_operand(f, op, !i)) && goes_along(f, loop, gw_operand(f, op, i))) return true;
    return false;
}

/* Additions of the loop to the elements of a record, one an iteration, of which lanes have different ones. */
static uint32_t count_records(const gw_uniform *u, gw_op loop, uint32_t trips) {
    const gw_func *f = u->f;
    uint32_t n = 0;
    for (gw_op op = gw_first(f, gw_loop_body(f, loop)); op && !gw_holds_barrier(f, loop); op = gw_next(f, op)) {
        const uint32_t indices = gw_op_at(f, op)->code == GW_OP_ACCUM ? gw_index_count(f, op) : 0;
        if (!indices || !gw_rung_climbs(f, op) || !goes_along(f, loop, gw_operand(f, op, indices - 1)))
            continue;
        bool one = true, apart = false;
        for (uint32_t i = 0; i < indices; i++) {
            one &= i + 1 == indices || stays(f, loop, gw_operand(f, op, i));
            apart |= u->value[gw_operand(f, op, i)] == GW_DIVERGENT;
        }
        n += one && apart && gw_rung_bulk_pays(f, op, trips);
    }
    return n;
}

/* What stays goes in front of a loop that runs: the record of its elements is one value then. */
static void lead_out(gw_func *f, gw_op loop) {
    for (gw_op op = gw_first(f, gw_loop_body(f, loop)), next; op; op = next) {
        next = gw_next(f, op);
        if (gw_op_at(f, op)->results == 1 && stays(f, loop, gw_result(f, op, 0)))
            gw_op_move(f, op, gw_op_at(f, loop)->parent, loop);
    }
}

static bool write_out(gw_func *f, const gw_uniform *u, gw_op loop) {
    int64_t index[MOST_VALUES];
    if (gw_op_at(f, loop)->code != GW_OP_FOR || gw_op_at(f, loop)->flags & GW_OP_EXIT ||
        gw_holds_record(f, loop))
        return false;
    gw_region body = gw_loop_body(f, loop);
    uint32_t trips = gw_list_trips(f, loop, index, MOST_VALUES), cells = count_cells(u, body, body);
    if (!trips || trips > MOST_VALUES || trips * count_ops(f, body) > MOST_OPS) return false;
    const int64_t step = gw_loop_step(f, loop);
    const bool is_record = (step == 1 || step == -1) && count_records(u, loop, trips);
    if ((!cells || trips * cells > MOST_VALUES) && !is_record) return false;
    if (is_record) lead_out(f, loop);
    gw_write_out_loop(f, loop, index, trips);
    return true;
}

/* The innermost first. */
static bool write_out_in(gw_func *f, const gw_uniform *u, gw_region r) {
    for (gw_op op = gw_first(f, r); op; op = gw_next(f, op)) {
        for (uint32_t i = 0; i < gw_op_at(f, op)->regions; i++)
            if (write_out_in(f, u, gw_op_at(f, op)->region[i])) return true;
        if (gw_is_loop(f, op) && write_out(f, u, op)) return true;
    }
    return false;
}

void gw_rung_write_out(gw_func *f) {
    if (f->session->options.deterministic) return;
    for (bool changed = true; changed;) {
        gw_uniform u;
        gw_uniform_new(&u, f);
        changed = write_out_in(f, &u, f->entry);
        gw_uniform_free(&u);
        if (changed) gw_clean(f);
    }
}
