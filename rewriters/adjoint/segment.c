/*
 * adjoint/segment.c - loops with GW_CHECKPOINT in a split gradient: the first half stores checkpoints, the
 * second one makes of each what it needs of the segment behind it. Programs are recorded as a whole, and their
 * forward sweep and their reverse are the halves (adjoint/device.c has what memory does).
 *
 * In the joined form such a loop is run again (adjoint/loop.c, adjoint/snapshots.c), and so it is here, across
 * the two halves: the forward version pushes what a segment starts from, or leaves its snapshots; the reverse
 * stands in the second half, pops that, runs the segment forward and then backward. All else of the function is
 * recorded (adjoint/split.c). To that end
 *
 *   values from outside of the loop are made available where its reverse begins: recorded, or computed again,
 * as the cut says; the thread's own arrays do not live from one half to the other. What a segment changes and
 * reads is part of its start; what the loop reads only is handed over once, behind the forward loop; so are the
 * arrays of snapshots. In the second half the loop has arrays of its own; the frames of recorded parts around
 * it are hidden, so that what is built there is run again.
 *
 * Sound: a segment that is run again computes what it computed in the first half if it starts from the same and
 * reads the same. It starts from what the first half stored. It reads memory that the kernel never writes,
 * which the caller leaves as it was until the second half has run; shared memory that the segment itself fills
 * (adjoint/shared.c); what the kernel does write is marked as stale, and the loop is recorded, as if it had no
 * mark, if something needs it (adjoint/choice.c). Stores to the caller's memory have been done and are left
 * out. What depends on the order of threads is never run again: a loop with an atomic operation whose result is
 * used, or of which one value wins, is recorded.
 */
#include "analysis/ir/atomic.h"
#include "analysis/ir/device.h"
#include "rewriters/adjoint/recursion_private.h"
#include "rewriters/formula/formula.h"

bool gw_adjoint_can_segment(const gw_func *p, gw_op loop) {
    if (!gw_is_loop(p, loop) || !gw_op_at(p, loop)->imm.i) return false;
    for (gw_op op = 1; op < p->ops.count; op++) {
        const gw_op_data *o = gw_op_at(p, op);
        if (o->dead || o->code != GW_OP_ATOMIC || !gw_region_inside(p, o->parent, gw_loop_body(p, loop)))
            continue;
        if (o->results || gw_atomic_rows[o->attr].floats == 'w') return false;
    }
    return true;
}

/* ---- the first half ---- */

void gw_adjoint_segments_forward(gw_adjoint *a, gw_op loop) {
    const gw_func *p = a->primal;
    gw_kept *kept = &a->kept[loop];
    gw_adjoint_loop_forward(a, loop);
    gw_adjoint_device_mark(a, loop, &a->b, GW_DEVICE_LOG);
    kept->trip_forward = kept->trip;
    kept->trip = 0;
    if (kept->taken) {
        gw_push(&kept->handed, kept->stored_at);
        for (uint32_t i = 0; i < kept->stored.count; i++)
            if (kept->stored.at[i]) gw_push(&kept->handed, kept->stored.at[i]);
        for (uint32_t i = 0; i < kept->stored_objects.count; i++)
            gw_push(&kept->handed, kept->stored_objects.at[i]);
        /* pushed whole */
        for (uint32_t i = 0; i < kept->handed.count; i++) gw_object_at(a->f, kept->handed.at[i])->zeroed = true;
    }
    for (gw_object o = 1; o < p->objects.count; o++)
        if (gw_adjoint_has_member(a, &(gw_part){loop, o, GW_PART_READ_ONLY}))
            gw_push(&kept->handed, gw_clone_object(&a->c, o));
    gw_adjoint_hand_objects(a, loop, true);
}

/* ---- the second half ---- */
static void fetch(gw_adjoint *a, gw_op loop, gw_op op) {
    const gw_func *p = a->primal;
    for (uint32_t i = 0; i < gw_op_at(p, op)->operands; i++)
        if (gw_value_visible(p, gw_operand(p, op, i), gw_op_at(p, loop)->parent))
            gw_adjoint_value(a, gw_operand(p, op, i));
    for (uint32_t i = 0; i < gw_op_at(p, op)->regions; i++)
        for (gw_op in = gw_first(p, gw_op_at(p, op)->region[i]); in; in = gw_next(p, in)) fetch(a, loop, in);
}

static void rename_in(gw_slots *list, gw_object from, gw_object to) {
    for (uint32_t i = 0; i < list->count; i++)
        if (list->at[i] == from) list->at[i] = to;
}

/* Arrays that begin their life outside of the loop have others for them in its reverse; the map has those that
 * they stand for. */
static gw_value_map make_objects(gw_adjoint *a, gw_op loop) {
    const gw_func *p = a->primal;
    gw_value_map outer = {0};
    for (gw_object o = 1; o < p->objects.count; o++) {
        if (gw_object_at(p, o)->kind != GW_OBJECT_LOCAL || gw_declares(p, loop, o) ||
            !gw_touches(p, loop, o, GW_TOUCH_READ | GW_TOUCH_WRITE))
            continue;
        gw_object now = gw_clone_object(&a->c, o);
        gw_object_data d = *gw_object_at(a->f, now);
        gw_object other = gw_object_new(a->f, d.kind, d.name, d.type);
        d.zeroed |= p->kind == GW_FUNC_HOST; /* a compiler does not see that what is read was popped before */
        *gw_object_at(a->f, other) = d;
        gw_adjoint_declare(a, other, o);
        gw_map_set(&outer, o, now);
        gw_map_set(&a->c.objects, o, other);
        rename_in(&a->kept[loop].iteration, now, other);
        rename_in(&a->kept[loop].handed, now, other);
    }
    return outer;
}

gw_value_map gw_adjoint_segments_begin(gw_adjoint *a, gw_op loop) {
    gw_kept *kept = &a->kept[loop];
    fetch(a, loop, loop);
    kept->trip = gw_adjoint_recorded_trip(a, loop);
    kept->taken = gw_adjoint_recorded_beside(a, loop, kept->taken, "as many states are stored");
    gw_value_map outer = make_objects(a, loop);
    gw_adjoint_hand_objects(a, loop, false);
    kept->frames = gw_adjoint_hide_frames(a);
    a->again = true;
    return outer;
}

void gw_adjoint_segments_end(gw_adjoint *a, gw_op loop, gw_op made, gw_value_map *outer) {
    gw_adjoint_show_frames(a, a->kept[loop].frames);
    a->again = false;
    for (gw_object o = 1; o < outer->count; o++)
        if (gw_map_get(outer, o)) gw_map_set(&a->c.objects, o, gw_map_get(outer, o));
    gw_map_free(outer);
    gw_push(&a->segmented, made);
}

/* ---- what the second half must not do ---- */
static bool runs_again(const gw_adjoint *a, gw_op op) {
    for (uint32_t i = 0; i < a->segmented.count; i++)
        if (gw_region_inside(a->f, gw_op_at(a->f, op)->parent, gw_loop_body(a->f, a->segmented.at[i])))
            return true;
    return false;
}

void gw_adjoint_segments_clean(gw_adjoint *a) {
    const gw_func *p = a->primal;
    for (gw_object o = 1; o < p->objects.count && a->segmented.count && a->choice->split; o++) {
        gw_object copy = gw_clone_object(&a->c, o);
        if (gw_object_is_inner(gw_object_at(p, o)->kind) || !gw_signature_writes(p, o)) continue;
        for (gw_op op = 1; op < a->f->ops.count; op++) {
            gw_op_data *d = gw_op_at(a->f, op);
            if (d->dead || d->object != copy || !runs_again(a, op)) continue;
            if (d->code == GW_OP_STORE || d->code == GW_OP_ATOMIC) gw_op_remove(a->f, op);
            else if (d->code == GW_OP_LOAD && !gw_path_asks(gw_cstr(a->f->session, d->path)))
                d->flags |= GW_OP_STALE;
        }
    }
}
