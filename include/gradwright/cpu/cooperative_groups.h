/* Cooperative groups: the grid, blocks, tiles of a block's threads, and the threads that happen to be together.
 * Clusters and groups of several grids are not declared. */
#ifndef _COOPERATIVE_GROUPS_H_
#define _COOPERATIVE_GROUPS_H_
#if defined(__GNUC__)
#pragma GCC system_header
#endif

#ifndef GW_TOOLKIT_GROUPS /* gradwright/groups/cooperative_groups.h */
#include "cuda_runtime.h"
#endif
#include "call_site.h"
#include "copied_together.h"

#if defined(__cplusplus) && defined(__CUDACC__)

#include "../read/exchanged.cuh"

extern "C" {
__device__ void gw_cpu_grid_barrier(const char *file, unsigned int line, unsigned int column) noexcept;
__device__ int gw_cpu_grid_is_cooperative(void) noexcept;
__device__ void gw_cpu_tile_barrier(unsigned int size) noexcept;
__device__ void *gw_cpu_tile_memory(unsigned int rank) noexcept;
}

namespace cooperative_groups {

#define GW_CPU_GROUP __device__ __forceinline__

namespace details {
GW_CPU_GROUP unsigned int block_size() { return blockDim.x * blockDim.y * blockDim.z; }
GW_CPU_GROUP unsigned int block_rank() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
GW_CPU_GROUP unsigned int lane() { return block_rank() % 32; }
using gw_exchanged::parts;
} // namespace details

class coalesced_group;

/* Any group within a block: the block, or lanes of the calling thread's warp. */
class thread_group {
    friend class thread_block;
    friend class coalesced_group;
    template <unsigned int Size, class Parent> friend class thread_block_tile;
    friend __device__ thread_group tiled_partition(const thread_group &parent, unsigned int size);
    unsigned int mask; /* 0: the whole block */
    GW_CPU_GROUP explicit thread_group(unsigned int mask) : mask(mask) {}

  public:
    GW_CPU_GROUP void sync(GW_CPU_SITE) const {
        if (mask)
            __syncwarp(mask GW_CPU_AND_SITE_OF_CALLER);
        else
            __syncthreads(GW_CPU_SITE_OF_CALLER);
    }
    GW_CPU_GROUP unsigned int thread_rank() const {
        return mask ? (unsigned int)__popc(mask & ((1u << details::lane()) - 1)) : details::block_rank();
    }
    GW_CPU_GROUP unsigned int size() const {
        return mask ? (unsigned int)__popc(mask) : details::block_size();
    }
    GW_CPU_GROUP unsigned int num_threads() const { return size(); }
    GW_CPU_GROUP bool is_valid() const { return true; }
};
/* Consecutive threads of the parent; the size is a power of two up to 32. */
inline __device__ thread_group tiled_partition(const thread_group &parent, unsigned int size) {
    const unsigned int ones = size == 32 ? 0xffffffffu : (1u << (size % 32)) - 1;
    const unsigned int tile = ones << (details::lane() & ~(size - 1));
    return thread_group(parent.mask ? parent.mask & tile : tile);
}

/* All threads of all blocks; they meet where the kernel was launched by cudaLaunchCooperativeKernel. */
class grid_group {
  public:
    GW_CPU_GROUP static void sync(GW_CPU_SITE) {
        gw_cpu_grid_barrier(GW_CPU_PLACE);
    }
    GW_CPU_GROUP static bool is_valid() { return gw_cpu_grid_is_cooperative() != 0; }
    GW_CPU_GROUP static unsigned long long num_blocks() {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    GW_CPU_GROUP static unsigned long long block_rank() {
        return blockIdx.x + gridDim.x * (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z);
    }
    GW_CPU_GROUP static unsigned long long size() { return num_blocks() * details::block_size(); }
    GW_CPU_GROUP static unsigned long long num_threads() { return size(); }
    GW_CPU_GROUP static unsigned long long thread_rank() {
        return block_rank() * details::block_size() + details::block_rank();
    }
    GW_CPU_GROUP static dim3 group_dim() { return gridDim; }
    GW_CPU_GROUP static dim3 dim_blocks() { return gridDim; }
    GW_CPU_GROUP static dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
};
GW_CPU_GROUP grid_group this_grid() { return grid_group(); }

/* All threads of the block. */
class thread_block {
  public:
    GW_CPU_GROUP operator thread_group() const { return thread_group(0); }
    GW_CPU_GROUP static void sync(GW_CPU_SITE) { __syncthreads(GW_CPU_SITE_OF_CALLER); }
    GW_CPU_GROUP static unsigned int thread_rank() { return details::block_rank(); }
    GW_CPU_GROUP static unsigned int size() { return details::block_size(); }
    GW_CPU_GROUP static unsigned int num_threads() { return details::block_size(); }
    GW_CPU_GROUP static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    GW_CPU_GROUP static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
    GW_CPU_GROUP static dim3 group_dim() { return blockDim; }
    GW_CPU_GROUP static dim3 dim_threads() { return blockDim; }
};
GW_CPU_GROUP thread_block this_thread_block() { return thread_block(); }
/* What hardware needs for tiles of several warps. */
template <unsigned int Threads = 1024> struct block_tile_memory {
    unsigned char unused;
};
template <unsigned int Threads> GW_CPU_GROUP thread_block this_thread_block(block_tile_memory<Threads> &) {
    return thread_block();
}

/* Size consecutive threads of a block; Size is a power of two up to 32, or up to 1024 for a tile of warps. */
namespace details {
template <unsigned int Size> class warp_tile {
    static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0,
                  "a tile has 1, 2, 4, 8, 16 or 32 threads");
    GW_CPU_GROUP static unsigned int first_lane() { return details::lane() & ~(Size - 1); }
    GW_CPU_GROUP static unsigned int mask() {
        return (Size == 32 ? 0xffffffffu : (1u << (Size % 32)) - 1) << first_lane();
    }

  public:
    GW_CPU_GROUP static void sync(GW_CPU_SITE) { __syncwarp(mask() GW_CPU_AND_SITE_OF_CALLER); }
    GW_CPU_GROUP static unsigned int thread_rank() { return details::block_rank() & (Size - 1); }
    GW_CPU_GROUP static constexpr unsigned int size() { return Size; }
    GW_CPU_GROUP static constexpr unsigned int num_threads() { return Size; }
    GW_CPU_GROUP static unsigned int meta_group_rank() { return details::block_rank() / Size; }
    GW_CPU_GROUP static unsigned int meta_group_size() { return (details::block_size() + Size - 1) / Size; }
    template <class T> GW_CPU_GROUP T shfl(T value, int rank GW_CPU_AND_SITE) const {
        return details::parts(value, [=](auto part) {
            return __shfl_sync(mask(), part, rank, (int)Size GW_CPU_AND_SITE_OF_CALLER);
        });
    }
    template <class T> GW_CPU_GROUP T shfl_up(T value, unsigned int delta GW_CPU_AND_SITE) const {
        return details::parts(value, [=](auto part) {
            return __shfl_up_sync(mask(), part, delta, (int)Size GW_CPU_AND_SITE_OF_CALLER);
        });
    }
    template <class T> GW_CPU_GROUP T shfl_down(T value, unsigned int delta GW_CPU_AND_SITE) const {
        return details::parts(value, [=](auto part) {
            return __shfl_down_sync(mask(), part, delta, (int)Size GW_CPU_AND_SITE_OF_CALLER);
        });
    }
    template <class T> GW_CPU_GROUP T shfl_xor(T value, unsigned int lanes GW_CPU_AND_SITE) const {
        return details::parts(value, [=](auto part) {
            return __shfl_xor_sync(mask(), part, (int)lanes, (int)Size GW_CPU_AND_SITE_OF_CALLER);
        });
    }
    GW_CPU_GROUP int any(int predicate GW_CPU_AND_SITE) const {
        return __any_sync(mask(), predicate GW_CPU_AND_SITE_OF_CALLER);
    }
    GW_CPU_GROUP int all(int predicate GW_CPU_AND_SITE) const {
        return __all_sync(mask(), predicate GW_CPU_AND_SITE_OF_CALLER);
    }
    GW_CPU_GROUP unsigned int ballot(int predicate GW_CPU_AND_SITE) const {
        return __ballot_sync(mask(), predicate GW_CPU_AND_SITE_OF_CALLER) >> first_lane();
    }
    template <class T> GW_CPU_GROUP unsigned int match_any(T value GW_CPU_AND_SITE) const {
        return __match_any_sync(mask(), value GW_CPU_AND_SITE_OF_CALLER) >> first_lane();
    }
    template <class T> GW_CPU_GROUP unsigned int match_all(T value, int &predicate GW_CPU_AND_SITE) const {
        return __match_all_sync(mask(), value, &predicate GW_CPU_AND_SITE_OF_CALLER) >> first_lane();
    }
    GW_CPU_GROUP static unsigned int lanes() { return mask(); }
};
/* Several warps: they meet, and reduce and scan by memory of the runtime; where a source is differentiated, by
 * shared memory, with barriers of the whole block. */
template <unsigned int Size> class warps_tile {
    static_assert(Size <= 1024 && (Size & (Size - 1)) == 0, "a tile has up to 1024 threads, a power of two");

  public:
#ifdef GW_READING
    GW_CPU_GROUP static void sync(GW_CPU_SITE) { __syncthreads(GW_CPU_SITE_OF_CALLER); }
#else
    GW_CPU_GROUP static void sync(GW_CPU_SITE) { gw_cpu_tile_barrier(Size); }
#endif
    GW_CPU_GROUP static unsigned int thread_rank() { return details::block_rank() & (Size - 1); }
    GW_CPU_GROUP static constexpr unsigned int size() { return Size; }
    GW_CPU_GROUP static constexpr unsigned int num_threads() { return Size; }
    GW_CPU_GROUP static unsigned int meta_group_rank() { return details::block_rank() / Size; }
    GW_CPU_GROUP static unsigned int meta_group_size() { return (details::block_size() + Size - 1) / Size; }
#ifdef GW_READING
    template <class T> GW_CPU_GROUP T shfl(T value, unsigned int rank) const {
        __shared__ T tile_cells[1024];
        tile_cells[details::block_rank()] = value;
        sync();
        value = tile_cells[(details::block_rank() & ~(Size - 1)) + (rank & (Size - 1))];
        sync();
        return value;
    }
    /* Each warp by itself, then the warps' results by every thread. */
    template <class T, class Operation> GW_CPU_GROUP T reduced(T value, Operation operation) const {
        __shared__ T warp_results[32];
        const warp_tile<32> warp;
        const unsigned int first = (details::block_rank() & ~(Size - 1)) / 32;
        for (unsigned int distance = 16; distance > 0; distance /= 2)
            value = operation(value, warp.shfl_xor(value, distance));
        if (details::lane() == 0) warp_results[details::block_rank() / 32] = value;
        sync();
        value = warp_results[first];
        for (unsigned int k = 1; k < Size / 32; ++k) value = operation(value, warp_results[first + k]);
        sync();
        return value;
    }
#else
    template <class T, class Operation> GW_CPU_GROUP T reduced(T value, Operation operation) const {
        for (unsigned int distance = Size / 2; distance > 0; distance /= 2)
            value = operation(value, shfl_xor(value, distance));
        return value;
    }
    template <class T> GW_CPU_GROUP T shfl(T value, unsigned int rank) const {
        static_assert(sizeof(T) <= 32, "values of up to 32 bytes");
        const unsigned int first = details::block_rank() & ~(Size - 1);
        __builtin_memcpy(gw_cpu_tile_memory(details::block_rank()), &value, sizeof value);
        sync();
        __builtin_memcpy(&value, gw_cpu_tile_memory(first + (rank & (Size - 1))), sizeof value);
        sync();
        return value;
    }
#endif
    template <class T> GW_CPU_GROUP T shfl_up(T value, unsigned int delta) const {
        return shfl(value, thread_rank() >= delta ? thread_rank() - delta : thread_rank());
    }
    template <class T> GW_CPU_GROUP T shfl_xor(T value, unsigned int lanes) const {
        return shfl(value, thread_rank() ^ lanes);
    }
};
template <unsigned int Size, bool OneWarp> struct tile_of {
    using type = warp_tile<Size>;
};
template <unsigned int Size> struct tile_of<Size, false> {
    using type = warps_tile<Size>;
};
} // namespace details
template <unsigned int Size, class Parent = void> class thread_block_tile;
template <unsigned int Size>
class thread_block_tile<Size, void> : public details::tile_of<Size, Size <= 32>::type {
  public:
    GW_CPU_GROUP operator thread_group() const { return thread_group(this->lanes()); }
};
/* One that knows its parent is one that does not, too. */
template <unsigned int Size, class Parent> class thread_block_tile : public thread_block_tile<Size, void> {};
template <unsigned int Size>
GW_CPU_GROUP thread_block_tile<Size, thread_block> tiled_partition(const thread_block &) {
    return thread_block_tile<Size, thread_block>();
}
template <unsigned int Size, unsigned int Outer, class Parent>
GW_CPU_GROUP thread_block_tile<Size, thread_block_tile<Outer, Parent>>
tiled_partition(const thread_block_tile<Outer, Parent> &) {
    static_assert(Size <= Outer, "a tile lies inside its parent");
    return thread_block_tile<Size, thread_block_tile<Outer, Parent>>();
}

/* The threads of a warp that were together when the group was made; ranks count them. */
class coalesced_group {
    unsigned int mask;
    GW_CPU_GROUP unsigned int lane_of(unsigned int rank) const {
        unsigned int left = mask;
        for (unsigned int i = 0; i < rank; ++i)
            left &= left - 1;
        return left ? (unsigned int)__ffs((int)left) - 1 : details::lane();
    }
    GW_CPU_GROUP unsigned int packed(unsigned int lanes) const {
        unsigned int result = 0, rank = 0;
        for (unsigned int left = mask; left; left &= left - 1, ++rank)
            if (lanes & left & (0u - left)) result |= 1u << rank;
        return result;
    }

  public:
    GW_CPU_GROUP explicit coalesced_group(unsigned int mask) : mask(mask) {}
    GW_CPU_GROUP operator thread_group() const { return thread_group(mask); }
    GW_CPU_GROUP unsigned int lanes() const { return mask; }
    /* The group's place among those of a partition is not kept. */
    GW_CPU_GROUP unsigned int meta_group_size() const { return 1; }
    GW_CPU_GROUP unsigned int meta_group_rank() const { return 0; }
    GW_CPU_GROUP void sync(GW_CPU_SITE) const { __syncwarp(mask GW_CPU_AND_SITE_OF_CALLER); }
    GW_CPU_GROUP unsigned int thread_rank() const {
        return (unsigned int)__popc(mask & ((1u << details::lane()) - 1));
    }
    GW_CPU_GROUP unsigned int size() const { return (unsigned int)__popc(mask); }
    GW_CPU_GROUP unsigned int num_threads() const { return size(); }
    template <class T> GW_CPU_GROUP T shfl(T value, int rank GW_CPU_AND_SITE) const {
        return __shfl_sync(mask, value, (int)lane_of((unsigned int)rank % size()),
                           32 GW_CPU_AND_SITE_OF_CALLER);
    }
    template <class T> GW_CPU_GROUP T shfl_up(T value, unsigned int delta GW_CPU_AND_SITE) const {
        const unsigned int rank = thread_rank();
        return __shfl_sync(mask, value, (int)lane_of(rank >= delta ? rank - delta : rank),
                           32 GW_CPU_AND_SITE_OF_CALLER);
    }
    template <class T> GW_CPU_GROUP T shfl_down(T value, unsigned int delta GW_CPU_AND_SITE) const {
        const unsigned int rank = thread_rank(), n = size();
        return __shfl_sync(mask, value, (int)lane_of(delta < n - rank ? rank + delta : rank),
                           32 GW_CPU_AND_SITE_OF_CALLER);
    }
    GW_CPU_GROUP int any(int predicate GW_CPU_AND_SITE) const {
        return __any_sync(mask, predicate GW_CPU_AND_SITE_OF_CALLER);
    }
    GW_CPU_GROUP int all(int predicate GW_CPU_AND_SITE) const {
        return __all_sync(mask, predicate GW_CPU_AND_SITE_OF_CALLER);
    }
    GW_CPU_GROUP unsigned int ballot(int predicate GW_CPU_AND_SITE) const {
        return packed(__ballot_sync(mask, predicate GW_CPU_AND_SITE_OF_CALLER));
    }
    template <class T> GW_CPU_GROUP unsigned int match_any(T value GW_CPU_AND_SITE) const {
        return packed(__match_any_sync(mask, value GW_CPU_AND_SITE_OF_CALLER));
    }
};
GW_CPU_GROUP coalesced_group coalesced_threads(GW_CPU_SITE) {
    return coalesced_group(__activemask(GW_CPU_SITE_OF_CALLER));
}

/* The threads of a group that agree on a value. */
template <class Group, class Label>
GW_CPU_GROUP coalesced_group labeled_partition(const Group &group, Label label GW_CPU_AND_SITE) {
    return coalesced_group(__match_any_sync(group.lanes(), label GW_CPU_AND_SITE_OF_CALLER));
}
template <class Group>
GW_CPU_GROUP coalesced_group binary_partition(const Group &group, bool label GW_CPU_AND_SITE) {
    const unsigned int yes = __ballot_sync(group.lanes(), label GW_CPU_AND_SITE_OF_CALLER);
    return coalesced_group(label ? yes : group.lanes() & ~yes);
}
/* Tiles of the threads that are together, by their ranks. */
GW_CPU_GROUP coalesced_group tiled_partition(const coalesced_group &group, unsigned int size) {
    const unsigned int first = group.thread_rank() / size * size;
    unsigned int lanes = 0, rank = 0;
    for (unsigned int left = group.lanes(); left; left &= left - 1, ++rank)
        if (rank >= first && rank < first + size) lanes |= left & (0u - left);
    return coalesced_group(lanes);
}

template <class Group> GW_CPU_GROUP void sync(const Group &group GW_CPU_AND_SITE) {
    group.sync(GW_CPU_SITE_OF_CALLER);
}
template <class Group> GW_CPU_GROUP unsigned int thread_rank(const Group &group) { return group.thread_rank(); }
template <class Group> GW_CPU_GROUP unsigned int group_size(const Group &group) { return group.size(); }

template <class T> struct plus {
    GW_CPU_GROUP T operator()(T a, T b) const { return a + b; }
};
template <class T> struct less {
    GW_CPU_GROUP T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T> struct greater {
    GW_CPU_GROUP T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T> struct bit_and {
    GW_CPU_GROUP T operator()(T a, T b) const { return a & b; }
};
template <class T> struct bit_or {
    GW_CPU_GROUP T operator()(T a, T b) const { return a | b; }
};
template <class T> struct bit_xor {
    GW_CPU_GROUP T operator()(T a, T b) const { return a ^ b; }
};

/* Every thread of the group gets the result. */
template <unsigned int Size, class Parent, class T, class Operation>
GW_CPU_GROUP T reduce(const thread_block_tile<Size, Parent> &group, T value,
                      Operation operation GW_CPU_AND_SITE) {
    if constexpr (Size > 32) {
        return group.reduced(value, operation);
    } else {
        for (unsigned int distance = Size / 2; distance > 0; distance /= 2)
            value = operation(value, group.shfl_xor(value, distance GW_CPU_AND_SITE_OF_CALLER));
        return value;
    }
}
template <class T, class Operation>
GW_CPU_GROUP T reduce(const coalesced_group &group, T value, Operation operation GW_CPU_AND_SITE) {
    T all = group.shfl(value, 0 GW_CPU_AND_SITE_OF_CALLER);
    /* 32: a tape of constant length, for who takes a derivative of this */
    for (unsigned int rank = 1; rank < 32 && rank < group.size(); ++rank)
        all = operation(all, group.shfl(value, (int)rank GW_CPU_AND_SITE_OF_CALLER));
    return all;
}
template <class Group, class T, class Operation>
GW_CPU_GROUP T inclusive_scan(const Group &group, T value, Operation operation GW_CPU_AND_SITE) {
    for (unsigned int distance = 1; distance < group.size(); distance *= 2) {
        const T before = group.shfl_up(value, distance GW_CPU_AND_SITE_OF_CALLER);
        if (group.thread_rank() >= distance) value = operation(before, value);
    }
    return value;
}
template <class Group, class T> GW_CPU_GROUP T inclusive_scan(const Group &group, T value GW_CPU_AND_SITE) {
    return inclusive_scan(group, value, plus<T>() GW_CPU_AND_SITE_OF_CALLER);
}
template <class Group, class T> GW_CPU_GROUP T exclusive_scan(const Group &group, T value GW_CPU_AND_SITE) {
    const T all = inclusive_scan(group, value, plus<T>() GW_CPU_AND_SITE_OF_CALLER);
    const T before = group.shfl_up(all, 1 GW_CPU_AND_SITE_OF_CALLER);
    return group.thread_rank() == 0 ? T() : before;
}

/* Copies that the group makes together; they are done when the threads have met. By bytes, or by elements, of
 * which the smaller number is copied. */
template <class Group, class T, class Size>
GW_CPU_GROUP void memcpy_async(const Group &group, T *to, const T *from, const Size &bytes) {
    gw_copied_together(to, from, bytes, group.thread_rank(), group.size());
}
template <class Group, class T, class ToCount, class FromCount>
GW_CPU_GROUP void memcpy_async(const Group &group, T *to, const ToCount &to_count, const T *from,
                               const FromCount &from_count) {
    const size_t target = to_count, source = from_count;
    const size_t bytes = (target < source ? target : source) * sizeof(T);
    gw_copied_together(to, from, bytes, group.thread_rank(), group.size());
}
template <class Group> GW_CPU_GROUP void wait(const Group &group GW_CPU_AND_SITE) {
    group.sync(GW_CPU_SITE_OF_CALLER);
}
template <unsigned int Stages, class Group> GW_CPU_GROUP void wait_prior(const Group &group GW_CPU_AND_SITE) {
    group.sync(GW_CPU_SITE_OF_CALLER);
}

#undef GW_CPU_GROUP
} // namespace cooperative_groups

#endif
#endif
