/*
 * measure.c - the kernel that measures a tape which the host cannot bound: how many slots each thread of a
 * gradient needs, found by running what decides how often its loops run.
 *
 * It is made of the gradient itself, so that both agree about what is pushed and where. A copy loses all
 * effects on the caller's memory; a count stands in front of each push to the workspace,
 *
 *     height += 1                         in the loop that pushes
 *     most = max(most, height)            behind it
 *     height = as before the loop         where the loop that pops has run
 *
 * and dead code leaves with all that no count depends on: adjoints, and values that nobody asks for. Where the
 * reverse loop runs loops again that push themselves, their trips have to be counted, too. What it pops for
 * that the forward loop has at hand in the very iteration: so the reverse loop's body moves to the end of the
 * forward loop's, and no tape is left.
 *
 *     for (k ...) { push(x); x = f(x); }                           for (k ...) {
 *     ...                                                    ->        height += 1; y = f(x);
 *     for (k backward) { x = pop(); for (j < x) push(..); ... }        for (j < x) height += 1;
 *                                                                      x = y; }
 *
 * Sound: the height is never less than what the gradient has on its tape at that place. An iteration's pushes
 * count while its reverse runs, which has popped them by then; what cannot be taken off counts on. Refused (0
 * is returned, and the loop is without a bound as before) is what would not be the same again: trips that are
 * made of an atomic's result, of what the function stores to the caller's memory and reads again, of what a
 * call writes, or of what the reverse sweep alone has (a value that it undoes).
 *
 * Rounded conditions come out as in the gradient if both kernels round alike, which compilers do not promise
 * where they contract products and sums: so a loop that ends by what it computes has room for one iteration
 * more, and a push that nobody has measured is found (gradwright/emitted/measure.cuh).
 */
#include "rewriters/tape/tape.h"

#include "analysis/clean/clean.h"
#include "analysis/facts/facts.h"
#include "analysis/ir/query.h"
#include "analysis/ir/restructure.h"
#include "rewriters/formula/formula.h"

#include <stdlib.h>

typedef struct measuring {
    gw_func *f;
    gw_object height[2], most[2]; /* of 4-byte and 8-byte slots */
    gw_object nothing;            /* what is popped from it cannot be had */
    bool used[2];                 /* there are such slots */
    bool *lost;                   /* by object: what the function did to it is taken out */
} measuring;

/* ---- cells that count ---- */
static gw_value zero_of(gw_builder *b) { return gw_int(b, GW_T_I32, 0); }
static gw_str cell_path(const measuring *m) { return gw_intern(m->f->session, "[]"); }

static gw_value read_cell(measuring *m, gw_builder *b, gw_object cell) {
    gw_value first = zero_of(b);
    return gw_load(b, cell, cell_path(m), &first, 1);
}
static void write_cell(measuring *m, gw_builder *b, gw_object cell, gw_value v) {
    gw_value first = zero_of(b);
    gw_store(b, cell, cell_path(m), &first, 1, v);
}

static gw_object new_cell(measuring *m, const char *name) {
    gw_session *s = m->f->session;
    return gw_object_new(m->f, GW_OBJECT_LOCAL, gw_intern(s, name), gw_type_array(s, GW_T_U64, 1));
}

static gw_builder before(const measuring *m, gw_op op) {
    return (gw_builder){m->f, gw_op_at(m->f, op)->parent, op, gw_op_at(m->f, op)->loc};
}

/* ---- what is taken out ---- */
static void lose_results(measuring *m, gw_op op) {
    for (uint32_t i = 0; i < gw_op_at(m->f, op)->results; i++) {
        gw_builder b = before(m, op);
        gw_value old = gw_result(m->f, op, i);
        gw_op pop = gw_emit(&b, GW_OP_POP, gw_typeof(m->f, old), 1, NULL, 0);
        gw_op_at(m->f, pop)->object = m->nothing;
        gw_replace_uses(m->f, old, gw_result(m->f, pop, 0));
    }
}

static bool writes_behind_call(const gw_func *f, gw_op call) {
    for (uint32_t i = 0; i < gw_op_at(f, call)->operands; i++) {
        gw_op address = gw_operand_address(f, call, i);
        if (address && gw_op_at(f, address)->flags & GW_OP_WRITES) return true;
    }
    return false;
}

static void take_out_call(measuring *m, gw_op call) {
    gw_func *f = m->f;
    GW_VEC(gw_op) addresses = {0};
    for (uint32_t i = 0; i < gw_op_at(f, call)->operands; i++) {
        gw_op address = gw_operand_address(f, call, i);
        if (address) gw_push(&addresses, address);
    }
    lose_results(m, call);
    gw_op_remove(f, call);
    for (uint32_t i = 0; i < addresses.count; i++) {
        const gw_op_data *o = gw_op_at(f, addresses.at[i]);
        m->lost[o->object] |= (o->flags & GW_OP_WRITES) != 0;
        gw_op_remove(f, addresses.at[i]);
    }
    gw_vec_free(&addresses);
}

/* Has an effect that a thread that only counts must not have, or cannot. */
static bool is_effect(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    switch (o->code) {
    case GW_OP_ACCUM:
    case GW_OP_COLLECT:
    case GW_OP_SETTLE:
    case GW_OP_SETTLE_ALL:
    case GW_OP_ATOMIC: return true;
    case GW_OP_CLEAR: return gw_object_at(f, o->object)->shadow_of != 0;
    case GW_OP_STORE: return !gw_object_is_inner(gw_object_at(f, o->object)->kind);
    default: return false;
    }
}

static void take_out_effects(measuring *m) {
    gw_func *f = m->f;
    for (gw_op op = 1, count = f->ops.count; op < count; op++) {
        if (gw_op_at(f, op)->dead) continue;
        if (gw_op_at(f, op)->code == GW_OP_CALL && writes_behind_call(f, op)) take_out_call(m, op);
        if (gw_op_at(f, op)->dead || !is_effect(f, op)) continue;
        m->lost[gw_op_at(f, op)->object] = true;
        lose_results(m, op);
        gw_op_remove(f, op);
    }
}

static bool is_counted(const gw_func *f, gw_op op) {
    return gw_op_at(f, op)->code == GW_OP_PUSH && !gw_object_at(f, gw_op_at(f, op)->object)->in_array;
}

/* The second half of a split gradient finds the first one's records; what it pushes itself, of segments that it
 * runs again, is on top of them. So both run, one behind the other, unless it pushes nothing. */
static void join_halves(measuring *m) {
    gw_func *f = m->f;
    gw_op second = gw_split_second(f);
    bool pushes = false;
    for (gw_op op = second; op; op = gw_walk_op(f, op, second)) pushes |= is_counted(f, op);
    if (!second) return;
    if (!pushes) gw_op_remove(f, second);
    gw_builder b = before(m, gw_first(f, f->entry));
    gw_value always = gw_int(&b, GW_T_BOOL, 1);
    for (uint32_t i = 0; i < GW_SPLIT_HALVES; i++)
        gw_replace_uses(f, f->params.at[f->params.count - 1 - i].value, always);
}

/* ---- counting ---- */
/* The loop around the only op of this kind of a slot; 0: it is not the only one, or in no loop. */
static gw_op loop_of(const gw_func *f, gw_opcode code, gw_object slot) {
    gw_op found = 0;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead || o->code != code || o->object != slot) continue;
        if (found) return 0;
        found = op;
    }
    return found ? gw_loop_around(f, found) : 0;
}

/* Slots that an iteration pushes. */
static int64_t slots_of_iteration(const gw_func *f, gw_op loop, int wide) {
    int64_t count = 0;
    for (gw_op op = loop; op; op = gw_walk_op(f, op, loop))
        count += is_counted(f, op) && gw_loop_around(f, op) == loop &&
                 (gw_type_bytes(gw_object_at(f, gw_op_at(f, op)->object)->type) > 4) == wide;
    return count;
}

/* A loop that ends by what it computes may run once more where that is rounded otherwise: there is room for an
 * iteration that does not come. */
static gw_value with_spare(measuring *m, gw_builder *b, gw_op loop, int wide, gw_value height) {
    const gw_op_data *o = gw_op_at(m->f, loop);
    bool counted = o->code == GW_OP_FOR && !(o->flags & GW_OP_EXIT);
    int64_t spare = counted ? 0 : slots_of_iteration(m->f, loop, wide);
    return gw_binary(b, GW_OP_ADD, height, gw_int(b, GW_T_U64, spare));
}

/* Behind the loop that pushes the height may be the greatest; where the one that pops has run, it is again what
 * it was in front. */
static void count_loop(measuring *m, gw_op forward, gw_op reverse) {
    gw_func *f = m->f;
    gw_op behind = gw_next(f, forward);
    bool falls = reverse && gw_op_at(f, reverse)->parent == gw_op_at(f, forward)->parent;
    for (int wide = 0; wide < 2; wide++) {
        if (!m->used[wide]) continue;
        gw_builder b = before(m, forward);
        gw_value start = read_cell(m, &b, m->height[wide]), spared = with_spare(m, &b, forward, wide, start);
        if (spared != start) write_cell(m, &b, m->height[wide], spared);
        b.before = behind;
        gw_value top = read_cell(m, &b, m->height[wide]), most = read_cell(m, &b, m->most[wide]);
        write_cell(m, &b, m->most[wide], gw_binary(&b, GW_OP_IMAX, most, top));
        b.before = falls ? gw_next(f, reverse) : 0;
        if (falls) write_cell(m, &b, m->height[wide], start);
    }
}

static void find_used(measuring *m) {
    for (gw_op op = 1; op < m->f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(m->f, op);
        if (o->dead || !is_counted(m->f, op)) continue;
        m->used[gw_type_bytes(gw_object_at(m->f, o->object)->type) > 4] = true;
    }
}

static void count_pushes(measuring *m, bool *counted) {
    gw_func *f = m->f;
    for (gw_op op = 1, count = f->ops.count; op < count; op++) {
        const gw_op_data o = *gw_op_at(f, op);
        if (o.dead || !is_counted(f, op)) continue;
        int wide = gw_type_bytes(gw_object_at(f, o.object)->type) > 4;
        gw_builder b = before(m, op);
        gw_value height = read_cell(m, &b, m->height[wide]);
        write_cell(m, &b, m->height[wide], gw_binary(&b, GW_OP_ADD, height, gw_int(&b, GW_T_U64, 1)));
        gw_op loop = gw_loop_around(f, op);
        if (!loop || counted[loop]) continue;
        counted[loop] = true;
        count_loop(m, loop, loop_of(f, GW_OP_POP, o.object));
    }
}

/* What the kernel ends with: the most of both. Slots that are pushed outside of loops are on top of it. */
static void return_most(measuring *m) {
    gw_func *f = m->f;
    gw_op ret = gw_region_end(f, f->entry);
    gw_builder b = before(m, ret);
    gw_value most[2];
    for (int wide = 0; wide < 2; wide++) {
        gw_value height = read_cell(m, &b, m->height[wide]), high = read_cell(m, &b, m->most[wide]);
        most[wide] = gw_binary(&b, GW_OP_IMAX, high, height);
    }
    gw_op_set_operands(f, ret, most, 2);
}

/* Counts are not negative: max(0, x) is x, which is seen where what the cells hold is. */
static void fold_maxima(gw_func *f) {
    for (gw_op op = gw_first(f, f->entry); op; op = gw_walk(f, op, f->entry)) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->code != GW_OP_IMAX || gw_typeof(f, gw_result(f, op, 0)) != GW_T_U64) continue;
        gw_value a = gw_operand(f, op, 0), b = gw_operand(f, op, 1);
        int64_t zero;
        if (gw_const_int(f, a, &zero) && zero == 0) gw_replace_uses(f, gw_result(f, op, 0), b);
        else if (a == b || (gw_const_int(f, b, &zero) && zero == 0)) gw_replace_uses(f, gw_result(f, op, 0), a);
    }
}

/* A loop that only counts, by as much in each iteration, has counted trips times that. */
static bool only_counts(const gw_func *f, gw_op loop) {
    gw_value step;
    bool down;
    for (gw_op op = gw_first(f, gw_loop_body(f, loop)); op; op = gw_next(f, op)) {
        const gw_op_data *o = gw_op_at(f, op);
        bool pure = !o->regions && gw_op_rows[o->code].effect == GW_EFFECT_PURE;
        if (o->code != GW_OP_YIELD && !pure) return false;
    }
    for (uint32_t i = 0; i < gw_loop_carried(f, loop); i++)
        if (gw_typeof(f, gw_loop_arg(f, loop, i)) != GW_T_U64 || !gw_loop_advances(f, loop, i, &step, &down) ||
            down || !gw_value_visible(f, step, gw_op_at(f, loop)->parent))
            return false;
    return true;
}

static void close_loops(gw_func *f, gw_region r) {
    for (gw_op op = gw_first(f, r), next; op; op = next) {
        next = gw_next(f, op);
        for (uint32_t i = 0; i < gw_op_at(f, op)->regions; i++) close_loops(f, gw_op_at(f, op)->region[i]);
        if (gw_op_at(f, op)->code != GW_OP_FOR || !only_counts(f, op)) continue;
        gw_builder b = {f, r, op, gw_op_at(f, op)->loc};
        gw_value trips = gw_header_trips(&b, op), step;
        bool down;
        for (uint32_t i = 0; trips && i < gw_loop_carried(f, op); i++) {
            gw_loop_advances(f, op, i, &step, &down);
            gw_value sum = gw_binary(&b, GW_OP_MUL, gw_cast(&b, GW_T_U64, trips), step);
            gw_replace_uses(f, gw_result(f, op, i), gw_binary(&b, GW_OP_ADD, gw_loop_init(f, op, i), sum));
        }
        if (trips) gw_op_remove(f, op);
    }
}

static void in_registers(measuring *m) {
    gw_func *f = m->f;
    const gw_object cells[] = {m->height[0], m->height[1], m->most[0], m->most[1]};
    gw_builder b = before(m, gw_first(f, f->entry));
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        gw_op sample = 0;
        for (gw_op op = 1; op < f->ops.count && !sample; op++)
            if (!gw_op_at(f, op)->dead && gw_op_at(f, op)->object == cells[i]) sample = op;
        if (sample) gw_replace_cell(f, sample, f->entry, gw_int(&b, GW_T_U64, 0));
    }
    gw_clean(f);
    close_loops(f, f->entry);
    gw_clean(f);
    fold_maxima(f);
}

/* ---- the reverse loop's body, in the forward one ---- */
/* The op makes the same in front of `at`: memory that it reads is the caller's, and nothing writes there. */
static bool can_repeat(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    if (o->code == GW_OP_LOAD) return !gw_object_is_inner(gw_object_at(f, o->object)->kind);
    return gw_op_rows[o->code].effect == GW_EFFECT_PURE;
}

/* v, in front of `at`; 0: it cannot be had there. */
static gw_value bring(measuring *m, gw_value_map *brought, gw_value v, gw_op at) {
    gw_func *f = m->f;
    gw_op op = gw_value_at(f, v)->op;
    if (gw_map_get(brought, v)) return gw_map_get(brought, v);
    if (gw_is_there(f, v, at)) return v;
    if (!op || !can_repeat(f, op)) return 0;
    gw_value_map operands = {0};
    bool all = true;
    for (uint32_t i = 0; i < gw_op_at(f, op)->operands && all; i++) {
        gw_value there = bring(m, brought, gw_operand(f, op, i), at);
        all = there != 0;
        gw_map_set(&operands, gw_operand(f, op, i), there);
    }
    if (all) {
        gw_builder b = before(m, at);
        gw_cloner c = {.from = f, .to = &b, .values = operands};
        gw_op copy = gw_clone_op(&c, op);
        operands = c.values;
        gw_map_set(brought, v, gw_result(f, copy, gw_value_at(f, v)->index));
    }
    gw_map_free(&operands);
    return all ? gw_map_get(brought, v) : 0;
}

/* All that the loop's body takes from outside, for in front of `at`. */
static bool bring_all(measuring *m, gw_value_map *brought, gw_op loop, gw_op at) {
    gw_func *f = m->f;
    gw_region body = gw_loop_body(f, loop);
    for (gw_op op = gw_first(f, body); op; op = gw_walk(f, op, body))
        for (uint32_t i = 0; i < gw_op_at(f, op)->operands; i++) {
            gw_value v = gw_operand(f, op, i), there;
            if (gw_region_inside(f, gw_value_region(f, v), body)) continue;
            there = bring(m, brought, v, at);
            if (!there) return false;
            if (there != v) gw_map_set(brought, v, there);
        }
    return true;
}

/* The number of the iteration, which the loop carries from then on; *loop is its new handle. */
static gw_value number_iterations(gw_func *f, gw_op *loop, gw_type type) {
    gw_builder b = {f, gw_op_at(f, *loop)->parent, *loop, gw_op_at(f, *loop)->loc};
    gw_value start = gw_int(&b, type, 0);
    *loop = gw_loop_rebuild(f, *loop, NULL, &start, 1);
    gw_region body = gw_loop_body(f, *loop);
    gw_op end = gw_region_end(f, body);
    gw_value number = gw_arg(f, body, gw_region_at(f, body)->args - 1);
    gw_value_at(f, number)->name = gw_intern(f->session, "trip");
    b = (gw_builder){f, body, end, gw_op_at(f, *loop)->loc};
    gw_set_operand(f, end, gw_op_at(f, end)->operands - 1,
                   gw_binary(&b, GW_OP_ADD, number, gw_int(&b, type, 1)));
    return number;
}

/* What the reverse loop's index is in an iteration of the forward loop: its own, or the iteration's number
 * (make_header of adjoint/loop.c); 0: neither. */
static gw_value index_of(gw_func *f, gw_op *forward, gw_op reverse) {
    gw_value index = gw_arg(f, gw_loop_body(f, reverse), 0), last = gw_operand(f, reverse, 1);
    int64_t step = gw_loop_step(f, reverse), zero;
    gw_opcode test = (gw_opcode)gw_op_at(f, reverse)->attr;
    bool downward = test == GW_OP_GE && step == -1, upward = test == GW_OP_LE && step == 1;
    if (gw_op_at(f, *forward)->code == GW_OP_FOR && (downward || upward) &&
        gw_loop_step(f, *forward) == -step && gw_same_number(f, gw_operand(f, *forward, 0), last) &&
        gw_typeof(f, index) == gw_typeof(f, gw_operand(f, *forward, 0)))
        return gw_arg(f, gw_loop_body(f, *forward), 0);
    if (!downward || !gw_const_int(f, last, &zero) || zero) return 0;
    return number_iterations(f, forward, gw_typeof(f, index));
}

/* The op of this kind of the slot whose loop this is; 0: none, or several. */
static gw_op push_in(const gw_func *f, gw_op loop, gw_object slot) {
    gw_op found = 0;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead || o->code != GW_OP_PUSH || o->object != slot) continue;
        if (found) return 0;
        found = op;
    }
    return found && gw_loop_around(f, found) == loop ? found : 0;
}

/* What the reverse loop pops, by value: the forward loop pushes it. */
static bool match_pops(const gw_func *f, gw_op forward, gw_op reverse, gw_value_map *pushed) {
    gw_region body = gw_loop_body(f, reverse);
    for (gw_op op = gw_first(f, body); op; op = gw_walk(f, op, body)) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->code != GW_OP_POP || gw_loop_around(f, op) != reverse) continue;
        gw_op push = push_in(f, forward, o->object);
        if (!push || !gw_value_visible(f, gw_operand(f, push, 0), gw_loop_body(f, forward))) return false;
        gw_map_set(pushed, gw_result(f, op, 0), gw_operand(f, push, 0));
    }
    return true;
}

/* Shared memory that both bodies stage is staged again in the next iteration. */
static void meet(measuring *m, gw_op at, bool needed) {
    gw_builder b = before(m, at);
    if (needed) gw_emit(&b, GW_OP_BARRIER, GW_T_VOID, 0, NULL, 0);
}

static void move_body(measuring *m, gw_op forward, gw_op reverse, const gw_value_map *renamed) {
    gw_func *f = m->f;
    gw_region from = gw_loop_body(f, reverse), to = gw_loop_body(f, forward);
    gw_op end = gw_region_end(f, to);
    bool meets = gw_has_op(f, reverse, GW_OP_BARRIER);
    gw_value height[2] = {0};
    meet(m, end, meets);
    for (int wide = 0; wide < 2; wide++) {
        gw_builder b = before(m, end);
        if (m->used[wide]) height[wide] = read_cell(m, &b, m->height[wide]);
    }
    for (gw_op op = gw_first(f, from), next; op; op = next) {
        next = gw_next(f, op);
        if (gw_op_at(f, op)->code == GW_OP_YIELD) continue;
        gw_op_move(f, op, to, end);
    }
    for (int wide = 0; wide < 2; wide++) {
        gw_builder b = before(m, end);
        if (m->used[wide]) write_cell(m, &b, m->height[wide], height[wide]);
    }
    meet(m, end, meets);
    gw_op_remove(f, reverse);
    gw_rename_from(f, forward, renamed);
}

static bool fuse(measuring *m, gw_op forward, gw_op reverse) {
    gw_func *f = m->f;
    gw_value_map renamed = {0};
    gw_value old = gw_arg(f, gw_loop_body(f, reverse), 0), index;
    bool good = forward && forward != reverse && gw_op_at(f, reverse)->code == GW_OP_FOR &&
                gw_loop_carried(f, reverse) == 0 && !(gw_op_at(f, reverse)->flags & GW_OP_EXIT) &&
                !gw_has_op(f, reverse, GW_OP_SYNCWARP) && gw_comes_before(f, forward, reverse) &&
                bring_all(m, &renamed, reverse, forward);
    if (good && gw_uses_value(f, reverse, old)) {
        index = index_of(f, &forward, reverse);
        gw_map_set(&renamed, old, index);
        good = index != 0;
    }
    good = good && match_pops(f, forward, reverse, &renamed);
    if (good) move_body(m, forward, reverse, &renamed);
    gw_map_free(&renamed);
    return good;
}

/* The outermost loop that pops what a count depends on; 0: none does. */
static gw_op popping_loop(const measuring *m, gw_op *pop) {
    const gw_func *f = m->f;
    for (gw_op op = gw_first(f, f->entry); op; op = gw_walk(f, op, f->entry))
        if (gw_op_at(f, op)->code == GW_OP_POP) return *pop = op, gw_loop_around(f, op);
    *pop = 0;
    return 0;
}

/* ---- what only restores what nobody reads again ---- */
/* A local array that the loops changed is put back by the reverse ones, for themselves alone: a stack of
 * integers, say, whose top decides the trips. All that the op does is that, to what is not `read` behind it. */
static bool is_idle(const gw_func *f, gw_op op, const bool *read, bool shares) {
    const gw_op_data *o = gw_op_at(f, op);
    if (o->regions == 0 && o->code != GW_OP_STORE && o->code != GW_OP_POP) return false;
    for (uint32_t i = 0; i < o->results; i++)
        if (gw_count_uses(f, gw_result(f, op, i))) return false;
    for (gw_op in = op; in; in = gw_walk_op(f, in, op)) {
        const gw_op_data *d = gw_op_at(f, in);
        const gw_effect effect = (gw_effect)gw_op_rows[d->code].effect;
        const bool stores = d->code == GW_OP_STORE && gw_object_is_inner(gw_object_at(f, d->object)->kind) &&
                            !read[d->object],
                   meets = d->code == GW_OP_BARRIER && !shares;
        if (!stores && !meets && d->code != GW_OP_POP && d->code != GW_OP_YIELD && d->code != GW_OP_LOAD &&
            !d->regions && effect != GW_EFFECT_PURE)
            return false;
    }
    return true;
}

/* What an op reads; a loop, `again`: what its next iteration does, which has its own of what it declares. */
static void note_reads(const gw_func *f, gw_op op, bool again, bool *read, bool *shares) {
    for (gw_op in = op; in; in = gw_walk_op(f, in, op)) {
        const gw_op_data *d = gw_op_at(f, in);
        if (!d->object || d->code == GW_OP_STORE || (again && gw_declares(f, op, d->object))) continue;
        read[d->object] = true;
        *shares |= gw_object_at(f, d->object)->kind == GW_OBJECT_SHARED;
    }
}

/* From the end to the beginning. */
static void drop_idle(gw_func *f, gw_region r, bool *read, bool *shares) {
    for (gw_op op = gw_last(f, r), before; op; op = before) {
        before = gw_prev(f, op);
        if (is_idle(f, op, read, *shares)) {
            gw_op_remove(f, op);
            continue;
        }
        if (gw_is_loop(f, op)) {
            note_reads(f, op, true, read, shares);
            drop_idle(f, gw_loop_body(f, op), read, shares);
        }
        for (uint32_t side = 0; side < 2 && gw_op_at(f, op)->code == GW_OP_IF; side++)
            drop_idle(f, gw_op_at(f, op)->region[side], read, shares);
        note_reads(f, op, false, read, shares);
    }
}

static void drop_restores(const measuring *m) {
    bool *read = gw_alloc(m->f->objects.count * sizeof *read), shares = false;
    drop_idle(m->f, m->f->entry, read, &shares);
    free(read);
}

static bool fuse_all(measuring *m) {
    gw_clean(m->f);
    drop_restores(m);
    for (;;) {
        gw_op pop, reverse, forward;
        gw_clean(m->f);
        reverse = popping_loop(m, &pop);
        if (!pop) return true;
        forward = reverse ? loop_of(m->f, GW_OP_PUSH, gw_op_at(m->f, pop)->object) : 0;
        if (!reverse || !fuse(m, forward, reverse)) return false;
    }
}

/* ---- the kernel ---- */
static bool reads_lost(const measuring *m) {
    const gw_func *f = m->f;
    for (gw_op op = gw_first(f, f->entry); op; op = gw_walk(f, op, f->entry)) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->code == GW_OP_POP && o->object == m->nothing) return true;
        if ((o->code == GW_OP_LOAD || o->code == GW_OP_ADDRESS) && m->lost[o->object]) return true;
    }
    return false;
}

static bool is_kept(const gw_func *f, uint32_t i) {
    uint32_t count = f->params.count - (gw_is_split(f) ? GW_SPLIT_HALVES : 0);
    return i < count && !f->params.at[i].is_adjoint && !f->params.at[i].is_result;
}

static void copy_object(gw_cloner *c, gw_func *to, gw_object o) {
    if (!o || gw_map_get(&c->objects, o)) return;
    gw_object_data d = *gw_object_at(c->from, o);
    d.shadow_of = 0;
    gw_push(&to->objects, d);
    gw_map_set(&c->objects, o, to->objects.count - 1);
}

static void make_kernel(const gw_func *grad, const measuring *m) {
    const gw_func *f = m->f;
    gw_func *to = gw_signature_func(grad->primal, grad->request, GW_FORM_MEASURE);
    gw_builder b = {.f = to, .region = to->entry, .loc = grad->loc};
    gw_cloner c = {.from = f, .to = &b};
    for (uint32_t i = 0; i < f->params.count; i++)
        if (is_kept(f, i)) copy_object(&c, to, f->params.at[i].object);
    for (uint32_t i = 0; i < f->params.count; i++) {
        gw_param p = f->params.at[i];
        if (!is_kept(f, i)) continue;
        if (p.value) {
            gw_value v = gw_region_arg(to, to->entry, gw_typeof(f, p.value), p.name);
            gw_map_set(&c.values, p.value, v);
            p.value = v;
        }
        if (p.object) p.object = gw_clone_object(&c, p.object);
        if (p.size_of) p.size_of = gw_clone_object(&c, p.size_of);
        if (p.part_of) p.part_of = gw_clone_object(&c, p.part_of);
        gw_push(&to->params, p);
    }
    for (gw_op op = gw_first(f, f->entry); op; op = gw_walk(f, op, f->entry))
        copy_object(&c, to, gw_op_at(f, op)->object);
    gw_clone_region_body(&c, f->entry);
    const gw_value most[] = {gw_clone_value(&c, gw_yielded(f, f->entry, 0)),
                             gw_clone_value(&c, gw_yielded(f, f->entry, 1))};
    gw_emit(&b, GW_OP_RET, GW_T_VOID, 0, most, 2);
    to->coarse = f->coarse;
    to->coarse_axis = f->coarse_axis;
    gw_map_free(&c.values);
    gw_map_free(&c.objects);
}

const char *gw_unmeasured_text(gw_unmeasured why) {
    static const char *const texts[] = {
        [GW_MEASURED] = "they are",
        [GW_UNMEASURED_WRITTEN] =
            "they are made of memory that the kernel writes, or of what an atomic operation or a call gives",
        [GW_UNMEASURED_REVERSED] = "they are made of what the reverse sweep alone has",
        [GW_UNMEASURED_LEFT_OUT] = "--without=measure"};
    return texts[why];
}

static gw_unmeasured slice(measuring *m, bool *counted) {
    join_halves(m);
    find_used(m);
    return_most(m);
    count_pushes(m, counted);
    take_out_effects(m);
    bool fused = fuse_all(m);
    if (reads_lost(m)) return GW_UNMEASURED_WRITTEN;
    return fused ? GW_MEASURED : GW_UNMEASURED_REVERSED;
}

gw_unmeasured gw_measure_tape(const gw_func *grad) {
    static const char *const names[] = {"height", "height8", "most", "most8"};
    measuring m = {.f = gw_func_copy(grad)};
    gw_session *s = grad->session;
    bool *counted = gw_alloc(m.f->ops.count * sizeof *counted);
    for (int i = 0; i < 2; i++) m.height[i] = new_cell(&m, names[i]), m.most[i] = new_cell(&m, names[2 + i]);
    m.nothing = gw_object_new(m.f, GW_OBJECT_TAPE, gw_intern(s, "nothing"), GW_T_F64);
    m.lost = gw_alloc(m.f->objects.count * sizeof *m.lost);
    gw_unmeasured why = slice(&m, counted);
    if (why == GW_MEASURED) {
        in_registers(&m);
        gw_barriers_drop_idle(m.f);
        gw_clean(m.f);
        make_kernel(grad, &m);
    }
    gw_func_free(m.f);
    free(counted);
    free(m.lost);
    return why;
}
