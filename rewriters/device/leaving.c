/*
 * leaving.c - a part of the candidates pass (candidates.c): loops that lanes leave one by one.
 *
 *     while (go_on && j < n) {                 for (left = go_on in any lane ? n : 0; left > 0;) {
 *         ++count;                                 first = n - left;
 *         if (f(j, lane) < c) { ... }  becomes     // of 32 iterations, one a lane:
 *         ++j;                                     least = that of f(first + lane, x), over all lanes' x;
 *     }                                            for (each lane with least < c, while go_on) {
 *                                                      j = first + lane;
 *                                                      the body as it was, with count at first + j
 *                                                  }
 *                                                  left = go_on in any lane ? left - 32 : 0;
 *                                              }
 *
 * The forward sweep over a list that a pixel leaves when it is opaque: few of its splats reach a warp.
 *
 * Requires that all lanes of a warp come to the loop together, with one index and one bound, and that an
 * iteration without its condition, or without one of several inside of each other, changes counters alone,
 * which add 1 or subtract it. Nothing meets in the loop, nothing is stored or pushed there, and no loop in it
 * waits for anything.
 *
 * Sound because an iteration that is left out changes counters only, and what a counter is follows from the
 * index. Every lane runs the others that it ran, in their order, and leaves where it left. But unlike there, an
 * iteration that is asked about need not be one that any lane runs: all may have left before. So what is read
 * to ask must exist without that: it lies in a shared array of constant length, at an index that is in range
 * whatever the lanes do. Another warp may write such a cell by then, but of an iteration that no lane runs the
 * answer does not matter. Integer division could trap, and is not asked with.
 *
 * Behind the loop a counter is what it was made by all iterations where `go_on` holds, else by those that the
 * lane ran. If it is only ever handed on to this loop again, and what `go_on` asks for, too, nobody asks for
 * the latter.
 */
#include "analysis/facts/facts.h"
#include "analysis/ir/passes.h"
#include "rewriters/device/look_private.h"
#include "rewriters/device/parts_private.h"
#include "rewriters/formula/formula.h"
#include "rewriters/motion/motion.h"

#include <stdlib.h>

enum { MOST_WAYS = 8, MOST_BOUND = 1 << 30 };

typedef struct leaving {
    gw_func *f;
    const gw_uniform *uniform; /* of the function as it was */
    gw_op loop;
    uint32_t index; /* of the carried values, the loop's index */
    gw_value bound, in_time;
    int64_t from, most; /* the index is at least, and below */
    int64_t *step;      /* by carried value: what a counter adds; 0: it is none */
    bool *by_lane;      /* by counter: how often each lane ran matters behind the loop */
    gw_value *at;       /* by carried value: what it becomes, in the innermost way; 0: nothing, or a counter */
    gw_region ways[MOST_WAYS];
    gw_op branch[MOST_WAYS]; /* in that region, and the side of it that leads on */
    uint32_t side[MOST_WAYS], depth;
    bool *alike; /* by value: of all lanes, and it may be computed for any iteration */
    gw_value lanes;
} leaving;

/* ---- which loops ---- */

/* What an integer is at most, MOST_BOUND if that is not known. */
static int64_t most_of(const gw_func *f, gw_value v) {
    int64_t c;
    const gw_op least = gw_made_by(f, v, GW_OP_IMIN);
    if (gw_const_int(f, v, &c)) return c < MOST_BOUND ? c : MOST_BOUND;
    if (!least) return MOST_BOUND;
    const int64_t x = most_of(f, gw_operand(f, least, 0)), y = most_of(f, gw_operand(f, least, 1));
    return x < y ? x : y;
}

/* j < n, of a carried value that begins with a constant. */
static bool counts_up(void *with, gw_value v) {
    leaving *l = with;
    const gw_func *f = l->f;
    const gw_op less = gw_made_by(f, v, GW_OP_LT);
    const gw_region test = gw_op_at(f, l->loop)->region[0];
    if (!less) return false;
    const gw_value bound = gw_operand(f, less, 1);
    const gw_type type = gw_typeof(f, bound);
    if ((type != GW_T_I32 && type != GW_T_U32) || bound >= l->uniform->f->values.count ||
        l->uniform->value[bound] > GW_UNIFORM_WARP)
        return false;
    for (uint32_t i = 0; i < gw_loop_carried(f, l->loop); i++) {
        if (gw_operand(f, less, 0) != gw_arg(f, test, i)) continue;
        l->index = i;
        l->bound = bound;
        l->most = most_of(f, bound);
        return gw_const_int(f, gw_loop_init(f, l->loop, i), &l->from) && l->from >= 0 && l->most < MOST_BOUND &&
               l->most - l->from >= GW_LOOK_LEAST_TRIPS;
    }
    return false;
}

/* All that the loop does may be done by each lane for itself, and ends. */
static bool does_no_more(const gw_func *f, gw_op loop) {
    for (gw_op op = loop; op; op = gw_walk_op(f, op, loop)) {
        const gw_op_data *o = gw_op_at(f, op);
        const gw_effect effect = gw_op_rows[o->code].effect;
        if ((o->code == GW_OP_WHILE && op != loop) || (gw_is_loop(f, op) && o->flags & GW_OP_EXIT))
            return false;
        if (o->code == GW_OP_IF && o->flags & GW_OP_REST) return false;
        if (effect != GW_EFFECT_PURE && effect != GW_EFFECT_CONTROL && o->code != GW_OP_LOAD) return false;
    }
    return true;
}

static bool find_counters(leaving *l) {
    const gw_func *f = l->f;
    for (uint32_t i = 0; i < gw_loop_carried(f, l->loop); i++) {
        const gw_value next = gw_loop_next(f, l->loop, i), own = gw_loop_arg(f, l->loop, i);
        const gw_op add = gw_made_by(f, next, GW_OP_ADD), by = add ? add : gw_made_by(f, next, GW_OP_SUB);
        const gw_value asked = gw_arg(f, gw_op_at(f, l->loop)->region[0], i);
        int64_t c = 0;
        l->at[i] = next == own ? 0 : next;
        if (!by || gw_operand(f, by, 0) != own || !gw_const_int(f, gw_operand(f, by, 1), &c) ||
            (c != 1 && c != -1) || gw_count_uses(f, asked) != (i == l->index ? 1 : 0))
            continue;
        l->step[i] = add ? c : -c;
        l->at[i] = 0;
    }
    return l->step[l->index] == 1;
}

static bool is_quiet(const gw_func *f, gw_region r, gw_op but) {
    for (gw_op op = gw_first(f, r), end = gw_region_end(f, r); op && op != end; op = gw_next(f, op))
        if (op != but && gw_op_at(f, op)->regions) return false;
    return true;
}

/* Carried values become what they are where that side is taken. */
static bool stays(const leaving *l, gw_op branch, uint32_t side) {
    const gw_func *f = l->f;
    bool some = false;
    if (!is_quiet(f, gw_op_at(f, branch)->region[side], 0)) return false;
    for (uint32_t i = 0; i < gw_loop_carried(f, l->loop); i++) {
        const gw_value v = l->at[i];
        if (!v) continue;
        if (gw_value_at(f, v)->op != branch ||
            gw_arm_value(f, branch, side, gw_value_at(f, v)->index) != gw_loop_arg(f, l->loop, i))
            return false;
        some = true;
    }
    return some;
}

static gw_op only_branch(const gw_func *f, gw_region r) {
    for (gw_op op = gw_first(f, r); op; op = gw_next(f, op))
        if (gw_op_at(f, op)->code == GW_OP_IF) return is_quiet(f, r, op) ? op : 0;
    return 0;
}

/* The branches inside of each other on whose conditions it hangs whether the iteration changes anything. */
static void find_ways(leaving *l) {
    const gw_func *f = l->f;
    gw_region r = gw_loop_body(f, l->loop);
    while (l->depth < MOST_WAYS) {
        const gw_op branch = only_branch(f, r);
        if (!branch || (!stays(l, branch, 0) && !stays(l, branch, 1))) return;
        const uint32_t side = stays(l, branch, 1) ? 0 : 1;
        l->ways[l->depth] = r;
        l->branch[l->depth] = branch;
        l->side[l->depth++] = side;
        for (uint32_t i = 0; i < gw_loop_carried(f, l->loop); i++) {
            if (!l->at[i]) continue;
            l->at[i] = gw_arm_value(f, branch, side, gw_value_at(f, l->at[i])->index);
            if (l->at[i] == gw_loop_arg(f, l->loop, i)) l->at[i] = 0;
        }
        r = gw_op_at(f, branch)->region[side];
    }
}

/* ---- what may be computed for any iteration ---- */
typedef struct range {
    int64_t least, most;
} range;

static bool is_wide(const gw_func *f, gw_value v) {
    return gw_type_is_integer(gw_typeof(f, v)) && gw_type_bits(gw_typeof(f, v)) >= 32;
}

/* The range of an index, in all iterations that may be asked about. */
static bool find_range(const leaving *l, gw_value v, range *r) {
    const gw_func *f = l->f;
    int64_t c;
    for (gw_op cast; (cast = gw_made_by(f, v, GW_OP_CAST)) != 0 && is_wide(f, gw_operand(f, cast, 0));)
        v = gw_operand(f, cast, 0);
    const gw_op op = gw_value_at(f, v)->op;
    if (!is_wide(f, v)) return false;
    if (gw_const_int(f, v, &c)) return *r = (range){c, c}, true;
    if (v == gw_loop_arg(f, l->loop, l->index)) return *r = (range){l->from, l->most - 1}, true;
    const uint16_t code = op ? gw_op_at(f, op)->code : 0;
    if ((code != GW_OP_ADD && code != GW_OP_MUL) || !gw_const_int(f, gw_operand(f, op, 1), &c) || c < 0 ||
        c > MOST_BOUND || !find_range(l, gw_operand(f, op, 0), r) || r->least < 0)
        return false;
    *r = code == GW_OP_ADD ? (range){r->least + c, r->most + c} : (range){r->least * c, r->most * c};
    return r->most < INT32_MAX;
}

/* The cell exists, and all lanes find it as it is in the iteration. */
static bool exists(const leaving *l, gw_op load) {
    const gw_func *f = l->f;
    const gw_op_data *o = gw_op_at(f, load);
    const gw_object_data *object = gw_object_at(f, o->object);
    range r;
    if (object->kind != GW_OBJECT_SHARED || object->sized || !o->operands ||
        gw_path_through_pointer(f->session, object->type, gw_cstr(f->session, o->path)))
        return false;
    for (uint32_t i = 0; i < o->operands; i++)
        if (!find_range(l, gw_operand(f, load, i), &r) ||
            !gw_cell_has_index(f, o->object, o->path, i, r.least) ||
            !gw_cell_has_index(f, o->object, o->path, i, r.most))
            return false;
    return true;
}

static bool is_alike(const leaving *l, gw_value v) {
    const gw_func *f = l->f;
    if (gw_value_visible(f, v, gw_op_at(f, l->loop)->parent)) return l->uniform->value[v] <= GW_UNIFORM_WARP;
    return l->alike[v];
}

static bool is_alike_op(const leaving *l, gw_op op) {
    const gw_func *f = l->f;
    const gw_op_data *o = gw_op_at(f, op);
    if (o->results != 1 || o->regions) return false;
    for (uint32_t i = 0; i < o->operands; i++)
        if (!is_alike(l, gw_operand(f, op, i))) return false;
    if (o->code == GW_OP_LOAD) return exists(l, op);
    const bool divides = o->code == GW_OP_DIV || o->code == GW_OP_REM;
    return gw_op_rows[o->code].effect == GW_EFFECT_PURE &&
           !(divides && gw_type_is_integer(gw_typeof(f, o->first_result)));
}

/* What that costs that is computed on the ways. */
static int find_alike(leaving *l) {
    const gw_func *f = l->f;
    int cost = 0;
    l->alike[gw_loop_arg(f, l->loop, l->index)] = true;
    for (uint32_t i = 0; i < l->depth; i++) {
        for (gw_op op = gw_first(f, l->ways[i]); op; op = gw_next(f, op)) {
            if (is_alike_op(l, op)) l->alike[gw_result(f, op, 0)] = true;
            if (!gw_op_at(f, op)->regions && gw_op_at(f, op)->code != GW_OP_LOAD) cost += gw_cost_of_op(f, op);
        }
    }
    return cost;
}

static bool qualifies(leaving *l) {
    const gw_func *f = l->f;
    const gw_op_data *o = gw_op_at(f, l->loop);
    if (o->code != GW_OP_WHILE || o->flags & GW_OP_EXIT || l->uniform->region[o->parent] > GW_UNIFORM_WARP ||
        !does_no_more(f, l->loop) || !gw_is_pure_but(f, o->region[0], 0))
        return false;
    l->in_time = gw_part_of(f, gw_loop_test(f, l->loop), counts_up, l);
    if (!l->in_time || l->in_time == gw_loop_test(f, l->loop) || !find_counters(l)) return false;
    find_ways(l);
    return l->depth && find_alike(l) >= GW_LOOK_LEAST_COST;
}

/* ---- counters behind the loop ---- */

/* v, behind the loop, is what it made of a carried value, or what that was where it did not run. */
static bool hands_on(const leaving *l, gw_value v, gw_value made, gw_value was) {
    const gw_func *f = l->f;
    const gw_op branch = gw_made_by(f, v, GW_OP_IF);
    if (v == made || !branch) return v == made;
    const gw_region at = gw_op_at(f, l->loop)->parent, *side = gw_op_at(f, branch)->region;
    const bool inside = gw_region_inside(f, at, side[0]) || gw_region_inside(f, at, side[1]);
    for (uint32_t i = 0; i < 2; i++) {
        const gw_value x = gw_arm_value(f, branch, i, gw_value_at(f, v)->index);
        const bool runs = !inside || gw_region_inside(f, at, side[i]);
        if (runs ? !hands_on(l, x, made, was) : x != was) return false;
    }
    return true;
}

/* Once it does not hold behind the loop, it does not hold before it either, as long as `around` runs. */
static bool is_for_good(const leaving *l, gw_op around, gw_value v) {
    const gw_func *f = l->f;
    const gw_op_data *o = gw_op_at(f, l->loop), *out = gw_op_at(f, around);
    const gw_region test = o->region[0], body = gw_loop_body(f, around);
    if (v == l->in_time || gw_value_visible(f, v, out->parent)) return true;
    for (uint32_t i = 0; i < gw_loop_carried(f, l->loop); i++) {
        if (v != gw_arg(f, test, i)) continue;
        for (uint32_t k = 0; k < gw_loop_carried(f, around); k++)
            if (gw_loop_init(f, l->loop, i) == gw_loop_arg(f, around, k))
                return hands_on(l, gw_loop_next(f, around, k), gw_result(f, l->loop, i),
                                gw_loop_arg(f, around, k));
        return false;
    }
    const gw_op op = gw_value_at(f, v)->op;
    if (!op || gw_op_at(f, op)->regions || gw_op_rows[gw_op_at(f, op)->code].effect != GW_EFFECT_PURE ||
        !gw_region_inside(f, gw_op_at(f, op)->parent, body))
        return false;
    for (uint32_t i = 0; i < gw_op_at(f, op)->operands; i++)
        if (!is_for_good(l, around, gw_operand(f, op, i))) return false;
    return true;
}

static void add_once(gw_value_list *list, gw_value v) {
    for (uint32_t i = 0; i < list->count; i++)
        if (list->at[i] == v) return;
    gw_push(list, v);
}

/* Adds what a use of a handed value makes of it to the list; false: it is used there. */
static bool follow_use(const leaving *l, gw_op around, gw_op user, uint32_t operand, gw_value_list *handed) {
    const gw_func *f = l->f;
    const gw_op holder = gw_op_around(f, user);
    const gw_op_data *o = gw_op_at(f, user);
    if (user == l->loop) return true; /* it is what the counter is at first */
    if (o->code != GW_OP_YIELD || !holder) return false;
    if (gw_op_at(f, holder)->code == GW_OP_IF) return add_once(handed, gw_result(f, holder, operand)), true;
    const uint32_t first = gw_loop_first_yield(f, around);
    if (holder != around || o->parent != gw_loop_body(f, around) || operand < first) return false;
    add_once(handed, gw_result(f, around, operand - first));
    add_once(handed, gw_loop_arg(f, around, operand - first));
    if (gw_op_at(f, around)->code == GW_OP_WHILE)
        add_once(handed, gw_arg(f, gw_op_at(f, around)->region[0], operand - first));
    return true;
}

/* What counter i is behind the loop is handed on to where the loop begins with it, and is used for nothing
 * else. */
static bool comes_back_only(const leaving *l, gw_op around, uint32_t i) {
    const gw_func *f = l->f;
    gw_value_list handed = {0};
    bool all = true;
    gw_push(&handed, gw_result(f, l->loop, i));
    for (uint32_t k = 0; k < handed.count && all; k++)
        for (gw_op op = gw_first(f, f->entry); op && all; op = gw_walk(f, op, f->entry))
            for (uint32_t n = 0; n < gw_op_at(f, op)->operands && all; n++)
                if (gw_operand(f, op, n) == handed.at[k])
                    all = op == l->loop ? n == gw_loop_first_init(f, op) + i
                                        : follow_use(l, around, op, n, &handed);
    gw_vec_free(&handed);
    return all;
}

/* Counter i matters behind the loop where the lane has left it. */
static bool must_be_counted(const leaving *l, uint32_t i) {
    const gw_func *f = l->f;
    if (!l->step[i] || !gw_count_uses(f, gw_result(f, l->loop, i))) return false;
    const gw_op around = gw_loop_around(f, l->loop);
    return !around || !is_for_good(l, around, gw_loop_test(f, l->loop)) || !comes_back_only(l, around, i);
}

/* ---- the two loops ---- */
typedef struct look {
    gw_value end, trips; /* the bound, where that is not below the first index; how many iterations there are */
    gw_value rest;       /* of the condition: whether the lane goes on */
    gw_value_list kept;  /* numbers of carried values that are no counters */
    gw_value_list args;  /* those in the body; if `counts`, a number more: how many iterations the lane ran */
    bool counts;
} look;

/* Whether a lane with these values goes on; 0: it cannot be computed there. */
static gw_value goes_on(const leaving *l, const look *k, gw_builder *b, const gw_value *values) {
    gw_value_map map = {0};
    for (uint32_t i = 0; i < k->kept.count; i++)
        gw_map_set(&map, gw_arg(l->f, gw_op_at(l->f, l->loop)->region[0], k->kept.at[i]), values[i]);
    const gw_value made = gw_value_outside(b, k->rest, &map);
    gw_map_free(&map);
    return made;
}

static gw_value left_of(const leaving *l, gw_builder *b, gw_value go_on, gw_value trips) {
    return gw_look_most(b, l->lanes, gw_select(b, go_on, trips, gw_int(b, GW_T_I32, 0)));
}

/* Bits for those of 32 iterations in which a lane may have all conditions; 0: nothing is known of them. */
static gw_value find_candidates(leaving *l, gw_builder *b, gw_value first, gw_value left) {
    gw_func *f = l->f;
    const gw_type type = gw_typeof(f, first);
    gw_value behind = gw_cast(b, GW_T_U32, gw_binary(b, GW_OP_SUB, left, gw_int(b, GW_T_I32, 1)));
    gw_value lane = gw_look_lane(b), own = gw_binary(b, GW_OP_IMIN, lane, behind);
    gw_value asked = gw_look_named(f, gw_binary(b, GW_OP_ADD, first, gw_cast(b, type, own)), "asked");
    gw_value there = gw_binary(b, GW_OP_LE, lane, behind), possible = 0;
    gw_spans spans = {.f = f,
                      .uniform = l->uniform,
                      .loop = l->loop,
                      .ways = l->ways,
                      .way_count = l->depth,
                      .alike = l->alike,
                      .index = gw_loop_arg(f, l->loop, l->index),
                      .lanes = l->lanes,
                      .iteration = asked,
                      .b = b};
    for (uint32_t i = l->depth; i-- > 0;) /* the last is made of most */
        possible = gw_joined(b, GW_OP_AND,
                             gw_span_possible(&spans, gw_operand(f, l->branch[i], 0), !l->side[i]), possible);
    gw_value may = gw_look_may(&spans, possible, there);
    gw_spans_free(&spans);
    if (!may) return 0;
    return gw_look_candidates(b, l->lanes, gw_look_saying(b, l->lanes, may, "reached"), behind);
}

/* What counter i is, or was at first, after so many iterations. */
static gw_value counted(const leaving *l, gw_builder *b, uint32_t i, gw_value done) {
    const gw_value init = gw_loop_init(l->f, l->loop, i);
    return gw_binary(b, l->step[i] > 0 ? GW_OP_ADD : GW_OP_SUB, init, gw_cast(b, gw_typeof(l->f, init), done));
}

/* The old body, with its index and its counters. */
static void move_body(leaving *l, const look *k, const gw_look_loop *n, gw_value first) {
    gw_func *f = l->f;
    gw_builder in = n->in;
    const gw_region body = gw_loop_body(f, l->loop);
    const gw_value bits = gw_arg(f, in.region, 0);
    gw_value_map map = {0};
    gw_value_list next = {0};
    gw_value index =
        gw_binary(&in, GW_OP_ADD, first, gw_cast(&in, gw_typeof(f, first), gw_look_bit(&in, bits)));
    gw_value_at(f, index)->name = gw_value_at(f, gw_loop_arg(f, l->loop, l->index))->name;
    gw_value done = gw_binary(&in, GW_OP_SUB, index, gw_int(&in, gw_typeof(f, index), l->from));
    for (uint32_t i = 0; i < gw_loop_carried(f, l->loop); i++)
        if (l->step[i])
            gw_map_set(&map, gw_loop_arg(f, l->loop, i), i == l->index ? index : counted(l, &in, i, done));
    for (uint32_t i = 0; i < k->kept.count; i++)
        gw_map_set(&map, k->args.at[i], gw_arg(f, in.region, 1 + i));
    const gw_op end = gw_region_end(f, body);
    for (gw_op op = gw_first(f, body), then; op != end; op = then) {
        then = gw_next(f, op);
        gw_op_move(f, op, in.region, 0);
    }
    gw_push(&next, gw_look_rest(&in, bits));
    for (uint32_t i = 0; i < k->kept.count; i++)
        gw_push(&next, gw_operand(f, end, k->kept.at[i]));
    if (k->counts)
        gw_push(&next,
                gw_cast(&in, GW_T_I32, gw_binary(&in, GW_OP_ADD, done, gw_int(&in, gw_typeof(f, done), 1))));
    gw_yield(&in, next.at, next.count);
    gw_rename_from(f, gw_first(f, in.region), &map);
    gw_map_free(&map);
    gw_vec_free(&next);
}

/* Such a loop; the number of iterations that a lane ran has a name of its own. */
static gw_look_loop open_loop(const look *k, gw_builder *b, gw_value first, const char *name,
                              const gw_value *carried) {
    gw_func *f = b->f;
    const gw_look_loop n = gw_look_open(b, first, name, carried, k->args.at, k->args.count);
    const uint32_t last = k->args.count;
    const gw_str word = gw_intern(f->session, "ran");
    if (!k->counts) return n;
    gw_value_at(f, gw_result(f, n.op, last))->name = word;
    gw_value_at(f, gw_arg(f, n.test.region, last))->name = word;
    gw_value_at(f, gw_arg(f, n.in.region, last))->name = word;
    return n;
}

static gw_value_list arguments_of(const gw_func *f, const look *k, gw_region r) {
    gw_value_list some = {0};
    for (uint32_t i = 0; i < k->args.count; i++)
        gw_push(&some, gw_arg(f, r, 1 + i));
    return some;
}

static gw_value_list results_of(const gw_func *f, const look *k, gw_op op) {
    gw_value_list some = {0};
    for (uint32_t i = 0; i < k->args.count; i++)
        gw_push(&some, gw_result(f, op, 1 + i));
    return some;
}

/* Goes through the candidates; the loop. */
static gw_look_loop go_through(leaving *l, const look *k, gw_builder *b, gw_value first, gw_value candidates) {
    gw_func *f = l->f;
    gw_value_list carried = arguments_of(f, k, b->region);
    gw_look_loop n = open_loop(k, b, candidates, "candidates", carried.at);
    gw_value_list asked = arguments_of(f, k, n.test.region);
    const gw_value some = gw_look_any(&n.test), more = goes_on(l, k, &n.test, asked.at);
    const gw_value both = gw_binary(&n.test, GW_OP_AND, more, some);
    gw_yield(&n.test, &both, 1);
    move_body(l, k, &n, first);
    gw_vec_free(&asked);
    gw_vec_free(&carried);
    return n;
}

static look look_of(const leaving *l, gw_builder *b) {
    gw_func *f = l->f;
    const gw_region test = gw_op_at(f, l->loop)->region[0];
    const gw_value end = gw_value_outside(b, l->bound, NULL);
    const gw_type type = gw_typeof(f, l->bound);
    gw_builder asks = {f, test, gw_region_end(f, test), b->loc};
    look k = {.rest = gw_without_part(&asks, gw_loop_test(f, l->loop), l->in_time)};
    for (uint32_t i = 0; i < gw_loop_carried(f, l->loop); i++) {
        l->by_lane[i] = must_be_counted(l, i);
        k.counts |= l->by_lane[i];
        if (l->step[i]) continue;
        gw_push(&k.kept, i);
        gw_push(&k.args, gw_loop_arg(f, l->loop, i));
    }
    if (k.counts) gw_push(&k.args, gw_int(b, GW_T_I32, 0));
    if (!end) return k;
    const bool below = gw_type_is_signed(type) || l->from;
    k.end = below ? gw_binary(b, GW_OP_IMAX, end, gw_int(b, type, l->from)) : end;
    k.trips = gw_cast(b, GW_T_I32, gw_binary(b, GW_OP_SUB, k.end, gw_int(b, type, l->from)));
    return k;
}

/* What was carried is what the new loop makes of it. */
static void replace(const leaving *l, const look *k, gw_builder *b, gw_op made) {
    gw_func *f = l->f;
    gw_value_map map = {0};
    gw_value_list results = results_of(f, k, made);
    gw_value ran = 0;
    if (k->counts) ran = gw_select(b, goes_on(l, k, b, results.at), k->trips, results.at[k->kept.count]);
    for (uint32_t i = 0, n = 0; i < gw_loop_carried(f, l->loop); i++) {
        const gw_value old = gw_result(f, l->loop, i);
        if (!l->step[i])
            gw_map_set(&map, old, results.at[n++]);
        else if (gw_count_uses(f, old))
            gw_map_set(&map, old, counted(l, b, i, l->by_lane[i] ? ran : k->trips));
    }
    gw_op_remove(f, l->loop);
    gw_replace_many(f, &map);
    gw_map_free(&map);
    gw_vec_free(&results);
}

/* A look at 32 iterations, and what follows; false: nothing is known of them. */
static bool fill(leaving *l, const look *k, gw_look_loop *outer) {
    gw_func *f = l->f;
    gw_builder *in = &outer->in;
    const gw_value zero = gw_int(&outer->test, GW_T_I32, 0), left = gw_arg(f, in->region, 0),
                   some = gw_binary(&outer->test, GW_OP_GT, gw_arg(f, outer->test.region, 0), zero);
    gw_yield(&outer->test, &some, 1);
    const gw_value back = gw_cast(in, gw_typeof(f, k->end), left),
                   first = gw_look_named(f, gw_binary(in, GW_OP_SUB, k->end, back), "first"),
                   candidates = find_candidates(l, in, first, left);
    if (!candidates) return false;
    const gw_look_loop inner = go_through(l, k, in, first, candidates);
    gw_value_list carried = results_of(f, k, inner.op), next = {0};
    const gw_value less = gw_binary(in, GW_OP_SUB, left, gw_int(in, GW_T_I32, GW_LOOK_LANES));
    gw_push(&next, left_of(l, in, goes_on(l, k, in, carried.at), less));
    for (uint32_t i = 0; i < carried.count; i++)
        gw_push(&next, carried.at[i]);
    gw_yield(in, next.at, next.count);
    gw_vec_free(&carried);
    gw_vec_free(&next);
    return true;
}

/* False: nothing is known of an iteration before it runs, and the function is not what it was. */
static bool rewrite(leaving *l) {
    gw_func *f = l->f;
    const gw_op_data old = *gw_op_at(f, l->loop);
    gw_builder b = {f, old.parent, l->loop, old.loc};
    look k = look_of(l, &b);
    gw_value_list carried = {0};
    for (uint32_t i = 0; i < k.kept.count; i++)
        gw_push(&carried, gw_loop_init(f, l->loop, k.kept.at[i]));
    if (k.counts) gw_push(&carried, k.args.at[k.kept.count]);
    const gw_value go_on = k.end ? goes_on(l, &k, &b, carried.at) : 0;
    bool done = false;
    if (go_on) {
        l->lanes = gw_present_lanes(f);
        gw_look_loop outer = open_loop(&k, &b, left_of(l, &b, go_on, k.trips), "left", carried.at);
        gw_op_at(f, outer.op)->origin = old.origin;
        gw_op_at(f, outer.op)->note = gw_intern(
            f->session, "a warp asks by bounds over its lanes, one iteration a lane, in which of 32 any "
                        "lane may do something, and each goes through those until it is done");
        done = fill(l, &k, &outer);
        if (done) replace(l, &k, &b, outer.op);
    }
    gw_vec_free(&carried);
    gw_vec_free(&k.kept);
    gw_vec_free(&k.args);
    return done;
}

/* Rewrites a copy of f, and f becomes that if something is known of the loop's iterations. */
static void search(gw_func *f, gw_op loop) {
    gw_func *work = gw_func_copy(f);
    gw_uniform u;
    gw_uniform_new(&u, f);
    const uint32_t carried = gw_loop_carried(f, loop) + 1;
    leaving l = {.f = work,
                 .uniform = &u,
                 .loop = loop,
                 .step = gw_alloc(carried * sizeof *l.step),
                 .by_lane = gw_alloc(carried),
                 .at = gw_alloc(carried * sizeof *l.at),
                 .alike = gw_alloc(f->values.count + 1)};
    const bool done = qualifies(&l) && rewrite(&l);
    gw_uniform_free(&u);
    if (done) gw_func_take(f, work);
    gw_func_free(work);
    free(l.step);
    free(l.by_lane);
    free(l.at);
    free(l.alike);
}

void gw_look_leaving(gw_func *f) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead || o->code != GW_OP_WHILE || o->flags & GW_OP_EXIT) continue;
        if (does_no_more(f, op)) search(f, op);
    }
}
