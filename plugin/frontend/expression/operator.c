/*
 * frontend/expression/operator.c - operators, with C's conversions and order of evaluation.
 *
 * The right side of an assignment is evaluated before the left one (C++17). A && B is an AND only where B is
 * cheap and cannot fail; otherwise B is evaluated in a branch. c ? x : y is a SELECT only where both arms
 * are there already, so that no derivative of the arm that is not taken ever appears.
 */
#include "plugin/frontend/expression/expression.h"
#include "plugin/frontend/lower.h"
#include "plugin/frontend/object/object.h"

#include <ctype.h>
#include <string.h>

static const struct {
    enum CXBinaryOperatorKind clang, compound;
    gw_opcode op;
    bool compares, shifts;
} operators[] = {
    {CXBinaryOperator_Mul, CXBinaryOperator_MulAssign, GW_OP_MUL, false, false},
    {CXBinaryOperator_Div, CXBinaryOperator_DivAssign, GW_OP_DIV, false, false},
    {CXBinaryOperator_Rem, CXBinaryOperator_RemAssign, GW_OP_REM, false, false},
    {CXBinaryOperator_Add, CXBinaryOperator_AddAssign, GW_OP_ADD, false, false},
    {CXBinaryOperator_Sub, CXBinaryOperator_SubAssign, GW_OP_SUB, false, false},
    {CXBinaryOperator_Shl, CXBinaryOperator_ShlAssign, GW_OP_SHL, false, true},
    {CXBinaryOperator_Shr, CXBinaryOperator_ShrAssign, GW_OP_SHR, false, true},
    {CXBinaryOperator_And, CXBinaryOperator_AndAssign, GW_OP_AND, false, false},
    {CXBinaryOperator_Xor, CXBinaryOperator_XorAssign, GW_OP_XOR, false, false},
    {CXBinaryOperator_Or, CXBinaryOperator_OrAssign, GW_OP_OR, false, false},
    {CXBinaryOperator_LT, CXBinaryOperator_Invalid, GW_OP_LT, true, false},
    {CXBinaryOperator_GT, CXBinaryOperator_Invalid, GW_OP_GT, true, false},
    {CXBinaryOperator_LE, CXBinaryOperator_Invalid, GW_OP_LE, true, false},
    {CXBinaryOperator_GE, CXBinaryOperator_Invalid, GW_OP_GE, true, false},
    {CXBinaryOperator_EQ, CXBinaryOperator_Invalid, GW_OP_EQ, true, false},
    {CXBinaryOperator_NE, CXBinaryOperator_Invalid, GW_OP_NE, true, false},
};
enum { OPERATORS = sizeof operators / sizeof *operators };

static gw_type promote(gw_type t) { return gw_type_is_float(t) || gw_type_bits(t) >= 32 ? t : GW_T_I32; }

/* The usual arithmetic conversions. */
static gw_type common_type(gw_type x, gw_type y) {
    x = promote(x), y = promote(y);
    if (gw_type_is_float(x) || gw_type_is_float(y)) {
        if (!gw_type_is_float(x)) return y;
        if (!gw_type_is_float(y)) return x;
    }
    if (gw_type_bits(x) != gw_type_bits(y)) return gw_type_bits(x) > gw_type_bits(y) ? x : y;
    return gw_type_is_signed(x) ? y : x;
}

static gw_value apply(gw_lowering *L, int row, gw_value x, gw_value y) {
    gw_type a = gw_typeof(L->f, x), b = gw_typeof(L->f, y);
    gw_type type = operators[row].shifts ? promote(a) : common_type(a, b);
    bool boolean = a == GW_T_BOOL && b == GW_T_BOOL && operators[row].compares;
    if (boolean) type = GW_T_BOOL;
    x = gw_cast(&L->b, type, x);
    if (!operators[row].shifts) y = gw_cast(&L->b, type, y);
    return gw_binary(&L->b, operators[row].op, x, y);
}

static gw_value logical(gw_lowering *L, CXCursor left, CXCursor right, bool is_and) {
    gw_value x = gw_front_condition(L, left);
    uint32_t slot = gw_front_slot(L, GW_SLOT_SCALAR, GW_T_BOOL, 0);
    gw_branch side = gw_front_branch_begin(L);
    gw_value y = gw_front_condition(L, right);
    gw_front_branch_end(L, &side);
    if (gw_front_branch_cheap(L, &side)) {
        gw_front_branch_splice(L, &side);
        return gw_binary(&L->b, is_and ? GW_OP_AND : GW_OP_OR, x, y);
    }
    gw_front_branch_resume(L, &side);
    gw_front_slot_set(L, slot, y);
    gw_front_branch_end(L, &side);
    gw_branch other = gw_front_branch_begin(L);
    gw_front_slot_set(L, slot, gw_int(&L->b, GW_T_BOOL, !is_and));
    gw_front_branch_end(L, &other);
    gw_front_branch_join(L, x, is_and ? &side : &other, is_and ? &other : &side);
    gw_front_unthrown_begin(L);
    return gw_front_slot_value(L, slot);
}

/* Comparison and difference of pointers into one array, and with null. */
static gw_value pointers(gw_lowering *L, CXCursor e, const gw_cursors *parts, int row) {
    gw_place p[2];
    gw_opcode op = operators[row].op;
    for (int i = 0; i < 2; i++)
        p[i] = gw_front_pointer(L, parts->at[i]);
    bool equality = op == GW_OP_EQ || op == GW_OP_NE, is_null = p[1].kind == GW_PLACE_NULL;
    if (L->failed) return gw_int(&L->b, GW_T_BOOL, 0);
    if (equality && (is_null || p[0].kind == GW_PLACE_NULL)) {
        gw_value v = gw_front_is_null(L, p[!is_null], e);
        return op == GW_OP_EQ ? v : gw_unary(&L->b, GW_OP_NOT, v);
    }
    if (equality && gw_front_is_copied(L, p[0].object) && p[0].object == p[1].object) {
        gw_front_refuse(L, e, "a comparison of addresses of a variable of which each source has its own",
                        "compare indices, or declare it extern in the header, and define it in one source");
        return gw_int(&L->b, GW_T_BOOL, 0);
    }
    gw_value v = operators[row].compares || op == GW_OP_SUB ? gw_front_compare(L, &p[0], &p[1], op) : 0;
    if (v) return v;
    gw_front_refuse(L, e, "this comparison of pointers", "compare pointers into one array, or indices");
    return gw_int(&L->b, GW_T_BOOL, 0);
}

static gw_value binary(gw_lowering *L, CXCursor e, const gw_cursors *parts) {
    enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(e);
    if (kind == CXBinaryOperator_Assign) return gw_front_load(L, gw_front_assign(L, e));
    if (kind == CXBinaryOperator_LAnd || kind == CXBinaryOperator_LOr)
        return logical(L, parts->at[0], parts->at[1], kind == CXBinaryOperator_LAnd);
    if (kind == CXBinaryOperator_Comma) {
        gw_front_effect(L, parts->at[0]);
        return gw_front_scalar(L, parts->at[1]);
    }
    int row = 0;
    while (row < OPERATORS && operators[row].clang != kind)
        row++;
    if (row == OPERATORS) {
        gw_front_refuse(L, e, "this operator", "write it with plain operators");
        return gw_int(&L->b, GW_T_I32, 0);
    }
    for (int i = 0; i < 2; i++) {
        if (gw_front_shape_kind(L->u, gw_front_shape_of(L, parts->at[i])) == GW_SHAPE_POINTER)
            return pointers(L, e, parts, row);
        if (gw_front_is_complex(L, parts->at[i]))
            return gw_front_complex_compare(L, parts->at[0], parts->at[1], operators[row].op == GW_OP_NE);
    }
    gw_value x = gw_front_scalar(L, parts->at[0]), y = gw_front_scalar(L, parts->at[1]);
    return L->failed ? x : apply(L, row, x, y);
}

gw_value gw_front_binary(gw_lowering *L, CXCursor e) {
    gw_cursors parts = {0};
    gw_front_expressions(e, &parts);
    gw_value v = 0;
    if (parts.count == 2)
        v = binary(L, e, &parts);
    else
        gw_front_refuse(L, e, "this operator", "write it with plain operators");
    gw_vec_free(&parts);
    return v ? v : gw_int(&L->b, GW_T_I32, 0);
}

gw_value gw_front_unary(gw_lowering *L, CXCursor e) {
    enum CXUnaryOperatorKind kind = clang_getCursorUnaryOperatorKind(e);
    CXCursor inner = gw_front_expression(e);
    gw_place target;
    gw_value old = 0, v;
    switch (kind) {
    case CXUnaryOperator_PostInc:
    case CXUnaryOperator_PostDec:
        gw_front_increment(L, e, &old, &target);
        return old ? old : gw_front_zero(L, GW_T_I32);
    case CXUnaryOperator_PreInc:
    case CXUnaryOperator_PreDec:
    case CXUnaryOperator_Deref:
    case CXUnaryOperator_Real:
    case CXUnaryOperator_Imag:
        return gw_front_load(L, gw_front_place(L, e));
    case CXUnaryOperator_LNot:
        return gw_unary(&L->b, GW_OP_NOT, gw_front_condition(L, inner));
    case CXUnaryOperator_Plus:
    case CXUnaryOperator_Extension:
        return gw_front_scalar(L, inner);
    case CXUnaryOperator_Minus:
    case CXUnaryOperator_Not:
        v = gw_front_scalar(L, inner);
        v = gw_cast(&L->b, promote(gw_typeof(L->f, v)), v);
        return gw_unary(&L->b, kind == CXUnaryOperator_Not ? GW_OP_NOT : GW_OP_NEG, v);
    default:
        gw_front_refuse(L, e, "this operator", "write it with plain operators");
        return gw_front_zero(L, GW_T_I32);
    }
}

static gw_place assign_plain(gw_lowering *L, const gw_cursors *parts) {
    gw_shape_kind kind = gw_front_shape_kind(L->u, gw_front_shape_of(L, parts->at[0]));
    gw_place to;
    if (kind == GW_SHAPE_SCALAR) {
        gw_value v = gw_front_scalar(L, parts->at[1]);
        to = gw_front_lvalues(L, gw_front_place(L, parts->at[0]));
        gw_front_store(L, to, v);
    } else if (kind == GW_SHAPE_POINTER) {
        gw_place target = gw_front_pointer(L, parts->at[1]);
        to = gw_front_lvalues(L, gw_front_place(L, parts->at[0]));
        if (!L->failed) gw_front_point(L, to, target);
    } else {
        gw_place from = gw_front_place(L, parts->at[1]);
        to = gw_front_lvalues(L, gw_front_place(L, parts->at[0]));
        gw_front_copy(L, to, from);
    }
    return to;
}

static int compound_row(CXCursor e) {
    enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(e);
    int row = 0;
    while (row < OPERATORS - 1 && operators[row].compound != kind)
        row++;
    return row;
}

static gw_place assign_compound(gw_lowering *L, CXCursor e, const gw_cursors *parts) {
    int row = compound_row(e);
    gw_value y = gw_front_scalar(L, parts->at[1]);
    gw_place to = gw_front_lvalues(L, gw_front_place(L, parts->at[0]));
    if (L->failed) return to;
    if (gw_front_shape_kind(L->u, to.shape) == GW_SHAPE_POINTER) {
        gw_place t = gw_front_target(L, to);
        gw_front_point(L, to, gw_front_advance(L, t, y, operators[row].op == GW_OP_SUB));
    } else {
        gw_front_store(L, to, apply(L, row, gw_front_load(L, to), y));
    }
    return to;
}

typedef struct chosen_assignment {
    CXCursor e;
    gw_value value;
    gw_place result;
} chosen_assignment;

static bool is_choice(gw_lowering *L, CXCursor e) {
    return clang_getCursorKind(e) == CXCursor_ConditionalOperator && gw_front_kind_of(L, e) == GW_SHAPE_SCALAR;
}

static void assign_arm(gw_lowering *L, const chosen_assignment *a, CXCursor left) {
    left = gw_front_strip(left);
    if (!is_choice(L, left)) {
        bool compound = clang_getCursorKind(a->e) == CXCursor_CompoundAssignOperator;
        gw_place to = gw_front_lvalues(L, gw_front_place(L, left));
        if (L->failed) return;
        gw_value v = compound ? apply(L, compound_row(a->e), gw_front_load(L, to), a->value) : a->value;
        gw_front_store(L, to, v);
        gw_front_copy(L, a->result, to);
        return;
    }
    gw_cursors parts = {0};
    gw_front_expressions(left, &parts);
    gw_value condition = gw_front_condition(L, parts.at[0]);
    gw_branch side[2];
    for (int i = 0; i < 2; i++) {
        side[i] = gw_front_branch_begin(L);
        assign_arm(L, a, parts.at[1 + i]);
        gw_front_branch_end(L, &side[i]);
    }
    gw_front_branch_join(L, condition, &side[0], &side[1]);
    gw_front_unthrown_begin(L);
    gw_vec_free(&parts);
}

/* (c ? a : b) = x: the right side first, then in each branch an assignment to its arm. */
static gw_place assign_chosen(gw_lowering *L, CXCursor e, CXCursor choice, CXCursor right) {
    chosen_assignment a = {.e = e, .value = gw_front_scalar(L, right)};
    a.result = gw_front_temp(L, gw_front_shape_of(L, e), 0);
    assign_arm(L, &a, choice);
    a.result.read_only = a.result.stale = true;
    return a.result;
}

gw_place gw_front_assign(gw_lowering *L, CXCursor e) {
    gw_cursors parts = {0};
    gw_front_expressions(e, &parts);
    gw_place to = {0};
    CXCursor left = parts.count == 2 ? gw_front_strip(parts.at[0]) : clang_getNullCursor();
    if (parts.count != 2)
        gw_front_refuse(L, e, "this assignment", "assign plain variables");
    else if (is_choice(L, left))
        to = assign_chosen(L, e, left, parts.at[1]);
    else if (clang_getCursorKind(e) == CXCursor_CompoundAssignOperator && gw_front_is_complex(L, left))
        to = gw_front_complex_assign(L, e, left, parts.at[1]);
    else if (clang_getCursorKind(e) == CXCursor_CompoundAssignOperator)
        to = assign_compound(L, e, &parts);
    else
        to = assign_plain(L, &parts);
    gw_vec_free(&parts);
    return to;
}

gw_place gw_front_increment(gw_lowering *L, CXCursor e, gw_value *old, gw_place *old_target) {
    enum CXUnaryOperatorKind kind = clang_getCursorUnaryOperatorKind(e);
    bool back = kind == CXUnaryOperator_PostDec || kind == CXUnaryOperator_PreDec;
    gw_place p = gw_front_lvalues(L, gw_front_place(L, gw_front_expression(e)));
    if (L->failed) return p;
    if (gw_front_shape_kind(L->u, p.shape) == GW_SHAPE_POINTER) {
        *old_target = gw_front_target(L, p);
        gw_front_point(L, p, gw_front_advance(L, *old_target, gw_int(&L->b, GW_T_I32, 1), back));
        return p;
    }
    *old = gw_front_load(L, p);
    if (L->failed) return p;
    gw_type type = promote(gw_typeof(L->f, *old));
    gw_value one = gw_front_constant(L, type, 1, 0, false);
    gw_front_store(L, p, gw_binary(&L->b, back ? GW_OP_SUB : GW_OP_ADD, gw_cast(&L->b, type, *old), one));
    return p;
}

void gw_front_choose(gw_lowering *L, CXCursor e, gw_place to) {
    gw_cursors parts = {0};
    gw_front_expressions(e, &parts);
    gw_value condition = gw_front_condition(L, parts.at[0]);
    gw_branch side[2];
    for (int i = 0; i < 2; i++) {
        side[i] = gw_front_branch_begin(L);
        gw_front_initialize(L, to, parts.at[1 + i]);
        gw_front_branch_end(L, &side[i]);
    }
    gw_front_branch_join(L, condition, &side[0], &side[1]);
    gw_front_unthrown_begin(L);
    gw_vec_free(&parts);
}

/* x ?: y has the children x, x as a condition, x as a result, y. */
bool gw_front_has_one_arm(CXCursor e) {
    gw_cursors parts = {0};
    if (clang_getCursorKind(e) != CXCursor_UnexposedExpr) return false;
    gw_front_expressions(e, &parts);
    bool one = parts.count == 4 &&
               clang_equalRanges(clang_getCursorExtent(parts.at[0]), clang_getCursorExtent(parts.at[2])) != 0;
    gw_vec_free(&parts);
    return one;
}

/* What a choice gives where its condition is so; `only`: the condition of x ?: y, which is its value too. */
static gw_value arm(gw_lowering *L, const gw_cursors *parts, gw_value only, bool holds) {
    if (only && holds) return only;
    uint32_t second = only ? 3 : 2;
    return gw_front_scalar(L, parts->at[holds ? 1 : second]);
}

gw_value gw_front_choose_scalar(gw_lowering *L, CXCursor e) {
    gw_cursors parts = {0};
    gw_front_expressions(e, &parts);
    gw_type type = gw_front_shape_of(L, e);
    gw_value only = parts.count == 4 ? gw_front_scalar(L, parts.at[0]) : 0;
    gw_value condition = only ? gw_cast(&L->b, GW_T_BOOL, only) : gw_front_condition(L, parts.at[0]), value[2];
    int64_t known;
    if (gw_const_int(L->f, condition, &known)) { /* the other arm may read through a null pointer */
        gw_value v = arm(L, &parts, only, known != 0);
        gw_vec_free(&parts);
        return gw_cast(&L->b, type, v);
    }
    uint32_t slot = gw_front_slot(L, GW_SLOT_SCALAR, type, 0);
    gw_branch side[2];
    for (int i = 0; i < 2; i++) {
        side[i] = gw_front_branch_begin(L);
        gw_value v = arm(L, &parts, only, i == 0);
        value[i] = gw_cast(&L->b, type, v);
        gw_front_branch_end(L, &side[i]);
    }
    gw_vec_free(&parts);
    if (gw_front_branch_constant(L, &side[0]) && gw_front_branch_constant(L, &side[1])) {
        gw_front_branch_splice(L, &side[0]);
        gw_front_branch_splice(L, &side[1]);
        return gw_select(&L->b, condition, value[0], value[1]);
    }
    for (int i = 0; i < 2; i++) {
        gw_front_branch_resume(L, &side[i]);
        gw_front_slot_set(L, slot, value[i]);
        gw_front_branch_end(L, &side[i]);
    }
    gw_front_branch_join(L, condition, &side[0], &side[1]);
    gw_front_unthrown_begin(L);
    return gw_front_slot_value(L, slot);
}
