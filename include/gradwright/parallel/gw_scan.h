/* Scans: each element is read before it is written, so they may be in place. */
#ifndef GRADWRIGHT_PARALLEL_SCAN_H
#define GRADWRIGHT_PARALLEL_SCAN_H
#include <gradwright/parallel/gw_policy.h>

#include <functional>

namespace std {
template <class P, class In, class Out, class R, class F, class T>
gw_if_policy<P, Out> transform_inclusive_scan(P &&, In first, In last, Out out, R reduce, F f, T init) {
    const ptrdiff_t n = last - first;
    T sum = init;
    GW_PARALLEL(P)
    for (ptrdiff_t i = 0; i < n; i++) {
        sum = reduce(sum, f(first[i]));
        out[i] = sum;
    }
    return out + n;
}
template <class P, class In, class Out, class R, class F>
gw_if_policy<P, Out> transform_inclusive_scan(P &&, In first, In last, Out out, R reduce, F f) {
    const ptrdiff_t n = last - first;
    if (n < 1) return out;
    auto sum = f(first[0]);
    out[0] = sum;
    GW_PARALLEL(P)
    for (ptrdiff_t i = 1; i < n; i++) {
        sum = reduce(sum, f(first[i]));
        out[i] = sum;
    }
    return out + n;
}
template <class P, class In, class Out, class T, class R, class F>
gw_if_policy<P, Out> transform_exclusive_scan(P &&, In first, In last, Out out, T init, R reduce, F f) {
    const ptrdiff_t n = last - first;
    T sum = init;
    GW_PARALLEL(P)
    for (ptrdiff_t i = 0; i < n; i++) {
        const T next = reduce(sum, f(first[i]));
        out[i] = sum;
        sum = next;
    }
    return out + n;
}
template <class P, class In, class Out, class R, class T>
gw_if_policy<P, Out> inclusive_scan(P &&policy, In first, In last, Out out, R reduce, T init) {
    return std::transform_inclusive_scan(
        policy, first, last, out, reduce, [](const auto &v) { return v; }, init);
}
template <class P, class In, class Out, class R>
gw_if_policy<P, Out> inclusive_scan(P &&policy, In first, In last, Out out, R reduce) {
    return std::transform_inclusive_scan(policy, first, last, out, reduce, [](const auto &v) { return v; });
}
template <class P, class In, class Out>
gw_if_policy<P, Out> inclusive_scan(P &&policy, In first, In last, Out out) {
    return std::transform_inclusive_scan(policy, first, last, out, std::plus<gw_value_of<In>>(),
                                         [](const auto &v) { return v; });
}
template <class P, class In, class Out, class T, class R>
gw_if_policy<P, Out> exclusive_scan(P &&policy, In first, In last, Out out, T init, R reduce) {
    return std::transform_exclusive_scan(policy, first, last, out, init, reduce,
                                         [](const auto &v) { return v; });
}
template <class P, class In, class Out, class T>
gw_if_policy<P, Out> exclusive_scan(P &&policy, In first, In last, Out out, T init) {
    return std::transform_exclusive_scan(policy, first, last, out, init, std::plus<T>(),
                                         [](const auto &v) { return v; });
}
} // namespace std

#endif
