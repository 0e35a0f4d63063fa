/*
 * probe.c - functions of the host that tell bounds of a kernel: with the primal's parameters (contract:
 * host_bounds.h).
 */
#include "analysis/host_bounds/host_bounds.h"

#include <string.h>

gw_func *gw_bound_func(const gw_func *f, gw_value_map *param) {
    gw_session *s = f->session;
    gw_str name = gw_derived_name(f->primal, f->request, GW_FORM_BOUND);
    gw_func *b = gw_func_new(s, gw_cstr(s, name), GW_FUNC_HOST);
    b->form = GW_FORM_BOUND;
    b->primal = f->primal;
    b->request = f->request;
    b->loc = f->loc;
    for (uint32_t i = 0; i < f->primal->params.count; i++) {
        gw_param p = f->params.at[i];
        if (p.value) {
            gw_value v = gw_region_arg(b, b->entry, gw_typeof(f, p.value), p.name);
            gw_map_set(param, p.value, v);
            p.value = v;
        }
        if (p.object) {
            gw_push(&b->objects, *gw_object_at(f, p.object));
            p.object = b->objects.count - 1;
        }
        gw_push(&b->params, p);
    }
    return b;
}

void gw_bound_drop(gw_func *b) {
    gw_session *s = b->session;
    for (uint32_t i = 0; i < s->funcs.count; i++)
        if (s->funcs.at[i] == b) {
            memmove(&s->funcs.at[i], &s->funcs.at[i + 1], (s->funcs.count - i - 1) * sizeof *s->funcs.at);
            s->funcs.count--;
            break;
        }
    gw_func_free(b);
}

void gw_probe_open(gw_probe *p, gw_func *f) {
    gw_value_map param = {0};
    p->host = gw_bound_func(f, &param);
    p->to = (gw_builder){.f = p->host, .region = p->host->entry, .loc = f->loc};
    p->bounds = (gw_bounds){.from = f, .to = &p->to, .param = param};
}

void gw_probe_close(gw_probe *p) {
    gw_bounds_free(&p->bounds);
    gw_bound_drop(p->host);
}
