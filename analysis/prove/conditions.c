/*
 * conditions.c - what follows where a condition is known: inequalities between polynomials (contract:
 * prove.h).
 *
 * Only implications are used: both parts of a true conjunction, of a false disjunction; a comparison of
 * integers whose polynomials are their values. What is not understood adds nothing.
 */
#include "analysis/prove/prove.h"
#include "analysis/prove/normal_ops_private.h"
#include "analysis/ir/restructure.h"

/* x - y >= least */
static void assume_apart(gw_context *c, const gw_number *x, const gw_number *y, int64_t least) {
    gw_poly room = x->poly;
    gw_poly_add(&room, -1, NULL, &y->poly);
    gw_poly_add_constant(&room, -least);
    gw_context_add(c, &room, x->assumed | y->assumed);
}

static void assume_compare(gw_context *c, gw_opcode code, const gw_number *x, const gw_number *y) {
    switch (code) {
    case GW_OP_LT:
        assume_apart(c, y, x, 1);
        break;
    case GW_OP_LE:
        assume_apart(c, y, x, 0);
        break;
    case GW_OP_GT:
        assume_apart(c, x, y, 1);
        break;
    case GW_OP_GE:
        assume_apart(c, x, y, 0);
        break;
    case GW_OP_EQ: {
        gw_poly difference = x->poly;
        gw_poly_add(&difference, -1, NULL, &y->poly);
        gw_fact_add(&c->equal, &difference, x->assumed | y->assumed);
        assume_apart(c, x, y, 0);
        assume_apart(c, y, x, 0);
        break;
    }
    default:
        break;
    }
}

static gw_opcode negated(gw_opcode code) {
    static const gw_opcode pairs[][2] = {{GW_OP_LT, GW_OP_GE}, {GW_OP_LE, GW_OP_GT}, {GW_OP_EQ, GW_OP_NE}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        if (pairs[i][0] == code) return pairs[i][1];
        if (pairs[i][1] == code) return pairs[i][0];
    }
    return GW_OP_NONE;
}

static bool is_constant(const gw_normal *n, gw_value v, int64_t value) {
    int64_t have;
    return gw_const_int(n->f, v, &have) && have == value;
}

static void assume_integers(gw_normal *n, gw_context *c, gw_opcode code, gw_value a, gw_value b) {
    gw_number x, y;
    if (!gw_type_is_integer(gw_typeof(n->f, a))) return;
    gw_normal_exact(n, c, a, &x);
    gw_normal_exact(n, c, b, &y);
    assume_compare(c, code, &x, &y);
}

/* (int)condition != 0 and the like. */
static gw_value boolean_inside(const gw_normal *n, gw_value v) {
    gw_op op = gw_made_by(n->f, v, GW_OP_CAST);
    if (!op) return 0;
    gw_value from = gw_operand(n->f, op, 0);
    return gw_typeof(n->f, from) == GW_T_BOOL ? from : 0;
}

/* (bool)x; simplify makes x != 0 of it. */
static void assume_cast(gw_normal *n, gw_context *c, gw_value from, bool truth) {
    gw_number x, none = {0};
    if (gw_typeof(n->f, from) == GW_T_BOOL) gw_condition_assume(n, c, from, truth);
    if (truth || !gw_type_is_integer(gw_typeof(n->f, from))) return;
    gw_poly_zero(&none.poly);
    gw_normal_exact(n, c, from, &x);
    assume_compare(c, GW_OP_EQ, &x, &none);
}

/* `choice ? yes : no` has the value `truth`: if one side cannot have it, the other was taken. */
static void assume_choice(gw_normal *n, gw_context *c, gw_value choice, gw_value yes, gw_value no, bool truth) {
    if (is_constant(n, no, !truth)) {
        gw_condition_assume(n, c, choice, true);
        gw_condition_assume(n, c, yes, truth);
    } else if (is_constant(n, yes, !truth)) {
        gw_condition_assume(n, c, choice, false);
        gw_condition_assume(n, c, no, truth);
    }
}

static void assume_branch_result(gw_normal *n, gw_context *c, gw_value v, gw_op op, bool truth) {
    uint32_t index = gw_value_at(n->f, v)->index;
    const gw_op_data *o = gw_op_at(n->f, op);
    gw_op yes = gw_region_end(n->f, o->region[0]), no = gw_region_end(n->f, o->region[1]);
    if (yes && no)
        assume_choice(n, c, gw_operand(n->f, op, 0), gw_operand(n->f, yes, index), gw_operand(n->f, no, index),
                      truth);
}

void gw_condition_assume(gw_normal *n, gw_context *c, gw_value v, bool truth) {
    gw_op op = gw_value_at(n->f, v)->op;
    if (gw_typeof(n->f, v) != GW_T_BOOL) return;
    gw_push(&c->decided, ((gw_decided){v, truth}));
    if (!op) return;
    const gw_op_data *o = gw_op_at(n->f, op);
    gw_value a = o->operands > 0 ? gw_operand(n->f, op, 0) : 0,
             b = o->operands > 1 ? gw_operand(n->f, op, 1) : 0;
    gw_opcode code = (gw_opcode)o->code, as = truth ? code : negated(code);
    if (code == GW_OP_NOT)
        gw_condition_assume(n, c, a, !truth);
    else if ((code == GW_OP_AND && truth) || (code == GW_OP_OR && !truth)) {
        gw_condition_assume(n, c, a, truth);
        gw_condition_assume(n, c, b, truth);
    } else if (code == GW_OP_SELECT)
        assume_choice(n, c, a, b, gw_operand(n->f, op, 2), truth);
    else if (code == GW_OP_IF)
        assume_branch_result(n, c, v, op, truth);
    else if (code == GW_OP_CAST)
        assume_cast(n, c, a, truth);
    else if (as == GW_OP_NONE || gw_op_rows[code].typing != GW_TYPING_BOOL)
        return;
    else if ((as == GW_OP_NE || as == GW_OP_EQ) && is_constant(n, b, 0) && boolean_inside(n, a))
        gw_condition_assume(n, c, boolean_inside(n, a), as == GW_OP_NE);
    else
        assume_integers(n, c, as, a, b);
}

void gw_condition_loop(gw_normal *n, gw_context *c, gw_op loop) {
    const gw_op_data *o = gw_op_at(n->f, loop);
    if (o->code == GW_OP_FOR) {
        assume_integers(n, c, (gw_opcode)o->attr, gw_arg(n->f, o->region[0], 0), gw_operand(n->f, loop, 1));
        return;
    }
    gw_op end = gw_region_end(n->f, o->region[0]);
    if (end) gw_condition_assume(n, c, gw_operand(n->f, end, 0), true);
}

static bool is_thread_index(const gw_func *f, gw_value v) {
    gw_op op;
    while ((op = gw_value_at(f, v)->op) != 0 && gw_op_at(f, op)->code == GW_OP_CAST) v = gw_operand(f, op, 0);
    return op && gw_op_at(f, op)->code == GW_OP_SPECIAL && gw_op_at(f, op)->attr / 4 == GW_THREAD_IDX;
}

/* Arrays of one dimension only: s[0][t] may go on in the next row of an array, and nobody may notice. */
void gw_condition_extents(gw_normal *n, gw_context *c) {
    const gw_func *f = n->f;
    for (gw_op op = gw_first(f, c->region); op; op = gw_next(f, op)) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->code != GW_OP_LOAD && o->code != GW_OP_STORE && o->code != GW_OP_ACCUM) continue;
        const gw_object_data *d = gw_object_at(f, o->object);
        const gw_type_data *t = &f->session->types.at[d->type];
        bool one = (d->kind == GW_OBJECT_SHARED || d->kind == GW_OBJECT_LOCAL) && !d->sized &&
                   t->kind == GW_TYPE_ARRAY && gw_index_count(f, op) == 1 &&
                   is_thread_index(f, gw_operand(f, op, 0));
        if (!one) continue;
        gw_number index;
        gw_normal_exact(n, c, gw_operand(f, op, 0), &index);
        gw_poly room = index.poly;
        gw_poly_scale(&room, -1);
        gw_poly_add_constant(&room, (int64_t)t->count - 1);
        if (!index.assumed) gw_context_add(c, &room, 0);
    }
}
