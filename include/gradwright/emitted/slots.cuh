/*
 * slots.cuh - rows of each thread's own for additions that are sorted and summed behind the kernel (rung
 * `slots`).
 *
 * A group has rows of a key and one value in each column; the n-th row that a thread writes is row n * threads
 * + its number, so neighbouring threads write neighbouring rows, and what a row holds is the same on every run;
 * of a sorted list it is the row of a position there. gw_slots_sum enqueues the reduction (reduce.h) that adds
 * them up. For nvcc, Clang and the CPU device.
 */
#ifndef GRADWRIGHT_SLOTS_CUH
#define GRADWRIGHT_SLOTS_CUH

#include "gradwright/emitted/reduce.cuh"

/* ---- in the kernel ---- */
template <class _GwK, class _GwV> struct gw_slots {
    _GwK *gw_keys;
    _GwV *gw_values; /* those of a row side by side */
    size_t gw_rows, gw_thread_count, gw_next; /* threads: or warps */
};

template <class _GwK, class _GwV> __device__ inline void gw_slots_begin(gw_slots<_GwK, _GwV> *gw_slot_list) {
    gw_slot_list->gw_next = gw_thread();
}

/* The workspace begins at a multiple of GW_WORKSPACE_ALIGNMENT, and rows in it at one of these bytes: pairs of
 * floats are written as one word. */
#define GW_ROWS_ALIGNMENT ((size_t)16)
template <class _GwV, unsigned int _GwN>
struct alignas(_GwN * sizeof(_GwV) % 8 == 0 ? 8 : sizeof(_GwV)) gw_slot_row {
    _GwV gw_value[_GwN];
};
static_assert(GW_WORKSPACE_ALIGNMENT % 8 == 0, "rows of pairs");
template <class _GwV, class... _GwW>
__device__ __forceinline__ void gw_slot_fill(_GwV *gw_row, _GwW... gw_values) {
    *reinterpret_cast<gw_slot_row<_GwV, sizeof...(_GwW)> *>(gw_row) = {{(_GwV)gw_values...}};
}

/* Stops what no workspace has room for, and the one index that means an unused row. */
__device__ inline void gw_slot_refuse() {
    printf("gradwright: no slot for an addition\n");
    __trap();
}

template <class _GwK, class _GwV, class... _GwW>
__device__ __forceinline__ void gw_slot(gw_slots<_GwK, _GwV> *gw_slot_list,
                                        typename gw_exactly<_GwK>::gw_type gw_key, _GwW... gw_values) {
    if (gw_slot_list->gw_next >= gw_slot_list->gw_rows || gw_key == gw_reduce_unused<_GwK>()) gw_slot_refuse();
    gw_slot_list->gw_keys[gw_slot_list->gw_next] = gw_key;
    gw_slot_fill(gw_slot_list->gw_values + gw_slot_list->gw_next * sizeof...(_GwW), gw_values...);
    gw_slot_list->gw_next += gw_slot_list->gw_thread_count;
}

/* Rows at positions of a list whose entries, the keys, ascend (GW_SORTED): a thread comes to a position once
 * and nobody else does, so rows stand in the order of their keys. Where the launch's positions lie too far
 * apart for that, they are rows as above. */
template <class _GwK, class _GwV> struct gw_sorted_slots {
    gw_slots<_GwK, _GwV> gw_rows;
    long long gw_first; /* position of row 0 */
    bool gw_placed;
};

template <class _GwK, class _GwV>
__device__ inline void gw_slots_begin(gw_sorted_slots<_GwK, _GwV> *gw_slot_list) {
    gw_slots_begin(&gw_slot_list->gw_rows);
}

template <class _GwK, class _GwV, class... _GwW>
__device__ __forceinline__ void gw_sorted_slot(gw_sorted_slots<_GwK, _GwV> *gw_slot_list, long long gw_position,
                                               typename gw_exactly<_GwK>::gw_type gw_key, _GwW... gw_values) {
    if (gw_slot_list->gw_placed) gw_slot_list->gw_rows.gw_next = (size_t)(gw_position - gw_slot_list->gw_first);
    gw_slot(&gw_slot_list->gw_rows, gw_key, gw_values...);
}

/* Rows at positions of a list, one for each number within a position: a thread comes to such a pair once and
 * nobody else does. */
template <class _GwK, class _GwV> struct gw_placed_slots {
    gw_slots<_GwK, _GwV> gw_rows;
    unsigned long long gw_width; /* numbers of a position */
    long long gw_first;          /* the least */
};

template <class _GwK, class _GwV, class... _GwW>
__device__ __forceinline__ void gw_placed_slot(gw_placed_slots<_GwK, _GwV> *gw_slot_list, long long gw_position,
                                               long long gw_within, typename gw_exactly<_GwK>::gw_type gw_key,
                                               _GwW... gw_values) {
    const unsigned long long gw_where =
        (unsigned long long)gw_within - (unsigned long long)gw_slot_list->gw_first;
    if (gw_where >= gw_slot_list->gw_width ||
        (unsigned long long)gw_position >= gw_slot_list->gw_rows.gw_thread_count)
        gw_slot_refuse();
    gw_slot_list->gw_rows.gw_next =
        (size_t)((unsigned long long)gw_position * gw_slot_list->gw_width + gw_where);
#ifdef GW_CHECKED
    if (gw_slot_list->gw_rows.gw_next < gw_slot_list->gw_rows.gw_rows &&
        gw_slot_list->gw_rows.gw_keys[gw_slot_list->gw_rows.gw_next] != gw_reduce_unused<_GwK>()) {
        /* a promise that does not hold */
        printf(
            "gradwright: two additions at place %lld of a list, of which ranges were promised not to overlap\n",
            gw_position);
        __trap();
    }
#endif
    gw_slot(&gw_slot_list->gw_rows, gw_key, gw_values...);
}

/* Rows of warps: the n-th of a warp is row n * warps + its number. All lanes come to each of these together. */
template <class _GwK, class _GwV>
__device__ inline void gw_warp_slots_begin(gw_slots<_GwK, _GwV> *gw_slot_list) {
    const size_t gw_block = ((size_t)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    const unsigned int gw_thread_count = blockDim.x * blockDim.y * blockDim.z;
    const unsigned int gw_this_thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    gw_slot_list->gw_next = gw_block * ((gw_thread_count + 31) / 32) + gw_this_thread / 32;
}

/* What the lanes that are active add to the cells of the key, which is the same in all lanes; the others have
 * 0. */
template <class _GwK, class _GwV, class... _GwW>
__device__ __forceinline__ void gw_warp_slot(bool gw_active, gw_slots<_GwK, _GwV> *gw_slot_list,
                                             typename gw_exactly<_GwK>::gw_type gw_key, _GwW... gw_values) {
    const unsigned int gw_lanes = gw_present_lanes();
    if (!__any_sync(gw_lanes, gw_active)) return;
    if (gw_slot_list->gw_next >= gw_slot_list->gw_rows || gw_key == gw_reduce_unused<_GwK>()) gw_slot_refuse();
    _GwV gw_list[] = {gw_values...};
    _GwV *gw_row = gw_slot_list->gw_values + gw_slot_list->gw_next * sizeof...(_GwW);
    gw_warp_sums<sizeof...(_GwW)>(gw_lanes, gw_list,
                                  [gw_row](unsigned int gw_k, _GwV gw_sum) { gw_row[gw_k] = gw_sum; });
    if (gw_lane() == 0) gw_slot_list->gw_keys[gw_slot_list->gw_next] = gw_key;
    gw_slot_list->gw_next += gw_slot_list->gw_thread_count;
}

/* ---- on the host ---- */
template <class _GwK, class _GwV> struct gw_slot_group {
    char *gw_memory;
    gw_reduction gw_reduced;
    size_t gw_thread_count;
};

/* A group of `gw_each` rows a thread; `gw_one_key`: all of key 0. */
template <class _GwK, class _GwV>
inline gw_slot_group<_GwK, _GwV> gw_slots_of(unsigned long long gw_each, unsigned gw_columns, bool gw_one_key,
                                             dim3 gw_grid, dim3 gw_block) {
    const size_t gw_thread_count = gw_threads(gw_grid, gw_block),
                 gw_limit = gw_each > SIZE_MAX ? SIZE_MAX : (size_t)gw_each;
    return {nullptr,
            {gw_size_mul(gw_thread_count, gw_limit), sizeof(_GwK), sizeof(_GwV), gw_columns, gw_one_key},
            gw_thread_count};
}

template <class _GwK, class _GwV>
inline gw_slot_group<_GwK, _GwV> gw_warp_slots_of(unsigned long long gw_each, unsigned gw_columns,
                                                  bool gw_one_key, dim3 gw_grid, dim3 gw_block) {
    const size_t gw_warps = gw_size_add(gw_threads(dim3(1), gw_block), 31) / 32;
    return gw_slots_of<_GwK, _GwV>(gw_each, gw_columns, gw_one_key, gw_grid, dim3((unsigned)gw_warps));
}

template <class _GwK, class _GwV> struct gw_sorted_group : gw_slot_group<_GwK, _GwV> {
    long long gw_first;
    bool gw_placed;
};

enum { GW_SORTED_SPREAD = 4 }; /* at most so many positions for each row that threads could write */

/* Positions from `gw_low` to `gw_high`; none is known where high < low. */
template <class _GwK, class _GwV>
inline gw_sorted_group<_GwK, _GwV> gw_sorted_slots_of(unsigned long long gw_each, unsigned long long gw_low,
                                                      unsigned long long gw_high, unsigned gw_columns,
                                                      dim3 gw_grid, dim3 gw_block) {
    gw_sorted_group<_GwK, _GwV> gw_group = {
        gw_slots_of<_GwK, _GwV>(gw_each, gw_columns, false, gw_grid, gw_block), (long long)gw_low, false};
    const size_t gw_rows = gw_group.gw_reduced.rows;
    gw_group.gw_placed = (long long)gw_low <= (long long)gw_high && gw_rows &&
                         gw_high - gw_low <= UINT32_MAX - 1 && (gw_high - gw_low) / GW_SORTED_SPREAD < gw_rows;
    if (gw_group.gw_placed)
        gw_group.gw_reduced.rows = (size_t)(gw_high - gw_low + 1),
        gw_group.gw_reduced.contiguous = GW_REDUCE_ASCENDING;
    return gw_group;
}

template <class _GwK, class _GwV> struct gw_placed_group : gw_slot_group<_GwK, _GwV> { /* threads: positions */
    unsigned long long gw_width;
    long long gw_first;
};

/* Numbers within a position from `gw_low` to `gw_high`; there are none where high < low. */
template <class _GwK, class _GwV>
inline gw_placed_group<_GwK, _GwV> gw_placed_slots_of(size_t gw_positions, unsigned long long gw_low,
                                                      unsigned long long gw_high, unsigned gw_columns) {
    const unsigned long long gw_width = (long long)gw_low <= (long long)gw_high ? gw_high - gw_low + 1 : 0;
    const size_t gw_rows = gw_width > SIZE_MAX ? SIZE_MAX : gw_size_mul(gw_positions, (size_t)gw_width);
    return {{nullptr, {gw_rows, sizeof(_GwK), sizeof(_GwV), gw_columns, false}, gw_positions},
            gw_width,
            (long long)gw_low};
}

/* The end of what lies behind `gw_bytes` bytes of the workspace. */
inline size_t gw_slots_end(size_t gw_bytes, const gw_reduction &gw_r) {
    return gw_size_add(gw_space_behind(gw_bytes, GW_ROWS_ALIGNMENT), gw_reduce_bytes(&gw_r));
}

/* Gives the group its part of the workspace behind `*used` bytes, all rows unused there. */
template <class _GwK, class _GwV>
inline gw_status gw_slots_place(const char *gw_name, gw_slot_group<_GwK, _GwV> *gw_group, void *gw_workspace,
                                size_t *gw_used, cudaStream_t gw_stream) {
    const gw_reduction *gw_r = &gw_group->gw_reduced;
    if (gw_r->rows == 0) return GW_OK;
    gw_group->gw_memory = (char *)gw_workspace + gw_space_behind(*gw_used, GW_ROWS_ALIGNMENT);
    *gw_used = gw_slots_end(*gw_used, *gw_r);
    const cudaError_t gw_error =
        cudaMemsetAsync(gw_group->gw_memory, GW_REDUCE_UNUSED, gw_r->rows * sizeof(_GwK), gw_stream);
    return gw_error == cudaSuccess ? GW_OK
                                   : gw_report(GW_ERROR_CUDA, "%s: %s", gw_name, cudaGetErrorString(gw_error));
}

template <class _GwK, class _GwV>
inline gw_slots<_GwK, _GwV> gw_slots_in(const gw_slot_group<_GwK, _GwV> &gw_group) {
    const gw_reduction *gw_r = &gw_group.gw_reduced;
    _GwV *gw_values = gw_group.gw_memory ? (_GwV *)(gw_group.gw_memory + gw_reduce_values_at(gw_r)) : nullptr;
    return {(_GwK *)gw_group.gw_memory, gw_values, gw_r->rows, gw_group.gw_thread_count, 0};
}

template <class _GwK, class _GwV>
inline gw_sorted_slots<_GwK, _GwV> gw_slots_in(const gw_sorted_group<_GwK, _GwV> &gw_group) {
    const gw_slot_group<_GwK, _GwV> &gw_rows = gw_group;
    return {gw_slots_in(gw_rows), gw_group.gw_first, gw_group.gw_placed};
}

template <class _GwK, class _GwV>
inline gw_placed_slots<_GwK, _GwV> gw_slots_in(const gw_placed_group<_GwK, _GwV> &gw_group) {
    const gw_slot_group<_GwK, _GwV> &gw_rows = gw_group;
    return {gw_slots_in(gw_rows), gw_group.gw_width, gw_group.gw_first};
}

/* The cells of keys 0 and 1; a mirror's may be declared const. */
template <class _GwT> inline gw_reduce_column gw_slot_column(const _GwT *gw_zero, const _GwT *gw_one) {
    return {const_cast<_GwT *>(gw_zero), (ptrdiff_t)((uintptr_t)gw_one - (uintptr_t)gw_zero)};
}

/* The column of an array inside a struct, outside of which these would lie: a cell of it, how many bytes behind
 * that the cell of key 0 is, and how many behind this that of key 1. */
template <class _GwT>
inline gw_reduce_column gw_slot_column(const _GwT *gw_first, ptrdiff_t gw_offset, ptrdiff_t gw_step) {
    return {(_GwT *)((uintptr_t)gw_first + (uintptr_t)gw_offset), gw_step};
}

template <class _GwK, class _GwV, class... _GwC>
inline gw_status gw_slots_sum(const gw_slot_group<_GwK, _GwV> &gw_group, cudaStream_t gw_stream,
                              _GwC... gw_columns) {
    const gw_reduce_column gw_list[] = {gw_columns...};
    return gw_reduce_rows_of<_GwK, _GwV, sizeof...(_GwC)>(&gw_group.gw_reduced, gw_list, gw_group.gw_memory,
                                                          gw_reduce_bytes(&gw_group.gw_reduced), gw_stream);
}

#endif
