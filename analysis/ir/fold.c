/*
 * fold.c - making pure values with folding: constants, identities, casts. Floating point is folded only
 * where the result is bit for bit what the machine computes in every rounding-free case: x+0 and x*1 on
 * structural zeros and ones (an adjoint's sign of zero is not part of the contract), never x*0.
 */
#include "analysis/ir/ir.h"

#include <math.h>

gw_value gw_int(gw_builder *b, gw_type type, int64_t value) {
    gw_op op = gw_emit(b, GW_OP_CONST, type, 1, NULL, 0);
    gw_op_at(b->f, op)->imm.i = value;
    return gw_result(b->f, op, 0);
}

gw_value gw_real(gw_builder *b, gw_type type, double value) {
    gw_op op = gw_emit(b, GW_OP_CONST, type, 1, NULL, 0);
    gw_op_at(b->f, op)->imm.f = gw_type_of_value(type) == GW_T_F32 ? (double)(float)value : value;
    return gw_result(b->f, op, 0);
}

gw_value gw_zero(gw_builder *b, gw_type type) {
    return gw_type_is_float(type) ? gw_real(b, type, 0) : gw_int(b, type, 0);
}

gw_value gw_special_value(gw_builder *b, gw_special kind, unsigned axis) {
    gw_op op = gw_emit(b, GW_OP_SPECIAL, GW_T_U32, 1, NULL, 0);
    gw_op_at(b->f, op)->attr = GW_SPECIAL_ATTR(kind, axis);
    return gw_result(b->f, op, 0);
}

/* Value of the low `bits` of v, sign- or zero-extended as the type has it. */
static int64_t wrap(gw_type t, uint64_t v) {
    uint32_t bits = gw_type_bits(t);
    if (bits >= 64) return (int64_t)v;
    uint64_t mask = ((uint64_t)1 << bits) - 1;
    v &= mask;
    if (gw_type_is_signed(t) && (v >> (bits - 1))) v |= ~mask;
    return (int64_t)v;
}

/* Signed overflow is undefined in the source: not folded, so that nothing is decided here. */
static bool fits(gw_type t, __int128 exact, int64_t *out) {
    *out = wrap(t, (uint64_t)exact);
    if (!gw_type_is_signed(t)) return true;
    return (__int128)*out == exact;
}

static bool fold_integer(gw_opcode code, gw_type t, int64_t x, int64_t y, int64_t *out) {
    bool sign = gw_type_is_signed(t);
    __int128 a = sign ? (__int128)x : (__int128)(uint64_t)x, c = sign ? (__int128)y : (__int128)(uint64_t)y;
    switch (code) {
    case GW_OP_ADD: return fits(t, a + c, out);
    case GW_OP_SUB: return fits(t, a - c, out);
    case GW_OP_MUL: return fits(t, a * c, out);
    case GW_OP_DIV: return c != 0 && fits(t, a / c, out);
    case GW_OP_REM: return c != 0 && fits(t, a % c, out);
    case GW_OP_AND: *out = x & y; return true;
    case GW_OP_OR: *out = x | y; return true;
    case GW_OP_XOR: *out = x ^ y; return true;
    case GW_OP_SHL: return y >= 0 && y < gw_type_bits(t) && fits(t, a << y, out);
    case GW_OP_SHR: return y >= 0 && y < gw_type_bits(t) && fits(t, a >> y, out);
    case GW_OP_IMIN: *out = a < c ? x : y; return true;
    case GW_OP_IMAX: *out = a > c ? x : y; return true;
    case GW_OP_EQ: *out = x == y; return true;
    case GW_OP_NE: *out = x != y; return true;
    case GW_OP_LT: *out = a < c; return true;
    case GW_OP_LE: *out = a <= c; return true;
    case GW_OP_GT: *out = a > c; return true;
    case GW_OP_GE: *out = a >= c; return true;
    default: return false;
    }
}

bool gw_holds(gw_opcode comparison, gw_type t, int64_t x, int64_t y) {
    int64_t out = 0;
    return fold_integer(comparison, t, x, y, &out) && out;
}

static bool is_real(gw_builder *b, gw_value v, double x) {
    double have;
    return gw_const_real(b->f, v, &have) && have == x;
}
static bool is_int(gw_builder *b, gw_value v, int64_t x) {
    int64_t have;
    return gw_const_int(b->f, v, &have) && have == x;
}
static bool is_number(gw_builder *b, gw_value v, int x) { return is_real(b, v, x) || is_int(b, v, x); }

/* Integer ops whose operands are one value. */
static gw_value fold_equal(gw_builder *b, gw_opcode code, gw_type type, gw_value x) {
    switch (code) {
    case GW_OP_LT:
    case GW_OP_GT:
    case GW_OP_NE: return gw_int(b, GW_T_BOOL, 0);
    case GW_OP_LE:
    case GW_OP_GE:
    case GW_OP_EQ: return gw_int(b, GW_T_BOOL, 1);
    case GW_OP_SUB:
    case GW_OP_XOR: return gw_int(b, type, 0);
    case GW_OP_IMIN:
    case GW_OP_IMAX: return x;
    default: return 0;
    }
}

/* x is what a division of unsigned numbers by 2^k has left, and y has none of the lowest k bits. */
static bool no_bit_in_common(gw_builder *b, gw_value x, gw_value y) {
    const gw_op op = gw_value_at(b->f, x)->op;
    int64_t by, bits;
    if (!op || gw_op_at(b->f, op)->code != GW_OP_REM || gw_type_is_signed(gw_typeof(b->f, x))) return false;
    if (!gw_const_int(b->f, gw_operand(b->f, op, 1), &by) || !gw_const_int(b->f, y, &bits)) return false;
    return by > 0 && (by & (by - 1)) == 0 && (bits & (by - 1)) == 0;
}

/* x+0, 0+x, x-0, x*1, 1*x, x/1; integer x*0; and of bits; boolean and/or. 0 if none applies. */
static gw_value fold_identity(gw_builder *b, gw_opcode code, gw_value x, gw_value y) {
    bool integer = !gw_type_is_float(gw_typeof(b->f, x)), boolean = gw_typeof(b->f, x) == GW_T_BOOL;
    switch (code) {
    case GW_OP_ADD:
        if (is_number(b, y, 0)) return x;
        return is_number(b, x, 0) ? y : 0;
    case GW_OP_SUB: return is_number(b, y, 0) ? x : 0;
    case GW_OP_MUL:
        if (integer && (is_int(b, x, 0) || is_int(b, y, 0))) return is_int(b, x, 0) ? x : y;
        if (is_number(b, y, 1)) return x;
        return is_number(b, x, 1) ? y : 0;
    case GW_OP_DIV: return is_number(b, y, 1) ? x : 0;
    case GW_OP_SHL:
    case GW_OP_SHR: return is_int(b, y, 0) ? x : 0;
    case GW_OP_AND:
        if (x == y) return x;
        if (is_int(b, x, 0) || is_int(b, y, 0)) return is_int(b, x, 0) ? x : y;
        if (no_bit_in_common(b, x, y) || no_bit_in_common(b, y, x)) return gw_int(b, gw_typeof(b->f, x), 0);
        if (boolean && is_int(b, x, 1)) return y;
        return boolean && is_int(b, y, 1) ? x : 0;
    case GW_OP_OR:
        if (x == y) return x;
        if (boolean && (is_int(b, x, 1) || is_int(b, y, 1))) return is_int(b, x, 1) ? x : y;
        if (is_int(b, x, 0)) return y;
        return is_int(b, y, 0) ? x : 0;
    default: return 0;
    }
}

static bool fold_comparison(gw_opcode code, double x, double y, int64_t *out) {
    switch (code) {
    case GW_OP_EQ: *out = x == y; return true;
    case GW_OP_NE: *out = x != y; return true;
    case GW_OP_LT: *out = x < y; return true;
    case GW_OP_LE: *out = x <= y; return true;
    case GW_OP_GT: *out = x > y; return true;
    case GW_OP_GE: *out = x >= y; return true;
    default: return false;
    }
}

/* x - 1 >= y is y < x, x + 1 <= y is x < y, for signed integers, whose overflow the source excludes. */
static gw_value fold_bound(gw_builder *b, gw_opcode code, gw_value x, gw_value y) {
    gw_op op = gw_value_at(b->f, x)->op;
    if (!op || !gw_type_is_integer(gw_typeof(b->f, x)) || !gw_type_is_signed(gw_typeof(b->f, x))) return 0;
    uint16_t inner = gw_op_at(b->f, op)->code;
    if (code == GW_OP_GE && inner == GW_OP_SUB && is_int(b, gw_operand(b->f, op, 1), 1))
        return gw_binary(b, GW_OP_LT, y, gw_operand(b->f, op, 0));
    if (code == GW_OP_LE && inner == GW_OP_ADD && is_int(b, gw_operand(b->f, op, 1), 1))
        return gw_binary(b, GW_OP_LT, gw_operand(b->f, op, 0), y);
    return 0;
}

/* A bool, or one that was converted to an integer. */
static bool is_truth(const gw_func *f, gw_value v) {
    gw_op op = gw_value_at(f, v)->op;
    if (gw_typeof(f, v) == GW_T_BOOL) return true;
    return op && gw_op_at(f, op)->code == GW_OP_CAST && gw_type_is_integer(gw_typeof(f, v)) &&
           is_truth(f, gw_operand(f, op, 0));
}

/* A comparison of a truth value with a constant, where both truth values give one answer: compilers warn of
 * it. */
static gw_value fold_truth(gw_builder *b, gw_opcode code, gw_type type, gw_value x, gw_value y) {
    int64_t c, answer[2];
    bool left = gw_const_int(b->f, y, &c);
    if (gw_op_rows[code].typing != GW_TYPING_BOOL || gw_type_is_float(type)) return 0;
    if ((!left && !gw_const_int(b->f, x, &c)) || !is_truth(b->f, left ? x : y)) return 0;
    for (int i = 0; i < 2; i++)
        if (!fold_integer(code, type, left ? i : c, left ? c : i, &answer[i])) return 0;
    return answer[0] == answer[1] ? gw_int(b, GW_T_BOOL, answer[0]) : 0;
}

/* No unsigned number is below 0; compilers warn where one is asked whether it is. */
static gw_value fold_unsigned(gw_builder *b, gw_opcode code, gw_type type, gw_value x, gw_value y) {
    if (!gw_type_is_integer(type) || gw_type_is_signed(type)) return 0;
    if ((code == GW_OP_GE && is_int(b, y, 0)) || (code == GW_OP_LE && is_int(b, x, 0)))
        return gw_int(b, GW_T_BOOL, 1);
    if ((code == GW_OP_LT && is_int(b, y, 0)) || (code == GW_OP_GT && is_int(b, x, 0)))
        return gw_int(b, GW_T_BOOL, 0);
    return 0;
}

gw_value gw_pure(gw_builder *b, gw_opcode code, gw_type type, uint16_t flags, const gw_value *operands,
                 uint32_t count) {
    gw_op op = gw_emit(b, code, type, 1, operands, count);
    gw_op_at(b->f, op)->flags = flags;
    return gw_result(b->f, op, 0);
}

gw_value gw_binary(gw_builder *b, gw_opcode code, gw_value x, gw_value y) {
    gw_type operand_type = gw_typeof(b->f, x);
    bool compare = gw_op_rows[code].typing == GW_TYPING_BOOL;
    gw_type type = compare ? GW_T_BOOL : operand_type;
    int64_t p, q, out;
    if (gw_const_int(b->f, x, &p) && gw_const_int(b->f, y, &q) && fold_integer(code, operand_type, p, q, &out))
        return gw_int(b, type, out);
    double u, v;
    if (gw_const_real(b->f, x, &u) && gw_const_real(b->f, y, &v) && fold_comparison(code, u, v, &out))
        return gw_int(b, type, out);
    gw_value same = x == y && !gw_type_is_float(operand_type) ? fold_equal(b, code, operand_type, x) : 0;
    if (!same) same = fold_identity(b, code, x, y);
    if (!same) same = fold_bound(b, code, x, y);
    if (!same) same = fold_truth(b, code, operand_type, x, y);
    if (!same) same = fold_unsigned(b, code, operand_type, x, y);
    if (same) return same;
    return gw_pure(b, code, type, 0, (gw_value[]){x, y}, 2);
}

gw_value gw_joined(gw_builder *b, gw_opcode code, gw_value x, gw_value y) {
    if (x && y) return gw_binary(b, code, x, y);
    return x ? x : y;
}

gw_value gw_unary(gw_builder *b, gw_opcode code, gw_value x) {
    gw_typing typing = gw_op_rows[code].typing;
    gw_type type = gw_typeof(b->f, x);
    if (typing == GW_TYPING_FREE) type = GW_T_BOOL;
    if (typing == GW_TYPING_INT) type = GW_T_I32;
    gw_op def = gw_value_at(b->f, x)->op;
    int64_t p;
    double r;
    if (code == GW_OP_DETACH && gw_const_real(b->f, x, &r)) return x;
    if (code == GW_OP_NEG && gw_const_real(b->f, x, &r)) return gw_real(b, type, -r);
    if (code == GW_OP_NEG && gw_const_int(b->f, x, &p) && p != INT64_MIN)
        return gw_int(b, type, wrap(type, (uint64_t)-p));
    if (code == GW_OP_NOT && type == GW_T_BOOL && gw_const_int(b->f, x, &p)) return gw_int(b, type, !p);
    if (code == GW_OP_NOT && gw_type_is_integer(type) && gw_const_int(b->f, x, &p))
        return gw_int(b, type, wrap(type, ~(uint64_t)p));
    if ((code == GW_OP_NEG || code == GW_OP_NOT) && def && gw_op_at(b->f, def)->code == code)
        return gw_operand(b->f, def, 0);
    bool truth = def && gw_op_at(b->f, def)->code == GW_OP_CAST &&
                 gw_typeof(b->f, gw_operand(b->f, def, 0)) == GW_T_BOOL;
    if (code == GW_OP_NOT && truth) /* compilers take ~(int)condition for a mistake */
        return gw_binary(b, GW_OP_SUB, gw_int(b, type, -1), x);
    return gw_pure(b, code, type, 0, &x, 1);
}

/* ---- half precision: its values are floats that it holds ---- */

/* To nearest with `digits` binary digits, none of them below 2^least; what rounds above `most` is infinite. */
static double round_to(double x, int digits, int least, double most) {
    const double whole = 0x1.8p52; /* what is added to it loses its fraction */
    int exponent;
    if (x == 0 || !isfinite(x)) return x;
    frexp(x, &exponent);
    exponent = exponent - digits > least ? exponent - digits : least;
    double rounded = ldexp(ldexp(x, -exponent) + whole - whole, exponent);
    return fabs(rounded) <= most ? rounded : copysign(INFINITY, x);
}

double gw_round_half(gw_type type, double x) {
    return type == GW_T_F16 ? round_to(x, 11, -24, 65504) : round_to(x, 8, -133, 0x1.fep127);
}

/* A number that the type holds already. */
static bool is_rounded(const gw_func *f, gw_value v, gw_type type, gw_opcode code) {
    gw_op op = gw_value_at(f, v)->op;
    const gw_op_data *o = gw_op_at(f, op);
    double r;
    if (!op) return false;
    switch (o->code) {
    case GW_OP_CONST: return gw_const_real(f, v, &r) && gw_round_half(type, r) == r;
    case GW_OP_LOAD: return gw_stored_type(f, o->object, o->path) == type;
    case GW_OP_NEG:
    case GW_OP_FABS: return is_rounded(f, gw_operand(f, op, 0), type, code);
    case GW_OP_FMIN:
    case GW_OP_FMAX:
        return is_rounded(f, gw_operand(f, op, 0), type, code) &&
               is_rounded(f, gw_operand(f, op, 1), type, code);
    default: return o->code == code;
    }
}

static gw_value to_half(gw_builder *b, gw_type type, gw_value x) {
    const gw_opcode code = type == GW_T_F16 ? GW_OP_TO_HALF : GW_OP_TO_BFLOAT16;
    double r;
    x = gw_cast(b, GW_T_F32, x);
    if (gw_const_real(b->f, x, &r)) return gw_real(b, GW_T_F32, gw_round_half(type, r));
    return is_rounded(b->f, x, type, code) ? x : gw_pure(b, code, GW_T_F32, 0, &x, 1);
}

gw_value gw_cast(gw_builder *b, gw_type type, gw_value x) {
    if (gw_type_is_half(type)) return to_half(b, type, x);
    gw_type from = gw_typeof(b->f, x);
    if (from == type) return x;
    int64_t p;
    double r;
    if (gw_const_int(b->f, x, &p)) {
        if (type == GW_T_BOOL) return gw_int(b, type, p != 0);
        if (gw_type_is_integer(type)) return gw_int(b, type, wrap(type, (uint64_t)p));
        bool is_value = p >= 0 || gw_type_is_signed(from); /* 2^64 - 1 is kept as -1 */
        if (gw_type_is_float(type) && is_value && p >= -(1 << 24) && p <= 1 << 24)
            return gw_real(b, type, (double)p);
    }
    if (gw_const_real(b->f, x, &r) && gw_type_is_float(type)) return gw_real(b, type, r);
    return gw_pure(b, GW_OP_CAST, type, 0, &x, 1);
}

/* CUDA has a function for the bits of a double as a signed integer only. */
/* As a signed number, which it may have been before. */
static gw_value as_signed(gw_builder *b, gw_value x) {
    const gw_op op = gw_value_at(b->f, x)->op;
    const gw_value before = op && gw_op_at(b->f, op)->code == GW_OP_CAST ? gw_operand(b->f, op, 0) : 0;
    return before && gw_typeof(b->f, before) == GW_T_I64 ? before : gw_cast(b, GW_T_I64, x);
}

gw_value gw_bits(gw_builder *b, gw_type type, gw_value x) {
    gw_type from = gw_typeof(b->f, x);
    if (gw_type_is_float(type) == gw_type_is_float(from)) return gw_cast(b, type, x);
    if (type == GW_T_U64) return gw_cast(b, type, gw_bits(b, GW_T_I64, x));
    if (from == GW_T_U64) return gw_bits(b, type, as_signed(b, x));
    gw_op op = gw_value_at(b->f, x)->op;
    bool back = op && gw_op_at(b->f, op)->code == GW_OP_BITS;
    back = back && gw_typeof(b->f, gw_operand(b->f, op, 0)) == type;
    return back ? gw_operand(b->f, op, 0) : gw_pure(b, GW_OP_BITS, type, 0, &x, 1);
}

gw_value gw_select(gw_builder *b, gw_value c, gw_value x, gw_value y) {
    int64_t p;
    double r, q;
    if (x == y) return x;
    if (gw_const_int(b->f, c, &p)) return p ? x : y;
    if (gw_const_real(b->f, x, &r) && gw_const_real(b->f, y, &q) && r == q && signbit(r) == signbit(q))
        return x;
    return gw_pure(b, GW_OP_SELECT, gw_typeof(b->f, x), 0, (gw_value[]){c, x, y}, 3);
}
