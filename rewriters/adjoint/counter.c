/*
 * adjoint/counter.c - what a counted loop tells of its iterations without a tape: how many there are, and the
 * carried values that advance by an invariant step, which are start + t * step in iteration t.
 */
#include "rewriters/adjoint/recursion_private.h"

/* A number of 64 bits has no room for each distance: an unsigned start may have wrapped around, and a signed
 * one be far behind the limit. */
static bool asks_first(const gw_func *p, gw_op loop) {
    const gw_opcode attr = (gw_opcode)gw_op_at(p, loop)->attr;
    const gw_type type = gw_typeof(p, gw_operand(p, loop, 0));
    const bool closed = attr == GW_OP_LE || attr == GW_OP_GE;
    int64_t start;
    if (attr == GW_OP_NE || gw_type_bits(type) != 64) return false;
    return gw_type_is_signed(type) ? closed : !gw_const_int(p, gw_operand(p, loop, 0), &start) || start < 0;
}

static gw_value count_trips(gw_adjoint *a, gw_op loop) {
    gw_builder *b = &a->b;
    gw_opcode attr = (gw_opcode)gw_op_at(a->primal, loop)->attr;
    gw_value part[3];
    for (uint32_t i = 0; i < 3; i++)
        part[i] = gw_cast(b, GW_T_I64, gw_adjoint_value(a, gw_operand(a->primal, loop, i)));
    bool falling = attr == GW_OP_GT || attr == GW_OP_GE;
    gw_type type = gw_typeof(a->primal, gw_operand(a->primal, loop, 0));
    if (attr != GW_OP_NE && gw_type_is_signed(type) && gw_type_bits(type) == 64 && !asks_first(a->primal, loop))
        part[!falling] = gw_binary(b, GW_OP_IMAX, part[0], part[1]);
    gw_value span =
        falling ? gw_binary(b, GW_OP_SUB, part[0], part[1]) : gw_binary(b, GW_OP_SUB, part[1], part[0]);
    gw_value step = falling ? gw_unary(b, GW_OP_NEG, part[2]) : part[2];
    if (attr == GW_OP_NE) return gw_binary(b, GW_OP_DIV, span, step);
    gw_value one = gw_int(b, GW_T_I64, 1);
    if (attr == GW_OP_LE || attr == GW_OP_GE) span = gw_binary(b, GW_OP_ADD, span, one);
    return gw_binary(b, GW_OP_DIV, gw_binary(b, GW_OP_ADD, span, gw_binary(b, GW_OP_SUB, step, one)), step);
}

/* Iterations of a counted loop, as i64; not positive where it does not run. */
gw_value gw_adjoint_trips(gw_adjoint *a, gw_op loop) {
    gw_builder *b = &a->b;
    const gw_value trips = count_trips(a, loop);
    if (!asks_first(a->primal, loop)) return trips;
    const gw_value start = gw_adjoint_value(a, gw_operand(a->primal, loop, 0)),
                   limit = gw_adjoint_value(a, gw_operand(a->primal, loop, 1)),
                   runs = gw_binary(b, (gw_opcode)gw_op_at(a->primal, loop)->attr, start, limit);
    return gw_select(b, runs, trips, gw_int(b, GW_T_I64, 0));
}

gw_value gw_adjoint_advance(gw_adjoint *a, gw_value start, gw_value number, gw_value step, bool down) {
    gw_type type = gw_typeof(a->f, start);
    gw_value by = gw_binary(&a->b, GW_OP_MUL, gw_cast(&a->b, type, number), gw_cast(&a->b, type, step));
    return gw_binary(&a->b, down ? GW_OP_SUB : GW_OP_ADD, start, by);
}

void gw_adjoint_set_inductions(gw_adjoint *a, gw_op loop, gw_value number) {
    const gw_func *p = a->primal;
    for (uint32_t k = 0; k < gw_loop_carried(p, loop); k++) {
        gw_value arg = gw_loop_arg(p, loop, k), step;
        bool down;
        if (!gw_loop_is_induction(p, loop, k, &step, &down)) continue;
        gw_value start = gw_adjoint_value(a, gw_loop_init(p, loop, k));
        gw_value v = gw_adjoint_advance(a, start, number, gw_adjoint_value(a, step), down);
        gw_value_at(a->f, v)->name = gw_value_at(p, arg)->name;
        gw_map_set(&a->c.values, arg, v);
    }
}
