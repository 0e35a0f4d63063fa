/*
 * emit/kernel/checks.c - what a launch function looks at before it starts anything.
 *
 * Assumptions of the gradient, of which the first that does not hold is the error. The adjoints that it is
 * given: one that is null where the primal's array is not would stop the kernel at the first access, and say
 * nothing; so would blocks of tangents that are not aligned as the kernel assumes (emit/text/directions.c).
 * Arrays without elements may be null on both sides. An output that stands for the tape of a second half
 * (adjoint/output.c) may be null for the primal, and holds nothing then: it may be where the seeds are.
 */
#include "rewriters/emit/kernel/kernel_private.h"
#include "rewriters/formula/formula.h"

#include <stdlib.h>

/* The names are those of the text: hidden parameters have none. */
static const char *name_of(const gw_kernel *k, uint32_t param) {
    uint32_t at = 0;
    for (uint32_t i = 0; i < param; i++)
        at += !gw_param_is_hidden(&k->grad->params.at[i]);
    return gw_cstr(k->e->session, k->params.names.at[at]);
}

static bool is_array(const gw_func *f, const gw_param *p) {
    return p->object && !gw_param_is_hidden(p) && gw_object_at(f, p->object)->kind == GW_OBJECT_POINTER;
}

/* What may be null for the adjoint to be: an array of the primal's; of anything else, nothing. */
static char *primal_text(const gw_kernel *k, const gw_param *p) {
    const gw_func *f = k->grad;
    if (p->primal_index >= f->params.count) return gw_strdup("\"\"");
    const gw_param *primal = &f->params.at[p->primal_index];
    if (gw_param_is_hidden(primal) || primal->is_adjoint) return gw_strdup("\"\"");
    return gw_format("%s%s", is_array(f, primal) ? "" : "&", name_of(k, p->primal_index));
}

/* Takes the texts. */
static void add_pair(gw_emit_items *items, const char *name, char *beside) {
    gw_push(items, gw_format("%s{\"%s\", %s, %s}", items->count ? "" : "{", name, beside, name));
    free(beside);
}

static bool loads_from(const gw_func *f, gw_object object) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (!o->dead && o->code == GW_OP_LOAD && o->object == object && o->operands) return true;
    }
    return false;
}

/* The adjoint of the request's first output that is an array; NULL: there is none. */
static const char *seed_of(const gw_kernel *k, const gw_request *q) {
    const gw_func *f = k->grad;
    for (uint32_t i = 0; i < f->params.count; i++) {
        const gw_param *p = &f->params.at[i];
        if (is_array(f, p) && p->is_adjoint && p->primal_index < f->params.count &&
            gw_names_have(&q->dependents, f->params.at[p->primal_index].name))
            return name_of(k, i);
    }
    return NULL;
}

static void add_kept(const gw_kernel *k, gw_emit_items *items) {
    const gw_func *f = k->grad;
    const gw_request *q = &f->session->requests.at[f->request];
    for (uint32_t i = 0; i < f->params.count && f->form == GW_FORM_BWD; i++) {
        const gw_param *p = &f->params.at[i];
        if (!is_array(f, p) || p->is_adjoint || !gw_names_have(&q->kept, p->name) || !loads_from(f, p->object))
            continue;
        const char *seed = seed_of(k, q);
        add_pair(items, name_of(k, i), gw_strdup(seed ? seed : "\"\""));
    }
}

void gw_emit_null_check(gw_kernel *k) {
    gw_emitter *e = k->e;
    const gw_func *f = k->grad;
    gw_emit_items items = {0};
    for (uint32_t i = 0; i < f->params.count; i++) {
        const gw_param *p = &f->params.at[i];
        if (p->is_adjoint && is_array(f, p)) add_pair(&items, name_of(k, i), primal_text(k, p));
    }
    add_kept(k, &items);
    if (!items.count) return;
    char *last = gw_format("%s}", items.at[items.count - 1]);
    free(items.at[items.count - 1]);
    items.at[items.count - 1] = last;
    const char *missing = gw_cstr(e->session, gw_emit_unique(e, "missing"));
    char *head = gw_format("const char *%s = gw_missing", missing);
    gw_emit_call_text(e, head, items.at, items.count, ";");
    gw_emit_line(e, "if (%s) return gw_report(GW_ERROR_ARGUMENT, \"%s: '%%s' is null\", %s);", missing,
                 k->launch, missing);
    gw_emit_items_free(&items);
    free(head);
}

void gw_emit_alignment_check(gw_kernel *k) {
    const gw_func *f = k->grad;
    for (uint32_t i = 0, at = 0; i < f->params.count; i++) {
        const gw_param *p = &f->params.at[i];
        if (gw_param_is_hidden(p)) continue;
        const char *name = gw_cstr(k->e->session, k->params.names.at[at++]);
        const uint32_t bytes = gw_emit_alignment_of(f, p);
        if (bytes)
            gw_emit_line(k->e,
                         "if ((size_t)%s %% %u != 0)\n"
                         "        return gw_report(GW_ERROR_ARGUMENT, "
                         "\"%s: '%s' is not aligned to %u bytes\");",
                         name, bytes, k->launch, name, bytes);
    }
}

void gw_emit_assumptions(const gw_kernel *k, const char *launch) {
    if (!k->check || gw_emit_has_any_launch(k)) return;
    char *list = gw_emit_arguments(k, k->grid, k->block, k->checked_params);
    gw_str name = gw_emit_unique(k->e, "needs");
    const char *needs = gw_cstr(k->e->session, name);
    gw_emit_line(k->e, "const char *%s = %s(%s);", needs, k->needs, list);
    gw_emit_line(k->e, "if (%s) return gw_report(GW_ERROR_LAUNCH, \"%s: needs %%s\", %s);", needs, launch,
                 needs);
    free(list);
}
