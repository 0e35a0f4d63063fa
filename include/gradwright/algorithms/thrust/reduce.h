/* Sums, which are copied to the host: of plain numbers added up a primitive (algorithms/reduce.cuh), else
 * kernels fold 16 elements a thread until one is left. Like Thrust's, sums are in no order of the source's. */
#ifndef GRADWRIGHT_THRUST_REDUCE_H
#define GRADWRIGHT_THRUST_REDUCE_H
#include <gradwright/algorithms.cuh>
#include <thrust/gw_elementwise.h>
#include <thrust/gw_others.h>

enum { GW_REDUCE_PARTS = 16 };
inline size_t gw_reduce_block(size_t n) {
    const size_t threads = (n + GW_REDUCE_PARTS - 1) / GW_REDUCE_PARTS;
    return threads < GW_ALGORITHM_THREADS ? threads : GW_ALGORITHM_THREADS;
}
inline size_t gw_reduce_grid(size_t n) {
    return (n + GW_REDUCE_PARTS * GW_ALGORITHM_THREADS - 1) / (GW_REDUCE_PARTS * GW_ALGORITHM_THREADS);
}

/* `init` and a cell of the device, on the host; `cell` is another one. */
template <class T, class F> T gw_reduce_end(cudaStream_t stream, const T *sum, T *cell, T init, F f) {
    T result;
    gw_reduce_of_end<<<1, 1, 0, stream>>>(cell, sum, init, f);
    cudaMemcpyAsync(&result, cell, sizeof(T), cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    return result;
}

template <class T, class F> T gw_reduced_numbers(cudaStream_t stream, const T *in, size_t n, T init, F f) {
    T *cells;
    unsigned char *room;
    const size_t bytes = gw_sum_bytes(T(), n);
    cudaMalloc(&cells, 2 * sizeof(T));
    cudaMalloc(&room, bytes);
    gw_sum(in, n, cells, room, bytes, stream);
    const T result = gw_reduce_end(stream, (const T *)cells, cells + 1, init, f);
    cudaFree(cells);
    cudaFree(room);
    return result;
}

template <class I, class T, class F> T gw_reduced_parts(cudaStream_t stream, I in, size_t n, T init, F f) {
    const size_t threads = gw_reduce_grid(n) * gw_reduce_block(n);
    T *sums, *others;
    cudaMalloc(&sums, threads * sizeof(T));
    cudaMalloc(&others, threads * sizeof(T));
    gw_reduce_of_part<<<(unsigned)gw_reduce_grid(n), (unsigned)gw_reduce_block(n), 0, stream>>>(sums, in, n, f);
    for (size_t left = threads; left > 1;) {
        const size_t block = gw_reduce_block(left), grid = gw_reduce_grid(left);
        gw_reduce_of_part<<<(unsigned)grid, (unsigned)block, 0, stream>>>(others, (const T *)sums, left, f);
        T *const done = sums;
        sums = others, others = done;
        left = grid * block;
    }
    const T result = gw_reduce_end(stream, (const T *)sums, others, init, f);
    cudaFree(sums);
    cudaFree(others);
    return result;
}

template <class I, class T, class F> T gw_reduced(cudaStream_t stream, I in, size_t n, T init, F f) {
    if (n == 0) return init;
    if constexpr (gw_adds_numbers<F, T> && (std::is_same_v<I, T *> || std::is_same_v<I, const T *>))
        return gw_reduced_numbers(stream, (const T *)in, n, init, f);
    else
        return gw_reduced_parts(stream, in, n, init, f);
}

namespace thrust {
template <class P, class I, class T, class F, class = gw_if_policy<P>>
T reduce(const P &policy, I first, I last, T init, F f) {
    if constexpr (P::on_host) {
        for (size_t i = 0; i < (size_t)(last - first); i++) init = f(init, first[i]);
        return init;
    } else {
        return gw_reduced(policy.stream(), gw_bare(first), (size_t)(last - first), init, f);
    }
}
template <class I, class T, class F, class = gw_unless_policy<I>> T reduce(I first, I last, T init, F f) {
    return thrust::reduce(gw_policy_of<I>{}, first, last, init, f);
}
template <class P, class I, class T, class = gw_if_policy<P>>
T reduce(const P &policy, I first, I last, T init) {
    return thrust::reduce(policy, first, last, init, gw_plus<T>{});
}
template <class I, class T, class = gw_unless_policy<I>> T reduce(I first, I last, T init) {
    return thrust::reduce(gw_policy_of<I>{}, first, last, init, gw_plus<T>{});
}
template <class P, class I, class = gw_if_policy<P>> gw_value_of<I> reduce(const P &policy, I first, I last) {
    return thrust::reduce(policy, first, last, gw_value_of<I>(0), gw_plus<gw_value_of<I>>{});
}
template <class I> gw_value_of<I> reduce(I first, I last) {
    return thrust::reduce(gw_policy_of<I>{}, first, last, gw_value_of<I>(0), gw_plus<gw_value_of<I>>{});
}
} // namespace thrust
#include <thrust/gw_by_key.h>
#endif
