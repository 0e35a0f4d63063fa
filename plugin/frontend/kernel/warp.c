/*
 * frontend/kernel/warp.c - what the lanes of a warp do together: the rows of warp.def, and __syncwarp.
 *
 * An op of its own stands where the call does, in the control around it: so it is reached by the lanes that
 * reach the call, together. Outside of a kernel it is refused: a call would be taken for a computation of one
 * thread.
 */
#include "plugin/frontend/kernel/kernel.h"
#include "plugin/frontend/lower.h"
#include "plugin/frontend/place/place.h"
#include "plugin/frontend/type/type.h"

#include "analysis/ir/warp.h"

#include <string.h>

enum { MOST_OPERANDS = 4 };

static gw_warp row_of(const char *name) {
    for (unsigned i = 1; i < GW_WARP_COUNT; i++)
        if (*gw_warp_rows[i].spelling && strcmp(name, gw_warp_rows[i].spelling) == 0) return (gw_warp)i;
    return GW_WARP_NONE;
}

static bool is_given(CXCursor call, unsigned i) {
    return (int)i < clang_Cursor_getNumArguments(call) &&
           !gw_front_is_default_argument(clang_Cursor_getArgument(call, i));
}

/* A shuffle's width and __syncwarp's mask may be missing. */
static gw_value operand(gw_lowering *L, CXCursor call, unsigned i, char kind) {
    if (!is_given(call, i))
        return kind == 'm' ? gw_int(&L->b, GW_T_U32, 0xffffffff) : gw_int(&L->b, GW_T_I32, 32);
    gw_value v = gw_front_scalar(L, clang_Cursor_getArgument(call, i));
    if (L->failed) return 0;
    if (kind != 'v') return gw_cast(&L->b, kind == 'i' ? GW_T_I32 : GW_T_U32, v);
    CXType parameter = clang_getArgType(clang_getCursorType(clang_getCursorReferenced(call)), i);
    gw_shape declared = gw_front_shape(L->u, clang_getCanonicalType(parameter));
    return declared < GW_T_SCALARS && declared != GW_T_VOID ? gw_cast(&L->b, declared, v) : v;
}

static bool refuse_elsewhere(gw_lowering *L, CXCursor call) {
    if (L->f->kind == GW_FUNC_KERNEL) return false;
    gw_front_refuse(L, call, "an operation of a warp outside of a kernel",
                    "request the derivative of the kernel that calls it");
    return true;
}

/* Its third argument is set to whether all lanes have one value. */
static void tell_all(gw_lowering *L, CXCursor call, gw_value mask) {
    gw_value none = gw_int(&L->b, gw_typeof(L->f, mask), 0);
    gw_value all = gw_cast(&L->b, GW_T_I32, gw_binary(&L->b, GW_OP_NE, mask, none));
    gw_place to = gw_front_pointer(L, clang_Cursor_getArgument(call, 2));
    if (!L->failed) gw_front_store(L, to, all);
}

static void sync_warp(gw_lowering *L, CXCursor call) {
    gw_value mask = operand(L, call, 0, 'm');
    if (L->failed) return;
    gw_front_locate(L, call);
    gw_emit(&L->b, GW_OP_SYNCWARP, GW_T_VOID, 0, &mask, 1);
    gw_push(&L->stores, 0);
}

bool gw_front_warp(gw_lowering *L, CXCursor call, const char *name, gw_value *value) {
    bool sync = strcmp(name, "__syncwarp") == 0;
    gw_warp kind = row_of(name);
    if (!sync && !kind) return false;
    if (refuse_elsewhere(L, call)) return true;
    if (sync) {
        sync_warp(L, call);
        return true;
    }
    const gw_warp_row *row = &gw_warp_rows[kind];
    gw_value operands[MOST_OPERANDS], given = 0;
    uint32_t count = (uint32_t)strlen(row->operands);
    for (uint32_t i = 0; i < count && !L->failed; i++) {
        operands[i] = operand(L, call, i, row->operands[i]);
        if (row->operands[i] == 'v') given = operands[i];
    }
    if (L->failed) return true;
    gw_type type = gw_warp_result(kind, gw_typeof(L->f, given));
    gw_front_locate(L, call);
    gw_op op = gw_emit(&L->b, GW_OP_WARP, type, 1, operands, count);
    gw_op_at(L->f, op)->attr = (uint16_t)kind;
    *value = gw_result(L->f, op, 0);
    gw_push(&L->stores, 0);
    if (kind == GW_WARP_MATCH_ALL) tell_all(L, call, *value);
    return true;
}
