/* gather_private.h - parts of the gather pass (rewriters/gather*.c); what it does and why that is sound stands
 * in gather.c. */
#ifndef GW_GATHER_PRIVATE_H
#define GW_GATHER_PRIVATE_H
#include "analysis/facts/facts.h"

/* A value that all threads of the block have left in a shared array. */
typedef struct gw_staged {
    gw_value value;
    gw_object array;
    gw_op store;
} gw_staged;

/* A kernel's derivative as it is before a loop is turned. */
typedef struct gw_gather {
    gw_func *f;
    GW_VEC(gw_staged) staged;
    GW_VEC(gw_object) rows; /* shared arrays of which the sums read columns */
    gw_uniform uniform;
    gw_intervals intervals;
    uint32_t least[3], most[3]; /* threads of a block, by axis; most 0: not known */
} gw_gather;

/* A loop and the additions in it that are gathered over one axis of the block. */
typedef struct gw_turn {
    gw_gather *g;
    gw_op loop;
    unsigned axis;
    GW_VEC(gw_op) adds;
    GW_VEC(gw_value) live; /* from outside of the loop, not the same in the threads along the axis */
    bool *needed;          /* by op: of the loop, for the additions' values, addresses and conditions */
    uint8_t *varies;       /* by value: 0 not asked, 1 no, 2 yes */
} gw_turn;

/* gather/block.c: the lengths of the block, as the kernel's shared memory has them. */
void gw_gather_lengths(gw_gather *g);
/* Neither the derivative nor its primal looks at this axis of the block. */
bool gw_gather_is_unused(const gw_func *f, unsigned axis);

/* grid.c: nothing else touches the load's object but stores to the same cell, behind it in its region. */
bool gw_gather_is_read_first(const gw_func *f, gw_op load);
/* kernel.c: an empty kernel of sums, before f's own; its number is in its name. */
gw_func *gw_gather_new_kernel(const gw_func *f, uint32_t number);
/* behind.c: additions that keep others to an adjoint that is new from being stores go into a kernel behind. */
void gw_gather_behind(gw_func *f);

/* gather/place.c: nobody asks for another rung for the addition; a load that any thread of the block can make
 * for another one. */
bool gw_gather_may(const gw_func *f, gw_op add);
bool gw_gather_is_readable(const gw_gather *g, gw_op load);
/* Threads that differ only in the axis may have different values. */
bool gw_gather_varies(gw_turn *t, gw_value v);
/* Made of the thread's place and of what does not vary, in a few integer operations. */
bool gw_gather_is_place(gw_turn *t, gw_value v);

/* gather/inside.c: that all conditions around additions in the region hold, as a value at the builder's place,
 * which is in the region; 0: that cannot be said. `uniform` is of a copy of f as it was before anything was
 * built there. */
gw_value gw_gather_inside(gw_func *f, gw_region r, gw_builder *b, const gw_uniform *uniform);

/* gather/slice.c: which additions of the loop can be gathered over the axis, and what they are made of; false
 * if none. */
bool gw_gather_slice(gw_turn *t);
void gw_gather_slice_free(gw_turn *t);

/* gather/turn.c: the sums, behind the loop. */
void gw_gather_make(gw_turn *t);

/* gather/stage.c: an array with v for each thread of the block, complete where the loop begins; one that is
 * there already, where it will do. */
gw_object gw_gather_stage(gw_turn *t, gw_value v);
/* There is shared memory for all values that have to be staged. */
bool gw_gather_has_room(gw_turn *t);
/* A barrier keeps the sums behind the loop from the stores for its next run. */
void gw_gather_keep(gw_turn *t, gw_value v, gw_op last);
bool gw_gather_can_stage(gw_turn *t, gw_value v);

/* gather/rows.c: arrays of which the turned loop reads columns; they get rows that are one cell longer. */
void gw_gather_note_rows(gw_turn *t);
void gw_gather_spread_rows(gw_gather *g);
#endif
