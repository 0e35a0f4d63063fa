/*
 * loops.c - loops of the primal that are written in another way than nest.c takes them (called by
 * shape.c).
 *
 * A while that counts, `while (b < n && rest) { ...; b += step; }`, becomes `for (; b < n; b += step) { if
 * (!rest) break; ... }`. That is the same: the conditions are pure, so it does not matter which is asked first,
 * and the for asks them in front of each iteration, too. b < n is asked of the loop's own index, which starts
 * at b's start and advances by b's step; where the body leaves the loop before b has advanced, it is not asked
 * again. b itself is still carried if somebody reads it behind the loop.
 *
 * A break whose flag says that it was taken, `{ done = true; break; }`, is no break if the condition asks for
 * `!done`: the carried values are what they were at the break, and the condition, which is pure, ends the loop
 * then. Where it does not ask, it may be made to if `done` is false whenever the loop is come to, because it is
 * only set by the break: then it is false at the start of each iteration. A counter that the break left where
 * it was may advance: nobody reads it but that condition, and another iteration.
 */
#include "rewriters/adjoint/nest/nest_private.h"

#include <stdlib.h>

/* ---- a while that counts ---- */
typedef struct counting {
    gw_op compare;
    uint32_t index; /* of the carried value that is compared */
    gw_value rest;  /* in the condition's region, 0 = none */
    gw_value step;
} counting;

static bool is_counter(const gw_func *p, gw_op loop, gw_value v, counting *c) {
    gw_op op = gw_value_at(p, v)->op;
    gw_region test = gw_op_at(p, loop)->region[0];
    bool down;
    if (!op || (gw_op_at(p, op)->code != GW_OP_LT && gw_op_at(p, op)->code != GW_OP_LE)) return false;
    gw_value counter = gw_operand(p, op, 0);
    if (gw_value_at(p, counter)->op || gw_value_region(p, counter) != test) return false;
    c->compare = op;
    c->index = gw_value_at(p, counter)->index;
    return gw_value_visible(p, gw_operand(p, op, 1), gw_op_at(p, loop)->parent) &&
           gw_loop_is_induction(p, loop, c->index, &c->step, &down) && !down;
}

static bool counts(const gw_func *p, gw_op loop, counting *c) {
    gw_region test = gw_op_at(p, loop)->region[0];
    gw_value go_on = gw_yielded(p, test, 0);
    gw_op both = gw_value_at(p, go_on)->op;
    *c = (counting){0};
    if (!gw_is_pure_but(p, test, 0)) return false;
    if (is_counter(p, loop, go_on, c)) return true;
    for (uint32_t side = 0; both && gw_op_at(p, both)->code == GW_OP_AND && side < 2; side++) {
        c->rest = gw_operand(p, both, 1 - side);
        if (is_counter(p, loop, gw_operand(p, both, side), c)) return true;
    }
    return false;
}

static bool is_read(const gw_func *p, gw_value v) {
    for (gw_op op = 1; op < p->ops.count; op++)
        for (uint32_t i = 0; !gw_op_at(p, op)->dead && i < gw_op_at(p, op)->operands; i++)
            if (gw_operand(p, op, i) == v) return true;
    return false;
}

static void add_results(gw_func *p, gw_op made, gw_op like) {
    for (uint32_t i = 0; i < gw_op_at(p, like)->results; i++) {
        const gw_value_data d = *gw_value_at(p, gw_result(p, like, i));
        gw_op_add_result(p, made, d.type, d.name);
    }
}

/* The body of the while, under the rest of its condition, in that of the for. */
static void fill_body(gw_func *p, gw_op loop, gw_op made, const counting *c) {
    gw_region test = gw_op_at(p, loop)->region[0], old = gw_op_at(p, loop)->region[1],
              body = gw_op_at(p, made)->region[0];
    gw_builder before = {p, gw_op_at(p, made)->parent, made, gw_op_at(p, made)->loc},
               in = {p, body, 0, gw_op_at(p, made)->loc};
    bool exits = gw_op_at(p, loop)->flags & GW_OP_EXIT;
    uint32_t carried = gw_op_at(p, loop)->results;
    if (!c->rest) {
        gw_move_ops(p, old, body);
        return;
    }
    gw_value left = gw_int(&before, GW_T_BOOL, 1), stays = gw_int(&before, GW_T_BOOL, 0);
    gw_op_remove(p, gw_region_end(p, test));
    gw_move_ops(p, test, body);
    gw_op branch = gw_emit(&in, GW_OP_IF, GW_T_VOID, 0, &c->rest, 1);
    gw_op_add_result(p, branch, GW_T_BOOL, gw_intern(p->session, "stopped"));
    add_results(p, branch, loop);
    gw_region on = gw_region_new(p, branch), off = gw_region_new(p, branch);
    GW_VEC(gw_value) yields = {0};
    gw_move_ops(p, old, on);
    gw_op end = gw_region_end(p, on);
    if (!exits) gw_push(&yields, stays);
    for (uint32_t i = 0; i < gw_op_at(p, end)->operands; i++) gw_push(&yields, gw_operand(p, end, i));
    gw_op_set_operands(p, end, yields.at, yields.count);
    yields.count = 0;
    gw_push(&yields, left);
    for (uint32_t i = 0; i < carried; i++) gw_push(&yields, gw_arg(p, test, i));
    gw_yield(&(gw_builder){p, off, 0, in.loc}, yields.at, yields.count);
    yields.count = 0;
    for (uint32_t i = 0; i <= carried; i++) gw_push(&yields, gw_result(p, branch, i));
    gw_yield(&in, yields.at, yields.count);
    gw_vec_free(&yields);
}

static gw_op make_for(gw_func *p, gw_op loop, const counting *c) {
    const gw_op_data old = *gw_op_at(p, loop);
    gw_builder b = {p, old.parent, loop, old.loc};
    GW_VEC(gw_value) operands = {0};
    gw_push(&operands, gw_operand(p, loop, c->index));
    gw_push(&operands, gw_operand(p, c->compare, 1));
    gw_push(&operands, c->step);
    for (uint32_t i = 0; i < old.results; i++) gw_push(&operands, gw_operand(p, loop, i));
    gw_op made = gw_emit(&b, GW_OP_FOR, GW_T_VOID, 0, operands.at, operands.count);
    gw_vec_free(&operands);
    gw_op_data *o = gw_op_at(p, made);
    o->attr = gw_op_at(p, c->compare)->code;
    o->flags = (uint16_t)(old.flags | (c->rest ? GW_OP_EXIT : 0));
    o->imm = old.imm;
    add_results(p, made, loop);
    gw_region body = gw_region_new(p, made);
    const gw_value_data counter = *gw_value_at(p, gw_result(p, loop, c->index));
    gw_region_arg(p, body, counter.type, counter.name);
    for (uint32_t i = 0; i < old.results; i++) {
        const gw_value_data d = *gw_value_at(p, gw_result(p, loop, i));
        gw_region_arg(p, body, d.type, d.name);
    }
    return made;
}

gw_op gw_nest_counted(gw_func *p, gw_op loop) {
    counting c;
    if (!counts(p, loop, &c)) return 0;
    bool read = is_read(p, gw_result(p, loop, c.index));
    gw_op made = make_for(p, loop, &c);
    gw_region body = gw_op_at(p, made)->region[0];
    gw_value_map map = {0};
    uint32_t carried = gw_op_at(p, loop)->results;
    for (uint32_t i = 0; i < carried; i++) {
        gw_value now = gw_arg(p, body, i == c.index && !read ? 0 : 1 + i);
        for (uint32_t k = 0; k < 2; k++) gw_map_set(&map, gw_arg(p, gw_op_at(p, loop)->region[k], i), now);
        gw_map_set(&map, gw_result(p, loop, i), gw_result(p, made, i));
    }
    fill_body(p, loop, made, &c);
    gw_op_remove(p, loop);
    gw_replace_many(p, &map);
    gw_map_free(&map);
    if (read) return made;
    bool *keep = gw_alloc(carried + 1);
    for (uint32_t i = 0; i < carried; i++) keep[i] = i != c.index;
    made = gw_loop_rebuild(p, made, keep, NULL, 0);
    free(keep);
    return made;
}

/* ---- a break that a flag tells ---- */

/* What is known of the bool: a value, or which. */
typedef struct truth {
    gw_value v;
    bool known, is;
} truth;

static truth truth_of(const gw_func *p, gw_value v) {
    int64_t c;
    bool known = gw_const_int(p, v, &c);
    return (truth){v, known, known && c != 0};
}

/* On that side of the branch. */
static truth truth_in(const gw_func *p, truth t, gw_op branch, uint32_t side) {
    bool negated = false, other = false;
    if (t.known) return t;
    if (gw_value_at(p, t.v)->op == branch)
        return truth_of(p, gw_arm_value(p, branch, side, gw_value_at(p, t.v)->index));
    if (gw_behind_not(p, t.v, &other) != gw_behind_not(p, gw_operand(p, branch, 0), &negated)) return t;
    return (truth){t.v, true, (side == 0) != (negated != other)};
}

/* If the flag was false (`was`), it becomes what `stop` is. */
static bool tells(const gw_func *p, truth stop, gw_value next, gw_value was) {
    truth becomes = truth_of(p, next);
    if (next == was) becomes = (truth){next, true, false};
    if (stop.v == next || (stop.known && becomes.known)) return stop.v == next || stop.is == becomes.is;
    gw_op branch = gw_made_by(p, next, GW_OP_IF);
    if (!branch) return false;
    for (uint32_t side = 0; side < 2; side++)
        if (!tells(p, truth_in(p, stop, branch, side),
                   gw_arm_value(p, branch, side, gw_value_at(p, next)->index), was))
            return false;
    return true;
}

static bool is_false_in(const gw_func *p, gw_value v, gw_region r) {
    truth t = truth_of(p, v);
    for (gw_op op; !t.known && (op = gw_region_at(p, r)->parent) != 0; r = gw_op_at(p, op)->parent)
        if (gw_op_at(p, op)->code == GW_OP_IF && gw_value_at(p, v)->op != op)
            t = truth_in(p, t, op, gw_op_at(p, op)->region[0] == r ? 0 : 1);
    return t.known && !t.is;
}

gw_op gw_nest_as_while(gw_func *p, gw_op loop) {
    const gw_op_data old = *gw_op_at(p, loop);
    gw_builder b = {p, old.parent, loop, old.loc};
    gw_value start = gw_operand(p, loop, 0), bound = gw_operand(p, loop, 1), step = gw_operand(p, loop, 2);
    GW_VEC(gw_value) values = {0};
    for (uint32_t i = 0; i < old.results; i++) gw_push(&values, gw_operand(p, loop, 3 + i));
    gw_push(&values, start);
    gw_op made = gw_emit(&b, GW_OP_WHILE, GW_T_VOID, 0, values.at, values.count);
    gw_op_at(p, made)->flags = old.flags;
    gw_op_at(p, made)->imm = old.imm;
    add_results(p, made, loop);
    gw_value index = gw_arg(p, old.region[0], 0);
    gw_str name = gw_value_at(p, index)->name;
    gw_op_add_result(p, made, gw_typeof(p, start), name);
    gw_value_map map = {0};
    for (uint32_t k = 0; k < 2; k++) {
        gw_region r = gw_region_new(p, made);
        for (uint32_t i = 0; i <= old.results; i++) {
            const gw_value_data d = *gw_value_at(p, gw_result(p, made, i));
            gw_region_arg(p, r, d.type, d.name);
        }
    }
    gw_region test = gw_op_at(p, made)->region[0], body = gw_op_at(p, made)->region[1];
    for (uint32_t i = 0; i < old.results; i++) {
        gw_map_set(&map, gw_arg(p, old.region[0], 1 + i), gw_arg(p, body, i));
        gw_map_set(&map, gw_result(p, loop, i), gw_result(p, made, i));
    }
    gw_map_set(&map, index, gw_arg(p, body, old.results));
    gw_builder in = {p, test, 0, old.loc};
    gw_value go_on = gw_binary(&in, (gw_opcode)old.attr, gw_arg(p, test, old.results), bound);
    gw_yield(&in, &go_on, 1);
    gw_move_ops(p, old.region[0], body);
    gw_op end = gw_region_end(p, body);
    gw_value next =
        gw_binary(&(gw_builder){p, body, end, old.loc}, GW_OP_ADD, gw_arg(p, body, old.results), step);
    gw_value_at(p, next)->name = name;
    values.count = 0;
    for (uint32_t i = 0; i < gw_op_at(p, end)->operands; i++) gw_push(&values, gw_operand(p, end, i));
    gw_push(&values, next);
    gw_op_set_operands(p, end, values.at, values.count);
    gw_vec_free(&values);
    gw_op_remove(p, loop);
    gw_replace_many(p, &map);
    gw_map_free(&map);
    return made;
}

/* Counters that the break left where they were advance there, too. */
static bool advance_counters(gw_func *p, gw_op loop) {
    gw_region body = gw_loop_body(p, loop);
    gw_op end = gw_region_end(p, body);
    for (uint32_t i = 0; i < gw_loop_carried(p, loop); i++) {
        gw_value step, arg = gw_arg(p, body, i), next = gw_operand(p, end, 1 + i);
        bool down;
        if (!gw_loop_is_induction(p, loop, i, &step, &down) || gw_carried_on(p, loop, i) == next) continue;
        if (is_read(p, gw_result(p, loop, i))) return false;
        gw_value on = gw_binary(&(gw_builder){p, body, end, gw_op_at(p, loop)->loc},
                                down ? GW_OP_SUB : GW_OP_ADD, arg, step);
        gw_value_at(p, on)->name = gw_value_at(p, arg)->name;
        gw_set_operand(p, end, 1 + i, on);
    }
    return true;
}

void gw_nest_drop_exit(gw_func *p, gw_op loop) {
    gw_op end = gw_region_end(p, gw_loop_body(p, loop));
    GW_VEC(gw_value) yields = {0};
    for (uint32_t i = 1; i < gw_op_at(p, end)->operands; i++) gw_push(&yields, gw_operand(p, end, i));
    gw_op_set_operands(p, end, yields.at, yields.count);
    gw_vec_free(&yields);
    gw_op_at(p, loop)->flags &= (uint16_t)~GW_OP_EXIT;
}

static void ask_for_flag(gw_func *p, gw_op loop, uint32_t i) {
    gw_region test = gw_op_at(p, loop)->region[0];
    gw_op end = gw_region_end(p, test);
    gw_builder b = {p, test, end, gw_op_at(p, loop)->loc};
    gw_value asks = gw_unary(&b, GW_OP_NOT, gw_arg(p, test, i));
    gw_set_operand(p, end, 0, gw_binary(&b, GW_OP_AND, asks, gw_operand(p, end, 0)));
}

bool gw_nest_unbroken(gw_func *p, gw_op loop) {
    if (!(gw_op_at(p, loop)->flags & GW_OP_EXIT)) return true;
    if (gw_op_at(p, loop)->code == GW_OP_FOR) loop = gw_nest_as_while(p, loop);
    if (!gw_is_pure_but(p, gw_op_at(p, loop)->region[0], 0)) return false;
    gw_region body = gw_loop_body(p, loop);
    gw_op end = gw_region_end(p, body);
    for (uint32_t i = 0; i < gw_loop_carried(p, loop); i++) {
        if (gw_typeof(p, gw_arg(p, body, i)) != GW_T_BOOL) continue;
        if (!tells(p, truth_of(p, gw_operand(p, end, 0)), gw_operand(p, end, 1 + i), gw_arg(p, body, i)))
            continue;
        bool asks = gw_invert_asks_for_false(p, loop, gw_loop_test(p, loop), i);
        if (!asks && !is_false_in(p, gw_operand(p, loop, i), gw_op_at(p, loop)->parent)) continue;
        if (!advance_counters(p, loop)) return false;
        gw_nest_drop_exit(p, loop);
        if (!asks) ask_for_flag(p, loop, i);
        return true;
    }
    return false;
}
