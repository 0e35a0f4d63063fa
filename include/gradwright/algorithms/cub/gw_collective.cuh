/* What the collectives of CUB share: which thread this is, exchanges of any value, and storage. They are plain
 * CUDA, so that a kernel which calls them is differentiated as one that has their code. */
#ifndef GRADWRIGHT_CUB_COLLECTIVE_CUH
#define GRADWRIGHT_CUB_COLLECTIVE_CUH
#pragma GCC system_header
#include <cub/thread/thread_operators.cuh>
#include <gradwright/read/exchanged.cuh>

#define GW_COLLECTIVE __device__ __forceinline__

/* The sum over the lanes, in one of them; the others get 0. */
template <class T> GW_COLLECTIVE T gw_fold_lanes(unsigned mask, T value, int lane, int width) {
    for (int by = 1; by < width; by *= 2)
        value += __shfl_xor_sync(mask, value, by, width);
    const int thread = (int)(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
    return thread % width == lane ? value : T(0);
}
/* The sum of the lanes up to this one. */
template <class T> GW_COLLECTIVE T gw_scan_lanes(unsigned mask, T value, int width) {
    const int thread = (int)(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
    for (int by = 1; by < width; by *= 2) {
        const T before = __shfl_up_sync(mask, value, (unsigned)by, width);
        if (thread % width >= by) value = before + value;
    }
    return value;
}
/* Said to whoever reads: threads of rank 0 have that value; a launch has blocks of that size, as CUB asks. */
template <class T> GW_COLLECTIVE T gw_valid_at_zero(T value, int) { return value; }
GW_COLLECTIVE void gw_block_is(int, int, int) {}

namespace cub {
struct NullType {};
/* What derivatives are named after is named in plain words. */
namespace gw {
/* Storage has a base, as CUB's: no text names it, its numbers are arrays of their own. */
struct storage {};
struct no_storage : storage {};

template <int X, int Y, int Z> GW_COLLECTIVE int thread_of_block() {
    gw_block_is(X, Y, Z);
    if constexpr (Y == 1 && Z == 1)
        return (int)threadIdx.x;
    else
        return (int)(threadIdx.x + X * (threadIdx.y + Y * threadIdx.z));
}

/* The block may have any shape. */
GW_COLLECTIVE int thread_of_launch() {
    return (int)(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
}

/* Logical warps of N lanes: which one this thread is in, and as what. Shuffles are within `width` lanes. */
template <int N> struct lanes {
    static_assert(N >= 1 && N <= 32, "a logical warp has 1 to 32 threads");
    static constexpr int width = (N & (N - 1)) == 0 ? N : 32;
    int lane, first; /* within that width */
    unsigned mask;
    GW_COLLECTIVE explicit lanes(int thread) {
        const int of_warp = thread % 32;
        lane = of_warp % N;
        first = width == N ? 0 : of_warp - lane;
        mask = N == 32 ? 0xffffffffu : ((1u << N % 32) - 1) << (of_warp - lane);
    }
};

template <class T, int N> GW_COLLECTIVE T from_above(const lanes<N> &of, T value, int by) {
    return gw_exchanged::parts(
        value, [=](auto part) { return __shfl_down_sync(of.mask, part, (unsigned)by, lanes<N>::width); });
}
template <class T, int N> GW_COLLECTIVE T from_below(const lanes<N> &of, T value, int by) {
    return gw_exchanged::parts(
        value, [=](auto part) { return __shfl_up_sync(of.mask, part, (unsigned)by, lanes<N>::width); });
}
template <class T, int N> GW_COLLECTIVE T from_lane(const lanes<N> &of, T value, int lane) {
    return gw_exchanged::parts(
        value, [=](auto part) { return __shfl_sync(of.mask, part, of.first + lane, lanes<N>::width); });
}

/* A sum is one of numbers in their own type: plus<int> of floats is none. */
template <class F, class T> constexpr bool is_sum = false;
template <class T> constexpr bool is_sum<cub::Sum, T> = __is_arithmetic(T) && sizeof(T) >= 4;
#ifdef GW_HAS_CUDA_STD
template <class T> constexpr bool is_sum<::cuda::std::plus<T>, T> = is_sum<cub::Sum, T>;
template <class T> constexpr bool is_sum<::cuda::std::plus<void>, T> = is_sum<cub::Sum, T>;
#endif

/* What the thread of that rank alone has. */
template <class T> GW_COLLECTIVE T at_zero(T value, int rank) {
    return gw_exchanged::parts(value, [=](auto part) { return gw_valid_at_zero(part, rank); });
}

/* ---- what collectives are made on ---- */
template <class Storage, int X, int Y, int Z> class of_block {
    GW_COLLECTIVE static Storage *own() {
        __shared__ Storage storage;
        return &storage;
    }

  protected:
    Storage *storage;
    int thread;

  public:
    using TempStorage = Storage;
    GW_COLLECTIVE of_block() : storage(own()), thread(thread_of_block<X, Y, Z>()) {}
    GW_COLLECTIVE of_block(Storage &temp_storage)
        : storage(&temp_storage), thread(thread_of_block<X, Y, Z>()) {}
};
template <int N> class of_warp {
  protected:
    lanes<N> here;

  public:
    using TempStorage = no_storage;
    GW_COLLECTIVE of_warp(TempStorage &) : here(thread_of_launch()) {}
    GW_COLLECTIVE explicit of_warp(int thread) : here(thread) {}
};

/* One thread's items come to one. */
template <class T, int ITEMS, class F> GW_COLLECTIVE T reduced_items(const T (&items)[ITEMS], F f) {
    T sum = items[0];
    for (int i = 1; i < ITEMS; i++)
        sum = f(sum, items[i]);
    return sum;
}
} // namespace gw
} // namespace cub
#endif
