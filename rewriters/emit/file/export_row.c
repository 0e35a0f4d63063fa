/*
 * emit/file/export_row.c - a row of the table of exports: what there is to say of a derivative in JSON, and the
 * function that calls it with packed arguments (gradwright/emitted/exported.h).
 */
#include "analysis/facts/facts.h"
#include "analysis/ir/leaf.h"
#include "analysis/ir/requests.h"
#include "rewriters/emit/file/file_private.h"

#include <stdlib.h>

static const char *const scalar_codes[] = {
#define GW_TYPE(NAME, ir, c, bytes, class) [GW_T_##NAME] = #class,
#include "analysis/ir/types.def"
#undef GW_TYPE
};

/* "f4", "i8", "u1", "b1", "h2", "bh2"; of a struct "V12". */
void gw_emit_export_code(const gw_session *s, gw_type t, gw_text *out) {
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
    if (same) gw_emit_export_code(s, leaves.at[0].type, out);
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

/* The primal parameter of an adjoint; NULL: it is none, or that of the returned value. */
static const gw_param *primal_of(const gw_func *f, const gw_param *p) {
    const bool known = p->is_adjoint && f->primal && p->primal_index < f->primal->params.count;
    return known ? &f->primal->params.at[p->primal_index] : NULL;
}

/* A tangent has the name of what it is the tangent of. */
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
        gw_emit_export_code(s, t, &code);
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
        gw_str extent = 0;
        if (gw_is_fresh(x->f, p, &extent) && !(extent && strchr(gw_cstr(s, extent), '.'))) {
            gw_text_add_char(out, ',');
            add_string(out, "fresh", extent ? gw_cstr(s, extent) : "1");
        }
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

char *gw_emit_export_name(const gw_func *f) {
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
        char *derivative = gw_emit_export_name(x->f);
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
