/* As of block_load.cuh, the other way. */
#ifndef GRADWRIGHT_CUB_BLOCK_STORE_CUH
#define GRADWRIGHT_CUB_BLOCK_STORE_CUH
#pragma GCC system_header
#include <cub/gw_collective.cuh>

namespace cub {
enum BlockStoreAlgorithm {
    BLOCK_STORE_DIRECT,
    BLOCK_STORE_STRIPED,
    BLOCK_STORE_VECTORIZE,
    BLOCK_STORE_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};
template <class Out, class T, int ITEMS>
GW_COLLECTIVE void StoreDirectBlocked(int thread, Out to, T (&items)[ITEMS]) {
    for (int i = 0; i < ITEMS; i++)
        to[thread * ITEMS + i] = items[i];
}
template <class Out, class T, int ITEMS>
GW_COLLECTIVE void StoreDirectBlocked(int thread, Out to, T (&items)[ITEMS], int valid) {
    for (int i = 0; i < ITEMS; i++)
        if (thread * ITEMS + i < valid) to[thread * ITEMS + i] = items[i];
}
template <int THREADS, class Out, class T, int ITEMS>
GW_COLLECTIVE void StoreDirectStriped(int thread, Out to, T (&items)[ITEMS]) {
    for (int i = 0; i < ITEMS; i++)
        to[thread + i * THREADS] = items[i];
}
template <int THREADS, class Out, class T, int ITEMS>
GW_COLLECTIVE void StoreDirectStriped(int thread, Out to, T (&items)[ITEMS], int valid) {
    for (int i = 0; i < ITEMS; i++)
        if (thread + i * THREADS < valid) to[thread + i * THREADS] = items[i];
}

template <class T, int X, int ITEMS, BlockStoreAlgorithm HOW = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1,
          int = 0>
class BlockStore : public gw::of_block<gw::no_storage, X, Y, Z> {
    using block = gw::of_block<gw::no_storage, X, Y, Z>;
    using block::thread;

  public:
    GW_COLLECTIVE BlockStore() {}
    GW_COLLECTIVE BlockStore(typename block::TempStorage &temp_storage) : block(temp_storage) {}
    template <class Out> GW_COLLECTIVE void Store(Out to, T (&items)[ITEMS]) {
        if constexpr (HOW == BLOCK_STORE_STRIPED)
            StoreDirectStriped<X * Y * Z>(thread, to, items);
        else
            StoreDirectBlocked(thread, to, items);
    }
    template <class Out> GW_COLLECTIVE void Store(Out to, T (&items)[ITEMS], int valid_items) {
        if constexpr (HOW == BLOCK_STORE_STRIPED)
            StoreDirectStriped<X * Y * Z>(thread, to, items, valid_items);
        else
            StoreDirectBlocked(thread, to, items, valid_items);
    }
};
} // namespace cub
#endif
