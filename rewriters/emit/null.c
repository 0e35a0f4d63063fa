/*
 * emit/null.c - a launch function looks at the adjoints that it is given: one that is null where the primal's
 * array is not would stop the kernel at the first access, and say nothing. Arrays without elements may be null
 * on both sides.
 */
#include "rewriters/emit/kernel_private.h"

#include <stdlib.h>

/* The names are those of the text: hidden parameters have none. */
static const char *name_of(const gw_kernel *k, uint32_t param) {
    uint32_t at = 0;
    for (uint32_t i = 0; i < param; i++)
        at += !gw_param_is_hidden(&k->grad->params.at[i]);
    return gw_cstr(k->e->session, k->params.names.at[at]);
}

/* What may be null for the adjoint to be: an array of the primal's; of anything else, nothing. */
static char *primal_text(const gw_kernel *k, const gw_param *p) {
    const gw_func *f = k->grad;
    if (p->primal_index >= f->params.count) return gw_strdup("\"\"");
    const gw_param *primal = &f->params.at[p->primal_index];
    if (gw_param_is_hidden(primal) || primal->is_adjoint) return gw_strdup("\"\"");
    bool pointer = primal->object && gw_object_at(f, primal->object)->kind == GW_OBJECT_POINTER;
    return gw_format("%s%s", pointer ? "" : "&", name_of(k, p->primal_index));
}

void gw_emit_null_check(gw_kernel *k) {
    gw_emitter *e = k->e;
    const gw_func *f = k->grad;
    GW_VEC(char *) items = {0};
    for (uint32_t i = 0; i < f->params.count; i++) {
        const gw_param *p = &f->params.at[i];
        if (!p->is_adjoint || !p->object || gw_param_is_hidden(p) ||
            gw_object_at(f, p->object)->kind != GW_OBJECT_POINTER)
            continue;
        const char *name = name_of(k, i);
        char *primal = primal_text(k, p);
        gw_push(&items, gw_format("%s{\"%s\", %s, %s}", items.count ? "" : "{", name, primal, name));
        free(primal);
    }
    if (!items.count) return;
    char *last = gw_format("%s}", items.at[items.count - 1]);
    free(items.at[items.count - 1]);
    items.at[items.count - 1] = last;
    const char *missing = gw_cstr(e->session, gw_emit_unique(e, "missing"));
    char *head = gw_format("const char *%s = gw_missing", missing);
    gw_emit_call_text(e, head, items.at, items.count, ";");
    gw_emit_line(e, "if (%s) return gw_report(GW_ERROR_ARGUMENT, \"%s: '%%s' is null\", %s);", missing,
                 k->launch, missing);
    for (uint32_t i = 0; i < items.count; i++)
        free(items.at[i]);
    gw_vec_free(&items);
    free(head);
}
