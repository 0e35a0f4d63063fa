/*
 * instances.c - what may differ between neighbouring threads of a block along one axis (contract:
 * instances_private.h).
 *
 * A value differs if it is made of threadIdx along that axis: through operands, loads at differing indices or
 * of the thread's own arrays, and results of branches and loops about which instances disagree. All else is the
 * same: threads that run one execution of a load at one cell are in one interval of barriers, and the primal
 * has no races (as in uniformity.c). What a barrier gives, and what the compiler's own collective operations
 * give, is one value for all: the instances answer these together. Results of the user's atomic operations and
 * calls differ. Least fixed point: everything starts the same and only loses.
 */
#include "rewriters/device/instances_private.h"

#include "analysis/ir/restructure.h"

#include <stdlib.h>

static void lose(gw_instances *s, bool *what, bool differs) {
    if (*what || !differs) return;
    *what = true;
    s->changed = true;
}

static bool any_operand(const gw_instances *s, gw_op op) {
    for (uint32_t i = 0; i < gw_op_at(s->f, op)->operands; i++)
        if (s->value[gw_operand(s->f, op, i)]) return true;
    return false;
}

bool gw_instances_diverge(const gw_instances *s, gw_op op) {
    const gw_func *f = s->f;
    const gw_op_data *o = gw_op_at(f, op);
    if (o->code == GW_OP_IF) return s->value[gw_operand(f, op, 0)];
    for (uint32_t i = 0; o->code == GW_OP_FOR && i < 3; i++)
        if (s->value[gw_operand(f, op, i)]) return true;
    if (o->code == GW_OP_WHILE && s->value[gw_operand(f, gw_region_end(f, o->region[0]), 0)]) return true;
    return o->flags & GW_OP_EXIT && s->value[gw_operand(f, gw_region_end(f, gw_loop_body(f, op)), 0)];
}

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
static void visit_private(gw_instances *s, gw_op op, bool divergent) {
    const gw_op_data *o = gw_op_at(s->f, op);
    if (!o->object || !gw_object_is_private(gw_object_at(s->f, o->object)->kind)) return;
    bool reads = o->code == GW_OP_LOAD, takes = o->code == GW_OP_POP || o->code == GW_OP_PUSH;
    bool differs = takes ? divergent || any_operand(s, op)
                         : !reads && (divergent || any_operand(s, op) || o->code == GW_OP_ADDRESS);
    lose(s, &s->object[o->object], differs);
}

static void visit_loop(gw_instances *s, gw_op op, bool diverges) {
    const gw_func *f = s->f;
    const gw_op_data *o = gw_op_at(f, op);
    gw_region body = gw_loop_body(f, op);
    if (o->code == GW_OP_FOR)
        lose(s, &s->value[gw_arg(f, body, 0)],
             s->value[gw_operand(f, op, 0)] || s->value[gw_operand(f, op, 2)]);
    for (uint32_t i = 0; i < gw_loop_carried(f, op); i++) {
        bool differs = s->value[gw_operand(f, op, gw_loop_first_init(f, op) + i)] ||
                       s->value[gw_operand(f, gw_region_end(f, body), gw_loop_first_yield(f, op) + i)];
        lose(s, &s->value[gw_arg(f, body, gw_loop_first_arg(f, op) + i)], differs);
        if (o->code == GW_OP_WHILE) lose(s, &s->value[gw_arg(f, o->region[0], i)], differs);
        lose(s, &s->value[gw_result(f, op, i)], differs || diverges);
    }
}

static void visit(gw_instances *s, gw_region r) {
    const gw_func *f = s->f;
    for (gw_op op = gw_first(f, r); op; op = gw_next(f, op)) {
        const gw_op_data *o = gw_op_at(f, op);
        bool diverges = o->regions && gw_instances_diverge(s, op);
        for (uint32_t i = 0; i < o->regions; i++) {
            lose(s, &s->region[o->region[i]], s->region[r] || diverges);
            visit(s, o->region[i]);
        }
        visit_private(s, op, s->region[r]);
        if (gw_is_loop(f, op)) visit_loop(s, op, diverges);
        for (uint32_t i = 0; i < o->results && !gw_is_loop(f, op); i++) {
            bool differs = o->code == GW_OP_IF ? diverges : result_differs(s, op);
            for (uint32_t k = 0; k < o->regions; k++)
                differs |= s->value[gw_operand(f, gw_region_end(f, o->region[k]), i)];
            lose(s, &s->value[gw_result(f, op, i)], differs);
        }
    }
}

void gw_instances_new(gw_instances *s, const gw_func *f, unsigned axis) {
    *s = (gw_instances){.f = f, .axis = axis};
    s->value = gw_alloc(f->values.count + 1);
    s->object = gw_alloc(f->objects.count + 1);
    s->region = gw_alloc(f->regions.count + 1);
    do {
        s->changed = false;
        visit(s, f->entry);
    } while (s->changed);
}

void gw_instances_free(gw_instances *s) {
    free(s->value);
    free(s->object);
    free(s->region);
}
