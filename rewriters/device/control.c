/*
 * device/control.c - branches and loops, coarsened.
 *
 * Where all instances decide alike, a branch or loop stays one, with the results and carried values of each
 * instance that differ. Where they may not, there is a copy for each, one behind the other: nothing in it is a
 * meeting of threads, so any order of the instances is an order that the primal's threads may run in.
 *
 * What such copies of a branch would each compute alike - pure values and loads of cells that the branch does
 * not change - is computed once before them, under "some instance takes it": one that does would have computed
 * just that, on the same values. So nothing is read and nothing can trap that was not read before. A few pure
 * ops that cannot trap need no condition.
 */
#include "rewriters/device/coarsen_private.h"

#include "rewriters/motion/motion.h"

#include <stdlib.h>

enum { MOST_CHEAP = 8 };

typedef GW_VEC(gw_value) value_list;

/* v in all instances, or once if `result`, which it becomes, is one for all. */
static void push_all(gw_coarsener *k, value_list *list, gw_value v, bool differs) {
    for (uint32_t i = 0; i < (differs ? k->n : 1); i++) gw_push(list, gw_coarsen_value(k, i, v));
}

static void yield(gw_coarsener *k, gw_op op, gw_op end, uint32_t first) {
    value_list list = {0};
    for (uint32_t i = 0; i < gw_op_at(k->from, end)->operands; i++)
        push_all(k, &list, gw_operand(k->from, end, i),
                 i >= first && k->same.value[gw_result(k->from, op, i - first)]);
    gw_yield(&k->b, list.at, list.count);
    gw_vec_free(&list);
}

static void branch(gw_coarsener *k, gw_op op) {
    gw_value condition = gw_coarsen_value(k, 0, gw_operand(k->from, op, 0));
    gw_op made = gw_coarsen_like(k, op, &condition, 1);
    gw_builder before = k->b;
    gw_coarsen_results(k, op, made);
    for (uint32_t side = 0; side < 2; side++) {
        gw_region r = gw_op_at(k->from, op)->region[side];
        k->b = (gw_builder){k->f, gw_region_new(k->f, made), 0, before.loc};
        gw_coarsen_region(k, r);
        yield(k, op, gw_region_end(k->from, r), 0);
    }
    k->b = before;
}

/* Arguments of a loop's region: the counter, if it has one, and carried values. */
static void arguments(gw_coarsener *k, gw_op op, gw_region r, gw_region made, uint32_t fixed) {
    for (uint32_t i = 0; i < gw_region_at(k->from, r)->args; i++) {
        gw_value arg = gw_arg(k->from, r, i), now = 0;
        bool differs = i >= fixed && k->same.value[gw_result(k->from, op, i - fixed)];
        for (uint32_t instance = 0; instance < k->n; instance++) {
            if (differs || !instance)
                now = gw_region_arg(k->f, made, gw_typeof(k->from, arg), gw_value_at(k->from, arg)->name);
            gw_map_set(&k->one[instance].values, arg, now);
        }
    }
}

static void loop(gw_coarsener *k, gw_op op) {
    const gw_func *from = k->from;
    uint32_t first = gw_loop_first_init(from, op);
    value_list operands = {0};
    for (uint32_t i = 0; i < gw_op_at(from, op)->operands; i++)
        push_all(k, &operands, gw_operand(from, op, i),
                 i >= first && k->same.value[gw_result(from, op, i - first)]);
    gw_op made = gw_coarsen_like(k, op, operands.at, operands.count);
    gw_builder before = k->b;
    gw_coarsen_results(k, op, made);
    for (uint32_t i = 0; i < gw_op_at(from, op)->regions; i++) {
        gw_region r = gw_op_at(from, op)->region[i];
        bool is_body = r == gw_loop_body(from, op);
        k->b = (gw_builder){k->f, gw_region_new(k->f, made), 0, before.loc};
        arguments(k, op, r, k->b.region, gw_loop_first_arg(from, op));
        gw_coarsen_region(k, r);
        gw_op end = gw_region_end(from, r);
        gw_value condition = gw_coarsen_value(k, 0, gw_operand(from, end, 0));
        if (is_body) yield(k, op, end, gw_loop_first_yield(from, op));
        else gw_yield(&k->b, &condition, 1);
    }
    k->b = before;
    gw_vec_free(&operands);
}

/* ---- what copies of a branch have in common ---- */
static bool may_change(const gw_func *f, gw_region r, gw_op until, gw_object object) {
    for (gw_op op = gw_first(f, r); op != until; op = gw_next(f, op))
        if (gw_touches(f, op, object, GW_TOUCH_WRITE)) return true;
    return false;
}

static bool is_common(const gw_coarsener *k, gw_op op, const bool *common) {
    const gw_func *f = k->from;
    const gw_op_data *o = gw_op_at(f, op);
    bool load = o->code == GW_OP_LOAD;
    if (o->regions || o->results != 1 || k->same.value[o->first_result]) return false;
    if (!load && gw_op_rows[o->code].effect != GW_EFFECT_PURE) return false;
    for (uint32_t i = 0; i < o->operands; i++) {
        gw_value v = gw_operand(f, op, i);
        if (gw_value_region(f, v) == o->parent && !common[gw_value_at(f, v)->op]) return false;
    }
    return !load || !may_change(f, o->parent, op, o->object);
}

/* Marks them; how many are worth it. */
static uint32_t find_common(const gw_coarsener *k, gw_region r, bool *common) {
    uint32_t count = 0;
    for (gw_op op = gw_first(k->from, r); op; op = gw_next(k->from, op)) {
        common[op] = is_common(k, op, common);
        count += common[op] && gw_op_at(k->from, op)->code != GW_OP_CONST &&
                 gw_op_at(k->from, op)->code != GW_OP_SPECIAL;
    }
    return count;
}

static void arm_of(gw_coarsener *k, uint32_t i, gw_op op, uint32_t side, gw_region into, const bool *common) {
    gw_region r = gw_op_at(k->from, op)->region[side];
    k->b = (gw_builder){k->f, into, 0, k->b.loc};
    for (gw_op in = gw_first(k->from, r); in; in = gw_next(k->from, in))
        if (!common[in]) gw_clone_op(&k->one[i], in);
}

/* The branch of instance i, at the builder's place, without what is there already; its results go to the
 * list. */
static void branch_of(gw_coarsener *k, uint32_t i, gw_op op, const bool *common, value_list *results) {
    gw_value condition = gw_coarsen_value(k, i, gw_operand(k->from, op, 0));
    gw_builder before = k->b;
    gw_op made = gw_coarsen_like(k, op, &condition, 1);
    for (uint32_t j = 0; j < gw_op_at(k->from, op)->results; j++) {
        gw_value_data d = *gw_value_at(k->from, gw_result(k->from, op, j));
        gw_push(results, gw_op_add_result(k->f, made, d.type, d.name));
    }
    for (uint32_t side = 0; side < 2; side++) arm_of(k, i, op, side, gw_region_new(k->f, made), common);
    k->b = before;
}

/* Results stand in the order of gw_coarsen_results: all instances of the first, of the second ... */
static void yield_by_result(gw_coarsener *k, gw_op op, const value_list *of_instance) {
    value_list list = {0};
    for (uint32_t j = 0; j < gw_op_at(k->from, op)->results; j++)
        for (uint32_t i = 0; i < k->n; i++) gw_push(&list, of_instance[i].at[j]);
    gw_yield(&k->b, list.at, list.count);
    gw_vec_free(&list);
}

static void under_any(gw_coarsener *k, gw_op op, uint32_t side, const bool *common) {
    const gw_func *from = k->from;
    gw_value condition = gw_operand(from, op, 0), any = 0;
    for (uint32_t i = 0; i < k->n; i++) {
        gw_value mine = gw_coarsen_value(k, i, condition);
        if (side) mine = gw_unary(&k->b, GW_OP_NOT, mine);
        any = any ? gw_binary(&k->b, GW_OP_OR, any, mine) : mine;
    }
    gw_op made = gw_emit(&k->b, GW_OP_IF, GW_T_VOID, 0, &any, 1);
    gw_builder before = k->b;
    gw_op_at(k->f, made)->loc = gw_op_at(from, op)->loc;
    gw_region arm = gw_op_at(from, op)->region[side], rest = gw_op_at(from, op)->region[1 - side];
    gw_value first = k->f->values.count;
    for (uint32_t j = 0; j < gw_op_at(from, op)->results; j++)
        for (uint32_t i = 0; i < k->n; i++) {
            gw_value_data d = *gw_value_at(from, gw_result(from, op, j));
            gw_op_add_result(k->f, made, d.type, d.name);
        }
    gw_region inside = gw_region_new(k->f, made), outside = gw_region_new(k->f, made);
    value_list results[GW_MOST_COARSE] = {{0}};
    k->b = (gw_builder){k->f, inside, 0, before.loc};
    for (gw_op in = gw_first(from, arm); in; in = gw_next(from, in))
        if (common[in]) gw_coarsen_once(k, in);
    for (uint32_t i = 0; i < k->n; i++) branch_of(k, i, op, common, &results[i]);
    yield_by_result(k, op, results);
    k->b = (gw_builder){k->f, outside, 0, before.loc};
    for (uint32_t i = 0; i < k->n; i++) {
        gw_clone_region_body(&k->one[i], rest);
        results[i].count = 0;
        for (uint32_t j = 0; j < gw_op_at(from, op)->results; j++)
            gw_push(&results[i], gw_coarsen_value(k, i, gw_operand(from, gw_region_end(from, rest), j)));
    }
    yield_by_result(k, op, results);
    k->b = before;
    for (uint32_t j = 0; j < gw_op_at(from, op)->results; j++)
        for (uint32_t i = 0; i < k->n; i++)
            gw_map_set(&k->one[i].values, gw_result(from, op, j), first + j * k->n + i);
    for (uint32_t i = 0; i < k->n; i++) gw_vec_free(&results[i]);
}

/* Nothing common is more than a few ops that can neither trap nor read: they need no condition. */
static bool are_cheap(const gw_func *f, gw_region r, const bool *common) {
    int count = 0;
    for (gw_op op = gw_first(f, r); op; op = gw_next(f, op)) {
        uint16_t code = gw_op_at(f, op)->code;
        if (!common[op]) continue;
        if (code == GW_OP_LOAD || code == GW_OP_DIV || code == GW_OP_REM || gw_op_is_function((gw_opcode)code))
            return false;
        count++;
    }
    return count <= MOST_CHEAP;
}

static void in_front(gw_coarsener *k, gw_op op, uint32_t side, const bool *common) {
    gw_region arm = gw_op_at(k->from, op)->region[side];
    for (gw_op in = gw_first(k->from, arm); in; in = gw_next(k->from, in))
        if (common[in]) gw_coarsen_once(k, in);
    for (uint32_t i = 0; i < k->n; i++) {
        value_list results = {0};
        branch_of(k, i, op, common, &results);
        for (uint32_t j = 0; j < results.count; j++)
            gw_map_set(&k->one[i].values, gw_result(k->from, op, j), results.at[j]);
        gw_vec_free(&results);
    }
}

/* Nothing but constants. */
static bool is_trivial(const gw_func *f, gw_region r) {
    for (gw_op op = gw_first(f, r); op && op != gw_region_end(f, r); op = gw_next(f, op))
        if (gw_op_at(f, op)->code != GW_OP_CONST) return false;
    return true;
}

static void divergent(gw_coarsener *k, gw_op op) {
    const gw_func *from = k->from;
    bool *common = gw_alloc(from->ops.count), done = false;
    for (uint32_t side = 0;
         side < 2 && !done && gw_op_at(from, op)->code == GW_OP_IF && !gw_holds_record(from, op); side++) {
        if (!is_trivial(from, gw_op_at(from, op)->region[1 - side])) continue;
        done = find_common(k, gw_op_at(from, op)->region[side], common) > 0;
        if (done && are_cheap(from, gw_op_at(from, op)->region[side], common)) in_front(k, op, side, common);
        else if (done) under_any(k, op, side, common);
    }
    if (!done) gw_coarsen_each(k, op);
    free(common);
}

void gw_coarsen_control(gw_coarsener *k, gw_op op) {
    if (gw_instances_diverge(&k->same, op)) divergent(k, op);
    else if (gw_is_loop(k->from, op)) loop(k, op);
    else branch(k, op);
}
