/*
 * list_slots.cuh - rows of warps at positions of a list, for additions that are sorted and summed behind the kernel (rung `slots`).
 *
 * A group has one row for each position of the list and each warp of a block, with a value in each column; a position has a key.
 * Warps of one block have rows of their own, and a warp comes to a position once, so what a row holds is the same on every run.
 * Where all threads of the block have come to the end of what leads to the rows, they sum the rows of each position in the order of the
 * warps (gw_list_slots_meet): a position belongs to one block, and its rows are written between two such places. Rows name their block, so that
 * those which another block may be writing now count for nothing. Then there is one row a position, and gw_slots_sum
 * sums positions by key (reduce.h). To sum a position again gives the same: rows are not written twice.
 * The rows of one warp lie behind each other. For nvcc, Clang and the CPU device.
 */
#ifndef GRADWRIGHT_LIST_SLOTS_CUH
#define GRADWRIGHT_LIST_SLOTS_CUH

#include "gradwright/slots.cuh"

/* ---- in the kernel ---- */
template <class K, class V> struct gw_list_slots {
    K *keys;      /* of positions */
    V *sums;      /* of positions: all warps */
    V *values;    /* rows of the first warp, then of the second; those of a row side by side */
    K *blocks;    /* of rows: whose warp has written it; unused where none has */
    size_t positions;
    char *own;               /* what this lane writes of its warp's row at position 0, and how far apart that is */
    unsigned int stride, block;
    unsigned int low, high;  /* where this warp has written since the threads met, if nothing else tells */
};

__device__ inline unsigned int gw_list_threads() { return blockDim.x * blockDim.y * blockDim.z; }
__device__ inline unsigned int gw_list_thread() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }

/* Of M sums of a warp, the one that a lane has: see gw_share_sums. */
template <unsigned int M, unsigned int DISTANCE> __device__ __forceinline__ void gw_list_share(unsigned int lane, unsigned int &low, unsigned int &high) {
    if constexpr (DISTANCE > 0) {
        constexpr unsigned int half = (M + 1) / 2;
        if (lane & DISTANCE) low += half;
        else high = low + half < high ? low + half : high;
        gw_list_share<half, DISTANCE / 2>(lane, low, high);
    }
}

__device__ inline unsigned int gw_list_block() { return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x; }

/* The last two lanes have no sum where there are fewer than 16, and write key and block with the same instruction, if these are as long. */
enum { GW_LIST_KEY_LANE = 30, GW_LIST_BLOCK_LANE = 31 };
template <unsigned int COLUMNS, class K, class V> __device__ __forceinline__ constexpr bool gw_list_is_joined() { return COLUMNS < 16 && sizeof(K) == sizeof(V); }

template <unsigned int COLUMNS, class K, class V> __device__ inline void gw_list_slots_begin(gw_list_slots<K, V> *rows) {
    const size_t from = gw_list_thread() / 32 * rows->positions;
    const unsigned int lane = gw_lane();
    unsigned int low = 0, high = COLUMNS;
    gw_list_share<COLUMNS, 16>(lane, low, high);
    rows->own = lane == GW_LIST_BLOCK_LANE ? (char *)(rows->blocks + from) : lane == GW_LIST_KEY_LANE ? (char *)rows->keys : (char *)(rows->values + from * COLUMNS + low);
    rows->stride = (unsigned int)(lane >= GW_LIST_KEY_LANE ? sizeof(K) : COLUMNS * sizeof(V));
    rows->block = gw_list_block();
    if ((unsigned long long)gridDim.x * gridDim.y * gridDim.z > 0x7fffffff) gw_slot_refuse(); /* blocks would not have numbers of their own */
#if defined(__CUDA_ARCH__) && !defined(GW_CPU_DEVICE)
    asm volatile("" : "+l"(rows->own), "+r"(rows->stride)); /* found once: not again at each row, of what it is made of */
#endif
    rows->low = ~0u;
    rows->high = 0;
}

/* What the lanes, all that there are, add to the cells of the key, which is the same in all of them, as is the position; at least one lane adds, and those that
 * do not have 0. Other warps of the block write the same key. */
template <class K, class V, class... W>
__device__ __forceinline__ void gw_list_row(unsigned int lanes, gw_list_slots<K, V> *rows, long long position, typename gw_exactly<K>::type key, W... values) {
    constexpr unsigned int columns = sizeof...(W);
    const unsigned int lane = gw_lane(), at = (unsigned int)position;
    if ((size_t)position >= rows->positions || key == gw_reduce_unused<K>()) gw_slot_refuse();
    V list[] = {values...};
    if (gw_list_is_joined<columns, K, V>() && lanes == GW_ALL_LANES) {
        unsigned int low = 0, high = columns;
        gw_share_sums<columns, 16>(lane, list, low, high);
        const K word = lane == GW_LIST_KEY_LANE ? (K)key : (K)rows->block;
        V value = list[0];
        if (lane >= GW_LIST_KEY_LANE) __builtin_memcpy(&value, &word, sizeof value);
        if (low < high || lane >= GW_LIST_KEY_LANE) __builtin_memcpy(__builtin_assume_aligned(rows->own + (size_t)at * rows->stride, sizeof value), &value, sizeof value);
        return;
    }
    const size_t here = gw_list_thread() / 32 * rows->positions + at;
    V *const row = rows->values + here * columns;
    gw_warp_sums<columns>(lanes, list, [row](unsigned int k, V sum) { row[k] = sum; });
    if (lane == 0) {
        rows->blocks[here] = (K)rows->block;
        *(volatile K *)(rows->keys + at) = key;
    }
}
/* The same where it is not known that a lane adds. */
template <class K, class V, class... W>
__device__ __forceinline__ void gw_list_slot(bool active, gw_list_slots<K, V> *rows, long long position, typename gw_exactly<K>::type key, W... values) {
    const unsigned int lanes = gw_present_lanes();
    if (__any_sync(lanes, active)) gw_list_row(lanes, rows, position, key, values...);
}
/* The row at this position is one of those that are to be summed: for gw_list_slots_meet without bounds. */
template <class K, class V> __device__ __forceinline__ void gw_list_note(gw_list_slots<K, V> *rows, long long position) {
    const unsigned int at = (unsigned int)position;
    rows->low = at < rows->low ? at : rows->low;
    rows->high = at < rows->high ? rows->high : at + 1;
}

/* The sums of the warps' rows at positions from `first` to `last` - 1, in the order of the warps. A function of its own: its registers are none of the
 * kernel's loops. */
template <unsigned int COLUMNS, class K, class V>
__device__ __noinline__ void gw_list_sum(V *sums, const V *values, const K *blocks, size_t positions, size_t first, size_t last) {
    enum { AT_ONCE = 2 };
    const unsigned int threads = gw_list_threads(), thread = gw_list_thread(), warps = (threads + 31) / 32;
    const K block = (K)gw_list_block();
    size_t position = first + thread / COLUMNS;
    unsigned int column = thread % COLUMNS;
    while (position < last) {
        bool any = false;
        V sum = 0;
        for (unsigned int warp = 0; warp < warps; warp += AT_ONCE) {
            bool own[AT_ONCE];
            V value[AT_ONCE];
            const size_t row = warp * positions + position;
#pragma unroll
            for (unsigned int i = 0; i < AT_ONCE; i++) own[i] = warp + i < warps && blocks[row + i * positions] == block;
#pragma unroll
            for (unsigned int i = 0; i < AT_ONCE; i++) value[i] = own[i] ? values[(row + i * positions) * COLUMNS + column] : V(0);
#pragma unroll
            for (unsigned int i = 0; i < AT_ONCE; i++) sum += value[i], any = any || own[i];
        }
        if (any) sums[position * COLUMNS + column] = sum;
        position += threads / COLUMNS;
        column += threads % COLUMNS;
        if (column >= COLUMNS) column -= COLUMNS, position++;
    }
}

/* All threads of the block come here, and the rows at positions from `first` on are written, or never will be: they are summed. */
template <unsigned int COLUMNS, class K, class V>
__device__ __forceinline__ void gw_list_slots_meet(gw_list_slots<K, V> *rows, long long first, long long count) {
    const size_t end = first + count < 0 ? 0 : (size_t)(first + count), last = end < rows->positions ? end : rows->positions;
    __syncthreads();
    gw_list_sum<COLUMNS>(rows->sums, rows->values, rows->blocks, rows->positions, (size_t)(first < 0 ? 0 : first), last);
}
/* Of the rows that have been noted. */
template <unsigned int COLUMNS, class K, class V> __device__ inline void gw_list_slots_meet(gw_list_slots<K, V> *rows) {
    __shared__ unsigned int bounds[2][32];
    const unsigned int thread = gw_list_thread(), warps = (gw_list_threads() + 31) / 32;
    unsigned int low = ~0u, high = 0;
    if (thread % 32 == 0) bounds[0][thread / 32] = rows->low, bounds[1][thread / 32] = rows->high;
    rows->low = ~0u, rows->high = 0;
    __syncthreads();
    for (unsigned int warp = 0; warp < warps; warp++) {
        low = bounds[0][warp] < low ? bounds[0][warp] : low;
        high = bounds[1][warp] > high ? bounds[1][warp] : high;
    }
    gw_list_slots_meet<COLUMNS>(rows, (long long)low, low < high ? (long long)(high - low) : 0);
}

/* ---- on the host ---- */
template <class K, class V> struct gw_list_group {
    char *memory;
    gw_reduction reduction; /* of positions */
    unsigned warps;
};

template <class K, class V> inline gw_list_group<K, V> gw_list_slots_of(size_t positions, unsigned columns, dim3 block) {
    const size_t warps = (gw_threads(dim3(1), block) + 31) / 32;
    return {nullptr, {positions, sizeof(K), sizeof(V), columns, false}, (unsigned)warps};
}

/* The blocks of rows lie behind what the reduction takes, the rows behind them; offsets from the start of the group's part. */
template <class K, class V> inline size_t gw_list_blocks_at(const gw_list_group<K, V> &group) {
    return gw_size_add(gw_reduce_bytes(&group.reduction), 15) / 16 * 16;
}
template <class K, class V> inline size_t gw_list_blocks_bytes(const gw_list_group<K, V> &group) {
    return gw_size_mul(group.reduction.rows, group.warps * sizeof(K));
}
template <class K, class V> inline size_t gw_list_rows_at(const gw_list_group<K, V> &group) {
    return gw_size_add(gw_size_add(gw_list_blocks_at(group), gw_list_blocks_bytes(group)), 15) / 16 * 16;
}

template <class K, class V> inline size_t gw_slots_end(size_t bytes, const gw_list_group<K, V> &group) {
    const size_t at = gw_size_add(bytes, 15);
    if (at == SIZE_MAX || gw_reduce_bytes(&group.reduction) == SIZE_MAX) return SIZE_MAX;
    return gw_size_add(at / 16 * 16, gw_size_add(gw_list_rows_at(group), gw_size_mul(gw_size_mul(group.reduction.rows, group.warps), group.reduction.columns * sizeof(V))));
}

/* Gives the group its part of the workspace behind `*used` bytes, all positions and rows unused there. */
template <class K, class V>
inline gw_status gw_slots_place(const char *name, gw_list_group<K, V> *group, void *workspace, size_t *used, cudaStream_t stream) {
    const gw_reduction *r = &group->reduction;
    if (r->rows == 0) return GW_OK;
    group->memory = (char *)workspace + (*used + 15) / 16 * 16;
    *used = gw_slots_end(*used, *group);
    cudaError_t error = cudaMemsetAsync(group->memory, GW_REDUCE_UNUSED, r->rows * sizeof(K), stream);
    if (error == cudaSuccess) error = cudaMemsetAsync(group->memory + gw_list_blocks_at(*group), GW_REDUCE_UNUSED, gw_list_blocks_bytes(*group), stream);
    return error == cudaSuccess ? GW_OK : gw_report(GW_ERROR_CUDA, "%s: %s", name, cudaGetErrorString(error));
}

template <class K, class V> inline gw_list_slots<K, V> gw_slots_in(const gw_list_group<K, V> &group) {
    const gw_reduction *r = &group.reduction;
    char *at = group.memory;
    if (!at) return {};
    return {(K *)at, (V *)(at + gw_reduce_values_at(r)), (V *)(at + gw_list_rows_at(group)), (K *)(at + gw_list_blocks_at(group)), r->rows, nullptr, 0, 0, 0, 0};
}

template <class K, class V, class... C> inline gw_status gw_slots_sum(const gw_list_group<K, V> &group, cudaStream_t stream, C... columns) {
    const gw_reduce_column list[] = {columns...};
    return gw_reduce_rows_of<K, V, sizeof...(C)>(&group.reduction, list, group.memory, gw_reduce_bytes(&group.reduction), stream);
}

#endif
