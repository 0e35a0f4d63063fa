#pragma once
#include <gradwright/algorithms/each/tuple.cuh>
#include <utility>

namespace thrust {
template <class... T> using tuple = gw_tuple<T...>;
template <class A, class B> using pair = std::pair<A, B>;
template <size_t I, class T> __host__ __device__ decltype(auto) get(T &t) { return gw_get<I>(t); }
template <size_t I, class T> __host__ __device__ decltype(auto) get(const T &t) { return gw_get<I>(t); }
template <class... T> __host__ __device__ gw_tuple<std::decay_t<T>...> make_tuple(const T &...t) {
    return gw_tuple<std::decay_t<T>...>(t...);
}
template <class... T> __host__ __device__ gw_tuple<T &...> tie(T &...t) { return gw_tuple<T &...>(t...); }
template <class A, class B> __host__ __device__ std::pair<A, B> make_pair(A a, B b) {
    return std::pair<A, B>(a, b);
}
template <size_t I, class T> struct tuple_element;
template <class H, class... T> struct tuple_element<0, gw_tuple<H, T...>> { using type = H; };
template <size_t I, class H, class... T>
struct tuple_element<I, gw_tuple<H, T...>> : tuple_element<I - 1, gw_tuple<T...>> {};
template <size_t I, class T> using tuple_element_t = typename tuple_element<I, T>::type;
template <class T> struct tuple_size;
template <class... T> struct tuple_size<gw_tuple<T...>> { static constexpr size_t value = sizeof...(T); };
} // namespace thrust
