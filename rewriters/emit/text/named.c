/*
 * emit/text/named.c - arguments by their names (--named-arguments): a struct of the primal's arguments, one of
 * the adjoints, and each function that callers call once more, with these two in the place of what they hold.
 *
 *     f_grad_launch(grid, block, 0, stream, f_args{.y = y, .x = x}, f_adjoints{.d_y = d_y, .d_x = d_x}, ...)
 *
 * C has no overloads: there the name has _named behind it. A template's arguments stay as they are.
 */
#include "analysis/ir/requests.h"
#include "rewriters/emit/text/text_private.h"

#include <stdlib.h>
#include <string.h>

bool gw_emit_takes_named(const gw_emitter *e, const gw_func *f) {
    const gw_session *s = e->session;
    const gw_request *q = f->request < s->requests.count ? &s->requests.at[f->request] : NULL;
    const bool asked = q && !q->is_made && !q->implied && !q->part_of && q->func == f->primal,
               one = q && (q->kind == GW_REQUEST_GRADIENT || q->kind == GW_REQUEST_SPLIT ||
                           q->kind == GW_REQUEST_DERIVATIVE);
    return s->options.named && asked && one && !s->options.standalone && !f->template_head &&
           !gw_is_along_other(f);
}

static char *name_of_arguments(const gw_emitter *e, const gw_func *f) {
    return gw_format("%s%s_args", gw_cstr(e->session, f->primal->name), gw_cstr(e->session, f->primal->tag));
}

static char *name_of_adjoints(const gw_emitter *e, const gw_func *f) {
    const gw_session *s = e->session;
    const gw_str request = s->requests.at[f->request].name;
    const bool along = f->form == GW_FORM_JVP && !request;
    return gw_format("%s%s_%s", gw_cstr(s, request ? request : f->primal->name), gw_cstr(s, f->primal->tag),
                     along ? "tangents" : "adjoints");
}

/* A member says nothing about what its pointer shares. */
static char *as_member(const char *text) {
    static const char word[] = "__restrict__";
    const char *at = strstr(text, word);
    return at ? gw_format("%.*s%s", (int)(at - text), text, at + strlen(word) + (at[strlen(word)] == ' '))
              : gw_strdup(text);
}

/* The parameter of that name, of those that callers see; NULL: it is none. */
static const gw_param *param_named(const gw_func *f, gw_str name) {
    for (uint32_t i = 0; i < f->params.count; i++)
        if (!gw_param_is_hidden(&f->params.at[i]) && f->params.at[i].name == name) return &f->params.at[i];
    return NULL;
}

static void write_struct(gw_emitter *e, const gw_func *f, bool of_adjoints) {
    char *name = of_adjoints ? name_of_adjoints(e, f) : name_of_arguments(e, f);
    const gw_str interned = gw_intern(e->session, name);
    gw_emit_params list = {0};
    const gw_str space = gw_emit_namespace(e->session, f);
    bool is_there = false, any = false;
    for (uint32_t i = 0; i < e->structs.count; i++)
        is_there |= e->structs.at[i].name == interned && e->structs.at[i].space == space;
    gw_emit_params_of(e, f, false, &list);
    for (uint32_t i = 0; i < list.names.count && !is_there; i++) {
        const gw_param *p = param_named(f, list.names.at[i]);
        if (!p || p->is_adjoint != of_adjoints) continue;
        if (!any) gw_emit_line(e, e->language == GW_EMIT_C ? "typedef struct %s {" : "struct %s {", name);
        char *member = as_member(list.texts.at[i]);
        gw_emit_line(e, "    %s;", member);
        free(member);
        any = true;
    }
    if (any) gw_emit_line(e, e->language == GW_EMIT_C ? "} %s;" : "};", name);
    if (any) gw_push(&e->structs, ((gw_emit_struct){interned, space}));
    gw_emit_params_free(&list);
    free(name);
}

/* "f_args args" where the first of the arguments stands, "args.y" for each of them. */
static void replace(gw_emitter *e, const gw_func *f, const gw_emit_params *list, gw_emit_items *params,
                    gw_emit_items *arguments) {
    const char *const names[] = {"args", f->form == GW_FORM_JVP ? "tangents" : "adjoints"};
    bool has[2] = {false};
    for (uint32_t i = 0; i < list->names.count; i++) {
        const gw_param *p = param_named(f, list->names.at[i]);
        const char *name = gw_cstr(e->session, list->names.at[i]);
        gw_push(arguments, p ? gw_format("%s.%s", names[p->is_adjoint], name) : gw_strdup(name));
        if (!p) gw_push(params, gw_strdup(list->texts.at[i]));
        if (!p || has[p->is_adjoint]) continue;
        char *type = p->is_adjoint ? name_of_adjoints(e, f) : name_of_arguments(e, f);
        gw_push(params, gw_format("%s %s", type, names[p->is_adjoint]));
        has[p->is_adjoint] = true;
        free(type);
    }
}

void gw_emit_named(gw_emitter *e, const gw_func *f, const char *qualifiers, const char *result,
                   const char *name, const gw_emit_params *list) {
    if (!gw_emit_takes_named(e, f)) return;
    gw_text_add(e->out, "\n");
    write_struct(e, f, false);
    write_struct(e, f, true);
    gw_emit_items params = {0}, arguments = {0};
    const bool returns = f->kind == GW_FUNC_KERNEL || gw_emit_returns(f);
    replace(e, f, list, &params, &arguments);
    char *head = gw_format("%s%s %s%s", qualifiers, result, name, e->language == GW_EMIT_C ? "_named" : ""),
         *call = gw_format("    %s%s", returns ? "return " : "", name);
    gw_emit_call_text(e, head, params.at, params.count, " {");
    gw_emit_call_text(e, call, arguments.at, arguments.count, ";");
    gw_emit_line(e, "}");
    free(head), free(call);
    gw_emit_items_free(&params);
    gw_emit_items_free(&arguments);
}
