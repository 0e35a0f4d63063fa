// Known functions as people call them: integer intrinsics that steer, several results at once, arguments with side
// effects, names of std::.
#include "../support/check.cuh"

BOTH("y wrt x")
__global__ void bit_counts(double *y, const double *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned int u = (unsigned int)i * 2654435761u;
    int weight = __popc(u) + 2 * __clz(i) + 3 * __ffs(i) + __popcll(0xffull << i) + __clzll(i) + __ffsll(i);
    int bits = (int)(__brev(u) & 7u) + (__mul24(i, 5) & 7) + (int)(__umulhi(u, 16u)) + __mulhi(i << 20, i << 12);
    int halves = __hadd(i, 5) + (int)__urhadd(i, 6u) + (int)(__byte_perm(u, i, 0x0123) & 3u);
    unsigned int shifted = __funnelshift_l(u, i, 3) & 7u;
    y[i] = weight * x[i] * x[i] + bits * sin(x[i]) + (halves + shifted) * x[(i + __popc(i)) % n];
}

BOTH("y wrt x")
__global__ void parts(double *y, const double *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int k = 0, exponent, quotient;
    double whole, s, c, sp, cp;
    double fraction = modf(x[i + k++], &whole);
    double mantissa = frexp(x[i], &exponent);
    double rest = remquo(x[i] * 4.3, x[i] * x[i], &quotient);
    sincos(x[i], &s, &c);
    sincospi(x[i], &sp, &cp);
    y[i] = k * fraction * fraction + whole * x[i] + mantissa * mantissa * exponent + rest * x[i] + (quotient & 1) * x[i] +
           s * c + sp * cp;
}

BOTH("y wrt x")
__global__ void in_place(double *y, const double *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double a = x[i], b = 0;
    sincos(a, &b, &a); // a is argument and result
    double whole = a;
    double rest = modf(whole * 3.1, &whole);
    y[i] = a * b + rest * rest + whole * x[i];
}

BOTH("y wrt x")
__global__ void overloads(double *y, const double *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float f = (float)x[i];
    y[i] = std::tgamma(x[i]) + std::lgamma(x[i]) * std::remainder(5.0 * x[i], 3.0) + std::ldexp(x[i], i % 3 - 1) +
           std::scalbn(x[i], -2) * std::logb(x[i]) + std::fmax(x[i], 1.2) + jn(i % 4, x[i]) * yn(2, x[i] + 1.0) +
           std::ilogb(x[i]) * x[i] + (double)std::llround(x[i]) * x[i] + 0.0f * f;
}

#include "math_calls.grad.cuh"

CHECK_KERNEL(bit_counts, 1, 32, out(20), in(20, 0.5, 1.5), 20)
CHECK_KERNEL(parts, 1, 32, out(12), in(12, 1.1, 1.4), 12)
CHECK_KERNEL(in_place, 1, 32, out(12), in(12, 0.1, 0.7), 12)
CHECK_KERNEL(overloads, 1, 32, out(12), in(12, 1.3, 1.45), 12)

TEST_MAIN
