/*
 * frontend/request/global.c - requests that name variables at file scope: "y wrt table".
 *
 * Requires a lowered function. Such a variable becomes a parameter that no text has (frontend/unit/global.c),
 * so that it has a role and an adjoint parameter d_table like any other; what a request does not name has
 * neither.
 */
#include "plugin/frontend/request/request.h"

#include "analysis/ir/diagnostics.h"

#include <string.h>

/* Whether the member (".x.y", or "") is there and holds a floating-point number. */
static bool holds_float(const gw_session *s, gw_type t, const char *member) {
    while (s->types.at[t].kind == GW_TYPE_ARRAY) t = s->types.at[t].element;
    const gw_type_data *d = &s->types.at[t];
    if (d->kind != GW_TYPE_STRUCT) return !*member && gw_type_is_float(gw_type_of_value(t));
    size_t n = *member ? strcspn(member + 1, ".") : 0;
    for (uint32_t i = 0; i < d->count; i++) {
        const gw_field *f = &s->fields.at[d->first + i];
        const char *name = gw_cstr(s, f->name);
        bool named = !*member || (strlen(name) == n && strncmp(name, member + 1, n) == 0);
        if (named && holds_float(s, f->type, *member ? member + 1 + n : "")) return true;
    }
    return false;
}

static bool bind_global(gw_unit *u, const gw_request *r, CXCursor definition, gw_str name) {
    gw_session *s = u->session;
    gw_func *f = r->func;
    const char *text = gw_cstr(s, name);
    gw_str base = gw_intern_n(s, text, strcspn(text, "."));
    const gw_param *known = gw_front_param_named(f, base);
    if (known && !known->is_global) return true;
    gw_object object = 0;
    uint32_t count = gw_front_find_global(f, gw_cstr(s, base), &object);
    gw_object_data *d = gw_object_at(f, object);
    const char *called = gw_front_called_with(u, f, gw_cstr(s, count ? d->name : base), count != 0);
    if (count && d->type < GW_T_SCALARS && !gw_type_is_float(gw_type_of_value(d->type))) {
        gw_diag(s, GW_DIAG_NOT_ACTIVE, r->loc, text, gw_cstr(s, r->function), gw_type_c(s, d->type));
        return false;
    }
    if (count && !holds_float(s, d->type, text + strcspn(text, "."))) {
        gw_diag(s, GW_DIAG_UNKNOWN_NAME, r->loc, text, "floating-point member", gw_cstr(s, base), "",
                "name the whole variable, or a member that holds such numbers");
        return false;
    }
    if (!count && !called) {
        gw_front_say_no_parameter(u, r, definition, name);
        return false;
    }
    const char *what = called;
    if (count > 1) what = "a request for one of two variables of a name";
    if (!what) what = gw_front_global_obstacle(u, d, count);
    if (known) return true;
    if (what) {
        gw_diag(s, GW_DIAG_UNSUPPORTED, r->loc, what, "pass the variable as a parameter");
        return false;
    }
    gw_front_add_global(f, object, base);
    return true;
}

bool gw_front_request_globals(gw_unit *u, const gw_request *r, CXCursor definition) {
    bool good = true;
    for (uint32_t i = 0; i < r->dependents.count; i++)
        good &= bind_global(u, r, definition, r->dependents.at[i]);
    for (uint32_t i = 0; i < r->independents.count; i++)
        good &= bind_global(u, r, definition, r->independents.at[i]);
    return good;
}

bool gw_front_check_globals(gw_unit *u, const gw_func *f) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        const gw_object_data *d = gw_object_at(f, o->object);
        bool writes = o->code == GW_OP_STORE || o->code == GW_OP_ATOMIC || o->flags & GW_OP_WRITES;
        if (o->dead || !writes || d->kind != GW_OBJECT_GLOBAL ||
            !gw_front_called_with(u, f, gw_cstr(f->session, d->name), true))
            continue;
        gw_diag(f->session, GW_DIAG_UNSUPPORTED, o->loc, "a store to a variable that a called function uses",
                "pass it to that function");
        return false;
    }
    return true;
}
