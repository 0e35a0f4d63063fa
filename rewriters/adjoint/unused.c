/*
 * adjoint/unused.c - an adjoint that is 0 because nothing used the value stays 0.
 *
 *     len = sqrt(s);                           q = 0.5 * d_len / len;
 *     if (len <= eps) return 1;                d_s = d_len == 0 && isnan(q) ? 0 : q;
 *     return v / len;
 *
 * Where s is 0 the branch that ran has no use for len, and d_len is 0; 0.5 * 0 / 0 is NaN. The forward mode has
 * no such case: the tangent of what is not used goes nowhere.
 *
 * What is asked for, so that nothing is emitted where it cannot happen. The adjoint may be 0 for want of a use:
 * a side of a branch or a choice about numbers, or about an integer that something is divided by, gives 0; a
 * cell of a local array may have none; one of an output was overwritten. A loop counts as one that runs, a
 * caller's seed as used, but for a pullback that derivatives alone call, and for a kernel whose results the
 * program's next kernels use behind guards alone (facts/used.c). And what the formula of deriv.def gives may be
 * NaN: it divides by what may be 0, or has a factor made by an op that may be infinite or NaN where its
 * operands are not.
 *
 * Rows of a Jacobian have the op USED for it, which takes four seeds at once, too (host/seeds.c). Some of these
 * are 0, so there a seed counts as unused as well.
 *
 * Sound: a product that is a number is left alone, also as something to differentiate, where the adjoint
 * happens to be 0 and changes.
 */
#include "rewriters/adjoint/adjoint_private.h"
#include "rewriters/formula/formula.h"

#include <ctype.h>
#include <string.h>

enum { NO = 1, YES = 2 }; /* in maps, where 0 is not known yet */

/* The gradient makes rows of a Jacobian. */
static bool makes_rows(const gw_adjoint *a) { return a->f->session->requests.at[a->f->request].part_of != 0; }

static bool is_own_seed(const gw_adjoint *a) {
    const gw_request *q = &a->f->session->requests.at[a->f->request];
    return q->implied || q->may_be_unused || makes_rows(a);
}

/* ---- whether an adjoint may be 0 for want of a use: values of the derivative ---- */
static bool may_vanish(gw_adjoint *a, gw_value g, int depth);

/* A real number is divided by the integer. */
static bool is_divisor(const gw_func *f, gw_value v) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead || (o->code != GW_OP_DIV && o->code != GW_OP_FDIVIDE && o->code != GW_OP_RCP)) continue;
        const gw_value by = gw_operand(f, op, o->operands - 1);
        if (gw_type_is_float(gw_typeof(f, by)) && gw_behind_casts(f, by) == v) return true;
    }
    return false;
}

/* `count == 0`, of a count that something is divided by: the branch without the quotient guards it. Conditions
 * about other integers, bounds above all, guard no formula. */
static bool asks_of_divisor(const gw_func *f, gw_value condition, int depth) {
    const gw_op op = gw_value_at(f, condition)->op;
    int64_t number;
    for (uint32_t i = 0; op && depth < 8 && i < gw_op_at(f, op)->operands; i++) {
        const gw_value v = gw_behind_casts(f, gw_operand(f, op, i));
        if (gw_typeof(f, v) == GW_T_BOOL && asks_of_divisor(f, v, depth + 1)) return true;
        const bool is_asked = gw_op_at(f, op)->operands == 2 && gw_type_is_integer(gw_typeof(f, v));
        if (is_asked && gw_const_int(f, gw_operand(f, op, 1 - i), &number) && is_divisor(f, v)) return true;
    }
    return false;
}

static bool side_vanishes(gw_adjoint *a, gw_value condition, const gw_value side[2], int depth) {
    const bool guards = gw_is_about_numbers(a->f, condition, 0) || asks_of_divisor(a->f, condition, 0);
    for (uint32_t i = 0; i < 2; i++)
        if ((guards || !gw_is_zero(a->f, side[i])) && may_vanish(a, side[i], depth)) return true;
    return false;
}

/* The cell may have been zeroed in front of it, or is of a local array. */
static bool load_vanishes(const gw_adjoint *a, gw_op load) {
    const gw_func *f = a->f;
    const gw_object object = gw_op_at(f, load)->object;
    if (is_own_seed(a) || gw_object_at(f, object)->kind == GW_OBJECT_LOCAL) return true;
    if (gw_object_is_inner(gw_object_at(f, object)->kind)) return false;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (!o->dead && o->code == GW_OP_STORE && o->object == object && op != load &&
            gw_comes_before(f, op, load) && gw_same_address(f, op, load))
            return true;
    }
    return false;
}

static bool op_vanishes(gw_adjoint *a, gw_op op, uint32_t result, int depth) {
    const gw_func *f = a->f;
    gw_value side[2];
    switch (gw_op_at(f, op)->code) {
    case GW_OP_CONST: return gw_is_zero(f, gw_result(f, op, 0));
    case GW_OP_LOAD: return load_vanishes(a, op);
    case GW_OP_IF:
        side[0] = gw_arm_value(f, op, 0, result), side[1] = gw_arm_value(f, op, 1, result);
        return side_vanishes(a, gw_operand(f, op, 0), side, depth);
    case GW_OP_FOR:
    case GW_OP_WHILE:
        return may_vanish(a, gw_loop_init(f, op, result), depth) &&
               may_vanish(a, gw_loop_next(f, op, result), depth);
    case GW_OP_SELECT:
        side[0] = gw_operand(f, op, 1), side[1] = gw_operand(f, op, 2);
        return side_vanishes(a, gw_operand(f, op, 0), side, depth);
    case GW_OP_ADD:
    case GW_OP_SUB:
        return may_vanish(a, gw_operand(f, op, 0), depth) && may_vanish(a, gw_operand(f, op, 1), depth);
    case GW_OP_MUL:
        return may_vanish(a, gw_operand(f, op, 0), depth) || may_vanish(a, gw_operand(f, op, 1), depth);
    case GW_OP_WARP: return gw_op_at(f, op)->operands < 2 || may_vanish(a, gw_operand(f, op, 1), depth);
    case GW_OP_POP: return false;
    default: return !gw_op_at(f, op)->operands || may_vanish(a, gw_operand(f, op, 0), depth);
    }
}

/* An argument of a loop's body is what the loop starts with. */
static bool argument_vanishes(gw_adjoint *a, gw_value g, int depth) {
    const gw_func *f = a->f;
    const gw_op loop = gw_region_at(f, gw_value_region(f, g))->parent;
    if (!loop) return is_own_seed(a) || gw_value_region(f, g) != f->entry;
    const uint32_t first = gw_loop_first_arg(f, loop), index = gw_value_at(f, g)->index;
    return index >= first && may_vanish(a, gw_loop_init(f, loop, index - first), depth);
}

static bool may_vanish(gw_adjoint *a, gw_value g, int depth) {
    const gw_op op = gw_value_at(a->f, g)->op;
    const gw_value known = gw_map_get(&a->vanishing, g);
    if (known) return known == YES;
    if (depth > 64) return true;
    const bool vanishes =
        op ? op_vanishes(a, op, gw_value_at(a->f, g)->index, depth + 1) : argument_vanishes(a, g, depth + 1);
    gw_map_set(&a->vanishing, g, vanishes ? YES : NO);
    return vanishes;
}

/* ---- whether a number may be infinite or NaN though what it is made of is none ---- */
/* Finite where the operands are. */
static bool is_finite_op(gw_opcode code) {
    static const gw_opcode all[] = {
        GW_OP_ADD,   GW_OP_SUB,   GW_OP_MUL,      GW_OP_NEG,     GW_OP_FMA,         GW_OP_TO_HALF,
        GW_OP_FABS,  GW_OP_FMIN,  GW_OP_FMAX,     GW_OP_FDIM,    GW_OP_TO_BFLOAT16, GW_OP_SATURATE,
        GW_OP_CBRT,  GW_OP_SIN,   GW_OP_COS,      GW_OP_SINPI,   GW_OP_COSPI,       GW_OP_COPYSIGN,
        GW_OP_ATAN,  GW_OP_ATAN2, GW_OP_ASINH,    GW_OP_TANH,    GW_OP_ERF,         GW_OP_NORMCDF,
        GW_OP_HYPOT, GW_OP_ERFC,  GW_OP_NORM3D,   GW_OP_NORM4D,  GW_OP_FRACTION,    GW_OP_MANTISSA,
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i] == code) return true;
    return false;
}

/* All values but NaN of v, there, are on one side of 0 and away from it. */
static bool is_not_zero(const gw_func *p, gw_value v, gw_region at) {
    return gw_real_range_of(p, v, at).low >= 1e-30 || gw_real_range_of(p, v, at).high <= -1e-30;
}

/* An op that is none of those has ranges of operands in which it is finite. */
static bool is_in_range(const gw_func *p, gw_op op) {
    const gw_region at = gw_op_at(p, op)->parent;
    const uint32_t operands = gw_op_at(p, op)->operands;
    switch (gw_op_at(p, op)->code) {
    case GW_OP_DIV:
    case GW_OP_FDIVIDE: return is_not_zero(p, gw_operand(p, op, 1), at);
    case GW_OP_OVER: return true;
    case GW_OP_RCP: return is_not_zero(p, gw_operand(p, op, 0), at);
    case GW_OP_SQRT: return gw_real_range_of(p, gw_operand(p, op, 0), at).low >= 0;
    case GW_OP_RSQRT:
    case GW_OP_LOG:
    case GW_OP_LOG2:
    case GW_OP_LOG10: return gw_real_range_of(p, gw_operand(p, op, 0), at).low >= 1e-30;
    case GW_OP_EXP:
    case GW_OP_EXP2:
    case GW_OP_EXP10:
    case GW_OP_EXPM1: return operands && gw_real_range_of(p, gw_operand(p, op, 0), at).high <= 30;
    default: return false;
    }
}

/* Made by such an op. Nothing is known of what is made of that in turn, but of tangents for second derivatives:
 * what is chosen or clamped is finite, and a guard for each product would cost more than it helps. */
static bool is_risky(const gw_func *p, gw_value v, int depth) {
    const gw_op op = gw_value_at(p, gw_behind_casts(p, v))->op;
    if (!op || gw_op_rows[gw_op_at(p, op)->code].adjoint != GW_ADJOINT_FORMULA) return false;
    if (!is_finite_op((gw_opcode)gw_op_at(p, op)->code) && !is_in_range(p, op)) return true;
    for (uint32_t i = 0; p->second_of && depth < 8 && i < gw_op_at(p, op)->operands; i++)
        if (is_risky(p, gw_operand(p, op, i), depth + 1)) return true;
    return false;
}

/* ---- the formula of one operand ---- */
static bool is_finite_call(const char *name, size_t length) {
    static const char *const names[] = {"sin", "cos", "sinpi", "cospi", "signbit", "rint",
                                        "j0",  "j1",  "jn",    "ldexp", "scalbln"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == length && strncmp(names[i], name, length) == 0) return true;
    return false;
}

/* It divides by something that is no number, or calls what may be infinite. */
static bool has_pole(const char *formula) {
    for (const char *at = formula; *at;) {
        if (*at == '/' && !isdigit((unsigned char)at[2])) return true;
        const char *word = at;
        while (gw_is_word(*at)) at++;
        if (at > word + 1 && *at == '(' && isalpha((unsigned char)*word) &&
            !is_finite_call(word, (size_t)(at - word)))
            return true;
        if (at == word) at++;
    }
    return false;
}

static bool may_be_no_number(const gw_func *p, gw_op op, const char *formula) {
    const gw_op_data *o = gw_op_at(p, op);
    bool away = o->code == GW_OP_SQRT ? gw_real_range_of(p, gw_operand(p, op, 0), o->parent).low >= 1e-30
                                      : is_in_range(p, op);
    if (has_pole(formula) && !away) return true;
    if (gw_formula_reads(formula, 'r') && is_risky(p, o->first_result, 0)) return true;
    for (uint32_t i = 0; i < o->operands; i++)
        if (gw_formula_reads(formula, (char)('a' + i)) && is_risky(p, gw_operand(p, op, i), 0)) return true;
    return false;
}

gw_value gw_adjoint_if_used(gw_adjoint *a, gw_op op, const char *formula, gw_value g, gw_value contribution) {
    if (!may_vanish(a, g, 0) || !may_be_no_number(a->primal, op, formula)) return contribution;
    gw_builder *b = &a->b;
    const gw_type type = gw_typeof(a->f, contribution);
    if (makes_rows(a)) return gw_binary(b, GW_OP_USED, gw_cast(b, type, g), contribution);
    gw_value none = gw_binary(b, GW_OP_EQ, g, gw_real(b, gw_typeof(a->f, g), 0));
    gw_value both = gw_binary(b, GW_OP_AND, none, gw_unary(b, GW_OP_ISNAN, contribution));
    return gw_select(b, both, gw_real(b, type, 0), contribution);
}

/* ---- where it stands in the end ---- */

#define FINITE 1e4 /* in half precision, too */

/* The guard of v = g * w, with a w that is finite here unless it is NaN; then what it guards, else 0. */
static gw_value needs_no_guard(const gw_func *f, gw_op guard) {
    const gw_value v = gw_operand(f, guard, 2);
    const gw_op both = gw_made_by(f, gw_operand(f, guard, 0), GW_OP_AND), product = gw_made_by(f, v, GW_OP_MUL);
    double zero;
    if (!both || !product || !gw_const_real(f, gw_operand(f, guard, 1), &zero) || zero != 0) return 0;
    const gw_op none = gw_made_by(f, gw_operand(f, both, 0), GW_OP_EQ),
                lost = gw_made_by(f, gw_operand(f, both, 1), GW_OP_ISNAN);
    if (!none || !lost || gw_operand(f, lost, 0) != v || !gw_const_real(f, gw_operand(f, none, 1), &zero) ||
        zero != 0)
        return 0;
    for (uint32_t i = 0; i < 2; i++) {
        const gw_value w = gw_operand(f, product, 1 - i);
        const gw_region r = gw_op_at(f, guard)->parent;
        if (gw_operand(f, product, i) == gw_operand(f, none, 0) && gw_real_range_of(f, w, r).low >= -FINITE &&
            gw_real_range_of(f, w, r).high <= FINITE)
            return v;
    }
    return 0;
}

void gw_reduce_guards(gw_func *f) {
    gw_value_map map = {0};
    for (gw_op op = 1; op < f->ops.count; op++) {
        const bool select = !gw_op_at(f, op)->dead && gw_op_at(f, op)->code == GW_OP_SELECT;
        const gw_value v = select ? needs_no_guard(f, op) : 0;
        if (v) gw_map_set(&map, gw_result(f, op, 0), v);
    }
    if (map.count) gw_replace_many(f, &map);
    gw_map_free(&map);
}
