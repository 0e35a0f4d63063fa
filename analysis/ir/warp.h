/*
 * warp.h - the operations of a warp, the rows of warp.def.
 */
#ifndef GRADWRIGHT_IR_WARP_H
#define GRADWRIGHT_IR_WARP_H
#include "analysis/ir/ir.h"

#ifdef __cplusplus
extern "C" {
#endif

/* attr of WARP */
typedef enum gw_warp {
    GW_WARP_NONE,
#define GW_WARP(NAME, text, operands, result, transpose, apart, spelling, emitted) GW_WARP_##NAME,
#include "analysis/ir/warp.def"
#undef GW_WARP
    GW_WARP_COUNT
} gw_warp;
typedef struct gw_warp_row {
    const char *text, *operands;
    char result;
    gw_warp transpose, transpose_apart;
    const char *spelling, *emitted;
} gw_warp_row;
extern const gw_warp_row gw_warp_rows[GW_WARP_COUNT];
gw_type gw_warp_result(gw_warp warp, gw_type given); /* its type; `given`: that of its operand 'v' */

#ifdef __cplusplus
}
#endif
#endif
