/* Vectors: memory of a kind, and how many elements of it are in use. */
#ifndef GRADWRIGHT_THRUST_VECTOR_H
#define GRADWRIGHT_THRUST_VECTOR_H
#include <gradwright/algorithms/each/elementwise.cuh>
#include <initializer_list>
#include <thrust/gw_memory.h>
#include <vector>

enum gw_vector_kind { GW_DEVICE_VECTOR, GW_HOST_VECTOR, GW_UNIVERSAL_VECTOR };

template <class T> using gw_stored = typename std::vector<T>::const_iterator;

template <class T, gw_vector_kind K> struct gw_vector {
    static constexpr bool on_host = K == GW_HOST_VECTOR;
    using value_type = T;
    using size_type = size_t;
    using difference_type = ptrdiff_t;
    using pointer = std::conditional_t<on_host, T *, gw_device_ptr<T>>;
    using const_pointer = std::conditional_t<on_host, const T *, gw_device_ptr<const T>>;
    using iterator = pointer;
    using const_iterator = const_pointer;
    using reference = std::conditional_t<K == GW_DEVICE_VECTOR, gw_device_reference<T>, T &>;
    using const_reference = std::conditional_t<K == GW_DEVICE_VECTOR, gw_device_reference<const T>, const T &>;
    using reverse_iterator = gw_reversed<iterator>;

    T *at;
    size_t count, room;

    gw_vector() : at(nullptr), count(0), room(0) {}
    explicit gw_vector(size_t n) : at(nullptr), count(0), room(0) {
        take(n);
        cudaMemset(at, 0, n * sizeof(T));
    }
    gw_vector(size_t n, const T &value) : at(nullptr), count(0), room(0) {
        take(n);
        fill(0, value);
    }
    gw_vector(const gw_vector &o) : at(nullptr), count(0), room(0) { copy(o.at, o.count); }
    gw_vector(gw_vector &&o) : at(o.at), count(o.count), room(o.room) { o.forget(); }
    template <gw_vector_kind L> gw_vector(const gw_vector<T, L> &o) : at(nullptr), count(0), room(0) {
        copy(o.at, o.count);
    }
    gw_vector(gw_device_ptr<T> first, gw_device_ptr<T> last) : at(nullptr), count(0), room(0) {
        copy(first.pointed, (size_t)(last - first));
    }
    gw_vector(gw_device_ptr<const T> first, gw_device_ptr<const T> last) : at(nullptr), count(0), room(0) {
        copy(first.pointed, (size_t)(last - first));
    }
    gw_vector(const T *first, const T *last) : at(nullptr), count(0), room(0) {
        copy(first, (size_t)(last - first));
    }
    template <class A> gw_vector(const std::vector<T, A> &o) : at(nullptr), count(0), room(0) {
        copy(o.data(), o.size());
    }
    gw_vector(gw_stored<T> first, gw_stored<T> last) : at(nullptr), count(0), room(0) {
        copy_stored(first, (size_t)(last - first));
    }
    gw_vector(std::initializer_list<T> list) : at(nullptr), count(0), room(0) {
        copy(list.begin(), list.size());
    }
    ~gw_vector() { give(at); }

    gw_vector &operator=(const gw_vector &o) {
        if (this != &o) assign_from(o.at, o.count);
        return *this;
    }
    gw_vector &operator=(gw_vector &&o) {
        give(at);
        at = o.at, count = o.count, room = o.room;
        o.forget();
        return *this;
    }
    template <gw_vector_kind L> gw_vector &operator=(const gw_vector<T, L> &o) {
        assign_from(o.at, o.count);
        return *this;
    }
    template <class A> gw_vector &operator=(const std::vector<T, A> &o) {
        assign_from(o.data(), o.size());
        return *this;
    }

    size_t size() const { return count; }
    size_t capacity() const { return room; }
    bool empty() const { return count == 0; }
    pointer data() { return pointer{at}; }
    const_pointer data() const { return const_pointer{at}; }
    iterator begin() { return iterator{at}; }
    iterator end() { return iterator{at + count}; }
    const_iterator begin() const { return const_iterator{at}; }
    const_iterator end() const { return const_iterator{at + count}; }
    const_iterator cbegin() const { return const_iterator{at}; }
    const_iterator cend() const { return const_iterator{at + count}; }
    reverse_iterator rbegin() { return reverse_iterator{end()}; }
    reverse_iterator rend() { return reverse_iterator{begin()}; }
    reference operator[](size_t i) { return element(at + i); }
    const_reference operator[](size_t i) const { return const_element(at + i); }
    reference front() { return element(at); }
    const_reference front() const { return const_element(at); }
    reference back() { return element(at + (count - 1)); }
    const_reference back() const { return const_element(at + (count - 1)); }

    void resize(size_t n) {
        const size_t had = count;
        grow(n);
        if (n > had) cudaMemset(at + had, 0, (n - had) * sizeof(T));
    }
    void resize(size_t n, const T &value) {
        const size_t had = count;
        grow(n);
        fill(had, value);
    }
    void assign(size_t n, const T &value) {
        grow(n);
        fill(0, value);
    }
    void assign(gw_stored<T> first, gw_stored<T> last) {
        const size_t n = (size_t)(last - first);
        grow(n);
        if (n) cudaMemcpy(at, &*first, n * sizeof(T), cudaMemcpyDefault);
    }
    void assign(const T *first, const T *last) { assign_from(first, (size_t)(last - first)); }
    void reserve(size_t n) {
        const size_t had = count;
        if (n > room) grow(n);
        count = had;
    }
    void clear() { count = 0; }
    void shrink_to_fit() {}
    void swap(gw_vector &o) {
        T *const a = at;
        const size_t c = count, r = room;
        at = o.at, count = o.count, room = o.room;
        o.at = a, o.count = c, o.room = r;
    }

  private:
    static reference element(T *p) {
        if constexpr (K == GW_DEVICE_VECTOR)
            return reference(p);
        else
            return *p;
    }
    static const_reference const_element(const T *p) {
        if constexpr (K == GW_DEVICE_VECTOR)
            return const_reference(p);
        else
            return *p;
    }
    void forget() { at = nullptr, count = 0, room = 0; }
    void take(size_t n) {
        if constexpr (K == GW_DEVICE_VECTOR) cudaMalloc(&at, n * sizeof(T));
        if constexpr (K == GW_HOST_VECTOR) cudaMallocHost(&at, n * sizeof(T));
        if constexpr (K == GW_UNIVERSAL_VECTOR) cudaMallocManaged(&at, n * sizeof(T));
        count = n, room = n;
    }
    static void give(T *p) {
        if constexpr (K == GW_HOST_VECTOR) cudaFreeHost(p);
        else cudaFree(p);
    }
    void copy(const T *from, size_t n) {
        take(n);
        cudaMemcpy(at, from, n * sizeof(T), cudaMemcpyDefault);
    }
    void copy_stored(gw_stored<T> first, size_t n) {
        take(n);
        if (n) cudaMemcpy(at, &*first, n * sizeof(T), cudaMemcpyDefault);
    }
    void assign_from(const T *from, size_t n) {
        if (n > room) {
            give(at);
            take(n);
        }
        count = n;
        cudaMemcpy(at, from, n * sizeof(T), cudaMemcpyDefault);
    }
    void grow(size_t n) {
        if (n > room) {
            T *const had = at;
            const size_t had_count = count;
            take(n);
            cudaMemcpy(at, had, had_count * sizeof(T), cudaMemcpyDefault);
            give(had);
        }
        count = n;
    }
    void fill(size_t from, const T &value) {
        const size_t n = count - from;
        if (count > from) gw_fill<<<gw_algorithm_grid(n), GW_ALGORITHM_THREADS>>>(at + from, n, value);
    }
};

namespace thrust {
template <class T> using device_vector = gw_vector<T, GW_DEVICE_VECTOR>;
template <class T> using host_vector = gw_vector<T, GW_HOST_VECTOR>;
template <class T> using universal_vector = gw_vector<T, GW_UNIVERSAL_VECTOR>;
} // namespace thrust
#endif
