/* accumulate_private.h - parts of the accumulate pass: choosing a rung of the ladder, and the rungs (a file
 * each). */
#ifndef GW_ACCUMULATE_PRIVATE_H
#define GW_ACCUMULATE_PRIVATE_H
#include "analysis/ir/reasons.h"
#include "analysis/ir/rungs.h"
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
/* accumulate/cost.c: the cheapest of the rungs ATOMIC, WARP, GRID and BLOCK in issue slots of a warp; *why:
 * what all of these cost. */
gw_rung gw_accumulate_choose(const gw_additions *a, gw_rung wish, gw_why *why);

/* accumulate.c: an atomic addition that may be made together with others, by nobody's wish another way. */
bool gw_rung_climbs(const gw_func *f, gw_op op);

/* accumulate/asked.c: every addition takes the rung that GW_ACCUMULATE asks for; false with a diagnostic. */
bool gw_rung_check_asked(const gw_func *f);
/* --accumulate speaks of all additions that no mark speaks of: false with a diagnostic for each object where
 * one has not taken it (--prefer: none is asked to). */
bool gw_rung_check_wished(const gw_func *f);

/* accumulate/place.c: a cell lies `offset` bytes behind an element that the first `indices` of its indices
 * tell, where the first `prefix` bytes of its path lead; its address, less the offset, is a multiple of
 * `align`. */
typedef struct gw_rung_cell {
    uint64_t offset;
    uint32_t indices, prefix, align, each; /* each: bytes of such an element */
} gw_rung_cell;
bool gw_rung_place(const gw_func *f, gw_op op, gw_rung_cell *c); /* false: not known */
bool gw_rung_same_element(const gw_func *f, gw_op a, const gw_rung_cell *in, gw_op b, const gw_rung_cell *of);
/* So many bytes lies b's cell behind a's, whatever the indices are that they have in common. */
bool gw_rung_distance(const gw_func *f, gw_op a, gw_op b, int64_t *bytes);
/* v = *base + what is returned, 0 + it for a constant; through conversions that keep the number. */
int64_t gw_rung_offset(const gw_func *f, gw_value v, gw_value *base);
/* The host can say where the array of the addition's cell begins: behind a pointer parameter, or behind a
 * pointer in a struct that is passed by value. */
bool gw_rung_host_knows(const gw_func *f, gw_op add);
/* Nobody reads or overwrites what it adds to. Loads and stores of other members reach other cells. */
bool gw_rung_only_added_to(const gw_func *f, gw_op add);
/* The kernel does nothing to the object but add to it. */
bool gw_rung_adds_only(const gw_func *f, gw_object object);
/* The kernel adds atomically to what it adds to, and that is all: it does not matter when. */
bool gw_rung_adds_atomically(const gw_func *f, gw_op add);
/* cache.c: so many bytes of static shared memory are left; the launch sizes shared memory, too. */
bool gw_rung_has_room(const gw_func *f, uint64_t bytes);
bool gw_rung_launch_sizes(const gw_func *f);
/* accumulate/settle.c: rounds exact sums to an object where the kernel needs them, of the additions that
 * `exact` holds by op; 0, or, with nothing done, an access in front of which that cannot be. */
gw_op gw_settle(gw_func *f, gw_object object, const bool *exact);
/* accumulate/chain.c: additions of one region whose cells lie side by side, each told by `wanted`. The chain
 * of op, from its first cell on, at most `most` of them; how many. */
typedef bool gw_rung_wanted(const gw_func *f, gw_op op);
uint32_t gw_rung_chain(const gw_func *f, gw_op op, gw_rung_wanted *wanted, gw_op *chain, uint32_t most);
/* Whether no branch or loop stands between them, over which values would be held that are added before. */
bool gw_rung_is_straight(const gw_func *f, const gw_op *chain, uint32_t n);
/* Brings them together in front of the last of them, in their order, as `how`; not where one cannot go. */
bool gw_rung_join(gw_func *f, const gw_op *chain, uint32_t n, gw_accumulate how);
/* How many there are, from the first on, as they stand now. */
uint32_t gw_rung_joined(const gw_func *f, gw_op first, uint32_t most);
/* alike.c: the loop of which the branch says that the lane is in an iteration of its own, where it runs as
 * often as in the lane that runs it most; between the two are only branches on what all lanes agree on. Else
 * 0. */
gw_op gw_rung_own_loop(const gw_uniform *u, const gw_func *f, gw_op branch);
/* alike.c: the branch that alone has regions there; else 0. */
gw_op gw_rung_only_branch(const gw_func *f, gw_region r);
/* Branches on what all lanes agree on come out of those of lanes' own iterations. */
void gw_rung_alike(gw_func *f);
/* bulk.c: so many of such additions side by side would be one reduction, by nobody's wish. */
bool gw_rung_bulk_pays(const gw_func *f, gw_op add, uint32_t count);
/* bulk.c: rows of a thread's own in the object go by such reductions where its cells have one addition each;
 * false: none does. `wanted`: additions that need be no thread's plain ones. */
bool gw_rung_bulk_own(gw_func *f, gw_object object, gw_rung_wanted *wanted);
/* grid.c: the warp rung in place of a COLLECT of the block, which has no shared memory for the sums of its
 * warps. */
void gw_rung_by_warps(gw_func *f, gw_op collect);
/* rungs.c: what a rung does and says, by its row of rungs.def. */
typedef struct gw_rung_home {
    gw_reason refused;
    void (*apply)(gw_func *f);
    uint32_t (*run)(const gw_func *f, gw_op first);
} gw_rung_home;
extern const gw_rung_home gw_rung_homes[GW_RUNG_COUNT];
/* posted.c: whether this addition may be made by an instruction that no thread waits for. */
bool gw_rung_posts(const gw_func *f, gw_op op);
#endif
