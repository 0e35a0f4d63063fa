/* thrust/sequence.h (execution_policy.h says what these headers are) */
#ifndef GRADWRIGHT_THRUST_SEQUENCE_H
#define GRADWRIGHT_THRUST_SEQUENCE_H

#include <gradwright/algorithms/kernels.cuh>
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>

namespace thrust {
template <class T>
void sequence(const gw_policy &policy, device_ptr<T> first, device_ptr<T> last, T start = T(), T step = T(1)) {
    const size_t n = gw_length(first, last);
    if (n) gw_sequence_each<<<gw_each_grid(n), GW_EACH_BLOCK, 0, policy.stream>>>(first.gw_at, n, start, step);
}
template <class T> void sequence(device_ptr<T> first, device_ptr<T> last, T start = T(), T step = T(1)) {
    sequence(device, first, last, start, step);
}
} // namespace thrust

#endif
