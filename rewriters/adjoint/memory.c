/*
 * adjoint/memory.c - adjoints of loads and stores: a load's adjoint is added to the cell's shadow; a store
 * consumes the shadow (reads it, then zeroes it), since the cell's former value does not reach the output.
 * How an access is made safe against other threads is decided by the ownership pass alone.
 */
#include "rewriters/adjoint/recursion_private.h"
#include "rewriters/formula/formula.h"

#include <stdlib.h>
#include <string.h>

bool gw_adjoint_has_shadow(const gw_adjoint *a, gw_op op) {
    const gw_op_data *o = gw_op_at(a->primal, op);
    gw_object_kind kind = gw_object_at(a->primal, o->object)->kind;
    return gw_map_get(&a->shadow, o->object) &&
           (gw_object_is_inner(kind) || a->roles.input[op] || a->roles.output[op]);
}

bool gw_adjoint_shadow_cell(gw_adjoint *a, gw_op op, gw_adjoint_cell *at) {
    const gw_op_data *o = gw_op_at(a->primal, op);
    if (!gw_adjoint_has_shadow(a, op)) return false;
    gw_session *s = a->f->session;
    *at = (gw_adjoint_cell){.object = gw_map_get(&a->shadow, o->object), .path = o->path};
    if (gw_signature_is_behind(s, gw_object_at(a->primal, o->object), gw_object_at(a->f, at->object))) {
        char *text = gw_format("[]%s", gw_cstr(s, o->path));
        at->path = gw_intern(s, text);
        free(text);
        at->index[at->count++] = gw_int(&a->b, GW_T_I32, 0);
    }
    for (uint32_t i = 0; i < gw_index_count(a->primal, op); i++)
        at->index[at->count++] = gw_adjoint_value(a, gw_operand(a->primal, op, i));
    return true;
}

void gw_adjoint_load(gw_adjoint *a, gw_op op) {
    gw_adjoint_cell at;
    if (!gw_adjoint_shadow_cell(a, op, &at)) return;
    gw_value g = gw_adjoint_of(a, gw_result(a->primal, op, 0));
    gw_op made = gw_accum(&a->b, at.object, at.path, at.index, at.count, g);
    gw_op_at(a->f, made)->origin = op;
}

static bool is_result(const gw_adjoint *a, gw_object primal) {
    for (uint32_t i = 0; i < a->primal->params.count; i++)
        if (a->primal->params.at[i].object == primal) return a->primal->params.at[i].is_result;
    return false;
}

bool gw_adjoint_read_cell(gw_adjoint *a, gw_op op, gw_adjoint_cell *at) {
    gw_value value = gw_operand(a->primal, op, gw_op_at(a->primal, op)->operands - 1);
    if (!gw_type_is_float(gw_typeof(a->primal, value)) || !gw_adjoint_shadow_cell(a, op, at)) return false;
    gw_value g = gw_load(&a->b, at->object, at->path, at->index, at->count);
    gw_op_at(a->f, gw_value_at(a->f, g)->op)->origin = op;
    gw_adjoint_add(a, value, g);
    return true;
}


void gw_adjoint_store(gw_adjoint *a, gw_op op) {
    const gw_op_data *o = gw_op_at(a->primal, op);
    gw_value value = gw_operand(a->primal, op, o->operands - 1);
    gw_adjoint_cell at;
    if (!gw_adjoint_read_cell(a, op, &at)) return;
    if (is_result(a, o->object)) return; /* a seed is the callee's own, and nothing reads it again */
    gw_value zero = gw_real(&a->b, gw_typeof(a->primal, value), 0);
    gw_op made = gw_store(&a->b, at.object, at.path, at.index, at.count, zero);
    gw_op_at(a->f, made)->origin = op;
}

/* ---- stores of the primal that are performed and undone ---- */
void gw_adjoint_find_cell(gw_adjoint *a, gw_op op, gw_adjoint_cell *at) {
    const gw_op_data *o = gw_op_at(a->primal, op);
    *at = (gw_adjoint_cell){.object = gw_clone_object(&a->c, o->object), .path = o->path};
    for (uint32_t i = 0; i < gw_index_count(a->primal, op); i++)
        at->index[at->count++] = gw_adjoint_value(a, gw_operand(a->primal, op, i));
}

void gw_adjoint_perform_store(gw_adjoint *a, gw_op op) {
    gw_kept *kept = &a->kept[op];
    gw_adjoint_cell at;
    gw_adjoint_find_cell(a, op, &at);
    gw_value former = gw_load(&a->b, at.object, at.path, at.index, at.count);
    kept->undone = at.object;
    if (a->recording) {
        kept->slot = gw_adjoint_slot(a, gw_object_at(a->f, at.object)->name, gw_typeof(a->f, former));
        gw_adjoint_push(a, &a->b, kept->slot, former);
    } else {
        kept->former = former;
    }
    gw_clone_op(&a->c, op);
}

void gw_adjoint_undo_store(gw_adjoint *a, gw_op op) {
    gw_kept *kept = &a->kept[op];
    if (!kept->undone) return;
    gw_value value = gw_operand(a->primal, op, gw_op_at(a->primal, op)->operands - 1), former = kept->former;
    if (kept->slot) former = gw_adjoint_pop(a, &a->b, kept->slot, gw_typeof(a->primal, value), 0);
    gw_adjoint_cell at;
    gw_adjoint_find_cell(a, op, &at);
    at.object = kept->undone;
    gw_store(&a->b, at.object, at.path, at.index, at.count, former);
    if (kept->slot) a->frames.at[a->frames.count - 1].recorded = true;
}

gw_value gw_adjoint_extent(gw_adjoint *a, gw_object primal_object) {
    const gw_func *p = a->primal;
    for (gw_op op = 1; gw_object_at(p, primal_object)->sized && op < p->ops.count; op++) {
        const gw_op_data *o = gw_op_at(p, op);
        if (!o->dead && o->code == GW_OP_DECLARE && o->object == primal_object)
            return gw_adjoint_value(a, gw_operand(p, op, 0));
    }
    return 0;
}

void gw_adjoint_declare(gw_adjoint *a, gw_object object, gw_object primal_object) {
    gw_value extent = gw_adjoint_extent(a, primal_object);
    gw_op declare = gw_emit(&a->b, GW_OP_DECLARE, GW_T_VOID, 0, &extent, extent ? 1 : 0);
    gw_op_at(a->f, declare)->object = object;
}

void gw_adjoint_declare_shadow(gw_adjoint *a, gw_object primal_object) {
    gw_object shadow = gw_map_get(&a->shadow, primal_object);
    if (!shadow) return;
    gw_adjoint_declare(a, shadow, primal_object);
}
