/*
 * asked.c - finds the rung that was asked for at an access of adjoint memory (contract: facts.h). As promises,
 * marks are kept with the primal and memory is found by the name that it has there. The front end lets no two
 * marks speak of one cell.
 */
#include "analysis/facts/facts.h"

#include <string.h>

static bool is_around(const char *a, const char *b) {
    size_t n = strlen(a);
    return strncmp(a, b, n) == 0 && (!b[n] || b[n] == '.');
}

bool gw_asked_overlap(const char *a, const char *b) { return is_around(a, b) || is_around(b, a); }

static bool fits(const char *name, const char *own, const char *path) {
    size_t n = strlen(own);
    return strncmp(name, own, n) == 0 && (!name[n] || name[n] == '.') && gw_path_in_member(path, name + n);
}

bool gw_asked_is_name(const gw_func *f, gw_str name, gw_object o, gw_str path) {
    const gw_session *s = f->session;
    return fits(gw_cstr(s, name), gw_cstr(s, gw_object_at(f, o)->name), gw_cstr(s, path));
}

/* The primal's name of what the object is the adjoint of. */
static gw_str primal_name(const gw_func *f, gw_object o) {
    gw_object shadow_of = gw_object_at(f, o)->shadow_of;
    if (shadow_of) return gw_object_at(f, shadow_of)->name;
    for (uint32_t i = 0; i < f->params.count; i++) {
        const gw_param *p = &f->params.at[i];
        if (p->object == o && p->is_adjoint && p->primal_index < f->primal->params.count)
            return f->primal->params.at[p->primal_index].name;
    }
    return 0;
}

static gw_str request_name(const gw_func *f) {
    const uint32_t request = gw_users_request(f->session, f->request);
    return request < f->session->requests.count ? f->session->requests.at[request].name : 0;
}

bool gw_asked_is_for(const gw_func *f, const gw_asked_rung *a) {
    return !a->request || a->request == request_name(f);
}

const gw_asked_rung *gw_asked_at(const gw_func *f, gw_op op) {
    const gw_session *s = f->session;
    const gw_op_data *o = gw_op_at(f, op);
    const gw_asked_rung *found = NULL;
    if (!f->primal || !f->primal->asked.count) return NULL;
    gw_str own = primal_name(f, o->object);
    for (uint32_t i = 0; own && i < f->primal->asked.count; i++) {
        const gw_asked_rung *a = &f->primal->asked.at[i];
        if (!gw_asked_is_for(f, a) || (found && found->request)) continue;
        if (fits(gw_cstr(s, a->name), gw_cstr(s, own), gw_cstr(s, o->path)) && (a->request || !found))
            found = a;
    }
    return found;
}

uint32_t gw_asked_rung_at(const gw_func *f, gw_op op) {
    const gw_asked_rung *a = gw_asked_at(f, op);
    return a ? a->rung : f->session->options.accumulate;
}

bool gw_asked_anywhere(const gw_func *f, uint32_t rung) {
    for (uint32_t i = 0; f->primal && i < f->primal->asked.count; i++)
        if (f->primal->asked.at[i].rung == rung && gw_asked_is_for(f, &f->primal->asked.at[i])) return true;
    return false;
}
