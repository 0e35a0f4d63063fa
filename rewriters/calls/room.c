/*
 * calls/room.c - as much of the device's memory as a program's gradient takes at most, as an expression in the
 * program's parameters (contract: calls.h).
 *
 * It is what --explain says (bytes.c), summed in double, so that nothing wraps around. What only a run knows is
 * left out: who gives too little room gets the rest allocated.
 */
#include "rewriters/calls/bytes_private.h"

#include <stdlib.h>

static bool add(const gw_func *grad, const gw_amounts *a, const gw_poly *p, gw_text *out);

/* "(double)n"; false: it says something that is no parameter. */
static bool add_unknown(const gw_func *grad, const gw_amounts *a, uint32_t unknown, gw_text *out) {
    const gw_unknown *u = &a->unknowns.at[unknown];
    if (u->bottom.count) {
        gw_text_add(out, "((");
        if (!add(grad, a, &u->top, out)) return false;
        gw_text_add(out, ") / (");
        if (!add(grad, a, &u->bottom, out)) return false;
        gw_text_add(out, "))");
        return true;
    }
    if (!u->param || u->region) return false;
    const gw_str own = grad->primal->params.at[u->param - 1].name, name = grad->params.at[u->param - 1].name;
    const char *text = gw_cstr(grad->session, name), *path = u->path ? gw_cstr(grad->session, u->path) : "";
    if (u->is_bytes) gw_text_addf(out, "(double)gw_allocated_from(%s)", text);
    else gw_text_addf(out, "(double)%s%s", text, path);
    return own == name;
}

static bool add_term(const gw_func *grad, const gw_amounts *a, const gw_term *t, gw_text *out) {
    bool known = true;
    gw_text_addf(out, "%lld.0", (long long)t->coefficient);
    for (uint32_t i = 0; i < t->factors && known; i++) {
        gw_text_add(out, " * ");
        known = add_unknown(grad, a, t->factor[i], out);
    }
    return known;
}

static bool add(const gw_func *grad, const gw_amounts *a, const gw_poly *p, gw_text *out) {
    bool known = !p->broken && p->count;
    for (uint32_t i = 0; i < p->count && known; i++) {
        if (i) gw_text_add(out, " + ");
        known = add_term(grad, a, &p->term[i], out);
    }
    return known;
}

void gw_calls_room(const gw_func *grad, gw_lines *out) {
    gw_program_bytes bytes;
    gw_program_bytes_make(grad, &bytes);
    gw_poly all;
    gw_program_bytes_peak(&bytes, &all);
    for (uint32_t i = 0; bytes.calls && !all.broken && i < all.count; i++) {
        gw_text term = {0};
        if (add_term(grad, &bytes.amounts, &all.term[i], &term)) gw_push(out, gw_strdup(term.at));
        gw_text_free(&term);
    }
    gw_program_bytes_free(&bytes);
}
