/*
 * emit/text/signature.c - how a function is declared: parameters as the user spelled them and adjoint
 * parameters after them, its name as others call it, its linkage, what it returns.
 */
#include "analysis/ir/query.h"
#include "rewriters/emit/text/text_private.h"

#include <stdlib.h>
#include <string.h>

/* "const float (&)[3]" and "x" -> "const float (&x)[3]"; "float *" -> "float *x". */
static char *declarator(const char *type, const char *name) {
    const char *inner = strstr(type, "(&");
    if (!inner) inner = strstr(type, "(*");
    const char *at = inner ? strchr(inner, ')') : strchr(type, '[');
    if (!at) at = type + strlen(type);
    char before = at > type ? at[-1] : ' ';
    bool joined = !*name || before == '*' || before == '&' || before == ' ';
    return gw_format("%.*s%s%s%s", (int)(at - type), type, joined ? "" : " ", name, at);
}

/* The adjoints of distinct parameters are distinct memory (the contract), which the compiler may use. */
static char *with_restrict(const char *type) {
    size_t n = strlen(type);
    bool pointer = n && type[n - 1] == '*';
    return gw_format("%s%s", type, pointer ? "__restrict__" : "");
}

void gw_emit_params_add(gw_emit_params *list, gw_session *s, const char *type, const char *name) {
    gw_push(&list->texts, declarator(type, name));
    gw_push(&list->names, gw_intern(s, name));
}

static bool is_adjoint(const gw_func *f, gw_object o) {
    for (uint32_t i = 0; i < f->params.count; i++)
        if (f->params.at[i].object == o && f->params.at[i].is_adjoint) return true;
    return gw_object_at(f, o)->shadow_of != 0;
}

/* A kernel that writes to nothing of the caller's but adjoints: no cell that it reads through other parameters
 * can change, since theirs are distinct memory. */
static bool writes_adjoints_only(const gw_func *f) {
    if (f->kind != GW_FUNC_KERNEL || !f->primal || f->form == GW_FORM_JVP) return false;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        bool writes = o->code == GW_OP_STORE || o->code == GW_OP_ACCUM || o->code == GW_OP_ATOMIC ||
                      o->code == GW_OP_ADDRESS;
        if (o->dead || !writes || gw_object_is_inner(gw_object_at(f, o->object)->kind)) continue;
        if (!is_adjoint(f, o->object)) return false;
    }
    return true;
}

/* Says so to the compiler, which may then load them ahead of additions to adjoints. Not in a specialisation:
 * nvcc compares the qualifier with the primary template's, which other instantiations share. */
static bool is_input(const gw_func *f, const gw_param *p) {
    const char *type = gw_cstr(f->session, p->type_text);
    return !f->template_head && p->object && gw_object_at(f, p->object)->is_const &&
           strncmp(type, "const ", 6) == 0 && !strchr(type, '(') && writes_adjoints_only(f);
}

void gw_emit_params_of(gw_emitter *e, const gw_func *f, bool is_definition, gw_emit_params *list) {
    gw_session *s = e->session;
    for (uint32_t i = 0; i < f->params.count; i++) {
        const gw_param *p = &f->params.at[i];
        if (gw_param_is_hidden(p)) continue;
        char *type = is_definition && (p->is_adjoint || is_input(f, p))
                         ? with_restrict(gw_cstr(s, p->type_text))
                         : gw_strdup(gw_cstr(s, p->type_text));
        char *nameless = gw_format("unused_%u", i + 1);
        gw_emit_params_add(list, s, type, p->name ? gw_cstr(s, p->name) : nameless);
        free(nameless);
        free(type);
    }
}

void gw_emit_params_free(gw_emit_params *list) {
    for (uint32_t i = 0; i < list->texts.count; i++)
        free(list->texts.at[i]);
    gw_vec_free(&list->texts);
    gw_vec_free(&list->names);
}

/* ---- names and what stands in front of them ---- */
bool gw_emit_is_exported(const gw_func *f) {
    const gw_session *s = f->session;
    bool is_requested =
        f->request < s->requests.count && s->requests.at[f->request].func == f->primal && !gw_is_along_other(f);
    bool is_host = !s->is_cuda || f->kind == GW_FUNC_HOST || f->kind == GW_FUNC_KERNEL;
    return s->options.standalone && is_requested && is_host && !f->template_head &&
           (s->is_c || !f->is_internal);
}

const char *gw_emit_linkage(const gw_func *f, bool is_public) {
    if (is_public && f->template_head) return "template <> inline "; /* as the primary template is linked */
    if (is_public && gw_emit_is_exported(f)) return "";
    return f->is_internal ? "static inline " : "inline ";
}

char *gw_emit_at(const gw_func *f, gw_str name) {
    const gw_session *s = f->session;
    if (!f->template_head) return gw_strdup(gw_cstr(s, name));
    return gw_format("%s<%s>", gw_cstr(s, name), gw_cstr(s, f->template_arguments));
}

char *gw_emit_called_text(const gw_func *f, const char *text) {
    const gw_session *s = f->session;
    const gw_func *primal = f->primal ? f->primal : f;
    bool elsewhere = false;
    for (uint32_t i = 0; i < s->funcs.count; i++)
        elsewhere |= s->funcs.at[i]->name == primal->name && s->funcs.at[i]->qualified != primal->qualified;
    return elsewhere ? gw_format("(%s)", text) : gw_strdup(text);
}

char *gw_emit_called(const gw_func *f, gw_str name) {
    char *at = gw_emit_at(f, name), *called = gw_emit_called_text(f, at);
    free(at);
    return called;
}

const char *gw_emit_target(const gw_emitter *e, const gw_func *f) {
    if (e->language != GW_EMIT_CUDA || f->kind == GW_FUNC_HOST || f->tape_host) return "";
    return f->kind == GW_FUNC_HOST_DEVICE ? "__host__ __device__ " : "__device__ ";
}

char *gw_emit_qualifiers(const gw_emitter *e, const gw_func *f) {
    if (e->language == GW_EMIT_C) return gw_strdup(gw_emit_is_exported(f) ? "" : "static inline ");
    const char *target = gw_emit_target(e, f);
    if (f->template_head) return gw_format("template <> %sinline ", target);
    return gw_format("%s%s", target, gw_emit_linkage(f, true));
}

/* ---- results ---- */
/* What a forward derivative returns if that is a struct; else 0. */
gw_object gw_emit_returned_struct(const gw_func *f) {
    for (uint32_t i = 0; f->form == GW_FORM_JVP && i < f->params.count; i++)
        if (f->params.at[i].is_result) return f->params.at[i].object;
    return 0;
}

/* The forward derivative of a program has a run, and so a status, as its gradient has. */
bool gw_emit_takes_tape(const gw_func *f) {
    return f->tape_host && (f->form != GW_FORM_JVP || gw_is_program(f));
}

bool gw_emit_is_over_tape(const gw_func *f) {
    return f->tape_host && (f->form == GW_FORM_GRAD || (f->form == GW_FORM_JVP && gw_is_program(f)));
}

bool gw_emit_returns(const gw_func *f) {
    return f->return_type != GW_T_VOID || gw_emit_returned_struct(f) || gw_emit_takes_tape(f) || f->tape_host;
}

const char *gw_emit_result(const gw_emitter *e, const gw_func *f) {
    bool none = f->return_type == GW_T_VOID && !gw_emit_returned_struct(f);
    if (gw_emit_takes_tape(f) || (f->tape_host && none)) return "gw_status";
    return none ? "void" : gw_cstr(e->session, f->return_text);
}
