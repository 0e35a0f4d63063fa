"""What the tests of frameworks differentiate: the same kernels and functions for each of them; an array that
speaks nothing but DLPack."""


class ByDlpack:
    def __init__(self, of):
        self.of = of

    def __dlpack__(self, **words):
        return self.of.__dlpack__(**words)


KERNELS = """
__global__ void decay(double *out, const double *x, double k, int steps, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double v = x[i];
    for (int s = 0; s < steps; s++) v = v * (1 - k * v);
    out[i] = v;
}
__global__ void split(double *out, int *count, double *aux, const double *x, double by, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = x[i] * x[i] * by, count[i] = x[i] > 0.5, aux[i] = 3 * x[i];
}
__global__ void lengths(float *out, const float3 *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = x[i].x * x[i].x + x[i].y * x[i].y + x[i].z * x[i].z;
}
"""
HOST = """
#include <array>
#include <vector>
struct point { double x, y; };
double length(const double *x, double scale, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += scale * x[i] * x[i] * x[i];
    return s;
}
double norm(point p, double w) { return w * (p.x * p.x + p.y * p.y * p.y); }
double pick(const double *x, int n) {
    std::array<double, 2> a = {x[0], x[1]};
    return a.at(n) * a.at(n);
}
double second(const std::vector<double> &x) { return x.at(1) * x.at(1); }
"""
