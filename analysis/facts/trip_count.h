/* facts/trip_count.h - how often a counted loop runs, as a value (u64) at the builder; 0: the header does not tell. */
#ifndef GW_TRIPS_H
#define GW_TRIPS_H
#include "analysis/ir/ir.h"

gw_value gw_header_trips(gw_builder *b, gw_op loop);
gw_value gw_header_most(gw_builder *b, gw_op loop); /* the same for one that may stop before: at most so often */
gw_value gw_header_runs(gw_builder *b, gw_opcode compare, gw_value lo, gw_value hi, int64_t step); /* for (lo; compare hi; += step) */
#endif
