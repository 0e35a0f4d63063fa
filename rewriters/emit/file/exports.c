/*
 * emit/file/exports.c - a table of derivatives, and of what they are made from, for programs that load the text
 * once it is compiled: names, addresses, and parameters in JSON (gradwright/emitted/exported.h).
 *
 * It stands behind the source and its gradient in one unit, so it can name what is inline, static, overloaded
 * or a template's. What it says of parameters is what the IR knows of them; no text is read for it.
 */
#include "analysis/ir/requests.h"
#include "rewriters/emit/file/file_private.h"
#include "rewriters/emit/matrix/matrix.h"
#include "rewriters/formula/formula.h"

#include <stdlib.h>

/* ---- which functions ---- */
/* "" for none */
static char *result_code(const gw_func *f) {
    gw_text code = {0};
    gw_type t = f->return_type;
    const bool returns = f->form == GW_FORM_PRIMAL || f->form == GW_FORM_JVP;
    for (uint32_t i = 0; returns && i < f->params.count; i++)
        if (f->params.at[i].is_result) t = gw_object_at(f, f->params.at[i].object)->type;
    if (f->primal && (gw_emit_takes_tape(f) || (f->tape_host && t == GW_T_VOID)))
        gw_text_add(&code, "status");
    else
        gw_emit_export_code(f->session, t, &code);
    return code.at ? code.at : gw_strdup("");
}

static void add_params(gw_emit_export *x) {
    gw_session *s = x->f->session;
    for (uint32_t i = 0; i < x->f->params.count; i++) {
        const gw_param *p = &x->f->params.at[i];
        if (gw_param_is_hidden(p)) continue;
        char *nameless = gw_format("unused_%u", i + 1);
        gw_push(&x->parts,
                ((gw_emit_part){gw_emit_export_role(x->f, p), p->name ? p->name : gw_intern(s, nameless),
                                gw_cstr(s, p->type_text), p}));
        free(nameless);
    }
}

static void export_plain(gw_emit_table *t, const gw_func *f) {
    const bool over = gw_emit_is_over_tape(f);
    if (gw_emit_takes_tape(f) && !over && f->form != GW_FORM_GRAD && f->form != GW_FORM_PRIMAL) return;
    char *function = f->primal ? gw_emit_export_name(f->primal) : gw_emit_export_name(f);
    const char *result = f->primal ? gw_emit_result(t->e, f) : gw_cstr(f->session, f->return_text);
    if (!*result) result = "void";
    char *code = result_code(f);
    gw_emit_export x = {.f = f,
                        .form = gw_emit_export_form(f),
                        .function = function,
                        .result = result,
                        .code = code,
                        .name = gw_emit_export_name(f),
                        .call = gw_emit_export_name(f),
                        .is_part = f->primal && f->session->requests.at[f->request].part_of};
    add_params(&x);
    gw_emit_export_row(t, &x);
    free(function);
    free(code);
}

/* The kernel itself has no address on the host that a caller could use: a launch of it has. */
static void export_launch(gw_emit_table *t, const gw_func *f) {
    gw_emitter *e = t->e;
    gw_session *s = e->session;
    static const struct {
        const char *role, *name, *type;
    } shape[] = {{"grid", "gw_grid", "dim3"},
                 {"block", "gw_block", "dim3"},
                 {"shared_bytes", "gw_shared_bytes", "size_t"},
                 {"stream", "gw_stream", "cudaStream_t"}};
    char *kernel = gw_emit_export_name(f), *base = gw_format("%s_launch", gw_cstr(s, f->name)),
         *at = gw_emit_at(f, gw_intern(s, base));
    gw_emit_export x = {.f = f,
                        .form = "primal",
                        .function = kernel,
                        .result = "gw_status",
                        .code = "status",
                        .name = gw_emit_outside(f, at),
                        .call = gw_format("gw_launch_%u", t->count)};
    add_params(&x);
    gw_emit_params types = {0}, list = {0};
    gw_emit_items items = {0};
    gw_push(&items, gw_emit_quoted(x.name));
    gw_push(&items, gw_format("static_cast<gw_kernel_%u>(%s)", t->count, kernel));
    GW_VEC(gw_emit_part) parts = {0};
    for (uint32_t i = 0; i < sizeof shape / sizeof *shape; i++) {
        gw_push(&parts, ((gw_emit_part){shape[i].role, gw_intern(s, shape[i].name), shape[i].type, NULL}));
        gw_emit_params_add(&list, s, shape[i].type, shape[i].name);
        gw_push(&items, gw_strdup(shape[i].name));
    }
    for (uint32_t i = 0; i < x.parts.count; i++) {
        const gw_emit_part *p = &x.parts.at[i];
        gw_push(&parts, *p);
        gw_emit_params_add(&types, s, p->type, gw_cstr(s, p->name));
        gw_emit_params_add(&list, s, p->type, gw_cstr(s, p->name));
        gw_push(&items, gw_strdup(gw_cstr(s, p->name)));
    }
    char *type = gw_format("typedef void (*gw_kernel_%u)", t->count),
         *head = gw_format("static gw_status %s", x.call);
    gw_emit_call_text(e, type, types.texts.at, types.texts.count, ";");
    gw_emit_call_text(e, head, list.texts.at, list.texts.count, " {");
    e->depth++;
    gw_emit_call_text(e, "return gw_launch", items.at, items.count, ";");
    e->depth--;
    gw_emit_line(e, "}");
    gw_vec_free(&x.parts);
    x.parts.at = parts.at, x.parts.count = parts.count, x.parts.room = parts.room;
    gw_emit_export_row(t, &x);
    free(kernel), free(base), free(at), free(type), free(head);
    gw_emit_items_free(&items);
    gw_emit_params_free(&types);
    gw_emit_params_free(&list);
}

static bool is_asked_for(const gw_func *f) {
    const gw_session *s = f->session;
    for (uint32_t i = 0; i < s->requests.count; i++) {
        const gw_request *q = &s->requests.at[i];
        if ((q->func == f || (q->func && q->func->second_of == f)) && !q->in_place_of) return true;
    }
    return false;
}

/* A pass has made it of the function: a primal that carries tangents, or adds up the terms of an error. */
static bool is_made_primal(const gw_func *f) {
    const gw_session *s = f->session;
    bool terms = false;
    for (uint32_t i = 0; i < s->requests.count; i++) {
        const gw_request *q = &s->requests.at[i];
        terms |= q->func == f && q->kind == GW_REQUEST_ERROR && q->part_of;
    }
    return f->second_of || terms;
}

static bool is_reached(const gw_func *f) {
    const gw_func *primal = f->primal ? f->primal : f;
    const bool host = !f->session->is_cuda || primal->kind == GW_FUNC_HOST ||
                      primal->kind == GW_FUNC_HOST_DEVICE || primal->kind == GW_FUNC_KERNEL;
    return host && !primal->is_unspoken && is_asked_for(primal);
}

/* The struct of a lambda's captures stands for its type in derivatives only. */
static bool takes_captures(const gw_func *f) {
    const gw_session *s = f->session;
    for (uint32_t i = 0; i < f->params.count; i++)
        for (uint32_t k = 0; k < s->captures.count; k++)
            if (f->params.at[i].type_text == s->captures.at[k].name) return true;
    return false;
}

static void export_one(gw_emit_table *t, const gw_func *f) {
    const gw_session *s = f->session;
    if (!is_reached(f) || (f->primal && gw_is_along_other(f))) return;
    if (!f->primal && (takes_captures(f) || is_made_primal(f))) return;
    if (!f->primal) {
        if (f->kind == GW_FUNC_KERNEL)
            export_launch(t, f);
        else
            export_plain(t, f);
        return;
    }
    const bool own = f->request < s->requests.count && s->requests.at[f->request].func == f->primal;
    if (!own || gw_is_split(f) || s->requests.at[f->request].is_pattern) return;
    if (f->kind == GW_FUNC_KERNEL && (gw_emit_export_form(f) || gw_is_half(f)))
        gw_emit_export_kernel(t, f, gw_companion(f, GW_FORM_BOUND));
    else if (gw_emit_export_form(f) && f->kind != GW_FUNC_KERNEL)
        export_plain(t, f);
}

/* ---- matrices, and bounds of rounding errors ---- */
static const gw_func *sweep_of(const gw_session *s, uint32_t whole) {
    for (uint32_t i = 0; i < s->funcs.count; i++) {
        const gw_func *f = s->funcs.at[i];
        if (f->form == GW_FORM_GRAD && s->requests.at[f->request].part_of == whole + 1) return f;
    }
    return NULL;
}

/* The shape that memory for the matrix has to have: gw_shape[0] rows, gw_shape[1] columns. `x` is the matrix,
 * but for its last parameter. */
static void export_shape(gw_emit_table *t, const gw_request *q, const gw_emit_export *x) {
    gw_emitter *e = t->e;
    gw_session *s = e->session;
    char *name = gw_format("%s_shape", gw_cstr(s, q->name));
    gw_emit_export shape = {.f = x->f,
                            .form = "shape",
                            .function = x->function,
                            .result = "void",
                            .code = "",
                            .name = gw_emit_outside(x->f, name),
                            .call = gw_format("gw_shape_%u", t->count)};
    for (uint32_t i = 0; i < x->parts.count; i++) gw_push(&shape.parts, x->parts.at[i]);
    gw_push(&shape.parts, ((gw_emit_part){"shape", gw_intern(s, "gw_shape"), "size_t *", NULL}));
    gw_emit_params list = {0};
    for (uint32_t i = 0; i < shape.parts.count; i++)
        gw_emit_params_add(&list, s, shape.parts.at[i].type, gw_cstr(s, shape.parts.at[i].name));
    char *head = gw_format("static void %s", shape.call);
    gw_emit_call_text(e, head, list.texts.at, list.texts.count, " {");
    for (uint32_t i = 0; i < x->parts.count; i++) /* most are no sizes, and -Wextra is a user's flag, too */
        gw_emit_line(e, "    (void)%s;", gw_cstr(s, x->parts.at[i].name));
    for (unsigned side = 0; side < 2; side++) {
        char *size = gw_matrix_size(e, q, x->f, side);
        gw_emit_line(e, "    gw_shape[%u] = %s;", side, size);
        free(size);
    }
    gw_emit_line(e, "}");
    gw_emit_export_row(t, &shape);
    free(head), free(name);
    gw_emit_params_free(&list);
}

/* It takes what its part takes; of a matrix neither seeds nor directions. `into`: what has the type of what is
 * written. */
static void export_whole(gw_emit_table *t, uint32_t request) {
    gw_session *s = t->e->session;
    const gw_request *q = &s->requests.at[request];
    const gw_func *f = sweep_of(s, request);
    const bool is_matrix = gw_request_is_matrix(q);
    const gw_param *into = NULL;
    char *function = gw_emit_export_name(f->primal);
    gw_emit_export x = {.f = f,
                        .form = gw_request_rows[q->kind].word,
                        .function = function,
                        .result = "gw_status",
                        .code = "status",
                        .name = gw_emit_outside(f, gw_cstr(s, q->name)),
                        .call = gw_emit_outside(f, gw_cstr(s, q->name))};
    for (uint32_t i = 0; i < f->params.count; i++) {
        const gw_param *p = &f->params.at[i];
        const bool terms = !is_matrix && p->is_adjoint && p->primal_index + 1 == f->primal->params.count;
        if (gw_param_is_hidden(p)) continue;
        if (terms || (is_matrix && p->is_adjoint && p->object)) into = p;
        if (terms || (is_matrix && (p->is_adjoint || p->tangent_of))) continue;
        gw_push(&x.parts, ((gw_emit_part){p->is_adjoint ? "adjoint" : "primal", p->name,
                                          gw_cstr(s, p->type_text), p}));
    }
    if (is_matrix && !q->is_sparse) export_shape(t, q, &x);
    const gw_emit_part handle = {"sparse", gw_intern(s, "gw_matrix"), "gw_sparse *", NULL},
                       memory = {"result", gw_intern(s, is_matrix ? "gw_matrix" : "gw_bound"),
                                 gw_cstr(s, into->type_text), into};
    gw_push(&x.parts, q->is_sparse ? handle : memory);
    gw_emit_export_row(t, &x);
    free(function);
}

static bool has_sparse(const gw_session *s) {
    for (uint32_t i = 0; i < s->requests.count; i++)
        if (s->requests.at[i].is_sparse && gw_request_is_whole(&s->requests.at[i])) return true;
    return false;
}

void gw_emit_exports(gw_emitter *e) {
    gw_emit_table t = {.e = e};
    const uint32_t depth = e->depth;
    e->depth = 0;
    gw_text_add(e->out, "#include <gradwright/emitted/exported.h>\n\n");
    for (uint32_t i = 0; i < e->session->funcs.count; i++)
        export_one(&t, e->session->funcs.at[i]);
    for (uint32_t i = 0; i < e->session->requests.count; i++)
        if (gw_request_is_whole(&e->session->requests.at[i])) export_whole(&t, i);
    gw_text_add(e->out, "\nconst gw_exported *gw_exports(void) {\n    static const gw_exported gw_all[] = {\n");
    if (t.rows.at) gw_text_add(e->out, t.rows.at);
    if (has_sparse(e->session))
        gw_text_add(e->out, "    {\"gw_sparse_free\", (gw_function *)gw_sparse_free, 0, 0},\n");
    gw_text_add(e->out, "    {\"gw_last_error\", (gw_function *)gw_last_error, 0, 0},\n    {0, 0, 0, 0}};\n"
                        "    return gw_all;\n}\n");
    gw_text_free(&t.rows);
    e->depth = depth;
}
