/*
 * emit/matrix/rounding.c - f_error: the sum over the terms of a rounding error, which f_error_terms fills; and
 * f_error_table: what each term belongs to.
 */
#include "rewriters/emit/matrix/matrix.h"
#include "rewriters/rounding/rounding.h"

#include <stdlib.h>

static const gw_func *terms_of(const gw_session *s, uint32_t part) {
    for (uint32_t i = 0; i < s->funcs.count; i++)
        if (s->funcs.at[i]->form == GW_FORM_GRAD && s->funcs.at[i]->request == part) return s->funcs.at[i];
    return NULL;
}

/* {"sum", "a.c", "double", 12, 0x1p-53, 0x1p-53}: with a model what it returned is the part of the bound */
static void write_row(gw_emitter *e, const gw_request *q, const gw_rounded *row) {
    const bool is_float = row->type == GW_T_F32;
    const char *half = is_float ? "0x1p-24" : "0x1p-53";
    if (!row->halves) half = "0";
    char *name = gw_emit_quoted(gw_cstr(e->session, row->name)),
         *file = gw_emit_quoted(gw_emit_file_name(e->session, row->loc.file)),
         *unit = row->halves > 1 ? gw_format("%u * %s", row->halves, half) : gw_strdup(half);
    gw_emit_line(e, "{%s, %s, \"%s\", %u, %s, %s},", name, file, is_float ? "float" : "double", row->loc.line,
                 unit, q->model ? "1" : unit);
    free(name);
    free(file);
    free(unit);
}

void gw_emit_rounding_table(gw_emitter *e, uint32_t request, bool is_definition) {
    const gw_request *q = &e->session->requests.at[request];
    char *name = gw_emit_rounding_table_name(e->session, request),
         *words = gw_emit_qualifiers(e, terms_of(e->session, request));
    gw_rounded_rows rows = {0};
    gw_rounding_rows(q->func, &rows);
    gw_emit_line(e, "// What the terms of %s belong to", gw_cstr(e->session, q->name));
    gw_emit_line(e, "%sgw_error_table %s(void)%s", words, name, is_definition ? " {" : ";");
    if (is_definition) {
        gw_emit_scope_open(e);
        gw_emit_line(e, "static const gw_error_row rows[] = {");
        gw_emit_scope_open(e);
        for (uint32_t i = 0; i < rows.count; i++) write_row(e, q, &rows.at[i]);
        if (!rows.count) gw_emit_line(e, "{\"\", \"\", \"double\", 0, 0, 0},");
        gw_emit_scope_close(e);
        gw_emit_line(e, "};");
        gw_emit_line(e, "const gw_error_table table = {rows, %u};", rows.count);
        gw_emit_line(e, "return table;");
        gw_emit_scope_close(e);
        gw_emit_line(e, "}");
    }
    gw_vec_free(&rows);
    free(name);
    free(words);
}

/* ---- the sum ---- */
static void write_body(gw_emitter *e, const gw_func *f, const char *table, const gw_emit_params *list,
                       uint32_t terms, const char *bound, uint32_t count) {
    const char *space = gw_cstr(e->session, gw_emit_unique(e, "terms")),
               *status = f->tape_host ? gw_cstr(e->session, gw_emit_unique(e, "status")) : "GW_OK",
               *at = gw_cstr(e->session, gw_emit_unique(e, "row"));
    gw_emit_items items = {0};
    for (uint32_t i = 0; i < list->names.count; i++)
        gw_push(&items, gw_strdup(i == terms ? space : gw_cstr(e->session, list->names.at[i])));
    char *head = f->tape_host ? gw_format("const gw_status %s = %s", status, gw_cstr(e->session, f->name))
                              : gw_strdup(gw_cstr(e->session, f->name));
    gw_emit_line(e, "double %s[%u] = {0};", space, count ? count : 1);
    gw_emit_call_text(e, head, items.at, items.count, ";");
    gw_emit_line(e, "for (size_t %s = 0; %s < %s().count; %s++)", at, at, table, at);
    gw_emit_line(e, "    *%s += %s[%s] * %s().rows[%s].weight;", bound, space, at, table, at);
    gw_emit_line(e, "return %s;", status);
    gw_emit_items_free(&items);
    free(head);
}

void gw_emit_rounding(gw_emitter *e, uint32_t request, bool is_definition) {
    gw_session *s = e->session;
    const gw_request *q = &s->requests.at[request];
    uint32_t part = 0, terms = 0, shown = 0;
    while (s->requests.at[part].part_of != request + 1) part++;
    const gw_func *f = terms_of(s, part);
    gw_rounded_rows rows = {0};
    gw_rounding_rows(s->requests.at[part].func, &rows);
    for (uint32_t i = 0; i < f->params.count; i++) {
        const gw_param *p = &f->params.at[i];
        if (gw_param_is_hidden(p)) continue;
        if (p->is_adjoint && p->primal_index + 1 == f->primal->params.count) terms = shown;
        shown++;
    }
    gw_emit_params list = {0}, own = {0};
    gw_emit_params_of(e, f, false, &list);
    gw_emit_scope_open(e);
    for (uint32_t i = 0; i < list.texts.count; i++) {
        gw_emit_reserve(e, list.names.at[i]);
        if (i != terms) gw_push(&own.texts, gw_strdup(list.texts.at[i]));
    }
    const char *bound = gw_cstr(s, gw_emit_unique(e, "bound"));
    char *words = gw_emit_qualifiers(e, f), *table = gw_emit_rounding_table_name(s, part),
         *head = gw_format("%sgw_status %s", words, gw_cstr(s, q->name));
    gw_emit_params_add(&own, s, "double *", bound);
    e->depth--;
    gw_emit_line(e, "// Bound of the rounding error of %s (%s:%u): %s", gw_cstr(s, q->function),
                 gw_emit_file_name(s, q->func->loc.file), q->func->loc.line, gw_cstr(s, q->text));
    gw_emit_call_text(e, head, own.texts.at, own.texts.count, is_definition ? " {" : ";");
    e->depth++;
    if (is_definition) write_body(e, f, table, &list, terms, bound, rows.count);
    gw_emit_scope_close(e);
    if (is_definition) gw_emit_line(e, "}");
    gw_vec_free(&rows);
    free(words);
    free(table);
    free(head);
    gw_emit_params_free(&list);
    gw_emit_params_free(&own);
}
