// Shuffles of every kind and width, votes, matches and reductions; sums, scans and soft maxima written with
// them.
#include "../support/check.cuh"

typedef double real;
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)
#define LANE (int)(threadIdx.x % 32)
#define ALL 0xffffffffu

// ---- every kind ----
BOTH("y wrt x")
__global__ void by_lane(real *y, const real *x) {
    real v = x[HERE] * x[HERE];
    y[HERE] = __shfl_sync(ALL, v, (LANE * 7 + 3) % 32) * x[HERE] + __shfl_sync(ALL, v, LANE / 3) * v;
}

BOTH("y wrt x")
__global__ void from_one(real *y, const real *x, int lane) {
    real v = x[HERE] * x[HERE];
    y[HERE] = __shfl_sync(ALL, v, lane) * x[HERE] + __shfl_sync(ALL, v, 37) * v;
}

BOTH("y wrt x")
__global__ void up_and_down(real *y, const real *x, unsigned distance) {
    real v = x[HERE] * x[HERE];
    real above = __shfl_up_sync(ALL, v, 1), below = __shfl_down_sync(ALL, v, distance);
    y[HERE] = above * v + below * above * x[HERE];
}

BOTH("y wrt x")
__global__ void crossed(real *y, const real *x, int other) {
    real v = x[HERE] * x[HERE];
    y[HERE] = __shfl_xor_sync(ALL, v, 5) * x[HERE] + __shfl_xor_sync(ALL, v, other) * v;
}

// Parts of the warp: what would leave a part stays, or reads an earlier part (xor).
template <int WIDTH> __device__ real parts(real v, real x, int other) {
    real a = __shfl_sync(ALL, v, other, WIDTH), b = __shfl_up_sync(ALL, v, other, WIDTH);
    real c = __shfl_down_sync(ALL, v, other, WIDTH), d = __shfl_xor_sync(ALL, v, other, WIDTH);
    real e = __shfl_xor_sync(ALL, x, 17, WIDTH), f = __shfl_down_sync(ALL, x, 33, WIDTH);
    return a * b + c * d * x + a * e + e * f;
}
BOTH("y wrt x")
__global__ void widths(real *y, const real *x, int other) {
    real v = x[HERE] * x[HERE];
    y[HERE] = parts<1>(v, x[HERE], other) + parts<2>(v, x[HERE], other) * parts<4>(v, x[HERE], other) +
              parts<8>(v, x[HERE], other) * parts<16>(v, x[HERE], other);
}

// Distances that differ from lane to lane.
BOTH("y wrt x")
__global__ void apart(real *y, const real *x, const int *way) {
    real v = x[HERE] * x[HERE];
    int own = way[HERE];
    real a = __shfl_up_sync(ALL, v, own, 16), b = __shfl_down_sync(ALL, v, own, 8);
    real c = __shfl_xor_sync(ALL, v, own, 16), d = __shfl_sync(ALL, v, own, 8);
    y[HERE] = a * b + c * d * x[HERE];
}

// Fewer lanes than a warp has: some are not in the mask, some have left, some never were.
BOTH("y wrt x")
__global__ void some_lanes(real *y, const real *x) {
    real v = x[HERE] * x[HERE];
    if (LANE % 2) {
        real w = __shfl_sync(0xaaaaaaaau, v, 13);
        y[HERE] = w * v + __shfl_xor_sync(0xaaaaaaaau, w * v, 2) * __shfl_up_sync(0xaaaaaaaau, v, 4);
    } else {
        y[HERE] = v;
    }
}

BOTH("y wrt x")
__global__ void returned(real *y, const real *x, int n) {
    if (HERE >= n) return;
    real v = x[HERE] * x[HERE];
    y[HERE] = __shfl_up_sync(ALL, v, 1) * v + __shfl_sync(ALL, v, 0) + __shfl_sync(ALL, v, LANE / 2) * x[HERE];
}

BOTH("y wrt x")
__global__ void small_block(real *y, const real *x) {
    real v = x[HERE] * x[HERE];
    y[HERE] = __shfl_up_sync(ALL, v, 1) * v + __shfl_sync(ALL, v, 2) * __shfl_xor_sync(ALL, v, 4);
}

// Floats and integers; what goes through integers has no derivative.
template <class T> __device__ void all_types(T *y, const T *x, const int *k) {
    T v = x[HERE] * x[HERE];
    int i = __shfl_up_sync(ALL, k[HERE], 1);
    unsigned u = __shfl_xor_sync(ALL, (unsigned)k[HERE], 3);
    long long l = __shfl_down_sync(ALL, (long long)k[HERE] << 33, 2);
    unsigned long long ul = __shfl_sync(ALL, (unsigned long long)k[HERE], 4);
    y[HERE] = __shfl_down_sync(ALL, v, 3) * (T)(i + (int)u + (int)(l >> 33) + (int)ul) + (T)i * v;
}
BOTH("y wrt x")
__global__ void types(float *y, const float *x, const int *k) { all_types(y, x, k); }
__global__ void types_double(double *y, const double *x, const int *k) { all_types(y, x, k); }

// ---- votes, matches, reductions ----
BOTH("y wrt x")
__global__ void votes(real *y, const real *x) {
    real v = x[HERE] * x[HERE];
    unsigned big = __ballot_sync(ALL, x[HERE] > 1);
    if (__any_sync(ALL, x[HERE] > 1.9)) v *= x[HERE];
    if (__all_sync(ALL, x[HERE] > 0.1)) v *= 2;
    if (big >> LANE & 1) v = v * x[HERE];
    y[HERE] = v * __popc(big) + __popc(big & ((1u << LANE) - 1)) * x[HERE];
}

BOTH("y wrt x")
__global__ void matches(real *y, const real *x, const int *key) {
    unsigned same = __match_any_sync(ALL, key[HERE]);
    int all;
    unsigned everyone = __match_all_sync(ALL, key[0], &all);
    real v = x[HERE] * x[HERE] * __popc(same) * (all ? 3 : 1) * __popc(everyone);
    y[HERE] = __shfl_sync(ALL, v, __ffs(same) - 1) * x[HERE];
}

BOTH("y wrt x")
__global__ void reductions(real *y, const real *x, const int *k) {
    int sum = __reduce_add_sync(ALL, k[HERE]), most = __reduce_max_sync(ALL, k[HERE]),
        least = __reduce_min_sync(ALL, k[HERE]);
    unsigned bits = __reduce_or_sync(ALL, (unsigned)k[HERE]) + __reduce_and_sync(ALL, (unsigned)k[HERE]) +
                    __reduce_xor_sync(ALL, (unsigned)k[HERE]);
    y[HERE] = x[HERE] * x[HERE] * (sum + most - least) + x[HERE] * bits;
}

// The lanes that came here, once; the mask is kept for the reverse sweep.
BOTH("y wrt x")
__global__ void active_lanes(real *y, const real *x, int n) {
    if (HERE >= n) return;
    real v = x[HERE] * x[HERE];
    if (n > 5) {
        unsigned mask = __activemask();
        v = __shfl_sync(mask, v, 0) * v;
    }
    y[HERE] = v * v;
}

// ---- sums, scans, soft maxima ----
__device__ real warp_sum(real v) {
    for (int distance = 16; distance > 0; distance /= 2) v += __shfl_down_sync(ALL, v, distance);
    return v;
}

BOTH("sum wrt x")
__global__ void block_sum(real *sum, const real *x, int n) {
    __shared__ real part[32];
    real v = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) v += x[i] * x[i] * x[i];
    v = warp_sum(v);
    if (LANE == 0) part[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x < 32) {
        v = threadIdx.x < blockDim.x / 32 ? part[LANE] : 0;
        v = warp_sum(v);
        if (threadIdx.x == 0) sum[blockIdx.x] = v * v;
    }
}

BOTH("y wrt x")
__global__ void warp_scan(real *y, const real *x) {
    real v = x[HERE] * x[HERE];
#pragma unroll
    for (int distance = 1; distance < 32; distance *= 2) {
        real other = __shfl_up_sync(ALL, v, distance);
        if (LANE >= distance) v += other;
    }
    y[HERE] = v * v;
}

BOTH("y wrt x")
__global__ void warp_products(real *y, const real *x, int rounds) {
    real v = x[HERE];
    for (int k = 0; k < rounds; k++) {
        real other = __shfl_up_sync(ALL, v, 1 << k);
        if (LANE >= 1 << k) v *= 0.5 * other;
    }
    y[HERE] = v;
}

BOTH("y wrt x")
__global__ void block_scan(real *y, const real *x) {
    __shared__ real total[4];
    int warp = threadIdx.x / 32;
    real v = x[HERE] * x[HERE];
    for (int distance = 1; distance < 32; distance *= 2) {
        real other = __shfl_up_sync(ALL, v, distance);
        if (LANE >= distance) v += other;
    }
    if (LANE == 31) total[warp] = v;
    __syncthreads();
    for (int k = 0; k < warp; k++) v += total[k];
    y[HERE] = v * v;
}

BOTH("y wrt x")
__global__ void softmax_row(real *y, const real *x, int columns) {
    int row = HERE / 32;
    real most = -1e30;
    for (int c = LANE; c < columns; c += 32) most = fmax(most, x[row * columns + c]);
    for (int distance = 16; distance > 0; distance /= 2)
        most = fmax(most, __shfl_xor_sync(ALL, most, distance));
    real sum = 0;
    for (int c = LANE; c < columns; c += 32) sum += exp(x[row * columns + c] - most);
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(ALL, sum, distance);
    for (int c = LANE; c < columns; c += 32) y[row * columns + c] = exp(x[row * columns + c] - most) / sum;
}

// ---- in loops and branches ----
// Values of other lanes that formulas need, in a loop.
BOTH("y wrt x, w")
__global__ void in_loop(real *y, const real *x, const real *w, int rounds) {
    real v = x[HERE];
    for (int k = 0; k < rounds; k++) {
        real left = __shfl_up_sync(ALL, v, 1, 8), right = __shfl_down_sync(ALL, v, 1, 8);
        v = 0.3 * sin(left * right) + w[k] * v;
    }
    y[HERE] = v;
}

// A branch that a whole warp takes or not.
BOTH("y wrt x")
__global__ void in_branch(real *y, const real *x) {
    real v = x[HERE] * x[HERE];
    if (threadIdx.x / 32 == 1) {
        real w = __shfl_xor_sync(ALL, v, 9);
        v = w * v * __shfl_sync(ALL, w, LANE / 4);
    } else {
        v = __shfl_up_sync(ALL, v, 2) * v;
    }
    y[HERE] = v;
}

// Each warp has its own number of rounds; the last is found by a vote.
BOTH("y wrt x")
__global__ void until_all(real *y, const real *x) {
    real v = x[HERE];
    for (int k = 0; k < 12; k++) {
        if (__all_sync(ALL, v > 3)) break;
        v += 0.3 * v * __shfl_xor_sync(ALL, v, 1);
    }
    y[HERE] = v;
}

// Lanes leave a loop one after another, and the others go on without them.
BOTH("y wrt x")
__global__ void leaving(real *y, const real *x, const int *rounds) {
    real v = x[HERE];
    unsigned mask = ALL;
    for (int k = 0; k < 6; k++) {
        mask = __ballot_sync(mask, k < rounds[HERE]);
        if (k >= rounds[HERE]) break;
        v = 0.3 * v * __shfl_sync(mask, v, __ffs(mask) - 1) + x[HERE];
    }
    y[HERE] = v;
}

// Shared memory of a warp, ordered by __syncwarp.
BOTH("y wrt x")
__global__ void ordered(real *y, const real *x) {
    __shared__ real s[64];
    int t = threadIdx.x;
    s[t] = x[HERE] * x[HERE];
    __syncwarp();
    real other = s[t ^ 3];
    __syncwarp();
    s[t] = other * x[HERE];
    __syncwarp(ALL);
    y[HERE] = s[t ^ 5] * other;
}

#include "shuffles.grad.cuh"

CHECK_KERNEL(by_lane, 2, 64, out(128), in(128))
CHECK_KERNEL(from_one, 2, 64, out(128), in(128), 9)
CHECK_KERNEL(up_and_down, 2, 64, out(128), in(128), 3u)
CHECK_KERNEL(crossed, 2, 64, out(128), in(128), 12)
CHECK_KERNEL(widths, 1, 64, out(64), in(64), 3)
CHECK_CASE(widths_far, widths, widths, 1e-8, 1, 64, out(64), in(64), 21)
CHECK_KERNEL(apart, 1, 32, out(32), in(32), list({3,  0, 7, 12, 1, 1,  30, 9,  4,  8, 8, 2, 31, 5, 6, 16,
                                                  17, 3, 2, 1,  0, 11, 13, 15, 10, 6, 7, 1, 2,  3, 4, 5}))
CHECK_KERNEL(some_lanes, 1, 64, out(64), in(64))
CHECK_KERNEL(returned, 2, 32, out(50), in(50), 50)
CHECK_KERNEL(small_block, 2, 8, out(16), in(16))
CHECK_FLOAT(types, types_double, 1e-5, 1, 32, out(32), in(32),
            list({3, 1, 3, 1, 2, 2, 2, 3, 3, 1, 3, 1, 2, 2, 2, 3,
                  3, 1, 3, 1, 2, 2, 2, 3, 3, 1, 3, 1, 2, 2, 2, 9}))
CHECK_KERNEL(votes, 2, 32, out(64), in(64, 0.2, 1.8))
CHECK_KERNEL(matches, 1, 32, out(32), in(32), list({3, 1, 3, 1, 2, 2, 2, 3, 3, 1, 3, 1, 2, 2, 2, 3,
                                                    3, 1, 3, 1, 2, 2, 2, 3, 3, 1, 3, 1, 2, 2, 2, 9}))
CHECK_KERNEL(reductions, 1, 32, out(32), in(32), list({3, 1, 3, 1, 2, 2, 2, 3, 3, 1, 3, 1, 2, 2, 2, 3,
                                                       3, 1, 3, 1, 2, 2, 2, 3, 3, 1, 3, 1, 2, 2, 2, 9}))
CHECK_KERNEL(active_lanes, 2, 32, out(50), in(50), 50)
CHECK_KERNEL(block_sum, 2, 96, out(2), in(200), 200)
CHECK_KERNEL(warp_scan, 2, 32, out(64), in(64))
CHECK_KERNEL(warp_products, 1, 32, out(32), in(32), 5)
CHECK_KERNEL(block_scan, 2, 128, out(256), in(256))
CHECK_KERNEL(softmax_row, 1, 64, out(100), in(100), 50)
CHECK_KERNEL(in_loop, 1, 32, out(32), in(32), in(6, 0.2, 0.6), 6)
CHECK_KERNEL(in_branch, 1, 64, out(64), in(64))
CHECK_KERNEL(until_all, 1, 64, out(64), in(64, 0.5, 1))
CHECK_KERNEL(leaving, 1, 32, out(32), in(32), list({3, 1, 3, 1, 2, 2, 2, 3, 3, 1, 3, 1, 2, 2, 2, 3,
                                                    3, 1, 3, 1, 2, 2, 2, 3, 3, 1, 3, 5, 2, 2, 2, 6}))
CHECK_KERNEL(ordered, 2, 32, out(64), in(64))
TEST_MAIN
