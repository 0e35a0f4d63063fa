/* The same in C. */
#include <gradwright/gradwright.h>
#include <math.h>

typedef struct pair {
    double a, b;
} pair;

/* What is no gradient is said. */
GW_GRADIENT("wrt x, k") GW_HVP("wrt x, k") GW_ERROR("wrt x, k") GW_HESSIAN("wrt k")
double energy(const double *x, double k, int n) {
    double sum = 0;
    for (int i = 0; i + 1 < n; i++) sum += 0.5 * k * (x[i + 1] - x[i]) * (x[i + 1] - x[i]);
    return sum;
}
GW_GRADIENT("y wrt y, p.b") void scale(float *y, struct pair p, const unsigned char *mask, int n) {
    for (int i = 0; i < n; i++) y[i] *= (float)p.b * (mask[i] % 2 ? 1.0f : y[i]);
}

#include "kinds.grad.h"

int main(void) { return 0; }
