/*
 * frontend/expression/expression.c - expressions: scalars, effects and initialisation.
 *
 * libclang shows implicit casts as UnexposedExpr without saying which cast it is; what it does follows from
 * the types on both sides: a number is cast, an array decays, a place of the same shape is passed through.
 * Everything that is not listed is refused by name.
 */
#include "plugin/frontend/call/call.h"
#include "plugin/frontend/device/device.h"
#include "plugin/frontend/expression/expression.h"
#include "plugin/frontend/kernel/kernel.h"
#include "plugin/frontend/lower.h"
#include "plugin/frontend/object/object.h"
#include "plugin/frontend/type/type.h"

#include "analysis/ir/device.h"

#include <string.h>

static gw_value evaluated(gw_lowering *L, CXCursor e) {
    int64_t integer = 0;
    double real = 0;
    bool is_real = false;
    gw_shape shape = gw_front_shape_of(L, e);
    if (gw_front_shape_kind(L->u, shape) == GW_SHAPE_SCALAR && gw_front_evaluate(e, &integer, &real, &is_real))
        return gw_front_constant(L, shape, integer, real, is_real);
    gw_front_refuse_kind(L, e);
    return gw_int(&L->b, GW_T_I32, 0);
}

/* Constants of the source: enumerators, template arguments, constexpr and const variables with a value. */
static gw_value named_constant(gw_lowering *L, CXCursor e, CXCursor decl) {
    enum CXCursorKind kind = clang_getCursorKind(decl);
    if (clang_Cursor_isNull(decl) || clang_isInvalid(kind) || kind == CXCursor_NonTypeTemplateParameter)
        return evaluated(L, e);
    if (kind == CXCursor_EnumConstantDecl)
        return gw_front_constant(L, gw_front_shape_of(L, e), clang_getEnumConstantDeclValue(decl), 0, false);
    CXType type = clang_getCanonicalType(clang_getCursorType(decl));
    if (gw_front_is_of_variable_template(decl) && clang_isConstQualifiedType(type)) return evaluated(L, e);
    if (kind != CXCursor_VarDecl || !clang_isConstQualifiedType(type)) return 0;
    if (clang_Cursor_hasVarDeclGlobalStorage(decl) != 1 ||
        gw_front_has_attribute(decl, CXCursor_CUDAConstantAttr))
        return 0;
    gw_shape shape = gw_front_shape(L->u, type);
    if (gw_front_shape_kind(L->u, shape) != GW_SHAPE_SCALAR) return 0;
    int64_t integer = 0;
    double real = 0;
    bool is_real = false;
    if (clang_Cursor_isNull(clang_Cursor_getVarDeclInitializer(decl))) return 0;
    if (strcmp(GW_FRONT_TEXT(L, gw_front_intern(L->u, clang_getCursorSpelling(decl))), "warpSize") == 0)
        return 0;
    if (!gw_front_evaluate(decl, &integer, &real, &is_real)) return 0;
    return gw_front_constant(L, shape, integer, real, is_real);
}

static bool is_warp_size(gw_lowering *L, CXCursor decl) {
    return clang_getCursorKind(decl) == CXCursor_VarDecl && gw_front_in_namespace(decl, "") &&
           strcmp(GW_FRONT_TEXT(L, gw_front_intern(L->u, clang_getCursorSpelling(decl))), "warpSize") == 0;
}

static gw_value name(gw_lowering *L, CXCursor e) {
    CXCursor decl = clang_getCursorReferenced(e);
    if (L->session->is_cuda && is_warp_size(L, decl)) return gw_int(&L->b, GW_T_I32, 32);
    gw_value v = named_constant(L, e, decl);
    return v ? v : gw_front_load(L, gw_front_place(L, e));
}

static gw_value member(gw_lowering *L, CXCursor e) {
    gw_value v = gw_front_special(L, e);
    if (v) return v;
    enum CXCursorKind kind = clang_getCursorKind(clang_getCursorReferenced(e));
    if (kind == CXCursor_EnumConstantDecl || kind == CXCursor_VarDecl) return name(L, e);
    return gw_front_load(L, gw_front_place(L, e));
}

/* assert(x && "why"): text as a condition is true. */
static bool is_text(gw_lowering *L, CXCursor e) {
    while (!clang_Cursor_isNull(e) &&
           (clang_getCursorKind(e) == CXCursor_UnexposedExpr || clang_getCursorKind(e) == CXCursor_ParenExpr))
        e = gw_front_expression(e);
    return !L->failed && clang_getCursorKind(e) == CXCursor_StringLiteral;
}

static gw_value cast(gw_lowering *L, CXCursor e) {
    CXCursor inner = gw_front_operand(L, e);
    if (clang_Cursor_isNull(inner)) return evaluated(L, e);
    if (gw_front_shape_of(L, e) == GW_T_BOOL && is_text(L, inner)) return gw_int(&L->b, GW_T_BOOL, 1);
    gw_shape_kind from = gw_front_kind_of(L, inner);
    if (gw_front_is_complex(L, inner)) return gw_front_complex_to_real(L, e, inner);
    if (from == GW_SHAPE_POINTER && gw_front_shape_of(L, e) == GW_T_BOOL) return gw_front_condition(L, inner);
    if (from == GW_SHAPE_POINTER && L->is_program)
        return gw_front_address_number(L, gw_front_pointer(L, inner), e);
    if (from == GW_SHAPE_POINTER || from == GW_SHAPE_ARRAY) {
        gw_front_pointer(L, inner);
        return gw_front_unknown_address(L, gw_front_shape_at(L->u, gw_front_shape_of(L, e))->type);
    }
    return gw_front_scalar(L, inner);
}

/* reinterpret_cast<uintptr_t>(p) */
static bool is_address_number(gw_lowering *L, CXCursor e) {
    return gw_front_kind_of(L, e) == GW_SHAPE_SCALAR &&
           gw_type_is_integer(gw_front_shape_at(L->u, gw_front_shape_of(L, e))->type) &&
           gw_front_kind_of(L, gw_front_operand(L, e)) == GW_SHAPE_POINTER;
}

static gw_value called(gw_lowering *L, CXCursor e) {
    gw_call_result r = gw_front_call(L, e);
    if (r.value || L->failed) return r.value ? r.value : gw_int(&L->b, GW_T_I32, 0);
    return gw_front_load(L, r.place);
}

static gw_value copied(gw_lowering *L, CXCursor e) {
    gw_place t = gw_front_temp(L, gw_front_shape_of(L, e), 0);
    gw_front_statement_value(L, t, e);
    return gw_front_load(L, t);
}

static gw_value scalar(gw_lowering *L, CXCursor e) {
    enum CXCursorKind kind = clang_getCursorKind(e);
    if (gw_front_has_one_arm(e)) return gw_front_choose_scalar(L, e);
    if (gw_front_is_cast(kind) && (kind != CXCursor_CXXReinterpretCastExpr || is_address_number(L, e)))
        return cast(L, e);
    switch (kind) {
    case CXCursor_IntegerLiteral:
    case CXCursor_FloatingLiteral:
    case CXCursor_CharacterLiteral:
    case CXCursor_CXXBoolLiteralExpr:
    case CXCursor_UnaryExpr:
    case CXCursor_SizeOfPackExpr:
        return evaluated(L, e);
    case CXCursor_ParenExpr:
        return gw_front_scalar(L, gw_front_expression(e));
    case CXCursor_GenericSelectionExpr:
        if (!clang_equalCursors(gw_front_strip(e), e)) return gw_front_scalar(L, gw_front_strip(e));
        gw_front_refuse_kind(L, e);
        return gw_int(&L->b, GW_T_I32, 0);
    case CXCursor_DeclRefExpr:
        return name(L, e);
    case CXCursor_MemberRefExpr:
        return member(L, e);
    case CXCursor_ArraySubscriptExpr:
        return gw_front_load(L, gw_front_place(L, e));
    case CXCursor_UnaryOperator:
        return gw_front_unary(L, e);
    case CXCursor_BinaryOperator:
        return gw_front_binary(L, e);
    case CXCursor_CompoundAssignOperator:
        return gw_front_load(L, gw_front_assign(L, e));
    case CXCursor_ConditionalOperator:
        return gw_front_choose_scalar(L, e);
    case CXCursor_CallExpr:
        return called(L, e);
    case CXCursor_StmtExpr:
        return copied(L, e);
    case CXCursor_CXXThrowExpr: /* c ? x : throw e */
        gw_front_effect(L, e);
        return gw_int(&L->b, GW_T_I32, 0);
    case CXCursor_InitListExpr: {
        CXCursor inner = gw_front_expression(e);
        if (!clang_Cursor_isNull(inner)) return gw_front_scalar(L, inner);
        return gw_front_zero(L, gw_front_shape_of(L, e));
    }
    default:
        gw_front_refuse_kind(L, e);
        return gw_int(&L->b, GW_T_I32, 0);
    }
}

/* In C a comparison is an int: the conversion there and back is none. */
static gw_value truth(gw_lowering *L, gw_value v) {
    gw_op op = gw_value_at(L->f, v)->op;
    bool widened =
        op && gw_op_at(L->f, op)->code == GW_OP_CAST && gw_typeof(L->f, gw_operand(L->f, op, 0)) == GW_T_BOOL;
    return widened ? gw_operand(L->f, op, 0) : gw_cast(&L->b, GW_T_BOOL, v);
}

/* The function's own variables have such a handle as a number already. */
static bool is_from_outside(const gw_lowering *L, gw_value v) {
    const gw_op op = gw_value_at(L->f, v)->op;
    return !op || gw_op_at(L->f, op)->code == GW_OP_LOAD;
}

gw_value gw_front_scalar(gw_lowering *L, CXCursor e) {
    if (L->failed) return gw_int(&L->b, GW_T_I32, 0);
    if (gw_front_is_complex(L, e)) {
        gw_front_refuse(L, e, "a complex number where a real one is meant",
                        "write creal or cabs, or compare it with 0");
        return gw_int(&L->b, GW_T_I32, 0);
    }
    gw_loc outer = L->b.loc;
    gw_front_locate(L, e);
    gw_value v = scalar(L, e);
    gw_shape shape = gw_front_shape_of(L, e);
    if (!L->failed && shape != GW_T_VOID && gw_front_shape_kind(L->u, shape) == GW_SHAPE_SCALAR)
        v = shape == GW_T_BOOL ? truth(L, v) : gw_cast(&L->b, shape, v);
    if (!L->failed && shape == GW_T_I64 && gw_front_keeps_name(L->u, clang_getCursorType(e)) &&
        is_from_outside(L, v))
        v = gw_unary(&L->b, GW_OP_HANDLE, v);
    L->b.loc = outer;
    return v;
}

/* A pointer, in C without a conversion, means that it is not null. */
gw_value gw_front_condition(gw_lowering *L, CXCursor e) {
    if (gw_front_kind_of(L, e) != GW_SHAPE_POINTER) return truth(L, gw_front_scalar(L, e));
    gw_place p = gw_front_pointer(L, e);
    return gw_unary(&L->b, GW_OP_NOT, gw_front_is_null(L, p, e));
}

/* ---- effects and initialisation ---- */
static void effect_of_choice(gw_lowering *L, CXCursor e) {
    gw_cursors parts = {0};
    gw_front_expressions(e, &parts);
    gw_front_branch_either(L, gw_front_condition(L, parts.at[0]), parts.at + 1, gw_front_effect);
    gw_front_unthrown_begin(L);
    gw_vec_free(&parts);
}

void gw_front_effect(gw_lowering *L, CXCursor e) {
    if (L->failed) return;
    enum CXCursorKind kind = clang_getCursorKind(e);
    gw_shape shape = gw_front_shape_of(L, e);
    gw_loc outer = L->b.loc;
    gw_front_locate(L, e);
    if (gw_front_is_cast(kind) || kind == CXCursor_ParenExpr) {
        CXCursor inner = gw_front_operand(L, e);
        if (!clang_Cursor_isNull(inner)) gw_front_effect(L, inner);
    } else if (clang_getCursorUnaryOperatorKind(e) == CXUnaryOperator_Extension) {
        gw_front_effect(L, gw_front_expression(e));
    } else if (kind == CXCursor_StmtExpr && shape == GW_T_VOID) {
        gw_front_statement(L, gw_front_body(e));
        gw_front_unthrown_begin(L);
    } else if (kind == CXCursor_CallExpr && gw_front_is_free(L, e)) {
        gw_front_free(L, e, clang_Cursor_getArgument(e, 0));
    } else if (kind == CXCursor_CXXDeleteExpr) {
        gw_front_free(L, e, gw_front_expression(e));
    } else if (kind == CXCursor_CallExpr && gw_front_atomic(L, e, NULL)) {
        /* lowered */
    } else if (kind == CXCursor_CXXThrowExpr && L->is_program) {
        gw_front_stop(L);
    } else if (kind == CXCursor_CXXThrowExpr && L->f->kind == GW_FUNC_HOST) {
        gw_front_throw(L, e);
    } else if (kind == CXCursor_CallExpr) {
        L->discards = true;
        gw_front_call(L, e);
        L->discards = false;
    } else if (kind == CXCursor_CompoundAssignOperator ||
               clang_getCursorBinaryOperatorKind(e) == CXBinaryOperator_Assign) {
        gw_front_assign(L, e);
    } else if (clang_getCursorBinaryOperatorKind(e) == CXBinaryOperator_Comma) {
        gw_cursors parts = {0};
        gw_front_expressions(e, &parts);
        for (uint32_t i = 0; i < parts.count; i++)
            gw_front_effect(L, parts.at[i]);
        gw_vec_free(&parts);
    } else if (kind == CXCursor_ConditionalOperator && shape == GW_T_VOID) {
        effect_of_choice(L, e);
    } else if (kind == CXCursor_StringLiteral || kind == CXCursor_DeclRefExpr) {
        /* no effect */
    } else if (gw_front_shape_kind(L->u, shape) == GW_SHAPE_SCALAR) {
        gw_front_scalar(L, e);
    } else if (gw_front_shape_kind(L->u, shape) == GW_SHAPE_POINTER) {
        gw_front_pointer(L, e);
    } else {
        gw_front_place(L, e);
    }
    L->b.loc = outer;
}

/* The function's result is the object. */
static void initialize_by_call(gw_lowering *L, gw_place to, CXCursor call) {
    gw_place made = gw_front_call(L, call).place;
    gw_front_disown(L, made);
    gw_front_copy(L, to, made);
}

static void initialize_aggregate(gw_lowering *L, gw_place to, CXCursor e) {
    enum CXCursorKind kind = clang_getCursorKind(e);
    CXCursor inner = gw_front_is_cast(kind) ? gw_front_operand(L, e) : clang_getNullCursor();
    bool constructor =
        kind == CXCursor_CallExpr && clang_getCursorKind(clang_getCursorReferenced(e)) == CXCursor_Constructor;
    gw_cursors list = {&e, 1, 1};
    if (kind == CXCursor_InitListExpr && gw_front_shape_at(L->u, to.shape)->is_list)
        gw_front_vector_fill(L, to, &list, e);
    else if (kind == CXCursor_InitListExpr)
        gw_front_initializer_list(L, to, e);
    else if (gw_front_is_text(L, to, e))
        gw_front_text(L, to, e);
    else if (constructor)
        gw_front_construct(L, to, e);
    else if (kind == CXCursor_LambdaExpr)
        gw_front_closure(L, to, e);
    else if (kind == CXCursor_StmtExpr)
        gw_front_statement_value(L, to, e);
    else if (kind == CXCursor_ConditionalOperator)
        gw_front_choose(L, e, to);
    else if (!clang_Cursor_isNull(inner) && kind != CXCursor_UnexposedExpr &&
             gw_front_cast_reference(L, e, inner))
        gw_front_copy_value(L, to, e);
    else if (!clang_Cursor_isNull(inner))
        gw_front_initialize(L, to, inner);
    else if (gw_front_is_cast(kind))
        gw_front_clear(L, to);
    else if (kind == CXCursor_CallExpr && !gw_front_returns_reference(e))
        initialize_by_call(L, to, e);
    else if (kind == CXCursor_CallExpr || clang_getCursorKind(e) == CXCursor_DeclRefExpr ||
             kind == CXCursor_MemberRefExpr || kind == CXCursor_ArraySubscriptExpr ||
             kind == CXCursor_UnaryOperator || kind == CXCursor_BinaryOperator)
        gw_front_copy_value(L, to, e);
    else
        gw_front_refuse_kind(L, e);
}

/* A member that is a reference. */
static void refer(gw_lowering *L, gw_place to, CXCursor e) {
    if (clang_getCursorKind(e) == CXCursor_InitListExpr) e = gw_front_expression(e);
    const gw_place target = gw_front_lvalues(L, gw_front_place(L, e));
    if (!L->failed && target.stale)
        gw_front_refuse(L, e, "a reference that may lead to two objects", "use a copy, or an if");
    if (!L->failed) gw_front_point(L, to, target);
}

/* A list shows no conversion of what is in it: &circle for a pointer to a shape. */
static gw_place pointer_for(gw_lowering *L, gw_shape pointer, CXCursor e) {
    gw_place target = gw_front_pointer(L, e);
    const gw_shape wanted = gw_front_pointee(L->u, pointer);
    const bool is_object = target.kind == GW_PLACE_SLOTS || target.kind == GW_PLACE_MEMORY ||
                           target.kind == GW_PLACE_CHOICE;
    if (!L->failed && is_object && gw_front_is_derived(L, target.shape, wanted))
        gw_front_recast(L, &target, wanted);
    return target;
}

void gw_front_initialize(gw_lowering *L, gw_place to, CXCursor e) {
    if (L->failed) return;
    gw_loc outer = L->b.loc;
    gw_front_locate(L, e);
    gw_shape_kind kind = gw_front_shape_kind(L->u, to.shape);
    e = gw_front_strip(e);
    if (gw_front_is_passed_class(L, to.shape))
        gw_front_passed_effects(L, e);
    else if (kind == GW_SHAPE_SCALAR)
        gw_front_store(L, to, gw_front_scalar(L, e));
    else if (kind == GW_SHAPE_POINTER && gw_front_shape_at(L->u, to.shape)->is_reference)
        refer(L, to, e);
    else if (kind == GW_SHAPE_POINTER)
        gw_front_point(L, to, pointer_for(L, to.shape, e));
    else if (gw_front_is_complex(L, e))
        gw_front_complex_initialize(L, to, e);
    else
        initialize_aggregate(L, to, e);
    L->b.loc = outer;
}
