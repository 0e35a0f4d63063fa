// Programs that factor and solve by cuSOLVER, against central differences: both triangles, both ways of the
// solve, with and without pivots, and the factors themselves; on the CPU device by tests/support/blas.
#ifdef GW_CPU_DEVICE
#include "../support/blas/cusolverDn.h"
#endif
#include "../support/expect.cuh"

#include <gradwright/cusolver.cuh>
#include <gradwright/program.h>

enum { N = 4, LD = 5, COLUMNS = 3, LDB = 6, SIZE_A = LD * N, SIZE_B = LDB * COLUMNS };

// The factor of a in f, and the solution in x.
GW_GRADIENT("x, f wrt a, b")
int symmetric(cusolverDnHandle_t handle, cudaStream_t stream, cublasFillMode_t fill, double *x, double *f,
              const double *a, const double *b) {
    double *work;
    int size = 0, *info;
    cudaMalloc(&info, sizeof(int));
    cudaMemcpyAsync(f, a, SIZE_A * sizeof(double), cudaMemcpyDeviceToDevice, stream);
    cudaMemcpyAsync(x, b, SIZE_B * sizeof(double), cudaMemcpyDeviceToDevice, stream);
    if (cusolverDnDpotrf_bufferSize(handle, fill, N, f, LD, &size) != CUSOLVER_STATUS_SUCCESS) return 1;
    cudaMalloc(&work, size * sizeof(double));
    if (cusolverDnDpotrf(handle, fill, N, f, LD, work, size, info) != CUSOLVER_STATUS_SUCCESS) return 2;
    if (cusolverDnDpotrs(handle, fill, N, COLUMNS, f, LD, x, LDB, info) != CUSOLVER_STATUS_SUCCESS) return 3;
    cudaStreamSynchronize(stream);
    cudaFree(work);
    cudaFree(info);
    return 0;
}

GW_GRADIENT("x, f wrt a, b")
int general(cusolverDnHandle_t handle, cudaStream_t stream, int on_A, int steps, double *x, double *f,
            const double *a, const double *b) {
    double *work;
    int size = 0, *info, *pivots;
    cudaMalloc(&info, sizeof(int));
    cudaMalloc(&pivots, N * sizeof(int));
    cudaMemcpyAsync(f, a, SIZE_A * sizeof(double), cudaMemcpyDeviceToDevice, stream);
    cudaMemcpyAsync(x, b, SIZE_B * sizeof(double), cudaMemcpyDeviceToDevice, stream);
    cusolverDnDgetrf_bufferSize(handle, N, N, f, LD, &size);
    cudaMalloc(&work, size * sizeof(double));
    cusolverDnDgetrf(handle, N, N, f, LD, work, pivots, info);
    for (int k = 0; k < steps; k++) // again and again, by one factor
        cusolverDnDgetrs(handle, (cublasOperation_t)on_A, N, COLUMNS, f, LD, pivots, x, LDB, info);
    cudaStreamSynchronize(stream);
    cudaFree(work);
    cudaFree(pivots);
    cudaFree(info);
    return 0;
}

GW_GRADIENT("x, f wrt a, b")
int not_pivoted(cusolverDnHandle_t handle, cudaStream_t stream, float *x, float *f, const float *a,
                const float *b) {
    float *work;
    int size = 0, *info;
    cudaMalloc(&info, sizeof(int));
    cudaMemcpyAsync(f, a, SIZE_A * sizeof(float), cudaMemcpyDeviceToDevice, stream);
    cudaMemcpyAsync(x, b, SIZE_B * sizeof(float), cudaMemcpyDeviceToDevice, stream);
    cusolverDnSgetrf_bufferSize(handle, N, N, f, LD, &size);
    cudaMalloc(&work, size * sizeof(float));
    cusolverDnSgetrf(handle, N, N, f, LD, work, nullptr, info);
    cusolverDnSgetrs(handle, CUBLAS_OP_N, N, COLUMNS, f, LD, nullptr, x, LDB, info);
    cudaStreamSynchronize(stream);
    cudaFree(work);
    cudaFree(info);
    return 0;
}
GW_GRADIENT("f wrt f")
int not_square(cusolverDnHandle_t handle, double *f, double *work, int *pivots, int *info) {
    return cusolverDnDgetrf(handle, N, N - 1, f, LD, work, pivots, info);
}
#include "program_cusolver.grad.cuh"

namespace {

struct library {
    cusolverDnHandle_t handle = nullptr;
    cudaStream_t stream = nullptr;
    library() {
        cusolverDnCreate(&handle);
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        cusolverDnSetStream(handle, stream);
    }
    ~library() {
        cusolverDnDestroy(handle);
        cudaStreamDestroy(stream);
    }
};

typedef std::vector<double> numbers;

// A matrix that needs its pivots, its diagonal as large as `diagonal`; then the right sides.
numbers point(double diagonal) {
    numbers made = check::uniform_numbers(1, SIZE_A + SIZE_B, -1, 1);
    for (int i = 0; i < N; i++)
        made[(size_t)(i + i * LD)] += diagonal;
    return made;
}

const numbers seed = check::uniform_numbers(2, SIZE_A + SIZE_B, -1, 1);

// <seed, (f, x)> at the point, and its gradient where `d` is given.
#define PROGRAM(name, ...)                                                                                     \
    [=](library &l, auto &...of) { return name(l.handle, l.stream, ##__VA_ARGS__, of...); },                   \
        [=](library &l, auto &...of) { return name##_grad(l.handle, l.stream, ##__VA_ARGS__, of...); }

template <class T, class Program, class Gradient>
double loss(check::trial &trial, Program program, Gradient gradient, const numbers &at, numbers *d) {
    library lib;
    const auto part = [](const numbers &of, bool second) {
        return std::vector<T>(of.begin() + (second ? SIZE_A : 0), second ? of.end() : of.begin() + SIZE_A);
    };
    check::array<T> a(part(at, false)), b(part(at, true)), f(part(at, false)), x(part(at, true));
    check::array<T> d_f(part(seed, false)), d_x(part(seed, true)), d_a(std::vector<T>(SIZE_A, 0)),
        d_b(std::vector<T>(SIZE_B, 0));
    if (d)
        EXPECT_STATUS(gradient(lib, x, f, a, b, d_x, d_f, d_a, d_b), GW_OK);
    else
        EXPECT(program(lib, x, f, a, b) == 0);
    EXPECT_DEVICE_OK();
    double sum = 0;
    for (size_t i = 0; i < SIZE_A + SIZE_B; i++)
        sum += seed[i] * (double)(i < SIZE_A ? f.get()[i] : x.get()[i - SIZE_A]);
    if (d) {
        d->clear();
        for (T one : d_a.get())
            d->push_back(one);
        for (T one : d_b.get())
            d->push_back(one);
        EXPECT(a.get() == part(at, false) && b.get() == part(at, true));
    }
    return sum;
}

template <class T, class Program, class Gradient>
void against_differences(check::trial &trial, Program program, Gradient gradient, double diagonal, double h,
                         double within) {
    const numbers at = point(diagonal);
    numbers d;
    const double value = loss<T>(trial, program, gradient, at, nullptr),
                 again = loss<T>(trial, program, gradient, at, &d);
    EXPECT_NEAR(value, again, 1e-12);
    for (size_t i = 0; i < at.size(); i++) {
        numbers more = at, less = at;
        more[i] += h, less[i] -= h;
        const double want = (loss<T>(trial, program, gradient, more, nullptr) -
                             loss<T>(trial, program, gradient, less, nullptr)) /
                            (2 * h);
        EXPECT(check::near(d[i], want, within, 1));
    }
}

TEST(cholesky) {
    for (cublasFillMode_t fill : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER})
        against_differences<double>(trial, PROGRAM(symmetric, fill), 4, 1e-6, 1e-7);
}

TEST(pivots) {
    for (int on_A : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C})
        for (int steps : {1, 2})
            against_differences<double>(trial, PROGRAM(general, on_A, steps), 0.25, 1e-6, 1e-6);
}

TEST(no_pivots) { against_differences<float>(trial, PROGRAM(not_pivoted), 4, 1e-2, 2e-3); }

TEST(not_square) {
    library lib;
    check::array<double> f(point(4)), work(seed), d_f(seed);
    check::array<int> pivots(std::vector<int>(N, 0)), info({0});
    EXPECT_STATUS(not_square_grad(lib.handle, f, work, pivots, info, d_f), GW_ERROR_CUDA);
}

} // namespace
TEST_MAIN
