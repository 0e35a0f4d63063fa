/*
 * names.h - which names are taken where a derivative is written (gw_free_name finds one that is not): what stands there
 * for something else. Parameters are named here, variables by emit/name.c.
 */
#ifndef GW_NAMES_H
#define GW_NAMES_H
#include "analysis/ir/ir.h"

/* Names that something has, in any order. */
typedef GW_VEC(gw_str) gw_name_list;
bool gw_names_have(const gw_name_list *list, gw_str name);
/* What the text of f says of others by name: types and template parameters, functions (where a spelling depends on the
 * target, all of them), variables at file scope. Nothing else there may have such a name. */
void gw_names_used(const gw_func *f, gw_name_list *list);

/* Parameters of f, an adjoint's or tangent's among them, get names that are free; those are no macros either. The first of two
 * keeps its own. */
void gw_names_settle(gw_func *f);
#endif
