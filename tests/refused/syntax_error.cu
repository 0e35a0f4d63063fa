#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void square(float *y, const float *x) {
    y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x]
}
__device__ float halved(float x, int times);
__device__ float quarter(float x) { return halved(x); }
// says: syntax_error.cu:5:53: error: expected ';' after expression [syntax]
// says:     y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x]
// says:                                                     ^
// says: syntax_error.cu:8:44: error: no matching function for call to 'halved' [syntax]
// says: __device__ float quarter(float x) { return halved(x); }
// says:                                            ^
// says: syntax_error.cu:7:18: note: candidate function not viable: requires 2 arguments, but 1 was provided [clang-note]
// says: __device__ float halved(float x, int times);
// says:                  ^
