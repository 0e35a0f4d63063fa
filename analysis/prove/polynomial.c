/*
 * polynomial.c - polynomials with integer coefficients (contract: prove.h).
 *
 * Terms are kept in descending order, more factors first, so that the first term is the leading one of a
 * graded order; division by leading terms is therefore exact division whenever one exists.
 */
#include "analysis/prove/prove.h"

#include <stddef.h>
#include <string.h>

static int compare_terms(const gw_term *a, const gw_term *b) {
    if (a->factors != b->factors) return a->factors > b->factors ? -1 : 1;
    for (uint32_t i = 0; i < a->factors; i++)
        if (a->factor[i] != b->factor[i]) return a->factor[i] < b->factor[i] ? -1 : 1;
    return 0;
}

void gw_poly_zero(gw_poly *p) {
    p->broken = false;
    p->count = 0;
}

void gw_poly_add_term(gw_poly *to, const gw_term *t) {
    if (to->broken || t->coefficient == 0) return;
    uint32_t at = 0;
    int order = 1;
    while (at < to->count && (order = compare_terms(&to->term[at], t)) < 0)
        at++;
    if (at < to->count && order == 0) {
        gw_term *same = &to->term[at];
        if (__builtin_add_overflow(same->coefficient, t->coefficient, &same->coefficient)) to->broken = true;
        if (same->coefficient == 0) memmove(same, same + 1, (--to->count - at) * sizeof *same);
        return;
    }
    if (to->count == GW_POLY_TERMS) {
        to->broken = true;
        return;
    }
    memmove(&to->term[at + 1], &to->term[at], (to->count++ - at) * sizeof *t);
    to->term[at] = *t;
}

void gw_poly_add_constant(gw_poly *to, int64_t value) {
    gw_poly_add_term(to, &(gw_term){.coefficient = value});
}

void gw_poly_constant(gw_poly *p, int64_t value) {
    gw_poly_zero(p);
    gw_poly_add_constant(p, value);
}

void gw_poly_atom(gw_poly *p, gw_atom a) {
    gw_poly_zero(p);
    gw_poly_add_term(p, &(gw_term){.coefficient = 1, .factors = 1, .factor = {a}});
}

/* out = a * b by factors and coefficients; false where that leaves the room. */
static bool multiply_terms(gw_term *out, const gw_term *a, const gw_term *b) {
    gw_term made = {.factors = a->factors + b->factors};
    if (made.factors > GW_POLY_FACTORS) return false;
    if (__builtin_mul_overflow(a->coefficient, b->coefficient, &made.coefficient)) return false;
    for (uint32_t i = 0, k = 0; i + k < made.factors;) {
        bool first = k == b->factors || (i < a->factors && a->factor[i] <= b->factor[k]);
        made.factor[i + k] = first ? a->factor[i] : b->factor[k];
        if (first)
            i++;
        else
            k++;
    }
    *out = made;
    return true;
}

void gw_poly_add(gw_poly *to, int64_t scale, const gw_term *m, const gw_poly *p) {
    gw_term factor = m ? *m : (gw_term){0}, t;
    factor.coefficient = scale;
    if (p->broken) to->broken = true;
    if (scale == 0) return;
    for (uint32_t i = 0; i < p->count && !to->broken; i++) {
        if (!multiply_terms(&t, &factor, &p->term[i]))
            to->broken = true;
        else
            gw_poly_add_term(to, &t);
    }
}

void gw_poly_multiply(gw_poly *out, const gw_poly *a, const gw_poly *b) {
    gw_poly made;
    gw_poly_zero(&made);
    if (a->broken) made.broken = true;
    for (uint32_t i = 0; i < a->count; i++)
        gw_poly_add(&made, a->term[i].coefficient, &a->term[i], b);
    *out = made;
}

void gw_poly_scale(gw_poly *p, int64_t scale) {
    gw_poly made;
    gw_poly_zero(&made);
    gw_poly_add(&made, scale, NULL, p);
    *p = made;
}

bool gw_poly_equal(const gw_poly *a, const gw_poly *b) {
    if (a->broken || b->broken || a->count != b->count) return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (a->term[i].coefficient != b->term[i].coefficient || compare_terms(&a->term[i], &b->term[i]) != 0)
            return false;
    return true;
}

void gw_poly_rename(gw_poly *p, gw_atom (*rename)(const void *context, gw_atom a), const void *context) {
    gw_poly made;
    gw_poly_zero(&made);
    made.broken = p->broken;
    for (uint32_t i = 0; i < p->count && !made.broken; i++) {
        gw_term t = {.coefficient = p->term[i].coefficient};
        for (uint32_t k = 0; k < p->term[i].factors; k++) {
            gw_term one = {.coefficient = 1, .factors = 1, .factor = {rename(context, p->term[i].factor[k])}};
            multiply_terms(&t, &t, &one);
        }
        gw_poly_add_term(&made, &t);
    }
    *p = made;
}

bool gw_poly_is_constant(const gw_poly *p, int64_t *value) {
    if (p->broken || p->count > 1 || (p->count == 1 && p->term[0].factors)) return false;
    *value = p->count ? p->term[0].coefficient : 0;
    return true;
}

bool gw_poly_is_atom(const gw_poly *p, gw_atom *a) {
    if (p->broken || p->count != 1 || p->term[0].factors != 1 || p->term[0].coefficient != 1) return false;
    *a = p->term[0].factor[0];
    return true;
}

bool gw_term_divide(const gw_term *t, const gw_term *by, gw_term *rest) {
    uint32_t k = 0;
    for (uint32_t i = 0; i < t->factors && k < by->factors; i++) {
        if (by->factor[k] < t->factor[i]) return false;
        k += by->factor[k] == t->factor[i];
    }
    if (k < by->factors) return false;
    gw_term made = {.coefficient = 1};
    k = 0;
    for (uint32_t i = 0; i < t->factors; i++) {
        if (k < by->factors && by->factor[k] == t->factor[i])
            k++;
        else
            made.factor[made.factors++] = t->factor[i];
    }
    *rest = made;
    return true;
}

bool gw_poly_divide(const gw_poly *p, const gw_poly *by, gw_poly *quotient) {
    if (p->broken || by->broken || by->count == 0) return false;
    gw_poly rest = *p, made;
    const gw_term *lead = &by->term[0];
    gw_poly_zero(&made);
    for (int step = 0; rest.count && !rest.broken && step < 2 * GW_POLY_TERMS; step++) {
        gw_term q;
        if (!gw_term_divide(&rest.term[0], lead, &q)) return false;
        if (rest.term[0].coefficient == INT64_MIN || rest.term[0].coefficient % lead->coefficient) return false;
        q.coefficient = rest.term[0].coefficient / lead->coefficient;
        gw_poly_add_term(&made, &q);
        gw_poly_add(&rest, -q.coefficient, &q, by);
    }
    if (rest.broken || rest.count || made.broken) return false;
    *quotient = made;
    return true;
}

int64_t gw_poly_content(const gw_poly *p) {
    int64_t g = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        int64_t c = p->term[i].coefficient;
        if (c == INT64_MIN) return 1;
        c = c < 0 ? -c : c;
        while (c) {
            int64_t next = g % c;
            g = c;
            c = next;
        }
    }
    return g;
}

uint32_t gw_poly_hash(const gw_poly *p) {
    uint32_t h = 2166136261u;
    for (uint32_t i = 0; i < p->count; i++) {
        h = (h ^ (uint32_t)p->term[i].coefficient) * 16777619u;
        for (uint32_t k = 0; k < p->term[i].factors; k++)
            h = (h ^ p->term[i].factor[k]) * 16777619u;
    }
    return h;
}
