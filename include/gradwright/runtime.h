/*
 * runtime.h - what emitted gradients and their callers share on the host: status, error text, sizes.
 *
 * An emitted `f_grad_launch` returns a gw_status. GW_OK is 0 and means that every kernel was launched;
 * as with any CUDA launch, errors inside a kernel show at the next synchronisation. On any other status
 * no kernel was launched, no buffer was touched, and gw_last_error() tells why. Emitted code is static
 * inline and calls the functions below: link libgwruntime (C17, no CUDA, no allocation). All of them may be
 * called from any thread.
 */
#ifndef GRADWRIGHT_RUNTIME_H
#define GRADWRIGHT_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum gw_status {
#define GW_STATUS(NAME, value, text) NAME = value,
#include "gradwright/status.def"
#undef GW_STATUS
    GW_STATUS_LAST = 0x7fffffff /* keeps the type as wide as int; never returned */
} gw_status;

/* ---- errors ---- */

/* Sets the calling thread's error text from a printf format and returns `gw_result`, so that a function can
 * end in `return gw_report(GW_ERROR_LAUNCH, "...")`. Text longer than 1023 bytes is cut. With GW_OK the text
 * is cleared and `gw_format` may be null. `gw_format` and its arguments are only read during the call. */
gw_status gw_report(gw_status gw_result, const char *gw_format, ...)
#if defined(__GNUC__) || defined(__clang__)
    __attribute__((__format__(__printf__, 2, 3)))
#endif
    ;

/* The calling thread's last reported text, "" if there is none. Owned by the runtime; valid until the same
 * thread's next gw_report. */
const char *gw_last_error(void);

/* What a status means, in words; "unknown status" for a number that is none. Static storage. */
const char *gw_status_text(gw_status gw_result);

/* ---- sizes ----
 * Sizes are in bytes or elements as named and saturate at SIZE_MAX instead of wrapping: a workspace that
 * cannot exist is then asked for as SIZE_MAX bytes, which no allocator grants. */
size_t gw_size_add(size_t gw_a, size_t gw_b);
size_t gw_size_mul(size_t gw_a, size_t gw_b);
size_t gw_size_max(size_t gw_a, size_t gw_b);

/* Alignment in bytes that a workspace pointer must have (cudaMalloc gives 256). */
#define GW_WORKSPACE_ALIGNMENT ((size_t)8)

/* What f_measure_launch leaves in device memory of the caller, and f_workspace_bytes_measured reads: slots of
 * the tapes of all warps, and what the workspace has besides. */
typedef struct gw_sizes {
    unsigned long long gw_slots4, gw_slots8;
    unsigned long long gw_beside;   /* bytes in front of the slots */
    unsigned long long gw_too_many; /* a thread has more slots than can be added up */
} gw_sizes;

/* Bytes of the workspace for `gw_thread_count` threads that each keep `gw_slots4` values of 4 bytes and
 * `gw_slots8` of 8. The layout is interleaved by thread, so that neighbouring threads touch neighbouring words,
 * the wide slots first: 8-byte slot k of thread t lies at byte 8 * (k * threads + t), 4-byte slot k at 8 *
 * slots8 * threads + 4 * (k * threads + t). 0 when there is nothing to keep. */
size_t gw_workspace_size(uint64_t gw_slots4, uint64_t gw_slots8, uint64_t gw_thread_count);

#ifdef __cplusplus
}
#endif
#endif
