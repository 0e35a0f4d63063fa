/*
 * callee.h - what a call of the primal becomes in its derivative: which function is called there, with which parts.
 *
 * Part i of a call: its operand i is the address of cells that carry a derivative in the caller, so that the callee's
 * derivative takes the address of their shadows. By-value floating-point operands are parts always.
 */
#ifndef GW_CALLEE_H
#define GW_CALLEE_H
#include "analysis/facts/activity.h"

/* The function of the session that a call names so; NULL: it is not here. */
gw_func *gw_callee_primal(const gw_session *s, gw_str symbol);
/* "d_f" for "ns::f'2" */
gw_str gw_callee_local_name(gw_session *s, const char *prefix, gw_str callee);
/* Whether a call of `callee` has a derivative of the kind; says so if it has none. */
bool gw_callee_check(gw_session *s, gw_str callee, gw_request_kind kind, gw_loc loc);
/* The symbol of the callee's pullback (forward derivative) for these parts, which is requested if nobody has; of a
 * derivative that the user wrote, its name. 0 if there is none. */
gw_str gw_callee_derivative(gw_session *s, const gw_func *f, gw_op call, gw_request_kind kind, const bool *part);
/* The call has part i, and may write it: its derivative is called whether or not the value is of use. */
bool gw_callee_writes_part(const gw_func *f, gw_op call, const bool *part);
/* Operand i is the address of floating-point numbers. */
bool gw_callee_takes_numbers(const gw_func *f, gw_op call, uint32_t i);
/* The call reads or writes through a pointer that is no local object's; which: GW_OP_READS or GW_OP_WRITES. */
bool gw_callee_reaches(const gw_func *f, gw_op call, uint16_t which, bool local);
#endif
