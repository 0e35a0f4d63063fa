// seeds: 1 2 3
// Cooperative groups: blocks, tiles, tiles of tiles, coalesced threads, reductions and scans.
#include "check.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

enum { n = 128 };

template <unsigned Size> __global__ void tiles(int *out) {
    __shared__ int values[n];
    const cg::thread_block block = cg::this_thread_block();
    const auto tile = cg::tiled_partition<Size>(block);
    const int t = (int)block.thread_rank();
    values[n - 1 - t] = t;
    block.sync();
    int *mine = out + 10 * t;
    mine[0] = values[t];
    cg::sync(block);
    mine[1] = (int)(tile.thread_rank() + 100 * tile.meta_group_rank() + 10000 * tile.meta_group_size());
    mine[2] = cg::reduce(tile, t, cg::plus<int>());
    mine[3] = cg::reduce(tile, t, cg::greater<int>());
    mine[4] = cg::inclusive_scan(tile, t);
    mine[5] = cg::exclusive_scan(tile, t);
    mine[6] = tile.shfl(t, (int)Size - 1) + tile.shfl_xor(t, Size / 2);
    mine[7] = (int)tile.ballot(t % 2) + tile.any(t == 0) + tile.all(t >= (int)Size);
    mine[8] = (int)tile.match_any(t / 2);
    tile.sync();
    mine[9] = 0;
    if (t % 3 == 1) {
        const cg::coalesced_group together = cg::coalesced_threads();
        if (together.thread_rank() == 0)
            mine[9] = cg::reduce(together, t, cg::plus<int>());
        else
            (void)cg::reduce(together, t, cg::plus<int>());
    }
}

template <unsigned Size> static void test() {
    int *out;
    OK(cudaMallocManaged(&out, 10 * n * sizeof(int)));
    tiles<Size><<<1, dim3(16, 8)>>>(out);
    OK(cudaDeviceSynchronize());
    const int size = Size;
    int coalesced = 0, wanted = 0;
    for (int t = 0; t < n; ++t) {
        const int first = t / size * size, last = first + size - 1, rank = t - first, *mine = out + 10 * t;
        int before = 0;
        unsigned odd = 0, pair = 0;
        for (int i = 0; i < size; ++i) {
            before += i < rank ? first + i : 0;
            odd |= (unsigned)((first + i) % 2) << i;
            pair |= (unsigned)((first + i) / 2 == t / 2) << i;
        }
        CHECK(mine[0] == n - 1 - t);
        CHECK(mine[1] == rank + 100 * (t / size) + 10000 * (n / size));
        CHECK(mine[2] == (first + last) * size / 2 && mine[3] == last);
        CHECK(mine[4] == before + t && mine[5] == before);
        CHECK(mine[6] == last + (first + (rank ^ size / 2)));
        CHECK(mine[7] == (int)(odd + (first == 0) + (first != 0)));
        CHECK((unsigned)mine[8] == pair);
        coalesced += mine[9];
        wanted += t % 3 == 1 ? t : 0;
    }
    CHECK(coalesced == wanted);
    OK(cudaFree(out));
}

int main() {
    test<1>();
    test<2>();
    test<4>();
    test<8>();
    test<16>();
    test<32>();
}
