/*
 * gather/shift_kernel.c - the kernel that gathers what neighbouring threads add to an object (contract:
 * shift_private.h; why: gather/shift.c).
 *
 *     for (x_at = x; x_at < threads + most; x_at += threads)   // one loop for each axis
 *         for each addition, inside of copies of its own loops:
 *             from = x_at - shift;
 *             if (from >= 0 && from < threads)
 *                 what thread `from` does up to its addition, and this
 *
 * There is no loop over positions along an axis in which no cell is beyond the last thread.
 *
 * In a grid-stride loop the numbers end where the loop ends. The additions are left as they were: gather/sum.c
 * makes one of them.
 */
#include "rewriters/gather/shift_private.h"

#include "analysis/ir/restructure.h"

#include <stdlib.h>

typedef struct making {
    const gw_shift *s;
    const gw_func *f; /* the gradient */
    gw_func *g;       /* the kernel */
    gw_builder b;
    gw_cloner c;
    const gw_shift_add *a;
    const bool *needed;      /* by op of f, for a */
    gw_value end[3], at[3];  /* i32: how many numbers there are; the position */
} making;

static gw_value constant(making *m, int64_t value) { return gw_int(&m->b, GW_T_I32, value); }

static gw_value plus(making *m, gw_value v, int64_t more) {
    if (!more) return v;
    return gw_binary(&m->b, more < 0 ? GW_OP_SUB : GW_OP_ADD, v, constant(m, more < 0 ? -more : more));
}

static void name(making *m, gw_value v, const char *stem, unsigned axis) {
    char *text = gw_format("%s_%c", stem, "xyz"[axis]);
    if (!gw_value_at(m->g, v)->name) gw_value_at(m->g, v)->name = gw_intern(m->g->session, text);
    free(text);
}

static void close_region(making *m) {
    gw_yield(&m->b, NULL, 0);
    m->b.region = gw_region_outside(m->g, m->b.region);
}

/* ---- numbers ---- */
/* What is_parameter (gather/shift.c) allows. */
static gw_value parameter(making *m, gw_value v) {
    gw_op op = gw_value_at(m->f, v)->op;
    if (gw_map_get(&m->c.values, v) || !op) return gw_clone_value(&m->c, v);
    for (uint32_t i = 0; i < gw_op_at(m->f, op)->operands; i++) parameter(m, gw_operand(m->f, op, i));
    gw_clone_op(&m->c, op);
    return gw_clone_value(&m->c, v);
}

static gw_value open_loop(making *m, gw_value low, gw_value high, gw_value step, gw_str what) {
    gw_op made = gw_emit(&m->b, GW_OP_FOR, GW_T_VOID, 0, (gw_value[]){low, high, step}, 3);
    gw_op_at(m->g, made)->attr = GW_OP_LT;
    m->b.region = gw_region_new(m->g, made);
    return gw_region_arg(m->g, m->b.region, gw_typeof(m->g, low), what);
}

static void open_axis(making *m, unsigned axis) {
    const gw_shift_axis *x = &m->s->axis[axis];
    gw_value block = gw_special_value(&m->b, GW_BLOCK_DIM, axis);
    gw_value first = gw_binary(&m->b, GW_OP_ADD,
                               gw_binary(&m->b, GW_OP_MUL, gw_special_value(&m->b, GW_BLOCK_IDX, axis), block),
                               gw_special_value(&m->b, GW_THREAD_IDX, axis));
    gw_value threads = gw_cast(&m->b, GW_T_I32,
                               gw_binary(&m->b, GW_OP_MUL, gw_special_value(&m->b, GW_GRID_DIM, axis), block));
    gw_value own = gw_cast(&m->b, GW_T_I32, first);
    gw_str user = gw_value_at(m->f, x->index)->name;
    for (gw_op op = 1; op < m->f->ops.count && !user; op++) /* int i = number */
        if (gw_op_at(m->f, op)->code == GW_OP_CAST && gw_operand(m->f, op, 0) == x->index)
            user = gw_value_at(m->f, gw_op_at(m->f, op)->first_result)->name;
    char *text = user ? gw_format("%s_at", gw_cstr(m->g->session, user)) : gw_format("at_%c", "xyz"[axis]);
    gw_str position = gw_intern(m->g->session, text);
    free(text);
    name(m, threads, "threads", axis);
    name(m, own, "thread", axis);
    m->end[axis] = x->loop ? parameter(m, gw_operand(m->f, x->loop, 1)) : threads;
    if (!x->loop && x->least == 0 && x->most == 0) m->at[axis] = own;
    else m->at[axis] = open_loop(m, plus(m, own, x->least), plus(m, m->end[axis], x->most), threads, position);
}

/* ---- one addition ---- */
static void copy_op(making *m, gw_op op);

/* A branch with what is needed of it. */
static void copy_yielding(making *m, gw_op branch) {
    const gw_func *f = m->f;
    gw_value condition = gw_clone_value(&m->c, gw_operand(f, branch, 0));
    gw_op made = gw_emit(&m->b, GW_OP_IF, GW_T_VOID, 0, &condition, 1);
    gw_region outside = m->b.region;
    for (uint32_t i = 0; i < 2; i++) {
        GW_VEC(gw_value) yields = {0};
        m->b.region = gw_region_new(m->g, made);
        for (uint32_t k = 0; k < gw_op_at(f, branch)->results && i == 0; k++) {
            gw_value v = gw_result(f, branch, k);
            gw_op_add_result(m->g, made, gw_typeof(f, v), gw_value_at(f, v)->name);
        }
        gw_op end = gw_region_end(f, gw_op_at(f, branch)->region[i]);
        for (gw_op op = gw_first(f, gw_op_at(f, branch)->region[i]); op != end; op = gw_next(f, op))
            if (m->needed[op]) copy_op(m, op);
        for (uint32_t k = 0; k < gw_op_at(f, end)->operands; k++)
            gw_push(&yields, gw_clone_value(&m->c, gw_operand(f, end, k)));
        gw_yield(&m->b, yields.at, yields.count);
        gw_vec_free(&yields);
    }
    m->b.region = outside;
    for (uint32_t k = 0; k < gw_op_at(f, branch)->results; k++)
        gw_map_set(&m->c.values, gw_result(f, branch, k), gw_result(m->g, made, k));
}

static void copy_op(making *m, gw_op op) {
    if (gw_op_at(m->f, op)->code == GW_OP_IF) copy_yielding(m, op);
    else gw_clone_op(&m->c, op);
}

static void copy_region(making *m, gw_region r);

static void copy_branch(making *m, gw_op branch) {
    const gw_func *f = m->f;
    uint32_t side = gw_region_inside(f, gw_op_at(f, m->a->add)->parent, gw_op_at(f, branch)->region[0]) ? 0 : 1;
    gw_value condition = gw_clone_value(&m->c, gw_operand(f, branch, 0));
    gw_op made = gw_emit(&m->b, GW_OP_IF, GW_T_VOID, 0, &condition, 1);
    gw_region outside = m->b.region;
    for (uint32_t i = 0; i < 2; i++) {
        m->b.region = gw_region_new(m->g, made);
        if (i == side) copy_region(m, gw_op_at(f, branch)->region[side]);
        gw_yield(&m->b, NULL, 0);
    }
    m->b.region = outside;
}

static void copy_addition(making *m) {
    const gw_op_data *o = gw_op_at(m->f, m->a->add);
    gw_value index = gw_clone_value(&m->c, gw_operand(m->f, m->a->add, 0));
    gw_value value = gw_clone_value(&m->c, gw_operand(m->f, m->a->add, 1));
    gw_builder at = m->b;
    at.loc = o->loc;
    gw_accum(&at, o->object, o->path, &index, 1, value);
}

/* What leads to the addition; the loops around it are open. */
static void copy_region(making *m, gw_region r) {
    const gw_func *f = m->f;
    for (gw_op op = gw_first(f, r); op; op = gw_next(f, op)) {
        if (op == m->a->add) {
            copy_addition(m);
        } else if (gw_op_at(f, op)->regions && !m->needed[op]) {
            bool around = false;
            for (uint32_t i = 0; i < gw_op_at(f, op)->regions; i++)
                around |= gw_region_inside(f, gw_op_at(f, m->a->add)->parent, gw_op_at(f, op)->region[i]);
            if (around && gw_op_at(f, op)->code == GW_OP_IF) copy_branch(m, op);
            else if (around) copy_region(m, gw_loop_body(f, op));
        } else if (m->needed[op]) {
            copy_op(m, op);
        }
    }
}

/* The number of the thread whose addition this is, and whether there is such a thread. */
static gw_value set_number(making *m, unsigned axis, const gw_value *trip) {
    const gw_shift_axis *x = &m->s->axis[axis];
    gw_value from = m->at[axis], exists = 0;
    int64_t low, high;
    gw_shift_reach(m->s, m->a, axis, &low, &high);
    for (uint32_t i = 0; i < m->a->loops; i++) {
        int64_t per = m->a->per[i][axis];
        if (!per) continue;
        gw_value far = gw_binary(&m->b, GW_OP_MUL, trip[i], constant(m, per < 0 ? -per : per));
        from = gw_binary(&m->b, per < 0 ? GW_OP_ADD : GW_OP_SUB, from, far);
    }
    from = plus(m, from, -m->a->by[axis]);
    if (high > x->least) exists = gw_binary(&m->b, GW_OP_GE, from, constant(m, 0));
    gw_value below = low < x->most ? gw_binary(&m->b, GW_OP_LT, from, m->end[axis]) : 0;
    gw_map_set(&m->c.values, x->index, gw_cast(&m->b, gw_typeof(m->f, x->index), from));
    return gw_joined(&m->b, GW_OP_AND, exists, below);
}

static void take_addition(making *m) {
    const gw_func *f = m->f;
    gw_value trip[GW_SHIFT_LOOPS], there = 0;
    gw_region outside = m->b.region;
    m->b.loc = gw_op_at(f, m->a->add)->loc;
    for (uint32_t i = 0; i < m->a->loops; i++) {
        gw_value own = gw_arg(f, gw_loop_body(f, m->a->loop[i]), 0);
        int64_t low = 0;
        gw_const_int(f, gw_operand(f, m->a->loop[i], 0), &low);
        gw_value high = constant(m, low + gw_shift_trips(f, m->a->loop[i]));
        gw_value index = open_loop(m, constant(m, low), high, constant(m, 1), gw_value_at(f, own)->name);
        gw_map_set(&m->c.values, own, index);
        trip[i] = plus(m, index, -low);
    }
    for (unsigned axis = 0; axis < 3; axis++) {
        gw_value exists = m->s->has[axis] ? set_number(m, axis, trip) : 0;
        if (exists) there = there ? gw_binary(&m->b, GW_OP_AND, there, exists) : exists;
    }
    gw_op made = there ? gw_emit(&m->b, GW_OP_IF, GW_T_VOID, 0, &there, 1) : 0;
    if (made) m->b.region = gw_region_new(m->g, made);
    copy_region(m, f->entry);
    if (made) {
        close_region(m);
        gw_region now = m->b.region;
        m->b.region = gw_region_new(m->g, made);
        gw_yield(&m->b, NULL, 0);
        m->b.region = now;
    }
    while (m->b.region != outside) close_region(m);
}

/* ---- the function ---- */
static void map_entry(making *m) {
    gw_map_free(&m->c.values);
    for (uint32_t i = 0; i < gw_region_at(m->f, m->f->entry)->args; i++)
        gw_map_set(&m->c.values, gw_arg(m->f, m->f->entry, i), gw_arg(m->g, m->g->entry, i));
}

gw_func *gw_shift_make(const gw_shift *s, uint32_t number) {
    making m = {.s = s, .f = s->f, .g = gw_gather_new_kernel(s->f, number)};
    m.g->has_gathers = false;
    m.b = (gw_builder){.f = m.g, .region = m.g->entry, .loc = gw_op_at(s->f, s->adds.at[0].add)->loc};
    m.c = (gw_cloner){.from = s->f, .to = &m.b};
    for (gw_object o = 1; o < s->f->objects.count; o++) gw_map_set(&m.c.objects, o, o);
    map_entry(&m);
    for (unsigned axis = 3; axis-- > 0;)
        if (s->has[axis]) open_axis(&m, axis);
    for (uint32_t i = 0; i < s->adds.count; i++) {
        bool *needed = gw_alloc(s->f->ops.count + 1);
        m.a = &s->adds.at[i];
        m.needed = needed;
        gw_shift_slice(s, m.a, needed);
        map_entry(&m);
        take_addition(&m);
        free(needed);
    }
    while (m.b.region != m.g->entry) close_region(&m);
    gw_emit(&m.b, GW_OP_RET, GW_T_VOID, 0, NULL, 0);
    gw_map_free(&m.c.values);
    gw_map_free(&m.c.objects);
    return m.g;
}
