/* gather/grid_private.h - additions gathered over the grid, in a kernel of their own; what it does and why that
 * is sound stands in gather/grid.c. */
#ifndef GW_GATHER_GRID_PRIVATE_H
#define GW_GATHER_GRID_PRIVATE_H
#include "rewriters/gather/gather_private.h"

/* An addition in a loop, and how its cell depends on the thread's number along x. */
typedef struct gw_grid_turn {
    const gw_func *f;
    gw_uniform uniform;
    gw_op add, loop;
    gw_value number;  /* blockIdx.x * blockDim.x + threadIdx.x */
    gw_value divisor; /* the cell depends on number / divisor or on number % divisor */
    bool by_quotient; /* on the quotient: what differs among peers is the remainder */
    bool *needed;     /* by op */
    GW_VEC(gw_op) chain;   /* branches around the loop, from the outside in */
    GW_VEC(gw_value) live; /* of the loop's body, from outside: different in different threads */
} gw_grid_turn;

bool gw_grid_find(gw_grid_turn *t, const gw_func *f, gw_op add);
void gw_grid_free(gw_grid_turn *t);
/* v is the number / divisor, or % divisor, that the cell depends on. */
bool gw_grid_is_group(const gw_grid_turn *t, gw_value v);
/* The divisor is not negative, or a parameter for which a launch can be checked: argument *argument - 1 of the
 * function; else that is 0. */
bool gw_grid_is_natural(const gw_grid_turn *t, uint32_t *argument);
/* The address of the addition can be made of the group's number and the loop's index (gather/share.c). */
bool gw_grid_tells_cell(const gw_grid_turn *t);
/* gather/kernel.c: the kernel. `alone`, if the cell can be told so: one thread adds to a cell in a round, all
 * the block has for it. */
gw_func *gw_grid_make(gw_grid_turn *t, uint32_t number, bool alone);
#endif
