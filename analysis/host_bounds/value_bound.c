/*
 * value_bound.c - bounds of a thread's integer values that the host can compute from the launch and arguments.
 *
 * Interval arithmetic that builds code: for a value of the derivative, code for its least and greatest
 * value over all threads. A value that is the same in all threads is computed exactly, in its own type,
 * wrap-around included. Otherwise the bounds are 64-bit, and a type that cannot hold them widens to all of
 * the type (unsigned arithmetic wraps, narrowing casts do too; signed overflow is undefined in the source
 * and taken not to happen, so of a signed sum only what its type holds is left). Where an unsigned sum
 * is a number of 32 bits again, the last one only must fit. What comes from memory has no bound, but for
 * members of by-value structs.
 */
#include "analysis/host_bounds/host_bounds.h"

#include "analysis/ir/restructure.h"
#include "analysis/ir/warp.h"

static gw_value number(gw_bounds *b, int64_t x) { return gw_int(b->to, GW_T_I64, x); }
static gw_value op2(gw_bounds *b, gw_opcode code, gw_value x, gw_value y) {
    return gw_binary(b->to, code, x, y);
}
static gw_value least(gw_bounds *b, gw_value x, gw_value y) { return x == y ? x : op2(b, GW_OP_IMIN, x, y); }
static gw_value greatest(gw_bounds *b, gw_value x, gw_value y) { return x == y ? x : op2(b, GW_OP_IMAX, x, y); }

static bool known(gw_interval x) { return x.low && x.high; }

/* ---- values that all threads share ---- */
/* A member of a by-value struct, which nobody writes. */
static gw_value build_member(gw_bounds *b, const gw_op_data *load, gw_type type) {
    const gw_func *f = b->from;
    if (gw_object_at(f, load->object)->kind != GW_OBJECT_STRUCT || load->operands) return 0;
    for (uint32_t i = 0; i < f->params.count && i < b->to->f->params.count; i++)
        if (f->params.at[i].object == load->object && !f->params.at[i].is_adjoint)
            return gw_cast(b->to, type, gw_load(b->to, b->to->f->params.at[i].object, load->path, NULL, 0));
    return 0;
}

static gw_value build_exact(gw_bounds *b, gw_value v) {
    const gw_func *f = b->from;
    gw_op op = gw_value_at(f, v)->op;
    if (!op) return gw_map_get(&b->param, v);
    const gw_op_data *o = gw_op_at(f, op);
    gw_type type = gw_typeof(f, v);
    if (gw_type_is_float(type)) return 0;
    if (o->code == GW_OP_CONST) return gw_int(b->to, type, o->imm.i);
    if (o->code == GW_OP_SPECIAL) {
        gw_special kind = (gw_special)(o->attr / 4);
        if (kind == GW_THREAD_IDX || kind == GW_BLOCK_IDX) return 0;
        return gw_special_value(b->to, kind, o->attr % 4);
    }
    if (o->code == GW_OP_LOAD) return build_member(b, o, type);
    if (gw_op_rows[o->code].effect != GW_EFFECT_PURE || o->operands == 0 || o->operands > 3) return 0;
    if (o->code == GW_OP_BITS || gw_op_is_texture((gw_opcode)o->code)) return 0; /* of the device only */
    gw_value args[3];
    for (uint32_t i = 0; i < o->operands; i++)
        if (!(args[i] = gw_bounds_exact(b, gw_operand(f, op, i)))) return 0;
    if (o->code == GW_OP_CAST) return gw_cast(b->to, type, args[0]);
    if (o->code == GW_OP_DIV || o->code == GW_OP_REM) {
        /* the host must not trap where the kernel never divides */
        gw_value one = gw_int(b->to, type, 1);
        args[1] = gw_select(b->to, op2(b, GW_OP_EQ, args[1], gw_int(b->to, type, 0)), one, args[1]);
    }
    if (o->operands == 2) return op2(b, (gw_opcode)o->code, args[0], args[1]);
    return gw_pure(b->to, (gw_opcode)o->code, type, o->flags, args, o->operands);
}

gw_value gw_bounds_exact(gw_bounds *b, gw_value v) {
    gw_value have = gw_map_get(&b->exact, v);
    if (have || gw_map_get(&b->failed, v) & 1) return have;
    gw_value made = build_exact(b, v);
    gw_map_set(made ? &b->exact : &b->failed, v, made ? made : (gw_map_get(&b->failed, v) | 1));
    return made;
}

/* ---- ranges ---- */
static gw_interval type_range(gw_bounds *b, gw_type type) {
    uint32_t bits = gw_type_bits(type);
    if (bits >= 64) return (gw_interval){0, 0};
    int64_t top = gw_type_is_signed(type) ? ((int64_t)1 << (bits - 1)) - 1 : ((int64_t)1 << bits) - 1;
    return (gw_interval){number(b, gw_type_is_signed(type) ? -top - 1 : 0), number(b, top)};
}

/* The range, if the type holds it; otherwise all of the type (decided when the code runs). */
static gw_interval clamp(gw_bounds *b, gw_type type, gw_interval x) {
    gw_interval all = type_range(b, type);
    if (!known(x) || !known(all)) return gw_type_is_signed(type) || b->trusting ? x : (gw_interval){0, 0};
    gw_value out = op2(b, GW_OP_OR, op2(b, GW_OP_LT, x.low, all.low), op2(b, GW_OP_GT, x.high, all.high));
    return (gw_interval){gw_select(b->to, out, all.low, x.low), gw_select(b->to, out, all.high, x.high)};
}

/* Signed arithmetic does not overflow: its range is what the type holds of it. */
static gw_interval hold(gw_bounds *b, gw_type type, gw_interval x) {
    gw_interval all = type_range(b, type);
    if (!gw_type_is_signed(type) || !known(x) || !known(all)) return clamp(b, type, x);
    return (gw_interval){greatest(b, x.low, all.low), least(b, x.high, all.high)};
}

static gw_interval corners(gw_bounds *b, gw_opcode code, gw_interval x, gw_interval y) {
    gw_value p = op2(b, code, x.low, y.low), q = op2(b, code, x.low, y.high);
    gw_value r = op2(b, code, x.high, y.low), s = op2(b, code, x.high, y.high);
    return (gw_interval){least(b, least(b, p, q), least(b, r, s)),
                         greatest(b, greatest(b, p, q), greatest(b, r, s))};
}

static gw_interval union_of(gw_bounds *b, gw_interval x, gw_interval y) {
    if (!known(x) || !known(y)) return (gw_interval){0, 0};
    return (gw_interval){least(b, x.low, y.low), greatest(b, x.high, y.high)};
}

/* Quotient by a divisor that all threads share, of either sign: one of 0 the kernel never divides by; the least
 * number by -1 would trap. */
static gw_interval quotient(gw_bounds *b, gw_interval x, gw_value divisor) {
    gw_value d = gw_cast(b->to, GW_T_I64, divisor);
    d = gw_select(b->to, op2(b, GW_OP_EQ, d, number(b, 0)), number(b, 1), d);
    x = (gw_interval){greatest(b, x.low, number(b, -INT64_MAX)), greatest(b, x.high, number(b, -INT64_MAX))};
    return corners(b, GW_OP_DIV, x, (gw_interval){d, d});
}

/* Remainder by a divisor that all threads share: less than it, whatever the divisor's sign. */
static gw_interval rest(gw_bounds *b, gw_interval x, gw_value divisor) {
    gw_value one = number(b, 1), zero = number(b, 0), d = gw_cast(b->to, GW_T_I64, divisor);
    if (gw_type_is_signed(gw_typeof(b->to->f, divisor)))
        d = greatest(b, d, gw_unary(b->to, GW_OP_NEG, greatest(b, d, number(b, -INT64_MAX))));
    d = greatest(b, d, one);
    gw_value top = op2(b, GW_OP_SUB, d, one);
    gw_value low = gw_select(b->to, op2(b, GW_OP_LT, x.low, zero), gw_unary(b->to, GW_OP_NEG, top), zero);
    return (gw_interval){low, top};
}

/* a - a / d * d */
bool gw_is_remainder(const gw_func *f, gw_op op, gw_value *a, gw_value *d) {
    if (gw_op_at(f, op)->code != GW_OP_SUB) return false;
    gw_op times = gw_made_by(f, gw_operand(f, op, 1), GW_OP_MUL);
    if (!times) return false;
    for (uint32_t i = 0; i < 2; i++) {
        gw_op quotient = gw_value_at(f, gw_operand(f, times, i))->op;
        *a = gw_operand(f, op, 0), *d = gw_operand(f, times, 1 - i);
        if (quotient && gw_op_at(f, quotient)->code == GW_OP_DIV && gw_operand(f, quotient, 0) == *a &&
            gw_operand(f, quotient, 1) == *d)
            return true;
    }
    return false;
}

static gw_interval special_range(gw_bounds *b, uint16_t attr) {
    gw_special kind = (gw_special)(attr / 4), extent = kind == GW_THREAD_IDX ? GW_BLOCK_DIM : GW_GRID_DIM;
    gw_value n = gw_cast(b->to, GW_T_I64, gw_special_value(b->to, extent, attr % 4));
    return (gw_interval){number(b, 0), op2(b, GW_OP_SUB, n, number(b, 1))};
}

/* In the body, the comparison held: the index is on its side of the other bound, however far the first value
 * may be. */
static gw_interval index_range(gw_bounds *b, gw_op loop) {
    const gw_func *f = b->from;
    gw_interval lo = gw_bounds_of(b, gw_operand(f, loop, 0)), hi = gw_bounds_of(b, gw_operand(f, loop, 1));
    if (!known(lo) || !known(hi)) return (gw_interval){0, 0};
    gw_value one = number(b, 1);
    switch (gw_op_at(f, loop)->attr) {
    case GW_OP_LT: return (gw_interval){lo.low, greatest(b, lo.low, op2(b, GW_OP_SUB, hi.high, one))};
    case GW_OP_LE: return (gw_interval){lo.low, greatest(b, lo.low, hi.high)};
    case GW_OP_GT: {
        gw_value least_index = op2(b, GW_OP_ADD, hi.low, one);
        return (gw_interval){least_index, greatest(b, lo.high, least_index)};
    }
    case GW_OP_GE: return (gw_interval){hi.low, greatest(b, lo.high, hi.low)};
    default: return (gw_interval){least(b, lo.low, hi.low), greatest(b, lo.high, hi.high)};
    }
}

/* A number is no greater than the least of it and another of which nothing is known; the other end is the
 * type's. */
static gw_interval range_of_extremum(gw_bounds *b, gw_op op, gw_type type) {
    gw_interval side[2], all = type_range(b, type);
    bool every = true, least_of = gw_op_at(b->from, op)->code == GW_OP_IMIN;
    for (uint32_t i = 0; i < 2; i++) {
        side[i] = gw_bounds_of(b, gw_operand(b->from, op, i));
        every &= known(side[i]);
        if (!known(side[i])) side[i] = all;
        if (!known(side[i])) return side[i];
    }
    gw_value (*of)(gw_bounds *, gw_value, gw_value) = least_of ? least : greatest;
    gw_interval x = {of(b, side[0].low, side[1].low), of(b, side[0].high, side[1].high)};
    if (every) return x;
    if (least_of) x.low = all.low;
    else x.high = all.high;
    return x;
}

static gw_interval unwrapped(gw_bounds *b, gw_value v, uint32_t bits);

/* x >= y where the op stands, or x > y: what a branch around it has asked. */
static bool is_asked_before(const gw_func *f, gw_op op, gw_value x, gw_value y) {
    for (gw_op at = op, above = gw_op_around(f, at); above; at = above, above = gw_op_around(f, at)) {
        if (gw_op_at(f, above)->code != GW_OP_IF) continue;
        bool holds = gw_op_at(f, above)->region[0] == gw_op_at(f, at)->parent;
        const gw_op asked = gw_value_at(f, gw_behind_not(f, gw_operand(f, above, 0), &holds))->op;
        if (!asked || gw_op_at(f, asked)->operands != 2) continue;
        const gw_value p = gw_operand(f, asked, 0), q = gw_operand(f, asked, 1);
        const gw_opcode code = (gw_opcode)gw_op_at(f, asked)->code;
        const bool less = code == GW_OP_LT || code == GW_OP_LE, more = code == GW_OP_GT || code == GW_OP_GE;
        if (p == x && q == y && (holds ? more : less)) return true;
        if (p == y && q == x && (holds ? less : more)) return true;
    }
    return false;
}

/* Sums of unsigned numbers of 32 bits wrap around on the way and are back in the end, n - threadIdx.x +
 * blockDim.x; a difference does not wrap where a branch has asked. Either range holds. */
static gw_interval range_of_unsigned(gw_bounds *b, gw_op op, gw_interval otherwise) {
    const gw_func *f = b->from;
    const gw_value v = gw_result(f, op, 0), zero = number(b, 0), top = number(b, UINT32_MAX);
    const gw_value minuend = gw_operand(f, op, 0), less = gw_operand(f, op, 1);
    if (gw_op_at(f, op)->code == GW_OP_SUB && is_asked_before(f, op, minuend, less)) {
        const gw_interval x = gw_bounds_of(b, minuend), y = gw_bounds_of(b, less);
        const gw_value apart = op2(b, GW_OP_SUB, x.high, y.low);
        return (gw_interval){zero, greatest(b, apart, zero)};
    }
    const gw_interval whole = unwrapped(b, v, 32);
    if (!known(whole) || !known(otherwise)) return otherwise;
    const gw_value in = op2(b, GW_OP_AND, op2(b, GW_OP_GE, whole.low, zero), op2(b, GW_OP_LE, whole.high, top));
    return (gw_interval){gw_select(b->to, in, whole.low, otherwise.low),
                         gw_select(b->to, in, whole.high, otherwise.high)};
}

static gw_interval range_of_binary(gw_bounds *b, gw_op op, gw_type type) {
    const gw_func *f = b->from;
    const gw_op_data *o = gw_op_at(f, op);
    gw_interval x = gw_bounds_of(b, gw_operand(f, op, 0)), y = gw_bounds_of(b, gw_operand(f, op, 1));
    gw_value dividend, divisor = gw_operand(f, op, 1);
    bool remainder = o->code == GW_OP_REM || gw_is_remainder(f, op, &dividend, &divisor);
    int64_t c;
    if (!known(x) && remainder) x = type_range(b, type);
    if (!known(x) && o->code != GW_OP_AND) return (gw_interval){0, 0};
    if (o->code == GW_OP_DIV || remainder) {
        gw_value d = gw_bounds_exact(b, divisor);
        if (d) return remainder ? rest(b, x, d) : quotient(b, x, d);
        if (o->code != GW_OP_SUB) return (gw_interval){0, 0};
    }
    if (o->code == GW_OP_AND && gw_const_int(f, gw_operand(f, op, 1), &c) && c >= 0)
        return (gw_interval){number(b, 0), number(b, c)};
    if (!known(x) || !known(y)) return (gw_interval){0, 0};
    switch (o->code) {
    case GW_OP_ADD:
        return hold(b, type, (gw_interval){op2(b, GW_OP_ADD, x.low, y.low), op2(b, GW_OP_ADD, x.high, y.high)});
    case GW_OP_SUB:
        return hold(b, type, (gw_interval){op2(b, GW_OP_SUB, x.low, y.high), op2(b, GW_OP_SUB, x.high, y.low)});
    case GW_OP_MUL: return hold(b, type, corners(b, GW_OP_MUL, x, y));
    default: return (gw_interval){0, 0};
    }
}

/* A value that a loop carries, argument or result number `first` + i: a counter, or what it starts from and
 * what the iterations make of other values. */
static gw_interval carried_range(gw_bounds *b, gw_op loop, const gw_value_data *d, uint32_t first) {
    const gw_func *f = b->from;
    uint32_t i = d->index - first;
    gw_interval counter = clamp(b, d->type, gw_bounds_counter(b, loop, i, d->op != 0));
    if (known(counter)) return counter;
    gw_value next = gw_loop_next(f, loop, i);
    gw_interval start = gw_bounds_of(b, gw_loop_init(f, loop, i));
    return known(start) ? union_of(b, start, gw_bounds_of(b, next)) : start;
}

/* Range of a number that is v but for a multiple of 2^bits: sums that wrap around are taken as they would be
 * without. `unsigned` numbers of the kernel's are mostly small, n + threadIdx.x - blockDim.x below 0. */
static gw_interval unwrapped(gw_bounds *b, gw_value v, uint32_t bits) {
    const gw_func *f = b->from;
    gw_op op = gw_value_at(f, v)->op;
    const gw_opcode code = op ? (gw_opcode)gw_op_at(f, op)->code : GW_OP_NONE;
    if (code == GW_OP_CAST) {
        const gw_value from = gw_operand(f, op, 0);
        if (!gw_type_is_integer(gw_typeof(f, from))) return gw_bounds_of(b, v);
        return gw_type_bits(gw_typeof(f, from)) < bits ? gw_bounds_of(b, from) : unwrapped(b, from, bits);
    }
    if (code != GW_OP_ADD && code != GW_OP_SUB) return gw_bounds_of(b, v);
    gw_interval x = unwrapped(b, gw_operand(f, op, 0), bits), y = unwrapped(b, gw_operand(f, op, 1), bits);
    if (!known(x) || !known(y)) return (gw_interval){0, 0};
    if (code == GW_OP_ADD)
        return (gw_interval){op2(b, GW_OP_ADD, x.low, y.low), op2(b, GW_OP_ADD, x.high, y.high)};
    return (gw_interval){op2(b, GW_OP_SUB, x.low, y.high), op2(b, GW_OP_SUB, x.high, y.low)};
}

/* A cast between integers keeps the number, or wraps it into the type. */
static gw_interval range_of_cast(gw_bounds *b, gw_value from, gw_type type) {
    const gw_type before = gw_typeof(b->from, from);
    const uint32_t bits = gw_type_bits(type);
    const bool narrower = gw_type_bits(before) < bits, wraps = !gw_type_is_signed(before) && bits == 32;
    if (!gw_type_is_signed(before) && narrower) return gw_bounds_of(b, from); /* keeps the number */
    if (narrower || !wraps) return clamp(b, type, gw_bounds_of(b, from));
    return clamp(b, type, unwrapped(b, from, bits));
}

static gw_interval build_range(gw_bounds *b, gw_value v) {
    const gw_func *f = b->from;
    const gw_value_data *d = gw_value_at(f, v);
    if (d->type == GW_T_BOOL) return (gw_interval){number(b, 0), number(b, 1)};
    if (!d->op) {
        gw_op loop = gw_region_at(f, d->region)->parent;
        bool index = loop && gw_op_at(f, loop)->code == GW_OP_FOR && d->index == 0;
        if (index) return index_range(b, loop);
        if (!loop || !gw_is_loop(f, loop)) return (gw_interval){0, 0};
        return carried_range(b, loop, d, d->region == gw_loop_body(f, loop) ? gw_loop_first_arg(f, loop) : 0);
    }
    const gw_op_data *o = gw_op_at(f, d->op);
    if (gw_is_loop(f, d->op)) return carried_range(b, d->op, d, 0);
    if (o->code == GW_OP_SPECIAL) return special_range(b, o->attr);
    if (o->code == GW_OP_CAST) {
        gw_type from = gw_typeof(f, gw_operand(f, d->op, 0));
        if (!gw_type_is_integer(from) && from != GW_T_BOOL) return (gw_interval){0, 0};
        return range_of_cast(b, gw_operand(f, d->op, 0), d->type);
    }
    /* some lane's value */
    if (o->code == GW_OP_WARP && o->attr == GW_WARP_MOST) return gw_bounds_of(b, gw_operand(f, d->op, 1));
    if (o->code == GW_OP_IMIN || o->code == GW_OP_IMAX) return range_of_extremum(b, d->op, d->type);
    if (o->code == GW_OP_SELECT)
        return union_of(b, gw_bounds_of(b, gw_operand(f, d->op, 1)), gw_bounds_of(b, gw_operand(f, d->op, 2)));
    if (o->code == GW_OP_IF) {
        gw_value x = gw_yielded(f, o->region[0], d->index);
        gw_value y = gw_yielded(f, o->region[1], d->index);
        return union_of(b, gw_bounds_of(b, x), gw_bounds_of(b, y));
    }
    if (o->operands != 2 || o->regions) return (gw_interval){0, 0};
    const gw_interval x = range_of_binary(b, d->op, d->type);
    const bool sum = o->code == GW_OP_ADD || o->code == GW_OP_SUB;
    if (!sum || !known(x)) return x;
    if (d->type == GW_T_U32) return range_of_unsigned(b, d->op, x);
    const bool asked = o->code == GW_OP_SUB && gw_type_is_signed(d->type) &&
                       is_asked_before(f, d->op, gw_operand(f, d->op, 0), gw_operand(f, d->op, 1));
    const gw_value zero = asked ? number(b, 0) : 0;
    return asked ? (gw_interval){greatest(b, x.low, zero), greatest(b, x.high, zero)} : x;
}

gw_interval gw_bounds_of(gw_bounds *b, gw_value v) {
    gw_interval have = {gw_map_get(&b->low, v), gw_map_get(&b->high, v)};
    if (known(have) || gw_map_get(&b->failed, v) & 2) return have;
    gw_map_set(&b->failed, v, gw_map_get(&b->failed, v) | 2); /* until it is known: also stops cycles */
    if (!gw_type_is_integer(gw_typeof(b->from, v)) && gw_typeof(b->from, v) != GW_T_BOOL) return have;
    gw_value exact = gw_bounds_exact(b, v);
    if (exact) have.low = have.high = gw_cast(b->to, GW_T_I64, exact);
    else have = build_range(b, v);
    if (!known(have)) return (gw_interval){0, 0};
    gw_map_set(&b->low, v, have.low);
    gw_map_set(&b->high, v, have.high);
    return have;
}

static void forget(gw_bounds *b) {
    gw_map_free(&b->low);
    gw_map_free(&b->high);
    gw_map_free(&b->exact);
    gw_map_free(&b->failed);
}

gw_interval gw_bounds_trusting(gw_bounds *b, gw_value v) {
    gw_bounds own = {.from = b->from, .to = b->to, .param = b->param, .trusting = true};
    gw_interval range = gw_bounds_of(&own, v);
    forget(&own);
    return range;
}

void gw_bounds_free(gw_bounds *b) {
    forget(b);
    gw_map_free(&b->param);
}
