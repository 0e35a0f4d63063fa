#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void jumps(float *y, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) goto out;
    y[i] = x[i] * x[i];
out:
    return;
}
// says: goto.cu:6:17: error: goto cannot be differentiated yet [unsupported]
// says:     if (i >= n) goto out;
// says:                 ^
// says:   way out: use loops, break and continue
