/*
 * convergence.c - control of a kernel made uniform over the warp (contract: motion.h).
 *
 * A collective operation must stand where all lanes of the warp come, or none. An addition under a branch that
 * lanes may disagree about leaves it: the branch yields what is added, 0 where it is not taken, and whether it
 * was taken. A loop that runs differently often in the lanes runs as often as in the lane that runs it most,
 * with its body under a branch of its own: "my loop would still run". A branch around such a loop is cut in
 * three: what is before the loop, the loop, with no iteration where the branch is not taken, and what is behind
 * it.
 *
 * Sound because each thread runs the ops that it ran, in their order and on the same values, but for the
 * addition, which passes only what does not touch its object otherwise and no point where threads meet: nothing
 * but the order of additions changes. Nothing new can trap: only constants and integer arithmetic without
 * division are computed by threads that did not compute them before. All threads of the block reach the end of
 * a kernel's derivative: a return is a branch around the rest (barriers.c), so "all lanes" are those that the
 * block was launched with.
 *
 * Records on the tape are popped under the control that pushed them, which verifier_tape.c holds text to; a
 * loop or branch with such is left alone.
 */
#include "rewriters/motion/motion.h"

#include "analysis/facts/facts.h"
#include "analysis/ir/reasons.h"
#include "analysis/ir/restructure.h"
#include "analysis/ir/warp.h"

#include <math.h>
#include <stdlib.h>

gw_value gw_present_lanes(gw_func *f) {
    for (gw_op op = gw_first(f, f->entry); op; op = gw_next(f, op))
        if (gw_op_at(f, op)->code == GW_OP_WARP && gw_op_at(f, op)->attr == GW_WARP_PRESENT)
            return gw_result(f, op, 0);
    gw_builder b = {f, f->entry, gw_first(f, f->entry), f->loc};
    gw_op made = gw_emit(&b, GW_OP_WARP, GW_T_U32, 1, NULL, 0);
    gw_op_at(f, made)->attr = GW_WARP_PRESENT;
    gw_value_at(f, gw_result(f, made, 0))->name = gw_intern(f->session, "lanes");
    return gw_result(f, made, 0);
}

/* ---- values outside of where they are computed ---- */
bool gw_is_cheap(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    if (!op) return false;
    if (o->code == GW_OP_CONST) return true;
    if (gw_op_rows[o->code].effect != GW_EFFECT_PURE || o->results != 1 || o->operands > 3) return false;
    return o->code != GW_OP_DIV && o->code != GW_OP_REM && !gw_type_is_float(gw_typeof(f, o->first_result));
}

gw_value gw_value_outside(gw_builder *b, gw_value v, const gw_value_map *leaves) {
    gw_func *f = b->f;
    gw_value leaf = leaves ? gw_map_get(leaves, v) : 0;
    if (leaf || gw_value_visible(f, v, b->region)) return leaf ? leaf : v;
    gw_op op = gw_value_at(f, v)->op;
    if (!gw_is_cheap(f, op)) return 0;
    gw_cloner c = {.from = f, .to = b};
    bool all = true;
    for (uint32_t i = 0; i < gw_op_at(f, op)->operands && all; i++) {
        gw_value x = gw_operand(f, op, i), to = gw_value_outside(b, x, leaves);
        all = to != 0;
        if (all) gw_map_set(&c.values, x, to);
    }
    if (all) gw_clone_op(&c, op);
    gw_value made = all ? gw_clone_value(&c, v) : 0;
    gw_map_free(&c.values);
    gw_map_free(&c.objects);
    return made;
}

/* The one value that must be known outside of the region for v to be computed again there; 0: none. */
static gw_value leaf_of(const gw_func *f, gw_value v, gw_region r) {
    gw_value found = 0;
    if (gw_value_visible(f, v, r)) return 0;
    gw_op op = gw_value_at(f, v)->op;
    if (!gw_is_cheap(f, op)) return v;
    for (uint32_t i = 0; i < gw_op_at(f, op)->operands; i++) {
        gw_value leaf = leaf_of(f, gw_operand(f, op, i), r);
        if (leaf && found && leaf != found) return v;
        if (leaf) found = leaf;
    }
    return found;
}

/* Whether a thread takes the side of the branch; one value for all who ask. */
static gw_value taken(gw_builder *b, gw_op branch, uint32_t side) {
    gw_func *f = b->f;
    gw_value condition = gw_operand(f, branch, 0);
    if (side == 0) return condition;
    for (gw_op op = gw_prev(f, branch); op; op = gw_prev(f, op))
        if (gw_op_at(f, op)->code == GW_OP_NOT && gw_operand(f, op, 0) == condition) return gw_result(f, op, 0);
    return gw_unary(b, GW_OP_NOT, condition);
}

static uint32_t side_of(const gw_func *f, gw_op branch, gw_region r) {
    return gw_op_at(f, branch)->region[0] == r ? 0 : 1;
}

/* ---- additions out of branches ---- */
static bool touches_otherwise(const gw_func *f, gw_op op, gw_object object) {
    for (gw_op in = op; in; in = gw_walk_op(f, in, op))
        if (!gw_op_at(f, in)->regions && gw_op_at(f, in)->code != GW_OP_ACCUM &&
            gw_touches(f, in, object, GW_TOUCH_READ | GW_TOUCH_WRITE))
            return true;
    return false;
}

static bool is_collect(const gw_func *f, gw_op op) { return gw_op_at(f, op)->code == GW_OP_COLLECT; }

static bool meets(const gw_func *f, gw_op op) {
    for (gw_op in = op; in; in = gw_walk_op(f, in, op))
        if (!gw_op_at(f, in)->regions && !is_collect(f, in) && gw_holds_barrier(f, in)) return true;
    return false;
}

uint32_t gw_cannot_pass(const gw_func *f, gw_op at, gw_op end, gw_object object) {
    for (gw_op op = gw_next(f, at); op && op != end; op = gw_next(f, op)) {
        if (meets(f, op)) return GW_REASON_MEETS_BEHIND;
        if (touches_otherwise(f, op, object)) return GW_REASON_TOUCHED_BEHIND;
    }
    return GW_REASON_NONE;
}

typedef GW_VEC(gw_value) value_list;

static bool is_zero(const gw_func *f, gw_value v) {
    int64_t whole = 1;
    double real = 1;
    return gw_type_is_float(gw_typeof(f, v)) ? gw_const_real(f, v, &real) && real == 0 && !signbit(real)
                                             : gw_const_int(f, v, &whole) && whole == 0;
}

/* Number of the branch's result that is v on this side and 0 on the other: one that it has, or of the extra
 * ones. */
static uint32_t result_of(const gw_func *f, gw_op branch, uint32_t side, value_list *extra, gw_value v) {
    const gw_op_data *o = gw_op_at(f, branch);
    gw_op own = gw_region_end(f, o->region[side]), other = gw_region_end(f, o->region[1 - side]);
    for (uint32_t i = 0; i < o->results; i++)
        if (gw_operand(f, own, i) == v && is_zero(f, gw_operand(f, other, i))) return i;
    gw_push(extra, v);
    return o->results + extra->count - 1;
}

static gw_op rebuild(gw_builder *b, gw_op branch, uint32_t side, const value_list *extra) {
    gw_func *f = b->f;
    value_list zeros = {0};
    for (uint32_t i = 0; i < extra->count; i++) gw_push(&zeros, gw_zero(b, gw_typeof(f, extra->at[i])));
    gw_op made = extra->count ? gw_if_rebuild(f, branch, NULL, side ? zeros.at : extra->at,
                                              side ? extra->at : zeros.at, extra->count)
                              : branch;
    gw_vec_free(&zeros);
    return made;
}

/* v is 0 wherever `flag` is false: both are results of the same branches, by induction over these. */
static bool is_zero_unless(const gw_func *f, gw_value v, gw_value flag, int depth) {
    enum { MOST_DEPTH = 24 };
    int64_t always;
    const gw_op op = gw_value_at(f, v)->op, branch = gw_made_by(f, flag, GW_OP_IF);
    if (gw_is_zero(f, v) || (gw_const_int(f, flag, &always) && always)) return true;
    if (!op || !branch || depth > MOST_DEPTH) return false;
    const uint16_t code = gw_op_at(f, op)->code;
    if (code == GW_OP_ADD || code == GW_OP_SUB)
        return is_zero_unless(f, gw_operand(f, op, 0), flag, depth + 1) &&
               is_zero_unless(f, gw_operand(f, op, 1), flag, depth + 1);
    for (uint32_t side = 0; side < 2; side++) {
        const gw_value there = op == branch ? gw_arm_value(f, branch, side, gw_value_at(f, v)->index) : v;
        const gw_value then = gw_arm_value(f, branch, side, gw_value_at(f, flag)->index);
        if (!is_zero_unless(f, there, then, depth + 1)) return false;
    }
    return true;
}

gw_op gw_lift_addition(gw_func *f, gw_op collect) {
    enum { MOST_OPERANDS = 20 };
    gw_op add = gw_prev(f, collect), branch = gw_op_around(f, add);
    gw_op_data a = *gw_op_at(f, add);
    uint32_t side = side_of(f, branch, a.parent), last = a.operands - 1, number[MOST_OPERANDS],
             active_number = 0;
    gw_value lanes = gw_operand(f, collect, 0), active = gw_operand(f, collect, 1), now[MOST_OPERANDS],
             leaf[MOST_OPERANDS];
    gw_builder b = {f, gw_op_at(f, branch)->parent, branch, a.loc};
    value_list extra = {0};
    gw_value_map leaves = {0};
    int64_t always;
    bool whole = gw_const_int(f, active, &always) && always;
    for (uint32_t i = 0; i <= last; i++) { /* what is added must be 0 where the branch is not taken */
        now[i] = gw_operand(f, add, i);
        leaf[i] = i < last ? leaf_of(f, now[i], b.region) : now[i];
        if (i == last && side == 0 && gw_value_visible(f, now[i], b.region) &&
            is_zero_unless(f, now[i], gw_operand(f, branch, 0), 0))
            leaf[i] = 0;
        if (leaf[i]) number[i] = result_of(f, branch, side, &extra, leaf[i]);
    }
    if (!whole) active_number = result_of(f, branch, side, &extra, active);
    gw_value here = whole ? taken(&b, branch, side) : 0;
    gw_op_remove(f, collect);
    gw_op_remove(f, add);
    branch = rebuild(&b, branch, side, &extra);
    b.before = gw_next(f, branch);
    for (uint32_t i = 0; i < last; i++)
        if (leaf[i]) gw_map_set(&leaves, leaf[i], gw_result(f, branch, number[i]));
    for (uint32_t i = 0; i < last; i++) now[i] = gw_value_outside(&b, now[i], &leaves);
    if (leaf[last]) now[last] = gw_result(f, branch, number[last]);
    if (!here) here = gw_result(f, branch, active_number);
    gw_map_free(&leaves);
    gw_op made = gw_accum(&b, a.object, a.path, now, last, now[last]);
    gw_op_data *o = gw_op_at(f, made);
    o->attr = a.attr;
    o->flags = a.flags;
    o->note = a.note;
    o->decision = a.decision;
    o->origin = a.origin;
    gw_value operands[] = {lanes, here};
    gw_op end = gw_emit(&b, GW_OP_COLLECT, GW_T_VOID, 0, operands, 2);
    gw_op_at(f, end)->attr = a.attr;
    gw_vec_free(&extra);
    return end;
}

/* ---- branches around loops ---- */
static bool holds(const gw_func *f, gw_op op, bool (*wanted)(const gw_func *, gw_op)) {
    for (gw_op in = op; in; in = gw_walk_op(f, in, op))
        if (wanted(f, in)) return true;
    return false;
}
static bool is_record(const gw_func *f, gw_op op) {
    return gw_op_at(f, op)->code == GW_OP_PUSH || gw_op_at(f, op)->code == GW_OP_POP;
}
bool gw_holds_record(const gw_func *f, gw_op op) { return holds(f, op, is_record); }
static bool is_meeting(const gw_func *f, gw_op op) {
    gw_effect effect = gw_op_rows[gw_op_at(f, op)->code].effect;
    return effect == GW_EFFECT_MEET || effect == GW_EFFECT_LANES;
}
static bool is_declaration(const gw_func *f, gw_op op) { return gw_op_at(f, op)->code == GW_OP_DECLARE; }

/* Values of the arm that the op, or what is in it, uses; each once. */
static void add_uses(const gw_func *f, gw_op op, gw_region arm, value_list *list) {
    for (gw_op in = op; in; in = gw_walk_op(f, in, op))
        for (uint32_t i = 0; i < gw_op_at(f, in)->operands; i++) {
            gw_value v = gw_operand(f, in, i);
            bool known = gw_value_region(f, v) != arm;
            for (uint32_t k = 0; k < list->count && !known; k++) known = list->at[k] == v;
            if (!known) gw_push(list, v);
        }
}

static void move_before(gw_func *f, gw_region from, gw_op end, gw_region to) {
    for (gw_op op = gw_first(f, from), next; op && op != end; op = next) {
        next = gw_next(f, op);
        gw_op_move(f, op, to, 0);
    }
}

/* Results of `first` for the values of its two arms; a thread that took the other arm has 0. */
static void give_results(gw_builder *b, gw_op first, const value_list *of, gw_value_map *map) {
    gw_func *f = b->f;
    value_list yields[2] = {{0}, {0}};
    for (uint32_t side = 0; side < 2; side++) {
        gw_builder in = {f, gw_op_at(f, first)->region[side], 0, b->loc};
        for (uint32_t i = 0; i < of->count; i++) {
            bool own = gw_value_region(f, of->at[i]) == in.region;
            gw_push(&yields[side], own ? of->at[i] : gw_zero(&in, gw_typeof(f, of->at[i])));
        }
        gw_yield(&in, yields[side].at, yields[side].count);
    }
    for (uint32_t i = 0; i < of->count; i++) {
        gw_value_data d = *gw_value_at(f, of->at[i]);
        gw_map_set(map, of->at[i], gw_op_add_result(f, first, d.type, d.name));
    }
    gw_vec_free(&yields[0]);
    gw_vec_free(&yields[1]);
}

/* What stands in a region from this op on, under a branch of its own. Where that is not taken, what the region
 * yields is 0, or, of a loop's body, what it was before. */
static void run_if(gw_func *f, gw_op from, gw_value runs, gw_region body, gw_loc loc) {
    const gw_region r = gw_op_at(f, from)->parent;
    const gw_op end = gw_region_end(f, r);
    gw_builder b = {f, r, from, loc};
    gw_op branch = gw_emit(&b, GW_OP_IF, GW_T_VOID, 0, &runs, 1);
    gw_builder then = {f, gw_region_new(f, branch), 0, loc}, rest = {f, gw_region_new(f, branch), 0, loc};
    for (gw_op op = from, next; op != end; op = next) {
        next = gw_next(f, op);
        gw_op_move(f, op, then.region, 0);
    }
    value_list given = {0}, kept = {0};
    for (uint32_t i = 0; i < gw_op_at(f, end)->operands; i++) {
        const gw_value v = gw_operand(f, end, i);
        gw_push(&given, v);
        gw_push(&kept, body ? gw_arg(f, body, 1 + i) : gw_zero(&rest, gw_typeof(f, v)));
    }
    gw_yield(&then, given.at, given.count);
    gw_yield(&rest, kept.at, kept.count);
    for (uint32_t i = 0; i < given.count; i++)
        gw_set_operand(f, end, i, gw_op_add_result(f, branch, gw_typeof(f, given.at[i]), 0));
    gw_vec_free(&given);
    gw_vec_free(&kept);
}

/* A loop's body, but for `runs`, if that is computed at its head. */
static void run_body_if(gw_func *f, gw_op loop, gw_value runs, gw_op behind) {
    run_if(f, behind, runs, gw_loop_body(f, loop), gw_op_at(f, loop)->loc);
}

static void run_arm_if(gw_func *f, gw_region arm, gw_value here, gw_loc loc) {
    if (gw_first(f, arm) != gw_region_end(f, arm)) run_if(f, gw_first(f, arm), here, 0, loc);
}

/* A thread that did not come to the branch does not take the arm with the loop, and runs nothing of the
 * other. */
static void guard_branch(gw_builder *b, gw_op branch, gw_op loop, gw_value here) {
    gw_func *f = b->f;
    gw_region way = gw_op_at(f, loop)->parent;
    while (gw_region_at(f, way)->parent != branch) way = gw_region_outside(f, way);
    uint32_t side = side_of(f, branch, way);
    gw_value condition = gw_operand(f, branch, 0);
    gw_set_operand(f, branch, 0,
                   side == 0 ? gw_binary(b, GW_OP_AND, here, condition)
                             : gw_binary(b, GW_OP_OR, gw_unary(b, GW_OP_NOT, here), condition));
    run_arm_if(f, gw_op_at(f, branch)->region[1 - side], here, b->loc);
}

/* No iteration, or the branch not taken, where the thread did not come to it; of a loop that is the same for
 * all, no body. */
static void guard(gw_builder *b, gw_op op, gw_value here, bool alike) {
    gw_func *f = b->f;
    if (alike) {
        run_body_if(f, op, here, gw_first(f, gw_loop_body(f, op)));
        return;
    }
    gw_opcode compare = (gw_opcode)gw_op_at(f, op)->attr;
    gw_value low = gw_operand(f, op, 0), high = gw_operand(f, op, 1), one = gw_int(b, gw_typeof(f, low), 1);
    if (compare == GW_OP_LT) gw_set_operand(f, op, 1, gw_select(b, here, high, low));
    if (compare == GW_OP_LE)
        gw_set_operand(f, op, 1, gw_select(b, here, high, gw_binary(b, GW_OP_SUB, low, one)));
    if (compare == GW_OP_GT) gw_set_operand(f, op, 0, gw_select(b, here, low, high));
    if (compare == GW_OP_GE)
        gw_set_operand(f, op, 0, gw_select(b, here, low, gw_binary(b, GW_OP_SUB, high, one)));
}

static gw_reason cannot_widen(const gw_func *f, gw_op loop) {
    const gw_op_data *o = gw_op_at(f, loop);
    if (o->code != GW_OP_FOR || o->flags & GW_OP_EXIT || o->attr == GW_OP_NE) return GW_REASON_LANES_LEAVE;
    if (!gw_type_is_signed(gw_typeof(f, gw_operand(f, loop, 0)))) return GW_REASON_UNSIGNED_COUNTER;
    if (holds(f, loop, is_record)) return GW_REASON_LOOP_TAKES_RECORDS;
    if (holds(f, loop, is_meeting)) return GW_REASON_LOOP_MEETS;
    return GW_REASON_NONE;
}

static gw_reason cannot_cut(const gw_func *f, gw_op branch, gw_op middle) {
    if (gw_op_at(f, middle)->code == GW_OP_WHILE) return GW_REASON_LANES_LEAVE;
    if (gw_op_at(f, middle)->code == GW_OP_FOR && cannot_widen(f, middle)) return cannot_widen(f, middle);
    if (holds(f, branch, is_record)) return GW_REASON_BRANCH_TAKES_RECORDS;
    if (holds(f, branch, is_meeting)) return GW_REASON_BRANCH_MEETS;
    for (gw_op op = gw_first(f, gw_op_at(f, middle)->parent); op; op = gw_next(f, op))
        if (is_declaration(f, op)) return GW_REASON_BRANCH_DECLARES;
    return GW_REASON_NONE;
}

/* The loop runs equally often in all lanes that come to it, and its bounds are known to the others: none is in
 * the list. */
static bool runs_alike(const gw_func *f, const gw_uniform *u, gw_op loop, const value_list *list) {
    if (gw_op_at(f, loop)->code != GW_OP_FOR) return false;
    for (uint32_t i = 0; i < 3; i++) {
        gw_value v = gw_operand(f, loop, i);
        if (u->value[v] > GW_UNIFORM_WARP) return false;
        for (uint32_t k = 0; k < list->count; k++)
            if (list->at[k] == v) return false;
    }
    return true;
}

static gw_reason cut_branch(gw_func *f, const gw_uniform *u, gw_op branch, gw_op middle, gw_op loop) {
    gw_reason why = cannot_cut(f, branch, middle);
    if (why) return why;
    gw_region arm = gw_op_at(f, middle)->parent;
    uint32_t side = side_of(f, branch, arm);
    gw_region other = gw_op_at(f, branch)->region[1 - side], around = gw_op_at(f, branch)->parent;
    gw_builder b = {f, around, branch, gw_op_at(f, branch)->loc};
    gw_value condition = gw_operand(f, branch, 0);
    gw_op first = gw_emit(&b, GW_OP_IF, GW_T_VOID, 0, &condition, 1);
    gw_region half[2];
    for (uint32_t i = 0; i < 2; i++) half[i] = gw_region_new(f, first);
    move_before(f, arm, middle, half[side]);
    move_before(f, other, gw_region_end(f, other), half[1 - side]);
    value_list uses = {0}, kept = {0};
    gw_value_map map = {0};
    for (gw_op op = middle; op; op = gw_next(f, op)) add_uses(f, op, half[side], &uses);
    add_uses(f, gw_region_end(f, other), half[1 - side], &uses);
    gw_builder before = {f, around, first, b.loc};
    for (uint32_t i = 0; i < uses.count; i++) {
        gw_value made = gw_value_outside(&before, uses.at[i], NULL);
        if (made) gw_map_set(&map, uses.at[i], made);
        else gw_push(&kept, uses.at[i]);
    }
    bool alike = runs_alike(f, u, middle, &kept);
    give_results(&b, first, &kept, &map);
    gw_op_move(f, middle, around, branch);
    gw_rename_from(f, middle, &map);
    b.before = middle;
    gw_value here = taken(&b, branch, side);
    if (gw_op_at(f, middle)->code == GW_OP_IF) guard_branch(&b, middle, loop, here);
    else guard(&b, middle, here, alike);
    gw_vec_free(&uses);
    gw_vec_free(&kept);
    gw_map_free(&map);
    return GW_REASON_NONE;
}

/* ---- loops ---- */
/* `bound` is operand 0 or 1, whichever differs between lanes. */
static void widen(gw_func *f, gw_op loop, uint32_t bound) {
    gw_builder b = {f, gw_op_at(f, loop)->parent, loop, gw_op_at(f, loop)->loc};
    gw_value own = gw_operand(f, loop, bound), operands[] = {gw_present_lanes(f), own};
    gw_op most = gw_emit(&b, GW_OP_WARP, gw_typeof(f, own), 1, operands, 2);
    gw_op_at(f, most)->attr = GW_WARP_MOST;
    gw_set_operand(f, loop, bound, gw_result(f, most, 0));
    gw_region body = gw_loop_body(f, loop);
    gw_op behind = gw_first(f, body);
    gw_opcode compare = bound == 1 ? (gw_opcode)gw_op_at(f, loop)->attr : GW_OP_LE;
    b = (gw_builder){f, body, behind, b.loc};
    run_body_if(f, loop, gw_binary(&b, compare, gw_arg(f, body, 0), own), behind);
}

static gw_reason widen_loop(gw_func *f, const gw_uniform *u, gw_op loop) {
    gw_reason why = cannot_widen(f, loop);
    if (why) return why;
    bool differs[3];
    int64_t step = gw_loop_step(f, loop);
    for (uint32_t i = 0; i < 3; i++) differs[i] = u->value[gw_operand(f, loop, i)] > GW_UNIFORM_WARP;
    bool up = gw_op_at(f, loop)->attr == GW_OP_LT || gw_op_at(f, loop)->attr == GW_OP_LE;
    if (differs[2]) return GW_REASON_OTHER_STEP;
    if (up && differs[0]) return GW_REASON_OTHER_START;
    if (!up && differs[1]) return GW_REASON_OTHER_END;
    if (!up && step != -1) return GW_REASON_STEP_NOT_ONE;
    widen(f, loop, up ? 1 : 0);
    return GW_REASON_NONE;
}

/* The outermost branch or loop around the region about which lanes may disagree; *next: the op in it on the way
 * there. */
static gw_op outermost_divergence(const gw_func *f, const gw_uniform *u, gw_region r, gw_op *next) {
    gw_op found = 0, inner = 0;
    for (gw_op at = gw_region_at(f, r)->parent; at; inner = at, at = gw_op_around(f, at))
        if (gw_uniform_control(u, at) > GW_UNIFORM_WARP) found = at, *next = inner;
    return found;
}

uint32_t gw_converge_loop(gw_func *f, gw_op loop) {
    enum { MOST_STEPS = 64 };
    for (uint32_t step = 0; step < MOST_STEPS; step++) {
        gw_uniform u;
        gw_op next = 0;
        gw_uniform_new(&u, f);
        gw_op at = outermost_divergence(f, &u, gw_loop_body(f, loop), &next);
        gw_reason why = GW_REASON_NONE;
        if (at)
            why = gw_op_at(f, at)->code == GW_OP_IF ? cut_branch(f, &u, at, next, loop) : widen_loop(f, &u, at);
        gw_uniform_free(&u);
        if (why || !at) return why;
    }
    return GW_REASON_CONTROL_TOO_DEEP;
}
