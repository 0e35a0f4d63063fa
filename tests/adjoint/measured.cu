// Tapes that the host cannot bound, measured on the device: trips out of memory, exits that the values decide,
// loops in loops, shared memory, lanes of a warp, checkpoints, other tenants of the workspace.
#include "../support/check.cuh"

typedef double real;
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

BOTH("y wrt x")
__global__ void rows(real *y, const real *x, const int *first, int n) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    for (int k = first[i]; k < first[i + 1]; k++) v = v * v * 0.2 + 0.3 * x[k % n];
    y[i] = v;
}

// No push is measured of loops that never run.
BOTH("y wrt x")
__global__ void no_rows(real *y, const real *x, const int *first, int n) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    for (int k = first[0]; k < first[0]; k++) v = v * v * 0.2 + 0.3 * x[k % n];
    y[i] = v;
}

// What the inner loop runs for is in memory, too; both have values of four and of eight bytes.
BOTH("y wrt x")
__global__ void rows_of_rows(real *y, const real *x, const int *first, int n) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    int last = 1;
    for (int k = first[i]; k < first[i + 1]; k++) {
        real w = v * 0.5;
        for (int j = 0; j < first[k % n] % 5; j++) {
            w = w * w * 0.2 + 0.3 * x[last];
            last = (last * 3 + j) % n;
        }
        v = v * 0.5 + w * x[last];
    }
    y[i] = v;
}

// The inner loop's trips are made of what the outer one carries: the reverse loop pops it.
BOTH("y wrt x")
__global__ void trips_carried(real *y, const real *x, const int *first, int n) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    int length = 1 + i % 3;
    for (int k = first[i]; k < first[i + 1]; k++) {
        for (int j = 0; j < length; j++) v = v * v * 0.2 + 0.3 * x[j];
        length = (length * 5 + k) % 4;
    }
    y[i] = v;
}

BOTH("y wrt x")
__global__ void until_small(real *y, const real *x, int n) {
    int i = HERE;
    if (i >= n) return;
    real v = 1 + x[i] * x[i];
    while (v > 0.05) v = v * 0.5 * cos(v * 0.3);
    y[i] = v;
}

BOTH("y wrt x")
__global__ void at_least_once(real *y, const real *x, int n) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    int j = 0;
    do {
        j++;
        v = v * v * 0.2 + 0.3 * x[j];
    } while (j % 4 != (i + (v > 0.5)) % 4);
    y[i] = v;
}

// A batch for each block; a thread leaves the inner loop when it has seen enough.
BOTH("y wrt x")
__global__ void batches(real *y, const real *x, const int *first, const int *last, int n) {
    __shared__ real staged[8];
    int i = HERE, t = threadIdx.x;
    real v = x[i % n];
    for (int b = first[blockIdx.x]; b < last[blockIdx.x]; b += 8) {
        __syncthreads();
        staged[t] = b + t < last[blockIdx.x] ? x[(b + t) % n] : 0;
        __syncthreads();
        for (int j = 0; j < 8; j++) {
            v = v * 0.6 + staged[j] * staged[j] * v;
            if (v > 3) break;
        }
    }
    if (i < n) y[i] = v;
}

// Each round squares what the rounds before left, as often as memory says.
BOTH("y wrt x")
__global__ void squares(real *y, const real *x, const int *rounds) {
    __shared__ real s[8];
    s[threadIdx.x] = x[HERE];
    __syncthreads();
    int most = rounds[blockIdx.x];
    for (int k = 0; k < most; k++) {
        real a = s[7 - threadIdx.x];
        __syncthreads();
        s[threadIdx.x] = a * a * 0.5 + 0.2;
        __syncthreads();
    }
    y[HERE] = s[threadIdx.x];
}

// All threads of the block have seen enough: that, too, is counted.
BOTH("y wrt x")
__global__ void together(real *y, const real *x, const int *first, int n) {
    int i = HERE;
    real v = i < n ? x[i] : 0;
    bool done = i >= n;
    for (int k = 0;; k++) {
        if (__syncthreads_count(done) == (int)blockDim.x) break;
        if (!done) {
            v = v * v * 0.2 + 0.3 * x[k % n];
            done = k >= first[i] || v > 2;
        }
    }
    if (i < n) y[i] = v;
}

// The trips come out of a sum over the warp.
BOTH("y wrt x")
__global__ void by_lanes(real *y, const real *x, const int *first, int n) {
    int i = HERE;
    int mine = i < n ? first[i] % 3 : 0;
    int most = __reduce_max_sync(0xffffffffu, mine);
    real v = i < n ? x[i] : 0;
    for (int k = 0; k < most; k++) v = v * v * 0.4 + 0.3;
    if (i < n) y[i] = v;
}

BOTH("y wrt x")
__global__ void checkpointed(real *y, const real *x, const int *first, int n) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    int most = first[i + 1];
    GW_CHECKPOINT(4) for (int k = 0; k < most; k++) v = v * v * 0.2 + 0.3 * x[k % n];
    y[i] = v;
}

// One loop with a bound behind one without.
BOTH("y wrt x")
__global__ void bounded_and_not(real *y, const real *x, const int *first, int n, int m) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    for (int k = 0; k < m; k++) v = v * v * 0.2 + 0.3 * x[k];
    for (int k = first[i]; k < first[i + 1]; k++) v = v * v * 0.2 + 0.3 * x[k % n];
    for (int k = 0; k < 5; k++) v = v * v * 0.5 + 0.4;
    y[i] = v;
}

// A stack of integers decides the trips: the reverse loop puts it back, and nothing reads it behind that.
BOTH("y wrt x")
__global__ void tree(real *y, const real *x, const int *child, int n, int nodes) {
    int i = HERE, stack[8], top = 0;
    if (i >= n) return;
    real v = x[i];
    stack[top++] = i % nodes;
    while (top > 0) {
        int k = stack[--top];
        v = v * v * 0.2 + 0.3 * x[k];
        if (child[k] < nodes) stack[top++] = child[k];
        if (child[k] + 1 < nodes && v < 0.6) stack[top++] = child[k] + 1;
    }
    y[i] = v;
}

// One for each of a row's roots; another loop's trips are what the last one left.
BOTH("y wrt x")
__global__ void trees(real *y, const real *x, const int *child, const int *first, int n, int nodes) {
    int i = HERE, left[8] = {0}, top = 0;
    if (i >= n) return;
    real v = x[i];
    for (int r = first[i]; r < first[i + 1]; r++) {
        int stack[8], height = 0;
        stack[height++] = r % nodes;
        while (height > 0) {
            int k = stack[--height];
            v = v * v * 0.2 + 0.3 * x[k];
            if (child[k] < nodes) stack[height++] = child[k];
            if (child[k] + 1 < nodes) stack[height++] = child[k] + 1;
        }
    }
    left[top++] = i % nodes;
    while (top > 0) {
        int k = left[--top];
        v = v * 0.7 + 0.1 * v * x[k];
        if (child[k] < nodes) left[top++] = child[k];
        if (child[k] + 1 < nodes) left[top++] = child[k] + 1;
    }
    for (int k = left[1]; k > 0; k = (k - 1) / 2) v = v * 0.8 + 0.1 * v * x[k];
    y[i] = v;
}

// A bound that nothing comes near to is none.
BOTH("y wrt x")
__global__ void far_bound(real *y, const real *x, int n) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    for (int j = 0; j < 0x7fffffff; j++) {
        v = v * v + 0.5 + x[i];
        if (v > 3) break;
    }
    y[i] = v;
}

// Weights that every block adds to have copies in the same workspace, in front of the slots.
JOINED("y wrt x, w") GW_ACCUMULATE(w, copies)
__global__ void beside_copies(real *y, const real *x, const real *w, const int *first, int n) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    for (int k = first[i]; k < first[i + 1]; k++) v = v * v * 0.2 + 0.3 * w[threadIdx.x % 4];
    y[i] = v;
}

JOINED("y wrt x") GW_COARSEN(2)
__global__ void coarsened(real *y, const real *x, const int *first, int n) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    for (int k = first[i]; k < first[i + 1]; k++) v = v * v * 0.2 + 0.3 * x[k % n];
    y[i] = v;
}

// Two gradients stand behind one launch function, for blocks that can be divided along y and along x.
JOINED("y wrt x") GW_COARSEN(2)
__global__ void plane(real *y, const real *x, const int *first, int w, int h) {
    int i = HERE, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= w || j >= h) return;
    real v = x[j * w + i];
    for (int k = first[j]; k < first[j + 1]; k++) v = v * v * 0.2 + 0.3 * x[k % w];
    y[j * w + i] = v;
}

template <int K, class T> JOINED("y wrt x")
__global__ void instance(T *y, const T *x, const int *first, int n) {
    int i = HERE;
    if (i >= n) return;
    T v = x[i];
    for (int k = first[i]; k < first[i + 1]; k++)
        for (int j = 0; j < K; j++) v = v * v * 0.2 + 0.3 * x[(k + j) % n];
    y[i] = v;
}
template __global__ void instance<2, real>(real *, const real *, const int *, int);

#include "measured.grad.cuh"

#define ROWS list({0, 3, 4, 4, 9, 10, 17, 18, 18, 18, 23, 24, 31, 33, 33, 34, 40, 41, 41, 42, 43})
CHECK_MEASURED(rows, rows, 2, 16, 0, out(20), in(20), ROWS, 20)
CHECK_MEASURED(no_rows, no_rows, 2, 16, 0, out(20), in(20), ROWS, 20)
CHECK_MEASURED(rows_of_rows, rows_of_rows, 2, 16, 0, out(20), in(20), ROWS, 20)
CHECK_MEASURED(trips_carried, trips_carried, 2, 16, 0, out(20), in(20), ROWS, 20)
CHECK_MEASURED(until_small, until_small, 2, 16, 0, out(20), in(20), 20)
CHECK_MEASURED(at_least_once, at_least_once, 2, 16, 0, out(20), in(60), 20)
CHECK_MEASURED(batches, batches, 3, 8, 0, out(20), in(20), list({0, 5, 20}), list({5, 20, 43}), 20)
CHECK_MEASURED(squares, squares, 2, 8, 0, out(16), in(16), list({3, 5}))
CHECK_MEASURED(together, together, 3, 8, 0, out(20), in(20), ROWS, 20)
CHECK_MEASURED(by_lanes, by_lanes, 2, 32, 0, out(40), in(40), given(std::vector<int>(40, 5)), 40)
CHECK_MEASURED(checkpointed, checkpointed, 2, 16, 0, out(20), in(20), ROWS, 20)
CHECK_MEASURED(bounded_and_not, bounded_and_not, 2, 16, 0, out(20), in(20), ROWS, 20, 7)
#define CHILDREN list({1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21})
CHECK_MEASURED(tree, tree, 2, 16, 0, out(20), in(20), CHILDREN, 20, 11)
CHECK_MEASURED(trees, trees, 2, 16, 0, out(20), in(20), CHILDREN, ROWS, 20, 11)
CHECK_MEASURED(far_bound, far_bound, 2, 16, 0, out(20), in(20), 20)
CHECK_MEASURED_JOINED(beside_copies, beside_copies, 2, 16, 0, out(20), in(20), in(4), ROWS, 20)
CHECK_MEASURED_JOINED(coarsened, coarsened, 2, 16, 0, out(20), in(20), ROWS, 20)
CHECK_MEASURED_JOINED(plane, plane, dim3(2, 2), dim3(2, 3), 0, out(24), in(24), ROWS, 4, 6)
CHECK_ROW(case_instance, "instance",
          check::run_row(t, gw_row_check,
                         check::row_of(check::kernel_of(instance<2, real>), check::kernel_of(instance<2, real>),
                                       1e-8, check::launch(2, 16))
                             .joined(check::function_of(instance_grad_launch<2, real>),
                                     check::function_of(instance_jvp_launch<2, real>),
                                     check::function_of(instance_workspace_bytes_measured<2, real>),
                                     check::function_of(instance_measure_launch<2, real>)),
                         {out(20), in(20), ROWS, 20}))
TEST_MAIN
