// A thread whose count is 0 only reads its cell, which others may then do too: that the loop writes it proves nothing.
#include <gradwright/gradwright.h>

GW_GRADIENT("y, z wrt x, y")
__global__ void sums(float *z, float *y, const float *x, const int *at, const int *count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef OBEYED
    float before = y[i];
    for (int k = 0; k < count[i]; k++) y[i] += x[k];
    z[i] = before * y[i];
#else
    float before = y[at[i]];
    for (int k = 0; k < count[i]; k++) y[at[i]] += x[k];
    z[i] = before * y[at[i]];
#endif
}
// obeys: adjoint-conflict
// says: loop_that_may_not_run.cu:13:40: error: threads may read and zero the adjoint of 'y' at the same cell [adjoint-conflict]
// says:     for (int k = 0; k < count[i]; k++) y[at[i]] += x[k];
// says:                                        ^
// says:   way out: let one thread write each cell, at an index that depends on all of its coordinates
