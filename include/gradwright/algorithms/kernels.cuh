/*
 * algorithms/kernels.cuh - the kernels of Thrust's element-wise algorithms as the gradient of a program launches
 * them: one thread an element. Included by the text of a gradient that has such, and by the headers beside this
 * one, which Gradwright reads in the place of Thrust's. Iterators are pointers, and structs with operator[].
 */
#ifndef GRADWRIGHT_ALGORITHMS_KERNELS_CUH
#define GRADWRIGHT_ALGORITHMS_KERNELS_CUH

#include <stddef.h>

enum { GW_EACH_BLOCK = 256 };

inline unsigned int gw_each_grid(size_t gw_count) {
    return (unsigned int)((gw_count + GW_EACH_BLOCK - 1) / GW_EACH_BLOCK);
}

/* out[gw_i] = value */
template <class _GwOut, class _GwT> __global__ void gw_fill_each(_GwOut gw_out, size_t gw_count, _GwT gw_value) {
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

/* f(in[gw_i]) */
template <class _GwIn, class _GwF> __global__ void gw_for_each(_GwIn gw_in, size_t gw_count, _GwF gw_f) {
    const size_t gw_i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (gw_i < gw_count) gw_f(gw_in[gw_i]);
}

#endif
