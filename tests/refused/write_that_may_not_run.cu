// Every thread reads x[0], and only where the flag is set writes it: without the flag there is no race, and
// the cell belongs to nobody.
#include <gradwright/gradwright.h>

GW_GRADIENT("x, y wrt x")
__global__ void sum_or_reset(float *x, float *y, int n, int reset) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int j = 0; j < n; j++) {
        sum += x[0];
        if (reset) x[0] = sum;
    }
    y[i] = sum;
}
// says: write_that_may_not_run.cu:11:20: error: threads may read and zero the adjoint of 'x' at the same cell [adjoint-conflict]
// says:         if (reset) x[0] = sum;
// says:                    ^
// says:   way out: let one thread write each cell, at an index that depends on all of its coordinates
