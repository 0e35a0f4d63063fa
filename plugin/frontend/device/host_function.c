/*
 * frontend/device/host_function.c - functions of the host that wait in a stream: cudaLaunchHostFunc,
 * cudaStreamAddCallback and nodes of graphs.
 *
 * Such a function runs when what is in front of it in its stream is done, and what is behind waits for it. So
 * it may as well run at once, when the stream was waited for. What a graph launches later is not so; there, one
 * that only reads and prints is passed over, as what is printed is in all functions.
 */
#include "plugin/frontend/device/device.h"
#include "plugin/frontend/lower.h"
#include "plugin/frontend/type/type.h"

#include "analysis/ir/device.h"

enum { MOST_PARAMS = 3 }; /* stream, status, data */

static CXCursor definition_of(gw_lowering *L, gw_place function, CXCursor at) {
    CXCursor definition = clang_getNullCursor();
    if (L->failed) return definition;
    if (function.kind == GW_PLACE_FUNCTION)
        definition = clang_getCursorDefinition(L->u->functions.at[function.slot]);
    if (clang_Cursor_isNull(definition) || clang_Cursor_getNumArguments(definition) > MOST_PARAMS)
        gw_front_refuse(L, at,
                        "a function of the host in a stream that is not named here, or defined elsewhere,",
                        "name a function of this translation unit");
    return definition;
}

static gw_place parameter(gw_lowering *L, CXCursor definition, uint32_t i) {
    const CXCursor decl = clang_Cursor_getArgument(definition, i);
    const CXType type = clang_getArgType(clang_getCursorType(definition), i);
    return gw_front_temp(L, gw_front_parameter_shape(L->u, type),
                         gw_front_intern(L->u, clang_getCursorSpelling(decl)));
}

/* ---- in a graph ---- */
/* A stream is captured so far. */
static bool is_capturing(const gw_func *f) {
    bool open = false;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead || o->code != GW_OP_DEVICE) continue;
        if (o->attr == GW_DEVICE_CAPTURED) open = false;
        if (o->attr != GW_DEVICE_CAPTURE) continue;
        const gw_op of = gw_value_at(f, gw_operand(f, op, 0))->op;
        const bool by_hand = of && gw_op_at(f, of)->code == GW_OP_DEVICE &&
                             gw_op_at(f, of)->attr == GW_DEVICE_GRAPH_MADE;
        open |= !by_hand;
    }
    return open;
}

static bool only_reads(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    const uint32_t effect = (uint32_t)gw_op_rows[o->code].effect;
    if (o->code != GW_OP_DEVICE)
        return o->regions || o->code == GW_OP_DECLARE || effect == GW_EFFECT_PURE || effect == GW_EFFECT_READ ||
               effect == GW_EFFECT_CONTROL;
    return gw_device_rows[o->attr].asks || o->attr == GW_DEVICE_FETCH || o->attr == GW_DEVICE_STATUS;
}

/* What the function would do, which is taken away again. */
static void pass_over(gw_lowering *L, CXCursor call, CXCursor definition, const gw_place *given,
                      uint32_t count) {
    GW_VEC(gw_op) made = {0};
    gw_branch branch = gw_front_branch_begin(L);
    gw_front_inline_with(L, call, definition, NULL, given, count, false);
    gw_front_branch_end(L, &branch);
    bool passive = !branch.changes.count && !branch.stopped && !branch.dead;
    for (gw_op op = gw_first(L->f, branch.region); op; op = gw_walk(L->f, op, branch.region)) {
        passive &= only_reads(L->f, op);
        gw_push(&made, op);
    }
    for (uint32_t i = made.count; i-- > 0;)
        gw_op_remove(L->f, made.at[i]);
    if (!passive && !L->failed)
        gw_front_refuse(L, call, "a function of the host in a graph that does more than read and print",
                        "call it behind the graph's launch, when the stream was waited for");
    gw_vec_free(&made);
    gw_vec_free(&branch.changes);
}

/* (..., cudaHostNodeParams) */
static void node(gw_lowering *L, CXCursor call, const gw_cursors *a) {
    const CXCursor at = a->at[a->count - 1];
    const gw_place of = gw_front_pointer(L, at);
    const gw_place function = L->failed ? of : gw_front_target(L, gw_front_member_named(L, of, "fn"));
    const CXCursor definition = definition_of(L, function, at);
    if (L->failed) return;
    const gw_place data = gw_front_member_named(L, of, "userData");
    if (!L->failed) pass_over(L, call, definition, &data, 1);
}

static void name_node(gw_lowering *L, CXCursor e) {
    const gw_place to = gw_front_pointer_behind(L, e);
    if (L->failed || to.kind == GW_PLACE_NULL) return;
    const gw_value none = gw_int(&L->b, GW_T_ADDRESS, 0);
    gw_front_point(L, to, gw_front_device_place(L, gw_front_pointee(L->u, to.shape), none));
}

/* ---- in a stream ---- */
/* (stream, function, data, ...) */
static void queue(gw_lowering *L, CXCursor call, const gw_cursors *a) {
    const gw_value stream = gw_front_address(L, gw_front_pointer(L, a->at[0]), a->at[0]);
    const gw_place function = L->failed ? (gw_place){0} : gw_front_pointer_behind(L, a->at[1]);
    const CXCursor definition = definition_of(L, function, a->at[1]);
    const uint32_t count = L->failed ? 0 : (uint32_t)clang_Cursor_getNumArguments(definition);
    gw_place given[MOST_PARAMS] = {0};
    for (uint32_t i = 0; i < count && !L->failed; i++) {
        given[i] = parameter(L, definition, i);
        if (L->failed) return;
        if (i + 1 == count) gw_front_initialize(L, given[i], a->at[2]);
        else if (i == 0) gw_front_initialize(L, given[i], a->at[0]);
        else gw_front_clear(L, given[i]); /* cudaSuccess */
    }
    if (L->failed) return;
    gw_front_locate(L, call);
    if (is_capturing(L->f)) {
        pass_over(L, call, definition, given, count);
        return;
    }
    gw_front_device_op(L, GW_DEVICE_SYNC_STREAM, &stream, 1);
    gw_front_inline_with(L, call, definition, NULL, given, count, false);
}

bool gw_front_host_function(gw_lowering *L, CXCursor call, const gw_device_call *row, const gw_cursors *a,
                            gw_value *said) {
    if (row->what == GW_DEVICE_SYNC_STREAM) queue(L, call, a);
    else node(L, call, a);
    if (!L->failed && row->what == GW_DEVICE_GRAPH_MADE) name_node(L, a->at[0]);
    if (!L->failed) *said = gw_result(L->f, gw_front_device_op(L, GW_DEVICE_STATUS, NULL, 0), 0);
    return true;
}
