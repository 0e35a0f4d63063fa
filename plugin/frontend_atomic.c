/*
 * frontend_atomic.c - atomic operations as statements: the rows of atomic.def.
 *
 * Where the result is used, or the op is no row, frontend_intrinsic.c refuses the call: a gradient does not perform the
 * primal's stores to the caller's memory, so it cannot find the result again.
 */
#include "frontend_lower.h"

#include <string.h>

typedef struct operation {
    gw_atomic kind;
    gw_value value;
    CXCursor call;
} operation;

static gw_atomic kind_of(CXCursor callee) {
    CXString name = clang_getCursorSpelling(callee);
    gw_atomic kind = GW_ATOMIC_NONE;
    for (unsigned i = 1; i < GW_ATOMIC_COUNT; i++)
        if (strcmp(clang_getCString(name), gw_atomic_rows[i].spelling) == 0) kind = (gw_atomic)i;
    clang_disposeString(name);
    return kind;
}

static void put(gw_lowering *L, gw_place to, void *data) {
    const operation *x = data;
    if (to.kind == GW_PLACE_CHOICE) {
        gw_front_choice_each(L, to, put, data);
        return;
    }
    gw_object_kind kind = to.kind == GW_PLACE_MEMORY ? gw_object_at(L->f, to.object)->kind : GW_OBJECT_LOCAL;
    if (kind == GW_OBJECT_LOCAL)
        gw_front_refuse(L, x->call, "an atomic operation on a variable of one thread", "use a plain one");
    else if (gw_type_is_float(to.shape) && !gw_atomic_rows[x->kind].floats)
        gw_front_refuse(L, x->call, "an atomic operation on floats that is no addition", "find the value in a kernel of its own");
    if (L->failed) return;
    to = gw_front_row_settle(L, to);
    gw_op op = gw_store(&L->b, to.object, to.path, to.index, to.count, gw_cast(&L->b, to.shape, x->value));
    gw_op_at(L->f, op)->code = GW_OP_ATOMIC;
    gw_op_at(L->f, op)->attr = (uint16_t)x->kind;
    gw_push(&L->stores, to.object);
}

bool gw_front_atomic(gw_lowering *L, CXCursor call) {
    CXCursor callee = clang_getCursorReferenced(call);
    operation x = {.kind = kind_of(callee), .call = call};
    if (!x.kind || clang_Cursor_getNumArguments(call) != 2 || !gw_front_is_library(L, callee)) return false;
    gw_place to = gw_front_pointer(L, clang_Cursor_getArgument(call, 0));
    if (L->failed) return true;
    if (gw_front_shape_kind(L->u, to.shape) != GW_SHAPE_SCALAR) {
        gw_front_refuse(L, call, "an atomic operation on a vector", "add its members one by one");
        return true;
    }
    x.value = gw_front_scalar(L, clang_Cursor_getArgument(call, 1));
    if (L->failed) return true;
    gw_front_locate(L, call);
    put(L, to, &x);
    return true;
}
