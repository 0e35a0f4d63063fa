/*
 * frontend/device/address.c - pointers of a program: addresses of memory that kernels see and the host does not
 * look into.
 *
 * In a function that launches kernels a pointer is a number, whatever it leads to: it may be swapped, kept in a
 * struct, and be null. As a place it is a cell of an object that stands for all such memory of its type, whose
 * index is the address. So pointers that meet behind a branch or in a loop are joined as others are
 * (place/choice.c). Only launches and copies take them.
 */
#include "plugin/frontend/lower_private.h"

static gw_object device_object(gw_lowering *L, gw_shape pointee) {
    for (uint32_t i = 0; i < L->devices.count; i++)
        if (L->devices.at[i].shape == pointee) return L->devices.at[i].object;
    gw_type cell = gw_front_shape_at(L->u, pointee)->type;
    gw_object o = gw_object_new(L->f, GW_OBJECT_GLOBAL, gw_intern(L->session, "memory"),
                                cell == GW_T_VOID ? GW_T_U8 : cell);
    gw_push(&L->devices, ((gw_device_memory){pointee, o}));
    return o;
}

bool gw_front_is_device(const gw_lowering *L, const gw_place *p) {
    for (uint32_t i = 0; p->kind == GW_PLACE_MEMORY && i < L->devices.count; i++)
        if (L->devices.at[i].object == p->object) return true;
    return false;
}

gw_place gw_front_device_place(gw_lowering *L, gw_shape pointee, gw_value address) {
    gw_place p = {.kind = GW_PLACE_MEMORY, .shape = pointee, .count = 1};
    p.object = device_object(L, pointee);
    p.path = gw_intern(L->session, "[]");
    p.index[0] = address;
    return p;
}

/* Bytes of an element; 0: not known. */
static uint32_t size_of(const gw_lowering *L, gw_shape s) {
    const gw_shape_data *d = gw_front_shape_at(L->u, s);
    if (d->kind == GW_SHAPE_SCALAR) return gw_type_bytes(d->type);
    return d->kind == GW_SHAPE_STRUCT ? L->session->types.at[d->type].layout.size : 0;
}

bool gw_front_device_advance(gw_lowering *L, gw_place *p, gw_value by, bool back) {
    if (!gw_front_is_device(L, p)) return true;
    const uint32_t size = size_of(L, p->shape);
    int64_t n;
    if (gw_const_int(L->f, by, &n) && n == 0) return true;
    if (!size) return false;
    by = gw_binary(&L->b, GW_OP_MUL, gw_cast(&L->b, GW_T_I64, by), gw_int(&L->b, GW_T_I64, size));
    if (back) by = gw_unary(&L->b, GW_OP_NEG, by);
    gw_value operands[2] = {gw_cast(&L->b, GW_T_ADDRESS, p->index[0]), by};
    p->index[0] = gw_pure(&L->b, GW_OP_OFFSET, GW_T_ADDRESS, 0, operands, 2);
    return true;
}

static gw_value address_of(gw_lowering *L, const gw_place *p) {
    return p->kind == GW_PLACE_NULL ? gw_int(&L->b, GW_T_ADDRESS, 0)
                                    : gw_cast(&L->b, GW_T_ADDRESS, p->index[0]);
}

gw_value gw_front_address(gw_lowering *L, gw_place p, CXCursor at) {
    gw_value chosen = 0;
    const bool several = p.kind == GW_PLACE_CHOICE;
    for (uint32_t i = 0; i < (several ? p.count : 1) && !L->failed; i++) {
        const gw_place one = several ? L->candidates.at[p.slot + i] : p;
        if (one.kind != GW_PLACE_NULL && !gw_front_is_device(L, &one)) {
            gw_front_refuse(L, at,
                            "a pointer to a variable of the function's, where memory of a program is meant,",
                            "copy to memory that a parameter or an allocation leads to");
            return gw_int(&L->b, GW_T_ADDRESS, 0);
        }
        gw_value v = address_of(L, &one);
        if (chosen) {
            gw_value is = gw_binary(&L->b, GW_OP_EQ, p.index[0], gw_int(&L->b, GW_T_I32, i));
            v = gw_select(&L->b, is, v, chosen);
        }
        chosen = v;
    }
    return chosen;
}

/* Bytes, and what has no size: numbers may be in it, or not. */
static bool is_raw(const gw_lowering *L, gw_shape s) {
    const gw_shape_data *d = gw_front_shape_at(L->u, s);
    return d->kind == GW_SHAPE_OPAQUE || s == GW_T_VOID || s == GW_T_I8 || s == GW_T_U8;
}

bool gw_front_hides_numbers(const gw_lowering *L, gw_shape of, gw_shape as) {
    if (is_raw(L, of) || is_raw(L, as)) return false;
    return gw_front_has_numbers(L, of) != gw_front_has_numbers(L, as);
}

/* Cells that floats are in for one call and integers for another would lose their adjoints. */
bool gw_front_device_cast(gw_lowering *L, gw_place *p, gw_shape wanted, CXCursor at) {
    if (!gw_front_is_device(L, p)) return false;
    if (gw_front_hides_numbers(L, p->shape, wanted)) {
        gw_front_refuse(L, at, "a cast between pointers to floating-point numbers and to others",
                        "pass the pointer as what it is allocated as; copies and fills take it so");
        return true;
    }
    if (wanted != GW_T_VOID && wanted != p->shape) *p = gw_front_device_place(L, wanted, address_of(L, p));
    return true;
}
