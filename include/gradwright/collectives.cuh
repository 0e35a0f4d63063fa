/*
 * collectives.cuh - additions to adjoint cells that the lanes of a warp, or the threads of a block, make together.
 *
 * All lanes of the warp that there are (`lanes`: gw_present_lanes()) come to each of these together. For nvcc, Clang and
 * the CPU device.
 */
#ifndef GRADWRIGHT_COLLECTIVES_CUH
#define GRADWRIGHT_COLLECTIVES_CUH

/* From this many lanes on that have something to add, a warp sums first; fewer add one after the other. */
#ifndef GW_FEWEST_LANES
#define GW_FEWEST_LANES 2
#endif

#define GW_ALL_LANES 0xffffffffu

/* From this many values on, a sum over the warp costs little more than a test for a lane that is alone, whose additions would be as many. */
#ifndef GW_MANY_VALUES
#define GW_MANY_VALUES 6
#endif

/* The last warp of a block may have fewer than 32 lanes, unless it is known that all are WHOLE. */
template <bool WHOLE = false> __device__ inline unsigned int gw_present_lanes() {
    if constexpr (WHOLE) return GW_ALL_LANES;
    const unsigned int threads = blockDim.x * blockDim.y * blockDim.z;
    const unsigned int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    const unsigned int here = threads - thread / 32 * 32;
    return here >= 32 ? GW_ALL_LANES : (1u << here) - 1;
}

/* Rows of threads in a tile (gw_tiled_thread): 4 where the block is cut into WHOLE ones. Where only its rows can be cut so, a warp is
 * no tile, but they are numbered alike. */
template <bool WHOLE = false> __device__ inline unsigned int gw_tile_rows() { return WHOLE || blockDim.y % 4 == 0 ? 4 : 1; }

/* The most of a whole warp; of ints by one instruction, whose result is also known to be the same in all lanes. */
template <class T> __device__ inline T gw_most_by_halves(T value) {
    for (int distance = 16; distance > 0; distance /= 2) {
        const T other = __shfl_xor_sync(GW_ALL_LANES, value, distance);
        value = other > value ? other : value;
    }
    return value;
}
template <class T> __device__ inline T gw_most_of_all(T value) { return gw_most_by_halves(value); }
__device__ inline int gw_most_of_all(int value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    return __reduce_max_sync(GW_ALL_LANES, value);
#else
    return gw_most_by_halves(value);
#endif
}
__device__ inline unsigned int gw_most_of_all(unsigned int value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    return __reduce_max_sync(GW_ALL_LANES, value);
#else
    return gw_most_by_halves(value);
#endif
}

/* The most of all lanes. */
template <class T> __device__ inline T gw_most(unsigned int lanes, T value) {
    for (unsigned int left = lanes == GW_ALL_LANES ? 0 : lanes; left; left &= left - 1) {
        const T other = __shfl_sync(lanes, value, __ffs((int)left) - 1);
        value = other > value ? other : value;
    }
    return lanes == GW_ALL_LANES ? gw_most_of_all(value) : value;
}

/* Of floats by an integer of the same order, which is as fast. A NaN lies above all numbers there, or, if its sign is set, below. */
__device__ __forceinline__ int gw_in_order(int bits) { return bits ^ ((bits >> 31) & 0x7fffffff); }
__device__ __forceinline__ long long gw_in_order(long long bits) { return bits ^ ((bits >> 63) & 0x7fffffffffffffffll); }
__device__ inline float gw_most(unsigned int lanes, float value) {
    return __int_as_float(gw_in_order(gw_most(lanes, gw_in_order(__float_as_int(value)))));
}
__device__ inline double gw_most(unsigned int lanes, double value) {
    return __longlong_as_double(gw_in_order(gw_most(lanes, gw_in_order(__double_as_longlong(value)))));
}

/* The lanes of the warp that say so; those that are not there have left, and count as nothing. */
__device__ inline unsigned int gw_saying(unsigned int, int here) { return __ballot_sync(GW_ALL_LANES, here); }

/* The value of the first lane that is active; 0 if none is. */
template <class T> __device__ inline T gw_of_active(unsigned int lanes, T value, int active) {
    const unsigned int here = __ballot_sync(lanes, active);
    return here ? __shfl_sync(lanes, value, __ffs((int)here) - 1) : T(0);
}

/* The cell of element `index`, of a row of elements of so many bytes, told by the cells of elements 0 and 1. What a loop does not
 * change is apart from what it changes: a lane finds its row once, and has its cell by one multiplication and addition. */
template <class T> struct gw_place {
    T *zero;
    int bytes;
    bool narrow; /* the index is an int */
    long long index;
    __device__ __forceinline__ T *cell() const {
        long long offset = index * bytes;
#if defined(__CUDA_ARCH__) && !defined(GW_CPU_DEVICE)
        if (narrow) asm("mul.wide.s32 %0, %1, %2;" : "=l"(offset) : "r"((int)index), "r"(bytes)); /* one instruction, not four */
#endif
        return (T *)((char *)zero + offset);
    }
};
template <class T> __device__ __forceinline__ gw_place<T> gw_at(T *zero, T *one, long long index) {
    return {zero, (int)((size_t)one - (size_t)zero), false, index};
}
template <class T> __device__ __forceinline__ gw_place<T> gw_at(T *zero, T *one, int index) {
    return {zero, (int)((size_t)one - (size_t)zero), true, index};
}
template <class T, class I> __device__ __forceinline__ gw_place<T> gw_at(T *zero, T *one, I index) {
    return gw_at(zero, one, (long long)index);
}

/* Neighbouring cells from a first one on, and what this thread adds to each; `own`: whether it does, where that is not the same
 * for all cells of the call (SOME). */
template <class T, unsigned int N, bool SOME> struct gw_run {
    gw_place<T> at;
    bool own;
    T value[N];
};
template <class T, class... V> __device__ __forceinline__ gw_run<T, sizeof...(V), false> gw_cells(gw_place<T> first, V... value) {
    return {first, true, {value...}};
}
template <class T, class... V> __device__ __forceinline__ gw_run<T, sizeof...(V), false> gw_cells(T *first, V... value) {
    return {{first, 0, true, 0}, true, {value...}};
}
template <class T, class... V>
__device__ __forceinline__ gw_run<T, sizeof...(V), true> gw_cells_if(bool own, gw_place<T> first, V... value) {
    return {first, own, {value...}};
}
template <class T, class... V>
__device__ __forceinline__ gw_run<T, sizeof...(V), true> gw_cells_if(bool own, T *first, V... value) {
    return {{first, 0, true, 0}, own, {value...}};
}

/* Sums over a full warp of M values, in M - 1 + log2(32 / M) shuffles or so: lanes whose numbers differ in DISTANCE
 * exchange halves, so that one has the sums of the lower values, the other of the upper ones (an odd one stays with the
 * lower). In the end `value[0]` of a lane is the sum of value number `low`, if low < high. */
template <unsigned int M, unsigned int DISTANCE, class T>
__device__ __forceinline__ void gw_share_sums(unsigned int lane, T *value, unsigned int &low, unsigned int &high) {
    if constexpr (DISTANCE > 0) {
        constexpr unsigned int half = (M + 1) / 2;
        const bool upper = (lane & DISTANCE) != 0;
#pragma unroll
        for (unsigned int i = 0; i < half; i++) {
            if (i + half < M) {
                const T sent = upper ? value[i] : value[i + half], kept = upper ? value[i + half] : value[i];
                value[i] = kept + __shfl_xor_sync(GW_ALL_LANES, sent, DISTANCE);
            } else {
                value[i] += __shfl_xor_sync(GW_ALL_LANES, value[i], DISTANCE);
            }
        }
        if (upper) low += half;
        else high = low + half < high ? low + half : high;
        gw_share_sums<half, DISTANCE / 2>(lane, value, low, high);
    }
}

/* The same for a warp of fewer lanes: all have all sums, lane k has value number k, k + lanes ... `use(k, sum)` */
template <unsigned int M, class T, class U>
__device__ inline void gw_each_sum(unsigned int lanes, unsigned int lane, const T *value, U use) {
    const unsigned int count = (unsigned int)__popc(lanes);
    for (unsigned int k = 0; k < M; k++) {
        T sum = 0;
#pragma unroll 1
        for (unsigned int from = 0; from < count; from++) sum += __shfl_sync(lanes, value[k], (int)from);
        if (lane == k % count) use(k, sum);
    }
}

/* Lanes that hold a sum hand it to `use` with its number. */
template <unsigned int M, class T, class U>
__device__ __forceinline__ void gw_warp_sums(unsigned int lanes, T *value, U use) {
    const unsigned int lane = gw_lane();
    if (lanes != GW_ALL_LANES) {
        gw_each_sum<M>(lanes, lane, value, use);
        return;
    }
    unsigned int low = 0, high = M;
    gw_share_sums<M, 16>(lane, value, low, high);
    if (low < high) use(low, value[0]);
}

template <class T, unsigned int N, bool SOME>
__device__ __forceinline__ void gw_take_values(const gw_run<T, N, SOME> &run, T *value, unsigned int &at) {
#pragma unroll
    for (unsigned int i = 0; i < N; i++) value[at++] = run.value[i];
}

template <class T, unsigned int N, bool SOME> __device__ __forceinline__ void gw_add_alone(const gw_run<T, N, SOME> &run) {
    T *const cell = run.at.cell();
#pragma unroll
    for (unsigned int i = 0; i < N; i++)
        if (run.own) gw_atomic_add(cell + i, run.value[i]);
}

template <class T, unsigned int N, bool SOME>
__device__ __forceinline__ bool gw_any_adds(unsigned int lanes, const gw_run<T, N, SOME> &run) {
    if constexpr (SOME) return __any_sync(lanes, run.own) != 0;
    return true;
}

/* Of the lane that holds sum number k, of those from `at` on: the cell that it goes to. */
template <class T, unsigned int N, bool SOME>
__device__ __forceinline__ void gw_find_cell(const gw_run<T, N, SOME> &run, unsigned int k, gw_place<T> &cell, bool &adds,
                                             unsigned int &at) {
    const bool here = at == 0 || k - at < N; /* the first stands until a later one is found */
    const bool any = gw_any_adds(GW_ALL_LANES, run);
    cell.zero = here ? run.at.zero + (k - at) : cell.zero;
    cell.bytes = here ? run.at.bytes : cell.bytes;
    cell.narrow = here ? run.at.narrow : cell.narrow;
    cell.index = here ? run.at.index : cell.index;
    adds = here ? any : adds; /* also where all add: the run before may be one to which nobody does */
    at += N;
}

/* Value number k, of those from `at` on; OWN: nobody else is at the cell. */
template <bool OWN, class T, unsigned int N, bool SOME>
__device__ __forceinline__ void gw_add_sum(const gw_run<T, N, SOME> &run, bool any, unsigned int k, T sum, unsigned int &at) {
    if (any && k - at < N) {
        T *const cell = run.at.cell() + (k - at);
        if constexpr (OWN) *cell += sum;
        else gw_atomic_add(cell, sum);
    }
    at += N;
}

/* What active lanes add to the cells, which are the same in all that add to them. `here` are the lanes that add (a vote may name some
 * that are not there): those of a warp that is not full, or few with few values, add one after the other. */
template <class T, unsigned int... N, bool... SOME>
__device__ __forceinline__ void gw_warp_add_of(unsigned int here, unsigned int lanes, bool active, const gw_run<T, N, SOME> &...run) {
    constexpr unsigned int count = (0 + ... + N);
    if (lanes != GW_ALL_LANES || (count < GW_MANY_VALUES && __popc(here) < GW_FEWEST_LANES)) {
        if (active) (gw_add_alone(run), ...);
        return;
    }
    T value[count];
    gw_place<T> cell = {nullptr, 0, true, 0};
    unsigned int at = 0, from = 0, low = 0, high = count;
    (gw_take_values(run, value, at), ...);
    gw_share_sums<count, 16>(gw_lane(), value, low, high);
    bool adds = true;
    (gw_find_cell(run, low, cell, adds, from), ...);
    if (low < high && adds) gw_atomic_add(cell.cell(), value[0]); /* neighbours by neighbouring lanes: one instruction */
}
template <class T, unsigned int... N, bool... SOME>
__device__ __forceinline__ void gw_warp_add(unsigned int lanes, bool active, const gw_run<T, N, SOME> &...run) {
    unsigned int here = 0;
    if constexpr ((0 + ... + N) < GW_MANY_VALUES) here = __ballot_sync(GW_ALL_LANES, active);
    gw_warp_add_of(here, lanes, active, run...);
}

/* The same for all threads of the block, which come here together; `sums` has room for each warp. */
template <bool OWN, class T, unsigned int M, unsigned int... N>
__device__ __forceinline__ void gw_block_sum(unsigned int lanes, bool active, T (&sums)[32][M], const gw_run<T, N, false> &...run) {
    const unsigned int threads = blockDim.x * blockDim.y * blockDim.z;
    const unsigned int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    T value[M];
    unsigned int at = 0;
    (gw_take_values(run, value, at), ...);
    if (!__syncthreads_or(active)) return;
    gw_warp_sums<M>(lanes, value, [&](unsigned int k, T sum) { sums[thread / 32][k] = sum; });
    __syncthreads();
    for (unsigned int k = thread; k < M; k += threads) {
        T sum = 0;
        for (unsigned int warp = 0; warp < (threads + 31) / 32; warp++) sum += sums[warp][k];
        unsigned int from = 0;
        (gw_add_sum<OWN>(run, true, k, sum, from), ...);
    }
    if constexpr (OWN) __syncthreads();
}
template <class T, unsigned int M, unsigned int... N>
__device__ __forceinline__ void gw_block_add(unsigned int lanes, bool active, T (&sums)[32][M], const gw_run<T, N, false> &...run) {
    gw_block_sum<false>(lanes, active, sums, run...);
}
/* Of cells that only this block adds to, each of them once here: barriers before and behind keep other accesses of the block apart. */
template <class T, unsigned int M, unsigned int... N>
__device__ __forceinline__ void gw_block_own(unsigned int lanes, bool active, T (&sums)[32][M], const gw_run<T, N, false> &...run) {
    gw_block_sum<true>(lanes, active, sums, run...);
}

#include "gradwright/warp_variants.cuh"

#endif
