/* How many: integers, without derivative. */
#ifndef GRADWRIGHT_THRUST_COUNT_H
#define GRADWRIGHT_THRUST_COUNT_H
#include <thrust/transform_reduce.h>

namespace thrust {
template <class P, class In, class Q, class = gw_if_policy<P>>
ptrdiff_t count_if(const P &policy, In first, In last, Q p) {
    return thrust::transform_reduce(policy, first, last, gw_count_where<Q>{p}, (ptrdiff_t)0,
                                    gw_plus<ptrdiff_t>{});
}
template <class In, class Q, class = gw_unless_policy<In>> ptrdiff_t count_if(In first, In last, Q p) {
    return thrust::count_if(gw_policy_of<In>{}, first, last, p);
}
template <class P, class In, class T, class = gw_if_policy<P>>
ptrdiff_t count(const P &policy, In first, In last, const T &value) {
    return thrust::count_if(policy, first, last, gw_equal_to_value<T>{value});
}
template <class In, class T, class = gw_unless_policy<In>> ptrdiff_t count(In first, In last, const T &value) {
    return thrust::count_if(gw_policy_of<In>{}, first, last, gw_equal_to_value<T>{value});
}
} // namespace thrust
#endif
