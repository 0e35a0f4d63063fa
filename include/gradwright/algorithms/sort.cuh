/*
 * algorithms/sort.cuh - the stable order of keys (primitive.cuh). Integers only: it has no derivative. What is
 * sorted is then put into that order, a permutation: its adjoint goes back through it.
 *
 * -0 and 0 are equal keys. A NaN comes behind +inf if its sign bit is not set, before -inf if it is.
 */
#ifndef GRADWRIGHT_ALGORITHMS_SORT_CUH
#define GRADWRIGHT_ALGORITHMS_SORT_CUH

#include "gradwright/algorithms/primitive.cuh"

#if !defined(GW_READING) && !defined(GW_CPU_DEVICE)
#include <cub/device/device_radix_sort.cuh>
#endif

#ifdef GW_READING

/* order[i]: which of keys comes i-th, equal ones as they stand; from the greatest on if it is descending. Of
 * keys, bits `from` to `to` - 1 count, as a radix sort sees them. n < 2^32, and these are bits of a key, else
 * cudaErrorInvalidValue. */
#define GW_ORDER_DECLARED(K)                                                                                   \
    GW_NONDIFFERENTIABLE size_t gw_order_bytes(K, size_t n);                                                   \
    GW_NONDIFFERENTIABLE cudaError_t gw_order(const K *keys, size_t n, int descending, int from, int to,       \
                                              unsigned *order, unsigned char *room, size_t bytes,              \
                                              cudaStream_t stream);
GW_OF_KEYS(GW_ORDER_DECLARED)
#undef GW_ORDER_DECLARED

/* values[i] becomes what was values[order[i]], a permutation, whose adjoint is put back in the same way. There
 * are n of them in `room`, which holds them in that order if it is `there`: the keys that gw_order has sorted
 * lie at the beginning of its room. */
#define GW_REORDER_PARAMETERS(T)                                                                               \
    T *values, size_t n, const unsigned *order, int there, unsigned char *room, cudaStream_t stream
#define GW_REORDER_DECLARED(T)                                                                                 \
    cudaError_t gw_reorder(GW_REORDER_PARAMETERS(T));                                                          \
    GW_DERIVATIVE_OF("pullback of gw_reorder(" #T                                                              \
                     " *, size_t, const unsigned int *, int, unsigned char *, cudaStream_t)")                  \
    cudaError_t gw_reorder_back(T *, size_t n, const unsigned *order, int there,                               \
                                GW_SCRATCH unsigned char *room, cudaStream_t stream, T *d_values);             \
    GW_DERIVATIVE_OF("jvp of gw_reorder(" #T                                                                   \
                     " *, size_t, const unsigned int *, int, unsigned char *, cudaStream_t)")                  \
    cudaError_t gw_reorder_jvp(T *, size_t n, const unsigned *order, int, unsigned char *,                     \
                               cudaStream_t stream, T *t_values);
#define GW_REORDER_KEYS(K) GW_NONDIFFERENTIABLE cudaError_t gw_reorder(GW_REORDER_PARAMETERS(K));
GW_OF_NUMBERS(GW_REORDER_DECLARED)
GW_OF_INTEGERS(GW_REORDER_KEYS)
#undef GW_REORDER_PARAMETERS
#undef GW_REORDER_DECLARED
#undef GW_REORDER_KEYS

#else

/* Sorted keys, numbers, and what the sort itself takes. */
struct gw_order_layout {
    size_t numbers, sorting, sorting_bytes, end;
};

#ifdef GW_CPU_DEVICE

/* As a signed integer of its width in the same order. */
template <class K> struct gw_order_key {
    typedef K bits;
    __host__ __device__ static bits of(K key) { return key; }
};
template <> struct gw_order_key<unsigned> {
    typedef int bits;
    __host__ __device__ static bits of(unsigned key) { return (int)(key ^ 0x80000000u); }
};
template <> struct gw_order_key<unsigned long> {
    typedef long bits;
    __host__ __device__ static bits of(unsigned long key) { return (long)(key ^ ~(~0ul >> 1)); }
};
template <> struct gw_order_key<unsigned long long> {
    typedef long long bits;
    __host__ __device__ static bits of(unsigned long long key) {
        return (long long)(key ^ 0x8000000000000000ull);
    }
};
template <> struct gw_order_key<float> {
    typedef int bits;
    __host__ __device__ static bits of(float key) {
        int is;
        const float plain = key == 0 ? 0.0f : key;
        __builtin_memcpy(&is, &plain, sizeof is);
        return is < 0 ? is ^ 0x7fffffff : is;
    }
};
template <> struct gw_order_key<double> {
    typedef long long bits;
    __host__ __device__ static bits of(double key) {
        long long is;
        const double plain = key == 0 ? 0.0 : key;
        __builtin_memcpy(&is, &plain, sizeof is);
        return is < 0 ? is ^ 0x7fffffffffffffffll : is;
    }
};

/* Some of its bits as a number in their order; those of signs and floats as a radix sort has them. */
template <class B> __host__ __device__ inline B gw_order_bits(B key, int from, int to) {
    typedef typename std::make_unsigned<B>::type whole;
    const whole top = ~((whole)~(whole)0 >> 1);
    const int all = 8 * (int)sizeof(B), count = to - from;
    if (count == 0) return 0;
    const whole kept = ((whole)key ^ top) >> from & (whole)~(whole)0 >> (all - count);
    return (B)(kept ^ top);
}

/* The runtime's sort, which is stable; the order from the greatest on is that of the complements. Where bits
 * were sorted, the keys lie then. */
template <class K, class Sort> struct gw_order_loop {
    typedef typename gw_order_key<K>::bits bits;
    Sort sort;
    const K *keys;
    size_t n;
    bool descending;
    int from, to;
    bits *of_keys, *sorted;
    unsigned *numbers, *order;
    __device__ void operator()() const {
        for (size_t i = 0; i < n; i++) {
            const bits is = gw_order_bits(gw_order_key<K>::of(keys[i]), from, to);
            of_keys[i] = descending ? ~is : is;
            numbers[i] = (unsigned)i;
        }
        sort(of_keys, sizeof(bits), n, numbers, order, sorted);
        for (size_t i = 0; i < n; i++)
            ((K *)sorted)[i] = keys[order[i]];
    }
};

template <class K> inline gw_order_layout gw_order_lay_out(size_t n) {
    gw_order_layout made = {gw_primitive_align(n * sizeof(K)), 0, n * sizeof(K), 0};
    made.sorting = made.numbers + gw_primitive_align(n * sizeof(unsigned));
    made.end = made.sorting + made.sorting_bytes + 1;
    return made;
}

template <class K>
inline cudaError_t gw_order_in(const gw_order_layout &layout, const K *keys, size_t n, bool descending,
                               int from, int to, unsigned *order, unsigned char *room, cudaStream_t stream) {
    typedef typename gw_order_key<K>::bits bits;
    return gw_run_alone(gw_order_loop<K, decltype(&gw_sort_rows)>{gw_sort_rows, keys, n, descending, from, to,
                                                                  (bits *)(room + layout.sorting), (bits *)room,
                                                                  (unsigned *)(room + layout.numbers), order},
                        stream);
}

#else

template <class N> __global__ void gw_order_number(N *number, size_t n) {
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        number[i] = (N)i;
}

template <class K>
inline cudaError_t gw_order_sort(void *room, size_t &bytes, const K *keys, K *sorted, const unsigned *numbers,
                                 unsigned *order, size_t n, bool descending, int from, int to,
                                 cudaStream_t stream) {
    if (descending)
        return cub::DeviceRadixSort::SortPairsDescending(room, bytes, keys, sorted, numbers, order, n, from, to,
                                                         stream);
    return cub::DeviceRadixSort::SortPairs(room, bytes, keys, sorted, numbers, order, n, from, to, stream);
}

template <class K> inline gw_order_layout gw_order_lay_out(size_t n) {
    gw_order_layout made = {gw_primitive_align(n * sizeof(K)), 0, 0, SIZE_MAX};
    made.sorting = made.numbers + gw_primitive_align(n * sizeof(unsigned));
    for (int descending = 0; descending < 2; descending++) {
        size_t bytes = 0;
        if (gw_order_sort<K>(nullptr, bytes, nullptr, nullptr, nullptr, nullptr, n, descending != 0, 0,
                             (int)(8 * sizeof(K)), nullptr) != cudaSuccess)
            return made;
        made.sorting_bytes = bytes > made.sorting_bytes ? bytes : made.sorting_bytes;
    }
    made.end = made.sorting + made.sorting_bytes + 1;
    return made;
}

template <class K>
inline cudaError_t gw_order_in(const gw_order_layout &layout, const K *keys, size_t n, bool descending,
                               int from, int to, unsigned *order, unsigned char *room, cudaStream_t stream) {
    size_t bytes = layout.sorting_bytes;
    unsigned *const numbers = (unsigned *)(room + layout.numbers);
    gw_order_number<<<gw_primitive_grid(n), GW_PRIMITIVE_BLOCK, 0, stream>>>(numbers, n);
    GW_PRIMITIVE_TRY(cudaPeekAtLastError());
    return gw_order_sort<K>(room + layout.sorting, bytes, keys, (K *)room, numbers, order, n, descending,
                            from, to, stream);
}

#endif

template <class K> inline size_t gw_order_bytes(K, size_t n) {
    return n > UINT32_MAX ? 1 : gw_order_lay_out<K>(n).end; /* more is refused */
}

template <class K>
inline cudaError_t gw_order(const K *keys, size_t n, int descending, int from, int to, unsigned *order,
                            unsigned char *room, size_t bytes, cudaStream_t stream) {
    if (n > UINT32_MAX || from < 0 || from > to || to > (int)(8 * sizeof(K))) return cudaErrorInvalidValue;
    if (!n) return cudaSuccess;
    const gw_order_layout layout = gw_order_lay_out<K>(n);
    if (!room || bytes < layout.end) return cudaErrorInvalidValue;
    return gw_order_in<K>(layout, keys, n, descending != 0, from, to, order, room, stream);
}

template <class T>
__global__ void gw_reorder_gather(T *out, const T *in, const unsigned *order, size_t n) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[order[i]];
}
template <class T>
__global__ void gw_reorder_scatter(T *out, const T *in, const unsigned *order, size_t n) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[order[i]] = in[i];
}

/* As many blocks as there are threads' elements: n < 2^32. */
inline unsigned gw_reorder_grid(size_t n) {
    return (unsigned)((n + GW_PRIMITIVE_BLOCK - 1) / GW_PRIMITIVE_BLOCK);
}

template <class T>
inline cudaError_t gw_reorder(T *values, size_t n, const unsigned *order, int there, unsigned char *room,
                              cudaStream_t stream) {
    if (!n) return cudaSuccess;
    if (!there) {
        gw_reorder_gather<<<gw_reorder_grid(n), GW_PRIMITIVE_BLOCK, 0, stream>>>((T *)room, (const T *)values,
                                                                                 order, n);
        GW_PRIMITIVE_TRY(cudaPeekAtLastError());
    }
    return cudaMemcpyAsync(values, room, n * sizeof(T), cudaMemcpyDeviceToDevice, stream);
}

template <class T>
inline cudaError_t gw_reorder_back(gw_same<T> *, size_t n, const unsigned *order, int, unsigned char *room,
                                   cudaStream_t stream, T *d_values) {
    if (!n || !d_values) return cudaSuccess;
    gw_reorder_scatter<<<gw_reorder_grid(n), GW_PRIMITIVE_BLOCK, 0, stream>>>((T *)room, (const T *)d_values,
                                                                              order, n);
    GW_PRIMITIVE_TRY(cudaPeekAtLastError());
    return cudaMemcpyAsync(d_values, room, n * sizeof(T), cudaMemcpyDeviceToDevice, stream);
}

/* The tangents in the same order; the call needs the room. */
template <class T>
inline cudaError_t gw_reorder_jvp(gw_same<T> *, size_t n, const unsigned *order, int, unsigned char *,
                                  cudaStream_t stream, T *t_values) {
    void *room = nullptr;
    if (!n) return cudaSuccess;
    GW_PRIMITIVE_TRY(cudaMallocAsync(&room, n * sizeof(T), stream));
    const cudaError_t made = gw_reorder(t_values, n, order, 0, (unsigned char *)room, stream),
                      gone = cudaFreeAsync(room, stream);
    return made == cudaSuccess ? gone : made;
}

#endif
#endif
