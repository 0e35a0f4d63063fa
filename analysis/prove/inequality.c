/*
 * inequality.c - proofs that a polynomial is nowhere negative, from facts of the same kind.
 *
 * Rule: with a fact F >= 0, a product m >= 0 of atoms, and positive integers k, l,
 *     k*p - l*m*F >= 0  implies  p >= 0.
 * The search picks a term of p that may be negative and a fact with a term of the same sign that divides it,
 * so that k, l, m make the two cancel, and goes on with the rest; it ends where the ranges of the atoms show
 * that the rest is not negative. Short proofs are looked for first. It is sound because each step is the rule
 * above, read backwards, or the replacement of a term by the lower end of its range. It is not complete; depth
 * and steps are bounded, those of a proof and those of all proofs about a function (prove.h), so a failure
 * means "not proved".
 *
 * The same search, stopped where only quantities are left that the host knows, gives the assumption under
 * which p >= 0 holds.
 */
#include "analysis/prove/prove.h"
#include "analysis/ir/query.h"

#include <stdlib.h>

enum { DEPTH = 8, SIGN_DEPTH = 3, STEPS = 100, COEFFICIENT_MOST = 4096 };

/* A term of a fact, by what it can cancel: of a term with its sign and all of its factors. */
typedef struct candidate {
    uint64_t atoms; /* a bit for each factor, by number modulo 64: most that do not divide are seen here */
    uint32_t fact;
    uint16_t term, factors;
    bool negative, sign; /* sign: the fact has no other term */
} candidate;

/* What was not proved in a depth. A question is known by its hash alone: two of one hash could only cost a
 * proof. */
typedef struct failure {
    uint32_t hash;
    int depth;
    bool to_host;
} failure;
enum { FAILURES = 64, ANY_DEPTH = DEPTH + 2 };

typedef struct search {
    const gw_normal *n;
    const gw_fact_list *facts;
    bool to_host; /* stop at a residual of host quantities instead of at one that is not negative */
    gw_poly *residual;
    int steps;
    bool shallow; /* some branch ended for want of depth */
    bool indexed;
    GW_VEC(candidate) candidates; /* facts found last (the innermost conditions) first */
    failure failed[FAILURES];
} search;

/* ---- ranges: INT64_MIN as a lower end and INT64_MAX as an upper one mean "none" ---- */
static int64_t saturate(int64_t x, int64_t y) {
    int64_t r;
    if (x == 0 || y == 0) return 0;
    bool unbounded = x == INT64_MIN || x == INT64_MAX || y == INT64_MIN || y == INT64_MAX;
    if (unbounded || __builtin_mul_overflow(x, y, &r)) return (x < 0) == (y < 0) ? INT64_MAX : INT64_MIN;
    return r;
}

static void multiply_range(int64_t *low, int64_t *high, int64_t a, int64_t b) {
    if (*low >= 0 && a >= 0) { /* most are */
        if (__builtin_mul_overflow(*low, a, low) || *low == INT64_MAX) *low = INT64_MAX - 1;
        *high = *high == 0 || b == 0 ? 0 : saturate(*high, b);
        return;
    }
    int64_t end[4] = {saturate(*low, a), saturate(*low, b), saturate(*high, a), saturate(*high, b)};
    *low = INT64_MAX - 1; /* a saturated lower end is still a lower bound, but not "none" */
    *high = INT64_MIN + 1;
    for (int i = 0; i < 4; i++) {
        if (end[i] < *low) *low = end[i];
        if (end[i] > *high) *high = end[i];
    }
}

static void term_range(const gw_normal *n, const gw_term *t, int64_t *low, int64_t *high) {
    *low = *high = 1;
    for (uint32_t i = 0; i < t->factors; i++) {
        const gw_atom_data *a = gw_atom_at(n, t->factor[i]);
        multiply_range(low, high, a->low, a->high);
    }
    if (t->coefficient != 1) multiply_range(low, high, t->coefficient, t->coefficient);
}

void gw_poly_range(const gw_normal *n, const gw_poly *p, int64_t *low, int64_t *high) {
    *low = *high = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        int64_t a, b;
        term_range(n, &p->term[i], &a, &b);
        if (*low == INT64_MIN || a == INT64_MIN || __builtin_add_overflow(*low, a, low)) *low = INT64_MIN;
        if (*high == INT64_MAX || b == INT64_MAX || __builtin_add_overflow(*high, b, high)) *high = INT64_MAX;
    }
    if (p->broken) *low = INT64_MIN, *high = INT64_MAX;
}

/* ---- the search ---- */
static bool solve(search *s, const gw_poly *p, int depth, uint64_t *assumed);

static bool host_term(const gw_normal *n, const gw_term *t) {
    for (uint32_t i = 0; i < t->factors; i++)
        if (!gw_atom_at(n, t->factor[i])->host) return false;
    return true;
}

static bool factors_nonnegative(search *s, const gw_term *m, uint64_t *assumed) {
    for (uint32_t i = 0; i < m->factors; i++) {
        if (gw_atom_at(s->n, m->factor[i])->low >= 0) continue;
        gw_poly p;
        gw_poly_atom(&p, m->factor[i]);
        bool to_host = s->to_host;
        s->to_host = false;
        bool found = solve(s, &p, SIGN_DEPTH, assumed);
        s->to_host = to_host;
        if (!found) return false;
    }
    return true;
}

static uint64_t atoms_of(const gw_term *t) {
    uint64_t atoms = 0;
    for (uint32_t i = 0; i < t->factors; i++)
        atoms |= (uint64_t)1 << ((t->factor[i] ^ t->factor[i] >> 10) % 64);
    return atoms;
}

static void index_facts(search *s) {
    s->indexed = true;
    for (uint32_t i = s->facts->count; i-- > 0;) {
        const gw_poly *p = &s->facts->at[i].poly;
        for (uint32_t k = 0; k < p->count; k++) {
            const gw_term *f = &p->term[k];
            if (f->factors)
                gw_push(&s->candidates, ((candidate){atoms_of(f), i, (uint16_t)k, (uint16_t)f->factors,
                                                     f->coefficient < 0, p->count == 1}));
        }
    }
}

/* Cancels term t of p against the candidate, and solves the rest. */
static bool cancel(search *s, const gw_poly *p, const gw_term *t, const candidate *with, int depth,
                   uint64_t *assumed) {
    gw_term m;
    const gw_fact *fact = &s->facts->at[with->fact];
    const gw_term *f = &fact->poly.term[with->term];
    uint64_t mine = *assumed | fact->assumed;
    if (!gw_term_divide(t, f, &m)) return false;
    if (f->coefficient == INT64_MIN || t->coefficient == INT64_MIN || !factors_nonnegative(s, &m, &mine))
        return false;
    int64_t a = t->coefficient < 0 ? -t->coefficient : t->coefficient;
    int64_t b = f->coefficient < 0 ? -f->coefficient : f->coefficient, g = gw_common_divisor(a, b);
    gw_poly rest;
    gw_poly_zero(&rest);
    gw_poly_add(&rest, b / g, NULL, p);
    gw_poly_add(&rest, -(a / g), &m, &fact->poly);
    if (!solve(s, &rest, depth - 1, &mine)) return false;
    *assumed = mine;
    return true;
}

static bool cancel_by(search *s, const gw_poly *p, const gw_term *t, bool sign, int depth, uint64_t *assumed) {
    uint64_t others = ~atoms_of(t);
    if (!s->indexed) index_facts(s);
    for (uint32_t i = 0; i < s->candidates.count; i++) {
        const candidate *c = &s->candidates.at[i];
        if ((c->atoms & others) || c->sign != sign || c->negative != (t->coefficient < 0) ||
            c->factors > t->factors)
            continue;
        if (cancel(s, p, t, c, depth, assumed)) return true;
    }
    return false;
}

/* Facts that are signs put nothing in the place of what they cancel, so they cost no depth. */
static bool remove_by_sign(search *s, const gw_poly *p, uint32_t which, int depth, uint64_t *assumed) {
    return cancel_by(s, p, &p->term[which], true, depth + 1, assumed);
}

static bool remove_term(search *s, const gw_poly *p, uint32_t which, int depth, uint64_t *assumed) {
    gw_term t = p->term[which];
    if (cancel_by(s, p, &t, false, depth, assumed)) return true;
    int64_t low, high;
    term_range(s->n, &t, &low, &high);
    if (low == INT64_MIN || (s->to_host && host_term(s->n, &t))) return false;
    gw_poly rest = *p;
    t.coefficient = -t.coefficient;
    gw_poly_add_term(&rest, &t);
    gw_poly_add_constant(&rest, low);
    return solve(s, &rest, depth - 1, assumed);
}

/* The term to get rid of: one that the goal cannot bear; thread-varying ones first, of these the ones that are
 * taken away, then products. */
static uint32_t worst_term(const search *s, const gw_poly *p) {
    uint32_t best = p->count;
    int best_rank = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        const gw_term *t = &p->term[i];
        int64_t low, high;
        term_range(s->n, t, &low, &high);
        if (t->factors == 0 || (s->to_host ? host_term(s->n, t) : low >= 0)) continue;
        bool varies = false;
        for (uint32_t k = 0; k < t->factors; k++)
            varies |= !gw_atom_at(s->n, t->factor[k])->uniform;
        int rank = 1 + 2 * varies + (t->coefficient < 0);
        if (rank > best_rank) best = i, best_rank = rank;
    }
    return best;
}

/* A fact says it, up to a constant. */
static bool is_known(const search *s, const gw_poly *p, uint64_t *assumed) {
    for (uint32_t i = s->facts->count; i-- > 0;) {
        const gw_fact *f = &s->facts->at[i];
        bool other =
            f->poly.count + 1 < p->count || f->poly.count > p->count + 1 || !p->count || !f->poly.count;
        if (other || f->poly.term[0].coefficient != p->term[0].coefficient ||
            f->poly.term[0].factors != p->term[0].factors)
            continue;
        gw_poly rest = *p;
        int64_t constant;
        gw_poly_add(&rest, -1, NULL, &f->poly);
        if (!gw_poly_is_constant(&rest, &constant) || constant < 0) continue;
        *assumed |= f->assumed;
        return true;
    }
    return false;
}

/* One step: what may be known at once, then by facts. */
static bool take_step(search *s, const gw_poly *p, int depth, uint64_t *assumed) {
    int64_t low, high;
    gw_poly_range(s->n, p, &low, &high);
    if (!s->to_host && (low >= 0 || is_known(s, p, assumed))) return true;
    uint32_t which = worst_term(s, p);
    if (which == p->count && s->to_host) {
        *s->residual = *p;
        return true;
    }
    if (high < 0) return false;
    if (which < p->count && remove_by_sign(s, p, which, depth, assumed)) return true;
    if (depth == 0) {
        s->shallow = true;
        return false;
    }
    if (which < p->count) return remove_term(s, p, which, depth, assumed);
    for (uint32_t i = 0; i < p->count; i++) /* e.g. w - 1, with 0 <= x < w among the facts */
        if (p->term[i].factors && remove_term(s, p, i, depth, assumed)) return true;
    return false;
}

/* The orders in which terms can be cancelled lead to one rest again and again; what failed is not tried
 * twice. */
static bool solve(search *s, const gw_poly *p, int depth, uint64_t *assumed) {
    if (p->broken) return false;
    uint32_t hash = gw_poly_hash(p) | 1; /* 0: no failure yet */
    failure *f = &s->failed[(hash >> 1 ^ hash >> 16) % FAILURES];
    if (f->hash == hash && f->to_host == s->to_host && f->depth >= depth) {
        s->shallow |= f->depth != ANY_DEPTH;
        return false;
    }
    if (s->steps-- <= 0 || !gw_effort_take(s->n->effort, GW_EFFORT_PROOFS, 1)) return false;
    bool shallow = s->shallow;
    s->shallow = false;
    bool found = take_step(s, p, depth, assumed);
    if (!found && s->steps > 0) *f = (failure){hash, s->shallow ? depth : ANY_DEPTH, s->to_host};
    s->shallow |= shallow;
    return found;
}

/* Deeper and deeper, until a search was complete or found a proof. */
static bool deepen(search *s, const gw_poly *p, uint64_t *assumed) {
    bool found = false, more = true;
    for (int depth = 0; depth <= DEPTH && more; depth++) {
        s->steps = STEPS;
        s->shallow = false;
        found = solve(s, p, depth, assumed);
        more = !found && s->shallow && s->steps > 0;
    }
    gw_vec_free(&s->candidates);
    return found;
}

bool gw_prove_nonnegative(const gw_normal *n, const gw_fact_list *facts, const gw_poly *p, uint64_t *assumed) {
    search s = {.n = n, .facts = facts};
    return deepen(&s, p, assumed);
}

/* ---- assumptions ---- */

bool gw_assumption_exact(const gw_normal *n, const gw_poly *p) {
    const int64_t most = (int64_t)1 << 56; /* times GW_POLY_TERMS: still within 64 bits */
    for (uint32_t i = 0; i < p->count; i++) {
        int64_t low, high;
        term_range(n, &p->term[i], &low, &high);
        if (low < -most || high > most) return false;
    }
    return true;
}

static bool is_enumerated(const gw_normal *n, gw_atom atom) {
    const gw_atom_data *d = gw_atom_at(n, atom);
    for (uint32_t i = 0; i < n->f->params.count && d->kind == GW_ATOM_VALUE; i++)
        if (n->f->params.at[i].value == d->value) return n->f->params.at[i].is_enumerated;
    return false;
}

/* An assumption must be one that launches keep unless they leave the primal's bounds too: no large factors,
 * as in a hash, possible at all, and of numbers that count: an enumerator may well be -1. */
static bool acceptable(const gw_normal *n, const gw_poly *p) {
    int64_t low, high;
    gw_poly_range(n, p, &low, &high);
    for (uint32_t i = 0; i < p->count; i++) {
        const gw_term *t = &p->term[i];
        if (t->factors && (t->coefficient > COEFFICIENT_MOST || t->coefficient < -COEFFICIENT_MOST))
            return false;
        for (uint32_t k = 0; k < t->factors; k++)
            if (is_enumerated(n, t->factor[k])) return false;
    }
    return high >= 0;
}

/* "n >= 0" is what programs mean when they make n unsigned; "n <= 0" is a difference that wraps on purpose. */
static bool is_rising(const gw_poly *p) {
    for (uint32_t i = 0; i < p->count; i++)
        if (p->term[i].factors && p->term[i].coefficient < 0) return false;
    return true;
}

static int64_t constant_of(const gw_poly *p) {
    for (uint32_t i = 0; i < p->count; i++)
        if (!p->term[i].factors) return p->term[i].coefficient;
    return 0;
}

/* "... <= 2147483648" bounds a sum as large as its type; "2 * height * width <= 2" and "m * m >= 8589934590"
 * ask for what no launch keeps: arithmetic that wraps on purpose. */
static bool is_modest(const gw_poly *p, gw_assumed_kind kind) {
    return constant_of(p) >= (kind == GW_ASSUMED_SIZE ? -4 : (int64_t)1 << 20);
}

/* A stride that is long enough, "3 * w <= stride"; not "n <= 0", "n * w <= w" or "n >= 2147483647". */
static bool is_long(const gw_poly *p) {
    uint32_t strides = 0;
    if (constant_of(p) < -((int64_t)1 << 20)) return false;
    for (uint32_t i = 0; i < p->count; i++) {
        gw_term rest;
        if (!p->term[i].factors || p->term[i].coefficient < 0) continue;
        strides++;
        for (uint32_t k = 0; k < p->count; k++)
            if (p->term[k].coefficient < 0 && gw_term_divide(&p->term[k], &p->term[i], &rest)) return false;
    }
    return strides != 0;
}

static bool is_of_kind(const gw_poly *p, gw_assumed_kind kind) {
    if (kind == GW_ASSUMED_ROW) return is_long(p);
    return (kind == GW_ASSUMED_NO_WRAP || is_rising(p)) && is_modest(p, kind);
}

bool gw_assume_nonnegative(gw_normal *n, gw_fact_list *facts, const gw_poly *p, gw_assumed_kind kind,
                           uint64_t *assumed) {
    gw_poly residual;
    search s = {.n = n, .facts = facts, .to_host = true, .residual = &residual};
    uint64_t mine = *assumed;
    int64_t value;
    if (n->unassuming) return false;
    if (!deepen(&s, p, &mine) || gw_poly_is_constant(&residual, &value) || !acceptable(n, &residual))
        return false;
    if (!is_of_kind(&residual, kind)) return false;
    uint32_t i = 0;
    gw_poly checked = residual;
    gw_poly_whole(n, &checked);
    while (i < n->assumptions.count && !gw_poly_equal(&n->assumptions.at[i], &checked))
        i++;
    if (i == GW_ASSUME_MOST || checked.broken) return false;
    if (i == n->assumptions.count) gw_push(&n->assumptions, checked);
    uint64_t bit = (uint64_t)1 << (GW_ASSUME_LENGTHS + i);
    *assumed = mine | bit;
    /* "m >= 3" is what x[m - 3] needs, and no reason to ask it of a launch for another cell's sake. */
    if (kind != GW_ASSUMED_SIZE || constant_of(&residual) >= 0) gw_fact_add(facts, &residual, bit);
    return true;
}
