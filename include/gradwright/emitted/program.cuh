/*
 * program.cuh - copies and fills of differentiated host programs (program.h), forward and backward. For nvcc,
 * Clang and the CPU device.
 *
 *     gw_program_copy<float>(run, to, from, bytes, cudaMemcpyDefault, stream, false);
 *     ...
 *     gw_program_copy_back<float>(run, to, from, bytes, cudaMemcpyDefault, stream, false);
 *
 * The reverse of a copy adds the adjoint of what it wrote to that of what it read, and zeroes the former: by a
 * kernel on the stream where both lie in memory that kernels reach (device, managed, pinned); else through
 * staging memory of the pool, the host adding after it waited for the stream. So the reverse waits on the host
 * for pageable memory only, with which the primal's copy waits too.
 *
 * T is what is copied: float, double, their vectors, and, once CUDA's headers of these are included, __half
 * and __nv_bfloat16, whose adjoints are floats. A copy of anything else carries no adjoint: its reverse takes
 * back the write and nothing else. `waits`: the primal waits for the copy (cudaMemcpy, not cudaMemcpyAsync).
 *
 * All return what CUDA said, and the run's error once it has failed; the caller tells gw_program_check where
 * that was. Bytes that are no multiple of T's are an error.
 */
#ifndef GRADWRIGHT_PROGRAM_CUH
#define GRADWRIGHT_PROGRAM_CUH

#include <cstring>

#include "gradwright/emitted/device.cuh"
#include "gradwright/program.h"
#if defined(__CUDA_FP16_H__) || defined(__CUDA_BF16_H__)
#include "gradwright/emitted/half.cuh"
#endif

/* ---- what is copied ---- */

/* The numbers of which adjoints of T consist; `gw_wide`: how many times as many bytes as T they have. */
template <class _GwT> struct gw_program_numbers {
    typedef gw_cell<_GwT> gw_adjoint;
    typedef char gw_number;
    enum { gw_active = 0, gw_wide = 1 };
};
#define GW_PROGRAM_NUMBERS(T, N, wide)                                                                         \
    template <> struct gw_program_numbers<T> {                                                                 \
        typedef gw_cell<T> gw_adjoint;                                                                         \
        typedef N gw_number;                                                                                   \
        enum { gw_active = 1, gw_wide = wide };                                                                \
    };
GW_PROGRAM_NUMBERS(float, float, 1)
GW_PROGRAM_NUMBERS(float2, float, 1)
GW_PROGRAM_NUMBERS(float3, float, 1)
GW_PROGRAM_NUMBERS(float4, float, 1)
GW_PROGRAM_NUMBERS(double, double, 1)
GW_PROGRAM_NUMBERS(double2, double, 1)
GW_PROGRAM_NUMBERS(double3, double, 1)
#ifdef GRADWRIGHT_HALF_CUH
GW_PROGRAM_NUMBERS(__half, float, 2)
GW_PROGRAM_NUMBERS(__half2, float, 2)
GW_PROGRAM_NUMBERS(__nv_bfloat16, float, 2)
GW_PROGRAM_NUMBERS(__nv_bfloat162, float, 2)
#endif
#undef GW_PROGRAM_NUMBERS

/* Cells of which nothing is known but their bytes. */
struct gw_program_byte {
    char gw_byte;
};
template <class _GwT> inline bool gw_program_is_byte() { return false; }
template <> inline bool gw_program_is_byte<gw_program_byte>() { return true; }

template <class _GwT> struct gw_program_plain { typedef _GwT gw_type; };
template <class _GwT> struct gw_program_plain<const _GwT> { typedef _GwT gw_type; };

/* Bytes of one number; 0: what T consists of is not known. */
template <class _GwT> inline unsigned int gw_program_number_bytes() {
    typedef gw_program_numbers<_GwT> gw_of;
    return gw_of::gw_active ? (unsigned int)sizeof(typename gw_of::gw_number) : 0u;
}

/* The adjoint of what a pointer leads to, as its type. */
template <class _GwT>
inline gw_cell<_GwT> *gw_program_adjoint(gw_program *gw_run, const _GwT *gw_at, cudaStream_t gw_on) {
    return (gw_cell<_GwT> *)gw_program_shadow_of(gw_run, gw_at, gw_program_numbers<_GwT>::gw_wide,
                                                 gw_program_number_bytes<_GwT>(), gw_on);
}

/* A pointer of the caller that has an adjoint. */
template <class _GwT> inline void gw_program_caller(gw_program *gw_run, const _GwT *gw_at, void *gw_shadow) {
    gw_program_given(gw_run, gw_at, gw_shadow, 0);
    if (gw_program_numbers<_GwT>::gw_active)
        gw_program_shadow_holds(gw_run, gw_at, gw_program_number_bytes<_GwT>());
}

/* ---- kernels ---- */

enum { GW_PROGRAM_BLOCK = 256, GW_PROGRAM_BLOCKS_MOST = 4096 };

/* gw_to += gw_from, of rows; then zeroes gw_from if asked to. The zero stands last, so that it waits for what
 * was loaded: a store of a constant to a line that is still on its way is five times as slow on an H100. */
template <class _GwN>
__global__ void gw_program_add_rows(_GwN *gw_to, size_t gw_to_pitch, _GwN *gw_from, size_t gw_from_pitch,
                                    size_t gw_width, size_t gw_height, int gw_zero) {
    const size_t gw_first = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    const size_t gw_stride = (size_t)gridDim.x * blockDim.x;
    for (size_t gw_row = blockIdx.y; gw_row < gw_height; gw_row += gridDim.y) {
        _GwN *const gw_sum = gw_to + gw_row * gw_to_pitch, *const gw_more = gw_from + gw_row * gw_from_pitch;
        for (size_t gw_i = gw_first; gw_i < gw_width; gw_i += gw_stride) {
            gw_sum[gw_i] += gw_more[gw_i];
            if (gw_zero) gw_more[gw_i] = 0;
        }
    }
}

/* Two adjoints of which one is added to the other; pitches and widths in numbers. */
template <class _GwN> struct gw_program_rows {
    _GwN *gw_to, *gw_from;
    size_t gw_to_pitch, gw_from_pitch, gw_width, gw_height;
};

/* Rows without a gap between them are one. */
template <class _GwN>
inline gw_status gw_program_launch_add(const char *gw_name, gw_program_rows<_GwN> gw_r, bool gw_zero,
                                       cudaStream_t gw_on) {
    if (!gw_r.gw_width || !gw_r.gw_height) return GW_OK;
    if (gw_r.gw_to_pitch == gw_r.gw_width && gw_r.gw_from_pitch == gw_r.gw_width)
        gw_r.gw_width *= gw_r.gw_height, gw_r.gw_height = 1;
    size_t gw_blocks = (gw_r.gw_width + GW_PROGRAM_BLOCK - 1) / GW_PROGRAM_BLOCK;
    if (gw_blocks > GW_PROGRAM_BLOCKS_MOST) gw_blocks = GW_PROGRAM_BLOCKS_MOST;
    const size_t gw_rows = GW_PROGRAM_BLOCKS_MOST / gw_blocks;
    const dim3 gw_grid((unsigned)gw_blocks, (unsigned)(gw_r.gw_height < gw_rows ? gw_r.gw_height : gw_rows));
    return gw_launch(gw_name, gw_program_add_rows<_GwN>, gw_grid, dim3(GW_PROGRAM_BLOCK), 0, gw_on, gw_r.gw_to,
                     gw_r.gw_to_pitch, gw_r.gw_from, gw_r.gw_from_pitch, gw_r.gw_width, gw_r.gw_height,
                     (int)gw_zero);
}

template <class _GwN>
inline void gw_program_add(gw_program *gw_run, const gw_program_rows<_GwN> &gw_r, bool gw_zero,
                           cudaStream_t gw_on) {
    if (gw_program_failed(gw_run)) return;
    gw_program_check_status(gw_run, gw_program_launch_add("a copy's gradient", gw_r, gw_zero, gw_on),
                            "the reverse of a copy");
}

/* A launch took one pointer twice: its second adjoint is added to the first, and zeroed. */
template <class _GwN>
inline void gw_program_merge(gw_program *gw_run, const void *gw_at, bool gw_again, cudaStream_t gw_on) {
    if (!gw_again || !gw_at || gw_program_failed(gw_run)) return;
    gw_program_rows<_GwN> gw_r;
    size_t gw_bytes = 0;
    void *gw_first = nullptr;
    gw_r.gw_from = (_GwN *)gw_program_take_twin(gw_run, gw_at, gw_on, &gw_bytes, &gw_first);
    gw_r.gw_to = (_GwN *)gw_first;
    gw_r.gw_width = gw_r.gw_to_pitch = gw_r.gw_from_pitch = gw_bytes / sizeof(_GwN);
    gw_r.gw_height = 1;
    gw_program_add(gw_run, gw_r, true, gw_on);
}

/* ---- inputs ---- */

template <class _GwN>
inline gw_status gw_program_add_input(void *gw_to, const void *gw_from, size_t gw_bytes, gw_space gw_where,
                                      gw_stream gw_on) {
    const size_t gw_count = gw_bytes / sizeof(_GwN);
    _GwN *const gw_sum = (_GwN *)gw_to, *const gw_more = (_GwN *)const_cast<void *>(gw_from);
    const gw_program_rows<_GwN> gw_r = {gw_sum, gw_more, gw_count, gw_count, gw_count, 1};
    if (gw_where != GW_SPACE_HOST) return gw_program_launch_add("an input's gradient", gw_r, false, gw_on);
    for (size_t gw_i = 0; gw_i < gw_count; gw_i++)
        gw_sum[gw_i] += gw_more[gw_i];
    return GW_OK;
}

/* An input of which a derivative is asked: put back at the end, its adjoint added to the caller's. */
template <class _GwT> inline void gw_program_input(gw_program *gw_run, const _GwT *gw_at) {
    gw_program_keep_added(gw_run, gw_at, gw_program_add_input<typename gw_program_numbers<_GwT>::gw_number>);
}

/* ---- the reverse of a copy ---- */

inline bool gw_program_try(gw_program *gw_run, cudaError_t gw_error) {
    return gw_program_check(gw_run, (int)gw_error, "the reverse of a copy") == 0 && !gw_program_failed(gw_run);
}

/* Takes the rows at `gw_r.gw_from` to dense `gw_staged`, zeroing them. */
template <class _GwN>
inline void gw_program_take_rows(gw_program *gw_run, const gw_program_rows<_GwN> &gw_r, _GwN *gw_staged,
                                 cudaStream_t gw_on) {
    const size_t gw_bytes = gw_r.gw_width * sizeof(_GwN), gw_pitch = gw_r.gw_from_pitch * sizeof(_GwN);
    if (gw_program_failed(gw_run) || !gw_staged) return;
    if (gw_program_try(gw_run, cudaMemcpy2DAsync(gw_staged, gw_bytes, gw_r.gw_from, gw_pitch, gw_bytes,
                                                 gw_r.gw_height, cudaMemcpyDefault, gw_on)))
        gw_program_try(gw_run, cudaMemset2DAsync(gw_r.gw_from, gw_pitch, 0, gw_bytes, gw_r.gw_height, gw_on));
}

/* On the host, of rows that it takes (and zeroes) or finds in staging memory. */
template <class _GwN> inline void gw_program_add_on_host(const gw_program_rows<_GwN> &gw_r) {
    for (size_t gw_row = 0; gw_row < gw_r.gw_height; gw_row++)
        for (size_t gw_i = 0; gw_i < gw_r.gw_width; gw_i++)
            gw_r.gw_to[gw_row * gw_r.gw_to_pitch + gw_i] += gw_r.gw_from[gw_row * gw_r.gw_from_pitch + gw_i];
}

template <class _GwN> inline void gw_program_take_on_host(const gw_program_rows<_GwN> &gw_r, _GwN *gw_staged) {
    for (size_t gw_row = 0; gw_row < gw_r.gw_height; gw_row++) {
        _GwN *const gw_source = gw_r.gw_from + gw_row * gw_r.gw_from_pitch;
        std::memcpy(gw_staged + gw_row * gw_r.gw_width, gw_source, gw_r.gw_width * sizeof(_GwN));
        std::memset(gw_source, 0, gw_r.gw_width * sizeof(_GwN));
    }
}

template <class _GwN> inline bool gw_program_meet(const gw_program_rows<_GwN> &gw_r) {
    const _GwN *gw_to_end = gw_r.gw_to + (gw_r.gw_height - 1) * gw_r.gw_to_pitch + gw_r.gw_width;
    const _GwN *gw_from_end = gw_r.gw_from + (gw_r.gw_height - 1) * gw_r.gw_from_pitch + gw_r.gw_width;
    return gw_r.gw_to < gw_from_end && gw_r.gw_from < gw_to_end;
}

/* `gw_r.gw_from`, the adjoint of what was written, is taken and added to `gw_r.gw_to`; whether kernels reach
 * them. */
template <class _GwN>
inline void gw_program_move(gw_program *gw_run, gw_program_rows<_GwN> gw_r, bool gw_reach_to,
                            bool gw_reach_from, cudaStream_t gw_on) {
    if (gw_reach_to && gw_reach_from && !gw_program_meet(gw_r)) {
        gw_program_add(gw_run, gw_r, true, gw_on);
        return;
    }
    gw_space gw_where = gw_reach_to || gw_reach_from ? GW_SPACE_PINNED : GW_SPACE_HOST;
    if (gw_reach_to && gw_reach_from) gw_where = GW_SPACE_DEVICE;
    _GwN *const gw_staged =
        (_GwN *)gw_program_staging(gw_run, gw_r.gw_width * gw_r.gw_height * sizeof(_GwN), gw_where, gw_on);
    /* Staging memory may still be in use by what was queued; the host's adjoints are always up to date. */
    const bool gw_waits = !gw_reach_to || !gw_reach_from;
    if (gw_reach_from) gw_program_take_rows(gw_run, gw_r, gw_staged, gw_on);
    if (gw_program_failed(gw_run)) return;
    if (gw_waits && !gw_program_try(gw_run, cudaStreamSynchronize(gw_on))) return;
    if (gw_waits) gw_program_awaited(gw_run);
    if (!gw_reach_from) gw_program_take_on_host(gw_r, gw_staged);
    gw_r.gw_from = gw_staged;
    gw_r.gw_from_pitch = gw_r.gw_width;
    if (gw_reach_to)
        gw_program_add(gw_run, gw_r, false, gw_on);
    else
        gw_program_add_on_host(gw_r);
}

/* ---- copies ---- */

inline cudaError_t gw_program_result(gw_program *gw_run, cudaError_t gw_error) {
    return gw_error == cudaSuccess ? (cudaError_t)gw_program_error(gw_run) : gw_error;
}

/* Behind what was queued: the primal's waiting. */
inline cudaError_t gw_program_queued(cudaError_t gw_error, cudaStream_t gw_on, bool gw_waits) {
    return gw_error == cudaSuccess && gw_waits ? cudaStreamSynchronize(gw_on) : gw_error;
}

/* Whether rows consist of whole elements. */
template <class _GwT>
inline bool gw_program_fits(gw_program *gw_run, size_t gw_to_pitch, size_t gw_from_pitch, size_t gw_width) {
    if (gw_program_failed(gw_run)) return false;
    if (!gw_program_numbers<_GwT>::gw_active ||
        (gw_to_pitch % sizeof(_GwT) == 0 && gw_from_pitch % sizeof(_GwT) == 0 && gw_width % sizeof(_GwT) == 0))
        return true;
    gw_program_check_status(gw_run,
                            gw_report(GW_ERROR_ARGUMENT, "%zu bytes (pitches %zu and %zu) of elements of %zu",
                                      gw_width, gw_to_pitch, gw_from_pitch, sizeof(_GwT)),
                            "a copy");
    return false;
}

/* cudaMemcpy2D(Async): pitches and width in bytes. */
template <class _GwT>
inline cudaError_t gw_program_copy_2d(gw_program *gw_run, _GwT *gw_to, size_t gw_to_pitch, const _GwT *gw_from,
                                      size_t gw_from_pitch, size_t gw_width, size_t gw_height,
                                      cudaMemcpyKind gw_kind, cudaStream_t gw_on, bool gw_waits) {
    if (gw_width && gw_height && gw_program_fits<_GwT>(gw_run, gw_to_pitch, gw_from_pitch, gw_width)) {
        gw_program_reaches(gw_run, gw_from, gw_from_pitch * (gw_height - 1) + gw_width);
        gw_program_writes(gw_run, gw_to, gw_to_pitch * (gw_height - 1) + gw_width, gw_on);
    }
    if (gw_program_failed(gw_run)) return gw_program_result(gw_run, cudaSuccess);
    if (gw_waits) gw_program_waited(gw_run);
    return gw_program_queued(
        cudaMemcpy2DAsync(gw_to, gw_to_pitch, gw_from, gw_from_pitch, gw_width, gw_height, gw_kind, gw_on),
        gw_on, gw_waits);
}

/* Rows that were copied, in bytes of the primal. */
struct gw_program_span {
    const void *gw_to, *gw_from;
    size_t gw_to_pitch, gw_from_pitch, gw_width, gw_height;
};

/* The adjoint of what was written ends here: what was read is the caller's, and has none. */
inline void gw_program_span_end(gw_program *gw_run, const gw_program_span &gw_s, unsigned int gw_wide,
                                size_t gw_each, cudaStream_t gw_on) {
    if (!gw_program_shadow_ratio(gw_run, gw_s.gw_to)) return;
    char *const gw_at = (char *)gw_program_shadow_of(gw_run, gw_s.gw_to, gw_wide, (unsigned int)gw_each, gw_on);
    const size_t gw_pitch = gw_s.gw_to_pitch * gw_wide, gw_width = gw_s.gw_width * gw_wide;
    if (gw_program_failed(gw_run)) return;
    if (gw_program_shadow_space(gw_run, gw_s.gw_to) != GW_SPACE_HOST) {
        gw_program_try(gw_run, cudaMemset2DAsync(gw_at, gw_pitch, 0, gw_width, gw_s.gw_height, gw_on));
        return;
    }
    for (size_t gw_row = 0; gw_row < gw_s.gw_height; gw_row++)
        std::memset(gw_at + gw_row * gw_pitch, 0, gw_width);
}

/* The adjoint of what was written goes to that of what was read, as numbers, `gw_wide` times as wide. */
template <class _GwN>
inline void gw_program_span_back(gw_program *gw_run, const gw_program_span &gw_s, unsigned int gw_wide,
                                 cudaStream_t gw_on) {
    const size_t gw_each = sizeof(_GwN);
    if (gw_program_is_constant(gw_run, gw_s.gw_from)) {
        gw_program_span_end(gw_run, gw_s, gw_wide, gw_each, gw_on);
        return;
    }
    gw_program_rows<_GwN> gw_r;
    gw_r.gw_from = (_GwN *)gw_program_shadow_of(gw_run, gw_s.gw_to, gw_wide, gw_each, gw_on);
    gw_r.gw_to = (_GwN *)gw_program_shadow_of(gw_run, gw_s.gw_from, gw_wide, gw_each, gw_on);
    gw_r.gw_from_pitch = gw_s.gw_to_pitch * gw_wide / gw_each;
    gw_r.gw_to_pitch = gw_s.gw_from_pitch * gw_wide / gw_each;
    gw_r.gw_width = gw_s.gw_width * gw_wide / gw_each;
    gw_r.gw_height = gw_s.gw_height;
    const bool gw_reach_to = gw_program_shadow_space(gw_run, gw_s.gw_from) != GW_SPACE_HOST,
               gw_reach_from = gw_program_shadow_space(gw_run, gw_s.gw_to) != GW_SPACE_HOST;
    if (!gw_program_failed(gw_run)) gw_program_move(gw_run, gw_r, gw_reach_to, gw_reach_from, gw_on);
}

/* Adds the bytes of a span back, as the numbers that the adjoint of what was overwritten has. */
inline void gw_program_bytes_back(gw_program *gw_run, const gw_program_span &gw_s, cudaStream_t gw_on) {
    const unsigned int gw_wide = gw_program_shadow_ratio(gw_run, gw_s.gw_to),
                       gw_each = gw_program_shadow_number(gw_run, gw_s.gw_to);
    const size_t gw_odd = (size_t)gw_s.gw_to | (size_t)gw_s.gw_from | gw_s.gw_to_pitch | gw_s.gw_from_pitch |
                          gw_s.gw_width; /* no multiple of a number's bytes if it is none */
    if (!gw_wide) return;
    if (gw_each && gw_odd * gw_wide % gw_each == 0) {
        if (gw_each == sizeof(float))
            gw_program_span_back<float>(gw_run, gw_s, gw_wide, gw_on);
        else
            gw_program_span_back<double>(gw_run, gw_s, gw_wide, gw_on);
        return;
    }
    gw_program_check_status(
        gw_run,
        gw_report(GW_ERROR_ARGUMENT,
                  "memory with an adjoint is overwritten by a copy of bytes, of numbers that "
                  "are not known or not whole: cast its pointers to what they lead to"),
        "the reverse of a copy");
}

template <class _GwT>
inline void gw_program_rows_back(gw_program *gw_run, const gw_program_span &gw_s, cudaStream_t gw_on) {
    typedef gw_program_numbers<_GwT> gw_of;
    if (gw_of::gw_active)
        gw_program_span_back<typename gw_of::gw_number>(gw_run, gw_s, gw_of::gw_wide, gw_on);
    else if (gw_program_is_byte<_GwT>())
        gw_program_bytes_back(gw_run, gw_s, gw_on);
}

template <class _GwT>
inline cudaError_t gw_program_copy_2d_back(gw_program *gw_run, _GwT *gw_to, size_t gw_to_pitch,
                                           const _GwT *gw_from, size_t gw_from_pitch, size_t gw_width,
                                           size_t gw_height, cudaMemcpyKind, cudaStream_t gw_on, bool) {
    if (!gw_width || !gw_height) return gw_program_result(gw_run, cudaSuccess);
    gw_program_unwrite(gw_run, gw_to);
    gw_program_rows_back<_GwT>(gw_run, {gw_to, gw_from, gw_to_pitch, gw_from_pitch, gw_width, gw_height},
                               gw_on);
    return gw_program_result(gw_run, cudaSuccess);
}

/* cudaMemcpy(Async). */
template <class _GwT>
inline cudaError_t gw_program_copy(gw_program *gw_run, _GwT *gw_to, const _GwT *gw_from, size_t gw_bytes,
                                   cudaMemcpyKind gw_kind, cudaStream_t gw_on, bool gw_waits) {
    if (gw_bytes && gw_program_fits<_GwT>(gw_run, gw_bytes, gw_bytes, gw_bytes))
        gw_program_writes_copy(gw_run, gw_to, gw_from, gw_bytes, gw_on);
    if (gw_program_failed(gw_run)) return gw_program_result(gw_run, cudaSuccess);
    if (gw_waits) gw_program_waited(gw_run);
    return gw_program_queued(cudaMemcpyAsync(gw_to, gw_from, gw_bytes, gw_kind, gw_on), gw_on, gw_waits);
}

template <class _GwT>
inline cudaError_t gw_program_copy_back(gw_program *gw_run, _GwT *gw_to, const _GwT *gw_from, size_t gw_bytes,
                                        cudaMemcpyKind gw_kind, cudaStream_t gw_on, bool gw_waits) {
    return gw_program_copy_2d_back(gw_run, gw_to, gw_bytes, gw_from, gw_bytes, gw_bytes, 1, gw_kind, gw_on,
                                   gw_waits);
}

/* ---- fills ---- */

/* How wide the adjoint is that is zeroed; 0: there is none. */
template <class _GwT> inline unsigned int gw_program_width(gw_program *gw_run, const void *gw_at) {
    if (gw_program_is_byte<_GwT>()) return gw_program_shadow_ratio(gw_run, gw_at);
    return gw_program_numbers<_GwT>::gw_active ? (unsigned int)gw_program_numbers<_GwT>::gw_wide : 0u;
}

/* The adjoint of cells that a fill overwrote; of bytes nothing more is known than before. */
template <class _GwT>
inline void *gw_program_filled(gw_program *gw_run, const void *gw_at, unsigned int gw_wide,
                               cudaStream_t gw_on) {
    const unsigned int gw_number =
        gw_program_is_byte<_GwT>() ? gw_program_shadow_number(gw_run, gw_at) : gw_program_number_bytes<_GwT>();
    return gw_program_shadow_of(gw_run, gw_at, gw_wide, gw_number, gw_on);
}

/* cudaMemset(Async). */
template <class _GwT>
inline cudaError_t gw_program_set(gw_program *gw_run, _GwT *gw_to, int gw_value, size_t gw_bytes,
                                  cudaStream_t gw_on, bool gw_waits) {
    if (gw_bytes && gw_program_fits<_GwT>(gw_run, gw_bytes, gw_bytes, gw_bytes))
        gw_program_writes_fill(gw_run, gw_to, gw_value, gw_bytes, gw_on);
    if (gw_program_failed(gw_run)) return gw_program_result(gw_run, cudaSuccess);
    if (gw_waits) gw_program_waited(gw_run);
    return gw_program_queued(cudaMemsetAsync(gw_to, gw_value, gw_bytes, gw_on), gw_on, gw_waits);
}

template <class _GwT>
inline cudaError_t gw_program_set_back(gw_program *gw_run, _GwT *gw_to, size_t gw_bytes, cudaStream_t gw_on) {
    if (!gw_bytes) return gw_program_result(gw_run, cudaSuccess);
    gw_program_unwrite(gw_run, gw_to);
    const unsigned int gw_wide = gw_program_width<_GwT>(gw_run, gw_to);
    if (!gw_wide) return gw_program_result(gw_run, cudaSuccess);
    void *const gw_adjoint = gw_program_filled<_GwT>(gw_run, gw_to, gw_wide, gw_on);
    if (!gw_program_failed(gw_run))
        gw_program_try(gw_run, cudaMemsetAsync(gw_adjoint, 0, gw_bytes * gw_wide, gw_on));
    return gw_program_result(gw_run, cudaSuccess);
}

/* The adjoint of rows that a fill overwrote. */
template <class _GwT>
inline void gw_program_clear_rows(gw_program *gw_run, _GwT *gw_to, size_t gw_pitch, size_t gw_width,
                                  size_t gw_height, cudaStream_t gw_on) {
    const unsigned int gw_wide = gw_program_width<_GwT>(gw_run, gw_to);
    void *const gw_adjoint = gw_wide ? gw_program_filled<_GwT>(gw_run, gw_to, gw_wide, gw_on) : nullptr;
    if (gw_adjoint && !gw_program_failed(gw_run))
        gw_program_try(
            gw_run, cudaMemset2DAsync(gw_adjoint, gw_pitch * gw_wide, 0, gw_width * gw_wide, gw_height, gw_on));
}

/* cudaMemset2D(Async): pitch and width in bytes. */
template <class _GwT>
inline cudaError_t gw_program_set_2d(gw_program *gw_run, _GwT *gw_to, size_t gw_pitch, int gw_value,
                                     size_t gw_width, size_t gw_height, cudaStream_t gw_on, bool gw_waits) {
    if (gw_width && gw_height && gw_program_fits<_GwT>(gw_run, gw_pitch, gw_pitch, gw_width))
        gw_program_writes(gw_run, gw_to, gw_pitch * (gw_height - 1) + gw_width, gw_on);
    if (gw_program_failed(gw_run)) return gw_program_result(gw_run, cudaSuccess);
    if (gw_waits) gw_program_waited(gw_run);
    return gw_program_queued(cudaMemset2DAsync(gw_to, gw_pitch, gw_value, gw_width, gw_height, gw_on), gw_on,
                             gw_waits);
}

template <class _GwT>
inline cudaError_t gw_program_set_2d_back(gw_program *gw_run, _GwT *gw_to, size_t gw_pitch, size_t gw_width,
                                          size_t gw_height, cudaStream_t gw_on) {
    if (!gw_width || !gw_height) return gw_program_result(gw_run, cudaSuccess);
    gw_program_unwrite(gw_run, gw_to);
    gw_program_clear_rows(gw_run, gw_to, gw_pitch, gw_width, gw_height, gw_on);
    return gw_program_result(gw_run, cudaSuccess);
}

#include "gradwright/emitted/program_boxes.cuh"

/* ---- calls that have a pullback ---- */

/* What a library says of a call: 0 is success. */
inline void gw_program_said(gw_program *gw_run, int gw_says, const char *gw_what) {
    if (!gw_says) return;
    gw_program_check_status(gw_run, gw_report(GW_ERROR_CUDA, "it returned %d", gw_says), gw_what);
}

/* ---- adjoints of numbers that are passed to kernels by value ---- */

/* They are summed in device memory, from `gw_at` on. */
inline void gw_program_clear_numbers(gw_program *gw_run, void *gw_at, size_t gw_bytes, cudaStream_t gw_on) {
    if (!gw_program_failed(gw_run)) gw_program_try(gw_run, cudaMemsetAsync(gw_at, 0, gw_bytes, gw_on));
}

/* All of it 0, whatever its constructors say. */
template <class _GwT> union gw_program_blank {
    char gw_none;
    _GwT gw_value;
    gw_program_blank() { std::memset((void *)this, 0, sizeof *this); }
};
template <class _GwT> inline _GwT gw_program_zero() { return gw_program_blank<_GwT>().gw_value; }

/* *gw_to = the sum, for which the host waits; 0 after a failure. Nobody waits where gw_to is null. */
template <class _GwT>
inline void gw_program_number(gw_program *gw_run, _GwT *gw_to, const void *gw_at, cudaStream_t gw_on) {
    if (!gw_to) return;
    *gw_to = gw_program_zero<_GwT>();
    if (gw_program_failed(gw_run)) return;
    gw_program_awaited(gw_run);
    if (gw_program_try(gw_run, cudaMemcpyAsync(gw_to, gw_at, sizeof *gw_to, cudaMemcpyDeviceToHost, gw_on)) &&
        gw_program_try(gw_run, cudaStreamSynchronize(gw_on)))
        return;
    *gw_to = gw_program_zero<_GwT>();
}

/* ---- structs that are passed to kernels by value ---- */

template <class _GwT> inline void gw_program_point(_GwT *&gw_member, const void *gw_to) {
    gw_member = (_GwT *)const_cast<void *>(gw_to);
}

/* Adjoints of what a member leads to; where another pointer of the launch leads there, beside its. */
template <class _GwT>
inline void gw_program_point_adjoint(gw_program *gw_run, _GwT *&gw_member, const void *gw_primal,
                                     cudaStream_t gw_on, bool gw_again = false) {
    typedef typename gw_program_plain<_GwT>::gw_type gw_plain;
    const unsigned int gw_number = gw_program_number_bytes<gw_plain>();
    gw_member = (_GwT *)(gw_again ? gw_program_shadow_beside(gw_run, gw_primal, true, gw_number, gw_on)
                                  : gw_program_shadow_of(gw_run, gw_primal, 1, gw_number, gw_on));
}

template <class _GwT, class _GwV> inline void gw_program_member(_GwT &gw_member, _GwV gw_value) {
    gw_member = (_GwT)gw_value;
}

template <class _GwT> __global__ void gw_program_put_one(_GwT *gw_to, _GwT gw_value) { *gw_to = gw_value; }

/* *gw_to = gw_value on the device, without the host waiting: graphs keep the value too. */
template <class _GwT>
inline void gw_program_put(gw_program *gw_run, _GwT *gw_to, const _GwT &gw_value, cudaStream_t gw_on) {
    if (gw_program_failed(gw_run)) return;
    gw_program_check_status(
        gw_run, gw_launch("an adjoint", gw_program_put_one<_GwT>, dim3(1), dim3(1), 0, gw_on, gw_to, gw_value),
        "the adjoint of a struct");
}

/* ---- values of the host that are copied ---- */

template <class _GwT, size_t _GwN> struct gw_program_values { _GwT gw_value[_GwN]; };

template <class _GwT, size_t _GwN>
inline gw_program_values<_GwT, _GwN> gw_program_pack(const _GwT (&gw_from)[_GwN]) {
    gw_program_values<_GwT, _GwN> gw_made;
    for (size_t gw_i = 0; gw_i < _GwN; gw_i++)
        gw_made.gw_value[gw_i] = gw_from[gw_i];
    return gw_made;
}

template <class _GwT, size_t _GwN>
__global__ void gw_program_add_values(_GwT *gw_to, gw_program_values<_GwT, _GwN> gw_more) {
    for (size_t gw_i = 0; gw_i < _GwN; gw_i++)
        gw_to[gw_i] += gw_more.gw_value[gw_i];
}

/* Host to device: by a kernel, so that a graph keeps the values, where kernels reach the memory. */
template <class _GwT, size_t _GwN>
inline void gw_program_send(gw_program *gw_run, void *gw_to, const _GwT (&gw_from)[_GwN], cudaStream_t gw_on,
                            bool gw_waits) {
    gw_program_writes(gw_run, gw_to, sizeof gw_from, gw_on);
    if (gw_program_failed(gw_run)) return;
    if (gw_program_shadow_space(gw_run, gw_to) == GW_SPACE_HOST) {
        std::memcpy(gw_to, gw_from, sizeof gw_from);
        return;
    }
    gw_program_put(gw_run, (gw_program_values<_GwT, _GwN> *)gw_to, gw_program_pack(gw_from), gw_on);
    if (!gw_waits || gw_program_failed(gw_run)) return;
    gw_program_waited(gw_run);
    gw_program_try(gw_run, cudaStreamSynchronize(gw_on));
}

/* The adjoints of what was sent, 0 where none were asked for; they are taken. */
template <class _GwT, size_t _GwN>
inline void gw_program_send_back(gw_program *gw_run, void *gw_to, _GwT (&gw_d)[_GwN], cudaStream_t gw_on,
                                 unsigned int gw_wide = 1) {
    gw_program_unwrite(gw_run, gw_to);
    if (!gw_program_shadow_ratio(gw_run, gw_to)) return;
    void *const gw_adjoint = gw_program_shadow_of(gw_run, gw_to, gw_wide, sizeof(_GwT), gw_on);
    if (gw_program_failed(gw_run)) return;
    if (gw_program_shadow_space(gw_run, gw_to) == GW_SPACE_HOST) {
        std::memcpy(gw_d, gw_adjoint, sizeof gw_d);
        std::memset(gw_adjoint, 0, sizeof gw_d);
        return;
    }
    const bool gw_good =
        gw_program_try(gw_run, cudaMemcpyAsync(gw_d, gw_adjoint, sizeof gw_d, cudaMemcpyDefault, gw_on)) &&
        gw_program_try(gw_run, cudaMemsetAsync(gw_adjoint, 0, sizeof gw_d, gw_on)) &&
        gw_program_try(gw_run, cudaStreamSynchronize(gw_on));
    if (!gw_good) std::memset(gw_d, 0, sizeof gw_d);
}

/* Device to host, for which the host waits. Zeros after a failure. */
template <class _GwT, size_t _GwN>
inline void gw_program_fetch(gw_program *gw_run, const void *gw_from, _GwT (&gw_to)[_GwN], cudaStream_t gw_on) {
    if (gw_program_failed(gw_run)) return;
    gw_program_reaches(gw_run, gw_from, sizeof gw_to);
    gw_program_waited(gw_run);
    if (gw_program_try(gw_run, cudaMemcpyAsync(gw_to, gw_from, sizeof gw_to, cudaMemcpyDefault, gw_on)) &&
        gw_program_try(gw_run, cudaStreamSynchronize(gw_on)))
        return;
    std::memset((void *)gw_to, 0, sizeof gw_to);
}

/* Their adjoints are `gw_wide` times as wide as they are. */
template <class _GwT, size_t _GwN>
inline void gw_program_fetch_back(gw_program *gw_run, const void *gw_from, const _GwT (&gw_d)[_GwN],
                                  cudaStream_t gw_on, unsigned int gw_wide = 1) {
    bool gw_any = false;
    for (size_t gw_i = 0; gw_i < _GwN; gw_i++)
        gw_any = gw_any || gw_d[gw_i] != 0;
    gw_any = gw_any && !gw_program_is_constant(gw_run, gw_from);
    _GwT *const gw_adjoint =
        gw_any ? (_GwT *)gw_program_shadow_of(gw_run, gw_from, gw_wide, sizeof(_GwT), gw_on) : nullptr;
    if (!gw_adjoint || gw_program_failed(gw_run)) return;
    if (gw_program_shadow_space(gw_run, gw_from) != GW_SPACE_HOST) {
        gw_program_check_status(gw_run,
                                gw_launch("a copy's gradient", gw_program_add_values<_GwT, _GwN>, dim3(1),
                                          dim3(1), 0, gw_on, gw_adjoint, gw_program_pack(gw_d)),
                                "the reverse of a copy");
        return;
    }
    for (size_t gw_i = 0; gw_i < _GwN; gw_i++)
        gw_adjoint[gw_i] += gw_d[gw_i];
}

/* The same of cells of half precision, for which floats stand that such a cell can hold. */
template <class _GwCell, size_t _GwN>
inline void gw_program_send_as(gw_program *gw_run, void *gw_to, const float (&gw_from)[_GwN],
                               cudaStream_t gw_on, bool gw_waits) {
    _GwCell gw_cells[_GwN];
    for (size_t gw_i = 0; gw_i < _GwN; gw_i++)
        gw_cells[gw_i] = _GwCell(gw_from[gw_i]);
    gw_program_send(gw_run, gw_to, gw_cells, gw_on, gw_waits);
}

template <class _GwCell, size_t _GwN>
inline void gw_program_fetch_as(gw_program *gw_run, const void *gw_from, float (&gw_to)[_GwN],
                                cudaStream_t gw_on) {
    _GwCell gw_cells[_GwN];
    for (size_t gw_i = 0; gw_i < _GwN; gw_i++)
        gw_cells[gw_i] = _GwCell(0.0f);
    gw_program_fetch(gw_run, gw_from, gw_cells, gw_on);
    for (size_t gw_i = 0; gw_i < _GwN; gw_i++)
        gw_to[gw_i] = (float)gw_cells[gw_i];
}

/* ---- the device ---- */

/* cudaSetDevice: a run is on one device. */
inline void gw_program_select(gw_program *gw_run, int gw_wanted) {
    int gw_device = 0;
    if (gw_program_failed(gw_run) ||
        gw_program_check(gw_run, (int)cudaGetDevice(&gw_device), "cudaGetDevice") != 0 ||
        gw_device == gw_wanted)
        return;
    gw_program_check_status(gw_run,
                            gw_report(GW_ERROR_ARGUMENT,
                                      "device %d while the run is on device %d: select it before", gw_wanted,
                                      gw_device),
                            "cudaSetDevice");
}

/* ---- variables of the device's ---- */

/* The address of a symbol. Kernels know it by its name: what a reverse reads of it is put there
 * (gw_program_settle). */
template <class _GwT>
inline void *gw_program_symbol(gw_program *gw_run, const _GwT &gw_which, const char *gw_name) {
    void *gw_at = nullptr;
    if (gw_program_failed(gw_run)) return nullptr;
    gw_program_check(gw_run, (int)cudaGetSymbolAddress(&gw_at, gw_which), "cudaGetSymbolAddress");
    gw_program_given(gw_run, gw_at, nullptr, sizeof(_GwT));
    gw_program_named(gw_run, gw_at, gw_name);
    return gw_at;
}

/* The address of a variable of the host's. */
template <class _GwT>
inline const void *gw_program_variable(gw_program *gw_run, const _GwT &gw_which, const char *gw_name) {
    gw_program_given(gw_run, &gw_which, nullptr, sizeof(_GwT));
    gw_program_named(gw_run, &gw_which, gw_name);
    return &gw_which;
}

#include "gradwright/emitted/program_along.cuh"
#include "gradwright/emitted/program_questions.cuh"

#endif
