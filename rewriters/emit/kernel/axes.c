/*
 * axes.c - a gradient that is there several times: coarsened along several axes, or for any launch beside one
 * that goes by facts (contract: kernel_private.h; device/axes.c, facts/launch.c).
 *
 * f_grad_launch is that of the first axis, and that which goes by facts. It begins with the choice: where the
 * length along the first one cannot be divided and that along another can, or where it needs what the launch
 * does not have, it returns what the launch function of the other one returns, called with the same arguments.
 */
#include "rewriters/emit/kernel/kernel_private.h"

#include <stdlib.h>

const gw_func *gw_emit_next_other(const gw_func *f, uint32_t *at) {
    const gw_session *s = f->session;
    for (; *at < s->funcs.count; ++*at) {
        const gw_func *g = s->funcs.at[*at];
        if (g == f || g->form != f->form || g->primal != f->primal || !gw_is_along_other(g)) continue;
        if (!f->coarse && !gw_is_for_any_launch(g)) continue; /* the first half is one for all axes */
        if (gw_users_request(s, g->request) == f->request) return s->funcs.at[(*at)++];
    }
    return NULL;
}

bool gw_emit_has_any_launch(const gw_kernel *k) {
    uint32_t at = 0;
    bool any = false;
    for (const gw_func *f; (f = gw_emit_next_other(k->grad, &at)) != NULL;) any |= gw_is_for_any_launch(f);
    return any;
}

static void choose(const gw_kernel *k, const gw_func *other, gw_derived_part part,
                   const gw_emit_params *arguments) {
    const char axes[] = "xyz";
    const uint32_t n = k->grad->coarse;
    GW_VEC(char *) items = {0};
    if (gw_is_for_any_launch(other)) {
        char *checked = gw_emit_arguments(k, k->grid, k->block, k->checked_params);
        gw_emit_line(k->e, "if (%s(%s))", k->needs, checked);
        free(checked);
    } else {
        gw_emit_line(k->e, "if (%s.%c %% %u != 0 && %s.%c %% %u == 0)", k->block, axes[k->grad->coarse_axis], n,
                     k->block, axes[other->coarse_axis], n);
    }
    const gw_str part_name = gw_derived_part_name(other, part);
    /* a private function belongs to one instance of a template, and is none itself */
    char *name = gw_derived_is_private(part)
                     ? gw_emit_called_text(other, gw_cstr(k->e->session, part_name))
                     : gw_emit_called(other, part_name),
         *head = gw_format("    return %s", name);
    for (uint32_t i = 0; i < arguments->names.count; i++)
        gw_push(&items, gw_strdup(gw_cstr(k->e->session, arguments->names.at[i])));
    gw_emit_call_text(k->e, head, items.at, items.count, ";");
    for (uint32_t i = 0; i < items.count; i++)
        free(items.at[i]);
    gw_vec_free(&items);
    free(head);
    free(name);
}

static void choose_of_all(const gw_kernel *k, gw_derived_part part, gw_emit_params *arguments) {
    uint32_t at = 0;
    for (const gw_func *f; (f = gw_emit_next_other(k->grad, &at)) != NULL;)
        choose(k, f, part, arguments);
    gw_emit_params_free(arguments);
}

void gw_emit_choose_launch(const gw_kernel *k) {
    gw_emit_params arguments = {0};
    gw_emit_launch_params(k, &arguments);
    choose_of_all(k, GW_DERIVED_LAUNCH, &arguments);
}

void gw_emit_choose_measure(const gw_kernel *k, const gw_emit_params *launch) {
    gw_emit_params arguments = {0};
    for (uint32_t i = 0; i < launch->names.count; i++)
        gw_emit_params_add(&arguments, k->e->session, "", gw_cstr(k->e->session, launch->names.at[i]));
    choose_of_all(k, GW_DERIVED_MEASURE_LAUNCH, &arguments);
}

void gw_emit_choose_bytes(const gw_kernel *k, gw_derived_part part) {
    gw_session *s = k->e->session;
    gw_emit_params arguments = {0};
    gw_emit_params_add(&arguments, s, "dim3", k->grid);
    gw_emit_params_add(&arguments, s, "dim3", k->block);
    for (uint32_t i = 0; i < k->grad->params.count; i++) {
        const gw_param *p = &k->grad->params.at[i];
        if (!p->is_adjoint && !gw_param_is_hidden(p))
            gw_emit_params_add(&arguments, s, "", gw_cstr(s, gw_emit_param_name(k, i)));
    }
    gw_emit_told_params(k, &arguments);
    choose_of_all(k, part, &arguments);
}
