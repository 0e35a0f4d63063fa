// Pragmas of OpenMP by which several threads compute something else than one.
#include <gradwright/gradwright.h>

GW_GRADIENT("wrt x")
double escapes(const double *x, int n) {
    double s = 0, t = x[0];
#pragma omp parallel for private(t) reduction(+ : s)
    for (int i = 0; i < n; i++) {
        t = 2 * x[i];
        s += t * t;
    }
    return s + t;
}

// Its own index, and a line that goes on.
GW_GRADIENT("wrt x")
double index_escapes(const double *x, int n) {
    double s = 0;
    int i;
#pragma omp parallel for \
    reduction(+ : s)
    for (i = 0; i < n; i++) s += x[i] * x[i];
    return s * i;
}

GW_GRADIENT("wrt x")
double carried(const double *x, int n) {
    double s = 0, t = x[0];
#pragma omp parallel for firstprivate(t) reduction(+ : s)
    for (int i = 0; i < n; i++) s += t *= x[i];
    return s;
}

GW_GRADIENT("wrt x")
double each(const double *x) {
    double s = 0;
#pragma omp parallel num_threads(4) reduction(+ : s)
    s += x[0] * x[0];
    return s;
}

// In a function that is called.
static double squares(const double *x, int n) {
    double s = 0;
#pragma omp parallel for default(firstprivate) reduction(+ : s)
    for (int i = 0; i < n; i++) s += x[i] * x[i];
    return s;
}
GW_GRADIENT("wrt x")
double calls(const double *x, int n) { return squares(x, n); }

GW_GRADIENT("wrt x")
double tasks(const double *x) {
    double s = x[0];
#pragma omp task
    s *= x[0];
    return s;
}

GW_GRADIENT("wrt x")
double combined(const double *x, int n) {
    double s = 0;
#pragma omp parallel for reduction(mine : s)
    for (int i = 0; i < n; i++) s += x[i];
    return s;
}

GW_GRADIENT("wrt x")
double by_operator(const double *x, int n) {
    double s = 0;
    _Pragma("omp parallel for reduction(+ : s)")
    for (int i = 0; i < n; i++) s += x[i];
    return s;
}

// One thread computes the same: these have their gradients.
GW_GRADIENT("wrt x")
double the_same(const double *x, int n) {
    double s = 0, t, most = 0, last = 0;
    int i;
#pragma omp parallel for private(t) reduction(+ : s) schedule(static, 4)
    for (i = 0; i < n; i++) {
        t = x[i] * x[i];
        s += t;
    }
#pragma omp parallel for reduction(max : most) lastprivate(last)
    for (i = 0; i < n; i++) {
        if (x[i] > most) most = x[i];
        last = x[i];
    }
#pragma omp simd reduction(+ : s)
    for (int k = 0; k < n; k++) s += x[k];
    t = most;
    return s * t + last;
}
