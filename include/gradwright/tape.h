/*
 * tape.h - the tape of a host function's reverse sweep: a stack of bytes that grows.
 *
 * A gradient whose sweep has no static bound comes in two forms. `gw_status f_grad(...)` makes a tape, and
 * frees it before it returns. `gw_status f_grad_on(gw_host_tape *tape, ...)` uses the caller's, which keeps its
 * memory for the next call. Either returns GW_OK, or GW_ERROR_MEMORY if the tape could not grow: then the sweep
 * stopped there, and what the adjoints hold is unspecified.
 *
 *     gw_host_tape tape = GW_HOST_TAPE;        // or gw_host_tape_over(buffer, sizeof buffer)
 *     for (...) if (f_grad_on(&tape, ...) != GW_OK) puts(gw_last_error());
 *     gw_host_tape_free(&tape);
 *
 * The halves of a split gradient take the caller's tape last: `f_fwd(..., &tape)` leaves its records on top of
 * what is there, `f_bwd(..., &tape)` takes them off. So one tape serves a chain of functions whose second
 * halves run in the reverse order. Out of memory, the tape is empty.
 *
 * A tape belongs to one call at a time; different tapes may be used by different threads. Emitted code makes
 * room once for a whole loop (gw_host_tape_room), keeps the top of the stack in a local variable, and then
 * stores without a test. Values lie packed, each in the bytes of its type.
 */
#ifndef GRADWRIGHT_TAPE_H
#define GRADWRIGHT_TAPE_H

#include <stdbool.h>
#include <string.h>

#include "gradwright/runtime.h"

#ifdef __cplusplus
extern "C" {
#define GW_TAPE_INLINE inline
#else
#define GW_TAPE_INLINE static inline
#endif

struct gw_host_block; /* memory of a local array */

typedef struct gw_host_tape {
    char *base, *top, *end; /* values lie in base..top, there is room up to end */
    bool owned;             /* base came from the runtime's allocator */
    struct gw_host_block *blocks;
} gw_host_tape;

#define GW_HOST_TAPE {NULL, NULL, NULL, false, NULL}
#define GW_HOST_TAPE_FIRST 1024 /* bytes on the C stack, so that a small sweep allocates nothing */

/* A tape whose first `gw_bytes` bytes are the caller's `gw_buffer`; it moves to memory of its own when they are
 * used up. */
GW_TAPE_INLINE gw_host_tape gw_host_tape_over(void *gw_buffer, size_t gw_bytes) {
    gw_host_tape gw_on_tape;
    gw_on_tape.base = gw_on_tape.top = (char *)gw_buffer;
    gw_on_tape.end = gw_on_tape.base + gw_bytes;
    gw_on_tape.owned = false;
    gw_on_tape.blocks = NULL;
    return gw_on_tape;
}

/* Frees the tape's own memory; the tape is then empty and can be used again. */
void gw_host_tape_free(gw_host_tape *gw_on_tape);

/* ---- what emitted code calls ---- */

/* Room for `gw_count` times `gw_each` bytes above `gw_top`: the top as it lies then, or null with the error
 * text set if there is no memory; the tape is then empty, its blocks are freed. `gw_each` is not 0. A call
 * finds the top of the stack in tape->top and leaves it as high as it was. */
char *gw_host_tape_grow(gw_host_tape *gw_on_tape, char *gw_top, uint64_t gw_count, size_t gw_each);

GW_TAPE_INLINE char *gw_host_tape_room(gw_host_tape *gw_on_tape, char *gw_top, uint64_t gw_count,
                                       size_t gw_each) {
    /* an empty tape has no top, which would be taken for want of memory */
    return gw_top && gw_count <= (size_t)(gw_on_tape->end - gw_top) / gw_each
               ? gw_top
               : gw_host_tape_grow(gw_on_tape, gw_top, gw_count, gw_each);
}

/* The halves of a split gradient: `gw_check` is what the first leaves behind its records, and the second asks
 * for. */
GW_TAPE_INLINE unsigned long long gw_check_with(unsigned long long gw_check, unsigned long long gw_number) {
    for (int gw_byte = 0; gw_byte < 8; gw_byte++)
        gw_check = (gw_check ^ (gw_number >> 8 * gw_byte & 255)) * 0x100000001b3ull;
    return gw_check;
}

GW_TAPE_INLINE char *gw_host_tape_close(gw_host_tape *gw_on_tape, char *gw_top, unsigned long long gw_check) {
    gw_top = gw_host_tape_room(gw_on_tape, gw_top, 1, sizeof gw_check);
    if (!gw_top) return NULL;
    memcpy(gw_top, &gw_check, sizeof gw_check);
    return gw_top + sizeof gw_check;
}

GW_TAPE_INLINE bool gw_host_tape_open(const gw_host_tape *gw_on_tape, char **gw_top,
                                      unsigned long long gw_check, const char *gw_second,
                                      const char *gw_first) {
    if ((size_t)(*gw_top - gw_on_tape->base) < sizeof gw_check ||
        memcmp(*gw_top - sizeof gw_check, &gw_check, sizeof gw_check) != 0) {
        gw_report(GW_ERROR_ARGUMENT, "%s: the last on the tape is not what %s left there for the same numbers",
                  gw_second, gw_first);
        return false;
    }
    *gw_top -= sizeof gw_check;
    return true;
}

/* A wish: room for so many bytes in one piece, if there is memory for them and they are no nonsense. The top as
 * it lies then. */
char *gw_host_tape_expect(gw_host_tape *gw_on_tape, char *gw_top, uint64_t gw_bytes);

/* Local arrays of run-time size: `gw_count` elements of `gw_size` bytes, aligned for every type. `gw_old` is
 * null or what the last call for this array gave, which is then gone. Null as with gw_host_tape_grow; never for
 * want of elements. */
/* contents unspecified */
void *gw_host_array(gw_host_tape *gw_on_tape, void *gw_old, uint64_t gw_count, size_t gw_size);
void *gw_host_zeros(gw_host_tape *gw_on_tape, void *gw_old, uint64_t gw_count, size_t gw_size);
/* says so and aborts: a caller that can return no status */
void gw_host_no_memory(void) __attribute__((__noreturn__));
void gw_host_array_free(gw_host_tape *gw_on_tape, void *gw_array); /* null is fine */

#define GW_HOST_TAPE_TYPE(T, suffix)                                      \
    GW_TAPE_INLINE void gw_host_push_##suffix(char **gw_top, T gw_value) {      \
        memcpy(*gw_top, &gw_value, sizeof gw_value);                               \
        *gw_top += sizeof gw_value;                                             \
    }                                                                     \
    GW_TAPE_INLINE T gw_host_pop_##suffix(char **gw_top) {                   \
        T gw_value;                                                          \
        *gw_top -= sizeof gw_value;                                             \
        memcpy(&gw_value, *gw_top, sizeof gw_value);                               \
        return gw_value;                                                     \
    }
GW_HOST_TAPE_TYPE(unsigned char, u8)
GW_HOST_TAPE_TYPE(float, f32)
GW_HOST_TAPE_TYPE(double, f64)
GW_HOST_TAPE_TYPE(long double, f80)
GW_HOST_TAPE_TYPE(int, i32)
GW_HOST_TAPE_TYPE(unsigned int, u32)
GW_HOST_TAPE_TYPE(long long, i64)
GW_HOST_TAPE_TYPE(unsigned long long, u64)
GW_HOST_TAPE_TYPE(const void *, address)
#undef GW_HOST_TAPE_TYPE

#ifdef __cplusplus
}
#endif
#endif
