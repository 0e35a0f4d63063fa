/*
 * verifier_links.c - first part of the verifier: whether the handles of a function lead where they should.
 *
 * Guarantees for the second part, for the printer and for every pass: each region and op is reached once,
 * lists are linked both ways, slices of operands, results and arguments lie inside their arrays, and a
 * value is used only after its definition in the same region or one around it. One walk over the tree with
 * the set of values that are defined at this point, which is exactly the rule.
 */
#include "analysis/text/verifier_private.h"

#include "analysis/ir/words.h"

#include <stdlib.h>

typedef struct walk {
    gw_rules *r;
    const gw_func *f;
    bool *seen_region, *seen_op, *defined;
    GW_VEC(gw_value) scope; /* defined values, innermost last */
} walk;

static void define(walk *w, gw_value v) {
    w->defined[v] = true;
    gw_push(&w->scope, v);
}

static bool check_value(walk *w, gw_op op, gw_value v, gw_op owner, gw_region region, uint32_t index) {
    const gw_value_data *d = gw_value_at(w->f, v);
    if (d->op != owner || d->region != region || d->index != index)
        return gw_rule_broken(w->r, op, "value %u does not know where it is defined", v);
    if (d->type == GW_T_VOID || d->type >= GW_T_SCALARS)
        return gw_rule_broken(w->r, op, "value %u is not of a scalar type", v);
    return true;
}

static bool check_slice(walk *w, gw_op op, gw_value first, uint32_t count, const char *what) {
    if (count && (!first || (uint64_t)first + count > w->f->values.count))
        return gw_rule_broken(w->r, op, "its %s are outside of the function", what);
    return true;
}

static bool check_operands(walk *w, gw_op op) {
    const gw_op_data *o = gw_op_at(w->f, op);
    if (o->operands && (uint64_t)o->first_operand + o->operands > w->f->operands.count)
        return gw_rule_broken(w->r, op, "its operands are outside of the function");
    for (uint32_t i = 0; i < o->operands; i++) {
        gw_value v = gw_operand(w->f, op, i);
        if (!v || v >= w->f->values.count) return gw_rule_broken(w->r, op, "operand %u is no value", i);
        if (!w->defined[v]) return gw_rule_broken(w->r, op, "operand %u (value %u) is not defined here", i, v);
    }
    return true;
}

static bool check_op_handles(walk *w, gw_op op) {
    const gw_op_data *o = gw_op_at(w->f, op);
    if (o->code == GW_OP_NONE || o->code >= GW_OP_COUNT)
        return gw_rule_broken(w->r, op, "no such op: %u", o->code);
    if (o->object >= w->f->objects.count) return gw_rule_broken(w->r, op, "no such object: %u", o->object);
    if (o->origin && (!w->f->primal || o->origin >= w->f->primal->ops.count))
        return gw_rule_broken(w->r, op, "its origin is no op of the primal");
    if (o->regions != gw_region_count(o->code))
        return gw_rule_broken(w->r, op, "it has %u regions instead of %u", o->regions,
                              gw_region_count(o->code));
    if (!check_operands(w, op) || !check_slice(w, op, o->first_result, o->results, "results")) return false;
    for (uint32_t i = 0; i < o->results; i++)
        if (!check_value(w, op, o->first_result + i, op, 0, i)) return false;
    return true;
}

static bool check_region(walk *w, gw_region r, gw_op parent);

static bool check_op(walk *w, gw_op op) {
    if (!check_op_handles(w, op)) return false;
    const gw_op_data *o = gw_op_at(w->f, op);
    for (uint32_t i = 0; i < o->regions; i++)
        if (!check_region(w, o->region[i], op)) return false;
    for (uint32_t i = 0; i < o->results; i++)
        define(w, o->first_result + i);
    return true;
}

static bool check_list(walk *w, gw_region r, gw_op parent) {
    gw_op before = 0;
    for (gw_op op = gw_region_at(w->f, r)->first; op; op = gw_op_at(w->f, op)->next) {
        if (op >= w->f->ops.count || w->seen_op[op])
            return gw_rule_broken(w->r, parent, "the list of its region %u is not sound at op %u", r, op);
        const gw_op_data *o = gw_op_at(w->f, op);
        w->seen_op[op] = true;
        if (o->parent != r || o->prev != before)
            return gw_rule_broken(w->r, parent, "op %u does not know its place in region %u", op, r);
        if (!o->dead && !check_op(w, op)) return false;
        before = op;
    }
    if (gw_region_at(w->f, r)->last != before)
        return gw_rule_broken(w->r, parent, "region %u does not know its last op", r);
    return true;
}

static bool check_region(walk *w, gw_region r, gw_op parent) {
    if (!r || r >= w->f->regions.count || w->seen_region[r])
        return gw_rule_broken(w->r, parent, "region %u is missing or stands at two places", r);
    const gw_region_data *d = gw_region_at(w->f, r);
    w->seen_region[r] = true;
    if (d->parent != parent) return gw_rule_broken(w->r, parent, "region %u does not know its op", r);
    if (!check_slice(w, parent, d->first_arg, d->args, "arguments")) return false;
    uint32_t mark = w->scope.count;
    for (uint32_t i = 0; i < d->args; i++) {
        if (!check_value(w, parent, d->first_arg + i, 0, r, i)) return false;
        define(w, d->first_arg + i);
    }
    if (!check_list(w, r, parent)) return false;
    while (w->scope.count > mark)
        w->defined[w->scope.at[--w->scope.count]] = false;
    return true;
}

bool gw_verify_links(gw_rules *r) {
    const gw_func *f = r->f;
    if (!f->ops.count || !f->values.count || !f->regions.count || !f->objects.count)
        return gw_rule_broken(r, 0, "handle 0 of an array is not reserved");
    walk w = {.r = r, .f = f};
    w.seen_region = gw_alloc(f->regions.count);
    w.seen_op = gw_alloc(f->ops.count);
    w.defined = gw_alloc(f->values.count);
    bool ok = check_region(&w, f->entry, 0);
    free(w.seen_region);
    free(w.seen_op);
    free(w.defined);
    gw_vec_free(&w.scope);
    return ok;
}
