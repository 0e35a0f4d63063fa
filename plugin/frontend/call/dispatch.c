/*
 * frontend/call/dispatch.c - calls of which a run shows which function they take: through
 * a pointer to one of several functions, and of virtual functions.
 *
 * Such a call is an if-chain over the functions that may be meant, and each of them is called or inlined in its
 * branch as if it were named there. So its derivative is that of the branch that was taken, in every form, and
 * what tells them apart is recorded like any other condition. The arguments are evaluated in the branch, of
 * which one runs. Where the last branch is of what this file does not show, the derivative ends there.
 */
#include "plugin/frontend/call/call.h"
#include "plugin/frontend/lower.h"
#include "plugin/frontend/place/place.h"

#include <stdlib.h>

/* What one of several calls gives, where their branches meet: nothing, a number, a place or a struct. */
typedef struct joined {
    CXCursor call;
    gw_callee *act;
    void *context;
    bool is_place;
    uint32_t slot; /* of a number or of a place; 0: of none */
    gw_place made; /* of a struct */
} joined;

static joined begin(gw_lowering *L, CXCursor call, gw_callee *act, void *context) {
    joined j = {.call = call, .act = act, .context = context, .is_place = gw_front_returns_reference(call)};
    const gw_shape shape = gw_front_shape_of(L, call);
    const gw_shape_kind kind = gw_front_shape_kind(L->u, shape);
    j.is_place |= kind == GW_SHAPE_POINTER;
    if (j.is_place) j.slot = gw_front_slot(L, GW_SLOT_POINTER, GW_T_VOID, 0);
    else if (kind == GW_SHAPE_SCALAR && shape != GW_T_VOID) j.slot = gw_front_slot(L, GW_SLOT_SCALAR, shape, 0);
    else if (kind != GW_SHAPE_SCALAR) j.made = gw_front_temp(L, shape, 0);
    return j;
}

static void take(gw_lowering *L, gw_place function, void *context) {
    const joined *j = context;
    const gw_call_result r = j->act(L, function, j->context);
    if (L->failed || L->dead) return;
    if (j->is_place)
        gw_front_slot_set(L, j->slot, gw_front_pointer_new(L, r.place));
    else if (j->slot)
        gw_front_slot_set(L, j->slot, gw_cast(&L->b, L->slots.at[j->slot].type, r.value));
    else if (j->made.kind)
        gw_front_copy_object(L, j->made, r.place, GW_MOVED, j->call);
}

static gw_call_result end(gw_lowering *L, const joined *j) {
    gw_call_result r = {.place = j->made};
    gw_front_unthrown_begin(L);
    if (L->failed) return r;
    const uint32_t number = j->is_place ? L->slots.at[j->slot].value : 0;
    if (number) r.place = L->pointers.at[number];
    else if (j->slot && !j->is_place) r.value = gw_front_slot_value(L, j->slot);
    return r;
}

gw_call_result gw_front_call_one_of(gw_lowering *L, CXCursor call, gw_place choice, gw_callee *act,
                                    void *context) {
    joined j = begin(L, call, act, context);
    if (!L->failed) gw_front_choice_each(L, choice, take, &j);
    return end(L, &j);
}

/* ---- virtual functions ---- */
typedef struct virtual_call {
    const gw_seen_class *seen;
    uint32_t count;
    joined *joined;
} virtual_call;

static void call_of_classes(gw_lowering *L, const virtual_call *v, uint32_t i) {
    if (L->failed) return;
    if (i == v->count) {
        gw_front_end_unknown(L, v->joined->call, "function of a class");
        return;
    }
    const gw_value is = gw_front_is_of_class(L, &v->seen[i]);
    gw_branch yes = gw_front_branch_begin(L);
    take(L, v->seen[i].object, v->joined);
    gw_front_branch_end(L, &yes);
    gw_branch no = gw_front_branch_begin(L);
    call_of_classes(L, v, i + 1);
    gw_front_branch_end(L, &no);
    gw_front_branch_join(L, is, &yes, &no);
}

gw_call_result gw_front_call_virtual(gw_lowering *L, CXCursor call, gw_place object, gw_callee *act,
                                     void *context) {
    enum { MOST = 64 };
    gw_seen_class *seen = gw_alloc(MOST * sizeof *seen);
    const uint32_t count = gw_front_classes_of(L, object, seen, MOST);
    joined j = {0};
    if (!count)
        gw_front_refuse(L, call, "a virtual call of an object of which this file shows no class",
                        "call the member of the class that is meant");
    if (!L->failed) {
        j = begin(L, call, act, context);
        call_of_classes(L, &(virtual_call){seen, count, &j}, 0);
    }
    free(seen);
    return L->failed ? (gw_call_result){0} : end(L, &j);
}

/* ---- functions ---- */
static void refuse_other_type(gw_lowering *L, CXCursor call, CXCursor function) {
    gw_cursors parts = {0};
    gw_front_expressions(call, &parts);
    const CXType pointer = clang_getCanonicalType(clang_getCursorType(parts.count ? parts.at[0] : call));
    const CXType called = clang_getCanonicalType(clang_getPointeeType(pointer));
    gw_vec_free(&parts);
    if (called.kind == CXType_FunctionProto && !gw_front_same_call(called, clang_getCursorType(function)))
        gw_front_refuse(L, call, "a call of a function through a pointer to one of another type",
                        "give the pointer the type of the function");
}

bool gw_front_may_call(gw_lowering *L, CXCursor call, CXCursor function) {
    if (!clang_Cursor_isNull(function)) refuse_other_type(L, call, function);
    else gw_front_end_unknown(L, call, "function");
    return !L->failed && !L->dead;
}
