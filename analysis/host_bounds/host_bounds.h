/* host_bounds.h - bounds of a kernel's values and trips, computed by code for the host. */
#ifndef GW_HOST_BOUNDS_H
#define GW_HOST_BOUNDS_H
#include "analysis/ir/ir.h"

/* Builds in `to` (a function with the primal's parameters) bounds of values of `from`. */
typedef struct gw_bounds {
    const gw_func *from;
    gw_builder *to;
    gw_value_map low, high;   /* memo: i64 values in `to` */
    gw_value_map exact;       /* the value itself, in its own type, where all threads have one value */
    gw_value_map failed;
    gw_value_map param;       /* entry arguments of from -> of to */
    bool trusting;            /* unsigned numbers of 64 bits are below 2^63 */
} gw_bounds;

typedef struct gw_interval {
    gw_value low, high; /* i64; 0 = unknown */
} gw_interval;

gw_interval gw_bounds_of(gw_bounds *b, gw_value v);  /* value_bound.c */
/* value_bound.c: the same for who finds out if an unsigned number of 64 bits is 2^63 or more */
gw_interval gw_bounds_trusting(gw_bounds *b, gw_value v);
gw_value gw_bounds_exact(gw_bounds *b, gw_value v);  /* value_bound.c: 0 if it is not one value */
/* trip_bound.c: at most so many iterations (i64), 0 = unknown */
gw_value gw_bounds_trip(gw_bounds *b, gw_op loop);
/* trip_bound.c: what stands around lets the op run at most so many times (i64), 0 = unknown */
gw_value gw_bounds_times(gw_bounds *b, gw_op op);
/* trip_bound.c: of carried value i */
gw_interval gw_bounds_counter(gw_bounds *b, gw_op loop, uint32_t i, bool is_result);
void gw_bounds_free(gw_bounds *b);
/* value_bound.c: a % d, by DIV, MUL and SUB */
bool gw_is_remainder(const gw_func *f, gw_op op, gw_value *a, gw_value *d);

/* a function of the host to ask for bounds, which is dropped again */
typedef struct gw_probe {
    gw_func *host;
    gw_builder to;
    gw_bounds bounds;
} gw_probe;
void gw_probe_open(gw_probe *p, gw_func *f);
void gw_probe_close(gw_probe *p);

/* A function of the host, of form GW_FORM_BOUND, with the parameters of a derivative's primal; param: of f ->
 * of it. The session has it. */
gw_func *gw_bound_func(const gw_func *f, gw_value_map *param);
void gw_bound_drop(gw_func *bound);
#endif
