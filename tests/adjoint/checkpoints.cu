// GW_CHECKPOINT(n): what a loop carries is stored every n iterations only; headers of every kind, exits, nests,
// local arrays. The second half of a split gradient runs the segments again, or has all of the loop on its tape
// where it cannot.
#include "../support/check.cuh"

typedef double real;
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

BOTH("y wrt x, p")
__global__ void upward(real *y, const real *x, const real *p, int n, int steps) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    GW_CHECKPOINT(4) for (int k = 0; k < steps; k++) v += 0.1 * p[k] * sin(v + 0.01 * k);
    y[i] = v;
}

// A segment of one, and one that is longer than the loop.
BOTH("y wrt x")
__global__ void extremes(real *y, const real *x, int n, int steps) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    GW_CHECKPOINT(1) for (int k = 0; k < steps; k++) v = v * v * 0.6 + 0.1;
    GW_CHECKPOINT(1000) for (int k = 0; k < steps; k++) v = v - 0.1 * v * v;
    y[i] = v;
}

BOTH("y wrt x")
__global__ void other_headers(real *y, const real *x, int n, int steps) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    GW_CHECKPOINT(3) for (int k = steps; k >= 1; k -= 2) v += 0.1 * k * sin(v);
    GW_CHECKPOINT(2) for (unsigned k = 3; k <= (unsigned)steps; k += 2) v += 0.01 * k * v * v;
    GW_CHECKPOINT(5) for (long k = 1; k < steps; k += 3) v += 0.02 * k * sin(v);
    GW_CHECKPOINT(2) for (size_t k = 0; k < (size_t)steps; k++) v *= 1 - 0.1 * v / (k + 1);
    y[i] = v;
}

// The thread's own data end it; what follows the stop in the segment must not run.
BOTH("y wrt x")
__global__ void leaves_early(real *y, const real *x, int n, int steps) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    GW_CHECKPOINT(4)
    for (int k = 0; k < steps; k++) {
        v = v + 0.3 * v * v;
        if (v > 1.5) break;
        v += 0.01 * k;
    }
    y[i] = v;
}

BOTH("y wrt x")
__global__ void conditions(real *y, const real *x, int n, int steps) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    int k = 0;
    GW_CHECKPOINT(3) while (k < steps && v < 3) {
        v += 0.2 * v * v;
        k++;
    }
    int m = steps;
    GW_CHECKPOINT(2) while (m > 0) {
        if (v < 0.3) break;
        v -= 0.1 * v * v;
        m -= 2;
    }
    y[i] = v;
}

BOTH("y wrt x")
__global__ void nested(real *y, const real *x, int n, int steps) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    GW_CHECKPOINT(3) for (int k = 0; k < steps; k++) {
        GW_CHECKPOINT(2) for (int m = 0; m <= k; m++) v += 0.05 * v * sin(v + m);
    }
    y[i] = v;
}

// A local array that the loop changes is part of what it carries.
BOTH("y wrt x")
__global__ void array_state(real *y, const real *x, int n, int steps) {
    int i = HERE;
    if (i >= n) return;
    real a[3] = {x[i], x[i] * x[i], 1};
    GW_CHECKPOINT(3) for (int k = 0; k < steps; k++) a[k % 3] = a[k % 3] * a[(k + 1) % 3] * 0.7 + 0.1;
    y[i] = a[0] + a[1] * a[2];
}

// The loop stores to memory as it goes.
BOTH("y wrt x")
__global__ void stores(real *y, const real *x, int rows, int columns) {
    int r = HERE;
    if (r >= rows) return;
    real sum = 0;
    GW_CHECKPOINT(2) for (int c = 0; c < columns; c++) {
        sum = sum * sum * 0.9 + x[r * columns + c];
        y[r * columns + c] = sum;
    }
}

// Barriers inside of it: all threads of a block have the same segments.
BOTH("y wrt x")
__global__ void with_barriers(real *y, const real *x, int steps) {
    __shared__ real s[16];
    int t = threadIdx.x, i = HERE;
    real v = x[i];
    GW_CHECKPOINT(3) for (int k = 0; k < steps; k++) {
        s[t] = v;
        __syncthreads();
        v += 0.1 * sin(s[(t + 1) % 16]) * v;
        __syncthreads();
    }
    y[i] = v;
}

// In branches and other loops, with arrays that it only reads and that others change before and after; more is
// carried than a local array has room for.
struct weights {
    real w[2], bias;
};
BOTH("y wrt x, p")
__global__ void in_parts(real *y, const real *x, const real *p, int n, int steps) {
    int i = HERE;
    if (i >= n) return;
    real table[4] = {p[0], p[1], p[2], p[3]}, sum = 0;
    weights s = {{x[i], 0.5}, p[0]};
    for (int round = 0; round < 3; round++) {
        real v = x[i] + round, w = 0.2 * round, u = 1, z = s.bias;
        if ((i + round) % 3 != 0) {
            GW_CHECKPOINT(20) for (int k = 0; k < steps; k++) {
                real next = v + 0.05 * table[k % 4] * sin(w * u) + 0.01 * s.w[k % 2];
                w = 0.9 * w + 0.1 * v * z;
                u = 0.7 * u + 0.3 * cos(v) * table[round];
                z = 0.8 * z + 0.1 * u * sin(next);
                v = next;
                s.w[(k + 1) % 2] *= 0.9 + 0.1 * sin(w);
            }
        } else {
            for (int k = 0; k < steps; k++) v = 0.9 * v + 0.05 * sin(v) * table[k % 4];
        }
        table[round] += 0.1 * v;
        sum += v * w + z * s.w[0];
    }
    y[i] = sum * table[2];
}

// Shared memory that a segment stages for itself, that was staged before the loop, and both.
BOTH("y wrt x")
__global__ void staged(real *y, const real *x, int steps) {
    __shared__ real before[16], again[16], own[16];
    int t = threadIdx.x, i = HERE;
    before[t] = x[i] * x[i];
    __syncthreads();
    real v = x[i], w = 0.5, u = 0.4;
    GW_CHECKPOINT(3) for (int k = 0; k < steps; k++) v = 0.9 * v + 0.2 * before[(t + k) % 16] * sin(v);
    GW_CHECKPOINT(3) for (int k = 0; k < steps; k++) {
        again[t] = x[blockIdx.x * 16 + (t + k) % 16];
        __syncthreads();
        w += 0.1 * sin(w) * again[15 - t];
        __syncthreads();
    }
    GW_CHECKPOINT(2) for (int k = 0; k < steps; k++) {
        own[t] = u;
        __syncthreads();
        u = 0.5 * u * own[(t + 1) % 16] + 0.4 * before[t] * cos(u);
        __syncthreads();
    }
    before[t] = v * w;
    __syncthreads();
    y[i] = before[15 - t] * u;
}

// Lanes ask each other, all of them, and some of them; what __activemask says is not asked again. How many
// lanes there are at once is the compiler's business: whichever they are, a lane finds itself among them.
BOTH("y wrt x")
__global__ void by_lanes(real *y, const real *x, int steps) {
    int t = threadIdx.x, i = HERE;
    real v = x[i], w = x[i];
    GW_CHECKPOINT(3)
    for (int k = 0; k < steps; k++) v = 0.9 * v + 0.1 * __shfl_xor_sync(0xffffffffu, v, 1 + k % 4) * v;
    GW_CHECKPOINT(2) for (int k = 0; k < steps; k++)
        if ((t + k) % 2) w = 0.9 * w + 0.32 * (__activemask() >> t % 32 & 1) * w * w;
    y[i] = v * v + w;
}

// What is marked in a segment, and loops in it with tapes of their own.
BOTH("y wrt x, p")
__global__ void loops_inside(real *y, const real *x, const real *p, int n, int steps) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i], w = 1;
    GW_CHECKPOINT(4) for (int k = 0; k < steps; k++) {
        real t = tanh(v * p[k]);
        GW_STORE(t);
        real a[3] = {v, t, v * t};
        for (int m = 0; m < 5; m++) a[m % 3] = a[m % 3] * a[(m + 1) % 3] * 0.3 + 0.2;
        for (int m = 0; m < i % 4; m++) w = w * w * 0.4 + 0.3 * a[m % 3];
        v += 0.1 * t * a[1] * w;
    }
    y[i] = v * w;
}

// In a segment: a function that calls itself, a product that is undone, marks of both kinds in each other, with
// ways out of all loops.
__device__ real power(real x, int k) { return k <= 0 ? 1 : x * power(x, k - 1) * 0.9; }
BOTH("y wrt x, p")
__global__ void calls_inside(real *y, const real *x, const real *p, int n, int steps) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    GW_CHECKPOINT(3) for (int k = 0; k < steps; k++) v = 0.5 * power(v, 2 + k % 2) + p[k % 6] * 0.3;
    y[i] = v;
}
BOTH("y wrt x, p")
__global__ void undone_inside(real *y, const real *x, const real *p, int n, int layers) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    GW_CHECKPOINT(2) for (int l = 0; l < layers; l++) {
        real T = 1, sum = 0;
        for (int k = 0; k < 6; k++) {
            real alpha = fmin(0.9, p[k] * v * 0.24 * (k + 1)), next = T * (1 - alpha);
            if (next < 1e-4) break;
            sum += alpha * T * p[(k + l) % 6];
            T = next;
        }
        v = 0.5 * v + 0.4 * sum + 0.1 * T;
    }
    y[i] = v;
}
BOTH("y wrt x, p")
__global__ void marks_inside(real *y, const real *x, const real *p, int n, int steps) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i], w = 1;
    GW_CHECKPOINT(3) for (unsigned k = (unsigned)steps; k > 1u; k--) {
        GW_CHECKPOINT_BINOMIAL(2)
        for (int m = 0; m < (int)k % 5 + i % 2; m++) w = 0.9 * w + 0.1 * sin(v * w) * p[m];
        if (w > 1.3 && k % 2) {
            v *= 0.9;
            continue;
        }
        if (v > 2.5) break;
        v += 0.1 * w * p[k % 6];
    }
    y[i] = v * w;
}

// Each turn overwrites what the one before left for the block: only the last one's counts.
BOTH("y wrt x")
__global__ void overwritten(real *y, const real *x, int steps) {
    int i = HERE, t = threadIdx.x;
    __shared__ real s[16];
    s[t] = x[i];
    __syncthreads();
    GW_CHECKPOINT(2) for (int k = 0; k < steps; k++) {
        s[t] = x[k] * x[i];
        __syncthreads();
        if (k > 1) s[(t + 1) % 16] += x[(t + 2) % 16];
        __syncthreads();
    }
    y[i] = s[t];
}

#include "checkpoints.grad.cuh"

CHECK_KERNEL(upward, 2, 16, out(20), in(20), in(11), 20, 11)
CHECK_CASE(upward_whole, upward, upward, 1e-8, 2, 16, out(20), in(20), in(12), 20, 12)
CHECK_KERNEL(extremes, 2, 16, out(20), in(20), 20, 5)
CHECK_KERNEL(other_headers, 2, 16, out(20), in(20), 20, 11)
CHECK_CASE(other_headers_never, other_headers, other_headers, 1e-8, 2, 16, out(20), in(20), 20, 0)
CHECK_KERNEL(leaves_early, 2, 16, out(20), in(20), 20, 11)
CHECK_KERNEL(conditions, 2, 16, out(20), in(20), 20, 7)
CHECK_KERNEL(nested, 2, 16, out(20), in(20), 20, 7)
CHECK_KERNEL(array_state, 2, 16, out(20), in(20), 20, 8)
CHECK_KERNEL(stores, 1, 8, out(35), in(35), 5, 7)
CHECK_KERNEL(with_barriers, 2, 16, out(32), in(32), 7)
CHECK_KERNEL(in_parts, 2, 16, out(20), in(20), in(4), 20, 23)
CHECK_KERNEL(staged, 2, 16, out(32), in(32), 7)
CHECK_KERNEL(by_lanes, 2, 32, out(64), in(64), 7)
CHECK_KERNEL(loops_inside, 2, 16, out(20), in(20), in(9), 20, 9)
CHECK_KERNEL(calls_inside, 2, 16, out(20), in(20), in(6), 20, 8)
CHECK_KERNEL(undone_inside, 2, 16, out(20), in(20), in(6), 20, 5)
CHECK_KERNEL(marks_inside, 2, 16, out(20), in(20), in(6), 20, 11)
CHECK_KERNEL(overwritten, 2, 16, out(32), in(32), 7)
TEST_MAIN
