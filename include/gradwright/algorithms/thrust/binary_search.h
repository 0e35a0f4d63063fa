/* Places in a range that is in order: integers, without derivative. */
#ifndef GRADWRIGHT_THRUST_BINARY_SEARCH_H
#define GRADWRIGHT_THRUST_BINARY_SEARCH_H
#include <gradwright/algorithms/each/moves.cuh>
#include <thrust/gw_elementwise.h>
#include <thrust/gw_others.h>

/* The place of one value, which is waited for. */
template <class In, class T, class Less>
ptrdiff_t gw_bound(cudaStream_t stream, In in, size_t n, T value, bool upper, Less less) {
    ptrdiff_t *place, result = 0;
    cudaMallocAsync(&place, sizeof(ptrdiff_t), stream);
    gw_bounds<<<1, 1, 0, stream>>>(place, in, n, gw_constant<T>(value), (size_t)1, upper, less);
    cudaMemcpyAsync(&result, place, sizeof(ptrdiff_t), cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    cudaFreeAsync(place, stream);
    return result;
}

namespace thrust {
#define GW_THRUST_BOUND(name, upper)                                                                           \
    template <class P, class In, class T, class Less, class = gw_if_policy<P>>                                 \
    In name(const P &policy, In first, In last, const T &value, Less less) {                                   \
        static_assert(!P::on_host, "searched are ranges of the device");                                       \
        return first + gw_bound(policy.stream(), gw_bare(first), (size_t)(last - first), value, upper, less);  \
    }                                                                                                          \
    template <class In, class T, class Less, class = gw_unless_policy<In>>                                     \
    In name(In first, In last, const T &value, Less less) {                                                    \
        return thrust::name(gw_policy_of<In>{}, first, last, value, less);                                     \
    }                                                                                                          \
    template <class P, class In, class T, class = gw_if_policy<P>>                                             \
    In name(const P &policy, In first, In last, const T &value) {                                              \
        return thrust::name(policy, first, last, value, gw_less<>{});                                          \
    }                                                                                                          \
    template <class In, class T, class = gw_unless_policy<In>> In name(In first, In last, const T &value) {    \
        return thrust::name(gw_policy_of<In>{}, first, last, value, gw_less<>{});                              \
    }                                                                                                          \
    template <class P, class In, class V, class Out, class Less, class = gw_if_policy<P>>                      \
    Out name(const P &policy, In first, In last, V values, V values_last, Out out, Less less) {                \
        static_assert(!P::on_host, "searched are ranges of the device");                                       \
        const size_t count = (size_t)(values_last - values);                                                   \
        if (count)                                                                                             \
            gw_bounds<<<GW_OVER(count, policy)>>>(gw_bare(out), gw_bare(first), (size_t)(last - first),        \
                                                  gw_bare(values), count, upper, less);                        \
        return out + (ptrdiff_t)count;                                                                         \
    }                                                                                                          \
    template <class In, class V, class Out, class Less, class = gw_unless_policy<In>>                          \
    Out name(In first, In last, V values, V values_last, Out out, Less less) {                                 \
        return thrust::name(gw_policy_of<In, V, Out>{}, first, last, values, values_last, out, less);          \
    }                                                                                                          \
    template <class P, class In, class V, class Out, class = gw_if_policy<P>>                                  \
    Out name(const P &policy, In first, In last, V values, V values_last, Out out) {                           \
        return thrust::name(policy, first, last, values, values_last, out, gw_less<>{});                       \
    }                                                                                                          \
    template <class In, class V, class Out, class = gw_unless_policy<In>>                                      \
    Out name(In first, In last, V values, V values_last, Out out) {                                            \
        return thrust::name(gw_policy_of<In, V, Out>{}, first, last, values, values_last, out, gw_less<>{});   \
    }
GW_THRUST_BOUND(lower_bound, false)
GW_THRUST_BOUND(upper_bound, true)
#undef GW_THRUST_BOUND

/* ---- whether it is there ---- */
template <class P, class In, class V, class Out, class Less, class = gw_if_policy<P>>
Out binary_search(const P &policy, In first, In last, V values, V values_last, Out out, Less less) {
    static_assert(!P::on_host, "searched are ranges of the device");
    const size_t count = (size_t)(values_last - values), n = (size_t)(last - first);
    if (count) {
        size_t *bounds;
        cudaMallocAsync(&bounds, count * sizeof(size_t), policy.stream());
        gw_bounds<<<GW_OVER(count, policy)>>>(bounds, gw_bare(first), n, gw_bare(values), count, false, less);
        gw_found<<<GW_OVER(count, policy)>>>(gw_bare(out), gw_bare(first), n, gw_bare(values),
                                             (const size_t *)bounds, count, less);
        cudaFreeAsync(bounds, policy.stream());
    }
    return out + (ptrdiff_t)count;
}
template <class In, class V, class Out, class Less, class = gw_unless_policy<In>>
Out binary_search(In first, In last, V values, V values_last, Out out, Less less) {
    return thrust::binary_search(gw_policy_of<In, V, Out>{}, first, last, values, values_last, out, less);
}
template <class P, class In, class V, class Out, class = gw_if_policy<P>>
Out binary_search(const P &policy, In first, In last, V values, V values_last, Out out) {
    return thrust::binary_search(policy, first, last, values, values_last, out, gw_less<>{});
}
template <class In, class V, class Out, class = gw_unless_policy<In>>
Out binary_search(In first, In last, V values, V values_last, Out out) {
    return thrust::binary_search(gw_policy_of<In, V, Out>{}, first, last, values, values_last, out,
                                 gw_less<>{});
}
/* The answer for one value, which is waited for. */
template <class P, class In, class T, class Less, class = gw_if_policy<P>>
bool binary_search(const P &policy, In first, In last, const T &value, Less less) {
    int *found, result = 0;
    cudaMallocAsync(&found, sizeof(int), policy.stream());
    thrust::binary_search(policy, first, last, gw_constant<T>(value), gw_constant<T>(value) + 1, found, less);
    cudaMemcpyAsync(&result, found, sizeof(int), cudaMemcpyDeviceToHost, policy.stream());
    cudaStreamSynchronize(policy.stream());
    cudaFreeAsync(found, policy.stream());
    return result != 0;
}
template <class In, class T, class Less, class = gw_unless_policy<In>>
bool binary_search(In first, In last, const T &value, Less less) {
    return thrust::binary_search(gw_policy_of<In>{}, first, last, value, less);
}
template <class P, class In, class T, class = gw_if_policy<P>>
bool binary_search(const P &policy, In first, In last, const T &value) {
    return thrust::binary_search(policy, first, last, value, gw_less<>{});
}
template <class In, class T, class = gw_unless_policy<In>>
bool binary_search(In first, In last, const T &value) {
    return thrust::binary_search(gw_policy_of<In>{}, first, last, value, gw_less<>{});
}
} // namespace thrust
#endif
