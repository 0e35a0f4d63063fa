/* thrust/inner_product.h (execution_policy.h says what these headers are): the products are stored */
#ifndef GRADWRIGHT_THRUST_INNER_PRODUCT_H
#define GRADWRIGHT_THRUST_INNER_PRODUCT_H

#include <thrust/reduce.h>

namespace thrust {
template <class I, class J, class T, class F, class G>
T inner_product(const gw_policy &policy, I first, I last, J other, T init, F f, G pair) {
    const size_t n = gw_length(first, last);
    if (n == 0) return init;
    T *mapped = nullptr;
    cudaMalloc(&mapped, n * sizeof(T));
    gw_transform_pairs<<<gw_each_grid(n), GW_EACH_BLOCK, 0, policy.stream>>>(mapped, gw_raw(first),
                                                                             gw_raw(other), n, pair);
    const T result = gw_reduce(policy.stream, (const T *)mapped, n, init, f);
    cudaFree(mapped);
    return result;
}
template <class I, class J, class T>
T inner_product(const gw_policy &policy, I first, I last, J other, T init) {
    return inner_product(policy, first, last, other, init, plus<T>(), multiplies<T>());
}
template <class I, class J, class T, class F, class G>
T inner_product(I first, I last, J other, T init, F f, G pair) {
    return inner_product(device, first, last, other, init, f, pair);
}
template <class I, class J, class T> T inner_product(I first, I last, J other, T init) {
    return inner_product(device, first, last, other, init, plus<T>(), multiplies<T>());
}
} // namespace thrust

#endif
