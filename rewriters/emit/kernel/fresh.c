/*
 * emit/kernel/fresh.c - adjoints that are new: what a launch stores to of its own, and what it clears before
 * the kernel, all of an adjoint whose cells the kernel may not all store to (gradwright/emitted/device.cuh).
 */
#include "analysis/facts/facts.h"
#include "rewriters/emit/kernel/kernel_private.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool gw_emit_has_fresh(const gw_func *f) {
    return f->form != GW_FORM_FWD && gw_next_fresh(f, &(gw_fresh){0});
}

/* Nothing is known of it; else the numbers that it returns. */
static uint32_t known(const gw_kernel *k, const gw_func **stored) {
    *stored = gw_companion(k->grad, GW_FORM_STORED);
    bool any = false;
    const uint32_t count = *stored ? gw_op_at(*stored, gw_region_end(*stored, (*stored)->entry))->operands : 0;
    for (uint32_t i = 0; i < count; i++) {
        int64_t number;
        const gw_op end = gw_region_end(*stored, (*stored)->entry);
        any |= !gw_const_int(*stored, gw_operand(*stored, end, i), &number) || number;
    }
    return any ? count : 0;
}

static const char *name_of(const gw_kernel *k) {
    const gw_func *f = k->grad;
    return gw_cstr(f->session, gw_derived_name(f->primal, f->request, GW_FORM_STORED));
}

void gw_emit_stored(gw_kernel *k) {
    gw_emitter *e = k->e;
    const gw_func *stored;
    const uint32_t count = gw_emit_has_fresh(k->grad) ? known(k, &stored) : 0;
    if (!count) return;
    gw_emit_line(e, "// How many cells of each new adjoint a launch of %s stores to at least.", k->name);
    char *returns = gw_format("%sgw_stored_counts<%u>", gw_emit_linkage(stored, false), count);
    gw_emit_kernel_head(k, returns, name_of(k), " {", true, NULL, false);
    free(returns);
    e->ret = GW_EMIT_STORED;
    gw_emit_body_beside(k, stored);
}

/* A parameter of the text, or an adjoint, as the launch has it; NULL: there is none of the name. */
static const char *param_text(const gw_kernel *k, gw_str name) {
    const gw_func *primal = k->grad->primal;
    for (uint32_t i = 0, at = 0; i < k->grad->params.count; i++) {
        const gw_param *p = &k->grad->params.at[i];
        if (gw_param_is_hidden(p)) continue;
        const bool is_primals = primal && !p->is_adjoint && i < primal->params.count;
        const gw_str own = is_primals ? primal->params.at[i].name : p->name;
        if (own == name) return gw_cstr(k->e->session, k->params.names.at[at]);
        at++;
    }
    return NULL;
}

/* How many characters of ".size.x" or ".dims[1]" are there. */
static size_t member_length(const char *p) {
    size_t n = 0;
    while (p[n] == '.' || p[n] == '[' || p[n] == ']' || p[n] == '_' || isalnum((unsigned char)p[n])) n++;
    return *p == '.' || *p == '[' ? n : 0;
}

/* "n * k" in 64 bits; the caller frees it. */
static char *cells_text(const gw_kernel *k, gw_str extent) {
    gw_text text = {0};
    const char *p = extent ? gw_cstr(k->grad->session, extent) : "1";
    const bool is_one = p[strspn(p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")] == 0;
    while (*p) {
        size_t n = 0;
        while (isalnum((unsigned char)p[n]) || p[n] == '_')
            n++;
        const char *param = n ? param_text(k, gw_intern_n(k->e->session, p, n)) : NULL;
        const size_t more = param ? member_length(p + n) : 0;
        if (param)
            gw_text_addf(&text, "%s%s%.*s", is_one ? "" : "(long long)", param, (int)more, p + n);
        else
            gw_text_addf(&text, "%.*s", n ? (int)n : 1, p);
        p += n ? n + more : 1;
    }
    return text.at;
}

void gw_emit_fresh(gw_kernel *k) {
    gw_emitter *e = k->e;
    const gw_func *f = k->grad, *stored;
    if (!gw_emit_has_fresh(f)) return;
    const uint32_t count = known(k, &stored);
    const char *cells = count ? gw_cstr(e->session, gw_emit_unique(e, "stored")) : NULL;
    if (cells) {
        char *list = gw_emit_arguments(k, k->grid, k->block, NULL);
        gw_emit_line(e, "const gw_stored_counts<%u> %s = %s(%s);", count, cells, name_of(k), list);
        free(list);
    }
    gw_emit_declare_status(k);
    uint32_t number = 0;
    for (gw_fresh a = {0}; gw_next_fresh(f, &a);) {
        char *all = cells_text(k, a.extent),
             *known_cells = *a.member ? NULL : gw_emit_copied_cells(k, a.param->object);
        if (!known_cells)
            known_cells = cells ? gw_format("%s.gw_cells[%u]", cells, number) : gw_strdup("0");
        gw_emit_line(e, "%s = gw_fresh(\"%s\", %s%s, %s, %s, %s);", k->status, k->launch,
                     param_text(k, a.param->name), a.member, all, known_cells, k->stream);
        gw_emit_leave_unless_good(k);
        free(all), free(known_cells);
        number++;
    }
}
