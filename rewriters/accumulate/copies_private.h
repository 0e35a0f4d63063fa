/* copies_private.h - arrays of which each block of a kernel adds to a copy (accumulate/copies.c). */
#ifndef GW_COPIES_PRIVATE_H
#define GW_COPIES_PRIVATE_H
#include "analysis/ir/ir.h"

/* The rung: atomic additions to small arrays that blocks share, where they are asked for, or pay and the kernel takes a workspace anyway. */
void gw_rung_copies(gw_func *f);
#endif
