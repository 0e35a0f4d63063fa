/*
 * frontend/device/pitched.c - memory whose rows lie apart: cudaMallocPitch, cudaMalloc3D, cudaMemset3D,
 * cudaMemcpy3D.
 *
 * The pitch is the program's own, a multiple of what any device asks for (texture alignment), so that it is
 * known without asking: an allocation is one of so many bytes. Boxes are copied and filled as rows of layers
 * (COPY_3D, SET_3D); arrays of textures are none of a program's memory.
 */
#include "plugin/frontend/device/device.h"
#include "plugin/frontend/lower.h"
#include "plugin/frontend/type/type.h"

#include "analysis/ir/device.h"

#include <string.h>

enum { ALIGNMENT = 512 };

/* ---- values ---- */

static gw_value times(gw_lowering *L, gw_value a, gw_value b) { return gw_binary(&L->b, GW_OP_MUL, a, b); }
static gw_value plus(gw_lowering *L, gw_value a, gw_value b) { return gw_binary(&L->b, GW_OP_ADD, a, b); }

static gw_value number(gw_lowering *L, gw_place p) {
    return L->failed ? 0 : gw_cast(&L->b, GW_T_U64, gw_front_load(L, p));
}

static gw_place member(gw_lowering *L, gw_place p, const char *name) {
    return L->failed ? p : gw_front_member_named(L, p, name);
}

static gw_value member_number(gw_lowering *L, gw_place p, const char *name) {
    return number(L, member(L, p, name));
}

gw_value gw_front_pitch(gw_lowering *L, gw_value width) {
    gw_value a = gw_int(&L->b, GW_T_U64, ALIGNMENT);
    gw_value up = gw_binary(&L->b, GW_OP_DIV, plus(L, width, gw_int(&L->b, GW_T_U64, ALIGNMENT - 1)), a);
    return times(L, up, a);
}

/* A struct that is passed by value. */
static gw_place taken(gw_lowering *L, CXCursor e) {
    gw_place made = gw_front_temp(L, gw_front_shape_of(L, e), 0);
    if (!L->failed) gw_front_initialize(L, made, e);
    return made;
}

static gw_value argument(gw_lowering *L, CXCursor e) {
    gw_value v = gw_front_scalar(L, e);
    return L->failed ? 0 : gw_cast(&L->b, GW_T_U64, v);
}

/* ---- allocations ---- */

static gw_op allocate(gw_lowering *L, CXCursor call, gw_place to, gw_value bytes) {
    gw_front_locate(L, call);
    gw_op op = gw_front_device_op(L, GW_DEVICE_ALLOC, &bytes, 1);
    gw_front_point(L, to, gw_front_device_place(L, gw_front_pointee(L->u, to.shape), gw_result(L->f, op, 0)));
    return op;
}

static gw_value malloc_pitch(gw_lowering *L, CXCursor call, const gw_cursors *a) {
    gw_place pointer = gw_front_pointer_behind(L, a->at[0]), pitch = gw_front_pointer(L, a->at[1]);
    gw_value width = L->failed ? 0 : argument(L, a->at[2]), height = L->failed ? 0 : argument(L, a->at[3]);
    if (L->failed) return 0;
    gw_value bytes = gw_front_pitch(L, width);
    gw_op op = allocate(L, call, pointer, times(L, bytes, height));
    gw_front_store(L, pitch, bytes);
    return gw_result(L->f, op, 1);
}

static gw_value malloc_3d(gw_lowering *L, CXCursor call, const gw_cursors *a) {
    gw_place made = gw_front_pointer(L, a->at[0]), extent = L->failed ? made : taken(L, a->at[1]);
    gw_value width = member_number(L, extent, "width"), height = member_number(L, extent, "height"),
             depth = member_number(L, extent, "depth");
    if (L->failed) return 0;
    gw_value pitch = gw_front_pitch(L, width);
    gw_op op = allocate(L, call, member(L, made, "ptr"), times(L, pitch, times(L, height, depth)));
    gw_front_store(L, member(L, made, "pitch"), pitch);
    gw_front_store(L, member(L, made, "xsize"), width);
    gw_front_store(L, member(L, made, "ysize"), height);
    return gw_result(L->f, op, 1);
}

/* ---- boxes ---- */

typedef struct box {
    gw_value address, pitch, rows; /* rows of a layer in memory */
} box;

static box box_of(gw_lowering *L, gw_place pitched, gw_element *element, bool is_filled, CXCursor at) {
    box b = {0};
    gw_place target = L->failed ? pitched : gw_front_target(L, member(L, pitched, "ptr"));
    if (L->failed || gw_front_stage_number(L, &target)) return b;
    gw_front_element_add(L, element, &target, is_filled, at);
    b.address = gw_front_address(L, target, at);
    b.pitch = member_number(L, pitched, "pitch");
    b.rows = member_number(L, pitched, "ysize");
    return b;
}

static void move(gw_lowering *L, box *b, gw_place position) {
    gw_value x = member_number(L, position, "x"), y = member_number(L, position, "y"),
             z = member_number(L, position, "z");
    if (L->failed) return;
    gw_value by = plus(L, x, times(L, plus(L, y, times(L, z, b->rows)), b->pitch));
    gw_value parts[2] = {b->address, gw_cast(&L->b, GW_T_I64, by)};
    b->address = gw_pure(&L->b, GW_OP_OFFSET, GW_T_ADDRESS, 0, parts, 2);
}

static gw_value stream_of(gw_lowering *L, const gw_cursors *a, uint32_t i) {
    const bool given = i < a->count && !gw_front_is_default_argument(a->at[i]);
    return given ? gw_front_address(L, gw_front_pointer(L, a->at[i]), a->at[i])
                 : gw_int(&L->b, GW_T_ADDRESS, 0);
}

static gw_value emit(gw_lowering *L, CXCursor call, gw_device what, const gw_value *operands, uint32_t count) {
    if (L->failed) return 0;
    gw_front_locate(L, call);
    return gw_result(L->f, gw_front_device_op(L, what, operands, count), 0);
}

static gw_value fill(gw_lowering *L, CXCursor call, const gw_cursors *a, gw_device what) {
    gw_element element = GW_ELEMENT_NONE;
    gw_place pitched = taken(L, a->at[0]);
    box b = box_of(L, pitched, &element, true, a->at[0]);
    gw_value byte = L->failed ? 0 : gw_cast(&L->b, GW_T_I32, gw_front_scalar(L, a->at[1]));
    gw_place extent = L->failed ? pitched : taken(L, a->at[2]);
    gw_value width = member_number(L, extent, "width"), height = member_number(L, extent, "height"),
             depth = member_number(L, extent, "depth");
    if (L->failed) return 0;
    gw_value operands[] = {b.address,
                           b.pitch,
                           b.rows,
                           byte,
                           width,
                           height,
                           depth,
                           what == GW_DEVICE_SET_3D_QUEUED ? stream_of(L, a, 3)
                                                           : gw_int(&L->b, GW_T_ADDRESS, 0),
                           gw_int(&L->b, GW_T_U32, element)};
    return emit(L, call, what, operands, sizeof operands / sizeof *operands);
}

static bool has_array(gw_lowering *L, gw_place copy, const char *name) {
    gw_place array = gw_front_target(L, member(L, copy, name));
    int64_t address = 0;
    if (array.kind == GW_PLACE_NULL || L->failed) return false;
    return !gw_front_is_device(L, &array) || !gw_const_int(L->f, array.index[0], &address) || address;
}

/* cudaMemcpy3DParms, in that stream. */
gw_value gw_front_box_copy(gw_lowering *L, CXCursor call, gw_place p, uint32_t what, gw_value stream,
                           CXCursor at) {
    gw_element element = GW_ELEMENT_NONE;
    if (L->failed) return 0;
    if (gw_front_is_device(L, &p) || has_array(L, p, "srcArray") || has_array(L, p, "dstArray")) {
        gw_front_refuse(L, at, "a copy of an array of textures, or by parameters that are not known",
                        "copy linear memory, with parameters that are set in this function");
        return 0;
    }
    box to = box_of(L, member(L, p, "dstPtr"), &element, false, at),
        from = box_of(L, member(L, p, "srcPtr"), &element, false, at);
    move(L, &to, member(L, p, "dstPos"));
    move(L, &from, member(L, p, "srcPos"));
    gw_place extent = member(L, p, "extent");
    gw_value width = member_number(L, extent, "width"), height = member_number(L, extent, "height"),
             depth = member_number(L, extent, "depth");
    if (L->failed) return 0;
    gw_value operands[] = {to.address,
                           to.pitch,
                           to.rows,
                           from.address,
                           from.pitch,
                           from.rows,
                           width,
                           height,
                           depth,
                           stream,
                           gw_int(&L->b, GW_T_U32, element)};
    const gw_value kind = member_number(L, p, "kind");
    return emit(L, call, gw_front_stage_waited(L, what, kind), operands, sizeof operands / sizeof *operands);
}

static gw_value copy(gw_lowering *L, CXCursor call, const gw_cursors *a, gw_device what) {
    const gw_place p = gw_front_pointer(L, a->at[0]);
    if (L->failed) return 0;
    const bool queued = what == GW_DEVICE_COPY_3D_QUEUED;
    const gw_value stream = queued ? stream_of(L, a, 1) : gw_int(&L->b, GW_T_ADDRESS, 0);
    return gw_front_box_copy(L, call, p, what, stream, a->at[0]);
}

bool gw_front_pitched(gw_lowering *L, CXCursor call, uint32_t what, const gw_cursors *a, gw_value *said) {
    switch (what) {
    case GW_DEVICE_ALLOC:
        *said = a->count == 4 ? malloc_pitch(L, call, a) : malloc_3d(L, call, a);
        return true;
    case GW_DEVICE_SET_3D:
    case GW_DEVICE_SET_3D_QUEUED:
        *said = fill(L, call, a, what);
        return true;
    case GW_DEVICE_COPY_3D:
    case GW_DEVICE_COPY_3D_QUEUED:
        *said = copy(L, call, a, what);
        return true;
    default:
        return false;
    }
}
