/* Sums and running sums of segments: of plain numbers added up a primitive (algorithms/keys.cuh, scan.cuh), by
 * other functors a tree of kernels whose parts know where segments begin (algorithms/each/tree.cuh). */
#ifndef GRADWRIGHT_THRUST_BY_KEY_H
#define GRADWRIGHT_THRUST_BY_KEY_H
#include <thrust/gw_heads.h>
#include <thrust/gw_scans.h>

/* The sum of each segment, which `number` has, from 0 on. */
template <class T, class In, class Out, class F>
void gw_segments_reduced(cudaStream_t stream, In in, const int *flags, const unsigned *number, size_t n,
                         Out out, size_t count, F f) {
    if constexpr (gw_adds_numbers<F, T>) {
        T *copy, *sums;
        unsigned char *room;
        const size_t bytes = gw_segment_sum_bytes(T(), n);
        const T *const x = gw_flattened<T>(stream, in, n, copy);
        cudaMallocAsync(&room, bytes, stream);
        cudaMallocAsync(&sums, count * sizeof(T), stream);
        gw_segment_sum(number, x, n, sums, count, room, bytes, stream);
        gw_copy<<<gw_algorithm_grid(count), GW_ALGORITHM_THREADS, 0, stream>>>(out, (const T *)sums, count);
        cudaFreeAsync(sums, stream);
        cudaFreeAsync(room, stream);
        if (copy) cudaFreeAsync(copy, stream);
    } else {
        T *all;
        cudaMallocAsync(&all, n * sizeof(T), stream);
        gw_scan_tree<T>(stream, in, gw_flagged_heads{flags}, n, all, f);
        gw_tails<<<gw_algorithm_grid(n), GW_ALGORITHM_THREADS, 0, stream>>>(out, (const T *)all, number, n);
        cudaFreeAsync(all, stream);
    }
}

/* Sums of numbers where they lie, by integers where they lie: keys and sums in one pass. */
template <class K>
constexpr bool gw_is_key = std::is_same_v<K, int> || std::is_same_v<K, unsigned> || std::is_same_v<K, long> ||
                           std::is_same_v<K, unsigned long> || std::is_same_v<K, long long> ||
                           std::is_same_v<K, unsigned long long>;
template <class K, class V, class KO, class VO, class E, class F> constexpr bool gw_sums_plain = false;
template <class K, class V, class KO, class VO, class E, class F>
constexpr bool gw_sums_plain<K *, V *, KO *, VO *, E, F> =
    gw_adds_numbers<F, VO> && std::is_same_v<std::remove_const_t<V>, VO> && gw_is_key<KO> &&
    std::is_same_v<std::remove_const_t<K>, KO> &&
    (std::is_same_v<E, gw_equal_to<>> || std::is_same_v<E, gw_equal_to<KO>>);

/* *count is of the device; n > 0. */
template <class K, class T>
void gw_counted_by_key(cudaStream_t stream, const K *keys, const T *values, size_t n, K *keys_out, T *out,
                    unsigned *count) {
    unsigned *number;
    unsigned char *room;
    const size_t to_number = gw_number_segments_bytes(K(), n), to_sum = gw_sum_by_key_bytes(K(), T(), n);
    const size_t bytes = to_number < to_sum ? to_sum : to_number;
    cudaMallocAsync(&number, n * sizeof(unsigned), stream);
    cudaMallocAsync(&room, bytes, stream);
    gw_number_segments(keys, n, number, count, room, bytes, stream);
    gw_sum_by_key(keys, (const unsigned *)number, (const unsigned *)count, values, n, keys_out, out, room,
                  bytes, stream);
    cudaFreeAsync(room, stream);
    cudaFreeAsync(number, stream);
}
template <class K, class T>
size_t gw_summed_by_key(cudaStream_t stream, const K *keys, const T *values, size_t n, K *keys_out, T *out) {
    unsigned *count, found;
    cudaMallocAsync(&count, sizeof(unsigned), stream);
    gw_counted_by_key(stream, keys, values, n, keys_out, out, count);
    cudaMemcpyAsync(&found, count, sizeof(unsigned), cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    cudaFreeAsync(count, stream);
    return found;
}

template <class T, class K, class V, class KO, class VO, class E, class F>
size_t gw_reduced_by_key(cudaStream_t stream, K keys, V values, size_t n, KO keys_out, VO values_out, E same,
                         F f) {
    int *flags;
    unsigned *number;
    const size_t count = gw_divide(stream, keys, n, same, flags, number);
    gw_put_chosen(stream, keys, n, flags, number, keys_out);
    gw_number_from_zero<<<gw_algorithm_grid(n), GW_ALGORITHM_THREADS, 0, stream>>>(number, n);
    gw_segments_reduced<T>(stream, values, (const int *)flags, (const unsigned *)number, n, values_out, count,
                           f);
    gw_drop(stream, flags, number);
    return count;
}

/* An exclusive scan begins each segment with `first`. */
template <class T, bool exclusive, class K, class In, class Out, class E, class F>
void gw_scanned_by_key(cudaStream_t stream, K keys, In in, size_t n, Out out, T first, E same, F f) {
    int *flags;
    cudaMallocAsync(&flags, n * sizeof(int), stream);
    gw_flag_heads<<<gw_algorithm_grid(n), GW_ALGORITHM_THREADS, 0, stream>>>(flags, keys, n, same);
    T *all;
    cudaMallocAsync(&all, n * sizeof(T), stream);
    if constexpr (gw_adds_numbers<F, T>) {
        unsigned *number, *count;
        T *copy, *room;
        const size_t bytes = gw_scan_by_segment_bytes(T(), n);
        const T *const x = gw_flattened<T>(stream, in, n, copy);
        cudaMallocAsync(&number, n * sizeof(unsigned), stream);
        cudaMallocAsync(&count, sizeof(unsigned), stream);
        cudaMallocAsync(&room, bytes, stream);
        gw_numbers_of(stream, flags, n, number, count);
        gw_scan_by_segment((const unsigned *)number, x, n, all, exclusive ? 1 : 0, first, room, bytes, stream);
        gw_copy<<<gw_algorithm_grid(n), GW_ALGORITHM_THREADS, 0, stream>>>(out, (const T *)all, n);
        cudaFreeAsync(room, stream);
        cudaFreeAsync(count, stream);
        cudaFreeAsync(number, stream);
        if (copy) cudaFreeAsync(copy, stream);
    } else {
        gw_scan_tree<T>(stream, in, gw_flagged_heads{flags}, n, all, f);
        if constexpr (exclusive)
            gw_scan_shift<<<gw_algorithm_grid(n), GW_ALGORITHM_THREADS, 0, stream>>>(
                out, (const T *)all, gw_flagged_heads{flags}, n, first, f);
        else
            gw_copy<<<gw_algorithm_grid(n), GW_ALGORITHM_THREADS, 0, stream>>>(out, (const T *)all, n);
    }
    cudaFreeAsync(all, stream);
    cudaFreeAsync(flags, stream);
}

namespace thrust {
template <class P, class K, class V, class KO, class VO, class E, class F, class = gw_if_policy<P>>
pair<KO, VO> reduce_by_key(const P &policy, K first, K last, V values, KO keys_out, VO values_out, E same,
                           F f) {
    static_assert(!P::on_host, "reduced by key are ranges of the device");
    const size_t n = (size_t)(last - first);
    size_t count = 0;
    if (n) {
        if constexpr (gw_sums_plain<gw_bare_type<K>, gw_bare_type<V>, gw_bare_type<KO>, gw_bare_type<VO>, E, F>)
            count = gw_summed_by_key(policy.stream(), gw_bare(first), gw_bare(values), n, gw_bare(keys_out),
                                     gw_bare(values_out));
        else
            count = gw_reduced_by_key<gw_value_of<V>>(policy.stream(), gw_bare(first), gw_bare(values), n,
                                                      gw_bare(keys_out), gw_bare(values_out), same, f);
    }
    return pair<KO, VO>(keys_out + (ptrdiff_t)count, values_out + (ptrdiff_t)count);
}
template <class K, class V, class KO, class VO, class E, class F, class = gw_unless_policy<K>>
pair<KO, VO> reduce_by_key(K first, K last, V values, KO keys_out, VO values_out, E same, F f) {
    return thrust::reduce_by_key(gw_policy_of<K, V, KO, VO>{}, first, last, values, keys_out, values_out, same,
                                 f);
}
template <class P, class K, class V, class KO, class VO, class E, class = gw_if_policy<P>>
pair<KO, VO> reduce_by_key(const P &policy, K first, K last, V values, KO keys_out, VO values_out, E same) {
    return thrust::reduce_by_key(policy, first, last, values, keys_out, values_out, same, gw_plus<>{});
}
template <class K, class V, class KO, class VO, class E, class = gw_unless_policy<K>>
pair<KO, VO> reduce_by_key(K first, K last, V values, KO keys_out, VO values_out, E same) {
    return thrust::reduce_by_key(gw_policy_of<K, V, KO, VO>{}, first, last, values, keys_out, values_out, same,
                                 gw_plus<>{});
}
template <class P, class K, class V, class KO, class VO, class = gw_if_policy<P>>
pair<KO, VO> reduce_by_key(const P &policy, K first, K last, V values, KO keys_out, VO values_out) {
    return thrust::reduce_by_key(policy, first, last, values, keys_out, values_out, gw_equal_to<>{},
                                 gw_plus<>{});
}
template <class K, class V, class KO, class VO, class = gw_unless_policy<K>>
pair<KO, VO> reduce_by_key(K first, K last, V values, KO keys_out, VO values_out) {
    return thrust::reduce_by_key(gw_policy_of<K, V, KO, VO>{}, first, last, values, keys_out, values_out,
                                 gw_equal_to<>{}, gw_plus<>{});
}

template <class P, class K, class V, class Out, class E, class F, class = gw_if_policy<P>>
Out inclusive_scan_by_key(const P &policy, K first, K last, V values, Out out, E same, F f) {
    static_assert(!P::on_host, "scanned by key are ranges of the device");
    using T = gw_value_of<V>;
    const size_t n = (size_t)(last - first);
    if (n)
        gw_scanned_by_key<T, false>(policy.stream(), gw_bare(first), gw_bare(values), n, gw_bare(out), T(),
                                    same, f);
    return out + (ptrdiff_t)n;
}
template <class P, class K, class V, class Out, class T, class E, class F, class = gw_if_policy<P>>
Out exclusive_scan_by_key(const P &policy, K first, K last, V values, Out out, T init, E same, F f) {
    static_assert(!P::on_host, "scanned by key are ranges of the device");
    const size_t n = (size_t)(last - first);
    if (n)
        gw_scanned_by_key<T, true>(policy.stream(), gw_bare(first), gw_bare(values), n, gw_bare(out), init,
                                   same, f);
    return out + (ptrdiff_t)n;
}
template <class K, class V, class Out, class E, class F, class = gw_unless_policy<K>>
Out inclusive_scan_by_key(K first, K last, V values, Out out, E same, F f) {
    return thrust::inclusive_scan_by_key(gw_policy_of<K, V, Out>{}, first, last, values, out, same, f);
}
template <class P, class K, class V, class Out, class E, class = gw_if_policy<P>>
Out inclusive_scan_by_key(const P &policy, K first, K last, V values, Out out, E same) {
    return thrust::inclusive_scan_by_key(policy, first, last, values, out, same, gw_plus<>{});
}
template <class K, class V, class Out, class E, class = gw_unless_policy<K>>
Out inclusive_scan_by_key(K first, K last, V values, Out out, E same) {
    return thrust::inclusive_scan_by_key(gw_policy_of<K, V, Out>{}, first, last, values, out, same,
                                         gw_plus<>{});
}
template <class P, class K, class V, class Out, class = gw_if_policy<P>>
Out inclusive_scan_by_key(const P &policy, K first, K last, V values, Out out) {
    return thrust::inclusive_scan_by_key(policy, first, last, values, out, gw_equal_to<>{}, gw_plus<>{});
}
template <class K, class V, class Out, class = gw_unless_policy<K>>
Out inclusive_scan_by_key(K first, K last, V values, Out out) {
    return thrust::inclusive_scan_by_key(gw_policy_of<K, V, Out>{}, first, last, values, out, gw_equal_to<>{},
                                         gw_plus<>{});
}
template <class K, class V, class Out, class T, class E, class F, class = gw_unless_policy<K>>
Out exclusive_scan_by_key(K first, K last, V values, Out out, T init, E same, F f) {
    return thrust::exclusive_scan_by_key(gw_policy_of<K, V, Out>{}, first, last, values, out, init, same, f);
}
template <class P, class K, class V, class Out, class T, class E, class = gw_if_policy<P>>
Out exclusive_scan_by_key(const P &policy, K first, K last, V values, Out out, T init, E same) {
    return thrust::exclusive_scan_by_key(policy, first, last, values, out, init, same, gw_plus<>{});
}
template <class K, class V, class Out, class T, class E, class = gw_unless_policy<K>>
Out exclusive_scan_by_key(K first, K last, V values, Out out, T init, E same) {
    return thrust::exclusive_scan_by_key(gw_policy_of<K, V, Out>{}, first, last, values, out, init, same,
                                         gw_plus<>{});
}
template <class P, class K, class V, class Out, class T, class = gw_if_policy<P>>
Out exclusive_scan_by_key(const P &policy, K first, K last, V values, Out out, T init) {
    return thrust::exclusive_scan_by_key(policy, first, last, values, out, init, gw_equal_to<>{}, gw_plus<>{});
}
template <class K, class V, class Out, class T, class = gw_unless_policy<K>>
Out exclusive_scan_by_key(K first, K last, V values, Out out, T init) {
    return thrust::exclusive_scan_by_key(gw_policy_of<K, V, Out>{}, first, last, values, out, init,
                                         gw_equal_to<>{}, gw_plus<>{});
}
template <class P, class K, class V, class Out, class = gw_if_policy<P>>
Out exclusive_scan_by_key(const P &policy, K first, K last, V values, Out out) {
    return thrust::exclusive_scan_by_key(policy, first, last, values, out, gw_value_of<V>(0));
}
template <class K, class V, class Out, class = gw_unless_policy<K>>
Out exclusive_scan_by_key(K first, K last, V values, Out out) {
    return thrust::exclusive_scan_by_key(gw_policy_of<K, V, Out>{}, first, last, values, out,
                                         gw_value_of<V>(0));
}
} // namespace thrust
#endif
