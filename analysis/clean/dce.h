/* dce.h - cleaning passes over one function; each returns whether it changed anything. */
#ifndef GW_DCE_H
#define GW_DCE_H
#include "analysis/ir/ir.h"
bool gw_dce(gw_func *f);           /* dce.c: ops, carried values, tape slots and local objects nobody needs */
bool gw_drop_dead_stores(gw_func *f); /* dead_stores.c: to local objects, seen by no load */
bool gw_cse(gw_func *f);           /* cse.c: equal pure values */
bool gw_canonicalize(gw_func *f);  /* canonicalize.c: invariant carried values, decided branches */
void gw_clean(gw_func *f);         /* all of them until nothing changes */
#endif
