/*
 * atoms.c - the atoms of normal forms, found by structure: equal making, equal atom (contract: prove.h).
 *
 * The limits of launch dimensions are those of every CUDA device (compute capability 3.0 and later); a
 * launch beyond them does not run.
 */
#include "analysis/prove/prove.h"
#include "analysis/prove/normal_ops_private.h"

static bool same_keys(const gw_normal *n, const gw_atom_data *a, const gw_poly *keys, uint32_t count) {
    if (a->keys != count) return false;
    for (uint32_t i = 0; i < count; i++)
        if (!gw_poly_equal(&n->keys.at[a->first_key + i], &keys[i])) return false;
    return true;
}

gw_atom gw_atom_make(gw_normal *n, const gw_atom_data *like, const gw_poly *keys, uint32_t count) {
    for (uint32_t i = 1; i < n->atoms.count; i++) {
        const gw_atom_data *a = &n->atoms.at[i];
        if (a->kind == like->kind && a->detail == like->detail && a->more == like->more &&
            same_keys(n, a, keys, count))
            return (gw_atom)i;
    }
    if (n->atoms.count >= GW_ATOM_OTHER) return 0;
    gw_atom_data made = *like;
    made.first_key = n->keys.count;
    made.keys = count;
    for (uint32_t i = 0; i < count; i++)
        gw_push(&n->keys, keys[i]);
    gw_push(&n->atoms, made);
    return (gw_atom)(n->atoms.count - 1);
}

bool gw_poly_uniform(const gw_normal *n, const gw_poly *p) {
    for (uint32_t i = 0; i < p->count; i++)
        for (uint32_t k = 0; k < p->term[i].factors; k++)
            if (!gw_atom_at(n, p->term[i].factor[k])->uniform) return false;
    return !p->broken;
}

/* Largest block and grid on each axis. */
static const int64_t longest[2][3] = {{1024, 1024, 64}, {2147483647, 65535, 65535}};

void gw_atoms_of_launch(gw_normal *n) {
    const uint32_t bound = gw_launch_bound(n->f);
    gw_push(&n->atoms, (gw_atom_data){0});
    for (uint32_t attr = 0; attr < 16; attr++) {
        uint32_t kind = attr / 4, axis = attr % 4;
        bool index = kind == GW_THREAD_IDX || kind == GW_BLOCK_IDX;
        bool grid = kind == GW_BLOCK_IDX || kind == GW_GRID_DIM;
        gw_atom_data a = {.kind = GW_ATOM_SPECIAL, .detail = attr, .uniform = !index, .host = !index};
        a.low = index ? 0 : 1;
        a.high = (axis < 3 ? longest[grid][axis] : 1) - index;
        /* checked at the launch */
        if (!grid && bound && a.high > (int64_t)bound - index) a.high = (int64_t)bound - index;
        if (axis < 3 && !grid && n->f->block_most[axis]) { /* this, too */
            a.low = index ? 0 : n->f->block_least[axis];
            a.high = (int64_t)n->f->block_most[axis] - index;
        }
        gw_push(&n->atoms, a);
    }
}

void gw_normal_by_width(gw_normal *n, uint32_t width) {
    gw_atom_data *rows = &n->atoms.at[GW_ATOM_BLOCK_ROWS];
    n->width = width;
    rows->low = 1;
    rows->high = n->atoms.at[gw_atom_special(GW_BLOCK_DIM, 0)].high / width;
}

void gw_poly_special(const gw_normal *n, uint32_t attr, gw_poly *out) {
    bool by_rows = n->width && attr == GW_SPECIAL_ATTR(GW_BLOCK_DIM, 0);
    gw_poly_atom(out, by_rows ? GW_ATOM_BLOCK_ROWS : (gw_atom)(1 + attr));
    if (by_rows) gw_poly_scale(out, n->width);
}

void gw_facts_of_launch(const gw_normal *n, gw_context *c) {
    for (int grid = 0; grid < 2; grid++)
        for (unsigned axis = 0; axis < 3; axis++) {
            gw_poly room, index;
            gw_poly_special(n, grid ? GW_SPECIAL_ATTR(GW_GRID_DIM, axis) : GW_SPECIAL_ATTR(GW_BLOCK_DIM, axis),
                            &room);
            gw_poly_atom(&index, gw_atom_special(grid ? GW_BLOCK_IDX : GW_THREAD_IDX, axis));
            gw_poly_add(&room, -1, NULL, &index);
            gw_poly_add_constant(&room, -1);
            gw_context_add(c, &room, 0);
        }
}
