// Arguments by their names, for a compilation with --named-arguments: of a kernel's gradients, of a program's,
// of a function's. Each gives what the plain form gives.
#include <gradwright/gradwright.h>
#include <gradwright/program.h>

#include <cstdio>

namespace area {
GW_GRADIENT("y wrt x, p")
GW_GRADIENT("by_p = y wrt p")
GW_DERIVATIVE("y wrt x, p")
__global__ void scale(double *y, const double *x, double p, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = p * x[i] * x[i];
}
} // namespace area
// A tape that the host bounds: there is a workspace.
GW_GRADIENT("y wrt x")
__global__ void powers(double *y, const double *x, int n) {
    double v = x[threadIdx.x];
    for (int t = 0; t < n; t++)
        v = sin(v) * v;
    y[threadIdx.x] = v;
}
GW_GRADIENT("y wrt x, p")
void twice(double *y, const double *x, double p, int n) {
    area::scale<<<1, 32>>>(y, x, p, n);
    area::scale<<<1, 32>>>(y, y, p, n);
}
GW_GRADIENT("wrt x")
inline double product(const double *x, int n = 2) {
    double all = 1;
    for (int i = 0; i < n; i++)
        all *= x[i];
    return all;
}
#include "named.grad.cuh"

static double *array(double value) {
    double *made;
    cudaMallocManaged(&made, 4 * sizeof(double));
    for (int i = 0; i < 4; i++)
        made[i] = value;
    return made;
}

int main() {
    double *y = array(0), *x = array(3), *d_y = array(1), *d_x = array(0), *d_p = array(0), by_p = 0;
    const area::scale_args of{.y = y, .x = x, .p = 2, .n = 4};
    const area::scale_adjoints by{.d_y = d_y, .d_x = d_x, .d_p = d_p};
    if (area::scale_workspace_bytes(1, 32, of) != 0) return 1;
    if (area::scale_grad_launch(1, 32, 0, nullptr, of, by, nullptr, 0) != GW_OK) return 2;
    cudaDeviceSynchronize();
    if (d_x[3] != 12 || d_p[0] != 36) return 3;
    for (int i = 0; i < 4; i++)
        d_y[i] = 1;
    if (area::by_p_alloc(1, 32, 0, nullptr, of, area::by_p_adjoints{.d_y = d_y, .d_p = d_p}) != GW_OK) return 4;
    cudaDeviceSynchronize();
    if (d_p[0] != 72) return 5;
    const area::scale_tangents along{.t_y = d_y, .t_x = x, .t_p = 1};
    if (area::scale_jvp_launch(1, 32, 0, nullptr, of, along) != GW_OK) return 6;
    cudaDeviceSynchronize();
    if (d_y[0] != 36 + 9) return 7;
    double *plain = array(0);
    for (int i = 0; i < 4; i++)
        d_x[i] = 0, x[i] = 0.5 + i, d_y[i] = 1;
    const powers_args one{.y = y, .x = x, .n = 5};
    if (powers_grad_alloc(1, 4, 0, nullptr, one, powers_adjoints{.d_y = d_y, .d_x = d_x}) != GW_OK) return 8;
    cudaDeviceSynchronize();
    for (int i = 0; i < 4; i++)
        d_y[i] = 1;
    if (powers_grad_alloc(1, 4, 0, nullptr, y, x, 5, d_y, plain) != GW_OK) return 9;
    cudaDeviceSynchronize();
    for (int i = 0; i < 4; i++)
        if (d_x[i] != plain[i] || d_x[i] == 0) return 10;
    for (int i = 0; i < 4; i++)
        d_x[i] = 0, x[i] = 3, d_y[i] = 1;
    const twice_adjoints all{.d_y = d_y, .d_x = d_x, .d_p = &by_p};
    if (twice_grad(twice_args{.y = y, .x = x, .p = 2, .n = 4}, all) != GW_OK) return 11;
    cudaDeviceSynchronize();
    const twice_args of_twice{.y = y, .x = x, .p = 2, .n = 4};
    for (int i = 0; i < 4; i++)
        d_y[i] = 0;
    if (twice_workspace_bytes(of_twice) == 0) return 14;
    if (twice_grad_launch(of_twice, all, nullptr, 0) != GW_OK) return 15;
    if (twice_grad_alloc(of_twice, all) != GW_OK) return 16;
    cudaDeviceSynchronize();
    if (d_x[0] != 864 || by_p != 4 * 3 * 4 * 81) return 12; // 4 p^3 x^3, 3 p^2 x^4
    product_grad(product_args{.x = x, .n = 2}, product_adjoints{.d_x = d_x});
    return d_x[1] != 864 + 3 ? 13 : 0;
}
