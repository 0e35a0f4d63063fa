// Pragmas of OpenMP by which several threads compute something else than one.
#include <gradwright/gradwright.h>

GW_GRADIENT("wrt x")
double escapes(const double *x, int n) {
    double s = 0, t = x[0];
#ifdef OBEYED
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) {
        const double t = 2 * x[i];
        s += t * t;
    }
#else
#pragma omp parallel for private(t) reduction(+ : s)
    for (int i = 0; i < n; i++) {
        t = 2 * x[i];
        s += t * t;
    }
#endif
    return s + t;
}

// Its own index, and a line that goes on.
GW_GRADIENT("wrt x")
double index_escapes(const double *x, int n) {
    double s = 0;
#ifdef OBEYED
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) s += x[i] * x[i];
    return s * n;
#else
    int i;
#pragma omp parallel for \
    reduction(+ : s)
#if 1
#endif
    for (i = 0; i < n; i++) s += x[i] * x[i];
    return s * i;
#endif
}

GW_GRADIENT("wrt x")
double carried(const double *x, int n) {
    double s = 0, t = x[0];
#ifdef OBEYED
#pragma omp parallel for firstprivate(t) reduction(+ : s)
    for (int i = 0; i < n; i++) {
        const double u = t * x[i];
        s += u;
    }
#else
#pragma omp parallel for firstprivate(t) reduction(+ : s)
    for (int i = 0; i < n; i++) s += t *= x[i];
#endif
    return s;
}

GW_GRADIENT("wrt x")
double each(const double *x) {
    double s = 0;
#ifdef OBEYED
#pragma omp parallel for num_threads(4) reduction(+ : s)
    for (int i = 0; i < 4; i++)
#else
#pragma omp parallel num_threads(4) reduction(+ : s)
#endif
        s += x[0] * x[0];
    return s;
}

// In a function that is called.
static double squares(const double *x, int n) {
    double s = 0;
#ifdef OBEYED
#pragma omp parallel for default(none) firstprivate(x, n) reduction(+ : s)
#else
#pragma omp parallel for default(firstprivate) reduction(+ : s)
#endif
    for (int i = 0; i < n; i++) s += x[i] * x[i];
    return s;
}
GW_GRADIENT("wrt x")
double calls(const double *x, int n) { return squares(x, n); }

GW_GRADIENT("wrt x")
double tasks(const double *x) {
    double s = x[0];
#ifndef OBEYED
#pragma omp task
#endif
    s *= x[0];
    return s;
}

GW_GRADIENT("wrt x")
double combined(const double *x, int n) {
    double s = 0;
#ifdef OBEYED
#pragma omp parallel for reduction(+ : s)
#else
#pragma omp parallel for reduction(mine : s)
#endif
    for (int i = 0; i < n; i++) s += x[i];
    return s;
}

// The same variable by another name, in other functions, and in the next turn of a loop around.
GW_GRADIENT("wrt x")
double pointed(const double *x, int n) {
    double s = 0, t = x[0], *p = &t;
#ifdef OBEYED
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) {
        const double t = x[i];
        s += t * *p;
    }
#else
#pragma omp parallel for private(t) reduction(+ : s)
    for (int i = 0; i < n; i++) {
        t = x[i];
        s += t * *p;
    }
#endif
    return s;
}

static double level;
static double above(double x) { return x - level; }
GW_GRADIENT("wrt x")
double outside(const double *x, int n) {
    double s = 0;
#ifdef OBEYED
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) {
        const double level = i;
        s += above(x[i]) * level * x[i];
    }
#else
#pragma omp parallel for private(level) reduction(+ : s)
    for (int i = 0; i < n; i++) {
        level = i;
        s += above(x[i]) * level * x[i];
    }
#endif
    return s;
}

static double room;
#pragma omp threadprivate(room)
GW_GRADIENT("wrt x")
double each_has_one(const double *x, int n) {
    double s = 0;
#ifdef OBEYED
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) {
        const double room = x[i];
        s += room * room;
    }
    return s;
#else
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) {
        room += x[i];
        s += room * room;
    }
    return s;
#endif
}

GW_GRADIENT("wrt x")
double comes_round(const double *x, int n) {
    double s = 0, t = 0;
    for (int k = 0; k < 2; k++) {
        s += t * x[k];
#ifdef OBEYED
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            const double t = x[i];
            if (t > 0) s += t;
        }
#else
#pragma omp parallel for private(t)
        for (int i = 0; i < n; i++) {
            t = x[i];
            if (t > 0) s += t;
        }
#endif
    }
    return s;
}

// ---- macros ----
GW_GRADIENT("wrt x")
double by_operator(const double *x, int n) {
    double s = 0;
#ifdef OBEYED
#pragma omp parallel for reduction(+ : s)
#else
    _Pragma("omp parallel for reduction(+ : s)")
#endif
    for (int i = 0; i < n; i++) s += x[i];
    return s;
}

#define TEXT(...)   _Pragma(#__VA_ARGS__)
#define IN_PARALLEL TEXT(omp parallel for private(t) reduction(+ : s))
GW_GRADIENT("wrt x")
double by_macro(const double *x, int n) {
    double s = 0, t = x[0];
#ifdef OBEYED
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) s += x[i];
#else
    IN_PARALLEL
    for (int i = 0; i < n; i++) t = x[i], s += t;
#endif
    return s * t;
}

GW_GRADIENT("wrt x")
double by_argument(const double *x, int n) {
    double s = 0, t = x[0];
#ifdef OBEYED
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) s += x[i];
#else
    TEXT(omp parallel for private(t) reduction(+ : s))
    for (int i = 0; i < n; i++) t = x[i], s += t;
#endif
    return s * t;
}

#define DEFINED(name, how)                                                                                     \
    GW_GRADIENT("wrt x")                                                                                       \
    double name(const double *x, int n) {                                                                      \
        double s = 0, t = x[0];                                                                                \
        TEXT(how) for (int i = 0; i < n; i++) t = x[i], s += t;                                                \
        return s * t;                                                                                          \
    }
#ifdef OBEYED
DEFINED(whole, unroll)
#else
DEFINED(whole, omp parallel for private(t) reduction(+ : s))
#endif

#define RESULT (s + t)
GW_GRADIENT("wrt x")
double read_in_macro(const double *x, int n) {
    double s = 0, t = x[0];
#ifdef OBEYED
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) {
        const double t = x[i];
        s += t;
    }
#else
#pragma omp parallel for private(t) reduction(+ : s)
    for (int i = 0; i < n; i++) {
        t = x[i];
        s += t;
    }
#endif
    return RESULT;
}

#define OWN t
#define EACH(i, n) for (i = 0; i < n; i++)
GW_GRADIENT("wrt x")
double named_in_macro(const double *x, int n) {
    double s = 0, t = x[0];
#ifdef OBEYED
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) s += x[i];
#else
#pragma omp parallel for private(OWN) reduction(+ : s)
    for (int i = 0; i < n; i++) t = x[i], s += t;
#endif
    return s + t;
}

GW_GRADIENT("wrt x")
double loop_in_macro(const double *x, int n) {
    double s = 0;
    int i = 1;
#ifdef OBEYED
#pragma omp parallel for reduction(+ : s)
    for (int k = 0; k < n; k++) s += x[k];
#else
#pragma omp parallel for reduction(+ : s)
    EACH(i, n) s += x[i];
#endif
    return s * i;
}

// Set behind the loop, by a statement that reads it, and in a loop that may not run.
GW_GRADIENT("wrt x")
double set_from_itself(const double *x, int n) {
    double s = 0, t = x[0];
#ifdef OBEYED
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) {
        const double t = 2 * x[i];
        s += t * t;
    }
#else
#pragma omp parallel for private(t) reduction(+ : s)
    for (int i = 0; i < n; i++) {
        t = 2 * x[i];
        s += t * t;
    }
#endif
    t = t * x[1];
    return s + t;
}

GW_GRADIENT("wrt x")
double set_by_a_step(const double *x, int n) {
    double s = 0, t = x[0];
#ifdef OBEYED
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) s += x[i] * x[i];
#else
#pragma omp parallel for private(t) reduction(+ : s)
    for (int i = 0; i < n; i++) t = x[i], s += t * t;
#endif
    for (int k = 1; k < n; t = x[1]) k++;
    return s + t;
}

// Indices of loops inside.
GW_GRADIENT("y wrt x")
void inner_index(const double *x, double *y, int n) {
    int i, j = 1;
#ifdef OBEYED
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 4; j++) y[4 * i + j] = x[4 * i + j];
#else
#pragma omp parallel for collapse(2)
    for (i = 0; i < n; i++)
        for ((j) = 0; j < 4; j++) y[4 * i + j] = x[4 * i + j];
#endif
    y[0] = x[0] * j;
}

enum { BOTH = 2 };
GW_GRADIENT("y wrt x")
void inner_index_of_named(const double *x, double *y, int n) {
    int j = 1;
#ifdef OBEYED
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 4; j++) y[4 * i + j] = x[4 * i + j];
#else
#pragma omp parallel for ordered(BOTH)
    for (int i = 0; i < n; i++) {
        for (j = 0; j < 4; j++) y[4 * i + j] = x[4 * i + j];
    }
#endif
    y[0] = x[0] * j;
}

GW_GRADIENT("y wrt x")
void inner_loop_in_macro(const double *x, double *y, int n) {
    int j = 1;
#ifdef OBEYED
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 4; k++) y[4 * i + k] = x[4 * i + k];
#else
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++) EACH(j, 4) y[4 * i + j] = x[4 * i + j];
#endif
    y[0] = x[0] * j;
}

// One thread computes the same: these have their gradients.
#define UNROLLED    _Pragma("unroll")
#define TWICE(x, n) ((x) * (n))
GW_GRADIENT("wrt x")
double the_same(const double *x, int n) {
    double s = 0, t, most = 0, last = 0;
    int i;
#pragma omp parallel for private(t) reduction(+ : s) schedule(static, 4)
    for (i = 0; i < n; i++) {
        t = TWICE(x[i], x[i]);
        s += t;
    }
#pragma omp parallel for reduction(max : most) lastprivate(last)
    for (i = 0; i < n; i++) {
        if (x[i] > most) most = x[i];
        last = x[i];
    }
#pragma omp simd reduction(+ : s)
    for (int k = 0; k < n; k++) s += x[k];
    UNROLLED for (int k = 0; k < 4; k++) s += k;
    t = most, last += t;
    return s * t + last;
}

GW_GRADIENT("y wrt x")
void the_same_in_two(const double *x, double *y, int n) {
    int i, j;
#pragma omp parallel for collapse(2)
    for (int k = 0; k < n; k++)
        for (int m = 0; m < 4; m++) y[4 * k + m] = x[4 * k + m];
#pragma omp parallel for collapse(BOTH)
    for (i = 0; i < n; i++) {
#pragma unroll
        for (j = 0; j < 4; j++) y[4 * i + j] *= x[4 * i + j];
    }
    for (j = 0; j < 4; j++) y[j] += j;
}
