/*
 * adbench.h - the four problems of ADBench behind one interface, for the harness and for the test.
 *
 * The problems are those of Srajer, Kukelova and Fitzgibbon, "A benchmark of selected algorithmic
 * differentiation tools on some problems in computer vision and machine learning" (2018): X.c holds the
 * objective as a C programmer writes it, with the request and the generated gradient; X_reference.c a
 * gradient derived and written by hand; X_case.c the data and the row of the table of problems.
 */
#ifndef ADBENCH_H
#define ADBENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Pointer parameters of the objectives; with ADBENCH_RESTRICT they promise not to overlap. */
#ifdef ADBENCH_RESTRICT
#define UNSHARED restrict
#else
#define UNSHARED
#endif

/* A further derivative of a problem, a whole Jacobian or a Hessian times a vector, in an order of its own. */
typedef struct adbench_mode {
    const char *name; /* null: there is none */
    size_t count;
    double tolerance;                           /* of the reference */
    bool (*run)(void *data);                    /* false: out of memory */
    void (*result)(void *data, double *got);    /* of the last run */
    void (*reference)(void *data, double *want); /* by hand, or from differences of that */
} adbench_mode;

/* One problem with its data. A derivative is an array of `derivatives` numbers: a gradient, or the nonzero
 * blocks of a Jacobian in the problem's own order. */
typedef struct adbench_case {
    void *data;
    double *parameters; /* all that is differentiated, one after another */
    size_t parameter_count, value_count, derivative_count;
    int directions; /* sweeps that make up one derivative in forward mode; 1 in reverse mode */
    void (*objective)(void *data, double *values);
    bool (*generated)(void *data, double *derivative); /* null if Gradwright refused it; false: out of memory */
    void (*reference)(void *data, double *derivative);
    /* The derivative times a vector over the parameters: what the values change by. */
    void (*product)(void *data, const double *derivative, const double *direction, double *change);
    void (*release)(void *data);
    adbench_mode mode;
} adbench_case;

typedef struct adbench_problem {
    const char *name;
    const char *sizes; /* what the numbers of a size mean */
    adbench_case (*make)(const int *size);
    const int (*published)[3];
    int published_count;
    const int (*small)[3]; /* for the test */
    int small_count;
} adbench_problem;

extern const adbench_problem gmm_problem, ba_problem, lstm_problem, hand_problem;

/* Ends with null. */
extern const adbench_problem *const adbench_problems[];

/* The largest difference of two derivatives, relative to the entry or, of small entries, to a thousandth of the
 * largest. */
double adbench_difference(size_t count, const double *got, const double *want);

/* Numbers that are the same everywhere: splitmix64. */
typedef struct adbench_random {
    uint64_t state;
} adbench_random;

double adbench_uniform(adbench_random *random, double low, double high);
double adbench_normal(adbench_random *random);
int adbench_below(adbench_random *random, int end);

/* Zeroed memory for `count` doubles; ends the program if there is none. */
double *adbench_doubles(size_t count);
void *adbench_memory(size_t count, size_t size);

#endif
