/*
 * gather/stage.c - values of all threads of a block in a shared array (contract: gather_private.h).
 *
 * A value is stored where control that is uniform in the block comes by, once for as many runs of the loop as
 * it stays the same, in front of a barrier that all threads pass before the loop: one of the kernel's, where
 * there is one, else a new one. Between the sums that read the array and the next store to it stands a barrier
 * likewise.
 */
#include "rewriters/gather/gather_private.h"

#include "rewriters/adjoint/adjoint.h"
#include "analysis/ir/restructure.h"

#include <stdlib.h>

enum { MOST_BYTES = 16 * 1024 };

bool gw_gather_has_room(gw_turn *t) {
    uint64_t have, needed = 0, room = gw_adjoint_shared_room(t->g->f, &have);
    for (uint32_t i = 0; i < t->live.count; i++) {
        uint64_t bytes =
            gw_gather_is_place(t, t->live.at[i]) ? 0 : gw_type_bytes(gw_typeof(t->g->f, t->live.at[i]));
        needed += bytes * t->g->most[0] * t->g->most[1] * t->g->most[2];
    }
    return needed <= room;
}

bool gw_gather_can_stage(gw_turn *t, gw_value v) {
    gw_type type = gw_typeof(t->g->f, v);
    uint64_t bytes = gw_type_bytes(type);
    for (unsigned axis = 0; axis < 3; axis++) bytes *= t->g->most[axis];
    bool number =
        (gw_type_is_float(type) && type != GW_T_F80) || (gw_type_is_integer(type) && gw_type_bits(type) >= 32);
    return number && bytes && bytes <= MOST_BYTES;
}

/* The outermost region around the loop, inside of all branches, in which v is known. */
static gw_region region_for(const gw_func *f, gw_op loop, gw_value v) {
    gw_region r = gw_op_at(f, loop)->parent;
    for (gw_op up; (up = gw_region_at(f, r)->parent) != 0 && gw_is_loop(f, up) &&
                   gw_value_visible(f, v, gw_op_at(f, up)->parent);)
        r = gw_op_at(f, up)->parent;
    return r;
}

/* The op of region r that is, or holds, the loop. */
static gw_op holder(const gw_func *f, gw_op loop, gw_region r) {
    while (gw_op_at(f, loop)->parent != r) loop = gw_region_at(f, gw_op_at(f, loop)->parent)->parent;
    return loop;
}

static bool is_barrier(const gw_func *f, gw_op op) { return gw_op_at(f, op)->code == GW_OP_BARRIER; }

/* The last barrier before `to` in its region, behind the making of v. */
static gw_op barrier_before(const gw_func *f, gw_op to, gw_value v) {
    for (gw_op op = gw_prev(f, to); op; op = gw_prev(f, op)) {
        if (is_barrier(f, op)) return op;
        if (v && gw_value_at(f, v)->op == op) return 0;
    }
    return 0;
}

static bool barrier_behind(const gw_func *f, gw_op from) {
    for (gw_op op = gw_next(f, from); op; op = gw_next(f, op))
        if (is_barrier(f, op)) return true;
    return false;
}

/* Between the begin of what `outer` does in each round and the loop. */
static bool barrier_on_the_way(const gw_func *f, gw_op loop, gw_op outer) {
    for (gw_op at = loop; at != outer; at = gw_region_at(f, gw_op_at(f, at)->parent)->parent)
        if (barrier_before(f, at, 0)) return true;
    return false;
}

static void add_barrier(gw_func *f, gw_region r, gw_op before, gw_loc loc) {
    gw_builder b = {f, r, before, loc};
    gw_emit(&b, GW_OP_BARRIER, GW_T_VOID, 0, NULL, 0);
}

static gw_object new_array(gw_turn *t, gw_value v) {
    gw_func *f = t->g->f;
    gw_type type = gw_typeof(f, v);
    for (unsigned axis = 0; axis < 3; axis++)
        if (t->g->most[axis] > 1) type = gw_type_array(f->session, type, t->g->most[axis]);
    gw_str name = gw_value_at(f, v)->name;
    char *text = gw_format("%s_of", name ? gw_cstr(f->session, name) : "value");
    gw_object o = gw_object_new(f, GW_OBJECT_SHARED, gw_intern(f->session, text), type);
    free(text);
    return o;
}

/* Stored in front of the same op of the same region, with a barrier on the way. */
static gw_object find_array(const gw_turn *t, gw_value v, gw_region r, gw_op at) {
    const gw_func *f = t->g->f;
    for (uint32_t i = 0; i < t->g->staged.count; i++) {
        const gw_staged *s = &t->g->staged.at[i];
        if (s->value != v || gw_op_at(f, s->store)->parent != r) continue;
        bool met = barrier_on_the_way(f, t->loop, at);
        for (gw_op op = gw_next(f, s->store); op; op = gw_next(f, op)) {
            met |= is_barrier(f, op);
            if (op == at && met) return s->array;
        }
    }
    return 0;
}

gw_object gw_gather_stage(gw_turn *t, gw_value v) {
    gw_func *f = t->g->f;
    gw_region r = region_for(f, t->loop, v);
    gw_op at = holder(f, t->loop, r), meets = barrier_before(f, at, v);
    gw_object known = find_array(t, v, r, at);
    if (known) return known;
    gw_loc loc = gw_op_at(f, t->loop)->loc;
    if (!meets && !barrier_on_the_way(f, t->loop, at)) add_barrier(f, r, at, loc), meets = gw_prev(f, at);
    gw_object array = new_array(t, v);
    gw_builder b = {f, r, meets ? meets : at, loc};
    gw_value index[3];
    uint32_t n = 0;
    gw_text path = {0};
    for (unsigned axis = 3; axis-- > 0;)
        if (t->g->most[axis] > 1) {
            index[n++] = gw_cast(&b, GW_T_I32, gw_special_value(&b, GW_THREAD_IDX, axis));
            gw_text_add(&path, "[]");
        }
    gw_op store = gw_store(&b, array, gw_intern(f->session, path.at), index, n, v);
    gw_push(&t->g->staged, ((gw_staged){v, array, store}));
    gw_text_free(&path);
    return array;
}

void gw_gather_keep(gw_turn *t, gw_value v, gw_op last) {
    gw_func *f = t->g->f;
    gw_region r = region_for(f, t->loop, v), at = r;
    while (gw_region_at(f, at)->parent && !gw_is_loop(f, gw_region_at(f, at)->parent))
        at = gw_op_at(f, gw_region_at(f, at)->parent)->parent;
    if (!gw_region_at(f, at)->parent) return; /* stored once */
    for (gw_op op = last;; op = gw_region_at(f, gw_op_at(f, op)->parent)->parent) {
        if (barrier_behind(f, op)) return;
        if (gw_op_at(f, op)->parent == r) break;
    }
    add_barrier(f, gw_op_at(f, last)->parent, gw_next(f, last), gw_op_at(f, last)->loc);
}
