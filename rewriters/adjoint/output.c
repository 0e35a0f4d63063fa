/*
 * adjoint/output.c - needed values that the primal leaves in an output, which so stands for the tape of a split
 * gradient: "out wrt x with final_t, last".
 *
 * The second half loads such a value from the output's cell instead of popping it. That cell holds it if
 *  - the request names the output, by which its caller promises to leave it as the first half wrote it;
 *  - the stored value is the needed one itself, not a function of it;
 *  - that store is the only op that writes to the object, and stands in no loop. As the primal has no race, no
 *    two threads then store to one cell;
 *  - what decides about the store, and its index, can be had again in the second half.
 * Where the store stands in a branch that the value's own region does not, other threads load nothing and get
 * 0: that is for what loops end with, whose results with a derivative are used in that branch only: elsewhere
 * their adjoints are 0. Or one thread stores what all of its warp or block have, which all of these load
 * (stored_for_all.c).
 */
#include "rewriters/adjoint/recursion_private.h"

#include "analysis/facts/facts.h"
#include "analysis/ir/diagnostics.h"
#include "analysis/ir/optional.h"
#include "analysis/ir/relations.h"

enum { WARP = 32 };

static bool is_kept(const gw_adjoint *a, gw_object o) {
    const gw_request *q = &a->f->session->requests.at[a->f->request];
    for (uint32_t i = 0; i < q->kept.count; i++)
        if (q->kept.at[i] == gw_object_at(a->primal, o)->name) return true;
    return false;
}

static bool is_only_write(const gw_func *p, gw_op store) {
    for (gw_op op = 1; op < p->ops.count; op++) {
        const gw_op_data *o = gw_op_at(p, op);
        bool writes = o->code == GW_OP_STORE || o->code == GW_OP_ATOMIC || o->flags & GW_OP_WRITES;
        if (!o->dead && op != store && writes && o->object == gw_op_at(p, store)->object) return false;
    }
    return true;
}

/* Computed again from values of region r and those outside of it. */
static bool is_made_of(const gw_func *p, gw_value v, gw_region r) {
    if (gw_value_visible(p, v, r)) return true;
    gw_op op = gw_value_at(p, v)->op;
    if (!op || gw_op_at(p, op)->regions || gw_op_rows[gw_op_at(p, op)->code].effect != GW_EFFECT_PURE)
        return false;
    for (uint32_t i = 0; i < gw_op_at(p, op)->operands; i++)
        if (!is_made_of(p, gw_operand(p, op, i), r)) return false;
    return true;
}

/* A coarsened thread stands for threads of several warps. */
static bool is_for_all(const gw_adjoint *a, gw_op store, gw_value v, bool *whole_warps) {
    return gw_adjoint_stored_for_all(a->primal, store, v, whole_warps) &&
           !(*whole_warps && gw_coarsening(a->f));
}

/* `named`: of an output that the request names. */
static gw_op find_store(const gw_adjoint *a, gw_value v, bool named) {
    const gw_func *p = a->primal;
    gw_region r = gw_value_region(p, v);
    for (gw_op op = 1; op < p->ops.count; op++) {
        const gw_op_data *o = gw_op_at(p, op);
        if (o->dead || o->code != GW_OP_STORE || gw_operand(p, op, o->operands - 1) != v ||
            (named ? !is_kept(a, o->object) : gw_object_at(p, o->object)->kind != GW_OBJECT_POINTER))
            continue;
        if (!gw_region_inside(p, o->parent, r) || gw_loop_around(p, op) || !is_only_write(p, op)) continue;
        bool made = true, whole;
        for (uint32_t i = 0; i < gw_index_count(p, op); i++) made &= is_made_of(p, gw_operand(p, op, i), r);
        const bool all = made && is_for_all(a, op, v, &whole);
        for (gw_region at = o->parent; at != r && !all; at = gw_region_outside(p, at))
            made &= is_made_of(p, gw_operand(p, gw_region_at(p, at)->parent, 0), r);
        if (made) return op;
    }
    return 0;
}

/* In a cloner whose map has what was made so far. */
static gw_value make(gw_adjoint *a, gw_cloner *c, gw_value v, gw_region r) {
    const gw_func *p = a->primal;
    if (gw_value_visible(p, v, r)) return gw_adjoint_value(a, v);
    gw_op op = gw_value_at(p, v)->op;
    for (uint32_t i = 0; i < gw_op_at(p, op)->operands; i++) {
        gw_value x = gw_operand(p, op, i);
        gw_map_set(&c->values, x, make(a, c, x, r));
    }
    gw_clone_op(c, op);
    return gw_map_get(&c->values, v);
}

static gw_value load(gw_adjoint *a, gw_cloner *c, gw_op store, gw_region r) {
    gw_value index[9];
    uint32_t n = gw_index_count(a->primal, store);
    for (uint32_t i = 0; i < n; i++) index[i] = make(a, c, gw_operand(a->primal, store, i), r);
    return gw_load(&a->b, gw_clone_object(&a->c, gw_op_at(a->primal, store)->object),
                   gw_op_at(a->primal, store)->path, index, n);
}

/* The load in the branches from region r on to the store. */
static gw_value load_in(gw_adjoint *a, gw_cloner *c, gw_op store, gw_region at, gw_region r, gw_value v) {
    const gw_func *p = a->primal;
    gw_region within = gw_op_at(p, store)->parent;
    if (within == at) return load(a, c, store, r);
    while (gw_region_outside(p, within) != at) within = gw_region_outside(p, within);
    gw_op branch = gw_region_at(p, within)->parent;
    gw_value condition = make(a, c, gw_operand(p, branch, 0), r);
    gw_op made = gw_emit(&a->b, GW_OP_IF, GW_T_VOID, 0, &condition, 1);
    gw_value result = gw_op_add_result(a->f, made, gw_typeof(p, v), gw_value_at(p, v)->name);
    gw_builder saved = a->b;
    for (uint32_t side = 0; side < 2; side++) {
        a->b.region = gw_region_new(a->f, made);
        a->b.before = 0;
        bool inside = gw_op_at(p, branch)->region[side] == within;
        gw_type type = gw_typeof(p, v);
        gw_value zero = gw_type_is_float(type) ? gw_real(&a->b, type, 0) : gw_int(&a->b, type, 0);
        gw_value in = inside ? load_in(a, c, store, within, r, v) : zero;
        gw_yield(&a->b, &in, 1);
    }
    a->b = saved;
    return result;
}

/* The launch of the derivative is checked for it (ownership). */
static void ask_for_whole_warps(gw_adjoint *a) {
    const gw_launch_fact whole = {.subject = GW_SPECIAL_ATTR(GW_BLOCK_DIM, 0),
                                  .relation = GW_RELATION_MULTIPLE,
                                  .number = WARP};
    if (!a->f->launch.count) gw_push(&a->f->launch, whole);
}

static gw_value take(gw_adjoint *a, gw_op store, gw_value v) {
    bool whole;
    gw_region r = gw_value_region(a->primal, v);
    gw_cloner c = {.from = a->primal, .to = &a->b, .objects = a->c.objects};
    const bool all = is_for_all(a, store, v, &whole);
    gw_value loaded = all ? load(a, &c, store, r) : load_in(a, &c, store, r, r, v);
    if (all && whole) ask_for_whole_warps(a);
    gw_map_free(&c.values);
    gw_map_set(&a->outputs, gw_clone_object(&a->c, gw_op_at(a->primal, store)->object), 1);
    gw_map_set(&a->c.values, v, loaded);
    return loaded;
}

static bool used_inside(const gw_func *p, gw_value v, gw_region r) {
    for (gw_op op = 1; op < p->ops.count; op++) {
        const gw_op_data *o = gw_op_at(p, op);
        for (uint32_t i = 0; !o->dead && i < o->operands; i++)
            if (gw_operand(p, op, i) == v && !gw_region_inside(p, o->parent, r)) return false;
    }
    return true;
}

/* Threads that pass the branch of the store by need nothing of what the loop ends with. */
static bool ends_in_branch(const gw_adjoint *a, gw_op loop, gw_value v, gw_op store) {
    const gw_func *p = a->primal;
    bool inside = used_inside(p, v, gw_op_at(p, store)->parent);
    for (uint32_t i = 0; inside && i < gw_op_at(p, loop)->results; i++) {
        gw_value result = gw_result(p, loop, i);
        inside = !gw_active_value(&a->activity, result) || used_inside(p, result, gw_op_at(p, store)->parent);
    }
    return inside;
}

static bool may_load(const gw_adjoint *a, gw_value v, gw_op store) {
    const gw_func *p = a->primal;
    const gw_op op = gw_value_at(p, v)->op;
    bool whole;
    return is_for_all(a, store, v, &whole) || (op && gw_is_loop(p, op) && ends_in_branch(a, op, v, store));
}

/* Something may ask for the loop's end before the loop does: the square of it that is stored beside it. */
gw_value gw_adjoint_output(gw_adjoint *a, gw_value v) {
    gw_op store = a->choice->split ? find_store(a, v, true) : 0;
    if (!store || !may_load(a, v, store)) return 0;
    return gw_takes(a->f->session, GW_OPTIONAL_OUTPUTS) ? take(a, store, v) : 0;
}

void gw_adjoint_tell_of_output(const gw_adjoint *a, gw_value v) {
    const gw_session *s = a->f->session;
    const gw_op store = a->choice->split && !a->choice->survey ? find_store(a, v, false) : 0;
    if (!store || !may_load(a, v, store)) return;
    const char *name = gw_cstr(s, gw_object_at(a->primal, gw_op_at(a->primal, store)->object)->name);
    gw_diag(a->f->session, GW_DIAG_TAPED_OUTPUT, gw_op_at(a->primal, store)->loc, name, name);
}

gw_value gw_adjoint_output_of_loop(gw_adjoint *a, gw_op loop, gw_value v) {
    gw_value have = gw_map_get(&a->c.values, v);
    gw_op store = a->choice->split && !have ? find_store(a, v, true) : 0;
    bool good = store && ends_in_branch(a, loop, v, store) && gw_takes(a->f->session, GW_OPTIONAL_OUTPUTS);
    return good ? take(a, store, v) : gw_adjoint_value(a, v);
}

bool gw_adjoint_check_outputs(const gw_adjoint *a, const gw_request *q) {
    const gw_session *s = a->f->session;
    bool good = true;
    for (uint32_t i = 0; i < q->kept.count; i++) {
        bool used = false;
        for (gw_op op = 1; op < a->f->ops.count; op++) {
            const gw_op_data *o = gw_op_at(a->f, op);
            used |= !o->dead && o->code == GW_OP_LOAD && gw_map_get(&a->outputs, o->object) &&
                    gw_object_at(a->f, o->object)->name == q->kept.at[i];
        }
        if (!used)
            gw_diag(a->f->session, GW_DIAG_KEPT_OUTPUT, q->loc, gw_cstr(s, q->kept.at[i]),
                    gw_cstr(s, q->function));
        good &= used;
    }
    return good;
}
