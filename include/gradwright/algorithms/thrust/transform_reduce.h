/* The sum of what a functor makes of the elements. */
#ifndef GRADWRIGHT_THRUST_TRANSFORM_REDUCE_H
#define GRADWRIGHT_THRUST_TRANSFORM_REDUCE_H
#include <thrust/iterator/transform_iterator.h>
#include <thrust/reduce.h>

namespace thrust {
template <class P, class I, class G, class T, class F, class = gw_if_policy<P>>
T transform_reduce(const P &policy, I first, I last, G map, T init, F f) {
    return thrust::reduce(policy, gw_transformed<G, I>{first, map}, gw_transformed<G, I>{last, map}, init, f);
}
template <class I, class G, class T, class F, class = gw_unless_policy<I>>
T transform_reduce(I first, I last, G map, T init, F f) {
    return thrust::transform_reduce(gw_policy_of<I>{}, first, last, map, init, f);
}
} // namespace thrust
#endif
