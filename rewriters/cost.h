/* cost.h - what ops and whole functions cost on a host, in additions. */
#ifndef GW_COST_H
#define GW_COST_H
#include "gradwright/ir/ir.h"

enum {
    GW_COST_RECORD = 7, /* a push and its pop */
    GW_COST_RESULT = 3  /* a value that leaves a branch */
};

int gw_cost_of_op(const gw_func *f, gw_op op); /* without the regions of it */
/* Of one call; a loop whose trip count is unknown runs a fixed number of times. */
double gw_cost_of_func(const gw_func *f);
#endif
