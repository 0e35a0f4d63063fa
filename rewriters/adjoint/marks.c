/*
 * adjoint/marks.c - values that the user marked with GW_STORE(x) or GW_RECOMPUTE(x).
 *
 * In a recorded part the minimum cut takes the marks as given (adjoint/storage.c). A part that is run again
 * computes everything in it again, so GW_RECOMPUTE has nothing to do there; a value with GW_STORE is handed
 * over to the second run:
 *
 *   of a loop    at the end of each iteration of the forward loop it is pushed, and popped before the iteration
 * is run again; of a branch  it is one more result of the forward branch.
 *
 * In the second run it is pinned: what stands for it is not computed, and what only it was made of is dead
 * code. For both it must be seen outside of the branches around it, so before anything else these yield it (0
 * where they take the other side, in which nobody asks for it).
 *
 * Sound: a pin is the value of the very run that the reverse sweep repeats. Pushes at the end of an iteration
 * mirror pops in front of all others. Where GW_RECOMPUTE cannot be kept - the derivative reads a record of the
 * value - that is an error, told with the reason for which it is recorded.
 */
#include "analysis/ir/diagnostics.h"
#include "analysis/ir/passes.h"
#include "rewriters/adjoint/adjoint_private.h"

#include <stdlib.h>

gw_op *gw_marks_find(const gw_func *p) {
    gw_op *mark = gw_alloc(p->values.count * sizeof *mark);
    for (gw_op op = 1; op < p->ops.count; op++)
        if (!gw_op_at(p, op)->dead && gw_is_mark(p, op)) mark[gw_operand(p, op, 0)] = op;
    return mark;
}

/* ---- seen outside of branches ---- */
static bool is_branch(const gw_func *p, gw_op op) { return op && gw_op_at(p, op)->code == GW_OP_IF; }

static uint32_t side_of(const gw_func *p, gw_region r) {
    return gw_op_at(p, gw_region_at(p, r)->parent)->region[0] == r ? 0 : 1;
}

/* The result of the branch around v that is v, 0 if there is none. */
static gw_value yielded(const gw_func *p, gw_value v) {
    gw_region r = gw_value_region(p, v);
    gw_op branch = gw_region_at(p, r)->parent, end = gw_region_end(p, r);
    for (uint32_t i = 0; i < gw_op_at(p, branch)->results; i++)
        if (gw_operand(p, end, i) == v) return gw_result(p, branch, i);
    return 0;
}

static gw_value yield_it(gw_func *p, gw_value v) {
    gw_region r = gw_value_region(p, v);
    gw_op branch = gw_region_at(p, r)->parent;
    uint32_t side = side_of(p, r);
    gw_region other = gw_op_at(p, branch)->region[1 - side];
    gw_builder b = {p, other, gw_region_end(p, other), gw_op_at(p, branch)->loc};
    gw_type type = gw_typeof(p, v);
    gw_value none = gw_type_is_float(type) ? gw_real(&b, type, 0) : gw_int(&b, type, 0);
    gw_op made = gw_if_rebuild(p, branch, NULL, side ? &none : &v, side ? &v : &none, 1);
    gw_value result = gw_result(p, made, gw_op_at(p, made)->results - 1);
    gw_value_at(p, result)->name = gw_value_at(p, v)->name;
    return result;
}

static bool is_constant(const gw_func *p, gw_value v) {
    gw_op op = gw_value_at(p, v)->op;
    return op && gw_op_at(p, op)->code == GW_OP_CONST;
}

void gw_shape_marks(gw_func *p, const gw_request *q) {
    (void)q;
    for (gw_op op = 1; op < p->ops.count; op++) {
        if (gw_op_at(p, op)->dead || gw_op_at(p, op)->code != GW_OP_KEEP ||
            is_constant(p, gw_operand(p, op, 0)))
            continue;
        for (gw_value v = gw_operand(p, op, 0); is_branch(p, gw_region_at(p, gw_value_region(p, v))->parent);) {
            gw_value outside = yielded(p, v);
            v = outside ? outside : yield_it(p, v);
        }
    }
}

/* v as it is seen in region r, around all of its branches. */
static gw_value lifted(const gw_func *p, gw_value v, gw_region r) {
    while (v && gw_value_region(p, v) != r)
        v = is_branch(p, gw_region_at(p, gw_value_region(p, v))->parent) ? yielded(p, v) : 0;
    return v;
}

/* ---- parts that are run again ---- */

/* v is to be handed over to the second run of region r, from outside of it or, of a loop, from its end. */
static gw_value handed_over(const gw_adjoint *a, gw_value v, gw_region r) {
    const gw_func *p = a->primal;
    if (!gw_mark_is(a, v, GW_OP_KEEP) || !gw_value_at(p, v)->op || is_constant(p, v)) return 0;
    if (gw_map_get(&a->pinned, v) || !gw_region_inside(p, gw_value_region(p, v), r)) return 0;
    gw_op part = gw_region_at(p, r)->parent;
    return lifted(p, v, gw_is_loop(p, part) ? r : gw_op_at(p, part)->parent);
}

bool gw_marks_in_loop(const gw_adjoint *a, gw_op loop) {
    for (gw_value v = 1; v < a->primal->values.count; v++)
        if (handed_over(a, v, gw_loop_body(a->primal, loop))) return true;
    return false;
}

void gw_marks_push(gw_adjoint *a, gw_op loop, gw_op copy) {
    const gw_func *p = a->primal;
    gw_kept *kept = &a->kept[loop];
    gw_region body = gw_loop_body(a->f, copy);
    for (gw_value v = 1; v < p->values.count; v++) {
        gw_value seen = handed_over(a, v, gw_loop_body(p, loop));
        if (!seen) continue;
        gw_builder at = {a->f, body, gw_region_end(a->f, body), gw_op_at(p, a->choice->mark[v])->loc};
        gw_object slot = gw_adjoint_slot(a, gw_value_at(p, v)->name, gw_typeof(p, v));
        gw_adjoint_push(a, &at, slot, gw_map_get(&a->c.values, seen));
        gw_op_at(a->f, gw_prev(a->f, gw_region_end(a->f, body)))->note =
            gw_intern(a->f->session, gw_storage_text(GW_STORED_ASKED));
        gw_push(&kept->marked, v);
        gw_push(&kept->marked_slots, slot);
    }
}

void gw_marks_pop(gw_adjoint *a, gw_op loop) {
    const gw_kept *kept = &a->kept[loop];
    for (uint32_t i = kept->marked.count; i-- > 0;) {
        gw_value v = kept->marked.at[i];
        gw_value popped = gw_adjoint_pop(a, &a->b, kept->marked_slots.at[i], gw_typeof(a->primal, v),
                                         gw_value_at(a->primal, v)->name);
        gw_map_set(&a->pinned, v, popped);
    }
}

void gw_marks_unpin(gw_adjoint *a, gw_op loop) {
    for (uint32_t i = 0; i < a->kept[loop].marked.count; i++)
        gw_map_set(&a->pinned, a->kept[loop].marked.at[i], 0);
}

gw_value_list gw_marks_pin_side(gw_adjoint *a, gw_region side) {
    gw_value_list pinned = {0};
    for (gw_value v = 1; v < a->primal->values.count; v++) {
        gw_value seen = handed_over(a, v, side);
        if (seen) gw_push(&pinned, v);
        if (seen) gw_map_set(&a->pinned, v, gw_map_get(&a->c.values, seen));
    }
    return pinned;
}

void gw_marks_unpin_side(gw_adjoint *a, gw_value_list *pinned) {
    for (uint32_t i = 0; i < pinned->count; i++) gw_map_set(&a->pinned, pinned->at[i], 0);
    gw_vec_free(pinned);
}

/* ---- GW_RECOMPUTE that cannot be kept ---- */
void gw_marks_recorded(gw_adjoint *a, gw_value v, gw_object slot, gw_storage_reason reason) {
    if (gw_mark_is(a, v, GW_OP_REPEAT)) gw_push(&a->unkept, ((gw_unkept){v, slot, reason}));
}

bool gw_marks_check(const gw_adjoint *a) {
    gw_session *s = a->f->session;
    bool good = true;
    for (uint32_t i = 0; i < a->unkept.count; i++) {
        const gw_unkept *u = &a->unkept.at[i];
        bool popped = false;
        for (gw_op op = 1; op < a->f->ops.count; op++)
            popped |= !gw_op_at(a->f, op)->dead && gw_op_at(a->f, op)->code == GW_OP_POP &&
                      gw_op_at(a->f, op)->object == u->slot;
        if (!popped) continue;
        gw_str name = gw_value_at(a->primal, u->value)->name;
        gw_diag(s, GW_DIAG_NOT_THE_SAME, gw_op_at(a->primal, a->choice->mark[u->value])->loc,
                name ? gw_cstr(s, name) : "this value", gw_storage_text(u->reason));
        good = false;
    }
    return good;
}
