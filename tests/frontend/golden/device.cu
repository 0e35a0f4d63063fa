// Launch variables, vector types, constant memory, templates and device intrinsics.
#include <gradwright/gradwright.h>

#define LINEAR (blockIdx.x * blockDim.x + threadIdx.x)

__constant__ float weights[4];
__device__ float factor;

__device__ float4 operator*(float s, float4 v) { return make_float4(s * v.x, s * v.y, s * v.z, s * v.w); }
template <int N> __device__ float power(float x) {
    float r = 1;
#pragma unroll
    for (int i = 0; i < N; ++i) r *= x;
    return r;
}

GW_GRADIENT("out wrt in, scale")
__global__ void __launch_bounds__(128) device(float4 *__restrict__ out, const float4 *in, const float scale,
                                              unsigned n) {
    const dim3 size = gridDim;
    unsigned i = LINEAR + (blockIdx.y + blockIdx . z) * size.x;
    if (i >= n || warpSize != 32) return;
    float4 v = scale * in[i];
    float s, c;
    sincosf(v.x, &s, &c);
    v.y = fmaxf(s, c) + std::exp(v.y) + max(v.z, weights[i & 3]);
    v.z += power<2>(__ldg(&in[i].w)) * rsqrtf(factor) + __expf(v.w);
    out[i] = v;
}
