// Adjoints that are new, "x[0:n] fresh" (rewriters/reduce/fresh.c): they are no numbers before the gradient
// runs, and cells that nobody adds to are 0 after it. First what must not be stored to, or not without being
// cleared; tests/ownership/statements.py holds the texts to the comments.
#include "../support/check.cuh"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

typedef double real;
#ifdef GW_TEST_SPLIT
#define NEW(request, plain) GW_GRADIENT(request) GW_SPLIT_GRADIENT(request) GW_DERIVATIVE(plain)
#else
#define NEW(request, plain) GW_GRADIENT(request) GW_DERIVATIVE(plain)
#endif
#define HERE    (int)(blockIdx.x * blockDim.x + threadIdx.x)
#define ROW     int row = HERE / 32, lane = threadIdx.x % 32
#define EVERY(k) for (int k = lane; k < n; k += 32)
__device__ real over_warp(real v) {
    for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(0xffffffffu, v, o);
    return v;
}

// Two additions to one cell by one thread: the one that comes first is not always executed.
NEW("y, z wrt x[0:n] fresh", "y, z wrt x")
__global__ void conditional(real *y, real *z, const real *x, const int *flag, int n) {
    int i = HERE;
    if (i >= n) return;
    if (flag[i] & 1) y[i] = x[i] * x[i];
    if (flag[i] & 2) z[i] = sin(x[i]);
}
//@ 0, stream);

// A cell in two iterations of one thread, by one access and by two.
NEW("y wrt x[0:n * rows] fresh", "y wrt x")
__global__ void round_and_round(real *y, const real *x, int rows, int n) {
    int i = HERE;
    real sum = 0;
    for (int k = 0; k < 2 * n; k++) sum += (k + 1) * x[i * n + k % n] * x[i * n + k % n];
    if (i < rows) y[i] = sum;
}
//= d_x[index] +=
NEW("y wrt x[0:n * rows] fresh", "y wrt x")
__global__ void neighbours(real *y, const real *x, int rows, int n) {
    int i = HERE;
    if (i >= rows) return;
    real sum = 0;
    for (int k = 1; k < n; k++) sum += x[i * n + k] * x[i * n + k - 1];
    y[i] = sum;
}
//= d_x[index] +=
//@ 0, stream);

// Threads of a block come to one cell, with barriers between.
NEW("y wrt x[0:n] fresh", "y wrt x")
__global__ void exchanged(real *y, const real *x, int n) {
    __shared__ real s[64];
    int i = HERE;
    real own = i < n ? x[i] * x[i] : 0;
    s[threadIdx.x] = own;
    __syncthreads();
    real other = s[threadIdx.x ^ 1];
    __syncthreads();
    if ((i ^ 1) < n) other *= x[i ^ 1];
    if (i < n) y[i] = own * other;
}
//! d_x[i] =

// Cells that a list names, one cell for all, a number.
NEW("y wrt x[0:n] fresh, w[0:1] fresh, k fresh", "y wrt x, w, k")
__global__ void listed(real *y, const real *x, const real *w, real k, const int *list, int n) {
    int i = HERE;
    if (i < n) y[i] = k * x[list[i]] * x[list[i]] + w[0] * i;
}
//@ 0, stream);
//! d_x[index] =

// Half of the cells are read by nobody.
NEW("y wrt x[0:n] fresh", "y wrt x")
__global__ void odd(real *y, const real *x, int n) {
    int i = HERE;
    if (2 * i + 1 < n) y[i] = x[2 * i + 1] * x[2 * i + 1];
}
//= d_x[sum] =
//@ 0, stream);

// A loop that may end early, one whose end is the thread's own, and one that is not counted.
NEW("y wrt x[0:rows * n] fresh", "y wrt x")
__global__ void ended(real *y, const real *x, const int *ends, int rows, int n) {
    int i = HERE;
    if (i >= rows) return;
    real sum = 0;
    for (int k = 0; k < n; k++) {
        if (ends[k] > 3) break;
        sum += x[i * n + k] * x[i * n + k];
    }
    y[i] = sum;
}
//@ 0, stream);
NEW("y wrt x[0:rows * n] fresh", "y wrt x")
__global__ void own_end(real *y, const real *x, const int *ends, int rows, int n) {
    int i = HERE;
    if (i >= rows) return;
    real sum = 0;
    for (int k = 0; k < ends[i]; k++) sum += x[i * n + k] * x[i * n + k];
    y[i] = sum;
}
//@ 0, stream);

// The kernel overwrites what it has read: what was there has this adjoint alone.
NEW("y wrt x[0:n] fresh", "y wrt x")
__global__ void overwritten(real *y, real *x, int n) {
    int i = HERE;
    if (i >= n) return;
    y[i] = x[i] * x[i];
    x[i] = 1;
}
//= d_x[i] = d_y_x + d_y_x;

// An addition at an entry of a list keeps others from being stores; what stays in the gradient's kernel: one in
// a loop, one of a value that lanes have made together, one of a seed that is not only zeroed, and one beside
// which the others are no thread's own.
NEW("y wrt x[0:rows * n] fresh", "y wrt x")
__global__ void picks_often(real *y, const real *x, const int *at, int rows, int n) {
    int row = HERE;
    if (row >= rows) return;
    real sum = 0;
    for (int k = 0; k < n; k++) sum += exp(x[row * n + k]) - x[at[k % 2]];
    y[row] = sum;
}
//= gw_atomic_add(&d_x[index],
NEW("y wrt x[0:rows * n] fresh", "y wrt x")
__global__ void picks_of_sum(real *y, const real *x, const int *at, int rows, int n) {
    ROW;
    if (row >= rows) return;
    real sum = 0;
    EVERY(k) sum += x[row * n + k];
    sum = over_warp(sum);
    if (lane == 0) y[row] = sum * x[at[row]];
}
//= gw_atomic_add(&d_x[row * n + k],
NEW("y wrt x[0:rows * n] fresh, y", "y wrt x, y")
__global__ void picks_more(real *y, const real *x, const int *at, int rows, int n) {
    int row = HERE;
    if (row >= rows) return;
    real sum = 0;
    for (int k = 0; k < n; k++) sum += exp(x[row * n + k]);
    y[row] = y[row] * y[row] + sum - x[at[row]];
}
//= gw_atomic_add(&d_x[at[row]],
NEW("y wrt x[0:rows * n] fresh", "y wrt x")
__global__ void picks_of_shared(real *y, const real *x, const int *at, int rows, int n) {
    int row = HERE;
    if (row >= rows) return;
    real sum = 0;
    for (int k = 0; k < n; k++) sum += exp(x[(row + k) % n]);
    y[row] = sum - x[at[row]];
}
//= gw_atomic_add(&d_x[at[row]],
//@ 0, stream);
// And what a kernel behind it adds, to any row's cells.
NEW("y wrt x[0:rows * n] fresh", "y wrt x")
__global__ void picks(real *y, const real *x, const int *at, int rows, int n) {
    ROW;
    if (row >= rows) return;
    real sum = 0;
    EVERY(k) sum += exp(x[row * n + k]);
    sum = over_warp(sum);
    if (lane == 0) y[row] = log(sum) - x[row * n + at[row]];
}
//= d_x[index] =
//! gw_atomic_add
//@ picks_grad_behind
//@ stored.gw_cells[0]

// ---- stored to, by some launches to all cells ----
NEW("y wrt x[0:n] fresh", "y wrt x")
__global__ void map(real *y, const real *x, int n) {
    int i = HERE;
    if (i < n) y[i] = x[i] * x[i];
}
//= d_x[i] = d_y_x + d_y_x;
//@ stored.gw_cells[0]

NEW("y wrt x[0:2 * n + 1] fresh", "y wrt x")
__global__ void two_each(real *y, const real *x, int n) {
    for (int i = HERE; i < n; i += gridDim.x * blockDim.x) y[i] = x[2 * i] * x[2 * i + 1];
}
//= d_x[index_2] =
//= d_x[index] =

NEW("y wrt x[0:h * w] fresh", "y wrt x")
__global__ void plane(real *y, const real *x, int h, int w) {
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r < h && c < w) y[r * w + c] = x[r * w + c] * x[r * w + c];
}
//= d_x[index] =
//@ stored.gw_cells[0]

// One sum stores what both add, as blocks sum the gains; without gains the second adds to the first.
NEW("y wrt x[0:rows * n] fresh, gain[0:n] fresh", "y wrt x, gain")
__global__ void norm(real *y, const real *x, const real *gain, int rows, int n) {
    ROW;
    if (row >= rows) return;
    real sum = 0;
    EVERY(k) sum += x[row * n + k] * x[row * n + k];
    const real scale = rsqrt(over_warp(sum) / n);
    EVERY(k) y[row * n + k] = x[row * n + k] * scale * gain[k];
}
//= d_x[index] = d_sum_x + d_sum_x + 
//! d_x[index] +=
//@ stored.gw_cells[0]
NEW("y wrt x[0:rows * n] fresh", "y wrt x")
__global__ void unit(real *y, const real *x, int rows, int n) {
    ROW;
    if (row >= rows) return;
    real sum = 0;
    EVERY(k) sum += x[row * n + k] * x[row * n + k];
    const real scale = rsqrt(over_warp(sum) / n);
    EVERY(k) y[row * n + k] = x[row * n + k] * scale;
}
//= d_x[index] = 
//= d_x[index] += d_sum_x + d_sum_x;
//@ stored.gw_cells[0]

// A block a row; each cell's sum is stored once.
NEW("y wrt x[0:n * gain] fresh", "y wrt x")
__global__ void blocks(real *y, const real *x, int gain, int n) {
    __shared__ real all[32];
    real sum = 0;
    for (int k = threadIdx.x; k < n; k += blockDim.x) sum += x[blockIdx.x * n + k] * x[blockIdx.x * n + k];
    all[threadIdx.x] = sum;
    __syncthreads();
    for (int o = 16; o > 0; o /= 2) {
        if ((int)threadIdx.x < o) all[threadIdx.x] += all[threadIdx.x + o];
        __syncthreads();
    }
    if (threadIdx.x == 0) y[blockIdx.x] = gain * all[0];
}
//@ stored.gw_cells[0]

// Rows by all warps of a block of any shape.
NEW("y wrt x[0:rows * n] fresh", "y wrt x")
__global__ void by_warps(real *y, const real *x, int rows, int n) {
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const int row = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank(), lane = warp.thread_rank();
    if (row < rows) EVERY(k) y[row * n + k] = exp(x[row * n + k]);
}
//= d_x[index] =
//@ stored.gw_cells[0]

// Rows of three numbers a pixel behind a stride, between which there may be cells.
NEW("y wrt x[0:cells] fresh", "y wrt x")
__global__ void strided(real *y, const real *x, int h, int w, int stride, int cells) {
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    const int at = r * stride + 3 * c;
    (void)cells;
    if (r < h && c < w) y[r * w + c] = x[at] * x[at + 1] + exp(x[at + 2]);
}
//= d_x[at] =
//@ stored.gw_cells[0]

// The sum of copies stores, to no more than they have.
NEW("y wrt gain[0:cells] fresh", "y wrt gain") GW_ACCUMULATE(gain, copies)
__global__ void copied(real *y, const real *gain, int rows, int n, int cells) {
    ROW;
    (void)cells;
    if (row >= rows) return;
    EVERY(k) y[row * n + k] = gain[k] * gain[k];
}
//@ gw_copied_cells(d_gain_copies)
//@ d_gain_copies, true)

// Members of which one has a condition.
struct pair {
    real a, b;
};
CHECK_CELLS(pair, CHECK_CELL(pair, a), CHECK_CELL(pair, b))
NEW("y wrt x[0:n] fresh", "y wrt x")
__global__ void pairs(real *y, const pair *x, int n) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i].a;
    if (v > 1) v *= x[i].b;
    y[i] = v;
}
//@ 0, stream);
NEW("y wrt x[0:n] fresh", "y wrt x")
__global__ void both(real *y, const pair *x, int n) {
    int i = HERE;
    if (i < n) y[i] = x[i].a * x[i].b;
}
//= d_x[i].a =
//@ stored.gw_cells[0]

// A thread for two, and each for both halves of the numbers.
NEW("y wrt x[0:n] fresh", "y wrt x")
GW_COARSEN(2)
__global__ void coarse(real *y, const real *x, int n) {
    int i = HERE;
    if (i < n) y[i] = exp(x[i]);
}

// A parameter has the name of a function that the gradient calls.
NEW("y wrt x[0:exp] fresh", "y wrt x")
__global__ void called(real *y, const real *x, int exp) {
    int i = HERE;
    if (i < exp) y[i] = erf(x[i] * exp);
}

// The adjoint of an array that is null is null.
NEW("y wrt x[0:n] fresh, b[0:n] fresh", "y wrt x, b")
__global__ void biased(real *y, const real *x, const real *b, int n) {
    int i = HERE;
    if (i < n) y[i] = b ? x[i] * x[i] + b[i] * b[i] : x[i] * x[i];
}

// The launches of a program add: its kernel has a gradient of its own for them.
GW_GRADIENT("z wrt x")
void launched_twice(real *z, const real *x, int n) {
    map<<<(n + 31) / 32, 32>>>(z, x, n);
    map<<<(n + 31) / 32, 32>>>(z + n, x, n);
}

#include "fresh.grad.cuh"

TEST(launched_twice) {
    enum { n = 40 };
    real *x, *z, *d_x, *d_z;
    for (real **p : {&x, &z, &d_x, &d_z}) EXPECT(cudaMallocManaged(p, 2 * n * sizeof(real)) == cudaSuccess);
    for (int i = 0; i < 2 * n; i++) x[i] = 0.1 * i, d_x[i] = 1, d_z[i] = i;
    launched_twice(z, x, n);
    EXPECT(launched_twice_grad(z, x, n, d_z, d_x) == GW_OK);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    for (int i = 0; i < n; i++) EXPECT_NEAR(d_x[i], 1 + 2 * x[i] * (i + i + n), 1e-14);
    for (real *p : {x, z, d_x, d_z}) cudaFree(p);
}

TEST(null_array) {
    const int n = 10;
    check::array<real> x(std::vector<real>(n, 3)), y(std::vector<real>(n, 0)), d_y(std::vector<real>(n, 1)),
        d_x(std::vector<real>(n, 77));
    EXPECT_STATUS(biased_grad_launch(1, 32, 0, 0, y, x, nullptr, n, d_y, d_x, nullptr, nullptr, 0), GW_OK);
    EXPECT_DEVICE_OK();
    for (double d : d_x.get()) EXPECT_NEAR(d, 6, 1e-14);
}

static const std::vector<double> flags = {0, 1, 2, 3, 3, 2, 1, 0, 1, 3};
CHECK_KERNEL(conditional, 1, 32, out(10), out(10), fresh(in(10)), list(flags), 10)
CHECK_KERNEL(round_and_round, 1, 3, out(3), fresh(in(15)), 3, 5)
CHECK_KERNEL(neighbours, 1, 32, out(3), fresh(in(15)), 3, 5)
CHECK_KERNEL(exchanged, 2, 64, out(100), fresh(in(100)), 100)
CHECK_KERNEL(listed, 1, 32, out(10), fresh(in(10)), fresh(in(1)), fresh(active(0.7)), list(flags), 10)
CHECK_KERNEL(odd, 1, 32, out(10), fresh(in(21)), 21)
CHECK_KERNEL(ended, 1, 32, out(3), fresh(in(15)), list({1, 2, 3, 4, 5}), 3, 5)
CHECK_KERNEL(own_end, 1, 32, out(3), fresh(in(15)), list({2, 5, 1}), 3, 5)
CHECK_KERNEL(overwritten, 1, 32, out(10), fresh(in(10)), 10)
CHECK_KERNEL(picks_often, 1, 32, out(3), fresh(in(15)), list({0, 7}), 3, 5)
CHECK_KERNEL(picks_of_sum, 2, 64, out(3), fresh(in(3 * 40)), list({7, 7, 119}), 3, 40)
CHECK_KERNEL(picks_more, 1, 32, inout(3), fresh(in(15)), list({7, 7, 14}), 3, 5)
CHECK_KERNEL(picks_of_shared, 1, 32, out(3), fresh(in(15)), list({7, 7, 14}), 3, 5)
CHECK_KERNEL(picks, 2, 64, out(3), fresh(in(3 * 40)), list({39, 50, -40}), 3, 40)
CHECK_KERNEL(map, 2, 32, out(50), fresh(in(50)), 50)
CHECK_CASE(map_of_some, map, map, 1e-8, 1, 32, out(50), fresh(in(50)), 50) // too few threads
CHECK_KERNEL(two_each, 2, 32, out(100), fresh(in(201)), 100)
CHECK_KERNEL(plane, dim3(2, 3), dim3(8, 4), out(11 * 13), fresh(in(11 * 13)), 11, 13)
CHECK_CASE(plane_of_all, plane, plane, 1e-8, dim3(2, 3), dim3(8, 4), out(165), fresh(in(165)), 11, 15)
CHECK_KERNEL(unit, 2, 64, out(3 * 37), fresh(in(3 * 37)), 3, 37)
CHECK_KERNEL(norm, 2, 64, out(3 * 37), fresh(in(3 * 37)), fresh(in(37)), 3, 37)
CHECK_CASE(norm_of_some, norm, norm, 1e-8, 1, 64, out(3 * 37), fresh(in(3 * 37)), fresh(in(37)), 3, 37)
CHECK_KERNEL(blocks, 3, 32, out(3), fresh(in(3 * 50)), 3, 50)
CHECK_KERNEL(by_warps, 2, dim3(64, 1, 2), out(7 * 37), fresh(in(7 * 37)), 7, 37)
CHECK_CASE(by_more_warps, by_warps, by_warps, 1e-8, 2, dim3(32, 3), out(7 * 37), fresh(in(7 * 37)), 7, 37)
CHECK_KERNEL(strided, dim3(2, 3), dim3(4, 2), out(5 * 7), fresh(in(5 * 21)), 5, 7, 21, 5 * 21)
CHECK_CASE(strided_wide, strided, strided, 1e-8, dim3(2, 3), dim3(4, 2), out(35), fresh(in(120)), 5, 7, 24, 120)
CHECK_CASE(strided_less, strided, strided, 1e-8, dim3(2, 3), dim3(4, 2), out(35), fresh(in(61)), 5, 7, 10, 61)
CHECK_CASE(strided_few, strided, strided, 1e-8, dim3(1, 3), dim3(4, 2), out(35), fresh(in(105)), 5, 7, 21, 105)
CHECK_KERNEL(copied, 2, 64, out(4 * 37), fresh(in(37)), 4, 37, 37)
CHECK_CASE(copied_more, copied, copied, 1e-8, 2, 64, out(4 * 37), fresh(in(50)), 4, 37, 50)
CHECK_KERNEL(pairs, 1, 64, out(50), fresh(in(50)), 50)
CHECK_KERNEL(both, 1, 64, out(50), fresh(in(50)), 50)
CHECK_KERNEL(called, 2, 32, out(50), fresh(in(50, 0, 0.02)), 50)
CHECK_KERNEL(biased, 2, 32, out(50), fresh(in(50)), fresh(in(50)), 50)
CHECK_KERNEL(coarse, 2, 32, out(50), fresh(in(50)), 50)
TEST_MAIN
