/*
 * restructure.c - cloning ops, and changing which values loops and branches carry (contract: restructure.h).
 *
 * Results and region arguments are consecutive values, so an op whose list of results changes is made anew
 * and its regions are moved over; a map from old to new values then renames the uses: at once, where they can
 * stand, or by whoever changes many ops, once for all of them.
 */
#include "analysis/ir/restructure.h"

#include <stdlib.h>

gw_value gw_clone_value(gw_cloner *c, gw_value v) {
    gw_value to = gw_map_get(&c->values, v);
    if (to) return to;
    return c->from == c->to->f ? v : 0;
}

gw_object gw_clone_object(gw_cloner *c, gw_object o) {
    gw_object to = gw_map_get(&c->objects, o);
    if (to) return to;
    return c->from == c->to->f ? o : 0;
}

static void clone_regions(gw_cloner *c, gw_op op, gw_op copy) {
    gw_func *f = c->to->f;
    gw_builder saved = *c->to;
    for (uint32_t i = 0; i < gw_op_at(c->from, op)->regions; i++) {
        gw_region r = gw_op_at(c->from, op)->region[i];
        gw_region made = gw_region_new(f, copy);
        for (uint32_t k = 0; k < gw_region_at(c->from, r)->args; k++) {
            gw_value arg = gw_arg(c->from, r, k);
            gw_map_set(&c->values, arg,
                       gw_region_arg(f, made, gw_typeof(c->from, arg), gw_value_at(c->from, arg)->name));
        }
        c->to->region = made;
        c->to->before = 0;
        for (gw_op in = gw_first(c->from, r); in; in = gw_next(c->from, in)) gw_clone_op(c, in);
    }
    c->to->region = saved.region;
    c->to->before = saved.before;
}

/* Each copy of a DECLARE begins the life of an object of its own. */
static void clone_declared(gw_cloner *c, gw_object o) {
    gw_object_data d = *gw_object_at(c->from, o);
    if (d.shadow_of) d.shadow_of = gw_clone_object(c, d.shadow_of);
    gw_push(&c->to->f->objects, d);
    gw_map_set(&c->objects, o, c->to->f->objects.count - 1);
}

gw_op gw_clone_op(gw_cloner *c, gw_op op) {
    gw_func *f = c->to->f;
    gw_op_data o = *gw_op_at(c->from, op); /* a copy: emitting may move the array */
    gw_value pinned = c->pinned && o.results == 1 && !o.regions ? gw_map_get(c->pinned, o.first_result) : 0;
    if (pinned) {
        gw_map_set(&c->values, o.first_result, pinned);
        return 0;
    }
    if (o.code == GW_OP_DECLARE) clone_declared(c, o.object);
    GW_VEC(gw_value) list = {0};
    for (uint32_t i = 0; i < o.operands; i++) gw_push(&list, gw_clone_value(c, gw_operand(c->from, op, i)));
    gw_op copy = gw_emit(c->to, (gw_opcode)o.code, GW_T_VOID, 0, list.at, list.count);
    gw_vec_free(&list);
    gw_op_data *n = gw_op_at(f, copy);
    n->flags = o.flags;
    n->attr = o.attr;
    n->policy = o.policy;
    n->object = o.object ? gw_clone_object(c, o.object) : 0;
    n->path = o.path;
    n->callee = o.callee;
    n->note = o.note;
    n->decision = o.decision;
    n->imm = o.imm;
    n->origin = o.origin;
    n->loc = o.loc;
    for (uint32_t i = 0; i < o.results; i++) {
        gw_value v = gw_result(c->from, op, i);
        gw_value_data d = *gw_value_at(c->from, v);
        gw_map_set(&c->values, v, gw_op_add_result(f, copy, d.type, d.name));
    }
    clone_regions(c, op, copy);
    gw_clone_pins(c, op);
    return copy;
}

void gw_clone_pins(gw_cloner *c, gw_op op) {
    for (uint32_t i = 0; c->pinned && i < gw_op_at(c->from, op)->results; i++) {
        gw_value v = gw_result(c->from, op, i), pin = gw_map_get(c->pinned, v);
        if (pin) gw_map_set(&c->values, v, pin);
    }
}

void gw_drop_marks(gw_func *f) {
    for (gw_op op = 1; op < f->ops.count; op++)
        if (!gw_op_at(f, op)->dead && gw_is_mark(f, op)) gw_op_remove(f, op);
}

void gw_clone_region_body(gw_cloner *c, gw_region r) {
    gw_op end = gw_region_end(c->from, r);
    for (gw_op op = gw_first(c->from, r); op && op != end; op = gw_next(c->from, op)) gw_clone_op(c, op);
}

void gw_replace_many(gw_func *f, const gw_value_map *map) {
    for (uint32_t i = 0; i < f->operands.count; i++) {
        gw_value v = f->operands.at[i], to;
        while ((to = gw_map_get(map, v)) != 0) v = to;
        f->operands.at[i] = v;
    }
}

void gw_rename_from(gw_func *f, gw_op op, const gw_value_map *map) {
    for (; op; op = gw_next(f, op)) {
        for (uint32_t i = 0; i < gw_op_at(f, op)->operands; i++) {
            gw_value v = gw_operand(f, op, i), to;
            while ((to = gw_map_get(map, v)) != 0) v = to;
            gw_set_operand(f, op, i, v);
        }
        for (uint32_t i = 0; i < gw_op_at(f, op)->regions; i++)
            gw_rename_from(f, gw_first(f, gw_op_at(f, op)->region[i]), map);
    }
}

void gw_move_ops(gw_func *f, gw_region from, gw_region to) {
    while (gw_region_at(f, from)->first) gw_op_move(f, gw_region_at(f, from)->first, to, 0);
}

void gw_func_take(gw_func *f, gw_func *copy) {
    gw_func had = *f;
    *f = *copy;
    *copy = had;
}

gw_value_map gw_map_copy(const gw_value_map *m) {
    gw_value_map made = {0};
    for (gw_value v = 1; v < m->count; v++)
        if (m->at[v]) gw_map_set(&made, v, m->at[v]);
    return made;
}

/* Empty op of the same kind before `old`, with its attributes. */
static gw_op sibling(gw_func *f, gw_op old) {
    gw_builder b = {f, gw_op_at(f, old)->parent, old, gw_op_at(f, old)->loc};
    gw_op made = gw_emit(&b, (gw_opcode)gw_op_at(f, old)->code, GW_T_VOID, 0, NULL, 0);
    gw_op_data *n = gw_op_at(f, made), *o = gw_op_at(f, old);
    n->flags = o->flags;
    n->attr = o->attr;
    n->policy = o->policy;
    n->note = o->note;
    n->decision = o->decision;
    n->imm = o->imm;
    n->origin = o->origin;
    return made;
}

typedef GW_VEC(gw_value) value_list;

static void take_results(gw_func *f, gw_op old, gw_op made, const bool *keep, const value_list *extra,
                         gw_value_map *map) {
    for (uint32_t i = 0; i < gw_op_at(f, old)->results; i++) {
        if (keep && !keep[i]) continue;
        gw_value v = gw_result(f, old, i);
        gw_value_data d = *gw_value_at(f, v);
        gw_map_set(map, v, gw_op_add_result(f, made, d.type, d.name));
    }
    for (uint32_t i = 0; i < extra->count; i++) {
        gw_value_data d = *gw_value_at(f, extra->at[i]);
        gw_op_add_result(f, made, d.type, d.name);
    }
}

static void take_loop_region(gw_func *f, gw_op old, gw_op made, uint32_t index, uint32_t fixed,
                             const bool *keep, const value_list *extra, gw_value_map *map) {
    gw_region from = gw_op_at(f, old)->region[index], to = gw_region_new(f, made);
    for (uint32_t i = 0; i < gw_region_at(f, from)->args; i++) {
        if (i >= fixed && keep && !keep[i - fixed]) continue;
        gw_value v = gw_arg(f, from, i);
        gw_value_data d = *gw_value_at(f, v);
        gw_map_set(map, v, gw_region_arg(f, to, d.type, d.name));
    }
    for (uint32_t i = 0; i < extra->count; i++) {
        gw_value_data d = *gw_value_at(f, extra->at[i]);
        gw_region_arg(f, to, d.type, d.name);
    }
    gw_move_ops(f, from, to);
}

static gw_op rebuild_loop(gw_func *f, gw_op old, const bool *keep, const gw_value *extra, uint32_t extras,
                          gw_value_map *map) {
    gw_op made = sibling(f, old);
    uint32_t first = gw_loop_first_init(f, old), fixed = gw_loop_first_arg(f, old);
    uint32_t lead = gw_loop_first_yield(f, old), carried = gw_loop_carried(f, old);
    value_list operands = {0}, more = {0}, yields = {0};
    for (uint32_t i = 0; i < extras; i++) gw_push(&more, extra[i]);
    for (uint32_t i = 0; i < first + carried; i++)
        if (i < first || !keep || keep[i - first]) gw_push(&operands, gw_operand(f, old, i));
    for (uint32_t i = 0; i < extras; i++) gw_push(&operands, extra[i]);
    gw_op_set_operands(f, made, operands.at, operands.count);
    take_results(f, old, made, keep, &more, map);
    for (uint32_t i = 0; i < gw_op_at(f, old)->regions; i++)
        take_loop_region(f, old, made, i, fixed, keep, &more, map);
    gw_region body = gw_loop_body(f, made);
    gw_op end = gw_region_end(f, body);
    for (uint32_t i = 0; i < lead + carried; i++)
        if (i < lead || !keep || keep[i - lead]) gw_push(&yields, gw_operand(f, end, i));
    for (uint32_t i = 0; i < extras; i++)
        gw_push(&yields, gw_arg(f, body, gw_region_at(f, body)->args - extras + i));
    gw_op_set_operands(f, end, yields.at, yields.count);
    gw_op_remove(f, old);
    gw_vec_free(&operands);
    gw_vec_free(&more);
    gw_vec_free(&yields);
    return made;
}

static gw_op rebuild_if(gw_func *f, gw_op old, const bool *keep, const gw_value *then_value,
                        const gw_value *else_value, uint32_t extras, gw_value_map *map) {
    gw_op made = sibling(f, old);
    gw_value condition = gw_operand(f, old, 0);
    gw_op_set_operands(f, made, &condition, 1);
    value_list more = {0};
    for (uint32_t i = 0; i < extras; i++) gw_push(&more, then_value[i]);
    take_results(f, old, made, keep, &more, map);
    for (uint32_t side = 0; side < 2; side++) {
        gw_region to = gw_region_new(f, made);
        gw_move_ops(f, gw_op_at(f, old)->region[side], to);
        gw_op end = gw_region_end(f, to);
        value_list yields = {0};
        for (uint32_t i = 0; i < gw_op_at(f, end)->operands; i++)
            if (!keep || keep[i]) gw_push(&yields, gw_operand(f, end, i));
        for (uint32_t i = 0; i < extras; i++) gw_push(&yields, side == 0 ? then_value[i] : else_value[i]);
        gw_op_set_operands(f, end, yields.at, yields.count);
        gw_vec_free(&yields);
    }
    gw_op_remove(f, old);
    gw_vec_free(&more);
    return made;
}

gw_op gw_loop_rebuild(gw_func *f, gw_op old, const bool *keep, const gw_value *extra, uint32_t extras) {
    gw_value_map map = {0};
    gw_op made = rebuild_loop(f, old, keep, extra, extras, &map);
    gw_rename_from(f, made, &map);
    gw_map_free(&map);
    return made;
}

gw_op gw_if_rebuild(gw_func *f, gw_op old, const bool *keep, const gw_value *then_value,
                    const gw_value *else_value, uint32_t extras) {
    gw_value_map map = {0};
    gw_op made = rebuild_if(f, old, keep, then_value, else_value, extras, &map);
    gw_rename_from(f, made, &map);
    gw_map_free(&map);
    return made;
}

void gw_prune(gw_func *f, gw_op op, const bool *keep, gw_value_map *map) {
    if (gw_is_loop(f, op)) rebuild_loop(f, op, keep, NULL, 0, map);
    else rebuild_if(f, op, keep, NULL, NULL, 0, map);
}

void gw_open_branch(gw_func *f, gw_op branch) {
    const gw_region then = gw_op_at(f, branch)->region[0];
    const gw_op end = gw_region_end(f, then);
    gw_value_map map = {0};
    for (uint32_t i = 0; i < gw_op_at(f, branch)->results; i++)
        gw_map_set(&map, gw_result(f, branch, i), gw_operand(f, end, i));
    for (gw_op op = gw_first(f, then), next; op != end; op = next) {
        next = gw_next(f, op);
        gw_op_move(f, op, gw_op_at(f, branch)->parent, branch);
    }
    gw_op_remove(f, branch);
    gw_replace_many(f, &map);
    gw_map_free(&map);
}

gw_op gw_put_under(gw_func *f, gw_op op, gw_value condition, uint32_t side) {
    gw_builder b = {f, gw_op_at(f, op)->parent, op, gw_op_at(f, op)->loc};
    gw_op branch = gw_emit(&b, GW_OP_IF, GW_T_VOID, 0, &condition, 1);
    for (uint32_t i = 0; i < 2; i++) {
        gw_builder in = {f, gw_region_new(f, branch), 0, b.loc};
        if (i == side) gw_op_move(f, op, in.region, 0);
        gw_yield(&in, NULL, 0);
    }
    return branch;
}
