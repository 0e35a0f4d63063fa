// Lanes of a warp, or threads of a block, that take turns at cells of a row (ownership/turns.c,
// device/turns.c). First what must stay atomic; tests/ownership/turns.cu has the decisions.
#include "../support/check.cuh"

typedef double real;
#define HERE (blockIdx.x * blockDim.x + threadIdx.x)
#define ROW const int row = HERE / 32, lane = threadIdx.x % 32
#define X(k) x[row * n + (k)]

// The rows of two warps overlap.
BOTH("y wrt x")
__global__ void overlap(real *y, const real *x, int rows, int n) {
    ROW;
    if (row >= rows) return;
    real sum = 0;
    for (int k = lane; k < n; k += 32) sum += X(n - 1 - k) * X(n - 1 - k);
    for (int k = lane; k <= n; k += 32) sum += X(k) * sin(X(k));
    y[HERE] = sum;
}

// Not all lanes come to both.
BOTH("y wrt x")
__global__ void some_lanes(real *y, const real *x, int rows, int n) {
    ROW;
    real sum = 0;
    if (row >= rows) return;
    if (lane % 3) {
        for (int k = lane; k < n; k += 32) sum += X(n - 1 - k) * X(n - 1 - k);
        for (int k = lane; k < n; k += 32) sum += X(k) * sin(X(k));
    }
    y[HERE] = sum;
}

// Rounds, with one turn each in a round.
BOTH("y wrt x")
__global__ void rounds(real *y, const real *x, int rows, int n) {
    ROW;
    if (row >= rows) return;
    real sum = 0;
    for (int round = 1; round < 4; round++) {
        for (int k = lane; k < n; k += 32) sum += X(n - 1 - k) * X(n - 1 - k) / round;
        for (int k = lane; k < n; k += 32) sum = sum / 2 + X(k) * sin(X(k) * round);
    }
    y[HERE] = sum;
}

// In turns: chunks of four, what is left of them, and one by one; from the last row on, and each as long as its
// number says, by warps of blocks of any shape.
BOTH("y wrt x")
__global__ void triangle(real *y, const real *x, int rows, int n) {
    const unsigned number = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z),
                   warps = (blockDim.x * blockDim.y * blockDim.z + 31) / 32;
    const int row = (gridDim.x - blockIdx.x - 1) * warps + number / 32, lane = number & 31;
    if (row >= rows * n) return;
    const int last = row % n;
    real sum = 0;
    for (int k = lane; k < last / 4; k += 32)
        for (int c = 0; c < 4; c++) sum += X(4 * k + c) * X(4 * k + c);
    if (last / 4 * 4 + lane <= last) sum += sin(X(last / 4 * 4 + lane));
    for (int k = lane; k <= last; k += 32) sum += X(k) * exp(X(k) / 4);
    y[row * 32 + lane] = sum;
}

// From both ends, and shifted by a lane; a warp has the condition of the last together.
BOTH("y wrt x")
__global__ void both_ends(real *y, const real *x, int rows, int n) {
    ROW;
    if (row >= rows) return;
    real sum = 0;
    for (int k = lane; k < n; k += 32) sum += X(k) * X(k);
    for (int k = lane; k < n; k += 32) sum *= 1 + X(n - 1 - k) / 64;
    if (row % 2 == 0)
        for (int k = (lane + 1) % 32; k < n; k += 32) sum += sin(X(k));
    y[HERE] = sum;
}

// The primal has __syncwarp itself, or the block a barrier.
BOTH("y wrt x")
__global__ void by_primal(real *y, const real *x, int rows, int n) {
    ROW;
    if (row >= rows) return;
    real sum = 0;
    for (int k = lane; k < n; k += 32) sum += X(k) * X(k);
    __syncwarp();
    for (int k = lane; k < n; k += 32) sum += cos(X(n - 1 - k));
    y[HERE] = sum;
}

BOTH("y wrt x")
__global__ void of_block(real *y, const real *x, int n) {
    __shared__ real part[64];
    const int b = blockIdx.x;
    real sum = 0;
    if (n < 1) return;
    for (int k = threadIdx.x; k < n; k += blockDim.x) sum += x[b * n + k] * x[b * n + k];
    part[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int k = 1; k < (int)blockDim.x; k++) sum += part[k];
        y[b] = sum * x[b * n + (n - 1)];
    }
}

#include "turns.grad.cuh"

CHECK_KERNEL(overlap, 2, 64, out(4 * 32), in(3 * 37 + 1), 3, 37)
CHECK_KERNEL(some_lanes, 2, 64, out(4 * 32), in(3 * 37), 3, 37)
CHECK_KERNEL(rounds, 2, 64, out(4 * 32), in(3 * 37), 3, 37)
CHECK_KERNEL(triangle, 5, dim3(32, 2), out(9 * 32), in(9 * 9), 1, 9)
CHECK_KERNEL(both_ends, 2, 64, out(4 * 32), in(3 * 37), 3, 37)
CHECK_KERNEL(by_primal, 2, 64, out(4 * 32), in(3 * 37), 3, 37)
CHECK_KERNEL(of_block, 3, 64, out(3), in(3 * 143), 143)
TEST_MAIN
