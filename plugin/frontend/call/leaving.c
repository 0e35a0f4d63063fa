/*
 * frontend/call/leaving.c - what is asked of exceptions before they are thrown: whether they get out of the
 * functions that are being inlined, and which calls may throw.
 */
#include "plugin/frontend/call/call.h"
#include "plugin/frontend/lower.h"

#include <string.h>

bool gw_front_is_noexcept(CXCursor function) {
    const int kind = clang_getCursorExceptionSpecificationType(function);
    return kind == CXCursor_ExceptionSpecificationKind_BasicNoexcept ||
           kind == CXCursor_ExceptionSpecificationKind_DynamicNone;
}

gw_leaving gw_front_leaves(const gw_lowering *L, uint32_t frames) {
    gw_leaving how = GW_LEAVES;
    for (uint32_t i = frames; i < L->frames.count; i++) {
        const CXCursor decl = L->frames.at[i].decl;
        const int kind = clang_getCursorExceptionSpecificationType(decl);
        const bool destructs = clang_getCursorKind(decl) == CXCursor_Destructor;
        if (kind == CXCursor_ExceptionSpecificationKind_ComputedNoexcept) return GW_MAY_STAY;
        if (destructs || gw_front_is_noexcept(decl)) how = GW_STAYS;
    }
    return how;
}

CXCursor gw_front_construction(CXCursor e) {
    const CXType type = clang_getCanonicalType(clang_getCursorType(e));
    for (;;) {
        const bool constructs = clang_getCursorKind(e) == CXCursor_CallExpr &&
                                clang_getCursorKind(clang_getCursorReferenced(e)) == CXCursor_Constructor;
        CXCursor inner = clang_getNullCursor();
        if (gw_front_is_cast(clang_getCursorKind(e)))
            inner = gw_front_expression(e);
        else if (constructs && clang_Cursor_getNumArguments(e) == 1)
            inner = clang_Cursor_getArgument(e, 0);
        const bool is_copy = !clang_Cursor_isNull(inner) &&
                             clang_equalTypes(clang_getCanonicalType(clang_getCursorType(inner)), type);
        if (!is_copy) return constructs ? e : inner;
        e = inner;
    }
}

/* The rows of library.def whose functions ask whether an index is inside. */
static const struct {
    const char *owner, *name, *action;
} rows[] = {
#define GW_LIBRARY(owner, name, arguments, action) {owner, name, #action},
#include "plugin/frontend/call/library.def"
#undef GW_LIBRARY
};

static bool is_spelled(gw_unit *u, CXCursor decl, const char *name) {
    return strcmp(gw_cstr(u->session, gw_front_intern(u, clang_getCursorSpelling(decl))), name) == 0;
}

bool gw_front_is_checked(gw_unit *u, CXCursor callee) {
    if (clang_Cursor_isNull(callee) || !gw_front_is_in_std(callee)) return false;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].action, "checked_element") == 0 && is_spelled(u, callee, rows[i].name) &&
            is_spelled(u, clang_getCursorSemanticParent(callee), rows[i].owner))
            return true;
    return false;
}

bool gw_front_refuse_thrown(gw_lowering *L, CXCursor call) {
    if (!L->tries.count) return false;
    gw_front_refuse(L, call, "a function that may throw, and is no part of this one, in a try block",
                    "say noexcept where it throws nothing, or let it return a status");
    return true;
}
