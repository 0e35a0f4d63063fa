/*
 * question.h - what an object that has no cells is asked (question.c).
 */
#ifndef GRADWRIGHT_IR_QUESTION_H
#define GRADWRIGHT_IR_QUESTION_H

#include "analysis/ir/ir.h"
#include "analysis/ir/types.h"

/* `before`, and the question behind it: its answer's type is a scalar's, or void for an object. */
gw_str gw_question_path(gw_session *s, const char *before, gw_type type, const char *expression,
                        uint32_t operands);
bool gw_question_walks(const char *path); /* by an iterator that is a number (emitted/walk.h) */
char *gw_question_expression(const char *step); /* to be freed */

#endif
