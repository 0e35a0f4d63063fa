/* Algorithms of which an iteration makes one element. */
#ifndef GRADWRIGHT_PARALLEL_ELEMENTWISE_H
#define GRADWRIGHT_PARALLEL_ELEMENTWISE_H
#include <gradwright/parallel/gw_policy.h>

#include <functional>
#include <vector>

namespace std {
template <class P, class It, class F> gw_if_policy<P> for_each(P &&, It first, It last, F f) {
    const ptrdiff_t n = last - first;
    GW_PARALLEL(P)
    for (ptrdiff_t i = 0; i < n; i++)
        f(first[i]);
}
template <class P, class It, class N, class F> gw_if_policy<P, It> for_each_n(P &&, It first, N count, F f) {
    const ptrdiff_t n = count;
    GW_PARALLEL(P)
    for (ptrdiff_t i = 0; i < n; i++)
        f(first[i]);
    return first + (n > 0 ? n : 0);
}
template <class P, class In, class Out, class F>
gw_if_policy<P, Out> transform(P &&, In first, In last, Out out, F f) {
    const ptrdiff_t n = last - first;
    GW_PARALLEL(P)
    for (ptrdiff_t i = 0; i < n; i++)
        out[i] = f(first[i]);
    return out + n;
}
template <class P, class A, class B, class Out, class F>
gw_if_policy<P, Out> transform(P &&, A first, A last, B second, Out out, F f) {
    const ptrdiff_t n = last - first;
    GW_PARALLEL(P)
    for (ptrdiff_t i = 0; i < n; i++)
        out[i] = f(first[i], second[i]);
    return out + n;
}
template <class P, class In, class Out> gw_if_policy<P, Out> copy(P &&, In first, In last, Out out) {
    const ptrdiff_t n = last - first;
    GW_PARALLEL(P)
    for (ptrdiff_t i = 0; i < n; i++)
        out[i] = first[i];
    return out + n;
}
template <class P, class In, class N, class Out> gw_if_policy<P, Out> copy_n(P &&, In first, N count, Out out) {
    const ptrdiff_t n = count;
    GW_PARALLEL(P)
    for (ptrdiff_t i = 0; i < n; i++)
        out[i] = first[i];
    return out + (n > 0 ? n : 0);
}
template <class P, class It, class T> gw_if_policy<P> fill(P &&, It first, It last, const T &value) {
    const ptrdiff_t n = last - first;
    const T each = value;
    GW_PARALLEL(P)
    for (ptrdiff_t i = 0; i < n; i++)
        first[i] = each;
}
template <class P, class It, class N, class T>
gw_if_policy<P, It> fill_n(P &&, It first, N count, const T &value) {
    const ptrdiff_t n = count;
    const T each = value;
    GW_PARALLEL(P)
    for (ptrdiff_t i = 0; i < n; i++)
        first[i] = each;
    return first + (n > 0 ? n : 0);
}
/* The neighbours go to an array of their own, so that no two iterations meet, forward or backward. */
template <class P, class In, class Out, class F>
gw_if_policy<P, Out> adjacent_difference(P &&, In first, In last, Out out, F f) {
    const ptrdiff_t n = last - first;
    std::vector<gw_value_of<In>> before(n);
    GW_PARALLEL(P)
    for (ptrdiff_t i = 1; i < n; i++)
        before[i] = first[i - 1];
    if (n > 0) out[0] = first[0];
    GW_PARALLEL(P)
    for (ptrdiff_t i = 1; i < n; i++)
        out[i] = f(first[i], before[i]);
    return out + n;
}
template <class P, class In, class Out>
gw_if_policy<P, Out> adjacent_difference(P &&policy, In first, In last, Out out) {
    return std::adjacent_difference(policy, first, last, out, std::minus<gw_value_of<In>>());
}
} // namespace std

#endif
