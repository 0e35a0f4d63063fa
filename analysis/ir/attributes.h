/*
 * attributes.h - what the attribute of an op says, by its kind: coordinates, barriers, atomics, operations of a
 * warp, and how an access of adjoint memory is made safe (rungs.def). Part of ir.h.
 */
#ifndef GW_ATTRIBUTES_H
#define GW_ATTRIBUTES_H
#include <stdbool.h>
#include <stdint.h>

/* attr of SPECIAL: 4 * kind + axis */
typedef enum gw_special { GW_THREAD_IDX, GW_BLOCK_IDX, GW_BLOCK_DIM, GW_GRID_DIM } gw_special;
#define GW_SPECIAL_ATTR(kind, axis) ((uint16_t)(4 * (kind) + (axis)))

/* attr of BARRIER */
typedef enum gw_barrier { GW_BARRIER_PLAIN, GW_BARRIER_COUNT, GW_BARRIER_AND, GW_BARRIER_OR } gw_barrier;

/* attr of ATOMIC */
typedef enum gw_atomic {
    GW_ATOMIC_NONE,
#define GW_ATOMIC(NAME, text, values, floats, spelling) GW_ATOMIC_##NAME,
#include "analysis/ir/atomic.def"
#undef GW_ATOMIC
    GW_ATOMIC_COUNT
} gw_atomic;
typedef struct gw_atomic_row {
    const char *text, *spelling;
    uint32_t values;
    char floats; /* '+', 'w', '-' or 't' */
} gw_atomic_row;
extern const gw_atomic_row gw_atomic_rows[GW_ATOMIC_COUNT];

/* attr of WARP */
typedef enum gw_warp {
    GW_WARP_NONE,
#define GW_WARP(NAME, text, operands, result, transpose, apart, spelling, emitted) GW_WARP_##NAME,
#include "analysis/ir/warp.def"
#undef GW_WARP
    GW_WARP_COUNT
} gw_warp;
typedef struct gw_warp_row {
    const char *text, *operands;
    char result;
    gw_warp transpose, transpose_apart;
    const char *spelling, *emitted;
} gw_warp_row;
extern const gw_warp_row gw_warp_rows[GW_WARP_COUNT];
gw_type gw_warp_result(gw_warp warp, gw_type given); /* its type; `given`: that of its operand 'v' */

/* attr of DEVICE */
typedef enum gw_device {
#define GW_DEVICE(NAME, text, operands, results, reverses) GW_DEVICE_##NAME,
#include "analysis/ir/device.def"
#undef GW_DEVICE
    GW_DEVICE_COUNT
} gw_device;
typedef struct gw_device_row {
    const char *text, *operands, *results;
    bool reverses, asks;
} gw_device_row;
extern const gw_device_row gw_device_rows[GW_DEVICE_COUNT];
enum { GW_LAUNCH_OPERANDS = 8, GW_SEND_OPERANDS = 5 }; /* before the kernel's arguments, the values */
enum { GW_RULE_OPERANDS = 1 }; /* before the arguments of a call that has a pullback */
/* What cells are that a COPY copies, its last operand: how their adjoints are added. BYTES: not known. */
typedef enum gw_element {
    GW_ELEMENT_NONE,
    GW_ELEMENT_FLOAT,
    GW_ELEMENT_DOUBLE,
    GW_ELEMENT_HALF,
    GW_ELEMENT_BFLOAT,
    GW_ELEMENT_BYTES
} gw_element;

/* attr of TEXTURE and its kin: a row of texture.def; how many channels are fetched, and which of them it is; of
 * a slope, the coordinate */
typedef enum gw_texture {
    GW_TEXTURE_NONE,
#define GW_TEXTURE(NAME, text, spelling, suffix, coordinates, layered, corners) GW_TEXTURE_##NAME,
#include "analysis/ir/texture.def"
#undef GW_TEXTURE
    GW_TEXTURE_COUNT
} gw_texture;
typedef struct gw_texture_row {
    const char *text, *spelling, *suffix;
    uint32_t coordinates;
    bool is_layered;
    uint32_t corners;
} gw_texture_row;
extern const gw_texture_row gw_texture_rows[GW_TEXTURE_COUNT];
typedef struct gw_fetch {
    gw_texture kind;
    uint32_t channels, channel, axis;
} gw_fetch;
static inline uint16_t gw_fetch_attr(gw_fetch t) {
    return (uint16_t)((unsigned)t.kind | t.channels << 4 | t.channel << 8 | t.axis << 12);
}
static inline gw_fetch gw_fetch_of(uint16_t attr) {
    const uint32_t bits = attr;
    return (gw_fetch){(gw_texture)(bits & 15), bits >> 4 & 15, bits >> 8 & 15, bits >> 12};
}

/* attr of ACCUM, and of LOAD/STORE of a shadow: how the access is made safe. Chosen by ownership and by
 * rungs. */
typedef enum gw_accumulate {
    GW_ACCUMULATE_UNDECIDED,
#define GW_WAY(NAME, ...) GW_ACCUMULATE_##NAME,
#include "analysis/ir/rungs.def"
#undef GW_WAY
    GW_ACCUMULATE_COUNT
} gw_accumulate;
typedef enum gw_written_as { GW_AS_STATEMENT, GW_AS_CALL, GW_AS_RUN, GW_AS_COLLECT } gw_written_as;
typedef enum gw_sum_of { GW_SUM_OF_THREAD, GW_SUM_OF_WARP, GW_SUM_OF_BLOCK } gw_sum_of;
typedef enum gw_into { GW_INTO_CELL, GW_INTO_COPY, GW_INTO_CACHE, GW_INTO_ROW, GW_INTO_ACCUMULATOR } gw_into;
typedef enum gw_which_row {
    GW_ROW_NONE,
    GW_ROW_NTH,
    GW_ROW_POSITION,
    GW_ROW_ASCENDING,
    GW_ROW_PLACE
} gw_which_row;
typedef struct gw_way_row {
    const char *word, *claim;
    gw_written_as as;
    gw_sum_of scope;
    gw_into into;
    gw_which_row row;
    bool ordered;
    const char *call, *colours;
} gw_way_row;
extern const gw_way_row gw_way_rows[GW_ACCUMULATE_COUNT];
static inline const gw_way_row *gw_way(unsigned how) {
    return &gw_way_rows[how < GW_ACCUMULATE_COUNT ? how : 0];
}

/* By the COLLECT behind it, which says who takes part. */
static inline bool gw_is_collected(unsigned how) { return gw_way(how)->as == GW_AS_COLLECT; }
static inline bool gw_accumulates_by_block(unsigned how) { return gw_way(how)->scope == GW_SUM_OF_BLOCK; }
static inline bool gw_accumulates_in_rows(unsigned how) { return gw_way(how)->into == GW_INTO_ROW; }
static inline bool gw_is_row_of_warp(unsigned how) {
    return gw_accumulates_in_rows(how) && gw_way(how)->scope == GW_SUM_OF_WARP;
}
/* A warp's row, at a position of a list. */
static inline bool gw_accumulates_by_list(unsigned how) {
    return gw_is_row_of_warp(how) && gw_way(how)->row != GW_ROW_NTH;
}
/* How many of a COLLECT's operands, its last, say which row: its position, and the number within. */
static inline uint32_t gw_row_operands(unsigned how) {
    const gw_which_row row = gw_way(how)->row;
    if (row == GW_ROW_PLACE) return 2;
    return row == GW_ROW_POSITION || row == GW_ROW_ASCENDING;
}
/* Additions of a COLLECT: its operands less the first, and less these. */
static inline uint32_t gw_collected(uint32_t operands, unsigned how) {
    return operands - 1 - gw_row_operands(how);
}

typedef enum gw_rung {
    GW_RUNG_AUTO,
#define GW_RUNG(NAME, ...) GW_RUNG_##NAME,
#include "analysis/ir/rungs.def"
#undef GW_RUNG
    GW_RUNG_COUNT
} gw_rung;
typedef struct gw_rung_row {
    const char *spelling, *says;
    gw_accumulate how;
} gw_rung_row;
extern const gw_rung_row gw_rung_rows[GW_RUNG_COUNT];
/* An addition that has taken the rung goes this way; rows go several. */
static inline bool gw_rung_ends_in(gw_rung rung, unsigned how) {
    return gw_rung_rows[rung].how == (gw_accumulate)how ||
           (gw_accumulates_in_rows(gw_rung_rows[rung].how) && gw_accumulates_in_rows(how));
}
gw_rung gw_rung_by_spelling(const char *text); /* GW_RUNG_COUNT: there is none */
#endif
