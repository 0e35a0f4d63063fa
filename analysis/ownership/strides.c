/*
 * ownership/strides.c - additions whose cells are one thread's only where rows do not overlap (contract:
 * ownership.h).
 *
 *     const float *c = p.val + y * p.stride + 3 * x;    // x < w: rows are apart where 3 * w <= p.stride
 *
 * Images are so, but for one that is turned upside down, or has one row for all y: its stride is negative, or
 * 0. A launch with such a stride is right, too, so nothing is supposed of it. The kernel asks: where rows are
 * apart, the addition is plain, else it is atomic. What it asks is the same in all threads, and made of what
 * the launch is given.
 *
 * Sound: what is asked is all that the proof of the plain form assumes of the launch, beside what the launch is
 * checked for anyway. It is the proof of pairs.c, against all references, with one step more: that what stands
 * in a row is less than what a uniform factor, the stride, is multiplied by may be assumed (disjoint_split.c).
 * It pays where neighbouring threads' cells are three floats apart, so that their atomic additions go to three
 * times as many sectors; those that fill sectors, or go in vectors, are as fast as plain ones
 * (docs/log/gpu-kernels.md). An adjoint that is new, "p.val[0:n] fresh", is asked about by digits first
 * (digits.c): where that holds and no two additions of a thread are at one cell, each is alone at its cell in a
 * whole launch, for what is asked is the same in all threads; so `fresh` stores it.
 */
#include "analysis/ownership/ownership.h"

#include "analysis/ir/optional.h"
#include "analysis/ir/reasons.h"
#include "analysis/ir/restructure.h"
#include "analysis/ir/rungs.h"
#include "analysis/ownership/strides_private.h"

#include <stdlib.h>
#include <string.h>

enum { PAIR = 8 /* bytes that one instruction adds to */, NOT_X = GW_COORDINATES_ALL & ~9 };

/* ---- who may gain ---- */
/* No sector is filled by such additions, and no instruction makes two of them. */
static bool is_odd(const gw_func *f, gw_op op, const gw_term *lane) {
    const gw_op_data *o = gw_op_at(f, op);
    const char *path = gw_cstr(f->session, o->path), *end = strrchr(path, ']');
    const size_t n = (size_t)(end + 1 - path);
    const gw_type element = gw_cell_type(f, o->object, gw_intern_n(f->session, path, n));
    if (path[n]) return gw_type_layout(f->session, element).align < PAIR;
    return lane->factors > 1 || lane->coefficient > 1 || lane->coefficient < -1;
}

static bool is_apart_from_neighbours(const gw_func *f, const gw_site *site, gw_op op) {
    const gw_atom lane = gw_atom_special(GW_THREAD_IDX, 0);
    const gw_poly *p = site->access.count ? &site->index[site->access.count - 1].poly : NULL;
    for (uint32_t i = 0; p && i < p->count; i++)
        for (uint32_t k = 0; k < p->term[i].factors; k++)
            if (p->term[i].factor[k] == lane) return is_odd(f, op, &p->term[i]);
    return false;
}

static bool may_part(const gw_ownership *w, gw_op op) {
    const gw_func *f = w->f;
    const gw_op_data *o = gw_op_at(f, op);
    const uint32_t asked = gw_asked_rung_at(f, op);
    const bool wanted = asked == GW_RUNG_AUTO || asked == GW_RUNG_OWNED;
    return wanted && o->code == GW_OP_ACCUM && f->form == GW_FORM_GRAD && f->primal &&
           !f->primal->packed.count && !gw_coarsening(f) && !f->session->options.deterministic &&
           !gw_object_is_inner(gw_object_at(f, o->object)->kind) && gw_takes(f->session, GW_OPTIONAL_STRIDES);
}

/* ---- the proof ---- */
/* A copy for which what is supposed so far holds, too; the second time with choices that are sums. */
static gw_ownership *look_again(gw_ownership *w, gw_object o, bool sums) {
    gw_trial **trial = sums ? &w->digit_strides : &w->strides;
    if (!*trial) {
        gw_trial *t = gw_alloc(sizeof *t);
        *t = (gw_trial){.w = gw_alloc(sizeof *t->w)};
        for (uint32_t i = 0; i < w->supposed.count; i++) gw_push(&t->facts, w->supposed.at[i].fact);
        gw_ownership_start_where(t->w, w->f, &t->facts);
        t->w->by_rules = true;
        t->w->n->parts_rows = !sums;
        t->w->n->sums_choices = sums;
        if (sums) t->w->one_long |= NOT_X; /* that, too, the kernel can ask */
        *trial = t;
    }
    gw_ownership *t = (*trial)->w;
    if (!t->refs.count || gw_op_at(w->f, t->refs.at[0])->object != o) gw_ownership_look_at(t, o);
    return t;
}

static void try_one(gw_ownership *w, gw_object o, uint32_t i) {
    uint64_t *left = &w->n->effort->left[GW_EFFORT_PROOFS], before = *left;
    const gw_op op = w->refs.at[i];
    gw_verdict v;
    *left = w->effort;
    gw_ownership *t = look_again(w, o, false);
    const bool gains = is_apart_from_neighbours(w->f, &t->sites.at[t->site_of.at[i]], op);
    if (gains) gw_ownership_judge(t, i, &v);
    w->effort = *left;
    *left = before;
    if (gains && v.owned && v.assumed)
        gw_push(&w->parted, ((gw_parted){.op = op, .object = o, .assumed = v.assumed}));
}

/* ---- by digits ---- */
static bool is_parted(const gw_ownership *w, gw_op op) {
    for (uint32_t i = 0; i < w->parted.count; i++)
        if (w->parted.at[i].op == op) return true;
    return false;
}

static bool may_part_atomic(const gw_ownership *w, gw_op op) {
    return gw_op_at(w->f, op)->attr == GW_ACCUMULATE_ATOMIC && may_part(w, op);
}

/* All that reaches the cells of that path are such additions, each made once at most by a thread. */
static bool may_part_all(const gw_ownership *w, gw_op like) {
    for (uint32_t i = 0; i < w->refs.count; i++) {
        const gw_op op = w->refs.at[i];
        const bool same = gw_op_at(w->f, op)->path == gw_op_at(w->f, like)->path;
        const bool may = same ? may_part_atomic(w, op) && !gw_loop_around(w->f, op)
                              : gw_ownership_other_fields(w->f, op, like);
        if (!may) return false;
    }
    return true;
}

/* Such an addition is a store where rows are apart, which alone gains. */
static bool is_new(const gw_ownership *w, gw_op op) {
    bool any = false;
    for (gw_fresh a = {0}; gw_next_fresh(w->f, &a);) any |= gw_is_of_fresh(w->f, op, &a);
    return any && gw_op_at(w->f, op)->attr == GW_ACCUMULATE_ATOMIC;
}

static void try_digits(gw_ownership *w, gw_object o, gw_op op) {
    uint64_t *left = &w->n->effort->left[GW_EFFORT_PROOFS], before = *left;
    const gw_str path = gw_op_at(w->f, op)->path;
    gw_digits *d = gw_alloc(sizeof *d);
    *left = w->effort;
    const bool parts = gw_digits_find(look_again(w, o, true), o, path, d) && d->distinct;
    w->effort = *left;
    *left = before;
    if (!parts) {
        free(d);
        return;
    }
    gw_push(&w->digits, d);
    for (uint32_t i = 0; i < w->refs.count; i++)
        if (gw_op_at(w->f, w->refs.at[i])->path == path && !is_parted(w, w->refs.at[i]))
            gw_push(&w->parted, ((gw_parted){.op = w->refs.at[i],
                                             .object = o,
                                             .group = w->f->objects.count + w->digits.count,
                                             .assumed = d->assumed,
                                             .digits = w->digits.count}));
}

bool gw_ownership_try_strides(gw_ownership *w, gw_object o) {
    for (uint32_t i = 0; i < w->refs.count; i++)
        if (is_new(w, w->refs.at[i]) && !is_parted(w, w->refs.at[i]) && may_part_all(w, w->refs.at[i]))
            try_digits(w, o, w->refs.at[i]);
    for (uint32_t i = 0; i < w->refs.count; i++)
        if (may_part_atomic(w, w->refs.at[i]) && !is_parted(w, w->refs.at[i])) try_one(w, o, i);
    return true;
}

static void forget_trial(gw_trial *t) {
    if (!t) return;
    gw_ownership_end(t->w);
    free(t->w);
    gw_vec_free(&t->facts);
    free(t);
}

void gw_ownership_forget_strides(gw_ownership *w) {
    forget_trial(w->strides);
    forget_trial(w->digit_strides);
    for (uint32_t i = 0; i < w->digits.count; i++) free(w->digits.at[i]);
    gw_vec_free(&w->digits);
    gw_vec_free(&w->parted);
}

/* ---- what the kernel asks ---- */
typedef GW_VEC(gw_poly) poly_list;
typedef struct asked {
    poly_list list;
    const gw_digits *digits; /* or NULL */
    bool good;               /* it can be asked */
} asked;

/* "blockDim.z <= 1" */
static void add_length(poly_list *list, uint32_t bit) {
    gw_poly one;
    const gw_term length = {.coefficient = -1,
                            .factors = 1,
                            .factor = {gw_atom_special(bit < 2 ? GW_BLOCK_DIM : GW_GRID_DIM, 1 + bit % 2)}};
    gw_poly_constant(&one, 1);
    gw_poly_add_term(&one, &length);
    gw_push(list, one);
}

static bool is_checked(const gw_ownership *w, const gw_poly *p) {
    for (uint32_t i = 0; i < w->n->assumptions.count; i++)
        if ((w->assumed >> (GW_ASSUME_LENGTHS + i) & 1) && gw_poly_equal(&w->n->assumptions.at[i], p))
            return true;
    return false;
}

/* p, unless one that is less by a constant is there; the others that are greater go. */
static void add_least(poly_list *list, const gw_poly *p) {
    for (uint32_t i = 0; i < list->count; i++) {
        gw_poly more = *p;
        int64_t by;
        gw_poly_add(&more, -1, NULL, &list->at[i]);
        if (!gw_poly_is_constant(&more, &by)) continue;
        if (by < 0) list->at[i] = *p;
        return;
    }
    gw_push(list, *p);
}

/* All that the plain additions of a group assume, and the launch is not checked for. */
static void conditions_of(gw_ownership *w, const gw_ownership *trial, uint64_t assumed, asked *a) {
    const gw_normal *n = trial->n;
    for (uint32_t bit = 0; bit < GW_ASSUME_LENGTHS; bit++)
        if (assumed & ~w->assumed & (uint64_t)1 << bit) add_length(&a->list, bit);
    for (uint32_t i = 0; i < n->assumptions.count; i++) {
        gw_poly p = n->assumptions.at[i];
        if (!(assumed >> (GW_ASSUME_LENGTHS + i) & 1)) continue;
        gw_ownership_in_terms_of(w, trial, &p);
        a->good &= !p.broken;
        if (!is_checked(w, &p)) add_least(&a->list, &p);
    }
}

/* What is asked about the object; of additions by digits, each path has its own. */
static void conditions_of_object(gw_ownership *w, gw_object o, asked *a) {
    uint64_t assumed = 0;
    for (uint32_t i = 0; i < w->parted.count; i++)
        if (w->parted.at[i].object == o && !w->parted.at[i].digits) assumed |= w->parted.at[i].assumed;
    *a = (asked){.good = true};
    if (assumed) conditions_of(w, w->strides->w, assumed, a);
    a->good &= a->list.count != 0;
}

/* ---- two forms ---- */
static bool same_conditions(const poly_list *a, const poly_list *b) {
    bool same = a->count == b->count;
    for (uint32_t i = 0; i < a->count && same; i++) same = gw_poly_equal(&a->at[i], &b->at[i]);
    return same;
}

/* Objects of which the same is asked are a group: the first of them stands for all. */
static void form_groups(gw_ownership *w, asked *of) {
    for (uint32_t i = 0; i < w->parted.count; i++) {
        gw_parted *p = &w->parted.at[i];
        for (uint32_t k = 0; k < i && !p->group; k++)
            if (!w->parted.at[k].digits &&
                same_conditions(&of[w->parted.at[k].object].list, &of[p->object].list))
                p->group = w->parted.at[k].group;
        if (!p->group) p->group = p->object;
    }
}

static bool is_of(const gw_ownership *w, gw_op op, gw_object group) {
    for (uint32_t i = 0; i < w->parted.count; i++)
        if (w->parted.at[i].op == op && w->parted.at[i].group == group) return true;
    return false;
}

static bool has_object(const gw_ownership *w, gw_object o, gw_object group) {
    for (uint32_t i = 0; i < w->parted.count; i++)
        if (w->parted.at[i].object == o && w->parted.at[i].group == group) return true;
    return false;
}

/* What an addition of the group may be moved behind. */
static bool may_pass(const gw_ownership *w, gw_op op, gw_object group) {
    const gw_op_data *d = gw_op_at(w->f, op);
    if (d->regions) return false;
    return gw_op_rows[d->code].effect == GW_EFFECT_PURE || d->code == GW_OP_ACCUM ||
           (d->code == GW_OP_LOAD && !has_object(w, d->object, group));
}

/* The last of the additions that can be made together with the first. */
static gw_op last_of(const gw_ownership *w, gw_op first, gw_object group) {
    gw_op last = first;
    for (gw_op op = gw_next(w->f, first); op && may_pass(w, op, group); op = gw_next(w->f, op))
        if (is_of(w, op, group)) last = op;
    return last;
}

static gw_value ask(gw_ownership *w, gw_builder *b, const asked *a, gw_text *text) {
    gw_value all = 0;
    gw_host_side side;
    gw_host_side_within(&side, w->n);
    for (uint32_t i = 0; i < a->list.count; i++) {
        if (i) gw_text_add(text, " and ");
        const gw_value one = gw_host_side_holds(&side, b, &a->list.at[i], text);
        all = all ? gw_binary(b, GW_OP_AND, all, one) : one;
    }
    gw_host_side_end(&side);
    if (!a->digits) return all;
    gw_host_side_within(&side, w->digit_strides->w->n);
    if (all) gw_text_add(text, " and ");
    const gw_value apart = gw_digits_ask(a->digits, &side, b, text);
    gw_host_side_end(&side);
    return all ? gw_binary(b, GW_OP_AND, all, apart) : apart;
}

static gw_why because_of(gw_func *f, gw_reason reason, const char *text) {
    gw_why why = gw_because(reason);
    gw_why_add(f->session, &why, text, 0);
    return why;
}

/* One of them, plain, and its copy, as atomic as it was. */
static void make_two(gw_func *f, gw_op op, gw_builder *plain, gw_builder *atomic, const char *text,
                     bool apart) {
    gw_cloner c = {.from = f, .to = atomic};
    gw_clone_op(&c, op);
    gw_map_free(&c.values);
    gw_map_free(&c.objects);
    gw_decision *d = &f->session->decisions.at[gw_op_at(f, op)->decision];
    d->why = because_of(f, GW_REASON_ROWS_MAY_OVERLAP, text);
    d->witness = 0;
    gw_op_move(f, op, plain->region, 0);
    if (apart) gw_op_at(f, op)->flags |= GW_OP_APART | GW_OP_ALONE;
    gw_ownership_decide(
        f, op, (gw_decision){.how = GW_ACCUMULATE_PLAIN, .why = because_of(f, GW_REASON_ROWS_APART, text)});
}

static void part(gw_ownership *w, gw_op first, gw_object group, const asked *a) {
    gw_func *f = w->f;
    const gw_op last = last_of(w, first, group);
    gw_builder b = {f, gw_op_at(f, first)->parent, gw_next(f, last), gw_op_at(f, first)->loc};
    gw_text text = {0};
    const bool distinct = a->digits && a->digits->distinct;
    const gw_value apart = ask(w, &b, a, &text);
    const gw_op branch = gw_emit(&b, GW_OP_IF, GW_T_VOID, 0, &apart, 1);
    gw_builder plain = {f, gw_region_new(f, branch), 0, b.loc},
               atomic = {f, gw_region_new(f, branch), 0, b.loc};
    for (gw_op op = first, next; op; op = op == last ? 0 : next) {
        next = gw_next(f, op);
        if (is_of(w, op, group)) make_two(f, op, &plain, &atomic, text.at, distinct);
    }
    gw_yield(&plain, NULL, 0);
    gw_yield(&atomic, NULL, 0);
    gw_text_free(&text);
}

/* The first of the region's that is as it was. */
static gw_op first_in(const gw_ownership *w, gw_region r, gw_object group) {
    gw_op op = gw_first(w->f, r);
    while (gw_op_at(w->f, op)->attr != GW_ACCUMULATE_ATOMIC || !is_of(w, op, group)) op = gw_next(w->f, op);
    return op;
}

static void part_group(gw_ownership *w, const gw_parted *p, const asked *a) {
    while (a->good && gw_op_at(w->f, p->op)->attr == GW_ACCUMULATE_ATOMIC)
        part(w, first_in(w, gw_op_at(w->f, p->op)->parent, p->group), p->group, a);
}

void gw_ownership_part_strides(gw_ownership *w) {
    const uint32_t count = w->f->objects.count;
    asked *of = gw_alloc(count * sizeof *of);
    for (gw_object o = 1; o < count && w->parted.count; o++) conditions_of_object(w, o, &of[o]);
    form_groups(w, of);
    for (uint32_t i = 0; i < w->parted.count; i++) {
        const gw_parted p = w->parted.at[i];
        asked by = {.good = true};
        if (p.digits) {
            by.digits = w->digits.at[p.digits - 1];
            conditions_of(w, w->digit_strides->w, p.assumed, &by);
        }
        part_group(w, &p, p.digits ? &by : &of[p.object]);
        gw_vec_free(&by.list);
    }
    for (gw_object o = 1; o < count; o++) gw_vec_free(&of[o].list);
    free(of);
}
