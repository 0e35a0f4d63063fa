/*
 * ownership/premise.c - race-freedom of the primal as a premise (contract: premise_private.h).
 *
 * The idea is FormAD's (J. Hückelheim, L. Hascoët: Automatic Differentiation of Parallel Loops with Formal
 * Methods, ICPP 2022): if a thread stores to a cell without an atomic, and the primal has no data race, then
 * no other thread of another block accesses that cell at all in the kernel, and none of its own block between
 * the same two barriers (the front end refuses fences and volatile, and where the result of an atomic operation
 * decides what a thread does, nothing is concluded: ownership/ticket.c). A reference to the cell's shadow in
 * another thread at the same time would be the adjoint of such an access: the derivative has the barriers of
 * the primal in reverse order. Hence the shadow's cell belongs to the thread that stores, for every reference
 *   - whose origin is that store, or
 *   - whose origin is a load from the same address, in a region that runs only where the store's does, with no
 *     barrier between them; against every reference that likewise follows a primal access.
 *
 * "Follows" is what the adjoint and reduce passes promise: an access of a shadow runs only where its origin
 * did. A sum that was moved out of its loop must be guarded by the condition that the loop ran. What branches
 * and loops promise by their own origins is checked: around the access stands one that runs its body only where
 * the innermost guard of the access's origin, a branch or a loop that may not run, ran its own. Arms are not
 * told apart: no pass moves an access from one arm to the other.
 *
 * A store that a pass made from accesses of which only some write (GW_OP_UNSURE) is no premise: the source may
 * only read there, as other threads then may too.
 *
 * This holds for stores of a kernel only as far as its primal is free of races, also of those that write one
 * value twice. It cannot be checked at the launch and is listed in the report.
 */
#include "analysis/ir/atomic.h"
#include "analysis/ownership/premise_private.h"

#include "analysis/facts/facts.h"
#include "analysis/ir/restructure.h"

/* ---- what atomic operations decide ---- */
typedef struct trace {
    const gw_func *p;
    bool *made; /* values made of a result */
    bool changed, decides;
} trace;

static void reach(trace *t, gw_value v) {
    if (t->made[v]) return;
    t->made[v] = true;
    t->changed = true;
}

static void follow_control(trace *t, gw_op op) {
    const gw_func *p = t->p;
    const gw_op_data *o = gw_op_at(p, op);
    bool loop = gw_is_loop(p, op);
    uint32_t heads = loop ? gw_loop_first_init(p, op) : 1;
    for (uint32_t i = 0; i < heads; i++) t->decides |= t->made[gw_operand(p, op, i)];
    if (o->code == GW_OP_WHILE) t->decides |= t->made[gw_loop_test(p, op)];
    if (o->flags & GW_OP_EXIT) t->decides |= t->made[gw_loop_flag(p, op)];
    for (uint32_t i = 0; i < o->results; i++) {
        bool made = false;
        for (uint32_t k = 0; !loop && k < 2; k++) made |= t->made[gw_yielded(p, o->region[k], i)];
        if (loop) made = t->made[gw_operand(p, op, heads + i)] || t->made[gw_loop_next(p, op, i)];
        if (!made) continue;
        reach(t, gw_result(p, op, i));
        if (loop) reach(t, gw_loop_arg(p, op, i));
        if (o->code == GW_OP_WHILE) reach(t, gw_arg(p, o->region[0], i));
    }
}

static bool is_read(const gw_func *p, gw_object o) {
    for (gw_op op = 1; op < p->ops.count; op++)
        if (!gw_op_at(p, op)->dead && gw_op_at(p, op)->code == GW_OP_LOAD && gw_op_at(p, op)->object == o)
            return true;
    return false;
}

static void follow(trace *t, gw_op op) {
    const gw_func *p = t->p;
    const gw_op_data *o = gw_op_at(p, op);
    if (o->code == GW_OP_ATOMIC && o->results) {
        reach(t, o->first_result);
        t->decides |= gw_atomic_rows[o->attr].values == 2 ||
                      (o->attr >= GW_ATOMIC_EXCH && o->attr <= GW_ATOMIC_EXCH_SYSTEM);
    }
    if (o->regions) {
        follow_control(t, op);
        return;
    }
    bool made = false;
    for (uint32_t i = 0; i < o->operands; i++) made |= t->made[gw_operand(p, op, i)];
    if (!made) return;
    if (o->code == GW_OP_STORE || o->code == GW_OP_ATOMIC)
        t->decides |= t->made[gw_operand(p, op, o->operands - 1)] && is_read(p, o->object);
    else
        t->decides |= o->code == GW_OP_BARRIER || o->code == GW_OP_CALL;
    for (uint32_t i = 0; i < o->results; i++) reach(t, gw_result(p, op, i));
}

bool gw_atomics_decide(const gw_func *p) {
    bool any = false;
    for (gw_op op = 1; op < p->ops.count && !any; op++)
        any = !gw_op_at(p, op)->dead && gw_op_at(p, op)->code == GW_OP_ATOMIC && gw_op_at(p, op)->results;
    if (!any) return false;
    trace t = {.p = p, .made = gw_alloc(p->values.count + 1), .changed = true};
    while (t.changed) {
        t.changed = false;
        for (gw_op op = 1; op < p->ops.count; op++)
            if (!gw_op_at(p, op)->dead) follow(&t, op);
    }
    free(t.made);
    return t.decides;
}

static bool has_origin(const gw_func *f, gw_op ref) {
    gw_op origin = gw_op_at(f, ref)->origin;
    if (!origin || !f->primal || origin >= f->primal->ops.count) return false;
    const gw_op_data *o = gw_op_at(f->primal, origin);
    return !o->dead && (o->code == GW_OP_LOAD || o->code == GW_OP_STORE);
}

/* The innermost branch or loop that decides whether the op of the primal runs; 0: it always does. What is
 * further out decides whether that one runs. */
static gw_op guard_of(const gw_func *p, gw_op op) {
    while ((op = gw_op_around(p, op)) != 0)
        if (gw_op_at(p, op)->code == GW_OP_IF || !gw_runs_for_sure(p, op)) return op;
    return 0;
}

/* `at`, an op of the primal, ran only where the guard's body did: it is the guard, or has the same condition,
 * or stands in such a one. */
static bool implies(const gw_func *p, gw_op at, gw_op guard) {
    for (; at; at = gw_op_around(p, at)) {
        bool branches = gw_op_at(p, at)->code == GW_OP_IF && gw_op_at(p, guard)->code == GW_OP_IF;
        if (at == guard || (branches && gw_operand(p, at, 0) == gw_operand(p, guard, 0))) return true;
    }
    return false;
}

bool gw_premise_follows_origin(const gw_func *f, gw_op ref) {
    if (!has_origin(f, ref)) return false;
    const gw_func *p = f->primal;
    gw_op guard = guard_of(p, gw_op_at(f, ref)->origin);
    bool follows = !guard;
    for (gw_op at = gw_op_around(f, ref); at && !follows; at = gw_op_around(f, at)) {
        gw_op origin = gw_op_at(f, at)->origin;
        follows = origin && origin < p->ops.count && implies(p, origin, guard);
    }
    return follows;
}

/* Memory that threads share, so that a race on it would be one. */
static bool shared_memory(const gw_func *p, const gw_op_data *access) {
    gw_object_kind kind = gw_object_at(p, access->object)->kind;
    return kind == GW_OBJECT_POINTER || kind == GW_OBJECT_GLOBAL || kind == GW_OBJECT_SHARED ||
           gw_cell_behind_pointer(p, access->object, access->path);
}

bool gw_premise_may_use(const gw_func *p, gw_op op) {
    const gw_op_data *o = gw_op_at(p, op);
    return !o->dead && o->code == GW_OP_STORE && !(o->flags & GW_OP_UNSURE) && shared_memory(p, o) &&
           !gw_atomics_decide(p);
}

static gw_op sure_store(const gw_func *p, gw_op store) {
    return gw_op_at(p, store)->flags & GW_OP_UNSURE ? 0 : store;
}

/* The store to the cell that is loaded there, where it certainly runs before or after. */
static gw_op store_of_loaded(const gw_func *p, gw_op load) {
    const gw_op_data *o = gw_op_at(p, load);
    for (gw_op op = 1; op < p->ops.count; op++) {
        const gw_op_data *w = gw_op_at(p, op);
        if (w->dead || w->code != GW_OP_STORE || w->object != o->object || (w->flags & GW_OP_UNSURE)) continue;
        if (gw_same_address(p, op, load) && gw_region_inside(p, o->parent, w->parent) &&
            gw_intervals_same(p, op, load))
            return op;
    }
    return 0;
}

gw_op gw_premise_store(const gw_func *f, gw_op ref) {
    if (!gw_premise_follows_origin(f, ref)) return 0;
    const gw_func *p = f->primal;
    gw_op origin = gw_op_at(f, ref)->origin;
    const gw_op_data *o = gw_op_at(p, origin);
    if (!shared_memory(p, o)) return 0;
    const gw_op store = o->code == GW_OP_STORE ? sure_store(p, origin) : store_of_loaded(p, origin);
    return store && !gw_atomics_decide(p) ? store : 0;
}

bool gw_ownership_alone_by_premise(const gw_func *f, gw_op ref) {
    const uint32_t decision = gw_op_at(f, ref)->decision;
    return decision && gw_decision_by_premise(&f->session->decisions.at[decision]) && gw_premise_store(f, ref);
}
