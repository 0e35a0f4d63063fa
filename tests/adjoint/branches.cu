// Additions to one cell in branches one behind the other, by lanes that may disagree about each: joined where
// nothing in between makes the cell another one, or reads it (rewriters/accumulate/branches.c). Below a kernel
// stands what is in its text, and what is not (tests/ownership/statements.py).
#include "../support/check.cuh"

typedef double real;
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

// ---- as they are ----
// Different cells.
BOTH("y wrt w")
__global__ void two_cells(real *y, const real *x, const real *w, const int *at, int n) {
    const int i = HERE;
    const real v = x[i];
    real sum = 0;
    for (int j = 0; j < n; j++) {
        if (v * (j + 1) > 0.7) sum += w[at[j]] * v;
        if (v * (j + 2) < 2.5) sum += w[at[(j + 1) % n]] * v * v;
    }
    y[i] = sum;
}
//! = true;

// The list is another one behind the barrier.
BOTH("y wrt w")
__global__ void other_list(real *y, const real *x, const real *w, const int *at, int n) {
    __shared__ int list[32];
    const int i = HERE, t = threadIdx.x;
    const real v = x[i];
    real sum = 0;
    for (int j = 0; j < n; j++) {
        list[t] = at[t % n];
        __syncthreads();
        if (v * (j + 1) > 0.7) sum += w[list[j]] * v;
        __syncthreads();
        list[t] = at[(t + 1) % n];
        __syncthreads();
        if (v * (j + 2) < 2.5) sum += w[list[j]] * v * v;
        __syncthreads();
    }
    y[i] = sum;
}
//! = true;

// Shared memory whose adjoint is read and zeroed in between.
BOTH("y wrt w")
__global__ void read_between(real *y, const real *x, const real *w) {
    __shared__ real s[1];
    const int i = HERE, t = threadIdx.x;
    const real v = x[i];
    if (t == 0) s[0] = w[blockIdx.x];
    __syncthreads();
    real sum = 0;
    if (v > 0.7) sum += s[0] * v;
    __syncthreads();
    if (t == 3) s[0] = s[0] * s[0];
    __syncthreads();
    if (v < 1.2) sum += s[0] * v * v;
    y[i] = sum;
}
//! = true;

// A cell of the lane's own is not the warp's, and plain.
BOTH("y wrt x")
__global__ void own_cells(real *y, const real *x, const real *w, int n) {
    const int i = HERE;
    real sum = 0;
    for (int j = 0; j < n; j++) {
        if (w[j] > 0.8) sum += sin(x[i] * w[j]);
        if (w[j] < 1.2) sum += x[i] * x[i] * w[j];
    }
    y[i] = sum;
}
//! = true;

// ---- as one ----
// Two branches, with an index that is loaded in each; lanes run differently often.
BOTH("y wrt w")
__global__ void two_branches(real *y, const real *x, const real *w, const int *at, int n) {
    const int i = HERE;
    const real v = x[i];
    real sum = 0;
    for (int j = 0; j < n && j < 3 + i % 5; j++) {
        if (v * (j + 1) > 0.7) sum += w[at[j]] * v;
        if (v * (j + 2) < 2.5) sum += w[at[j]] * v * v;
    }
    y[i] = sum;
}
//= = true;
//= some_add

// One lane takes both, or none; the other side, and what is nested.
BOTH("y wrt w, u")
__global__ void other_sides(real *y, const real *x, const real *w, const real *u, const int *at, int n) {
    const int i = HERE;
    const real v = x[i];
    real sum = 0;
    for (int j = 0; j < n; j++) {
        if (v * (j + 1) > 0.9) {
            sum += v * j;
        } else {
            sum += w[3 * at[j] + 1] * v + u[j] * v;
        }
        if (i % 3) {
            if (v * (j + 2) < 2.5) sum += w[3 * at[j] + 1] * v * v;
        }
        if (v < 1.1) sum += sin(v * w[3 * at[j] + 1]);
    }
    y[i] = sum;
}
//= = true;

// Instances of one thread: neighbours side by side, and what all instances read at once.
BOTH("y wrt w, u")
__global__ void instances(real *y, const real *x, const real *w, const real *u, const int *at, int n) {
    const int i = HERE;
    real sum[3], p[3];
    for (int q = 0; q < 3; q++) {
        sum[q] = 0;
        p[q] = x[3 * i + q];
    }
    for (int j = 0; j < n; j++) {
        const real level = u[at[j]];
        for (int q = 0; q < 3; q++) {
            if (p[q] < 0.7) continue;
            const real d = level - p[q], e = exp(-d * d);
            if (e < 0.83) continue;
            for (int c = 0; c < 2; c++) sum[q] += w[2 * at[j] + c] * (e - 0.83) * (c + 1);
        }
    }
    for (int q = 0; q < 3; q++) y[3 * i + q] = sum[q];
}
//= = true;

// Sums of what the branches make, which themselves add nothing.
BOTH("y wrt u")
__global__ void sums_alone(real *y, const real *x, const real *u, const int *at, int n) {
    const int i = HERE;
    real sum = 0;
    for (int j = 0; j < n; j++) {
        const real level = u[at[j]];
        if (x[i] > 0.9) sum += level * x[i];
        if (x[i] < 1.2) sum += sin(level);
    }
    y[i] = sum;
}
//= = true;

#include "branches.grad.cuh"

CHECK_KERNEL(two_cells, 2, 40, out(80), fixed(80), in(5), list({3, 0, 4, 1, 2}), 5)
CHECK_KERNEL(other_list, 2, 32, out(64), fixed(64), in(5), list({3, 0, 4, 1, 2}), 5)
CHECK_KERNEL(read_between, 2, 40, out(80), fixed(80), in(2))
CHECK_KERNEL(own_cells, 2, 40, out(80), in(80), fixed(5), 5)
CHECK_KERNEL(two_branches, 2, 40, out(80), fixed(80), in(5), list({3, 0, 4, 0, 2}), 5)
CHECK_KERNEL(other_sides, 2, 40, out(80), fixed(80), in(15), in(5), list({3, 0, 4, 0, 2}), 5)
CHECK_KERNEL(instances, 2, 40, out(240), fixed(240), in(10), in(5), list({3, 0, 4, 0, 2}), 5)
CHECK_KERNEL(sums_alone, 2, 40, out(80), fixed(80), in(5), list({3, 0, 4, 0, 2}), 5)
TEST_MAIN
