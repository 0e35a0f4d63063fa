/* thrust/device_ptr.h - pointers to memory of the device (execution_policy.h says what these headers are). */
#ifndef GRADWRIGHT_THRUST_DEVICE_PTR_H
#define GRADWRIGHT_THRUST_DEVICE_PTR_H

#include <stddef.h>

namespace thrust {
template <class T> struct device_ptr {
    typedef T value_type;
    typedef T &reference;
    typedef ptrdiff_t difference_type;
    T *gw_at;
    __host__ __device__ device_ptr() : gw_at(nullptr) {}
    __host__ __device__ explicit device_ptr(T *at) : gw_at(at) {}
    template <class U> __host__ __device__ device_ptr(const device_ptr<U> &other) : gw_at(other.gw_at) {}
    __host__ __device__ T *get() const { return gw_at; }
    __host__ __device__ T &operator*() const { return *gw_at; }
    __host__ __device__ T &operator[](ptrdiff_t i) const { return gw_at[i]; }
    __host__ __device__ device_ptr operator+(ptrdiff_t n) const { return device_ptr(gw_at + n); }
    __host__ __device__ device_ptr operator-(ptrdiff_t n) const { return device_ptr(gw_at - n); }
    __host__ __device__ ptrdiff_t operator-(const device_ptr &other) const { return gw_at - other.gw_at; }
    __host__ __device__ device_ptr &operator++() {
        ++gw_at;
        return *this;
    }
    __host__ __device__ device_ptr &operator+=(ptrdiff_t n) {
        gw_at += n;
        return *this;
    }
    __host__ __device__ bool operator==(const device_ptr &other) const { return gw_at == other.gw_at; }
    __host__ __device__ bool operator!=(const device_ptr &other) const { return gw_at != other.gw_at; }
};
template <class T> device_ptr<T> device_pointer_cast(T *at) { return device_ptr<T>(at); }
template <class T> device_ptr<T> device_pointer_cast(const device_ptr<T> &at) { return at; }
template <class T> T *raw_pointer_cast(T *at) { return at; }
template <class T> T *raw_pointer_cast(const device_ptr<T> &at) { return at.gw_at; }

/* What kernels are given of an iterator: pointers stay pointers. */
template <class I> I gw_raw(const I &it) { return it; }
template <class T> T *gw_raw(const device_ptr<T> &it) { return it.gw_at; }
template <class I> size_t gw_length(const I &first, const I &last) {
    return last - first > 0 ? (size_t)(last - first) : 0;
}
} // namespace thrust

#endif
