// Cells that a thread overwrites and reads again, in spellings in which the gradient knows what they held:
// under conditions in conditions, of which some do not touch the cell, and by two indices that are one cell
// where neither wraps around.
#include "../support/check.cuh"
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

// LULESH's material properties: two conditions around each clamp.
BOTH("y wrt v, lo, hi")
__global__ void clamped(double *y, double *v, double lo, double hi, int which, int n) {
    const int i = HERE;
    if (i >= n) return;
    if (which & 1)
        if (v[i] < lo) v[i] = lo * v[i];
    if (which & 2)
        if (v[i] > hi) v[i] = hi;
    const double t = v[i];
    y[i] = t * t + lo * hi;
}

// Nobody reads the cell unless a condition holds, so that no side may load it for the others: there are no more
// cells than threads that read one.
BOTH("v wrt v, lo, hi")
__global__ void only_if_asked(double *v, double lo, double hi, int which, int n) {
    const int i = HERE;
    if (which & 1 && i < n) {
        if (v[i] < lo) v[i] = lo * lo;
    }
    if (which & 2 && i < n) {
        if (v[i] > hi) v[i] = hi * v[i];
    }
    if (which & 4 && i < n) {
        if (v[i] > hi - lo) v[i] = sin(v[i]) * hi * lo;
    }
}

// Three deep, with another side that stores too.
BOTH("y, v wrt v, x")
__global__ void deep(double *y, double *v, const double *x, int n) {
    const int i = HERE;
    if (i >= n) return;
    if (i % 2) {
        if (i % 3) {
            if (x[i] > 1) v[i] = x[i] * x[i];
        } else {
            v[i] = sin(x[i]);
        }
    }
    if (x[i] > 0.8) y[i] = v[i] * v[i];
    else if (i % 5) v[i] = v[i] * x[i];
    y[i] += v[i] * v[i];
}

// In a loop: what another iteration stored is seen where the condition is of the iteration.
BOTH("y wrt v, x")
__global__ void in_a_loop(double *y, double *v, const double *x, int n) {
    const int t = HERE;
    double sum = 0;
    for (int i = t; i < n; i += 16) {
        if (x[i] > 0.9)
            if (v[i] > 0.7) v[i] = x[i] * v[i];
        if (x[i] < 1.3)
            if (v[i] < 1.1) sum += v[i] * v[i];
    }
    y[t] = sum;
}

// llm.c's classifier: row[i] and x[b * P + i].
BOTH("x wrt x, s")
__global__ void of_a_row(double *x, const double *s, int V, int P) {
    double *row = x + blockIdx.x * P;
    for (int i = threadIdx.x; i < V; i += blockDim.x) {
        const double v = row[i];
        x[blockIdx.x * P + i] = exp(v - s[blockIdx.x]) * v;
    }
}

// The other way round, downward, and with a constant beside.
BOTH("x wrt x")
__global__ void of_a_row_back(double *x, int V, unsigned int P) {
    double *row = x + blockIdx.x * P + 1;
    for (int i = V - 1 - (int)threadIdx.x; i >= 0; i -= blockDim.x) {
        const double v = x[blockIdx.x * P + 1 + i];
        row[i] = v * v;
    }
}

// Two arrays, by two conditions, or on the other side of one.
BOTH("y, z wrt x")
__global__ void another_choice(double *y, double *z, const double *x) {
    const int i = HERE;
    double *out = i & 1 ? y : z, *other = i & 2 ? y : z;
    out[i] = x[i] * x[i];
    other[i] *= other[i];
}
BOTH("y, z wrt x")
__global__ void the_other_one(double *y, double *z, const double *x) {
    const int i = HERE;
    if (i & 1) y[i] = x[i] * x[i];
    else z[i] = x[i] * x[i];
    double v = i & 1 ? z[i] : y[i];
    z[i] = v * v;
}

// The stores on the second sides.
BOTH("y, v, w wrt v, w, lo, hi")
__global__ void second_sides(double *y, double *v, double *w, double lo, double hi, int which, int n,
                             int m) {
    const int t = HERE;
    double sum = 0;
    if (which & 1 && t < n) {
        if (!(v[t] < lo)) {
        } else {
            v[t] = lo * lo * v[t];
        }
    }
    if (which & 2 && t < n) {
        if (v[t] <= hi) {
        } else {
            v[t] = hi * v[t];
        }
    }
    for (int i = t; i < m; i += 16) {
        if (i % 3) {
            if (!(w[i] > 0.7)) {
            } else {
                w[i] = lo * w[i];
            }
        }
        if (i % 2)
            if (w[i] < 1.1) sum += w[i] * w[i];
    }
    y[t] = sum;
}

#include "stale_spellings.grad.cuh"

CHECK_KERNEL(clamped, 1, 16, out(12), inout(12), active(0.8), active(1.2), 3, 12)
CHECK_CASE(clamped_below, clamped, clamped, 1e-8, 1, 16, out(12), inout(12), active(0.8), active(1.2), 1, 12)
CHECK_CASE(clamped_above, clamped, clamped, 1e-8, 1, 16, out(12), inout(12), active(0.8), active(1.2), 2, 12)
CHECK_KERNEL(only_if_asked, 1, 16, inout(12), active(0.7), active(1.2), 7, 12)
CHECK_CASE(only_first, only_if_asked, only_if_asked, 1e-8, 1, 16, inout(12), active(0.8), active(1.2), 5, 12)
CHECK_CASE(only_last, only_if_asked, only_if_asked, 1e-8, 1, 16, inout(12), active(0.7), active(1.2), 4, 12)
CHECK_CASE(only_two, only_if_asked, only_if_asked, 1e-8, 1, 16, inout(12), active(0.7), active(1.2), 6, 12)
CHECK_KERNEL(second_sides, 1, 16, out(16), inout(16), inout(40), active(0.8), active(1.2), 3, 16, 40)
CHECK_KERNEL(deep, 1, 32, out(31), inout(31), in(31), 31)
CHECK_KERNEL(in_a_loop, 1, 16, out(16), inout(60), in(60), 60)
CHECK_KERNEL(of_a_row, 3, 16, inout(120), in(3), 37, 40)
CHECK_KERNEL(of_a_row_back, 3, 16, inout(121), 37, 40u)
CHECK_KERNEL(another_choice, 1, 16, inout(16), inout(16), in(16))
CHECK_KERNEL(the_other_one, 1, 16, inout(16), inout(16), in(16))
TEST_MAIN
