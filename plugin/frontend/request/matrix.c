/*
 * frontend/request/matrix.c - what a Hessian and a Jacobian are made of: numbers by value, and arrays whose
 * extents the request says, in expressions of the function's integers.
 */
#include "plugin/frontend/request/request.h"

#include "analysis/ir/diagnostics.h"

#include <ctype.h>
#include <string.h>

static bool say(gw_unit *u, const gw_request *r, const char *wrong) {
    gw_diag(u->session, GW_DIAG_BAD_REQUEST, r->loc, gw_cstr(u->session, r->text), wrong);
    return false;
}

static const gw_param *param_of(const gw_func *f, gw_str name) {
    for (uint32_t i = 0; i < f->params.count; i++)
        if (f->params.at[i].name == name && !gw_param_is_hidden(&f->params.at[i])) return &f->params.at[i];
    return NULL;
}

static size_t word_length(const char *p) {
    size_t n = 0;
    while (isalnum((unsigned char)p[n]) || p[n] == '_') n++;
    return n;
}

/* ".size.x" or ".dims[1]" of a kernel's struct by value, an integer; *text is then behind it. */
static bool is_integer_member(gw_unit *u, const gw_func *f, gw_object o, const char **text) {
    gw_text path = {0};
    const char *p = *text;
    while (*p == '.' || *p == '[') {
        const bool is_index = *p == '[';
        const size_t n = is_index ? strspn(p + 1, "0123456789") : word_length(p + 1);
        if (is_index) gw_text_add(&path, "[]");
        else gw_text_addf(&path, "%.*s", (int)n + 1, p);
        p += 1 + n;
        if (is_index && (!n || *p++ != ']')) break;
    }
    const gw_str at = gw_intern(u->session, path.at ? path.at : "");
    gw_text_free(&path);
    *text = p;
    return f->kind == GW_FUNC_KERNEL && gw_object_at(f, o)->kind == GW_OBJECT_STRUCT &&
           gw_type_is_integer(gw_cell_type(f, o, at)) && !gw_cell_behind_pointer(f, o, at);
}

/* Every name in it is an integer that is passed by value. */
static bool is_of_integers(gw_unit *u, const gw_func *f, gw_str extent) {
    for (const char *p = gw_cstr(u->session, extent); *p;) {
        const size_t n = word_length(p);
        const bool is_name = n && !isdigit((unsigned char)*p);
        const gw_param *x = is_name ? param_of(f, gw_intern_n(u->session, p, n)) : NULL;
        if (!n && !strchr("+-*/%() ", *p)) return false;
        p += n ? n : 1;
        if (is_name && x && x->object && is_integer_member(u, f, x->object, &p)) continue;
        if (is_name && (!x || !x->value || gw_type_is_float(gw_typeof(f, x->value)) || x->is_enumerated))
            return false;
    }
    return true;
}

const char *gw_front_extent_wrong(gw_unit *u, const gw_func *f, bool is_array, gw_str extent) {
    if (is_array && !extent) return "an array has an extent: 'x[0:n]'";
    if (!is_array && extent) return "a number has no extent";
    if (extent && !is_of_integers(u, f, extent))
        return "an extent is made of numbers, + - * / % and the function's integer parameters";
    return NULL;
}

/* The type of the name's numbers; GW_T_VOID with a message if it can be no rows or columns. */
static gw_type type_of(gw_unit *u, const gw_request *r, gw_str name, gw_str extent) {
    const gw_func *f = r->func;
    const gw_param *p = param_of(f, name);
    const gw_object_data *o = p && p->object ? gw_object_at(f, p->object) : NULL;
    const bool is_array = o && o->kind == GW_OBJECT_POINTER && !o->is_reference && !o->is_container;
    gw_type t = is_array ? o->type : GW_T_VOID;
    if (p && p->value) t = gw_typeof(f, p->value);
    const char *wrong = gw_front_extent_wrong(u, f, is_array, extent);
    if (t != GW_T_F32 && t != GW_T_F64)
        wrong = "rows and columns are parameters: numbers, and pointers to float or double";
    if (wrong) say(u, r, wrong);
    return wrong ? GW_T_VOID : t;
}

bool gw_front_check_matrix(gw_unit *u, const gw_request *r) {
    const gw_func *f = r->func;
    const gw_names *lists[2] = {&r->dependents, &r->independents},
                   *extents[2] = {&r->dependent_extents, &r->independent_extents};
    gw_type type = r->dependents.count ? GW_T_VOID : f->return_type;
    if (f->kind != GW_FUNC_HOST || f->template_head) {
        gw_diag(u->session, GW_DIAG_UNSUPPORTED, r->loc, "the matrix of a kernel, device function or template",
                "ask for GW_HVP, GW_DERIVATIVE or GW_GRADIENT, and run it for each direction");
        return false;
    }
    if (r->dependents.count && f->return_type != GW_T_VOID)
        return say(u, r, "of a function that returns a value the Jacobian is that of the value: 'wrt x[0:n]'");
    for (unsigned side = 0; side < 2; side++)
        for (uint32_t i = 0; i < lists[side]->count; i++) {
            gw_type t = type_of(u, r, lists[side]->at[i], extents[side]->at[i]);
            if (!t) return false;
            if (type && t != type) return say(u, r, "rows and columns have one type, float or double");
            type = t;
            for (uint32_t k = 0; side && k < r->dependents.count; k++)
                if (r->dependents.at[k] == lists[side]->at[i])
                    return say(u, r, "what is an output and an input has no Jacobian: write to another array");
        }
    return true;
}
