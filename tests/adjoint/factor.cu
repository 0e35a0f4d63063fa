// What adjoints have in common is computed once (rewriters/device/factor.c). Below a kernel stands what is in
// its text, and what is not (tests/ownership/statements.py).
#include "../support/check.cuh"

typedef double real;
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

// Numbers that conditions see come out as in the primal: the same ops in the same order.
BOTH("y wrt x, w")
__global__ void decides(real *y, const real *x, const real *w) {
    int i = HERE;
    real v = x[i], u = w[i], p = v * u * 0.5 + v * u * u, q = v * u * u * 3;
    y[i] = p > q ? p * q * v : p * v + q * u;
}
//= const double p = v_u * 0.5 + product;
//= const double q = product * 3.0;

// An index, too.
BOTH("y wrt x")
__global__ void counts(real *y, const real *x, const real *w) {
    int i = HERE;
    real v = x[i], p = v * 4 * w[i] + v * 3 * w[i];
    y[i] = p * p * w[(int)p & 3];
}
//= const double p = v * 4.0 * w_value + v * 3.0 * w_value;

// One factor of all terms; the same sum in two formulas; the same product in three.
BOTH("y wrt x, w, a")
__global__ void blend(real *y, const real *x, const real *w, const real *a) {
    int i = HERE;
    real t = 1, red = 0, green = 0, blue = 0;
    for (int k = 0; k < 3; k++) {
        real alpha = a[i] * (k + 1);
        red += x[3 * i] * alpha * t;
        green += x[3 * i + 1] * alpha * t;
        blue += x[3 * i + 2] * alpha * t;
        t *= 1 - alpha * w[i];
    }
    y[3 * i] = red, y[3 * i + 1] = green, y[3 * i + 2] = blue * t;
}
//= const double sum = d_blue * x[index_3] + d_green * x[index_2] + d_red * x[index];
//= d_x_sum += d_blue * product_2;

// Differences are not multiplied out: d^2 x - d^2 w would have no digit left where x and w are close.
BOTH("y wrt x, w")
__global__ void close_numbers(real *y, const real *x, const real *w) {
    int i = HERE;
    real d = x[i] - w[i];
    y[i] = d * d * d * x[i];
}
//! d * d * x
//! d * d * w

// Squares, numbers, signs; terms that cancel; one that is 0 times infinity if it is not left out.
BOTH("y wrt x, w")
__global__ void mixed(real *y, const real *x, const real *w) {
    int i = HERE;
    real u = x[i], v = w[i], power = -0.5 * (u * u * 3 + v * v * 2) - u * v, e = exp(power);
    y[i] = e * u - e * u * 0.5 + (u - v) * e * (u + v) - v * u * e;
}

// More than there is room for: left as it is.
BOTH("y wrt x")
__global__ void many(real *y, const real *x) {
    int i = HERE;
    real v = x[i], s = 0;
#pragma unroll
    for (int k = 1; k <= 40; k++) s += v * v * v * k * (v + k) * (v - k * 0.25) * v * v * v * v * v;
    y[i] = s * 1e-3;
}

// A loop with few operations for what it loads waits for that, and stays as it is.
BOTH("y wrt gain, s")
__global__ void waits(real *y, const real *x, const real *gain, const real *s, int n) {
    const int first = HERE * n;
    const real scale = s[HERE] * s[HERE];
    for (int k = 0; k < n; k++) y[first + k] = x[first + k] * scale * gain[k];
}
//= d_scale += d_y_value * gain_value * x_value;
//! d_y_x

// Quotients by what a loop leaves alone: first those that must stay, of a number that a condition sees and by
// one that the loop changes, and those beside additions that it waits for; then those of adjoints that are new,
// also of what lanes have summed.
BOTH("y wrt x")
__global__ void seen(real *y, const real *x, int n) {
    real sum = 0, all = x[HERE] + 2;
    for (int k = 0; k < n; k++) {
        real part = (x[HERE] + k) / all;
        if (part > 1) sum += part * part;
    }
    y[HERE] = sum;
}
//= / all;
BOTH("y wrt x")
__global__ void changing(real *y, const real *x, int n) {
    real v = x[HERE];
    for (int k = 0; k < n; k++) v = v * v / (k + 2.5);
    y[HERE] = v;
}
//! 1.0 /
BOTH("y wrt x")
__global__ void shares_of_given(real *y, const real *x, int n) {
    const int first = HERE * n;
    real all = 0;
    for (int k = 0; k < n; k++) all += exp(x[first + k]);
    for (int k = 0; k < n; k++) y[first + k] = exp(x[first + k]) / all;
}
//! 1.0 /
GW_GRADIENT("y wrt x[0:2 * n] fresh") GW_DERIVATIVE("y wrt x")
__global__ void shares(real *y, const real *x, int n) {
    const int first = HERE / 32 * n, lane = threadIdx.x % 32;
    real all = 0;
    for (int k = lane; k < n; k += 32) all += exp(x[first + k]);
    for (int o = 16; o > 0; o /= 2) all += __shfl_xor_sync(0xffffffffu, all, o);
    for (int k = lane; k < n; k += 32) y[first + k] = exp(x[first + k]) / all;
}
//= const double quotient = 1.0 /
//! / all

#include "factor.grad.cuh"

CHECK_KERNEL(waits, 1, 20, out(80), fixed(80), in(4), in(20), 4)
CHECK_KERNEL(seen, 1, 20, out(20), in(20), 4)
CHECK_KERNEL(changing, 1, 20, out(20), in(20), 4)
CHECK_KERNEL(shares_of_given, 1, 2, out(80), in(80), 40)
CHECK_KERNEL(shares, 1, 64, out(80), fresh(in(80)), 40)
CHECK_KERNEL(close_numbers, 2, 20, out(40), in(40), in(40))
CHECK_KERNEL(decides, 2, 20, out(40), in(40), in(40))
CHECK_KERNEL(counts, 2, 20, out(40), in(40), fixed(40))
CHECK_KERNEL(blend, 2, 20, out(120), in(120), in(40), in(40))
CHECK_KERNEL(mixed, 2, 20, out(40), in(40), in(40))
CHECK_KERNEL(many, 2, 20, out(40), in(40))
TEST_MAIN
