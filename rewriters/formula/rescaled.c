/*
 * rescaled.c - sums that are rescaled with a running maximum have the derivative of sums that are not.
 *
 *     for (k = 0; k < n; k++) {                     for (k = 0; k < n; k++) { ... as it was ... }
 *         next = max(m, v);                         for (k = 0; k < n; k++)
 *         s = s * exp(c * (m - next))        ->         all += exp(c * (v - m')) * u;
 *             + exp(c * (v - next)) * u;            s' = s, whose derivative is that of
 *         m = next;                                      all - c * s * m
 *     }
 *
 * with m' the last m, and c * s there as numbers without a derivative. In a kernel's primal, before the adjoint
 * is made. The first loop then carries no derivative of s, and of m that of a maximum (winner.c); the second
 * one's adjoint needs the inputs again and the last m, no tape. What comes to m of all sums is one number,
 * computed once. docs/internals/undone.md derives it.
 *
 * Sound: s e^(c m) grows in each iteration by something that m and s have no part in, whatever becomes of m. So
 * s is e^(-c m) times the sum of that, for the last m, and this is what is differentiated; no maximum is asked
 * for. Proved for each s by itself (split): its next value is e^(c (m - next)) s, and terms e^(-c next) times
 * what is free of all that is carried along with m and s. What else the loop uses m or s for stays as it is and
 * keeps its own derivative, tape included; s is the same number as before. The second loop does what the first
 * did, behind it, so the first may only read, and lanes may meet in it (they come to both alike).
 *
 * Requires: simplify. Guarantees: memory and the numbers of the primal as they were.
 */
#include "analysis/facts/facts.h"
#include "analysis/ir/optional.h"
#include "analysis/ir/warp.h"
#include "rewriters/formula/rescaled_private.h"

#include <stdlib.h>

/* by * exp(e - scale * reference), with the last reference; by 0: 1 */
typedef struct term {
    bool minus, made; /* made: `by` is all */
    gw_value by;
    gw_exponent e;
} term;

typedef struct terms {
    term at[GW_MOST_TERMS];
    uint32_t count;
    bool keeps; /* and the sum as it was, rescaled */
} terms;

/* What an iteration begins with. */
typedef struct start {
    gw_value sum, reference;
} start;

typedef struct answer {
    gw_value v, reference, sum;
    terms is;
} answer;

typedef struct copied {
    gw_op from, to;
} copied;

typedef struct given { /* a result of a copy that gives terms by now */
    gw_op by;
    uint32_t result;
} given;

typedef struct rescaling {
    gw_reading read; /* in the second loop */
    gw_value last;   /* the reference that the first loop ends with, without a derivative */
    bool has_scale;
    gw_opcode code; /* EXP, EXP2, EXP10 */
    uint16_t flags;
    gw_type type;
    gw_multiple scale;
    GW_VEC(copied) copies; /* of branches and loops of the second loop */
    GW_VEC(given) given;
    GW_VEC(answer *) answers;
} rescaling;

static bool split(rescaling *r, gw_value v, gw_value reference, const start *from, terms *out);

static bool is_one(const gw_func *f, gw_value v) {
    double x;
    return gw_const_real(f, v, &x) && x == 1;
}

static bool push(terms *out, const term *t) {
    if (out->count == GW_MOST_TERMS) return false;
    out->at[out->count++] = *t;
    return true;
}

/* All of them; the sum at most once. */
static bool gather(terms *out, const terms *more, bool minus) {
    if (more->keeps && (out->keeps || minus)) return false;
    out->keeps |= more->keeps;
    for (uint32_t i = 0; i < more->count; i++) {
        term t = more->at[i];
        t.minus ^= minus;
        if (!push(out, &t)) return false;
    }
    return true;
}

/* ---- one term ---- */
static gw_value behind_float_casts(const gw_func *f, gw_value v) {
    for (gw_op op; (op = gw_made_by(f, v, GW_OP_CAST)) != 0; v = gw_operand(f, op, 0))
        if (!gw_type_is_float(gw_typeof(f, gw_operand(f, op, 0)))) break;
    return v;
}

/* v = exp(rest - scale * reference), with the scale that all have. */
static bool is_power(rescaling *r, gw_value v, gw_value reference, gw_exponent *rest) {
    const gw_func *f = r->read.f;
    const gw_value made = behind_float_casts(f, v);
    const gw_op op = gw_value_at(f, made)->op;
    const gw_opcode code = op ? (gw_opcode)gw_op_at(f, op)->code : GW_OP_NONE;
    gw_multiple scale;
    if (code != GW_OP_EXP && code != GW_OP_EXP2 && code != GW_OP_EXP10) return false;
    if (!gw_exponent_read(&r->read, gw_operand(f, op, 0), reference, &scale, rest) || scale.number == 0)
        return false;
    scale.number = -scale.number;
    if (!r->has_scale) {
        r->has_scale = true;
        r->code = code;
        r->flags = gw_op_at(f, op)->flags;
        r->type = gw_typeof(f, made);
        r->scale = scale;
    }
    /* of another precision, its derivative would lose digits */
    return code == r->code && gw_typeof(f, made) == r->type && gw_same_multiple(&scale, &r->scale);
}

static bool all_free(rescaling *r, const gw_exponent *e) {
    for (uint32_t i = 0; i < e->count; i++)
        if (!gw_is_free(&r->read, e->part[i].of)) return false;
    return true;
}

/* What is free of m and s, where the reference is too. */
static bool split_free(rescaling *r, gw_value v, gw_value reference, terms *out) {
    term t = {.by = is_one(r->read.f, v) ? 0 : v};
    if (gw_is_zero(r->read.f, v)) return true;
    return gw_is_free(&r->read, reference) && r->has_scale &&
           gw_exponent_of(&r->read, reference, &r->scale, &t.e) && push(out, &t);
}

/* Behind `op`, a product or quotient. */
static bool multiply_terms(rescaling *r, gw_op op, terms *t, gw_value by, bool divides) {
    gw_func *f = r->read.f;
    gw_builder b = {f, gw_op_at(f, op)->parent, gw_next(f, op), gw_op_at(f, op)->loc};
    const gw_type type = gw_typeof(f, by);
    for (uint32_t i = 0; i < t->count; i++) {
        const gw_value had = t->at[i].by ? gw_cast(&b, type, t->at[i].by) : gw_real(&b, type, 1);
        t->at[i].by = gw_binary(&b, divides ? GW_OP_DIV : GW_OP_MUL, had, by);
    }
    return !t->keeps;
}

/* x times exp(...): the sum or its terms as of another reference, rescaled; or a term. */
static bool split_scaled(rescaling *r, gw_value x, gw_value power, gw_value reference, const start *from,
                         terms *out) {
    gw_exponent rest;
    if (!is_power(r, power, reference, &rest)) return false;
    if (!gw_is_free(&r->read, x))
        return rest.count == 1 && gw_same_multiple(&rest.part[0].by, &r->scale) &&
               split(r, x, rest.part[0].of, from, out);
    term t = {.by = is_one(r->read.f, x) ? 0 : x, .e = rest};
    return all_free(r, &rest) && push(out, &t);
}

static bool split_product(rescaling *r, gw_op op, gw_value reference, const start *from, terms *out) {
    const gw_value x[2] = {gw_operand(r->read.f, op, 0), gw_operand(r->read.f, op, 1)};
    for (uint32_t i = 0; i < 2; i++) {
        *out = (terms){0};
        if (split_scaled(r, x[!i], x[i], reference, from, out)) return true;
    }
    for (uint32_t i = 0; i < 2; i++) {
        *out = (terms){0};
        if (gw_is_free(&r->read, x[i]))
            return split(r, x[!i], reference, from, out) && multiply_terms(r, op, out, x[i], false);
    }
    return false;
}

static bool split_sum(rescaling *r, gw_op op, gw_value reference, const start *from, terms *out) {
    const gw_func *f = r->read.f;
    const uint16_t code = gw_op_at(f, op)->code;
    const bool is_fma = code == GW_OP_FMA;
    const gw_value first = gw_operand(f, op, 0);
    const gw_value second = code == GW_OP_NEG ? 0 : gw_operand(f, op, gw_op_at(f, op)->operands - 1);
    terms part[2] = {{.count = 0}, {.count = 0}};
    if (is_fma && !split_product(r, op, reference, from, &part[0])) return false;
    /* a number that stands for a power is known as one behind the power */
    const bool turns = !is_fma && second && gw_is_free(&r->read, first);
    if (turns && !split(r, second, reference, from, &part[1])) return false;
    if (!is_fma && !split(r, first, reference, from, &part[0])) return false;
    if (!turns && second && !split(r, second, reference, from, &part[1])) return false;
    return gather(out, &part[0], code == GW_OP_NEG) && gather(out, &part[1], code == GW_OP_SUB);
}

/* ---- terms as one number ---- */
static gw_value build_term(rescaling *r, gw_builder *b, gw_type type, const term *t) {
    if (t->made) return gw_cast(b, type, t->by);
    const gw_value e = gw_exponent_build(b, r->type, &t->e, &r->scale, r->last);
    const gw_value power = gw_cast(b, type, gw_pure(b, r->code, r->type, r->flags, &e, 1));
    return t->by ? gw_binary(b, GW_OP_MUL, power, gw_cast(b, type, t->by)) : power;
}

static gw_value build_terms(rescaling *r, gw_builder *b, gw_type type, const terms *t, gw_value sum) {
    for (uint32_t i = 0; i < t->count; i++) {
        const gw_value made = build_term(r, b, type, &t->at[i]);
        if (sum) sum = gw_binary(b, t->at[i].minus ? GW_OP_SUB : GW_OP_ADD, sum, made);
        else sum = t->at[i].minus ? gw_unary(b, GW_OP_NEG, made) : made;
    }
    return sum ? sum : gw_zero(b, type);
}

static bool same_terms(const terms *a, const terms *b) {
    bool same = a->count == b->count;
    for (uint32_t i = 0; same && i < a->count; i++) {
        const term *x = &a->at[i], *y = &b->at[i];
        same = x->minus == y->minus && x->made == y->made && x->by == y->by && gw_same_exponent(&x->e, &y->e);
    }
    return same;
}

static bool are_there(const gw_func *f, const terms *t, gw_region r) {
    bool good = true;
    for (uint32_t i = 0; i < t->count; i++) {
        good &= !t->at[i].by || gw_value_visible(f, t->at[i].by, r);
        for (uint32_t k = 0; k < t->at[i].e.count; k++)
            good &= gw_value_visible(f, t->at[i].e.part[k].of, r);
    }
    return good;
}

static bool push_made(terms *out, gw_value v) {
    const term t = {.by = v, .made = true};
    return push(out, &t);
}

/* What the reference is where `op`, a choice that stands there as `copy`, takes a side: it may be chosen by the
 * same condition. */
static gw_value reference_in(const gw_func *f, gw_value reference, gw_op op, gw_op copy, uint32_t side) {
    const gw_op other = gw_value_at(f, reference)->op;
    const uint16_t code = other ? gw_op_at(f, other)->code : GW_OP_NONE;
    bool truth = true;
    if (other == op && code == GW_OP_IF) return gw_arm_value(f, copy, side, gw_value_at(f, reference)->index);
    if (code != GW_OP_IF && code != GW_OP_SELECT) return reference;
    if (gw_behind_not(f, gw_operand(f, op, 0), &truth) != gw_behind_not(f, gw_operand(f, other, 0), &truth))
        return reference;
    if (!truth) side = !side;
    if (code == GW_OP_SELECT) return gw_operand(f, other, 1 + side);
    const gw_value there = gw_arm_value(f, other, side, gw_value_at(f, reference)->index);
    return gw_value_visible(f, there, gw_op_at(f, op)->parent) ? there : reference;
}

/* ---- branches and inner loops: a copy gives the terms in the place of the result ---- */
static gw_op copy_of(rescaling *r, gw_op op) {
    for (uint32_t i = 0; i < r->copies.count; i++)
        if (r->copies.at[i].from == op) return r->copies.at[i].to;
    gw_func *f = r->read.f;
    gw_builder b = {f, gw_op_at(f, op)->parent, gw_next(f, op), gw_op_at(f, op)->loc};
    gw_cloner c = {.from = f, .to = &b};
    const gw_op to = gw_clone_op(&c, op);
    gw_map_free(&c.values);
    gw_map_free(&c.objects);
    gw_push(&r->copies, ((copied){op, to}));
    return to;
}

/* The result gives terms from now on; false: it does so already. */
static bool give(rescaling *r, gw_op copy, uint32_t result) {
    for (uint32_t i = 0; i < r->given.count; i++)
        if (r->given.at[i].by == copy && r->given.at[i].result == result) return false;
    gw_push(&r->given, ((given){copy, result}));
    return true;
}

static bool split_branch(rescaling *r, gw_value v, gw_op op, gw_value reference, const start *from,
                         terms *out) {
    gw_func *f = r->read.f;
    const gw_op copy = copy_of(r, op);
    const uint32_t i = gw_value_at(f, v)->index;
    terms side[2] = {{.count = 0}, {.count = 0}};
    if (!give(r, copy, i)) return false;
    for (uint32_t k = 0; k < 2; k++)
        if (!split(r, gw_arm_value(f, copy, k, i), reference_in(f, reference, op, copy, k), from, &side[k]))
            return false;
    if (side[0].keeps != side[1].keeps) return false;
    out->keeps = side[0].keeps;
    if (same_terms(&side[0], &side[1]) && are_there(f, &side[0], gw_op_at(f, copy)->parent)) {
        *out = side[0];
        return true;
    }
    if (!gw_is_free(&r->read, gw_operand(f, op, 0))) return false;
    for (uint32_t k = 0; k < 2; k++) {
        const gw_region at = gw_op_at(f, copy)->region[k];
        gw_builder b = {f, at, gw_region_end(f, at), gw_op_at(f, op)->loc};
        const gw_value made = build_terms(r, &b, gw_typeof(f, v), &side[k], 0);
        gw_set_operand(f, gw_region_end(f, at), i, made);
    }
    return push_made(out, gw_result(f, copy, i));
}

static bool split_select(rescaling *r, gw_op op, gw_value reference, const start *from, terms *out) {
    gw_func *f = r->read.f;
    const gw_value condition = gw_operand(f, op, 0);
    terms side[2] = {{.count = 0}, {.count = 0}};
    for (uint32_t k = 0; k < 2; k++)
        if (!split(r, gw_operand(f, op, 1 + k), reference_in(f, reference, op, op, k), from, &side[k]))
            return false;
    if (side[0].keeps != side[1].keeps) return false;
    if (same_terms(&side[0], &side[1])) {
        *out = side[0];
        return true;
    }
    const gw_region at = gw_op_at(f, op)->parent;
    if (!gw_is_free(&r->read, condition) || !are_there(f, &side[0], at) || !are_there(f, &side[1], at))
        return false;
    gw_builder b = {f, at, gw_next(f, op), gw_op_at(f, op)->loc};
    const gw_type type = gw_typeof(f, gw_result(f, op, 0));
    gw_value made[2];
    for (uint32_t k = 0; k < 2; k++) made[k] = build_terms(r, &b, type, &side[k], 0);
    out->keeps = side[0].keeps;
    return push_made(out, gw_select(&b, condition, made[0], made[1]));
}

/* A loop that adds terms, and may have the reference go on. */
static bool split_loop(rescaling *r, gw_value v, gw_op op, gw_value reference, const start *from, terms *out) {
    gw_func *f = r->read.f;
    if (gw_op_at(f, op)->code != GW_OP_FOR || gw_op_at(f, op)->flags & GW_OP_EXIT) return false;
    for (uint32_t k = 0; k < 3; k++) /* it runs as often, though the sum is another number here */
        if (!gw_is_free(&r->read, gw_operand(f, op, k))) return false;
    const gw_op copy = copy_of(r, op);
    const uint32_t i = gw_value_at(f, v)->index, other = gw_value_at(f, reference)->index;
    const bool is_own = gw_value_at(f, reference)->op == op;
    const gw_value first = gw_loop_init(f, copy, i), first_reference = gw_loop_init(f, copy, other);
    const gw_value next = gw_loop_next(f, copy, i);
    const start inner = {gw_loop_arg(f, copy, i), is_own ? gw_loop_arg(f, copy, other) : reference};
    gw_note_carried(&r->read, inner.sum);
    if (is_own) gw_note_carried(&r->read, inner.reference);
    terms added = {.count = 0};
    if (!give(r, copy, i)) return false;
    if (!split(r, first, is_own ? first_reference : reference, from, out) ||
        !split(r, next, is_own ? gw_loop_next(f, copy, other) : reference, &inner, &added) || !added.keeps)
        return false;
    const gw_op end = gw_region_end(f, gw_loop_body(f, copy));
    gw_builder b = {f, gw_loop_body(f, copy), end, gw_op_at(f, op)->loc};
    gw_set_operand(f, end, i, build_terms(r, &b, gw_typeof(f, v), &added, inner.sum));
    b = (gw_builder){f, gw_op_at(f, copy)->parent, copy, gw_op_at(f, op)->loc};
    gw_set_operand(f, copy, 3 + i, gw_zero(&b, gw_typeof(f, v)));
    return push_made(out, gw_result(f, copy, i));
}

/* ---- any value ---- */
static bool split_made(rescaling *r, gw_value v, gw_op op, gw_value reference, const start *from, terms *out) {
    const gw_func *f = r->read.f;
    const gw_op_data *o = gw_op_at(f, op);
    gw_exponent rest;
    switch (o->code) {
    case GW_OP_ADD:
    case GW_OP_SUB:
    case GW_OP_NEG:
    case GW_OP_FMA:
        return split_sum(r, op, reference, from, out);
    case GW_OP_MUL:
        return split_product(r, op, reference, from, out);
    case GW_OP_DIV:
        return gw_is_free(&r->read, gw_operand(f, op, 1)) &&
               split(r, gw_operand(f, op, 0), reference, from, out) &&
               multiply_terms(r, op, out, gw_operand(f, op, 1), true);
    case GW_OP_CAST:
        return gw_type_is_float(gw_typeof(f, gw_operand(f, op, 0))) &&
               split(r, gw_operand(f, op, 0), reference, from, out);
    case GW_OP_SELECT:
        return split_select(r, op, reference, from, out);
    case GW_OP_IF:
        return split_branch(r, v, op, reference, from, out);
    case GW_OP_FOR:
        return split_loop(r, v, op, reference, from, out);
    default: {
        term t = {.minus = false};
        if (!is_power(r, v, reference, &rest) || !all_free(r, &rest)) return false;
        t.e = rest;
        return push(out, &t);
    }
    }
}

/* v = e^(c (m - reference)) s, if out->keeps, and the terms, whose last reference stands for this one. */
static bool split(rescaling *r, gw_value v, gw_value reference, const start *from, terms *out) {
    *out = (terms){0};
    for (uint32_t i = 0; i < r->answers.count; i++) {
        const answer *a = r->answers.at[i];
        if (a->v != v || a->reference != reference || (a->is.keeps && a->sum != from->sum)) continue;
        *out = a->is;
        return true;
    }
    out->keeps = v == from->sum;
    if (out->keeps) return reference == from->reference;
    const gw_op op = gw_value_at(r->read.f, v)->op;
    const bool is_free = gw_is_free(&r->read, v);
    if (is_free ? !split_free(r, v, reference, out) : !op || !split_made(r, v, op, reference, from, out))
        return false;
    answer *a = gw_alloc(sizeof *a);
    *a = (answer){v, reference, from->sum, *out};
    gw_push(&r->answers, a);
    return true;
}

/* ---- the loop ---- */
/* It only reads, and can run once more behind itself. */
static bool can_repeat(const gw_func *f, gw_op loop) {
    if (gw_op_at(f, loop)->code != GW_OP_FOR || gw_op_at(f, loop)->imm.i ||
        gw_op_at(f, loop)->flags & GW_OP_EXIT)
        return false;
    for (gw_op op = loop; op; op = gw_walk_op(f, op, loop)) {
        const gw_op_data *o = gw_op_at(f, op);
        const gw_effect effect = gw_op_rows[o->code].effect;
        const bool is_control = o->code == GW_OP_IF || o->code == GW_OP_YIELD || gw_is_loop(f, op);
        const bool meets = o->code == GW_OP_WARP && o->attr != GW_WARP_ACTIVE;
        if (effect != GW_EFFECT_PURE && effect != GW_EFFECT_READ && !is_control && !meets) return false;
    }
    return true;
}

static bool has_power(const gw_func *f, gw_op loop) {
    return gw_has_op(f, loop, GW_OP_EXP) || gw_has_op(f, loop, GW_OP_EXP2) || gw_has_op(f, loop, GW_OP_EXP10);
}

/* What the sum begins with, as of the last reference. */
static gw_value begin_sum(rescaling *r, gw_builder *b, gw_value sum, gw_value reference) {
    double x;
    if (gw_is_zero(b->f, sum)) return sum;
    const gw_value at = gw_cast(b, r->type, reference), last = gw_cast(b, r->type, r->last);
    const gw_value apart = gw_binary(b, GW_OP_SUB, at, last), same = gw_binary(b, GW_OP_EQ, at, last);
    /* no iteration, or none with a number: the two may be infinite */
    gw_value way = gw_select(b, same, gw_zero(b, r->type), apart);
    if (!gw_const_real(b->f, reference, &x)) way = gw_binary(b, GW_OP_FOLLOW, way, apart);
    const gw_value e = gw_multiple_build(b, r->type, &r->scale, way);
    const gw_value power = gw_pure(b, r->code, r->type, r->flags, &e, 1);
    return gw_binary(b, GW_OP_MUL, gw_cast(b, gw_typeof(b->f, sum), power), sum);
}

/* Behind the loops: the number itself, with the derivative of all - c * s * m. */
static void follow_sum(rescaling *r, gw_op loop, uint32_t i, uint32_t reference) {
    gw_func *f = r->read.f;
    const gw_op second = r->read.loop;
    gw_builder b = {f, gw_op_at(f, second)->parent, gw_next(f, second), gw_op_at(f, loop)->loc};
    const gw_value sum = gw_result(f, loop, i), all = gw_result(f, second, i);
    const gw_type type = gw_typeof(f, sum);
    gw_multiple scale = r->scale;
    if (r->code == GW_OP_EXP2) scale.number *= 0.69314718055994530942;
    if (r->code == GW_OP_EXP10) scale.number *= 2.30258509299404568402;
    const gw_value number = gw_unary(&b, GW_OP_DETACH, sum);
    const gw_value along = gw_unary(&b, GW_OP_DETACH, gw_multiple_build(&b, type, &scale, number));
    const gw_value back = gw_binary(&b, GW_OP_MUL, along, gw_cast(&b, type, gw_result(f, loop, reference)));
    const gw_value made = gw_binary(&b, GW_OP_FOLLOW, number, gw_binary(&b, GW_OP_SUB, all, back));
    gw_value_at(f, made)->name = gw_value_at(f, sum)->name;
    gw_replace_uses(f, sum, made);
    gw_set_operand(f, gw_value_at(f, number)->op, 0, sum);
}

/* What numbers are made of that go along with them is carried, too: a counter is not. */
static void note_carried(gw_reading *r) {
    const gw_func *f = r->f;
    const uint32_t carried = gw_loop_carried(f, r->loop);
    bool *is_noted = gw_alloc(carried + 1);
    for (uint32_t i = 0; i < carried; i++)
        is_noted[i] = gw_type_is_float(gw_typeof(f, gw_loop_arg(f, r->loop, i)));
    for (bool again = true; again;) {
        again = false;
        r->carried.count = 0;
        for (uint32_t i = 0; i < carried; i++)
            if (is_noted[i]) gw_note_carried(r, gw_loop_arg(f, r->loop, i));
        for (uint32_t i = 0; i < carried && !again; i++)
            if (!is_noted[i] && !gw_is_free(r, gw_loop_next(f, r->loop, i))) again = is_noted[i] = true;
    }
    free(is_noted);
}

static void forget_answers(rescaling *r) {
    for (uint32_t i = 0; i < r->answers.count; i++) free(r->answers.at[i]);
    r->answers.count = 0;
}

/* Turns the sums of a copy that go with carried value `reference`; whether there are any. */
static bool turn(gw_func *f, gw_op loop, uint32_t reference, const bool *is_active) {
    gw_builder b = {f, gw_op_at(f, loop)->parent, gw_next(f, loop), gw_op_at(f, loop)->loc};
    rescaling r = {.last = gw_unary(&b, GW_OP_DETACH, gw_result(f, loop, reference))};
    gw_cloner c = {.from = f, .to = &b};
    r.read = (gw_reading){.f = f, .loop = gw_clone_op(&c, loop)};
    const gw_op second = r.read.loop, end = gw_region_end(f, gw_loop_body(f, second));
    const uint32_t carried = gw_loop_carried(f, loop);
    bool found = false;
    note_carried(&r.read);
    for (uint32_t i = 0; i < carried; i++) {
        const start from = {gw_loop_arg(f, second, i), gw_loop_arg(f, second, reference)};
        terms added;
        if (i == reference || !is_active[i]) continue;
        const bool had_scale = r.has_scale;
        if (!split(&r, gw_loop_next(f, second, i), gw_loop_next(f, second, reference), &from, &added) ||
            !added.keeps || !added.count || !r.has_scale) {
            r.has_scale = had_scale; /* it may be that of another decay */
            if (!had_scale) forget_answers(&r);
            continue;
        }
        gw_builder in = {f, gw_loop_body(f, second), end, gw_op_at(f, loop)->loc};
        gw_set_operand(f, end, i, build_terms(&r, &in, gw_typeof(f, from.sum), &added, from.sum));
        in = (gw_builder){f, gw_op_at(f, second)->parent, second, gw_op_at(f, loop)->loc};
        gw_set_operand(f, second, 3 + i,
                       begin_sum(&r, &in, gw_loop_init(f, loop, i), gw_loop_init(f, loop, reference)));
        follow_sum(&r, loop, i, reference);
        found = true;
    }
    forget_answers(&r);
    gw_vec_free(&r.answers);
    gw_vec_free(&r.copies);
    gw_vec_free(&r.given);
    gw_vec_free(&r.read.carried);
    gw_map_free(&r.read.before);
    gw_map_free(&c.values);
    gw_map_free(&c.objects);
    return found;
}

/* ---- all loops, the outer ones first ---- */
static bool try_loop(gw_func *p, gw_op loop, const gw_activity *activity) {
    const uint32_t carried = gw_loop_carried(p, loop);
    bool *is_active = gw_alloc(carried + 1), any = false, found = false;
    for (uint32_t i = 0; i < carried; i++) {
        is_active[i] = gw_type_is_float(gw_typeof(p, gw_result(p, loop, i))) &&
                       gw_active_value(activity, gw_result(p, loop, i));
        any |= is_active[i];
    }
    for (uint32_t m = 0; m < carried && any && !found; m++) {
        const gw_op next = gw_value_at(p, gw_loop_next(p, loop, m))->op;
        if (!gw_type_is_float(gw_typeof(p, gw_result(p, loop, m))) || !next) continue;
        const uint16_t code = gw_op_at(p, next)->code;
        if (code == GW_OP_ADD || code == GW_OP_SUB || code == GW_OP_MUL || code == GW_OP_FMA) continue;
        gw_func *copy = gw_func_copy(p);
        found = turn(copy, loop, m, is_active) && gw_takes(p->session, GW_OPTIONAL_RESCALED);
        if (found) gw_func_take(p, copy);
        gw_func_free(copy);
    }
    free(is_active);
    return found;
}

static bool walk(gw_func *p, const gw_activity *activity) {
    for (gw_op op = gw_first(p, p->entry); op; op = gw_walk(p, op, p->entry))
        if (gw_is_loop(p, op) && can_repeat(p, op) && has_power(p, op) && try_loop(p, op, activity))
            return true;
    return false;
}

bool gw_turn_rescaled(gw_func *p, const gw_request *q) {
    /* elsewhere a part is recorded */
    if (p->kind != GW_FUNC_KERNEL) return false;
    bool changed = false;
    for (bool again = true; again;) {
        gw_roles roles;
        gw_activity activity;
        gw_roles_find(&roles, p, q);
        gw_activity_new(&activity, p, &roles);
        again = walk(p, &activity);
        changed |= again;
        gw_activity_free(&activity);
        gw_roles_free(&roles);
    }
    return changed;
}
