// Additions that threads of many blocks make to one cell, gathered by a kernel that runs before the gradient's
// (rewriters/gather/grid.c). Below each kernel stand the rows of --explain, which tests/ownership compares.
// First what must stay as it is.
#include "../support/check.cuh"

typedef double real;
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

// ---- what must stay as it is ----

// The cell depends on row and column.
BOTH("y wrt a")
__global__ void both_parts(real *y, const real *a, int n, int depth) {
    int i = HERE, row = i / n, column = i % n;
    real sum = 0;
    for (int k = 0; k < depth; k++) sum += a[row + column + k] * a[row + column + k];
    y[i] = sum;
}
//= d_a[row + column + k] +=: atomic
//= d_y[i] =: plain
//= read d_y[i]: plain

// Rows of a number that wraps around are not rows.
BOTH("y wrt a")
__global__ void narrow(real *y, const real *a, int n, int depth) {
    unsigned char small = HERE;
    int row = small / n;
    real sum = 0;
    for (int k = 0; k < depth; k++) sum += a[row * depth + k] * a[row * depth + k];
    y[HERE] = sum;
}
//= d_a[row * depth + k] +=: atomic
//= d_y[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= read d_y[blockIdx.x * blockDim.x + threadIdx.x]: plain

// Two additions to one object.
BOTH("y wrt a")
__global__ void twice(real *y, const real *a, int n, int depth) {
    int i = HERE, row = i / n;
    real sum = 0;
    for (int k = 0; k < depth; k++) sum += a[row * depth + k] * (i + 1);
    y[i] = sum * a[i % n];
}
//= d_a[row * depth + k] +=: atomic
//= d_y[i] =: plain
//= read d_y[i]: plain
//= d_a[i % n] +=: atomic

// Threads run differently far.
BOTH("y wrt a")
__global__ void own_depth(real *y, const real *a, int n, int depth) {
    int i = HERE, row = i / n, column = i % n;
    real sum = 0;
    for (int k = 0; k < min(depth, column + 1); k++) sum += a[row * depth + k] * column;
    y[i] = sum;
}
//= d_a[row * depth + k] +=: atomic
//= d_y[i] =: plain
//= read d_y[i]: plain

// Rows of different lengths.
BOTH("y wrt a")
__global__ void own_length(real *y, const real *a, const int *lengths, int depth) {
    int i = HERE, row = i / lengths[i];
    real sum = 0;
    for (int k = 0; k < depth; k++) sum += a[row * depth + k] * i;
    y[i] = sum;
}
//= d_a[row * depth + k] +=: atomic
//= d_y[i] =: plain
//= read d_y[i]: plain

// Each thread has several numbers.
BOTH("y wrt a")
__global__ void strides(real *y, const real *a, int n, int depth, int count) {
    for (int i = HERE; i < count; i += gridDim.x * blockDim.x) {
        int row = i / n, column = i % n;
        real sum = 0;
        for (int k = 0; k < depth; k++) sum += a[row * depth + k] * column;
        y[i] = sum;
    }
}
//= d_a[row * depth + k] +=: atomic
//= d_y[i] =: plain
//= read d_y[i]: plain

// Blocks of two dimensions.
BOTH("y wrt a")
__global__ void flat(real *y, const real *a, int n, int depth) {
    int i = HERE, row = i / n;
    real sum = 0;
    for (int k = 0; k < depth; k++) sum += a[row * depth + k] * (threadIdx.y + 1);
    y[i * blockDim.y + threadIdx.y] = sum;
}
//= d_a[row * depth + k] +=: atomic
//= d_y[i * blockDim.y + threadIdx.y] =: plain
//= read d_y[i * blockDim.y + threadIdx.y]: plain

// What is added is an adjoint that the loop reads again and again.
BOTH("y wrt a")
__global__ void stored_in_loop(real *y, const real *a, int n, int depth) {
    int i = HERE, row = i / n;
    for (int k = 0; k < depth; k++) y[i * depth + k] = a[row * depth + k] * a[row * depth + k];
}
//= d_y[i * depth + k] =: plain
//= read d_y[i * depth + k]: plain
//= d_a[row * depth + k] +=: atomic

// ---- what must be gathered ----

BOTH("C wrt A, B")
__global__ void product(real *C, const real *A, const real *B, int m, int n, int depth) {
    int i = HERE;
    if (i >= m * n) return;
    int row = i / n, column = i % n;
    real sum = 0;
    for (int k = 0; k < depth; k++) sum += A[row * depth + k] * B[k * n + column];
    C[i] = sum;
}
//= d_C[i] =: plain
//= d_B[k * n + (int)group] +=: gathered
//= d_A[(int)group * depth + k] +=: gathered

// Every thread is there; values that are computed again. In unsigned arithmetic a fixed order would ask for a
// check of depth, so it is taken with
// --deterministic only.
BOTH("C wrt A, B, scale")
__global__ void kernels(real *C, const real *A, const real *B, const real *scale, unsigned n, int depth) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, row = i / n, column = i % n;
    real sum = 0, own = scale[i] * scale[i];
    for (int k = 0; k < depth; k++) {
        real d = A[row * depth + k] - B[column * depth + k];
        sum += exp(-d * d) * own;
    }
    C[i] = sum;
}
//= d_scale[i] +=: plain
//= d_C[i] =: plain
//= read d_C[i]: plain
//= d_B[column * depth + k] +=: gathered
//= d_A[row * depth + k] +=: gathered

// Conditions for which some rows have nobody.
BOTH("C wrt A")
__global__ void some_rows(real *C, const real *A, int n, int depth, int count) {
    int i = HERE, row = i / n, column = i % n;
    if (i < count) {
        if (row % 3 != 1 && column != 2) {
            real sum = 0;
            for (int k = 2; k < depth; k++) sum += A[row * depth + k] * A[row * depth + k] * (column + 1);
            C[i] = sum;
        }
    }
}
//= d_C[i] =: plain
//= d_A[(int)group * depth + k] +=: gathered

// Single precision, and more values of a thread than fit into shared arrays.
template <class number>
__device__ void weigh(number *y, const number *a, const number *b, int n, int depth, number at) {
    int i = HERE, row = i / n, column = i % n;
    number sum = 0;
    for (int k = 0; k < depth; k++) sum += sin(at * a[row * depth + k]) * b[column * depth + k];
    y[i] = sum;
}
BOTH("y wrt a, b")
__global__ void single(float *y, const float *a, const float *b, int n, int depth, float at) {
    weigh(y, a, b, n, depth, at);
}
//= d_y[i] =: plain
//= d_b[(int)group * depth + k] +=: gathered
//= d_a[(int)group * depth + k] +=: gathered
BOTH("y wrt a, b")
__global__ void single_reference(real *y, const real *a, const real *b, int n, int depth, real at) {
    weigh(y, a, b, n, depth, at);
}
//= d_y[i] =: plain
//= d_b[(int)group * depth + k] +=: gathered
//= d_a[(int)group * depth + k] +=: gathered

// Gathered, but not in a fixed order: groups share cells, or a launch cannot be checked for the sign of the
// rows' length.
BOTH("y wrt a")
__global__ void shared_rows(real *y, const real *a, int n, int depth) {
    int i = HERE, row = i / n;
    real sum = 0;
    for (int k = 0; k < depth; k++) sum += a[row / 2 * depth + k] * (i + 1);
    y[i] = sum;
}
//= d_y[i] =: plain
//= d_a[row / 2 * depth + k] +=: gathered
BOTH("y wrt a")
__global__ void length_in_memory(real *y, const real *a, const int *n, int depth) {
    int i = HERE, row = i / n[0];
    real sum = 0;
    for (int k = 0; k < depth; k++) sum += a[row * depth + k] * (i + 1);
    y[i] = sum;
}
//= d_y[i] =: plain
//= read d_y[i]: plain
//= d_a[row * depth + k] +=: atomic

BOTH("y wrt a")
__global__ void many_values(real *y, const real *a, const real *p, int n, int depth) {
    int i = HERE, row = i / n;
    real p0 = p[i], p1 = p[i + 1], p2 = p[i + 2], p3 = p[i + 3], p4 = p[i + 4], p5 = p[i + 5], sum = 0;
    for (int k = 0; k < depth; k++)
        sum += exp(a[row * depth + k] * p0) * p1 + sin(a[row * depth + k] * p2) * p3 +
               cos(a[row * depth + k] * p4) * p5;
    y[i] = sum;
}
//= d_a[row * depth + k] +=: atomic
//= d_y[i] =: plain
//= read d_y[i]: plain

// ---- beside a tape, which the launch checks before it starts the gathers ----
BOTH("y, z wrt a, x")
__global__ void with_tape(real *y, real *z, const real *a, const real *x, int n, int depth, int steps) {
    int i = HERE, row = i / n;
    real sum = 0;
    for (int k = 0; k < depth; k++) sum += a[row * depth + k] * (1 + 0.1 * k);
    y[i] = sum;
    real v = x[i];
    for (int s = 0; s < steps; s++) v = v * v * 0.7;
    z[i] = v;
}
//= d_a[(int)group * depth + k] +=: gathered
//= d_y[i] =: plain
//= d_x[i] +=: plain
//= d_z[i] =: plain
//= read d_z[i]: plain

#include "gather_grid.grad.cuh"

CHECK_KERNEL(both_parts, 2, 8, out(16), in(16), 5, 3)
CHECK_KERNEL(narrow, 2, 8, out(16), in(16), 5, 3)
CHECK_KERNEL(twice, 2, 8, out(16), in(16), 5, 3)
CHECK_KERNEL(own_depth, 2, 8, out(16), in(16), 5, 3)
CHECK_KERNEL(own_length, 2, 8, out(16), in(48), list({3, 2, 3, 4, 3, 5, 3, 4, 1, 9, 3, 4, 3, 7, 3, 5}), 3)
CHECK_KERNEL(strides, 2, 8, out(29), in(48), 5, 3, 29)
CHECK_KERNEL(flat, 2, dim3(8, 2), out(32), in(16), 5, 3)
CHECK_KERNEL(stored_in_loop, 2, 8, out(48), in(16), 5, 3)
CHECK_KERNEL(product, 3, 32, out(7 * 11), in(7 * 5), in(5 * 11), 7, 11, 5)
CHECK_CASE(product_tiles, product, product, 1e-8, 20, 4, out(7 * 11), in(7 * 9), in(9 * 11), 7, 11, 9)
CHECK_CASE(product_one_row, product, product, 1e-8, 5, 5, out(23), in(3), in(3 * 23), 1, 23, 3)
CHECK_CASE(product_one_column, product, product, 1e-8, 5, 5, out(23), in(23 * 3), in(3), 23, 1, 3)
CHECK_CASE(product_wide_block, product, product, 1e-8, 2, 128, out(3 * 2), in(3 * 4), in(4 * 2), 3, 2, 4)
CHECK_KERNEL(kernels, 4, 8, out(32), in(7 * 6), in(5 * 6), in(32), 5u, 6)
CHECK_CASE(kernels_long_rows, kernels, kernels, 1e-8, 4, 8, out(32), in(6), in(32 * 6), in(32), 50u, 6)
CHECK_KERNEL(some_rows, 4, 8, out(30), in(11 * 5), 3, 5, 30)
CHECK_FLOAT(single, single_reference, 1e-4, 5, 8, out(40), in(6 * 7), in(7 * 7), 7, 7, 0.8)
CHECK_KERNEL(single_reference, 5, 8, out(40), in(6 * 7), in(7 * 7), 7, 7, 0.8)
CHECK_KERNEL(shared_rows, 4, 8, out(32), in(4 * 6), 5, 6)
CHECK_KERNEL(length_in_memory, 4, 8, out(32), in(7 * 6), list({5}), 6)
CHECK_KERNEL(with_tape, 4, 8, out(32), out(32), in(7 * 6), in(32), 5, 6, 4)
CHECK_KERNEL(many_values, 4, 8, out(32), in(7 * 6), fixed(37, -1, 1), 5, 6)
TEST_MAIN
