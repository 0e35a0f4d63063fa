// Kernels with planted defects: gwcheck finds each (defects_test.py).
#include <gradwright/gradwright.h>
#include <gradwright/program.h>

// a factor is missing
__device__ float cube(float x) { return x * x * x; }
GW_DERIVATIVE_OF("pullback of cube")
__device__ void cube_back(float x, float d_return, float *d_x) {
    *d_x += 3.05f * x * x * d_return;
}
GW_GRADIENT("y wrt x") __global__ void wrong_pullback(float *y, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = cube(x[i]);
}

// A program that launches it: the kernel is checked all the same.
GW_GRADIENT("y wrt x") void launches(float *y, const float *x, int n) { wrong_pullback<<<4, 64>>>(y, x, n); }

// with m = 0, by which nothing of x is read
GW_GRADIENT("y wrt x, by") __global__ void idle(float *y, const float *x, const float *by, int n, int m) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = by[i];
    if (i < m) sum += x[i] * x[i];
    y[i] = sum;
}

// only for one cell of many
__device__ float cube_at(float x, int i) { return x * x * x; }
GW_DERIVATIVE_OF("pullback of cube_at")
__device__ void cube_at_back(float x, int i, float d_return, float *d_x) {
    *d_x += (i == 137 ? 2.5f : 3) * x * x * d_return;
}
GW_GRADIENT("y wrt x") __global__ void wrong_cell(float *y, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = cube_at(x[i], i);
}

// in shared memory: a barrier is missing
GW_GRADIENT("y wrt x") __global__ void race(float *y, const float *x, int n) {
    __shared__ float all[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    all[threadIdx.x] = x[i];
    y[i] = all[63 - threadIdx.x] * x[i];
}

// that is not kept: entries are equal, and additions to them plain
GW_GRADIENT("y wrt x") GW_INJECTIVE(list)
__global__ void promise(float *y, const float *x, const int *list, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[list[i]] * x[list[i]];
}

// a write behind the end
GW_GRADIENT("y wrt x") __global__ void outside(float *y, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) y[i] = x[i < n ? i : 0] * 2;
}

GW_GRADIENT("y wrt x") __global__ void read_outside(float *y, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i + 1] * x[i];
}

GW_GRADIENT("y wrt x") __global__ void not_a_number(float *y, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = logf(x[i] - 1);
}

// the square root of 0 times 0
GW_GRADIENT("y wrt x") __global__ void gradient_not_a_number(float *y, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = sqrtf(0 * x[i]);
}

// no defect: said, and not counted; of a maximum the adjoint would be the mean of both slopes
GW_GRADIENT("y wrt x") __global__ void kink(float *y, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] < 1 ? x[i] : x[i] * x[i];
}

#include "defects.grad.cuh"

int main() { return 0; }
