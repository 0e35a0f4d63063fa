/*
 * ownership/outline.c - the body of a loop as a kernel, of which a thread is an iteration (contract:
 * outline_private.h).
 *
 * The kernel is never written: it is there to be asked about. Objects have the numbers that they have in the
 * function. What the function has for itself outside of the loop is memory that all threads share; what the
 * loop declares is the thread's. Values from outside are parameters, but for those that are pure and made of
 * such, which are made again.
 */
#include "analysis/ownership/outline_private.h"

#include <stdlib.h>

typedef struct outlining {
    gw_func *from;
    gw_op loop;
    gw_func *made;
    gw_builder b;
    gw_cloner c;
    GW_VEC(gw_value) given; /* of the function: values that are parameters of the kernel */
    bool *seen;             /* by value of the function */
} outlining;

static bool is_made_again(const gw_func *f, gw_value v) {
    gw_op op = gw_value_at(f, v)->op;
    if (!op) return false;
    const gw_op_data *o = gw_op_at(f, op);
    return gw_op_rows[o->code].effect == GW_EFFECT_PURE && o->results == 1 && !o->regions;
}

/* Notes which values have to be given, for v to be there. */
static void find_given(outlining *x, gw_value v) {
    const gw_func *f = x->from;
    if (x->seen[v] || gw_region_inside(f, gw_value_region(f, v), gw_loop_body(f, x->loop))) return;
    x->seen[v] = true;
    if (!is_made_again(f, v)) {
        gw_push(&x->given, v);
        return;
    }
    gw_op op = gw_value_at(f, v)->op;
    for (uint32_t i = 0; i < gw_op_at(f, op)->operands; i++)
        find_given(x, gw_operand(f, op, i));
}

static void make_again(outlining *x, gw_value v) {
    const gw_func *f = x->from;
    if (gw_map_get(&x->c.values, v) || gw_region_inside(f, gw_value_region(f, v), gw_loop_body(f, x->loop)))
        return;
    gw_op op = gw_value_at(f, v)->op;
    for (uint32_t i = 0; i < gw_op_at(f, op)->operands; i++)
        make_again(x, gw_operand(f, op, i));
    gw_clone_op(&x->c, op);
}

typedef void on_value(outlining *x, gw_value v);

static void each_value(outlining *x, on_value *act) {
    const gw_func *f = x->from;
    gw_region body = gw_loop_body(f, x->loop);
    for (uint32_t i = 0; i < gw_op_at(f, x->loop)->operands; i++)
        act(x, gw_operand(f, x->loop, i));
    for (gw_op op = gw_first(f, body); op; op = gw_walk(f, op, body))
        for (uint32_t i = 0; i < gw_op_at(f, op)->operands; i++)
            act(x, gw_operand(f, op, i));
}

static void copy_objects(outlining *x) {
    const gw_func *f = x->from;
    for (gw_object o = 1; o < f->objects.count; o++) {
        gw_object_data d = *gw_object_at(f, o);
        if (d.kind == GW_OBJECT_LOCAL && !gw_declares(f, x->loop, o)) {
            d.kind = d.sized ? GW_OBJECT_POINTER : GW_OBJECT_GLOBAL;
            d.sized = false;
        }
        gw_push(&x->made->objects, d);
        gw_map_set(&x->c.objects, o, o);
    }
    for (uint32_t i = 0; i < f->params.count; i++)
        if (f->params.at[i].object) gw_push(&x->made->params, f->params.at[i]);
}

static void add_parameters(outlining *x) {
    gw_func *f = x->made;
    for (uint32_t i = 0; i < x->given.count; i++) {
        const gw_value_data d = *gw_value_at(x->from, x->given.at[i]);
        gw_value v = gw_region_arg(f, f->entry, d.type, d.name);
        gw_map_set(&x->c.values, x->given.at[i], v);
        gw_push(&f->params, ((gw_param){.name = d.name, .value = v}));
    }
    const gw_region body = gw_loop_body(x->from, x->loop);
    for (uint32_t i = 1; i < gw_region_at(x->from, body)->args; i++) { /* carried: nothing is known of them */
        const gw_value arg = gw_arg(x->from, body, i);
        const gw_value_data d = *gw_value_at(x->from, arg);
        gw_value v = gw_region_arg(f, f->entry, d.type, d.name);
        gw_map_set(&x->c.values, arg, v);
        gw_push(&f->params, ((gw_param){.name = d.name, .value = v}));
    }
}

/* The thread's number in the grid, from the loop's beginning on. */
static gw_value index_of_thread(outlining *x, gw_value first) {
    gw_builder *b = &x->b;
    const gw_type type = gw_typeof(x->made, first);
    gw_value block = gw_cast(b, type, gw_special_value(b, GW_BLOCK_IDX, 0)),
             length = gw_cast(b, type, gw_special_value(b, GW_BLOCK_DIM, 0)),
             thread = gw_cast(b, type, gw_special_value(b, GW_THREAD_IDX, 0));
    return gw_binary(b, GW_OP_ADD, first,
                     gw_binary(b, GW_OP_ADD, gw_binary(b, GW_OP_MUL, block, length), thread));
}

/* Under a branch: what the loop's header says of its index is known there. */
static void copy_body(outlining *x, gw_op origin) {
    gw_func *f = x->made;
    gw_value first = gw_clone_value(&x->c, gw_operand(x->from, x->loop, 0)),
             bound = gw_clone_value(&x->c, gw_operand(x->from, x->loop, 1)), index = index_of_thread(x, first);
    const gw_str counter = gw_value_at(x->from, gw_arg(x->from, gw_loop_body(x->from, x->loop), 0))->name;
    gw_value_at(f, index)->name = counter ? counter : gw_intern(f->session, "i");
    f->iteration = index;
    gw_value runs = gw_binary(&x->b, GW_OP_LT, index, bound);
    gw_op branch = gw_emit(&x->b, GW_OP_IF, GW_T_VOID, 0, &runs, 1);
    gw_region arm = gw_region_new(f, branch), other = gw_region_new(f, branch);
    gw_op_at(f, branch)->origin = origin;
    const gw_region body = gw_loop_body(x->from, x->loop);
    gw_map_set(&x->c.values, gw_arg(x->from, body, 0), index);
    x->b.region = arm;
    gw_clone_region_body(&x->c, body);
    gw_yield(&x->b, NULL, 0);
    x->b.region = other;
    gw_yield(&x->b, NULL, 0);
    x->b.region = f->entry;
    gw_emit(&x->b, GW_OP_RET, GW_T_VOID, 0, NULL, 0);
}

/* The ops of the loop's body and their copies, which have one order. */
static void pair(outlining *x, gw_op branch, gw_op *copy_of) {
    const gw_region from = gw_loop_body(x->from, x->loop), to = gw_op_at(x->made, branch)->region[0];
    const gw_op end = gw_region_end(x->from, from);
    gw_op b = gw_first(x->made, to);
    for (gw_op a = gw_first(x->from, from); a; a = gw_walk(x->from, a, from)) {
        if (a == end) break;
        copy_of[a] = b;
        b = gw_walk(x->made, b, to);
    }
}

static gw_op branch_of(const gw_func *f) {
    gw_op op = gw_first(f, f->entry);
    while (gw_op_at(f, op)->code != GW_OP_IF)
        op = gw_next(f, op);
    return op;
}

gw_func *gw_outline(gw_func *f, gw_op loop, gw_op origin, gw_op *copy_of) {
    gw_session *s = f->session;
    outlining x = {.from = f, .loop = loop, .made = gw_func_new(s, "iteration", GW_FUNC_KERNEL)};
    s->funcs.count--; /* it is in no list */
    x.made->form = f->form;
    x.made->request = f->request;
    x.made->loc = f->loc;
    x.b = (gw_builder){x.made, x.made->entry, 0, f->loc};
    x.c = (gw_cloner){.from = f, .to = &x.b};
    x.seen = gw_alloc(f->values.count);
    copy_objects(&x);
    each_value(&x, find_given);
    add_parameters(&x);
    each_value(&x, make_again);
    copy_body(&x, origin);
    pair(&x, branch_of(x.made), copy_of);
    for (uint32_t i = 0; i < f->promises.count; i++)
        gw_push(&x.made->promises, f->promises.at[i]);
    gw_map_free(&x.c.values);
    gw_map_free(&x.c.objects);
    gw_vec_free(&x.given);
    free(x.seen);
    return x.made;
}

gw_outlined gw_outline_reverse(gw_func *f, gw_op loop) {
    gw_outlined out = {.copy_of = gw_alloc(f->ops.count * sizeof *out.copy_of)};
    gw_func *p = f->primal;
    const gw_op source = gw_op_at(f, loop)->origin;
    gw_op *of_primal = gw_alloc(p->ops.count * sizeof *of_primal);
    if (source) out.primal = gw_outline(p, source, 0, of_primal);
    out.kernel = gw_outline(f, loop, source ? branch_of(out.primal) : 0, out.copy_of);
    out.kernel->primal = out.primal;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op copy = out.copy_of[op], origin = gw_op_at(f, op)->origin;
        if (copy) gw_op_at(out.kernel, copy)->origin = source && origin ? of_primal[origin] : 0;
    }
    free(of_primal);
    return out;
}

void gw_outlined_free(gw_outlined *o) {
    gw_func_free(o->kernel);
    if (o->primal) gw_func_free(o->primal);
    free(o->copy_of);
}
