#pragma once
#include <gradwright/algorithms/each/iterators.cuh>

namespace thrust {
template <class = void> using discard_iterator = gw_discard;
inline gw_discard make_discard_iterator(ptrdiff_t position = 0) { return gw_discard{position}; }
} // namespace thrust
