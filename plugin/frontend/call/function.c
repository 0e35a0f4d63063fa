/*
 * frontend/call/function.c - std::function: a variable or parameter of one is what it was made of, a lambda, an
 * object or a function, and a call of it is a call of that.
 *
 * What it holds is found where the variable is bound and stays: it can be given no other one.
 */
#include "plugin/frontend/call/call.h"
#include "plugin/frontend/lower.h"
#include "plugin/frontend/object/object.h"
#include "plugin/frontend/type/type.h"

#include <string.h>

static bool is_spelled(gw_unit *u, CXCursor c, const char *name) {
    return strcmp(gw_cstr(u->session, gw_front_intern(u, clang_getCursorSpelling(c))), name) == 0;
}

bool gw_front_is_held_function(gw_unit *u, CXType type) {
    const CXCursor of = clang_getTypeDeclaration(clang_getCanonicalType(clang_getNonReferenceType(type)));
    return clang_getCursorKind(of) == CXCursor_ClassDecl && gw_front_is_in_std(of) &&
           is_spelled(u, of, "function");
}

/* The expression of which a std::function is made, behind its constructors. */
static CXCursor made_of(gw_lowering *L, CXCursor e) {
    for (;;) {
        e = gw_front_strip(e);
        const enum CXCursorKind kind = clang_getCursorKind(e);
        const bool constructs = kind == CXCursor_CallExpr && clang_Cursor_getNumArguments(e) >= 1 &&
                                clang_getCursorKind(clang_getCursorReferenced(e)) == CXCursor_Constructor;
        const bool of_function = gw_front_is_held_function(L->u, clang_getCursorType(e));
        CXCursor inner = clang_getNullCursor();
        if (constructs && of_function) inner = clang_Cursor_getArgument(e, 0);
        else if (gw_front_is_cast(kind) && (of_function || kind == CXCursor_UnexposedExpr))
            inner = gw_front_expression(e);
        if (clang_Cursor_isNull(inner)) return e;
        e = inner;
    }
}

void gw_front_refuse_held(gw_lowering *L, CXCursor at) {
    gw_front_refuse(L, at, "a std::function of which nobody sees here what it holds",
                    "make it of a lambda, a function or an object where the variable is declared, and give it "
                    "no other one");
}

gw_place gw_front_hold_function(gw_lowering *L, CXCursor variable, CXCursor e) {
    const gw_place none = {0};
    if (clang_Cursor_isNull(e)) {
        gw_front_refuse_held(L, variable);
        return none;
    }
    e = made_of(L, e);
    const CXType type = clang_getCursorType(e);
    const bool is_another = gw_front_is_held_function(L->u, type);
    if (gw_front_is_function(L, e) || gw_front_kind_of(L, e) == GW_SHAPE_POINTER) {
        const gw_place p = gw_front_pointer(L, e);
        if (!L->failed && p.kind != GW_PLACE_FUNCTION) gw_front_refuse_held(L, e);
        return p;
    }
    const bool is_same = is_another && gw_front_is_reference(clang_getCursorType(variable));
    const gw_place from = is_another ? gw_front_place(L, e) : none;
    if (L->failed || is_same || (is_another && from.kind == GW_PLACE_FUNCTION)) return from;
    const gw_shape shape = is_another ? from.shape : gw_front_shape_of(L, e);
    if (gw_front_shape_kind(L->u, shape) != GW_SHAPE_STRUCT) {
        gw_front_refuse_held(L, e);
        return none;
    }
    const gw_place p = gw_front_temp(L, shape, gw_front_intern(L->u, clang_getCursorSpelling(variable)));
    if (L->failed) return none;
    if (is_another) gw_front_copy_object(L, p, from, GW_COPIED, variable);
    else gw_front_initialize(L, p, e);
    return p;
}

static CXCursor operator_of(gw_lowering *L, CXType type) {
    CXCursor found = clang_getNullCursor();
    gw_cursors methods = {0};
    if (gw_front_is_lambda(L->u, type)) return gw_front_call_operator(clang_getTypeDeclaration(type));
    gw_front_methods(type, &methods);
    uint32_t several = 0;
    for (uint32_t i = 0; i < methods.count; i++) {
        if (!is_spelled(L->u, methods.at[i], "operator()")) continue;
        found = methods.at[i], several++;
    }
    gw_vec_free(&methods);
    return several == 1 ? found : clang_getNullCursor();
}

gw_held_use gw_front_held_use(gw_lowering *L, CXCursor callee) {
    const enum CXCursorKind kind = clang_getCursorKind(callee);
    const bool asks = kind == CXCursor_ConversionFunction;
    if (kind != CXCursor_CXXMethod && !asks) return GW_HELD_NOT;
    if (!gw_front_is_held_function(L->u, clang_getCursorType(clang_getCursorSemanticParent(callee))))
        return GW_HELD_NOT;
    if (asks) return GW_HELD_ASKED;
    return is_spelled(L->u, callee, "operator()") ? GW_HELD_CALLED : GW_HELD_CHANGED;
}

CXCursor gw_front_held_callee(gw_lowering *L, gw_place object, CXCursor call) {
    CXCursor found = object.kind == GW_PLACE_FUNCTION
                         ? L->u->functions.at[object.slot]
                         : operator_of(L, gw_front_shape_at(L->u, object.shape)->clang);
    const enum CXCursorKind kind = clang_getCursorKind(found);
    if (kind != CXCursor_CXXMethod && kind != CXCursor_FunctionDecl) gw_front_refuse_held(L, call);
    return found;
}
