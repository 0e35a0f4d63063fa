/*
 * host_side.c - polynomials over what a launch is given, in functions of the host and in kernels (contract:
 * host_side_private.h).
 *
 * A condition p >= 0 is printed and computed as "negative part <= positive part". Where the ranges allow it the
 * sums are exact in 64 bits; else they are in double precision, and the left side is enlarged by 2^-40 of the
 * sum of all magnitudes, more than all rounding errors together: what passes is true.
 */
#include "analysis/ownership/host_side_private.h"

enum { MOST_INDICES = 4 }; /* of an atom: normal_form.c */

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

void gw_host_side_within(gw_host_side *h, const gw_normal *n) {
    *h = (gw_host_side){.n = n};
    for (uint32_t i = 0; i < n->f->params.count; i++) {
        const gw_param *p = &n->f->params.at[i];
        if (p->value) gw_map_set(&h->values, p->value, p->value);
        else gw_map_set(&h->objects, p->object, p->object);
    }
}

void gw_host_side_end(gw_host_side *h) {
    gw_map_free(&h->values);
    gw_map_free(&h->objects);
}

static gw_value number(gw_builder *b, int64_t value, gw_type type) {
    return gw_type_is_float(type) ? gw_real(b, type, (double)value) : gw_int(b, type, value);
}

/* A member, of an array that it has by a constant index. */
static gw_value cell(const gw_host_side *h, gw_builder *b, const gw_atom_data *d) {
    gw_value index[MOST_INDICES] = {0};
    int64_t value = 0;
    for (uint32_t i = 0; i < d->keys; i++) {
        gw_poly_is_constant(&h->n->keys.at[d->first_key + i], &value);
        index[i] = gw_int(b, GW_T_I64, value);
    }
    return gw_load(b, gw_map_get(&h->objects, d->detail), d->more, index, d->keys);
}

gw_value gw_host_side_truth(const gw_host_side *h, gw_builder *b, const gw_atom_data *d) {
    const gw_poly *key = &h->n->keys.at[d->first_key];
    return gw_binary(b, (gw_opcode)d->detail, gw_host_side_sum(h, b, &key[0], GW_T_I64, false),
                     gw_host_side_sum(h, b, &key[1], GW_T_I64, false));
}

static gw_value atom(const gw_host_side *h, gw_builder *b, gw_atom a, gw_type type) {
    const gw_atom_data *d = gw_atom_at(h->n, a);
    gw_value v = 0;
    gw_atom whole;
    if (d->kind == GW_ATOM_PURE) return gw_cast(b, type, gw_host_side_truth(h, b, d));
    if (d->kind == GW_ATOM_PART && gw_poly_is_atom(&h->n->keys.at[d->first_key], &whole))
        return gw_binary(b, GW_OP_DIV, atom(h, b, whole, type), number(b, d->more, type));
    if (d->kind == GW_ATOM_CELL) return gw_cast(b, type, cell(h, b, d));
    if (d->kind == GW_ATOM_SPECIAL)
        v = gw_special_value(b, (gw_special)(d->detail / 4), d->detail % 4);
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

/* p = more - less, both with positive coefficients. */
static void sides(const gw_poly *p, gw_poly *less, gw_poly *more) {
    gw_poly_zero(less);
    gw_poly_zero(more);
    for (uint32_t i = 0; i < p->count; i++) {
        gw_term t = p->term[i];
        bool negative = t.coefficient < 0;
        if (negative) t.coefficient = -t.coefficient;
        gw_poly_add_term(negative ? less : more, &t);
    }
}

/* An upper bound of what rounding did to the two sums that p is split into. */
static gw_value rounding(const gw_host_side *h, gw_builder *b, const gw_poly *p) {
    return gw_binary(b, GW_OP_MUL, gw_host_side_sum(h, b, p, GW_T_F64, true), gw_real(b, GW_T_F64, 0x1p-40));
}

gw_value gw_host_side_holds(const gw_host_side *h, gw_builder *b, const gw_poly *p, gw_text *text) {
    gw_poly less, more;
    int64_t value;
    bool exact = gw_assumption_exact(h->n, p);
    gw_type type = exact ? GW_T_I64 : GW_T_F64;
    sides(p, &less, &more);
    bool swap = gw_poly_is_constant(&less, &value); /* "n >= 0" reads better than "0 <= n" */
    gw_value small = gw_host_side_sum(h, b, &less, type, false),
             large = gw_host_side_sum(h, b, &more, type, false);
    if (!exact) small = gw_binary(b, GW_OP_ADD, small, rounding(h, b, p));
    gw_poly_text(h->n, swap ? &more : &less, text);
    gw_text_add(text, swap ? " >= " : " <= ");
    gw_poly_text(h->n, swap ? &less : &more, text);
    return swap ? gw_binary(b, GW_OP_GE, large, small) : gw_binary(b, GW_OP_LE, small, large);
}
