/*
 * callee.c - derivatives that calls call (contract: formula.h).
 *
 * A function that is called has one derivative for each set of pointers that carry a derivative: a request that
 * nobody made, with respect to all its floating-point numbers and to what it reads of those pointers, of what
 * it returns and of what it writes of them. One with fewer has another signature and does not serve.
 */
#include "rewriters/formula/formula.h"

#include "analysis/ir/diagnostics.h"
#include "analysis/ir/requests.h"


#include <stdlib.h>
#include <string.h>

gw_func *gw_callee_primal(const gw_session *s, gw_str symbol) {
    gw_func *f = gw_func_find(s, symbol);
    return f && f->form == GW_FORM_PRIMAL ? f : NULL;
}

gw_str gw_callee_local_name(gw_session *s, const char *prefix, gw_str callee) {
    const char *name = gw_cstr(s, callee), *colon = strrchr(name, ':');
    if (colon) name = colon + 1;
    return gw_signature_prefixed(s, prefix, gw_intern_n(s, name, strcspn(name, "'")));
}

bool gw_callee_check(gw_session *s, gw_str callee, uint32_t kind, gw_loc loc) {
    const gw_rule *rule = gw_rule_find(s, callee);
    bool gradient = kind == GW_REQUEST_GRADIENT;
    if (gw_callee_primal(s, callee) || (rule && (gradient ? rule->pullback : rule->jvp))) return true;
    const char *name = gw_cstr(s, callee), *what = gradient ? "pullback" : "jvp";
    if (rule)
        gw_diag(s, GW_DIAG_MISSING_RULE, loc, name, what, what, name);
    else
        gw_diag(s, GW_DIAG_NO_RULE, loc, name, name);
    return false;
}

bool gw_callee_writes_part(const gw_func *f, gw_op call, const bool *part) {
    for (uint32_t i = 0; i < gw_op_at(f, call)->operands; i++)
        if (part[i] && gw_op_at(f, gw_operand_address(f, call, i))->flags & GW_OP_WRITES) return true;
    return false;
}

bool gw_callee_takes_numbers(const gw_func *f, gw_op call, uint32_t i) {
    gw_op address = gw_operand_address(f, call, i);
    return address &&
           gw_type_is_float(gw_cell_type(f, gw_op_at(f, address)->object, gw_op_at(f, address)->path));
}

static bool has_numbers(const gw_func *f, gw_op call) {
    const gw_op_data *o = gw_op_at(f, call);
    bool found = o->results && gw_type_is_float(gw_typeof(f, o->first_result));
    for (uint32_t i = 0; i < o->operands && !found; i++)
        found = gw_callee_takes_numbers(f, call, i) || gw_type_is_float(gw_typeof(f, gw_operand(f, call, i)));
    return found;
}

bool gw_callee_must_answer(const gw_func *f, gw_op call, bool back) {
    const gw_rule *rule = gw_is_ordered(f, call) ? gw_rule_find(f->session, gw_op_at(f, call)->callee) : NULL;
    return rule && !rule->is_nondifferentiable && ((back ? rule->pullback : rule->jvp) || has_numbers(f, call));
}

bool gw_callee_reaches(const gw_func *f, gw_op call, uint16_t which, bool local) {
    for (uint32_t i = 0; i < gw_op_at(f, call)->operands; i++) {
        gw_op address = gw_operand_address(f, call, i);
        const gw_op_data *o = gw_op_at(f, address);
        if (address && o->flags & which && (gw_object_at(f, o->object)->kind == GW_OBJECT_LOCAL) == local)
            return true;
    }
    return false;
}

/* ---- requests ---- */
typedef struct wanted {
    GW_VEC(gw_str) dependents, independents;
    gw_text suffix; /* of a name for it */
} wanted;

static wanted want(const gw_func *callee, const gw_func *f, gw_op call, const bool *part) {
    wanted w = {0};
    for (uint32_t i = 0; i < callee->params.count; i++) {
        const gw_param *p = &callee->params.at[i];
        if (p->value && gw_type_is_float(gw_typeof(callee, p->value))) gw_push(&w.independents, p->name);
        if (!part[i]) continue;
        uint16_t flags = gw_op_at(f, gw_operand_address(f, call, i))->flags;
        if (flags & GW_OP_READS) gw_push(&w.independents, p->name);
        if (flags & GW_OP_WRITES) gw_push(&w.dependents, p->name);
        gw_text_addf(&w.suffix, "_%s", gw_cstr(f->session, p->name));
    }
    if (!w.suffix.count) gw_text_add(&w.suffix, "_all");
    return w;
}

static void free_wanted(wanted *w) {
    gw_vec_free(&w->dependents);
    gw_vec_free(&w->independents);
    gw_text_free(&w->suffix);
}

static bool same_names(const gw_str *x, uint32_t n, const gw_str *y, uint32_t m) {
    for (uint32_t i = 0; i < n; i++)
        if (!gw_signature_names(y, m, x[i])) return false;
    return n == m;
}

/* Pullbacks are made of requests with respect to a returned value, and of those that calls make. */
static bool makes_callable(const gw_request *q, const gw_func *callee, gw_request_kind kind) {
    bool pullback = kind == GW_REQUEST_DERIVATIVE || q->implied || !q->dependents.count;
    return q->kind == kind && q->func == callee && pullback;
}

static void add_request(gw_session *s, gw_func *callee, gw_request_kind kind, const wanted *w, bool is_taken) {
    gw_request q = {
        .kind = kind, .function = callee->qualified, .loc = callee->loc, .func = callee, .implied = true};
    gw_text text = {0};
    for (uint32_t i = 0; i < w->dependents.count; i++) {
        gw_text_addf(&text, "%s%s", i ? ", " : "", gw_cstr(s, w->dependents.at[i]));
        gw_push(&q.dependents, w->dependents.at[i]);
    }
    gw_text_add(&text, text.count ? " wrt " : "wrt ");
    for (uint32_t i = 0; i < w->independents.count; i++) {
        gw_text_addf(&text, "%s%s", i ? ", " : "", gw_cstr(s, w->independents.at[i]));
        gw_push(&q.independents, w->independents.at[i]);
    }
    char *name = gw_format("%s%s%s", gw_cstr(s, callee->name), w->suffix.at,
                           kind == GW_REQUEST_DERIVATIVE ? "_jvp" : "");
    if (is_taken) q.name = gw_intern(s, name);
    free(name);
    q.text = gw_intern(s, text.at);
    gw_text_free(&text);
    gw_push(&s->requests, q);
}

static uint32_t find_request(gw_session *s, gw_func *callee, gw_request_kind kind, const wanted *w) {
    bool is_taken = false;
    for (uint32_t i = 0; i < s->requests.count; i++) {
        const gw_request *q = &s->requests.at[i];
        if (!makes_callable(q, callee, kind)) continue;
        bool serves =
            same_names(q->independents.at, q->independents.count, w->independents.at, w->independents.count) &&
            same_names(q->dependents.at, q->dependents.count, w->dependents.at, w->dependents.count);
        /* which only a call's request asks for beside others */
        bool returns = gw_type_is_float(callee->return_type);
        if (serves && (q->implied || !returns || !q->dependents.count)) return i;
        is_taken |= !q->name;
    }
    add_request(s, callee, kind, w, is_taken);
    return s->requests.count - 1;
}

gw_str gw_callee_derivative(gw_session *s, const gw_func *f, gw_op call, uint32_t kind,
                            const bool *part) {
    gw_str name = gw_op_at(f, call)->callee;
    const gw_rule *rule = gw_rule_find(s, name);
    bool gradient = kind == GW_REQUEST_GRADIENT;
    gw_str own = 0;
    if (rule) own = gradient ? rule->pullback : rule->jvp;
    if (own) return own;
    gw_func *callee = gw_callee_primal(s, name);
    if (!callee) return 0;
    wanted w = want(callee, f, call, part);
    uint32_t request = find_request(s, callee, kind, &w);
    free_wanted(&w);
    return gw_derived_symbol(callee, request, gradient ? GW_FORM_PULLBACK : GW_FORM_JVP);
}
