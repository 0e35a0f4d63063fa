// __launch_bounds__ of a kernel is its gradient's too: ownership goes by it, and a launch with more threads is
// refused.
#include "../support/check.cuh"

typedef double real;
#define BLOCK 16

BOTH("y wrt x")
__global__ void __launch_bounds__(BLOCK, 2) squares(real *y, const real *x, int n) {
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n) y[i] = x[i] * x[i];
}

// As many blocks side by side as leave a thread 255 registers: 4 of 64 threads, 1 of 256, none of more.
GW_GRADIENT("y wrt x") __global__ void __launch_bounds__(64, 8) many(real *y, const real *x) {
    y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x];
}
GW_GRADIENT("y wrt x") __global__ void __launch_bounds__(64, 2) two(real *y, const real *x) {
    y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x];
}
GW_GRADIENT("y wrt x") __global__ void __launch_bounds__(256, 4) one(real *y, const real *x) {
    y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x];
}
GW_GRADIENT("y wrt x") __global__ void __launch_bounds__(512, 4) none(real *y, const real *x) {
    y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x];
}

#include "launch_bounds.grad.cuh"

#include "../support/expect.cuh"

CHECK_KERNEL(squares, 4, BLOCK, out(60), in(60), 60)

TEST(a_block_above_the_bound_is_refused_and_nothing_is_touched) {
    const std::vector<real> ones(60, 1.0), zeros(60, 0.0);
    check::array<real> y{ones}, x{ones}, d_y{ones}, d_x{zeros};
    EXPECT_STATUS(squares_grad_launch(4, BLOCK + 1, 0, 0, y, x, 60, d_y, d_x, nullptr, 0), GW_ERROR_LAUNCH);
    EXPECT(std::string(gw_last_error())
               .find("blockDim.x * blockDim.y * blockDim.z <= 16 (the kernel's __launch_bounds__)") !=
           std::string::npos);
    EXPECT_DEVICE_OK();
    EXPECT(d_y.get() == ones && d_x.get() == zeros);
}
#ifndef GW_CPU_DEVICE
TEST(the_compiler_is_told) {
    cudaFuncAttributes is;
    EXPECT(cudaFuncGetAttributes(&is, squares_grad) == cudaSuccess && is.maxThreadsPerBlock == BLOCK);
}
#endif
TEST_MAIN
