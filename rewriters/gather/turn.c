/*
 * gather/turn.c - the sums that take the place of a loop's additions (contract: gather_private.h; why:
 * gather.c).
 *
 *     for (q = lo; q < hi; q += step) d[a(q)] += f(thread, q);
 *
 * becomes, with `peer` in the place of the thread's coordinate along the axis, of which the block has T,
 *
 *     for (q = lo + step * threadIdx.x; q < hi; q += step * T) {
 *         for (peer = 0; peer < T; peer++) sum += f(peer, q);
 *         d[a(q)] += sum;
 *     }
 *
 * where the outer loop is left out if it runs once, and is a branch if it runs at most once. An addition under
 * a condition adds where the condition held for some peer.
 */
#include "rewriters/gather/gather_private.h"

#include "analysis/ir/reasons.h"
#include "analysis/ir/restructure.h"
#include "analysis/prove/prove.h"

#include <stdlib.h>
#include <string.h>

typedef GW_VEC(gw_value) value_list;

typedef struct making {
    gw_turn *t;
    gw_func *f;
    gw_builder b;
    gw_cloner c;
    gw_value peer; /* i32 */
    gw_value_map staged; /* value -> array */
    gw_value_map pinned; /* pinned: the thread's coordinate -> the peer's, wherever it is read */
    value_list parts, met; /* by addition: its value for this peer; whether it is added, 0 if always */
} making;

/* Threads of the block along the axis: their number if all launches have it. */
static uint32_t exact_length(const making *m) {
    const gw_gather *g = m->t->g;
    return g->least[m->t->axis] == g->most[m->t->axis] ? g->most[m->t->axis] : 0;
}
static gw_value length(making *m, gw_type type) {
    if (exact_length(m)) return gw_int(&m->b, type, exact_length(m));
    return gw_cast(&m->b, type, gw_special_value(&m->b, GW_BLOCK_DIM, m->t->axis));
}

/* ---- which iterations a thread takes ---- */
typedef enum rounds { ONE_ROUND, AT_MOST_ONE, MANY_ROUNDS } rounds;

static rounds rounds_of(const making *m) {
    gw_func *f = m->f;
    gw_op loop = m->t->loop;
    int64_t low, high, room;
    if (!exact_length(m) || gw_op_at(f, loop)->attr != GW_OP_LT || gw_loop_step(f, loop) != 1)
        return MANY_ROUNDS;
    if (gw_loop_ends(f, loop, &low, &high) && high - low == exact_length(m)) return ONE_ROUND;
    gw_normal *n = gw_normal_new(f);
    gw_context *c = gw_normal_context(n, gw_op_at(f, loop)->parent);
    gw_number lo, hi;
    uint64_t assumed = 0;
    gw_normal_exact(n, c, gw_operand(f, loop, 0), &lo);
    gw_normal_exact(n, c, gw_operand(f, loop, 1), &hi);
    gw_poly left = lo.poly;
    gw_poly_add(&left, -1, NULL, &hi.poly);
    gw_poly_add_constant(&left, exact_length(m));
    bool few =
        !lo.assumed && !hi.assumed &&
        (gw_poly_is_constant(&left, &room) ? room >= 0 : gw_prove_nonnegative(n, &c->facts, &left, &assumed)) &&
        !assumed;
    gw_normal_free(n);
    return few ? AT_MOST_ONE : MANY_ROUNDS;
}

/* The builder goes into what runs for each of the thread's iterations; its index. *outer: that op, or 0. */
static gw_value begin_rounds(making *m, gw_op *outer) {
    gw_func *f = m->f;
    gw_op loop = m->t->loop;
    rounds how = rounds_of(m);
    gw_value_data iv = *gw_value_at(f, gw_arg(f, gw_loop_body(f, loop), 0));
    gw_value step = gw_operand(f, loop, 2), bounds[3];
    gw_value own =
        gw_cast(&m->b, iv.type, gw_cast(&m->b, GW_T_I32, gw_special_value(&m->b, GW_THREAD_IDX, m->t->axis)));
    bounds[0] = gw_binary(&m->b, GW_OP_ADD, gw_operand(f, loop, 0), gw_binary(&m->b, GW_OP_MUL, step, own));
    bounds[1] = gw_operand(f, loop, 1);
    *outer = 0;
    if (how == ONE_ROUND) return bounds[0];
    gw_opcode compare = (gw_opcode)gw_op_at(f, loop)->attr;
    if (how == AT_MOST_ONE) {
        gw_value runs = gw_binary(&m->b, compare, bounds[0], bounds[1]);
        *outer = gw_emit(&m->b, GW_OP_IF, GW_T_VOID, 0, &runs, 1);
    } else {
        bounds[2] = gw_binary(&m->b, GW_OP_MUL, step, length(m, iv.type));
        *outer = gw_emit(&m->b, GW_OP_FOR, GW_T_VOID, 0, bounds, 3);
        gw_op_at(f, *outer)->attr = (uint16_t)compare;
    }
    m->b.region = gw_region_new(f, *outer);
    m->b.before = 0;
    return how == AT_MOST_ONE ? bounds[0] : gw_region_arg(f, m->b.region, iv.type, iv.name);
}

static void end_rounds(making *m, gw_op outer, const gw_builder *behind) {
    if (!outer) return;
    gw_yield(&m->b, NULL, 0);
    if (gw_op_at(m->f, outer)->code == GW_OP_IF) {
        m->b.region = gw_region_new(m->f, outer);
        gw_yield(&m->b, NULL, 0);
    }
    m->b = *behind;
}

/* ---- values of the peer ---- */
static gw_value of_peer(making *m, gw_value v) {
    gw_func *f = m->f;
    gw_value known = gw_map_get(&m->c.values, v);
    gw_op op = gw_value_at(f, v)->op;
    if (known || !gw_gather_varies(m->t, v)) return known ? known : v;
    for (uint32_t i = 0; i < gw_op_at(f, op)->operands; i++) of_peer(m, gw_operand(f, op, i));
    gw_clone_op(&m->c, op);
    return gw_map_get(&m->c.values, v);
}

static gw_value load_staged(making *m, gw_value v) {
    gw_value index[3];
    uint32_t n = 0;
    gw_text path = {0};
    for (unsigned axis = 3; axis-- > 0;)
        if (m->t->g->most[axis] > 1) {
            index[n++] = axis == m->t->axis
                             ? m->peer
                             : gw_cast(&m->b, GW_T_I32, gw_special_value(&m->b, GW_THREAD_IDX, axis));
            gw_text_add(&path, "[]");
        }
    gw_value made = gw_load(&m->b, gw_map_get(&m->staged, v), gw_intern(m->f->session, path.at), index, n);
    gw_value_at(m->f, made)->name = gw_value_at(m->f, v)->name;
    gw_text_free(&path);
    return made;
}

/* The thread's coordinate, and its usual form as an int, are the peer's from here on. */
static void pin_coordinate(making *m) {
    gw_func *f = m->f;
    gw_value place = gw_cast(&m->b, GW_T_U32, m->peer);
    uint32_t count = f->ops.count;
    for (gw_op op = 1; op < count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        gw_op from = o->code == GW_OP_CAST ? gw_value_at(f, gw_operand(f, op, 0))->op : op;
        const gw_op_data *d = gw_op_at(f, from);
        if (o->dead || d->code != GW_OP_SPECIAL || d->attr / 4 != GW_THREAD_IDX || d->attr % 4 != m->t->axis)
            continue;
        gw_type type = gw_typeof(f, o->first_result);
        if (type == GW_T_U32 || type == GW_T_I32)
            gw_map_set(&m->pinned, o->first_result, type == GW_T_U32 ? place : m->peer);
    }
    m->c.pinned = &m->pinned;
}

static void take_live(making *m) {
    for (uint32_t i = 0; i < m->t->live.count; i++) {
        gw_value v = m->t->live.at[i];
        if (!gw_map_get(&m->staged, v)) of_peer(m, v);
        else gw_map_set(&m->c.values, v, load_staged(m, v));
    }
}

/* ---- the loop's body for one peer and iteration ---- */
static uint32_t number_of(const gw_turn *t, gw_op add) {
    for (uint32_t i = 0; i < t->adds.count; i++)
        if (t->adds.at[i] == add) return i;
    return t->adds.count;
}

static bool holds_addition(const gw_turn *t, gw_op branch) {
    const gw_func *f = t->g->f;
    for (uint32_t i = 0; i < t->adds.count; i++)
        for (uint32_t side = 0; gw_op_at(f, branch)->code == GW_OP_IF && side < 2; side++)
            if (gw_region_inside(f, gw_op_at(f, t->adds.at[i])->parent, gw_op_at(f, branch)->region[side]))
                return true;
    return false;
}

static void copy_body(making *m, gw_region r, value_list *parts, value_list *met);

static void copy_branch(making *m, gw_op branch, value_list *parts, value_list *met) {
    gw_func *f = m->f;
    gw_builder outside = m->b;
    uint32_t count = m->t->adds.count;
    gw_value condition = gw_clone_value(&m->c, gw_operand(f, branch, 0));
    gw_op made = gw_emit(&m->b, GW_OP_IF, GW_T_VOID, 0, &condition, 1);
    gw_op_at(f, made)->loc = gw_op_at(f, branch)->loc;
    for (uint32_t i = 0; i < 2 * count; i++) {
        gw_op add = m->t->adds.at[i / 2];
        gw_type type = gw_typeof(f, gw_operand(f, add, gw_index_count(f, add)));
        gw_op_add_result(f, made, i % 2 ? GW_T_BOOL : type, 0);
    }
    for (uint32_t side = 0; side < 2; side++) {
        value_list here = {0}, is_met = {0}, yields = {0};
        m->b.region = gw_region_new(f, made);
        m->b.before = 0;
        copy_body(m, gw_op_at(f, branch)->region[side], &here, &is_met);
        for (uint32_t i = 0; i < count; i++) {
            gw_type type = gw_typeof(f, gw_result(f, made, 2 * i));
            gw_push(&yields, here.at[i] ? here.at[i] : gw_real(&m->b, type, 0));
            gw_push(&yields, is_met.at[i] ? is_met.at[i] : gw_int(&m->b, GW_T_BOOL, here.at[i] != 0));
        }
        gw_yield(&m->b, yields.at, yields.count);
        gw_vec_free(&here);
        gw_vec_free(&is_met);
        gw_vec_free(&yields);
    }
    m->b = outside;
    for (uint32_t i = 0; i < count; i++) {
        gw_op add = m->t->adds.at[i];
        bool inside = false;
        for (uint32_t side = 0; side < 2; side++)
            inside |= gw_region_inside(f, gw_op_at(f, add)->parent, gw_op_at(f, branch)->region[side]);
        if (!inside) continue;
        parts->at[i] = gw_result(f, made, 2 * i);
        met->at[i] = gw_result(f, made, 2 * i + 1);
    }
}

/* Adds to the lists, by addition: its value if it stands in r, else 0. */
static void copy_body(making *m, gw_region r, value_list *parts, value_list *met) {
    gw_func *f = m->f;
    for (uint32_t i = 0; i < m->t->adds.count; i++) {
        gw_push(parts, 0);
        gw_push(met, 0);
    }
    for (gw_op op = gw_first(f, r); op; op = gw_next(f, op)) {
        const gw_op_data *o = gw_op_at(f, op);
        uint32_t number = number_of(m->t, op);
        if (o->code == GW_OP_YIELD) continue;
        if (number < m->t->adds.count)
            parts->at[number] = gw_clone_value(&m->c, gw_operand(f, op, gw_index_count(f, op)));
        else if (holds_addition(m->t, op)) copy_branch(m, op, parts, met);
        else if (m->t->needed[op] && !(o->results == 1 && gw_map_get(&m->c.values, o->first_result)))
            gw_clone_op(&m->c, op);
    }
}

/* What is the same for all peers stands before their loop. */
static void copy_common(making *m) {
    gw_func *f = m->f;
    gw_op end = gw_region_end(f, gw_loop_body(f, m->t->loop));
    for (gw_op op = gw_first(f, gw_loop_body(f, m->t->loop)); op != end; op = gw_next(f, op)) {
        const gw_op_data *o = gw_op_at(f, op);
        if (m->t->needed[op] && !o->regions && o->results == 1 && !gw_gather_varies(m->t, o->first_result))
            gw_clone_op(&m->c, op);
    }
}

/* ---- the loop over peers ---- */
static gw_str sum_name(const making *m, gw_op add) {
    gw_session *s = m->f->session;
    const char *path = gw_cstr(s, gw_op_at(m->f, add)->path), *field = strrchr(path, '.');
    char *text = gw_format("%s%s%s_sum", gw_cstr(s, gw_object_at(m->f, gw_op_at(m->f, add)->object)->name),
                           field ? "_" : "", field && !strchr(field, '[') ? field + 1 : "");
    gw_str name = gw_intern(s, text);
    free(text);
    return name;
}

static gw_op begin_peers(making *m) {
    gw_func *f = m->f;
    gw_session *s = f->session;
    uint32_t count = m->t->adds.count;
    value_list operands = {0};
    gw_push(&operands, gw_int(&m->b, GW_T_I32, 0));
    gw_push(&operands, length(m, GW_T_I32));
    gw_push(&operands, gw_int(&m->b, GW_T_I32, 1));
    for (uint32_t i = 0; i < count; i++) {
        gw_op add = m->t->adds.at[i];
        gw_push(&operands, gw_real(&m->b, gw_typeof(f, gw_operand(f, add, gw_index_count(f, add))), 0));
        gw_push(&operands, gw_int(&m->b, GW_T_BOOL, 0));
    }
    gw_op made = gw_emit(&m->b, GW_OP_FOR, GW_T_VOID, 0, operands.at, operands.count);
    gw_op_at(f, made)->attr = GW_OP_LT;
    for (uint32_t i = 3; i < operands.count; i++)
        gw_op_add_result(f, made, gw_typeof(f, operands.at[i]),
                         i % 2 ? sum_name(m, m->t->adds.at[(i - 3) / 2]) : 0);
    m->b.region = gw_region_new(f, made);
    m->b.before = 0;
    m->peer = gw_region_arg(f, m->b.region, GW_T_I32, gw_intern(s, "peer"));
    for (uint32_t i = 3; i < operands.count; i++)
        gw_region_arg(f, m->b.region, gw_typeof(f, operands.at[i]),
                      i % 2 ? sum_name(m, m->t->adds.at[(i - 3) / 2]) : 0);
    gw_vec_free(&operands);
    return made;
}

static void end_peers(making *m) {
    value_list yields = {0};
    gw_region r = m->b.region;
    for (uint32_t i = 0; i < m->t->adds.count; i++) {
        gw_value met = m->met.at[i] ? m->met.at[i] : gw_int(&m->b, GW_T_BOOL, 1);
        gw_push(&yields, gw_binary(&m->b, GW_OP_ADD, gw_arg(m->f, r, 1 + 2 * i), m->parts.at[i]));
        gw_push(&yields, gw_binary(&m->b, GW_OP_OR, gw_arg(m->f, r, 2 + 2 * i), met));
    }
    gw_yield(&m->b, yields.at, yields.count);
    gw_vec_free(&yields);
}

/* ---- the additions ---- */
static gw_value address_of(making *m, gw_value v) {
    gw_func *f = m->f;
    gw_op op = gw_value_at(f, v)->op;
    gw_value known = gw_map_get(&m->c.values, v);
    if (known || !op || !gw_region_inside(f, gw_op_at(f, op)->parent, gw_loop_body(f, m->t->loop)))
        return known ? known : v;
    for (uint32_t i = 0; i < gw_op_at(f, op)->operands; i++) address_of(m, gw_operand(f, op, i));
    gw_clone_op(&m->c, op);
    return gw_map_get(&m->c.values, v);
}

static void add_sum(making *m, gw_op add, gw_value sum, gw_value met) {
    gw_func *f = m->f;
    gw_session *s = f->session;
    gw_builder at = m->b;
    gw_op guard = 0;
    GW_VEC(gw_value) index = {0};
    for (uint32_t i = 0; i < gw_index_count(f, add); i++) gw_push(&index, address_of(m, gw_operand(f, add, i)));
    if (met) {
        guard = gw_emit(&m->b, GW_OP_IF, GW_T_VOID, 0, &met, 1);
        at.region = gw_region_new(f, guard);
        at.before = 0;
    } else {
        at = m->b;
    }
    at.loc = gw_op_at(f, add)->loc;
    gw_op made = gw_accum(&at, gw_op_at(f, add)->object, gw_op_at(f, add)->path, index.at, index.count, sum);
    gw_why why = gw_because(GW_REASON_GATHERED_OVER_THREADS);
    gw_why_add(s, &why, (const char[]){"xyz"[m->t->axis], 0}, 0);
    gw_why_add(s, &why, NULL, gw_op_at(f, m->t->loop)->loc.line);
    gw_op_at(f, made)->decision = gw_decision_made(s, why);
    if (guard) {
        gw_yield(&at, NULL, 0);
        at.region = gw_region_new(f, guard);
        gw_yield(&at, NULL, 0);
    }
    gw_vec_free(&index);
}

static void stage_all(making *m, gw_op last) {
    for (uint32_t i = 0; i < m->t->live.count; i++) {
        gw_value v = m->t->live.at[i];
        if (gw_gather_is_place(m->t, v)) continue;
        if (!last) gw_map_set(&m->staged, v, gw_gather_stage(m->t, v));
        if (last) gw_gather_keep(m->t, v, last);
    }
}

void gw_gather_make(gw_turn *t) {
    gw_func *f = t->g->f;
    making m = {.t = t, .f = f};
    m.b = (gw_builder){f, gw_op_at(f, t->loop)->parent, gw_next(f, t->loop), gw_op_at(f, t->loop)->loc};
    m.c = (gw_cloner){.from = f, .to = &m.b};
    gw_op outer, behind = m.b.before;
    stage_all(&m, 0);
    const gw_builder outside = m.b;
    gw_map_set(&m.c.values, gw_arg(f, gw_loop_body(f, t->loop), 0), begin_rounds(&m, &outer));
    copy_common(&m);
    const gw_builder round = m.b;
    gw_op peers = begin_peers(&m);
    pin_coordinate(&m);
    take_live(&m);
    copy_body(&m, gw_loop_body(f, t->loop), &m.parts, &m.met);
    end_peers(&m);
    m.b = round;
    m.c.pinned = NULL;
    for (uint32_t i = 0; i < t->adds.count; i++)
        add_sum(&m, t->adds.at[i], gw_result(f, peers, 2 * i),
                m.met.at[i] ? gw_result(f, peers, 2 * i + 1) : 0);
    end_rounds(&m, outer, &outside);
    stage_all(&m, gw_prev(f, behind));
    for (uint32_t i = 0; i < t->adds.count; i++) gw_op_remove(f, t->adds.at[i]);
    memcpy(f->block_least, t->g->least, sizeof f->block_least);
    memcpy(f->block_most, t->g->most, sizeof f->block_most);
    gw_map_free(&m.staged);
    gw_map_free(&m.pinned);
    gw_map_free(&m.c.values);
    gw_map_free(&m.c.objects);
    gw_vec_free(&m.parts);
    gw_vec_free(&m.met);
}
