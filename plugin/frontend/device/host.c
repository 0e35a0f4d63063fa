/*
 * frontend/device/host.c - copies between memory that kernels see and variables of the program's own: float h;
 * cudaMemcpy(&h, loss, sizeof h, cudaMemcpyDeviceToHost), and tables that go to the device. A cell of such
 * memory that the host reads or writes itself, *loss += 1, is copied so too, and waited for.
 *
 * The variables are values here, not memory: what is copied to the host is what the call gives, cell by cell,
 * and has adjoints as such; what is copied from it are operands. So the bytes must be a number, of whole cells
 * of one type. What comes to the host is there when the next statement runs: a copy that nobody waits for is
 * waited for.
 */
#include "plugin/frontend/lower_private.h"

#include <string.h>

enum { MOST_CELLS = 256 };

bool gw_front_is_own(const gw_lowering *L, const gw_place *p) {
    if (p->kind == GW_PLACE_SLOTS) return true;
    return p->kind == GW_PLACE_MEMORY && !gw_front_is_device(L, p) &&
           gw_object_at(L->f, p->object)->kind == GW_OBJECT_LOCAL && !gw_object_at(L->f, p->object)->sized;
}

typedef struct cells {
    gw_place at[MOST_CELLS];
    uint32_t count;
    gw_shape type;
    bool torn; /* of several types, or too many */
} cells;

static void collect(gw_lowering *L, gw_place p, cells *out) {
    const gw_shape_data d = *gw_front_shape_at(L->u, p.shape);
    if (d.kind == GW_SHAPE_ARRAY)
        for (uint32_t i = 0; i < d.count && !out->torn && !L->failed; i++)
            collect(L, gw_front_element(L, p, gw_int(&L->b, GW_T_I32, i)), out);
    else if (d.kind == GW_SHAPE_STRUCT)
        for (uint32_t i = 0; i < d.count && !out->torn && !L->failed; i++)
            collect(L, gw_front_member(L, p, i), out);
    else {
        const bool plain = d.kind == GW_SHAPE_SCALAR && !gw_type_is_half(d.type) && d.type != GW_T_BOOL;
        out->torn |= !plain || out->count == MOST_CELLS || (out->count && out->type != p.shape);
        if (out->torn) return;
        out->type = p.shape;
        out->at[out->count++] = p;
    }
}

/* The cells that so many bytes from a place on are. */
static bool find(gw_lowering *L, gw_place p, int64_t bytes, cells *out) {
    int64_t done = 0;
    for (int64_t i = 0; done < bytes && !out->torn && !L->failed; i++) {
        collect(L, i ? gw_front_advance(L, p, gw_int(&L->b, GW_T_I64, i), false) : p, out);
        done = out->torn ? bytes : (int64_t)out->count * gw_type_bytes(out->type);
    }
    return !L->failed && !out->torn && done == bytes;
}

static gw_element element_of(gw_shape type) {
    if (type == GW_T_F32) return GW_ELEMENT_FLOAT;
    return type == GW_T_F64 ? GW_ELEMENT_DOUBLE : GW_ELEMENT_NONE;
}

static void add_head(gw_lowering *L, gw_shape type, const gw_value *head, gw_operands *operands) {
    for (uint32_t i = 0; i < 4; i++)
        gw_push(operands, head[i]);
    gw_push(operands, gw_int(&L->b, GW_T_U32, element_of(type)));
}

static void emit(gw_lowering *L, const cells *c, bool to_host, const gw_value *head) {
    gw_operands operands = {0};
    add_head(L, c->type, head, &operands);
    for (uint32_t i = 0; i < c->count && !to_host; i++)
        gw_push(&operands, gw_front_load(L, c->at[i]));
    gw_op op = gw_front_device_op(L, to_host ? GW_DEVICE_FETCH : GW_DEVICE_SEND, operands.at, operands.count);
    for (uint32_t i = 0; i < c->count && to_host; i++)
        gw_op_add_result(L->f, op, c->type, 0);
    for (uint32_t i = 0; i < c->count && to_host; i++) {
        if (c->at[i].kind == GW_PLACE_SLOTS)
            gw_value_at(L->f, gw_result(L->f, op, i))->name = L->slots.at[c->at[i].slot].name;
        gw_front_store(L, c->at[i], gw_result(L->f, op, i));
    }
    gw_vec_free(&operands);
}

void gw_front_host_copy(gw_lowering *L, const gw_host_copy *copy, CXCursor call) {
    const bool to_host = gw_front_is_own(L, &copy->to);
    const gw_place own = to_host ? copy->to : copy->from, other = to_host ? copy->from : copy->to;
    int64_t bytes;
    cells c = {0};
    if (gw_front_is_own(L, &other)) {
        gw_front_refuse(L, call, "a copy by cudaMemcpy between variables of the function's own", "assign them");
        return;
    }
    if (!gw_const_int(L->f, copy->bytes, &bytes) || bytes <= 0 || !find(L, own, bytes, &c)) {
        gw_front_refuse(L, call, "this copy of a variable of the function's own",
                        "copy at most 256 numbers of one type, and as many bytes as sizeof says");
        return;
    }
    const gw_value address = gw_front_address(L, other, call), waits = gw_int(&L->b, GW_T_I32, copy->waits),
                   head[4] = {address, copy->bytes, waits, copy->stream};
    if (!L->failed) emit(L, &c, to_host, head);
}

/* ---- cells that the host works on itself ---- */

/* The head of an operation on the cell alone. */
static bool head_of(gw_lowering *L, const gw_place *p, gw_value *head) {
    const gw_shape_data d = *gw_front_shape_at(L->u, p->shape);
    if (d.kind != GW_SHAPE_SCALAR || gw_type_is_half(d.type) || d.type == GW_T_BOOL || p->bits || p->cell ||
        p->view)
        return false;
    head[0] = gw_front_spot(L, p);
    if (!head[0]) return false;
    head[1] = gw_int(&L->b, GW_T_U64, gw_type_bytes(d.type));
    head[2] = gw_int(&L->b, GW_T_I32, 1);
    head[3] = gw_int(&L->b, GW_T_ADDRESS, 0);
    return true;
}

gw_value gw_front_device_load(gw_lowering *L, const gw_place *p) {
    gw_value head[4];
    gw_operands operands = {0};
    if (!head_of(L, p, head)) return 0;
    add_head(L, p->shape, head, &operands);
    gw_op op = gw_front_device_op(L, GW_DEVICE_FETCH, operands.at, operands.count);
    gw_vec_free(&operands);
    return gw_op_add_result(L->f, op, p->shape, 0);
}

bool gw_front_device_store(gw_lowering *L, const gw_place *p, gw_value value) {
    gw_value head[4];
    gw_operands operands = {0};
    if (!head_of(L, p, head)) return false;
    add_head(L, p->shape, head, &operands);
    gw_push(&operands, gw_cast(&L->b, p->shape, value));
    gw_front_device_op(L, GW_DEVICE_SEND, operands.at, operands.count);
    gw_vec_free(&operands);
    return true;
}
