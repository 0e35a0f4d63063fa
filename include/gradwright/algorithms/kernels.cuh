/*
 * algorithms/kernels.cuh - the kernels of Thrust's element-wise algorithms as the gradient of a program
 * launches them: one thread an element. Included by the text of a gradient that has such, and by the headers
 * beside this one, which Gradwright reads in the place of Thrust's. Iterators are pointers, and structs with
 * operator[].
 */
#ifndef GRADWRIGHT_ALGORITHMS_KERNELS_CUH
#define GRADWRIGHT_ALGORITHMS_KERNELS_CUH

#include <stddef.h>

enum { GW_EACH_BLOCK = 256 };

inline unsigned int gw_each_grid(size_t gw_count) {
    return (unsigned int)((gw_count + GW_EACH_BLOCK - 1) / GW_EACH_BLOCK);
}

/* out[gw_i] = value */
template <class _GwOut, class _GwT>
__global__ void gw_fill_each(_GwOut gw_out, size_t gw_count, _GwT gw_value) {
    const size_t gw_i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (gw_i < gw_count) gw_out[gw_i] = gw_value;
}

/* out[gw_i] = first + i step */
template <class _GwOut, class _GwT>
__global__ void gw_sequence_each(_GwOut gw_out, size_t gw_count, _GwT gw_first, _GwT gw_step) {
    const size_t gw_i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (gw_i < gw_count) gw_out[gw_i] = gw_first + (_GwT)gw_i * gw_step;
}

/* out[gw_i] = in[gw_i] */
template <class _GwOut, class _GwIn> __global__ void gw_copy_each(_GwOut gw_out, _GwIn gw_in, size_t gw_count) {
    const size_t gw_i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (gw_i < gw_count) gw_out[gw_i] = gw_in[gw_i];
}

/* out[gw_i] = f(in[gw_i]) */
template <class _GwOut, class _GwIn, class _GwF>
__global__ void gw_transform_each(_GwOut gw_out, _GwIn gw_in, size_t gw_count, _GwF gw_f) {
    const size_t gw_i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (gw_i < gw_count) gw_out[gw_i] = gw_f(gw_in[gw_i]);
}

/* out[gw_i] = f(in[gw_i], other[gw_i]) */
template <class _GwOut, class _GwIn, class _GwOther, class _GwF>
__global__ void gw_transform_pairs(_GwOut gw_out, _GwIn gw_in, _GwOther gw_other, size_t gw_count, _GwF gw_f) {
    const size_t gw_i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (gw_i < gw_count) gw_out[gw_i] = gw_f(gw_in[gw_i], gw_other[gw_i]);
}

/* A part of the sum: each thread folds what lies a grid apart. Of at most 16 an element; gw_reduce_shape. */
template <class _GwOut, class _GwIn, class _GwF>
__global__ void gw_reduce_part(_GwOut gw_out, _GwIn gw_in, size_t gw_count, _GwF gw_f) {
    const size_t gw_i = (size_t)blockIdx.x * blockDim.x + threadIdx.x,
                 gw_apart = (size_t)gridDim.x * blockDim.x;
    if (gw_i >= gw_count) return;
    auto gw_sum = gw_in[gw_i];
    for (size_t gw_k = gw_i + gw_apart; gw_k < gw_count; gw_k += gw_apart)
        gw_sum = gw_f(gw_sum, gw_in[gw_k]);
    gw_out[gw_i] = gw_sum;
}
/* out[0] = f(first, in[0]) */
template <class _GwT, class _GwF>
__global__ void gw_reduce_end(_GwT *gw_out, const _GwT *gw_in, _GwT gw_first, _GwF gw_f) {
    gw_out[0] = gw_f(gw_first, gw_in[0]);
}

/* out[gw_i] = in[map[gw_i]] */
template <class _GwOut, class _GwMap, class _GwIn>
__global__ void gw_gather_each(_GwOut gw_out, _GwMap gw_map, _GwIn gw_in, size_t gw_count) {
    const size_t gw_i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (gw_i < gw_count) gw_out[gw_i] = gw_in[gw_map[gw_i]];
}
/* out[map[gw_i]] = in[gw_i]; no two go to one place */
template <class _GwOut, class _GwMap, class _GwIn>
__global__ void gw_scatter_each(_GwOut gw_out, _GwMap gw_map, _GwIn gw_in, size_t gw_count) {
    const size_t gw_i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (gw_i < gw_count) gw_out[gw_map[gw_i]] = gw_in[gw_i];
}

/* f(in[gw_i]) */
template <class _GwIn, class _GwF> __global__ void gw_for_each(_GwIn gw_in, size_t gw_count, _GwF gw_f) {
    const size_t gw_i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (gw_i < gw_count) gw_f(gw_in[gw_i]);
}

#endif
