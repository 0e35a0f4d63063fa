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
template <class T, class F> __global__ void gw_reduce_of_end(T *out, const T *in, T first, F f) {
    out[0] = f(first, in[0]);
}
#endif
