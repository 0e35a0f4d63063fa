/*
 * same.c - structural comparison of two sessions, independent of the printer: both are walked at the same
 * time, and a map pairs the values, ops and objects that correspond.
 */
#include "same.h"

#include <stdlib.h>
#include <string.h>

typedef struct pair {
    const gw_session *s, *t;
    const gw_func *f, *g;
    gw_value_map values, ops, objects;
} pair;

static bool same_text(const pair *p, gw_str a, gw_str b) {
    return strcmp(gw_cstr(p->s, a), gw_cstr(p->t, b)) == 0;
}

static bool same_loc(const pair *p, gw_loc a, gw_loc b) {
    if (!a.line && !b.line) return true;
    return a.line == b.line && a.column == b.column && same_text(p, a.file, b.file);
}

static bool same_type(const pair *p, gw_type a, gw_type b) {
    const gw_type_data *x = &p->s->types.at[a], *y = &p->t->types.at[b];
    if (a < GW_T_SCALARS || b < GW_T_SCALARS) return a == b;
    if (x->kind != y->kind || x->count != y->count || !same_text(p, x->name, y->name)) return false;
    if (x->layout.size != y->layout.size || x->layout.align != y->layout.align) return false;
    if (x->kind == GW_TYPE_ARRAY) return same_type(p, x->element, y->element);
    for (uint32_t i = 0; i < x->count; i++) {
        const gw_field *m = &p->s->fields.at[x->first + i], *n = &p->t->fields.at[y->first + i];
        if (m->offset != n->offset || !same_text(p, m->enumeration, n->enumeration) ||
            !same_text(p, m->name, n->name) || !same_type(p, m->type, n->type))
            return false;
    }
    return true;
}

static const char *pair_value(pair *p, gw_value a, gw_value b) {
    const gw_value_data *x = gw_value_at(p->f, a), *y = gw_value_at(p->g, b);
    if (!same_type(p, x->type, y->type)) return "type of a value";
    if (!same_text(p, x->name, y->name)) return "name of a value";
    gw_map_set(&p->values, a, b);
    return NULL;
}

static bool same_why(pair *p, const gw_why *x, const gw_why *y) {
    bool same = x->reason == y->reason && x->count == y->count;
    for (uint32_t i = 0; same && i < x->count; i++)
        same = same_text(p, x->argument[i].text, y->argument[i].text) &&
               x->argument[i].number == y->argument[i].number;
    return same;
}

static bool same_choice(pair *p, uint32_t a, uint32_t b) {
    const gw_rung_choice *x = &p->f->session->choices.at[a], *y = &p->g->session->choices.at[b];
    return !a == !b && x->rung == y->rung && x->how == y->how && x->refused == y->refused &&
           same_why(p, &x->why, &y->why) && same_text(p, x->reference, y->reference);
}

static bool same_decision(pair *p, uint32_t a, uint32_t b) {
    const gw_decision *x = &p->f->session->decisions.at[a], *y = &p->g->session->decisions.at[b];
    return !a == !b && x->how == y->how && x->code == y->code && x->company == y->company &&
           same_why(p, &x->why, &y->why) && same_text(p, x->reference, y->reference) &&
           same_text(p, x->other, y->other) && same_loc(p, x->other_loc, y->other_loc) &&
           same_text(p, x->witness, y->witness) && same_choice(p, x->choice, y->choice) &&
           (a == 0 || same_decision(p, x->made, y->made));
}

static const char *same_op_data(pair *p, const gw_op_data *x, const gw_op_data *y) {
    if (x->code != y->code) return "opcode";
    if (x->flags != y->flags || x->attr != y->attr) return "flags or attr";
    if (x->regions != y->regions || x->operands != y->operands || x->results != y->results)
        return "shape of an op";
    if (gw_map_get(&p->objects, x->object) != y->object) return "object of an op";
    if (!same_text(p, x->path, y->path)) return "path";
    if (!same_text(p, x->callee, y->callee)) return "callee";
    if (!same_text(p, x->note, y->note)) return "note";
    if (!same_decision(p, x->decision, y->decision)) return "decision";
    if (!same_loc(p, x->loc, y->loc)) return "location of an op";
    if (x->code == GW_OP_CONST && memcmp(&x->imm, &y->imm, sizeof x->imm) != 0) return "constant";
    return NULL;
}

static const char *same_region(pair *p, gw_region a, gw_region b);

static const char *same_op(pair *p, gw_op a, gw_op b) {
    const gw_op_data *x = gw_op_at(p->f, a), *y = gw_op_at(p->g, b);
    const char *why = same_op_data(p, x, y);
    if (why) return why;
    gw_map_set(&p->ops, a, b);
    for (uint32_t i = 0; i < x->operands; i++)
        if (gw_map_get(&p->values, gw_operand(p->f, a, i)) != gw_operand(p->g, b, i)) return "operand";
    for (uint32_t i = 0; i < x->results; i++)
        if ((why = pair_value(p, gw_result(p->f, a, i), gw_result(p->g, b, i))) != NULL) return why;
    for (uint32_t i = 0; i < x->regions; i++)
        if ((why = same_region(p, x->region[i], y->region[i])) != NULL) return why;
    return NULL;
}

static const char *same_region(pair *p, gw_region a, gw_region b) {
    const char *why;
    uint32_t args = gw_region_at(p->f, a)->args;
    if (args != gw_region_at(p->g, b)->args) return "number of arguments";
    for (uint32_t i = 0; i < args; i++)
        if ((why = pair_value(p, gw_arg(p->f, a, i), gw_arg(p->g, b, i))) != NULL) return why;
    gw_op x = gw_first(p->f, a), y = gw_first(p->g, b);
    for (; x && y; x = gw_next(p->f, x), y = gw_next(p->g, y))
        if ((why = same_op(p, x, y)) != NULL) return why;
    return x || y ? "number of ops" : NULL;
}

static const char *same_objects(pair *p) {
    if (p->f->objects.count != p->g->objects.count) return "number of objects";
    for (gw_object o = 1; o < p->f->objects.count; o++) {
        const gw_object_data *x = gw_object_at(p->f, o), *y = gw_object_at(p->g, o);
        if (x->kind != y->kind || !same_type(p, x->type, y->type)) return "kind or type of an object";
        if (!same_text(p, x->name, y->name) || !same_text(p, x->type_text, y->type_text))
            return "name of an object";
        if (x->is_const != y->is_const || x->is_restrict != y->is_restrict ||
            x->is_reference != y->is_reference || x->is_constant_memory != y->is_constant_memory ||
            x->is_container != y->is_container || x->is_enumerated != y->is_enumerated ||
            x->zeroed != y->zeroed || x->in_array != y->in_array || x->sized != y->sized)
            return "attribute of an object";
        if (x->shadow_of != y->shadow_of || !same_loc(p, x->loc, y->loc))
            return "shadow or location of an object";
        gw_map_set(&p->objects, o, o);
    }
    return NULL;
}

static const char *same_params(pair *p) {
    if (p->f->params.count != p->g->params.count) return "number of parameters";
    for (uint32_t i = 0; i < p->f->params.count; i++) {
        const gw_param *x = &p->f->params.at[i], *y = &p->g->params.at[i];
        if (!same_text(p, x->name, y->name) || !same_text(p, x->type_text, y->type_text))
            return "name of a parameter";
        if (!same_text(p, x->pattern, y->pattern)) return "pattern of a parameter";
        if (x->is_enumerated != y->is_enumerated) return "enumerated type of a parameter";
        if (x->is_texture != y->is_texture) return "texture of a parameter";
        if (x->size_of != y->size_of) return "container of a parameter";
        if (x->object != y->object || gw_map_get(&p->values, x->value) != y->value)
            return "what a parameter is";
        if (x->is_adjoint != y->is_adjoint || !same_loc(p, x->loc, y->loc)) return "attribute of a parameter";
        if (x->is_adjoint && x->primal_index != y->primal_index) return "primal of a parameter";
    }
    return NULL;
}

static const char *same_head(pair *p) {
    const gw_func *f = p->f, *g = p->g;
    if (f->kind != g->kind || f->form != g->form) return "kind or form";
    if (!same_text(p, f->name, g->name) || !same_text(p, f->qualified, g->qualified))
        return "name of a function";
    if (!same_text(p, f->template_head, g->template_head) || !same_text(p, f->tag, g->tag) ||
        !same_text(p, f->return_pattern, g->return_pattern) ||
        !same_text(p, f->template_arguments, g->template_arguments) || f->is_internal != g->is_internal ||
        f->is_unspoken != g->is_unspoken)
        return "identity of a function";
    if (f->return_type != g->return_type || !same_text(p, f->return_text, g->return_text)) return "return type";
    if (!same_loc(p, f->loc, g->loc)) return "location of a function";
    if (f->form != GW_FORM_PRIMAL && f->request != g->request) return "request of a function";
    if (f->tape_local != g->tape_local || f->tape_host != g->tape_host ||
        memcmp(f->tape_local_slots, g->tape_local_slots, sizeof f->tape_local_slots) != 0)
        return "tape of a function";
    if (f->assumptions.count != g->assumptions.count) return "number of assumptions";
    for (uint32_t i = 0; i < f->assumptions.count; i++)
        if (f->assumptions.at[i].index != g->assumptions.at[i].index ||
            f->assumptions.at[i].coarse != g->assumptions.at[i].coarse ||
            !same_text(p, f->assumptions.at[i].condition, g->assumptions.at[i].condition) ||
            !same_text(p, f->assumptions.at[i].why, g->assumptions.at[i].why))
            return "assumption";
    return NULL;
}

static uint32_t index_of(const gw_session *s, const gw_func *f) {
    uint32_t i = 0;
    while (i < s->funcs.count && s->funcs.at[i] != f)
        i++;
    return i;
}

static const char *same_captures(const pair *p) {
    if (p->s->captures.count != p->t->captures.count) return "number of structs of captures";
    for (uint32_t i = 0; i < p->s->captures.count; i++) {
        const gw_capture_struct *x = &p->s->captures.at[i], *y = &p->t->captures.at[i];
        if (!same_text(p, x->name, y->name) || x->line != y->line || x->members.count != y->members.count)
            return "struct of captures";
        for (uint32_t k = 0; k < x->members.count; k++)
            if (!same_text(p, x->members.at[k], y->members.at[k])) return "member of captures";
    }
    return NULL;
}

static const char *same_rules(const pair *p) {
    if (p->s->rules.count != p->t->rules.count) return "number of rules";
    for (uint32_t i = 0; i < p->s->rules.count; i++) {
        const gw_rule *x = &p->s->rules.at[i], *y = &p->t->rules.at[i];
        if (!same_text(p, x->function, y->function) || !same_text(p, x->pullback, y->pullback) ||
            !same_text(p, x->jvp, y->jvp) || x->is_nondifferentiable != y->is_nondifferentiable)
            return "rule";
    }
    return NULL;
}

static const char *same_requests(const pair *p) {
    if (p->s->requests.count != p->t->requests.count) return "number of requests";
    for (uint32_t i = 0; i < p->s->requests.count; i++) {
        const gw_request *x = &p->s->requests.at[i], *y = &p->t->requests.at[i];
        if (!same_text(p, x->function, y->function) || !same_text(p, x->text, y->text))
            return "text of a request";
        if (!same_text(p, x->name, y->name)) return "name of a request";
        if (!same_text(p, x->digest, y->digest)) return "digest of a request";
        if (x->kind != y->kind || x->from_source != y->from_source || x->implied != y->implied ||
            !same_loc(p, x->loc, y->loc))
            return "origin of a request";
        if (x->dependents.count != y->dependents.count || x->independents.count != y->independents.count)
            return "number of names of a request";
        for (uint32_t k = 0; k < x->dependents.count; k++)
            if (!same_text(p, x->dependents.at[k], y->dependents.at[k])) return "output of a request";
        for (uint32_t k = 0; k < x->independents.count; k++)
            if (!same_text(p, x->independents.at[k], y->independents.at[k])) return "input of a request";
        if (index_of(p->s, x->func) != index_of(p->t, y->func)) return "function of a request";
    }
    return NULL;
}

/* Origins name ops of other functions: compared when those are paired. */
static const char *same_origins(const pair *pairs, uint32_t i) {
    const pair *p = &pairs[i];
    if (index_of(p->s, p->f->primal) != index_of(p->t, p->g->primal)) return "primal of a function";
    if (!p->f->primal) return NULL;
    const pair *primal = &pairs[index_of(p->s, p->f->primal)];
    for (gw_op op = 1; op < p->f->ops.count; op++) {
        const gw_op_data *x = gw_op_at(p->f, op);
        if (x->dead || !gw_map_get(&p->ops, op)) continue;
        gw_op origin = x->origin ? gw_map_get(&primal->ops, x->origin) : 0;
        if (gw_op_at(p->g, gw_map_get(&p->ops, op))->origin != origin) return "origin";
    }
    return NULL;
}

static const char *same_func(pair *p) {
    const char *why = same_head(p);
    if (!why) why = same_objects(p);
    if (!why) why = same_region(p, p->f->entry, p->g->entry);
    return why ? why : same_params(p);
}

const char *same_session(const gw_session *a, const gw_session *b) {
    if (a->funcs.count != b->funcs.count) return "number of functions";
    pair top = {.s = a, .t = b}, *pairs = gw_alloc((a->funcs.count + 1) * sizeof *pairs);
    const char *why = NULL;
    if (!same_text(&top, a->stage, b->stage) || !same_text(&top, a->source_file, b->source_file) ||
        !same_text(&top, a->include_mode_name, b->include_mode_name) || a->is_cuda != b->is_cuda)
        why = "head of the session";
    for (uint32_t i = 0; i < a->funcs.count && !why; i++) {
        pairs[i] = (pair){.s = a, .t = b, .f = a->funcs.at[i], .g = b->funcs.at[i]};
        why = same_func(&pairs[i]);
    }
    for (uint32_t i = 0; i < a->funcs.count && !why; i++)
        why = same_origins(pairs, i);
    if (!why) why = same_requests(&top);
    if (!why) why = same_captures(&top);
    if (!why) why = same_rules(&top);
    for (uint32_t i = 0; i < a->funcs.count; i++) {
        gw_map_free(&pairs[i].values);
        gw_map_free(&pairs[i].ops);
        gw_map_free(&pairs[i].objects);
    }
    free(pairs);
    return why;
}
