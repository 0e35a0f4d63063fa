#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void volatile_sum(float *y, const float *x) {
    volatile __shared__ float s[32];
    s[threadIdx.x] = x[threadIdx.x];
    y[threadIdx.x] = s[31 - threadIdx.x];
}

// As the last warp of a sum was written for lanes that run in step.
template <unsigned size> __device__ void last_warp(volatile float *s, unsigned t) {
    if (size >= 64) s[t] += s[t + 32];
    if (size >= 32) s[t] += s[t + 16];
    s[t] += s[t + 8];
}
GW_GRADIENT("y wrt x")
__global__ void sum_of_block(float *y, const float *x) {
    extern __shared__ float s[];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    if (threadIdx.x < 32) last_warp<64>(s, threadIdx.x);
    if (threadIdx.x == 0) y[blockIdx.x] = s[0];
}
// says: volatile_shared_memory.cu:5:31: error: volatile shared memory, by which lanes of a warp meet without __syncwarp (a race since Volta), cannot be differentiated yet [unsupported]
// says:     volatile __shared__ float s[32];
// says:                               ^
// says:   way out: leave out volatile, read here before anything is stored, and let the lanes meet in front of the store and behind it: v = s[t] + s[t + 16]; __syncwarp(); s[t] = v; __syncwarp();
// says: volatile_shared_memory.cu:12:29: error: volatile shared memory, by which lanes of a warp meet without __syncwarp (a race since Volta), cannot be differentiated yet [unsupported]
// says:     if (size >= 64) s[t] += s[t + 32];
// says:                             ^
// says:   way out: leave out volatile, read here before anything is stored, and let the lanes meet in front of the store and behind it: v = s[t] + s[t + 16]; __syncwarp(); s[t] = v; __syncwarp();
