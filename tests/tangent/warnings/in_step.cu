// A missing __syncwarp is found, and none where there is one.
#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x") GW_DERIVATIVE("y wrt x")
__global__ void last_rounds(float *y, const float *x) {
    __shared__ volatile float s[64];
    const int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    if (t < 32) s[t] = min(s[t], s[t + 32]);
    if (t < 16) s[t] = min(s[t], s[t + 16]);
    if (t < 1) y[blockIdx.x] = s[0] * s[8];
}

GW_GRADIENT("y wrt x")
__global__ void statements_in_a_branch(float *y, const float *x) {
    __shared__ float s[64];
    volatile float *p = s;
    const int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    if (t < 32) {
        p[t] += p[t + 32];
        p[t] += p[t + 16];
    }
    if (t == 0) y[blockIdx.x] = s[0];
}

// Nothing is missing: lanes meet, or each has cells of its own.
GW_GRADIENT("y wrt x")
__global__ void as_it_should_be(float *y, const float *x) {
    __shared__ volatile float s[64];
    const int t = threadIdx.x;
    if (t < 40)
        s[t] = x[t];
    else
        s[t] = 1;
    s[t] *= x[t];
    __syncthreads();
    float v = t < 32 ? s[t] + s[t + 32] : 0;
    __syncwarp();
    if (t < 32) s[t] = v;
    __syncwarp();
    if (t < 16) s[t] += s[t + 16];
    if (t < 8) s[t] *= 2;
    if (t == 0) y[blockIdx.x] = s[0];
}
