// Programs that call cuFFT, against central differences: all six transforms in one to three dimensions, even
// and odd, in batches and in place; on the CPU device by tests/support/blas.
#ifdef GW_CPU_DEVICE
#include "../support/blas/cufft.h"
#endif
#include "../support/expect.cuh"

#include <gradwright/cufft.cuh>
#include <gradwright/program.h>

#include <functional>

__global__ void square(double *x, int n) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) x[i] = x[i] * x[i];
}
// The numbers of x are overwritten by the program, so that transforms of them are not linear.
GW_GRADIENT("y wrt x") void complex_back(cufftHandle p, double2 *y, double2 *x, int way, int) {
    cufftExecZ2Z(p, x, y, way);
    cufftExecZ2Z(p, y, y, way);
}
GW_GRADIENT("y wrt x") void to_half(cufftHandle p, double2 *y, double *x, int n, cudaStream_t stream) {
    square<<<1, 64, 0, stream>>>(x, n);
    cufftExecD2Z(p, x, y);
}
GW_GRADIENT("y wrt x") void from_half(cufftHandle p, double *y, double2 *x, int n, cudaStream_t stream) {
    cufftExecZ2D(p, x, y);
    square<<<1, 64, 0, stream>>>(y, n);
}
GW_GRADIENT("y wrt x") void round_trip(cufftHandle p, cufftHandle q, float *y, float2 *half, float *x) {
    cufftExecR2C(p, x, half);
    cufftExecC2R(q, half, y);
}
GW_GRADIENT("y wrt x") void in_floats(cufftHandle p, float2 *y, float2 *x) {
    cufftExecC2C(p, x, y, CUFFT_INVERSE);
}
#include "program_cufft.grad.cuh"

namespace {

std::vector<double> numbers(uint64_t seed, int count) {
    check::generator random = {seed};
    std::vector<double> made;
    for (int i = 0; i < count; i++)
        made.push_back(random.uniform(-1, 1));
    return made;
}

struct shape {
    int rank, n[3], batch;
    int rows() const { return batch * (rank > 1 ? n[0] : 1) * (rank > 2 ? n[1] : 1); }
    int last() const { return n[rank - 1]; }
    int reals() const { return rows() * last(); }
    int halves() const { return rows() * (last() / 2 + 1); }
};
const shape shapes[] = {
    {1, {6, 0, 0}, 1}, {1, {5, 0, 0}, 2}, {2, {3, 4, 0}, 2}, {3, {2, 3, 4}, 1}, {2, {4, 1, 0}, 1}};

struct library {
    cudaStream_t stream = nullptr;
    cufftHandle plan = 0;
    library(shape s, cufftType type) {
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        cufftPlanMany(&plan, s.rank, s.n, nullptr, 1, 0, nullptr, 1, 0, type, s.batch);
        cufftSetStream(plan, stream);
        gw_cufft_describe(plan, type, s.rank, s.n, s.batch, stream);
    }
    ~library() {
        gw_cufft_forget(plan);
        cufftDestroy(plan);
        cudaStreamDestroy(stream);
    }
};

typedef std::function<void(double *y, double *x)> program;
typedef std::function<gw_status(double *y, double *x, double *d_y, double *d_x)> gradient;

double loss(const program &f, const std::vector<double> &x, const std::vector<double> &seed) {
    check::array<double> on_x(x), y(seed);
    double sum = 0;
    f(y, on_x);
    cudaDeviceSynchronize();
    for (size_t i = 0; i < seed.size(); i++)
        sum += seed[i] * y.get()[i];
    return sum;
}

void against_differences(check::trial &trial, const program &f, const gradient &g, std::vector<double> x,
                         const std::vector<double> &seed) {
    const double h = 1e-5;
    check::array<double> on_x(x), y(seed), d_y(seed), d_x(std::vector<double>(x.size(), 0.5));
    EXPECT_STATUS(g(y, on_x, d_y, d_x), GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT(on_x.get() == x);
    for (double d : d_y.get())
        EXPECT(d == 0);
    for (size_t i = 0; i < x.size(); i++) {
        std::vector<double> more = x, less = x;
        more[i] += h, less[i] -= h;
        EXPECT(check::near(d_x.get()[i] - 0.5, (loss(f, more, seed) - loss(f, less, seed)) / (2 * h), 1e-7, 1));
    }
}

TEST(complex) {
    for (const shape &s : shapes)
        for (int way : {CUFFT_FORWARD, CUFFT_INVERSE}) {
            library lib(s, CUFFT_Z2Z);
            against_differences(
                trial,
                [&](double *y, double *x) { complex_back(lib.plan, (double2 *)y, (double2 *)x, way, 0); },
                [&](double *y, double *x, double *d_y, double *d_x) {
                    return complex_back_grad(lib.plan, (double2 *)y, (double2 *)x, way, 0, (double2 *)d_y,
                                             (double2 *)d_x);
                },
                numbers(1, 2 * s.reals()), numbers(2, 2 * s.reals()));
        }
}

TEST(to_half) {
    for (const shape &s : shapes) {
        library lib(s, CUFFT_D2Z);
        const int n = s.reals();
        against_differences(
            trial, [&](double *y, double *x) { to_half(lib.plan, (double2 *)y, x, n, lib.stream); },
            [&](double *y, double *x, double *d_y, double *d_x) {
                return to_half_grad(lib.plan, (double2 *)y, x, n, lib.stream, (double2 *)d_y, d_x);
            },
            numbers(3, n), numbers(4, 2 * s.halves()));
    }
}

// The numbers are as a real transform leaves them, in one dimension and more: others are no half spectrum, and
// what the library makes of those is not said. So the differences go from half spectrum to half spectrum.
TEST(from_half) {
    for (const shape &s : shapes) {
        library lib(s, CUFFT_Z2D), there(s, CUFFT_D2Z);
        const int n = s.reals();
        const size_t size = (size_t)(2 * s.halves());
        const auto spectrum = [&](const std::vector<double> &of) {
            check::array<double> real(of), half(std::vector<double>(size, 0.0));
            cufftExecD2Z(there.plan, real, (double2 *)(double *)half);
            cudaDeviceSynchronize();
            return half.get();
        };
        const program f = [&](double *y, double *x) { from_half(lib.plan, y, (double2 *)x, n, lib.stream); };
        const std::vector<double> x = spectrum(numbers(5, n)), seed = numbers(7, n);
        check::array<double> on_x(x), y(seed), d_y(seed), d_x(std::vector<double>(size, 0.5));
        double2 *const at = (double2 *)(double *)on_x, *const d_at = (double2 *)(double *)d_x;
        EXPECT_STATUS(from_half_grad(lib.plan, y, at, n, lib.stream, d_y, d_at), GW_OK);
        EXPECT_DEVICE_OK();
        for (double d : d_y.get())
            EXPECT(d == 0);
        for (int direction = 0; direction < n; direction++) {
            std::vector<double> unit((size_t)n, 0.0), more = x, less = x;
            unit[(size_t)direction] = 1;
            const std::vector<double> to = spectrum(unit), d = d_x.get();
            const double h = 1e-5;
            double slope = 0;
            for (size_t i = 0; i < size; i++) {
                more[i] += h * to[i], less[i] -= h * to[i];
                slope += (d[i] - 0.5) * to[i];
            }
            EXPECT_NEAR(slope, (loss(f, more, seed) - loss(f, less, seed)) / (2 * h), 1e-7);
        }
    }
}

// There and back: n times the numbers.
TEST(floats) {
    const shape s = {2, {2, 3, 0}, 2};
    library there(s, CUFFT_R2C), back(s, CUFFT_C2R), all(s, CUFFT_C2C);
    check::array<float> x(std::vector<float>(12, 1.5f)), y(std::vector<float>(12, 0.0f)),
        half(std::vector<float>(16, 0.0f)), d_x(std::vector<float>(12, 0.25f)),
        d_y({1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2});
    const std::vector<float> g = d_y.get();
    EXPECT_STATUS(round_trip_grad(there.plan, back.plan, y, (float2 *)(float *)half, x, d_y, d_x), GW_OK);
    cudaDeviceSynchronize();
    for (size_t i = 0; i < 12; i++)
        EXPECT(check::near(d_x.get()[i] - 0.25, 6 * g[i], 1e-5, 1));
    check::array<float> cx(std::vector<float>(24, 1.0f)), cy(std::vector<float>(24, 0.0f)),
        d_cx(std::vector<float>(24, 0.0f)), d_cy(std::vector<float>(24, 1.0f));
    EXPECT_STATUS(in_floats_grad(all.plan, (float2 *)(float *)cy, (float2 *)(float *)cx,
                                 (float2 *)(float *)d_cy, (float2 *)(float *)d_cx),
                  GW_OK);
    cudaDeviceSynchronize();
    for (size_t i = 0; i < 24; i++)
        EXPECT(check::near(d_cx.get()[i], i % 12 < 2 ? 6 : 0, 1e-5, 1)); /* of all ones: the first */
}

TEST(not_described) {
    library lib({1, {6, 0, 0}, 1}, CUFFT_Z2Z);
    gw_cufft_forget(lib.plan);
    check::array<double> x(numbers(8, 12)), y(numbers(9, 12)), d_y(numbers(10, 12)), d_x(numbers(11, 12));
    EXPECT_STATUS(complex_back_grad(lib.plan, (double2 *)(double *)y, (double2 *)(double *)x, -1, 0,
                                    (double2 *)(double *)d_y, (double2 *)(double *)d_x),
                  GW_ERROR_CUDA);
}

} // namespace
TEST_MAIN
