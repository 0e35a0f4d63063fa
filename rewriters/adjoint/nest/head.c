/*
 * head.c - loops whose iterations begin by asking whether there is anything to do (called by
 * shape.c): the condition of the loop asks instead, which is the form in which nest.c takes them.
 *
 *     for (j = 0; j < n; j++) { if (done) continue; ...          becomes  for (j = 0; !done && j < n; j++) {
 *     while (true) { if (base >= end) break; ...; base += step;  becomes  while (base < end) { ...
 *
 *     while (!done && ++j < n) { ...                         becomes  for (; !done && j + 1 < n; ) { j++; ...
 *
 * (The front end writes such a condition, which changes something, into the body.) An iteration that only asks
 * leaves all that the loop carries as it was, if somebody reads it. If it leaves the loop, the condition, which
 * is pure and asks the same, ends it before. If it goes on, what it asked for is a carried bool that
 * stays what it was; so do all later iterations nothing, but to advance counters that nobody reads behind the
 * loop.
 */
#include "rewriters/adjoint/nest/nest_private.h"

typedef struct head {
    gw_op branch;
    uint32_t idle; /* the side on which the iteration does nothing */
} head;

static bool is_quiet(const gw_func *p, gw_op op) {
    const gw_op_data *o = gw_op_at(p, op);
    gw_effect effect = gw_op_rows[o->code].effect;
    return o->code == GW_OP_YIELD || (!o->regions && (effect == GW_EFFECT_PURE || effect == GW_EFFECT_READ));
}

/* A branch that chooses values and computes nothing but them, of what is there. */
static bool is_choice(const gw_func *p, gw_op op) {
    if (gw_op_at(p, op)->code != GW_OP_IF) return false;
    for (uint32_t side = 0; side < 2; side++) {
        gw_region r = gw_op_at(p, op)->region[side];
        for (gw_op in = gw_first(p, r); in; in = gw_next(p, in)) {
            gw_opcode code = (gw_opcode)gw_op_at(p, in)->code;
            bool pure = !gw_op_at(p, in)->regions && gw_op_rows[code].effect == GW_EFFECT_PURE;
            if (code != GW_OP_YIELD && !pure && !is_choice(p, in)) return false;
        }
    }
    return true;
}

static bool only_asks(const gw_func *p, gw_region r) {
    for (gw_op op = gw_first(p, r); op; op = gw_next(p, op))
        if (!is_quiet(p, op)) return false;
    return true;
}

static bool region_is_pure_of_start(const gw_func *p, gw_op loop, gw_op choice, gw_region r);

/* Made of what the iteration starts from by pure ops. */
static bool is_pure_of_start(const gw_func *p, gw_op loop, gw_value v) {
    gw_op op = gw_value_at(p, v)->op;
    if (gw_value_visible(p, v, gw_op_at(p, loop)->parent)) return true;
    if (!op) return gw_value_region(p, v) == gw_loop_body(p, loop);
    bool choice = is_choice(p, op);
    if (!choice && (gw_op_at(p, op)->regions || gw_op_rows[gw_op_at(p, op)->code].effect != GW_EFFECT_PURE))
        return false;
    for (uint32_t i = 0; i < gw_op_at(p, op)->operands; i++)
        if (!is_pure_of_start(p, loop, gw_operand(p, op, i))) return false;
    for (uint32_t side = 0; choice && side < 2; side++)
        if (!region_is_pure_of_start(p, loop, op, gw_op_at(p, op)->region[side])) return false;
    return true;
}

static bool region_is_pure_of_start(const gw_func *p, gw_op loop, gw_op choice, gw_region r) {
    for (gw_op op = gw_first(p, r); op; op = gw_walk(p, op, r))
        for (uint32_t i = 0; i < gw_op_at(p, op)->operands; i++)
            if (gw_value_visible(p, gw_operand(p, op, i), gw_op_at(p, choice)->parent) &&
                !is_pure_of_start(p, loop, gw_operand(p, op, i)))
                return false;
    return true;
}

/* What v, yielded by the body, is on a side of the branch. */
static gw_value on_side(const gw_func *p, gw_value v, const head *h, uint32_t side) {
    return gw_value_at(p, v)->op == h->branch ? gw_arm_value(p, h->branch, side, gw_value_at(p, v)->index) : v;
}

/* v is a constant there, or what the branch asks for: which one; false if it is neither. */
static bool is_known(const gw_func *p, gw_value v, const head *h, uint32_t side, bool *truth) {
    bool one = false, other = false;
    int64_t c;
    v = on_side(p, v, h, side);
    if (gw_const_int(p, v, &c)) {
        *truth = c != 0;
        return true;
    }
    *truth = side == 0;
    if (gw_behind_not(p, v, &one) != gw_behind_not(p, gw_operand(p, h->branch, 0), &other)) return false;
    *truth ^= one != other;
    return true;
}

/* What is carried on the idle side is what it was, or is known to be that. */
static bool stays(const gw_func *p, gw_value next, gw_value arg, const head *h) {
    bool was, is;
    if (on_side(p, next, h, h->idle) == arg) return true;
    return is_known(p, arg, h, h->idle, &was) && is_known(p, next, h, h->idle, &is) && was == is;
}

static bool is_idle(const gw_func *p, gw_op loop, const head *h) {
    bool exits = gw_op_at(p, loop)->flags & GW_OP_EXIT, negated = false, flag = false, left = false;
    gw_value asked = gw_behind_not(p, gw_operand(p, h->branch, 0), &negated), step;
    for (uint32_t i = 0; i < gw_loop_carried(p, loop); i++) {
        gw_value arg = gw_loop_arg(p, loop, i), next = gw_loop_next(p, loop, i);
        bool down, same = stays(p, next, arg, h);
        if (!same && ((!exits && !gw_loop_is_induction(p, loop, i, &step, &down)) ||
                      gw_count_uses(p, gw_result(p, loop, i))))
            return false;
        flag |= same && asked == arg;
    }
    if (!exits) return flag;
    return is_known(p, gw_yielded(p, gw_loop_body(p, loop), 0), h, h->idle, &left) && left;
}

static bool find_head(const gw_func *p, gw_op loop, head *h) {
    gw_region body = gw_loop_body(p, loop);
    gw_op op = gw_first(p, body);
    while (op && gw_op_at(p, op)->code != GW_OP_YIELD && (is_quiet(p, op) || is_choice(p, op)))
        op = gw_next(p, op);
    if (!op || gw_op_at(p, op)->code != GW_OP_IF) return false;
    if (!is_pure_of_start(p, loop, gw_operand(p, op, 0))) return false;
    for (gw_op behind = gw_next(p, op); behind; behind = gw_next(p, behind))
        if (!is_quiet(p, behind)) return false;
    for (uint32_t side = 0; side < 2; side++) {
        *h = (head){op, side};
        if (only_asks(p, gw_op_at(p, op)->region[side]) && is_idle(p, loop, h)) return true;
    }
    return false;
}

/* v of the body, in the condition. */
static gw_value ask(gw_func *p, gw_builder *b, gw_op loop, gw_value v) {
    gw_op op = gw_value_at(p, v)->op;
    if (gw_value_visible(p, v, gw_op_at(p, loop)->parent)) return v;
    if (!op) return gw_arg(p, gw_op_at(p, loop)->region[0], gw_value_at(p, v)->index);
    gw_cloner c = {.from = p, .to = b};
    for (uint32_t i = 0; i < gw_op_at(p, op)->operands; i++)
        gw_map_set(&c.values, gw_operand(p, op, i), ask(p, b, loop, gw_operand(p, op, i)));
    for (uint32_t side = 0; side < gw_op_at(p, op)->regions; side++) {
        gw_region r = gw_op_at(p, op)->region[side];
        for (gw_op in = gw_first(p, r); in; in = gw_walk(p, in, r))
            for (uint32_t i = 0; i < gw_op_at(p, in)->operands; i++)
                if (gw_value_visible(p, gw_operand(p, in, i), gw_op_at(p, op)->parent))
                    gw_map_set(&c.values, gw_operand(p, in, i), ask(p, b, loop, gw_operand(p, in, i)));
    }
    gw_clone_op(&c, op);
    gw_value made = gw_map_get(&c.values, v);
    gw_map_free(&c.values);
    return made;
}

/* Integers are in an order. */
static gw_value opposite(gw_func *p, gw_builder *b, gw_value v) {
    static const gw_opcode of[][2] = {
        {GW_OP_LT, GW_OP_GE}, {GW_OP_LE, GW_OP_GT}, {GW_OP_GT, GW_OP_LE}, {GW_OP_GE, GW_OP_LT}};
    gw_op op = gw_value_at(p, v)->op;
    for (size_t i = 0; op && i < sizeof of / sizeof *of; i++)
        if (gw_op_at(p, op)->code == of[i][0] && gw_type_is_integer(gw_typeof(p, gw_operand(p, op, 0))))
            return gw_binary(b, of[i][1], gw_operand(p, op, 0), gw_operand(p, op, 1));
    return gw_unary(b, GW_OP_NOT, v);
}

static void ask_in_condition(gw_func *p, gw_op loop, const head *h) {
    gw_region test = gw_op_at(p, loop)->region[0];
    gw_op end = gw_region_end(p, test);
    gw_builder b = {p, test, end, gw_op_at(p, loop)->loc};
    gw_value asked = ask(p, &b, loop, gw_operand(p, h->branch, 0)), before = gw_operand(p, end, 0);
    int64_t always;
    if (h->idle == 0) asked = opposite(p, &b, asked);
    bool alone = gw_const_int(p, before, &always) && always;
    gw_set_operand(p, end, 0, alone ? asked : gw_binary(&b, GW_OP_AND, asked, before));
}

/* The other side in the place of the branch. */
static void keep_other_side(gw_func *p, const head *h);

/* Branches that ask for a flag which the condition says is not set. */
static void drop_known(gw_func *p, gw_op loop) {
    gw_region body = gw_loop_body(p, loop);
    for (uint32_t i = 0; i < gw_loop_carried(p, loop); i++) {
        gw_value flag = gw_loop_arg(p, loop, i);
        if (gw_typeof(p, flag) != GW_T_BOOL || !gw_invert_asks_for_false(p, loop, gw_loop_test(p, loop), i))
            continue;
        for (gw_op op = gw_first(p, body), next; op; op = next) {
            next = gw_next(p, op);
            if (gw_op_at(p, op)->code != GW_OP_IF) continue;
            gw_nest_truth asked = gw_nest_truth_if(p, gw_operand(p, op, 0), flag, false);
            if (asked != GW_NEST_OPEN) keep_other_side(p, &(head){op, asked == GW_NEST_TRUE});
        }
    }
}

static void keep_other_side(gw_func *p, const head *h) {
    gw_region from = gw_op_at(p, h->branch)->region[1 - h->idle];
    gw_value_map map = {0};
    for (uint32_t i = 0; i < gw_op_at(p, h->branch)->results; i++)
        gw_map_set(&map, gw_result(p, h->branch, i), gw_arm_value(p, h->branch, 1 - h->idle, i));
    for (gw_op op = gw_first(p, from), next; op; op = next) {
        next = gw_next(p, op);
        if (gw_op_at(p, op)->code != GW_OP_YIELD) gw_op_move(p, op, gw_op_at(p, h->branch)->parent, h->branch);
    }
    gw_op_remove(p, h->branch);
    gw_replace_many(p, &map);
    gw_map_free(&map);
}

gw_op gw_nest_asked(gw_func *p, gw_op loop) {
    head h;
    bool left = true, exits = gw_op_at(p, loop)->flags & GW_OP_EXIT;
    if (!find_head(p, loop, &h)) return loop;
    if (gw_op_at(p, loop)->code == GW_OP_FOR) loop = gw_nest_as_while(p, loop);
    if (!only_asks(p, gw_op_at(p, loop)->region[0])) return loop;
    ask_in_condition(p, loop, &h);
    gw_value leaves = exits ? gw_yielded(p, gw_loop_body(p, loop), 0) : 0;
    bool stays_in = exits && is_known(p, leaves, &h, 1 - h.idle, &left) && !left;
    keep_other_side(p, &h);
    if (stays_in) gw_nest_drop_exit(p, loop);
    drop_known(p, loop);
    return loop;
}
