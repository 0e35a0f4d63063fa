#include <gradwright/gradwright.h>

__device__ float odd(float v, int n);
__device__ float even(float v, int n) {
    for (int k = 0; k < n; k++) v = v * v * 0.5f;
    return n == 0 ? v : odd(v, n - 1);
}
__device__ float odd(float v, int n) { return n == 0 ? v : even(v * v, n - 1); }

GW_GRADIENT("y wrt x")
__global__ void settled(float *y, const float *x, int n) { y[threadIdx.x] = even(x[threadIdx.x], n); }
// says: recursion_of_two_with_tape.cu:5:5: error: the reverse sweep of this loop in 'even' needs a tape, which only gradients of kernels and of host functions can take [tape-in-function]
// says:     for (int k = 0; k < n; k++) v = v * v * 0.5f;
// says:     ^
// says:   way out: call the function from a kernel and request the kernel's gradient, without recursion, or use a constant trip count
