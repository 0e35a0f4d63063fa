// Copies and fills of rows, copies between devices by their own names, and of structs and half precision, in
// programs. Against central differences.
#include <cuda_fp16.h>

#include "../support/expect.cuh"

#include <gradwright/program.h>

__global__ void bend(double *v, const double *u, int n) {
    const int i = threadIdx.x;
    if (i < n) v[i] = u[i] + 0.5 * u[i] * u[i];
}
__global__ void total(double *loss, const double *u, int n) {
    const int i = threadIdx.x;
    if (i < n) atomicAdd(loss, (1 + i) * u[i] * u[i]);
}

// Columns 1 and 2 of x become columns 0 and 1 of wider rows, of which column 1 is zeroed in two of three rows.
GW_GRADIENT("loss wrt x")
void rows(double *loss, const double *x, int width, int height, cudaStream_t stream) {
    const size_t pitch = (width + 2) * sizeof(double), all = pitch * height;
    double *u, *v;
    cudaMalloc(&u, all);
    cudaMalloc(&v, all);
    cudaMemset2D(u, pitch, 0, pitch, height);
    cudaMemcpy2DAsync(u, pitch, x + 1, width * sizeof(double), 2 * sizeof(double), height,
                      cudaMemcpyDeviceToDevice, stream);
    bend<<<1, (width + 2) * height, 0, stream>>>(v, u, (width + 2) * height);
    cudaMemset2DAsync(v + 1, pitch, 0, sizeof(double), height - 1, stream);
    cudaMemcpy2D(u + 2, pitch, v, pitch, sizeof(double), height, cudaMemcpyDeviceToDevice);
    int device;
    cudaGetDevice(&device);
    cudaMemcpyPeerAsync(v, device, u, device, all / 2, stream);
    cudaMemsetAsync(loss, 0, sizeof(double), stream);
    total<<<1, (width + 2) * height, 0, stream>>>(loss, v, (width + 2) * height);
    total<<<1, (width + 2) * height, 0, stream>>>(loss, u, (width + 2) * height);
    cudaFree(u);
    cudaFree(v);
}

struct point {
    int tag;
    float x, y;
};
__global__ void to_points(point *p, const float *x, int n) {
    const int i = threadIdx.x;
    if (i < n) p[i].tag = i, p[i].x = x[i] * x[i], p[i].y = 2 * x[i];
}
__global__ void from_points(float *y, const point *p, int n) {
    const int i = threadIdx.x;
    if (i < n) y[i] = p[i].x * p[i].y + p[i].tag;
}
__global__ void to_half(__half *h, const float *y, int n) {
    const int i = threadIdx.x;
    if (i < n) h[i] = __float2half(y[i]);
}
__global__ void from_half(float *y, const __half *h, int n) {
    const int i = threadIdx.x;
    if (i < n) y[i] = __half2float(h[i]) * __half2float(h[i]);
}

GW_GRADIENT("y wrt x")
void cells(float *y, const float *x, int n) {
    point *p, *q;
    __half *g, *h;
    cudaMalloc(&p, n * sizeof *p);
    cudaMalloc(&q, n * sizeof *q);
    cudaMalloc(&g, n * sizeof *g);
    cudaMalloc(&h, n * sizeof *h);
    to_points<<<1, n>>>(p, x, n);
    cudaMemcpy(q, p, n * sizeof *p, cudaMemcpyDeviceToDevice);
    from_points<<<1, n>>>(y, q, n);
    to_half<<<1, n>>>(g, y, n);
    cudaMemcpy(h, g, n * sizeof *g, cudaMemcpyDeviceToDevice);
    from_half<<<1, n>>>(y, h, n);
    cudaFree(p), cudaFree(q), cudaFree(g), cudaFree(h);
}
#include "program_rows.grad.cuh"

namespace {

enum { WIDTH = 4, HEIGHT = 3 };

double loss_of(const std::vector<double> &x) {
    check::array<double> loss({0.0}), u(x);
    rows(loss, u, WIDTH, HEIGHT, nullptr);
    return loss.get()[0];
}

TEST(rows) {
    check::generator random = {3};
    std::vector<double> x;
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        x.push_back(random.uniform(0.2, 1.2));
    check::array<double> loss({0.0}), u(x), d_loss({1.0}), d_u(std::vector<double>(x.size(), 0.0));
    EXPECT_STATUS(rows_grad(loss, u, WIDTH, HEIGHT, nullptr, d_loss, d_u), GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT_NEAR(loss.get()[0], loss_of(x), 1e-12);
    const double h = 1e-5;
    for (size_t i = 0; i < x.size(); i++) {
        std::vector<double> more = x, less = x;
        more[i] += h, less[i] -= h;
        EXPECT(check::near(d_u.get()[i], (loss_of(more) - loss_of(less)) / (2 * h), 1e-6, 1));
    }
}

TEST(cells) { // ((x^2 2 x + i) rounded)^2
    const std::vector<float> x = {0.5f, 0.25f, 1.5f, 2}, d_y0(4, 1.0f);
    check::array<float> y(std::vector<float>(4, 0.0f)), u(x), d_y(d_y0), d_u(std::vector<float>(4, 0.0f));
    EXPECT_STATUS(cells_grad(y, u, 4, d_y, d_u), GW_OK);
    EXPECT_DEVICE_OK();
    for (size_t i = 0; i < 4; i++) {
        const double value = 2 * x[i] * x[i] * x[i] + (double)i;
        EXPECT(check::near(d_u.get()[i], 2 * value * 6 * x[i] * x[i], 2e-3, 1));
    }
}

} // namespace
TEST_MAIN
