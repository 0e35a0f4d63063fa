/*
 * host/seeds.c - the seeds pass: a gradient that makes a Jacobian's rows takes four seeds at once.
 *
 * What a reverse sweep adds up is linear in the seeds: its way, its places and its factors are of the primal
 * and its tape. So the function stays as it is, and each number that a seed reaches becomes four of them, side
 * by side, a vector of the compiler's (gw_double4): one forward sweep and one tape for four rows.
 *
 *     double *d_y, *d_x;    d_x[i] += d_y[k] * t      becomes    gw_double4 *d_y, *d_x;    the same
 *
 * These numbers are followed from the adjoints that are parameters, through ops and memory, until nothing is
 * added. A function in which one of them comes to an op that is not linear in it, or that vectors
 * have no text for (a call, a container, a struct, long double), keeps one seed; so do CUDA files, whose
 * compilers differ in vectors, and what is exported by name, which has the signature of an f_grad.
 *
 * Requires: nothing behind it looks for floats but two_sums.c, which leaves these alone. Guarantees:
 * gw_seeds(f) is 4, adjoints are [element][4].
 */
#include "analysis/ir/passes.h"
#include "analysis/ir/requests.h"
#include "analysis/ir/restructure.h"
#include "rewriters/formula/formula.h"
#include "analysis/ir/query.h"

#include <stdlib.h>

enum { SEEDS = 4 };

typedef struct seeding {
    gw_func *f;
    bool *reached;        /* by value */
    bool *object_reached; /* by object */
    bool changed;
} seeding;

/* ---- which numbers ---- */
/* A 0 stays what it is: it may stand for a number of the primal elsewhere. */
static void reach(seeding *x, gw_value v) {
    if (!v || x->reached[v] || gw_is_zero(x->f, v)) return;
    x->reached[v] = x->changed = true;
}

static void reach_object(seeding *x, gw_object o) {
    x->changed |= !x->object_reached[o];
    x->object_reached[o] = true;
}

/* They are one variable at different times. */
static void join(seeding *x, const gw_value *values, uint32_t count) {
    bool any = false;
    for (uint32_t i = 0; i < count; i++) any |= x->reached[values[i]];
    for (uint32_t i = 0; any && i < count; i++) reach(x, values[i]);
}

typedef struct variable {
    gw_value at[5];
    uint32_t count;
} variable;

/* Carried value i of a loop; the last, of a WHILE, is what its test sees. */
static variable carried(const gw_func *f, gw_op loop, uint32_t i) {
    variable v = {{gw_loop_init(f, loop, i), gw_loop_next(f, loop, i), gw_loop_arg(f, loop, i),
                   gw_result(f, loop, i)}, 4};
    if (gw_op_at(f, loop)->code == GW_OP_WHILE) v.at[v.count++] = gw_arg(f, gw_op_at(f, loop)->region[0], i);
    return v;
}

static variable chosen(const gw_func *f, gw_op branch, uint32_t i) {
    return (variable){{gw_arm_value(f, branch, 0, i), gw_arm_value(f, branch, 1, i), gw_result(f, branch, i)},
                      3};
}

static variable variable_of(const gw_func *f, gw_op op, uint32_t i) {
    return gw_is_loop(f, op) ? carried(f, op, i) : chosen(f, op, i);
}

static void follow(seeding *x, gw_op op) {
    const gw_op_data *o = gw_op_at(x->f, op);
    if (o->regions) {
        for (uint32_t i = 0; i < o->results; i++) {
            const variable v = variable_of(x->f, op, i);
            join(x, v.at, v.count);
        }
    } else if (gw_is_access_of_cell(o)) {
        const gw_value v = o->results ? o->first_result : gw_operand(x->f, op, gw_index_count(x->f, op));
        if (x->object_reached[o->object]) reach(x, v);
        else if (x->reached[v]) reach_object(x, o->object);
    } else if (o->results == 1) {
        for (uint32_t i = 0; i < o->operands; i++)
            if (x->reached[gw_operand(x->f, op, i)]) reach(x, o->first_result);
    }
}

static void follow_all(seeding *x) {
    const gw_func *f = x->f;
    for (uint32_t i = 0; i < f->params.count; i++)
        if (f->params.at[i].is_adjoint && f->params.at[i].object) reach_object(x, f->params.at[i].object);
    for (x->changed = true; x->changed;) {
        x->changed = false;
        for (gw_op op = 1; op < f->ops.count; op++)
            if (!gw_op_at(f, op)->dead) follow(x, op);
    }
}

/* ---- whether each may be four ---- */
static bool has_four(const seeding *x, gw_value v) { return x->reached[v] || gw_is_zero(x->f, v); }

static bool operand_reached(const seeding *x, gw_op op, uint32_t i) {
    return x->reached[gw_operand(x->f, op, i)];
}

static bool operand_has_four(const seeding *x, gw_op op, uint32_t i) {
    return has_four(x, gw_operand(x->f, op, i));
}

static bool none_reached(const seeding *x, gw_op op, uint32_t first, uint32_t end) {
    for (uint32_t i = first; i < end; i++)
        if (operand_reached(x, op, i)) return false;
    return true;
}

/* What is carried or chosen is four throughout, and nothing of it decides. */
static bool may_control(const seeding *x, gw_op op) {
    const gw_func *f = x->f;
    const gw_op_data *o = gw_op_at(f, op);
    for (uint32_t i = 0; i < o->results; i++) {
        const variable v = variable_of(f, op, i);
        for (uint32_t k = 0; x->reached[gw_result(f, op, i)] && k < v.count; k++)
            if (!has_four(x, v.at[k])) return false;
    }
    if (o->code == GW_OP_IF) return !operand_reached(x, op, 0);
    const gw_value test = gw_loop_test(f, op), flag = gw_loop_flag(f, op);
    return none_reached(x, op, 0, gw_loop_first_init(f, op)) && !o->policy && !(test && x->reached[test]) &&
           !(flag && x->reached[flag]);
}

/* An op that makes a seed's number, takes one, or is about memory of them. */
static bool is_linear(const seeding *x, gw_op op) {
    const gw_op_data *o = gw_op_at(x->f, op);
    const uint32_t last = o->operands - 1;
    switch (o->code) {
    case GW_OP_ADD:
    case GW_OP_SUB:
    case GW_OP_USED: return operand_has_four(x, op, 0) && operand_has_four(x, op, 1);
    case GW_OP_NEG: return operand_reached(x, op, 0);
    case GW_OP_CAST: return operand_reached(x, op, 0) && gw_type_four_of(gw_typeof(x->f, o->first_result));
    case GW_OP_MUL: return operand_reached(x, op, 0) != operand_reached(x, op, 1);
    case GW_OP_DIV: return operand_reached(x, op, 0) && !operand_reached(x, op, 1);
    case GW_OP_SELECT:
        return !operand_reached(x, op, 0) && operand_has_four(x, op, 1) && operand_has_four(x, op, 2);
    case GW_OP_DECLARE:
    case GW_OP_LOAD: return none_reached(x, op, 0, o->operands);
    case GW_OP_STORE:
    case GW_OP_ACCUM: return none_reached(x, op, 0, last) && operand_has_four(x, op, last);
    default: return false;
    }
}

static bool may_be(const seeding *x, gw_op op) {
    const gw_op_data *o = gw_op_at(x->f, op);
    if (o->regions) return may_control(x, op);
    if (o->code == GW_OP_YIELD) return true; /* of what is around it */
    bool concerns = o->object && x->object_reached[o->object];
    concerns |= !none_reached(x, op, 0, o->operands);
    for (uint32_t i = 0; i < o->results; i++) concerns |= x->reached[o->first_result + i];
    return !concerns || is_linear(x, op);
}

static gw_type number_of(const gw_session *s, gw_type type) {
    while (s->types.at[type].kind == GW_TYPE_ARRAY) type = s->types.at[type].element;
    return type;
}

static bool may_hold(const seeding *x, gw_object object) {
    const gw_object_data *o = gw_object_at(x->f, object);
    if (!gw_type_four_of(number_of(x->f->session, o->type)) || o->is_container || o->is_reference) return false;
    if (o->kind == GW_OBJECT_LOCAL) return true;
    for (uint32_t i = 0; i < x->f->params.count; i++) {
        const gw_param *p = &x->f->params.at[i];
        if (p->object == object) return o->kind == GW_OBJECT_POINTER && p->is_adjoint && !gw_param_is_hidden(p);
    }
    return false;
}

static bool may_all(const seeding *x) {
    const gw_func *f = x->f;
    for (uint32_t i = 0; i < f->params.count; i++)
        if (f->params.at[i].is_adjoint && f->params.at[i].value) return false;
    for (gw_object o = 1; o < f->objects.count; o++)
        if (x->object_reached[o] && !may_hold(x, o)) return false;
    for (gw_value v = 1; v < f->values.count; v++)
        if (x->reached[v] && !gw_type_four_of(gw_typeof(f, v))) return false;
    for (gw_op op = 1; op < f->ops.count; op++)
        if (!gw_op_at(f, op)->dead && !may_be(x, op)) return false;
    return true;
}

/* ---- four of each ---- */
static gw_type four_of_each(gw_session *s, gw_type type) {
    if (s->types.at[type].kind != GW_TYPE_ARRAY) return gw_type_four_of(type);
    const uint32_t count = s->types.at[type].count;
    return gw_type_array(s, four_of_each(s, s->types.at[type].element), count);
}

static void change_objects(seeding *x) {
    gw_session *s = x->f->session;
    for (gw_object o = 1; o < x->f->objects.count; o++) {
        if (!x->object_reached[o]) continue;
        const gw_type type = four_of_each(s, gw_object_at(x->f, o)->type);
        gw_object_data *d = gw_object_at(x->f, o);
        d->type = type;
        d->type_text = s->types.at[number_of(s, type)].name;
        for (uint32_t i = 0; i < x->f->params.count; i++) {
            gw_param *p = &x->f->params.at[i];
            if (p->object != o) continue;
            char *text = gw_signature_pointer_text(s, NULL, gw_cstr(s, d->type_text));
            p->type_text = gw_intern(s, text);
            free(text);
        }
    }
}

/* A 0 where four numbers are taken is a 0 of each. */
static void take_four(seeding *x, gw_op op, uint32_t i, gw_type type) {
    if (operand_reached(x, op, i)) return;
    gw_builder b = {x->f, gw_op_at(x->f, op)->parent, op, gw_op_at(x->f, op)->loc};
    gw_set_operand(x->f, op, i, gw_real(&b, type, 0));
}

/* By what goes into a loop and around it, or comes from both sides of a branch. */
static void hand_on_four(seeding *x, gw_op op, uint32_t i) {
    const gw_func *f = x->f;
    const gw_type type = gw_typeof(f, gw_result(f, op, i));
    if (gw_is_loop(f, op)) {
        take_four(x, op, gw_loop_first_init(f, op) + i, type);
        take_four(x, gw_region_end(f, gw_loop_body(f, op)), gw_loop_first_yield(f, op) + i, type);
        return;
    }
    for (uint32_t side = 0; side < 2; side++)
        take_four(x, gw_region_end(f, gw_op_at(f, op)->region[side]), i, type);
}

static void take_fours(seeding *x, gw_op op) {
    gw_func *f = x->f;
    const gw_op_data o = *gw_op_at(f, op);
    if (o.regions) {
        for (uint32_t i = 0; i < o.results; i++)
            if (gw_type_is_four(gw_typeof(f, gw_result(f, op, i)))) hand_on_four(x, op, i);
    } else if (o.results && gw_type_is_four(gw_typeof(f, o.first_result))) {
        if (o.code == GW_OP_ADD || o.code == GW_OP_SUB || o.code == GW_OP_SELECT || o.code == GW_OP_USED)
            for (uint32_t i = o.operands - 2; i < o.operands; i++)
                take_four(x, op, i, gw_typeof(f, o.first_result));
    } else if ((o.code == GW_OP_STORE || o.code == GW_OP_ACCUM) && x->object_reached[o.object]) {
        take_four(x, op, o.operands - 1, gw_cell_type(f, o.object, o.path));
    }
}

static void change(seeding *x) {
    gw_func *f = x->f;
    const uint32_t ops = f->ops.count;
    for (gw_value v = 1; v < f->values.count; v++)
        if (x->reached[v]) gw_value_at(f, v)->type = gw_type_four_of(gw_typeof(f, v));
    change_objects(x);
    for (gw_op op = 1; op < ops; op++)
        if (!gw_op_at(f, op)->dead) take_fours(x, op);
}

static bool make_four(gw_func *f) {
    seeding x = {f, gw_alloc(f->values.count * sizeof(bool)), gw_alloc(f->objects.count * sizeof(bool)), false};
    follow_all(&x);
    const bool good = may_all(&x);
    if (good) change(&x);
    free(x.reached);
    free(x.object_reached);
    return good;
}

bool gw_pass_seeds(gw_run *run) {
    gw_session *s = run->session;
    for (uint32_t i = 0; i < s->funcs.count && !s->is_cuda && !s->options.exports; i++) {
        gw_func *f = s->funcs.at[i];
        if (f->form != GW_FORM_GRAD || f->kind != GW_FUNC_HOST || f->request >= s->requests.count) continue;
        gw_request *q = &s->requests.at[f->request];
        const bool makes_rows = q->kind == GW_REQUEST_GRADIENT && q->part_of && q->dependents.count;
        if (makes_rows && make_four(f)) q->directions = SEEDS;
    }
    return true;
}
