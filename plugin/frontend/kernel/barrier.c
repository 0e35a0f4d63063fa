/*
 * frontend/kernel/barrier.c - barriers: __syncthreads and its kin.
 *
 * A barrier counts as a store, so that nobody takes what holds one for quiet.
 */
#include "plugin/frontend/kernel/kernel.h"
#include "plugin/frontend/lower.h"

#include <string.h>

bool gw_front_barrier(gw_lowering *L, CXCursor call, const char *name, gw_value *value) {
    static const char *const names[] = {"__syncthreads", "__syncthreads_count", "__syncthreads_and",
                                        "__syncthreads_or"};
    for (unsigned kind = 0; kind < sizeof names / sizeof *names; kind++) {
        if (strcmp(name, names[kind]) != 0) continue;
        if (L->f->kind != GW_FUNC_KERNEL) {
            gw_front_refuse(L, call, "a barrier outside of a kernel",
                            "request the derivative of the kernel that calls it");
            return true;
        }
        gw_value all = 0;
        if (kind) all = gw_cast(&L->b, GW_T_I32, gw_front_scalar(L, clang_Cursor_getArgument(call, 0)));
        if (L->failed) return true;
        gw_front_locate(L, call);
        gw_op op = gw_emit(&L->b, GW_OP_BARRIER, kind ? GW_T_I32 : GW_T_VOID, kind ? 1 : 0, &all, kind ? 1 : 0);
        gw_op_at(L->f, op)->attr = (uint16_t)kind;
        if (kind) *value = gw_result(L->f, op, 0);
        gw_push(&L->stores, 0);
        return true;
    }
    return false;
}
