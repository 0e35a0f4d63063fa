/* What is chosen by a condition, as calls of Thrust's: flags, their numbers (algorithms/select.cuh), then each
 * element goes to its number. How many there are is waited for; on the host, loops. */
#ifndef GRADWRIGHT_THRUST_SELECT_H
#define GRADWRIGHT_THRUST_SELECT_H
#include <gradwright/algorithms/primitives.cuh>
#include <thrust/gw_elementwise.h>
#include <thrust/gw_others.h>
#include <thrust/pair.h>

/* The elements elsewhere, for what writes in place. */
template <class I> gw_value_of<I> *gw_kept(cudaStream_t stream, I in, size_t n) {
    gw_value_of<I> *kept;
    cudaMallocAsync(&kept, n * sizeof(gw_value_of<I>), stream);
    thrust::gw_copied(stream, false, in, n, kept);
    return kept;
}

/* number[i]: how many of flags[0] to flags[i] are set. */
inline void gw_numbers_of(cudaStream_t stream, const int *flags, size_t n, unsigned *number, unsigned *count) {
    unsigned char *room;
    const size_t bytes = gw_number_bytes(n);
    cudaMallocAsync(&room, bytes, stream);
    gw_number(flags, n, number, count, room, bytes, stream);
    cudaFreeAsync(room, stream);
}
inline size_t gw_counted(cudaStream_t stream, const int *flags, size_t n, unsigned *number) {
    unsigned *count, result = 0;
    cudaMallocAsync(&count, sizeof(unsigned), stream);
    gw_numbers_of(stream, flags, n, number, count);
    cudaMemcpyAsync(&result, count, sizeof(unsigned), cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    cudaFreeAsync(count, stream);
    return result;
}

/* Flags and their numbers, which gw_drop gives back. */
inline void gw_take(cudaStream_t stream, size_t n, int *&flags, unsigned *&number) {
    cudaMallocAsync(&flags, n * sizeof(int), stream);
    cudaMallocAsync(&number, n * sizeof(unsigned), stream);
}
inline void gw_drop(cudaStream_t stream, int *flags, unsigned *number) {
    cudaFreeAsync(number, stream);
    cudaFreeAsync(flags, stream);
}
template <class S, class Q>
size_t gw_choose(cudaStream_t stream, S stencil, size_t n, Q q, int *&flags, unsigned *&number) {
    gw_take(stream, n, flags, number);
    gw_flag_where<<<gw_algorithm_grid(n), GW_ALGORITHM_THREADS, 0, stream>>>(flags, stencil, n, q);
    return gw_counted(stream, flags, n, number);
}
template <class In, class Out>
void gw_put_chosen(cudaStream_t stream, In in, size_t n, const int *flags, const unsigned *number, Out out) {
    gw_compact<<<gw_algorithm_grid(n), GW_ALGORITHM_THREADS, 0, stream>>>(out, in, flags, number, n);
}

/* Those where q holds of the stencil, to `out`. */
template <class In, class S, class Out, class Q>
size_t gw_copied_where(cudaStream_t stream, In in, S stencil, size_t n, Out out, Q q) {
    if (n == 0) return 0;
    int *flags;
    unsigned *number;
    const size_t count = gw_choose(stream, stencil, n, q, flags, number);
    gw_put_chosen(stream, in, n, flags, number, out);
    gw_drop(stream, flags, number);
    return count;
}
/* The others to `rest`. */
template <class In, class S, class Out, class Rest, class Q>
size_t gw_parted(cudaStream_t stream, In in, S stencil, size_t n, Out out, Rest rest, bool behind, Q q) {
    if (n == 0) return 0;
    int *flags;
    unsigned *number;
    const size_t count = gw_choose(stream, stencil, n, q, flags, number);
    gw_put_chosen(stream, in, n, flags, number, out);
    gw_compact_others<<<gw_algorithm_grid(n), GW_ALGORITHM_THREADS, 0, stream>>>(
        rest, behind ? count : 0, in, (const int *)flags, (const unsigned *)number, n);
    gw_drop(stream, flags, number);
    return count;
}

namespace thrust {
/* ---- copies ---- */
template <class P, class In, class S, class Out, class Q, class = gw_if_policy<P>>
Out copy_if(const P &policy, In first, In last, S stencil, Out out, Q q) {
    const size_t n = (size_t)(last - first);
    if constexpr (P::on_host) {
        ptrdiff_t count = 0;
        for (size_t i = 0; i < n; i++)
            if (q(stencil[i])) out[count++] = first[i];
        return out + count;
    } else {
        return out + (ptrdiff_t)gw_copied_where(policy.stream(), gw_bare(first), gw_bare(stencil), n,
                                                gw_bare(out), q);
    }
}
template <class In, class S, class Out, class Q, class = gw_unless_policy<In>>
Out copy_if(In first, In last, S stencil, Out out, Q q) {
    return thrust::copy_if(gw_policy_of<In, S, Out>{}, first, last, stencil, out, q);
}
template <class P, class In, class Out, class Q, class = gw_if_policy<P>>
Out copy_if(const P &policy, In first, In last, Out out, Q q) {
    return thrust::copy_if(policy, first, last, first, out, q);
}
template <class In, class Out, class Q, class = gw_unless_policy<In>>
Out copy_if(In first, In last, Out out, Q q) {
    return thrust::copy_if(gw_policy_of<In, Out>{}, first, last, first, out, q);
}
template <class P, class In, class Out, class Q, class = gw_if_policy<P>>
Out remove_copy_if(const P &policy, In first, In last, Out out, Q q) {
    return thrust::copy_if(policy, first, last, first, out, gw_unless<Q>{q});
}
template <class In, class Out, class Q, class = gw_unless_policy<In>>
Out remove_copy_if(In first, In last, Out out, Q q) {
    return thrust::remove_copy_if(gw_policy_of<In, Out>{}, first, last, out, q);
}

template <class P, class In, class S, class Out, class Q, class = gw_if_policy<P>>
Out remove_copy_if(const P &policy, In first, In last, S stencil, Out out, Q q) {
    return thrust::copy_if(policy, first, last, stencil, out, gw_unless<Q>{q});
}
template <class In, class S, class Out, class Q, class = gw_unless_policy<In>>
Out remove_copy_if(In first, In last, S stencil, Out out, Q q) {
    return thrust::remove_copy_if(gw_policy_of<In, Out>{}, first, last, stencil, out, q);
}

/* ---- in place ---- */
template <class P, class In, class S, class Q, class = gw_if_policy<P>>
In remove_if(const P &policy, In first, In last, S stencil, Q q) {
    const size_t n = (size_t)(last - first);
    if constexpr (P::on_host) {
        return thrust::copy_if(policy, first, last, stencil, first, gw_unless<Q>{q});
    } else {
        if (n == 0) return last;
        gw_value_of<In> *const old = gw_kept(policy.stream(), gw_bare(first), n);
        const size_t count = gw_copied_where(policy.stream(), (const gw_value_of<In> *)old, gw_bare(stencil), n,
                                             gw_bare(first), gw_unless<Q>{q});
        cudaFreeAsync(old, policy.stream());
        return first + (ptrdiff_t)count;
    }
}
template <class In, class S, class Q, class = gw_unless_policy<In>>
In remove_if(In first, In last, S stencil, Q q) {
    return thrust::remove_if(gw_policy_of<In, S>{}, first, last, stencil, q);
}
template <class P, class In, class Q, class = gw_if_policy<P>>
In remove_if(const P &policy, In first, In last, Q q) {
    return thrust::remove_if(policy, first, last, first, q);
}
template <class In, class Q, class = gw_unless_policy<In>> In remove_if(In first, In last, Q q) {
    return thrust::remove_if(gw_policy_of<In>{}, first, last, first, q);
}

/* ---- in two ---- */
template <class P, class In, class S, class Out, class Rest, class Q, class = gw_if_policy<P>>
pair<Out, Rest> stable_partition_copy(const P &policy, In first, In last, S stencil, Out out, Rest rest, Q q) {
    const size_t n = (size_t)(last - first);
    size_t count = 0;
    if constexpr (P::on_host) {
        size_t others = 0;
        for (size_t i = 0; i < n; i++)
            if (q(stencil[i]))
                out[count++] = first[i];
            else
                rest[others++] = first[i];
    } else {
        count = gw_parted(policy.stream(), gw_bare(first), gw_bare(stencil), n, gw_bare(out), gw_bare(rest),
                          false, q);
    }
    return pair<Out, Rest>(out + (ptrdiff_t)count, rest + (ptrdiff_t)(n - count));
}
template <class P, class In, class S, class Q, class = gw_if_policy<P>>
In stable_partition(const P &policy, In first, In last, S stencil, Q q) {
    static_assert(!P::on_host, "partitioned are ranges of the device");
    const size_t n = (size_t)(last - first);
    if (n == 0) return last;
    gw_value_of<In> *const old = gw_kept(policy.stream(), gw_bare(first), n);
    size_t count;
    if constexpr (std::is_same_v<In, S>)
        count = gw_parted(policy.stream(), (const gw_value_of<In> *)old, (const gw_value_of<In> *)old, n,
                          gw_bare(first), gw_bare(first), true, q);
    else
        count = gw_parted(policy.stream(), (const gw_value_of<In> *)old, gw_bare(stencil), n, gw_bare(first),
                          gw_bare(first), true, q);
    cudaFreeAsync(old, policy.stream());
    return first + (ptrdiff_t)count;
}
#define GW_THRUST_PARTITION(name)                                                                              \
    template <class In, class S, class Out, class Rest, class Q, class = gw_unless_policy<In>>                 \
    pair<Out, Rest> name##_copy(In first, In last, S stencil, Out out, Rest rest, Q q) {                       \
        return thrust::stable_partition_copy(gw_policy_of<In, S, Out, Rest>{}, first, last, stencil, out,      \
                                             rest, q);                                                         \
    }                                                                                                          \
    template <class P, class In, class Out, class Rest, class Q, class = gw_if_policy<P>>                      \
    pair<Out, Rest> name##_copy(const P &policy, In first, In last, Out out, Rest rest, Q q) {                 \
        return thrust::stable_partition_copy(policy, first, last, first, out, rest, q);                        \
    }                                                                                                          \
    template <class In, class Out, class Rest, class Q, class = gw_unless_policy<In>>                          \
    pair<Out, Rest> name##_copy(In first, In last, Out out, Rest rest, Q q) {                                  \
        return thrust::stable_partition_copy(gw_policy_of<In, Out, Rest>{}, first, last, first, out, rest, q); \
    }                                                                                                          \
    template <class In, class S, class Q, class = gw_unless_policy<In>>                                        \
    In name(In first, In last, S stencil, Q q) {                                                               \
        return thrust::stable_partition(gw_policy_of<In, S>{}, first, last, stencil, q);                       \
    }                                                                                                          \
    template <class P, class In, class Q, class = gw_if_policy<P>>                                             \
    In name(const P &policy, In first, In last, Q q) {                                                         \
        return thrust::stable_partition(policy, first, last, first, q);                                        \
    }                                                                                                          \
    template <class In, class Q, class = gw_unless_policy<In>> In name(In first, In last, Q q) {               \
        return thrust::stable_partition(gw_policy_of<In>{}, first, last, first, q);                            \
    }
GW_THRUST_PARTITION(stable_partition)
GW_THRUST_PARTITION(partition)
#undef GW_THRUST_PARTITION
template <class P, class In, class S, class Out, class Rest, class Q, class = gw_if_policy<P>>
pair<Out, Rest> partition_copy(const P &policy, In first, In last, S stencil, Out out, Rest rest, Q q) {
    return thrust::stable_partition_copy(policy, first, last, stencil, out, rest, q);
}
template <class P, class In, class S, class Q, class = gw_if_policy<P>>
In partition(const P &policy, In first, In last, S stencil, Q q) {
    return thrust::stable_partition(policy, first, last, stencil, q);
}
} // namespace thrust
#endif
