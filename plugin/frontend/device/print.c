/*
 * frontend/device/print.c - what a program prints by std::cerr << x: left out, like printf (call/intrinsic.c).
 * What the printed expressions do is done.
 */
#include "plugin/frontend/device/device.h"
#include "plugin/frontend/lower.h"

#include <string.h>

static bool is_stream(gw_lowering *L, CXCursor e) {
    CXType type = clang_getCanonicalType(clang_getNonReferenceType(clang_getCursorType(e)));
    CXCursor decl = clang_getTypeDeclaration(type);
    const gw_str name = gw_front_intern(L->u, clang_getCursorSpelling(decl));
    return name == gw_intern(L->session, "basic_ostream") && gw_front_in_namespace(decl, "std");
}

static void print(gw_lowering *L, CXCursor e) {
    e = gw_front_strip(e);
    const enum CXCursorKind kind = clang_getCursorKind(e);
    if (kind == CXCursor_CallExpr && is_stream(L, e)) {
        for (int i = 0; i < clang_Cursor_getNumArguments(e); i++)
            print(L, clang_Cursor_getArgument(e, (unsigned)i));
        return;
    }
    CXCursor inner = gw_front_is_cast(kind) ? gw_front_operand(L, e) : clang_getNullCursor();
    const gw_shape_kind shape = gw_front_kind_of(L, e);
    if (kind == CXCursor_DeclRefExpr || kind == CXCursor_StringLiteral) return;
    if (!clang_Cursor_isNull(inner))
        print(L, inner);
    else if (shape == GW_SHAPE_SCALAR || shape == GW_SHAPE_POINTER)
        gw_front_effect(L, e);
    else
        gw_front_refuse(L, e, "this printed expression", "print a number or a literal");
}

bool gw_front_prints(gw_lowering *L, CXCursor call) {
    CXCursor callee = clang_getCursorReferenced(call);
    const gw_str name = gw_front_intern(L->u, clang_getCursorSpelling(callee));
    const char *const text = GW_FRONT_TEXT(L, name);
    if (!L->is_program || strncmp(text, "operator", 8) != 0 || !is_stream(L, call)) return false;
    print(L, call);
    return true;
}
