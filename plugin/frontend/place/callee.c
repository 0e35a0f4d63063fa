/*
 * frontend/place/callee.c - pointers to functions that come from outside: a parameter, or a member of what one
 * leads to.
 *
 * Such a pointer leads to one of the functions of its type whose addresses the file takes, to nothing, or to a
 * function that the file does not show. The IR stores no pointers, but asks one whether it is a function that
 * it names (GW_PATH_IS), and these questions select the candidate of a choice. The unknown function is the last
 * candidate; a call of it ends the derivative (call/dispatch.c).
 */
#include "plugin/frontend/place/place.h"
#include "plugin/frontend/type/type.h"

#include <stdlib.h>
#include <string.h>

uint32_t gw_front_function_number(gw_unit *u, CXCursor decl) {
    gw_cursors *all = &u->functions;
    uint32_t i = 0;
    while (i < all->count && !clang_equalCursors(all->at[i], decl)) i++;
    if (i == all->count) gw_push(all, decl);
    return i;
}

uint32_t gw_front_overloads(CXCursor decl) {
    gw_cursors all = {0};
    uint32_t count = 0;
    gw_front_children(clang_getCursorSemanticParent(decl), &all);
    CXString name = clang_getCursorSpelling(decl);
    for (uint32_t i = 0; i < all.count; i++) {
        CXString other = clang_getCursorSpelling(all.at[i]);
        count += strcmp(clang_getCString(name), clang_getCString(other)) == 0 &&
                 clang_equalCursors(clang_getCanonicalCursor(all.at[i]), all.at[i]);
        clang_disposeString(other);
    }
    clang_disposeString(name);
    gw_vec_free(&all);
    return count;
}

/* How text outside of all functions names it; 0: it cannot, or not so that it is certainly this one. */
static gw_str spelled(gw_lowering *L, CXCursor decl) {
    const enum CX_CXXAccessSpecifier access = clang_getCXXAccessSpecifier(decl);
    if (access == CX_CXXPrivate || access == CX_CXXProtected) return 0;
    /* <cmath> has more functions of the same name */
    if (!L->session->is_c && clang_Location_isInSystemHeader(clang_getCursorLocation(decl))) return 0;
    const char *name = GW_FRONT_TEXT(L, gw_front_qualified(L->u, decl));
    if (!name[0] || strpbrk(name, "( <.[=") || (!L->session->is_c && gw_front_overloads(decl) != 1)) return 0;
    char *text = gw_format("%s%s", L->session->is_c ? "" : "::", name);
    const gw_str s = gw_intern(L->session, text);
    free(text);
    return s;
}

static gw_value ask(gw_lowering *L, const gw_place *pointer, const char *question) {
    char *path = gw_format("%s%s", GW_FRONT_TEXT(L, pointer->path), question);
    const gw_str s = gw_intern(L->session, path);
    free(path);
    return gw_load(&L->b, pointer->object, s, pointer->index, pointer->count);
}

bool gw_front_is_callee(gw_lowering *L, gw_shape pointer) {
    const gw_shape_data *d = gw_front_shape_at(L->u, pointer);
    if (d->kind != GW_SHAPE_POINTER || d->library || d->is_reference) return false;
    const enum CXTypeKind kind = clang_getCanonicalType(d->clang).kind;
    return kind == CXType_FunctionProto || kind == CXType_FunctionNoProto;
}

gw_place gw_front_callee(gw_lowering *L, gw_place pointer) {
    enum { MOST = 60 }; /* fewer than a list of targets has (state/targets.c) */
    gw_cursors taken = {0};
    gw_front_taken_functions(L->u, gw_front_shape_at(L->u, pointer.shape)->clang, &taken);
    gw_place all = {.kind = GW_PLACE_CHOICE, .slot = L->candidates.count};
    gw_value is[MOST];
    for (uint32_t i = 0; i < taken.count && all.count + 1 < MOST; i++) {
        const gw_str name = spelled(L, taken.at[i]);
        if (!name) continue;
        char *question = gw_format("%s%s", GW_PATH_IS, GW_FRONT_TEXT(L, name));
        is[all.count++] = ask(L, &pointer, question);
        free(question);
        const uint32_t number = gw_front_function_number(L->u, taken.at[i]);
        gw_push(&L->candidates, ((gw_place){.kind = GW_PLACE_FUNCTION, .slot = number}));
    }
    gw_vec_free(&taken);
    is[all.count++] = gw_unary(&L->b, GW_OP_NOT, ask(L, &pointer, GW_PATH_PRESENT));
    gw_push(&L->candidates, ((gw_place){.kind = GW_PLACE_NULL}));
    const uint32_t unknown = gw_front_function_number(L->u, clang_getNullCursor());
    gw_push(&L->candidates, ((gw_place){.kind = GW_PLACE_FUNCTION, .slot = unknown}));
    gw_value which = gw_int(&L->b, GW_T_I32, all.count);
    for (uint32_t i = all.count; i-- > 0;)
        which = gw_select(&L->b, is[i], gw_int(&L->b, GW_T_I32, i), which);
    all.index[0] = which, all.count++;
    return all;
}
