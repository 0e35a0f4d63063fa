/*
 * frontend/place/constant.c - variables whose value every call finds the same.
 */
#include "plugin/frontend/lower.h"
#include "plugin/frontend/place/place.h"
#include "plugin/frontend/type/type.h"

static bool is_const(CXType type) {
    CXType cell = clang_getCanonicalType(type);
    while (cell.kind == CXType_ConstantArray && !clang_isConstQualifiedType(cell))
        cell = clang_getCanonicalType(clang_getArrayElementType(cell));
    return clang_isConstQualifiedType(cell);
}

/* A variable that may differ from call to call. */
static enum CXChildVisitResult find_variable(CXCursor e, CXCursor parent, CXClientData found) {
    (void)parent;
    CXCursor decl = clang_getCursorReferenced(e);
    enum CXCursorKind kind = clang_getCursorKind(decl);
    int64_t integer;
    double real;
    bool is_real;
    bool lasts = kind == CXCursor_VarDecl && clang_Cursor_hasVarDeclGlobalStorage(decl) == 1 &&
                 is_const(clang_getCursorType(decl));
    bool variable = kind == CXCursor_ParmDecl || kind == CXCursor_VarDecl;
    variable = variable && !lasts && !gw_front_evaluate(decl, &integer, &real, &is_real);
    *(bool *)found = variable || clang_getCursorKind(e) == CXCursor_CXXThisExpr;
    return *(bool *)found ? CXChildVisit_Break : CXChildVisit_Recurse;
}

/* static const double first = x[0]: the x[0] of the first call. */
bool gw_front_is_constant(CXCursor variable) {
    CXCursor e = clang_Cursor_getVarDeclInitializer(variable);
    bool found = !is_const(clang_getCursorType(variable));
    if (!clang_Cursor_isNull(e) && !found) find_variable(e, variable, &found);
    if (!clang_Cursor_isNull(e) && !found) clang_visitChildren(e, find_variable, &found);
    return !found;
}

/* No text of this source can name it, so a constant is a copy of the function's own. */
bool gw_front_joined_variable(gw_lowering *L, CXCursor decl, CXCursor use, gw_place *p) {
    const CXCursor e = clang_Cursor_getVarDeclInitializer(decl);
    const CXType type = clang_getCursorType(decl);
    if (!gw_front_is_of_joined(L->u, decl) || L->failed) return false;
    if (!gw_front_is_constant(decl) || clang_Cursor_isNull(e) || gw_front_is_reference(type) ||
        L->f->kind != GW_FUNC_HOST) {
        gw_front_refuse(L, use, "a variable of another source",
                        "declare it in a header that both sources include");
        return true;
    }
    const gw_str name = gw_front_own_name(L->u, gw_front_intern(L->u, clang_getCursorSpelling(decl)));
    *p = gw_front_temp(L, gw_front_shape(L->u, type), name);
    if (!L->failed) gw_front_initialize(L, *p, e);
    gw_front_bind(L, decl, *p);
    return true;
}
