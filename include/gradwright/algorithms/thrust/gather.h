/* thrust/gather.h (execution_policy.h says what these headers are) */
#ifndef GRADWRIGHT_THRUST_GATHER_H
#define GRADWRIGHT_THRUST_GATHER_H

#include <gradwright/algorithms/kernels.cuh>
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/gw_others.h>

namespace thrust {
template <class M, class I, class O> O gather(const gw_policy &policy, M map, M end, I in, O out) {
    const size_t n = gw_length(map, end);
    if (n)
        gw_gather_each<<<gw_each_grid(n), GW_EACH_BLOCK, 0, policy.stream>>>(gw_raw(out), gw_raw(map),
                                                                             gw_raw(in), n);
    return out + (ptrdiff_t)n;
}
template <class M, class I, class O> O gather(M map, M end, I in, O out) {
    return gather(device, map, end, in, out);
}
} // namespace thrust

#endif
