/*
 * shape.c - brings two loops into the form in which nest.c takes them, in the primal and before any
 * derivative.
 *
 * Each step leaves what the function computes as it is, whether a nest comes out or not; it is kept only if
 * nest.c finds one then.
 *
 * Loops. The outer one must count, the inner one be left by its condition: loops.c.
 *
 * Stops behind the update, t *= f; if (t < 1e-4f) done = true: of the factor of that one nothing is known, so
 * it cannot be divided out again. So t stays what it was there, and another number, which both loops carry,
 * is what it becomes. Nobody reads t once it has stopped: no iteration of the inner loop runs then, as both
 * loops carry the flag, and nobody else in the outer one has it. Behind the loops the other number is read.
 *
 * Flags. They may be integers, or bits of one: flags.c.
 *
 * Numbers. A thread need not count its iterations itself, nor note the last one with an effect: both loops,
 * and the branches between them, carry numbers more, from 0. `count` grows by 1 at the start of each
 * iteration of the inner loop. `last`, of which each state has one (states.c), becomes that wherever a
 * value with a derivative that goes with the state, or the one that is undone, is not what it was, as deep in
 * the branches of the iteration as all of them change together. That this is what nest.c asks for it checks
 * itself. Nobody else reads them. They are unsigned: a thread is taken to run fewer than 2^31 iterations of
 * the inner loop, and what the counter allows of a batch is cut to that.
 */
#include "analysis/ir/optional.h"
#include "analysis/ir/passes.h"
#include "rewriters/adjoint/nest/nest_private.h"

#include <stdlib.h>

/* ---- numbers ---- */
typedef struct change {
    gw_value next, was;
} change;
typedef GW_VEC(change) change_list;

/* The branch of which all are results; 0: there is none. */
static gw_op common_branch(const gw_func *p, const change_list *changes) {
    gw_op branch = gw_value_at(p, changes->at[0].next)->op;
    for (uint32_t i = 0; i < changes->count; i++)
        if (gw_value_at(p, changes->at[i].next)->op != branch) return 0;
    return branch && gw_op_at(p, branch)->code == GW_OP_IF ? branch : 0;
}

static gw_value note(gw_func *p, const change_list *all, gw_value count, gw_value last);

static gw_value note_side(gw_func *p, gw_op branch, uint32_t side, const change_list *changes, gw_value count,
                          gw_value last) {
    change_list inside = {0};
    for (uint32_t i = 0; i < changes->count; i++) {
        change c = changes->at[i];
        gw_push(&inside, ((change){gw_arm_value(p, branch, side, gw_value_at(p, c.next)->index), c.was}));
    }
    gw_value noted = note(p, &inside, count, last);
    gw_vec_free(&inside);
    return noted;
}

/* `last` where the values have become what they become: the count if one of them may have changed. */
static gw_value note(gw_func *p, const change_list *all, gw_value count, gw_value last) {
    change_list changes = {0};
    for (uint32_t i = 0; i < all->count; i++)
        if (!gw_nest_keeps(p, all->at[i].next, all->at[i].was)) gw_push(&changes, all->at[i]);
    gw_op branch = changes.count ? common_branch(p, &changes) : 0;
    gw_value noted = changes.count ? count : last;
    if (branch) {
        gw_value then_value = note_side(p, branch, 0, &changes, count, last),
                 else_value = note_side(p, branch, 1, &changes, count, last);
        gw_op made = gw_if_rebuild(p, branch, NULL, &then_value, &else_value, 1);
        noted = gw_result(p, made, gw_op_at(p, made)->results - 1);
    }
    gw_vec_free(&changes);
    return noted;
}

/* The last values that a loop carries, and what it ends with of them: the count, and of each state its last.
 * */
static void name_numbers(gw_func *p, gw_op loop, uint32_t numbers) {
    for (uint32_t i = 0; i < numbers; i++) {
        gw_str name = gw_intern(p->session, i ? "last" : "count");
        gw_value_at(p, gw_result(p, loop, gw_op_at(p, loop)->results - numbers + i))->name = name;
        for (uint32_t k = 0; k < gw_op_at(p, loop)->regions; k++) {
            gw_region r = gw_op_at(p, loop)->region[k];
            gw_value_at(p, gw_arg(p, r, gw_region_at(p, r)->args - numbers + i))->name = name;
        }
    }
}

static void carried_numbers(const gw_func *p, gw_op loop, gw_value *out, uint32_t numbers) {
    gw_region body = gw_loop_body(p, loop);
    for (uint32_t i = 0; i < numbers; i++)
        out[i] = gw_arg(p, body, gw_region_at(p, body)->args - numbers + i);
}

static void yield_numbers(gw_func *p, gw_op loop, const gw_value *now, uint32_t numbers) {
    gw_op end = gw_region_end(p, gw_loop_body(p, loop));
    for (uint32_t i = 0; i < numbers; i++)
        gw_set_operand(p, end, gw_op_at(p, end)->operands - numbers + i, now[i]);
}

/* goes[i]: the states that carried value i goes with, as bits. */
static void count_inner(gw_func *p, gw_op inner, const uint32_t *goes, uint32_t carried, uint32_t states) {
    gw_region body = gw_loop_body(p, inner);
    gw_builder b = {p, body, gw_first(p, body), gw_op_at(p, inner)->loc};
    gw_value now[1 + GW_NEST_STATES] = {0};
    carried_numbers(p, inner, now, 1 + states);
    now[0] = gw_binary(&b, GW_OP_ADD, now[0], gw_int(&b, GW_T_U32, 1));
    gw_value_at(p, now[0])->name = gw_intern(p->session, "count");
    for (uint32_t k = 0; k < states; k++) {
        change_list changes = {0};
        for (uint32_t i = 0; i < carried; i++)
            if (goes[i] & 1u << k)
                gw_push(&changes, ((change){gw_loop_next(p, inner, i), gw_loop_arg(p, inner, i)}));
        now[1 + k] = note(p, &changes, now[0], now[1 + k]);
        gw_vec_free(&changes);
    }
    yield_numbers(p, inner, now, 1 + states);
}

static void last_results(const gw_func *p, gw_op op, gw_value *out, uint32_t numbers) {
    for (uint32_t i = 0; i < numbers; i++)
        out[i] = gw_result(p, op, gw_op_at(p, op)->results - numbers + i);
}

/* What the inner loop ends with, through the branches and the loop around it to the end of the outer one's
 * body. */
static void hand_out(gw_func *p, gw_op outer, gw_op inner, uint32_t numbers) {
    gw_value now[1 + GW_NEST_STATES] = {0}, started[1 + GW_NEST_STATES] = {0};
    gw_op at = inner;
    last_results(p, inner, now, numbers);
    for (gw_op around; (around = gw_op_around(p, at)) != outer;) {
        const bool first = gw_op_at(p, around)->region[0] == gw_op_at(p, at)->parent;
        carried_numbers(p, gw_loop_around(p, at), started, numbers);
        if (gw_is_loop(p, around)) yield_numbers(p, around, now, numbers);
        at = gw_is_loop(p, around)
                 ? around
                 : gw_if_rebuild(p, around, NULL, first ? now : started, first ? started : now, numbers);
        last_results(p, at, now, numbers);
    }
    yield_numbers(p, outer, now, numbers);
}

/* The loops carry the numbers, each from what the one around it has; the outer and the inner one. */
static void carry_inside(gw_func *p, gw_op *outer, gw_op middle, gw_op *inner, const gw_value *from,
                         uint32_t numbers) {
    gw_value start[1 + GW_NEST_STATES];
    gw_op loop = *outer = gw_loop_rebuild(p, *outer, NULL, from, numbers);
    carried_numbers(p, loop, start, numbers);
    if (middle) {
        loop = gw_loop_rebuild(p, middle, NULL, start, numbers);
        carried_numbers(p, loop, start, numbers);
    }
    *inner = gw_loop_rebuild(p, *inner, NULL, start, numbers);
}

static void add_numbers(gw_func *p, const gw_activity *activity, const gw_nest *n) {
    gw_op inner = n->loop[GW_NEST_INNER], outer = n->loop[GW_NEST_OUTER];
    uint32_t carried = gw_loop_carried(p, inner), numbers = 1 + n->states, *masks = gw_nest_masks(p, n),
             *goes = gw_alloc((carried + 1) * sizeof *goes);
    for (uint32_t i = 0; i < carried; i++)
        for (uint32_t k = 0; k < n->states; k++)
            if (gw_nest_is_of(p, activity, n, masks, i, k)) goes[i] |= 1u << k;
    gw_builder b = {p, gw_op_at(p, outer)->parent, outer, gw_op_at(p, outer)->loc};
    gw_value zero = gw_int(&b, GW_T_U32, 0), start[1 + GW_NEST_STATES] = {0};
    for (uint32_t i = 0; i < numbers; i++)
        start[i] = zero;
    carry_inside(p, &outer, n->loop[GW_NEST_MIDDLE], &inner, start, numbers);
    for (gw_op loop = inner; loop; loop = loop == outer ? 0 : gw_loop_around(p, loop))
        name_numbers(p, loop, numbers);
    count_inner(p, inner, goes, carried, n->states);
    hand_out(p, outer, inner, numbers);
    free(masks);
    free(goes);
}

/* ---- stops behind the update ---- */
typedef struct late {
    gw_op middle, inner; /* no middle one: 0 */
    uint32_t carried[GW_NEST_LOOPS]; /* the number's index in the loops */
    gw_value update, test;
    bool stays;          /* the test's truth where the loop goes on */
    gw_op end;           /* the yield that has the update, and its place there */
    uint32_t place;
} late;

/* The one update on the way to what the inner loop's number becomes. */
static bool find_update(const gw_func *p, late *s) {
    const gw_value arg = gw_loop_arg(p, s->inner, s->carried[1]);
    gw_region r = gw_loop_body(p, s->inner);
    s->place = gw_loop_first_yield(p, s->inner) + s->carried[1];
    for (;;) {
        s->end = gw_region_end(p, r);
        s->update = gw_operand(p, s->end, s->place);
        const gw_op op = gw_value_at(p, s->update)->op;
        if (!op || gw_op_at(p, op)->parent != r) return false;
        if (gw_op_at(p, op)->code == GW_OP_MUL)
            return (gw_operand(p, op, 0) == arg) != (gw_operand(p, op, 1) == arg);
        if (gw_op_at(p, op)->code != GW_OP_IF) return false;
        s->place = gw_value_at(p, s->update)->index;
        const uint32_t side = gw_arm_value(p, op, 0, s->place) == arg ? 1 : 0;
        if (gw_arm_value(p, op, 1 - side, s->place) != arg) return false;
        r = gw_op_at(p, op)->region[side];
    }
}

/* What flag becomes where the update stands. */
static gw_value flag_there(const gw_func *p, const late *s, gw_value flag) {
    const gw_region r = gw_op_at(p, s->end)->parent;
    for (;;) {
        const gw_op op = gw_made_by(p, flag, GW_OP_IF);
        uint32_t side = 0;
        if (!op) return flag;
        while (side < 2 && !gw_region_inside(p, r, gw_op_at(p, op)->region[side])) side++;
        if (side == 2) return flag;
        flag = gw_arm_value(p, op, side, gw_value_at(p, flag)->index);
    }
}

/* The flag is that of a comparison of the update. */
static bool find_stop(const gw_func *p, late *s, uint32_t flag) {
    const gw_value arg = gw_loop_arg(p, s->inner, flag);
    gw_value is = flag_there(p, s, gw_loop_next(p, s->inner, flag));
    const gw_op choice = gw_made_by(p, is, GW_OP_IF);
    bool negated = false;
    int64_t c;
    if (choice) {
        const uint32_t k = gw_value_at(p, is)->index, side = gw_arm_value(p, choice, 0, k) == arg ? 1 : 0;
        if (gw_arm_value(p, choice, 1 - side, k) != arg) return false;
        if (!gw_const_int(p, gw_arm_value(p, choice, side, k), &c) || !c) return false;
        negated = side == 1;
        is = gw_operand(p, choice, 0);
    }
    s->test = gw_behind_not(p, is, &negated);
    s->stays = negated;
    const gw_op compares = gw_value_at(p, s->test)->op;
    return compares && gw_op_at(p, compares)->operands == 2 && gw_uses_value(p, compares, s->update);
}

/* Operand i of the op, which the number is, hands it on to a loop of the nest, or to the end of one. */
static bool only_handed(const gw_func *p, gw_op outer, const late *s, gw_value v);
static bool hands_on(const gw_func *p, gw_op outer, const late *s, gw_op op, uint32_t i) {
    if (op == s->inner) return i == gw_loop_first_init(p, op) + s->carried[GW_NEST_INNER];
    if (op == s->middle) return i == gw_loop_first_init(p, op) + s->carried[GW_NEST_MIDDLE];
    if (gw_op_at(p, op)->code != GW_OP_YIELD) return false;
    const gw_op around = gw_op_around(p, op);
    if (around == outer) return i == gw_loop_first_yield(p, outer) + s->carried[GW_NEST_OUTER];
    if (around == s->middle) return i == gw_loop_first_yield(p, around) + s->carried[GW_NEST_MIDDLE];
    return gw_op_at(p, around)->code == GW_OP_IF && only_handed(p, outer, s, gw_result(p, around, i));
}

/* What an iteration of a loop around the inner one starts from may be stored there: keep_number hands the
 * update to that. */
static bool is_stored(const gw_func *p, gw_op op, uint32_t i) {
    return gw_op_at(p, op)->code == GW_OP_STORE && i + 1 == gw_op_at(p, op)->operands;
}

/* Nobody else in the outer loop has the number, so nobody sees it once it has stopped. */
static bool only_handed(const gw_func *p, gw_op outer, const late *s, gw_value v) {
    for (gw_op op = 1; op < p->ops.count; op++)
        for (uint32_t i = 0; !gw_op_at(p, op)->dead && i < gw_op_at(p, op)->operands; i++)
            if (gw_operand(p, op, i) == v && !hands_on(p, outer, s, op, i) &&
                (gw_value_at(p, v)->op || !is_stored(p, op, i)))
                return false;
    return true;
}

static bool all_handed(const gw_func *p, gw_op outer, const late *s) {
    const uint32_t *k = s->carried;
    return only_handed(p, outer, s, gw_loop_arg(p, outer, k[GW_NEST_OUTER])) &&
           only_handed(p, outer, s, gw_result(p, s->inner, k[GW_NEST_INNER])) &&
           (!s->middle || (only_handed(p, outer, s, gw_loop_arg(p, s->middle, k[GW_NEST_MIDDLE])) &&
                           only_handed(p, outer, s, gw_result(p, s->middle, k[GW_NEST_MIDDLE]))));
}

static bool find_late(const gw_func *p, gw_op outer, gw_op middle, gw_op inner, late *s) {
    const gw_nest n = {.loop = {outer, inner, middle}};
    if (gw_op_at(p, inner)->code != GW_OP_WHILE) return false;
    for (uint32_t m = 0; m < gw_loop_carried(p, inner); m++) {
        *s = (late){.middle = middle, .inner = inner, .carried = {gw_nest_handed_as(p, &n, m), m}};
        if (s->carried[GW_NEST_OUTER] == GW_NEST_NONE) continue;
        if (!gw_type_is_float(gw_typeof(p, gw_loop_arg(p, inner, m)))) continue;
        s->carried[GW_NEST_MIDDLE] = gw_nest_handed_between(p, &n, s->carried[0]);
        if (!all_handed(p, outer, s) || !find_update(p, s)) continue;
        for (uint32_t f = 0; f < gw_loop_carried(p, inner); f++)
            if (gw_typeof(p, gw_loop_arg(p, inner, f)) == GW_T_BOOL &&
                gw_nest_handed_as(p, &n, f) != GW_NEST_NONE &&
                gw_invert_asks_for_false(p, inner, gw_loop_test(p, inner), f) && find_stop(p, s, f))
                return true;
    }
    return false;
}

/* Keeps the number where it stops. */
static void keep_number(gw_func *p, const late *s) {
    const gw_value sides[] = {s->stays ? s->update : gw_loop_arg(p, s->inner, s->carried[1]),
                              s->stays ? gw_loop_arg(p, s->inner, s->carried[1]) : s->update};
    gw_builder b = {p, gw_op_at(p, s->end)->parent, s->end, gw_op_at(p, gw_value_at(p, s->update)->op)->loc};
    const gw_op made = gw_emit(&b, GW_OP_IF, GW_T_VOID, 0, &s->test, 1);
    const gw_value kept = gw_op_add_result(p, made, gw_typeof(p, s->update), gw_value_at(p, s->update)->name);
    for (uint32_t i = 0; i < 2; i++) {
        gw_builder in = {p, gw_region_new(p, made), 0, b.loc};
        gw_yield(&in, &sides[i], 1);
    }
    gw_set_operand(p, s->end, s->place, kept);
}

/* Stores in the loop have what the number was multiplied to. */
static void store_update(gw_func *p, gw_op loop, uint32_t number) {
    const gw_region body = gw_loop_body(p, loop);
    const gw_value was = gw_loop_arg(p, loop, number);
    gw_value is;
    carried_numbers(p, loop, &is, 1);
    for (gw_op op = gw_first(p, body); op; op = gw_walk(p, op, body))
        for (uint32_t i = 0; i < gw_op_at(p, op)->operands; i++)
            if (gw_operand(p, op, i) == was && is_stored(p, op, i)) gw_set_operand(p, op, i, is);
}

/* The update goes through the branches around it, and the loops; the loop that was the outer one. */
static gw_op hand_update(gw_func *p, gw_op outer, const late *s) {
    gw_value now = s->update, started, start = gw_loop_init(p, outer, s->carried[0]);
    gw_op inner = s->inner;
    carry_inside(p, &outer, s->middle, &inner, &start, 1);
    store_update(p, outer, s->carried[GW_NEST_OUTER]);
    if (s->middle) store_update(p, gw_loop_around(p, inner), s->carried[GW_NEST_MIDDLE]);
    carried_numbers(p, inner, &started, 1);
    for (gw_region r = gw_op_at(p, s->end)->parent; r != gw_loop_body(p, inner);) {
        const gw_op branch = gw_region_at(p, r)->parent;
        const bool first = gw_op_at(p, branch)->region[0] == r;
        const gw_op made = gw_if_rebuild(p, branch, NULL, first ? &now : &started, first ? &started : &now, 1);
        now = gw_result(p, made, gw_op_at(p, made)->results - 1);
        r = gw_op_at(p, made)->parent;
    }
    yield_numbers(p, inner, &now, 1);
    hand_out(p, outer, inner, 1);
    const gw_value was = gw_result(p, outer, s->carried[0]),
                   is = gw_result(p, outer, gw_op_at(p, outer)->results - 1);
    gw_value_at(p, is)->name = gw_value_at(p, was)->name;
    gw_replace_uses(p, was, is);
    return outer;
}

/* `middle`: the loop in whose region that is, if it is not the outer one. */
static gw_op stop_before(gw_func *p, gw_op outer, gw_op middle, gw_region r) {
    late s;
    for (gw_op op = gw_first(p, r), next; op; op = next) {
        next = gw_next(p, op);
        const bool branch = gw_op_at(p, op)->code == GW_OP_IF, loop = gw_is_loop(p, op) && !middle;
        for (uint32_t i = 0; (branch || loop) && i < gw_op_at(p, op)->regions; i++) {
            const gw_op made = stop_before(p, outer, loop ? op : middle, gw_op_at(p, op)->region[i]);
            if (made != outer) return made;
        }
        if (!gw_is_loop(p, op) || !find_late(p, outer, middle, op, &s)) continue;
        keep_number(p, &s);
        return hand_update(p, outer, &s);
    }
    return outer;
}

/* ---- one outer loop ---- */
typedef struct view { /* what a request says of the function as it is now */
    gw_roles roles;
    gw_activity activity;
} view;

static void look(view *v, const gw_func *p, const gw_request *q) {
    gw_roles_find(&v->roles, p, q);
    gw_activity_new(&v->activity, p, &v->roles);
}

static void forget(view *v) {
    gw_activity_free(&v->activity);
    gw_roles_free(&v->roles);
}

static uint32_t count_nests(const gw_func *p, const gw_request *q) {
    uint32_t count = 0;
    view v;
    gw_nest n;
    look(&v, p, q);
    for (gw_op op = 1; op < p->ops.count; op++)
        if (!gw_op_at(p, op)->dead && gw_is_loop(p, op)) count += gw_nest_find(p, &v.activity, op, &n);
    forget(&v);
    return count;
}

/* Loops in region r that are left by a flag, or go through bits, behind branches and in one loop only. */
static void mend_loops(gw_func *p, gw_region r, bool between) {
    for (gw_op op = gw_first(p, r), next; op; op = next) {
        next = gw_next(p, op);
        const bool branch = gw_op_at(p, op)->code == GW_OP_IF, loop = gw_is_loop(p, op);
        for (uint32_t i = 0; (branch || (loop && !between)) && i < gw_op_at(p, op)->regions; i++)
            mend_loops(p, gw_op_at(p, op)->region[i], between || loop);
        if (loop && !gw_has_loop(p, gw_loop_body(p, op)))
            gw_nest_unbroken(p, gw_nest_bits(p, gw_nest_asked(p, op)));
    }
}

gw_op gw_nest_form(gw_func *p, gw_op outer) {
    if (gw_op_at(p, outer)->code == GW_OP_WHILE) outer = gw_nest_counted(p, gw_nest_asked(p, outer));
    if (outer) outer = gw_nest_flags(p, outer);
    if (outer) mend_loops(p, gw_loop_body(p, outer), false);
    return outer ? stop_before(p, outer, 0, gw_loop_body(p, outer)) : 0;
}

/* The loop may have become the outer one of a nest. */
static bool shape(gw_func *p, const gw_request *q, gw_op outer) {
    view v;
    gw_nest n;
    outer = gw_nest_form(p, outer);
    if (!outer) return false;
    look(&v, p, q);
    bool numbered = gw_nest_find(p, &v.activity, outer, &n),
         fits = numbered || gw_nest_fits(p, &v.activity, outer, &n);
    if (fits && !numbered) add_numbers(p, &v.activity, &n);
    forget(&v);
    return fits;
}

static bool try_shape(gw_func *p, const gw_request *q, gw_op outer, uint32_t nests) {
    gw_func *copy = gw_func_copy(p);
    bool gained = shape(copy, q, outer) && count_nests(copy, q) > nests;
    gained = gained && gw_takes(p->session, GW_OPTIONAL_NEST_SHAPES);
    if (gained) gw_func_take(p, copy);
    gw_func_free(copy);
    return gained;
}

void gw_shape_nests(gw_func *p, const gw_request *q) {
    if (p->kind != GW_FUNC_KERNEL) return;
    uint32_t nests = UINT32_MAX; /* not counted yet */
    for (gw_op op = 1; op < p->ops.count; op++) {
        if (gw_op_at(p, op)->dead || !gw_is_loop(p, op) || !gw_has_loop(p, gw_loop_body(p, op))) continue;
        if (nests == UINT32_MAX) nests = count_nests(p, q);
        nests += try_shape(p, q, op, nests);
    }
}
