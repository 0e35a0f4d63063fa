// Programs that call cuBLAS: each function for all its flags, with leading dimensions, steps and parts of
// buffers, against central differences; on the CPU device by tests/support/blas.
#ifdef GW_CPU_DEVICE
#include "../support/blas/cublas_v2.h"
#endif
#include "../support/expect.cuh"

#include <gradwright/cublas.cuh>
#include <gradwright/program.h>

#include <cmath>
#include <functional>
#include <limits>

// All of a, b, c are of SIZE numbers; what a call overwrites is c.
#define PROGRAM(name, ...) GW_DERIVATIVE("c wrt a, b, c, alpha, beta") WITHOUT_TANGENTS(name, __VA_ARGS__)
#define WITHOUT_TANGENTS(name, ...)                                                                            \
    GW_GRADIENT("c wrt a, b, c, alpha, beta")                                                                  \
    cublasStatus_t name(cublasHandle_t handle, const double *a, const double *b, double *c, double alpha,      \
                        double beta, int f0, int f1, int f2, int f3) {                                         \
        (void)a, (void)b, (void)f0, (void)f1, (void)f2, (void)f3;                                              \
        cublasDscal(handle, 1, &beta, c + 39, 1); /* so that it depends on all of them */                      \
        __VA_ARGS__                                                                                            \
        return CUBLAS_STATUS_SUCCESS;                                                                          \
    }

PROGRAM(with_gemm, {
    if (cublasDgemm(handle, (cublasOperation_t)f0, (cublasOperation_t)f1, 3, 4, 2, &alpha, a, 5, b + 1, 6,
                    &beta, c + 2, 4) != CUBLAS_STATUS_SUCCESS)
        return CUBLAS_STATUS_EXECUTION_FAILED;
})
PROGRAM(with_batched, {
    cublasDgemmStridedBatched(handle, (cublasOperation_t)f0, (cublasOperation_t)f1, 2, 3, 2, &alpha, a, 3,
                              11 * f2, b, 3, 9, &beta, c, 2, 7, 3);
})
PROGRAM(with_gemv, { cublasDgemv(handle, (cublasOperation_t)f0, 3, 4, &alpha, a, 4, b, f1, &beta, c, f2); })
PROGRAM(with_ger, { cublasDger(handle, 3, 4, &alpha, a, f0, b, f1, c, 5); })
PROGRAM(with_axpy, { cublasDaxpy(handle, 5, &alpha, a, f0, c, f1); })
PROGRAM(with_scal, { cublasDscal(handle, 5, &alpha, c, 2); })
WITHOUT_TANGENTS(with_trsm, {
    cublasDtrsm(handle, (cublasSideMode_t)f0, (cublasFillMode_t)f1, (cublasOperation_t)f2, (cublasDiagType_t)f3,
                f0 == CUBLAS_SIDE_LEFT ? 3 : 2, f0 == CUBLAS_SIDE_LEFT ? 2 : 3, &alpha, a, 4, c, 4);
})
// What comes back to the host is a number of the program's.
PROGRAM(with_dot, {
    double result;
    cublasDdot(handle, 5, a, f0, b, f1, &result);
    result = alpha * result * result;
    cublasDscal(handle, 5, &result, c, 1);
})
PROGRAM(with_nrm2, {
    double length = 0;
    cublasDnrm2(handle, 5, a, f0, &length);
    const double by = alpha / length;
    cublasDaxpy(handle, 5, &by, b, 1, c, 1);
})
// In a loop: one of many calls on one buffer, whose old contents are needed.
PROGRAM(with_loop, {
    double *u;
    double one = 1, none = 0;
    cudaMalloc(&u, 9 * sizeof(double));
    for (int i = 0; i < 3; i++) {
        cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 3, 3, 3, &one, a, 3, c, 3, &none, u, 3);
        cublasDgemm(handle, CUBLAS_OP_T, CUBLAS_OP_N, 3, 3, 3, &alpha, u, 3, b, 3, &beta, c, 3);
    }
    cudaFree(u);
})
// On the device: the result of dot, and a loss of float.
GW_GRADIENT("loss wrt x, y")
void on_device(cublasHandle_t handle, float *loss, const float *x, const float *y, int n) {
    cublasSdot(handle, n, x, 1, y, 1, loss);
}
GW_GRADIENT("y wrt x, y, alpha")
void in_float(cublasHandle_t handle, float *y, const float *x, float alpha, int n) {
    const float half = 0.5f;
    cublasSaxpy(handle, n, &alpha, x, 1, y, 1);
    cublasSscal(handle, n, &half, y, 1);
}
// As A and as C: no call of cuBLAS.
GW_GRADIENT("c wrt c")
void in_place(cublasHandle_t handle, double *c, int n) {
    double one = 1;
    cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, c, n, c + n * n, n, &one, c, n);
}
#include "program_cublas.grad.cuh"

namespace {

enum { SIZE = 40 };

std::vector<double> numbers(uint64_t seed, double low, double high) {
    check::generator random = {seed};
    std::vector<double> made;
    for (int i = 0; i < SIZE; i++)
        made.push_back(random.uniform(low, high));
    return made;
}

struct library {
    cublasHandle_t handle = nullptr;
    cudaStream_t stream = nullptr;
    library() {
        cublasCreate(&handle);
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        cublasSetStream(handle, stream);
    }
    ~library() {
        cublasDestroy(handle);
        cudaStreamDestroy(stream);
    }
};

struct inputs {
    std::vector<double> part[3] = {numbers(1, 0.5, 1.5), numbers(2, -1, 1), numbers(3, -1, 1)};
    double scalar[2] = {0.8, 0.6};
};

typedef cublasStatus_t program(cublasHandle_t, const double *, const double *, double *, double, double, int,
                               int, int, int);
typedef gw_status gradient(cublasHandle_t, const double *, const double *, double *, double, double, int, int,
                           int, int, double *, double *, double *, double *, double *);

const std::vector<double> seed = numbers(4, -1, 1);

double loss(check::trial &trial, program *f, const inputs &in, const int *flags) {
    library lib;
    check::array<double> a(in.part[0]), b(in.part[1]), c(in.part[2]);
    EXPECT(f(lib.handle, a, b, c, in.scalar[0], in.scalar[1], flags[0], flags[1], flags[2], flags[3]) ==
           CUBLAS_STATUS_SUCCESS);
    cudaDeviceSynchronize();
    double sum = 0;
    for (size_t i = 0; i < SIZE; i++)
        sum += seed[i] * c.get()[i];
    return sum;
}

double slope(check::trial &trial, program *f, const inputs &in, const int *flags,
             const std::function<double &(inputs &)> &of) {
    const double h = 1e-5;
    inputs more = in, less = in;
    of(more) += h, of(less) -= h;
    return (loss(trial, f, more, flags) - loss(trial, f, less, flags)) / (2 * h);
}

void against_differences(check::trial &trial, program *f, const std::function<gradient> &g, const inputs &in,
                         int f0, int f1, int f2, int f3) {
    const int flags[] = {f0, f1, f2, f3};
    library lib;
    check::array<double> a(in.part[0]), b(in.part[1]), c(in.part[2]);
    check::array<double> d[3] = {std::vector<double>(SIZE, 0.5), std::vector<double>(SIZE, 0.25), seed};
    const double before[] = {0.5, 0.25, 0};
    double d_scalar[2] = {0, 1};
    EXPECT_STATUS(g(lib.handle, a, b, c, in.scalar[0], in.scalar[1], f0, f1, f2, f3, d[0], d[1], d[2],
                    &d_scalar[0], &d_scalar[1]),
                  GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT(a.get() == in.part[0] && b.get() == in.part[1] && c.get() == in.part[2]);
    EXPECT(check::near(d_scalar[0],
                       slope(trial, f, in, flags, [](inputs &x) -> double & { return x.scalar[0]; }), 1e-7, 1));
    EXPECT(check::near(d_scalar[1] - 1,
                       slope(trial, f, in, flags, [](inputs &x) -> double & { return x.scalar[1]; }), 1e-7, 1));
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < SIZE; i++)
            EXPECT(check::near(d[k].get()[i] - before[k],
                               slope(trial, f, in, flags, [=](inputs &x) -> double & { return x.part[k][i]; }),
                               1e-7, 1));
}

// What c changes by along a direction, against the gradient along it.
typedef gw_status along(cublasHandle_t, const double *, const double *, double *, double, double, int, int, int,
                        int, const double *, const double *, double *, double, double);

void forward(check::trial &trial, program *f, const std::function<gradient> &g, const std::function<along> &jvp,
             const inputs &in, int f0, int f1, int f2, int f3) {
    library lib;
    check::array<double> a(in.part[0]), b(in.part[1]), c(in.part[2]), z(in.part[2]);
    check::array<double> d[3] = {std::vector<double>(SIZE, 0.0), std::vector<double>(SIZE, 0.0), seed};
    check::array<double> t[3] = {numbers(5, -1, 1), numbers(6, -1, 1), numbers(7, -1, 1)};
    const std::vector<double> t_c = t[2].get();
    double d_scalar[2] = {0, 0}, want = 0, got = 0;
    EXPECT_STATUS(g(lib.handle, a, b, c, in.scalar[0], in.scalar[1], f0, f1, f2, f3, d[0], d[1], d[2],
                    &d_scalar[0], &d_scalar[1]),
                  GW_OK);
    EXPECT_STATUS(jvp(lib.handle, a, b, c, in.scalar[0], in.scalar[1], f0, f1, f2, f3, t[0], t[1], t[2], 0.75,
                      -0.5),
                  GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT(f(lib.handle, a, b, z, in.scalar[0], in.scalar[1], f0, f1, f2, f3) == CUBLAS_STATUS_SUCCESS);
    EXPECT_DEVICE_OK();
    want = 0.75 * d_scalar[0] - 0.5 * d_scalar[1];
    for (size_t i = 0; i < SIZE; i++) {
        want += d[0].get()[i] * t[0].get()[i] + d[1].get()[i] * t[1].get()[i] + d[2].get()[i] * t_c[i];
        got += seed[i] * t[2].get()[i];
        EXPECT(c.get()[i] == z.get()[i]);
    }
    EXPECT(check::near(got, want, 1e-12, 1));
}

#define FORWARD(name, ...)                                                                                     \
    forward(                                                                                                   \
        trial, name, [](auto... x) { return name##_grad(x...); },                                              \
        [](auto... x) { return name##_jvp(x...); }, {}, __VA_ARGS__)

TEST(along_tangents) {
    for (int on : {CUBLAS_OP_N, CUBLAS_OP_T}) {
        FORWARD(with_gemm, on, CUBLAS_OP_N, 0, 0);
        FORWARD(with_gemm, CUBLAS_OP_N, on, 0, 0);
        FORWARD(with_batched, on, CUBLAS_OP_T, 1, 0);
        FORWARD(with_gemv, on, 2, -2, 0);
    }
    FORWARD(with_ger, 2, -2, 0, 0);
    FORWARD(with_axpy, -3, 2, 0, 0);
    FORWARD(with_dot, 2, -2, 0, 0);
    FORWARD(with_scal, 0, 0, 0, 0);
    FORWARD(with_nrm2, 2, 0, 0, 0);
    FORWARD(with_loop, 0, 0, 0, 0);
}

#define AGAINST_DIFFERENCES(name, ...)                                                                         \
    against_differences(                                                                                       \
        trial, name, [](auto... x) { return name##_grad(x...); }, {}, __VA_ARGS__)

TEST(gemm) {
    for (int f0 : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C})
        for (int f1 : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C})
            AGAINST_DIFFERENCES(with_gemm, f0, f1, 0, 0);
}

// beta = 0: C is not read, whatever lies there, and nothing comes back to it.
TEST(beta_is_zero) {
    library lib;
    inputs in;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    in.scalar[1] = 0;
    in.part[2].assign(SIZE, nan);
    check::array<double> a(in.part[0]), b(in.part[1]), c(in.part[2]), d_a(seed), d_b(seed), d_c(seed);
    double d_alpha = 0, d_beta = 0;
    EXPECT_STATUS(with_gemm_grad(lib.handle, a, b, c, 0.5, 0, 0, 0, 0, 0, d_a, d_b, d_c, &d_alpha, &d_beta),
                  GW_OK);
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < 3; i++)
            EXPECT(d_c.get()[2 + i + j * 4] == 0);
    EXPECT(d_c.get()[0] == seed[0] && d_c.get()[5] == seed[5]);
    for (double x : d_a.get())
        EXPECT(x == x);
    EXPECT(d_alpha == d_alpha);
}

TEST(gemm_batched) {
    for (int f0 : {CUBLAS_OP_N, CUBLAS_OP_T})
        for (int f1 : {CUBLAS_OP_N, CUBLAS_OP_T})
            for (int shared : {0, 1})
                AGAINST_DIFFERENCES(with_batched, f0, f1, shared, 0);
}

TEST(gemv) {
    for (int f0 : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C})
        for (int incx : {1, 2, -3})
            for (int incy : {1, -2})
                AGAINST_DIFFERENCES(with_gemv, f0, incx, incy, 0);
}

TEST(vectors) {
    for (int incx : {1, 2, -3})
        for (int incy : {1, -2}) {
            AGAINST_DIFFERENCES(with_ger, incx, incy, 0, 0);
            AGAINST_DIFFERENCES(with_axpy, incx, incy, 0, 0);
            AGAINST_DIFFERENCES(with_dot, incx, incy, 0, 0);
        }
    AGAINST_DIFFERENCES(with_scal, 0, 0, 0, 0);
    AGAINST_DIFFERENCES(with_nrm2, 2, 0, 0, 0);
}

TEST(trsm) {
    for (int side : {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT})
        for (int fill : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER})
            for (int on_A : {CUBLAS_OP_N, CUBLAS_OP_T})
                for (int unit : {CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT})
                    AGAINST_DIFFERENCES(with_trsm, side, fill, on_A, unit);
}

TEST(loop) { AGAINST_DIFFERENCES(with_loop, 0, 0, 0, 0); }

TEST(device_results) {
    library lib;
    const std::vector<float> x = {1, 2, 3}, y = {4, -5, 6};
    check::array<float> loss({9.0f}), on_x(x), on_y(y), d_loss({2.0f}), d_x(y),
        d_y(std::vector<float>(3, 0.0f));
    cublasSetPointerMode(lib.handle, CUBLAS_POINTER_MODE_DEVICE);
    EXPECT_STATUS(on_device_grad(lib.handle, loss, on_x, on_y, 3, d_loss, d_x, d_y), GW_OK);
    cudaDeviceSynchronize();
    EXPECT(loss.get()[0] == 12 && d_loss.get()[0] == 0);
    for (size_t i = 0; i < 3; i++)
        EXPECT(d_x.get()[i] == y[i] + 2 * y[i] && d_y.get()[i] == 2 * x[i]);
}

TEST(floats) {
    library lib;
    const std::vector<float> x = {1, 2, 3}, y = {4, -5, 6}, g = {1, 2, -1};
    check::array<float> on_x(x), on_y(y), d_x(std::vector<float>(3, 0.0f)), d_y(g);
    float d_alpha = 0;
    EXPECT_STATUS(in_float_grad(lib.handle, on_y, on_x, 2, 3, d_y, d_x, &d_alpha), GW_OK);
    cudaDeviceSynchronize();
    for (size_t i = 0; i < 3; i++)
        EXPECT(d_x.get()[i] == g[i] && d_y.get()[i] == g[i] / 2);
    EXPECT(d_alpha == 1); // x . g / 2
}

// What a call reads and writes at once, and increments of 0.
TEST(not_supported) {
    library lib;
    const inputs in;
    check::array<double> a(in.part[0]), b(in.part[1]), c(in.part[2]), d_a(seed), d_b(seed), d_c(seed);
    double d_alpha = 0, d_beta = 0;
    EXPECT_STATUS(with_axpy_grad(lib.handle, a, b, c, 1, 1, 0, 1, 0, 0, d_a, d_b, d_c, &d_alpha, &d_beta),
                  GW_ERROR_CUDA);
    EXPECT_STATUS(in_place_grad(lib.handle, a, 3, d_a), GW_ERROR_CUDA);
    EXPECT(c.get() == in.part[2] && a.get() == in.part[0]);
}

} // namespace
TEST_MAIN
