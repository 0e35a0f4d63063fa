/*
 * frontend/call/builtin.c - what compilers know by names that begin with __builtin_, but for the mathematical
 * functions, which are those of the name behind (call/intrinsic.c).
 */
#include "plugin/frontend/call/call.h"
#include "plugin/frontend/lower.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const struct {
    const char *name;
    gw_opcode op;
    gw_type type;
} counts[] = {
#define GW_INTRIN_COUNT(spelling, OP, type) {spelling, GW_OP_##OP, GW_T_##type},
#include "analysis/ir/intrin.def"
};

/* Comparisons that raise no exceptions. */
static const struct {
    const char *name;
    gw_opcode op;
} comparisons[] = {
    {"isgreater", GW_OP_GT}, {"isgreaterequal", GW_OP_GE}, {"isless", GW_OP_LT}, {"islessequal", GW_OP_LE},
};

#define LENGTH(a) (sizeof(a) / sizeof *(a))

static gw_value argument(gw_lowering *L, CXCursor call, unsigned i) {
    return gw_front_scalar(L, clang_Cursor_getArgument(call, i));
}

static gw_value count(gw_lowering *L, CXCursor call, const char *name) {
    for (size_t i = 0; i < LENGTH(counts); i++) {
        if (strcmp(name, counts[i].name) != 0) continue;
        gw_value x = gw_cast(&L->b, counts[i].type, argument(L, call, 0));
        return gw_pure(&L->b, counts[i].op, GW_T_I32, 0, &x, 1);
    }
    return 0;
}

/* The number of zeros behind the lowest one is the place of that one, less 1; the parity is the lowest bit of
 * the number of ones. */
static gw_value derived_count(gw_lowering *L, CXCursor call, const char *name) {
    static const char zeros[] = "ctz", parity[] = "parity";
    const bool is_zeros = strncmp(name, zeros, sizeof zeros - 1) == 0;
    const bool is_parity = strncmp(name, parity, sizeof parity - 1) == 0;
    if (!is_zeros && !is_parity) return 0;
    char *other = gw_format("%s%s", is_zeros ? "ffs" : "popcount",
                            name + (is_zeros ? sizeof zeros : sizeof parity) - 1);
    gw_value v = count(L, call, other), one = gw_int(&L->b, GW_T_I32, 1);
    free(other);
    return v ? gw_binary(&L->b, is_zeros ? GW_OP_SUB : GW_OP_AND, v, one) : 0;
}

static gw_type wider(gw_lowering *L, gw_value x, gw_value y) {
    gw_type a = gw_typeof(L->f, x), b = gw_typeof(L->f, y);
    if (!gw_type_is_float(a) && !gw_type_is_float(b)) return GW_T_F64;
    if (!gw_type_is_float(a)) return b;
    return !gw_type_is_float(b) || gw_type_bits(a) >= gw_type_bits(b) ? a : b;
}

static gw_value comparison(gw_lowering *L, CXCursor call, const char *name) {
    const bool unordered = strcmp(name, "isunordered") == 0, apart = strcmp(name, "islessgreater") == 0;
    gw_opcode op = GW_OP_CONST;
    for (size_t i = 0; i < LENGTH(comparisons); i++)
        if (strcmp(name, comparisons[i].name) == 0) op = comparisons[i].op;
    if (op == GW_OP_CONST && !unordered && !apart) return 0;
    gw_value x = argument(L, call, 0), y = argument(L, call, 1);
    gw_type type = wider(L, x, y);
    x = gw_cast(&L->b, type, x), y = gw_cast(&L->b, type, y);
    if (unordered)
        return gw_binary(&L->b, GW_OP_OR, gw_unary(&L->b, GW_OP_ISNAN, x), gw_unary(&L->b, GW_OP_ISNAN, y));
    if (apart)
        return gw_binary(&L->b, GW_OP_OR, gw_binary(&L->b, GW_OP_LT, x, y), gw_binary(&L->b, GW_OP_GT, x, y));
    return gw_binary(&L->b, op, x, y);
}

static gw_value real(gw_lowering *L, CXCursor call, unsigned i) {
    gw_value x = argument(L, call, i);
    return gw_type_is_float(gw_typeof(L->f, x)) ? x : gw_cast(&L->b, GW_T_F64, x);
}

/* No smaller than the smallest number of full precision. */
static gw_value is_full(gw_lowering *L, gw_value x) {
    const gw_type type = gw_typeof(L->f, x);
    const gw_value least = gw_real(&L->b, type, type == GW_T_F32 ? FLT_MIN : DBL_MIN);
    return gw_binary(&L->b, GW_OP_GE, gw_unary(&L->b, GW_OP_FABS, x), least);
}

static gw_value normal(gw_lowering *L, CXCursor call, const char *name) {
    if (strcmp(name, "isnormal") != 0) return 0;
    const gw_value x = real(L, call, 0);
    return gw_binary(&L->b, GW_OP_AND, is_full(L, x), gw_unary(&L->b, GW_OP_ISFINITE, x));
}

/* fpclassify(of NaN, infinite, normal, subnormal, zero, x) */
static gw_value classified(gw_lowering *L, CXCursor call, const char *name) {
    enum { NAN_, INFINITE_, NORMAL, SUBNORMAL, ZERO, CLASSES };
    gw_value of[CLASSES];
    if (strcmp(name, "fpclassify") != 0) return 0;
    for (unsigned i = 0; i < CLASSES; i++)
        of[i] = gw_cast(&L->b, GW_T_I32, argument(L, call, i));
    const gw_value x = real(L, call, CLASSES);
    const gw_value is_zero = gw_binary(&L->b, GW_OP_EQ, x, gw_real(&L->b, gw_typeof(L->f, x), 0));
    gw_value v = gw_select(&L->b, is_full(L, x), of[NORMAL], of[SUBNORMAL]);
    v = gw_select(&L->b, is_zero, of[ZERO], v);
    v = gw_select(&L->b, gw_unary(&L->b, GW_OP_ISINF, x), of[INFINITE_], v);
    return gw_select(&L->b, gw_unary(&L->b, GW_OP_ISNAN, x), of[NAN_], v);
}

/* A power with an integer exponent. */
static gw_value power(gw_lowering *L, CXCursor call, const char *name, gw_type type) {
    if (strcmp(name, "powi") != 0 && strcmp(name, "powif") != 0 && strcmp(name, "powil") != 0) return 0;
    gw_value x = gw_cast(&L->b, type, argument(L, call, 0)), n = gw_cast(&L->b, type, argument(L, call, 1));
    return gw_binary(&L->b, GW_OP_POW, x, n);
}

static gw_value folded(gw_lowering *L, CXCursor call, gw_type type) {
    int64_t integer = 0;
    double real = 0;
    bool is_real = false;
    if (type >= GW_T_SCALARS || !gw_front_evaluate(call, &integer, &real, &is_real)) return 0;
    return gw_front_constant(L, type, integer, real, is_real);
}

/* The number that these bits are, of a call whose arguments are constants; its type: of the result. */
static bool from_bits(gw_type type, const char *name, const int64_t *bits, double *real) {
    uint64_t all = (uint64_t)bits[0];
    if (strcmp(name, "__hiloint2double") == 0) all = all << 32 | (uint32_t)bits[1];
    uint32_t word = (uint32_t)all;
    float narrow;
    if (type == GW_T_F64) memcpy(real, &all, sizeof all);
    memcpy(&narrow, &word, sizeof word);
    if (type == GW_T_F32) *real = (double)narrow;
    return (type == GW_T_F64 || type == GW_T_F32) && !isnan(*real); /* of one the bits tell which */
}

gw_value gw_front_constant_bits(gw_lowering *L, CXCursor call, const char *name) {
    static const char *const names[] = {"__int_as_float", "__uint_as_float", "__longlong_as_double",
                                        "__hiloint2double"};
    bool known = false, is_real = false;
    for (size_t i = 0; i < LENGTH(names); i++) known |= strcmp(name, names[i]) == 0;
    const int count = known ? clang_Cursor_getNumArguments(call) : 0;
    int64_t bits[2] = {0};
    double real = 0;
    for (int i = 0; i < count && i < 2; i++) {
        CXCursor word = clang_Cursor_getArgument(call, (unsigned)i);
        if (!gw_front_evaluate(word, &bits[i], &real, &is_real) || is_real) return 0;
    }
    gw_type type = gw_front_shape_of(L, call);
    return count && from_bits(type, name, bits, &real) ? gw_real(&L->b, type, real) : 0;
}

bool gw_front_is_same_pointer(gw_lowering *L, CXCursor call) {
    CXCursor callee = clang_getCursorReferenced(call);
    gw_str spelled = gw_front_intern(L->u, clang_getCursorSpelling(callee));
    const char *name = gw_front_builtin_name(GW_FRONT_TEXT(L, spelled));
    return name && (strcmp(name, "assume_aligned") == 0 || strcmp(name, "launder") == 0);
}

gw_value gw_front_builtin(gw_lowering *L, CXCursor call, const char *name, gw_type type) {
    const char *plain = gw_front_builtin_name(name);
    if (!plain) return 0;
    if (strncmp(plain, "expect", 6) == 0) return gw_cast(&L->b, type, argument(L, call, 0));
    gw_value v = folded(L, call, type);
    if (!v && strcmp(plain, "constant_p") == 0) v = gw_int(&L->b, GW_T_BOOL, 0); /* compilers may say so */
    if (!v) v = count(L, call, plain);
    if (!v) v = derived_count(L, call, plain);
    if (!v) v = comparison(L, call, plain);
    if (!v) v = normal(L, call, plain);
    if (!v) v = classified(L, call, plain);
    if (!v) v = power(L, call, plain, type);
    return v ? gw_cast(&L->b, type, v) : 0;
}
