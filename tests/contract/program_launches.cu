// A program's kernels and how it launches them: templates with explicit and deduced arguments, overloads,
// kernels in namespaces, launches in lambdas, in templates and by calls of the runtime.
#include "../support/expect.cuh"

#include <gradwright/program.h>

#include <iostream>
#include <stdexcept>

template <class T, int K> __global__ void scale(T *v, const T *u, T by, int n) {
    const int i = threadIdx.x;
    if (i < n) v[i] = u[i] * (1 + u[i]) * by * K / 4;
}
template <class T> __global__ void shift(T *v, T by, int n) {
    const int i = threadIdx.x;
    if (i < n) v[i] += by * by;
}
__global__ void bend(double *v, const double *u, int n) {
    const int i = threadIdx.x;
    if (i < n) v[i] = u[i] + 0.25 * u[i] * u[i];
}
__global__ void bend(float *v, const float *u, int n) {
    const int i = threadIdx.x;
    if (i < n) v[i] = u[i] + 0.5f * u[i] * u[i];
}
namespace inner {
__global__ void total(double *loss, const double *u, int n) {
    const int i = threadIdx.x;
    if (i < n) atomicAdd(loss, u[i] * u[i]);
}
namespace {
__global__ void halve(double *v, int n) {
    const int i = threadIdx.x;
    if (i < n) v[i] *= 0.5;
}
} // namespace
} // namespace inner
__global__ void to_float(float *v, const double *u, int n) {
    const int i = threadIdx.x;
    if (i < n) v[i] = (float)u[i];
}
__global__ void to_double(double *v, const float *u, int n) {
    const int i = threadIdx.x;
    if (i < n) v[i] = u[i];
}

template <class T> static void scale_twice(T *v, T *u, T by, int n) {
    scale<T, 2><<<1, n>>>(v, u, by, n);
    scale<T, 3><<<1, n>>>(u, v, by, n);
    shift<<<1, n>>>(u, by, n);
}
static void copy_any(void *to, const void *from, size_t bytes) {
    const cudaError_t error = cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice);
    if (error != cudaSuccess) std::cerr << "a copy: " << cudaGetErrorString(error) << " " << bytes << std::endl;
    const char *text = cudaGetErrorName(error);
    if (error != cudaSuccess) throw std::runtime_error(text);
}

GW_GRADIENT("loss wrt x, by")
void launch_all(double *loss, const double *x, double by, int n) {
    double *u, *v;
    float *f, *g;
    cudaMalloc(&u, n * sizeof *u);
    cudaMalloc(&v, n * sizeof *v);
    cudaMalloc(&f, n * sizeof *f);
    cudaMalloc(&g, n * sizeof *g);
    copy_any(u, x, n * sizeof *u);
    scale_twice(v, u, by, n);
    bend<<<1, n>>>(v, u, n);
    const auto again = [&](double *to, const double *from) {
        bend<<<1, n>>>(to, from, n);
        inner::halve<<<1, n>>>(to, n);
    };
    again(u, v);
    to_float<<<1, n>>>(f, u, n);
    bend<<<1, n>>>(g, f, n);
    scale<float, 2><<<1, n>>>(f, g, 0.5f, n);
    to_double<<<1, n>>>(v, f, n);
    cudaMemset(loss, 0, sizeof(double));
    inner::total<<<1, n>>>(loss, v, n);
    cudaFree(u);
    cudaFree(v);
    cudaFree(f);
    cudaFree(g);
}

// The runtime's ways to launch.
GW_GRADIENT("loss wrt x, by")
cudaError_t by_call(double *loss, const double *x, double by, int n, cudaStream_t stream) {
    double *u;
    cudaMalloc(&u, n * sizeof *u);
    void *arguments[] = {&u, &x, &by, &n};
    cudaError_t error =
        cudaLaunchKernel((const void *)scale<double, 2>, dim3(1), dim3(n), arguments, 0, stream);
    if (error != cudaSuccess) return error;
    void *others[] = {&u, &by, &n};
    cudaLaunchCooperativeKernel(shift<double>, dim3(1), dim3(n), others, 0, stream);
    cudaMemsetAsync(loss, 0, sizeof(double), stream);
    cudaLaunchConfig_t how = {};
    how.gridDim = 1;
    how.blockDim = n;
    how.stream = stream;
    cudaLaunchKernelEx(&how, inner::total, loss, (const double *)u, n);
    cudaFree(u);
    return cudaGetLastError();
}

// Copies through pointers to bytes: adjoints of what they lead to go along, as whole numbers.
GW_GRADIENT("loss wrt x")
void bytes(double *loss, const double *x, const void *raw, int odd, unsigned char *mask, int n) {
    double *u;
    cudaMalloc(&u, n * sizeof *u);
    bend<<<1, n>>>(u, x, n);
    if (raw) cudaMemcpy((unsigned char *)(void *)u, raw, n * sizeof *u - odd, cudaMemcpyDefault);
    cudaMemset(mask, 0, n);
    cudaMemset((unsigned char *)u, 0, sizeof *u); // what is zeroed so has no derivative
    cudaMemset(loss, 0, sizeof(double));
    inner::total<<<1, n>>>(loss, u, n);
    cudaFree(u);
}
#include "program_launches.grad.cuh"

namespace {

enum { CELLS = 20 };

std::vector<double> numbers() { return check::uniform_numbers(11, CELLS, 0.2, 0.9); }

double loss_of(bool all, const std::vector<double> &x, double by) {
    check::array<double> loss({0.0}), u(x);
    if (all)
        launch_all(loss, u, by, CELLS);
    else
        (void)by_call(loss, u, by, CELLS, nullptr);
    return loss.get()[0];
}

void check_gradient(check::trial &trial, bool all, double h, double tolerance) {
    const std::vector<double> x = numbers();
    const double by = 0.8;
    check::array<double> loss({0.0}), u(x), d_loss({1.0}), d_u(std::vector<double>((size_t)CELLS, 0.0));
    double d_by = 0;
    EXPECT_STATUS(all ? launch_all_grad(loss, u, by, CELLS, d_loss, d_u, &d_by)
                      : by_call_grad(loss, u, by, CELLS, nullptr, d_loss, d_u, &d_by),
                  GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT_NEAR(loss.get()[0], loss_of(all, x, by), 1e-12);
    EXPECT(check::near(d_by, (loss_of(all, x, by + h) - loss_of(all, x, by - h)) / (2 * h), tolerance, 1));
    for (size_t i = 0; i < CELLS; i += 3) {
        std::vector<double> more = x, less = x;
        more[i] += h, less[i] -= h;
        EXPECT(check::near(d_u.get()[i], (loss_of(all, more, by) - loss_of(all, less, by)) / (2 * h), tolerance,
                           1));
    }
}

TEST(launch_all) { check_gradient(trial, true, 1.0 / 512, 2e-3); } // it goes through floats
TEST(by_call) { check_gradient(trial, false, 1e-5, 1e-6); }

TEST(bytes) {
    const std::vector<double> x = numbers();
    check::array<double> loss({0.0}), u(x), raw(x), d_loss({1.0}), d_u(std::vector<double>((size_t)CELLS, 0.0));
    check::array<unsigned char> mask(std::vector<unsigned char>((size_t)CELLS, 1));
    EXPECT_STATUS(bytes_grad(loss, u, nullptr, 0, mask, CELLS, d_loss, d_u), GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT(d_u.get()[0] == 0);
    for (size_t i = 1; i < CELLS; i++)
        EXPECT(check::near(d_u.get()[i], 2 * (x[i] + 0.25 * x[i] * x[i]) * (1 + 0.5 * x[i]), 1e-12, 1));
    const std::vector<double> before = d_u.get();
    d_loss.set({1.0});
    EXPECT_STATUS(bytes_grad(loss, u, (const void *)(double *)raw, 0, mask, CELLS, d_loss, d_u), GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT(d_u.get() == before); // nothing of x is left
    d_loss.set({1.0});
    EXPECT_STATUS(bytes_grad(loss, u, (const void *)(double *)raw, 3, mask, CELLS, d_loss, d_u),
                  GW_ERROR_ARGUMENT);
    EXPECT(strstr(gw_last_error(), "a copy of bytes"));
}

} // namespace
TEST_MAIN
