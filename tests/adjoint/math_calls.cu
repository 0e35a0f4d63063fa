// Known functions as people call them: integer intrinsics that steer, several results at once, arguments with
// side effects, names of std::.
#include "../support/check.cuh"

BOTH("y wrt x")
__global__ void bit_counts(double *y, const double *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned int u = (unsigned int)i * 2654435761u;
    int weight = __popc(u) + 2 * __clz(i) + 3 * __ffs(i) + __popcll(0xffull << i) + __clzll(i) + __ffsll(i);
    int bits =
        (int)(__brev(u) & 7u) + (__mul24(i, 5) & 7) + (int)(__umulhi(u, 16u)) + __mulhi(i << 20, i << 12);
    int halves = __hadd(i, 5) + (int)__urhadd(i, 6u) + (int)(__byte_perm(u, i, 0x0123) & 3u);
    unsigned int shifted = __funnelshift_l(u, i, 3) & 7u;
    shifted += __usad(i, 5u, 1u) + (__usad(u, 7u, 2u) & 7u) + __sad(i - 4, 2, 3u);
    shifted += __sad(-2147483647, i, 1u) & 15u;
    bits += __dp4a(0x02fe0381 + i, -3 - i, i) + (int)(__dp4a(0x02fe0381u, u, 7u) & 63u);
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
    y[i] = k * fraction * fraction + whole * x[i] + mantissa * mantissa * exponent + rest * x[i] +
           (quotient & 1) * x[i] + s * c + sp * cp;
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
    y[i] = std::tgamma(x[i]) + std::lgamma(x[i]) * std::remainder(5.0 * x[i], 3.0) +
           std::ldexp(x[i], i % 3 - 1) + std::scalbn(x[i], -2) * std::logb(x[i]) + std::fmax(x[i], 1.2) +
           jn(i % 4, x[i]) * yn(2, x[i] + 1.0) + std::ilogb(x[i]) * x[i] + (double)std::llround(x[i]) * x[i] +
           0.0f * f;
}

static_assert(__builtin_ctz(8) == 3, "");
template <int N> __device__ double times(double x) { return N * x; }

BOTH("y wrt x")
__global__ void compiler_builtins(double *y, const double *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ double tile[__builtin_ctz(1 << 12)];
    if (i < n) tile[i] = x[i] * x[i];
    __syncthreads();
    if (__builtin_expect(i >= n, 0)) return;
    if (i > 1000) __trap();
    double least = __longlong_as_double(0x7ff0000000000000ll);
    for (int k = 0; k < __builtin_ctz(8); k++) least = __builtin_fmin(least, x[(i + k) % n]);
    int weight = __builtin_popcount(i) + __builtin_clz(i + 1) + __builtin_ffs(i);
    weight += __builtin_popcountll(~0ull >> i);
    float half = __int_as_float(0x3f000000) + __uint_as_float(0u);
    y[i] = weight * least * x[i] + times<__builtin_popcount(7)>(tile[(i + 1) % n]);
    y[i] += half * __builtin_sqrt(x[i]) + __hiloint2double(0x40080000, 0) * __builtin_powi(x[i], 3);
}

#include "math_calls.grad.cuh"

CHECK_KERNEL(bit_counts, 1, 32, out(20), in(20, 0.5, 1.5), 20)
CHECK_KERNEL(parts, 1, 32, out(12), in(12, 1.1, 1.4), 12)
CHECK_KERNEL(in_place, 1, 32, out(12), in(12, 0.1, 0.7), 12)
CHECK_KERNEL(compiler_builtins, 1, 32, out(12), in(12, 0.4, 1.7), 12)
CHECK_KERNEL(overloads, 1, 32, out(12), in(12, 1.3, 1.45), 12)

TEST_MAIN
