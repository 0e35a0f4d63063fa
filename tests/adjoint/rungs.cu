// Additions that lanes of a warp or threads of a block make together, and those that must be made one by one:
// blocks of 1 to 1024 threads, last warps that are not full, lanes with nothing to add. The table of decisions
// is checked by tests/ownership/decisions.py; only what several threads add to is of interest in it.
#include "../support/check.cuh"

typedef double real;
struct quad {
    real a, b, c, d;
};
CHECK_CELLS(quad, CHECK_CELL(quad, a), CHECK_CELL(quad, b), CHECK_CELL(quad, c), CHECK_CELL(quad, d))
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

// ---- one cell for all threads: one addition a block ----
BOTH("y wrt x, k")
__global__ void scaled(real *y, const real *x, real k, int n) {
    int i = HERE;
    if (i < n) y[i] = k * x[i] * k;
}
//= d_k[0] +=: grid

BOTH("y wrt x, k")
__global__ void scaled_float(float *y, const float *x, float k, int n) {
    int i = HERE;
    if (i < n) y[i] = k * x[i] * k;
}
//= d_k[0] +=: grid

// Neighbours of two kinds, summed together.
BOTH("y wrt x, w, q")
__global__ void table(real *y, const real *x, const real *w, const quad *q, int n) {
    int i = HERE;
    if (i >= n) return;
    real sum = q->d;
    for (int j = 0; j < 5; j++) sum += w[j] * x[i] * (j + 1);
    y[i] = sum * x[i] + q->b * q->c;
}
//= d_w[0] +=: grid
//= d_w[1] +=: grid
//= d_w[2] +=: grid
//= d_w[3] +=: grid
//= d_w[4] +=: grid
//= d_q[0].b +=: grid
//= d_q[0].c +=: grid
//= d_q[0].d +=: grid

// Floats and doubles apart.
BOTH("y wrt x, w, v")
__global__ void of_two_types(real *y, const real *x, const real *w, const float *v) {
    int i = HERE;
    y[i] = w[0] * x[i] + w[1] * x[i] * x[i] * v[0];
}
//= d_w[0] +=: grid
//= d_w[1] +=: grid
//= d_v[0] +=: grid

// The same over doubles, for differences.
__global__ void of_one_type(real *y, const real *x, const real *w, const real *v) {
    int i = HERE;
    y[i] = w[0] * x[i] + w[1] * x[i] * x[i] * v[0];
}

// The cell is known in a branch only, which no thread of the first warp takes: the block does not know it.
BOTH("y wrt x, w")
__global__ void later_warps(real *y, const real *x, const real *w, const int *at, int n) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    if (threadIdx.x >= 40) v *= w[at[0]];
    y[i] = v;
}
//= d_w[...] +=: warp

// ---- one cell for the lanes of a warp ----
BOTH("y wrt x, q")
__global__ void of_block(real *y, const real *x, const quad *q, int n) {
    int i = HERE;
    quad own = q[blockIdx.x];
    if (i < n) y[i] = own.a * x[i] + own.b * x[i] * x[i] + own.c * own.d;
}
//= d_q[blockIdx.x].a +=: warp
//= d_q[blockIdx.x].b +=: warp
//= d_q[blockIdx.x].c +=: warp
//= d_q[blockIdx.x].d +=: warp

// A loop of equal length behind a branch: the branch is cut.
BOTH("y wrt x, w")
__global__ void all_rows(real *y, const real *x, const real *w, int n, int m) {
    int i = HERE;
    if (i >= n) return;
    real own = x[i] * x[i], sum = 0;
    for (int j = 0; j < m; j++) sum += w[j] * own * (own + j);
    y[i] = sum * own;
}
//= d_w[j] +=: grid

// The loop has a different length in each lane, and a branch inside of it.
BOTH("y wrt x, w")
__global__ void some_rows(real *y, const real *x, const real *w, const int *length, int n) {
    int i = HERE;
    if (i >= n) return;
    real sum = 0;
    for (int j = 0; j < length[i]; j++) {
        real t = x[i] * (j + 1);
        if ((i + j) % 3 == 0) continue;
        sum += w[j] * t * t;
        if ((i ^ j) & 2) sum += w[j + 1] * t;
    }
    y[i] = sum;
}
//= d_w[j] +=: warp
//= d_w[j + 1] +=: warp

// The cell's number is known only to lanes that take the branch.
BOTH("y wrt x, w")
__global__ void through_list(real *y, const real *x, const real *w, const int *list, int n, int m) {
    int i = HERE;
    real sum = 0;
    for (int j = 0; j < m; j++)
        if (i < n && (i + j) % 4 != 1) {
            int id = 2 * list[j];
            sum += w[id] * x[i] + w[id + 1] * x[i] * x[i];
        }
    if (i < n) y[i] = sum;
}
//= d_w[id] +=: warp
//= d_w[id + 1] +=: warp

// Loops in loops, each of another length in each lane.
BOTH("y wrt x, w")
__global__ void nested(real *y, const real *x, const real *w, const int *length, int n) {
    int i = HERE;
    if (i >= n) return;
    real sum = 0;
    for (int j = 0; j < length[i]; j++)
        for (int k = 0; k < (i + j) % 4; k++) sum += w[4 * j + k] * x[i] * x[i];
    y[i] = sum;
}
//= d_w[4 * j + k] +=: warp

// Shared memory that all threads of the block read.
BOTH("y wrt x")
__global__ void all_pairs(real *y, const real *x, int n) {
    extern __shared__ real s[];
    int i = HERE, t = threadIdx.x;
    s[t] = i < n ? x[i] * x[i] : 0;
    __syncthreads();
    real sum = 0;
    for (int j = 0; j < (int)blockDim.x; j++) sum += s[j] * s[j] * (t + 1);
    if (i < n) y[i] = sum;
}
//= d_s[j] +=: warp

// ---- one by one ----
// About one lane adds: a sum over the warp is more work.
BOTH("y wrt x, k")
__global__ void first_thread(real *y, const real *x, const real *k) {
    int i = HERE;
    y[i] = x[i] * x[i];
    if (threadIdx.x == 0) y[i] = k[blockIdx.x / 2] * x[i];
}
//= d_k[blockIdx.x / 2] +=: atomic

// Lanes have different cells.
BOTH("y wrt x")
__global__ void halves(real *y, const real *x, int n) {
    int i = HERE;
    if (i < n) y[i] = x[i / 2] * x[i / 2];
}
//= d_x[i / 2] +=: atomic

// In one iteration, lanes are at different cells.
BOTH("y wrt w")
__global__ void from_own_start(real *y, const real *w, int n) {
    int i = HERE;
    real sum = 0;
    for (int j = threadIdx.x % 3; j < n; j++) sum += w[j] * w[j];
    y[i] = sum;
}
//= d_w[j] +=: copies

BOTH("y wrt w")
__global__ void by_own_step(real *y, const real *w, int n) {
    int i = HERE;
    real sum = 0;
    for (int j = 0; j < n; j += 1 + threadIdx.x % 2) sum += w[j] * w[j];
    y[i] = sum;
}
//= d_w[j] +=: copies

// The number is the same in all lanes of a warp, but not in one execution: another loop changes it.
BOTH("y wrt x, w")
__global__ void own_place(real *y, const real *x, const real *w, int n) {
    int i = HERE, at = 0;
    for (int j = 0; j < (int)threadIdx.x % 4; j++) at += j;
    if (i < n) y[i] = w[at] * x[i];
}
//= d_w[at] +=: atomic

// The lanes meet in the loop, so they are not summed there (that it is as long in all of them, as a shuffle
// asks, is not known: half a warp's number is no warp's); copies, since the tape takes a workspace.
BOTH("y wrt x, w")
__global__ void meeting(real *y, const real *x, const real *w, int m) {
    int i = HERE;
    real sum = 0;
    if (blockIdx.x == 0)
        for (int j = 0; j < m + (int)(threadIdx.x / 16 / 2); j++) {
            sum += w[j] * x[i] * x[i];
            sum += __shfl_xor_sync(0xffffffffu, x[i], 1) * sum;
        }
    y[i] = sum;
}
//= d_w[j] +=: copies

#include "rungs.grad.cuh"

#define SIZES(kernel, tolerance, ...)                                         \
    CHECK_CASE(kernel##_1, kernel, kernel, tolerance, 3, 1, __VA_ARGS__)      \
    CHECK_CASE(kernel##_31, kernel, kernel, tolerance, 2, 31, __VA_ARGS__)    \
    CHECK_CASE(kernel##_45, kernel, kernel, tolerance, 2, 45, __VA_ARGS__)    \
    CHECK_CASE(kernel##_64, kernel, kernel, tolerance, 1, 64, __VA_ARGS__)

// Behind a return, a loop in one arm of a branch and an access in the other: a thread that has left touches
// nothing.
BOTH("y wrt x, w")
__global__ void loop_or_cell(real *y, const real *x, const real *w, const int *length, int n) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    if (length[i] > 2)
        for (int j = 0; j < length[i]; j++) v += w[j] * x[i] * x[i];
    else
        v *= x[n - 1 - i];
    y[i] = v * v;
}
//= d_x[i] +=: atomic
//= d_w[j] +=: warp
//= d_x[n - 1 - i] +=: atomic

BOTH("y wrt x, w")
__global__ void cell_or_loop(real *y, const real *x, const real *w, const int *length, int n) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    if (length[i] <= 2)
        v *= x[n - 1 - i];
    else
        for (int j = 0; j < length[i]; j++) v += w[j] * x[i] * x[i];
    y[i] = v * v;
}
//= d_x[i] +=: atomic
//= d_x[n - 1 - i] +=: atomic
//= d_w[j] +=: warp

// Bins that each block has for itself: an atomic addition of block scope.
BOTH("y wrt x, q")
__global__ void bins_of_blocks(real *y, const real *x, const real *q, const int *at, int n) {
    int i = HERE;
    if (i < n) y[i] = x[i] * q[blockIdx.x * 8 + (at[i] & 7)] * q[blockIdx.x * 8 + (i & 7)];
}
//= d_q[blockIdx.x * 8 + (at[i] & 7)] +=: atomic
//= d_q[blockIdx.x * 8 + (i & 7)] +=: atomic
//> no other block comes there

static std::vector<int> lengths(int n) {
    std::vector<int> of;
    for (int i = 0; i < n; i++) of.push_back(i * 7 % 6);
    return of;
}

SIZES(scaled, 1e-8, out(50), in(50), active(0.7), 50)
CHECK_CASE(scaled_full, scaled, scaled, 1e-8, 2, 32, out(64), in(64), active(0.7), 64)
CHECK_CASE(scaled_large, scaled, scaled, 1e-8, 1, 1024, out(90), in(90), active(0.7), 90)
CHECK_CASE(scaled_float_large, scaled_float, scaled, 1e-4, 1, 1000, out(90), in(90), active(0.7), 90)
CHECK_CASE(scaled_float_small, scaled_float, scaled, 1e-4, 2, 45, out(90), in(90), active(0.7), 90)
CHECK_CASE(scaled_nobody, scaled, scaled, 1e-8, 3, 32, out(5), in(5), active(0.7), 5)
CHECK_CASE(later_warps, later_warps, later_warps, 1e-8, 2, 96, out(150), in(150), in(3),
           given(std::vector<int>{2}), 150)
CHECK_CASE(loop_or_cell, loop_or_cell, loop_or_cell, 1e-8, 2, 45, out(60), in(60), in(8), given(lengths(60)),
           60)
CHECK_CASE(cell_or_loop, cell_or_loop, cell_or_loop, 1e-8, 2, 45, out(60), in(60), in(8), given(lengths(60)),
           60)
SIZES(table, 1e-8, out(80), in(80), in(5), in(1), 47)
CHECK_CASE(of_two_types, of_two_types, of_one_type, 1e-5, 2, 40, out(80), in(80), in(2), in(1))
SIZES(of_block, 1e-8, out(80), in(80), in(3), 60)
CHECK_CASE(of_block_large, of_block, of_block, 1e-8, 1, 256, out(70), in(70), in(1), 70)
SIZES(all_rows, 1e-8, out(80), in(80), in(7), 60, 7)
CHECK_CASE(all_rows_none, all_rows, all_rows, 1e-8, 1, 40, inout(40), in(40), in(7), 40, 1)
SIZES(some_rows, 1e-8, out(90), in(90), in(8), given(lengths(90)), 60)
SIZES(through_list, 1e-8, out(90), in(90), in(10), given(std::vector<int>{3, 0, 4, 1, 3}), 60, 5)
SIZES(nested, 1e-8, out(90), in(90), in(24), given(lengths(90)), 60)
CHECK_SHARED(all_pairs, 2, 45, 45 * sizeof(real), out(70), in(70), 70)
CHECK_CASE(first_thread, first_thread, first_thread, 1e-8, 3, 32, out(96), in(96), in(2))
CHECK_KERNEL(halves, 2, 45, out(80), in(40), 80)
CHECK_KERNEL(from_own_start, 2, 45, out(90), in(12), 12)
CHECK_KERNEL(by_own_step, 2, 45, out(90), in(12), 12)
CHECK_KERNEL(own_place, 2, 45, out(90), in(90), in(8), 90)
CHECK_KERNEL(bins_of_blocks, 2, 45, out(90), in(90), in(16), given(lengths(90)), 90)
CHECK_KERNEL(meeting, 2, 64, out(128), in(128), in(6), 4)
TEST_MAIN
