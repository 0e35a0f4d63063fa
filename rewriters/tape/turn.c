/*
 * turn.c - reverse loops around loops, on a host's tape, that run in the order of the primal though they pop.
 *
 * A reverse loop runs downward because the tape is a stack, while the loops in it run upward: memory is walked
 * in runs that follow each other backwards, which no prefetcher likes (a Gaussian mixture larger than the
 * caches took 2.3 times as long). Where the iterations commute (GW_OP_ANY_ORDER, adjoint/loop.c), each of them
 * only has to find its own records. If every iteration leaves the same bytes, the records are an array: the top
 * of the tape is moved below all of them, in each iteration above its own, which are popped as ever, and to the
 * next; and in the end below all of them again.
 *
 * Records that are made in branches of the body are taken out of them first: the branch gives the value as one
 * more result, 0 from the side that has none, and every iteration stores it. Loops that threads share out are
 * straightened so, too (gw_straighten_loops), and not turned.
 *
 * Requires a function on a host's tape, clean, in which pushes and pops nest; after it they nest up to the
 * order of such a loop's iterations. Sound: the loop that pushes and the one that pops run equally often;
 * nothing in the latter pushes, calls or asks for room while the top is below records that are still needed.
 */
#include "rewriters/tape/tape.h"

#include "analysis/ir/passes.h"
#include "rewriters/adjoint/adjoint.h"
#include "analysis/facts/facts.h"
#include "analysis/ir/restructure.h"

#include <stdlib.h>

typedef struct pair {
    gw_op push, pop;
    uint32_t pushes, pops;
} pair;

typedef struct turning {
    gw_func *f;
    pair *pairs;        /* by slot */
    gw_op loop;
    GW_VEC(gw_op) pops; /* in the loop, in order */
    uint32_t bytes;     /* of one iteration */
} turning;

static void find_pairs(turning *t) {
    for (gw_op op = 1; op < t->f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(t->f, op);
        pair *p = &t->pairs[o->object];
        if (o->dead) continue;
        if (o->code == GW_OP_PUSH) p->push = op, p->pushes++;
        if (o->code == GW_OP_POP) p->pop = op, p->pops++;
    }
}

static bool uses_tape(const gw_func *f, gw_op op) {
    uint16_t code = gw_op_at(f, op)->code;
    return code == GW_OP_PUSH || code == GW_OP_POP || code == GW_OP_CALL || code == GW_OP_SKIP;
}

static uint32_t count_uses(const gw_func *f, gw_region r) {
    uint32_t count = 0;
    for (gw_op op = gw_first(f, r); op; op = gw_walk(f, op, r)) count += uses_tape(f, op);
    return count;
}

/* The loop around the op, and how many branches lie between. */
static gw_op loop_around(const gw_func *f, gw_op op, uint32_t *branches) {
    *branches = 0;
    for (;;) {
        op = gw_op_around(f, op);
        if (!op || gw_is_loop(f, op)) return op;
        ++*branches;
    }
}

/* Pops of the body and of its branches. */
static void find_pops(turning *t, gw_region r) {
    for (gw_op op = gw_first(t->f, r); op; op = gw_next(t->f, op)) {
        const gw_op_data *o = gw_op_at(t->f, op);
        if (o->code == GW_OP_POP) gw_push(&t->pops, op);
        for (uint32_t i = 0; o->code == GW_OP_IF && i < 2; i++) find_pops(t, o->region[i]);
    }
}

/* Each pop has its push in the same place of one other loop, and nothing else in either loop uses the tape. */
static bool mirrors_one_loop(turning *t) {
    const gw_func *f = t->f;
    gw_op other = 0;
    t->bytes = 0;
    for (uint32_t i = 0; i < t->pops.count; i++) {
        gw_object slot = gw_op_at(f, t->pops.at[i])->object;
        const pair *p = &t->pairs[slot];
        uint32_t inside, outside;
        if (p->pushes != 1 || p->pops != 1 || gw_object_at(f, slot)->type == GW_T_F80) return false;
        gw_op around = loop_around(f, p->push, &outside);
        if (!around || (other && around != other) || loop_around(f, p->pop, &inside) != t->loop ||
            inside != outside)
            return false;
        other = around;
        t->bytes += gw_type_bytes(gw_object_at(f, slot)->type);
    }
    return t->pops.count && count_uses(f, gw_loop_body(f, other)) == t->pops.count &&
           count_uses(f, gw_loop_body(f, t->loop)) == t->pops.count && t->bytes <= UINT16_MAX;
}

/* ---- changing ---- */
static void lift_push(turning *t, gw_op push) {
    gw_func *f = t->f;
    const gw_op_data o = *gw_op_at(f, push);
    gw_value v = gw_operand(f, push, 0);
    gw_region outer;
    gw_op_remove(f, push);
    v = gw_leave_branch(f, o.parent, v, &outer);
    gw_builder b = {f, outer, gw_next(f, gw_value_at(f, v)->op), o.loc};
    gw_op made = gw_emit(&b, GW_OP_PUSH, GW_T_VOID, 0, &v, 1);
    gw_op_at(f, made)->object = o.object;
    gw_op_at(f, made)->note = o.note;
    t->pairs[o.object].push = made;
}

static gw_op lift_pop(turning *t, gw_op pop) {
    gw_func *f = t->f;
    const gw_op_data o = *gw_op_at(f, pop);
    const gw_value_data v = *gw_value_at(f, o.first_result);
    gw_op branch = gw_region_at(f, o.parent)->parent;
    gw_builder b = {f, gw_op_at(f, branch)->parent, branch, o.loc};
    gw_op made = gw_emit(&b, GW_OP_POP, v.type, 1, NULL, 0);
    gw_op_at(f, made)->object = o.object;
    gw_value_at(f, gw_result(f, made, 0))->name = v.name;
    gw_replace_uses(f, o.first_result, gw_result(f, made, 0));
    gw_op_remove(f, pop);
    return made;
}

/* Pops go in order in front of their branch, pushes in the reverse order right behind theirs: they mirror each
 * other. */
static void lift(turning *t) {
    gw_region body = gw_loop_body(t->f, t->loop);
    for (uint32_t i = 0; i < t->pops.count; i++)
        while (gw_op_at(t->f, t->pops.at[i])->parent != body) {
            t->pops.at[i] = lift_pop(t, t->pops.at[i]);
            lift_push(t, t->pairs[gw_op_at(t->f, t->pops.at[i])->object].push);
        }
}

/* for (i = last; i >= lo; --i) becomes for (i = lo; i < last + 1; ++i). */
static void run_upward(gw_func *f, gw_op loop) {
    gw_value last = gw_operand(f, loop, 0), lo = gw_operand(f, loop, 1);
    gw_op def = gw_value_at(f, last)->op;
    int64_t one;
    gw_builder b = {f, gw_op_at(f, loop)->parent, loop, gw_op_at(f, loop)->loc};
    bool open =
        def && gw_op_at(f, def)->code == GW_OP_SUB && gw_const_int(f, gw_operand(f, def, 1), &one) && one == 1;
    gw_set_operand(f, loop, 0, lo);
    gw_set_operand(f, loop, 1, open ? gw_operand(f, def, 0) : last);
    gw_set_operand(f, loop, 2, gw_int(&b, gw_typeof(f, lo), 1));
    gw_op_at(f, loop)->attr = open ? GW_OP_LT : GW_OP_LE;
}

static void skip(gw_builder *b, gw_value count, uint32_t bytes, bool down) {
    gw_op op = gw_emit(b, GW_OP_SKIP, GW_T_VOID, 0, &count, 1);
    gw_op_at(b->f, op)->attr = (uint16_t)bytes;
    if (down) gw_op_at(b->f, op)->flags |= GW_OP_DOWN;
}

static void move_top(turning *t) {
    gw_func *f = t->f;
    gw_region outer = gw_op_at(f, t->loop)->parent, body = gw_loop_body(f, t->loop);
    gw_builder b = {f, outer, t->loop, gw_op_at(f, t->loop)->loc};
    gw_value trips = gw_header_trips(&b, t->loop);
    skip(&b, trips, t->bytes, true);
    b.before = gw_next(f, t->loop);
    skip(&b, trips, t->bytes, true);
    b.region = body;
    b.before = gw_first(f, body);
    gw_value once = gw_int(&b, GW_T_U64, 1);
    skip(&b, once, t->bytes, false);
    b.before = gw_region_end(f, body);
    skip(&b, once, t->bytes, false);
}

static bool is_downward(const gw_func *f, gw_op loop) {
    const gw_op_data *o = gw_op_at(f, loop);
    return o->attr == GW_OP_GE && gw_loop_step(f, loop) == -1 &&
           gw_type_bits(gw_typeof(f, gw_operand(f, loop, 0))) < 64;
}

/* A loop whose iterations threads share out finds its records by the index, if all of them leave the same. */
void gw_straighten_loops(gw_func *f) {
    turning t = {.f = f, .pairs = gw_alloc(f->objects.count * sizeof *t.pairs)};
    const uint32_t count = f->ops.count;
    find_pairs(&t);
    for (t.loop = 1; t.loop < count; t.loop++) {
        const gw_op_data *o = gw_op_at(f, t.loop);
        if (o->dead || !o->policy || !is_downward(f, t.loop)) continue;
        t.pops.count = 0;
        find_pops(&t, o->region[0]);
        if (mirrors_one_loop(&t)) lift(&t);
    }
    gw_vec_free(&t.pops);
    free(t.pairs);
}

void gw_turn_loops(gw_func *f) {
    turning t = {.f = f, .pairs = gw_alloc(f->objects.count * sizeof *t.pairs)};
    uint32_t count = f->ops.count;
    find_pairs(&t);
    for (t.loop = 1; t.loop < count; t.loop++) {
        const gw_op_data *o = gw_op_at(f, t.loop);
        const bool any_order = (o->flags & GW_OP_ANY_ORDER) && !o->policy; /* threads need no order */
        if (o->dead || o->code != GW_OP_FOR || !any_order || !is_downward(f, t.loop)) continue;
        t.pops.count = 0;
        find_pops(&t, o->region[0]);
        if (!gw_has_loop(f, o->region[0]) || !mirrors_one_loop(&t)) continue;
        lift(&t);
        run_upward(f, t.loop);
        move_top(&t);
    }
    gw_vec_free(&t.pops);
    free(t.pairs);
}
