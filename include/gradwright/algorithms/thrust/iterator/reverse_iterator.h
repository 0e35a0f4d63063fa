#pragma once
#include <gradwright/algorithms/each/iterators.cuh>

namespace thrust {
template <class I> using reverse_iterator = gw_reversed<I>;
template <class I> gw_reversed<I> make_reverse_iterator(I base) { return gw_reversed<I>{base}; }
} // namespace thrust
