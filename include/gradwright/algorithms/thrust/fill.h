/* thrust/fill.h (execution_policy.h says what these headers are) */
#ifndef GRADWRIGHT_THRUST_FILL_H
#define GRADWRIGHT_THRUST_FILL_H

#include <gradwright/algorithms/kernels.cuh>
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>

namespace thrust {
template <class T, class V>
void fill(const gw_policy &policy, device_ptr<T> first, device_ptr<T> last, V value) {
    const size_t n = gw_length(first, last);
    if (n) gw_fill_each<<<gw_each_grid(n), GW_EACH_BLOCK, 0, policy.stream>>>(first.gw_at, n, (T)value);
}
template <class T, class V> void fill(device_ptr<T> first, device_ptr<T> last, V value) {
    fill(device, first, last, value);
}
template <class T, class N, class V> device_ptr<T> fill_n(device_ptr<T> first, N n, V value) {
    fill(device, first, first + (ptrdiff_t)n, value);
    return first + (ptrdiff_t)n;
}
} // namespace thrust

#endif
