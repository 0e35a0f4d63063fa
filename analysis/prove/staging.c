/*
 * staging.c - stores that a block repeats in each iteration, as far as anybody reads (contract: prove.h).
 *
 * Let thread t store to cell c in some iteration, and thread t' read c in iteration b. Shown is that t stores
 * to c in b:
 *   - t reaches the same cell in all iterations: the index of the store repeats;
 *   - t comes to the store in b. The loops around both are uniform, so t runs iteration b. Each condition on
 * the way either repeats, and so holds in b, or it follows for t in b from what is known: the load's conditions
 * for t', and that both indices are equal. That is how `if (base + t < end) s[t] = ...` covers the reads s[j]
 * with j < min(n, end - base). In that proof a quantity is one and the same in both threads if it is uniform in
 * the block: both stand in iteration b of the same loops. All others of t are marked "other", as in disjoint.c.
 */
#include "analysis/prove/prove.h"

#include "analysis/ir/restructure.h"
#include "analysis/facts/facts.h"

typedef struct staging {
    const gw_func *f;
    gw_op store, load;
    gw_region common; /* the innermost around both */
    gw_uniform uniform;
    gw_normal *n;
    gw_fact_list facts;
} staging;

/* ---- loops around both ---- */
gw_region gw_region_around(const gw_func *f, gw_region a, gw_region b) {
    while (!gw_region_inside(f, a, b)) b = gw_op_at(f, gw_region_at(f, b)->parent)->parent;
    return b;
}

gw_region gw_common_region(const gw_func *f, gw_op x, gw_op y) {
    return gw_region_around(f, gw_op_at(f, x)->parent, gw_op_at(f, y)->parent);
}

gw_op gw_holder(const gw_func *f, gw_op op, gw_region r) {
    while (op && gw_op_at(f, op)->parent != r) op = gw_region_at(f, gw_op_at(f, op)->parent)->parent;
    return op;
}

bool gw_comes_before(const gw_func *f, gw_op x, gw_op y) {
    gw_region common = gw_common_region(f, x, y);
    gw_op to = gw_holder(f, y, common);
    for (gw_op op = gw_next(f, gw_holder(f, x, common)); op; op = gw_next(f, op))
        if (op == to) return true;
    return false;
}

typedef bool repeats(const gw_func *f, gw_op loop, uint32_t what);
static bool index_repeats(const gw_func *f, gw_op loop, uint32_t store) {
    return gw_index_repeats(f, loop, store);
}
static bool value_repeats(const gw_func *f, gw_op loop, uint32_t value) {
    return gw_value_repeats(f, loop, value);
}
static bool all_repeats(const gw_func *f, gw_op loop, uint32_t store) {
    return gw_access_repeats(f, loop, store);
}

static bool in_all_loops(const gw_func *f, gw_region common, repeats *ask, uint32_t what) {
    for (gw_region r = common; gw_region_at(f, r)->parent;
         r = gw_op_at(f, gw_region_at(f, r)->parent)->parent) {
        gw_op loop = gw_region_at(f, r)->parent;
        if (gw_is_loop(f, loop) && !ask(f, loop, what)) return false;
    }
    return true;
}

/* ---- what is known ---- */
static bool is_common_loop(const staging *s, gw_op loop) {
    return gw_region_inside(s->f, s->common, gw_loop_body(s->f, loop));
}

static gw_atom of_storing_thread(const void *context, gw_atom a) {
    const staging *s = context;
    const gw_atom_data *d = gw_atom_at(s->n, a);
    bool same = d->uniform || (d->kind == GW_ATOM_SPECIAL && d->detail / 4 == GW_BLOCK_IDX);
    if (d->kind == GW_ATOM_TRIP) same = is_common_loop(s, d->value);
    else if (d->kind != GW_ATOM_SPECIAL) same = same || s->uniform.value[d->value] <= GW_UNIFORM_BLOCK;
    return same ? a : (gw_atom)(a | GW_ATOM_OTHER);
}

static void know(staging *s, const gw_fact *fact, bool storing) {
    if (fact->assumed) return;
    gw_push(&s->facts, *fact);
    if (storing) gw_poly_rename(&s->facts.at[s->facts.count - 1].poly, of_storing_thread, s);
}

static void know_context(staging *s, gw_region r, bool storing) {
    const gw_context *c = gw_normal_context(s->n, r);
    for (uint32_t i = 0; i < c->facts.count; i++) know(s, &c->facts.at[i], storing);
}

/* Both reach one cell. */
static bool know_indices(staging *s) {
    const gw_func *f = s->f;
    uint32_t count = gw_index_count(f, s->store);
    if (count != gw_index_count(f, s->load)) return false;
    for (uint32_t i = 0; i < count; i++) {
        gw_number x, y;
        gw_normal_exact(s->n, gw_normal_context(s->n, gw_op_at(f, s->store)->parent),
                        gw_operand(f, s->store, i), &x);
        gw_normal_exact(s->n, gw_normal_context(s->n, gw_op_at(f, s->load)->parent), gw_operand(f, s->load, i),
                        &y);
        gw_fact apart = {.poly = x.poly, .assumed = x.assumed | y.assumed};
        gw_poly_rename(&apart.poly, of_storing_thread, s);
        gw_poly_add(&apart.poly, -1, NULL, &y.poly);
        if (apart.poly.broken) continue;
        know(s, &apart, false);
        gw_poly_scale(&apart.poly, -1);
        know(s, &apart, false);
    }
    return true;
}

/* ---- the conditions on the way to the store ---- */

/* x >= y + least, for the storing thread. */
static bool follows(staging *s, gw_context *c, gw_value x, gw_value y, int64_t least) {
    gw_number a, b;
    uint64_t assumed = 0;
    gw_normal_exact(s->n, c, x, &a);
    gw_normal_exact(s->n, c, y, &b);
    gw_poly room = a.poly;
    gw_poly_add(&room, -1, NULL, &b.poly);
    gw_poly_add_constant(&room, -least);
    gw_poly_rename(&room, of_storing_thread, s);
    return !(a.assumed | b.assumed) && gw_prove_nonnegative(s->n, &s->facts, &room, &assumed) && !assumed;
}

static bool comes_true(staging *s, gw_context *c, gw_value condition, bool truth) {
    const gw_func *f = s->f;
    gw_op op = gw_value_at(f, condition)->op;
    if (in_all_loops(f, s->common, value_repeats, condition)) return true;
    if (!op || gw_op_at(f, op)->operands != 2) return false;
    gw_value a = gw_operand(f, op, 0), b = gw_operand(f, op, 1);
    gw_opcode code = (gw_opcode)gw_op_at(f, op)->code;
    if ((code == GW_OP_AND && truth) || (code == GW_OP_OR && !truth))
        return comes_true(s, c, a, truth) && comes_true(s, c, b, truth);
    if (!gw_type_is_integer(gw_typeof(f, a))) return false;
    switch (code) {
    case GW_OP_LT: return truth ? follows(s, c, b, a, 1) : follows(s, c, a, b, 0);
    case GW_OP_LE: return truth ? follows(s, c, b, a, 0) : follows(s, c, a, b, 1);
    case GW_OP_GT: return truth ? follows(s, c, a, b, 1) : follows(s, c, b, a, 0);
    case GW_OP_GE: return truth ? follows(s, c, a, b, 0) : follows(s, c, b, a, 1);
    default: return false;
    }
}

static bool comes_to_store(staging *s) {
    for (gw_region r = gw_op_at(s->f, s->store)->parent; r != s->common;) {
        gw_op op = gw_region_at(s->f, r)->parent;
        const gw_op_data *o = gw_op_at(s->f, op);
        gw_context *c = gw_normal_context(s->n, o->parent);
        if (o->code != GW_OP_IF || !comes_true(s, c, gw_operand(s->f, op, 0), o->region[0] == r)) return false;
        r = o->parent;
    }
    return true;
}

bool gw_stages_again(const gw_func *f, gw_op store, gw_op load) {
    staging s = {.f = f, .store = store, .load = load, .common = gw_common_region(f, store, load)};
    if (in_all_loops(f, s.common, all_repeats, store)) return true;
    if (!in_all_loops(f, s.common, index_repeats, store)) return false;
    gw_uniform_new(&s.uniform, f);
    s.n = gw_normal_new(f);
    s.n->unassuming = true;
    bool again = s.uniform.region[s.common] <= GW_UNIFORM_BLOCK;
    if (again) {
        know_context(&s, s.common, true);
        know_context(&s, gw_op_at(f, load)->parent, false);
        again = know_indices(&s) && comes_to_store(&s);
    }
    gw_vec_free(&s.facts);
    gw_normal_free(s.n);
    gw_uniform_free(&s.uniform);
    return again;
}
