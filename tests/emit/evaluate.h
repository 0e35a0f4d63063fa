/*
 * evaluate.h - runs a function of the IR in this process: what the emitted text must compute.
 *
 * Integers wrap, as the tests' compilers are told to do; floating types compute in their own precision.
 */
#ifndef EVALUATE_H
#define EVALUATE_H
#include "analysis/ir/ir.h"

typedef struct cell {
    int64_t i;
    double f; /* of f32: a float's value */
} cell;

typedef struct evaluation {
    const gw_func *f;
    cell *values;
    cell **memory; /* by object: cells of a one-dimensional object; the caller owns those of parameters */
    GW_VEC(cell) tape;
    uint64_t steps;
    cell returned[4];
} evaluation;

void evaluation_begin(evaluation *v, const gw_func *f);
void evaluation_run(evaluation *v); /* parameters' values and memory are set */
void evaluation_end(evaluation *v);
#endif
