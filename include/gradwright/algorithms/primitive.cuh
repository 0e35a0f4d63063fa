/*
 * algorithms/primitive.cuh - what the primitives share: functions of the host that name a stream (their last
 * parameter) and stand behind the algorithms of libraries in differentiated programs. On a GPU they are CUB's
 * device-wide algorithms, on the CPU device loops of one thread. Gradwright reads declarations alone
 * (GW_READING), one for each type; compilers have templates, so that a source pays for what it calls.
 *
 * Nothing is allocated: where a primitive takes `room`, that is memory of the device with as many bytes as
 * gw_..._bytes(T(), count) says. All but gw_sum, whose result is a cell, take n = 0 for nothing to
 * do. What a primitive reads must lie apart from what it writes; a pullback that sees that it does not fails
 * with cudaErrorInvalidValue.
 *
 * NaNs are summed as any number is. Sums on a GPU are CUB's: those of scans and by keys may differ in their
 * last bits from run to run.
 */
#ifndef GRADWRIGHT_ALGORITHMS_PRIMITIVE_CUH
#define GRADWRIGHT_ALGORITHMS_PRIMITIVE_CUH

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

#include <iterator>
#include <type_traits>

#include "gradwright/gradwright.h"

#ifdef GW_READING

/* Types of numbers and of keys. */
#define GW_OF_NUMBERS(X)  X(float) X(double)
#define GW_OF_INTEGERS(X) X(int) X(unsigned int) X(long) X(unsigned long) X(long long) X(unsigned long long)
#define GW_OF_KEYS(X)     GW_OF_INTEGERS(X) X(float) X(double)

#else

#include "gradwright/emitted/reduce.cuh"

/* T, which another parameter says. */
template <class T> struct gw_primitive_is { typedef T type; };
template <class T> using gw_same = typename gw_primitive_is<T>::type;

enum { GW_PRIMITIVE_BLOCK = 256 };

inline unsigned gw_primitive_grid(size_t n) {
    const size_t blocks = (n + GW_PRIMITIVE_BLOCK - 1) / GW_PRIMITIVE_BLOCK;
    return (unsigned)(blocks < 65536 ? blocks : 65536);
}

inline size_t gw_primitive_align(size_t bytes) { return (bytes + 255) / 256 * 256; }

/* Whether two ranges have a byte in common. */
inline bool gw_primitive_meet(const void *a, size_t a_bytes, const void *b, size_t b_bytes) {
    const uintptr_t x = (uintptr_t)a, y = (uintptr_t)b;
    return a_bytes && b_bytes && x < y + b_bytes && y < x + a_bytes;
}

inline cudaError_t gw_primitive_clear(void *at, size_t bytes, cudaStream_t stream) {
    return bytes ? cudaMemsetAsync(at, 0, bytes, stream) : cudaSuccess;
}

/* CUB's algorithms are faster where 32 bits do for numbers of elements. */
template <class F> inline cudaError_t gw_count_narrow(size_t n, const F &call) {
    return n <= INT32_MAX ? call((int)n) : call(n);
}

#define GW_PRIMITIVE_TRY(call)                                                                                 \
    do {                                                                                                       \
        const cudaError_t gw_error = (call);                                                                   \
        if (gw_error != cudaSuccess) return gw_error;                                                          \
    } while (0)

#ifdef GW_CPU_DEVICE
/* One thread, as a kernel: in the order of its stream, and in the graph of one that is captured. */
template <class F> __global__ void gw_alone(F f) { f(); }
template <class F> inline cudaError_t gw_run_alone(const F &f, cudaStream_t stream) {
    gw_alone<<<1, 1, 0, stream>>>(f);
    return cudaPeekAtLastError();
}
#endif

/* ---- iterators ---- */

#define GW_PRIMITIVE_ITERATOR(name, ...)                                                                       \
    typedef ptrdiff_t difference_type;                                                                         \
    typedef std::random_access_iterator_tag iterator_category;                                                 \
    __host__ __device__ reference operator*() const { return (*this)[0]; }                                     \
    __host__ __device__ name operator+(ptrdiff_t by) const { return name{__VA_ARGS__(by)}; }                   \
    __host__ __device__ name operator-(ptrdiff_t by) const { return name{__VA_ARGS__(-by)}; }                  \
    __host__ __device__ name &operator+=(ptrdiff_t by) { return *this = *this + by; }                          \
    __host__ __device__ name &operator-=(ptrdiff_t by) { return *this = *this - by; }                          \
    __host__ __device__ name &operator++() { return *this += 1; }                                              \
    __host__ __device__ name &operator--() { return *this -= 1; }                                              \
    __host__ __device__ bool operator==(const name &o) const { return at == o.at; }                            \
    __host__ __device__ bool operator!=(const name &o) const { return at != o.at; }

/* From the last one on, towards the first. */
template <class T> struct gw_backward {
    typedef typename std::remove_const<T>::type value_type;
    typedef T &reference;
    typedef T *pointer;
    T *at;
    __host__ __device__ T &operator[](ptrdiff_t i) const { return at[-i]; }
    __host__ __device__ ptrdiff_t operator-(const gw_backward &o) const { return o.at - at; }
    GW_PRIMITIVE_ITERATOR(gw_backward, at -)
};

/* The same, and what is stored is added. */
template <class T> struct gw_added {
    T *cell;
    __host__ __device__ const gw_added &operator=(const T &by) const { return *cell += by, *this; }
};
template <class T> struct gw_adding_backward {
    typedef void value_type;
    typedef gw_added<T> reference;
    typedef void pointer;
    T *at;
    __host__ __device__ gw_added<T> operator[](ptrdiff_t i) const { return gw_added<T>{at - i}; }
    __host__ __device__ ptrdiff_t operator-(const gw_adding_backward &o) const { return o.at - at; }
    GW_PRIMITIVE_ITERATOR(gw_adding_backward, at -)
};

#endif
#endif
