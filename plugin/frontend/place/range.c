/*
 * frontend/place/range.c - ranges of elements: how many elements so many bytes are, and what is done to each in
 * turn, to a few at once, to more in a loop.
 *
 * A number of bytes is divided only where it is, as it stands, a multiple of the element's size.
 */
#include "plugin/frontend/place/place.h"

#include "analysis/ir/query.h"

static gw_value quotient(gw_lowering *L, gw_value v, int64_t size);

/* The quotient of one of two numbers that are both multiples, or of such a one in a type that is as wide: of
 * one with a sign, which does not wrap around. */
static gw_value quotient_of_choice(gw_lowering *L, gw_value v, int64_t size) {
    const gw_op select = gw_made_by(L->f, v, GW_OP_SELECT), cast = gw_made_by(L->f, v, GW_OP_CAST);
    const gw_value inner = cast ? gw_operand(L->f, cast, 0) : 0;
    const gw_type to = gw_typeof(L->f, v), of = inner ? gw_typeof(L->f, inner) : GW_T_VOID;
    if (gw_type_is_integer(of) && gw_type_is_signed(of) && gw_type_bits(of) <= gw_type_bits(to)) {
        const gw_value part = quotient(L, inner, size);
        return part ? gw_cast(&L->b, to, part) : 0;
    }
    if (!select) return 0;
    const gw_value yes = quotient(L, gw_operand(L->f, select, 1), size),
                   no = quotient(L, gw_operand(L->f, select, 2), size);
    return yes && no ? gw_select(&L->b, gw_operand(L->f, select, 0), yes, no) : 0;
}

/* v / size where v is seen to be a multiple of it, else 0. */
static gw_value quotient(gw_lowering *L, gw_value v, int64_t size) {
    int64_t n;
    if (gw_const_int(L->f, v, &n)) return n % size ? 0 : gw_int(&L->b, gw_typeof(L->f, v), n / size);
    if (size == 1) return v;
    gw_op op = gw_made_by(L->f, v, GW_OP_MUL);
    if (!op) return quotient_of_choice(L, v, size);
    gw_value x = gw_operand(L->f, op, 0), y = gw_operand(L->f, op, 1), part = quotient(L, x, size);
    if (part) return gw_binary(&L->b, GW_OP_MUL, part, y);
    part = quotient(L, y, size);
    return part ? gw_binary(&L->b, GW_OP_MUL, x, part) : 0;
}

gw_value gw_front_elements_in(gw_lowering *L, gw_value bytes, gw_shape element) {
    const int64_t size = gw_front_shape_bytes(L->u, element);
    gw_value count = size > 0 ? quotient(L, bytes, size) : 0;
    if (!count && size > 0 && L->trial_values) /* what the bytes are is not known before the loop is lowered */
        count = gw_binary(&L->b, GW_OP_DIV, bytes, gw_int(&L->b, gw_typeof(L->f, bytes), size));
    return count;
}

gw_place gw_front_at_index(gw_lowering *L, gw_place p, gw_value index) {
    return p.kind == GW_PLACE_NONE ? p : gw_front_advance(L, p, index, false);
}

/* The elements of a range: the first, the end, and the step. `from` may be NONE, or one value for all if it is
 * `fixed`. */
void gw_front_each_of(gw_lowering *L, gw_place to, gw_place from, bool fixed, const gw_value *range,
                    gw_element_action *action, CXCursor at) {
    gw_value operands[3];
    for (int i = 0; i < 3; i++)
        operands[i] = gw_cast(&L->b, GW_T_I64, range[i]);
    gw_op loop = gw_emit(&L->b, GW_OP_FOR, GW_T_VOID, 0, operands, 3);
    gw_op_at(L->f, loop)->attr = GW_OP_LT;
    gw_region outer = L->b.region;
    L->b.region = gw_region_new(L->f, loop);
    gw_value index = gw_region_arg(L->f, L->b.region, GW_T_I64, gw_intern(L->session, "element"));
    action(L, gw_front_at_index(L, to, index), fixed ? from : gw_front_at_index(L, from, index), at);
    gw_yield(&L->b, NULL, 0);
    L->b.region = outer;
}

/* One element after another. */
void gw_front_each(gw_lowering *L, gw_place to, gw_place from, bool fixed, gw_value count,
                 gw_element_action *action, CXCursor at) {
    int64_t n;
    bool known = gw_const_int(L->f, count, &n);
    if (known && n <= GW_FRONT_AT_ONCE) {
        for (int64_t i = 0; i < n && !L->failed; i++) {
            gw_value index = gw_int(&L->b, GW_T_I64, i);
            action(L, gw_front_at_index(L, to, index), fixed ? from : gw_front_at_index(L, from, index), at);
        }
        return;
    }
    const gw_value range[3] = {gw_int(&L->b, GW_T_I64, 0), count, gw_int(&L->b, GW_T_I64, 1)};
    gw_front_each_of(L, to, from, fixed, range, action, at);
}

void gw_front_copy_bits(gw_lowering *L, gw_place to, gw_place from, CXCursor at) {
    (void)at;
    gw_front_copy(L, to, from);
}

void gw_front_copy_elements(gw_lowering *L, gw_place to, gw_place from, gw_value count, CXCursor at) {
    if (!L->failed) gw_front_each(L, to, from, false, count, gw_front_copy_bits, at);
}
