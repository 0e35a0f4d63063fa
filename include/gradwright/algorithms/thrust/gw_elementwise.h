/* Algorithms of which a thread makes one element, as calls of Thrust's: on the device a kernel, on the host a
 * loop. */
#ifndef GRADWRIGHT_THRUST_ELEMENTWISE_H
#define GRADWRIGHT_THRUST_ELEMENTWISE_H
#include <gradwright/algorithms/each/elementwise.cuh>
#include <gradwright/algorithms/each/functors.cuh>
#include <thrust/gw_policy.h>
#include <thrust/gw_vector.h>

/* What a launch for n elements is. */
#define GW_OVER(n, policy) gw_algorithm_grid(n), GW_ALGORITHM_THREADS, 0, policy.stream()

namespace thrust {

/* ---- one for one ---- */
template <class P, class In, class Out, class F, class = gw_if_policy<P>>
Out transform(const P &policy, In first, In last, Out out, F f) {
    const size_t n = (size_t)(last - first);
    if constexpr (P::on_host) {
        for (size_t i = 0; i < n; i++)
            out[i] = f(first[i]);
    } else {
        if (n) gw_transform<<<GW_OVER(n, policy)>>>(gw_bare(out), gw_bare(first), n, f);
    }
    return out + (ptrdiff_t)n;
}
template <class In, class Out, class F, class = gw_unless_policy<In>>
Out transform(In first, In last, Out out, F f) {
    return thrust::transform(gw_policy_of<In, Out>{}, first, last, out, f);
}
template <class P, class A, class B, class Out, class F, class = gw_if_policy<P>>
Out transform(const P &policy, A first, A last, B second, Out out, F f) {
    const size_t n = (size_t)(last - first);
    if constexpr (P::on_host) {
        for (size_t i = 0; i < n; i++)
            out[i] = f(first[i], second[i]);
    } else {
        if (n)
            gw_transform_of_pairs<<<GW_OVER(n, policy)>>>(gw_bare(out), gw_bare(first), gw_bare(second), n, f);
    }
    return out + (ptrdiff_t)n;
}
template <class A, class B, class Out, class F, class = gw_unless_policy<A>>
Out transform(A first, A last, B second, Out out, F f) {
    return thrust::transform(gw_policy_of<A, B, Out>{}, first, last, second, out, f);
}
template <class P, class In, class Out, class F, class C, class = gw_if_policy<P>>
Out transform_if(const P &policy, In first, In last, Out out, F f, C condition) {
    const size_t n = (size_t)(last - first);
    if constexpr (P::on_host) {
        for (size_t i = 0; i < n; i++)
            if (condition(first[i])) out[i] = f(first[i]);
    } else {
        if (n)
            gw_transform_if<<<GW_OVER(n, policy)>>>(gw_bare(out), gw_bare(first), gw_bare(first), n, f,
                                                    condition);
    }
    return out + (ptrdiff_t)n;
}
template <class In, class Out, class F, class C, class = gw_unless_policy<In>>
Out transform_if(In first, In last, Out out, F f, C condition) {
    return thrust::transform_if(gw_policy_of<In, Out>{}, first, last, out, f, condition);
}
template <class P, class In, class S, class Out, class F, class C, class = gw_if_policy<P>>
Out transform_if(const P &policy, In first, In last, S stencil, Out out, F f, C condition) {
    const size_t n = (size_t)(last - first);
    if constexpr (P::on_host) {
        for (size_t i = 0; i < n; i++)
            if (condition(stencil[i])) out[i] = f(first[i]);
    } else {
        if (n)
            gw_transform_if<<<GW_OVER(n, policy)>>>(gw_bare(out), gw_bare(first), gw_bare(stencil), n, f,
                                                    condition);
    }
    return out + (ptrdiff_t)n;
}
template <class In, class S, class Out, class F, class C, class = gw_unless_policy<In>>
Out transform_if(In first, In last, S stencil, Out out, F f, C condition) {
    return thrust::transform_if(gw_policy_of<In, S, Out>{}, first, last, stencil, out, f, condition);
}
template <class P, class In, class F, class = gw_if_policy<P>>
In for_each(const P &policy, In first, In last, F f) {
    const size_t n = (size_t)(last - first);
    if constexpr (P::on_host) {
        for (size_t i = 0; i < n; i++)
            f(first[i]);
    } else {
        if (n) gw_for_each<<<GW_OVER(n, policy)>>>(gw_bare(first), n, f);
    }
    return last;
}
template <class In, class F, class = gw_unless_policy<In>> In for_each(In first, In last, F f) {
    return thrust::for_each(gw_policy_of<In>{}, first, last, f);
}
template <class P, class In, class N, class F, class = gw_if_policy<P>>
In for_each_n(const P &policy, In first, N count, F f) {
    const size_t n = (size_t)count;
    if constexpr (P::on_host) {
        for (size_t i = 0; i < n; i++)
            f(first[i]);
    } else {
        if (n) gw_for_each<<<GW_OVER(n, policy)>>>(gw_bare(first), n, f);
    }
    return first + (ptrdiff_t)n;
}
template <class In, class N, class F, class = gw_unless_policy<In>> In for_each_n(In first, N count, F f) {
    return thrust::for_each_n(gw_policy_of<In>{}, first, count, f);
}
template <class P, class Out, class F, class = gw_if_policy<P>>
void tabulate(const P &policy, Out first, Out last, F f) {
    const size_t n = (size_t)(last - first);
    if constexpr (P::on_host) {
        for (size_t i = 0; i < n; i++)
            first[i] = f((ptrdiff_t)i);
    } else {
        if (n) gw_tabulate<<<GW_OVER(n, policy)>>>(gw_bare(first), n, f);
    }
}
template <class Out, class F, class = gw_unless_policy<Out>> void tabulate(Out first, Out last, F f) {
    thrust::tabulate(gw_policy_of<Out>{}, first, last, f);
}

/* ---- values ---- */
template <class P, class Out, class T, class = gw_if_policy<P>>
void fill(const P &policy, Out first, Out last, T value) {
    const size_t n = (size_t)(last - first);
    if constexpr (P::on_host) {
        for (size_t i = 0; i < n; i++)
            first[i] = value;
    } else {
        if (n) gw_fill<<<GW_OVER(n, policy)>>>(gw_bare(first), n, (gw_value_of<Out>)value);
    }
}
template <class Out, class T, class = gw_unless_policy<Out>> void fill(Out first, Out last, T value) {
    thrust::fill(gw_policy_of<Out>{}, first, last, value);
}
template <class P, class Out, class N, class T, class = gw_if_policy<P>>
Out fill_n(const P &policy, Out first, N count, T value) {
    const size_t n = (size_t)count;
    if constexpr (P::on_host) {
        for (size_t i = 0; i < n; i++)
            first[i] = value;
    } else {
        if (n) gw_fill<<<GW_OVER(n, policy)>>>(gw_bare(first), n, (gw_value_of<Out>)value);
    }
    return first + (ptrdiff_t)n;
}
template <class Out, class N, class T, class = gw_unless_policy<Out>> Out fill_n(Out first, N count, T value) {
    return thrust::fill_n(gw_policy_of<Out>{}, first, count, value);
}
template <class P, class Out, class T, class = gw_if_policy<P>>
void sequence(const P &policy, Out first, Out last, T start, T step) {
    const size_t n = (size_t)(last - first);
    if constexpr (P::on_host) {
        for (size_t i = 0; i < n; i++)
            first[i] = start + (T)i * step;
    } else {
        if (n)
            gw_sequence<<<GW_OVER(n, policy)>>>(gw_bare(first), n, (gw_value_of<Out>)start,
                                                (gw_value_of<Out>)step);
    }
}
template <class Out, class T, class = gw_unless_policy<Out>>
void sequence(Out first, Out last, T start, T step) {
    thrust::sequence(gw_policy_of<Out>{}, first, last, start, step);
}
template <class P, class Out, class T, class = gw_if_policy<P>>
void sequence(const P &policy, Out first, Out last, T start) {
    thrust::sequence(policy, first, last, start, T(1));
}
template <class Out, class T, class = gw_unless_policy<Out>> void sequence(Out first, Out last, T start) {
    thrust::sequence(gw_policy_of<Out>{}, first, last, start, T(1));
}
template <class P, class Out, class = gw_if_policy<P>> void sequence(const P &policy, Out first, Out last) {
    thrust::sequence(policy, first, last, gw_value_of<Out>(0), gw_value_of<Out>(1));
}
template <class Out> void sequence(Out first, Out last) {
    thrust::sequence(gw_policy_of<Out>{}, first, last, gw_value_of<Out>(0), gw_value_of<Out>(1));
}

/* ---- by index ---- */
template <class P, class M, class In, class Out, class = gw_if_policy<P>>
Out gather(const P &policy, M first, M last, In in, Out out) {
    const size_t n = (size_t)(last - first);
    if constexpr (P::on_host) {
        for (size_t i = 0; i < n; i++)
            out[i] = in[first[i]];
    } else {
        if (n) gw_gather<<<GW_OVER(n, policy)>>>(gw_bare(out), gw_bare(in), gw_bare(first), n);
    }
    return out + (ptrdiff_t)n;
}
template <class M, class In, class Out, class = gw_unless_policy<M>>
Out gather(M first, M last, In in, Out out) {
    return thrust::gather(gw_policy_of<M, In, Out>{}, first, last, in, out);
}
template <class P, class M, class S, class In, class Out, class C, class = gw_if_policy<P>>
Out gather_if(const P &policy, M first, M last, S stencil, In in, Out out, C condition) {
    const size_t n = (size_t)(last - first);
    if constexpr (P::on_host) {
        for (size_t i = 0; i < n; i++)
            if (condition(stencil[i])) out[i] = in[first[i]];
    } else {
        if (n)
            gw_gather_if<<<GW_OVER(n, policy)>>>(gw_bare(out), gw_bare(in), gw_bare(first), gw_bare(stencil), n,
                                                 condition);
    }
    return out + (ptrdiff_t)n;
}
template <class M, class S, class In, class Out, class C, class = gw_unless_policy<M>>
Out gather_if(M first, M last, S stencil, In in, Out out, C condition) {
    return thrust::gather_if(gw_policy_of<M, S, In, Out>{}, first, last, stencil, in, out, condition);
}
template <class P, class M, class S, class In, class Out, class = gw_if_policy<P>>
Out gather_if(const P &policy, M first, M last, S stencil, In in, Out out) {
    const size_t n = (size_t)(last - first);
    if constexpr (P::on_host) {
        for (size_t i = 0; i < n; i++)
            if (stencil[i]) out[i] = in[first[i]];
    } else {
        if (n)
            gw_gather_if<<<GW_OVER(n, policy)>>>(gw_bare(out), gw_bare(in), gw_bare(first), gw_bare(stencil), n,
                                                 gw_identity<>{});
    }
    return out + (ptrdiff_t)n;
}
template <class M, class S, class In, class Out, class = gw_unless_policy<M>>
Out gather_if(M first, M last, S stencil, In in, Out out) {
    return thrust::gather_if(gw_policy_of<M, S, In, Out>{}, first, last, stencil, in, out);
}
template <class P, class In, class M, class Out, class = gw_if_policy<P>>
void scatter(const P &policy, In first, In last, M map, Out out) {
    const size_t n = (size_t)(last - first);
    if constexpr (P::on_host) {
        for (size_t i = 0; i < n; i++)
            out[map[i]] = first[i];
    } else {
        if (n) gw_scatter<<<GW_OVER(n, policy)>>>(gw_bare(out), gw_bare(first), gw_bare(map), n);
    }
}
template <class In, class M, class Out, class = gw_unless_policy<In>>
void scatter(In first, In last, M map, Out out) {
    thrust::scatter(gw_policy_of<In, M, Out>{}, first, last, map, out);
}
template <class P, class In, class M, class S, class Out, class C, class = gw_if_policy<P>>
void scatter_if(const P &policy, In first, In last, M map, S stencil, Out out, C condition) {
    const size_t n = (size_t)(last - first);
    if constexpr (P::on_host) {
        for (size_t i = 0; i < n; i++)
            if (condition(stencil[i])) out[map[i]] = first[i];
    } else {
        if (n)
            gw_scatter_if<<<GW_OVER(n, policy)>>>(gw_bare(out), gw_bare(first), gw_bare(map), gw_bare(stencil),
                                                  n, condition);
    }
}
template <class In, class M, class S, class Out, class C, class = gw_unless_policy<In>>
void scatter_if(In first, In last, M map, S stencil, Out out, C condition) {
    thrust::scatter_if(gw_policy_of<In, M, S, Out>{}, first, last, map, stencil, out, condition);
}
template <class P, class In, class M, class S, class Out, class = gw_if_policy<P>>
void scatter_if(const P &policy, In first, In last, M map, S stencil, Out out) {
    const size_t n = (size_t)(last - first);
    if constexpr (P::on_host) {
        for (size_t i = 0; i < n; i++)
            if (stencil[i]) out[map[i]] = first[i];
    } else {
        if (n)
            gw_scatter_if<<<GW_OVER(n, policy)>>>(gw_bare(out), gw_bare(first), gw_bare(map), gw_bare(stencil),
                                                  n, gw_identity<>{});
    }
}
template <class In, class M, class S, class Out, class = gw_unless_policy<In>>
void scatter_if(In first, In last, M map, S stencil, Out out) {
    thrust::scatter_if(gw_policy_of<In, M, S, Out>{}, first, last, map, stencil, out);
}

/* ---- copies, between the host and the device too ---- */
template <class A, class B>
constexpr bool gw_is_flat = std::is_pointer_v<gw_bare_type<A>> &&std::is_pointer_v<gw_bare_type<B>>
    &&std::is_same_v<gw_value_of<A>, gw_value_of<B>>;

template <class In, class Out> Out gw_copied(cudaStream_t stream, bool waits, In first, size_t n, Out out) {
    if constexpr (gw_is_flat<In, Out>) {
        const size_t bytes = n * sizeof(gw_value_of<In>);
        if (n && waits) cudaMemcpy(gw_bare(out), gw_bare(first), bytes, cudaMemcpyDefault);
        if (n && !waits) cudaMemcpyAsync(gw_bare(out), gw_bare(first), bytes, cudaMemcpyDefault, stream);
    } else {
        if (n)
            gw_copy<<<gw_algorithm_grid(n), GW_ALGORITHM_THREADS, 0, stream>>>(gw_bare(out), gw_bare(first), n);
    }
    return out + (ptrdiff_t)n;
}
template <class In, class Out, class = gw_unless_policy<In>> Out copy(In first, In last, Out out) {
    return gw_copied(nullptr, true, first, (size_t)(last - first), out);
}
template <class P, class In, class Out, class = gw_if_policy<P>>
Out copy(const P &policy, In first, In last, Out out) {
    return gw_copied(policy.stream(), policy.on_host, first, (size_t)(last - first), out);
}
template <class In, class N, class Out, class = gw_unless_policy<In>> Out copy_n(In first, N n, Out out) {
    return gw_copied(nullptr, true, first, (size_t)n, out);
}
template <class P, class In, class N, class Out, class = gw_if_policy<P>>
Out copy_n(const P &policy, In first, N n, Out out) {
    return gw_copied(policy.stream(), policy.on_host, first, (size_t)n, out);
}
template <class T, gw_vector_kind K> void swap(gw_vector<T, K> &a, gw_vector<T, K> &b) { a.swap(b); }

/* ---- neighbours ---- */
/* In place, neighbours are read from a copy. */
template <class P, class In, class Out, class F, class = gw_if_policy<P>>
Out adjacent_difference(const P &policy, In first, In last, Out out, F f) {
    const size_t n = (size_t)(last - first);
    if constexpr (P::on_host) {
        gw_value_of<In> before = gw_value_of<In>();
        for (size_t i = 0; i < n; i++) {
            const gw_value_of<In> now = first[i];
            if (i)
                out[i] = f(now, before);
            else
                out[i] = now;
            before = now;
        }
    } else if constexpr (gw_is_flat<In, Out>) {
        if (n) {
            auto *to = gw_bare(out);
            auto *from = gw_bare(first);
            if (to == from) {
                gw_value_of<In> *old;
                cudaMallocAsync(&old, n * sizeof(gw_value_of<In>), policy.stream());
                cudaMemcpyAsync(old, from, n * sizeof(gw_value_of<In>), cudaMemcpyDeviceToDevice,
                                policy.stream());
                gw_adjacent_difference<<<GW_OVER(n, policy)>>>(to, (const gw_value_of<In> *)old, n, f);
                cudaFreeAsync(old, policy.stream());
            } else {
                gw_adjacent_difference<<<GW_OVER(n, policy)>>>(to, (const gw_value_of<In> *)from, n, f);
            }
        }
    } else {
        if (n) gw_adjacent_difference<<<GW_OVER(n, policy)>>>(gw_bare(out), gw_bare(first), n, f);
    }
    return out + (ptrdiff_t)n;
}
template <class In, class Out, class F, class = gw_unless_policy<In>>
Out adjacent_difference(In first, In last, Out out, F f) {
    return thrust::adjacent_difference(gw_policy_of<In, Out>{}, first, last, out, f);
}
template <class P, class In, class Out, class = gw_if_policy<P>>
Out adjacent_difference(const P &policy, In first, In last, Out out) {
    return thrust::adjacent_difference(policy, first, last, out, gw_minus<gw_value_of<In>>{});
}
template <class In, class Out> Out adjacent_difference(In first, In last, Out out) {
    return thrust::adjacent_difference(gw_policy_of<In, Out>{}, first, last, out, gw_minus<gw_value_of<In>>{});
}
} // namespace thrust
#endif
