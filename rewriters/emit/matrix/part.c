/*
 * emit/matrix/part.c - what is filled row by row or column by column calls parts, other derivatives of the same
 * function: the call of one, and how many rows and columns there are.
 */
#include "analysis/ir/requests.h"
#include "rewriters/emit/matrix/matrix_private.h"
#include "rewriters/formula/formula.h"

#include <stdlib.h>
#include <string.h>

const char *gw_matrix_unique(gw_emitter *e, const char *wish) {
    return gw_cstr(e->session, gw_emit_unique(e, wish));
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

char *gw_matrix_in_block(unsigned width, const char *count) {
    const bool sum = strchr(count, ' ') != NULL;
    char *cells = gw_format(sum ? "(%s)" : "%s", count), *all = NULL;
    if (width == 1) return cells;
    all = gw_format("%u * %s", width, cells);
    free(cells);
    return all;
}

/* The begin of a parameter's tangents or adjoints, `at` behind the first. */
static char *block_at(const gw_matrix *m, const gw_func *f, const gw_param *p, const char *base,
                      const char *at) {
    const gw_session *s = m->e->session;
    const gw_type type = gw_object_at(f, p->object)->type;
    char *begin = *at ? gw_matrix_in_block(gw_matrix_width(f), at + 3) : NULL, /* behind " + " */
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
        while (gw_is_word(p[n])) n++;
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
