/*
 * frontend/device/graph.c - graphs that a program makes by hand: cudaGraphCreate, and nodes of kernels, fills
 * and copies.
 *
 * A node is work in a stream that is called like its graph, so that the graph is one that was captured from
 * that stream (device/capture.c), up to where it is instantiated. Nodes run in the order in which they were
 * added: that is one of those that their dependencies allow, since a node can depend only on what was added
 * before it. What adds dependencies later, or changes a node, is refused.
 */
#include "plugin/frontend/device/device.h"
#include "plugin/frontend/lower.h"
#include "plugin/frontend/type/type.h"

#include "analysis/ir/device.h"

static gw_value address(gw_lowering *L, CXCursor e) {
    const gw_place p = gw_front_pointer(L, e);
    return L->failed ? 0 : gw_front_address(L, p, e);
}

static gw_value number(gw_lowering *L, gw_place of, const char *name) {
    if (!L->failed) of = gw_front_member_named(L, of, name);
    return L->failed ? 0 : gw_cast(&L->b, GW_T_U64, gw_front_load(L, of));
}

static gw_value make(gw_lowering *L, CXCursor call, const gw_cursors *a) {
    const gw_place to = gw_front_pointer_behind(L, a->at[0]);
    if (L->failed) return 0;
    gw_front_locate(L, call);
    const gw_op op = gw_front_device_op(L, GW_DEVICE_GRAPH_MADE, NULL, 0);
    const gw_value graph = gw_result(L->f, op, 0);
    gw_front_point(L, to, gw_front_device_place(L, gw_front_pointee(L->u, to.shape), graph));
    gw_front_device_op(L, GW_DEVICE_CAPTURE, &graph, 1);
    return gw_result(L->f, op, 1);
}

/* cudaMemsetParams of bytes that are all the same, in one row. */
static void fill(gw_lowering *L, CXCursor call, gw_place of, gw_value graph, CXCursor at) {
    uint32_t element = GW_ELEMENT_NONE;
    const gw_value value = number(L, of, "value"), each = number(L, of, "elementSize"),
                   width = number(L, of, "width"), height = number(L, of, "height");
    const gw_place to = L->failed ? of : gw_front_target(L, gw_front_member_named(L, of, "dst"));
    int64_t byte = 0, size = 0, rows = 0;
    if (L->failed) return;
    const bool is_byte =
        (gw_const_int(L->f, value, &byte) && !byte) || (gw_const_int(L->f, each, &size) && size == 1);
    if (!is_byte || !gw_const_int(L->f, height, &rows) || rows > 1) {
        gw_front_refuse(L, call, "a node that fills by other numbers than bytes or 0, or several rows",
                        "fill them in a kernel, or capture the stream (cudaStreamBeginCapture)");
        return;
    }
    gw_front_element_add(L, &element, &to, true, at);
    const gw_value operands[] = {gw_front_address(L, to, at),
                                 gw_cast(&L->b, GW_T_I32, value),
                                 gw_binary(&L->b, GW_OP_MUL, width, each),
                                 graph,
                                 gw_int(&L->b, GW_T_U32, element)};
    gw_front_locate(L, call);
    if (!L->failed) gw_front_device_op(L, GW_DEVICE_SET_QUEUED, operands, 5);
}

/* (node, graph, dependencies, their number, to, from, bytes, kind) */
static void copy(gw_lowering *L, CXCursor call, const gw_cursors *a, gw_value graph) {
    uint32_t element = GW_ELEMENT_NONE;
    gw_value operands[6] = {0};
    for (uint32_t i = 0; i < 2 && !L->failed; i++) {
        const gw_place p = gw_front_pointer(L, a->at[4 + i]);
        if (!L->failed) gw_front_element_add(L, &element, &p, false, a->at[4 + i]);
        if (!L->failed) operands[i] = gw_front_address(L, p, a->at[4 + i]);
    }
    if (!L->failed) operands[2] = gw_cast(&L->b, GW_T_U64, gw_front_scalar(L, a->at[6]));
    if (!L->failed) operands[3] = gw_cast(&L->b, GW_T_I32, gw_front_scalar(L, a->at[7]));
    if (L->failed) return;
    operands[4] = graph;
    operands[5] = gw_int(&L->b, GW_T_U32, element);
    gw_front_locate(L, call);
    gw_front_device_op(L, gw_front_stage_waited(L, GW_DEVICE_COPY_QUEUED, operands[3]), operands, 6);
}

bool gw_front_graph(gw_lowering *L, CXCursor call, uint32_t what, const gw_cursors *a, gw_value *said) {
    if (what == GW_DEVICE_GRAPH_MADE) {
        *said = make(L, call, a);
        return true;
    }
    const gw_place node = gw_front_pointer_behind(L, a->at[0]);
    const gw_value graph = L->failed ? 0 : address(L, a->at[1]);
    if (what == GW_DEVICE_COPY_QUEUED) {
        if (!L->failed) copy(L, call, a, graph);
    } else {
        const gw_place of = L->failed ? node : gw_front_pointer(L, a->at[4]);
        if (!L->failed && gw_front_is_device(L, &of))
            gw_front_refuse(L, call, "a node by parameters that are not known", "set them in this function");
        if (!L->failed && what == GW_DEVICE_LAUNCH) gw_front_launch_node(L, call, of, graph, a->at[4]);
        if (!L->failed && what == GW_DEVICE_SET_QUEUED) fill(L, call, of, graph, a->at[4]);
    }
    if (L->failed) return true;
    const gw_value none = gw_int(&L->b, GW_T_ADDRESS, 0);
    if (node.kind != GW_PLACE_NULL)
        gw_front_point(L, node, gw_front_device_place(L, gw_front_pointee(L->u, node.shape), none));
    *said = gw_result(L->f, gw_front_device_op(L, GW_DEVICE_STATUS, NULL, 0), 0);
    return true;
}
