/*
 * algorithms/select.cuh - how many are flagged (primitive.cuh): numbers for copy_if, partition, unique and
 * segments, and those of segments of keys. Integers only: it has no derivative, and the copies by these numbers
 * are kernels (each/moves.cuh).
 */
#ifndef GRADWRIGHT_ALGORITHMS_SELECT_CUH
#define GRADWRIGHT_ALGORITHMS_SELECT_CUH

#include "gradwright/algorithms/primitive.cuh"

#if !defined(GW_READING) && !defined(GW_CPU_DEVICE)
#include <cub/device/device_scan.cuh>
#endif

#ifdef GW_READING

GW_NONDIFFERENTIABLE size_t gw_number_bytes(size_t n);

/* number[i]: how many of flag[0] to flag[i] are not 0; *count: how many of all, 0 if n is 0. n < 2^32, else
 * cudaErrorInvalidValue. */
GW_NONDIFFERENTIABLE cudaError_t gw_number(const int *flag, size_t n, unsigned *number, unsigned *count,
                                           unsigned char *room, size_t bytes, cudaStream_t stream);

/* Neighbours with equal keys are a segment. number[i]: that of keys[i], from 0 on; *count: how many there are.
 * Keys that do not equal themselves are segments of their own. 0 < n < 2^32, else cudaErrorInvalidValue. */
#define GW_NUMBER_SEGMENTS_DECLARED(K)                                                                         \
    GW_NONDIFFERENTIABLE size_t gw_number_segments_bytes(K, size_t n);                                         \
    GW_NONDIFFERENTIABLE cudaError_t gw_number_segments(const K *keys, size_t n, unsigned *number,             \
                                                        unsigned *count, unsigned char *room, size_t bytes,    \
                                                        cudaStream_t stream);
GW_OF_INTEGERS(GW_NUMBER_SEGMENTS_DECLARED)
#undef GW_NUMBER_SEGMENTS_DECLARED

#else

#ifdef GW_CPU_DEVICE
template <class K> struct gw_number_segments_loop {
    const K *keys;
    size_t n;
    unsigned *number, *count;
    __device__ void operator()() const {
        number[0] = 0;
        for (size_t i = 1; i < n; i++)
            number[i] = number[i - 1] + (keys[i] == keys[i - 1] ? 0 : 1);
        *count = number[n - 1] + 1;
    }
};
struct gw_number_loop {
    const int *flag;
    size_t n;
    unsigned *number;
    __device__ void operator()() const {
        for (size_t i = 0; i < n; i++)
            number[i] = (i ? number[i - 1] : 0) + (flag[i] != 0);
    }
};
#else
/* 1 where a flag is not 0. */
struct gw_flagged {
    typedef unsigned value_type, reference;
    typedef const unsigned *pointer;
    const int *at;
    __host__ __device__ unsigned operator[](ptrdiff_t i) const { return at[i] != 0; }
    __host__ __device__ ptrdiff_t operator-(const gw_flagged &o) const { return at - o.at; }
    GW_PRIMITIVE_ITERATOR(gw_flagged, at +)
};
#endif

#ifndef GW_CPU_DEVICE
/* 1 where a segment begins that is not the first. */
template <class K> struct gw_segment_heads {
    typedef unsigned value_type, reference;
    typedef const unsigned *pointer;
    const K *keys;
    ptrdiff_t at;
    __host__ __device__ unsigned operator[](ptrdiff_t i) const {
        return at + i > 0 && !(keys[at + i] == keys[at + i - 1]);
    }
    __host__ __device__ ptrdiff_t operator-(const gw_segment_heads &o) const { return at - o.at; }
    GW_PRIMITIVE_ITERATOR(gw_segment_heads, keys, at +)
};
template <int = 0> __global__ void gw_count_segments(const unsigned *last, unsigned *count) {
    *count = *last + 1;
}
#endif

template <class K>
inline cudaError_t gw_number_segments_of(const K *keys, size_t n, unsigned *number, unsigned *count, void *room,
                                         size_t &bytes, cudaStream_t stream) {
#ifdef GW_CPU_DEVICE
    if (!room) return bytes = 1, cudaSuccess;
    return gw_run_alone(gw_number_segments_loop<K>{keys, n, number, count}, stream);
#else
    const gw_segment_heads<K> heads{keys, 0};
    GW_PRIMITIVE_TRY(gw_count_narrow(n, [&](auto length) {
        return cub::DeviceScan::InclusiveSum(room, bytes, heads, number, length, stream);
    }));
    if (room) gw_count_segments<<<1, 1, 0, stream>>>(number + n - 1, count);
    return cudaPeekAtLastError();
#endif
}

template <class K> inline size_t gw_number_segments_bytes(K, size_t n) {
    size_t bytes = 0;
    const K *const none = nullptr;
    return gw_number_segments_of(none, n, nullptr, nullptr, nullptr, bytes, nullptr) == cudaSuccess ? bytes + 1
                                                                                                    : SIZE_MAX;
}

template <class K>
inline cudaError_t gw_number_segments(const K *keys, size_t n, unsigned *number, unsigned *count,
                                      unsigned char *room, size_t bytes, cudaStream_t stream) {
    if (n > UINT32_MAX || !n || !room) return cudaErrorInvalidValue;
    return gw_number_segments_of(keys, n, number, count, room, bytes, stream);
}

template <int = 0>
inline cudaError_t gw_number_of(const int *flag, size_t n, unsigned *number, void *room, size_t &bytes,
                                cudaStream_t stream) {
#ifdef GW_CPU_DEVICE
    if (!room) return bytes = 1, cudaSuccess;
    return gw_run_alone(gw_number_loop{flag, n, number}, stream);
#else
    return gw_count_narrow(n, [&](auto length) {
        return cub::DeviceScan::InclusiveSum(room, bytes, gw_flagged{flag}, number, length, stream);
    });
#endif
}

template <int = 0> inline size_t gw_number_bytes(size_t n) {
    size_t bytes = 0;
    return gw_number_of(nullptr, n, nullptr, nullptr, bytes, nullptr) == cudaSuccess ? bytes + 1 : SIZE_MAX;
}

template <int = 0>
inline cudaError_t gw_number(const int *flag, size_t n, unsigned *number, unsigned *count, unsigned char *room,
                             size_t bytes, cudaStream_t stream) {
    if (n > UINT32_MAX || (n && !room)) return cudaErrorInvalidValue;
    if (!n) return gw_primitive_clear(count, sizeof *count, stream);
    GW_PRIMITIVE_TRY(gw_number_of(flag, n, number, room, bytes, stream));
    return cudaMemcpyAsync(count, number + n - 1, sizeof *count, cudaMemcpyDeviceToDevice, stream);
}

#endif
#endif
