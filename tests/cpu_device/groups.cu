// seeds: 1 2 3
// Groups that are not tiles of a warp: any group, the grid, parts of a group, and tiles of several warps.
#include "check.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__device__ int sum_of(cg::thread_group g, int *scratch, int value) {
    const unsigned rank = g.thread_rank();
    for (unsigned i = g.size() / 2; i > 0; i /= 2) {
        scratch[rank] = value;
        g.sync();
        if (rank < i) value += scratch[rank + i];
        g.sync();
    }
    return rank == 0 ? value : -1;
}

__global__ void any_group(int *out) {
    __shared__ int scratch[128];
    const auto block = cg::this_thread_block();
    const int t = block.thread_rank();
    out[t] = sum_of(block, scratch, t);
    block.sync();
    const auto tile = cg::tiled_partition<16>(block);
    out[128 + t] = sum_of(tile, scratch + t / 16 * 16, t);
    const cg::thread_group eight = cg::tiled_partition(block, 8);
    out[256 + t] = sum_of(eight, scratch + t / 8 * 8, t) + (int)(1000 * eight.size());
}

__global__ void parts(int *out) {
    const auto block = cg::this_thread_block();
    const auto warp = cg::tiled_partition<32>(block);
    const int t = block.thread_rank();
    const auto third = cg::labeled_partition(warp, t % 3);
    out[t] = cg::reduce(third, 1, cg::plus<int>()) * 100 + (int)third.thread_rank();
    const auto odd = cg::binary_partition(warp, t % 2 != 0);
    out[64 + t] = cg::reduce(odd, t, cg::plus<int>());
    const auto large = cg::tiled_partition<64>(block);
    out[128 + t] = cg::reduce(large, t, cg::plus<int>()) + (int)(10000 * large.meta_group_size());
    struct triple {
        int a;
        double b;
    } v = {t, 0.5 * t};
    v = warp.shfl(v, 3);
    out[192 + t] = v.a + (v.b == 0.5 * v.a ? 0 : 1000);
}

/* Each block hands a number to the next one, twice round. */
__global__ void ring(int *cells, int *out) {
    const cg::grid_group grid = cg::this_grid();
    const int block = blockIdx.x, blocks = gridDim.x;
    for (int round = 0; round < 2; ++round) {
        if (threadIdx.x == 0) cells[block] = 10 * block + round;
        grid.sync();
        const int seen = cells[(block + 1) % blocks];
        grid.sync();
        if (threadIdx.x == 0) out[2 * block + round] = seen;
    }
    if (!grid.is_valid() || grid.size() != (unsigned long long)blocks * blockDim.x ||
        grid.thread_rank() != blockIdx.x * blockDim.x + threadIdx.x)
        out[0] = -1;
}
__global__ void fails(int *out) {
    if (blockIdx.x == 1) __trap();
    cg::this_grid().sync(); /* the other blocks do not wait for ever */
    out[blockIdx.x] = 1;
}
__global__ void alone(int *out) { *out = cg::this_grid().is_valid(); }

int main() {
    int *out, *cells, blocks = 6;
    OK(cudaMallocManaged(&out, 512 * sizeof *out));
    OK(cudaMallocManaged(&cells, 64 * sizeof *cells));
    any_group<<<1, 128>>>(out);
    OK(cudaDeviceSynchronize());
    CHECK(out[0] == 128 * 127 / 2 && out[128 + 16] == 16 * 16 + 120 && out[256 + 8] == 8 * 8 + 28 + 8000);
    parts<<<1, 64>>>(out);
    OK(cudaDeviceSynchronize());
    CHECK(out[0] == 1100 && out[30] == 1100 + 10 && out[2] == 1000 && out[63] == 1110);
    CHECK(out[64] == 240 && out[65] == 256 && out[128] == 2016 + 10000 && out[192 + 40] == 35);
    void *arguments[] = {&cells, &out};
    OK(cudaLaunchCooperativeKernel(ring, blocks, 33, arguments));
    OK(cudaDeviceSynchronize());
    for (int b = 0; b < blocks; ++b)
        for (int round = 0; round < 2; ++round)
            CHECK(out[2 * b + round] == 10 * ((b + 1) % blocks) + round);
    CHECK(cudaLaunchCooperativeKernel(ring, 100000, 1, arguments) == cudaErrorCooperativeLaunchTooLarge);
    cudaGetLastError();
    alone<<<1, 1>>>(out);
    OK(cudaDeviceSynchronize());
    CHECK(*out == 0);
    void *one[] = {&out};
    OK(cudaLaunchCooperativeKernel(fails, 3, 32, one));
    CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
    return 0;
}
