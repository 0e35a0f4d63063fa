/*
 * driver/rest.c - the requests that a pass has refused, as far as its errors tell: those whose function, or one
 * that it calls or launches, has an operation at the place of an error.
 *
 * A pass stops the run for all requests; the others are looked at in another reading, without these.
 */
#include "analysis/ir/diagnostics.h"
#include "plugin/driver/driver.h"
#include "plugin/request/request.h"

#include <stdlib.h>

static bool is_error_at(const gw_session *s, gw_loc at) {
    bool found = false;
    for (uint32_t i = 0; i < s->diagnostics.count && !found && at.line; i++) {
        const gw_diagnostic *d = &s->diagnostics.at[i];
        found = d->severity == GW_SEVERITY_ERROR && d->loc.line == at.line && d->loc.column == at.column &&
                d->loc.file == at.file;
    }
    return found;
}

static uint32_t number_of(const gw_session *s, const gw_func *f) {
    uint32_t i = 0;
    while (i < s->funcs.count && s->funcs.at[i] != f) i++;
    return i;
}

/* Each function is looked at once. */
static bool has_error(const gw_func *f, bool *seen) {
    const gw_session *s = f->session;
    const uint32_t number = number_of(s, f);
    if (number == s->funcs.count || seen[number]) return false;
    seen[number] = true;
    bool found = is_error_at(s, f->loc);
    for (gw_op op = 1; op < f->ops.count && !found; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        const gw_func *other = o->callee && !o->dead ? gw_func_find(s, o->callee) : NULL;
        found = is_error_at(s, o->loc) || (other && has_error(other, seen));
    }
    return found;
}

void gw_rest_refuse(gw_session *s) {
    bool *seen = gw_alloc((s->funcs.count + 1) * sizeof *seen);
    for (uint32_t i = 0; i < s->requests.count; i++) {
        const gw_request *r = &s->requests.at[i];
        if (!r->func || r->implied || r->is_made) continue;
        for (uint32_t k = 0; k < s->funcs.count; k++) seen[k] = false;
        if (!is_error_at(s, r->loc) && !has_error(r->func, seen)) continue;
        gw_push(&s->refused, gw_request_key(s, r->part_of ? &s->requests.at[r->part_of - 1] : r));
    }
    free(seen);
}
