#pragma once
#include <gradwright/algorithms/each/iterators.cuh>

namespace thrust {
template <class T> using constant_iterator = gw_constant<T>;
template <class T> gw_constant<T> make_constant_iterator(T value, ptrdiff_t position = 0) {
    return gw_constant<T>(value, position);
}
} // namespace thrust
