/*
 * frontend/place/cell.c - a cell of memory that kernels see, which the host reads or writes itself, *loss += 1:
 * it is copied (frontend/device/host.c), and waited for.
 */
#include "plugin/frontend/place/place.h"

#include "analysis/ir/device.h"

static gw_element element_of(gw_shape type) {
    if (type == GW_T_F32) return GW_ELEMENT_FLOAT;
    if (type == GW_T_F16) return GW_ELEMENT_HALF;
    if (type == GW_T_BF16) return GW_ELEMENT_BFLOAT;
    return type == GW_T_F64 ? GW_ELEMENT_DOUBLE : GW_ELEMENT_NONE;
}

void gw_front_cell_head(gw_lowering *L, gw_shape type, const gw_value *head, gw_operands *operands) {
    for (uint32_t i = 0; i < 4; i++)
        gw_push(operands, head[i]);
    gw_push(operands, gw_int(&L->b, GW_T_U32, element_of(type)));
}

/* The head of an operation on the cell alone. */
static bool head_of(gw_lowering *L, const gw_place *p, gw_value *head) {
    const gw_shape_data d = *gw_front_shape_at(L->u, p->shape);
    if (d.kind != GW_SHAPE_SCALAR || p->bits || p->cell || p->view) return false;
    head[0] = gw_front_spot(L, p);
    if (!head[0]) return false;
    head[1] = gw_int(&L->b, GW_T_U64, gw_type_bytes(d.type));
    head[2] = gw_int(&L->b, GW_T_I32, 1);
    head[3] = gw_int(&L->b, GW_T_ADDRESS, 0);
    return true;
}

void gw_front_cell_type(gw_lowering *L, gw_op op, gw_shape type) {
    if (gw_type_is_half(type)) gw_op_at(L->f, op)->callee = gw_intern(L->session, gw_type_c(L->session, type));
}

gw_value gw_front_device_load(gw_lowering *L, const gw_place *p) {
    gw_value head[4];
    gw_operands operands = {0};
    if (!head_of(L, p, head)) return 0;
    gw_front_cell_head(L, p->shape, head, &operands);
    gw_op op = gw_front_device_op(L, GW_DEVICE_FETCH, operands.at, operands.count);
    gw_vec_free(&operands);
    gw_front_cell_type(L, op, p->shape);
    return gw_op_add_result(L->f, op, gw_type_of_value(p->shape), 0);
}

bool gw_front_device_store(gw_lowering *L, const gw_place *p, gw_value value) {
    gw_value head[4];
    gw_operands operands = {0};
    if (!head_of(L, p, head)) return false;
    gw_front_cell_head(L, p->shape, head, &operands);
    gw_push(&operands, gw_cast(&L->b, p->shape, value));
    gw_front_cell_type(L, gw_front_device_op(L, GW_DEVICE_SEND, operands.at, operands.count), p->shape);
    gw_vec_free(&operands);
    return true;
}
