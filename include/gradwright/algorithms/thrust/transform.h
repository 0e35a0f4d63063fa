/* thrust/transform.h (execution_policy.h says what these headers are) */
#ifndef GRADWRIGHT_THRUST_TRANSFORM_H
#define GRADWRIGHT_THRUST_TRANSFORM_H

#include <gradwright/algorithms/kernels.cuh>
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>

namespace thrust {
template <class I, class O, class F> O transform(const gw_policy &policy, I first, I last, O out, F f) {
    const size_t n = gw_length(first, last);
    if (n)
        gw_transform_each<<<gw_each_grid(n), GW_EACH_BLOCK, 0, policy.stream>>>(gw_raw(out), gw_raw(first), n,
                                                                                f);
    return out + (ptrdiff_t)n;
}
template <class I, class O, class F> O transform(I first, I last, O out, F f) {
    return transform(device, first, last, out, f);
}
template <class I, class J, class O, class F>
O transform(const gw_policy &policy, I first, I last, J other, O out, F f) {
    const size_t n = gw_length(first, last);
    if (n)
        gw_transform_pairs<<<gw_each_grid(n), GW_EACH_BLOCK, 0, policy.stream>>>(gw_raw(out), gw_raw(first),
                                                                                 gw_raw(other), n, f);
    return out + (ptrdiff_t)n;
}
template <class I, class J, class O, class F> O transform(I first, I last, J other, O out, F f) {
    return transform(device, first, last, other, out, f);
}
} // namespace thrust

#endif
