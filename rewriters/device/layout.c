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
 *  - no slot of a tape that threads of another launch wrote (by the number of the thread as it is).
 */
#include "rewriters/device/device.h"

#include "analysis/facts/facts.h"
#include "analysis/ir/query.h"
#include "analysis/ir/warp.h"
#include "analysis/ir/optional.h"

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

static bool depends_on_lanes(const gw_func *f) {
    gw_uniform u;
    bool depends = false;
    gw_uniform_new(&u, f);
    for (gw_op op = 1; op < f->ops.count && !depends; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead) continue;
        depends = o->code == GW_OP_SYNCWARP || (o->code == GW_OP_WARP && !is_own_question(f, op)) ||
                  o->code == GW_OP_CALL || (o->code == GW_OP_POP && f->form == GW_FORM_BWD) ||
                  is_concluded(&u, op);
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

bool gw_is_tiled(const gw_func *f) {
    bool asked[3] = {false};
    if (f->kind != GW_FUNC_KERNEL || (f->coarse && !gw_stacks_tiles(f)) ||
        (f->form != GW_FORM_GRAD && f->form != GW_FORM_BWD))
        return false;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead) continue;
        if (o->code == GW_OP_SPECIAL && o->attr / 4 == GW_THREAD_IDX) asked[o->attr % 4] = true;
    }
    return asked[0] && asked[1] && !asked[2] && gw_passes_over(f) && !depends_on_lanes(f) &&
           gw_takes(f->session, GW_OPTIONAL_LAYOUT);
}
