/* thrust/transform_reduce.h (execution_policy.h says what these headers are): what is mapped is stored */
#ifndef GRADWRIGHT_THRUST_TRANSFORM_REDUCE_H
#define GRADWRIGHT_THRUST_TRANSFORM_REDUCE_H

#include <thrust/reduce.h>

namespace thrust {
template <class I, class G, class T, class F>
T transform_reduce(const gw_policy &policy, I first, I last, G map, T init, F f) {
    const size_t n = gw_length(first, last);
    if (n == 0) return init;
    T *mapped = nullptr;
    cudaMalloc(&mapped, n * sizeof(T));
    gw_transform_each<<<gw_each_grid(n), GW_EACH_BLOCK, 0, policy.stream>>>(mapped, gw_raw(first), n, map);
    const T result = gw_reduce(policy.stream, (const T *)mapped, n, init, f);
    cudaFree(mapped);
    return result;
}
template <class I, class G, class T, class F> T transform_reduce(I first, I last, G map, T init, F f) {
    return transform_reduce(device, first, last, map, init, f);
}
} // namespace thrust

#endif
