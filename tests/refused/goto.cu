#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void jumps(float *y, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef OBEYED
    if (i >= n) return;
#else
    if (i >= n) goto out;
#endif
    y[i] = x[i] * x[i];
#ifndef OBEYED
out:
#endif
    return;
}
// obeys: unsupported
// says: goto.cu:9:17: error: goto cannot be differentiated yet [unsupported]
// says:     if (i >= n) goto out;
// says:                 ^
// says:   way out: use loops, break and continue
