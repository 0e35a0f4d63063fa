/*
 * reduce.cuh - sums of rows by key on the device (contract: reduce.h): CUB's radix sort, which is stable, and kernels that sum
 * what lies behind each other. For nvcc, Clang and the CPU device, where a sort in C takes CUB's place.
 *
 * A warp takes a tile of 32 rows and sums each stretch of one key by a fixed tree over its lanes. A stretch that begins and
 * ends in its tile is a whole key: its last lane, which is the only thread of all kernels to reach the key's cells, adds the sum. What a
 * tile has of a key that goes on in the tile before or behind is a row of the next level, two at most for a tile: the first stretch
 * and the last. A tile that is one stretch, open on both sides, leaves its sum and a row of zeros, so that rows of one key still
 * lie behind each other there. Each level has a sixteenth of the rows; the last is one tile.
 *
 * An unused row belongs to the stretch of the used row before it in its tile, or else of the first one, and brings nothing. Where the
 * row beside the tile is unused, nobody looks for the next used one: the stretch is left open, and the next level, in which the unused rows of
 * whole tiles are gone, will know. So of rows that ascend, each two used neighbours are seen side by side in one of the levels.
 *
 * (CUB's reduction by key is not used: it looks back at what other blocks have finished so far, so that the order of its
 * additions differs from run to run.)
 */
#ifndef GRADWRIGHT_REDUCE_CUH
#define GRADWRIGHT_REDUCE_CUH

#include "gradwright/device.cuh"
#include "gradwright/reduce.h"

#ifndef GW_CPU_DEVICE
#include <cub/device/device_radix_sort.cuh>
#endif

enum { GW_REDUCE_TILE = 32, GW_REDUCE_BLOCK = 256 };

/* Rows of one level. `order`: where row i's values are, null for i itself; a row's lie side by side. */
template <class K, class V> struct gw_reduce_rows {
    K *keys;
    const uint32_t *order;
    V *values;
    size_t rows;
    static constexpr unsigned blocks(size_t) { return 0; } /* that have room in a multiprocessor, of so many bytes a row; 0: as the compiler likes it */
};
struct gw_reduce_columns {
    unsigned count;
    gw_reduce_column at[GW_REDUCE_COLUMNS];
};

template <class K> __host__ __device__ inline K gw_reduce_unused();
template <> __host__ __device__ inline int32_t gw_reduce_unused<int32_t>() { return (int32_t)0x80808080u; }
template <> __host__ __device__ inline int64_t gw_reduce_unused<int64_t>() { return (int64_t)0x8080808080808080ull; }

/* The sum over the lanes from `start` to this one. */
template <class V> __device__ __forceinline__ V gw_reduce_stretch(V x, unsigned lane, unsigned start) {
    for (unsigned distance = 1; distance < 32; distance *= 2) {
        const V before = __shfl_up_sync(GW_ALL_LANES, x, distance);
        if (lane >= start + distance) x += before;
    }
    return x;
}

/* Where the values of a row are. */
template <class K, class V> __device__ __forceinline__ size_t gw_reduce_find(const gw_reduce_rows<K, V> &in, size_t row, bool there) {
    return there && in.order ? in.order[row] : row;
}

/* The values of a tile's rows that `used` names, row by row: neighbouring lanes load neighbouring words, as many rows at once as there are in
 * them. `from`: of the lane's row; in `room` a row has an odd number of words, so that 32 lanes read a column from 32 banks. */
template <unsigned, class K, class V>
__device__ __forceinline__ void gw_reduce_load(V *room, const gw_reduce_rows<K, V> &in, size_t from, unsigned used, unsigned lane, unsigned columns) {
    unsigned row = lane / columns, column = lane % columns;
#pragma unroll
    for (unsigned i = 0; i < columns; i++) {
        const size_t at = (size_t)__shfl_sync(GW_ALL_LANES, (unsigned long long)from, (int)row);
        if (used >> row & 1) room[row * (columns | 1) + column] = in.values[at * columns + column];
        row += 32 / columns, column += 32 % columns;
        if (column >= columns) column -= columns, row++;
    }
}

/* To the key's cells, which nobody else reaches: several are loaded at once. */
template <class K, class V>
__device__ __forceinline__ void gw_reduce_add(const V *sum, K key, const gw_reduce_columns &columns, unsigned count) {
    V *cell[GW_REDUCE_COLUMNS], value[GW_REDUCE_COLUMNS];
#pragma unroll
    for (unsigned c = 0; c < GW_REDUCE_COLUMNS; c++) {
        if (c >= count) break;
        cell[c] = (V *)((char *)columns.at[c].cells + (ptrdiff_t)key * columns.at[c].stride);
        value[c] = *cell[c];
    }
#pragma unroll
    for (unsigned c = 0; c < GW_REDUCE_COLUMNS; c++)
        if (c < count) *cell[c] = value[c] + sum[c];
}

/* Out of line: its stack and registers would be the kernel's. */
__device__ __noinline__ inline void gw_reduce_refuse(long long before, long long key) {
    printf("gradwright: keys of rows that were promised to ascend: %lld behind %lld\n", key, before);
    __trap();
}
template <class K> __device__ __forceinline__ bool gw_reduce_falls(K before, K key) {
    return before > key && before != gw_reduce_unused<K>() && key != gw_reduce_unused<K>();
}

/* COLUMNS: as many as there are, 0: that is known at run time. IN: rows that gw_reduce_load knows how to load. What
 * depends on nothing else is loaded first, at once. */
template <class K, class V, unsigned COLUMNS, class IN>
__global__ void __launch_bounds__(GW_REDUCE_BLOCK, IN::blocks(COLUMNS * sizeof(V))) gw_reduce_tiles(IN in, gw_reduce_rows<K, V> out, gw_reduce_columns columns, bool ascending) {
    __shared__ V room[GW_REDUCE_BLOCK * ((COLUMNS ? COLUMNS : GW_REDUCE_COLUMNS) | 1)];
    const unsigned count = COLUMNS ? COLUMNS : columns.count;
    const size_t row = blockIdx.x * (size_t)blockDim.x + threadIdx.x, tile = row / GW_REDUCE_TILE;
    const unsigned lane = threadIdx.x % GW_REDUCE_TILE;
    const bool there = row < in.rows;
    if (row - lane >= in.rows) return; /* the whole warp */
    const bool looks_back = lane == 0 && row > 0, looks_on = lane == 31 && row + 1 < in.rows;
    const K unused = gw_reduce_unused<K>(), own_key = there ? in.keys[row] : unused;
    const K beside = looks_back ? in.keys[row - 1] : looks_on ? in.keys[row + 1] : unused;
    const auto from = gw_reduce_find(in, row, there);
    const unsigned used = __ballot_sync(GW_ALL_LANES, own_key != unused), up_to_here = used & (GW_ALL_LANES >> (31 - lane));
    const K key = __shfl_sync(GW_ALL_LANES, own_key, up_to_here ? 31 - __clz((int)up_to_here) : used ? __ffs((int)used) - 1 : 0);
    V *mine = room + (threadIdx.x - lane) * (count | 1);
    gw_reduce_load<COLUMNS>(mine, in, from, used, lane, count);
    __syncwarp();
    const K before = __shfl_up_sync(GW_ALL_LANES, key, 1);
    const unsigned heads = __ballot_sync(GW_ALL_LANES, lane == 0 || key != before);
    const unsigned start = 31 - (unsigned)__clz((int)(heads & (GW_ALL_LANES >> (31 - lane))));
    const bool last = lane == 31 || heads >> (lane + 1) & 1;
    const bool goes_beside = used && (beside == unused || beside == key), goes_back = looks_back && goes_beside, goes_on = looks_on && goes_beside;
    const bool falls = gw_reduce_falls(lane > 0 ? before : beside, key) || (looks_on && gw_reduce_falls(key, beside));
    const bool open_before = __shfl_sync(GW_ALL_LANES, (int)goes_back, 0) && start == 0, whole = last && key != unused && !open_before && !goes_on;
    if (lane == 0 && !goes_back && out.keys) out.keys[2 * tile] = unused;
    if (lane == 31 && out.keys) out.keys[2 * tile + 1] = goes_on ? key : unused;
    if (last && open_before) out.keys[2 * tile] = key;
#pragma unroll
    for (unsigned c = 0; c < count; c++) {
        V *const own = mine + lane * (count | 1) + c;
        const V sum = *own = gw_reduce_stretch(used >> lane & 1 ? *own : V(0), lane, start);
        if (last && open_before) out.values[2 * tile * count + c] = sum;
        if (goes_on) out.values[(2 * tile + 1) * count + c] = open_before ? V(0) : sum;
    }
    if (whole) gw_reduce_add(mine + lane * (count | 1), key, columns, count);
    if (ascending && falls) gw_reduce_refuse(lane > 0 && before > key ? before : lane > 0 ? key : beside, lane > 0 && before <= key ? beside : key);
}

template <class N> __global__ void gw_reduce_number(N *numbers, size_t rows) {
    const size_t row = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (row < rows) numbers[row] = (N)row;
}

/* ---- memory ---- */
struct gw_reduce_layout {
    size_t values, sorted, numbers, order, keys_of[2], values_of[2], sorting, sorting_bytes, end;
};

inline size_t gw_reduce_place(size_t *end, size_t count, size_t bytes) {
    const size_t at = *end == SIZE_MAX ? SIZE_MAX : gw_size_add(*end, 15) / 16 * 16;
    *end = gw_size_add(at, gw_size_mul(count, bytes));
    return at;
}

inline size_t gw_reduce_tiles_of(size_t rows) { return (rows + GW_REDUCE_TILE - 1) / GW_REDUCE_TILE; }
/* Rows of the next level; 0 behind the last. */
inline size_t gw_reduce_next(size_t rows) { return rows > GW_REDUCE_TILE ? 2 * gw_reduce_tiles_of(rows) : 0; }

template <class K>
inline cudaError_t gw_reduce_sort(void *sorting, size_t *bytes, const K *keys, K *sorted, uint32_t *numbers, uint32_t *order, size_t rows,
                                  cudaStream_t stream) {
#ifdef GW_CPU_DEVICE
    (void)stream;
    *bytes = 0;
    if (sorting) gw_sort_rows(keys, sizeof(K), rows, numbers, order, sorted);
    return cudaSuccess;
#else
    return cub::DeviceRadixSort::SortPairs(sorting, *bytes, keys, sorted, numbers, order, rows, 0, (int)(8 * sizeof(K)), stream);
#endif
}

inline bool gw_reduce_is_legal(const gw_reduction *r) {
    return r && r->rows <= UINT32_MAX && (r->key_bytes == 4 || r->key_bytes == 8) && (r->value_bytes == 4 || r->value_bytes == 8) &&
           r->columns > 0 && r->columns <= GW_REDUCE_COLUMNS;
}

/* Of a legal one; its end is SIZE_MAX where the device cannot be asked. `values`: the rows' are there, too. */
inline gw_reduce_layout gw_reduce_lay_out(const gw_reduction *r, bool values = true) {
    gw_reduce_layout l = {};
    size_t level = r->rows;
    l.end = gw_size_mul(r->rows, r->key_bytes);
    l.values = gw_reduce_place(&l.end, values ? r->rows : 0, gw_size_mul(r->value_bytes, r->columns));
    if (!r->contiguous) {
        l.sorted = gw_reduce_place(&l.end, r->rows, r->key_bytes);
        l.numbers = gw_reduce_place(&l.end, r->rows, sizeof(uint32_t));
        l.order = gw_reduce_place(&l.end, r->rows, sizeof(uint32_t));
        const cudaError_t error = r->key_bytes == 4 ? gw_reduce_sort<int32_t>(nullptr, &l.sorting_bytes, nullptr, nullptr, nullptr, nullptr, r->rows, 0)
                                                    : gw_reduce_sort<int64_t>(nullptr, &l.sorting_bytes, nullptr, nullptr, nullptr, nullptr, r->rows, 0);
        if (error != cudaSuccess) l.end = SIZE_MAX;
        l.sorting = gw_reduce_place(&l.end, l.sorting_bytes, 1);
    }
    for (int i = 0; i < 2; i++) { /* levels take turns */
        level = gw_reduce_next(level);
        l.keys_of[i] = gw_reduce_place(&l.end, level, r->key_bytes);
        l.values_of[i] = gw_reduce_place(&l.end, level, gw_size_mul(r->value_bytes, r->columns));
    }
    return l;
}

extern "C" inline size_t gw_reduce_bytes(const gw_reduction *r) {
    return !gw_reduce_is_legal(r) ? SIZE_MAX : r->rows ? gw_reduce_lay_out(r).end : 0;
}
extern "C" inline size_t gw_reduce_values_at(const gw_reduction *r) { return gw_reduce_is_legal(r) ? gw_reduce_lay_out(r).values : SIZE_MAX; }

/* ---- the reduction ---- */
/* Rows by key, and behind `order` the number of each. */
template <class K> inline gw_status gw_reduce_order(const gw_reduction *r, const gw_reduce_layout &l, char *memory, cudaStream_t stream) {
    size_t bytes = l.sorting_bytes;
    const cudaError_t error = gw_reduce_sort<K>(memory + l.sorting, &bytes, (K *)memory, (K *)(memory + l.sorted), (uint32_t *)(memory + l.numbers),
                                                (uint32_t *)(memory + l.order), r->rows, stream);
    return error == cudaSuccess ? GW_OK : gw_report(GW_ERROR_CUDA, "gw_reduce_by_key: %s", cudaGetErrorString(error));
}

template <class K, class V, unsigned COLUMNS, class IN>
inline gw_status gw_reduce_level(const IN &in, const gw_reduce_rows<K, V> &out, const gw_reduce_columns &columns, bool ascending, cudaStream_t stream) {
    const dim3 blocks((unsigned)((in.rows + GW_REDUCE_BLOCK - 1) / GW_REDUCE_BLOCK));
    return gw_launch("gw_reduce_by_key", gw_reduce_tiles<K, V, COLUMNS, IN>, blocks, dim3(GW_REDUCE_BLOCK), 0, stream, in, out, columns, ascending);
}

/* All levels, of which `in` is the first. */
template <class K, class V, unsigned COLUMNS, class IN>
inline gw_status gw_reduce_levels(const gw_reduction *r, const gw_reduce_layout &l, const IN &in, const gw_reduce_column *columns, char *memory, cudaStream_t stream) {
    gw_reduce_columns all = {r->columns, {}};
    for (unsigned c = 0; c < r->columns; c++) all.at[c] = columns[c];
    gw_reduce_rows<K, V> level[2] = {};
    gw_status status = GW_OK;
    size_t rows = r->rows;
    for (int turn = 0; rows && status == GW_OK; turn = !turn) {
        const bool first = rows == r->rows, ascending = r->contiguous == GW_REDUCE_ASCENDING;
        rows = gw_reduce_next(rows);
        level[turn] = {};
        if (rows) level[turn] = {(K *)(memory + l.keys_of[turn]), nullptr, (V *)(memory + l.values_of[turn]), rows};
        status = first ? (gw_reduce_level<K, V, COLUMNS>(in, level[turn], all, ascending, stream))
                       : (gw_reduce_level<K, V, COLUMNS>(level[!turn], level[turn], all, ascending, stream));
    }
    return status;
}

template <class K, class V, unsigned COLUMNS>
inline gw_status gw_reduce_rows_in(const gw_reduction *r, const gw_reduce_column *columns, char *memory, cudaStream_t stream) {
    const gw_reduce_layout l = gw_reduce_lay_out(r);
    gw_reduce_rows<K, V> in = {(K *)memory, nullptr, (V *)(memory + l.values), r->rows};
    gw_status status = GW_OK;
    if (!r->contiguous) {
        const dim3 blocks((unsigned)((r->rows + GW_REDUCE_BLOCK - 1) / GW_REDUCE_BLOCK));
        status = gw_launch("gw_reduce_by_key", gw_reduce_number<uint32_t>, blocks, dim3(GW_REDUCE_BLOCK), 0, stream, (uint32_t *)(memory + l.numbers), r->rows);
        if (status == GW_OK) status = gw_reduce_order<K>(r, l, memory, stream);
        in.keys = (K *)(memory + l.sorted);
        in.order = (const uint32_t *)(memory + l.order);
    }
    return status == GW_OK ? (gw_reduce_levels<K, V, COLUMNS>(r, l, in, columns, memory, stream)) : status;
}

inline gw_status gw_reduce_check(const gw_reduction *r, const gw_reduce_column *columns, void *memory, size_t bytes) {
    if (!gw_reduce_is_legal(r) || !columns) return gw_report(GW_ERROR_ARGUMENT, "gw_reduce_by_key: no legal reduction");
    const size_t needed = gw_reduce_bytes(r);
    if (r->rows == 0) return GW_OK;
    if (!memory || bytes < needed || (uintptr_t)memory % GW_WORKSPACE_ALIGNMENT != 0)
        return gw_report(GW_ERROR_WORKSPACE, "gw_reduce_by_key: needs %zu bytes, aligned to %zu, got %zu", needed, GW_WORKSPACE_ALIGNMENT, memory ? bytes : (size_t)0);
    return GW_OK;
}

/* Of types, and as many columns, as are known where it is called. */
template <class K, class V, unsigned COLUMNS>
inline gw_status gw_reduce_rows_of(const gw_reduction *r, const gw_reduce_column *columns, void *memory, size_t bytes, cudaStream_t stream) {
    const gw_status status = gw_reduce_check(r, columns, memory, bytes);
    return status != GW_OK || r->rows == 0 ? status : gw_reduce_rows_in<K, V, COLUMNS>(r, columns, (char *)memory, stream);
}

extern "C" inline gw_status gw_reduce_by_key(const gw_reduction *r, const gw_reduce_column *columns, void *memory, size_t bytes, void *stream) {
    const gw_status status = gw_reduce_check(r, columns, memory, bytes);
    if (status != GW_OK || r->rows == 0) return status;
    const bool narrow = r->value_bytes == 4;
    if (r->key_bytes == 4)
        return narrow ? gw_reduce_rows_in<int32_t, float, 0>(r, columns, (char *)memory, (cudaStream_t)stream)
                      : gw_reduce_rows_in<int32_t, double, 0>(r, columns, (char *)memory, (cudaStream_t)stream);
    return narrow ? gw_reduce_rows_in<int64_t, float, 0>(r, columns, (char *)memory, (cudaStream_t)stream)
                  : gw_reduce_rows_in<int64_t, double, 0>(r, columns, (char *)memory, (cudaStream_t)stream);
}

#endif
