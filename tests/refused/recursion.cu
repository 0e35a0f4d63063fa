#include <gradwright/gradwright.h>

__device__ float power(float v, int n) { return n == 0 ? 1.0f : v * power(v, n - 1); }

GW_GRADIENT("y wrt x")
__global__ void powers(float *y, const float *x, int n) { y[threadIdx.x] = power(x[threadIdx.x], n); }
// says: recursion.cu:3:69: error: 'power' is recursive [recursion]
// says: __device__ float power(float v, int n) { return n == 0 ? 1.0f : v * power(v, n - 1); }
// says:                                                                     ^
// says:   way out: rewrite the recursion as a loop
