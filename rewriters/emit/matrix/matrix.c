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
#include "rewriters/formula/formula.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const char *gw_matrix_unique(gw_emitter *e, const char *wish) {
    return gw_cstr(e->session, gw_emit_unique(e, wish));
}

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

/* What a part's parameter is given: of the user's parameter `index`, a direction, a seed, ... */
typedef enum matrix_role { GIVEN, DIRECTION, SEED, UNUSED_GRADIENT, RESULT } matrix_role;

char *gw_matrix_begin_of(const gw_matrix *m, unsigned side, gw_str name) {
    const gw_names *names = side ? &m->q->independents : &m->q->dependents;
    gw_text sum = {0};
    uint32_t numbers = 0;
    for (uint32_t i = 0; i < names->count && names->at[i] != name; i++) {
        if (!m->extents[side].at[i]) numbers++;
        else gw_text_addf(&sum, " + %s", gw_cstr(m->e->session, m->extents[side].at[i]));
    }
    if (numbers) gw_text_addf(&sum, " + %u", numbers);
    char *text = gw_strdup(sum.at ? sum.at : "");
    gw_text_free(&sum);
    return text;
}

unsigned gw_matrix_width(const gw_func *f) {
    const unsigned width = f ? gw_directions(f) + gw_seeds(f) : 0; /* it has one of them at most */
    return width ? width : 1;
}

/* What `width` times the count is: "4 * (columns + rows)", or "(columns + rows)". */
static char *in_block(unsigned width, const char *count) {
    const bool sum = strchr(count, ' ') != NULL;
    char *cells = gw_format(sum ? "(%s)" : "%s", count), *all = NULL;
    if (width == 1) return cells;
    all = gw_format("%u * %s", width, cells);
    free(cells);
    return all;
}

/* Where the tangents or adjoints of a parameter begin, `at` behind the first. */
static char *block_at(const gw_matrix *m, const gw_func *f, const gw_param *p, const char *base,
                      const char *at) {
    const gw_session *s = m->e->session;
    const gw_type type = gw_object_at(f, p->object)->type;
    char *begin = *at ? in_block(gw_matrix_width(f), at + 3) : NULL, /* behind " + " */
         *from = begin ? gw_format("%s + %s", base, begin) : gw_strdup(base), *cast = NULL, *block;
    free(begin);
    if (gw_type_is_four(type)) cast = gw_format("%s *", gw_type_c(s, type));
    else if (s->types.at[type].kind == GW_TYPE_ARRAY)
        cast = gw_format("%s (*)[%u]", m->type, gw_matrix_width(f));
    else return from;
    block = gw_format(strchr(from, ' ') ? "(%s)(%s)" : "(%s)%s", cast, from);
    free(cast);
    free(from);
    return block;
}

/* The user's parameter that it belongs to, and what it takes. */
static matrix_role role_of(const gw_func *f, const gw_param *p, bool is_hessian, bool is_input,
                           uint32_t *index) {
    const gw_param *of = p->is_adjoint ? &f->primal->params.at[p->primal_index] : p;
    *index = p->is_adjoint ? p->primal_index : 0;
    if (of->tangent_of) *index = of->tangent_of - 1;
    if (!p->is_adjoint) return p->tangent_of ? DIRECTION : GIVEN;
    if (is_hessian) return of->tangent_of ? UNUSED_GRADIENT : RESULT;
    if (f->form == GW_FORM_JVP) return is_input ? DIRECTION : RESULT;
    return is_input ? RESULT : SEED;
}

/* The user's parameter of a part's one; its name is that of the source. */
static gw_str asked_name(const gw_matrix *m, const gw_func *f, const gw_param *p) {
    uint32_t index;
    role_of(f, p, false, false, &index);
    return m->q->func->params.at[index].name;
}

void gw_matrix_call(const gw_matrix *m, const gw_func *f, const char *first, const char *result) {
    const gw_session *s = m->e->session;
    const bool is_hessian = m->q->kind == GW_REQUEST_HESSIAN;
    gw_emit_items items = {0};
    for (uint32_t i = 0; i < f->params.count; i++) {
        const gw_param *p = &f->params.at[i];
        if (gw_param_is_hidden(p)) continue;
        if (!p->is_adjoint && !p->tangent_of) {
            gw_push(&items, gw_strdup(gw_cstr(s, p->name)));
            continue;
        }
        if (p->is_adjoint && p->primal_index == UINT32_MAX) { /* of a pattern */
            gw_push(&items, gw_strdup(m->last));
            continue;
        }
        gw_str name = asked_name(m, f, p);
        const bool is_input = gw_names_have(&m->q->independents, name);
        uint32_t index;
        matrix_role role = role_of(f, p, is_hessian, is_input, &index);
        char *at = gw_matrix_begin_of(m, is_input, name);
        const char *base = role == RESULT ? result : first;
        char *from = NULL;
        if (role == UNUSED_GRADIENT) from = gw_format("%s + %s%s", base, m->sizes[1], at);
        else from = gw_matrix_width(f) > 1 ? block_at(m, f, p, base, at) : gw_format("%s%s", base, at);
        const bool by_value = p->value != 0;
        gw_push(&items, by_value ? gw_format("*(%s)", from) : gw_strdup(from));
        free(from);
        free(at);
    }
    char *head = gw_format("%s%s%s", f->tape_host ? m->status : "", f->tape_host ? " = " : "",
                           gw_cstr(s, f->name));
    gw_emit_call_text(m->e, head, items.at, items.count, ";");
    free(head);
    gw_emit_items_free(&items);
}

/* ---- sizes ---- */
/* The extent, by the names that the part's parameters have. */
static void add_extent(const gw_matrix *m, const gw_func *f, gw_str extent, gw_text *out) {
    gw_session *s = m->e->session;
    for (const char *p = gw_cstr(s, extent); *p;) {
        size_t n = 0;
        while (isalnum((unsigned char)p[n]) || p[n] == '_') n++;
        gw_str word = n ? gw_intern_n(s, p, n) : 0;
        for (uint32_t i = 0; word && i < m->q->func->params.count; i++)
            if (m->q->func->params.at[i].name == word) {
                word = f->params.at[i].name;
                break;
            }
        if (word) gw_text_add(out, gw_cstr(s, word));
        else gw_text_add_char(out, *p);
        p += n ? n : 1;
    }
}

char *gw_matrix_size(gw_emitter *e, const gw_request *q, const gw_func *f, unsigned side) {
    const gw_matrix m = {.e = e, .q = q};
    const bool square = q->kind == GW_REQUEST_HESSIAN;
    const gw_names *names = side || square ? &q->independents : &q->dependents,
                   *extents = side || square ? &q->independent_extents : &q->dependent_extents;
    gw_text sum = {0};
    for (uint32_t i = 0; i < names->count; i++) {
        gw_text_add(&sum, i ? " + " : "");
        if (extents->at[i]) gw_text_add(&sum, "(size_t)(");
        if (extents->at[i]) add_extent(&m, f, extents->at[i], &sum);
        gw_text_add(&sum, extents->at[i] ? ")" : "1");
    }
    if (!names->count) gw_text_add(&sum, "1"); /* of the returned number */
    return sum.at;
}

void gw_matrix_declare_sizes(gw_matrix *m, const gw_func *f) {
    static const char *const wishes[2] = {"rows", "columns"};
    gw_session *s = m->e->session;
    for (unsigned side = 0; side < 2; side++) {
        const gw_names *names = side ? &m->q->independents : &m->q->dependents,
                       *extents = side ? &m->q->independent_extents : &m->q->dependent_extents;
        for (uint32_t i = 0; i < names->count; i++) {
            gw_str variable = 0;
            if (extents->at[i]) {
                char *wish = gw_format("%s_size", gw_cstr(s, names->at[i]));
                variable = gw_emit_unique(m->e, wish);
                free(wish);
                gw_text text = {0};
                add_extent(m, f, extents->at[i], &text);
                gw_emit_line(m->e, "const size_t %s = (size_t)(%s);", gw_cstr(s, variable), text.at);
                gw_text_free(&text);
            }
            gw_push(&m->extents[side], variable);
        }
        char *all = gw_matrix_begin_of(m, side, 0);
        m->sizes[side] = side ? gw_matrix_unique(m->e, wishes[side]) : NULL;
        if (side || names->count) {
            if (!side) m->sizes[side] = gw_matrix_unique(m->e, wishes[side]);
            gw_emit_line(m->e, "const size_t %s = %s;", m->sizes[side], all + 3); /* behind " + " */
        }
        free(all);
    }
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
    char *both = gw_format("%s + %s", m->sizes[1], m->sizes[0]), *all = in_block(width, both);
    gw_emit_line(m->e, "memset(%s, 0, %s * sizeof *%s);", m->space, all, m->space);
    free(all);
    free(both);
}

/* Rows (side 0) have seeds of outputs and give the inputs' adjoints, columns the other way round. */
static void call_side(const gw_matrix *m, unsigned side) {
    char *inputs = in_block(gw_matrix_width(m->by[side]), m->sizes[1]),
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
         *all = in_block(gw_matrix_width(m->by[1]), cells);
    gw_emit_line(m->e, "%s *const %s = (%s *)malloc(%s * sizeof *%s);", m->type, m->space, m->type, all,
                 m->space);
    free(all);
    free(cells);
    gw_emit_line(m->e, "if (!%s) return GW_ERROR_MEMORY;", m->space);
    gw_emit_line(m->e, "gw_status %s = GW_OK;", m->status);
    write_ways(m);
    gw_emit_line(m->e, "free(%s);", m->space);
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
