/*
 * frontend/expression/pointer.c - expressions of pointer type: the place that they lead to.
 *
 * A pointer is an object, a path and an offset; the object and the path are known at compile time, so a
 * pointer that could lead into two objects is refused where it is used.
 */
#include "plugin/frontend/call/call.h"
#include "plugin/frontend/expression/expression.h"
#include "plugin/frontend/lower.h"
#include "plugin/frontend/object/object.h"
#include "plugin/frontend/type/type.h"

static gw_place decay(gw_lowering *L, gw_place array) {
    if (L->failed) return array;
    gw_place first = gw_front_element(L, array, gw_int(&L->b, GW_T_I32, 0));
    if (!L->failed) gw_front_row_mark(L, &first);
    return first;
}

/* The value of a place of pointer or array type. */
static gw_place value_of(gw_lowering *L, gw_place place) {
    if (L->failed) return place;
    return gw_front_shape_kind(L->u, place.shape) == GW_SHAPE_ARRAY ? decay(L, place)
                                                                    : gw_front_target(L, place);
}

/* An array of unknown size becomes a pointer to its first element; place/shared.c knows what it consists of. */
static bool is_decay(CXCursor e, CXCursor inner) {
    return clang_getCursorKind(e) == CXCursor_UnexposedExpr &&
           clang_getCanonicalType(clang_getCursorType(inner)).kind == CXType_IncompleteArray;
}

/* The operand of a cast. A function that returns `void *` may have allocated it: `(T *)aligned_malloc(n)`. */
static gw_place called_as(gw_lowering *L, CXCursor inner, CXType to) {
    const CXType before = L->raw;
    const CXType given = clang_getPointeeType(clang_getCanonicalType(clang_getCursorType(inner)));
    if (clang_getCursorKind(inner) == CXCursor_CallExpr && given.kind == CXType_Void) L->raw = to;
    gw_place p = gw_front_pointer(L, inner);
    L->raw = before;
    return p;
}

static gw_place cast(gw_lowering *L, CXCursor e) {
    CXCursor inner = gw_front_operand(L, e);
    if (clang_Cursor_isNull(inner) || L->failed) return (gw_place){0};
    gw_shape to = gw_front_shape_of(L, e);
    if (gw_front_is_allocation(L, inner)) return gw_front_allocation(L, inner, clang_getCursorType(e));
    if (gw_front_shape_kind(L->u, gw_front_shape_of(L, inner)) == GW_SHAPE_SCALAR) {
        int64_t n = 0;
        double real;
        bool is_real;
        if (gw_front_evaluate(inner, &n, &real, &is_real) && n == 0) return (gw_place){.kind = GW_PLACE_NULL};
        if (clang_getCursorKind(inner) == CXCursor_CXXNullPtrLiteralExpr)
            return (gw_place){.kind = GW_PLACE_NULL};
        if (L->is_program && gw_front_shape_kind(L->u, to) == GW_SHAPE_POINTER)
            return gw_front_numbered_place(L, gw_front_pointee(L->u, to), gw_front_scalar(L, inner));
        gw_front_refuse(L, e, "a number used as a pointer", "use pointers to objects");
        return (gw_place){0};
    }
    gw_place target = called_as(L, inner, clang_getCursorType(e));
    if (is_decay(e, inner) || gw_front_leads_to_function(e)) return target; /* asked of where it is called */
    gw_shape wanted =
        gw_front_shape_kind(L->u, to) == GW_SHAPE_POINTER ? gw_front_pointee(L->u, to) : target.shape;
    if (gw_front_device_cast(L, &target, wanted, e)) return target;
    bool known =
        target.kind == GW_PLACE_SLOTS || target.kind == GW_PLACE_MEMORY || target.kind == GW_PLACE_CHOICE;
    if (known && wanted != GW_T_VOID && wanted != target.shape && !gw_front_recast(L, &target, wanted) &&
        !gw_front_reshape(L, &target, wanted) && !gw_front_retype(L, &target, wanted) &&
        !gw_front_reshape_bits(L, &target, wanted))
        gw_front_refuse(L, e, "a pointer cast to another type",
                        L->f->kind == GW_FUNC_KERNEL ? "access memory by its own type; a maximum of floats by "
                                                       "atomics is gw_atomic_max of gradwright/atomic.cuh"
                                                     : "access memory by its own type");
    return target;
}

static gw_place unary(gw_lowering *L, CXCursor e) {
    gw_value old = 0;
    gw_place before = {0}, after;
    switch (clang_getCursorUnaryOperatorKind(e)) {
    case CXUnaryOperator_AddrOf:
        if (gw_front_is_function(L, gw_front_expression(e))) return gw_front_pointer(L, gw_front_expression(e));
        return gw_front_place(L, gw_front_expression(e));
    case CXUnaryOperator_PostInc:
    case CXUnaryOperator_PostDec:
        gw_front_increment(L, e, &old, &before);
        return before;
    case CXUnaryOperator_PreInc:
    case CXUnaryOperator_PreDec:
        after = gw_front_increment(L, e, &old, &before);
        return value_of(L, after);
    case CXUnaryOperator_Plus:
    case CXUnaryOperator_Extension:
        return gw_front_pointer(L, gw_front_expression(e));
    default:
        if (gw_front_is_function(L, e)) return gw_front_pointer(L, gw_front_expression(e)); /* *f is f */
        return value_of(L, gw_front_place(L, e));
    }
}

static gw_place binary(gw_lowering *L, CXCursor e) {
    gw_cursors parts = {0};
    gw_front_expressions(e, &parts);
    enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(e);
    gw_place p = {0};
    if (kind == CXBinaryOperator_Assign) {
        p = value_of(L, gw_front_assign(L, e));
    } else if (kind == CXBinaryOperator_Comma) {
        gw_front_effect(L, parts.at[0]);
        p = gw_front_pointer(L, parts.at[1]);
    } else if (kind == CXBinaryOperator_Add || kind == CXBinaryOperator_Sub) {
        gw_shape_kind left = gw_front_shape_kind(L->u, gw_front_shape_of(L, parts.at[0]));
        bool swapped = left == GW_SHAPE_SCALAR;
        p = gw_front_pointer(L, parts.at[swapped]);
        if (gw_front_is_row(clang_getPointeeType(clang_getCanonicalType(clang_getCursorType(e)))))
            gw_front_refuse(L, e, "arithmetic on a pointer to a variable-length array", "index the array");
        gw_value by = gw_front_scalar(L, parts.at[!swapped]);
        if (!L->failed) p = gw_front_advance(L, p, by, kind == CXBinaryOperator_Sub);
    } else {
        gw_front_refuse(L, e, "this pointer expression", "use + and - on pointers");
    }
    gw_vec_free(&parts);
    return p;
}

static gw_place chosen(gw_lowering *L, CXCursor e) {
    gw_place t = gw_front_temp(L, gw_front_shape_of(L, e), 0);
    if (!L->failed) gw_front_choose(L, e, t);
    return L->failed ? t : gw_front_target(L, t);
}

static gw_place of_statements(gw_lowering *L, CXCursor e) {
    const gw_place t = gw_front_temp(L, gw_front_shape_of(L, e), 0);
    if (!L->failed) gw_front_statement_value(L, t, e);
    return L->failed ? t : gw_front_target(L, t);
}

static bool is_one_of_texts(CXCursor choice);

/* "this", or with something before it: (n++, "this"). */
static bool is_text(CXCursor e) {
    e = gw_front_strip(e);
    if (clang_getCursorKind(e) == CXCursor_ConditionalOperator) return is_one_of_texts(e);
    if (clang_getCursorKind(e) == CXCursor_StringLiteral) return true;
    if (clang_getCursorKind(e) != CXCursor_BinaryOperator) return false;
    gw_cursors parts = {0};
    gw_front_expressions(e, &parts);
    const bool is = clang_getCursorBinaryOperatorKind(e) == CXBinaryOperator_Comma && is_text(parts.at[1]);
    gw_vec_free(&parts);
    return is;
}

/* c ? "this" : "that", of one length. */
static bool is_one_of_texts(CXCursor choice) {
    gw_cursors parts = {0};
    gw_front_expressions(choice, &parts);
    bool is = parts.count == 3;
    for (uint32_t i = 1; i < parts.count; i++)
        is &= is_text(parts.at[i]);
    gw_vec_free(&parts);
    return is;
}

static void effect_of_text(gw_lowering *L, CXCursor text) {
    gw_cursors parts = {0};
    text = gw_front_strip(text);
    gw_front_expressions(text, &parts);
    if (clang_getCursorKind(text) == CXCursor_ConditionalOperator) {
        const gw_value condition = gw_front_condition(L, parts.at[0]);
        gw_front_branch_either(L, condition, &parts.at[1], effect_of_text);
        gw_front_unthrown_begin(L);
    } else if (clang_getCursorKind(text) == CXCursor_BinaryOperator) {
        gw_front_effect(L, parts.at[0]);
        effect_of_text(L, parts.at[1]);
    }
    gw_vec_free(&parts);
}

static gw_place text_of_choice(gw_lowering *L, CXCursor choice) {
    effect_of_text(L, choice);
    return gw_front_text_place(L, GW_T_I8, "a string");
}

/* c ? f : g of functions. */
static gw_place chosen_function(gw_lowering *L, CXCursor e) {
    gw_cursors parts = {0};
    gw_front_expressions(e, &parts);
    const gw_value condition = gw_front_condition(L, parts.at[0]);
    const uint32_t slot = gw_front_slot(L, GW_SLOT_POINTER, GW_T_VOID, 0);
    gw_branch side[2];
    for (uint32_t i = 0; i < 2; i++) {
        side[i] = gw_front_branch_begin(L);
        const gw_place p = gw_front_pointer(L, parts.at[1 + i]);
        if (!L->failed) gw_front_slot_set(L, slot, gw_front_pointer_new(L, p));
        gw_front_branch_end(L, &side[i]);
    }
    gw_front_branch_join(L, condition, &side[0], &side[1]);
    gw_front_unthrown_begin(L);
    gw_vec_free(&parts);
    const uint32_t number = L->slots.at[slot].value;
    return number && !L->failed ? L->pointers.at[number] : (gw_place){0};
}

static gw_place conditional(gw_lowering *L, CXCursor e) {
    if (is_one_of_texts(e)) return text_of_choice(L, e);
    if (gw_front_is_function(L, e)) return chosen_function(L, e);
    if (gw_front_kind_of(L, e) != GW_SHAPE_ARRAY) return chosen(L, e);
    return value_of(L, gw_front_lvalues(L, gw_front_place(L, e)));
}

static gw_place self(gw_lowering *L, CXCursor e) {
    if (L->frames.count && L->frames.at[L->frames.count - 1].self.kind)
        return L->frames.at[L->frames.count - 1].self;
    gw_front_refuse(L, e, "'this'", "request a function that is no member");
    return (gw_place){0};
}

static gw_place called(gw_lowering *L, CXCursor e) {
    if (clang_getCursorKind(clang_getCursorReferenced(e)) == CXCursor_Constructor) /* of an iterator */
        return clang_Cursor_getNumArguments(e) == 1 ? gw_front_pointer(L, clang_Cursor_getArgument(e, 0))
                                                    : (gw_place){0};
    if (gw_front_is_same_pointer(L, e)) return gw_front_pointer(L, clang_Cursor_getArgument(e, 0));
    if (gw_front_is_allocation(L, e) && (L->is_program || L->raw.kind != CXType_Invalid))
        return L->is_program ? gw_front_raw_allocation(L, e) : gw_front_allocation(L, e, L->raw);
    gw_call_result r = gw_front_call(L, e);
    return gw_front_returns_reference(e) ? value_of(L, r.place) : r.place;
}

static gw_place pointer(gw_lowering *L, CXCursor e) {
    switch (clang_getCursorKind(e)) {
    case CXCursor_ParenExpr:
        return gw_front_pointer(L, gw_front_expression(e));
    case CXCursor_UnexposedExpr:
    case CXCursor_CStyleCastExpr:
    case CXCursor_CXXStaticCastExpr:
    case CXCursor_CXXFunctionalCastExpr:
    case CXCursor_CXXConstCastExpr:
    case CXCursor_InitListExpr:
    case CXCursor_CXXReinterpretCastExpr:
        return cast(L, e);
    case CXCursor_UnaryOperator:
        return unary(L, e);
    case CXCursor_BinaryOperator:
        return binary(L, e);
    case CXCursor_CompoundAssignOperator:
        return value_of(L, gw_front_assign(L, e));
    case CXCursor_ConditionalOperator:
        return conditional(L, e);
    case CXCursor_StmtExpr:
        return of_statements(L, e);
    case CXCursor_CXXThisExpr:
        return self(L, e);
    case CXCursor_CallExpr:
        return called(L, e);
    case CXCursor_CXXNullPtrLiteralExpr:
    case CXCursor_GNUNullExpr:
    case CXCursor_IntegerLiteral:
        return (gw_place){.kind = GW_PLACE_NULL};
    case CXCursor_GenericSelectionExpr:
        if (!clang_equalCursors(gw_front_strip(e), e)) return gw_front_pointer(L, gw_front_strip(e));
        gw_front_refuse_kind(L, e);
        return (gw_place){0};
    case CXCursor_CompoundLiteralExpr: /* (double[]){1, x}: an array of its own */
        return value_of(L, gw_front_place(L, e));
    case CXCursor_DeclRefExpr:
        if (clang_isInvalid(clang_getCursorKind(clang_getCursorReferenced(e)))) /* a template's argument */
            return gw_front_pointer(L, gw_front_expression(e));
        if (gw_front_is_function(L, e)) return gw_front_function_place(L, clang_getCursorReferenced(e));
        return value_of(L, gw_front_place(L, e));
    case CXCursor_StringLiteral:
        return gw_front_text_place(L, GW_T_I8, "a string");
    case CXCursor_CXXNewExpr:
        return gw_front_new(L, e);
    case CXCursor_MemberRefExpr:
    case CXCursor_ArraySubscriptExpr:
        if (gw_front_is_row(clang_getCursorType(e))) return gw_front_place(L, e);
        return value_of(L, gw_front_place(L, e));
    default:
        gw_front_refuse_kind(L, e);
        return (gw_place){0};
    }
}

gw_place gw_front_pointer(gw_lowering *L, CXCursor e) {
    if (L->failed) return (gw_place){0};
    gw_loc outer = L->b.loc;
    gw_front_locate(L, e);
    gw_place p = pointer(L, e);
    L->b.loc = outer;
    return p;
}
