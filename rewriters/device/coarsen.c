/*
 * coarsen.c - the coarsen pass (axes.c) along one axis: one thread of a kernel's gradient does the work of n
 * neighbouring threads of the primal.
 *
 * Requires ownership's and accumulate's decisions. Guarantees that the derivative, launched with blocks that
 * are shorter by n along one axis, does what the derivative did with the primal's blocks, but for the order of
 * additions.
 *
 * Where only the number of a thread in its block counts (facts/coarsening.c), blocks of any shape become such
 * along x. The thread t stands for the threads n*t ... n*t + n-1 along y or z, which with its neighbours along
 * x are a compact area; along x for t, t + d, t + 2d ... where d is the shorter length, so that neighbouring
 * lanes still reach neighbouring cells. Where warps pass over what none of their lanes adds to, an instance's
 * threads should lie together, as the warp's do (layout.c): of 4 rows of threads, which are those of a tile,
 * the first instances are 4 rows, the second ones the 4 below, and so on. What is the same in all instances
 * (instances.c) is computed once. Control about which they do not disagree is kept once, with barriers and
 * collective operations (device/meeting.c); the rest is there n times, one instance after the other.
 *
 * Sound because between two places where threads meet, the primal's threads may run in any order, one after the
 * other for instance, and each instance runs its ops in their order. Plain updates stay plain: no other thread
 * reaches the cell, so no other instance does. What changes is which threads are a warp. Nothing depends on it
 * but collective operations: of the user's, which are refused, and of the compiler's, which are about all
 * threads that meet there; and claims that a cell belongs to a warp, which are dropped. A gradient's tape has a
 * stack for each thread, which now serves its instances one after the other: pushed in their order, popped in
 * the opposite one. The second half of a split gradient would have to read n stacks of the first, and is
 * refused if it reads any.
 */
#include "rewriters/device/coarsen_private.h"

#include "analysis/clean/clean.h"
#include "analysis/facts/facts.h"
#include "analysis/ir/diagnostics.h"
#include "analysis/ir/rungs.h"
#include "analysis/ir/warp.h"
#include "rewriters/device/device.h"
#include "rewriters/formula/formula.h"

#include <stdlib.h>

/* ---- a region ---- */
static bool differs(const gw_coarsener *k, gw_op op) {
    const gw_op_data *o = gw_op_at(k->from, op);
    if (o->code == GW_OP_ATOMIC || (o->object && k->same.object[o->object])) return true;
    for (uint32_t i = 0; i < o->operands; i++)
        if (k->same.value[gw_operand(k->from, op, i)]) return true;
    return o->results && k->same.value[o->first_result];
}

void gw_coarsen_region(gw_coarsener *k, gw_region r) {
    const gw_func *from = k->from;
    for (gw_op op = gw_first(from, r), end = gw_region_end(from, r); op && op != end; op = gw_next(from, op)) {
        const gw_op_data *o = gw_op_at(from, op);
        k->b.loc = o->loc;
        if (o->regions) gw_coarsen_control(k, op);
        else if (o->code == GW_OP_ACCUM) op = gw_coarsen_addition(k, op);
        else if (gw_op_rows[o->code].effect == GW_EFFECT_MEET || gw_op_rows[o->code].effect == GW_EFFECT_LANES)
            gw_coarsen_meeting(k, op);
        else if (differs(k, op)) gw_coarsen_each(k, op);
        else gw_coarsen_once(k, op);
    }
}

/* ---- what an instance's number along the axis is ---- */
static gw_value named(gw_builder *b, gw_value v, const char *name) {
    gw_value_at(b->f, v)->name = gw_intern(b->f->session, name);
    return v;
}

/* The thread of the first instance; `step`: from one to the next. */
static gw_value first_thread(gw_coarsener *k, gw_value *step) {
    gw_builder *b = &k->b;
    unsigned axis = k->same.axis;
    gw_value t = gw_special_value(b, GW_THREAD_IDX, axis), n = gw_int(b, GW_T_U32, k->n);
    *step = axis ? gw_int(b, GW_T_U32, 1) : gw_special_value(b, GW_BLOCK_DIM, axis);
    if (!axis) return t;
    if (axis != 1 || !gw_is_tiled(k->from, NULL)) return gw_binary(b, GW_OP_MUL, t, n);
    gw_op rows = gw_emit(b, GW_OP_WARP, GW_T_U32, 1, NULL, 0);
    gw_op_at(k->f, rows)->attr = GW_WARP_TILE_ROWS;
    *step = named(b, gw_result(k->f, rows, 0), "tile_rows");
    gw_value below = named(b, gw_binary(b, GW_OP_REM, t, *step), "row");
    return gw_binary(b, GW_OP_ADD, gw_binary(b, GW_OP_MUL, gw_binary(b, GW_OP_SUB, t, below), n), below);
}

/* No thread has another place in a block that is as good as one along x. */
static gw_value flat(gw_coarsener *k, const gw_op_data *special) {
    const bool thread = special->attr / 4 == GW_THREAD_IDX, length = special->attr / 4 == GW_BLOCK_DIM;
    if (!k->is_flat || special->attr % 4 == 0 || (!thread && !length)) return 0;
    return gw_int(&k->b, GW_T_U32, length);
}

static void number_instances(gw_coarsener *k) {
    unsigned axis = k->same.axis;
    gw_value length =
        gw_binary(&k->b, GW_OP_MUL, gw_special_value(&k->b, GW_BLOCK_DIM, axis), gw_int(&k->b, GW_T_U32, k->n));
    gw_value step = 0, first = first_thread(k, &step);
    for (uint32_t i = 0; i < k->n; i++) {
        gw_value thread = i ? gw_binary(&k->b, GW_OP_ADD, first,
                                        gw_binary(&k->b, GW_OP_MUL, gw_int(&k->b, GW_T_U32, i), step))
                            : first;
        for (gw_op op = 1; op < k->from->ops.count; op++) {
            const gw_op_data *o = gw_op_at(k->from, op);
            if (o->dead || o->code != GW_OP_SPECIAL) continue;
            gw_value place = flat(k, o);
            if (place) gw_map_set(&k->pins[i], o->first_result, place);
            if (o->attr == GW_SPECIAL_ATTR(GW_THREAD_IDX, axis))
                gw_map_set(&k->pins[i], o->first_result, thread);
            if (o->attr == GW_SPECIAL_ATTR(GW_BLOCK_DIM, axis))
                gw_map_set(&k->pins[i], o->first_result, length);
        }
        k->one[i].pinned = &k->pins[i];
    }
}

/* ---- whether it can be done ---- */
typedef struct refusal {
    const char *why, *way_out;
    gw_loc loc;
} refusal;

static void look(const gw_coarsener *k, gw_region r, refusal *out) {
    for (gw_op op = gw_first(k->from, r); op && !out->why; op = gw_walk(k->from, op, r)) {
        const gw_op_data *o = gw_op_at(k->from, op);
        bool record = (o->code == GW_OP_PUSH || o->code == GW_OP_POP) && gw_is_split(k->from);
        out->why = gw_coarsen_cannot_meet(k, op, &out->way_out);
        if (record) {
            out->why = "its second half reads what each thread of the first left on the tape";
            out->way_out = "ask for GW_GRADIENT, or name outputs that tell what is on the tape: 'with'";
        }
        out->loc = o->loc;
    }
}

static bool can_be_done(const gw_coarsener *k, bool says) {
    const gw_func *f = k->from;
    gw_session *s = f->session;
    refusal r = {0};
    gw_op half = gw_split_second(f);
    if (k->same.axis == GW_NO_AXIS)
        r = (refusal){"it does not ask for threadIdx", "use more blocks of fewer threads", {0}};
    else look(k, half ? gw_op_at(f, half)->region[0] : f->entry, &r);
    if (!r.why || !says) return !r.why;
    char *why = r.loc.line ? gw_format("%s (line %u)", r.why, r.loc.line) : gw_strdup(r.why);
    gw_diag(s, GW_DIAG_NO_COARSENING, gw_coarsening_loc(f), gw_cstr(s, f->primal->name), why, r.way_out);
    free(why);
    return false;
}

/* ---- the function ---- */
static void name_objects(gw_coarsener *k) {
    for (gw_object o = 1; o < k->from->objects.count; o++) {
        for (uint32_t i = 0; i < k->n; i++) {
            gw_object to = o;
            if (i && k->same.object[o]) {
                gw_push(&k->f->objects, *gw_object_at(k->from, o));
                to = k->f->objects.count - 1;
            }
            gw_map_set(&k->one[i].objects, o, to);
        }
    }
}

/* Accesses now are several instances': cells of a warp are no longer one warp's. It was proved for one thread
 * that cells are apart; for plain accesses it holds for all, where no barrier lets threads take turns at a
 * cell. */
static void forget_warps(gw_func *f, gw_region r) {
    bool barrier = gw_region_holds_barrier(f, r);
    for (gw_op op = gw_first(f, r); op; op = gw_next(f, op)) {
        gw_op_data *o = gw_op_at(f, op);
        bool turns = barrier || o->attr != GW_ACCUMULATE_PLAIN ||
                     (o->object && gw_object_at(f, o->object)->kind == GW_OBJECT_SHARED);
        bool access = o->code == GW_OP_LOAD || o->code == GW_OP_STORE || o->code == GW_OP_ACCUM;
        if (access) o->flags &= (uint16_t) ~(GW_OP_OF_WARP | (turns ? GW_OP_APART : 0));
        for (uint32_t i = 0; i < o->regions; i++) forget_warps(f, o->region[i]);
    }
}

/* What stands before a half is pure and serves both; the second has coarse copies of its own. */
static void build_split(gw_coarsener *k, gw_op half) {
    const gw_func *from = k->from;
    gw_cloner whole = {.from = from, .to = &k->b};
    for (gw_object o = 1; o < from->objects.count; o++) gw_map_set(&whole.objects, o, o);
    for (uint32_t i = 0; i < from->params.count; i++)
        if (from->params.at[i].value)
            gw_map_set(&whole.values, from->params.at[i].value, from->params.at[i].value);
    for (gw_op op = gw_first(from, from->entry); op; op = gw_next(from, op)) {
        if (op != half) {
            gw_clone_op(&whole, op);
            continue;
        }
        gw_value condition = gw_clone_value(&whole, gw_operand(from, op, 0));
        gw_builder before = k->b;
        gw_op made = gw_emit(&k->b, GW_OP_IF, GW_T_VOID, 0, &condition, 1);
        gw_op_at(k->f, made)->loc = gw_op_at(from, op)->loc;
        gw_region then = gw_region_new(k->f, made), otherwise = gw_region_new(k->f, made);
        k->b = (gw_builder){k->f, then, 0, before.loc};
        number_instances(k);
        for (gw_op shared = gw_first(from, from->entry); shared != half; shared = gw_next(from, shared)) {
            if (gw_op_at(from, shared)->regions) continue;
            if (k->same.value[gw_op_at(from, shared)->first_result]) gw_coarsen_each(k, shared);
            else gw_coarsen_once(k, shared);
        }
        gw_coarsen_region(k, gw_op_at(from, half)->region[0]);
        gw_yield(&k->b, NULL, 0);
        k->b = (gw_builder){k->f, otherwise, 0, before.loc};
        gw_yield(&k->b, NULL, 0);
        k->b = before;
    }
    gw_map_free(&whole.values);
    gw_map_free(&whole.objects);
}

static void build(gw_coarsener *k) {
    gw_func *f = k->f;
    gw_op half = gw_split_second(k->from);
    while (gw_region_at(f, f->entry)->first) gw_op_remove(f, gw_region_at(f, f->entry)->first);
    name_objects(k);
    for (uint32_t i = 0; i < k->n; i++) {
        k->one[i].from = k->from;
        k->one[i].to = &k->b;
        for (uint32_t p = 0; p < f->params.count; p++)
            if (f->params.at[p].value)
                gw_map_set(&k->one[i].values, f->params.at[p].value, f->params.at[p].value);
    }
    if (half) {
        build_split(k, half);
    } else {
        number_instances(k);
        gw_coarsen_region(k, k->from->entry);
        gw_emit(&k->b, GW_OP_RET, GW_T_VOID, 0, NULL, 0);
    }
    f->coarse = k->n;
    f->coarse_axis = k->is_flat ? GW_WHOLE_BLOCK : k->same.axis;
    gw_cse(f);
    do gw_dce(f);
    while (gw_coarsen_sums(f, f->entry));
    forget_warps(f, f->entry);
}

bool gw_coarsen_along(gw_func *f, uint32_t n, unsigned axis, bool says) {
    gw_coarsener *k = gw_alloc(sizeof *k);
    gw_func *from = gw_func_copy(f);
    k->f = f;
    k->from = from;
    k->n = n;
    k->b = (gw_builder){.f = f, .region = f->entry, .loc = f->loc};
    k->is_flat = axis == GW_WHOLE_BLOCK;
    gw_instances_new(&k->same, from, k->is_flat ? 0 : axis);
    bool good = can_be_done(k, says);
    if (good) build(k);
    gw_instances_free(&k->same);
    for (uint32_t i = 0; i < n; i++) {
        gw_map_free(&k->one[i].values);
        gw_map_free(&k->one[i].objects);
        gw_map_free(&k->pins[i]);
    }
    gw_func_free(from);
    free(k);
    return good;
}
