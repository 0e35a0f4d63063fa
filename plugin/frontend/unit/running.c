/*
 * frontend/unit/running.c - what a call that is found when running may reach in this file: functions whose
 * addresses are taken, and classes that derive from one.
 *
 * Nothing relies on these lists being complete: what is not in them ends the derivative where it is met
 * (call/dispatch.c). Left out are instances of templates, which no cursor of the file shows.
 */
#include "plugin/frontend/unit/unit.h"

typedef struct collected {
    gw_unit *u;
    CXCursor named; /* the function that the call at hand names */
} collected;

static void add_once(gw_cursors *list, CXCursor decl) {
    decl = clang_getCanonicalCursor(decl);
    for (uint32_t i = 0; i < list->count; i++)
        if (clang_equalCursors(list->at[i], decl)) return;
    gw_push(list, decl);
}

static enum CXChildVisitResult collect(CXCursor c, CXCursor parent, CXClientData data) {
    collected *found = data;
    const enum CXCursorKind kind = clang_getCursorKind(c);
    const bool at_file_scope = clang_isTranslationUnit(clang_getCursorKind(parent)) != 0;
    if (at_file_scope && clang_Location_isInSystemHeader(clang_getCursorLocation(c)))
        return CXChildVisit_Continue;
    if (kind == CXCursor_CallExpr) found->named = gw_front_called_expression(c);
    const bool is_called =
        clang_equalLocations(clang_getCursorLocation(c), clang_getCursorLocation(found->named)) != 0;
    if (kind == CXCursor_DeclRefExpr && !is_called) {
        const CXCursor decl = clang_getCursorReferenced(c);
        const enum CXCursorKind of = clang_getCursorKind(decl);
        const bool is_static = of == CXCursor_CXXMethod && clang_CXXMethod_isStatic(decl);
        if (of == CXCursor_FunctionDecl || is_static) add_once(&found->u->taken, decl);
    }
    if ((kind == CXCursor_ClassDecl || kind == CXCursor_StructDecl) && clang_isCursorDefinition(c))
        gw_push(&found->u->classes, c);
    return CXChildVisit_Recurse;
}

static void know(gw_unit *u) {
    if (u->running_known) return;
    u->running_known = true;
    collected found = {u, clang_getNullCursor()};
    clang_visitChildren(clang_getTranslationUnitCursor(u->clang), collect, &found);
}

bool gw_front_same_call(CXType a, CXType b) {
    a = clang_getCanonicalType(a), b = clang_getCanonicalType(b);
    if (a.kind != CXType_FunctionProto || b.kind != CXType_FunctionProto) return clang_equalTypes(a, b);
    const int count = clang_getNumArgTypes(a);
    bool same =
        count == clang_getNumArgTypes(b) && clang_equalTypes(clang_getCanonicalType(clang_getResultType(a)),
                                                             clang_getCanonicalType(clang_getResultType(b)));
    for (int i = 0; i < count && same; i++)
        same = clang_equalTypes(clang_getCanonicalType(clang_getArgType(a, (unsigned)i)),
                                clang_getCanonicalType(clang_getArgType(b, (unsigned)i)));
    return same;
}

static bool derives(CXCursor class, CXCursor base, uint32_t depth) {
    gw_cursors parts = {0};
    bool does = clang_equalCursors(clang_getCanonicalCursor(class), clang_getCanonicalCursor(base));
    if (!does && depth < 32) gw_front_children(class, &parts);
    for (uint32_t i = 0; i < parts.count && !does; i++)
        if (clang_getCursorKind(parts.at[i]) == CXCursor_CXXBaseSpecifier &&
            clang_getCXXAccessSpecifier(parts.at[i]) == CX_CXXPublic)
            does = derives(clang_getCursorDefinition(clang_getTypeDeclaration(
                               clang_getCanonicalType(clang_getCursorType(parts.at[i])))),
                           base, depth + 1);
    gw_vec_free(&parts);
    return does;
}

void gw_front_deriving_classes(gw_unit *u, CXCursor base, gw_cursors *out) {
    know(u);
    for (uint32_t i = 0; i < u->classes.count; i++)
        if (!clang_CXXRecord_isAbstract(u->classes.at[i]) && derives(u->classes.at[i], base, 0))
            gw_push(out, u->classes.at[i]);
}

void gw_front_taken_functions(gw_unit *u, CXType type, gw_cursors *out) {
    know(u);
    for (uint32_t i = 0; i < u->taken.count; i++)
        if (gw_front_same_call(clang_getCursorType(u->taken.at[i]), type)) gw_push(out, u->taken.at[i]);
}
