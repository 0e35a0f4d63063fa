/*
 * axes.c - the pass: a gradient coarsened along each axis whose threadIdx the kernel asks for, of which the
 * launch takes the first whose length can be divided (emit/kernel/axes.c).
 *
 * The first of them is the derivative itself. Another is one more derivative, with a launch check, a tape and a
 * workspace of its own: what instances have in common depends on the axis. It has a request of its own, which
 * says in whose place it stands, so that the passes behind see one more gradient of the kernel. An axis along
 * which it cannot be done is left out, and the launch is checked for the others.
 */
#include "analysis/ownership/ownership.h"
#include "rewriters/device/coarsen_private.h"
#include "rewriters/formula/formula.h"
#include "analysis/ir/passes.h"

#include <stdlib.h>

/* "f_grad_along_x", the request's name for f_grad; of halves "f_along_x", to which forms add theirs. */
static gw_str name_along(const gw_func *f, unsigned axis) {
    gw_session *s = f->session;
    const gw_request *q = &s->requests.at[f->request];
    const char *base = gw_cstr(s, q->name ? q->name : f->primal->name),
               *form = q->name || gw_is_split(f) ? "" : "_grad";
    char *text = gw_format("%s%s_along_%c", base, form, "xyz"[axis]);
    gw_str name = gw_intern(s, text);
    free(text);
    return name;
}

static uint32_t request_along(const gw_func *f, unsigned axis) {
    return gw_request_beside(f->session, f->request, name_along(f, axis));
}

/* A function of the session that is as `as`, which is freed, but for the request and what is called by it. */
static gw_func *add(gw_func *as, uint32_t request) {
    gw_func *f = gw_signature_func(as->primal, request, as->form), names = *f;
    *f = *as;
    f->name = names.name;
    f->symbol = names.symbol;
    f->qualified = names.qualified;
    f->request = request;
    *as = names;
    gw_func_free(as);
    return f;
}

/* False where it can be along none. */
static bool coarsen_all(gw_func *f) {
    const uint32_t n = gw_coarsening(f);
    unsigned axes[3], done[3], count = gw_coarsening_axes(f, axes), made = 0;
    gw_func *along[3];
    for (unsigned i = 0; i < count; i++) {
        along[made] = gw_func_copy(f);
        if (gw_coarsen_along(along[made], n, axes[i], false))
            done[made++] = axes[i];
        else
            gw_func_free(along[made]);
    }
    if (!made) return gw_coarsen_along(f, n, count ? axes[0] : GW_NO_AXIS, true);
    gw_func before = *f;
    *f = *along[0];
    *along[0] = before;
    gw_func_free(along[0]);
    gw_func *check = gw_companion(f, GW_FORM_CHECK);
    for (unsigned i = 1; i < made; i++) {
        const uint32_t request = request_along(f, done[i]);
        add(along[i], request);
        gw_launch_check_axes(add(gw_func_copy(check), request), n, &done[i], 1);
    }
    if (made > 1 || done[0] != axes[0]) gw_launch_check_axes(check, n, done, made);
    return true;
}

bool gw_pass_coarsen(gw_run *run) {
    gw_session *s = run->session;
    bool good = true;
    for (uint32_t i = 0, count = s->funcs.count; i < count; i++) {
        gw_func *f = s->funcs.at[i];
        if (f->form == GW_FORM_GRAD && gw_coarsening(f)) good &= coarsen_all(f);
    }
    return good;
}
