/*
 * facts/atomic_check.h - which atomic operations of a primal a derivative can have.
 */
#ifndef GW_ATOMICS_H
#define GW_ATOMICS_H
#include "analysis/facts/activity.h"

/* Says what the derivative of this form cannot do about atomic operations on floats; false if there is any. */
bool gw_check_atomics(const gw_activity *a, const gw_roles *roles, gw_form form);
#endif
