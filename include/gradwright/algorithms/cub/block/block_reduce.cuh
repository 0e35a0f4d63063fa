/* The result of the block's threads goes to thread 0: what the others get is undefined, as it is with CUB. The
 * order is that of CUB's own default: warps by shuffles, then thread 0 over the warps. */
#ifndef GRADWRIGHT_CUB_BLOCK_REDUCE_CUH
#define GRADWRIGHT_CUB_BLOCK_REDUCE_CUH
#pragma GCC system_header
#include <cub/warp/warp_reduce.cuh>

namespace cub {
enum BlockReduceAlgorithm {
    BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
    BLOCK_REDUCE_RAKING,
    BLOCK_REDUCE_WARP_REDUCTIONS
};

namespace gw {
template <class T, int WARPS> struct reduce_storage : storage {
    T sums[WARPS];
};
template <class T, int X, int Y, int Z>
using reducing_block = of_block<reduce_storage<T, (X * Y * Z + 31) / 32>, X, Y, Z>;
} // namespace gw

template <class T, int X, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1, int = 0>
class BlockReduce : public gw::reducing_block<T, X, Y, Z> {
    using block = gw::reducing_block<T, X, Y, Z>;
    using block::storage;
    using block::thread;
    static constexpr int threads = X * Y * Z, warps = (threads + 31) / 32;
    static constexpr bool whole = threads % 32 == 0 || threads < 32; /* each warp */
    using of_warp = gw::warp_sums<T, threads < 32 ? threads : 32>;

    template <class F> GW_COLLECTIVE T of_warps(T sum, F f, int num_valid) {
        if constexpr (warps > 1) {
            if (thread % 32 == 0) storage->sums[thread / 32] = sum;
            __syncthreads();
            if (thread == 0)
                for (int w = 1; w < warps; w++)
                    if (32 * w < num_valid) sum = f(sum, storage->sums[w]);
        }
        return gw::at_zero(sum, thread);
    }

  public:
    GW_COLLECTIVE BlockReduce() {}
    GW_COLLECTIVE BlockReduce(typename block::TempStorage &temp_storage) : block(temp_storage) {}

    template <class F> GW_COLLECTIVE T Reduce(T input, F f, int num_valid) {
        const int before = thread / 32 * 32;
        if constexpr (whole)
            return of_warps(of_warp(thread).of_valid(input, f, num_valid - before), f, num_valid);
        else
            return of_warps(of_warp(thread).of_some(input, f, num_valid - before, threads - before), f,
                            num_valid);
    }
    template <class F> GW_COLLECTIVE T Reduce(T input, F f) {
        if constexpr (whole)
            return of_warps(of_warp(thread).of_all(input, f), f, threads);
        else
            return Reduce(input, f, threads);
    }
    template <int ITEMS, class F> GW_COLLECTIVE T Reduce(T (&inputs)[ITEMS], F f) {
        return Reduce(gw::reduced_items(inputs, f), f);
    }
    GW_COLLECTIVE T Sum(T input) { return Reduce(input, cub::Sum()); }
    GW_COLLECTIVE T Sum(T input, int num_valid) { return Reduce(input, cub::Sum(), num_valid); }
    template <int ITEMS> GW_COLLECTIVE T Sum(T (&inputs)[ITEMS]) {
        return Sum(gw::reduced_items(inputs, cub::Sum()));
    }
};
} // namespace cub
#endif
