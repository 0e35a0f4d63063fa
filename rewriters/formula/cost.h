/* cost.h - what ops and whole functions cost on a host, in additions. */
#ifndef GW_COST_H
#define GW_COST_H
#include "analysis/ir/ir.h"

int gw_cost_of_op(const gw_func *f, gw_op op); /* without the regions of it */
/* A push and its pop of a value of this type; or, as the result of a branch, a register. */
int gw_cost_of_record(const gw_func *f, gw_type type, bool is_result);
double gw_cost_trips(const gw_func *f, gw_op loop);
/* Of one call; a loop whose trip count is unknown runs a fixed number of times. */
double gw_cost_of_func(const gw_func *f);
#endif
