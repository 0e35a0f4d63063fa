/*
 * gather/grid.c - additions of many blocks to one cell, gathered by a kernel of its own that runs before the
 * gradient's.
 *
 * Where the threads' number along x is taken apart, row = i / n and column = i % n, and each thread adds to
 * cells that depend on its row (or column) and a loop's index only, all threads of the row add to the same
 * cells. The kernel f_grad_gather has a block take a row: its threads leave what their peers' iterations need
 * in shared arrays, a tile of the row at a time, and then each thread sums up one iteration over the tile and
 * adds it to the cell once (gather/kernel.c). The gradient's kernel loses the addition; it runs behind, because
 * it zeroes adjoints that the sums read.
 *
 * Found in a kernel's gradient before ownership, for an addition `add` that is the only access of its object
 * and stands directly in a counted loop that only branches are around. Sound because
 *   - number -> (number / n, number % n) is invertible for number >= 0 and |n| >= 1, so the pairs (row, column)
 *     with row * n + column < threads are the threads along x, each once. y and z of the block are 1 (checked
 *     at the launch), and blocks along y and z each gather for themselves. That numbers do not wrap around is
 *     checked at the launch, too;
 *   - the loop's bounds are the same in the whole grid, so the pairs of thread and iteration are a product;
 *   - the value, the address and the conditions are made again from launch coordinates (through the number
 *     along x only), parameters, memory that the gradient does not write, and adjoints that each thread reads
 *     before it zeroes them and nobody else writes: they are as they were when the gradient began, and the
 *     kernel runs then;
 *   - the address depends on number / n (or on number % n) and the loop's index only, so that one of the peers
 *     for whom the conditions hold can say it for all. Values that are the same in the grid are computed before
 *     it is known that a thread would: pure ops, reads of parameters; where they would divide by 0, no thread's
 *     sum needs them.
 */
#include "rewriters/gather/grid_private.h"

#include "analysis/facts/facts.h"
#include "analysis/ir/restructure.h"

#include <stdlib.h>

enum { MOST_BYTES = 40 }; /* that a thread leaves for the others: for 1024 of them, 40 KB of 48 */

/* ---- the thread's number along x ---- */
static bool is_special(const gw_func *f, gw_value v, gw_special kind) {
    gw_op op = gw_value_at(f, v)->op;
    return op && gw_op_at(f, op)->code == GW_OP_SPECIAL && gw_op_at(f, op)->attr == GW_SPECIAL_ATTR(kind, 0);
}

static bool is_block_start(const gw_func *f, gw_value v) {
    gw_op op = gw_made_by(f, v, GW_OP_MUL);
    if (!op) return false;
    gw_value a = gw_operand(f, op, 0), b = gw_operand(f, op, 1);
    return (is_special(f, a, GW_BLOCK_IDX) && is_special(f, b, GW_BLOCK_DIM)) ||
           (is_special(f, b, GW_BLOCK_IDX) && is_special(f, a, GW_BLOCK_DIM));
}

static gw_value find_number(const gw_func *f) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead || o->code != GW_OP_ADD) continue;
        gw_value a = gw_operand(f, op, 0), b = gw_operand(f, op, 1);
        if ((is_block_start(f, a) && is_special(f, b, GW_THREAD_IDX)) ||
            (is_block_start(f, b) && is_special(f, a, GW_THREAD_IDX)))
            return o->first_result;
    }
    return 0;
}

/* As any type that has all numbers below 2^31. */
static bool is_number(const gw_grid_turn *t, gw_value v) {
    gw_op op;
    while (v != t->number && (op = gw_value_at(t->f, v)->op) != 0 && gw_op_at(t->f, op)->code == GW_OP_CAST) {
        gw_type type = gw_typeof(t->f, v);
        if (!gw_type_is_integer(type) || gw_type_bits(type) < 32) return false;
        v = gw_operand(t->f, op, 0);
    }
    return v == t->number;
}

/* ---- what the address depends on ---- */
bool gw_grid_is_group(const gw_grid_turn *t, gw_value v) {
    gw_op op = gw_value_at(t->f, v)->op;
    if (!op || gw_op_at(t->f, op)->code != (t->by_quotient ? GW_OP_DIV : GW_OP_REM)) return false;
    return is_number(t, gw_operand(t->f, op, 0)) && gw_operand(t->f, op, 1) == t->divisor;
}

bool gw_grid_is_natural(const gw_grid_turn *t, uint32_t *argument) {
    int64_t constant;
    *argument = 0;
    if (gw_const_int(t->f, t->divisor, &constant)) return constant > 0;
    if (!gw_type_is_signed(gw_typeof(t->f, t->divisor))) return true;
    if (gw_value_at(t->f, t->divisor)->op || gw_value_region(t->f, t->divisor) != t->f->entry) return false;
    *argument = 1 + gw_value_at(t->f, t->divisor)->index;
    return true;
}

enum { BY_QUOTIENT = 1, BY_REMAINDER = 2, BY_MORE = 4 };

static unsigned depends(const gw_grid_turn *t, gw_value v, gw_value divisor, int depth) {
    const gw_func *f = t->f;
    gw_op op = gw_value_at(f, v)->op;
    if (t->uniform.value[v] == GW_UNIFORM_GRID) return 0;
    if (!op || depth == 0) return BY_MORE;
    const gw_op_data *o = gw_op_at(f, op);
    if (o->code == GW_OP_DIV && is_number(t, gw_operand(f, op, 0)) && gw_operand(f, op, 1) == divisor)
        return BY_QUOTIENT;
    if (o->code == GW_OP_REM && is_number(t, gw_operand(f, op, 0)) && gw_operand(f, op, 1) == divisor)
        return BY_REMAINDER;
    if (v == t->number || o->code == GW_OP_SPECIAL || gw_op_rows[o->code].effect != GW_EFFECT_PURE)
        return BY_MORE;
    unsigned all = 0;
    for (uint32_t i = 0; i < o->operands; i++) all |= depends(t, gw_operand(f, op, i), divisor, depth - 1);
    return all;
}

static bool is_split_by(gw_grid_turn *t, gw_value divisor) {
    enum { DEPTH = 24 };
    unsigned all = 0;
    for (uint32_t i = 0; i < gw_index_count(t->f, t->add); i++)
        all |= depends(t, gw_operand(t->f, t->add, i), divisor, DEPTH);
    t->divisor = divisor;
    t->by_quotient = all == BY_QUOTIENT;
    return all == BY_QUOTIENT || all == BY_REMAINDER;
}

static bool find_divisor(gw_grid_turn *t) {
    const gw_func *f = t->f;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead || (o->code != GW_OP_DIV && o->code != GW_OP_REM) ||
            !gw_type_is_integer(gw_typeof(f, o->first_result)))
            continue;
        gw_value divisor = gw_operand(f, op, 1);
        if (gw_type_bits(gw_typeof(f, divisor)) != 32) continue; /* its magnitude is one of 64 bits */
        if (is_number(t, gw_operand(f, op, 0)) && t->uniform.value[divisor] == GW_UNIFORM_GRID &&
            is_split_by(t, divisor))
            return true;
    }
    return false;
}

static bool moves_with_loop(const gw_grid_turn *t) {
    for (uint32_t i = 0; i < gw_index_count(t->f, t->add); i++)
        if (gw_region_inside(t->f, gw_value_region(t->f, gw_operand(t->f, t->add, i)),
                             gw_loop_body(t->f, t->loop)))
            return true;
    return false;
}

/* ---- what can be made again ---- */

bool gw_gather_is_read_first(const gw_func *f, gw_op load) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead || o->object != gw_op_at(f, load)->object || op == load) continue;
        if (o->code != GW_OP_STORE || o->parent != gw_op_at(f, load)->parent || !gw_same_address(f, load, op))
            return false;
        bool behind = false;
        for (gw_op at = gw_next(f, load); at; at = gw_next(f, at)) behind |= at == op;
        if (!behind) return false;
    }
    return true;
}

/* Read by each thread before it zeroes it, and nowhere else. */
static bool is_consumed(const gw_func *f, gw_op load) {
    return !gw_loop_around(f, load) && gw_gather_is_read_first(f, load);
}

static bool is_readable(const gw_grid_turn *t, gw_op load) {
    const gw_op_data *o = gw_op_at(t->f, load);
    gw_object_kind kind = gw_object_at(t->f, o->object)->kind;
    if (kind != GW_OBJECT_POINTER && kind != GW_OBJECT_STRUCT && kind != GW_OBJECT_GLOBAL) return false;
    return !t->uniform.changing[o->object] || is_consumed(t->f, load);
}

static bool need(gw_grid_turn *t, gw_value v);

static bool need_op(gw_grid_turn *t, gw_op op) {
    const gw_func *f = t->f;
    const gw_op_data *o = gw_op_at(f, op);
    if (t->needed[op] || o->first_result == t->number) return true;
    t->needed[op] = true;
    bool place = o->code == GW_OP_SPECIAL && o->attr / 4 < GW_BLOCK_DIM,
         control = o->regions || o->code == GW_OP_YIELD;
    if (o->code == GW_OP_LOAD ? !is_readable(t, op)
                              : place || (gw_op_rows[o->code].effect != GW_EFFECT_PURE && !control))
        return false;
    for (uint32_t i = 0; i < o->operands; i++)
        if (!need(t, gw_operand(f, op, i))) return false;
    for (uint32_t i = 0; i < o->regions; i++)
        for (gw_op in = gw_first(f, o->region[i]); in; in = gw_next(f, in))
            if (!need_op(t, in)) return false;
    return true;
}

/* What the value is made of may run where the primal does not run it. */
static bool is_safe(const gw_grid_turn *t, gw_value v, bool inside) {
    const gw_func *f = t->f;
    gw_op op = gw_value_at(f, v)->op;
    if (!op) return true;
    const gw_op_data *o = gw_op_at(f, op);
    bool divides = (o->code == GW_OP_DIV || o->code == GW_OP_REM) && gw_type_is_integer(gw_typeof(f, v));
    if (o->code == GW_OP_LOAD && gw_object_at(f, o->object)->kind != GW_OBJECT_STRUCT) return false;
    if ((divides && inside) || o->code == GW_OP_WHILE) return false;
    for (uint32_t i = 0; i < o->operands; i++)
        if (!is_safe(t, gw_operand(f, op, i), inside)) return false;
    for (uint32_t i = 0; i < o->regions; i++)
        for (gw_op in = gw_first(f, o->region[i]); in; in = gw_next(f, in))
            for (uint32_t k = 0; k < gw_op_at(f, in)->operands + gw_op_at(f, in)->results; k++) {
                uint32_t count = gw_op_at(f, in)->operands;
                if (!is_safe(t, k < count ? gw_operand(f, in, k) : gw_result(f, in, k - count), true))
                    return false;
            }
    return true;
}

static bool note_live(gw_grid_turn *t, gw_value v) {
    gw_type type = gw_typeof(t->f, v);
    if (t->uniform.value[v] == GW_UNIFORM_GRID) return is_safe(t, v, false);
    for (uint32_t i = 0; i < t->live.count; i++)
        if (t->live.at[i] == v) return true;
    gw_push(&t->live, v);
    uint32_t bytes = 4; /* who is there */
    for (uint32_t i = 0; i < t->live.count; i++) bytes += gw_type_bytes(gw_typeof(t->f, t->live.at[i]));
    bool integer = gw_type_is_integer(type) && gw_type_bits(type) >= 32;
    return bytes <= MOST_BYTES && (integer || type == GW_T_F32 || type == GW_T_F64);
}

static bool need(gw_grid_turn *t, gw_value v) {
    const gw_func *f = t->f;
    gw_op op = gw_value_at(f, v)->op;
    if (op) return need_op(t, op);
    gw_region r = gw_value_at(f, v)->region;
    if (r == f->entry) return true;
    if (r == gw_loop_body(f, t->loop)) return gw_value_at(f, v)->index == 0;
    return t->needed[gw_region_at(f, r)->parent];
}

/* The ops of the loop's body that are needed, and what they use from outside. */
static bool find_live(gw_grid_turn *t) {
    const gw_func *f = t->f;
    gw_region body = gw_loop_body(f, t->loop);
    for (gw_op op = 1; op < f->ops.count; op++) {
        if (gw_op_at(f, op)->dead || (!t->needed[op] && op != t->add) ||
            !gw_region_inside(f, gw_op_at(f, op)->parent, body))
            continue;
        for (uint32_t i = 0; i < gw_op_at(f, op)->operands; i++) {
            gw_value v = gw_operand(f, op, i);
            if (!gw_region_inside(f, gw_value_region(f, v), body) && !note_live(t, v)) return false;
        }
    }
    return true;
}

static bool find_chain(gw_grid_turn *t) {
    const gw_func *f = t->f;
    GW_VEC(gw_op) inward = {0};
    bool good = true;
    for (gw_op up = gw_op_around(f, t->loop); up; up = gw_op_around(f, up)) {
        good &= gw_op_at(f, up)->code == GW_OP_IF && need(t, gw_operand(f, up, 0));
        gw_push(&inward, up);
    }
    while (inward.count) gw_push(&t->chain, inward.at[--inward.count]);
    gw_vec_free(&inward);
    /* its results are not used */
    for (uint32_t i = 0; i < t->chain.count; i++) good &= !t->needed[t->chain.at[i]];
    return good;
}

static bool has_plain_loop(const gw_grid_turn *t) {
    const gw_func *f = t->f;
    const gw_op_data *o = gw_op_at(f, t->loop);
    if (gw_loop_step(f, t->loop) != 1 || (o->flags & GW_OP_EXIT) ||
        gw_uniform_control(&t->uniform, t->loop) != GW_UNIFORM_GRID)
        return false;
    gw_type type = gw_typeof(f, gw_operand(f, t->loop, 0));
    return o->attr == GW_OP_LT && gw_type_is_signed(type) && gw_type_bits(type) >= 32;
}

static bool only_access(const gw_func *f, gw_op add) {
    for (gw_op op = 1; op < f->ops.count; op++)
        if (!gw_op_at(f, op)->dead && op != add && gw_op_at(f, op)->object == gw_op_at(f, add)->object)
            return false;
    return gw_object_at(f, gw_op_at(f, add)->object)->kind == GW_OBJECT_POINTER;
}

bool gw_grid_find(gw_grid_turn *t, const gw_func *f, gw_op add) {
    *t = (gw_grid_turn){.f = f, .add = add, .loop = gw_op_around(f, add)};
    t->number = find_number(f);
    if (!t->loop || gw_op_at(f, t->loop)->code != GW_OP_FOR || !t->number || !only_access(f, add) ||
        !moves_with_loop(t))
        return false;
    gw_uniform_new(&t->uniform, f);
    t->needed = gw_alloc(f->ops.count + 1);
    if (!has_plain_loop(t) || !find_divisor(t)) return false;
    bool good = need(t, t->divisor) && is_safe(t, t->divisor, false);
    for (uint32_t i = 0; i < 3; i++)
        good = good && need(t, gw_operand(f, t->loop, i)) && is_safe(t, gw_operand(f, t->loop, i), false);
    for (uint32_t i = 0; i < gw_op_at(f, add)->operands; i++) good = good && need(t, gw_operand(f, add, i));
    return good && find_chain(t) && find_live(t);
}

void gw_grid_free(gw_grid_turn *t) {
    gw_uniform_free(&t->uniform);
    free(t->needed);
    gw_vec_free(&t->chain);
    gw_vec_free(&t->live);
}
