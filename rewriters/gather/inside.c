/*
 * gather/inside.c - where all neighbours are there (contract: gather_private.h).
 *
 * A kernel that gathers asks for each addition whether its thread exists and would make it. Away from the
 * border all would, and the answer is one condition: of comparisons `position + c < bound` with one bound, that
 * with the largest c says all. Under it the additions stand without conditions, so that their loads are in
 * flight together.
 *
 * Sound: the condition implies each of those around additions. Comparisons that are merged are of int, where a
 * position plus a shift has room (gather/shift.c); others, of unsigned numbers and for equality, are asked as
 * they are. A condition that is made of anything else than positions, constants, indices of loops with constant
 * bounds and what is the same in the grid gives up.
 */
#include "rewriters/motion/motion.h"
#include "rewriters/gather/gather_private.h"
#include "analysis/ir/restructure.h"
#include "analysis/ir/query.h"

#include <stdlib.h>

/* position + c, for all c from low to high */
typedef struct place {
    gw_value position; /* 0: none */
    int64_t low, high;
} place;

typedef struct demand {
    place at;
    gw_opcode compare;
    gw_type type;
    gw_value bound; /* at the end of the region; a bool without position: that it is `compare == GW_OP_EQ` */
} demand;

typedef struct asking {
    gw_func *f;
    gw_region region;
    gw_builder *b;
    const gw_uniform *uniform;
    GW_VEC(demand) all;
} asking;

/* ---- places ---- */
static bool is_word(gw_type type) { return type == GW_T_I32 || type == GW_T_U32; }

static bool loop_range(const asking *a, gw_value v, place *out) {
    const gw_func *f = a->f;
    gw_region r = gw_value_at(f, v)->region;
    gw_op loop = gw_region_at(f, r)->parent;
    if (!gw_region_inside(f, r, a->region) || r == a->region || !loop || gw_op_at(f, loop)->code != GW_OP_FOR ||
        gw_value_at(f, v)->index != 0)
        return false;
    bool known = gw_loop_ends(f, loop, &out->low, &out->high);
    out->high--;
    return known && gw_op_at(f, loop)->attr == GW_OP_LT && gw_loop_step(f, loop) == 1;
}

static bool find_place(const asking *a, gw_value v, place *out) {
    const gw_func *f = a->f;
    gw_op op = gw_value_at(f, v)->op;
    *out = (place){0, 0, 0};
    if (!is_word(gw_typeof(f, v))) return false;
    if (gw_const_int(f, v, &out->low)) return out->high = out->low, true;
    if (gw_value_visible(f, v, a->region) && (!op || gw_value_region(f, v) != a->region) &&
        gw_typeof(f, v) == GW_T_I32)
        return out->position = v, true;
    if (!op) return loop_range(a, v, out);
    place x, y = {0, 0, 0};
    gw_opcode code = (gw_opcode)gw_op_at(f, op)->code;
    if (code != GW_OP_CAST && code != GW_OP_ADD && code != GW_OP_SUB && code != GW_OP_MUL) return false;
    if (!find_place(a, gw_operand(f, op, 0), &x) ||
        (code != GW_OP_CAST && !find_place(a, gw_operand(f, op, 1), &y)))
        return false;
    if (code == GW_OP_MUL) {
        place *scaled = y.position || y.low != y.high ? &y : &x;
        int64_t by = scaled == &y ? x.low : y.low;
        if (x.position || y.position || (x.low != x.high && y.low != y.high)) return false;
        *out = by < 0 ? (place){0, by * scaled->high, by * scaled->low}
                      : (place){0, by * scaled->low, by * scaled->high};
        return true;
    }
    if ((x.position && y.position) || (code == GW_OP_SUB && y.position)) return false;
    out->position = x.position ? x.position : y.position;
    out->low = x.low + (code == GW_OP_SUB ? -y.high : y.low);
    out->high = x.high + (code == GW_OP_SUB ? -y.low : y.high);
    return true;
}

/* ---- conditions ---- */
static gw_opcode denied(gw_opcode c) {
    switch (c) {
    case GW_OP_LT: return GW_OP_GE;
    case GW_OP_LE: return GW_OP_GT;
    case GW_OP_GT: return GW_OP_LE;
    case GW_OP_GE: return GW_OP_LT;
    case GW_OP_EQ: return GW_OP_NE;
    default: return GW_OP_EQ;
    }
}

/* Made alike, of pure ops: copies of one bound. */
static bool same_value(const gw_func *f, gw_value x, gw_value y) {
    int64_t i, k;
    gw_op a = gw_value_at(f, x)->op, b = gw_value_at(f, y)->op;
    if (x == y) return true;
    if (gw_typeof(f, x) != gw_typeof(f, y) || !a || !b) return false;
    if (gw_const_int(f, x, &i) || gw_const_int(f, y, &k))
        return gw_const_int(f, x, &i) && gw_const_int(f, y, &k) && i == k;
    const gw_op_data *o = gw_op_at(f, a), *p = gw_op_at(f, b);
    bool same = o->code == p->code && o->attr == p->attr && o->operands == p->operands && o->operands &&
                gw_op_rows[o->code].effect == GW_EFFECT_PURE;
    for (uint32_t n = 0; same && n < o->operands; n++)
        same = same_value(f, gw_operand(f, a, n), gw_operand(f, b, n));
    return same;
}

static void note(asking *a, demand d) {
    bool merges = d.type == GW_T_I32 && d.compare != GW_OP_EQ && d.compare != GW_OP_NE;
    for (uint32_t i = 0; i < a->all.count; i++) {
        demand *have = &a->all.at[i];
        if (have->at.position != d.at.position || have->compare != d.compare || have->type != d.type ||
            !same_value(a->f, have->bound, d.bound))
            continue;
        if (!merges && (have->at.low != d.at.low || have->at.high != d.at.high)) continue;
        if (d.at.low < have->at.low) have->at.low = d.at.low;
        if (d.at.high > have->at.high) have->at.high = d.at.high;
        return;
    }
    gw_push(&a->all, d);
}

static bool is_comparison(gw_opcode c) {
    return c == GW_OP_LT || c == GW_OP_LE || c == GW_OP_GT || c == GW_OP_GE || c == GW_OP_EQ || c == GW_OP_NE;
}

static bool ask_comparison(asking *a, gw_op op, bool truth) {
    const gw_func *f = a->f;
    gw_value x = gw_operand(f, op, 0), y = gw_operand(f, op, 1);
    demand d = {.compare = (gw_opcode)gw_op_at(f, op)->code, .type = gw_typeof(f, x)};
    bool swap = a->uniform->value[x] == GW_UNIFORM_GRID;
    if (swap) d.compare = gw_mirrored(d.compare);
    if (!truth) d.compare = denied(d.compare);
    if (a->uniform->value[swap ? x : y] != GW_UNIFORM_GRID || !find_place(a, swap ? y : x, &d.at) ||
        !d.at.position)
        return false;
    bool merges = d.type == GW_T_I32 && d.compare != GW_OP_EQ && d.compare != GW_OP_NE;
    if (!merges && d.at.low != d.at.high) return false;
    d.bound = gw_value_outside(a->b, swap ? x : y, NULL);
    if (d.bound) note(a, d);
    return d.bound != 0;
}

static bool ask(asking *a, gw_value v, bool truth) {
    const gw_func *f = a->f;
    gw_op op = gw_value_at(f, v)->op;
    int64_t known;
    if (gw_const_int(f, v, &known)) return (known != 0) == truth;
    if (v < a->uniform->f->values.count && a->uniform->value[v] == GW_UNIFORM_GRID) {
        gw_value here = gw_value_outside(a->b, v, NULL);
        if (here) note(a, (demand){.compare = truth ? GW_OP_EQ : GW_OP_NE, .type = GW_T_BOOL, .bound = here});
        return here != 0;
    }
    if (!op) return false;
    gw_opcode code = (gw_opcode)gw_op_at(f, op)->code;
    if (code == GW_OP_NOT) return ask(a, gw_operand(f, op, 0), !truth);
    if (code == (truth ? GW_OP_AND : GW_OP_OR))
        return ask(a, gw_operand(f, op, 0), truth) && ask(a, gw_operand(f, op, 1), truth);
    return is_comparison(code) && gw_type_is_integer(gw_typeof(f, gw_operand(f, op, 0))) &&
           ask_comparison(a, op, truth);
}

static bool ask_around(asking *a, gw_op add) {
    const gw_func *f = a->f;
    for (gw_region r = gw_op_at(f, add)->parent; r != a->region; r = gw_region_outside(f, r)) {
        gw_op up = gw_region_at(f, r)->parent;
        if (gw_op_at(f, up)->code == GW_OP_IF && !ask(a, gw_operand(f, up, 0), gw_op_at(f, up)->region[0] == r))
            return false;
    }
    return true;
}

static gw_value answer(asking *a, const demand *d) {
    gw_builder *b = a->b;
    if (!d->at.position) return d->compare == GW_OP_EQ ? d->bound : gw_unary(b, GW_OP_NOT, d->bound);
    bool below = d->compare == GW_OP_LT || d->compare == GW_OP_LE;
    int64_t c = below ? d->at.high : d->at.low;
    gw_value at = d->at.position;
    if (c < 0) at = gw_binary(b, GW_OP_SUB, at, gw_int(b, GW_T_I32, -c));
    if (c > 0) at = gw_binary(b, GW_OP_ADD, at, gw_int(b, GW_T_I32, c));
    return gw_binary(b, d->compare, gw_cast(b, d->type, at), d->bound);
}

gw_value gw_gather_inside(gw_func *f, gw_region r, gw_builder *b, const gw_uniform *uniform) {
    asking a = {.f = f, .region = r, .b = b, .uniform = uniform};
    bool good = true;
    for (gw_op op = 1; op < uniform->f->ops.count && good; op++)
        if (!gw_op_at(f, op)->dead && gw_op_at(f, op)->code == GW_OP_ACCUM) good = ask_around(&a, op);
    gw_value all = 0;
    for (uint32_t i = 0; i < a.all.count && good; i++) {
        gw_value one = answer(&a, &a.all.at[i]);
        all = all ? gw_binary(b, GW_OP_AND, all, one) : one;
    }
    gw_vec_free(&a.all);
    return all;
}
