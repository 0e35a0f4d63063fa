// Lambdas that a program gives to kernels: with and without captures, generic, inside of other functors, made
// by helpers; and what pointers of a program are apart.
#include "../support/expect.cuh"

#include <gradwright/program.h>

#include <cstddef>

template <class In, class Out, class F> __global__ void each(Out out, In in, size_t n, F f) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = f(in[i]);
}
template <class F> __global__ void forall(size_t n, F f) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) f(i);
}
template <class F, class G> struct chained {
    F f;
    G g;
    template <class T> __host__ __device__ T operator()(T x) const { return f(g(x)); }
};
template <class F, class G> chained<F, G> chain(F f, G g) { return {f, g}; }
struct square {
    __host__ __device__ double operator()(double x) const { return x * x; }
};
struct swing {
    template <class T> __host__ __device__ T operator()(const T &x) const { return x * sin(x); }
};
struct scaled {
    double by;
    __host__ __device__ double operator()(double x) const { return by * x * x; }
};

// The length is the distance of two pointers.
struct range {
    double *first, *last;
};
template <class F> static double *map(range in, double *out, F f, cudaStream_t stream) {
    const ptrdiff_t n = in.last - in.first;
    if (n) each<<<(unsigned)(n + 63) / 64, 64, 0, stream>>>(out, (const double *)in.first, n, f);
    return out + n;
}

GW_GRADIENT("y wrt x, a")
void functors(double *y, const double *x, double a, int n, cudaStream_t stream) {
    double *u, *v;
    cudaMallocAsync(&u, n * sizeof *u, stream);
    cudaMallocAsync(&v, n * sizeof *v, stream);
    each<<<1, n, 0, stream>>>(u, x, n, square());
    each<<<1, n, 0, stream>>>(v, u, n, swing());
    each<<<1, n, 0, stream>>>(v, v, n, [] __device__(double w) { return w + 1; });
    each<<<1, n, 0, stream>>>(u, v, n, [=] __device__(auto w) { return w * a; });
    const double twice = 2 * a;
    each<<<1, n, 0, stream>>>(u, u, n, chain([=] __device__(double w) { return w * w * twice; },
                                             [a] __device__(double w) { return w + a; }));
    double *end = map({u, u + n}, v, scaled{a}, stream);
    double *middle = v + (end - v) / 2;
    map({v, middle}, v, [a] __device__(double w) { return a * w; }, stream);
    map({u, u}, v, square(), stream); // nothing
    const auto body = [=] __device__(size_t i) { y[i] = v[i] * a; };
    forall<<<1, n, 0, stream>>>(n, body);
    const auto again = [&](double by) {
        forall<<<1, n, 0, stream>>>(n, [=] __device__(size_t i) { y[i] *= by; });
    };
    again(a);
    again(twice);
    cudaFreeAsync(u, stream);
    cudaFreeAsync(v, stream);
}
#include "program_lambdas.grad.cuh"

namespace {

enum { CELLS = 9 };

double one(double x, double a, int i) {
    double v = x * x;
    v = (v * std::sin(v) + 1) * a + a;
    v = v * v * 2 * a;
    v = a * v * v;
    return (i < CELLS / 2 ? a : 1) * v * a * a * 2 * a;
}

TEST(functors) {
    const double a = 1.25, h = 1e-5;
    std::vector<double> start, seed;
    for (int i = 0; i < CELLS; i++)
        start.push_back(0.3 + 0.05 * i), seed.push_back(1 + i);
    check::array<double> y(std::vector<double>((size_t)CELLS, 0.0)), x(start), d_y(seed),
        d_x(std::vector<double>((size_t)CELLS, 0.0));
    double d_a = 0, want_a = 0;
    EXPECT_STATUS(functors_grad(y, x, a, CELLS, nullptr, d_y, d_x, &d_a), GW_OK);
    EXPECT_DEVICE_OK();
    for (int i = 0; i < CELLS; i++) {
        const double at = start[(size_t)i], by = seed[(size_t)i];
        EXPECT_NEAR(y.get()[(size_t)i] / one(at, a, i), 1, 1e-13);
        const double slope = by * (one(at + h, a, i) - one(at - h, a, i)) / (2 * h);
        EXPECT(check::near(d_x.get()[(size_t)i], slope, 1e-7, 1));
        want_a += by * (one(at, a + h, i) - one(at, a - h, i)) / (2 * h);
    }
    EXPECT(check::near(d_a, want_a, 1e-7, 1));
}

} // namespace
TEST_MAIN
