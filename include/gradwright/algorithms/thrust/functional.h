/* thrust/functional.h (execution_policy.h says what these headers are) */
#ifndef GRADWRIGHT_THRUST_FUNCTIONAL_H
#define GRADWRIGHT_THRUST_FUNCTIONAL_H

namespace thrust {
#define GW_THRUST_BINARY(name, expression)                                                                     \
    template <class T = void> struct name {                                                                    \
        __host__ __device__ T operator()(const T &a, const T &b) const { return expression; }                  \
    };                                                                                                         \
    template <> struct name<void> {                                                                            \
        template <class A, class B> __host__ __device__ auto operator()(const A &a, const B &b) const {        \
            return expression;                                                                                 \
        }                                                                                                      \
    };
GW_THRUST_BINARY(plus, a + b)
GW_THRUST_BINARY(minus, a - b)
GW_THRUST_BINARY(multiplies, a *b)
GW_THRUST_BINARY(divides, a / b)
GW_THRUST_BINARY(maximum, a < b ? b : a)
GW_THRUST_BINARY(minimum, b < a ? b : a)
#undef GW_THRUST_BINARY
#define GW_THRUST_UNARY(name, expression)                                                                      \
    template <class T = void> struct name {                                                                    \
        __host__ __device__ T operator()(const T &a) const { return expression; }                              \
    };                                                                                                         \
    template <> struct name<void> {                                                                            \
        template <class A> __host__ __device__ auto operator()(const A &a) const { return expression; }        \
    };
GW_THRUST_UNARY(negate, -a)
GW_THRUST_UNARY(square, a *a)
GW_THRUST_UNARY(identity, a)
#undef GW_THRUST_UNARY
} // namespace thrust

#endif
