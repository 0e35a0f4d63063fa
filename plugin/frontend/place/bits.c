/*
 * frontend/place/bits.c - memory that a cast pointer sees as cells of another type.
 *
 * Each type of cells of dynamic shared memory is an object of its own (frontend/place/shared.c). Elsewhere the
 * memory keeps its type, and a place says what its bits are seen as: numbers of the same size are read and
 * stored as bits (the op `bits`), through which no derivative goes; `char *` counts bytes on the way to another
 * type. A pointer's last index counts what the pointer leads to. Divisions are exact: CUDA asks that a cell
 * lies at a multiple of its size.
 *
 * A double is two halves of 4 bytes, and two floats are one number of 8: what copies them as the other (16
 * bytes by uint4 over doubles) moves bits that are joined again, and what is joined of the two halves of one
 * number is that number, with its derivative. A half is read alone where it is seen which one it is, and is
 * stored together with the other one only (frontend/place/view.c).
 */
#include "plugin/frontend/place/place.h"
#include "plugin/frontend/type/type.h"

#include "analysis/ir/diagnostics.h"
#include "analysis/ir/query.h"

#include <string.h>

/* ---- distances ---- */

/* What fits in 32 bits: its product with a size does not wrap around. */
static bool is_short(const gw_func *f, gw_value v) {
    gw_op op = gw_value_at(f, v)->op;
    return op && gw_op_at(f, op)->code == GW_OP_CAST &&
           gw_type_bits(gw_typeof(f, gw_operand(f, op, 0))) <= 32;
}

/* The most that an unsigned number is, of threads of a block; BEYOND: more than any index. */
enum { BEYOND = INT32_MAX };
static int64_t most_of(const gw_func *f, gw_value v) {
    const gw_op op = gw_value_at(f, v)->op;
    int64_t n;
    if (gw_const_int(f, v, &n)) return n >= 0 && n < BEYOND ? n : BEYOND;
    if (!op) return BEYOND;
    const gw_op_data *o = gw_op_at(f, op);
    if (o->code == GW_OP_SPECIAL) return o->attr / 4 == GW_THREAD_IDX ? 1023 : BEYOND;
    if (o->operands != 2 || (o->code != GW_OP_ADD && o->code != GW_OP_MUL)) return BEYOND;
    const int64_t x = most_of(f, gw_operand(f, op, 0)), y = most_of(f, gw_operand(f, op, 1));
    const int64_t most = o->code == GW_OP_ADD ? x + y : x * y;
    return x < BEYOND && y < BEYOND && most < BEYOND ? most : BEYOND;
}

/* No number that it is made of wraps around. */
static bool is_exact(const gw_func *f, gw_value v) {
    const gw_type type = gw_typeof(f, v);
    if (!gw_type_is_integer(type)) return false;
    return type == GW_T_U64 || gw_type_is_signed(type) || most_of(f, v) < BEYOND;
}

/* v / by, of v's type, where that can be seen to be exact; else 0. */
static gw_value quotient(gw_builder *b, gw_value v, int64_t by) {
    gw_op op = gw_value_at(b->f, v)->op;
    gw_type type = gw_typeof(b->f, v);
    int64_t n;
    if (gw_const_int(b->f, v, &n)) return n % by == 0 && n >= 0 ? gw_int(b, type, n / by) : 0;
    if (!op || !is_exact(b->f, v)) return 0;
    gw_value x = gw_op_at(b->f, op)->operands ? gw_operand(b->f, op, 0) : 0;
    gw_value y = gw_op_at(b->f, op)->operands > 1 ? gw_operand(b->f, op, 1) : 0;
    switch (gw_op_at(b->f, op)->code) {
    case GW_OP_CAST:
        x = gw_type_is_integer(gw_typeof(b->f, x)) ? quotient(b, x, by) : 0;
        return x ? gw_cast(b, type, x) : 0;
    case GW_OP_MUL:
        if (gw_const_int(b->f, x, &n)) { /* 4 * i */
            gw_value other = y;
            y = x, x = other;
        }
        if (!gw_const_int(b->f, y, &n) || n % by != 0 || n < 0) return 0;
        return gw_type_is_signed(type) || is_short(b->f, x) || most_of(b->f, v) < BEYOND
                   ? gw_binary(b, GW_OP_MUL, x, gw_int(b, type, n / by))
                   : 0;
    case GW_OP_ADD:
    case GW_OP_SUB:
        x = quotient(b, x, by);
        y = x ? quotient(b, y, by) : 0;
        return y ? gw_binary(b, (gw_opcode)gw_op_at(b->f, op)->code, x, y) : 0;
    default: return 0;
    }
}

gw_value gw_front_rescale(gw_lowering *L, gw_value index, gw_shape from, gw_shape to) {
    int64_t have = gw_front_shape_bytes(L->u, from), want = gw_front_shape_bytes(L->u, to), a = have, b = want;
    while (b) {
        int64_t rest = a % b;
        a = b, b = rest;
    }
    have /= a, want /= a;
    index = gw_cast(&L->b, GW_T_I64, index);
    if (have > 1) index = gw_binary(&L->b, GW_OP_MUL, index, gw_int(&L->b, GW_T_I64, have));
    if (want == 1) return index;
    gw_value exact = quotient(&L->b, index, want);
    return exact ? exact : gw_binary(&L->b, GW_OP_DIV, index, gw_int(&L->b, GW_T_I64, want));
}

/* ---- halves ---- */
gw_value gw_front_behind_signs(const gw_func *f, gw_value v) {
    for (gw_op op; (op = gw_made_by(f, v, GW_OP_CAST)) != 0; v = gw_operand(f, op, 0)) {
        gw_type from = gw_typeof(f, gw_operand(f, op, 0));
        if (!gw_type_is_integer(from) || gw_type_bits(from) != gw_type_bits(gw_typeof(f, v))) break;
    }
    return v;
}

gw_value gw_front_bits_of(const gw_func *f, gw_value v, gw_type type) {
    gw_op op = gw_made_by(f, gw_front_behind_signs(f, v), GW_OP_BITS);
    return op && gw_typeof(f, gw_operand(f, op, 0)) == type ? gw_operand(f, op, 0) : 0;
}

gw_value gw_front_whole_of(const gw_func *f, gw_value v, bool high) {
    gw_op cut = gw_made_by(f, gw_front_behind_signs(f, v), GW_OP_CAST), shift;
    gw_value all = cut ? gw_front_behind_signs(f, gw_operand(f, cut, 0)) : 0;
    int64_t by;
    if (!all || !gw_type_is_integer(gw_typeof(f, all)) || gw_type_bits(gw_typeof(f, all)) != 64) return 0;
    if (!high) return gw_front_bits_of(f, all, GW_T_F64);
    shift = gw_made_by(f, all, GW_OP_SHR);
    bool upper = shift && gw_const_int(f, gw_operand(f, shift, 1), &by) && by == 32;
    return upper ? gw_front_bits_of(f, gw_operand(f, shift, 0), GW_T_F64) : 0;
}

/* The integer of 32 bits that a wider one was. */
static gw_value narrow_behind(const gw_func *f, gw_value v) {
    for (gw_op op; gw_type_bits(gw_typeof(f, v)) != 32; v = gw_operand(f, op, 0))
        if ((op = gw_made_by(f, v, GW_OP_CAST)) == 0 || !gw_type_is_integer(gw_typeof(f, gw_operand(f, op, 0))))
            return 0;
    return v;
}

/* What one half of the double was joined of; 0: it was not. */
static gw_value joined_of(const gw_func *f, gw_value x, bool high) {
    const gw_op bits = gw_made_by(f, x, GW_OP_BITS);
    const gw_value all = bits ? gw_behind_casts(f, gw_operand(f, bits, 0)) : 0;
    const gw_op both = all ? gw_made_by(f, all, GW_OP_OR) : 0,
                shift = both ? gw_made_by(f, gw_operand(f, both, 0), GW_OP_SHL) : 0;
    int64_t by;
    if (!shift || !gw_const_int(f, gw_operand(f, shift, 1), &by) || by != 32) return 0;
    const gw_value upper = narrow_behind(f, gw_operand(f, shift, 0)),
                   lower = narrow_behind(f, gw_operand(f, both, 1));
    if (!upper || !lower) return 0;
    return high ? upper : lower;
}

gw_value gw_front_half_of(gw_lowering *L, gw_value x, bool high) {
    const gw_value joined = joined_of(L->f, x, high);
    if (joined) return gw_cast(&L->b, GW_T_I32, gw_front_behind_signs(L->f, joined));
    gw_value all = gw_bits(&L->b, GW_T_I64, x);
    if (high) all = gw_binary(&L->b, GW_OP_SHR, all, gw_int(&L->b, GW_T_I32, 32));
    return gw_cast(&L->b, GW_T_I32, all);
}

gw_value gw_front_join_halves(gw_lowering *L, gw_value high, gw_value low) {
    const gw_value x = gw_front_whole_of(L->f, high, true);
    if (x && x == gw_front_whole_of(L->f, low, false)) return x;
    gw_value upper = gw_cast(&L->b, GW_T_U64, gw_cast(&L->b, GW_T_U32, high));
    upper = gw_binary(&L->b, GW_OP_SHL, upper, gw_int(&L->b, GW_T_I32, 32));
    const gw_value lower = gw_cast(&L->b, GW_T_U64, gw_cast(&L->b, GW_T_U32, low));
    return gw_bits(&L->b, GW_T_F64, gw_binary(&L->b, GW_OP_OR, upper, lower));
}

/* Whether an index is odd, 1, or even, 0; -1: that is not seen. */
static int oddness(const gw_func *f, gw_value v) {
    int64_t n;
    const gw_op op = gw_value_at(f, v)->op;
    if (gw_const_int(f, v, &n)) return (int)(n & 1);
    if (!op || !gw_type_is_integer(gw_typeof(f, v))) return -1;
    const gw_op_data *o = gw_op_at(f, op);
    const int x = o->operands ? oddness(f, gw_operand(f, op, 0)) : -1,
              y = o->operands > 1 ? oddness(f, gw_operand(f, op, 1)) : -1;
    switch (o->code) {
    case GW_OP_CAST: return x; /* of integers alone: a number has no oddness */
    case GW_OP_MUL:
        if (x == 0 || y == 0) return 0;
        return x < 0 || y < 0 ? -1 : 1;
    case GW_OP_ADD:
    case GW_OP_SUB: return x < 0 || y < 0 ? -1 : x ^ y;
    default: return -1;
    }
}

/* Half of a distance that is even; it counts cells, so that it does not wrap around. */
static gw_value halved(gw_builder *b, gw_value by) {
    const gw_value exact = quotient(b, by, 2);
    return exact ? exact : gw_binary(b, GW_OP_DIV, by, gw_int(b, GW_T_I64, 2));
}

/* ---- numbers of structs ---- */
static bool is_cell_of_row(gw_lowering *L, const gw_place *p) {
    const char *path = GW_FRONT_TEXT(L, p->path);
    size_t n = strlen(path);
    return p->kind == GW_PLACE_MEMORY && p->count && !p->view && !p->walked && n >= 2 &&
           strcmp(path + n - 2, "[]") == 0 && !strstr(path, "[][]");
}

/* floor(v / each), where what is left is seen, else 0. */
static gw_value whole_part(gw_builder *b, gw_value v, int64_t each, int64_t *rest) {
    const gw_type type = gw_typeof(b->f, v);
    const gw_op op = gw_value_at(b->f, v)->op;
    int64_t n, left = 0, right = 0;
    if (gw_const_int(b->f, v, &n)) {
        *rest = (n % each + each) % each;
        return gw_int(b, type, (n - *rest) / each);
    }
    if (!op || !is_exact(b->f, v)) return 0;
    const gw_opcode code = (gw_opcode)gw_op_at(b->f, op)->code;
    if (code == GW_OP_CAST) {
        const gw_value of = gw_operand(b->f, op, 0);
        const bool keeps = gw_type_is_integer(gw_typeof(b->f, of)) &&
                           gw_type_bits(gw_typeof(b->f, of)) <= gw_type_bits(type);
        const gw_value part = keeps ? whole_part(b, of, each, rest) : 0;
        return part ? gw_cast(b, type, part) : 0;
    }
    if (code == GW_OP_ADD || (code == GW_OP_SUB && gw_type_is_signed(type))) {
        gw_value x = whole_part(b, gw_operand(b->f, op, 0), each, &left),
                 y = x ? whole_part(b, gw_operand(b->f, op, 1), each, &right) : 0;
        if (!y) return 0;
        const int64_t sum = code == GW_OP_ADD ? left + right : left - right;
        *rest = (sum % each + each) % each;
        return gw_binary(b, GW_OP_ADD, gw_binary(b, code, x, y), gw_int(b, type, (sum - *rest) / each));
    }
    *rest = 0;
    return quotient(b, v, each);
}

/* The struct that number v of the row is in, and which of its numbers it is, known or by `*which`. */
static gw_value struct_of(gw_lowering *L, gw_value v, int64_t each, gw_value *which) {
    gw_builder *b = &L->b;
    int64_t rest = 0;
    gw_value whole = whole_part(b, v, each, &rest);
    if (whole) *which = gw_int(b, GW_T_I32, rest);
    if (whole) return gw_cast(b, GW_T_I64, whole);
    const gw_op sum = gw_made_by(L->f, gw_behind_casts(L->f, v), GW_OP_ADD);
    gw_value left = v;
    for (uint32_t i = 0; sum && !whole && i < 2; i++) {
        const gw_value part = gw_operand(L->f, sum, i), other = gw_operand(L->f, sum, 1 - i);
        const bool is_short_walk =
            most_of(L->f, part) < BEYOND && gw_front_certainly_inside(L, other, (uint32_t)each);
        whole = whole_part(b, gw_cast(b, GW_T_I64, part), each, &rest);
        if (whole && (is_short_walk || gw_type_is_signed(gw_typeof(L->f, gw_result(L->f, sum, 0)))))
            left = rest ? gw_binary(b, GW_OP_ADD, gw_cast(b, GW_T_I64, other), gw_int(b, GW_T_I64, rest))
                        : other;
        else whole = 0;
    }
    if (!whole) whole = gw_int(b, GW_T_I64, 0);
    *which = gw_cast(b, GW_T_I32, left);
    if (gw_front_certainly_inside(L, left, (uint32_t)each)) return whole;
    const gw_value size = gw_int(b, GW_T_I64, each);
    left = gw_cast(b, GW_T_I64, left);
    const gw_value near = gw_binary(b, GW_OP_ADD, gw_binary(b, GW_OP_REM, left, size), size),
                   in = gw_binary(b, GW_OP_REM, near, size); /* of a number below 0, too */
    *which = gw_cast(b, GW_T_I32, in);
    const gw_value others = gw_binary(b, GW_OP_DIV, gw_binary(b, GW_OP_SUB, left, in), size);
    return gw_binary(b, GW_OP_ADD, whole, others);
}

bool gw_front_as_numbers(gw_lowering *L, gw_place *p) {
    const gw_shape number = gw_front_number_of(L->u, p->shape);
    if (!is_cell_of_row(L, p) || gw_front_is_device(L, p) || gw_front_is_dynamic_shared(L, p->object) ||
        gw_front_shape_kind(L->u, p->shape) != GW_SHAPE_STRUCT || number == GW_T_VOID || p->cell ||
        p->most || p->numbers_of)
        return false;
    p->index[p->count - 1] = gw_front_rescale(L, p->index[p->count - 1], p->shape, number);
    p->numbers_of = p->shape, p->shape = number, p->most = 0;
    return true;
}

void gw_front_note_inside(gw_lowering *L, const gw_place *of, uint32_t field, gw_place *number) {
    const gw_shape_data *d = gw_front_shape_at(L->u, of->shape);
    const bool is_number = gw_front_shape_kind(L->u, number->shape) == GW_SHAPE_SCALAR;
    number->inside = 0;
    /* Behind the last of a member array there are others of its struct. */
    const bool is_member_array = strchr(GW_FRONT_TEXT(L, of->path), '.') != NULL;
    if (!is_number || is_member_array || !is_cell_of_row(L, of) || of->numbers_of || of->cell || of->most ||
        d->is_union || gw_front_number_of(L->u, of->shape) != number->shape)
        return;
    number->inside = of->shape, number->number = 0;
    for (uint32_t i = 0; i < field; i++)
        number->number += (uint32_t)gw_front_numbers_in(L->u, L->u->fields.at[d->first + i].shape);
}

bool gw_front_advance_inside(gw_lowering *L, gw_place *number, gw_value by, bool back) {
    int64_t steps;
    if (!number->inside || (gw_const_int(L->f, by, &steps) && !steps)) return false;
    gw_place p = *number;
    const char *path = GW_FRONT_TEXT(L, p.path), *member = strrchr(path, '.');
    p.path = gw_intern_n(L->session, path, (size_t)(member - path));
    p.shape = p.inside, p.inside = 0;
    if (!gw_front_as_numbers(L, &p)) return false;
    p = gw_front_advance(L, p, gw_int(&L->b, GW_T_I64, p.number), false);
    *number = gw_front_advance(L, p, by, back);
    return true;
}

gw_place gw_front_number_cell(gw_lowering *L, gw_place p) {
    enum { MOST = 16 };
    const int64_t each = (int64_t)gw_front_numbers_in(L->u, p.numbers_of);
    gw_value which = 0, *index = &p.index[p.count - 1];
    int64_t n;
    *index = struct_of(L, *index, each, &which);
    p.shape = p.numbers_of, p.numbers_of = 0;
    gw_front_row_mark(L, &p);
    if (gw_const_int(L->f, which, &n)) return gw_front_number_at(L, p, (uint64_t)n);
    if (each > MOST && !L->failed)
        gw_diag(L->session, GW_DIAG_UNSUPPORTED, L->b.loc,
                "an index that picks a number of a struct of so many", "use the struct's members, or an array");
    L->failed |= each > MOST;
    gw_place all = {.kind = GW_PLACE_CHOICE, .slot = L->candidates.count, .count = (uint32_t)each};
    for (int64_t i = 0; i < each && !L->failed; i++) {
        const gw_place one = gw_front_number_at(L, p, (uint64_t)i);
        all.shape = one.shape;
        gw_push(&L->candidates, one);
    }
    all.index[0] = which;
    return all;
}

/* ---- types ---- */
gw_shape gw_front_cell_of_views(gw_unit *u, gw_shape shape) {
    gw_shape number = gw_front_number_of(u, shape);
    return number == GW_T_VOID ? shape : number;
}

static bool is_number(gw_shape shape) {
    return shape < GW_T_SCALARS && shape != GW_T_VOID && shape != GW_T_BOOL && !gw_type_is_half(shape) &&
           gw_type_bytes(shape) <= 8;
}

/* Cells may be seen as numbers of their size, as halves of these or pairs, and as bytes. */
static bool is_seen_as(gw_shape own, gw_shape wanted) {
    const uint32_t have = gw_type_bytes(own), want = gw_type_bytes(wanted);
    const bool halves = own == GW_T_F64 && want == 4, pairs = own == GW_T_F32 && want == 8;
    return want == 1 || want == have || halves || pairs;
}

bool gw_front_retype(gw_lowering *L, gw_place *target, gw_shape wanted) {
    gw_place p = gw_front_first_number(L, *target);
    gw_front_as_numbers(L, &p);
    if (L->f->kind == GW_FUNC_HOST || !is_cell_of_row(L, &p)) return false;
    gw_value *const index = &p.index[p.count - 1];
    if (gw_front_is_dynamic_shared(L, p.object)) {
        if (!L->carves) L->must_carve = L->failed = true;
        *target = p;
        return L->failed || (p.count == 1 && gw_front_carve(L, target, *index, p.shape, wanted));
    }
    gw_shape own = p.cell ? p.cell : p.shape;
    if (!is_number(own) || !is_number(wanted) || !is_seen_as(own, wanted)) return false;
    const bool halves = own == GW_T_F64 && gw_type_bytes(wanted) == 4;
    if (p.upper && !halves) return false;
    *index = gw_front_rescale(L, *index, gw_front_is_half(&p) ? own : p.shape, halves ? own : wanted);
    p.shape = wanted;
    p.cell = wanted == own ? 0 : own;
    *target = p;
    return true;
}

bool gw_front_reshape_bits(gw_lowering *L, gw_place *target, gw_shape wanted) {
    const gw_shape number = gw_front_number_of(L->u, wanted);
    gw_place p = *target;
    if (number == GW_T_VOID || wanted < GW_T_SCALARS || gw_type_bytes(number) == 1) return false;
    if (!gw_front_retype(L, &p, number) || L->failed || !gw_front_reshape(L, &p, wanted)) return L->failed;
    *target = p;
    return true;
}

/* ---- accesses ---- */
static void refuse_part(gw_lowering *L) {
    if (!L->failed)
        gw_diag(L->session, GW_DIAG_UNSUPPORTED, L->b.loc, "a part of a number",
                "read and store whole numbers, by the memory's own type");
    L->failed = true;
}

bool gw_front_is_half(const gw_place *p) {
    return p->cell && gw_type_bytes(p->cell) == 8 && gw_type_bytes(p->view ? p->view : p->shape) == 4;
}

/* The place's index counts doubles. */
gw_place gw_front_advance_half(gw_lowering *L, gw_place half, gw_value by, bool back) {
    by = gw_cast(&L->b, GW_T_I64, by);
    const int odd = oddness(L->f, by);
    if (odd < 0) refuse_part(L);
    if (odd < 0) return half;
    if (back) by = gw_unary(&L->b, GW_OP_NEG, by);
    if (odd) by = gw_binary(&L->b, half.upper ? GW_OP_ADD : GW_OP_SUB, by, gw_int(&L->b, GW_T_I64, 1));
    gw_value *index = &half.index[half.count - 1];
    *index = gw_binary(&L->b, GW_OP_ADD, gw_cast(&L->b, GW_T_I64, *index), halved(&L->b, by));
    half.upper ^= odd == 1;
    return half;
}

static gw_place whole_cell(gw_place half) {
    half.shape = half.cell, half.cell = 0, half.upper = false;
    return half;
}

gw_place gw_front_cell_of_halves(gw_lowering *L, gw_place low) {
    if (!L->failed && low.upper) refuse_part(L);
    return whole_cell(low);
}

/* Number `which` of the two that are seen as one. */
static gw_place part_of(gw_lowering *L, gw_place p, uint32_t which) {
    gw_value *index = &p.index[p.count - 1];
    *index = gw_binary(&L->b, GW_OP_MUL, gw_cast(&L->b, GW_T_I64, *index), gw_int(&L->b, GW_T_I64, 2));
    if (which) *index = gw_binary(&L->b, GW_OP_ADD, *index, gw_int(&L->b, GW_T_I64, 1));
    p.shape = p.cell, p.cell = 0;
    return p;
}

gw_value gw_front_load_bits(gw_lowering *L, gw_place place) {
    const gw_shape seen = place.shape;
    const uint32_t want = gw_type_bytes(seen), have = gw_type_bytes(place.cell);
    if (want == 8 && have == 4) {
        const gw_value low = gw_bits(&L->b, GW_T_I32, gw_front_load(L, part_of(L, place, 0))),
                       upper = gw_bits(&L->b, GW_T_I32, gw_front_load(L, part_of(L, place, 1)));
        return gw_bits(&L->b, seen, gw_front_join_halves(L, upper, low));
    }
    if (want == 4 && have == 8)
        return gw_bits(&L->b, seen, gw_front_half_of(L, gw_front_load(L, whole_cell(place)), place.upper));
    if (want != have) refuse_part(L);
    if (L->failed) return gw_int(&L->b, GW_T_I32, 0);
    place.shape = place.cell, place.cell = 0;
    return gw_bits(&L->b, seen, gw_front_load(L, place));
}

void gw_front_store_bits(gw_lowering *L, gw_place place, gw_value value) {
    const uint32_t want = gw_type_bytes(place.shape), have = gw_type_bytes(place.cell);
    value = gw_cast(&L->b, place.shape, value);
    if (want == 8 && have == 4) {
        value = gw_bits(&L->b, GW_T_F64, value);
        for (uint32_t i = 0; i < 2; i++) {
            const gw_place part = part_of(L, place, i);
            gw_front_store(L, part, gw_bits(&L->b, part.shape, gw_front_half_of(L, value, i == 1)));
        }
        return;
    }
    if (want != have) refuse_part(L);
    if (L->failed) return;
    place.shape = place.cell, place.cell = 0;
    gw_front_store(L, place, gw_bits(&L->b, place.shape, value));
}
