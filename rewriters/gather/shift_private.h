/* gather/shift_private.h - additions to neighbouring cells, gathered by the thread whose cell it is; what that
 * does and why it is sound stands in gather/shift.c. */
#ifndef GW_GATHER_SHIFT_PRIVATE_H
#define GW_GATHER_SHIFT_PRIVATE_H
#include "rewriters/gather/gather_private.h"

#include "analysis/prove/prove.h"

/* A number by which threads, or a thread's iterations, are told apart: blockIdx.a*blockDim.a + threadIdx.a, or
 * the index of a loop that begins there and goes on by all threads along a. */
typedef struct gw_shift_axis {
    gw_value index, number; /* what is shifted; the thread's number, which is the same without a loop */
    gw_op loop;             /* 0: none */
    gw_poly value, scale;   /* of the index; cells from one index to the next */
    int64_t least, most;    /* how far the cells of a thread are from that of its own numbers */
} gw_shift_axis;

enum { GW_SHIFT_LOOPS = 4 };

/* One addition: its cell is that of the thread whose numbers are larger by `by` and, in iteration k of a loop,
 * k*per more. */
typedef struct gw_shift_add {
    gw_op add;
    int64_t by[3];
    uint32_t loops;
    gw_op loop[GW_SHIFT_LOOPS];
    int64_t per[GW_SHIFT_LOOPS][3];
} gw_shift_add;

typedef struct gw_shift {
    const gw_func *f;
    gw_normal *n;
    bool *changing; /* by object */
    gw_object object;
    gw_shift_axis axis[3];
    bool has[3];
    GW_VEC(gw_shift_add) adds;
} gw_shift;

/* All additions to the object; false if they cannot be gathered, or it would not pay. */
bool gw_shift_find(gw_shift *s, const gw_func *f, gw_object object);
void gw_shift_free(gw_shift *s);
/* What a value, the addition itself and the branches around it are made of, marked in needed, by op; false if
 * that cannot be had in another thread. */
bool gw_shift_slice(const gw_shift *s, const gw_shift_add *a, bool *needed);
/* Iterations of a loop with constant bounds. */
int64_t gw_shift_trips(const gw_func *f, gw_op loop);
/* From how far below to how far above its thread's numbers the addition's cells are. */
void gw_shift_reach(const gw_shift *s, const gw_shift_add *a, unsigned axis, int64_t *low, int64_t *high);
/* The loop is one of the addition's own, within which its cell moves. */
bool gw_shift_is_inner(const gw_shift_add *a, gw_op loop);

/* gather/shift_kernel.c: the kernel, not yet among the session's functions. */
gw_func *gw_shift_make(const gw_shift *s, uint32_t number);
#endif
