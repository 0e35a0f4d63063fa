/*
 * differences.h - functions whose derivatives are central differences (GW_NUMERIC): which they are, by what
 * step, and in which words that is said.
 */
#ifndef GRADWRIGHT_IR_DIFFERENCES_H
#define GRADWRIGHT_IR_DIFFERENCES_H
#include "analysis/ir/ir.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The rule that has this pullback or jvp made of differences; NULL if there is none. */
const gw_rule *gw_differences_of(const gw_session *s, gw_str derivative);
/* "1e-3", or the cube root of the epsilon of the coarsest type that is named: its numbers tell how small a step
 * may be. A number without a suffix. */
const char *gw_differences_step(const gw_session *s, const gw_rule *r);
/* F32, F64 or F80, as C spells it; VOID if it is none of them. */
gw_type gw_differences_number(const gw_session *s, gw_str type);
/* "the derivative of f is central differences of step cbrt(DBL_EPSILON) * max(|x|, 1): GW_NUMERIC("f wrt x")"
 */
void gw_differences_say(const gw_session *s, const gw_rule *r, gw_text *out);

#ifdef __cplusplus
}
#endif

#endif
