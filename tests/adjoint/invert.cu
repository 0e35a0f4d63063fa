// Updates that the reverse loop undoes (t *= f), and such ones that only look like it and have to be stored.
#include "../support/check.cuh"

typedef double real;
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

__device__ real exponent(real x, int k) { return -0.5 * (x - 0.05 * k) * (x - 0.05 * k); }

// Left by a break, with branches that keep t.
BOTH("out wrt x, opacity, colour")
__global__ void blend(real *out, const real *x, const real *opacity, const real *colour, int n, int splats) {
    int i = HERE;
    if (i >= n) return;
    real t = 1, sum = 0;
    for (int k = 0; k < splats; k++) {
        real power = exponent(x[i], k);
        if (power > -0.0001) continue;
        real alpha = fmin(0.99, opacity[k] * exp(power));
        if (alpha < 1 / 255.0) continue;
        real next = t * (1 - alpha);
        if (next < 1e-4) break;
        sum += colour[k] * alpha * t;
        t = next;
    }
    out[i] = sum + t * 0.3;
}

// Left by a flag, and read before it is updated.
BOTH("out wrt x, opacity, colour")
__global__ void blend_until_done(real *out, const real *x, const real *opacity, const real *colour, int n,
                                 int splats) {
    int i = HERE;
    if (i >= n) return;
    real t = 1, sum = 0;
    bool done = false;
    for (int k = 0; !done && k < splats; k++) {
        real alpha = fmin(0.99, opacity[k] * exp(exponent(x[i], k)));
        if (alpha < 1 / 255.0) continue;
        real weight = alpha * t;
        if (!(t * (1 - alpha) >= 1e-4)) {
            done = true;
            continue;
        }
        t *= 1 - alpha;
        sum += colour[k] * weight;
    }
    out[i] = sum + t * t;
}

// Its start carries a derivative, a loop stands around it, and it is left before its last iteration or not.
BOTH("out wrt x, start")
__global__ void attenuate(real *out, const real *x, const real *start, int n, int rounds, int steps) {
    int i = HERE;
    if (i >= n) return;
    real total = 0;
    for (int r = 0; r < rounds; r++) {
        real t = start[i] + 0.1 * r;
        for (int k = 0; k < steps; k++) {
            real kept = fmax(0.25, x[(i + k) % n] * x[r]), next = kept * t;
            if (1e-3 > next) break;
            t = next;
            total += t * t * x[k % n];
        }
        total += total * t;
    }
    out[i] = total;
}

/* ---- stored ---- */
#define STORED(NAME, FACTOR, TEST)                                                                             \
    BOTH("out wrt x") __global__ void NAME(real *out, const real *x, int n, int steps) {                       \
        int i = HERE;                                                                                          \
        if (i >= n) return;                                                                                    \
        real t = 1, sum = 0, a[2] = {0.5, 0.75};                                                               \
        for (int k = 0; k < steps; k++) {                                                                      \
            real v = x[(i + k) % n], next = t * (FACTOR);                                                      \
            if (TEST) break;                                                                                   \
            a[k & 1] = 0.5 + 0.25 * v;                                                                         \
            sum += v * t * t + a[0] * t;                                                                       \
            t = next;                                                                                          \
        }                                                                                                      \
        out[i] = sum + t;                                                                                      \
    }

STORED(no_lower_bound, 1 - fmin(0.99, v), v > 2)
STORED(bound_of_something_else, 1 - fmin(0.99, v), t < 1e-4)
STORED(bound_too_small, 1 - fmin(0.99, v), next < 1e-300)
STORED(bound_above, 1 - fmin(0.99, v), next > 3)
STORED(factor_may_vanish, 1 - fmin(1.0, v), next < 1e-4)
STORED(factor_unknown, v, next < 1e-4)
STORED(factor_by_comparison, 1 - (v < 0.99 ? v : 0.99), next < 1e-4)
STORED(factor_of_itself, 1 - fmin(0.99, v * t), next < 1e-4)
STORED(factor_changes_later, fmax(0.25, a[k & 1]), next < 1e-4)

// The test keeps t, but does not end the loop: it cannot be told afterwards where it held.
BOTH("out wrt x")
__global__ void test_that_goes_on(real *out, const real *x, int n, int steps) {
    int i = HERE;
    if (i >= n) return;
    real t = 1, sum = 0;
    for (int k = 0; k < steps; k++) {
        real v = x[(i + k) % n], next = t * (1 - fmin(0.99, v));
        if (v > 2) break;
        if (next < 0.1) continue;
        sum += v * t * t;
        t = next;
    }
    out[i] = sum + t;
}

// Something else is decided by t, at numbers that it meets exactly: what is divided out again is a bit off.
BOTH("out wrt x")
__global__ void decides_more(real *out, const real *x, int n, int steps) {
    int i = HERE;
    if (i >= n) return;
    real t = 1, sum = 0;
    for (int k = 0; k < steps; k++) {
        real v = x[(i + k) % n], next = t * (1 - fmin(0.1, v));
        if (next < 1e-2) break;
        if (t > 0.9) sum += v * v;
        sum += v * t + v * v * (int)(8.1 * t);
        t = next;
    }
    out[i] = sum + t;
}

// A sum, whose digits are lost.
BOTH("out wrt x")
__global__ void subtracts(real *out, const real *x, int n, int steps) {
    int i = HERE;
    if (i >= n) return;
    real t = 1, sum = 0;
    for (int k = 0; k < steps; k++) {
        real v = x[(i + k) % n], next = t - 0.1 * v;
        if (next < 1e-2) break;
        sum += v * t * t;
        t = next;
    }
    out[i] = sum + t;
}

#include "invert.grad.cuh"

CHECK_KERNEL(blend, 2, 16, out(20), in(20, 0.2, 0.9), in(40, 0.2, 0.9), in(40), 20, 40)
CHECK_CASE(blend_short, blend, blend, 1e-8, 2, 16, out(20), in(20, 0.2, 0.9), in(40, 0.2, 0.9), in(40), 20, 4)
CHECK_KERNEL(blend_until_done, 2, 16, out(20), in(20, 0.2, 0.9), in(40, 0.2, 0.9), in(40), 20, 40)
CHECK_CASE(blend_not_done, blend_until_done, blend_until_done, 1e-8, 2, 16, out(20), in(20, 0.2, 0.9),
           in(40, 0.2, 0.9), in(40), 20, 3)
CHECK_KERNEL(attenuate, 2, 16, out(20), in(20, 0.6, 0.95), in(20, 0.5, 0.9), 20, 3, 12)
CHECK_KERNEL(no_lower_bound, 2, 16, out(20), in(20, 0.1, 0.8), 20, 9)
CHECK_KERNEL(bound_of_something_else, 2, 16, out(20), in(20, 0.1, 0.8), 20, 9)
CHECK_KERNEL(bound_too_small, 2, 16, out(20), in(20, 0.1, 0.8), 20, 9)
CHECK_KERNEL(bound_above, 2, 16, out(20), in(20, 0.1, 0.8), 20, 9)
CHECK_KERNEL(factor_may_vanish, 2, 16, out(20), in(20, 0.1, 0.8), 20, 9)
CHECK_KERNEL(factor_unknown, 2, 16, out(20), in(20, 0.1, 0.8), 20, 9)
CHECK_KERNEL(factor_by_comparison, 2, 16, out(20), in(20, 0.1, 0.8), 20, 9)
CHECK_KERNEL(factor_of_itself, 2, 16, out(20), in(20, 0.1, 0.8), 20, 9)
CHECK_KERNEL(factor_changes_later, 2, 16, out(20), in(20, 0.1, 0.8), 20, 9)
CHECK_KERNEL(test_that_goes_on, 2, 16, out(20), in(20, 0.1, 0.8), 20, 9)
CHECK_KERNEL(decides_more, 2, 16, out(20), in(20, 0.2, 0.8), 20, 12)
CHECK_KERNEL(subtracts, 2, 16, out(20), in(20, 0.1, 0.8), 20, 12)

TEST(what_takes_a_workspace) {
    const dim3 grid(2), block(16);
    EXPECT(blend_workspace_bytes(grid, block, nullptr, nullptr, nullptr, nullptr, 20, 1000) == 0);
    EXPECT(blend_until_done_workspace_bytes(grid, block, nullptr, nullptr, nullptr, nullptr, 20, 1000) == 0);
    EXPECT(attenuate_workspace_bytes(grid, block, nullptr, nullptr, nullptr, 20, 3, 1000) < 32 * 100);
#define TAKES(NAME)                                                                                            \
    EXPECT(NAME##_workspace_bytes(grid, block, nullptr, nullptr, 20, 1000) >= 32 * 1000 * sizeof(real))
    TAKES(no_lower_bound);
    TAKES(bound_of_something_else);
    TAKES(bound_too_small);
    TAKES(bound_above);
    TAKES(factor_may_vanish);
    TAKES(factor_unknown);
    TAKES(factor_by_comparison);
    TAKES(factor_of_itself);
    TAKES(factor_changes_later);
    TAKES(test_that_goes_on);
    TAKES(decides_more);
    TAKES(subtracts);
}
TEST_MAIN
