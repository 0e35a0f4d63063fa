// What a launch must satisfy, and why.
#include <gradwright/gradwright.h>

GW_GRADIENT("C wrt A, B")
__global__ void product(double *C, const double *A, const double *B, int m, int n, int depth) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= m * n) return;
    double sum = 0;
    for (int k = 0; k < depth; k++) sum += A[i / n * depth + k] * B[k * n + i % n];
    C[i] = sum;
}
//? if (block.y != 1)
//? return "blockDim.y == 1 (the kernel does not look at it; threads sum up for each other)";
//? if (grid.y != 1) return "gridDim.y == 1 (it does not appear in the index of 'd_C')";
//? return "gridDim.x * blockDim.x <= 2147483648 (so that no index wraps around in 'd_C')";
//? if ((long long)n < 0)
//? return "n >= 0 (so that groups of threads, which sum up for each other, count from 0 at 'd_B')";

// Unsigned numbers.
GW_GRADIENT("y wrt x")
__global__ void rows(float *y, const float *x, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i];
}
//? if (block.y != 1) return "blockDim.y == 1 (it does not appear in the index of 'd_y')";
//? return "gridDim.x * blockDim.x <= 4294967296 (so that no index wraps around in 'd_y')";

// The launch is asked for m >= 3, so that x[m - 3] is there. Threads at different cells of w would need m != 0:
// that is not asked of a launch for their sake, but of each thread.
GW_GRADIENT("y wrt x, w")
__global__ void spread(double *y, const double *x, const double *w, int m, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[(unsigned)(m - 3) % 10u] * w[i * m];
}
//? if (block.y != 1) return "blockDim.y == 1 (it does not appear in the index of 'd_y')";
//= if ((long long)m >= 1) {
//= gw_atomic_add(&d_w[index], d_y_x);  // atomic: rows may overlap unless m >= 1

// An enumerator is no size: it may be -1, and the launch is not refused for it.
enum way { BACK = -1, STAY, ON };
GW_GRADIENT("y wrt x")
__global__ void turned(double *y, const double *x, way w, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i * 3 + (unsigned)w % 3u] = x[i] * x[(w % 5 + 5) % 5];
}
//? if (block.y != 1) return "blockDim.y == 1 (it does not appear in the index of 'd_y')";
