/*
 * gather/block.c - how long a kernel's blocks are, as far as its shared arrays tell (contract:
 * gather_private.h).
 *
 * In a kernel that stages `tile[threadIdx.y][threadIdx.x] = ...` and then reads `tile[threadIdx.y][q]` for all
 * q of a row, a block that is longer than the row would store beside it, and one that is shorter would leave
 * cells that are read and were never stored to. So the row's length is the block's, for all launches that mean
 * something, and it is checked at the launch. Asked for: every store to the array has the thread's coordinate
 * at this position of the index, which makes the block at most as long as the array; and some load a loop's
 * index whose bound is, or may become, the array's length. A condition around a store may only be about more
 * than the thread's place, as `base + t < n` is: `if (t < 32)` would say nothing of the block. An axis that the
 * kernel never looks at is 1 long, as in ownership/pairs.c.
 */
#include "rewriters/gather/gather_private.h"

#include "analysis/facts/facts.h"

static bool thread_axis(const gw_func *f, gw_value v, unsigned *axis) {
    gw_op op;
    while ((op = gw_value_at(f, v)->op) != 0 && gw_op_at(f, op)->code == GW_OP_CAST) v = gw_operand(f, op, 0);
    if (!op || gw_op_at(f, op)->code != GW_OP_SPECIAL || gw_op_at(f, op)->attr / 4 != GW_THREAD_IDX)
        return false;
    *axis = gw_op_at(f, op)->attr % 4;
    return true;
}

/* The loop whose index v is, widened or not. */
static gw_op loop_of(const gw_func *f, gw_value v) {
    gw_op op;
    while ((op = gw_value_at(f, v)->op) != 0 && gw_op_at(f, op)->code == GW_OP_CAST) v = gw_operand(f, op, 0);
    if (op) return 0;
    gw_op loop = gw_region_at(f, gw_value_at(f, v)->region)->parent;
    return loop && gw_op_at(f, loop)->code == GW_OP_FOR && gw_value_at(f, v)->index == 0 ? loop : 0;
}

static bool may_be(const gw_func *f, gw_value v, int64_t value) {
    int64_t have;
    gw_op op = gw_value_at(f, v)->op;
    if (gw_const_int(f, v, &have)) return have == value;
    return op && gw_op_at(f, op)->code == GW_OP_IMIN &&
           (may_be(f, gw_operand(f, op, 0), value) || may_be(f, gw_operand(f, op, 1), value));
}

static bool runs_to(const gw_func *f, gw_op loop, uint32_t end) {
    int64_t low, step;
    bool whole = gw_const_int(f, gw_operand(f, loop, 0), &low) && low == 0 &&
                 gw_const_int(f, gw_operand(f, loop, 2), &step) && step == 1;
    return whole && gw_op_at(f, loop)->attr == GW_OP_LT && may_be(f, gw_operand(f, loop, 1), end);
}

typedef struct made_of {
    bool thread, more; /* the axis' coordinate; the block's place or a loop's argument */
} made_of;

static void look_into(const gw_func *f, gw_value v, unsigned axis, uint32_t depth, made_of *m) {
    gw_op op = gw_value_at(f, v)->op;
    if (!op) m->more |= gw_value_at(f, v)->region != f->entry;
    if (!op) return;
    const gw_op_data *o = gw_op_at(f, op);
    bool special = o->code == GW_OP_SPECIAL;
    m->thread |= depth == 0 || (special && o->attr / 4 == GW_THREAD_IDX && o->attr % 4 == axis);
    m->more |= special && o->attr / 4 == GW_BLOCK_IDX;
    for (uint32_t i = 0; depth && i < o->operands; i++) look_into(f, gw_operand(f, op, i), axis, depth - 1, m);
}

/* Whether the condition can be false for some place of the thread in every block. */
static bool picks_places(const gw_func *f, gw_value condition, unsigned axis) {
    enum { DEPTH = 8 };
    gw_op op = gw_value_at(f, condition)->op;
    made_of m = {false, false};
    if (op && gw_op_at(f, op)->code == GW_OP_AND)
        return picks_places(f, gw_operand(f, op, 0), axis) || picks_places(f, gw_operand(f, op, 1), axis);
    look_into(f, condition, axis, DEPTH, &m);
    return m.thread && !m.more;
}

static bool by_all_places(const gw_func *f, gw_op store, unsigned axis) {
    for (gw_op at = gw_region_at(f, gw_op_at(f, store)->parent)->parent; at;
         at = gw_region_at(f, gw_op_at(f, at)->parent)->parent) {
        bool branch = gw_op_at(f, at)->code == GW_OP_IF;
        if (branch && (!gw_region_inside(f, gw_op_at(f, store)->parent, gw_op_at(f, at)->region[0]) ||
                       picks_places(f, gw_operand(f, at, 0), axis)))
            return false;
    }
    return true;
}

/* The axis whose coordinate all stores to the object have at this position; false if there is none. */
static bool stored_along(const gw_func *f, gw_object o, uint32_t position, unsigned *axis) {
    bool any = false;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *d = gw_op_at(f, op);
        unsigned here;
        if (d->dead || d->object != o || d->code == GW_OP_LOAD) continue;
        if (d->code != GW_OP_STORE || position >= gw_index_count(f, op)) return false;
        if (!thread_axis(f, gw_operand(f, op, position), &here) || (any && here != *axis) ||
            !by_all_places(f, op, here))
            return false;
        *axis = here;
        any = true;
    }
    return any;
}

static bool read_to_its_end(const gw_func *f, gw_object o, uint32_t position, uint32_t length) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *d = gw_op_at(f, op);
        if (d->dead || d->object != o || d->code != GW_OP_LOAD || position >= gw_index_count(f, op)) continue;
        gw_op loop = loop_of(f, gw_operand(f, op, position));
        if (loop && runs_to(f, loop, length)) return true;
    }
    return false;
}

static void learn_from(gw_gather *g, const gw_func *p, gw_object o) {
    const gw_type_data *t = &p->session->types.at[gw_object_at(p, o)->type];
    for (uint32_t position = 0; t->kind == GW_TYPE_ARRAY; position++, t = &p->session->types.at[t->element]) {
        unsigned axis = 0;
        if (!stored_along(p, o, position, &axis)) continue;
        if (!g->most[axis] || t->count < g->most[axis]) g->most[axis] = t->count;
        if (read_to_its_end(p, o, position, t->count) && t->count > g->least[axis]) g->least[axis] = t->count;
    }
}

static bool looks_at(const gw_func *f, unsigned axis) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        bool block = o->attr / 4 == GW_THREAD_IDX || o->attr / 4 == GW_BLOCK_DIM;
        if (!o->dead && o->code == GW_OP_SPECIAL && block && o->attr % 4 == axis) return true;
    }
    return false;
}

bool gw_gather_is_unused(const gw_func *f, unsigned axis) {
    return !looks_at(f, axis) && !looks_at(f->primal, axis);
}

void gw_gather_lengths(gw_gather *g) {
    const gw_func *p = g->f->primal;
    for (gw_object o = 1; o < p->objects.count; o++)
        if (gw_object_at(p, o)->kind == GW_OBJECT_SHARED && !gw_object_at(p, o)->sized) learn_from(g, p, o);
    for (unsigned axis = 0; axis < 3; axis++) {
        if (g->least[axis] > g->most[axis]) g->most[axis] = g->least[axis] = 0;
        bool unused = axis && !g->most[axis] && gw_gather_is_unused(g->f, axis);
        if (unused) g->most[axis] = 1;
        if (g->most[axis] && !g->least[axis]) g->least[axis] = 1;
    }
}
