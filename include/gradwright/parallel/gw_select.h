/* Algorithms that choose among elements: what is chosen is decided by integers, in a loop of its own, so that
 * the elements move in one that is marked. */
#ifndef GRADWRIGHT_PARALLEL_SELECT_H
#define GRADWRIGHT_PARALLEL_SELECT_H
#include <gradwright/parallel/gw_policy.h>

#include <vector>

namespace std {
template <class P, class In, class Out, class F>
gw_if_policy<P, Out> copy_if(P &&, In first, In last, Out out, F f) {
    const ptrdiff_t n = last - first;
    std::vector<ptrdiff_t> place(n);
    ptrdiff_t kept = 0;
    for (ptrdiff_t i = 0; i < n; i++) {
        const bool keep = f(first[i]);
        place[i] = keep ? kept : -1;
        kept += keep;
    }
    GW_PARALLEL(P)
    for (ptrdiff_t i = 0; i < n; i++)
        if (place[i] >= 0) out[place[i]] = first[i];
    return out + kept;
}
template <class P, class It, class C> gw_if_policy<P, It> min_element(P &&, It first, It last, C less) {
    const ptrdiff_t n = last - first;
    ptrdiff_t best = 0;
    for (ptrdiff_t i = 1; i < n; i++)
        if (less(first[i], first[best])) best = i;
    return first + best;
}
template <class P, class It> gw_if_policy<P, It> min_element(P &&, It first, It last) {
    const ptrdiff_t n = last - first;
    ptrdiff_t best = 0;
    for (ptrdiff_t i = 1; i < n; i++)
        if (first[i] < first[best]) best = i;
    return first + best;
}
template <class P, class It, class C> gw_if_policy<P, It> max_element(P &&, It first, It last, C less) {
    const ptrdiff_t n = last - first;
    ptrdiff_t best = 0;
    for (ptrdiff_t i = 1; i < n; i++)
        if (less(first[best], first[i])) best = i;
    return first + best;
}
template <class P, class It> gw_if_policy<P, It> max_element(P &&, It first, It last) {
    const ptrdiff_t n = last - first;
    ptrdiff_t best = 0;
    for (ptrdiff_t i = 1; i < n; i++)
        if (first[best] < first[i]) best = i;
    return first + best;
}
} // namespace std

#endif
