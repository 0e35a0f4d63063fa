/*
 * ahead.c - a part of the schedule pass: a loop that stores makes the loads of its next iterations first.
 *
 *     for (i = lane; i < n; i += 32) {          for (first = lane; first < n; first += 4 * 32) {
 *         d_x[i] += f(x[i], d_y[i]);                for (t = 0; t < 4; t++) if (first + 32 * t < n) loads
 *         d_y[i] = 0;                   becomes     for (t = 0; t < 4; t++) if (first + 32 * t < n) the body
 *     }                                         }
 *
 * Two parameters are distinct memory, which ptxas does not know: each iteration's loads wait for what the one
 * before has stored, so a warp has one iteration in flight. A loop that counts down by a step which is no
 * constant is never unrolled by nvcc, so its loads wait for each other (measured: docs/log/gpu-kernels.md).
 *
 * The loads that go ahead are those of the body itself, not of branches in it, of the caller's memory, at
 * indices that follow from the loop's own. What they load is kept in local arrays, which are registers, since
 * nvcc writes out loops of four.
 *
 * Sound: nothing meets in the loop, so no other thread's store is passed. A load passes no store of its own
 * thread that may reach its cell, of its iteration or of an earlier one. All else keeps its order. A signed
 * index of 32 bits is counted in 64, so that first + 4 * step does not pass its end.
 */
#include "rewriters/device/device.h"
#include "rewriters/device/schedule_private.h"

#include "analysis/facts/facts.h"
#include "analysis/ir/optional.h"
#include "analysis/ir/policies.h"
#include "analysis/ir/restructure.h"
#include "analysis/ir/rungs.h"

#include <stdlib.h>

enum { MOST_LOADS = 8, MOST_IN_FLIGHT = 16, MOST_TURNS = 4, FEWEST_TURNS = 2, DEEPEST = 8 };

typedef struct ahead {
    gw_func *f;
    gw_op loop;
    gw_region body;
    bool *needed; /* by op: a load that goes ahead is made of it */
    gw_op loads[MOST_LOADS];
    uint32_t count;
    int64_t turns; /* iterations whose loads are made together */
    gw_object kept[MOST_LOADS];
} ahead;

/* ---- which loops ---- */
/* What goes to the workspace is not: its length follows from the loop's index (workspace/copied.c). */
static bool is_plain_or_atomic(const gw_func *f, gw_op add) {
    const uint16_t way = gw_op_at(f, add)->attr;
    return way == GW_ACCUMULATE_PLAIN || way == GW_ACCUMULATE_POSTED || way == GW_ACCUMULATE_ATOMIC;
}

static bool may_stand(const gw_func *f, gw_op op) {
    switch (gw_op_at(f, op)->code) {
    case GW_OP_ACCUM:
        return is_plain_or_atomic(f, op);
    case GW_OP_LOAD:
    case GW_OP_STORE:
    case GW_OP_IF:
    case GW_OP_YIELD:
        return true;
    case GW_OP_FOR: {
        int64_t low, high;
        return gw_loop_step(f, op) && gw_loop_ends(f, op, &low, &high);
    }
    default:
        return gw_op_rows[gw_op_at(f, op)->code].effect == GW_EFFECT_PURE;
    }
}

/* The grid shares the iterations out: a thread has few. */
static bool is_of_grid(const gw_func *f, gw_value step, uint32_t depth) {
    const gw_op op = gw_value_at(f, step)->op;
    if (!op || depth == DEEPEST) return false;
    if (gw_op_at(f, op)->code == GW_OP_SPECIAL) return gw_op_at(f, op)->attr / 4 == GW_GRID_DIM;
    for (uint32_t i = 0; i < gw_op_at(f, op)->operands; i++)
        if (is_of_grid(f, gw_operand(f, op, i), depth + 1)) return true;
    return false;
}

/* Counted by a signed number, to an end that is not known. */
static bool counts(const gw_func *f, gw_op loop) {
    const gw_op_data *o = gw_op_at(f, loop);
    if (o->code != GW_OP_FOR) return false;
    const gw_type type = gw_typeof(f, gw_operand(f, loop, 0));
    const bool rises = o->attr == GW_OP_LT || o->attr == GW_OP_LE;
    const bool falls = o->attr == GW_OP_GT || o->attr == GW_OP_GE;
    int64_t low, high;
    return (rises || falls) && o->policy == GW_POLICY_NONE && !o->imm.i &&
           !(o->flags & (GW_OP_EXIT | GW_OP_BEYOND)) && (type == GW_T_I32 || type == GW_T_I64) &&
           !(gw_loop_step(f, loop) && gw_loop_ends(f, loop, &low, &high)) &&
           !is_of_grid(f, gw_operand(f, loop, 2), 0);
}

static bool all_may_stand(const gw_func *f, gw_op loop) {
    const gw_region body = gw_loop_body(f, loop);
    for (gw_op op = gw_first(f, body); op; op = gw_walk(f, op, body))
        if (!may_stand(f, op)) return false;
    return true;
}

static bool is_callers(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    const gw_object_kind kind = gw_object_at(f, o->object)->kind;
    return gw_is_access_of_cell(o) &&
           (kind == GW_OBJECT_POINTER || kind == GW_OBJECT_GLOBAL ||
            gw_cell_behind_pointer(f, o->object, o->path));
}

/* ---- which loads ---- */
/* No store of the loop may reach the load's cell before the load does. */
static bool passes_stores(const ahead *a, gw_op load) {
    bool behind = false;
    for (gw_op op = gw_first(a->f, a->body); op; op = gw_walk(a->f, op, a->body)) {
        const gw_op_data *o = gw_op_at(a->f, op);
        behind |= op == load;
        if ((o->code != GW_OP_STORE && o->code != GW_OP_ACCUM) || !gw_paths_may_meet(a->f, op, load)) continue;
        if (!behind && gw_alias_ops(a->f, op, load) != GW_ALIAS_NO) return false;
        if (!gw_stored_elsewhere(a->f, a->loop, op, load)) return false;
    }
    return true;
}

static bool goes_ahead(const ahead *a, gw_op load);

/* Whether v follows from the loop's index, and from loads that go ahead. */
static bool is_known(const ahead *a, gw_value v) {
    const gw_op op = gw_value_at(a->f, v)->op;
    if (gw_value_visible(a->f, v, gw_op_at(a->f, a->loop)->parent)) return true;
    if (!op) return v == gw_arg(a->f, a->body, 0);
    const gw_op_data *o = gw_op_at(a->f, op);
    if (o->code == GW_OP_LOAD) return goes_ahead(a, op);
    if (o->regions || gw_op_rows[o->code].effect != GW_EFFECT_PURE) return false;
    for (uint32_t i = 0; i < o->operands; i++)
        if (!is_known(a, gw_operand(a->f, op, i))) return false;
    return true;
}

static bool goes_ahead(const ahead *a, gw_op load) {
    const gw_op_data *o = gw_op_at(a->f, load);
    if (o->code != GW_OP_LOAD || o->parent != a->body || !is_callers(a->f, load)) return false;
    for (uint32_t i = 0; i < gw_index_count(a->f, load); i++)
        if (!is_known(a, gw_operand(a->f, load, i))) return false;
    return passes_stores(a, load);
}

static bool collect_loads(ahead *a) {
    for (gw_op op = gw_first(a->f, a->body); op; op = gw_next(a->f, op)) {
        if (!goes_ahead(a, op)) continue;
        if (a->count == MOST_LOADS) return false;
        a->loads[a->count++] = op;
    }
    a->turns = a->count * MOST_TURNS <= MOST_IN_FLIGHT ? MOST_TURNS : FEWEST_TURNS;
    return a->count != 0;
}

static bool is_written(const gw_func *f, gw_object object) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (!o->dead && o->object == object && gw_op_rows[o->code].effect == GW_EFFECT_WRITE) return true;
    }
    return false;
}

static bool stores_beside(const ahead *a, gw_object object) {
    for (gw_op op = gw_first(a->f, a->body); op; op = gw_walk(a->f, op, a->body)) {
        const gw_op_data *o = gw_op_at(a->f, op);
        if ((o->code == GW_OP_STORE || o->code == GW_OP_ACCUM) && o->object != object && is_callers(a->f, op))
            return true;
    }
    return false;
}

/* Loads that wait: of memory that the kernel writes, in a loop that stores or adds to other memory; or in one
 * that nvcc does not unroll. */
static bool pays(const ahead *a) {
    const gw_op_data *o = gw_op_at(a->f, a->loop);
    if ((o->attr == GW_OP_GT || o->attr == GW_OP_GE) && !gw_loop_step(a->f, a->loop)) return true;
    for (uint32_t i = 0; i < a->count; i++) {
        const gw_object object = gw_op_at(a->f, a->loads[i])->object;
        if (is_written(a->f, object) && stores_beside(a, object)) return true;
    }
    return false;
}

static void mark_needed(ahead *a, gw_op op) {
    if (a->needed[op]) return;
    a->needed[op] = true;
    for (uint32_t i = 0; i < gw_op_at(a->f, op)->operands; i++) {
        const gw_op from = gw_value_at(a->f, gw_operand(a->f, op, i))->op;
        if (from && gw_op_at(a->f, from)->parent == a->body) mark_needed(a, from);
    }
}

static void declare_kept(ahead *a, gw_builder *b) {
    gw_session *s = a->f->session;
    for (uint32_t i = 0; i < a->count; i++) {
        const gw_type type = gw_typeof(a->f, gw_result(a->f, a->loads[i], 0));
        const gw_object from = gw_op_at(a->f, a->loads[i])->object;
        char *name = gw_format("%s_ahead", gw_cstr(s, gw_object_at(a->f, from)->name));
        const gw_object kept = gw_object_new(a->f, GW_OBJECT_LOCAL, gw_intern(s, name),
                                             gw_type_array(s, type, (uint32_t)a->turns));
        free(name);
        gw_object_at(a->f, kept)->type_text = s->types.at[type].name;
        gw_op_at(a->f, gw_emit(b, GW_OP_DECLARE, GW_T_VOID, 0, NULL, 0))->object = kept;
        a->kept[i] = kept;
    }
}

/* ---- the new loop ---- */
/* What both inner loops ask: from, step and bound are those of the loop, in 64 bits. */
typedef struct header {
    gw_value from, step, bound, first; /* first: the index of the turns' first iteration */
} header;

/* A loop with these operands that carries what the loop does, or nothing; its body is empty. */
static gw_op new_loop(ahead *a, gw_builder *b, const gw_value *range, uint16_t compare, gw_str index,
                      const gw_value *carried) {
    gw_func *f = a->f;
    const uint32_t count = carried ? gw_loop_carried(f, a->loop) : 0;
    GW_VEC(gw_value) operands = {0};
    for (uint32_t i = 0; i < 3; i++) gw_push(&operands, range[i]);
    for (uint32_t i = 0; i < count; i++) gw_push(&operands, carried[i]);
    const gw_op made = gw_emit(b, GW_OP_FOR, GW_T_VOID, 0, operands.at, operands.count);
    gw_vec_free(&operands);
    gw_op_at(f, made)->attr = compare;
    for (uint32_t i = 0; i < count; i++)
        gw_op_add_result(f, made, gw_typeof(f, carried[i]), gw_value_at(f, gw_loop_arg(f, a->loop, i))->name);
    const gw_region body = gw_region_new(f, made);
    gw_region_arg(f, body, gw_typeof(f, range[0]), index);
    for (uint32_t i = 0; i < count; i++)
        gw_region_arg(f, body, gw_typeof(f, carried[i]), gw_value_at(f, gw_loop_arg(f, a->loop, i))->name);
    return made;
}

/* for (turn = 0; turn < turns; turn++) if (there is one); the branch. The cloner has the iteration's index. */
static gw_op new_turns(ahead *a, gw_builder *b, const header *h, const gw_value *carried, gw_cloner *c) {
    gw_func *f = a->f;
    const gw_value own = gw_arg(f, a->body, 0);
    const gw_value range[] = {gw_int(b, GW_T_I32, 0), gw_int(b, GW_T_I32, a->turns), gw_int(b, GW_T_I32, 1)};
    const gw_op turns = new_loop(a, b, range, GW_OP_LT, gw_intern(f->session, "turn"), carried);
    b->region = gw_loop_body(f, turns);
    b->before = 0;
    const gw_value turn = gw_arg(f, b->region, 0);
    const gw_value wide =
        gw_binary(b, GW_OP_ADD, h->first, gw_binary(b, GW_OP_MUL, gw_cast(b, GW_T_I64, turn), h->step));
    const gw_value comes = gw_binary(b, (gw_opcode)gw_op_at(f, a->loop)->attr, wide, h->bound);
    const gw_value index = gw_cast(b, gw_typeof(f, own), wide); /* in reasons, it is the source's index */
    gw_value_at(f, wide)->name = gw_value_at(f, index)->name = gw_value_at(f, own)->name;
    gw_map_set(&c->values, own, index);
    const gw_op branch = gw_emit(b, GW_OP_IF, GW_T_VOID, 0, &comes, 1);
    for (uint32_t i = 0; carried && i < gw_loop_carried(f, a->loop); i++) {
        const gw_value arg = gw_arg(f, b->region, 1 + i);
        gw_map_set(&c->values, gw_loop_arg(f, a->loop, i), arg);
        gw_op_add_result(f, branch, gw_typeof(f, arg), gw_value_at(f, arg)->name);
    }
    return branch;
}

static void load_turns(ahead *a, gw_builder b, const header *h) {
    gw_func *f = a->f;
    gw_cloner c = {.from = f};
    const gw_op branch = new_turns(a, &b, h, NULL, &c);
    const gw_value turn = gw_arg(f, b.region, 0);
    gw_builder then = {f, gw_region_new(f, branch), 0, b.loc};
    c.to = &then;
    for (gw_op op = gw_first(f, a->body); op; op = gw_next(f, op))
        if (a->needed[op]) gw_clone_op(&c, op);
    for (uint32_t i = 0; i < a->count; i++)
        gw_store(&then, a->kept[i], gw_intern(f->session, "[]"), &turn, 1,
                 gw_clone_value(&c, gw_result(f, a->loads[i], 0)));
    gw_yield(&then, NULL, 0);
    then.region = gw_region_new(f, branch);
    gw_yield(&then, NULL, 0);
    gw_yield(&b, NULL, 0);
    gw_map_free(&c.values);
    gw_map_free(&c.objects);
}

/* The body of each turn, with what was loaded before; what it hands on goes to the list. */
static void run_turns(ahead *a, gw_builder b, const header *h, gw_value *carried) {
    gw_func *f = a->f;
    const uint32_t count = gw_loop_carried(f, a->loop);
    gw_value_map loaded = {0};
    gw_cloner c = {.from = f, .pinned = &loaded};
    const gw_op branch = new_turns(a, &b, h, carried, &c), turns = gw_region_at(f, b.region)->parent;
    const gw_value turn = gw_arg(f, b.region, 0);
    gw_builder then = {f, gw_region_new(f, branch), 0, b.loc}, other = {f, gw_region_new(f, branch), 0, b.loc};
    for (uint32_t i = 0; i < a->count; i++) {
        const gw_value was = gw_result(f, a->loads[i], 0);
        const gw_value kept = gw_load(&then, a->kept[i], gw_intern(f->session, "[]"), &turn, 1);
        gw_value_at(f, kept)->name = gw_value_at(f, was)->name;
        gw_map_set(&loaded, was, kept);
    }
    c.to = &then;
    for (gw_op op = gw_first(f, a->body); op; op = gw_next(f, op)) gw_clone_op(&c, op);
    for (uint32_t i = 0; i < count; i++) carried[i] = gw_arg(f, b.region, 1 + i);
    gw_yield(&other, carried, count);
    for (uint32_t i = 0; i < count; i++) carried[i] = gw_result(f, branch, i);
    gw_yield(&b, carried, count);
    for (uint32_t i = 0; i < count; i++) carried[i] = gw_result(f, turns, i);
    gw_map_free(&loaded);
    gw_map_free(&c.values);
    gw_map_free(&c.objects);
}

static void rewrite(ahead *a) {
    gw_func *f = a->f;
    const gw_op_data o = *gw_op_at(f, a->loop);
    const uint32_t count = gw_loop_carried(f, a->loop);
    gw_builder b = {f, o.parent, a->loop, o.loc};
    header h = {.from = gw_cast(&b, GW_T_I64, gw_operand(f, a->loop, 0)),
                .bound = gw_cast(&b, GW_T_I64, gw_operand(f, a->loop, 1)),
                .step = gw_cast(&b, GW_T_I64, gw_operand(f, a->loop, 2))};
    const gw_value by = gw_binary(&b, GW_OP_MUL, h.step, gw_int(&b, GW_T_I64, a->turns));
    int64_t known;
    if (!gw_const_int(f, h.bound, &known)) gw_value_at(f, h.bound)->name = gw_intern(f->session, "end");
    if (!gw_const_int(f, h.step, &known)) gw_value_at(f, h.step)->name = gw_intern(f->session, "step");
    gw_value *carried = gw_alloc((count + 1) * sizeof *carried);
    for (uint32_t i = 0; i < count; i++) carried[i] = gw_loop_init(f, a->loop, i);
    const gw_op made = new_loop(a, &b, (gw_value[]){h.from, h.bound, by}, o.attr,
                                gw_intern(f->session, "first"), carried);
    gw_op_at(f, made)->origin = o.origin;
    gw_op_at(f, made)->note = gw_intern(f->session, "several iterations load before the first of them stores");
    b.region = gw_loop_body(f, made);
    b.before = 0;
    h.first = gw_arg(f, b.region, 0);
    for (uint32_t i = 0; i < count; i++) carried[i] = gw_arg(f, b.region, 1 + i);
    declare_kept(a, &b);
    load_turns(a, b, &h);
    run_turns(a, b, &h, carried);
    gw_yield(&b, carried, count);
    gw_value_map map = {0};
    for (uint32_t i = 0; i < count; i++) gw_map_set(&map, gw_result(f, a->loop, i), gw_result(f, made, i));
    gw_op_remove(f, a->loop);
    gw_replace_many(f, &map);
    gw_map_free(&map);
    free(carried);
}

/* Additions that a thread loads for become a load and a store. */
static void split_additions(gw_func *f, gw_region body) {
    for (gw_op op = gw_first(f, body); op; op = gw_next(f, op)) {
        const gw_op_data *o = gw_op_at(f, op);
        const bool plain = o->code == GW_OP_ACCUM && o->attr == GW_ACCUMULATE_PLAIN;
        if (plain && is_callers(f, op)) gw_split_addition(f, op, op);
    }
}

static bool may_look(const gw_func *f, gw_op loop) {
    return counts(f, loop) && all_may_stand(f, loop);
}

/* A split addition is the store behind its load. */
static bool load_goes_ahead(const ahead *a, gw_op store) {
    const gw_op sum = gw_value_at(a->f, gw_operand(a->f, store, gw_index_count(a->f, store)))->op;
    for (uint32_t i = 0; i < a->count && gw_op_at(a->f, store)->code == GW_OP_STORE; i++)
        if (gw_result(a->f, a->loads[i], 0) == gw_operand(a->f, sum, 0)) return true;
    return false;
}

bool gw_goes_ahead(const gw_func *f, gw_op add) {
    const gw_op loop = gw_op_around(f, add);
    if (!gw_takes(f->session, GW_OPTIONAL_SCHEDULE) || !loop || !may_look(f, loop)) return false;
    gw_func *copy = gw_func_copy(f);
    ahead a = {.f = copy, .loop = loop, .body = gw_loop_body(copy, loop)};
    split_additions(copy, a.body);
    const bool goes = collect_loads(&a) && pays(&a) && load_goes_ahead(&a, add);
    gw_func_free(copy);
    return goes;
}

static bool look_ahead(gw_func *f, gw_op loop) {
    gw_func *copy = gw_func_copy(f);
    ahead a = {.f = copy, .loop = loop, .body = gw_loop_body(copy, loop)};
    split_additions(copy, a.body);
    const bool good = collect_loads(&a) && pays(&a);
    if (good) {
        a.needed = gw_alloc(copy->ops.count * sizeof *a.needed);
        for (uint32_t i = 0; i < a.count; i++) mark_needed(&a, a.loads[i]);
        rewrite(&a);
        free(a.needed);
        gw_func_take(f, copy);
    }
    gw_func_free(copy);
    return good;
}

void gw_load_ahead(gw_func *f) {
    for (gw_op op = 1, end = (gw_op)f->ops.count; op < end; op++)
        if (!gw_op_at(f, op)->dead && may_look(f, op)) look_ahead(f, op);
}
