/*
 * emit/text/asked.c - the names that a gradient has whatever it is of, for a program:
 *
 *     gw_status f_grad_launch(<as f_grad>, void *workspace, size_t workspace_bytes)
 *     size_t f_workspace_bytes(<the program's parameters>)
 *     gw_status f_grad_alloc(<as f_grad>)
 *
 * A program's workspace is memory that its pool takes from first. A forward derivative has f_jvp_launch without
 * one, as a kernel's has.
 */
#include "analysis/ir/query.h"
#include "rewriters/calls/calls.h"
#include "rewriters/emit/text/text_private.h"

#include <stdlib.h>
#include <string.h>

typedef struct asked {
    gw_emitter *e;
    const gw_func *f;
    const char *words, *tail;
    bool has_body; /* else it is declared */
    gw_emit_params list, primal;
} asked;

bool gw_emit_is_asked_program(const gw_emitter *e, const gw_func *f) {
    const gw_session *s = e->session;
    const gw_request *q = f->request < s->requests.count ? &s->requests.at[f->request] : NULL;
    return q && !q->is_made && q->func == f->primal && gw_is_program(f) && gw_emit_is_over_tape(f);
}

/* The head of one of them; where it has a body, that follows, and `shut`. */
static void open(const asked *a, const char *result, const char *name, const gw_emit_params *list) {
    char *head = gw_format("%s%s %s", a->words, result, name);
    if (*a->tail == ' ') gw_text_add(a->e->out, "\n");
    gw_emit_call_text(a->e, head, list->texts.at, list->texts.count, a->tail);
    a->e->depth += a->has_body;
    free(head);
}

static void shut(const asked *a, const char *result, const char *name, const gw_emit_params *list) {
    a->e->depth--;
    gw_emit_line(a->e, "}");
    gw_emit_named(a->e, a->f, a->words, result, name, list);
}

/* "return f_grad(y, x, d_y);" */
static void call(const asked *a, const char *before, const char *name, const char *first) {
    gw_emit_items items = {0};
    char *called = gw_emit_called_text(a->f, name), *head = gw_format("%s%s", before, called);
    if (first) gw_push(&items, gw_strdup(first));
    for (uint32_t i = 0; i < a->list.names.count; i++)
        gw_push(&items, gw_strdup(gw_cstr(a->e->session, a->list.names.at[i])));
    gw_emit_call_text(a->e, head, items.at, items.count, ";");
    gw_emit_items_free(&items);
    free(called), free(head);
}

static void write_alias(const asked *a, gw_derived_part part) {
    char *own = gw_emit_at(a->f, a->f->name), *name = gw_emit_at(a->f, gw_derived_part_name(a->f, part));
    open(a, "gw_status", name, &a->list);
    if (a->has_body) call(a, "return ", own, NULL), shut(a, "gw_status", name, &a->list);
    free(own), free(name);
}

static void write_launch_body(const asked *a, const char *at, const char *bytes) {
    gw_emitter *e = a->e;
    const char *pool = gw_cstr(e->session, gw_emit_unique(e, "pool")),
               *status = gw_cstr(e->session, gw_emit_unique(e, "status"));
    char *in = gw_emit_at(a->f, gw_derived_part_name(a->f, GW_DERIVED_IN)),
         *before = gw_format("if (%s == GW_OK) %s = ", status, status);
    gw_emit_line(e, "gw_pool *%s;", pool);
    gw_emit_line(e, "gw_status %s = gw_pool_make_over(&%s, %s, %s);", status, pool, at, bytes);
    call(a, before, in, pool);
    gw_emit_line(e, "gw_pool_free(%s);", pool);
    gw_emit_line(e, "return %s;", status);
    free(in), free(before);
}

static void write_launch(const asked *a) {
    gw_session *s = a->e->session;
    gw_emit_params list = {0};
    gw_emit_params_of(a->e, a->f, false, &list);
    const char *at = gw_cstr(s, gw_emit_unique(a->e, "workspace")),
               *bytes = gw_cstr(s, gw_emit_unique(a->e, "workspace_bytes"));
    gw_emit_params_add(&list, s, "void *", at);
    gw_emit_params_add(&list, s, "size_t", bytes);
    char *name = gw_emit_at(a->f, gw_derived_part_name(a->f, GW_DERIVED_LAUNCH));
    open(a, "gw_status", name, &list);
    if (a->has_body) write_launch_body(a, at, bytes), shut(a, "gw_status", name, &list);
    free(name);
    gw_emit_params_free(&list);
}

static void write_bytes_body(const asked *a) {
    gw_emitter *e = a->e;
    gw_lines terms = {0};
    gw_text unused = {0};
    const char *bytes = gw_cstr(e->session, gw_emit_unique(e, "bytes"));
    for (uint32_t i = 0; i < a->primal.names.count; i++)
        gw_text_addf(&unused, "%s(void)%s", i ? ", " : "", gw_cstr(e->session, a->primal.names.at[i]));
    if (unused.count) gw_emit_line(e, "%s;", unused.at);
    gw_calls_room(a->f, &terms);
    gw_emit_line(e, "double %s = 0;", bytes);
    for (uint32_t i = 0; i < terms.count; i++) {
        gw_emit_line(e, "%s += %s;", bytes, terms.at[i]);
        free(terms.at[i]);
    }
    gw_emit_line(e, "return gw_pool_room(%s);", bytes);
    gw_vec_free(&terms);
    gw_text_free(&unused);
}

static void write_bytes(const asked *a) {
    char *name = gw_emit_at(a->f, gw_derived_part_name(a->f, GW_DERIVED_WORKSPACE_BYTES));
    open(a, "size_t", name, &a->primal);
    if (a->has_body) write_bytes_body(a), shut(a, "size_t", name, &a->primal);
    free(name);
}

void gw_emit_asked(gw_emitter *e, const gw_func *f, const char *tail) {
    if (!gw_emit_is_asked_program(e, f)) return;
    char *words = gw_emit_qualifiers(e, f);
    asked a = {.e = e, .f = f, .words = words, .tail = tail, .has_body = *tail == ' '};
    gw_emit_params_of(e, f, false, &a.list);
    for (uint32_t i = 0, named = 0; i < f->params.count; i++) {
        const gw_param *p = &f->params.at[i];
        if (gw_param_is_hidden(p)) continue;
        const uint32_t at = named++;
        if (p->is_adjoint) continue;
        gw_push(&a.primal.texts, gw_strdup(a.list.texts.at[at]));
        gw_push(&a.primal.names, a.list.names.at[at]);
    }
    gw_emit_scope_open(e);
    e->depth--;
    for (uint32_t i = 0; i < a.list.names.count; i++) gw_emit_reserve(e, a.list.names.at[i]);
    if (f->form == GW_FORM_JVP) {
        write_alias(&a, GW_DERIVED_LAUNCH);
    } else {
        write_launch(&a);
        write_bytes(&a);
        write_alias(&a, GW_DERIVED_ALLOC);
    }
    e->depth++;
    gw_emit_scope_close(e);
    gw_emit_params_free(&a.list);
    gw_emit_params_free(&a.primal);
    free(words);
}
