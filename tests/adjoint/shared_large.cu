// Shared arrays that are too large for static memory with their shadows, which then lie in the launch's memory:
// of several types and dimensions, with sums over the block beside them, and in halves.
#include "../support/check.cuh"
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

struct pair {
    double a, b;
};

BOTH("y wrt x")
__global__ void mirrored(double *y, const double *x, int n) {
    __shared__ double s[5000];
    const int t = threadIdx.x;
    for (int i = t; i < n; i += blockDim.x) s[i] = x[i] * x[i];
    __syncthreads();
    double sum = 0;
    for (int i = t; i < n; i += blockDim.x) sum += s[n - 1 - i] * s[i];
    y[HERE] = sum;
}

BOTH("y wrt x, p")
__global__ void of_types(double *y, const double *x, double p, int n) {
    __shared__ double tile[16][200];
    __shared__ pair pairs[1000];
    __shared__ double middle;
    const int t = threadIdx.x;
    for (int i = t; i < n; i += blockDim.x) {
        tile[i % 16][i / 16] = x[i] * p;
        pairs[i].a = x[i] * x[i];
        pairs[i].b = sin(p * x[i]);
    }
    if (t == 0) middle = x[0] * x[n - 1];
    __syncthreads();
    double sum = middle;
    for (int i = t; i < n; i += blockDim.x) sum += tile[(i + 1) % 16][i / 16] * pairs[n - 1 - i].a + pairs[i].b;
    y[HERE] = sum * p;
}

// Beside what the launch gives: one array with a shadow, two of other types, and one without.
BOTH("y wrt x")
__global__ void beside(double *y, const double *x, int n) {
    __shared__ double s[4000];
    extern __shared__ double more[];
    const int t = threadIdx.x;
    for (int i = t; i < n; i += blockDim.x) s[i] = x[i] * x[i], more[i] = x[i] * x[n - 1 - i];
    __syncthreads();
    double sum = 0;
    for (int i = t; i < n; i += blockDim.x) sum += s[n - 1 - i] * more[(i + 1) % n];
    y[HERE] = sum;
}
BOTH("y wrt x")
__global__ void beside_parts(double *y, const double *x, const int *order, int n) {
    __shared__ double s[4000];
    extern __shared__ char bytes[];
    double *more = (double *)bytes;
    int *next = (int *)(bytes + n * sizeof(double));
    const int t = threadIdx.x;
    for (int i = t; i < n; i += blockDim.x)
        s[i] = x[i] * x[i], more[i] = x[i] * x[n - 1 - i], next[i] = order[i];
    __syncthreads();
    double sum = 0;
    for (int i = t; i < n; i += blockDim.x) sum += s[n - 1 - i] * more[next[(i + 1) % n]];
    y[HERE] = sum;
}
BOTH("y wrt x")
__global__ void beside_lists(double *y, const double *x, const int *order, int n) {
    __shared__ double s[4000];
    extern __shared__ int next[];
    const int t = threadIdx.x;
    for (int i = t; i < n; i += blockDim.x) s[i] = x[i] * x[i], next[i] = order[i];
    __syncthreads();
    double sum = 0;
    for (int i = t; i < n; i += blockDim.x) sum += s[n - 1 - i] * s[next[(i + 1) % n]];
    y[HERE] = sum;
}

#include "shared_large.grad.cuh"

CHECK_SHARED(beside, 1, 32, 90 * sizeof(double), out(32), in(90), 90)
CHECK_SHARED(beside_parts, 1, 32, 90 * (sizeof(double) + sizeof(int)), out(32), in(90), fixed(90, 0, 90), 90)
CHECK_SHARED(beside_lists, 1, 32, 90 * sizeof(int), out(32), in(90), fixed(90, 0, 90), 90)

CHECK_KERNEL(mirrored, 1, 32, out(32), in(90), 90)
CHECK_KERNEL(of_types, 1, 16, out(16), in(64), active(0.7), 64)

#ifndef GW_TEST_SPLIT
TEST(limit) { // what no device has is an error that says so
    check::shared_array<double> y({0.0}), x({1.0}), d_y({1.0}), d_x({0.0});
    const size_t primal = 200 * 1024; // and 40000 bytes for the shadow
    EXPECT(mirrored_shared_bytes(32, primal) == primal + 40000);
    EXPECT_STATUS(mirrored_grad_launch(1, 1, primal, nullptr, y, x, 1, d_y, d_x, nullptr, 0), GW_ERROR_CUDA);
    EXPECT(std::strstr(gw_last_error(), "bytes of shared memory, shadows among them"));
    EXPECT(d_x.get()[0] == 0);
    (void)cudaGetLastError();
}
#endif
TEST_MAIN
