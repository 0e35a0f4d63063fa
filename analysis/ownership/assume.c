/*
 * ownership/assume.c - assumptions about the launch that come from outside of a derivative's own proofs
 * (contract: ownership.h).
 *
 * Assumptions are polynomials over launch dimensions, parameters and members of parameters. A kernel that
 * gathers was copied from the derivative and has the same ones under the same handles, so its assumptions are
 * said again in the terms of the derivative, whose launch check is that of both.
 */
#include "analysis/ownership/ownership.h"

/* The first reason is the one that is said. */
static void use(gw_ownership *w, gw_object o, uint32_t bit, bool of_groups) {
    if (!w->assumed_for[bit] && of_groups) w->assumed_of_groups |= (uint64_t)1 << bit;
    if (!w->assumed_for[bit]) w->assumed_for[bit] = o;
    w->assumed |= (uint64_t)1 << bit;
}

bool gw_ownership_assume(gw_ownership *w, gw_object o, const gw_poly *p, bool of_groups) {
    uint32_t i = 0;
    while (i < w->n->assumptions.count && !gw_poly_equal(&w->n->assumptions.at[i], p)) i++;
    if (i == GW_ASSUME_MOST || p->broken) return false;
    if (i == w->n->assumptions.count) gw_push(&w->n->assumptions, *p);
    use(w, o, GW_ASSUME_LENGTHS + i, of_groups);
    return true;
}

/* The atom of the same quantity, of a launch, a parameter or a member of one. */
static gw_atom same_atom(const void *context, gw_atom a) {
    const gw_ownership *const *two = context;
    const gw_normal *other = two[1]->n;
    const gw_atom_data *d = gw_atom_at(other, a);
    gw_number number;
    if (d->kind == GW_ATOM_SPECIAL) return a;
    if (d->kind == GW_ATOM_VALUE) /* made with the range that the first look knows */
        gw_normal_exact(two[0]->n, gw_normal_context(two[0]->n, two[0]->f->entry), d->value, &number);
    const bool indexed = d->kind == GW_ATOM_CELL && d->keys; /* by constants */
    return gw_atom_make(two[0]->n, d, indexed ? &other->keys.at[d->first_key] : NULL, indexed ? d->keys : 0);
}

void gw_ownership_in_terms_of(gw_ownership *w, const gw_ownership *other, gw_poly *p) {
    const gw_ownership *two[] = {w, other};
    gw_poly_rename(p, same_atom, two);
}

bool gw_ownership_assume_too(gw_ownership *w, const gw_ownership *other) {
    bool good = true;
    for (uint32_t bit = 0; bit < GW_ASSUME_LENGTHS; bit++)
        if (other->assumed >> bit & 1) use(w, other->assumed_for[bit], bit, false);
    for (uint32_t i = 0; i < other->n->assumptions.count && good; i++) {
        gw_poly p = other->n->assumptions.at[i];
        const uint32_t bit = GW_ASSUME_LENGTHS + i;
        if (!(other->assumed >> bit & 1)) continue;
        gw_ownership_in_terms_of(w, other, &p);
        good = gw_ownership_assume(w, other->assumed_for[bit], &p, other->assumed_of_groups >> bit & 1);
    }
    return good;
}
