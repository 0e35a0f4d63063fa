/* sink_private.h - additions to adjoint cells go into the side of a branch outside of which they add nothing,
 * and out of both sides. */
#ifndef GW_SINK_PRIVATE_H
#define GW_SINK_PRIVATE_H
#include "analysis/ir/ir.h"
/* In the region and what is nested in it, from the outside in. */
void gw_sink_additions(gw_func *f, gw_region r);
/* sink_values.c: numbers that are zero, or what they were, unless a side of a branch is taken; the same way. */
void gw_sink_values(gw_func *f, gw_region r);
/* arms.c: additions to one cell in both arms of a branch become one behind it; from the inside out. */
void gw_join_additions(gw_func *f, gw_region r);

/* One branch: what behind it vanishes where its side is not taken, and what of that moves into the side. */
typedef struct gw_sink {
    gw_func *f;
    gw_op branch;
    uint32_t side;          /* that makes what is 0 on the other one */
    bool *vanishes, *moves; /* by value; by op, of those behind the branch */
    uint32_t *uses, *moved; /* by value: all uses, and those by ops that move */
} gw_sink;
gw_sink gw_sink_new(gw_func *f, gw_op branch, uint32_t side); /* which results of the branch vanish */
void gw_sink_free(gw_sink *s);
void gw_sink_count_uses(gw_sink *s); /* all */
void gw_sink_count(gw_sink *s);      /* those by ops that move */
bool gw_sink_is_pure(const gw_func *f, gw_op op);
bool gw_sink_vanishes(const gw_sink *s, gw_op op);
/* In scope in the side: made before the branch, in it, by what moves, or by a pure op that can go ahead of the
 * branch. */
bool gw_sink_at_hand(const gw_sink *s, gw_value v);
void gw_sink_ahead(gw_sink *s, gw_value v); /* it goes there */
void gw_sink_move(gw_sink *s);
#endif
