/*
 * outline_private.h - the body of a loop as a kernel, of which a thread is an iteration (ownership/outline.c).
 */
#ifndef GW_OUTLINE_PRIVATE_H
#define GW_OUTLINE_PRIVATE_H
#include "analysis/ir/restructure.h"

/* A counted loop of step 1 that runs upward; copy_of: by op of f, its copy in the kernel, 0 outside of the
 * loop. `origin`: of the branch around the copies. */
gw_func *gw_outline(gw_func *f, gw_op loop, gw_op origin, gw_op *copy_of);

/* A loop of a derivative, and the loop of the primal that it came from as the kernel's primal. */
typedef struct gw_outlined {
    gw_func *kernel, *primal; /* NULL: it came from none */
    gw_op *copy_of;
} gw_outlined;
gw_outlined gw_outline_reverse(gw_func *f, gw_op loop);
void gw_outlined_free(gw_outlined *o);
#endif
