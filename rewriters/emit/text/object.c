/*
 * emit/text/object.c - declarations of local objects.
 *
 * A local object with one DECLARE that stands before all its accesses, in their scope, becomes a C declaration
 * at that point: C then makes it new each time control passes, as the IR says. Any other is declared at the
 * head of the function, and a DECLARE of it that asks for zeros clears it.
 */
#include "rewriters/adjoint/adjoint.h"
#include "rewriters/emit/text/text_private.h"

#include <stdlib.h>

/* double (*t)[3]: the element's own dimensions behind the pointer. */
static char *pointer_to(gw_emitter *e, gw_type type, const char *name) {
    gw_text dimensions = {0};
    gw_text_add(&dimensions, "");
    for (; e->session->types.at[type].kind == GW_TYPE_ARRAY; type = e->session->types.at[type].element)
        gw_text_addf(&dimensions, "[%u]", e->session->types.at[type].count);
    char *text =
        gw_format(dimensions.count ? "%s (*%s)%s" : "%s *%s%s", gw_emit_type(e, type), name, dimensions.at);
    gw_text_free(&dimensions);
    return text;
}

/* One of run-time size is a block of the tape, which each of its declarations makes new. */
void gw_emit_make_sized(gw_emitter *e, gw_op declare) {
    const gw_object_data *o = gw_object_at(e->f, gw_op_at(e->f, declare)->object);
    const char *name = gw_cstr(e->session, gw_emit_object(e, gw_op_at(e->f, declare)->object));
    char *type = pointer_to(e, o->type, "");
    char *count = gw_emit_text(e, gw_operand(e->f, declare, 0), GW_IN_ASSIGN, GW_PREC_ASSIGN);
    gw_emit_line(e, "%s = (%s)gw_host_%s(%s, %s, %s, sizeof *%s);", name, type, o->zeroed ? "zeros" : "array",
                 gw_cstr(e->session, e->host_tape), name, count, name);
    gw_emit_line(e, "if (!%s)", name);
    gw_emit_no_memory(e);
    free(count);
    free(type);
}

void gw_emit_free_sized(gw_emitter *e) {
    for (gw_object o = 1; o < e->f->objects.count; o++)
        if (gw_object_at(e->f, o)->sized && e->object_declared[o])
            gw_emit_line(e, "gw_host_array_free(%s, %s);", gw_cstr(e->session, e->host_tape),
                         gw_cstr(e->session, gw_emit_object(e, o)));
}

static void declare_sized(gw_emitter *e, gw_object object) {
    const gw_object_data *o = gw_object_at(e->f, object);
    gw_str name = gw_emit_unique(e, gw_cstr(e->session, o->name));
    e->object_name[object] = name;
    e->object_declared[object] = true;
    char *text = pointer_to(e, o->type, gw_cstr(e->session, name));
    gw_emit_line(e, "%s = %s;", text, e->language == GW_EMIT_C ? "NULL" : "nullptr");
    free(text);
}

static bool is_dynamic(const gw_func *f, gw_object o) {
    return gw_object_at(f, o)->kind == GW_OBJECT_SHARED && gw_object_at(f, o)->sized;
}

/* Named by an op, or its shadow is. */
static bool has_part(const gw_func *f, gw_object object) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead || !o->object || !is_dynamic(f, o->object)) continue;
        if (o->object == object || gw_object_at(f, o->object)->shadow_of == object) return true;
    }
    return false;
}

gw_emit_parts gw_emit_dynamic_parts(const gw_func *f, gw_object object) {
    gw_emit_parts p = {0};
    for (uint32_t shadow = 0; shadow < 2; shadow++)
        for (gw_object o = 1; o < f->objects.count; o++) {
            bool is_shadow = gw_object_at(f, o)->shadow_of != 0;
            if (!is_dynamic(f, o) || is_shadow != (shadow != 0) || !has_part(f, o)) continue;
            if (o == object) p.number = p.count;
            p.count += is_shadow && gw_directions(f) ? gw_directions(f) : 1;
        }
    return p;
}

/* Extern arrays, of several types of cells if the kernel carves its memory, and their shadows share what the
 * launch gives, which is as often as much as the primal asks for: each has a part, a shadow one for each
 * direction. */
static void declare_dynamic(gw_emitter *e, gw_object object) {
    const gw_object_data *o = gw_object_at(e->f, object);
    const gw_emit_parts parts = gw_emit_dynamic_parts(e->f, object);
    gw_str name = gw_emit_unique(e, gw_cstr(e->session, o->name));
    e->object_name[object] = name;
    e->object_declared[object] = true;
    char *type = pointer_to(e, o->type, ""), *text = pointer_to(e, o->type, gw_cstr(e->session, name));
    const unsigned long long before = gw_adjoint_shared_moved(e->f);
    if (before)
        gw_emit_line(e, "%s = (%s)gw_dynamic_shared_part(%u, %u, %llu);", text, type, parts.number, parts.count,
                     before);
    else if (parts.count > 2)
        gw_emit_line(e, "%s = (%s)gw_dynamic_shared_part(%u, %u);", text, type, parts.number, parts.count);
    else
        gw_emit_line(e, "%s = (%s)(gw_dynamic_shared()%s);", text, type,
                     parts.number ? " + gw_dynamic_shared_bytes() / 2" : "");
    free(text);
    free(type);
}

void gw_emit_declare_object(gw_emitter *e, gw_object object) {
    if (gw_emit_is_together(e, object)) {
        gw_emit_declare_together(e);
        return;
    }
    if (gw_object_at(e->f, object)->sized && gw_object_at(e->f, object)->kind == GW_OBJECT_SHARED) {
        declare_dynamic(e, object);
        return;
    }
    if (gw_object_at(e->f, object)->sized) {
        declare_sized(e, object);
        return;
    }
    const gw_object_data *o = gw_object_at(e->f, object);
    gw_type type = o->type;
    gw_text dimensions = {0};
    gw_text_add(&dimensions, "");
    for (; e->session->types.at[type].kind == GW_TYPE_ARRAY; type = e->session->types.at[type].element)
        gw_text_addf(&dimensions, "[%u]", e->session->types.at[type].count);
    gw_str name = gw_emit_unique(e, gw_cstr(e->session, o->name));
    e->object_name[object] = name;
    e->object_declared[object] = true;
    const char *zero = e->language == GW_EMIT_C ? " = {0}" : " = {}";
    if (o->type < GW_T_SCALARS) zero = " = 0";
    if (!o->zeroed) zero = "";
    uint64_t from;
    if (gw_adjoint_shared_place(e->f, object, &from)) {
        const char *cell = gw_emit_type(e, type), *own = gw_cstr(e->session, name), *each = dimensions.at;
        gw_emit_line(e, "%s (&%s)%s = *(%s (*)%s)(gw_dynamic_shared() + %llu);", cell, own, each, cell, each,
                     (unsigned long long)from);
        gw_text_free(&dimensions);
        return;
    }
    const char *where = o->kind == GW_OBJECT_SHARED ? "__shared__ " : "";
    const char *aligned = gw_emit_alignment(e, object);
    gw_emit_line(e, type == GW_T_ADDRESS ? "%s%s%s%s%s%s;" : "%s%s%s %s%s%s;", where, aligned,
                 gw_emit_type(e, type), gw_cstr(e->session, name), dimensions.at, zero);
    gw_text_free(&dimensions);
}

typedef struct accesses {
    uint32_t count, declares;
    gw_op declare;
    bool covered;
} accesses;

static void note_access(const gw_emit_plan *p, gw_op op, accesses *a) {
    const gw_func *f = p->f;
    if (gw_op_at(f, op)->code == GW_OP_DECLARE) return;
    a->count++;
    gw_op declare = a->declare;
    if (!declare || !gw_region_inside(f, gw_op_at(f, op)->parent, gw_op_at(f, declare)->parent) ||
        p->ops[op].position < p->ops[declare].position)
        a->covered = false;
}

void gw_emit_declare_outer_objects(gw_emitter *e) {
    const gw_emit_plan *p = &e->plan;
    accesses *all = gw_alloc(e->f->objects.count * sizeof *all);
    for (uint32_t i = 0; i < p->order.count; i++) {
        const gw_op_data *o = gw_op_at(e->f, p->order.at[i]);
        if (o->code != GW_OP_DECLARE) continue;
        all[o->object].declares++;
        all[o->object].declare = p->order.at[i];
    }
    for (uint32_t i = 0; i < e->f->objects.count; i++)
        all[i].covered = all[i].declares == 1 && !gw_object_at(e->f, i)->sized;
    for (uint32_t i = 0; i < p->order.count; i++)
        note_access(p, p->order.at[i], &all[gw_op_at(e->f, p->order.at[i])->object]);
    for (gw_object o = 1; o < e->f->objects.count; o++)
        if (gw_object_is_inner(gw_object_at(e->f, o)->kind) && all[o].count && !all[o].covered &&
            !e->object_declared[o])
            gw_emit_declare_object(e, o);
    free(all);
}
