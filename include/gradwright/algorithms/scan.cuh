/*
 * algorithms/scan.cuh - running sums (primitive.cuh): of an array into another one, in its place, and by
 * segments.
 *
 * With y[i] = first + x[0] + ... + x[i] (exclusive: to x[i - 1]) the adjoint is the same scan from the other
 * end, d_x[i] += d_y[i] + d_y[i + 1] + ... (exclusive: from d_y[i + 1]), and d_first += the sum of d_y; then
 * d_y = 0, since y was overwritten. By segments each one is a scan of its own. Nothing is stored but the
 * segments.
 *
 * The way back has the adjoint of `room` for its own room, and leaves zeros there.
 */
#ifndef GRADWRIGHT_ALGORITHMS_SCAN_CUH
#define GRADWRIGHT_ALGORITHMS_SCAN_CUH

#include "gradwright/algorithms/reduce.cuh"

#if !defined(GW_READING) && !defined(GW_CPU_DEVICE)
#include <cub/device/device_scan.cuh>
#include <cuda/std/functional>
#endif

#ifdef GW_READING

/* segment: numbers of segments, those of one behind each other. `first` begins each segment where the scan is
 * exclusive; else it must be 0 by segments. An adjoint of `first` is waited for. */
#define GW_SCAN_DECLARED(T)                                                                                    \
    GW_NONDIFFERENTIABLE size_t gw_scan_bytes(T, size_t n);                                                    \
    GW_NONDIFFERENTIABLE size_t gw_scan_by_segment_bytes(T, size_t n);                                         \
    cudaError_t gw_scan(const T *x, size_t n, T *y, int exclusive, T first, T *room, size_t bytes,             \
                        cudaStream_t stream);                                                                  \
    GW_DERIVATIVE_OF("pullback of gw_scan(const " #T " *, size_t, " #T " *, int, " #T ", " #T                  \
                     " *, size_t, cudaStream_t)")                                                              \
    cudaError_t gw_scan_back(const T *, size_t n, T *, int exclusive, T first, T *, size_t bytes,              \
                             cudaStream_t stream, T *d_x, T *d_y, T *d_first, T *d_room);                      \
    cudaError_t gw_scan_in_place(T *x, size_t n, int exclusive, T first, T *room, size_t bytes,                \
                                 cudaStream_t stream);                                                         \
    GW_DERIVATIVE_OF("pullback of gw_scan_in_place(" #T " *, size_t, int, " #T ", " #T                         \
                     " *, size_t, cudaStream_t)")                                                              \
    cudaError_t gw_scan_in_place_back(T *, size_t n, int exclusive, T first, T *, size_t bytes,                \
                                      cudaStream_t stream, T *d_x, T *d_first, T *d_room);                     \
    cudaError_t gw_scan_by_segment(const unsigned *segment, const T *x, size_t n, T *y, int exclusive,         \
                                   T first, T *room, size_t bytes, cudaStream_t stream);                       \
    GW_DERIVATIVE_OF("pullback of gw_scan_by_segment(const unsigned int *, const " #T " *, size_t, " #T        \
                     " *, int, " #T ", " #T " *, size_t, cudaStream_t)")                                       \
    cudaError_t gw_scan_by_segment_back(const unsigned *segment, const T *, size_t n, T *, int exclusive,      \
                                        T first, T *, size_t bytes, cudaStream_t stream, T *d_x, T *d_y,       \
                                        T *d_first, T *d_room);                                                \
    GW_DERIVATIVE_OF("jvp of gw_scan(const " #T " *, size_t, " #T " *, int, " #T ", " #T                       \
                     " *, size_t, cudaStream_t)")                                                              \
    cudaError_t gw_scan_jvp(const T *, size_t n, T *, int exclusive, T, T *, size_t bytes, cudaStream_t stream,\
                            T *t_x, T *t_y, T t_first, T *t_room);                                             \
    GW_DERIVATIVE_OF("jvp of gw_scan_in_place(" #T " *, size_t, int, " #T ", " #T                              \
                     " *, size_t, cudaStream_t)")                                                              \
    cudaError_t gw_scan_in_place_jvp(T *, size_t n, int exclusive, T, T *, size_t bytes, cudaStream_t stream,  \
                                     T *t_x, T t_first, T *t_room);                                            \
    GW_DERIVATIVE_OF("jvp of gw_scan_by_segment(const unsigned int *, const " #T " *, size_t, " #T             \
                     " *, int, " #T ", " #T " *, size_t, cudaStream_t)")                                       \
    cudaError_t gw_scan_by_segment_jvp(const unsigned *segment, const T *, size_t n, T *, int exclusive, T,    \
                                       T *, size_t bytes, cudaStream_t stream, T *t_x, T *t_y, T t_first,      \
                                       T *t_room);
GW_OF_NUMBERS(GW_SCAN_DECLARED)
#undef GW_SCAN_DECLARED

#else

#ifdef GW_CPU_DEVICE
/* S: null, or where segments are. */
template <class T, class In, class Out, class S> struct gw_scan_loop {
    In x;
    size_t n;
    Out y;
    bool exclusive;
    T first;
    S segment;
    bool by_segment;
    __device__ void operator()() const {
        T sum = first;
        for (size_t i = 0; i < n; i++) {
            const ptrdiff_t at = (ptrdiff_t)i;
            const T own = x[at];
            if (by_segment && i && segment[at] != segment[at - 1]) sum = first;
            if (!exclusive) sum += own;
            y[at] = sum;
            if (exclusive) sum += own;
        }
    }
};
#else
/* CUB is tuned for these operators. */
typedef cuda::std::plus<> gw_scan_sum;
typedef cuda::std::equal_to<> gw_scan_same;
#endif

template <class T, class In, class Out>
inline cudaError_t gw_scan_of(In x, size_t n, Out y, bool exclusive, T first, void *room, size_t &bytes,
                              cudaStream_t stream) {
#ifdef GW_CPU_DEVICE
    if (!room) return bytes = sizeof(T), cudaSuccess;
    return gw_run_alone(gw_scan_loop<T, In, Out, const unsigned *>{x, n, y, exclusive, first, nullptr, false},
                        stream);
#else
    return gw_count_narrow(n, [&](auto count) {
        if (exclusive)
            return cub::DeviceScan::ExclusiveScan(room, bytes, x, y, gw_scan_sum{}, first, count, stream);
        return cub::DeviceScan::InclusiveScanInit(room, bytes, x, y, gw_scan_sum{}, first, count, stream);
    });
#endif
}

template <class T, class S, class In, class Out>
inline cudaError_t gw_scan_segments(S segment, In x, size_t n, Out y, bool exclusive, T first, void *room,
                                    size_t &bytes, cudaStream_t stream) {
#ifdef GW_CPU_DEVICE
    if (!room) return bytes = sizeof(T), cudaSuccess;
    return gw_run_alone(gw_scan_loop<T, In, Out, S>{x, n, y, exclusive, first, segment, true}, stream);
#else
    if (exclusive)
        return cub::DeviceScan::ExclusiveScanByKey(room, bytes, segment, x, y, gw_scan_sum{}, first, n,
                                                   gw_scan_same{}, stream);
    return cub::DeviceScan::InclusiveScanByKey(room, bytes, segment, x, y, gw_scan_sum{}, n, gw_scan_same{},
                                               stream);
#endif
}

/* The most that is asked for, and a cell before it. */
struct gw_scan_room {
    size_t most = 0;
    bool good = true;
    /* bytes: by reference, since the call that writes it is the argument beside it, in no order. */
    void take(cudaError_t error, const size_t &bytes) {
        good &= error == cudaSuccess;
        most = bytes > most ? bytes : most;
    }
    size_t bytes() const { return good ? gw_primitive_align(most) + 256 : SIZE_MAX; }
};

template <class T> inline size_t gw_scan_bytes(T, size_t n) {
    const gw_backward<const T> back{nullptr};
    gw_scan_room room;
    size_t bytes = 0;
    for (int i = 0; i < 2; i++) {
        room.take(gw_scan_of<T>((const T *)nullptr, n, (T *)nullptr, i != 0, T(0), nullptr, bytes, nullptr),
                  bytes);
        room.take(gw_scan_of<T>(back, n, gw_adding_backward<T>{nullptr}, i != 0, T(0), nullptr, bytes, nullptr),
                  bytes);
        room.take(gw_scan_of<T>(back, n, gw_backward<T>{nullptr}, i != 0, T(0), nullptr, bytes, nullptr),
                  bytes);
    }
    room.take(gw_sum_of<T>(nullptr, n, nullptr, nullptr, bytes, nullptr), bytes);
    return room.bytes();
}

template <class T> inline size_t gw_scan_by_segment_bytes(T, size_t n) {
    const gw_backward<const T> back{nullptr};
    const gw_backward<const unsigned> segment{nullptr};
    gw_scan_room room;
    size_t bytes = 0;
    for (int i = 0; i < 2; i++) {
        room.take(gw_scan_segments<T>((const unsigned *)nullptr, (const T *)nullptr, n, (T *)nullptr, i != 0,
                                      T(0), nullptr, bytes, nullptr),
                  bytes);
        room.take(gw_scan_segments<T>(segment, back, n, gw_adding_backward<T>{nullptr}, i != 0, T(0), nullptr,
                                      bytes, nullptr),
                  bytes);
    }
    room.take(gw_sum_of<T>(nullptr, n, nullptr, nullptr, bytes, nullptr), bytes);
    return room.bytes();
}

/* *d_first += the sum of d_y */
template <class T>
inline cudaError_t gw_scan_first(const T *d_y, size_t n, T *d_first, T *room, size_t bytes,
                                 cudaStream_t stream) {
    T sum = 0;
    size_t left = bytes - 256;
    GW_PRIMITIVE_TRY(gw_sum_of<T>(d_y, n, room, (char *)room + 256, left, stream));
    GW_PRIMITIVE_TRY(cudaMemcpyAsync(&sum, room, sizeof sum, cudaMemcpyDeviceToHost, stream));
    GW_PRIMITIVE_TRY(cudaStreamSynchronize(stream));
    *d_first += sum;
    return cudaSuccess;
}

inline bool gw_scan_fits(size_t n, const void *room, size_t bytes) { return n == 0 || (room && bytes > 256); }

template <class T>
inline cudaError_t gw_scan(const T *x, size_t n, gw_same<T> *y, int exclusive, gw_same<T> first,
                           gw_same<T> *room, size_t bytes, cudaStream_t stream) {
    if (!gw_scan_fits(n, room, bytes)) return cudaErrorInvalidValue;
    return n ? gw_scan_of<T>(x, n, y, exclusive != 0, first, room, bytes, stream) : cudaSuccess;
}

template <class T>
inline cudaError_t gw_scan_in_place(T *x, size_t n, int exclusive, gw_same<T> first, gw_same<T> *room,
                                    size_t bytes, cudaStream_t stream) {
    if (!gw_scan_fits(n, room, bytes)) return cudaErrorInvalidValue;
    return n ? gw_scan_of<T>((const T *)x, n, x, exclusive != 0, first, room, bytes, stream) : cudaSuccess;
}

template <class T>
inline cudaError_t gw_scan_by_segment(const unsigned *segment, const T *x, size_t n, gw_same<T> *y,
                                      int exclusive, gw_same<T> first, gw_same<T> *room, size_t bytes,
                                      cudaStream_t stream) {
    if (!gw_scan_fits(n, room, bytes) || (!exclusive && first != 0)) return cudaErrorInvalidValue;
    return n ? gw_scan_segments<T>(segment, x, n, y, exclusive != 0, first, room, bytes, stream) : cudaSuccess;
}

/* What the two pullbacks below have in common: d_first before, zeros behind. `scan` reads d_y and adds to
 * d_x. */
template <class T, class Scan>
inline cudaError_t gw_scan_reversed(size_t n, size_t bytes, cudaStream_t stream, T *d_x, T *d_y, T *d_first,
                                    T *d_room, const Scan &scan) {
    size_t room = bytes;
    if (gw_primitive_meet(d_x, n * sizeof(T), d_y, n * sizeof(T)) || !gw_scan_fits(n, d_room, bytes))
        return cudaErrorInvalidValue;
    if (!n) return cudaSuccess;
    if (d_first) GW_PRIMITIVE_TRY(gw_scan_first(d_y, n, d_first, d_room, bytes, stream));
    GW_PRIMITIVE_TRY(scan(gw_backward<const T>{d_y + n - 1}, gw_adding_backward<T>{d_x + n - 1}, room));
    GW_PRIMITIVE_TRY(gw_primitive_clear(d_room, bytes, stream));
    return gw_primitive_clear(d_y, n * sizeof(T), stream);
}

template <class T>
inline cudaError_t gw_scan_back(const gw_same<T> *, size_t n, gw_same<T> *, int exclusive, gw_same<T>,
                                gw_same<T> *, size_t bytes, cudaStream_t stream, T *d_x, gw_same<T> *d_y,
                                gw_same<T> *d_first, gw_same<T> *d_room) {
    return gw_scan_reversed(n, bytes, stream, d_x, d_y, d_first, d_room, [=](auto from, auto to, size_t &room) {
        return gw_scan_of<T>(from, n, to, exclusive != 0, T(0), d_room, room, stream);
    });
}

template <class T>
inline cudaError_t gw_scan_by_segment_back(const unsigned *segment, const gw_same<T> *, size_t n, gw_same<T> *,
                                           int exclusive, gw_same<T>, gw_same<T> *, size_t bytes,
                                           cudaStream_t stream, T *d_x, gw_same<T> *d_y, gw_same<T> *d_first,
                                           gw_same<T> *d_room) {
    T *const to_first = exclusive ? d_first : nullptr;
    return gw_scan_reversed(
        n, bytes, stream, d_x, d_y, to_first, d_room, [=](auto from, auto to, size_t &room) {
            const gw_backward<const unsigned> of{segment + n - 1};
            return gw_scan_segments<T>(of, from, n, to, exclusive != 0, T(0), d_room, room, stream);
        });
}

template <class T>
inline cudaError_t gw_scan_in_place_back(gw_same<T> *, size_t n, int exclusive, gw_same<T>, gw_same<T> *,
                                         size_t bytes, cudaStream_t stream, T *d_x, gw_same<T> *d_first,
                                         gw_same<T> *d_room) {
    size_t room = bytes;
    if (!gw_scan_fits(n, d_room, bytes)) return cudaErrorInvalidValue;
    if (!n) return cudaSuccess;
    if (d_first) GW_PRIMITIVE_TRY(gw_scan_first(d_x, n, d_first, d_room, bytes, stream));
    const gw_backward<const T> from{d_x + n - 1};
    const gw_backward<T> to{d_x + n - 1};
    GW_PRIMITIVE_TRY(gw_scan_of<T>(from, n, to, exclusive != 0, T(0), d_room, room, stream));
    return gw_primitive_clear(d_room, bytes, stream);
}

/* Scans are linear: those of the tangents. */
template <class T>
inline cudaError_t gw_scan_jvp(const gw_same<T> *, size_t n, gw_same<T> *, int exclusive, gw_same<T>,
                               gw_same<T> *, size_t bytes, cudaStream_t stream, T *t_x, gw_same<T> *t_y,
                               gw_same<T> t_first, gw_same<T> *t_room) {
    return gw_scan((const T *)t_x, n, t_y, exclusive, t_first, t_room, bytes, stream);
}
template <class T>
inline cudaError_t gw_scan_in_place_jvp(gw_same<T> *, size_t n, int exclusive, gw_same<T>, gw_same<T> *,
                                        size_t bytes, cudaStream_t stream, T *t_x, gw_same<T> t_first,
                                        gw_same<T> *t_room) {
    return gw_scan_in_place(t_x, n, exclusive, t_first, t_room, bytes, stream);
}
template <class T>
inline cudaError_t gw_scan_by_segment_jvp(const unsigned *segment, const gw_same<T> *, size_t n, gw_same<T> *,
                                          int exclusive, gw_same<T>, gw_same<T> *, size_t bytes,
                                          cudaStream_t stream, T *t_x, gw_same<T> *t_y, gw_same<T> t_first,
                                          gw_same<T> *t_room) {
    return gw_scan_by_segment(segment, (const T *)t_x, n, t_y, exclusive, t_first, t_room, bytes, stream);
}

#endif
#endif
