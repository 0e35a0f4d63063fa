/*
 * activity.c - which values and objects carry a derivative for one request: varied (depends on an input)
 * and useful (an output depends on it).
 *
 * Flow-insensitive for memory: an object is varied once a varied value is stored to it anywhere. Values
 * flow through the regions' yields and arguments. Both are least fixed points, so more is called active
 * than is, never less.
 */
#include "activity.h"

#include "restructure.h"

#include <stdlib.h>

typedef struct flow {
    gw_activity *a;
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
    if (o->code == GW_OP_LOAD) {
        gw_value v = o->first_result;
        if (!gw_type_is_float(gw_typeof(a->f, v))) return;
        if (a->varied_object[o->object]) set(w, &a->varied_value[v]);
        if (a->useful_value[v]) set(w, &a->useful_object[o->object]);
    } else {
        gw_value v = gw_operand(a->f, op, o->operands - 1);
        if (!gw_type_is_float(gw_typeof(a->f, v))) return;
        if (a->varied_value[v]) set(w, &a->varied_object[o->object]);
        if (a->useful_object[o->object]) set(w, &a->useful_value[v]);
    }
}

static void link_regions(flow *w, gw_op op) {
    const gw_func *f = w->a->f;
    const gw_op_data *o = gw_op_at(f, op);
    if (o->code == GW_OP_IF) {
        for (uint32_t side = 0; side < 2; side++)
            for (uint32_t i = 0; i < o->results; i++)
                link(w, gw_operand(f, gw_region_end(f, o->region[side]), i), gw_result(f, op, i));
        return;
    }
    gw_region body = gw_loop_body(f, op);
    for (uint32_t i = 0; i < o->results; i++) {
        gw_value init = gw_operand(f, op, gw_loop_first_init(f, op) + i);
        gw_value arg = gw_arg(f, body, gw_loop_first_arg(f, op) + i);
        gw_value next = gw_operand(f, gw_region_end(f, body), gw_loop_first_yield(f, op) + i);
        link(w, init, arg);
        link(w, next, arg);
        link(w, init, gw_result(f, op, i));
        link(w, next, gw_result(f, op, i));
    }
}

static bool differentiable(const gw_op_data *o) {
    return gw_op_rows[o->code].adjoint == GW_ADJOINT_FORMULA || o->code == GW_OP_SELECT || o->code == GW_OP_CAST ||
           o->code == GW_OP_CALL;
}

static void visit(flow *w, gw_region r) {
    const gw_func *f = w->a->f;
    for (gw_op op = gw_first(f, r); op; op = gw_next(f, op)) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->code == GW_OP_LOAD || o->code == GW_OP_STORE) link_memory(w, op);
        else if (o->regions) link_regions(w, op);
        else if (differentiable(o) && o->results)
            for (uint32_t i = 0; i < o->operands; i++) link(w, gw_operand(f, op, i), o->first_result);
        for (uint32_t i = 0; i < o->regions; i++) visit(w, o->region[i]);
    }
}

static void seed(gw_activity *a, const bool *independent, const bool *dependent, bool returned) {
    const gw_func *f = a->f;
    for (uint32_t i = 0; i < f->params.count; i++) {
        const gw_param *p = &f->params.at[i];
        if (independent[i] && p->value) a->varied_value[p->value] = true;
        if (independent[i] && p->object) a->varied_object[p->object] = true;
        if (dependent[i] && p->object) a->useful_object[p->object] = true;
    }
    gw_op end = gw_region_end(f, f->entry);
    if (returned && end && gw_op_at(f, end)->operands) a->useful_value[gw_operand(f, end, 0)] = true;
}

void gw_activity_new(gw_activity *a, const gw_func *f, const bool *independent, const bool *dependent, bool returned) {
    a->f = f;
    a->varied_value = gw_alloc(f->values.count);
    a->useful_value = gw_alloc(f->values.count);
    a->varied_object = gw_alloc(f->objects.count);
    a->useful_object = gw_alloc(f->objects.count);
    seed(a, independent, dependent, returned);
    flow w = {.a = a};
    do {
        w.changed = false;
        visit(&w, f->entry);
    } while (w.changed);
}

void gw_activity_free(gw_activity *a) {
    free(a->varied_value);
    free(a->useful_value);
    free(a->varied_object);
    free(a->useful_object);
}
