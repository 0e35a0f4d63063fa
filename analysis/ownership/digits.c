/*
 * ownership/digits.c - cells that are numbers of several digits, each times a stride that the caller chooses
 * (contract: strides_private.h).
 *
 *     val[(dims[0] == 1 ? 0 : z * strides[0]) + (dims[1] == 1 ? 0 : y * strides[1]) + x * strides[2] + c]
 *
 * A tensor that is dense has a cell for each z, y, x and c. One that is the same for all y has a stride of 0
 * there, or a length of 1; one that overlaps, or is upside down, has others. So the kernel asks, and the
 * addition is plain where each digit that has more than one value has a stride that is longer than all digits
 * below it.
 *
 * Sound: let all references to the cells be sums of the same digits d[k] < n[k], times strides s[k], and of
 * 0 to m times a part u. Where u >= 1, s[0] > m * u or n[0] <= 1, s[k] >= n[j] * s[j] or n[k] <= 1 for the last
 * j < k with n[j] > 1, two cells are one only if all digits and the multiple of u are: the argument of
 * mixed-radix numbers. A cell's number that is taken modulo 2^bits says so, too, where all of them are less
 * than that apart. That threads of which all digits are equal are one thread is a proof as any other
 * (disjoint.c).
 */
#include "analysis/ownership/strides_private.h"

#include <stdlib.h>
#include <string.h>

enum { SPREAD_MOST = 1 << 20 };

static bool is_varying(const gw_normal *n, const gw_term *t) {
    for (uint32_t i = 0; i < t->factors; i++)
        if (!gw_atom_at(n, t->factor[i])->uniform) return true;
    return false;
}

static bool has_launch(const gw_normal *n, const gw_poly *p) {
    for (uint32_t i = 0; i < p->count; i++)
        for (uint32_t k = 0; k < p->term[i].factors; k++)
            if (gw_atom_at(n, p->term[i].factor[k])->kind == GW_ATOM_SPECIAL) return true;
    return false;
}

/* ---- digits ---- */
/* The same quantities differ between threads in both. */
static bool same_varying(const gw_normal *n, const gw_term *a, const gw_term *b) {
    gw_term x = {.coefficient = 1}, y = {.coefficient = 1}, rest;
    for (uint32_t i = 0; i < a->factors; i++)
        if (!gw_atom_at(n, a->factor[i])->uniform) x.factor[x.factors++] = a->factor[i];
    for (uint32_t i = 0; i < b->factors; i++)
        if (!gw_atom_at(n, b->factor[i])->uniform) y.factor[y.factors++] = b->factor[i];
    return x.factors == y.factors && gw_term_divide(&x, &y, &rest);
}

/* All of a quantity is in one of the two. */
static bool parts_cleanly(const gw_normal *n, const gw_poly *e, const gw_poly *r) {
    for (uint32_t i = 0; i < e->count; i++)
        for (uint32_t k = 0; k < r->count; k++)
            if (same_varying(n, &e->term[i], &r->term[k])) return false;
    return e->count && !e->broken && !r->broken;
}

/* Sizes first, then numbers; those with dimensions of the launch are of blocks, and last. */
static unsigned rank_of(const gw_normal *n, const gw_poly *stride) {
    int64_t value;
    if (has_launch(n, stride)) return 2;
    return gw_poly_is_constant(stride, &value);
}

/* The next digit of *rest: of those with the fewest quantities, for a stride divides its multiples, too. */
static bool take_digit(const gw_normal *n, gw_poly *rest, gw_digit *d) {
    gw_stride_list strides;
    gw_poly e, r, left = *rest;
    unsigned best = UINT32_MAX;
    gw_poly_strides(n, rest, &strides);
    for (uint32_t i = 0; i < strides.count; i++) {
        gw_poly_part(n, rest, &strides.at[i], &e, &r);
        const unsigned rank = rank_of(n, &strides.at[i]) * GW_POLY_TERMS + e.count;
        if (rank >= best || !gw_poly_is_of_host(n, &strides.at[i]) || !parts_cleanly(n, &e, &r)) continue;
        best = rank;
        *d = (gw_digit){.number = e, .stride = strides.at[i]};
        left = r;
    }
    if (best == UINT32_MAX) return false;
    if (d->number.term[0].coefficient < 0) {
        gw_poly_scale(&d->number, -1);
        gw_poly_scale(&d->stride, -1);
    }
    *rest = left;
    return true;
}

/* Numbers first, then what loops count, and threadIdx.x: neighbours are next to each other; then y, z, and what
 * only blocks have. */
static unsigned order_of(const gw_normal *n, const gw_digit *d) {
    unsigned order = 1;
    int64_t value;
    if (gw_poly_is_constant(&d->stride, &value)) return 0;
    for (uint32_t i = 0; i < d->number.count; i++)
        for (uint32_t k = 0; k < d->number.term[i].factors; k++) {
            const gw_atom_data *a = gw_atom_at(n, d->number.term[i].factor[k]);
            const bool is_place = a->kind == GW_ATOM_SPECIAL && !a->uniform;
            if (is_place && a->detail / 4 == GW_THREAD_IDX) return 2 + a->detail % 4;
            if (is_place) order = 5;
        }
    return order;
}

static bool comes_before(const gw_normal *n, const gw_digit *a, const gw_digit *b) {
    int64_t x, y;
    if (gw_poly_is_constant(&a->stride, &x) && gw_poly_is_constant(&b->stride, &y)) return x < y;
    return order_of(n, a) < order_of(n, b);
}

static void put_in_order(const gw_normal *n, gw_digits *d) {
    for (uint32_t i = 1; i < d->count; i++)
        for (uint32_t k = i; k && comes_before(n, &d->digit[k], &d->digit[k - 1]); k--) {
            const gw_digit other = d->digit[k];
            d->digit[k] = d->digit[k - 1];
            d->digit[k - 1] = other;
        }
}

/* The digits of the index, and what is left of it in all threads. */
static bool take_digits(const gw_normal *n, const gw_number *index, gw_digits *d, gw_poly *all) {
    gw_poly rest;
    gw_atom atom;
    const gw_poly *p = &index->poly;
    d->assumed = index->assumed;
    if (gw_poly_is_atom(p, &atom) && gw_atom_at(n, atom)->kind == GW_ATOM_WRAPPED) {
        d->bits = gw_type_bits(gw_atom_at(n, atom)->detail);
        p = &n->keys.at[gw_atom_at(n, atom)->first_key];
    }
    gw_poly_zero(&rest);
    gw_poly_zero(all);
    for (uint32_t i = 0; i < p->count; i++)
        gw_poly_add_term(is_varying(n, &p->term[i]) ? &rest : all, &p->term[i]);
    while (rest.count && d->count < GW_DIGITS_MOST)
        if (!take_digit(n, &rest, &d->digit[d->count++])) return false;
    put_in_order(n, d);
    return d->count && !rest.count && !p->broken && gw_poly_is_of_host(n, all);
}

/* ---- how many values a digit has ---- */
/* A condition says it: length - 1 - number >= 0. */
static bool length_by_facts(const gw_normal *n, const gw_context *c, gw_digit *d, uint64_t *assumed) {
    for (uint32_t i = c->facts.count; i-- > 0;) {
        gw_poly most = c->facts.at[i].poly;
        gw_poly_add(&most, 1, NULL, &d->number);
        if (!gw_poly_is_of_host(n, &most)) continue;
        *assumed |= c->facts.at[i].assumed;
        d->length = most;
        gw_poly_add_constant(&d->length, 1);
        return true;
    }
    return false;
}

/* It is the thread's place along an axis, or the block's, or that in the block. */
static bool length_by_launch(const gw_normal *n, gw_digit *d) {
    for (unsigned axis = 0; axis < 3; axis++) {
        gw_poly block, blocks, thread, threads, number, length;
        gw_poly_special(n, GW_SPECIAL_ATTR(GW_BLOCK_IDX, axis), &block);
        gw_poly_special(n, GW_SPECIAL_ATTR(GW_GRID_DIM, axis), &blocks);
        gw_poly_special(n, GW_SPECIAL_ATTR(GW_THREAD_IDX, axis), &thread);
        gw_poly_special(n, GW_SPECIAL_ATTR(GW_BLOCK_DIM, axis), &threads);
        gw_poly_multiply(&number, &block, &threads);
        gw_poly_add(&number, 1, NULL, &thread);
        gw_poly_multiply(&length, &blocks, &threads);
        if (gw_poly_equal(&d->number, &block)) d->length = blocks;
        else if (gw_poly_equal(&d->number, &thread)) d->length = threads;
        else if (gw_poly_equal(&d->number, &number)) d->length = length;
        else continue;
        return true;
    }
    return false;
}

static bool find_lengths(const gw_normal *n, const gw_context *c, gw_digits *d) {
    for (uint32_t i = 0; i < d->count; i++)
        if (!gw_prove_nonnegative(n, &c->facts, &d->digit[i].number, &d->assumed) ||
            (!length_by_facts(n, c, &d->digit[i], &d->assumed) && !length_by_launch(n, &d->digit[i])))
            return false;
    return true;
}

/* ---- all references ---- */
static bool same_digits(const gw_digits *a, const gw_digits *b) {
    bool same = a->count == b->count && a->bits == b->bits;
    for (uint32_t i = 0; i < a->count && same; i++)
        same = gw_poly_equal(&a->digit[i].number, &b->digit[i].number) &&
               gw_poly_equal(&a->digit[i].stride, &b->digit[i].stride) &&
               gw_poly_equal(&a->digit[i].length, &b->digit[i].length);
    return same;
}

/* By the term that is multiplied with the least. */
static bool is_negative(const gw_poly *p) {
    uint32_t at = 0;
    for (uint32_t i = 1; i < p->count; i++)
        if (p->term[i].factors < p->term[at].factors) at = i;
    return p->term[at].coefficient < 0;
}

/* The multiple of the part that p is more than the first reference; the first that is another one says what the
 * part is. */
static bool find_part(gw_digits *d, const gw_poly *p, int64_t *multiple) {
    gw_poly times;
    *multiple = 0;
    if (!p->count) return true;
    if (!d->part.count) {
        const int64_t content = gw_poly_content(p);
        d->part = *p;
        for (uint32_t i = 0; i < p->count; i++) d->part.term[i].coefficient /= content;
        if (is_negative(&d->part)) gw_poly_scale(&d->part, -1);
    }
    return gw_poly_divide(p, &d->part, &times) && gw_poly_is_constant(&times, multiple) &&
           *multiple <= SPREAD_MOST && *multiple >= -SPREAD_MOST;
}

static bool is_one_thread(gw_ownership *t, const gw_site *a, const gw_site *b, gw_digits *d) {
    gw_number number[GW_DIGITS_MOST];
    gw_access r = {.context = a->access.context, .index = number, .count = d->count},
              s = {.context = b->access.context, .index = number, .count = d->count};
    gw_meeting m;
    for (uint32_t i = 0; i < d->count; i++) number[i] = (gw_number){.poly = d->digit[i].number};
    gw_threads_meet(t->n, &r, &s, t->one_long, &m);
    d->assumed |= m.assumed;
    return m.disjoint;
}

typedef struct found {
    gw_ownership *t;
    gw_digits *all;
    gw_poly first; /* what the first reference has beside its digits */
    GW_VEC(const gw_site *) sites;
    GW_VEC(int64_t) parts;
} found;

static bool add_site(found *l, const gw_site *site) {
    const gw_normal *n = l->t->n;
    gw_digits one = {.object = l->all->object, .path = l->all->path};
    gw_poly rest;
    int64_t multiple;
    if (site->access.count != 1 || !take_digits(n, &site->index[0], &one, &rest) ||
        !find_lengths(n, site->access.context, &one))
        return false;
    if (!l->sites.count) {
        l->first = rest;
        *l->all = one;
    }
    if (!same_digits(l->all, &one)) return false;
    l->all->assumed |= one.assumed;
    gw_poly_add(&rest, -1, NULL, &l->first);
    if (rest.broken || !find_part(l->all, &rest, &multiple)) return false;
    gw_push(&l->sites, site);
    gw_push(&l->parts, multiple);
    return true;
}

/* From the least multiple of the part to the most. */
static void spread(const found *l) {
    int64_t least = 0, most = 0;
    l->all->distinct = true;
    for (uint32_t i = 0; i < l->parts.count; i++) {
        if (l->parts.at[i] < least) least = l->parts.at[i];
        if (l->parts.at[i] > most) most = l->parts.at[i];
        for (uint32_t k = 0; k < i; k++) l->all->distinct &= l->parts.at[i] != l->parts.at[k];
    }
    l->all->spread = most - least;
}

static bool are_one_thread(const found *l) {
    for (uint32_t i = 0; i < l->sites.count; i++)
        for (uint32_t k = i; k < l->sites.count; k++)
            if (!is_one_thread(l->t, l->sites.at[i], l->sites.at[k], l->all)) return false;
    return l->sites.count != 0;
}

static bool has_term_of(const gw_poly *p, const gw_poly *stride) {
    gw_term rest;
    int64_t value;
    for (uint32_t i = 0; i < p->count && !gw_poly_is_constant(stride, &value); i++)
        for (uint32_t k = 0; k < stride->count; k++)
            if (gw_term_divide(&p->term[i], &stride->term[k], &rest) && !rest.factors) return true;
    return false;
}

/* A stride that is a number is longer than numbers below it, or nobody meant it to be; one is a size. */
static bool may_hold(const gw_digits *d) {
    int64_t part = 0, stride, length, room = 1;
    bool known = !d->part.count || gw_poly_is_constant(&d->part, &part), any = false;
    room += part * d->spread;
    for (uint32_t i = 0; i < d->count; i++) {
        if (has_term_of(&d->part, &d->digit[i].stride)) return false;
        const bool is_number = gw_poly_is_constant(&d->digit[i].stride, &stride),
                   is_counted = gw_poly_is_constant(&d->digit[i].length, &length);
        any |= !is_number;
        if (is_counted && length <= 1) continue;
        if (is_number && (!known || stride < room)) return false;
        known &= is_number && is_counted && !__builtin_mul_overflow(stride, length, &room);
    }
    return any;
}

bool gw_digits_find(gw_ownership *t, gw_object object, gw_str path, gw_digits *out) {
    found l = {.t = t, .all = out};
    bool good = true;
    *out = (gw_digits){.object = object, .path = path};
    for (uint32_t i = 0; i < t->sites.count && good; i++)
        if (gw_op_at(t->f, t->sites.at[i].op)->path == path) good = add_site(&l, &t->sites.at[i]);
    spread(&l);
    good = good && may_hold(out) && are_one_thread(&l);
    gw_vec_free(&l.sites);
    gw_vec_free(&l.parts);
    return good;
}

/* ---- what the kernel asks ---- */
static const int64_t int_most = INT32_MAX, length_most = (int64_t)1 << 32;

typedef struct question {
    const gw_host_side *side;
    gw_builder *b;
    gw_text *text;
    gw_value all; /* what is asked so far; 0: nothing */
} question;

static void ask(question *q, gw_value holds) {
    q->all = q->all ? gw_binary(q->b, GW_OP_AND, q->all, holds) : holds;
}

static gw_value whole(question *q, int64_t value) { return gw_int(q->b, GW_T_I64, value); }

/* x - x*c, for a c that is 0 or 1. */
static bool is_unless(const gw_normal *n, const gw_poly *p, gw_poly *x, gw_atom *c) {
    gw_term rest;
    for (uint32_t i = 0; i < 2 && p->count == 2; i++) {
        if (!gw_term_divide(&p->term[1 - i], &p->term[i], &rest) || rest.factors != 1 ||
            p->term[0].coefficient != -p->term[1].coefficient ||
            gw_atom_at(n, rest.factor[0])->kind != GW_ATOM_PURE)
            continue;
        gw_poly_zero(x);
        gw_poly_add_term(x, &p->term[i]);
        *c = rest.factor[0];
        return true;
    }
    return false;
}

/* A number of which at most `most` counts; more is asked against, so that no product overflows. */
static gw_value bounded(question *q, const gw_poly *p, int64_t most) {
    int64_t low, high;
    gw_poly x;
    gw_atom c;
    const bool is_choice = is_unless(q->side->n, p, &x, &c);
    gw_poly_range(q->side->n, is_choice ? &x : p, &low, &high);
    gw_value v = gw_host_side_sum(q->side, q->b, is_choice ? &x : p, GW_T_I64, false);
    if (is_choice)
        v = gw_select(q->b, gw_host_side_truth(q->side, q->b, gw_atom_at(q->side->n, c)), whole(q, 0), v);
    if (high <= most) return v;
    ask(q, gw_binary(q->b, GW_OP_LE, v, whole(q, most)));
    return gw_binary(q->b, GW_OP_IMIN, v, whole(q, most));
}

/* As people read it: "4 * p.strides[1]", whatever else it is by a condition. */
static void say(question *q, const gw_poly *p) {
    gw_poly x;
    gw_atom c;
    gw_poly_text(q->side->n, is_unless(q->side->n, p, &x, &c) ? &x : p, q->text);
}

/* How far apart the parts of one thread are. */
static gw_value ask_part(question *q, const gw_digits *d) {
    int64_t value;
    if (!d->part.count) return whole(q, 1);
    if (gw_poly_is_constant(&d->part, &value)) return whole(q, 1 + d->spread * value);
    const gw_value part = bounded(q, &d->part, int_most);
    ask(q, gw_binary(q->b, GW_OP_GE, part, whole(q, 1)));
    return gw_binary(q->b, GW_OP_ADD, gw_binary(q->b, GW_OP_MUL, part, whole(q, d->spread)), whole(q, 1));
}

/* "2 * p.strides[3] < p.strides[2], p.width * p.strides[2] <= p.strides[1]" */
static void say_all(question *q, const gw_digits *d) {
    gw_poly below = d->part;
    gw_poly_scale(&below, d->spread);
    for (uint32_t i = 0; i < d->count; i++) {
        if (i) gw_text_add(q->text, ", ");
        if (i) say(q, &d->digit[i - 1].length);
        if (i) gw_text_add(q->text, " * ");
        say(q, i ? &d->digit[i - 1].stride : &below);
        gw_text_add(q->text, i ? " <= " : " < ");
        say(q, &d->digit[i].stride);
    }
}

gw_value gw_digits_ask(const gw_digits *d, const gw_host_side *side, gw_builder *b, gw_text *text) {
    question q = {.side = side, .b = b, .text = text};
    gw_value room = ask_part(&q, d); /* what is below a digit is less */
    for (uint32_t i = 0; i < d->count; i++) {
        const gw_value length = bounded(&q, &d->digit[i].length, length_most),
                       stride = bounded(&q, &d->digit[i].stride, int_most),
                       single = gw_binary(b, GW_OP_LE, length, whole(&q, 1));
        ask(&q, gw_binary(b, GW_OP_OR, single, gw_binary(b, GW_OP_GE, stride, room)));
        if (i + 1 < d->count || d->bits)
            room = gw_select(b, single, room, gw_binary(b, GW_OP_MUL, stride, length));
    }
    if (d->bits && d->bits < 64)
        ask(&q, gw_binary(b, GW_OP_LE, room, whole(&q, (int64_t)1 << d->bits)));
    say_all(&q, d);
    return q.all;
}
