#include <gradwright/gradwright.h>
#include <concepts>
#include "factor.h"

#ifdef _OPENMP
#define SCALE (FROM_VARIABLE * OF_THE_SOURCE * FACTOR)
#endif
template <std::floating_point T> T square(T x) { return x * x; }

GW_GRADIENT("wrt x")
double sum(const double *x, int n) {
    double s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) s += SCALE * square(x[i]);
    return s;
}

#include "sums.grad.hpp"

double sum_slope(double x) {
    double d = 0;
    sum_grad(&x, 1, &d);
    return d;
}
