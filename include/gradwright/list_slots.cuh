/*
 * list_slots.cuh - rows of warps at positions of a list, for additions that are sorted and summed behind the kernel (rung `slots`).
 *
 * A group has one row for each position of the list and each warp of a block, with a value in each column; a position has a key.
 * Warps of one block have rows of their own, and a warp comes to a position once, so what a row holds is the same on every run.
 * gw_slots_sum sums the marked rows of each position in the order of the warps, and then positions by key (reduce.h).
 * The rows of one warp lie behind each other. For nvcc, Clang and the CPU device.
 */
#ifndef GRADWRIGHT_LIST_SLOTS_CUH
#define GRADWRIGHT_LIST_SLOTS_CUH

#include "gradwright/slots.cuh"

/* ---- in the kernel ---- */
template <class K, class V> struct gw_list_slots {
    K *keys;              /* of positions */
    V *values;            /* rows of the first warp, then of the second; those of a row side by side */
    unsigned char *marks; /* of rows: 1 where the warp has written it */
    size_t positions;
};

template <class K, class V> __device__ inline void gw_list_slots_begin(gw_list_slots<K, V> *rows, unsigned int columns) {
    const size_t warp = ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) / 32;
    rows->marks += warp * rows->positions;
    rows->values += warp * rows->positions * columns;
}

/* What the lanes that are active add to the cells of the key; key and position are the same in all lanes; the others have 0. */
template <class K, class V, class... W>
__device__ __forceinline__ void gw_list_slot(bool active, gw_list_slots<K, V> *rows, long long position, typename gw_exactly<K>::type key, W... values) {
    const unsigned int lanes = gw_present_lanes();
    if (!__any_sync(lanes, active)) return;
    if ((size_t)position >= rows->positions || key == gw_reduce_unused<K>()) gw_slot_refuse();
    V list[] = {values...};
    V *row = rows->values + (size_t)position * sizeof...(W);
    gw_warp_sums<sizeof...(W)>(lanes, list, [row](unsigned int k, V sum) { row[k] = sum; });
    if (gw_lane() == 0) {
        rows->marks[position] = 1;
        *(volatile K *)(rows->keys + position) = key; /* other warps of the block write the same */
    }
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

/* The rows lie behind what the reduction takes, the marks behind the rows; offsets from the start of the group's part. */
template <class K, class V> inline size_t gw_list_rows_at(const gw_list_group<K, V> &group) {
    return gw_size_add(gw_reduce_bytes(&group.reduction), 15) / 16 * 16;
}
template <class K, class V> inline size_t gw_list_marks_at(const gw_list_group<K, V> &group) {
    const gw_reduction *r = &group.reduction;
    return gw_size_add(gw_list_rows_at(group), gw_size_mul(gw_size_mul(r->rows, group.warps), r->columns * sizeof(V)));
}

template <class K, class V> inline size_t gw_slots_end(size_t bytes, const gw_list_group<K, V> &group) {
    const size_t at = gw_size_add(bytes, 15);
    if (at == SIZE_MAX || gw_reduce_bytes(&group.reduction) == SIZE_MAX) return SIZE_MAX;
    return gw_size_add(at / 16 * 16, gw_size_add(gw_list_marks_at(group), gw_size_mul(group.reduction.rows, group.warps)));
}

/* Gives the group its part of the workspace behind `*used` bytes, all positions unused there and no row marked. */
template <class K, class V>
inline gw_status gw_slots_place(const char *name, gw_list_group<K, V> *group, void *workspace, size_t *used, cudaStream_t stream) {
    const gw_reduction *r = &group->reduction;
    if (r->rows == 0) return GW_OK;
    group->memory = (char *)workspace + (*used + 15) / 16 * 16;
    *used = gw_slots_end(*used, *group);
    cudaError_t error = cudaMemsetAsync(group->memory, GW_REDUCE_UNUSED, r->rows * sizeof(K), stream);
    if (error == cudaSuccess) error = cudaMemsetAsync(group->memory + gw_list_marks_at(*group), 0, r->rows * group->warps, stream);
    return error == cudaSuccess ? GW_OK : gw_report(GW_ERROR_CUDA, "%s: %s", name, cudaGetErrorString(error));
}

template <class K, class V> inline gw_list_slots<K, V> gw_slots_in(const gw_list_group<K, V> &group) {
    if (!group.memory) return {nullptr, nullptr, nullptr, 0};
    return {(K *)group.memory, (V *)(group.memory + gw_list_rows_at(group)), (unsigned char *)group.memory + gw_list_marks_at(group), group.reduction.rows};
}

/* The sum over the warps, in their order, of each column at each position. What of several warps is loaded, is loaded at once. */
template <class V, unsigned int COLUMNS>
__global__ void gw_sum_warps(V *__restrict__ sums, const V *__restrict__ rows, const unsigned char *__restrict__ marks, size_t positions, unsigned int warps) {
    enum { AT_ONCE = 8 };
    const size_t at = blockIdx.x * (size_t)blockDim.x + threadIdx.x, position = at / COLUMNS;
    if (position >= positions) return;
    V sum = 0;
    for (unsigned int first = 0; first < warps; first += AT_ONCE) {
        bool marked[AT_ONCE];
        V value[AT_ONCE];
#pragma unroll
        for (unsigned int i = 0; i < AT_ONCE; i++) marked[i] = first + i < warps && marks[(first + i) * positions + position];
#pragma unroll
        for (unsigned int i = 0; i < AT_ONCE; i++) value[i] = marked[i] ? rows[(first + i) * positions * COLUMNS + at] : V(0);
#pragma unroll
        for (unsigned int i = 0; i < AT_ONCE; i++) sum += value[i];
    }
    sums[at] = sum;
}

template <class K, class V, class... C> inline gw_status gw_slots_sum(const gw_list_group<K, V> &group, cudaStream_t stream, C... columns) {
    const gw_reduce_column list[] = {columns...};
    const gw_reduction *r = &group.reduction;
    if (r->rows == 0) return GW_OK;
    const dim3 blocks((unsigned)((r->rows * sizeof...(C) + GW_REDUCE_BLOCK - 1) / GW_REDUCE_BLOCK));
    const gw_list_slots<K, V> in = gw_slots_in(group);
    const gw_status status = gw_launch("gw_slots_sum", gw_sum_warps<V, sizeof...(C)>, blocks, dim3(GW_REDUCE_BLOCK), 0, stream,
                                       (V *)(group.memory + gw_reduce_values_at(r)), in.values, in.marks, r->rows, group.warps);
    return status == GW_OK ? (gw_reduce_rows_of<K, V, sizeof...(C)>(r, list, group.memory, gw_reduce_bytes(r), stream)) : status;
}

#endif
