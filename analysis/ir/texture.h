/*
 * texture.h - the kinds of textures, the rows of texture.def.
 */
#ifndef GRADWRIGHT_IR_TEXTURE_H
#define GRADWRIGHT_IR_TEXTURE_H
#include "analysis/ir/ir.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum gw_texture {
    GW_TEXTURE_NONE,
#define GW_TEXTURE(NAME, text, spelling, suffix, coordinates, layered, corners) GW_TEXTURE_##NAME,
#include "analysis/ir/texture.def"
#undef GW_TEXTURE
    GW_TEXTURE_COUNT
} gw_texture;
typedef struct gw_texture_row {
    const char *text, *spelling, *suffix;
    uint32_t coordinates;
    bool is_layered;
    uint32_t corners;
} gw_texture_row;
extern const gw_texture_row gw_texture_rows[GW_TEXTURE_COUNT];

#ifdef __cplusplus
}
#endif
#endif
