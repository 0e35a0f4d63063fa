// Exact sums to more numbers behind pointers than the launch was told: a message and a trap. A program of its
// own, because after a trap nothing more can be done with a GPU.
#include "../support/expect.cuh"

struct layer {
    const double *x;
};
GW_GRADIENT("y wrt l.x")
GW_ACCUMULATE(l.x, exact) __global__ void look_up(double *y, const layer *l, const int *list, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = l->x[list[i]] * l->x[list[i]];
}

#include "exact_full_trap.grad.cuh"

/* How it ended. */
static cudaError_t run(int below, size_t numbers) {
    std::vector<int> at(40);
    for (int i = 0; i < 40; i++)
        at[(size_t)i] = i * 7 % below;
    const std::vector<double> ones(40, 1.0);
    check::array<double> y(ones), x(ones), d_y(ones), d_x(ones);
    const check::array<layer> l({{x.data()}}), d_l({{d_x.data()}});
    check::array<int> list(at);
    check::device_bytes space(look_up_workspace_bytes(3, 16, y.data(), l.data(), list.data(), 40, numbers));
    const gw_status status = look_up_grad_launch(3, 16, 0, 0, y.data(), l.data(), list.data(), 40, d_y.data(),
                                                 d_l.data(), numbers, space.data(), space.size());
    return status == GW_OK ? cudaDeviceSynchronize() : cudaErrorUnknown;
}

int main() {
    if (run(9, 9) != cudaSuccess) return std::printf("FAIL as_many_numbers: %s\n", check::cuda_failure()), 1;
    std::printf("ok as_many_numbers\n");
    if (run(20, 9) == cudaSuccess) return std::printf("FAIL too_many_numbers_trap\n"), 1;
    std::printf("ok too_many_numbers_trap\n");
    return 0;
}
