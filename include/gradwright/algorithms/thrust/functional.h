#pragma once
#include <gradwright/algorithms/each/functors.cuh>

namespace thrust {
template <class T = void> using plus = gw_plus<T>;
template <class T = void> using minus = gw_minus<T>;
template <class T = void> using multiplies = gw_multiplies<T>;
template <class T = void> using divides = gw_divides<T>;
template <class T = void> using modulus = gw_modulus<T>;
template <class T = void> using maximum = gw_maximum<T>;
template <class T = void> using minimum = gw_minimum<T>;
template <class T = void> using less = gw_less<T>;
template <class T = void> using less_equal = gw_less_equal<T>;
template <class T = void> using greater = gw_greater<T>;
template <class T = void> using greater_equal = gw_greater_equal<T>;
template <class T = void> using equal_to = gw_equal_to<T>;
template <class T = void> using not_equal_to = gw_not_equal_to<T>;
template <class T = void> using logical_and = gw_logical_and<T>;
template <class T = void> using logical_or = gw_logical_or<T>;
template <class T = void> using negate = gw_negate<T>;
template <class T = void> using identity = gw_identity<T>;
template <class T = void> using square = gw_square<T>;
template <class T = void> using logical_not = gw_logical_not<T>;
} // namespace thrust
