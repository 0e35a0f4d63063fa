/*
 * list_slots.cuh - rows of warps at positions of a list, for additions that are sorted and summed behind the
 * kernel (rung `slots`).
 *
 * A group has one row for each position of the list and each warp of a block, with a value in each column; a
 * position has a key. Warps of one block have rows of their own, and a warp comes to a position once, so what a
 * row holds is the same on every run. gw_slots_sum finds the key of each position and the warps that have a row
 * there, sorts positions by key, unless the keys at positions were promised to ascend, and sums tiles of
 * positions as reduce.cuh does, where a position's value is the sum of its rows in the order of the warps. The
 * rows of one position lie behind each other, so that what is read where the sort leads is read once: as many
 * columns as fill sectors of memory in the first array, so that a row has whole sectors, the rest in a second
 * one. For nvcc, Clang and the CPU device.
 */
#ifndef GRADWRIGHT_LIST_SLOTS_CUH
#define GRADWRIGHT_LIST_SLOTS_CUH

#include "gradwright/emitted/slots.cuh"

/* ---- in the kernel ---- */
template <class _GwK, class _GwV> struct gw_list_slots {
    _GwK *gw_keys; /* of the rows of the first warp, then of the second; unused where it has written none */
    /* rows of the warps at the first position, then at the second; those of a row side by side */
    _GwV *gw_full;
    _GwV *gw_rest; /* the same, of the columns behind those */
    size_t gw_positions;
    /* bytes of the rows of a position: told by the host they take no registers */
    unsigned int gw_full_each, gw_rest_each;
    unsigned int gw_stride;
    /* what this lane writes of its warp's row at position 0; `gw_stride` is how far apart that is, 0: it writes
     * nothing */
    char *gw_own;
};

__device__ inline unsigned int gw_list_thread() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

enum { GW_LIST_SECTOR = 32 }; /* bytes */

/* How many of so many columns the first array has. */
template <class _GwV>
__host__ __device__ __forceinline__ constexpr unsigned int gw_list_full(unsigned int gw_columns) {
    return gw_columns - gw_columns % (unsigned int)(GW_LIST_SECTOR / sizeof(_GwV));
}

/* The one of M sums of a warp that a lane has: see gw_share_sums. */
template <unsigned int _GwM, unsigned int _GwDistance>
__device__ __forceinline__ void gw_list_share(unsigned int gw_this_lane, unsigned int &gw_low,
                                              unsigned int &gw_high) {
    if constexpr (_GwDistance > 0) {
        constexpr unsigned int gw_half = (_GwM + 1) / 2;
        if (gw_this_lane & _GwDistance) gw_low += gw_half;
        else gw_high = gw_low + gw_half < gw_high ? gw_low + gw_half : gw_high;
        gw_list_share<gw_half, _GwDistance / 2>(gw_this_lane, gw_low, gw_high);
    }
}

/* The last lane has no sum where there are fewer than 32, and writes the key with the same instruction, if it
 * is as long. */
template <unsigned int _GwColumns, class _GwK, class _GwV>
__device__ __forceinline__ constexpr bool gw_list_is_joined() {
    return _GwColumns < 32 && sizeof(_GwK) == sizeof(_GwV);
}

template <unsigned int _GwColumns, class _GwK, class _GwV>
__device__ inline void gw_list_slots_begin(gw_list_slots<_GwK, _GwV> *gw_rows) {
    const unsigned int gw_warp = gw_list_thread() / 32;
    unsigned int gw_low = 0, gw_high = _GwColumns;
    gw_list_share<_GwColumns, 16>(gw_lane(), gw_low, gw_high);
    constexpr unsigned int gw_full = gw_list_full<_GwV>(_GwColumns);
    /* full may be 0: no warning then */
    const bool gw_tells = gw_lane() == 31, gw_in_full = (int)gw_low < (int)gw_full;
    if (gw_tells) {
        gw_rows->gw_own = (char *)(gw_rows->gw_keys + gw_warp * gw_rows->gw_positions);
        gw_rows->gw_stride = (unsigned int)sizeof(_GwK);
    } else if (gw_in_full) {
        gw_rows->gw_own = (char *)(gw_rows->gw_full + (gw_warp * gw_full + gw_low));
        gw_rows->gw_stride = (unsigned int)gw_rows->gw_full_each;
    } else {
        gw_rows->gw_own =
            (char *)(gw_rows->gw_rest + (gw_warp * (_GwColumns - gw_full) + (gw_low - gw_full)));
        gw_rows->gw_stride = (unsigned int)gw_rows->gw_rest_each;
    }
    if (!gw_tells && gw_low >= gw_high) gw_rows->gw_stride = 0;
#if defined(__CUDA_ARCH__) && !defined(GW_CPU_DEVICE)
    /* found once: not again at each row, of what it is made of */
    asm volatile("" : "+l"(gw_rows->gw_own), "+r"(gw_rows->gw_stride));
#endif
}

__device__ __forceinline__ char *gw_list_at(char *gw_first, unsigned int gw_each, unsigned int gw_where) {
    char *gw_lies_at = gw_first + (size_t)gw_where * gw_each;
#if defined(__CUDA_ARCH__) && !defined(GW_CPU_DEVICE)
    /* one instruction, not five */
    asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(gw_lies_at) : "r"(gw_where), "r"(gw_each), "l"(gw_first));
#endif
    return gw_lies_at;
}

template <class _GwK, class _GwV>
__device__ __forceinline__ void gw_list_write(char *gw_where, bool gw_tells, _GwK gw_key, _GwV gw_value) {
    _GwV gw_word = gw_value;
    if (gw_tells) __builtin_memcpy(&gw_word, &gw_key, sizeof gw_word);
    __builtin_memcpy(__builtin_assume_aligned(gw_where, sizeof gw_word), &gw_word, sizeof gw_word);
}

/* What the lanes, all that there are, add to the cells of the key, which is the same in all of them, as is the
 * position; at least one lane adds, and those that do not have 0. */
template <class _GwK, class _GwV, class... _GwW>
__device__ __forceinline__ void gw_list_row(unsigned int gw_lanes, gw_list_slots<_GwK, _GwV> *gw_rows,
                                            long long gw_position, typename gw_exactly<_GwK>::gw_type gw_key,
                                            _GwW... gw_values) {
    constexpr unsigned int gw_columns = sizeof...(_GwW);
    const unsigned int gw_this_lane = gw_lane(), gw_where = (unsigned int)gw_position;
    /* by a vote: else nvcc asks who is left, at each shuffle */
    if (__any_sync(gw_lanes,
                   (size_t)gw_position >= gw_rows->gw_positions || gw_key == gw_reduce_unused<_GwK>()))
        gw_slot_refuse();
    _GwV gw_list[] = {gw_values...};
    if constexpr (gw_list_is_joined<gw_columns, _GwK, _GwV>()) {
        if (gw_lanes == GW_ALL_LANES) {
            unsigned int gw_low = 0, gw_high = gw_columns;
            gw_share_sums<gw_columns, 16>(gw_this_lane, gw_list, gw_low, gw_high);
            if (gw_rows->gw_stride)
                gw_list_write(gw_list_at(gw_rows->gw_own, gw_rows->gw_stride, gw_where),
                              gw_columns == 1 ? gw_this_lane == 31 : gw_rows->gw_stride == sizeof(_GwK),
                              (_GwK)gw_key, gw_list[0]);
            return;
        }
    }
    const unsigned int gw_warp = gw_list_thread() / 32;
    constexpr unsigned int gw_full = gw_list_full<_GwV>(gw_columns);
    gw_warp_sums<gw_columns>(gw_lanes, gw_list, [&](unsigned int gw_k, _GwV gw_sum) {
        if ((int)gw_k < (int)gw_full)
            ((_GwV *)((char *)gw_rows->gw_full +
                      (size_t)gw_where * gw_rows->gw_full_each))[gw_warp * gw_full + gw_k] = gw_sum;
        else
            ((_GwV *)((char *)gw_rows->gw_rest +
                      (size_t)gw_where *
                          gw_rows->gw_rest_each))[gw_warp * (gw_columns - gw_full) + (gw_k - gw_full)] = gw_sum;
    });
    if (gw_this_lane == 0) gw_rows->gw_keys[gw_warp * gw_rows->gw_positions + gw_where] = gw_key;
}
/* The same where it is not known that a lane adds. */
template <class _GwK, class _GwV, class... _GwW>
__device__ __forceinline__ void gw_list_slot(bool gw_active, gw_list_slots<_GwK, _GwV> *gw_rows,
                                             long long gw_position, typename gw_exactly<_GwK>::gw_type gw_key,
                                             _GwW... gw_values) {
    const unsigned int gw_lanes = gw_present_lanes();
    if (__any_sync(gw_lanes, gw_active)) gw_list_row(gw_lanes, gw_rows, gw_position, gw_key, gw_values...);
}

/* ---- on the host ---- */
/* Offsets in the group's part of the workspace, which begins with what the reduction takes. */
struct gw_list_layout {
    gw_reduce_layout gw_reduced;
    size_t gw_masks, gw_keys, gw_keys_end, gw_full, gw_rest, gw_end;
    unsigned gw_full_each, gw_rest_each; /* bytes of the rows of a position */
};

template <class _GwK, class _GwV> struct gw_list_group {
    char *gw_memory;
    gw_reduction gw_reduced; /* of positions */
    /* bits: of a position's number, which has its mask of warps above them in one word; 0: masks lie apart */
    unsigned gw_warps, gw_bits;
    gw_list_layout gw_layout;
};

/* `contiguous`: as in a gw_reduction of the positions. */
template <class _GwK, class _GwV>
inline gw_list_group<_GwK, _GwV> gw_list_slots_of(size_t gw_positions, unsigned gw_columns, dim3 gw_block,
                                                  int contiguous = 0) {
    const unsigned gw_warps = (unsigned)((gw_threads(dim3(1), gw_block) + 31) / 32);
    gw_list_group<_GwK, _GwV> gw_group = {
        nullptr, {gw_positions, sizeof(_GwK), sizeof(_GwV), gw_columns, contiguous}, gw_warps, 1, {}};
    gw_list_layout *gw_l = &gw_group.gw_layout;
    if (gw_positions == 0) return gw_group;
    if (!gw_reduce_is_legal(&gw_group.gw_reduced)) gw_l->gw_end = SIZE_MAX;
    if (gw_l->gw_end == SIZE_MAX) return gw_group;
    while ((gw_positions - 1) >> gw_group.gw_bits) gw_group.gw_bits++;
    if (contiguous || gw_group.gw_bits + gw_warps > 32) gw_group.gw_bits = 0;
    gw_l->gw_reduced = gw_reduce_lay_out(&gw_group.gw_reduced, false);
    gw_l->gw_end = gw_l->gw_reduced.gw_end;
    gw_l->gw_masks = gw_reduce_place(&gw_l->gw_end, gw_group.gw_bits ? 0 : gw_positions, sizeof(uint32_t));
    gw_l->gw_keys = gw_reduce_place(&gw_l->gw_end, gw_size_mul(gw_positions, gw_warps), sizeof(_GwK));
    gw_l->gw_keys_end = gw_l->gw_end;
    gw_l->gw_full_each = (unsigned)(gw_list_full<_GwV>(gw_columns) * gw_warps * sizeof(_GwV));
    gw_l->gw_rest_each = (unsigned)((gw_columns - gw_list_full<_GwV>(gw_columns)) * gw_warps * sizeof(_GwV));
    /* not as far apart as keys: gw_list_row tells them apart by that */
    if (gw_l->gw_rest_each == sizeof(_GwV)) gw_l->gw_rest_each *= 2;
    gw_l->gw_full = gw_reduce_place(&gw_l->gw_end, gw_positions, gw_l->gw_full_each);
    gw_l->gw_end = gw_size_add(gw_l->gw_end, gw_l->gw_full_each ? GW_LIST_SECTOR : 0);
    gw_l->gw_rest = gw_reduce_place(&gw_l->gw_end, gw_positions, gw_l->gw_rest_each);
    return gw_group;
}

template <class _GwK, class _GwV>
inline size_t gw_slots_end(size_t gw_bytes, const gw_list_group<_GwK, _GwV> &gw_group) {
    return gw_size_add(gw_space_behind(gw_bytes, GW_ROWS_ALIGNMENT), gw_group.gw_layout.gw_end);
}

/* Gives the group its part of the workspace behind `*used` bytes, all rows unused there. */
template <class _GwK, class _GwV>
inline gw_status gw_slots_place(const char *gw_name, gw_list_group<_GwK, _GwV> *gw_group, void *gw_workspace,
                                size_t *gw_used, cudaStream_t gw_stream) {
    const gw_list_layout *gw_l = &gw_group->gw_layout;
    if (gw_group->gw_reduced.rows == 0) return GW_OK;
    gw_group->gw_memory = (char *)gw_workspace + gw_space_behind(*gw_used, GW_ROWS_ALIGNMENT);
    *gw_used = gw_slots_end(*gw_used, *gw_group);
    const cudaError_t gw_error = cudaMemsetAsync(gw_group->gw_memory + gw_l->gw_keys, GW_REDUCE_UNUSED,
                                                 gw_l->gw_keys_end - gw_l->gw_keys, gw_stream);
    return gw_error == cudaSuccess ? GW_OK
                                   : gw_report(GW_ERROR_CUDA, "%s: %s", gw_name, cudaGetErrorString(gw_error));
}

/* The first array, which begins with a sector wherever the workspace does. */
template <class _GwK, class _GwV> inline _GwV *gw_list_full_rows(const gw_list_group<_GwK, _GwV> &gw_group) {
    return (_GwV *)(((uintptr_t)gw_group.gw_memory + gw_group.gw_layout.gw_full + GW_LIST_SECTOR - 1) /
                    GW_LIST_SECTOR * GW_LIST_SECTOR);
}

template <class _GwK, class _GwV>
inline gw_list_slots<_GwK, _GwV> gw_slots_in(const gw_list_group<_GwK, _GwV> &gw_group) {
    if (!gw_group.gw_memory) return {};
    const gw_list_layout *gw_l = &gw_group.gw_layout;
    return {(_GwK *)(gw_group.gw_memory + gw_l->gw_keys),
            gw_list_full_rows(gw_group),
            (_GwV *)(gw_group.gw_memory + gw_l->gw_rest),
            gw_group.gw_reduced.rows,
            gw_l->gw_full_each,
            gw_l->gw_rest_each,
            0,
            nullptr};
}

/* ---- behind the kernel ---- */
/* Each position's key and mask of the warps that have a row there, and its number if they are to be sorted. */
template <class _GwK>
__global__ void gw_list_positions(_GwK *__restrict__ gw_keys, uint32_t *__restrict__ gw_numbers,
                                  uint32_t *__restrict__ gw_masks, const _GwK *__restrict__ gw_row_keys,
                                  size_t gw_positions, unsigned int gw_warps, unsigned int gw_bits) {
    enum { GW_AT_ONCE = 8 };
    const size_t gw_position = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (gw_position >= gw_positions) return;
    const _GwK gw_unused = gw_reduce_unused<_GwK>();
    _GwK gw_found = gw_unused;
    uint32_t gw_mask = 0;
    for (unsigned int gw_first = 0; gw_first < gw_warps; gw_first += GW_AT_ONCE) {
        _GwK gw_key[GW_AT_ONCE];
#pragma unroll
        for (unsigned int gw_i = 0; gw_i < GW_AT_ONCE; gw_i++)
            gw_key[gw_i] = gw_first + gw_i < gw_warps
                               ? gw_row_keys[(gw_first + gw_i) * gw_positions + gw_position]
                               : gw_unused;
#pragma unroll
        for (unsigned int gw_i = 0; gw_i < GW_AT_ONCE; gw_i++)
            if (gw_key[gw_i] != gw_unused) gw_found = gw_key[gw_i], gw_mask |= 1u << (gw_first + gw_i);
    }
    gw_keys[gw_position] = gw_found;
    if (gw_numbers) gw_numbers[gw_position] = (uint32_t)gw_position | (gw_bits ? gw_mask << gw_bits : 0);
    if (!gw_bits) gw_masks[gw_position] = gw_mask;
}

enum { GW_LIST_AT_ONCE = 4 }; /* warps whose rows are loaded at once */

/* Positions as rows of a reduction, `gw_values` those of the first array. */
template <class _GwK, class _GwV> struct gw_list_rows : gw_reduce_rows<_GwK, _GwV> {
    const _GwV *gw_rest;
    const uint32_t *gw_masks;
    unsigned int gw_warps, gw_bits, gw_full_each, gw_rest_each;
    /* Registers for words under way: else the compiler adds each before it asks for the next but two, so as to
     * have room for more warps. */
    static constexpr unsigned int gw_blocks(size_t gw_bytes) { return gw_bytes <= 48 ? 4 : 2; }
};

struct gw_list_place {
    uint32_t gw_position, gw_mask;
};

template <class _GwK, class _GwV>
__device__ __forceinline__ gw_list_place gw_reduce_find(const gw_list_rows<_GwK, _GwV> &gw_in, size_t gw_row,
                                                        bool gw_there) {
    uint32_t gw_word = gw_there ? (uint32_t)gw_row : 0;
    if (gw_there && gw_in.gw_order) gw_word = gw_in.gw_order[gw_row];
    if (gw_in.gw_bits) return {gw_word & ((1u << gw_in.gw_bits) - 1), gw_word >> gw_in.gw_bits};
    return {gw_word, gw_there ? gw_in.gw_masks[gw_word] : 0};
}

/* So many values, loaded by one instruction. */
template <class _GwV, unsigned int _GwN> struct alignas(_GwN * sizeof(_GwV)) gw_list_word {
    _GwV gw_value[_GwN];
};

/* N words of each of 32 positions, which go to neighbouring lanes: what a lane has of them. */
template <class _GwV, unsigned int _GwN, unsigned int _GwWide> struct gw_list_sums {
    typedef gw_list_word<_GwV, _GwWide> gw_word;
    gw_word gw_sum[_GwN] = {}, gw_some[_GwN][GW_LIST_AT_ONCE];

    /* The rows of warps from `gw_first` on. `gw_values`: of the first position. */
    __device__ __forceinline__ void gw_load(const _GwV *gw_values, unsigned int gw_each, unsigned int gw_first,
                                            gw_list_place gw_own, unsigned int gw_this_lane) {
#pragma unroll
        for (unsigned int gw_i = 0; gw_i < _GwN; gw_i++) {
            const unsigned int gw_from = (32 * gw_i + gw_this_lane) / _GwN,
                               gw_where = (32 * gw_i + gw_this_lane) % _GwN;
            const uint32_t gw_mask = __shfl_sync(GW_ALL_LANES, gw_own.gw_mask, (int)gw_from) >> gw_first;
            const gw_word *gw_row =
                (const gw_word *)((const char *)gw_values +
                                  (size_t)__shfl_sync(GW_ALL_LANES, gw_own.gw_position, (int)gw_from) *
                                      gw_each) +
                (gw_first * _GwN + gw_where);
#pragma unroll
            for (unsigned int gw_k = 0; gw_k < GW_LIST_AT_ONCE; gw_k++)
                gw_some[gw_i][gw_k] = gw_mask >> gw_k & 1 ? gw_row[gw_k * _GwN] : gw_word{};
        }
    }
    /* In the order of the warps. */
    __device__ __forceinline__ void gw_add() {
#pragma unroll
        for (unsigned int gw_i = 0; gw_i < _GwN; gw_i++)
#pragma unroll
            for (unsigned int gw_k = 0; gw_k < GW_LIST_AT_ONCE; gw_k++)
                for (unsigned int gw_w = 0; gw_w < _GwWide; gw_w++)
                    gw_sum[gw_i].gw_value[gw_w] += gw_some[gw_i][gw_k].gw_value[gw_w];
    }
    __device__ __forceinline__ void gw_store(_GwV *gw_room, unsigned int gw_pitch,
                                             unsigned int gw_this_lane) const {
#pragma unroll
        for (unsigned int gw_i = 0; gw_i < _GwN; gw_i++)
            for (unsigned int gw_w = 0; gw_w < _GwWide; gw_w++)
                gw_room[(32 * gw_i + gw_this_lane) / _GwN * gw_pitch +
                        (32 * gw_i + gw_this_lane) % _GwN * _GwWide + gw_w] = gw_sum[gw_i].gw_value[gw_w];
    }
};

template <class _GwV, unsigned int _GwWide> struct gw_list_sums<_GwV, 0, _GwWide> {
    __device__ __forceinline__ void gw_load(const _GwV *, unsigned int, unsigned int, gw_list_place,
                                            unsigned int) {}
    __device__ __forceinline__ void gw_add() {}
    __device__ __forceinline__ void gw_store(_GwV *, unsigned int, unsigned int) const {}
};

template <unsigned int _GwColumns, class _GwK, class _GwV>
__device__ __forceinline__ void gw_reduce_load(_GwV *gw_room, const gw_list_rows<_GwK, _GwV> &gw_in,
                                               gw_list_place gw_own, unsigned int, unsigned int gw_this_lane,
                                               unsigned int) {
    constexpr unsigned int gw_full = gw_list_full<_GwV>(_GwColumns), gw_wide = 16 / sizeof(_GwV);
    gw_list_sums<_GwV, gw_full / gw_wide, gw_wide> gw_words;
    gw_list_sums<_GwV, _GwColumns - gw_full, 1> gw_rest;
    for (unsigned int gw_first = 0; gw_first < gw_in.gw_warps; gw_first += GW_LIST_AT_ONCE) {
        gw_words.gw_load(gw_in.gw_values, gw_in.gw_full_each, gw_first, gw_own, gw_this_lane);
        gw_rest.gw_load(gw_in.gw_rest, gw_in.gw_rest_each, gw_first, gw_own, gw_this_lane);
        gw_words.gw_add();
        gw_rest.gw_add();
    }
    gw_words.gw_store(gw_room, _GwColumns | 1, gw_this_lane);
    gw_rest.gw_store(gw_room + gw_full, _GwColumns | 1, gw_this_lane);
}

template <class _GwK, class _GwV>
inline gw_status gw_list_find(const gw_list_group<_GwK, _GwV> &gw_group, cudaStream_t gw_stream) {
    const gw_list_layout *gw_l = &gw_group.gw_layout;
    const size_t gw_positions = gw_group.gw_reduced.rows;
    const dim3 gw_blocks((unsigned)((gw_positions + GW_REDUCE_BLOCK - 1) / GW_REDUCE_BLOCK));
    return gw_launch(
        "gw_slots_sum", gw_list_positions<_GwK>, gw_blocks, dim3(GW_REDUCE_BLOCK), 0, gw_stream,
        (_GwK *)gw_group.gw_memory,
        gw_group.gw_reduced.contiguous ? nullptr
                                       : (uint32_t *)(gw_group.gw_memory + gw_l->gw_reduced.gw_numbers),
        (uint32_t *)(gw_group.gw_memory + gw_l->gw_masks), (const _GwK *)(gw_group.gw_memory + gw_l->gw_keys),
        gw_positions, gw_group.gw_warps, gw_group.gw_bits);
}

template <class _GwK, class _GwV>
inline gw_status gw_list_order(const gw_list_group<_GwK, _GwV> &gw_group, cudaStream_t gw_stream) {
    return gw_group.gw_reduced.contiguous
               ? GW_OK
               : gw_reduce_order<_GwK>(&gw_group.gw_reduced, gw_group.gw_layout.gw_reduced, gw_group.gw_memory,
                                       gw_stream);
}

template <class _GwK, class _GwV, class... _GwC>
inline gw_status gw_list_add(const gw_list_group<_GwK, _GwV> &gw_group, cudaStream_t gw_stream,
                             _GwC... gw_columns) {
    const gw_reduce_column gw_list[] = {gw_columns...};
    const gw_list_layout *gw_l = &gw_group.gw_layout;
    const gw_reduction *gw_r = &gw_group.gw_reduced;
    gw_list_rows<_GwK, _GwV> gw_in = {
        {(_GwK *)gw_group.gw_memory, nullptr, gw_list_full_rows(gw_group), gw_r->rows},
        (const _GwV *)(gw_group.gw_memory + gw_l->gw_rest),
        (const uint32_t *)(gw_group.gw_memory + gw_l->gw_masks),
        gw_group.gw_warps,
        gw_group.gw_bits,
        gw_l->gw_full_each,
        gw_l->gw_rest_each};
    if (!gw_r->contiguous)
        gw_in.gw_keys = (_GwK *)(gw_group.gw_memory + gw_l->gw_reduced.gw_sorted),
        gw_in.gw_order = (const uint32_t *)(gw_group.gw_memory + gw_l->gw_reduced.gw_order);
    return gw_reduce_levels<_GwK, _GwV, sizeof...(_GwC)>(gw_r, gw_l->gw_reduced, gw_in, gw_list,
                                                         gw_group.gw_memory, gw_stream);
}

template <class _GwK, class _GwV, class... _GwC>
inline gw_status gw_slots_sum(const gw_list_group<_GwK, _GwV> &gw_group, cudaStream_t gw_stream,
                              _GwC... gw_columns) {
    if (gw_group.gw_reduced.rows == 0) return GW_OK;
    gw_status gw_result = gw_list_find(gw_group, gw_stream);
    if (gw_result == GW_OK) gw_result = gw_list_order(gw_group, gw_stream);
    return gw_result == GW_OK ? gw_list_add(gw_group, gw_stream, gw_columns...) : gw_result;
}

#endif
