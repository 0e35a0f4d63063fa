/*
 * list_slots.cuh - rows of warps at positions of a list, for additions that are sorted and summed behind the kernel (rung `slots`).
 *
 * A group has one row for each position of the list and each warp of a block, with a value in each column; a position has a key.
 * Warps of one block have rows of their own, and a warp comes to a position once, so what a row holds is the same on every run.
 * gw_slots_sum finds the key of each position and the warps that have a row there, sorts positions by key, unless the keys at positions were
 * promised to ascend, and sums tiles of positions as reduce.cuh does, where a position's value is the sum of its rows in the order of the warps.
 * The rows of one position lie behind each other, so that what is read where the sort leads is read once: as many columns as fill sectors of memory
 * in the first array, so that a row has whole sectors, the rest in a second one. For nvcc, Clang and the CPU device.
 */
#ifndef GRADWRIGHT_LIST_SLOTS_CUH
#define GRADWRIGHT_LIST_SLOTS_CUH

#include "gradwright/slots.cuh"

/* ---- in the kernel ---- */
template <class K, class V> struct gw_list_slots {
    K *keys; /* of the rows of the first warp, then of the second; unused where it has written none */
    V *full; /* rows of the warps at the first position, then at the second; those of a row side by side */
    V *rest; /* the same, of the columns behind those */
    size_t positions;
    unsigned int full_each, rest_each; /* bytes of the rows of a position: told by the host they take no registers */
    unsigned int stride;
    char *own; /* what this lane writes of its warp's row at position 0; `stride` is how far apart that is, 0: it writes nothing */
};

__device__ inline unsigned int gw_list_thread() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }

enum { GW_LIST_SECTOR = 32 }; /* bytes */

/* Of so many columns, those of the first array. */
template <class V> __host__ __device__ __forceinline__ constexpr unsigned int gw_list_full(unsigned int columns) {
    return columns - columns % (unsigned int)(GW_LIST_SECTOR / sizeof(V));
}

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
    const unsigned int warp = gw_list_thread() / 32;
    unsigned int low = 0, high = COLUMNS;
    gw_list_share<COLUMNS, 16>(gw_lane(), low, high);
    constexpr unsigned int full = gw_list_full<V>(COLUMNS);
    const bool tells = gw_lane() == 31, in_full = (int)low < (int)full; /* full may be 0: no warning then */
    rows->own = tells ? (char *)(rows->keys + warp * rows->positions)
                      : (char *)(in_full ? rows->full + (warp * full + low) : rows->rest + (warp * (COLUMNS - full) + (low - full)));
    rows->stride = (unsigned int)(tells ? sizeof(K) : low < high ? in_full ? rows->full_each : rows->rest_each : 0);
#if defined(__CUDA_ARCH__) && !defined(GW_CPU_DEVICE)
    asm volatile("" : "+l"(rows->own), "+r"(rows->stride)); /* found once: not again at each row, of what it is made of */
#endif
}

__device__ __forceinline__ char *gw_list_at(char *first, unsigned int each, unsigned int at) {
    char *place = first + (size_t)at * each;
#if defined(__CUDA_ARCH__) && !defined(GW_CPU_DEVICE)
    asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(place) : "r"(at), "r"(each), "l"(first)); /* one instruction, not five */
#endif
    return place;
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
            if (rows->stride) gw_list_write(gw_list_at(rows->own, rows->stride, at), columns == 1 ? lane == 31 : rows->stride == sizeof(K), (K)key, list[0]);
            return;
        }
    }
    const unsigned int warp = gw_list_thread() / 32;
    constexpr unsigned int full = gw_list_full<V>(columns);
    gw_warp_sums<columns>(lanes, list, [&](unsigned int k, V sum) {
        if ((int)k < (int)full) ((V *)((char *)rows->full + (size_t)at * rows->full_each))[warp * full + k] = sum;
        else ((V *)((char *)rows->rest + (size_t)at * rows->rest_each))[warp * (columns - full) + (k - full)] = sum;
    });
    if (lane == 0) rows->keys[warp * rows->positions + at] = key;
}
/* The same where it is not known that a lane adds. */
template <class K, class V, class... W>
__device__ __forceinline__ void gw_list_slot(bool active, gw_list_slots<K, V> *rows, long long position, typename gw_exactly<K>::type key, W... values) {
    const unsigned int lanes = gw_present_lanes();
    if (__any_sync(lanes, active)) gw_list_row(lanes, rows, position, key, values...);
}

/* ---- on the host ---- */
/* Offsets in the group's part of the workspace, which begins with what the reduction takes. */
struct gw_list_layout {
    gw_reduce_layout reduction;
    size_t masks, keys, keys_end, full, rest, end;
    unsigned full_each, rest_each; /* bytes of the rows of a position */
};

template <class K, class V> struct gw_list_group {
    char *memory;
    gw_reduction reduction; /* of positions */
    unsigned warps, bits;   /* bits: of a position's number, which has its mask of warps above them in one word; 0: masks lie apart */
    gw_list_layout layout;
};

/* `contiguous`: as in a gw_reduction of the positions. */
template <class K, class V> inline gw_list_group<K, V> gw_list_slots_of(size_t positions, unsigned columns, dim3 block, int contiguous = 0) {
    const unsigned warps = (unsigned)((gw_threads(dim3(1), block) + 31) / 32);
    gw_list_group<K, V> group = {nullptr, {positions, sizeof(K), sizeof(V), columns, contiguous}, warps, 1, {}};
    gw_list_layout *l = &group.layout;
    if (positions == 0) return group;
    if (!gw_reduce_is_legal(&group.reduction)) l->end = SIZE_MAX;
    if (l->end == SIZE_MAX) return group;
    while ((positions - 1) >> group.bits) group.bits++;
    if (contiguous || group.bits + warps > 32) group.bits = 0;
    l->reduction = gw_reduce_lay_out(&group.reduction, false);
    l->end = l->reduction.end;
    l->masks = gw_reduce_place(&l->end, group.bits ? 0 : positions, sizeof(uint32_t));
    l->keys = gw_reduce_place(&l->end, gw_size_mul(positions, warps), sizeof(K));
    l->keys_end = l->end;
    l->full_each = (unsigned)(gw_list_full<V>(columns) * warps * sizeof(V));
    l->rest_each = (unsigned)((columns - gw_list_full<V>(columns)) * warps * sizeof(V));
    if (l->rest_each == sizeof(V)) l->rest_each *= 2; /* not as far apart as keys: gw_list_row tells them apart by that */
    l->full = gw_reduce_place(&l->end, positions, l->full_each);
    l->end = gw_size_add(l->end, l->full_each ? GW_LIST_SECTOR : 0);
    l->rest = gw_reduce_place(&l->end, positions, l->rest_each);
    return group;
}

template <class K, class V> inline size_t gw_slots_end(size_t bytes, const gw_list_group<K, V> &group) {
    const size_t at = gw_size_add(bytes, 15);
    return at == SIZE_MAX ? SIZE_MAX : gw_size_add(at / 16 * 16, group.layout.end);
}

/* Gives the group its part of the workspace behind `*used` bytes, all rows unused there. */
template <class K, class V>
inline gw_status gw_slots_place(const char *name, gw_list_group<K, V> *group, void *workspace, size_t *used, cudaStream_t stream) {
    const gw_list_layout *l = &group->layout;
    if (group->reduction.rows == 0) return GW_OK;
    group->memory = (char *)workspace + (*used + 15) / 16 * 16;
    *used = gw_slots_end(*used, *group);
    const cudaError_t error = cudaMemsetAsync(group->memory + l->keys, GW_REDUCE_UNUSED, l->keys_end - l->keys, stream);
    return error == cudaSuccess ? GW_OK : gw_report(GW_ERROR_CUDA, "%s: %s", name, cudaGetErrorString(error));
}

/* The first array, which begins with a sector wherever the workspace does. */
template <class K, class V> inline V *gw_list_full_rows(const gw_list_group<K, V> &group) {
    return (V *)(((uintptr_t)group.memory + group.layout.full + GW_LIST_SECTOR - 1) / GW_LIST_SECTOR * GW_LIST_SECTOR);
}

template <class K, class V> inline gw_list_slots<K, V> gw_slots_in(const gw_list_group<K, V> &group) {
    if (!group.memory) return {};
    const gw_list_layout *l = &group.layout;
    return {(K *)(group.memory + l->keys), gw_list_full_rows(group), (V *)(group.memory + l->rest), group.reduction.rows, l->full_each, l->rest_each, 0, nullptr};
}

/* ---- behind the kernel ---- */
/* Each position's key and mask of the warps that have a row there, and its number if they are to be sorted. */
template <class K>
__global__ void gw_list_positions(K *__restrict__ keys, uint32_t *__restrict__ numbers, uint32_t *__restrict__ masks, const K *__restrict__ row_keys, size_t positions,
                                  unsigned int warps, unsigned int bits) {
    enum { AT_ONCE = 8 };
    const size_t position = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (position >= positions) return;
    const K unused = gw_reduce_unused<K>();
    K found = unused;
    uint32_t mask = 0;
    for (unsigned int first = 0; first < warps; first += AT_ONCE) {
        K key[AT_ONCE];
#pragma unroll
        for (unsigned int i = 0; i < AT_ONCE; i++) key[i] = first + i < warps ? row_keys[(first + i) * positions + position] : unused;
#pragma unroll
        for (unsigned int i = 0; i < AT_ONCE; i++)
            if (key[i] != unused) found = key[i], mask |= 1u << (first + i);
    }
    keys[position] = found;
    if (numbers) numbers[position] = (uint32_t)position | (bits ? mask << bits : 0);
    if (!bits) masks[position] = mask;
}

enum { GW_LIST_AT_ONCE = 4 }; /* warps whose rows are loaded at once */

/* Positions as rows of a reduction, `values` those of the first array. */
template <class K, class V> struct gw_list_rows : gw_reduce_rows<K, V> {
    const V *rest;
    const uint32_t *masks;
    unsigned int warps, bits, full_each, rest_each;
    /* Registers for words under way: else the compiler adds each before it asks for the next but two, so as to have room for more warps. */
    static constexpr unsigned int blocks(size_t bytes) { return bytes <= 48 ? 4 : 2; }
};

struct gw_list_place {
    uint32_t position, mask;
};

template <class K, class V>
__device__ __forceinline__ gw_list_place gw_reduce_find(const gw_list_rows<K, V> &in, size_t row, bool there) {
    const uint32_t word = !there ? 0 : in.order ? in.order[row] : (uint32_t)row;
    if (in.bits) return {word & ((1u << in.bits) - 1), word >> in.bits};
    return {word, there ? in.masks[word] : 0};
}

/* So many values, loaded by one instruction. */
template <class V, unsigned int N> struct alignas(N * sizeof(V)) gw_list_word { V value[N]; };

/* N words of each of 32 positions, which go to neighbouring lanes: what a lane has of them. */
template <class V, unsigned int N, unsigned int WIDE> struct gw_list_sums {
    typedef gw_list_word<V, WIDE> word;
    word sum[N] = {}, some[N][GW_LIST_AT_ONCE];

    /* The rows of warps from `first` on. `values`: of the first position. */
    __device__ __forceinline__ void load(const V *values, unsigned int each, unsigned int first, gw_list_place own, unsigned int lane) {
#pragma unroll
        for (unsigned int i = 0; i < N; i++) {
            const unsigned int from = (32 * i + lane) / N, at = (32 * i + lane) % N;
            const uint32_t mask = __shfl_sync(GW_ALL_LANES, own.mask, (int)from) >> first;
            const word *row = (const word *)((const char *)values + (size_t)__shfl_sync(GW_ALL_LANES, own.position, (int)from) * each) + (first * N + at);
#pragma unroll
            for (unsigned int k = 0; k < GW_LIST_AT_ONCE; k++) some[i][k] = mask >> k & 1 ? row[k * N] : word{};
        }
    }
    /* In the order of the warps. */
    __device__ __forceinline__ void add() {
#pragma unroll
        for (unsigned int i = 0; i < N; i++)
#pragma unroll
            for (unsigned int k = 0; k < GW_LIST_AT_ONCE; k++)
                for (unsigned int w = 0; w < WIDE; w++) sum[i].value[w] += some[i][k].value[w];
    }
    __device__ __forceinline__ void store(V *room, unsigned int pitch, unsigned int lane) const {
#pragma unroll
        for (unsigned int i = 0; i < N; i++)
            for (unsigned int w = 0; w < WIDE; w++) room[(32 * i + lane) / N * pitch + (32 * i + lane) % N * WIDE + w] = sum[i].value[w];
    }
};

template <class V, unsigned int WIDE> struct gw_list_sums<V, 0, WIDE> {
    __device__ __forceinline__ void load(const V *, unsigned int, unsigned int, gw_list_place, unsigned int) {}
    __device__ __forceinline__ void add() {}
    __device__ __forceinline__ void store(V *, unsigned int, unsigned int) const {}
};

template <unsigned int COLUMNS, class K, class V>
__device__ __forceinline__ void gw_reduce_load(V *room, const gw_list_rows<K, V> &in, gw_list_place own, unsigned int, unsigned int lane, unsigned int) {
    constexpr unsigned int full = gw_list_full<V>(COLUMNS), wide = 16 / sizeof(V);
    gw_list_sums<V, full / wide, wide> words;
    gw_list_sums<V, COLUMNS - full, 1> rest;
    for (unsigned int first = 0; first < in.warps; first += GW_LIST_AT_ONCE) {
        words.load(in.values, in.full_each, first, own, lane);
        rest.load(in.rest, in.rest_each, first, own, lane);
        words.add();
        rest.add();
    }
    words.store(room, COLUMNS | 1, lane);
    rest.store(room + full, COLUMNS | 1, lane);
}

template <class K, class V> inline gw_status gw_list_find(const gw_list_group<K, V> &group, cudaStream_t stream) {
    const gw_list_layout *l = &group.layout;
    const size_t positions = group.reduction.rows;
    const dim3 blocks((unsigned)((positions + GW_REDUCE_BLOCK - 1) / GW_REDUCE_BLOCK));
    return gw_launch("gw_slots_sum", gw_list_positions<K>, blocks, dim3(GW_REDUCE_BLOCK), 0, stream, (K *)group.memory,
                     group.reduction.contiguous ? nullptr : (uint32_t *)(group.memory + l->reduction.numbers), (uint32_t *)(group.memory + l->masks),
                     (const K *)(group.memory + l->keys), positions, group.warps, group.bits);
}

template <class K, class V> inline gw_status gw_list_order(const gw_list_group<K, V> &group, cudaStream_t stream) {
    return group.reduction.contiguous ? GW_OK : gw_reduce_order<K>(&group.reduction, group.layout.reduction, group.memory, stream);
}

template <class K, class V, class... C> inline gw_status gw_list_add(const gw_list_group<K, V> &group, cudaStream_t stream, C... columns) {
    const gw_reduce_column list[] = {columns...};
    const gw_list_layout *l = &group.layout;
    const gw_reduction *r = &group.reduction;
    gw_list_rows<K, V> in = {{(K *)group.memory, nullptr, gw_list_full_rows(group), r->rows}, (const V *)(group.memory + l->rest),
                             (const uint32_t *)(group.memory + l->masks), group.warps, group.bits, l->full_each, l->rest_each};
    if (!r->contiguous) in.keys = (K *)(group.memory + l->reduction.sorted), in.order = (const uint32_t *)(group.memory + l->reduction.order);
    return gw_reduce_levels<K, V, sizeof...(C)>(r, l->reduction, in, list, group.memory, stream);
}

template <class K, class V, class... C> inline gw_status gw_slots_sum(const gw_list_group<K, V> &group, cudaStream_t stream, C... columns) {
    if (group.reduction.rows == 0) return GW_OK;
    gw_status status = gw_list_find(group, stream);
    if (status == GW_OK) status = gw_list_order(group, stream);
    return status == GW_OK ? gw_list_add(group, stream, columns...) : status;
}

#endif
