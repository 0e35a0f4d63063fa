/*
 * frontend/device/launch_call.c - launches by calls of the runtime: cudaLaunchKernel and
 * cudaLaunchCooperativeKernel, whose arguments are an array of pointers to variables, and cudaLaunchKernelEx.
 *
 * The gradient launches the primal by <<<>>>, without attributes. What they grant a kernel that can be
 * differentiated does not use: there is no barrier of a grid or a cluster in it, it reads no other block's
 * shared memory, and does not wait for the launch before. What is left of them (priorities, overlap) changes no
 * result.
 */
#include "plugin/frontend/device/device.h"
#include "plugin/frontend/lower.h"

#include "analysis/ir/device.h"

/* The members that a configuration and a graph's node have, and the bytes of shared memory. */
static void add_members(gw_lowering *L, gw_place of, const char *shared, gw_value *shape) {
    gw_place lengths[2];
    if (L->failed) return;
    lengths[0] = gw_front_member_named(L, of, "gridDim"),
    lengths[1] = gw_front_member_named(L, of, "blockDim");
    for (uint32_t i = 0; i < 6 && !L->failed; i++)
        shape[i] = gw_cast(&L->b, GW_T_U32, gw_front_load(L, gw_front_member(L, lengths[i / 3], i % 3)));
    shape[6] = gw_cast(&L->b, GW_T_U64, gw_front_load(L, gw_front_member_named(L, of, shared)));
}

static void add_config(gw_lowering *L, CXCursor e, gw_value *shape) {
    const gw_place config = gw_front_pointer(L, e);
    add_members(L, config, "dynamicSmemBytes", shape);
    if (L->failed) return;
    shape[7] = gw_front_address(L, gw_front_target(L, gw_front_member_named(L, config, "stream")), e);
}

static void add_lengths(gw_lowering *L, const gw_cursors *a, gw_value *shape) {
    gw_front_launch_lengths(L, a->at[1], shape);
    if (!L->failed) gw_front_launch_lengths(L, a->at[2], shape + 3);
    if (L->failed) return;
    const bool shared = a->count > 4 && !gw_front_is_default_argument(a->at[4]),
               stream = a->count > 5 && !gw_front_is_default_argument(a->at[5]);
    shape[6] = shared ? gw_cast(&L->b, GW_T_U64, gw_front_scalar(L, a->at[4])) : gw_int(&L->b, GW_T_U64, 0);
    if (L->failed) return;
    shape[7] =
        stream ? gw_front_address(L, gw_front_pointer(L, a->at[5]), a->at[5]) : gw_int(&L->b, GW_T_ADDRESS, 0);
}

/* Those behind them are variables of the device's. */
static uint32_t text_params(const gw_func *kernel) {
    uint32_t count = 0;
    while (count < kernel->params.count && !kernel->params.at[count].is_global)
        count++;
    return count;
}

/* void *list[] = {&x, &n}: what its elements lead to. */
static void add_array(gw_lowering *L, const gw_func *kernel, CXCursor e, gw_operands *out) {
    CXCursor inner = gw_front_strip(e);
    while (gw_front_is_cast(clang_getCursorKind(inner)) && !clang_Cursor_isNull(gw_front_operand(L, inner)))
        inner = gw_front_strip(gw_front_operand(L, inner));
    gw_place list = gw_front_place(L, inner);
    const gw_shape_data d = *gw_front_shape_at(L->u, list.shape);
    const bool good = d.kind == GW_SHAPE_ARRAY && d.count >= text_params(kernel);
    if (!L->failed && !good)
        gw_front_refuse(L, e, "a launch with a list of arguments that is no array of this function's",
                        "launch it by kernel<<<grid, block>>>(arguments)");
    for (uint32_t i = 0; i < text_params(kernel) && !L->failed; i++) {
        gw_place p = gw_front_target(L, gw_front_element(L, list, gw_int(&L->b, GW_T_I32, i)));
        gw_front_launch_variable(L, kernel, &kernel->params.at[i], p, e, out);
    }
}

bool gw_front_launch_call(gw_lowering *L, CXCursor call, CXCursor callee, const gw_cursors *arguments,
                          gw_call_result *r) {
    const gw_launch_way *w = gw_front_launch_way(L->u, callee);
    if (!w) return false;
    gw_value shape[GW_LAUNCH_OPERANDS] = {0};
    gw_operands operands = {0};
    const gw_func *kernel = gw_front_kernel_named(L, arguments->at[w->by_config]);
    if (kernel && gw_front_may_launch(L, call, kernel)) {
        if (w->by_config)
            add_config(L, arguments->at[0], shape);
        else
            add_lengths(L, arguments, shape);
        for (uint32_t i = 0; i < GW_LAUNCH_OPERANDS; i++)
            gw_push(&operands, shape[i]);
        if (!L->failed && w->by_array) add_array(L, kernel, arguments->at[w->by_config ? 2 : 3], &operands);
        for (uint32_t i = 0; !w->by_array && i < text_params(kernel) && !L->failed; i++)
            gw_front_launch_argument(L, kernel, &kernel->params.at[i], arguments->at[2 + i], &operands);
    }
    if (!L->failed) {
        gw_front_launch_emit(L, call, kernel, &operands);
        r->value = gw_result(L->f, gw_front_device_op(L, GW_DEVICE_STATUS, NULL, 0), 0);
    }
    gw_vec_free(&operands);
    return true;
}

void gw_front_launch_node(gw_lowering *L, CXCursor call, gw_place of, gw_value graph, CXCursor at) {
    gw_value shape[GW_LAUNCH_OPERANDS] = {0};
    gw_operands operands = {0};
    const gw_place function = gw_front_target(L, gw_front_member_named(L, of, "func"));
    const gw_func *kernel = gw_front_kernel_at(L, function, at);
    if (!kernel || !gw_front_may_launch(L, call, kernel)) return;
    add_members(L, of, "sharedMemBytes", shape);
    shape[7] = graph;
    for (uint32_t i = 0; i < GW_LAUNCH_OPERANDS; i++)
        gw_push(&operands, shape[i]);
    const gw_place list = gw_front_target(L, gw_front_member_named(L, of, "kernelParams"));
    for (uint32_t i = 0; i < text_params(kernel) && !L->failed; i++) {
        const gw_value by = gw_int(&L->b, GW_T_I32, i);
        const gw_place p = gw_front_target(L, i ? gw_front_advance(L, list, by, false) : list);
        gw_front_launch_variable(L, kernel, &kernel->params.at[i], p, at, &operands);
    }
    if (!L->failed) gw_front_launch_emit(L, call, kernel, &operands);
    gw_vec_free(&operands);
}
