// Cooperative groups: blocks, tiles of a warp, the threads that are together; copies that threads wait for.
#include "../support/check.cuh"

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cuda/pipeline>
#include <cuda_pipeline.h>

namespace cg = cooperative_groups;
typedef double real;
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

BOTH("y wrt x")
__global__ void of_block(real *y, const real *x) {
    __shared__ real s[32];
    cg::thread_block block = cg::this_thread_block();
    s[block.thread_rank()] = x[HERE] * x[HERE];
    block.sync();
    real v = s[block.size() - 1 - block.thread_rank()];
    cg::sync(block);
    s[block.thread_rank()] = v * x[HERE];
    cg::this_thread_block().sync();
    y[HERE] = s[(block.thread_rank() + 1) % 32] * v;
}

template <class TILE> __device__ real tile_sum(const TILE &tile, real v) {
    for (unsigned distance = tile.size() / 2; distance > 0; distance /= 2)
        v += tile.shfl_down(v, distance);
    return tile.shfl(v, 0);
}

BOTH("y wrt x")
__global__ void of_tiles(real *y, const real *x) {
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    auto tile = cg::tiled_partition<8>(warp);
    auto small = cg::tiled_partition<4>(block);
    real v = x[HERE] * x[HERE];
    real next = tile.shfl_up(v, 1) * tile.shfl_xor(v, 5) + small.shfl(v, 2);
    y[HERE] = tile_sum(small, v * x[HERE]) * next + tile.thread_rank() * v + tile.meta_group_rank();
}

BOTH("y wrt x")
__global__ void reduced(real *y, const real *x) {
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    real v = x[HERE] * x[HERE];
    real sum = cg::reduce(tile, v, cg::plus<real>()), most = cg::reduce(tile, v, cg::greater<real>());
    int count = cg::reduce(tile, (int)threadIdx.x % 3, cg::plus<int>());
    y[HERE] = sum * v + most * x[HERE] * count;
}

BOTH("y wrt x")
__global__ void voted(real *y, const real *x) {
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    real v = x[HERE] * x[HERE];
    if (tile.any(x[HERE] > 1.7)) v *= x[HERE];
    if (tile.all(x[HERE] > 0.3)) v *= 3;
    tile.sync();
    y[HERE] = v * __popc(tile.ballot(x[HERE] > 1));
}

BOTH("sum wrt x")
__global__ void block_sum(real *sum, const real *x, int n) {
    __shared__ real part[4];
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    real v = 0;
    for (int i = block.thread_rank(); i < n; i += block.size())
        v += x[i] * x[i] * x[i];
    v = cg::reduce(warp, v, cg::plus<real>());
    if (warp.thread_rank() == 0) part[warp.meta_group_rank()] = v;
    block.sync();
    if (block.thread_rank() == 0) atomicAdd(sum, part[0] * part[1] * part[2]);
}

// Tiles of several warps, and one that is the block.
struct compounded {
    __device__ real operator()(real a, real b) const { return a + b + a * b; }
};
BOTH("y wrt x")
__global__ void of_warps(real *y, const real *x) {
    __shared__ cg::block_tile_memory<128> memory;
    auto block = cg::this_thread_block(memory);
    auto tile = cg::tiled_partition<64>(block);
    auto whole = cg::tiled_partition<128>(block);
    real v = x[HERE] * x[HERE];
    const real sum = cg::reduce(tile, v, cg::plus<real>()), top = cg::reduce(tile, v * 0.1, compounded());
    v += tile.shfl(v * sum, 3) + top;
    tile.sync();
    const real all = cg::reduce(whole, v, cg::plus<real>());
    y[HERE] = all * x[HERE] + tile.meta_group_rank() * sum;
    if (whole.thread_rank() == 0) y[128 * gridDim.x + blockIdx.x] = all * top;
}

// Tiles that do not name their parent.
__device__ real sum_of_four(const cg::thread_block_tile<4> &tile, real v) {
    return cg::reduce(tile, v, cg::plus<real>());
}
BOTH("y wrt x")
__global__ void without_parent(real *y, const real *x) {
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    cg::thread_block_tile<4> tile = cg::tiled_partition<4>(warp);
    real v = x[HERE] * x[HERE];
    y[HERE] = sum_of_four(tile, v) * warp.shfl_xor(v, 9) + sum_of_four(cg::tiled_partition<4>(block), x[HERE]);
}

// The threads that are together in a branch.
BOTH("y wrt x")
__global__ void of_those_here(real *y, const real *x, int n) {
    if (HERE >= n || HERE % 3 == 1) return;
    cg::coalesced_group here = cg::coalesced_threads();
    real v = cg::reduce(here, x[HERE] * x[HERE], cg::plus<real>());
    y[HERE] = v * here.shfl(x[HERE], 1);
}

// Copies that a thread waits for: of which a part, or all behind the end, is filled with zeros.
BOTH("y wrt x")
__global__ void awaited(real *y, const real *x, int n) {
    __shared__ real s[32];
    __shared__ __align__(16) real t[64];
    const int k = threadIdx.x;
    __pipeline_memcpy_async(&s[k], &x[HERE], sizeof(real), HERE < n ? 0 : sizeof(real));
    __pipeline_memcpy_async(&t[2 * k], &x[2 * (HERE % 16)], 2 * sizeof(real), sizeof(real));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    y[HERE] = s[31 - k] * s[k] + t[(2 * k + 2) % 64] * t[2 * k] + t[2 * k + 1];
}

// Those that a group makes together, by bytes and by elements.
BOTH("y wrt x")
__global__ void copied_together(real *y, const real *x, int n) {
    __shared__ real s[32], t[4][8], u[32];
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<8>(block);
    const int of = tile.meta_group_rank(), k = threadIdx.x;
    u[k] = 1;
    block.sync();
    cg::memcpy_async(block, s, x + 32 * blockIdx.x, sizeof(real) * 32);
    cg::memcpy_async(tile, t[of], 8, x + 8 * of, 20);
    cg::memcpy_async(block, u, x, cuda::aligned_size_t<8>(n * sizeof(real)));
    cg::wait_prior<0>(tile);
    cg::wait(block);
    y[HERE] = s[31 - k] * s[k] + t[3 - of][k % 8] * u[(k + 1) % 32];
}

// A pipeline of one thread.
BOTH("y wrt x")
__global__ void piped(real *y, const real *x) {
    __shared__ real s[2][32];
    const int k = threadIdx.x;
    auto pipe = cuda::make_pipeline();
    real sum = 0;
    for (int i = 0; i < 2; i++) {
        pipe.producer_acquire();
        cuda::memcpy_async(&s[i][k], x + 32 * i + k, sizeof(real), pipe);
        pipe.producer_commit();
    }
    for (int i = 0; i < 2; i++) {
        pipe.consumer_wait();
        __syncthreads();
        sum += s[i][(k + 1) % 32] * s[i][k];
        pipe.consumer_release();
    }
    y[HERE] = sum;
}

#include "groups.grad.cuh"

CHECK_KERNEL(of_block, 2, 32, out(64), in(64))
CHECK_KERNEL(of_tiles, 2, 32, out(64), in(64))
CHECK_KERNEL(reduced, 2, 32, out(64), in(64))
CHECK_KERNEL(voted, 2, 32, out(64), in(64, 0.2, 1.8))
CHECK_KERNEL(block_sum, 1, 96, out(1), in(150, 0.2, 0.6), 150)
CHECK_KERNEL(of_warps, 1, 128, out(129), in(128, 0.2, 0.6))
CHECK_KERNEL(without_parent, 2, 32, out(64), in(64))
CHECK_KERNEL(of_those_here, 2, 32, out(64), in(64), 50)
CHECK_KERNEL(awaited, 2, 32, out(64), in(50), 50)
CHECK_KERNEL(copied_together, 2, 32, out(64), in(64), 20)
CHECK_KERNEL(piped, 1, 32, out(32), in(64))
TEST_MAIN
