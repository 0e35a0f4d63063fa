// Kernels and functions with planted defects: gwcheck finds each (defects_test.sh).
#include <gradwright/gradwright.h>

#ifdef WRONG_PULLBACK // a factor is missing
__device__ float cube(float x) { return x * x * x; }
GW_DERIVATIVE_OF("pullback of cube") __device__ void cube_back(float x, float d_return, float *d_x) {
    *d_x += 3.05f * x * x * d_return;
}
GW_GRADIENT("y wrt x") __global__ void defect(float *y, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = cube(x[i]);
}
#endif

#ifdef WRONG_CELL // only for one cell of many
__device__ float cube(float x, int i) { return x * x * x; }
GW_DERIVATIVE_OF("pullback of cube") __device__ void cube_back(float x, int i, float d_return, float *d_x) {
    *d_x += (i == 137 ? 2.5f : 3) * x * x * d_return;
}
GW_GRADIENT("y wrt x") __global__ void defect(float *y, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = cube(x[i], i);
}
#endif

#ifdef RACE // in shared memory: a barrier is missing
GW_GRADIENT("y wrt x") __global__ void defect(float *y, const float *x, int n) {
    __shared__ float all[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    all[threadIdx.x] = x[i];
    y[i] = all[63 - threadIdx.x] * x[i];
}
#endif

#ifdef PROMISE // that is not kept: entries are equal, and additions to them plain
GW_GRADIENT("y wrt x") GW_INJECTIVE(list)
__global__ void defect(float *y, const float *x, const int *list, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[list[i]] * x[list[i]];
}
#endif

#ifdef OUTSIDE // a write behind the end
GW_GRADIENT("y wrt x") __global__ void defect(float *y, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) y[i] = x[i < n ? i : 0] * 2;
}
#endif

#ifdef READ_OUTSIDE
GW_GRADIENT("y wrt x") __global__ void defect(float *y, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i + 1] * x[i];
}
#endif

#ifdef NOT_A_NUMBER
GW_GRADIENT("y wrt x") __global__ void defect(float *y, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = logf(x[i] - 1);
}
#endif

#ifdef GRADIENT_NOT_A_NUMBER // the square root of 0 times 0
GW_GRADIENT("y wrt x") __global__ void defect(float *y, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = sqrtf(0 * x[i]);
}
#endif

#ifdef KINK // no defect: said, and not counted
GW_GRADIENT("y wrt x") __global__ void defect(float *y, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = fabsf(x[i] - 1) + x[i];
}
#endif

#include "defects.grad.cuh"
