/*
 * gather/kernel.c - the kernel that gathers an addition over the grid (contract: grid_private.h; why:
 * gather/grid.c).
 *
 *     for (group = blockIdx.x; group < groups; group += gridDim.x)
 *         for (first = 0; first < trips; first += blockDim.x) {
 *             for (tile = 0; tile < peers; tile += blockDim.x) {
 *                 leave what thread tile + threadIdx.x of the group has in shared arrays
 *                 __syncthreads();
 *                 teams of threads, one thread an iteration: sum over the tile's threads, of which each team
 * takes its share
 *                 __syncthreads();
 *             }
 *             add the sum
 *         }
 *
 * Neighbouring threads take neighbouring iterations of one team, so that loads at k lie together; where the
 * loop's index is multiplied, `x[start + k*step]` with step != 1, they take one iteration for neighbouring
 * teams, whose peers' starts may lie together.
 */
#include "rewriters/gather/kernel_private.h"

#include "analysis/ir/reasons.h"
#include "analysis/ir/run.h"
#include "analysis/ir/rungs.h"
#include "analysis/ownership/ownership.h"

#include <stdlib.h>

typedef GW_VEC(gw_value) value_list;

/* for (index = low; index < high; index += step) without carried values; the index. */
static gw_value open_for(gw_grid_making *m, gw_value low, gw_value high, gw_value step, const char *name) {
    gw_op made = gw_emit(&m->b, GW_OP_FOR, GW_T_VOID, 0, (gw_value[]){low, high, step}, 3);
    gw_op_at(m->g, made)->attr = GW_OP_LT;
    m->b.region = gw_region_new(m->g, made);
    return gw_region_arg(m->g, m->b.region, gw_typeof(m->g, low), gw_intern(m->g->session, name));
}

static void close_for(gw_grid_making *m) {
    gw_yield(&m->b, NULL, 0);
    m->b.region = gw_region_outside(m->g, m->b.region);
}

static gw_value number(gw_grid_making *m, int64_t value) { return gw_int(&m->b, GW_T_I64, value); }

/* ---- values that are the same in the grid ---- */
static gw_value uniform(gw_grid_making *m, gw_value v);

static void uniform_inside(gw_grid_making *m, gw_region r, gw_region outer) {
    for (gw_op op = gw_first(m->f, r); op; op = gw_walk(m->f, op, r)) {
        for (uint32_t i = 0; i < gw_op_at(m->f, op)->operands; i++)
            if (!gw_region_inside(m->f, gw_value_region(m->f, gw_operand(m->f, op, i)), outer))
                uniform(m, gw_operand(m->f, op, i));
    }
}

static gw_value uniform(gw_grid_making *m, gw_value v) {
    const gw_func *f = m->f;
    gw_op op = gw_value_at(f, v)->op;
    gw_value known = gw_map_get(&m->c.values, v);
    if (known || !op) return known;
    const gw_op_data *o = gw_op_at(f, op);
    for (uint32_t i = 0; i < o->operands; i++) uniform(m, gw_operand(f, op, i));
    for (uint32_t i = 0; i < o->regions; i++) uniform_inside(m, o->region[i], o->region[i]);
    gw_op made = gw_clone_op(&m->c, op);
    bool divides = (o->code == GW_OP_DIV || o->code == GW_OP_REM) && gw_type_is_integer(gw_typeof(f, v));
    int64_t constant;
    if (divides && !gw_const_int(f, gw_operand(f, op, 1), &constant)) { /* nobody may have asked */
        gw_builder before = m->b;
        before.before = made;
        gw_value by = gw_operand(m->g, made, 1);
        gw_type type = gw_typeof(m->g, by);
        gw_value none = gw_binary(&before, GW_OP_EQ, by, gw_int(&before, type, 0));
        gw_set_operand(m->g, made, 1, gw_select(&before, none, gw_int(&before, type, 1), by));
    }
    return gw_map_get(&m->c.values, v);
}

static void make_uniform(gw_grid_making *m) {
    const gw_func *f = m->f;
    gw_region body = gw_loop_body(f, m->t->loop);
    m->grid = gw_grid_named(m, gw_grid_wide(m, gw_special_value(&m->b, GW_GRID_DIM, 0)), "blocks");
    m->block = gw_grid_named(m, gw_grid_wide(m, gw_special_value(&m->b, GW_BLOCK_DIM, 0)), "block");
    gw_value divisor = gw_grid_wide(m, uniform(m, m->t->divisor));
    if (!m->alone) divisor = gw_unary(&m->b, GW_OP_IABS, divisor);
    m->size = gw_grid_named(m, gw_grid_op(m, GW_OP_IMAX, divisor, number(m, 1)), "size");
    if (m->alone) m->most = divisor;
    m->low = gw_grid_wide(m, uniform(m, gw_operand(f, m->t->loop, 0)));
    m->trips = gw_grid_named(
        m, gw_grid_op(m, GW_OP_SUB, gw_grid_wide(m, uniform(m, gw_operand(f, m->t->loop, 1))), m->low),
        "trips");
    for (gw_op op = 1; op < f->ops.count; op++) {
        if (gw_op_at(f, op)->dead || (!m->t->needed[op] && op != m->t->add) ||
            !gw_region_inside(f, gw_op_at(f, op)->parent, body))
            continue;
        for (uint32_t i = 0; i < gw_op_at(f, op)->operands; i++) {
            gw_value v = gw_operand(f, op, i);
            if (!gw_region_inside(f, gw_value_region(f, v), body) && m->t->uniform.value[v] == GW_UNIFORM_GRID)
                uniform(m, v);
        }
    }
}

/* ---- groups ---- */
static gw_value round_up(gw_grid_making *m, gw_value a, gw_value by) {
    return gw_grid_op(m, GW_OP_DIV, gw_grid_op(m, GW_OP_ADD, a, gw_grid_op(m, GW_OP_SUB, by, number(m, 1))),
                      by);
}

static void open_groups(gw_grid_making *m) {
    gw_value threads = gw_grid_named(m, gw_grid_op(m, GW_OP_MUL, m->grid, m->block), "threads");
    gw_value groups = m->alone ? m->most : m->size;
    if (m->t->by_quotient) groups = round_up(m, threads, m->size);
    if (m->alone || !m->t->by_quotient) groups = gw_grid_op(m, GW_OP_IMIN, groups, threads);
    gw_grid_named(m, groups, "groups");
    m->group = open_for(m, gw_grid_wide(m, gw_special_value(&m->b, GW_BLOCK_IDX, 0)), groups, m->grid, "group");
    if (m->t->by_quotient) {
        gw_value left = gw_grid_op(m, GW_OP_SUB, threads, gw_grid_op(m, GW_OP_MUL, m->group, m->size));
        m->peers = gw_grid_op(m, GW_OP_IMIN, m->size, left);
    } else {
        m->peers = round_up(m, gw_grid_op(m, GW_OP_SUB, threads, m->group), m->size);
    }
    gw_grid_named(m, m->peers, "peers");
    m->first = open_for(m, number(m, 0), m->trips, m->block, "first");
}

/* ---- what a thread of the group has ---- */
static void copy_to_loop(gw_grid_making *m, gw_region r, value_list *results);

static void copy_branch(gw_grid_making *m, gw_op branch, value_list *results) {
    const gw_func *f = m->f;
    gw_builder outside = m->b;
    uint32_t side =
        gw_region_inside(f, gw_op_at(f, m->t->loop)->parent, gw_op_at(f, branch)->region[0]) ? 0 : 1;
    gw_op made = gw_grid_open_if(m, gw_clone_value(&m->c, gw_operand(f, branch, 0)));
    for (uint32_t i = 0; i <= m->t->live.count; i++)
        gw_op_add_result(m->g, made, i < m->t->live.count ? gw_typeof(f, m->t->live.at[i]) : GW_T_I32,
                         i < m->t->live.count ? gw_value_at(f, m->t->live.at[i])->name : 0);
    for (uint32_t i = 0; i < 2; i++) {
        value_list here = {0};
        if (i) gw_grid_other_side(m, made);
        if (i == side) copy_to_loop(m, gw_op_at(f, branch)->region[side], &here);
        for (uint32_t k = 0; i != side && k <= m->t->live.count; k++)
            gw_push(&here, gw_grid_zero(m, gw_typeof(m->g, gw_result(m->g, made, k))));
        gw_yield(&m->b, here.at, here.count);
        gw_vec_free(&here);
    }
    m->b = outside;
    for (uint32_t i = 0; i <= m->t->live.count; i++) gw_push(results, gw_result(m->g, made, i));
}

/* What the region computes up to the loop, or to the branch that holds it; the live values, and 1. */
static void copy_to_loop(gw_grid_making *m, gw_region r, value_list *results) {
    const gw_func *f = m->f;
    for (gw_op op = gw_first(f, r); op; op = gw_next(f, op)) {
        const gw_op_data *o = gw_op_at(f, op);
        if (op == m->t->loop) break;
        if (m->branch < m->t->chain.count && op == m->t->chain.at[m->branch]) {
            m->branch++;
            copy_branch(m, op, results);
            return;
        }
        bool have = o->results == 1 && gw_map_get(&m->c.values, o->first_result);
        if (m->t->needed[op] && !have) gw_clone_op(&m->c, op);
    }
    for (uint32_t i = 0; i < m->t->live.count; i++) gw_push(results, gw_clone_value(&m->c, m->t->live.at[i]));
    gw_push(results, gw_int(&m->b, GW_T_I32, 1));
}

static void set_number(gw_grid_making *m, gw_value peer) {
    gw_value scaled = gw_grid_op(m, GW_OP_MUL, m->t->by_quotient ? m->group : peer, m->size);
    gw_value at =
        gw_cast(&m->b, GW_T_U32, gw_grid_op(m, GW_OP_ADD, scaled, m->t->by_quotient ? peer : m->group));
    gw_map_set(&m->c.values, m->t->number, at);
}

static void make_arrays(gw_grid_making *m) {
    gw_session *s = m->g->session;
    for (uint32_t i = 0; i <= m->t->live.count; i++) {
        gw_value v = i < m->t->live.count ? m->t->live.at[i] : 0;
        gw_str name = v ? gw_value_at(m->f, v)->name : gw_intern(s, "there");
        char *text = gw_format("%s_of", name ? gw_cstr(s, name) : "value");
        gw_type type = gw_type_array(s, v ? gw_typeof(m->f, v) : GW_T_I32, GW_GRID_LONGEST_BLOCK);
        gw_push(&m->arrays, gw_object_new(m->g, GW_OBJECT_SHARED, gw_intern(s, text), type));
        free(text);
    }
}

static void stage(gw_grid_making *m) {
    gw_builder outside = m->b;
    gw_value peer =
        gw_grid_named(m, gw_grid_op(m, GW_OP_ADD, m->tile, gw_grid_wide(m, gw_grid_thread(m))), "own");
    gw_op made = gw_grid_open_if(m, gw_grid_op(m, GW_OP_LT, peer, m->peers));
    for (uint32_t i = 0; i <= m->t->live.count; i++)
        gw_op_add_result(m->g, made, i < m->t->live.count ? gw_typeof(m->f, m->t->live.at[i]) : GW_T_I32,
                         i < m->t->live.count ? gw_value_at(m->f, m->t->live.at[i])->name
                                              : gw_intern(m->g->session, "there"));
    value_list here = {0}, none = {0};
    set_number(m, peer);
    copy_to_loop(m, m->f->entry, &here);
    gw_yield(&m->b, here.at, here.count);
    gw_grid_other_side(m, made);
    for (uint32_t i = 0; i < here.count; i++) gw_push(&none, gw_grid_zero(m, gw_typeof(m->g, here.at[i])));
    gw_yield(&m->b, none.at, none.count);
    m->b = outside;
    gw_value place = gw_grid_thread(m);
    for (uint32_t i = 0; i < here.count; i++)
        gw_store(&m->b, m->arrays.at[i], gw_intern(m->g->session, "[]"), &place, 1, gw_result(m->g, made, i));
    gw_vec_free(&here);
    gw_vec_free(&none);
}

/* ---- sums ---- */
static gw_value read_array(gw_grid_making *m, uint32_t i, gw_value of) {
    return gw_load(&m->b, m->arrays.at[i], gw_intern(m->g->session, "[]"), &of, 1);
}

static void take_live(gw_grid_making *m, gw_value of) {
    for (uint32_t i = 0; i < m->t->live.count; i++) {
        gw_value v = read_array(m, i, of);
        gw_value_at(m->g, v)->name = gw_value_at(m->f, m->t->live.at[i])->name;
        gw_map_set(&m->c.values, m->t->live.at[i], v);
    }
}

static bool is_common(const gw_grid_making *m, gw_op op) {
    const gw_op_data *o = gw_op_at(m->f, op);
    return o->results == 1 && m->t->uniform.value[o->first_result] == GW_UNIFORM_GRID;
}

static void copy_body(gw_grid_making *m, bool common) {
    for (gw_op op = gw_first(m->f, gw_loop_body(m->f, m->t->loop)); op; op = gw_next(m->f, op))
        if (m->t->needed[op] && is_common(m, op) == common) gw_clone_op(&m->c, op);
}

/* The addition's address for one of the peers: what was copied for another is copied again. */
static gw_value address_of(gw_grid_making *m, gw_value v, bool *done) {
    const gw_func *f = m->f;
    gw_op op = gw_value_at(f, v)->op;
    bool inside = op && gw_region_inside(f, gw_op_at(f, op)->parent, gw_loop_body(f, m->t->loop));
    if (inside && !is_common(m, op) && !done[op]) {
        done[op] = true;
        for (uint32_t i = 0; i < gw_op_at(f, op)->operands; i++) address_of(m, gw_operand(f, op, i), done);
        gw_clone_op(&m->c, op);
    }
    return gw_clone_value(&m->c, v);
}

static void set_index(gw_grid_making *m) {
    gw_value iv = gw_grid_index_of(m->t);
    gw_value index =
        gw_cast(&m->b, gw_typeof(m->f, iv),
                gw_grid_op(m, GW_OP_ADD, m->low, gw_grid_op(m, GW_OP_ADD, m->first, gw_grid_wide(m, m->trip))));
    gw_value_at(m->g, index)->name = gw_value_at(m->f, iv)->name;
    gw_map_set(&m->c.values, iv, index);
    copy_body(m, true);
}

/* ---- sums over tiles: the sum, whether there is one, and the indices of its cell ---- */
static void sum_peers(gw_grid_making *m, const value_list *had, value_list *now) {
    const gw_func *f = m->f;
    gw_func *g = m->g;
    gw_value v = gw_operand(f, m->t->add, gw_index_count(f, m->t->add));
    gw_value count =
        gw_grid_named(m,
                      gw_cast(&m->b, GW_T_I32,
                              gw_grid_op(m, GW_OP_IMIN, m->block, gw_grid_op(m, GW_OP_SUB, m->peers, m->tile))),
                      "count");
    gw_value none = gw_int(&m->b, GW_T_I32, -1), zero = gw_int(&m->b, GW_T_I32, 0);
    gw_str sum_name = gw_value_at(g, had->at[0])->name, from_name = gw_intern(g->session, "from");
    gw_builder outside = m->b;
    gw_op loop =
        gw_emit(&m->b, GW_OP_FOR, GW_T_VOID, 0, (gw_value[]){m->team, count, m->teams, had->at[0], none}, 5);
    gw_op_at(g, loop)->attr = GW_OP_LT;
    gw_op_add_result(g, loop, gw_typeof(f, v), sum_name);
    gw_op_add_result(g, loop, GW_T_I32, from_name);
    m->b.region = gw_region_new(g, loop);
    gw_value peer = gw_region_arg(g, m->b.region, GW_T_I32, gw_intern(g->session, "peer"));
    gw_value sum = gw_region_arg(g, m->b.region, gw_typeof(f, v), sum_name);
    gw_value from = gw_region_arg(g, m->b.region, GW_T_I32, from_name);
    gw_builder round = m->b;
    gw_op there = gw_grid_open_if(m, gw_grid_op(m, GW_OP_NE, read_array(m, m->t->live.count, peer), zero));
    gw_op_add_result(g, there, gw_typeof(f, v), 0);
    gw_op_add_result(g, there, GW_T_I32, 0);
    take_live(m, peer);
    copy_body(m, false);
    gw_yield(&m->b, (gw_value[]){gw_grid_op(m, GW_OP_ADD, sum, gw_clone_value(&m->c, v)), peer}, 2);
    gw_grid_other_side(m, there);
    gw_yield(&m->b, (gw_value[]){sum, from}, 2);
    m->b = round;
    gw_yield(&m->b, (gw_value[]){gw_result(g, there, 0), gw_result(g, there, 1)}, 2);
    m->b = outside;
    gw_push(now, gw_result(g, loop, 0));
    gw_push(now, gw_result(g, loop, 1));
}

/* The cell, by what one of the peers had. */
static void find_cell(gw_grid_making *m, const value_list *had, value_list *now) {
    const gw_func *f = m->f;
    gw_func *g = m->g;
    gw_builder outside = m->b;
    value_list index = {0};
    bool *done = gw_alloc(f->ops.count + 1);
    gw_value from = now->at[1], found = gw_grid_op(m, GW_OP_GE, from, gw_int(&m->b, GW_T_I32, 0));
    gw_op made = gw_grid_open_if(m, found);
    for (uint32_t i = 2; i < had->count; i++) gw_op_add_result(g, made, gw_typeof(g, had->at[i]), 0);
    take_live(m, from);
    for (uint32_t i = 2; i < had->count; i++)
        gw_push(&index, address_of(m, gw_operand(f, m->t->add, i - 2), done));
    gw_yield(&m->b, index.at, index.count);
    gw_grid_other_side(m, made);
    gw_yield(&m->b, had->at + 2, had->count - 2);
    m->b = outside;
    now->at[1] = gw_grid_op(m, GW_OP_OR, had->at[1], found);
    for (uint32_t i = 2; i < had->count; i++) gw_push(now, gw_result(g, made, i - 2));
    gw_vec_free(&index);
    free(done);
}

/* What the team has behind this tile, of what it had before. */
static void sum_tile(gw_grid_making *m, const value_list *had, value_list *now) {
    value_list mine = {0};
    gw_builder outside = m->b;
    gw_op takes = gw_grid_open_if(m, m->mine);
    for (uint32_t i = 0; i < had->count; i++)
        gw_op_add_result(m->g, takes, gw_typeof(m->g, had->at[i]), gw_value_at(m->g, had->at[i])->name);
    set_index(m);
    sum_peers(m, had, &mine);
    if (m->alone)
        mine.at[1] = gw_grid_op(m, GW_OP_OR, had->at[1],
                                gw_grid_op(m, GW_OP_GE, mine.at[1], gw_int(&m->b, GW_T_I32, 0)));
    else find_cell(m, had, &mine);
    gw_yield(&m->b, mine.at, mine.count);
    gw_grid_other_side(m, takes);
    gw_yield(&m->b, had->at, had->count);
    m->b = outside;
    for (uint32_t i = 0; i < had->count; i++) gw_push(now, gw_result(m->g, takes, i));
    gw_vec_free(&mine);
}

static void add_sum(gw_grid_making *m, const value_list *all) {
    gw_builder outside = m->b;
    const gw_op_data *o = gw_op_at(m->f, m->t->add);
    gw_op made = gw_grid_open_if(m, all->at[1]);
    gw_builder at = m->b;
    at.loc = o->loc;
    gw_op add = gw_accum(&at, o->object, o->path, all->at + 2, all->count - 2, all->at[0]);
    gw_op_at(m->g, add)->origin = o->origin; /* for reports: it is decided */
    gw_reason reason = m->t->by_quotient ? GW_REASON_OF_ONE_QUOTIENT : GW_REASON_OF_ONE_REMAINDER;
    gw_ownership_decide(m->g, add, (gw_decision){.how = GW_ACCUMULATE_ATOMIC, .why = gw_because(reason)});
    gw_yield(&m->b, NULL, 0);
    gw_grid_other_side(m, made);
    gw_yield(&m->b, NULL, 0);
    m->b = outside;
}

/* The loop over tiles; what it has summed up. */
static void sum_tiles(gw_grid_making *m, value_list *all) {
    const gw_func *f = m->f;
    gw_func *g = m->g;
    gw_session *s = g->session;
    uint32_t indices = m->alone ? 0 : gw_index_count(f, m->t->add), value = gw_index_count(f, m->t->add);
    char *text = gw_format("%s_sum", gw_cstr(s, gw_object_at(f, gw_op_at(f, m->t->add)->object)->name));
    gw_str name[3] = {gw_intern(s, text), gw_intern(s, "any"), gw_intern(s, "cell")};
    free(text);
    value_list start = {0}, had = {0}, now = {0};
    gw_push(&start, number(m, 0));
    gw_push(&start, m->peers);
    gw_push(&start, m->block);
    gw_push(&start, gw_grid_zero(m, gw_typeof(f, gw_operand(f, m->t->add, value))));
    gw_push(&start, gw_grid_zero(m, GW_T_BOOL));
    for (uint32_t i = 0; i < indices; i++)
        gw_push(&start, gw_grid_zero(m, gw_typeof(f, gw_operand(f, m->t->add, i))));
    gw_op loop = gw_emit(&m->b, GW_OP_FOR, GW_T_VOID, 0, start.at, start.count);
    gw_op_at(g, loop)->attr = GW_OP_LT;
    for (uint32_t i = 3; i < start.count; i++)
        gw_op_add_result(g, loop, gw_typeof(g, start.at[i]), name[i < 5 ? i - 3 : 2]);
    gw_builder outside = m->b;
    m->b.region = gw_region_new(g, loop);
    m->tile = gw_region_arg(g, m->b.region, GW_T_I64, gw_intern(s, "tile"));
    for (uint32_t i = 3; i < start.count; i++)
        gw_push(&had, gw_region_arg(g, m->b.region, gw_typeof(g, start.at[i]), name[i < 5 ? i - 3 : 2]));
    stage(m);
    gw_grid_barrier(m);
    sum_tile(m, &had, &now);
    gw_grid_barrier(m);
    gw_yield(&m->b, now.at, now.count);
    m->b = outside;
    for (uint32_t i = 0; i < had.count; i++) gw_push(all, gw_result(g, loop, i));
    gw_vec_free(&start);
    gw_vec_free(&had);
    gw_vec_free(&now);
}

/* ---- the function ---- */
gw_func *gw_gather_new_kernel(const gw_func *f, uint32_t number) {
    gw_session *s = f->session;
    gw_func *g = gw_func_copy(f);
    g->form = GW_FORM_GATHER;
    gw_str name = gw_derived_part_name(f, GW_DERIVED_GATHER);
    char *text = number > 1 ? gw_format("%s_sum%u", gw_cstr(s, name), number) : gw_strdup(gw_cstr(s, name));
    g->name = g->qualified = g->symbol = gw_intern(s, text);
    free(text);
    for (gw_op op = gw_last(g, g->entry); op; op = gw_last(g, g->entry)) gw_op_remove(g, op);
    return g;
}

static void begin(gw_grid_making *m) {
    m->b = (gw_builder){.f = m->g, .region = m->g->entry, .loc = gw_op_at(m->f, m->t->loop)->loc};
    m->c = (gw_cloner){.from = m->f, .to = &m->b};
    for (gw_object o = 1; o < m->f->objects.count; o++) gw_map_set(&m->c.objects, o, o);
    for (uint32_t i = 0; i < gw_region_at(m->f, m->f->entry)->args; i++)
        gw_map_set(&m->c.values, gw_arg(m->f, m->f->entry, i), gw_arg(m->g, m->g->entry, i));
}

gw_func *gw_grid_make(gw_grid_turn *t, uint32_t number_of_kernel, bool alone) {
    gw_grid_making m = {.t = t, .f = t->f, .g = gw_gather_new_kernel(t->f, number_of_kernel), .alone = alone};
    begin(&m);
    if (alone) gw_grid_is_natural(t, &m.g->natural);
    make_arrays(&m);
    make_uniform(&m);
    open_groups(&m);
    value_list all = {0};
    gw_grid_share_out(&m);
    sum_tiles(&m, &all);
    if (alone) gw_grid_add_alone(&m, all.at[0], all.at[1]);
    else add_sum(&m, &all);
    gw_vec_free(&all);
    for (int i = 0; i < 2; i++) close_for(&m);
    gw_emit(&m.b, GW_OP_RET, GW_T_VOID, 0, NULL, 0);
    gw_map_free(&m.c.values);
    gw_map_free(&m.c.objects);
    gw_vec_free(&m.arrays);
    return m.g;
}
