/*
 * frontend/object/rows.c - a local std::vector of vectors whose rows have one length.
 *
 * Its elements lie behind each other in one local array, and the vector knows how long a row is. A row is
 * named by a vector of its own, made where it is asked for: where the row begins, and its length. That is
 * sound as long as no row gets another size, which is refused by the array (L->rows): what would give one
 * more elements, or other memory, asks gw_front_is_rows. Rows of a parameter are the caller's vectors
 * (vector.c), and of any lengths.
 */
#include "plugin/frontend/lower.h"
#include "plugin/frontend/object/object.h"
#include "plugin/frontend/type/type.h"

#include "analysis/ir/diagnostics.h"
#include "analysis/ir/query.h"

static gw_shape element_of(gw_lowering *L, gw_shape vector) {
    return gw_front_pointee(L->u, L->u->fields.at[gw_front_shape_at(L->u, vector)->first].shape);
}

bool gw_front_is_rows(const gw_lowering *L, const gw_place *first) {
    bool is = false;
    for (uint32_t i = 0; i < L->rows.count && first->kind == GW_PLACE_MEMORY; i++)
        is |= L->rows.at[i] == first->object;
    for (uint32_t i = 0; i < first->count && first->kind == GW_PLACE_CHOICE; i++)
        is |= gw_front_is_rows(L, &L->candidates.at[first->slot + i]);
    return is;
}

bool gw_front_has_rows(gw_lowering *L, gw_place vector) {
    const gw_shape_data *d = gw_front_shape_at(L->u, vector.shape);
    if (L->failed || !d->has_rows || vector.kind != GW_PLACE_SLOTS) return false;
    const gw_place first = gw_front_target(L, gw_front_member(L, vector, 0));
    return gw_front_is_rows(L, &first) && first.kind == GW_PLACE_MEMORY;
}

static gw_place first_of(gw_lowering *L, gw_place vector) {
    return gw_front_target(L, gw_front_member(L, vector, 0));
}
static gw_value count_of(gw_lowering *L, gw_place vector) {
    return gw_front_load(L, gw_front_member(L, vector, 1));
}
static gw_value length_of(gw_lowering *L, gw_place vector) {
    return gw_front_load(L, gw_front_member(L, vector, 2));
}

gw_place gw_front_row(gw_lowering *L, gw_place vector, gw_value index) {
    const gw_place row = gw_front_temp(L, element_of(L, vector.shape), 0);
    if (L->failed) return row;
    const gw_place first = first_of(L, vector);
    const gw_value length = length_of(L, vector);
    const gw_value before = gw_binary(&L->b, GW_OP_MUL, gw_cast(&L->b, GW_T_I64, index),
                                      gw_cast(&L->b, GW_T_I64, length));
    gw_front_point(L, gw_front_member(L, row, 0), gw_front_advance(L, first, before, false));
    gw_front_slot_set(L, gw_front_member(L, row, 1).slot, length);
    return row;
}

/* Memory for `count` rows; it is zero. */
static gw_place allocate(gw_lowering *L, gw_place vector, gw_value count, gw_value length, CXCursor at) {
    const gw_shape cell = element_of(L, element_of(L, vector.shape));
    const gw_value all = gw_binary(&L->b, GW_OP_MUL, gw_cast(&L->b, GW_T_I64, count),
                                   gw_cast(&L->b, GW_T_I64, length));
    if (gw_front_constructs(L->u, cell) || L->f->kind != GW_FUNC_HOST || L->is_program)
        gw_front_refuse(L, at, GW_REFUSED(VECTOR_OF_VECTORS)->what, GW_REFUSED(VECTOR_OF_VECTORS)->way_out);
    if (L->failed) return (gw_place){0};
    const gw_place first = gw_front_allocate(L, cell, all, true, at);
    if (L->failed) return first;
    gw_push(&L->rows, first.object);
    gw_front_point(L, gw_front_member(L, vector, 0), first);
    gw_front_slot_set(L, gw_front_member(L, vector, 1).slot, gw_cast(&L->b, GW_T_U64, count));
    gw_front_slot_set(L, gw_front_member(L, vector, 2).slot, gw_cast(&L->b, GW_T_U64, length));
    return first;
}

/* A loop over `count` numbers from 0 on, of which the body is open; `*outer` goes on behind it. */
static gw_value begin_loop(gw_lowering *L, gw_value count, gw_region *outer) {
    const gw_value range[3] = {gw_int(&L->b, GW_T_I64, 0), gw_cast(&L->b, GW_T_I64, count),
                               gw_int(&L->b, GW_T_I64, 1)};
    const gw_op loop = gw_emit(&L->b, GW_OP_FOR, GW_T_VOID, 0, range, 3);
    gw_op_at(L->f, loop)->attr = GW_OP_LT;
    *outer = L->b.region;
    L->b.region = gw_region_new(L->f, loop);
    return gw_region_arg(L->f, L->b.region, GW_T_I64, gw_intern(L->session, "element"));
}

static void end_loop(gw_lowering *L, gw_region outer) {
    gw_yield(&L->b, NULL, 0);
    L->b.region = outer;
}

static void copy_cells(gw_lowering *L, gw_place to, gw_place from, gw_value count) {
    gw_region outer;
    const gw_value i = begin_loop(L, count, &outer);
    gw_front_copy(L, gw_front_advance(L, to, i, false), gw_front_advance(L, from, i, false));
    end_loop(L, outer);
}

/* std::vector<double>(m): the length of rows that are zero; null: another row. */
static CXCursor length_of_zeros(gw_lowering *L, CXCursor e) {
    e = gw_front_strip(e);
    const bool constructs = clang_getCursorKind(e) == CXCursor_CallExpr &&
                            clang_getCursorKind(clang_getCursorReferenced(e)) == CXCursor_Constructor;
    int count = constructs ? clang_Cursor_getNumArguments(e) : 0;
    while (count && gw_front_is_default_argument(clang_Cursor_getArgument(e, (unsigned)count - 1))) count--;
    if (count == 1 && gw_front_kind_of(L, clang_Cursor_getArgument(e, 0)) == GW_SHAPE_STRUCT)
        return length_of_zeros(L, clang_Cursor_getArgument(e, 0)); /* moved into the argument */
    if (count != 1 || gw_front_kind_of(L, clang_Cursor_getArgument(e, 0)) != GW_SHAPE_SCALAR)
        return clang_getNullCursor();
    return clang_Cursor_getArgument(e, 0);
}

void gw_front_rows_fill(gw_lowering *L, gw_place to, CXCursor rows, CXCursor row, CXCursor at) {
    const gw_value count = gw_front_scalar(L, rows);
    const CXCursor zeros = length_of_zeros(L, row);
    if (!clang_Cursor_isNull(zeros)) {
        const gw_value length = gw_front_scalar(L, zeros);
        if (!L->failed) allocate(L, to, count, length, at);
        return;
    }
    const gw_place value = gw_front_temp(L, element_of(L, to.shape), 0);
    if (!L->failed) gw_front_initialize(L, value, row);
    if (L->failed) return;
    allocate(L, to, count, count_of(L, value), at);
    if (L->failed) return;
    gw_region outer;
    const gw_value i = begin_loop(L, count, &outer);
    const gw_place one = gw_front_row(L, to, i), from = first_of(L, value);
    if (!L->failed) copy_cells(L, first_of(L, one), from, count_of(L, one));
    end_loop(L, outer);
}

/* A size is not negative, so that conversions which keep all its bits keep it. */
static gw_value behind_widening(const gw_func *f, gw_value v) {
    for (gw_op op; (op = gw_value_at(f, v)->op) != 0 && gw_op_at(f, op)->code == GW_OP_CAST;) {
        const gw_value from = gw_operand(f, op, 0);
        const gw_type narrow = gw_typeof(f, from);
        if (gw_type_is_float(narrow) || gw_type_bytes(narrow) > gw_type_bytes(gw_typeof(f, v))) break;
        v = from;
    }
    return v;
}

/* n + 1 and n + 1 */
static bool is_same(const gw_func *f, gw_value a, gw_value b, uint32_t depth) {
    enum { DEEPEST = 8 };
    a = behind_widening(f, a), b = behind_widening(f, b);
    if (gw_same_number(f, a, b)) return true;
    const gw_op x = gw_value_at(f, a)->op, y = gw_value_at(f, b)->op;
    if (!x || !y || depth == DEEPEST || gw_typeof(f, a) != gw_typeof(f, b)) return false;
    const gw_op_data *p = gw_op_at(f, x), *q = gw_op_at(f, y);
    bool same = p->code == q->code && p->attr == q->attr && p->operands == q->operands && p->operands &&
                gw_op_rows[p->code].effect == GW_EFFECT_PURE && !gw_type_is_float(gw_typeof(f, a));
    for (uint32_t i = 0; i < p->operands && same; i++)
        same = is_same(f, gw_operand(f, x, i), gw_operand(f, y, i), depth + 1);
    return same;
}

bool gw_front_same_size(const gw_lowering *L, gw_value a, gw_value b) {
    /* a loop's trial does not know what stays as it was */
    return L->trial_values || is_same(L->f, a, b, 0);
}

void gw_front_refuse_size(gw_lowering *L) {
    gw_diag(L->session, GW_DIAG_UNSUPPORTED, L->b.loc,
            "an assignment that may change the size of a std::vector",
            "assign its elements, or make a new vector of them");
    L->failed = true;
}

void gw_front_rows_copy(gw_lowering *L, gw_place to, gw_place from) {
    const bool has_rows = gw_front_has_rows(L, to);
    int64_t n = -1;
    const bool is_new = !has_rows && gw_const_int(L->f, count_of(L, to), &n) && !n;
    if (L->failed) return;
    const gw_value count = count_of(L, from), length = length_of(L, from);
    const bool same = has_rows && gw_front_same_size(L, count_of(L, to), count) &&
                      gw_front_same_size(L, length_of(L, to), length);
    if (!same && !is_new) {
        gw_front_refuse_size(L);
        return;
    }
    const gw_place source = first_of(L, from);
    const gw_place first = same ? first_of(L, to)
                                : allocate(L, to, count, length, clang_getNullCursor());
    if (!L->failed)
        copy_cells(L, first, source, gw_binary(&L->b, GW_OP_MUL, gw_cast(&L->b, GW_T_I64, count),
                                               gw_cast(&L->b, GW_T_I64, length)));
}
