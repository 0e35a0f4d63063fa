/*
 * frontend/call/callable.c - functions as values: a pointer to a function is a place that says which.
 *
 * A call through such a pointer is a call of that function. Where a branch, a loop or a table makes it one of
 * several, the call is one of each where that one is meant, and gives a number or nothing.
 */
#include "plugin/frontend/call/call.h"
#include "plugin/frontend/lower.h"
#include "plugin/frontend/place/place.h"

gw_place gw_front_function_place(gw_lowering *L, CXCursor decl) {
    decl = clang_getCanonicalCursor(gw_front_invoked(L, decl));
    return (gw_place){.kind = GW_PLACE_FUNCTION, .slot = gw_front_function_number(L->u, decl)};
}

static bool is_function_type(CXType canonical) {
    return canonical.kind == CXType_FunctionProto || canonical.kind == CXType_FunctionNoProto;
}

bool gw_front_is_function(gw_lowering *L, CXCursor e) {
    CXType type = clang_getCanonicalType(clang_getNonReferenceType(clang_getCursorType(e)));
    (void)L;
    return is_function_type(type);
}

bool gw_front_leads_to_function(CXCursor e) {
    const CXType type = clang_getCanonicalType(clang_getNonReferenceType(clang_getCursorType(e)));
    return is_function_type(clang_getCanonicalType(clang_getPointeeType(type)));
}

gw_place gw_front_called(gw_lowering *L, CXCursor call) {
    gw_cursors parts = {0};
    gw_front_expressions(call, &parts);
    CXCursor e = parts.count ? parts.at[0] : call;
    gw_vec_free(&parts);
    gw_place p = {.kind = GW_PLACE_TORN};
    if (gw_front_kind_of(L, e) == GW_SHAPE_POINTER) p = gw_front_pointer(L, e);
    bool is_known = p.kind == GW_PLACE_FUNCTION, any = is_known;
    for (uint32_t i = 0; p.kind == GW_PLACE_CHOICE && i < p.count; i++) {
        const gw_place c = L->candidates.at[p.slot + i];
        is_known = (!i || is_known) && (c.kind == GW_PLACE_FUNCTION || c.kind == GW_PLACE_NULL);
        any |= c.kind == GW_PLACE_FUNCTION && !clang_Cursor_isNull(L->u->functions.at[c.slot]);
    }
    if (!is_known)
        gw_front_refuse(L, call, "a call of a function that is not known here",
                        "take the addresses of the functions that are meant in this file");
    else if (!any)
        gw_front_refuse(L, call, "a call of a function of whose type this file takes no address",
                        "take the addresses of the functions that are meant in this file");
    return p;
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
