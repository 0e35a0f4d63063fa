/*
 * disjoint.c - can two different threads reach one cell by two given references (contract: prove.h)?
 *
 * Let thread t reach the cell by r and thread t' by s. All that is known is written down: the conditions
 * of r over the quantities of t, those of s over the quantities of t' (their atoms are marked "other"),
 * and one equation for each index position: index of r - index of s = 0. Then four rules:
 *
 *   split       S*e + R = 0 with e an integer and |R| < S gives e = 0 and R = 0. This is the argument of
 *               mixed-radix numbers (disjoint_split.c).
 *   unify       a - a' = 0 says that t and t' agree on a; a' is replaced by a everywhere.
 *   agree       what follows from a = a' for a function a of other quantities (disjoint_atoms.c).
 *   contradict  an equation whose left side is never 0 cannot hold: t and t' do not meet.
 *
 * If all six coordinates come out equal, t = t'. A coordinate on which nothing follows may still be equal
 * because its dimension is 1; that is assumed where the caller allows it. So "disjoint" is only said where
 * t != t' is contradictory; each rule preserves the set of solutions, or shows that there is none.
 */
#include "analysis/prove/answers_private.h"
#include "analysis/prove/prove.h"

#include "analysis/ir/query.h"

enum { RULES_MOST = 200, RULE_STEPS = 10 };

/* ---- the two threads' quantities ---- */
static void add_facts(gw_pair *m, const gw_fact_list *facts, bool other) {
    for (uint32_t i = 0; i < facts->count; i++) {
        gw_push(&m->facts, facts->at[i]);
        if (other) gw_poly_rename(&m->facts.at[m->facts.count - 1].poly, gw_pair_to_other, m->n);
    }
}

/* What both threads know to be 0, e.g. i for `if (i == 0)`, is equal in both. */
static void add_shared_equalities(gw_pair *m, const gw_context *r, const gw_context *s) {
    for (uint32_t i = 0; i < r->equal.count; i++)
        for (uint32_t k = 0; k < s->equal.count; k++) {
            if (!gw_poly_equal(&r->equal.at[i].poly, &s->equal.at[k].poly)) continue;
            gw_poly p = r->equal.at[i].poly, other = p;
            gw_poly_rename(&other, gw_pair_to_other, m->n);
            gw_poly_add(&p, -1, NULL, &other);
            m->assumed |= p.count ? r->equal.at[i].assumed | s->equal.at[k].assumed : 0;
            gw_pair_equation(m, &p);
        }
}

static void add_equations(gw_pair *m, const gw_access *r, const gw_access *s) {
    for (uint32_t i = 0; i < r->count && i < s->count; i++) {
        gw_poly p = r->index[i].poly, other = s->index[i].poly;
        gw_poly_rename(&other, gw_pair_to_other, m->n);
        gw_poly_add(&p, -1, NULL, &other);
        if (!p.broken) m->assumed |= r->index[i].assumed | s->index[i].assumed;
        gw_pair_equation(m, &p);
    }
    add_shared_equalities(m, r->context, s->context);
    gw_pair_ranges(m, r, s);
}

/* ---- unify ---- */
static bool same_pair(const gw_poly *p, gw_renaming *r) {
    if (p->count != 2 || p->term[0].factors != 1 || p->term[1].factors != 1) return false;
    int64_t a = p->term[0].coefficient, b = p->term[1].coefficient;
    gw_atom x = p->term[0].factor[0], y = p->term[1].factor[0];
    *r = x & GW_ATOM_OTHER ? (gw_renaming){x, y} : (gw_renaming){y, x};
    return ((a == 1 && b == -1) || (a == -1 && b == 1)) && (x ^ y) == GW_ATOM_OTHER;
}

static uint32_t coordinate(const gw_normal *n, gw_atom a) {
    const gw_atom_data *d = gw_atom_at(n, a);
    if (d->kind != GW_ATOM_SPECIAL || d->uniform || d->detail % 4 > 2) return 0;
    return 1u << (d->detail % 4 + (d->detail / 4 == GW_BLOCK_IDX ? 3 : 0));
}

static void unify(gw_pair *m, const gw_renaming *r) {
    m->same |= coordinate(m->n, r->to);
    if (m->out && m->out->agreed_count < GW_AGREED_MOST && !coordinate(m->n, r->to))
        m->out->agreed[m->out->agreed_count++] = r->to;
    for (uint32_t i = 0; i < m->facts.count; i++)
        gw_poly_rename(&m->facts.at[i].poly, gw_pair_rename_one, r);
    for (uint32_t i = 0; i < m->equations.count; i++)
        gw_poly_rename(&m->equations.at[i], gw_pair_rename_one, r);
    gw_push(&m->renamed, *r);
    gw_pair_agree(m, r->to);
}

/* ---- contradict ---- */
static bool positive(gw_pair *m, const gw_poly *p, int64_t scale) {
    gw_poly room = *p;
    gw_poly_scale(&room, scale);
    gw_poly_add_constant(&room, -1);
    return gw_prove_nonnegative(m->n, &m->facts, &room, &m->assumed);
}

static bool never_zero(gw_pair *m, const gw_poly *p) {
    int64_t value;
    if (gw_poly_is_constant(p, &value)) return value != 0;
    return positive(m, p, 1) || positive(m, p, -1);
}

/* ---- all rules, until nothing follows any more ---- */
static void drop_equation(gw_pair *m, uint32_t which) {
    m->equations.at[which] = m->equations.at[--m->equations.count];
}

static bool step(gw_pair *m, uint32_t which) {
    gw_renaming r;
    if (m->equations.at[which].count == 0 || m->equations.at[which].broken) {
        drop_equation(m, which);
        return true;
    }
    if (same_pair(&m->equations.at[which], &r)) {
        unify(m, &r);
        return true;
    }
    if (gw_pair_unwrap(m, which)) return true;
    if (never_zero(m, &m->equations.at[which])) {
        m->never = true;
        return true;
    }
    return gw_pair_split(m, which);
}

/* A split may write an equation in a longer way, so the count of rules sees to it that this ends. A rule looks
 * at all atoms and equations, so it counts as several steps of a proof. */
static void run(gw_pair *m) {
    bool progress = true;
    for (uint32_t rules = 0; progress && !m->never && rules < RULES_MOST &&
                             gw_effort_take(m->n->effort, GW_EFFORT_PROOFS, RULE_STEPS);
         rules++) {
        progress = false;
        for (uint32_t i = 0; i < m->equations.count && !progress; i++)
            progress = step(m, i);
        gw_atom a;
        if (!progress && !m->never && m->equations.count && gw_pair_congruent(m, &a)) {
            unify(m, &(gw_renaming){(gw_atom)(a | GW_ATOM_OTHER), a});
            progress = true;
        }
        for (uint32_t i = 0; i < m->equations.count && !progress && !m->never; i++)
            progress = gw_pair_split_rows(m, i);
    }
}

/* Coordinates 1, 2, 4, 5 (threadIdx.y, .z, blockIdx.y, .z) have bits 0 to 3 of the assumptions. */
uint64_t gw_assumed_lengths(uint32_t coordinates) {
    return (uint64_t)((coordinates >> 1 & 3u) | (coordinates >> 4 & 3u) << 2);
}

static void free_pair(gw_pair *m) {
    gw_vec_free(&m->facts);
    gw_vec_free(&m->equations);
    gw_vec_free(&m->parted);
    gw_vec_free(&m->renamed);
}

/* The question's answer by the rules. */
static void work_out(gw_normal *n, const gw_question *q, gw_meeting *out) {
    gw_pair m = {.n = n, .out = out, .same = gw_normal_alone(n)};
    *out = (gw_meeting){0};
    add_facts(&m, &q->r->facts, false);
    add_facts(&m, &q->s->facts, true);
    for (uint32_t i = 0; i < q->count; i++) gw_push(&m.equations, q->equations[i]);
    for (unsigned axis = 0; axis < 3 && q->one_block; axis++) {
        gw_atom a = 1 + GW_SPECIAL_ATTR(GW_BLOCK_IDX, axis);
        unify(&m, &(gw_renaming){(gw_atom)(a | GW_ATOM_OTHER), a});
        m.same |= 8u << axis;
    }
    for (uint32_t i = 0; i < q->alike_count; i++)
        unify(&m, &(gw_renaming){(gw_atom)(q->alike[i] | GW_ATOM_OTHER), q->alike[i]});
    run(&m);
    uint32_t missing = GW_COORDINATES_ALL & ~m.same;
    out->assumed = m.assumed;
    out->same = m.same;
    out->unresolved = m.equations.count;
    out->disjoint = m.never;
    if (!m.never && (missing & ~q->one_long) == 0) {
        out->disjoint = true;
        out->assumed |= gw_assumed_lengths(missing);
    }
    out->cut = !out->disjoint && gw_effort_is_spent(n->effort, GW_EFFORT_PROOFS);
    free_pair(&m);
}

static void answer(gw_normal *n, const gw_question *q, gw_meeting *out) {
    if (gw_answers_find(n, q, out)) return;
    work_out(n, q, out);
    if (!out->cut) gw_answers_add(n, q, out);
}

/* The same of what the region around both knows, without assumptions about parameters: an answer for all pairs
 * in it. */
static bool answer_in_common(gw_normal *n, gw_question q, gw_meeting *out) {
    bool unassuming = n->unassuming;
    gw_region common = gw_region_around(n->f, q.r->region, q.s->region);
    if (common == q.r->region && common == q.s->region) return false;
    q.r = q.s = gw_normal_context(n, common);
    q.common = n->unassuming = true;
    answer(n, &q, out);
    n->unassuming = unassuming;
    return out->disjoint;
}

void gw_threads_meet(gw_normal *n, const gw_access *r, const gw_access *s, uint32_t one_long,
                     gw_meeting *out) {
    gw_pair m = {.n = n};
    add_equations(&m, r, s);
    gw_question q = {.r = r->context,
                     .s = s->context,
                     .one_block = r->one_block,
                     .alike = r->alike,
                     .alike_count = r->alike_count,
                     .one_long = one_long,
                     .equations = m.equations.at,
                     .count = m.equations.count};
    if (!answer_in_common(n, q, out)) answer(n, &q, out);
    out->assumed |= m.assumed;
    free_pair(&m);
}

/* The quantity less what the other thread has is 0: by renaming, or by an equation that is left. */
static bool agrees(const gw_pair *m, const gw_poly *p) {
    gw_poly apart = *p, other = *p;
    if (p->broken) return false;
    gw_pair_other(m, &other);
    gw_poly_add(&apart, -1, NULL, &other);
    if (apart.broken) return false;
    for (int side = 0; side < 2; side++, gw_poly_scale(&apart, -1))
        for (uint32_t i = 0; i < m->equations.count; i++)
            if (gw_poly_equal(&apart, &m->equations.at[i])) return true;
    return !apart.count;
}

bool gw_meeting_agrees(gw_normal *n, const gw_access *r, const gw_access *s, const gw_number *list,
                       uint32_t count, gw_meeting *out) {
    gw_pair m = {.n = n, .out = out, .same = gw_normal_alone(n)};
    bool all = true;
    *out = (gw_meeting){0};
    add_facts(&m, &r->context->facts, false);
    add_facts(&m, &s->context->facts, true);
    add_equations(&m, r, s);
    run(&m);
    out->assumed = m.assumed;
    out->same = m.same;
    out->unresolved = m.equations.count;
    out->disjoint = m.never;
    for (uint32_t i = 0; i < count && all && !m.never; i++) {
        all = agrees(&m, &list[i].poly);
        out->assumed |= list[i].assumed;
    }
    free_pair(&m);
    return all;
}

/* ---- one thread ---- */

/* p = atom*e + r */
static void divide_by_atom(const gw_poly *p, gw_atom atom, gw_poly *e, gw_poly *r) {
    gw_term by = {.coefficient = 1, .factors = 1, .factor = {atom}}, rest;
    gw_poly_zero(e);
    gw_poly_zero(r);
    for (uint32_t i = 0; i < p->count; i++) {
        bool divides = gw_term_divide(&p->term[i], &by, &rest);
        rest.coefficient = p->term[i].coefficient;
        gw_poly_add_term(divides ? e : r, divides ? &rest : &p->term[i]);
    }
}

/* Never 0: directly, or since p = a*e + r with |r| < a would ask for e = 0 and r = 0. Takes factors off, so it
 * ends. */
static bool is_never_zero(gw_pair *m, const gw_poly *p) {
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
            if (!e.broken && !r.broken && gw_pair_below(m, &r, &a))
                return is_never_zero(m, &e) || is_never_zero(m, &r);
            m->assumed = before;
        }
    return false;
}

bool gw_cells_differ(gw_normal *n, const gw_access *r, const gw_access *s, uint64_t *assumed) {
    bool differ = false;
    for (uint32_t i = 0; i < r->count && i < s->count && !differ; i++) {
        gw_pair m = {.n = n, .assumed = r->index[i].assumed | s->index[i].assumed};
        gw_poly p = r->index[i].poly;
        add_facts(&m, &r->context->facts, false);
        gw_poly_add(&p, -1, NULL, &s->index[i].poly);
        differ = is_never_zero(&m, &p);
        if (differ) *assumed |= m.assumed;
        gw_vec_free(&m.facts);
    }
    return differ;
}
