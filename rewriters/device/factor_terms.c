/*
 * factor_terms.c - the algebra of the factor pass: common factors, common sums, common products.
 *
 * Every step keeps the value of each sum in the real numbers. No product is multiplied out, so nothing cancels
 * that did not before. A sum that others are made of never comes to depend on one of those.
 */
#include "rewriters/device/factor_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- atoms, terms ---- */
static uint32_t add_atom(gw_sums *s, gw_atom a) {
    for (uint32_t i = 0; i < s->atoms.count; i++) {
        const gw_atom *b = &s->atoms.at[i];
        if (b->value == a.value && b->sum == a.sum && b->left == a.left && b->right == a.right) return i;
    }
    s->full |= s->atoms.count >= GW_MOST_ATOMS;
    gw_push(&s->atoms, a);
    return s->atoms.count - 1;
}

uint32_t gw_atom_of_value(gw_sums *s, gw_value v) { return add_atom(s, (gw_atom){.value = v}); }
uint32_t gw_atom_of_sum(gw_sums *s, uint32_t sum) { return add_atom(s, (gw_atom){.sum = sum + 1}); }

void gw_term_multiply(gw_sums *s, gw_term *t, uint32_t atom) {
    if (t->count >= GW_MOST_FACTORS) {
        s->full = true;
        return;
    }
    uint32_t i = t->count++;
    for (; i > 0 && t->factor[i - 1] > atom; i--) t->factor[i] = t->factor[i - 1];
    t->factor[i] = atom;
}

static bool take_out(gw_term *t, uint32_t atom) {
    for (uint32_t i = 0; i < t->count; i++) {
        if (t->factor[i] != atom) continue;
        memmove(&t->factor[i], &t->factor[i + 1], (t->count - i - 1) * sizeof t->factor[0]);
        t->count--;
        return true;
    }
    return false;
}

static bool has(const gw_term *t, uint32_t left, uint32_t right) {
    gw_term rest = *t;
    return take_out(&rest, left) && take_out(&rest, right);
}

static bool has_one(const gw_term *t, uint32_t atom) {
    gw_term rest = *t;
    return take_out(&rest, atom);
}

static bool same_factors(const gw_term *t, const gw_term *u) {
    return t->count == u->count && memcmp(t->factor, u->factor, t->count * sizeof t->factor[0]) == 0;
}

/* Like terms become one, unless they cancel: infinities would not. */
void gw_sum_add(gw_sums *s, gw_sum *sum, const gw_term *t) {
    for (uint32_t i = 0; i < sum->count; i++) {
        if (!same_factors(&sum->term[i], t) || sum->term[i].scale + t->scale == 0) continue;
        sum->term[i].scale += t->scale;
        return;
    }
    if (sum->count >= GW_MOST_TERMS) s->full = true;
    else sum->term[sum->count++] = *t;
}

static void remove_term(gw_sum *sum, uint32_t i) {
    memmove(&sum->term[i], &sum->term[i + 1], (sum->count - i - 1) * sizeof sum->term[0]);
    sum->count--;
}

/* ---- what depends on what, while there are no products of atoms ---- */
static bool needs(const gw_sums *s, uint32_t from, uint32_t sum, bool *seen) {
    const gw_sum *x = &s->sums.at[from];
    if (from == sum || seen[from]) return from == sum;
    seen[from] = true;
    for (uint32_t i = 0; i < x->count; i++)
        for (uint32_t k = 0; k < x->term[i].count; k++) {
            uint32_t inner = s->atoms.at[x->term[i].factor[k]].sum;
            if (inner && needs(s, inner - 1, sum, seen)) return true;
        }
    return false;
}

static bool sum_needs(const gw_sums *s, uint32_t from, uint32_t sum) {
    bool seen[GW_MOST_SUMS + 1] = {false};
    return needs(s, from, sum, seen);
}

/* ---- common factors of the terms of a sum ---- */
static uint32_t count_with(const gw_sum *x, uint32_t atom) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < x->count; i++) count += x->term[i].count > 1 && has_one(&x->term[i], atom);
    return count;
}

static bool best_factor(const gw_sums *s, const gw_sum *x, uint32_t *atom) {
    uint32_t most = 1;
    for (uint32_t a = 0; a < s->atoms.count; a++) {
        uint32_t count = count_with(x, a);
        if (count > most) most = count, *atom = a;
    }
    return most > 1;
}

/* All scales are the first one's, but for signs. */
static bool has_one_scale(const gw_sum *x) {
    bool one = true;
    for (uint32_t i = 1; i < x->count; i++) one &= fabs(x->term[i].scale) == fabs(x->term[0].scale);
    return one;
}

static bool same_sum(const gw_sum *x, const gw_sum *y) {
    bool same = x->count == y->count;
    for (uint32_t i = 0; i < x->count && same; i++) {
        bool found = false;
        for (uint32_t k = 0; k < y->count; k++)
            found |= same_factors(&x->term[i], &y->term[k]) && x->term[i].scale == y->term[k].scale;
        same = found;
    }
    return same;
}

static uint32_t sum_like(gw_sums *s, const gw_sum *x) {
    for (uint32_t i = 0; i < s->sums.count; i++)
        if (!s->sums.at[i].output && same_sum(&s->sums.at[i], x)) return i;
    s->full |= s->sums.count >= GW_MOST_SUMS;
    gw_push(&s->sums, *x);
    return s->sums.count - 1;
}

/* Those with the factor, and more than it. */
static void move_terms(gw_sum *x, uint32_t atom, gw_sum *inner) {
    for (uint32_t i = 0; i < x->count;) {
        if (x->term[i].count <= 1 || !has_one(&x->term[i], atom)) {
            i++;
            continue;
        }
        inner->term[inner->count++] = x->term[i];
        remove_term(x, i);
    }
}

/* a*x + b*x + c becomes x*(a + b) + c, with all that the first terms have in common in front of the
 * brackets. */
static void factor_out(gw_sums *s, uint32_t number, uint32_t atom) {
    gw_sum inner = {0};
    move_terms(&s->sums.at[number], atom, &inner);
    gw_term outer = {.scale = 1}, first = inner.term[0];
    for (uint32_t k = 0; k < first.count; k++) {
        uint32_t a = first.factor[k];
        bool common = true;
        for (uint32_t i = 0; i < inner.count; i++)
            common &= inner.term[i].count > 1 && has_one(&inner.term[i], a);
        for (uint32_t i = 0; i < inner.count && common; i++) take_out(&inner.term[i], a);
        if (common) gw_term_multiply(s, &outer, a);
    }
    if (has_one_scale(&inner)) {
        outer.scale = inner.term[0].scale;
        for (uint32_t i = 0; i < inner.count; i++)
            inner.term[i].scale = inner.term[i].scale == outer.scale ? 1 : -1;
    }
    uint32_t sum = sum_like(s, &inner);
    gw_term_multiply(s, &outer, gw_atom_of_sum(s, sum));
    gw_sum_add(s, &s->sums.at[number], &outer);
}

static void factor_all(gw_sums *s) {
    for (uint32_t i = 0; i < s->sums.count && !s->full; i++) {
        uint32_t atom;
        while (!s->full && best_factor(s, &s->sums.at[i], &atom)) factor_out(s, i, atom);
    }
}

/* ---- sums within sums ---- */

/* The sign with which all terms of the part are terms of the whole; 0: they are not. */
static double sign_in(const gw_sum *part, const gw_sum *whole) {
    double sign = 0;
    for (uint32_t i = 0; i < part->count; i++) {
        double here = 0;
        for (uint32_t k = 0; k < whole->count; k++)
            if (same_factors(&part->term[i], &whole->term[k]) &&
                fabs(part->term[i].scale) == fabs(whole->term[k].scale))
                here = part->term[i].scale == whole->term[k].scale ? 1 : -1;
        if (here == 0 || (sign != 0 && here != sign)) return 0;
        sign = here;
    }
    return sign;
}

static void put_in(gw_sums *s, uint32_t part, uint32_t whole, double sign) {
    const gw_sum p = s->sums.at[part];
    gw_sum *w = &s->sums.at[whole];
    for (uint32_t i = 0; i < p.count; i++)
        for (uint32_t k = 0; k < w->count; k++)
            if (same_factors(&p.term[i], &w->term[k])) {
                remove_term(w, k);
                break;
            }
    gw_term t = {.scale = sign};
    gw_term_multiply(s, &t, gw_atom_of_sum(s, part));
    gw_sum_add(s, w, &t);
}

static void share_sums(gw_sums *s) {
    for (uint32_t part = 0; part < s->sums.count; part++)
        for (uint32_t whole = 0; whole < s->sums.count && !s->full; whole++) {
            const gw_sum *p = &s->sums.at[part], *w = &s->sums.at[whole];
            if (p->output || p->count < 2 || w->count <= p->count || sum_needs(s, part, whole)) continue;
            double sign = sign_in(p, w);
            if (sign != 0) put_in(s, part, whole, sign);
        }
}

/* ---- products within products ---- */
static bool any_has(const gw_sums *s, uint32_t left, uint32_t right) {
    bool any = false;
    for (uint32_t i = 0; i < s->sums.count; i++)
        for (uint32_t k = 0; k < s->sums.at[i].count; k++) any |= has(&s->sums.at[i].term[k], left, right);
    return any;
}

/* The pair of factors that most terms have, if several have one. */
static bool best_pair(const gw_sums *s, uint32_t *left, uint32_t *right) {
    uint32_t most = 1, n = s->atoms.count;
    uint16_t *counts = gw_alloc((size_t)n * n * sizeof *counts);
    for (uint32_t i = 0; i < s->sums.count; i++)
        for (uint32_t j = 0; j < s->sums.at[i].count; j++) {
            const gw_term *t = &s->sums.at[i].term[j];
            for (uint32_t a = 0; a + 1 < t->count; a++) {
                if (a && t->factor[a] == t->factor[a - 1]) continue;
                for (uint32_t b = a + 1; b < t->count; b++) {
                    if (b > a + 1 && t->factor[b] == t->factor[b - 1]) continue;
                    uint32_t count = ++counts[(size_t)t->factor[a] * n + t->factor[b]];
                    if (count > most) most = count, *left = t->factor[a], *right = t->factor[b];
                }
            }
        }
    free(counts);
    return most > 1;
}

static void put_product(gw_sums *s, uint32_t left, uint32_t right, uint32_t product) {
    for (uint32_t i = 0; i < s->sums.count; i++)
        for (uint32_t k = 0; k < s->sums.at[i].count; k++) {
            gw_term *t = &s->sums.at[i].term[k];
            if (!has(t, left, right)) continue;
            take_out(t, left);
            take_out(t, right);
            gw_term_multiply(s, t, product);
        }
}

void gw_sums_take_product(gw_sums *s, gw_value left, gw_value right, gw_value product) {
    uint32_t a = GW_MOST_ATOMS + 1, b = a;
    for (uint32_t i = 0; i < s->atoms.count; i++) {
        if (s->atoms.at[i].value == left) a = i;
        if (s->atoms.at[i].value == right) b = i;
    }
    if (a > GW_MOST_ATOMS || b > GW_MOST_ATOMS || !any_has(s, a, b)) return;
    put_product(s, a, b, gw_atom_of_value(s, product));
}

/* Terms that came to be alike. */
static void join_terms(gw_sums *s) {
    for (uint32_t i = 0; i < s->sums.count; i++) {
        gw_sum *x = &s->sums.at[i], was = *x;
        x->count = 0;
        for (uint32_t k = 0; k < was.count; k++) gw_sum_add(s, x, &was.term[k]);
    }
}

void gw_sums_share(gw_sums *s) {
    if (!s->sums.count) return;
    join_terms(s);
    factor_all(s);
    share_sums(s);
    uint32_t left = 0, right = 0;
    while (!s->full && best_pair(s, &left, &right))
        put_product(s, left, right, add_atom(s, (gw_atom){.left = left, .right = right}));
}

uint32_t gw_sums_cost(const gw_sums *s) {
    uint32_t cost = 0;
    for (uint32_t i = 0; i < s->atoms.count; i++) cost += !s->atoms.at[i].value && !s->atoms.at[i].sum;
    for (uint32_t i = 0; i < s->sums.count; i++) {
        const gw_sum *x = &s->sums.at[i];
        cost += x->count - 1;
        for (uint32_t k = 0; k < x->count; k++)
            cost += x->term[k].count + (fabs(x->term[k].scale) != 1) - (x->term[k].count > 0);
    }
    return cost;
}
