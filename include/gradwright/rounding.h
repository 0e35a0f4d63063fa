/*
 * rounding.h - what GW_ERROR's functions tell of a rounding error, and what can be made of it.
 *
 * f_error_terms adds to terms[i] the sum of |adjoint * value| over what row i of f_error_table() stands for;
 * with a model, what it returned. `weight` times the term is the row's part of the bound, which f_error adds
 * up. A model is called in any order, and by several threads where a loop runs in parallel. The functions below
 * are in libgwruntime (C17, no allocation).
 */
#ifndef GRADWRIGHT_ROUNDING_H
#define GRADWRIGHT_ROUNDING_H

#include "gradwright/runtime.h"

#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Assignments to one variable on one line; or what an expression there leaves unnamed, "". */
typedef struct gw_error_row {
    const char *name, *file, *type; /* type: "double" or "float" */
    unsigned line;
    double unit;   /* a rounding error is at most that part of the value; 0: nothing is rounded, it is only
                    * copied there */
    double weight; /* the unit; with a model 1 */
} gw_error_row;

typedef struct gw_error_table {
    const gw_error_row *rows;
    size_t count;
} gw_error_table;

/* The rows with their parts of the bound, the greatest first, and their sum. */
void gw_error_print(FILE *gw_out, gw_error_table gw_table, const double *gw_terms);

/* Chooses the double variables that could be floats: as_float[i] becomes 1 for the rows of those that are
 * chosen, else 0, the ones that cost least first, as long as the bound stays within the tolerance. Expressions
 * are still in double. Returns the bound that is then to be expected; without a choice, that of all doubles.
 * With a model none is chosen. */
double gw_error_advise(gw_error_table gw_table, const double *gw_terms, double gw_tolerance,
                       unsigned char *gw_as_float);

#ifdef __cplusplus
}
#endif
#endif
