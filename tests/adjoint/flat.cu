// Nested conditions in front of additions of a warp: what leads to the inner ones may be computed by lanes that
// do not need it only where that cannot trap or read what does not exist. Zero divisors, short lists and own
// ends would show. Below a kernel stands what is in its text, and what is not (tests/ownership/statements.py).
#include "../support/check.cuh"

typedef double real;
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

// One condition in the end; a value that is another one on each way.
BOTH("y wrt x, w")
__global__ void three_ways(real *y, const real *x, const real *w, int n) {
    int i = HERE;
    real v = x[i], sum = 0;
    for (int j = 0; j < n && j < 3 + i % 5; j++) {
        real d = w[j] - 1;
        if (d * v > 0.1) sum += v;
        else if (d > -0.3) {
            real e = exp(d * v);
            if (e < 1.02) sum += e * v;
            else sum = 0.5 * sum + w[j];
        }
    }
    y[i] = sum;
}
//! adding

// Taken: cheap, and what is read is read at one number by a lane in its own iteration.
BOTH("y wrt w")
__global__ void taken(real *y, const real *w, const real *x, const real *level, int n) {
    int i = HERE;
    real v = x[i], sum = 0;
    for (int j = 0; j < n && j < 3 + i % 5; j++) {
        real d = level[j] - v;
        if (d > 0.6) continue;
        real e = d * d * v;
        if (e < 0.02) continue;
        sum += w[j] * w[j] * e;
    }
    y[i] = sum;
}
//= const bool adds = j_2 <= difference && !(d > 0.6) && !(e < 0.02);
//= if (adding != 0) {

// Not divided by 0 where the outer condition keeps it from that.
BOTH("y wrt x, w")
__global__ void quotient(real *y, const real *x, const real *w, const int *by, int n) {
    int i = HERE;
    real v = x[i], sum = 0;
    for (int j = 0; j < n && j < 3 + i % 5; j++)
        if (by[j] != 0) {
            if (12 / by[j] > i % 4) sum += w[j] * v;
        }
    y[i] = sum;
}
//! adding

// Cells up to the end of a list, which all lanes know: it is asked around the sum.
BOTH("y wrt x, w")
__global__ void short_list(real *y, const real *x, const real *w, const real *level, int levels, int n) {
    int i = HERE;
    real v = x[i], sum = 0;
    for (int j = 0; j < n && j < 3 + i % 5; j++)
        if (j < levels) {
            if (v > level[j]) sum += w[j] * v * v;
        }
    y[i] = sum;
}
//= adding

// Cells that each lane has for itself, some of which do not exist.
BOTH("y wrt x, w")
__global__ void own_list(real *y, const real *x, const real *w, const real *level, int levels, int n) {
    int i = HERE;
    real v = x[i], sum = 0;
    for (int j = 0; j < n && j < 3 + i % 5; j++)
        if (i + j < levels) {
            if (v > level[i + j]) sum += w[j] * v * v;
        }
    y[i] = sum;
}
//! adding

// The index is known in the branch only; it is behind the end where no lane takes that.
BOTH("y wrt x, w")
__global__ void guarded_index(real *y, const real *x, const real *w, const int *at, int entries, int n) {
    int i = HERE;
    real v = x[i], sum = 0;
    for (int j = 0; j < n && j < 3 + i % 5; j++)
        if (j < entries) sum += w[at[j]] * v;
    y[i] = sum;
}
//= some_add

// Too dear to be computed by all.
BOTH("y wrt x, w")
__global__ void dear(real *y, const real *x, const real *w, int n) {
    int i = HERE;
    real v = x[i], sum = 0;
    for (int j = 0; j < n && j < 3 + i % 5; j++)
        if (v > 0.9) {
            real e = sin(v) * cos(v) + tan(v / 2) + exp(v) * sqrt(v) + cbrt(v) + atan(v) + log(v) + erf(v);
            if (e > 5) sum += w[j] * e;
        }
    y[i] = sum;
}
//! adding

// No thread takes the branch; what all add is summed in one call with what nobody adds there.
BOTH("y wrt x, w")
__global__ void nobody_and_all(real *y, const real *x, const real *w, const int *at) {
    __shared__ real s[64], u[64];
    int i = HERE, t = threadIdx.x;
    s[t] = w[t];
    u[t] = x[i];
    __syncthreads();
    real v = s[at[2]] * x[i];
    if (-i > i) u[t] -= 0.6 * sin(exp(erfc(s[at[at[blockIdx.x]] % 64] * 0.5)));
    __syncthreads();
    y[i] = v * u[t];
}
//= gw_cells_if

#include "flat.grad.cuh"

CHECK_KERNEL(three_ways, 2, 40, out(80), in(80), in(7), 7)
CHECK_KERNEL(taken, 2, 40, out(80), in(7), fixed(80), fixed(7), 7)
CHECK_KERNEL(quotient, 2, 40, out(80), in(80), in(7), list({3, 0, 4, 0, 12, 1, 0}), 7)
CHECK_KERNEL(short_list, 2, 40, out(80), in(80), in(7), fixed(4), 4, 7)
CHECK_KERNEL(own_list, 2, 40, out(80), in(80), in(7), fixed(60), 60, 7)
CHECK_KERNEL(guarded_index, 2, 40, out(80), in(80), in(7), list({3, 0, 6}), 3, 7)
CHECK_KERNEL(dear, 2, 40, out(80), in(80), in(7), 7)
CHECK_KERNEL(nobody_and_all, 2, 64, out(128), in(128), in(64), list({0, 3, 5, 0, 0, 0, 0}))
TEST_MAIN
