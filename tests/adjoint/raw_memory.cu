// memcpy and memset in kernels: of local arrays, and of cells that several threads read.
#include "../support/check.cuh"
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

BOTH("y wrt x")
__global__ void local_copies(double *y, const double *x, int n) {
    int i = HERE;
    if (i >= n) return;
    double t[6], u[24], sum = 0;
    memcpy(t, x + i, sizeof t);
    memset(u, 0, sizeof u);
    memcpy(u + i % 4, t, (size_t)(i % 6) * sizeof(double));
    for (int k = 0; k < 24; k++) sum += u[k] * t[k % 6] * (k + 1);
    y[i] = sum;
}

BOTH("y wrt x")
__global__ void shared_cells(double *y, const double *x, int n) {
    int i = HERE;
    if (i >= n) return;
    memcpy(y + 4 * i, x + 3 * i, 4 * sizeof(double));
    if (i % 3 == 0) memset(&y[4 * i + 1], 0, 2 * sizeof *y);
}

#include "raw_memory.grad.cuh"

CHECK_KERNEL(local_copies, 1, 16, out(12), in(18), 12)
CHECK_KERNEL(shared_cells, 1, 8, out(32), in(28), 8)
TEST_MAIN
