// Loops with barriers that meet other constructs: nested, prefetching, left by a value in shared memory, with
// arrays of a thread.
#include "../support/check.cuh"
typedef double real;
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

BOTH("y wrt x, v")
__global__ void broadcast(real *y, const real *x, const real *v, int n) {
    __shared__ real s;
    real sum = v[HERE];
    for (int k = 0; k < n; k++) {
        if (threadIdx.x == 0) s = x[k] * x[k];
        __syncthreads();
        sum += s * sum * 0.1;
        __syncthreads();
    }
    y[HERE] = sum;
}

BOTH("y wrt x")
__global__ void nested(real *y, const real *x, int n, int m) {
    __shared__ real a[8], b[8];
    int t = threadIdx.x;
    real sum = 0;
    for (int k = 0; k < n; k++) {
        a[t] = x[k * 8 + t];
        __syncthreads();
        for (int j = 0; j < m; j++) {
            b[t] = a[(t + j) % 8] * a[t] + sum * 0.1;
            __syncthreads();
            sum += b[7 - t] * a[j % 8];
            __syncthreads();
        }
    }
    y[HERE] = sum;
}

BOTH("y wrt x")
__global__ void prefetch(real *y, const real *x, int n) {
    __shared__ real s[2][8];
    int t = threadIdx.x;
    real sum = 0;
    s[0][t] = x[t];
    __syncthreads();
    for (int k = 0; k < n; k++) {
        if (k + 1 < n) s[(k + 1) % 2][t] = x[(k + 1) * 8 + t];
        sum += s[k % 2][7 - t] * s[k % 2][t];
        __syncthreads();
    }
    y[HERE] = sum;
}

BOTH("y wrt x")
__global__ void until(real *y, const real *x, int most) {
    __shared__ real s[8];
    int t = threadIdx.x, k = 0;
    s[t] = x[HERE];
    __syncthreads();
    while (s[0] > 0.3 && k < most) {
        real a = s[(t + 1) % 8];
        __syncthreads();
        s[t] = s[t] * a * 0.8;
        __syncthreads();
        k++;
    }
    y[HERE] = s[t] * s[7 - t];
}

BOTH("y wrt x")
__global__ void branch_in_loop(real *y, const real *x, int n) {
    __shared__ real s[8];
    int t = threadIdx.x;
    real v = x[HERE];
    s[t] = v;
    __syncthreads();
    for (int k = 0; k < n; k++) {
        if (k % 2 == 0) {
            real o = s[(t + k) % 8];
            __syncthreads();
            s[t] = v * o;
            __syncthreads();
        } else if (t % 2) {
            v += 0.25 * s[t];
        }
    }
    y[HERE] = v * s[t];
}
struct pt {
    real x, y;
};

BOTH("y wrt x")
__global__ void member(real *y, const real *x, int n) {
    __shared__ pt p[8];
    int t = threadIdx.x;
    real sum = 0;
    for (int k = 0; k < n; k++) {
        p[t].x = x[k * 8 + t];
        if (k == 0) p[t].y = x[t] * x[t];
        __syncthreads();
        sum += p[7 - t].x * p[(t + 1) % 8].y;
        __syncthreads();
    }
    y[HERE] = sum;
}

BOTH("y wrt x")
__global__ void local_array(real *y, const real *x, int n) {
    __shared__ real s[8];
    real keep[3] = {0, 0, 0};
    int t = threadIdx.x;
    s[t] = x[HERE];
    __syncthreads();
    for (int k = 0; k < n; k++) {
        real a = s[(t + 1) % 8];
        __syncthreads();
        keep[k % 3] += a * a;
        s[t] = a * keep[(k + 1) % 3] + s[t];
        __syncthreads();
    }
    y[HERE] = keep[0] * keep[1] + keep[2] * s[t];
}

BOTH("y wrt x")
__global__ void early_in_branch(real *y, const real *x, int n) {
    __shared__ real s[16];
    int i = HERE, t = threadIdx.x;
    s[t] = 1;
    if (i >= n) return;
    if (x[i] > 1.2) {
        y[i] = x[i];
        return;
    }
    s[t] = x[i];
    __syncthreads();
    for (int k = 0; k < 3; k++) {
        real a = s[(t + 1) % 16];
        __syncthreads();
        s[t] = s[t] + a * a * 0.5;
        __syncthreads();
        if (__syncthreads_or(a > 50)) break;
    }
    y[i] = s[t];
}

// ---- the last tile is shorter: what is read of it, all threads of it stored ----
BOTH("y wrt x")
__global__ void short_tile(real *y, const real *x, const int *from) {
    __shared__ real s[8];
    int t = threadIdx.x, begin = from[blockIdx.x], end = from[blockIdx.x + 1];
    real sum = 0.5;
    for (int base = begin; base < end; base += 8) {
        int k = base + t, count = min(8, end - base);
        if (k < end) s[t] = x[k] * x[k];
        __syncthreads();
        for (int j = 0; j < count; j++) sum += s[j] * s[j] * (j + t);
        __syncthreads();
    }
    y[HERE] = sum;
}

// A tile begins at what stands at an index that may wrap around: it is one value for the block all the same.
BOTH("y wrt x")
__global__ void tiles_of_a_grid(real *y, const real *x, const int *from) {
    __shared__ real s[8];
    int t = threadIdx.y * 4 + threadIdx.x;
    unsigned block = blockIdx.y * gridDim.x + blockIdx.x;
    int begin = from[block], end = from[block + 1];
    real sum = 0.5;
    for (int round = 0; round < 9; round++) {
        int base = begin + round * 8;
        if (base >= end) break;
        if (base + t < end) s[t] = x[base + t] * x[base + t];
        __syncthreads();
        for (int j = 0; j < min(8, end - base); j++) sum += s[j] * s[j] * (j + t);
        __syncthreads();
    }
    y[block * 8 + t] = sum;
}

// A set that grows, in two dimensions and from the end.
BOTH("y wrt x")
__global__ void growing(real *y, const real *x, int n) {
    __shared__ real s[2][4];
    int t = threadIdx.x, r = threadIdx.y;
    real sum = 0;
    for (int k = 0; k < n; k++) {
        if (t >= 4 - k && r < 2) s[r][t] = x[k * 8 + r * 4 + t];
        __syncthreads();
        for (int j = 3; j + k > 3 && j >= 0; j--) sum += s[1 - r][j] * s[r][j];
        __syncthreads();
    }
    y[r * 4 + t] = sum;
}

// What stays of the tile before is read too: one cell more, all cells, cells of another condition.
BOTH("y wrt x")
__global__ void one_stale(real *y, const real *x, int n) {
    __shared__ real s[8];
    int t = threadIdx.x;
    real sum = 0;
    for (int base = 0; base < n; base += 8) {
        int k = base + t;
        if (k < n) s[t] = x[k];
        __syncthreads();
        for (int j = 0; j < 8 && base + j <= n; j++) sum += s[j] * s[j] * (j + 1);
        __syncthreads();
    }
    y[HERE] = sum;
}

BOTH("y wrt x")
__global__ void all_stale(real *y, const real *x, int n) {
    __shared__ real s[8];
    int t = threadIdx.x;
    real sum = 0;
    for (int base = 0; base < n; base += 8) {
        if (base + t < n) s[t] = x[base + t];
        __syncthreads();
        sum += s[7 - t] * s[7 - t];
        __syncthreads();
    }
    y[HERE] = sum;
}

BOTH("y wrt x")
__global__ void other_bound(real *y, const real *x, int n, int m, int rounds) {
    __shared__ real s[8];
    int t = threadIdx.x;
    real sum = 0;
    for (int k = 0; k < rounds; k++) {
        if (t + k < n) s[t] = x[k * 8 + t];
        __syncthreads();
        for (int j = 0; j + k < m && j < 8; j++) sum += s[j] * s[j];
        __syncthreads();
    }
    y[HERE] = sum;
}

// The cell is another one in each iteration.
BOTH("y wrt x")
__global__ void moving(real *y, const real *x, int n) {
    __shared__ real s[8];
    int t = threadIdx.x;
    real sum = 0;
    for (int k = 0; k < n; k++) {
        if (t >= k) s[t - k] = x[k * 8 + t];
        __syncthreads();
        for (int j = 0; j < 8 - k; j++) sum += s[j] * s[j];
        if (k > 0) sum += s[8 - k] * s[8 - k];
        __syncthreads();
    }
    y[HERE] = sum;
}

// No formula needs what a sum of cells was: its rounds run again without their loads, inside of a loop too.
BOTH("y wrt x")
__global__ void sums(real *y, const real *x, int rows) {
    __shared__ real part[16];
    int t = threadIdx.x;
    real all = 0;
    for (int r = 0; r < rows; r++) {
        part[t] = x[r * blockDim.x + t] * x[r * blockDim.x + t];
        __syncthreads();
        for (int o = blockDim.x / 2; o > 0; o /= 2) {
            if (t < o) part[t] += part[t + o];
            __syncthreads();
        }
        all += part[0] * x[r * blockDim.x + t] + sin(part[0]);
        __syncthreads();
    }
    y[t] = all;
}

// The same rounds with a product, and with a sum that another formula needs in one of them: recorded.
BOTH("y, z wrt x")
__global__ void products(real *y, real *z, const real *x) {
    __shared__ real part[16], sum[16];
    int t = threadIdx.x, i = HERE;
    part[t] = sum[t] = x[i];
    __syncthreads();
    real kept = 0;
    for (int o = blockDim.x / 2; o > 0; o /= 2) {
        if (t < o) part[t] *= part[t + o];
        if (t < o) sum[t] += sum[t + o];
        if (o == 2) kept = sum[t] * sum[t];
        __syncthreads();
    }
    y[i] = part[0] * x[i];
    z[i] = kept;
}

#include "staging.grad.cuh"

CHECK_KERNEL(broadcast, 2, 8, out(16), in(5), in(16), 5)
CHECK_KERNEL(nested, 1, 8, out(8), in(24), 3, 4)
CHECK_KERNEL(prefetch, 1, 8, out(8), in(40), 5)
CHECK_KERNEL(until, 2, 8, out(16), in(16), 6)
CHECK_KERNEL(branch_in_loop, 2, 8, out(16), in(16), 5)
CHECK_KERNEL(member, 1, 8, out(8), in(32), 4)
CHECK_KERNEL(local_array, 2, 8, out(16), in(16), 5)
CHECK_KERNEL(early_in_branch, 2, 16, out(27), in(27), 27)
CHECK_KERNEL(short_tile, 2, 8, out(16), in(30), list({0, 19, 30}))
CHECK_KERNEL(tiles_of_a_grid, dim3(2, 2), dim3(4, 2), out(32), in(30), list({0, 19, 19, 22, 30}))
CHECK_KERNEL(growing, 1, dim3(4, 2), out(8), in(40), 5)
CHECK_KERNEL(one_stale, 1, 8, out(8), in(21), 21)
CHECK_KERNEL(all_stale, 1, 8, out(8), in(21), 21)
CHECK_KERNEL(other_bound, 1, 8, out(8), in(40), 9, 11, 5)
CHECK_KERNEL(moving, 1, 8, out(8), in(40), 5)
CHECK_KERNEL(sums, 1, 8, out(8), in(40), 5)
CHECK_KERNEL(products, 2, 8, out(16), out(16), in(16))

TEST(what_is_staged_again_needs_no_tape) {
    EXPECT(short_tile_workspace_bytes(2, 8, nullptr, nullptr, nullptr) == 0);
    EXPECT(tiles_of_a_grid_workspace_bytes(dim3(2, 2), dim3(4, 2), nullptr, nullptr, nullptr) == 0);
    EXPECT(growing_workspace_bytes(1, dim3(4, 2), nullptr, nullptr, 5) == 0);
    EXPECT(all_stale_workspace_bytes(1, 8, nullptr, nullptr, 21) > 0);
    EXPECT(other_bound_workspace_bytes(1, 8, nullptr, nullptr, 9, 11, 5) > 0);
    EXPECT(moving_workspace_bytes(1, 8, nullptr, nullptr, 5) > 0);
}
TEST_MAIN
