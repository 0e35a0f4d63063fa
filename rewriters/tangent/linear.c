/*
 * tangent/linear.c - tangents of pure ops in several directions: as few products for each as there can be.
 *
 * A tangent is kept as a sum of multiples of others, c1 * t_u + c2 * t_w, whose tangents are there and whose
 * numbers c are the same for all directions: a form. What ops of one active operand do is then done to the
 * numbers, once and not once for each direction: of w = rsqrt(d) * x that is two products, however many
 * directions there are. A form of one multiple is kept always, one of several where nothing but one op of the
 * same region uses the value: if that adds, it adds them up with its own. Where a tangent itself is asked for,
 * it is computed: for good in the region that has the value, so that what stands behind finds it, and
 * elsewhere for that use.
 *
 * Why it is right: formulas without a choice are linear in g, that is g times what they give for 1. Formulas
 * with a choice are not taken apart, since 0 times infinity is no 0 (tangent/region.c).
 */
#include "rewriters/tangent/tangent_private.h"

#include <math.h>
#include <string.h>

gw_str gw_tangent_value_name(const gw_tangent *t, gw_value primal, uint32_t lane) {
    gw_str name = gw_value_at(t->primal, primal)->name;
    return name ? gw_tangent_lane_name(t, name, lane) : 0;
}

void gw_tangent_set(gw_tangent *t, gw_value primal, uint32_t lane, gw_value tangent) {
    if (!gw_value_at(t->f, tangent)->name)
        gw_value_at(t->f, tangent)->name = gw_tangent_value_name(t, primal, lane);
    gw_map_set(&t->tangent[lane], primal, tangent);
}

/* ---- forms ---- */
static const gw_tangent_form *form_of(const gw_tangent *t, gw_value primal) {
    const gw_value at = gw_map_get(&t->form, primal);
    return at ? &t->forms.at[at - 1] : NULL;
}

static gw_value sum_of(gw_tangent *t, const gw_tangent_form *form, uint32_t lane) {
    gw_value sum = 0;
    for (uint32_t i = 0; i < form->count; i++) {
        const gw_tangent_term *x = &form->term[i];
        gw_value part = gw_map_get(&t->tangent[lane], x->base);
        if (x->scale) part = gw_binary(&t->b, GW_OP_MUL, part, x->scale);
        if (sum)
            part = gw_binary(&t->b, x->is_negative ? GW_OP_SUB : GW_OP_ADD, sum, part);
        else if (x->is_negative)
            part = gw_unary(&t->b, GW_OP_NEG, part);
        sum = part;
    }
    return sum;
}

bool gw_tangent_has(const gw_tangent *t, gw_value primal) {
    return gw_map_get(&t->tangent[0], primal) || gw_map_get(&t->form, primal);
}

gw_value gw_tangent_of(gw_tangent *t, gw_value primal, uint32_t lane) {
    const gw_value there = gw_map_get(&t->tangent[lane], primal);
    const gw_tangent_form *kept = form_of(t, primal);
    if (there || !kept) return there;
    const gw_tangent_form form = *kept;
    if (form.home != t->b.region) return sum_of(t, &form, lane);
    for (uint32_t i = 0; i < t->lanes; i++)
        gw_tangent_set(t, primal, i, sum_of(t, &form, i));
    return gw_map_get(&t->tangent[lane], primal);
}

gw_value gw_tangent_or_zero(gw_tangent *t, gw_value primal, uint32_t lane) {
    gw_value v = gw_tangent_of(t, primal, lane);
    return v ? v : gw_tangent_zero(t, gw_typeof(t->primal, primal));
}

/* ---- making them ---- */
static gw_value number_of(gw_tangent *t, const gw_tangent_term *x, gw_type type) {
    gw_value scale = x->scale ? x->scale : gw_real(&t->b, type, 1);
    return x->is_negative ? gw_unary(&t->b, GW_OP_NEG, scale) : scale;
}

/* False: there are too many. */
static bool add_term(gw_tangent *t, gw_tangent_form *form, gw_tangent_term x, gw_type type) {
    for (uint32_t i = 0; i < form->count; i++) {
        gw_tangent_term *y = &form->term[i];
        if (y->base != x.base) continue;
        y->scale = gw_binary(&t->b, GW_OP_ADD, number_of(t, y, type), number_of(t, &x, type));
        y->is_negative = false;
        return true;
    }
    if (form->count == GW_MOST_TERMS) return false;
    form->term[form->count++] = x;
    return true;
}

/* `factor` (0: 1) times the operand's tangents. */
static bool add_operand(gw_tangent *t, gw_tangent_form *form, gw_value operand, gw_tangent_term factor,
                        gw_type type) {
    const gw_tangent_form *kept = form_of(t, operand);
    factor.base = operand;
    if (kept && kept->count > 1 && factor.scale) gw_tangent_of(t, operand, 0); /* one product for all of them */
    if (gw_map_get(&t->tangent[0], operand)) return add_term(t, form, factor, type);
    const gw_tangent_form of = *kept;
    bool fits = true;
    for (uint32_t i = 0; fits && i < of.count; i++) {
        gw_tangent_term x = of.term[i];
        x.is_negative ^= factor.is_negative;
        if (factor.scale) x.scale = x.scale ? gw_binary(&t->b, GW_OP_MUL, factor.scale, x.scale) : factor.scale;
        fits = add_term(t, form, x, type);
    }
    return fits;
}

static bool is_used_once(const gw_tangent *t, gw_value primal) {
    const gw_op user = t->user[primal];
    return user && user != UINT32_MAX &&
           gw_op_at(t->primal, user)->parent == gw_op_at(t->primal, gw_value_at(t->primal, primal)->op)->parent;
}

void gw_tangent_find_users(gw_tangent *t) {
    const gw_func *p = t->primal;
    t->user = gw_alloc(p->values.count * sizeof *t->user);
    for (gw_op op = 1; op < p->ops.count; op++)
        for (uint32_t i = 0; !gw_op_at(p, op)->dead && i < gw_op_at(p, op)->operands; i++) {
            gw_op *user = &t->user[gw_operand(p, op, i)];
            *user = *user && *user != op ? UINT32_MAX : op;
        }
}

static bool is_linear(gw_tangent *t, gw_op op, gw_type type) {
    for (uint32_t i = 0; i < gw_op_at(t->primal, op)->operands; i++) {
        const char *formula = gw_formula((gw_opcode)gw_op_at(t->primal, op)->code, i);
        const gw_value operand = gw_operand(t->primal, op, i);
        if (!formula || !gw_tangent_has(t, operand)) continue;
        if (i >= 4 || strchr(formula, '?') || gw_typeof(t->primal, operand) != type) return false;
    }
    return true;
}

/* What the formula gives for 1. */
static gw_tangent_term factor_of(gw_tangent *t, const char *formula, gw_formula_values *v, gw_type type,
                                 uint16_t flags) {
    v->seed = gw_real(&t->b, type, 1);
    const gw_value factor = gw_formula_build(&t->b, formula, v, type, flags);
    double number = 0;
    if (gw_const_real(t->f, factor, &number) && fabs(number) == 1)
        return (gw_tangent_term){.is_negative = number < 0};
    return (gw_tangent_term){.scale = factor};
}

/* The sum over the operands; their forms as they are, or (`whole`) of one term each, which always fits: a form
 * of several is of the op's own region. */
static bool add_operands(gw_tangent *t, gw_op op, gw_formula_values *v, gw_tangent_form *form, bool whole) {
    const gw_op_data o = *gw_op_at(t->primal, op);
    const gw_type type = gw_typeof(t->primal, o.first_result);
    bool fits = true;
    *form = (gw_tangent_form){.home = t->b.region};
    for (uint32_t i = 0; fits && i < o.operands; i++) {
        const char *formula = gw_formula((gw_opcode)o.code, i);
        const gw_value operand = gw_operand(t->primal, op, i);
        if (!formula || !gw_tangent_has(t, operand)) continue;
        if (whole) gw_tangent_of(t, operand, 0);
        fits = add_operand(t, form, operand, factor_of(t, formula, v, type, o.flags), type);
    }
    return fits;
}

bool gw_tangent_linear_op(gw_tangent *t, gw_op op, gw_formula_values *v) {
    const gw_value result = gw_op_at(t->primal, op)->first_result;
    gw_tangent_form form;
    if (t->lanes == 1 || !is_linear(t, op, gw_typeof(t->primal, result))) return false;
    if (!add_operands(t, op, v, &form, false)) add_operands(t, op, v, &form, true);
    if (!form.count) return true;
    const gw_tangent_term *first = &form.term[0];
    const bool kept = form.count == 1 ? first->scale || first->is_negative : is_used_once(t, result);
    if (kept) {
        gw_push(&t->forms, form);
        gw_map_set(&t->form, result, t->forms.count);
    }
    for (uint32_t lane = 0; !kept && lane < t->lanes; lane++)
        gw_tangent_set(t, result, lane, sum_of(t, &form, lane));
    return true;
}
