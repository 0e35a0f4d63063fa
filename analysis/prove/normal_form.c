/*
 * normal_form.c - integer values as polynomials (contract and soundness: prove.h; atoms: atoms.c;
 * arithmetic on quotients and loops: normal_ops.c).
 *
 * Each value is first given a polynomial that is congruent to it modulo 2^bits; the proof that it is equal
 * is only tried where the value is used as one, so that i32(u32(a)*b + c) asks one question, about int.
 */
#include "analysis/prove/prove.h"
#include "analysis/prove/answers_private.h"
#include "analysis/prove/normal_ops_private.h"
#include "analysis/prove/promised_ranges_private.h"
#include "analysis/ir/restructure.h"

#include <stdlib.h>

enum { DEPTH_MOST = 96, CASES_DEEP = 4, CASES_MOST = 96 };

static bool is_written(const gw_normal *n, const gw_op_data *access) {
    for (uint32_t i = 0; i < n->written.count; i++)
        if (n->written.at[i].object == access->object &&
            (!n->written.at[i].path || n->written.at[i].path == access->path))
            return true;
    return false;
}

bool gw_normal_fixed(const gw_normal *n, const gw_op_data *load) {
    gw_object_kind kind = gw_object_at(n->f, load->object)->kind;
    return !is_written(n, load) && kind != GW_OBJECT_TAPE && !gw_object_is_inner(kind);
}

/* ---- uniformity: pure functions of dimensions, parameters and memory that nobody writes here ---- */
static bool uniform_op(gw_normal *n, gw_op op) {
    const gw_op_data *o = gw_op_at(n->f, op);
    if (o->code == GW_OP_SPECIAL) return o->attr / 4 == GW_BLOCK_DIM || o->attr / 4 == GW_GRID_DIM;
    if (o->code == GW_OP_LOAD && !gw_normal_fixed(n, o)) return false;
    if (o->code != GW_OP_LOAD && gw_op_rows[o->code].effect != GW_EFFECT_PURE) return false;
    for (uint32_t i = 0; i < o->operands; i++)
        if (!gw_normal_uniform(n, gw_operand(n->f, op, i))) return false;
    return true;
}

bool gw_normal_uniform(gw_normal *n, gw_value v) {
    const gw_value_data *d = gw_value_at(n->f, v);
    if (!n->uniform[v]) {
        n->uniform[v] = 1; /* also cuts the search short if the IR were cyclic */
        if (d->op ? uniform_op(n, d->op) : d->region == n->f->entry) n->uniform[v] = 2;
    }
    return n->uniform[v] == 2;
}

/* ---- opaque values ---- */
static void number_of_atom(gw_number *out, gw_atom a) {
    gw_poly_atom(&out->poly, a);
    out->poly.broken = a == 0;
    out->bits = 0;
    out->assumed = 0;
}

static void opaque_value(gw_normal *n, gw_value v, gw_number *out) {
    gw_atom_data a = {.kind = GW_ATOM_VALUE, .detail = v, .value = v, .uniform = gw_normal_uniform(n, v)};
    gw_type_range(gw_typeof(n->f, v), &a.low, &a.high);
    a.host = a.uniform && !gw_value_at(n->f, v)->op;
    out->bits = 0;
    out->assumed = 0;
    gw_poly_parameter(n, v, &a, &out->poly);
}

/* x & mask is not negative and not above a constant mask that is not negative, whatever x is. */
static void mask_range(const gw_poly keys[2], gw_atom_data *a) {
    int64_t mask;
    for (uint32_t i = 0; i < 2; i++) {
        if (!gw_poly_is_constant(&keys[i], &mask) || mask < 0) continue;
        a->low = 0;
        if (mask < a->high) a->high = mask;
    }
}

/* Two numbers that the host knows are compared. */
static bool is_comparison(const gw_normal *n, const gw_poly *keys, uint32_t count, uint32_t code) {
    bool known = count == 2 && code >= GW_OP_EQ && code <= GW_OP_GE;
    for (uint32_t i = 0; i < count && known; i++) {
        known = gw_assumption_exact(n, &keys[i]);
        for (uint32_t k = 0; k < keys[i].count; k++)
            for (uint32_t m = 0; m < keys[i].term[k].factors; m++)
                known &= gw_atom_at(n, keys[i].term[k].factor[m])->host;
    }
    return known;
}

/* A value that is a function of the polynomials of its operands: equal operands, equal atom. */
static void opaque_function(gw_normal *n, gw_context *c, gw_value v, gw_atom_kind kind, uint32_t detail,
                            uint32_t more, gw_number *out) {
    enum { KEYS = 4 };
    gw_poly keys[KEYS];
    gw_op op = gw_value_at(n->f, v)->op;
    uint32_t count = gw_op_at(n->f, op)->operands;
    gw_atom_data a = {
        .kind = kind, .detail = detail, .more = more, .value = v, .uniform = gw_normal_uniform(n, v)};
    uint64_t assumed = 0;
    bool simple = count <= KEYS;
    for (uint32_t i = 0; i < count && simple; i++) {
        gw_number operand;
        gw_value use = gw_operand(n->f, op, i);
        gw_type t = gw_typeof(n->f, use);
        simple = gw_type_is_integer(t) || t == GW_T_BOOL;
        if (!simple) break;
        gw_normal_exact(n, c, use, &operand);
        keys[i] = operand.poly;
        assumed |= operand.assumed;
        simple = !operand.poly.broken;
    }
    if (!simple) {
        opaque_value(n, v, out);
        return;
    }
    gw_type_range(gw_typeof(n->f, v), &a.low, &a.high);
    if (kind == GW_ATOM_PURE && detail == GW_OP_AND) mask_range(keys, &a);
    if (kind == GW_ATOM_CELL) gw_promised_limit(n->f, &a);
    a.assumed = assumed;
    a.host = kind == GW_ATOM_CELL && a.uniform && gw_object_at(n->f, detail)->kind == GW_OBJECT_STRUCT;
    for (uint32_t i = 0; i < count && a.host; i++) a.host = gw_poly_is_constant(&keys[i], &(int64_t){0});
    a.host |= n->sums_choices && kind == GW_ATOM_PURE && is_comparison(n, keys, count, detail);
    number_of_atom(out, gw_atom_make(n, &a, keys, count));
    out->assumed = assumed;
}

static void load(gw_normal *n, gw_context *c, gw_value v, gw_number *out) {
    const gw_op_data *o = gw_op_at(n->f, gw_value_at(n->f, v)->op);
    if (!gw_normal_fixed(n, o)) {
        opaque_value(n, v, out);
        return;
    }
    opaque_function(n, c, v, GW_ATOM_CELL, o->object, o->path, out);
    gw_promised_range(n, c, &out->poly);
}

/* A function is its code, its type, and that of its operands: __clz(x) is not __clzll(x). */
static void opaque(gw_normal *n, gw_context *c, gw_value v, gw_number *out) {
    gw_op op = gw_value_at(n->f, v)->op;
    const gw_op_data *o = op ? gw_op_at(n->f, op) : NULL;
    if (o && gw_op_rows[o->code].effect == GW_EFFECT_PURE) {
        uint32_t of = o->operands ? gw_typeof(n->f, gw_operand(n->f, op, 0)) : 0;
        opaque_function(n, c, v, GW_ATOM_PURE, o->code, gw_typeof(n->f, v) << 16 | of, out);
    } else {
        opaque_value(n, v, out);
    }
}

/* ---- arithmetic ---- */
static bool combine(gw_opcode code, const gw_number *a, const gw_number *b, gw_number *out) {
    out->assumed = a->assumed | b->assumed;
    out->poly = a->poly;
    switch (code) {
    case GW_OP_ADD:
        gw_poly_add(&out->poly, 1, NULL, &b->poly);
        break;
    case GW_OP_SUB:
        gw_poly_add(&out->poly, -1, NULL, &b->poly);
        break;
    case GW_OP_MUL:
        gw_poly_multiply(&out->poly, &a->poly, &b->poly);
        break;
    case GW_OP_NEG:
        gw_poly_scale(&out->poly, -1);
        break;
    default:
        return false;
    }
    return !out->poly.broken;
}

static void raw(gw_normal *n, gw_context *c, gw_value v, gw_number *out);

/* Signed arithmetic of int and wider does not overflow; other arithmetic is modulo 2^bits, and needs its
 * operands only modulo that. */
static bool arithmetic(gw_normal *n, gw_context *c, gw_value v, const gw_op_data *o, gw_number *out) {
    gw_type t = gw_typeof(n->f, v);
    bool exact = gw_type_is_signed(t) && gw_type_bits(t) >= 32;
    gw_number side[2] = {{.bits = 0}, {.bits = 0}};
    for (uint32_t i = 0; i < o->operands && i < 2; i++) {
        gw_value use = n->f->operands.at[o->first_operand + i];
        if (exact)
            gw_normal_exact(n, c, use, &side[i]);
        else
            raw(n, c, use, &side[i]);
    }
    out->bits = exact ? 0 : gw_type_bits(t);
    return combine((gw_opcode)o->code, &side[0], &side[1], out);
}

static bool shift_left(gw_normal *n, gw_context *c, gw_value v, const gw_op_data *o, gw_number *out) {
    int64_t by;
    gw_type t = gw_typeof(n->f, v);
    if (!gw_const_int(n->f, n->f->operands.at[o->first_operand + 1], &by) || by < 0 || by > 30) return false;
    raw(n, c, n->f->operands.at[o->first_operand], out);
    gw_poly_scale(&out->poly, (int64_t)1 << by);
    out->bits = gw_type_bits(t);
    return !out->poly.broken;
}

/* Narrowing and a change of sign keep the value modulo 2^bits of the new type; widening needs it exact. */
static bool cast(gw_normal *n, gw_context *c, gw_value v, const gw_op_data *o, gw_number *out) {
    gw_value from = n->f->operands.at[o->first_operand];
    gw_type a = gw_typeof(n->f, from), b = gw_typeof(n->f, v);
    if (!gw_type_is_integer(b) || !(gw_type_is_integer(a) || a == GW_T_BOOL)) return false;
    if (gw_type_bits(b) <= gw_type_bits(a)) {
        raw(n, c, from, out);
        out->bits = gw_type_bits(b);
    } else {
        gw_normal_exact(n, c, from, out);
        if (gw_type_is_signed(a) && !gw_type_is_signed(b)) out->bits = gw_type_bits(b);
    }
    return !out->poly.broken;
}

/* A constant of an unsigned type may be written as a negative number. */
static void constant(int64_t value, gw_type t, gw_number *out) {
    int64_t low, high;
    gw_type_range(t, &low, &high);
    gw_poly_constant(&out->poly, value);
    out->bits = value < low || value > high ? gw_type_bits(t) : 0;
}

static bool computed(gw_normal *n, gw_context *c, gw_value v, const gw_op_data *o, gw_number *out) {
    switch (o->code) {
    case GW_OP_CONST:
        constant(o->imm.i, gw_typeof(n->f, v), out);
        return true;
    case GW_OP_SPECIAL:
        *out = (gw_number){0};
        gw_poly_special(n, o->attr, &out->poly);
        return true;
    case GW_OP_ADD:
    case GW_OP_SUB:
    case GW_OP_MUL:
    case GW_OP_NEG:
        return arithmetic(n, c, v, o, out);
    case GW_OP_SHL:
        return shift_left(n, c, v, o, out);
    case GW_OP_CAST:
        return cast(n, c, v, o, out);
    case GW_OP_DIV:
    case GW_OP_REM:
        return gw_normal_divide(n, c, v, out);
    case GW_OP_SHR:
    case GW_OP_AND:
        return gw_normal_bits(n, c, v, out);
    case GW_OP_XOR:
        return gw_normal_xor(n, c, v, out);
    default:
        return false;
    }
}

static void compute(gw_normal *n, gw_context *c, gw_value v, gw_number *out) {
    const gw_value_data *d = gw_value_at(n->f, v);
    gw_type t = d->type;
    gw_value chosen;
    *out = (gw_number){0};
    if (c->depth > DEPTH_MOST || !(gw_type_is_integer(t) || t == GW_T_BOOL)) {
        opaque_value(n, v, out);
        return;
    }
    if (!d->op) {
        if (d->region == n->f->entry || !gw_normal_carried(n, c, v, out))
            opaque_value(n, gw_normal_alias(n, v), out);
        return;
    }
    if (gw_normal_chosen(n, c, v, &chosen)) {
        raw(n, c, chosen, out);
        return;
    }
    const gw_op_data *o = gw_op_at(n->f, d->op);
    if (computed(n, c, v, o, out) || gw_normal_choice_sum(n, c, v, out)) return;
    *out = (gw_number){0};
    if (o->code == GW_OP_LOAD)
        load(n, c, v, out);
    else
        opaque(n, c, v, out);
    if (o->code == GW_OP_IMIN || o->code == GW_OP_IMAX) gw_normal_extremum(n, c, v, out);
    if (o->code == GW_OP_SELECT || o->code == GW_OP_IF) gw_normal_choice(n, c, v, out);
}

static void remember(gw_context *c, gw_value_map *memo, gw_value v, const gw_number *number) {
    gw_push(&c->numbers, *number);
    gw_map_set(memo, v, c->numbers.count);
}

static void raw(gw_normal *n, gw_context *c, gw_value v, gw_number *out) {
    gw_value known = gw_map_get(&c->memo, v);
    if (known) {
        *out = c->numbers.at[known - 1];
        return;
    }
    c->depth++;
    compute(n, c, v, out);
    c->depth--;
    remember(c, &c->memo, v, out);
}

/* ---- exactness ---- */
static bool fits(gw_normal *n, gw_context *c, const gw_number *x, gw_type t, uint64_t *assumed) {
    int64_t low, high;
    gw_type_range(t, &low, &high);
    if (high == INT64_MAX) { /* leave room for the constants of the proof */
        high -= (int64_t)1 << 61;
        low = low ? -high : 0;
    }
    for (int side = 0; side < 2; side++) {
        gw_poly room = x->poly;
        if (side) gw_poly_scale(&room, -1);
        gw_poly_add_constant(&room, side ? high : -low);
        if (gw_prove_nonnegative(n, &c->facts, &room, assumed)) continue;
        if (gw_type_bits(t) < 32) return false;
        const gw_assumed_kind kind = side == 0 ? GW_ASSUMED_SIZE : GW_ASSUMED_NO_WRAP;
        if (gw_assume_nonnegative(n, &c->facts, &room, kind, assumed)) continue;
        /* blockIdx.x * n for an int n */
        bool again = side == 0 && gw_normal_assume_sizes(n, c, &x->poly, assumed);
        if (!again || !gw_prove_nonnegative(n, &c->facts, &room, assumed)) return false;
    }
    return true;
}

/* The memo of what is congruent is left alone: what a value is made of must not depend on what was asked
 * before. */
void gw_normal_exact(gw_normal *n, gw_context *c, gw_value v, gw_number *out) {
    gw_value known = gw_map_get(&c->exact, v);
    if (known) {
        *out = c->numbers.at[known - 1];
        return;
    }
    raw(n, c, v, out);
    if (out->bits == 0 || out->poly.broken) return;
    gw_type t = gw_typeof(n->f, v);
    uint64_t assumed = out->assumed;
    if (fits(n, c, out, t, &assumed)) {
        out->assumed = assumed;
    } else {
        gw_atom_data a = {
            .kind = GW_ATOM_WRAPPED, .detail = t, .value = v, .uniform = gw_poly_uniform(n, &out->poly)};
        gw_type_range(t, &a.low, &a.high);
        uint64_t before = out->assumed;
        number_of_atom(out, gw_atom_make(n, &a, &out->poly, 1));
        out->assumed = before;
    }
    out->bits = 0;
    remember(c, &c->exact, v, out);
}

/* ---- functions and regions ---- */
static void note_writes(gw_normal *n) {
    const gw_func *f = n->f;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead || !o->object || gw_op_rows[o->code].effect != GW_EFFECT_WRITE) continue;
        bool cell = o->code == GW_OP_STORE || o->code == GW_OP_ACCUM;
        if (!is_written(n, o)) gw_push(&n->written, ((gw_written){o->object, cell ? o->path : 0}));
    }
}

gw_normal *gw_normal_new(const gw_func *f) { return gw_normal_where(f, NULL); }

gw_normal *gw_normal_where(const gw_func *f, const gw_launch_facts *supposed) {
    gw_normal *n = gw_alloc(sizeof *n);
    n->f = f;
    n->supposed = supposed;
    n->takes_apart = supposed || (f->primal ? f->primal : f)->launch.count;
    n->effort = &f->session->effort;
    gw_effort_begin(f);
    n->uniform = gw_alloc(f->values.count * sizeof *n->uniform);
    note_writes(n);
    gw_atoms_of_launch(n);
    return n;
}

static void free_context(gw_context *c) {
    gw_vec_free(&c->facts);
    gw_vec_free(&c->equal);
    gw_vec_free(&c->decided);
    gw_vec_free(&c->numbers);
    gw_map_free(&c->memo);
    gw_map_free(&c->exact);
    free(c);
}

void gw_normal_free(gw_normal *n) {
    for (uint32_t i = 0; i < n->contexts.count; i++)
        free_context(n->contexts.at[i]);
    gw_vec_free(&n->contexts);
    gw_answers_free(n);
    gw_vec_free(&n->atoms);
    gw_vec_free(&n->keys);
    gw_vec_free(&n->assumptions);
    gw_vec_free(&n->written);
    free(n->uniform);
    free(n);
}

static gw_context *inherit(gw_normal *n, gw_region r, const gw_context *outer) {
    gw_context *c = gw_alloc(sizeof *c);
    c->region = r;
    for (uint32_t i = 0; outer && i < outer->facts.count; i++)
        gw_push(&c->facts, outer->facts.at[i]);
    for (uint32_t i = 0; outer && i < outer->equal.count; i++)
        gw_push(&c->equal, outer->equal.at[i]);
    for (uint32_t i = 0; outer && i < outer->decided.count; i++)
        gw_push(&c->decided, outer->decided.at[i]);
    gw_push(&n->contexts, c);
    return c;
}

gw_context *gw_normal_context(gw_normal *n, gw_region r) {
    for (uint32_t i = 0; i < n->contexts.count; i++)
        if (n->contexts.at[i]->region == r && !n->contexts.at[i]->all) return n->contexts.at[i];
    gw_op parent = gw_region_at(n->f, r)->parent;
    if (!parent) {
        gw_context *c = inherit(n, r, NULL);
        gw_facts_of_launch(n, c);
        gw_condition_extents(n, c);
        return c;
    }
    const gw_op_data *o = gw_op_at(n->f, parent);
    gw_context *c = inherit(n, r, gw_normal_context(n, o->parent));
    uint32_t known = c->facts.count;
    if (o->code == GW_OP_IF)
        gw_condition_assume(n, c, gw_operand(n->f, parent, 0), o->region[0] == r);
    else if (gw_is_loop(n->f, parent) && gw_loop_body(n->f, parent) == r)
        gw_condition_loop(n, c, parent);
    gw_normal_learn_quotients(n, c, known);
    gw_condition_extents(n, c);
    return c;
}

gw_context *gw_normal_under(gw_normal *n, gw_region r, gw_value condition) {
    gw_context *c = inherit(n, 0, gw_normal_context(n, r));
    const uint32_t known = c->facts.count;
    gw_condition_assume(n, c, condition, true);
    gw_normal_learn_choices(n, c);
    gw_normal_learn_quotients(n, c, known);
    return c;
}

gw_context *gw_normal_case(gw_normal *n, gw_context *c, gw_value condition, bool truth) {
    for (uint32_t i = 0; i < n->contexts.count; i++) {
        gw_context *x = n->contexts.at[i];
        const gw_decided *by = x->all == c ? &x->decided.at[x->decided_by] : NULL;
        if (by && by->condition == condition && by->truth == truth) return x;
    }
    if (c->cases == CASES_DEEP || n->cases == CASES_MOST) return NULL;
    n->cases++;
    gw_context *x = inherit(n, c->region, c);
    const uint32_t known = x->facts.count;
    x->all = c;
    x->cases = c->cases + 1;
    x->decided_by = x->decided.count;
    gw_condition_assume(n, x, condition, truth);
    gw_normal_make_choices(n, x, condition, truth);
    gw_normal_learn_quotients(n, x, known);
    return x;
}
