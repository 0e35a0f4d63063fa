/*
 * instances.c - what may differ between neighbouring threads of a block along one axis (contract:
 * instances_private.h).
 *
 * A value differs if it is made of threadIdx along that axis: through operands, loads at differing indices or
 * of the thread's own arrays, and results of branches and loops about which instances disagree. All else is the
 * same: threads that run one execution of a load at one cell are in one interval of barriers, and the primal
 * has no races (as in uniformity.c). What a barrier gives, and what the compiler's own collective operations
 * give, is one value for all: the instances answer these together. Results of the user's atomic operations and
 * calls differ. Everything starts the same and only loses (spread.c).
 */
#include "rewriters/device/instances_private.h"

#include "analysis/facts/facts.h"

#include <stdlib.h>

static bool any_operand(const gw_instances *s, gw_op op) {
    for (uint32_t i = 0; i < gw_op_at(s->f, op)->operands; i++)
        if (s->value[gw_operand(s->f, op, i)]) return true;
    return false;
}

bool gw_instances_diverge(const gw_instances *s, gw_op op) { return gw_spread_control(s->f, s->value, op); }

static bool result_differs(const gw_instances *s, gw_op op) {
    const gw_op_data *o = gw_op_at(s->f, op);
    switch (o->code) {
    case GW_OP_SPECIAL: return o->attr == GW_SPECIAL_ATTR(GW_THREAD_IDX, s->axis);
    case GW_OP_BARRIER: return false;
    case GW_OP_WARP: return false; /* of a kind that is not the compiler's own: refused (coarsen.c) */
    case GW_OP_ATOMIC:
    case GW_OP_CALL: return true;
    case GW_OP_POP: return s->object[o->object];
    case GW_OP_LOAD: return any_operand(s, op) || s->object[o->object];
    default: return any_operand(s, op);
    }
}

/* The thread's own memory: one will do as long as every instance does the same with it. */
static bool needs_own(const gw_instances *s, gw_op op) {
    const gw_op_data *o = gw_op_at(s->f, op);
    if (!o->object || !gw_object_is_private(gw_object_at(s->f, o->object)->kind)) return false;
    bool reads = o->code == GW_OP_LOAD, addresses = o->code == GW_OP_ADDRESS;
    return !reads && (s->region[o->parent] || any_operand(s, op) || addresses);
}

static uint8_t level_of(gw_spread *spread, gw_op op) {
    gw_instances *s = spread->context;
    if (needs_own(s, op)) gw_spread_raise(spread, &s->object[gw_op_at(s->f, op)->object], 1);
    return gw_op_at(s->f, op)->results && result_differs(s, op);
}

void gw_instances_new(gw_instances *s, const gw_func *f, unsigned axis) {
    *s = (gw_instances){.f = f, .axis = axis};
    s->value = gw_alloc(f->values.count + 1);
    s->object = gw_alloc(f->objects.count + 1);
    s->region = gw_alloc(f->regions.count + 1);
    gw_spread_solve(
        &(gw_spread){.f = f, .value = s->value, .region = s->region, .level = level_of, .context = s});
}

void gw_instances_free(gw_instances *s) {
    free(s->value);
    free(s->object);
    free(s->region);
}
