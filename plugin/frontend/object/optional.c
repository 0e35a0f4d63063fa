/*
 * frontend/object/optional.c - std::optional: whether there is a value, and the value, which is zero where
 * there is none. What a program reads of it is the value that it has put there.
 */
#include "plugin/frontend/lower.h"
#include "plugin/frontend/object/library.h"
#include "plugin/frontend/object/object.h"
#include "plugin/frontend/type/type.h"

static gw_place flag_of(gw_lowering *L, gw_place optional) { return gw_front_member(L, optional, 0); }
static gw_place value_of(gw_lowering *L, gw_place optional) { return gw_front_member(L, optional, 1); }

static void set(gw_lowering *L, gw_place optional, bool has) {
    if (!L->failed) gw_front_store(L, flag_of(L, optional), gw_int(&L->b, GW_T_BOOL, has));
}

static bool is_optional(gw_lowering *L, gw_shape s) {
    return gw_front_shape_at(L->u, s)->library == GW_LIBRARY_OPTIONAL;
}

static bool is_nothing(gw_lowering *L, CXCursor e) {
    const CXCursor class = clang_getTypeDeclaration(gw_front_bare(clang_getCursorType(e)));
    return gw_front_intern(L->u, clang_getCursorSpelling(class)) == gw_intern(L->session, "nullopt_t");
}

/* Another one of the same type, std::nullopt, or what the value is made of. */
static void take(gw_lowering *L, gw_place to, CXCursor e, CXCursor at) {
    if (is_nothing(L, e)) {
        set(L, to, false);
    } else if (is_optional(L, gw_front_shape_of(L, e))) {
        const gw_place from = gw_front_place(L, e);
        if (!L->failed && from.shape != to.shape)
            gw_front_refuse(L, at, "a std::optional that is made of one of another type", "give it the value");
        if (!L->failed) gw_front_copy_object(L, to, from, GW_COPIED, at);
    } else {
        const gw_place made = gw_front_temp(L, value_of(L, to).shape, 0); /* it may be made of the old one */
        if (!L->failed) gw_front_initialize(L, made, e);
        if (!L->failed) gw_front_copy(L, value_of(L, to), made);
        set(L, to, true);
    }
}

/* The value, made of these: it may be made of the old one. */
static void make(gw_lowering *L, gw_place to, const gw_cursors *arguments, CXCursor at) {
    const gw_place made = gw_front_temp(L, value_of(L, to).shape, 0);
    const bool is_scalar = gw_front_shape_kind(L->u, made.shape) == GW_SHAPE_SCALAR;
    if (L->failed) return;
    if (is_scalar && arguments->count) gw_front_initialize(L, made, arguments->at[0]);
    else if (is_scalar) gw_front_clear(L, made);
    else gw_front_construct_from(L, made, arguments, at);
    if (!L->failed) gw_front_copy(L, value_of(L, to), made);
    set(L, to, true);
}

static bool is_in_place(gw_lowering *L, CXCursor e) {
    const CXCursor class = clang_getTypeDeclaration(gw_front_bare(clang_getCursorType(e)));
    return gw_front_intern(L->u, clang_getCursorSpelling(class)) == gw_intern(L->session, "in_place_t");
}

void gw_front_optional_fill(gw_lowering *L, gw_place to, const gw_cursors *arguments, CXCursor at) {
    gw_front_clear(L, to);
    if (L->failed || !arguments->count) return;
    if (is_in_place(L, arguments->at[0])) {
        const gw_cursors others = {arguments->at + 1, arguments->count - 1, 0};
        make(L, to, &others, at);
    } else {
        take(L, to, arguments->at[0], at);
    }
}

void gw_front_optional_has(gw_library_call *c) {
    c->result.value = gw_front_load(c->L, flag_of(c->L, c->self));
}

void gw_front_optional_value(gw_library_call *c) { c->result.place = value_of(c->L, c->self); }

void gw_front_optional_or(gw_library_call *c) {
    gw_lowering *L = c->L;
    const gw_place made = gw_front_temp(L, value_of(L, c->self).shape, 0);
    if (!L->failed) gw_front_initialize(L, made, c->arguments->at[0]); /* in any case, as any argument */
    if (L->failed) return;
    gw_branch yes = gw_front_branch_begin(L);
    gw_front_copy(L, made, value_of(L, c->self));
    gw_front_branch_end(L, &yes);
    gw_branch no = gw_front_branch_begin(L);
    gw_front_branch_end(L, &no);
    if (!L->failed) gw_front_branch_join(L, gw_front_load(L, flag_of(L, c->self)), &yes, &no);
    c->result.place = made;
}

void gw_front_optional_reset(gw_library_call *c) { set(c->L, c->self, false); }

void gw_front_optional_emplace(gw_library_call *c) {
    make(c->L, c->self, c->arguments, c->call);
    c->result.place = value_of(c->L, c->self);
}

void gw_front_optional_swap(gw_library_call *c) {
    gw_lowering *L = c->L;
    const gw_place other = gw_front_place(L, c->arguments->at[0]);
    const gw_place kept = gw_front_temp(L, c->self.shape, 0);
    if (!L->failed) gw_front_copy(L, kept, c->self);
    if (!L->failed) gw_front_copy(L, c->self, other);
    if (!L->failed) gw_front_copy(L, other, kept);
}

void gw_front_optional_assign(gw_library_call *c) {
    take(c->L, c->self, c->arguments->at[0], c->call);
    c->result.place = c->self;
}
