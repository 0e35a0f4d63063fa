/*
 * repeats.c - what is the same in all iterations of a loop: values that depend on nothing that an iteration
 * changes, and accesses that reach the same cells in the same order (contract: facts.h).
 */
#include "analysis/facts/facts.h"

#include "analysis/ir/restructure.h"

#include <stdlib.h>

typedef struct search {
    const gw_func *f;
    gw_op loop;
    bool *seen; /* by value: found the same, or assumed so while it is looked at */
} search;

static bool same_value(search *s, gw_value v);

/* A counted loop inside of the loop whose header is the same. */
static bool same_header(search *s, gw_op op) {
    const gw_op_data *o = gw_op_at(s->f, op);
    if (o->code != GW_OP_FOR || o->flags & GW_OP_EXIT) return false;
    for (uint32_t i = 0; i < 3; i++)
        if (!same_value(s, gw_operand(s->f, op, i))) return false;
    return true;
}

/* The ops around `at`, up to the loop, run equally in all iterations. */
static bool same_place(search *s, gw_region at) {
    for (gw_op op; (op = gw_region_at(s->f, at)->parent) != s->loop; at = gw_op_at(s->f, op)->parent) {
        if (!op) return false;
        const gw_op_data *o = gw_op_at(s->f, op);
        if (o->code == GW_OP_IF ? !same_value(s, gw_operand(s->f, op, 0)) : !same_header(s, op)) return false;
    }
    return true;
}

static bool same_carried(search *s, gw_op loop, uint32_t i) {
    gw_region body = gw_loop_body(s->f, loop);
    return loop != s->loop && same_header(s, loop) && same_place(s, gw_op_at(s->f, loop)->parent) &&
           same_value(s, gw_operand(s->f, loop, 3 + i)) &&
           same_value(s, gw_operand(s->f, gw_region_end(s->f, body), i));
}

/* Whether v takes the same values in the same order in all iterations. */
static bool same_value(search *s, gw_value v) {
    if (s->seen[v] || gw_value_visible(s->f, v, gw_op_at(s->f, s->loop)->parent)) return true;
    s->seen[v] = true;
    const gw_value_data *d = gw_value_at(s->f, v);
    if (!d->op) {
        gw_op loop = gw_region_at(s->f, d->region)->parent;
        if (!loop || loop == s->loop || gw_op_at(s->f, loop)->code != GW_OP_FOR) return false;
        return d->index ? same_carried(s, loop, d->index - 1)
                        : same_header(s, loop) && same_place(s, gw_op_at(s->f, loop)->parent);
    }
    const gw_op_data *o = gw_op_at(s->f, d->op);
    if (o->code == GW_OP_FOR) return same_carried(s, d->op, d->index);
    if (gw_op_rows[o->code].effect != GW_EFFECT_PURE) return false;
    for (uint32_t i = 0; i < o->operands; i++)
        if (!same_value(s, gw_operand(s->f, d->op, i))) return false;
    return true;
}

bool gw_value_repeats(const gw_func *f, gw_op loop, gw_value v) {
    search s = {.f = f, .loop = loop, .seen = gw_alloc(f->values.count)};
    bool same = same_value(&s, v);
    free(s.seen);
    return same;
}

bool gw_index_repeats(const gw_func *f, gw_op loop, gw_op access) {
    for (uint32_t i = 0; i < gw_index_count(f, access); i++)
        if (!gw_value_repeats(f, loop, gw_operand(f, access, i))) return false;
    return true;
}

bool gw_access_repeats(const gw_func *f, gw_op loop, gw_op access) {
    search s = {.f = f, .loop = loop, .seen = gw_alloc(f->values.count)};
    bool same = same_place(&s, gw_op_at(f, access)->parent);
    free(s.seen);
    return same && gw_index_repeats(f, loop, access);
}

static bool same_accesses(search *s, gw_region r, gw_object o) {
    for (gw_op op = gw_first(s->f, r); op; op = gw_next(s->f, op)) {
        const gw_op_data *d = gw_op_at(s->f, op);
        if (d->object == o) {
            if ((d->code != GW_OP_LOAD && d->code != GW_OP_STORE) || !same_place(s, r)) return false;
            for (uint32_t i = 0; i < gw_index_count(s->f, op); i++)
                if (!same_value(s, gw_operand(s->f, op, i))) return false;
        }
        for (uint32_t i = 0; i < d->regions; i++)
            if (!same_accesses(s, d->region[i], o)) return false;
    }
    return true;
}

bool gw_accesses_repeat(const gw_func *f, gw_op loop, gw_region r, gw_object o) {
    search s = {.f = f, .loop = loop, .seen = gw_alloc(f->values.count)};
    bool same = same_accesses(&s, r, o);
    free(s.seen);
    return same;
}
