/* look_private.h - what a warp asks about 32 iterations at a time, one a lane, and how it goes through those in
 * which a lane may take part: for loops that its lanes run together (candidates.c), and for those that they
 * leave one by one (leaving.c). */
#ifndef GW_LOOK_PRIVATE_H
#define GW_LOOK_PRIVATE_H
#include "rewriters/device/span_private.h"

enum { GW_LOOK_LANES = 32, GW_LOOK_LEAST_TRIPS = 2 * GW_LOOK_LANES, GW_LOOK_LEAST_COST = 24 };

gw_value gw_look_named(gw_func *f, gw_value v, const char *name); /* v, which has that name if it has none */
gw_value gw_look_lane(gw_builder *b);
/* The most of v, i32, over the lanes that there are; a bit for each of them that says so. */
gw_value gw_look_most(gw_builder *b, gw_value lanes, gw_value v);
gw_value gw_look_saying(gw_builder *b, gw_value lanes, gw_value says, const char *name);
/* What the lane says of its iteration, which `there` says is one: `possible`, or that nothing is known of it
 * for its spans are no numbers. 0: the spans tell nothing. */
gw_value gw_look_may(gw_spans *spans, gw_value possible, gw_value there);
/* Iterations about which lanes said so, and those for which there is no lane, if `behind` come behind the
 * first. */
gw_value gw_look_candidates(gw_builder *b, gw_value lanes, gw_value said, gw_value behind);

/* A WHILE that carries one number more, `first`, and what `args`, of the loop that it is made of, are. */
typedef struct gw_look_loop {
    gw_op op;
    gw_builder test, in; /* its condition, its body */
} gw_look_loop;
gw_look_loop gw_look_open(gw_builder *b, gw_value first, const char *name, const gw_value *carried,
                          const gw_value *args, uint32_t count);
/* The first number, bits, in such a loop: there are some; the number of the lowest; the others. */
gw_value gw_look_any(gw_builder *test);
gw_value gw_look_bit(gw_builder *b, gw_value candidates);
gw_value gw_look_rest(gw_builder *b, gw_value candidates);

void gw_look_leaving(gw_func *f);
#endif
