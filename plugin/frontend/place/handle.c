/*
 * frontend/place/handle.c - streams, events and handles of libraries at file scope.
 *
 * What a program only uses is what the variable holds at that moment. One that the program makes, and a table
 * of them, is a variable of the function's own that begins as the one at file scope, which stays as it was:
 * what a gradient makes belongs to its run. Which these are is found by lowering, as for arrays
 * (place/stage.c).
 */
#include "plugin/frontend/place/place.h"
#include "plugin/frontend/type/type.h"

#include "analysis/ir/device.h"

/* The struct that it leads to is one that no header shows. */
static bool is_handle(CXType type) {
    const CXType to = clang_getCanonicalType(clang_getPointeeType(clang_getCanonicalType(type)));
    return to.kind == CXType_Record && clang_Type_getSizeOf(to) <= 0;
}

static bool is_table(CXType type) { return is_handle(clang_getArrayElementType(clang_getCanonicalType(type))); }

/* What the variable, or element `index` of a table, holds. */
static gw_place held(gw_lowering *L, CXCursor variable, gw_shape handle, const gw_value *index) {
    gw_op op = gw_front_device_op(L, index ? GW_DEVICE_HANDLE_AT : GW_DEVICE_HANDLE, index, index ? 1 : 0);
    gw_op_at(L->f, op)->callee = gw_front_qualified(L->u, variable);
    const gw_value address = gw_result(L->f, op, 0);
    gw_value_at(L->f, address)->name = gw_front_intern(L->u, clang_getCursorSpelling(variable));
    return gw_front_device_place(L, gw_front_pointee(L->u, handle), address);
}

void gw_front_handles_start(gw_lowering *L) {
    for (uint32_t i = 0; L->is_program && i < L->staged->count; i++) {
        const CXCursor at = L->staged->at[i].at;
        if (!L->staged->at[i].is_handle) continue;
        const gw_shape shape = gw_front_shape(L->u, clang_getCursorType(at));
        const gw_shape_data d = *gw_front_shape_at(L->u, shape);
        const gw_place own = gw_front_temp(L, shape, gw_front_intern(L->u, clang_getCursorSpelling(at)));
        if (d.kind == GW_SHAPE_POINTER) gw_front_point(L, own, held(L, at, shape, NULL));
        for (uint32_t k = 0; d.kind == GW_SHAPE_ARRAY && k < d.count && !L->failed; k++) {
            const gw_value index = gw_int(&L->b, GW_T_I32, k);
            gw_front_point(L, gw_front_element(L, own, index), held(L, at, d.element, &index));
        }
        gw_push(&L->handles, ((gw_binding){at, own}));
    }
}

bool gw_front_handle(gw_lowering *L, CXCursor variable, gw_shape shape, gw_place *place) {
    const CXType type = clang_getCursorType(variable);
    if (!L->is_program) return false;
    for (uint32_t i = 0; i < L->handles.count; i++) {
        if (!clang_equalCursors(L->handles.at[i].decl, variable) || !gw_front_is_staged(L, variable)) continue;
        *place = L->handles.at[i].place;
        return true;
    }
    if (is_table(type) && !gw_front_is_staged(L, variable)) {
        gw_front_stage_handle(L, variable);
        return true;
    }
    if (gw_front_shape_kind(L->u, shape) != GW_SHAPE_POINTER || !is_handle(type)) return false;
    *place = gw_front_temp(L, shape, 0);
    gw_front_point(L, *place, held(L, variable, shape, NULL));
    place->read_only = true;
    gw_push(&L->handles, ((gw_binding){variable, *place}));
    return true;
}

/* A function that is called, and not inlined, reads the variable at file scope. */
bool gw_front_handles_check(gw_lowering *L) {
    for (uint32_t i = 0; i < L->handles.count; i++) {
        const gw_binding one = L->handles.at[i];
        const char *name = GW_FRONT_TEXT(L, gw_front_qualified(L->u, one.decl));
        if (one.place.read_only || !gw_front_called_with(L->u, L->f, name, true)) continue;
        gw_front_refuse(L, one.decl, "a stream or handle that the program makes, and a called function uses,",
                        "pass it to the function");
        return false;
    }
    return true;
}
