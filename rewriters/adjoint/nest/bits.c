/*
 * bits.c - loops over the bits that are set in a word, as loops over all of its bits (called by
 * shape.c).
 *
 *     unsigned left = word;                                 for (int j = 0; !done && j < 32; j++) {
 *     while (!done && left != 0) {               becomes        if (!(word >> j & 1)) continue;
 *         int j = __ffs(left) - 1;                              ...
 *         left &= left - 1;                                 }
 *         ...
 *     }
 *
 * The bits come in the same order: the lowest that is left is the next one up. An iteration whose bit is not
 * set leaves all that the loop carries as it was, so the rest of the condition, which is pure, is what it was
 * when it was asked last, and true; it is a part of a conjunction, so it does not matter that the other one
 * is still true where no bit is left. Lanes do nothing together in the loop: their iterations would meet in
 * another way. Nobody else knows which bits are left, in the loop or behind it. What is gained: an
 * iteration's number says which bit it has, so that the reverse need not know how many are set in what came
 * before (nest.c).
 */
#include "rewriters/adjoint/nest/nest_private.h"

#include <stdlib.h>

typedef struct bits {
    uint32_t index;      /* of what is left, as a carried value */
    gw_value word, left; /* at first; at the start of an iteration */
    gw_op asks;          /* whether any is left, in the condition */
    gw_op drops;         /* the lowest of them */
} bits;

static bool same_width(const gw_func *p, gw_op op) {
    const gw_type from = gw_typeof(p, gw_operand(p, op, 0)), to = gw_typeof(p, gw_result(p, op, 0));
    return gw_type_is_integer(to) && gw_type_bits(from) == gw_type_bits(to);
}

/* v is x & (x - 1). */
static bool drops_lowest(const gw_func *p, gw_value v, gw_value x) {
    const gw_op both = gw_made_by(p, v, GW_OP_AND);
    int64_t one;
    for (uint32_t i = 0; both && i < 2; i++) {
        const gw_op less = gw_made_by(p, gw_operand(p, both, i), GW_OP_SUB);
        if (gw_operand(p, both, 1 - i) == x && less && gw_operand(p, less, 0) == x &&
            gw_const_int(p, gw_operand(p, less, 1), &one) && one == 1)
            return gw_count_uses(p, gw_result(p, less, 0)) == 1;
    }
    return false;
}

/* All that the body knows of v, which is what is left, is where its lowest bit is, and what `drops` makes of
 * it. */
static bool only_lowest(const gw_func *p, const bits *b, gw_region body, gw_value v) {
    for (gw_op op = gw_first(p, body); op; op = gw_walk(p, op, body)) {
        const gw_op_data *o = gw_op_at(p, op);
        bool uses = false;
        for (uint32_t i = 0; i < o->operands; i++) uses |= gw_operand(p, op, i) == v;
        if (!uses || op == b->drops || o->code == GW_OP_FFS) continue;
        if (o->code == GW_OP_SUB && gw_uses_value(p, b->drops, gw_result(p, op, 0))) continue;
        if (o->code != GW_OP_CAST || !same_width(p, op) || !only_lowest(p, b, body, gw_result(p, op, 0)))
            return false;
    }
    return true;
}

/* v of the condition, a conjunction, asks whether x has any bit, and asks for x in no other place. */
static gw_op asks_for_any(const gw_func *p, gw_value v, gw_value x) {
    const gw_op op = gw_value_at(p, v)->op;
    int64_t none;
    if (!op) return 0;
    const gw_op_data *o = gw_op_at(p, op);
    if (o->code == GW_OP_AND && o->parent == gw_value_region(p, x)) {
        const gw_op first = asks_for_any(p, gw_operand(p, op, 0), x);
        return first ? first : asks_for_any(p, gw_operand(p, op, 1), x);
    }
    const bool cast = o->code == GW_OP_CAST && gw_typeof(p, v) == GW_T_BOOL;
    const bool differs = o->code == GW_OP_NE && gw_const_int(p, gw_operand(p, op, 1), &none) && none == 0;
    return (cast || differs) && gw_operand(p, op, 0) == x && gw_count_uses(p, x) == 1 &&
                   gw_count_uses(p, v) == 1
               ? op
               : 0;
}

static bool find_bits(const gw_func *p, gw_op loop, bits *b) {
    const gw_region body = gw_loop_body(p, loop), test = gw_op_at(p, loop)->region[0];
    if (gw_op_at(p, loop)->code != GW_OP_WHILE || !gw_is_pure_but(p, test, 0)) return false;
    if (gw_is_joint(p, loop)) return false;
    for (uint32_t i = 0; i < gw_loop_carried(p, loop); i++) {
        const gw_value left = gw_loop_arg(p, loop, i), next = gw_loop_next(p, loop, i);
        const gw_type type = gw_typeof(p, left);
        if (!gw_type_is_integer(type) || type == GW_T_BOOL || gw_type_bits(type) < 32) continue;
        if (!drops_lowest(p, next, left) || gw_count_uses(p, next) != 1 ||
            gw_count_uses(p, gw_result(p, loop, i)))
            continue;
        *b = (bits){i, gw_loop_init(p, loop, i), left, 0, gw_value_at(p, next)->op};
        b->asks = asks_for_any(p, gw_yielded(p, test, 0), gw_arg(p, test, i));
        if (b->asks && only_lowest(p, b, body, left)) return true;
    }
    return false;
}

/* The place of the lowest bit is the number of the iteration, from 1. Nobody asks for what is left any more,
 * but what is dead. */
static void number_bits(gw_func *p, gw_op loop, const bits *b, gw_value number) {
    const gw_region body = gw_loop_body(p, loop);
    gw_value_map map = {0};
    for (gw_op op = gw_first(p, body), next; op; op = next) {
        next = gw_walk(p, op, body);
        if (gw_op_at(p, op)->code != GW_OP_FFS) continue;
        if (gw_behind_casts(p, gw_operand(p, op, 0)) != b->left) continue;
        gw_builder at = {p, gw_op_at(p, op)->parent, op, gw_op_at(p, op)->loc};
        gw_value place = gw_binary(&at, GW_OP_ADD, number, gw_int(&at, GW_T_I32, 1));
        gw_map_set(&map, gw_result(p, op, 0), gw_cast(&at, gw_typeof(p, gw_result(p, op, 0)), place));
    }
    gw_replace_many(p, &map);
    gw_map_free(&map);
    for (gw_op op = gw_first(p, body); op; op = gw_walk(p, op, body))
        for (uint32_t i = 0; i < gw_op_at(p, op)->operands; i++)
            if (gw_operand(p, op, i) == b->left) gw_set_operand(p, op, i, b->word);
}

/* All of the body in a branch that asks for the bit of the iteration, which is the last carried value. */
static void ask_for_bit(gw_func *p, gw_op loop, const bits *b, gw_value number) {
    const gw_region body = gw_loop_body(p, loop);
    const gw_loc loc = gw_op_at(p, loop)->loc;
    const bool exits = gw_op_at(p, loop)->flags & GW_OP_EXIT;
    const gw_type type = gw_typeof(p, b->word);
    gw_value_list sides[2] = {{0}, {0}}, all = {0};
    const gw_op end = gw_region_end(p, body);
    const uint32_t lead = gw_loop_first_yield(p, loop), last = gw_op_at(p, end)->operands - 1;
    gw_builder at = {p, body, gw_first(p, body), loc};
    const gw_op first = at.before;
    gw_value bit = gw_binary(&at, GW_OP_SHR, b->word, number);
    bit = gw_binary(&at, GW_OP_AND, bit, gw_int(&at, type, 1));
    bit = gw_binary(&at, GW_OP_NE, bit, gw_int(&at, type, 0));
    bit = gw_joined(&at, GW_OP_AND, bit, gw_nest_vote(p, &at, b->word, number));
    gw_value no = exits ? gw_int(&at, GW_T_BOOL, 0) : 0;
    const gw_op branch = gw_emit(&at, GW_OP_IF, GW_T_VOID, 0, &bit, 1);
    for (uint32_t i = 0; i < gw_op_at(p, end)->operands; i++) {
        const gw_value v = gw_operand(p, end, i);
        if (i == last || i == lead + b->index) {
            gw_push(&all, i == last ? number : b->left);
            continue;
        }
        gw_push(&sides[0], v);
        gw_push(&sides[1], i < lead ? no : gw_loop_arg(p, loop, i - lead));
        gw_push(&all, gw_op_add_result(p, branch, gw_typeof(p, v), gw_value_at(p, v)->name));
    }
    for (uint32_t side = 0; side < 2; side++) {
        gw_builder in = {p, gw_region_new(p, branch), 0, loc};
        for (gw_op op = first, next; side == 0 && op != end; op = next) {
            next = gw_next(p, op);
            gw_op_move(p, op, in.region, 0);
        }
        gw_yield(&in, sides[side].at, sides[side].count);
        gw_vec_free(&sides[side]);
    }
    gw_op_set_operands(p, end, all.at, all.count);
    gw_vec_free(&all);
}

gw_op gw_nest_bits(gw_func *p, gw_op loop) {
    bits b;
    if (!find_bits(p, loop, &b)) return loop;
    gw_builder before = {p, gw_op_at(p, loop)->parent, loop, gw_op_at(p, loop)->loc};
    gw_value zero = gw_int(&before, GW_T_I32, 0), one = gw_int(&before, GW_T_I32, 1),
             width = gw_int(&before, GW_T_I32, (int64_t)gw_type_bits(gw_typeof(p, b.word)));
    const uint32_t last = gw_loop_carried(p, loop);
    loop = gw_loop_rebuild(p, loop, NULL, &zero, 1);
    b.left = gw_loop_arg(p, loop, b.index);
    const gw_region test = gw_op_at(p, loop)->region[0];
    gw_value number = gw_loop_arg(p, loop, last);
    gw_value_at(p, number)->name = gw_intern(p->session, "bit");
    number_bits(p, loop, &b, number);
    ask_for_bit(p, loop, &b, number);
    const gw_op end = gw_region_end(p, gw_loop_body(p, loop));
    gw_builder at = {p, gw_op_at(p, end)->parent, end, before.loc};
    gw_set_operand(p, end, gw_loop_first_yield(p, loop) + last,
                   gw_binary(&at, GW_OP_ADD, number, one));
    gw_builder asks = {p, test, b.asks, before.loc};
    gw_value_map map = {0};
    gw_map_set(&map, gw_result(p, b.asks, 0), gw_binary(&asks, GW_OP_LT, gw_arg(p, test, last), width));
    gw_replace_many(p, &map);
    gw_map_free(&map);
    gw_op_remove(p, b.asks);
    bool *keep = gw_alloc(last + 1);
    for (uint32_t i = 0; i <= last; i++) keep[i] = i != b.index;
    loop = gw_loop_rebuild(p, loop, keep, NULL, 0);
    free(keep);
    return loop;
}
