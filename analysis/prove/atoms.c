/*
 * atoms.c - the atoms of normal forms, found by structure: equal making, equal atom (contract: prove.h).
 *
 * What is known of the launch (facts/launch.c) is in the atoms of its dimensions and of parameters: their
 * ranges, a number in the place of what can be one number only, and of a multiple of n, n times its part.
 */
#include "analysis/prove/prove.h"
#include "analysis/facts/facts.h"
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

/* ---- the launch ---- */

/* A quantity of the launch that is a multiple of a number: that many times the part. */
static gw_atom part_of(gw_normal *n, gw_atom a, const gw_launch_range *r) {
    gw_poly key;
    gw_atom_data part = {.kind = GW_ATOM_PART, .more = r->multiple, .uniform = true, .host = true};
    part.low = r->low == INT64_MIN ? r->low : r->low / r->multiple;
    part.high = r->high == INT64_MAX ? r->high : r->high / r->multiple;
    gw_poly_atom(&key, a);
    return gw_atom_make(n, &part, &key, 1);
}

void gw_atoms_of_launch(gw_normal *n) {
    gw_push(&n->atoms, (gw_atom_data){0});
    for (uint32_t attr = 0; attr < GW_LAUNCH_PARAM; attr++) {
        const uint32_t kind = attr / 4, axis = attr % 4;
        const bool index = kind == GW_THREAD_IDX || kind == GW_BLOCK_IDX;
        gw_atom_data a = {.kind = GW_ATOM_SPECIAL, .detail = attr, .uniform = !index, .host = !index};
        if (axis < 3) {
            const uint32_t length = kind == GW_THREAD_IDX || kind == GW_BLOCK_DIM ? GW_BLOCK_DIM : GW_GRID_DIM;
            const gw_launch_range r = gw_launch_known(n->f, n->supposed, GW_SPECIAL_ATTR(length, axis));
            a.low = index ? 0 : r.low;
            a.high = r.high - index;
        }
        gw_push(&n->atoms, a);
    }
    for (uint32_t attr = 0; attr < GW_LAUNCH_PARAM; attr++) {
        const bool is_length = attr / 4 >= GW_BLOCK_DIM && attr % 4 < 3;
        const gw_launch_range r =
            is_length ? gw_launch_known(n->f, n->supposed, attr) : (gw_launch_range){.multiple = 1};
        if (r.multiple > 1) n->part[attr] = part_of(n, (gw_atom)(1 + attr), &r);
    }
}

/* The atom as a polynomial, by what is known of it: one number, or so many parts. */
static void as_known(const gw_normal *n, gw_atom a, gw_atom part, gw_poly *out) {
    const gw_atom_data *d = gw_atom_at(n, a);
    if (d->low == d->high) {
        gw_poly_constant(out, d->low);
    } else if (part) {
        gw_poly_atom(out, part);
        gw_poly_scale(out, gw_atom_at(n, part)->more);
    } else {
        gw_poly_atom(out, a);
    }
    out->broken |= a == 0;
}

void gw_poly_special(const gw_normal *n, uint32_t attr, gw_poly *out) {
    as_known(n, (gw_atom)(1 + attr), n->part[attr], out);
}

void gw_poly_parameter(gw_normal *n, gw_value v, gw_atom_data *a, gw_poly *out) {
    const uint32_t subject = gw_launch_subject(n->f, v);
    gw_launch_range r = {a->low, a->high, 1};
    if (subject) r = gw_launch_known(n->f, n->supposed, subject);
    a->low = r.low;
    a->high = r.high;
    const gw_atom made = gw_atom_make(n, a, NULL, 0);
    as_known(n, made, made && r.multiple > 1 ? part_of(n, made, &r) : 0, out);
}

static uint32_t degree(const gw_term *t, gw_atom a) {
    uint32_t d = 0;
    for (uint32_t i = 0; i < t->factors; i++) d += t->factor[i] == a;
    return d;
}

typedef struct replaced {
    gw_atom part, whole;
} replaced;

static gw_atom whole_of(const void *context, gw_atom a) {
    const replaced *r = context;
    return a == r->part ? r->whole : a;
}

/* p times a power of its multiple, in terms of the whole. */
static void without_part(const gw_normal *n, gw_atom part, gw_poly *p) {
    const gw_atom_data *d = gw_atom_at(n, part);
    replaced r = {.part = part};
    uint32_t most = 0;
    for (uint32_t k = 0; k < p->count; k++)
        if (degree(&p->term[k], part) > most) most = degree(&p->term[k], part);
    for (uint32_t k = 0; k < p->count; k++)
        for (uint32_t i = degree(&p->term[k], part); i < most; i++)
            p->broken |=
                __builtin_mul_overflow(p->term[k].coefficient, (int64_t)d->more, &p->term[k].coefficient);
    const int64_t content = p->broken ? 1 : gw_poly_content(p);
    for (uint32_t k = 0; k < p->count && content > 1; k++) p->term[k].coefficient /= content;
    gw_poly_is_atom(&n->keys.at[d->first_key], &r.whole);
    gw_poly_rename(p, whole_of, &r);
}

void gw_poly_whole(const gw_normal *n, gw_poly *p) {
    for (uint32_t a = 1; a < n->atoms.count && !p->broken; a++) {
        bool any = false;
        for (uint32_t k = 0; k < p->count && n->atoms.at[a].kind == GW_ATOM_PART; k++)
            any |= degree(&p->term[k], (gw_atom)a) != 0;
        if (any) without_part(n, (gw_atom)a, p);
    }
}

uint32_t gw_normal_alone(const gw_normal *n) {
    uint32_t alone = 0;
    for (uint32_t c = 0; c < GW_COORDINATES; c++) {
        const gw_atom_data *d = gw_atom_at(n, gw_atom_special(c < 3 ? GW_THREAD_IDX : GW_BLOCK_IDX, c % 3));
        if (d->low == d->high) alone |= 1u << c;
    }
    return alone;
}

void gw_facts_of_launch(const gw_normal *n, gw_context *c) {
    for (uint32_t grid = 0; grid < 2; grid++)
        for (unsigned axis = 0; axis < 3; axis++) {
            gw_poly room, index;
            gw_poly_special(n, GW_SPECIAL_ATTR(GW_BLOCK_DIM + grid, axis), &room);
            gw_poly_special(n, GW_SPECIAL_ATTR(GW_THREAD_IDX + grid, axis), &index);
            gw_poly_add(&room, -1, NULL, &index);
            gw_poly_add_constant(&room, -1);
            gw_context_add(c, &room, 0);
        }
}

bool gw_poly_is_of_host(const gw_normal *n, const gw_poly *p) {
    for (uint32_t i = 0; i < p->count; i++)
        for (uint32_t k = 0; k < p->term[i].factors; k++)
            if (!gw_atom_at(n, p->term[i].factor[k])->host) return false;
    return !p->broken;
}
