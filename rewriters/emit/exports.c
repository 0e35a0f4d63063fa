/*
 * emit/exports.c - a table of derivatives, and of what they are made from, for programs that load the text once
 * it is compiled: names, addresses, and parameters in JSON (gradwright/exported.h).
 *
 * It stands behind the source and its gradient in one unit, so it can name what is inline, static, overloaded
 * or a template's. What it says of parameters is what the IR knows of them; no text is read for it.
 */
#include "analysis/ir/leaf.h"
#include "analysis/ir/requests.h"
#include "rewriters/emit/kernel_private.h"
#include "rewriters/emit/matrix/matrix_private.h"

#include "rewriters/formula/formula.h"

#include <stdlib.h>
#include <string.h>

/* ---- descriptions ---- */
static const char *const scalar_codes[] = {
#define GW_TYPE(NAME, ir, c, bytes, class) [GW_T_##NAME] = #class,
#include "analysis/ir/types.def"
#undef GW_TYPE
};

/* "f4", "i8", "u1", "b1", "h2", "bh2"; of a struct "V12". */
static void add_code(const gw_session *s, gw_type t, gw_text *out) {
    if (t == GW_T_VOID) return;
    if (t == GW_T_BF16) gw_text_add_char(out, 'b'); /* "bh2" */
    const gw_type_data *d = &s->types.at[t];
    const char *class = t < GW_T_SCALARS ? scalar_codes[t] : NULL;
    static const char letters[][2] = {{'B', 'b'}, {'S', 'i'}, {'U', 'u'}, {'F', 'f'}, {'H', 'h'}};
    for (unsigned i = 0; class && i < sizeof letters / sizeof *letters; i++)
        if (class[0] == letters[i][0]) gw_text_addf(out, "%c%u", letters[i][1], gw_type_bytes(t));
    if (class) return;
    if (d->kind == GW_TYPE_POINTER)
        gw_text_add(out, "u8");
    else
        gw_text_addf(out, "V%u", gw_type_layout(s, t).size);
}

static bool add_leaf_code(gw_session *s, gw_type t, gw_text *out) {
    if (t < GW_T_SCALARS || s->types.at[t].kind == GW_TYPE_POINTER) return false;
    gw_leaves leaves = {0};
    gw_leaves_of(s, t, &leaves);
    bool same = leaves.count != 0;
    uint32_t bytes = 0;
    for (uint32_t i = 0; i < leaves.count; i++) {
        same = same && leaves.at[i].type == leaves.at[0].type && leaves.at[i].type < GW_T_SCALARS;
        bytes += same ? gw_type_bytes(leaves.at[i].type) : 0;
    }
    same = same && bytes == gw_type_layout(s, t).size;
    if (same) add_code(s, leaves.at[0].type, out);
    gw_vec_free(&leaves);
    return same;
}

static const char *kind_of(const gw_func *f, const gw_param *p) {
    if (p->is_vector) return "thrust_vector";
    if (p->value) return gw_typeof(f, p->value) == GW_T_ADDRESS ? "address" : "value";
    const gw_object_data *o = gw_object_at(f, p->object);
    if (o->kind == GW_OBJECT_STRUCT) return "value";
    if (o->is_container) return "vector";
    return o->is_reference ? "reference" : "pointer";
}

static void add_string(gw_text *out, const char *key, const char *value) {
    gw_text_addf(out, "\"%s\":\"", key);
    for (; *value; value++) {
        if (*value == '"' || *value == '\\') gw_text_add_char(out, '\\');
        gw_text_add_char(out, *value);
    }
    gw_text_add_char(out, '"');
}

/* Of an adjoint; NULL: of none, or of the returned value. */
static const gw_param *primal_of(const gw_func *f, const gw_param *p) {
    const bool known = p->is_adjoint && f->primal && p->primal_index < f->primal->params.count;
    return known ? &f->primal->params.at[p->primal_index] : NULL;
}

/* That of a tangent is what the tangent is of. */
static const char *primal_name(const gw_func *f, const gw_param *p) {
    const gw_param *of = p->is_adjoint ? primal_of(f, p) : NULL;
    if (of) return gw_cstr(f->session, gw_param_asked(f->primal, of));
    return p->tangent_of ? gw_cstr(f->session, gw_param_asked(f, p)) : "";
}

const char *gw_emit_export_role(const gw_func *f, const gw_param *p) {
    if (!p->is_adjoint) return p->tangent_of ? "tangent" : "primal";
    const gw_param *of = primal_of(f, p);
    static const char *const lacks[] = {"adjoint", "second", "second", "third"};
    return of ? lacks[gw_param_lacks(f->primal, p->primal_index)] : "adjoint";
}

static void add_param(const gw_emit_export *x, const gw_emit_part *part, gw_text *out) {
    gw_session *s = x->f->session;
    const gw_param *p = part->param;
    gw_text_add_char(out, '{');
    add_string(out, "name", gw_cstr(s, part->name));
    gw_text_add_char(out, ',');
    add_string(out, "type", part->type);
    gw_text_add_char(out, ',');
    add_string(out, "role", part->role);
    if (p) {
        const gw_object_data *o = p->object ? gw_object_at(x->f, p->object) : NULL;
        gw_type t = o ? o->type : gw_typeof(x->f, p->value);
        gw_text code = {0}, leaf = {0};
        add_code(s, t, &code);
        add_leaf_code(s, t, &leaf);
        gw_text_add_char(out, ',');
        add_string(out, "kind", kind_of(x->f, p));
        gw_text_add_char(out, ',');
        add_string(out, "cell", code.at ? code.at : "");
        gw_text_add_char(out, ',');
        add_string(out, "number", leaf.at ? leaf.at : "");
        gw_text_add_char(out, ',');
        add_string(out, "of", primal_name(x->f, p));
        gw_text_addf(out, ",\"const\":%s", o && o->is_const ? "true" : "false");
        gw_text_free(&code);
        gw_text_free(&leaf);
    }
    gw_text_add_char(out, '}');
}

char *gw_emit_outside(const gw_func *f, const char *name) {
    const char *qualified = gw_cstr(f->session, f->primal ? f->primal->qualified : f->qualified);
    size_t space = 0;
    for (size_t i = 0; qualified[i]; i++)
        if (qualified[i] == ':' && qualified[i + 1] == ':') space = i + 2;
    return gw_format("%.*s%s", (int)space, qualified, name);
}

static char *name_of(const gw_func *f) {
    char *at = gw_emit_at(f, f->name), *name = gw_emit_outside(f, at);
    free(at);
    return name;
}

static void describe(const gw_emit_export *x, gw_text *out) {
    gw_text_add_char(out, '{');
    add_string(out, "name", x->name);
    gw_text_add_char(out, ',');
    add_string(out, "function", x->function);
    gw_text_add_char(out, ',');
    add_string(out, "form", x->form);
    gw_text_add_char(out, ',');
    if (x->f->primal) {
        char *derivative = name_of(x->f);
        add_string(out, "derivative", derivative);
        gw_text_add_char(out, ',');
        if (x->is_part) gw_text_add(out, "\"part\":true,");
        free(derivative);
    }
    add_string(out, "result", x->code);
    gw_text_add(out, ",\"params\":[");
    for (uint32_t i = 0; i < x->parts.count; i++) {
        if (i) gw_text_add_char(out, ',');
        add_param(x, &x->parts.at[i], out);
    }
    gw_text_add(out, "]}");
}

/* ---- rows ---- */
/* C has no references, and every pointer becomes each other one. */
static void write_packed_in_c(gw_emit_table *t, const gw_emit_export *x) {
    gw_emitter *e = t->e;
    const bool none = !*x->code;
    gw_emit_items items = {0};
    for (uint32_t i = 0; i < x->parts.count; i++) {
        const gw_emit_part *part = &x->parts.at[i];
        const bool pointer = part->param && part->param->object && kind_of(x->f, part->param)[0] == 'p';
        gw_push(&items, pointer ? gw_format("*(void *const *)gw_arguments[%u]", i)
                                : gw_format("*(%s *)gw_arguments[%u]", part->type, i));
    }
    char *head = none ? gw_strdup(x->call) : gw_format("*(%s *)gw_result = %s", x->result, x->call);
    gw_emit_line(e, "static int gw_packed_%u(void *const *gw_arguments, void *gw_result) {", t->count);
    e->depth++;
    gw_emit_line(e, "(void)gw_arguments, (void)gw_result;");
    gw_emit_call_text(e, head, items.at, items.count, ";");
    gw_emit_line(e, "return 0;");
    e->depth--;
    gw_emit_line(e, "}");
    free(head);
    gw_emit_items_free(&items);
}

void gw_emit_export_row(gw_emit_table *t, gw_emit_export *x) {
    gw_emitter *e = t->e;
    gw_emit_params list = {0};
    for (uint32_t i = 0; i < x->parts.count; i++)
        gw_emit_params_add(&list, e->session, x->parts.at[i].type, gw_cstr(e->session, x->parts.at[i].name));
    if (!list.texts.count && e->language == GW_EMIT_C) gw_push(&list.texts, gw_strdup("void"));
    char *head = gw_format("typedef %s (*gw_type_%u)", x->result, t->count);
    gw_emit_call_text(e, head, list.texts.at, list.texts.count, ";");
    gw_text text = {0};
    describe(x, &text);
    char *name = gw_emit_quoted(x->name), *description = gw_emit_quoted(text.at);
    if (e->language == GW_EMIT_C) {
        write_packed_in_c(t, x);
        gw_text_addf(&t->rows, "    {%s, (gw_function *)(gw_type_%u)%s, gw_packed_%u, %s},\n", name, t->count,
                     x->call, t->count, description);
    } else {
        gw_emit_line(e, "static int gw_packed_%u(void *const *gw_arguments, void *gw_result) {", t->count);
        gw_emit_line(e, "    return gw_call_packed(static_cast<gw_type_%u>(%s), gw_arguments, gw_result);",
                     t->count, x->call);
        gw_emit_line(e, "}");
        gw_text_addf(&t->rows, "    {%s, (gw_function *)static_cast<gw_type_%u>(%s), gw_packed_%u, %s},\n",
                     name, t->count, x->call, t->count, description);
    }
    t->count++;
    free(head), free(name), free(description), free(x->name), free(x->call);
    gw_text_free(&text);
    gw_emit_params_free(&list);
    gw_vec_free(&x->parts);
}

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
        add_code(f->session, t, &code);
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

const char *gw_emit_export_form(const gw_func *f) {
    static const char *const words[] = {[GW_FORM_PRIMAL] = "primal",
                                        [GW_FORM_GRAD] = "gradient",
                                        [GW_FORM_PULLBACK] = "pullback",
                                        [GW_FORM_JVP] = "forward"};
    const bool made = f->primal && f->primal->second_of && f->form < GW_FORM_JVP;
    const gw_request_kind kind = f->primal && f->request < f->session->requests.count
                                     ? f->session->requests.at[f->request].kind
                                     : GW_REQUEST_DERIVATIVE;
    const bool several = f->form == GW_FORM_JVP && kind != GW_REQUEST_DERIVATIVE;
    if (made || several) return gw_request_rows[kind].word;
    return f->form <= GW_FORM_JVP ? words[f->form] : NULL;
}

static void export_plain(gw_emit_table *t, const gw_func *f) {
    if (gw_emit_takes_tape(f) && f->form != GW_FORM_GRAD && f->form != GW_FORM_PRIMAL) return;
    char *function = f->primal ? name_of(f->primal) : name_of(f);
    const char *result = f->primal ? gw_emit_result(t->e, f) : gw_cstr(f->session, f->return_text);
    if (!*result) result = "void";
    char *code = result_code(f);
    gw_emit_export x = {.f = f,
                        .form = gw_emit_export_form(f),
                        .function = function,
                        .result = result,
                        .code = code,
                        .name = name_of(f),
                        .call = name_of(f),
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
    char *kernel = name_of(f), *base = gw_format("%s_launch", gw_cstr(s, f->name)),
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

/* Of what memory for the matrix has to be: gw_shape[0] rows, gw_shape[1] columns. `x` is the matrix, but for
 * its last parameter. */
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
    char *function = name_of(f->primal);
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
    gw_text_add(e->out, "#include <gradwright/exported.h>\n\n");
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
