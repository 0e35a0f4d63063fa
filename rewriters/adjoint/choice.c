/*
 * adjoint/choice.c - how each loop, branch and array of a function is reversed: the one place that decides.
 *
 * A loop or branch is either run again in the reverse sweep (adjoint/region.c) or recorded (adjoint/record.c);
 * the stores to an object are either left as they are or undone on the way back (adjoint/reload.c). All are
 * right where they are possible at all, so the choice is one of cost: derivatives are built and their costs
 * compared (cost.c). The search starts with everything recorded, and walks from the outside in: running a loop
 * again makes its iterations independent parts, in which the same question comes up for what is nested. What a
 * recorded part stores, and what it computes again, is chosen for each of these derivatives by itself
 * (adjoint/storage.c).
 *
 * The halves of a split gradient are recorded as a whole, for nothing else is there when the second one runs,
 * but for loops with GW_CHECKPOINT whose segments it can run again (adjoint/segment.c). So is all of a program
 * that works on memory which kernels see.
 *
 * A kernel's parts are always run again: its threads have little memory for records, and its stores are seen
 * by others. Nothing else is refused on the host for a value that was overwritten: what is needed is recorded,
 * and stores to the caller's memory that it depends on are performed and undone.
 */
#include "analysis/ir/requests.h"
#include "rewriters/adjoint/adjoint_private.h"
#include "rewriters/formula/formula.h"
#include "analysis/ir/optional.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORK = 1000000 }; /* ops built in all trials of one derivative */

typedef struct search {
    gw_session *s;
    uint32_t request;
    gw_form form;
    const gw_func *p;
    gw_choice *best;
    double cost;
    uint64_t work;
} search;

static void drop_last(gw_session *s) { gw_func_free(s->funcs.at[--s->funcs.count]); }

/* Stores to the object inside the op that are not to a later life of it. */
static bool stores_to(const gw_func *p, gw_op op, gw_object o) { return gw_touches(p, op, o, GW_TOUCH_WRITE); }

static bool is_marked(const gw_func *p, gw_op op) { return gw_is_loop(p, op) && gw_op_at(p, op)->imm.i; }

/* A program's loops with GW_CHECKPOINT are segments wherever they are; all else around what it does to memory
 * is recorded. */
static bool must_rerun(const gw_func *p, gw_op op) {
    return gw_has_op(p, op, GW_OP_DEVICE) ? is_marked(p, op) : gw_adjoint_must_rerun(p, op);
}

/* An undone store must be inside recorded parts, or in a region that is not repeated. */
static bool must_record(const gw_choice *c, const gw_func *p, gw_op op) {
    if (gw_has_op(p, op, GW_OP_DEVICE) || gw_holds_ordered(p, op)) return !is_marked(p, op);
    for (gw_object o = 1; o < p->objects.count; o++)
        if (c->undone[o] && stores_to(p, op, o) && !gw_declares(p, op, o)) return true;
    return false;
}

static void force_records(gw_choice *c, const gw_func *p) {
    for (gw_op op = 1; op < p->ops.count; op++)
        if (!gw_op_at(p, op)->dead && gw_op_at(p, op)->regions && must_record(c, p, op)) c->recorded[op] = true;
}

/* Calls cannot be undone, and what must run again cannot be recorded. */
static bool can_undo(const gw_func *p, gw_object o) {
    for (gw_op op = 1; op < p->ops.count; op++) {
        const gw_op_data *d = gw_op_at(p, op);
        if (d->dead) continue;
        if (d->object == o && d->flags & GW_OP_WRITES) return false;
        if (d->regions && gw_adjoint_must_rerun(p, op) && stores_to(p, op, o) && !gw_declares(p, op, o))
            return false;
    }
    return true;
}

/* Objects whose needed values the derivative does not have: their stores are undone from now on. */
static bool undo_stale(gw_choice *c, const gw_func *p, const gw_func *f) {
    bool changed = false;
    for (gw_op op = 1; op < f->ops.count; op++) {
        if (!gw_adjoint_is_stale(f, op)) continue;
        gw_object o = gw_op_at(f, op)->object; /* parameters and globals have the numbers of the primal's */
        if (o >= p->objects.count || c->undone[o] || !can_undo(p, o)) continue;
        c->undone[o] = changed = true;
    }
    if (changed) force_records(c, p);
    return changed;
}

static bool is_complete(const gw_func *f) {
    for (gw_op op = 1; op < f->ops.count; op++)
        if (gw_adjoint_is_stale(f, op) || gw_adjoint_is_unkept(f, op)) return false;
    return true;
}

static const gw_func *build(search *t, gw_choice *c) {
    const gw_func *f = gw_adjoint_build(t->s, t->request, t->form, c, NULL);
    t->work += f->ops.count;
    return f;
}

/* What the derivative needs of its recorded parts; objects that turn out to be needed as they were become
 * undone. */
static void survey(search *t, gw_choice *c) {
    const gw_func *p = t->p;
    bool again = true;
    while (again) {
        memset(c->repeated, 0, p->values.count);
        c->survey = gw_alloc(p->values.count * sizeof *c->survey);
        const gw_func *f = build(t, c);
        again = !c->split && p->kind == GW_FUNC_HOST && undo_stale(c, p, f);
        drop_last(t->s);
        if (!again) gw_storage_choose(c->survey, p, c->repeated);
        free(c->survey);
        c->survey = NULL;
    }
}

static double try(search *t, gw_choice *c) {
    survey(t, c);
    const gw_func *f = build(t, c);
    double cost = is_complete(f) ? gw_cost_of_func(f) : DBL_MAX;
    drop_last(t->s);
    return cost;
}

/* ---- choices ---- */
static void new_choice(gw_choice *c, const gw_func *p) {
    *c = (gw_choice){0};
    c->recorded = gw_alloc(p->ops.count);
    c->undone = gw_alloc(p->objects.count);
    c->repeated = gw_alloc(p->values.count);
    c->mark = gw_marks_find(p);
    c->program = gw_is_program(p);
    c->staged = gw_alloc(sizeof *c->staged);
    gw_staged_new(c->staged, p);
}

void gw_choice_free(gw_choice *c) {
    free(c->recorded);
    free(c->undone);
    free(c->repeated);
    free(c->mark);
    gw_staged_free(c->staged);
    free(c->staged);
}

static void copy_choice(gw_choice *to, const gw_choice *from, const gw_func *p) {
    memcpy(to->recorded, from->recorded, p->ops.count);
    memcpy(to->undone, from->undone, p->objects.count);
    memcpy(to->repeated, from->repeated, p->values.count);
}

/* Takes the changed choice if it is cheaper. */
static bool improve(search *t, gw_choice *c) {
    double cost = t->work < MOST_WORK ? try(t, c) : DBL_MAX;
    bool better = cost < t->cost;
    if (better) {
        t->cost = cost;
        copy_choice(t->best, c, t->p);
    }
    return better;
}

static void search_region(search *t, gw_region r) {
    const gw_func *p = t->p;
    for (gw_op op = gw_first(p, r); op; op = gw_next(p, op)) {
        if (!gw_op_at(p, op)->regions || must_record(t->best, p, op)) continue;
        if (must_rerun(p, op)) {
            for (uint32_t i = 0; i < gw_op_at(p, op)->regions; i++)
                search_region(t, gw_op_at(p, op)->region[i]);
            continue;
        }
        gw_choice c;
        new_choice(&c, p);
        copy_choice(&c, t->best, p);
        c.recorded[op] = false;
        bool again = improve(t, &c) && !t->best->recorded[op];
        gw_choice_free(&c);
        for (uint32_t i = 0; again && i < gw_op_at(p, op)->regions; i++)
            search_region(t, gw_op_at(p, op)->region[i]);
    }
}

/* The outermost recorded op around a store to the object holds its beginning too. */
static bool begins_in_record(const gw_choice *c, const gw_func *p, gw_object o) {
    for (gw_op op = 1; op < p->ops.count; op++)
        if (!gw_op_at(p, op)->dead && c->recorded[op] && gw_declares(p, op, o)) return true;
    return false;
}

static void search_objects(search *t) {
    const gw_func *p = t->p;
    for (gw_object o = 1; o < p->objects.count; o++) {
        if (gw_object_at(p, o)->kind != GW_OBJECT_LOCAL || t->best->undone[o] ||
            begins_in_record(t->best, p, o) || !can_undo(p, o))
            continue;
        gw_choice c;
        new_choice(&c, p);
        copy_choice(&c, t->best, p);
        c.undone[o] = gw_takes(t->s, GW_OPTIONAL_UNDONE);
        force_records(&c, p);
        improve(t, &c);
        gw_choice_free(&c);
    }
}

/* A kernel records what shared memory no longer holds and its reverse needs. */
static void record_shared(search *t) {
    bool again = true;
    while (again) {
        const gw_func *f = build(t, t->best);
        again = gw_adjoint_record_shared(t->best, t->p, f);
        drop_last(t->s);
    }
}

static bool has_parts(const gw_func *p) {
    for (gw_op op = gw_first(p, p->entry); op; op = gw_next(p, op))
        if (gw_op_at(p, op)->regions) return true;
    return false;
}

/* Whether all that a kernel's reverse needs is there if nests are reversed from what they ended with. */
static bool try_nests(search *t) {
    const gw_func *f = build(t, t->best);
    bool complete = is_complete(f);
    drop_last(t->s);
    return complete;
}

static bool carries_flag(const gw_func *p, gw_op loop) {
    for (uint32_t i = 0; i < gw_loop_carried(p, loop); i++)
        if (gw_typeof(p, gw_loop_arg(p, loop, i)) == GW_T_BOOL) return true;
    return false;
}

/* A loop in a loop, of those that a nest may have. */
static bool has_nest(const gw_func *p) {
    for (gw_op op = 1; op < p->ops.count; op++)
        if (!gw_op_at(p, op)->dead && gw_is_loop(p, op) && gw_loop_around(p, op) && carries_flag(p, op))
            return true;
    return false;
}

/* Some part of it. What that stores, and what it computes again, is to be chosen then. */
static bool records(const gw_choice *c, const gw_func *p) {
    for (gw_op op = 1; op < p->ops.count; op++)
        if (c->recorded[op] && !gw_op_at(p, op)->dead) return true;
    return false;
}

/* ---- segments of the halves ---- */
static bool try_segments(search *t, gw_op loop) {
    const gw_func *p = t->p;
    gw_choice c;
    new_choice(&c, p);
    copy_choice(&c, t->best, p);
    c.split = c.no_nests = true;
    for (gw_op op = 1; op < p->ops.count; op++)
        if (op == loop || (!gw_op_at(p, op)->dead && is_marked(p, op) &&
                           gw_region_inside(p, gw_op_at(p, op)->parent, gw_loop_body(p, loop))))
            c.recorded[op] = false;
    search inner = *t;
    inner.best = &c;
    record_shared(&inner);
    const gw_func *f = build(t, &c);
    bool good = !c.recorded[loop] && is_complete(f);
    drop_last(t->s);
    if (good) copy_choice(t->best, &c, p);
    gw_choice_free(&c);
    return good;
}

/* Marked loops whose segments the second half can run again, outermost first, each tried with the others
 * recorded. */
static void search_segments(search *t, gw_region r, const bool *whole) {
    const gw_func *p = t->p;
    for (gw_op op = gw_first(p, r); op; op = gw_next(p, op)) {
        if (is_marked(p, op) && !whole[op] && gw_adjoint_can_segment(p, op) && try_segments(t, op)) continue;
        for (uint32_t i = 0; i < gw_op_at(p, op)->regions; i++)
            search_segments(t, gw_op_at(p, op)->region[i], whole);
    }
}

static void choose_segments(search *t) {
    const gw_func *p = t->p;
    bool *whole = gw_alloc(p->ops.count);
    gw_adjoint_record_lanes(whole, p);
    for (gw_op op = 1; op < p->ops.count; op++)
        t->best->recorded[op] = !gw_op_at(p, op)->dead && is_marked(p, op);
    search_segments(t, p->entry, whole);
    free(whole);
}

void gw_choice_make(gw_choice *c, gw_session *s, uint32_t request, gw_form form) {
    const gw_func *p = s->requests.at[request].func;
    new_choice(c, p);
    c->split = gw_request_is_split(&s->requests.at[request]);
    if (c->split) {
        search halves = {.s = s, .request = request, .form = form, .p = p, .best = c};
        choose_segments(&halves);
        c->no_nests = !has_nest(p) || try(&halves, c) == DBL_MAX;
        if (c->no_nests) survey(&halves, c);
        return;
    }
    gw_adjoint_record_lanes(c->recorded, p);
    search t = {.s = s, .request = request, .form = form, .p = p, .best = c, .cost = DBL_MAX};
    bool shares = gw_adjoint_asks_shared(c, p);
    c->no_nests = p->kind != GW_FUNC_KERNEL || !has_nest(p);
    if (shares) record_shared(&t);
    if (!c->no_nests && !try_nests(&t)) {
        c->no_nests = true;
        if (shares) record_shared(&t);
    }
    if (p->kind != GW_FUNC_HOST) {
        if (records(c, p)) survey(&t, c);
        return;
    }
    gw_choice start;
    new_choice(&start, p);
    force_records(&start, p);
    if (has_parts(p)) {
        for (gw_op op = 1; op < p->ops.count; op++)
            c->recorded[op] = gw_op_at(p, op)->regions && !must_rerun(p, op);
        t.cost = try(&t, c);
        search_region(&t, p->entry);
        search_objects(&t);
    }
    improve(&t, &start);
    gw_choice_free(&start);
}
