/*
 * frontend/place/bits.c - memory that a cast pointer sees as cells of another type.
 *
 * Each type of cells of dynamic shared memory is an object of its own (frontend/place/shared.c). Elsewhere the
 * memory keeps its type, and a place says what its bits are seen as: numbers of the same size are read and
 * stored as bits (the op `bits`), through which no derivative goes; `char *` counts bytes on the way to another
 * type. A pointer's last index counts what the pointer leads to. Divisions are exact: CUDA asks that a cell
 * lies at a multiple of its size.
 */
#include "plugin/frontend/place/place.h"
#include "plugin/frontend/type/type.h"

#include "analysis/ir/diagnostics.h"

#include <string.h>

/* ---- distances ---- */

/* What fits in 32 bits: its product with a size does not wrap around. */
static bool is_short(const gw_func *f, gw_value v) {
    gw_op op = gw_value_at(f, v)->op;
    return op && gw_op_at(f, op)->code == GW_OP_CAST &&
           gw_type_bits(gw_typeof(f, gw_operand(f, op, 0))) <= 32;
}

/* v / by, of v's type, where that can be seen to be exact; else 0. */
static gw_value quotient(gw_builder *b, gw_value v, int64_t by) {
    gw_op op = gw_value_at(b->f, v)->op;
    gw_type type = gw_typeof(b->f, v);
    int64_t n;
    if (gw_const_int(b->f, v, &n)) return n % by == 0 && n >= 0 ? gw_int(b, type, n / by) : 0;
    if (!op || !gw_type_is_integer(type) || (type != GW_T_U64 && !gw_type_is_signed(type))) return 0;
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
        return gw_type_is_signed(type) || is_short(b->f, x)
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

/* ---- types ---- */
gw_shape gw_front_cell_of_views(gw_unit *u, gw_shape shape) {
    gw_shape number = gw_front_number_of(u, shape);
    return number == GW_T_VOID ? shape : number;
}

static bool is_number(gw_shape shape) {
    return shape < GW_T_SCALARS && shape != GW_T_VOID && shape != GW_T_BOOL && !gw_type_is_half(shape) &&
           gw_type_bytes(shape) <= 8;
}

static bool is_cell_of_row(gw_lowering *L, const gw_place *p) {
    const char *path = GW_FRONT_TEXT(L, p->path);
    size_t n = strlen(path);
    return p->kind == GW_PLACE_MEMORY && p->count && !p->view && !p->walked && n >= 2 &&
           strcmp(path + n - 2, "[]") == 0 && !strstr(path, "[][]");
}

bool gw_front_retype(gw_lowering *L, gw_place *target, gw_shape wanted) {
    gw_place p = gw_front_first_number(L, *target);
    if (L->f->kind == GW_FUNC_HOST || !is_cell_of_row(L, &p)) return false;
    gw_value *index = &p.index[p.count - 1];
    if (gw_front_is_dynamic_shared(L, p.object)) {
        if (!L->carves) L->must_carve = L->failed = true;
        *target = p;
        return L->failed || (p.count == 1 && gw_front_carve(L, target, *index, p.shape, wanted));
    }
    gw_shape own = p.cell ? p.cell : p.shape;
    bool bytes = wanted < GW_T_SCALARS && gw_type_bytes(wanted) == 1;
    if (!is_number(own) || !is_number(wanted) || !(bytes || gw_type_bytes(wanted) == gw_type_bytes(own)))
        return false;
    *index = gw_front_rescale(L, *index, p.shape, wanted);
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
static bool is_whole(gw_lowering *L, const gw_place *p) {
    if (gw_type_bytes(p->shape) == gw_type_bytes(p->cell)) return true;
    if (!L->failed)
        gw_diag(L->session, GW_DIAG_UNSUPPORTED, L->b.loc, "a part of a number",
                "read the whole number by its own type");
    L->failed = true;
    return false;
}

gw_value gw_front_load_bits(gw_lowering *L, gw_place place) {
    gw_shape seen = place.shape;
    if (!is_whole(L, &place)) return gw_int(&L->b, GW_T_I32, 0);
    place.shape = place.cell, place.cell = 0;
    return gw_bits(&L->b, seen, gw_front_load(L, place));
}

void gw_front_store_bits(gw_lowering *L, gw_place place, gw_value value) {
    value = gw_cast(&L->b, place.shape, value);
    if (!is_whole(L, &place)) return;
    place.shape = place.cell, place.cell = 0;
    gw_front_store(L, place, gw_bits(&L->b, place.shape, value));
}
