// The libraries of CUDA 13 beside a kernel that is differentiated, where no flag names their folder: read by
// the command, compiled by nvcc through gwcc, and by Clang with the plugin. What only a GPU has, too.
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <cub/cub.cuh>
#include <cuda/std/array>
#include <cublas_v2.h>
#include <curand_kernel.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <mma.h>
#include <gradwright/gradwright.h>
GW_GRADIENT("y wrt x")
__global__ void square(float *y, const float *x, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] * x[i];
}
#ifndef WITH_CLUSTERS
namespace cg = cooperative_groups;
GW_GRADIENT("y wrt x")
__global__ void tiles(float *y, const float *x, int n) {
    const cg::thread_block block = cg::this_thread_block();
    const cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
    __shared__ float squares[128];
    const unsigned long long i = cg::this_grid().thread_rank();
    squares[block.thread_rank()] = i < n ? x[i] * x[i] : 0;
    block.sync();
    const float sum = cg::reduce(tile, squares[block.size() - 1 - block.thread_rank()], cg::plus<float>());
    if (tile.thread_rank() == 0 && i < n) y[i / 32] = sum * sum;
}
#endif
#include "libraries_kernel.grad.cuh"

__global__ void block_sum(float *y, const float *x) {
    typedef cub::BlockReduce<float, 128> block;
    __shared__ typename block::TempStorage storage;
    const float sum = block(storage).Sum(x[threadIdx.x]);
    if (threadIdx.x == 0) *y = sum;
}

__global__ void ones(float *y) {
    nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> tile;
    nvcuda::wmma::fill_fragment(tile, 1.0f);
    nvcuda::wmma::store_matrix_sync(y, tile, 16, nvcuda::wmma::mem_row_major);
}

#ifdef WITH_CLUSTERS // Clang does not know them
__global__ void __cluster_dims__(2, 1, 1) meet(unsigned *y) {
    cooperative_groups::this_cluster().sync();
    *y = cooperative_groups::this_cluster().num_blocks();
}
#endif

float sums(const thrust::host_vector<float> &given) {
    thrust::device_vector<float> x = given, y(x.size()), d_y(x.size(), 1.0f), d_x(x.size());
    const int n = (int)x.size();
    thrust::sort(x.begin(), x.end());
    thrust::transform(x.begin(), x.end(), y.begin(), thrust::negate<float>());
    square_grad<<<n / 32 + 1, 32>>>(thrust::raw_pointer_cast(y.data()), thrust::raw_pointer_cast(x.data()), n,
                                    thrust::raw_pointer_cast(d_y.data()), thrust::raw_pointer_cast(d_x.data()));
    block_sum<<<1, 128>>>(thrust::raw_pointer_cast(y.data()), thrust::raw_pointer_cast(x.data()));
    size_t bytes = 0;
    cub::DeviceReduce::Sum(nullptr, bytes, x.begin(), y.begin(), n);
    return thrust::reduce(d_x.begin(), d_x.end(), (float)bytes);
}
