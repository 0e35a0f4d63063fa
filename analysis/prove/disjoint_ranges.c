/*
 * disjoint_ranges.c - cells from ranges that the user stated not to overlap (contract: meeting_private.h).
 *
 *   GW_DISJOINT_RANGES(range)   range[t].x <= p < range[t].y and range[u].x <= q < range[u].y and p = q: so t =
 * u GW_SORTED(row)              row[t] <= p < row[t + 1] and the same for q and u: were t < u, then p < row[t +
 * 1] <= row[u] <= q
 *
 * The bounds must follow from what is known where the reference stands; p is its index.
 */
#include "analysis/ir/promises.h"
#include "analysis/prove/meeting_private.h"
#include "analysis/facts/facts.h"

/* Whether the atom is where a range begins, and which one is its end. */
static bool is_begin(const gw_normal *n, gw_atom begin, gw_atom end) {
    const gw_atom_data *a = gw_atom_at(n, begin), *b = gw_atom_at(n, end);
    if (a->kind != GW_ATOM_CELL || b->kind != GW_ATOM_CELL || a->detail != b->detail || a->keys != b->keys ||
        !a->keys)
        return false;
    bool ranges = gw_promised(n->f, GW_PROMISE_DISJOINT_RANGES, a->detail, a->more, ".x") &&
                  gw_promised(n->f, GW_PROMISE_DISJOINT_RANGES, b->detail, b->more, ".y");
    bool sorted = a->more == b->more && gw_promised(n->f, GW_PROMISE_SORTED, a->detail, a->more, "");
    int64_t step = 0;
    for (uint32_t k = 0; k < a->keys; k++) {
        gw_poly p = n->keys.at[b->first_key + k];
        gw_poly_add(&p, -1, NULL, &n->keys.at[a->first_key + k]);
        if (!gw_poly_is_constant(&p, &step) || (k + 1 < a->keys && step != 0)) return false;
    }
    return (ranges && step == 0) || (sorted && step == 1);
}

/* begin <= p < end wherever the reference runs. */
static bool within(const gw_normal *n, const gw_access *r, const gw_poly *p, gw_atom begin, gw_atom end,
                   uint64_t *assumed) {
    gw_poly above = *p, below, first;
    gw_poly_atom(&first, begin);
    gw_poly_atom(&below, end);
    gw_poly_add(&above, -1, NULL, &first);
    gw_poly_add(&below, -1, NULL, p);
    gw_poly_add_constant(&below, -1);
    return gw_prove_nonnegative(n, &r->context->facts, &above, assumed) &&
           gw_prove_nonnegative(n, &r->context->facts, &below, assumed);
}

/* The number at which the range begins that index position i of r lies in; 0 if none is known. */
static gw_atom range_of(const gw_normal *n, const gw_access *r, uint32_t i, uint64_t *assumed) {
    const gw_poly *p = &r->index[i].poly;
    for (uint32_t a = 1; a < n->atoms.count && !p->broken; a++)
        for (uint32_t b = 1; b < n->atoms.count; b++) {
            uint64_t needs = *assumed | r->index[i].assumed | n->atoms.at[a].assumed | n->atoms.at[b].assumed;
            if (!is_begin(n, (gw_atom)a, (gw_atom)b) || !within(n, r, p, (gw_atom)a, (gw_atom)b, &needs))
                continue;
            *assumed = needs;
            return (gw_atom)a;
        }
    return 0;
}

void gw_pair_ranges(gw_pair *m, const gw_access *r, const gw_access *s) {
    const gw_func *f = m->n->f;
    if (!(f->primal ? f->primal : f)->promises.count) return;
    for (uint32_t i = 0; i < r->count && i < s->count; i++) {
        uint64_t assumed = 0;
        gw_atom x = range_of(m->n, r, i, &assumed), y = x ? range_of(m->n, s, i, &assumed) : 0;
        const gw_atom_data *a = gw_atom_at(m->n, x), *b = gw_atom_at(m->n, y);
        if (!y || a->detail != b->detail || a->more != b->more || a->keys != b->keys) continue;
        bool rows = true; /* ranges of one list: all keys but the last are the same in both */
        for (uint32_t k = 0; k + 1 < a->keys; k++)
            rows &= gw_poly_uniform(m->n, &m->n->keys.at[a->first_key + k]) &&
                    gw_poly_equal(&m->n->keys.at[a->first_key + k], &m->n->keys.at[b->first_key + k]);
        if (!rows) continue;
        gw_poly key = m->n->keys.at[a->first_key + a->keys - 1],
                other = m->n->keys.at[b->first_key + b->keys - 1];
        gw_pair_other(m, &other);
        gw_poly_add(&key, -1, NULL, &other);
        m->assumed |= assumed;
        gw_pair_equation(m, &key);
    }
}
