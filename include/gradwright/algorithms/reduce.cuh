/*
 * algorithms/reduce.cuh - the sum of an array (primitive.cuh).
 *
 * Adjoint: d_x[i] += d_sum for all i; then d_sum = 0, since the cell was overwritten. Nothing is stored.
 */
#ifndef GRADWRIGHT_ALGORITHMS_REDUCE_CUH
#define GRADWRIGHT_ALGORITHMS_REDUCE_CUH

#include "gradwright/algorithms/primitive.cuh"

#if !defined(GW_READING) && !defined(GW_CPU_DEVICE)
#include <cub/device/device_reduce.cuh>
#endif

#ifdef GW_READING

/* *sum = x[0] + ... + x[n - 1]; 0 if n is 0 */
#define GW_SUM_DECLARED(T)                                                                                     \
    GW_NONDIFFERENTIABLE size_t gw_sum_bytes(T, size_t n);                                                     \
    cudaError_t gw_sum(const T *x, size_t n, T *sum, unsigned char *room, size_t bytes, cudaStream_t stream);  \
    GW_DERIVATIVE_OF("pullback of gw_sum(const " #T " *, size_t, " #T                                          \
                     " *, unsigned char *, size_t, cudaStream_t)")                                             \
    cudaError_t gw_sum_back(const T *, size_t n, T *, unsigned char *, size_t, cudaStream_t stream, T *d_x,    \
                            T *d_sum);                                                                         \
    GW_DERIVATIVE_OF("jvp of gw_sum(const " #T " *, size_t, " #T                                               \
                     " *, unsigned char *, size_t, cudaStream_t)")                                             \
    cudaError_t gw_sum_jvp(const T *, size_t n, T *, unsigned char *room, size_t bytes, cudaStream_t stream,   \
                           T *t_x, T *t_sum);
GW_OF_NUMBERS(GW_SUM_DECLARED)
#undef GW_SUM_DECLARED

#else

#ifdef GW_CPU_DEVICE
/* Sums of 256 numbers each, then the sum of these: its error grows as with sqrt(n). */
template <class T> struct gw_sum_loop {
    const T *x;
    size_t n;
    T *sum;
    __device__ void operator()() const {
        T all = 0;
        for (size_t i = 0; i < n;) {
            T part = 0;
            for (const size_t end = n - i < 256 ? n : i + 256; i < end; i++)
                part += x[i];
            all += part;
        }
        *sum = all;
    }
};
#endif

template <class T>
inline cudaError_t gw_sum_of(const T *x, size_t n, T *sum, void *room, size_t &bytes, cudaStream_t stream) {
#ifdef GW_CPU_DEVICE
    if (!room) return bytes = 1, cudaSuccess;
    return gw_run_alone(gw_sum_loop<T>{x, n, sum}, stream);
#else
    return cub::DeviceReduce::Sum(room, bytes, x, sum, n, stream);
#endif
}

template <class T> inline size_t gw_sum_bytes(T, size_t n) {
    size_t bytes = 0;
    return gw_sum_of<T>(nullptr, n, nullptr, nullptr, bytes, nullptr) == cudaSuccess ? bytes + 1 : SIZE_MAX;
}

template <class T>
inline cudaError_t gw_sum(const T *x, size_t n, gw_same<T> *sum, unsigned char *room, size_t bytes,
                          cudaStream_t stream) {
    return room ? gw_sum_of<T>(x, n, sum, room, bytes, stream) : cudaErrorInvalidValue;
}

/* x[i] += *by */
template <class T> __global__ void gw_add_to_all(T *x, size_t n, const T *by) {
    const T sum = *by;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        x[i] += sum;
}

template <class T>
inline cudaError_t gw_sum_back(const gw_same<T> *, size_t n, gw_same<T> *, unsigned char *, size_t,
                               cudaStream_t stream, T *d_x, gw_same<T> *d_sum) {
    if (gw_primitive_meet(d_x, n * sizeof(T), d_sum, sizeof(T))) return cudaErrorInvalidValue;
    if (n) gw_add_to_all<<<gw_primitive_grid(n), GW_PRIMITIVE_BLOCK, 0, stream>>>(d_x, n, d_sum);
    GW_PRIMITIVE_TRY(cudaPeekAtLastError());
    return gw_primitive_clear(d_sum, sizeof(T), stream);
}

/* A sum is linear: that of the tangents. */
template <class T>
inline cudaError_t gw_sum_jvp(const gw_same<T> *, size_t n, gw_same<T> *, unsigned char *room, size_t bytes,
                              cudaStream_t stream, T *t_x, gw_same<T> *t_sum) {
    return gw_sum((const T *)t_x, n, t_sum, room, bytes, stream);
}

#endif
#endif
