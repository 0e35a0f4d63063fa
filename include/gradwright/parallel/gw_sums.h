/* Algorithms that end in one value. In the order of the elements, which is one of those that the library may
 * take. */
#ifndef GRADWRIGHT_PARALLEL_SUMS_H
#define GRADWRIGHT_PARALLEL_SUMS_H
#include <gradwright/parallel/gw_policy.h>

namespace std {
template <class P, class It, class T, class F> gw_if_policy<P, T> reduce(P &&, It first, It last, T init, F f) {
    const ptrdiff_t n = last - first;
    T sum = init;
    GW_PARALLEL(P)
    for (ptrdiff_t i = 0; i < n; i++)
        sum = f(sum, first[i]);
    return sum;
}
template <class P, class It, class T> gw_if_policy<P, T> reduce(P &&, It first, It last, T init) {
    const ptrdiff_t n = last - first;
    T sum = init;
    GW_PARALLEL(P)
    for (ptrdiff_t i = 0; i < n; i++)
        sum = sum + first[i];
    return sum;
}
template <class P, class It> gw_if_policy<P, gw_value_of<It>> reduce(P &&, It first, It last) {
    const ptrdiff_t n = last - first;
    gw_value_of<It> sum{};
    GW_PARALLEL(P)
    for (ptrdiff_t i = 0; i < n; i++)
        sum = sum + first[i];
    return sum;
}
template <class P, class It, class T, class R, class F>
gw_if_policy<P, T> transform_reduce(P &&, It first, It last, T init, R reduce, F f) {
    const ptrdiff_t n = last - first;
    T sum = init;
    GW_PARALLEL(P)
    for (ptrdiff_t i = 0; i < n; i++)
        sum = reduce(sum, f(first[i]));
    return sum;
}
template <class P, class A, class B, class T, class R, class F>
gw_if_policy<P, T> transform_reduce(P &&, A first, A last, B second, T init, R reduce, F f) {
    const ptrdiff_t n = last - first;
    T sum = init;
    GW_PARALLEL(P)
    for (ptrdiff_t i = 0; i < n; i++)
        sum = reduce(sum, f(first[i], second[i]));
    return sum;
}
template <class P, class A, class B, class T>
gw_if_policy<P, T> transform_reduce(P &&, A first, A last, B second, T init) {
    const ptrdiff_t n = last - first;
    T sum = init;
    GW_PARALLEL(P)
    for (ptrdiff_t i = 0; i < n; i++)
        sum = sum + first[i] * second[i];
    return sum;
}
} // namespace std

#endif
