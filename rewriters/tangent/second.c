/*
 * tangent/second.c - functions that carry tangents and have a gradient: second derivatives.
 *
 * The pass makes of f and GW_HVP a function that computes with tangents as f_jvp does, but is a primal: the
 * tangents are parameters like others, and it returns the tangent of what f returns. Its gradient, which the
 * pass `adjoint` makes as that of any primal, is f_hvp. Why: the tangent of y is J(x) t. By t its adjoint is
 * the gradient of y, and by x the tangent of that gradient, the Hessian times t; a seed of the tangent of y is
 * a seed of the gradient, and one of y its tangent. So what the reverse knows of memory, threads and tapes
 * holds for second derivatives, and there is one sweep for both.
 *
 * It does so twice of GW_THIRD, the second time of that primal along another direction: its parameters are x,
 * t_x, s_x and s_t_x, and the adjoint of each is what f_hvp gives or how that changes along s. So f_third is
 * the forward derivative of f_hvp.
 *
 * Requires: a function of form JVP that was made with `second`. Guarantees: a primal, and a request about it in
 * the place of that about f, whose names stand for the tangents too (gw_param_asked).
 */
#include "rewriters/tangent/tangent_private.h"

#include <stdlib.h>

/* What its user states of f is true of a function that accesses more of the same kind. Packs are left out:
 * records would have to hold tangents too. */
static void copy_stated(const gw_tangent *t, const gw_func *from, gw_func *to) {
    for (uint32_t i = 0; i < from->promises.count; i++) gw_push(&to->promises, from->promises.at[i]);
    for (uint32_t i = 0; i < from->launch.count; i++) gw_push(&to->launch, from->launch.at[i]);
    for (uint32_t i = 0; i < from->asked.count; i++) {
        gw_asked_rung asked = from->asked.at[i];
        gw_push(&to->asked, asked);
        asked.name = gw_tangent_name(t, asked.name, 0);
        gw_push(&to->asked, asked);
    }
    to->bound = from->bound;
    to->bound_blocks = from->bound_blocks;
}

void gw_tangent_finish_second(gw_tangent *t, uint32_t request) {
    gw_session *s = t->f->session;
    gw_request *q = &s->requests.at[request];
    const gw_func *from = q->func;
    gw_func *f = t->f;
    char *symbol = gw_format("%s'%s", gw_cstr(s, from->symbol), gw_cstr(s, q->name));
    f->form = GW_FORM_PRIMAL;
    f->primal = NULL;
    f->second_of = from->second_of ? from->second_of : from;
    f->request = 0;
    f->name = from->name;
    f->qualified = from->qualified;
    f->symbol = gw_intern(s, symbol);
    free(symbol);
    copy_stated(t, from, f);
    f->is_unspoken = from->is_unspoken || q->launched; /* the text has it, as the source does not */
    f->is_internal = from->is_internal || q->launched;
    q->func = f;
}
