/*
 * activity.c - which values and objects carry a derivative for one request: varied (depends on an input)
 * and useful (an output depends on it).
 *
 * Flow-insensitive for memory: a cell is varied once a varied value is stored to it anywhere, whatever its
 * indices; members of one object are apart, since different paths never reach one cell (ir.h). Values
 * flow through the regions' yields and arguments. Both are least fixed points, so more is called active
 * than is, never less.
 */
#include "analysis/facts/facts.h"

#include "analysis/ir/device.h"
#include "analysis/ir/restructure.h"
#include "analysis/ir/warp.h"

#include <stdlib.h>

typedef struct flow {
    gw_activity *a;
    const gw_device_links *links; /* NULL: what a program's calls do is not known */
    bool changed;
} flow;

static void set(flow *w, bool *flag) {
    if (*flag) return;
    *flag = true;
    w->changed = true;
}

/* `to` becomes varied with `from`; `from` becomes useful with `to`. */
static void link(flow *w, gw_value from, gw_value to) {
    gw_activity *a = w->a;
    if (!gw_type_is_float(gw_typeof(a->f, from)) || !gw_type_is_float(gw_typeof(a->f, to))) return;
    if (a->varied_value[from]) set(w, &a->varied_value[to]);
    if (a->useful_value[to]) set(w, &a->useful_value[from]);
}

static void link_memory(flow *w, gw_op op) {
    gw_activity *a = w->a;
    const gw_op_data *o = gw_op_at(a->f, op);
    bool load = o->code == GW_OP_LOAD;
    uint32_t cell = a->cell[op];
    gw_value v = load ? o->first_result : gw_operand(a->f, op, o->operands - 1);
    if (!gw_type_is_float(gw_typeof(a->f, v))) return;
    if (load && a->varied_cell[cell]) set(w, &a->varied_value[v]);
    if (load && a->useful_value[v]) set(w, &a->useful_cell[cell]);
    if (!load && a->varied_value[v]) set(w, &a->varied_cell[cell]);
    if (!load && a->useful_cell[cell]) set(w, &a->useful_value[v]);
    if (o->code == GW_OP_ATOMIC && o->results) { /* what the cell held */
        if (a->varied_cell[cell]) set(w, &a->varied_value[o->first_result]);
        if (a->useful_value[o->first_result]) set(w, &a->useful_cell[cell]);
    }
    a->varied_object[o->object] |= a->varied_cell[cell];
    a->useful_object[o->object] |= a->useful_cell[cell];
}

static void link_regions(flow *w, gw_op op) {
    const gw_func *f = w->a->f;
    const gw_op_data *o = gw_op_at(f, op);
    if (o->code == GW_OP_IF) {
        for (uint32_t side = 0; side < 2; side++)
            for (uint32_t i = 0; i < o->results; i++)
                link(w, gw_yielded(f, o->region[side], i), gw_result(f, op, i));
        return;
    }
    for (uint32_t i = 0; i < o->results; i++) {
        gw_value init = gw_loop_init(f, op, i);
        gw_value arg = gw_loop_arg(f, op, i);
        gw_value next = gw_loop_next(f, op, i);
        link(w, init, arg);
        link(w, next, arg);
        link(w, init, gw_result(f, op, i));
        link(w, next, gw_result(f, op, i));
    }
}

/* ---- calls: everything that goes in reaches everything that comes out ----
 * Of one with effects: what goes in may reach others, and what comes out may come from them. */
typedef struct call_flow {
    bool varied, useful; /* something that goes in; something that comes out */
} call_flow;

static bool carries(const gw_func *f, gw_op address) {
    return gw_type_is_float(gw_cell_type(f, gw_op_at(f, address)->object, gw_op_at(f, address)->path));
}

static call_flow survey_call(const gw_activity *a, gw_op op) {
    const gw_op_data *o = gw_op_at(a->f, op);
    call_flow c = {.varied = gw_is_ordered(a->f, op), .useful = gw_is_ordered(a->f, op)};
    for (uint32_t i = 0; i < o->operands; i++) {
        gw_value v = gw_operand(a->f, op, i);
        gw_op address = gw_operand_address(a->f, op, i);
        uint16_t flags = address && carries(a->f, address) ? gw_op_at(a->f, address)->flags : 0;
        c.varied |= (gw_type_is_float(gw_typeof(a->f, v)) && a->varied_value[v]) ||
                    (flags & GW_OP_READS && a->varied_cell[a->cell[address]]);
        c.useful |= flags & GW_OP_WRITES && a->useful_cell[a->cell[address]];
    }
    c.useful |= o->results && a->useful_value[o->first_result];
    return c;
}

static void link_call(flow *w, gw_op op) {
    gw_activity *a = w->a;
    const gw_op_data *o = gw_op_at(a->f, op);
    call_flow c = survey_call(a, op);
    if (c.varied && o->results && gw_type_is_float(gw_typeof(a->f, o->first_result)))
        set(w, &a->varied_value[o->first_result]);
    for (uint32_t i = 0; i < o->operands; i++) {
        gw_value v = gw_operand(a->f, op, i);
        gw_op address = gw_operand_address(a->f, op, i);
        if (c.useful && gw_type_is_float(gw_typeof(a->f, v))) set(w, &a->useful_value[v]);
        if (!address || !carries(a->f, address)) continue;
        const gw_op_data *at = gw_op_at(a->f, address);
        uint32_t cell = a->cell[address];
        if (c.varied && at->flags & GW_OP_WRITES) set(w, &a->varied_cell[cell]);
        if (c.useful && at->flags & GW_OP_READS) set(w, &a->useful_cell[cell]);
        a->varied_object[at->object] |= a->varied_cell[cell];
        a->useful_object[at->object] |= a->useful_cell[cell];
    }
}

static bool is_nondifferentiable(const gw_func *f, gw_op call) {
    const gw_rule *rule = gw_rule_find(f->session, gw_op_at(f, call)->callee);
    return rule && rule->is_nondifferentiable;
}

static bool differentiable(const gw_op_data *o) {
    return gw_op_rows[o->code].adjoint == GW_ADJOINT_FORMULA || o->code == GW_OP_SELECT ||
           o->code == GW_OP_CAST || o->code == GW_OP_ROUNDING || o->code == GW_OP_FOLLOW;
}

/* From texels, where the request names the texture, and from coordinates. */
static void link_texture(flow *w, gw_op op) {
    gw_activity *a = w->a;
    const gw_op_data *o = gw_op_at(a->f, op);
    if (a->varied_value[gw_operand(a->f, op, 0)]) set(w, &a->varied_value[o->first_result]);
    for (uint32_t i = 1; i < o->operands; i++) link(w, gw_operand(a->f, op, i), o->first_result);
}

/* What kernels are given reaches memory, which nobody looks into here; what a call gives comes from there. */
static void use_in_launch(flow *w, gw_op op) {
    const gw_op_data *o = gw_op_at(w->a->f, op);
    if (w->links) {
        w->changed |= w->links->link(w->links->context, w->a, op);
        return;
    }
    if (gw_device_is_passive(w->a->f, op)) return;
    for (uint32_t i = 0; i < o->operands; i++) {
        gw_value v = gw_operand(w->a->f, op, i);
        if (gw_type_is_float(gw_typeof(w->a->f, v))) set(w, &w->a->useful_value[v]);
    }
    for (uint32_t i = 0; i < o->results; i++) { /* and what they wrote comes from it */
        gw_value v = gw_result(w->a->f, op, i);
        if (gw_type_is_float(gw_typeof(w->a->f, v))) set(w, &w->a->varied_value[v]);
    }
}

static void visit_op(flow *w, gw_op op) {
    const gw_func *f = w->a->f;
    const gw_op_data *o = gw_op_at(f, op);
    if (o->code == GW_OP_LOAD || o->code == GW_OP_STORE || o->code == GW_OP_ATOMIC) link_memory(w, op);
    else if (o->regions) link_regions(w, op);
    else if (o->code == GW_OP_CALL && !is_nondifferentiable(f, op)) link_call(w, op);
    else if (o->code == GW_OP_WARP && gw_warp_rows[o->attr].transpose)
        link(w, gw_operand(f, op, 1), o->first_result);
    else if (o->code == GW_OP_TEXTURE) link_texture(w, op);
    else if (o->code == GW_OP_DEVICE) use_in_launch(w, op);
    else if (differentiable(o) && o->results)
        for (uint32_t i = 0; i < o->operands; i++) link(w, gw_operand(f, op, i), o->first_result);
}

/* What is varied goes on in the order of the ops, what is useful against it: a sweep each way carries both
 * far. */
static void visit(flow *w, gw_region r, bool back) {
    const gw_func *f = w->a->f;
    for (gw_op op = back ? gw_last(f, r) : gw_first(f, r); op; op = back ? gw_prev(f, op) : gw_next(f, op)) {
        const gw_op_data *o = gw_op_at(f, op);
        visit_op(w, op);
        for (uint32_t i = 0; i < o->regions; i++) visit(w, o->region[i], back);
        if (o->regions) link_regions(w, op);
    }
}

static void seed(gw_activity *a, const gw_roles *r) {
    const gw_func *f = a->f;
    for (uint32_t i = 0; i < f->params.count; i++) {
        const gw_param *p = &f->params.at[i];
        if (r->independent[i] && p->value) a->varied_value[p->value] = true;
        if (r->independent[i] && p->object) a->varied_object[p->object] = true;
        if (r->dependent[i] && p->object) a->useful_object[p->object] = true;
    }
    for (gw_op op = 1; op < f->ops.count; op++) {
        if (r->input[op]) a->varied_cell[a->cell[op]] = true;
        if (r->output[op]) a->useful_cell[a->cell[op]] = true;
        /* by its rounding, whatever it is made of */
        if (gw_op_at(f, op)->code == GW_OP_ROUNDING) a->varied_value[gw_result(f, op, 0)] = true;
    }
    gw_op end = gw_region_end(f, f->entry);
    if (r->returned && end && gw_op_at(f, end)->operands) a->useful_value[gw_operand(f, end, 0)] = true;
}

void gw_activity_of_program(gw_activity *a, const gw_func *f, const gw_roles *roles,
                            const gw_device_links *links) {
    a->f = f;
    a->varied_value = gw_alloc(f->values.count);
    a->useful_value = gw_alloc(f->values.count);
    a->varied_object = gw_alloc(f->objects.count);
    a->useful_object = gw_alloc(f->objects.count);
    a->cell = gw_alloc(f->ops.count * sizeof *a->cell);
    uint32_t cells = gw_number_cells(f, a->cell);
    a->varied_cell = gw_alloc(cells + 1);
    a->useful_cell = gw_alloc(cells + 1);
    seed(a, roles);
    flow w = {.a = a, .links = links};
    do {
        w.changed = false;
        visit(&w, f->entry, false);
        visit(&w, f->entry, true);
    } while (w.changed);
}

void gw_activity_new(gw_activity *a, const gw_func *f, const gw_roles *roles) {
    gw_activity_of_program(a, f, roles, NULL);
}

void gw_activity_free(gw_activity *a) {
    free(a->varied_value);
    free(a->useful_value);
    free(a->varied_object);
    free(a->useful_object);
    free(a->cell);
    free(a->varied_cell);
    free(a->useful_cell);
}
