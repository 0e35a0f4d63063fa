/*
 * disjoint_atoms.c - what follows for two threads from the making of an atom (contract: meeting_private.h).
 *
 *   agree   If an atom that is an injective function of a quantity has one value in both threads, so has the
 * quantity: x ^ c with a uniform c; a cell of a list whose entries the user declared distinct; x reduced to its
 * type where both threads' x are less than 2^bits apart. congruence  Equal makings, equal atoms. unwrap  In an
 * equation between integers a wrapped quantity may be replaced by what was wrapped, if the whole is then read
 * modulo 2^bits; where its two sides are less than 2^bits apart, it is an equation between integers again.
 */
#include "analysis/ir/promises.h"
#include "analysis/prove/meeting_private.h"
#include "analysis/facts/facts.h"

#include <stdlib.h>

/* ---- agree ---- */
static void key_agrees(gw_pair *m, const gw_poly *key) {
    gw_poly p = *key, other = *key;
    gw_pair_other(m, &other);
    gw_poly_add(&p, -1, NULL, &other);
    gw_pair_equation(m, &p);
}

void gw_pair_agree(gw_pair *m, gw_atom a) {
    const gw_atom_data d = *gw_atom_at(m->n, a);
    if (d.keys == 0 || d.keys > 2) return;
    gw_poly key[2] = {m->n->keys.at[d.first_key], m->n->keys.at[d.first_key + d.keys - 1]};
    if (d.kind == GW_ATOM_PURE && d.detail == GW_OP_XOR) {
        if (gw_poly_uniform(m->n, &key[1])) key_agrees(m, &key[0]);
        if (gw_poly_uniform(m->n, &key[0])) key_agrees(m, &key[1]);
    } else if (d.kind == GW_ATOM_CELL && gw_promised(m->n->f, GW_PROMISE_INJECTIVE, d.detail, d.more, "")) {
        m->assumed |= d.assumed;
        if (d.keys == 1 || gw_poly_uniform(m->n, &key[0])) key_agrees(m, &key[d.keys - 1]);
    } else if (d.kind == GW_ATOM_WRAPPED) {
        gw_poly p = key[0], other = key[0];
        gw_pair_other(m, &other);
        gw_poly_add(&p, -1, NULL, &other);
        if (gw_pair_below_range(m, &p, d.detail)) gw_pair_equation(m, &p);
    }
}

/* ---- congruence ---- */
bool gw_pair_congruent(gw_pair *m, gw_atom *found) {
    for (uint32_t i = 1; i < m->n->atoms.count; i++) {
        const gw_atom_data *d = &m->n->atoms.at[i];
        bool agrees = d->keys > 0 && !d->uniform;
        for (uint32_t k = 0; k < m->renamed.count && agrees; k++)
            agrees = m->renamed.at[k].from != (gw_atom)(i | GW_ATOM_OTHER);
        for (uint32_t k = 0; k < d->keys && agrees; k++) {
            gw_poly other = m->n->keys.at[d->first_key + k];
            gw_pair_other(m, &other);
            agrees = gw_poly_equal(&m->n->keys.at[d->first_key + k], &other);
        }
        if (!agrees) continue;
        m->assumed |= d->assumed;
        *found = (gw_atom)i;
        return true;
    }
    return false;
}

/* ---- unwrap ---- */

/* A factor of the term that is wrapped; 0 if none is. */
static gw_atom wrapped_factor(const gw_normal *n, const gw_term *t) {
    for (uint32_t i = 0; i < t->factors; i++)
        if (gw_atom_at(n, t->factor[i])->kind == GW_ATOM_WRAPPED) return t->factor[i];
    return 0;
}

/* p with one wrapped factor of each term replaced; the narrowest type of them, GW_T_VOID if there is none. */
static gw_type replace_wrapped(gw_pair *m, const gw_poly *p, gw_poly *out) {
    gw_type narrowest = GW_T_VOID;
    gw_poly_zero(out);
    for (uint32_t i = 0; i < p->count; i++) {
        gw_atom a = wrapped_factor(m->n, &p->term[i]);
        if (!a) {
            gw_poly_add_term(out, &p->term[i]);
            continue;
        }
        const gw_atom_data *d = gw_atom_at(m->n, a);
        gw_term by = {.coefficient = 1, .factors = 1, .factor = {a}}, rest;
        gw_poly key = m->n->keys.at[d->first_key];
        if (a & GW_ATOM_OTHER) gw_pair_other(m, &key);
        gw_term_divide(&p->term[i], &by, &rest);
        gw_poly_add(out, p->term[i].coefficient, &rest, &key);
        if (narrowest == GW_T_VOID || gw_type_bits(d->detail) < gw_type_bits(narrowest)) narrowest = d->detail;
    }
    return narrowest;
}

bool gw_pair_below_range(gw_pair *m, const gw_poly *p, gw_type t) {
    gw_poly limit;
    uint32_t bits = gw_type_bits(t);
    uint64_t before = m->assumed;
    gw_poly_constant(&limit, (int64_t)1 << (bits < 62 ? bits : 62));
    if (p->broken) return false;
    if (gw_pair_below(m, p, &limit)) return true;
    m->assumed = before;
    for (int sign = -1; sign <= 1; sign += 2) {
        gw_poly room = limit;
        gw_poly_add(&room, sign, NULL, p);
        gw_poly_add_constant(&room, -1);
        if (gw_prove_nonnegative(m->n, &m->facts, &room, &m->assumed)) continue;
        if (bits < 32 || !gw_assume_nonnegative(m->n, &m->facts, &room, GW_ASSUMED_NO_WRAP, &m->assumed)) {
            m->assumed = before;
            return false;
        }
    }
    return true;
}

bool gw_pair_unwrap(gw_pair *m, uint32_t which) {
    gw_poly replaced;
    gw_type t = replace_wrapped(m, &m->equations.at[which], &replaced);
    if (t == GW_T_VOID || replaced.broken || !gw_pair_below_range(m, &replaced, t)) return false;
    m->equations.at[which] = replaced;
    return true;
}
