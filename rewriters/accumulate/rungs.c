/*
 * accumulate/rungs.c - rungs by their rows of rungs.def: each one's own pass over what all others left atomic,
 * in the order of the rows, and how many additions are one call (contract: accumulate.h).
 */
#include "analysis/ir/passes.h"
#include "analysis/ir/reasons.h"
#include "analysis/ir/rungs.h"
#include "rewriters/accumulate/accumulate_private.h"

#define GW_RUNG(NAME, spelling, HOW, refused, says)
#define GW_RUNG_FILE(NAME, spelling, HOW, refused, apply, run, says) \
    void apply(gw_func *f);                                          \
    uint32_t run(const gw_func *f, gw_op first);
#include "analysis/ir/rungs.def"
#undef GW_RUNG

uint32_t gw_rung_alone(const gw_func *f, gw_op first) {
    (void)f, (void)first;
    return 1;
}

const gw_rung_home gw_rung_homes[GW_RUNG_COUNT] = {
    {GW_REASON_NONE, 0, 0},
#define GW_RUNG(NAME, spelling, HOW, refused, says) {GW_REASON_##refused, 0, 0},
#define GW_RUNG_FILE(NAME, spelling, HOW, refused, apply, run, says) {GW_REASON_##refused, apply, run},
#include "analysis/ir/rungs.def"
#undef GW_RUNG
};

void gw_rung_apply(gw_func *f) {
    for (unsigned rung = 0; rung < GW_RUNG_COUNT; rung++)
        if (gw_rung_homes[rung].apply) gw_rung_homes[rung].apply(f);
}

uint32_t gw_rung_run(const gw_func *f, gw_op first) {
    for (unsigned rung = 0; rung < GW_RUNG_COUNT; rung++)
        if (gw_rung_homes[rung].run && gw_rung_ends_in(rung, gw_op_at(f, first)->attr))
            return gw_rung_homes[rung].run(f, first);
    return 1;
}
