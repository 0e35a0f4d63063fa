/*
 * copied.c - which objects have copies in the workspace, and how long a copy is (the rung: accumulate/copies.c;
 * contract: workspace.h).
 */
#include "rewriters/workspace/workspace.h"

#include "analysis/facts/facts.h"
#include "analysis/ir/restructure.h"
#include "analysis/ir/rungs.h"

#include <stdlib.h>

static bool is_copied(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    return !o->dead && o->code == GW_OP_ACCUM && o->attr == GW_ACCUMULATE_COPIES;
}

static bool has_copies(const gw_func *f, gw_object object) {
    for (gw_op op = 1; op < f->ops.count; op++)
        if (gw_op_at(f, op)->object == object && is_copied(f, op)) return true;
    return false;
}

uint32_t gw_copied_number(const gw_func *f, gw_object object) {
    uint32_t count = 0;
    for (gw_object o = 1; o < object && o < f->objects.count; o++) count += has_copies(f, o);
    return count;
}

uint32_t gw_copied_objects(const gw_func *f) { return gw_copied_number(f, f->objects.count); }

gw_object gw_copied_object(const gw_func *f, uint32_t number) {
    gw_object o = 1;
    while (!has_copies(f, o) || number--) o++;
    return o;
}

bool gw_copies_are_asked(const gw_func *f, gw_object object) {
    for (gw_op op = 1; op < f->ops.count; op++)
        if (gw_op_at(f, op)->object == object && is_copied(f, op) && gw_asked_rung_at(f, op) == GW_RUNG_COPIES)
            return true;
    return false;
}

/* ---- indices ---- */
/* a number is at most 2^bits, up or down; TOO_WIDE: the host's bounds may not fit, or it wraps around */
enum { WIDE = 63, TOO_WIDE = 64 };

typedef struct walk {
    const gw_func *f;
    gw_bounds *b;
    uint8_t *bits;  /* by value: of the bounds' numbers; 0: not seen */
    bool per_block; /* blockIdx tells the cell */
} walk;

static uint8_t bits_of(walk *w, gw_value v);

static uint8_t bits_of_type(gw_type type) {
    return (uint8_t)(gw_type_bits(type) < 64 ? gw_type_bits(type) - gw_type_is_signed(type) : WIDE);
}
static uint8_t computed(uint32_t bits) { return (uint8_t)(bits < WIDE ? bits : TOO_WIDE); }
static uint8_t greater(uint8_t a, uint8_t b) { return a > b ? a : b; }

static gw_value yielded(const gw_func *f, const gw_value_data *d, uint32_t side) {
    return gw_arm_value(f, d->op, side, d->index);
}

static uint8_t most_of(walk *w, gw_op op, uint32_t from, uint32_t to) {
    uint8_t most = 0;
    for (uint32_t i = from; i < to; i++) most = greater(most, bits_of(w, gw_operand(w->f, op, i)));
    return most;
}

/* The index of a loop stays between the loop's bounds: if one of signed type passed the end of its type, that
 * would be undefined in the source, and one of unsigned type comes in again at 0, where the first may have
 * been. */
static uint8_t bits_of_index(walk *w, gw_op loop) {
    const gw_op_data *o = gw_op_at(w->f, loop);
    bool rises = o->attr == GW_OP_LT || o->attr == GW_OP_LE, falls = o->attr == GW_OP_GT || o->attr == GW_OP_GE;
    bool stays = gw_type_is_signed(gw_typeof(w->f, gw_operand(w->f, loop, 0)));
    int64_t c;
    if (!stays && rises) stays = gw_loop_step(w->f, loop) == 1;
    if (!stays && rises) {
        gw_interval first = gw_bounds_of(w->b, gw_operand(w->f, loop, 0));
        stays = first.low && gw_const_int(w->b->to->f, first.low, &c) && c == 0;
    }
    return stays && (rises || falls) ? most_of(w, loop, 0, 2) : TOO_WIDE;
}

/* x % 64, x & 63: any block may have all of these cells. */
static uint8_t bits_of_cut(walk *w, gw_op op) {
    int64_t c;
    bool per_block = w->per_block, is_cut = gw_const_int(w->f, gw_operand(w->f, op, 1), &c) && c > 0;
    uint8_t bits = most_of(w, op, is_cut && gw_op_at(w->f, op)->code == GW_OP_AND, 2);
    if (is_cut) w->per_block = per_block;
    return bits;
}

static uint8_t bits_of_op(walk *w, gw_value v) {
    const gw_func *f = w->f;
    const gw_value_data *d = gw_value_at(f, v);
    if (!d->op) {
        gw_op loop = gw_region_at(f, d->region)->parent;
        if (!loop) return bits_of_type(d->type);
        return gw_op_at(f, loop)->code == GW_OP_FOR && d->index == 0 ? bits_of_index(w, loop) : TOO_WIDE;
    }
    const gw_op_data *o = gw_op_at(f, d->op);
    uint8_t sum;
    switch (o->code) {
    case GW_OP_SPECIAL: w->per_block |= o->attr / 4 == GW_BLOCK_IDX; return 31; /* longest grid */
    case GW_OP_CAST:
    case GW_OP_SELECT: return most_of(w, d->op, o->code == GW_OP_SELECT, o->operands);
    case GW_OP_ADD:
    case GW_OP_SUB: return computed(most_of(w, d->op, 0, 2) + 1u);
    case GW_OP_MUL:
        sum = bits_of(w, gw_operand(f, d->op, 0));
        return computed((uint32_t)sum + bits_of(w, gw_operand(f, d->op, 1)));
    case GW_OP_DIV: return most_of(w, d->op, 0, 2);
    case GW_OP_IF: sum = bits_of(w, yielded(f, d, 0)); return greater(sum, bits_of(w, yielded(f, d, 1)));
    case GW_OP_REM:
    case GW_OP_AND: return bits_of_cut(w, d->op);
    case GW_OP_IMIN:
    case GW_OP_IMAX: return most_of(w, d->op, 0, 2);
    case GW_OP_LOAD: return bits_of_type(d->type); /* a member of a struct, or of no bound */
    default: return TOO_WIDE;
    }
}

static uint8_t bits_of(walk *w, gw_value v) {
    gw_type type = gw_typeof(w->f, v);
    int64_t c;
    if (w->bits[v]) return w->bits[v];
    w->bits[v] = TOO_WIDE; /* until it is known */
    if (gw_const_int(w->f, v, &c)) {
        uint8_t bits = 1;
        for (uint64_t left = (uint64_t)(c < 0 ? ~c : c); left; left >>= 1) bits++;
        return w->bits[v] = bits;
    }
    if (type == GW_T_BOOL) return w->bits[v] = 1;
    if (!gw_type_is_integer(type)) return TOO_WIDE;
    uint8_t bits = bits_of_op(w, v), own = bits_of_type(type);
    if (bits < WIDE && bits > own) bits = own; /* value_bound.c gives all of the type where one leaves it */
    if (bits > WIDE && gw_bounds_exact(w->b, v)) bits = WIDE; /* one number, computed as in the kernel */
    return w->bits[v] = bits;
}

/* ---- the host ---- */
static gw_value number(gw_bounds *b, int64_t x) { return gw_int(b->to, GW_T_I64, x); }

/* The greatest index of the addition, -1 if one may be negative; 0: there is no bound. */
static gw_value greatest_index(walk *w, gw_op add) {
    gw_value index = gw_operand(w->f, add, 0);
    if (bits_of(w, index) > WIDE) return 0;
    gw_interval range = gw_bounds_of(w->b, index);
    if (!range.low || !range.high) return 0;
    return gw_select(w->b->to, gw_binary(w->b->to, GW_OP_LT, range.low, number(w->b, 0)), number(w->b, -1),
                     range.high);
}

gw_value gw_copied_index(gw_bounds *b, gw_op add, bool *per_block) {
    walk w = {.f = b->from, .b = b, .bits = gw_alloc(b->from->values.count)};
    gw_value greatest = greatest_index(&w, add);
    free(w.bits);
    *per_block = w.per_block;
    return greatest;
}

gw_value gw_copied_last(gw_bounds *b, gw_object object) {
    const gw_func *f = b->from;
    walk w = {.f = f, .b = b, .bits = gw_alloc(f->values.count)};
    gw_value last = 0, none = number(b, -1), fits = gw_int(b->to, GW_T_BOOL, 1);
    bool several = false;
    for (gw_op op = 1; op < f->ops.count; op++) {
        if (gw_op_at(f, op)->object != object || !is_copied(f, op)) continue;
        gw_value index = greatest_index(&w, op);
        if (!index) index = none;
        fits = gw_binary(b->to, GW_OP_AND, fits, gw_binary(b->to, GW_OP_GE, index, number(b, 0)));
        several |= last && last != index;
        last = several ? gw_binary(b->to, GW_OP_IMAX, last, index) : index;
    }
    free(w.bits);
    return several ? gw_select(b->to, fits, last, none) : last;
}

void gw_copied_tell(gw_bounds *b, gw_told_numbers *out) {
    const gw_func *f = b->from;
    for (uint32_t i = 0; i < gw_copied_objects(f); i++)
        gw_push(out, gw_cast(b->to, GW_T_U64, gw_copied_last(b, gw_copied_object(f, i))));
}
