/* Neighbours that are equal become the first of them. */
#ifndef GRADWRIGHT_THRUST_UNIQUE_H
#define GRADWRIGHT_THRUST_UNIQUE_H
#include <thrust/gw_heads.h>

namespace thrust {
template <class P, class In, class Out, class E, class = gw_if_policy<P>>
Out unique_copy(const P &policy, In first, In last, Out out, E same) {
    static_assert(!P::on_host, "unique are ranges of the device");
    const size_t n = (size_t)(last - first);
    return out +
           (ptrdiff_t)gw_copied_heads(policy.stream(), gw_bare(first), gw_bare(first), n, gw_bare(out), same);
}
template <class P, class In, class E, class = gw_if_policy<P>>
In unique(const P &policy, In first, In last, E same) {
    static_assert(!P::on_host, "unique are ranges of the device");
    const size_t n = (size_t)(last - first);
    if (n == 0) return last;
    gw_value_of<In> *const old = gw_kept(policy.stream(), gw_bare(first), n);
    const size_t count = gw_copied_heads(policy.stream(), (const gw_value_of<In> *)old,
                                         (const gw_value_of<In> *)old, n, gw_bare(first), same);
    cudaFreeAsync(old, policy.stream());
    return first + (ptrdiff_t)count;
}
template <class P, class K, class V, class KO, class VO, class E, class = gw_if_policy<P>>
pair<KO, VO> unique_by_key_copy(const P &policy, K first, K last, V values, KO keys_out, VO values_out,
                                E same) {
    static_assert(!P::on_host, "unique are ranges of the device");
    const size_t n = (size_t)(last - first);
    const size_t count =
        gw_copied_heads(policy.stream(), gw_bare(first), gw_bare(first), n, gw_bare(keys_out), same);
    gw_copied_heads(policy.stream(), gw_bare(first), gw_bare(values), n, gw_bare(values_out), same);
    return pair<KO, VO>(keys_out + (ptrdiff_t)count, values_out + (ptrdiff_t)count);
}
template <class P, class K, class V, class E, class = gw_if_policy<P>>
pair<K, V> unique_by_key(const P &policy, K first, K last, V values, E same) {
    static_assert(!P::on_host, "unique are ranges of the device");
    const size_t n = (size_t)(last - first);
    if (n == 0) return pair<K, V>(last, values);
    gw_value_of<K> *const old = gw_kept(policy.stream(), gw_bare(first), n);
    gw_value_of<V> *const old_values = gw_kept(policy.stream(), gw_bare(values), n);
    const size_t count = gw_copied_heads(policy.stream(), (const gw_value_of<K> *)old,
                                         (const gw_value_of<K> *)old, n, gw_bare(first), same);
    gw_copied_heads(policy.stream(), (const gw_value_of<K> *)old, (const gw_value_of<V> *)old_values, n,
                    gw_bare(values), same);
    cudaFreeAsync(old_values, policy.stream());
    cudaFreeAsync(old, policy.stream());
    return pair<K, V>(first + (ptrdiff_t)count, values + (ptrdiff_t)count);
}

template <class In, class Out, class E, class = gw_unless_policy<In>>
Out unique_copy(In first, In last, Out out, E same) {
    return thrust::unique_copy(gw_policy_of<In, Out>{}, first, last, out, same);
}
template <class P, class In, class Out, class = gw_if_policy<P>>
Out unique_copy(const P &policy, In first, In last, Out out) {
    return thrust::unique_copy(policy, first, last, out, gw_equal_to<>{});
}
template <class In, class Out, class = gw_unless_policy<In>> Out unique_copy(In first, In last, Out out) {
    return thrust::unique_copy(gw_policy_of<In, Out>{}, first, last, out, gw_equal_to<>{});
}
template <class In, class E, class = gw_unless_policy<In>> In unique(In first, In last, E same) {
    return thrust::unique(gw_policy_of<In>{}, first, last, same);
}
template <class P, class In, class = gw_if_policy<P>> In unique(const P &policy, In first, In last) {
    return thrust::unique(policy, first, last, gw_equal_to<>{});
}
template <class In, class = gw_unless_policy<In>> In unique(In first, In last) {
    return thrust::unique(gw_policy_of<In>{}, first, last, gw_equal_to<>{});
}
template <class K, class V, class E, class = gw_unless_policy<K>>
pair<K, V> unique_by_key(K first, K last, V values, E same) {
    return thrust::unique_by_key(gw_policy_of<K, V>{}, first, last, values, same);
}
template <class P, class K, class V, class = gw_if_policy<P>>
pair<K, V> unique_by_key(const P &policy, K first, K last, V values) {
    return thrust::unique_by_key(policy, first, last, values, gw_equal_to<>{});
}
template <class K, class V, class = gw_unless_policy<K>> pair<K, V> unique_by_key(K first, K last, V values) {
    return thrust::unique_by_key(gw_policy_of<K, V>{}, first, last, values, gw_equal_to<>{});
}
template <class K, class V, class KO, class VO, class E, class = gw_unless_policy<K>>
pair<KO, VO> unique_by_key_copy(K first, K last, V values, KO keys_out, VO values_out, E same) {
    return thrust::unique_by_key_copy(gw_policy_of<K, V, KO, VO>{}, first, last, values, keys_out, values_out,
                                      same);
}
template <class P, class K, class V, class KO, class VO, class = gw_if_policy<P>>
pair<KO, VO> unique_by_key_copy(const P &policy, K first, K last, V values, KO keys_out, VO values_out) {
    return thrust::unique_by_key_copy(policy, first, last, values, keys_out, values_out, gw_equal_to<>{});
}
template <class K, class V, class KO, class VO, class = gw_unless_policy<K>>
pair<KO, VO> unique_by_key_copy(K first, K last, V values, KO keys_out, VO values_out) {
    return thrust::unique_by_key_copy(gw_policy_of<K, V, KO, VO>{}, first, last, values, keys_out, values_out,
                                      gw_equal_to<>{});
}
} // namespace thrust
#endif
