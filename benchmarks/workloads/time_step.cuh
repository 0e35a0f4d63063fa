/*
 * time_step.cuh - the largest time step that every element of a hydrodynamics code allows: each block finds the
 * least over its elements, then one block the least over these, both by volatile shared memory in whose last
 * rounds the lanes of a warp are taken to run in step.
 *
 * `real` and the constant `threads`, the size of a block, a power of two from 64 on, are the including file's;
 * it includes the gradients as well.
 */
#include <gradwright/gradwright.h>

/* The least of the block's cells, in s[0]. The rounds of the last warp meet by no barrier. */
template <int size> __device__ inline void leave_least(volatile real *s, int t) {
    if (size >= 256) {
        if (t < 128) s[t] = min(s[t], s[t + 128]);
        __syncthreads();
    }
    if (size >= 128) {
        if (t < 64) s[t] = min(s[t], s[t + 64]);
        __syncthreads();
    }
    if (t < 32) s[t] = min(s[t], s[t + 32]);
    if (t < 16) s[t] = min(s[t], s[t + 16]);
    if (t < 8) s[t] = min(s[t], s[t + 8]);
    if (t < 4) s[t] = min(s[t], s[t + 4]);
    if (t < 2) s[t] = min(s[t], s[t + 2]);
    if (t < 1) s[t] = min(s[t], s[t + 1]);
}

/* How long the fastest wave of each listed element takes through it, and how long the element may change its
 * volume at its rate; of both the least of a block. */
GW_GRADIENT("crossing, change wrt speed, rate, length, viscosity, most_change")
GW_DERIVATIVE("crossing, change wrt speed, rate, length, viscosity, most_change")
__global__ void time_steps(real *crossing, real *change, const int *elements, const real *speed,
                           const real *rate, const real *length, real viscosity, real most_change, int n) {
    __shared__ volatile real s_crossing[threads], s_change[threads];
    const int t = threadIdx.x;
    real least_crossing = 1e20, least_change = 1e20;
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
        const int element = elements[i];
        const real v = rate[element], l = length[element];
        if (v == 0) continue;
        const real c = speed[element] * speed[element] + (v < 0 ? viscosity * l * l * v * v : 0);
        const real allowed = most_change / (fabs(v) + (real)1e-20), wave = l / sqrt(c);
        if (allowed < least_change) least_change = allowed;
        if (wave < least_crossing) least_crossing = wave;
    }
    s_change[t] = least_change;
    s_crossing[t] = least_crossing;
    __syncthreads();
    leave_least<threads>(s_change, t);
    leave_least<threads>(s_crossing, t);
    if (t == 0) {
        crossing[blockIdx.x] = s_crossing[0];
        change[blockIdx.x] = s_change[0];
    }
}

/* The first block finds the least crossing of `blocks` ones, the second the least change. */
GW_GRADIENT("step wrt crossing, change")
GW_DERIVATIVE("step wrt crossing, change")
__global__ void time_step(real *step, const real *crossing, const real *change, int blocks) {
    __shared__ volatile real s[threads];
    const int t = threadIdx.x;
    if (blockIdx.x == 0) {
        if (t < blocks)
            s[t] = crossing[t];
        else
            s[t] = 1e20;
        __syncthreads();
        leave_least<threads>(s, t);
        if (t < 1) step[0] = s[0];
    } else if (blockIdx.x == 1) {
        if (t < blocks)
            s[t] = change[t];
        else
            s[t] = 1e20;
        __syncthreads();
        leave_least<threads>(s, t);
        if (t < 1) step[1] = s[0];
    }
}
