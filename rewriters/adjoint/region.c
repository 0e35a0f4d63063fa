/*
 * adjoint/region.c - the derivative of one region: its ops forward, then their adjoints in reverse order.
 *
 * The scheme (taping at the granularity of iterations, cf. Griewank & Walther, Evaluating Derivatives,
 * ch. 12; with every region as its own forward-then-reverse pair): values that a region computes itself
 * are in scope where its reverse stands, because both stand in one region of the derivative. A nested loop
 * or branch is run forward for its results, and the reverse of it runs each body forward again - from the
 * values it started with: outer values are in scope, carried ones come from the tape, an index from the
 * header - and then backward. What nobody needs of this, dead-code elimination takes away: the forward
 * copy of a guard `if (i < n)` goes entirely, and so does the tape of an iteration whose start is not
 * needed. Therefore no separate rule decides what is recorded; the formulas of deriv.def do.
 *
 * Every op of the primal is reversed exactly once, so each has one adjoint entry.
 */
#include "analysis/ir/device.h"
#include "rewriters/adjoint/recursion_private.h"
#include "rewriters/formula/formula.h"

#include <stdlib.h>

/* ---- ops with a formula ---- */
/* The derivative of a sine needs the cosine, which the primal may have computed too. */
static gw_value find_partner(gw_adjoint *a, gw_op op, gw_opcode *code) {
    static const struct {
        gw_opcode of, partner;
    } rows[] = {
        {GW_OP_SIN, GW_OP_COS}, {GW_OP_COS, GW_OP_SIN}, {GW_OP_SINH, GW_OP_COSH}, {GW_OP_COSH, GW_OP_SINH}};
    const gw_func *p = a->primal;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].of != gw_op_at(p, op)->code) continue;
        *code = rows[i].partner;
        for (gw_op at = gw_first(p, gw_op_at(p, op)->parent); at; at = gw_next(p, at))
            if (gw_op_at(p, at)->code == *code && gw_operand(p, at, 0) == gw_operand(p, op, 0) &&
                gw_op_at(p, at)->flags == gw_op_at(p, op)->flags)
                return gw_adjoint_value(a, gw_result(p, at, 0));
    }
    return 0;
}

/* Fetches only what a formula reads: a value that is not in scope costs. */
static gw_formula_values formula_values(gw_adjoint *a, gw_op op, gw_value g) {
    const gw_op_data o = *gw_op_at(a->primal, op);
    gw_formula_values v = {.seed = g};
    if (gw_active_value(&a->activity, gw_operand(a->primal, op, 0)))
        v.known_value = find_partner(a, op, &v.known);
    for (uint32_t i = 0; i < o.operands; i++) {
        const char *formula = gw_formula((gw_opcode)o.code, i);
        if (!formula || !gw_active_value(&a->activity, gw_operand(a->primal, op, i))) continue;
        if (!v.result && gw_formula_reads(formula, 'r')) v.result = gw_adjoint_value(a, o.first_result);
        for (uint32_t k = 0; k < o.operands && k < 4; k++)
            if (!v.operand[k] && gw_formula_reads(formula, (char)('a' + k)))
                v.operand[k] = gw_adjoint_value(a, gw_operand(a->primal, op, k));
    }
    return v;
}

/* What several ops divide by is inverted once for all their adjoints: gradients may round differently. */
static void find_reciprocal(gw_adjoint *a, gw_op op, gw_formula_values *v) {
    const gw_func *p = a->primal;
    uint16_t code = gw_op_at(p, op)->code;
    gw_value divisor = 0;
    if (code == GW_OP_DIV) divisor = gw_operand(p, op, 1);
    if (code == GW_OP_SQRT) divisor = gw_result(p, op, 0);
    if (!divisor || a->divisions[divisor] + (code == GW_OP_SQRT) < 2) return;
    v->divisor = code == GW_OP_DIV ? v->operand[1] : v->result;
    if (v->divisor)
        v->reciprocal = gw_binary(&a->b, GW_OP_DIV, gw_real(&a->b, gw_typeof(p, divisor), 1), v->divisor);
}

/* r = 1 / b: d_b = -(g * r * r), which needs neither b nor a division. */
static bool reverse_inverse(gw_adjoint *a, gw_op op, gw_value g) {
    const gw_func *p = a->primal;
    double one;
    if (gw_op_at(p, op)->code != GW_OP_DIV || !gw_const_real(p, gw_operand(p, op, 0), &one) || one != 1)
        return false;
    gw_value r = gw_adjoint_value(a, gw_result(p, op, 0));
    gw_value scaled = gw_binary(&a->b, GW_OP_MUL, gw_binary(&a->b, GW_OP_MUL, g, r), r);
    gw_value made = gw_unary(&a->b, GW_OP_NEG, scaled);
    gw_adjoint_add(a, gw_operand(p, op, 1), gw_adjoint_if_used(a, op, "-(g * r * r)", g, made));
    return true;
}

static void reverse_formula(gw_adjoint *a, gw_op op, gw_value g) {
    const gw_op_data o = *gw_op_at(a->primal, op);
    if (reverse_inverse(a, op, g)) return;
    gw_formula_values v = formula_values(a, op, g);
    find_reciprocal(a, op, &v);
    for (uint32_t i = 0; i < o.operands; i++) {
        gw_value operand = gw_operand(a->primal, op, i);
        const char *formula = gw_formula((gw_opcode)o.code, i);
        if (!formula || !gw_active_value(&a->activity, operand)) continue;
        gw_value made = gw_formula_build(&a->b, formula, &v, gw_typeof(a->primal, operand), o.flags);
        gw_adjoint_add(a, operand, gw_adjoint_if_used(a, op, formula, g, made));
    }
}

/* g to the side of the choice that was taken; of a maximum or minimum half to each where both are equal. */
static void reverse_choice(gw_adjoint *a, gw_op op, uint32_t result, gw_value g, bool extremum) {
    const gw_func *p = a->primal;
    const gw_value condition = gw_adjoint_value(a, gw_operand(p, op, 0));
    gw_value side[2], tie = extremum ? gw_extremum_tie(p, op) : 0;
    for (uint32_t i = 0; i < 2; i++) side[i] = gw_extremum_side(p, op, result, i);
    if (tie) tie = gw_adjoint_value(a, tie);
    else if (extremum)
        tie = gw_binary(&a->b, GW_OP_EQ, gw_adjoint_value(a, side[0]), gw_adjoint_value(a, side[1]));
    for (uint32_t i = 0; i < 2; i++) {
        if (!gw_active_value(&a->activity, side[i])) continue;
        const gw_value zero = gw_adjoint_zero(a, side[i]), of[2] = {i ? zero : g, i ? g : zero};
        gw_adjoint_add(a, side[i],
                       extremum ? gw_extremum_share(&a->b, tie, condition, of)
                                : gw_select(&a->b, condition, of[0], of[1]));
    }
}

static void reverse_select(gw_adjoint *a, gw_op op, gw_value g) {
    reverse_choice(a, op, 0, g, gw_extremum_of(a->primal, op, 0));
}

static void reverse_cast(gw_adjoint *a, gw_op op, gw_value g) {
    gw_value x = gw_operand(a->primal, op, 0);
    if (gw_active_value(&a->activity, x)) gw_adjoint_add(a, x, gw_cast(&a->b, gw_typeof(a->primal, x), g));
}

static void reverse_follow(gw_adjoint *a, gw_op op, gw_value g) {
    const gw_value followed = gw_operand(a->primal, op, 1);
    if (gw_active_value(&a->activity, followed)) gw_adjoint_add(a, followed, g);
}

/* One more term of the rounding error: |adjoint * value|, or what the user's model makes of the two. */
static void reverse_rounded(gw_adjoint *a, gw_op op, gw_value g) {
    gw_value x = gw_operand(a->primal, op, 0), pair[2] = {gw_cast(&a->b, GW_T_F64, g)};
    pair[1] = gw_cast(&a->b, GW_T_F64, gw_adjoint_value(a, x));
    gw_object terms = gw_clone_object(&a->c, gw_rounding_terms(a->primal));
    uint32_t row = gw_rounding_row(&a->rounded, a->primal, op);
    gw_str model = a->f->session->requests.at[a->f->request].model;
    gw_value term;
    if (model) {
        gw_op call = gw_emit(&a->b, GW_OP_MODEL, GW_T_F64, 1, pair, 2);
        gw_op_at(a->f, call)->path = model;
        gw_op_at(a->f, call)->attr = (uint16_t)row;
        term = gw_result(a->f, call, 0);
    } else {
        term = gw_unary(&a->b, GW_OP_FABS, gw_binary(&a->b, GW_OP_MUL, pair[0], pair[1]));
    }
    gw_value index = gw_int(&a->b, GW_T_I32, row);
    gw_accum(&a->b, terms, gw_intern(a->f->session, "[]"), &index, 1, term);
    gw_adjoint_add(a, x, g);
}

/* ---- branches ---- */

static void reverse_side(gw_adjoint *a, gw_op op, int side, gw_region to, const gw_value *seeds,
                         const gw_value_list *outer, gw_value *finals) {
    gw_region from = gw_op_at(a->primal, op)->region[side];
    uint32_t count = gw_op_at(a->primal, op)->results;
    gw_builder saved = a->b;
    bool recorded = gw_adjoint_is_recorded(a, op);
    gw_adjoint_set_nested(a, gw_region_at(a->f, to)->parent);
    a->b.region = to;
    a->b.before = 0;
    if (recorded) {
        gw_adjoint_enter(a, from, a->kept[op].forward[side], to);
        gw_adjoint_backward(a, from, seeds, count, 0);
        gw_adjoint_leave(a);
    } else {
        gw_value_map before = gw_adjoint_stage_begin(a, from);
        bool resumes = gw_adjoint_resume_side(a, op, side);
        gw_value_list pinned = gw_marks_pin_side(a, from);
        gw_adjoint_region(a, from, seeds, count, 0);
        gw_marks_unpin_side(a, &pinned);
        if (resumes) gw_adjoint_resume_end(a);
        gw_adjoint_stage_end(a, &before);
    }
    gw_adjoint_set_nested(a, 0);
    for (uint32_t i = 0; i < outer->count; i++) finals[i] = gw_adjoint_of(a, outer->at[i]);
    a->b.region = saved.region;
    a->b.before = saved.before;
}

/* Yields what the side made of the outer adjoints; `before` where it added nothing. */
static void yield_side(gw_adjoint *a, gw_region side, const gw_value_list *outer, const bool *changed,
                       const gw_value *finals) {
    gw_builder saved = a->b;
    a->b.region = side;
    a->b.before = 0;
    GW_VEC(gw_value) list = {0};
    for (uint32_t i = 0; i < outer->count; i++)
        if (changed[i]) gw_push(&list, finals[i] ? finals[i] : gw_adjoint_zero(a, outer->at[i]));
    gw_yield(&a->b, list.at, list.count);
    gw_vec_free(&list);
    a->b.region = saved.region;
    a->b.before = saved.before;
}

/* What the branch's results have for adjoints; those that are maxima or minima of two numbers from in front of
 * it have given it to these. */
static void share_extrema(gw_adjoint *a, gw_op op, gw_value *seeds) {
    for (uint32_t i = 0; i < gw_op_at(a->primal, op)->results; i++) {
        seeds[i] = gw_adjoint_of(a, gw_result(a->primal, op, i));
        if (!seeds[i] || !gw_extremum_of(a->primal, op, i)) continue;
        reverse_choice(a, op, i, seeds[i], true);
        seeds[i] = 0;
    }
}

static void reverse_if(gw_adjoint *a, gw_op op) {
    const gw_op_data o = *gw_op_at(a->primal, op);
    gw_value_list outer = {0};
    gw_adjoint_outer_values(a, op, &outer);
    gw_value *before = gw_alloc(3 * (outer.count + 1) * sizeof *before), *finals[2];
    finals[0] = before + outer.count + 1;
    finals[1] = finals[0] + outer.count + 1;
    gw_value *seeds = gw_alloc((o.results + 1) * sizeof *seeds);
    bool *changed = gw_alloc(outer.count + 1);
    gw_adjoint_restore_objects(a, op);
    share_extrema(a, op, seeds);
    for (uint32_t i = 0; i < outer.count; i++) before[i] = gw_adjoint_of(a, outer.at[i]);
    gw_value condition = gw_adjoint_value(a, gw_operand(a->primal, op, 0));
    gw_op made = gw_emit(&a->b, GW_OP_IF, GW_T_VOID, 0, &condition, 1);
    gw_op_at(a->f, made)->origin = op;
    gw_region side[2];
    for (int i = 0; i < 2; i++) {
        side[i] = gw_region_new(a->f, made);
        reverse_side(a, op, i, side[i], seeds, &outer, finals[i]);
        for (uint32_t k = 0; k < outer.count; k++) gw_map_set(&a->adjoint, outer.at[k], before[k]);
    }
    for (uint32_t k = 0; k < outer.count; k++)
        changed[k] = finals[0][k] != before[k] || finals[1][k] != before[k];
    for (int i = 0; i < 2; i++) yield_side(a, side[i], &outer, changed, finals[i]);
    for (uint32_t k = 0; k < outer.count; k++) {
        if (!changed[k]) continue;
        gw_value v = gw_op_add_result(a->f, made, gw_adjoint_type(a, outer.at[k]), 0);
        gw_adjoint_set_name(a, outer.at[k], v);
        gw_map_set(&a->adjoint, outer.at[k], v);
    }
    free(before);
    free(seeds);
    free(changed);
    free(outer.at);
}

/* ---- regions ---- */
static void reverse_store(gw_adjoint *a, gw_op op) {
    gw_adjoint_undo_store(a, op);
    gw_adjoint_store(a, op);
}

static void reverse_branch(gw_adjoint *a, gw_op op) {
    if (!gw_adjoint_is_recorded(a, op)) gw_adjoint_meet_before(a, op);
    reverse_if(a, op);
}

static void reverse_loop(gw_adjoint *a, gw_op op) {
    if (!gw_adjoint_is_recorded(a, op)) gw_adjoint_meet_before(a, op);
    gw_adjoint_loop_reverse(a, op);
}

static void reverse_barrier(gw_adjoint *a, gw_op op) {
    (void)op;
    gw_adjoint_meet(a);
}

/* Ops with a reverse of their own: of what the op does, or of its result. `always`: for what it does; else only
 * where the result has an adjoint, which is g. */
static const struct {
    gw_opcode code;
    bool always;
    void (*of_op)(gw_adjoint *a, gw_op op);
    void (*of_result)(gw_adjoint *a, gw_op op, gw_value g);
} reverses[] = {
    {GW_OP_STORE, true, reverse_store, NULL},
    {GW_OP_IF, true, reverse_branch, NULL},
    {GW_OP_FOR, true, reverse_loop, NULL},
    {GW_OP_WHILE, true, reverse_loop, NULL},
    {GW_OP_BARRIER, true, reverse_barrier, NULL},
    {GW_OP_LOAD, false, gw_adjoint_load, NULL},
    {GW_OP_SELECT, false, NULL, reverse_select},
    {GW_OP_CAST, false, NULL, reverse_cast},
    {GW_OP_CALL, true, gw_adjoint_call_reverse, NULL},
    {GW_OP_ATOMIC, true, gw_adjoint_atomic, NULL},
    {GW_OP_WARP, false, NULL, gw_adjoint_warp},
    {GW_OP_SYNCWARP, true, gw_adjoint_syncwarp, NULL},
    {GW_OP_TEXTURE, true, gw_adjoint_texture, NULL},
    {GW_OP_DEVICE, true, gw_adjoint_device, NULL},
    {GW_OP_ROUNDING, false, NULL, reverse_rounded},
    {GW_OP_FOLLOW, false, NULL, reverse_follow},
};

static void reverse_op(gw_adjoint *a, gw_op op) {
    const gw_op_data *o = gw_op_at(a->primal, op);
    gw_value g = o->results == 1 && !o->regions ? gw_adjoint_of(a, o->first_result) : 0;
    a->b.loc = o->loc;
    for (size_t i = 0; i < sizeof reverses / sizeof *reverses; i++) {
        if (reverses[i].code != o->code) continue;
        if (!reverses[i].always && !g) return;
        if (reverses[i].of_op) reverses[i].of_op(a, op);
        else reverses[i].of_result(a, op, g);
        return;
    }
    if (g) reverse_formula(a, op, g);
}

/* Inside of a reverse, where parts of the primal run again. */
static bool runs_again(const gw_adjoint *a) {
    for (gw_op op = gw_region_at(a->f, a->b.region)->parent; op; op = gw_op_around(a->f, op))
        if (gw_op_at(a->f, op)->origin) return true;
    return false;
}

static void forward_op(gw_adjoint *a, gw_op op) {
    const gw_op_data *o = gw_op_at(a->primal, op);
    if (o->code == GW_OP_STOP && runs_again(a)) return;
    if (gw_adjoint_is_segmented(a, op)) {
        gw_adjoint_segments_forward(a, op);
        return;
    }
    if (o->regions && gw_adjoint_is_recorded(a, op) && !gw_adjoint_is_outer(a, op)) {
        gw_adjoint_record(a, op);
        return;
    }
    if (o->regions) gw_adjoint_copy_objects(a, op);
    if (o->code == GW_OP_STORE && a->choice->undone[o->object]) {
        gw_adjoint_perform_store(a, op);
        return;
    }
    if (gw_is_loop(a->primal, op)) {
        gw_adjoint_loop_forward(a, op);
        return;
    }
    if (o->code == GW_OP_ADDRESS || gw_is_mark(a->primal, op)) return; /* an address comes with its call */
    if (o->code == GW_OP_CALL) {
        gw_adjoint_call_forward(a, op);
        return;
    }
    if (o->code == GW_OP_DEVICE && o->attr == GW_DEVICE_RULE) {
        gw_adjoint_rule_forward(a, op);
        return;
    }
    bool global = o->object && !gw_object_is_inner(gw_object_at(a->primal, o->object)->kind);
    bool writes = o->code == GW_OP_STORE || o->code == GW_OP_ATOMIC;
    if (writes && global && !a->choice->split && !o->results) return; /* the primal's memory stays as it is */
    gw_clone_op(&a->c, op);
    if (o->code != GW_OP_DECLARE) return;
    if (!a->recording) gw_adjoint_declare_shadow(a, o->object);
    /* its former contents are read before each store */
    if (a->choice->undone[o->object]) gw_object_at(a->f, gw_clone_object(&a->c, o->object))->zeroed = true;
}

void gw_adjoint_forward(gw_adjoint *a, gw_region r) {
    const gw_func *p = a->primal;
    gw_op end = gw_region_end(p, r);
    for (gw_op op = gw_first(p, r); op && op != end; op = gw_next(p, op)) {
        a->b.loc = gw_op_at(p, op)->loc;
        gw_adjoint_resume(a, r, op);
        forward_op(a, op);
        gw_clone_pins(&a->c, op);
    }
    gw_adjoint_resume(a, r, end);
}

void gw_adjoint_backward(gw_adjoint *a, gw_region r, const gw_value *seeds, uint32_t count, uint32_t lead) {
    const gw_func *p = a->primal;
    gw_op end = gw_region_end(p, r);
    for (uint32_t i = 0; i < count; i++)
        if (seeds[i]) gw_adjoint_add(a, gw_operand(p, end, lead + i), seeds[i]);
    for (gw_op op = gw_prev(p, end); op; op = gw_prev(p, op)) {
        if (gw_adjoint_has_frames(a)) a->frames.at[a->frames.count - 1].at = op;
        reverse_op(a, op);
    }
}

void gw_adjoint_region(gw_adjoint *a, gw_region r, const gw_value *seeds, uint32_t count, uint32_t lead) {
    gw_adjoint_forward(a, r);
    gw_adjoint_mark_shared(a, r);
    gw_adjoint_backward(a, r, seeds, count, lead);
}
