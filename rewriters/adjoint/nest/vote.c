/*
 * vote.c - what follows from a bit of a vote (called by bits.c).
 *
 *     unsigned word = __ballot_sync(mask, base + lane < end && ...);
 *
 * Bit j is set if the condition was true in lane j of the warp. What it is made of is the same in all lanes,
 * but for the number of the lane: so where bit j is set, base + j < end. Each part of a conjunction follows
 * that is a comparison of such integers. A lane's number is that of the thread in its block, whatever the
 * block's lengths are, modulo 32.
 */
#include "analysis/ir/warp.h"
#include "rewriters/adjoint/nest/nest_private.h"

enum { LANES = 32, DEPTH = 12 };

typedef struct vote {
    gw_func *p;
    gw_builder *at;
    const gw_uniform *u;
    gw_value lane;
} vote;

/* v is less than the number of lanes, of a number of a thread in its block: the number of its lane. */
static bool is_lane(const gw_func *p, gw_value v) {
    const gw_op op = gw_value_at(p, v)->op;
    int64_t c;
    if (!op || gw_op_at(p, op)->operands != 2 || !gw_const_int(p, gw_operand(p, op, 1), &c)) return false;
    const bool sign = gw_type_is_signed(gw_typeof(p, v));
    const bool rest = gw_op_at(p, op)->code == GW_OP_REM && c == LANES && !sign,
               masked = gw_op_at(p, op)->code == GW_OP_AND && c == LANES - 1;
    return (rest || masked) && gw_is_thread_number(p, gw_operand(p, op, 0));
}

static gw_op vote_of(const gw_func *p, gw_value word) {
    for (;;) {
        const gw_op op = gw_value_at(p, word)->op;
        if (!op) return 0;
        const gw_op_data *o = gw_op_at(p, op);
        if (o->code == GW_OP_WARP) return o->attr == GW_WARP_BALLOT ? op : 0;
        const bool same = o->code == GW_OP_CAST && gw_type_bits(gw_typeof(p, gw_operand(p, op, 0))) == LANES;
        if (!same) return 0;
        word = gw_operand(p, op, 0);
    }
}

/* What v is in that lane; 0: nobody knows. */
static gw_value in_lane(const vote *s, gw_value v, uint32_t depth) {
    gw_func *p = s->p;
    const gw_op op = gw_value_at(p, v)->op;
    if (is_lane(p, v)) return gw_cast(s->at, gw_typeof(p, v), s->lane);
    if (s->u->value[v] <= GW_UNIFORM_WARP && gw_value_visible(p, v, s->at->region)) return v;
    if (!op || depth == DEPTH || gw_op_at(p, op)->regions ||
        gw_op_rows[gw_op_at(p, op)->code].effect != GW_EFFECT_PURE)
        return 0;
    gw_cloner c = {.from = p, .to = s->at};
    gw_value made = 0;
    bool known = gw_op_at(p, op)->operands > 0;
    for (uint32_t i = 0; known && i < gw_op_at(p, op)->operands; i++) {
        const gw_value is = in_lane(s, gw_operand(p, op, i), depth + 1);
        known = is != 0;
        if (known) gw_map_set(&c.values, gw_operand(p, op, i), is);
    }
    if (known) made = gw_result(p, gw_clone_op(&c, op), gw_value_at(p, v)->index);
    gw_map_free(&c.values);
    return made;
}

static gw_value follows(const vote *s, gw_value v) {
    gw_func *p = s->p;
    const gw_op op = gw_value_at(p, v)->op;
    int64_t no;
    if (!op) return 0;
    switch (gw_op_at(p, op)->code) {
    case GW_OP_CAST: return follows(s, gw_operand(p, op, 0));
    case GW_OP_AND: {
        const gw_value first = follows(s, gw_operand(p, op, 0));
        return gw_joined(s->at, GW_OP_AND, first, follows(s, gw_operand(p, op, 1)));
    }
    case GW_OP_IF:
        return gw_const_int(p, gw_arm_value(p, op, 1, gw_value_at(p, v)->index), &no) && !no
                   ? follows(s, gw_operand(p, op, 0))
                   : 0;
    case GW_OP_LT:
    case GW_OP_LE:
    case GW_OP_GT:
    case GW_OP_GE: return gw_type_is_integer(gw_typeof(p, gw_operand(p, op, 0))) ? in_lane(s, v, 0) : 0;
    default: return 0;
    }
}

gw_value gw_nest_vote(gw_func *p, gw_builder *at, gw_value word, gw_value bit) {
    const gw_op op = vote_of(p, word);
    if (!op) return 0;
    gw_uniform u;
    gw_uniform_new(&u, p);
    const gw_value known = follows(&(vote){p, at, &u, bit}, gw_operand(p, op, 1));
    gw_uniform_free(&u);
    return known;
}
