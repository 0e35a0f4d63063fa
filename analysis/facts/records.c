/*
 * records.c - what pushes and pops leave on a tape (contract: facts.h).
 */
#include "analysis/facts/facts.h"

#include "analysis/ir/restructure.h"

#include <stdlib.h>

uint32_t gw_record_bytes(const gw_func *f, gw_op push) {
    gw_type type = gw_object_at(f, gw_op_at(f, push)->object)->type;
    return type == GW_T_F80 ? 16 : gw_type_bytes(type); /* long double has no more than 16 bytes anywhere */
}

/* Static pushes minus pops of each slot: matched ones come in pairs. */
static void count_slots(const gw_func *f, gw_op op, int *net) {
    for (gw_op in = op; in; in = gw_walk_op(f, in, op)) {
        const gw_op_data *o = gw_op_at(f, in);
        net[o->object] += (o->code == GW_OP_PUSH) - (o->code == GW_OP_POP);
    }
}

/* Whether some slot has more pushes than pops in the op (sign 1), or fewer (-1). */
static bool on_balance(const gw_func *f, gw_op op, int sign) {
    int *net = gw_alloc(f->objects.count * sizeof *net);
    bool found = false;
    count_slots(f, op, net);
    for (gw_object o = 1; o < f->objects.count; o++) found |= net[o] * sign > 0;
    free(net);
    return found;
}

bool gw_leaves_records(const gw_func *f, gw_op op) { return on_balance(f, op, 1); }
bool gw_takes_records(const gw_func *f, gw_op op) { return on_balance(f, op, -1); }
