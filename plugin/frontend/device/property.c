/*
 * frontend/device/property.c - cudaGetDeviceProperties: each number of the struct is asked for by itself, and
 * what nobody uses is dropped.
 */
#include "analysis/ir/leaf.h"
#include "plugin/frontend/lower_private.h"

enum { MOST_ELEMENTS = 64 };

static void ask(gw_lowering *L, gw_place p, gw_str member, gw_value device, uint32_t index) {
    const gw_shape_data d = *gw_front_shape_at(L->u, p.shape);
    if (d.kind == GW_SHAPE_ARRAY && gw_front_shape_kind(L->u, d.element) == GW_SHAPE_SCALAR) {
        for (uint32_t i = 0; i < d.count && i < MOST_ELEMENTS && !L->failed; i++)
            ask(L, gw_front_element(L, p, gw_int(&L->b, GW_T_I32, i)), member, device, i);
        return;
    }
    if (d.kind != GW_SHAPE_SCALAR) return;
    gw_value operands[2] = {device, gw_int(&L->b, GW_T_I32, index)};
    gw_op op = gw_front_device_op(L, GW_DEVICE_PROPERTY, operands, 2);
    gw_op_at(L->f, op)->callee = member;
    gw_front_store(L, p, gw_cast(&L->b, d.type, gw_result(L->f, op, 0)));
}

void gw_front_device_properties(gw_lowering *L, gw_place to, gw_value device) {
    const gw_shape_data d = *gw_front_shape_at(L->u, to.shape);
    for (uint32_t i = 0; d.kind == GW_SHAPE_STRUCT && i < d.count && !L->failed; i++)
        ask(L, gw_front_member(L, to, i), L->u->fields.at[d.first + i].name, device, 0);
}
