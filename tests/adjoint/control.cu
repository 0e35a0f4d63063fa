// Branches, switches, exits from loops: control that the reverse sweep has to take again, backwards.
#include "../support/check.cuh"

typedef double real;
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

BOTH("y wrt x")
__global__ void if_else_chain(real *y, const real *x, int n) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    if (v < 0.7) v = v * v;
    else if (v < 1) v = 3 * v;
    else if (v < 1.3) v = v * v * v;
    else v = 1 / v;
    y[i] = v * x[i];
}

// Only one side writes the output: the other side's adjoint stays.
BOTH("y wrt x")
__global__ void conditional_store(real *y, const real *x, int n) {
    int i = HERE;
    if (i >= n) return;
    if (x[i] > 1) y[i] = x[i] * x[i];
}

BOTH("y wrt x")
__global__ void nested_branches(real *y, const real *x, int n) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i], w = 1;
    if (v > 0.8) {
        w = v * v;
        if (i % 3 == 0) {
            v = w * v;
            if (v > 1) w += v;
        } else {
            w = v + w * w;
        }
        v *= w;
    }
    y[i] = v * w;
}

BOTH("y wrt x")
__global__ void switch_cases(real *y, const real *x, int n) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    switch (i % 5) {
    case 0: v = v * v; break;
    case 1:
    case 2: v = 2 * v + v * v * v; break;
    case 3: {
        real square = v * v;
        v = square * square;
        break;
    }
    default: v = -v; break;
    }
    y[i] = v * x[i];
}

BOTH("y wrt x")
__global__ void switch_fall_through(real *y, const real *x, int n) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    switch (i & 3) {
    case 3: v *= x[i]; /* falls through */
    case 2: v = v + v * v; /* falls through */
    case 1: v = 3 * v;
    }
    y[i] = v;
}

BOTH("y wrt x")
__global__ void switch_default_first(real *y, const real *x, int n) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    switch (i) {
    default: v = v * v; /* falls through */
    case 2: v = v * 2; break;
    case 5: v = v * v * v; return;
    case 7: break;
    }
    y[i] = v * v;
}

BOTH("y wrt x")
__global__ void switch_in_loop(real *y, const real *x, int n, int steps) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    for (int k = 0; k < steps; k++) {
        switch ((k + i) % 4) {
        case 0: continue;
        case 1: v = v * x[i]; break;
        case 2: v += 0.1 * v * v; /* falls through */
        default: v = v - 0.01 * v * v;
        }
        v = v * 0.9;
    }
    y[i] = v;
}

BOTH("y wrt x")
__global__ void early_returns(real *y, const real *x, int n) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i] * x[i];
    if (i == 3) return;
    y[i] = v;
    if (v > 1) return;
    y[i] = v * v + x[i];
    if (i < 9) {
        y[i] = y[i] * 2;
        return;
    }
    y[i] += v;
}

BOTH("y wrt x")
__global__ void early_return_in_loop(real *y, const real *x, int n, int steps) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    for (int k = 0; k < steps; k++) {
        if (v > 2) return;
        v = v * 1.1 + 0.1 * v * v;
        y[i] = v;
    }
    y[i] = -v;
}

BOTH("y wrt x")
__global__ void break_out(real *y, const real *x, int n, int steps) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    for (int k = 0; k < steps; k++) {
        v = v + 0.2 * v * v;
        if (v > 2.5) break;
        v = v * 1.05;
    }
    y[i] = v;
}

BOTH("y wrt x")
__global__ void continue_over(real *y, const real *x, int n, int steps) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i], sum = 0;
    for (int k = 0; k < steps; k++) {
        v = v * 0.95;
        if ((k + i) % 3 == 0) continue;
        if (v < 0.6) continue;
        sum += v * v;
    }
    y[i] = sum * v;
}

BOTH("y wrt x")
__global__ void break_and_continue(real *y, const real *x, int n, int rows, int columns) {
    int i = HERE;
    if (i >= n) return;
    real sum = x[i];
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < columns; c++) {
            if (c == r) continue;
            if (c > r + 2) break;
            sum = sum + 0.05 * sum * x[i] * (c + 1);
        }
        if (sum > 3) break;
    }
    y[i] = sum;
}

BOTH("y wrt x")
__global__ void do_while(real *y, const real *x, int n, int steps) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    int k = 0;
    do {
        v = v * v * 0.8;
        k++;
    } while (k < steps);
    y[i] = v;
}

BOTH("y wrt x")
__global__ void do_while_once(real *y, const real *x, int n) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    do v = v * v;
    while (false);
    y[i] = v;
}

// The number of steps depends on the data; 'k < limit' lets the host bound the tape.
BOTH("y wrt x")
__global__ void data_dependent_exit(real *y, const real *x, int n, int limit) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    int k = 0;
    while (k < limit && v < 4) {
        v = v + 0.3 * v * v;
        k++;
    }
    y[i] = v;
}

BOTH("y wrt x")
__global__ void loop_forever(real *y, const real *x, int n, int limit) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    for (int k = 0;; k++) {
        if (k >= limit) break;
        v = v * v * 0.9;
    }
    y[i] = v;
}

BOTH("y wrt x")
__global__ void loop_counts_down(real *y, const real *x, int n) {
    int i = HERE;
    if (i >= n) return;
    real sum = 0;
    for (int k = n - 1; k >= 0; k -= 2) sum += x[k] * x[i];
    y[i] = sum;
}

BOTH("y wrt x")
__global__ void empty_loops(real *y, const real *x, int n, int none) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    for (int k = 0; k < none; k++) v = v * v;
    while (none > 0) v = v * v, none--;
    y[i] = v * v;
}

// Threads of one launch take different numbers of steps, some none.
BOTH("y wrt x")
__global__ void ragged(real *y, const real *x, const int *steps, int n, int limit) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    for (int k = 0; k < steps[i] && k < limit; k++) v = v - 0.1 * v * v;
    y[i] = v;
}

// What an iteration computes before it is skipped adds nothing, whatever it is.
BOTH("y wrt w")
__global__ void skipped_infinity(real *y, const real *w, const int *by, int n) {
    int i = HERE;
    if (i >= n) return;
    real sum = 0;
    for (int k = 0; k < n; k++) {
        real v = w[k] * w[k] / by[k];
        if (by[k] == 0) continue;
        sum += v * v * w[k];
    }
    y[i] = sum;
}

// What one side stores the other one does not see, also with more branches inside.
BOTH("y wrt x, y")
__global__ void one_side_stores(real *y, const real *x, int n) {
    int i = HERE;
    if (i >= n) return;
    if (i % 2) y[i] = x[i] * x[i];
    else if (i % 3) y[i] = y[i] * x[i];
    else {
        real v = y[i] * y[i];
        y[i] = v * x[i] + v;
    }
}

// Guards behind a root, a logarithm and a quotient, which are at their poles where nothing uses them.
BOTH("y wrt x")
__global__ void guarded(real *y, const real *x, int n) {
    int i = HERE;
    if (i >= n) return;
    const real a = x[2 * i], b = x[2 * i + 1], square = a * a + b * b, length = sqrt(square);
    const real inverse = 1 / length;
    const real unit = a * inverse, logarithm = log(square), angle = atan2(b, a), power = pow(square, 0.3);
    const real huber = length <= 0.2 ? 0.5 * square : 0.2 * (length - 0.1);
    real sum = 1;
    if (length > 0.1) sum = unit * b / length + logarithm * angle + power;
    y[i] = sum + huber + a / fmax(length, 0.1) + (square < 0.01 ? b : b * rsqrt(square));
}

// The same, of an output that is overwritten, and of a function that is called.
BOTH("y wrt x")
__global__ void overwritten(real *y, const real *x, int n) {
    int i = HERE;
    if (i >= n) return;
    const real square = x[i] * x[i];
    y[i] = sqrt(square);
    if (square < 0.01) y[i] = x[i];
}
#ifndef GW_TEST_SECOND // which go through no call
__device__ real length_of(real a, real b, int depth) {
    return depth > 0 ? length_of(b, a, depth - 1) : sqrt(a * a + b * b);
}
BOTH("y wrt x")
__global__ void guarded_call(real *y, const real *x, int n) {
    int i = HERE;
    if (i >= n) return;
    const real a = x[2 * i], b = x[2 * i + 1], length = length_of(a, b, 1);
    y[i] = length > 0.1 ? a / length : a;
}
#endif

// Jumps to labels further on: out of two loops, past the rest of an iteration, to the end.
BOTH("y wrt x")
__global__ void jumps(real *y, const real *x, int n) {
    const int i = HERE;
    real s = 0;
    if (i >= n) goto out;
    for (int k = 0; k < 4; k++) {
        for (int j = 0; j < 3; j++) {
            s += x[(i + j) % n] * s + x[i];
            if (s > 9) goto found;
            if (j == 1 && k == 2) goto next;
        }
        s *= x[i];
    next:
        s += 0.1;
    }
    s = s * s;
found:
    y[i] = s * x[i];
out:
    return;
}

#include "control.grad.cuh"

CHECK_KERNEL(one_side_stores, 2, 16, inout(24), in(24), 24)

CHECK_KERNEL(skipped_infinity, 1, 8, out(6), in(6), list({1, 0, 2, 3, 0, 1}), 6)

CHECK_KERNEL(if_else_chain, 2, 16, out(24), in(24), 24)
CHECK_KERNEL(conditional_store, 2, 16, out(24), in(24), 24)
CHECK_KERNEL(nested_branches, 2, 16, out(24), in(24), 24)
CHECK_KERNEL(switch_cases, 2, 16, out(24), in(24), 24)
CHECK_KERNEL(switch_fall_through, 2, 16, out(24), in(24), 24)
CHECK_KERNEL(switch_default_first, 2, 16, out(24), in(24), 24)
CHECK_KERNEL(switch_in_loop, 2, 16, out(24), in(24), 24, 9)
CHECK_KERNEL(early_returns, 2, 16, out(24), in(24), 24)
CHECK_KERNEL(early_return_in_loop, 2, 16, out(24), in(24), 24, 7)
CHECK_KERNEL(break_out, 2, 16, out(24), in(24), 24, 8)
CHECK_KERNEL(continue_over, 2, 16, out(24), in(24), 24, 10)
CHECK_KERNEL(break_and_continue, 2, 16, out(24), in(24), 24, 5, 6)
CHECK_KERNEL(jumps, 2, 16, out(24), in(24), 24)
CHECK_KERNEL(do_while, 2, 16, out(24), in(24), 24, 3)
CHECK_KERNEL(do_while_once, 2, 16, out(24), in(24), 24)
CHECK_KERNEL(data_dependent_exit, 2, 16, out(24), in(24), 24, 20)
CHECK_KERNEL(loop_forever, 2, 16, out(24), in(24), 24, 4)
CHECK_KERNEL(loop_counts_down, 2, 16, out(24), in(24), 24)
CHECK_KERNEL(empty_loops, 2, 16, out(24), in(24), 24, 0)
CHECK_KERNEL(ragged, 2, 16, out(24), in(24),
             list({0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 9, 9, 1, 0, 0, 4, 4, 3, 2, 2, 1, 9}), 24, 7)
#define ORIGINS in_given(std::vector<double>{0, 0, 0.6, 0.8, 0, 0.5, 0.3, 0.4})
CHECK_KERNEL(guarded, 1, 4, out(4), ORIGINS, 4)
#ifndef GW_TEST_SECOND // which go through no call
CHECK_KERNEL(guarded_call, 1, 4, out(4), ORIGINS, 4)
#endif
CHECK_KERNEL(overwritten, 1, 8, inout(8), ORIGINS, 8)
TEST_MAIN
