/*
 * forward.c - values of memory cells that are known: a load after a store or load of the same cell takes
 * that value, behind an IF what its sides left in it; a store that is overwritten before anybody reads it goes;
 * a load that may see a store of the same thread, and cannot be answered so, is marked STALE.
 *
 * In a kernel, where one side of an IF stores to a cell and the other leaves it as the kernel found it, that
 * side loads it for a load behind the IF, in its region: that one would have read the cell on this way, too. (A
 * function of the host can undo its stores.)
 *
 * A gradient does not perform the primal's stores to global memory, so a STALE load cannot be repeated in
 * it: the adjoint pass refuses a gradient that still needs one. Within an interval of barriers, loads of other
 * threads' stores are races of the primal, which the contract excludes; at a barrier, what is known of cells
 * that the function stores to is forgotten, and any store before it may have reached any cell of its object
 * after it.
 */
#include "analysis/clean/clean.h"

#include "analysis/facts/facts.h"
#include "analysis/ir/restructure.h"

#include <stdlib.h>

/* What a side of an IF hands on that has no value of its own for a cell. */
typedef enum filling {
    NOTHING,
    AS_FOUND, /* what the cell held before the function: it is loaded there */
    ANYTHING  /* nobody asks for it */
} filling;

typedef struct known {
    gw_op op;       /* LOAD or STORE that tells the value */
    gw_value value;
    gw_value condition; /* not 0: only if an IF on it has taken, and would take, this side */
    uint32_t side;
    uint32_t merged; /* not 0: instead of a value, what the sides of an IF leave (state.merges), less 1 */
    filling fill;    /* instead of a value, of the cell that op stores to on the other side */
    gw_region near;  /* not 0: only for loads in this region, as a side loads the cell */
} known;
typedef GW_VEC(known) knowns;

/* What a cell holds behind an IF of which each side leaves something known. */
typedef struct merge {
    gw_op branch;
    known of[2];
} merge;

typedef struct seen {
    gw_op op;
    gw_region loop; /* body of the loop over whose back edge the store comes, or 0 */
    bool other;     /* a barrier may have come since: another thread's store */
} seen;

typedef struct state {
    gw_func *f;
    knowns cells;
    GW_VEC(seen) stores; /* stores that may have run before the place of the walk */
    GW_VEC(merge) merges;
    gw_value_map map;
    bool *changing; /* objects whose cells other threads may change at a barrier */
    bool changed;
} state;

static gw_value now(const state *s, gw_value v) {
    gw_value to;
    while ((to = gw_map_get(&s->map, v)) != 0) v = to;
    return v;
}

static void forget_object(state *s, gw_object o) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->cells.count; i++)
        if (gw_op_at(s->f, s->cells.at[i].op)->object != o) s->cells.at[kept++] = s->cells.at[i];
    s->cells.count = kept;
}

static void forget_overwritten(state *s, gw_op store) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->cells.count; i++)
        if (gw_alias_ops(s->f, s->cells.at[i].op, store) == GW_ALIAS_NO) s->cells.at[kept++] = s->cells.at[i];
    s->cells.count = kept;
}

static void pass_barrier(state *s) {
    for (gw_object o = 1; o < s->f->objects.count; o++)
        if (s->changing[o]) forget_object(s, o);
    for (uint32_t i = 0; i < s->stores.count; i++) s->stores.at[i].other = true;
}

static void collect_stores(state *s, gw_region r, gw_region loop, bool other) {
    for (gw_op op = gw_first(s->f, r); op; op = gw_walk(s->f, op, r)) {
        const gw_op_data *o = gw_op_at(s->f, op);
        bool atomic = o->code == GW_OP_ATOMIC; /* another thread's, too */
        if (o->code == GW_OP_STORE || atomic || o->flags & GW_OP_WRITES)
            gw_push(&s->stores, ((seen){op, loop, other || atomic}));
    }
}

static void forget_stored_in(state *s, gw_op op) {
    for (gw_object o = 1; o < s->f->objects.count; o++)
        if (gw_touches(s->f, op, o, GW_TOUCH_WRITE)) forget_object(s, o);
}

/* Store and load stand on two sides of what one value decides, a value that is older than the iteration of the
 * loop, so that only one of them runs. */
static bool is_on_other_side(const gw_func *f, gw_op store, gw_op load, gw_op loop) {
    for (gw_op x = load, above = gw_op_around(f, x); above; x = above, above = gw_op_around(f, x)) {
        if (gw_op_at(f, above)->code != GW_OP_IF) continue;
        bool holds = gw_op_at(f, above)->region[0] == gw_op_at(f, x)->parent;
        const gw_value asked = gw_behind_not(f, gw_operand(f, above, 0), &holds);
        if (loop && !gw_value_visible(f, asked, gw_op_at(f, loop)->parent)) continue;
        for (gw_op y = store, over = gw_op_around(f, y); over; y = over, over = gw_op_around(f, y)) {
            if (gw_op_at(f, over)->code != GW_OP_IF) continue;
            bool held = gw_op_at(f, over)->region[0] == gw_op_at(f, y)->parent;
            if (gw_behind_not(f, gw_operand(f, over, 0), &held) == asked && held != holds) return true;
        }
    }
    return false;
}

static bool may_be_stale(const state *s, gw_op load) {
    for (uint32_t i = 0; i < s->stores.count; i++) {
        const seen *at = &s->stores.at[i];
        if (gw_op_at(s->f, at->op)->dead) continue;
        if (at->other && gw_paths_may_meet(s->f, at->op, load)) return true;
        gw_op loop_op = at->loop ? gw_region_at(s->f, at->loop)->parent : 0;
        if (gw_stored_elsewhere(s->f, loop_op, at->op, load)) continue;
        if (is_on_other_side(s->f, at->op, load, loop_op)) continue;
        gw_alias a = loop_op ? gw_alias_across(s->f, at->op, load, gw_op_at(s->f, loop_op)->parent)
                             : gw_alias_ops(s->f, at->op, load);
        if (a != GW_ALIAS_NO) return true;
    }
    return false;
}

static void mark_stale(state *s, gw_op op) {
    gw_op_data *o = gw_op_at(s->f, op);
    bool own = gw_object_is_inner(gw_object_at(s->f, o->object)->kind);
    o->flags = (uint16_t)(o->flags & ~GW_OP_STALE);
    if (!own && may_be_stale(s, op)) o->flags |= GW_OP_STALE;
}

/* The call that follows reads and writes. */
static void visit_address(state *s, gw_op op) {
    const gw_op_data *o = gw_op_at(s->f, op);
    if (o->flags & GW_OP_READS) mark_stale(s, op);
    if (!(o->flags & GW_OP_WRITES)) return;
    forget_object(s, o->object);
    gw_push(&s->stores, ((seen){op, 0, false}));
}

/* A load of the cell that the op reaches. */
static gw_value load_of(state *s, gw_builder *b, gw_op op) {
    const gw_op_data o = *gw_op_at(s->f, op);
    GW_VEC(gw_value) index = {0};
    for (uint32_t i = 0; i < gw_index_count(s->f, op); i++)
        gw_push(&index, now(s, gw_operand(s->f, op, i)));
    gw_value v = gw_load(b, o.object, o.path, index.at, index.count);
    gw_vec_free(&index);
    return v;
}

/* Made at the end of that side. */
static gw_value make_filling(state *s, const known *k, gw_op branch, uint32_t side) {
    const gw_op_data o = *gw_op_at(s->f, k->op);
    gw_region r = gw_op_at(s->f, branch)->region[side];
    gw_builder b = {s->f, r, gw_region_end(s->f, r), o.loc};
    if (k->fill == ANYTHING) return gw_zero(&b, gw_cell_type(s->f, o.object, o.path));
    return load_of(s, &b, k->op);
}

static gw_value value_of(state *s, const known *k);

/* The IF of that merge hands on what its sides leave. It is made anew for that, so all that speaks of it is
 * told. */
static gw_value hand_on(state *s, uint32_t number, const known of[2]) {
    gw_value left[2];
    for (uint32_t side = 0; side < 2; side++)
        left[side] = of[side].fill ? make_filling(s, &of[side], s->merges.at[number].branch, side)
                                   : value_of(s, &of[side]);
    const gw_op old = s->merges.at[number].branch;
    const uint32_t results = gw_op_at(s->f, old)->results;
    const gw_value first = results ? gw_result(s->f, old, 0) : 0;
    const gw_op made = gw_if_rebuild(s->f, old, NULL, &left[0], &left[1], 1);
    for (uint32_t i = 0; i < results; i++) gw_map_set(&s->map, first + i, gw_result(s->f, made, i));
    for (uint32_t i = 0; i < s->merges.count; i++)
        if (s->merges.at[i].branch == old) s->merges.at[i].branch = made;
    return gw_result(s->f, made, results);
}

static gw_value value_of(state *s, const known *k) {
    if (!k->merged) return now(s, k->value);
    const uint32_t number = k->merged - 1;
    const known of[2] = {s->merges.at[number].of[0], s->merges.at[number].of[1]};
    return hand_on(s, number, of);
}

/* ---- a load elsewhere than where a side could load the cell instead: it chooses as the IFs did ---- */

static bool loads_cell(const state *s, const known *k) {
    if (!k->merged) return k->fill == AS_FOUND;
    const merge *m = &s->merges.at[k->merged - 1];
    return loads_cell(s, &m->of[0]) || loads_cell(s, &m->of[1]);
}

static bool can_choose(const state *s, const known *k, gw_region r) {
    if (!k->merged || !loads_cell(s, k)) return true;
    const merge *m = &s->merges.at[k->merged - 1];
    const bool is_told = gw_value_visible(s->f, gw_operand(s->f, m->branch, 0), r) &&
                         gw_region_inside(s->f, r, gw_op_at(s->f, m->branch)->parent);
    return is_told && can_choose(s, &m->of[0], r) && can_choose(s, &m->of[1], r);
}

/* What the side of the IF leaves, as a value behind it; the other side may hand on anything. */
static gw_value left_by(state *s, uint32_t number, uint32_t side) {
    known of[2] = {s->merges.at[number].of[side], s->merges.at[number].of[side]};
    of[1 - side].fill = ANYTHING;
    of[1 - side].merged = 0;
    return hand_on(s, number, of);
}

/* Yields, at the end of a region, what the load would have found where that is known. */
static void choose_in(state *s, gw_region r, const known *k, gw_op load);

static gw_value choose(state *s, gw_builder *b, const known *k, gw_op load) {
    const uint32_t number = k->merged - 1;
    const gw_type type = gw_typeof(s->f, gw_result(s->f, load, 0));
    gw_value handed[2] = {0, 0};
    for (uint32_t side = 0; side < 2; side++)
        if (!loads_cell(s, &s->merges.at[number].of[side])) handed[side] = left_by(s, number, side);
    const gw_value condition = now(s, gw_operand(s->f, s->merges.at[number].branch, 0));
    const gw_op made = gw_emit(b, GW_OP_IF, type, 1, &condition, 1);
    for (uint32_t side = 0; side < 2; side++) {
        const gw_region r = gw_region_new(s->f, made);
        known of = s->merges.at[number].of[side];
        if (handed[side]) of = (known){.op = k->op, .value = handed[side]};
        choose_in(s, r, &of, load);
    }
    return gw_result(s->f, made, 0);
}

static void choose_in(state *s, gw_region r, const known *k, gw_op load) {
    gw_builder b = {s->f, r, 0, gw_op_at(s->f, load)->loc};
    gw_value v;
    if (k->fill) v = load_of(s, &b, load);
    else v = k->merged ? choose(s, &b, k, load) : k->value;
    gw_yield(&b, &v, 1);
}

static known *find_known(const state *s, gw_op load, bool merged) {
    for (uint32_t i = 0; i < s->cells.count; i++) {
        known *k = &s->cells.at[i];
        if (!k->condition && (k->merged != 0) == merged && gw_same_address(s->f, k->op, load)) return k;
    }
    return NULL;
}

/* Whoever comes to the region accesses the cell, there or in a region around it: a side of a branch there may
 * load it. */
static bool is_accessed_in(const gw_func *f, gw_region r, gw_op address) {
    for (gw_op around = 0;; r = gw_op_at(f, around)->parent) {
        for (gw_op op = gw_first(f, r); op; op = gw_next(f, op)) {
            const gw_opcode code = (gw_opcode)gw_op_at(f, op)->code;
            const bool accesses = code == GW_OP_LOAD || code == GW_OP_STORE;
            if (accesses && gw_op_at(f, op)->object == gw_op_at(f, address)->object &&
                gw_same_address(f, op, address))
                return true;
        }
        if (!(around = gw_region_at(f, r)->parent)) return false;
    }
}

static void take_value(state *s, gw_op load, gw_value v) {
    gw_value result = gw_result(s->f, load, 0);
    if (!gw_value_at(s->f, v)->name) gw_value_at(s->f, v)->name = gw_value_at(s->f, result)->name;
    gw_map_set(&s->map, result, v);
    gw_op_remove(s->f, load);
    s->changed = true;
}

/* What sides of an IF leave costs a variable, so it is asked for only where the load could not be repeated. */
static void visit_load(state *s, gw_op op) {
    known *k = find_known(s, op, false);
    if (k) {
        take_value(s, op, k->value);
        return;
    }
    mark_stale(s, op);
    k = gw_op_at(s->f, op)->flags & GW_OP_STALE ? find_known(s, op, true) : NULL;
    if (k && (!k->near || is_accessed_in(s->f, k->near, op))) {
        k->value = value_of(s, k);
        k->merged = 0;
        take_value(s, op, k->value);
        return;
    }
    if (k && s->f->kind == GW_FUNC_KERNEL && can_choose(s, k, gw_op_at(s->f, op)->parent)) {
        gw_builder b = {s->f, gw_op_at(s->f, op)->parent, op, gw_op_at(s->f, op)->loc};
        const known chosen = {.op = k->op, .value = choose(s, &b, k, op)};
        take_value(s, op, chosen.value);
        gw_push(&s->cells, chosen);
        return;
    }
    gw_push(&s->cells, ((known){.op = op, .value = gw_result(s->f, op, 0)}));
}

/* Something in the op may reach the cell of that store. */
static bool reaches_cell(const gw_func *f, gw_op op, gw_op store) {
    for (gw_op in = op; in; in = gw_walk_op(f, in, op)) {
        const gw_op_data *o = gw_op_at(f, in);
        const gw_object object = gw_op_at(f, store)->object;
        if (o->regions || !gw_touches(f, in, object, GW_TOUCH_READ | GW_TOUCH_WRITE)) continue;
        const bool access = o->code == GW_OP_LOAD || o->code == GW_OP_STORE;
        if (!access || !gw_always_apart(f, gw_op_at(f, store)->parent, in, store)) return true;
    }
    return false;
}

/* The store before `op` in its region, if nothing between can see its cell. */
static void drop_overwritten(state *s, gw_op op) {
    gw_func *f = s->f;
    gw_object object = gw_op_at(f, op)->object;
    for (gw_op at = gw_prev(f, op), before; at; at = before) {
        before = gw_prev(f, at);
        if (gw_op_at(f, at)->code == GW_OP_STORE && gw_op_at(f, at)->object == object) {
            if (!gw_same_address(f, at, op)) continue;
            gw_op_remove(f, at);
            s->changed = true;
            return;
        }
        /* to other threads */
        bool shown = !gw_object_is_private(gw_object_at(f, object)->kind) && gw_holds_barrier(f, at);
        if (shown || reaches_cell(f, at, op) || gw_op_at(f, at)->code == GW_OP_DECLARE) return;
    }
}

static void visit_store(state *s, gw_op op) {
    forget_overwritten(s, op);
    gw_push(&s->cells, ((known){.op = op, .value = gw_operand(s->f, op, gw_op_at(s->f, op)->operands - 1)}));
    gw_push(&s->stores, ((seen){op, 0, false}));
    drop_overwritten(s, op);
}

static void visit_atomic(state *s, gw_op op) {
    forget_object(s, gw_op_at(s->f, op)->object);
    gw_push(&s->stores, ((seen){op, 0, true}));
}

static void walk(state *s, gw_region r);

/* ---- two ifs on one value take one side: what the first one stored is known in the second one ---- */
static gw_value condition_of(const state *s, gw_op op, uint32_t *side) {
    bool holds = *side == 0;
    gw_value asked = gw_behind_not(s->f, gw_operand(s->f, op, 0), &holds);
    *side = holds ? 0 : 1;
    return asked;
}

static void enter_side(state *s, gw_op op, uint32_t side) {
    const gw_value asked = condition_of(s, op, &side);
    for (uint32_t i = 0; i < s->cells.count; i++) {
        known *k = &s->cells.at[i];
        if (k->condition && k->condition == asked && k->side == side) k->condition = 0;
    }
}

/* What is known at the end of the side goes, but for its stores. The if hands on a value that is not there
 * behind it, and the other side may hand on anything. */
static void leave_side(state *s, gw_op op, uint32_t side, knowns *stored) {
    const gw_func *f = s->f;
    for (uint32_t i = 0; i < s->cells.count; i++) {
        known k = s->cells.at[i];
        const gw_op_data *o = gw_op_at(f, k.op);
        if (k.condition || o->code != GW_OP_STORE || o->parent != gw_op_at(f, op)->region[side]) continue;
        if (k.merged || k.fill) continue;
        if (!gw_value_visible(f, k.value, gw_op_at(f, op)->parent)) {
            if (f->kind != GW_FUNC_KERNEL) continue;
            merge m = {op, {k, k}};
            m.of[1 - side].fill = ANYTHING;
            gw_push(&s->merges, m);
            k = (known){.op = k.op, .merged = s->merges.count};
        }
        k.side = side;
        k.condition = condition_of(s, op, &k.side);
        gw_push(stored, k);
    }
}

static const known *find_same(const state *s, const knowns *list, gw_op address) {
    const known *found = NULL;
    for (uint32_t i = 0; i < list->count; i++) {
        const known *k = &list->at[i];
        const bool better = !found || (found->merged && !k->merged); /* a value rather than one to be made */
        if (better && !k->condition && gw_same_address(s->f, address, k->op)) found = k;
    }
    return found;
}

static void push_merge(state *s, gw_op branch, known then_side, known else_side, gw_region near) {
    if (!near) near = then_side.near ? then_side.near : else_side.near;
    gw_region parent = gw_op_at(s->f, branch)->parent;
    /* A merge is told by a store of it. */
    const gw_op told = gw_op_at(s->f, then_side.op)->code == GW_OP_LOAD ? else_side.op : then_side.op;
    gw_push(&s->merges, ((merge){branch, {then_side, else_side}}));
    gw_push(&s->cells, ((known){.op = told, .merged = s->merges.count, .near = near ? parent : 0}));
}

/* What is known at the ends of both sides of an IF stays for cells that one of them stores to. */
static void merge_sides(state *s, gw_op branch, const knowns end[2]) {
    for (uint32_t i = 0; i < end[0].count; i++) {
        const known *a = &end[0].at[i];
        if (a->condition || !gw_touches(s->f, branch, gw_op_at(s->f, a->op)->object, GW_TOUCH_WRITE)) continue;
        if (find_same(s, &end[0], a->op) != a) continue; /* one merge a cell, of the best that is known */
        const known *b = find_same(s, &end[1], a->op);
        if (b) push_merge(s, branch, *a, *b, 0);
    }
}

typedef GW_VEC(seen) seen_list;

/* On the side that ends with these stores, the cell that the store reaches is as the function found it. */
static bool is_as_found(state *s, gw_op branch, gw_op store, const seen_list *before) {
    const gw_func *f = s->f;
    bool visible = gw_object_at(f, gw_op_at(f, store)->object)->kind == GW_OBJECT_POINTER;
    for (uint32_t i = 0; i < gw_index_count(f, store); i++)
        visible &= gw_value_visible(f, now(s, gw_operand(f, store, i)), gw_op_at(f, branch)->parent);
    if (!visible) return false;
    seen *at = s->stores.at;
    uint32_t count = s->stores.count;
    s->stores.at = before->at, s->stores.count = before->count;
    bool stale = may_be_stale(s, store);
    s->stores.at = at, s->stores.count = count;
    return !stale;
}

/* Cells that one side stores to, as its last store of them, and the other leaves as the function found them. */
static void merge_with_found(state *s, gw_op branch, const knowns end[2], const seen_list before[2]) {
    for (uint32_t side = 0; side < 2; side++)
        for (uint32_t i = 0; i < end[side].count; i++) {
            const known *a = &end[side].at[i];
            if (a->condition || a->fill || gw_op_at(s->f, a->op)->code != GW_OP_STORE ||
                !gw_region_inside(s->f, gw_op_at(s->f, a->op)->parent, gw_op_at(s->f, branch)->region[side]))
                continue;
            if (find_same(s, &end[1 - side], a->op)) continue;
            if (!is_as_found(s, branch, a->op, &before[1 - side])) continue;
            const known found = {.op = a->op, .fill = AS_FOUND};
            push_merge(s, branch, side ? found : *a, side ? *a : found, gw_op_at(s->f, branch)->parent);
        }
}

static void visit_regions(state *s, gw_op op) {
    gw_func *f = s->f;
    bool loop = gw_is_loop(f, op), meets = gw_holds_barrier(f, op);
    if (loop) {
        forget_stored_in(s, op);
        collect_stores(s, gw_loop_body(f, op), gw_loop_body(f, op), meets);
        if (meets) pass_barrier(s);
    }
    knowns saved = {0}, stored = {0}, end[2] = {{0}, {0}};
    seen_list other_side = {0}; /* what one side of a branch stores the other one does not see */
    seen_list ends[2] = {{0}, {0}};
    const uint32_t before = s->stores.count;
    for (uint32_t i = 0; i < s->cells.count; i++) gw_push(&saved, s->cells.at[i]);
    for (uint32_t i = 0; i < gw_op_at(f, op)->regions; i++) {
        for (uint32_t k = before; !loop && i && k < s->stores.count; k++)
            gw_push(&other_side, s->stores.at[k]);
        if (!loop) s->stores.count = before;
        if (!loop) enter_side(s, op, i);
        walk(s, gw_op_at(f, op)->region[i]);
        if (!loop) leave_side(s, op, i, &stored);
        for (uint32_t k = 0; !loop && k < s->cells.count; k++) gw_push(&end[i], s->cells.at[k]);
        for (uint32_t k = 0; !loop && k < s->stores.count; k++) gw_push(&ends[i], s->stores.at[k]);
        s->cells.count = 0;
        for (uint32_t k = 0; k < saved.count; k++) gw_push(&s->cells, saved.at[k]);
    }
    forget_stored_in(s, op);
    for (uint32_t i = 0; i < stored.count; i++) gw_push(&s->cells, stored.at[i]);
    for (uint32_t i = 0; i < other_side.count; i++)
        gw_push(&s->stores, other_side.at[i]);
    if (!loop) merge_sides(s, op, end);
    if (!loop && !meets && f->kind == GW_FUNC_KERNEL) merge_with_found(s, op, end, ends);
    gw_vec_free(&ends[0]);
    gw_vec_free(&ends[1]);
    gw_vec_free(&end[0]);
    gw_vec_free(&end[1]);
    gw_vec_free(&other_side);
    gw_vec_free(&saved);
    gw_vec_free(&stored);
    if (meets) pass_barrier(s);
}

static void walk(state *s, gw_region r) {
    gw_func *f = s->f;
    for (gw_op op = gw_first(f, r), next; op; op = next) {
        next = gw_next(f, op);
        const gw_op_data *o = gw_op_at(f, op);
        for (uint32_t i = 0; i < o->operands; i++) gw_set_operand(f, op, i, now(s, gw_operand(f, op, i)));
        if (o->code == GW_OP_LOAD) visit_load(s, op);
        else if (o->code == GW_OP_STORE) visit_store(s, op);
        else if (o->code == GW_OP_ATOMIC) visit_atomic(s, op);
        else if (o->code == GW_OP_ADDRESS) visit_address(s, op);
        else if (o->code == GW_OP_DECLARE) forget_object(s, o->object);
        else if (gw_op_rows[o->code].effect == GW_EFFECT_MEET) pass_barrier(s);
        else if (o->regions) visit_regions(s, op);
    }
}

bool gw_forward_memory(gw_func *f) {
    state s = {.f = f, .changing = gw_changing_objects(f)};
    walk(&s, f->entry);
    gw_replace_many(f, &s.map);
    gw_vec_free(&s.cells);
    gw_vec_free(&s.stores);
    gw_vec_free(&s.merges);
    gw_map_free(&s.map);
    free(s.changing);
    return s.changed;
}
