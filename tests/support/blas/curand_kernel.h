/*
 * curand_kernel.h - what tests draw of cuRAND in kernels where there is none: states of its names, advanced by
 * integers, with a number kept back from each pair of normal ones.
 */
#ifndef CURAND_KERNEL_H_
#define CURAND_KERNEL_H_

#include <cuda_runtime.h>

#pragma GCC system_header

struct curandStateXORWOW {
    unsigned int d, v[2];
    int boxmuller_flag;
    float boxmuller_extra;
};
typedef curandStateXORWOW curandState;
struct curandStatePhilox4_32_10 {
    uint2 ctr, key;
};
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
struct curandStateMRG32k3a {
    unsigned int s1[3];
};

__device__ inline unsigned int curand(curandStateMRG32k3a *state) { return state->s1[0] *= 69069; }
__device__ inline unsigned int curand(curandState *state) {
    const unsigned int first = state->v[0];
    state->v[0] = state->v[1];
    state->v[1] = (state->v[1] << 9) ^ first ^ (first >> 5);
    state->d += 362437;
    return state->v[1] + state->d;
}
__device__ inline unsigned int curand(curandStatePhilox4_32_10_t *state) {
    if (!++state->ctr.x) ++state->ctr.y;
    unsigned int mixed = state->ctr.x * 0xd2511f53u ^ state->key.x;
    for (int round = 0; round < 3; round++) mixed = (mixed ^ mixed >> 15) * 0x9e3779b9u + state->key.y;
    return mixed ^ state->ctr.y;
}
__device__ inline void curand_init(unsigned long long seed, unsigned long long subsequence,
                                   unsigned long long offset, curandState *state) {
    state->d = (unsigned int)offset, state->boxmuller_flag = 0, state->boxmuller_extra = 0.0f;
    state->v[0] = (unsigned int)seed | 1, state->v[1] = (unsigned int)subsequence * 77;
}
__device__ inline void curand_init(unsigned long long seed, unsigned long long subsequence,
                                   unsigned long long offset, curandStatePhilox4_32_10_t *state) {
    state->ctr = make_uint2((unsigned int)offset, (unsigned int)subsequence);
    state->key = make_uint2((unsigned int)seed, (unsigned int)(seed >> 32));
}
template <class State> __device__ inline float curand_uniform(State *state) {
    return (curand(state) >> 8 | 1) / 16777216.0f;
}
__device__ inline float curand_normal(curandState *state) {
    state->boxmuller_flag ^= 1;
    if (!state->boxmuller_flag) return state->boxmuller_extra;
    const float far = sqrtf(-2 * logf(curand_uniform(state))), angle = 6.2831853f * curand_uniform(state);
    state->boxmuller_extra = far * cosf(angle);
    return far * sinf(angle);
}

#endif
