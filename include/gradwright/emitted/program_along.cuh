/*
 * program_along.cuh - copies, fills and numbers of a program's forward derivative: with their tangents, which
 * lie where adjoints lie in a gradient. A part of program.cuh.
 *
 * What is copied from memory without tangents has the tangent zero. A tangent of the host is there when a call
 * returns, as copies with memory of the host are awaited.
 */
#ifndef GRADWRIGHT_PROGRAM_ALONG_CUH
#define GRADWRIGHT_PROGRAM_ALONG_CUH

/* ---- copies and fills ---- */

template <class _GwT>
inline unsigned int gw_program_width_of_copy(gw_program *gw_run, const void *gw_to, const void *gw_from) {
    if (!gw_program_is_byte<_GwT>()) return gw_program_width<_GwT>(gw_run, gw_to);
    const unsigned int gw_wide = gw_program_shadow_ratio(gw_run, gw_from);
    return gw_wide ? gw_wide : gw_program_shadow_ratio(gw_run, gw_to);
}

/* The place of the tangent of `gw_at`, of numbers as the memory `gw_like` has them where T does not say. */
template <class _GwT>
inline void *gw_program_tangent(gw_program *gw_run, const void *gw_at, const void *gw_like,
                                unsigned int gw_wide, cudaStream_t gw_on) {
    const unsigned int gw_number = gw_program_is_byte<_GwT>() ? gw_program_shadow_number(gw_run, gw_like)
                                                              : gw_program_number_bytes<_GwT>();
    return gw_program_shadow_of(gw_run, gw_at, gw_wide, gw_number, gw_on);
}

inline bool gw_program_is_on_host(gw_program *gw_run, const void *gw_at) {
    return gw_program_shadow_space(gw_run, gw_at) == GW_SPACE_HOST;
}

/* The rows' tangents go from where the rows come from to where they go. */
template <class _GwT>
inline void gw_program_span_along(gw_program *gw_run, const gw_program_span &gw_s, cudaStream_t gw_on) {
    const unsigned int gw_wide = gw_program_width_of_copy<_GwT>(gw_run, gw_s.gw_to, gw_s.gw_from);
    const bool gw_from_any = gw_program_shadow_ratio(gw_run, gw_s.gw_from) != 0;
    if (!gw_wide || gw_program_failed(gw_run)) return;
    if (!gw_from_any) {
        const unsigned int gw_each = gw_program_is_byte<_GwT>() ? gw_program_shadow_number(gw_run, gw_s.gw_to)
                                                                : gw_program_number_bytes<_GwT>();
        gw_program_span_end(gw_run, gw_s, gw_wide, gw_each, gw_on);
        return;
    }
    void *const gw_to = gw_program_tangent<_GwT>(gw_run, gw_s.gw_to, gw_s.gw_from, gw_wide, gw_on),
                *const gw_from = gw_program_tangent<_GwT>(gw_run, gw_s.gw_from, gw_s.gw_from, gw_wide, gw_on);
    if (gw_program_failed(gw_run)) return;
    if (!gw_program_try(gw_run, cudaMemcpy2DAsync(gw_to, gw_s.gw_to_pitch * gw_wide, gw_from,
                                                  gw_s.gw_from_pitch * gw_wide, gw_s.gw_width * gw_wide,
                                                  gw_s.gw_height, cudaMemcpyDefault, gw_on)))
        return;
    if (gw_program_is_on_host(gw_run, gw_s.gw_to) || gw_program_is_on_host(gw_run, gw_s.gw_from))
        gw_program_try(gw_run, cudaStreamSynchronize(gw_on));
}

template <class _GwT>
inline cudaError_t gw_program_copy_along(gw_program *gw_run, _GwT *gw_to, const _GwT *gw_from, size_t gw_bytes,
                                         cudaMemcpyKind gw_kind, cudaStream_t gw_on, bool gw_waits) {
    const cudaError_t gw_error =
        gw_program_copy<_GwT>(gw_run, gw_to, gw_from, gw_bytes, gw_kind, gw_on, gw_waits);
    if (gw_bytes && gw_error == cudaSuccess)
        gw_program_span_along<_GwT>(gw_run, {gw_to, gw_from, gw_bytes, gw_bytes, gw_bytes, 1}, gw_on);
    return gw_error;
}

template <class _GwT>
inline cudaError_t gw_program_copy_2d_along(gw_program *gw_run, _GwT *gw_to, size_t gw_to_pitch,
                                            const _GwT *gw_from, size_t gw_from_pitch, size_t gw_width,
                                            size_t gw_height, cudaMemcpyKind gw_kind, cudaStream_t gw_on,
                                            bool gw_waits) {
    const cudaError_t gw_error = gw_program_copy_2d<_GwT>(gw_run, gw_to, gw_to_pitch, gw_from, gw_from_pitch,
                                                          gw_width, gw_height, gw_kind, gw_on, gw_waits);
    if (gw_width && gw_height && gw_error == cudaSuccess)
        gw_program_span_along<_GwT>(gw_run, {gw_to, gw_from, gw_to_pitch, gw_from_pitch, gw_width, gw_height},
                                    gw_on);
    return gw_error;
}

template <class _GwT>
inline cudaError_t gw_program_copy_3d_along(gw_program *gw_run, const gw_program_box<_GwT> &gw_to,
                                            const gw_program_box<_GwT> &gw_from, const gw_program_extent &gw_e,
                                            cudaStream_t gw_on, bool gw_waits) {
    const cudaError_t gw_error = gw_program_copy_3d<_GwT>(gw_run, gw_to, gw_from, gw_e, gw_on, gw_waits);
    for (size_t gw_z = 0; gw_z < gw_e.gw_depth && !gw_program_is_empty(gw_e) && gw_error == cudaSuccess; gw_z++)
        gw_program_span_along<_GwT>(gw_run,
                                    {gw_program_layer(gw_to, gw_z), gw_program_layer(gw_from, gw_z),
                                     gw_to.gw_pitch, gw_from.gw_pitch, gw_e.gw_width, gw_e.gw_height},
                                    gw_on);
    return gw_error;
}

/* What is filled has the tangent zero; if nobody has asked for that yet, it is. */
template <class _GwT>
inline void gw_program_rows_filled(gw_program *gw_run, _GwT *gw_to, size_t gw_pitch, size_t gw_width,
                                   size_t gw_height, cudaStream_t gw_on) {
    if (gw_program_shadow_ratio(gw_run, gw_to))
        gw_program_clear_rows<_GwT>(gw_run, gw_to, gw_pitch, gw_width, gw_height, gw_on);
}

template <class _GwT>
inline cudaError_t gw_program_set_along(gw_program *gw_run, _GwT *gw_to, int gw_value, size_t gw_bytes,
                                        cudaStream_t gw_on, bool gw_waits) {
    const cudaError_t gw_error = gw_program_set<_GwT>(gw_run, gw_to, gw_value, gw_bytes, gw_on, gw_waits);
    if (gw_bytes && gw_error == cudaSuccess)
        gw_program_rows_filled<_GwT>(gw_run, gw_to, gw_bytes, gw_bytes, 1, gw_on);
    return gw_error;
}

template <class _GwT>
inline cudaError_t gw_program_set_2d_along(gw_program *gw_run, _GwT *gw_to, size_t gw_pitch, int gw_value,
                                           size_t gw_width, size_t gw_height, cudaStream_t gw_on,
                                           bool gw_waits) {
    const cudaError_t gw_error =
        gw_program_set_2d<_GwT>(gw_run, gw_to, gw_pitch, gw_value, gw_width, gw_height, gw_on, gw_waits);
    if (gw_width && gw_height && gw_error == cudaSuccess)
        gw_program_rows_filled<_GwT>(gw_run, gw_to, gw_pitch, gw_width, gw_height, gw_on);
    return gw_error;
}

template <class _GwT>
inline cudaError_t gw_program_set_3d_along(gw_program *gw_run, const gw_program_box<_GwT> &gw_to, int gw_value,
                                           const gw_program_extent &gw_e, cudaStream_t gw_on, bool gw_waits) {
    const cudaError_t gw_error = gw_program_set_3d<_GwT>(gw_run, gw_to, gw_value, gw_e, gw_on, gw_waits);
    for (size_t gw_z = 0; gw_z < gw_e.gw_depth && !gw_program_is_empty(gw_e) && gw_error == cudaSuccess; gw_z++)
        gw_program_rows_filled<_GwT>(gw_run, gw_program_layer(gw_to, gw_z), gw_to.gw_pitch, gw_e.gw_width,
                                     gw_e.gw_height, gw_on);
    return gw_error;
}

/* ---- values of the host that are copied ---- */

template <class _GwT, size_t _GwN>
inline void gw_program_send_along(gw_program *gw_run, void *gw_to, const _GwT (&gw_t)[_GwN],
                                  cudaStream_t gw_on, unsigned int gw_wide = 1) {
    void *const gw_tangent = gw_program_shadow_of(gw_run, gw_to, gw_wide, sizeof(_GwT), gw_on);
    if (gw_program_failed(gw_run) || !gw_tangent) return;
    if (gw_program_is_on_host(gw_run, gw_to))
        std::memcpy(gw_tangent, gw_t, sizeof gw_t);
    else
        gw_program_put(gw_run, (gw_program_values<_GwT, _GwN> *)gw_tangent, gw_program_pack(gw_t), gw_on);
}

/* Zeros of memory without tangents, and after a failure. */
template <class _GwT, size_t _GwN>
inline void gw_program_fetch_along(gw_program *gw_run, const void *gw_from, _GwT (&gw_t)[_GwN],
                                   cudaStream_t gw_on, unsigned int gw_wide = 1) {
    std::memset(gw_t, 0, sizeof gw_t);
    if (!gw_program_shadow_ratio(gw_run, gw_from)) return;
    const void *const gw_tangent = gw_program_shadow_of(gw_run, gw_from, gw_wide, sizeof(_GwT), gw_on);
    if (gw_program_failed(gw_run)) return;
    if (gw_program_is_on_host(gw_run, gw_from)) {
        std::memcpy(gw_t, gw_tangent, sizeof gw_t);
        return;
    }
    if (gw_program_try(gw_run, cudaMemcpyAsync(gw_t, gw_tangent, sizeof gw_t, cudaMemcpyDefault, gw_on)) &&
        gw_program_try(gw_run, cudaStreamSynchronize(gw_on)))
        return;
    std::memset(gw_t, 0, sizeof gw_t);
}

/* ---- one pointer twice ---- */

/* A pointer that the launch only reads may be one that it writes to as well (`gw_again`): it gets the tangents
 * as they were before. They are the launch's until the stream goes on. */
inline void *gw_program_tangent_beside(gw_program *gw_run, const void *gw_at, bool gw_again,
                                       unsigned int gw_number, cudaStream_t gw_on) {
    void *const gw_made = gw_program_shadow_beside(gw_run, gw_at, gw_again, gw_number, gw_on);
    if (!gw_again || !gw_at || gw_program_failed(gw_run)) return gw_made;
    size_t gw_bytes = 0;
    void *gw_first = nullptr, *const gw_copy = gw_program_take_twin(gw_run, gw_at, gw_on, &gw_bytes, &gw_first);
    if (gw_bytes)
        gw_program_try(gw_run, cudaMemcpyAsync(gw_copy, gw_first, gw_bytes, cudaMemcpyDefault, gw_on));
    return gw_made;
}

template <class _GwT>
inline void gw_program_point_tangent(gw_program *gw_run, _GwT *&gw_member, const void *gw_primal,
                                     cudaStream_t gw_on, bool gw_again) {
    typedef typename gw_program_plain<_GwT>::gw_type gw_plain;
    const unsigned int gw_number = gw_program_number_bytes<gw_plain>();
    gw_member = (_GwT *)gw_program_tangent_beside(gw_run, gw_primal, gw_again, gw_number, gw_on);
}

#endif
