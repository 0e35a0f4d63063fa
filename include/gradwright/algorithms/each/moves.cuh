/*
 * each/moves.cuh - kernels that move elements to where primitives say: by an order (sort.cuh), by numbers
 * (select.cuh). Each writes a cell once; the tool makes their adjoints, as of any kernel. Others find places by
 * comparing, and write integers.
 */
#ifndef GRADWRIGHT_EACH_MOVES_CUH
#define GRADWRIGHT_EACH_MOVES_CUH

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

/* The others, behind each other, from `out[from]` on: out + from may be the end of a buffer. */
template <class Out, class In>
__global__ void gw_compact_others(Out out, size_t from, In in, const int *flag, const unsigned *number,
                                  size_t n) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && !flag[i]) out[from + i - number[i]] = in[i];
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

/* ---- places ---- */
/* out[i]: how many of in[0] to in[n - 1], which are in order, come before values[i] (upper: or are equal). */
template <class Out, class In, class V, class Less>
__global__ void gw_bounds(Out out, In in, size_t n, V values, size_t count, bool upper, Less less) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        size_t from = 0, to = n;
        while (from < to) {
            const size_t middle = from + (to - from) / 2;
            const bool behind = upper ? !less(values[i], in[middle]) : less(in[middle], values[i]);
            if (behind)
                from = middle + 1;
            else
                to = middle;
        }
        out[i] = from;
    }
}

/* Whether what comes at its bound, a place that is not the end, is equal to values[i]. */
template <class Out, class In, class V, class Less>
__global__ void gw_found(Out out, In in, size_t n, V values, const size_t *bounds, size_t count, Less less) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) out[i] = bounds[i] < n && !less(values[i], in[bounds[i]]);
}

/* Runs of `width` that are in order become runs of twice as many: each element finds how many of the run beside
 * its own come before it. Equal ones of the first run come first. */
template <class K, class Less>
__global__ void gw_merge_runs(unsigned *out, const unsigned *in, const K *key, size_t n, size_t width,
                              Less less) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const size_t run = i / width, own = run * width, other = (run ^ 1) * width;
        size_t from = other < n ? other : n, to = other + width < n ? other + width : n;
        while (from < to) {
            const size_t middle = from + (to - from) / 2;
            const bool behind =
                run % 2 ? !less(key[in[i]], key[in[middle]]) : less(key[in[middle]], key[in[i]]);
            if (behind)
                from = middle + 1;
            else
                to = middle;
        }
        const size_t before = other < n ? from - other : 0;
        out[(own < other ? own : other) + (i - own) + before] = in[i];
    }
}

#endif
