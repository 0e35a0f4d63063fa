// What several loops over one range add to one cell of a thread (rewriters/reduce/sweeps.c): the last of them
// adds it all. First what must stay where it is. tests/ownership/statements.py holds the texts to the comments.
#include "../support/check.cuh"

typedef double real;
#define HERE (blockIdx.x * blockDim.x + threadIdx.x)
#define ROW int row = HERE / 32, lane = threadIdx.x % 32
#define EVERY(k) for (int k = lane; k < n; k += 32)
__device__ real over_warp(real v) {
    for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(0xffffffffu, v, o);
    return v;
}

// The first loop goes over fewer.
BOTH("y wrt x")
__global__ void other_range(real *y, const real *x, int rows, int n, int m) {
    ROW;
    if (row >= rows) return;
    real sum = 0;
    for (int k = lane; k < m; k += 32) sum += x[row * n + k] * x[row * n + k];
    sum = over_warp(sum);
    EVERY(k) y[row * n + k] = x[row * n + k] * sum;
}
//= gw_atomic_add(&d_x[index], product + product);

// The seed's cell is the row's: it is zero from the first iteration on.
BOTH("y wrt x")
__global__ void one_seed(real *y, const real *x, int rows, int n) {
    ROW;
    if (row >= rows) return;
    real last = 0, sum = 0;
    EVERY(k) sum += x[row * n + k] * x[row * n + k];
    sum = over_warp(sum);
    EVERY(k) {
        last = x[row * n + k] * sum;
        y[32 * row + lane] = last;
    }
}
//= d_x[index] += product + product;

// Arithmetic that costs more than the memory.
BOTH("y wrt x")
__global__ void costly(real *y, const real *x, int rows, int n) {
    ROW;
    if (row >= rows) return;
    real sum = 0;
    EVERY(k) sum += x[row * n + k] * x[row * n + k];
    sum = over_warp(sum);
    EVERY(k) y[row * n + k] = exp(sin(x[row * n + k]) * cos(0.01 * sum * x[row * n + k]));
}
//= d_x[index] += product + product;

// What is added comes from shared memory, in which there is something else by then.
BOTH("y wrt x")
__global__ void staged(real *y, const real *x, const real *w, int rows, int n) {
    __shared__ real s[64];
    ROW;
    if (row >= rows) return;
    real sum = 0;
    EVERY(k) sum += x[row * n + k] * x[row * n + k];
    sum = over_warp(sum);
    s[threadIdx.x] = w[lane];
    EVERY(k) y[row * n + k] = x[row * n + k] * sum * s[threadIdx.x];
}

// A barrier stands between, at which the seed's cell may become another thread's, for all that is proved.
BOTH("y wrt x")
__global__ void barrier_between(real *y, const real *x, int n) {
    __shared__ real s[64];
    ROW;
    real sum = 0;
    EVERY(k) sum += x[row * n + k] * x[row * n + k];
    s[threadIdx.x] = over_warp(sum);
    __syncthreads();
    const real total = s[threadIdx.x ^ 1];
    EVERY(k) y[row * n + k] = x[row * n + k] * total;
}
//= += product + product;

// The adjoint is read between: the primal overwrites x.
BOTH("y, x wrt x")
__global__ void in_place(real *y, real *x, int rows, int n) {
    ROW;
    if (row >= rows) return;
    real sum = 0;
    EVERY(k) sum += x[row * n + k];
    sum = over_warp(sum);
    EVERY(k) {
        y[row * n + k] = x[row * n + k] + sum;
        x[row * n + k] = 0.5 * y[row * n + k];
    }
}

// ---- together ----
BOTH("y wrt x, gain, offset")
__global__ void layer_norm(real *y, const real *x, const real *gain, const real *offset, int rows, int n) {
    ROW;
    if (row >= rows) return;
    real sum = 0, squares = 0;
    EVERY(k) sum += x[row * n + k];
    const real mean = over_warp(sum) / n;
    EVERY(k) squares += (x[row * n + k] - mean) * (x[row * n + k] - mean);
    const real scale = rsqrt(over_warp(squares) / n + 1e-5);
    EVERY(k) y[row * n + k] = scale * (x[row * n + k] - mean) * gain[k] + offset[k];
}
//= d_x[index] += d_sum + d_y[index] * gain[k] * scale + (product + product);
//! d_x[index] += d_sum;

// By a block with barriers: the adjoint's own index shows whose it is.
BOTH("y wrt x")
__global__ void block_norm(real *y, const real *x, int n) {
    __shared__ real part[64];
    const int t = threadIdx.x;
    real sum = 0;
    for (int k = t; k < n; k += blockDim.x) sum += x[blockIdx.x * n + k] * x[blockIdx.x * n + k];
    part[t] = sum;
    __syncthreads();
    for (int o = 32; o > 0; o /= 2) {
        if (t < o) part[t] += part[t + o];
        __syncthreads();
    }
    const real length = rsqrt(part[0] + 1);
    for (int k = t; k < n; k += blockDim.x) y[blockIdx.x * n + k] = x[blockIdx.x * n + k] * length;
}
//= d_x[index] += product + product + d_y[index] * length;

// Three loops, two of which have the seed.
BOTH("y, z wrt x")
__global__ void two_outputs(real *y, real *z, const real *x, int rows, int n) {
    ROW;
    if (row >= rows) return;
    real sum = 0, more = 0;
    EVERY(k) sum += x[row * n + k] * x[row * n + k];
    sum = over_warp(sum);
    EVERY(k) {
        y[row * n + k] = x[row * n + k] * sum;
        more += x[row * n + k] * x[row * n + k] * x[row * n + k];
    }
    more = over_warp(more);
    EVERY(k) z[row * n + k] = x[row * n + k] * more;
}
//= d_x[index] = d_x_value + (sum_2 + d_y[index] * v_5);

// Cells of structs; steps of the grid around the rows.
struct pair {
    real a, b;
};
CHECK_CELLS(pair, CHECK_CELL(pair, a), CHECK_CELL(pair, b))
BOTH("y wrt x")
__global__ void pairs(pair *y, const pair *x, int rows, int n) {
    const int lane = threadIdx.x % 32;
    for (int row = HERE / 32; row < rows; row += gridDim.x * (blockDim.x / 32)) {
        real sum = 0;
        EVERY(k) sum += x[row * n + k].a * x[row * n + k].b;
        sum = over_warp(sum);
        EVERY(k) {
            y[row * n + k].a = x[row * n + k].a * sum;
            y[row * n + k].b = x[row * n + k].b + sum;
        }
    }
}
//= d_x[index].a = d_x_a + (d_sum * x[index].b + d_y[index].a * v_5);

#include "sweeps.grad.cuh"

CHECK_KERNEL(other_range, 2, 64, out(3 * 37), in(3 * 37), 3, 37, 33)
CHECK_KERNEL(one_seed, 3, 64, out(3 * 32), in(3 * 37), 3, 37)
CHECK_KERNEL(costly, 2, 64, out(3 * 37), in(3 * 37), 3, 37)
CHECK_KERNEL(staged, 2, 64, out(3 * 37), in(3 * 37), fixed(32), 3, 37)
CHECK_KERNEL(barrier_between, 2, 64, out(4 * 43), in(4 * 43), 43)
CHECK_KERNEL(in_place, 2, 64, out(3 * 37), inout(3 * 37), 3, 37)
CHECK_KERNEL(layer_norm, 2, 64, out(3 * 37), in(3 * 37), in(37), in(37), 3, 37)
CHECK_KERNEL(block_norm, 3, 64, out(3 * 143), in(3 * 143), 143)
CHECK_KERNEL(two_outputs, 2, 64, out(3 * 37), out(3 * 37), in(3 * 37), 3, 37)
CHECK_KERNEL(pairs, 1, 64, out(3 * 37), in(3 * 37), 3, 37)
TEST_MAIN
