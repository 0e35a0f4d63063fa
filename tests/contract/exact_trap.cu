// An exact sum to a cell that has no accumulator: a message and a trap. A program of its own, because after a
// trap nothing more can be done with a GPU.
#include "../support/expect.cuh"

GW_GRADIENT("y wrt x")
GW_ACCUMULATE(x, exact) __global__ void look_up(double *y, const double *x, const int *list, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[list[i]] * x[list[i]];
}

#include "exact_trap.grad.cuh"

/* How it ended. */
static cudaError_t run(int below, size_t cells) {
    std::vector<int> at(20);
    for (int i = 0; i < 20; i++)
        at[(size_t)i] = i * 7 % below;
    const std::vector<double> ones(20, 1.0);
    check::array<double> y(ones), x(ones), d_y(ones), d_x(ones);
    check::array<int> list(at);
    check::device_bytes space(look_up_workspace_bytes(2, 16, y.data(), x.data(), list.data(), 20, cells));
    const gw_status status = look_up_grad_launch(2, 16, 0, 0, y.data(), x.data(), list.data(), 20, d_y.data(),
                                                 d_x.data(), cells, space.data(), space.size());
    return status == GW_OK ? cudaDeviceSynchronize() : cudaErrorUnknown;
}

int main() {
    if (run(9, 9) != cudaSuccess) return std::printf("FAIL as_many_cells: %s\n", check::cuda_failure()), 1;
    std::printf("ok as_many_cells\n");
    if (run(10, 9) == cudaSuccess) return std::printf("FAIL one_cell_more_traps\n"), 1;
    std::printf("ok one_cell_more_traps\n");
    return 0;
}
