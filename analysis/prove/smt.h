/*
 * smt.h - a solver (Z3) for the pairs of references that the cheap rules leave open.
 *
 * Asked: can two different threads of a launch that keeps the assumptions reach one cell by r and s? Everything that is
 * not understood may have any value, so "no" is a proof; "yes" comes with a witness, two threads and a cell, that is one
 * in fact where nothing was left out. Effort is bounded by Z3's count of its own steps: the answer is the same on every
 * machine. Time only stops a question that goes on without counting; LATE says so, since another build may know more.
 *
 * Built without Z3, nothing is ever proved here.
 */
#ifndef GW_SMT_H
#define GW_SMT_H
#include "analysis/prove/disjoint.h"

typedef struct gw_smt gw_smt;

typedef enum gw_smt_answer { GW_SMT_UNKNOWN, GW_SMT_LATE, GW_SMT_NEVER, GW_SMT_MEET } gw_smt_answer;

bool gw_smt_is_built_in(void);
/* For the values of one function; budget in thousands of steps and time in milliseconds for each question; all questions
 * about the function in this pass take their steps from its effort. */
gw_smt *gw_smt_new(gw_normal *n, uint32_t budget, uint32_t time);
void gw_smt_free(gw_smt *s);
/* NEVER adds to *assumed; MEET writes the witness, unless it has numbers that threads may never have. */
gw_smt_answer gw_smt_ask(gw_smt *s, const gw_access *r, const gw_access *t, uint32_t one_long, uint64_t *assumed,
                         gw_text *witness);
#endif
