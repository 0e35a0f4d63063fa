/* thrust/scatter.h (execution_policy.h says what these headers are) */
#ifndef GRADWRIGHT_THRUST_SCATTER_H
#define GRADWRIGHT_THRUST_SCATTER_H

#include <gradwright/algorithms/kernels.cuh>
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/gw_others.h>

namespace thrust {
template <class I, class M, class O> void scatter(const gw_policy &policy, I first, I last, M map, O out) {
    const size_t n = gw_length(first, last);
    if (n)
        gw_scatter_each<<<gw_each_grid(n), GW_EACH_BLOCK, 0, policy.stream>>>(gw_raw(out), gw_raw(map),
                                                                              gw_raw(first), n);
}
template <class I, class M, class O> void scatter(I first, I last, M map, O out) {
    scatter(device, first, last, map, out);
}
} // namespace thrust

#endif
