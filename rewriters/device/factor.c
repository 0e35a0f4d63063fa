/*
 * factor.c - the factor pass: the arithmetic of adjoints in a kernel with fewer multiplications.
 *
 *     d_t += d_r*(c[0]*a) + d_g*(c[1]*a)            s = d_r*c[0] + d_g*c[1];  d_t += a*s
 *     d_a  = d_r*t*c[0] + d_g*t*c[1] - d_t*t   ->   d_a = t*(s - d_t)
 *     d_c0 = d_r*t*a  d_c1 = d_g*t*a                w = t*a;  d_c0 = d_r*w  d_c1 = d_g*w
 *
 * Formulas of derivatives are made one op at a time, so what they have in common is spread over them. In each
 * region, values that are sums and products of others are written as sums of products, which factor_terms.c
 * shares; if fewer operations come of it, they take their place. Quotients in loops are made products before
 * (quotient.c).
 *
 * Sound in real numbers; in floating point the results round differently, as much as two orders of a sum do
 * (nothing is multiplied out). Numbers that a condition, an index, a conversion or memory of the primal sees
 * (`exact`) are left as they are: they must come out as in the primal, and so must sums that say so
 * (GW_OP_ROUNDED).
 */
#include "rewriters/device/factor_private.h"

#include "analysis/clean/clean.h"
#include "analysis/ir/passes.h"
#include "analysis/ir/restructure.h"
#include "analysis/ir/warp.h"

#include <math.h>
#include <stdlib.h>

typedef struct factorer {
    gw_func *f;
    uint32_t values;     /* those that there were before */
    bool *exact;         /* by value */
    uint32_t *uses;      /* by value: operands, */
    uint32_t *used_here; /* of these, of sums and products in its region */
    GW_VEC(gw_op) above; /* products that the region sees, and that stay */
    gw_sums sums;
    gw_region region;
    gw_value type_of; /* of the region's sums */
    bool *met;        /* by value: counted in */
    uint32_t before;  /* operations that there are now */
} factorer;

/* ---- what must stay as it is ---- */
static bool is_of_shadow(const gw_func *f, gw_object object) {
    if (gw_object_at(f, object)->shadow_of) return true;
    for (uint32_t i = 0; i < f->params.count; i++)
        if (f->params.at[i].is_adjoint && f->params.at[i].object == object) return true;
    return false;
}

static bool any_exact(const factorer *w, gw_value first, uint32_t count) {
    bool any = false;
    for (uint32_t i = 0; i < count; i++) any |= w->exact[first + i];
    return any;
}

/* A loop is exact if what it begins with, carries or results in is. */
static bool loop_is_exact(const factorer *w, gw_op loop) {
    const gw_op_data *o = gw_op_at(w->f, loop);
    bool any = any_exact(w, o->first_result, o->results);
    for (uint32_t i = 0; i < o->regions; i++)
        any |=
            any_exact(w, gw_region_at(w->f, o->region[i])->first_arg, gw_region_at(w->f, o->region[i])->args);
    return any;
}

static bool makes_exact(const factorer *w, gw_op op, uint32_t i) {
    const gw_func *f = w->f;
    const gw_op_data *o = gw_op_at(f, op);
    gw_op around = gw_region_at(f, o->parent)->parent;
    if (gw_is_loop(f, op)) return loop_is_exact(w, op);
    if (o->code == GW_OP_YIELD && around && gw_is_loop(f, around)) return loop_is_exact(w, around);
    if (o->code == GW_OP_YIELD && around)
        return i >= gw_op_at(f, around)->results || w->exact[gw_result(f, around, i)];
    if (o->code == GW_OP_ACCUM || o->code == GW_OP_STORE) return !is_of_shadow(f, o->object);
    const bool is_moved = o->code == GW_OP_WARP && gw_warp_rows[o->attr].transpose; /* another lane has it */
    if (!is_moved && (gw_op_rows[o->code].effect != GW_EFFECT_PURE || o->results != 1)) return true;
    return !gw_type_is_float(gw_typeof(f, gw_result(f, op, 0))) || w->exact[gw_result(f, op, 0)];
}

static void find_exact(factorer *w) {
    const gw_func *f = w->f;
    for (bool changed = true; changed;) {
        changed = false;
        for (gw_op op = (gw_op)f->ops.count; op-- > 1;)
            for (uint32_t i = 0; !gw_op_at(f, op)->dead && i < gw_op_at(f, op)->operands; i++) {
                gw_value v = gw_operand(f, op, i);
                if (!gw_type_is_float(gw_typeof(f, v)) || w->exact[v] || !makes_exact(w, op, i)) continue;
                w->exact[v] = changed = true;
            }
    }
}

/* ---- sums and products ---- */

/* The op of v, if that is arithmetic of the region that may change; else 0. */
static gw_op arithmetic(const factorer *w, gw_value v, gw_region r) {
    gw_op op = gw_value_at(w->f, v)->op;
    gw_type type = gw_typeof(w->f, v);
    if (!op || v >= w->values || w->exact[v] || (type != GW_T_F32 && type != GW_T_F64)) return 0;
    const gw_op_data *o = gw_op_at(w->f, op);
    bool fits = o->code == GW_OP_ADD || o->code == GW_OP_SUB || o->code == GW_OP_MUL || o->code == GW_OP_NEG;
    return fits && o->parent == r && !(o->flags & GW_OP_ROUNDED) ? op : 0;
}

static void count_uses(factorer *w) {
    const gw_func *f = w->f;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead) continue;
        bool here = o->results == 1 && arithmetic(w, gw_result(f, op, 0), o->parent);
        for (uint32_t i = 0; i < o->operands; i++) {
            gw_value v = gw_operand(f, op, i);
            gw_op made = gw_value_at(f, v)->op;
            w->uses[v]++;
            w->used_here[v] += here && made && gw_op_at(f, made)->parent == o->parent;
        }
    }
}

enum { MOST_DEPTH = 100, OPERATIONS_A_LOAD = 2 };

static uint32_t sum_of(factorer *w, gw_value v, bool output, uint32_t depth);

/* Counts the op once, among those that there are now. */
static void meet(factorer *w, gw_value v, gw_op op) {
    w->before += !w->met[v] && gw_op_at(w->f, op)->code != GW_OP_NEG;
    w->met[v] = true;
}

static void multiply(factorer *w, gw_term *t, gw_value v, uint32_t depth) {
    gw_op op = arithmetic(w, v, w->region);
    double c;
    w->sums.full |= depth > MOST_DEPTH;
    if (w->sums.full) return;
    if (gw_const_real(w->f, v, &c)) {
        t->scale *= c;
        return;
    }
    uint16_t code = op ? gw_op_at(w->f, op)->code : GW_OP_NONE;
    if (code == GW_OP_MUL || code == GW_OP_NEG) {
        meet(w, v, op);
        if (code == GW_OP_NEG) t->scale = -t->scale;
        for (uint32_t i = 0; i < gw_op_at(w->f, op)->operands; i++)
            multiply(w, t, gw_operand(w->f, op, i), depth + 1);
        return;
    }
    gw_term_multiply(&w->sums, t,
                     op ? gw_atom_of_sum(&w->sums, sum_of(w, v, false, depth + 1))
                        : gw_atom_of_value(&w->sums, v));
}

/* sum += sign * v; `whole`: v is what the sum stands for. */
static void add_terms(factorer *w, uint32_t sum, gw_value v, double sign, bool whole, uint32_t depth) {
    gw_op op = arithmetic(w, v, w->region);
    uint16_t code = op ? gw_op_at(w->f, op)->code : GW_OP_NONE;
    w->sums.full |= depth > MOST_DEPTH;
    if (w->sums.full) return;
    if ((code == GW_OP_ADD || code == GW_OP_SUB) && (whole || w->uses[v] == 1)) {
        meet(w, v, op);
        add_terms(w, sum, gw_operand(w->f, op, 0), sign, false, depth + 1);
        add_terms(w, sum, gw_operand(w->f, op, 1), code == GW_OP_SUB ? -sign : sign, false, depth + 1);
        return;
    }
    gw_term t = {.scale = sign};
    multiply(w, &t, v, depth + 1);
    if (!w->sums.full) gw_sum_add(&w->sums, &w->sums.sums.at[sum], &t);
}

static uint32_t sum_of(factorer *w, gw_value v, bool output, uint32_t depth) {
    gw_sums *s = &w->sums;
    for (uint32_t i = 0; i < s->sums.count; i++) {
        if (s->sums.at[i].value != v) continue;
        s->sums.at[i].output |= output;
        return i;
    }
    s->full |= s->sums.count >= GW_MOST_SUMS;
    gw_sum empty = {.value = v, .output = output};
    gw_push(&s->sums, empty);
    uint32_t made = s->sums.count - 1;
    add_terms(w, made, v, 1, true, depth + 1);
    return made;
}

/* ---- writing them ---- */
static gw_value make_sum(factorer *w, gw_builder *b, uint32_t sum);

static gw_value make_atom(factorer *w, gw_builder *b, uint32_t number) {
    gw_atom a = w->sums.atoms.at[number];
    if (a.value) return a.value;
    if (a.sum) return make_sum(w, b, a.sum - 1);
    if (!a.made) {
        gw_value left = make_atom(w, b, a.left), right = make_atom(w, b, a.right);
        a.made = gw_binary(b, GW_OP_MUL, left, right);
        w->sums.atoms.at[number].made = a.made;
    }
    return a.made;
}

static gw_value make_term(factorer *w, gw_builder *b, gw_type type, const gw_term *t, double scale) {
    gw_value v = fabs(scale) != 1 || t->count == 0 ? gw_real(b, type, scale) : 0;
    for (uint32_t i = 0; i < t->count; i++) {
        gw_value factor = make_atom(w, b, t->factor[i]);
        if (i == 0 && scale == -1) factor = gw_unary(b, GW_OP_NEG, factor);
        v = v ? gw_binary(b, GW_OP_MUL, v, factor) : factor;
    }
    return v;
}

/* It begins with a term that is not subtracted, if there is one. */
static gw_value make_sum(factorer *w, gw_builder *b, uint32_t number) {
    const gw_sum x = w->sums.sums.at[number];
    if (x.made) return x.made;
    gw_type type = gw_typeof(w->f, w->type_of);
    uint32_t first = 0;
    for (uint32_t i = x.count; i-- > 0;)
        if (x.term[i].scale > 0) first = i;
    gw_value v = make_term(w, b, type, &x.term[first], x.term[first].scale);
    for (uint32_t i = 0; i < x.count; i++) {
        double scale = x.term[i].scale;
        if (i == first) continue;
        gw_value term = make_term(w, b, type, &x.term[i], fabs(scale));
        v = gw_binary(b, scale < 0 ? GW_OP_SUB : GW_OP_ADD, v, term);
    }
    w->sums.sums.at[number].made = v;
    return v;
}

static void write_sums(factorer *w) {
    gw_func *f = w->f;
    for (uint32_t i = 0; i < w->sums.sums.count; i++) { /* of outputs in the order of the text */
        gw_value old = w->sums.sums.at[i].value;
        if (!w->sums.sums.at[i].output) continue;
        gw_op op = gw_value_at(f, old)->op;
        gw_builder b = {f, w->region, op, gw_op_at(f, op)->loc};
        gw_value now = make_sum(w, &b, i);
        gw_str name = gw_value_at(f, old)->name;
        if (!gw_value_at(f, now)->name && now >= w->values) gw_value_at(f, now)->name = name;
        gw_replace_uses(f, old, now);
    }
}

/* ---- regions ---- */
static bool is_output(const factorer *w, gw_value v) {
    return arithmetic(w, v, w->region) && w->uses[v] > w->used_here[v];
}

/* An iteration of a loop that has few operations for what it loads from the caller's memory waits for that: one
 * fewer is not seen, and with what it leaves the compiler may place the loads apart. */
static bool waits_for_memory(const factorer *w) {
    const gw_func *f = w->f;
    const gw_op loop = gw_region_at(f, w->region)->parent;
    uint32_t loads = 0;
    if (!loop || !gw_is_loop(f, loop)) return false;
    for (gw_op op = gw_first(f, w->region); op; op = gw_next(f, op)) {
        const gw_op_data *o = gw_op_at(f, op);
        loads += o->code == GW_OP_LOAD && gw_type_is_float(gw_typeof(f, gw_result(f, op, 0))) &&
                 !gw_object_is_inner(gw_object_at(f, o->object)->kind);
    }
    return w->before <= OPERATIONS_A_LOAD * loads;
}

static void share_in_region(factorer *w, gw_region r) {
    gw_func *f = w->f;
    w->region = r;
    w->before = 0;
    w->sums.atoms.count = w->sums.sums.count = 0;
    w->sums.full = false;
    w->type_of = 0;
    for (gw_op op = gw_first(f, r); op; op = gw_next(f, op)) {
        if (gw_op_at(f, op)->results != 1 || !is_output(w, gw_result(f, op, 0))) continue;
        gw_value v = gw_result(f, op, 0);
        if (!w->type_of) w->type_of = v;
        w->sums.full |= gw_typeof(f, v) != gw_typeof(f, w->type_of);
        if (w->sums.full) return;
        sum_of(w, v, true, 0);
    }
    for (uint32_t i = 0; i < w->above.count && !w->sums.full; i++) {
        gw_op op = w->above.at[i];
        if (gw_typeof(f, gw_result(f, op, 0)) == gw_typeof(f, w->type_of))
            gw_sums_take_product(&w->sums, gw_operand(f, op, 0), gw_operand(f, op, 1), gw_result(f, op, 0));
    }
    gw_sums_share(&w->sums);
    if (!w->sums.full && gw_sums_cost(&w->sums) < w->before && !waits_for_memory(w)) write_sums(w);
}

static void visit(factorer *w, gw_region r) {
    gw_func *f = w->f;
    share_in_region(w, r);
    uint32_t above = w->above.count;
    for (gw_op op = gw_first(f, r); op; op = gw_next(f, op)) {
        for (uint32_t i = 0; i < gw_op_at(f, op)->regions; i++) visit(w, gw_op_at(f, op)->region[i]);
        if (gw_op_at(f, op)->code != GW_OP_MUL) continue;
        gw_value v = gw_result(f, op, 0);
        if (gw_type_is_float(gw_typeof(f, v)) && v < w->values && w->exact[v]) gw_push(&w->above, op);
    }
    w->above.count = above;
}

/* Quotients in loops first, whose products are then products like others. */
static void multiply_by_reciprocals(gw_func *f) {
    factorer w = {.f = f, .values = f->values.count};
    GW_VEC(gw_op) quotients = {0};
    for (gw_op op = 1; op < f->ops.count; op++)
        if (gw_is_quotient_in_loop(f, op)) gw_push(&quotients, op);
    if (quotients.count) {
        w.exact = gw_alloc(w.values * sizeof *w.exact);
        find_exact(&w);
        for (uint32_t i = 0; i < quotients.count; i++)
            if (!w.exact[gw_result(f, quotients.at[i], 0)]) gw_multiply_by_reciprocal(f, quotients.at[i]);
        free(w.exact);
        gw_cse(f);
        gw_dce(f);
    }
    gw_vec_free(&quotients);
}

static void share(gw_func *f) {
    factorer w = {.f = f, .values = f->values.count};
    w.exact = gw_alloc(w.values * sizeof *w.exact);
    w.met = gw_alloc(w.values * sizeof *w.met);
    w.uses = gw_alloc(w.values * sizeof *w.uses);
    w.used_here = gw_alloc(w.values * sizeof *w.used_here);
    find_exact(&w);
    count_uses(&w);
    visit(&w, f->entry);
    gw_vec_free(&w.above);
    gw_vec_free(&w.sums.atoms);
    gw_vec_free(&w.sums.sums);
    free(w.exact);
    free(w.met);
    free(w.uses);
    free(w.used_here);
    gw_dce(f);
}

bool gw_pass_factor(gw_run *run) {
    gw_session *s = run->session;
    for (uint32_t i = 0; i < s->funcs.count; i++) {
        gw_func *f = s->funcs.at[i];
        if (f->form != GW_FORM_GRAD || f->kind != GW_FUNC_KERNEL) continue;
        multiply_by_reciprocals(f);
        share(f);
    }
    return true;
}
