/* reduce_private.h - what passes of rewriters/reduce share. */
#ifndef GW_REDUCE_PRIVATE_H
#define GW_REDUCE_PRIVATE_H
#include "analysis/ir/ir.h"

/* fresh.c: a store of zero to an adjoint of the caller's. */
bool gw_zeroes_adjoint(const gw_func *f, gw_op op);
#endif
