/*
 * facts/trip_count.c - how often a loop runs, as a value that is computed from its header.
 *
 * The distance is one of unsigned numbers of 64 bits, so it holds for bounds of every type: what a type of 64
 * bits cannot tell (one more than the distance, in a loop up to and with its bound) has no answer.
 */
#include "analysis/facts/facts.h"

gw_value gw_header_runs(gw_builder *b, gw_opcode compare, gw_value lo, gw_value hi, int64_t step) {
    bool up = compare == GW_OP_LT || compare == GW_OP_LE, down = compare == GW_OP_GT || compare == GW_OP_GE;
    bool closed = compare == GW_OP_LE || compare == GW_OP_GE;
    /* one more than the distance may not fit */
    if (closed && gw_type_bits(gw_typeof(b->f, lo)) >= 64) return 0;
    if (!(up && step > 0) && !(down && step < 0)) return 0;
    if (down && step == INT64_MIN) return 0;
    gw_value first = gw_cast(b, GW_T_U64, up ? lo : hi), last = gw_cast(b, GW_T_U64, up ? hi : lo);
    gw_value by = gw_int(b, GW_T_U64, up ? step : -step), one = gw_int(b, GW_T_U64, 1);
    gw_value span = gw_binary(b, GW_OP_SUB, last, first), many = span;
    if (lo == hi && !closed) return gw_int(b, GW_T_U64, 0);
    bool each = step == 1 || step == -1;
    if (!closed && !each) span = gw_binary(b, GW_OP_SUB, span, one);
    if (closed || !each) many = gw_binary(b, GW_OP_ADD, gw_binary(b, GW_OP_DIV, span, by), one);
    gw_value runs = gw_binary(b, compare, lo, hi);
    return gw_select(b, runs, many, gw_int(b, GW_T_U64, 0));
}

gw_value gw_header_most(gw_builder *b, gw_op loop) {
    const gw_func *f = b->f;
    const gw_op_data o = *gw_op_at(f, loop);
    int64_t step;
    if (o.code != GW_OP_FOR || !gw_const_int(f, gw_operand(f, loop, 2), &step)) return 0;
    return gw_header_runs(b, (gw_opcode)o.attr, gw_operand(f, loop, 0), gw_operand(f, loop, 1), step);
}

gw_value gw_header_trips(gw_builder *b, gw_op loop) {
    return gw_op_at(b->f, loop)->flags & GW_OP_EXIT ? 0 : gw_header_most(b, loop);
}
