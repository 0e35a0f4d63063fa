/*
 * frontend/unit/joined.c - what belongs to a source that is read behind the main one (frontend/parse/joined.c).
 */
#include "plugin/frontend/unit/unit.h"

#include <string.h>

void gw_front_forget_stand_ins(gw_stand_in_files *files) {
    for (uint32_t i = 0; i < files->count; i++)
        free(files->at[i].path), free(files->at[i].text);
    gw_vec_free(files);
}

bool gw_front_is_joined(gw_unit *u, CXSourceLocation at) {
    if (!u->own_files.count) return false;
    const gw_loc loc = gw_front_loc(u, at);
    bool own = !loc.line; /* a builtin */
    for (uint32_t i = 0; i < u->own_files.count && !own; i++)
        own = u->own_files.at[i] == loc.file;
    return !own;
}

bool gw_front_is_of_joined(gw_unit *u, CXCursor decl) {
    return u->own_files.count && gw_front_is_joined(u, clang_getCursorLocation(clang_getCanonicalCursor(decl)));
}

gw_str gw_front_own_name(gw_unit *u, gw_str name) {
    static const char beginning[] = GW_RENAMED;
    const char *text = gw_cstr(u->session, name);
    const size_t n = sizeof beginning - 1;
    if (strncmp(text, beginning, n) != 0) return name;
    return gw_intern(u->session, text + n + strspn(text + n, "0123456789"));
}
