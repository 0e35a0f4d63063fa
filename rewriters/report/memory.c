/*
 * report/memory.c - what a gradient expects and does to memory, as lines for people (contract:
 * findings_private.h; docs/guide/memory.md).
 *
 * The rule is one for all gradients: primal memory is as it was before the primal ran, an input's adjoint is
 * added to, an output's is consumed. What is said here of one gradient is read off its ops: which memory it
 * loads, and which of that the primal stores to.
 */
#include "rewriters/report/findings_private.h"
#include "analysis/ir/query.h"
#include "rewriters/formula/formula.h"

#include <string.h>

/* `name` itself, or a member of it, is in the list. */
static bool is_asked(const gw_session *s, const gw_names *list, gw_str name) {
    const char *wanted = gw_cstr(s, name);
    size_t n = strlen(wanted);
    for (uint32_t i = 0; i < list->count; i++) {
        const char *text = gw_cstr(s, list->at[i]);
        if (strncmp(text, wanted, n) == 0 && (text[n] == 0 || text[n] == '.')) return true;
    }
    return false;
}

static bool is_memory(const gw_object_data *o) {
    return o->kind == GW_OBJECT_POINTER || o->kind == GW_OBJECT_GLOBAL;
}

static bool reads(const gw_func *f, gw_object object) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        bool read = o->code == GW_OP_LOAD || (o->code == GW_OP_ADDRESS && o->flags & GW_OP_READS);
        if (!o->dead && o->object == object && read) return true;
    }
    return false;
}

/* The first op of the primal that changes the object; 0: none does. */
static gw_op written_by(const gw_func *primal, gw_object object) {
    for (gw_op op = 1; op < primal->ops.count; op++) {
        const gw_op_data *o = gw_op_at(primal, op);
        bool writes = o->code == GW_OP_STORE || o->code == GW_OP_ATOMIC ||
                      (o->code == GW_OP_ADDRESS && o->flags & GW_OP_WRITES);
        if (!o->dead && o->object == object && writes) return op;
    }
    return 0;
}

static void add_name(gw_text *list, const char *name) {
    gw_text_addf(list, "%s%s", list->count ? ", " : "", name);
}

static void say(gw_facts *out, gw_text *list, const char *format) {
    if (list->count) gw_push(&out->memory, gw_format(format, list->at));
    gw_text_free(list);
}

/* Objects of the primal stand first in its derivatives. */
static void tell_primal_memory(const gw_func *f, gw_facts *out) {
    const gw_func *p = f->primal;
    const char *name = gw_cstr(f->session, p->name);
    gw_text all = {0};
    for (gw_object o = 1; o < p->objects.count && o < f->objects.count; o++)
        if (is_memory(gw_object_at(p, o)) && gw_object_at(f, o)->name == gw_object_at(p, o)->name &&
            reads(f, o))
            add_name(&all, gw_cstr(f->session, gw_object_at(p, o)->name));
    if (all.count) gw_push(&out->memory, gw_format("reads %s as before %s ran", all.at, name));
    gw_text_free(&all);
    for (gw_object o = 1; o < p->objects.count && o < f->objects.count; o++) {
        gw_op by =
            is_memory(gw_object_at(p, o)) && gw_object_at(f, o)->name == gw_object_at(p, o)->name && reads(f, o)
                ? written_by(p, o)
                : 0;
        if (!by) continue;
        const char *what = gw_cstr(f->session, gw_object_at(p, o)->name);
        gw_push(&out->memory,
                gw_format("is wrong behind %s, which overwrites %s (line %u): give it %s from before, or ask "
                          "for GW_SPLIT_GRADIENT, whose first half is the run of %s",
                          name, what, gw_op_at(p, by)->loc.line, what, name));
    }
}

/* What is only added to keeps the adjoint that it had. */
static bool is_consumed(const gw_func *primal, const gw_param *p) {
    const bool is_struct = p->object && gw_object_at(primal, p->object)->kind == GW_OBJECT_STRUCT;
    if (p->object) return is_struct || gw_overwrites(primal, p->object, NULL);
    return gw_call_facts_overwrites(primal, p->value);
}

static void tell_adjoints(const gw_func *f, gw_facts *out) {
    const gw_session *s = f->session;
    const gw_request *q = &s->requests.at[f->request];
    gw_text added = {0}, consumed = {0}, both = {0}, read = {0}, fresh = {0};
    for (uint32_t i = 0; i < f->params.count; i++) {
        const gw_param *p = &f->params.at[i];
        const bool leads = p->object || gw_is_program(f); /* where pointers are numbers */
        if (!p->is_adjoint || !leads || p->primal_index >= f->primal->params.count) continue;
        gw_str primal = gw_param_asked(f->primal, &f->primal->params.at[p->primal_index]);
        bool output = is_asked(s, &q->dependents, primal), input = is_asked(s, &q->independents, primal);
        gw_text *list = output ? &consumed : &added;
        if (output && !is_consumed(f->primal, &f->primal->params.at[p->primal_index])) list = &read;
        if (output && input) list = &both;
        if (gw_is_fresh(f, p, NULL)) list = &fresh;
        if (output || input) add_name(list, gw_cstr(s, p->name));
    }
    for (gw_fresh a = {0}; gw_next_fresh(f, &a);) {
        char *name = gw_format("%s%s", gw_cstr(s, a.param->name), a.member);
        if (*a.member) add_name(&fresh, name);
        free(name);
    }
    say(out, &added, "adds to %s: set it to 0 before the first launch");
    say(out, &fresh, "stores %s: what was there before does not matter");
    say(out, &consumed, "consumes %s: 0 afterwards where the primal stored");
    say(out, &read, "reads %s, which stay as they are: the primal adds to what they belong to");
    say(out, &both, "turns %s: adjoints of what was left in, adjoints of what was there before out");
}

void gw_facts_collect_memory(const gw_func *f, gw_facts *out) {
    if (f->form != GW_FORM_GRAD || gw_is_split(f) || !f->primal || f->request >= f->session->requests.count)
        return;
    tell_primal_memory(f, out);
    tell_adjoints(f, out);
    gw_text passive = {0};
    gw_call_facts_passive(f, &passive);
    say(out, &passive,
        "makes adjoints of %s, which the request does not name, where a kernel's gradient adds to them");
}
