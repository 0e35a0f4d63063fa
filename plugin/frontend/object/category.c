/*
 * frontend/object/category.c - what an expression is that an object is copied from: one that is made here, one
 * that goes on, or one that ends.
 */
#include "plugin/frontend/lower.h"
#include "plugin/frontend/object/object.h"

static gw_category category_of_type(CXType t) {
    t = clang_getCanonicalType(t);
    if (t.kind == CXType_LValueReference) return GW_LVALUE;
    return t.kind == CXType_RValueReference ? GW_EXPIRING : GW_MADE;
}

gw_category gw_front_category(gw_lowering *L, CXCursor e) {
    CXCursor inner = gw_front_expression(e), callee = clang_getCursorReferenced(e);
    enum CXCursorKind kind = clang_getCursorKind(e);
    switch (kind) {
    case CXCursor_DeclRefExpr:
    case CXCursor_ArraySubscriptExpr:
    case CXCursor_UnaryOperator:
        return GW_LVALUE;
    case CXCursor_MemberRefExpr:
        if (clang_Cursor_isNull(inner) || gw_front_kind_of(L, inner) == GW_SHAPE_POINTER) return GW_LVALUE;
        return gw_front_category(L, inner) == GW_LVALUE ? GW_LVALUE : GW_EXPIRING;
    case CXCursor_ParenExpr:
    case CXCursor_UnexposedExpr:
        return clang_Cursor_isNull(inner) ? GW_MADE : gw_front_category(L, inner);
    case CXCursor_BinaryOperator:
        if (clang_getCursorBinaryOperatorKind(e) != CXBinaryOperator_Comma) return GW_LVALUE;
        return gw_front_category(L, inner);
    case CXCursor_ConditionalOperator: /* of one category, else a new object */
        return gw_front_category(L, inner);
    case CXCursor_CallExpr:
        if (clang_getCursorKind(callee) == CXCursor_Constructor) return GW_MADE;
        return category_of_type(clang_getCursorResultType(callee));
    default:
        if (!gw_front_is_cast(kind) || clang_Cursor_isNull(inner)) return GW_MADE;
        switch (gw_front_cast_reference(L, e, inner)) {
        case 0: return GW_MADE;
        case 1: return GW_LVALUE;
        default: return GW_EXPIRING;
        }
    }
}

gw_copying gw_front_argument_copying(gw_lowering *L, CXCursor e) {
    return gw_front_category(L, e) == GW_LVALUE ? GW_COPIED : GW_MOVED;
}
