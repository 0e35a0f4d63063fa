/* coarsening.h - whether a kernel's gradient is asked for with fewer threads than the primal has: GW_COARSEN, --coarsen. */
#ifndef GW_COARSENING_H
#define GW_COARSENING_H
#include "analysis/ir/ir.h"

enum { GW_LEAST_COARSE = 2, GW_MOST_COARSE = 32, GW_NO_AXIS = 3 };

/* How many threads of the primal one thread of this derivative stands for; 0: one, as nobody asked. */
uint32_t gw_coarsening(const gw_func *derivative);
/* Along which axis: the last one of which the kernel asks its threadIdx, other than for the number of a thread in its block
 * ((z * Y + y) * X + x, cooperative groups' thread_rank()). Where it asks for that number, and for nothing else of its block
 * but the number of threads, GW_WHOLE_BLOCK: a block of any shape is as good as one along x of as many threads. GW_NO_AXIS:
 * it asks for nothing of the kind. */
unsigned gw_coarsening_axis(const gw_func *derivative);
/* Where it was asked for: the annotation, else the request. */
gw_loc gw_coarsening_loc(const gw_func *derivative);
#endif
