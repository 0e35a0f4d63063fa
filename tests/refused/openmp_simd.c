// OpenMP, but the pragmas of simd alone.
#include <gradwright/gradwright.h>

#ifdef _OPENMP
#error "-fopenmp-simd does not define it"
#endif
GW_GRADIENT("wrt x")
double lanes(const double *x, int n) {
    double s = 0, t = x[0];
#ifndef OBEYED
#pragma omp simd private(t) reduction(+ : s)
#endif
    for (int i = 0; i < n; i++) {
        t = 2 * x[i];
        s += t * t;
    }
    return s * t;
}
