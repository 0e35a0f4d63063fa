/*
 * emit/text/variable.c - which named values share one C variable.
 *
 * Requires the forms and places of emit/text/plan.c. Arguments and result of one carried value of a loop always
 * share a variable; what the loop starts from, what its body yields, and the two values that a branch yields
 * join it where nothing breaks, so that most copies vanish. Two sets of values may be one variable if no
 * write of one member happens while another member, holding something else, is still read later. The reads
 * counted are those of the text: a value printed inside another's expression reads where that one is printed.
 * (Boissinot et al., Revisiting out-of-SSA translation, CGO 2009, on structured control.)
 */
#include "analysis/ir/query.h"
#include "rewriters/emit/text/text_private.h"

#include <stdlib.h>

gw_value gw_emit_variable(const gw_emit_plan *p, gw_value v) {
    while (p->values[v].variable)
        v = p->values[v].variable;
    return v;
}

bool gw_emit_same_variable(const gw_emit_plan *p, gw_value a, gw_value b) {
    return !gw_emit_is_inline(p, a) && !gw_emit_is_inline(p, b) &&
           gw_emit_variable(p, a) == gw_emit_variable(p, b);
}

/* ---- reads ---- */
typedef void on_leaf(gw_emit_plan *p, gw_value leaf, gw_op at);

static void walk_leaves(gw_emit_plan *p, gw_value v, gw_op at, on_leaf *leaf) {
    const gw_func *f = p->f;
    if (!gw_emit_is_inline(p, v)) {
        leaf(p, v, at);
        return;
    }
    gw_op op = gw_value_at(f, v)->op;
    for (uint32_t i = 0; i < gw_op_at(f, op)->operands; i++)
        walk_leaves(p, gw_operand(f, op, i), at, leaf);
    for (uint32_t r = 0; r < gw_op_at(f, op)->regions; r++)
        walk_leaves(p, gw_arm_value(f, op, r, gw_value_at(f, v)->index), at, leaf);
}

static void add_use(gw_emit_plan *p, gw_value v, gw_op at) {
    gw_push(&p->uses, ((gw_emit_use){.at = at, .next = p->values[v].first_use}));
    p->values[v].first_use = p->uses.count - 1;
}

static bool prints_inline(const gw_emit_plan *p, gw_op op) {
    uint32_t needed, i = gw_emit_needed_result(p, op, &needed);
    return gw_op_at(p->f, op)->results && needed && gw_emit_is_inline(p, gw_result(p->f, op, i));
}

static bool in_expression(const gw_emit_plan *p, gw_op op) {
    gw_op parent = gw_op_around(p->f, op);
    return parent && p->ops[parent].expression;
}

static void find_uses(gw_emit_plan *p, gw_op op) {
    const gw_func *f = p->f;
    const gw_op_data *o = gw_op_at(f, op);
    if (prints_inline(p, op) || in_expression(p, op)) return;
    for (uint32_t i = 0; i < o->operands; i++) {
        if (!gw_emit_operand_needed(p, op, i)) continue;
        walk_leaves(p, gw_operand(f, op, i), op, add_use);
        if (o->code == GW_OP_FOR && i < 3) /* bound and step are read after each iteration, too */
            walk_leaves(p, gw_operand(f, op, i), gw_region_end(f, o->region[0]), add_use);
    }
    if (!p->ops[op].expression) return;
    uint32_t needed, k = gw_emit_needed_result(p, op, &needed);
    for (uint32_t r = 0; r < 2; r++) walk_leaves(p, gw_yielded(f, o->region[r], k), op, add_use);
}

bool gw_emit_reads(const gw_emit_plan *p, gw_value v, gw_value root) {
    const gw_func *f = p->f;
    if (!gw_emit_is_inline(p, v)) return gw_emit_variable(p, v) == root;
    gw_op op = gw_value_at(f, v)->op;
    for (uint32_t i = 0; i < gw_op_at(f, op)->operands; i++)
        if (gw_emit_reads(p, gw_operand(f, op, i), root)) return true;
    for (uint32_t r = 0; r < gw_op_at(f, op)->regions; r++)
        if (gw_emit_reads(p, gw_arm_value(f, op, r, gw_value_at(f, v)->index), root)) return true;
    return false;
}

/* ---- liveness on the tree ---- */

static bool defined_at(const gw_emit_plan *p, gw_value v, gw_op at) {
    const gw_func *f = p->f;
    gw_op in = gw_holder(f, at, gw_value_region(f, v)), def = gw_value_at(f, v)->op;
    return in && (!def || p->ops[in].position > p->ops[def].position);
}

/* Do a and b stand in different arms of one branch? */
static bool exclusive(const gw_func *f, gw_op a, gw_op b) {
    for (gw_region r = gw_op_at(f, a)->parent; r;) {
        gw_op parent = gw_region_at(f, r)->parent;
        gw_region out = parent ? gw_op_at(f, parent)->parent : 0;
        gw_op other = out ? gw_holder(f, b, out) : 0;
        if (other)
            return other == parent && other != b && gw_op_at(f, parent)->code == GW_OP_IF &&
                   !gw_holder(f, b, r);
        r = out;
    }
    return false;
}

/* Is there a loop around both, outside of which v is defined? */
static bool meet_in_loop(const gw_func *f, gw_value v, gw_op a, gw_op b) {
    gw_region home = gw_value_region(f, v);
    for (gw_region r = gw_op_at(f, a)->parent; r && r != home;) {
        gw_op parent = gw_region_at(f, r)->parent;
        if (!parent) return false;
        if (gw_is_loop(f, parent)) {
            gw_op in = gw_holder(f, b, gw_op_at(f, parent)->parent);
            if (in == parent && b != parent) return true;
        }
        r = gw_op_at(f, parent)->parent;
    }
    return false;
}

/* Is v, as it was before the write at `at`, read later? */
static bool live_after(const gw_emit_plan *p, gw_value v, gw_op at) {
    const gw_func *f = p->f;
    if (!defined_at(p, v, at)) return false;
    for (uint32_t u = p->values[v].first_use; u; u = p->uses.at[u].next) {
        gw_op use = p->uses.at[u].at;
        if (meet_in_loop(f, v, at, use)) return true;
        if (p->ops[use].position > p->ops[at].position && !exclusive(f, at, use)) return true;
    }
    return false;
}

/* ---- joining ---- */
typedef struct set {
    GW_VEC(gw_value) members;
} set;

typedef struct joiner {
    gw_emit_plan *p;
    set *sets; /* by representative */
} joiner;

typedef struct write {
    gw_op at;
    gw_value source; /* 0: computed there */
} write;

static uint32_t writes_of(const gw_emit_plan *p, gw_value v, write out[2]) {
    const gw_func *f = p->f;
    const gw_value_data *d = gw_value_at(f, v);
    uint32_t k;
    gw_op loop = gw_emit_carried_by(f, v, &k);
    if (loop) {
        gw_region body = gw_loop_body(f, loop);
        out[0] = (write){loop, gw_loop_init(f, loop, k)};
        out[1] = (write){gw_region_end(f, body), gw_loop_next(f, loop, k)};
        return 2;
    }
    if (!d->op) return 0;
    const gw_op_data *o = gw_op_at(f, d->op);
    out[0] = (write){d->op, 0};
    if (o->code != GW_OP_IF || p->ops[d->op].expression) return 1;
    for (uint32_t r = 0; r < 2; r++)
        out[r] = (write){gw_region_end(f, o->region[r]), gw_yielded(f, o->region[r], d->index)};
    return 2;
}

/* Are a and b names of one carried value (one write gives both their contents)? */
static bool written_together(const gw_func *f, gw_value a, gw_value b) {
    uint32_t i, k;
    gw_op loop = gw_emit_carried_by(f, a, &i);
    return loop && gw_emit_carried_by(f, b, &k) == loop && i == k;
}

/* Two carried values of one loop, or two results of one branch, take their values at the same time. */
static bool rivals(const gw_func *f, gw_value a, gw_value b) {
    uint32_t i, k;
    gw_op loop = gw_emit_carried_by(f, a, &i);
    if (loop) return gw_emit_carried_by(f, b, &k) == loop && i != k;
    return a != b && gw_value_at(f, a)->op && gw_value_at(f, a)->op == gw_value_at(f, b)->op;
}

static bool are_rivals(const joiner *j, gw_value root_a, gw_value root_b) {
    const set *a = &j->sets[root_a], *b = &j->sets[root_b];
    for (uint32_t i = 0; i < a->members.count; i++)
        for (uint32_t k = 0; k < b->members.count; k++)
            if (rivals(j->p->f, a->members.at[i], b->members.at[k])) return true;
    return false;
}

static bool write_breaks(const joiner *j, gw_value writer, gw_value root_a, gw_value root_b) {
    write w[2];
    uint32_t count = writes_of(j->p, writer, w);
    for (uint32_t i = 0; i < count; i++) {
        gw_value from =
            w[i].source && !gw_emit_is_inline(j->p, w[i].source) ? gw_emit_variable(j->p, w[i].source) : 0;
        if (from && (from == root_a || from == root_b)) continue; /* no copy is printed */
        for (uint32_t side = 0; side < 2; side++) {
            const set *s = &j->sets[side ? root_b : root_a];
            for (uint32_t m = 0; m < s->members.count; m++) {
                gw_value v = s->members.at[m];
                if (v == writer || written_together(j->p->f, v, writer)) continue;
                if (live_after(j->p, v, w[i].at)) return true;
            }
        }
    }
    return false;
}

static bool can_join(const joiner *j, gw_value a, gw_value b) {
    if (gw_typeof(j->p->f, a) != gw_typeof(j->p->f, b) || are_rivals(j, a, b)) return false;
    for (uint32_t side = 0; side < 2; side++) {
        const set *s = &j->sets[side ? b : a];
        for (uint32_t m = 0; m < s->members.count; m++)
            if (write_breaks(j, s->members.at[m], a, b)) return false;
    }
    return true;
}

static void join(joiner *j, gw_value a, gw_value b) {
    a = gw_emit_variable(j->p, a);
    b = gw_emit_variable(j->p, b);
    if (a == b) return;
    j->p->values[b].variable = a;
    j->p->values[a].shared = true;
    if (!j->p->values[a].name) j->p->values[a].name = j->p->values[b].name;
    for (uint32_t m = 0; m < j->sets[b].members.count; m++)
        gw_push(&j->sets[a].members, j->sets[b].members.at[m]);
    gw_vec_free(&j->sets[b].members);
}

/* Counters, inline values and parameters that may not change keep to themselves. */
static bool may_be_shared(const gw_emit_plan *p, gw_value v) {
    const gw_func *f = p->f;
    const gw_value_data *d = gw_value_at(f, v);
    if (gw_emit_is_inline(p, v) || !p->values[v].needed) return false;
    uint32_t k;
    return d->op || gw_emit_carried_by(f, v, &k);
}

static void try_join(joiner *j, gw_value a, gw_value b) {
    if (!may_be_shared(j->p, a) || !may_be_shared(j->p, b)) return;
    a = gw_emit_variable(j->p, a);
    b = gw_emit_variable(j->p, b);
    if (a != b && can_join(j, a, b)) join(j, a, b);
}

static void join_loop_names(joiner *j, gw_op op) {
    const gw_func *f = j->p->f;
    for (uint32_t k = 0; gw_is_loop(f, op) && k < gw_loop_carried(f, op); k++) {
        gw_value result = gw_result(f, op, k);
        if (!j->p->values[result].needed) continue;
        join(j, result, gw_loop_arg(f, op, k));
        if (gw_op_at(f, op)->code == GW_OP_WHILE) join(j, result, gw_arg(f, gw_op_at(f, op)->region[0], k));
    }
}

static void join_sources(joiner *j, gw_op op) {
    const gw_func *f = j->p->f;
    const gw_op_data *o = gw_op_at(f, op);
    if ((!gw_is_loop(f, op) && o->code != GW_OP_IF) || j->p->ops[op].expression || in_expression(j->p, op))
        return;
    for (uint32_t k = 0; k < o->results; k++) {
        gw_value result = gw_result(f, op, k);
        write w[2];
        uint32_t count = j->p->values[result].needed ? writes_of(j->p, result, w) : 0;
        for (uint32_t i = count; i-- > 0;)
            try_join(j, result, w[i].source);
    }
}

void gw_emit_variables(gw_emit_plan *p) {
    joiner j = {.p = p, .sets = gw_alloc(p->f->values.count * sizeof *j.sets)};
    for (uint32_t i = 0; i < p->order.count; i++)
        find_uses(p, p->order.at[i]);
    for (gw_value v = 1; v < p->f->values.count; v++)
        p->values[v].name = gw_value_at(p->f, v)->name;
    for (gw_value v = 1; v < p->f->values.count; v++)
        if (may_be_shared(p, v)) gw_push(&j.sets[v].members, v);
    for (uint32_t i = 0; i < p->order.count; i++)
        join_loop_names(&j, p->order.at[i]);
    for (uint32_t i = 0; i < p->order.count; i++)
        join_sources(&j, p->order.at[i]);
    for (gw_value v = 1; v < p->f->values.count; v++)
        gw_vec_free(&j.sets[v].members);
    free(j.sets);
}
