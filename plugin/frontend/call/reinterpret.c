/*
 * frontend/call/reinterpret.c - CUDA's functions that take the bits of a number for another number: the op
 * `bits`, and for the halves of a double that of 64 bits, shifted.
 *
 * What lanes exchange as bits they exchange as the number: __int_as_float(shuffle of __float_as_int(x)) is the
 * shuffle of x, and so are two shuffles of the halves of a double, if both ask for the same lane. So
 * derivatives go through. The shuffle of x stands where the (second) one of bits does, among the same lanes.
 */
#include "analysis/ir/query.h"
#include "analysis/ir/warp.h"
#include "plugin/frontend/call/call.h"
#include "plugin/frontend/lower.h"
#include "plugin/frontend/place/place.h"

#include <string.h>

static const struct {
    const char *name;
    gw_type from, to;
} rows[] = {
#define GW_INTRIN_BITS(spelling, from, to) {spelling, GW_T_##from, GW_T_##to},
#include "analysis/ir/intrin.def"
};

#define LENGTH(a) (sizeof(a) / sizeof *(a))

static gw_value argument(gw_lowering *L, CXCursor call, unsigned i, gw_type type) {
    gw_value v = gw_front_scalar(L, clang_Cursor_getArgument(call, i));
    return L->failed ? 0 : gw_cast(&L->b, type, v);
}

/* ---- shuffles ---- */
static gw_op shuffle_of(const gw_func *f, gw_value v) {
    gw_op op = gw_made_by(f, gw_front_behind_signs(f, v), GW_OP_WARP);
    return op && gw_warp_rows[gw_op_at(f, op)->attr].transpose ? op : 0;
}

/* A trial is undone in its own regions only; what it finds out does not depend on this. */
static bool may_stand_behind(const gw_lowering *L, gw_op shuffle) {
    return !L->trial_values || gw_op_at(L->f, shuffle)->parent == L->b.region;
}

/* A number is exchanged, right behind `at`, instead of the bits that this exchanges. */
static gw_value shuffled(gw_lowering *L, gw_op at, gw_value number) {
    const gw_op_data o = *gw_op_at(L->f, at);
    gw_builder b = {L->f, o.parent, gw_next(L->f, at), o.loc};
    gw_value operands[4];
    for (uint32_t i = 0; i < o.operands; i++) operands[i] = i == 1 ? number : gw_operand(L->f, at, i);
    gw_op op = gw_emit(&b, GW_OP_WARP, gw_typeof(L->f, number), 1, operands, o.operands);
    gw_op_at(L->f, op)->attr = o.attr;
    return gw_result(L->f, op, 0);
}

/* Nothing has merged what the source computes twice. */
static bool same_value(const gw_func *f, gw_value x, gw_value y) {
    int64_t a, b;
    if (x == y || (gw_const_int(f, x, &a) && gw_const_int(f, y, &b))) return x == y || a == b;
    gw_op p = gw_value_at(f, x)->op, q = gw_value_at(f, y)->op;
    if (!p || !q || gw_typeof(f, x) != gw_typeof(f, y)) return false;
    const gw_op_data *m = gw_op_at(f, p), *n = gw_op_at(f, q);
    bool same = m->code == n->code && m->attr == n->attr && m->flags == n->flags &&
                m->operands == n->operands && gw_op_rows[m->code].effect == GW_EFFECT_PURE && !m->regions &&
                m->code != GW_OP_CONST;
    for (uint32_t i = 0; same && i < m->operands; i++)
        same = same_value(f, gw_operand(f, p, i), gw_operand(f, q, i));
    return same;
}

static bool same_lanes(const gw_func *f, gw_op a, gw_op b) {
    const gw_op_data *x = gw_op_at(f, a), *y = gw_op_at(f, b);
    bool same = x->attr == y->attr && x->parent == y->parent && x->operands == y->operands;
    for (uint32_t i = 0; same && i < x->operands; i++)
        if (i != 1) same = same_value(f, gw_operand(f, a, i), gw_operand(f, b, i));
    return same;
}

static gw_value from_bits(gw_lowering *L, gw_type type, gw_value v) {
    gw_op shuffle = shuffle_of(L->f, v);
    gw_value x = shuffle ? gw_front_bits_of(L->f, gw_operand(L->f, shuffle, 1), type) : 0;
    return x && may_stand_behind(L, shuffle) ? shuffled(L, shuffle, x) : gw_bits(&L->b, type, v);
}

/* ---- halves of a double ---- */
static gw_value from_halves(gw_lowering *L, gw_value high, gw_value low) {
    const gw_func *f = L->f;
    gw_value x = gw_front_whole_of(f, high, true);
    if (x && x == gw_front_whole_of(f, low, false)) return x;
    gw_op first = shuffle_of(f, high), second = shuffle_of(f, low);
    x = first && second ? gw_front_whole_of(f, gw_operand(f, first, 1), true) : 0;
    bool one = x && x == gw_front_whole_of(f, gw_operand(f, second, 1), false) && same_lanes(f, first, second);
    if (one && may_stand_behind(L, first))
        return shuffled(L, gw_comes_before(f, first, second) ? second : first, x);
    return gw_front_join_halves(L, high, low);
}

bool gw_front_reinterpret(gw_lowering *L, CXCursor call, const char *name, gw_value *value) {
    bool high = strcmp(name, "__double2hiint") == 0;
    if (high || strcmp(name, "__double2loint") == 0) {
        gw_value x = argument(L, call, 0, GW_T_F64);
        if (x) *value = gw_front_half_of(L, x, high);
        return true;
    }
    if (strcmp(name, "__hiloint2double") == 0) {
        gw_value upper = argument(L, call, 0, GW_T_I32), lower = upper ? argument(L, call, 1, GW_T_I32) : 0;
        if (lower) *value = from_halves(L, upper, lower);
        return true;
    }
    for (size_t i = 0; i < LENGTH(rows); i++) {
        if (strcmp(name, rows[i].name) != 0) continue;
        gw_value x = argument(L, call, 0, rows[i].from);
        bool number = gw_type_is_float(rows[i].to);
        if (x) *value = number ? from_bits(L, rows[i].to, x) : gw_bits(&L->b, rows[i].to, x);
        return true;
    }
    return false;
}
