/*
 * thrust/reduce.h (execution_policy.h says what these headers are): kernels fold 16 elements a thread until one
 * is left, which is copied to the host. Like Thrust's, sums are in no order of the source's.
 */
#ifndef GRADWRIGHT_THRUST_REDUCE_H
#define GRADWRIGHT_THRUST_REDUCE_H

#include <gradwright/algorithms/kernels.cuh>
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/gw_others.h>

namespace thrust {
enum { gw_parts = 16 };
static size_t gw_reduce_block(size_t n) {
    const size_t threads = (n + gw_parts - 1) / gw_parts;
    return threads < GW_EACH_BLOCK ? threads : GW_EACH_BLOCK;
}
static size_t gw_reduce_grid(size_t n) {
    return (n + gw_parts * GW_EACH_BLOCK - 1) / (gw_parts * GW_EACH_BLOCK);
}

template <class I, class T, class F> T gw_reduce(cudaStream_t stream, I first, size_t n, T init, F f) {
    if (n == 0) return init;
    const size_t threads = gw_reduce_grid(n) * gw_reduce_block(n);
    T *sums = nullptr, *others = nullptr, result;
    cudaMalloc(&sums, threads * sizeof(T));
    cudaMalloc(&others, threads * sizeof(T));
    gw_reduce_part<<<(unsigned)gw_reduce_grid(n), (unsigned)gw_reduce_block(n), 0, stream>>>(sums, first, n, f);
    for (size_t left = threads; left > 1;) {
        const size_t block = gw_reduce_block(left), grid = gw_reduce_grid(left);
        gw_reduce_part<<<(unsigned)grid, (unsigned)block, 0, stream>>>(others, (const T *)sums, left, f);
        T *const done = sums;
        sums = others, others = done;
        left = grid * block;
    }
    gw_reduce_end<<<1, 1, 0, stream>>>(others, (const T *)sums, init, f);
    cudaMemcpyAsync(&result, others, sizeof(T), cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    cudaFree(sums);
    cudaFree(others);
    return result;
}

template <class I, class T, class F> T reduce(const gw_policy &policy, I first, I last, T init, F f) {
    return gw_reduce(policy.stream, gw_raw(first), gw_length(first, last), init, f);
}
template <class I, class T> T reduce(const gw_policy &policy, I first, I last, T init) {
    return gw_reduce(policy.stream, gw_raw(first), gw_length(first, last), init, plus<T>());
}
template <class T> T reduce(const gw_policy &policy, device_ptr<T> first, device_ptr<T> last) {
    return gw_reduce(policy.stream, first.gw_at, gw_length(first, last), (T)0, plus<T>());
}
template <class I, class T, class F> T reduce(I first, I last, T init, F f) {
    return gw_reduce(nullptr, gw_raw(first), gw_length(first, last), init, f);
}
template <class I, class T> T reduce(I first, I last, T init) {
    return gw_reduce(nullptr, gw_raw(first), gw_length(first, last), init, plus<T>());
}
template <class T> T reduce(device_ptr<T> first, device_ptr<T> last) {
    return gw_reduce(nullptr, first.gw_at, gw_length(first, last), (T)0, plus<T>());
}
} // namespace thrust

#endif
