/*
 * adjoint/record.c - recorded loops and branches: run forward once, and what their reverse needs is recorded.
 *
 * A recorded region has two versions in the derivative. The forward one holds its ops; the backward one holds
 * their adjoints in reverse order, and stands in the mirror image of the loop or branch. What a formula needs
 * where the reverse sweep stands is made available when it is asked for, once for each value and iteration:
 * computed or loaded again, if that was chosen (adjoint/storage.c); else pushed at the end of the forward
 * version and popped at the start of the backward one. So what is recorded is what the formulas ask for, and
 * nothing else.
 *
 * Sound: pushes are appended to the forward region, pops are put in front of the backward one, so they mirror
 * each other; a value belongs to one primal region, so its pop or repetition stands in the one backward version
 * of that region, before what is nested there, and dominates all later uses. All that lies inside a recorded
 * region is recorded too.
 */
#include "rewriters/adjoint/recursion_private.h"

#include <stdlib.h>

bool gw_adjoint_is_recorded(const gw_adjoint *a, gw_op op) {
    return a->choice->recorded[op] ||
           ((a->recording || gw_adjoint_has_frames(a)) && !gw_adjoint_is_segmented(a, op));
}

/* ---- frames ---- */
bool gw_adjoint_has_frames(const gw_adjoint *a) { return a->frames.count > a->first_frame; }

void gw_adjoint_enter(gw_adjoint *a, gw_region primal, gw_region forward, gw_region backward) {
    gw_push(&a->frames, ((gw_frame){primal, forward, backward, 0, 0, false}));
    for (gw_op op = gw_first(a->primal, primal); op; op = gw_next(a->primal, op))
        if (gw_op_at(a->primal, op)->code == GW_OP_DECLARE)
            gw_adjoint_declare_shadow(a, gw_op_at(a->primal, op)->object);
}

bool gw_adjoint_leave(gw_adjoint *a) {
    bool recorded = a->frames.at[--a->frames.count].recorded;
    if (gw_adjoint_has_frames(a)) a->frames.at[a->frames.count - 1].recorded |= recorded;
    return recorded;
}

uint32_t gw_adjoint_hide_frames(gw_adjoint *a) {
    uint32_t before = a->first_frame;
    a->first_frame = a->frames.count;
    return before;
}

void gw_adjoint_show_frames(gw_adjoint *a, uint32_t hidden) { a->first_frame = hidden; }

void gw_adjoint_set_nested(gw_adjoint *a, gw_op nested) {
    if (gw_adjoint_has_frames(a)) a->frames.at[a->frames.count - 1].nested = nested;
}

/* ---- values ---- */

/* Pushes a value of the frame's forward region at its end; it is what the pop in front of the backward one
 * gives. */
static gw_value record_value(gw_adjoint *a, uint32_t frame, gw_loc loc, gw_value v, const char *reason,
                             gw_object *slot) {
    gw_frame *fr = &a->frames.at[frame];
    gw_type type = gw_typeof(a->f, v);
    gw_str name = gw_value_at(a->f, v)->name;
    *slot = gw_adjoint_slot(a, name, type);
    gw_builder push = {a->f, fr->forward, gw_region_end(a->f, fr->forward), loc};
    gw_adjoint_push(a, &push, *slot, v);
    gw_op_at(a->f, gw_prev(a->f, gw_region_end(a->f, fr->forward)))->note = gw_intern(a->f->session, reason);
    gw_builder pop = {a->f, fr->backward, gw_first(a->f, fr->backward), a->b.loc};
    fr->recorded = true;
    return gw_adjoint_pop(a, &pop, *slot, type, name);
}

static gw_value repeat(gw_adjoint *a, uint32_t frame, gw_value v) {
    gw_op op = gw_value_at(a->primal, v)->op;
    for (uint32_t i = 0; i < gw_op_at(a->primal, op)->operands; i++)
        gw_adjoint_value(a, gw_operand(a->primal, op, i));
    gw_builder saved = a->b;
    a->b.region = a->frames.at[frame].backward;
    a->b.before = a->frames.at[frame].nested;
    gw_clone_op(&a->c, op);
    a->b = saved;
    return gw_map_get(&a->c.values, v);
}

static gw_value from_output(gw_adjoint *a, uint32_t frame, gw_value v) {
    gw_builder saved = a->b;
    a->b.region = a->frames.at[frame].backward;
    a->b.before = a->frames.at[frame].nested;
    gw_value loaded = gw_adjoint_output(a, v);
    a->b = saved;
    return loaded;
}

gw_value gw_adjoint_value(gw_adjoint *a, gw_value primal) {
    gw_value v = gw_map_get(&a->c.values, primal);
    if (v) return v;
    uint32_t frame = gw_adjoint_frame(a, gw_value_region(a->primal, primal));
    if (frame == a->frames.count) return 0;
    if ((v = from_output(a, frame, primal)) != 0) return v;
    gw_storage_reason reason = gw_storage_obstacle(a, primal);
    gw_object slot;
    if (a->choice->repeated[primal] && reason == GW_STORED_CHEAPER) return repeat(a, frame, primal);
    gw_op op = gw_value_at(a->primal, primal)->op;
    gw_loc loc = op ? gw_op_at(a->primal, op)->loc : a->b.loc;
    if (reason == GW_STORED_CHEAPER && gw_mark_is(a, primal, GW_OP_KEEP)) reason = GW_STORED_ASKED;
    v = record_value(a, frame, loc, gw_map_get(&a->forward, primal), gw_storage_text(reason), &slot);
    gw_marks_recorded(a, primal, slot, reason);
    gw_adjoint_tell_of_output(a, primal);
    if (a->choice->survey) gw_storage_ask(a, primal, slot);
    gw_map_set(&a->c.values, primal, v);
    return v;
}

gw_value gw_adjoint_exact_value(gw_adjoint *a, gw_value primal) {
    uint32_t frame = gw_adjoint_frame(a, gw_value_region(a->primal, primal));
    if (frame == a->frames.count || !gw_is_rounded(a->primal, primal))
        return gw_adjoint_value(a, primal);
    gw_object slot;
    gw_loc loc = gw_op_at(a->primal, gw_value_at(a->primal, primal)->op)->loc;
    return record_value(a, frame, loc, gw_map_get(&a->forward, primal), gw_storage_text(GW_STORED_DISCRETE),
                        &slot);
}

/* ---- forward version ---- */

/* The values of a region are out of scope: from now on they are to be made available. */
static void leave_value(gw_adjoint *a, gw_value v) {
    gw_map_set(&a->forward, v, gw_map_get(&a->c.values, v));
    gw_map_set(&a->c.values, v, 0);
}

void gw_adjoint_leave_forward(gw_adjoint *a, gw_region r) {
    const gw_func *p = a->primal;
    for (gw_op op = gw_first(p, r); op; op = gw_next(p, op))
        for (uint32_t i = 0; i < gw_op_at(p, op)->results; i++) leave_value(a, gw_result(p, op, i));
}

static void leave_forward(gw_adjoint *a, gw_region r) {
    for (uint32_t i = 0; i < gw_region_at(a->primal, r)->args; i++) leave_value(a, gw_arg(a->primal, r, i));
    gw_adjoint_leave_forward(a, r);
}

static void add_args(gw_adjoint *a, gw_region from, gw_region to) {
    for (uint32_t i = 0; i < gw_region_at(a->primal, from)->args; i++) {
        gw_value v = gw_arg(a->primal, from, i);
        gw_map_set(&a->c.values, v,
                   gw_region_arg(a->f, to, gw_typeof(a->primal, v), gw_value_at(a->primal, v)->name));
    }
}

/* Ends the forward region with the primal's yield and, if count is set, one more value. */
static void yield_forward(gw_adjoint *a, gw_region from, gw_value more) {
    GW_VEC(gw_value) list = {0};
    gw_op end = gw_region_end(a->primal, from);
    for (uint32_t i = 0; i < gw_op_at(a->primal, end)->operands; i++)
        gw_push(&list, gw_clone_value(&a->c, gw_operand(a->primal, end, i)));
    if (more) gw_push(&list, more);
    gw_yield(&a->b, list.at, list.count);
    gw_vec_free(&list);
}

static bool counts_trips(const gw_func *p, gw_op loop) {
    return gw_op_at(p, loop)->code == GW_OP_WHILE || gw_op_at(p, loop)->flags & GW_OP_EXIT;
}

/* The condition of a WHILE. */
static void copy_condition(gw_adjoint *a, gw_op loop, gw_op made) {
    gw_region from = gw_op_at(a->primal, loop)->region[0], to = gw_region_new(a->f, made);
    a->b.region = to;
    add_args(a, from, to);
    if (counts_trips(a->primal, loop)) gw_region_arg(a->f, to, GW_T_I64, gw_intern(a->f->session, "trips"));
    gw_clone_region_body(&a->c, from);
    yield_forward(a, from, 0);
}

static void copy_body(gw_adjoint *a, gw_op loop, gw_op made) {
    gw_region from = gw_loop_body(a->primal, loop), to = gw_region_new(a->f, made);
    gw_value more = 0;
    a->b.region = to;
    add_args(a, from, to);
    if (counts_trips(a->primal, loop))
        more = gw_region_arg(a->f, to, GW_T_I64, gw_intern(a->f->session, "trips"));
    a->recording++;
    gw_adjoint_forward(a, from);
    a->recording--;
    if (more) more = gw_binary(&a->b, GW_OP_ADD, more, gw_int(&a->b, GW_T_I64, 1));
    yield_forward(a, from, more);
    leave_forward(a, from);
    a->kept[loop].forward[0] = to;
}

static void copy_side(gw_adjoint *a, gw_op op, gw_op made, int side) {
    gw_region from = gw_op_at(a->primal, op)->region[side], to = gw_region_new(a->f, made);
    a->b.region = to;
    a->recording++;
    gw_adjoint_forward(a, from);
    a->recording--;
    yield_forward(a, from, 0);
    leave_forward(a, from);
    a->kept[op].forward[side] = to;
}

void gw_adjoint_record(gw_adjoint *a, gw_op op) {
    const gw_op_data o = *gw_op_at(a->primal, op);
    GW_VEC(gw_value) list = {0};
    for (uint32_t i = 0; i < o.operands; i++)
        gw_push(&list, gw_clone_value(&a->c, gw_operand(a->primal, op, i)));
    bool counts = gw_is_loop(a->primal, op) && counts_trips(a->primal, op);
    if (counts) gw_push(&list, gw_int(&a->b, GW_T_I64, 0));
    gw_op made = gw_emit(&a->b, (gw_opcode)o.code, GW_T_VOID, 0, list.at, list.count);
    gw_vec_free(&list);
    gw_op_at(a->f, made)->flags = o.flags;
    gw_op_at(a->f, made)->attr = o.attr;
    gw_op_at(a->f, made)->policy = o.policy;
    gw_op_at(a->f, made)->imm = o.imm; /* trip_bound.c asks whether a loop is one over segments */
    if (a->choice->split && gw_is_loop(a->primal, op) && o.imm.i)
        gw_op_at(a->f, made)->note = gw_intern(a->f->session, GW_WHOLE_LOOP);
    for (uint32_t i = 0; i < o.results; i++) {
        const gw_value_data d = *gw_value_at(a->primal, gw_result(a->primal, op, i));
        gw_map_set(&a->c.values, gw_result(a->primal, op, i), gw_op_add_result(a->f, made, d.type, d.name));
    }
    if (counts)
        a->kept[op].trip_forward = gw_op_add_result(a->f, made, GW_T_I64, gw_intern(a->f->session, "trips"));
    gw_builder saved = a->b;
    a->b.before = 0;
    if (o.code == GW_OP_WHILE) copy_condition(a, op, made);
    if (o.code == GW_OP_IF)
        for (int side = 0; side < 2; side++) copy_side(a, op, made, side);
    else copy_body(a, op, made);
    a->b = saved;
}

gw_value gw_adjoint_recorded_beside(gw_adjoint *a, gw_op loop, gw_value v, const char *reason) {
    uint32_t frame = gw_adjoint_frame(a, gw_op_at(a->primal, loop)->parent);
    gw_object slot;
    return v && frame < a->frames.count
               ? record_value(a, frame, gw_op_at(a->primal, loop)->loc, v, reason, &slot)
               : v;
}

gw_value gw_adjoint_recorded_trip(gw_adjoint *a, gw_op loop) {
    return gw_adjoint_recorded_beside(a, loop, a->kept[loop].trip_forward,
                                      "the loop's header does not tell its trips");
}
