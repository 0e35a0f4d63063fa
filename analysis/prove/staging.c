/*
 * staging.c - stores that a block repeats in each iteration, as far as anybody reads (contract: prove.h).
 *
 * Let thread t store to cell c in some iteration, and thread t' read c in iteration b. Shown is that t stores
 * to c in b:
 *   - t reaches the same cell in all iterations: the index of the store repeats;
 *   - t comes to the store in b. The loops around both are uniform, so t runs iteration b. Each condition on
 *     the way either repeats, and so holds in b, or it follows for t in b from what is known: the load's
 *     conditions for t', and that both indices are equal. That is how `if (base + t < end) s[t] = ...` covers
 *     the reads s[j] with j < min(n, end - base). In that proof a quantity is one and the same in both threads
 *     if it is uniform in the block: both stand in iteration b of the same loops. All others of t are marked
 *     "other", as in disjoint.c.
 *
 * If no thread's store reaches the cell that is read by this load, there is nothing to show: that follows from
 * the indices and from what is known, or from remainders, s[3 * t + 1] and s[3 * j].
 *
 * Unsigned sums. That `begin + k < end` holds for t is shown of the sum as it stands, if it is shown to fit its
 * type from what is known. Where k < W is known of W = end - begin, reduced to 32 bits, of a range that may end
 * before it begins, it may not hold. Let 0 <= k < W, and begin and end be numbers from 0 to 2^32 - 1. Either W
 * is end - begin, so begin + k < end without a wrap. Or W is 2^32 + end - begin, and begin > end: then the
 * condition fails for just those k with begin + k < 2^32, and so for each smaller one. If k grows from one
 * iteration to the next, and starts from 0 or more, the cell that is read was not stored to in any earlier
 * iteration either, as no loop is around this one: no program reads it.
 *
 * Where t < A is known instead, of A = end - (begin + m), with an m that grows from 0: if m <= W, then A is W -
 * m (the two are congruent, and both lie from 0 to 2^32 - 1), and k = m + t is below W. That m <= W follows
 * from what is known of another number V = end - begin + c, reduced likewise, with a constant c >= 0: V <= W +
 * c in any case, so m + c <= V is enough. Batches that are counted, b < (end - begin + 255) / 256, give 256 * b
 * + 255 < V.
 */
#include "analysis/prove/prove.h"

#include "analysis/ir/restructure.h"
#include "analysis/facts/facts.h"

typedef struct staging {
    const gw_func *f;
    gw_op store, load;
    gw_region common; /* the innermost around both */
    gw_uniform uniform;
    gw_normal *n;
    gw_fact_list facts;
} staging;

/* ---- loops around both ---- */
typedef bool repeats(const gw_func *f, gw_op loop, uint32_t what);
static bool index_repeats(const gw_func *f, gw_op loop, uint32_t store) {
    return gw_index_repeats(f, loop, store);
}
static bool value_repeats(const gw_func *f, gw_op loop, uint32_t value) {
    return gw_value_repeats(f, loop, value);
}
static bool all_repeats(const gw_func *f, gw_op loop, uint32_t store) {
    return gw_access_repeats(f, loop, store);
}

static bool in_all_loops(const gw_func *f, gw_region common, repeats *ask, uint32_t what) {
    for (gw_region r = common; gw_region_at(f, r)->parent; r = gw_region_outside(f, r)) {
        gw_op loop = gw_region_at(f, r)->parent;
        if (gw_is_loop(f, loop) && !ask(f, loop, what)) return false;
    }
    return true;
}

/* ---- what is known ---- */
static bool is_common_loop(const staging *s, gw_op loop) {
    return gw_region_inside(s->f, s->common, gw_loop_body(s->f, loop));
}

static gw_atom of_storing_thread(const void *context, gw_atom a) {
    const staging *s = context;
    const gw_atom_data *d = gw_atom_at(s->n, a);
    bool same = d->uniform || (d->kind == GW_ATOM_SPECIAL && d->detail / 4 == GW_BLOCK_IDX);
    if (d->kind == GW_ATOM_TRIP) same = is_common_loop(s, d->value);
    else if (d->kind != GW_ATOM_SPECIAL)
        same = same || (d->value && s->uniform.value[d->value] <= GW_UNIFORM_BLOCK);
    return same ? a : (gw_atom)(a | GW_ATOM_OTHER);
}

static void know(staging *s, const gw_fact *fact, bool storing) {
    if (fact->assumed) return;
    gw_push(&s->facts, *fact);
    if (storing) gw_poly_rename(&s->facts.at[s->facts.count - 1].poly, of_storing_thread, s);
}

static void know_context(staging *s, gw_region r, bool storing) {
    const gw_context *c = gw_normal_context(s->n, r);
    for (uint32_t i = 0; i < c->facts.count; i++) know(s, &c->facts.at[i], storing);
}

static bool is_proved(staging *s, const gw_poly *room) {
    uint64_t assumed = 0;
    return !room->broken && gw_prove_nonnegative(s->n, &s->facts, room, &assumed) && !assumed;
}

/* The polynomial of integers is never 0: it is positive or negative, or its constant is no multiple of what all
 * other coefficients are. */
static bool is_never_zero(staging *s, const gw_poly *p) {
    gw_poly rest = *p;
    int64_t constant = 0;
    for (uint32_t i = 0; i < p->count; i++)
        if (!p->term[i].factors) constant = p->term[i].coefficient;
    gw_poly_add_constant(&rest, -constant);
    const int64_t content = gw_poly_content(&rest);
    if (!rest.broken && (content ? constant % content != 0 : constant != 0)) return true;
    gw_poly above = *p, below = *p;
    gw_poly_scale(&below, -1);
    gw_poly_add_constant(&above, -1);
    gw_poly_add_constant(&below, -1);
    return is_proved(s, &above) || is_proved(s, &below);
}

/* Both reach one cell. *never: they do not. */
static bool know_indices(staging *s, bool *never) {
    const gw_func *f = s->f;
    uint32_t count = gw_index_count(f, s->store);
    if (count != gw_index_count(f, s->load)) return false;
    for (uint32_t i = 0; i < count; i++) {
        gw_number x, y;
        gw_normal_exact(s->n, gw_normal_context(s->n, gw_op_at(f, s->store)->parent),
                        gw_operand(f, s->store, i), &x);
        gw_normal_exact(s->n, gw_normal_context(s->n, gw_op_at(f, s->load)->parent), gw_operand(f, s->load, i),
                        &y);
        gw_fact apart = {.poly = x.poly, .assumed = x.assumed | y.assumed};
        gw_poly_rename(&apart.poly, of_storing_thread, s);
        gw_poly_add(&apart.poly, -1, NULL, &y.poly);
        if (apart.poly.broken) continue;
        *never |= !apart.assumed && is_never_zero(s, &apart.poly);
        know(s, &apart, false);
        gw_poly_scale(&apart.poly, -1);
        know(s, &apart, false);
    }
    return true;
}

/* ---- the conditions on the way to the store ---- */

static gw_poly difference(const gw_poly *x, const gw_poly *y, int64_t least) {
    gw_poly room = *x;
    gw_poly_add(&room, -1, NULL, y);
    gw_poly_add_constant(&room, -least);
    return room;
}

/* What v is congruent to, modulo 2^bits of its type. */
static void sum_of(staging *s, gw_context *c, gw_value v, gw_poly *out) {
    const gw_func *f = s->f;
    gw_op op = gw_value_at(f, v)->op;
    gw_type t = gw_typeof(f, v);
    unsigned code = op && gw_type_bits(t) >= 32 ? gw_op_at(f, op)->code : GW_OP_NONE;
    if (code == GW_OP_ADD && !gw_type_is_signed(t)) {
        gw_poly other;
        sum_of(s, c, gw_operand(f, op, 0), out);
        sum_of(s, c, gw_operand(f, op, 1), &other);
        gw_poly_add(out, 1, NULL, &other);
        return;
    }
    gw_type from = code == GW_OP_CAST ? gw_typeof(f, gw_operand(f, op, 0)) : GW_T_VOID;
    if (gw_type_is_integer(from) && gw_type_bits(from) == gw_type_bits(t)) {
        sum_of(s, c, gw_operand(f, op, 0), out);
        return;
    }
    gw_number exact;
    gw_normal_exact(s->n, c, v, &exact);
    *out = exact.poly;
    out->broken |= exact.assumed != 0;
}

/* The sum is the number that it looks like. */
static bool fits_type(staging *s, const gw_poly *sum, gw_type t) {
    gw_poly high;
    gw_poly_constant(&high, (int64_t)UINT32_MAX);
    high = difference(&high, sum, 0);
    return gw_type_bits(t) == 32 && is_proved(s, sum) && is_proved(s, &high);
}

/* x >= y + least, of unsigned sums, for the storing thread. */
static bool follows_of_sums(staging *s, gw_context *c, gw_value x, gw_value y, int64_t least) {
    gw_type t = gw_typeof(s->f, x);
    gw_poly a, b;
    if (gw_type_is_signed(t)) return false;
    sum_of(s, c, x, &a);
    sum_of(s, c, y, &b);
    gw_poly_rename(&a, of_storing_thread, s);
    gw_poly_rename(&b, of_storing_thread, s);
    gw_poly room = difference(&a, &b, least);
    return fits_type(s, &a, t) && fits_type(s, &b, t) && is_proved(s, &room);
}

/* One number for the thread, in all iterations of the loop. */
static bool stays(const staging *s, gw_op loop, gw_atom one);

static bool all_stay(const staging *s, gw_op loop, const gw_poly *p) {
    for (uint32_t i = 0; i < p->count; i++)
        for (uint32_t k = 0; k < p->term[i].factors; k++)
            if (!stays(s, loop, p->term[i].factor[k])) return false;
    return !p->broken;
}

static bool stays(const staging *s, gw_op loop, gw_atom one) {
    const gw_atom_data *a = gw_atom_at(s->n, one);
    if (a->kind == GW_ATOM_SPECIAL) return true;
    if (a->kind == GW_ATOM_VALUE) return gw_value_visible(s->f, a->value, gw_op_at(s->f, loop)->parent);
    for (uint32_t i = 0; i < a->keys; i++)
        if (!all_stay(s, loop, &s->n->keys.at[a->first_key + i])) return false;
    return a->kind != GW_ATOM_TRIP && !a->assumed;
}

/* The same in all iterations, and for the whole block. */
static bool is_of_range(const staging *s, gw_op loop, const gw_poly *p) {
    gw_poly other = *p;
    gw_poly_rename(&other, of_storing_thread, s);
    return all_stay(s, loop, p) && gw_poly_equal(&other, p);
}

/* The loop around both; 0: there is none, or one around it. */
static gw_op only_loop(const staging *s) {
    gw_op around = 0;
    for (gw_region r = s->common; gw_region_at(s->f, r)->parent; r = gw_region_outside(s->f, r)) {
        gw_op op = gw_region_at(s->f, r)->parent;
        if (gw_is_loop(s->f, op) && around) return 0;
        if (gw_is_loop(s->f, op)) around = op;
    }
    return around;
}

/* What p is congruent to modulo 2^32, with numbers that were reduced to no fewer bits as they were before. */
static gw_poly congruent(const staging *s, const gw_poly *p) {
    gw_poly all;
    gw_poly_zero(&all);
    for (uint32_t i = 0; i < p->count; i++) {
        const gw_term *t = &p->term[i];
        const gw_atom_data *a = t->factors == 1 ? gw_atom_at(s->n, t->factor[0]) : NULL;
        bool reduced = a && a->kind == GW_ATOM_WRAPPED && gw_type_bits((gw_type)a->detail) >= 32 &&
                       !(t->factor[0] & GW_ATOM_OTHER);
        if (!reduced) {
            gw_poly_add_term(&all, t);
            continue;
        }
        const gw_poly before = congruent(s, &s->n->keys.at[a->first_key]);
        gw_poly_add(&all, t->coefficient, NULL, &before);
    }
    all.broken |= p->broken;
    return all;
}

/* k less what grows with the iterations of the loop, which is *grows. */
static gw_poly without_trips(const staging *s, gw_op loop, const gw_poly *k, gw_poly *grows) {
    gw_poly first;
    gw_poly_zero(&first);
    gw_poly_zero(grows);
    for (uint32_t i = 0; i < k->count; i++) {
        const gw_term *t = &k->term[i];
        const gw_atom_data *a = t->factors == 1 ? gw_atom_at(s->n, t->factor[0]) : NULL;
        bool trips = a && a->kind == GW_ATOM_TRIP && a->value == loop && t->coefficient > 0;
        gw_poly_add_term(trips ? grows : &first, t);
    }
    first.broken |= k->broken;
    return first;
}

/* With the iterations of the loop k grows, from 0 or more. */
static bool grows_from_zero(staging *s, gw_op loop, const gw_poly *k) {
    gw_poly trips, first = without_trips(s, loop, k, &trips);
    if (!all_stay(s, loop, &first)) return false;
    gw_poly_rename(&first, of_storing_thread, s);
    return is_proved(s, &first);
}

/* Atom i is one number for the block, reduced to 32 bits from *sum. */
static bool is_reduced(const staging *s, uint32_t i, gw_poly *sum) {
    const gw_atom_data *w = &s->n->atoms.at[i];
    bool is = w->kind == GW_ATOM_WRAPPED && (w->detail == GW_T_I32 || w->detail == GW_T_U32) &&
              of_storing_thread(s, (gw_atom)i) == i;
    if (is) *sum = congruent(s, &s->n->keys.at[w->first_key]);
    return is;
}

/* m <= W, where W is the length of the range, reduced to 32 bits. */
static bool is_within(staging *s, const gw_poly *length, const gw_poly *m) {
    for (uint32_t i = 1; i < s->n->atoms.count; i++) {
        gw_poly sum, more, room;
        int64_t c;
        if (!is_reduced(s, i, &sum) || s->n->atoms.at[i].detail != GW_T_U32) continue;
        more = difference(&sum, length, 0);
        if (!gw_poly_is_constant(&more, &c) || c < 0) continue;
        gw_poly_atom(&room, (gw_atom)i);
        room = difference(&room, m, c);
        if (is_proved(s, &room)) return true;
    }
    return false;
}

/* begin + k < end, for the storing thread, unless nobody has stored to the cell (above). */
static bool follows_of_range(staging *s, gw_context *c, gw_value sum, gw_value end) {
    gw_poly all, last;
    if (gw_type_is_signed(gw_typeof(s->f, sum)) || gw_type_bits(gw_typeof(s->f, sum)) != 32) return false;
    sum_of(s, c, sum, &all);
    sum_of(s, c, end, &last);
    all = congruent(s, &all), last = congruent(s, &last);
    const gw_op loop = only_loop(s);
    if (!loop || !is_of_range(s, loop, &last)) return false;
    for (uint32_t i = 1; i < s->n->atoms.count; i++) {
        gw_poly left, m;
        if (!is_reduced(s, i, &left)) continue;
        gw_poly from = difference(&last, &left, 0), begin = without_trips(s, loop, &from, &m),
                k = difference(&all, &begin, 0), t = difference(&all, &from, 0),
                length = difference(&last, &begin, 0), room;
        if (!is_of_range(s, loop, &begin) || !grows_from_zero(s, loop, &k)) continue;
        if (m.count && !is_within(s, &length, &m)) continue;
        gw_poly_rename(&t, of_storing_thread, s);
        gw_poly_atom(&room, (gw_atom)i);
        room = difference(&room, &t, 1);
        if (is_proved(s, &t) && is_proved(s, &room)) return true;
    }
    return false;
}

/* x >= y + least, for the storing thread. */
static bool follows(staging *s, gw_context *c, gw_value x, gw_value y, int64_t least) {
    gw_number a, b;
    gw_normal_exact(s->n, c, x, &a);
    gw_normal_exact(s->n, c, y, &b);
    gw_poly room = difference(&a.poly, &b.poly, least);
    gw_poly_rename(&room, of_storing_thread, s);
    if (!(a.assumed | b.assumed) && is_proved(s, &room)) return true;
    return follows_of_sums(s, c, x, y, least) || (least == 1 && follows_of_range(s, c, y, x));
}

static bool comes_true(staging *s, gw_context *c, gw_value condition, bool truth) {
    const gw_func *f = s->f;
    gw_op op = gw_value_at(f, condition)->op;
    if (in_all_loops(f, s->common, value_repeats, condition)) return true;
    if (!op || gw_op_at(f, op)->operands != 2) return false;
    gw_value a = gw_operand(f, op, 0), b = gw_operand(f, op, 1);
    gw_opcode code = (gw_opcode)gw_op_at(f, op)->code;
    if ((code == GW_OP_AND && truth) || (code == GW_OP_OR && !truth))
        return comes_true(s, c, a, truth) && comes_true(s, c, b, truth);
    if (!gw_type_is_integer(gw_typeof(f, a))) return false;
    switch (code) {
    case GW_OP_LT: return truth ? follows(s, c, b, a, 1) : follows(s, c, a, b, 0);
    case GW_OP_LE: return truth ? follows(s, c, b, a, 0) : follows(s, c, a, b, 1);
    case GW_OP_GT: return truth ? follows(s, c, a, b, 1) : follows(s, c, b, a, 0);
    case GW_OP_GE: return truth ? follows(s, c, a, b, 0) : follows(s, c, b, a, 1);
    default: return false;
    }
}

static bool comes_to_store(staging *s) {
    for (gw_region r = gw_op_at(s->f, s->store)->parent; r != s->common;) {
        gw_op op = gw_region_at(s->f, r)->parent;
        const gw_op_data *o = gw_op_at(s->f, op);
        gw_context *c = gw_normal_context(s->n, o->parent);
        if (o->code != GW_OP_IF || !comes_true(s, c, gw_operand(s->f, op, 0), o->region[0] == r)) return false;
        r = o->parent;
    }
    return true;
}

bool gw_stages_again(const gw_func *f, gw_op store, gw_op load) {
    staging s = {.f = f, .store = store, .load = load, .common = gw_common_region(f, store, load)};
    if (in_all_loops(f, s.common, all_repeats, store)) return true;
    if (!in_all_loops(f, s.common, index_repeats, store)) return false;
    gw_uniform_new(&s.uniform, f);
    s.n = gw_normal_new(f);
    s.n->unassuming = true;
    bool again = s.uniform.region[s.common] <= GW_UNIFORM_BLOCK;
    if (again) {
        know_context(&s, s.common, true);
        know_context(&s, gw_op_at(f, load)->parent, false);
        bool never = false;
        again = know_indices(&s, &never) && (never || comes_to_store(&s));
    }
    gw_vec_free(&s.facts);
    gw_normal_free(s.n);
    gw_uniform_free(&s.uniform);
    return again;
}
