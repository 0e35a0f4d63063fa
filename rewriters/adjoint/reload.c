/*
 * adjoint/reload.c - whether a load of a recorded part may be repeated in the reverse sweep.
 *
 * Three kinds of objects:
 *  - the derivative does not store to what the primal stores to (parameters, globals): the load gives the value
 *    on entry; that is right unless the primal may have overwritten the cell before (STALE);
 *  - it does, and undoes each store where the reverse sweep passes it: then memory is as it was after the op
 *    that is being reversed, and no store between the load and that op may reach the cell;
 *  - it does (local arrays), and nothing is undone: then no store may reach the cell that runs after the load
 *    and before the sweep turns round, that is in the rest of the region in which forward and backward versions
 *    both stand, later iterations of recorded loops included.
 * Of a split gradient only memory that the function never writes is there again: its caller leaves that as it
 * was. An object that begins its life inside that region's recorded parts is not there in the reverse sweep.
 */
#include "analysis/facts/facts.h"
#include "rewriters/adjoint/adjoint_private.h"
#include "rewriters/formula/formula.h"

/* The region in which the forward and the backward version of the outermost recorded part stand. */
static gw_region turning_region(const gw_adjoint *a) {
    gw_op part = gw_region_at(a->primal, a->frames.at[a->first_frame].primal)->parent;
    return gw_op_at(a->primal, part)->parent;
}

static bool changes(const gw_op_data *o, gw_object object) {
    return o->object == object && (o->code == GW_OP_STORE || o->code == GW_OP_ATOMIC ||
                                   o->code == GW_OP_DECLARE || o->flags & GW_OP_WRITES);
}

static gw_alias compare(const gw_func *p, gw_op store, gw_op load) {
    return gw_op_at(p, store)->code == GW_OP_STORE ? gw_alias_ops(p, store, load) : GW_ALIAS_MAY;
}

/* ---- undone stores: between the load and the op that is being reversed ---- */
static bool reaches(const gw_func *p, gw_op op, gw_op load) {
    gw_object object = gw_op_at(p, load)->object;
    for (gw_op in = op; in; in = gw_walk_op(p, in, op))
        if (changes(gw_op_at(p, in), object) && compare(p, in, load) != GW_ALIAS_NO) return true;
    return false;
}

static bool reached_since(const gw_adjoint *a, gw_op load) {
    const gw_func *p = a->primal;
    gw_region r = gw_op_at(p, load)->parent;
    for (uint32_t i = a->first_frame; i < a->frames.count; i++) {
        if (a->frames.at[i].primal != r) continue;
        gw_op last = a->frames.at[i].at;
        for (gw_op op = gw_next(p, load); op; op = gw_next(p, op)) {
            if (reaches(p, op, load)) return true;
            if (op == last) break;
        }
        return false;
    }
    return true;
}

/* ---- stores that stay: anything later in the turning region ---- */

/* The meeting of two ops inside `within`: the innermost region around both, the ops in it that hold them, and
 * the outermost and the number of the loops inside `within` that run both. */
typedef struct meeting {
    gw_op x, y;
    gw_op outermost;
    uint32_t loops;
} meeting;

static meeting meet(const gw_func *p, gw_op x, gw_op y, gw_region within) {
    meeting m = {0};
    gw_region common = gw_common_region(p, x, y);
    m.x = gw_holder(p, x, common);
    m.y = gw_holder(p, y, common);
    for (gw_region r = common; r != within;) {
        gw_op parent = gw_region_at(p, r)->parent;
        if (gw_is_loop(p, parent)) {
            m.outermost = parent;
            m.loops++;
        }
        r = gw_op_at(p, parent)->parent;
    }
    return m;
}

static bool stands_before(const gw_func *p, gw_op x, gw_op y) {
    for (gw_op op = gw_next(p, x); op; op = gw_next(p, op))
        if (op == y) return true;
    return false;
}

static bool overwrites(const gw_func *p, gw_op store, gw_op load, gw_region within) {
    meeting m = meet(p, store, load, within);
    if (stands_before(p, m.y, m.x) && compare(p, store, load) != GW_ALIAS_NO) return true;
    if (!m.loops || (m.loops == 1 && gw_moves_on(p, m.outermost, store, load))) return false;
    if (gw_op_at(p, store)->code != GW_OP_STORE) return true;
    return gw_alias_across(p, store, load, gw_op_at(p, m.outermost)->parent) != GW_ALIAS_NO;
}

static bool overwritten_in(const gw_func *p, gw_region r, gw_op load, gw_region within) {
    for (gw_op op = gw_first(p, r); op; op = gw_walk(p, op, r)) {
        const gw_op_data *o = gw_op_at(p, op);
        if (changes(o, gw_op_at(p, load)->object) && overwrites(p, op, load, within)) return true;
    }
    return false;
}

/* An object whose stores are not undone holds what the load read; the answer is the same wherever the builder
 * stands. */
static bool stays(const gw_adjoint *a, gw_op load) {
    const gw_func *p = a->primal;
    gw_object o = gw_op_at(p, load)->object;
    if (gw_object_at(p, o)->kind != GW_OBJECT_LOCAL) return !(gw_op_at(p, load)->flags & GW_OP_STALE);
    gw_region within = turning_region(a);
    return !overwritten_in(p, within, load, within);
}

bool gw_adjoint_reloads(gw_adjoint *a, gw_op load) {
    const gw_func *p = a->primal;
    gw_object o = gw_op_at(p, load)->object;
    gw_kept *kept = &a->kept[load];
    bool undone = a->choice->undone[o];
    if (a->choice->split) return !gw_object_is_inner(gw_object_at(p, o)->kind) && !gw_signature_writes(p, o);
    if (gw_object_at(p, o)->kind == GW_OBJECT_SHARED) return false; /* other threads may have gone on */
    if (kept->reload == GW_RELOAD_UNKNOWN) {
        bool begins = gw_declares(p, gw_region_at(p, a->frames.at[a->first_frame].primal)->parent, o);
        kept->reload = begins || (!undone && !stays(a, load)) ? GW_RELOAD_BAD : GW_RELOAD_GOOD;
    }
    return kept->reload == GW_RELOAD_GOOD && (!undone || !reached_since(a, load));
}
