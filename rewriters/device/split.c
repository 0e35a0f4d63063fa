/*
 * split.c - a part of the schedule pass: an addition that is a load and a store in two places.
 */
#include "rewriters/device/schedule_private.h"

void gw_split_addition(gw_func *f, gw_op add, gw_op at) {
    gw_op_data o = *gw_op_at(f, add);
    uint32_t n = gw_index_count(f, add);
    gw_value index[16];
    if (n > 16) return;
    for (uint32_t i = 0; i < n; i++) index[i] = gw_operand(f, add, i);
    gw_builder b = {f, o.parent, at, o.loc};
    gw_value before = gw_load(&b, o.object, o.path, index, n);
    gw_op load = gw_value_at(f, before)->op;
    gw_op_data *l = gw_op_at(f, load);
    l->attr = o.attr;
    l->origin = o.origin;
    l->flags = GW_OP_EARLY | (o.flags & GW_OP_APART);
    b.before = add;
    gw_value sum = gw_binary(&b, GW_OP_ADD, before, gw_operand(f, add, n));
    gw_set_operand(f, add, n, sum);
    gw_op_at(f, add)->code = GW_OP_STORE;
    gw_op_at(f, add)->flags |= GW_OP_EARLY;
}
