/* call.c - calls of a function, its gradient and its forward derivative, as the harness has them (contract:
 * gwcheck_private.h). */
#include "analysis/ir/query.h"
#include "plugin/gwcheck/gwcheck_private.h"
#include "rewriters/emit/text/text.h"

#include <string.h>

typedef struct caller {
    gw_session *s;
    const gwcheck_function *f;
    uint32_t number;
    gw_text *out;
} caller;

/* ---- names ---- */
/* "ns::f_grad_launch<3>": a name where the function has its own. */
static char *beside(const gw_func *f, gw_str name) {
    const gw_session *s = f->session;
    const char *qualified = gw_cstr(s, f->qualified), *last = qualified;
    for (const char *at = qualified; (at = strstr(at, "::")); at += 2)
        last = at + 2;
    return gw_format("%.*s%s%s%s%s", (int)(last - qualified), qualified, gw_cstr(s, name),
                     f->template_arguments ? "<" : "", gw_cstr(s, f->template_arguments),
                     f->template_arguments ? ">" : "");
}

static char *own_name(const gw_func *f) { return beside(f, f->name); }

/* What the source calls the last part of "S::force": a member has another name in the IR, "S_force". */
static char *last_name(const caller *c) {
    const char *name = c->f->name, *last = name, *stop = name + strcspn(name, "<(");
    for (const char *at = name; (at = strstr(at, "::")) && at < stop; at += 2)
        last = at + 2;
    return gw_format("%.*s", (int)strcspn(last, "<("), last);
}

static bool is_member(const caller *c) {
    const gw_func *p = c->f->primal;
    char *last = last_name(c);
    const bool same = strcmp(last, gw_cstr(c->s, p->name)) == 0;
    free(last);
    return !same && p->params.count && p->params.at[0].object &&
           gw_object_at(p, p->params.at[0].object)->is_reference;
}

/* ---- parameters ---- */
static uint32_t find(const caller *c, uint32_t primal) {
    const gwcheck_function *f = c->f;
    const bool result = primal == UINT32_MAX || f->primal->params.at[primal].is_result;
    for (uint32_t i = 0; i < f->params.count; i++)
        if (f->params.at[i].primal == (result ? UINT32_MAX : primal) && !f->params.at[i].member) return i;
    return UINT32_MAX;
}

static bool has_members(const caller *c, uint32_t at) {
    const gwcheck_param *next = at + 1 < c->f->params.count ? &c->f->params.at[at + 1] : NULL;
    return next && next->member && next->primal == c->f->params.at[at].primal;
}

/* Pointers of the struct `target` lead to memory of the harness's. */
static void point(const caller *c, uint32_t at, const char *target, const char *memory) {
    for (uint32_t i = at + 1; i < c->f->params.count; i++) {
        const gwcheck_param *p = &c->f->params.at[i];
        if (!p->member || p->primal != c->f->params.at[at].primal) break;
        char *member = gw_emit_leaf(c->s, c->f->params.at[at].cell, target, p->member);
        gw_text_addf(c->out, "    %s = (__typeof__(&*%s))gwcheck_p[%u].%s;\n", member, member, i, memory);
        free(member);
    }
}

static const gw_object_data *object_of(const gw_func *f, const gw_param *p) {
    return p->object ? gw_object_at(f, p->object) : NULL;
}

/* Variables that arguments are: copies of structs with pointers, vectors. */
static void begin(const caller *c, const char *memory, bool shadow) {
    const gw_func *f = c->f->primal;
    for (uint32_t i = 0; i < f->params.count; i++) {
        const uint32_t at = find(c, i);
        if (at == UINT32_MAX || gw_param_is_hidden(&f->params.at[i]) || (shadow && !c->f->params.at[at].named))
            continue;
        const gw_object_data *o = object_of(f, &f->params.at[i]);
        char *id = gw_format("gwc%u_%u", c->number, at);
        if (o && o->is_container) {
            gw_text_addf(c->out,
                         "    std::vector<%s> gwcheck_%s%u((%s *)gwcheck_p[%u].%s, (%s *)gwcheck_p[%u].%s + "
                         "gwcheck_p[%u].count);\n",
                         id, memory, at, id, at, memory, id, at, memory, at);
        } else if (has_members(c, at) && shadow) {
            char *target = gw_format("((%s *)gwcheck_p[%u].shadow)[0]", id, at);
            point(c, at, target, memory);
            free(target);
        } else if (has_members(c, at)) {
            char *target = gw_format("gwcheck_v%u", at);
            gw_text_addf(c->out, "    %s %s = *(%s *)gwcheck_p[%u].data;\n", id, target, id, at);
            point(c, at, target, memory);
            free(target);
        }
        free(id);
    }
}

/* What a call has left in vectors. */
static void end(const caller *c, const char *memory, bool shadow) {
    const gw_func *f = c->f->primal;
    for (uint32_t i = 0; i < f->params.count; i++) {
        const uint32_t at = find(c, i);
        const gw_object_data *o = object_of(f, &f->params.at[i]);
        if (at == UINT32_MAX || gw_param_is_hidden(&f->params.at[i]) || !o || !o->is_container ||
            (shadow && !c->f->params.at[at].named))
            continue;
        gw_text_addf(c->out,
                     "    memcpy(gwcheck_p[%u].%s, gwcheck_%s%u.data(), gwcheck_p[%u].count * "
                     "gwcheck_p[%u].element);\n",
                     at, memory, memory, at, at, at);
    }
}

static void argument(const caller *c, uint32_t primal, gw_text *out) {
    const gw_func *f = c->f->primal;
    const gw_param *p = &f->params.at[primal];
    const gw_object_data *o = object_of(f, p);
    const uint32_t at = find(c, primal);
    const bool address = p->value && gw_typeof(f, p->value) == GW_T_ADDRESS;
    if (p->is_handle)
        gw_text_addf(out, "(%s)0", gw_cstr(c->s, p->type_text));
    else if (o && o->is_container)
        gw_text_addf(out, "gwcheck_data%u", at);
    else if (has_members(c, at))
        gw_text_addf(out, "gwcheck_v%u", at);
    else if (address || (o && o->kind == GW_OBJECT_POINTER && !o->is_reference))
        gw_text_addf(out, "(gwc%u_%u *)gwcheck_p[%u].data", c->number, at, at);
    else
        gw_text_addf(out, "*(gwc%u_%u *)gwcheck_p[%u].data", c->number, at, at);
}

static void arguments(const caller *c, bool without_object, gw_text *out) {
    const gw_func *f = c->f->primal;
    bool first = true;
    for (uint32_t i = without_object; i < f->params.count; i++) {
        if (gw_param_is_hidden(&f->params.at[i])) continue;
        if (!first) gw_text_add(out, ", ");
        argument(c, i, out);
        first = false;
    }
}

/* The forward derivative of a program is told where the value goes, in front of its tangent. */
static bool is_value(const gw_func *d, uint32_t i) {
    return i + 1 < d->params.count && d->params.at[i].primal_index == UINT32_MAX &&
           d->params.at[i + 1].primal_index == UINT32_MAX;
}

/* Adjoints or tangents, each behind a comma if anything stands before. */
static void shadows(const caller *c, const gw_func *d, gw_text *out, bool comma) {
    for (uint32_t i = 0; i < d->params.count; i++) {
        const gw_param *p = &d->params.at[i];
        if (!p->is_adjoint || gw_param_is_hidden(p)) continue; /* an address in a struct comes with that */
        const uint32_t at = find(c, p->primal_index);
        const gw_object_data *o = object_of(d, p);
        const bool pointer = (o && o->kind == GW_OBJECT_POINTER && !o->is_reference) ||
                             (p->value && gw_typeof(d, p->value) == GW_T_ADDRESS);
        if (comma) gw_text_add(out, ", ");
        if (o && o->is_container)
            gw_text_addf(out, "gwcheck_shadow%u", at);
        else
            gw_text_addf(out, "%s(gwc%u_%u *)gwcheck_p[%u].%s", pointer ? "" : "*", c->number, at, at,
                         is_value(d, i) ? "data" : "shadow");
        comma = true;
    }
}

/* ---- calls ---- */
static void head(const caller *c, const char *what) {
    gw_text_addf(c->out, "static const char *gwc%u_%s(gw_check_param *gwcheck_p) {\n", c->number, what);
    if (gwcheck_is_device(c->f->primal))
        gw_text_addf(c->out,
                     "    dim3 gwcheck_grid, gwcheck_block;\n    size_t gwcheck_shared;\n"
                     "    gwc%u_launch(gwcheck_p, &gwcheck_grid, &gwcheck_block, &gwcheck_shared);\n",
                     c->number);
}

static void write_primal(const caller *c) {
    const gw_func *f = c->f->primal;
    const uint32_t result = find(c, UINT32_MAX);
    const bool member = is_member(c);
    char *name = member ? last_name(c) : own_name(f);
    head(c, "primal");
    begin(c, "data", false);
    gw_text_add(c->out, "    ");
    if (result != UINT32_MAX)
        gw_text_addf(c->out, "*(gwc%u_%u *)gwcheck_p[%u].data = ", c->number, result, result);
    if (member) gw_text_addf(c->out, "((gwc%u_0 *)gwcheck_p[0].data)->", c->number);
    gw_text_add(c->out, name);
    if (gwcheck_is_device(f)) gw_text_add(c->out, "<<<gwcheck_grid, gwcheck_block, gwcheck_shared>>>");
    gw_text_add(c->out, "(");
    arguments(c, member, c->out);
    gw_text_add(c->out, ");\n");
    end(c, "data", false);
    gw_text_add(c->out, "    return 0;\n}\n");
    free(name);
}

/* Launches a kernel's gradient with its workspace, or by the form that makes one of its own. */
static void launch_gradient(const caller *c, const gw_func *d, const char *all) {
    const bool measured = gw_companion(d, GW_FORM_MEASURE) != NULL;
    char *launch = beside(d, gw_derived_part_name(d, measured ? GW_DERIVED_ALLOC : GW_DERIVED_LAUNCH)),
         *bytes = beside(d, gw_derived_part_name(d, GW_DERIVED_WORKSPACE_BYTES));
    gw_text own = {0};
    arguments(c, false, &own);
    gw_text_addf(c->out, "    const size_t gwcheck_cells = gwcheck_most(gwcheck_p, %u, gwcheck_shared);\n",
                 c->f->params.count);
    if (!measured)
        gw_text_addf(c->out,
                     "    const size_t gwcheck_bytes = gwcheck_sized<size_t>(gwcheck_cells, GWCHECK_SIZED(\n"
                     "        %s(gwcheck_grid, gwcheck_block%s%s, gwcheck_sizes...)));\n"
                     "    void *gwcheck_space = gwcheck_bytes ? gwcheck_allocate(gwcheck_bytes) : 0;\n"
                     "    if (gwcheck_bytes && !gwcheck_space) return \"no memory for the workspace\";\n"
                     "    if (gwcheck_bytes) memset(gwcheck_space, 0xA5, gwcheck_bytes);\n",
                     bytes, own.at ? ", " : "", own.at ? own.at : "");
    gw_text_addf(c->out,
                 "    const char *gwcheck_error = gwcheck_status(gwcheck_sized<gw_status>(gwcheck_cells, "
                 "GWCHECK_SIZED(\n        %s(gwcheck_grid, gwcheck_block, gwcheck_shared, (cudaStream_t)0, %s, "
                 "gwcheck_sizes...%s))));\n",
                 launch, all, measured ? "" : ", gwcheck_space, gwcheck_bytes");
    gw_text_add(c->out, "    if (!gwcheck_error) gwcheck_error = gwcheck_finish();\n");
    if (!measured) gw_text_add(c->out, "    if (gwcheck_space) gwcheck_release(gwcheck_space);\n");
    gw_text_free(&own);
    free(launch);
    free(bytes);
}

static void write_derivative(const caller *c, const gw_func *d, const char *what) {
    const bool forward = d->form == GW_FORM_JVP;
    const bool status = (!forward && d->tape_host) || gw_is_program(c->f->primal);
    gw_text all = {0};
    head(c, what);
    begin(c, "data", false);
    begin(c, "shadow", true);
    arguments(c, false, &all);
    shadows(c, d, &all, all.count != 0);
    char *name = own_name(d);
    if (gwcheck_is_device(c->f->primal) && !forward) {
        launch_gradient(c, d, all.at);
    } else if (gwcheck_is_device(c->f->primal)) {
        char *launch = beside(d, gw_derived_part_name(d, GW_DERIVED_LAUNCH));
        gw_text_addf(c->out,
                     "    const char *gwcheck_error = gwcheck_status(%s(gwcheck_grid, gwcheck_block, "
                     "gwcheck_shared, (cudaStream_t)0, %s));\n",
                     launch, all.at);
        free(launch);
    } else {
        gw_text_addf(c->out,
                     status ? "    const char *gwcheck_error = gwcheck_status(%s(%s));\n"
                            : "    const char *gwcheck_error = 0;\n    %s(%s);\n",
                     name, all.at);
    }
    end(c, "shadow", true);
    if (forward) end(c, "data", false);
    gw_text_add(c->out, "    return gwcheck_error;\n}\n");
    free(name);
    gw_text_free(&all);
}

void gwcheck_calls(gw_session *s, const gwcheck_function *f, uint32_t number, gw_text *out) {
    const caller c = {s, f, number, out};
    write_primal(&c);
    write_derivative(&c, f->gradient, "gradient");
    if (f->forward) write_derivative(&c, f->forward, "forward");
}
