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

/* Within what makes a variable's value: what may make another value in another source, or at another time. */
static bool may_differ(gw_unit *u, CXCursor c, const void *depth);

enum { DEEPEST = 8 };

static bool is_made_alike(gw_unit *u, CXCursor variable, uint32_t depth) {
    return depth < DEEPEST && !gw_front_reaches(u, variable, may_differ, &depth);
}

/* sqrt(2.0): what a function of the library makes of numbers. */
static bool is_of_numbers(CXCursor call, CXCursor function) {
    bool is = clang_Location_isInSystemHeader(clang_getCursorLocation(function)) &&
              clang_getCanonicalType(clang_getCursorType(call)).kind == CXType_Double;
    const int count = clang_Cursor_getNumArguments(call);
    for (int i = 0; i < count; i++) {
        const CXCursor argument = clang_Cursor_getArgument(call, (unsigned)i);
        const CXType type = clang_getCanonicalType(clang_getCursorType(argument));
        is &= type.kind >= CXType_FirstBuiltin && type.kind <= CXType_LastBuiltin;
    }
    return is && count > 0;
}

static bool may_differ(gw_unit *u, CXCursor c, const void *depth) {
    const CXCursor to = clang_getCursorReferenced(c);
    int64_t integer;
    double real;
    bool is_real;
    if (clang_getCursorKind(to) == CXCursor_VarDecl && clang_Cursor_hasVarDeclGlobalStorage(to) == 1)
        return !is_const(clang_getCursorType(to)) || !is_made_alike(u, to, *(const uint32_t *)depth + 1);
    if (clang_getCursorKind(c) != CXCursor_CallExpr || gw_front_evaluate(c, &integer, &real, &is_real))
        return false;
    if (clang_Cursor_isNull(to) || clang_Location_isInSystemHeader(clang_getCursorLocation(to)))
        return !is_of_numbers(c, to);
    return clang_Cursor_isNull(clang_getCursorDefinition(to)) && !clang_CXXMethod_isDefaulted(to);
}

/* Whichever source made it, and whenever. */
static bool has_one_value(gw_unit *u, CXCursor variable) {
    return gw_front_is_constant(variable) && is_made_alike(u, variable, 0);
}

/* What is lowered is written in the source itself, or in a header for a function of the source. A function of a
 * header that is lowered by itself may be called by all sources. */
static bool is_own_body(gw_lowering *L) {
    for (uint32_t i = L->frames.count; i-- > 0;) {
        const CXSourceLocation at = clang_getCursorLocation(L->frames.at[i].decl);
        if (gw_front_is_joined(L->u, at)) return false;
        if (gw_front_loc(L->u, at).file == L->session->source_file) return true;
    }
    return false;
}

/* A header's static variable: that of the other source is not the one that the text of this one names. */
static bool is_of_each_source(gw_lowering *L, CXCursor decl) {
    const enum CXLinkageKind linkage = clang_getCursorLinkage(decl);
    const bool is_internal = linkage == CXLinkage_Internal || linkage == CXLinkage_UniqueExternal;
    const gw_str file = gw_front_loc(L->u, clang_getCursorLocation(decl)).file;
    return L->u->own_files.count && is_internal && file != L->session->source_file;
}

bool gw_front_is_copied(gw_lowering *L, gw_object object) {
    for (uint32_t i = 0; i < L->globals.count && object; i++)
        if (L->globals.at[i].object == object) return is_of_each_source(L, L->globals.at[i].decl);
    return false;
}

/* No text of this source can name it, so a constant is a copy of the function's own. */
bool gw_front_joined_variable(gw_lowering *L, CXCursor decl, CXCursor use, gw_place *p) {
    static const char way_out[] = "declare it extern in a header of both sources, and define it in one";
    const CXCursor e = clang_Cursor_getVarDeclInitializer(decl);
    const CXType type = clang_getCursorType(decl);
    if (L->failed) return false;
    if (!gw_front_is_of_joined(L->u, decl)) {
        const bool others = is_of_each_source(L, decl) && !is_own_body(L) && !has_one_value(L->u, decl);
        if (others) gw_front_refuse(L, use, "a variable of which each source has its own", way_out);
        return others;
    }
    if (!has_one_value(L->u, decl) || clang_Cursor_isNull(e) || gw_front_is_reference(type) ||
        L->f->kind != GW_FUNC_HOST) {
        gw_front_refuse(L, use, "a variable of another source", way_out);
        return true;
    }
    const gw_str name = gw_front_own_name(L->u, gw_front_intern(L->u, clang_getCursorSpelling(decl)));
    *p = gw_front_temp(L, gw_front_shape(L->u, type), name);
    if (!L->failed) gw_front_initialize(L, *p, e);
    gw_front_bind(L, decl, *p);
    return true;
}
