// standard: c++20
// Each algorithm of the standard library that takes a policy, with each policy.
#include "frame.h"

#include <ranges>

template <class P, class T> GW_GRADIENT("wrt x") T for_each(const T *x, int n) {
    std::vector<T> y(n);
    const T *last = x + n;
    T *out = y.data();
    std::for_each(of<P>::policy, y.begin(), y.end(), [](T &v) { v = T(0.5); });
    std::for_each(of<P>::policy, x, last, [=](const T &v) { out[&v - x] *= v * v; });
    return std::reduce(of<P>::policy, y.begin(), y.end());
}

template <class P, class T> GW_GRADIENT("wrt x") T for_each_of_indices(const T *x, int n) {
    std::vector<T> y(n), z(n);
    const auto all = std::views::iota(0, n);
    std::for_each(of<P>::policy, all.begin(), all.end(), [&](int i) { y[i] = x[i] * std::sin(x[n - 1 - i]); });
    std::for_each_n(of<P>::policy, std::views::iota(0, n).begin(), n, [&, n](int i) {
        T sum = 0;
        for (int k = 0; k <= i; k++)
            sum += y[k] * x[n - 1 - k];
        z[i] = sum * y[i];
    });
    return std::reduce(of<P>::policy, z.begin(), z.end(), T(1));
}

/* A counting iterator as people write them. */
struct counting {
    using iterator_category = std::random_access_iterator_tag;
    using value_type = int;
    using difference_type = std::ptrdiff_t;
    using pointer = const int *;
    using reference = int;
    int at = 0;
    int operator*() const { return at; }
    int operator[](std::ptrdiff_t i) const { return at + (int)i; }
    counting &operator++() { return ++at, *this; }
    counting operator++(int) { return {at++}; }
    counting &operator--() { return --at, *this; }
    counting &operator+=(std::ptrdiff_t i) { return at += (int)i, *this; }
    counting operator+(std::ptrdiff_t i) const { return {at + (int)i}; }
    counting operator-(std::ptrdiff_t i) const { return {at - (int)i}; }
    std::ptrdiff_t operator-(const counting &o) const { return at - o.at; }
    bool operator==(const counting &o) const { return at == o.at; }
    auto operator<=>(const counting &o) const { return at <=> o.at; }
};

template <class P, class T> GW_GRADIENT("wrt x") T transform_counted(const T *x, int n) {
    std::vector<T> y(n);
    std::transform(of<P>::policy, counting{0}, counting{n}, y.begin(), [x](int i) { return x[i] * x[i / 2]; });
    return std::reduce(of<P>::policy, y.begin(), y.end(), T(0), std::plus<T>());
}

template <class P, class T> GW_GRADIENT("wrt x") T transform_one(const T *x, int n) {
    std::vector<T> y(n);
    auto end = std::transform(of<P>::policy, x, x + n, y.begin(), [](T v) { return std::exp(v) / (1 + v); });
    std::transform(of<P>::policy, y.begin(), end, y.begin(), [](T v) { return v * v; });
    return std::reduce(of<P>::policy, y.begin(), end, T(0));
}

template <class P, class T> GW_GRADIENT("wrt x") T transform_two(const T *x, int n) {
    std::vector<T> y(n), z(n);
    std::transform(of<P>::policy, x, x + n, x, y.begin(), std::multiplies<T>());
    std::transform(of<P>::policy, y.begin(), y.end(), x, z.begin(), [](T a, T b) { return a * b + a; });
    return std::reduce(of<P>::policy, z.begin(), z.end(), T(0));
}

template <class P, class T> GW_GRADIENT("wrt x") T reduce_of_products(const T *x, int n) {
    return std::reduce(of<P>::policy, x, x + n, T(1), [](T a, T b) { return a * b; });
}

template <class P, class T> GW_GRADIENT("wrt x") T reduce_maximum(const T *x, int n) {
    return std::reduce(of<P>::policy, x, x + n, T(0), [](T a, T b) { return a < b ? b : a; });
}

template <class P, class T> GW_GRADIENT("wrt x") T transform_reduce_one(const T *x, int n) {
    T rate = n > 1 ? x[0] * x[1] : T(1);
    return std::transform_reduce(of<P>::policy, x, x + n, T(0), std::plus<T>(),
                                 [&](T v) { return rate * v * v; });
}

template <class P, class T> GW_GRADIENT("wrt x") T transform_reduce_two(const T *x, int n) {
    std::vector<T> y(x, x + n);
    return std::transform_reduce(of<P>::policy, x, x + n, y.begin(), T(2)) *
           std::transform_reduce(of<P>::policy, x, x + n, y.begin(), T(1), std::plus<T>(),
                                 [](T a, T b) { return a / b + b; });
}

/* libstdc++ scans in parallel as if T() left everything as it is, so no products here. */
template <class P, class T> GW_GRADIENT("wrt x") T inclusive_scan(const T *x, int n) {
    std::vector<T> y(n), z(n), w(n);
    std::inclusive_scan(of<P>::policy, x, x + n, y.begin());
    std::inclusive_scan(of<P>::policy, y.begin(), y.end(), z.begin(), [](T a, T b) { return a < b ? b : a; });
    std::inclusive_scan(of<P>::policy, x, x + n, w.begin(), std::plus<T>(), T(0.5));
    return std::transform_reduce(of<P>::policy, y.begin(), y.end(), z.begin(), n ? w[n - 1] : T(0));
}

template <class P, class T> GW_GRADIENT("wrt x") T exclusive_scan(const T *x, int n) {
    std::vector<T> y(n), z(n);
    const T first = n ? x[n - 1] : T(0);
    std::exclusive_scan(of<P>::policy, x, x + n, y.begin(), first);
    std::exclusive_scan(of<P>::policy, x, x + n, z.begin(), T(1), [](T a, T b) { return a < b ? b : a; });
    return std::transform_reduce(of<P>::policy, y.begin(), y.end(), z.begin(), T(0));
}

template <class P, class T> GW_GRADIENT("wrt x") T scan_in_place(const T *x, int n) {
    std::vector<T> y(x, x + n);
    std::inclusive_scan(of<P>::policy, y.begin(), y.end(), y.begin());
    return std::transform_reduce(of<P>::policy, y.begin(), y.end(), x, T(0));
}

template <class P, class T> GW_GRADIENT("wrt x") T transform_scan(const T *x, int n) {
    std::vector<T> y(n), z(n), w(n);
    const auto square = [](T v) { return v * v; };
    std::transform_inclusive_scan(of<P>::policy, x, x + n, y.begin(), std::plus<T>(), square);
    std::transform_inclusive_scan(of<P>::policy, x, x + n, w.begin(), std::plus<T>(), square, T(3));
    std::transform_exclusive_scan(of<P>::policy, x, x + n, z.begin(), T(1), std::plus<T>(), square);
    return std::transform_reduce(of<P>::policy, y.begin(), y.end(), z.begin(), T(0)) +
           std::transform_reduce(of<P>::policy, w.begin(), w.end(), x, T(0));
}

template <class P, class T> GW_GRADIENT("wrt x") T copy_and_fill(const T *x, int n) {
    std::vector<T> y(n), z(n);
    std::copy(of<P>::policy, x, x + n, y.begin());
    std::copy_n(of<P>::policy, y.begin(), n, z.begin());
    if (n > 3) {
        std::fill(of<P>::policy, y.begin(), y.begin() + 2, x[3] * x[3]);
        std::fill_n(of<P>::policy, z.begin() + 1, 2, x[0]);
    }
    return std::transform_reduce(of<P>::policy, y.begin(), y.end(), z.begin(), T(0));
}

template <class P, class T> GW_GRADIENT("wrt x") T copy_if(const T *x, int n) {
    std::vector<T> y(n);
    auto end = std::copy_if(of<P>::policy, x, x + n, y.begin(), [](T v) { return v > T(0.76); });
    std::for_each(of<P>::policy, y.begin(), end, [](T &v) { v *= v; });
    return std::reduce(of<P>::policy, y.begin(), end, T(0));
}

template <class P, class T> GW_GRADIENT("wrt x") T sort(const T *x, int n) {
    std::vector<T> y(x, x + n), z(n);
    std::sort(of<P>::policy, y.begin(), y.end());
    std::transform(of<P>::policy, y.begin(), y.end(), std::views::iota(0, n).begin(), z.begin(),
                   [](T v, int i) { return v * v * T(i + 1); });
    return std::reduce(of<P>::policy, z.begin(), z.end(), T(0));
}

template <class P, class T> GW_GRADIENT("wrt x") T stable_sort(const T *x, int n) {
    std::vector<T> y(x, x + n);
    std::stable_sort(of<P>::policy, y.begin(), y.end(), [](T a, T b) { return a > b; });
    return n > 2 ? y[0] * y[1] - y[n - 1] * y[n / 2] : T(n);
}

template <class P, class T> GW_GRADIENT("wrt x") T extrema(const T *x, int n) {
    if (!n) return T(0);
    const T *least = std::min_element(of<P>::policy, x, x + n),
            *most = std::max_element(of<P>::policy, x, x + n);
    const T *nearest = std::min_element(of<P>::policy, x, x + n,
                                        [](T a, T b) { return std::abs(a - T(0.8)) < std::abs(b - T(0.8)); });
    const T *furthest = std::max_element(of<P>::policy, x, x + n,
                                         [](T a, T b) { return std::abs(a - T(0.8)) < std::abs(b - T(0.8)); });
    return *least * *most + *nearest * *nearest * *furthest;
}

template <class P, class T> GW_GRADIENT("wrt x") T adjacent_difference(const T *x, int n) {
    std::vector<T> y(n), z(n);
    std::adjacent_difference(of<P>::policy, x, x + n, y.begin());
    std::adjacent_difference(of<P>::policy, x, x + n, z.begin(), [](T a, T b) { return a * b; });
    return std::transform_reduce(of<P>::policy, y.begin(), y.end(), z.begin(), T(0));
}

/* Without a policy; P says nothing. */
template <class P, class T> GW_GRADIENT("wrt x") T plain(const T *x, int n) {
    std::vector<T> y(x, x + n), z(n), w(n);
    std::vector<int> order(n);
    std::iota(order.begin(), order.end(), 0);
    std::sort(y.begin(), y.end());
    std::stable_sort(order.begin(), order.end(), [=](int a, int b) { return x[a] > x[b]; });
    std::transform(y.begin(), y.end(), x, z.begin(), [](T a, T b) { return a * b; });
    std::inclusive_scan(z.begin(), z.end(), w.begin());
    std::for_each(order.begin(), order.end(), [&](int i) { w[i] *= x[i]; });
    auto end = std::copy_if(z.begin(), z.end(), y.begin(), [](T v) { return v < 1; });
    return std::accumulate(y.begin(), end, T(0)) + std::inner_product(w.begin(), w.end(), x, T(0)) +
           (n ? *std::max_element(x, x + n) : T(0));
}

#define ALL(X)                                                                                                 \
    X(for_each)                                                                                                \
    X(for_each_of_indices) X(transform_counted) X(transform_one) X(transform_two) X(reduce_of_products)        \
        X(reduce_maximum) X(transform_reduce_one) X(transform_reduce_two) X(inclusive_scan) X(exclusive_scan)  \
            X(scan_in_place) X(transform_scan) X(copy_and_fill) X(copy_if) X(sort) X(stable_sort) X(extrema)   \
                X(adjacent_difference) X(plain)

#include "algorithms.grad.hpp"

int main() {
#define CHECK_IT(name) CHECK(name);
    ALL(CHECK_IT)
    return frame_report();
}
