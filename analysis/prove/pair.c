/*
 * pair.c - what the parts of disjoint.c ask and add about two threads: the second one's form of a polynomial,
 * equations, limits.
 */
#include "analysis/prove/answers_private.h"

enum { EQUATIONS_MOST = 24 };

gw_atom gw_pair_to_other(const void *context, gw_atom a) {
    const gw_normal *n = context;
    return gw_atom_at(n, a)->uniform ? a : (gw_atom)(a | GW_ATOM_OTHER);
}

gw_atom gw_pair_rename_one(const void *context, gw_atom a) {
    const gw_renaming *r = context;
    return a == r->from ? r->to : a;
}

void gw_pair_other(const gw_pair *m, gw_poly *p) {
    gw_poly_rename(p, gw_pair_to_other, m->n);
    for (uint32_t i = 0; i < m->renamed.count; i++)
        gw_poly_rename(p, gw_pair_rename_one, &m->renamed.at[i]);
}

void gw_pair_equation(gw_pair *m, const gw_poly *p) {
    if (p->broken || !p->count || m->equations.count == EQUATIONS_MOST) return;
    gw_poly turned = *p;
    gw_poly_scale(&turned, -1);
    for (uint32_t i = 0; i < m->equations.count; i++)
        if (gw_poly_equal(&m->equations.at[i], p) || gw_poly_equal(&m->equations.at[i], &turned)) return;
    gw_push(&m->equations, *p);
}

static bool is_between(gw_pair *m, const gw_poly *r, const gw_poly *limit) {
    for (int sign = -1; sign <= 1; sign += 2) {
        gw_poly room = *limit;
        gw_poly_add(&room, sign, NULL, r);
        gw_poly_add_constant(&room, -1);
        if (!gw_prove_nonnegative(m->n, &m->facts, &room, &m->assumed)) return false;
    }
    return true;
}

/* 0 <= p < limit */
static bool is_digit(gw_pair *m, const gw_poly *p, const gw_poly *limit) {
    gw_poly room = *limit;
    gw_poly_add(&room, -1, NULL, p);
    gw_poly_add_constant(&room, -1);
    return gw_prove_nonnegative(m->n, &m->facts, p, &m->assumed) &&
           gw_prove_nonnegative(m->n, &m->facts, &room, &m->assumed);
}

/* A constant is of the one to which it adds. */
static bool is_of_other(const gw_term *t) {
    if (!t->factors) return t->coefficient < 0;
    for (uint32_t i = 0; i < t->factors; i++)
        if (t->factor[i] & GW_ATOM_OTHER) return true;
    return false;
}

/* r = p - q, what one thread has less what the other has, each a digit: two searches among fewer terms where
 * one among all takes too many steps. */
static bool are_digits(gw_pair *m, const gw_poly *r, const gw_poly *limit) {
    const uint64_t before = m->assumed;
    gw_poly p, q;
    gw_poly_zero(&p);
    gw_poly_zero(&q);
    for (uint32_t i = 0; i < r->count; i++) {
        gw_term t = r->term[i];
        const bool other = is_of_other(&t);
        if (other) t.coefficient = -t.coefficient;
        gw_poly_add_term(other ? &q : &p, &t);
    }
    const bool good = !r->broken && p.count && q.count && is_digit(m, &p, limit) && is_digit(m, &q, limit);
    if (!good) m->assumed = before;
    return good;
}

bool gw_pair_below(gw_pair *m, const gw_poly *r, const gw_poly *limit) {
    const uint64_t before = m->assumed;
    if (is_between(m, r, limit)) return true;
    m->assumed = before;
    return are_digits(m, r, limit);
}
