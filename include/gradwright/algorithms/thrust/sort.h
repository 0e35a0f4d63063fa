/* Sorts, all of them stable: the order of the keys (algorithms/sort.cuh), then what is sorted is gathered by
 * it. Keys are numbers, compared by less or greater. */
#ifndef GRADWRIGHT_THRUST_SORT_H
#define GRADWRIGHT_THRUST_SORT_H
#include <gradwright/algorithms.cuh>
#include <gradwright/algorithms/each/tree.cuh>
#include <thrust/gw_elementwise.h>
#include <thrust/gw_others.h>

template <class F> constexpr int gw_sorts_by = -1;
template <class T> constexpr int gw_sorts_by<gw_less<T>> = 0;
template <class T> constexpr int gw_sorts_by<gw_greater<T>> = 1;

/* A range by an order, through a copy. */
template <class T> void gw_put_in_order(cudaStream_t stream, T *at, const unsigned *order, size_t n) {
    T *old;
    cudaMallocAsync(&old, n * sizeof(T), stream);
    cudaMemcpyAsync(old, at, n * sizeof(T), cudaMemcpyDeviceToDevice, stream);
    gw_permute<<<gw_algorithm_grid(n), GW_ALGORITHM_THREADS, 0, stream>>>(at, (const T *)old, order, n);
    cudaFreeAsync(old, stream);
}
template <class K> unsigned *gw_order_of_keys(cudaStream_t stream, const K *keys, size_t n, int descending) {
    unsigned *order;
    unsigned char *room;
    const size_t bytes = gw_order_bytes(K(), n);
    cudaMallocAsync(&order, n * sizeof(unsigned), stream);
    cudaMallocAsync(&room, bytes, stream);
    gw_order(keys, n, descending, order, room, bytes, stream);
    cudaFreeAsync(room, stream);
    return order;
}

namespace thrust {
template <class P, class K, class V, class F, class = gw_if_policy<P>>
void stable_sort_by_key(const P &policy, K first, K last, V values, F) {
    static_assert(!P::on_host && gw_sorts_by<F> >= 0, "sorted are numbers on the device, by less or greater");
    const size_t n = (size_t)(last - first);
    if (n) {
        unsigned *const order =
            gw_order_of_keys(policy.stream(), (const gw_value_of<K> *)gw_bare(first), n, gw_sorts_by<F>);
        gw_put_in_order(policy.stream(), gw_bare(first), (const unsigned *)order, n);
        gw_put_in_order(policy.stream(), gw_bare(values), (const unsigned *)order, n);
        cudaFreeAsync(order, policy.stream());
    }
}
template <class P, class K, class F, class = gw_if_policy<P>>
void stable_sort(const P &policy, K first, K last, F) {
    static_assert(!P::on_host && gw_sorts_by<F> >= 0, "sorted are numbers on the device, by less or greater");
    const size_t n = (size_t)(last - first);
    if (n) {
        unsigned *const order =
            gw_order_of_keys(policy.stream(), (const gw_value_of<K> *)gw_bare(first), n, gw_sorts_by<F>);
        gw_put_in_order(policy.stream(), gw_bare(first), (const unsigned *)order, n);
        cudaFreeAsync(order, policy.stream());
    }
}
#define GW_THRUST_SORT(name)                                                                                   \
    template <class K, class F, class = gw_unless_policy<K>> void name(K first, K last, F f) {                 \
        thrust::stable_sort(gw_policy_of<K>{}, first, last, f);                                                \
    }                                                                                                          \
    template <class P, class K, class = gw_if_policy<P>> void name(const P &policy, K first, K last) {         \
        thrust::stable_sort(policy, first, last, gw_less<gw_value_of<K>>{});                                   \
    }                                                                                                          \
    template <class K, class = gw_unless_policy<K>> void name(K first, K last) {                               \
        thrust::stable_sort(gw_policy_of<K>{}, first, last, gw_less<gw_value_of<K>>{});                        \
    }
#define GW_THRUST_SORT_BY_KEY(name)                                                                            \
    template <class K, class V, class F, class = gw_unless_policy<K>>                                          \
    void name(K first, K last, V values, F f) {                                                                \
        thrust::stable_sort_by_key(gw_policy_of<K, V>{}, first, last, values, f);                              \
    }                                                                                                          \
    template <class P, class K, class V, class = gw_if_policy<P>>                                              \
    void name(const P &policy, K first, K last, V values) {                                                    \
        thrust::stable_sort_by_key(policy, first, last, values, gw_less<gw_value_of<K>>{});                    \
    }                                                                                                          \
    template <class K, class V, class = gw_unless_policy<K>> void name(K first, K last, V values) {            \
        thrust::stable_sort_by_key(gw_policy_of<K, V>{}, first, last, values, gw_less<gw_value_of<K>>{});      \
    }
GW_THRUST_SORT(stable_sort)
GW_THRUST_SORT_BY_KEY(stable_sort_by_key)
template <class P, class K, class F, class = gw_if_policy<P>> void sort(const P &policy, K first, K last, F f) {
    thrust::stable_sort(policy, first, last, f);
}
template <class P, class K, class V, class F, class = gw_if_policy<P>>
void sort_by_key(const P &policy, K first, K last, V values, F f) {
    thrust::stable_sort_by_key(policy, first, last, values, f);
}
GW_THRUST_SORT(sort)
GW_THRUST_SORT_BY_KEY(sort_by_key)
#undef GW_THRUST_SORT
#undef GW_THRUST_SORT_BY_KEY
} // namespace thrust
#endif
