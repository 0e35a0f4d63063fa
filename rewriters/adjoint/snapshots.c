/*
 * adjoint/snapshots.c - GW_CHECKPOINT_BINOMIAL(n): a counted loop that is reversed from at most n stored
 * states.
 *
 *     for (t = 0; t < T; t++) {              for (k = T - 1; k >= 0; k--) {
 *         if (t == next) store t, state;         from, state = the last t that is stored, and its state;
 *         state = body(t, state);                if (from == k) drop it;
 *     }                                          for (t = from; t < k; t++) {
 *                                                    if (t == next) store t, state;
 *                                                    state = body(t, state);
 *                                                }
 *                                                body(k, state) forward and backward;
 *                                            }
 *
 * States are in local arrays of n cells, one for each value that the loop carries and for each local array that
 * it changes; counters are computed from t. gw_binomial (functions.h) says which start comes next: between a
 * state at `from` with n - i free cells and the end, as far as the binomial schedule of Griewank & Walther
 * (Algorithm 799, 2000) goes. What runs after the loop and back counts as the last of T + 1 steps, which need
 * no state: so the forward loop is the first sweep of an optimal schedule, and both loops together run the body
 * as seldom as n states allow.
 *
 * Requires: a FOR without exit, in a part that is run again (checkpoint.c has refused the others). Sound: a
 * state is that at the start of iteration t, whichever run stored it, since each run from a state computes what
 * the primal did; the states are a stack, the bottom is t = 0, and each k finds one at or before it. What no
 * adjoint needs of a state is dead code.
 */
#include "rewriters/adjoint/recursion_private.h"

#include "analysis/ir/device.h"

#include <stdlib.h>

enum { NEXT, TAKEN, SCHEDULE };

static gw_str word(const gw_adjoint *a, const char *text) { return gw_intern(a->f->session, text); }

static gw_value snapshots(const gw_adjoint *a, gw_op loop, gw_builder *b) {
    return gw_int(b, GW_T_I64, gw_loop_snapshots(a->primal, loop));
}

static void give_name(gw_adjoint *a, gw_value v, const char *text) {
    int64_t constant;
    if (!gw_value_at(a->f, v)->name && !gw_const_int(a->f, v, &constant))
        gw_value_at(a->f, v)->name = word(a, text);
}

/* ---- where states are ---- */
static gw_object array_of(gw_adjoint *a, gw_op loop, gw_str name, gw_type cell) {
    gw_session *s = a->f->session;
    char *text = gw_format("stored_%s", name ? gw_cstr(s, name) : "value");
    gw_object o = gw_object_new(a->f, GW_OBJECT_LOCAL, gw_intern(s, text),
                                gw_type_array(s, cell, (uint32_t)gw_loop_snapshots(a->primal, loop)));
    /* a compiler does not see that each cell is stored first */
    gw_object_at(a->f, o)->zeroed = a->primal->kind == GW_FUNC_HOST;
    free(text);
    return o;
}

static void make_arrays(gw_adjoint *a, gw_op loop) {
    const gw_func *p = a->primal;
    gw_kept *kept = &a->kept[loop];
    kept->stored_at = array_of(a, loop, word(a, "at"), GW_T_I64);
    for (uint32_t i = 0; i < gw_loop_carried(p, loop); i++) {
        gw_value arg = gw_arg(p, gw_loop_body(p, loop), 1 + i), step;
        bool down, counter = gw_loop_is_induction(p, loop, i, &step, &down);
        gw_object o =
            counter ? 0 : array_of(a, loop, gw_value_at(p, arg)->name, gw_adjoint_slot_type(gw_typeof(p, arg)));
        gw_push(&kept->stored, o);
    }
    for (uint32_t i = 0; i < kept->iteration.count; i++) {
        const gw_object_data d = *gw_object_at(a->f, kept->iteration.at[i]);
        gw_object o = array_of(a, loop, d.name, d.type);
        gw_object_at(a->f, o)->type_text = d.type_text;
        gw_push(&kept->stored_objects, o);
    }
}

/* ---- storing ---- */
static void store_state(gw_adjoint *a, gw_op loop, gw_builder *b, gw_value t, gw_value cell,
                        const gw_value *values) {
    const gw_kept *kept = &a->kept[loop];
    gw_str path = word(a, "[]");
    gw_adjoint_device_mark(a, loop, b, GW_DEVICE_MARK);
    gw_store(b, kept->stored_at, path, &cell, 1, t);
    for (uint32_t i = 0; i < kept->stored.count; i++) {
        gw_object o = kept->stored.at[i];
        if (o) gw_store(b, o, path, &cell, 1, gw_cast(b, gw_cell_type(a->f, o, path), values[i]));
    }
    for (uint32_t i = 0; i < kept->iteration.count; i++)
        gw_adjoint_copy_cells(a, loop, b, kept->iteration.at[i], kept->stored_objects.at[i], cell, true);
}

/* At the start of iteration t: stores it if it is the next to be; *schedule is what is next then, and how many
 * are stored. */
static void store_if_due(gw_adjoint *a, gw_op loop, gw_builder *b, gw_value t, gw_value end, gw_value *schedule,
                         const gw_value *values) {
    gw_func *f = a->f;
    gw_value due = gw_binary(b, GW_OP_EQ, t, schedule[NEXT]);
    gw_op branch = gw_emit(b, GW_OP_IF, GW_T_VOID, 0, &due, 1);
    gw_value made[SCHEDULE] = {gw_op_add_result(f, branch, GW_T_I64, word(a, "next")),
                               gw_op_add_result(f, branch, GW_T_I32, word(a, "stored"))};
    gw_builder in = {f, gw_region_new(f, branch), 0, b->loc};
    store_state(a, loop, &in, t, schedule[TAKEN], values);
    gw_value left = gw_binary(&in, GW_OP_SUB, snapshots(a, loop, &in), gw_cast(&in, GW_T_I64, schedule[TAKEN]));
    gw_value ask[3] = {t, end, left}, yields[SCHEDULE];
    yields[NEXT] = gw_pure(&in, GW_OP_BINOMIAL, GW_T_I64, 0, ask, 3);
    yields[TAKEN] = gw_binary(&in, GW_OP_ADD, schedule[TAKEN], gw_int(&in, GW_T_I32, 1));
    gw_yield(&in, yields, SCHEDULE);
    in.region = gw_region_new(f, branch);
    gw_yield(&in, schedule, SCHEDULE);
    for (int i = 0; i < SCHEDULE; i++) schedule[i] = made[i];
}

/* ---- forward ---- */
void gw_adjoint_snapshots_forward(gw_adjoint *a, gw_op loop, gw_op copy) {
    gw_func *f = a->f;
    gw_builder saved = a->b;
    make_arrays(a, loop);
    a->b.before = copy;
    gw_value one = gw_int(&a->b, GW_T_I64, 1), zero = gw_int(&a->b, GW_T_I64, 0);
    gw_value end = gw_binary(&a->b, GW_OP_ADD, gw_adjoint_trips(a, loop), one);
    give_name(a, end, "end");
    gw_value extra[SCHEDULE + 1] = {zero, gw_int(&a->b, GW_T_I32, 0), zero};
    a->b = saved;
    gw_op made = gw_loop_rebuild(f, copy, NULL, extra, SCHEDULE + 1);
    gw_region body = gw_loop_body(f, made);
    uint32_t carried = gw_loop_carried(a->primal, loop);
    static const char *const names[SCHEDULE + 1] = {"next", "stored", "done"};
    for (uint32_t i = 0; i <= SCHEDULE; i++)
        gw_value_at(f, gw_arg(f, body, 1 + carried + i))->name = word(a, names[i]);
    gw_value schedule[SCHEDULE] = {gw_arg(f, body, 1 + carried), gw_arg(f, body, 2 + carried)},
             t = gw_arg(f, body, 3 + carried);
    gw_value_list values = {0};
    for (uint32_t i = 0; i < carried; i++) gw_push(&values, gw_arg(f, body, 1 + i));
    gw_builder at = {f, body, gw_first(f, body), a->b.loc};
    store_if_due(a, loop, &at, t, end, schedule, values.at);
    gw_vec_free(&values);
    at.before = gw_region_end(f, body);
    for (uint32_t i = 0; i < SCHEDULE; i++) gw_set_operand(f, at.before, carried + i, schedule[i]);
    gw_value next = gw_binary(&at, GW_OP_ADD, t, gw_int(&at, GW_T_I64, 1));
    gw_set_operand(f, at.before, carried + SCHEDULE, next);
    for (uint32_t i = 0; i < carried; i++)
        gw_map_set(&a->c.values, gw_result(a->primal, loop, i), gw_result(f, made, i));
    a->kept[loop].taken = gw_result(f, made, carried + TAKEN);
    gw_value_at(f, a->kept[loop].taken)->name = word(a, "stored");
}

/* ---- reverse ---- */

/* The primal's body with t for the number of its iteration, from the carried values `values`, which become
 * those after it. */
static void run_body(gw_adjoint *a, gw_op loop, gw_value t, gw_value *values) {
    const gw_func *p = a->primal;
    gw_region body = gw_loop_body(p, loop);
    gw_adjoint_set_inductions(a, loop, t);
    for (uint32_t i = 0; i < gw_loop_carried(p, loop); i++)
        if (values[i]) gw_map_set(&a->c.values, gw_arg(p, body, 1 + i), values[i]);
    gw_value lo = gw_adjoint_value(a, gw_operand(p, loop, 0)), by = gw_adjoint_value(a, gw_operand(p, loop, 2));
    gw_map_set(&a->c.values, gw_arg(p, body, 0), gw_adjoint_advance(a, lo, t, by, false));
    gw_clone_region_body(&a->c, body);
    gw_adjoint_mark_shared(a, body);
    for (uint32_t i = 0; i < gw_loop_carried(p, loop); i++)
        values[i] = gw_clone_value(&a->c, gw_yielded(p, body, i));
}

/* A loop from t = header[0] to header[1] with the schedule and the stored values; `operands` has all of
 * that. */
static gw_op open_loop(gw_adjoint *a, const gw_value_list *operands) {
    gw_func *f = a->f;
    static const char *const names[SCHEDULE] = {"next", "stored"};
    gw_op made = gw_emit(&a->b, GW_OP_FOR, GW_T_VOID, 0, operands->at, operands->count);
    gw_op_at(f, made)->attr = GW_OP_LT;
    for (uint32_t i = 3; i < operands->count; i++)
        gw_op_add_result(f, made, gw_typeof(f, operands->at[i]), gw_value_at(f, operands->at[i])->name);
    gw_region body = gw_region_new(f, made);
    gw_region_arg(f, body, GW_T_I64, word(a, "step"));
    for (uint32_t i = 3; i < operands->count; i++)
        gw_region_arg(f, body, gw_typeof(f, operands->at[i]),
                      i < 3 + SCHEDULE ? word(a, names[i - 3]) : gw_value_at(f, operands->at[i])->name);
    return made;
}

/* What the last stored state has of carried value i. */
static gw_value load_value(gw_adjoint *a, gw_op loop, uint32_t i, gw_value top) {
    const gw_func *p = a->primal;
    gw_value arg = gw_arg(p, gw_loop_body(p, loop), 1 + i);
    gw_value v =
        gw_cast(&a->b, gw_typeof(p, arg), gw_load(&a->b, a->kept[loop].stored.at[i], word(a, "[]"), &top, 1));
    if (!gw_value_at(a->f, v)->name) gw_value_at(a->f, v)->name = gw_value_at(p, arg)->name;
    return v;
}

void gw_adjoint_snapshots_begin(gw_adjoint *a, gw_op loop) {
    gw_kept *kept = &a->kept[loop];
    kept->taken_key = gw_adjoint_add_state(a, loop, loop, GW_T_I32, word(a, "stored"), kept->taken);
}

/* Memory is as in the state on top, which goes if iteration k begins with it. */
static void restore_memory(gw_adjoint *a, gw_op loop, gw_value goes) {
    if (!gw_has_op(a->primal, loop, GW_OP_DEVICE)) return;
    gw_adjoint_device_mark(a, loop, &a->b, GW_DEVICE_RESTORE);
    gw_op branch = gw_emit(&a->b, GW_OP_IF, GW_T_VOID, 0, &goes, 1);
    for (int side = 0; side < 2; side++) {
        gw_builder in = {a->f, gw_region_new(a->f, branch), 0, a->b.loc};
        if (side == 0) gw_adjoint_device_mark(a, loop, &in, GW_DEVICE_UNMARK);
        gw_yield(&in, NULL, 0);
    }
}

void gw_adjoint_snapshots_restore(gw_adjoint *a, gw_op loop, gw_value number) {
    const gw_func *p = a->primal;
    gw_func *f = a->f;
    gw_builder *b = &a->b;
    gw_kept *kept = &a->kept[loop];
    uint32_t carried = gw_loop_carried(p, loop);
    gw_value taken = gw_map_get(&a->adjoint, kept->taken_key), one = gw_int(b, GW_T_I64, 1),
             k = gw_cast(b, GW_T_I64, number);
    gw_value top = gw_binary(b, GW_OP_SUB, taken, gw_int(b, GW_T_I32, 1));
    gw_value from = gw_load(b, kept->stored_at, word(a, "[]"), &top, 1), end = gw_binary(b, GW_OP_ADD, k, one);
    give_name(a, from, "from");
    give_name(a, end, "end");
    for (uint32_t i = 0; i < kept->iteration.count; i++)
        gw_adjoint_copy_cells(a, loop, b, kept->iteration.at[i], kept->stored_objects.at[i], top, false);
    gw_value ask[3] = {from, end, gw_binary(b, GW_OP_SUB, snapshots(a, loop, b), gw_cast(b, GW_T_I64, top))};
    gw_value_list operands = {0}, yields = {0};
    gw_push(&operands, from);
    gw_push(&operands, k);
    gw_push(&operands, one);
    gw_push(&operands, gw_pure(b, GW_OP_BINOMIAL, GW_T_I64, 0, ask, 3));
    gw_value goes = gw_binary(b, GW_OP_EQ, from, k);
    gw_push(&operands, gw_select(b, goes, top, taken));
    restore_memory(a, loop, goes);
    for (uint32_t i = 0; i < carried; i++)
        if (kept->stored.at[i]) gw_push(&operands, load_value(a, loop, i, top));
    gw_op made = open_loop(a, &operands);
    gw_builder saved = a->b;
    gw_region body = gw_loop_body(f, made);
    a->b.region = body;
    gw_value *values = gw_alloc((carried + 1) * sizeof *values);
    for (uint32_t i = 0, at = 1 + SCHEDULE; i < carried; i++)
        values[i] = kept->stored.at[i] ? gw_arg(f, body, at++) : 0;
    gw_value schedule[SCHEDULE] = {gw_arg(f, body, 1), gw_arg(f, body, 2)};
    store_if_due(a, loop, b, gw_arg(f, body, 0), end, schedule, values);
    run_body(a, loop, gw_arg(f, body, 0), values);
    for (int i = 0; i < SCHEDULE; i++) gw_push(&yields, schedule[i]);
    for (uint32_t i = 0; i < carried; i++)
        if (kept->stored.at[i]) gw_push(&yields, values[i]);
    gw_yield(b, yields.at, yields.count);
    a->b = saved;
    gw_adjoint_device_mark(a, loop, b, GW_DEVICE_LOG);
    for (uint32_t i = 0, at = SCHEDULE; i < carried; i++)
        if (kept->stored.at[i])
            gw_map_set(&a->c.values, gw_arg(p, gw_loop_body(p, loop), 1 + i), gw_result(f, made, at++));
    gw_map_set(&a->adjoint, kept->taken_key, gw_result(f, made, TAKEN));
    gw_vec_free(&operands);
    gw_vec_free(&yields);
    free(values);
}
