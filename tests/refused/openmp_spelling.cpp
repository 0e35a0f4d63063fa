// Pragmas of OpenMP that are not written as such, or not in the text of the function.
#include <gradwright/gradwright.h>

GW_GRADIENT("wrt x")
double included(const double *x, int n) {
    double s = 0, t = x[0];
#ifdef OBEYED
    for (int i = 0; i < n; i++) s += x[i];
#else
#include "openmp_loop.inc"
#endif
    return s * t;
}

GW_GRADIENT("wrt x")
double attribute(const double *x, int n) {
    double s = 0, t = x[0];
#ifndef OBEYED
    [[omp::directive(parallel for, private(t), reduction(+ : s))]]
#endif
    for (int i = 0; i < n; i++)
        t = x[i], s += t;
    return s * t;
}

GW_GRADIENT("wrt x")
double attribute_by_using(const double *x, int n) {
    double s = 0, t = x[0];
#ifndef OBEYED
    [[using omp: sequence(directive(parallel for, private(t), reduction(+ : s)))]]
#endif
    for (int i = 0; i < n; i++)
        t = x[i], s += t;
    return s * t;
}

#define AS(...)     [[__VA_ARGS__]]
#define IN_PARALLEL <:<: omp::directive(parallel for, private(t), reduction(+ : s)) :>:>
GW_GRADIENT("wrt x")
double attribute_in_macro(const double *x, int n) {
    double s = 0, t = x[0];
#ifndef OBEYED
    AS(omp::directive(parallel for, private(t), reduction(+ : s)))
#endif
    for (int i = 0; i < n; i++)
        t = x[i], s += t;
    return s * t;
}

GW_GRADIENT("wrt x")
double attribute_of_digraphs(const double *x, int n) {
    double s = 0, t = x[0];
#ifndef OBEYED
    IN_PARALLEL
#endif
    for (int i = 0; i < n; i++)
        t = x[i], s += t;
    return s * t;
}

GW_GRADIENT("wrt x")
double digraph(const double *x, int n) {
    double s = 0, t = x[0];
#ifndef OBEYED
%:pragma omp parallel for private(t) reduction(+ : s)
#endif
    for (int i = 0; i < n; i++)
        t = x[i], s += t;
    return s * t;
}

// A line that goes on in a comment.
GW_GRADIENT("wrt x")
double goes_on(const double *x, int n) {
    double s = 0, t = x[0];
#ifndef OBEYED
#pragma omp parallel for reduction(+ : s) /* the number that
    each thread has: */ private(t)
#endif
    for (int i = 0; i < n; i++)
        t = x[i], s += t;
    return s * t;
}

// The statement behind a pragma, in a macro.
#define SUM                                                                                                    \
    for (int i = 0; i < n; i++) t = x[i], s += t
GW_GRADIENT("wrt x")
double statement_in_macro(const double *x, int n) {
    double s = 0, t = x[0];
#ifndef OBEYED
#pragma omp parallel for private(t) reduction(+ : s)
#endif
    SUM;
    return s * t;
}

// Variables of threads, by a list of two lines, and in a macro.
static double room, other;
#define OTHER other
#pragma omp threadprivate(room, \
                          OTHER)
#define USED other
GW_GRADIENT("wrt x")
double threads_have_one(const double *x, int n) {
    double s = 0;
#ifndef OBEYED
    s = USED;
#endif
    for (int i = 0; i < n; i++) s += x[i] * x[i];
    return s;
}
