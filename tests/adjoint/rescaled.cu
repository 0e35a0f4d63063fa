// Sums that are rescaled with a running maximum (rewriters/formula/rescaled.c): the reverse sweep needs their
// ends and the inputs, also where several are equal; and kernels that look alike and are no such sums.
#include "../support/check.cuh"

#include <float.h>

#define THREAD const int i = blockIdx.x * blockDim.x + threadIdx.x
#define ALL    0xffffffffu

// ---- those that are not: each keeps a tape ----
enum kind {
    OTHER_DECAY,
    WRONG_RESCALE,
    OLD_MAXIMUM,
    TIMES_MAXIMUM,
    USED_INSIDE,
    LEAVES,
    BEGINS_AGAIN,
    WEIGHT_BY_WINNER,
    TWO_MAXIMA,
    SQUARED,
    LATER,
    OF_ITSELF,
    AS_OFTEN
};
template <kind KIND> __device__ double look_alike(const double *x, int n) {
    double m = -10, s = 0.5, more = 0, other = 0;
    for (int k = 0; k < n; k++) {
        const double v = x[k], next = fmax(m, v), c = exp(m - next), p = exp(v - next);
        if (KIND == OTHER_DECAY) s = s * c * 0.9 + p;
        if (KIND == WRONG_RESCALE) s = s * exp(2 * (m - next)) + p;
        if (KIND == OLD_MAXIMUM) s = s * c + exp(v - m);
        if (KIND == TIMES_MAXIMUM) s = s * c + p * next;
        if (KIND == USED_INSIDE) s = s * c + p, more += m * s;
        if (KIND == LEAVES) {
            s = s * c + p;
            if (s > 2.5) break;
        }
        if (KIND == BEGINS_AGAIN) s = v > m + 0.05 ? 1 : s * c + p;
        if (KIND == WEIGHT_BY_WINNER) s = s * c + (v > m ? p * x[0] : p);
        if (KIND == TWO_MAXIMA) {
            const double later = fmax(other, 0.9 * v);
            s = s * exp(m - later) + p;
            other = later;
        }
        if (KIND == SQUARED) s = s * s * c + p;
        if (KIND == LATER) s = (s + p) * c;
        if (KIND == OF_ITSELF) s = s * c + p * exp(-s);
        if (KIND == AS_OFTEN) { /* how many terms, the sum tells */
            s *= c;
            const int top = s > 1.5 ? 1 : 3;
            for (int j = 0; j < top; j++) s += p * (j + 1);
        }
        m = next;
    }
    return m * 0.1 + s + more;
}
#define LOOK_ALIKE(kernel, kind)                                                                               \
    BOTH("y wrt x") __global__ void kernel(double *y, const double *x, int n) {                                \
        THREAD;                                                                                                \
        y[i] = look_alike<kind>(x + i, n);                                                                     \
    }
LOOK_ALIKE(other_decay, OTHER_DECAY)
LOOK_ALIKE(wrong_rescale, WRONG_RESCALE)
LOOK_ALIKE(old_maximum, OLD_MAXIMUM)
LOOK_ALIKE(times_maximum, TIMES_MAXIMUM)
LOOK_ALIKE(used_inside, USED_INSIDE)
LOOK_ALIKE(leaves, LEAVES)
LOOK_ALIKE(begins_again, BEGINS_AGAIN)
LOOK_ALIKE(weight_by_winner, WEIGHT_BY_WINNER)
LOOK_ALIKE(two_maxima, TWO_MAXIMA)
LOOK_ALIKE(squared, SQUARED)
LOOK_ALIKE(later, LATER)
LOOK_ALIKE(of_itself, OF_ITSELF)
LOOK_ALIKE(as_often, AS_OFTEN)

// ---- those that are ----
// Without a vector; one that begins at the first, with its ends used apart.
BOTH("y wrt x")
__global__ void plain(double *y, const double *x, int n) {
    THREAD;
    double m = -INFINITY, s = 0, top = x[i], all = 1;
    for (int k = 0; k < n; k++) {
        const double v = x[i * n + k], old = m;
        m = fmax(m, v);
        s *= exp(old - m);
        s += exp(v - m);
    }
    for (int k = 1; k < n; k++) {
        const double v = x[i * n + k];
        if (v > top) all = all * exp(top - v) + 1, top = v;
        else all += exp(v - top);
    }
    y[i] = (m + log(s)) * all * (1 + 0.1 * top);
}

// By other powers, with a scale; a minimum.
struct scales {
    double by, temperature;
};
BOTH("y wrt x, a, b")
__global__ void scaled(double *y, const double *x, double a, double b, scales of, int n) {
    THREAD;
    double m = -1e30, s = 0, least = a, all = b;
    for (int k = 0; k < n; k++) {
        const double v = x[i * n + k];
        if (v > m) {
            s *= exp2(m * of.by * 1.4426950408889634 - v * of.by * 1.4426950408889634);
            m = v;
        }
        s += exp2(v * of.by * 1.4426950408889634 - m * of.by * 1.4426950408889634);
    }
    for (int k = 0; k < n; k++) {
        const double v = x[i * n + k] * b, next = fmin(least, v);
        all = all * exp((next - least) / of.temperature) - exp((next - v) / of.temperature) * x[i * n + k] / 4;
        least = next;
    }
    y[i] = m + log(s) / of.by + all * all;
}

// Attention by one thread: numbers and vectors of which all carry a derivative; some are left out.
BOTH("y wrt q, K, V")
__global__ void attention(double *y, const double *q, const double *K, const double *V, const int *left_out,
                          int n, double scale) {
    THREAD;
    double m = -INFINITY, s = 0, o[3] = {0};
    for (int k = 0; k < n; k++) {
        double v = 0;
        if (left_out[k]) continue;
        for (int d = 0; d < 3; d++) v += q[i * 3 + d] * K[k * 3 + d];
        v *= scale;
        const double next = fmax(m, v), c = exp(m - next), p = exp(v - next);
        s = s * c + p;
        for (int d = 0; d < 3; d++) o[d] = o[d] * c + p * V[k * 3 + d];
        m = next;
    }
    for (int d = 0; d < 3; d++) y[i * 3 + d] = o[d] / s;
}

// In tiles, by their maxima; loops around each other.
BOTH("y wrt x")
__global__ void tiles(double *y, const double *x, int n) {
    THREAD;
    double m = -INFINITY, s = 0, last = -INFINITY, of = 0;
    for (int t = 0; t < n; t += 4) {
        double most = -INFINITY, sum = 0;
        for (int k = 0; k < 4; k++) most = fmax(most, x[i * n + t + k]);
        const double next = fmax(m, most);
        for (int k = 0; k < 4; k++) sum += exp(x[i * n + t + k] - next);
        s = s * exp(m - next) + sum;
        m = next;
    }
    for (int t = 0; t < n; t += 4)
        for (int k = t; k < t + 4; k++) {
            const double v = 2 * x[i * n + k], next = v > last ? v : last;
            of = v > last ? of * exp(last - v) + 1 : of + exp(v - last);
            last = next;
        }
    y[i] = (m + log(s)) * (last + log(of));
}

// By steps within an iteration, of which each has its maximum, or by one of both.
BOTH("y wrt x")
__global__ void steps(double *y, const double *x, int n) {
    THREAD;
    double m = -1e30, s = 0, top = -1e30, all = 0;
    for (int k = 0; k < n; k += 2) {
        const double v = x[i * n + k], w = x[i * n + k + 1], one = fmax(m, v), two = fmax(one, w);
        s = s * exp(m - one) + exp(v - one);
        s = s * exp(one - two) + exp(w - two);
        m = two;
        const double both = fmax(fmax(top, v), w);
        all *= exp(top - both);
        all += exp(v - both) + exp(w - both);
        top = both;
    }
    y[i] = (m + log(s)) * (top + log(all));
}

// A row by a warp, then a block of them: loops, shuffles, shared memory; single precision in between.
BOTH("y wrt x")
__global__ void block_row(double *y, const double *x, int n) {
    __shared__ double tops[4], sums[4];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    double m = -FLT_MAX, s = 0;
    for (int k = threadIdx.x; k < n; k += blockDim.x) {
        const double v = x[blockIdx.x * n + k], next = fmax(m, v);
        s = s * exp(m - next) + exp(v - next);
        m = next;
    }
    for (int o = 16; o > 0; o /= 2) {
        const double other = __shfl_xor_sync(ALL, m, o), more = __shfl_xor_sync(ALL, s, o);
        const double next = fmax(m, other);
        s = s * exp(m - next) + more * exp(other - next);
        m = next;
    }
    if (lane == 0) tops[warp] = m, sums[warp] = s;
    __syncthreads();
    m = -FLT_MAX, s = 0;
    for (int w = 0; w < (int)blockDim.x / 32; w++) {
        const double next = fmax(m, tops[w]);
        s = s * exp(m - next) + sums[w] * exp(tops[w] - next);
        m = next;
    }
    for (int k = threadIdx.x; k < n; k += blockDim.x)
        y[blockIdx.x * n + k] = exp(x[blockIdx.x * n + k] - m) / s;
}

GW_GRADIENT("y wrt x")
__global__ void floats(float *y, const float *x, int n, float scale) {
    THREAD;
    float m = -INFINITY;
    double s = 0;
    for (int k = 0; k < n; k++) {
        const float v = scale * x[i * n + k], next = fmaxf(m, v);
        s = s * __expf(m - next) + __expf(v - next);
        m = next;
    }
    y[i] = m + logf((float)s);
}

// A sum in double beside one in float keeps its digits.
GW_GRADIENT("y wrt x")
__global__ void two_precisions(double *y, const double *x, int n) {
    THREAD;
    float m = -INFINITY, s = 0;
    double t = 0;
    for (int k = 0; k < n; k++) {
        const double v = x[i * n + k];
        const float next = fmaxf(m, (float)v);
        s = s * expf(m - next) + expf((float)v - next);
        t = t * exp((double)m - next) + exp(v - next);
        m = next;
    }
    y[i] = log(t) + m + 1e-30 * s;
}

#include "rescaled.grad.cuh"

#define LOOK_ALIKE_CASE(kernel) CHECK_KERNEL(kernel, 1, 4, out(4), in(12, 0.2, 1), 8)
LOOK_ALIKE_CASE(other_decay)
LOOK_ALIKE_CASE(wrong_rescale)
LOOK_ALIKE_CASE(old_maximum)
LOOK_ALIKE_CASE(times_maximum)
LOOK_ALIKE_CASE(used_inside)
LOOK_ALIKE_CASE(leaves)
LOOK_ALIKE_CASE(begins_again)
LOOK_ALIKE_CASE(weight_by_winner)
LOOK_ALIKE_CASE(two_maxima)
LOOK_ALIKE_CASE(squared)
LOOK_ALIKE_CASE(later)
LOOK_ALIKE_CASE(of_itself)
LOOK_ALIKE_CASE(as_often)

// Some have the greatest and the least several times, or are all equal.
static std::vector<double> tied(int n, int kind) {
    std::vector<double> x(n);
    for (int k = 0; k < n; k++) x[k] = kind == 2 ? 1 : 1 + 0.3 * ((7 * k + kind) % 5) - 0.02 * (k % 3);
    for (int k = 0; k < n && kind != 2; k += 3 + kind) x[k] = k % 2 ? 3 : -2;
    return x;
}
#define CASES(kernel, blocks, threads, size, ...)                                                              \
    CHECK_CASE(kernel, kernel, kernel, 1e-8, blocks, threads, __VA_ARGS__)                                     \
    CHECK_CASE(kernel##_tied, kernel, kernel, 1e-8, blocks, threads, out(size), in_given(tied(96, 0)), n)      \
    CHECK_CASE(kernel##_more, kernel, kernel, 1e-8, blocks, threads, out(size), in_given(tied(96, 1)), n)      \
    CHECK_CASE(kernel##_equal, kernel, kernel, 1e-8, blocks, threads, out(size), in_given(tied(96, 2)), n)
static const int n = 8;
CASES(tiles, 2, 3, 6, out(6), in(48), n)
CASES(steps, 2, 3, 6, out(6), in(48), n)
CASES(block_row, 3, 64, 24, out(240), in(240), 80)
CHECK_KERNEL(plain, 2, 3, out(6), in(48, -1, 1), n)
CHECK_KERNEL(scaled, 2, 3, out(6), in(48, -1, 1), active(2.5), active(0.8), scales{0.7, 1.5}, n)
CHECK_KERNEL(attention, 2, 3, out(18), in(18, -1, 1), in(21, -1, 1), in(21, -1, 1),
             list({1, 0, 0, 1, 0, 0, 0}), 7, 0.8)

static check::registration tapes("tapes", [](check::trial &trial) {
    EXPECT(!plain_workspace_bytes(2, 3, NULL, NULL, n) && !tiles_workspace_bytes(2, 3, NULL, NULL, n));
    EXPECT(!scaled_workspace_bytes(2, 3, NULL, NULL, 1, 1, scales{1, 1}, n));
    EXPECT(!attention_workspace_bytes(2, 3, NULL, NULL, NULL, NULL, NULL, n, 1));
    EXPECT(!steps_workspace_bytes(2, 3, NULL, NULL, n));
    EXPECT(!block_row_workspace_bytes(3, 64, NULL, NULL, n) && !floats_workspace_bytes(2, 3, NULL, NULL, n, 1));
#define KEEPS(kernel) EXPECT(kernel##_workspace_bytes(1, 4, NULL, NULL, n) > 0);
    KEEPS(other_decay) KEEPS(wrong_rescale) KEEPS(old_maximum) KEEPS(times_maximum) KEEPS(used_inside)
    KEEPS(leaves) KEEPS(begins_again) KEEPS(weight_by_winner) KEEPS(two_maxima) KEEPS(squared) KEEPS(later)
    KEEPS(of_itself)
    KEEPS(as_often)
});

// In single precision, of numbers far apart and equal ones: scale * exp(scale * x - y).
static check::registration of_floats("closed_form", [](check::trial &trial) {
    std::vector<float> values;
    for (int k = 0; k < 3 * n; k++) values.push_back((float)(k * 37 % 11) * (k < n ? 0.1f : 9) - 5);
    check::array<float> x(values), y(std::vector<float>(3)), d_y(std::vector<float>(3, 1)),
        d_x(std::vector<float>(3 * n));
    EXPECT_STATUS(floats_grad_launch(1, 3, 0, 0, y, x, n, 1.5f, d_y, d_x, nullptr, 0), GW_OK);
    for (int i = 0; i < 3; i++) {
        double all = 0;
        for (int k = 0; k < n; k++) all += std::exp(1.5 * values[i * n + k]);
        for (int k = 0; k < n; k++) {
            const double share = std::exp(1.5 * values[i * n + k]) / all;
            EXPECT(check::near(d_x.get()[i * n + k], 1.5 * share, 2e-5, 1e-6));
        }
    }
});

static check::registration of_both("two_precisions", [](check::trial &trial) {
    std::vector<double> values;
    for (int k = 0; k < n; k++) values.push_back(k * 37 % 11 * 0.25);
    check::array<double> x(values), d_x(std::vector<double>((size_t)n)), y(std::vector<double>(1)),
        d_y(std::vector<double>(1, 1));
    EXPECT_STATUS(two_precisions_grad_launch(1, 1, 0, 0, y, x, n, d_y, d_x, nullptr, 0), GW_OK);
    double all = 0;
    for (double v : values) all += std::exp(v);
    for (int k = 0; k < n; k++) EXPECT(check::near(d_x.get()[k], std::exp(values[k]) / all, 1e-13, 1));
});
TEST_MAIN
