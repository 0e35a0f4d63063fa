// GW_CHECKPOINT_BINOMIAL(n): a loop is reversed from at most n stored states, in local arrays; no tape, no
// workspace.
#include "../support/check.cuh"

typedef double real;
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

BOTH("y wrt x, p")
__global__ void upward(real *y, const real *x, const real *p, int n, int steps) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    GW_CHECKPOINT_BINOMIAL(4) for (int k = 0; k < steps; k++) v += 0.1 * p[k] * sin(v + 0.01 * k);
    y[i] = v;
}

// One state: each iteration starts again from the first. More states than iterations: each is stored.
BOTH("y wrt x")
__global__ void extremes(real *y, const real *x, int n, int steps) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    GW_CHECKPOINT_BINOMIAL(1) for (int k = 0; k < steps; k++) v = v * v * 0.6 + 0.1;
    GW_CHECKPOINT_BINOMIAL(30) for (int k = 0; k < steps; k++) v = v - 0.1 * v * v;
    y[i] = v;
}

// The host cannot tell how often a thread's loop runs, and need not.
BOTH("y wrt x")
__global__ void of_memory(real *y, const real *x, const int *steps, int n) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    GW_CHECKPOINT_BINOMIAL(3) for (int k = steps[i]; k > 0; k -= 2) v += 0.1 * k * sin(v);
    y[i] = v;
}

// Local arrays of structs, counters, and a condition that the loop carries.
struct pair {
    real a, b[2];
};
BOTH("y wrt x")
__global__ void array_state(real *y, const real *x, int n, int steps) {
    int i = HERE;
    if (i >= n) return;
    pair s[2] = {{x[i], {1, x[i] * x[i]}}, {0.5, {x[i], 2}}};
    int at = 0;
    bool odd = false;
    GW_CHECKPOINT_BINOMIAL(3) for (int k = 0; k < steps; k++) {
        if (odd) s[k % 2].a = sin(s[at % 2].b[k % 2]) * s[1].a;
        else s[at % 2].b[1] = s[0].a * s[1].b[0] * 0.5;
        at += 3;
        if (k == i) break;
        odd = !odd;
    }
    y[i] = s[0].a * s[1].b[1] + s[0].b[1] * s[1].a;
}

// Inside of it a loop with a tape of its own, which it only reads; and one such loop in another.
BOTH("y wrt x")
__global__ void nested(real *y, const real *x, int n, int steps) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i], w = 1;
    GW_CHECKPOINT_BINOMIAL(3) for (int k = 0; k < steps; k++) {
        GW_CHECKPOINT_BINOMIAL(2) for (int m = 0; m <= k; m++) v += 0.05 * v * sin(v + m);
        for (int m = 0; m < 3; m++) w = w * w * 0.3 + v * 0.2;
        v = 0.8 * v + 0.1 * w;
    }
    y[i] = v * w;
}

// Shared memory that is only read inside, and that another array's data follow.
BOTH("y wrt x")
__global__ void shared_table(real *y, const real *x, int steps) {
    __shared__ real s[16];
    int t = threadIdx.x, i = HERE;
    s[t] = x[i];
    __syncthreads();
    real v = 0.5;
    GW_CHECKPOINT_BINOMIAL(3) for (int k = 0; k < steps; k++) v = v * s[(t + k) % 16] * v + 0.2;
    __syncthreads();
    s[t] = v * v;
    __syncthreads();
    y[i] = s[15 - t] * v;
}

#include "binomial.grad.cuh"

CHECK_KERNEL(upward, 2, 16, out(20), in(20), in(31), 20, 31)
CHECK_CASE(upward_never, upward, upward, 1e-8, 2, 16, out(20), in(20), in(1), 20, 1)
CHECK_KERNEL(extremes, 2, 16, out(20), in(20), 20, 5)
CHECK_KERNEL(of_memory, 1, 8, out(6), in(6), list({0, 1, 9, 20, 7, 2}), 6)
CHECK_KERNEL(array_state, 2, 16, out(20), in(20), 20, 13)
CHECK_KERNEL(nested, 2, 16, out(20), in(20), 20, 7)
CHECK_KERNEL(shared_table, 2, 16, out(32), in(32), 9)
TEST_MAIN
