/*
 * span.c - spans of values over the lanes of a warp (contract: span.h).
 *
 * What the lanes have in common is computed for the iteration that is asked about; an integer of their own, found outside of the loop,
 * lies between the least and the most of all lanes. From there each operation gives the ends of its result from the ends of its operands.
 *
 * Sound, to the last bit, because rounding keeps order: x <= y gives x + c <= y + c as a machine computes it, and so for products with a
 * number of known sign, for what is added to a product in one rounding, minima, maxima and conversions. So the least and the
 * most of an operation lie at corners of its operands' spans, computed by the same instruction. c * d * d has the sign of c, and grows with
 * |d|. A square root or exponential as a device computes it keeps order only up to its error, which is added: a ten thousandth, where
 * the intrinsics' own is below 2 + 1.2 |x| units in the last place. Not known are sums of products that a compiler may
 * contract or not, which is another number in the lanes than at the ends.
 *
 * All that holds for numbers. If an end is infinite or NaN, a lane may have a NaN between them: `doubt` is not finite then, and anything is possible.
 */
#include "span.h"

#include <stdlib.h>

enum { MOST_CORNERS = 4 };
static const double ABOVE = 1.0001, BELOW = 0.9999, LEAST = 1e-37;

static bool span_of(gw_spans *s, gw_value v, gw_span *out);

static bool is_alike(const gw_spans *s, gw_value v) { return v < s->uniform->f->values.count && s->uniform->value[v] <= GW_UNIFORM_WARP; }

static bool is_outside(const gw_spans *s, gw_value v) { return gw_value_visible(s->f, v, gw_op_at(s->f, s->loop)->parent); }

static gw_op made_by(const gw_spans *s, gw_value v) { return gw_value_at(s->f, v)->op; }

static bool is_point(gw_span x) { return x.low == x.high; }

/* ---- what all lanes have ---- */

/* No thread changes the cell while the loop runs: what a lane reads there now is what all read in the iteration itself. */
static bool stays(const gw_spans *s, gw_op load) {
    gw_object object = gw_op_at(s->f, load)->object;
    bool shared = gw_object_at(s->f, object)->kind == GW_OBJECT_SHARED;
    return !gw_touches(s->f, s->loop, object, GW_TOUCH_WRITE) && (shared || !s->uniform->changing[object]);
}

/* A product that a compiler may add without rounding it. */
static bool may_contract(const gw_spans *s, gw_op sum) {
    const gw_op_data *o = gw_op_at(s->f, sum);
    if ((o->code != GW_OP_ADD && o->code != GW_OP_SUB) || o->flags & GW_OP_ROUNDED || !gw_type_is_float(gw_typeof(s->f, o->first_result))) return false;
    for (uint32_t i = 0; i < 2; i++) {
        gw_op op = made_by(s, gw_operand(s->f, sum, i));
        while (op && gw_op_at(s->f, op)->code == GW_OP_NEG) op = made_by(s, gw_operand(s->f, op, 0));
        if (op && gw_op_at(s->f, op)->code == GW_OP_MUL) return true;
    }
    return false;
}

/* v in the iteration that is asked about; 0: it cannot be told. */
static gw_value point_of(gw_spans *s, gw_value v) {
    gw_func *f = s->f;
    gw_region body = gw_loop_body(f, s->loop);
    if (is_outside(s, v)) return v;
    if (v == gw_arg(f, body, 0)) return s->iteration;
    if (gw_map_get(&s->points, v)) return gw_map_get(&s->points, v);
    gw_op op = made_by(s, v);
    if (!op || gw_op_at(f, op)->parent != body) return 0;
    bool load = gw_op_at(f, op)->code == GW_OP_LOAD;
    if (load ? !stays(s, op) : gw_op_rows[gw_op_at(f, op)->code].effect != GW_EFFECT_PURE || may_contract(s, op)) return 0;
    gw_cloner c = {.from = f, .to = s->b};
    bool all = true;
    for (uint32_t i = 0; i < gw_op_at(f, op)->operands && all; i++) {
        gw_value x = gw_operand(f, op, i), to = point_of(s, x);
        all = to != 0;
        if (all) gw_map_set(&c.values, x, to);
    }
    gw_value made = 0;
    if (all) {
        gw_clone_op(&c, op);
        made = gw_clone_value(&c, v);
        gw_map_set(&s->points, v, made);
    }
    gw_map_free(&c.values);
    gw_map_free(&c.objects);
    return made;
}

/* ---- ends ---- */
static gw_value least_of(gw_spans *s, gw_value x, gw_value y) { return gw_binary(s->b, GW_OP_FMIN, x, y); }
static gw_value most_of(gw_spans *s, gw_value x, gw_value y) { return gw_binary(s->b, GW_OP_FMAX, x, y); }

static void doubt(gw_spans *s, gw_span x) {
    gw_value apart = gw_binary(s->b, GW_OP_SUB, x.high, x.low);
    s->doubt = s->doubt ? gw_binary(s->b, GW_OP_ADD, s->doubt, gw_cast(s->b, gw_typeof(s->f, s->doubt), apart)) : apart;
}

/* Of a number of the lanes' own: least as ~most of ~x. */
static gw_span over_lanes(gw_spans *s, gw_value v) {
    gw_value end[2];
    for (int side = 0; side < 2; side++) {
        gw_value operands[] = {s->lanes, side ? v : gw_unary(s->b, GW_OP_NOT, v)};
        gw_op most = gw_emit(s->b, GW_OP_WARP, gw_typeof(s->f, v), 1, operands, 2);
        gw_op_at(s->f, most)->attr = GW_WARP_MOST;
        end[side] = gw_result(s->f, most, 0);
    }
    return (gw_span){gw_unary(s->b, GW_OP_NOT, end[0]), end[1]};
}

/* ---- products ---- */
typedef struct corners {
    gw_value x[MOST_CORNERS], y[MOST_CORNERS];
    uint32_t count;
    int order; /* 1: from the least to the most, -1: the other way round, 0: not known */
} corners;

/* a is b, or times it something that all lanes have: *times, 0 for the former. */
static bool is_multiple(const gw_spans *s, gw_value a, gw_value b, gw_value *times) {
    gw_op op = made_by(s, a);
    *times = 0;
    if (is_alike(s, b)) return false;
    if (a == b) return true;
    if (!op || gw_op_at(s->f, op)->code != GW_OP_MUL) return false;
    for (uint32_t i = 0; i < 2; i++)
        if (gw_operand(s->f, op, i) == b && is_alike(s, gw_operand(s->f, op, 1 - i))) *times = gw_operand(s->f, op, 1 - i);
    return *times != 0;
}

/* times * b * b: at the least and the most of |b|. */
static bool find_squares(gw_spans *s, gw_value times, gw_value b, corners *c) {
    gw_span x;
    gw_value t = times ? point_of(s, times) : 0;
    if ((times && !t) || !span_of(s, b, &x)) return false;
    gw_value below = gw_unary(s->b, GW_OP_NEG, x.low), above = gw_unary(s->b, GW_OP_NEG, x.high), zero = gw_real(s->b, gw_typeof(s->f, b), 0);
    c->y[0] = most_of(s, most_of(s, x.low, above), zero);
    c->y[1] = most_of(s, x.high, below);
    for (uint32_t i = 0; i < 2; i++) c->x[i] = t ? gw_binary(s->b, GW_OP_MUL, t, c->y[i]) : c->y[i];
    c->count = 2;
    c->order = t ? 0 : 1;
    return true;
}

static bool find_corners(gw_spans *s, gw_value a, gw_value b, corners *c) {
    gw_value times;
    gw_span x, y;
    double sign;
    *c = (corners){0};
    if (is_multiple(s, a, b, &times)) return find_squares(s, times, b, c);
    if (is_multiple(s, b, a, &times)) return find_squares(s, times, a, c);
    if (!span_of(s, a, &x) || !span_of(s, b, &y)) return false;
    if (is_point(y)) {
        gw_span point = y;
        y = x, x = point;
    }
    if (is_point(x) && gw_const_real(s->f, x.low, &sign)) c->order = sign >= 0 ? 1 : -1;
    for (uint32_t i = 0; i < MOST_CORNERS; i++) {
        if ((i / 2 && is_point(x)) || (i % 2 && is_point(y))) continue;
        c->x[c->count] = i / 2 ? x.high : x.low;
        c->y[c->count++] = i % 2 ? y.high : y.low;
    }
    return true;
}

/* x * y, or x * y + to in one rounding. */
static gw_value at_corner(gw_spans *s, const corners *c, uint32_t i, gw_value to) {
    gw_value operands[] = {c->x[i], c->y[i], to};
    return to ? gw_pure(s->b, GW_OP_FMA, gw_typeof(s->f, to), 0, operands, 3) : gw_binary(s->b, GW_OP_MUL, c->x[i], c->y[i]);
}

static gw_value end_of_product(gw_spans *s, const corners *c, bool high, gw_value to) {
    bool last = high == (c->order > 0);
    if (c->order) return at_corner(s, c, last ? c->count - 1 : 0, to);
    gw_value end = at_corner(s, c, 0, to);
    for (uint32_t i = 1; i < c->count; i++) end = high ? most_of(s, end, at_corner(s, c, i, to)) : least_of(s, end, at_corner(s, c, i, to));
    return end;
}

static bool span_of_product(gw_spans *s, gw_op op, gw_span *out) {
    corners c;
    gw_span to = {0, 0};
    double factor = 2;
    bool adds = gw_op_at(s->f, op)->code == GW_OP_FMA;
    if (!find_corners(s, gw_operand(s->f, op, 0), gw_operand(s->f, op, 1), &c)) return false;
    if (adds && !span_of(s, gw_operand(s->f, op, 2), &to)) return false;
    *out = (gw_span){end_of_product(s, &c, false, to.low), end_of_product(s, &c, true, to.high)};
    bool smaller = !adds && (gw_const_real(s->f, c.x[0], &factor) || gw_const_real(s->f, c.y[0], &factor)) && factor >= -1 && factor <= 1;
    if (!smaller) doubt(s, *out);
    return true;
}

/* ---- the other operations ---- */

static bool span_of_sum(gw_spans *s, gw_op op, gw_span *out) {
    gw_span x, y;
    bool less = gw_op_at(s->f, op)->code == GW_OP_SUB;
    if (may_contract(s, op) || !span_of(s, gw_operand(s->f, op, 0), &x) || !span_of(s, gw_operand(s->f, op, 1), &y)) return false;
    gw_opcode code = (gw_opcode)gw_op_at(s->f, op)->code;
    *out = (gw_span){gw_binary(s->b, code, x.low, less ? y.high : y.low), gw_binary(s->b, code, x.high, less ? y.low : y.high)};
    doubt(s, *out);
    return true;
}

/* Functions that grow; `wide`: up to their error. */
static gw_value end_of_growing(gw_spans *s, gw_op op, gw_value x, gw_value y, bool wide, bool high) {
    const gw_op_data o = *gw_op_at(s->f, op);
    gw_type type = gw_typeof(s->f, o.first_result);
    gw_value operands[] = {x, y}, at = gw_pure(s->b, (gw_opcode)o.code, type, o.flags, operands, o.operands);
    if (!wide) return at;
    gw_value error[] = {at, gw_real(s->b, type, high ? ABOVE : BELOW), gw_real(s->b, type, high ? LEAST : -LEAST)};
    return gw_pure(s->b, GW_OP_FMA, type, 0, error, 3);
}

static bool span_of_growing(gw_spans *s, gw_op op, bool wide, gw_span *out) {
    gw_span x, y = {0, 0};
    const gw_op_data o = *gw_op_at(s->f, op);
    if (!span_of(s, gw_operand(s->f, op, 0), &x) || (o.operands > 1 && !span_of(s, gw_operand(s->f, op, 1), &y))) return false;
    *out = (gw_span){end_of_growing(s, op, x.low, y.low, wide, false), end_of_growing(s, op, x.high, y.high, wide, true)};
    if (wide) doubt(s, *out);
    return true;
}

static bool span_of_conversion(gw_spans *s, gw_op op, gw_span *out) {
    gw_span x;
    gw_type to = gw_typeof(s->f, gw_op_at(s->f, op)->first_result), from = gw_typeof(s->f, gw_operand(s->f, op, 0));
    if (from == GW_T_BOOL || !span_of(s, gw_operand(s->f, op, 0), &x)) return false;
    *out = (gw_span){gw_cast(s->b, to, x.low), gw_cast(s->b, to, x.high)};
    if (gw_type_is_float(from) && gw_type_bits(to) < gw_type_bits(from)) doubt(s, *out);
    return true;
}

static bool span_of_op(gw_spans *s, gw_op op, gw_span *out) {
    switch (gw_op_at(s->f, op)->code) {
    case GW_OP_CAST: return span_of_conversion(s, op, out);
    case GW_OP_ADD:
    case GW_OP_SUB: return span_of_sum(s, op, out);
    case GW_OP_MUL:
    case GW_OP_FMA: return span_of_product(s, op, out);
    case GW_OP_FMIN:
    case GW_OP_FMAX: return span_of_growing(s, op, false, out);
    case GW_OP_SQRT:
    case GW_OP_EXP:
    case GW_OP_EXP2: return span_of_growing(s, op, true, out);
    case GW_OP_NEG:
        if (!span_of(s, gw_operand(s->f, op, 0), out)) return false;
        *out = (gw_span){gw_unary(s->b, GW_OP_NEG, out->high), gw_unary(s->b, GW_OP_NEG, out->low)};
        return true;
    default: return false;
    }
}

static void name_ends(gw_spans *s, gw_value v, gw_span x) {
    gw_session *session = s->f->session;
    gw_str name = gw_value_at(s->f, v)->name;
    for (int side = 0; side < 2; side++) {
        gw_value_data *end = gw_value_at(s->f, side ? x.high : x.low);
        char *word = gw_format(name ? "%s_%s" : "%s%s", name ? gw_cstr(session, name) : "", side ? "most" : "least");
        if (end->op && !end->name) end->name = gw_intern(session, word);
        free(word);
    }
}

static bool span_of(gw_spans *s, gw_value v, gw_span *out) {
    gw_type type = gw_typeof(s->f, v);
    gw_op op = made_by(s, v);
    *out = (gw_span){gw_map_get(&s->lows, v), gw_map_get(&s->highs, v)};
    if (out->low) return true;
    if (is_alike(s, v)) {
        gw_value point = point_of(s, v);
        *out = (gw_span){point, point};
    } else if (type == GW_T_I32 || type == GW_T_U32) {
        if (!is_outside(s, v)) return false;
        *out = over_lanes(s, v);
    } else if ((type != GW_T_F32 && type != GW_T_F64) || !op || !span_of_op(s, op, out)) {
        return false;
    }
    gw_map_set(&s->lows, v, out->low);
    gw_map_set(&s->highs, v, out->high);
    if (!is_point(*out)) name_ends(s, v, *out);
    return out->low != 0;
}

/* ---- conditions ---- */
static gw_value possible_comparison(gw_spans *s, gw_op op, bool wanted) {
    gw_opcode code = (gw_opcode)gw_op_at(s->f, op)->code;
    gw_value a = gw_operand(s->f, op, 0), c = gw_operand(s->f, op, 1);
    gw_span x, y;
    if (!gw_type_is_float(gw_typeof(s->f, a)) || !span_of(s, a, &x) || !span_of(s, c, &y)) return 0;
    bool less = code == GW_OP_LT || code == GW_OP_LE;
    s->compared = true;
    if (wanted) return less ? gw_binary(s->b, code, x.low, y.high) : gw_binary(s->b, code, x.high, y.low);
    return gw_unary(s->b, GW_OP_NOT, less ? gw_binary(s->b, code, x.high, y.low) : gw_binary(s->b, code, x.low, y.high));
}

gw_value gw_span_possible(gw_spans *s, gw_value condition, bool wanted) {
    gw_func *f = s->f;
    gw_op op = made_by(s, condition);
    bool truth = gw_typeof(f, condition) == GW_T_BOOL;
    if (truth && is_alike(s, condition)) {
        gw_value point = point_of(s, condition);
        return !point || wanted ? point : gw_unary(s->b, GW_OP_NOT, point);
    }
    if (!op || is_outside(s, condition)) return 0;
    switch (gw_op_at(f, op)->code) {
    case GW_OP_CAST:
        return gw_typeof(f, gw_operand(f, op, 0)) == GW_T_BOOL ? gw_span_possible(s, gw_operand(f, op, 0), wanted) : 0;
    case GW_OP_NOT: return truth ? gw_span_possible(s, gw_operand(f, op, 0), !wanted) : 0;
    case GW_OP_LT:
    case GW_OP_LE:
    case GW_OP_GT:
    case GW_OP_GE: return possible_comparison(s, op, wanted);
    case GW_OP_AND:
    case GW_OP_OR: break;
    default: return 0;
    }
    bool both = (gw_op_at(f, op)->code == GW_OP_AND) == wanted;
    if (!truth && (both || !wanted)) return 0; /* of integers: some bit of one of them */
    gw_value x = gw_span_possible(s, gw_operand(f, op, 0), wanted), y = gw_span_possible(s, gw_operand(f, op, 1), wanted);
    if (x && y) return gw_binary(s->b, both ? GW_OP_AND : GW_OP_OR, x, y);
    return both ? x ? x : y : 0;
}

void gw_spans_free(gw_spans *s) {
    gw_map_free(&s->points);
    gw_map_free(&s->lows);
    gw_map_free(&s->highs);
}
