/*
 * rounds.c - rounds of a block or warp with constant bounds are written out: for (o = 128; o > 0; o /= 2)
 * around a barrier or a shuffle, as reductions and scans have them.
 *
 * The counter of such a loop is no linear function of the iteration, so its reverse would have to record it,
 * and nobody could see that two threads of a round reach different cells. Written out, each round has
 * constants. Counted loops (FOR) are not touched: their reverse counts down, and what they stage is staged
 * again.
 *
 * Sound: the iterations stand one after another as they ran; the conditions are computed as the machine would.
 */
#include "analysis/facts/facts.h"
#include "analysis/ir/restructure.h"
#include "analysis/clean/clean.h"
#include "analysis/ir/optional.h"

#include <stdlib.h>

enum { MOST_ROUNDS = 12, MOST_OPS = 512 };

/* Values of one iteration: those that are numbers, and what is carried otherwise. */
typedef struct round_state {
    gw_builder *b;
    gw_value_map number; /* value of the loop -> constant before it */
} round_state;

static gw_value number_of(round_state *s, gw_value v) {
    const gw_func *f = s->b->f;
    int64_t constant;
    gw_value known = gw_map_get(&s->number, v);
    if (known) return known;
    if (gw_const_int(f, v, &constant)) return v;
    gw_op op = gw_value_at(f, v)->op;
    if (!op || gw_op_rows[gw_op_at(f, op)->code].effect != GW_EFFECT_PURE || gw_op_at(f, op)->regions) return 0;
    uint32_t operands = gw_op_at(f, op)->operands;
    gw_opcode code = (gw_opcode)gw_op_at(f, op)->code;
    gw_type type = gw_typeof(f, v);
    gw_value side[2];
    if (operands == 0 || operands > 2 || !(gw_type_is_integer(type) || type == GW_T_BOOL)) return 0;
    for (uint32_t i = 0; i < operands; i++) {
        side[i] = number_of(s, gw_operand(s->b->f, op, i));
        if (!side[i]) return 0;
    }
    gw_value made;
    if (operands == 2) made = gw_binary(s->b, code, side[0], side[1]);
    else if (code == GW_OP_CAST) made = gw_cast(s->b, type, side[0]);
    else made = gw_unary(s->b, code, side[0]);
    return gw_const_int(s->b->f, made, &constant) ? made : 0;
}

/* Arguments of a region from the values that are carried into it. */
static void begin(round_state *s, gw_region r, const gw_value *carried, uint32_t n) {
    int64_t constant;
    for (uint32_t i = 0; i < n; i++) {
        bool known = carried[i] && gw_const_int(s->b->f, carried[i], &constant);
        gw_map_set(&s->number, gw_arg(s->b->f, r, i), known ? carried[i] : 0);
    }
}

/* 1 or 0: the loop goes on, or ends; -1: not known. */
static int goes_on(round_state *s, gw_op loop, const gw_value *carried, uint32_t n) {
    int64_t go;
    gw_region test = gw_op_at(s->b->f, loop)->region[0];
    begin(s, test, carried, n);
    gw_value known = number_of(s, gw_yielded(s->b->f, test, 0));
    return known && gw_const_int(s->b->f, known, &go) ? go != 0 : -1;
}

/* What the numbers among the carried values are after the body; 0 for all others. */
static void advance(round_state *s, gw_op loop, gw_value *carried, uint32_t n) {
    gw_func *f = s->b->f;
    gw_region body = gw_loop_body(f, loop);
    begin(s, body, carried, n);
    gw_op end = gw_region_end(f, body);
    for (uint32_t i = 0; i < n; i++) carried[i] = number_of(s, gw_operand(f, end, i));
}

static void carry_in(const gw_func *f, gw_op loop, gw_value *carried) {
    for (uint32_t i = 0; i < gw_loop_carried(f, loop); i++) carried[i] = gw_operand(f, loop, i);
}

/* The number of iterations, or one more than the limit. */
static uint32_t count_rounds(gw_func *f, gw_op loop) {
    uint32_t n = gw_loop_carried(f, loop), rounds = 0;
    gw_value *carried = gw_alloc((n + 1) * sizeof *carried);
    gw_builder b = {f, gw_op_at(f, loop)->parent, loop, gw_op_at(f, loop)->loc};
    round_state s = {.b = &b};
    carry_in(f, loop, carried);
    int on;
    while ((on = goes_on(&s, loop, carried, n)) == 1 && rounds++ < MOST_ROUNDS) advance(&s, loop, carried, n);
    free(carried);
    gw_map_free(&s.number);
    return on == 0 ? rounds : MOST_ROUNDS + 1;
}

static void write_round(gw_builder *b, gw_op loop, gw_value *carried, uint32_t n) {
    gw_func *f = b->f;
    gw_region body = gw_loop_body(f, loop);
    round_state s = {.b = b};
    gw_cloner c = {.from = f, .to = b};
    for (uint32_t i = 0; i < n; i++) gw_map_set(&c.values, gw_arg(f, body, i), carried[i]);
    gw_clone_region_body(&c, body);
    advance(&s, loop, carried, n);
    for (uint32_t i = 0; i < n; i++)
        if (!carried[i]) carried[i] = gw_clone_value(&c, gw_yielded(f, body, i));
    gw_map_free(&c.values);
    gw_map_free(&c.objects);
    gw_map_free(&s.number);
}

static void write_out(gw_func *f, gw_op loop, uint32_t rounds) {
    gw_builder b = {f, gw_op_at(f, loop)->parent, loop, gw_op_at(f, loop)->loc};
    uint32_t n = gw_loop_carried(f, loop);
    gw_value *carried = gw_alloc((n + 1) * sizeof *carried);
    gw_value_map map = {0};
    carry_in(f, loop, carried);
    for (uint32_t i = 0; i < rounds; i++) write_round(&b, loop, carried, n);
    for (uint32_t i = 0; i < n; i++) gw_map_set(&map, gw_result(f, loop, i), carried[i]);
    gw_op_remove(f, loop);
    gw_replace_many(f, &map);
    gw_map_free(&map);
    free(carried);
}

static uint32_t count_ops(const gw_func *f, gw_region r) {
    uint32_t n = 0;
    for (gw_op op = gw_first(f, r); op; op = gw_walk(f, op, r)) n += gw_is_loop(f, op) ? MOST_OPS : 1;
    return n;
}

static bool walk(gw_func *f, gw_region r) {
    bool changed = false;
    for (gw_op op = gw_first(f, r), next; op; op = next) {
        next = gw_next(f, op);
        for (uint32_t i = 0; i < gw_op_at(f, op)->regions; i++) changed |= walk(f, gw_op_at(f, op)->region[i]);
        if (gw_op_at(f, op)->code != GW_OP_WHILE || gw_op_at(f, op)->flags & GW_OP_EXIT || !gw_is_joint(f, op))
            continue;
        uint32_t rounds = count_rounds(f, op);
        if (rounds > MOST_ROUNDS || rounds * count_ops(f, gw_loop_body(f, op)) > MOST_OPS) continue;
        if (!gw_takes(f->session, GW_OPTIONAL_ROUNDS)) continue;
        write_out(f, op, rounds);
        changed = true;
    }
    return changed;
}

bool gw_unroll_rounds(gw_func *f) { return f->kind == GW_FUNC_KERNEL && walk(f, f->entry); }
