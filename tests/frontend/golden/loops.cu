// What counts is a for; everything else is a while.
#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void loops(double *y, const double *x, int n, unsigned m) {
    double s = 0;
    int k;
    for (k = blockIdx.x * blockDim.x + threadIdx.x; k < n; k += blockDim.x * gridDim.x) s += x[k];
    for (int i = n - 1; i >= 0; --i) s *= x[i];
    for (unsigned i = m; i-- > 0;) s += x[i];
    for (int i = 0; i < n; i++) {
        if (i == 3) n--;
    }
    while (s > 1) s *= 0.5;
    do {
        s += x[k];
    } while (s < 10);
    y[k] = s;
}
