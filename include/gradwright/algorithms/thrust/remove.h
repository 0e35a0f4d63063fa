#ifndef GRADWRIGHT_THRUST_REMOVE_H
#define GRADWRIGHT_THRUST_REMOVE_H
#include <thrust/gw_select.h>

namespace thrust {
template <class P, class In, class T, class = gw_if_policy<P>>
In remove(const P &policy, In first, In last, const T &value) {
    return thrust::remove_if(policy, first, last, first, gw_equal_to_value<T>{value});
}
template <class In, class T, class = gw_unless_policy<In>> In remove(In first, In last, const T &value) {
    return thrust::remove_if(gw_policy_of<In>{}, first, last, first, gw_equal_to_value<T>{value});
}
template <class P, class In, class Out, class T, class = gw_if_policy<P>>
Out remove_copy(const P &policy, In first, In last, Out out, const T &value) {
    return thrust::remove_copy_if(policy, first, last, out, gw_equal_to_value<T>{value});
}
template <class In, class Out, class T, class = gw_unless_policy<In>>
Out remove_copy(In first, In last, Out out, const T &value) {
    return thrust::remove_copy_if(gw_policy_of<In, Out>{}, first, last, out, gw_equal_to_value<T>{value});
}
} // namespace thrust
#endif
