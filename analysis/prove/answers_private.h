/*
 * answers_private.h - what was found out about two threads at one cell, for all pairs of references of which
 * the same is known.
 *
 * A question is what disjoint.c starts from: the places of the two references, that is their conditions; what
 * is known to be one number in both; and the equations between their indices. x[4*i + 1] and x[4*i + 2], x[4*i
 * + 2] and x[4*i + 3], d_y[4*i + 1] and d_y[4*i + 2] in one region are one question. The answer is the
 * gw_meeting without what the indices themselves assume.
 *
 * Answers belong to a gw_normal, so to one function as it is in one pass; nothing that changes the function
 * outlives it. What was learned since counts: conditions that have more facts make another question, and one
 * that was left open is asked again once there are more atoms.
 */
#ifndef GW_ANSWERS_PRIVATE_H
#define GW_ANSWERS_PRIVATE_H
#include "analysis/prove/meeting_private.h"

typedef struct gw_question {
    const gw_context *r, *s;
    bool one_block, common; /* common: only what the region around both knows */
    const gw_atom *alike;
    uint32_t alike_count, one_long;
    const gw_poly *equations;
    uint32_t count;
} gw_question;

/* False where the answer is not known. */
bool gw_answers_find(const gw_normal *n, const gw_question *q, gw_meeting *out);
void gw_answers_add(gw_normal *n, const gw_question *q, const gw_meeting *m);
void gw_answers_free(gw_normal *n);
#endif
