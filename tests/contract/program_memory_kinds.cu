// Programs that ask what memory a pointer leads to.
#include "../support/expect.cuh"

#include <gradwright/program.h>

__global__ void scale(double *y, const double *x, double by, int n) {
    const int i = threadIdx.x;
    if (i < n) y[i] = by * x[i] * x[i];
}

// In place where x is the device's alone; staged where the host sees it.
GW_GRADIENT("y wrt x")
cudaError_t by_kind(double *y, const double *x, int n, int *seen, cudaStream_t stream) {
    cudaPointerAttributes of_x, of_own;
    double *own;
    cudaMallocHost(&own, n * sizeof(double));
    cudaError_t error = cudaPointerGetAttributes(&of_x, x);
    if (error != cudaSuccess) return error;
    cudaPointerGetAttributes(&of_own, own);
    *seen = of_x.type + 10 * of_own.type + 100 * (of_x.hostPointer != nullptr) + 1000 * of_x.device;
    if (of_x.type == cudaMemoryTypeDevice) {
        scale<<<1, 32, 0, stream>>>(y, (const double *)of_x.devicePointer, 3, n);
    } else {
        cudaMemcpyAsync(own, x, n * sizeof(double), cudaMemcpyDefault, stream);
        if (of_own.hostPointer) scale<<<1, 32, 0, stream>>>(y, (const double *)of_own.devicePointer, 5, n);
    }
    cudaFreeHost(own);
    return cudaGetLastError();
}
#include "program_memory_kinds.grad.cuh"

namespace {

template <class A> void check_kind(check::trial &trial, double by, int seen) {
    const std::vector<double> numbers = {0.5, -1.5, 2};
    A y({0, 0, 0}), x(numbers), d_y({1, 2, 3}), d_x({1, 1, 1});
    check::shared_array<int> said({0});
    for (int run = 0; run < 2; run++) {
        d_y.set({1, 2, 3}), d_x.set({1, 1, 1});
        EXPECT_STATUS(by_kind_grad(y, x, 3, said, nullptr, d_y, d_x), GW_OK);
        EXPECT_DEVICE_OK();
        EXPECT(said.get()[0] == seen);
        for (size_t i = 0; i < 3; i++) {
            EXPECT(y.get()[i] == by * numbers[i] * numbers[i]);
            EXPECT(check::near(d_x.get()[i] - 1, (double)(i + 1) * 2 * by * numbers[i], 1e-12));
        }
    }
}

TEST(of_the_device) { check_kind<check::array<double>>(trial, 3, 12); }
TEST(managed) { check_kind<check::shared_array<double>>(trial, 5, 113); }

} // namespace
TEST_MAIN
