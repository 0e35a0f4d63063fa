/*
 * disjoint_split.c - the rule of mixed-radix numbers: if S*e + R = 0 with e an integer and |R| < S, then e = 0
 * and R = 0 (contract: meeting_private.h). It is the argument of a digit against everything below it, for any
 * stride S, symbolic ones and sums included, and any quantity e.
 *
 * How an equation is cut into S*e + R is a guess, of which every outcome is sound: S*e + R is always the
 * equation again. A part of R that was divided by S before, a with q = a / S, is reduced to a - S*q, the digit,
 * whose range is known. And what an index is made of may have cancelled: q*w + (a - q*b) with q = a / b is a -
 * q*(b - w), of which w is found again as S.
 */
#include "analysis/prove/meeting_private.h"

static bool varies(const gw_normal *n, gw_atom a) { return !gw_atom_at(n, a)->uniform; }

/* t = (thread-varying factors) * (uniform factors); the coefficient goes with the uniform ones. */
static void part_term(const gw_normal *n, const gw_term *t, gw_term *varying, gw_term *uniform) {
    *varying = (gw_term){.coefficient = 1};
    *uniform = (gw_term){.coefficient = t->coefficient};
    for (uint32_t i = 0; i < t->factors; i++) {
        gw_term *to = varies(n, t->factor[i]) ? varying : uniform;
        to->factor[to->factors++] = t->factor[i];
    }
}

static bool same_factors(const gw_term *a, const gw_term *b) {
    gw_term rest;
    return a->factors == b->factors && gw_term_divide(a, b, &rest);
}

/* The uniform polynomial that `varying` is multiplied with in p. */
static void coefficient_of(const gw_normal *n, const gw_poly *p, const gw_term *varying, gw_poly *out) {
    gw_poly_zero(out);
    for (uint32_t i = 0; i < p->count; i++) {
        gw_term v, u;
        part_term(n, &p->term[i], &v, &u);
        if (same_factors(&v, varying)) gw_poly_add_term(out, &u);
    }
}

static void add_stride(gw_stride_list *list, const gw_poly *p) {
    int64_t value;
    gw_poly s = *p;
    if (s.count && s.term[0].coefficient < 0) gw_poly_scale(&s, -1);
    if (s.broken || (gw_poly_is_constant(&s, &value) && value == 0) || list->count == GW_STRIDES_MOST) return;
    for (uint32_t i = 0; i < list->count; i++)
        if (gw_poly_equal(&list->at[i], &s)) return;
    list->at[list->count++] = s;
}

/* Candidates: what a thread-varying product is multiplied with, as a whole and term by term. */
void gw_poly_strides(const gw_normal *n, const gw_poly *p, gw_stride_list *list) {
    list->count = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        gw_term v, u;
        gw_poly whole;
        part_term(n, &p->term[i], &v, &u);
        coefficient_of(n, p, &v, &whole);
        add_stride(list, &whole);
        gw_poly_zero(&whole);
        gw_poly_add_term(&whole, &u);
        add_stride(list, &whole);
    }
}

/* p = stride*e + r: each thread-varying product goes to e if its coefficient is a multiple of the stride. */
void gw_poly_part(const gw_normal *n, const gw_poly *p, const gw_poly *stride, gw_poly *e, gw_poly *r) {
    gw_poly_zero(e);
    *r = *p;
    for (uint32_t i = 0; i < p->count; i++) {
        gw_term v, u;
        gw_poly whole, q, earlier;
        part_term(n, &p->term[i], &v, &u);
        coefficient_of(n, r, &v, &whole); /* 0 once it went to e */
        if (whole.count == 0) continue;
        if (!gw_poly_divide(&whole, stride, &q)) {
            gw_poly_zero(&whole);
            gw_poly_add_term(&whole, &u);
            if (!gw_poly_divide(&whole, stride, &q)) continue;
        }
        gw_poly_zero(&earlier);
        gw_poly_add(&earlier, 1, &v, &q);
        gw_poly_add(e, 1, NULL, &earlier);
        gw_poly product;
        gw_poly_multiply(&product, &earlier, stride);
        gw_poly_add(r, -1, NULL, &product);
    }
}

/* What r has of a constant stride goes to e too: 4*i - 4*i' + 5 is 4*(i - i' + 1) + 1, and 4*i - 11*q is 4*(i -
 * 3*q) + q, since that rest is how i % 4 * 4 + q % 4 comes out. */
static void divide_constant(const gw_poly *stride, gw_poly *e, gw_poly *r) {
    int64_t by;
    if (!gw_poly_is_constant(stride, &by) || by <= 1 || by > INT32_MAX) return;
    gw_poly rest = *r;
    for (uint32_t i = 0; i < rest.count; i++) {
        gw_term t = rest.term[i];
        int64_t c = t.coefficient, whole = c / by;
        if (c < -INT32_MAX || c > INT32_MAX) continue;
        if (t.factors && c < -by && c % by) whole--;
        t.coefficient = whole;
        gw_poly_add_term(e, &t);
        t.coefficient = -whole * by;
        gw_poly_add_term(r, &t);
    }
}

/* The a of q = a / stride; of q = x / (y*stride) the atom x / y, if there is one. */
static bool dividend(const gw_normal *n, gw_atom q, const gw_poly *stride, gw_poly *a) {
    const gw_atom_data *d = gw_atom_at(n, q);
    const gw_poly *key = &n->keys.at[d->first_key];
    gw_poly y;
    *a = key[0];
    if (gw_poly_equal(&key[1], stride)) return true;
    if (!gw_poly_divide(&key[1], stride, &y)) return false;
    for (uint32_t i = 1; i < n->atoms.count; i++) {
        const gw_atom_data *o = &n->atoms.at[i];
        if (o->kind != GW_ATOM_QUOTIENT || !gw_poly_equal(&n->keys.at[o->first_key], &key[0])) continue;
        if (!gw_poly_equal(&n->keys.at[o->first_key + 1], &y)) continue;
        gw_poly_atom(a, (gw_atom)i);
        return true;
    }
    return false;
}

/* Takes c*a out of *r for c*(a - stride*q), if q = a / stride is known; the rest goes to *e. */
static bool reduce_by(const gw_pair *m, gw_atom q, bool other, const gw_poly *stride, gw_poly *e, gw_poly *r) {
    gw_poly a, number, rest = *r;
    if (!dividend(m->n, q, stride, &a)) return false;
    gw_poly_atom(&number, q);
    if (other) {
        gw_pair_other(m, &a);
        gw_pair_other(m, &number);
    }
    uint32_t at = 0;
    while (at < r->count && a.count &&
           !(r->term[at].coefficient % a.term[0].coefficient == 0 && same_factors(&r->term[at], &a.term[0])))
        at++;
    if (at == r->count || !a.count || a.broken) return false;
    int64_t c = r->term[at].coefficient / a.term[0].coefficient;
    gw_poly_add(&rest, -c, NULL, &a);
    if (rest.broken || rest.count + a.count != r->count) return false; /* not all of a was there */
    gw_poly_add(e, c, NULL, &number);
    gw_poly_multiply(&number, &number, stride);
    gw_poly_add(r, -c, NULL, &number);
    return true;
}

/* The coefficient of all of a in p; 0 if there is none. */
static int64_t multiple_of(const gw_poly *p, const gw_poly *a) {
    if (!a->count || a->broken) return 0;
    for (uint32_t i = 0; i < p->count; i++)
        if (same_factors(&p->term[i], &a->term[0]))
            return p->term[i].coefficient % a->term[0].coefficient
                       ? 0
                       : p->term[i].coefficient / a->term[0].coefficient;
    return 0;
}

/* Takes c*(a - a') out of *r for c*((a - stride*q) - (a' - stride*q')): what both threads have in a, the
 * block's first number in an array of the block, has cancelled, so that neither of the two is there as a whole.
 */
static bool reduce_both(const gw_pair *m, gw_atom q, const gw_poly *stride, gw_poly *e, gw_poly *r) {
    gw_poly apart, other, number, there, rest = *r;
    if (!dividend(m->n, q, stride, &apart)) return false;
    other = apart;
    gw_poly_atom(&number, q);
    there = number;
    gw_pair_other(m, &other);
    gw_pair_other(m, &there);
    const uint32_t whole = apart.count;
    gw_poly_add(&apart, -1, NULL, &other);
    gw_poly_add(&number, -1, NULL, &there);
    if (apart.broken || apart.count == 2 * whole) return false; /* nothing has cancelled */
    const int64_t c = multiple_of(r, &apart);
    if (!c) return false;
    gw_poly_add(&rest, -c, NULL, &apart);
    if (rest.broken || rest.count + apart.count != r->count) return false;
    gw_poly_add(e, c, NULL, &number);
    gw_poly_multiply(&number, &number, stride);
    gw_poly_add(r, -c, NULL, &number);
    return true;
}

static bool reduce(const gw_pair *m, const gw_poly *stride, gw_poly *e, gw_poly *r) {
    bool changed = false;
    for (uint32_t i = 1; i < m->n->atoms.count && !e->broken && !r->broken; i++) {
        const gw_atom_data *d = &m->n->atoms.at[i];
        if (d->kind != GW_ATOM_QUOTIENT) continue;
        changed |= reduce_by(m, (gw_atom)i, false, stride, e, r);
        if (!d->uniform)
            changed |= reduce_by(m, (gw_atom)i, true, stride, e, r) || reduce_both(m, (gw_atom)i, stride, e, r);
    }
    return changed;
}

/* What all threads have in e goes back to r: (i - i' - 1)*n + k + k' + 1 is (i - i')*n + (k + k' + 1 - n),
 * which is below n for two digits k and n - 1 - k'. False if e has no such part. */
static bool return_uniform(const gw_normal *n, const gw_poly *stride, gw_poly *e, gw_poly *r) {
    gw_poly all, product;
    gw_poly_zero(&all);
    for (uint32_t i = 0; i < e->count; i++) {
        gw_term v, u;
        part_term(n, &e->term[i], &v, &u);
        if (!v.factors) gw_poly_add_term(&all, &u);
    }
    gw_poly_multiply(&product, &all, stride);
    gw_poly_add(e, -1, NULL, &all);
    gw_poly_add(r, 1, NULL, &product);
    return all.count != 0;
}

static bool was_parted(const gw_pair *m, const gw_poly *p) {
    for (uint32_t i = 0; i < m->parted.count; i++)
        if (gw_poly_equal(&m->parted.at[i], p)) return true;
    return false;
}

/* What parts a thread's cells, and not its blocks: a size that the kernel is given. */
static bool parts_rows(const gw_normal *n, const gw_poly *stride) {
    int64_t value;
    for (uint32_t i = 0; i < stride->count; i++)
        for (uint32_t k = 0; k < stride->term[i].factors; k++)
            if (gw_atom_at(n, stride->term[i].factor[k])->kind == GW_ATOM_SPECIAL) return false;
    return !gw_poly_is_constant(stride, &value);
}

/* By an assumption, too: 3*(x - x') of x < w is below what is at least 3*w. */
static bool is_row(gw_pair *m, const gw_poly *r, const gw_poly *stride) {
    if (!parts_rows(m->n, stride)) return false;
    for (int sign = -1; sign <= 1; sign += 2) {
        gw_poly room = *stride;
        gw_poly_add(&room, sign, NULL, r);
        gw_poly_add_constant(&room, -1);
        if (!gw_prove_nonnegative(m->n, &m->facts, &room, &m->assumed) &&
            !gw_assume_nonnegative(m->n, &m->facts, &room, GW_ASSUMED_ROW, &m->assumed))
            return false;
    }
    return true;
}

/* The equation is stride*e + r. A rest that was taken apart before says nothing new: a = 0 gives a - S*q = 0 by
 * the quotient q = a / S, and that gives a = 0 again where abs(a) < S. */
static bool part_by(gw_pair *m, uint32_t which, const gw_poly *stride, const gw_poly *e, const gw_poly *r,
                    bool below(gw_pair *m, const gw_poly *r, const gw_poly *limit)) {
    uint64_t before = m->assumed;
    if (e->broken || r->broken || !e->count || gw_poly_equal(e, &m->equations.at[which]) || was_parted(m, r))
        return false;
    if (!below(m, r, stride)) {
        m->assumed = before;
        return false;
    }
    gw_push(&m->parted, m->equations.at[which]);
    m->equations.at[which] = *r;
    gw_pair_equation(m, e);
    return true;
}

static bool part(gw_pair *m, uint32_t which, const gw_poly *stride, const gw_poly *e, const gw_poly *r) {
    return part_by(m, which, stride, e, r, gw_pair_below);
}

/* For q = a / b of both threads, with a uniform b: u*q + c*a is (u + c*b)*q + c*(a - b*q). */
static bool split_by_quotient(gw_pair *m, uint32_t which, gw_atom atom) {
    const gw_poly p = m->equations.at[which];
    const gw_term mine = {.coefficient = 1, .factors = 1, .factor = {atom}};
    const gw_poly key[2] = {m->n->keys.at[gw_atom_at(m->n, atom)->first_key],
                            m->n->keys.at[gw_atom_at(m->n, atom)->first_key + 1]};
    gw_poly q, other, stride, there, r, e, product, whole = key[0], apart = key[0];
    gw_poly_atom(&q, atom);
    gw_poly_atom(&other, atom);
    gw_pair_other(m, &other);
    gw_pair_other(m, &whole);
    gw_poly_add(&apart, -1, NULL, &whole);
    int64_t c = multiple_of(&p, &apart);
    if (!c || gw_poly_equal(&q, &other) || !gw_poly_uniform(m->n, &key[1])) return false;
    coefficient_of(m->n, &p, &mine, &stride);
    coefficient_of(m->n, &p, &other.term[0], &there);
    gw_poly_scale(&there, -1);
    if (!stride.count || !gw_poly_equal(&stride, &there)) return false;
    gw_poly_add(&stride, c, NULL, &key[1]);
    if (!stride.count || stride.broken) return false;
    gw_poly_add(&q, -1, NULL, &other);
    gw_poly_multiply(&product, &stride, &q);
    gw_poly rest = p, digits; /* c*(a - b*q) of both threads stays together */
    gw_poly_multiply(&digits, &key[1], &q);
    gw_poly_scale(&digits, -1);
    gw_poly_add(&digits, 1, NULL, &key[0]);
    gw_poly_add(&digits, -1, NULL, &whole);
    gw_poly_add(&rest, -1, NULL, &product);
    gw_poly_add(&rest, -c, NULL, &digits);
    gw_poly_part(m->n, &rest, &stride, &e, &r);
    gw_poly_add(&r, c, NULL, &digits);
    gw_poly_add(&e, 1, NULL, &q);
    if (stride.term[0].coefficient < 0) {
        gw_poly_scale(&stride, -1);
        gw_poly_scale(&e, -1);
    }
    gw_poly other_e = e, other_r = r;
    return part(m, which, &stride, &e, &r) ||
           (return_uniform(m->n, &stride, &other_e, &other_r) && part(m, which, &stride, &other_e, &other_r));
}

static bool split_by_quotients(gw_pair *m, uint32_t which) {
    for (gw_atom a = 1; a < m->n->atoms.count; a++)
        if (gw_atom_at(m->n, a)->kind == GW_ATOM_QUOTIENT && varies(m->n, a) && split_by_quotient(m, which, a))
            return true;
    return false;
}

bool gw_pair_split(gw_pair *m, uint32_t which) {
    gw_stride_list strides;
    gw_poly_strides(m->n, &m->equations.at[which], &strides);
    for (uint32_t i = 0; i < strides.count; i++) {
        gw_poly e, r;
        gw_poly_part(m->n, &m->equations.at[which], &strides.at[i], &e, &r);
        divide_constant(&strides.at[i], &e, &r);
        if (part(m, which, &strides.at[i], &e, &r)) return true;
        gw_poly other_e = e, other_r = r;
        if (return_uniform(m->n, &strides.at[i], &other_e, &other_r) &&
            part(m, which, &strides.at[i], &other_e, &other_r))
            return true;
        if (reduce(m, &strides.at[i], &e, &r) && part(m, which, &strides.at[i], &e, &r)) return true;
    }
    return split_by_quotients(m, which);
}


static bool has_lane(const gw_poly *p) {
    const gw_atom lane = gw_atom_special(GW_THREAD_IDX, 0);
    for (uint32_t i = 0; i < p->count; i++)
        for (uint32_t k = 0; k < p->term[i].factors; k++)
            if ((p->term[i].factor[k] & ~GW_ATOM_OTHER) == lane) return true;
    return false;
}

/* Neighbouring threads are in one row, where it is to be chosen. Once: nobody knows which of two strides is the
 * longer one. */
bool gw_pair_split_rows(gw_pair *m, uint32_t which) {
    gw_stride_list strides;
    if (!m->n->parts_rows || m->parted_rows) return false;
    gw_poly_strides(m->n, &m->equations.at[which], &strides);
    for (int of_lanes = 0; of_lanes < 2; of_lanes++)
        for (uint32_t i = 0; i < strides.count; i++) {
            gw_poly e, r;
            gw_poly_part(m->n, &m->equations.at[which], &strides.at[i], &e, &r);
            m->parted_rows = has_lane(&e) == of_lanes && part_by(m, which, &strides.at[i], &e, &r, is_row);
            if (m->parted_rows) return true;
        }
    return false;
}
