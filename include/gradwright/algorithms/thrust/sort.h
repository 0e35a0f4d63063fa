/* Sorts, all of them stable: the order of the keys, then what is sorted is put into it
 * (algorithms/sort.cuh). */
#ifndef GRADWRIGHT_THRUST_SORT_H
#define GRADWRIGHT_THRUST_SORT_H
#include <thrust/gw_heads.h>

/* Pointers to numbers and keys that primitives take. */
template <class T>
constexpr bool gw_is_number = std::is_arithmetic_v<T> && (sizeof(T) == 4 || sizeof(T) == 8) &&
                              !std::is_same_v<T, char32_t> && !std::is_same_v<T, wchar_t>;
template <class I> constexpr bool gw_is_plain = std::is_pointer_v<I> && gw_is_number<gw_value_of<I>>;

/* A range by an order, through a copy. */
template <class I> void gw_put_in_order(cudaStream_t stream, I at, const unsigned *order, size_t n) {
    using T = gw_value_of<I>;
    if constexpr (gw_is_plain<I>) {
        unsigned char *room;
        cudaMallocAsync(&room, n * sizeof(T), stream);
        gw_reorder(at, n, order, 0, room, stream);
        cudaFreeAsync(room, stream);
    } else {
        T *const old = gw_kept(stream, at, n);
        gw_permute<<<gw_algorithm_grid(n), GW_ALGORITHM_THREADS, 0, stream>>>(at, (const T *)old, order, n);
        cudaFreeAsync(old, stream);
    }
}

/* By bits `from` to `to` - 1 of numbers, which become sorted at `sorted` if that is not null. */
template <class K>
unsigned *gw_order_of_bits(cudaStream_t stream, const K *keys, size_t n, int descending, int from, int to,
                           K *sorted = nullptr) {
    static_assert(sizeof(K) >= 4, "keys have 32 or 64 bits");
    unsigned *order;
    unsigned char *room;
    const size_t bytes = gw_order_bytes(K(), n);
    cudaMallocAsync(&order, n * sizeof(unsigned), stream);
    cudaMallocAsync(&room, bytes, stream);
    gw_order(keys, n, descending, from, to, order, room, bytes, stream);
    if (sorted) gw_reorder(sorted, n, order, 1, room, stream);
    cudaFreeAsync(room, stream);
    return order;
}

/* By less or greater of numbers a radix sort, else runs that are merged. */
template <class F> constexpr int gw_sorts_by = -1;
template <class T> constexpr int gw_sorts_by<gw_less<T>> = 0;
template <class T> constexpr int gw_sorts_by<gw_greater<T>> = 1;
template <class K, class F> unsigned *gw_order_of_keys(cudaStream_t stream, const K *keys, size_t n, F less) {
    if constexpr (gw_sorts_by<F> >= 0 && std::is_arithmetic_v<K>) {
        return gw_order_of_bits(stream, keys, n, gw_sorts_by<F>, 0, (int)(8 * sizeof(K)));
    } else {
        unsigned *order, *other;
        cudaMallocAsync(&order, n * sizeof(unsigned), stream);
        cudaMallocAsync(&other, n * sizeof(unsigned), stream);
        gw_sequence<<<gw_algorithm_grid(n), GW_ALGORITHM_THREADS, 0, stream>>>(order, n, 0u, 1u);
        for (size_t width = 1; width < n; width *= 2) {
            gw_merge_runs<<<gw_algorithm_grid(n), GW_ALGORITHM_THREADS, 0, stream>>>(
                other, (const unsigned *)order, keys, n, width, less);
            unsigned *const merged = other;
            other = order;
            order = merged;
        }
        cudaFreeAsync(other, stream);
        return order;
    }
}

template <class I, class F> unsigned *gw_order_of(cudaStream_t stream, I at, size_t n, F less) {
    using K = gw_value_of<I>;
    K *copy;
    const K *const keys = gw_flattened<K>(stream, at, n, copy);
    unsigned *const order = gw_order_of_keys(stream, keys, n, less);
    if (copy) cudaFreeAsync(copy, stream);
    return order;
}

/* The same, of keys that become sorted. */
template <class I, class F> unsigned *gw_sort_keys(cudaStream_t stream, I at, size_t n, F less) {
    if constexpr (gw_is_plain<I> && gw_sorts_by<F> >= 0) {
        using K = gw_value_of<I>;
        return gw_order_of_bits(stream, (const K *)at, n, gw_sorts_by<F>, 0, (int)(8 * sizeof(K)), at);
    } else {
        unsigned *const order = gw_order_of(stream, at, n, less);
        gw_put_in_order(stream, at, (const unsigned *)order, n);
        return order;
    }
}

/* Copies on the device are sorted in the place of what the host has. */
template <class I> gw_value_of<I> *gw_lent(I at, size_t n) {
    static_assert(std::is_pointer_v<gw_bare_type<I>>, "of the host, sorted are pointers and vectors");
    gw_value_of<I> *copy;
    cudaMalloc(&copy, n * sizeof(gw_value_of<I>));
    cudaMemcpy(copy, gw_bare(at), n * sizeof(gw_value_of<I>), cudaMemcpyDefault);
    return copy;
}
template <class I> void gw_give_back(I at, gw_value_of<I> *copy, size_t n) {
    cudaMemcpy(gw_bare(at), copy, n * sizeof(gw_value_of<I>), cudaMemcpyDefault);
    cudaFree(copy);
}

namespace thrust {
template <class P, class K, class V, class F, class = gw_if_policy<P>>
void stable_sort_by_key(const P &policy, K first, K last, V values, F less) {
    const size_t n = (size_t)(last - first);
    if constexpr (P::on_host) {
        if (n) {
            gw_value_of<K> *const keys = gw_lent(first, n);
            gw_value_of<V> *const sorted = gw_lent(values, n);
            thrust::stable_sort_by_key(device, keys, keys + n, sorted, less);
            gw_give_back(first, keys, n);
            gw_give_back(values, sorted, n);
        }
    } else if (n) {
        unsigned *const order = gw_sort_keys(policy.stream(), gw_bare(first), n, less);
        gw_put_in_order(policy.stream(), gw_bare(values), (const unsigned *)order, n);
        cudaFreeAsync(order, policy.stream());
    }
}
template <class P, class K, class F, class = gw_if_policy<P>>
void stable_sort(const P &policy, K first, K last, F less) {
    const size_t n = (size_t)(last - first);
    if constexpr (P::on_host) {
        if (n) {
            gw_value_of<K> *const keys = gw_lent(first, n);
            thrust::stable_sort(device, keys, keys + n, less);
            gw_give_back(first, keys, n);
        }
    } else if (n) {
        cudaFreeAsync(gw_sort_keys(policy.stream(), gw_bare(first), n, less), policy.stream());
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
