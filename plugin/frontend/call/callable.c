/*
 * frontend/call/callable.c - functions as values: a pointer to a function is a place that says which.
 *
 * A call through such a pointer is a call of that function. Where a branch or loop makes it one of several, it
 * is torn like any other pointer, and the call is refused.
 */
#include "plugin/frontend/call/call.h"
#include "plugin/frontend/lower.h"

gw_place gw_front_function_place(gw_lowering *L, CXCursor decl) {
    gw_cursors *all = &L->u->functions;
    gw_place p = {.kind = GW_PLACE_FUNCTION};
    decl = clang_getCanonicalCursor(gw_front_invoked(L, decl));
    while (p.slot < all->count && !clang_equalCursors(all->at[p.slot], decl))
        p.slot++;
    if (p.slot == all->count) gw_push(all, decl);
    return p;
}

bool gw_front_is_function(gw_lowering *L, CXCursor e) {
    CXType type = clang_getCanonicalType(clang_getNonReferenceType(clang_getCursorType(e)));
    (void)L;
    return type.kind == CXType_FunctionProto || type.kind == CXType_FunctionNoProto;
}

/* A constant at file scope that is initialised with a function. */
static bool is_constant(CXCursor decl) {
    bool is_const = clang_isConstQualifiedType(clang_getCanonicalType(clang_getCursorType(decl))) != 0;
    return clang_getCursorKind(decl) == CXCursor_VarDecl && clang_Cursor_hasVarDeclGlobalStorage(decl) == 1 &&
           is_const && !clang_Cursor_isNull(clang_Cursor_getVarDeclInitializer(decl));
}

CXCursor gw_front_called(gw_lowering *L, CXCursor call) {
    gw_cursors parts = {0};
    gw_front_expressions(call, &parts);
    CXCursor e = parts.count ? parts.at[0] : call, decl = clang_getCursorReferenced(call);
    gw_vec_free(&parts);
    gw_place p = {.kind = GW_PLACE_TORN};
    bool known =
        clang_getCursorKind(decl) == CXCursor_VarDecl && clang_Cursor_hasVarDeclGlobalStorage(decl) == 1;
    if (is_constant(decl))
        p = gw_front_pointer(L, clang_Cursor_getVarDeclInitializer(decl));
    else if (!known && gw_front_kind_of(L, e) == GW_SHAPE_POINTER)
        p = gw_front_pointer(L, e);
    if (p.kind == GW_PLACE_FUNCTION) return L->u->functions.at[p.slot];
    gw_front_refuse(L, call, "a call through a pointer that may lead to several functions",
                    "call the function by its name");
    return clang_getNullCursor();
}

/* ---- members and operators ---- */
/* v.f in v.f(): not a member that is the first operand of an operator. */
bool gw_front_is_member_name(CXCursor e) {
    if (clang_getCursorKind(e) != CXCursor_MemberRefExpr) return false;
    return gw_front_is_method(clang_getCursorReferenced(e));
}

bool gw_front_is_operator_call(CXCursor call, CXCursor callee) {
    gw_cursors children = {0};
    gw_front_expressions(call, &children);
    bool named = children.count && gw_front_is_member_name(gw_front_strip(children.at[0]));
    gw_vec_free(&children);
    enum CXCursorKind kind = clang_getCursorKind(callee);
    return !named && kind == CXCursor_CXXMethod && !clang_CXXMethod_isStatic(callee);
}
