/* Tuples of values and of references, as plain structs: what a zipped iterator leads to. */
#ifndef GRADWRIGHT_EACH_TUPLE_CUH
#define GRADWRIGHT_EACH_TUPLE_CUH
#include <stddef.h>

/* What stands for an element: itself, or where it is. */
template <class T> struct gw_held {
    T value;
    __host__ __device__ gw_held() : value() {}
    __host__ __device__ gw_held(const T &v) : value(v) {}
    __host__ __device__ T &get() { return value; }
    __host__ __device__ const T &get() const { return value; }
};
template <class T> struct gw_held<T &> {
    T *at;
    __host__ __device__ gw_held(T &v) : at(&v) {}
    __host__ __device__ T &get() const { return *at; }
};

template <class... T> struct gw_tuple;
template <> struct gw_tuple<> {
    __host__ __device__ gw_tuple() {}
    __host__ __device__ gw_tuple(const gw_tuple &) {}
    __host__ __device__ const gw_tuple &operator=(const gw_tuple &) const { return *this; }
};
template <class H, class... T> struct gw_tuple<H, T...> {
    gw_held<H> head;
    gw_tuple<T...> tail;
    __host__ __device__ gw_tuple() : head(), tail() {}
    __host__ __device__ gw_tuple(const H &h, const T &...t) : head(h), tail(t...) {}
    __host__ __device__ gw_tuple(const gw_held<H> &h, const gw_tuple<T...> &t) : head(h), tail(t) {}
    template <class A, class... B>
    __host__ __device__ gw_tuple(const gw_tuple<A, B...> &o) : head(o.head.get()), tail(o.tail) {}
    template <class A, class... B> __host__ __device__ gw_tuple &operator=(const gw_tuple<A, B...> &o) {
        head.get() = o.head.get();
        tail = o.tail;
        return *this;
    }
};
/* References hand on what is assigned to where they lead. */
template <class H, class... T> struct gw_tuple<H &, T...> {
    gw_held<H &> head;
    gw_tuple<T...> tail;
    __host__ __device__ gw_tuple(H &h, T... t) : head(h), tail(t...) {}
    __host__ __device__ gw_tuple(gw_held<H &> h, const gw_tuple<T...> &t) : head(h), tail(t) {}
    __host__ __device__ gw_tuple(const gw_tuple &o) : head(o.head), tail(o.tail) {}
    template <class A, class... B>
    __host__ __device__ const gw_tuple &operator=(const gw_tuple<A, B...> &o) const {
        head.get() = o.head.get();
        tail = o.tail;
        return *this;
    }
    __host__ __device__ const gw_tuple &operator=(const gw_tuple &o) const {
        head.get() = o.head.get();
        tail = o.tail;
        return *this;
    }
};

template <size_t I, class H, class... T> __host__ __device__ decltype(auto) gw_get(const gw_tuple<H, T...> &t) {
    if constexpr (I == 0)
        return (t.head.get());
    else
        return gw_get<I - 1>(t.tail);
}
template <size_t I, class H, class... T> __host__ __device__ decltype(auto) gw_get(gw_tuple<H, T...> &t) {
    if constexpr (I == 0)
        return (t.head.get());
    else
        return gw_get<I - 1>(t.tail);
}
#endif
