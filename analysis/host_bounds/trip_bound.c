/*
 * trip_bound.c - how often a loop runs at most, as code for the host.
 *
 * A counted loop tells it by its header. Any other loop is bounded by a conjunct of its condition that
 * compares a counter with a limit: a carried value that each iteration advances by a constant (at least
 * where the loop goes on). The counter may stand still in the iteration that leaves by an exit flag.
 */
#include "analysis/facts/facts.h"
#include "analysis/prove/prove.h"
#include "analysis/ir/restructure.h"
#include "analysis/host_bounds/host_bounds.h"

static gw_value number(gw_bounds *b, int64_t x) { return gw_int(b->to, GW_T_I64, x); }
static gw_value op2(gw_bounds *b, gw_opcode code, gw_value x, gw_value y) {
    return gw_binary(b->to, code, x, y);
}

/* ceil(span / step), not less than `least`; span, step i64, step >= 1 */
static gw_value iterations(gw_bounds *b, gw_value span, gw_value step, int64_t least) {
    gw_value one = number(b, 1);
    step = op2(b, GW_OP_IMAX, step, one);
    gw_value up = op2(b, GW_OP_ADD, span, op2(b, GW_OP_SUB, step, one));
    return op2(b, GW_OP_IMAX, op2(b, GW_OP_DIV, up, step), number(b, least));
}

static int64_t advance(const gw_func *f, gw_op loop, uint32_t i);

static bool is_not_negative(const gw_func *f, gw_value v) {
    gw_op op = gw_value_at(f, v)->op;
    int64_t c;
    if (!gw_type_is_signed(gw_typeof(f, v))) return true;
    if (!op || gw_op_at(f, op)->code != GW_OP_IMAX) return false;
    return (gw_const_int(f, gw_operand(f, op, 0), &c) && c >= 0) ||
           (gw_const_int(f, gw_operand(f, op, 1), &c) && c >= 0);
}

/* The iterations of a segment (checkpoint.c), min(max(.., 0), n), are at most the constant n; no cast changes
 * them. */
static gw_interval segment_span(gw_bounds *b, gw_value v) {
    const gw_func *f = b->from;
    gw_op op = gw_value_at(f, v)->op;
    int64_t n;
    if (op && gw_op_at(f, op)->code == GW_OP_CAST && gw_type_bits(gw_typeof(f, v)) >= 32)
        op = gw_value_at(f, gw_operand(f, op, 0))->op;
    if (!op || gw_op_at(f, op)->code != GW_OP_IMIN) return (gw_interval){0, 0};
    for (uint32_t i = 0; i < 2; i++)
        if (gw_const_int(f, gw_operand(f, op, i), &n) && n >= 0 && n <= INT32_MAX &&
            is_not_negative(f, gw_operand(f, op, 1 - i)))
            return (gw_interval){number(b, 0), number(b, n)};
    return (gw_interval){0, 0};
}

/* All that is known of v is its type: `end` is the greatest, or the least number of it. One of fewer bits is a
 * bound. */
static bool is_end_of_type(gw_bounds *b, gw_value v, gw_value end, bool greatest) {
    const gw_type type = gw_typeof(b->from, v);
    int64_t low, high, x, constant;
    if (gw_type_bits(type) < 32 || gw_const_int(b->from, v, &constant) || !gw_const_int(b->to->f, end, &x))
        return false;
    gw_type_range(type, &low, &high);
    return greatest ? x == high : gw_type_is_signed(type) && x == low;
}

/* hi - lo where hi is lo + x: the range of x. */
static gw_interval distance(gw_bounds *b, gw_value lo, gw_value hi) {
    const gw_func *f = b->from;
    gw_op op = gw_value_at(f, hi)->op;
    int64_t zero;
    gw_interval x = gw_const_int(f, lo, &zero) && zero == 0 ? segment_span(b, hi) : (gw_interval){0, 0};
    if (x.low) return x;
    if (op && gw_op_at(f, op)->code == GW_OP_ADD)
        for (uint32_t i = 0; i < 2; i++)
            if (gw_operand(f, op, i) == lo) {
                x = segment_span(b, gw_operand(f, op, 1 - i));
                return x.low ? x : gw_bounds_of(b, gw_operand(f, op, 1 - i));
            }
    x = gw_bounds_of(b, lo);
    gw_interval y = gw_bounds_of(b, hi);
    if (!x.low || !y.low || is_end_of_type(b, hi, y.high, true) || is_end_of_type(b, lo, x.low, false))
        return (gw_interval){0, 0};
    if (gw_type_bits(gw_typeof(f, hi)) == 64)
        y.high = op2(b, GW_OP_IMAX, y.high, x.low); /* or the difference may wrap around */
    return (gw_interval){op2(b, GW_OP_SUB, y.low, x.high), op2(b, GW_OP_SUB, y.high, x.low)};
}

static gw_value counted(gw_bounds *b, gw_op loop) {
    const gw_func *f = b->from;
    uint16_t attr = gw_op_at(f, loop)->attr;
    bool falling = attr == GW_OP_GT || attr == GW_OP_GE;
    gw_value lo = gw_operand(f, loop, 0), hi = gw_operand(f, loop, 1);
    gw_interval step = gw_bounds_of(b, gw_operand(f, loop, 2)), span;
    int64_t unit = gw_loop_step(f, loop);
    if (attr == GW_OP_NE) {
        if (unit != 1 && unit != -1) return 0;
        falling = unit == -1;
    }
    span = falling ? distance(b, hi, lo) : distance(b, lo, hi);
    if (!span.high || !step.low) return 0;
    gw_value size = falling ? gw_unary(b->to, GW_OP_NEG, step.high) : step.low;
    gw_value most = span.high;
    if (attr == GW_OP_LE || attr == GW_OP_GE) most = op2(b, GW_OP_ADD, most, number(b, 1));
    return iterations(b, most, size, 0);
}

/* A loop over segments (checkpoint.c) advances by n: after a segment that the loop goes on from, all its n
 * iterations have run. */
static int64_t segment_advance(const gw_func *f, gw_op loop, uint32_t i) {
    gw_region body = gw_loop_body(f, loop);
    gw_value next = gw_loop_next(f, loop, i);
    gw_op inner = gw_made_by(f, next, GW_OP_WHILE);
    if (!inner || gw_value_at(f, next)->index != i) return 0;
    if (gw_operand(f, inner, i) != gw_arg(f, body, i)) return 0;
    int64_t n = gw_op_at(f, loop)->imm.i, one = advance(f, inner, i);
    return one > INT32_MAX || one < -INT32_MAX ? 0 : one * n;
}

/* Constant that carried value i advances by in every iteration after which the loop goes on; 0 = none. */
static int64_t advance(const gw_func *f, gw_op loop, uint32_t i) {
    gw_region body = gw_loop_body(f, loop);
    gw_op end = gw_region_end(f, body);
    gw_value arg = gw_loop_arg(f, loop, i);
    gw_value next = gw_operand(f, end, gw_loop_first_yield(f, loop) + i);
    if (gw_op_at(f, loop)->code == GW_OP_WHILE && gw_op_at(f, loop)->imm.i) return segment_advance(f, loop, i);
    for (int depth = 0; depth < 4; depth++) {
        gw_op op = gw_value_at(f, next)->op;
        if (!op) return 0;
        const gw_op_data *o = gw_op_at(f, op);
        int64_t c;
        if ((o->code == GW_OP_ADD || o->code == GW_OP_SUB) && gw_operand(f, op, 0) == arg &&
            gw_const_int(f, gw_operand(f, op, 1), &c))
            return o->code == GW_OP_ADD ? c : -c;
        /* if (stop) arg else arg + c: the iteration that stops may leave it */
        bool exit = gw_op_at(f, loop)->flags & GW_OP_EXIT;
        if (!exit || (o->code != GW_OP_IF && o->code != GW_OP_SELECT)) return 0;
        gw_value condition = gw_operand(f, op, 0), stop = gw_operand(f, end, 0);
        gw_op by = gw_value_at(f, condition)->op;
        bool negated = by && gw_op_at(f, by)->code == GW_OP_NOT && gw_operand(f, by, 0) == stop;
        if (condition != stop && !negated) return 0;
        uint32_t go_on = negated ? 0 : 1, k = gw_value_at(f, next)->index;
        next = o->code == GW_OP_IF ? gw_yielded(f, o->region[go_on], k) : gw_operand(f, op, 1 + go_on);
    }
    return 0;
}

static gw_opcode swapped(uint16_t code) {
    switch (code) {
    case GW_OP_LT: return GW_OP_GT;
    case GW_OP_LE: return GW_OP_GE;
    case GW_OP_GT: return GW_OP_LT;
    case GW_OP_GE: return GW_OP_LE;
    default: return (gw_opcode)code;
    }
}

static gw_opcode negation(uint16_t code) {
    switch (code) {
    case GW_OP_LT: return GW_OP_GE;
    case GW_OP_LE: return GW_OP_GT;
    case GW_OP_GT: return GW_OP_LE;
    case GW_OP_GE: return GW_OP_LT;
    case GW_OP_EQ: return GW_OP_NE;
    default: return GW_OP_NONE;
    }
}

/* The carried value is multiplied, divided or shifted by a constant; how, and by which. False: it is not. */
static bool steps_by_factor(const gw_func *f, gw_op loop, uint32_t i, uint16_t *how, int64_t *factor) {
    gw_value arg = gw_loop_arg(f, loop, i);
    gw_op op = gw_value_at(f, gw_loop_next(f, loop, i))->op;
    if (!op || gw_op_at(f, op)->operands != 2) return false;
    *how = gw_op_at(f, op)->code;
    uint32_t by = *how == GW_OP_MUL && gw_operand(f, op, 1) == arg ? 0 : 1;
    if (gw_operand(f, op, 1 - by) != arg || !gw_const_int(f, gw_operand(f, op, by), factor)) return false;
    return *factor >= (*how == GW_OP_SHL || *how == GW_OP_SHR ? 1 : 2);
}

static bool grows_by_factor(const gw_func *f, gw_op loop, uint32_t i) {
    uint16_t how;
    int64_t factor;
    return steps_by_factor(f, loop, i, &how, &factor) && (how == GW_OP_MUL || how == GW_OP_SHL);
}

/* The counter is multiplied or divided by a constant of at least 2 (shifts included). A signed one that grows
 * starts at 1 or more and may not overflow, one that shrinks reaches 0: no more iterations than its type
 * has bits (a negative one that is shifted never does, and its loop never ends). An unsigned one may wrap
 * around; times a power of two it comes to 0 then, for good, and a loop that ends has ended before. */
static gw_value geometric(gw_bounds *b, gw_op loop, uint32_t i, gw_opcode code, gw_value bound) {
    const gw_func *f = b->from;
    gw_value arg = gw_loop_arg(f, loop, i);
    gw_value start = gw_loop_init(f, loop, i);
    int64_t factor, first, limit;
    uint16_t how;
    if (!steps_by_factor(f, loop, i, &how, &factor)) return 0;
    bool shift = how == GW_OP_SHL || how == GW_OP_SHR, sign = gw_type_is_signed(gw_typeof(f, arg));
    bool power = shift || (factor & (factor - 1)) == 0;
    bool grows = (how == GW_OP_MUL || how == GW_OP_SHL) && (sign || power) && gw_const_int(f, start, &first) &&
                 first >= 1;
    bool shrinks =
        (how == GW_OP_DIV || how == GW_OP_SHR) && (bound ? gw_const_int(f, bound, &limit) : (limit = 0, true));
    grows = grows && (code == GW_OP_LT || code == GW_OP_LE);
    shrinks = shrinks && ((code == GW_OP_GT && limit >= 0) || (code == GW_OP_GE && limit >= 1) ||
                          (code == GW_OP_NE && limit == 0));
    return grows || shrinks ? number(b, gw_type_bits(gw_typeof(f, arg))) : 0;
}

/* lo or hi: 0 stands for the number zero, but for both. */
static gw_interval span_of(gw_bounds *b, gw_value lo, gw_value hi) {
    if (lo && hi) return distance(b, lo, hi);
    gw_interval x = gw_bounds_of(b, lo ? lo : hi);
    if (x.low && is_end_of_type(b, lo ? lo : hi, lo ? x.low : x.high, !lo)) return (gw_interval){0, 0};
    if (!lo || !x.low) return x;
    return (gw_interval){gw_unary(b->to, GW_OP_NEG, x.high), gw_unary(b->to, GW_OP_NEG, x.low)};
}

/* Iterations that a counter start + t * c allows under `start + t*c  code  bound`; either may be 0, the number
 * zero. A step over `!=` would run into overflow, which a signed counter may not. */
static gw_value limited(gw_bounds *b, gw_value start, int64_t c, gw_opcode code, gw_value bound,
                        int64_t least) {
    bool steps_on = c == 1 || c == -1 || gw_type_is_signed(gw_typeof(b->from, start ? start : bound));
    bool rising = code == GW_OP_LT || code == GW_OP_LE || (code == GW_OP_NE && c > 0 && steps_on);
    bool falling = code == GW_OP_GT || code == GW_OP_GE || (code == GW_OP_NE && c < 0 && steps_on);
    if (c == 0 || (rising && c < 0) || (falling && c > 0) || (!rising && !falling)) return 0;
    gw_interval span = rising ? span_of(b, start, bound) : span_of(b, bound, start);
    if (!span.high) return 0;
    gw_value most = span.high;
    if (code == GW_OP_LE || code == GW_OP_GE) most = op2(b, GW_OP_ADD, most, number(b, 1));
    return iterations(b, most, number(b, c < 0 ? -c : c), least);
}

/* Index of the carried value that v is (or, tested after the body, becomes); UINT32_MAX if none. */
static uint32_t carried_index(const gw_func *f, gw_op loop, gw_value v, gw_region args, int64_t least) {
    uint32_t first = args == gw_loop_body(f, loop) ? gw_loop_first_arg(f, loop) : 0;
    for (uint32_t i = 0; i < gw_loop_carried(f, loop); i++) {
        gw_value next = gw_loop_next(f, loop, i);
        if (v == gw_arg(f, args, first + i) || (least == 1 && v == next)) return i;
    }
    return UINT32_MAX;
}

/* `for (int o = 1; o < blockDim.x; o *= 2)`: a signed counter that is compared as an unsigned number, and is
 * the same number: it begins at a constant that is not negative and grows, by steps or by a factor, and may
 * not overflow. */
static gw_value behind_unsigned(const gw_func *f, gw_op loop, gw_value counter, gw_region args, int64_t least) {
    gw_op op = gw_made_by(f, counter, GW_OP_CAST);
    if (!op) return counter;
    gw_value of = gw_operand(f, op, 0);
    gw_type from = gw_typeof(f, of), to = gw_typeof(f, counter);
    uint32_t i = carried_index(f, loop, of, args, least);
    int64_t first;
    if (i == UINT32_MAX || !gw_type_is_integer(from) || !gw_type_is_integer(to) || !gw_type_is_signed(from) ||
        gw_type_is_signed(to) || gw_type_bits(to) < gw_type_bits(from))
        return counter;
    bool grows = advance(f, loop, i) > 0 || grows_by_factor(f, loop, i);
    return gw_const_int(f, gw_loop_init(f, loop, i), &first) && first >= 0 && grows ? of : counter;
}

/* `counter code bound` must hold to go on; the bound is invariant, a second counter, of a known range, or 0:
 * the number. */
static gw_value from_comparison(gw_bounds *b, gw_op loop, gw_opcode code, gw_value counter, gw_value bound,
                                gw_region args, int64_t least) {
    const gw_func *f = b->from;
    counter = behind_unsigned(f, loop, counter, args, least);
    uint32_t i = carried_index(f, loop, counter, args, least), first = gw_loop_first_init(f, loop);
    gw_op distance_of = i == UINT32_MAX ? gw_value_at(f, counter)->op : 0;
    if (distance_of && gw_op_at(f, distance_of)->code == GW_OP_SUB) {
        /* k - start < bound, where k begins at start */
        uint32_t k = carried_index(f, loop, gw_operand(f, distance_of, 0), args, least);
        bool from_start = k != UINT32_MAX && gw_operand(f, distance_of, 1) == gw_operand(f, loop, first + k);
        if (from_start && bound && gw_value_invariant(f, bound, gw_op_at(f, loop)->parent))
            return limited(b, 0, advance(f, loop, k), code, bound, least);
    }
    if (i == UINT32_MAX) return 0;
    gw_value start = gw_operand(f, loop, first + i);
    int64_t c = advance(f, loop, i);
    if (!bound || gw_value_invariant(f, bound, gw_op_at(f, loop)->parent)) {
        gw_value x = limited(b, start, c, code, bound, least);
        return x ? x : geometric(b, loop, i, code, bound);
    }
    uint32_t k = carried_index(f, loop, bound, args, least);
    /* Computed anew in each iteration: its range holds in all of them. A counter may step over what it must
     * meet. */
    if (k == UINT32_MAX) return code == GW_OP_NE ? 0 : limited(b, start, c, code, bound, least);
    if (!c || !advance(f, loop, k)) return 0;
    return limited(b, start, c - advance(f, loop, k), code, gw_operand(f, loop, first + k), least);
}

/* v (or its negation) must be true for another iteration; args: the carried values as v sees them. */
static gw_value from_condition(gw_bounds *b, gw_op loop, gw_value v, bool negate, gw_region args,
                               int64_t least) {
    const gw_func *f = b->from;
    gw_op op = gw_value_at(f, v)->op;
    if (!op) return 0;
    const gw_op_data *o = gw_op_at(f, op);
    if (o->code == GW_OP_NOT) return from_condition(b, loop, gw_operand(f, op, 0), !negate, args, least);
    if (o->code == (negate ? GW_OP_OR : GW_OP_AND)) {
        gw_value x = from_condition(b, loop, gw_operand(f, op, 0), negate, args, least);
        return x ? x : from_condition(b, loop, gw_operand(f, op, 1), negate, args, least);
    }
    int64_t c;
    if (o->code == GW_OP_IF) { /* if (p) q else false: both must hold */
        uint32_t k = gw_value_at(f, v)->index;
        gw_value side[2] = {gw_yielded(f, o->region[0], k), gw_yielded(f, o->region[1], k)};
        for (uint32_t i = 0; i < 2; i++) {
            if (!gw_const_int(f, side[i], &c) || (c != 0) != negate) continue;
            gw_value x = from_condition(b, loop, gw_operand(f, op, 0), i == 0, args, least);
            return x ? x : from_condition(b, loop, side[1 - i], negate, args, least);
        }
        return 0;
    }
    bool as_number = o->code == GW_OP_CAST && !negate && gw_type_is_integer(gw_typeof(f, gw_operand(f, op, 0)));
    /* for (; n; n /= 2) */
    if (as_number) return from_comparison(b, loop, GW_OP_NE, gw_operand(f, op, 0), 0, args, least);
    gw_opcode code = negate ? negation(o->code) : (gw_opcode)o->code;
    if (code < GW_OP_NE || code > GW_OP_GE) return 0;
    for (uint32_t side = 0; side < 2; side++) {
        gw_opcode order = side ? swapped((uint16_t)code) : code;
        gw_value x =
            from_comparison(b, loop, order, gw_operand(f, op, side), gw_operand(f, op, 1 - side), args, least);
        if (x) return x;
    }
    return 0;
}

/* A sum of unsigned numbers, which wraps around where a branch may have asked whether it does. */
static bool may_wrap(const gw_func *f, gw_value v) {
    v = gw_behind_casts(f, v);
    const gw_op op = gw_value_at(f, v)->op;
    const gw_opcode code = op ? (gw_opcode)gw_op_at(f, op)->code : GW_OP_NONE;
    return (code == GW_OP_ADD || code == GW_OP_SUB) && !gw_type_is_signed(gw_typeof(f, v));
}

/* No iteration where the host knows that the branches around it go another way. */
static gw_value unless_passed_by(gw_bounds *b, gw_op loop, gw_value trips) {
    const gw_func *f = b->from;
    for (gw_op at = loop, above = gw_op_around(f, at); above; at = above, above = gw_op_around(f, at)) {
        if (gw_op_at(f, above)->code != GW_OP_IF) continue;
        const bool holds = gw_op_at(f, above)->region[0] == gw_op_at(f, at)->parent;
        const gw_value asked = gw_bounds_exact(b, gw_operand(f, above, 0)), none = number(b, 0);
        if (asked) trips = gw_select(b->to, asked, holds ? trips : none, holds ? none : trips);
    }
    return trips;
}

gw_value gw_bounds_trip(gw_bounds *b, gw_op loop) {
    const gw_func *f = b->from;
    const gw_op_data *o = gw_op_at(f, loop);
    if (o->code == GW_OP_FOR) {
        const gw_value trips = counted(b, loop);
        const bool wraps = may_wrap(f, gw_operand(f, loop, 0)) || may_wrap(f, gw_operand(f, loop, 1));
        return trips && wraps ? unless_passed_by(b, loop, trips) : trips;
    }
    gw_value x = from_condition(b, loop, gw_loop_test(f, loop), false, o->region[0], 0);
    if (x || !(o->flags & GW_OP_EXIT)) return x;
    /* do ... while: the exit flag is tested after the body, so one more iteration than the counter allows */
    x = from_condition(b, loop, gw_loop_flag(f, loop), true, gw_loop_body(f, loop), 1);
    return x ? op2(b, GW_OP_ADD, x, number(b, 1)) : 0;
}

/* v is arg or arg + c, whichever branches are taken. */
static bool steps_or_stays(const gw_func *f, gw_value v, gw_value arg, int64_t c, int depth) {
    gw_op op = gw_value_at(f, v)->op;
    int64_t by;
    if (v == arg) return true;
    if (!op || depth == 4) return false;
    const gw_op_data *o = gw_op_at(f, op);
    if (o->code == GW_OP_ADD || o->code == GW_OP_SUB)
        return gw_operand(f, op, 0) == arg && gw_const_int(f, gw_operand(f, op, 1), &by) &&
               (o->code == GW_OP_ADD ? by : -by) == c;
    if (o->code != GW_OP_IF && o->code != GW_OP_SELECT) return false;
    for (uint32_t k = 0, i = gw_value_at(f, v)->index; k < 2; k++) {
        gw_value side = o->code == GW_OP_IF ? gw_yielded(f, o->region[k], i) : gw_operand(f, op, 1 + k);
        if (!steps_or_stays(f, side, arg, c, depth + 1)) return false;
    }
    return true;
}

/* After t iterations, of which there are at most `most`, it is start + t * c. An iteration that leaves by an
 * exit may make something else of it, which only shows in the loop's result. */
gw_interval gw_bounds_counter(gw_bounds *b, gw_op loop, uint32_t i, bool is_result) {
    const gw_func *f = b->from;
    const gw_interval unknown = {0, 0};
    gw_value next = gw_loop_next(f, loop, i);
    gw_value arg = gw_loop_arg(f, loop, i);
    int64_t c = gw_op_at(f, loop)->imm.i ? 0 : advance(f, loop, i);
    if (!c || c > INT32_MAX || c < -INT32_MAX || (is_result && !steps_or_stays(f, next, arg, c, 0)))
        return unknown;
    gw_interval start = gw_bounds_of(b, gw_loop_init(f, loop, i));
    gw_value most = start.low ? gw_bounds_trip(b, loop) : 0;
    if (!most) return unknown;
    gw_value far = op2(b, GW_OP_MUL, most, number(b, c));
    if (c > 0) return (gw_interval){start.low, op2(b, GW_OP_ADD, start.high, far)};
    return (gw_interval){op2(b, GW_OP_ADD, start.low, far), start.high};
}

gw_value gw_bounds_times(gw_bounds *b, gw_op op) {
    const gw_func *f = b->from;
    gw_value times = gw_int(b->to, GW_T_I64, 1);
    for (gw_op at = gw_op_around(f, op); at; at = gw_op_around(f, at)) {
        if (!gw_is_loop(f, at)) continue;
        gw_value trips = gw_bounds_trip(b, at);
        if (!trips) return 0;
        times = gw_binary(b->to, GW_OP_MUL, times, trips);
    }
    return times;
}
