// A sum of one's own.
#include <gradwright/gradwright.h>

struct sum {
    double of;
};
#pragma omp declare reduction(+ : sum : omp_out.of += 2 * omp_in.of)
GW_GRADIENT("wrt x")
double summed(const double *x, int n) {
    sum s = {0};
#ifndef OBEYED
#pragma omp parallel for reduction(+ : s)
#endif
    for (int i = 0; i < n; i++) s.of += x[i] * x[i];
    return s.of;
}
