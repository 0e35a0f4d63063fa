/*
 * tape.h - the tape of a host function's reverse sweep: a stack of bytes that grows.
 *
 * A gradient whose sweep has no static bound comes in two forms. `gw_status f_grad(...)` makes a tape, and frees
 * it before it returns. `gw_status f_grad_on(gw_host_tape *tape, ...)` uses the caller's, which keeps its memory
 * for the next call. Either returns GW_OK, or GW_ERROR_MEMORY if the tape could not grow: then the sweep
 * stopped there, and what the adjoints hold is unspecified.
 *
 *     gw_host_tape tape = GW_HOST_TAPE;        // or gw_host_tape_over(buffer, sizeof buffer)
 *     for (...) if (f_grad_on(&tape, ...) != GW_OK) puts(gw_last_error());
 *     gw_host_tape_free(&tape);
 *
 * The halves of a split gradient take the caller's tape last: `f_fwd(..., &tape)` leaves its records on top of what is there,
 * `f_bwd(..., &tape)` takes them off. So one tape serves a chain of functions whose second halves run in the reverse
 * order. Out of memory, the tape is empty.
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

/* A tape whose first `bytes` bytes are the caller's `buffer`; it moves to memory of its own when they are used up. */
GW_TAPE_INLINE gw_host_tape gw_host_tape_over(void *buffer, size_t bytes) {
    gw_host_tape tape;
    tape.base = tape.top = (char *)buffer;
    tape.end = tape.base + bytes;
    tape.owned = false;
    tape.blocks = NULL;
    return tape;
}

/* Frees the tape's own memory; the tape is then empty and can be used again. */
void gw_host_tape_free(gw_host_tape *tape);

/* ---- what emitted code calls ---- */

/* Room for `count` times `each` bytes above `top`: the top as it lies then, or null with the error text set if
 * there is no memory; the tape is then empty, its blocks are freed. `each` is not 0. A call finds the top of the stack in tape->top and
 * leaves it as high as it was. */
char *gw_host_tape_grow(gw_host_tape *tape, char *top, uint64_t count, size_t each);

GW_TAPE_INLINE char *gw_host_tape_room(gw_host_tape *tape, char *top, uint64_t count, size_t each) {
    /* an empty tape has no top, which would be taken for want of memory */
    return top && count <= (size_t)(tape->end - top) / each ? top : gw_host_tape_grow(tape, top, count, each);
}

/* The halves of a split gradient: `check` is what the first leaves behind its records, and the second asks for. */
GW_TAPE_INLINE unsigned long long gw_check_with(unsigned long long check, unsigned long long number) {
    for (int byte = 0; byte < 8; byte++) check = (check ^ (number >> 8 * byte & 255)) * 0x100000001b3ull;
    return check;
}

GW_TAPE_INLINE char *gw_host_tape_close(gw_host_tape *tape, char *top, unsigned long long check) {
    top = gw_host_tape_room(tape, top, 1, sizeof check);
    if (!top) return NULL;
    memcpy(top, &check, sizeof check);
    return top + sizeof check;
}

GW_TAPE_INLINE bool gw_host_tape_open(const gw_host_tape *tape, char **top, unsigned long long check, const char *second, const char *first) {
    if ((size_t)(*top - tape->base) < sizeof check || memcmp(*top - sizeof check, &check, sizeof check) != 0) {
        gw_report(GW_ERROR_ARGUMENT, "%s: the last on the tape is not what %s left there for the same numbers", second, first);
        return false;
    }
    *top -= sizeof check;
    return true;
}

/* A wish: room for so many bytes in one piece, if there is memory for them and they are no nonsense. The top as it lies then. */
char *gw_host_tape_expect(gw_host_tape *tape, char *top, uint64_t bytes);

/* Local arrays of run-time size: `count` elements of `size` bytes, aligned for every type. `old` is null or what the
 * last call for this array gave, which is then gone. Null as with gw_host_tape_grow; never for want of elements. */
void *gw_host_array(gw_host_tape *tape, void *old, uint64_t count, size_t size); /* contents unspecified */
void *gw_host_zeros(gw_host_tape *tape, void *old, uint64_t count, size_t size);
void gw_host_no_memory(void) __attribute__((noreturn)); /* says so and aborts: a caller that can return no status */
void gw_host_array_free(gw_host_tape *tape, void *array); /* null is fine */

#define GW_HOST_TAPE_TYPE(T, suffix)                                      \
    GW_TAPE_INLINE void gw_host_push_##suffix(char **top, T value) {      \
        memcpy(*top, &value, sizeof value);                               \
        *top += sizeof value;                                             \
    }                                                                     \
    GW_TAPE_INLINE T gw_host_pop_##suffix(char **top) {                   \
        T value;                                                          \
        *top -= sizeof value;                                             \
        memcpy(&value, *top, sizeof value);                               \
        return value;                                                     \
    }
GW_HOST_TAPE_TYPE(float, f32)
GW_HOST_TAPE_TYPE(double, f64)
GW_HOST_TAPE_TYPE(long double, f80)
GW_HOST_TAPE_TYPE(int, i32)
GW_HOST_TAPE_TYPE(unsigned int, u32)
GW_HOST_TAPE_TYPE(long long, i64)
GW_HOST_TAPE_TYPE(unsigned long long, u64)
#undef GW_HOST_TAPE_TYPE

#ifdef __cplusplus
}
#endif
#endif
