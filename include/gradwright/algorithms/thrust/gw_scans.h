/* Running sums, as calls of Thrust's: of plain numbers added up one primitive (algorithms/scan.cuh), of others
 * and by other functors a tree of kernels (algorithms/each/tree.cuh); on the host a loop. */
#ifndef GRADWRIGHT_THRUST_SCANS_H
#define GRADWRIGHT_THRUST_SCANS_H
#include <gradwright/algorithms/primitives.cuh>
#include <gradwright/algorithms/each/tree.cuh>
#include <thrust/gw_elementwise.h>
#include <thrust/gw_others.h>
#include <thrust/iterator/transform_iterator.h>

/* Inclusive: levels of parts upwards, then down again. `sums` and `scans` have all levels behind each other. */
template <class T, class In, class Out, class H, class F>
void gw_scan_tree(cudaStream_t stream, In in, H head, size_t n, Out out, F f) {
    const size_t room = gw_tree_room(n);
    T *sums, *scans;
    int *begins;
    cudaMallocAsync(&sums, room * sizeof(T), stream);
    cudaMallocAsync(&scans, room * sizeof(T), stream);
    cudaMallocAsync(&begins, room * sizeof(int), stream);
    size_t count = gw_tree_parts(n), at = 0;
    int levels = 1;
    gw_scan_up<<<gw_algorithm_grid(count), GW_ALGORITHM_THREADS, 0, stream>>>(sums, begins, in, head, n, f);
    while (count > 1) {
        const size_t parts = gw_tree_parts(count);
        gw_scan_up<<<gw_algorithm_grid(parts), GW_ALGORITHM_THREADS, 0, stream>>>(
            sums + at + count, begins + at + count, (const T *)(sums + at), gw_flagged_heads{begins + at},
            count, f);
        at += count;
        count = parts;
        levels++;
    }
    for (int level = levels - 1; level >= 0; level--) {
        size_t here = 0, size = gw_tree_parts(n);
        for (int k = 0; k < level; k++) {
            here += size;
            size = gw_tree_parts(size);
        }
        gw_scan_down<<<gw_algorithm_grid(gw_tree_parts(size)), GW_ALGORITHM_THREADS, 0, stream>>>(
            scans + here, (const T *)(scans + here + size), (const T *)(sums + here),
            gw_flagged_heads{begins + here}, size, f);
    }
    gw_scan_down<<<gw_algorithm_grid(gw_tree_parts(n)), GW_ALGORITHM_THREADS, 0, stream>>>(
        out, (const T *)scans, in, head, n, f);
    cudaFreeAsync(sums, stream);
    cudaFreeAsync(scans, stream);
    cudaFreeAsync(begins, stream);
}

/* Numbers are added up from x to y, which may be one. */
template <class T>
void gw_scan_numbers(cudaStream_t stream, const T *x, size_t n, T *y, int exclusive, T first) {
    T *room;
    const size_t bytes = gw_scan_bytes(T(), n);
    cudaMallocAsync(&room, bytes, stream);
    if (x == y)
        gw_scan_in_place(y, n, exclusive, first, room, bytes, stream);
    else
        gw_scan(x, n, y, exclusive, first, room, bytes, stream);
    cudaFreeAsync(room, stream);
}

/* T: what is summed. An exclusive scan begins with `first`. */
template <class T, bool exclusive, class In, class Out, class F>
void gw_scanned(cudaStream_t stream, In in, size_t n, Out out, T first, F f) {
    if constexpr (gw_adds_numbers<F, T> && std::is_same_v<Out, T *> &&
                  (std::is_same_v<In, T *> || std::is_same_v<In, const T *>)) {
        gw_scan_numbers(stream, (const T *)in, n, out, exclusive ? 1 : 0, first);
    } else if constexpr (gw_adds_numbers<F, T>) {
        T *all;
        cudaMallocAsync(&all, n * sizeof(T), stream);
        gw_copy<<<gw_algorithm_grid(n), GW_ALGORITHM_THREADS, 0, stream>>>(all, in, n);
        gw_scan_numbers(stream, (const T *)all, n, all, exclusive ? 1 : 0, first);
        gw_copy<<<gw_algorithm_grid(n), GW_ALGORITHM_THREADS, 0, stream>>>(out, (const T *)all, n);
        cudaFreeAsync(all, stream);
    } else {
        T *all;
        cudaMallocAsync(&all, n * sizeof(T), stream);
        gw_scan_tree<T>(stream, in, gw_no_heads{}, n, all, f);
        if constexpr (exclusive)
            gw_scan_shift<<<gw_algorithm_grid(n), GW_ALGORITHM_THREADS, 0, stream>>>(
                out, (const T *)all, gw_no_heads{}, n, first, f);
        else
            gw_copy<<<gw_algorithm_grid(n), GW_ALGORITHM_THREADS, 0, stream>>>(out, (const T *)all, n);
        cudaFreeAsync(all, stream);
    }
}

namespace thrust {
template <class P, class In, class Out, class F, class = gw_if_policy<P>>
Out inclusive_scan(const P &policy, In first, In last, Out out, F f) {
    using T = gw_value_of<In>;
    const size_t n = (size_t)(last - first);
    if constexpr (P::on_host) {
        if (n) {
            T r = first[0];
            out[0] = r;
            for (size_t i = 1; i < n; i++) {
                r = f(r, first[i]);
                out[i] = r;
            }
        }
    } else {
        if (n) gw_scanned<T, false>(policy.stream(), gw_bare(first), n, gw_bare(out), T(), f);
    }
    return out + (ptrdiff_t)n;
}
template <class In, class Out, class F, class = gw_unless_policy<In>>
Out inclusive_scan(In first, In last, Out out, F f) {
    return thrust::inclusive_scan(gw_policy_of<In, Out>{}, first, last, out, f);
}
template <class P, class In, class Out, class = gw_if_policy<P>>
Out inclusive_scan(const P &policy, In first, In last, Out out) {
    return thrust::inclusive_scan(policy, first, last, out, gw_plus<>{});
}
template <class In, class Out, class = gw_unless_policy<In>> Out inclusive_scan(In first, In last, Out out) {
    return thrust::inclusive_scan(gw_policy_of<In, Out>{}, first, last, out, gw_plus<>{});
}

template <class P, class In, class Out, class T, class F, class = gw_if_policy<P>>
Out exclusive_scan(const P &policy, In first, In last, Out out, T init, F f) {
    const size_t n = (size_t)(last - first);
    if constexpr (P::on_host) {
        T r = init;
        for (size_t i = 0; i < n; i++) {
            const T own = first[i];
            out[i] = r;
            r = f(r, own);
        }
    } else {
        if (n) gw_scanned<T, true>(policy.stream(), gw_bare(first), n, gw_bare(out), init, f);
    }
    return out + (ptrdiff_t)n;
}
template <class In, class Out, class T, class F, class = gw_unless_policy<In>>
Out exclusive_scan(In first, In last, Out out, T init, F f) {
    return thrust::exclusive_scan(gw_policy_of<In, Out>{}, first, last, out, init, f);
}
template <class P, class In, class Out, class T, class = gw_if_policy<P>>
Out exclusive_scan(const P &policy, In first, In last, Out out, T init) {
    return thrust::exclusive_scan(policy, first, last, out, init, gw_plus<>{});
}
template <class In, class Out, class T, class = gw_unless_policy<In>>
Out exclusive_scan(In first, In last, Out out, T init) {
    return thrust::exclusive_scan(gw_policy_of<In, Out>{}, first, last, out, init, gw_plus<>{});
}
template <class P, class In, class Out, class = gw_if_policy<P>>
Out exclusive_scan(const P &policy, In first, In last, Out out) {
    return thrust::exclusive_scan(policy, first, last, out, gw_value_of<In>(0), gw_plus<>{});
}
template <class In, class Out, class = gw_unless_policy<In>> Out exclusive_scan(In first, In last, Out out) {
    return thrust::exclusive_scan(gw_policy_of<In, Out>{}, first, last, out, gw_value_of<In>(0), gw_plus<>{});
}

template <class P, class In, class Out, class U, class F, class = gw_if_policy<P>>
Out transform_inclusive_scan(const P &policy, In first, In last, Out out, U map, F f) {
    return thrust::inclusive_scan(policy, gw_transformed<U, In>{first, map}, gw_transformed<U, In>{last, map},
                                  out, f);
}
template <class In, class Out, class U, class F, class = gw_unless_policy<In>>
Out transform_inclusive_scan(In first, In last, Out out, U map, F f) {
    return thrust::transform_inclusive_scan(gw_policy_of<In, Out>{}, first, last, out, map, f);
}
template <class P, class In, class Out, class U, class T, class F, class = gw_if_policy<P>>
Out transform_exclusive_scan(const P &policy, In first, In last, Out out, U map, T init, F f) {
    return thrust::exclusive_scan(policy, gw_transformed<U, In>{first, map}, gw_transformed<U, In>{last, map},
                                  out, init, f);
}
template <class In, class Out, class U, class T, class F, class = gw_unless_policy<In>>
Out transform_exclusive_scan(In first, In last, Out out, U map, T init, F f) {
    return thrust::transform_exclusive_scan(gw_policy_of<In, Out>{}, first, last, out, map, init, f);
}
} // namespace thrust
#endif
