/*
 * device/instance_ops.c - ops of a coarsened derivative: one copy that serves all instances, or one for each of
 * them (contract: coarsen_private.h).
 */
#include "rewriters/device/coarsen_private.h"

#include "rewriters/motion/motion.h"

gw_value gw_coarsen_value(gw_coarsener *k, uint32_t i, gw_value v) { return gw_clone_value(&k->one[i], v); }

void gw_coarsen_once(gw_coarsener *k, gw_op op) {
    const gw_op_data *o = gw_op_at(k->from, op);
    gw_clone_op(&k->one[0], op);
    for (uint32_t i = 1; i < k->n; i++) {
        for (uint32_t j = 0; j < o->results; j++)
            gw_map_set(&k->one[i].values, gw_result(k->from, op, j),
                       gw_coarsen_value(k, 0, gw_result(k->from, op, j)));
        if (o->code == GW_OP_DECLARE)
            gw_map_set(&k->one[i].objects, o->object, gw_clone_object(&k->one[0], o->object));
    }
}

/* What pushes again what it then pops, an inner loop's records for instance, takes from others all the same. */
void gw_coarsen_each(gw_coarsener *k, gw_op op) {
    bool backwards = gw_holds_record(k->from, op) && gw_takes_records(k->from, op);
    for (uint32_t i = 0; i < k->n; i++) gw_clone_op(&k->one[backwards ? k->n - 1 - i : i], op);
}

gw_op gw_coarsen_like(gw_coarsener *k, gw_op op, const gw_value *operands, uint32_t count) {
    const gw_op_data o = *gw_op_at(k->from, op);
    gw_op made = gw_emit(&k->b, (gw_opcode)o.code, GW_T_VOID, 0, operands, count);
    gw_op_data *m = gw_op_at(k->f, made);
    m->flags = o.flags;
    m->attr = o.attr;
    m->object = o.object;
    m->path = o.path;
    m->note = o.note;
    m->decision = o.decision;
    m->imm = o.imm;
    m->origin = o.origin;
    m->loc = o.loc;
    return made;
}

void gw_coarsen_results(gw_coarsener *k, gw_op op, gw_op made) {
    for (uint32_t j = 0; j < gw_op_at(k->from, op)->results; j++) {
        gw_value v = gw_result(k->from, op, j), now = 0;
        gw_value_data d = *gw_value_at(k->from, v);
        for (uint32_t i = 0; i < k->n; i++) {
            if (!i || k->same.value[v]) now = gw_op_add_result(k->f, made, d.type, d.name);
            gw_map_set(&k->one[i].values, v, now);
        }
    }
}
