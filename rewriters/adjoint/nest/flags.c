/*
 * flags.c - flags that are numbers, as bools (called by shape.c).
 *
 *     unsigned done = 0;  ...  if (done & 1u << k) continue;  ...  done |= 1u << k;  ...  done != ALL && j < n
 *     int done = 0;       ...  if (done) continue;            ...  done = 1;         ...  !done && j < n
 *
 * An integer that both loops carry, and that changes by constants only that are put into it or set beside each
 * other, is so many bits. Both loops carry a bool for each bit that may change, and what is asked of the
 * integer is asked of them; bits that never change are those that it began with. The integer is carried on: if
 * nobody reads it any more it is dead. What the function computes stays as it is.
 */
#include "rewriters/adjoint/nest/nest_private.h"

#include <stdlib.h>

enum { BITS = 32 };

typedef struct bit {
    gw_value of, is;
    uint32_t number;
} bit;

typedef struct flags {
    gw_func *p;
    gw_op outer, inner;
    uint32_t carried[2]; /* the integer's index in both */
    uint32_t changing;   /* its bits that may change */
    uint32_t others;     /* that may be set and do not; all of them where it is not known */
    gw_value start, yes, no;
    GW_VEC(bit) known;
} flags;

/* ---- which bits ---- */
static bool constant(const gw_func *p, gw_value v, uint32_t *bits) {
    int64_t c;
    if (!gw_const_int(p, v, &c)) return false;
    *bits = (uint32_t)c;
    return true;
}

/* v = x | constant, or x & constant */
static bool with_constant(const gw_func *p, gw_value v, gw_opcode code, gw_value *x, uint32_t *bits) {
    gw_op op = gw_made_by(p, v, code);
    for (uint32_t i = 0; op && i < 2; i++) {
        *x = gw_operand(p, op, 1 - i);
        if (constant(p, gw_operand(p, op, i), bits)) return true;
    }
    return false;
}

/* v is the integer with bits set in it, or a constant (*put): which bits those are. */
static bool changes_by(const gw_func *p, gw_value v, gw_value arg, uint32_t *bits, bool *put) {
    uint32_t set;
    gw_value x;
    gw_op op = gw_made_by(p, v, GW_OP_IF);
    uint32_t k = gw_value_at(p, v)->index;
    if (v == arg) return true;
    if (constant(p, v, &set)) {
        *bits |= set;
        return *put = true;
    }
    if (with_constant(p, v, GW_OP_OR, &x, &set)) {
        *bits |= set;
        return changes_by(p, x, arg, bits, put);
    }
    return op && changes_by(p, gw_arm_value(p, op, 0, k), arg, bits, put) &&
           changes_by(p, gw_arm_value(p, op, 1, k), arg, bits, put);
}

/* Bits that may be set in v; all of them where nothing is known. */
static uint32_t possible(const gw_func *p, gw_value v) {
    uint32_t set;
    gw_op op = gw_value_at(p, v)->op;
    if (constant(p, v, &set)) return set;
    if (!op) return UINT32_MAX;
    switch (gw_op_at(p, op)->code) {
    case GW_OP_CAST:
        return gw_typeof(p, gw_operand(p, op, 0)) == GW_T_BOOL ? 1 : UINT32_MAX;
    case GW_OP_OR:
        return possible(p, gw_operand(p, op, 0)) | possible(p, gw_operand(p, op, 1));
    case GW_OP_SELECT:
        return possible(p, gw_operand(p, op, 1)) | possible(p, gw_operand(p, op, 2));
    case GW_OP_IF: {
        uint32_t k = gw_value_at(p, v)->index;
        return possible(p, gw_arm_value(p, op, 0, k)) | possible(p, gw_arm_value(p, op, 1, k));
    }
    default:
        return UINT32_MAX;
    }
}

/* Carried value m of the inner loop. */
static bool holds_flags(flags *s, uint32_t m) {
    const gw_func *p = s->p;
    const gw_nest n = {.loop = {s->outer, s->inner}};
    gw_value arg = gw_loop_arg(p, s->inner, m), next = gw_loop_next(p, s->inner, m);
    uint32_t i = gw_nest_handed_as(p, &n, m), bits = 0;
    bool put = false, integer = gw_type_is_integer(gw_typeof(p, arg)) && gw_type_bits(gw_typeof(p, arg)) == 32;
    if (!integer || next == arg || i == GW_NEST_NONE || !changes_by(p, next, arg, &bits, &put)) return false;
    s->start = gw_loop_init(p, s->outer, i);
    uint32_t began = possible(p, s->start);
    s->changing = began == UINT32_MAX ? bits : bits | began;
    s->others = began == UINT32_MAX ? ~s->changing : 0;
    s->carried[GW_NEST_OUTER] = i;
    s->carried[GW_NEST_INNER] = m;
    return s->changing && __builtin_popcount(s->changing) <= GW_NEST_STATES && !(put && s->others);
}

/* ---- a bit of the integer, wherever that is ---- */
static gw_value find_bit(const flags *s, gw_value v, uint32_t k) {
    for (uint32_t i = 0; i < s->known.count; i++)
        if (s->known.at[i].of == v && s->known.at[i].number == k) return s->known.at[i].is;
    return 0;
}

static void know(flags *s, gw_value of, uint32_t k, gw_value is) { gw_push(&s->known, ((bit){of, is, k})); }

static bool is_integer(const flags *s, gw_value v) {
    uint32_t set;
    gw_value x;
    if (find_bit(s, v, (uint32_t)__builtin_ctz(s->changing))) return true;
    if (with_constant(s->p, v, GW_OP_OR, &x, &set)) return !(set & ~s->changing) && is_integer(s, x);
    gw_op op = gw_made_by(s->p, v, GW_OP_IF);
    for (uint32_t side = 0; op && side < 2; side++) {
        gw_value in = gw_arm_value(s->p, op, side, gw_value_at(s->p, v)->index);
        if (!constant(s->p, in, &set) && !is_integer(s, in)) return false;
    }
    return op != 0;
}

/* The results of a branch have other names now. */
static void rename_known(flags *s, gw_value first, uint32_t count, gw_value now) {
    for (uint32_t i = 0; i < s->known.count; i++) {
        bit *b = &s->known.at[i];
        if (b->of - first < count) b->of = b->of - first + now;
        if (b->is - first < count) b->is = b->is - first + now;
    }
}

static gw_value make_bit(flags *s, gw_value v, uint32_t k);

static gw_value choose_bit(flags *s, gw_op branch, uint32_t index, uint32_t k) {
    gw_value side[2];
    for (uint32_t twice = 0; twice < 2; twice++) /* making the second may rename the first */
        for (uint32_t i = 0; i < 2; i++)
            side[i] = make_bit(s, gw_arm_value(s->p, branch, i, index), k);
    if (side[0] == side[1]) return side[0];
    const gw_op_data old = *gw_op_at(s->p, branch);
    gw_op made = gw_if_rebuild(s->p, branch, NULL, &side[0], &side[1], 1);
    rename_known(s, old.first_result, old.results, gw_result(s->p, made, 0));
    know(s, gw_result(s->p, made, index), k, gw_result(s->p, made, old.results));
    return gw_result(s->p, made, old.results);
}

static gw_value make_bit(flags *s, gw_value v, uint32_t k) {
    uint32_t set;
    gw_value x, have = find_bit(s, v, k);
    if (have) return have;
    if (constant(s->p, v, &set)) return set >> k & 1 ? s->yes : s->no;
    if (with_constant(s->p, v, GW_OP_OR, &x, &set)) return set >> k & 1 ? s->yes : make_bit(s, x, k);
    return choose_bit(s, gw_value_at(s->p, v)->op, gw_value_at(s->p, v)->index, k);
}

/* ---- what is asked of it ---- */
typedef struct question { /* (of & mask) == is, or its opposite */
    gw_value of;
    uint32_t mask, is;
    bool opposite;
} question;

static bool is_question(const flags *s, gw_op op, question *q) {
    const gw_func *p = s->p;
    const gw_op_data *o = gw_op_at(p, op);
    *q = (question){.mask = UINT32_MAX, .opposite = o->code != GW_OP_EQ};
    if (o->dead || !gw_region_inside(p, o->parent, gw_loop_body(p, s->outer))) return false;
    bool compares = o->code == GW_OP_EQ || o->code == GW_OP_NE,
         converts = o->code == GW_OP_CAST && gw_typeof(p, o->first_result) == GW_T_BOOL;
    if (!compares && !converts) return false;
    gw_value asked = gw_operand(p, op, 0);
    if (compares && !constant(p, gw_operand(p, op, 1), &q->is)) {
        if (!constant(p, asked, &q->is)) return false;
        asked = gw_operand(p, op, 1);
    }
    if (!with_constant(p, asked, GW_OP_AND, &q->of, &q->mask)) q->of = asked, q->mask = UINT32_MAX;
    return gw_type_is_integer(gw_typeof(p, q->of)) && is_integer(s, q->of);
}

/* The answer that bits give which are set or not: all of them are as `is` says, or one of them is not. */
static gw_value answer(flags *s, gw_builder *b, const question *q) {
    gw_value all = 0;
    const gw_opcode join = q->opposite ? GW_OP_OR : GW_OP_AND;
    for (uint32_t k = 0; k < BITS; k++) {
        if (!(s->changing & q->mask) || !((s->changing & q->mask) >> k & 1)) continue;
        gw_value one = find_bit(s, q->of, k);
        if ((q->is >> k & 1) == q->opposite) one = gw_unary(b, GW_OP_NOT, one);
        all = all ? gw_binary(b, join, all, one) : one;
    }
    if (!(s->others & q->mask) && !(q->is & q->mask & ~s->changing)) return all;
    gw_builder before = {s->p, gw_op_at(s->p, s->outer)->parent, s->outer, b->loc};
    gw_type type = gw_typeof(s->p, s->start);
    const uint32_t rest = q->mask & ~s->changing;
    gw_value kept = gw_binary(&before, GW_OP_AND, s->start, gw_int(&before, type, (int64_t)rest)),
             same = gw_binary(&before, q->opposite ? GW_OP_NE : GW_OP_EQ, kept,
                              gw_int(&before, type, (int64_t)(q->is & rest)));
    return all ? gw_binary(b, join, all, same) : same;
}

static void ask_bits(flags *s, gw_op op, question *q) {
    gw_func *p = s->p;
    for (uint32_t k = 0; k < BITS; k++) {
        if (!(s->changing >> k & 1)) continue;
        gw_value is = make_bit(s, q->of, k);
        is_question(s, op, q); /* under its new name */
        if (!find_bit(s, q->of, k)) know(s, q->of, k, is);
    }
    gw_builder b = {p, gw_op_at(p, op)->parent, op, gw_op_at(p, op)->loc};
    gw_value_map map = {0};
    gw_map_set(&map, gw_result(p, op, 0), answer(s, &b, q));
    gw_replace_many(p, &map);
    gw_map_free(&map);
}

/* ---- the loops ---- */
static void carry_bits(flags *s) {
    gw_func *p = s->p;
    gw_builder b = {p, gw_op_at(p, s->outer)->parent, s->outer, gw_op_at(p, s->outer)->loc};
    gw_value bits[GW_NEST_STATES];
    uint32_t number[GW_NEST_STATES], count = 0;
    gw_type type = gw_typeof(p, s->start);
    s->yes = gw_int(&b, GW_T_BOOL, 1);
    s->no = gw_int(&b, GW_T_BOOL, 0);
    for (uint32_t k = 0; k < BITS; k++) {
        if (!(s->changing >> k & 1)) continue;
        gw_value one = gw_binary(&b, GW_OP_AND, s->start, gw_int(&b, type, (int64_t)(1u << k)));
        bits[count] = gw_binary(&b, GW_OP_NE, one, gw_int(&b, type, 0));
        gw_value_at(p, bits[count])->name = gw_value_at(p, gw_loop_arg(p, s->outer, s->carried[0]))->name;
        number[count++] = k;
    }
    for (uint32_t l = 0; l < 2; l++) {
        gw_op *loop = l == GW_NEST_OUTER ? &s->outer : &s->inner;
        *loop = gw_loop_rebuild(p, *loop, NULL, bits, count);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t at = gw_loop_carried(p, *loop) - count + i;
            bits[i] = gw_loop_arg(p, *loop, at);
            know(s, gw_loop_arg(p, *loop, s->carried[l]), number[i], bits[i]);
            know(s, gw_result(p, *loop, s->carried[l]), number[i], gw_result(p, *loop, at));
            if (gw_op_at(p, *loop)->code != GW_OP_WHILE) continue;
            gw_region test = gw_op_at(p, *loop)->region[0];
            know(s, gw_arg(p, test, s->carried[l]), number[i], gw_arg(p, test, at));
        }
    }
    for (uint32_t l = 2; l-- > 0;) {
        gw_op loop = l == GW_NEST_OUTER ? s->outer : s->inner;
        gw_op end = gw_region_end(p, gw_loop_body(p, loop));
        for (uint32_t i = 0; i < count; i++) {
            gw_value is = make_bit(s, gw_loop_next(p, loop, s->carried[l]), number[i]);
            gw_set_operand(p, end, gw_op_at(p, end)->operands - count + i, is);
        }
    }
}

static void split(flags *s) {
    question q;
    carry_bits(s);
    const uint32_t ops = s->p->ops.count;
    for (gw_op op = 1; op < ops; op++)
        if (is_question(s, op, &q)) ask_bits(s, op, &q);
    gw_vec_free(&s->known);
}

/* All in the inner loop; the outer one, which is another then. */
static gw_op split_all(gw_func *p, gw_op outer, gw_op inner) {
    flags s = {.p = p, .outer = outer, .inner = inner};
    const uint32_t carried = gw_loop_carried(p, inner);
    for (uint32_t m = 0; m < carried; m++)
        if (holds_flags(&s, m)) split(&s);
    return s.outer;
}

gw_op gw_nest_flags(gw_func *p, gw_op outer) {
    gw_region body = gw_loop_body(p, outer);
    for (gw_op op = gw_first(p, body); op; op = gw_walk(p, op, body)) {
        gw_op made = gw_is_loop(p, op) ? split_all(p, outer, op) : outer;
        if (made != outer) return made;
    }
    return outer;
}
