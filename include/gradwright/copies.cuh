/*
 * copies.cuh - copies of a small array in the workspace, to which the blocks of a kernel add in turn, and which are summed behind it
 * (rung `copies`). For nvcc, Clang and the CPU device.
 *
 * Additions to one sector take a turn each in the slice of the L2 that has it, so a row of 1,024 floats keeps a few slices busy while the
 * others wait. As many copies as make GW_COPIES_CELLS cells, 64 KiB of floats, lie in all slices; twice as many cells gain nothing, so a
 * longer array has none. Each copy is summed by one thread for each cell, which is the only one to add to it then.
 */
#ifndef GRADWRIGHT_COPIES_CUH
#define GRADWRIGHT_COPIES_CUH

#include "gradwright/device.cuh"

enum {
    GW_COPIES_CELLS = 16384, /* of 4 bytes */
    GW_COPIES_MOST = 256,    /* of one array */
    GW_COPIES_ASKED = 2,     /* so few blocks have copies where they are asked for, */
    GW_COPIES_PAY = 1024,    /* and so few where zeroing and summing, some 5 us, shall be less than what turns take */
    GW_COPIES_BLOCK = 256
};

/* Of a launch; no cells: blocks add to the array itself. */
template <class T> struct gw_copies {
    T *cells;
    size_t length, stride; /* of a copy */
    unsigned int count;    /* a power of two, so that no thread has to divide */
};

template <class T> __device__ inline T *gw_copy_of_block(T *array, const gw_copies<T> &copies) {
    const unsigned int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    return copies.cells ? copies.cells + (block & (copies.count - 1)) * copies.stride : array;
}

/* ---- on the host ---- */

/* `last`: the greatest index. Copies begin at multiples of 32 bytes. */
template <class T> inline gw_copies<T> gw_copies_of(unsigned long long last, dim3 grid, unsigned int fewest_blocks) {
    const size_t blocks = gw_threads(grid, dim3(1)), most = GW_COPIES_CELLS * sizeof(float) / sizeof(T);
    if (blocks < fewest_blocks || last >= most) return {};
    const size_t length = (size_t)last + 1, stride = (length + 7) / 8 * 8;
    size_t count = most / stride;
    if (count > GW_COPIES_MOST) count = GW_COPIES_MOST;
    if (count > blocks) count = blocks;
    unsigned int rounded = 1;
    while (2 * rounded <= count) rounded *= 2;
    if (rounded < 2) return {};
    return {nullptr, length, stride, rounded};
}

template <class T> inline size_t gw_copies_bytes(const gw_copies<T> &copies) { return copies.count * copies.stride * sizeof(T); }

/* The end of what lies behind `bytes` bytes of the workspace. */
inline size_t gw_copies_start(size_t bytes) {
    const size_t at = gw_size_add(bytes, GW_WORKSPACE_ALIGNMENT - 1);
    return at == SIZE_MAX ? SIZE_MAX : at / GW_WORKSPACE_ALIGNMENT * GW_WORKSPACE_ALIGNMENT;
}
template <class T> inline size_t gw_copies_end(size_t bytes, const gw_copies<T> &copies) {
    return copies.count ? gw_size_add(gw_copies_start(bytes), gw_copies_bytes(copies)) : bytes;
}

/* Gives them their part of the workspace behind `*used` bytes. */
template <class T> inline gw_copies<T> gw_copies_place(gw_copies<T> copies, void *workspace, size_t *used) {
    if (!copies.count) return copies;
    copies.cells = (T *)((char *)workspace + gw_copies_start(*used));
    *used = gw_copies_end(*used, copies);
    return copies;
}

inline gw_status gw_copies_clear(const char *name, void *workspace, size_t from, size_t to, cudaStream_t stream) {
    if (from == to) return GW_OK;
    const cudaError_t error = cudaMemsetAsync((char *)workspace + from, 0, to - from, stream);
    return error == cudaSuccess ? GW_OK : gw_report(GW_ERROR_CUDA, "%s: %s", name, cudaGetErrorString(error));
}

/* ---- the sum ---- */

/* An array of numbers V, and its copies as such. */
template <class V> struct gw_copied_numbers {
    V *array;
    const V *cells;
    size_t length, stride;
    unsigned int count;
};

template <class V, class T> inline gw_copied_numbers<V> gw_copied(T *array, const gw_copies<T> &copies) {
    const size_t each = sizeof(T) / sizeof(V);
    return {(V *)array, (const V *)copies.cells, copies.length * each, copies.stride * each, copies.count};
}

template <class V> __device__ inline void gw_add_copies(const gw_copied_numbers<V> &of, size_t i) {
    if (i >= of.length) return;
    V sum = 0;
#pragma unroll 8
    for (unsigned int copy = 0; copy < of.count; copy++) sum += of.cells[copy * of.stride + i];
    if (sum != 0) of.array[i] += sum; /* members that nobody adds to keep their bits */
}

/* blockIdx.y: which of them. */
template <class V> __device__ inline void gw_add_copies_of(unsigned int number, size_t i, gw_copied_numbers<V> first) {
    if (number == 0) gw_add_copies(first, i);
}
template <class V, class W, class... L>
__device__ inline void gw_add_copies_of(unsigned int number, size_t i, gw_copied_numbers<V> first, gw_copied_numbers<W> second, L... others) {
    if (number == 0) gw_add_copies(first, i);
    else gw_add_copies_of(number - 1, i, second, others...);
}
template <class... V> __global__ void gw_sum_copies(gw_copied_numbers<V>... list) {
    gw_add_copies_of(blockIdx.y, blockIdx.x * (size_t)blockDim.x + threadIdx.x, list...);
}

template <class... V> inline gw_status gw_copies_sum(const char *name, cudaStream_t stream, const gw_copied_numbers<V> &...list) {
    const size_t lengths[] = {list.length...};
    size_t longest = 0;
    for (size_t length : lengths) longest = length > longest ? length : longest;
    if (longest == 0) return GW_OK;
    const dim3 grid((unsigned)((longest + GW_COPIES_BLOCK - 1) / GW_COPIES_BLOCK), (unsigned)sizeof...(V));
    return gw_launch(name, gw_sum_copies<V...>, grid, dim3(GW_COPIES_BLOCK), 0, stream, list...);
}

#endif
