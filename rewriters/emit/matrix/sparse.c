/*
 * emit/matrix/sparse.c - f_jacobian of a sparse Jacobian: which function is run how often, the handle says
 * (gradwright/sparse.h); here it is given what decides that, and the runs.
 *
 * The path begins with what the function is and with its integers. If f_jacobian_pattern adds nothing to it,
 * nothing else decides, and no run is needed to know that a pattern still holds. It then may name the entries
 * itself (tangent/entries.c), in one run.
 */
#include "analysis/facts/facts.h"
#include "rewriters/emit/matrix/matrix_private.h"

#include <stdlib.h>
#include <string.h>

/* One number for all that the function is made of and is asked for. */
static uint64_t number_of(const gw_request *q) {
    const gw_session *s = q->func->session;
    const char *const texts[] = {gw_cstr(s, q->digest), gw_cstr(s, q->name), gw_cstr(s, q->text)};
    uint64_t number = GW_HASH_START;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        number = gw_hash(number, texts[i], strlen(texts[i]));
    return number;
}

static void declare_path(const gw_matrix *m) {
    const gw_func *f = m->by[0];
    gw_emit_line(m->e, "unsigned long long %s = 0x%016llxull;", m->path, (unsigned long long)number_of(m->q));
    for (uint32_t i = 0; i < f->params.count; i++) {
        const gw_param *p = &f->params.at[i];
        if (!p->value || p->is_adjoint || gw_param_is_hidden(p)) continue;
        const gw_type type = gw_typeof(f, p->value);
        if (gw_type_is_float(type) || type == GW_T_ADDRESS) continue;
        gw_emit_line(m->e, "%s = gw_mix(%s, (unsigned long long)%s);", m->path, m->path,
                     gw_cstr(m->e->session, p->name));
    }
}

static bool names_entries(const gw_matrix *m) {
    return m->e->session->requests.at[m->pattern->request].names_entries;
}

static bool has_path(const gw_matrix *m) {
    const gw_param *last = &m->pattern->params.at[m->pattern->params.count - 1];
    return last->is_adjoint && last->primal_index == UINT32_MAX && !names_entries(m);
}

/* Calls for each output that the function reads, too: it runs more than once. */
static void each_read_output(const gw_matrix *m, const char *before, const char *function) {
    const gw_func *f = m->q->func;
    for (uint32_t i = 0; i < f->params.count; i++) {
        const gw_param *p = &f->params.at[i];
        if (!p->object || !gw_reads_own(f, p->object)) continue;
        for (uint32_t k = 0; k < m->q->dependents.count; k++) {
            if (m->q->dependents.at[k] != p->name) continue;
            char *at = gw_matrix_begin_of(m, 0, p->name);
            gw_emit_line(m->e, "%sgw_sparse_%s(%s, %s, %s, %s);", before, function, m->made,
                         gw_cstr(m->e->session, m->by[0]->params.at[i].name), *at ? at + 3 : "0",
                         gw_cstr(m->e->session, m->extents[0].at[k]));
            free(at);
        }
    }
}

/* While the handle asks for runs of this kind. */
static void open_runs(const gw_matrix *m, const char *kind, const char *type) {
    gw_emit_line(m->e, "while (%s == GW_OK && gw_sparse_next_%s(%s)) {", m->status, kind, m->made);
    gw_emit_scope_open(m->e);
    gw_emit_line(m->e, "%s *const %s = (%s *)%s->from, *const %s = (%s *)%s->to;", type, m->row, type, m->made,
                 m->column, type, m->made);
    each_read_output(m, "", "put_back");
}

static void close_runs(const gw_matrix *m) {
    gw_emit_scope_close(m->e);
    gw_emit_line(m->e, "}");
}

static void take(const gw_matrix *m, const gw_func *f, const char *kind) {
    if (f->tape_host) gw_emit_line(m->e, "if (%s != GW_OK) break;", m->status);
    gw_emit_line(m->e, "gw_sparse_take_%s(%s);", kind, m->made);
}

static void find_pattern(gw_matrix *m) {
    const char *way = m->path;
    char *last = NULL;
    open_runs(m, "pattern", "unsigned long long");
    if (has_path(m)) {
        way = gw_matrix_unique(m->e, "way");
        gw_emit_line(m->e, "unsigned long long %s = %s;", way, m->path);
        last = gw_format("&%s", way);
    }
    m->last = last ? last : m->made;
    gw_matrix_call(m, m->pattern, m->row, m->column);
    free(last);
    if (m->pattern->tape_host) gw_emit_line(m->e, "if (%s != GW_OK) break;", m->status);
    gw_emit_line(m->e, "%s = gw_sparse_take_pattern(%s, %s);", m->status, m->made, way);
    close_runs(m);
}

static void find_values(const gw_matrix *m) {
    static const char *const kinds[2] = {"rows", "columns"};
    for (unsigned side = 0; side < 2; side++) {
        open_runs(m, kinds[side], m->type);
        gw_matrix_call(m, m->by[side], m->row, m->column);
        take(m, m->by[side], kinds[side]);
        close_runs(m);
    }
}

void gw_matrix_sparse_body(gw_matrix *m) {
    gw_matrix_declare_sizes(m, m->by[0]);
    m->status = gw_matrix_unique(m->e, "status");
    m->path = gw_matrix_unique(m->e, "path");
    m->space = gw_matrix_unique(m->e, "form");
    m->row = gw_matrix_unique(m->e, "from");
    m->column = gw_matrix_unique(m->e, "to");
    declare_path(m);
    gw_emit_line(m->e, "const gw_sparse_form %s = {%s, %s, sizeof(%s), %u, %u, %s, %s, %s};", m->space,
                 m->sizes[0], m->sizes[1], m->type, gw_matrix_width(m->by[0]), gw_matrix_width(m->by[1]),
                 has_path(m) ? "true" : "false", names_entries(m) ? "true" : "false", m->path);
    gw_emit_line(m->e, "gw_status %s = gw_sparse_begin(%s, &%s);", m->status, m->made, m->space);
    char *before = gw_format("if (%s == GW_OK) ", m->status);
    each_read_output(m, before, "keep");
    free(before);
    find_pattern(m);
    find_values(m);
    gw_emit_line(m->e, "return %s;", m->status);
}
