/*
 * frontend/object/overload.c - which constructor a list calls.
 *
 * A list is shown as it is written, so its constructor is found by a small overload resolution: exact types
 * before arithmetic conversions before everything else, and what stays open is refused.
 */
#include "plugin/frontend/object/object.h"
#include "plugin/frontend/type/type.h"

enum { EXACT = 0, CONVERTED = 1, UNFIT = 100 };

/* How well an argument fits a parameter. */
static int distance(gw_lowering *L, CXType parameter, CXCursor argument) {
    gw_shape to = gw_front_shape(L->u, parameter), from = gw_front_shape_of(L, argument);
    bool scalars = gw_front_shape_kind(L->u, to) == GW_SHAPE_SCALAR &&
                   gw_front_shape_kind(L->u, from) == GW_SHAPE_SCALAR && to != GW_T_VOID && from != GW_T_VOID;
    if (to == from) return EXACT;
    return scalars || gw_front_is_derived(L, from, to) ? CONVERTED : UNFIT;
}

/* A template that may fit better than what is there: which one libclang does not say. */
static enum CXChildVisitResult find_template(CXCursor c, CXCursor parent, CXClientData found) {
    (void)parent;
    *(bool *)found |= clang_getCursorKind(c) == CXCursor_FunctionTemplate &&
                      clang_getTemplateCursorKind(c) == CXCursor_Constructor;
    return CXChildVisit_Continue;
}

static bool has_template(CXType type) {
    CXCursor decl = clang_getTypeDeclaration(type), pattern = clang_getSpecializedCursorTemplate(decl);
    bool found = false;
    clang_visitChildren(clang_Cursor_isNull(pattern) ? decl : pattern, find_template, &found);
    return found;
}

static bool has_default(CXCursor constructor, uint32_t i) {
    CXCursor canonical = clang_getCanonicalCursor(constructor);
    return !clang_Cursor_isNull(
               clang_Cursor_getVarDeclInitializer(clang_Cursor_getArgument(constructor, i))) ||
           !clang_Cursor_isNull(clang_Cursor_getVarDeclInitializer(clang_Cursor_getArgument(canonical, i)));
}

static int fit(gw_lowering *L, CXCursor constructor, const gw_cursors *arguments) {
    uint32_t params = (uint32_t)clang_Cursor_getNumArguments(constructor);
    if (arguments->count > params) return UNFIT;
    CXType type = clang_getCursorType(constructor);
    int sum = 0;
    for (uint32_t i = 0; i < params; i++) {
        if (i < arguments->count)
            sum += distance(L, clang_getArgType(type, i), arguments->at[i]);
        else if (!has_default(constructor, i))
            return UNFIT;
    }
    return sum;
}

bool gw_front_takes(gw_lowering *L, CXType type, const gw_cursors *arguments) {
    gw_cursors methods = {0};
    bool exact = has_template(type);
    gw_front_methods(type, &methods);
    for (uint32_t i = 0; i < methods.count; i++)
        exact |= gw_front_is_written_constructor(methods.at[i]) && fit(L, methods.at[i], arguments) == EXACT;
    gw_vec_free(&methods);
    return exact;
}

CXCursor gw_front_list_constructor(gw_lowering *L, CXType type, const gw_cursors *arguments, CXCursor at) {
    gw_cursors methods = {0};
    CXCursor best = clang_getNullCursor();
    int least = UNFIT;
    bool open = false;
    gw_front_methods(type, &methods);
    for (uint32_t i = 0; i < methods.count; i++) {
        if (!gw_front_is_written_constructor(methods.at[i])) continue;
        int d = fit(L, methods.at[i], arguments);
        if (d == least) open = true;
        if (d < least) least = d, best = methods.at[i], open = false;
    }
    gw_vec_free(&methods);
    if (open || clang_Cursor_isNull(best) || (least > EXACT && has_template(type)))
        gw_front_refuse(L, at, "a list for a class with constructors", "name the constructor: T(a, b)");
    return best;
}
