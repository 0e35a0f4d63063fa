/* The range backwards. */
#ifndef GRADWRIGHT_THRUST_REVERSE_H
#define GRADWRIGHT_THRUST_REVERSE_H
#include <thrust/gw_elementwise.h>

namespace thrust {
template <class P, class In, class Out, class = gw_if_policy<P>>
Out reverse_copy(const P &policy, In first, In last, Out out) {
    const size_t n = (size_t)(last - first);
    if constexpr (P::on_host) {
        for (size_t i = 0; i < n; i++)
            out[i] = first[n - 1 - i];
    } else {
        if (n) gw_backwards<<<GW_OVER(n, policy)>>>(gw_bare(out), gw_bare(first), n);
    }
    return out + (ptrdiff_t)n;
}
template <class In, class Out, class = gw_unless_policy<In>> Out reverse_copy(In first, In last, Out out) {
    return thrust::reverse_copy(gw_policy_of<In, Out>{}, first, last, out);
}
template <class P, class In, class = gw_if_policy<P>> void reverse(const P &policy, In first, In last) {
    const size_t n = (size_t)(last - first);
    if constexpr (P::on_host) {
        for (size_t i = 0; i < n / 2; i++) {
            const gw_value_of<In> other = first[i];
            first[i] = first[n - 1 - i];
            first[n - 1 - i] = other;
        }
    } else {
        if (n > 1) gw_exchange_ends<<<GW_OVER(n / 2, policy)>>>(gw_bare(first), n);
    }
}
template <class In, class = gw_unless_policy<In>> void reverse(In first, In last) {
    thrust::reverse(gw_policy_of<In>{}, first, last);
}
} // namespace thrust
#endif
