/* promises.h - what the user stated of a function's index lists (promises.def). */
#ifndef GW_PROMISES_H
#define GW_PROMISES_H
#include "analysis/ir/ir.h"

/* Whether the promise is about these cells. */
bool gw_promise_names(const gw_func *f, const gw_promise *p, gw_object o, gw_str path, const char *field);
/* Of the cells that `path` names in o: "list" is list[i], "d.list" d.list[i]; for ranges their part `field` (".x"). */
bool gw_promised(const gw_func *f, gw_promise_kind kind, gw_object o, gw_str path, const char *field);
#endif
