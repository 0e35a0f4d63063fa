/*
 * adjoint/values.c - the adjoints of primal values so far: read, added to, and those of outer values that a
 * part adds to.
 *
 * They stand in gw_adjoint.adjoint, with the states that travel as they do (adjoint/states.c).
 */
#include "rewriters/adjoint/adjoint_private.h"

#include <stdlib.h>

gw_value gw_adjoint_of(const gw_adjoint *a, gw_value primal) { return gw_map_get(&a->adjoint, primal); }

gw_value gw_adjoint_zero(gw_adjoint *a, gw_value primal) {
    return gw_real(&a->b, gw_typeof(a->primal, primal), 0);
}

void gw_adjoint_set_name(gw_adjoint *a, gw_value primal, gw_value adjoint) {
    if (gw_value_at(a->f, adjoint)->name) return;
    gw_str name = gw_adjoint_name(a, primal);
    gw_value_at(a->f, adjoint)->name = name;
}

void gw_adjoint_add(gw_adjoint *a, gw_value primal, gw_value contribution) {
    if (!gw_active_value(&a->activity, primal)) return;
    gw_value have = gw_adjoint_of(a, primal);
    gw_value sum = have ? gw_binary(&a->b, GW_OP_ADD, have, contribution) : contribution;
    gw_adjoint_set_name(a, primal, sum);
    gw_map_set(&a->adjoint, primal, sum);
}

static bool inside_op(const gw_func *f, gw_region r, gw_op op) {
    while (r) {
        gw_op parent = gw_region_at(f, r)->parent;
        if (parent == op) return true;
        r = parent ? gw_op_at(f, parent)->parent : 0;
    }
    return false;
}

static void collect_outer(gw_adjoint *a, gw_op op, gw_region r, gw_value_list *list, bool *have) {
    const gw_func *p = a->primal;
    for (gw_op in = gw_first(p, r); in; in = gw_walk(p, in, r)) {
        const gw_op_data *o = gw_op_at(p, in);
        for (uint32_t i = 0; i < o->operands; i++) {
            gw_value v = gw_operand(p, in, i);
            if (have[v] || !gw_active_value(&a->activity, v) || inside_op(p, gw_value_region(p, v), op))
                continue;
            have[v] = true;
            gw_push(list, v);
        }
    }
}

void gw_adjoint_outer_values(gw_adjoint *a, gw_op op, gw_value_list *list) {
    bool *have = gw_alloc(a->primal->values.count);
    for (uint32_t i = 0; i < gw_op_at(a->primal, op)->regions; i++)
        collect_outer(a, op, gw_op_at(a->primal, op)->region[i], list, have);
    free(have);
    gw_adjoint_collect_states(a, op, list);
}

gw_value gw_adjoint_unneeded(gw_adjoint *a, gw_type type) {
    gw_op op = gw_emit(&a->b, GW_OP_POP, type, 1, NULL, 0);
    gw_op_at(a->f, op)->object = a->poison;
    return gw_result(a->f, op, 0);
}
