/*
 * adjoint/nest_reverse.c - the reverse of a nest of two loops from what it ended with (nest.c says when, and
 * why that is right).
 *
 * Forward, the nest is the primal's. In the reverse sweep a loop without the inner one counts the iterations of
 * the outer one that may have had an effect, and how many trips of the inner one there were before them:
 *
 *     for (b = 0; b < batches; b++) {
 *         if (!__syncthreads_or(last > before)) break;   // without barriers: if (last <= before) break;
 *         before += bound;
 *         trips++;
 *     }
 *
 * So `before` never grows beyond what one batch allows behind `last`: both are below 2^31, and unsigned numbers
 * hold their sum.
 *
 * The reverse of the outer loop runs from there down, stages again what shared memory held, and does not run
 * the inner loop forward: its results are what the loop ended with, as far as they are needed at all. The
 * reverse of the inner loop runs the iterations up to the last effect and undoes the carried value; that and
 * `before` travel as states (adjoint/states.c).
 */
#include "analysis/facts/facts.h"
#include "rewriters/adjoint/nest/nest.h"
#include "rewriters/adjoint/recursion_private.h"
#include "rewriters/formula/formula.h"
#include "analysis/ir/optional.h"

#include <stdlib.h>

/* The halves of a split gradient have in common what the kernel never writes. */
static bool outlives_half(const gw_adjoint *a, gw_op op) {
    const gw_func *p = a->primal;
    const gw_op_data *o = gw_op_at(p, op);
    if (!a->choice->split || o->code != GW_OP_LOAD || gw_path_asks(gw_cstr(p->session, o->path))) return true;
    gw_object_kind kind = gw_object_at(p, o->object)->kind;
    return kind == GW_OBJECT_SHARED || (!gw_object_is_inner(kind) && !gw_signature_writes(p, o->object));
}

/* Nothing of the loop is recorded, so that it runs again. */
static bool runs_again(const gw_adjoint *a, gw_op loop) {
    const gw_func *p = a->primal;
    for (gw_op op = 1; op < p->ops.count; op++) {
        bool inside = op == loop || (!gw_op_at(p, op)->dead &&
                                     gw_region_inside(p, gw_op_at(p, op)->parent, gw_loop_body(p, loop)));
        if (inside && (a->choice->recorded[op] || !outlives_half(a, op))) return false;
    }
    return true;
}

static void keep_nest(gw_adjoint *a, const gw_nest *n) {
    for (int i = 0; i < GW_NEST_LOOPS; i++)
        if (n->loop[i] && a->kept[n->loop[i]].nest) return;
    gw_nest_round(a->f->session->requests.at[a->f->request].func, n, true);
    gw_nest *made = gw_alloc(sizeof *made);
    *made = *n;
    for (int i = 0; i < GW_NEST_LOOPS; i++)
        if (n->loop[i]) a->kept[n->loop[i]].nest = made;
}

static void find_nests(gw_adjoint *a, bool three) {
    const gw_func *p = a->primal;
    gw_nest n;
    for (gw_op op = 1; op < p->ops.count; op++) {
        if (gw_op_at(p, op)->dead || !gw_is_loop(p, op) || !gw_nest_find(p, &a->activity, op, &n)) continue;
        if (!runs_again(a, op) || !gw_takes(a->f->session, GW_OPTIONAL_NESTS)) continue;
        if ((n.loop[GW_NEST_MIDDLE] != 0) == three) keep_nest(a, &n);
    }
}

/* Two of three loops may be one, too. */
void gw_adjoint_find_nests(gw_adjoint *a) {
    find_nests(a, true);
    find_nests(a, false);
}

void gw_adjoint_free_nests(gw_adjoint *a) {
    for (gw_op op = 1; op < a->primal->ops.count; op++) {
        gw_nest *nest = a->kept[op].nest;
        if (!nest || nest->loop[GW_NEST_OUTER] != op) continue;
        for (int i = 0; i < GW_NEST_LOOPS; i++)
            if (nest->loop[i]) a->kept[nest->loop[i]].nest = NULL;
        free(nest);
    }
}

/* ---- a loop of the nest in the reverse iteration of the one around it: not run forward ---- */
void gw_adjoint_skip_inner(gw_adjoint *a, gw_op loop) {
    const gw_func *p = a->primal;
    const gw_nest *n = a->kept[loop].nest;
    const bool inner = loop == n->loop[GW_NEST_INNER];
    for (uint32_t i = 0; i < gw_op_at(p, loop)->results; i++)
        gw_map_set(&a->c.values, gw_result(p, loop, i),
                   gw_adjoint_unneeded(a, gw_typeof(p, gw_result(p, loop, i))));
    for (uint32_t k = 0; k < n->states; k++) {
        const uint32_t *value = n->state[k].value;
        const uint32_t i = inner ? value[GW_NEST_INNER] : gw_nest_handed_between(p, n, value[GW_NEST_OUTER]);
        gw_map_set(&a->c.values, gw_result(p, loop, i), gw_adjoint_of(a, n->state[k].key));
    }
}

/* ---- counting ---- */
typedef struct count {
    gw_adjoint *a;
    const gw_nest *n;
    gw_cloner c;
    gw_type type;
    gw_value last; /* number of the last iteration with an effect */
} count;

/* The counter may allow more than its difference has room for, or the numbers. */
static bool is_cut(const gw_func *f, gw_value start) {
    int64_t c;
    gw_type type = gw_typeof(f, start);
    return !gw_type_is_signed(type) || gw_type_bits(type) > 32 || !gw_const_int(f, start, &c) || c < 0;
}

/* Below 2^31; those of one iteration of the loop between, if there is one. */
static gw_value inner_trips(count *s) {
    gw_builder *b = s->c.to;
    gw_value start = gw_undo_make(&s->c, s->n->start), bound = gw_undo_make(&s->c, s->n->bound);
    if (s->n->ahead) start = gw_binary(b, GW_OP_ADD, start, gw_int(b, gw_typeof(b->f, start), 1));
    if (s->n->closed) bound = gw_binary(b, GW_OP_ADD, bound, gw_int(b, gw_typeof(b->f, bound), 1));
    gw_type type = gw_typeof(b->f, start), wide = gw_type_bits(type) > 32 ? GW_T_U64 : GW_T_U32;
    gw_value some = gw_binary(b, GW_OP_LT, start, bound), trips;
    if (is_cut(b->f, start)) {
        trips = gw_binary(b, GW_OP_SUB, gw_cast(b, wide, bound), gw_cast(b, wide, start));
        trips = gw_cast(b, s->type, gw_binary(b, GW_OP_IMIN, trips, gw_int(b, wide, INT32_MAX)));
    } else {
        trips = gw_cast(b, s->type, gw_binary(b, GW_OP_SUB, bound, start));
    }
    return gw_select(b, some, trips, gw_int(b, s->type, 0));
}

/* Those of all iterations of the loop between, which are as many each (nest.c). */
static gw_value full_trips(count *s) {
    const gw_op middle = s->n->loop[GW_NEST_MIDDLE];
    gw_builder *b = s->c.to;
    gw_value inner = inner_trips(s);
    if (!middle) return inner;
    gw_value bound = gw_undo_make(&s->c, gw_operand(s->c.from, middle, 1));
    const gw_type type = gw_typeof(b->f, bound);
    const int64_t step = gw_loop_step(s->c.from, middle);
    gw_value some = gw_binary(b, GW_OP_GT, bound, gw_int(b, type, 0));
    gw_value up = gw_binary(b, GW_OP_ADD, bound, gw_int(b, type, step - 1));
    gw_value trips = gw_cast(b, s->type, gw_binary(b, GW_OP_DIV, up, gw_int(b, type, step)));
    return gw_select(b, some, gw_binary(b, GW_OP_MUL, trips, inner), gw_int(b, s->type, 0));
}

/* Whether the thread, or any of the block, has something to do from here on. */
static gw_value goes_on(count *s, gw_value before) {
    gw_builder *b = s->c.to;
    gw_value own = gw_binary(b, GW_OP_GT, s->last, before);
    if (!s->n->meets) return own;
    gw_value asked = gw_cast(b, GW_T_I32, own);
    gw_op meet = gw_emit(b, GW_OP_BARRIER, GW_T_I32, 1, &asked, 1);
    gw_op_at(b->f, meet)->attr = GW_BARRIER_OR;
    return gw_binary(b, GW_OP_NE, gw_result(b->f, meet, 0), gw_int(b, GW_T_I32, 0));
}

static gw_value make_flag(count *s, gw_value flag) {
    return flag ? gw_undo_make(&s->c, flag) : gw_int(s->c.to, GW_T_BOOL, 0);
}

/* Sums up the trips of region r of the outer loop; *flag: the primal's flag, and then whether the loop is
 * left. */
static gw_value count_region(count *s, gw_region r, gw_value before, gw_value *flag) {
    const gw_func *p = s->c.from;
    gw_builder *b = s->c.to;
    gw_op branch = gw_nest_branch(p, s->n, r);
    if (!branch) {
        gw_value full = full_trips(s);
        *flag = make_flag(s, *flag);
        return gw_binary(b, GW_OP_ADD, before, full);
    }
    bool negated = false, yielded = *flag && gw_value_at(p, *flag)->op == branch;
    uint32_t k = yielded ? gw_value_at(p, *flag)->index : 0;
    if (s->n->test && gw_behind_not(p, gw_operand(p, branch, 0), &negated) == s->n->test) {
        gw_value stay = goes_on(s, before);
        gw_map_set(&s->c.values, s->n->test, s->n->negated ? stay : gw_unary(b, GW_OP_NOT, stay));
    }
    gw_value condition = gw_undo_make(&s->c, gw_operand(p, branch, 0));
    gw_op made = gw_emit(b, GW_OP_IF, GW_T_VOID, 0, &condition, 1);
    gw_value sum = gw_op_add_result(b->f, made, s->type, gw_intern(b->f->session, "before"));
    gw_value stop = gw_op_add_result(b->f, made, GW_T_BOOL, gw_intern(b->f->session, "stopped"));
    gw_builder saved = *b;
    for (uint32_t side = 0; side < 2; side++) {
        gw_region from = gw_op_at(p, branch)->region[side];
        count in = *s;
        in.c.values = gw_map_copy(&s->c.values);
        gw_value results[2] = {before, yielded ? gw_arm_value(p, branch, side, k) : *flag};
        b->region = gw_region_new(b->f, made);
        b->before = 0;
        bool on_the_way = gw_region_inside(p, gw_op_at(p, s->n->loop[GW_NEST_INNER])->parent, from);
        if (on_the_way) results[0] = count_region(&in, from, before, &results[1]);
        else results[1] = make_flag(&in, results[1]);
        gw_yield(b, results, 2);
        gw_map_free(&in.c.values);
    }
    *b = saved;
    *flag = stop;
    return sum;
}

static const char *const count_names[] = {"before", "trips", "stopped"};

/* What an iteration of the outer loop says: what came before the next one, its number, and whether that is not
 * run. */
typedef struct progress {
    gw_value before, trips, stopped;
} progress;

static progress count_iteration(count *s, gw_region from, progress was) {
    gw_builder *b = s->c.to;
    gw_op outer = s->n->loop[GW_NEST_OUTER];
    gw_value flag = gw_op_at(s->c.from, outer)->flags & GW_OP_EXIT ? gw_yielded(s->c.from, from, 0) : 0;
    gw_value none = 0, before = count_region(s, from, was.before, s->n->behind ? &none : &flag);
    if (s->n->behind) flag = gw_unary(b, GW_OP_NOT, goes_on(s, before));
    return (progress){before, gw_binary(b, GW_OP_ADD, was.trips, gw_int(b, GW_T_I32, 1)), flag};
}

/* This asks whether there is something to do where nothing in the primal does; an iteration without is none. */
static progress count_if_any(count *s, gw_region from, progress was) {
    gw_builder *b = s->c.to;
    gw_value stay = goes_on(s, was.before), now[3] = {was.before, was.trips, 0};
    gw_op made = gw_emit(b, GW_OP_IF, GW_T_VOID, 0, &stay, 1);
    for (uint32_t i = 0; i < 3; i++)
        gw_op_add_result(b->f, made, i < 2 ? gw_typeof(b->f, now[i]) : GW_T_BOOL,
                         gw_intern(b->f->session, count_names[i]));
    gw_builder saved = *b;
    for (uint32_t side = 0; side < 2; side++) {
        b->region = gw_region_new(b->f, made);
        b->before = 0;
        progress end = {was.before, was.trips, 0};
        if (side == 0) end = count_iteration(s, from, was);
        else end.stopped = gw_int(b, GW_T_BOOL, 1);
        gw_yield(b, (gw_value[]){end.before, end.trips, end.stopped}, 3);
    }
    *b = saved;
    return (progress){gw_result(b->f, made, 0), gw_result(b->f, made, 1), gw_result(b->f, made, 2)};
}

/* A loop with the header of the outer one that carries what came before, its own number, and whether it was
 * left. */
static gw_op open_count(gw_adjoint *a, gw_op outer, gw_type type) {
    gw_func *f = a->f;
    gw_value operands[6];
    for (uint32_t i = 0; i < 3; i++) operands[i] = gw_adjoint_value(a, gw_operand(a->primal, outer, i));
    operands[3] = gw_int(&a->b, type, 0);
    operands[4] = gw_int(&a->b, GW_T_I32, 0);
    operands[5] = gw_int(&a->b, GW_T_BOOL, 0);
    gw_op loop = gw_emit(&a->b, GW_OP_FOR, GW_T_VOID, 0, operands, 6);
    gw_op_at(f, loop)->attr = gw_op_at(a->primal, outer)->attr;
    gw_op_at(f, loop)->flags = GW_OP_EXIT;
    gw_op_at(f, loop)->note =
        gw_intern(f->session, "counts how often this loop ran, and the iterations of the loop inside of it "
                              "before the last time: nothing was stored");
    for (uint32_t i = 0; i < 3; i++)
        gw_op_add_result(f, loop, gw_typeof(f, operands[3 + i]), gw_intern(f->session, count_names[i]));
    gw_region body = gw_region_new(f, loop);
    gw_value index = gw_arg(a->primal, gw_loop_body(a->primal, outer), 0);
    gw_region_arg(f, body, gw_typeof(f, operands[0]), gw_value_at(a->primal, index)->name);
    for (uint32_t i = 0; i < 3; i++)
        gw_region_arg(f, body, gw_typeof(f, operands[3 + i]), gw_intern(f->session, count_names[i]));
    return loop;
}

static gw_op count_nest(gw_adjoint *a, const gw_nest *n, gw_value last) {
    const gw_func *p = a->primal;
    gw_op outer = n->loop[GW_NEST_OUTER], loop = open_count(a, outer, gw_typeof(a->f, last));
    gw_region body = gw_op_at(a->f, loop)->region[0], from = gw_loop_body(p, outer);
    gw_builder saved = a->b;
    a->b.region = body;
    a->b.before = 0;
    gw_map_set(&a->c.values, gw_arg(p, from, 0), gw_arg(a->f, body, 0));
    gw_adjoint_set_inductions(a, outer, gw_arg(a->f, body, 2));
    count s = {a,
               n,
               {.from = p, .to = &a->b, .values = gw_undo_values(a, outer), .objects = a->c.objects},
               gw_typeof(a->f, last),
               last};
    progress was = {gw_arg(a->f, body, 1), gw_arg(a->f, body, 2), 0},
             now = (n->test ? count_iteration : count_if_any)(&s, from, was);
    gw_yield(&a->b, (gw_value[]){now.stopped, now.before, now.trips, now.stopped}, 4);
    gw_map_free(&s.c.values);
    a->b = saved;
    return loop;
}

/* ---- the reverse ---- */
/* Values from outside of the nest are made available where its reverse begins. */
static void fetch(gw_adjoint *a, const gw_nest *n, gw_region r) {
    const gw_func *p = a->primal;
    gw_op outer = n->loop[GW_NEST_OUTER];
    for (gw_op op = gw_first(p, r); op; op = gw_walk(p, op, r)) {
        for (uint32_t i = 0; i < gw_op_at(p, op)->operands; i++)
            if (gw_value_visible(p, gw_operand(p, op, i), gw_op_at(p, outer)->parent))
                gw_adjoint_value(a, gw_operand(p, op, i));
    }
}

/* So are starts and steps of what the outer loop counts beside its index: the loop that counts asks for them in
 * its body. */
static void fetch_inductions(gw_adjoint *a, gw_op outer) {
    const gw_func *p = a->primal;
    gw_value step;
    bool down;
    for (uint32_t i = 0; i < gw_loop_carried(p, outer); i++) {
        if (!gw_loop_is_induction(p, outer, i, &step, &down)) continue;
        gw_adjoint_value(a, gw_loop_init(p, outer, i));
        gw_adjoint_value(a, step);
    }
}

/* What the thread ended with, of one state. */
static void end_of_state(gw_adjoint *a, gw_nest *n, gw_nest_state *s) {
    const gw_func *p = a->primal;
    gw_op outer = n->loop[GW_NEST_OUTER];
    s->last = gw_adjoint_output_of_loop(a, outer, gw_result(p, outer, s->effective[GW_NEST_OUTER]));
    const gw_op inner = n->loop[GW_NEST_INNER];
    const uint32_t flag = gw_value_at(p, s->flag)->index - gw_loop_first_arg(p, inner);
    if (s->late)
        s->stopped = gw_adjoint_output_of_loop(a, outer, gw_result(p, outer, gw_nest_handed_as(p, n, flag)));
    gw_value undone = gw_result(p, outer, s->value[GW_NEST_OUTER]),
             end = gw_adjoint_output_of_loop(a, outer, undone);
    s->key = gw_adjoint_add_state(a, outer, inner, gw_typeof(p, undone),
                                  gw_value_at(p, undone)->name, end);
    n->last = n->last ? gw_binary(&a->b, GW_OP_IMAX, n->last, s->last) : s->last;
}

static void begin_outer(gw_adjoint *a, gw_nest *n) {
    gw_op outer = n->loop[GW_NEST_OUTER];
    fetch_inductions(a, outer);
    fetch(a, n, gw_loop_body(a->primal, outer));
    n->last = 0;
    for (uint32_t k = 0; k < n->states; k++)
        end_of_state(a, n, &n->state[k]);
    gw_op counted = count_nest(a, n, n->last);
    n->key_before = gw_adjoint_add_state(a, outer, n->loop[GW_NEST_INNER], gw_typeof(a->f, n->last),
                                         gw_intern(a->f->session, "before"), gw_result(a->f, counted, 0));
    a->kept[outer].trip = gw_result(a->f, counted, 1);
    n->stopped = gw_result(a->f, counted, 2);
    n->frames = gw_adjoint_hide_frames(a);
}

/* The builder stands where the reverse of the inner loop is due. */
static void begin_inner(gw_adjoint *a, gw_nest *n) {
    const gw_func *p = a->primal;
    gw_op inner = n->loop[GW_NEST_INNER];
    gw_builder *b = &a->b;
    count s = {
        a,
        n,
        {.from = p, .to = b, .values = gw_undo_values(a, n->loop[GW_NEST_OUTER]), .objects = a->c.objects},
        gw_typeof(a->f, n->last),
        n->last};
    gw_value full = inner_trips(&s);
    gw_map_free(&s.c.values);
    n->before = gw_binary(b, GW_OP_SUB, gw_adjoint_of(a, n->key_before), full);
    gw_map_set(&a->adjoint, n->key_before, n->before);
    /* Behind its last one, a signed number of iterations below 0: none. */
    gw_value most = gw_type_is_signed(s.type) ? n->last : gw_binary(b, GW_OP_IMAX, n->last, n->before);
    gw_value trips = gw_binary(b, GW_OP_IMIN, gw_binary(b, GW_OP_SUB, most, n->before), full);
    a->kept[inner].trip = gw_type_is_signed(s.type) ? trips : gw_cast(b, GW_T_I32, trips);
    gw_value_at(a->f, a->kept[inner].trip)->name = gw_intern(a->f->session, "trips");
}

void gw_adjoint_nest_begin(gw_adjoint *a, gw_op loop) {
    gw_nest *n = a->kept[loop].nest;
    if (loop == n->loop[GW_NEST_OUTER]) begin_outer(a, n);
    if (loop == n->loop[GW_NEST_INNER]) begin_inner(a, n);
}

/* In the body of the outer loop's reverse; `last`: it is the last iteration. */
void gw_adjoint_nest_pin(gw_adjoint *a, gw_op outer, gw_value last) {
    const gw_nest *n = a->kept[outer].nest;
    if (!n->test) return;
    gw_value left = gw_binary(&a->b, GW_OP_AND, n->stopped, last);
    if (n->negated) left = gw_unary(&a->b, GW_OP_NOT, left);
    gw_map_set(gw_value_at(a->primal, n->test)->op ? &a->pinned : &a->c.values, n->test, left);
}

void gw_adjoint_nest_end(gw_adjoint *a, gw_op outer) {
    gw_adjoint_show_frames(a, a->kept[outer].nest->frames);
    gw_map_set(&a->pinned, a->kept[outer].nest->test, 0);
    gw_adjoint_drop_states(a, outer);
}
