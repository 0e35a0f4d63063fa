/*
 * spread.c - levels that spread along values and control (contract: facts.h).
 *
 * What a branch gives is at least at the level of what it chooses from and of its condition; what a loop
 * carries at that of its start and of what an iteration makes of it, and behind the loop of what decides how
 * often it runs. A region is at the level of the region around it and of what decides whether, or how often, it
 * runs. Levels only rise, and there are few of them, so the walks end: at the least levels that keep these
 * rules.
 */
#include "analysis/facts/facts.h"

#include "analysis/ir/query.h"

static uint8_t most(uint8_t a, uint8_t b) { return a > b ? a : b; }

void gw_spread_raise(gw_spread *s, uint8_t *what, uint8_t level) {
    if (*what >= level) return;
    *what = level;
    s->changed = true;
}

uint8_t gw_spread_control(const gw_func *f, const uint8_t *value, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    if (o->code == GW_OP_IF) return value[gw_operand(f, op, 0)];
    uint8_t level = o->code == GW_OP_WHILE ? value[gw_loop_test(f, op)] : 0;
    for (uint32_t i = 0; i < gw_loop_first_init(f, op); i++) level = most(level, value[gw_operand(f, op, i)]);
    return o->flags & GW_OP_EXIT ? most(level, value[gw_loop_flag(f, op)]) : level;
}

static void visit_loop(gw_spread *s, gw_op op, uint8_t control) {
    const gw_func *f = s->f;
    gw_region body = gw_loop_body(f, op), test = gw_op_at(f, op)->region[0];
    if (test == body)
        gw_spread_raise(s, &s->value[gw_arg(f, body, 0)],
                        most(s->value[gw_operand(f, op, 0)], s->value[gw_operand(f, op, 2)]));
    for (uint32_t i = 0; i < gw_loop_carried(f, op); i++) {
        uint8_t level = most(s->value[gw_loop_init(f, op, i)], s->value[gw_loop_next(f, op, i)]);
        gw_spread_raise(s, &s->value[gw_loop_arg(f, op, i)], level);
        if (test != body) gw_spread_raise(s, &s->value[gw_arg(f, test, i)], level);
        gw_spread_raise(s, &s->value[gw_result(f, op, i)], most(level, control));
    }
}

static void visit(gw_spread *s, gw_region r) {
    const gw_func *f = s->f;
    for (gw_op op = gw_first(f, r); op; op = gw_next(f, op)) {
        const gw_op_data *o = gw_op_at(f, op);
        const uint8_t own = o->regions ? gw_spread_control(f, s->value, op) : s->level(s, op);
        for (uint32_t i = 0; i < o->regions; i++) {
            gw_spread_raise(s, &s->region[o->region[i]], most(s->region[r], own));
            visit(s, o->region[i]);
        }
        if (gw_is_loop(f, op)) visit_loop(s, op, own);
        for (uint32_t i = 0; i < o->results && !gw_is_loop(f, op); i++) {
            uint8_t level = own;
            for (uint32_t k = 0; k < o->regions; k++)
                level = most(level, s->value[gw_yielded(f, o->region[k], i)]);
            gw_spread_raise(s, &s->value[gw_result(f, op, i)], level);
        }
    }
}

void gw_spread_solve(gw_spread *s) {
    do {
        s->changed = false;
        visit(s, s->f->entry);
    } while (s->changed);
}
