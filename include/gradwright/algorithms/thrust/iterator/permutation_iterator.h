#pragma once
#include <gradwright/algorithms/each/iterators.cuh>

namespace thrust {
template <class E, class M> using permutation_iterator = gw_permutation<E, M>;
template <class E, class M> gw_permutation<E, M> make_permutation_iterator(E element, M map) {
    return gw_permutation<E, M>{element, map};
}
} // namespace thrust
