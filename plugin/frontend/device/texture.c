/*
 * frontend/device/texture.c - arrays of textures and texture objects that a program makes.
 *
 * An array (cudaMallocArray) is memory of the program's own with a pitch, like any other, and the texture
 * object over it reads that (TEXTURE). So what a program copies to the array has a derivative, contents are
 * saved, and nothing is known of arrays behind this file. An object is a number, which leads where its memory
 * does (analysis/programs/leads.c).
 *
 * Sound, as the hardware reads pitched memory as it reads an array of a plane, and as all else is refused:
 * lines and boxes, levels, cubes, surfaces; an array that the run did not make fails it.
 */
#include "plugin/frontend/device/device.h"
#include "plugin/frontend/lower.h"
#include "plugin/frontend/type/type.h"

#include "analysis/ir/device.h"

#include <string.h>

typedef struct gw_texture_array {
    gw_value address, width, height, pitch, format;
} gw_texture_array;

enum { KIND_ARRAY = 0, KIND_LINEAR = 2, KIND_PITCHED = 3 }; /* cudaResourceType */

static gw_value number(gw_lowering *L, gw_value v) { return L->failed ? 0 : gw_cast(&L->b, GW_T_U64, v); }
static gw_value constant(gw_lowering *L, uint64_t n) { return gw_int(&L->b, GW_T_U64, (int64_t)n); }
static gw_value op2(gw_lowering *L, gw_opcode code, gw_value a, gw_value b) {
    return L->failed ? 0 : gw_binary(&L->b, code, a, b);
}

static gw_value argument(gw_lowering *L, const gw_cursors *a, uint32_t i) {
    const bool given = i < a->count && !gw_front_is_default_argument(a->at[i]);
    return given ? number(L, gw_front_scalar(L, a->at[i])) : constant(L, 0);
}

static gw_place member(gw_lowering *L, gw_place p, const char *name) {
    return L->failed ? p : gw_front_member_named(L, p, name);
}

static gw_value member_number(gw_lowering *L, gw_place p, const char *name) {
    p = member(L, p, name);
    return L->failed ? 0 : number(L, gw_front_load(L, p));
}

static gw_value shifted(gw_lowering *L, gw_value v, int by) {
    return by && !L->failed ? gw_binary(&L->b, GW_OP_SHL, v, gw_int(&L->b, GW_T_I32, by)) : v;
}

/* ---- formats ---- */

/* Bits of the channels, and their cudaChannelFormatKind, a byte each. */
static gw_value format_of(gw_lowering *L, gw_place desc) {
    static const char *const members[] = {"x", "y", "z", "w", "f"};
    gw_value all = constant(L, 0);
    for (int i = 0; i < 5; i++) {
        const gw_value part = member_number(L, desc, members[i]);
        all = op2(L, GW_OP_OR, all, shifted(L, part, 8 * i));
    }
    return all;
}

static gw_value bytes_of(gw_lowering *L, gw_value format) {
    gw_value bits = constant(L, 0);
    for (int i = 0; i < 4 && !L->failed; i++) {
        const gw_value part = i ? gw_binary(&L->b, GW_OP_SHR, format, gw_int(&L->b, GW_T_I32, 8 * i)) : format;
        bits = op2(L, GW_OP_ADD, bits, op2(L, GW_OP_AND, part, constant(L, 255)));
    }
    return op2(L, GW_OP_DIV, bits, constant(L, 8));
}

/* cudaCreateChannelDesc(x, y, z, w, f) */
static void describe(gw_lowering *L, CXCursor call, const gw_cursors *a, gw_call_result *r) {
    static const char *const members[] = {"x", "y", "z", "w", "f"};
    r->place = gw_front_temp(L, gw_front_shape_of(L, call), 0);
    for (uint32_t i = 0; i < 5 && !L->failed; i++) {
        const gw_value v = gw_front_scalar(L, a->at[i]);
        if (!L->failed) gw_front_store(L, member(L, r->place, members[i]), gw_cast(&L->b, GW_T_I32, v));
    }
}

/* ---- arrays ---- */

static void malloc_array(gw_lowering *L, CXCursor call, const gw_cursors *a, gw_call_result *r) {
    const gw_place to = gw_front_pointer_behind(L, a->at[0]),
                   desc = L->failed ? to : gw_front_pointer(L, a->at[1]);
    gw_texture_array made = {.format = L->failed ? 0 : format_of(L, desc), .width = argument(L, a, 2)};
    made.height = argument(L, a, 3);
    int64_t flags = 0, height = 1;
    if (L->failed) return;
    const gw_value asked = argument(L, a, 4);
    const bool plain = !L->failed && gw_const_int(L->f, asked, &flags) && flags == 0;
    if (!plain || (gw_const_int(L->f, made.height, &height) && height == 0)) {
        gw_front_refuse(L, call,
                        plain ? "an array of textures that is a line" : "an array of textures with flags",
                        plain ? "give it a height of 1, and fetch by tex2D; or use tex1Dfetch over an array"
                              : "make it outside of the function, or without surfaces and gathers");
        return;
    }
    made.pitch = gw_front_pitch(L, op2(L, GW_OP_MUL, made.width, bytes_of(L, made.format)));
    const gw_value bytes = op2(L, GW_OP_MUL, made.pitch, made.height);
    gw_front_locate(L, call);
    const gw_op op = gw_front_device_op(L, GW_DEVICE_ALLOC, &bytes, 1);
    made.address = gw_result(L->f, op, 0);
    if (to.kind == GW_PLACE_SLOTS) gw_value_at(L->f, made.address)->name = L->slots.at[to.slot].name;
    gw_front_point(L, to, gw_front_device_place(L, gw_front_pointee(L->u, to.shape), made.address));
    const gw_value told[] = {made.address, made.width, made.height, made.pitch, made.format};
    gw_front_device_op(L, GW_DEVICE_TEXELS, told, 5);
    r->value = gw_result(L->f, op, 1);
}

/* What its cudaMallocArray told the run, which knows it by its address. */
static gw_texture_array array_at(gw_lowering *L, gw_place p, CXCursor at) {
    gw_texture_array array = {.address = L->failed ? 0 : gw_front_address(L, p, at)};
    gw_value *const said[] = {&array.width, &array.height, &array.pitch, &array.format};
    for (int i = 0; i < 4 && !L->failed; i++) {
        const gw_value operands[2] = {array.address, gw_int(&L->b, GW_T_I32, i)};
        *said[i] = gw_result(L->f, gw_front_device_op(L, GW_DEVICE_TEXELS_OF, operands, 2), 0);
    }
    return array;
}

static gw_texture_array given_array(gw_lowering *L, CXCursor e) {
    const gw_place p = gw_front_pointer(L, e);
    return array_at(L, p, e);
}

static gw_value linear(gw_lowering *L, CXCursor e) {
    const gw_place p = gw_front_pointer(L, e);
    return L->failed ? 0 : gw_front_address(L, p, e);
}

static void free_array(gw_lowering *L, CXCursor call, const gw_cursors *a, gw_call_result *r) {
    const gw_value array = linear(L, a->at[0]);
    if (L->failed) return;
    gw_front_locate(L, call);
    r->value = gw_result(L->f, gw_front_device_op(L, GW_DEVICE_FREE, &array, 1), 0);
}

/* Byte x of row y. */
static gw_value moved(gw_lowering *L, const gw_texture_array *array, gw_value x, gw_value y) {
    const gw_value by = op2(L, GW_OP_ADD, x, op2(L, GW_OP_MUL, y, array->pitch));
    int64_t none;
    if (L->failed || (gw_const_int(L->f, by, &none) && none == 0)) return array->address;
    const gw_value parts[2] = {array->address, gw_cast(&L->b, GW_T_I64, by)};
    return gw_pure(&L->b, GW_OP_OFFSET, GW_T_ADDRESS, 0, parts, 2);
}

/* (array, x, y, from, pitch, width, height, kind, stream), or (to, pitch, array, x, y, width, ...) */
static void copy(gw_lowering *L, CXCursor call, const gw_device_call *row, const gw_cursors *a,
                 gw_call_result *r) {
    const bool to = row->arguments[1] == 't', queued = row->what == GW_DEVICE_COPY_2D_QUEUED;
    const gw_texture_array array = given_array(L, a->at[to ? 0 : 2]);
    if (L->failed) return;
    const gw_value x = argument(L, a, to ? 1 : 3), y = argument(L, a, to ? 2 : 4),
                   other = linear(L, a->at[to ? 3 : 0]), pitch = argument(L, a, to ? 4 : 1),
                   width = argument(L, a, 5), height = argument(L, a, 6), kind = argument(L, a, 7),
                   at = moved(L, &array, x, y);
    const gw_value stream = queued && a->count > 8 && !gw_front_is_default_argument(a->at[8])
                                ? linear(L, a->at[8])
                                : gw_int(&L->b, GW_T_ADDRESS, 0);
    if (L->failed) return;
    const gw_value operands[] = {to ? at : other,
                                 to ? array.pitch : pitch,
                                 to ? other : at,
                                 to ? pitch : array.pitch,
                                 width,
                                 height,
                                 gw_cast(&L->b, GW_T_I32, kind),
                                 stream,
                                 gw_int(&L->b, GW_T_U32, GW_ELEMENT_FLOAT)};
    gw_front_locate(L, call);
    const gw_op op = gw_front_device_op(L, gw_front_stage_waited(L, row->what, operands[6]), operands,
                                        sizeof operands / sizeof *operands);
    r->value = gw_result(L->f, op, 0);
}

/* ---- objects ---- */

/* cudaTextureDesc in a number: gw_program_texture_make takes it apart. */
static gw_value how_of(gw_lowering *L, gw_place how) {
    const gw_place modes = member(L, how, "addressMode"), border = member(L, how, "borderColor");
    gw_value all = constant(L, 0), odd = 0;
    for (int i = 0; i < 3 && !L->failed; i++) {
        const gw_place mode = gw_front_element(L, modes, gw_int(&L->b, GW_T_I32, i));
        all = op2(L, GW_OP_OR, all, shifted(L, number(L, gw_front_load(L, mode)), 4 * i));
    }
    all = op2(L, GW_OP_OR, all, shifted(L, member_number(L, how, "filterMode"), 12));
    all = op2(L, GW_OP_OR, all, shifted(L, member_number(L, how, "readMode"), 16));
    const gw_value zero = constant(L, 0),
                   normalized = op2(L, GW_OP_NE, member_number(L, how, "normalizedCoords"), zero);
    all = op2(L, GW_OP_OR, all, shifted(L, number(L, normalized), 20));
    odd = op2(L, GW_OP_NE, member_number(L, how, "sRGB"), zero);
    for (int i = 0; i < 4 && !L->failed; i++) {
        const gw_value color = gw_front_load(L, gw_front_element(L, border, gw_int(&L->b, GW_T_I32, i)));
        odd = op2(L, GW_OP_OR, odd, op2(L, GW_OP_NE, color, gw_zero(&L->b, GW_T_F32)));
    }
    return op2(L, GW_OP_OR, all, shifted(L, number(L, odd), 24));
}

/* Fills operands with the memory and its extent; false after a diagnostic. */
static bool read_resource(gw_lowering *L, gw_place of, gw_value *operands, CXCursor at) {
    int64_t kind = -1;
    const gw_value said = member_number(L, of, "resType");
    if (L->failed) return false;
    gw_const_int(L->f, said, &kind);
    if (kind != KIND_ARRAY && kind != KIND_LINEAR && kind != KIND_PITCHED) {
        gw_front_refuse(L, at, "a texture over something else than an array of a plane or memory",
                        "set resType to cudaResourceTypeArray, cudaResourceTypeLinear or "
                        "cudaResourceTypePitch2D in this function");
        return false;
    }
    const char *const names[] = {"array", "", "linear", "pitch2D"};
    const gw_place part = member(L, member(L, of, "res"), names[kind]);
    operands[1] = gw_int(&L->b, GW_T_I32, kind == KIND_ARRAY ? KIND_PITCHED : kind);
    if (kind == KIND_ARRAY) {
        const gw_place target = L->failed ? part : gw_front_target(L, member(L, part, "array"));
        const gw_texture_array a = array_at(L, target, at);
        operands[0] = a.address, operands[2] = a.format;
        operands[3] = a.width, operands[4] = a.height, operands[5] = a.pitch;
        return !L->failed;
    }
    const gw_place target = L->failed ? part : gw_front_target(L, member(L, part, "devPtr"));
    operands[0] = L->failed ? 0 : gw_front_address(L, target, at);
    operands[2] = L->failed ? 0 : format_of(L, member(L, part, "desc"));
    const bool pitched = kind == KIND_PITCHED;
    operands[3] = member_number(L, part, pitched ? "width" : "sizeInBytes");
    operands[4] = pitched ? member_number(L, part, "height") : constant(L, 0);
    operands[5] = pitched ? member_number(L, part, "pitchInBytes") : constant(L, 0);
    return !L->failed;
}

static void create(gw_lowering *L, CXCursor call, const gw_cursors *a, gw_call_result *r) {
    gw_value operands[7];
    const gw_place to = gw_front_pointer(L, a->at[0]), of = L->failed ? to : gw_front_pointer(L, a->at[1]),
                   how = L->failed ? to : gw_front_pointer(L, a->at[2]),
                   view = L->failed ? to : gw_front_pointer(L, a->at[3]);
    if (L->failed) return;
    if (view.kind != GW_PLACE_NULL || gw_front_is_device(L, &of) || gw_front_is_device(L, &how)) {
        gw_front_refuse(L, call, "a texture with a view, or by descriptions that are not known",
                        "describe it in this function, and give no cudaResourceViewDesc");
        return;
    }
    if (!read_resource(L, of, operands, call)) return;
    operands[6] = how_of(L, how);
    if (L->failed) return;
    gw_front_locate(L, call);
    const gw_op op = gw_front_device_op(L, GW_DEVICE_TEXTURE, operands, 7);
    if (to.kind == GW_PLACE_SLOTS)
        gw_value_at(L->f, gw_result(L->f, op, 0))->name = L->slots.at[to.slot].name;
    gw_front_store(L, to, gw_result(L->f, op, 0));
    r->value = gw_result(L->f, op, 1);
}

bool gw_front_texture_made(gw_lowering *L, CXCursor call, const gw_device_call *row, const gw_cursors *a,
                           gw_call_result *r) {
    switch (row->what) {
    case GW_DEVICE_ALLOC:
        malloc_array(L, call, a, r);
        break;
    case GW_DEVICE_FREE:
        free_array(L, call, a, r);
        break;
    case GW_DEVICE_TEXTURE:
        create(L, call, a, r);
        break;
    case GW_DEVICE_COPY_2D:
    case GW_DEVICE_COPY_2D_QUEUED:
        copy(L, call, row, a, r);
        break;
    default:
        if (a->count != 5) return false; /* cudaCreateChannelDesc<float>(), which calls the other */
        describe(L, call, a, r);
        break;
    }
    return true;
}
