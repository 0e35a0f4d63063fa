/*
 * list_slots.cuh - rows of warps at positions of a list, for additions that are sorted and summed behind the kernel (rung `slots`).
 *
 * A group has one row for each position of the list and each warp of a block, with a value in each column; a position has a key.
 * Warps of one block have rows of their own, and a warp comes to a position once, so what a row holds is the same on every run.
 * gw_slots_sum sums the rows of each position in the order of the warps, and then positions by key (reduce.h), without a sort where the
 * keys at positions were promised to ascend.
 * The rows of one warp lie behind each other. For nvcc, Clang and the CPU device.
 */
#ifndef GRADWRIGHT_LIST_SLOTS_CUH
#define GRADWRIGHT_LIST_SLOTS_CUH

#include "gradwright/slots.cuh"

/* ---- in the kernel ---- */
template <class K, class V> struct gw_list_slots {
    K *keys;   /* of rows: unused where the warp has written none */
    V *values; /* rows of the first warp, then of the second; those of a row side by side */
    size_t positions;
    char *own; /* what this lane writes of its warp's row at position 0, and how far apart that is; 0: it writes nothing */
    unsigned int stride;
};

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

/* The last lane has no sum where there are fewer than 32, and writes the key with the same instruction, if it is as long. */
template <unsigned int COLUMNS, class K, class V> __device__ __forceinline__ constexpr bool gw_list_is_joined() { return COLUMNS < 32 && sizeof(K) == sizeof(V); }

template <unsigned int COLUMNS, class K, class V> __device__ inline void gw_list_slots_begin(gw_list_slots<K, V> *rows) {
    const size_t from = gw_list_thread() / 32 * rows->positions;
    unsigned int low = 0, high = COLUMNS;
    gw_list_share<COLUMNS, 16>(gw_lane(), low, high);
    const bool tells = gw_lane() == 31;
    rows->own = tells ? (char *)(rows->keys + from) : (char *)(rows->values + from * COLUMNS + low);
    rows->stride = (unsigned int)(tells ? sizeof(K) : low < high ? COLUMNS * sizeof(V) : 0);
#if defined(__CUDA_ARCH__) && !defined(GW_CPU_DEVICE)
    asm volatile("" : "+l"(rows->own), "+r"(rows->stride)); /* found once: not again at each row, of what it is made of */
#endif
}

template <class K, class V> __device__ __forceinline__ void gw_list_write(char *at, bool tells, K key, V value) {
    V word = value;
    if (tells) __builtin_memcpy(&word, &key, sizeof word);
    __builtin_memcpy(__builtin_assume_aligned(at, sizeof word), &word, sizeof word);
}

/* What the lanes, all that there are, add to the cells of the key, which is the same in all of them, as is the position; at least one lane adds, and those that
 * do not have 0. */
template <class K, class V, class... W>
__device__ __forceinline__ void gw_list_row(unsigned int lanes, gw_list_slots<K, V> *rows, long long position, typename gw_exactly<K>::type key, W... values) {
    constexpr unsigned int columns = sizeof...(W);
    const unsigned int lane = gw_lane(), at = (unsigned int)position;
    if (__any_sync(lanes, (size_t)position >= rows->positions || key == gw_reduce_unused<K>())) gw_slot_refuse(); /* by a vote: else nvcc asks who is left, at each shuffle */
    V list[] = {values...};
    if constexpr (gw_list_is_joined<columns, K, V>()) {
        if (lanes == GW_ALL_LANES) {
            unsigned int low = 0, high = columns;
            gw_share_sums<columns, 16>(lane, list, low, high);
            if (rows->stride) gw_list_write(rows->own + (size_t)at * rows->stride, columns == 1 ? lane == 31 : rows->stride == sizeof(K), (K)key, list[0]);
            return;
        }
    }
    const size_t here = gw_list_thread() / 32 * rows->positions + at;
    V *const row = rows->values + here * columns;
    gw_warp_sums<columns>(lanes, list, [row](unsigned int k, V sum) { row[k] = sum; });
    if (lane == 0) rows->keys[here] = key;
}
/* The same where it is not known that a lane adds. */
template <class K, class V, class... W>
__device__ __forceinline__ void gw_list_slot(bool active, gw_list_slots<K, V> *rows, long long position, typename gw_exactly<K>::type key, W... values) {
    const unsigned int lanes = gw_present_lanes();
    if (__any_sync(lanes, active)) gw_list_row(lanes, rows, position, key, values...);
}

/* ---- on the host ---- */
template <class K, class V> struct gw_list_group {
    char *memory;
    gw_reduction reduction; /* of positions */
    unsigned warps;
};

/* `contiguous`: as in a gw_reduction of the positions. */
template <class K, class V> inline gw_list_group<K, V> gw_list_slots_of(size_t positions, unsigned columns, dim3 block, int contiguous = 0) {
    const size_t warps = (gw_threads(dim3(1), block) + 31) / 32;
    return {nullptr, {positions, sizeof(K), sizeof(V), columns, contiguous}, (unsigned)warps};
}

/* The keys of rows lie behind what the reduction takes, the rows behind them; offsets from the start of the group's part. */
template <class K, class V> inline size_t gw_list_keys_at(const gw_list_group<K, V> &group) {
    return gw_size_add(gw_reduce_bytes(&group.reduction), 15) / 16 * 16;
}
template <class K, class V> inline size_t gw_list_keys_bytes(const gw_list_group<K, V> &group) {
    return gw_size_mul(group.reduction.rows, group.warps * sizeof(K));
}
template <class K, class V> inline size_t gw_list_rows_at(const gw_list_group<K, V> &group) {
    return gw_size_add(gw_size_add(gw_list_keys_at(group), gw_list_keys_bytes(group)), 15) / 16 * 16;
}

template <class K, class V> inline size_t gw_slots_end(size_t bytes, const gw_list_group<K, V> &group) {
    const size_t at = gw_size_add(bytes, 15);
    if (at == SIZE_MAX || gw_reduce_bytes(&group.reduction) == SIZE_MAX) return SIZE_MAX;
    return gw_size_add(at / 16 * 16, gw_size_add(gw_list_rows_at(group), gw_size_mul(gw_size_mul(group.reduction.rows, group.warps), group.reduction.columns * sizeof(V))));
}

/* Gives the group its part of the workspace behind `*used` bytes, all rows unused there. */
template <class K, class V>
inline gw_status gw_slots_place(const char *name, gw_list_group<K, V> *group, void *workspace, size_t *used, cudaStream_t stream) {
    const gw_reduction *r = &group->reduction;
    if (r->rows == 0) return GW_OK;
    group->memory = (char *)workspace + (*used + 15) / 16 * 16;
    *used = gw_slots_end(*used, *group);
    const cudaError_t error = cudaMemsetAsync(group->memory + gw_list_keys_at(*group), GW_REDUCE_UNUSED, gw_list_keys_bytes(*group), stream);
    return error == cudaSuccess ? GW_OK : gw_report(GW_ERROR_CUDA, "%s: %s", name, cudaGetErrorString(error));
}

template <class K, class V> inline gw_list_slots<K, V> gw_slots_in(const gw_list_group<K, V> &group) {
    if (!group.memory) return {};
    return {(K *)(group.memory + gw_list_keys_at(group)), (V *)(group.memory + gw_list_rows_at(group)), group.reduction.rows, nullptr, 0};
}

/* The sum over the warps, in their order, of each column at each position, and its key. What of several warps is loaded, is loaded at once. */
template <class K, class V, unsigned int COLUMNS>
__global__ void gw_sum_warps(K *__restrict__ keys, V *__restrict__ sums, const K *__restrict__ row_keys, const V *__restrict__ rows, size_t positions, unsigned int warps) {
    enum { AT_ONCE = 8 };
    const size_t at = blockIdx.x * (size_t)blockDim.x + threadIdx.x, position = at / COLUMNS;
    if (position >= positions) return;
    const K unused = gw_reduce_unused<K>();
    K found = unused;
    V sum = 0;
    for (unsigned int first = 0; first < warps; first += AT_ONCE) {
        K key[AT_ONCE];
        V value[AT_ONCE];
#pragma unroll
        for (unsigned int i = 0; i < AT_ONCE; i++) key[i] = first + i < warps ? row_keys[(first + i) * positions + position] : unused;
#pragma unroll
        for (unsigned int i = 0; i < AT_ONCE; i++) value[i] = key[i] != unused ? rows[(first + i) * positions * COLUMNS + at] : V(0);
#pragma unroll
        for (unsigned int i = 0; i < AT_ONCE; i++) sum += value[i], found = key[i] != unused ? key[i] : found;
    }
    if (found != unused) sums[at] = sum;
    if (at == position * COLUMNS) keys[position] = found;
}

template <class K, class V, class... C> inline gw_status gw_slots_sum(const gw_list_group<K, V> &group, cudaStream_t stream, C... columns) {
    const gw_reduce_column list[] = {columns...};
    const gw_reduction *r = &group.reduction;
    if (r->rows == 0) return GW_OK;
    const dim3 blocks((unsigned)((r->rows * sizeof...(C) + GW_REDUCE_BLOCK - 1) / GW_REDUCE_BLOCK));
    const gw_list_slots<K, V> in = gw_slots_in(group);
    const gw_status status = gw_launch("gw_slots_sum", gw_sum_warps<K, V, sizeof...(C)>, blocks, dim3(GW_REDUCE_BLOCK), 0, stream, (K *)group.memory,
                                       (V *)(group.memory + gw_reduce_values_at(r)), in.keys, in.values, r->rows, group.warps);
    return status == GW_OK ? (gw_reduce_rows_of<K, V, sizeof...(C)>(r, list, group.memory, gw_reduce_bytes(r), stream)) : status;
}

#endif
