/* std::views::iota(first, last). */
#ifndef GRADWRIGHT_PARALLEL_IOTA_H
#define GRADWRIGHT_PARALLEL_IOTA_H
#include <cstddef>
#include <iterator>

template <class T> struct gw_counting_iterator {
    using iterator_category = std::random_access_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using pointer = const T *;
    using reference = T;
    T value{};
    constexpr T operator*() const { return value; }
    constexpr T operator[](difference_type i) const { return (T)(value + i); }
    constexpr gw_counting_iterator &operator++() { return ++value, *this; }
    constexpr gw_counting_iterator &operator--() { return --value, *this; }
    constexpr gw_counting_iterator operator++(int) { return {value++}; }
    constexpr gw_counting_iterator operator--(int) { return {value--}; }
    constexpr gw_counting_iterator &operator+=(difference_type n) { return value = (T)(value + n), *this; }
    constexpr gw_counting_iterator &operator-=(difference_type n) { return value = (T)(value - n), *this; }
    constexpr gw_counting_iterator operator+(difference_type n) const { return {(T)(value + n)}; }
    constexpr gw_counting_iterator operator-(difference_type n) const { return {(T)(value - n)}; }
    friend constexpr gw_counting_iterator operator+(difference_type n, gw_counting_iterator i) { return i + n; }
    constexpr difference_type operator-(const gw_counting_iterator &o) const {
        return (difference_type)value - (difference_type)o.value;
    }
    constexpr bool operator==(const gw_counting_iterator &o) const { return value == o.value; }
    constexpr auto operator<=>(const gw_counting_iterator &o) const { return value <=> o.value; }
};

template <class T> struct gw_iota_view : std::ranges::view_base {
    T first{}, last{};
    constexpr gw_iota_view() = default;
    constexpr gw_iota_view(T from, T to) : first(from), last(to) {}
    constexpr gw_counting_iterator<T> begin() const { return {first}; }
    constexpr gw_counting_iterator<T> end() const { return {last}; }
    constexpr std::size_t size() const { return (std::size_t)(last - first); }
    constexpr bool empty() const { return first == last; }
    constexpr T operator[](std::ptrdiff_t i) const { return (T)(first + i); }
    constexpr T front() const { return first; }
    constexpr T back() const { return (T)(last - 1); }
};
template <class T> inline constexpr bool std::ranges::enable_borrowed_range<gw_iota_view<T>> = true;

namespace std::ranges::views {
struct gw_iota {
    template <class T> constexpr auto operator()(T first) const { return gw_iota_of_library(first); }
    template <class T, class U>
    constexpr gw_iota_view<std::common_type_t<T, U>> operator()(T first, U last) const {
        using both = std::common_type_t<T, U>;
        return gw_iota_view<both>((both)first, (both)last);
    }
};
inline constexpr gw_iota iota{};
} // namespace std::ranges::views

#endif
