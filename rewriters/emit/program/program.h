/* program.h - programs: what a function of the host does to memory that kernels see, and how launches and calls
 * in one are told of (teller: a function that the text has for that). */
#ifndef GW_EMIT_PROGRAM_H
#define GW_EMIT_PROGRAM_H
#include "rewriters/emit/text/text.h"

void gw_emit_device(gw_emitter *e, gw_op op); /* a DEVICE */
/* launched.c: of a kernel that a program launches; grad: its gradient, NULL: there is none; request: as
 * gw_launch_request says it */
void gw_emit_tellers(gw_emitter *e, const gw_func *kernel, const gw_func *grad, int64_t request);
/* along.c: the same of its forward derivative, NULL: it has none */
void gw_emit_along_teller(gw_emitter *e, const gw_func *kernel, const gw_func *jvp, int64_t request);
/* Once, before these: the kernel itself, if nobody can name it. */
void gw_emit_unspoken(gw_emitter *e, const gw_func *kernel);
/* ruled.c: of a function that has a pullback; by bit: the parameter is a pointer to a variable of the host's */
uint64_t gw_emit_rule_variables(const gw_func *f, gw_op op);
bool gw_emit_rule_is_along(const gw_func *f, gw_op op); /* with tangents, in a forward derivative */
void gw_emit_rule_tellers(gw_emitter *e, const gw_rule *rule, uint64_t variables, bool is_along);
#endif
