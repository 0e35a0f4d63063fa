/* cut_private.h - minimum cuts of directed graphs with integer capacities. */
#ifndef GW_CUT_PRIVATE_H
#define GW_CUT_PRIVATE_H
#include <stdbool.h>
#include <stdint.h>

#define GW_CUT_NEVER (INT64_MAX / 4) /* capacity of an edge that must not be cut */

typedef struct gw_cut gw_cut;

enum { GW_CUT_SOURCE = 0, GW_CUT_SINK = 1, GW_CUT_FIRST = 2 /* the caller's first node */ };

gw_cut *gw_cut_new(uint32_t nodes); /* source and sink included */
void gw_cut_free(gw_cut *c);
void gw_cut_edge(gw_cut *c, uint32_t from, uint32_t to, int64_t capacity); /* not negative */
/* The capacity of a minimum cut; GW_CUT_NEVER or more if each one cuts an edge that must not be. */
int64_t gw_cut_solve(gw_cut *c);
/* After solving: the node is on the source's side. The cut is the one of all minimum cuts that is nearest
 * to the sink. */
bool gw_cut_is_source_side(const gw_cut *c, uint32_t node);
#endif
