// Counters of other shapes than i++: what has to be known to run a loop backwards, or to see that it need not
// be.
#include "../support/check.cuh"

#include <climits>

typedef double real;
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

BOTH("y wrt x")
__global__ void post_decrement(real *y, const real *x, int n) {
    int i = HERE;
    if (i >= n) return;
    real sum = x[i];
    for (unsigned k = 4; k-- > 0;) sum = sum * 0.5 + x[k] * x[k];
    y[i] = sum;
}

// No iterations, of bounds that nothing can be subtracted from, and bounds that nothing can be added to.
BOTH("y wrt x")
__global__ void at_the_limits(real *y, const real *x, int low, int high) {
    real v = x[HERE];
    for (int k = low; k < high; k++) v = v * v * 0.7;
    for (int k = 0; k < low; k++) v = v * v * 0.7;
    for (int k = high; k > low; k--) v = v * v * 0.7;
    y[HERE] = v;
}

// Iterations that do not feed each other: no tape, whatever the counter does.
BOTH("y wrt x")
__global__ void loop_doubles(real *y, const real *x, int n) {
    int i = HERE;
    if (i >= n) return;
    real sum = 0;
    for (int k = 1; k < n; k *= 2) sum += x[k] * x[i];
    for (int k = n; k > 0; k >>= 1) sum += x[k - 1] * x[i] * x[i];
    y[i] = sum;
}

// A signed counter against an unsigned bound: by a factor, and by steps to a bound that is computed anew.
BOTH("y wrt x")
__global__ void against_unsigned(real *y, const real *x, unsigned n, unsigned long long m) {
    int i = HERE;
    if (i >= (int)n) return;
    real v = x[i];
    for (int o = 1; (unsigned)o < blockDim.x; o *= 2) v = v - 0.1 * v * v * x[o];
    for (int o = 3; n > (unsigned)o; o <<= 1) v = v + 0.05 * v * v * x[o];
    for (int o = 0; (unsigned long long)o < m; o += 2) v = v - 0.1 * v * v * x[o];
    y[i] = v;
}

BOTH("y wrt x")
__global__ void while_counts(real *y, const real *x, int n, int steps) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    while (steps--) v = v * v * 0.7;
    y[i] = v;
}

BOTH("y wrt x")
__global__ void step_of_parameter(real *y, const real *x, int n, int step) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    for (int k = 0; k < n; k += step) v = v - 0.1 * v * v * x[k];
    for (int k = n - 1; k >= 0; k -= step) v = v + 0.05 * v * x[k];
    y[i] = v;
}

BOTH("y wrt x")
__global__ void unequal_end(real *y, const real *x, int n) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    for (int k = 0; k != 6; k += 2) v = v * v * 0.3 + 0.4 * x[k];
    for (unsigned k = 0; k <= 3u; ++k) v = v * 0.4 * v + 0.4 * x[k];
    y[i] = v;
}

BOTH("y wrt x")
__global__ void two_counters(real *y, const real *x, int n) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    for (int a = 0, b = n - 1; a < b; a++, b--) v = v + 0.1 * v * x[a] * x[b];
    y[i] = v;
}

// ---- increments that do more than count ----
BOTH("y wrt x") __global__ void steps_what_the_body_sets(real *y, const real *x, int n, int count) {
    int i = HERE, at = i;
    real sum = 0, weight = 1;
    if (i >= n) return;
    for (int k = 0; k < count; k++, at += 2, weight *= x[i]) {
        if (k == 2) at = k;
        if (k == 3) weight = x[k];
        sum += x[at] * weight;
    }
    y[i] = sum;
}
BOTH("y wrt x") __global__ void stores_in_the_increment(real *y, const real *x, int n, int count) {
    int i = HERE;
    real last[2] = {x[i % n], 1};
    if (i >= n) return;
    for (int k = 0; k < count; k++, last[k % 2] *= x[i], y[i] = last[0] * last[1]) last[1] += x[k];
}
BOTH("y wrt x")
__global__ void pointer_in_the_increment(real *y, const real *x, const real *z, int n, int count) {
    int i = HERE;
    const real *p = x + i;
    real sum = 0;
    for (int k = 0; k < count; k++, p += 2) { if (k == 2) p = z + k; sum += *p; }
    if (i < n) y[i] = sum;
}
__device__ void grow(real &v, real by) { v = v * by + 1; }
BOTH("y wrt x") __global__ void calls_in_the_increment(real *y, const real *x, int n, int count) {
    int i = HERE;
    if (i >= n) return;
    real v = 0;
    for (int k = 0; k < count; grow(v, x[k]), ++k) v += x[i];
    y[i] = v;
}

// ---- bounds of the tape: a distance from the start, and a counter that is its own condition ----
BOTH("y wrt x")
__global__ void distance_from_the_start(real *y, const real *x, const int *first, int n, int most) {
    int i = HERE;
    if (i >= n) return;
    real v = 1;
    for (int k = first[i]; k < first[i + 1] && k - first[i] < most; k++) v = v * x[k] + 1;
    y[i] = v;
}
BOTH("y wrt x") __global__ void until_zero(real *y, const real *x, int n) {
    int i = HERE;
    if (i >= n) return;
    real v = x[0];
    for (int half = n / 2; half; half >>= 1) v *= x[half] + v;
    for (unsigned left = i; left != 0; left--) v = v * x[left] - x[i];
    for (int digits = n; digits; digits /= 3) v += x[digits % n] * v;
    y[i] = v;
}

// ---- bounds that a loop around it finds anew in each iteration ----
BOTH("y wrt x")
__global__ void bound_behind_a_reference(real *y, const real *x, const int *ends, int n, int rows) {
    int i = HERE;
    if (i >= n) return;
    real v = 0;
    for (int r = 0; r < rows; r++) {
        const int &end = ends[(i + r) % n];
        for (int c = 0; c < 2; c++) {
            const int &last = ends[(i * rows + c) % n];
            real row = x[r];
            for (int k = c; k < end; k++) row += x[k] * x[r];
            for (int k = 0; k < last; k += c + 1) v += x[k] * row;
        }
    }
    y[i] = v;
}

#include "counters.grad.cuh"

CHECK_KERNEL(post_decrement, 2, 16, out(24), in(24), 24)
CHECK_CASE(nothing_to_do, at_the_limits, at_the_limits, 1e-8, 2, 8, out(16), in(16), INT_MIN, INT_MIN)
CHECK_CASE(far_apart, at_the_limits, at_the_limits, 1e-8, 2, 8, out(16), in(16), 2, INT_MIN)
CHECK_CASE(from_the_least, at_the_limits, at_the_limits, 1e-8, 2, 8, out(16), in(16), INT_MIN, INT_MIN + 2)
CHECK_KERNEL(loop_doubles, 2, 16, out(24), in(24), 24)
CHECK_KERNEL(against_unsigned, 2, 16, out(24), in(24), 24u, 7ull)
CHECK_KERNEL(while_counts, 2, 16, out(24), in(24), 24, 4)
CHECK_KERNEL(step_of_parameter, 2, 16, out(24), in(24), 24, 3)
CHECK_KERNEL(unequal_end, 2, 16, out(24), in(24), 24)
CHECK_KERNEL(two_counters, 2, 16, out(24), in(24), 24)
CHECK_KERNEL(steps_what_the_body_sets, 2, 32, out(50), in(60), 50, 5)
CHECK_KERNEL(stores_in_the_increment, 2, 32, out(50), in(60), 50, 5)
CHECK_KERNEL(pointer_in_the_increment, 2, 32, out(50), in(80), fixed(80), 50, 5)
CHECK_KERNEL(calls_in_the_increment, 2, 32, out(50), in(60), 50, 5)
CHECK_KERNEL(distance_from_the_start, 2, 8, out(9), in(20), list({0, 3, 3, 4, 9, 12, 13, 14, 18, 20}), 9, 4)
CHECK_KERNEL(until_zero, 1, 16, out(11), in(11, 0.3, 0.7), 11)
CHECK_KERNEL(bound_behind_a_reference, 2, 8, out(12), in(12), list({1, 0, 4, 2, 7, 3, 2, 0, 5, 1, 6, 2}), 12, 3)
TEST_MAIN
