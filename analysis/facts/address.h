/* address.h - when two memory ops of one function reach the same cell. */
#ifndef GW_ADDRESS_H
#define GW_ADDRESS_H
#include "analysis/ir/ir.h"

typedef enum gw_alias { GW_ALIAS_NO, GW_ALIAS_MAY, GW_ALIAS_MUST } gw_alias;

/* Both ops executed with the same values in scope (one iteration of each loop around both). */
gw_alias gw_alias_ops(const gw_func *f, gw_op x, gw_op y);
/* The same for executions in different iterations of loops inside `outer`: equal only if the indices are
 * defined outside of it. */
gw_alias gw_alias_across(const gw_func *f, gw_op x, gw_op y, gw_region outer);
/* Accesses to one object by these paths may reach one cell, for all that their fields say. */
bool gw_paths_meet(const gw_session *s, gw_str x, gw_str y);
/* Reached by any threads at any time: one cell, for all that the fields of the paths say. */
bool gw_paths_may_meet(const gw_func *f, gw_op x, gw_op y);
bool gw_same_address(const gw_func *f, gw_op x, gw_op y);
/* The same whenever a loop asks that stands in region r: from outside of it, or computed by pure ops from such values. */
bool gw_value_invariant(const gw_func *f, gw_value v, gw_region r);
/* v takes another value in each iteration of a FOR: its index, shifted by invariants, times a constant, widened. */
bool gw_tells_iteration(const gw_func *f, gw_op loop, gw_value v);
/* All index operands of the op are visible in region r. */
bool gw_address_visible(const gw_func *f, gw_op op, gw_region r);
#endif
