/*
 * smt_terms.c - atoms and polynomials as Z3's integers (contract: smt_terms_private.h).
 *
 * An atom is defined by what it was made from (prove.h), as far as that can be said of integers: a
 * quotient truncates towards 0, a wrapped quantity differs from the whole one by a multiple of 2^bits and lies
 * in its type's range, bits are quotients by powers of 2. These definitions have a solution for all values of
 * what they are made from, so they take none away; what has no definition here may have any value of its type.
 * Cells of memory that nobody writes are equal at equal indices.
 */
#include "analysis/ir/promises.h"
#include "analysis/prove/smt_terms_private.h"
#include "analysis/facts/facts.h"

enum { BITS_MOST = 16 };

/* ---- integers ---- */
Z3_ast gw_smt_integer(gw_smt_question *q, int64_t value) {
    return Z3_mk_int64(q->z, value, Z3_mk_int_sort(q->z));
}

static Z3_ast sum(gw_smt_question *q, Z3_ast a, Z3_ast b) { return Z3_mk_add(q->z, 2, (Z3_ast[]){a, b}); }
static Z3_ast difference(gw_smt_question *q, Z3_ast a, Z3_ast b) {
    return Z3_mk_sub(q->z, 2, (Z3_ast[]){a, b});
}
static Z3_ast product(gw_smt_question *q, Z3_ast a, Z3_ast b) { return Z3_mk_mul(q->z, 2, (Z3_ast[]){a, b}); }
static Z3_ast conjunction(gw_smt_question *q, Z3_ast a, Z3_ast b) {
    return Z3_mk_and(q->z, 2, (Z3_ast[]){a, b});
}
static Z3_ast truth(gw_smt_question *q, Z3_ast b) {
    return Z3_mk_ite(q->z, b, gw_smt_integer(q, 1), gw_smt_integer(q, 0));
}
static Z3_ast is_true(gw_smt_question *q, Z3_ast a) {
    return Z3_mk_not(q->z, Z3_mk_eq(q->z, a, gw_smt_integer(q, 0)));
}

Z3_ast gw_smt_fresh(gw_smt_question *q, bool is_bool) {
    Z3_symbol name = Z3_mk_int_symbol(q->z, (int)++q->names);
    return Z3_mk_const(q->z, name, is_bool ? Z3_mk_bool_sort(q->z) : Z3_mk_int_sort(q->z));
}

static void hold(gw_smt_question *q, Z3_ast b) { Z3_solver_assert(q->z, q->solver, b); }

void gw_smt_assert(gw_smt_question *q, Z3_ast holds, uint64_t assumed) {
    if (!assumed) {
        hold(q, holds);
        return;
    }
    uint32_t i = 0;
    while (i < q->literals.count && q->literals.at[i].assumed != assumed)
        i++;
    if (i == q->literals.count) gw_push(&q->literals, ((gw_smt_literal){gw_smt_fresh(q, true), assumed}));
    hold(q, Z3_mk_implies(q->z, q->literals.at[i].is, holds));
}

/* ---- what atoms are made from ---- */
static void quotient(gw_smt_question *q, Z3_ast x, Z3_ast a, Z3_ast b) {
    Z3_ast zero = gw_smt_integer(q, 0), rest = difference(q, a, product(q, b, x));
    Z3_ast size = Z3_mk_ite(q->z, Z3_mk_gt(q->z, b, zero), b, Z3_mk_unary_minus(q->z, b));
    Z3_ast up = conjunction(q, Z3_mk_le(q->z, zero, rest), Z3_mk_lt(q->z, rest, size));
    Z3_ast down =
        conjunction(q, Z3_mk_le(q->z, rest, zero), Z3_mk_gt(q->z, rest, Z3_mk_unary_minus(q->z, size)));
    hold(q, Z3_mk_or(q->z, 2,
                     (Z3_ast[]){Z3_mk_eq(q->z, b, zero), Z3_mk_ite(q->z, Z3_mk_ge(q->z, a, zero), up, down)}));
}

static void range(gw_smt_question *q, Z3_ast x, int64_t low, int64_t high) {
    if (low != INT64_MIN) hold(q, Z3_mk_ge(q->z, x, gw_smt_integer(q, low)));
    if (high != INT64_MAX) hold(q, Z3_mk_le(q->z, x, gw_smt_integer(q, high)));
}

static Z3_ast power(gw_smt_question *q, uint32_t bits) {
    return bits < 63
               ? gw_smt_integer(q, (int64_t)1 << bits)
               : product(q, gw_smt_integer(q, (int64_t)1 << 32), gw_smt_integer(q, (int64_t)1 << (bits - 32)));
}

static void wrapped(gw_smt_question *q, Z3_ast x, gw_type t, Z3_ast whole) {
    uint32_t bits = gw_type_bits(t);
    bool sign = gw_type_is_signed(t);
    Z3_ast end = power(q, bits), half = power(q, bits - 1), zero = gw_smt_integer(q, 0);
    hold(q, Z3_mk_eq(q->z, x, sum(q, whole, product(q, end, gw_smt_fresh(q, false)))));
    hold(q, Z3_mk_ge(q->z, x, sign ? Z3_mk_unary_minus(q->z, half) : zero));
    hold(q, Z3_mk_lt(q->z, x, sign ? half : end));
}

static Z3_ast bit(gw_smt_question *q, Z3_ast a, uint32_t j) {
    Z3_ast two = gw_smt_integer(q, 2), shifted = Z3_mk_div(q->z, a, gw_smt_integer(q, (int64_t)1 << j));
    return Z3_mk_mod(q->z, shifted, two);
}

/* a op mask bit by bit, for a constant that is not negative; NULL if it has too many bits. */
static Z3_ast masked(gw_smt_question *q, gw_opcode code, Z3_ast a, int64_t mask) {
    Z3_ast x = code == GW_OP_AND ? gw_smt_integer(q, 0) : a;
    if (mask < 0) return NULL;
    if (code == GW_OP_AND && (mask & (mask + 1)) == 0 && mask < (int64_t)1 << 40)
        return Z3_mk_mod(q->z, a, gw_smt_integer(q, mask + 1));
    if (mask >= (int64_t)1 << BITS_MOST) return NULL;
    for (uint32_t j = 0; j < BITS_MOST; j++) {
        if (!(mask >> j & 1)) continue;
        /* AND: the bit; OR: 1 - it; XOR: 1 - 2*it */
        Z3_ast one = gw_smt_integer(q, 1), of = bit(q, a, j), change = of;
        if (code != GW_OP_AND) change = difference(q, one, code == GW_OP_OR ? of : sum(q, of, of));
        x = sum(q, x, product(q, gw_smt_integer(q, (int64_t)1 << j), change));
    }
    return x;
}

static Z3_ast compared(gw_smt_question *q, gw_opcode code, Z3_ast a, Z3_ast b) {
    switch (code) {
    case GW_OP_LT:
        return truth(q, Z3_mk_lt(q->z, a, b));
    case GW_OP_LE:
        return truth(q, Z3_mk_le(q->z, a, b));
    case GW_OP_GT:
        return truth(q, Z3_mk_gt(q->z, a, b));
    case GW_OP_GE:
        return truth(q, Z3_mk_ge(q->z, a, b));
    case GW_OP_EQ:
        return truth(q, Z3_mk_eq(q->z, a, b));
    case GW_OP_NE:
        return truth(q, Z3_mk_not(q->z, Z3_mk_eq(q->z, a, b)));
    case GW_OP_IMIN:
        return Z3_mk_ite(q->z, Z3_mk_lt(q->z, a, b), a, b);
    case GW_OP_IMAX:
        return Z3_mk_ite(q->z, Z3_mk_lt(q->z, a, b), b, a);
    default:
        return NULL;
    }
}

/* The value of a pure function of integers; NULL where that is not said. */
static Z3_ast pure(gw_smt_question *q, const gw_atom_data *d, const gw_poly *key, bool other) {
    gw_opcode code = (gw_opcode)d->detail;
    Z3_ast a = gw_smt_poly(q, &key[0], other), b = d->keys > 1 ? gw_smt_poly(q, &key[1], other) : NULL;
    int64_t constant;
    bool of_bools = (d->more & 0xffff) == GW_T_BOOL; /* the type of the first operand */
    if (code == GW_OP_SELECT && d->keys == 3)
        return Z3_mk_ite(q->z, is_true(q, a), b, gw_smt_poly(q, &key[2], other));
    if (code == GW_OP_NOT && of_bools) return difference(q, gw_smt_integer(q, 1), a);
    if (!b) return NULL;
    if (code == GW_OP_SHR && gw_poly_is_constant(&key[1], &constant) && constant >= 0 && constant < 62)
        /* rounds down, as an arithmetic shift does */
        return Z3_mk_div(q->z, a, gw_smt_integer(q, (int64_t)1 << constant));
    if (code != GW_OP_AND && code != GW_OP_OR && code != GW_OP_XOR) return compared(q, code, a, b);
    if (of_bools && code != GW_OP_XOR) {
        Z3_ast both[2] = {is_true(q, a), is_true(q, b)};
        return truth(q, code == GW_OP_AND ? Z3_mk_and(q->z, 2, both) : Z3_mk_or(q->z, 2, both));
    }
    if (gw_poly_is_constant(&key[1], &constant)) return masked(q, code, a, constant);
    if (gw_poly_is_constant(&key[0], &constant)) return masked(q, code, b, constant);
    return NULL;
}

/* The solver may choose a number that threads never have: it knows nothing of the value, or not the order of
 * the list. */
static bool is_made_up(const gw_smt_question *q, const gw_atom_data *d) {
    if (d->kind != GW_ATOM_CELL) return !d->uniform && (d->kind == GW_ATOM_VALUE || d->kind == GW_ATOM_PURE);
    bool sorted = gw_promised(q->n->f, GW_PROMISE_SORTED, d->detail, d->more, "");
    bool begins = gw_promised(q->n->f, GW_PROMISE_DISJOINT_RANGES, d->detail, d->more, ".x");
    return sorted || begins || gw_promised(q->n->f, GW_PROMISE_DISJOINT_RANGES, d->detail, d->more, ".y");
}

/* x ^ c with one c in both threads: equal results, equal x. */
static void bijection(gw_smt_question *q, gw_atom atom, Z3_ast x, bool other) {
    const gw_atom_data d = *gw_atom_at(q->n, atom);
    if (d.kind != GW_ATOM_PURE || d.detail != GW_OP_XOR || d.keys != 2 || d.uniform) return;
    for (uint32_t i = 0; i < q->numbers.count; i++) {
        if (q->numbers.at[i].atom != (gw_atom)(other ? atom : atom | GW_ATOM_OTHER)) continue;
        Z3_ast y = q->numbers.at[i].is;
        for (uint32_t k = 0; k < 2; k++) {
            gw_poly key = q->n->keys.at[d.first_key + k], fixed = q->n->keys.at[d.first_key + 1 - k];
            if (!gw_poly_uniform(q->n, &fixed)) continue;
            Z3_ast same = Z3_mk_eq(q->z, gw_smt_poly(q, &key, other), gw_smt_poly(q, &key, !other));
            hold(q, Z3_mk_iff(q->z, Z3_mk_eq(q->z, x, y), same));
        }
        return;
    }
}

static Z3_ast indices_equal(gw_smt_question *q, const gw_atom_data *a, bool x, const gw_atom_data *b, bool y) {
    Z3_ast all = Z3_mk_true(q->z);
    for (uint32_t k = 0; k < a->keys; k++) {
        gw_poly p = q->n->keys.at[a->first_key + k], r = q->n->keys.at[b->first_key + k];
        all = conjunction(q, all, Z3_mk_eq(q->z, gw_smt_poly(q, &p, x), gw_smt_poly(q, &r, y)));
    }
    return all;
}

/* Cells of one object: equal at equal indices; a list of distinct entries also the other way round. */
static void cells(gw_smt_question *q, gw_atom atom, Z3_ast x, bool other) {
    const gw_atom_data d = *gw_atom_at(q->n, atom);
    for (uint32_t i = 0; i < q->numbers.count && d.kind == GW_ATOM_CELL; i++) {
        gw_smt_number y = q->numbers.at[i];
        const gw_atom_data e = *gw_atom_at(q->n, y.atom);
        bool there = y.atom & GW_ATOM_OTHER;
        if (e.kind != GW_ATOM_CELL || e.detail != d.detail || e.more != d.more || e.keys != d.keys || y.is == x)
            continue;
        Z3_ast same = Z3_mk_eq(q->z, x, y.is), at = indices_equal(q, &d, other, &e, there);
        gw_smt_assert(q, Z3_mk_implies(q->z, at, same), d.assumed | e.assumed);
        if (d.keys == 1 && gw_promised(q->n->f, GW_PROMISE_INJECTIVE, d.detail, d.more, ""))
            gw_smt_assert(q, Z3_mk_implies(q->z, same, at), d.assumed | e.assumed);
    }
}

/* The result of a branch is what its side yields; each side is looked at where the condition is known. */
static bool branch(gw_smt_question *q, gw_value v, Z3_ast x, bool other) {
    gw_chosen by;
    gw_number side[2];
    if (!gw_choice_of(q->n->f, v, &by)) return false;
    gw_context *c = gw_normal_context(q->n, gw_value_region(q->n->f, v));
    for (uint32_t i = 0; i < 2; i++) {
        gw_context *in = gw_normal_case(q->n, c, by.condition, i == 0);
        if (!in) return false;
        gw_normal_exact(q->n, in, i ? by.no : by.yes, &side[i]);
        if (side[i].poly.broken) return false;
    }
    Z3_ast yes = gw_smt_poly(q, &side[0].poly, other), no = gw_smt_poly(q, &side[1].poly, other);
    Z3_ast value = Z3_mk_ite(q->z, gw_smt_condition(q, c, by.condition, other), yes, no);
    gw_smt_assert(q, Z3_mk_eq(q->z, x, value), side[0].assumed | side[1].assumed);
    return true;
}

static void define(gw_smt_question *q, gw_atom atom, Z3_ast x, bool other) {
    const gw_atom_data d = *gw_atom_at(q->n, atom); /* making terms may move the tables */
    gw_poly key[4];
    for (uint32_t i = 0; i < d.keys && i < 4; i++)
        key[i] = q->n->keys.at[d.first_key + i];
    if (d.kind == GW_ATOM_QUOTIENT) {
        quotient(q, x, gw_smt_poly(q, &key[0], other), gw_smt_poly(q, &key[1], other));
    } else if (d.kind == GW_ATOM_PART) {
        hold(q, Z3_mk_eq(q->z, gw_smt_poly(q, &key[0], other), product(q, gw_smt_integer(q, d.more), x)));
    } else if (d.kind == GW_ATOM_WRAPPED) {
        wrapped(q, x, d.detail, gw_smt_poly(q, &key[0], other));
    } else {
        Z3_ast value = d.kind == GW_ATOM_PURE && d.keys ? pure(q, &d, key, other) : NULL;
        if (value)
            hold(q, Z3_mk_eq(q->z, x, value));
        else
            range(q, x, d.low, d.high);
        bool chosen = d.kind == GW_ATOM_VALUE && branch(q, d.value, x, other);
        q->made_up |= !value && !chosen && is_made_up(q, &d);
        bijection(q, atom, x, other);
        cells(q, atom, x, other);
    }
}

Z3_ast gw_smt_atom(gw_smt_question *q, gw_atom a, bool other) {
    gw_atom plain = (gw_atom)(a & ~GW_ATOM_OTHER);
    if (gw_atom_at(q->n, a)->uniform) other = false;
    gw_atom marked = (gw_atom)(other ? plain | GW_ATOM_OTHER : plain);
    for (uint32_t i = 0; i < q->numbers.count; i++)
        if (q->numbers.at[i].atom == marked) return q->numbers.at[i].is;
    Z3_ast x = gw_smt_fresh(q, false);
    gw_push(&q->numbers, ((gw_smt_number){marked, x}));
    define(q, plain, x, other);
    return x;
}

Z3_ast gw_smt_poly(gw_smt_question *q, const gw_poly *p, bool other) {
    Z3_ast total = gw_smt_integer(q, 0);
    for (uint32_t i = 0; i < p->count; i++) {
        Z3_ast term = gw_smt_integer(q, p->term[i].coefficient);
        for (uint32_t k = 0; k < p->term[i].factors; k++)
            term = product(q, term, gw_smt_atom(q, p->term[i].factor[k], other));
        total = sum(q, total, term);
    }
    return total;
}
