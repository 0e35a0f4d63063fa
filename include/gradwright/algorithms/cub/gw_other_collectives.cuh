/* Collectives that CUB has and Gradwright does not differentiate: declared, so that a source which uses them in
 * other kernels is read. In a differentiated kernel they are refused (frontend/kernel/collectives.def). */
#ifndef GRADWRIGHT_CUB_OTHER_COLLECTIVES_CUH
#define GRADWRIGHT_CUB_OTHER_COLLECTIVES_CUH
#pragma GCC system_header
#include <cub/gw_collective.cuh>
#include <gradwright/read/whatever.h>

/* The CPU device has none of them where kernels run. */
#ifdef GW_READING
#define GW_NOT_THERE
#else
#define GW_NOT_THERE = delete
#endif
#define GW_OTHER_METHOD(name) template <class... A> __device__ gw_whatever name(A &&...) GW_NOT_THERE;
/* Each has the methods of all. */
#define GW_OTHER_COLLECTIVE(name, ...)                                                                         \
    template <__VA_ARGS__> struct name {                                                                       \
        using TempStorage = gw::no_storage;                                                                    \
        template <class... A> __device__ name(A &&...) GW_NOT_THERE;                                           \
        GW_OTHER_METHOD(Sort) GW_OTHER_METHOD(StableSort) GW_OTHER_METHOD(SortDescending)                      \
        GW_OTHER_METHOD(SortBlockedToStriped) GW_OTHER_METHOD(SortDescendingBlockedToStriped)                  \
        GW_OTHER_METHOD(StripedToBlocked) GW_OTHER_METHOD(BlockedToStriped)                                    \
        GW_OTHER_METHOD(WarpStripedToBlocked) GW_OTHER_METHOD(BlockedToWarpStriped)                            \
        GW_OTHER_METHOD(ScatterToBlocked) GW_OTHER_METHOD(ScatterToStriped)                                    \
        GW_OTHER_METHOD(ScatterToStripedGuarded) GW_OTHER_METHOD(ScatterToStripedFlagged)                      \
        GW_OTHER_METHOD(FlagHeads) GW_OTHER_METHOD(FlagTails) GW_OTHER_METHOD(FlagHeadsAndTails)               \
        GW_OTHER_METHOD(SubtractLeft) GW_OTHER_METHOD(SubtractLeftPartialTile) GW_OTHER_METHOD(SubtractRight)  \
        GW_OTHER_METHOD(SubtractRightPartialTile) GW_OTHER_METHOD(InitHistogram) GW_OTHER_METHOD(Histogram)    \
        GW_OTHER_METHOD(Composite) GW_OTHER_METHOD(Offset) GW_OTHER_METHOD(Rotate) GW_OTHER_METHOD(Up)         \
        GW_OTHER_METHOD(Down) GW_OTHER_METHOD(RunLengthDecode) GW_OTHER_METHOD(Load) GW_OTHER_METHOD(Store)    \
    };

namespace cub {
enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };
enum WarpLoadAlgorithm { WARP_LOAD_DIRECT, WARP_LOAD_STRIPED, WARP_LOAD_VECTORIZE, WARP_LOAD_TRANSPOSE };
enum WarpStoreAlgorithm { WARP_STORE_DIRECT, WARP_STORE_STRIPED, WARP_STORE_VECTORIZE, WARP_STORE_TRANSPOSE };
GW_OTHER_COLLECTIVE(BlockRadixSort, class K, int X, int ITEMS, class V = NullType, auto...)
GW_OTHER_COLLECTIVE(BlockMergeSort, class K, int X, int ITEMS, class V = NullType, auto...)
GW_OTHER_COLLECTIVE(BlockExchange, class T, int X, int ITEMS, auto...)
GW_OTHER_COLLECTIVE(BlockDiscontinuity, class T, int X, auto...)
GW_OTHER_COLLECTIVE(BlockAdjacentDifference, class T, int X, auto...)
GW_OTHER_COLLECTIVE(BlockHistogram, class T, int X, int ITEMS, int BINS, auto...)
GW_OTHER_COLLECTIVE(BlockShuffle, class T, int X, auto...)
GW_OTHER_COLLECTIVE(BlockRunLengthDecode, class T, int X, int RUNS, int ITEMS, class O = unsigned, auto...)
GW_OTHER_COLLECTIVE(WarpExchange, class T, int ITEMS, auto...)
GW_OTHER_COLLECTIVE(WarpMergeSort, class K, int ITEMS, int N = 32, class V = NullType, auto...)
GW_OTHER_COLLECTIVE(WarpLoad, class T, int ITEMS, auto...)
GW_OTHER_COLLECTIVE(WarpStore, class T, int ITEMS, auto...)
} // namespace cub
#undef GW_OTHER_METHOD
#undef GW_OTHER_COLLECTIVE
#undef GW_NOT_THERE
#endif
