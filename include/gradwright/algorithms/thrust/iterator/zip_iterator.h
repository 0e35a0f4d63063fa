#pragma once
#include <gradwright/algorithms/each/iterators.cuh>

template <class T> struct gw_zip_type;
template <class... I> struct gw_zip_type<gw_tuple<I...>> { using type = gw_zip<I...>; };
template <class I> gw_zip<I> gw_zipped(const gw_tuple<I> &t) { return gw_zip<I>{t.head.get()}; }
template <class I, class... J> gw_zip<I, J...> gw_zipped(const gw_tuple<I, J...> &t) {
    return gw_zip<I, J...>{t.head.get(), gw_zipped(t.tail)};
}

namespace thrust {
template <class T> using zip_iterator = typename gw_zip_type<T>::type;
template <class... I> gw_zip<I...> make_zip_iterator(const gw_tuple<I...> &t) { return gw_zipped(t); }
template <class... I> gw_zip<I...> make_zip_iterator(I... i) { return gw_zipped(gw_tuple<I...>(i...)); }
} // namespace thrust
