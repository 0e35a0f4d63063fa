/* uniformity.h - which values are the same in the threads of a warp, a block or the grid. */
#ifndef GW_UNIFORMITY_H
#define GW_UNIFORMITY_H
#include "analysis/ir/ir.h"

/* All threads of it that run one execution of the op get the same value. */
typedef enum gw_uniformity { GW_UNIFORM_GRID, GW_UNIFORM_BLOCK, GW_UNIFORM_WARP, GW_DIVERGENT } gw_uniformity;

typedef struct gw_uniform {
    const gw_func *f;
    uint8_t *value;  /* gw_uniformity, by value */
    uint8_t *region; /* by region: threads of it run it together, equally often, or not at all */
    bool *changing;
    bool one_long[2]; /* blocks, in y and z (warps.h) */
} gw_uniform;

void gw_uniform_new(gw_uniform *u, const gw_func *f);
void gw_uniform_free(gw_uniform *u);
/* The innermost branch or loop around the op about which threads of a block may disagree; 0 if there is none. */
gw_op gw_uniform_divergence(const gw_uniform *u, gw_op op);
/* The gw_uniformity of what decides whether, or how often, the regions of a branch or loop run. */
gw_uniformity gw_uniform_control(const gw_uniform *u, gw_op op);
#endif
