/*
 * frontend/type/unique.c - std::unique_ptr with a deleter that the user wrote: a pointer, which the deleter
 * gets when the object ends or is given another one. One with the library's deleter is refused, as `new` is.
 */
#include "plugin/frontend/call/library_private.h"

#include <string.h>

CXCursor gw_front_deleter(CXType unique) {
    CXType type = clang_getCanonicalType(clang_Type_getTemplateArgumentAsType(unique, 1));
    CXCursor decl = clang_getTypeDeclaration(type), found = clang_getNullCursor();
    gw_cursors list = {0};
    const bool is_users = type.kind == CXType_Record && !gw_front_in_namespace(decl, "std");
    if (is_users) gw_front_methods(type, &list);
    for (uint32_t i = 0; i < list.count; i++) {
        CXString name = clang_getCursorSpelling(list.at[i]);
        const bool calls = strcmp(clang_getCString(name), "operator()") == 0;
        clang_disposeString(name);
        if (calls && clang_Cursor_getNumArguments(list.at[i]) == 1) found = list.at[i];
    }
    gw_vec_free(&list);
    return clang_getCursorDefinition(found);
}

static gw_place pointer_of(gw_lowering *L, gw_place unique) { return gw_front_member(L, unique, 0); }

/* Null is given to no deleter. */
void gw_front_unique_end(gw_lowering *L, gw_place unique, CXCursor at) {
    const CXType type = gw_front_shape_at(L->u, unique.shape)->clang;
    CXCursor deleter = gw_front_deleter(type);
    const gw_place pointer = pointer_of(L, unique);
    const gw_value null = gw_front_is_null(L, gw_front_target(L, pointer), at);
    int64_t known;
    if (L->failed || (gw_const_int(L->f, null, &known) && known)) return;
    gw_branch some = gw_front_branch_begin(L);
    gw_place self = gw_front_temp(L, gw_front_shape(L->u, clang_Type_getTemplateArgumentAsType(type, 1)), 0);
    if (!L->failed) gw_front_inline_with(L, at, deleter, &self, pointer, false);
    gw_front_branch_end(L, &some);
    gw_branch none = gw_front_branch_begin(L);
    gw_front_branch_end(L, &none);
    if (!L->failed) gw_front_branch_join(L, gw_unary(&L->b, GW_OP_NOT, null), &some, &none);
}

/* Takes the pointer out of another one. */
void gw_front_unique_move(gw_lowering *L, gw_place to, gw_place from, bool ends, CXCursor at) {
    const gw_place taken = gw_front_target(L, pointer_of(L, from));
    gw_front_clear(L, from);
    if (ends) gw_front_unique_end(L, to, at);
    if (!L->failed) gw_front_point(L, pointer_of(L, to), taken);
}

void gw_front_unique_fill(gw_lowering *L, gw_place to, const gw_cursors *arguments, CXCursor at) {
    if (!arguments->count || gw_front_is_default_argument(arguments->at[0])) {
        gw_front_clear(L, to);
        return;
    }
    CXCursor e = arguments->at[0];
    if (gw_front_shape_at(L->u, gw_front_shape_of(L, e))->library == GW_LIBRARY_UNIQUE)
        gw_front_unique_move(L, to, gw_front_place(L, e), false, at);
    else
        gw_front_point(L, pointer_of(L, to), gw_front_pointer(L, e));
}

void gw_front_unique_get(gw_library_call *c) {
    c->result.place = gw_front_target(c->L, pointer_of(c->L, c->self));
}

void gw_front_unique_element(gw_library_call *c) {
    const gw_value index = gw_front_scalar(c->L, c->arguments->at[0]);
    const gw_place first = gw_front_target(c->L, pointer_of(c->L, c->self));
    if (!c->L->failed) c->result.place = gw_front_advance(c->L, first, index, false);
}

void gw_front_unique_is_set(gw_library_call *c) {
    const gw_place at = gw_front_target(c->L, pointer_of(c->L, c->self));
    c->result.value = gw_unary(&c->L->b, GW_OP_NOT, gw_front_is_null(c->L, at, c->call));
}

void gw_front_unique_release(gw_library_call *c) {
    gw_front_unique_get(c);
    gw_front_clear(c->L, c->self);
}

void gw_front_unique_reset(gw_library_call *c) {
    gw_place next = {.kind = GW_PLACE_NULL};
    if (c->arguments->count && !gw_front_is_default_argument(c->arguments->at[0]))
        next = gw_front_pointer(c->L, c->arguments->at[0]);
    if (!c->L->failed) gw_front_unique_end(c->L, c->self, c->call);
    if (!c->L->failed) gw_front_point(c->L, pointer_of(c->L, c->self), next);
}

/* From another one that is moved, or from nullptr. */
void gw_front_unique_assign(gw_library_call *c) {
    CXCursor e = c->arguments->at[0];
    if (gw_front_shape_at(c->L->u, gw_front_shape_of(c->L, e))->library == GW_LIBRARY_UNIQUE)
        gw_front_unique_move(c->L, c->self, gw_front_place(c->L, e), true, c->call);
    else
        gw_front_unique_reset(c);
    c->result.place = c->self;
}

static void exchange(gw_lowering *L, gw_place a, gw_place b) {
    if (L->failed) return;
    const gw_place first = gw_front_target(L, pointer_of(L, a)), second = gw_front_target(L, pointer_of(L, b));
    gw_front_point(L, pointer_of(L, a), second);
    gw_front_point(L, pointer_of(L, b), first);
}

void gw_front_unique_swap(gw_library_call *c) {
    exchange(c->L, c->self, gw_front_place(c->L, c->arguments->at[0]));
}

void gw_front_unique_swap_two(gw_library_call *c) {
    const gw_place a = gw_front_place(c->L, c->arguments->at[0]);
    exchange(c->L, a, gw_front_place(c->L, c->arguments->at[1]));
}
