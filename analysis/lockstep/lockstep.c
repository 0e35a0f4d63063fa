/*
 * lockstep.c - the pass `lockstep`: volatile shared memory, by which lanes of a warp meet as if they ran in
 * step.
 *
 *     if (t < 32) s[t] = min(s[t], s[t + 32]);
 *     if (t < 16) s[t] = min(s[t], s[t + 16]);      // reads what lanes 16 to 31 have just stored
 *
 * That was how warps were before Volta; since then it is a race. Here __syncwarp is written in where it is
 * missing, with a warning at each place, so that all that follows sees a kernel as it should have been.
 *
 * Requires primals as the front end leaves them. Guarantees that no shared object is `in_step` any more: of two
 * accesses to one, of which one stores, either lanes of a warp never meet in a cell, or a barrier of all lanes
 * that may be at either stands on every way from one to the other.
 *
 * Sound, since lanes in step finish a statement before the next one begins: all of them have read what it needs
 * before one stores, and have stored before one goes on. So a barrier of lanes that run a region together, in
 * front of a store or behind it, takes no order away that lanes in step had, wherever it stands; the
 * question is only which are needed, and a proof that two lanes never meet (prove/disjoint.c) leaves one out.
 * Lanes in step come together again behind a branch, and behind a loop whose trips they share. A barrier inside
 * of a branch that may part a warp names the lanes in it, by a ballot in front of the branch. What has no such
 * order is an error: the two sides of a branch, of which hardware chose one to go first, and loops that lanes
 * leave at different times. Threads of different warps never ran in step: that they are free of races is the
 * premise that it is for every kernel. But a loop that waits for another thread's store is one in which nothing
 * else stands for the order, and is refused.
 *
 * The primal's own freedom from races says that a store reaches each of its cells by one thread (in step, too,
 * either value might stay), so an access at the store's address, which runs only where the store does, is its
 * thread's.
 */
#include "analysis/facts/facts.h"
#include "analysis/ir/diagnostics.h"
#include "analysis/ir/passes.h"
#include "analysis/ir/query.h"
#include "analysis/ir/warp.h"
#include "analysis/prove/prove.h"

#include <stdlib.h>

/* An access that lanes may have made with no barrier since; `round`: in an earlier iteration of that loop;
 * `met`: lanes that run this region have met since, and nobody else, 0: none have. */
typedef struct made {
    gw_op op, round;
    gw_region met;
} made;
typedef GW_VEC(made) made_list;

/* A barrier that is missing, in front of an op or behind it, and two accesses for which it is. */
typedef struct spot {
    gw_op at, first, then;
    bool behind, quiet; /* quiet: no launch that means something needs it */
} spot;

/* What is known of two accesses. FLAT: lanes meet only in blocks that are longer than 1 in y or z, which the
 * kernel does not look at. */
typedef enum meets { UNKNOWN, APART, FLAT, MEET } meets;
enum { Y_AND_Z = 6 }; /* of gw_meeting's coordinates */

typedef struct lockstep {
    gw_func *f;
    gw_uniform uniform;
    gw_normal *n;
    GW_VEC(spot) spots;
    uint8_t *known;   /* by two accesses: whether lanes meet */
    gw_op *access;    /* those of objects in step */
    uint32_t *number; /* by op: 1 + index into access */
    uint32_t count;
    gw_number **index; /* by access; NULL: not asked for yet */
    gw_value *lanes;   /* by region: those that run it, once asked for */
    uint32_t one_long; /* coordinates of threads that the kernel does not look at */
    meets least;       /* what a barrier is written for */
    bool again, failed;
} lockstep;

static bool is_access(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    return !o->dead && o->object && gw_object_at(f, o->object)->in_step;
}

static bool writes(const gw_func *f, gw_op op) { return gw_op_at(f, op)->code != GW_OP_LOAD; }

static bool parts_warps(const lockstep *l, gw_op op) {
    return gw_uniform_control(&l->uniform, op) > GW_UNIFORM_WARP;
}

/* The region around r, or r itself, whose lanes are those of r: a side of a branch that parts warps, or all. */
static gw_region scope_of(const lockstep *l, gw_region r) {
    const gw_func *f = l->f;
    for (gw_op op = gw_region_at(f, r)->parent; op; op = gw_region_at(f, r)->parent) {
        if (gw_op_at(f, op)->code == GW_OP_IF && parts_warps(l, op)) break;
        r = gw_op_at(f, op)->parent;
    }
    return r;
}

/* ---- whether two lanes meet ---- */
/* The accesses with one address of which one stores, where the other runs: they are one thread's. */
static bool is_own_cell(const gw_func *f, gw_op a, gw_op b, gw_op round) {
    if (!gw_same_address(f, a, b) || (round && !gw_address_visible(f, a, gw_op_at(f, round)->parent)))
        return false;
    gw_region x = gw_op_at(f, a)->parent, y = gw_op_at(f, b)->parent;
    return (writes(f, a) && gw_region_inside(f, y, x)) || (writes(f, b) && gw_region_inside(f, x, y));
}

static gw_access access_of(lockstep *l, gw_op op) {
    uint32_t number = l->number[op] - 1, count = gw_index_count(l->f, op);
    gw_context *c = gw_normal_context(l->n, gw_op_at(l->f, op)->parent);
    if (!l->index[number]) {
        l->index[number] = gw_alloc((count + 1) * sizeof *l->index[number]);
        for (uint32_t i = 0; i < count; i++)
            gw_normal_exact(l->n, c, gw_operand(l->f, op, i), &l->index[number][i]);
    }
    return (gw_access){.context = c, .index = l->index[number], .count = count, .op = op, .one_block = true};
}

/* x reaches the cell of the thread's own number, threadIdx.x, and y one cell, in the thread of that number
 * alone: if (t < 2) s[t] = ...; if (t == 0) y[blockIdx.x] = s[0]; */
static bool is_own_number(const lockstep *l, const gw_access *x, const gw_access *y) {
    gw_atom thread;
    int64_t cell;
    uint64_t assumed = 0;
    if (x->count != 1 || y->count != 1 || x->index->bits || y->index->bits || x->index->assumed ||
        y->index->assumed || !gw_poly_is_atom(&x->index->poly, &thread) ||
        thread != gw_atom_special(GW_THREAD_IDX, 0) || !gw_poly_is_constant(&y->index->poly, &cell))
        return false;
    gw_poly above = x->index->poly, below = x->index->poly;
    gw_poly_add_constant(&above, -cell);
    gw_poly_scale(&below, -1);
    gw_poly_add_constant(&below, cell);
    return gw_prove_nonnegative(l->n, &y->context->facts, &above, &assumed) &&
           gw_prove_nonnegative(l->n, &y->context->facts, &below, &assumed) && !assumed;
}

/* Nobody checks at the launch what is supposed here: FLAT keeps the barrier. */
static meets find_meeting(lockstep *l, gw_op a, gw_op b) {
    const gw_func *f = l->f;
    bool plain = gw_op_at(f, a)->code != GW_OP_ADDRESS && gw_op_at(f, b)->code != GW_OP_ADDRESS;
    if (!gw_paths_may_meet(f, a, b)) return APART;
    if (!plain || gw_op_at(f, a)->path != gw_op_at(f, b)->path) return MEET;
    gw_access x = access_of(l, a), y = access_of(l, b);
    gw_meeting m = {0};
    if (l->one_long == Y_AND_Z && (is_own_number(l, &x, &y) || is_own_number(l, &y, &x))) return FLAT;
    gw_threads_meet_by_cases(l->n, &x, &y, l->one_long, &m);
    if (!m.disjoint || m.assumed & ~gw_assumed_lengths(Y_AND_Z)) return MEET;
    return m.assumed ? FLAT : APART;
}

static bool lanes_meet(lockstep *l, gw_op a, gw_op b, gw_op round) {
    const gw_func *f = l->f;
    if (gw_op_at(f, a)->object != gw_op_at(f, b)->object || (!writes(f, a) && !writes(f, b))) return false;
    if (is_own_cell(f, a, b, round)) return false;
    uint8_t *known = &l->known[(size_t)(l->number[a] - 1) * l->count + l->number[b] - 1];
    if (*known == UNKNOWN) *known = (uint8_t)find_meeting(l, a, b);
    return *known >= l->least;
}

/* ---- where a barrier is missing ---- */
static void refuse(lockstep *l, gw_op a, gw_op b, gw_op cause, const char *why) {
    const gw_func *f = l->f;
    gw_str name = gw_object_at(f, gw_op_at(f, a)->object)->name;
    gw_diag(f->session, GW_DIAG_NO_LOCKSTEP, gw_op_at(f, b)->loc, gw_cstr(f->session, name),
            gw_op_at(f, a)->loc.line, gw_op_at(f, cause)->loc.line, why);
    l->failed = true;
}

/* A loop around the region that lanes may leave at different times, or that asks in this region; 0: none. */
static gw_op undecided(const lockstep *l, gw_region r) {
    const gw_func *f = l->f;
    for (gw_op op = gw_region_at(f, r)->parent; op; op = gw_region_at(f, r)->parent) {
        bool asks = gw_op_at(f, op)->code == GW_OP_WHILE && r != gw_loop_body(f, op);
        if (gw_is_loop(f, op) && (asks || parts_warps(l, op))) return op;
        r = gw_op_at(f, op)->parent;
    }
    return 0;
}

static void place(lockstep *l, gw_op a, gw_op b, gw_op round) {
    const gw_func *f = l->f;
    gw_region r = round ? gw_loop_body(f, round) : gw_common_region(f, a, b);
    gw_op first = gw_holder(f, a, r), then = gw_holder(f, b, r), loop = undecided(l, r);
    if (!loop && (!first || !then)) loop = round;
    if (!loop && !round && first == then) loop = first; /* from a loop's question to its body */
    if (loop && l->least == MEET) refuse(l, a, b, loop, "is a loop that they may leave at different times");
    if (loop) return;
    bool behind = writes(f, a), quiet = l->least == FLAT;
    gw_push(&l->spots,
            ((spot){.at = behind ? first : then, .first = a, .then = b, .behind = behind, .quiet = quiet}));
    l->again = true;
}

static void meet(lockstep *l, gw_op b, const made_list *now) {
    for (uint32_t i = 0; i < now->count && !l->again && !l->failed; i++) {
        made a = now->at[i];
        if (a.met && gw_region_inside(l->f, gw_op_at(l->f, b)->parent, a.met)) continue;
        gw_op round = a.round && gw_holder(l->f, b, gw_op_at(l->f, a.round)->parent) == a.round ? a.round : 0;
        if (lanes_meet(l, a.op, b, round)) place(l, a.op, b, round);
    }
}

static void add(made_list *list, made m) {
    for (uint32_t i = 0; i < list->count; i++)
        if (list->at[i].op == m.op && list->at[i].round == m.round && list->at[i].met == m.met) return;
    gw_push(list, m);
}

static void join(made_list *to, const made_list *from) {
    for (uint32_t i = 0; i < from->count; i++)
        add(to, from->at[i]);
}

/* Lanes that run region r, or all that run one with the same lanes, meet; others do not meet them. */
static void pass_barrier(const lockstep *l, gw_region r, made_list *now) {
    const gw_func *f = l->f;
    gw_region scope = scope_of(l, r);
    if (scope == f->entry) now->count = 0;
    for (uint32_t i = 0; i < now->count; i++) {
        made *m = &now->at[i];
        bool inside = gw_region_inside(f, gw_op_at(f, m->op)->parent, scope);
        if (inside && (!m->met || gw_region_inside(f, m->met, scope))) m->met = scope;
    }
}

static void pass_spots(const lockstep *l, gw_op op, bool behind, made_list *now) {
    for (uint32_t i = 0; i < l->spots.count; i++)
        if (l->spots.at[i].at == op && l->spots.at[i].behind == behind)
            pass_barrier(l, gw_op_at(l->f, op)->parent, now);
}

static void pass(lockstep *l, gw_region r, made_list *now);

/* Twice: the second time behind what an iteration before has made. */
static void pass_loop(lockstep *l, gw_op op, made_list *now) {
    const gw_func *f = l->f;
    made_list round = {0};
    for (int turn = 0; turn < 2; turn++) {
        join(&round, now);
        for (uint32_t i = 0; i < gw_op_at(f, op)->regions; i++)
            pass(l, gw_op_at(f, op)->region[i], &round);
        for (uint32_t i = 0; i < round.count; i++) {
            made *m = &round.at[i];
            if (gw_holder(f, m->op, gw_op_at(f, op)->parent) != op) continue;
            m->round = op;
            if (m->met && gw_region_inside(f, m->met, gw_loop_body(f, op))) m->met = 0; /* other lanes now */
        }
        join(now, &round);
    }
    gw_vec_free(&round);
}

/* In both sides of a branch it would be a race of lanes in step, so that lanes never meet in it: an access at
 * the address of the other, and two stores to one cell, of which either might stay. */
static bool is_race(const gw_func *f, gw_op a, gw_op b) {
    const bool both_store = gw_op_at(f, a)->code == GW_OP_STORE && gw_op_at(f, b)->code == GW_OP_STORE;
    return both_store || gw_same_address(f, a, b);
}

/* In a branch that parts warps nobody knows which side goes first. */
static void check_sides(lockstep *l, gw_op branch) {
    const gw_func *f = l->f;
    const gw_op_data *o = gw_op_at(f, branch);
    for (uint32_t i = 0; i < l->count; i++)
        for (uint32_t k = 0; k < l->count && !l->failed; k++) {
            gw_op a = l->access[i], b = l->access[k];
            if (!gw_region_inside(f, gw_op_at(f, a)->parent, o->region[0]) ||
                !gw_region_inside(f, gw_op_at(f, b)->parent, o->region[1]) || is_race(f, a, b) ||
                !lanes_meet(l, a, b, 0))
                continue;
            refuse(l, a, b, branch, "is a branch, either side of which may go first");
        }
}

static void pass_branch(lockstep *l, gw_op op, made_list *now) {
    made_list all = {0};
    for (uint32_t i = 0; i < gw_op_at(l->f, op)->regions; i++) {
        made_list side = {0};
        join(&side, now);
        pass(l, gw_op_at(l->f, op)->region[i], &side);
        join(&all, &side);
        gw_vec_free(&side);
    }
    if (parts_warps(l, op) && !l->again && l->least == MEET) check_sides(l, op);
    gw_vec_free(now);
    *now = all;
}

/* All lanes of the warp meet there, whatever branch it stands in. */
static bool is_full_barrier(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    int64_t mask;
    if (o->code == GW_OP_BARRIER) return true;
    return o->code == GW_OP_SYNCWARP && gw_const_int(f, gw_operand(f, op, 0), &mask) &&
           (uint32_t)mask == UINT32_MAX;
}

static void pass(lockstep *l, gw_region r, made_list *now) {
    const gw_func *f = l->f;
    for (gw_op op = gw_first(f, r); op && !l->again && !l->failed; op = gw_next(f, op)) {
        pass_spots(l, op, false, now);
        if (is_full_barrier(f, op)) {
            now->count = 0;
        } else if (is_access(f, op)) {
            meet(l, op, now);
            add(now, (made){.op = op});
        } else if (gw_is_loop(f, op)) {
            pass_loop(l, op, now);
        } else if (gw_op_at(f, op)->regions) {
            pass_branch(l, op, now);
        }
        pass_spots(l, op, true, now);
    }
}

/* ---- loops that wait ---- */
static bool comes_from_load(const gw_func *f, gw_value v, gw_op loop, bool *seen) {
    gw_region around = gw_value_region(f, v);
    if (seen[v] || gw_region_at(f, around)->parent == 0) return false;
    seen[v] = true;
    gw_op op = gw_value_at(f, v)->op;
    if (!op || gw_holder(f, op, gw_op_at(f, loop)->parent) != loop) return false;
    if (is_access(f, op)) return !gw_touches(f, loop, gw_op_at(f, op)->object, GW_TOUCH_WRITE);
    bool found = false;
    for (gw_op in = op; in && !found; in = gw_walk_op(f, in, op))
        for (uint32_t i = 0; i < gw_op_at(f, in)->operands && !found; i++)
            found = comes_from_load(f, gw_operand(f, in, i), loop, seen);
    return found;
}

static bool waits(const gw_func *f, gw_op loop) {
    bool *seen = gw_alloc(f->values.count + 1);
    gw_value test = gw_loop_test(f, loop), flag = gw_loop_flag(f, loop);
    bool found =
        (test && comes_from_load(f, test, loop, seen)) || (flag && comes_from_load(f, flag, loop, seen));
    free(seen);
    return found;
}

static bool refuse_waiting(const gw_func *f) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        if (gw_op_at(f, op)->dead || !gw_is_loop(f, op) || !waits(f, op)) continue;
        gw_diag(f->session, GW_DIAG_UNSUPPORTED, gw_op_at(f, op)->loc,
                "a loop that waits for what another thread stores to volatile memory",
                "let the threads meet by __syncwarp() or __syncthreads()");
        return true;
    }
    return false;
}

/* ---- the barriers ---- */
/* The lanes that run region r, at a builder in it. */
static gw_value lanes_of(lockstep *l, gw_region r, gw_builder *here) {
    gw_func *f = l->f;
    gw_region scope = scope_of(l, r);
    if (scope == f->entry) return gw_int(here, GW_T_U32, 0xffffffff);
    if (l->lanes[scope]) return l->lanes[scope];
    gw_op branch = gw_region_at(f, scope)->parent;
    gw_builder b = {f, gw_op_at(f, branch)->parent, branch, gw_op_at(f, branch)->loc};
    gw_value operands[2] = {lanes_of(l, b.region, &b), gw_operand(f, branch, 0)};
    if (scope == gw_op_at(f, branch)->region[1]) operands[1] = gw_unary(&b, GW_OP_NOT, operands[1]);
    operands[1] = gw_cast(&b, GW_T_I32, operands[1]);
    gw_op ballot = gw_emit(&b, GW_OP_WARP, GW_T_U32, 1, operands, 2);
    gw_op_at(f, ballot)->attr = GW_WARP_BALLOT;
    return l->lanes[scope] = gw_result(f, ballot, 0);
}

static void warn(const lockstep *l, const spot *s) {
    const gw_func *f = l->f;
    gw_session *session = f->session;
    bool part = scope_of(l, gw_op_at(f, s->at)->parent) != f->entry;
    bool one = !s->behind && gw_op_at(f, s->first)->loc.line == gw_op_at(f, s->then)->loc.line;
    gw_str name = gw_object_at(f, gw_op_at(f, s->first)->object)->name;
    gw_diag(
        session, GW_DIAG_MISSING_SYNCWARP, gw_op_at(f, s->at)->loc, s->behind ? "behind" : "in front of",
        s->behind ? "store to" : "read", gw_cstr(session, name), gw_op_at(f, s->first)->loc.line,
        writes(f, s->then) ? "store to" : "read", gw_op_at(f, s->then)->loc.line,
        one ? "between what is read and what is stored (v = s[t] + s[t + 16]; __syncwarp(); s[t] = v;)"
            : "there",
        part ? ", with the lanes of the branch, unless it is for whole warps: mask = __ballot_sync(0xffffffff, "
               "condition) in front of it"
             : "");
}

static void write_barriers(lockstep *l) {
    gw_func *f = l->f;
    l->lanes = gw_alloc((f->regions.count + 1) * sizeof *l->lanes);
    for (uint32_t i = 0; i < l->spots.count; i++) {
        const spot *s = &l->spots.at[i];
        if (!s->quiet) warn(l, s);
        gw_builder b = {f, gw_op_at(f, s->at)->parent, s->behind ? gw_next(f, s->at) : s->at,
                        gw_op_at(f, s->at)->loc};
        gw_value mask = lanes_of(l, b.region, &b);
        gw_emit(&b, GW_OP_SYNCWARP, GW_T_VOID, 0, &mask, 1);
    }
    free(l->lanes);
}

static void begin(lockstep *l, gw_func *f) {
    *l = (lockstep){.f = f, .n = gw_normal_new(f), .one_long = Y_AND_Z};
    gw_effort_begin(f);
    gw_uniform_new(&l->uniform, f);
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        bool grid = o->attr / 4 == GW_BLOCK_IDX || o->attr / 4 == GW_GRID_DIM;
        if (o->code == GW_OP_SPECIAL && !grid) l->one_long &= ~(1u << o->attr % 4);
    }
    l->number = gw_alloc(f->ops.count * sizeof *l->number);
    l->access = gw_alloc(f->ops.count * sizeof *l->access);
    for (gw_op op = 1; op < f->ops.count; op++)
        if (is_access(f, op)) l->access[l->count++] = op, l->number[op] = l->count;
    l->known = gw_alloc((size_t)l->count * l->count + 1);
    l->index = gw_alloc((l->count + 1) * sizeof(gw_number *));
}

static void end(lockstep *l) {
    for (uint32_t i = 0; i < l->count; i++)
        free(l->index[i]);
    free(l->index);
    free(l->known);
    free(l->access);
    free(l->number);
    gw_vec_free(&l->spots);
    gw_normal_free(l->n);
    gw_uniform_free(&l->uniform);
}

static void find_spots(lockstep *l, meets least) {
    l->least = least;
    l->again = true;
    while (l->again && !l->failed) {
        made_list now = {0};
        l->again = false;
        pass(l, l->f->entry, &now);
        gw_vec_free(&now);
    }
}

static bool in_step(gw_func *f) {
    lockstep l;
    bool any = false;
    for (gw_object o = 1; o < f->objects.count; o++)
        any |= gw_object_at(f, o)->in_step;
    if (!any) return true;
    if (refuse_waiting(f)) return false;
    begin(&l, f);
    find_spots(&l, MEET);
    find_spots(&l, FLAT);
    bool good = !l.failed;
    if (good) write_barriers(&l);
    end(&l);
    for (gw_object o = 1; o < f->objects.count; o++)
        gw_object_at(f, o)->in_step = false;
    return good;
}

bool gw_pass_lockstep(gw_run *run) {
    bool good = true;
    for (uint32_t i = 0; i < run->session->funcs.count; i++)
        good &= in_step(run->session->funcs.at[i]);
    return good;
}
