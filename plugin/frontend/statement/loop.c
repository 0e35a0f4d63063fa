/*
 * frontend/statement/loop.c - loops: FOR where the loop counts, WHILE otherwise.
 *
 * The slots that the loop sets (frontend/statement/discover.c) are its carried values. A break or return inside
 * makes the first operand of the body's yield, the stop flag (GW_OP_EXIT); the carried values then are those of
 * the path that left. A condition with effects, and the one of a do loop, is evaluated in the body and stops
 * the loop by that flag.
 */
#include "plugin/frontend/call/call.h"
#include "plugin/frontend/lower.h"
#include "plugin/frontend/statement/statement.h"

#include "analysis/ir/diagnostics.h"

#include <stdlib.h>

typedef struct carried {
    uint32_t slot;
    gw_place target;    /* pointer slots that lead to one object: object and path, which stay */
    gw_targets targets; /* those that lead to several */
    uint32_t first, count;
} carried;
typedef struct loop_state {
    GW_VEC(carried) slots;
    GW_VEC(gw_value) initial;
    GW_VEC(gw_type) types;
    GW_VEC(gw_str) names;
    bool exits;
    uint32_t mark;
    gw_region outer;
} loop_state;

static void add_value(loop_state *s, gw_type type, gw_value v, gw_str name) {
    gw_push(&s->initial, v);
    gw_push(&s->types, type);
    gw_push(&s->names, name);
}

static void add_choice(gw_lowering *L, loop_state *s, carried *c, gw_place start, gw_str name) {
    c->count = gw_front_targets_width(&c->targets);
    gw_value *values = gw_alloc((c->count + 1) * sizeof *values);
    gw_front_targets_values(L, &c->targets, &start, values);
    for (uint32_t i = 0; i < c->count; i++)
        add_value(s, gw_typeof(L->f, values[i]), values[i], name);
    free(values);
}

/* A pointer that is not set before the loop starts at offset 0 of what the loop sets it to: no one may read it
 * before it is set. */
static void add_carried(gw_lowering *L, loop_state *s, uint32_t slot, const gw_targets *targets) {
    gw_slot_data d = L->slots.at[slot];
    carried c = {.slot = slot, .first = s->initial.count, .count = 1};
    if (d.kind != GW_SLOT_POINTER) {
        add_value(s, d.type, gw_front_slot_value(L, slot), d.name);
        gw_push(&s->slots, c);
        return;
    }
    if (d.value) c.target = L->pointers.at[d.value];
    gw_targets all = {0};
    gw_front_targets_add(L, &all, &c.target);
    for (uint32_t i = 0; i < targets->count; i++)
        gw_front_targets_add(L, &all, &targets->at[i]);
    all.torn |= targets->torn;
    if (all.count == 1 && !all.torn && c.target.kind != GW_PLACE_NONE) {
        gw_front_targets_free(&all);
        c.count = c.target.kind == GW_PLACE_MEMORY ? c.target.count : 0;
        for (uint32_t i = 0; i < c.count; i++) {
            gw_type type = gw_typeof(L->f, c.target.index[i]);
            if (i + 1 == c.count && type != GW_T_ADDRESS) type = GW_T_I64;
            add_value(s, type, gw_cast(&L->b, type, c.target.index[i]), d.name);
        }
    } else {
        c.targets = all;
        add_choice(L, s, &c, c.target, d.name);
    }
    gw_push(&s->slots, c);
}

/* The pointer whose values are those from `first` on. */
static uint32_t carried_pointer(gw_lowering *L, const carried *c, gw_value first) {
    gw_place t = c->target;
    gw_value *values = gw_alloc((c->count + 1) * sizeof *values);
    for (uint32_t k = 0; k < c->count; k++)
        values[k] = first + k;
    if (c->targets.at || c->targets.torn)
        t = gw_front_targets_place(L, &c->targets, values);
    else
        for (uint32_t k = 0; k < c->count; k++)
            t.index[k] = values[k];
    free(values);
    return t.kind ? gw_front_pointer_new(L, t) : 0;
}

/* Starts a region with the carried values as arguments and puts the slots on them. */
static gw_region enter_region(gw_lowering *L, const loop_state *s, gw_type counter, gw_str counter_name) {
    gw_region r = gw_region_new(L->f, 0);
    gw_value first = 0;
    if (counter) gw_region_arg(L->f, r, counter, counter_name);
    for (uint32_t i = 0; i < s->types.count; i++) {
        gw_value v = gw_region_arg(L->f, r, s->types.at[i], s->names.at[i]);
        if (!i) first = v;
    }
    L->b.region = r;
    for (uint32_t i = 0; i < s->slots.count; i++) {
        const carried *c = &s->slots.at[i];
        gw_slot_kind kind = L->slots.at[c->slot].kind;
        if (kind == GW_SLOT_EXIT) continue; /* false inside: the loop ends once it is true */
        if (kind == GW_SLOT_SCALAR) {
            gw_front_slot_set(L, c->slot, first + c->first);
        } else {
            gw_front_slot_set(L, c->slot, carried_pointer(L, c, first + c->first));
        }
    }
    return r;
}

static void yield_pointer(gw_lowering *L, const loop_state *s, const carried *c, gw_value *out) {
    uint32_t number = L->slots.at[c->slot].value;
    gw_place now = number ? L->pointers.at[number] : (gw_place){0};
    if (c->targets.at || c->targets.torn) {
        gw_front_targets_values(L, &c->targets, &now, out + c->first);
        return;
    }
    if (!c->target.kind || c->target.kind == GW_PLACE_TORN) return;
    if (!gw_front_same_target(&now, &c->target)) {
        if (!L->failed)
            gw_diag(L->session, GW_DIAG_UNSUPPORTED, L->b.loc, "a pointer that may lead to two objects",
                    "use the objects in the branches of an if; keep lists in arrays, by numbers of elements");
        L->failed = true;
        return;
    }
    for (uint32_t k = 0; k < c->count; k++)
        out[c->first + k] = gw_cast(&L->b, s->types.at[c->first + k], now.index[k]);
}

/* Ends the body: [stop,] next carried values. Leaves the slots as they were before the loop. */
static void leave_body(gw_lowering *L, const loop_state *s) {
    gw_value *values = gw_alloc((s->types.count + 1) * sizeof *values);
    gw_value *next = values + 1;
    gw_value stop = gw_front_exit_taken(L);
    values[0] = stop ? stop : gw_int(&L->b, GW_T_BOOL, 0);
    for (uint32_t i = 0; i < s->slots.count; i++) {
        const carried *c = &s->slots.at[i];
        if (L->slots.at[c->slot].kind == GW_SLOT_POINTER)
            yield_pointer(L, s, c, next);
        else
            next[c->first] = gw_front_slot_value(L, c->slot);
    }
    if (!L->failed) gw_yield(&L->b, s->exits ? values : next, s->types.count + s->exits);
    free(values);
    gw_front_slot_rollback(L, s->mark);
}

static void finish(gw_lowering *L, loop_state *s, gw_op op) {
    for (uint32_t i = 0; i < s->types.count; i++)
        gw_op_add_result(L->f, op, s->types.at[i], s->names.at[i]);
    if (s->exits) gw_op_at(L->f, op)->flags |= GW_OP_EXIT;
    for (uint32_t i = 0; i < s->slots.count; i++) {
        const carried *c = &s->slots.at[i];
        if (L->slots.at[c->slot].kind != GW_SLOT_POINTER) {
            gw_front_slot_set(L, c->slot, gw_result(L->f, op, c->first));
            continue;
        }
        gw_value first = c->count ? gw_result(L->f, op, c->first) : 0;
        gw_front_slot_set(L, c->slot, carried_pointer(L, c, first));
    }
}

static void free_state(loop_state *s) {
    for (uint32_t i = 0; i < s->slots.count; i++)
        gw_front_targets_free(&s->slots.at[i].targets);
    gw_vec_free(&s->slots);
    gw_vec_free(&s->initial);
    gw_vec_free(&s->types);
    gw_vec_free(&s->names);
}

static void open_break(gw_lowering *L, const gw_loop *loop) {
    gw_front_exit_open(L, loop->list ? GW_EXIT_DONE : GW_EXIT_BREAK);
    gw_push(&L->lists, true); /* exits of outer constructs are asked for at the end of the body */
}

static void close_break(gw_lowering *L) {
    L->lists.count--;
    L->exits.count--;
    L->dead = L->stopped = false;
}

/* The increment, where the body did not leave. */
static void increment(gw_lowering *L, const gw_loop *loop) {
    if (L->dead || L->failed) return;
    gw_value taken = gw_front_exit_taken(L);
    if (!taken) {
        gw_front_loop_increment(L, loop);
        return;
    }
    gw_branch rest = gw_front_guard_begin(L);
    gw_front_loop_increment(L, loop);
    gw_front_guard_end(L, taken, &rest);
}

static void counted_body(gw_lowering *L, const gw_loop *loop, const gw_discovery *d, gw_value iv,
                         bool increments) {
    gw_front_slot_set(L, d->counter, gw_cast(&L->b, L->slots.at[d->counter].type, iv));
    open_break(L, loop);
    if (d->steps_in_condition) gw_front_loop_condition(L, loop);
    gw_front_loop_body(L, loop);
    if (increments) increment(L, loop);
}

/* Upward to what stands before the loop. */
static void note_counted(gw_lowering *L, const gw_discovery *d, const gw_value *range, gw_value index) {
    gw_counted c = {.index = index};
    int64_t step;
    const bool up = d->compare == GW_OP_LT && gw_const_int(L->f, range[2], &step) && step > 0;
    if (up && gw_const_int(L->f, range[0], &c.low) && gw_const_int(L->f, range[1], &c.high))
        gw_push(&L->counted, c);
}

static void lower_counted(gw_lowering *L, const gw_loop *loop, const gw_discovery *d) {
    gw_slot_data counter = L->slots.at[d->counter];
    gw_type type = d->widened ? GW_T_I64 : d->type;
    gw_value bound, step;
    gw_front_counter_replay(L, d, &bound, &step);
    step = gw_cast(&L->b, type, gw_cast(&L->b, counter.type, step));
    if (d->subtract) step = gw_unary(&L->b, GW_OP_NEG, step);
    gw_value first = gw_cast(&L->b, type, gw_front_slot_value(L, d->counter));
    loop_state s = {.exits = d->exits, .outer = L->b.region};
    bool outlives = d->counter < loop->first_slot;
    gw_push(&s.initial, first);
    gw_push(&s.initial, gw_cast(&L->b, type, bound));
    gw_push(&s.initial, step);
    gw_value range[3] = {s.initial.at[0], s.initial.at[1], s.initial.at[2]};
    s.initial.count = 0;
    for (uint32_t i = 0; i < d->sets.count; i++)
        if (d->sets.at[i].slot != d->counter || outlives)
            add_carried(L, &s, d->sets.at[i].slot, &d->targets.at[i]);
    s.mark = L->journal.count;
    gw_region body = enter_region(L, &s, type, counter.name);
    const uint32_t counted = L->counted.count;
    note_counted(L, d, range, gw_arg(L->f, body, 0));
    counted_body(L, loop, d, gw_arg(L->f, body, 0), outlives || d->increment_matters);
    leave_body(L, &s);
    L->counted.count = counted;
    close_break(L);
    L->b.region = s.outer;
    GW_VEC(gw_value) operands = {0};
    for (int i = 0; i < 3; i++)
        gw_push(&operands, range[i]);
    for (uint32_t i = 0; i < s.initial.count; i++)
        gw_push(&operands, s.initial.at[i]);
    gw_front_locate(L, loop->statement);
    gw_op op = gw_emit(&L->b, GW_OP_FOR, GW_T_VOID, 0, operands.at, operands.count);
    gw_op_at(L->f, op)->attr = (uint16_t)(d->compare == GW_OP_NE ? GW_OP_LT : d->compare);
    gw_op_at(L->f, op)->imm.i = loop->checkpoint;
    gw_op_at(L->f, op)->policy = gw_front_openmp_keeps(L, loop->policy, loop->meetings);
    gw_front_attach(L, op, body);
    finish(L, &s, op);
    if (outlives && d->steps_in_condition) gw_front_loop_condition(L, loop); /* the one that ended the loop */
    gw_vec_free(&operands);
    free_state(&s);
}

/* Body of a loop whose condition is tested inside, before or after. */
static void tested_body(gw_lowering *L, const gw_loop *loop) {
    if (!loop->test_last) {
        gw_value go_on = gw_front_loop_condition(L, loop);
        gw_branch yes = gw_front_branch_begin(L);
        gw_front_loop_body(L, loop);
        increment(L, loop);
        gw_front_branch_end(L, &yes);
        gw_branch no = gw_front_branch_begin(L);
        gw_front_exit_take(L, GW_EXIT_BREAK);
        gw_front_branch_end(L, &no);
        gw_front_branch_join(L, go_on, &yes, &no);
        return;
    }
    uint32_t stopped = L->exits.at[L->exits.count - 1].slot;
    gw_front_loop_body(L, loop);
    if (L->dead || L->failed || loop->list) return;
    gw_value taken = gw_front_exit_taken(L);
    gw_branch rest = {0};
    if (taken) rest = gw_front_guard_begin(L);
    gw_value go_on = gw_front_loop_condition(L, loop);
    gw_front_slot_set(L, stopped, gw_unary(&L->b, GW_OP_NOT, go_on));
    if (taken) gw_front_guard_end(L, taken, &rest);
}

static void lower_general(gw_lowering *L, const gw_loop *loop, const gw_discovery *d) {
    bool inside = loop->test_last || !d->pure_condition;
    loop_state s = {.exits = d->exits || inside, .outer = L->b.region};
    for (uint32_t i = 0; i < d->sets.count; i++)
        add_carried(L, &s, d->sets.at[i].slot, &d->targets.at[i]);
    s.mark = L->journal.count;
    gw_region test = enter_region(L, &s, GW_T_VOID, 0);
    gw_value go_on = inside ? gw_int(&L->b, GW_T_BOOL, 1) : gw_front_loop_condition(L, loop);
    gw_yield(&L->b, &go_on, 1);
    gw_front_slot_rollback(L, s.mark);
    gw_region body = enter_region(L, &s, GW_T_VOID, 0);
    open_break(L, loop);
    if (inside) {
        tested_body(L, loop);
    } else {
        gw_front_loop_body(L, loop);
        increment(L, loop);
    }
    leave_body(L, &s);
    close_break(L);
    L->b.region = s.outer;
    gw_front_locate(L, loop->statement);
    gw_op op = gw_emit(&L->b, GW_OP_WHILE, GW_T_VOID, 0, s.initial.at, s.initial.count);
    gw_op_at(L->f, op)->imm.i = loop->checkpoint;
    gw_front_attach(L, op, test);
    gw_front_attach(L, op, body);
    finish(L, &s, op);
    free_state(&s);
}

/* Not counted after all: i != n from elsewhere than 0, and a counter whose value after the loop depends on how
 * the loop was left. */
static bool counts(gw_lowering *L, const gw_loop *loop, const gw_discovery *d) {
    int64_t first = -1;
    if (!d->counted || (d->steps_in_condition && d->exits && d->counter < loop->first_slot)) return false;
    if (d->compare != GW_OP_NE) return true;
    return gw_const_int(L->f, gw_front_slot_value(L, d->counter), &first) && first == 0;
}

static bool is_zero(CXCursor e) {
    while (clang_getCursorKind(e) == CXCursor_UnexposedExpr || clang_getCursorKind(e) == CXCursor_ParenExpr)
        e = gw_front_expression(e);
    bool literal = clang_getCursorKind(e) == CXCursor_IntegerLiteral ||
                   clang_getCursorKind(e) == CXCursor_CXXBoolLiteralExpr;
    int64_t n = 1;
    double real;
    bool is_real;
    return literal && gw_front_evaluate(e, &n, &real, &is_real) && n == 0;
}

/* do { ... } while (0): no loop, but break and continue leave it. */
static bool lower_once(gw_lowering *L, const gw_loop *loop) {
    if (!loop->test_last || !is_zero(loop->condition)) return false;
    gw_front_exit_open(L, GW_EXIT_BREAK);
    gw_front_loop_body(L, loop);
    gw_front_exit_close(L);
    return true;
}

/* A range that certainly has no elements: nothing of the body is looked at, since there is no element to
 * bind. */
static bool is_over_nothing(gw_lowering *L, const gw_loop *loop) {
    int64_t runs = 1;
    return loop->over_range && gw_const_int(L->f, gw_front_loop_condition(L, loop), &runs) && !runs;
}

static void run(gw_lowering *L, const gw_loop *loop) {
    const uint32_t refused = L->refused;
    gw_discovery *d = gw_front_discover(L, loop);
    gw_front_refused_since(L, refused); /* all of it has been looked at */
    if (L->failed) return;
    if (counts(L, loop, d))
        lower_counted(L, loop, d);
    else
        lower_general(L, loop, d);
}

void gw_front_repeat(gw_lowering *L, const gw_cursors *list) {
    const CXCursor none = clang_getNullCursor();
    const gw_loop loop = {.statement = list->at[0],
                          .init = none,
                          .variable = none,
                          .condition = none,
                          .increment = none,
                          .body = none,
                          .test_last = true,
                          .list = list,
                          .first_slot = L->slots.count};
    gw_front_locate(L, loop.statement);
    run(L, &loop);
}

void gw_front_loop(gw_lowering *L, CXCursor statement) {
    if (gw_front_mark(L, statement)) return;
    gw_scope scope = gw_front_scope(L);
    int64_t checkpoint = L->checkpoint;
    L->checkpoint = 0;
    const uint16_t policy = L->policy;
    L->policy = 0;
    gw_loop loop = gw_front_loop_clauses(L, statement);
    loop.policy = policy ? policy : gw_front_openmp_policy(L, statement);
    loop.meetings = L->openmp_meetings;
    int64_t given = gw_front_given_checkpoint(L, statement);
    loop.checkpoint = given ? given : checkpoint;
    if (!clang_Cursor_isNull(loop.init) && !L->failed) gw_front_statement(L, loop.init);
    if (!L->failed && !is_over_nothing(L, &loop) && !lower_once(L, &loop)) run(L, &loop);
    gw_front_scope_end(L, scope);
}
