/*
 * winner.c - a loop that finds a least or greatest number notes in which iteration it found it.
 *
 *     for (k = 0; k < n; k++) {                     for (k = 0; k < n; k++) {
 *         d = distance(x, k);                           d = distance(x, k);
 *         if (d < best) best = d;          ->           if (d < best) { best = d; last = k; }
 *     }                                             }
 *     y = best;                                     y = last >= 0 && last < n ? distance(x, last) : start;
 *
 * In the primal of a kernel or a function of the host, before any derivative, forward or reverse, so that both
 * modes say of equal numbers the same (settle_equal). What a derivative needs is then the one iteration that
 * won: the loop itself carries numbers for its conditions only, has no reverse, and asks for no tape. Maxima of
 * a row, pooling, nearest neighbours and the nearest hit of a ray are of this kind, also in loops around each
 * other, the inner one first.
 *
 * What is asked for. A carried number with a derivative is in each iteration what it was, or becomes a value
 * (or the result of fmin or fmax with it) that is made of the loop's index, outer values, integers that can be
 * noted beside, and cells that the loop leaves alone, with nothing in it where threads meet. Several numbers in
 * an iteration, max(max(best, a), b), are brought together first. Numbers that
 * change together (zbest, u, v) are taken together. It is kept only if no derivative goes through the loop's
 * own number any more.
 *
 * Sound: the value is computed again from the same numbers, where the loop has ended and before anything else
 * happens. That `last` is an index of the loop is asked once more for the sake of ownership's proofs.
 */
#include "analysis/facts/facts.h"
#include "rewriters/formula/formula.h"
#include "analysis/ir/optional.h"

#include <stdlib.h>

typedef GW_VEC(gw_value) value_list;
typedef GW_VEC(gw_op) op_list;

typedef struct winner {
    gw_func *p;
    gw_op loop;
    const bool *changing; /* by object */
    bool *seen;           /* by value */
    value_list noted;     /* integers of the iteration that are noted */
    op_list branches;     /* that decide what the carried number becomes */
} winner;

static gw_op maker(const gw_func *p, gw_value v) { return gw_value_at(p, v)->op; }
static bool is_op(const gw_func *p, gw_value v, gw_opcode code) {
    return maker(p, v) && gw_op_at(p, maker(p, v))->code == code;
}
static bool is_extremum(const gw_func *p, gw_value v) {
    return is_op(p, v, GW_OP_FMIN) || is_op(p, v, GW_OP_FMAX);
}
static gw_value was_of(const gw_func *p, gw_op loop, uint32_t i) {
    return gw_arg(p, gw_loop_body(p, loop), 1 + i);
}
/* ---- what a carried value becomes ---- */
/* The two values that v is chosen from; false: it is not. */
static bool sides_of(const gw_func *p, gw_value v, gw_value side[2]) {
    gw_op op = maker(p, v);
    bool selects = is_op(p, v, GW_OP_SELECT), branches = is_op(p, v, GW_OP_IF);
    for (uint32_t i = 0; i < 2 && (selects || branches); i++)
        side[i] = selects ? gw_operand(p, op, 1 + i) : gw_arm_value(p, op, i, gw_value_at(p, v)->index);
    return selects || branches;
}

static bool may_keep(const gw_func *p, gw_value v, gw_value was) {
    gw_value side[2];
    if (v == was) return true;
    if (is_extremum(p, v)) return gw_operand(p, maker(p, v), 0) == was || gw_operand(p, maker(p, v), 1) == was;
    return sides_of(p, v, side) && (may_keep(p, side[0], was) || may_keep(p, side[1], was));
}

/* The one value that it becomes where it does not stay; 0: there is none, or several (*several). */
static gw_value replacement(winner *w, gw_value v, gw_value was, bool *several) {
    const gw_func *p = w->p;
    gw_value side[2];
    if (v == was) return 0;
    if (!may_keep(p, v, was)) return v;
    if (is_extremum(p, v)) return gw_operand(p, maker(p, v), gw_operand(p, maker(p, v), 0) == was);
    if (!sides_of(p, v, side)) return 0;
    if (is_op(p, v, GW_OP_IF)) gw_push(&w->branches, maker(p, v));
    gw_value then_value = replacement(w, side[0], was, several),
             else_value = replacement(w, side[1], was, several);
    *several |= then_value && else_value && then_value != else_value;
    return then_value ? then_value : else_value;
}

/* Both change in the same iterations. */
static bool change_together(const gw_func *p, gw_value v, gw_value was, gw_value other, gw_value other_was) {
    gw_value side[2], other_side[2];
    bool keeps = may_keep(p, v, was);
    if (keeps != may_keep(p, other, other_was) || (v == was) != (other == other_was)) return false;
    if (!keeps || v == was) return true;
    if (is_extremum(p, v) || is_extremum(p, other)) return v == other;
    bool selects = is_op(p, v, GW_OP_SELECT);
    if (selects != is_op(p, other, GW_OP_SELECT)) return false;
    if (selects ? gw_operand(p, maker(p, v), 0) != gw_operand(p, maker(p, other), 0)
                : maker(p, v) != maker(p, other))
        return false;
    sides_of(p, v, side), sides_of(p, other, other_side);
    return change_together(p, side[0], was, other_side[0], other_was) &&
           change_together(p, side[1], was, other_side[1], other_was);
}

/* ---- what can be made again ---- */
static bool can_make(winner *w, gw_value v);

static bool can_run(winner *w, gw_op op, gw_op outermost) {
    const gw_func *p = w->p;
    const gw_op_data *o = gw_op_at(p, op);
    bool control = o->code == GW_OP_IF || o->code == GW_OP_YIELD || gw_is_loop(p, op);
    if (o->code == GW_OP_LOAD) {
        if (gw_object_at(p, o->object)->kind == GW_OBJECT_LOCAL ||
            gw_touches(p, w->loop, o->object, GW_TOUCH_WRITE))
            return false;
        if (w->changing[o->object] && gw_holds_barrier(p, w->loop)) return false;
    } else if (gw_op_rows[o->code].effect != GW_EFFECT_PURE && !control) {
        return false;
    }
    for (uint32_t i = 0; i < o->operands; i++) {
        gw_value v = gw_operand(p, op, i);
        gw_region at = gw_value_region(p, v);
        bool inside = false;
        for (uint32_t k = 0; k < gw_op_at(p, outermost)->regions; k++)
            inside |= gw_region_inside(p, at, gw_op_at(p, outermost)->region[k]);
        if (!inside && !can_make(w, v)) return false;
    }
    for (uint32_t k = 0; k < o->regions; k++)
        for (gw_op in = gw_first(p, o->region[k]); in; in = gw_next(p, in))
            if (!can_run(w, in, outermost)) return false;
    return true;
}

/* Behind the loop, for the iteration that won; w->noted are the integers that it takes. */
static bool can_make(winner *w, gw_value v) {
    const gw_func *p = w->p;
    gw_region body = gw_loop_body(p, w->loop);
    gw_op op = maker(p, v);
    if (w->seen[v] || !gw_region_inside(p, gw_value_region(p, v), body) || v == gw_arg(p, body, 0)) return true;
    w->seen[v] = true;
    for (uint32_t i = 0; i < w->branches.count; i++)
        if (w->branches.at[i] == op) return false;
    if (op && !gw_is_loop(p, op)) return can_run(w, op, op);
    if (!gw_type_is_float(gw_typeof(p, v))) {
        gw_push(&w->noted, v);
        return true;
    }
    return op && can_run(w, op, op);
}

static gw_value make(winner *w, gw_cloner *c, gw_value v);

static void make_operands(winner *w, gw_cloner *c, gw_op op) {
    for (gw_op in = op; in; in = gw_walk_op(w->p, in, op))
        for (uint32_t i = 0; i < gw_op_at(w->p, in)->operands; i++) make(w, c, gw_operand(w->p, in, i));
}

/* What can_make has taken. */
static gw_value make(winner *w, gw_cloner *c, gw_value v) {
    gw_func *p = w->p;
    if (gw_map_get(&c->values, v)) return gw_map_get(&c->values, v);
    if (!gw_region_inside(p, gw_value_region(p, v), gw_loop_body(p, w->loop)) || !maker(p, v)) return v;
    gw_op op = maker(p, v);
    bool inner = false; /* of a branch or loop that is copied as a whole */
    for (gw_region r = gw_value_region(p, v); r != gw_loop_body(p, w->loop) && !inner;
         r = gw_region_outside(p, r)) {
        inner = true;
        for (uint32_t i = 0; i < w->branches.count; i++)
            inner &= w->branches.at[i] != gw_region_at(p, r)->parent;
    }
    if (inner) return v;
    make_operands(w, c, op);
    gw_clone_op(c, op);
    return gw_map_get(&c->values, v);
}

/* ---- one loop ---- */
static bool is_plain(const gw_func *p, gw_op loop) {
    const gw_op_data *o = gw_op_at(p, loop);
    return o->code == GW_OP_FOR && !o->imm.i;
}

/* The type of `last`, which is -1 where no iteration won. */
static gw_type type_of_last(const gw_func *p, gw_op loop) {
    gw_type own = gw_typeof(p, gw_operand(p, loop, 0));
    return gw_type_is_signed(own) ? own : (gw_type)GW_T_I64;
}

static bool is_used(const gw_func *p, gw_value v) {
    for (gw_op op = gw_first(p, p->entry); op; op = gw_next(p, op))
        if (gw_uses_value(p, op, v)) return true;
    return false;
}

static bool fits(winner *w, uint32_t i, gw_value *becomes) {
    const gw_func *p = w->p;
    bool several = false;
    gw_value was = was_of(p, w->loop, i), next = gw_loop_next(p, w->loop, i);
    w->branches.count = 0;
    if (next == was || !gw_type_is_float(gw_typeof(p, was)) || !may_keep(p, next, was)) return false;
    *becomes = replacement(w, next, was, &several);
    return *becomes && !several && can_make(w, *becomes);
}

static void begin(winner *w) {
    free(w->seen);
    w->seen = calloc(w->p->values.count, sizeof *w->seen);
    w->noted.count = 0;
}

/* An integer that the loop carries and that becomes v in those iterations: its place, or UINT32_MAX. */
static uint32_t carries(winner *w, uint32_t target, gw_value v, bool from_below_zero) {
    const gw_func *p = w->p;
    for (uint32_t i = 0; i < gw_loop_carried(p, w->loop); i++) {
        gw_value was = was_of(p, w->loop, i), next = gw_loop_next(p, w->loop, i);
        int64_t start;
        bool several = false;
        if (gw_typeof(p, was) != gw_typeof(p, v) || next == was) continue;
        if (!change_together(p, gw_loop_next(p, w->loop, target), was_of(p, w->loop, target), next, was))
            continue;
        uint32_t branches = w->branches.count;
        bool same = replacement(w, next, was, &several) == v && !several;
        w->branches.count = branches;
        if (same && (!from_below_zero || (gw_const_int(p, gw_operand(p, w->loop, 3 + i), &start) && start < 0)))
            return i;
    }
    return UINT32_MAX;
}

/* out[k] = now[k] where v is not `was`, else before[k]. */
static void note(gw_func *p, gw_value v, gw_value was, const gw_value *now, const gw_value *before,
                 gw_value *out, uint32_t count) {
    gw_value side[2];
    bool keeps = may_keep(p, v, was);
    if (v == was || !keeps) {
        for (uint32_t k = 0; k < count; k++) out[k] = keeps ? before[k] : now[k];
        return;
    }
    gw_op op = maker(p, v);
    gw_value *arm[2] = {gw_alloc(count * sizeof **arm), gw_alloc(count * sizeof **arm)};
    gw_builder b = {p, gw_op_at(p, op)->parent, gw_region_end(p, gw_op_at(p, op)->parent),
                    gw_op_at(p, op)->loc};
    if (is_extremum(p, v)) { /* the first of those that are equal, whichever operand it is */
        const gw_value stays = gw_binary(&b, GW_OP_EQ, v, was);
        for (uint32_t k = 0; k < count; k++) out[k] = gw_select(&b, stays, before[k], now[k]);
    } else {
        sides_of(p, v, side);
        for (uint32_t i = 0; i < 2; i++) note(p, side[i], was, now, before, arm[i], count);
        if (is_op(p, v, GW_OP_SELECT)) {
            for (uint32_t k = 0; k < count; k++)
                out[k] = gw_select(&b, gw_operand(p, op, 0), arm[0][k], arm[1][k]);
        } else {
            gw_op made = gw_if_rebuild(p, op, NULL, arm[0], arm[1], count);
            for (uint32_t k = 0; k < count; k++)
                out[k] = gw_result(p, made, gw_op_at(p, made)->results - count + k);
        }
    }
    free(arm[0]);
    free(arm[1]);
}

typedef struct places { /* of what is carried beside, by number of a carried value */
    uint32_t last, trips, first; /* UINT32_MAX: none; the first of those that are noted and were not carried */
    uint32_t *noted;
} places;

/* The loop carries what is needed and is not there; the new one, with w->noted of it. */
static void carry(winner *w, uint32_t target, places *at, gw_value *becomes) {
    gw_func *p = w->p;
    int64_t start = 0;
    uint32_t carried = gw_loop_carried(p, w->loop);
    bool by_one = gw_loop_step(p, w->loop) == 1;
    bool from_zero = gw_const_int(p, gw_operand(p, w->loop, 0), &start) && start == 0;
    gw_type type = type_of_last(p, w->loop), own = gw_typeof(p, gw_operand(p, w->loop, 0));
    gw_builder b = {p, gw_op_at(p, w->loop)->parent, w->loop, gw_op_at(p, w->loop)->loc};
    value_list extra = {0};
    at->noted = gw_alloc((w->noted.count + 1) * sizeof *at->noted);
    at->last = by_one && from_zero && type == own
                   ? carries(w, target, gw_arg(p, gw_loop_body(p, w->loop), 0), true)
                   : UINT32_MAX;
    at->trips = UINT32_MAX;
    at->first = UINT32_MAX;
    if (at->last == UINT32_MAX) {
        at->last = carried + extra.count;
        gw_push(&extra, gw_int(&b, type, -1));
        at->first = at->last;
    }
    if (!by_one && at->first != UINT32_MAX) {
        at->trips = carried + extra.count;
        gw_push(&extra, gw_int(&b, type, 0));
    }
    for (uint32_t k = 0; k < w->noted.count; k++) {
        at->noted[k] = carries(w, target, w->noted.at[k], false);
        if (at->noted[k] != UINT32_MAX) continue;
        at->noted[k] = carried + extra.count;
        gw_push(&extra, gw_int(&b, gw_typeof(p, w->noted.at[k]), 0));
    }
    w->loop = gw_loop_rebuild(p, w->loop, NULL, extra.at, extra.count);
    gw_vec_free(&extra);
    begin(w);
    fits(w, target, becomes); /* once more, of the new loop: its arguments are others */
    const char *names[] = {"last", "trips"};
    uint32_t where[] = {at->first == UINT32_MAX ? UINT32_MAX : at->last, at->trips};
    for (uint32_t i = 0; i < 2; i++) {
        if (where[i] == UINT32_MAX) continue;
        gw_str name = gw_intern(p->session, names[i]);
        gw_value_at(p, was_of(p, w->loop, where[i]))->name =
            gw_value_at(p, gw_result(p, w->loop, where[i]))->name = name;
    }
}

/* Behind the loop: the targets as the iteration that won makes them. */
static void make_again(winner *w, const uint32_t *targets, uint32_t count, const places *at) {
    gw_func *p = w->p;
    gw_op loop = w->loop;
    gw_builder b = {p, gw_op_at(p, loop)->parent, gw_next(p, loop), gw_op_at(p, loop)->loc};
    gw_value last = gw_result(p, loop, at->last), zero = gw_int(&b, gw_typeof(p, last), 0),
             start_at = gw_operand(p, loop, 0);
    gw_value way = gw_binary(&b, GW_OP_MUL, gw_cast(&b, gw_typeof(p, start_at), last), gw_operand(p, loop, 2));
    gw_value index = gw_binary(&b, GW_OP_ADD, start_at, way);
    gw_value below = gw_binary(&b, (gw_opcode)gw_op_at(p, loop)->attr, index, gw_operand(p, loop, 1));
    gw_value won = gw_binary(&b, GW_OP_AND, gw_binary(&b, GW_OP_GE, last, zero), below);
    gw_op made = gw_emit(&b, GW_OP_IF, GW_T_VOID, 0, &won, 1);
    value_list again = {0}, start = {0};
    for (uint32_t i = 0; i < count; i++)
        gw_op_add_result(p, made, gw_typeof(p, gw_result(p, loop, targets[i])),
                         gw_value_at(p, gw_result(p, loop, targets[i]))->name);
    for (uint32_t side = 0; side < 2; side++) {
        gw_builder in = {.f = p, .region = gw_region_new(p, made), .loc = b.loc};
        gw_cloner c = {.from = p, .to = &in};
        gw_map_set(&c.values, gw_arg(p, gw_loop_body(p, loop), 0), index);
        for (uint32_t k = 0; k < w->noted.count; k++)
            gw_map_set(&c.values, w->noted.at[k], gw_result(p, loop, at->noted[k]));
        for (uint32_t i = 0; i < count; i++) {
            gw_value becomes = 0;
            if (side) gw_push(&start, gw_operand(p, loop, 3 + targets[i]));
            else fits(w, targets[i], &becomes), gw_push(&again, make(w, &c, becomes));
        }
        gw_yield(&in, side ? start.at : again.at, count);
        gw_map_free(&c.values);
        gw_map_free(&c.objects);
    }
    for (uint32_t i = 0; i < count; i++)
        gw_replace_uses(p, gw_result(p, loop, targets[i]), gw_result(p, made, i));
    gw_vec_free(&again);
    gw_vec_free(&start);
}

/* ---- equal numbers ---- */
/* A carried number is the greater or the less of what it was and of `found`, and nothing else is decided. */
static bool is_choice_alone(const gw_func *p, gw_value next, gw_value was, gw_value found) {
    const gw_op choice = maker(p, next);
    if (is_extremum(p, next)) return true;
    if (!gw_extremum_of(p, choice, gw_value_at(p, next)->index)) return false;
    const gw_value side[2] = {gw_extremum_side(p, choice, gw_value_at(p, next)->index, 0),
                              gw_extremum_side(p, choice, gw_value_at(p, next)->index, 1)};
    return (side[0] == was && side[1] == found) || (side[0] == found && side[1] == was);
}

/* The choice takes `found` where both are equal: a > b ? a : b takes b. */
static bool takes_equal(const gw_func *p, gw_value next, gw_value found) {
    bool truth = true;
    if (is_extremum(p, next)) return false; /* note() keeps what it was */
    const gw_op choice = maker(p, next);
    const gw_op asked = maker(p, gw_behind_not(p, gw_operand(p, choice, 0), &truth));
    const bool holds = gw_op_at(p, asked)->code == GW_OP_LE || gw_op_at(p, asked)->code == GW_OP_GE;
    return gw_extremum_side(p, choice, gw_value_at(p, next)->index, holds != truth) == found;
}

/* Both are loads of one array, at one index each. */
static bool are_of_array(const gw_func *p, gw_value found, gw_value start) {
    if (!is_op(p, start, GW_OP_LOAD) || !is_op(p, found, GW_OP_LOAD)) return false;
    const gw_op_data one = *gw_op_at(p, maker(p, found)), other = *gw_op_at(p, maker(p, start));
    return one.object == other.object && one.path == other.path && one.operands == 1 && other.operands == 1;
}

/* x[0], then x[k] for k from 1 on */
static bool comes_before_all(const winner *w, gw_value index, gw_value start_index) {
    const gw_func *p = w->p;
    int64_t from, at;
    return index == gw_arg(p, gw_loop_body(p, w->loop), 0) && gw_loop_step(p, w->loop) > 0 &&
           gw_const_int(p, gw_operand(p, w->loop, 0), &from) && gw_const_int(p, start_index, &at) && at <= from;
}

/* The first of equal numbers has won, whichever way the comparison is written. A loop may begin at a number
 * that it comes by itself, as each lane does at its own cell: of such two the one with the lower index has won.
 * So all lanes agree, and other loops over the array with them.
 *
 * out[k] for `last` and what is noted beside, of which [0] is `last`. */
static void settle_equal(winner *w, gw_builder *b, uint32_t target, const gw_value *now, const gw_value *before,
                         gw_value *out, uint32_t count) {
    const gw_func *p = w->p;
    const gw_value was = was_of(p, w->loop, target), next = gw_loop_next(p, w->loop, target);
    const gw_value start = gw_operand(p, w->loop, 3 + target);
    bool several = false;
    const gw_value found = replacement(w, next, was, &several);
    if (!is_choice_alone(p, next, was, found)) return;
    const gw_value index = are_of_array(p, found, start) ? gw_operand(p, maker(p, found), 0) : 0;
    const gw_value other = index ? gw_operand(p, maker(p, start), 0) : 0;
    const bool has_order = index && !comes_before_all(w, index, other);
    if (!has_order && !takes_equal(p, next, found)) return;
    const gw_value one = gw_real(b, gw_typeof(p, was), 1);
    const gw_value same = gw_binary(b, GW_OP_EQ, gw_binary(b, GW_OP_COPYSIGN, one, found),
                                    gw_binary(b, GW_OP_COPYSIGN, one, was)); /* zeros: it is made of what won */
    const gw_value equal = gw_binary(b, GW_OP_AND, gw_binary(b, GW_OP_EQ, found, was), same);
    gw_value earlier = 0;
    if (has_order) {
        const gw_value none = gw_binary(b, GW_OP_LT, before[0], gw_int(b, gw_typeof(p, before[0]), 0));
        const gw_value lower =
            gw_binary(b, GW_OP_LT, gw_cast(b, GW_T_I64, index), gw_cast(b, GW_T_I64, other));
        earlier = gw_binary(b, GW_OP_AND, none, lower);
    }
    for (uint32_t k = 0; k < count; k++) {
        const gw_value kept = earlier ? gw_select(b, earlier, now[k], before[k]) : before[k];
        out[k] = gw_select(b, equal, kept, out[k]);
    }
}

/* What is carried beside becomes this iteration's where the target does. */
static void note_all(winner *w, uint32_t target, const places *at, bool is_alone) {
    gw_func *p = w->p;
    gw_region body = gw_loop_body(p, w->loop);
    gw_builder b = {p, body, gw_first(p, body), gw_op_at(p, w->loop)->loc};
    gw_value index = gw_arg(p, body, 0), one = gw_int(&b, type_of_last(p, w->loop), 1);
    uint32_t own = gw_loop_carried(p, w->loop), count = 0;
    gw_value *now = gw_alloc((w->noted.count + 1) * sizeof *now),
             *before = gw_alloc((w->noted.count + 1) * sizeof *now);
    gw_value *out = gw_alloc((w->noted.count + 1) * sizeof *now);
    uint32_t *where = gw_alloc((w->noted.count + 1) * sizeof *where);
    if (at->first != UINT32_MAX) {
        now[count] = at->trips == UINT32_MAX
                         ? gw_cast(&b, type_of_last(p, w->loop),
                                   gw_binary(&b, GW_OP_SUB, index, gw_operand(p, w->loop, 0)))
                         : was_of(p, w->loop, at->trips);
        where[count++] = at->last;
    }
    for (uint32_t k = 0; k < w->noted.count; k++) {
        /* the source's own */
        if (gw_loop_next(p, w->loop, at->noted[k]) != was_of(p, w->loop, at->noted[k])) continue;
        now[count] = w->noted.at[k];
        where[count++] = at->noted[k];
    }
    for (uint32_t k = 0; k < count; k++) before[k] = was_of(p, w->loop, where[k]);
    if (count) note(p, gw_loop_next(p, w->loop, target), was_of(p, w->loop, target), now, before, out, count);
    gw_op end = gw_region_end(p, body);
    b.before = end;
    if (is_alone && at->first != UINT32_MAX) settle_equal(w, &b, target, now, before, out, count);
    uint32_t first = gw_op_at(p, end)->operands - own;
    for (uint32_t k = 0; k < count; k++) gw_set_operand(p, end, first + where[k], out[k]);
    if (at->trips != UINT32_MAX)
        gw_set_operand(p, end, first + at->trips, gw_binary(&b, GW_OP_ADD, was_of(p, w->loop, at->trips), one));
    free(now);
    free(before);
    free(out);
    free(where);
}

static bool is_active(const gw_func *p, const gw_request *q, gw_op loop, uint32_t i) {
    gw_roles roles;
    gw_activity activity;
    gw_roles_find(&roles, p, q);
    gw_activity_new(&activity, p, &roles);
    bool active =
        gw_active_value(&activity, was_of(p, loop, i)) || gw_active_value(&activity, gw_result(p, loop, i));
    gw_activity_free(&activity);
    gw_roles_free(&roles);
    return active;
}

/* Takes the loop's carried number `target` of a copy, and those that change with it; gives the loop that stands
 * there then. */
static gw_op take_targets(winner *w, uint32_t target) {
    const gw_func *p = w->p;
    uint32_t carried = gw_loop_carried(p, w->loop), count = 0;
    uint32_t *targets = gw_alloc((carried + 1) * sizeof *targets);
    gw_value becomes;
    places at;
    for (uint32_t i = 0; i < carried; i++) {
        if (i != target && !change_together(p, gw_loop_next(p, w->loop, target), was_of(p, w->loop, target),
                                            gw_loop_next(p, w->loop, i), was_of(p, w->loop, i)))
            continue;
        if (!is_used(p, gw_result(p, w->loop, i))) continue;
        uint32_t noted = w->noted.count;
        if (fits(w, i, &becomes)) targets[count++] = i;
        else w->noted.count = noted;
    }
    begin(w);
    for (uint32_t i = 0; i < count; i++) fits(w, targets[i], &becomes);
    carry(w, target, &at, &becomes);
    begin(w);
    for (uint32_t i = 0; i < count; i++) fits(w, targets[i], &becomes);
    make_again(w, targets, count, &at);
    note_all(w, target, &at, count == 1);
    free(at.noted);
    free(targets);
    return w->loop;
}

static bool try_target(gw_func *p, const gw_request *q, gw_op loop, uint32_t i, const bool *changing) {
    winner w = {.p = p, .loop = loop, .changing = changing};
    gw_value becomes;
    begin(&w);
    bool gained = fits(&w, i, &becomes) && is_used(p, gw_result(p, loop, i)) && is_active(p, q, loop, i);
    if (gained) {
        gw_func *copy = gw_func_copy(p);
        w.p = copy;
        begin(&w);
        gw_op made = take_targets(&w, i);
        gained = !is_active(copy, q, made, i) && gw_takes(p->session, GW_OPTIONAL_WINNERS);
        if (gained) {
            gw_func old = *p;
            *p = *copy;
            *copy = old;
        }
        gw_func_free(copy);
    }
    free(w.seen);
    gw_vec_free(&w.noted);
    gw_vec_free(&w.branches);
    return gained;
}

/* ---- several numbers in an iteration ---- */
static void collect(const gw_func *p, gw_value v, gw_value was, uint16_t code, value_list *others,
                    uint32_t *met) {
    if (v == was) {
        ++*met;
    } else if (is_op(p, v, (gw_opcode)code)) {
        for (uint32_t i = 0; i < 2; i++) collect(p, gw_operand(p, maker(p, v), i), was, code, others, met);
    } else {
        gw_push(others, v);
    }
}

/* max(max(m, a), b) as max(m, max(a, b)), the same number: so that one number is looked at in an iteration. */
static bool regroup(gw_func *p, gw_op loop, uint32_t i) {
    const gw_value next = gw_loop_next(p, loop, i), was = was_of(p, loop, i);
    if (!is_extremum(p, next) || gw_op_at(p, maker(p, next))->parent != gw_loop_body(p, loop)) return false;
    const gw_opcode code = (gw_opcode)gw_op_at(p, maker(p, next))->code;
    value_list others = {0};
    uint32_t met = 0;
    collect(p, next, was, code, &others, &met);
    const bool good = met == 1 && others.count > 1 && !may_keep(p, next, was);
    if (good) {
        gw_builder b = {p, gw_loop_body(p, loop), gw_next(p, maker(p, next)), gw_op_at(p, loop)->loc};
        gw_value all = others.at[0];
        for (uint32_t k = 1; k < others.count; k++) all = gw_binary(&b, code, all, others.at[k]);
        const gw_value made = gw_binary(&b, code, was, all);
        gw_value_at(p, made)->name = gw_value_at(p, next)->name;
        gw_replace_uses(p, next, made);
    }
    gw_vec_free(&others);
    return good;
}

static bool try_several(gw_func *p, const gw_request *q, gw_op loop, uint32_t i, const bool *changing) {
    gw_func *copy = gw_func_copy(p);
    const bool gained = regroup(copy, loop, i) && try_target(copy, q, loop, i, changing);
    if (gained) gw_func_take(p, copy);
    gw_func_free(copy);
    return gained;
}

static bool walk(gw_func *p, const gw_request *q, gw_region r, const bool *changing) {
    for (gw_op op = gw_first(p, r); op; op = gw_next(p, op)) {
        for (uint32_t k = 0; k < gw_op_at(p, op)->regions; k++)
            if (walk(p, q, gw_op_at(p, op)->region[k], changing)) return true;
        if (!gw_is_loop(p, op) || !is_plain(p, op)) continue;
        for (uint32_t i = 0; i < gw_loop_carried(p, op); i++)
            if (try_target(p, q, op, i, changing) || try_several(p, q, op, i, changing)) return true;
    }
    return false;
}

bool gw_note_winners(gw_func *p, const gw_request *q) {
    if (p->kind != GW_FUNC_KERNEL && p->kind != GW_FUNC_HOST) return false;
    bool *changing = gw_changing_objects(p), changed = false;
    while (walk(p, q, p->entry, changing)) changed = true;
    free(changing);
    return changed;
}
