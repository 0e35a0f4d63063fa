/*
 * accumulate/cost.c - what additions of a warp cost by each rung (contract: accumulate.h).
 *
 * In issue slots of one warp's scheduler, from measurements on an H200 (docs/performance.md): an atomic
 * addition of floats to shared memory is a loop of compare-and-swap that takes a turn for each lane on one
 * cell; one to global memory takes a turn in the L2 for each lane. A cell that all threads of the grid add into
 * has one place in one L2 slice: a turn there holds up the whole chip, some hundred schedulers. A sum over the
 * warp is five shuffles and additions and a vote; that over the block is that, two barriers and the sum of the
 * warps' sums; if the block alone has the cell, what then is added needs no turn. It pays where many warps wait
 * for one cell, not to save the turns of a block's warps.
 */
#include "rewriters/accumulate/accumulate_private.h"

#include "analysis/ir/reasons.h"
#include "analysis/ir/rungs.h"

enum {
    TURN_SHARED = 24,
    TURN_GLOBAL = 6,
    TURN_ONE_CELL = 400,
    SUM_WARP = 24,
    SUM_BLOCK = 120,
    WARPS = 8, /* of a block */
    LANES = 32
};

static gw_why of_costs(gw_reason reason, uint32_t lanes, uint32_t atomic, uint32_t warp, uint32_t block) {
    return (gw_why){reason, 4, {{0, lanes}, {0, atomic}, {0, warp}, {0, block}}};
}

gw_rung gw_accumulate_choose(const gw_additions *a, gw_rung wish, gw_why *why) {
    uint32_t turn = a->one_cell ? TURN_ONE_CELL : TURN_GLOBAL;
    if (a->shared) turn = TURN_SHARED;
    uint32_t atomic = turn * a->lanes, warp = SUM_WARP + turn, grid = SUM_WARP + SUM_BLOCK + turn / WARPS;
    uint32_t block = SUM_WARP + SUM_BLOCK;
    bool whole_block = a->block_comes && !a->shared;
    gw_rung best = GW_RUNG_ATOMIC;
    if (warp < atomic) best = GW_RUNG_WARP;
    if (whole_block && grid < warp && grid < atomic) best = GW_RUNG_GRID;
    if (a->of_block && block < warp && block < atomic) best = GW_RUNG_BLOCK;
    bool by_warp = wish == GW_RUNG_WARP || wish == GW_RUNG_BUTTERFLY || wish == GW_RUNG_SERIAL;
    if (by_warp || (wish == GW_RUNG_GRID && whole_block) || (wish == GW_RUNG_BLOCK && a->of_block)) best = wish;
    gw_reason reason =
        by_warp || best == GW_RUNG_WARP ? GW_REASON_WARP_COSTS_LEAST : GW_REASON_ATOMIC_COSTS_LEAST;
    if (best == GW_RUNG_BLOCK) reason = GW_REASON_BLOCK_COSTS_LEAST;
    if (best == GW_RUNG_GRID) reason = GW_REASON_GRID_COSTS_LEAST;
    *why = of_costs(reason, a->lanes, atomic, warp, best == GW_RUNG_GRID ? grid : block);
    return best;
}
