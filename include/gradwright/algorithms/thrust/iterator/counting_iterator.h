#pragma once
#include <gradwright/algorithms/each/iterators.cuh>

namespace thrust {
template <class T> using counting_iterator = gw_counting<T>;
template <class T> gw_counting<T> make_counting_iterator(T first) { return gw_counting<T>(first); }
} // namespace thrust
