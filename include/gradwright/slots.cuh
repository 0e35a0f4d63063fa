/*
 * slots.cuh - rows of each thread's own for additions that are sorted and summed behind the kernel (rung `slots`).
 *
 * A group has rows of a key and one value in each column; the n-th row that a thread writes is row n * threads + its number, so
 * neighbouring threads write neighbouring rows, and what a row holds is the same on every run; of a sorted list it is the row of a position
 * there. gw_slots_sum enqueues the reduction (reduce.h) that adds them up. For nvcc, Clang and the CPU device.
 */
#ifndef GRADWRIGHT_SLOTS_CUH
#define GRADWRIGHT_SLOTS_CUH

#include "gradwright/reduce.cuh"

/* ---- in the kernel ---- */
template <class K, class V> struct gw_slots {
    K *keys;
    V *values; /* those of a row side by side */
    size_t rows, threads, next; /* threads: or warps */
};

template <class K, class V> __device__ inline void gw_slots_begin(gw_slots<K, V> *slots) { slots->next = gw_thread(); }

/* The workspace begins at a multiple of GW_WORKSPACE_ALIGNMENT, and rows behind a multiple of 16 bytes: pairs of floats are written as one word. */
template <class V, unsigned int N> struct alignas(N * sizeof(V) % 8 == 0 ? 8 : sizeof(V)) gw_slot_row { V value[N]; };
static_assert(GW_WORKSPACE_ALIGNMENT % 8 == 0, "rows of pairs");
template <class V, class... W> __device__ __forceinline__ void gw_slot_fill(V *row, W... values) {
    *reinterpret_cast<gw_slot_row<V, sizeof...(W)> *>(row) = {{(V)values...}};
}

/* Stops what no workspace has room for, and the one index that means an unused row. */
__device__ inline void gw_slot_refuse() {
    printf("gradwright: no slot for an addition\n");
    __trap();
}

template <class K, class V, class... W>
__device__ __forceinline__ void gw_slot(gw_slots<K, V> *slots, typename gw_exactly<K>::type key, W... values) {
    if (slots->next >= slots->rows || key == gw_reduce_unused<K>()) gw_slot_refuse();
    slots->keys[slots->next] = key;
    gw_slot_fill(slots->values + slots->next * sizeof...(W), values...);
    slots->next += slots->threads;
}

/* Rows at positions of a list whose entries, the keys, ascend (GW_SORTED): a thread comes to a position once and nobody else does, so rows
 * stand in the order of their keys. Where the launch's positions lie too far apart for that, they are rows as above. */
template <class K, class V> struct gw_sorted_slots {
    gw_slots<K, V> rows;
    long long first; /* position of row 0 */
    bool placed;
};

template <class K, class V> __device__ inline void gw_slots_begin(gw_sorted_slots<K, V> *slots) { gw_slots_begin(&slots->rows); }

template <class K, class V, class... W>
__device__ __forceinline__ void gw_sorted_slot(gw_sorted_slots<K, V> *slots, long long position, typename gw_exactly<K>::type key, W... values) {
    if (slots->placed) slots->rows.next = (size_t)(position - slots->first);
    gw_slot(&slots->rows, key, values...);
}

/* Rows at positions of a list, one for each number within a position: a thread comes to such a pair once and nobody else does. */
template <class K, class V> struct gw_placed_slots {
    gw_slots<K, V> rows;
    unsigned long long width; /* numbers of a position */
    long long first;          /* the least */
};

template <class K, class V, class... W>
__device__ __forceinline__ void gw_placed_slot(gw_placed_slots<K, V> *slots, long long position, long long within, typename gw_exactly<K>::type key, W... values) {
    const unsigned long long at = (unsigned long long)within - (unsigned long long)slots->first;
    if (at >= slots->width || (unsigned long long)position >= slots->rows.threads) gw_slot_refuse();
    slots->rows.next = (size_t)((unsigned long long)position * slots->width + at);
#ifdef GW_CHECKED
    if (slots->rows.next < slots->rows.rows && slots->rows.keys[slots->rows.next] != gw_reduce_unused<K>()) { /* a promise that does not hold */
        printf("gradwright: two additions at place %lld of a list, of which ranges were promised not to overlap\n", position);
        __trap();
    }
#endif
    gw_slot(&slots->rows, key, values...);
}

/* Rows of warps: the n-th of a warp is row n * warps + its number. All lanes come to each of these together. */
template <class K, class V> __device__ inline void gw_warp_slots_begin(gw_slots<K, V> *slots) {
    const size_t block = ((size_t)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    const unsigned int threads = blockDim.x * blockDim.y * blockDim.z;
    const unsigned int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    slots->next = block * ((threads + 31) / 32) + thread / 32;
}

/* What the lanes that are active add to the cells of the key, which is the same in all lanes; the others have 0. */
template <class K, class V, class... W>
__device__ __forceinline__ void gw_warp_slot(bool active, gw_slots<K, V> *slots, typename gw_exactly<K>::type key, W... values) {
    const unsigned int lanes = gw_present_lanes();
    if (!__any_sync(lanes, active)) return;
    if (slots->next >= slots->rows || key == gw_reduce_unused<K>()) gw_slot_refuse();
    V list[] = {values...};
    V *row = slots->values + slots->next * sizeof...(W);
    gw_warp_sums<sizeof...(W)>(lanes, list, [row](unsigned int k, V sum) { row[k] = sum; });
    if (gw_lane() == 0) slots->keys[slots->next] = key;
    slots->next += slots->threads;
}

/* ---- on the host ---- */
template <class K, class V> struct gw_slot_group {
    char *memory;
    gw_reduction reduction;
    size_t threads;
};

/* Of `each` rows a thread; `one_key`: all of key 0. */
template <class K, class V>
inline gw_slot_group<K, V> gw_slots_of(unsigned long long each, unsigned columns, bool one_key, dim3 grid, dim3 block) {
    const size_t threads = gw_threads(grid, block), most = each > SIZE_MAX ? SIZE_MAX : (size_t)each;
    return {nullptr, {gw_size_mul(threads, most), sizeof(K), sizeof(V), columns, one_key}, threads};
}

template <class K, class V>
inline gw_slot_group<K, V> gw_warp_slots_of(unsigned long long each, unsigned columns, bool one_key, dim3 grid, dim3 block) {
    const size_t warps = gw_size_add(gw_threads(dim3(1), block), 31) / 32;
    return gw_slots_of<K, V>(each, columns, one_key, grid, dim3((unsigned)warps));
}

template <class K, class V> struct gw_sorted_group : gw_slot_group<K, V> {
    long long first;
    bool placed;
};

enum { GW_SORTED_SPREAD = 4 }; /* at most so many positions for each row that threads could write */

/* Positions from `low` to `high`; none is known where high < low. */
template <class K, class V>
inline gw_sorted_group<K, V> gw_sorted_slots_of(unsigned long long each, unsigned long long low, unsigned long long high, unsigned columns, dim3 grid, dim3 block) {
    gw_sorted_group<K, V> group = {gw_slots_of<K, V>(each, columns, false, grid, block), (long long)low, false};
    const size_t rows = group.reduction.rows;
    group.placed = (long long)low <= (long long)high && rows && high - low <= UINT32_MAX - 1 && (high - low) / GW_SORTED_SPREAD < rows;
    if (group.placed) group.reduction.rows = (size_t)(high - low + 1), group.reduction.contiguous = GW_REDUCE_ASCENDING;
    return group;
}

template <class K, class V> struct gw_placed_group : gw_slot_group<K, V> { /* threads: positions */
    unsigned long long width;
    long long first;
};

/* Numbers within a position from `low` to `high`; there are none where high < low. */
template <class K, class V>
inline gw_placed_group<K, V> gw_placed_slots_of(size_t positions, unsigned long long low, unsigned long long high, unsigned columns) {
    const unsigned long long width = (long long)low <= (long long)high ? high - low + 1 : 0;
    const size_t rows = width > SIZE_MAX ? SIZE_MAX : gw_size_mul(positions, (size_t)width);
    return {{nullptr, {rows, sizeof(K), sizeof(V), columns, false}, positions}, width, (long long)low};
}

/* The end of what lies behind `bytes` bytes of the workspace. */
inline size_t gw_slots_end(size_t bytes, const gw_reduction &r) {
    const size_t at = gw_size_add(bytes, 15);
    return gw_size_add(at == SIZE_MAX ? SIZE_MAX : at / 16 * 16, gw_reduce_bytes(&r));
}

/* Gives the group its part of the workspace behind `*used` bytes, all rows unused there. */
template <class K, class V>
inline gw_status gw_slots_place(const char *name, gw_slot_group<K, V> *group, void *workspace, size_t *used, cudaStream_t stream) {
    const gw_reduction *r = &group->reduction;
    if (r->rows == 0) return GW_OK;
    group->memory = (char *)workspace + (*used + 15) / 16 * 16;
    *used = gw_slots_end(*used, *r);
    const cudaError_t error = cudaMemsetAsync(group->memory, GW_REDUCE_UNUSED, r->rows * sizeof(K), stream);
    return error == cudaSuccess ? GW_OK : gw_report(GW_ERROR_CUDA, "%s: %s", name, cudaGetErrorString(error));
}

template <class K, class V> inline gw_slots<K, V> gw_slots_in(const gw_slot_group<K, V> &group) {
    const gw_reduction *r = &group.reduction;
    V *values = group.memory ? (V *)(group.memory + gw_reduce_values_at(r)) : nullptr;
    return {(K *)group.memory, values, r->rows, group.threads, 0};
}

template <class K, class V> inline gw_sorted_slots<K, V> gw_slots_in(const gw_sorted_group<K, V> &group) {
    const gw_slot_group<K, V> &rows = group;
    return {gw_slots_in(rows), group.first, group.placed};
}

template <class K, class V> inline gw_placed_slots<K, V> gw_slots_in(const gw_placed_group<K, V> &group) {
    const gw_slot_group<K, V> &rows = group;
    return {gw_slots_in(rows), group.width, group.first};
}

/* The cells of keys 0 and 1; a mirror's may be declared const. */
template <class T> inline gw_reduce_column gw_slot_column(const T *zero, const T *one) {
    return {const_cast<T *>(zero), (ptrdiff_t)((uintptr_t)one - (uintptr_t)zero)};
}

template <class K, class V, class... C> inline gw_status gw_slots_sum(const gw_slot_group<K, V> &group, cudaStream_t stream, C... columns) {
    const gw_reduce_column list[] = {columns...};
    return gw_reduce_rows_of<K, V, sizeof...(C)>(&group.reduction, list, group.memory, gw_reduce_bytes(&group.reduction), stream);
}

#endif
