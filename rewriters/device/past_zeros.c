/*
 * past_zeros.c - a part of the schedule pass: loads of adjoints that stand behind a zeroing go by it.
 *
 *     v = d_y[i];  d_y[i] = 0;              v = d_y[i];  w = i == j ? 0 : d_y[j];
 *     w = d_y[j];  d_y[j] = 0;      ->      d_y[i] = 0;  d_y[j] = 0;
 *
 * A primal that stores three numbers behind a stride, y[at + c * stride], may store them to one cell, for all
 * that is known; then its adjoint is consumed by the last. The store of a zero right behind a load holds up all
 * loads behind it (docs/log/gpu-kernels.md), so the load asks whether the zero was its own instead.
 *
 * Sound: between a zeroing and the load that it goes behind stands nothing that may touch its cell but zeroings
 * and loads that are changed so; where both are one cell, the load has the zero.
 */
#include "rewriters/device/schedule_private.h"

#include "analysis/facts/facts.h"
#include "analysis/ir/restructure.h"
#include "analysis/ir/rungs.h"

enum { MOST_ZEROS = 4 };

typedef struct zeros {
    gw_func *f;
    gw_op at[MOST_ZEROS];
    uint32_t count;
} zeros;

static bool is_cell_of_caller(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    return o->attr == GW_ACCUMULATE_PLAIN && gw_index_count(f, op) == 1 &&
           !gw_object_is_inner(gw_object_at(f, o->object)->kind);
}

/* The same array, and a place in it by a number of the same type. */
static bool is_alike(const gw_func *f, gw_op a, gw_op b) {
    return gw_op_at(f, a)->path == gw_op_at(f, b)->path &&
           gw_typeof(f, gw_operand(f, a, 0)) == gw_typeof(f, gw_operand(f, b, 0));
}

static bool is_load(const gw_func *f, gw_op op) {
    return gw_op_at(f, op)->code == GW_OP_LOAD && is_cell_of_caller(f, op);
}

/* What the zeroing does not go behind is dropped. */
static void drop_touched(zeros *z, gw_op op) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < z->count; i++) {
        const bool asks = is_load(z->f, op) && gw_op_at(z->f, op)->object == gw_op_at(z->f, z->at[i])->object &&
                          is_alike(z->f, op, z->at[i]) && gw_alias_ops(z->f, op, z->at[i]) == GW_ALIAS_MAY;
        if (asks || gw_is_zeroing(z->f, op) || !gw_may_touch(z->f, op, z->at[i])) z->at[kept++] = z->at[i];
    }
    z->count = gw_is_loop(z->f, op) || gw_holds_barrier(z->f, op) ? 0 : kept;
}

/* The zeroings go behind the load, which has what it would have found. */
static void go_by(const zeros *z, gw_op load) {
    gw_func *f = z->f;
    gw_builder b = {f, gw_op_at(f, load)->parent, gw_next(f, load), gw_op_at(f, load)->loc};
    const gw_value found = gw_result(f, load, 0);
    gw_value same = 0;
    gw_value_map map = {0};
    for (uint32_t i = 0; i < z->count; i++) {
        if (gw_alias_ops(f, load, z->at[i]) != GW_ALIAS_MAY) continue;
        const gw_value one = gw_binary(&b, GW_OP_EQ, gw_operand(f, load, 0), gw_operand(f, z->at[i], 0));
        same = same ? gw_binary(&b, GW_OP_OR, same, one) : one;
    }
    if (!same) return;
    const gw_value v = gw_select(&b, same, gw_real(&b, gw_typeof(f, found), 0), found);
    const gw_op choice = gw_value_at(f, v)->op;
    gw_value_at(f, v)->name = gw_value_at(f, found)->name;
    gw_map_set(&map, found, v);
    gw_rename_from(f, gw_next(f, choice), &map);
    gw_map_free(&map);
    for (uint32_t i = 0; i < z->count; i++) gw_op_move(f, z->at[i], b.region, gw_next(f, choice));
}

void gw_go_past_zeros(gw_func *f, gw_region r) {
    zeros z = {.f = f};
    for (gw_op op = gw_first(f, r), next; op; op = next) {
        next = gw_next(f, op);
        for (uint32_t i = 0; i < gw_op_at(f, op)->regions; i++) gw_go_past_zeros(f, gw_op_at(f, op)->region[i]);
        drop_touched(&z, op);
        if (is_load(f, op) && z.count) go_by(&z, op);
        if (gw_is_zeroing(f, op) && is_cell_of_caller(f, op) && z.count < MOST_ZEROS) z.at[z.count++] = op;
    }
}

/* A seed that is kept is one that no load behind its zeroing needs. */
void gw_keep_past_zeros(gw_func *f) {
    if (f->session->options.keep_seed) gw_go_past_zeros(f, f->entry);
}
