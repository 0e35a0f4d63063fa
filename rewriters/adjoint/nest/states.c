/*
 * states.c - nests whose inner loop undoes several numbers, or one of whose flag it does not ask: a thread
 * with several pixels, whose loop over them is written out by now (contract: nest_private.h).
 *
 *     for (j = 0; j < bound; j++) {                      // or: j < bound && !(done0 && done1)
 *         if (!done0) { ...; if (next < 1e-4f) done0 = true; else { sum0 += ...; t0 = next; } }
 *         if (!done1) { ... }
 *     }
 *
 * A state is a number that is undone by a flag of its own (invert.c). With it go all numbers with a
 * derivative that depend on it or on its flag. What is asked for, beside what nest.c asks of one number:
 *  a. Each state's flag stays true once it is, and where it is true when an iteration begins, nothing that goes
 * with the state changes, nor the number of its last effect.
 *  b. Nothing that goes with a state depends on another one: not on its number, nor its flag, nor its test.
 *  c. While one flag is false the loop goes on until its counter ends it.
 *
 * Then let last be the number of the last iteration with an effect on the state. In iterations up to that its
 * flag was false when they began, by a, and its test did not hold. Behind it the state's part of an iteration
 * has the identity as its adjoint. So in the reverse "the iteration is behind last" stands for the flag, and
 * the test is false; by b no other state sees that this flag is true earlier than it was. By c the loop has run
 * all trips that its counter allows in every iteration of the outer one before the last effect on any state, so
 * numbers of iterations are found as for one.
 */
#include "rewriters/adjoint/nest/nest_private.h"

#include <stdlib.h>

/* ---- what follows from a flag ---- */
static gw_nest_truth opposite(gw_nest_truth t) {
    if (t == GW_NEST_OPEN) return t;
    return t == GW_NEST_TRUE ? GW_NEST_FALSE : GW_NEST_TRUE;
}

static gw_nest_truth truth_of_branch(const gw_func *p, gw_op op, uint32_t k, gw_value flag, bool is) {
    gw_nest_truth asked = gw_nest_truth_if(p, gw_operand(p, op, 0), flag, is), side[2];
    for (uint32_t i = 0; i < 2; i++)
        side[i] = gw_nest_truth_if(p, gw_arm_value(p, op, i, k), flag, is);
    if (asked != GW_NEST_OPEN) return side[asked == GW_NEST_FALSE];
    return side[0] == side[1] ? side[0] : GW_NEST_OPEN;
}

gw_nest_truth gw_nest_truth_if(const gw_func *p, gw_value v, gw_value flag, bool is) {
    gw_op op = gw_value_at(p, v)->op;
    int64_t c;
    if (v == flag) return is ? GW_NEST_TRUE : GW_NEST_FALSE;
    if (gw_const_int(p, v, &c)) return c ? GW_NEST_TRUE : GW_NEST_FALSE;
    if (!op || gw_typeof(p, v) != GW_T_BOOL) return GW_NEST_OPEN;
    const gw_op_data *o = gw_op_at(p, op);
    if (o->code == GW_OP_NOT) return opposite(gw_nest_truth_if(p, gw_operand(p, op, 0), flag, is));
    if (o->code == GW_OP_IF) return truth_of_branch(p, op, gw_value_at(p, v)->index, flag, is);
    if (o->code != GW_OP_AND && o->code != GW_OP_OR) return GW_NEST_OPEN;
    const gw_nest_truth decides = o->code == GW_OP_OR ? GW_NEST_TRUE : GW_NEST_FALSE;
    gw_nest_truth a = gw_nest_truth_if(p, gw_operand(p, op, 0), flag, is),
                  b = gw_nest_truth_if(p, gw_operand(p, op, 1), flag, is);
    if (a == decides || b == decides) return decides;
    return a == b ? a : GW_NEST_OPEN;
}

/* What becomes v is what it was, wherever the flag is true. */
static bool is_left_alone(const gw_func *p, gw_value v, gw_value arg, gw_value flag) {
    gw_op op = gw_made_by(p, v, GW_OP_IF);
    if (v == arg || !op) return v == arg;
    gw_nest_truth asked = gw_nest_truth_if(p, gw_operand(p, op, 0), flag, true);
    for (uint32_t side = 0; side < 2; side++) {
        bool taken = asked == GW_NEST_OPEN || (asked == GW_NEST_TRUE) == (side == 0);
        if (taken && !is_left_alone(p, gw_arm_value(p, op, side, gw_value_at(p, v)->index), arg, flag))
            return false;
    }
    return true;
}

/* ---- what depends on what ---- */
static uint32_t mask_of_region(const gw_func *p, gw_region r, uint32_t *of);

/* Everything in a loop depends on everything in it: all results, and all that its regions begin with. */
static uint32_t mask_of_loop(const gw_func *p, gw_op op, uint32_t *of) {
    uint32_t mask = 0, before;
    for (uint32_t i = 0; i < gw_op_at(p, op)->operands; i++)
        mask |= of[gw_operand(p, op, i)];
    do {
        before = mask;
        for (uint32_t k = 0; k < gw_op_at(p, op)->regions; k++) {
            gw_region r = gw_op_at(p, op)->region[k];
            for (uint32_t i = 0; i < gw_region_at(p, r)->args; i++)
                of[gw_arg(p, r, i)] |= mask;
            mask |= mask_of_region(p, r, of);
        }
    } while (mask != before);
    return mask;
}

/* The region depends on all that its ops use. */
static uint32_t mask_of_region(const gw_func *p, gw_region r, uint32_t *of) {
    uint32_t all = 0;
    for (gw_op op = gw_first(p, r); op; op = gw_next(p, op)) {
        const gw_op_data *o = gw_op_at(p, op);
        uint32_t mask = 0;
        for (uint32_t i = 0; i < o->operands; i++)
            mask |= of[gw_operand(p, op, i)];
        all |= mask;
        if (o->code == GW_OP_IF)
            for (uint32_t side = 0; side < 2; side++)
                all |= mask_of_region(p, o->region[side], of);
        else if (o->regions)
            all |= mask |= mask_of_loop(p, op, of);
        for (uint32_t i = 0; i < o->results; i++) {
            uint32_t *result = &of[gw_result(p, op, i)];
            *result |= mask;
            for (uint32_t side = 0; o->code == GW_OP_IF && side < 2; side++)
                *result |= of[gw_arm_value(p, op, side, i)];
        }
    }
    return all;
}

uint32_t *gw_nest_masks(const gw_func *p, const gw_nest *n) {
    gw_op inner = n->loop[GW_NEST_INNER];
    uint32_t carried = gw_loop_carried(p, inner), *of = gw_alloc(p->values.count * sizeof *of),
             *masks = gw_alloc((carried + 1) * sizeof *masks);
    for (uint32_t k = 0; k < n->states; k++)
        of[gw_loop_arg(p, inner, n->state[k].value[GW_NEST_INNER])] |= 1u << k, of[n->state[k].flag] |= 1u << k;
    for (bool changes = true; changes;) {
        changes = false;
        mask_of_region(p, gw_loop_body(p, inner), of);
        for (uint32_t i = 0; i < carried; i++) {
            masks[i] = of[gw_loop_arg(p, inner, i)] | of[gw_loop_next(p, inner, i)];
            changes |= masks[i] != of[gw_loop_arg(p, inner, i)];
            of[gw_loop_arg(p, inner, i)] = masks[i];
        }
    }
    free(of);
    return masks;
}

bool gw_nest_is_of(const gw_func *p, const gw_activity *activity, const gw_nest *n, const uint32_t *masks,
                   uint32_t i, uint32_t k) {
    gw_op inner = n->loop[GW_NEST_INNER];
    if (i == n->state[k].value[GW_NEST_INNER]) return true;
    bool active = gw_active_value(activity, gw_loop_arg(p, inner, i)) ||
                  gw_active_value(activity, gw_result(p, inner, i));
    return active && (n->asked || masks[i] & 1u << k);
}

/* ---- what is asked for ---- */
static gw_op maker(const gw_func *p, gw_value v, gw_op otherwise) {
    gw_op op = gw_value_at(p, v)->op;
    return op ? op : otherwise;
}

/* Carried value i of the inner loop belongs to no state, or to one alone that leaves it as it is. */
static bool is_apart(const gw_func *p, const gw_activity *activity, gw_nest *n, const uint32_t *masks,
                     uint32_t i) {
    gw_op inner = n->loop[GW_NEST_INNER];
    gw_value arg = gw_loop_arg(p, inner, i), next = gw_loop_next(p, inner, i);
    bool matters = gw_active_value(activity, arg) || gw_active_value(activity, gw_result(p, inner, i));
    uint32_t k = 0;
    for (uint32_t j = 0; j < n->states; j++)
        matters |= arg == n->state[j].flag || i == n->state[j].value[GW_NEST_INNER];
    if (!matters) return true;
    while (k < n->states && masks[i] != 1u << k)
        k++;
    if (k == n->states) return gw_nest_lacks(n, GW_NEAR_NEST_SEVERAL, maker(p, next, inner));
    bool holds = arg == n->state[k].flag ? gw_nest_truth_if(p, next, arg, true) == GW_NEST_TRUE
                                         : is_left_alone(p, next, arg, n->state[k].flag);
    return holds || gw_nest_lacks(n, GW_NEAR_NEST_SEVERAL, maker(p, next, inner));
}

bool gw_nest_apart(const gw_func *p, const gw_activity *activity, gw_nest *n) {
    uint32_t *masks = gw_nest_masks(p, n);
    bool apart = true;
    for (uint32_t i = 0; apart && i < gw_loop_carried(p, n->loop[GW_NEST_INNER]); i++)
        apart = is_apart(p, activity, n, masks, i);
    free(masks);
    return apart;
}

bool gw_nest_notes_while_on(const gw_func *p, const gw_nest *n, uint32_t k, uint32_t m) {
    gw_op inner = n->loop[GW_NEST_INNER];
    return is_left_alone(p, gw_loop_next(p, inner, m), gw_loop_arg(p, inner, m), n->state[k].flag);
}

/* ---- the states ---- */
static bool is_taken(const gw_nest *n, gw_value flag) {
    for (uint32_t k = 0; k < n->states; k++)
        if (n->state[k].flag == flag) return true;
    return false;
}

/* By which of the flags that are left the inner loop undoes number m, the outer one's k; 0: none, and n->lacks
 * says why. */
static gw_value flag_of(const gw_func *p, gw_nest *n, uint32_t k, uint32_t m) {
    gw_op inner = n->loop[GW_NEST_INNER];
    gw_invert s;
    for (uint32_t i = 0; i < gw_loop_carried(p, inner); i++) {
        gw_value flag = gw_loop_arg(p, inner, i);
        if (gw_typeof(p, flag) != GW_T_BOOL || is_taken(n, flag)) continue;
        const bool undone = gw_invert_examine_by(p, inner, m, flag, &s);
        if (undone && gw_nest_starts_low(p, n, k, &s)) return flag;
        if (!undone && s.lacks && (!n->lacks || n->lacks == GW_NEAR_NEST_TEST))
            gw_nest_lacks(n, s.lacks, s.shows);
    }
    return 0;
}

bool gw_nest_find_states(const gw_func *p, gw_nest *n) {
    gw_op outer = n->loop[GW_NEST_OUTER];
    gw_near_nest_kind what = n->lacks;
    gw_op where = n->shows;
    for (uint32_t i = 0; i < gw_loop_carried(p, outer); i++) {
        uint32_t m = gw_nest_handed(p, n, i);
        if (m == GW_NEST_NONE || !gw_type_is_float(gw_typeof(p, gw_loop_arg(p, outer, i)))) continue;
        n->lacks = 0;
        gw_value flag = flag_of(p, n, i, m);
        if (!flag && n->lacks) what = n->lacks, where = n->shows;
        if (!flag) continue;
        if (n->states == GW_NEST_STATES) return gw_nest_lacks(n, GW_NEAR_NEST_SEVERAL, n->loop[GW_NEST_INNER]);
        n->state[n->states++] = (gw_nest_state){.value = {i, m}, .flag = flag};
    }
    n->lacks = what, n->shows = where;
    return n->states > 0;
}
