/* copies.h - arrays of which each block of a kernel adds to a copy (accumulate/copies.c). */
#ifndef GW_COPIES_H
#define GW_COPIES_H
#include "rewriters/tape/tape.h"

/* The objects of a function that have copies, in the order of their handles. */
uint32_t gw_copied_objects(const gw_func *f);
gw_object gw_copied_object(const gw_func *f, uint32_t number);
uint32_t gw_copied_number(const gw_func *f, gw_object object);
/* The user asks for them, so that no launch is too small. */
bool gw_copies_are_asked(const gw_func *f, gw_object object);

/* The last cell of a copy (i64), in the function that tells the launch; -1: there can be none. */
gw_value gw_copied_last(gw_bounds *b, gw_object object);

/* The rung: atomic additions to small arrays that blocks share, where they are asked for, or pay and the kernel takes a workspace anyway. */
void gw_rung_copies(gw_func *f);
#endif
