/*
 * frontend/object/unique.c - std::unique_ptr: a pointer, which the deleter that the user wrote gets when the
 * object ends or is given another one. With the library's deleter only memory that a program allocated for
 * copies is freed then (place/stage.c); other memory ends with the function, like all that `new` makes. So a
 * std::shared_ptr of what has no destructor is the same, but that it may be copied.
 */
#include "plugin/frontend/lower.h"
#include "plugin/frontend/object/library.h"
#include "plugin/frontend/object/object.h"
#include "plugin/frontend/type/type.h"

#include "analysis/ir/device.h"

#include <string.h>

static gw_place pointer_of(gw_lowering *L, gw_place unique) { return gw_front_member(L, unique, 0); }

/* Null is given to no deleter. */
void gw_front_unique_end(gw_lowering *L, gw_place unique, CXCursor at) {
    const CXType type = gw_front_shape_at(L->u, unique.shape)->clang;
    CXCursor deleter = gw_front_deleter(type);
    const gw_place pointer = pointer_of(L, unique), target = gw_front_target(L, pointer);
    if (clang_Cursor_isNull(deleter) && !gw_front_leads_to_device(L, &target)) return;
    const gw_value null = gw_front_is_null(L, target, at);
    int64_t known;
    if (L->failed || (gw_const_int(L->f, null, &known) && known)) return;
    gw_branch some = gw_front_branch_begin(L);
    if (clang_Cursor_isNull(deleter)) {
        const gw_value address = gw_front_address(L, target, at);
        gw_front_device_op(L, GW_DEVICE_FREE, &address, 1);
    } else {
        gw_place self =
            gw_front_temp(L, gw_front_shape(L->u, clang_Type_getTemplateArgumentAsType(type, 1)), 0);
        if (!L->failed) gw_front_inline_with(L, at, deleter, &self, &pointer, 1, false);
    }
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

/* From another one, whose class may be derived: moved, or shared. */
static void take(gw_lowering *L, gw_place to, CXCursor e, bool ends, CXCursor at) {
    const bool is_shared = gw_front_shape_at(L->u, gw_front_shape_of(L, e))->is_shared;
    const bool moves = !is_shared || gw_front_argument_copying(L, e) == GW_MOVED;
    const gw_place from = gw_front_place(L, e);
    if (!L->failed && moves) gw_front_unique_move(L, to, from, ends, at);
    else if (!L->failed) gw_front_point(L, pointer_of(L, to), gw_front_target(L, pointer_of(L, from)));
}

void gw_front_unique_fill(gw_lowering *L, gw_place to, const gw_cursors *arguments, CXCursor at) {
    if (!arguments->count || gw_front_is_default_argument(arguments->at[0])) {
        gw_front_clear(L, to);
        return;
    }
    CXCursor e = arguments->at[0];
    if (gw_front_shape_at(L->u, gw_front_shape_of(L, e))->library == GW_LIBRARY_UNIQUE)
        take(L, to, e, false, at);
    else if (arguments->count > 1 && gw_front_shape_at(L->u, to.shape)->is_shared)
        gw_front_refuse(L, at, "a std::shared_ptr with a deleter of its own", "use std::unique_ptr");
    else
        gw_front_point(L, pointer_of(L, to), gw_front_pointer(L, e));
}

/* std::make_unique<T[]>(n), std::make_unique<T>(arguments), and std::make_shared */
void gw_front_unique_make(gw_library_call *c) {
    gw_lowering *L = c->L;
    const gw_shape shape = gw_front_shape_of(L, c->call);
    const CXType held =
        clang_getCanonicalType(clang_Type_getTemplateArgumentAsType(gw_front_shape_at(L->u, shape)->clang, 0));
    const bool is_array = clang_getArrayElementType(held).kind != CXType_Invalid;
    const gw_shape element = gw_front_shape(L->u, is_array ? clang_getArrayElementType(held) : held);
    if (gw_front_constructs(L->u, element) && is_array)
        gw_front_refuse(L, c->call, "an array of such a class by std::make_unique", "use a std::vector");
    const gw_value count = is_array ? gw_front_scalar(L, c->arguments->at[0]) : gw_int(&L->b, GW_T_U64, 1);
    if (L->failed) return;
    const gw_place made = gw_front_allocate(L, element, count, true, c->call);
    if (!L->failed && !is_array && gw_front_shape_kind(L->u, element) == GW_SHAPE_SCALAR && c->arguments->count)
        gw_front_initialize(L, made, c->arguments->at[0]);
    else if (!L->failed && !is_array)
        gw_front_construct_from(L, made, c->arguments, c->call);
    c->result.place = gw_front_temp(L, shape, 0);
    if (!L->failed) gw_front_point(L, pointer_of(L, c->result.place), made);
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

static gw_place compared(gw_library_call *c, uint32_t i) {
    CXCursor e = c->arguments->at[i];
    if (gw_front_shape_at(c->L->u, gw_front_shape_of(c->L, e))->library != GW_LIBRARY_UNIQUE)
        return gw_front_pointer(c->L, e);
    const gw_place held = gw_front_place(c->L, e);
    return c->L->failed ? held : gw_front_target(c->L, pointer_of(c->L, held));
}

/* Two of them, or one and nullptr. */
static void compare(gw_library_call *c, bool differ) {
    const gw_place x = compared(c, 0), y = compared(c, 1);
    if (c->L->failed) return;
    const bool is_first = x.kind == GW_PLACE_NULL;
    gw_value same = is_first || y.kind == GW_PLACE_NULL ? gw_front_is_null(c->L, is_first ? y : x, c->call)
                                                        : gw_front_compare(c->L, &x, &y, GW_OP_EQ);
    if (!same) gw_front_refuse(c->L, c->call, "this comparison of pointers", "compare what they lead to");
    c->result.value = same && differ ? gw_unary(&c->L->b, GW_OP_NOT, same) : same;
}

void gw_front_unique_equal(gw_library_call *c) { compare(c, false); }
void gw_front_unique_differ(gw_library_call *c) { compare(c, true); }

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
        take(c->L, c->self, e, true, c->call);
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
