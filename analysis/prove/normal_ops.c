/*
 * normal_ops.c - normal forms of division, bit operations, extrema and loop values (contract:
 * normal_ops_private.h).
 *
 * Division: a / b is an atom q, and a % b is a - b*q, which C guarantees for every a and b != 0. Where
 * a >= 0 and b >= 1 hold, 0 <= a - b*q <= b - 1 is added to the context; q < c follows if a < b*c is known.
 * Where a = b*e + r with 0 <= r < b, the quotient is e itself; (a / b) / c is a / (b*c). A remainder by a
 * multiple of b parts so: (a % (m*b)) / b is a / b - m*(a / (m*b)) where a >= 0.
 * By what is known of the launch (gw_normal.takes_apart) it is e + r / b where r >= 0.
 *
 * Loops: in iteration k = 0, 1, ... the variable of a counted loop is low + step*k, and a value that each
 * iteration adds the uniform u to is initial + u*k, with one k for all values of the loop. For unsigned
 * counters that asks for a proof that the last increment does not wrap.
 */
#include "analysis/prove/normal_ops_private.h"
#include "analysis/ir/restructure.h"

static gw_value operand(const gw_normal *n, gw_value v, uint32_t i) {
    return gw_operand(n->f, gw_value_at(n->f, v)->op, i);
}

/* p - least >= 0 */
static bool at_least(const gw_normal *n, const gw_context *c, const gw_poly *p, int64_t least,
                     uint64_t *assumed) {
    gw_poly room = *p;
    gw_poly_add_constant(&room, -least);
    return gw_prove_nonnegative(n, &c->facts, &room, assumed);
}

/* ---- division ---- */

/* a = b*e + r term by term, for a b of one term. */
static bool split(const gw_poly *a, const gw_poly *b, gw_poly *e, gw_poly *r) {
    gw_poly_zero(e);
    gw_poly_zero(r);
    if (b->count != 1) return false;
    for (uint32_t i = 0; i < a->count; i++) {
        gw_poly one, q;
        gw_poly_zero(&one);
        gw_poly_add_term(&one, &a->term[i]);
        if (gw_poly_divide(&one, b, &q))
            gw_poly_add(e, 1, NULL, &q);
        else
            gw_poly_add(r, 1, NULL, &one);
    }
    return !e->broken && !r->broken;
}

static bool divides_evenly(const gw_normal *n, const gw_context *c, const gw_poly *a, const gw_poly *b,
                           gw_poly *q, uint64_t *assumed) {
    gw_poly r, room = *b;
    if (!split(a, b, q, &r)) return false;
    gw_poly_add(&room, -1, NULL, &r);
    return at_least(n, c, &r, 0, assumed) && at_least(n, c, &room, 1, assumed);
}

/* For q = a / b: from a < b*x in the context follows q < x. */
static void bound_quotient(gw_context *c, const gw_poly *a, const gw_poly *b, const gw_poly *q,
                           uint64_t assumed) {
    uint32_t count = c->facts.count;
    for (uint32_t i = 0; i < count; i++) {
        gw_poly product = c->facts.at[i].poly, limit;
        gw_poly_add(&product, 1, NULL, a);
        gw_poly_add_constant(&product, 1);
        if (!gw_poly_divide(&product, b, &limit)) continue;
        gw_poly_add(&limit, -1, NULL, q);
        gw_poly_add_constant(&limit, -1);
        gw_context_add(c, &limit, assumed | c->facts.at[i].assumed);
    }
}

/* a >= 0, b >= 1 hold under `assumed`. */
static void learn_quotient(gw_context *c, const gw_poly *a, const gw_poly *b, const gw_poly *q,
                           uint64_t assumed) {
    gw_poly rest, room = *b;
    gw_poly_multiply(&rest, b, q);
    gw_poly_scale(&rest, -1);
    gw_poly_add(&rest, 1, NULL, a);
    gw_poly_add(&room, -1, NULL, &rest);
    gw_poly_add_constant(&room, -1);
    gw_context_add(c, &rest, assumed);
    gw_context_add(c, &room, assumed);
    gw_context_add(c, q, assumed);
    bound_quotient(c, a, b, q, assumed);
}

/* A condition that asks for q >= 1 says of q = a / b with b >= 1 that a >= b, and so q <= a - b + 1, since (b -
 * 1)*(q - 1) >= 0: the reverse of a loop from t to n in steps of b counts (n - t + b - 1) / b - 1 down to 0,
 * which is less than n - t. */
void gw_normal_learn_quotients(gw_normal *n, gw_context *c, uint32_t first) {
    uint32_t end = c->facts.count;
    for (uint32_t i = first; i < end; i++) {
        const gw_fact fact = c->facts.at[i]; /* the list grows */
        for (uint32_t k = 0; k < fact.poly.count; k++) {
            const gw_term *t = &fact.poly.term[k];
            if (t->factors != 1 || gw_atom_at(n, t->factor[0])->kind != GW_ATOM_QUOTIENT) continue;
            const gw_poly *key = &n->keys.at[gw_atom_at(n, t->factor[0])->first_key];
            uint64_t assumed = fact.assumed;
            gw_poly a = key[0], b = key[1], q;
            gw_poly_atom(&q, t->factor[0]);
            if (!at_least(n, c, &b, 1, &assumed) || !at_least(n, c, &q, 1, &assumed)) continue;
            learn_quotient(c, &a, &b, &q, assumed);
            gw_poly_add(&a, -1, NULL, &b);
            gw_poly_add(&a, -1, NULL, &q);
            gw_poly_add_constant(&a, 1);
            gw_context_add(c, &a, assumed);
        }
    }
}

/* (x / y) / b = x / (y*b) where a is the atom x / y, whatever the signs are, since C rounds towards 0. */
static void flatten(const gw_normal *n, gw_poly *a, gw_poly *b) {
    gw_atom atom;
    while (gw_poly_is_atom(a, &atom) && gw_atom_at(n, atom)->kind == GW_ATOM_QUOTIENT) {
        const gw_poly *key = &n->keys.at[gw_atom_at(n, atom)->first_key];
        gw_poly product;
        gw_poly_multiply(&product, &key[1], b);
        if (product.broken) return;
        *a = key[0];
        *b = product;
    }
}

bool gw_normal_assume_sizes(gw_normal *n, gw_context *c, const gw_poly *p, uint64_t *assumed) {
    bool any = false;
    for (uint32_t i = 0; i < p->count; i++)
        for (uint32_t k = 0; k < p->term[i].factors && p->term[i].factors > 1 && p->term[i].coefficient > 0;
             k++) {
            gw_poly size;
            gw_poly_atom(&size, p->term[i].factor[k]);
            if (!gw_atom_at(n, p->term[i].factor[k])->host || at_least(n, c, &size, 0, assumed)) continue;
            any |= gw_assume_nonnegative(n, &c->facts, &size, GW_ASSUMED_SIZE, assumed);
        }
    return any;
}

/* What is divided by where c holds is not 0, and a size is not negative: that much is asked of the launch,
 * where it is not known. A launch with a size of 0 divides nowhere, and is not refused. */
static bool is_size(gw_normal *n, gw_context *c, gw_value division, const gw_poly *b, uint64_t *assumed) {
    uint64_t mine = *assumed;
    gw_poly factor[GW_POLY_FACTORS];
    if (b->broken || !b->count || b->term[0].coefficient <= 0 || !gw_choice_computes(n->f, c, division))
        return false;
    uint32_t count = b->count == 1 ? b->term[0].factors : 1;
    if (b->count > 1) factor[0] = *b;
    for (uint32_t i = 0; i < count && b->count == 1; i++) gw_poly_atom(&factor[i], b->term[0].factor[i]);
    for (uint32_t i = 0; i < count; i++)
        if (!at_least(n, c, &factor[i], 0, &mine) &&
            !gw_assume_nonnegative(n, &c->facts, &factor[i], GW_ASSUMED_SIZE, &mine))
            return false;
    for (uint32_t i = 0; i < count; i++) {
        gw_poly_add_constant(&factor[i], -1);
        gw_context_add(c, &factor[i], mine);
    }
    *assumed = mine;
    return true;
}

/* Division by a positive constant is monotone; by any number it makes nothing larger. */
static void narrow(const gw_normal *n, const gw_poly *a, const gw_poly *b, gw_atom_data *q) {
    int64_t low, high, by;
    gw_poly_range(n, a, &low, &high);
    bool constant = gw_poly_is_constant(b, &by) && by >= 1;
    if (!constant && low >= 0 && high != INT64_MAX) by = 1, low = -high;
    else if (!constant) return;
    if (low != INT64_MIN && low / by > q->low) q->low = low / by;
    if (high != INT64_MAX && high / by < q->high) q->high = high / by;
}

/* a = x - m*b*e where e is the quotient x / (m*b); *more = m*e. */
static bool is_rest_of_multiple(const gw_normal *n, const gw_poly *a, const gw_poly *b, gw_poly *x,
                                gw_poly *more) {
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t k = 0; k < a->term[i].factors; k++) {
            const gw_atom_data *d = gw_atom_at(n, a->term[i].factor[k]);
            const gw_poly *key = &n->keys.at[d->first_key];
            gw_poly e, whole, m;
            if (d->kind != GW_ATOM_QUOTIENT || !gw_poly_divide(&key[1], b, &m)) continue;
            gw_poly_atom(&e, a->term[i].factor[k]);
            gw_poly_multiply(&whole, &key[1], &e);
            gw_poly_add(&whole, 1, NULL, a);
            if (!gw_poly_equal(&whole, &key[0])) continue;
            *x = key[0];
            gw_poly_multiply(more, &m, &e);
            return !more->broken;
        }
    return false;
}

/* `of`: the value of the function that it is; 0: none is. */
static bool quotient(gw_normal *n, gw_context *c, gw_value v, gw_value of, const gw_poly *dividend,
                     const gw_poly *by, uint64_t *assumed, gw_poly *q) {
    gw_poly a = *dividend, b = *by, whole, rest;
    /* One atom for each type: its range is that of the type, which a quotient of another one may leave. */
    gw_atom_data atom = {
        .kind = GW_ATOM_QUOTIENT, .detail = of ? gw_typeof(n->f, of) : GW_T_U64, .value = of};
    uint64_t ground = *assumed;
    bool plain =
        at_least(n, c, &a, 0, &ground) && (at_least(n, c, &b, 1, &ground) || is_size(n, c, v, &b, &ground));
    if (gw_poly_divide(&a, &b, q)) return true; /* b != 0, or the primal is undefined */
    if (plain && divides_evenly(n, c, &a, &b, q, &ground)) {
        *assumed |= ground;
        return true;
    }
    if (plain && is_rest_of_multiple(n, &a, &b, &rest, &whole) && at_least(n, c, &rest, 0, &ground)) {
        if (!quotient(n, c, v, 0, &rest, &b, &ground, q)) return false;
        gw_poly_add(q, -1, NULL, &whole);
        if (!q->broken) learn_quotient(c, dividend, by, q, ground);
        *assumed |= ground;
        return !q->broken;
    }
    if (plain && n->takes_apart && split(&a, &b, &whole, &rest) && whole.count && rest.count &&
        at_least(n, c, &rest, 0, &ground)) {
        if (!quotient(n, c, v, of, &rest, &b, &ground, q)) return false;
        gw_poly_add(q, 1, NULL, &whole);
        *assumed |= ground;
        return !q->broken;
    }
    flatten(n, &a, &b);
    atom.uniform = gw_poly_uniform(n, &a) && gw_poly_uniform(n, &b);
    gw_type_range(atom.detail, &atom.low, &atom.high);
    narrow(n, &a, &b, &atom);
    gw_atom made = gw_atom_make(n, &atom, (gw_poly[]){a, b}, 2);
    gw_poly_atom(q, made);
    if (made && plain) learn_quotient(c, dividend, by, q, ground);
    bool flat =
        plain && !gw_poly_equal(&b, by) && at_least(n, c, &a, 0, &ground) && at_least(n, c, &b, 1, &ground);
    if (made && flat) learn_quotient(c, &a, &b, q, ground);
    return made != 0;
}

bool gw_normal_divide(gw_normal *n, gw_context *c, gw_value v, gw_number *out) {
    gw_number a, b;
    gw_poly q, product;
    gw_normal_exact(n, c, operand(n, v, 0), &a);
    gw_normal_exact(n, c, operand(n, v, 1), &b);
    out->assumed = a.assumed | b.assumed;
    if (a.poly.broken || b.poly.broken || !quotient(n, c, v, v, &a.poly, &b.poly, &out->assumed, &q))
        return false;
    out->poly = q;
    if (gw_op_at(n->f, gw_value_at(n->f, v)->op)->code == GW_OP_REM) {
        gw_poly_multiply(&product, &b.poly, &q);
        out->poly = a.poly;
        gw_poly_add(&out->poly, -1, NULL, &product);
    }
    return !out->poly.broken;
}

/* x >> k is x / 2^k and x & (2^k - 1) is x % 2^k where x >= 0. */
bool gw_normal_bits(gw_normal *n, gw_context *c, gw_value v, gw_number *out) {
    int64_t k;
    gw_number a;
    gw_poly b, q;
    bool shift = gw_op_at(n->f, gw_value_at(n->f, v)->op)->code == GW_OP_SHR;
    if (gw_typeof(n->f, v) == GW_T_BOOL || !gw_const_int(n->f, operand(n, v, 1), &k)) return false;
    if (k < 0 || (shift ? k > 30 : k > INT32_MAX || (k & (k + 1)) != 0)) return false;
    gw_normal_exact(n, c, operand(n, v, 0), &a);
    out->assumed = a.assumed;
    gw_poly_constant(&b, shift ? (int64_t)1 << k : k + 1);
    if (a.poly.broken || !at_least(n, c, &a.poly, 0, &out->assumed)) return false;
    if (!quotient(n, c, v, v, &a.poly, &b, &out->assumed, &q)) return false;
    out->poly = q;
    if (!shift) {
        out->poly = a.poly;
        gw_poly_add(&out->poly, -(k + 1), NULL, &q);
    }
    return !out->poly.broken;
}

/* x ^ c with a constant c below 2^k changes the lowest k bits only: 2^k*(x / 2^k) + (x % 2^k ^ c) where x >=
 * 0. */
bool gw_normal_xor(gw_normal *n, gw_context *c, gw_value v, gw_number *out) {
    int64_t mask;
    gw_number a;
    gw_poly width, q, low;
    uint32_t at = gw_const_int(n->f, operand(n, v, 1), &mask) ? 0 : 1;
    if (gw_typeof(n->f, v) == GW_T_BOOL || (at == 1 && !gw_const_int(n->f, operand(n, v, 0), &mask)))
        return false;
    if (mask <= 0 || mask > INT32_MAX / 4) return false;
    int64_t size = 1;
    while (size <= mask)
        size *= 2;
    gw_normal_exact(n, c, operand(n, v, at), &a);
    out->assumed = a.assumed;
    gw_poly_constant(&width, size);
    if (a.poly.broken || !at_least(n, c, &a.poly, 0, &out->assumed)) return false;
    if (!quotient(n, c, v, v, &a.poly, &width, &out->assumed, &q)) return false;
    low = a.poly;
    gw_poly_add(&low, -size, NULL, &q);
    gw_poly keys[2] = {low};
    gw_poly_constant(&keys[1], mask);
    gw_atom_data x = {
        .kind = GW_ATOM_PURE, .detail = GW_OP_XOR, .more = gw_typeof(n->f, v), .value = v, .high = size - 1};
    x.uniform = gw_poly_uniform(n, &low);
    gw_atom made = gw_atom_make(n, &x, keys, 2);
    gw_poly_atom(&out->poly, made);
    gw_poly_add(&out->poly, size, NULL, &q);
    return made && !out->poly.broken;
}

/* The least of a constant and a number is not negative if neither is. */
static void extremum_natural(gw_normal *n, gw_context *c, const gw_number *sides, const gw_number *m) {
    int64_t constant;
    for (uint32_t i = 0; i < 2; i++) {
        uint64_t assumed = sides[1 - i].assumed | m->assumed;
        if (gw_poly_is_constant(&sides[i].poly, &constant) && constant >= 0 && !sides[1 - i].poly.broken &&
            at_least(n, c, &sides[1 - i].poly, 0, &assumed))
            gw_context_add(c, &m->poly, assumed);
    }
}

void gw_normal_extremum(gw_normal *n, gw_context *c, gw_value v, const gw_number *m) {
    bool least = gw_op_at(n->f, gw_value_at(n->f, v)->op)->code == GW_OP_IMIN;
    gw_number sides[2];
    for (uint32_t i = 0; i < 2; i++) {
        gw_normal_exact(n, c, operand(n, v, i), &sides[i]);
        gw_poly room = sides[i].poly;
        gw_poly_add(&room, -1, NULL, &m->poly);
        if (!least) gw_poly_scale(&room, -1);
        gw_context_add(c, &room, sides[i].assumed | m->assumed);
    }
    if (least && gw_type_is_signed(gw_typeof(n->f, v))) extremum_natural(n, c, sides, m);
}

/* ---- loops ---- */
gw_value gw_normal_alias(const gw_normal *n, gw_value v) {
    const gw_value_data *d = gw_value_at(n->f, v);
    gw_op loop = d->op ? 0 : gw_region_at(n->f, d->region)->parent;
    if (!loop || gw_op_at(n->f, loop)->code != GW_OP_WHILE) return v;
    return gw_arg(n->f, gw_op_at(n->f, loop)->region[0], d->index);
}

static void trip(gw_normal *n, gw_op loop, gw_term *k) {
    gw_atom_data a = {.kind = GW_ATOM_TRIP, .detail = loop, .value = loop, .low = 0, .high = INT64_MAX};
    gw_atom made = gw_atom_make(n, &a, NULL, 0);
    *k = (gw_term){.coefficient = 1, .factors = 1, .factor = {made}};
}

/* low + step*k does not wrap in an unsigned type: the last value in the loop plus step is within it. */
static bool counts_up(gw_normal *n, gw_context *c, gw_op loop, gw_type t, const gw_number *step,
                      uint64_t *assumed) {
    uint16_t compare = gw_op_at(n->f, loop)->attr;
    int64_t low, high;
    gw_number end;
    if (gw_type_is_signed(t) && gw_type_bits(t) >= 32) return true;
    if (compare != GW_OP_LT && compare != GW_OP_LE) return false;
    if (!at_least(n, c, &step->poly, 1, assumed)) return false;
    gw_normal_exact(n, c, gw_operand(n->f, loop, 1), &end);
    gw_type_range(t, &low, &high);
    gw_poly room = end.poly;
    *assumed |= end.assumed;
    gw_poly_add(&room, 1, NULL, &step->poly);
    gw_poly_scale(&room, -1);
    gw_poly_add_constant(&room, high);
    if (compare == GW_OP_LT && gw_type_bits(t) < 64) gw_poly_add_constant(&room, 1); /* 2^63 has no room */
    if (end.poly.broken || room.broken) return false;
    if (gw_prove_nonnegative(n, &c->facts, &room, assumed)) return true;
    return gw_type_bits(t) >= 32 && gw_assume_nonnegative(n, &c->facts, &room, GW_ASSUMED_NO_WRAP, assumed);
}

static bool counter(gw_normal *n, gw_context *c, gw_op loop, gw_value v, gw_number *out) {
    gw_number step;
    gw_term k;
    gw_normal_exact(n, c, gw_operand(n->f, loop, 0), out);
    gw_normal_exact(n, c, gw_operand(n->f, loop, 2), &step);
    out->assumed |= step.assumed;
    if (step.poly.broken || !counts_up(n, c, loop, gw_typeof(n->f, v), &step, &out->assumed)) return false;
    trip(n, loop, &k);
    gw_poly_add(&out->poly, 1, &k, &step.poly);
    return !out->poly.broken && k.factor[0];
}

bool gw_normal_carried(gw_normal *n, gw_context *c, gw_value v, gw_number *out) {
    const gw_value_data *d = gw_value_at(n->f, v);
    gw_op loop = gw_region_at(n->f, d->region)->parent;
    gw_number by;
    gw_term k;
    gw_value step;
    bool down;
    if (!gw_is_loop(n->f, loop)) return false;
    uint32_t first = gw_loop_first_arg(n->f, loop);
    if (d->index < first) return counter(n, c, loop, v, out);
    if (!gw_loop_advances(n->f, loop, d->index - first, &step, &down) || !gw_normal_uniform(n, step))
        return false;
    if (!gw_type_is_signed(d->type) || gw_type_bits(d->type) < 32) return false;
    gw_normal_exact(n, c, gw_loop_init(n->f, loop, d->index - first), out);
    gw_normal_exact(n, c, step, &by);
    trip(n, loop, &k);
    out->assumed |= by.assumed;
    gw_poly_add(&out->poly, down ? -1 : 1, &k, &by.poly);
    return !out->poly.broken && k.factor[0];
}
