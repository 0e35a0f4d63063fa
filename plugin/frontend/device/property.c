/*
 * frontend/device/property.c - cudaGetDeviceProperties, cudaFuncGetAttributes and cudaPointerGetAttributes:
 * each number of the struct is asked for by itself, and what nobody uses is dropped.
 */
#include "analysis/ir/device.h"
#include "analysis/ir/leaf.h"
#include "plugin/frontend/device/device.h"
#include "plugin/frontend/type/type.h"

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

/* ---- cudaFuncGetAttributes ---- */
/* As gw_program_function numbers them. */
static const char *const of_kernel[] = {"sharedSizeBytes", "constSizeBytes", "localSizeBytes",
                                        "maxThreadsPerBlock", "numRegs", "ptxVersion", "binaryVersion",
                                        "cacheModeCA", "maxDynamicSharedSizeBytes", "preferredShmemCarveout"};

static gw_value number_of(gw_lowering *L, gw_type type, gw_str member, gw_str kernel) {
    for (uint32_t i = 0; i < sizeof of_kernel / sizeof *of_kernel; i++) {
        if (member != gw_intern(L->session, of_kernel[i])) continue;
        const gw_value which = gw_int(&L->b, GW_T_I32, i);
        const gw_op op = gw_front_device_op(L, GW_DEVICE_FUNCTION, &which, 1);
        gw_op_at(L->f, op)->callee = kernel;
        return gw_cast(&L->b, type, gw_result(L->f, op, 0));
    }
    return gw_front_unknown(L, type, "cudaFuncGetAttributes");
}

void gw_front_function_attributes(gw_lowering *L, gw_place to, gw_str kernel) {
    const gw_shape_data d = *gw_front_shape_at(L->u, to.shape);
    for (uint32_t i = 0; d.kind == GW_SHAPE_STRUCT && i < d.count && !L->failed; i++) {
        const gw_place p = gw_front_member(L, to, i);
        const gw_shape_data of = *gw_front_shape_at(L->u, p.shape);
        if (of.kind == GW_SHAPE_SCALAR)
            gw_front_store(L, p, number_of(L, of.type, L->u->fields.at[d.first + i].name, kernel));
    }
}

/* ---- cudaPointerGetAttributes ---- */
static gw_value kind_of(gw_lowering *L, gw_value address, int which) {
    gw_value operands[2] = {address, gw_int(&L->b, GW_T_I32, which)};
    return gw_result(L->f, gw_front_device_op(L, GW_DEVICE_KIND, operands, 2), 0);
}

static void put(gw_lowering *L, gw_place to, const char *member, gw_value number) {
    const gw_place p = gw_front_member_named(L, to, member);
    if (!L->failed) gw_front_store(L, p, gw_cast(&L->b, gw_front_shape_at(L->u, p.shape)->type, number));
}

static void put_pointer(gw_lowering *L, gw_place to, const char *member, gw_value has, gw_value address) {
    const gw_place p = gw_front_member_named(L, to, member);
    if (L->failed) return;
    gw_value at = gw_select(&L->b, has, address, gw_int(&L->b, GW_T_ADDRESS, 0));
    gw_front_point(L, p, gw_front_device_place(L, gw_front_pointee(L->u, p.shape), at));
}

/* The two pointers of memory that both sides see are one, with unified addresses. */
void gw_front_pointer_attributes(gw_lowering *L, gw_place to, gw_value address) {
    enum { NOWHERE, HOST, DEVICE };
    const gw_value kind = kind_of(L, address, 0), none = gw_int(&L->b, GW_T_I32, NOWHERE);
    const gw_value known = gw_binary(&L->b, GW_OP_NE, kind, none);
    const gw_value not_device = gw_binary(&L->b, GW_OP_NE, kind, gw_int(&L->b, GW_T_I32, DEVICE));
    put(L, to, "type", kind);
    put(L, to, "device", kind_of(L, address, 1));
    put_pointer(L, to, "devicePointer", known, address);
    put_pointer(L, to, "hostPointer", gw_binary(&L->b, GW_OP_AND, known, not_device), address);
}
