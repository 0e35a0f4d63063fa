/*
 * thrust/gw_vector.h - vectors in memory of three kinds (execution_policy.h). An element of the host's access
 * is a cell of memory that kernels see: the program copies it, and waits.
 */
#ifndef GRADWRIGHT_THRUST_VECTOR_H
#define GRADWRIGHT_THRUST_VECTOR_H

#include <gradwright/algorithms/kernels.cuh>
#include <thrust/copy.h>

namespace thrust {
enum gw_memory { gw_of_device, gw_of_host, gw_of_both };

template <gw_memory M, class T> struct gw_store;
template <class T> struct gw_store<gw_of_device, T> {
    typedef device_ptr<T> iterator;
    typedef device_ptr<const T> const_iterator;
    static T *make(size_t n) {
        T *at = nullptr;
        if (n) cudaMalloc(&at, n * sizeof(T));
        return at;
    }
    static void end(T *at) {
        if (at) cudaFree(at);
    }
};
template <class T> struct gw_store<gw_of_host, T> {
    typedef T *iterator;
    typedef const T *const_iterator;
    static T *make(size_t n) {
        T *at = nullptr;
        if (n) cudaMallocHost(&at, n * sizeof(T));
        return at;
    }
    static void end(T *at) {
        if (at) cudaFreeHost(at);
    }
};
template <class T> struct gw_store<gw_of_both, T> {
    typedef device_ptr<T> iterator;
    typedef device_ptr<const T> const_iterator;
    static T *make(size_t n) {
        T *at = nullptr;
        if (n) cudaMallocManaged(&at, n * sizeof(T));
        return at;
    }
    static void end(T *at) {
        if (at) cudaFree(at);
    }
};

template <gw_memory M, class T> struct gw_vector {
    typedef T value_type;
    typedef gw_store<M, T> store;
    typedef typename store::iterator iterator;
    typedef typename store::const_iterator const_iterator;
    T *gw_at;
    size_t gw_count, gw_room;

    gw_vector() : gw_at(nullptr), gw_count(0), gw_room(0) {}
    explicit gw_vector(size_t n) : gw_at(store::make(n)), gw_count(n), gw_room(n) {
        if (n) cudaMemset(gw_at, 0, n * sizeof(T));
    }
    gw_vector(size_t n, T value) : gw_at(store::make(n)), gw_count(n), gw_room(n) { gw_fill(0, value); }
    gw_vector(const gw_vector &other)
        : gw_at(store::make(other.gw_count)), gw_count(other.gw_count), gw_room(other.gw_count) {
        gw_take(other.gw_at, 0);
    }
    template <gw_memory N>
    gw_vector(const gw_vector<N, T> &other)
        : gw_at(store::make(other.gw_count)), gw_count(other.gw_count), gw_room(other.gw_count) {
        gw_take(other.gw_at, 0);
    }
    template <class U>
    gw_vector(device_ptr<U> first, device_ptr<U> last)
        : gw_at(store::make(gw_length(first, last))), gw_count(gw_length(first, last)), gw_room(gw_count) {
        gw_take(first.gw_at, 0);
    }
    gw_vector(const T *first, const T *last)
        : gw_at(store::make(gw_length(first, last))), gw_count(gw_length(first, last)), gw_room(gw_count) {
        gw_take(first, 0);
    }
    ~gw_vector() { store::end(gw_at); }

    gw_vector &operator=(const gw_vector &other) {
        if (this != &other) gw_assign(other.gw_at, other.gw_count);
        return *this;
    }
    template <gw_memory N> gw_vector &operator=(const gw_vector<N, T> &other) {
        gw_assign(other.gw_at, other.gw_count);
        return *this;
    }
    void resize(size_t n) {
        const size_t had = gw_count;
        gw_grow(n);
        if (n > had) cudaMemset(gw_at + had, 0, (n - had) * sizeof(T));
    }
    void resize(size_t n, T value) {
        const size_t had = gw_count;
        gw_grow(n);
        if (n > had) gw_fill(had, value);
    }
    void swap(gw_vector &other) {
        T *const at = gw_at;
        const size_t count = gw_count, room = gw_room;
        gw_at = other.gw_at, gw_count = other.gw_count, gw_room = other.gw_room;
        other.gw_at = at, other.gw_count = count, other.gw_room = room;
    }
    void clear() { gw_count = 0; }
    size_t size() const { return gw_count; }
    bool empty() const { return gw_count == 0; }
    T &operator[](size_t i) { return gw_at[i]; }
    const T &operator[](size_t i) const { return gw_at[i]; }
    T &front() { return gw_at[0]; }
    T &back() { return gw_at[gw_count - 1]; }
    iterator data() { return iterator(gw_at); }
    iterator begin() { return iterator(gw_at); }
    iterator end() { return iterator(gw_at + gw_count); }
    const_iterator data() const { return const_iterator(gw_at); }
    const_iterator begin() const { return const_iterator(gw_at); }
    const_iterator end() const { return const_iterator(gw_at + gw_count); }
    const_iterator cbegin() const { return const_iterator(gw_at); }
    const_iterator cend() const { return const_iterator(gw_at + gw_count); }

    void gw_fill(size_t from, T value) {
        const size_t n = gw_count - from;
        if (n) gw_fill_each<<<gw_each_grid(n), GW_EACH_BLOCK>>>(gw_at + from, n, value);
    }
    void gw_take(const T *from, size_t at) {
        if (gw_count) cudaMemcpy(gw_at + at, from, gw_count * sizeof(T), cudaMemcpyDefault);
    }
    void gw_assign(const T *from, size_t n) {
        if (n > gw_room) {
            store::end(gw_at);
            gw_at = store::make(n);
            gw_room = n;
        }
        gw_count = n;
        gw_take(from, 0);
    }
    void gw_grow(size_t n) {
        if (n > gw_room) {
            T *const old = gw_at;
            gw_at = store::make(n);
            gw_take(old, 0);
            store::end(old);
            gw_room = n;
        }
        gw_count = n;
    }
};
template <gw_memory M, class T> void swap(gw_vector<M, T> &a, gw_vector<M, T> &b) { a.swap(b); }
} // namespace thrust

#endif
