/* The places of the least and the greatest have no derivative; what lies there has its own. Several give the
 * first; next to NaN, the functor decides. */
#ifndef GRADWRIGHT_THRUST_EXTREMA_H
#define GRADWRIGHT_THRUST_EXTREMA_H
#include <gradwright/algorithms/each/tree.cuh>
#include <thrust/gw_elementwise.h>
#include <thrust/gw_others.h>
#include <thrust/pair.h>

/* The best of n > 0 elements, as a cell of the device; the caller frees it. */
template <class In, class Less> ptrdiff_t *gw_best_cell(cudaStream_t stream, In in, size_t n, Less less) {
    size_t count = gw_tree_parts(n);
    ptrdiff_t *now, *next;
    cudaMallocAsync(&now, count * sizeof(ptrdiff_t), stream);
    cudaMallocAsync(&next, gw_tree_parts(count) * sizeof(ptrdiff_t), stream);
    gw_best_parts<<<gw_algorithm_grid(count), GW_ALGORITHM_THREADS, 0, stream>>>(
        now, gw_counting<ptrdiff_t>(0), in, n, count, less);
    while (count > 1) {
        const size_t parts = gw_tree_parts(count);
        gw_best_parts<<<gw_algorithm_grid(parts), GW_ALGORITHM_THREADS, 0, stream>>>(
            next, (const ptrdiff_t *)now, in, count, parts, less);
        ptrdiff_t *const other = now;
        now = next;
        next = other;
        count = parts;
    }
    cudaFreeAsync(next, stream);
    return now;
}
template <class In, class Less> ptrdiff_t gw_best(cudaStream_t stream, In in, size_t n, Less less) {
    ptrdiff_t result = 0;
    if (n) {
        ptrdiff_t *const best = gw_best_cell(stream, in, n, less);
        cudaMemcpyAsync(&result, best, sizeof(ptrdiff_t), cudaMemcpyDeviceToHost, stream);
        cudaStreamSynchronize(stream);
        cudaFreeAsync(best, stream);
    }
    return result;
}

namespace thrust {
template <class P, class In, class Less, class = gw_if_policy<P>>
In min_element(const P &policy, In first, In last, Less less) {
    const size_t n = (size_t)(last - first);
    if constexpr (P::on_host) {
        ptrdiff_t best = 0;
        for (size_t i = 1; i < n; i++)
            if (less(first[i], first[best])) best = (ptrdiff_t)i;
        return first + best;
    } else {
        return first + gw_best(policy.stream(), gw_bare(first), n, less);
    }
}
template <class In, class Less, class = gw_unless_policy<In>> In min_element(In first, In last, Less less) {
    return thrust::min_element(gw_policy_of<In>{}, first, last, less);
}
template <class P, class In, class = gw_if_policy<P>> In min_element(const P &policy, In first, In last) {
    return thrust::min_element(policy, first, last, gw_less<gw_value_of<In>>{});
}
template <class In> In min_element(In first, In last) {
    return thrust::min_element(gw_policy_of<In>{}, first, last, gw_less<gw_value_of<In>>{});
}
template <class P, class In, class Less, class = gw_if_policy<P>>
In max_element(const P &policy, In first, In last, Less less) {
    return thrust::min_element(policy, first, last, gw_backwards_less<Less>{less});
}
template <class In, class Less, class = gw_unless_policy<In>> In max_element(In first, In last, Less less) {
    return thrust::max_element(gw_policy_of<In>{}, first, last, less);
}
template <class P, class In, class = gw_if_policy<P>> In max_element(const P &policy, In first, In last) {
    return thrust::max_element(policy, first, last, gw_less<gw_value_of<In>>{});
}
template <class In> In max_element(In first, In last) {
    return thrust::max_element(gw_policy_of<In>{}, first, last, gw_less<gw_value_of<In>>{});
}
template <class P, class In, class Less, class = gw_if_policy<P>>
pair<In, In> minmax_element(const P &policy, In first, In last, Less less) {
    return thrust::make_pair(thrust::min_element(policy, first, last, less),
                             thrust::max_element(policy, first, last, less));
}
template <class In, class Less, class = gw_unless_policy<In>>
pair<In, In> minmax_element(In first, In last, Less less) {
    return thrust::minmax_element(gw_policy_of<In>{}, first, last, less);
}
template <class P, class In, class = gw_if_policy<P>>
pair<In, In> minmax_element(const P &policy, In first, In last) {
    return thrust::minmax_element(policy, first, last, gw_less<gw_value_of<In>>{});
}
template <class In> pair<In, In> minmax_element(In first, In last) {
    return thrust::minmax_element(gw_policy_of<In>{}, first, last, gw_less<gw_value_of<In>>{});
}
} // namespace thrust
#endif
