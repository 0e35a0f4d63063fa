/*
 * adjoint/invert.c - carried values whose updates are undone in the reverse loop instead of stored: t *= f.
 *
 *     while (!done && k < n) {   // or: for (...) { ...; if (next < 1e-4f) break; t = next; }
 *         ... if (skipped) continue;
 *         float f = 1 - fminf(0.99f, ...), next = t * f;
 *         if (next < 1e-4f) { done = true; continue; }
 *         t = next;
 *     }
 *
 * The reverse loop carries t as it was after the iteration, and divides it by f where the iteration multiplied:
 * no tape. The division stands where t is first needed, in the innermost branch outside of which it is not, so
 * that f is computed once. Required of the loop, or t is stored:
 *
 *  - it holds no barrier, nor another op in which threads meet;
 *  - t changes by multiplication only, t * f, in branches or not; f does not depend on t, and is made of what
 *    the iteration starts from, pure ops, and loads of objects that the loop does not write;
 *  - f >= LEAST_FACTOR by interval arithmetic, so the division undoes it; or, in a nest (nest.c), because t
 *    starts from 1 or less, f is at most 1, and t * f is at least the limit of the stop: then f is no less;
 *  - t * f >= LEAST_VALUE wherever it becomes t, since a branch that the loop leaves by tests for it: nothing
 *    underflows, every multiplication rounds relatively, and so does every division;
 *  - a condition or an integer depends on t only if it is that test, and the loop ends by it (decided.c). In
 *    the reverse loop it is not computed (a division does not give back the last bit, and it might decide
 *    otherwise): it is true in the last iteration of a loop that was left so, which is one flag, and false in
 *    all others.
 *
 * Error: a product and its division round once each, so after k undone updates t is off by at most about k
 * units in the last place relatively, 1.2e-7 k in single precision; conditions that do not depend on t are
 * computed by the same expressions as in the forward loop. Carried sums (t += x) are not undone: cancellation
 * loses any number of digits.
 */
#include "analysis/facts/facts.h"
#include "rewriters/adjoint/nest_private.h"
#include "analysis/ir/optional.h"

#include <math.h>

#define LEAST_FACTOR 1e-6
#define LEAST_VALUE 1e-30

/* ---- ranges: bounds that hold for every value but NaN, which stays NaN ---- */
typedef struct range {
    double low, high;
} range;
static const range anything = {-INFINITY, INFINITY};

/* r: a region in which it is that, by the branches around, too; 0: anywhere */
static range range_of(const gw_func *p, gw_value v, gw_region r, int depth);

static range range_of_select(const gw_func *p, gw_op op, gw_region r, int depth) {
    range x = range_of(p, gw_operand(p, op, 1), r, depth), y = range_of(p, gw_operand(p, op, 2), r, depth);
    return (range){fmin(x.low, y.low), fmax(x.high, y.high)};
}

/* An end that arithmetic made NaN (inf - inf) says nothing. */
static range tidy(range r) {
    return (range){isnan(r.low) ? -INFINITY : r.low, isnan(r.high) ? INFINITY : r.high};
}

/* fmin and fmax give the number where the other operand is a NaN, so only a constant operand bounds them
 * whatever the other is. */
static double surely(const gw_func *p, gw_op op, double x, double y, double (*either)(double, double)) {
    double c;
    if (gw_const_real(p, gw_operand(p, op, 0), &c)) return x;
    return gw_const_real(p, gw_operand(p, op, 1), &c) ? y : either(x, y);
}

/* x is *c times y. */
static bool is_square(const gw_func *p, gw_value x, gw_value y, double *c) {
    const gw_op op = gw_made_by(p, x, GW_OP_MUL);
    *c = 1;
    return x == y || (op && gw_operand(p, op, 1) == y && gw_const_real(p, gw_operand(p, op, 0), c)) ||
           (op && gw_operand(p, op, 0) == y && gw_const_real(p, gw_operand(p, op, 1), c));
}

static range range_of_binary(const gw_func *p, gw_op op, gw_region r, int depth) {
    double c;
    range x = range_of(p, gw_operand(p, op, 0), r, depth), y = range_of(p, gw_operand(p, op, 1), r, depth);
    switch (gw_op_at(p, op)->code) {
    case GW_OP_ADD: return tidy((range){x.low + y.low, x.high + y.high});
    case GW_OP_SUB: return tidy((range){x.low - y.high, x.high - y.low});
    case GW_OP_MUL:
        if (is_square(p, gw_operand(p, op, 0), gw_operand(p, op, 1), &c))
            return c < 0 ? (range){-INFINITY, 0} : (range){0, INFINITY};
        if (x.low == x.high) /* a constant; infinite ends of the other may meet its 0 */
            return tidy(x.low < 0 ? (range){x.low * y.high, x.low * y.low}
                                  : (range){x.low * y.low, x.low * y.high});
        return x.low >= 0 && y.low >= 0 ? tidy((range){x.low * y.low, x.high * y.high}) : anything;
    case GW_OP_DIV: /* of constants, up to its rounding */
        if (x.low != x.high || y.low != y.high || !(x.low > 0) || !(y.low > 0)) return anything;
        return (range){x.low / y.low * (1 - 1e-6), x.low / y.low * (1 + 1e-6)};
    case GW_OP_FMIN: return (range){fmin(x.low, y.low), surely(p, op, x.high, y.high, fmax)};
    case GW_OP_FMAX: return (range){surely(p, op, x.low, y.low, fmin), fmax(x.high, y.high)};
    default: return anything;
    }
}

/* An approximate one may be off by far more than a rounding, but not by a hundredth. */
static range range_of_exp(range x) {
    return (range){0, x.high <= 80 ? exp(x.high) * 1.01 : INFINITY};
}

/* The range of what the op makes. */
static range range_made(const gw_func *p, gw_op op, gw_region r, int depth) {
    const gw_op_data *o = gw_op_at(p, op);
    range x = anything;
    switch (o->code) {
    case GW_OP_EXP: return range_of_exp(range_of(p, gw_operand(p, op, 0), r, depth));
    case GW_OP_SATURATE: return (range){0, 1};
    case GW_OP_FABS: return (range){0, INFINITY};
    case GW_OP_SQRT:
        x = range_of(p, gw_operand(p, op, 0), r, depth);
        return x.low > 0 ? (range){sqrt(x.low) * (1 - 1e-6), INFINITY} : (range){0, INFINITY};
    case GW_OP_NEG: x = range_of(p, gw_operand(p, op, 0), r, depth); return (range){-x.high, -x.low};
    case GW_OP_SELECT: return range_of_select(p, op, r, depth);
    default: return o->operands == 2 && !o->regions ? range_of_binary(p, op, r, depth) : anything;
    }
}

static range both(range x, range y) { return (range){fmax(x.low, y.low), fmin(x.high, y.high)}; }

/* What comparisons with constants say of v where the condition is `truth`. */
static range range_if(const gw_func *p, gw_value condition, bool truth, gw_value v) {
    bool negated = !truth;
    gw_op test = gw_value_at(p, gw_behind_not(p, condition, &negated))->op;
    if (!test || gw_op_at(p, test)->operands != 2) return anything;
    gw_value x = gw_operand(p, test, 0), y = gw_operand(p, test, 1);
    if (gw_op_at(p, test)->code == (negated ? GW_OP_OR : GW_OP_AND))
        return both(range_if(p, x, !negated, v), range_if(p, y, !negated, v));
    if (x != v) return anything;
    range bound = range_of(p, y, 0, 0);
    switch (gw_op_at(p, test)->code) {
    case GW_OP_LT:
    case GW_OP_LE: return negated ? (range){bound.low, INFINITY} : (range){-INFINITY, bound.high};
    case GW_OP_GT:
    case GW_OP_GE: return negated ? (range){-INFINITY, bound.high} : (range){bound.low, INFINITY};
    default: return anything;
    }
}

static range range_of(const gw_func *p, gw_value v, gw_region r, int depth) {
    const gw_op op = gw_value_at(p, v)->op;
    gw_op at;
    double c;
    if (gw_const_real(p, v, &c)) return (range){c, c};
    if (depth > 16 || !gw_type_is_float(gw_typeof(p, v))) return anything;
    range known = op ? range_made(p, op, r, depth + 1) : anything;
    for (gw_region in = r; in && (at = gw_region_at(p, in)->parent) != 0; in = gw_op_at(p, at)->parent)
        if (gw_op_at(p, at)->code == GW_OP_IF)
            known = both(known, range_if(p, gw_operand(p, at, 0), gw_op_at(p, at)->region[0] == in, v));
    return known;
}

double gw_adjoint_least(const gw_func *p, gw_value v, gw_region r) { return range_of(p, v, r, 0).low; }
double gw_adjoint_most(const gw_func *p, gw_value v, gw_region r) { return range_of(p, v, r, 0).high; }

/* A division of floats by it in a kernel may be one by an approximate reciprocal, which is right to 2 units in
 * the last place from 2^-126 to 2^126. */
static bool divides_fast(const gw_invert *s, gw_value factor, gw_region r) {
    const gw_func *p = s->p;
    range x = range_of(p, factor, r, 0);
    if (s->by_stop) x = both(x, (range){LEAST_FACTOR, 1});
    return p->kind == GW_FUNC_KERNEL && gw_typeof(p, factor) == GW_T_F32 && x.low >= 0x1p-126 &&
           x.high <= 0x1p126;
}

/* ---- how the loop is left ---- */
bool gw_invert_asks_for_false(const gw_func *p, gw_op loop, gw_value v, uint32_t i) {
    bool negated = false;
    gw_value inner = gw_behind_not(p, v, &negated);
    gw_region test = gw_op_at(p, loop)->region[0];
    if (inner == gw_arg(p, test, i)) return negated;
    gw_op op = gw_value_at(p, v)->op;
    if (!op) return false;
    int64_t c;
    if (gw_op_at(p, op)->code == GW_OP_AND)
        return gw_invert_asks_for_false(p, loop, gw_operand(p, op, 0), i) ||
               gw_invert_asks_for_false(p, loop, gw_operand(p, op, 1), i);
    if (gw_op_at(p, op)->code != GW_OP_IF) return false;
    uint32_t k = gw_value_at(p, v)->index;
    bool no_else = gw_const_int(p, gw_arm_value(p, op, 1, k), &c) && c == 0;
    bool no_then = gw_const_int(p, gw_arm_value(p, op, 0, k), &c) && c == 0;
    if (no_else)
        return gw_invert_asks_for_false(p, loop, gw_operand(p, op, 0), i) ||
               gw_invert_asks_for_false(p, loop, gw_arm_value(p, op, 0, k), i);
    negated = false;
    return no_then && gw_behind_not(p, gw_operand(p, op, 0), &negated) == gw_arg(p, test, i) && !negated;
}

static bool find_flag(gw_invert *s) {
    const gw_func *p = s->p;
    gw_op end = gw_region_end(p, s->body);
    if (s->flag_arg) {
        uint32_t i = gw_value_at(p, s->flag_arg)->index - gw_loop_first_arg(p, s->loop);
        s->flag_next = gw_loop_next(p, s->loop, i);
        return true;
    }
    if (gw_op_at(p, s->loop)->flags & GW_OP_EXIT) {
        s->flag_next = gw_operand(p, end, 0);
        return true;
    }
    if (gw_op_at(p, s->loop)->code != GW_OP_WHILE) return false;
    gw_value go_on = gw_loop_test(p, s->loop);
    for (uint32_t i = 0; i < gw_loop_carried(p, s->loop); i++) {
        if (gw_typeof(p, gw_arg(p, s->body, i)) != GW_T_BOOL || !gw_invert_asks_for_false(p, s->loop, go_on, i))
            continue;
        s->flag_arg = gw_arg(p, s->body, i);
        s->flag_next = gw_operand(p, end, i);
        return true;
    }
    return false;
}

static bool is_true(const gw_func *p, gw_value v) {
    int64_t c;
    return gw_const_int(p, v, &c) && c != 0;
}

static bool is_false(const gw_invert *s, gw_value v) {
    int64_t c;
    return v == s->flag_arg || (gw_const_int(s->p, v, &c) && c == 0);
}

/* Wherever `test` is computed, the flag of the iteration is `test`, or its opposite (*negated). */
bool gw_flag_is(const gw_invert *s, gw_value flag, gw_value test, bool *negated) {
    const gw_func *p = s->p;
    gw_region at = gw_value_region(p, test);
    for (;;) {
        flag = gw_behind_not(p, flag, negated);
        if (flag == test) return true;
        gw_op op = gw_made_by(p, flag, GW_OP_IF);
        if (!op) return false;
        const gw_op_data *o = gw_op_at(p, op);
        uint32_t k = gw_value_at(p, flag)->index;
        gw_value side[2] = {gw_arm_value(p, op, 0, k), gw_arm_value(p, op, 1, k)};
        bool other = false;
        if (gw_behind_not(p, gw_operand(p, op, 0), &other) == test) {
            bool same = is_true(p, side[0]) && is_false(s, side[1]),
                 opposite = is_false(s, side[0]) && is_true(p, side[1]);
            *negated ^= other ^ opposite;
            return same || opposite;
        }
        uint32_t in = gw_region_inside(p, at, o->region[0]) ? 0 : 1;
        if (!gw_region_inside(p, at, o->region[in])) return false;
        flag = side[in];
    }
}

/* ---- what is asked of the update ---- */
static bool is_free(const gw_invert *s, gw_value v);

/* A choice that a || b is, where b is not cheap: all that both sides do can be done again. */
static bool is_free_choice(const gw_invert *s, gw_op branch) {
    const gw_func *p = s->p;
    if (gw_op_at(p, branch)->code != GW_OP_IF || !is_free(s, gw_operand(p, branch, 0))) return false;
    for (uint32_t side = 0; side < 2; side++) {
        gw_region r = gw_op_at(p, branch)->region[side];
        for (gw_op op = gw_first(p, r); op; op = gw_next(p, op)) {
            const gw_op_data *o = gw_op_at(p, op);
            bool ends = o->code == GW_OP_YIELD;
            if (!ends && (o->results != 1 || !is_free(s, o->first_result))) return false;
            for (uint32_t i = 0; ends && i < o->operands; i++)
                if (!is_free(s, gw_operand(p, op, i))) return false;
        }
    }
    return true;
}

/* Made anew at the start of an iteration, without the carried value. */
static bool is_free(const gw_invert *s, gw_value v) {
    const gw_func *p = s->p;
    if (v == s->arg) return false;
    if (gw_value_visible(p, v, gw_op_at(p, s->loop)->parent)) return true;
    gw_op op = gw_value_at(p, v)->op;
    if (!op) return gw_value_region(p, v) == s->body;
    const gw_op_data *o = gw_op_at(p, op);
    bool load = o->code == GW_OP_LOAD && !gw_touches(p, s->loop, o->object, GW_TOUCH_WRITE);
    if (o->regions) return is_free_choice(s, op);
    if (!load && gw_op_rows[o->code].effect != GW_EFFECT_PURE) return false;
    for (uint32_t i = 0; i < o->operands; i++)
        if (!is_free(s, gw_operand(p, op, i))) return false;
    return true;
}

/* The side of a branch on which `value` is at least a limit, which is LEAST_VALUE or more: 0, 1; 2 if the
 * condition does not tell. */
static uint32_t side_above(const gw_func *p, gw_value condition, gw_value value, double *limit) {
    bool negated = false;
    gw_op op = gw_value_at(p, gw_behind_not(p, condition, &negated))->op;
    double c;
    if (!op || gw_op_at(p, op)->operands != 2) return 2;
    uint16_t code = gw_op_at(p, op)->code;
    bool right = gw_operand(p, op, 1) == value; /* c < value */
    if (gw_operand(p, op, right ? 1 : 0) != value) return 2;
    if (!gw_const_real(p, gw_operand(p, op, right ? 0 : 1), &c) || c < LEAST_VALUE) return 2;
    *limit = c;
    bool less = code == GW_OP_LT || code == GW_OP_LE, more = code == GW_OP_GT || code == GW_OP_GE;
    if (!less && !more) return 2;
    return (uint32_t)((less != right) != negated);
}

static bool is_update(const gw_invert *s, gw_value v, gw_value *factor) {
    gw_op op = gw_made_by(s->p, v, GW_OP_MUL);
    if (!op) return false;
    gw_value x = gw_operand(s->p, op, 0), y = gw_operand(s->p, op, 1);
    *factor = x == s->arg ? y : x;
    return (x == s->arg) != (y == s->arg);
}

static bool lacks(gw_invert *s, gw_near_nest_kind what, gw_op op) {
    s->lacks = what, s->shows = op;
    return false;
}

/* An update that can be divided out again. limit: of the stop, which it is not below; 0: there is none. */
static bool is_undoable(gw_invert *s, gw_value v, gw_value factor, double limit) {
    gw_op by = gw_value_at(s->p, factor)->op, op = gw_value_at(s->p, v)->op;
    s->grows |= !(range_of(s->p, factor, gw_op_at(s->p, op)->parent, 0).high <= 1);
    if (!is_free(s, factor)) return lacks(s, GW_NEAR_NEST_MADE_OF, by ? by : op);
    if (range_of(s->p, factor, 0, 0).low >= LEAST_FACTOR) return limit || lacks(s, GW_NEAR_NEST_STOP, op);
    s->factor = by ? by : op;
    s->by_stop |= limit > 1.01 * LEAST_FACTOR;
    return limit > 1.01 * LEAST_FACTOR || lacks(s, GW_NEAR_NEST_FACTOR, s->factor);
}

/* v, what the carried value becomes, is the value itself or an update of it, in branches that the reverse loop
 * can tell. `above`: a product that is known to be at least `limit` here. */
static bool can_undo(gw_invert *s, gw_value v, gw_value above, double limit, bool *updates) {
    const gw_func *p = s->p;
    gw_value factor;
    if (v == s->arg) return true;
    if (is_update(s, v, &factor)) {
        *updates = true;
        return is_undoable(s, v, factor, v == above ? limit : 0);
    }
    gw_op op = gw_made_by(p, v, GW_OP_IF);
    if (!op) return false;
    gw_value condition = gw_operand(p, op, 0);
    uint32_t k = gw_value_at(p, v)->index;
    for (uint32_t side = 0; side < 2; side++) {
        gw_value next = gw_arm_value(p, op, side, k);
        double here = limit;
        bool told = side_above(p, condition, next, &here) == side;
        if (!can_undo(s, next, told ? next : above, told ? here : limit, updates)) return false;
    }
    if (is_free(s, condition)) return true;
    bool negated = false, flag_negated = false;
    gw_value test = gw_behind_not(p, condition, &negated);
    if (!gw_flag_is(s, s->flag_next, test, &flag_negated) || (s->test && s->test != test))
        return lacks(s, GW_NEAR_NEST_TEST, op);
    s->test = test;
    s->negated = flag_negated;
    return true;
}

/* A loop that is left by no flag lacks a stop: this finds the update that one would let be undone. */
static void find_unstopped(gw_invert *s, gw_value v) {
    const gw_func *p = s->p;
    gw_value factor;
    gw_op op = gw_value_at(p, v)->op;
    if (v == s->arg || !op) return;
    if (is_update(s, v, &factor) && is_free(s, factor) && range_of(p, factor, 0, 0).low >= LEAST_FACTOR)
        lacks(s, GW_NEAR_NEST_STOP, op);
    for (uint32_t side = 0; gw_op_at(p, op)->code == GW_OP_IF && side < 2; side++)
        find_unstopped(s, gw_arm_value(p, op, side, gw_value_at(p, v)->index));
}

bool gw_invert_examine(const gw_func *p, gw_op loop, uint32_t i, gw_invert *s) {
    return gw_invert_examine_by(p, loop, i, 0, s);
}

bool gw_invert_examine_by(const gw_func *p, gw_op loop, uint32_t i, gw_value flag, gw_invert *s) {
    gw_region body = gw_loop_body(p, loop);
    *s = (gw_invert){
        .p = p, .loop = loop, .body = body, .index = i, .arg = gw_loop_arg(p, loop, i), .flag_arg = flag};
    gw_value next = gw_loop_next(p, loop, i);
    bool updates = false;
    /* factors are made again at another place than the barriers' */
    if (gw_holds_barrier(p, loop)) return false;
    if (p->kind != GW_FUNC_KERNEL || !gw_type_is_float(gw_typeof(p, s->arg)) ||
        gw_typeof(p, s->arg) == GW_T_F80)
        return false;
    if (find_flag(s)) {
        if (!can_undo(s, next, 0, 0, &updates) || !updates) return false;
        const gw_op decision = gw_invert_decides_else(s);
        if (decision) return lacks(s, GW_NEAR_NEST_TEST, decision);
        return !(s->by_stop && s->grows) || lacks(s, GW_NEAR_NEST_FACTOR, s->factor);
    }
    find_unstopped(s, next);
    return false;
}

/* One for each loop: its test is what takes the loop's flag. */
bool gw_adjoint_find_inverse(gw_adjoint *a, gw_op loop) {
    gw_invert s;
    for (uint32_t i = 0; i < gw_loop_carried(a->primal, loop); i++) {
        if (!gw_invert_examine(a->primal, loop, i, &s) || s.by_stop) continue; /* rounded alike in nests only */
        if (!gw_takes(a->f->session, GW_OPTIONAL_INVERT)) continue;
        a->kept[loop].inverse = i + 1;
        a->kept[loop].flag = s.flag_arg;
        return true;
    }
    return false;
}

/* ---- in the body of the reverse loop ---- */

/* What a side of the choice takes from outside. */
static void make_for_region(gw_cloner *c, gw_op branch, uint32_t side) {
    const gw_func *p = c->from;
    gw_region r = gw_op_at(p, branch)->region[side], outside = gw_op_at(p, branch)->parent;
    for (gw_op op = gw_first(p, r); op; op = gw_walk(p, op, r))
        for (uint32_t i = 0; i < gw_op_at(p, op)->operands; i++)
            if (gw_value_visible(p, gw_operand(p, op, i), outside)) gw_invert_make(c, gw_operand(p, op, i));
}

gw_value gw_invert_make(gw_cloner *c, gw_value v) {
    const gw_func *p = c->from;
    gw_value have = gw_map_get(&c->values, v);
    if (have) return have;
    gw_op op = gw_value_at(p, v)->op;
    for (uint32_t i = 0; i < gw_op_at(p, op)->operands; i++) gw_invert_make(c, gw_operand(p, op, i));
    for (uint32_t side = 0; side < gw_op_at(p, op)->regions; side++) make_for_region(c, op, side);
    gw_clone_op(c, op);
    return gw_map_get(&c->values, v);
}

/* The carried value before the iteration, given the one after it; v is what it became. */
static gw_value undo(const gw_invert *s, gw_cloner *c, gw_value v, gw_value after) {
    gw_builder *b = c->to;
    gw_func *f = b->f;
    gw_value factor;
    if (v == s->arg) return after;
    if (is_update(s, v, &factor)) {
        gw_value by = gw_invert_make(c, factor);
        bool fast = divides_fast(s, factor, gw_op_at(s->p, gw_value_at(s->p, v)->op)->parent);
        gw_value before = fast ? gw_binary(b, GW_OP_OVER, after, by) : gw_binary(b, GW_OP_DIV, after, by);
        gw_op op = gw_value_at(f, before)->op;
        if (op)
            gw_op_at(f, op)->note = gw_intern(
                f->session, fast ? "undoes this update in the reverse loop: nothing is stored; k such "
                                   "divisions are off by at most about 3k units in the last place"
                                 : "undoes this update in the reverse loop: nothing is stored; k such "
                                   "divisions are off by about k units in the last place");
        if (op) gw_op_at(f, op)->loc = gw_op_at(s->p, gw_value_at(s->p, v)->op)->loc;
        return before;
    }
    gw_op branch = gw_value_at(s->p, v)->op;
    uint32_t k = gw_value_at(s->p, v)->index;
    gw_value condition = gw_invert_make(c, gw_operand(s->p, branch, 0));
    gw_op made = gw_emit(b, GW_OP_IF, GW_T_VOID, 0, &condition, 1);
    gw_value result = gw_op_add_result(f, made, gw_typeof(s->p, v), gw_value_at(s->p, s->arg)->name);
    gw_builder saved = *b;
    for (uint32_t side = 0; side < 2; side++) {
        gw_cloner inner = {.from = c->from,
                           .to = c->to,
                           .values = gw_map_copy(&c->values),
                           .objects = c->objects,
                           .pinned = c->pinned};
        b->region = gw_region_new(f, made);
        b->before = 0;
        gw_value before = undo(s, &inner, gw_arm_value(s->p, branch, side, k), after);
        gw_yield(b, &before, 1);
        gw_map_free(&inner.values);
    }
    *b = saved;
    return result;
}

/* What is defined outside of the loop, and the arguments of region r. */
gw_value_map gw_invert_values(const gw_adjoint *a, gw_op loop) {
    const gw_func *p = a->primal;
    const gw_value_map *all = &a->c.values;
    gw_value_map there = {0};
    for (gw_value v = 1; v < all->count && v < p->values.count; v++) {
        gw_region r = gw_value_region(p, v);
        bool argument = r == gw_loop_body(p, loop) && !gw_value_at(p, v)->op;
        if (all->at[v] && (argument || !r || gw_region_inside(p, gw_op_at(p, loop)->parent, r)))
            gw_map_set(&there, v, all->at[v]);
    }
    return there;
}

/* Besides, what the bodies around `op` have computed before it in this iteration. */
static void add_values_before(const gw_adjoint *a, gw_op loop, gw_op op, gw_value_map *there) {
    const gw_func *p = a->primal;
    for (; op != loop; op = gw_op_around(p, op))
        for (gw_op at = gw_prev(p, op); at; at = gw_prev(p, at))
            for (uint32_t i = 0; i < gw_op_at(p, at)->results; i++) {
                gw_value v = gw_result(p, at, i);
                if (gw_map_get(&a->c.values, v)) gw_map_set(there, v, gw_map_get(&a->c.values, v));
            }
}

/* What a nest writes for others (nest.c) is not written in its reverse, so it needs no value there. */
static bool needs(const gw_func *p, gw_op op, gw_value v) {
    const gw_op_data *o = gw_op_at(p, op);
    const bool writes = o->code == GW_OP_STORE || o->code == GW_OP_ATOMIC;
    for (uint32_t i = 0; i < o->operands; i++)
        if (gw_operand(p, op, i) == v && !writes) return true;
    for (uint32_t i = 0; i < o->regions; i++)
        for (gw_op in = gw_first(p, o->region[i]); in; in = gw_next(p, in))
            if (needs(p, in, v)) return true;
    return false;
}

static bool uses(const gw_adjoint *a, gw_op loop, gw_op op, gw_value v) {
    return gw_adjoint_is_inner(a, loop) ? needs(a->primal, op, v) : gw_uses_value(a->primal, op, v);
}

/* Only the branch that decides about the update needs the value in this region: each side undoes its own. */
static bool is_left_to(const gw_adjoint *a, const gw_invert *s, const gw_resume *t, gw_op op) {
    const gw_func *p = s->p;
    if (gw_op_at(p, op)->code != GW_OP_IF || gw_value_at(p, t->next)->op != op) return false;
    gw_value condition = gw_operand(p, op, 0);
    bool negated = false;
    if (!is_free(s, condition) && gw_behind_not(p, condition, &negated) != s->test) return false;
    gw_op end = gw_region_end(p, t->region);
    for (gw_op at = gw_next(p, op); at; at = gw_next(p, at))
        if (uses(a, s->loop, at, s->arg)) return false;
    return gw_op_at(p, end)->parent == t->region;
}

/* The value is there from now on. */
static void resolve(gw_adjoint *a, const gw_invert *s, gw_resume *t, gw_op op) {
    gw_cloner c = {.from = a->primal,
                   .to = &a->b,
                   .values = gw_invert_values(a, s->loop),
                   .objects = a->c.objects,
                   .pinned = &a->pinned};
    add_values_before(a, s->loop, op, &c.values);
    if (s->test) gw_map_set(&c.values, s->test, gw_map_get(&a->pinned, s->test));
    gw_value before = undo(s, &c, t->next, gw_map_get(&a->adjoint, t->key));
    gw_map_free(&c.values);
    gw_map_set(&a->adjoint, t->key, before);
    gw_map_set(&a->c.values, s->arg, before);
    t->resolved = true;
}

static void resume(gw_adjoint *a, gw_resume *t, gw_op op) {
    const gw_func *p = a->primal;
    const gw_region r = t->region;
    gw_invert s;
    if (t->resolved || !gw_invert_examine_by(p, t->loop, t->index, t->flag, &s)) return;
    bool end = op == gw_region_end(p, r);
    if (!end && !uses(a, t->loop, op, s.arg)) return;
    if (!end && is_left_to(a, &s, t, op)) {
        t->branch = op;
        t->resolved = true;
    } else {
        resolve(a, &s, t, op);
    }
}

void gw_adjoint_resume(gw_adjoint *a, gw_region r, gw_op op) {
    for (uint32_t i = a->resumes.count; i-- > 0 && a->resumes.at[i].region == r;)
        resume(a, &a->resumes.at[i], op);
}

/* In a region in which the value becomes `next`; it is not there until it is needed. */
static void begin_region(gw_adjoint *a, const gw_resume *like, gw_region r, gw_value arg, gw_value next) {
    bool same = next == arg;
    gw_push(&a->resumes, ((gw_resume){.loop = like->loop,
                                      .index = like->index,
                                      .key = like->key,
                                      .flag = like->flag,
                                      .region = r,
                                      .next = next,
                                      .resolved = same}));
    gw_map_set(&a->c.values, arg,
               same ? gw_map_get(&a->adjoint, like->key) : gw_adjoint_unneeded(a, gw_typeof(a->primal, arg)));
}

static gw_value argument(const gw_adjoint *a, const gw_resume *t) {
    return gw_loop_arg(a->primal, t->loop, t->index);
}

bool gw_adjoint_resume_side(gw_adjoint *a, gw_op branch, int side) {
    const uint32_t count = a->resumes.count;
    for (uint32_t i = gw_adjoint_first_resume(a); i < count; i++) {
        if (a->resumes.at[i].branch != branch) continue;
        const gw_resume t = a->resumes.at[i];
        uint32_t k = gw_value_at(a->primal, t.next)->index;
        begin_region(a, &t, gw_op_at(a->primal, branch)->region[side], argument(a, &t),
                     gw_arm_value(a->primal, branch, (uint32_t)side, k));
    }
    return a->resumes.count > count;
}

void gw_adjoint_resume_end(gw_adjoint *a) { a->resumes.count = gw_adjoint_first_resume(a); }

/* What the loop undoes, one after the other; false: there are no more. */
static bool undone_value(const gw_adjoint *a, gw_op loop, uint32_t k, gw_resume *t) {
    const gw_kept *kept = &a->kept[loop];
    *t = (gw_resume){.loop = loop};
    if (gw_adjoint_is_inner(a, loop)) {
        const gw_nest_state *s = &kept->nest->state[k];
        if (k == kept->nest->states) return false;
        t->index = s->value[GW_NEST_INNER], t->key = s->key, t->flag = s->flag;
        return true;
    }
    t->index = kept->inverse - 1;
    return kept->inverse && k == 0;
}

bool gw_adjoint_undoes(const gw_adjoint *a, gw_op loop, uint32_t i) {
    const gw_value arg = gw_loop_arg(a->primal, loop, i), flag = a->kept[loop].flag;
    gw_resume t;
    for (uint32_t k = 0; undone_value(a, loop, k, &t); k++)
        if (t.index == i || t.flag == arg) return true;
    return flag && flag == arg;
}

/* The iterations before it, in all batches. */
static gw_value place_of(gw_adjoint *a, const gw_nest *n, gw_value number) {
    return gw_binary(&a->b, GW_OP_ADD, n->before, gw_cast(&a->b, gw_typeof(a->f, n->last), number));
}

/* Whether state k is past its last effect in iteration `number` of the inner loop's reverse; one whose flag the
 * loop asks for runs no such iteration. */
static gw_value is_past(gw_adjoint *a, gw_op inner, uint32_t k, gw_value number) {
    const gw_nest *n = a->kept[inner].nest;
    if (n->asked) return gw_int(&a->b, GW_T_BOOL, 0);
    return gw_binary(&a->b, GW_OP_GE, place_of(a, n, number), n->state[k].last);
}

/* Whether iteration `number` of the inner loop's reverse is the one that stopped state k. */
static gw_value stops_late(gw_adjoint *a, gw_op inner, uint32_t k, gw_value number) {
    const gw_nest_state *s = &a->kept[inner].nest->state[k];
    const gw_value one = gw_int(&a->b, gw_typeof(a->f, s->last), 1),
                   behind = gw_binary(&a->b, GW_OP_ADD, place_of(a, a->kept[inner].nest, number), one);
    return gw_binary(&a->b, GW_OP_AND, gw_binary(&a->b, GW_OP_EQ, behind, s->last), s->stopped);
}

void gw_adjoint_resume_begin(gw_adjoint *a, gw_op loop, gw_value key, gw_value stops, gw_value number) {
    gw_resume t;
    gw_invert s;
    for (uint32_t k = 0; undone_value(a, loop, k, &t); k++) {
        bool inner = gw_adjoint_is_inner(a, loop);
        if (!inner) t.key = key;
        gw_invert_examine_by(a->primal, loop, t.index, t.flag, &s);
        gw_value past = inner ? is_past(a, loop, k, number) : gw_int(&a->b, GW_T_BOOL, 0);
        if (s.flag_arg) gw_map_set(&a->c.values, s.flag_arg, past);
        const bool late = inner && a->kept[loop].nest->state[k].late;
        const gw_value here = late ? stops_late(a, loop, k, number) : stops;
        if (s.test) gw_map_set(&a->pinned, s.test, s.negated ? gw_unary(&a->b, GW_OP_NOT, here) : here);
        begin_region(a, &t, s.body, s.arg, gw_loop_next(a->primal, loop, t.index));
    }
}

void gw_adjoint_unpin(gw_adjoint *a, gw_op loop) {
    gw_resume t;
    gw_invert s;
    for (uint32_t k = 0; undone_value(a, loop, k, &t); k++)
        if (gw_invert_examine_by(a->primal, loop, t.index, t.flag, &s) && s.test)
            gw_map_set(&a->pinned, s.test, 0);
}
