/*
 * disjoint.c - can two different threads reach one cell by two given references (contract: disjoint.h)?
 *
 * Let thread t reach the cell by r and thread t' by s. All that is known is written down: the conditions
 * of r over the quantities of t, those of s over the quantities of t' (their atoms are marked "other"),
 * and one equation for each index position: index of r - index of s = 0. Then three rules:
 *
 *   split       S*e + R = 0 with e an integer and |R| < S gives e = 0 and R = 0. This is the argument of
 *               mixed-radix numbers (a digit against everything below it), for any stride S, symbolic ones
 *               and sums included, and any quantity e.
 *   unify       a - a' = 0 says that t and t' agree on a; a' is replaced by a everywhere.
 *   contradict  an equation whose left side is never 0 cannot hold: t and t' do not meet.
 *
 * If all six coordinates come out equal, t = t'. A coordinate on which nothing follows may still be equal
 * because its dimension is 1; that is assumed where the caller allows it. So "disjoint" is only said where
 * t != t' is contradictory; each rule preserves the set of solutions, or shows that there is none.
 */
#include "disjoint.h"

#include <stdlib.h>

enum { EQUATIONS_MOST = 24, STRIDES_MOST = 32 };

typedef struct meeting {
    const gw_normal *n;
    gw_fact_list facts;
    GW_VEC(gw_poly) equations;
    uint64_t assumed;
    uint32_t same;
    bool never;
    gw_meeting *out;
} meeting;

/* ---- the two threads' quantities ---- */
static gw_atom to_other(const void *context, gw_atom a) {
    const gw_normal *n = context;
    return gw_atom_at(n, a)->uniform ? a : (gw_atom)(a | GW_ATOM_OTHER);
}

typedef struct renaming {
    gw_atom from, to;
} renaming;
static gw_atom rename_one(const void *context, gw_atom a) {
    const renaming *r = context;
    return a == r->from ? r->to : a;
}

static void add_equation(meeting *m, const gw_poly *p) {
    if (!p->broken && p->count && m->equations.count < EQUATIONS_MOST) gw_push(&m->equations, *p);
}

static void add_facts(meeting *m, const gw_fact_list *facts, bool other) {
    for (uint32_t i = 0; i < facts->count; i++) {
        gw_push(&m->facts, facts->at[i]);
        if (other) gw_poly_rename(&m->facts.at[m->facts.count - 1].poly, to_other, m->n);
    }
}

/* What both threads know to be 0, e.g. i for `if (i == 0)`, is equal in both. */
static void add_shared_equalities(meeting *m, const gw_context *r, const gw_context *s) {
    for (uint32_t i = 0; i < r->equal.count; i++)
        for (uint32_t k = 0; k < s->equal.count; k++) {
            if (!gw_poly_equal(&r->equal.at[i].poly, &s->equal.at[k].poly)) continue;
            gw_poly p = r->equal.at[i].poly, other = p;
            gw_poly_rename(&other, to_other, m->n);
            gw_poly_add(&p, -1, NULL, &other);
            m->assumed |= p.count ? r->equal.at[i].assumed | s->equal.at[k].assumed : 0;
            add_equation(m, &p);
        }
}

static void start(meeting *m, const gw_access *r, const gw_access *s) {
    add_facts(m, &r->context->facts, false);
    add_facts(m, &s->context->facts, true);
    for (uint32_t i = 0; i < r->count && i < s->count; i++) {
        gw_poly p = r->index[i].poly, other = s->index[i].poly;
        gw_poly_rename(&other, to_other, m->n);
        gw_poly_add(&p, -1, NULL, &other);
        if (!p.broken) m->assumed |= r->index[i].assumed | s->index[i].assumed;
        add_equation(m, &p);
    }
    add_shared_equalities(m, r->context, s->context);
}

/* ---- unify ---- */
static bool same_pair(const gw_poly *p, renaming *r) {
    if (p->count != 2 || p->term[0].factors != 1 || p->term[1].factors != 1) return false;
    int64_t a = p->term[0].coefficient, b = p->term[1].coefficient;
    gw_atom x = p->term[0].factor[0], y = p->term[1].factor[0];
    *r = x & GW_ATOM_OTHER ? (renaming){x, y} : (renaming){y, x};
    return ((a == 1 && b == -1) || (a == -1 && b == 1)) && (x ^ y) == GW_ATOM_OTHER;
}

static uint32_t coordinate(const gw_normal *n, gw_atom a) {
    const gw_atom_data *d = gw_atom_at(n, a);
    if (d->kind != GW_ATOM_SPECIAL || d->uniform || d->detail % 4 > 2) return 0;
    return 1u << (d->detail % 4 + (d->detail / 4 == GW_BLOCK_IDX ? 3 : 0));
}

static void unify(meeting *m, const renaming *r) {
    m->same |= coordinate(m->n, r->to);
    if (m->out && m->out->agreed_count < GW_AGREED_MOST && !coordinate(m->n, r->to))
        m->out->agreed[m->out->agreed_count++] = r->to;
    for (uint32_t i = 0; i < m->facts.count; i++)
        gw_poly_rename(&m->facts.at[i].poly, rename_one, r);
    for (uint32_t i = 0; i < m->equations.count; i++)
        gw_poly_rename(&m->equations.at[i], rename_one, r);
}

/* ---- contradict ---- */
static bool positive(meeting *m, const gw_poly *p, int64_t scale) {
    gw_poly room = *p;
    gw_poly_scale(&room, scale);
    gw_poly_add_constant(&room, -1);
    return gw_prove_nonnegative(m->n, &m->facts, &room, &m->assumed);
}

static bool never_zero(meeting *m, const gw_poly *p) {
    int64_t value;
    if (gw_poly_is_constant(p, &value)) return value != 0;
    return positive(m, p, 1) || positive(m, p, -1);
}

/* ---- split ---- */
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

typedef struct stride_list {
    uint32_t count;
    gw_poly at[STRIDES_MOST];
} stride_list;

static void add_stride(stride_list *list, const gw_poly *p) {
    int64_t value;
    gw_poly s = *p;
    if (s.count && s.term[0].coefficient < 0) gw_poly_scale(&s, -1);
    if (s.broken || (gw_poly_is_constant(&s, &value) && value == 0) || list->count == STRIDES_MOST) return;
    for (uint32_t i = 0; i < list->count; i++)
        if (gw_poly_equal(&list->at[i], &s)) return;
    list->at[list->count++] = s;
}

/* Candidates: what a thread-varying product is multiplied with, as a whole and term by term. */
static void collect_strides(const gw_normal *n, const gw_poly *p, stride_list *list) {
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
static void divide_by_stride(const gw_normal *n, const gw_poly *p, const gw_poly *stride, gw_poly *e,
                             gw_poly *r) {
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

/* What r has of a constant stride goes to e too: 4*i - 4*i' + 5 is 4*(i - i' + 1) + 1, and 4*i - 11*q is 4*(i - 3*q) + q.
 * Coefficients are divided to the nearest, the constant towards 0. */
static void divide_constant(const gw_poly *stride, gw_poly *e, gw_poly *r) {
    int64_t by;
    if (!gw_poly_is_constant(stride, &by) || by <= 1 || by > INT32_MAX) return;
    gw_poly rest = *r;
    for (uint32_t i = 0; i < rest.count; i++) {
        gw_term t = rest.term[i];
        int64_t c = t.coefficient, whole = c / by, half = by / 2;
        if (c < -INT32_MAX || c > INT32_MAX) continue;
        if (t.factors) whole += c % by > half ? 1 : c % by < -half ? -1 : 0;
        t.coefficient = whole;
        gw_poly_add_term(e, &t);
        t.coefficient = -whole * by;
        gw_poly_add_term(r, &t);
    }
}

/* -stride < r < stride */
static bool below(meeting *m, const gw_poly *r, const gw_poly *stride) {
    for (int sign = -1; sign <= 1; sign += 2) {
        gw_poly room = *stride;
        gw_poly_add(&room, sign, NULL, r);
        gw_poly_add_constant(&room, -1);
        if (!gw_prove_nonnegative(m->n, &m->facts, &room, &m->assumed)) return false;
    }
    return true;
}

static bool split(meeting *m, uint32_t which) {
    stride_list strides;
    collect_strides(m->n, &m->equations.at[which], &strides);
    for (uint32_t i = 0; i < strides.count; i++) {
        gw_poly e, r;
        uint64_t before = m->assumed;
        divide_by_stride(m->n, &m->equations.at[which], &strides.at[i], &e, &r);
        divide_constant(&strides.at[i], &e, &r);
        bool progress = !e.broken && !r.broken && e.count && !gw_poly_equal(&e, &m->equations.at[which]);
        if (progress && below(m, &r, &strides.at[i])) {
            m->equations.at[which] = r;
            add_equation(m, &e);
            return true;
        }
        m->assumed = before;
    }
    return false;
}

/* ---- all rules, until nothing follows any more ---- */
static void drop_equation(meeting *m, uint32_t which) {
    m->equations.at[which] = m->equations.at[--m->equations.count];
}

static bool step(meeting *m, uint32_t which) {
    renaming r;
    if (m->equations.at[which].count == 0 || m->equations.at[which].broken) {
        drop_equation(m, which);
        return true;
    }
    if (same_pair(&m->equations.at[which], &r)) {
        unify(m, &r);
        return true;
    }
    if (never_zero(m, &m->equations.at[which])) {
        m->never = true;
        return true;
    }
    return split(m, which);
}

static void run(meeting *m) {
    bool progress = true;
    while (progress && !m->never) {
        progress = false;
        for (uint32_t i = 0; i < m->equations.count && !progress; i++)
            progress = step(m, i);
    }
}

/* Coordinates 1, 2, 4, 5 (threadIdx.y, .z, blockIdx.y, .z) have bits 0 to 3 of the assumptions. */
uint64_t gw_assumed_lengths(uint32_t coordinates) {
    return (uint64_t)((coordinates >> 1 & 3u) | (coordinates >> 4 & 3u) << 2);
}

void gw_threads_meet(const gw_normal *n, const gw_access *r, const gw_access *s, uint32_t one_long,
                     gw_meeting *out) {
    meeting m = {.n = n, .out = out};
    *out = (gw_meeting){0};
    start(&m, r, s);
    for (unsigned axis = 0; axis < 3 && r->one_block; axis++) {
        gw_atom a = 1 + GW_SPECIAL_ATTR(GW_BLOCK_IDX, axis);
        unify(&m, &(renaming){(gw_atom)(a | GW_ATOM_OTHER), a});
        m.same |= 8u << axis;
    }
    run(&m);
    uint32_t missing = GW_COORDINATES_ALL & ~m.same;
    out->assumed = m.assumed;
    out->same = m.same;
    out->unresolved = m.equations.count;
    out->disjoint = m.never;
    if (!m.never && (missing & ~one_long) == 0) {
        out->disjoint = true;
        out->assumed |= gw_assumed_lengths(missing);
    }
    gw_vec_free(&m.facts);
    gw_vec_free(&m.equations);
}

/* ---- one thread ---- */

/* p = atom*e + r */
static void divide_by_atom(const gw_poly *p, gw_atom atom, gw_poly *e, gw_poly *r) {
    gw_term by = {.coefficient = 1, .factors = 1, .factor = {atom}}, rest;
    gw_poly_zero(e);
    gw_poly_zero(r);
    for (uint32_t i = 0; i < p->count; i++) {
        bool divides = gw_term_divide(&p->term[i], &by, &rest);
        gw_poly_add_term(divides ? e : r, divides ? &rest : &p->term[i]);
    }
}

/* Never 0: directly, or since p = a*e + r with |r| < a would ask for e = 0 and r = 0. Takes factors off, so it ends. */
static bool is_never_zero(meeting *m, const gw_poly *p) {
    if (p->broken || !p->count) return false;
    if (never_zero(m, p)) return true;
    for (uint32_t i = 0; i < p->count; i++)
        for (uint32_t k = 0; k < p->term[i].factors; k++) {
            gw_poly e, r, a;
            uint64_t before = m->assumed;
            gw_term atom = {.coefficient = 1, .factors = 1, .factor = {p->term[i].factor[k]}};
            divide_by_atom(p, atom.factor[0], &e, &r);
            gw_poly_zero(&a);
            gw_poly_add_term(&a, &atom);
            if (!e.broken && !r.broken && below(m, &r, &a)) return is_never_zero(m, &e) || is_never_zero(m, &r);
            m->assumed = before;
        }
    return false;
}

bool gw_cells_differ(const gw_normal *n, const gw_access *r, const gw_access *s, uint64_t *assumed) {
    bool differ = false;
    for (uint32_t i = 0; i < r->count && i < s->count && !differ; i++) {
        meeting m = {.n = n, .assumed = r->index[i].assumed | s->index[i].assumed};
        gw_poly p = r->index[i].poly;
        add_facts(&m, &r->context->facts, false);
        gw_poly_add(&p, -1, NULL, &s->index[i].poly);
        differ = is_never_zero(&m, &p);
        if (differ) *assumed |= m.assumed;
        gw_vec_free(&m.facts);
    }
    return differ;
}
