/*
 * adjoint/loop.c - derivative of FOR and WHILE.
 *
 * Forward: the loop as it is, plus at the start of each iteration a push of what the iteration starts from
 * (carried values, local arrays that it changes) and, where the header does not tell it, a count of
 * iterations. Reverse: iterations backward; each pops its start, runs its body forward and then backward.
 *
 * No tape and any order, if no iteration stores to a cell that another one reaches, and every carried value
 * is only ever added to (its value is then needed by no formula, and its adjoint is the same in all
 * iterations), or advances by an invariant step (it is then start + t * step). One carried value may be told
 * from the one after the iteration (nest/invert.c). The pushes that remain unused are removed with their
 * pops by dead-code elimination.
 */
#include "analysis/facts/facts.h"
#include "analysis/ir/atomic.h"
#include "analysis/ir/device.h"
#include "rewriters/adjoint/recursion_private.h"
#include "analysis/prove/prove.h"

#include <stdlib.h>

/* ---- properties of the primal loop ---- */

static bool is_sum_of(const gw_adjoint *a, gw_value v, gw_value arg, uint32_t *found);

static bool is_sum(const gw_adjoint *a, gw_value v, gw_value arg, uint32_t *found) {
    const gw_func *p = a->primal;
    if (v == arg) {
        ++*found;
        return true;
    }
    gw_op op = gw_value_at(p, v)->op;
    if (!op || a->uses[v] != 1) return false;
    const gw_op_data *o = gw_op_at(p, op);
    if (o->code == GW_OP_ADD)
        return is_sum_of(a, gw_operand(p, op, 0), arg, found) || is_sum_of(a, gw_operand(p, op, 1), arg, found);
    if (o->code == GW_OP_SUB) return is_sum_of(a, gw_operand(p, op, 0), arg, found);
    uint32_t i = gw_value_at(p, v)->index;
    if (o->code == GW_OP_IF) {
        gw_value x = gw_yielded(p, o->region[0], i);
        gw_value y = gw_yielded(p, o->region[1], i);
        return is_sum_of(a, x, arg, found) && is_sum_of(a, y, arg, found);
    }
    if (!gw_is_loop(p, op)) return false;
    gw_value inner = gw_loop_arg(p, op, i);
    gw_value next = gw_loop_next(p, op, i);
    uint32_t inside = 0;
    if (gw_op_at(p, op)->code == GW_OP_WHILE && a->uses[gw_arg(p, gw_op_at(p, op)->region[0], i)]) return false;
    if (!is_sum_of(a, next, inner, &inside) || inside != a->uses[inner]) return false;
    return is_sum_of(a, gw_loop_init(p, op, i), arg, found);
}

/* v is `arg` plus terms that do not depend on it; adds the uses of arg that this takes to *found, if it is. */
static bool is_sum_of(const gw_adjoint *a, gw_value v, gw_value arg, uint32_t *found) {
    const uint32_t before = *found;
    if (is_sum(a, v, arg, found)) return true;
    *found = before;
    return false;
}

typedef struct touched {
    gw_op sample, declared;
    bool same;
} touched;

/* Accesses to the object by the path; other paths reach other cells. */
static void survey_cells(const gw_func *p, gw_region r, gw_object o, gw_str path, touched *t) {
    for (gw_op op = gw_first(p, r); op; op = gw_walk(p, op, r)) {
        const gw_op_data *d = gw_op_at(p, op);
        bool access = d->code == GW_OP_LOAD || d->code == GW_OP_STORE;
        if (d->object != o || (access && d->path != path)) continue;
        if (d->code == GW_OP_DECLARE) {
            t->declared = op;
            continue;
        }
        if (!t->sample) t->sample = op;
        t->same &= access && gw_same_address(p, t->sample, op);
    }
}

/* The load whose value the store only adds to, with nothing between them that may reach the cell; 0 if it is no
 * such store. */
static gw_op added_to(const gw_adjoint *a, gw_op store) {
    const gw_func *p = a->primal;
    gw_object o = gw_op_at(p, store)->object;
    gw_op load = gw_op_at(p, store)->code == GW_OP_STORE ? gw_prev(p, store) : 0;
    while (load && !gw_touches(p, load, o, GW_TOUCH_READ | GW_TOUCH_WRITE)) load = gw_prev(p, load);
    if (!load || gw_op_at(p, load)->code != GW_OP_LOAD || !gw_same_address(p, load, store)) return 0;
    gw_value former = gw_result(p, load, 0), value = gw_operand(p, store, gw_op_at(p, store)->operands - 1);
    uint32_t found = 0;
    return is_sum_of(a, value, former, &found) && found == a->uses[former] ? load : 0;
}

/* atomicAdd, of which only the adjoint of the cell is read. */
static bool adds_atomically(const gw_op_data *d) {
    return d->code == GW_OP_ATOMIC && !d->results && gw_atomic_rows[d->attr].floats != 'w';
}

/* Accesses to the object in the region that are no addition to a cell of it; one is a load and a store, or
 * atomic. */
static int other_accesses(const gw_adjoint *a, gw_region r, gw_object o) {
    const gw_func *p = a->primal;
    int count = 0;
    for (gw_op op = gw_first(p, r); op; op = gw_walk(p, op, r)) {
        const gw_op_data *d = gw_op_at(p, op);
        if (d->object == o && !adds_atomically(d)) count += d->code == GW_OP_STORE && added_to(a, op) ? -1 : 1;
    }
    return count;
}

/* In the first half of a split gradient the thread's and the block's own memory has none yet, but will. */
static bool has_adjoint(const gw_adjoint *a, gw_object o) {
    return gw_map_get(&a->shadow, o) ||
           (gw_object_is_inner(gw_object_at(a->primal, o)->kind) && gw_active_object(&a->activity, o));
}

static bool store_apart(const gw_adjoint *a, gw_op loop, gw_op store) {
    const gw_func *p = a->primal;
    gw_object o = gw_op_at(p, store)->object;
    touched t = {.same = true};
    if (!has_adjoint(a, o)) return true;
    /* an addition's adjoint reads the cell's only */
    if (other_accesses(a, gw_loop_body(p, loop), o) == 0) return true;
    survey_cells(p, gw_loop_body(p, loop), o, gw_op_at(p, store)->path, &t);
    bool apart = t.declared != 0;
    for (uint32_t i = 0; t.same && i < gw_index_count(p, t.sample); i++)
        apart |= gw_tells_iteration(p, loop, gw_operand(p, t.sample, i));
    return apart;
}

/* No iteration stores to an adjoint cell that another iteration reaches: a store's adjoint consumes the
 * cell. */
bool gw_adjoint_stores_apart(const gw_adjoint *a, gw_op loop, gw_region r) {
    const gw_func *p = a->primal;
    for (gw_op op = gw_first(p, r); op; op = gw_walk(p, op, r)) {
        const gw_op_data *d = gw_op_at(p, op);
        bool writes = d->code == GW_OP_STORE || d->code == GW_OP_ATOMIC || d->flags & GW_OP_WRITES;
        if (d->code == GW_OP_DEVICE) return false; /* what kernels store, nobody knows here */
        if (d->object && writes && !store_apart(a, loop, op)) return false;
    }
    return true;
}

bool gw_adjoint_only_adds(const gw_adjoint *a, gw_op loop, uint32_t i) {
    const gw_func *p = a->primal;
    gw_value arg = gw_loop_arg(p, loop, i);
    uint32_t found = 0;
    return is_sum_of(a, gw_loop_next(p, loop, i), arg, &found) && found == a->uses[arg];
}

/* The adjoints of the iterations commute, if none needs a value that another one computed; where such values
 * are recorded, what carries no adjoint does not matter. */
static bool adjoints_commute(const gw_adjoint *a, gw_op loop, bool recorded) {
    const gw_func *p = a->primal;
    if (gw_op_at(p, loop)->code != GW_OP_FOR || gw_op_at(p, loop)->flags & GW_OP_EXIT ||
        !gw_adjoint_stores_apart(a, loop, gw_loop_body(p, loop)))
        return false;
    gw_region body = gw_loop_body(p, loop);
    for (uint32_t i = 0; i < gw_loop_carried(p, loop); i++) {
        gw_value step, arg = gw_arg(p, body, 1 + i);
        bool down;
        if (gw_loop_is_induction(p, loop, i, &step, &down)) continue;
        if (recorded && !gw_active_value(&a->activity, arg) &&
            !gw_active_value(&a->activity, gw_result(p, loop, i)))
            continue;
        if (!gw_adjoint_only_adds(a, loop, i)) return false;
    }
    return true;
}

static bool any_order(gw_adjoint *a, gw_op loop) {
    return adjoints_commute(a, loop, false) && !gw_adjoint_has_iteration_objects(a, loop) &&
           !gw_marks_in_loop(a, loop);
}

/* ---- forward ---- */
static void push_start(gw_adjoint *a, gw_op loop, gw_op copy) {
    const gw_func *p = a->primal;
    gw_kept *kept = &a->kept[loop];
    gw_region body = gw_loop_body(a->f, copy);
    gw_builder at = {a->f, body, gw_first(a->f, body), gw_op_at(p, loop)->loc};
    gw_adjoint_device_mark(a, loop, &at, GW_DEVICE_MARK);
    for (uint32_t i = 0; i < gw_loop_carried(p, loop); i++) {
        gw_value step, arg = gw_loop_arg(p, loop, i);
        bool down;
        gw_object slot = 0;
        if (!gw_adjoint_undoes(a, loop, i) && !gw_loop_is_induction(p, loop, i, &step, &down)) {
            slot = gw_adjoint_slot(a, gw_value_at(p, arg)->name, gw_typeof(p, arg));
            gw_adjoint_push(a, &at, slot, gw_loop_arg(a->f, copy, i));
            gw_marks_recorded(a, arg, slot, GW_STORED_CARRIED);
        }
        gw_push(&kept->slots, slot);
    }
    gw_adjoint_push_objects(a, loop, &at);
}

/* The loop also carries the number of iterations it ran, and before it, if that is asked for, whether it was
 * stopped. */
static void count_iterations(gw_adjoint *a, gw_op loop, gw_op copy, gw_value zero) {
    gw_func *f = a->f;
    gw_kept *kept = &a->kept[loop];
    bool stops = kept->inverse && !kept->flag;
    gw_value start[2] = {stops ? gw_int(&(gw_builder){f, a->b.region, copy, a->b.loc}, GW_T_BOOL, 0) : 0, zero};
    gw_op made = gw_loop_rebuild(f, copy, NULL, stops ? start : start + 1, stops ? 2 : 1);
    gw_region body = gw_loop_body(f, made);
    gw_op end = gw_region_end(f, body);
    if (stops) {
        gw_set_operand(f, end, gw_op_at(f, end)->operands - 2, gw_operand(f, end, 0));
        kept->stopped = gw_result(f, made, gw_op_at(f, made)->results - 2);
        gw_value_at(f, kept->stopped)->name = gw_intern(f->session, "stopped");
    }
    gw_value count = gw_arg(f, body, gw_region_at(f, body)->args - 1);
    gw_value_at(f, count)->name = gw_intern(f->session, "trips");
    gw_builder at = {f, body, end, a->b.loc};
    gw_value next = gw_binary(&at, GW_OP_ADD, count, gw_int(&at, GW_T_I32, 1));
    gw_set_operand(f, end, gw_op_at(f, end)->operands - 1, next);
    for (uint32_t i = 0; i < gw_op_at(a->primal, loop)->results; i++)
        gw_map_set(&a->c.values, gw_result(a->primal, loop, i), gw_result(f, made, i));
    if (kept->flag)
        kept->stopped =
            gw_clone_value(&a->c, gw_result(a->primal, loop, gw_value_at(a->primal, kept->flag)->index));
    kept->trip = gw_result(f, made, gw_op_at(f, made)->results - 1);
    gw_value_at(f, kept->trip)->name = gw_intern(f->session, "trips");
}

void gw_adjoint_loop_forward(gw_adjoint *a, gw_op loop) {
    gw_kept *kept = &a->kept[loop];
    if (kept->nest && !gw_adjoint_is_outer(a, loop)) {
        gw_adjoint_skip_inner(a, loop);
        return;
    }
    if (gw_adjoint_is_outer(a, loop)) {
        gw_clone_op(&a->c, loop);
        return;
    }
    kept->walked = gw_adjoint_can_walk(a, loop);
    if (kept->walked) {
        gw_clone_op(&a->c, loop);
        return;
    }
    kept->any_order = any_order(a, loop);
    if (!kept->any_order) gw_adjoint_find_iteration_objects(a, loop);
    gw_value zero = gw_int(&a->b, GW_T_I32, 0);
    gw_op copy = gw_clone_op(&a->c, loop);
    if (kept->any_order) return;
    if (gw_loop_snapshots(a->primal, loop)) {
        gw_adjoint_snapshots_forward(a, loop, copy);
        return;
    }
    if (!gw_adjoint_is_segmented(a, loop)) gw_adjoint_find_inverse(a, loop);
    push_start(a, loop, copy);
    gw_marks_push(a, loop, copy);
    const gw_op_data *o = gw_op_at(a->primal, loop);
    if (o->code == GW_OP_WHILE || o->flags & GW_OP_EXIT) count_iterations(a, loop, copy, zero);
}

/* ---- reverse ---- */
typedef struct header {
    gw_value operand[3]; /* lo, hi, step of the reverse FOR */
    gw_opcode attr;
    gw_type type;
    enum { SAME_INDEX, NUMBERED } kind; /* its index is the primal's, or the number of the iteration */
} header;

/* Loops that end at `first` see the number beyond it; shorter types than int would wrap around before that.
 * Where it is no constant, the text does not see it (emit/text/header.c). */
static bool has_beyond(const gw_func *p, gw_value first, bool up) {
    int64_t low, high, x;
    gw_type_range(gw_typeof(p, first), &low, &high);
    return gw_type_bits(gw_typeof(p, first)) >= 32 && !(gw_const_int(p, first, &x) && x == (up ? low : high));
}

/* for (k = lo; k < hi; ++k) backward is for (k = hi - 1; k >= lo; --k); signed index and unit step only. */
static bool unit_header(gw_adjoint *a, gw_op loop, header *h) {
    const gw_op_data *o = gw_op_at(a->primal, loop);
    int64_t step = gw_loop_step(a->primal, loop);
    if (a->kept[loop].trip || a->kept[loop].trip_forward) return false;
    h->type = gw_typeof(a->primal, gw_operand(a->primal, loop, 0));
    bool up = (o->attr == GW_OP_LT || o->attr == GW_OP_LE) && step == 1;
    bool falling = (o->attr == GW_OP_GT || o->attr == GW_OP_GE) && step == -1;
    if ((!up && !falling) || !gw_type_is_signed(h->type) ||
        !has_beyond(a->primal, gw_operand(a->primal, loop, 0), up))
        return false;
    gw_value lo = gw_adjoint_value(a, gw_operand(a->primal, loop, 0)),
             last = gw_adjoint_value(a, gw_operand(a->primal, loop, 1));
    gw_value back = gw_int(&a->b, h->type, up ? -1 : 1);
    if (o->attr == GW_OP_LT || o->attr == GW_OP_GT)
        last = gw_binary(&a->b, up ? GW_OP_SUB : GW_OP_ADD, last, gw_int(&a->b, h->type, 1));
    *h = (header){{last, lo, back}, up ? GW_OP_GE : GW_OP_LE, h->type, SAME_INDEX};
    return true;
}

static header make_header(gw_adjoint *a, gw_op loop) {
    const gw_func *p = a->primal;
    header h = {.kind = SAME_INDEX};
    if (a->kept[loop].any_order) {
        for (uint32_t i = 0; i < 3; i++) h.operand[i] = gw_adjoint_value(a, gw_operand(p, loop, i));
        h.attr = (gw_opcode)gw_op_at(p, loop)->attr;
        h.type = gw_typeof(p, gw_operand(p, loop, 0));
        return h;
    }
    if (gw_op_at(p, loop)->code == GW_OP_FOR && unit_header(a, loop, &h)) return h;
    gw_value trip = a->kept[loop].trip ? a->kept[loop].trip : gw_adjoint_recorded_trip(a, loop);
    if (!trip) trip = gw_adjoint_trips(a, loop);
    gw_type type = gw_typeof(a->f, trip);
    gw_value last = gw_binary(&a->b, GW_OP_SUB, trip, gw_int(&a->b, type, 1));
    return (header){{last, gw_int(&a->b, type, 0), gw_int(&a->b, type, -1)}, GW_OP_GE, type, NUMBERED};
}

/* Number of the iteration in the body of the reverse loop. */
static gw_value iteration_number(gw_adjoint *a, gw_op loop, const header *h, gw_value index) {
    if (h->kind == NUMBERED) return index;
    gw_value lo = gw_adjoint_value(a, gw_operand(a->primal, loop, 0));
    gw_value step = gw_adjoint_value(a, gw_operand(a->primal, loop, 2));
    return gw_binary(&a->b, GW_OP_DIV, gw_binary(&a->b, GW_OP_SUB, index, lo), step);
}

static void restore_memory(gw_adjoint *a, gw_op loop) {
    static const gw_device steps[] = {GW_DEVICE_RESTORE, GW_DEVICE_UNMARK, GW_DEVICE_LOG};
    for (uint32_t i = 0; i < sizeof steps / sizeof *steps; i++)
        gw_adjoint_device_mark(a, loop, &a->b, steps[i]);
}

/* Sets the values an iteration starts from: index and carried values. */
static void restore_start(gw_adjoint *a, gw_op loop, const header *h, gw_value index) {
    const gw_func *p = a->primal;
    gw_kept *kept = &a->kept[loop];
    gw_region body = gw_loop_body(p, loop);
    if (kept->taken) gw_adjoint_snapshots_restore(a, loop, iteration_number(a, loop, h, index));
    else gw_adjoint_pop_objects(a, loop, &a->b);
    if (!kept->taken && !gw_adjoint_is_recorded(a, loop)) restore_memory(a, loop);
    for (uint32_t k = gw_loop_carried(p, loop); k-- > 0;) {
        gw_value arg = gw_loop_arg(p, loop, k), step, v;
        bool down;
        if (gw_loop_is_induction(p, loop, k, &step, &down)) {
            gw_value start = gw_adjoint_value(a, gw_loop_init(p, loop, k));
            v = gw_adjoint_advance(a, start, iteration_number(a, loop, h, index), gw_adjoint_value(a, step),
                                   down);
            gw_value_at(a->f, v)->name = gw_value_at(p, arg)->name;
        } else if (kept->taken || gw_adjoint_is_recorded(a, loop) || gw_adjoint_undoes(a, loop, k)) {
            continue;
        } else if (kept->any_order || kept->nest) {
            v = gw_adjoint_unneeded(a, gw_typeof(p, arg));
        } else {
            v = gw_adjoint_pop(a, &a->b, kept->slots.at[k], gw_typeof(p, arg), gw_value_at(p, arg)->name);
        }
        gw_map_set(&a->c.values, arg, v);
    }
    if (gw_op_at(p, loop)->code != GW_OP_FOR) return;
    gw_value iv = index;
    if (h->kind == NUMBERED) {
        gw_value lo = gw_adjoint_value(a, gw_operand(p, loop, 0)),
                 by = gw_adjoint_value(a, gw_operand(p, loop, 2));
        iv = gw_adjoint_advance(a, lo, index, by, false);
    }
    gw_value_at(a->f, iv)->name = gw_value_at(p, gw_arg(p, body, 0))->name;
    gw_map_set(&a->c.values, gw_arg(p, body, 0), iv);
}

/* Carried by the reverse loop: adjoints of the carried values, then of the outer values. */
typedef struct carried {
    gw_value_list primal; /* active arguments of the body */
    GW_VEC(uint32_t) index;
    gw_value_list outer;
} carried;

static void find_carried(gw_adjoint *a, gw_op loop, carried *c) {
    const gw_func *p = a->primal;
    for (uint32_t i = 0; i < gw_loop_carried(p, loop); i++) {
        gw_value arg = gw_loop_arg(p, loop, i);
        if (!gw_active_value(&a->activity, arg) && !gw_active_value(&a->activity, gw_result(p, loop, i)))
            continue;
        gw_push(&c->primal, arg);
        gw_push(&c->index, i);
    }
    gw_adjoint_outer_values(a, loop, &c->outer);
}

static gw_value or_zero(gw_adjoint *a, gw_value adjoint, gw_value primal) {
    return adjoint ? adjoint : gw_adjoint_zero(a, primal);
}

typedef enum order { LAST_FIRST, ANY_WITH_RECORDS, ANY } order;

/* The state under `key`, or the states of a nest, are the carried values that are undone. */
static void resume(gw_adjoint *a, gw_op loop, const header *h, gw_region body, gw_value key) {
    gw_value last = gw_binary(&a->b, GW_OP_EQ, gw_arg(a->f, body, 0), h->operand[0]);
    bool inner = gw_adjoint_is_inner(a, loop); /* ends with an effect, so not by the test */
    gw_adjoint_resume_begin(a, loop, key,
                            inner ? gw_int(&a->b, GW_T_BOOL, 0)
                                  : gw_binary(&a->b, GW_OP_AND, a->kept[loop].stopped, last),
                            gw_arg(a->f, body, 0));
}

static bool undoes_stores(const gw_adjoint *a, gw_op loop) {
    for (gw_object o = 1; o < a->primal->objects.count; o++)
        if (a->choice->undone[o] && gw_touches(a->primal, loop, o, GW_TOUCH_WRITE)) return true;
    return false;
}

/* Ops of the body forward and backward; of a recorded one only backward. Says in which order the iterations may
 * run. */
static order reverse_region(gw_adjoint *a, gw_op loop, const header *h, gw_region body, const gw_value *seeds,
                            gw_value key) {
    bool undoes = key || gw_adjoint_is_inner(a, loop);
    const gw_func *p = a->primal;
    gw_region from = gw_loop_body(p, loop);
    bool recorded = gw_adjoint_is_recorded(a, loop);
    if (recorded) gw_adjoint_enter(a, from, a->kept[loop].forward[0], body);
    if (!recorded) gw_marks_pop(a, loop);
    restore_start(a, loop, h, gw_arg(a->f, body, 0));
    if (undoes) resume(a, loop, h, body, key);
    if (gw_adjoint_is_outer(a, loop))
        gw_adjoint_nest_pin(a, loop, gw_binary(&a->b, GW_OP_EQ, gw_arg(a->f, body, 0), h->operand[0]));
    if (!recorded) {
        if (!gw_adjoint_meets_directly(p, from)) gw_adjoint_meet_before(a, loop);
        gw_value_map outer = gw_adjoint_stage_begin(a, from);
        gw_adjoint_region(a, from, seeds, gw_loop_carried(p, loop), gw_loop_first_yield(p, loop));
        gw_adjoint_stage_end(a, &outer);
        if (undoes) gw_adjoint_resume_end(a);
        gw_marks_unpin(a, loop);
        return LAST_FIRST;
    }
    gw_adjoint_backward(a, from, seeds, gw_loop_carried(p, loop), gw_loop_first_yield(p, loop));
    bool recorded_something = gw_adjoint_leave(a);
    if (!adjoints_commute(a, loop, true) || undoes_stores(a, loop)) return LAST_FIRST;
    return recorded_something ? ANY_WITH_RECORDS : ANY;
}

static order reverse_body(gw_adjoint *a, gw_op loop, const carried *c, const header *h, gw_region body,
                          gw_value key) {
    const gw_func *p = a->primal;
    uint32_t n = gw_loop_carried(p, loop);
    gw_value *seeds = gw_alloc((n + 1) * sizeof *seeds);
    for (uint32_t i = 0; i < c->primal.count; i++) seeds[c->index.at[i]] = gw_arg(a->f, body, 1 + i);
    for (uint32_t i = 0; i < c->outer.count; i++)
        gw_map_set(&a->adjoint, c->outer.at[i], gw_arg(a->f, body, 1 + c->primal.count + i));
    order free_order = reverse_region(a, loop, h, body, seeds, key);
    gw_adjoint_unpin(a, loop);
    gw_value_list yields = {0};
    for (uint32_t i = 0; i < c->primal.count; i++)
        gw_push(&yields, or_zero(a, gw_adjoint_of(a, c->primal.at[i]), c->primal.at[i]));
    for (uint32_t i = 0; i < c->outer.count; i++)
        gw_push(&yields, or_zero(a, gw_adjoint_of(a, c->outer.at[i]), c->outer.at[i]));
    gw_yield(&a->b, yields.at, yields.count);
    gw_vec_free(&yields);
    free(seeds);
    return free_order;
}

/* The reverse loop runs in the order of the primal, which memory likes better. */
static void run_upward(gw_adjoint *a, gw_op loop, const header *h, gw_op made) {
    if (h->kind != SAME_INDEX) return;
    for (uint32_t i = 0; i < 3; i++)
        gw_set_operand(a->f, made, i, gw_adjoint_value(a, gw_operand(a->primal, loop, i)));
    gw_op_at(a->f, made)->attr = gw_op_at(a->primal, loop)->attr;
}

static gw_op open_loop(gw_adjoint *a, gw_op loop, const carried *c, const header *h) {
    const gw_func *p = a->primal;
    gw_value_list operands = {0};
    for (uint32_t i = 0; i < 3; i++) gw_push(&operands, h->operand[i]);
    for (uint32_t i = 0; i < c->primal.count; i++)
        gw_push(&operands, or_zero(a, gw_adjoint_of(a, gw_result(p, loop, c->index.at[i])), c->primal.at[i]));
    for (uint32_t i = 0; i < c->outer.count; i++)
        gw_push(&operands, or_zero(a, gw_adjoint_of(a, c->outer.at[i]), c->outer.at[i]));
    gw_op made = gw_emit(&a->b, GW_OP_FOR, GW_T_VOID, 0, operands.at, operands.count);
    gw_vec_free(&operands);
    gw_op_at(a->f, made)->attr = (uint16_t)h->attr;
    gw_op_at(a->f, made)->policy = gw_op_at(p, loop)->policy;
    gw_op_at(a->f, made)->origin = loop;
    for (uint32_t i = 0; i < c->primal.count; i++)
        gw_op_add_result(a->f, made, gw_typeof(p, c->primal.at[i]), gw_adjoint_name(a, c->primal.at[i]));
    for (uint32_t i = 0; i < c->outer.count; i++)
        gw_op_add_result(a->f, made, gw_adjoint_type(a, c->outer.at[i]), gw_adjoint_name(a, c->outer.at[i]));
    gw_region body = gw_region_new(a->f, made);
    bool own_index = h->kind == SAME_INDEX;
    gw_value iv = gw_op_at(p, loop)->code == GW_OP_FOR ? gw_arg(p, gw_loop_body(p, loop), 0) : 0;
    gw_str name = own_index && iv ? gw_value_at(p, iv)->name : gw_intern(a->f->session, "trip");
    gw_region_arg(a->f, body, h->type, name);
    for (uint32_t i = 0; i < c->primal.count; i++)
        gw_region_arg(a->f, body, gw_typeof(p, c->primal.at[i]), gw_adjoint_name(a, c->primal.at[i]));
    for (uint32_t i = 0; i < c->outer.count; i++)
        gw_region_arg(a->f, body, gw_adjoint_type(a, c->outer.at[i]), gw_adjoint_name(a, c->outer.at[i]));
    return made;
}

void gw_adjoint_loop_reverse(gw_adjoint *a, gw_op loop) {
    const gw_func *p = a->primal;
    if (a->kept[loop].walked) {
        gw_adjoint_walk_reverse(a, loop);
        return;
    }
    carried c = {0};
    bool nested = a->kept[loop].nest != NULL, segmented = gw_adjoint_is_segmented(a, loop);
    gw_value_map outer = {0};
    if (segmented) outer = gw_adjoint_segments_begin(a, loop);
    gw_value key = 0;
    if (nested) gw_adjoint_nest_begin(a, loop);
    gw_value undone = a->kept[loop].inverse && !nested ? gw_result(p, loop, a->kept[loop].inverse - 1) : 0;
    if (undone)
        key = gw_adjoint_add_state(a, loop, loop, gw_typeof(p, undone), gw_value_at(p, undone)->name,
                                   gw_adjoint_value(a, undone));
    if (a->kept[loop].taken) gw_adjoint_snapshots_begin(a, loop);
    find_carried(a, loop, &c);
    gw_adjoint_restore_objects(a, loop);
    header h = make_header(a, loop);
    gw_op made = open_loop(a, loop, &c, &h);
    gw_builder saved = a->b;
    a->b.region = gw_op_at(a->f, made)->region[0];
    a->b.before = 0;
    gw_adjoint_set_nested(a, made);
    order free_order = reverse_body(a, loop, &c, &h, a->b.region, key);
    if (free_order == ANY) run_upward(a, loop, &h, made);
    if (free_order == ANY_WITH_RECORDS && h.kind == SAME_INDEX) gw_op_at(a->f, made)->flags |= GW_OP_ANY_ORDER;
    gw_adjoint_set_nested(a, 0);
    a->b = saved;
    for (uint32_t i = 0; i < c.outer.count; i++)
        gw_map_set(&a->adjoint, c.outer.at[i], gw_result(a->f, made, c.primal.count + i));
    for (uint32_t i = 0; i < c.primal.count; i++) {
        gw_value init = gw_loop_init(p, loop, c.index.at[i]);
        gw_adjoint_add(a, init, gw_result(a->f, made, i));
    }
    if (undone || a->kept[loop].taken) gw_adjoint_drop_states(a, loop);
    if (gw_adjoint_is_outer(a, loop)) {
        gw_adjoint_nest_end(a, loop);
        gw_push(&a->segmented, made); /* runs again what the first half has done to the caller's memory */
    }
    if (segmented) gw_adjoint_segments_end(a, loop, made, &outer);
    gw_vec_free(&c.primal);
    gw_vec_free(&c.index);
    gw_vec_free(&c.outer);
}
