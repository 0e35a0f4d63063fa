/* Functors of libraries, by names of their own: a derivative's text names them beside whatever library the
 * source includes. */
#ifndef GRADWRIGHT_EACH_FUNCTORS_CUH
#define GRADWRIGHT_EACH_FUNCTORS_CUH
#include <gradwright/algorithms/each/tuple.cuh>
#include <utility>

#define GW_BINARY_FUNCTOR(name, result, text)                                                                  \
    template <class T = void> struct name {                                                                    \
        __host__ __device__ result operator()(const T &x, const T &y) const { return text; }                   \
    };                                                                                                         \
    template <> struct name<void> {                                                                            \
        template <class A, class B> __host__ __device__ auto operator()(const A &x, const B &y) const {        \
            return text;                                                                                       \
        }                                                                                                      \
    };
#define GW_UNARY_FUNCTOR(name, result, text)                                                                   \
    template <class T = void> struct name {                                                                    \
        __host__ __device__ result operator()(const T &x) const { return text; }                               \
    };                                                                                                         \
    template <> struct name<void> {                                                                            \
        template <class A> __host__ __device__ auto operator()(const A &x) const { return text; }              \
    };
GW_BINARY_FUNCTOR(gw_plus, T, x + y)
GW_BINARY_FUNCTOR(gw_minus, T, x - y)
GW_BINARY_FUNCTOR(gw_multiplies, T, x *y)
GW_BINARY_FUNCTOR(gw_divides, T, x / y)
GW_BINARY_FUNCTOR(gw_modulus, T, x % y)
GW_BINARY_FUNCTOR(gw_maximum, T, x < y ? y : x)
GW_BINARY_FUNCTOR(gw_minimum, T, x < y ? x : y)
GW_BINARY_FUNCTOR(gw_less, bool, x < y)
GW_BINARY_FUNCTOR(gw_less_equal, bool, x <= y)
GW_BINARY_FUNCTOR(gw_greater, bool, x > y)
GW_BINARY_FUNCTOR(gw_greater_equal, bool, x >= y)
GW_BINARY_FUNCTOR(gw_equal_to, bool, x == y)
GW_BINARY_FUNCTOR(gw_not_equal_to, bool, x != y)
GW_BINARY_FUNCTOR(gw_logical_and, bool, x &&y)
GW_BINARY_FUNCTOR(gw_logical_or, bool, x || y)
GW_UNARY_FUNCTOR(gw_negate, T, -x)
GW_UNARY_FUNCTOR(gw_identity, T, x)
GW_UNARY_FUNCTOR(gw_square, T, x *x)
GW_UNARY_FUNCTOR(gw_logical_not, bool, !x)
#undef GW_BINARY_FUNCTOR
#undef GW_UNARY_FUNCTOR

/* Whether a functor adds up numbers for which there are primitives, in their own type. */
template <class F, class T> constexpr bool gw_adds_numbers = false;
template <> inline constexpr bool gw_adds_numbers<gw_plus<void>, float> = true;
template <> inline constexpr bool gw_adds_numbers<gw_plus<void>, double> = true;
template <> inline constexpr bool gw_adds_numbers<gw_plus<float>, float> = true;
template <> inline constexpr bool gw_adds_numbers<gw_plus<double>, double> = true;

/* A function of several arguments as one of a tuple. */
template <class F> struct gw_zip_function {
    F f;
    template <class... T, size_t... I>
    __host__ __device__ decltype(auto) apply(const gw_tuple<T...> &t, std::index_sequence<I...>) const {
        return f(gw_get<I>(t)...);
    }
    template <class... T> __host__ __device__ decltype(auto) operator()(const gw_tuple<T...> &t) const {
        return apply(t, std::index_sequence_for<T...>{});
    }
};

template <class F> struct gw_backwards_less {
    F f;
    template <class A, class B> __host__ __device__ bool operator()(const A &a, const B &b) const {
        return f(b, a);
    }
};
/* 1 where p holds. */
template <class Q> struct gw_count_where {
    Q p;
    template <class A> __host__ __device__ ptrdiff_t operator()(const A &x) const { return p(x) ? 1 : 0; }
};
struct gw_is_set {
    template <class A> __host__ __device__ bool operator()(const A &x) const { return x ? true : false; }
};
template <class Q> struct gw_unless {
    Q q;
    template <class A> __host__ __device__ bool operator()(const A &x) const { return !q(x); }
};
template <class T> struct gw_equal_to_value {
    T value;
    template <class A> __host__ __device__ bool operator()(const A &x) const { return x == value; }
};
#endif
