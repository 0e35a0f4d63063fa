// The second half with a tape that no first half of the same launch wrote: a message and a trap, before any
// adjoint is touched. A program of its own, because after a trap nothing more can be done with a GPU.
#include "../support/expect.cuh"

GW_SPLIT_GRADIENT("y wrt x")
__global__ void square(double *y, const double *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] * x[i];
}

#include "split_trap.grad.cuh"

int main() {
    const std::vector<double> ones(20, 1.0);
    check::array<double> y(ones), x(ones), d_y(ones), d_x(ones);
    check::device_bytes tape(square_tape_bytes(3, 16, y.data(), x.data(), 20));
    if (square_fwd_launch(2, 16, 0, 0, y.data(), x.data(), 20, tape.data(), tape.size()) != GW_OK) return 1;
    if (square_bwd_launch(2, 16, 0, 0, y.data(), x.data(), 20, d_y.data(), d_x.data(), tape.data(),
                          tape.size()) != GW_OK)
        return 1;
    if (!check::device_ok() || d_x.get()[7] != 3) return std::printf("FAIL the_same_launch\n"), 1;
    std::printf("ok the_same_launch\n");
    const gw_status status = square_bwd_launch(3, 16, 0, 0, y.data(), x.data(), 20, d_y.data(), d_x.data(),
                                               tape.data(), tape.size());
    if (status == GW_OK && cudaDeviceSynchronize() == cudaSuccess)
        return std::printf("FAIL another_launch_traps\n"), 1;
    std::printf("ok another_launch_traps\n");
    return 0;
}
