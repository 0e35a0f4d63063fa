/*
 * emit/text/need.c - which ops and values the text needs.
 *
 * Requires a function that passes the verifier. Marks what an effect (store, accumulation, call, return)
 * depends on, transitively through the carried values of loops and the results of branches. The rest is not
 * written: a variable that is assigned and never read is a compiler warning in the user's build. Sound
 * because ops that are left out are pure, reads, writes of a thread's own array or tape slot that nothing
 * reads, or loops and branches that hold only such. All pushes and pops of a slot stay or go together.
 */
#include "analysis/ir/rungs.h"
#include "analysis/ir/warp.h"
#include "rewriters/accumulate/accumulate.h"
#include "rewriters/emit/text/text_private.h"
#include "rewriters/formula/formula.h"

#include <stdlib.h>

typedef struct needs {
    gw_emit_plan *p;
    GW_VEC(gw_value) work;
    bool *read; /* private objects that some needed op reads */
    bool *declared; /* sized objects whose declarations are needed */
} needs;

static void want(needs *n, gw_value v) {
    if (n->p->values[v].needed) return;
    n->p->values[v].needed = true;
    gw_push(&n->work, v);
}

gw_op gw_emit_carried_by(const gw_func *f, gw_value v, uint32_t *index) {
    const gw_value_data *d = gw_value_at(f, v);
    gw_op loop = d->op ? d->op : gw_region_at(f, d->region)->parent;
    if (!loop || !gw_is_loop(f, loop)) return 0;
    uint32_t skipped = d->op ? 0 : gw_loop_first_arg(f, loop);
    if (d->index < skipped) return 0; /* the counter of a FOR */
    *index = d->index - skipped;
    return loop;
}

static void want_control(needs *n, gw_op op) {
    const gw_func *f = n->p->f;
    const gw_op_data *o = gw_op_at(f, op);
    if (o->code == GW_OP_IF) want(n, gw_operand(f, op, 0));
    if (o->code == GW_OP_FOR)
        for (uint32_t i = 0; i < 3; i++)
            want(n, gw_operand(f, op, i));
    if (o->code == GW_OP_WHILE) want(n, gw_loop_test(f, op));
    if (gw_is_loop(f, op) && (o->flags & GW_OP_EXIT)) want(n, gw_loop_flag(f, op));
}

static bool is_private(const gw_func *f, gw_object o) {
    gw_object_kind kind = gw_object_at(f, o)->kind;
    return o && (kind == GW_OBJECT_LOCAL || kind == GW_OBJECT_TAPE);
}

static void want_writes(needs *n, gw_object object);

/* A needed read of a private object makes all writes of it needed. */
static void want_contents(needs *n, gw_op op) {
    const gw_op_data *o = gw_op_at(n->p->f, op);
    bool reads = o->code == GW_OP_LOAD || o->code == GW_OP_POP || o->code == GW_OP_ADDRESS;
    if (!reads || !is_private(n->p->f, o->object) || n->read[o->object]) return;
    n->read[o->object] = true;
    want_writes(n, o->object);
}

static void want_op(needs *n, gw_op op);

/* A sized object is made by its declaration, from the number of its elements. */
static void want_extent(needs *n, gw_object object) {
    const gw_func *f = n->p->f;
    if (!object || !gw_object_at(f, object)->sized || n->declared[object]) return;
    n->declared[object] = true;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (!o->dead && o->code == GW_OP_DECLARE && o->object == object) want_op(n, op);
    }
}

/* Who adds, where that is asked in front of it: rows of a list do not ask again. */
static bool is_known_lane(const gw_func *f, gw_op op, uint32_t i) {
    const gw_op_data *o = gw_op_at(f, op);
    return o->code == GW_OP_COLLECT && gw_accumulates_by_list(o->attr) && i > 0 &&
           i <= gw_collected(o->operands, o->attr) && gw_emit_known_lanes(f, op);
}

/* The cell's neighbour tells its address; claims ask for each, and so do tests of records. */
static bool is_known_address(const gw_func *f, gw_op op, uint32_t i) {
    const gw_op_data *o = gw_op_at(f, op);
    if (o->code == GW_OP_ACCUM && gw_accumulates_in_rows(o->attr)) /* the row's key tells it */
        return i + 1 < o->operands && !(o->object == f->pack && gw_emit_tests_records(f));
    return o->code == GW_OP_ACCUM && gw_is_collected(o->attr) && i + 1 < o->operands &&
           !f->session->options.checked && gw_rung_continues(f, op);
}

static void want_op(needs *n, gw_op op) {
    const gw_func *f = n->p->f;
    while (op && !n->p->ops[op].needed) {
        const gw_op_data *o = gw_op_at(f, op);
        n->p->ops[op].needed = true;
        if (gw_op_rows[o->code].effect != GW_EFFECT_CONTROL || o->code == GW_OP_RET)
            for (uint32_t i = 0; i < o->operands; i++)
                if (!is_known_address(f, op, i) && !is_known_lane(f, op, i)) want(n, gw_operand(f, op, i));
        want_control(n, op);
        want_contents(n, op);
        want_extent(n, o->object);
        op = gw_region_at(f, o->parent)->parent;
    }
}

static void want_writes(needs *n, gw_object object) {
    const gw_func *f = n->p->f;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        bool writes = gw_op_rows[o->code].effect == GW_EFFECT_WRITE && o->code != GW_OP_DECLARE;
        if (!o->dead && o->object == object && writes) want_op(n, op);
    }
}

/* All names of one carried value: both arguments and the result, what it starts from and what it becomes. */
static void want_carried(needs *n, gw_op loop, uint32_t k) {
    const gw_func *f = n->p->f;
    const gw_op_data *o = gw_op_at(f, loop);
    gw_region body = gw_loop_body(f, loop);
    want_op(n, loop);
    want(n, gw_result(f, loop, k));
    want(n, gw_arg(f, body, k + gw_loop_first_arg(f, loop)));
    if (o->code == GW_OP_WHILE) want(n, gw_arg(f, o->region[0], k));
    want(n, gw_loop_init(f, loop, k));
    want(n, gw_loop_next(f, loop, k));
}

static void want_sources(needs *n, gw_value v) {
    const gw_func *f = n->p->f;
    const gw_value_data *d = gw_value_at(f, v);
    uint32_t k;
    gw_op loop = gw_emit_carried_by(f, v, &k);
    if (loop) {
        want_carried(n, loop, k);
        return;
    }
    gw_op op = d->op ? d->op : gw_region_at(f, d->region)->parent;
    want_op(n, op);
    if (d->op && gw_op_at(f, op)->code == GW_OP_IF)
        for (uint32_t i = 0; i < 2; i++) want(n, gw_arm_value(f, op, i, d->index));
}

static bool is_root(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    if (o->code == GW_OP_RET || o->code == GW_OP_CALL || gw_op_rows[o->code].effect == GW_EFFECT_MEET)
        return true;
    /* the other half has the rest */
    if (gw_is_half(f) && (o->code == GW_OP_PUSH || o->code == GW_OP_POP)) return true;
    return gw_op_rows[o->code].effect == GW_EFFECT_WRITE && o->code != GW_OP_DECLARE &&
           !is_private(f, o->object);
}

static void want_roots(needs *n, gw_region r) {
    const gw_func *f = n->p->f;
    for (gw_op op = gw_first(f, r); op; op = gw_walk(f, op, r))
        if (is_root(f, op)) want_op(n, op);
}

/* A declaration is needed if some needed op reaches its object; yields go with their op. */
static void want_declarations(gw_emit_plan *p) {
    const gw_func *f = p->f;
    bool *used = gw_alloc(f->objects.count * sizeof *used);
    for (gw_op op = 1; op < f->ops.count; op++)
        if (p->ops[op].needed) used[gw_op_at(f, op)->object] = true;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead) continue;
        if (o->code == GW_OP_DECLARE && used[o->object]) p->ops[op].needed = true;
        gw_op parent = gw_region_at(f, o->parent)->parent;
        if (o->code == GW_OP_YIELD) p->ops[op].needed = p->ops[parent].needed;
    }
    free(used);
}

/* A branch or loop is needed for what is in it, also for declarations alone: none is, so it is not. */
void gw_emit_need(gw_emit_plan *p) {
    needs n = {.p = p, .read = gw_alloc(p->f->objects.count * sizeof *n.read),
               .declared = gw_alloc(p->f->objects.count * sizeof *n.declared)};
    want_roots(&n, p->f->entry);
    while (n.work.count)
        want_sources(&n, n.work.at[--n.work.count]);
    gw_vec_free(&n.work);
    free(n.read);
    free(n.declared);
    want_declarations(p);
}

bool gw_emit_operand_needed(const gw_emit_plan *p, gw_op op, uint32_t i) {
    const gw_func *f = p->f;
    const gw_op_data *o = gw_op_at(f, op);
    if (gw_is_loop(f, op)) {
        uint32_t first = gw_loop_first_init(f, op);
        return i < first || p->values[gw_result(f, op, i - first)].needed;
    }
    if (o->code != GW_OP_YIELD) return !is_known_address(f, op, i);
    gw_op parent = gw_region_at(f, o->parent)->parent;
    if (gw_op_at(f, parent)->code == GW_OP_WHILE && o->parent == gw_op_at(f, parent)->region[0]) return true;
    uint32_t lead = gw_is_loop(f, parent) ? gw_loop_first_yield(f, parent) : 0;
    return i < lead || p->values[gw_result(f, parent, i - lead)].needed;
}

uint32_t gw_emit_needed_result(const gw_emit_plan *p, gw_op op, uint32_t *count) {
    uint32_t first = 0;
    *count = 0;
    for (uint32_t i = gw_op_at(p->f, op)->results; i-- > 0;) {
        if (!p->values[gw_result(p->f, op, i)].needed) continue;
        first = i;
        ++*count;
    }
    return first;
}

/* ---- what the text asks beside its ops ---- */
gw_value gw_emit_known_lanes(const gw_func *f, gw_op collect) {
    gw_op branch = gw_region_at(f, gw_op_at(f, collect)->parent)->parent;
    gw_op test =
        branch && gw_op_at(f, branch)->code == GW_OP_IF ? gw_value_at(f, gw_operand(f, branch, 0))->op : 0;
    if (!test || gw_op_at(f, test)->code != GW_OP_NE) return 0;
    gw_value vote = gw_operand(f, test, 0);
    gw_op op = gw_value_at(f, vote)->op;
    if (!op || gw_op_at(f, op)->code != GW_OP_WARP) return 0;
    unsigned how = gw_op_at(f, collect)->attr, asks = gw_op_at(f, op)->attr;
    gw_op mask = asks == GW_WARP_ANY ? gw_value_at(f, gw_operand(f, op, 0))->op : 0;
    bool present = mask && gw_op_at(f, mask)->code == GW_OP_WARP && gw_op_at(f, mask)->attr == GW_WARP_PRESENT;
    /* a row needs to know that somebody does */
    if (gw_accumulates_by_list(how)) return asks == GW_WARP_SAYING || present ? vote : 0;
    return how == GW_ACCUMULATE_WARP && asks == GW_WARP_SAYING ? vote : 0;
}

/* Accesses that ownership decided on are those of adjoints that other threads can reach. */
bool gw_emit_is_claimed(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    if (o->code != GW_OP_LOAD && o->code != GW_OP_STORE && o->code != GW_OP_ACCUM) return false;
    gw_object_kind kind = gw_object_at(f, o->object)->kind;
    bool shared = kind == GW_OBJECT_POINTER || kind == GW_OBJECT_GLOBAL ||
                  gw_cell_behind_pointer(f, o->object, o->path);
    return f->kind == GW_FUNC_KERNEL && shared && o->attr != GW_ACCUMULATE_UNDECIDED &&
           o->attr != GW_ACCUMULATE_LOCAL && !gw_accumulates_in_rows(o->attr);
}

bool gw_emit_tests_records(const gw_func *f) { return f->pack && f->session->options.checked; }

/* An op of what holds a texture's adjoints names it, and not the texture, which its first operand is. */
static bool is_of_shadow(const gw_op_data *o) {
    const bool fetches = o->code == GW_OP_TEXTURE || o->code == GW_OP_TEXTURE_SLOPE;
    return !fetches && gw_op_is_texture((gw_opcode)o->code);
}

static bool uses_texture(const gw_emitter *e, gw_value texture) {
    for (uint32_t i = 0; i < e->plan.order.count; i++) {
        const gw_op op = e->plan.order.at[i];
        for (uint32_t k = 0; k < gw_op_at(e->f, op)->operands; k++)
            if (gw_operand(e->f, op, k) == texture && !is_of_shadow(gw_op_at(e->f, op))) return true;
    }
    return false;
}

bool gw_emit_uses_param(const gw_emitter *e, const gw_param *p) {
    if (p->is_texture) return uses_texture(e, p->value);
    if (p->value) return e->plan.values[p->value].needed;
    for (uint32_t i = 0; i < e->f->params.count; i++) {
        const gw_param *size = &e->f->params.at[i];
        const bool within = size->size_of == p->object || size->part_of == p->object;
        if (within && size->value && e->plan.values[size->value].needed) return true;
    }
    for (uint32_t i = 0; i < e->plan.order.count; i++) {
        const gw_op_data *o = gw_op_at(e->f, e->plan.order.at[i]);
        bool in_row = o->code == GW_OP_ACCUM && gw_accumulates_in_rows(o->attr); /* the launch knows the cell */
        if (o->object == p->object && !in_row) return true;
        const bool of_shadow = gw_op_is_texture((gw_opcode)o->code) && o->code != GW_OP_TEXTURE;
        if (of_shadow && gw_texture_shadow(e->f, gw_operand(e->f, e->plan.order.at[i], 0)) == p->object)
            return true;
    }
    return false;
}
