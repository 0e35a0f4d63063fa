/*
 * accumulate/settle.c - exact sums that the kernel itself needs: where they are rounded into their cells.
 *
 *     gw_exact_add(d_s_exact, d_s, &d_s[list[t]], v);
 *     __syncthreads();
 *     gw_exact_settle(d_s_exact, d_s, &d_s[t]);        // op `settle`: d_s[t] += its sum, which is clear again
 *     const float d_s_value = d_s[t];
 *     d_s[t] = 0;
 *
 * What is added exactly is not in the cell. A read or a zeroing to which additions come on some way, through
 * branches and loops, whoever's and to whichever cells, settles its cell first. The accumulators of shared
 * memory are the block's own, in the workspace, and what is left in them when the kernel ends nobody reads;
 * what is left of an array of the caller's is rounded behind the kernel.
 *
 * A cell that several threads read is settled by none of them but, with all cells of its array, by the block
 * together, in front of what is around the read that all threads of the block come to, between two barriers
 * (op `settle_all`); in the caller's memory, which other blocks reach, that read is refused.
 *
 * Sound because
 *   - a zeroing's cell is no other thread's as long as threads do not meet: ownership proves that against all
 *     references to the array, or it is an error; and so is that of a read with a zeroing of its cell behind it
 *     in its region, or where the primal stores to the cell. What others added they added before threads met,
 *     so it is in the accumulator, and they add nothing more until they meet again;
 *   - a barrier where all threads of the block come changes no value, and between the two nobody else is at a
 *     cell;
 *   - settling is what the additions would have done to the cell, so it may be done at any time before; which
 *     additions were made by then, and so what is rounded, is the same on every run. So it is with plain
 *     additions, which are a thread's own and may come before it or behind.
 */
#include "rewriters/accumulate/accumulate_private.h"

#include "analysis/facts/facts.h"
#include "analysis/ir/query.h"
#include "analysis/ownership/ownership.h"

#include <stdlib.h>

typedef struct settling {
    gw_func *f;
    gw_object object;
    const bool *exact; /* by op: an addition that goes to the accumulators */
    GW_VEC(gw_str) paths; /* of these */
    bool shared;
    gw_uniform u;
    bool *cell;    /* by op: in front of it its cell is settled */
    bool *all;     /* in front of it all cells are */
    bool again;    /* some are new */
    gw_op refused; /* an access for which neither can be */
} settling;

/* ---- an access ---- */
static bool may_be_added_to(const settling *s, gw_op access) {
    const gw_op_data *o = gw_op_at(s->f, access);
    for (uint32_t i = 0; i < s->paths.count; i++)
        if (gw_paths_meet(s->f->session, s->paths.at[i], o->path)) return true;
    return false;
}

/* The cell is nobody else's until threads meet: it is zeroed behind the load before they do, or the primal
 * stores to it there, and ownership has said that it counts on that. */
static bool is_own(const gw_func *f, gw_op load) {
    for (gw_op op = gw_next(f, load); op && !gw_holds_barrier(f, op); op = gw_next(f, op))
        if (gw_op_at(f, op)->code == GW_OP_STORE && gw_op_at(f, op)->object == gw_op_at(f, load)->object &&
            gw_same_address(f, load, op))
            return true;
    return gw_ownership_alone_by_premise(f, load);
}

/* The load of its cell stands in front, which is settled, and nothing has been added since. */
static bool was_settled(const settling *s, gw_op store) {
    const gw_func *f = s->f;
    for (gw_op op = gw_prev(f, store); op && !gw_holds_barrier(f, op) && !s->exact[op]; op = gw_prev(f, op)) {
        if (gw_op_at(f, op)->regions && gw_touches(f, op, s->object, GW_TOUCH_WRITE)) return false;
        if (gw_op_at(f, op)->code == GW_OP_LOAD && s->cell[op] && gw_same_address(f, op, store)) return true;
    }
    return false;
}

static bool all_come(const settling *s, gw_op op) {
    const gw_func *f = s->f;
    const gw_region r = gw_op_at(f, op)->parent;
    const gw_op around = gw_op_around(f, op);
    if (around && gw_op_at(f, around)->code == GW_OP_WHILE && gw_loop_body(f, around) != r) return false;
    return s->u.region[r] <= GW_UNIFORM_BLOCK;
}

static void settle_all_before(settling *s, gw_op access) {
    gw_op at = access;
    while (!all_come(s, at)) at = gw_op_around(s->f, at);
    if (s->all[at]) s->refused = access;
    s->all[at] = s->again = true;
}

static void settle_before(settling *s, gw_op access) {
    const gw_op_data *o = gw_op_at(s->f, access);
    const bool moves = o->code == GW_OP_LOAD || o->code == GW_OP_STORE;
    if (moves && !may_be_added_to(s, access)) return;
    if (o->code == GW_OP_STORE || (moves && is_own(s->f, access)))
        s->cell[access] = o->code == GW_OP_LOAD || !was_settled(s, access);
    else if (moves && s->shared) settle_all_before(s, access);
    else s->refused = access;
}

/* ---- all ways ---- */
/* open: additions that are not settled may come here; the same at the region's end. */
static bool walk(void *with, gw_region r, bool open) {
    settling *s = with;
    for (gw_op op = gw_first(s->f, r); op && !s->refused && !s->again; op = gw_next(s->f, op)) {
        const gw_op_data *o = gw_op_at(s->f, op);
        if (s->all[op]) open = false;
        if (o->regions) open = gw_flows_through(s->f, op, open, walk, s);
        else if (s->exact[op]) open = true;
        else if (o->object == s->object && o->code != GW_OP_ACCUM &&
                 (open || (o->code == GW_OP_ADDRESS && !s->shared)))
            settle_before(s, op);
    }
    return open;
}

/* ---- doing it ---- */
static void put_cell(settling *s, gw_op access) {
    const gw_op_data o = *gw_op_at(s->f, access);
    const uint32_t count = gw_index_count(s->f, access);
    gw_value *index = gw_alloc((count + 1) * sizeof *index);
    for (uint32_t i = 0; i < count; i++) index[i] = gw_operand(s->f, access, i);
    gw_builder b = {s->f, o.parent, access, o.loc};
    gw_op_data *settle = gw_op_at(s->f, gw_emit(&b, GW_OP_SETTLE, GW_T_VOID, 0, index, count));
    settle->object = o.object;
    settle->path = o.path;
    free(index);
}

/* A barrier that nobody has come to the array behind. */
static bool have_met(const settling *s, gw_op at) {
    for (gw_op op = gw_prev(s->f, at); op; op = gw_prev(s->f, op)) {
        if (gw_op_at(s->f, op)->code == GW_OP_BARRIER) return true;
        if (gw_touches(s->f, op, s->object, GW_TOUCH_READ | GW_TOUCH_WRITE)) return false;
    }
    return false;
}

static void put_all(settling *s, gw_op at) {
    gw_builder b = {s->f, gw_op_at(s->f, at)->parent, at, gw_op_at(s->f, at)->loc};
    if (!have_met(s, at)) gw_emit(&b, GW_OP_BARRIER, GW_T_VOID, 0, NULL, 0);
    gw_op_at(s->f, gw_emit(&b, GW_OP_SETTLE_ALL, GW_T_VOID, 0, NULL, 0))->object = s->object;
    gw_emit(&b, GW_OP_BARRIER, GW_T_VOID, 0, NULL, 0);
}

static void find_paths(settling *s) {
    for (gw_op op = 1; op < s->f->ops.count; op++) {
        if (s->exact[op] && !may_be_added_to(s, op)) gw_push(&s->paths, gw_op_at(s->f, op)->path);
    }
}

gw_op gw_settle(gw_func *f, gw_object object, const bool *exact) {
    const uint32_t count = f->ops.count;
    settling s = {.f = f, .object = object, .exact = exact, .cell = gw_alloc(count), .all = gw_alloc(count)};
    s.shared = gw_object_at(f, object)->kind == GW_OBJECT_SHARED;
    find_paths(&s);
    gw_uniform_new(&s.u, f);
    do {
        s.again = false;
        walk(&s, f->entry, f->kind != GW_FUNC_KERNEL); /* other calls may have added before */
    } while (s.again && !s.refused);
    gw_uniform_free(&s.u);
    for (gw_op op = 1; op < count && !s.refused; op++) {
        if (s.all[op]) put_all(&s, op);
        if (s.cell[op]) put_cell(&s, op);
    }
    gw_vec_free(&s.paths);
    free(s.cell);
    free(s.all);
    return s.refused;
}
