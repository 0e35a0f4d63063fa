/*
 * emit/program/meeting.c - launches whose pointers meet: one pointer twice, or, of algorithms, two into one
 * buffer.
 *
 * A kernel's gradient takes each adjoint for memory of its own. So of the pointers that lead to the same memory
 * those that are only read get adjoints beside the first one, which are added to it behind the launch.
 * Parameters and pointers in structs are alike here. A tangent meets another only if it is written: what is
 * read beside it is a copy from before the launch, as the kernel is taken to read nothing that it has
 * written through another pointer.
 *
 * Kernels of the user's are taken to reach cells of their own through pointers that differ, so that parts of
 * one buffer cost nothing; the ranges of an algorithm may overlap, as of u[i + 1] - u[i].
 */
#include "rewriters/emit/program/program_private.h"
#include "rewriters/formula/formula.h"

#include <stdlib.h>

/* The numbers of which all consists that the type is made of. */
static const char *numbers_of(const gw_session *s, gw_type type) {
    if (gw_type_holds_half(s, type)) return NULL; /* adjoints are wider */
    while (s->types.at[type].kind == GW_TYPE_ARRAY)
        type = s->types.at[type].element;
    gw_type first = type;
    for (uint32_t i = 0; s->types.at[type].kind == GW_TYPE_STRUCT && i < s->types.at[type].count; i++) {
        const gw_type field = s->fields.at[s->types.at[type].first + i].type;
        if (i && field != first) return NULL;
        first = field;
    }
    if (s->types.at[first].kind != GW_TYPE_SCALAR) return NULL;
    const gw_type number = gw_type_of_value(first);
    if (number == GW_T_F32) return "float";
    return number == GW_T_F64 ? "double" : NULL;
}

static void add_struct(gw_meeting *m, const gw_func *grad, uint32_t param) {
    gw_session *s = m->kernel->session;
    const gw_param *p = &m->kernel->params.at[param];
    gw_launch_parts parts = {0};
    gw_launch_parts_of(m->kernel, &parts);
    for (uint32_t i = 0; i < parts.count; i++) {
        const gw_leaf *leaf = &parts.at[i].leaf;
        if (parts.at[i].param != param || !gw_launched_part_has_adjoint(grad, &parts.at[i])) continue;
        const gw_type to = s->types.at[leaf->type].element;
        gw_push(&m->parts,
                ((gw_meeting_part){.param = param,
                                   .path = leaf->path,
                                   .name = gw_teller_leaf(m->kernel, param, gw_cstr(s, p->name), leaf),
                                   .numbers = numbers_of(s, to),
                                   .is_written = gw_leaf_touched(m->kernel, p->object, leaf, GW_TOUCH_WRITE)}));
    }
    gw_vec_free(&parts);
}

void gw_meeting_find(const gw_func *kernel, const gw_func *grad, const char *run, gw_meeting *out) {
    const gw_session *s = kernel->session;
    *out = (gw_meeting){.kernel = kernel, .run = run};
    for (uint32_t i = 0; i < kernel->params.count; i++) {
        const gw_param *p = &kernel->params.at[i];
        if (!p->object || !gw_launched_has_adjoint(grad, i)) continue;
        if (gw_launched_is_struct(kernel, p)) {
            add_struct(out, grad, i);
            continue;
        }
        gw_push(&out->parts, ((gw_meeting_part){.param = i,
                                                .name = gw_strdup(gw_cstr(s, p->name)),
                                                .numbers = numbers_of(s, gw_object_at(kernel, p->object)->type),
                                                .is_written = gw_launched_writes(kernel, i)}));
    }
}

void gw_meeting_free(gw_meeting *m) {
    for (uint32_t i = 0; i < m->parts.count; i++)
        free(m->parts.at[i].name);
    gw_vec_free(&m->parts);
}

/* Whether the adjoints of two may be added to in one cell by the same launch, though the primal's threads do
 * not meet there: `part` is only read, and not the first of those that are. */
static bool is_second(const gw_meeting *m, uint32_t part, uint32_t other) {
    const bool is_first = other < part && !m->along;
    return other != part && !m->parts.at[part].is_written && (m->parts.at[other].is_written || is_first);
}

static void add_same(const gw_meeting *m, uint32_t part, uint32_t other, gw_text *out) {
    const char *one = m->parts.at[part].name, *two = m->parts.at[other].name;
    gw_text_add(out, out->count ? " || " : "");
    if (m->kernel->is_unspoken)
        gw_text_addf(out, "gw_program_meets(%s, %s, %s)", m->run, one, two);
    else
        gw_text_addf(out, "%s == %s", one, two);
}

static char *again(const gw_meeting *m, uint32_t part) {
    gw_text text = {0};
    for (uint32_t i = 0; m->parts.at[part].numbers && i < m->parts.count; i++)
        if (is_second(m, part, i)) add_same(m, part, i, &text);
    return text.at;
}

const char *gw_meeting_beside(const gw_meeting *m) {
    return m->along ? "gw_program_tangent_beside" : "gw_program_shadow_beside";
}

const char *gw_meeting_numbers(const gw_meeting *m, uint32_t param) {
    for (uint32_t i = 0; i < m->parts.count; i++)
        if (m->parts.at[i].param == param && !m->parts.at[i].path) return m->parts.at[i].numbers;
    return NULL;
}

char *gw_meeting_again(const gw_meeting *m, uint32_t param, const gw_leaf *leaf) {
    for (uint32_t i = 0; i < m->parts.count; i++)
        if (m->parts.at[i].param == param && m->parts.at[i].path == (leaf ? leaf->path : 0)) return again(m, i);
    return NULL;
}

/* One pointer is an error if that is no number of one type, or if both are written. */
void gw_meeting_apart(gw_emitter *e, const gw_meeting *m) {
    for (uint32_t i = 0; i < m->parts.count; i++)
        for (uint32_t k = 0; k < m->parts.count; k++) {
            const gw_meeting_part *p = &m->parts.at[i], *q = &m->parts.at[k];
            const bool both = k < i && p->is_written && q->is_written;
            if (k != i && (both || (is_second(m, i, k) && !p->numbers)))
                gw_emit_line(e, "gw_program_apart(%s, %s, %s, \"'%s' and '%s' of %s\");", m->run, q->name,
                             p->name, q->name, p->name, gw_kernel_shown(m->kernel));
        }
}

void gw_meeting_merge(gw_emitter *e, const gw_meeting *m, const char *stream) {
    for (uint32_t i = 0; i < m->parts.count; i++) {
        const gw_meeting_part *p = &m->parts.at[i];
        char *same = again(m, i);
        if (same)
            gw_emit_line(e, "gw_program_merge<%s>(%s, %s, %s, %s);", p->numbers, m->run, p->name, same, stream);
        free(same);
    }
}
