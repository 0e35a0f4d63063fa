#include <gradwright/gradwright.h>

#ifdef OBEYED
__device__ float total(const float *x, int n) {
    float sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * x[i];
    return sum;
}
#else
__device__ float total(const float *x, int n) { return n == 0 ? 0.0f : x[0] * x[0] + total(x + 1, n - 1); }
#endif

GW_GRADIENT("y wrt x")
__global__ void totals(float *y, const float *x, int n) { y[threadIdx.x] = total(x + threadIdx.x, n); }
// obeys: recursion
// says: recursion_with_pointer.cu:10:86: error: 'total' is recursive and takes pointers on the device [recursion]
// says: __device__ float total(const float *x, int n) { return n == 0 ? 0.0f : x[0] * x[0] + total(x + 1, n - 1); }
// says:                                                                                      ^
// says:   way out: pass numbers, on the host also pointers to numbers, and return a number or nothing; or rewrite the recursion as a loop
