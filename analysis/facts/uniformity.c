/*
 * uniformity.c - which values are the same in all threads that compute them together (contract: facts.h).
 *
 * A value is as uniform as the least uniform of what it is made of - but for what takes the lane away from a
 * thread's number (warps.c): threadIdx is divergent, blockIdx uniform in a block, parameters and dimensions in
 * the grid, what a barrier returns in a block. A load is as uniform as its index, if no other thread can change
 * the cell in between: of shared and changed global memory it is uniform in the block, as threads that run one
 * execution of a load at one cell are in one interval of barriers (race-freedom). What a branch or loop gives
 * is as uniform as its control, too. A popped value is as uniform as all that is pushed there and as the
 * control around the pushes. Least fixed point over the loops: everything starts uniform and only loses.
 */
#include "analysis/facts/facts.h"

#include "analysis/ir/restructure.h"
#include "analysis/facts/warps_private.h"

#include <stdlib.h>

typedef struct solver {
    gw_uniform *u;
    bool changed;
} solver;

static gw_uniformity most(gw_uniformity a, gw_uniformity b) { return a > b ? a : b; }
static gw_uniformity of(const gw_uniform *u, gw_value v) { return (gw_uniformity)u->value[v]; }

static void lose(solver *s, uint8_t *what, gw_uniformity level) {
    if (*what >= (uint8_t)level) return;
    *what = (uint8_t)level;
    s->changed = true;
}

gw_uniformity gw_uniform_control(const gw_uniform *u, gw_op op) {
    const gw_func *f = u->f;
    const gw_op_data *o = gw_op_at(f, op);
    gw_uniformity level = GW_UNIFORM_GRID;
    if (o->code == GW_OP_IF) return of(u, gw_operand(f, op, 0));
    for (uint32_t i = 0; o->code == GW_OP_FOR && i < 3; i++) level = most(level, of(u, gw_operand(f, op, i)));
    if (o->code == GW_OP_WHILE) level = of(u, gw_operand(f, gw_region_end(f, o->region[0]), 0));
    if (o->flags & GW_OP_EXIT)
        level = most(level, of(u, gw_operand(f, gw_region_end(f, gw_loop_body(f, op)), 0)));
    return level;
}

static gw_uniformity of_pushes(const gw_uniform *u, gw_object slot) {
    const gw_func *f = u->f;
    gw_uniformity level = GW_UNIFORM_GRID;
    if (f->form == GW_FORM_BWD) return GW_DIVERGENT; /* what threads of another launch have left */
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead || o->code != GW_OP_PUSH || o->object != slot) continue;
        level = most(level, most(of(u, gw_operand(f, op, 0)), (gw_uniformity)u->region[o->parent]));
    }
    return level;
}

/* What all lanes of the warp work out together; else other lanes may take part, which get another result. */
static gw_uniformity of_lanes(const gw_uniform *u, gw_op op) {
    const gw_op_data *o = gw_op_at(u->f, op);
    if (o->attr == GW_WARP_TILE_ROWS) return GW_UNIFORM_GRID;
    if (o->attr == GW_WARP_PRESENT) return GW_UNIFORM_WARP;
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
        if (special == GW_THREAD_IDX) return GW_DIVERGENT;
        return special == GW_BLOCK_IDX ? GW_UNIFORM_BLOCK : GW_UNIFORM_GRID;
    }
    if (o->code == GW_OP_BARRIER) return GW_UNIFORM_BLOCK;
    if (o->code == GW_OP_WARP) return of_lanes(u, op);
    if (o->code == GW_OP_POP) return of_pushes(u, o->object);
    for (uint32_t i = 0; i < o->operands; i++) level = most(level, of(u, gw_operand(f, op, i)));
    if (level == GW_DIVERGENT && gw_tells_warp(f, op, u->one_long, is_alike, u)) return GW_UNIFORM_WARP;
    if (o->code != GW_OP_LOAD) return o->object || (o->code == GW_OP_CALL && !o->callee) ? GW_DIVERGENT : level;
    if (kind == GW_OBJECT_LOCAL) return GW_DIVERGENT;
    return kind == GW_OBJECT_SHARED || u->changing[o->object] ? most(level, GW_UNIFORM_BLOCK) : level;
}

static void visit_loop(solver *s, gw_op op) {
    gw_uniform *u = s->u;
    const gw_func *f = u->f;
    const gw_op_data *o = gw_op_at(f, op);
    gw_region body = gw_loop_body(f, op);
    gw_uniformity control = gw_uniform_control(u, op);
    if (o->code == GW_OP_FOR)
        lose(s, &u->value[gw_arg(f, body, 0)], most(of(u, gw_operand(f, op, 0)), of(u, gw_operand(f, op, 2))));
    for (uint32_t i = 0; i < gw_loop_carried(f, op); i++) {
        gw_uniformity level =
            most(of(u, gw_operand(f, op, gw_loop_first_init(f, op) + i)),
                 of(u, gw_operand(f, gw_region_end(f, body), gw_loop_first_yield(f, op) + i)));
        lose(s, &u->value[gw_arg(f, body, gw_loop_first_arg(f, op) + i)], level);
        if (o->code == GW_OP_WHILE) lose(s, &u->value[gw_arg(f, o->region[0], i)], level);
        lose(s, &u->value[gw_result(f, op, i)], most(level, control));
    }
}

static void visit(solver *s, gw_region r) {
    gw_uniform *u = s->u;
    const gw_func *f = u->f;
    for (gw_op op = gw_first(f, r); op; op = gw_next(f, op)) {
        const gw_op_data *o = gw_op_at(f, op);
        gw_uniformity inside = (gw_uniformity)u->region[r];
        if (o->regions) inside = most(inside, gw_uniform_control(u, op));
        for (uint32_t i = 0; i < o->regions; i++) {
            lose(s, &u->region[o->region[i]], inside);
            visit(s, o->region[i]);
        }
        if (gw_is_loop(f, op)) visit_loop(s, op);
        for (uint32_t i = 0; i < o->results && !gw_is_loop(f, op); i++) {
            gw_uniformity level = o->code == GW_OP_IF ? gw_uniform_control(u, op) : of_result(u, op);
            for (uint32_t k = 0; k < o->regions; k++)
                level = most(level, of(u, gw_operand(f, gw_region_end(f, o->region[k]), i)));
            lose(s, &u->value[gw_result(f, op, i)], level);
        }
    }
}

void gw_uniform_new(gw_uniform *u, const gw_func *f) {
    *u = (gw_uniform){.f = f, .changing = gw_changing_objects(f)};
    gw_blocks_one_long(f, u->one_long);
    u->value = gw_alloc(f->values.count + 1);
    u->region = gw_alloc(f->regions.count + 1);
    solver s = {.u = u};
    do {
        s.changed = false;
        visit(&s, f->entry);
    } while (s.changed);
}

void gw_uniform_free(gw_uniform *u) {
    free(u->value);
    free(u->region);
    free(u->changing);
}

gw_op gw_uniform_divergence(const gw_uniform *u, gw_op op) {
    const gw_func *f = u->f;
    for (gw_op at = gw_region_at(f, gw_op_at(f, op)->parent)->parent; at;
         at = gw_region_at(f, gw_op_at(f, at)->parent)->parent)
        if (gw_uniform_control(u, at) > GW_UNIFORM_BLOCK) return at;
    return 0;
}
