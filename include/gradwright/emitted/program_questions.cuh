/*
 * program_questions.cuh - what a differentiated program asks about the device; answers are 0 after a failure. A
 * part of program.cuh.
 */
#ifndef GRADWRIGHT_PROGRAM_QUESTIONS_CUH
#define GRADWRIGHT_PROGRAM_QUESTIONS_CUH

/* gw_said: by reference, since the call that writes it is an argument beside it, in no order. */
inline int gw_program_answer(gw_program *gw_run, cudaError_t gw_error, const int &gw_said) {
    return gw_program_check(gw_run, (int)gw_error, "a question about the device") == 0 ? gw_said : 0;
}

/* Milliseconds. */
inline float gw_program_elapsed(gw_program *gw_run, cudaEvent_t gw_from, cudaEvent_t gw_to) {
    float gw_said = 0;
    const cudaError_t gw_error =
        gw_program_failed(gw_run) ? cudaSuccess : cudaEventElapsedTime(&gw_said, gw_from, gw_to);
    return gw_program_check(gw_run, (int)gw_error, "cudaEventElapsedTime") == 0 ? gw_said : 0;
}

inline int gw_program_current(gw_program *gw_run) {
    int gw_device = 0;
    return gw_program_answer(gw_run, cudaGetDevice(&gw_device), gw_device);
}

inline int gw_program_counted(gw_program *gw_run) {
    int gw_count = 0;
    return gw_program_answer(gw_run, cudaGetDeviceCount(&gw_count), gw_count);
}

inline int gw_program_attribute(gw_program *gw_run, cudaDeviceAttr gw_which, int gw_device) {
    int gw_said = 0;
    return gw_program_answer(gw_run, cudaDeviceGetAttribute(&gw_said, gw_which, gw_device), gw_said);
}

/* The least, or the greatest. */
inline int gw_program_priority(gw_program *gw_run, int gw_which) {
    int gw_said[2] = {0, 0};
    const cudaError_t gw_error = cudaDeviceGetStreamPriorityRange(&gw_said[0], &gw_said[1]);
    return gw_program_answer(gw_run, gw_error, gw_said[gw_which]);
}

/* Free, or all. */
inline size_t gw_program_free_memory(gw_program *gw_run, int gw_which) {
    size_t gw_said[2] = {0, 0};
    return gw_program_check(gw_run, (int)cudaMemGetInfo(&gw_said[0], &gw_said[1]), "cudaMemGetInfo") == 0
               ? gw_said[gw_which]
               : 0;
}

/* A member of cudaDeviceProp, which is asked for once. */
inline const cudaDeviceProp &gw_program_properties(gw_program *gw_run, int gw_device) {
    static thread_local cudaDeviceProp gw_known;
    static thread_local int gw_which = -1;
    if (gw_which != gw_device && gw_program_check(gw_run, (int)cudaGetDeviceProperties(&gw_known, gw_device),
                                                  "cudaGetDeviceProperties") == 0)
        gw_which = gw_device;
    return gw_known;
}

template <class _GwT>
inline size_t gw_program_property(gw_program *gw_run, int gw_device, _GwT cudaDeviceProp::*gw_member, int) {
    return (size_t)(gw_program_properties(gw_run, gw_device).*gw_member);
}

template <class _GwT, size_t _GwN>
inline size_t gw_program_property(gw_program *gw_run, int gw_device, _GwT (cudaDeviceProp::*gw_member)[_GwN],
                                  int gw_index) {
    return (size_t)(gw_program_properties(gw_run, gw_device).*gw_member)[gw_index];
}

/* A number of cudaFuncAttributes (frontend/device/property.c). */
template <class _GwK> inline size_t gw_program_function(gw_program *gw_run, _GwK gw_kernel, int gw_which) {
    cudaFuncAttributes gw_known = {};
    const cudaError_t gw_error = cudaFuncGetAttributes(&gw_known, gw_kernel);
    if (gw_program_check(gw_run, (int)gw_error, "cudaFuncGetAttributes") != 0) return 0;
    const size_t gw_bytes[] = {gw_known.sharedSizeBytes, gw_known.constSizeBytes, gw_known.localSizeBytes};
    const int gw_numbers[] = {gw_known.maxThreadsPerBlock, gw_known.numRegs, gw_known.ptxVersion,
                              gw_known.binaryVersion, gw_known.cacheModeCA, gw_known.maxDynamicSharedSizeBytes,
                              gw_known.preferredShmemCarveout};
    return gw_which < 3 ? gw_bytes[gw_which] : (size_t)gw_numbers[gw_which - 3];
}

/* What memory it leads to, or of which device. */
inline int gw_program_kind(gw_program *gw_run, const void *gw_at, int gw_which) {
    cudaPointerAttributes gw_known = {};
    const cudaError_t gw_error = cudaPointerGetAttributes(&gw_known, gw_at);
    const int gw_said = gw_which ? gw_known.device : (int)gw_known.type;
    return gw_program_answer(gw_run, gw_error, gw_said);
}

template <class _GwK>
inline int gw_program_blocks(gw_program *gw_run, _GwK gw_kernel, int gw_threads, size_t gw_shared) {
    int gw_said = 0;
    return gw_program_answer(
        gw_run, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&gw_said, gw_kernel, gw_threads, gw_shared),
        gw_said);
}

/* The grid, or the block. */
template <class _GwK>
inline int gw_program_best(gw_program *gw_run, _GwK gw_kernel, size_t gw_shared, int gw_most, int gw_which) {
    int gw_said[2] = {0, 0};
    const cudaError_t gw_error =
        cudaOccupancyMaxPotentialBlockSize(&gw_said[0], &gw_said[1], gw_kernel, gw_shared, gw_most);
    return gw_program_answer(gw_run, gw_error, gw_said[gw_which]);
}

#endif
