/* coarsen_private.h - parts of the coarsen pass: a derivative built anew, in which a thread stands for n of the
 * primal's. */
#ifndef GW_COARSEN_PRIVATE_H
#define GW_COARSEN_PRIVATE_H
#include "analysis/facts/facts.h"
#include "rewriters/device/instances_private.h"
#include "analysis/ir/restructure.h"

typedef struct gw_coarsener {
    gw_func *f;          /* being built */
    const gw_func *from; /* as it was */
    gw_instances same;   /* of from */
    uint32_t n;
    bool is_flat; /* GW_WHOLE_BLOCK: along x, of blocks along x */
    gw_builder b;
    gw_cloner one[GW_MOST_COARSE];    /* what a value of `from` is in each instance */
    gw_value_map pins[GW_MOST_COARSE]; /* threadIdx and blockDim along the axis */
} gw_coarsener;

/* coarsen.c: the derivative along an axis; false where that cannot be, with f as it was, which `says` says to
 * the user. */
bool gw_coarsen_along(gw_func *f, uint32_t n, unsigned axis, bool says);
/* coarsen.c: the region's ops but its end, for all instances, at the builder's place. */
void gw_coarsen_region(gw_coarsener *k, gw_region r);

/* device/instance_ops.c */
/* The value in instance i. */
gw_value gw_coarsen_value(gw_coarsener *k, uint32_t i, gw_value v);
void gw_coarsen_once(gw_coarsener *k, gw_op op); /* one copy serves all instances */
void gw_coarsen_each(gw_coarsener *k, gw_op op); /* a copy for each of them */
/* An op as this one is, but for operands, results and regions. */
gw_op gw_coarsen_like(gw_coarsener *k, gw_op op, const gw_value *operands, uint32_t count);
/* Notes the result of `made` that is next for result i of op: one for all instances, or one for each. */
void gw_coarsen_results(gw_coarsener *k, gw_op op, gw_op made);

/* device/control.c: branches and loops. */
void gw_coarsen_control(gw_coarsener *k, gw_op op);

/* device/meeting.c: what threads do together, which the instances now do as one thread. NULL, or why that
 * cannot be. */
const char *gw_coarsen_cannot_meet(const gw_coarsener *k, gw_op op, const char **way_out);
void gw_coarsen_meeting(gw_coarsener *k, gw_op op);
/* An addition to a cell that is the same in all instances, or the first of those that a COLLECT makes together;
 * the last op that it dealt with. */
gw_op gw_coarsen_addition(gw_coarsener *k, gw_op op);

/* device/sums.c: sums over instances, in the region and inside of it, as running sums, by one level; false if
 * there is none left. Requires that nothing is there that nobody needs. */
bool gw_coarsen_sums(gw_func *f, gw_region r);
#endif
