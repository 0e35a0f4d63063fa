/*
 * accumulate/copies.c - the copies rung: cells to which every block adds, d_gain[k] for k = threadIdx.x,
 * threadIdx.x + 256, ..., have copies in the workspace, of which a block takes one.
 *
 *     float *const d_gain_copy = gw_copy_of_block(d_gain, d_gain_copies);
 *     ... gw_atomic_add(&d_gain_copy[k], v); ...   // as many blocks as before, but at C places
 *
 * The L2 makes additions to one sector one after the other, so a few hot cells hold up the chip; C copies of
 * them do so for a C-th of the time. Copies are zeroed by the launch, and summed behind the kernel by one
 * thread a cell (gradwright/emitted/copies.cuh).
 *
 * Sound because
 *   - the additions are the same and as atomic as they were, since several blocks may have one copy; only their
 *     order changes;
 *   - nothing but additions reaches the object in this kernel, so nobody sees that some of them come late;
 *     others may go to the object itself: the sum behind the kernel is made when these are over;
 *   - a copy has the cells 0 .. n - 1, where the host finds from the launch that no index is less than 0 or
 *     above n - 1 (value_bound.c). If it finds another, or so many cells that copies would not pay, the kernel
 *     is given none, and adds to the object itself. What value_bound.c takes for granted is asked for here: its
 *     64-bit arithmetic cannot overflow, and no index wraps around.
 *
 * Where the warps of a block have the same cells (rows of a warp each), the block sums them in shared memory,
 * and adds the sums to its copy when it ends. All of its threads come there: the kernel has no way out between.
 *
 * By itself the rung is taken where each block adds to the same cells. A kernel that has no workspace else can
 * do without one: f_grad<<<>>> and a launch that is given none add to the objects themselves (kernel.c writes
 * two kernels with one body). How many copies a launch gets is in copies.cuh.
 */
#include "analysis/ir/reasons.h"
#include "analysis/ir/rungs.h"
#include "rewriters/accumulate/accumulate_private.h"
#include "rewriters/reduce/reduce.h"
#include "rewriters/tape/tape.h"
#include "rewriters/workspace/workspace.h"
#include "analysis/facts/facts.h"
#include "analysis/ir/passes.h"
#include "analysis/ownership/ownership.h"
#include "analysis/ir/restructure.h"
#include "rewriters/adjoint/adjoint.h"
#include "rewriters/formula/formula.h"
#include "analysis/ir/optional.h"
#include "analysis/ir/query.h"

#include <stdlib.h>
#include <string.h>

/* ---- what can be done ---- */

/* The type is made of numbers of the type alone. */
static bool is_made_of(const gw_session *s, gw_type whole, gw_type number) {
    const gw_type_data *d = &s->types.at[whole];
    bool all = d->kind == GW_TYPE_STRUCT;
    if (whole == number) return true;
    if (d->kind == GW_TYPE_ARRAY) return is_made_of(s, d->element, number);
    for (uint32_t i = 0; i < d->count && all; i++) all = is_made_of(s, s->fields.at[d->first + i].type, number);
    return all;
}

/* x[i], x[i].v, x[i].v[2], x[i][2]: of an array that is a parameter, one index varies. */
static bool has_one_index(const gw_func *f, gw_op add) {
    const gw_session *s = f->session;
    const gw_op_data *o = gw_op_at(f, add);
    const gw_object_data *d = gw_object_at(f, o->object);
    const char *path = gw_cstr(s, o->path);
    bool good =
        d->kind == GW_OBJECT_POINTER && !d->is_container && !d->is_reference && strncmp(path, "[]", 2) == 0;
    uint32_t next = 1;
    for (const char *at = good ? strstr(path + 2, "[]") : NULL; at && good; at = strstr(at + 2, "[]")) {
        char *before = gw_format("%.*s", (int)(at - path - 2), path + 2);
        const gw_type_data *t = &s->types.at[gw_type_at_path(s, d->type, before)];
        int64_t c;
        good = t->kind == GW_TYPE_ARRAY && gw_const_int(f, gw_operand(f, add, next++), &c) && c >= 0 &&
               c < t->count;
        free(before);
    }
    return good;
}

typedef struct verdict {
    gw_reason why_not;
    bool per_block;
} verdict;

static verdict look(gw_func *f, gw_op add) {
    const gw_session *s = f->session;
    const gw_op_data *o = gw_op_at(f, add);
    const gw_object_data *d = gw_object_at(f, o->object);
    gw_type type = gw_typeof(f, gw_operand(f, add, gw_index_count(f, add)));
    if (s->options.deterministic) return (verdict){.why_not = GW_REASON_NO_FIXED_ORDER};
    if (d->kind == GW_OBJECT_SHARED) return (verdict){.why_not = GW_REASON_LIES_IN_SHARED};
    if (!has_one_index(f, add)) return (verdict){.why_not = GW_REASON_NO_PARAMETER};
    if ((type != GW_T_F32 && type != GW_T_F64) || !is_made_of(s, d->type, type))
        return (verdict){.why_not = GW_REASON_MIXED_ELEMENTS};
    if (!gw_rung_adds_only(f, o->object)) return (verdict){.why_not = GW_REASON_ADJOINT_IS_READ};
    gw_probe probe;
    gw_probe_open(&probe, f);
    bool per_block = false, bounded = gw_copied_index(&probe.bounds, add, &per_block) != 0;
    gw_probe_close(&probe);
    return (verdict){bounded ? GW_REASON_NONE : GW_REASON_UNBOUNDED_INDEX, per_block};
}

/* ---- sums of a block ---- */
enum { SUMS_BYTES = 12288 /* GW_SUMS_BYTES (copies.cuh) */ };

/* All warps of a block have the numbers that one has: the thread's place in its warp has a part in them, and
 * that of the warp has none. */
static bool is_of_lane(const gw_func *f, gw_value v, uint32_t *left) {
    const gw_op op = gw_value_at(f, v)->op;
    int64_t c;
    if (*left == 0) return false;
    --*left;
    if (!op) {
        const gw_op loop = gw_region_at(f, gw_value_at(f, v)->region)->parent;
        return !loop || (gw_op_at(f, loop)->code == GW_OP_FOR && gw_value_at(f, v)->index == 0 &&
                         is_of_lane(f, gw_operand(f, loop, 0), left) &&
                         is_of_lane(f, gw_operand(f, loop, 2), left));
    }
    const gw_op_data *o = gw_op_at(f, op);
    if (o->code == GW_OP_SPECIAL) return o->attr / 4 != GW_THREAD_IDX;
    const bool cuts = o->code == GW_OP_REM || o->code == GW_OP_AND;
    if (cuts && gw_const_int(f, gw_operand(f, op, 1), &c) && c == (o->code == GW_OP_REM ? 32 : 31)) return true;
    if (gw_op_rows[o->code].effect != GW_EFFECT_PURE || o->regions) return false;
    for (uint32_t i = 0; i < o->operands; i++)
        if (!is_of_lane(f, gw_operand(f, op, i), left)) return false;
    return true;
}

/* The loop that adds clears seeds too, which are as many stores again: additions to the L2 wait for these. Else
 * turns at the shared memory cost more than they save (docs/log/gpu-kernels.md). */
static bool clears_seeds(const gw_func *f, gw_op add) {
    const gw_op loop = gw_loop_around(f, add);
    for (gw_op op = loop; op; op = gw_walk_op(f, op, loop)) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->code == GW_OP_STORE && gw_object_at(f, o->object)->kind == GW_OBJECT_POINTER &&
            gw_is_zero(f, gw_operand(f, op, o->operands - 1)))
            return true;
    }
    return false;
}

static bool may_sum(const gw_func *f, gw_object object) {
    const gw_type type = gw_object_at(f, object)->type;
    bool any = false;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        uint32_t left = 64;
        if (o->dead || o->code != GW_OP_ACCUM) continue;
        if (o->attr == GW_ACCUMULATE_BULK || o->attr == GW_ACCUMULATE_CACHE) return false; /* these have it */
        if (o->object != object || o->attr != GW_ACCUMULATE_COPIES) continue;
        any = true;
        if (!is_of_lane(f, gw_operand(f, op, 0), &left) || !clears_seeds(f, op)) return false;
    }
    return any && (type == GW_T_F32 || type == GW_T_F64);
}

/* The warps of a block meet at each cell, so what it adds to the L2 is divided by how many they are; and there
 * is room in its shared memory. */
bool gw_rung_sums_in_block(const gw_func *f, gw_object object) {
    uint64_t used, room = gw_adjoint_shared_room(f, &used);
    if (gw_rung_launch_sizes(f) || !may_sum(f, object)) return false;
    for (gw_object o = 1; o <= object; o++) {
        if (!may_sum(f, o)) continue;
        if (room < SUMS_BYTES) return false;
        room -= SUMS_BYTES;
    }
    return gw_takes(f->session, GW_OPTIONAL_BLOCK_SUMS);
}

/* ---- doing it ---- */
static void say(gw_func *f, gw_op add, gw_reason why_not) {
    gw_reason why = why_not ? why_not : GW_REASON_TURNS_AT_COPIES;
    gw_ownership_choose(
        f, add,
        (gw_rung_choice){.rung = GW_RUNG_COPIES, .refused = why_not != GW_REASON_NONE, .why = gw_because(why)});
}

/* By nobody's wish: of plain numbers, since components of one element have the vector rung; the second half of
 * a split gradient has no workspace of its own then. */
static bool may_be_chosen(const gw_func *f, gw_op add) {
    return !gw_is_split(f) && strcmp(gw_cstr(f->session, gw_op_at(f, add)->path), "[]") == 0;
}

void gw_rung_copies(gw_func *f) {
    if (f->kind != GW_FUNC_KERNEL) return;
    int has_space = -1;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead || o->code != GW_OP_ACCUM || o->attr != GW_ACCUMULATE_ATOMIC) continue;
        gw_rung rung = gw_asked_rung_at(f, op);
        if (rung != GW_RUNG_COPIES && rung != GW_RUNG_AUTO) continue;
        if (rung == GW_RUNG_AUTO && !may_be_chosen(f, op)) continue;
        verdict v = look(f, op);
        if (rung == GW_RUNG_AUTO && (v.why_not || v.per_block)) continue;
        if (rung == GW_RUNG_AUTO && has_space < 0)
            has_space = gw_asks_for_block(f) || gw_tape_takes_workspace(f);
        if (rung == GW_RUNG_AUTO && !(has_space && gw_takes(f->session, GW_OPTIONAL_COPIES))) continue;
        say(f, op, v.why_not);
        if (!v.why_not) gw_ownership_raise(f, op, GW_ACCUMULATE_COPIES);
    }
}

void gw_rung_last_loop(gw_func *f) {
    if (f->kind == GW_FUNC_KERNEL) gw_sweep_seeds(f, gw_rung_sums_in_block);
}
