/* tape.h - bounds of loop trips and tape sizes, computed by code for the host. */
#ifndef GW_TAPE_H
#define GW_TAPE_H
#include "analysis/ir/ir.h"
#include "analysis/facts/trip_count.h"

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

gw_interval gw_bounds_of(gw_bounds *b, gw_value v);  /* bounds.c */
gw_interval gw_bounds_trusting(gw_bounds *b, gw_value v); /* bounds.c: the same for who finds out if an unsigned number of 64 bits is 2^63 or more */
gw_value gw_bounds_exact(gw_bounds *b, gw_value v);  /* bounds.c: 0 if it is not one value */
gw_value gw_bounds_trip(gw_bounds *b, gw_op loop);   /* trip.c: at most so many iterations (i64), 0 = unknown */
gw_interval gw_bounds_counter(gw_bounds *b, gw_op loop, uint32_t i, bool is_result); /* trip.c: of carried value i */
void gw_bounds_free(gw_bounds *b);
bool gw_is_remainder(const gw_func *f, gw_op op, gw_value *a, gw_value *d); /* bounds.c: a % d, by DIV, MUL and SUB */

/* tape.c: the host can tell how often the loops around the op run at most */
bool gw_tape_is_bounded(gw_func *f, gw_op op);
/* the kernel's tape, as it is now, or its rows go into a workspace */
bool gw_tape_takes_workspace(gw_func *f);
/* a function of the host to ask for bounds, which is dropped again */
typedef struct gw_probe {
    gw_func *host;
    gw_builder to;
    gw_bounds bounds;
} gw_probe;
void gw_probe_open(gw_probe *p, gw_func *f);
void gw_probe_close(gw_probe *p);

/* reserve.c: RESERVE ops for all pushes of a host function */
void gw_reserve_tape(gw_func *f);
uint32_t gw_record_bytes(const gw_func *f, gw_op push);
bool gw_leaves_records(const gw_func *f, gw_op op); /* it does not pop again all that it pushed */
bool gw_takes_records(const gw_func *f, gw_op op);  /* it pops what others pushed */
/* expect.c: EXPECT ops for what nested loops will push */
void gw_expect_tape(gw_func *f);
/* turn.c: reverse loops that run upward, though they pop */
void gw_turn_loops(gw_func *f);
/* adjoint/results.c: the value as one more result of the branch around it, 0 from its other side; the region of that branch */
gw_value gw_leave_branch(gw_func *f, gw_region side, gw_value v, gw_region *outer);
#endif
