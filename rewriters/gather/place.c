/*
 * gather/place.c - what of a loop's values differs between the threads along the axis, and which of those any
 * thread can make for any other one (contract: gather_private.h; rules: gather.c).
 */
#include "rewriters/gather/gather_private.h"

#include "analysis/facts/facts.h"
#include "analysis/ir/query.h"
#include "analysis/ir/rungs.h"

bool gw_gather_may(const gw_func *f, gw_op add) {
    gw_rung rung = gw_asked_rung_at(f, add);
    return rung == GW_RUNG_AUTO || rung == GW_RUNG_GATHER;
}

/* ---- memory ---- */
static bool writes(const gw_op_data *o) {
    if (o->code == GW_OP_ADDRESS) return (o->flags & GW_OP_WRITES) != 0;
    return o->code != GW_OP_LOAD && gw_op_rows[o->code].effect == GW_EFFECT_WRITE;
}

/* Nobody in the block writes the object while others may be at `op`; sums into it count where `sums` says
 * so. */
static bool is_quiet(const gw_gather *g, gw_object object, gw_op op, bool sums) {
    for (gw_op at = 1; at < g->f->ops.count; at++) {
        const gw_op_data *o = gw_op_at(g->f, at);
        if (o->dead || o->object != object || !writes(o) || (!sums && o->code == GW_OP_ACCUM)) continue;
        if (gw_intervals_meet(&g->intervals, at, op)) return false;
    }
    return true;
}

bool gw_gather_is_readable(const gw_gather *g, gw_op load) {
    const gw_op_data *o = gw_op_at(g->f, load);
    gw_object_kind kind = gw_object_at(g->f, o->object)->kind;
    if (gw_object_is_private(kind)) return false;
    if (!g->uniform.changing[o->object]) return true;
    return kind == GW_OBJECT_SHARED && is_quiet(g, o->object, load, true);
}

/* ---- what differs along the axis ---- */
static bool in_loop(const gw_turn *t, gw_region r) {
    return gw_region_inside(t->g->f, r, gw_loop_body(t->g->f, t->loop));
}

static bool may_vary(gw_turn *t, gw_value v) {
    const gw_func *f = t->g->f;
    gw_op op = gw_value_at(f, v)->op;
    if (t->g->uniform.value[v] <= GW_UNIFORM_BLOCK) return false;
    if (!op) return true;
    const gw_op_data *o = gw_op_at(f, op);
    if (o->code == GW_OP_SPECIAL) return o->attr / 4 == GW_THREAD_IDX && o->attr % 4 == t->axis;
    bool again = gw_op_rows[o->code].effect == GW_EFFECT_PURE;
    if (o->code == GW_OP_LOAD)
        again = in_loop(t, o->parent) ? gw_gather_is_readable(t->g, op)
                                      : !t->g->uniform.changing[o->object] &&
                                            !gw_object_is_private(gw_object_at(f, o->object)->kind);
    for (uint32_t i = 0; again && i < o->operands; i++) again = !gw_gather_varies(t, gw_operand(f, op, i));
    return !again;
}

bool gw_gather_varies(gw_turn *t, gw_value v) {
    if (!t->varies[v]) {
        t->varies[v] = 2;
        t->varies[v] = may_vary(t, v) ? 2 : 1;
    }
    return t->varies[v] == 2;
}

static bool place(gw_turn *t, gw_value v, uint32_t *budget) {
    const gw_func *f = t->g->f;
    if (!gw_gather_varies(t, v)) return true;
    gw_op op = gw_value_at(f, v)->op;
    if (!op || !*budget) return false;
    --*budget;
    const gw_op_data *o = gw_op_at(f, op);
    if (o->code == GW_OP_SPECIAL) return true;
    gw_type type = gw_typeof(f, v);
    if (gw_op_rows[o->code].effect != GW_EFFECT_PURE || (!gw_type_is_integer(type) && type != GW_T_BOOL))
        return false;
    for (uint32_t i = 0; i < o->operands; i++)
        if (!place(t, gw_operand(f, op, i), budget)) return false;
    return true;
}

bool gw_gather_is_place(gw_turn *t, gw_value v) {
    uint32_t budget = 10;
    return place(t, v, &budget);
}
