/*
 * tangent/pattern.c - which output depends on which input: f_jacobian_pattern of a sparse Jacobian.
 *
 * In the place of tangents it carries 64 bits, in each of which a number depends on the inputs that are seeded
 * with it or does not. What an op makes depends on what any operand with a formula does; of a choice, on both.
 * So where a bit is not set the derivative is 0, whatever the numbers are, as long as the function goes the
 * same way: takes the same branches, as many iterations, and finds its numbers in the same places.
 *
 * What decides on the way is followed to where it comes from: past operations of integers and conversions among
 * them to what is loaded, compared among real numbers or made of them. That is mixed into the path, in the
 * order in which it comes up, so a run of another way has another path. The function's own integers its caller
 * mixes in.
 *
 * Requires: a request with is_pattern. Guarantees: as in tangent.c, tangents being u64, and behind them, if
 * anything decides that the function's integers do not, the parameter `path`.
 */
#include "analysis/facts/facts.h"
#include "analysis/ir/diagnostics.h"
#include "rewriters/tangent/tangent_private.h"

#include <stdlib.h>

/* ---- bits in place of tangents ---- */
void gw_tangent_depends(gw_tangent *t, gw_op op, uint32_t first) {
    const gw_op_data o = *gw_op_at(t->primal, op);
    const bool by_formula = gw_op_rows[o.code].adjoint == GW_ADJOINT_FORMULA;
    gw_value all = 0;
    for (uint32_t i = first; i < o.operands; i++) {
        const gw_value operand = gw_operand(t->primal, op, i);
        if (!gw_tangent_has(t, operand) || (by_formula && !gw_formula((gw_opcode)o.code, i))) continue;
        all = gw_joined(&t->b, GW_OP_OR, all, gw_tangent_of(t, operand, 0));
    }
    if (all) gw_tangent_set(t, o.first_result, 0, all);
}

/* ---- what is refused ---- */
static bool refuse(const gw_tangent *t, gw_loc loc, const char *what, const char *way_out) {
    gw_diag(t->f->session, GW_DIAG_UNSUPPORTED, loc, what, way_out);
    return false;
}

static bool holds_struct(const gw_session *s, gw_type type) {
    while (s->types.at[type].kind == GW_TYPE_ARRAY) type = s->types.at[type].element;
    return type >= GW_T_SCALARS;
}

/* What it was before is put back in front of each run. */
static bool is_output(const gw_func *f, const gw_request *q, gw_object o) {
    for (uint32_t i = 0; i < f->params.count; i++)
        if (f->params.at[i].object == o)
            return gw_names_have(&q->dependents, gw_param_asked(f, &f->params.at[i]));
    return false;
}

bool gw_tangent_check_pattern(const gw_tangent *t, const gw_request *q) {
    const gw_func *p = t->primal;
    if (!t->pattern) return true;
    for (gw_object o = 1; o < p->objects.count; o++)
        if (gw_reads_own(p, o) && !is_output(p, q, o))
            return refuse(t, q->loc, "the sparse Jacobian of a function that reads what it writes, no output,",
                          "keep that in variables and arrays of the function, or leave out 'sparse'");
    for (gw_op op = 1; op < p->ops.count; op++) {
        const gw_op_data *o = gw_op_at(p, op);
        if (!o->dead && o->code == GW_OP_ATOMIC)
            return refuse(t, o->loc, "an atomic operation in a sparse Jacobian", "leave out 'sparse'");
    }
    for (gw_object o = 1; o < p->objects.count; o++) {
        const gw_object_data *d = gw_object_at(p, o);
        if (gw_active_object(&t->activity, o) && gw_object_is_inner(d->kind) &&
            holds_struct(p->session, d->type))
            return refuse(t, d->loc.line ? d->loc : q->loc, "an array of structs in a sparse Jacobian",
                          "keep the members in arrays of their own, or leave out 'sparse'");
    }
    return true;
}

/* ---- what decides ---- */
typedef struct deciding {
    const gw_func *f;
    bool *looked, *decides;
    bool any;
} deciding;

static void follow(deciding *d, gw_value v);

static void follow_operands(deciding *d, gw_op op) {
    for (uint32_t i = 0; i < gw_op_at(d->f, op)->operands; i++) follow(d, gw_operand(d->f, op, i));
}

/* A loop that carries it hands on what it is at first and what it becomes. */
static void follow_carried(deciding *d, gw_op loop, uint32_t i) {
    follow(d, gw_loop_init(d->f, loop, i));
    follow(d, gw_loop_next(d->f, loop, i));
}

/* No parameter of the text, so no caller mixes it in: the size of a container. */
static bool is_hidden(const gw_func *f, gw_value v) {
    for (uint32_t i = 0; i < f->params.count; i++)
        if (f->params.at[i].value == v) return gw_param_is_hidden(&f->params.at[i]);
    return false;
}

/* A region's argument: nothing of the function's own integers, nor of a counter, whose bounds decide anyway. */
static void follow_argument(deciding *d, gw_value v) {
    const gw_value_data *x = gw_value_at(d->f, v);
    const gw_op loop = gw_region_at(d->f, x->region)->parent;
    if (!loop) {
        d->decides[v] = is_hidden(d->f, v);
        d->any |= d->decides[v];
        return;
    }
    const gw_op_data *o = gw_op_at(d->f, loop);
    const bool is_test = o->code == GW_OP_WHILE && x->region == o->region[0];
    const uint32_t first = is_test ? 0 : gw_loop_first_arg(d->f, loop);
    if (x->index >= first) follow_carried(d, loop, x->index - first);
}

static bool is_of_integers(const gw_func *f, gw_op op) {
    for (uint32_t i = 0; i < gw_op_at(f, op)->operands; i++)
        if (gw_type_is_float(gw_typeof(f, gw_operand(f, op, i)))) return false;
    return true;
}

/* An integer: what real numbers decide is what is made of them. */
static void follow(deciding *d, gw_value v) {
    const gw_func *f = d->f;
    if (d->looked[v]) return;
    d->looked[v] = true;
    const gw_op op = gw_value_at(f, v)->op;
    if (!op) {
        follow_argument(d, v);
        return;
    }
    const gw_op_data *o = gw_op_at(f, op);
    const uint32_t number = v - o->first_result;
    if (gw_is_loop(f, op)) {
        follow_carried(d, op, number);
    } else if (o->code == GW_OP_IF) {
        for (uint32_t side = 0; side < 2; side++) follow(d, gw_arm_value(f, op, side, number));
    } else if (gw_op_rows[o->code].effect == GW_EFFECT_PURE && !o->regions && is_of_integers(f, op)) {
        follow_operands(d, op);
    } else {
        d->decides[v] = d->any = true;
    }
}

static void follow_op(deciding *d, const gw_tangent *t, gw_op op) {
    const gw_func *f = d->f;
    const gw_op_data *o = gw_op_at(f, op);
    if (o->code == GW_OP_IF) follow(d, gw_operand(f, op, 0));
    else if (o->code == GW_OP_FOR)
        for (uint32_t i = 0; i < gw_loop_first_init(f, op); i++) follow(d, gw_operand(f, op, i));
    else if (o->code == GW_OP_WHILE) follow(d, gw_loop_test(f, op));
    if (gw_is_loop(f, op) && gw_loop_flag(f, op)) follow(d, gw_loop_flag(f, op));
    /* of the function's own arrays, too, whose tangents are declared later */
    const bool is_access = (o->code == GW_OP_LOAD || o->code == GW_OP_STORE) &&
                           (gw_tangent_shadow(t, o->object, 0) || gw_active_object(&t->activity, o->object));
    for (uint32_t i = 0; is_access && i < gw_index_count(f, op); i++)
        follow(d, gw_operand(f, op, i));
}

static gw_object add_path(gw_tangent *t) {
    gw_session *s = t->f->session;
    gw_param p = {.name = gw_intern(s, "path"), .is_adjoint = true, .primal_index = UINT32_MAX};
    char *text = gw_format("%s *__restrict__", gw_cstr(s, s->types.at[GW_T_U64].name));
    p.type_text = gw_intern(s, text);
    free(text);
    p.object = gw_object_new(t->f, GW_OBJECT_POINTER, p.name, GW_T_U64);
    gw_object_at(t->f, p.object)->type_text = s->types.at[GW_T_U64].name;
    gw_push(&t->f->params, p);
    return p.object;
}

static void mix_value(gw_tangent *t, gw_value v) {
    const gw_str path = gw_intern(t->f->session, "[]");
    const gw_value index = gw_int(&t->b, GW_T_I32, 0);
    const gw_value parts[2] = {gw_load(&t->b, t->path, path, &index, 1), gw_cast(&t->b, GW_T_U64, v)};
    const gw_op mixed = gw_emit(&t->b, GW_OP_MIX, GW_T_U64, 1, parts, 2);
    gw_store(&t->b, t->path, path, &index, 1, gw_result(t->f, mixed, 0));
}

static void mix(gw_tangent *t, gw_value primal) { mix_value(t, gw_clone_value(&t->c, primal)); }

/* What decides in a loop's condition, which must not write, decides about one more turn alone. */
void gw_tangent_mix_turn(gw_tangent *t, gw_op loop, bool runs) {
    const gw_func *f = t->primal;
    const gw_region condition = gw_op_at(f, loop)->region[0];
    bool decides = false;
    for (gw_op op = gw_first(f, condition); op && !decides; op = gw_walk(f, op, condition))
        for (uint32_t i = 0; i < gw_op_at(f, op)->results; i++) decides |= t->decides[gw_result(f, op, i)];
    if (decides) mix_value(t, gw_int(&t->b, GW_T_U64, runs));
}

void gw_tangent_mix_results(gw_tangent *t, gw_op op) {
    const gw_op_data o = *gw_op_at(t->primal, op);
    for (uint32_t i = 0; i < o.results; i++)
        if (t->decides[o.first_result + i]) mix(t, o.first_result + i);
}

void gw_tangent_find_deciding(gw_tangent *t) {
    const gw_func *f = t->primal;
    deciding d = {f, gw_alloc(f->values.count * sizeof(bool)), gw_alloc(f->values.count * sizeof(bool)), false};
    for (gw_op op = 1; op < f->ops.count; op++)
        if (!gw_op_at(f, op)->dead) follow_op(&d, t, op);
    t->decides = d.decides;
    free(d.looked);
    if (!d.any) return;
    t->path = add_path(t);
    for (uint32_t i = 0; i < gw_region_at(f, f->entry)->args; i++)
        if (d.decides[gw_arg(f, f->entry, i)]) mix(t, gw_arg(f, f->entry, i));
}
