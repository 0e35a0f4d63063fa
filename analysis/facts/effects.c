/*
 * effects.c - what calls may read and write through the pointers that they pass (contract: facts.h).
 *
 * A least fixed point over all functions: a parameter is read if some load of its object or some address of it
 * that is passed on and read says so; written likewise. Functions that call each other or themselves start with
 * nothing, so only what some path of calls does is said of them. A function with a derivative of the user's
 * keeps what its declaration says: that derivative may read what the body does not.
 */
#include "analysis/facts/facts.h"

#include <stdlib.h>

enum { BOTH = GW_OP_READS | GW_OP_WRITES };

typedef struct effects {
    gw_session *s;
    uint16_t **of; /* by function and parameter */
    bool derivatives; /* reverse ones; else primal functions */
    bool changed;
} effects;

static bool is_surveyed(const effects *e, const gw_func *f) {
    return e->derivatives ? f->form == GW_FORM_GRAD || f->form == GW_FORM_PULLBACK : f->form == GW_FORM_PRIMAL;
}

/* Derivatives are asked only which primal values they do not read. */
static uint16_t told(const effects *e, uint32_t func, uint32_t argument, uint16_t declared) {
    if (!e->derivatives) return e->of[func][argument];
    if (e->s->funcs.at[func]->params.at[argument].is_adjoint) return declared;
    return (uint16_t)(declared & (e->of[func][argument] | GW_OP_WRITES));
}

/* What a call's address does, by the number of the argument. */
static uint16_t effect_of(const effects *e, const gw_func *f, gw_op call, uint32_t argument) {
    gw_str symbol = gw_op_at(f, call)->callee;
    const uint16_t declared = gw_op_at(f, gw_operand_address(f, call, argument))->flags & BOTH;
    if (gw_rule_find(e->s, symbol)) return declared;
    for (uint32_t i = 0; i < e->s->funcs.count; i++)
        if (e->s->funcs.at[i]->symbol == symbol && is_surveyed(e, e->s->funcs.at[i]))
            return told(e, i, argument, declared);
    return declared;
}

static void add(effects *e, uint32_t func, gw_object object, uint16_t what) {
    const gw_func *f = e->s->funcs.at[func];
    for (uint32_t i = 0; i < f->params.count; i++) {
        uint16_t *have = &e->of[func][i];
        if (f->params.at[i].object != object || !object || (*have | what) == *have) continue;
        *have |= what;
        e->changed = true;
    }
}

static void survey(effects *e, uint32_t func) {
    const gw_func *f = e->s->funcs.at[func];
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead) continue;
        if (o->code == GW_OP_ATOMIC) add(e, func, o->object, BOTH);
        if (o->code == GW_OP_LOAD) add(e, func, o->object, GW_OP_READS);
        if (o->code == GW_OP_STORE) add(e, func, o->object, GW_OP_WRITES);
        for (uint32_t i = 0; o->code == GW_OP_CALL && i < o->operands; i++) {
            gw_op address = gw_operand_address(f, op, i);
            if (address) add(e, func, gw_op_at(f, address)->object, effect_of(e, f, op, i));
        }
    }
}

static bool apply(const effects *e, gw_func *f) {
    bool changed = false;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        for (uint32_t i = 0; !o->dead && o->code == GW_OP_CALL && i < o->operands; i++) {
            gw_op address = gw_operand_address(f, op, i);
            if (!address) continue;
            uint16_t *flags = &gw_op_at(f, address)->flags, what = effect_of(e, f, op, i);
            changed |= (*flags & BOTH) != what;
            *flags = (uint16_t)((*flags & ~BOTH) | what);
        }
    }
    return changed;
}

bool gw_narrow_effects(gw_session *s, bool derivatives) {
    effects e = {.s = s,
                 .of = gw_alloc((s->funcs.count + 1) * sizeof *e.of),
                 .derivatives = derivatives,
                 .changed = true};
    for (uint32_t i = 0; i < s->funcs.count; i++)
        e.of[i] = gw_alloc((s->funcs.at[i]->params.count + 1) * sizeof **e.of);
    while (e.changed) {
        e.changed = false;
        for (uint32_t i = 0; i < s->funcs.count; i++)
            if (is_surveyed(&e, s->funcs.at[i])) survey(&e, i);
    }
    bool changed = false;
    for (uint32_t i = 0; i < s->funcs.count; i++)
        if (is_surveyed(&e, s->funcs.at[i])) changed |= apply(&e, s->funcs.at[i]);
    for (uint32_t i = 0; i < s->funcs.count; i++) free(e.of[i]);
    free(e.of);
    return changed;
}

bool gw_reads_own(const gw_func *f, gw_object o) {
    bool reads = false, writes = false;
    if (gw_object_is_inner(gw_object_at(f, o)->kind)) return false;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *d = gw_op_at(f, op);
        if (d->dead || d->object != o) continue;
        reads |= d->code == GW_OP_LOAD || d->code == GW_OP_ATOMIC || d->flags & GW_OP_READS;
        writes |= d->code == GW_OP_STORE || d->code == GW_OP_ATOMIC || d->flags & GW_OP_WRITES;
    }
    return reads && writes;
}

bool gw_runs_again(const gw_func *f) {
    for (gw_object o = 1; o < f->objects.count; o++)
        if (gw_reads_own(f, o)) return false;
    return true;
}
