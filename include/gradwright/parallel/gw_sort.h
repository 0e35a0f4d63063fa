/* Sorting: the order is found in integers, by merging runs that double in length; the elements go by it, and
 * their adjoints back. Stable. */
#ifndef GRADWRIGHT_PARALLEL_SORT_H
#define GRADWRIGHT_PARALLEL_SORT_H
#include <cstddef>
#include <iterator>
#include <vector>
#if __cplusplus >= 201703L
#include <gradwright/parallel/gw_policy.h>

template <class P, class It, class C> void gw_sort(It first, std::ptrdiff_t n, C less) {
    std::vector<std::ptrdiff_t> order(n), merged(n);
    std::vector<gw_value_of<It>> value(n);
    for (std::ptrdiff_t i = 0; i < n; i++)
        order[i] = i;
    GW_PARALLEL(P)
    for (std::ptrdiff_t i = 0; i < n; i++)
        value[i] = first[i];
    for (std::ptrdiff_t run = 1; run < n; run *= 2) {
        for (std::ptrdiff_t begin = 0; begin < n; begin += 2 * run) {
            const std::ptrdiff_t middle = begin + run < n ? begin + run : n,
                                 end = begin + 2 * run < n ? begin + 2 * run : n;
            std::ptrdiff_t a = begin, b = middle;
            for (std::ptrdiff_t k = begin; k < end; k++) {
                const bool right = a >= middle || (b < end && less(value[order[b]], value[order[a]]));
                merged[k] = right ? order[b] : order[a];
                b += right;
                a += !right;
            }
        }
        for (std::ptrdiff_t k = 0; k < n; k++)
            order[k] = merged[k];
    }
    for (std::ptrdiff_t k = 0; k < n; k++)
        merged[order[k]] = k; /* where each goes: so what is stored to, and no load, is found by a list */
    GW_PARALLEL(P)
    for (std::ptrdiff_t i = 0; i < n; i++)
        first[merged[i]] = value[i];
}

struct gw_less {
    template <class T> bool operator()(const T &a, const T &b) const { return a < b; }
};

namespace std {
template <class P, class It, class C> gw_if_policy<P> sort(P &&, It first, It last, C less) {
    gw_sort<P>(first, last - first, less);
}
template <class P, class It> gw_if_policy<P> sort(P &&, It first, It last) {
    gw_sort<P>(first, last - first, gw_less());
}
template <class P, class It, class C> gw_if_policy<P> stable_sort(P &&, It first, It last, C less) {
    gw_sort<P>(first, last - first, less);
}
template <class P, class It> gw_if_policy<P> stable_sort(P &&, It first, It last) {
    gw_sort<P>(first, last - first, gw_less());
}

/* Without a policy: more special than the library's own. */
using gw_no_policy = execution::sequenced_policy;
template <class T> void sort(T *first, T *last) { gw_sort<gw_no_policy>(first, last - first, gw_less()); }
template <class T, class C> void sort(T *first, T *last, C less) {
    gw_sort<gw_no_policy>(first, last - first, less);
}
template <class T> void stable_sort(T *first, T *last) {
    gw_sort<gw_no_policy>(first, last - first, gw_less());
}
template <class T, class C> void stable_sort(T *first, T *last, C less) {
    gw_sort<gw_no_policy>(first, last - first, less);
}
#ifdef __GLIBCXX__
template <class T, class V>
void sort(__gnu_cxx::__normal_iterator<T, V> first, __gnu_cxx::__normal_iterator<T, V> last) {
    gw_sort<gw_no_policy>(first, last - first, gw_less());
}
template <class T, class V, class C>
void sort(__gnu_cxx::__normal_iterator<T, V> first, __gnu_cxx::__normal_iterator<T, V> last, C less) {
    gw_sort<gw_no_policy>(first, last - first, less);
}
template <class T, class V>
void stable_sort(__gnu_cxx::__normal_iterator<T, V> first, __gnu_cxx::__normal_iterator<T, V> last) {
    gw_sort<gw_no_policy>(first, last - first, gw_less());
}
template <class T, class V, class C>
void stable_sort(__gnu_cxx::__normal_iterator<T, V> first, __gnu_cxx::__normal_iterator<T, V> last, C less) {
    gw_sort<gw_no_policy>(first, last - first, less);
}
#endif
} // namespace std
#endif
#endif
