/* asked.h - which rung of the ladder additions to an adjoint shall take: GW_ACCUMULATE(x, rung), else --accumulate. */
#ifndef GW_ASKED_H
#define GW_ASKED_H
#include "analysis/ir/ir.h"

/* "d" is the same as or around "d.grid". */
bool gw_asked_overlap(const char *a, const char *b);
/* Whether the name is that of this memory of a primal: "x", "d.grid". */
bool gw_asked_is_name(const gw_func *f, gw_str name, gw_object o, gw_str path);
/* What the user asks for at an access of adjoint memory in a derivative; NULL: nothing. */
const gw_asked_rung *gw_asked_at(const gw_func *f, gw_op op);
/* The mark is for the derivative's request. */
bool gw_asked_is_for(const gw_func *f, const gw_asked_rung *a);
/* Its rung, else that of --accumulate. */
gw_rung gw_asked_rung_at(const gw_func *f, gw_op op);
/* Some mark of the function asks for the rung. */
bool gw_asked_anywhere(const gw_func *f, gw_rung rung);
#endif
