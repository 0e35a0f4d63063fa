// Loops whose iterations overwrite cells: which iteration's store takes the seed, and when the order is free.
#include "../support/check.cuh"
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

BOTH("y wrt x")
__global__ void sum_of_seeds(double *y, const double *x, int n, int m) {
    int i = HERE;
    if (i >= n) return;
    for (int j = 0; j < 2 * (i % 3); j += 2) y[i] = x[m];
}

// Every iteration overwrites the cell; only the last one's value is the result.
BOTH("y wrt p")
__global__ void last_store_wins(double *y, const double *x, double p, int n) {
    int i = HERE;
    if (i >= n) return;
    for (unsigned j = 0; j < 4; j++) y[n + i] = sin(p - x[j]);
}

BOTH("y wrt x")
__global__ void last_store_wins_dynamic(double *y, const double *x, int n, int m) {
    int i = HERE;
    if (i >= n) return;
    for (int j = 0; j < m; j++) y[i] = x[j] * x[i];
}

// An output that is read is an input too: d_y comes out as the adjoint of its value on entry.
BOTH("y, z wrt x")
__global__ void own_entry(double *y, double *z, const double *x, int n) {
    int i = HERE;
    if (i >= n) return;
    z[i] = x[i] * x[i];
    y[i] = atan(y[i]);
}

// Each iteration has a cell of its own: no tape, any order.
BOTH("x wrt x")
__global__ void stride_in_place(double *x, int n) {
    for (int i = HERE; i < n; i += (int)(gridDim.x * blockDim.x)) x[i] = x[i] * x[i];
}

// Three planes, which are one if the stride is 0: then the last store takes the seed.
BOTH("y wrt x")
__global__ void planes(double *y, const double *x, int n, int stride) {
    int i = HERE;
    if (i >= n) return;
    y[i] = x[i] * x[i];
    y[i + stride] = x[i] * 3;
    y[i + 2 * stride] = sin(x[i]);
}

// Planes that are one where a condition holds: the later store is all that is left of a cell, and the first
// one's adjoint is 0.
BOTH("y wrt x")
__global__ void planes_meet(double *y, const double *x, int n, double limit) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    y[(int)(x[0] >= limit) * n + i] = x[i] * x[i];
    y[n + i] = sin(x[i]);
}

// The guard says that the stride is not 0.
BOTH("y wrt x")
__global__ void planes_apart(double *y, const double *x, int stride, int rows) {
    int i = HERE;
    if (i >= stride || rows <= 2) return;
    y[i] = x[i] * x[i];
    y[i + rows * stride] = x[i] * 3;
    y[i + stride] = sin(x[i]);
}

#include "order.grad.cuh"

CHECK_KERNEL(sum_of_seeds, 1, 16, out(12), in(12), 12, 2)
CHECK_KERNEL(last_store_wins, 1, 16, out(24), fixed(12), active(0.7), 12)
CHECK_KERNEL(last_store_wins_dynamic, 1, 16, out(12), in(12), 12, 3)
CHECK_KERNEL(own_entry, 1, 16, out(12), out(12), in(12), 12)
CHECK_KERNEL(stride_in_place, 1, 5, inout(12), 12)
CHECK_KERNEL(planes, 2, 8, out(36), in(12), 12, 12)
CHECK_CASE(planes_on_one_another, planes, planes, 1e-8, 2, 8, out(12), in(12), 12, 0)
CHECK_KERNEL(planes_apart, 2, 8, out(48), in(12), 12, 3)
CHECK_KERNEL(planes_meet, 2, 8, out(24), in(12), 12, 0.1)
CHECK_CASE(planes_part, planes_meet, planes_meet, 1e-8, 2, 8, out(24), in(12), 12, 9.0)
TEST_MAIN
