/* span_private.h - between which numbers a value lies in all lanes of a warp, in one iteration of a loop: code
 * that computes it. */
#ifndef GW_SPAN_PRIVATE_H
#define GW_SPAN_PRIVATE_H
#include "analysis/facts/facts.h"
#include "analysis/ir/restructure.h"

typedef struct gw_spans {
    gw_func *f;
    const gw_uniform *uniform; /* of the function as it was */
    gw_op loop;
    const gw_region *ways; /* the loop's body, and arms in it: what is computed there may be computed here */
    uint32_t way_count;
    const bool *alike; /* by value of the loop: all lanes have it, and cells exist; NULL: as uniform says */
    gw_value index;    /* the loop's */
    gw_value lanes, iteration; /* those that there are; of the index, of which the spans are */
    gw_builder *b;             /* where the code goes: all lanes come there */
    gw_value_map points, lows, highs, compared;
    gw_value doubt; /* finite if all ends are; 0: no span was asked for */
} gw_spans;

/* A bool, whether the condition may be `wanted` in some lane: never false where it is. 0: nothing is known of
 * it. */
gw_value gw_span_possible(gw_spans *s, gw_value condition, bool wanted);
void gw_spans_free(gw_spans *s);
#endif
