/*
 * emit/program/teller_struct.c - structs that a kernel is given by value, in a program.
 *
 * The IR has their parts as operands of the launch (analysis/ir/leaf.h). Text puts them into a variable of the
 * struct's type, which the functions around the launch take; on the way back they make two more of it: one
 * whose pointers lead to the contents that the launch found, and one whose pointers lead to adjoints. The
 * adjoint is passed by value, or, where numbers of the struct have adjoints, lies in front of the workspace.
 */
#include "rewriters/emit/program/program_private.h"
#include "rewriters/formula/formula.h"

#include <stdlib.h>
#include <string.h>

static void declare_zero(gw_emitter *e, const gw_param *p, const char *name) {
    const char *type = gw_cstr(e->session, p->type_text);
    gw_emit_line(e, "%s %s = gw_program_zero<%s>();", type, name, type);
}

/* ---- at the call ---- */
static void set_leaf(gw_emitter *e, const gw_func *kernel, const gw_param *p, const char *object,
                     const gw_leaf *leaf, gw_value v) {
    char *text = gw_emit_text(e, v, GW_IN_EXACT, GW_PREC_ASSIGN);
    char *place = gw_teller_leaf(kernel, (uint32_t)(p - kernel->params.at), object, leaf);
    const bool is_pointer = gw_leaf_is_pointer(e->session, leaf);
    gw_emit_line(e, "gw_program_%s(%s, %s);", is_pointer ? "point" : "member", place, text);
    free(text), free(place);
}

char *gw_teller_make_struct(gw_emitter *e, const gw_func *kernel, const gw_param *p, gw_op op, uint32_t first) {
    gw_leaves leaves = gw_launched_leaves(kernel, p);
    const char *name = gw_cstr(e->session, gw_emit_unique(e, gw_cstr(e->session, p->name)));
    declare_zero(e, p, name);
    for (uint32_t i = 0; i < leaves.count; i++) {
        const gw_value v = gw_operand(e->f, op, first + i);
        set_leaf(e, kernel, p, name, &leaves.at[i], v);
    }
    gw_vec_free(&leaves);
    return gw_strdup(name);
}

char *gw_teller_tangent_struct(gw_emitter *e, const gw_func *kernel, const gw_param *p, gw_op op,
                               uint32_t *at) {
    const gw_session *s = e->session;
    gw_leaves leaves = gw_launched_leaves(kernel, p);
    char *wish = gw_format("t_%s", gw_cstr(s, p->name));
    const char *name = gw_cstr(s, gw_emit_unique(e, wish));
    declare_zero(e, p, name);
    for (uint32_t i = 0; i < leaves.count; i++) {
        if (!gw_leaf_is_number(s, &leaves.at[i])) continue;
        set_leaf(e, kernel, p, name, &leaves.at[i], gw_operand(e->f, op, (*at)++));
    }
    gw_vec_free(&leaves);
    free(wish);
    return gw_strdup(name);
}

static bool is_asked(const gw_emitter *e, gw_op op, uint32_t *result, const gw_leaves *leaves) {
    bool asked = false;
    const gw_session *s = e->session;
    for (uint32_t i = 0; i < leaves->count; i++)
        if (gw_leaf_is_number(s, &leaves->at[i]))
            asked |= e->plan.values[gw_result(e->f, op, (*result)++)].needed;
    return asked;
}

char *gw_teller_ask_struct(gw_emitter *e, const gw_func *kernel, const gw_param *p, gw_op op,
                           uint32_t *result) {
    gw_leaves leaves = gw_launched_leaves(kernel, p);
    const bool asked = is_asked(e, op, result, &leaves);
    gw_vec_free(&leaves);
    if (!asked) return NULL;
    char *wish = gw_format("d_%s", gw_cstr(e->session, p->name));
    const char *name = gw_cstr(e->session, gw_emit_unique(e, wish));
    declare_zero(e, p, name);
    free(wish);
    return gw_strdup(name);
}

void gw_teller_take_struct(gw_emitter *e, const gw_func *kernel, const gw_param *p, gw_op op, uint32_t *result,
                           const char *name) {
    gw_leaves leaves = gw_launched_leaves(kernel, p);
    for (uint32_t i = 0; i < leaves.count; i++) {
        if (!gw_leaf_is_number(e->session, &leaves.at[i])) continue;
        const gw_value v = gw_result(e->f, op, (*result)++);
        if (!name || !e->plan.values[v].needed) continue;
        char *text = gw_teller_leaf(kernel, (uint32_t)(p - kernel->params.at), name, &leaves.at[i]);
        gw_emit_assign(e, gw_emit_variable(&e->plan, v), text);
        free(text);
    }
    gw_vec_free(&leaves);
}

/* ---- in the functions around the launch ---- */

void gw_teller_each_pointer(gw_emitter *e, const gw_func *kernel, const gw_func *grad, uint32_t param,
                            bool backward, gw_teller_pointer *act, const void *context) {
    const gw_param *p = &kernel->params.at[param];
    gw_launch_parts parts = {0};
    gw_launch_parts_of(kernel, &parts);
    for (uint32_t n = 0; n < parts.count; n++) {
        const gw_launch_part *part = &parts.at[backward ? parts.count - 1 - n : n];
        if (part->param != param || !part->is_pointer) continue;
        const gw_told_pointer pointer = {
            .part = part,
            .is_read_back = gw_launched_part_read_back(grad, part),
            .is_written = gw_leaf_touched(kernel, p->object, &part->leaf, GW_TOUCH_WRITE)};
        act(e, gw_cstr(e->session, p->name), &pointer, context);
    }
    gw_vec_free(&parts);
}

/* What the gradient reads through the pointer is asked for as it was. */
static void point_to_content(gw_emitter *e, const char *name, const gw_told_pointer *p, const void *context) {
    const gw_told_struct *t = context;
    if (!p->is_read_back) return;
    char *made = gw_teller_leaf(t->kernel, t->param, t->made, &p->part->leaf),
         *from = gw_teller_leaf(t->kernel, t->param, name, &p->part->leaf);
    gw_emit_line(e, "gw_program_point(%s, gw_program_content(%s, %s, %s));", made, t->run, from, t->stream);
    free(made), free(from);
}

static void point_to_shadow(gw_emitter *e, const char *name, const gw_told_pointer *p, const void *context) {
    const gw_told_struct *t = context;
    if (!gw_launched_part_has_adjoint(t->grad, p->part)) return;
    char *made = gw_teller_leaf(t->kernel, t->param, t->made, &p->part->leaf),
         *from = gw_teller_leaf(t->kernel, t->param, name, &p->part->leaf);
    char *again = gw_meeting_again(t->meeting, t->param, &p->part->leaf);
    gw_emit_line(e, "gw_program_point_%s(%s, %s, %s, %s%s%s);",
                 again && t->meeting->along ? "tangent" : "adjoint", t->run, made, from, t->stream,
                 again ? ", " : "", again ? again : "");
    free(again), free(made), free(from);
}

static const char *declare(gw_emitter *e, const gw_param *p, const char *prefix, const char *value) {
    const char *name = gw_cstr(e->session, p->name);
    char *wish = gw_format("%s_%s", prefix, name);
    const char *made = gw_cstr(e->session, gw_emit_unique(e, wish));
    if (value)
        gw_emit_line(e, "%s %s = %s;", gw_cstr(e->session, p->type_text), made, value);
    else
        declare_zero(e, p, made);
    free(wish);
    return made;
}

const char *gw_teller_content(gw_emitter *e, gw_told_struct t) {
    const gw_param *p = &t.kernel->params.at[t.param];
    t.made = declare(e, p, "read", gw_cstr(e->session, p->name));
    gw_teller_each_pointer(e, t.kernel, t.grad, t.param, false, point_to_content, &t);
    return t.made;
}

const char *gw_teller_shadow(gw_emitter *e, gw_told_struct t) {
    t.made = declare(e, &t.kernel->params.at[t.param], t.meeting->along ? "tangent" : "adjoint", t.start);
    gw_teller_each_pointer(e, t.kernel, t.grad, t.param, false, point_to_shadow, &t);
    return t.made;
}

/* ---- sizes that the gradient asks ---- */

char *gw_teller_most(char *so_far, char *one) {
    if (!so_far) return one;
    char *both = gw_format("gw_size_max(%s, %s)", so_far, one);
    free(so_far), free(one);
    return both;
}

static bool is_meant(const gw_session *s, const gw_leaf *leaf, const char *path) {
    if (!gw_leaf_is_pointer(s, leaf)) return false;
    const gw_type to = s->types.at[leaf->type].element;
    if (!path) return s->types.at[to].kind == GW_TYPE_SCALAR && gw_type_is_integer(gw_type_of_value(to));
    const char *memory = gw_cstr(s, leaf->memory);
    return strncmp(path, memory, strlen(memory)) == 0;
}

char *gw_teller_cells(const gw_func *kernel, uint32_t param, const char *run, const char *path, char *so_far) {
    const gw_session *s = kernel->session;
    const gw_param *p = &kernel->params.at[param];
    gw_leaves leaves = gw_launched_leaves(kernel, p);
    for (uint32_t i = 0; i < leaves.count; i++) {
        if (!is_meant(s, &leaves.at[i], path)) continue;
        const gw_type cell = s->types.at[leaves.at[i].type].element;
        char *leaf = gw_teller_leaf(kernel, param, gw_cstr(s, p->name), &leaves.at[i]);
        so_far = gw_teller_most(so_far, gw_format("gw_program_cells(%s, %s, %u)", run, leaf,
                                                  gw_type_layout(s, cell).size));
        free(leaf);
    }
    gw_vec_free(&leaves);
    return so_far;
}
