// Half and bfloat16: every number of 16 bits there and back, roundings at and beside the middle between two,
// arithmetic.
#include "check.h"
#include <cmath>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__device__ int failures;

template <class H> __host__ __device__ unsigned short bits_of(H h) {
    unsigned short bits;
    memcpy(&bits, &h, sizeof bits);
    return bits;
}
template <class H> __host__ __device__ H of_bits(unsigned bits) {
    const unsigned short narrow = (unsigned short)bits;
    H h;
    memcpy(&h, &narrow, sizeof h);
    return h;
}

/* `infinite`: the bits of infinity; numbers below it are consecutive. */
template <class H> __host__ __device__ int wrong_at(unsigned bits, unsigned infinite) {
    const float v = (float)of_bits<H>(bits);
    int wrong = 0;
    if ((bits & 0x7fff) > infinite) return v == v || bits_of(H(v)) == bits_of(H(0.0f));
    wrong += bits_of(H(v)) != bits;
    if ((bits & 0x7fff) + 1 >= infinite) return wrong;
    const float next = (float)of_bits<H>(bits + 1), middle = v / 2 + next / 2; /* exact: a digit more */
    const unsigned even = bits & 1 ? bits + 1 : bits;
    wrong += middle - v != next - middle;
    wrong += bits_of(H(middle)) != even;
    wrong += bits_of(H(nextafterf(middle, v))) != bits;
    wrong += bits_of(H(nextafterf(middle, next))) != bits + 1;
    return wrong;
}

__global__ void all(unsigned half_infinite, unsigned bfloat16_infinite) {
    const unsigned bits = blockIdx.x * blockDim.x + threadIdx.x;
    const int wrong = wrong_at<__half>(bits, half_infinite) + wrong_at<__nv_bfloat16>(bits, bfloat16_infinite);
    if (wrong) atomicAdd(&failures, wrong);
}

__global__ void arithmetic(float *out) {
    const half a = __float2half(1.5f), b = 0.1f; /* 0.0999755859375 */
    out[0] = (float)(a * b);
    out[1] = (float)__hfma(a, b, a);
    out[2] = (float)(a / b);
    out[3] = __half2float(hexp(a));
    const half2 c = __floats2half2_rn(3.0f, 65519.0f) + __half2half2(a);
    out[4] = __low2float(c);
    out[5] = __high2float(c);
    out[6] = (float)__float2half(65520.0f);
    out[7] = (float)(a > b) + 2 * (float)__hisnan(a);
    const __nv_bfloat16 d = 3.14159f;
    out[8] = (float)(d * d);
    __shared__ half sum;
    if (threadIdx.x == 0) sum = 0.0f;
    __syncthreads();
    atomicAdd(&sum, __float2half(0.5f));
    __syncthreads();
    out[9] = (float)sum;
}

int main() {
    all<<<256, 256>>>(0x7c00, 0x7f80);
    int count = 0;
    OK(cudaMemcpyFromSymbol(&count, failures, sizeof count));
    CHECK(count == 0);
    for (unsigned bits = 0; bits < 0x10000; bits++)
        CHECK(wrong_at<__half>(bits, 0x7c00) == 0 && wrong_at<__nv_bfloat16>(bits, 0x7f80) == 0);
    float *out, got[10];
    OK(cudaMalloc(&out, sizeof got));
    arithmetic<<<1, 8>>>(out);
    OK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    CHECK(std::fabs(got[0] - 1.5f * 0.0999755859375f) <= 0.5f / 8192);
    CHECK(got[1] == 1.650390625f);
    CHECK(std::fabs(got[2] - 15.003663f) <= 0.5f / 128);
    CHECK(got[3] == 4.48046875f);
    CHECK(got[4] == 4.5f && got[5] == 65504 && std::isinf(got[6]));
    CHECK(got[7] == 1);
    CHECK(got[8] == 9.875f);
    CHECK(got[9] == 4);
    std::puts("ok");
}
