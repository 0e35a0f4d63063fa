/* Loads items of a block's part of memory, ITEMS a thread, each thread's behind one another. */
#ifndef GRADWRIGHT_CUB_BLOCK_LOAD_CUH
#define GRADWRIGHT_CUB_BLOCK_LOAD_CUH
#pragma GCC system_header
#include <cub/gw_collective.cuh>

namespace cub {
enum BlockLoadAlgorithm {
    BLOCK_LOAD_DIRECT,
    BLOCK_LOAD_STRIPED,
    BLOCK_LOAD_VECTORIZE,
    BLOCK_LOAD_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
template <class In, class T, int ITEMS>
GW_COLLECTIVE void LoadDirectBlocked(int thread, In from, T (&items)[ITEMS]) {
    for (int i = 0; i < ITEMS; i++)
        items[i] = from[thread * ITEMS + i];
}
template <class In, class T, int ITEMS>
GW_COLLECTIVE void LoadDirectBlocked(int thread, In from, T (&items)[ITEMS], int valid) {
    for (int i = 0; i < ITEMS; i++)
        if (thread * ITEMS + i < valid) items[i] = from[thread * ITEMS + i];
}
template <int THREADS, class In, class T, int ITEMS>
GW_COLLECTIVE void LoadDirectStriped(int thread, In from, T (&items)[ITEMS]) {
    for (int i = 0; i < ITEMS; i++)
        items[i] = from[thread + i * THREADS];
}
template <int THREADS, class In, class T, int ITEMS>
GW_COLLECTIVE void LoadDirectStriped(int thread, In from, T (&items)[ITEMS], int valid) {
    for (int i = 0; i < ITEMS; i++)
        if (thread + i * THREADS < valid) items[i] = from[thread + i * THREADS];
}

/* What is exchanged for the sake of the memory's speed alone arrives where a blocked load puts it at once. */
template <class T, int X, int ITEMS, BlockLoadAlgorithm HOW = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1, int = 0>
class BlockLoad : public gw::of_block<gw::no_storage, X, Y, Z> {
    using block = gw::of_block<gw::no_storage, X, Y, Z>;
    using block::thread;

  public:
    GW_COLLECTIVE BlockLoad() {}
    GW_COLLECTIVE BlockLoad(typename block::TempStorage &temp_storage) : block(temp_storage) {}
    template <class In> GW_COLLECTIVE void Load(In from, T (&items)[ITEMS]) {
        if constexpr (HOW == BLOCK_LOAD_STRIPED)
            LoadDirectStriped<X * Y * Z>(thread, from, items);
        else
            LoadDirectBlocked(thread, from, items);
    }
    template <class In> GW_COLLECTIVE void Load(In from, T (&items)[ITEMS], int valid_items) {
        if constexpr (HOW == BLOCK_LOAD_STRIPED)
            LoadDirectStriped<X * Y * Z>(thread, from, items, valid_items);
        else
            LoadDirectBlocked(thread, from, items, valid_items);
    }
    template <class In, class D>
    GW_COLLECTIVE void Load(In from, T (&items)[ITEMS], int valid_items, D oob_default) {
        for (int i = 0; i < ITEMS; i++)
            items[i] = oob_default;
        Load(from, items, valid_items);
    }
};
} // namespace cub
#endif
