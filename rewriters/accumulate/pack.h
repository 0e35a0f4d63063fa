/* pack.h - GW_PACK(x, y): adjoints of several arrays, accumulated in one array of records. */
#ifndef GW_PACK_H
#define GW_PACK_H
#include "analysis/ir/ir.h"

/* pack.c: moves the additions to the adjoints that GW_PACK names into records; false with a diagnostic where that cannot be. */
bool gw_pack(gw_func *f);
/* What the element of an array is made of, in floats; 0: not of floats alone. */
uint32_t gw_pack_floats_of(const gw_session *s, gw_type type);
#endif
