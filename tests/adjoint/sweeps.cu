// What several loops over one range add to one cell of a thread (rewriters/reduce/sweeps.c): the last of them
// adds it all. First what must stay where it is. tests/ownership/statements.py holds the texts to the comments.
#include "../support/check.cuh"

typedef double real;
#define HERE (blockIdx.x * blockDim.x + threadIdx.x)
#define ROW int row = HERE / 32, lane = threadIdx.x % 32
#define EVERY(k) for (int k = lane; k < n; k += 32)
#define X x[row * n + k]
__device__ real over_warp(real v) {
    for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(0xffffffffu, v, o);
    return v;
}

// One loop goes over fewer.
BOTH("y wrt x")
__global__ void other_range(real *y, const real *x, int rows, int n, int m) {
    ROW;
    if (row >= rows) return;
    real sum = 0, more = 0;
    for (int k = lane; k < m; k += 32) sum += X;
    const real mean = over_warp(sum) / m;
    EVERY(k) more += (X - mean) * X;
    y[HERE] = over_warp(more);
}
//= gw_atomic_add(&d_x[row * n + k], d_sum);

// One loop may end early.
BOTH("y wrt x")
__global__ void early_end(real *y, const real *x, int rows, int n) {
    ROW;
    if (row >= rows) return;
    real sum = 0, more = 0;
    EVERY(k) {
        if (X > 1.45) break;
        sum += X * X;
    }
    sum = over_warp(sum) / n;
    EVERY(k) more += sin(sum * X);
    y[HERE] = over_warp(more);
}
//= gw_atomic_add(&d_x[index], d_sum_x + d_sum_x);

// One adds under a condition.
BOTH("y wrt x")
__global__ void some_cells(real *y, const real *x, int rows, int n) {
    ROW;
    if (row >= rows) return;
    real sum = 0, more = 0;
    EVERY(k) if (k % 3 == 0) sum += X * X;
    sum = over_warp(sum) / n;
    EVERY(k) more += sin(sum * X);
    y[HERE] = over_warp(more);
}
//= gw_posted_add(&d_x[index], d_sum_x + d_sum_x);

// Arithmetic that costs more than the memory.
BOTH("y wrt x")
__global__ void costly(real *y, const real *x, int rows, int n) {
    ROW;
    if (row >= rows) return;
    real sum = 0, more = 0;
    EVERY(k) sum += X;
    sum = over_warp(sum) / n;
    EVERY(k) more += exp(sin(X) * cos(sum * X));
    y[HERE] = over_warp(more);
}
//= gw_posted_add(&d_x[row * n + k], d_sum_2);

// What is added comes from shared memory, in which there is something else by then.
BOTH("y wrt x")
__global__ void staged(real *y, const real *x, const real *w, int rows, int n) {
    __shared__ real s[128];
    ROW;
    real sum = 0, more = 0;
    s[threadIdx.x] = w[lane], s[64 + threadIdx.x] = w[31 - lane];
    __syncthreads();
    if (row < rows) EVERY(k) sum += sin(X);
    sum = over_warp(sum) / n;
    if (row < rows) EVERY(k) more += sum * X * s[64 * (k / 32 % 2) + (threadIdx.x ^ 1)];
    more = over_warp(more);
    if (row < rows) y[HERE] = more;
}
//= gw_posted_add(&d_x[index], d_sum_2 * cos(x[index]));

// The adjoint is read between: the primal overwrites x.
BOTH("y, x wrt x")
__global__ void in_place(real *y, real *x, int rows, int n) {
    ROW;
    if (row >= rows) return;
    real sum = 0;
    EVERY(k) sum += X;
    sum = over_warp(sum);
    EVERY(k) {
        y[row * n + k] = X + sum;
        X = 0.5 * y[row * n + k];
    }
}

// The seed of a cell is consumed where it is read.
BOTH("y wrt x")
__global__ void seeds(real *y, const real *x, int rows, int n) {
    ROW;
    if (row >= rows) return;
    real sum = 0;
    EVERY(k) sum += X * X;
    sum = over_warp(sum);
    EVERY(k) y[row * n + k] = X * sum;
}
//= d_x[index] += d_sum_x + d_sum_x;

// Blocks sum what is added to gains, and seeds would go to the last loop with that, but some iterations have
// none; or one cell has the seeds of all, so that the first iteration of the reverse uses them up.
BOTH("y wrt x, gain")
__global__ void some_seeds(real *y, const real *x, const real *gain, int rows, int n) {
    ROW;
    if (row >= rows) return;
    real sum = 0;
    EVERY(k) sum += X * X;
    sum = over_warp(sum);
    EVERY(k) if (k % 3) y[row * n + k] = X * sum * gain[k];
}
//! d_x[index] += d_sum_x + d_sum_x + 
BOTH("y wrt x, gain")
__global__ void last_seed(real *y, const real *x, const real *gain, int rows, int n) {
    ROW;
    if (row >= rows) return;
    real sum = 0;
    EVERY(k) sum += X * X;
    sum = over_warp(sum);
    EVERY(k) y[HERE] = X * sum * gain[k];
}
// Two of the loops read the seeds: what y holds in the end is made of what it held.
BOTH("y wrt x, gain")
__global__ void twice_written(real *y, const real *x, const real *gain, int rows, int n) {
    ROW;
    if (row >= rows) return;
    real sum = 0;
    EVERY(k) y[row * n + k] = X * gain[k];
    EVERY(k) sum += X * X;
    sum = over_warp(sum);
    EVERY(k) y[row * n + k] += X * sum * gain[k];
}

// Two outputs' seeds, which with x and the gains are more than is read again.
BOTH("y, z wrt x, gain")
__global__ void two_outputs(real *y, real *z, const real *x, const real *gain, int rows, int n) {
    ROW;
    if (row >= rows) return;
    real sum = 0;
    EVERY(k) sum += X * X;
    const real scale = rsqrt(over_warp(sum) / n + 1e-5);
    EVERY(k) {
        y[row * n + k] = scale * X * gain[k];
        z[row * n + k] = scale + gain[k];
    }
}
//= gw_posted_add(&d_x[index], d_y_gain * scale);

// ---- together ----
BOTH("y wrt x, gain, offset")
__global__ void layer_norm(real *y, const real *x, const real *gain, const real *offset, int rows, int n) {
    ROW;
    if (row >= rows) return;
    real sum = 0, squares = 0;
    EVERY(k) sum += X;
    const real mean = over_warp(sum) / n;
    EVERY(k) squares += (X - mean) * (X - mean);
    const real scale = rsqrt(over_warp(squares) / n + 1e-5);
    EVERY(k) y[row * n + k] = scale * (X - mean) * gain[k] + offset[k];
}
//= gw_posted_add(&d_x[index], d_sum + 2.0 * d_squares * (x[index] - mean) + gain[k] * d_y_scale);
//= gw_atomic_add(&d_offset_copy[k], d_y_value);
//! d_x[index] += 

// By a block, with barriers between.
BOTH("y wrt x")
__global__ void moments(real *y, const real *x, int n) {
    __shared__ real part[64];
    const int t = threadIdx.x;
    const real *row = x + blockIdx.x * n;
    real total[2] = {1, 1};
    for (int power = 0; power < 2; power++) {
        real sum = 0;
        for (int k = t; k < n; k += blockDim.x) sum += power ? row[k] * total[0] * row[k] : row[k];
        part[t] = sum;
        __syncthreads();
        for (int o = 32; o > 0; o /= 2) {
            if (t < o) part[t] += part[t + o];
            __syncthreads();
        }
        total[power] = part[0] / n;
        __syncthreads();
    }
    y[blockIdx.x * blockDim.x + t] = total[0] * total[1];
}
//= gw_posted_add(&d_x[index_3], d_sum_2 + 

// Cells of structs, several sums, and steps of the grid around the rows.
struct pair {
    real a, b;
};
CHECK_CELLS(pair, CHECK_CELL(pair, a), CHECK_CELL(pair, b))
BOTH("y wrt x")
__global__ void pairs(real *y, const pair *x, int rows, int n) {
    const int lane = threadIdx.x % 32;
    for (int row = HERE / 32; row < rows; row += gridDim.x * (blockDim.x / 32)) {
        real sum = 0, more = 0, most = 0;
        EVERY(k) sum += X.a * X.b;
        sum = over_warp(sum) / n;
        EVERY(k) more += sum * X.a + X.b;
        more = over_warp(more) / n;
        EVERY(k) most += more * X.a * X.a + sum * X.b;
        y[row * 32 + lane] = over_warp(most);
    }
}
//= d_x[index_2].b += d_sum_2 * x[index_2].a + d_most * sum_2 + d_more_2;

#include "sweeps.grad.cuh"

CHECK_KERNEL(other_range, 2, 64, out(4 * 32), in(3 * 37), 3, 37, 33)
CHECK_KERNEL(early_end, 2, 64, out(4 * 32), in(3 * 37), 3, 37)
CHECK_KERNEL(some_cells, 2, 64, out(4 * 32), in(3 * 37), 3, 37)
CHECK_KERNEL(costly, 2, 64, out(4 * 32), in(3 * 37), 3, 37)
CHECK_KERNEL(staged, 2, 64, out(4 * 32), in(3 * 37), fixed(32), 3, 37)
CHECK_KERNEL(in_place, 2, 64, out(3 * 37), inout(3 * 37), 3, 37)
CHECK_KERNEL(seeds, 2, 64, out(3 * 37), in(3 * 37), 3, 37)
CHECK_KERNEL(some_seeds, 2, 64, out(3 * 37), in(3 * 37), in(37), 3, 37)
CHECK_KERNEL(last_seed, 2, 64, out(4 * 32), in(3 * 37), in(37), 3, 37)
CHECK_KERNEL(twice_written, 2, 64, out(3 * 37), in(3 * 37), in(37), 3, 37)
CHECK_KERNEL(two_outputs, 2, 64, out(3 * 37), out(3 * 37), in(3 * 37), in(37), 3, 37)
CHECK_KERNEL(layer_norm, 2, 64, out(3 * 37), in(3 * 37), in(37), in(37), 3, 37)
CHECK_KERNEL(moments, 2, 64, out(128), in(2 * 143), 143)
CHECK_KERNEL(pairs, 1, 64, out(3 * 32), in(3 * 37), 3, 37)
TEST_MAIN
