/*
 * evaluator.h - runs a lowered primal in this process, on the bytes that the compiled function works on.
 *
 * Memory is real memory with C's layout, so a function compiled by the C++ compiler and the same function
 * through the front end can be compared byte by byte.
 */
#ifndef FRONTEND_EVALUATOR_H
#define FRONTEND_EVALUATOR_H
#include "analysis/ir/ir.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef union number {
    int64_t i;
    double f; /* of f32: a float's value */
} number;

typedef struct evaluation {
    const gw_func *f;
    number *values;   /* by gw_value */
    uint8_t **memory; /* by gw_object */
    bool *owned;      /* memory of LOCAL objects */
    void *(*global)(const char *name);
    uint64_t steps;    /* left; 0 = ran too long */
    const char *wrong; /* what could not be run */
    number result;
} evaluation;

void evaluation_begin(evaluation *e, const gw_func *f, void *(*global)(const char *name));
void evaluation_run(evaluation *e); /* values and memory of the parameters are set */
void evaluation_end(evaluation *e);
size_t evaluation_size(const gw_session *s, gw_type type);

#ifdef __cplusplus
}
#endif
#endif
