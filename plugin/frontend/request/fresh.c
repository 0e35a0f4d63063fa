/*
 * frontend/request/fresh.c - adjoints that are new: "y wrt x[0:n] fresh" (docs/internals/ownership.md).
 */
#include "plugin/frontend/request/request.h"

#include "analysis/facts/facts.h"
#include "analysis/ir/diagnostics.h"
#include "analysis/ir/leaf.h"
#include "analysis/ir/requests.h"

static bool has(const gw_names *list, gw_str name) {
    for (uint32_t i = 0; i < list->count; i++)
        if (list->at[i] == name) return true;
    return false;
}

/* --fresh: of all that are inputs alone those whose extent is known. */
static void add_all(gw_request *r) {
    for (uint32_t i = 0; i < r->independents.count; i++) {
        const gw_str name = r->independents.at[i];
        const gw_param *p = gw_front_param_named(r->func, name);
        const bool is_known = r->independent_extents.at[i] || (p && p->value);
        if (is_known && !has(&r->fresh, name) && !has(&r->dependents, name)) gw_push(&r->fresh, name);
    }
}

/* A member of a struct by value, and a pointer to numbers, or to structs that the launch can clear. */
static bool is_array_of_struct(const gw_func *f, gw_str name) {
    for (uint32_t i = 0; i < f->params.count; i++) {
        const gw_param *p = &f->params.at[i];
        const char *member = gw_roles_member(f->session, name, p->name);
        const bool is_struct = p->object && gw_object_at(f, p->object)->kind == GW_OBJECT_STRUCT;
        if (!member || !*member || !is_struct) continue;
        const gw_session *s = f->session;
        const gw_str path = gw_intern(f->session, member);
        const gw_type_data *t = &s->types.at[gw_stored_type(f, p->object, path)];
        return t->kind == GW_TYPE_POINTER && s->types.at[t->element].kind != GW_TYPE_POINTER &&
               !gw_cell_behind_pointer(f, p->object, path) && gw_type_reaches_float(s, t->element);
    }
    return false;
}

static const char *wrong_with(gw_unit *u, const gw_request *r, gw_str name) {
    const gw_func *f = r->func;
    const gw_param *p = gw_front_param_named(f, name);
    const gw_object_data *o = p && p->object ? gw_object_at(f, p->object) : NULL;
    const bool is_array = (o && o->kind == GW_OBJECT_POINTER && !o->is_reference && !o->is_container) ||
                          is_array_of_struct(f, name);
    uint32_t at = 0;
    if (f->kind != GW_FUNC_KERNEL) return "adjoints that are new, 'fresh', are those of a kernel";
    if (has(&r->dependents, name)) return "the adjoint of an output is given: it is not 'fresh'";
    if (!is_array && !(p && p->value && !p->is_texture))
        return "what is 'fresh' is a number, or a pointer, also one in a struct by value";
    while (r->independents.at[at] != name)
        at++;
    return gw_front_extent_wrong(u, f, is_array, r->independent_extents.at[at]);
}

bool gw_front_check_fresh(gw_unit *u, gw_request *r) {
    const char *wrong = NULL;
    const bool can = r->kind == GW_REQUEST_GRADIENT || r->kind == GW_REQUEST_SPLIT;
    if (u->session->options.fresh && can && r->func->kind == GW_FUNC_KERNEL) add_all(r);
    for (uint32_t i = 0; i < r->fresh.count && !wrong; i++)
        wrong = wrong_with(u, r, r->fresh.at[i]);
    if (wrong) gw_diag(u->session, GW_DIAG_BAD_REQUEST, r->loc, gw_cstr(u->session, r->text), wrong);
    return !wrong;
}
