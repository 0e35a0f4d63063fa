/*
 * frontend/device/graph.c - graphs that a program makes by hand: cudaGraphCreate, and nodes of kernels, fills
 * and copies.
 *
 * A node is work in a stream that is called like its graph, so that the graph is one that was captured from
 * that stream (device/capture.c), up to where it is instantiated. Nodes run in the order in which they were
 * added: that is one of those that their dependencies allow, since a node can depend only on what was added
 * before it. What adds dependencies later, or changes a node of what is not launched yet, is refused. A clone
 * is the graph as it is then; an update lets the variable of what is launched be the other graph, if nothing
 * else has its value. A node is a number, the op that it adds; what changes it in what is launched is another
 * op, in a stream of its own, which a launch takes in the place of the node.
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

/* What the call gives by a pointer, nobody knows but that it may be counted: cudaGraphGetNodes. */
static void count_nodes(gw_lowering *L, const gw_cursors *a) {
    const gw_place nodes = gw_front_pointer(L, a->at[1]);
    if (!L->failed && nodes.kind != GW_PLACE_NULL)
        gw_front_refuse(L, a->at[1], "the nodes of a graph", "ask for their number alone");
    const gw_place count = L->failed ? nodes : gw_front_pointer(L, a->at[2]);
    if (!L->failed) gw_front_store(L, count, gw_front_unknown(L, GW_T_U64, "cudaGraphGetNodes"));
}

/* ---- whether a variable is the only one that has its value ---- */
typedef struct uses {
    gw_unit *u;
    CXCursor variable;
    uint32_t all, good;
} uses;

/* The variable, or its address. */
static bool is_use(const uses *s, CXCursor e) {
    while (gw_front_is_cast(clang_getCursorKind(e)) || clang_getCursorKind(e) == CXCursor_ParenExpr ||
           clang_getCursorUnaryOperatorKind(e) == CXUnaryOperator_AddrOf)
        e = gw_front_expression(e);
    return clang_getCursorKind(e) == CXCursor_DeclRefExpr &&
           clang_equalCursors(clang_getCursorReferenced(e), s->variable);
}

/* Calls of CUDA's take it, or it is asked whether it is null. */
static enum CXChildVisitResult count_uses(CXCursor c, CXCursor parent, CXClientData data) {
    uses *s = data;
    (void)parent;
    const enum CXCursorKind kind = clang_getCursorKind(c);
    const enum CXBinaryOperatorKind op = clang_getCursorBinaryOperatorKind(c);
    s->all += kind == CXCursor_DeclRefExpr && is_use(s, c);
    const bool asks = op == CXBinaryOperator_EQ || op == CXBinaryOperator_NE || kind == CXCursor_IfStmt ||
                      clang_getCursorUnaryOperatorKind(c) == CXUnaryOperator_LNot;
    if (asks || (kind == CXCursor_CallExpr && gw_front_device_call_row(s->u, clang_getCursorReferenced(c)))) {
        gw_cursors parts = {0};
        gw_front_expressions(c, &parts);
        for (uint32_t i = 0; i < parts.count; i++)
            s->good += is_use(s, parts.at[i]);
        gw_vec_free(&parts);
    }
    return CXChildVisit_Recurse;
}

static bool is_alone(gw_lowering *L, CXCursor e) {
    uses s = {.u = L->u, .variable = clang_getCursorReferenced(e)};
    if (clang_getCursorKind(e) != CXCursor_DeclRefExpr || clang_getCursorKind(s.variable) != CXCursor_VarDecl ||
        clang_Cursor_hasVarDeclGlobalStorage(s.variable) == 1)
        return false;
    clang_visitChildren(clang_getCursorSemanticParent(s.variable), count_uses, &s);
    return s.all == s.good;
}

/* The variable of what is launched, which is to be another from here on. */
static gw_place changed(gw_lowering *L, CXCursor call, CXCursor e) {
    const CXCursor exec = gw_front_behind_casts(L, e);
    const gw_place to = gw_front_place(L, exec);
    if (!L->failed && (to.kind != GW_PLACE_SLOTS || !is_alone(L, exec)))
        gw_front_refuse(L, call, "an update of a graph that is not in one local variable alone",
                        "keep what cudaGraphInstantiate makes in a local variable, and copy it nowhere");
    return to;
}

static void become(gw_lowering *L, CXCursor call, gw_place to, gw_device what, const gw_value *operands,
                   uint32_t count) {
    gw_front_locate(L, call);
    const gw_op op = gw_front_device_op(L, what, operands, count);
    gw_front_point(L, to, gw_front_device_place(L, gw_front_pointee(L->u, to.shape), gw_result(L->f, op, 0)));
}

/* cudaGraphExecUpdate(exec, graph, ...): from here on the variable `exec` is what is made of that graph. */
static void update(gw_lowering *L, CXCursor call, const gw_cursors *a) {
    const gw_place to = changed(L, call, a->at[0]);
    const gw_value graph = L->failed ? 0 : address(L, a->at[1]);
    if (!L->failed) become(L, call, to, GW_DEVICE_INSTANTIATE, &graph, 1);
    const gw_place said = L->failed ? to : gw_front_pointer(L, a->at[a->count - 1]);
    if (!L->failed && said.kind != GW_PLACE_NULL) gw_front_clear(L, said); /* cudaGraphExecUpdateSuccess */
}

static void clone(gw_lowering *L, const gw_cursors *a) {
    const gw_place to = gw_front_pointer_behind(L, a->at[0]);
    const gw_value graph = L->failed ? 0 : address(L, a->at[1]);
    if (L->failed) return;
    const gw_op op = gw_front_device_op(L, GW_DEVICE_INSTANTIATE, &graph, 1); /* what it is by now */
    gw_front_point(L, to, gw_front_device_place(L, gw_front_pointee(L->u, to.shape), gw_result(L->f, op, 0)));
}

/* (..., to, from, bytes, kind), as the last four arguments */
static void copy(gw_lowering *L, CXCursor call, const gw_cursors *a, gw_value graph) {
    const CXCursor *at = a->at + a->count - 4;
    uint32_t element = GW_ELEMENT_NONE;
    gw_value operands[6] = {0};
    for (uint32_t i = 0; i < 2 && !L->failed; i++) {
        const gw_place p = gw_front_pointer(L, at[i]);
        if (!L->failed && gw_front_stage_number(L, &p)) return;
        if (!L->failed) gw_front_element_add(L, &element, &p, false, at[i]);
        if (!L->failed) operands[i] = gw_front_address(L, p, at[i]);
    }
    if (!L->failed) operands[2] = gw_cast(&L->b, GW_T_U64, gw_front_scalar(L, at[2]));
    if (!L->failed) operands[3] = gw_cast(&L->b, GW_T_I32, gw_front_scalar(L, at[3]));
    if (L->failed) return;
    operands[4] = graph;
    operands[5] = gw_int(&L->b, GW_T_U32, element);
    gw_front_locate(L, call);
    gw_front_device_op(L, gw_front_stage_waited(L, GW_DEVICE_COPY_QUEUED, operands[3]), operands, 6);
}

static gw_op last_call(const gw_func *f) {
    gw_op op = f->ops.count - 1;
    while (op && gw_op_at(f, op)->code != GW_OP_DEVICE)
        op--;
    return op;
}

/* The work that the arguments say, in that stream, and the number of its op. */
static gw_value work(gw_lowering *L, CXCursor call, uint32_t what, const gw_cursors *a, gw_value stream) {
    if (what == GW_DEVICE_COPY_QUEUED) {
        copy(L, call, a, stream);
    } else {
        const CXCursor at = a->at[a->count - 1];
        const gw_place of = gw_front_pointer(L, at);
        if (!L->failed && gw_front_is_device(L, &of))
            gw_front_refuse(L, call, "a node by parameters that are not known", "set them in this function");
        if (!L->failed && what == GW_DEVICE_LAUNCH) gw_front_launch_node(L, call, of, stream, at);
        if (!L->failed && what == GW_DEVICE_SET_QUEUED) fill(L, call, of, stream, at);
        if (!L->failed && what == GW_DEVICE_COPY_3D_QUEUED)
            gw_front_box_copy(L, call, of, what, stream, at);
    }
    return L->failed ? 0 : gw_int(&L->b, GW_T_ADDRESS, last_call(L->f));
}

/* A node of work in the graph. */
static void add_node(gw_lowering *L, CXCursor call, uint32_t what, const gw_cursors *a) {
    const gw_place node = gw_front_pointer_behind(L, a->at[0]);
    const gw_value graph = L->failed ? 0 : address(L, a->at[1]);
    const gw_value made = L->failed ? 0 : work(L, call, what, a, graph);
    if (!L->failed && node.kind != GW_PLACE_NULL)
        gw_front_point(L, node, gw_front_device_place(L, gw_front_pointee(L->u, node.shape), made));
}

/* cudaGraphExec...NodeSetParams(exec, node, ...) */
static void set_node(gw_lowering *L, CXCursor call, uint32_t what, const gw_cursors *a) {
    const gw_place to = changed(L, call, a->at[0]);
    gw_value operands[3] = {0};
    if (!L->failed) operands[0] = address(L, a->at[0]);
    if (!L->failed) operands[1] = address(L, a->at[1]);
    if (L->failed) return;
    const gw_op name = gw_front_device_op(L, GW_DEVICE_GRAPH_MADE, NULL, 0);
    operands[2] = work(L, call, what, a, gw_result(L->f, name, 0));
    if (!L->failed) become(L, call, to, GW_DEVICE_NODE_SET, operands, 3);
}

bool gw_front_graph(gw_lowering *L, CXCursor call, const gw_device_call *row, const gw_cursors *a,
                    gw_value *said) {
    switch (row->what) {
    case GW_DEVICE_GRAPH_MADE:
        *said = make(L, call, a);
        return true;
    case GW_DEVICE_COUNTED:
        count_nodes(L, a);
        break;
    case GW_DEVICE_INSTANTIATE:
        update(L, call, a);
        break;
    case GW_DEVICE_GRAPH:
        clone(L, a);
        break;
    default:
        (row->arguments[1] == 'S' ? set_node : add_node)(L, call, row->what, a);
        break;
    }
    if (!L->failed) *said = gw_result(L->f, gw_front_device_op(L, GW_DEVICE_STATUS, NULL, 0), 0);
    return true;
}
