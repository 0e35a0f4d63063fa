/* What the device-wide algorithms of CUB share. They are calls of what stands in for Thrust, so that an
 * algorithm has one implementation and one adjoint. Results and counts stay on the device. */
#ifndef GRADWRIGHT_CUB_DEVICE_CUH
#define GRADWRIGHT_CUB_DEVICE_CUH
#include <cub/thread/thread_operators.cuh>
#include <cub/util_debug.cuh>
#include <cub/util_type.cuh>
#include <gradwright/read/whatever.h>
#include <limits>
#include <stdlib.h>
#include <thrust/gw_others.h>
#include <thrust/reduce.h>

/* A first call without storage asks how much there must be. It is not used: in a program all memory comes out
 * of the pool. */
#define GW_CUB_ASKS(storage, bytes)                                                                            \
    if (!(storage)) {                                                                                          \
        (bytes) = 1;                                                                                           \
        return cudaSuccess;                                                                                    \
    }

/* Overloads differ in what comes before the count. */
template <class N> using gw_if_count = std::enable_if_t<std::is_integral_v<N>>;

/* What f is computed in, as CUB has it: what it gives of an initial value and an element. */
template <class F, class T, class In>
using gw_cub_sum =
    std::decay_t<decltype(std::declval<F>()(std::declval<T>(), std::declval<gw_value_of<In>>()))>;
/* What a sum begins with: as what it is stored as. */
template <class In, class Out>
using gw_cub_stored =
    std::conditional_t<std::is_arithmetic_v<gw_value_of<Out>>, gw_value_of<Out>, gw_value_of<In>>;

/* CUB's operators, and those of the C++ library that are given to it, as those that the primitives know. */
template <class F> struct gw_cub_functor {
    using type = F;
    static type make(const F &f) { return f; }
};
#define GW_CUB_FUNCTOR(parameters, theirs, ours)                                                               \
    template <parameters> struct gw_cub_functor<theirs> {                                                      \
        using type = ours;                                                                                     \
        static type make(const theirs &) { return {}; }                                                        \
    };
GW_CUB_FUNCTOR(, cub::Sum, gw_plus<>)
GW_CUB_FUNCTOR(, cub::Max, gw_maximum<>)
GW_CUB_FUNCTOR(, cub::Min, gw_minimum<>)
GW_CUB_FUNCTOR(, cub::Equality, gw_equal_to<>)
#ifdef GW_HAS_CUDA_STD
GW_CUB_FUNCTOR(class T, ::cuda::std::plus<T>, gw_plus<T>)
GW_CUB_FUNCTOR(class T, ::cuda::std::multiplies<T>, gw_multiplies<T>)
GW_CUB_FUNCTOR(class T, ::cuda::std::equal_to<T>, gw_equal_to<T>)
#endif
#ifdef GW_HAS_CUDA_MAXIMUM
GW_CUB_FUNCTOR(class T, ::cuda::maximum<T>, gw_maximum<T>)
GW_CUB_FUNCTOR(class T, ::cuda::minimum<T>, gw_minimum<T>)
#endif
#undef GW_CUB_FUNCTOR
template <class F> typename gw_cub_functor<F>::type gw_cub_made(const F &f) {
    return gw_cub_functor<F>::make(f);
}
template <class F> using gw_cub_made_of = typename gw_cub_functor<F>::type;
#endif
