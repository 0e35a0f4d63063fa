/*
 * accumulate.c - the accumulate pass: which rung of the ladder each addition takes that ownership left atomic.
 *
 * Requires ownership's decisions. Guarantees that an addition is either as it was, or, with others, part of a
 * COLLECT that stands where all threads come that it speaks of.
 *
 * An atomic addition may be summed over the lanes of a warp first where all lanes that make it have one cell:
 * its indices are the same in all of them (uniformity.c), in one iteration of each loop around it. It then
 * moves to where all lanes of the warp come (convergence.c, with the proof that nothing but the order of
 * additions changes): out of branches, to the end of the body of the innermost loop around it, which is changed
 * to run equally often in all lanes. All additions of one loop are tried together on a copy of the function,
 * which is taken if one of them gained.
 *
 * What an index is in lanes that do not take part is not known, so the others' comes from one that does.
 */
#include "analysis/ir/diagnostics.h"
#include "analysis/ir/reasons.h"
#include "analysis/ir/rungs.h"
#include "analysis/ir/warp.h"
#include "rewriters/accumulate/accumulate_private.h"
#include "analysis/facts/facts.h"
#include "analysis/clean/clean.h"
#include "analysis/ir/passes.h"
#include "analysis/ownership/ownership.h"
#include "rewriters/accumulate/accumulate.h"
#include "analysis/ir/restructure.h"
#include "rewriters/accumulate/slots_private.h"

#include <stdlib.h>

enum { MOST_INDICES = 16, LANES = 32, SOME_LANES = 13 };

typedef struct climber {
    gw_func *f;
    GW_VEC(gw_op) additions; /* atomic, of one loop */
} climber;

/* ---- what is asked of one addition ---- */
typedef struct trial {
    gw_op add;
    uint32_t levels; /* branches to leave */
    gw_rung rung;
    gw_reason why_not;
    gw_why why; /* the rung */
} trial;

static gw_uniformity uniformity_of_cell(const gw_uniform *u, gw_op add) {
    gw_uniformity most = GW_UNIFORM_GRID;
    for (uint32_t i = 0; i < gw_index_count(u->f, add); i++) {
        gw_uniformity level = (gw_uniformity)u->value[gw_operand(u->f, add, i)];
        if (level > most) most = level;
    }
    return most;
}

/* A number that threads of a block count: made of threadIdx, casts, constants and uniform values. */
static bool counts_threads(const gw_uniform *u, gw_value v) {
    const gw_func *f = u->f;
    if (u->value[v] <= GW_UNIFORM_WARP) return true;
    gw_op op = gw_value_at(f, v)->op;
    if (!op) return false;
    const gw_op_data *o = gw_op_at(f, op);
    if (o->code == GW_OP_SPECIAL) return true;
    if (o->code != GW_OP_CAST && o->code != GW_OP_ADD && o->code != GW_OP_SUB && o->code != GW_OP_MUL)
        return false;
    for (uint32_t i = 0; i < o->operands; i++)
        if (!counts_threads(u, gw_operand(f, op, i))) return false;
    return true;
}

/* Such a condition lets about one thread through: t == 0, t < 1. */
static bool is_for_one(const gw_uniform *u, gw_value condition) {
    const gw_func *f = u->f;
    gw_op op = gw_value_at(f, condition)->op;
    int64_t bound = 0;
    if (!op) return false;
    const gw_op_data *o = gw_op_at(f, op);
    if (o->code == GW_OP_AND) return is_for_one(u, gw_operand(f, op, 0)) || is_for_one(u, gw_operand(f, op, 1));
    if (o->code != GW_OP_EQ && o->code != GW_OP_LT) return false;
    gw_value a = gw_operand(f, op, 0), b = gw_operand(f, op, 1);
    if (gw_type_is_float(gw_typeof(f, a)) || !counts_threads(u, a) || !counts_threads(u, b)) return false;
    return o->code == GW_OP_EQ || (gw_const_int(f, b, &bound) && bound <= 2);
}

/* How far the addition has to go, and how many lanes bring something. */
static void climb(const gw_uniform *u, trial *t, gw_additions *a) {
    const gw_func *f = u->f;
    gw_object object = gw_op_at(f, t->add)->object;
    a->lanes = LANES;
    gw_op at = t->add;
    for (; u->region[gw_op_at(f, at)->parent] > GW_UNIFORM_WARP && !t->why_not;
         at = gw_op_around(f, at), t->levels++) {
        gw_op branch = gw_op_around(f, at);
        if (gw_op_at(f, branch)->code != GW_OP_IF) t->why_not = GW_REASON_LANES_LEAVE;
        if (!t->why_not) t->why_not = gw_cannot_pass(f, at, 0, object);
        if (t->why_not) return;
        bool then = gw_op_at(f, branch)->region[0] == gw_op_at(f, at)->parent;
        if (then && is_for_one(u, gw_operand(f, branch, 0))) a->lanes = 1;
        else if (a->lanes == LANES) a->lanes = SOME_LANES;
    }
    a->block_comes = u->region[gw_op_at(f, at)->parent] <= GW_UNIFORM_BLOCK;
}

/* Why the addition does not take the rung that a mark asks for, and takes another. */
static gw_reason why_not_asked(const gw_additions *a, gw_rung asked) {
    if (a->shared && asked != GW_RUNG_BLOCK) return GW_REASON_CELL_IS_SHARED;
    return asked == GW_RUNG_BLOCK && a->block_comes ? GW_REASON_OTHER_BLOCKS : GW_REASON_NOT_ALL_THREADS;
}

static void try_addition(gw_func *work, const gw_uniform *u, trial *t) {
    const gw_func *f = u->f;
    const gw_op_data *o = gw_op_at(f, t->add);
    const gw_asked_rung *asked = gw_asked_at(f, t->add);
    gw_additions a = {.shared = gw_object_at(f, o->object)->kind == GW_OBJECT_SHARED};
    gw_uniformity cell = uniformity_of_cell(u, t->add);
    if (cell > GW_UNIFORM_WARP) t->why_not = GW_REASON_DIFFERENT_CELLS;
    else if (gw_index_count(f, t->add) > MOST_INDICES) t->why_not = GW_REASON_LONG_INDEX;
    else climb(u, t, &a);
    if (t->why_not) return;
    a.one_cell = cell == GW_UNIFORM_GRID && !a.shared;
    a.block_comes &= cell <= GW_UNIFORM_BLOCK;
    a.of_block = a.block_comes && (a.shared || gw_exclusive_to(f, t->add) != GW_EXCLUSIVE_GRID);
    gw_rung rung = gw_asked_rung_at(f, t->add);
    if (f->session->options.deterministic && a.of_block && (rung == GW_RUNG_AUTO || rung == GW_RUNG_BLOCK)) {
        /* one thread adds sums in a fixed order */
        t->rung = GW_RUNG_BLOCK;
        t->why = gw_because(GW_REASON_BLOCK_HAS_CELL);
        return;
    }
    if (f->session->options.deterministic) { /* its sum goes to a row (accumulate/slots.c) */
        t->why_not = rung == GW_RUNG_AUTO ? gw_slots_refuse(work, t->add) : GW_REASON_OTHER_RUNG_ASKED;
        t->rung = t->why_not ? GW_RUNG_ATOMIC : GW_RUNG_WARP;
        t->why = gw_because(GW_REASON_SUM_TO_ROW);
        return;
    }
    t->rung = gw_accumulate_choose(&a, rung, &t->why);
    if (!asked || asked->rung == GW_RUNG_AUTO || t->rung == asked->rung) return;
    t->why_not = why_not_asked(&a, asked->rung);
    t->rung = GW_RUNG_ATOMIC;
}

/* ---- doing it ---- */
static void collect_alone(gw_func *f, const trial *t) {
    gw_accumulate how = gw_rung_rows[t->rung].how;
    gw_ownership_raise(f, t->add, how);
    gw_value lanes = gw_present_lanes(f);
    gw_builder b = {f, gw_op_at(f, t->add)->parent, gw_next(f, t->add), gw_op_at(f, t->add)->loc};
    gw_value operands[] = {lanes, gw_int(&b, GW_T_BOOL, 1)};
    gw_op end = gw_emit(&b, GW_OP_COLLECT, GW_T_VOID, 0, operands, 2);
    gw_op_at(f, end)->attr = (uint16_t)how;
    /* the constant stands between them */
    gw_op_move(f, t->add, b.region, end);
    for (uint32_t i = 0; i < t->levels; i++) end = gw_lift_addition(f, end);
}

/* Only lanes that take part have the index: what is not the same in all lanes is told by one of them. */
typedef struct told {
    gw_value value, active, to;
} told;
typedef struct teller {
    gw_builder b;
    const gw_uniform *u;
    gw_value lanes, active;
    GW_VEC(told) done; /* in this region */
} teller;

static gw_value broadcast(teller *t, gw_value v) {
    gw_builder *b = &t->b;
    for (uint32_t i = 0; i < t->done.count; i++)
        if (t->done.at[i].value == v && t->done.at[i].active == t->active) return t->done.at[i].to;
    gw_type type = gw_typeof(b->f, v), wide = gw_type_bits(type) < 32 ? GW_T_I32 : type;
    gw_value operands[] = {t->lanes, gw_cast(b, wide, v), gw_cast(b, GW_T_I32, t->active)};
    gw_op op = gw_emit(b, GW_OP_WARP, wide, 1, operands, 3);
    gw_op_at(b->f, op)->attr = GW_WARP_OF_ACTIVE;
    gw_value to = gw_cast(b, type, gw_result(b->f, op, 0));
    gw_push(&t->done, ((told){v, t->active, to}));
    return to;
}

static bool is_known(const teller *t, gw_value v) {
    return v >= t->u->f->values.count || t->u->value[v] <= GW_UNIFORM_WARP;
}

/* How many values would have to be told to compute v again. */
static uint32_t count_unknown(const teller *t, gw_value v) {
    const gw_func *f = t->b.f;
    gw_op op = gw_value_at(f, v)->op;
    uint32_t n = 0;
    if (is_known(t, v)) return 0;
    if (!gw_is_cheap(f, op)) return 1;
    for (uint32_t i = 0; i < gw_op_at(f, op)->operands; i++) n += count_unknown(t, gw_operand(f, op, i));
    return n;
}

static gw_value tell(teller *t, gw_value v) {
    gw_func *f = t->b.f;
    gw_op op = gw_value_at(f, v)->op;
    if (is_known(t, v)) return v;
    if (!gw_is_cheap(f, op) || count_unknown(t, v) != 1) return broadcast(t, v);
    gw_cloner c = {.from = f, .to = &t->b};
    for (uint32_t i = 0; i < gw_op_at(f, op)->operands; i++) {
        gw_value x = gw_operand(f, op, i);
        gw_map_set(&c.values, x, tell(t, x));
    }
    gw_clone_op(&c, op);
    gw_value made = gw_clone_value(&c, v);
    gw_map_free(&c.values);
    gw_map_free(&c.objects);
    return made;
}

static void tell_indices(gw_func *f, const gw_uniform *u, gw_region r) {
    teller t = {.u = u};
    for (gw_op op = gw_first(f, r); op; op = gw_next(f, op)) {
        for (uint32_t i = 0; i < gw_op_at(f, op)->regions; i++) tell_indices(f, u, gw_op_at(f, op)->region[i]);
        if (gw_op_at(f, op)->code != GW_OP_COLLECT) continue;
        gw_op add = gw_prev(f, op);
        t.b = (gw_builder){f, r, add, gw_op_at(f, add)->loc};
        t.lanes = gw_operand(f, op, 0);
        t.active = gw_operand(f, op, 1);
        /* an index that lanes tell each other is not the same in the warps that do not take part */
        bool block_knows = true;
        for (uint32_t i = 0; i < gw_index_count(f, add); i++)
            block_knows &= u->value[gw_operand(f, add, i)] <= GW_UNIFORM_BLOCK;
        if (gw_accumulates_by_block(gw_op_at(f, op)->attr) && !block_knows) gw_rung_by_warps(f, op);
        for (uint32_t i = 0; i < gw_index_count(f, add); i++)
            gw_set_operand(f, add, i, tell(&t, gw_operand(f, add, i)));
    }
    gw_vec_free(&t.done);
}

/* ---- all additions of one loop ---- */
/* Ownership's reason says already that lanes have different cells. */
static void say(gw_func *f, const trial *t) {
    if (t->why_not == GW_REASON_DIFFERENT_CELLS) return;
    gw_ownership_choose(f, t->add,
                        (gw_rung_choice){.rung = (uint16_t)(t->why_not ? GW_RUNG_WARP : t->rung),
                                         .refused = t->why_not != GW_REASON_NONE,
                                         .why = t->why_not ? gw_because(t->why_not) : t->why});
}

static void climb_together(climber *c, gw_op loop) {
    gw_func *work = gw_func_copy(c->f);
    gw_reason why_not = loop ? gw_converge_loop(work, loop) : GW_REASON_NONE;
    GW_VEC(trial) trials = {0};
    uint32_t gained = 0;
    gw_uniform u;
    gw_uniform_new(&u, why_not ? c->f : work);
    for (uint32_t i = 0; i < c->additions.count; i++) {
        trial t = {.add = c->additions.at[i], .rung = GW_RUNG_ATOMIC, .why_not = why_not};
        if (!why_not) try_addition(work, &u, &t);
        say(c->f, &t);
        gained += t.rung != GW_RUNG_ATOMIC;
        gw_push(&trials, t);
    }
    gw_uniform_free(&u);
    for (uint32_t i = 0; i < trials.count; i++)
        if (trials.at[i].rung != GW_RUNG_ATOMIC) collect_alone(work, &trials.at[i]);
    if (gained) gw_func_take(c->f, work);
    gw_func_free(work);
    gw_vec_free(&trials);
}

void gw_rung_climb(gw_func *f) {
    climber c = {.f = f};
    uint32_t count = f->ops.count;
    bool *done = gw_alloc(count);
    for (gw_op op = 1; op < count; op++) {
        if (done[op] || !gw_rung_climbs(f, op)) continue;
        gw_op loop = gw_loop_around(f, op);
        c.additions.count = 0;
        for (gw_op other = op; other < count; other++) {
            if (done[other] || !gw_rung_climbs(f, other) || gw_loop_around(f, other) != loop) continue;
            done[other] = true;
            gw_push(&c.additions, other);
        }
        climb_together(&c, loop);
    }
    gw_vec_free(&c.additions);
    free(done);
    gw_dce(f); /* what moved out of branches left behind */
}

void gw_rung_same_values(gw_func *f) { gw_cse(f); }

void gw_rung_tell(gw_func *f) {
    gw_uniform u;
    gw_func *before = gw_func_copy(f); /* its values are what the uniformity speaks of */
    gw_uniform_new(&u, before);
    tell_indices(f, &u, f->entry);
    gw_uniform_free(&u);
    gw_func_free(before);
}

/* With --deterministic: every addition that several threads may make to one cell is an error, also one of the
 * primal. */
static void check_order(const gw_func *f) {
    gw_session *s = f->session;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        bool of_primal = o->code == GW_OP_ATOMIC && gw_type_is_float(gw_cell_type(f, o->object, o->path));
        bool any_order = o->code == GW_OP_ACCUM && !gw_way(o->attr)->ordered;
        if (o->dead || (!of_primal && !any_order)) continue;
        const char *name = gw_cstr(s, gw_object_at(f, o->object)->name);
        uint32_t slots = s->decisions.at[o->decision].choice;
        gw_text why = {0};
        if (of_primal) gw_text_add(&why, "an atomic operation of the source");
        else gw_decision_reason(s, o->decision, &why);
        if (slots) gw_text_add(&why, "; ");
        if (slots) gw_rung_choice_text(s, slots, &why);
        gw_diag(s, GW_DIAG_NO_FIXED_ORDER, o->loc, name, why.at);
        gw_text_free(&why);
    }
}

static bool check_all_orders(const gw_session *s) {
    for (uint32_t i = 0; i < s->funcs.count; i++) {
        const gw_func *f = s->funcs.at[i];
        bool reverse = f->form == GW_FORM_GRAD || f->form == GW_FORM_PULLBACK || f->form == GW_FORM_FWD ||
                       f->form == GW_FORM_BWD || f->form == GW_FORM_GATHER;
        if (reverse && f->kind != GW_FUNC_HOST) check_order(f);
    }
    return !gw_session_failed(s);
}

bool gw_pass_order(gw_run *run) {
    return !run->session->options.deterministic || check_all_orders(run->session);
}

void gw_rung_check(gw_func *f) {
    gw_rung_check_asked(f);
    gw_rung_check_wished(f);
}
