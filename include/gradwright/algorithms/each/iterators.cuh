/* Iterators of libraries, as plain structs that a kernel takes by value: what element i is. */
#ifndef GRADWRIGHT_EACH_ITERATORS_CUH
#define GRADWRIGHT_EACH_ITERATORS_CUH
#include <gradwright/algorithms/each/tuple.cuh>
#include <iterator>
#include <stddef.h>
#include <type_traits>
#include <utility>

/* What an iterator leads to: 0 nothing, 1 the host's memory, 2 the device's, 3 both. */
template <class I> struct gw_system { static constexpr int value = 0; };
template <class T> struct gw_system<T *> { static constexpr int value = 1; };
#ifdef __GLIBCXX__ /* a std::vector's */
template <class P, class V> struct gw_system<__gnu_cxx::__normal_iterator<P, V>> : gw_system<P> {};
#endif

/* ---- one element of the device's memory, from the host ---- */
template <class T> struct gw_device_ptr;
template <class T> struct gw_device_reference {
    using value_type = std::remove_const_t<T>;
    T *at;
    __host__ __device__ explicit gw_device_reference(T *p) : at(p) {}
    __host__ __device__ gw_device_reference(const gw_device_reference &o) : at(o.at) {}
    __host__ __device__ operator value_type() const { return *at; }
    __host__ __device__ gw_device_ptr<T> operator&() const;
    __host__ __device__ const gw_device_reference &operator=(const value_type &v) const {
        return *at = v, *this;
    }
    __host__ __device__ const gw_device_reference &operator=(const gw_device_reference &o) const {
        return *at = *o.at, *this;
    }
    template <class U> __host__ __device__ const gw_device_reference &operator+=(const U &v) const {
        return *at += v, *this;
    }
    template <class U> __host__ __device__ const gw_device_reference &operator-=(const U &v) const {
        return *at -= v, *this;
    }
    template <class U> __host__ __device__ const gw_device_reference &operator*=(const U &v) const {
        return *at *= v, *this;
    }
    template <class U> __host__ __device__ const gw_device_reference &operator/=(const U &v) const {
        return *at /= v, *this;
    }
};

/* ---- iterators ---- */
/* What follows from [i], moved(by) and the distance of two. */
#define GW_ITERATOR(name)                                                                                      \
    __host__ __device__ decltype(auto) operator*() const { return (*this)[0]; }                                \
    __host__ __device__ name operator+(ptrdiff_t by) const { return moved(by); }                               \
    __host__ __device__ name operator-(ptrdiff_t by) const { return moved(-by); }                              \
    __host__ __device__ name &operator+=(ptrdiff_t by) { return *this = moved(by); }                           \
    __host__ __device__ name &operator-=(ptrdiff_t by) { return *this = moved(-by); }                          \
    __host__ __device__ name &operator++() { return *this = moved(1); }                                        \
    __host__ __device__ name &operator--() { return *this = moved(-1); }                                       \
    __host__ __device__ name operator++(int) {                                                                 \
        const name old = *this;                                                                                \
        *this = moved(1);                                                                                      \
        return old;                                                                                            \
    }                                                                                                          \
    __host__ __device__ bool operator==(const name &o) const { return *this - o == 0; }                        \
    __host__ __device__ bool operator!=(const name &o) const { return *this - o != 0; }                        \
    __host__ __device__ bool operator<(const name &o) const { return *this - o < 0; }                          \
    using difference_type = ptrdiff_t;

template <class T> struct gw_device_ptr {
    using value_type = std::remove_const_t<T>;
    T *pointed;
    __host__ __device__ gw_device_ptr() : pointed(nullptr) {}
    __host__ __device__ explicit gw_device_ptr(T *p) : pointed(p) {}
    __host__ __device__ T *get() const { return pointed; }
    __host__ __device__ operator gw_device_ptr<const T>() const { return gw_device_ptr<const T>{pointed}; }
    __host__ __device__ gw_device_ptr moved(ptrdiff_t by) const { return gw_device_ptr{pointed + by}; }
    __host__ __device__ ptrdiff_t operator-(const gw_device_ptr &o) const { return pointed - o.pointed; }
    __host__ __device__ gw_device_reference<T> operator[](ptrdiff_t i) const {
        return gw_device_reference<T>(pointed + i);
    }
    GW_ITERATOR(gw_device_ptr)
};
template <class T> __host__ __device__ gw_device_ptr<T> gw_device_reference<T>::operator&() const {
    return gw_device_ptr<T>{at};
}

template <class T> struct gw_counting {
    using value_type = T;
    T first;
    gw_counting() = default;
    __host__ __device__ explicit gw_counting(T f) : first(f) {}
    __host__ __device__ T operator[](ptrdiff_t i) const { return (T)(first + (T)i); }
    __host__ __device__ gw_counting moved(ptrdiff_t by) const { return gw_counting((T)(first + (T)by)); }
    __host__ __device__ ptrdiff_t operator-(const gw_counting &o) const {
        return (ptrdiff_t)first - (ptrdiff_t)o.first;
    }
    GW_ITERATOR(gw_counting)
};

template <class T> struct gw_constant {
    using value_type = T;
    T value;
    ptrdiff_t position; /* that two of them are apart */
    gw_constant() = default;
    __host__ __device__ explicit gw_constant(T v, ptrdiff_t p = 0) : value(v), position(p) {}
    __host__ __device__ T operator[](ptrdiff_t) const { return value; }
    __host__ __device__ gw_constant moved(ptrdiff_t by) const { return gw_constant(value, position + by); }
    __host__ __device__ ptrdiff_t operator-(const gw_constant &o) const { return position - o.position; }
    GW_ITERATOR(gw_constant)
};

struct gw_discarded {
    template <class T> __host__ __device__ const gw_discarded &operator=(const T &) const { return *this; }
};
struct gw_discard {
    using value_type = gw_discarded;
    ptrdiff_t position;
    __host__ __device__ gw_discarded operator[](ptrdiff_t) const { return gw_discarded{}; }
    __host__ __device__ gw_discard moved(ptrdiff_t by) const { return gw_discard{position + by}; }
    __host__ __device__ ptrdiff_t operator-(const gw_discard &o) const { return position - o.position; }
    GW_ITERATOR(gw_discard)
};

/* A pointer has what it leads to, an iterator over others what these have. This stands elsewhere than in their
 * structs, as the struct that stands for a lambda's captures cannot be called. */
template <class I> struct gw_traits {
    using value_type = typename I::value_type;
};
template <class T> struct gw_traits<T *> {
    using value_type = std::remove_const_t<T>;
};
template <class E, class M> struct gw_permutation;
template <class F, class I> struct gw_transformed;
template <class I> struct gw_reversed;
template <class... I> struct gw_zip;
template <class E, class M> struct gw_traits<gw_permutation<E, M>> : gw_traits<E> {};
template <class I> struct gw_traits<gw_reversed<I>> : gw_traits<I> {};
template <class F, class I> struct gw_traits<gw_transformed<F, I>> {
    using value_type = std::decay_t<decltype(std::declval<F>()(std::declval<I>()[0]))>;
};
template <class... I> struct gw_traits<gw_zip<I...>> {
    using value_type = gw_tuple<typename gw_traits<I>::value_type...>;
};
template <class I> using gw_value_of = typename gw_traits<I>::value_type;

template <class E, class M> struct gw_permutation {
    E element;
    M map;
    __host__ __device__ decltype(auto) operator[](ptrdiff_t i) const { return element[map[i]]; }
    __host__ __device__ gw_permutation moved(ptrdiff_t by) const { return gw_permutation{element, map + by}; }
    __host__ __device__ ptrdiff_t operator-(const gw_permutation &o) const { return map - o.map; }
    GW_ITERATOR(gw_permutation)
};

template <class F, class I> struct gw_transformed {
    I base;
    F f;
    __host__ __device__ auto operator[](ptrdiff_t i) const { return f(base[i]); }
    __host__ __device__ gw_transformed moved(ptrdiff_t by) const { return gw_transformed{base + by, f}; }
    __host__ __device__ ptrdiff_t operator-(const gw_transformed &o) const { return base - o.base; }
    GW_ITERATOR(gw_transformed)
};

/* Made of what stands one behind its first element, as std::reverse_iterator is, it keeps that element: by the
 * end of a buffer nobody knows which of two is meant that lie side by side. */
template <class I> struct gw_reversed {
    I first;
    gw_reversed() = default;
    __host__ __device__ explicit gw_reversed(I base) : first(base - 1) {}
    __host__ __device__ decltype(auto) operator[](ptrdiff_t i) const { return first[-i]; }
    __host__ __device__ gw_reversed moved(ptrdiff_t by) const { return gw_reversed(first - by + 1); }
    __host__ __device__ ptrdiff_t operator-(const gw_reversed &o) const { return o.first - first; }
    GW_ITERATOR(gw_reversed)
};

template <class I> struct gw_zip<I> {
    I first;
    __host__ __device__ auto operator[](ptrdiff_t i) const { return gw_tuple<decltype(first[i])>(first[i]); }
    __host__ __device__ gw_zip moved(ptrdiff_t by) const { return gw_zip{first + by}; }
    __host__ __device__ ptrdiff_t operator-(const gw_zip &o) const { return first - o.first; }
    GW_ITERATOR(gw_zip)
};
template <class I, class... J> struct gw_zip<I, J...> {
    I first;
    gw_zip<J...> rest;
    __host__ __device__ auto operator[](ptrdiff_t i) const { return gw_joined(first[i], rest[i]); }
    __host__ __device__ gw_zip moved(ptrdiff_t by) const { return gw_zip{first + by, rest.moved(by)}; }
    __host__ __device__ ptrdiff_t operator-(const gw_zip &o) const { return first - o.first; }
    GW_ITERATOR(gw_zip)

  private:
    template <class H, class... T>
    __host__ __device__ static gw_tuple<H, T...> gw_joined(H &&h, const gw_tuple<T...> &t) {
        return gw_tuple<H, T...>(gw_held<H>(h), t);
    }
};

/* ---- where they lead ---- */
template <class T> struct gw_system<gw_device_ptr<T>> { static constexpr int value = 2; };
template <class E, class M> struct gw_system<gw_permutation<E, M>> {
    static constexpr int value = gw_system<E>::value | gw_system<M>::value;
};
template <class F, class I> struct gw_system<gw_transformed<F, I>> : gw_system<I> {};
template <class I> struct gw_system<gw_reversed<I>> : gw_system<I> {};
template <class... I> struct gw_system<gw_zip<I...>> {
    static constexpr int value = (0 | ... | gw_system<I>::value);
};

/* ---- as a kernel takes them: with pointers to the elements themselves ---- */
template <class I> struct gw_bare_of {
    using type = I;
    static I make(const I &i) { return i; }
};
template <class I> using gw_bare_type = typename gw_bare_of<I>::type;
#ifdef __GLIBCXX__
template <class P, class V> struct gw_bare_of<__gnu_cxx::__normal_iterator<P, V>> {
    using type = P;
    static P make(const __gnu_cxx::__normal_iterator<P, V> &i) { return &*i; }
};
#endif
template <class T> struct gw_bare_of<gw_device_ptr<T>> {
    using type = T *;
    static type make(const gw_device_ptr<T> &i) { return i.pointed; }
};
template <class E, class M> struct gw_bare_of<gw_permutation<E, M>> {
    using type = gw_permutation<gw_bare_type<E>, gw_bare_type<M>>;
    static type make(const gw_permutation<E, M> &i) {
        return type{gw_bare_of<E>::make(i.element), gw_bare_of<M>::make(i.map)};
    }
};
template <class F, class I> struct gw_bare_of<gw_transformed<F, I>> {
    using type = gw_transformed<F, gw_bare_type<I>>;
    static type make(const gw_transformed<F, I> &i) { return type{gw_bare_of<I>::make(i.base), i.f}; }
};
template <class I> struct gw_bare_of<gw_reversed<I>> {
    using type = gw_reversed<gw_bare_type<I>>;
    static type make(const gw_reversed<I> &i) { return type(gw_bare_of<I>::make(i.first) + 1); }
};
template <class I> struct gw_bare_of<gw_zip<I>> {
    using type = gw_zip<gw_bare_type<I>>;
    static type make(const gw_zip<I> &i) { return type{gw_bare_of<I>::make(i.first)}; }
};
template <class I, class... J> struct gw_bare_of<gw_zip<I, J...>> {
    using type = gw_zip<gw_bare_type<I>, gw_bare_type<J>...>;
    static type make(const gw_zip<I, J...> &i) {
        return type{gw_bare_of<I>::make(i.first), gw_bare_of<gw_zip<J...>>::make(i.rest)};
    }
};
template <class I> gw_bare_type<I> gw_bare(const I &i) { return gw_bare_of<I>::make(i); }

/* Segments begin at 0 alone, or where flags say it. */
struct gw_no_heads {
    __host__ __device__ bool operator[](size_t) const { return false; }
};
struct gw_flagged_heads {
    const int *flag;
    __host__ __device__ bool operator[](size_t i) const { return flag[i] != 0; }
};
#endif
