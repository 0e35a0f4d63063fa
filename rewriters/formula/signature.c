/* signature.c - signatures of derivatives (contract: formula.h). */
#include "rewriters/formula/formula.h"

#include "analysis/ir/diagnostics.h"

#include <stdlib.h>
#include <string.h>

bool gw_signature_names(const gw_str *list, uint32_t count, gw_str name) {
    for (uint32_t i = 0; i < count; i++)
        if (list[i] == name) return true;
    return false;
}

gw_func *gw_signature_func(const gw_func *primal, uint32_t request, gw_form form) {
    gw_session *s = primal->session;
    const char *qualified = gw_cstr(s, primal->qualified), *colon = strrchr(qualified, ':');
    gw_str name = gw_derived_name(primal, request, form);
    gw_func *f = gw_func_new(s, gw_cstr(s, name), primal->kind);
    f->symbol = gw_derived_symbol(primal, request, form);
    char *full = gw_format("%.*s%s", colon ? (int)(colon + 1 - qualified) : 0, qualified, gw_cstr(s, name));
    f->qualified = gw_intern(s, full);
    free(full);
    if (request >= s->requests.count || !s->requests.at[request].plain) {
        f->template_head = primal->template_head;
        f->template_arguments = primal->template_arguments;
        f->return_pattern = primal->return_pattern;
    }
    f->tag = primal->tag;
    f->is_internal = primal->is_internal;
    f->form = form;
    f->primal = (gw_func *)(uintptr_t)primal;
    f->request = request;
    f->loc = primal->loc;
    return f;
}

bool gw_signature_has(const gw_func *f, gw_opcode code, gw_object o) {
    for (gw_op op = 1; o && op < f->ops.count; op++)
        if (!gw_op_at(f, op)->dead && gw_op_at(f, op)->code == code && gw_op_at(f, op)->object == o)
            return true;
    return false;
}

bool gw_signature_writes(const gw_func *f, gw_object o) {
    for (gw_op op = gw_first(f, f->entry); op; op = gw_next(f, op))
        if (gw_touches(f, op, o, GW_TOUCH_WRITE)) return true;
    return false;
}

gw_str gw_signature_prefixed(gw_session *s, const char *prefix, gw_str name) {
    char *text = gw_format("%s%s", prefix, gw_cstr(s, name));
    gw_str made = gw_intern(s, text);
    free(text);
    return made;
}

void gw_signature_copy_param(gw_cloner *c, gw_func *to, uint32_t i) {
    gw_param p = c->from->params.at[i];
    if (p.value) {
        gw_value v = gw_region_arg(to, to->entry, gw_typeof(c->from, p.value), p.name);
        gw_map_set(&c->values, p.value, v);
        p.value = v;
    }
    if (p.object) p.object = gw_clone_object(c, p.object);
    if (p.size_of) p.size_of = gw_clone_object(c, p.size_of);
    if (p.part_of) p.part_of = gw_clone_object(c, p.part_of);
    gw_push(&to->params, p);
}

void gw_signature_copy(gw_cloner *c, gw_func *to) {
    for (gw_object o = 1; o < c->from->objects.count; o++) {
        gw_push(&to->objects, *gw_object_at(c->from, o));
        gw_map_set(&c->objects, o, to->objects.count - 1);
    }
    for (uint32_t i = 0; i < c->from->params.count; i++) gw_signature_copy_param(c, to, i);
}

/* Pointers on the way keep their const, what they lead to in the end loses it: const T *const * gives T *const
 * *. */
static void add_type_text(const gw_session *s, gw_type t, gw_text *out) {
    const gw_type_data *d = &s->types.at[t];
    if (d->kind != GW_TYPE_POINTER) {
        const char *mirror = t < GW_T_SCALARS ? "float" : "float2";
        gw_text_add(out, gw_type_holds_half(s, t) ? mirror : gw_cstr(s, d->name));
        return;
    }
    bool last = s->types.at[d->element].kind != GW_TYPE_POINTER;
    add_type_text(s, d->element, out);
    if (last) gw_text_add(out, " *");
    else gw_text_add(out, d->is_const ? "const *" : "*");
}

static gw_type mirror_chain(gw_session *s, gw_type t) {
    const gw_type_data d = s->types.at[t];
    if (d.kind != GW_TYPE_POINTER) return t;
    bool last = s->types.at[d.element].kind != GW_TYPE_POINTER;
    return gw_type_pointer(s, mirror_chain(s, d.element), !last && d.is_const);
}

/* The same of floats, for the pairs __half2 and __nv_bfloat162: the front end takes no other structs with
 * members of half precision. */
static gw_type pair_of_floats(gw_session *s, gw_type t) {
    gw_field fields[2] = {s->fields.at[s->types.at[t].first], s->fields.at[s->types.at[t].first + 1]};
    fields[0].type = fields[1].type = GW_T_F32;
    fields[0].offset = 0, fields[1].offset = 4;
    return gw_type_struct(s, gw_intern(s, "float2"), fields, 2, (gw_layout){8, 8});
}

gw_str gw_signature_mirror_text(gw_session *s, gw_type t, gw_str text) {
    const char *dimensions = strchr(gw_cstr(s, text), '[');
    if (!gw_type_holds_half(s, t)) return text;
    while (s->types.at[t].kind == GW_TYPE_ARRAY) t = s->types.at[t].element;
    char *made = gw_format("%s%s", t < GW_T_SCALARS ? "float" : "float2", dimensions ? dimensions : "");
    gw_str mirrored = gw_intern(s, made);
    free(made);
    return mirrored;
}

gw_str gw_signature_address_text(gw_session *s, gw_str text) {
    static const char *const halves[] = {"__half", "half", "__nv_bfloat16", "nv_bfloat16"};
    const char *from = gw_cstr(s, text);
    const size_t before = strncmp(from, "const ", 6) == 0 ? 6 : 0, n = strcspn(from + before, " *");
    for (size_t i = 0; i < sizeof halves / sizeof *halves; i++) {
        const size_t length = strlen(halves[i]);
        const bool pair = n == length + 1 && from[before + length] == '2';
        if ((n != length && !pair) || strncmp(from + before, halves[i], length) != 0) continue;
        char *made = gw_format("%.*sfloat%s%s", (int)before, from, pair ? "2" : "", from + before + n);
        const gw_str mirrored = gw_intern(s, made);
        free(made);
        return mirrored;
    }
    return text;
}

gw_type gw_signature_mirror_type(gw_session *s, gw_type t) {
    gw_type_data d = s->types.at[t];
    if (!gw_type_holds_half(s, t)) return mirror_chain(s, t);
    if (t < GW_T_SCALARS) return GW_T_F32;
    if (d.kind == GW_TYPE_ARRAY) return gw_type_array(s, gw_signature_mirror_type(s, d.element), d.count);
    if (d.kind == GW_TYPE_STRUCT) return pair_of_floats(s, t);
    bool last = s->types.at[d.element].kind != GW_TYPE_POINTER;
    return gw_type_pointer(s, gw_signature_mirror_type(s, d.element), !last && d.is_const);
}

gw_type gw_signature_cell_type(const gw_session *s, const gw_object_data *object) {
    bool array = object->kind == GW_OBJECT_GLOBAL && s->types.at[object->type].kind == GW_TYPE_ARRAY;
    return array ? s->types.at[object->type].element : object->type;
}

bool gw_signature_is_behind(const gw_session *s, const gw_object_data *object, const gw_object_data *shadow) {
    bool whole = object->kind == GW_OBJECT_STRUCT || object->kind == GW_OBJECT_GLOBAL;
    return whole && shadow->kind == GW_OBJECT_POINTER && gw_signature_cell_type(s, object) == object->type;
}

char *gw_signature_pointer_text(const gw_session *s, const gw_object_data *primal, const char *cell) {
    const char *dimensions = strchr(cell, '[');
    gw_text text = {0};
    char *made;
    if (primal && primal->is_container) return gw_format("%s &", cell);
    if (dimensions)
        return gw_format("%.*s (*__restrict__)%s", (int)(dimensions - cell), cell, dimensions);
    if (!primal || s->types.at[primal->type].kind != GW_TYPE_POINTER)
        return gw_format("%s *__restrict__", cell);
    add_type_text(s, primal->type, &text);
    made = gw_format("%s%s*__restrict__", text.at, primal->is_const ? "const " : "");
    gw_text_free(&text);
    return made;
}

/* As a request would name it: "d.grid" of d.grid[i].x. */
static char *cell_name(const gw_func *p, gw_op op) {
    const gw_op_data *o = gw_op_at(p, op);
    const char *path = gw_cstr(p->session, o->path);
    while (strncmp(path, "[]", 2) == 0) path += 2;
    return gw_format("%s%.*s", gw_cstr(p->session, gw_object_at(p, o->object)->name), (int)strcspn(path, "["),
                     path);
}

/* The adjoints of such a struct would need a struct of their own, with float * for __half *. */
static bool leads_to_halves(const gw_session *s, gw_type t) {
    while (t >= GW_T_SCALARS && s->types.at[t].kind != GW_TYPE_STRUCT) t = s->types.at[t].element;
    return t >= GW_T_SCALARS && gw_type_holds_half(s, t) &&
           !gw_type_is_half(s->fields.at[s->types.at[t].first].type);
}

static bool check_halves(const gw_activity *a) {
    const gw_func *p = a->f;
    for (gw_op op = 1; op < p->ops.count; op++) {
        const gw_op_data *o = gw_op_at(p, op);
        if (o->dead || !o->object || !gw_active_cell(a, op)) continue;
        if (!leads_to_halves(p->session, gw_object_at(p, o->object)->type)) continue;
        gw_diag(p->session, GW_DIAG_UNSUPPORTED, o->loc, "a struct with pointers to half precision",
                "hold the numbers as float, or pass arrays of halves beside the struct");
        return false;
    }
    return true;
}

bool gw_signature_check(const gw_activity *a, const gw_roles *roles) {
    const gw_func *p = a->f;
    bool good = check_halves(a);
    for (gw_op op = 1; op < p->ops.count; op++) {
        const gw_op_data *o = gw_op_at(p, op);
        bool reads = o->code == GW_OP_LOAD || o->flags & GW_OP_READS;
        if (o->dead || !reads || gw_object_is_inner(gw_object_at(p, o->object)->kind)) continue;
        if (!gw_active_cell(a, op) || roles->input[op] || roles->output[op]) continue;
        if (o->code == GW_OP_LOAD && !gw_active_value(a, o->first_result)) continue;
        char *name = cell_name(p, op);
        gw_diag(p->session, GW_DIAG_ACTIVE_GLOBAL, o->loc, name);
        free(name);
        good = false;
    }
    return good;
}

gw_type gw_signature_texture_type(gw_session *s) {
    const gw_field cells = {.name = gw_intern(s, "cells"), .type = gw_type_pointer(s, GW_T_F32, false)};
    return gw_type_struct(s, gw_intern(s, "gw_texture_shadow"), &cells, 1, (gw_layout){0});
}

static bool is_fetched(const gw_activity *a, gw_value texture) {
    for (gw_op op = 1; op < a->f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(a->f, op);
        if (!o->dead && o->code == GW_OP_TEXTURE && gw_operand(a->f, op, 0) == texture &&
            a->useful_value[o->first_result])
            return true;
    }
    return false;
}

static bool is_useful(const gw_activity *a, const gw_param *x, gw_str name, const char *member) {
    const gw_func *p = a->f;
    if (x->is_texture) return is_fetched(a, x->value);
    if (x->value && gw_typeof(p, x->value) == GW_T_ADDRESS) return true; /* kernels look into it */
    if (x->value) return a->useful_value[x->value];
    if (!*member && a->useful_object[x->object]) return true;
    for (uint32_t i = 0; i < p->params.count; i++) /* kernels look into it */
        if (p->params.at[i].part_of == x->object && gw_roles_names_part(p->session, name, &p->params.at[i]))
            return true;
    for (gw_op op = 1; op < p->ops.count; op++) {
        const gw_op_data *o = gw_op_at(p, op);
        if (!a->cell[op] || o->object != x->object || !a->useful_cell[a->cell[op]]) continue;
        if (gw_path_in_member(gw_cstr(p->session, o->path), member)) return true;
    }
    return false;
}

void gw_signature_warn_constants(const gw_activity *a, const gw_request *q) {
    const gw_session *s = a->f->session;
    GW_VEC(const gw_field *) left = {0};
    gw_text names = {0};
    for (gw_op op = 1; op < a->f->ops.count; op++) {
        const gw_field *field = gw_roles_constant(a->f, q, op);
        if (!field || !a->useful_cell[a->cell[op]]) continue;
        bool is_known = false;
        for (uint32_t i = 0; i < left.count; i++) is_known |= left.at[i] == field;
        if (is_known) continue;
        gw_text_addf(&names, "%s'%s'", left.count ? ", " : "", gw_cstr(s, field->name));
        gw_push(&left, field);
    }
    if (left.count)
        gw_diag(a->f->session, GW_DIAG_CONST_LEFT, q->loc, gw_cstr(s, a->f->qualified), names.at);
    gw_text_free(&names);
    gw_vec_free(&left);
}

void gw_signature_warn_unused(const gw_activity *a, const gw_request *q) {
    const gw_session *s = a->f->session;
    const char *output = q->dependents.count ? gw_cstr(s, q->dependents.at[0]) : "the returned value";
    for (uint32_t i = 0; i < q->independents.count; i++) {
        gw_str name = q->independents.at[i];
        for (uint32_t k = 0; k < a->f->params.count; k++) {
            const gw_param *x = &a->f->params.at[k];
            const char *member = gw_roles_member(s, name, x->name);
            if (member && !is_useful(a, x, name, member))
                gw_diag(a->f->session, GW_DIAG_INPUT_NOT_USED, q->loc, output, gw_cstr(s, name));
        }
    }
}
