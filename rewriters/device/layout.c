/*
 * layout.c - which thread of a block runs as which: lanes of a warp over 8 x 4 threads of a block, not over 16
 * x 2 or 32 x 1.
 *
 * Where a warp passes over what none of its lanes adds to (accumulate/skip.c), and what threads add to depends
 * on where they are in a plane, a warp whose threads lie close together has fewer such iterations to run: of a
 * shape of a by b that lies anywhere, a warp of w x h threads meets (a + w)(b + h), least where it is square.
 * A coarsened thread's instances are n tiles one below the other, so that each lies together as well
 * (coarsen.c): one of which no lane adds is passed over by itself.
 *
 * Sound because the threads of a block are permuted: each runs as one other, all are run (gw_tiled_thread is
 * one to one, or does nothing where the block cannot be cut so). That changes nothing but who is in a warp with
 * whom, on which must depend
 *  - no operation of the source's on lanes, and no uniformity that was concluded from threadIdx (rechecked
 *    here): additions that a warp makes together ask for the present lanes, and have cells that are the same in
 *    the whole block, or told to each other;
 *  - no slot of a tape that threads of another launch wrote (by the number of the thread as it is), unless that
 *    launch is laid out alike.
 * Flat blocks whose threads are rows of a plane, threadIdx.x % 16 and threadIdx.x / 16, are laid out as rows of
 * so many threads are.
 */
#include "rewriters/device/device.h"

#include "analysis/facts/facts.h"
#include "analysis/ir/query.h"
#include "analysis/ir/warp.h"
#include "analysis/ir/optional.h"

enum { TILE = 8 }; /* threads of a tile along x */

/* The compiler's: about the lanes that are present, whichever they are. */
static bool is_own_question(const gw_func *f, gw_op op) {
    uint16_t kind = gw_op_at(f, op)->attr;
    gw_op mask = gw_op_at(f, op)->operands ? gw_value_at(f, gw_operand(f, op, 0))->op : 0;
    bool present = mask && gw_op_at(f, mask)->code == GW_OP_WARP && gw_op_at(f, mask)->attr == GW_WARP_PRESENT;
    return kind == GW_WARP_PRESENT || kind == GW_WARP_LANE || kind == GW_WARP_MOST ||
           kind == GW_WARP_OF_ACTIVE || kind == GW_WARP_SAYING || kind == GW_WARP_TILE_ROWS ||
           (kind == GW_WARP_ANY && present);
}

/* The same in a warp, though made of what is not: concluded from which threads are in it. */
static bool is_concluded(const gw_uniform *u, gw_op op) {
    const gw_op_data *o = gw_op_at(u->f, op);
    gw_uniformity made_of = GW_UNIFORM_GRID;
    if (!o->results || o->regions || o->code == GW_OP_WARP || o->code == GW_OP_BARRIER) return false;
    for (uint32_t i = 0; i < o->operands; i++)
        if (u->value[gw_operand(u->f, op, i)] > made_of)
            made_of = (gw_uniformity)u->value[gw_operand(u->f, op, i)];
    bool thread = o->code == GW_OP_SPECIAL && o->attr / 4 == GW_THREAD_IDX;
    return (made_of == GW_DIVERGENT || thread) && u->value[o->first_result] < GW_DIVERGENT;
}

static bool takes_records(const gw_func *f) {
    for (gw_op op = 1; op < f->ops.count; op++)
        if (!gw_op_at(f, op)->dead && gw_op_at(f, op)->code == GW_OP_POP) return true;
    return false;
}

static bool depends_on_lanes(const gw_func *f) {
    gw_uniform u;
    bool depends = false;
    gw_uniform_new(&u, f);
    for (gw_op op = 1; op < f->ops.count && !depends; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead) continue;
        depends = o->code == GW_OP_SYNCWARP || (o->code == GW_OP_WARP && !is_own_question(f, op)) ||
                  o->code == GW_OP_CALL || is_concluded(&u, op);
    }
    gw_uniform_free(&u);
    return depends;
}

/* A COLLECT that warps pass over. */
static bool passes_over(const gw_func *f, gw_op collect) {
    gw_op branch = gw_op_around(f, collect);
    gw_op test =
        branch && gw_op_at(f, branch)->code == GW_OP_IF ? gw_value_at(f, gw_operand(f, branch, 0))->op : 0;
    gw_op vote = test && gw_op_at(f, test)->code == GW_OP_NE ? gw_value_at(f, gw_operand(f, test, 0))->op : 0;
    return vote && gw_op_at(f, vote)->code == GW_OP_WARP &&
           (gw_op_at(f, vote)->attr == GW_WARP_SAYING || gw_op_at(f, vote)->attr == GW_WARP_ANY);
}

bool gw_passes_over(const gw_func *f) {
    for (gw_op op = 1; op < f->ops.count; op++)
        if (!gw_op_at(f, op)->dead && gw_op_at(f, op)->code == GW_OP_COLLECT && passes_over(f, op)) return true;
    return false;
}

bool gw_stacks_tiles(const gw_func *f) {
    for (gw_op op = 1; f->coarse && op < f->ops.count; op++)
        if (!gw_op_at(f, op)->dead && gw_op_at(f, op)->code == GW_OP_WARP &&
            gw_op_at(f, op)->attr == GW_WARP_TILE_ROWS)
            return true;
    return false;
}

/* ---- flat blocks ---- */

/* v is what is left of threadIdx.x by rows of so many threads, or (`rest` false) the row; 0: neither. */
static uint32_t row_of(const gw_func *f, gw_op op, bool rest) {
    int64_t c;
    if (gw_op_at(f, op)->operands != 2 || !gw_const_int(f, gw_operand(f, op, 1), &c)) return 0;
    if (c <= 0 || c > GW_MOST_THREADS) return 0;
    const gw_op of = gw_made_by(f, gw_behind_casts(f, gw_operand(f, op, 0)), GW_OP_SPECIAL);
    if (!of || gw_op_at(f, of)->attr != GW_SPECIAL_ATTR(GW_THREAD_IDX, 0)) return 0;
    switch (gw_op_at(f, op)->code) {
    case GW_OP_REM: return rest ? (uint32_t)c : 0;
    case GW_OP_AND: return rest && (c & (c + 1)) == 0 ? (uint32_t)c + 1 : 0;
    case GW_OP_DIV: return rest ? 0 : (uint32_t)c;
    case GW_OP_SHR: return rest || c > 10 ? 0 : 1u << c;
    default: return 0;
    }
}

/* Threads of a row of the plane, where a block that is one long in y and z has rows of a constant length; 0: it
 * has none. */
static uint32_t flat_row(const gw_func *f) {
    uint32_t row[2] = {0};
    for (gw_op op = 1; op < f->ops.count; op++)
        for (uint32_t rest = 0; !gw_op_at(f, op)->dead && rest < 2; rest++) {
            const uint32_t found = row_of(f, op, rest);
            if (found && row[rest] && row[rest] != found) return 0;
            if (found) row[rest] = found;
        }
    return row[0] == row[1] && row[0] > TILE && row[0] % TILE == 0 ? row[0] : 0;
}

/* Its own warps pass over what none of their lanes adds, and it may not matter which thread is in which. */
static bool may_be_tiled(const gw_func *f, uint32_t *row) {
    bool asked[3] = {false};
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (!o->dead && o->code == GW_OP_SPECIAL && o->attr / 4 == GW_THREAD_IDX) asked[o->attr % 4] = true;
    }
    *row = !asked[1] && !f->coarse ? flat_row(f) : 0;
    return asked[0] && (asked[1] || *row) && !asked[2] && gw_passes_over(f) && !depends_on_lanes(f);
}

/* The second half takes from the tape what the first one left there for the thread of its number: both are laid
 * out alike, or none. What is measured has a room for each warp, of threads as they are. */
static bool halves_may_be(const gw_func *f, const gw_func *other) {
    return other && !f->coarse && !gw_companion(f, GW_FORM_MEASURE) && !depends_on_lanes(other);
}

bool gw_is_tiled(const gw_func *f, uint32_t *row) {
    uint32_t ignored;
    const gw_func *of = f->form == GW_FORM_FWD ? gw_companion(f, GW_FORM_BWD) : f;
    if (!of || of->kind != GW_FUNC_KERNEL || (of->coarse && !gw_stacks_tiles(of)) ||
        (of->form != GW_FORM_GRAD && of->form != GW_FORM_BWD))
        return false;
    const bool takes = of->form == GW_FORM_BWD && takes_records(of);
    if (takes && !halves_may_be(of, f == of ? gw_companion(f, GW_FORM_FWD) : f)) return false;
    return (f == of || takes) && may_be_tiled(of, row ? row : &ignored) &&
           gw_takes(f->session, GW_OPTIONAL_LAYOUT);
}
