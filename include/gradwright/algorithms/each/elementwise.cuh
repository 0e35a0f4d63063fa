/* Algorithms of which a thread makes one element. */
#ifndef GRADWRIGHT_EACH_ELEMENTWISE_CUH
#define GRADWRIGHT_EACH_ELEMENTWISE_CUH
#include <gradwright/algorithms/each/iterators.cuh>

enum { GW_ALGORITHM_THREADS = 256 };

inline dim3 gw_algorithm_grid(size_t n) {
    return dim3((unsigned)((n + GW_ALGORITHM_THREADS - 1) / GW_ALGORITHM_THREADS));
}

/* ---- kernels ---- */
template <class In, class Out, class F> __global__ void gw_transform(Out out, In in, size_t n, F f) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = f(in[i]);
}
template <class A, class B, class Out, class F>
__global__ void gw_transform_of_pairs(Out out, A a, B b, size_t n, F f) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = f(a[i], b[i]);
}
template <class In, class S, class Out, class F, class P>
__global__ void gw_transform_if(Out out, In in, S stencil, size_t n, F f, P p) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && p(stencil[i])) out[i] = f(in[i]);
}
template <class In, class F> __global__ void gw_for_each(In in, size_t n, F f) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) f(in[i]);
}
template <class In, class Out> __global__ void gw_copy(Out out, In in, size_t n) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i];
}
template <class Out, class T> __global__ void gw_fill(Out out, size_t n, T value) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = value;
}
template <class Out, class T> __global__ void gw_sequence(Out out, size_t n, T first, T step) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = first + (T)i * step;
}
template <class Out, class F> __global__ void gw_tabulate(Out out, size_t n, F f) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = f((ptrdiff_t)i);
}
template <class In, class Out> __global__ void gw_backwards(Out out, In in, size_t n) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[n - 1 - i];
}
template <class I> __global__ void gw_exchange_ends(I at, size_t n) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n / 2) return;
    const auto other = at[i];
    at[i] = at[n - 1 - i];
    at[n - 1 - i] = other;
}
template <class M, class In, class Out> __global__ void gw_gather(Out out, In in, M map, size_t n) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[map[i]];
}
template <class M, class In, class Out> __global__ void gw_scatter(Out out, In in, M map, size_t n) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[map[i]] = in[i];
}
template <class M, class In, class S, class Out, class P>
__global__ void gw_scatter_if(Out out, In in, M map, S stencil, size_t n, P p) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && p(stencil[i])) out[map[i]] = in[i];
}
template <class M, class In, class S, class Out, class P>
__global__ void gw_gather_if(Out out, In in, M map, S stencil, size_t n, P p) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && p(stencil[i])) out[i] = in[map[i]];
}
template <class In, class Out, class F> __global__ void gw_adjacent_difference(Out out, In in, size_t n, F f) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && i > 0) out[i] = f(in[i], in[i - 1]);
    if (i == 0 && n > 0) out[i] = in[i];
}

/* ---- sums ---- */
/* A part of one: each thread folds what lies a grid apart. */
template <class Out, class In, class F> __global__ void gw_reduce_of_part(Out out, In in, size_t n, F f) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x, apart = (size_t)gridDim.x * blockDim.x;
    if (i >= n) return;
    gw_value_of<Out> sum = in[i];
    for (size_t k = i + apart; k < n; k += apart) sum = f(sum, in[k]);
    out[i] = sum;
}
template <class Out, class T, class F> __global__ void gw_reduce_of_end(Out out, const T *in, T first, F f) {
    out[0] = f(first, in[0]);
}
/* Segments, each from begin[s] to end[s] - 1, have GW_SEGMENT_PARTS parts: each folds what lies as far apart.
 */
enum { GW_SEGMENT_PARTS = 32 };
template <class T, class In, class B, class E, class F>
__global__ void gw_reduce_of_segment_part(T *part, In in, B begin, E end, size_t segments, F f) {
    const size_t t = (size_t)blockIdx.x * blockDim.x + threadIdx.x, s = t / GW_SEGMENT_PARTS;
    if (s >= segments) return;
    const ptrdiff_t last = end[s], first = begin[s] + (ptrdiff_t)(t % GW_SEGMENT_PARTS);
    if (first >= last) return;
    T sum = in[first];
    for (ptrdiff_t i = first + GW_SEGMENT_PARTS; i < last; i += GW_SEGMENT_PARTS) sum = f(sum, in[i]);
    part[t] = sum;
}
template <class Out, class T, class B, class E, class F>
__global__ void gw_reduce_of_segment(Out out, const T *part, B begin, E end, size_t segments, T first, F f) {
    const size_t s = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= segments) return;
    const ptrdiff_t length = (ptrdiff_t)end[s] - (ptrdiff_t)begin[s];
    T sum = first;
    for (int k = 0; k < GW_SEGMENT_PARTS; k++)
        if (k < length) sum = f(sum, part[s * GW_SEGMENT_PARTS + k]);
    out[s] = sum;
}
#endif
