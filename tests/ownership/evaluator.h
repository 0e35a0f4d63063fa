/*
 * evaluator.h - runs the integer part of a function for one thread, and reports which cells it reaches.
 * Values are exact machine integers of their types. Undefined behaviour stops the run.
 */
#ifndef EVALUATOR_H
#define EVALUATOR_H
#include "analysis/ir/ir.h"

typedef struct launch {
    uint32_t dim[4][3]; /* by gw_special: threadIdx, blockIdx of the thread; blockDim, gridDim */
    int64_t params[8];  /* by-value parameters of integer type, in order */
    int64_t list[64];   /* memory behind integer pointers: cell i is list[i mod 64] */
} launch;

typedef struct evaluation {
    const gw_func *f;
    const launch *at;
    void (*access)(void *context, gw_op op, const int64_t *index, uint32_t count);
    void *context;
    int64_t *value; /* per SSA value; unsigned ones zero-extended */
    double *real;
    bool beyond;    /* a list was read outside of its 64 cells */
    bool undefined; /* signed overflow, division by zero, a shift out of range */
    uint64_t steps; /* left */
} evaluation;

/* False if the run was undefined or too long. */
bool evaluate(evaluation *e);
/* RET's operand i, after a run. */
int64_t evaluation_result(const evaluation *e, uint32_t i);
void evaluation_free(evaluation *e);
#endif
