#include <gradwright/gradwright.h>

__device__ float settle(float v, int n) {
    for (int k = 0; k < n; k++) v = v * v * 0.5f;
    return n == 0 ? v : settle(v, n - 1);
}

GW_GRADIENT("y wrt x")
__global__ void settled(float *y, const float *x, int n) { y[threadIdx.x] = settle(x[threadIdx.x], n); }
// says: recursion_with_tape.cu:4:5: error: the reverse sweep of this loop in 'settle' needs a tape, which only gradients of kernels and of host functions can take [tape-in-function]
// says:     for (int k = 0; k < n; k++) v = v * v * 0.5f;
// says:     ^
// says:   way out: call the function from a kernel and request the kernel's gradient, without recursion, or use a constant trip count
