/*
 * phases.c - the phases pass: barriers between additions that would meet each other's cells, of shared memory
 * here, of the caller's in turns.c.
 *
 *     if (t >= o) d_s[t - o] += v;   // each alone has a cell of its own in each thread,
 *     d_s[t] += v;                   // but thread t's second cell is the first of thread t + o
 *
 * With a barrier between them nobody is at the first while somebody is at the second, so ownership proves both:
 * plain additions instead of loops of compare-and-swap, and in a fixed order. In a loop that runs equally often
 * in all threads, a barrier at the end of the body does the same for cells that move from iteration to
 * iteration. Additions under conditions first leave the branches that threads may disagree about, each to a
 * branch of its own with the same condition.
 *
 * Sound: a barrier where all threads of the block come changes no value; an addition passes nothing that
 * accesses its object otherwise and no point where threads meet. It is done on a copy, which is taken if
 * ownership then proves at least as many more additions as there are more barriers; the ownership pass proves
 * them again.
 */
#include "rewriters/device/device.h"
#include "rewriters/device/phases_private.h"
#include "rewriters/motion/motion.h"
#include "analysis/ir/passes.h"
#include "analysis/ownership/ownership.h"
#include "analysis/ir/restructure.h"

#include <stdlib.h>

enum { MOST_REFERENCES = 128, MOST_OPERANDS = 20 };

typedef GW_VEC(gw_op) op_list;

/* ---- who meets whom ---- */
/* Additions of the object that meet others, if their rung is left to us; how many there are. */
static uint32_t find_meeting(gw_func *f, gw_object o, op_list *list) {
    gw_ownership w;
    uint32_t n = 0;
    gw_ownership_start(&w, f);
    gw_ownership_look_at(&w, o);
    for (uint32_t i = 0; i < w.refs.count && w.refs.count <= MOST_REFERENCES; i++) {
        if (!gw_phases_is_ours(&w, i) || gw_phases_is_alone(&w, i)) continue;
        n++;
        if (list) gw_push(list, w.refs.at[i]);
    }
    gw_ownership_end(&w);
    return n;
}

/* ---- out of branches ---- */
/* How many branches the addition has to leave to stand where all threads of the block come; false where it
 * cannot. */
static bool count_branches(const gw_func *f, gw_op add, uint32_t *levels) {
    gw_uniform u;
    bool good = gw_op_at(f, add)->operands < MOST_OPERANDS;
    gw_uniform_new(&u, f);
    *levels = 0;
    for (gw_op at = add; good && u.region[gw_op_at(f, at)->parent] > GW_UNIFORM_BLOCK;
         at = gw_op_around(f, at), ++*levels)
        good = gw_op_at(f, gw_op_around(f, at))->code == GW_OP_IF &&
               !gw_cannot_pass(f, at, 0, gw_op_at(f, add)->object);
    gw_uniform_free(&u);
    return good;
}

/* The addition behind the branch around it, for the threads that *active says (0: all that come); so it is
 * afterwards. */
static void leave_branch(gw_func *f, gw_op add, gw_value *active) {
    gw_op branch = gw_op_around(f, add);
    gw_value now[MOST_OPERANDS], own[MOST_OPERANDS], zero[MOST_OPERANDS];
    uint32_t operands = gw_op_at(f, add)->operands, extra = 0, place[MOST_OPERANDS],
             results = gw_op_at(f, branch)->results;
    uint32_t side = gw_op_at(f, branch)->region[0] == gw_op_at(f, add)->parent ? 0 : 1;
    gw_builder b = {f, gw_op_at(f, branch)->parent, branch, gw_op_at(f, add)->loc};
    for (uint32_t i = 0; i < operands + (*active != 0); i++) {
        gw_value v = i < operands ? gw_operand(f, add, i) : *active;
        now[i] = i < operands ? gw_value_outside(&b, v, NULL) : 0;
        if (now[i]) continue;
        place[i] = results + extra;
        zero[extra] = gw_zero(&b, gw_typeof(f, v));
        own[extra++] = v;
    }
    gw_value condition = gw_operand(f, branch, 0);
    if (side) condition = gw_unary(&b, GW_OP_NOT, condition);
    gw_op_move(f, add, b.region, gw_next(f, branch));
    if (extra) branch = gw_if_rebuild(f, branch, NULL, side ? zero : own, side ? own : zero, extra);
    for (uint32_t i = 0; i < operands; i++)
        gw_set_operand(f, add, i, now[i] ? now[i] : gw_result(f, branch, place[i]));
    *active = *active ? gw_result(f, branch, place[operands]) : condition;
}

/* Each addition that can to where all threads of the block come, under a branch of its own. */
static void leave_branches(gw_func *f, const op_list *additions) {
    for (uint32_t i = 0; i < additions->count; i++) {
        uint32_t levels;
        gw_value active = 0;
        gw_op origin = 0; /* of the innermost branch that has one: whoever is active was there */
        if (!count_branches(f, additions->at[i], &levels)) continue;
        for (uint32_t k = 0; k < levels; k++) {
            if (!origin) origin = gw_op_at(f, gw_op_around(f, additions->at[i]))->origin;
            leave_branch(f, additions->at[i], &active);
        }
        if (active) gw_op_at(f, gw_put_under(f, additions->at[i], active, 0))->origin = origin;
    }
}

/* ---- barriers ---- */
/* Two additions; reads and zeroings that somebody else adds to at the same time are not ours to mend. */
static bool additions_meet(gw_ownership *w, uint32_t i, uint32_t k) {
    return gw_phases_is_addition(w, i) && gw_phases_is_addition(w, k) && gw_phases_may_meet(w, i, k);
}

static void place(gw_phase_barriers *p, gw_region r) {
    const gw_func *f = p->f;
    gw_phase_refs open = {0}, here = {0};
    for (gw_op op = gw_first(f, r); op; op = gw_next(f, op)) {
        bool meets = gw_holds_block_barrier(f, op),
             loop = gw_is_loop(f, op) && gw_phases_is_uniform(p, gw_loop_body(f, op));
        gw_phases_find(p, op, &here);
        if (here.count && gw_phases_lists_meet(p, &open, &here)) {
            gw_phases_put(p, r, op);
            open.count = 0;
        }
        bool inner = here.count && gw_op_at(f, op)->regions &&
                     (meets || (loop && p->in_loops && gw_phases_lists_meet(p, &here, &here)));
        for (uint32_t i = 0; i < gw_op_at(f, op)->regions && inner; i++)
            if (gw_phases_is_uniform(p, gw_op_at(f, op)->region[i])) place(p, gw_op_at(f, op)->region[i]);
        if (inner && !meets) gw_phases_put(p, gw_loop_body(f, op), gw_region_end(f, gw_loop_body(f, op)));
        if (meets || inner) open.count = 0;
        else
            for (uint32_t i = 0; i < here.count; i++) gw_push(&open, here.at[i]);
    }
    gw_vec_free(&open);
    gw_vec_free(&here);
}

static uint32_t place_barriers(gw_func *f, gw_object o, bool in_loops) {
    gw_phase_barriers p = {.f = f, .level = GW_UNIFORM_BLOCK, .part = additions_meet, .in_loops = in_loops};
    gw_phases_say_why(&p, o, "threads");
    gw_ownership_start(&p.w, f);
    gw_ownership_look_at(&p.w, o);
    gw_uniform_new(&p.u, f);
    place(&p, f->entry);
    gw_uniform_free(&p.u);
    gw_ownership_end(&p.w);
    return p.made;
}

/* ---- one object ---- */
static bool try_phases(gw_func *f, gw_object o, const op_list *meeting, bool in_loops) {
    gw_func *copy = gw_func_copy(f);
    leave_branches(copy, meeting);
    uint32_t barriers = place_barriers(copy, o, in_loops);
    bool gained = barriers && find_meeting(copy, o, NULL) + barriers <= meeting->count;
    if (gained) gw_func_take(f, copy);
    gw_func_free(copy);
    return gained;
}

static void part_object(gw_func *f, gw_object o) {
    op_list meeting = {0};
    if (find_meeting(f, o, &meeting) > 0 && !try_phases(f, o, &meeting, true))
        try_phases(f, o, &meeting, false);
    gw_vec_free(&meeting);
}

bool gw_pass_phases(gw_run *run) {
    gw_session *s = run->session;
    for (uint32_t i = 0; i < s->funcs.count; i++) {
        gw_func *f = s->funcs.at[i];
        if (f->form != GW_FORM_GRAD || f->kind != GW_FUNC_KERNEL) continue;
        for (gw_object o = 1; o < f->objects.count; o++) {
            if (!gw_ownership_is_adjoint(f, o)) continue;
            if (gw_object_at(f, o)->kind == GW_OBJECT_SHARED) part_object(f, o);
            if (gw_object_at(f, o)->kind == GW_OBJECT_POINTER && !gw_coarsening(f)) gw_lanes_take_turns(f, o);
        }
    }
    return true;
}
