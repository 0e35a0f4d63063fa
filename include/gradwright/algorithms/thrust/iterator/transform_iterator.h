#pragma once
#include <gradwright/algorithms/each/iterators.cuh>

namespace thrust {
template <class F, class I> using transform_iterator = gw_transformed<F, I>;
template <class F, class I> gw_transformed<F, I> make_transform_iterator(I base, F f) {
    return gw_transformed<F, I>{base, f};
}
} // namespace thrust
