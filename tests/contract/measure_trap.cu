// More trips than were measured: a message and a trap, before any adjoint is touched. A program of its own,
// because after a trap nothing more can be done with a GPU.
#include "../support/expect.cuh"

GW_GRADIENT("y wrt x")
__global__ void powers(double *y, const double *x, const int *times, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double v = x[i];
    for (int k = 0; k < times[i]; k++) v = v * v * 0.5;
    y[i] = v;
}

#include "measure_trap.grad.cuh"

int main() {
    const std::vector<double> ones(20, 1.0);
    check::array<double> y(ones), x(ones), d_y(ones), d_x(ones);
    check::array<int> times(std::vector<int>(20, 3));
    check::device_bytes sizes(sizeof(gw_sizes));
    if (powers_measure_launch(2, 16, 0, 0, y, x, times, 20, (gw_sizes *)sizes.data()) != GW_OK) return 1;
    check::device_bytes space(powers_workspace_bytes_measured((gw_sizes *)sizes.data(), 0));
    const auto run = [&] {
        return powers_grad_launch(2, 16, 0, 0, y, x, times, 20, d_y, d_x, space.data(), space.size());
    };
    if (run() != GW_OK) return 1;
    if (!check::device_ok() || d_x.get()[7] == 1) return std::printf("FAIL as_measured\n"), 1;
    std::printf("ok as_measured\n");
    const std::vector<double> seeds(20, 1.0), sums = d_x.get();
    d_y.set(seeds);
    times.set(std::vector<int>(20, 4));
    const gw_status status = run();
    if (status == GW_OK && cudaDeviceSynchronize() == cudaSuccess)
        return std::printf("FAIL more_trips_trap\n"), 1;
#ifdef GW_CPU_DEVICE /* whose memory can still be read */
    for (size_t i = 0; i < 20; i++)
        if (d_x.data()[i] != sums[i] || d_y.data()[i] != 1)
            return std::printf("FAIL more_trips_trap: an adjoint was changed\n"), 1;
#endif
    std::printf("ok more_trips_trap\n");
    return 0;
}
