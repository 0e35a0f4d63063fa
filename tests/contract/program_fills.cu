// Kernels of a program that have no input with a derivative: what they overwrite loses its adjoint, what they
// do not keeps it, and lists that they write have on the way back what they had.
#include "../support/expect.cuh"

#include <gradwright/program.h>

__global__ void multiply(double *v, const double *u, int n) {
    const int i = threadIdx.x;
    if (i < n) v[i] = v[i] * u[i] + u[i];
}
__global__ void clear_odd(double *v, double *w, const double *u, int n) {
    const int i = threadIdx.x;
    if (i < n && i % 2) v[i] = 0.5;
    if (i < n) w[i] = 0;
    if (i == 0) w[i] = u[i];
}
__global__ void fill(double *v, int n) {
    const int i = threadIdx.x;
    if (i < n) v[i] = 0.25 * n;
}
__global__ void shift(int *list, int by, int n) {
    const int i = threadIdx.x;
    if (i < n) list[i] = (i + by) % n;
}
__global__ void gather(double *loss, const double *v, const int *list, double factor, int n) {
    const int i = threadIdx.x;
    if (i < n) atomicAdd(loss, (i + 1) * factor * v[list[i]] * v[list[i]]);
}

GW_GRADIENT("loss wrt u, factor")
void fills(double *loss, const double *u, double factor, int n, int steps, cudaStream_t stream) {
    double *v, *w;
    int *list;
    cudaMalloc(&v, n * sizeof(double));
    cudaMalloc(&w, n * sizeof(double));
    cudaMalloc(&list, n * sizeof(int));
    cudaMemsetAsync(loss, 0, sizeof(double), stream);
    cudaMemsetAsync(w, 0, n * sizeof(double), stream);
    for (int t = 0; t < steps; t++) {
        fill<<<1, 32, 0, stream>>>(v, n);
        multiply<<<1, 32, 0, stream>>>(v, u, n);
        shift<<<1, 32, 0, stream>>>(list, t + 1, n);
        gather<<<1, 32, 0, stream>>>(loss, v, list, factor, n);
        multiply<<<1, 32, 0, stream>>>(w, u, n);
        clear_odd<<<1, 32, 0, stream>>>(v, w, u, n);
        gather<<<1, 32, 0, stream>>>(loss, v, list, factor, n);
        gather<<<1, 32, 0, stream>>>(loss, w, list, 0.5, n);
    }
    cudaFree(v);
    cudaFree(w);
    cudaFree(list);
}
#include "program_fills.grad.cuh"

namespace {

enum { CELLS = 12, STEPS = 3 };

double loss_of(const std::vector<double> &u, double factor) {
    check::array<double> loss({0.0}), in(u);
    fills(loss, in, factor, CELLS, STEPS, nullptr);
    return loss.get()[0];
}

TEST(fills) {
    check::generator random = {11};
    std::vector<double> u;
    for (int i = 0; i < CELLS; i++)
        u.push_back(random.uniform(0.5, 1.5));
    const double factor = 0.7, h = 1e-5;
    check::array<double> loss({0.0}), in(u), d_loss({1.0}), d_u(std::vector<double>((size_t)CELLS, 0.0));
    double d_factor = 0;
    EXPECT_STATUS(fills_grad(loss, in, factor, CELLS, STEPS, nullptr, d_loss, d_u, &d_factor), GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT_NEAR(loss.get()[0], loss_of(u, factor), 1e-12);
    EXPECT_NEAR(d_factor, (loss_of(u, factor + h) - loss_of(u, factor - h)) / (2 * h), 1e-6);
    for (size_t i = 0; i < CELLS; i++) {
        std::vector<double> more = u, less = u;
        more[i] += h, less[i] -= h;
        EXPECT(check::near(d_u.get()[i], (loss_of(more, factor) - loss_of(less, factor)) / (2 * h), 1e-6, 1));
    }
}

} // namespace
TEST_MAIN
