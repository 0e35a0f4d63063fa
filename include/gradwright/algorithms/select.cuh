/*
 * algorithms/select.cuh - how many are flagged (primitive.cuh): numbers for copy_if, partition, unique and
 * segments. Integers only: it has no derivative, and the copies by these numbers are kernels (each/moves.cuh).
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

#else

#ifdef GW_CPU_DEVICE
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

template <int = 0>
inline cudaError_t gw_number_of(const int *flag, size_t n, unsigned *number, void *room, size_t &bytes,
                                cudaStream_t stream) {
#ifdef GW_CPU_DEVICE
    if (!room) return bytes = 1, cudaSuccess;
    return gw_run_alone(gw_number_loop{flag, n, number}, stream);
#else
    return cub::DeviceScan::InclusiveSum(room, bytes, gw_flagged{flag}, number, n, stream);
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
