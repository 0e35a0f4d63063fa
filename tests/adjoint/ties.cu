// Equal maxima and minima: what is smooth has its derivative there too, whichever way lanes and threads find
// them.
#include "../support/check.cuh"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cub/cub.cuh>
#include <cuda_fp16.h>

typedef double real;
#define ALL 0xffffffffu
namespace cg = cooperative_groups;

// ---- spellings, by a butterfly; the least is the greatest of what is turned round ----
template <int KIND> __device__ real greater(real a, real b) {
    if constexpr (KIND == 0) return fmax(a, b);
    if constexpr (KIND == 1) return max(b, a);
    if constexpr (KIND == 2) return a > b ? a : b;
    if constexpr (KIND == 3) return !(a >= b) ? b : a;
    if constexpr (KIND == 4) return -fmin(-a, -b);
    if constexpr (KIND == 5) return -(-a <= -b ? -a : -b);
    if constexpr (KIND == 6) {
        if (b > a) a = b;
        return a;
    }
    if constexpr (KIND == 7) {
        if (b < a) return a;
        else return b;
    }
}
template <int KIND> __device__ real greatest(real v) {
    for (int by = 16; by > 0; by /= 2) v = greater<KIND>(v, __shfl_xor_sync(ALL, v, by));
    return v;
}
__device__ real sum(real v) {
    for (int by = 16; by > 0; by /= 2) v += __shfl_xor_sync(ALL, v, by);
    return v;
}
template <int KIND> __device__ real log_sum_exp(real v) {
    const real most = greatest<KIND>(v);
    return log(sum(exp(v - most))) + most;
}
BOTH("y wrt x")
__global__ void spelled(real *y, const real *x) {
    const real v = x[threadIdx.x];
    const real first = log_sum_exp<0>(v) + 2 * log_sum_exp<1>(v) * log_sum_exp<2>(v) + log_sum_exp<3>(v) * v;
    y[threadIdx.x] = first * log_sum_exp<4>(v) + log_sum_exp<5>(v) + log_sum_exp<6>(v) * v * log_sum_exp<7>(v);
}

// The place of the greatest goes with it; loops by each thread, of cells and of what was stored.
BOTH("y wrt x")
__global__ void with_place(real *y, const real *x, int *at, int n) {
    real v = x[threadIdx.x], most = v, all = 0, first = x[0];
    int place = threadIdx.x;
    for (int by = 16; by > 0; by /= 2) {
        const real other = __shfl_xor_sync(ALL, most, by);
        const int there = __shfl_xor_sync(ALL, place, by);
        if (other > most) {
            most = other;
            place = there;
        }
    }
    for (int k = 1; k < n; k++) first = fmax(first, x[k]);
    for (int k = 0; k < n; k++) all += exp(x[k] - first);
    y[threadIdx.x] = exp(v - most) / sum(exp(v - most)) + v * (log(all) + first);
    at[threadIdx.x] = place;
}

// Loops that are turned round: the question behind the body, and a number that is loaded ahead.
BOTH("y wrt x")
__global__ void turned(real *y, const real *x, int n) {
    real behind = -INFINITY, ahead = -INFINITY, v = x[0], all = 0, other = 0;
    int k = 0;
    do {
        if (x[k] > behind) behind = x[k];
        k++;
    } while (k < n);
    for (k = 0;;) {
        if (v > ahead) ahead = v;
        if (++k >= n) break;
        v = x[k];
    }
    for (k = 0; k < n; k++) {
        all += exp(x[k] - behind);
        other += exp(x[k] - ahead);
    }
    const real own = x[threadIdx.x];
    y[threadIdx.x] = exp(own - behind) / all + own * (log(other) + ahead);
}

// ---- loops that begin at a number of their own: all lanes find one, by any spelling ----
template <int KIND> __device__ real from_own(const real *x, int n) {
    real most = x[threadIdx.x];
    for (int k = 0; k < n; k++) most = KIND > 5 && KIND != 7 ? fmax(x[k], most) : greater<KIND>(most, x[k]);
    return most;
}
template <int KIND> __device__ real by_lanes(real v, const real *x, int n) {
    const real most = from_own<KIND>(x, n);
    return log(sum(exp(v - most))) + most;
}
BOTH("y wrt x")
__global__ void own_cell(real *y, const real *x, int n) {
    const real v = x[threadIdx.x];
    const real first = by_lanes<0>(v, x, n) + by_lanes<2>(v, x, n) * v + by_lanes<3>(v, x, n);
    y[threadIdx.x] = first * by_lanes<6>(v, x, n) + by_lanes<7>(v, x, n);
}

// A loop by each lane from its own cell on, then a butterfly.
BOTH("y wrt x")
__global__ void strided(real *y, const real *x, int n) {
    const int lane = threadIdx.x;
    real most = x[lane], all = 0;
    for (int k = lane; k < n; k += 32) most = x[k] >= most ? x[k] : most;
    most = greatest<0>(most);
    for (int k = lane; k < n; k += 32) all += exp(x[k] - most);
    y[lane] = log(sum(all)) + most;
}

// One maximum, found by one loop and used with what another found.
BOTH("y wrt x")
__global__ void two_loops(real *y, const real *x, int n) {
    const real v = x[threadIdx.x], own = from_own<2>(x, n);
    real zero = x[0], first = -INFINITY, other = -INFINITY, all = 0, at_zero = 0;
    for (int k = 1; k < n; k++)
        if (x[k] > zero) zero = x[k];
    for (int k = 0; k < n; k++) first = fmax(first, x[k]);
    for (int k = 0; k < n; k += 1) other = fmax(x[k], other);
    for (int k = 0; k < n; k++) {
        all += exp(x[k] - first);
        at_zero += exp(x[k] - zero);
    }
    y[threadIdx.x] = (log(all) + zero) * v + exp(v - own) / all + log(at_zero) + other;
}

// ---- what one takes, and what is shared ----
BOTH("y wrt x")
__global__ void taken(real *y, const real *x, int n) {
    const int i = threadIdx.x;
    real first = -INFINITY, own = x[i], least = INFINITY, behind = -INFINITY;
    if (i < 2) {
        for (int k = 0; k < n; k++) first = fmax(first, x[k]);
        y[i] = first;
    } else if (i < 4) {
        for (int k = 0; k < n; k++)
            if (x[k] > own) own = x[k];
        y[i] = own;
    } else if (i < 6) {
        for (int k = 0; k < n; k++) least = fmin(x[k], least);
        y[i] = least;
    } else {
        int k = 0;
        do {
            if (x[k] > behind) behind = x[k];
            k++;
        } while (k < n);
        y[i] = i == 6 ? behind : greater<2>(x[1], x[4]) + greater<6>(x[4], x[1]) + fmin(x[0], x[5]);
    }
}

// ---- trees in shared memory, each thread all of it ----
BOTH("y wrt x")
__global__ void tree(real *y, const real *x) {
    __shared__ real most[64], all[64];
    const int t = threadIdx.x;
    real v = x[t], least = x[0];
    most[t] = all[t] = v;
    __syncthreads();
    for (int half = 32; half > 0; half /= 2) {
        if (t < half) most[t] = most[t + half] > most[t] ? most[t + half] : most[t];
        __syncthreads();
    }
    for (int k = 0; k < 64; k++) least = all[k] < least ? all[k] : least;
    real sum = 0, other = 0;
    for (int k = 0; k < 64; k++) {
        sum += exp(all[k] - most[0]);
        other += exp(least - all[k]);
    }
    y[t] = exp(v - most[0]) / sum + v * (log(other) - least);
}

// ---- cooperative groups: tiles, what of a warp has come ----
BOTH("y wrt x")
__global__ void groups(real *y, const real *x) {
    const cg::thread_block_tile<8> tile = cg::tiled_partition<8>(cg::this_thread_block());
    const real v = x[threadIdx.x];
    const real most = cg::reduce(tile, v, cg::greater<real>{}), least = cg::reduce(tile, v, cg::less<real>{});
    const real softmax = exp(v - most) / cg::reduce(tile, exp(v - most), cg::plus<real>{});
    real made = v * (log(cg::reduce(tile, exp(least - v), cg::plus<real>{})) - least);
    if (threadIdx.x % 3) {
        const cg::coalesced_group here = cg::coalesced_threads();
        const real top = cg::reduce(here, v, cg::greater<real>{});
        made += top + log(cg::reduce(here, exp(v - top), cg::plus<real>{}));
    }
    y[threadIdx.x] = softmax + made;
}

// ---- CUB: what one thread has goes to all ----
struct larger {
    __device__ real operator()(real a, real b) const { return a < b ? b : a; }
};
struct smaller {
    __device__ real operator()(real a, real b) const { return fmin(a, b); }
};
BOTH("y wrt x")
__global__ void collectives(real *y, const real *x) {
    typedef cub::BlockReduce<real, 64> block;
    typedef cub::WarpReduce<real> warp;
    __shared__ block::TempStorage for_block;
    __shared__ warp::TempStorage for_warp[2];
    __shared__ real most;
    const real v = x[threadIdx.x], greatest = block(for_block).Reduce(v, larger());
    if (threadIdx.x == 0) most = greatest;
    __syncthreads();
    real least = warp(for_warp[threadIdx.x / 32]).Reduce(v, smaller());
    least = __shfl_sync(ALL, least, 0);
    const real norm = most * sqrt(sum(v / most * (v / most)));
    y[threadIdx.x] = norm * v + least * sum(v / least) * v;
}

// ---- a comparison that decides more than the maximum: all of it from one side ----
BOTH("y wrt x")
__global__ void rescaled(real *y, const real *x, int n) {
    const int i = threadIdx.x;
    real most = x[i], all = 1;
    for (int k = 0; k < n; k++) {
        if (k == i) continue;
        const real v = x[k];
        if (v > most) {
            all = all * exp(most - v) + 1;
            most = v;
        } else {
            all += exp(v - most);
        }
    }
    y[i] = most + log(all);
}
__device__ real &larger_of(real &a, real &b) { return a > b ? a : b; }
BOTH("y wrt x")
__global__ void referred(real *y, const real *x, int n) {
    const int i = threadIdx.x;
    real a = x[i], b = x[(i + 3) % n];
    larger_of(a, b) *= x[(i + 5) % n];
    y[i] = a * b;
}

// ---- where exactness ends (docs/reference/math.md): one maximum that a loop finds, and a butterfly apart ----
BOTH("y wrt x")
__global__ void apart(real *y, const real *x, int n) {
    real most = x[0], other = x[threadIdx.x];
    for (int k = 1; k < n; k++) most = fmax(most, x[k]);
    for (int by = 16; by > 0; by /= 2) other = fmax(other, __shfl_xor_sync(ALL, other, by));
    if (threadIdx.x == 0) y[0] = most - other;
}

// ---- half precision: logits that are equal are the rule ----
BOTH("y wrt x")
__global__ void halves(float *y, const __half *x) {
    __half most = x[threadIdx.x];
    for (int by = 16; by > 0; by /= 2) most = __hmax(most, __shfl_xor_sync(ALL, most, by));
    const float top = __half2float(most), e = expf(__half2float(x[threadIdx.x]) - top);
    float all = e;
    for (int by = 16; by > 0; by /= 2) all += __shfl_xor_sync(ALL, all, by);
    y[threadIdx.x] = logf(all) + top;
}

#include "ties.grad.cuh"

// Two, three and all lanes have the greatest, others the least.
static std::vector<double> tied(int n, int kind) {
    std::vector<double> x(n);
    for (int i = 0; i < n; i++) x[i] = kind == 2 ? 1 : 1 + 0.1 * ((7 * i + kind) % 5) + 0.01 * (i % 3);
    if (kind == 0) x[5] = x[22] = 2;
    if (kind == 1) x[0] = x[3] = x[n - 1] = 2, x[6] = x[9] = x[10] = 0.5;
    return x;
}
#define CASE(kernel, kind, n, ...) CHECK_CASE(kernel##_##kind, kernel, kernel, 1e-8, 1, n, __VA_ARGS__)
#define CASES(kernel, n, ...)                                                                                  \
    CASE(kernel, 0, n, out(n), in_given(tied(n, 0)), ##__VA_ARGS__)                                            \
    CASE(kernel, 1, n, out(n), in_given(tied(n, 1)), ##__VA_ARGS__)                                            \
    CASE(kernel, 2, n, out(n), in_given(tied(n, 2)), ##__VA_ARGS__)
CASES(spelled, 32)
CASES(with_place, 32, fixed(32), 32)
CASES(turned, 32, 32)
CASES(own_cell, 32, 32)
CASES(two_loops, 32, 32)
CASE(strided, 0, 32, out(32), in_given(tied(100, 1)), 100)
CASE(strided, 1, 32, out(32), in_given(tied(100, 2)), 100)
CASES(tree, 64)
CASES(groups, 64)
CASES(collectives, 64)
CASES(rescaled, 32, 32)
CASES(referred, 32, 32)

// The greatest stand at 1, 4 and 6, the least at 0 and 5: of each loop one takes all, in both modes; in one
// that asks behind its body they share in its order, as two numbers do.
static check::registration of_taken("taken", [](check::trial &trial) {
    const std::vector<double> values = {1, 3, 2, 1.5, 3, 1, 3, 2}, none(8, 0);
    const std::vector<std::vector<double>> rows = {
        {0, 1}, {0, 1}, {0, 1}, {0, 1}, {1}, {1}, {0, 0.25, 0, 0, 0.25, 0, 0.5}, {0.5, 1, 0, 0, 1, 0.5}};
    check::array<double> x(values), y(none);
    for (int i = 0; i < 8; i++) {
        std::vector<double> one(8, 0), row = rows[i];
        one[i] = 1;
        row.resize(8);
        check::array<double> d_y(one), d_x(none);
        const size_t bytes = taken_workspace_bytes(1, 8, y, x, 8);
        check::array<char> workspace(std::vector<char>(bytes + 1));
        EXPECT_STATUS(taken_grad_launch(1, 8, 0, 0, y, x, 8, d_y, d_x, workspace, bytes), GW_OK);
        EXPECT(d_x.get() == row);
        for (int k = 0; k < 8; k++) {
            std::vector<double> along(8, 0);
            along[k] = 1;
            check::array<double> t_x(along), t_y(none);
            EXPECT_STATUS(taken_jvp_launch(1, 8, 0, 0, y, x, 8, t_y, t_x), GW_OK);
            EXPECT(t_y.get()[i] == row[k]);
        }
    }
});

// The difference is 0 whatever x is, and so is its derivative but where two are equal: the loop gives all to
// the first, the butterfly half to each.
static check::registration of_apart("apart", [](check::trial &trial) {
    for (const bool is_tie : {true, false}) {
        std::vector<double> values = tied(32, 0), none(32, 0), one = none, want = none, along = none;
        if (is_tie) want[5] = 0.5, want[22] = -0.5;
        if (!is_tie) values[22] = 1.9;
        one[0] = along[5] = 1;
        check::array<double> x(values), y(none), d_y(one), d_x(none), t_x(along), t_y(none);
        const size_t bytes = apart_workspace_bytes(1, 32, y, x, 32);
        check::array<char> workspace(std::vector<char>(bytes + 1));
        EXPECT_STATUS(apart_grad_launch(1, 32, 0, 0, y, x, 32, d_y, d_x, workspace, bytes), GW_OK);
        EXPECT(d_x.get() == want);
        EXPECT_STATUS(apart_jvp_launch(1, 32, 0, 0, y, x, 32, t_y, t_x), GW_OK);
        EXPECT(t_y.get()[0] == want[5]);
    }
});

static check::registration of_halves("halves", [](check::trial &trial) {
    std::vector<__half> values;
    std::vector<float> ones(32, 1), none(32);
    double all = 0;
    for (int i = 0; i < 32; i++) values.push_back(__float2half(i % 5 == 0 ? 2 : 0.25f * (i % 7)));
    for (const __half &v : values) all += std::exp((double)__half2float(v));
    check::array<__half> x(values);
    check::array<float> y(none), d_y(ones), d_x(none), t_y(none), t_x(ones);
    EXPECT_STATUS(halves_grad_launch(1, 32, 0, 0, y, x, d_y, d_x, nullptr, 0), GW_OK);
    EXPECT_STATUS(halves_jvp_launch(1, 32, 0, 0, y, x, t_y, t_x), GW_OK);
    for (int i = 0; i < 32; i++) {
        EXPECT(check::near(d_x.get()[i], 32 * std::exp((double)__half2float(values[i])) / all, 1e-5));
        EXPECT(check::near(t_y.get()[i], 1, 1e-5));
    }
});
TEST_MAIN
