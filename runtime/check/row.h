/*
 * row.h - kernels whose derivatives are checked to a tolerance, as data: a row for each, made by the macros of
 * tests/support/check.cuh and evaluated by the library that gwcheck's harnesses are linked with.
 *
 * C17 and C++17. What is expected is the rule of gradwright/check.h. L is differentiated in double by the
 * five-point formula, on the kernel itself or on another one that has the same over double.
 */
#ifndef GW_CHECK_ROW_H
#define GW_CHECK_ROW_H

#include "gradwright/emitted/check.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A type, of which there is one object: two types are the same if their addresses are. */
typedef struct gw_row_type {
    size_t size;
    size_t whole;               /* what stands once for each of several directions: a number, a struct */
    const gw_check_cell *cells; /* its real numbers */
    size_t cell_count;
    int is_number;
    gw_check_cell number;              /* of one */
    const struct gw_row_type *element; /* of a pointer, without const; null: it is none */
} gw_row_type;

/* A function of any type, and what calls it with the arguments that `values` point to. */
typedef struct gw_row_function {
    void (*function)(void);                                                  /* null: there is none */
    void (*call)(void (*function)(void), void *const *values, void *result); /* null: of a kernel */
    const gw_row_type *const *params;
    size_t count;
} gw_row_function;

typedef enum gw_row_content {
    GW_ROW_RANDOM, /* from low to high */
    GW_ROW_LIST,   /* these numbers */
    GW_ROW_GIVEN,  /* these elements, of `type` */
    GW_ROW_VALUE   /* by value, of `type` */
} gw_row_content;

/* What an argument of the kernel is. */
typedef struct gw_row_role {
    gw_row_content content;
    int named, is_output;
    size_t count;
    double low, high;
    const void *values; /* gw_row_keep; null: they are in `own` */
    const gw_row_type *type;
    unsigned char own[16];
    int is_fresh; /* nobody clears its adjoint before the gradient: it is no number then */
} gw_row_role;

typedef struct gw_row_launch {
    unsigned grid[3], block[3];
    size_t shared;  /* dynamic shared memory of the primal */
    size_t told[4]; /* what the launch is told beside its arguments: positions of lists, cells of arrays */
    size_t told_count;
    int is_measured; /* its tape is, so that one too small is found on the device */
} gw_row_launch;

typedef struct gw_row {
    gw_row_function kernel, reference, gradient, tangent, workspace, measure;
    gw_row_function forward, backward, tape, measure_tape; /* the halves */
    gw_row_function second, second_workspace;
    gw_row_function tangents; /* in several directions */
    gw_row_launch where;
    double tolerance; /* above 1e-7: of single precision */
    const gw_row_role *roles;
    size_t count;
} gw_row;

/* The test that a row is checked in. */
typedef struct gw_row_test {
    void *to;
    void (*fail)(void *to, const char *why);
    void (*report)(void *to, const char *what, double value);
    void (*note)(void *to, const char *words);
    int is_quick;       /* without difference quotients */
    int orders_threads; /* the CPU device */
} gw_row_test;

/* A copy for as long as the row is checked that is checked next. */
const void *gw_row_keep(const void *bytes, size_t size);

/* The gradient and the forward derivative; the halves of the gradient; the Hessian times vectors; several
 * directions at once. */
void gw_row_check(const gw_row *row, const gw_row_test *test);
void gw_row_check_halves(const gw_row *row, const gw_row_test *test);
void gw_row_check_second(const gw_row *row, const gw_row_test *test);
void gw_row_check_directions(const gw_row *row, const gw_row_test *test);

#ifdef __cplusplus
}
#endif
#endif
