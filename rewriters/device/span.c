/*
 * span.c - spans of values over the lanes of a warp (contract: span_private.h).
 *
 * What the lanes have in common is computed for the iteration that is asked about; a number of their own, found
 * outside of the loop, lies between the least and the most of all lanes. From there each operation gives an end
 * of its result from ends of its operands.
 *
 * Sound, to the last bit, because rounding keeps order: x <= y gives x + c <= y + c as a machine computes it,
 * and so for products with a number of known sign, for what is added to a product in one rounding, minima,
 * maxima and conversions. So the least and the most of an operation lie at corners of its operands' spans,
 * computed by the same instruction. c * d * d has the sign of c, and grows with |d|. A square root or
 * exponential as a device computes it keeps order only up to its error, which is added: a ten thousandth, where
 * the intrinsics' own is below 2 + 1.2 |x| units in the last place. Not known are sums of products that a
 * compiler may contract or not, which is another number in the lanes than at the ends.
 *
 * All that holds for numbers. `doubt` is not finite if one of the ends is not, and then anything is possible.
 * Else a value of which the most is found is at most that in each lane, or -infinity, but no NaN, and so for
 * the least; of both, it is finite: a sum has NaN of infinities of different sign only, a product (of which
 * both ends of both factors are found, or one by a constant that is not 0) of an infinite factor, a root below
 * 0.
 */
#include "rewriters/device/span_private.h"

#include "analysis/ir/warp.h"

#include <stdlib.h>

enum { MOST_CORNERS = 4 };
static const double ABOVE = 1.0001, BELOW = 0.9999, LEAST = 1e-37;

static bool is_outside(const gw_spans *s, gw_value v) {
    return gw_value_visible(s->f, v, gw_op_at(s->f, s->loop)->parent);
}

static bool is_alike(const gw_spans *s, gw_value v) {
    if (v >= s->uniform->f->values.count) return false;
    return s->alike && !is_outside(s, v) ? s->alike[v] : s->uniform->value[v] <= GW_UNIFORM_WARP;
}

static bool is_on_a_way(const gw_spans *s, gw_op op) {
    for (uint32_t i = 0; i < s->way_count; i++)
        if (gw_op_at(s->f, op)->parent == s->ways[i]) return true;
    return false;
}

static gw_op made_by(const gw_spans *s, gw_value v) { return gw_value_at(s->f, v)->op; }

/* ---- what all lanes have ---- */

/* No thread changes the cell while the loop runs: what a lane reads there now is what all read in the iteration
 * itself. */
static bool stays(const gw_spans *s, gw_op load) {
    gw_object object = gw_op_at(s->f, load)->object;
    bool shared = gw_object_at(s->f, object)->kind == GW_OBJECT_SHARED;
    return !gw_touches(s->f, s->loop, object, GW_TOUCH_WRITE) && (shared || !s->uniform->changing[object]);
}

/* A product that a compiler may add without rounding it. */
static bool may_contract(const gw_spans *s, gw_op sum) {
    const gw_op_data *o = gw_op_at(s->f, sum);
    if ((o->code != GW_OP_ADD && o->code != GW_OP_SUB) || o->flags & GW_OP_ROUNDED ||
        !gw_type_is_float(gw_typeof(s->f, o->first_result)))
        return false;
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
    if (is_outside(s, v)) return v;
    if (v == s->index) return s->iteration;
    if (gw_map_get(&s->points, v)) return gw_map_get(&s->points, v);
    gw_op op = made_by(s, v);
    if (!op || !is_on_a_way(s, op)) return 0;
    bool load = gw_op_at(f, op)->code == GW_OP_LOAD;
    if (load ? !stays(s, op)
             : gw_op_rows[gw_op_at(f, op)->code].effect != GW_EFFECT_PURE || may_contract(s, op))
        return 0;
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
static gw_value end_of(gw_spans *s, gw_value v, bool high);

static gw_value least_of(gw_spans *s, gw_value x, gw_value y) { return gw_binary(s->b, GW_OP_FMIN, x, y); }
static gw_value most_of(gw_spans *s, gw_value x, gw_value y) { return gw_binary(s->b, GW_OP_FMAX, x, y); }

static gw_value doubt(gw_spans *s, gw_value end) {
    s->doubt =
        s->doubt ? gw_binary(s->b, GW_OP_ADD, s->doubt, gw_cast(s->b, gw_typeof(s->f, s->doubt), end)) : end;
    return end;
}

static bool both_ends(gw_spans *s, gw_value v, gw_value *low, gw_value *high) {
    *low = end_of(s, v, false);
    *high = *low ? end_of(s, v, true) : 0;
    return *high != 0;
}

/* The end, over the lanes, of a number of the lanes' own. Both ends are looked at: a NaN is one of them
 * (gw_most). */
static gw_value end_over_lanes(gw_spans *s, gw_value v, gw_value number, bool high) {
    gw_value end[2];
    for (int side = 0; side < 2; side++) {
        gw_value operands[] = {s->lanes, side ? number : gw_unary(s->b, GW_OP_NEG, number)};
        gw_op most = gw_emit(s->b, GW_OP_WARP, gw_typeof(s->f, number), 1, operands, 2);
        gw_op_at(s->f, most)->attr = GW_WARP_MOST;
        end[side] = gw_result(s->f, most, 0);
    }
    end[0] = gw_unary(s->b, GW_OP_NEG, end[0]);
    for (int side = 0; side < 2; side++) gw_map_set(side ? &s->highs : &s->lows, v, doubt(s, end[side]));
    return end[high];
}

/* ---- products ---- */
typedef struct corners {
    gw_value x[MOST_CORNERS], y[MOST_CORNERS];
    uint32_t count;
} corners;

static gw_value only_corner(corners *c, gw_value x, gw_value y) {
    c->x[c->count] = x;
    c->y[c->count++] = y;
    return y;
}

/* a is b, or times it something that all lanes have: *times, 0 for the former. */
static bool is_multiple(const gw_spans *s, gw_value a, gw_value b, gw_value *times) {
    gw_op op = made_by(s, a);
    *times = 0;
    if (is_alike(s, b)) return false;
    if (a == b) return true;
    if (!op || gw_op_at(s->f, op)->code != GW_OP_MUL) return false;
    for (uint32_t i = 0; i < 2; i++)
        if (gw_operand(s->f, op, i) == b && is_alike(s, gw_operand(s->f, op, 1 - i)))
            *times = gw_operand(s->f, op, 1 - i);
    return *times != 0;
}

/* times * b * b: at the least and the most of |b|. */
static bool find_squares(gw_spans *s, gw_value times, gw_value b, corners *c) {
    gw_value low, high, t = times ? point_of(s, times) : 0;
    if ((times && !t) || !both_ends(s, b, &low, &high)) return false;
    gw_value above = gw_unary(s->b, GW_OP_NEG, high), zero = gw_real(s->b, gw_typeof(s->f, b), 0);
    gw_value size[] = {most_of(s, most_of(s, low, above), zero),
                       most_of(s, high, gw_unary(s->b, GW_OP_NEG, low))};
    for (uint32_t i = 0; i < 2; i++)
        only_corner(c, t ? gw_binary(s->b, GW_OP_MUL, t, size[i]) : size[i], size[i]);
    return true;
}

/* The least of b does as a factor, unless b may be less than zero. */
static gw_value least_factor(gw_spans *s, gw_value b) {
    gw_op op = made_by(s, b);
    bool grows = op && !is_alike(s, b) &&
                 (gw_op_at(s->f, op)->code == GW_OP_EXP || gw_op_at(s->f, op)->code == GW_OP_EXP2);
    return grows && !gw_map_get(&s->lows, b) ? gw_real(s->b, gw_typeof(s->f, b), 0) : end_of(s, b, false);
}

static bool find_corners(gw_spans *s, gw_value a, gw_value b, bool high, corners *c) {
    gw_value times, x[2], y[2];
    double factor = 0;
    *c = (corners){.count = 0};
    if (is_multiple(s, a, b, &times)) return find_squares(s, times, b, c);
    if (is_multiple(s, b, a, &times)) return find_squares(s, times, a, c);
    if (is_alike(s, b)) {
        gw_value point = b;
        b = a, a = point;
    }
    bool point = is_alike(s, a);
    if (point && gw_const_real(s->f, a, &factor) && (factor > 0 || factor < 0)) {
        gw_value end = end_of(s, b, high == (factor > 0));
        return end && only_corner(c, point_of(s, a), end);
    }
    if (!both_ends(s, a, &x[0], &x[1])) return false;
    y[0] = point ? least_factor(s, b) : end_of(s, b, false);
    y[1] = y[0] ? end_of(s, b, true) : 0;
    for (uint32_t i = 0; i < (point ? 2 : MOST_CORNERS) && y[1]; i++) only_corner(c, x[i / 2], y[i % 2]);
    return y[1] != 0;
}

/* x * y, or x * y + to in one rounding. */
static gw_value at_corner(gw_spans *s, const corners *c, uint32_t i, gw_value to) {
    gw_value operands[] = {c->x[i], c->y[i], to};
    return to ? gw_pure(s->b, GW_OP_FMA, gw_typeof(s->f, to), 0, operands, 3)
              : gw_binary(s->b, GW_OP_MUL, c->x[i], c->y[i]);
}

static gw_value end_of_product(gw_spans *s, gw_op op, bool high) {
    corners c;
    bool adds = gw_op_at(s->f, op)->code == GW_OP_FMA;
    double factor = 2;
    if (!find_corners(s, gw_operand(s->f, op, 0), gw_operand(s->f, op, 1), high, &c)) return 0;
    gw_value to = adds ? end_of(s, gw_operand(s->f, op, 2), high) : 0;
    if (adds && !to) return 0;
    gw_value end = at_corner(s, &c, 0, to);
    for (uint32_t i = 1; i < c.count; i++)
        end = high ? most_of(s, end, at_corner(s, &c, i, to)) : least_of(s, end, at_corner(s, &c, i, to));
    bool smaller = !adds && gw_const_real(s->f, c.x[0], &factor) && factor >= -1 && factor <= 1;
    return smaller ? end : doubt(s, end);
}

/* ---- the other operations ---- */
static gw_value end_of_sum(gw_spans *s, gw_op op, bool high) {
    gw_opcode code = (gw_opcode)gw_op_at(s->f, op)->code;
    if (may_contract(s, op)) return 0;
    gw_value x = end_of(s, gw_operand(s->f, op, 0), high),
             y = x ? end_of(s, gw_operand(s->f, op, 1), high == (code == GW_OP_ADD)) : 0;
    return y ? doubt(s, gw_binary(s->b, code, x, y)) : 0;
}

static gw_value end_of_least_or_most(gw_spans *s, gw_op op, bool high) {
    gw_value x = end_of(s, gw_operand(s->f, op, 0), high), y = x ? end_of(s, gw_operand(s->f, op, 1), high) : 0;
    return y ? doubt(s, gw_binary(s->b, (gw_opcode)gw_op_at(s->f, op)->code, x, y)) : 0;
}

/* The end of a function that grows, up to its error. */
static gw_value end_of_growing(gw_spans *s, gw_op op, bool high) {
    const gw_op_data o = *gw_op_at(s->f, op);
    gw_type type = gw_typeof(s->f, o.first_result);
    gw_value x = end_of(s, gw_operand(s->f, op, 0), high);
    if (!x) return 0;
    gw_value at[] = {gw_pure(s->b, (gw_opcode)o.code, type, o.flags, &x, 1),
                     gw_real(s->b, type, high ? ABOVE : BELOW), gw_real(s->b, type, high ? LEAST : -LEAST)};
    return doubt(s, gw_pure(s->b, GW_OP_FMA, type, 0, at, 3));
}

/* Numbers below zero have no root: the least is looked at, too. */
static gw_value end_of_root(gw_spans *s, gw_op op, bool high) {
    gw_value other = high ? end_of(s, gw_result(s->f, op, 0), false) : 0;
    return high && !other ? 0 : end_of_growing(s, op, high);
}

static gw_value end_of_conversion(gw_spans *s, gw_op op, bool high) {
    gw_value of = gw_operand(s->f, op, 0), v = gw_result(s->f, op, 0);
    gw_type to = gw_typeof(s->f, v), from = gw_typeof(s->f, of);
    if (gw_type_is_float(from)) {
        gw_value x = end_of(s, of, high);
        return x ? doubt(s, gw_cast(s->b, to, x)) : 0;
    }
    return gw_type_is_integer(from) && is_outside(s, of) ? end_over_lanes(s, v, gw_cast(s->b, to, of), high)
                                                         : 0;
}

static gw_value end_of_op(gw_spans *s, gw_op op, bool high) {
    gw_value end = 0;
    switch (gw_op_at(s->f, op)->code) {
    case GW_OP_CAST: return end_of_conversion(s, op, high);
    case GW_OP_ADD:
    case GW_OP_SUB: return end_of_sum(s, op, high);
    case GW_OP_MUL:
    case GW_OP_FMA: return end_of_product(s, op, high);
    case GW_OP_FMIN:
    case GW_OP_FMAX: return end_of_least_or_most(s, op, high);
    case GW_OP_SQRT: return end_of_root(s, op, high);
    case GW_OP_EXP:
    case GW_OP_EXP2: return end_of_growing(s, op, high);
    case GW_OP_NEG:
        end = end_of(s, gw_operand(s->f, op, 0), !high);
        return end ? gw_unary(s->b, GW_OP_NEG, end) : 0;
    default: return 0;
    }
}

static gw_value name_end(gw_spans *s, gw_value v, gw_value end, bool high) {
    gw_session *session = s->f->session;
    gw_str name = gw_value_at(s->f, v)->name;
    if (!gw_value_at(s->f, end)->op || gw_value_at(s->f, end)->name) return end;
    char *word =
        gw_format(name ? "%s_%s" : "%s%s", name ? gw_cstr(session, name) : "", high ? "most" : "least");
    gw_value_at(s->f, end)->name = gw_intern(session, word);
    free(word);
    return end;
}

/* The least or the most of v in all lanes; 0: not known. */
static gw_value end_of(gw_spans *s, gw_value v, bool high) {
    gw_type type = gw_typeof(s->f, v);
    gw_op op = made_by(s, v);
    gw_value_map *known = high ? &s->highs : &s->lows;
    if (is_alike(s, v)) return point_of(s, v);
    if (gw_map_get(known, v) || (type != GW_T_F32 && type != GW_T_F64)) return gw_map_get(known, v);
    gw_value end = 0;
    if (is_outside(s, v)) end = end_over_lanes(s, v, v, high);
    else if (op) end = end_of_op(s, op, high);
    if (end) gw_map_set(known, v, name_end(s, v, end, high));
    return end;
}

/* ---- conditions ---- */

/* The other end would have to be found of what was only met on the way to another comparison: that tells little
 * more. */
static bool is_worth(const gw_spans *s, gw_value v, bool high) {
    return gw_map_get(high ? &s->highs : &s->lows, v) || !gw_map_get(high ? &s->lows : &s->highs, v) ||
           gw_map_get(&s->compared, v);
}

static gw_value possible_comparison(gw_spans *s, gw_op op, bool wanted) {
    gw_opcode code = (gw_opcode)gw_op_at(s->f, op)->code;
    gw_value a = gw_operand(s->f, op, 0), c = gw_operand(s->f, op, 1);
    bool high = (code == GW_OP_GT || code == GW_OP_GE) == wanted; /* which end of a speaks for it */
    if (!gw_type_is_float(gw_typeof(s->f, a)) || !is_worth(s, a, high) || !is_worth(s, c, !high)) return 0;
    gw_value x = end_of(s, a, high), y = x ? end_of(s, c, !high) : 0;
    if (!y) return 0;
    gw_map_set(&s->compared, a, x);
    gw_map_set(&s->compared, c, y);
    gw_value holds = gw_binary(s->b, code, x, y);
    return wanted ? holds : gw_unary(s->b, GW_OP_NOT, holds);
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
        return gw_typeof(f, gw_operand(f, op, 0)) == GW_T_BOOL
                   ? gw_span_possible(s, gw_operand(f, op, 0), wanted)
                   : 0;
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
    /* the last is made of most */
    gw_value y = gw_span_possible(s, gw_operand(f, op, 1), wanted),
             x = gw_span_possible(s, gw_operand(f, op, 0), wanted);
    if (both) return gw_joined(s->b, GW_OP_AND, x, y);
    return x && y ? gw_binary(s->b, GW_OP_OR, x, y) : 0;
}

void gw_spans_free(gw_spans *s) {
    gw_map_free(&s->points);
    gw_map_free(&s->lows);
    gw_map_free(&s->highs);
    gw_map_free(&s->compared);
}
