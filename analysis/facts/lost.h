/* lost.h - where derivatives end that an output would have had. */
#ifndef GW_LOST_H
#define GW_LOST_H
#include "analysis/facts/activity.h"

/* Warns of each op that takes a varied number, has no derivative, and gives a value that an output is computed from. */
void gw_warn_lost(const gw_activity *a, const gw_roles *roles);
#endif
