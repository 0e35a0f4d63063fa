/*
 * frontend/state/operand.c - expressions as libclang shows them: their shape, what is inside of casts and
 * brackets, constants, and what of them is refused by name.
 */
#include "plugin/frontend/state/state.h"
#include "plugin/frontend/type/type.h"

/* Expressions that are refused, with what the message calls them. */
static const struct {
    enum CXCursorKind kind;
    const char *what, *way_out;
} refused[] = {
    {CXCursor_LambdaExpr, "this use of a lambda", "call the lambda where it is declared"},
    {CXCursor_CXXThrowExpr, "an exception", "return a status instead"},
    {CXCursor_CXXDynamicCastExpr, "a dynamic cast", "use plain structs"},
    {CXCursor_CXXTypeidExpr, "typeid", "use plain structs"},
    {CXCursor_CXXReinterpretCastExpr, "a cast that reinterprets memory", "access memory by its own type"},
    {CXCursor_StringLiteral, "a string", "keep text out of the function"},
    {CXCursor_GenericSelectionExpr, "a generic selection of several of one type",
     "call the function of the type"},
    {CXCursor_BuiltinBitCastExpr, "a cast that reinterprets bits", "write __float_as_int(x) or its kin"},
};

void gw_front_refuse_kind(gw_lowering *L, CXCursor e) {
    enum CXCursorKind kind = clang_getCursorKind(e);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (refused[i].kind == kind) gw_front_refuse(L, e, refused[i].what, refused[i].way_out);
    gw_front_refuse(L, e, "this expression", "write it with plain operators and calls");
}

gw_shape gw_front_shape_of(gw_lowering *L, CXCursor e) { return gw_front_shape(L->u, clang_getCursorType(e)); }

gw_shape_kind gw_front_kind_of(gw_lowering *L, CXCursor e) {
    return gw_front_shape_kind(L->u, gw_front_shape_of(L, e));
}

/* What _Generic(...) is: libclang does not say which association was chosen, but the whole has that one's type.
 * Null if several have it that are not one function. */
static CXCursor selected(CXCursor e) {
    gw_cursors parts = {0};
    CXCursor found = clang_getNullCursor();
    bool several = false;
    gw_front_expressions(e, &parts);
    CXType type = clang_getCanonicalType(clang_getCursorType(e));
    for (uint32_t i = 1; i < parts.count; i++) {
        if (!clang_equalTypes(clang_getCanonicalType(clang_getCursorType(parts.at[i])), type)) continue;
        CXCursor a = clang_getCursorReferenced(found), b = clang_getCursorReferenced(parts.at[i]);
        bool one = clang_getCursorKind(b) == CXCursor_FunctionDecl && clang_equalCursors(a, b);
        several |= !clang_Cursor_isNull(found) && !one;
        found = parts.at[i];
    }
    gw_vec_free(&parts);
    return several ? clang_getNullCursor() : found;
}

CXCursor gw_front_strip(CXCursor e) {
    for (;;) {
        enum CXCursorKind kind = clang_getCursorKind(e);
        CXCursor inner = clang_getNullCursor();
        if (kind == CXCursor_ParenExpr) inner = gw_front_expression(e);
        if (kind == CXCursor_GenericSelectionExpr) inner = selected(e);
        if (clang_Cursor_isNull(inner)) return e;
        e = inner;
    }
}

bool gw_front_is_cast(enum CXCursorKind kind) {
    return kind == CXCursor_UnexposedExpr || kind == CXCursor_CStyleCastExpr ||
           kind == CXCursor_CXXStaticCastExpr || kind == CXCursor_CXXFunctionalCastExpr ||
           kind == CXCursor_CXXConstCastExpr || kind == CXCursor_CXXReinterpretCastExpr ||
           kind == CXCursor_CompoundLiteralExpr;
}

/* x != y that is !(x == y) since C++20. */
static bool is_negated_equality(CXCursor e) {
    CXCursor equality = gw_front_expression(e);
    return clang_getCursorUnaryOperatorKind(e) == CXUnaryOperator_LNot &&
           clang_getCursorKind(equality) == CXCursor_CallExpr &&
           !clang_equalLocations(clang_getRangeStart(clang_getCursorExtent(e)),
                                 clang_getCursorLocation(equality));
}

/* y == x that is x == y since C++20: its call begins behind where it ends. */
static bool is_turned_round(CXCursor e) {
    const CXSourceRange extent = clang_getCursorExtent(e);
    unsigned begin, end;
    CXFile of_begin, of_end;
    if (clang_getCursorKind(e) != CXCursor_CallExpr) return false;
    clang_getFileLocation(clang_getRangeStart(extent), &of_begin, NULL, NULL, &begin);
    clang_getFileLocation(clang_getRangeEnd(extent), &of_end, NULL, NULL, &end);
    return clang_File_isEqual(of_begin, of_end) && begin > end;
}

/* The operand of a cast. An UnexposedExpr must be as wide as its operand, or it is more than a conversion. */
CXCursor gw_front_operand(gw_lowering *L, CXCursor e) {
    gw_cursors parts = {0};
    gw_front_expressions(e, &parts);
    CXCursor inner = parts.count ? parts.at[parts.count - 1] : clang_getNullCursor();
    bool plain = parts.count < 2;
    gw_vec_free(&parts);
    if (clang_getCursorKind(e) != CXCursor_UnexposedExpr || clang_Cursor_isNull(inner)) return inner;
    plain &= clang_equalRanges(clang_getCursorExtent(e), clang_getCursorExtent(inner)) ||
             is_negated_equality(inner) || is_turned_round(inner);
    if (!plain) gw_front_refuse(L, e, "this expression", "write it with plain operators and calls");
    return inner;
}

CXCursor gw_front_behind_casts(gw_lowering *L, CXCursor e) {
    for (e = gw_front_strip(e); gw_front_is_cast(clang_getCursorKind(e)); e = gw_front_strip(e)) {
        CXCursor inner = gw_front_operand(L, e);
        if (clang_Cursor_isNull(inner)) break;
        e = inner;
    }
    return e;
}

gw_value gw_front_constant(gw_lowering *L, gw_type type, int64_t integer, double real, bool is_real) {
    if (gw_type_is_float(type)) return gw_real(&L->b, type, is_real ? real : (double)integer);
    gw_value v = is_real ? gw_real(&L->b, GW_T_F64, real) : gw_int(&L->b, GW_T_I64, integer);
    return gw_cast(&L->b, type, v);
}

/* Expressions do not have one: it is found in the tokens. */
unsigned gw_front_cast_reference(gw_lowering *L, CXCursor e, CXCursor inner) {
    CXSourceLocation from = clang_getRangeStart(clang_getCursorExtent(e));
    CXSourceRange range = clang_getRange(from, clang_getRangeStart(clang_getCursorExtent(inner)));
    CXToken *tokens = NULL;
    unsigned count = 0, found = 0;
    clang_tokenize(L->u->clang, range, &tokens, &count);
    for (unsigned i = 0; i < count && !found; i++) {
        CXString text = clang_getTokenSpelling(L->u->clang, tokens[i]);
        if (clang_getCString(text)[0] == '&') found = clang_getCString(text)[1] == '&' ? 2 : 1;
        clang_disposeString(text);
    }
    clang_disposeTokens(L->u->clang, tokens, count);
    return found;
}

bool gw_front_returns_reference(CXCursor call) {
    CXCursor callee = gw_front_named_function(call);
    if (clang_getCursorKind(callee) == CXCursor_Constructor) return false;
    CXType result = clang_getCursorResultType(callee);
    if (result.kind == CXType_Invalid) { /* through a pointer to a function */
        gw_cursors parts = {0};
        gw_front_expressions(call, &parts);
        const CXType t = parts.count ? clang_getCanonicalType(clang_getCursorType(parts.at[0])) : result;
        result = clang_getResultType(t.kind == CXType_Pointer ? clang_getPointeeType(t) : t);
        gw_vec_free(&parts);
    }
    return gw_front_is_reference(result);
}
