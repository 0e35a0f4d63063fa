/*
 * copies.cuh - copies of a small array in the workspace, to which the blocks of a kernel add in turn, and which
 * are summed behind it (rung `copies`). For nvcc, Clang and the CPU device.
 *
 * Additions to one sector take a turn each in the slice of the L2 that has it, so a row of 1,024 floats keeps a
 * few slices busy while the others wait. As many copies as make GW_COPIES_CELLS cells, 64 KiB of floats, lie in
 * all slices; twice as many cells gain nothing, so a longer array has none. Each copy is summed by one thread
 * for each cell, which is the only one to add to it then.
 */
#ifndef GRADWRIGHT_COPIES_CUH
#define GRADWRIGHT_COPIES_CUH

#include "gradwright/emitted/device.cuh"

enum {
    GW_COPIES_CELLS = 16384, /* of 4 bytes */
    GW_COPIES_MOST = 256,    /* of one array */
    GW_COPIES_ASKED = 2,     /* so few blocks have copies where they are asked for, */
    /* and so few where zeroing and summing, some 5 us, shall be less than what turns take */
    GW_COPIES_PAY = 1024,
    GW_COPIES_BLOCK = 256,
    GW_SUMS_BYTES = 12288 /* of shared memory for each array that blocks sum before they add to a copy */
};

/* The copies that a launch has; without cells, blocks add to the array itself. */
template <class _GwT> struct gw_copies {
    _GwT *gw_cell_list;
    size_t gw_length, gw_stride; /* of a copy */
    unsigned int gw_count;    /* a power of two, so that no thread has to divide */
};

template <class _GwT>
__device__ inline _GwT *gw_copy_of_block(_GwT *gw_array, const gw_copies<_GwT> &gw_copy_list) {
    const unsigned int gw_block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    return gw_copy_list.gw_cell_list
               ? gw_copy_list.gw_cell_list + (gw_block & (gw_copy_list.gw_count - 1)) * gw_copy_list.gw_stride
               : gw_array;
}

/* A block of whose warps each has all cells sums them in its shared memory, if there are copies and they are no
 * longer than that; when it ends, it adds the sums to its copy. Stands where the copy does: &sums[k] is what
 * gw_atomic_add takes. */
template <class _GwT> struct gw_summed_cell {
    _GwT *gw_cell, *gw_sum; /* gw_sum: in shared memory, and nowhere else, so that nothing asks where */
    bool gw_is_sum;
    __device__ gw_summed_cell operator&() const { return *this; }
    __device__ operator const void *() const { return gw_cell; } /* whose it is, checked builds ask */
};
template <class _GwT> struct gw_sums {
    _GwT *gw_copy, *gw_list;
    size_t gw_length; /* 0: the block adds to its copy */
    __device__ gw_summed_cell<_GwT> operator[](size_t gw_k) const {
        return {gw_copy + gw_k, gw_list + gw_k, gw_length != 0};
    }
};
template <class _GwT> __device__ inline void gw_atomic_add(gw_summed_cell<_GwT> gw_target, _GwT gw_value) {
    if (gw_target.gw_is_sum) atomicAdd_block(gw_target.gw_sum, gw_value);
    else gw_atomic_add(gw_target.gw_cell, gw_value);
}

template <class _GwT>
__device__ inline gw_sums<_GwT> gw_sums_begin(_GwT *gw_copy, _GwT *gw_list,
                                              const gw_copies<_GwT> &gw_copy_list) {
    const bool gw_any = gw_copy_list.gw_cell_list && gw_copy_list.gw_length <= GW_SUMS_BYTES / sizeof(_GwT);
    const gw_sums<_GwT> gw_made = {gw_copy, gw_list, gw_any ? gw_copy_list.gw_length : 0};
    if (!gw_any) return gw_made;
    gw_clear_shared(gw_list, gw_made.gw_length * sizeof(_GwT));
    __syncthreads();
    return gw_made;
}

template <class _GwT> __device__ inline void gw_sums_end(const gw_sums<_GwT> &gw_of) {
    const size_t gw_size = (size_t)blockDim.x * blockDim.y * blockDim.z;
    const size_t gw_first = (threadIdx.z * blockDim.y + threadIdx.y) * (size_t)blockDim.x + threadIdx.x;
    if (!gw_of.gw_length) return;
    __syncthreads();
    for (size_t gw_k = gw_first; gw_k < gw_of.gw_length; gw_k += gw_size)
        if (gw_of.gw_list[gw_k] != 0) gw_atomic_add(&gw_of.gw_copy[gw_k], gw_of.gw_list[gw_k]);
}

/* ---- on the host ---- */

/* `gw_last`: the greatest index. Copies begin at multiples of 32 bytes. */
template <class _GwT>
inline gw_copies<_GwT> gw_copies_of(unsigned long long gw_last, dim3 gw_grid, unsigned int gw_fewest_blocks) {
    const size_t gw_blocks = gw_threads(gw_grid, dim3(1)),
                 gw_limit = GW_COPIES_CELLS * sizeof(float) / sizeof(_GwT);
    if (gw_blocks < gw_fewest_blocks || gw_last >= gw_limit) return {};
    const size_t gw_length = (size_t)gw_last + 1, gw_stride = (gw_length + 7) / 8 * 8;
    size_t gw_count = gw_limit / gw_stride;
    if (gw_count > GW_COPIES_MOST) gw_count = GW_COPIES_MOST;
    if (gw_count > gw_blocks) gw_count = gw_blocks;
    unsigned int gw_rounded = 1;
    while (2 * gw_rounded <= gw_count) gw_rounded *= 2;
    if (gw_rounded < 2) return {};
    return {nullptr, gw_length, gw_stride, gw_rounded};
}

template <class _GwT> inline size_t gw_copies_bytes(const gw_copies<_GwT> &gw_copy_list) {
    return gw_copy_list.gw_count * gw_copy_list.gw_stride * sizeof(_GwT);
}

/* The end of what lies behind `gw_bytes` bytes of the workspace. */
inline size_t gw_copies_start(size_t gw_bytes) { return gw_space_behind(gw_bytes, GW_WORKSPACE_ALIGNMENT); }
template <class _GwT> inline size_t gw_copies_end(size_t gw_bytes, const gw_copies<_GwT> &gw_copy_list) {
    return gw_copy_list.gw_count ? gw_size_add(gw_copies_start(gw_bytes), gw_copies_bytes(gw_copy_list))
                                 : gw_bytes;
}

/* Gives them their part of the workspace behind `*used` bytes; without a workspace there are none. */
template <class _GwT>
inline gw_copies<_GwT> gw_copies_place(gw_copies<_GwT> gw_copy_list, void *gw_workspace, size_t *gw_used) {
    if (!gw_copy_list.gw_count || !gw_workspace) return {};
    gw_copy_list.gw_cell_list = (_GwT *)((char *)gw_workspace + gw_copies_start(*gw_used));
    *gw_used = gw_copies_end(*gw_used, gw_copy_list);
    return gw_copy_list;
}

inline gw_status gw_copies_clear(const char *gw_name, void *gw_workspace, size_t gw_from, size_t gw_to,
                                 cudaStream_t gw_stream) {
    if (gw_from == gw_to) return GW_OK;
    return gw_clear_bytes(gw_name, (char *)gw_workspace + gw_from, gw_to - gw_from, gw_stream);
}

/* ---- the sum ---- */

/* An array of numbers V, and its copies as such; of an array that is new, their sums are stored. */
template <class _GwV> struct gw_copied_numbers {
    _GwV *gw_array;
    const _GwV *gw_cell_list;
    size_t gw_length, gw_stride;
    unsigned int gw_count;
    bool gw_is_new;
};

template <class _GwV, class _GwT>
inline gw_copied_numbers<_GwV> gw_copied(_GwT *gw_array, const gw_copies<_GwT> &gw_copy_list,
                                         bool gw_is_new = false) {
    const size_t gw_each = sizeof(_GwT) / sizeof(_GwV);
    return {(_GwV *)gw_array, (const _GwV *)gw_copy_list.gw_cell_list, gw_copy_list.gw_length * gw_each,
            gw_copy_list.gw_stride * gw_each, gw_copy_list.gw_count, gw_is_new};
}

/* How many cells are stored to then. */
template <class _GwT> inline unsigned long long gw_copied_cells(const gw_copies<_GwT> &gw_copy_list) {
    return gw_copy_list.gw_cell_list ? gw_copy_list.gw_length : 0;
}

template <class _GwV>
__device__ inline void gw_add_copies(const gw_copied_numbers<_GwV> &gw_whose, size_t gw_i) {
    if (gw_i >= gw_whose.gw_length) return;
    _GwV gw_sum = 0;
#pragma unroll 8
    for (unsigned int gw_copy = 0; gw_copy < gw_whose.gw_count; gw_copy++)
        gw_sum += gw_whose.gw_cell_list[gw_copy * gw_whose.gw_stride + gw_i];
    if (gw_whose.gw_is_new) gw_whose.gw_array[gw_i] = gw_sum;
    else if (gw_sum != 0) gw_whose.gw_array[gw_i] += gw_sum; /* members that nobody adds to keep their bits */
}

/* blockIdx.y: which of them. */
template <class _GwV>
__device__ inline void gw_add_copies_of(unsigned int gw_number, size_t gw_i, gw_copied_numbers<_GwV> gw_first) {
    if (gw_number == 0) gw_add_copies(gw_first, gw_i);
}
template <class _GwV, class _GwW, class... _GwL>
__device__ inline void gw_add_copies_of(unsigned int gw_number, size_t gw_i, gw_copied_numbers<_GwV> gw_first,
                                        gw_copied_numbers<_GwW> gw_second, _GwL... gw_others) {
    if (gw_number == 0) gw_add_copies(gw_first, gw_i);
    else gw_add_copies_of(gw_number - 1, gw_i, gw_second, gw_others...);
}
template <class... _GwV> __global__ void gw_sum_copies(gw_copied_numbers<_GwV>... gw_list) {
    gw_add_copies_of(blockIdx.y, blockIdx.x * (size_t)blockDim.x + threadIdx.x, gw_list...);
}

template <class... _GwV>
inline gw_status gw_copies_sum(const char *gw_name, cudaStream_t gw_stream,
                               const gw_copied_numbers<_GwV> &...gw_list) {
    const size_t gw_lengths[] = {gw_list.gw_length...};
    size_t gw_longest = 0;
    for (size_t gw_length : gw_lengths) gw_longest = gw_length > gw_longest ? gw_length : gw_longest;
    if (gw_longest == 0) return GW_OK;
    const dim3 gw_grid((unsigned)((gw_longest + GW_COPIES_BLOCK - 1) / GW_COPIES_BLOCK),
                       (unsigned)sizeof...(_GwV));
    return gw_launch(gw_name, gw_sum_copies<_GwV...>, gw_grid, dim3(GW_COPIES_BLOCK), 0, gw_stream, gw_list...);
}

#endif
