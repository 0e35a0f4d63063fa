/*
 * accumulate/branches.c - additions to one cell in branches that stand one behind the other become one behind
 * them, and what is zero unless one of the branches is taken is added with it (contract: accumulate.h).
 *
 *     if (a) { ...; d_c[list[t]] += v; }                any = false, sum = 0;
 *     if (b) { ...; d_c[list[t]] += w; }                if (a) { ...; sum = v; any = true; }
 *     d_m[list[t]] += of_a + of_b;           ->         if (b) { ...; sum += w; any = true; }
 *                                                       if (any) { d_c[list[t]] += sum; d_m[list[t]] += ...; }
 *
 * So the pixels of one thread add to their splat once, lanes sum one value in place of one for each pixel, and
 * a warp in which nobody has any passes over the sum (accumulate/skip.c).
 *
 * Sound because additions commute: between each of them and the new one nothing accesses the object otherwise
 * and no threads meet. The new one runs where one of the old ones ran, in the same cell: its indices are the
 * same values, or made by the same pure ops of the same values, or loaded from the same cells, which nothing
 * between writes and where no threads meet. Which cells exist, the old additions have seen. An atomic addition
 * stays atomic. Floats and doubles alone: a sum of halves would be rounded each time, in another order. With
 * --deterministic additions stay where they are, since rows count them by their places.
 */
#include "analysis/facts/facts.h"
#include "analysis/ir/passes.h"
#include "analysis/ir/restructure.h"
#include "rewriters/accumulate/accumulate_private.h"

#include <stdlib.h>

enum { MOST_PLACES = 8, MOST_CELLS = 24, MOST_DEPTH = 24, MOST_INDICES = 8 };

/* A region in which one of the additions stands: by its end, which stays the same op where the branch around it
 * is made anew. */
typedef struct places {
    gw_op end[MOST_PLACES];
    uint32_t count;
} places;

typedef struct cell {
    gw_op add[MOST_PLACES]; /* one in each place; or the first alone, behind the branches */
    bool behind;
} cell;

typedef struct bundle {
    gw_func *f;
    gw_region r; /* of the branches */
    places at;
    cell cells[MOST_CELLS];
    uint32_t count;
    gw_op last; /* behind which the addition goes */
} bundle;

static gw_region region_of(const gw_func *f, gw_op end) { return gw_op_at(f, end)->parent; }

static gw_value added(const gw_func *f, gw_op add) { return gw_operand(f, add, gw_index_count(f, add)); }

static bool is_wanted(const gw_func *f, gw_op op) {
    if (!gw_rung_climbs(f, op) || gw_index_count(f, op) > MOST_INDICES) return false;
    const gw_type type = gw_added_type(f, op);
    return type == GW_T_F32 || type == GW_T_F64;
}

/* Through branches alone. */
static bool leads_out(const gw_func *f, gw_op op, gw_region r) {
    for (; gw_op_at(f, op)->parent != r; op = gw_op_around(f, op))
        if (gw_op_at(f, gw_op_around(f, op))->code != GW_OP_IF) return false;
    return true;
}

/* ---- one cell ---- */
/* Nothing from the one to the other writes the object, and no threads meet: both stand in r, or deeper. */
static bool is_unwritten(const gw_func *f, gw_region r, gw_op x, gw_op y, gw_object object) {
    gw_op from = gw_holder(f, x, r), to = gw_holder(f, y, r);
    if (!from || !to) return false;
    if (gw_comes_before(f, to, from)) from = to, to = gw_holder(f, x, r);
    for (gw_op op = from; op; op = gw_next(f, op)) {
        if (gw_touches(f, op, object, GW_TOUCH_WRITE) || gw_holds_barrier(f, op)) return false;
        if (op == to) return true;
    }
    return false;
}

/* The same numbers, though made twice: by the same pure ops, or loaded from one cell. */
static bool is_same_value(const gw_func *f, gw_region r, gw_value x, gw_value y, int depth) {
    const gw_op p = gw_value_at(f, x)->op, q = gw_value_at(f, y)->op;
    if (x == y) return true;
    if (!p || !q || depth > MOST_DEPTH || gw_typeof(f, x) != gw_typeof(f, y)) return false;
    const gw_op_data *a = gw_op_at(f, p), *b = gw_op_at(f, q);
    if (a->code == GW_OP_CONST) return b->code == GW_OP_CONST && gw_same_number(f, x, y);
    const bool loads = a->code == GW_OP_LOAD;
    if (a->code != b->code || a->attr != b->attr || a->operands != b->operands || a->regions || b->regions)
        return false;
    if (!loads && !gw_is_cheap(f, p)) return false;
    if (a->object != b->object || a->path != b->path || a->flags != b->flags) return false;
    if (a->imm.i != b->imm.i || (loads && (a->flags || !is_unwritten(f, r, p, q, a->object)))) return false;
    for (uint32_t i = 0; i < a->operands; i++)
        if (!is_same_value(f, r, gw_operand(f, p, i), gw_operand(f, q, i), depth + 1)) return false;
    return true;
}

static bool is_same_cell(const gw_func *f, gw_region r, gw_op x, gw_op y) {
    const gw_op_data *a = gw_op_at(f, x), *b = gw_op_at(f, y);
    if (a->object != b->object || a->path != b->path || a->attr != b->attr) return false;
    if (gw_index_count(f, x) != gw_index_count(f, y)) return false;
    for (uint32_t i = 0; i < gw_index_count(f, x); i++)
        if (!is_same_value(f, r, gw_operand(f, x, i), gw_operand(f, y, i), 0)) return false;
    return true;
}

/* v can be made behind `last` as it was where it is used: nothing from `first` on writes what it loads. */
static bool is_made_again(const bundle *b, gw_value v, gw_op first, int depth) {
    const gw_func *f = b->f;
    const gw_op op = gw_value_at(f, v)->op;
    if (gw_value_visible(f, v, b->r) && (!op || region_of(f, op) != b->r || !gw_comes_before(f, b->last, op)))
        return true;
    if (!op || depth > MOST_DEPTH) return false;
    const gw_op_data *o = gw_op_at(f, op);
    if (o->code != GW_OP_LOAD && !gw_is_cheap(f, op)) return false;
    if (o->code == GW_OP_LOAD && (o->flags || !is_unwritten(f, b->r, first, b->last, o->object))) return false;
    for (uint32_t i = 0; i < o->operands; i++)
        if (!is_made_again(b, gw_operand(f, op, i), first, depth + 1)) return false;
    return true;
}

/* The addition may go behind `last`, with its indices. */
static bool may_go(const bundle *b, gw_op add) {
    const gw_func *f = b->f;
    const gw_object object = gw_op_at(f, add)->object;
    gw_op at = add;
    for (; region_of(f, at) != b->r; at = gw_op_around(f, at))
        if (gw_cannot_pass(f, at, 0, object)) return false;
    if (at != b->last && gw_cannot_pass(f, at, gw_next(f, b->last), object)) return false;
    for (uint32_t i = 0; i < gw_index_count(f, add); i++)
        if (!is_made_again(b, gw_operand(f, add, i), at, 0)) return false;
    return true;
}

static bool all_may_go(const bundle *b) {
    for (uint32_t i = 0; i < b->count; i++)
        for (uint32_t k = 0; k < (b->cells[i].behind ? 1 : b->at.count); k++)
            if (!may_go(b, b->cells[i].add[k])) return false;
    return true;
}

/* ---- additions in branches ---- */
/* The first addition of this region that reaches the cell. */
static gw_op partner_in(const bundle *b, gw_region in, gw_op add) {
    for (gw_op op = gw_first(b->f, in); op; op = gw_next(b->f, op))
        if (is_wanted(b->f, op) && is_same_cell(b->f, b->r, add, op)) return op;
    return 0;
}

/* In the branch `top`, at any depth. */
static gw_op partner_below(const gw_func *f, gw_op top, gw_op add) {
    const gw_region r = region_of(f, top);
    for (gw_op op = gw_walk_op(f, top, top); op; op = gw_walk_op(f, op, top))
        if (is_wanted(f, op) && leads_out(f, op, r) && is_same_cell(f, r, add, op)) return op;
    return 0;
}

static void find_partners(bundle *b, gw_op add) {
    const gw_func *f = b->f;
    gw_op top = gw_holder(f, add, b->r);
    b->count = b->at.count = 1;
    b->cells[0] = (cell){{add}, false};
    b->at.end[0] = gw_region_end(f, region_of(f, add));
    b->last = top;
    for (top = gw_next(f, top); top && b->at.count < MOST_PLACES; top = gw_next(f, top)) {
        gw_op other = gw_op_at(f, top)->code == GW_OP_IF ? partner_below(f, top, add) : 0;
        if (!other) continue;
        b->cells[0].add[b->at.count] = other;
        b->at.end[b->at.count++] = gw_region_end(f, region_of(f, other));
        b->last = top;
    }
}

/* Other cells that all the places add to. */
static void find_cells(bundle *b) {
    const gw_func *f = b->f;
    for (gw_op op = gw_first(f, region_of(f, b->at.end[0])); op && b->count < MOST_CELLS; op = gw_next(f, op)) {
        cell *c = &b->cells[b->count];
        bool all = is_wanted(f, op);
        for (uint32_t i = 0; i < b->count && all; i++) all = !is_same_cell(f, b->r, op, b->cells[i].add[0]);
        c->add[0] = op;
        c->behind = false;
        for (uint32_t i = 1; i < b->at.count && all; i++)
            all = (c->add[i] = partner_in(b, region_of(f, b->at.end[i]), op)) != 0;
        for (uint32_t i = 0; i < b->at.count && all; i++) all = may_go(b, c->add[i]);
        b->count += all;
    }
}

/* ---- sums that are zero unless a branch is taken ---- */
static bool add_place(const gw_func *f, places *p, gw_region r) {
    for (uint32_t i = 0; i < p->count; i++)
        if (region_of(f, p->end[i]) == r) return true;
    if (p->count == MOST_PLACES) return false;
    p->end[p->count++] = gw_region_end(f, r);
    return true;
}

/* One value, or zeros. */
static bool is_as_kept(const gw_func *f, gw_value v, gw_value kept) {
    return v == kept || (gw_is_zero(f, v) && gw_is_zero(f, kept));
}

static bool is_kept(const gw_func *f, gw_value v, gw_region r) {
    return gw_is_zero(f, v) || gw_value_visible(f, v, r);
}

/* The innermost region under `in`, of branches that leave the number as it was, that makes it anew. */
static gw_region innermost(const gw_func *f, gw_region in, gw_value made, gw_value kept) {
    for (;;) {
        const gw_op branch = gw_made_by(f, made, GW_OP_IF);
        if (!branch || region_of(f, branch) != in) return in;
        const uint32_t k = gw_value_at(f, made)->index;
        const bool then = !is_as_kept(f, gw_arm_value(f, branch, 0, k), kept);
        if (then != is_as_kept(f, gw_arm_value(f, branch, 1, k), kept)) return in;
        in = gw_op_at(f, branch)->region[then ? 0 : 1];
        made = gw_arm_value(f, branch, then ? 0 : 1, k);
    }
}

/* v of region r is 0 unless one of the places is come to, which are added. */
static bool find_places(const gw_func *f, gw_region r, gw_value v, places *p, int depth) {
    const gw_op op = gw_value_at(f, v)->op;
    if (gw_is_zero(f, v)) return true;
    if (!op || region_of(f, op) != r || depth > MOST_DEPTH) return false;
    const uint16_t code = gw_op_at(f, op)->code;
    if (code == GW_OP_ADD || code == GW_OP_SUB)
        return find_places(f, r, gw_operand(f, op, 0), p, depth + 1) &&
               find_places(f, r, gw_operand(f, op, 1), p, depth + 1);
    if (code == GW_OP_NEG) return find_places(f, r, gw_operand(f, op, 0), p, depth + 1);
    const uint32_t k = gw_value_at(f, v)->index;
    for (uint32_t side = 0; side < (code == GW_OP_IF ? 2u : 0u); side++) {
        const gw_value made = gw_arm_value(f, op, side, k), kept = gw_arm_value(f, op, 1 - side, k);
        if (!is_kept(f, kept, r) || is_kept(f, made, r)) continue;
        return add_place(f, p, innermost(f, gw_op_at(f, op)->region[side], made, kept)) &&
               find_places(f, r, kept, p, depth + 1);
    }
    return false;
}

static bool is_in(const gw_func *f, const places *p, gw_op end) {
    for (uint32_t i = 0; i < p->count; i++)
        if (region_of(f, p->end[i]) == region_of(f, end)) return true;
    return false;
}

/* Additions behind the branches of what is zero unless one of the places comes. */
static void find_behind(bundle *b) {
    const gw_func *f = b->f;
    for (gw_op op = gw_next(f, b->last); op && b->count < MOST_CELLS; op = gw_next(f, op)) {
        places p = {{0}, 0};
        if (gw_holds_barrier(f, op)) return;
        if (!is_wanted(f, op)) continue;
        bool all = find_places(f, b->r, added(f, op), &p, 0) && p.count;
        for (uint32_t i = 0; i < p.count && all; i++) all = is_in(f, &b->at, p.end[i]);
        if (!all) continue;
        const gw_op before = b->last;
        b->cells[b->count++] = (cell){{op}, true};
        b->last = op;
        if (all_may_go(b)) continue;
        b->last = before;
        b->count--;
    }
}

/* ---- the change ---- */
typedef struct carried {
    gw_value any, sum[MOST_CELLS]; /* of the cells that are added to in the places, in their order */
} carried;

/* What place i adds to what is carried leaves its branches. */
static void carry_out(bundle *b, uint32_t place, carried *c) {
    gw_func *f = b->f;
    gw_value made[MOST_CELLS + 1], kept[MOST_CELLS + 1];
    uint32_t n = 0;
    gw_builder in = {f, region_of(f, b->at.end[place]), b->at.end[place], gw_op_at(f, b->at.end[place])->loc};
    kept[n] = c->any;
    made[n++] = gw_int(&in, GW_T_BOOL, 1);
    for (uint32_t i = 0; i < b->count; i++) {
        if (b->cells[i].behind) continue;
        const gw_op add = b->cells[i].add[place];
        const gw_value v = added(f, add);
        kept[n] = c->sum[i];
        made[n++] = gw_is_zero(f, c->sum[i]) ? v : gw_binary(&in, GW_OP_ADD, c->sum[i], v);
    }
    gw_region at = in.region;
    while (at != b->r) {
        const gw_op branch = gw_region_at(f, at)->parent;
        const bool other = gw_op_at(f, branch)->region[1] == at;
        const uint32_t before = gw_op_at(f, branch)->results;
        const bool last = branch == b->last;
        const gw_op now = gw_if_rebuild(f, branch, NULL, other ? kept : made, other ? made : kept, n);
        for (uint32_t i = 0; i < n; i++) made[i] = gw_result(f, now, before + i);
        if (last) b->last = now;
        at = region_of(f, now);
    }
    c->any = made[0];
    gw_value_at(f, c->any)->name = gw_intern(f->session, "adds");
    n = 1;
    for (uint32_t i = 0; i < b->count; i++)
        if (!b->cells[i].behind) c->sum[i] = made[n++];
}

/* Indices at the builder; what two of them have in common is made once. */
typedef struct indices {
    gw_builder at;
    GW_VEC(gw_value) from; /* and what stands for it */
    GW_VEC(gw_value) to;
} indices;

static gw_value make_again(indices *w, const bundle *b, gw_value v) {
    gw_func *f = b->f;
    const gw_op op = gw_value_at(f, v)->op;
    for (uint32_t i = 0; i < w->from.count; i++)
        if (is_same_value(f, b->r, w->from.at[i], v, 0)) return w->to.at[i];
    if (gw_value_visible(f, v, w->at.region)) return v;
    gw_cloner c = {.from = f, .to = &w->at};
    for (uint32_t i = 0; i < gw_op_at(f, op)->operands; i++) {
        const gw_value x = gw_operand(f, op, i);
        gw_map_set(&c.values, x, make_again(w, b, x));
    }
    gw_clone_op(&c, op);
    const gw_value made = gw_clone_value(&c, v);
    gw_map_free(&c.values);
    gw_map_free(&c.objects);
    gw_push(&w->from, v);
    gw_push(&w->to, made);
    return made;
}

static void add_cell(indices *w, const bundle *b, const cell *c, gw_value sum) {
    gw_func *f = b->f;
    const gw_op_data old = *gw_op_at(f, c->add[0]);
    gw_value index[MOST_INDICES];
    const uint32_t n = gw_index_count(f, c->add[0]);
    uint32_t origin = old.origin;
    for (uint32_t i = 0; i < n; i++) index[i] = make_again(w, b, gw_operand(f, c->add[0], i));
    gw_op made = gw_accum(&w->at, old.object, old.path, index, n, sum);
    for (uint32_t k = 0; k < (c->behind ? 1 : b->at.count); k++) {
        if (gw_op_at(f, c->add[k])->origin != origin) origin = 0;
        gw_op_remove(f, c->add[k]);
    }
    gw_op_data *o = gw_op_at(f, made);
    o->attr = old.attr;
    o->flags = old.flags;
    o->note = old.note;
    o->decision = old.decision;
    o->origin = origin;
    o->loc = old.loc;
}

static void join(bundle *b) {
    gw_func *f = b->f;
    const gw_op top = gw_holder(f, b->at.end[0], b->r);
    gw_builder before = {f, b->r, top, gw_op_at(f, top)->loc};
    carried c = {.any = gw_int(&before, GW_T_BOOL, 0)};
    for (uint32_t i = 0; i < b->count; i++)
        if (!b->cells[i].behind) c.sum[i] = gw_real(&before, gw_added_type(f, b->cells[i].add[0]), 0);
    for (uint32_t i = 0; i < b->at.count; i++) carry_out(b, i, &c);
    before.before = gw_next(f, b->last);
    const gw_op branch = gw_emit(&before, GW_OP_IF, GW_T_VOID, 0, &c.any, 1);
    indices w = {.at = {f, gw_region_new(f, branch), 0, before.loc}};
    gw_builder rest = {f, gw_region_new(f, branch), 0, before.loc};
    for (uint32_t i = 0; i < b->count; i++) {
        const cell *one = &b->cells[i];
        add_cell(&w, b, one, one->behind ? added(f, one->add[0]) : c.sum[i]);
    }
    gw_yield(&w.at, NULL, 0);
    gw_yield(&rest, NULL, 0);
    gw_vec_free(&w.from);
    gw_vec_free(&w.to);
}

/* In the order of the branches, one in each: as the sums are carried. */
static bool in_order(const bundle *b) {
    for (uint32_t i = 1; i < b->at.count; i++) {
        const gw_op x = gw_holder(b->f, b->at.end[i - 1], b->r), y = gw_holder(b->f, b->at.end[i], b->r);
        if (x == y || !gw_comes_before(b->f, x, y)) return false;
    }
    return true;
}

static void put_in_order(const gw_func *f, gw_region r, places *p) {
    for (uint32_t i = 1; i < p->count; i++)
        for (uint32_t k = i; k; k--) {
            const gw_op x = gw_holder(f, p->end[k], r), y = gw_holder(f, p->end[k - 1], r), end = p->end[k];
            if (!gw_comes_before(f, x, y)) break;
            p->end[k] = p->end[k - 1];
            p->end[k - 1] = end;
        }
}

/* An addition of a sum of what several branches make; what else is added of them goes with it. */
static bool join_sum(gw_func *f, gw_region r, gw_op add) {
    bundle b = {.f = f, .r = r};
    if (!is_wanted(f, add)) return false;
    if (!find_places(f, r, added(f, add), &b.at, 0) || b.at.count < 2) return false;
    put_in_order(f, r, &b.at);
    if (!in_order(&b)) return false;
    b.last = gw_holder(f, b.at.end[b.at.count - 1], r);
    find_behind(&b);
    if (!b.count) return false;
    join(&b);
    return true;
}

static bool join_once(gw_func *f, gw_region r) {
    bundle b = {.f = f, .r = r};
    for (gw_op op = gw_first(f, r); op; op = gw_next(f, op)) {
        if (join_sum(f, r, op)) return true;
        for (gw_op in = gw_op_at(f, op)->code == GW_OP_IF ? gw_walk_op(f, op, op) : 0; in;
             in = gw_walk_op(f, in, op)) {
            if (!is_wanted(f, in) || !leads_out(f, in, r)) continue;
            find_partners(&b, in);
            if (b.at.count < 2 || !in_order(&b) || !all_may_go(&b)) continue;
            find_cells(&b);
            find_behind(&b);
            join(&b);
            return true;
        }
    }
    return false;
}

static void join_region(gw_func *f, gw_region r) {
    for (gw_op op = gw_first(f, r); op; op = gw_next(f, op))
        for (uint32_t i = 0; i < gw_op_at(f, op)->regions; i++) join_region(f, gw_op_at(f, op)->region[i]);
    while (join_once(f, r)) continue;
}

void gw_rung_branches(gw_func *f) {
    if (!f->session->options.deterministic) join_region(f, f->entry);
}
