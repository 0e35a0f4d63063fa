/*
 * algorithms/keys.cuh - sums of segments (primitive.cuh): what lies behind each other and has one number.
 *
 * Adjoint: d_x[i] += d_y[segment[i]]; then d_y = 0, since y was overwritten. Stored: the segments. Where
 * numbers of segments are all that is known the sums have the same bits on every run (reduce.cuh).
 */
#ifndef GRADWRIGHT_ALGORITHMS_KEYS_CUH
#define GRADWRIGHT_ALGORITHMS_KEYS_CUH

#include "gradwright/algorithms/primitive.cuh"

#if !defined(GW_READING) && !defined(GW_CPU_DEVICE)
#include <cub/device/device_reduce.cuh>
#include <cuda/std/functional>
#endif

#ifdef GW_READING

/* y[s] = the sum of x[i] where segment[i] is s, for s < count; segments ascend, n < 2^32, count < 2^31. */
#define GW_SEGMENT_SUM_DECLARED(T)                                                                             \
    GW_NONDIFFERENTIABLE size_t gw_segment_sum_bytes(T, size_t n);                                             \
    cudaError_t gw_segment_sum(const unsigned *segment, const T *x, size_t n, T *y, size_t count,              \
                               unsigned char *room, size_t bytes, cudaStream_t stream);                        \
    GW_DERIVATIVE_OF("pullback of gw_segment_sum(const unsigned int *, const " #T " *, size_t, " #T            \
                     " *, size_t, unsigned char *, size_t, cudaStream_t)")                                     \
    cudaError_t gw_segment_sum_back(const unsigned *segment, const T *, size_t n, T *, size_t count,           \
                                    unsigned char *, size_t, cudaStream_t stream, T *d_x, T *d_y);             \
    GW_DERIVATIVE_OF("jvp of gw_segment_sum(const unsigned int *, const " #T " *, size_t, " #T                 \
                     " *, size_t, unsigned char *, size_t, cudaStream_t)")                                     \
    cudaError_t gw_segment_sum_jvp(const unsigned *segment, const T *, size_t n, T *, size_t count,            \
                                   unsigned char *room, size_t bytes, cudaStream_t stream, T *t_x, T *t_y);
GW_OF_NUMBERS(GW_SEGMENT_SUM_DECLARED)
#undef GW_SEGMENT_SUM_DECLARED

/* Sums segments of equal keys, whose numbers and count gw_number_segments has written: keys_out[s] = the key,
 * y[s] = the sum of x. 0 < n < 2^32. */
#define GW_SUM_BY_KEY_DECLARED(K, T)                                                                           \
    GW_NONDIFFERENTIABLE size_t gw_sum_by_key_bytes(K, T, size_t n);                                           \
    cudaError_t gw_sum_by_key(const K *keys, const unsigned *segment, const unsigned *count, const T *x,       \
                              size_t n, K *keys_out, T *y, unsigned char *room, size_t bytes,                  \
                              cudaStream_t stream);                                                            \
    GW_DERIVATIVE_OF("pullback of gw_sum_by_key(const " #K " *, const unsigned int *, const unsigned int *, "  \
                     "const " #T " *, size_t, " #K " *, " #T " *, unsigned char *, size_t, cudaStream_t)")     \
    cudaError_t gw_sum_by_key_back(const K *, const unsigned *segment, const unsigned *count, const T *,       \
                                   size_t n, K *, T *, unsigned char *, size_t, cudaStream_t stream, T *d_x,   \
                                   T *d_y);                                                                    \
    GW_DERIVATIVE_OF("jvp of gw_sum_by_key(const " #K " *, const unsigned int *, const unsigned int *, "       \
                     "const " #T " *, size_t, " #K " *, " #T " *, unsigned char *, size_t, cudaStream_t)")     \
    cudaError_t gw_sum_by_key_jvp(const K *keys, const unsigned *segment, const unsigned *count, const T *,    \
                                  size_t n, K *keys_out, T *, unsigned char *room, size_t bytes,               \
                                  cudaStream_t stream, T *t_x, T *t_y);
#define GW_SUM_BY_KEY_OF(K) GW_SUM_BY_KEY_DECLARED(K, float) GW_SUM_BY_KEY_DECLARED(K, double)
GW_OF_INTEGERS(GW_SUM_BY_KEY_OF)
#undef GW_SUM_BY_KEY_OF
#undef GW_SUM_BY_KEY_DECLARED

#else

/* Keys and values are where they are: only the levels above take room. */
inline gw_reduce_layout gw_segment_layout(size_t width, size_t n) {
    gw_reduce_layout made = {};
    size_t level = n;
    for (int i = 0; i < 2; i++) {
        level = gw_reduce_next(level);
        made.gw_keys_of[i] = gw_reduce_place(&made.gw_end, level, sizeof(int32_t));
        made.gw_values_of[i] = gw_reduce_place(&made.gw_end, level, width);
    }
    return made;
}

template <class T> inline size_t gw_segment_sum_bytes(T, size_t n) {
    return gw_segment_layout(sizeof(T), n).gw_end + 1;
}

template <class T>
inline cudaError_t gw_segment_sum(const unsigned *segment, const T *x, size_t n, gw_same<T> *y, size_t count,
                                  unsigned char *room, size_t bytes, cudaStream_t stream) {
    const gw_reduction rows = {n, sizeof(int32_t), sizeof(T), 1, 1};
    const gw_reduce_layout layout = gw_segment_layout(sizeof(T), n);
    const gw_reduce_column column = {y, sizeof(T)};
    if (n > UINT32_MAX || count > INT32_MAX || !room || bytes < layout.gw_end) return cudaErrorInvalidValue;
    GW_PRIMITIVE_TRY(gw_primitive_clear(y, count * sizeof(T), stream));
    if (!n) return cudaSuccess;
    /* both are only read there */
    const gw_reduce_rows<int32_t, T> in = {(int32_t *)const_cast<unsigned *>(segment), nullptr,
                                           const_cast<T *>(x), n};
    return gw_reduce_levels<int32_t, T, 1>(&rows, layout, in, &column, (char *)room, stream) == GW_OK
               ? cudaSuccess
               : cudaErrorUnknown;
}

/* d_x[i] += d_y[segment[i]] */
template <class T> __global__ void gw_add_of_segment(T *d_x, const T *d_y, const unsigned *segment, size_t n) {
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        d_x[i] += d_y[segment[i]];
}

template <class T>
inline cudaError_t gw_segment_sum_back(const unsigned *segment, const gw_same<T> *, size_t n, gw_same<T> *,
                                       size_t count, unsigned char *, size_t, cudaStream_t stream, T *d_x,
                                       gw_same<T> *d_y) {
    if (gw_primitive_meet(d_x, n * sizeof(T), d_y, count * sizeof(T))) return cudaErrorInvalidValue;
    if (n) gw_add_of_segment<<<gw_primitive_grid(n), GW_PRIMITIVE_BLOCK, 0, stream>>>(d_x, d_y, segment, n);
    GW_PRIMITIVE_TRY(cudaPeekAtLastError());
    return gw_primitive_clear(d_y, count * sizeof(T), stream);
}

/* ---- by keys ---- */

#ifdef GW_CPU_DEVICE
template <class K, class T> struct gw_sum_by_key_loop {
    const K *keys;
    const unsigned *segment;
    const T *x;
    size_t n;
    K *keys_out;
    T *y;
    __device__ void operator()() const {
        for (size_t i = 0; i < n; i++) {
            const unsigned s = segment[i];
            const bool first = !i || s != segment[i - 1];
            if (first) keys_out[s] = keys[i];
            y[s] = first ? x[i] : y[s] + x[i];
        }
    }
};
#endif

template <class K, class T>
inline cudaError_t gw_sum_by_key_of(const K *keys, const unsigned *segment, const T *x, size_t n, K *keys_out,
                                    T *y, unsigned *count, void *room, size_t &bytes, cudaStream_t stream) {
#ifdef GW_CPU_DEVICE
    (void)count;
    if (!room) return bytes = 1, cudaSuccess;
    return gw_run_alone(gw_sum_by_key_loop<K, T>{keys, segment, x, n, keys_out, y}, stream);
#else
    (void)segment;
    return gw_count_narrow(n, [&](auto length) {
        return cub::DeviceReduce::ReduceByKey(room, bytes, keys, keys_out, x, y, count, cuda::std::plus<>{},
                                              length, stream);
    });
#endif
}

/* The first 256 bytes of its room are CUB's count. */
template <class K, class T> inline size_t gw_sum_by_key_bytes(K, T, size_t n) {
    size_t bytes = 0;
    const K *const keys = nullptr;
    const T *const x = nullptr;
    return gw_sum_by_key_of<K, T>(keys, nullptr, x, n, nullptr, nullptr, nullptr, nullptr, bytes, nullptr) ==
                   cudaSuccess
               ? bytes + 256
               : SIZE_MAX;
}

template <class K, class T>
inline cudaError_t gw_sum_by_key(const K *keys, const unsigned *segment, const unsigned *, const T *x, size_t n,
                                 gw_same<K> *keys_out, gw_same<T> *y, unsigned char *room, size_t bytes,
                                 cudaStream_t stream) {
    if (n > UINT32_MAX || !n || !room || bytes < 257) return cudaErrorInvalidValue;
    size_t left = bytes - 256;
    return gw_sum_by_key_of<K, T>(keys, segment, x, n, keys_out, y, (unsigned *)room, room + 256, left, stream);
}

template <class T> __global__ void gw_clear_counted(T *y, const unsigned *count) {
    const size_t n = *count;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        y[i] = 0;
}

template <class T>
inline cudaError_t gw_sum_by_key_back(const void *, const unsigned *segment, const unsigned *count,
                                      const gw_same<T> *, size_t n, void *, gw_same<T> *, unsigned char *,
                                      size_t, cudaStream_t stream, T *d_x, gw_same<T> *d_y) {
    if (d_x == d_y) return cudaErrorInvalidValue;
    gw_add_of_segment<<<gw_primitive_grid(n), GW_PRIMITIVE_BLOCK, 0, stream>>>(d_x, d_y, segment, n);
    GW_PRIMITIVE_TRY(cudaPeekAtLastError());
    gw_clear_counted<<<gw_primitive_grid(n), GW_PRIMITIVE_BLOCK, 0, stream>>>(d_y, count);
    return cudaPeekAtLastError();
}

/* Sums are linear: those of the tangents. */
template <class T>
inline cudaError_t gw_segment_sum_jvp(const unsigned *segment, const gw_same<T> *, size_t n, gw_same<T> *,
                                      size_t count, unsigned char *room, size_t bytes, cudaStream_t stream,
                                      T *t_x, gw_same<T> *t_y) {
    return gw_segment_sum(segment, (const T *)t_x, n, t_y, count, room, bytes, stream);
}
template <class K, class T>
inline cudaError_t gw_sum_by_key_jvp(const K *keys, const unsigned *segment, const unsigned *count,
                                     const gw_same<T> *, size_t n, K *keys_out, gw_same<T> *,
                                     unsigned char *room, size_t bytes, cudaStream_t stream, T *t_x,
                                     gw_same<T> *t_y) {
    return gw_sum_by_key(keys, segment, count, (const T *)t_x, n, keys_out, t_y, room, bytes, stream);
}

#endif
#endif
