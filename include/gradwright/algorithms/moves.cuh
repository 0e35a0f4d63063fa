/*
 * algorithms/moves.cuh - kernels that move elements to where primitives say: by an order (sort.cuh), by numbers
 * (select.cuh). Of each what is written is written once; the tool makes their adjoints, as of any kernel.
 */
#ifndef GRADWRIGHT_ALGORITHMS_MOVES_CUH
#define GRADWRIGHT_ALGORITHMS_MOVES_CUH

#include <stddef.h>

#include "gradwright/gradwright.h"

/* out[i] = in[order[i]], a permutation: each adjoint has one owner */
template <class Out, class In>
GW_INJECTIVE(order)
__global__ void gw_permute(Out out, In in, const unsigned *order, size_t n) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[order[i]];
}

/* 1 where p holds of in[i] */
template <class In, class P> __global__ void gw_flag_where(int *flag, In in, size_t n, P p) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) flag[i] = p(in[i]) ? 1 : 0;
}

/* 1 where an element and the one before it are not the same: the heads of segments */
template <class In, class P> __global__ void gw_flag_heads(int *flag, In in, size_t n, P same) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) flag[i] = i == 0 || !same(in[i - 1], in[i]) ? 1 : 0;
}

/* Numbers from 1 become those of segments, from 0. */
template <class T> __global__ void gw_number_from_zero(T *number, size_t n) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) number[i] = number[i] - 1;
}

/* The flagged ones, behind each other. */
template <class Out, class In>
__global__ void gw_compact(Out out, In in, const int *flag, const unsigned *number, size_t n) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && flag[i]) out[number[i] - 1] = in[i];
}

/* The flagged ones, then the others, each in their order. */
template <class Out, class In>
__global__ void gw_part(Out out, In in, const int *flag, const unsigned *number, const unsigned *count,
                        size_t n) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[flag[i] ? number[i] - 1 : *count + i - number[i]] = in[i];
}

/* The last one of each segment; segments have numbers from 0. */
template <class Out, class In> __global__ void gw_tails(Out out, In in, const unsigned *segment, size_t n) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && (i + 1 == n || segment[i + 1] != segment[i])) out[segment[i]] = in[i];
}

#endif
