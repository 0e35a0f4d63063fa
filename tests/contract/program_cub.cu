// CUB's sums and scans in programs, each asked for its storage first: gradients against differences, over
// several levels of parts, of none and of one; by hand where values are equal or none.
#include "../support/expect.cuh"
#include <gradwright/program.h>

#include "../support/cub.cuh"

template <class T> struct scaled_square {
    T by;
    __host__ __device__ T operator()(T x) const { return by * x * x; }
};

template <class T> __global__ void multiply(T *out, const T *a, const T *b, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = (T)(1 + (T)0.01 * i) * a[i] * b[i];
}
template <class T> __global__ void map(T *out, const T *x, T c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = c * x[i] * x[i] + x[i];
}
template <class T> __global__ void add(T *loss, const T *parts, int n) {
    T sum = 0;
    for (int i = 0; i < n; i++) sum += parts[i];
    *loss = sum;
}

__global__ void unpack(double *y, int *at, const cub::KeyValuePair<int, double> *pair) {
    *y = pair->value;
    *at = pair->key;
}

#define PROGRAMS(T)                                                                                            \
    GW_GRADIENT("loss wrt x, c") void sums_##T(T *loss, const T *x, T c, int n) {                              \
        cudaStream_t stream = nullptr;                                                                         \
        T *parts, *u;                                                                                          \
        cudaMalloc(&parts, 5 * sizeof(T));                                                                     \
        cudaMalloc(&u, (n + 1) * sizeof(T));                                                                   \
        if (n) map<<<n / 128 + 1, 128>>>(u, x, c, n);                                                          \
        TWICE(cub::DeviceReduce::Sum, x, parts, n, stream);                                                    \
        TWICE(cub::DeviceReduce::Max, u, parts + 1, n, stream);                                                \
        TWICE(cub::DeviceReduce::Min, u, parts + 2, n, stream);                                                \
        TWICE(cub::DeviceReduce::Reduce, u, parts + 3, n, compound<T>(), c, stream);                           \
        TWICE(cub::DeviceReduce::TransformReduce, x, parts + 4, n, sum(), scaled_square<T>{c}, c, stream);     \
        add<<<1, 1>>>(loss, parts, n ? 5 : 1);                                                                 \
        cudaFree(u);                                                                                           \
        cudaFree(parts);                                                                                       \
    }                                                                                                          \
    GW_GRADIENT("loss wrt x, c") void scans_##T(T *loss, const T *x, T c, int n) {                             \
        cudaStream_t stream;                                                                                   \
        cudaStreamCreate(&stream);                                                                             \
        T *u, *v, *w;                                                                                          \
        cudaMallocAsync(&u, (n + 1) * sizeof(T), stream);                                                      \
        cudaMallocAsync(&v, (n + 2) * sizeof(T), stream);                                                      \
        cudaMallocAsync(&w, (n + 1) * sizeof(T), stream);                                                      \
        TWICE(cub::DeviceScan::InclusiveSum, x, u, n, stream);                                                 \
        TWICE(cub::DeviceScan::ExclusiveSum, u, n, stream);                                                    \
        TWICE(cub::DeviceScan::ExclusiveScan, x, v, sum(), c, n, stream);                                      \
        TWICE(cub::DeviceScan::InclusiveScanInit, x, w, sum(), c, n, stream);                                  \
        if (n) multiply<<<n / 128 + 1, 128, 0, stream>>>(v, (const T *)v, (const T *)w, n);                    \
        TWICE(cub::DeviceScan::InclusiveScan, x, w, compound<T>(), n, stream);                                 \
        if (n) multiply<<<n / 128 + 1, 128, 0, stream>>>(u, (const T *)u, (const T *)w, n);                    \
        TWICE(cub::DeviceScan::ExclusiveScan, w, w, greatest(), c, n, stream);                                 \
        if (n) multiply<<<n / 128 + 1, 128, 0, stream>>>(w, (const T *)v, (const T *)w, n);                    \
        TWICE(cub::DeviceReduce::Sum, w, v, n, stream);                                                        \
        TWICE(cub::DeviceReduce::Sum, u, v + 1, n, stream);                                                    \
        cudaMemcpyAsync(loss, v, sizeof(T), cudaMemcpyDeviceToDevice, stream);                                 \
        cudaFreeAsync(u, stream);                                                                              \
        cudaFreeAsync(v, stream);                                                                              \
        cudaFreeAsync(w, stream);                                                                              \
        cudaStreamSynchronize(stream);                                                                         \
        cudaStreamDestroy(stream);                                                                             \
    }
PROGRAMS(float)
PROGRAMS(double)

#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* pairs, in CCCL 3 */

/* Into cells of the caller's: least, greatest, where they are, as a pair too. */
GW_GRADIENT("y wrt x") void extremes(double *y, const double *x, int *at, int n) {
    const cudaStream_t stream = nullptr;
    cub::KeyValuePair<int, double> *pair;
    cudaMalloc(&pair, sizeof *pair);
    TWICE(cub::DeviceReduce::ArgMin, x, y, at, n, stream);
    TWICE(cub::DeviceReduce::ArgMax, x, y + 1, at + 1, n, stream);
    TWICE(cub::DeviceReduce::Max, x, y + 2, n, stream);
    TWICE(cub::DeviceReduce::ArgMin, x, pair, n, stream);
    unpack<<<1, 1>>>(y + 3, at + 2, pair);
    cudaFree(pair);
}
__global__ void exponentials(double *e, const double *x, const double *most, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) e[i] = exp(x[i] - *most);
}
__global__ void log_plus(double *y, const double *all, const double *most) { *y = log(*all) + *most; }
/* The logarithm of a sum of exponentials, which is smooth where numbers are equal. */
GW_GRADIENT("y wrt x") void log_sum_exp(double *y, const double *x, int n) {
    const cudaStream_t stream = nullptr;
    double *most, *e;
    cudaMalloc(&most, 2 * sizeof *most);
    cudaMalloc(&e, n * sizeof *e);
    TWICE(cub::DeviceReduce::Max, x, most, n, stream);
    exponentials<<<n / 64 + 1, 64>>>(e, x, most, n);
    TWICE(cub::DeviceReduce::Sum, e, most + 1, n, stream);
    log_plus<<<1, 1>>>(y, most + 1, most);
    cudaFree(e);
    cudaFree(most);
}
/* The same by a sum that has a forward derivative; and the greatest alone. */
__global__ void sum_up(double *sum, const double *e, int n) {
    double all = 0;
    for (int i = 0; i < n; i++) all += e[i];
    *sum = all;
}
GW_DERIVATIVE("y, most wrt x") void log_sum_exp_along(double *y, double *most, const double *x, int n) {
    const cudaStream_t stream = nullptr;
    double *e, *sum;
    cudaMalloc(&e, n * sizeof *e);
    cudaMalloc(&sum, sizeof *sum);
    TWICE(cub::DeviceReduce::Max, x, most, n, stream);
    exponentials<<<n / 64 + 1, 64>>>(e, x, most, n);
    sum_up<<<1, 1>>>(sum, e, n);
    log_plus<<<1, 1>>>(y, sum, most);
    cudaFree(sum);
    cudaFree(e);
}
GW_GRADIENT("most wrt x") void greatest_of(double *most, const double *x, int n) {
    const cudaStream_t stream = nullptr;
    TWICE(cub::DeviceReduce::Max, x, most, n, stream);
}
/* What is summed is stored as a number of another type. */
GW_GRADIENT("y wrt x") void widened(double *y, const float *x, int n) {
    const cudaStream_t stream = nullptr;
    TWICE(cub::DeviceReduce::Sum, x, y, n, stream);
}
#include "program_cub.grad.cuh"
#include "../support/sizes.cuh"

namespace {

CASES(sums)
CASES(scans)

struct run {
    std::vector<double> y, d_x;
    std::vector<int> at;
};
run extremes_of(const std::vector<double> &x, check::trial &trial) {
    const int n = (int)x.size();
    check::array<double> y(std::vector<double>(4, 9)), in(x), d_y({1, 10, 100, 1000}),
        d_x(std::vector<double>(n, 0.5));
    check::array<int> at({7, 7, 7});
    EXPECT_STATUS(extremes_grad(y, in, at, n, d_y, d_x), GW_OK);
    EXPECT_DEVICE_OK();
    return {y.get(), d_x.get(), at.get()};
}

// The first of several that are least or greatest has its place; Max gives its adjoint to one of them.
TEST(ties) {
    const run r = extremes_of({3, -1, 5, -1, 5, 2}, trial);
    EXPECT((r.y == std::vector<double>{-1, 5, 5, -1} && r.at == std::vector<int>{1, 2, 1}));
    double sum = 0;
    for (int i : {0, 1, 3, 5}) EXPECT(r.d_x[i] == (i == 1 ? 1001.5 : 0.5));
    for (int i : {2, 4}) sum += r.d_x[i];
    EXPECT(sum == 111 && r.d_x[2] >= 10.5);
    std::vector<double> values(100, 1);
    double all = 0;
    for (int i = 0; i < 100; i++) all += std::exp(values[i] = i % 40 == 3 ? 2 : 0.1 * (i % 7));
    check::array<double> y({0}), x(values), d_y({3}), d_x(std::vector<double>(100, 0));
    EXPECT_STATUS(log_sum_exp_grad(y, x, 100, d_y, d_x), GW_OK);
    for (int i = 0; i < 100; i++)
        EXPECT(check::near(d_x.get()[i], 3 * std::exp(values[i]) / all, 1e-13));
}
// Forward, the greatest changes as the one does that its gradient gives all to.
TEST(ties_along) {
    std::vector<double> values(100), directions(100);
    double all = 0, along = 0;
    for (int i = 0; i < 100; i++) all += std::exp(values[i] = i % 40 == 3 ? 2 : 0.1 * (i % 7));
    for (int i = 0; i < 100; i++) along += std::exp(values[i]) / all * (directions[i] = std::sin(1 + 3 * i));
    check::array<double> y({0}), most({0}), x(values), t_y({7}), t_most({7}), t_x(directions), d_most({1}),
        d_x(std::vector<double>(100, 0));
    EXPECT_STATUS(log_sum_exp_along_jvp(y, most, x, 100, t_y, t_most, t_x), GW_OK);
    EXPECT_STATUS(greatest_of_grad(most, x, 100, d_most, d_x), GW_OK);
    EXPECT_DEVICE_OK();
    double taken = 0;
    for (int i = 0; i < 100; i++) taken += d_x.get()[i] * directions[i];
    EXPECT(check::near(t_y.get()[0], along, 1e-13) && t_most.get()[0] == taken && most.get()[0] == 2);
}
TEST(one) {
    const run r = extremes_of({-4}, trial);
    EXPECT((r.y == std::vector<double>{-4, -4, -4, -4} && r.at == std::vector<int>{0, 0, 0}));
    EXPECT(r.d_x[0] == 1111.5);
}
// As CUB has it: the worst there is, at 1.
TEST(none) {
    const double worst = std::numeric_limits<double>::max();
    const run r = extremes_of({}, trial);
    EXPECT((r.y == std::vector<double>{worst, -worst, -worst, worst} && r.at == std::vector<int>{1, 1, 1}));
}
// A sum of floats that is stored as a double is one of doubles.
TEST(widened) {
    check::array<double> y({9}), d_y({3});
    check::array<float> x({1e8f, 1, -1e8f}), d_x({0, 1, 2});
    EXPECT_STATUS(widened_grad(y, x, 3, d_y, d_x), GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT(y.get()[0] == 1 && (d_x.get() == std::vector<float>{3, 4, 5}));
}

} // namespace
TEST_MAIN
