// Counters of other shapes than i++: what has to be known to run a loop backwards, or to see that it need not be.
#include "../support/check.cuh"

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

#include "counters.grad.cuh"

CHECK_KERNEL(post_decrement, 2, 16, out(24), in(24), 24)
CHECK_KERNEL(loop_doubles, 2, 16, out(24), in(24), 24)
CHECK_KERNEL(while_counts, 2, 16, out(24), in(24), 24, 4)
CHECK_KERNEL(step_of_parameter, 2, 16, out(24), in(24), 24, 3)
CHECK_KERNEL(unequal_end, 2, 16, out(24), in(24), 24)
CHECK_KERNEL(two_counters, 2, 16, out(24), in(24), 24)
TEST_MAIN
