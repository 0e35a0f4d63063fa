// The libraries' headers of a CUDA toolkit beside the device's own, and beside a kernel that is differentiated:
// read without a flag. Thrust and cuRAND's device functions work.
#include "thrust.h"
#include <cub/cub.cuh>
#include <cuda/std/array>
#include <cublas_v2.h>
#include <curand_kernel.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda/barrier>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include "check.h"
#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void square(float *y, const float *x, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] * x[i];
}
#include "libraries.grad.cuh"

__global__ void draw(float *x, unsigned long long seed) {
    curandState state;
    curand_init(seed, threadIdx.x, 0, &state);
    const cuda::std::array<float, 2> two = {curand_uniform(&state), curand_uniform(&state)};
    x[threadIdx.x] = (two[0] + two[1]) / 2;
}

int main() {
    enum { n = 64 };
    try_thrust();
    thrust::device_vector<float> v(n, 3.0f);
    float *raw = thrust::raw_pointer_cast(v.data());
    thrust::device_ptr<float> other = thrust::device_malloc<float>(n);
    draw<<<1, n>>>(other.get(), 5);
    OK(cudaDeviceSynchronize());
    const float mean = thrust::reduce(other, other + n, 0.0f) / n;
    CHECK(mean > 0.4f && mean < 0.6f && other[0] != other[1]);
    thrust::device_free(other);
    thrust::device_vector<float> seed(n, 1.0f), d(n, 0.0f);
    square_grad<<<2, 32>>>(raw, raw, n, thrust::raw_pointer_cast(seed.data()),
                           thrust::raw_pointer_cast(d.data()));
    OK(cudaDeviceSynchronize());
    CHECK(d[5] == 6);
    return 0;
}
