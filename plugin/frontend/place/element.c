/*
 * frontend/place/element.c - what the cells are that a copy or a fill works on: the number by which their
 * adjoints are added.
 *
 * It is read off the types of the pointers. A struct is taken as its floating-point members, which must be of
 * one type: what else is in it has zero adjoints. Nothing is known of pointers to void and to bytes: where such
 * cells turn out to have an adjoint, the run fails (gw_program_copy_back).
 */
#include "plugin/frontend/place/place.h"

#include "analysis/ir/device.h"

static gw_element of_number(gw_type t) {
    switch (t) {
    case GW_T_F32:
        return GW_ELEMENT_FLOAT;
    case GW_T_F64:
        return GW_ELEMENT_DOUBLE;
    case GW_T_F16:
        return GW_ELEMENT_HALF;
    case GW_T_BF16:
        return GW_ELEMENT_BFLOAT;
    case GW_T_VOID:
    case GW_T_I8:
    case GW_T_U8:
        return GW_ELEMENT_BYTES;
    default:
        return GW_ELEMENT_NONE;
    }
}

/* False: numbers of two types are in it. */
static bool add(const gw_lowering *L, uint32_t *so_far, gw_shape s, bool outermost) {
    const gw_shape_data d = *gw_front_shape_at(L->u, s);
    bool good = true;
    for (uint32_t i = d.first; d.kind == GW_SHAPE_STRUCT && i < d.first + d.count; i++)
        good &= add(L, so_far, L->u->fields.at[i].shape, false);
    if (d.kind == GW_SHAPE_ARRAY) good &= add(L, so_far, d.element, false);
    gw_element e = d.kind == GW_SHAPE_SCALAR ? of_number(d.type) : GW_ELEMENT_NONE;
    if (d.kind == GW_SHAPE_OPAQUE) e = GW_ELEMENT_BYTES;
    if (e == GW_ELEMENT_BYTES && !outermost && d.kind == GW_SHAPE_SCALAR) e = GW_ELEMENT_NONE;
    if (e == GW_ELEMENT_NONE) return good;
    good &= *so_far == GW_ELEMENT_NONE || *so_far == GW_ELEMENT_BYTES || e == GW_ELEMENT_BYTES || *so_far == e;
    if (e != GW_ELEMENT_BYTES || *so_far == GW_ELEMENT_NONE) *so_far = e;
    return good;
}

bool gw_front_has_numbers(const gw_lowering *L, gw_shape s) {
    gw_element e = GW_ELEMENT_NONE;
    return !add(L, &e, s, true) || (e != GW_ELEMENT_NONE && e != GW_ELEMENT_BYTES);
}

void gw_front_element_add(gw_lowering *L, uint32_t *so_far, const gw_place *p, bool is_filled, CXCursor at) {
    if (p->kind == GW_PLACE_NULL) return;
    if (add(L, so_far, p->shape, true)) return;
    *so_far = GW_ELEMENT_BYTES;
    if (!is_filled)
        gw_front_refuse(L, at, "a copy of cells with floating-point numbers of two types",
                        "copy arrays of one type each");
}
