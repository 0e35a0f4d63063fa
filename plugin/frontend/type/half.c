/*
 * frontend/type/half.c - half precision in the headers' classes, which are scalars here
 * (frontend/object/half.c).
 */
#include "plugin/frontend/type/type.h"

#include <string.h>

gw_type gw_front_half_type(gw_unit *u, CXType type) {
    CXCursor decl = clang_getTypeDeclaration(type);
    const char *name = gw_cstr(u->session, gw_front_intern(u, clang_getCursorSpelling(decl)));
    bool library =
        gw_front_in_namespace(decl, "") && !clang_Location_isFromMainFile(clang_getCursorLocation(decl));
    if (!library || type.kind != CXType_Record) return GW_T_VOID;
    if (strcmp(name, "__half") == 0) return GW_T_F16;
    return strcmp(name, "__nv_bfloat16") == 0 ? GW_T_BF16 : GW_T_VOID;
}

bool gw_front_is_half_pair(gw_unit *u, CXType type) {
    CXCursor decl = clang_getTypeDeclaration(type);
    const char *name = gw_cstr(u->session, gw_front_intern(u, clang_getCursorSpelling(decl)));
    bool library =
        gw_front_in_namespace(decl, "") && !clang_Location_isFromMainFile(clang_getCursorLocation(decl));
    return library && (strcmp(name, "__half2") == 0 || strcmp(name, "__nv_bfloat162") == 0);
}

bool gw_front_holds_half(gw_unit *u, gw_shape s) {
    return gw_type_holds_half(u->session, gw_front_shape_at(u, s)->type);
}
