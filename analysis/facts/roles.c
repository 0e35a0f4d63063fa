/*
 * roles.c - what a request says of the primal's parameters and of the cells that it accesses (facts.h).
 *
 * A name of the request is a parameter, or a member of one ("d.grid", through pointers and arrays alike): all
 * cells whose path begins with the member's fields are meant. A member that is not named has no adjoint, and
 * its place in the adjoint struct is never looked at.
 */
#include "analysis/facts/facts.h"

#include <stdlib.h>
#include <string.h>

const char *gw_roles_member(const gw_session *s, gw_str name, gw_str parameter) {
    const char *text = gw_cstr(s, name), *base = gw_cstr(s, parameter);
    size_t n = strlen(base);
    if (!n || strncmp(text, base, n) != 0 || (text[n] && text[n] != '.')) return NULL;
    return text + n;
}

/* Whether the parameter, an address in a struct, is or lies in what is named: "l.in" and "l.in.u[1]". */
static bool names_part(const char *name, const char *part) {
    while (*name && *part == *name) {
        part++, name++;
        if (*part == '[') part += strcspn(part, "]") + 1;
    }
    return !*name && (!*part || *part == '.');
}

bool gw_roles_names_part(const gw_session *s, gw_str name, const gw_param *p) {
    return p->part_of && !p->is_passive && names_part(gw_cstr(s, name), gw_cstr(s, p->name));
}

static bool is_in(const gw_names *list, gw_str name) {
    for (uint32_t i = 0; i < list->count; i++)
        if (list->at[i] == name) return true;
    return false;
}

bool gw_next_fresh(const gw_func *f, gw_fresh *a) {
    const gw_session *s = f->session;
    if (!f->primal || f->request >= s->requests.count) return false;
    const gw_request *q = &s->requests.at[f->request];
    const uint32_t names = q->fresh.count ? q->independents.count : 0;
    while (a->next < f->params.count * names) {
        const uint32_t i = a->next % names;
        a->param = &f->params.at[a->next++ / names];
        if (!a->param->is_adjoint || a->param->primal_index >= f->primal->params.count) continue;
        const gw_str name = f->primal->params.at[a->param->primal_index].name;
        a->member = gw_roles_member(s, q->independents.at[i], name);
        a->extent = q->independent_extents.at[i];
        if (a->member && is_in(&q->fresh, q->independents.at[i])) return true;
    }
    return false;
}

bool gw_is_of_fresh(const gw_func *f, gw_op op, const gw_fresh *a) {
    const gw_op_data *o = gw_op_at(f, op);
    return !o->dead && o->object && o->object == a->param->object &&
           (!*a->member || gw_path_in_member(gw_cstr(f->session, o->path), a->member));
}

bool gw_is_fresh(const gw_func *f, const gw_param *adjoint, gw_str *extent) {
    for (gw_fresh a = {0}; gw_next_fresh(f, &a);) {
        if (a.param != adjoint || *a.member) continue;
        if (extent) *extent = a.extent;
        return true;
    }
    return false;
}

static bool names_param(const gw_func *f, const gw_str *list, uint32_t count, const gw_param *p) {
    const gw_session *s = f->session;
    const gw_str name = gw_param_asked(f, p);
    for (uint32_t i = 0; i < count; i++)
        if (gw_roles_member(s, list[i], name) || gw_roles_names_part(s, list[i], p)) return true;
    return false;
}

static bool names_cell(const gw_session *s, const gw_str *list, uint32_t count, gw_str parameter, gw_str path) {
    for (uint32_t i = 0; i < count; i++) {
        const char *member = gw_roles_member(s, list[i], parameter);
        if (member && gw_path_in_member(gw_cstr(s, path), member)) return true;
    }
    return false;
}

uint32_t gw_number_cells(const gw_func *f, uint32_t *cell) {
    GW_VEC(gw_op) first = {0}; /* of each cell */
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead || (o->code != GW_OP_LOAD && o->code != GW_OP_STORE && o->code != GW_OP_ADDRESS &&
                        o->code != GW_OP_ATOMIC))
            continue;
        bool whole = gw_object_is_inner(gw_object_at(f, o->object)->kind);
        uint32_t i = 0;
        while (i < first.count && (gw_op_at(f, first.at[i])->object != o->object ||
                                   (!whole && gw_op_at(f, first.at[i])->path != o->path)))
            i++;
        if (i == first.count) gw_push(&first, op);
        cell[op] = i + 1;
    }
    uint32_t count = first.count;
    gw_vec_free(&first);
    return count;
}

static const gw_param *param_of(const gw_func *f, gw_object o, uint32_t *index) {
    for (*index = 0; *index < f->params.count; ++*index)
        if (f->params.at[*index].object == o) return &f->params.at[*index];
    return NULL;
}

const gw_field *gw_roles_constant(const gw_func *f, const gw_request *q, gw_op op) {
    const gw_session *s = f->session;
    const gw_op_data *o = gw_op_at(f, op);
    uint32_t index;
    if (o->dead || (o->code != GW_OP_LOAD && o->code != GW_OP_ADDRESS)) return NULL;
    const gw_param *p = param_of(f, o->object, &index);
    const gw_object_data *d = gw_object_at(f, o->object);
    const uint32_t behind = d->kind == GW_OBJECT_POINTER ? 2 : 0;
    const gw_field *field = p ? gw_path_const_member(s, d->type, gw_cstr(s, o->path) + behind) : NULL;
    bool is_named = false;
    for (uint32_t i = 0; field && i < q->independents.count + q->dependents.count; i++) {
        const bool is_input = i < q->independents.count;
        const gw_str name = is_input ? q->independents.at[i] : q->dependents.at[i - q->independents.count];
        const char *member = gw_roles_member(s, name, gw_param_asked(f, p));
        if (!member || !gw_path_in_member(gw_cstr(s, o->path), member)) continue;
        is_named = true;
        if (gw_path_const_member(s, d->type, member) == field) return NULL;
    }
    return is_named ? field : NULL;
}

typedef struct cell_roles {
    bool input, output, loaded, stored;
    uint32_t param;
} cell_roles;

void gw_roles_find(gw_roles *r, const gw_func *f, const gw_request *q) {
    const gw_session *s = f->session;
    r->independent = gw_alloc(f->params.count + 1);
    r->dependent = gw_alloc(f->params.count + 1);
    r->input = gw_alloc(f->ops.count);
    r->output = gw_alloc(f->ops.count);
    const bool of_result = q->dependents.count == 0;
    bool by_call = q->implied && gw_type_is_float(f->return_type); /* which asks for the value beside outputs */
    r->returned = by_call || (of_result && f->return_type != GW_T_VOID);
    for (uint32_t i = 0; i < f->params.count; i++) {
        const gw_param *p = &f->params.at[i];
        r->independent[i] = !p->is_result && names_param(f, q->independents.at, q->independents.count, p);
        r->dependent[i] = p->is_result ? of_result : names_param(f, q->dependents.at, q->dependents.count, p);
    }
    uint32_t *cell = gw_alloc(f->ops.count * sizeof *cell);
    cell_roles *all = gw_alloc((gw_number_cells(f, cell) + 1) * sizeof *all);
    for (gw_op op = 1; op < f->ops.count; op++) {
        uint32_t index;
        const gw_op_data *o = gw_op_at(f, op);
        const gw_param *p = cell[op] ? param_of(f, o->object, &index) : NULL;
        if (!p) continue;
        cell_roles *c = &all[cell[op]];
        const gw_str name = gw_param_asked(f, p);
        c->param = index;
        c->input = !p->is_result && names_cell(s, q->independents.at, q->independents.count, name, o->path);
        c->output =
            p->is_result ? of_result : names_cell(s, q->dependents.at, q->dependents.count, name, o->path);
        c->loaded |= o->code == GW_OP_LOAD || o->flags & GW_OP_READS;
        c->stored |= o->code == GW_OP_STORE || o->code == GW_OP_ATOMIC || o->flags & GW_OP_WRITES;
    }
    for (gw_op op = 1; op < f->ops.count; op++) {
        const cell_roles *c = &all[cell[op]];
        if (!cell[op] || ((c->input || c->output) && gw_roles_constant(f, q, op))) continue;
        r->output[op] = c->output || (c->input && c->stored);
        r->input[op] = c->input || (c->output && c->loaded);
        if (r->output[op]) r->dependent[c->param] = true;
        if (r->input[op]) r->independent[c->param] = true;
    }
    free(all);
    free(cell);
}

void gw_roles_free(gw_roles *r) {
    free(r->independent);
    free(r->dependent);
    free(r->input);
    free(r->output);
}
