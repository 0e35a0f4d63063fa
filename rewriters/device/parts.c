/*
 * parts.c - conditions that are several at once (contract: parts_private.h).
 */
#include "rewriters/device/parts_private.h"

static gw_op conjunction(const gw_func *f, gw_value v) {
    return gw_typeof(f, v) == GW_T_BOOL ? gw_made_by(f, v, GW_OP_AND) : 0;
}

gw_value gw_part_of(const gw_func *f, gw_value v, gw_part_is *is, void *with) {
    const gw_op both = conjunction(f, v);
    if (is(with, v)) return v;
    if (!both) return 0;
    const gw_value first = gw_part_of(f, gw_operand(f, both, 0), is, with);
    return first ? first : gw_part_of(f, gw_operand(f, both, 1), is, with);
}

gw_value gw_without_part(gw_builder *at, gw_value v, gw_value part) {
    const gw_op both = conjunction(at->f, v);
    if (v == part) return 0;
    if (!both) return v;
    const gw_value x = gw_operand(at->f, both, 0), y = gw_operand(at->f, both, 1);
    const gw_value less = gw_without_part(at, x, part), other = gw_without_part(at, y, part);
    return less == x && other == y ? v : gw_joined(at, GW_OP_AND, less, other);
}
