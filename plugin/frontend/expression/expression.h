/*
 * frontend/expression/expression.h - operators; expressions themselves are entries of the recursion (lower.h).
 */
#ifndef GRADWRIGHT_FRONTEND_EXPRESSION_H
#define GRADWRIGHT_FRONTEND_EXPRESSION_H

#include "plugin/frontend/state/state.h"

/* ---- operator.c ---- */
gw_value gw_front_binary(gw_lowering *L, CXCursor e);
gw_value gw_front_unary(gw_lowering *L, CXCursor e);
gw_place gw_front_assign(gw_lowering *L, CXCursor e); /* = and compound; the place assigned to */
gw_place gw_front_increment(gw_lowering *L, CXCursor e, gw_value *old, gw_place *old_target);
gw_value gw_front_choose_scalar(gw_lowering *L, CXCursor e);
bool gw_front_has_one_arm(CXCursor e); /* x ?: y */

#endif
