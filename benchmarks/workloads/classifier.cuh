/*
 * classifier.cuh - the end of a network in one pass over each row: cross entropy by a block, softmax by a warp,
 * both with a running maximum and a sum that is rescaled with it. Adjoints are new (`fresh`).
 *
 * `real` is the including file's; it includes the gradients as well.
 */
#include <gradwright/gradwright.h>

struct row_sum {
    real most, all;
};

__device__ inline row_sum with(row_sum a, real most, real all) {
    const real next = fmax(a.most, most);
    return {next, a.all * exp(a.most - next) + all * exp(most - next)};
}

__device__ inline row_sum over_warp(row_sum a) {
    for (int o = 16; o > 0; o /= 2)
        a = with(a, __shfl_xor_sync(0xffffffffu, a.most, o), __shfl_xor_sync(0xffffffffu, a.all, o));
    return a;
}

/* -log of what softmax gives the target: a block a row, all of its warps full. */
GW_GRADIENT("losses wrt logits[0:rows * classes] fresh")
GW_DERIVATIVE("losses wrt logits")
__global__ void cross_entropy(real *losses, const real *logits, const int *targets, int rows, int classes) {
    __shared__ real most[32], all[32];
    const int row = blockIdx.x;
    if (row >= rows) return;
    row_sum own = {(real)-1e30, 0};
    for (int k = threadIdx.x; k < classes; k += blockDim.x) own = with(own, logits[row * classes + k], 1);
    own = over_warp(own);
    if (threadIdx.x % 32 == 0) most[threadIdx.x / 32] = own.most, all[threadIdx.x / 32] = own.all;
    __syncthreads();
    own = {(real)-1e30, 0};
    for (int w = 0; w < (int)blockDim.x / 32; w++) own = with(own, most[w], all[w]);
    if (threadIdx.x == 0) losses[row] = own.most + log(own.all) - logits[row * classes + targets[row]];
}

/* A warp a row. */
GW_GRADIENT("y wrt x[0:rows * width] fresh")
GW_DERIVATIVE("y wrt x")
__global__ void softmax_online(real *y, const real *x, int rows, int width) {
    const int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (r >= rows) return;
    row_sum own = {(real)-1e30, 0};
    for (int k = lane; k < width; k += 32) {
        const real v = x[r * width + k];
        if (v > own.most) {
            own.all *= exp(own.most - v);
            own.most = v;
        }
        own.all += exp(v - own.most);
    }
    own = over_warp(own);
    for (int k = lane; k < width; k += 32) y[r * width + k] = exp(x[r * width + k] - own.most) / own.all;
}
