/*
 * position.c - a number that tells where in a list a warp is (contract: ownership.h).
 *
 * Let two threads, or one thread at two times, come to the COLLECT with one position. What is known of both,
 * and that the positions are equal, goes to the rules of disjoint.c: ranges that do not overlap give one block;
 * the digits of begin + 256 * batch + j then give one batch and one j. If blockIdx and the variable of each
 * loop around come out equal, the two are in the same iteration of each: a counted loop's variable is another
 * number in each of its iterations.
 *
 * The key is then one number, too, if it is computed alike in both from
 *   - constants, parameters and what is the same in all threads of the block, in iterations that all run
 *     together;
 *   - variables of the loops around;
 *   - what a lane that takes part tells the others (gw_of_active): the choice that it has made then;
 *   - cells at such indices that nobody changes, and of shared memory: no barrier stands between the two loads,
 *     so if a thread stored to the cell between them, the primal would have a race.
 */
#include "analysis/ownership/ownership.h"

#include "analysis/facts/facts.h"
#include "analysis/ir/restructure.h"
#include "analysis/ir/warp.h"

enum { LOOPS_MOST = 12, NUMBERS_MOST = 2, DEPTH_MOST = 24, THREAD_COORDINATES = 7, BLOCK_COORDINATES = 7 << 3 };

/* ---- the key ---- */
typedef struct same {
    const gw_func *f;
    const gw_uniform *u;
    gw_op collect;
    gw_value condition;
    gw_op part; /* of the innermost region that the block runs together: what of it holds the COLLECT */
} same;

static gw_op uneven_part(const gw_func *f, const gw_uniform *u, gw_op op) {
    while (u->region[gw_op_at(f, op)->parent] > GW_UNIFORM_BLOCK) op = gw_op_around(f, op);
    return op;
}

static bool is_loop_variable(const same *s, gw_value v) {
    for (gw_op at = gw_op_around(s->f, s->collect); at; at = gw_op_around(s->f, at))
        if (gw_op_at(s->f, at)->code == GW_OP_FOR && gw_arg(s->f, gw_op_at(s->f, at)->region[0], 0) == v)
            return true;
    return false;
}

/* What v, told by a lane in which the condition holds, is there: behind the branch that is taken then. v itself
 * if nothing is known. */
static gw_value told(const same *s, gw_value v) {
    const gw_func *f = s->f;
    v = gw_behind_casts(f, v);
    gw_op op = gw_value_at(f, v)->op, made = gw_value_at(f, s->condition)->op;
    if (!op || gw_op_at(f, op)->code != GW_OP_IF) return v;
    gw_value asked = gw_operand(f, op, 0);
    bool negated = made && gw_op_at(f, made)->code == GW_OP_NOT && gw_operand(f, made, 0) == asked;
    if (asked != s->condition && !negated) return v;
    return gw_arm_value(f, op, negated, gw_value_at(f, v)->index);
}

static bool tells_taking_part(const same *s, gw_op op) {
    const gw_op_data *o = gw_op_at(s->f, op);
    return s->condition && o->code == GW_OP_WARP && o->attr == GW_WARP_OF_ACTIVE &&
           gw_behind_casts(s->f, gw_operand(s->f, op, 2)) == s->condition;
}

static bool is_same(const same *s, gw_value v, int depth) {
    const gw_func *f = s->f;
    gw_op op = gw_value_at(f, v)->op;
    if (is_loop_variable(s, v)) return true;
    if (gw_value_visible(f, v, gw_op_at(f, s->part)->parent) && s->u->value[v] <= GW_UNIFORM_BLOCK) return true;
    if (!op || !depth) return false;
    if (tells_taking_part(s, op)) return is_same(s, told(s, gw_operand(f, op, 1)), depth - 1);
    const gw_op_data *o = gw_op_at(f, op);
    gw_object_kind kind = gw_object_at(f, o->object)->kind;
    bool load = o->code == GW_OP_LOAD &&
                (kind == GW_OBJECT_SHARED ||
                 (!gw_object_is_inner(kind) && kind != GW_OBJECT_TAPE && !s->u->changing[o->object]));
    if (o->regions || o->code == GW_OP_SPECIAL || (!load && gw_op_rows[o->code].effect != GW_EFFECT_PURE))
        return false;
    for (uint32_t i = 0; i < o->operands; i++)
        if (!is_same(s, gw_operand(f, op, i), depth - 1)) return false;
    return true;
}

/* ---- the position ---- */
static bool are_known(const gw_ownership *w, uint32_t coordinates, gw_meeting *m) {
    uint32_t missing = coordinates & ~m->same;
    if (missing & ~w->one_long) return false;
    m->assumed |= gw_assumed_lengths(missing);
    return true;
}

static void keep_assumptions(gw_ownership *w, uint64_t assumed, gw_object object) {
    for (uint32_t bit = 0; bit < 64; bit++)
        if ((assumed & ~w->assumed) >> bit & 1) w->assumed_for[bit] = object;
    w->assumed |= assumed;
}

/* The coordinates and the loops around the op have one value each: it is executed once. */
static bool is_one_execution(gw_ownership *w, uint32_t coordinates, gw_op collect, const gw_value *numbers,
                             uint32_t of, gw_value condition, gw_object object) {
    const gw_func *f = w->f;
    gw_number index[NUMBERS_MOST], loops[LOOPS_MOST];
    gw_meeting m;
    uint32_t count = 0;
    gw_region here = gw_op_at(f, collect)->parent;
    gw_context *c = condition ? gw_normal_under(w->n, here, condition) : gw_normal_context(w->n, here);
    for (uint32_t i = 0; i < of; i++) {
        gw_normal_exact(w->n, c, numbers[i], &index[i]);
        if (index[i].poly.broken) return false;
    }
    for (gw_op at = gw_op_around(f, collect); at; at = gw_op_around(f, at)) {
        if (!gw_is_loop(f, at)) continue;
        if (gw_op_at(f, at)->code != GW_OP_FOR || count == LOOPS_MOST) return false;
        gw_normal_exact(w->n, c, gw_arg(f, gw_op_at(f, at)->region[0], 0), &loops[count++]);
    }
    gw_access access = {.context = c, .index = index, .count = of};
    if (!gw_meeting_agrees(w->n, &access, &access, loops, count, &m)) return false;
    /* nobody would ever come: something is not understood */
    if (m.disjoint || !are_known(w, coordinates, &m)) return false;
    keep_assumptions(w, m.assumed, object);
    return true;
}

bool gw_position_tells(gw_ownership *w, const gw_uniform *u, gw_op collect, gw_value position, gw_value key,
                       gw_value condition, gw_object object) {
    const same s = {w->f, u, collect, condition, uneven_part(w->f, u, collect)};
    bool met = s.part != collect && gw_holds_block_barrier(w->f, s.part);
    return !met && is_same(&s, key, DEPTH_MOST) &&
           is_one_execution(w, BLOCK_COORDINATES, collect, &position, 1, condition, object);
}

bool gw_position_tells_thread(gw_ownership *w, gw_op op, const gw_value *numbers, uint32_t count,
                              gw_object object) {
    return is_one_execution(w, THREAD_COORDINATES | BLOCK_COORDINATES, op, numbers, count, 0, object);
}
