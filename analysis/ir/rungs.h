/*
 * rungs.h - the ways in which an access of adjoint memory is made safe, and the rungs of the ladder, the
 * rows of rungs.def.
 */
#ifndef GRADWRIGHT_IR_RUNGS_H
#define GRADWRIGHT_IR_RUNGS_H
#include "analysis/ir/ir.h"

#ifdef __cplusplus
extern "C" {
#endif

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
typedef enum gw_into { GW_INTO_CELL, GW_INTO_COPY, GW_INTO_ROW, GW_INTO_ACCUMULATOR } gw_into;
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

#ifdef __cplusplus
}
#endif
#endif
