#include <gradwright/gradwright.h>

__device__ float total(const float *x, int n) { return n == 0 ? 0.0f : x[0] * x[0] + total(x + 1, n - 1); }

GW_GRADIENT("y wrt x")
__global__ void totals(float *y, const float *x, int n) { y[threadIdx.x] = total(x + threadIdx.x, n); }
// says: recursion_with_pointer.cu:3:86: error: 'total' is recursive and takes pointers on the device [recursion]
// says: __device__ float total(const float *x, int n) { return n == 0 ? 0.0f : x[0] * x[0] + total(x + 1, n - 1); }
// says:                                                                                      ^
// says:   way out: pass numbers, on the host also pointers to numbers, and return a number or nothing; or rewrite the recursion as a loop
