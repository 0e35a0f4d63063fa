/*
 * emit/text/header.c - headers of reverse loops, from the bound of the loop that they reverse.
 *
 *     for (k = lo; k < hi; ++k)    backward, in the IR     for (k = hi - 1; k >= lo; --k)
 *                                  and in the text         for (k = hi; k > lo;) { --k;
 *
 * hi - 1 does not exist where hi is the least number of its type, nor does lo - 1, which the header in the IR
 * ends at, where lo is. The loop runs as often as it should for all numbers in the text. The IR keeps the form
 * that proofs read: what they conclude holds in the body, and where that runs both forms say the same.
 *
 * Requires that nothing reads the header but the emitter after it. A header that cannot leave its type is left
 * alone.
 */
#include "analysis/ir/query.h"
#include "rewriters/emit/text/text_private.h"

/* x of x - 1 (down), or of x + 1; 0: it is neither. */
static gw_value beyond(const gw_func *f, gw_value v, bool down) {
    gw_op op = gw_value_at(f, v)->op;
    int64_t by;
    if (!op || (gw_op_at(f, op)->code != GW_OP_SUB && gw_op_at(f, op)->code != GW_OP_ADD)) return 0;
    if (!gw_const_int(f, gw_operand(f, op, 1), &by)) return 0;
    if (gw_op_at(f, op)->code == GW_OP_SUB) by = -by;
    int64_t wanted = down ? -1 : 1;
    return by == wanted ? gw_operand(f, op, 0) : 0;
}

/* Does the loop run against the direction of the one in the source? */
static bool is_reverse(const gw_func *f, const gw_op_data *o, bool *down) {
    if (o->dead || o->code != GW_OP_FOR || !o->origin || !f->primal || o->origin >= f->primal->ops.count)
        return false;
    const gw_op_data *from = gw_op_at(f->primal, o->origin);
    bool up = from->attr == GW_OP_LT || from->attr == GW_OP_LE,
         falling = from->attr == GW_OP_GT || from->attr == GW_OP_GE;
    *down = o->attr == GW_OP_GE;
    return from->code == GW_OP_FOR && ((*down && up) || (o->attr == GW_OP_LE && falling));
}

static void write_from_bound(gw_func *f, gw_op op) {
    bool down;
    if (!is_reverse(f, gw_op_at(f, op), &down)) return;
    gw_value first = gw_operand(f, op, 0);
    gw_type type = gw_typeof(f, first);
    int64_t end;
    if (!gw_type_is_signed(type) || gw_type_bits(type) < 32) return;
    if (gw_loop_step(f, op) != (down ? -1 : 1)) return;
    gw_value bound = beyond(f, first, down);
    if (!bound && gw_const_int(f, gw_operand(f, op, 1), &end))
        return; /* no number is computed, and the last is not the type's */
    if (!bound) {
        gw_builder b = {f, gw_op_at(f, op)->parent, op, gw_op_at(f, op)->loc};
        bound = gw_binary(&b, down ? GW_OP_ADD : GW_OP_SUB, first, gw_int(&b, type, 1));
    }
    gw_set_operand(f, op, 0, bound);
    gw_op_at(f, op)->attr = down ? GW_OP_GT : GW_OP_LT;
    gw_op_at(f, op)->flags |= GW_OP_BEYOND;
}

void gw_emit_headers(gw_func *f) {
    for (gw_op op = 1, count = f->ops.count; op < count; op++)
        write_from_bound(f, op);
}
