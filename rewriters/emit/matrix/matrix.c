/*
 * emit/matrix/matrix.c - f_hessian and f_jacobian: matrices, filled by calls of other derivatives, one for each
 * row or column.
 *
 * A Hessian's row is the product with a unit vector, which f_hvp adds to what is 0. A Jacobian's rows are the
 * gradient that unit seeds give, its columns what f_jvps makes of unit directions, several at once; which of
 * them is taken is decided by how often the function runs. Columns are of the one function run again and
 * again: only where it reads nothing that it writes. Either way f has run in the end, once and for all: behind
 * rows, by a last run in no direction.
 */
#include "analysis/facts/facts.h"
#include "analysis/ir/query.h"
#include "analysis/ir/requests.h"
#include "rewriters/emit/matrix/matrix_private.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const gw_func *part_of(const gw_session *s, uint32_t request, gw_form form, bool is_pattern) {
    for (uint32_t i = 0; i < s->funcs.count; i++) {
        const gw_func *f = s->funcs.at[i];
        if (f->form == form && f->primal && f->request < s->requests.count &&
            s->requests.at[f->request].part_of == request + 1 &&
            s->requests.at[f->request].is_pattern == is_pattern)
            return f;
    }
    return NULL;
}

/* ---- ways ---- */
static void open_loop(const gw_matrix *m, const char *counter, const char *end, unsigned step) {
    char *next = step > 1 ? gw_format("%s += %u", counter, step) : gw_format("%s++", counter);
    gw_emit_line(m->e, "for (size_t %s = 0; %s == GW_OK && %s < %s; %s) {", counter, m->status, counter, end,
                 next);
    gw_emit_scope_open(m->e);
    free(next);
}

static void close_block(const gw_matrix *m) {
    gw_emit_scope_close(m->e);
    gw_emit_line(m->e, "}");
}

/* Each row: the product with a unit vector, or the gradient of an output. */
static void write_rows(const gw_matrix *m) {
    const bool is_hessian = m->q->kind == GW_REQUEST_HESSIAN;
    const char *rows = is_hessian ? m->sizes[1] : m->sizes[0], *columns = m->sizes[1];
    const char *row = m->row, *place = gw_matrix_unique(m->e, "cells");
    if (!rows) { /* of the returned number */
        gw_emit_line(m->e, "memset(%s, 0, %s * sizeof *%s);", m->made, columns, m->made);
        gw_matrix_call(m, m->by[0], m->space, m->made);
        return;
    }
    open_loop(m, row, rows, 1);
    gw_emit_line(m->e, "%s *const %s = %s + %s * %s;", m->type, place, m->made, row, columns);
    gw_emit_line(m->e, "memset(%s, 0, %s * sizeof *%s);", place, columns, place);
    gw_emit_line(m->e, "memset(%s, 0, %s%s * sizeof *%s);", m->space, is_hessian ? "2 * " : "", rows, m->space);
    gw_emit_line(m->e, "%s[%s] = 1;", m->space, row);
    gw_matrix_call(m, m->by[0], m->space, place);
    close_block(m);
}

/* Space holds what belongs to the inputs, and behind it what belongs to the outputs, `width` of each. */
static void clear_space(const gw_matrix *m, unsigned width) {
    char *both = gw_format("%s + %s", m->sizes[1], m->sizes[0]), *all = gw_matrix_in_block(width, both);
    gw_emit_line(m->e, "memset(%s, 0, %s * sizeof *%s);", m->space, all, m->space);
    free(all);
    free(both);
}

/* Rows (side 0) have seeds of outputs and give the inputs' adjoints, columns the other way round. */
static void call_side(const gw_matrix *m, unsigned side) {
    char *inputs = gw_matrix_in_block(gw_matrix_width(m->by[side]), m->sizes[1]),
         *outputs = gw_format("%s + %s", m->space, inputs);
    gw_matrix_call(m, m->by[side], side ? m->space : outputs, side ? outputs : m->space);
    free(outputs);
    free(inputs);
}

static void write_column(const gw_matrix *m) {
    open_loop(m, m->column, m->sizes[1], 1);
    clear_space(m, 1);
    gw_emit_line(m->e, "%s[%s] = 1;", m->space, m->column);
    call_side(m, 1);
    gw_emit_line(m->e, "for (size_t %s = 0; %s < %s; %s++) %s[%s * %s + %s] = %s[%s + %s];", m->row, m->row,
                 m->sizes[0], m->row, m->made, m->row, m->sizes[1], m->column, m->space, m->sizes[1], m->row);
    close_block(m);
}

/* What the run has made of each row and lane, or of each lane and column. */
static void take_block(const gw_matrix *m, unsigned side, unsigned width, const char *lane, const char *some) {
    const char *outer = side ? m->row : lane, *outer_end = side ? m->sizes[0] : some,
               *inner = side ? lane : m->column, *inner_end = side ? some : m->sizes[1];
    gw_emit_line(m->e, "for (size_t %s = 0; %s < %s; %s++)", outer, outer, outer_end, outer);
    gw_emit_line(m->e, "    for (size_t %s = 0; %s < %s; %s++)", inner, inner, inner_end, inner);
    if (side)
        gw_emit_line(m->e, "        %s[%s * %s + %s + %s] = %s[%u * (%s + %s) + %s];", m->made, m->row,
                     m->sizes[1], m->column, lane, m->space, width, m->sizes[1], m->row, lane);
    else
        gw_emit_line(m->e, "        %s[(%s + %s) * %s + %s] = %s[%u * %s + %s];", m->made, m->row, lane,
                     m->sizes[1], m->column, m->space, width, m->column, lane);
}

/* Several rows or columns at once; behind the last one, seeds or directions that are 0. */
static void write_blocks(const gw_matrix *m, unsigned side) {
    const unsigned width = gw_matrix_width(m->by[side]);
    const char *counter = side ? m->column : m->row, *end = m->sizes[side],
               *lane = gw_matrix_unique(m->e, "lane"), *some = gw_matrix_unique(m->e, "some");
    open_loop(m, counter, end, width);
    gw_emit_line(m->e, "const size_t %s = %s - %s < %u ? %s - %s : %u;", some, end, counter, width, end,
                 counter, width);
    clear_space(m, width);
    char *first = side ? gw_strdup(m->column) : gw_format("%s + %s", m->sizes[1], m->row);
    gw_emit_line(m->e, "for (size_t %s = 0; %s < %s; %s++) %s[%u * (%s + %s) + %s] = 1;", lane, lane, some,
                 lane, m->space, width, first, lane, lane);
    free(first);
    call_side(m, side);
    take_block(m, side, width, lane, some);
    close_block(m);
}

static void write_side(const gw_matrix *m, unsigned side) {
    if (gw_matrix_width(m->by[side]) > 1) write_blocks(m, side);
    else if (side) write_column(m);
    else write_rows(m);
}

/* Behind the rows the function itself, in no direction. */
static void write_values(const gw_matrix *m) {
    gw_emit_line(m->e, "if (%s == GW_OK) {", m->status);
    gw_emit_scope_open(m->e);
    clear_space(m, gw_matrix_width(m->by[1]));
    call_side(m, 1);
    close_block(m);
}

static void write_ways(const gw_matrix *m) {
    if (m->q->kind == GW_REQUEST_HESSIAN || !m->sizes[0]) {
        write_rows(m);
        return;
    }
    const bool both = gw_runs_again(m->q->func);
    if (both) {
        const unsigned width = gw_matrix_width(m->by[1]);
        if (width == gw_matrix_width(m->by[0]))
            gw_emit_line(m->e, "if (%s < %s) {", m->sizes[1], m->sizes[0]);
        else gw_emit_line(m->e, "if ((%s + %u) / %u < %s) {", m->sizes[1], width - 1, width, m->sizes[0]);
        gw_emit_scope_open(m->e);
        write_side(m, 1);
        gw_emit_scope_close(m->e);
        gw_emit_line(m->e, "} else {");
        gw_emit_scope_open(m->e);
    }
    write_side(m, 0);
    write_values(m);
    if (both) close_block(m);
}

static void write_body(gw_matrix *m) {
    gw_matrix_declare_sizes(m, m->by[0]);
    m->space = gw_matrix_unique(m->e, "space");
    m->status = gw_matrix_unique(m->e, "status");
    m->row = gw_matrix_unique(m->e, "row");
    m->column = gw_matrix_unique(m->e, "column");
    const char *other = m->sizes[0] ? m->sizes[0] : m->sizes[1];
    char *cells = gw_format("%s + %s + 1", m->sizes[1], other), 
         *all = gw_matrix_in_block(gw_matrix_width(m->by[1]), cells);
    gw_emit_line(m->e, "%s *const %s = (%s *)malloc(%s * sizeof *%s);", m->type, m->space, m->type, all,
                 m->space);
    free(all);
    free(cells);
    gw_emit_line(m->e, "if (!%s) return GW_ERROR_MEMORY;", m->space);
    const bool throws = m->e->language != GW_EMIT_C && gw_any_stops(m->e->session, GW_STOP_THROWS);
    if (throws) gw_emit_line(m->e, "const gw_space_end %s = {%s};", gw_matrix_unique(m->e, "end"), m->space);
    gw_emit_line(m->e, "gw_status %s = GW_OK;", m->status);
    write_ways(m);
    if (!throws) gw_emit_line(m->e, "free(%s);", m->space);
    gw_emit_line(m->e, "return %s;", m->status);
}

static gw_type type_of(const gw_request *q) {
    for (uint32_t i = 0; i < q->func->params.count; i++) {
        const gw_param *p = &q->func->params.at[i];
        if (p->name != q->independents.at[0]) continue;
        return p->value ? gw_typeof(q->func, p->value) : gw_object_at(q->func, p->object)->type;
    }
    return GW_T_F64;
}

void gw_emit_matrix(gw_emitter *e, uint32_t request, bool is_definition) {
    gw_session *s = e->session;
    const gw_request *q = &s->requests.at[request];
    gw_matrix m = {.e = e,
                   .q = q,
                   .by = {part_of(s, request, GW_FORM_GRAD, false), part_of(s, request, GW_FORM_JVP, false)},
                   .pattern = part_of(s, request, GW_FORM_JVP, true)};
    gw_emit_params list = {0}, own = {0};
    gw_emit_params_of(e, m.by[0], false, &list);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < m.by[0]->params.count; i++) {
        const gw_param *p = &m.by[0]->params.at[i];
        if (!gw_param_is_hidden(p) && !p->is_adjoint && !p->tangent_of) kept++;
    }
    m.type = type_of(q) == GW_T_F32 ? "float" : "double";
    gw_emit_scope_open(e);
    for (uint32_t i = 0; i < kept; i++) {
        gw_push(&own.texts, gw_strdup(list.texts.at[i]));
        gw_emit_reserve(e, list.names.at[i]);
    }
    m.made = gw_matrix_unique(e, q->kind == GW_REQUEST_HESSIAN ? "h" : "j");
    char *matrix_type = q->is_sparse ? gw_strdup("gw_sparse *") : gw_format("%s *", m.type),
         *words = gw_emit_qualifiers(e, m.by[0]),
         *head = gw_format("%sgw_status %s", words, gw_cstr(s, q->name));
    gw_emit_params_add(&own, s, matrix_type, m.made);
    e->depth--;
    gw_emit_line(e, "// %s%s of %s (%s:%u): %s", q->is_sparse ? "Sparse " : "",
                 gw_request_rows[q->kind].made, gw_cstr(s, q->function),
                 gw_emit_file_name(s, q->func->loc.file), q->func->loc.line, gw_cstr(s, q->text));
    gw_emit_call_text(e, head, own.texts.at, own.texts.count, is_definition ? " {" : ";");
    e->depth++;
    if (is_definition && q->is_sparse) gw_matrix_sparse_body(&m);
    else if (is_definition) write_body(&m);
    gw_emit_scope_close(e);
    if (is_definition) gw_emit_line(e, "}");
    for (unsigned side = 0; side < 2; side++) gw_vec_free(&m.extents[side]);
    free(head);
    free(words);
    free(matrix_type);
    gw_emit_params_free(&list);
    gw_emit_params_free(&own);
}
