/* thrust/iterator/counting_iterator.h (execution_policy.h says what these headers are) */
#ifndef GRADWRIGHT_THRUST_COUNTING_ITERATOR_H
#define GRADWRIGHT_THRUST_COUNTING_ITERATOR_H

#include <gradwright/algorithms/iterators.cuh>
#include <stddef.h>

namespace thrust {
template <class T> using counting_iterator = gw_counting<T>;
template <class T> counting_iterator<T> make_counting_iterator(T first) { return counting_iterator<T>(first); }
} // namespace thrust

#endif
