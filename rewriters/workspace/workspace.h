/*
 * workspace.h - what a kernel's gradient keeps in the workspace, beside its tape: rows of values that are
 * summed behind the kernel (rows.c), copies of small arrays (copied.c), and exact sums (exact.c).
 */
#ifndef GW_WORKSPACE_H
#define GW_WORKSPACE_H
#include "analysis/host_bounds/host_bounds.h"

/* ---- tenants ---- */

/* Who may live in the workspace, and who stands beside it: records (GW_PACK) are an array of the caller's,
 * which is cleared before the kernel and consumed behind it as others are; caches are in shared memory. */
typedef enum gw_tenant {
#define GW_TENANT(NAME, text) GW_TENANT_##NAME,
#include "rewriters/workspace/tenants.def"
    GW_TENANTS
} gw_tenant;

/* How many of those that a function shows by its ops: groups of rows, arrays with exact sums, with copies. */
uint32_t gw_tenant_count(const gw_func *f, gw_tenant tenant);
bool gw_has_tenants(const gw_func *f);
bool gw_any_func(const gw_session *s, uint32_t (*count)(const gw_func *)); /* some function of it has one */
/* How many numbers the host tells of those before (GW_TENANTS: of all), behind the tape's two. */
uint32_t gw_numbers_before(const gw_func *f, gw_tenant tenant);
typedef GW_VEC(gw_value) gw_told_numbers;
void gw_tenants_tell(gw_bounds *b, gw_told_numbers *out); /* adds the numbers of all (u64) */
/* What the table names; the counts stand below. */
#define GW_TENANT(NAME, text)
#define GW_TENANT_TOLD(NAME, text, count, numbers, tell)   \
    uint32_t numbers(const gw_func *f);                    \
    void tell(gw_bounds *b, gw_told_numbers *out);
#include "rewriters/workspace/tenants.def"

/* ---- rows ---- */

/* An index as a number: scale * base + offset, where base is 0 for a constant (then scale is 0). */
typedef struct gw_slot_index {
    gw_value base;
    int64_t scale, offset;
} gw_slot_index;
gw_slot_index gw_slot_index_of(const gw_func *f, gw_value v);

/* The groups of a function in the order of its text. */
uint32_t gw_slot_groups(const gw_func *f);
gw_op gw_slot_group(const gw_func *f, uint32_t number);
uint32_t gw_slot_number(const gw_func *f, gw_op collect);
/* Its additions, in order, and how many. */
uint32_t gw_slot_columns(const gw_func *f, gw_op collect);
gw_op gw_slot_first(const gw_func *f, gw_op collect);
/* All its rows belong to one cell of each column. */
bool gw_slot_is_constant(const gw_func *f, gw_op collect);

/* Its rows are a warp's; those of a warp, or of a thread, at positions of a list, which are its last
 * operands. */
bool gw_slot_is_of_warp(const gw_func *f, gw_op collect);
bool gw_slot_is_of_list(const gw_func *f, gw_op collect);
bool gw_slot_is_placed(const gw_func *f, gw_op collect);
uint32_t gw_slot_lists(const gw_func *f);  /* groups of warps at positions */
uint32_t gw_slot_placed(const gw_func *f); /* and of threads */
/* They stand in the order of their keys. */
bool gw_slot_is_sorted(const gw_func *f, gw_op collect);
/* How many numbers the launch asks for to know how many rows there are: none of a list; of placed ones the
 * least and the greatest number within a position; rows of a thread, and of sorted ones the least and the
 * greatest position. */
uint32_t gw_slot_counts(const gw_func *f, gw_op collect);

/* ---- exact sums ---- */

/* The arrays of a function whose cells have accumulators, each by its first addition, in the order of
 * parameters. An array is the numbers of one type in what a parameter leads to, or a pointer in a struct that
 * is passed by value. */
uint32_t gw_exact_arrays(const gw_func *f);
gw_op gw_exact_array(const gw_func *f, uint32_t number);
/* The same of shared memory, by object and type of number: each block of the grid has accumulators of its own,
 * which SETTLE rounds into the cells. */
uint32_t gw_exact_shared_arrays(const gw_func *f);
gw_op gw_exact_shared_array(const gw_func *f, uint32_t number);
uint32_t gw_exact_number(const gw_func *f, gw_op add); /* among those of its memory */
bool gw_exact_goes_to(const gw_func *f, gw_op op, gw_op array); /* the op is such an addition, to this one */
bool gw_exact_same_memory(const gw_func *f, gw_op a, gw_op b); /* of whatever types */
/* The path to the array in its object: "", ".poles" of d.poles[i].x, "[].x" of d->x[i]. */
gw_str gw_exact_member(const gw_func *f, gw_op add);
/* A pointer in memory leads to it, so only the kernel knows where: accumulators are found by address. */
bool gw_exact_is_pointed(const gw_func *f, gw_op add);
/* What its elements are, and how many numbers each has; an array of shared memory is one element, unless the
 * launch says how long it is. */
gw_type gw_exact_element(const gw_func *f, gw_op add);
uint32_t gw_exact_numbers(const gw_func *f, gw_op add);
uint32_t gw_exact_bytes_of(gw_type number); /* of an accumulator: gw_exact (exact.cuh) */

/* How many cells the array has for this addition (i64), in the function that tells the launch; 0: nobody knows
 * there, so the caller of the launch has to say. */
gw_value gw_exact_index_cells(gw_bounds *b, gw_op add);
/* The same for all additions to the array; a constant -1: the caller says. */
gw_value gw_exact_cells(gw_bounds *b, gw_op array);
bool gw_exact_is_told(const gw_func *bound, gw_value cells);

/* ---- copies ---- */

/* The objects of a function that have copies, in the order of their handles. */
uint32_t gw_copied_objects(const gw_func *f);
gw_object gw_copied_object(const gw_func *f, uint32_t number);
uint32_t gw_copied_number(const gw_func *f, gw_object object);
/* The user asks for them, so that no launch is too small. */
bool gw_copies_are_asked(const gw_func *f, gw_object object);

/* The last cell of a copy (i64), in the function that tells the launch; -1: there can be none. */
gw_value gw_copied_last(gw_bounds *b, gw_object object);
/* The greatest index of such an addition; 0: there is no bound. *per_block: blockIdx tells the cell. */
gw_value gw_copied_index(gw_bounds *b, gw_op add, bool *per_block);
#endif
