/*
 * frontend/object/half.c - half and bfloat16, and pairs of them: the rows of half.def, and what a class does
 * that is a number here.
 *
 * __half and __nv_bfloat16 are classes in the headers and scalars in the IR. They are types of cells only: a
 * value of them is a float that they can hold (types.def). What these functions compute is computed in float,
 * and gw_cast rounds it where it becomes half or bfloat16. That is what the hardware gives: of sums,
 * differences, products, quotients and roots of such numbers a float has more than twice the digits, so
 * rounding it again is rounding once; fma and the functions may differ in the last digit of a half.
 */
#include "plugin/frontend/lower.h"
#include "plugin/frontend/object/object.h"
#include "plugin/frontend/type/type.h"

#include <string.h>

static const struct {
    const char *spelling;
    gw_opcode op;
    char form;
} rows[] = {
#define GW_HALF(spelling, OP, form) {spelling, GW_OP_##OP, form},
#include "analysis/ir/half.def"
};

static bool is_pair(gw_lowering *L, gw_shape s) {
    return gw_front_shape_kind(L->u, s) == GW_SHAPE_STRUCT && gw_front_holds_half(L->u, s);
}

bool gw_front_is_half_copy(gw_lowering *L, gw_shape pair, CXCursor argument) {
    return is_pair(L, pair) && gw_front_is_half_pair(L->u, gw_front_shape_at(L->u, pair)->clang) &&
           gw_front_shape_of(L, argument) == pair;
}

/* ---- rows ---- */
typedef struct parts {
    gw_value at[3][2]; /* of each argument: a number, or both members */
    uint32_t count;
} parts;

static bool read(gw_lowering *L, const gw_cursors *arguments, bool pairs, parts *out) {
    if (arguments->count > 3) return false;
    for (uint32_t i = 0; i < arguments->count && !L->failed; i++) {
        if (!pairs) {
            out->at[i][0] = gw_front_scalar(L, arguments->at[i]);
            continue;
        }
        gw_place p = gw_front_place(L, arguments->at[i]);
        for (uint32_t k = 0; k < 2 && !L->failed; k++)
            out->at[i][k] = gw_front_load(L, gw_front_member(L, p, k));
    }
    out->count = arguments->count;
    return !L->failed;
}

static gw_value compute(gw_lowering *L, gw_opcode op, const parts *x, uint32_t k) {
    gw_value v[3];
    for (uint32_t i = 0; i < x->count; i++) v[i] = gw_cast(&L->b, GW_T_F32, x->at[i][k]);
    if (op == GW_OP_NONE) return x->at[0][k];
    if (x->count == 1) return gw_unary(&L->b, op, v[0]);
    if (x->count == 2) return gw_binary(&L->b, op, v[0], v[1]);
    return gw_pure(&L->b, op, GW_T_F32, 0, v, 3);
}

static bool fits(gw_opcode op, uint32_t arguments) {
    return op == GW_OP_NONE || gw_op_rows[op].operands == (int)arguments;
}

static void make_pair(gw_lowering *L, gw_place to, gw_value low, gw_value high) {
    gw_front_store(L, gw_front_member(L, to, 0), low);
    gw_front_store(L, gw_front_member(L, to, 1), high);
}

static bool by_row(gw_lowering *L, CXCursor call, const char *name, const gw_cursors *arguments,
                   gw_call_result *r) {
    gw_shape result = gw_front_shape_of(L, call), first = gw_front_shape_of(L, arguments->at[0]);
    bool pairs = gw_front_shape_kind(L->u, first) == GW_SHAPE_STRUCT, number = result < GW_T_SCALARS;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char form = rows[i].form;
        bool of_pairs = strchr("vwlh", form) != NULL, gives_pair = strchr("vwdp", form) != NULL;
        if (strcmp(rows[i].spelling, name) != 0 || of_pairs != pairs || gives_pair == number) continue;
        if (!fits(rows[i].op, arguments->count)) continue;
        parts x;
        if (!read(L, arguments, pairs, &x)) return true;
        if (number) {
            r->value =
                gw_cast(&L->b, form == 'q' ? GW_T_BOOL : result, compute(L, rows[i].op, &x, form == 'h'));
            return true;
        }
        r->place = gw_front_temp(L, result, 0);
        gw_value low = compute(L, rows[i].op, &x, 0), high = low;
        if (form == 'p') high = x.at[1][0];
        else if (form != 'd') high = compute(L, rows[i].op, &x, 1);
        if (!L->failed) make_pair(L, r->place, low, high);
        return true;
    }
    return false;
}

/* ---- x += y, x = y ---- */
static bool assigns(gw_lowering *L, const char *name, const gw_cursors *arguments, gw_call_result *r) {
    static const struct {
        const char *spelling;
        gw_opcode op;
    } operators[] = {{"operator=", GW_OP_NONE},  {"operator+=", GW_OP_ADD}, {"operator-=", GW_OP_SUB},
                     {"operator*=", GW_OP_MUL}, {"operator/=", GW_OP_DIV}};
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        if (strcmp(operators[i].spelling, name) != 0 || arguments->count != 2) continue;
        bool pair = is_pair(L, gw_front_shape_of(L, arguments->at[0]));
        gw_op op = operators[i].op;
        if (pair && !op) {
            r->place = gw_front_lvalues(L, gw_front_place(L, arguments->at[0]));
            if (!L->failed) gw_front_copy(L, r->place, gw_front_place(L, arguments->at[1]));
            return true;
        }
        parts y = {0};
        gw_cursors right = {.at = arguments->at + 1, .count = 1};
        if (!read(L, &right, pair, &y)) return true;
        gw_place to = gw_front_lvalues(L, gw_front_place(L, arguments->at[0]));
        for (uint32_t k = 0; k < (pair ? 2 : 1) && !L->failed; k++) {
            gw_place cell = pair ? gw_front_member(L, to, k) : to;
            gw_value v = y.at[0][k];
            if (op) v = gw_binary(&L->b, (gw_opcode)op, gw_front_load(L, cell), gw_cast(&L->b, GW_T_F32, v));
            gw_front_store(L, cell, v);
        }
        r->place = to;
        return true;
    }
    return false;
}

/* ---- constructors and conversions ---- */
static bool converts(gw_lowering *L, CXCursor call, CXCursor callee, const gw_cursors *arguments,
                     gw_call_result *r) {
    gw_shape result = gw_front_shape_of(L, call);
    if (clang_getCursorKind(callee) == CXCursor_Constructor && gw_type_is_half(result)) {
        gw_value v = arguments->count ? gw_front_scalar(L, arguments->at[0]) : gw_real(&L->b, GW_T_F32, 0);
        if (!L->failed) r->value = gw_cast(&L->b, result, v);
        return true;
    }
    if (clang_getCursorKind(callee) != CXCursor_ConversionFunction) return false;
    CXCursor base = gw_front_expression(gw_front_strip(gw_front_expression(call)));
    if (clang_Cursor_isNull(base) || !gw_type_is_half(gw_front_shape_of(L, base))) return false;
    gw_value v = gw_front_scalar(L, base);
    if (!L->failed) r->value = gw_cast(&L->b, result, v);
    return true;
}

bool gw_front_half_call(gw_lowering *L, CXCursor call, CXCursor callee, const gw_cursors *arguments,
                        gw_call_result *r) {
    gw_shape result = gw_front_shape_of(L, call);
    bool concerns =
        gw_front_shape_at(L->u, result)->kind != GW_SHAPE_POINTER && gw_front_holds_half(L->u, result);
    if (!concerns && arguments->count) {
        gw_shape first = gw_front_shape_of(L, arguments->at[0]);
        concerns = gw_type_is_half(first) || is_pair(L, first);
    }
    if (converts(L, call, callee, arguments, r)) return true;
    CXCursor scope =
        clang_getCursorKind(callee) == CXCursor_CXXMethod ? clang_getCursorSemanticParent(callee) : callee;
    if (!concerns || !arguments->count || !gw_front_in_namespace(scope, "")) return false;
    if (clang_Location_isFromMainFile(clang_getCursorLocation(callee))) return false;
    const char *name = GW_FRONT_TEXT(L, gw_front_intern(L->u, clang_getCursorSpelling(callee)));
    return assigns(L, name, arguments, r) || by_row(L, call, name, arguments, r);
}
