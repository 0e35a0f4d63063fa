/*
 * attributes.h - what the attribute of an op says, by its kind: coordinates, barriers, fetches. Part of ir.h.
 * What is a row of a table has a header of its own: atomic.h, warp.h, device.h, texture.h, rungs.h.
 */
#ifndef GW_ATTRIBUTES_H
#define GW_ATTRIBUTES_H
#include <stdbool.h>
#include <stdint.h>

/* attr of SPECIAL: 4 * kind + axis */
typedef enum gw_special { GW_THREAD_IDX, GW_BLOCK_IDX, GW_BLOCK_DIM, GW_GRID_DIM } gw_special;
#define GW_SPECIAL_ATTR(kind, axis) ((uint16_t)(4 * (kind) + (axis)))

/* attr of BARRIER */
/* How a STOP ends: the process, or by an exception. */
typedef enum gw_stop { GW_STOP_ENDS, GW_STOP_THROWS } gw_stop;

typedef enum gw_barrier { GW_BARRIER_PLAIN, GW_BARRIER_COUNT, GW_BARRIER_AND, GW_BARRIER_OR } gw_barrier;

/* attr of TEXTURE and its kin: a row of texture.def; how many channels are fetched, and which of them it is; of
 * a slope, the coordinate */
typedef struct gw_fetch {
    uint32_t kind; /* a gw_texture (texture.h) */
    uint32_t channels, channel, axis;
} gw_fetch;
static inline uint16_t gw_fetch_attr(gw_fetch t) {
    return (uint16_t)(t.kind | t.channels << 4 | t.channel << 8 | t.axis << 12);
}
static inline gw_fetch gw_fetch_of(uint16_t attr) {
    const uint32_t bits = attr;
    return (gw_fetch){bits & 15, bits >> 4 & 15, bits >> 8 & 15, bits >> 12};
}

#endif
