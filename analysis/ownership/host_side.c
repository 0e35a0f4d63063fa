/*
 * host_side.c - polynomials over what a launch is given, in functions of the host (contract:
 * host_side_private.h).
 */
#include "analysis/ownership/host_side_private.h"

static void copy_params(gw_host_side *h, gw_func *to) {
    const gw_func *f = h->n->f, *primal = f->primal;
    for (uint32_t i = 0; i < primal->params.count; i++) {
        gw_param p = primal->params.at[i];
        if (p.value) {
            p.value = gw_region_arg(to, to->entry, gw_typeof(primal, p.value), p.name);
            gw_map_set(&h->values, f->params.at[i].value, p.value);
        } else {
            gw_object_data o = *gw_object_at(primal, p.object);
            gw_push(&to->objects, o);
            p.object = to->objects.count - 1;
            gw_map_set(&h->objects, f->params.at[i].object, p.object);
        }
        gw_push(&to->params, p);
    }
}

gw_func *gw_host_side_new(gw_host_side *h, const gw_normal *n, gw_form form) {
    const gw_func *f = n->f;
    gw_session *s = f->session;
    gw_func *made = gw_func_new(s, gw_cstr(s, gw_derived_name(f->primal, f->request, form)), GW_FUNC_HOST);
    *h = (gw_host_side){.n = n};
    made->form = form;
    made->primal = f->primal;
    made->request = f->request;
    made->loc = f->loc;
    copy_params(h, made);
    return made;
}

void gw_host_side_end(gw_host_side *h) {
    gw_map_free(&h->values);
    gw_map_free(&h->objects);
}

static gw_value number(gw_builder *b, int64_t value, gw_type type) {
    return gw_type_is_float(type) ? gw_real(b, type, (double)value) : gw_int(b, type, value);
}

static gw_value atom(const gw_host_side *h, gw_builder *b, gw_atom a, gw_type type) {
    const gw_atom_data *d = gw_atom_at(h->n, a);
    gw_value v = 0;
    gw_atom whole;
    if (d->kind == GW_ATOM_PART && gw_poly_is_atom(&h->n->keys.at[d->first_key], &whole))
        return gw_binary(b, GW_OP_DIV, atom(h, b, whole, type), number(b, d->more, type));
    if (d->kind == GW_ATOM_SPECIAL)
        v = gw_special_value(b, (gw_special)(d->detail / 4), d->detail % 4);
    else if (d->kind == GW_ATOM_CELL)
        v = gw_load(b, gw_map_get(&h->objects, d->detail), d->more, NULL, 0);
    else
        v = gw_map_get(&h->values, d->value);
    return gw_cast(b, type, v);
}

gw_value gw_host_side_sum(const gw_host_side *h, gw_builder *b, const gw_poly *p, gw_type type,
                          bool magnitudes) {
    gw_value total = number(b, 0, type);
    for (uint32_t i = 0; i < p->count; i++) {
        gw_value product = number(b, p->term[i].coefficient, type);
        for (uint32_t k = 0; k < p->term[i].factors; k++)
            product = gw_binary(b, GW_OP_MUL, product, atom(h, b, p->term[i].factor[k], type));
        if (magnitudes) product = gw_unary(b, GW_OP_FABS, product);
        total = gw_binary(b, GW_OP_ADD, total, product);
    }
    return total;
}
