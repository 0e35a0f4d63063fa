/*
 * reduce.cuh - sums of rows by key on the device (contract: reduce.h): CUB's radix sort, which is stable, and
 * kernels that sum what lies behind each other. For nvcc, Clang and the CPU device, where a sort in C takes
 * CUB's place.
 *
 * A warp takes a tile of 32 rows and sums each stretch of one key by a fixed tree over its lanes. A stretch
 * that begins and ends in its tile is a whole key: its last lane, which is the only thread of all kernels to
 * reach the key's cells, adds the sum. What a tile has of a key that goes on in the tile before or behind is a
 * row of the next level, two at most for a tile: the first stretch and the last. A tile that is one stretch,
 * open on both sides, leaves its sum and a row of zeros, so that rows of one key still lie behind each other
 * there. Each level has a sixteenth of the rows; the last is one tile.
 *
 * An unused row belongs to the stretch of the used row before it in its tile, or else of the first one, and
 * brings nothing. Where the row beside the tile is unused, nobody looks for the next used one: the stretch is
 * left open, and the next level, in which the unused rows of whole tiles are gone, will know. So of rows that
 * ascend, each two used neighbours are seen side by side in one of the levels.
 *
 * (CUB's reduction by key is not used: it looks back at what other blocks have finished so far, so that the
 * order of its additions differs from run to run.)
 */
#ifndef GRADWRIGHT_REDUCE_CUH
#define GRADWRIGHT_REDUCE_CUH

#include "gradwright/emitted/device.cuh"
#include "gradwright/emitted/reduce.h"

#ifndef GW_CPU_DEVICE
#include <cub/device/device_radix_sort.cuh>
#endif

enum { GW_REDUCE_TILE = 32, GW_REDUCE_BLOCK = 256 };

/* Rows of one level. `gw_order`: where row i's values are, null for i itself; a row's lie side by side. */
template <class _GwK, class _GwV> struct gw_reduce_rows {
    _GwK *gw_keys;
    const uint32_t *gw_order;
    _GwV *gw_values;
    size_t gw_rows;
    /* that have room in a multiprocessor, of so many bytes a row; 0: as the compiler likes it */
    static constexpr unsigned gw_blocks(size_t) { return 0; }
};
struct gw_reduce_columns {
    unsigned gw_count;
    gw_reduce_column gw_where[GW_REDUCE_COLUMNS];
};

template <class _GwK> __host__ __device__ inline _GwK gw_reduce_unused();
template <> __host__ __device__ inline int32_t gw_reduce_unused<int32_t>() { return (int32_t)0x80808080u; }
template <> __host__ __device__ inline int64_t gw_reduce_unused<int64_t>() {
    return (int64_t)0x8080808080808080ull;
}

/* The sum over the lanes from `gw_start` to this one. */
template <class _GwV>
__device__ __forceinline__ _GwV gw_reduce_stretch(_GwV gw_x, unsigned gw_this_lane, unsigned gw_start) {
    for (unsigned gw_distance = 1; gw_distance < 32; gw_distance *= 2) {
        const _GwV gw_before = __shfl_up_sync(GW_ALL_LANES, gw_x, gw_distance);
        if (gw_this_lane >= gw_start + gw_distance) gw_x += gw_before;
    }
    return gw_x;
}

/* The place of a row's values. */
template <class _GwK, class _GwV>
__device__ __forceinline__ size_t gw_reduce_find(const gw_reduce_rows<_GwK, _GwV> &gw_in, size_t gw_row,
                                                 bool gw_there) {
    return gw_there && gw_in.gw_order ? gw_in.gw_order[gw_row] : gw_row;
}

/* The values of a tile's rows that `gw_used` names, row by row: neighbouring lanes load neighbouring words, as
 * many rows at once as there are in them. `gw_from`: of the lane's row; in `gw_room` a row has an odd number of
 * words, so that 32 lanes read a column from 32 banks. */
template <unsigned, class _GwK, class _GwV>
__device__ __forceinline__ void gw_reduce_load(_GwV *gw_room, const gw_reduce_rows<_GwK, _GwV> &gw_in,
                                               size_t gw_from, unsigned gw_used, unsigned gw_this_lane,
                                               unsigned gw_columns) {
    unsigned gw_row = gw_this_lane / gw_columns, gw_column = gw_this_lane % gw_columns;
#pragma unroll
    for (unsigned gw_i = 0; gw_i < gw_columns; gw_i++) {
        const size_t gw_where = (size_t)__shfl_sync(GW_ALL_LANES, (unsigned long long)gw_from, (int)gw_row);
        if (gw_used >> gw_row & 1)
            gw_room[gw_row * (gw_columns | 1) + gw_column] = gw_in.gw_values[gw_where * gw_columns + gw_column];
        gw_row += 32 / gw_columns, gw_column += 32 % gw_columns;
        if (gw_column >= gw_columns) gw_column -= gw_columns, gw_row++;
    }
}

/* To the key's cells, which nobody else reaches: several are loaded at once. */
template <class _GwK, class _GwV>
__device__ __forceinline__ void gw_reduce_add(const _GwV *gw_sum, _GwK gw_key,
                                              const gw_reduce_columns &gw_columns, unsigned gw_count) {
    _GwV *gw_target[GW_REDUCE_COLUMNS], gw_value[GW_REDUCE_COLUMNS];
#pragma unroll
    for (unsigned gw_c = 0; gw_c < GW_REDUCE_COLUMNS; gw_c++) {
        if (gw_c >= gw_count) break;
        gw_target[gw_c] = (_GwV *)((char *)gw_columns.gw_where[gw_c].cells +
                                   (ptrdiff_t)gw_key * gw_columns.gw_where[gw_c].stride);
        gw_value[gw_c] = *gw_target[gw_c];
    }
#pragma unroll
    for (unsigned gw_c = 0; gw_c < GW_REDUCE_COLUMNS; gw_c++)
        if (gw_c < gw_count) *gw_target[gw_c] = gw_value[gw_c] + gw_sum[gw_c];
}

/* Out of line: its stack and registers would be the kernel's. */
__device__ __noinline__ inline void gw_reduce_refuse(long long gw_before, long long gw_key) {
    printf("gradwright: keys of rows that were promised to ascend: %lld behind %lld\n", gw_key, gw_before);
    __trap();
}
template <class _GwK> __device__ __forceinline__ bool gw_reduce_falls(_GwK gw_before, _GwK gw_key) {
    return gw_before > gw_key && gw_before != gw_reduce_unused<_GwK>() && gw_key != gw_reduce_unused<_GwK>();
}

/* COLUMNS: as many as there are, 0: that is known at run time. IN: rows that gw_reduce_load knows how to load.
 * What depends on nothing else is loaded first, at once. */
template <class _GwK, class _GwV, unsigned _GwColumns, class _GwIn>
__global__ void __launch_bounds__(GW_REDUCE_BLOCK, _GwIn::gw_blocks(_GwColumns * sizeof(_GwV)))
    gw_reduce_tiles(_GwIn gw_in, gw_reduce_rows<_GwK, _GwV> gw_out, gw_reduce_columns gw_columns,
                    bool gw_ascending) {
    __shared__ _GwV gw_room[GW_REDUCE_BLOCK * ((_GwColumns ? _GwColumns : GW_REDUCE_COLUMNS) | 1)];
    const unsigned gw_count = _GwColumns ? _GwColumns : gw_columns.gw_count;
    const size_t gw_row = blockIdx.x * (size_t)blockDim.x + threadIdx.x, gw_tile = gw_row / GW_REDUCE_TILE;
    const unsigned gw_this_lane = threadIdx.x % GW_REDUCE_TILE;
    const bool gw_there = gw_row < gw_in.gw_rows;
    if (gw_row - gw_this_lane >= gw_in.gw_rows) return; /* the whole warp */
    const bool gw_looks_back = gw_this_lane == 0 && gw_row > 0,
               gw_looks_on = gw_this_lane == 31 && gw_row + 1 < gw_in.gw_rows;
    const _GwK gw_unused = gw_reduce_unused<_GwK>(), gw_own_key = gw_there ? gw_in.gw_keys[gw_row] : gw_unused;
    _GwK gw_beside = gw_unused;
    if (gw_looks_back) gw_beside = gw_in.gw_keys[gw_row - 1];
    if (gw_looks_on) gw_beside = gw_in.gw_keys[gw_row + 1];
    const auto gw_from = gw_reduce_find(gw_in, gw_row, gw_there);
    const unsigned gw_used = __ballot_sync(GW_ALL_LANES, gw_own_key != gw_unused),
                   gw_up_to_here = gw_used & (GW_ALL_LANES >> (31 - gw_this_lane));
    const int gw_first_used = gw_used ? __ffs((int)gw_used) - 1 : 0;
    const _GwK gw_key =
        __shfl_sync(GW_ALL_LANES, gw_own_key, gw_up_to_here ? 31 - __clz((int)gw_up_to_here) : gw_first_used);
    _GwV *gw_mine = gw_room + (threadIdx.x - gw_this_lane) * (gw_count | 1);
    gw_reduce_load<_GwColumns>(gw_mine, gw_in, gw_from, gw_used, gw_this_lane, gw_count);
    __syncwarp();
    const _GwK gw_before = __shfl_up_sync(GW_ALL_LANES, gw_key, 1);
    const unsigned gw_heads = __ballot_sync(GW_ALL_LANES, gw_this_lane == 0 || gw_key != gw_before);
    const unsigned gw_start = 31 - (unsigned)__clz((int)(gw_heads & (GW_ALL_LANES >> (31 - gw_this_lane))));
    const bool gw_last = gw_this_lane == 31 || gw_heads >> (gw_this_lane + 1) & 1;
    const bool gw_goes_beside = gw_used && (gw_beside == gw_unused || gw_beside == gw_key),
               gw_goes_back = gw_looks_back && gw_goes_beside, gw_goes_on = gw_looks_on && gw_goes_beside;
    const bool gw_falls = gw_reduce_falls(gw_this_lane > 0 ? gw_before : gw_beside, gw_key) ||
                          (gw_looks_on && gw_reduce_falls(gw_key, gw_beside));
    const bool gw_open_before = __shfl_sync(GW_ALL_LANES, (int)gw_goes_back, 0) && gw_start == 0,
               gw_whole = gw_last && gw_key != gw_unused && !gw_open_before && !gw_goes_on;
    if (gw_this_lane == 0 && !gw_goes_back && gw_out.gw_keys) gw_out.gw_keys[2 * gw_tile] = gw_unused;
    if (gw_this_lane == 31 && gw_out.gw_keys) gw_out.gw_keys[2 * gw_tile + 1] = gw_goes_on ? gw_key : gw_unused;
    if (gw_last && gw_open_before) gw_out.gw_keys[2 * gw_tile] = gw_key;
#pragma unroll
    for (unsigned gw_c = 0; gw_c < gw_count; gw_c++) {
        _GwV *const gw_own = gw_mine + gw_this_lane * (gw_count | 1) + gw_c;
        const _GwV gw_sum = *gw_own =
            gw_reduce_stretch(gw_used >> gw_this_lane & 1 ? *gw_own : _GwV(0), gw_this_lane, gw_start);
        if (gw_last && gw_open_before) gw_out.gw_values[2 * gw_tile * gw_count + gw_c] = gw_sum;
        if (gw_goes_on)
            gw_out.gw_values[(2 * gw_tile + 1) * gw_count + gw_c] = gw_open_before ? _GwV(0) : gw_sum;
    }
    if (gw_whole) gw_reduce_add(gw_mine + gw_this_lane * (gw_count | 1), gw_key, gw_columns, gw_count);
    if (!gw_ascending || !gw_falls) return;
    if (gw_this_lane == 0)
        gw_reduce_refuse(gw_beside, gw_key);
    else if (gw_before > gw_key)
        gw_reduce_refuse(gw_before, gw_key);
    else
        gw_reduce_refuse(gw_key, gw_beside);
}

template <class _GwN> __global__ void gw_reduce_number(_GwN *gw_numbers, size_t gw_rows) {
    const size_t gw_row = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (gw_row < gw_rows) gw_numbers[gw_row] = (_GwN)gw_row;
}

/* ---- memory ---- */
struct gw_reduce_layout {
    size_t gw_values, gw_sorted, gw_numbers, gw_order, gw_keys_of[2], gw_values_of[2], gw_sorting,
        gw_sorting_bytes, gw_end;
};

inline size_t gw_reduce_place(size_t *gw_end, size_t gw_count, size_t gw_bytes) {
    const size_t gw_where = *gw_end == SIZE_MAX ? SIZE_MAX : gw_size_add(*gw_end, 15) / 16 * 16;
    *gw_end = gw_size_add(gw_where, gw_size_mul(gw_count, gw_bytes));
    return gw_where;
}

inline size_t gw_reduce_tiles_of(size_t gw_rows) { return (gw_rows + GW_REDUCE_TILE - 1) / GW_REDUCE_TILE; }
/* Rows of the next level; 0 behind the last. */
inline size_t gw_reduce_next(size_t gw_rows) {
    return gw_rows > GW_REDUCE_TILE ? 2 * gw_reduce_tiles_of(gw_rows) : 0;
}

#ifdef GW_CPU_DEVICE
/* A kernel, so that a stream that is captured has it in its graph. */
template <class _GwK, class _GwSort>
__global__ void gw_reduce_sort_rows(_GwSort gw_how, const _GwK *gw_keys, _GwK *gw_sorted,
                                    const uint32_t *gw_numbers, uint32_t *gw_order, size_t gw_rows) {
    gw_how(gw_keys, sizeof(_GwK), gw_rows, gw_numbers, gw_order, gw_sorted);
}
#endif

template <class _GwK>
inline cudaError_t gw_reduce_sort(void *gw_sorting, size_t *gw_bytes, const _GwK *gw_keys, _GwK *gw_sorted,
                                  uint32_t *gw_numbers, uint32_t *gw_order, size_t gw_rows,
                                  cudaStream_t gw_stream) {
#ifdef GW_CPU_DEVICE
    *gw_bytes = 0;
    if (!gw_sorting) return cudaSuccess;
    gw_reduce_sort_rows<_GwK>
        <<<1, 1, 0, gw_stream>>>(gw_sort_rows, gw_keys, gw_sorted, gw_numbers, gw_order, gw_rows);
    return cudaGetLastError();
#else
    return cub::DeviceRadixSort::SortPairs(gw_sorting, *gw_bytes, gw_keys, gw_sorted, gw_numbers, gw_order,
                                           gw_rows, 0, (int)(8 * sizeof(_GwK)), gw_stream);
#endif
}

inline bool gw_reduce_is_legal(const gw_reduction *gw_r) {
    return gw_r && gw_r->rows <= UINT32_MAX && (gw_r->key_bytes == 4 || gw_r->key_bytes == 8) &&
           (gw_r->value_bytes == 4 || gw_r->value_bytes == 8) && gw_r->columns > 0 &&
           gw_r->columns <= GW_REDUCE_COLUMNS;
}

/* The layout of a legal reduction; its end is SIZE_MAX where the device cannot be asked. `gw_values`: the rows'
 * are there, too. */
inline gw_reduce_layout gw_reduce_lay_out(const gw_reduction *gw_r, bool gw_values = true) {
    gw_reduce_layout gw_l = {};
    size_t gw_level = gw_r->rows;
    gw_l.gw_end = gw_size_mul(gw_r->rows, gw_r->key_bytes);
    gw_l.gw_values = gw_reduce_place(&gw_l.gw_end, gw_values ? gw_r->rows : 0,
                                     gw_size_mul(gw_r->value_bytes, gw_r->columns));
    if (!gw_r->contiguous) {
        gw_l.gw_sorted = gw_reduce_place(&gw_l.gw_end, gw_r->rows, gw_r->key_bytes);
        gw_l.gw_numbers = gw_reduce_place(&gw_l.gw_end, gw_r->rows, sizeof(uint32_t));
        gw_l.gw_order = gw_reduce_place(&gw_l.gw_end, gw_r->rows, sizeof(uint32_t));
        const cudaError_t gw_error = gw_r->key_bytes == 4
                                         ? gw_reduce_sort<int32_t>(nullptr, &gw_l.gw_sorting_bytes, nullptr,
                                                                   nullptr, nullptr, nullptr, gw_r->rows, 0)
                                         : gw_reduce_sort<int64_t>(nullptr, &gw_l.gw_sorting_bytes, nullptr,
                                                                   nullptr, nullptr, nullptr, gw_r->rows, 0);
        if (gw_error != cudaSuccess) gw_l.gw_end = SIZE_MAX;
        gw_l.gw_sorting = gw_reduce_place(&gw_l.gw_end, gw_l.gw_sorting_bytes, 1);
    }
    for (int gw_i = 0; gw_i < 2; gw_i++) { /* levels take turns */
        gw_level = gw_reduce_next(gw_level);
        gw_l.gw_keys_of[gw_i] = gw_reduce_place(&gw_l.gw_end, gw_level, gw_r->key_bytes);
        gw_l.gw_values_of[gw_i] =
            gw_reduce_place(&gw_l.gw_end, gw_level, gw_size_mul(gw_r->value_bytes, gw_r->columns));
    }
    return gw_l;
}

extern "C" inline size_t gw_reduce_bytes(const gw_reduction *gw_r) {
    if (!gw_reduce_is_legal(gw_r)) return SIZE_MAX;
    return gw_r->rows ? gw_reduce_lay_out(gw_r).gw_end : 0;
}
extern "C" inline size_t gw_reduce_values_at(const gw_reduction *gw_r) {
    return gw_reduce_is_legal(gw_r) ? gw_reduce_lay_out(gw_r).gw_values : SIZE_MAX;
}

/* ---- the reduction ---- */
/* Rows by key, and behind `gw_order` the number of each. */
template <class _GwK>
inline gw_status gw_reduce_order(const gw_reduction *gw_r, const gw_reduce_layout &gw_l, char *gw_memory,
                                 cudaStream_t gw_stream) {
    size_t gw_bytes = gw_l.gw_sorting_bytes;
    const cudaError_t gw_error =
        gw_reduce_sort<_GwK>(gw_memory + gw_l.gw_sorting, &gw_bytes, (_GwK *)gw_memory,
                             (_GwK *)(gw_memory + gw_l.gw_sorted), (uint32_t *)(gw_memory + gw_l.gw_numbers),
                             (uint32_t *)(gw_memory + gw_l.gw_order), gw_r->rows, gw_stream);
    return gw_error == cudaSuccess
               ? GW_OK
               : gw_report(GW_ERROR_CUDA, "gw_reduce_by_key: %s", cudaGetErrorString(gw_error));
}

template <class _GwK, class _GwV, unsigned _GwColumns, class _GwIn>
inline gw_status gw_reduce_level(const _GwIn &gw_in, const gw_reduce_rows<_GwK, _GwV> &gw_out,
                                 const gw_reduce_columns &gw_columns, bool gw_ascending,
                                 cudaStream_t gw_stream) {
    const dim3 gw_blocks((unsigned)((gw_in.gw_rows + GW_REDUCE_BLOCK - 1) / GW_REDUCE_BLOCK));
    return gw_launch("gw_reduce_by_key", gw_reduce_tiles<_GwK, _GwV, _GwColumns, _GwIn>, gw_blocks,
                     dim3(GW_REDUCE_BLOCK), 0, gw_stream, gw_in, gw_out, gw_columns, gw_ascending);
}

/* All levels, of which `gw_in` is the first. */
template <class _GwK, class _GwV, unsigned _GwColumns, class _GwIn>
inline gw_status gw_reduce_levels(const gw_reduction *gw_r, const gw_reduce_layout &gw_l, const _GwIn &gw_in,
                                  const gw_reduce_column *gw_columns, char *gw_memory, cudaStream_t gw_stream) {
    gw_reduce_columns gw_all = {gw_r->columns, {}};
    for (unsigned gw_c = 0; gw_c < gw_r->columns; gw_c++)
        gw_all.gw_where[gw_c] = gw_columns[gw_c];
    gw_reduce_rows<_GwK, _GwV> gw_level[2] = {};
    gw_status gw_result = GW_OK;
    size_t gw_rows = gw_r->rows;
    for (int gw_turn = 0; gw_rows && gw_result == GW_OK; gw_turn = !gw_turn) {
        const bool gw_first = gw_rows == gw_r->rows, gw_ascending = gw_r->contiguous == GW_REDUCE_ASCENDING;
        gw_rows = gw_reduce_next(gw_rows);
        gw_level[gw_turn] = {};
        if (gw_rows)
            gw_level[gw_turn] = {(_GwK *)(gw_memory + gw_l.gw_keys_of[gw_turn]), nullptr,
                                 (_GwV *)(gw_memory + gw_l.gw_values_of[gw_turn]), gw_rows};
        gw_result = gw_first ? (gw_reduce_level<_GwK, _GwV, _GwColumns>(gw_in, gw_level[gw_turn], gw_all,
                                                                        gw_ascending, gw_stream))
                             : (gw_reduce_level<_GwK, _GwV, _GwColumns>(gw_level[!gw_turn], gw_level[gw_turn],
                                                                        gw_all, gw_ascending, gw_stream));
    }
    return gw_result;
}

template <class _GwK, class _GwV, unsigned _GwColumns>
inline gw_status gw_reduce_rows_in(const gw_reduction *gw_r, const gw_reduce_column *gw_columns,
                                   char *gw_memory, cudaStream_t gw_stream) {
    const gw_reduce_layout gw_l = gw_reduce_lay_out(gw_r);
    gw_reduce_rows<_GwK, _GwV> gw_in = {(_GwK *)gw_memory, nullptr, (_GwV *)(gw_memory + gw_l.gw_values),
                                        gw_r->rows};
    gw_status gw_result = GW_OK;
    if (!gw_r->contiguous) {
        const dim3 gw_blocks((unsigned)((gw_r->rows + GW_REDUCE_BLOCK - 1) / GW_REDUCE_BLOCK));
        gw_result = gw_launch("gw_reduce_by_key", gw_reduce_number<uint32_t>, gw_blocks, dim3(GW_REDUCE_BLOCK),
                              0, gw_stream, (uint32_t *)(gw_memory + gw_l.gw_numbers), gw_r->rows);
        if (gw_result == GW_OK) gw_result = gw_reduce_order<_GwK>(gw_r, gw_l, gw_memory, gw_stream);
        gw_in.gw_keys = (_GwK *)(gw_memory + gw_l.gw_sorted);
        gw_in.gw_order = (const uint32_t *)(gw_memory + gw_l.gw_order);
    }
    return gw_result == GW_OK
               ? (gw_reduce_levels<_GwK, _GwV, _GwColumns>(gw_r, gw_l, gw_in, gw_columns, gw_memory, gw_stream))
               : gw_result;
}

inline gw_status gw_reduce_check(const gw_reduction *gw_r, const gw_reduce_column *gw_columns, void *gw_memory,
                                 size_t gw_bytes) {
    if (!gw_reduce_is_legal(gw_r) || !gw_columns)
        return gw_report(GW_ERROR_ARGUMENT, "gw_reduce_by_key: no legal reduction");
    const size_t gw_needed = gw_reduce_bytes(gw_r);
    if (gw_r->rows == 0) return GW_OK;
    if (!gw_memory || gw_bytes < gw_needed || (uintptr_t)gw_memory % GW_WORKSPACE_ALIGNMENT != 0)
        return gw_report(GW_ERROR_WORKSPACE, "gw_reduce_by_key: needs %zu bytes, aligned to %zu, got %zu",
                         gw_needed, GW_WORKSPACE_ALIGNMENT, gw_memory ? gw_bytes : (size_t)0);
    return GW_OK;
}

/* Types, and the number of columns, are known where it is called. */
template <class _GwK, class _GwV, unsigned _GwColumns>
inline gw_status gw_reduce_rows_of(const gw_reduction *gw_r, const gw_reduce_column *gw_columns,
                                   void *gw_memory, size_t gw_bytes, cudaStream_t gw_stream) {
    const gw_status gw_result = gw_reduce_check(gw_r, gw_columns, gw_memory, gw_bytes);
    return gw_result != GW_OK || gw_r->rows == 0
               ? gw_result
               : gw_reduce_rows_in<_GwK, _GwV, _GwColumns>(gw_r, gw_columns, (char *)gw_memory, gw_stream);
}

extern "C" inline gw_status gw_reduce_by_key(const gw_reduction *gw_r, const gw_reduce_column *gw_columns,
                                             void *gw_memory, size_t gw_bytes, void *gw_stream) {
    const gw_status gw_result = gw_reduce_check(gw_r, gw_columns, gw_memory, gw_bytes);
    if (gw_result != GW_OK || gw_r->rows == 0) return gw_result;
    const bool gw_narrow = gw_r->value_bytes == 4;
    if (gw_r->key_bytes == 4)
        return gw_narrow ? gw_reduce_rows_in<int32_t, float, 0>(gw_r, gw_columns, (char *)gw_memory,
                                                                (cudaStream_t)gw_stream)
                         : gw_reduce_rows_in<int32_t, double, 0>(gw_r, gw_columns, (char *)gw_memory,
                                                                 (cudaStream_t)gw_stream);
    return gw_narrow ? gw_reduce_rows_in<int64_t, float, 0>(gw_r, gw_columns, (char *)gw_memory,
                                                            (cudaStream_t)gw_stream)
                     : gw_reduce_rows_in<int64_t, double, 0>(gw_r, gw_columns, (char *)gw_memory,
                                                             (cudaStream_t)gw_stream);
}

#endif
