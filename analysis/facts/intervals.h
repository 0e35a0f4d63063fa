/* intervals.h - which ops of a kernel may run between the same two barriers. */
#ifndef GW_INTERVALS_H
#define GW_INTERVALS_H
#include "analysis/ir/ir.h"

typedef struct gw_intervals {
    uint32_t words;  /* of a set */
    uint64_t *begin; /* by op: the barriers, and the function's begin, from which it is reached without another one */
} gw_intervals;

void gw_intervals_new(gw_intervals *v, const gw_func *f);
void gw_intervals_free(gw_intervals *v);
/* Two threads of a block may be at x and at y at the same time. */
bool gw_intervals_meet(const gw_intervals *v, gw_op x, gw_op y);
/* Both run between the same two barriers whenever y runs: y stands in the region of x or inside it. */
bool gw_intervals_same(const gw_func *f, gw_op x, gw_op y);
#endif
