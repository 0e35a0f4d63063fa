/*
 * promised_ranges.c - what GW_DISJOINT_RANGES says of one range (that two have no position in common is
 * disjoint_ranges.c).
 *
 * A range neither ends before it begins, nor does it, if its numbers are unsigned, reach 2^31: so its length is
 * a number that int has, too, and begin + k < end follows from k < end - begin without any wrap. Both ends are
 * cells of memory that the function never writes, of one entry of the list: equal keys, and paths that differ
 * in the last field. An entry that is loaded is there, so the promise holds for it. It is believed, listed as
 * an assumption, and a checked build tests it wherever an end is loaded.
 */
#include "analysis/prove/promised_ranges_private.h"

#include "analysis/facts/facts.h"
#include "analysis/ir/promises.h"

static bool is_range(const gw_func *f, gw_object o, gw_str path, const char *field) {
    const gw_func *of = f->primal ? f->primal : f;
    return of->promises.count && gw_promised(f, GW_PROMISE_DISJOINT_RANGES, o, path, field);
}

void gw_promised_limit(const gw_func *f, gw_atom_data *cell) {
    bool range = is_range(f, cell->detail, cell->more, ".x") || is_range(f, cell->detail, cell->more, ".y");
    if (range && cell->low == 0 && cell->high > INT32_MAX) cell->high = INT32_MAX;
}

static bool same_entry(const gw_normal *n, const gw_atom_data *a, const gw_atom_data *b) {
    bool same =
        a->kind == GW_ATOM_CELL && b->kind == GW_ATOM_CELL && a->detail == b->detail && a->keys == b->keys;
    for (uint32_t i = 0; same && i < a->keys; i++)
        same = gw_poly_equal(&n->keys.at[a->first_key + i], &n->keys.at[b->first_key + i]);
    return same;
}

void gw_promised_range(const gw_normal *n, gw_context *c, const gw_poly *cell) {
    gw_atom one;
    if (!gw_poly_is_atom(cell, &one)) return;
    const gw_atom_data *a = gw_atom_at(n, one);
    bool begins = a->kind == GW_ATOM_CELL && is_range(n->f, a->detail, a->more, ".x");
    if (!begins && !(a->kind == GW_ATOM_CELL && is_range(n->f, a->detail, a->more, ".y"))) return;
    for (uint32_t i = 1; i < n->atoms.count; i++) {
        const gw_atom_data *b = &n->atoms.at[i];
        if (!same_entry(n, a, b) || !is_range(n->f, b->detail, b->more, begins ? ".y" : ".x")) continue;
        gw_poly length, begin;
        gw_poly_atom(&length, begins ? (gw_atom)i : one);
        gw_poly_atom(&begin, begins ? one : (gw_atom)i);
        gw_poly_add(&length, -1, NULL, &begin);
        gw_context_add(c, &length, a->assumed | b->assumed);
    }
}
