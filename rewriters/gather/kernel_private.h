/* gather/kernel_private.h - parts of the kernel that gathers over the grid (gather/kernel.c,
 * gather/share.c). */
#ifndef GW_GATHER_KERNEL_PRIVATE_H
#define GW_GATHER_KERNEL_PRIVATE_H
#include "rewriters/gather/grid_private.h"
#include "analysis/ir/restructure.h"

typedef struct gw_grid_making {
    gw_grid_turn *t;
    const gw_func *f; /* the gradient */
    gw_func *g;       /* the kernel */
    gw_builder b;
    gw_cloner c;
    /* i64: blocks, their length, |divisor|, the loop's first index and its iterations */
    gw_value grid, block, size, low, trips;
    gw_value most;                          /* i64, alone: the divisor */
    gw_value group, first, tile, peers;     /* i64 */
    /* i32: iterations of the round, ...; whether this thread has an iteration */
    gw_value width, team, teams, trip, mine;
    gw_value across;                        /* neighbouring threads are of neighbouring teams; 0: never */
    GW_VEC(gw_object) arrays;               /* by live value; last: who is there */
    bool alone;                             /* one thread adds to each cell */
    uint32_t branch;                        /* of the chain, inward */
} gw_grid_making;

enum { GW_GRID_LONGEST_BLOCK = 1024 };

/* gather/share.c: who takes which iteration. */
void gw_grid_share_out(gw_grid_making *m);
/* Behind the loop over tiles: the sums of all teams, added up in their order and to the cell by one thread. */
void gw_grid_add_alone(gw_grid_making *m, gw_value sum, gw_value any);

static inline gw_value gw_grid_wide(gw_grid_making *m, gw_value v) { return gw_cast(&m->b, GW_T_I64, v); }
static inline gw_value gw_grid_op(gw_grid_making *m, gw_opcode code, gw_value a, gw_value b) {
    return gw_binary(&m->b, code, a, b);
}
/* A name for a value that has none. */
static inline gw_value gw_grid_named(gw_grid_making *m, gw_value v, const char *name) {
    if (!gw_value_at(m->g, v)->name) gw_value_at(m->g, v)->name = gw_intern(m->g->session, name);
    return v;
}
static inline gw_value gw_grid_thread(gw_grid_making *m) { return gw_special_value(&m->b, GW_THREAD_IDX, 0); }
static inline gw_value gw_grid_zero(gw_grid_making *m, gw_type type) {
    return gw_type_is_float(type) ? gw_real(&m->b, type, 0) : gw_int(&m->b, type, 0);
}
static inline void gw_grid_barrier(gw_grid_making *m) { gw_emit(&m->b, GW_OP_BARRIER, GW_T_VOID, 0, NULL, 0); }
static inline gw_op gw_grid_open_if(gw_grid_making *m, gw_value condition) {
    gw_op made = gw_emit(&m->b, GW_OP_IF, GW_T_VOID, 0, &condition, 1);
    m->b.region = gw_region_new(m->g, made);
    return made;
}
static inline void gw_grid_other_side(gw_grid_making *m, gw_op branch) {
    m->b.region = gw_region_new(m->g, branch);
}
static inline gw_value gw_grid_index_of(const gw_grid_turn *t) {
    return gw_arg(t->f, gw_loop_body(t->f, t->loop), 0);
}
#endif
