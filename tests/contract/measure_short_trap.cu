// A workspace one byte shorter than was measured: a message and a trap, before any adjoint is touched. A
// program of its own, because after a trap nothing more can be done with a GPU.
#include "../support/expect.cuh"

GW_GRADIENT("y wrt x")
__global__ void powers(double *y, const double *x, const int *times, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double v = x[i];
    for (int k = 0; k < times[i]; k++) v = v * v * 0.5;
    y[i] = v;
}

#include "measure_short_trap.grad.cuh"

int main() {
    const std::vector<double> ones(20, 1.0);
    check::array<double> y(ones), x(ones), d_y(ones), d_x(ones);
    check::array<int> times(std::vector<int>(20, 3));
    check::device_bytes sizes(sizeof(gw_sizes));
    if (powers_measure_launch(2, 16, 0, 0, y, x, times, 20, (gw_sizes *)sizes.data()) != GW_OK) return 1;
    check::device_bytes space(powers_workspace_bytes_measured((gw_sizes *)sizes.data(), 0));
    const auto run = [&](size_t bytes) {
        return powers_grad_launch(2, 16, 0, 0, y, x, times, 20, d_y, d_x, space.data(), bytes);
    };
    if (run(space.size()) != GW_OK || !check::device_ok() || d_x.get()[7] == 1)
        return std::printf("FAIL all_bytes\n"), 1;
    std::printf("ok all_bytes\n");
    const std::vector<double> sums = d_x.get();
    d_y.set(ones);
    if (run(space.size() - 1) == GW_OK && cudaDeviceSynchronize() == cudaSuccess)
        return std::printf("FAIL one_byte_short_trap\n"), 1;
#ifdef GW_CPU_DEVICE /* whose memory can still be read */
    for (size_t i = 0; i < 20; i++)
        if (d_x.data()[i] != sums[i] || d_y.data()[i] != 1)
            return std::printf("FAIL one_byte_short_trap: an adjoint was changed\n"), 1;
#endif
    std::printf("ok one_byte_short_trap\n");
    return 0;
}
