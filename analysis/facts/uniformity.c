/*
 * uniformity.c - which values are the same in all threads that compute them together (contract: facts.h).
 *
 * A value is as uniform as the least uniform of what it is made of - but for what takes the lane away from a
 * thread's number (warps.c): threadIdx is divergent, blockIdx uniform in a block, parameters and dimensions in
 * the grid, what a barrier returns in a block. A load is as uniform as its index, if no other thread can change
 * the cell in between: of shared and changed global memory it is uniform in the block, as threads that run one
 * execution of a load at one cell are in one interval of barriers (race-freedom). What a branch or loop gives
 * is as uniform as its control, too. A popped value is as uniform as all that is pushed there and as the
 * control around the pushes; of what a first half has left, what is the same for a block. Everything starts
 * uniform and only loses (spread.c).
 */
#include "analysis/facts/facts.h"

#include "analysis/facts/warps_private.h"
#include "analysis/ir/restructure.h"
#include "analysis/ir/warp.h"

#include <stdlib.h>

static gw_uniformity most(gw_uniformity a, gw_uniformity b) { return a > b ? a : b; }
static gw_uniformity of(const gw_uniform *u, gw_value v) { return (gw_uniformity)u->value[v]; }

gw_uniformity gw_uniform_control(const gw_uniform *u, gw_op op) {
    return (gw_uniformity)gw_spread_control(u->f, u->value, op);
}

/* What threads of the first half's launch have left: the same for a block, or unknown. */
static gw_uniformity of_first_half(const gw_uniform *u, gw_object slot) {
    return u->left && u->left[slot] <= GW_UNIFORM_BLOCK ? (gw_uniformity)u->left[slot] : GW_DIVERGENT;
}

static gw_uniformity of_pushes(const gw_uniform *u, gw_object slot) {
    const gw_func *f = u->f;
    gw_uniformity level = GW_UNIFORM_GRID;
    if (f->form == GW_FORM_BWD) return of_first_half(u, slot);
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead || o->code != GW_OP_PUSH || o->object != slot) continue;
        level = most(level, most(of(u, gw_operand(f, op, 0)), (gw_uniformity)u->region[o->parent]));
    }
    return level;
}

/* All lanes are named, so all of them take part. */
static bool names_all_lanes(const gw_func *f, gw_op op) {
    int64_t mask;
    return gw_const_int(f, gw_operand(f, op, 0), &mask) && (uint32_t)mask == UINT32_MAX;
}

/* What all lanes of the warp work out together; else other lanes may take part, which get another result. */
static gw_uniformity of_lanes(const gw_uniform *u, gw_op op) {
    const gw_op_data *o = gw_op_at(u->f, op);
    if (o->attr == GW_WARP_TILE_ROWS) return GW_UNIFORM_GRID;
    if (o->attr == GW_WARP_PRESENT) return GW_UNIFORM_WARP;
    const bool counts = o->attr == GW_WARP_BALLOT || o->attr == GW_WARP_ANY || o->attr == GW_WARP_ALL;
    if (counts && names_all_lanes(u->f, op)) return GW_UNIFORM_WARP;
    bool agree = o->attr == GW_WARP_MOST || o->attr == GW_WARP_OF_ACTIVE || o->attr == GW_WARP_SAYING ||
                 o->attr == GW_WARP_ANY;
    gw_op mask = agree ? gw_value_at(u->f, gw_operand(u->f, op, 0))->op : 0;
    return mask && gw_op_at(u->f, mask)->attr == GW_WARP_PRESENT && gw_op_at(u->f, mask)->code == GW_OP_WARP
               ? GW_UNIFORM_WARP
               : GW_DIVERGENT;
}

static bool is_alike(const void *context, gw_value v) { return of(context, v) <= GW_UNIFORM_WARP; }

static gw_uniformity of_result(const gw_uniform *u, gw_op op) {
    const gw_func *f = u->f;
    const gw_op_data *o = gw_op_at(f, op);
    gw_object_kind kind = gw_object_at(f, o->object)->kind;
    gw_uniformity level = GW_UNIFORM_GRID;
    if (o->code == GW_OP_SPECIAL) {
        unsigned special = o->attr / 4;
        if (special == GW_THREAD_IDX) return u->shape.whole && o->attr % 4 ? GW_UNIFORM_WARP : GW_DIVERGENT;
        return special == GW_BLOCK_IDX ? GW_UNIFORM_BLOCK : GW_UNIFORM_GRID;
    }
    if (o->code == GW_OP_BARRIER) return GW_UNIFORM_BLOCK;
    if (o->code == GW_OP_WARP) return of_lanes(u, op);
    if (o->code == GW_OP_POP) return of_pushes(u, o->object);
    for (uint32_t i = 0; i < o->operands; i++) level = most(level, of(u, gw_operand(f, op, i)));
    if (level == GW_DIVERGENT && gw_tells_warp(f, op, &u->shape, is_alike, u)) return GW_UNIFORM_WARP;
    if (o->code != GW_OP_LOAD) return o->object || (o->code == GW_OP_CALL && !o->callee) ? GW_DIVERGENT : level;
    if (kind == GW_OBJECT_LOCAL) return GW_DIVERGENT;
    return kind == GW_OBJECT_SHARED || u->changing[o->object] ? most(level, GW_UNIFORM_BLOCK) : level;
}

static uint8_t level_of(gw_spread *s, gw_op op) {
    return gw_op_at(s->f, op)->results ? (uint8_t)of_result(s->context, op) : 0;
}

static bool is_slot(const gw_func *f, gw_object o) { return gw_object_at(f, o)->kind == GW_OBJECT_TAPE; }

/* By object, how uniform the slots are that a second half finds. Both halves have all slots of the function
 * that they were cut from, in its order. */
static uint8_t *levels_left(const gw_func *f) {
    const gw_func *first = f->form == GW_FORM_BWD ? gw_companion(f, GW_FORM_FWD) : NULL;
    if (!first) return NULL;
    uint8_t *left = gw_alloc(f->objects.count + 1);
    gw_object own = 1;
    gw_uniform u;
    gw_uniform_new(&u, first);
    for (gw_object o = 1; o < first->objects.count; o++) {
        if (!is_slot(first, o)) continue;
        while (own < f->objects.count && !is_slot(f, own)) own++;
        if (own < f->objects.count) left[own++] = (uint8_t)of_pushes(&u, o);
    }
    gw_uniform_free(&u);
    return left;
}

static void start(gw_uniform *u, const gw_func *f, bool whole) {
    *u = (gw_uniform){.f = f, .shape.whole = whole, .changing = gw_changing_objects(f)};
    gw_blocks_one_long(f, u->shape.one_long);
    u->left = levels_left(f);
    u->value = gw_alloc(f->values.count + 1);
    u->region = gw_alloc(f->regions.count + 1);
    gw_spread_solve(
        &(gw_spread){.f = f, .value = u->value, .region = u->region, .level = level_of, .context = u});
}

void gw_uniform_new(gw_uniform *u, const gw_func *f) { start(u, f, false); }

void gw_uniform_of_whole_warps(gw_uniform *u, const gw_func *f) { start(u, f, true); }

void gw_uniform_free(gw_uniform *u) {
    free(u->value);
    free(u->region);
    free(u->changing);
    free(u->left);
}

gw_op gw_uniform_divergence(const gw_uniform *u, gw_op op) {
    const gw_func *f = u->f;
    for (gw_op at = gw_op_around(f, op); at; at = gw_op_around(f, at))
        if (gw_uniform_control(u, at) > GW_UNIFORM_BLOCK) return at;
    return 0;
}
