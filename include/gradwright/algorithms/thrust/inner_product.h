/* The sum of what a functor makes of the elements of two ranges. */
#ifndef GRADWRIGHT_THRUST_INNER_PRODUCT_H
#define GRADWRIGHT_THRUST_INNER_PRODUCT_H
#include <thrust/reduce.h>

namespace thrust {
template <class P, class I, class J, class T, class F, class G, class = gw_if_policy<P>>
T inner_product(const P &policy, I first, I last, J other, T init, F f, G pair) {
    const size_t n = (size_t)(last - first);
    if constexpr (P::on_host) {
        for (size_t i = 0; i < n; i++) init = f(init, pair(first[i], other[i]));
        return init;
    } else {
        if (n == 0) return init;
        T *mapped = nullptr;
        cudaMalloc(&mapped, n * sizeof(T));
        gw_transform_of_pairs<<<GW_OVER(n, policy)>>>(mapped, gw_bare(first), gw_bare(other), n, pair);
        const T result = gw_reduced(policy.stream(), (const T *)mapped, n, init, f);
        cudaFree(mapped);
        return result;
    }
}
template <class I, class J, class T, class F, class G, class = gw_unless_policy<I>>
T inner_product(I first, I last, J other, T init, F f, G pair) {
    return thrust::inner_product(gw_policy_of<I, J>{}, first, last, other, init, f, pair);
}
template <class P, class I, class J, class T, class = gw_if_policy<P>>
T inner_product(const P &policy, I first, I last, J other, T init) {
    return thrust::inner_product(policy, first, last, other, init, gw_plus<T>{}, gw_multiplies<T>{});
}
template <class I, class J, class T, class = gw_unless_policy<I>>
T inner_product(I first, I last, J other, T init) {
    return thrust::inner_product(gw_policy_of<I, J>{}, first, last, other, init, gw_plus<T>{},
                                 gw_multiplies<T>{});
}
} // namespace thrust
#endif
