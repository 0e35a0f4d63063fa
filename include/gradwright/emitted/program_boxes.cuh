/*
 * program_boxes.cuh - copies and fills of boxes, cudaMemcpy3D and cudaMemset3D, in differentiated programs: as
 * rows of layers. A part of program.cuh.
 */
#ifndef GRADWRIGHT_PROGRAM_BOXES_CUH
#define GRADWRIGHT_PROGRAM_BOXES_CUH

/* Layers of gw_rows rows, a pitch in bytes apart. */
template <class _GwT> struct gw_program_box {
    _GwT *gw_at;
    size_t gw_pitch, gw_rows;
};
struct gw_program_extent {
    size_t gw_width, gw_height, gw_depth;
};

inline bool gw_program_is_empty(const gw_program_extent &gw_e) {
    return !gw_e.gw_width || !gw_e.gw_height || !gw_e.gw_depth;
}

/* From the first byte to the last. */
template <class _GwT>
inline size_t gw_program_reach(const gw_program_box<_GwT> &gw_b, const gw_program_extent &gw_e) {
    return gw_b.gw_pitch * (gw_b.gw_rows * (gw_e.gw_depth - 1) + gw_e.gw_height - 1) + gw_e.gw_width;
}

template <class _GwT> inline _GwT *gw_program_layer(const gw_program_box<_GwT> &gw_b, size_t gw_z) {
    return (_GwT *)((char *)gw_b.gw_at + gw_z * gw_b.gw_pitch * gw_b.gw_rows);
}

template <class _GwT>
inline cudaError_t gw_program_copy_3d(gw_program *gw_run, const gw_program_box<_GwT> &gw_to,
                                      const gw_program_box<_GwT> &gw_from, const gw_program_extent &gw_e,
                                      cudaStream_t gw_on, bool gw_waits) {
    const bool gw_any = !gw_program_is_empty(gw_e);
    if (gw_any && gw_program_fits<_GwT>(gw_run, gw_to.gw_pitch, gw_from.gw_pitch, gw_e.gw_width)) {
        gw_program_reaches(gw_run, gw_from.gw_at, gw_program_reach(gw_from, gw_e));
        gw_program_writes(gw_run, gw_to.gw_at, gw_program_reach(gw_to, gw_e), gw_on);
    }
    if (gw_program_failed(gw_run)) return gw_program_result(gw_run, cudaSuccess);
    if (gw_waits) gw_program_waited(gw_run);
    cudaError_t gw_error = cudaSuccess;
    for (size_t gw_z = 0; gw_z < gw_e.gw_depth && gw_any && gw_error == cudaSuccess; gw_z++)
        gw_error =
            cudaMemcpy2DAsync(gw_program_layer(gw_to, gw_z), gw_to.gw_pitch, gw_program_layer(gw_from, gw_z),
                              gw_from.gw_pitch, gw_e.gw_width, gw_e.gw_height, cudaMemcpyDefault, gw_on);
    return gw_program_queued(gw_error, gw_on, gw_waits);
}

template <class _GwT>
inline void gw_program_copy_3d_back(gw_program *gw_run, const gw_program_box<_GwT> &gw_to,
                                    const gw_program_box<_GwT> &gw_from, const gw_program_extent &gw_e,
                                    cudaStream_t gw_on) {
    if (gw_program_is_empty(gw_e)) return;
    gw_program_unwrite(gw_run, gw_to.gw_at);
    for (size_t gw_z = 0; gw_z < gw_e.gw_depth; gw_z++)
        gw_program_rows_back<_GwT>(gw_run,
                                   {gw_program_layer(gw_to, gw_z), gw_program_layer(gw_from, gw_z),
                                    gw_to.gw_pitch, gw_from.gw_pitch, gw_e.gw_width, gw_e.gw_height},
                                   gw_on);
}

template <class _GwT>
inline cudaError_t gw_program_set_3d(gw_program *gw_run, const gw_program_box<_GwT> &gw_to, int gw_value,
                                     const gw_program_extent &gw_e, cudaStream_t gw_on, bool gw_waits) {
    const bool gw_any = !gw_program_is_empty(gw_e);
    if (gw_any && gw_program_fits<_GwT>(gw_run, gw_to.gw_pitch, gw_to.gw_pitch, gw_e.gw_width))
        gw_program_writes(gw_run, gw_to.gw_at, gw_program_reach(gw_to, gw_e), gw_on);
    if (gw_program_failed(gw_run)) return gw_program_result(gw_run, cudaSuccess);
    if (gw_waits) gw_program_waited(gw_run);
    cudaError_t gw_error = cudaSuccess;
    for (size_t gw_z = 0; gw_z < gw_e.gw_depth && gw_any && gw_error == cudaSuccess; gw_z++)
        gw_error = cudaMemset2DAsync(gw_program_layer(gw_to, gw_z), gw_to.gw_pitch, gw_value, gw_e.gw_width,
                                     gw_e.gw_height, gw_on);
    return gw_program_queued(gw_error, gw_on, gw_waits);
}

template <class _GwT>
inline void gw_program_set_3d_back(gw_program *gw_run, const gw_program_box<_GwT> &gw_to,
                                   const gw_program_extent &gw_e, cudaStream_t gw_on) {
    if (gw_program_is_empty(gw_e)) return;
    gw_program_unwrite(gw_run, gw_to.gw_at);
    for (size_t gw_z = 0; gw_z < gw_e.gw_depth; gw_z++)
        gw_program_clear_rows(gw_run, gw_program_layer(gw_to, gw_z), gw_to.gw_pitch, gw_e.gw_width,
                              gw_e.gw_height, gw_on);
}

#endif
