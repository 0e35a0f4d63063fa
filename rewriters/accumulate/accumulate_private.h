/* accumulate_private.h - parts of the accumulate pass: choosing a rung of the ladder, and the rungs (a file each). */
#ifndef GW_ACCUMULATE_PRIVATE_H
#define GW_ACCUMULATE_PRIVATE_H
#include "rewriters/accumulate/accumulate.h"
#include "rewriters/motion/motion.h"

/* One atomic addition that could be made together: what its costs depend on. */
typedef struct gw_additions {
    bool shared;      /* the cell is in shared memory */
    bool one_cell;    /* all threads of the grid add into it */
    bool block_comes; /* all threads of the block come to it */
    bool of_block;    /* and no other block has the cell */
    uint32_t lanes;   /* that take part, about */
} gw_additions;
/* accumulate/cost.c: the cheapest of the rungs ATOMIC, WARP, GRID and BLOCK in issue slots of a warp; *why in words. */
gw_rung gw_accumulate_choose(const gw_additions *a, gw_rung wish, gw_text *why);

/* accumulate.c: an atomic addition that may be made together with others, by nobody's wish another way. */
bool gw_rung_climbs(const gw_func *f, gw_op op);

/* accumulate/match.c: additions that are asked to be made together with whoever is at the same cell. */
void gw_rung_match(gw_func *f);
/* accumulate/vector.c: additions to floats side by side that are an aligned pair, or four. */
void gw_rung_vector(gw_func *f);
/* accumulate/record.c: additions to members of one element side by side, on request. */
void gw_rung_record(gw_func *f);
/* accumulate/asked.c: every addition takes the rung that GW_ACCUMULATE asks for; false with a diagnostic. */
bool gw_rung_check_asked(const gw_func *f);
/* --accumulate speaks of all additions that no mark speaks of: false with a diagnostic for each object where one has not taken
 * it (--prefer: none is asked to). */
bool gw_rung_check_wished(const gw_func *f);

/* accumulate/flat.c: nested branches that decide who takes part become one, where what leads to the inner ones is cheap. */
void gw_rung_flatten(gw_func *f);
/* accumulate/skip.c: warps of which no lane takes part pass over what only the COLLECT is for. */
void gw_rung_skip(gw_func *f);
/* accumulate/warp.c: single COLLECTs that may be made together become one; their cells in the order of memory. */
void gw_rung_group(gw_func *f);
/* accumulate/place.c: a cell lies `offset` bytes behind an element that the first `indices` of its indices tell, where the first `prefix`
 * bytes of its path lead; its address, less the offset, is a multiple of `align`. */
typedef struct gw_rung_cell {
    uint64_t offset;
    uint32_t indices, prefix, align;
} gw_rung_cell;
bool gw_rung_place(const gw_func *f, gw_op op, gw_rung_cell *c); /* false: not known */
bool gw_rung_same_element(const gw_func *f, gw_op a, const gw_rung_cell *in, gw_op b, const gw_rung_cell *of);
/* v = *base + what is returned, 0 + it for a constant; through conversions that keep the number. */
int64_t gw_rung_offset(const gw_func *f, gw_value v, gw_value *base);
/* accumulate/grid.c: short loops over cells that all threads of the grid add into are written out. */
void gw_rung_write_out(gw_func *f);
/* Gives COLLECTs of a block the shared memory for the sums of its warps; without room they go by warps. */
void gw_rung_grid(gw_func *f);
void gw_rung_by_warps(gw_func *f, gw_op collect); /* the warp rung in its place */
/* posted.c: whether this addition may be made by an instruction that no thread waits for. */
bool gw_rung_posts(const gw_func *f, gw_op op);
#endif
