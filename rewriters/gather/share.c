/*
 * gather/share.c - who takes which iteration of the loop whose additions a kernel gathers, and what becomes of
 * the sums (contract: gather/kernel_private.h).
 *
 * Thread (team, trip) of a block sums up iteration trip of the peers that are its team's. Where the addition's
 * address can be made of the group's number and the loop's index alone, teams leave their sums in a shared
 * array,
 *
 *     d_x_sum_of[threadIdx.x] = d_x_sum;  there_of[threadIdx.x] = any;
 *     __syncthreads();
 *     if (first + threadIdx.x < trips) {
 *         sum over the teams, in their order;
 *         if any: d_x[group, first + threadIdx.x] += sum;
 *     }
 *     __syncthreads();
 *
 * and one thread has the cell of a group and an iteration, in each round. Whether it is one thread's in the
 * whole grid ownership asks, with the group's number in the address; the sum is then added in a fixed order,
 * without an atomic: tiles by one thread one behind the other, teams by another. The address is the one of each
 * peer:
 *   - number / n is the group's number for all of a group by quotient, number % n for all of one by remainder,
 *     as n >= 0, which the launch is checked for;
 *   - what else it is made of is the same in the grid, or the loop's index; it is made again where a peer was
 *     there, who made it too.
 */
#include "rewriters/gather/kernel_private.h"

#include "analysis/ownership/ownership.h"

/* ---- who takes which iteration ---- */
/* What the loop's index is multiplied by in v, if it is the same in the grid; 0: nothing, or v does not depend
 * on it so. */
static gw_value factor_in(const gw_grid_making *m, gw_value v) {
    const gw_func *f = m->f;
    gw_op op = gw_value_at(f, v)->op;
    if (!op || !gw_region_inside(f, gw_op_at(f, op)->parent, gw_loop_body(f, m->t->loop))) return 0;
    uint16_t code = gw_op_at(f, op)->code;
    if (code != GW_OP_CAST && code != GW_OP_ADD && code != GW_OP_MUL) return 0;
    for (uint32_t i = 0; i < gw_op_at(f, op)->operands; i++) {
        gw_value x = gw_operand(f, op, i), other = code == GW_OP_MUL ? gw_operand(f, op, 1 - i) : 0,
                 inner = factor_in(m, x);
        while (gw_value_at(f, x)->op && gw_op_at(f, gw_value_at(f, x)->op)->code == GW_OP_CAST)
            x = gw_operand(f, gw_value_at(f, x)->op, 0);
        bool outside =
            other && gw_map_get(&m->c.values, other) && m->t->uniform.value[other] == GW_UNIFORM_GRID;
        if (inner || (x == gw_grid_index_of(m->t) && outside)) return inner ? inner : other;
    }
    return 0;
}

static gw_value find_factor(const gw_grid_making *m) {
    const gw_func *f = m->f;
    for (gw_op op = gw_first(f, gw_loop_body(f, m->t->loop)); op; op = gw_next(f, op))
        for (uint32_t i = 0;
             m->t->needed[op] && gw_op_at(f, op)->code == GW_OP_LOAD && i < gw_index_count(f, op); i++)
            if (factor_in(m, gw_operand(f, op, i))) return factor_in(m, gw_operand(f, op, i));
    return 0;
}

/* The thread's iteration. */
void gw_grid_share_out(gw_grid_making *m) {
    gw_value width = m->width = gw_grid_named(
        m,
        gw_cast(&m->b, GW_T_I32,
                gw_grid_op(m, GW_OP_IMIN, m->block, gw_grid_op(m, GW_OP_SUB, m->trips, m->first))),
        "width");
    gw_value place = gw_cast(&m->b, GW_T_I32, gw_grid_thread(m)), factor = find_factor(m), by = width,
             across = 0;
    m->teams = gw_grid_named(m, gw_grid_op(m, GW_OP_DIV, gw_cast(&m->b, GW_T_I32, m->block), width), "teams");
    if (factor) {
        gw_value step = gw_map_get(&m->c.values, factor);
        across = m->across =
            gw_grid_named(m, gw_grid_op(m, GW_OP_NE, step, gw_int(&m->b, gw_typeof(m->g, step), 1)), "across");
        by = gw_select(&m->b, across, m->teams, width);
    }
    gw_value high = gw_grid_op(m, GW_OP_DIV, place, by), low = gw_grid_op(m, GW_OP_REM, place, by);
    m->team = gw_grid_named(m, across ? gw_select(&m->b, across, low, high) : high, "team");
    m->trip = gw_grid_named(m, across ? gw_select(&m->b, across, high, low) : low, "trip");
    m->mine = gw_grid_op(m, GW_OP_AND, gw_grid_op(m, GW_OP_LT, m->team, m->teams),
                         gw_grid_op(m, GW_OP_LT, m->trip, width));
}

/* ---- the cell, of the group's number ---- */
static bool can_make(const gw_grid_turn *t, gw_value v, int depth) {
    const gw_func *f = t->f;
    gw_op op = gw_value_at(f, v)->op;
    if (!op) return gw_value_region(f, v) == f->entry || v == gw_grid_index_of(t);
    const gw_op_data *o = gw_op_at(f, op);
    if (gw_grid_is_group(t, v)) return true;
    bool same = o->code == GW_OP_LOAD && t->uniform.value[v] == GW_UNIFORM_GRID;
    if (depth == 0 || o->regions || (gw_op_rows[o->code].effect != GW_EFFECT_PURE && !same)) return false;
    for (uint32_t i = 0; i < o->operands; i++)
        if (!can_make(t, gw_operand(f, op, i), depth - 1)) return false;
    return true;
}

bool gw_grid_tells_cell(const gw_grid_turn *t) {
    enum { DEPTH = 16 };
    uint32_t argument;
    if (!gw_grid_is_natural(t, &argument)) return false;
    for (uint32_t i = 0; i < gw_index_count(t->f, t->add); i++)
        if (!can_make(t, gw_operand(t->f, t->add, i), DEPTH)) return false;
    return true;
}

static gw_value make(gw_grid_making *m, gw_cloner *c, gw_value v) {
    const gw_func *f = m->f;
    gw_op op = gw_value_at(f, v)->op;
    gw_value known = gw_map_get(&c->values, v);
    if (known) return known;
    if (gw_grid_is_group(m->t, v)) {
        gw_map_set(&c->values, v, gw_cast(&m->b, gw_typeof(f, v), m->group));
    } else {
        for (uint32_t i = 0; i < gw_op_at(f, op)->operands; i++) make(m, c, gw_operand(f, op, i));
        gw_clone_op(c, op);
    }
    return gw_map_get(&c->values, v);
}

static void add_to_cell(gw_grid_making *m, gw_value sum) {
    const gw_op_data *o = gw_op_at(m->f, m->t->add);
    gw_value iv = gw_grid_index_of(m->t);
    gw_cloner c = {.from = m->f, .to = &m->b};
    uint32_t count = gw_index_count(m->f, m->t->add);
    for (gw_object x = 1; x < m->f->objects.count; x++) gw_map_set(&c.objects, x, x);
    for (uint32_t i = 0; i < gw_region_at(m->f, m->f->entry)->args; i++)
        gw_map_set(&c.values, gw_arg(m->f, m->f->entry, i), gw_arg(m->g, m->g->entry, i));
    gw_value at = gw_grid_op(m, GW_OP_ADD, m->low,
                             gw_grid_op(m, GW_OP_ADD, m->first, gw_grid_wide(m, gw_grid_thread(m))));
    gw_map_set(&c.values, iv,
               gw_grid_named(m, gw_cast(&m->b, gw_typeof(m->f, iv), at),
                             gw_cstr(m->g->session, gw_value_at(m->f, iv)->name)));
    GW_VEC(gw_value) index = {0};
    for (uint32_t i = 0; i < count; i++) gw_push(&index, make(m, &c, gw_operand(m->f, m->t->add, i)));
    gw_builder to = m->b;
    to.loc = o->loc;
    gw_accum(&to, o->object, o->path, index.at, count, sum);
    gw_vec_free(&index);
    gw_map_free(&c.values);
    gw_map_free(&c.objects);
}

/* ---- the sums of the teams ---- */
static gw_object array_of_sums(gw_grid_making *m, gw_type type) {
    gw_session *s = m->g->session;
    for (uint32_t i = 0; i < m->t->live.count; i++) /* nobody reads it behind the tiles */
        if (gw_typeof(m->f, m->t->live.at[i]) == type) return m->arrays.at[i];
    return gw_object_new(m->g, GW_OBJECT_SHARED, gw_intern(s, "sum_of"),
                         gw_type_array(s, type, GW_GRID_LONGEST_BLOCK));
}

/* The sum over the teams of this thread's iteration, and whether a peer was there. */
static gw_op sum_teams(gw_grid_making *m, gw_object sums, gw_object there, gw_type type) {
    gw_func *g = m->g;
    gw_str element = gw_intern(g->session, "[]");
    gw_value own = gw_cast(&m->b, GW_T_I32, gw_grid_thread(m)), start = own, step = m->width,
             zero = gw_int(&m->b, GW_T_I32, 0);
    if (m->across) { /* see gw_grid_share_out */
        start = gw_select(&m->b, m->across, gw_grid_op(m, GW_OP_MUL, own, m->teams), own);
        step = gw_select(&m->b, m->across, gw_int(&m->b, GW_T_I32, 1), m->width);
    }
    gw_value from[] = {zero, m->teams, gw_int(&m->b, GW_T_I32, 1), gw_grid_zero(m, type), zero};
    gw_op loop = gw_emit(&m->b, GW_OP_FOR, GW_T_VOID, 0, from, 5);
    gw_builder outside = m->b;
    gw_str sum_name = gw_intern(g->session, "total"), any_name = gw_intern(g->session, "were_there");
    gw_op_at(g, loop)->attr = GW_OP_LT;
    gw_op_add_result(g, loop, type, sum_name);
    gw_op_add_result(g, loop, GW_T_I32, any_name);
    m->b.region = gw_region_new(g, loop);
    gw_value of = gw_region_arg(g, m->b.region, GW_T_I32, gw_intern(g->session, "of_team"));
    gw_value sum = gw_region_arg(g, m->b.region, type, sum_name),
             any = gw_region_arg(g, m->b.region, GW_T_I32, any_name);
    gw_value at = gw_grid_op(m, GW_OP_ADD, start, gw_grid_op(m, GW_OP_MUL, of, step));
    sum = gw_grid_op(m, GW_OP_ADD, sum, gw_load(&m->b, sums, element, &at, 1));
    any = gw_grid_op(m, GW_OP_OR, any, gw_load(&m->b, there, element, &at, 1));
    gw_yield(&m->b, (gw_value[]){sum, any}, 2);
    m->b = outside;
    return loop;
}

static void close(gw_grid_making *m, gw_op branch) {
    gw_yield(&m->b, NULL, 0);
    gw_grid_other_side(m, branch);
    gw_yield(&m->b, NULL, 0);
    m->b.region = gw_op_at(m->g, branch)->parent;
}

void gw_grid_add_alone(gw_grid_making *m, gw_value sum, gw_value any) {
    gw_type type = gw_typeof(m->g, sum);
    gw_object sums = array_of_sums(m, type), there = m->arrays.at[m->t->live.count];
    gw_str element = gw_intern(m->g->session, "[]");
    gw_value own = gw_grid_thread(m), zero = gw_int(&m->b, GW_T_I32, 0);
    gw_store(&m->b, sums, element, &own, 1, sum);
    gw_store(&m->b, there, element, &own, 1, gw_select(&m->b, any, gw_int(&m->b, GW_T_I32, 1), zero));
    gw_grid_barrier(m);
    gw_op mine = gw_grid_open_if(
        m, gw_grid_op(m, GW_OP_LT, gw_grid_op(m, GW_OP_ADD, m->first, gw_grid_wide(m, own)), m->trips));
    gw_op teams = sum_teams(m, sums, there, type);
    gw_op were =
        gw_grid_open_if(m, gw_grid_op(m, GW_OP_NE, gw_result(m->g, teams, 1), gw_int(&m->b, GW_T_I32, 0)));
    add_to_cell(m, gw_result(m->g, teams, 0));
    close(m, were);
    close(m, mine);
    gw_grid_barrier(m);
}
