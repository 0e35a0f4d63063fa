/*
 * reductions.cuh - kernels whose threads add up through shuffles and atomics: a block's reduction by warps, and
 * a histogram with soft edges in shared memory.
 *
 * `real` and the constants `threads`, the size of a block and a multiple of 32, and `bins` are the including
 * file's; it includes the gradients as well.
 */
#include <gradwright/gradwright.h>

/* The sum over the warp, in its first lane. */
__device__ inline real warp_sum(real v) {
    for (int distance = 16; distance > 0; distance /= 2) v += __shfl_down_sync(0xffffffffu, v, distance);
    return v;
}

/* y[block] = sum of x * x * w over the cells that fall to the block: warps by shuffles, then one warp over
 * their sums. */
GW_GRADIENT("y wrt x, w")
GW_DERIVATIVE("y wrt x, w")
__global__ void block_reduction(real *y, const real *x, const real *w, int n) {
    __shared__ real part[threads / 32];
    int t = threadIdx.x, lane = t % 32;
    real sum = 0;
    for (int i = blockIdx.x * threads + t; i < n; i += gridDim.x * threads) sum += x[i] * x[i] * w[i];
    sum = warp_sum(sum);
    if (lane == 0) part[t / 32] = sum;
    __syncthreads();
    if (t < 32) {
        sum = lane < threads / 32 ? part[lane] : 0;
        sum = warp_sum(sum);
        if (t == 0) y[blockIdx.x] = sum;
    }
}

/* The first of the four bins whose centres are less than 2 away: which ones a value reaches has no
 * derivative. */
GW_NONDIFFERENTIABLE __device__ inline int first_bin(real p) { return (int)floor(p - (real)0.5) - 1; }

/* The cubic B-spline: smooth, 1 in all over the integers, 0 from 2 on. */
__device__ inline real spline(real d) {
    d = fabs(d);
    real rest = d < 2 ? 2 - d : 0;
    return d < 1 ? (real)2 / 3 - d * d + d * d * d / 2 : rest * rest * rest / 6;
}

/* Each value, 0 to 1, adds its mass to the bins around it, weighted by the distance to their centres; a block
 * adds up in shared memory and then to the caller's histogram. */
GW_GRADIENT("histogram wrt x, mass")
GW_DERIVATIVE("histogram wrt x, mass")
__global__ void soft_histogram(real *histogram, const real *x, const real *mass, int n) {
    __shared__ real part[bins];
    for (int b = threadIdx.x; b < bins; b += threads) part[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads) {
        real p = x[i] * bins;
        int first = first_bin(p);
        for (int k = 0; k < 4; k++) {
            int b = first + k;
            if (b >= 0 && b < bins) atomicAdd(&part[b], mass[i] * spline(p - (real)b - (real)0.5));
        }
    }
    __syncthreads();
    for (int b = threadIdx.x; b < bins; b += threads) atomicAdd(&histogram[b], part[b]);
}
