/*
 * adjoint/atomic.c - atomic operations in the reverse sweep.
 *
 * atomicAdd on floats: the cell keeps what it had, and so its adjoint; the value gets a copy of it.
 *
 * A maximum, minimum or exchange on floats: of all values that threads bring to the cell in the kernel, and the
 * one that was there, one wins: the cell holds it in the end. Its adjoint goes there and to nobody else. The
 * second half of a split gradient reads the cell, which the caller has left as it is, and each thread compares
 * its own value, recorded to the bit; of those whose value it is, the first to come takes the adjoint, by an
 * exchange with zero that no other thread can come between. So exactly one gets it: where two values are equal,
 * any of them is a derivative of an order in which the threads may have run (an exchange), or a subgradient (a
 * maximum). If no thread's value is there, it was in the cell before, and the cell keeps its adjoint. That the
 * object is used in no other way is checked before (analysis/facts/atomic_check.c).
 *
 * Results are recorded by the first half. The joined form would have to perform the operation again and could
 * get another result: there, it has none. Each use stands for what must not be needed
 * (gw_adjoint_hide_results), and the derivative is refused if one is left. Operations whose result nobody needs
 * are performed where others read what they make (shared memory), and dropped with the primal's other stores to
 * the caller's memory.
 */
#include "rewriters/adjoint/adjoint_private.h"

#include "analysis/ir/atomic.h"

#define HIDDEN "result" /* slot that results are popped from */

static void take(gw_adjoint *a, gw_op op) {
    gw_adjoint_cell cell, shadow;
    gw_value own = gw_operand(a->primal, op, gw_op_at(a->primal, op)->operands - 1);
    gw_value value = gw_adjoint_exact_value(a, own);
    if (!gw_adjoint_shadow_cell(a, op, &shadow)) return;
    gw_adjoint_find_cell(a, op, &cell);
    gw_value last = gw_load(&a->b, cell.object, cell.path, cell.index, cell.count);
    gw_value won = gw_binary(&a->b, GW_OP_EQ, last, value);
    gw_op branch = gw_emit(&a->b, GW_OP_IF, gw_typeof(a->f, last), 1, &won, 1);
    gw_region taken = gw_region_new(a->f, branch), kept = gw_region_new(a->f, branch);
    gw_builder side = a->b;
    side.before = 0;
    side.region = taken;
    gw_op swap = gw_emit(&side, GW_OP_ATOMIC, gw_typeof(a->f, last), 1, shadow.index, shadow.count);
    gw_op_at(a->f, swap)->attr = GW_ATOMIC_TAKE;
    gw_op_at(a->f, swap)->object = shadow.object;
    gw_op_at(a->f, swap)->path = shadow.path;
    gw_op_at(a->f, swap)->origin = op;
    gw_op_at(a->f, swap)->note =
        gw_intern(a->f->session, "of those whose value the cell holds, one takes its adjoint");
    gw_value g = gw_result(a->f, swap, 0);
    gw_yield(&side, &g, 1);
    side.region = kept;
    gw_value zero = gw_real(&side, gw_typeof(a->f, last), 0);
    gw_yield(&side, &zero, 1);
    gw_adjoint_add(a, own, gw_result(a->f, branch, 0));
}

void gw_adjoint_atomic(gw_adjoint *a, gw_op op) {
    gw_adjoint_cell at;
    if (gw_atomic_rows[gw_op_at(a->primal, op)->attr].floats == 'w') {
        if (gw_type_is_float(
                gw_typeof(a->primal, gw_operand(a->primal, op, gw_op_at(a->primal, op)->operands - 1))))
            take(a, op);
        return;
    }
    gw_adjoint_read_cell(a, op, &at);
}

bool gw_adjoint_is_hidden(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    return !o->dead && o->code == GW_OP_POP &&
           gw_object_at(f, o->object)->name == gw_intern(f->session, HIDDEN);
}

void gw_adjoint_hide_results(gw_adjoint *a) {
    gw_func *f = a->f;
    uint32_t count = f->ops.count;
    for (gw_op op = 1; op < count; op++) {
        const gw_op_data o = *gw_op_at(f, op);
        if (o.dead || o.code != GW_OP_ATOMIC || !o.results || o.attr == GW_ATOMIC_TAKE) continue;
        gw_type type = gw_typeof(f, o.first_result);
        gw_builder b = {.f = f, .region = o.parent, .before = op, .loc = o.loc};
        gw_op pop = gw_emit(&b, GW_OP_POP, type, 1, NULL, 0);
        gw_op_at(f, pop)->object = gw_object_new(f, GW_OBJECT_TAPE, gw_intern(f->session, HIDDEN), type);
        gw_replace_uses(f, o.first_result, gw_result(f, pop, 0));
        gw_op_at(f, op)->results = 0;
    }
}
