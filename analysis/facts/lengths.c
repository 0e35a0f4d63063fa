/*
 * lengths.c - how long a kernel's blocks are, as far as its shared arrays tell (contract: facts.h).
 *
 * In a kernel that stages `tile[threadIdx.y][threadIdx.x] = ...` and then reads `tile[threadIdx.y][q]` for all
 * q of a row, a block that is longer than the row would store beside it, and one that is shorter would leave
 * cells that are read and were never stored to. So the row's length is the block's, for all launches that mean
 * something, and it is checked at the launch. Asked for: every store to the array has the thread's coordinate
 * at this position of the index, which makes the block at most as long as the array; and some load a loop's
 * index whose bound is, or may become, the array's length. A condition around a store may only be about more
 * than the thread's place, as `base + t < n` is: `if (t < 32)` would say nothing of the block.
 *
 * Room is less: one access that all places of a block make has the thread's coordinate there, or so much more,
 * as `tile[threadIdx.y + 24][threadIdx.x]` in a loop over 0, 8, 16, 24.
 */
#include "analysis/facts/facts.h"

#include "analysis/ir/query.h"

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
    int64_t low;
    bool whole = gw_const_int(f, gw_operand(f, loop, 0), &low) && low == 0;
    return whole && gw_loop_step(f, loop) == 1 && gw_op_at(f, loop)->attr == GW_OP_LT &&
           may_be(f, gw_operand(f, loop, 1), end);
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
    for (gw_op at = gw_op_around(f, store); at; at = gw_op_around(f, at)) {
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

static void learn_from(const gw_func *p, gw_object o, uint32_t least[3], uint32_t most[3]) {
    const gw_type_data *t = &p->session->types.at[gw_object_at(p, o)->type];
    for (uint32_t position = 0; t->kind == GW_TYPE_ARRAY; position++, t = &p->session->types.at[t->element]) {
        unsigned axis = 0;
        if (!stored_along(p, o, position, &axis)) continue;
        if (!most[axis] || t->count < most[axis]) most[axis] = t->count;
        if (read_to_its_end(p, o, position, t->count) && t->count > least[axis]) least[axis] = t->count;
    }
}

static bool is_array_of_block(const gw_func *p, gw_object o) {
    return gw_object_at(p, o)->kind == GW_OBJECT_SHARED && !gw_object_at(p, o)->sized;
}

void gw_block_lengths(const gw_func *p, uint32_t least[3], uint32_t most[3]) {
    for (gw_object o = 1; o < p->objects.count; o++)
        if (is_array_of_block(p, o)) learn_from(p, o, least, most);
}

/* ---- room ---- */
/* What is added to the thread's coordinate at most: a number, or the index of a loop that ends at one. */
static bool reach(const gw_func *f, gw_value v, unsigned *axis, int64_t *more) {
    int64_t low, high;
    gw_op op = gw_value_at(f, v)->op, loop = loop_of(f, v);
    while (op && gw_op_at(f, op)->code == GW_OP_CAST) {
        v = gw_operand(f, op, 0);
        op = gw_value_at(f, v)->op;
    }
    if (thread_axis(f, v, axis) || gw_const_int(f, v, more)) return true;
    if (loop && gw_loop_ends(f, loop, &low, &high) && gw_loop_step(f, loop) > 0 && high > low) {
        *more = high - 1 - (high - 1 - low) % gw_loop_step(f, loop);
        return true;
    }
    if (!op || gw_op_at(f, op)->code != GW_OP_ADD) return false;
    unsigned axes[2] = {3, 3};
    int64_t parts[2] = {0, 0};
    for (uint32_t i = 0; i < 2; i++)
        if (!reach(f, gw_operand(f, op, i), &axes[i], &parts[i])) return false;
    *axis = axes[0] < axes[1] ? axes[0] : axes[1];
    *more = parts[0] + parts[1];
    return axes[0] == 3 || axes[1] == 3;
}

/* A comparison parts the block if one side is the thread's place alone, whatever it is compared with. */
static bool parts_block(const gw_func *f, gw_value condition, unsigned axis) {
    enum { DEPTH = 8 };
    const gw_op op = gw_value_at(f, condition)->op;
    bool parts = !op || gw_op_at(f, op)->operands > 2;
    for (uint32_t i = 0; op && !parts && i < gw_op_at(f, op)->operands; i++) {
        made_of m = {false, false};
        const gw_value side = gw_operand(f, op, i);
        if (gw_typeof(f, side) == GW_T_BOOL) parts = parts_block(f, side, axis);
        else look_into(f, side, axis, DEPTH, &m);
        parts |= m.thread && !m.more;
    }
    return parts;
}

static bool by_whole_block(const gw_func *f, gw_op access, unsigned axis) {
    for (gw_op at = gw_op_around(f, access); at; at = gw_op_around(f, at)) {
        const bool branch = gw_op_at(f, at)->code == GW_OP_IF;
        if (branch && parts_block(f, gw_operand(f, at, 0), axis)) return false;
        if (!branch && !gw_is_loop(f, at)) return false;
    }
    return true;
}

void gw_block_room(const gw_func *p, uint32_t most[3]) {
    for (gw_op op = 1; op < p->ops.count; op++) {
        const gw_op_data *d = gw_op_at(p, op);
        if (d->dead || (d->code != GW_OP_LOAD && d->code != GW_OP_STORE) || !is_array_of_block(p, d->object))
            continue;
        const gw_type_data *t = &p->session->types.at[gw_object_at(p, d->object)->type];
        for (uint32_t position = 0; t->kind == GW_TYPE_ARRAY && position < gw_index_count(p, op);
             position++, t = &p->session->types.at[t->element]) {
            unsigned axis = 3;
            int64_t more = 0;
            if (!reach(p, gw_operand(p, op, position), &axis, &more) || axis == 3 || more < 0) continue;
            const int64_t room = (int64_t)t->count - more;
            if (room < 1 || !by_whole_block(p, op, axis)) continue;
            if (!most[axis] || room < most[axis]) most[axis] = (uint32_t)room;
        }
    }
}
