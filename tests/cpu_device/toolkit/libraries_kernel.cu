// The libraries of CUDA 13 beside a kernel that is differentiated, by the command alone: no flag is needed.
#include <thrust/device_vector.h>
#include <thrust/sort.h>
#include <cub/cub.cuh>
#include <cuda/std/array>
#include <cublas_v2.h>
#include <curand_kernel.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <gradwright/gradwright.h>
GW_GRADIENT("y wrt x")
__global__ void square(float *y, const float *x, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] * x[i];
}
