/*
 * accumulate/copies.c - the copies rung: cells to which every block adds, d_gain[k] for k = threadIdx.x,
 * threadIdx.x + 256, ..., have copies in the workspace, of which a block takes one.
 *
 *     float *const d_gain_copy = gw_copy_of_block(d_gain, d_gain_copies);
 *     ... gw_atomic_add(&d_gain_copy[k], v); ...   // as many blocks as before, but at C places
 *
 * The L2 makes additions to one sector one after the other, so a few hot cells hold up the chip; C copies of
 * them do so for a C-th of the time. Copies are zeroed by the launch, and summed behind the kernel by one
 * thread a cell (gradwright/copies.cuh).
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
 * By itself the rung is taken where each block adds to the same cells. A kernel that has no workspace else can
 * do without one: f_grad<<<>>> and a launch that is given none add to the objects themselves (kernel.c writes
 * two kernels with one body). How many copies a launch gets is in copies.cuh.
 */
#include "analysis/ir/reasons.h"
#include "analysis/ir/rungs.h"
#include "rewriters/accumulate/accumulate_private.h"
#include "rewriters/tape/tape.h"
#include "rewriters/workspace/workspace.h"
#include "analysis/facts/facts.h"
#include "analysis/ir/passes.h"
#include "analysis/ownership/ownership.h"
#include "analysis/ir/restructure.h"
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
