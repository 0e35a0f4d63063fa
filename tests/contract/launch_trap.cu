// f_grad<<<>>> on a launch that breaks what GW_LAUNCH states: a message and a trap. A program of its own,
// because after a trap nothing more can be done with a GPU.
#include "../support/expect.cuh"

GW_GRADIENT("y wrt x") GW_LAUNCH("blockDim.x == 16, n <= 20")
__global__ void square(double *y, const double *x, unsigned n) {
    unsigned i = blockIdx.x * 16 + threadIdx.x;
    if (i < n) y[i] = x[i] * x[i];
}

#include "launch_trap.grad.cuh"

int main() {
    const std::vector<double> ones(20, 1.0);
    check::array<double> y(ones), x(ones), d_y(ones), d_x(ones);
    square_grad<<<2, 16>>>(y.data(), x.data(), 20, d_y.data(), d_x.data());
    if (!check::device_ok()) return std::printf("FAIL a_good_launch: %s\n", check::cuda_failure()), 1;
    std::printf("ok a_good_launch\n");
    square_grad<<<2, 15>>>(y.data(), x.data(), 20, d_y.data(), d_x.data());
    if (cudaDeviceSynchronize() == cudaSuccess) return std::printf("FAIL a_broken_fact_traps\n"), 1;
    std::printf("ok a_broken_fact_traps\n");
    return 0;
}
