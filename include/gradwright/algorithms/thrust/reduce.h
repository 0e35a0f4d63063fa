/* Sums, which are copied to the host: of plain numbers added up a primitive (algorithms/reduce.cuh), else
 * kernels fold 16 elements a thread until one is left. Like Thrust's, sums are in no order of the source's. */
#ifndef GRADWRIGHT_THRUST_REDUCE_H
#define GRADWRIGHT_THRUST_REDUCE_H
#include <gradwright/algorithms/primitives.cuh>
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

/* n > 0 elements and init come to a cell of the device. */
template <class T, class I, class Out, class F>
void gw_reduced_numbers(cudaStream_t stream, I in, size_t n, Out out, T init, F f) {
    T *sum;
    unsigned char *room;
    const size_t bytes = gw_sum_bytes(T(), n);
    cudaMallocAsync(&sum, sizeof(T), stream);
    cudaMallocAsync(&room, bytes, stream);
    gw_sum((const T *)in, n, sum, room, bytes, stream);
    gw_reduce_of_end<<<1, 1, 0, stream>>>(out, (const T *)sum, init, f);
    cudaFreeAsync(room, stream);
    cudaFreeAsync(sum, stream);
}
template <class T, class I, class Out, class F>
void gw_reduced_parts(cudaStream_t stream, I in, size_t n, Out out, T init, F f) {
    const size_t threads = gw_reduce_grid(n) * gw_reduce_block(n);
    T *sums, *others;
    cudaMallocAsync(&sums, threads * sizeof(T), stream);
    cudaMallocAsync(&others, threads * sizeof(T), stream);
    gw_reduce_of_part<<<(unsigned)gw_reduce_grid(n), (unsigned)gw_reduce_block(n), 0, stream>>>(sums, in, n, f);
    for (size_t left = threads; left > 1;) {
        const size_t block = gw_reduce_block(left), grid = gw_reduce_grid(left);
        gw_reduce_of_part<<<(unsigned)grid, (unsigned)block, 0, stream>>>(others, (const T *)sums, left, f);
        T *const done = sums;
        sums = others, others = done;
        left = grid * block;
    }
    gw_reduce_of_end<<<1, 1, 0, stream>>>(out, (const T *)sums, init, f);
    cudaFreeAsync(others, stream);
    cudaFreeAsync(sums, stream);
}
template <class T, class I, class Out, class F>
void gw_reduced_to(cudaStream_t stream, I in, size_t n, Out out, T init, F f) {
    if constexpr (gw_adds_numbers<F, T> && (std::is_same_v<I, T *> || std::is_same_v<I, const T *>))
        gw_reduced_numbers(stream, in, n, out, init, f);
    else
        gw_reduced_parts(stream, in, n, out, init, f);
}

/* On the host. */
template <class I, class T, class F> T gw_reduced(cudaStream_t stream, I in, size_t n, T init, F f) {
    if (n == 0) return init;
    T result, *cell;
    cudaMallocAsync(&cell, sizeof(T), stream);
    gw_reduced_to(stream, in, n, cell, init, f);
    cudaMemcpyAsync(&result, cell, sizeof(T), cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    cudaFreeAsync(cell, stream);
    return result;
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
