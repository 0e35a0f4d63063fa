/*
 * exponent.c - exponents as sums of multiples (contract: rescaled_private.h).
 *
 *     scale * v - m * scale        (v - m) / temperature        float that was double
 *
 * Only what is made of carried values is taken apart, and products with what stands before the loop; a number
 * that no carried value is part of stays as it is, so that it is rounded as in the primal.
 */
#include "analysis/ir/query.h"
#include "rewriters/formula/rescaled_private.h"

bool gw_is_in_loop(const gw_reading *r, gw_value v) {
    return gw_region_inside(r->f, gw_value_region(r->f, v), gw_loop_body(r->f, r->loop));
}

/* ---- what is made of carried values ---- */
static void set_verdict(gw_reading *r, gw_value v, bool is_free) {
    while (r->carried.count <= v) gw_push(&r->carried, 0);
    r->carried.at[v] = is_free ? 1 : 2;
}

void gw_note_carried(gw_reading *r, gw_value v) { set_verdict(r, v, false); }

/* Nothing that op, or what is in it, takes from outside of it is carried. */
static bool takes_free(gw_reading *r, gw_op op) {
    const gw_func *f = r->f;
    for (gw_op in = op; in; in = gw_walk_op(f, in, op))
        for (uint32_t i = 0; i < gw_op_at(f, in)->operands; i++) {
            const gw_value v = gw_operand(f, in, i);
            bool is_inner = false;
            for (uint32_t k = 0; k < gw_op_at(f, op)->regions; k++)
                is_inner |= gw_region_inside(f, gw_value_region(f, v), gw_op_at(f, op)->region[k]);
            if (!is_inner && !gw_is_free(r, v)) return false;
        }
    return true;
}

static bool find_free(gw_reading *r, gw_value v) {
    const gw_func *f = r->f;
    const gw_op op = gw_value_at(f, v)->op;
    if (!op) { /* of an inner loop; what the loop itself carries has been noted */
        const gw_op inner = gw_region_at(f, gw_value_at(f, v)->region)->parent;
        if (inner == r->loop) return true;
        if (gw_op_at(f, inner)->code == GW_OP_FOR && gw_value_at(f, v)->index == 0)
            return gw_is_free(r, gw_operand(f, inner, 0)) && gw_is_free(r, gw_operand(f, inner, 2));
        return takes_free(r, inner);
    }
    if (gw_op_at(f, op)->code == GW_OP_IF) {
        const uint32_t i = gw_value_at(f, v)->index;
        return gw_is_free(r, gw_operand(f, op, 0)) && gw_is_free(r, gw_arm_value(f, op, 0, i)) &&
               gw_is_free(r, gw_arm_value(f, op, 1, i));
    }
    return takes_free(r, op);
}

bool gw_is_free(gw_reading *r, gw_value v) {
    if (!gw_is_in_loop(r, v)) return true;
    if (v < r->carried.count && r->carried.at[v]) return r->carried.at[v] == 1;
    const bool found = find_free(r, v);
    set_verdict(r, v, found);
    return found;
}

/* ---- factors ---- */
/* The same as op, which stands in front of the loop, and made before; 0: nothing is. */
static gw_value made_before(const gw_reading *r, gw_op op) {
    const gw_func *f = r->f;
    const gw_op_data *o = gw_op_at(f, op);
    for (uint32_t k = 0; k < r->before.count; k++) {
        const gw_op other = r->before.at[k] ? gw_value_at(f, r->before.at[k])->op : 0;
        const gw_op_data *a = gw_op_at(f, other);
        if (!other || a->code != o->code || a->object != o->object || a->path != o->path ||
            a->operands != o->operands || a->flags != o->flags || a->attr != o->attr || a->imm.i != o->imm.i ||
            gw_typeof(f, a->first_result) != gw_typeof(f, o->first_result))
            continue;
        bool same = true;
        for (uint32_t i = 0; i < o->operands; i++) same &= gw_operand(f, op, i) == gw_operand(f, other, i);
        if (same) return a->first_result;
    }
    return 0;
}

/* A parameter's own number, or made of such numbers and of what stands before the loop, as a value from before
 * the loop; 0: it is none. */
static gw_value before_loop(gw_reading *r, gw_value v) {
    gw_func *f = r->f;
    if (!gw_is_in_loop(r, v)) return v;
    const gw_op op = gw_value_at(f, v)->op;
    if (gw_map_get(&r->before, v)) return gw_map_get(&r->before, v);
    if (!op || gw_op_at(f, op)->results != 1 || gw_op_at(f, op)->regions) return 0;
    const bool is_pure = gw_op_rows[gw_op_at(f, op)->code].effect == GW_EFFECT_PURE;
    const bool is_parameter = gw_op_at(f, op)->code == GW_OP_LOAD && !gw_op_at(f, op)->operands &&
                              gw_object_at(f, gw_op_at(f, op)->object)->kind == GW_OBJECT_STRUCT;
    if (!is_pure && !is_parameter) return 0;
    gw_builder b = {f, gw_op_at(f, r->loop)->parent, r->loop, gw_op_at(f, op)->loc};
    gw_cloner c = {.from = f, .to = &b};
    bool good = true;
    for (uint32_t i = 0; i < gw_op_at(f, op)->operands && good; i++) {
        const gw_value operand = gw_operand(f, op, i), made = before_loop(r, operand);
        if (made) gw_map_set(&c.values, operand, made);
        good = made != 0;
    }
    const gw_op copy = good ? gw_clone_op(&c, op) : 0;
    const gw_value had = copy ? made_before(r, copy) : 0;
    const gw_value made = had || !copy ? had : gw_result(f, copy, 0);
    if (made) gw_map_set(&r->before, v, made);
    gw_map_free(&c.values);
    gw_map_free(&c.objects);
    return made;
}

/* m *= v^power */
static bool multiply(gw_reading *r, gw_multiple *m, gw_value v, int power) {
    double number;
    if (gw_const_real(r->f, v, &number)) {
        m->number = power > 0 ? m->number * number : m->number / number;
        return true;
    }
    const gw_value factor = before_loop(r, v);
    if (!factor || m->count == GW_MOST_FACTORS) return false;
    uint32_t at = m->count++;
    for (; at && m->factor[at - 1] > factor; at--) {
        m->factor[at] = m->factor[at - 1];
        m->power[at] = m->power[at - 1];
    }
    m->factor[at] = factor;
    m->power[at] = power;
    return true;
}

bool gw_same_multiple(const gw_multiple *a, const gw_multiple *b) {
    bool same = a->count == b->count && a->number == b->number;
    for (uint32_t i = 0; same && i < a->count; i++)
        same = a->factor[i] == b->factor[i] && a->power[i] == b->power[i];
    return same;
}

bool gw_same_exponent(const gw_exponent *a, const gw_exponent *b) {
    bool same = a->count == b->count;
    for (uint32_t i = 0; same && i < a->count; i++)
        same = a->part[i].of == b->part[i].of && gw_same_multiple(&a->part[i].by, &b->part[i].by);
    return same;
}

/* ---- reading ---- */
typedef struct reader {
    gw_reading *r;
    gw_value reference;
    gw_multiple *of_reference;
    gw_exponent *rest;
} reader;

static bool read(reader *x, gw_value v, gw_multiple by);

static bool read_scaled(reader *x, gw_value v, gw_value factor, int power, const gw_multiple *by) {
    gw_multiple scaled = *by;
    return multiply(x->r, &scaled, factor, power) && read(x, v, scaled);
}

static bool is_factor(const reader *x, gw_value v) {
    double number;
    return !gw_is_in_loop(x->r, v) || gw_const_real(x->r->f, v, &number) || before_loop(x->r, v);
}

/* ADD, SUB, FMA */
static bool read_sum(reader *x, gw_op op, const gw_multiple *by) {
    const gw_func *f = x->r->f;
    gw_multiple second = *by;
    if (gw_op_at(f, op)->code == GW_OP_SUB) second.number = -second.number;
    if (gw_op_at(f, op)->code != GW_OP_FMA)
        return read(x, gw_operand(f, op, 0), *by) && read(x, gw_operand(f, op, 1), second);
    const bool first = is_factor(x, gw_operand(f, op, 0));
    return read_scaled(x, gw_operand(f, op, first), gw_operand(f, op, !first), 1, by) &&
           read(x, gw_operand(f, op, 2), *by);
}

static bool add_part(reader *x, gw_value v, const gw_multiple *by) {
    if (x->rest->count == GW_MOST_PARTS) return false;
    x->rest->part[x->rest->count].by = *by;
    x->rest->part[x->rest->count++].of = v;
    return true;
}

static bool read(reader *x, gw_value v, gw_multiple by) {
    const gw_func *f = x->r->f;
    if (v == x->reference) {
        if (x->of_reference->number != 0) return false; /* twice */
        *x->of_reference = by;
        return true;
    }
    const gw_op op = gw_is_in_loop(x->r, v) ? gw_value_at(f, v)->op : 0;
    const uint16_t code = op ? gw_op_at(f, op)->code : GW_OP_NONE;
    const bool is_cast = code == GW_OP_CAST && gw_type_is_float(gw_typeof(f, gw_operand(f, op, 0)));
    if (is_cast) return read(x, gw_operand(f, op, 0), by);
    if (code == GW_OP_NEG) {
        by.number = -by.number;
        return read(x, gw_operand(f, op, 0), by);
    }
    if (code == GW_OP_DIV && is_factor(x, gw_operand(f, op, 1)))
        return read_scaled(x, gw_operand(f, op, 0), gw_operand(f, op, 1), -1, &by);
    for (uint32_t i = 0; i < 2 && code == GW_OP_MUL; i++)
        if (is_factor(x, gw_operand(f, op, i)))
            return read_scaled(x, gw_operand(f, op, !i), gw_operand(f, op, i), 1, &by);
    const bool is_sum = code == GW_OP_ADD || code == GW_OP_SUB || code == GW_OP_FMA;
    if (is_sum && !gw_is_free(x->r, v)) return read_sum(x, op, &by);
    return add_part(x, v, &by);
}

bool gw_exponent_read(gw_reading *r, gw_value v, gw_value reference, gw_multiple *of_reference,
                      gw_exponent *rest) {
    *of_reference = (gw_multiple){0};
    *rest = (gw_exponent){0};
    reader x = {r, reference, of_reference, rest};
    return read(&x, v, (gw_multiple){.number = 1});
}

bool gw_exponent_of(gw_reading *r, gw_value v, const gw_multiple *scale, gw_exponent *e) {
    gw_multiple none = {0};
    *e = (gw_exponent){0};
    reader x = {r, 0, &none, e};
    return read(&x, v, *scale);
}

/* ---- building ---- */
gw_value gw_multiple_build(gw_builder *b, gw_type type, const gw_multiple *m, gw_value x) {
    gw_value made = x ? gw_cast(b, type, x) : 0;
    if (!x || m->number != 1) {
        const gw_value number = gw_real(b, type, m->number);
        made = made ? gw_binary(b, GW_OP_MUL, number, made) : number;
    }
    for (uint32_t i = 0; i < m->count; i++)
        made = gw_binary(b, m->power[i] > 0 ? GW_OP_MUL : GW_OP_DIV, made, gw_cast(b, type, m->factor[i]));
    return made;
}

gw_value gw_exponent_build(gw_builder *b, gw_type type, const gw_exponent *e, const gw_multiple *scale,
                           gw_value reference) {
    if (e->count == 1 && gw_same_multiple(&e->part[0].by, scale)) {
        const gw_value from = gw_cast(b, type, e->part[0].of);
        return gw_multiple_build(b, type, scale,
                                 gw_binary(b, GW_OP_SUB, from, gw_cast(b, type, reference)));
    }
    gw_value sum = 0;
    for (uint32_t i = 0; i < e->count; i++)
        sum = gw_joined(b, GW_OP_ADD, sum, gw_multiple_build(b, type, &e->part[i].by, e->part[i].of));
    const gw_value back = gw_multiple_build(b, type, scale, reference);
    return sum ? gw_binary(b, GW_OP_SUB, sum, back) : gw_unary(b, GW_OP_NEG, back);
}
