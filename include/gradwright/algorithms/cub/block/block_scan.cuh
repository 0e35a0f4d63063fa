/* Running values over the block's threads: within warps by shuffles, then over the warps. Sums of floats may be
 * added up in another order than CUB's. */
#ifndef GRADWRIGHT_CUB_BLOCK_SCAN_CUH
#define GRADWRIGHT_CUB_BLOCK_SCAN_CUH
#pragma GCC system_header
#include <cub/warp/warp_scan.cuh>

namespace cub {
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

namespace gw {
template <class T, int WARPS> struct scan_storage : storage {
    T sums[WARPS], before[WARPS], all[WARPS];
    T prefix;
};
template <class T, int X, int Y, int Z>
using scanning_block = of_block<scan_storage<T, (X * Y * Z + 31) / 32>, X, Y, Z>;
} // namespace gw

template <class T, int X, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int = 0>
class BlockScan : public gw::scanning_block<T, X, Y, Z> {
    using block = gw::scanning_block<T, X, Y, Z>;
    using block::storage;
    using block::thread;
    static constexpr int threads = X * Y * Z, warps = (threads + 31) / 32;
    static constexpr int of_last_warp = threads - 32 * (warps - 1);
    using of_warp = WarpScan<T, threads < 32 ? threads : 32>;

    /* The sum of all threads of warps before this thread's; in the first warp it is undefined. One thread adds
       up, and a lane of each warp reads, so that in the reverse each cell has one owner. */
    template <class F> GW_COLLECTIVE T before_warp(T inclusive, F f, T &aggregate) {
        const int last = thread / 32 == warps - 1 ? of_last_warp - 1 : 31;
        if (thread % 32 == last) storage->sums[thread / 32] = inclusive;
        __syncthreads();
        if (thread == 0) {
            T sum = storage->sums[0];
            for (int w = 1; w < warps; w++) {
                storage->before[w] = sum;
                sum = f(sum, storage->sums[w]);
            }
            for (int w = 0; w < warps; w++)
                storage->all[w] = sum;
        }
        __syncthreads();
        const gw::lanes<32> lanes(thread);
        T before{}, all{};
        if (thread % 32 == 0) {
            if (thread) before = storage->before[thread / 32];
            all = storage->all[thread / 32];
        }
        aggregate = gw::from_lane(lanes, all, 0);
        return gw::from_lane(lanes, before, 0);
    }
    /* What comes before the block: warp 0 asks, and tells all. */
    template <class P> GW_COLLECTIVE T asked(P &prefix_of, T aggregate) {
        if (thread < 32) {
            const T prefix = prefix_of(aggregate);
            if (thread == 0) storage->prefix = prefix;
        }
        __syncthreads();
        return storage->prefix;
    }
    /* From what comes before the thread's items, if anything does. */
    template <int ITEMS, class F>
    GW_COLLECTIVE void scan_items(T (&input)[ITEMS], T (&output)[ITEMS], F f, T before, bool any) {
        T sum = input[0];
        if (any) sum = f(before, sum);
        output[0] = sum;
        for (int i = 1; i < ITEMS; i++) {
            sum = f(sum, input[i]);
            output[i] = sum;
        }
    }
    template <int ITEMS, class F>
    GW_COLLECTIVE void scan_items_exclusive(T (&input)[ITEMS], T (&output)[ITEMS], F f, T before, bool any) {
        T sum = input[0];
        if (any) sum = f(before, sum);
        output[0] = before;
        for (int i = 1; i < ITEMS; i++) {
            const T own = input[i];
            output[i] = sum;
            sum = f(sum, own);
        }
    }

  public:
    GW_COLLECTIVE BlockScan() {}
    GW_COLLECTIVE BlockScan(typename block::TempStorage &temp_storage) : block(temp_storage) {}

    template <class F> GW_COLLECTIVE void InclusiveScan(T input, T &output, F f, T &block_aggregate) {
        T sum;
        of_warp(thread).InclusiveScan(input, sum, f);
        const T before = before_warp(sum, f, block_aggregate);
        if (thread >= 32) sum = f(before, sum);
        output = sum;
    }
    template <class F> GW_COLLECTIVE void InclusiveScan(T input, T &output, F f) {
        T unused;
        InclusiveScan(input, output, f, unused);
    }
    template <class F, class P> GW_COLLECTIVE void InclusiveScan(T input, T &output, F f, P &prefix_of) {
        T all, own;
        InclusiveScan(input, own, f, all);
        output = f(asked(prefix_of, all), own);
    }
    /* What thread 0 gets is undefined. */
    template <class F> GW_COLLECTIVE void ExclusiveScan(T input, T &output, F f, T &block_aggregate) {
        T sum, own;
        of_warp(thread).Scan(input, sum, own, f);
        const T before = before_warp(sum, f, block_aggregate);
        if (thread >= 32) own = thread % 32 ? f(before, own) : before;
        output = own;
    }
    template <class F> GW_COLLECTIVE void ExclusiveScan(T input, T &output, F f) {
        T unused;
        ExclusiveScan(input, output, f, unused);
    }
    template <class F>
    GW_COLLECTIVE void ExclusiveScan(T input, T &output, T initial_value, F f, T &block_aggregate) {
        T own;
        ExclusiveScan(input, own, f, block_aggregate);
        output = initial_value;
        if (thread) output = f(initial_value, own);
    }
    template <class F> GW_COLLECTIVE void ExclusiveScan(T input, T &output, T initial_value, F f) {
        T unused;
        ExclusiveScan(input, output, initial_value, f, unused);
    }
    template <class F, class P> GW_COLLECTIVE void ExclusiveScan(T input, T &output, F f, P &prefix_of) {
        T all, own;
        ExclusiveScan(input, own, f, all);
        const T prefix = asked(prefix_of, all);
        output = prefix;
        if (thread) output = f(prefix, own);
    }

    template <int ITEMS, class F>
    GW_COLLECTIVE void InclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS], F f, T &block_aggregate) {
        T before;
        ExclusiveScan(gw::reduced_items(input, f), before, f, block_aggregate);
        scan_items(input, output, f, before, thread != 0);
    }
    template <int ITEMS, class F>
    GW_COLLECTIVE void InclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS], F f) {
        T unused;
        InclusiveScan(input, output, f, unused);
    }
    template <int ITEMS, class F, class P>
    GW_COLLECTIVE void InclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS], F f, P &prefix_of) {
        T before;
        ExclusiveScan(gw::reduced_items(input, f), before, f, prefix_of);
        scan_items(input, output, f, before, true);
    }
    /* The first item of thread 0 is undefined. */
    template <int ITEMS, class F>
    GW_COLLECTIVE void ExclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS], F f, T &block_aggregate) {
        T before;
        ExclusiveScan(gw::reduced_items(input, f), before, f, block_aggregate);
        scan_items_exclusive(input, output, f, before, thread != 0);
    }
    template <int ITEMS, class F>
    GW_COLLECTIVE void ExclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS], F f) {
        T unused;
        ExclusiveScan(input, output, f, unused);
    }
    template <int ITEMS, class F>
    GW_COLLECTIVE void ExclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS], T initial_value, F f,
                                     T &block_aggregate) {
        T before;
        ExclusiveScan(gw::reduced_items(input, f), before, initial_value, f, block_aggregate);
        scan_items_exclusive(input, output, f, before, true);
    }
    template <int ITEMS, class F>
    GW_COLLECTIVE void ExclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS], T initial_value, F f) {
        T unused;
        ExclusiveScan(input, output, initial_value, f, unused);
    }
    template <int ITEMS, class F, class P>
    GW_COLLECTIVE void ExclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS], F f, P &prefix_of) {
        T before;
        ExclusiveScan(gw::reduced_items(input, f), before, f, prefix_of);
        scan_items_exclusive(input, output, f, before, true);
    }

    GW_COLLECTIVE void InclusiveSum(T input, T &output) { InclusiveScan(input, output, cub::Sum()); }
    template <class A> GW_COLLECTIVE void InclusiveSum(T input, T &output, A &aggregate_or_prefix_of) {
        InclusiveScan(input, output, cub::Sum(), aggregate_or_prefix_of);
    }
    template <int ITEMS> GW_COLLECTIVE void InclusiveSum(T (&input)[ITEMS], T (&output)[ITEMS]) {
        InclusiveScan(input, output, cub::Sum());
    }
    template <int ITEMS, class A>
    GW_COLLECTIVE void InclusiveSum(T (&input)[ITEMS], T (&output)[ITEMS], A &aggregate_or_prefix_of) {
        InclusiveScan(input, output, cub::Sum(), aggregate_or_prefix_of);
    }
    GW_COLLECTIVE void ExclusiveSum(T input, T &output) { ExclusiveScan(input, output, T{}, cub::Sum()); }
    GW_COLLECTIVE void ExclusiveSum(T input, T &output, T &block_aggregate) {
        ExclusiveScan(input, output, T{}, cub::Sum(), block_aggregate);
    }
    template <class P> GW_COLLECTIVE void ExclusiveSum(T input, T &output, P &prefix_of) {
        ExclusiveScan(input, output, cub::Sum(), prefix_of);
    }
    template <int ITEMS> GW_COLLECTIVE void ExclusiveSum(T (&input)[ITEMS], T (&output)[ITEMS]) {
        ExclusiveScan(input, output, T{}, cub::Sum());
    }
    template <int ITEMS>
    GW_COLLECTIVE void ExclusiveSum(T (&input)[ITEMS], T (&output)[ITEMS], T &block_aggregate) {
        ExclusiveScan(input, output, T{}, cub::Sum(), block_aggregate);
    }
    template <int ITEMS, class P>
    GW_COLLECTIVE void ExclusiveSum(T (&input)[ITEMS], T (&output)[ITEMS], P &prefix_of) {
        ExclusiveScan(input, output, cub::Sum(), prefix_of);
    }
};
} // namespace cub
#endif
