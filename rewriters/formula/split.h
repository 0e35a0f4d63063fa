/*
 * split.h - the two halves of a split gradient (adjoint/split.c), as one function and cut apart.
 *
 * As one function its last parameters say which half runs; adjoint/split.c adds them and split.c takes them away.
 */
#ifndef GW_SPLIT_H
#define GW_SPLIT_H
#include "analysis/ir/ir.h"

enum { GW_SPLIT_HALVES = 2 };
extern const char *const gw_split_names[GW_SPLIT_HALVES];

/* Both halves in one function. */
bool gw_is_split(const gw_func *f);
/* Of such a function, the branch that is the second half; 0 of any other. */
gw_op gw_split_second(const gw_func *f);
/* One of them. */
static inline bool gw_is_half(const gw_func *f) { return f->form == GW_FORM_FWD || f->form == GW_FORM_BWD; }
/* Adds the halves to the session. */
void gw_split_cut(gw_func *f);
#endif
