/*
 * emit/program/along.c - of each kernel that a program's forward derivative launches, how a launch is told:
 *
 *     void KERNEL_along(run, grid, block, shared_bytes, stream, <its parameters>, <tangents of its numbers>)
 *
 * The kernel's forward derivative runs in its place, which does what the kernel does, with the tangents of the
 * memory that it is given: they lie where adjoints lie in a gradient. A kernel without one runs itself.
 */
#include "rewriters/emit/program/program_private.h"
#include "rewriters/formula/formula.h"

#include <stdlib.h>

/* Variables of the device's are no arguments of a kernel. */
static void write_unused(const gw_told *t) {
    for (uint32_t i = 0; i < t->kernel->params.count; i++)
        if (t->kernel->params.at[i].is_global)
            gw_emit_line(t->e, "(void)%s;", gw_cstr(t->e->session, t->kernel->params.at[i].name));
}

/* What the teller is given of the parameter's numbers; NULL: nothing is asked of them. */
static const char *number_of(const gw_told *t, uint32_t param) {
    uint32_t at = 0;
    if (!gw_launched_asks_numbers(t->kernel, t->grad, param)) return NULL;
    for (uint32_t i = 0; i < param; i++)
        at += gw_launched_asks_numbers(t->kernel, t->grad, i);
    return gw_cstr(t->e->session, t->names.at[at]);
}

static void add_tangents(const gw_told *t, gw_emit_items *items) {
    for (uint32_t i = 0; i < t->grad->params.count; i++) {
        const gw_param *p = &t->grad->params.at[i];
        if (!p->is_adjoint) continue;
        const gw_param *x = &t->kernel->params.at[p->primal_index];
        const char *number = number_of(t, p->primal_index);
        if (gw_launched_is_struct(t->kernel, x)) {
            gw_told_struct made = gw_told_struct_of(t, p->primal_index);
            made.start = number;
            gw_push(items, gw_strdup(gw_teller_shadow(t->e, made)));
        } else if (x->object || x->is_texture) {
            char *type = gw_told_cast_type(t, p);
            gw_push(items, gw_told_shadow(t, x, type));
            free(type);
        } else {
            gw_push(items, gw_strdup(number));
        }
    }
}

void gw_emit_along_teller(gw_emitter *e, const gw_func *kernel, const gw_func *jvp, int64_t request) {
    gw_told t = {.e = e, .grad = jvp, .kernel = kernel, .request = request};
    char *name = gw_told_primal(&t);
    gw_emit_line(e, "%s", "");
    gw_emit_line(e, "// A launch of %s in a program's forward derivative%s.", gw_kernel_shown(kernel),
                 jvp ? ", with tangents" : ": it has none");
    gw_told_open(&t, GW_TOLD_ALONG);
    write_unused(&t);
    gw_told_writes(&t);
    gw_meeting_apart(e, &t.meeting);
    gw_told_apart_textures(&t);
    if (jvp) {
        gw_emit_items items = {0}, tangents = {0};
        add_tangents(&t, &tangents);
        gw_told_failed(&t);
        gw_told_add_shape(&t, &items);
        gw_told_add_own(&t, &items);
        for (uint32_t i = 0; i < tangents.count; i++)
            gw_push(&items, gw_strdup(tangents.at[i]));
        gw_emit_items_free(&tangents);
        gw_told_start(&t, jvp, &items, "a launch of");
    } else {
        gw_told_start_primal(&t, name);
    }
    free(name);
    gw_told_close(&t);
}
