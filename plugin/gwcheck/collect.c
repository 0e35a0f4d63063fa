/*
 * collect.c - which gradients a run made, and what their functions take (contract: gwcheck_private.h). All of
 * it is asked of the IR: parameters, their cells, what is named.
 */
#include "analysis/ir/leaf.h"
#include "analysis/ir/promises.h"
#include "analysis/ir/requests.h"
#include "plugin/gwcheck/gwcheck_private.h"

#include <string.h>

bool gwcheck_is_device(const gw_func *f) { return f->kind == GW_FUNC_KERNEL; }

static const char FORWARD[] = "gwcheck_forward_";

char *gwcheck_forward_name(const char *function, const char *asks) {
    const uint64_t hash = gw_hash(gw_hash(GW_HASH_START, function, strlen(function)), asks, strlen(asks));
    return gw_format("%s%016llx", FORWARD, (unsigned long long)hash);
}

char *gwcheck_asks(const gw_session *s, const gw_request *q) {
    gw_text text = {0};
    for (uint32_t i = 0; i < q->dependents.count; i++)
        gw_text_addf(&text, "%s%s", i ? ", " : "", gw_cstr(s, q->dependents.at[i]));
    gw_text_add(&text, q->dependents.count ? " wrt " : "wrt ");
    for (uint32_t i = 0; i < q->independents.count; i++)
        gw_text_addf(&text, "%s%s", i ? ", " : "", gw_cstr(s, q->independents.at[i]));
    return text.at;
}

static bool is_in(const gw_session *s, const gw_names *names, const char *cell) {
    for (uint32_t i = 0; i < names->count; i++) {
        const char *name = gw_cstr(s, names->at[i]);
        const size_t n = strlen(name);
        if (strncmp(cell, name, n) == 0 && (!cell[n] || cell[n] == '.')) return true;
    }
    return false;
}

bool gwcheck_is_named(const gw_session *s, const gw_request *q, const char *cell) {
    return is_in(s, &q->dependents, cell) || is_in(s, &q->independents, cell);
}

bool gwcheck_is_fresh(const gw_session *s, const gw_request *q, const char *param) {
    return is_in(s, &q->fresh, param);
}

/* Or a part of it is. */
static bool has_part_in(const gw_session *s, const gw_names *names, const char *param) {
    const size_t n = strlen(param);
    bool found = is_in(s, names, param);
    for (uint32_t i = 0; i < names->count && !found; i++) {
        const char *name = gw_cstr(s, names->at[i]);
        found = strncmp(name, param, n) == 0 && name[n] == '.';
    }
    return found;
}

bool gwcheck_is_input(const gw_session *s, const gw_request *q, const char *param) {
    return has_part_in(s, &q->independents, param);
}

bool gwcheck_is_output(const gw_session *s, const gw_request *q, const char *param) {
    return has_part_in(s, &q->dependents, param);
}

/* ---- types ---- */
/* "double[3]"; NULL: it has no spelling. */
static char *type_text(const gw_session *s, gw_type t) {
    const gw_type_data *d = &s->types.at[t];
    gw_text dimensions = {0};
    while (d->kind == GW_TYPE_ARRAY) {
        gw_text_addf(&dimensions, "[%u]", d->count);
        t = d->element;
        d = &s->types.at[t];
    }
    const bool spelled = d->kind == GW_TYPE_SCALAR || (d->kind == GW_TYPE_STRUCT && d->name);
    const char *behind = dimensions.at ? dimensions.at : "";
    char *text = spelled ? gw_format("%s%s", gw_type_c(s, t), behind) : NULL;
    gw_text_free(&dimensions);
    return text;
}

static void refuse(gwcheck_function *f, const char *name, const char *why) {
    if (!f->refused) f->refused = gw_format("'%s' %s", name, why);
}

static void add(gwcheck_function *f, gwcheck_param p) { gw_push(&f->params, p); }

/* What the pointers of a struct lead to. */
static void add_members(gw_session *s, gwcheck_function *f, uint32_t index, const char *name, gw_type t) {
    gw_leaves leaves = {0};
    gw_leaves_of(s, t, &leaves);
    if (leaves.count > GW_MOST_STRUCT_LEAVES) refuse(f, name, "has too many members");
    for (uint32_t i = 0; i < leaves.count; i++) {
        const gw_leaf *leaf = &leaves.at[i];
        if (!gw_leaf_is_pointer(s, leaf)) continue;
        const gw_type element = s->types.at[leaf->type].element;
        char *full = gw_format("%s%s", name, gw_cstr(s, leaf->path)), *type = type_text(s, element);
        if (!type || gw_type_has_pointer(s, element))
            refuse(f, full,
                   "leads to what gwcheck cannot make: pointers to pointers, or a type that it does not see");
        char *cell = gw_format("%s%s", name, gw_cstr(s, leaf->name));
        add(f, (gwcheck_param){.name = full,
                               .role = GW_CHECK_ARRAY,
                               .type = type,
                               .cell = element,
                               .primal = index,
                               .member = gw_strdup(gw_cstr(s, leaf->path)),
                               .named = gwcheck_is_named(s, f->request, cell)});
        free(cell);
    }
    gw_vec_free(&leaves);
}

static bool has_adjoint(const gw_func *derivative, uint32_t primal) {
    for (uint32_t i = 0; i < derivative->params.count; i++)
        if (derivative->params.at[i].is_adjoint && derivative->params.at[i].primal_index == primal) return true;
    return false;
}

static void add_object(gw_session *s, gwcheck_function *f, uint32_t index) {
    const gw_param *p = &f->primal->params.at[index];
    const gw_object_data *o = gw_object_at(f->primal, p->object);
    const char *name = gw_cstr(s, p->name), *spelled = gw_cstr(s, o->type_text);
    const bool own = *spelled && !o->is_container && s->types.at[o->type].kind != GW_TYPE_ARRAY;
    const bool by_value = o->kind == GW_OBJECT_STRUCT;
    char *type = own ? gw_strdup(spelled) : type_text(s, o->type);
    if (!type || (!by_value && gw_type_has_pointer(s, o->type)))
        refuse(f, name,
               "leads to what gwcheck cannot make: pointers to pointers, or a type that it does not see");
    if (gw_type_holds_half(s, o->type))
        refuse(f, name, "is of half precision, which gwcheck does not know yet");
    const bool one = by_value || (o->is_reference && !o->is_container);
    add(f, (gwcheck_param){.name = gw_strdup(name),
                           .role = one ? GW_CHECK_VALUE : GW_CHECK_ARRAY,
                           .type = type,
                           .cell = o->type,
                           .primal = index,
                           .named = has_adjoint(f->gradient, index)});
    if (by_value) add_members(s, f, index, name, o->type);
}

static void add_value(gw_session *s, gwcheck_function *f, uint32_t index) {
    const gw_param *p = &f->primal->params.at[index];
    const gw_type t = gw_typeof(f->primal, p->value);
    const bool address = t == GW_T_ADDRESS;
    char *led_to = address && p->leads_to ? type_text(s, p->leads_to) : NULL;
    if (led_to && gw_type_has_pointer(s, p->leads_to))
        refuse(f, gw_cstr(s, p->name), "leads to what gwcheck cannot make: pointers to pointers");
    if (address && gw_type_holds_half(s, p->leads_to))
        refuse(f, gw_cstr(s, p->name), "is of half precision, which gwcheck does not know yet");
    add(f, (gwcheck_param){.name = gw_strdup(gw_cstr(s, p->name)),
                           .type = led_to ? led_to : gw_strdup(gw_cstr(s, p->type_text)),
                           .cell = led_to ? p->leads_to : t,
                           .role = address ? GW_CHECK_ARRAY : GW_CHECK_VALUE,
                           .primal = index,
                           .named = has_adjoint(f->gradient, index)});
}

static void add_param(gw_session *s, gwcheck_function *f, uint32_t index) {
    const gw_param *p = &f->primal->params.at[index];
    const char *name = gw_cstr(s, p->name);
    if (p->is_global) refuse(f, name, "is a variable at file scope, which gwcheck does not move yet");
    if (p->is_texture) refuse(f, name, "is a texture, which gwcheck cannot make");
    if (p->is_vector) refuse(f, name, "is a vector of Thrust's, which gwcheck does not make yet");
    if (gw_param_is_hidden(p) || p->is_handle || p->is_texture || f->refused) return;
    if (!p->name) refuse(f, "a parameter", "has no name");
    if (p->object)
        add_object(s, f, index);
    else
        add_value(s, f, index);
}

/* The number, or the struct, that the function returns, if it is asked about. */
static void add_result(gw_session *s, gwcheck_function *f) {
    gw_type t = f->primal->return_type;
    const gw_func *g = f->gradient;
    for (uint32_t i = 0; i < f->primal->params.count; i++)
        if (f->primal->params.at[i].is_result)
            t = gw_object_at(f->primal, f->primal->params.at[i].object)->type;
    if (f->request->dependents.count || !gw_type_reaches_float(s, t)) return;
    f->seed_is_one = true;
    for (uint32_t i = 0; i < g->params.count; i++) {
        const gw_param *p = &g->params.at[i];
        const bool result = p->primal_index == UINT32_MAX || (p->primal_index < f->primal->params.count &&
                                                              f->primal->params.at[p->primal_index].is_result);
        if (p->is_adjoint && result) f->seed_is_one = false;
    }
    add(f, (gwcheck_param){.name = gw_strdup("return"),
                           .role = GW_CHECK_RESULT,
                           .type = type_text(s, t),
                           .cell = t,
                           .primal = UINT32_MAX,
                           .named = true});
    if (!f->params.at[f->params.count - 1].type)
        refuse(f, "what it returns", "is of a type that gwcheck does not see");
}

/* ---- functions ---- */
/* The reverse with a seed of the caller's, where there is one that needs no tape of its caller's. */
static const gw_func *gradient_of(const gw_session *s, uint32_t request) {
    const gw_func *found = NULL;
    for (uint32_t i = 0; i < s->funcs.count; i++) {
        const gw_func *f = s->funcs.at[i];
        if (!f->primal || f->request != request) continue;
        if (f->form == GW_FORM_GRAD && !found) found = f;
        if (f->form == GW_FORM_PULLBACK && !f->tape_host) found = f;
    }
    return found;
}

static const gw_func *forward_of(gw_session *s, const gwcheck_function *of) {
    char *name = gwcheck_forward_name(of->name, of->asks);
    const gw_str wanted = gw_intern(s, name);
    free(name);
    for (uint32_t i = 0; i < s->funcs.count; i++) {
        const gw_func *f = s->funcs.at[i];
        if (f->form == GW_FORM_JVP && f->request < s->requests.count &&
            s->requests.at[f->request].name == wanted)
            return f;
    }
    return NULL;
}

static const char *why_not(const gwcheck_function *f) {
    if (gw_request_is_forward(f->request)) return "is asked for a forward derivative, and no gradient";
    if (f->request->kind == GW_REQUEST_SPLIT)
        return "is asked for in two halves: only joined gradients are checked";
    if (f->request->kind != GW_REQUEST_GRADIENT) return "is asked for what is no gradient";
    if (!f->gradient) return "has no gradient of its own";
    if (f->gradient->pack) return "has records (GW_PACK), for which gwcheck makes no memory";
    if (f->primal->kind == GW_FUNC_DEVICE) return "is of the device: check a kernel that calls it";
    if (f->primal->is_unspoken) return "is over a lambda, which no text can name";
    return NULL;
}

static void add_function(gw_session *s, uint32_t request, gwcheck_functions *out) {
    const gw_request *q = &s->requests.at[request];
    gwcheck_function f = {.request = q, .primal = q->func, .gradient = gradient_of(s, request)};
    f.name = gw_strdup(gw_cstr(s, q->function));
    f.asks = gwcheck_asks(s, q);
    f.forward = forward_of(s, &f);
    const char *why = why_not(&f);
    if (why) refuse(&f, f.name, why);
    for (uint32_t i = 0; !f.refused && i < f.primal->params.count; i++)
        add_param(s, &f, i);
    if (!f.refused) add_result(s, &f);
    gw_push(out, f);
}

/* ---- what was given for parameters ---- */
bool gwcheck_is_for(const gwcheck_given *g, const gwcheck_function *f) {
    return !f->refused && (!g->function || strcmp(g->function, f->name) == 0);
}

static void find_promises(const gw_session *s, gwcheck_function *f) {
    static const gw_check_content contents[] = {
        [GW_PROMISE_INJECTIVE] = GW_CHECK_INJECTIVE,
        [GW_PROMISE_SORTED] = GW_CHECK_SORTED,
        [GW_PROMISE_DISJOINT_RANGES] = GW_CHECK_RANGES,
    };
    for (uint32_t i = 0; i < f->primal->promises.count; i++)
        for (uint32_t k = 0; k < f->params.count; k++)
            if (strcmp(gw_cstr(s, f->primal->promises.at[i].name), f->params.at[k].name) == 0)
                f->params.at[k].content = contents[f->primal->promises.at[i].kind];
}

static bool has_param(const gwcheck_function *f, const char *name) {
    for (uint32_t i = 0; i < f->params.count; i++)
        if (strcmp(f->params.at[i].name, name) == 0) return true;
    return false;
}

static bool use(gwcheck_givens *givens, gwcheck_functions *functions, bool by_root) {
    for (uint32_t i = 0; i < givens->count; i++) {
        gwcheck_given *g = &givens->at[i];
        char *root = gw_format("%.*s", (int)strcspn(g->param, by_root ? ".[" : ""), g->param);
        for (uint32_t k = 0; k < functions->count; k++)
            if (gwcheck_is_for(g, &functions->at[k]) && has_param(&functions->at[k], root)) g->used = true;
        free(root);
        if (!g->used)
            return gwcheck_error("%s='%s': no function that is checked has a parameter '%s'", g->option,
                                 g->text, g->param);
    }
    return true;
}

/* "conic", or "conic.w" of a member. */
static bool has_cell(gw_session *s, const gwcheck_function *f, const char *name) {
    bool found = has_param(f, name);
    for (uint32_t i = 0; !found && i < f->params.count; i++) {
        const gwcheck_param *p = &f->params.at[i];
        const size_t n = strlen(p->name);
        gw_leaves leaves = {0};
        if (strncmp(p->name, name, n) == 0 && p->cell != GW_T_ADDRESS) gw_leaves_of(s, p->cell, &leaves);
        for (uint32_t k = 0; k < leaves.count; k++)
            found = found || (!gw_leaf_is_pointer(s, &leaves.at[k]) &&
                              strcmp(gw_cstr(s, leaves.at[k].name), name + n) == 0);
        gw_vec_free(&leaves);
    }
    return found;
}

static bool use_ranges(gw_session *s, gwcheck_givens *ranges, gwcheck_functions *functions) {
    for (uint32_t i = 0; i < ranges->count; i++) {
        gwcheck_given *g = &ranges->at[i];
        for (uint32_t k = 0; k < functions->count; k++)
            if (gwcheck_is_for(g, &functions->at[k]) && has_cell(s, &functions->at[k], g->param))
                g->used = true;
        if (!g->used)
            return gwcheck_error("%s='%s': no function that is checked has a parameter '%s'", g->option,
                                 g->text, g->param);
    }
    return true;
}

static bool use_launches(gwcheck_options *o, gwcheck_functions *functions) {
    for (uint32_t i = 0; i < o->launches.count; i++) {
        gwcheck_given *g = &o->launches.at[i];
        for (uint32_t k = 0; k < functions->count; k++) {
            gwcheck_function *f = &functions->at[k];
            if (!gwcheck_is_for(g, f) || !gwcheck_is_device(f->primal)) continue;
            f->launch = g->value;
            g->used = true;
        }
        if (!g->used)
            return gwcheck_error("--launch='%s': no kernel that is checked is called '%s'", g->text,
                                 g->function);
    }
    return true;
}

/* By the user: a program asks for the gradients of what it launches, and takes those that the user asks for. */
static bool is_asked(const gw_request *q) {
    const bool by_launch = q->launched && !q->from_source && q->loc.line;
    const bool part = q->part_of && q->kind != GW_REQUEST_GRADIENT;
    return q->func && !q->implied && !by_launch && !q->in_place_of && !part;
}

/* The derivative is one that gwcheck asks for, or there is a gradient of the function that is checked. */
static bool is_beside(const gw_session *s, const gw_request *forward) {
    bool found = forward->name && strncmp(gw_cstr(s, forward->name), FORWARD, strlen(FORWARD)) == 0;
    for (uint32_t i = 0; i < s->requests.count && !found; i++) {
        const gw_request *q = &s->requests.at[i];
        found = q->func == forward->func && !gw_request_is_forward(q) && is_asked(q);
    }
    return found;
}

bool gwcheck_collect(gw_session *s, gwcheck_options *o, gwcheck_functions *out) {
    for (uint32_t i = 0; i < s->requests.count; i++) {
        const gw_request *q = &s->requests.at[i];
        if (is_asked(q) && !(gw_request_is_forward(q) && is_beside(s, q))) add_function(s, i, out);
    }
    for (uint32_t i = 0; i < out->count; i++)
        if (!out->at[i].refused) find_promises(s, &out->at[i]);
    if (!out->count) return gwcheck_error("'%s' asks for no gradient: GW_GRADIENT, or --gradient", o->source);
    return use(&o->sets, out, true) && use(&o->sizes, out, false) && use_ranges(s, &o->ranges, out) &&
           use_launches(o, out);
}

void gwcheck_functions_free(gwcheck_functions *functions) {
    for (uint32_t i = 0; i < functions->count; i++) {
        gwcheck_function *f = &functions->at[i];
        for (uint32_t k = 0; k < f->params.count; k++)
            free(f->params.at[k].name), free(f->params.at[k].type), free(f->params.at[k].member);
        gw_vec_free(&f->params);
        free(f->name), free(f->asks), free(f->refused);
    }
    gw_vec_free(functions);
}
