/* parts_private.h - conditions that are several at once. */
#ifndef GW_PARTS_PRIVATE_H
#define GW_PARTS_PRIVATE_H
#include "analysis/ir/query.h"

/* A part of the conjunction v for which `is` says so; 0: none. */
typedef bool gw_part_is(void *with, gw_value v);
gw_value gw_part_of(const gw_func *f, gw_value v, gw_part_is *is, void *with);
/* The conjunction without that part; 0: it is all. */
gw_value gw_without_part(gw_builder *at, gw_value v, gw_value part);
#endif
