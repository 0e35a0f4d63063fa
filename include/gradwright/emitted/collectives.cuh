/*
 * collectives.cuh - additions to adjoint cells that the lanes of a warp, or the threads of a block, make
 * together.
 *
 * All lanes of the warp that there are (`gw_lanes`: gw_present_lanes()) come to each of these together. For
 * nvcc, Clang and the CPU device.
 */
#ifndef GRADWRIGHT_COLLECTIVES_CUH
#define GRADWRIGHT_COLLECTIVES_CUH

/* From this many lanes on that have something to add, a warp sums first; fewer add one after the other. */
#ifndef GW_FEWEST_LANES
#define GW_FEWEST_LANES 2
#endif

#define GW_ALL_LANES 0xffffffffu

/* From this many values on, a sum over the warp costs little more than a test for a lane that is alone, whose
 * additions would be as many. */
#ifndef GW_MANY_VALUES
#define GW_MANY_VALUES 6
#endif

/* The last warp of a block may have fewer than 32 lanes, unless it is known that all are WHOLE. */
template <bool _GwWhole = false> __device__ inline unsigned int gw_present_lanes() {
    if constexpr (_GwWhole) return GW_ALL_LANES;
    const unsigned int gw_thread_count = blockDim.x * blockDim.y * blockDim.z;
    const unsigned int gw_this_thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    const unsigned int gw_here = gw_thread_count - gw_this_thread / 32 * 32;
    return gw_here >= 32 ? GW_ALL_LANES : (1u << gw_here) - 1;
}

/* Rows of threads in a tile (gw_tiled_thread): 4 where the block is cut into WHOLE ones. Where only its rows
 * can be cut so, a warp is no tile, but they are numbered alike. */
template <bool _GwWhole = false> __device__ inline unsigned int gw_tile_rows() {
    return _GwWhole || blockDim.y % 4 == 0 ? 4 : 1;
}

/* The most of a whole warp; of ints by one instruction, whose result is also known to be the same in all
 * lanes. */
template <class _GwT> __device__ inline _GwT gw_most_by_halves(_GwT gw_value) {
    for (int gw_distance = 16; gw_distance > 0; gw_distance /= 2) {
        const _GwT gw_other = __shfl_xor_sync(GW_ALL_LANES, gw_value, gw_distance);
        gw_value = gw_other > gw_value ? gw_other : gw_value;
    }
    return gw_value;
}
template <class _GwT> __device__ inline _GwT gw_most_of_all(_GwT gw_value) {
    return gw_most_by_halves(gw_value);
}
__device__ inline int gw_most_of_all(int gw_value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    return __reduce_max_sync(GW_ALL_LANES, gw_value);
#else
    return gw_most_by_halves(gw_value);
#endif
}
__device__ inline unsigned int gw_most_of_all(unsigned int gw_value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    return __reduce_max_sync(GW_ALL_LANES, gw_value);
#else
    return gw_most_by_halves(gw_value);
#endif
}

/* The most of all lanes. */
template <class _GwT> __device__ inline _GwT gw_most(unsigned int gw_lanes, _GwT gw_value) {
    for (unsigned int gw_left = gw_lanes == GW_ALL_LANES ? 0 : gw_lanes; gw_left; gw_left &= gw_left - 1) {
        const _GwT gw_other = __shfl_sync(gw_lanes, gw_value, __ffs((int)gw_left) - 1);
        gw_value = gw_other > gw_value ? gw_other : gw_value;
    }
    return gw_lanes == GW_ALL_LANES ? gw_most_of_all(gw_value) : gw_value;
}

/* Floats are compared by an integer of the same order, which is as fast. A NaN lies above all numbers there,
 * or, if its sign is set, below. */
__device__ __forceinline__ int gw_in_order(int gw_bits) { return gw_bits ^ ((gw_bits >> 31) & 0x7fffffff); }
__device__ __forceinline__ long long gw_in_order(long long gw_bits) {
    return gw_bits ^ ((gw_bits >> 63) & 0x7fffffffffffffffll);
}
__device__ inline float gw_most(unsigned int gw_lanes, float gw_value) {
    return __int_as_float(gw_in_order(gw_most(gw_lanes, gw_in_order(__float_as_int(gw_value)))));
}
__device__ inline double gw_most(unsigned int gw_lanes, double gw_value) {
    return __longlong_as_double(gw_in_order(gw_most(gw_lanes, gw_in_order(__double_as_longlong(gw_value)))));
}

/* The lanes of the warp that say so; those that are not there have left, and count as nothing. */
__device__ inline unsigned int gw_saying(unsigned int, int gw_here) {
    return __ballot_sync(GW_ALL_LANES, gw_here);
}

/* The value of the first lane that is active; 0 if none is. */
template <class _GwT> __device__ inline _GwT gw_of_active(unsigned int gw_lanes, _GwT gw_value, int gw_active) {
    const unsigned int gw_here = __ballot_sync(gw_lanes, gw_active);
    return gw_here ? __shfl_sync(gw_lanes, gw_value, __ffs((int)gw_here) - 1) : _GwT(0);
}

/* The cell of element `gw_index`, of a row of elements of so many bytes, told by the cells of elements 0 and 1.
 * What a loop does not change is apart from what it changes: a lane finds its row once, and has its cell by one
 * multiplication and addition. */
template <class _GwT> struct gw_place {
    _GwT *gw_zero;
    int gw_bytes;
    bool gw_narrow; /* the index is an int */
    long long gw_index;
    __device__ __forceinline__ _GwT *gw_target() const {
        long long gw_offset = gw_index * gw_bytes;
#if defined(__CUDA_ARCH__) && !defined(GW_CPU_DEVICE)
        /* one instruction, not four */
        if (gw_narrow) asm("mul.wide.s32 %0, %1, %2;" : "=l"(gw_offset) : "r"((int)gw_index), "r"(gw_bytes));
#endif
        return (_GwT *)((char *)gw_zero + gw_offset);
    }
};
template <class _GwT>
__device__ __forceinline__ gw_place<_GwT> gw_at(_GwT *gw_zero, _GwT *gw_one, long long gw_index) {
    return {gw_zero, (int)((size_t)gw_one - (size_t)gw_zero), false, gw_index};
}
template <class _GwT>
__device__ __forceinline__ gw_place<_GwT> gw_at(_GwT *gw_zero, _GwT *gw_one, int gw_index) {
    return {gw_zero, (int)((size_t)gw_one - (size_t)gw_zero), true, gw_index};
}
template <class _GwT, class _GwI>
__device__ __forceinline__ gw_place<_GwT> gw_at(_GwT *gw_zero, _GwT *gw_one, _GwI gw_index) {
    return gw_at(gw_zero, gw_one, (long long)gw_index);
}

/* Neighbouring cells from a first one on, and what this thread adds to each; `gw_own`: whether it does, where
 * that is not the same for all cells of the call (SOME). */
template <class _GwT, unsigned int _GwN, bool _GwSome> struct gw_run {
    gw_place<_GwT> gw_where;
    bool gw_own;
    _GwT gw_value[_GwN];
};
template <class _GwT, class... _GwV>
__device__ __forceinline__ gw_run<_GwT, sizeof...(_GwV), false> gw_cells(gw_place<_GwT> gw_first,
                                                                         _GwV... gw_value) {
    return {gw_first, true, {gw_value...}};
}
template <class _GwT, class... _GwV>
__device__ __forceinline__ gw_run<_GwT, sizeof...(_GwV), false> gw_cells(_GwT *gw_first, _GwV... gw_value) {
    return {{gw_first, 0, true, 0}, true, {gw_value...}};
}
template <class _GwT, class... _GwV>
__device__ __forceinline__ gw_run<_GwT, sizeof...(_GwV), true> gw_cells_if(bool gw_own, gw_place<_GwT> gw_first,
                                                                           _GwV... gw_value) {
    return {gw_first, gw_own, {gw_value...}};
}
template <class _GwT, class... _GwV>
__device__ __forceinline__ gw_run<_GwT, sizeof...(_GwV), true> gw_cells_if(bool gw_own, _GwT *gw_first,
                                                                           _GwV... gw_value) {
    return {{gw_first, 0, true, 0}, gw_own, {gw_value...}};
}

/* Sums over a full warp of M values, in M - 1 + log2(32 / M) shuffles or so: lanes whose numbers differ in
 * DISTANCE exchange halves, so that one has the sums of the lower values, the other of the upper ones (an odd
 * one stays with the lower). In the end `gw_value[0]` of a lane is the sum of value number `gw_low`, if low <
 * high. */
template <unsigned int _GwM, unsigned int _GwDistance, class _GwT>
__device__ __forceinline__ void gw_share_sums(unsigned int gw_this_lane, _GwT *gw_value, unsigned int &gw_low,
                                              unsigned int &gw_high) {
    if constexpr (_GwDistance > 0) {
        constexpr unsigned int gw_half = (_GwM + 1) / 2;
        const bool gw_upper = (gw_this_lane & _GwDistance) != 0;
#pragma unroll
        for (unsigned int gw_i = 0; gw_i < gw_half; gw_i++) {
            if (gw_i + gw_half < _GwM) {
                const _GwT gw_sent = gw_upper ? gw_value[gw_i] : gw_value[gw_i + gw_half],
                           gw_kept = gw_upper ? gw_value[gw_i + gw_half] : gw_value[gw_i];
                gw_value[gw_i] = gw_kept + __shfl_xor_sync(GW_ALL_LANES, gw_sent, _GwDistance);
            } else {
                gw_value[gw_i] += __shfl_xor_sync(GW_ALL_LANES, gw_value[gw_i], _GwDistance);
            }
        }
        if (gw_upper) gw_low += gw_half;
        else gw_high = gw_low + gw_half < gw_high ? gw_low + gw_half : gw_high;
        gw_share_sums<gw_half, _GwDistance / 2>(gw_this_lane, gw_value, gw_low, gw_high);
    }
}

/* The same for a warp of fewer lanes: all have all sums, lane k has value number k, k + lanes ... `use(k,
 * sum)` */
template <unsigned int _GwM, class _GwT, class _GwU>
__device__ inline void gw_each_sum(unsigned int gw_lanes, unsigned int gw_this_lane, const _GwT *gw_value,
                                   _GwU gw_use) {
    const unsigned int gw_count = (unsigned int)__popc(gw_lanes);
    for (unsigned int gw_k = 0; gw_k < _GwM; gw_k++) {
        _GwT gw_sum = 0;
#pragma unroll 1
        for (unsigned int gw_from = 0; gw_from < gw_count; gw_from++)
            gw_sum += __shfl_sync(gw_lanes, gw_value[gw_k], (int)gw_from);
        if (gw_this_lane == gw_k % gw_count) gw_use(gw_k, gw_sum);
    }
}

/* Lanes that hold a sum hand it to `gw_use` with its number. */
template <unsigned int _GwM, class _GwT, class _GwU>
__device__ __forceinline__ void gw_warp_sums(unsigned int gw_lanes, _GwT *gw_value, _GwU gw_use) {
    const unsigned int gw_this_lane = gw_lane();
    if (gw_lanes != GW_ALL_LANES) {
        gw_each_sum<_GwM>(gw_lanes, gw_this_lane, gw_value, gw_use);
        return;
    }
    unsigned int gw_low = 0, gw_high = _GwM;
    gw_share_sums<_GwM, 16>(gw_this_lane, gw_value, gw_low, gw_high);
    if (gw_low < gw_high) gw_use(gw_low, gw_value[0]);
}

template <class _GwT, unsigned int _GwN, bool _GwSome>
__device__ __forceinline__ void gw_take_values(const gw_run<_GwT, _GwN, _GwSome> &gw_of_run, _GwT *gw_value,
                                               unsigned int &gw_where) {
#pragma unroll
    for (unsigned int gw_i = 0; gw_i < _GwN; gw_i++) gw_value[gw_where++] = gw_of_run.gw_value[gw_i];
}

template <class _GwT, unsigned int _GwN, bool _GwSome>
__device__ __forceinline__ void gw_add_alone(const gw_run<_GwT, _GwN, _GwSome> &gw_of_run) {
    _GwT *const gw_target = gw_of_run.gw_where.gw_target();
#pragma unroll
    for (unsigned int gw_i = 0; gw_i < _GwN; gw_i++)
        if (gw_of_run.gw_own) gw_atomic_add(gw_target + gw_i, gw_of_run.gw_value[gw_i]);
}

template <class _GwT, unsigned int _GwN, bool _GwSome>
__device__ __forceinline__ bool gw_any_adds(unsigned int gw_lanes,
                                            const gw_run<_GwT, _GwN, _GwSome> &gw_of_run) {
    if constexpr (_GwSome) return __any_sync(gw_lanes, gw_of_run.gw_own) != 0;
    return true;
}

/* The cell to which the sum goes that the lane holds: number k of those from `gw_where` on. */
template <class _GwT, unsigned int _GwN, bool _GwSome>
__device__ __forceinline__ void gw_find_cell(const gw_run<_GwT, _GwN, _GwSome> &gw_of_run, unsigned int gw_k,
                                             gw_place<_GwT> &gw_target, bool &gw_adds, unsigned int &gw_where) {
    /* the first stands until a later one is found */
    const bool gw_here = gw_where == 0 || gw_k - gw_where < _GwN;
    const bool gw_any = gw_any_adds(GW_ALL_LANES, gw_of_run);
    gw_target.gw_zero = gw_here ? gw_of_run.gw_where.gw_zero + (gw_k - gw_where) : gw_target.gw_zero;
    gw_target.gw_bytes = gw_here ? gw_of_run.gw_where.gw_bytes : gw_target.gw_bytes;
    gw_target.gw_narrow = gw_here ? gw_of_run.gw_where.gw_narrow : gw_target.gw_narrow;
    gw_target.gw_index = gw_here ? gw_of_run.gw_where.gw_index : gw_target.gw_index;
    /* also where all add: the run before may be one to which nobody does */
    gw_adds = gw_here ? gw_any : gw_adds;
    gw_where += _GwN;
}

/* Value number k, of those from `gw_where` on; OWN: nobody else is at the cell. */
template <bool _GwOwn, class _GwT, unsigned int _GwN, bool _GwSome>
__device__ __forceinline__ void gw_add_sum(const gw_run<_GwT, _GwN, _GwSome> &gw_of_run, bool gw_any,
                                           unsigned int gw_k, _GwT gw_sum, unsigned int &gw_where) {
    if (gw_any && gw_k - gw_where < _GwN) {
        _GwT *const gw_target = gw_of_run.gw_where.gw_target() + (gw_k - gw_where);
        if constexpr (_GwOwn) *gw_target += gw_sum;
        else gw_atomic_add(gw_target, gw_sum);
    }
    gw_where += _GwN;
}

/* What active lanes add to the cells, which are the same in all that add to them. `gw_here` are the lanes that
 * add (a vote may name some that are not there): those of a warp that is not full, or few with few values, add
 * one after the other. */
template <class _GwT, unsigned int... _GwN, bool... _GwSome>
__device__ __forceinline__ void gw_warp_add_of(unsigned int gw_here, unsigned int gw_lanes, bool gw_active,
                                               const gw_run<_GwT, _GwN, _GwSome> &...gw_of_run) {
    constexpr unsigned int gw_count = (0 + ... + _GwN);
    if (gw_lanes != GW_ALL_LANES || (gw_count < GW_MANY_VALUES && __popc(gw_here) < GW_FEWEST_LANES)) {
        if (gw_active) (gw_add_alone(gw_of_run), ...);
        return;
    }
    _GwT gw_value[gw_count];
    gw_place<_GwT> gw_target = {nullptr, 0, true, 0};
    unsigned int gw_where = 0, gw_from = 0, gw_low = 0, gw_high = gw_count;
    (gw_take_values(gw_of_run, gw_value, gw_where), ...);
    gw_share_sums<gw_count, 16>(gw_lane(), gw_value, gw_low, gw_high);
    bool gw_adds = true;
    (gw_find_cell(gw_of_run, gw_low, gw_target, gw_adds, gw_from), ...);
    /* neighbours by neighbouring lanes: one instruction */
    if (gw_low < gw_high && gw_adds) gw_atomic_add(gw_target.gw_target(), gw_value[0]);
}
template <class _GwT, unsigned int... _GwN, bool... _GwSome>
__device__ __forceinline__ void gw_warp_add(unsigned int gw_lanes, bool gw_active,
                                            const gw_run<_GwT, _GwN, _GwSome> &...gw_of_run) {
    unsigned int gw_here = 0;
    if constexpr ((0 + ... + _GwN) < GW_MANY_VALUES) gw_here = __ballot_sync(GW_ALL_LANES, gw_active);
    gw_warp_add_of(gw_here, gw_lanes, gw_active, gw_of_run...);
}

/* The same for all threads of the block, which come here together; `gw_sums` has room for each warp. */
template <bool _GwOwn, class _GwT, unsigned int _GwM, unsigned int... _GwN>
__device__ __forceinline__ void gw_block_sum(unsigned int gw_lanes, bool gw_active, _GwT (&gw_sums)[32][_GwM],
                                             const gw_run<_GwT, _GwN, false> &...gw_of_run) {
    const unsigned int gw_thread_count = blockDim.x * blockDim.y * blockDim.z;
    const unsigned int gw_this_thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    _GwT gw_value[_GwM];
    unsigned int gw_where = 0;
    (gw_take_values(gw_of_run, gw_value, gw_where), ...);
    if (!__syncthreads_or(gw_active)) return;
    gw_warp_sums<_GwM>(gw_lanes, gw_value,
                       [&](unsigned int gw_k, _GwT gw_sum) { gw_sums[gw_this_thread / 32][gw_k] = gw_sum; });
    __syncthreads();
    for (unsigned int gw_k = gw_this_thread; gw_k < _GwM; gw_k += gw_thread_count) {
        _GwT gw_sum = 0;
        for (unsigned int gw_warp = 0; gw_warp < (gw_thread_count + 31) / 32; gw_warp++)
            gw_sum += gw_sums[gw_warp][gw_k];
        unsigned int gw_from = 0;
        (gw_add_sum<_GwOwn>(gw_of_run, true, gw_k, gw_sum, gw_from), ...);
    }
    if constexpr (_GwOwn) __syncthreads();
}
template <class _GwT, unsigned int _GwM, unsigned int... _GwN>
__device__ __forceinline__ void gw_block_add(unsigned int gw_lanes, bool gw_active, _GwT (&gw_sums)[32][_GwM],
                                             const gw_run<_GwT, _GwN, false> &...gw_of_run) {
    gw_block_sum<false>(gw_lanes, gw_active, gw_sums, gw_of_run...);
}
/* Only this block adds to these cells, and to each of them once here: barriers before and behind keep other
 * accesses of the block apart. */
template <class _GwT, unsigned int _GwM, unsigned int... _GwN>
__device__ __forceinline__ void gw_block_own(unsigned int gw_lanes, bool gw_active, _GwT (&gw_sums)[32][_GwM],
                                             const gw_run<_GwT, _GwN, false> &...gw_of_run) {
    gw_block_sum<true>(gw_lanes, gw_active, gw_sums, gw_of_run...);
}

#include "gradwright/emitted/warp_variants.cuh"

#endif
