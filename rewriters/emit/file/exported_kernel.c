/*
 * emit/file/exported_kernel.c - a kernel's gradient as a program that loads the text calls it: rows of the
 * table of exports (emit/file/exports.c) for its launch function and for what says how large its workspace is.
 */
#include "rewriters/emit/file/file_private.h"
#include "rewriters/emit/kernel/kernel.h"
#include "rewriters/formula/formula.h"

#include <stdlib.h>

typedef struct exported_kernel {
    gw_kernel *k;
    gw_emit_table *table;
    gw_emit_export row;
} exported_kernel;

static void begin_export(exported_kernel *x, const char *form, char *name, const char *result,
                         const char *code) {
    char *function = gw_emit_at(x->k->grad->primal, x->k->grad->primal->name);
    x->row = (gw_emit_export){.f = x->k->grad,
                              .form = form,
                              .result = result,
                              .code = code,
                              .function = gw_emit_outside(x->k->grad, function),
                              .name = gw_emit_outside(x->k->grad, name),
                              .call = gw_emit_outside(x->k->grad, name)};
    free(function);
}

static void end_export(exported_kernel *x) {
    char *function = (char *)x->row.function;
    gw_emit_export_row(x->table, &x->row);
    free(function);
}

static void add_export(exported_kernel *x, const char *role, const char *name, const char *type) {
    gw_push(&x->row.parts, ((gw_emit_part){role, gw_intern(x->k->e->session, name), type, NULL}));
}

static void add_exported_params(exported_kernel *x, bool adjoints) {
    const gw_kernel *k = x->k;
    for (uint32_t i = 0, at = 0; i < k->grad->params.count; i++) {
        const gw_param *p = &k->grad->params.at[i];
        if (gw_param_is_hidden(p)) continue;
        const gw_str name = k->params.names.at[at++];
        if (!p->is_adjoint || adjoints)
            gw_push(&x->row.parts, ((gw_emit_part){gw_emit_export_role(k->grad, p), name,
                                                   gw_cstr(k->e->session, p->type_text), p}));
    }
    if (k->records && adjoints) add_export(x, "size", k->records, "size_t");
    for (uint32_t i = 0; i < k->told.count; i++)
        add_export(x, "size", gw_cstr(k->e->session, k->told.at[i].name), "size_t");
}

static void export_launch(exported_kernel *x, const char *form, char *name, bool space) {
    const gw_kernel *k = x->k;
    begin_export(x, form, name, "gw_status", "status");
    add_export(x, "grid", k->grid, "dim3");
    add_export(x, "block", k->block, "dim3");
    add_export(x, "shared_bytes", k->shared_bytes, "size_t");
    add_export(x, "stream", k->stream, "cudaStream_t");
    add_exported_params(x, true);
    if (space && gw_takes_space(k)) {
        add_export(x, gw_is_half(k->grad) ? "tape" : "workspace", k->space, "void *");
        add_export(x, gw_is_half(k->grad) ? "tape_bytes" : "workspace_bytes", k->space_bytes, "size_t");
    }
    if (space && k->own_space != k->space) {
        add_export(x, "workspace", k->own_space, "void *");
        add_export(x, "workspace_bytes", k->own_space_bytes, "size_t");
    }
    end_export(x);
}

static void export_bytes(exported_kernel *x, char *name) {
    begin_export(x, "bytes", name, "size_t", "u8");
    add_export(x, "grid", x->k->grid, "dim3");
    add_export(x, "block", x->k->block, "dim3");
    add_exported_params(x, false);
    end_export(x);
}

static const char *launched_form(const gw_func *grad) {
    if (grad->form == GW_FORM_FWD) return "first half";
    if (grad->form == GW_FORM_BWD) return "second half";
    return gw_emit_export_form(grad);
}

/* A tape that is measured is exported with the launch that measures for itself. */
void gw_emit_export_kernel(gw_emit_table *t, const gw_func *grad, const gw_func *bound) {
    gw_kernel k = {.e = t->e, .grad = grad, .bound = bound};
    gw_kernel_open(&k);
    exported_kernel x = {.k = &k, .table = t};
    const bool second = grad->form == GW_FORM_BWD, measured = k.measure && !second;
    if (measured && !gw_is_half(grad)) {
        char *alloc = gw_emit_at(grad, gw_derived_part_name(grad, GW_DERIVED_ALLOC));
        char *second_form = gw_format("allocating %s", gw_emit_export_form(grad));
        export_launch(&x, grad->primal->second_of ? second_form : "allocating", alloc, false);
        free(alloc);
        free(second_form);
    }
    export_launch(&x, launched_form(grad), k.launch, true);
    if (gw_takes_space(&k) && !measured && !second) export_bytes(&x, k.bytes);
    if (second && k.behind_tape) export_bytes(&x, k.own_bytes);
    gw_kernel_close(&k);
}
