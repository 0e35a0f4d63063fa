/*
 * rounding/rounding.c - the pass `rounding`: marks each number of a function that is rounded, for the sum of
 * what all roundings may do to the outputs.
 *
 * A rounded result is v (1 + e) with |e| <= u, half a unit in the last place or as rounding.def has it. To
 * first order the output changes by adjoint(v) v e, so that the sum of |adjoint(v) v| u over all roundings
 * bounds the error that has accumulated (by reverse accumulation: Linnainmaa, 1976; as estimates of a term for
 * each assignment: Vassiliadis et al., "Towards automatic significance analysis", CGO 2016, and Singh et al.,
 * "Fast and automatic floating point error analysis with CHEF-FP", IPDPS 2023). Each v becomes rounding(v),
 * which is v; the pass `adjoint` adds a term where it comes by one, since the sweep has the adjoint there and
 * asks for v as for any value that a formula reads.
 *
 * Numbers that are not rounded where they are loaded, stored or assigned are marked with 0 halves, for what
 * would be if the variable were a float.
 *
 * Requires: functions of the host as the source has them. Guarantees: of each request for the terms of an error
 * a function of its own, whose last parameter is the array of terms; its inputs have no adjoints.
 */
#include "rewriters/rounding/rounding.h"

#include "analysis/facts/facts.h"
#include "analysis/ir/diagnostics.h"
#include "analysis/ir/passes.h"
#include "analysis/ir/requests.h"
#include "analysis/ir/restructure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct marking {
    gw_func *f;
    const gw_request *q;
    gw_value_map last; /* value -> what stands for it from here on */
    bool good;
} marking;

/* ---- how much ---- */
enum { NOT_KNOWN = -1 };

static int halves_of_cast(const gw_func *f, gw_op op) {
    const gw_type to = gw_typeof(f, gw_result(f, op, 0)), from = gw_typeof(f, gw_operand(f, op, 0));
    const uint32_t digits = to == GW_T_F64 ? 53 : 24;
    if (gw_type_is_float(from)) return gw_type_bits(from) > gw_type_bits(to);
    return from != GW_T_BOOL && gw_type_bits(from) > digits;
}

static int halves_of(const gw_func *f, gw_op op) {
    switch (gw_op_at(f, op)->code) {
#define GW_ROUNDING(OP, halves)                                                                                \
    case GW_OP_##OP: return halves;
#include "rewriters/rounding/rounding.def"
#undef GW_ROUNDING
    case GW_OP_CAST: return halves_of_cast(f, op);
    default: return gw_op_rows[gw_op_at(f, op)->code].adjoint == GW_ADJOINT_FORMULA ? NOT_KNOWN : 0;
    }
}

/* ---- marks ---- */
/* "p.pos.x" for p[i].pos.x */
static gw_str name_of_cell(const gw_func *f, const gw_op_data *o) {
    gw_text text = {0};
    gw_text_add(&text, gw_cstr(f->session, gw_object_at(f, o->object)->name));
    for (const char *p = gw_cstr(f->session, o->path); *p; p++)
        if (*p != '[' && *p != ']') gw_text_add_char(&text, *p);
    gw_str name = gw_intern(f->session, text.at);
    gw_text_free(&text);
    return name;
}

static gw_value mark_at(gw_builder *b, gw_value v, gw_str name, int halves) {
    gw_op op = gw_emit(b, GW_OP_ROUNDING, gw_typeof(b->f, v), 1, &v, 1);
    gw_op_at(b->f, op)->attr = (uint16_t)halves;
    gw_op_at(b->f, op)->path = name ? name : gw_intern(b->f->session, "");
    return gw_result(b->f, op, 0);
}

/* v from where b stands on; a second mark of it is one of the first. */
static void mark(marking *m, gw_builder *b, gw_value v, gw_str name, int halves) {
    gw_value now = gw_map_get(&m->last, v);
    gw_map_set(&m->last, v, mark_at(b, now ? now : v, name, halves));
}

static bool is_number(const gw_func *f, gw_value v) {
    return gw_typeof(f, v) == GW_T_F32 || gw_typeof(f, v) == GW_T_F64;
}

static void mark_result(marking *m, gw_op op, const gw_roles *roles) {
    const gw_op_data o = *gw_op_at(m->f, op);
    gw_builder b = {.f = m->f, .region = o.parent, .before = o.next, .loc = o.loc};
    const gw_value v = o.first_result;
    const gw_str name = gw_value_at(m->f, v)->name;
    const int halves = halves_of(m->f, op);
    if (o.code == GW_OP_CONST) return;
    if (halves == NOT_KNOWN) {
        gw_diag(m->f->session, GW_DIAG_NO_ROUNDING, o.loc, gw_op_rows[o.code].text);
        m->good = false;
        return;
    }
    if (o.code == GW_OP_LOAD && !gw_object_is_inner(gw_object_at(m->f, o.object)->kind))
        mark(m, &b, v, name_of_cell(m->f, &o), roles->input[op]);
    if (name || halves) mark(m, &b, v, name, halves);
}

/* Whether all that comes together in a variable has been marked as its own, or is the same as a float. */
static bool comes_as(const gw_func *f, gw_value v, gw_str name) {
    double x;
    if (gw_const_real(f, v, &x)) return (double)(float)x == x;
    return gw_value_at(f, v)->name == name;
}

/* Results of branches and loops, and what loops carry, where another variable is copied to it. */
static void mark_joined(marking *m, gw_op op) {
    const gw_op_data o = *gw_op_at(m->f, op);
    for (uint32_t i = 0; i < o.results; i++) {
        const gw_value v = gw_result(m->f, op, i);
        const gw_str name = gw_value_at(m->f, v)->name;
        const bool is_loop = o.code != GW_OP_IF;
        if (!name || !is_number(m->f, v)) continue;
        gw_value from[2] = {is_loop ? gw_loop_init(m->f, op, i) : gw_yielded(m->f, o.region[0], i),
                            is_loop ? gw_loop_next(m->f, op, i) : gw_yielded(m->f, o.region[1], i)};
        if (comes_as(m->f, from[0], name) && comes_as(m->f, from[1], name)) continue;
        gw_builder b = {.f = m->f, .region = o.parent, .before = o.next, .loc = o.loc};
        mark(m, &b, v, name, 0);
        if (!is_loop) continue;
        b.region = gw_loop_body(m->f, op);
        b.before = gw_region_at(m->f, b.region)->first;
        mark(m, &b, gw_loop_arg(m->f, op, i), name, 0);
    }
}

static void mark_params(marking *m, const gw_roles *roles) {
    gw_builder b = {.f = m->f, .region = m->f->entry, .before = gw_first(m->f, m->f->entry)};
    for (uint32_t i = 0; i < m->f->params.count; i++) {
        const gw_param p = m->f->params.at[i];
        b.loc = p.loc;
        if (p.value && is_number(m->f, p.value)) mark(m, &b, p.value, p.name, roles->independent[i]);
    }
}

static void mark_store(marking *m, gw_op op) {
    const gw_op_data o = *gw_op_at(m->f, op);
    const uint32_t at = o.operands - 1;
    const gw_value v = gw_operand(m->f, op, at);
    gw_builder b = {.f = m->f, .region = o.parent, .before = op, .loc = o.loc};
    if (is_number(m->f, v)) gw_set_operand(m->f, op, at, mark_at(&b, v, name_of_cell(m->f, &o), 0));
}

/* A call is inlined, unless it calls itself or its function has no body or a derivative of its own. */
static void refuse_call(marking *m, gw_op op, gw_str symbol) {
    gw_session *s = m->f->session;
    const gw_op_data *o = gw_op_at(m->f, op);
    m->good = false;
    if (gw_func_find(s, o->callee) && gw_ask_to_inline(s, symbol, true)) return;
    char *what = gw_format("a call of '%.*s'", (int)strcspn(gw_cstr(s, o->callee), "'"), gw_cstr(s, o->callee));
    gw_diag(s, GW_DIAG_NO_ROUNDING, o->loc, what);
    free(what);
}

static void mark_all(marking *m, const gw_roles *roles, gw_str symbol) {
    const uint32_t count = m->f->ops.count;
    mark_params(m, roles);
    for (gw_op op = 1; op < count; op++) {
        const gw_op_data *o = gw_op_at(m->f, op);
        if (o->dead) continue;
        if (o->code == GW_OP_CALL) refuse_call(m, op, symbol);
        else if (o->regions) mark_joined(m, op);
        else if (o->results == 1 && is_number(m->f, o->first_result)) mark_result(m, op, roles);
    }
    for (gw_op op = 1; op < count; op++)
        for (uint32_t i = 0; !gw_op_at(m->f, op)->dead && i < gw_op_at(m->f, op)->operands; i++) {
            gw_value to = gw_map_get(&m->last, gw_operand(m->f, op, i));
            if (to) gw_set_operand(m->f, op, i, to);
        }
    for (gw_op op = 1; op < count; op++)
        if (!gw_op_at(m->f, op)->dead && gw_op_at(m->f, op)->code == GW_OP_STORE) mark_store(m, op);
}

/* ---- the function ---- */
static bool is_param(const void *f, gw_str name) {
    for (uint32_t i = 0; i < ((const gw_func *)f)->params.count; i++)
        if (((const gw_func *)f)->params.at[i].name == name) return true;
    return false;
}

static void add_terms(gw_func *f) {
    gw_session *s = f->session;
    gw_param p = {.name = gw_free_name(s, "terms", is_param, f), .type_text = gw_intern(s, "double *")};
    p.loc = f->loc;
    p.object = gw_object_new(f, GW_OBJECT_POINTER, p.name, GW_T_F64);
    gw_object_at(f, p.object)->type_text = gw_intern(s, "double");
    gw_push(&f->params, p);
}

/* What is only read has no adjoint: what its roundings do is in the terms. */
/* By a store, or anything else. */
static bool is_written(const gw_func *f, gw_object o) {
    for (gw_op op = 1; op < f->ops.count; op++)
        if (!gw_op_at(f, op)->dead && gw_touches(f, op, o, GW_TOUCH_WRITE)) return true;
    return false;
}

static void keep_written(const gw_func *f, gw_request *q) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < q->independents.count; i++) {
        bool written = false;
        for (uint32_t k = 0; k < f->params.count; k++) {
            const gw_param *p = &f->params.at[k];
            written |= p->object && gw_roles_member(f->session, q->independents.at[i], p->name) &&
                       is_written(f, p->object);
        }
        if (written) q->independents.at[kept++] = q->independents.at[i];
    }
    q->independents.count = kept;
}

static gw_func *copy_of(const gw_func *from, gw_str beside) {
    gw_session *s = from->session;
    gw_func *f = gw_func_new(s, "", from->kind), *copy = gw_func_copy(from), empty = *f;
    char *symbol = gw_format("%s'%s", gw_cstr(s, from->symbol), gw_cstr(s, beside));
    *f = *copy;
    *copy = empty;
    gw_func_free(copy);
    f->symbol = gw_intern(s, symbol);
    free(symbol);
    return f;
}

static bool make_marked(gw_session *s, uint32_t request) {
    gw_request *q = &s->requests.at[request];
    const gw_str symbol = q->func->symbol;
    marking m = {.f = copy_of(q->func, q->name), .q = q, .good = true};
    gw_roles roles;
    gw_roles_find(&roles, m.f, q);
    mark_all(&m, &roles, symbol);
    gw_roles_free(&roles);
    gw_map_free(&m.last);
    keep_written(m.f, q);
    add_terms(m.f);
    q->func = m.f;
    return m.good;
}

bool gw_pass_rounding(gw_run *run) {
    gw_session *s = run->session;
    bool good = true;
    for (uint32_t i = 0; i < s->requests.count; i++)
        if (s->requests.at[i].kind == GW_REQUEST_ERROR && s->requests.at[i].part_of) good &= make_marked(s, i);
    return good && !gw_session_failed(s);
}
