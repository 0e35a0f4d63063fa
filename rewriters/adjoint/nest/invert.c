/*
 * nest/invert.c - carried values whose updates are undone in the reverse loop instead of stored: t *= f.
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
#include "analysis/ir/optional.h"
#include "rewriters/adjoint/nest/nest_private.h"

#include <math.h>

#define LEAST_FACTOR 1e-6
#define LEAST_VALUE 1e-30

/* A division of floats by it in a kernel may be one by an approximate reciprocal, which is right to 2 units in
 * the last place from 2^-126 to 2^126. */
bool gw_invert_divides_fast(const gw_invert *s, gw_value factor, gw_region r) {
    const gw_func *p = s->p;
    gw_real_range x = gw_real_range_of(p, factor, r);
    if (s->by_stop) x = (gw_real_range){fmax(x.low, LEAST_FACTOR), fmin(x.high, 1)};
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
bool gw_invert_flag_is(const gw_invert *s, gw_value flag, gw_value test, bool *negated) {
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
bool gw_invert_is_free(const gw_invert *s, gw_value v);

/* A choice that a || b is, where b is not cheap: all that both sides do can be done again. */
static bool is_free_choice(const gw_invert *s, gw_op branch) {
    const gw_func *p = s->p;
    if (gw_op_at(p, branch)->code != GW_OP_IF || !gw_invert_is_free(s, gw_operand(p, branch, 0))) return false;
    for (uint32_t side = 0; side < 2; side++) {
        gw_region r = gw_op_at(p, branch)->region[side];
        for (gw_op op = gw_first(p, r); op; op = gw_next(p, op)) {
            const gw_op_data *o = gw_op_at(p, op);
            bool ends = o->code == GW_OP_YIELD;
            if (!ends && (o->results != 1 || !gw_invert_is_free(s, o->first_result))) return false;
            for (uint32_t i = 0; ends && i < o->operands; i++)
                if (!gw_invert_is_free(s, gw_operand(p, op, i))) return false;
        }
    }
    return true;
}

/* Made anew at the start of an iteration, without the carried value. */
bool gw_invert_is_free(const gw_invert *s, gw_value v) {
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
        if (!gw_invert_is_free(s, gw_operand(p, op, i))) return false;
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

bool gw_invert_is_update(const gw_invert *s, gw_value v, gw_value *factor) {
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
    s->grows |= !(gw_real_range_of(s->p, factor, gw_op_at(s->p, op)->parent).high <= 1);
    if (!gw_invert_is_free(s, factor)) return lacks(s, GW_NEAR_NEST_MADE_OF, by ? by : op);
    if (gw_real_range_of(s->p, factor, 0).low >= LEAST_FACTOR) return limit || lacks(s, GW_NEAR_NEST_STOP, op);
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
    if (gw_invert_is_update(s, v, &factor)) {
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
    if (gw_invert_is_free(s, condition)) return true;
    bool negated = false, flag_negated = false;
    gw_value test = gw_behind_not(p, condition, &negated);
    if (!gw_invert_flag_is(s, s->flag_next, test, &flag_negated) || (s->test && s->test != test))
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
    if (gw_invert_is_update(s, v, &factor) && gw_invert_is_free(s, factor) &&
        gw_real_range_of(p, factor, 0).low >= LEAST_FACTOR)
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
