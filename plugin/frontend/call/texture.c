/*
 * frontend/call/texture.c - fetches from texture objects: the rows of texture.def.
 *
 * A fetch of several channels is an op for each, with the same operands; compilers make one fetch of them.
 */
#include "plugin/frontend/call/call.h"
#include "plugin/frontend/lower.h"
#include "plugin/frontend/place/place.h"

#include "analysis/ir/texture.h"

#include <string.h>

enum { MOST_CHANNELS = 4 };

bool gw_front_is_texture(gw_unit *u, CXType type) {
    static const char name[] = "cudaTextureObject_t";
    for (;;) {
        CXCursor decl = clang_getTypeDeclaration(type);
        if (clang_getCursorKind(decl) != CXCursor_TypedefDecl) return false;
        if (strcmp(gw_cstr(u->session, gw_front_intern(u, clang_getCursorSpelling(decl))), name) == 0)
            return true;
        type = clang_getTypedefDeclUnderlyingType(decl);
    }
}

/* The channels of what is fetched: a float, or a struct of 1, 2 or 4 of them; 0: something else. */
static uint32_t channels_of(gw_lowering *L, gw_shape s) {
    if (s == GW_T_F32) return 1;
    if (gw_front_shape_kind(L->u, s) != GW_SHAPE_STRUCT) return 0;
    const gw_shape_data d = *gw_front_shape_at(L->u, s);
    bool floats = d.count == 1 || d.count == 2 || d.count == MOST_CHANNELS;
    for (uint32_t i = 0; i < d.count; i++)
        floats &= L->u->fields.at[d.first + i].shape == GW_T_F32;
    return floats ? d.count : 0;
}

static gw_texture kind_of(const char *name) {
    for (unsigned i = 1; i < GW_TEXTURE_COUNT; i++)
        if (strcmp(gw_texture_rows[i].spelling, name) == 0) return (gw_texture)i;
    return GW_TEXTURE_NONE;
}

static bool read_operands(gw_lowering *L, const gw_cursors *arguments, gw_texture kind, gw_value *operands) {
    const gw_texture_row *row = &gw_texture_rows[kind];
    for (uint32_t i = 0; i < arguments->count && !L->failed; i++) {
        const bool number = i > row->coordinates || kind == GW_TEXTURE_ELEMENT;
        gw_value v = gw_front_scalar(L, arguments->at[i]);
        if (L->failed) break;
        if (i == 0)
            operands[i] = gw_cast(&L->b, GW_T_U64, v);
        else
            operands[i] = gw_cast(&L->b, number ? GW_T_I32 : GW_T_F32, v);
    }
    return !L->failed;
}

bool gw_front_texture(gw_lowering *L, CXCursor call, CXCursor callee, const gw_cursors *arguments,
                      gw_call_result *r) {
    const gw_texture kind = kind_of(GW_FRONT_TEXT(L, gw_front_intern(L->u, clang_getCursorSpelling(callee))));
    if (!kind || !gw_front_is_library(L->u, callee)) return false;
    const gw_shape shape = gw_front_shape_of(L, call);
    const uint32_t channels = channels_of(L, shape), coordinates = gw_texture_rows[kind].coordinates;
    const bool object = arguments->count && gw_front_shape_of(L, arguments->at[0]) == GW_T_U64;
    if (!object || arguments->count != 1 + coordinates + gw_texture_rows[kind].is_layered)
        gw_front_refuse(
            L, call, "this form of a fetch from a texture",
            "write the form that takes a cudaTextureObject_t and coordinates, and returns the texel");
    else if (!channels)
        gw_front_refuse(
            L, call, "a fetch of other numbers than float, float2 or float4",
            "fetch floats: of a texture of integers with cudaReadModeNormalizedFloat; or read an array");
    gw_value operands[GW_MOST_COORDINATES];
    if (L->failed || !read_operands(L, arguments, kind, operands)) return true;
    gw_value texel[MOST_CHANNELS];
    for (uint32_t i = 0; i < channels; i++)
        texel[i] = gw_texture_op(&L->b, GW_OP_TEXTURE, GW_T_F32, (gw_fetch){kind, channels, i, 0}, operands,
                                 arguments->count);
    if (shape == GW_T_F32) r->value = texel[0];
    if (shape == GW_T_F32) return true;
    r->place = gw_front_temp(L, shape, 0);
    for (uint32_t i = 0; i < channels && !L->failed; i++)
        gw_front_store(L, gw_front_member(L, r->place, i), texel[i]);
    return true;
}
