/* thrust/for_each.h (execution_policy.h says what these headers are) */
#ifndef GRADWRIGHT_THRUST_FOR_EACH_H
#define GRADWRIGHT_THRUST_FOR_EACH_H

#include <gradwright/algorithms/kernels.cuh>
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>

namespace thrust {
template <class I, class F> I for_each(const gw_policy &policy, I first, I last, F f) {
    const size_t n = gw_length(first, last);
    if (n) gw_for_each<<<gw_each_grid(n), GW_EACH_BLOCK, 0, policy.stream>>>(gw_raw(first), n, f);
    return last;
}
template <class I, class F> I for_each(I first, I last, F f) { return for_each(device, first, last, f); }
template <class I, class N, class F> I for_each_n(I first, N n, F f) {
    return for_each(device, first, first + (ptrdiff_t)n, f);
}
} // namespace thrust

#endif
