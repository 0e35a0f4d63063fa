/*
 * choices.c - integers that are one of two by a condition, c ? x : y or the result of a branch (contract:
 * prove.h, normal_ops_private.h).
 *
 * A choice is an atom. In a context that knows its condition it is the value that was chosen, which holds at
 * once in a branch of that condition and is what a case distinction makes use of (disjoint_cases.c). Elsewhere
 * what is known of it is what holds in both cases.
 */
#include "analysis/prove/normal_ops_private.h"

enum { FACTS_MOST = 256, CHOICES_MOST = 16, LOOK_MOST = 64 };

bool gw_choice_of(const gw_func *f, gw_value v, gw_chosen *out) {
    gw_op op = gw_value_at(f, v)->op;
    const gw_op_data *o = op ? gw_op_at(f, op) : NULL;
    if (!op || (o->code != GW_OP_SELECT && o->code != GW_OP_IF)) return false;
    *out = (gw_chosen){.condition = gw_operand(f, op, 0)};
    for (uint32_t i = 0; i < 2; i++) {
        gw_op end = o->code == GW_OP_IF ? gw_region_end(f, o->region[i]) : op;
        if (!end) return false;
        *(i ? &out->no : &out->yes) =
            gw_operand(f, end, o->code == GW_OP_IF ? gw_value_at(f, v)->index : 1 + i);
    }
    return true;
}

bool gw_choice_is_made(const gw_func *f, const gw_context *c, gw_value condition, bool *truth) {
    gw_op op = gw_value_at(f, condition)->op;
    for (uint32_t i = 0; i < c->decided.count; i++) {
        if (c->decided.at[i].condition != condition) continue;
        *truth = c->decided.at[i].truth;
        return true;
    }
    if (!op || gw_op_at(f, op)->code != GW_OP_NOT || !gw_choice_is_made(f, c, gw_operand(f, op, 0), truth))
        return false;
    *truth = !*truth;
    return true;
}

bool gw_normal_chosen(gw_normal *n, gw_context *c, gw_value v, gw_value *out) {
    gw_chosen choice;
    bool truth;
    if (!gw_choice_of(n->f, v, &choice) || !gw_choice_is_made(n->f, c, choice.condition, &truth)) return false;
    *out = truth ? choice.yes : choice.no;
    return true;
}

bool gw_choice_computes(const gw_func *f, const gw_context *c, gw_value v) {
    gw_region r = gw_value_region(f, v);
    while (c->region && !gw_region_inside(f, c->region, r)) {
        bool truth;
        gw_op branch = gw_region_at(f, r)->parent;
        const gw_op_data *o = branch ? gw_op_at(f, branch) : NULL;
        if (!o || o->code != GW_OP_IF || !gw_choice_is_made(f, c, gw_operand(f, branch, 0), &truth) ||
            o->region[truth ? 0 : 1] != r)
            return false;
        r = o->parent;
    }
    return c->region != 0;
}

/* ---- open choices ---- */
static gw_value open_in(const gw_func *f, const gw_context *c, gw_value v, uint32_t *left) {
    const gw_value_data *d = gw_value_at(f, v);
    gw_chosen choice;
    bool truth;
    gw_value found = 0;
    if (!*left || !gw_type_is_integer(d->type)) return 0;
    --*left;
    if (gw_choice_of(f, v, &choice)) {
        if (!gw_choice_is_made(f, c, choice.condition, &truth)) return choice.condition;
        return open_in(f, c, truth ? choice.yes : choice.no, left);
    }
    /* a counter begins and ends where its loop says */
    gw_op op = d->op;
    if (!op && d->index == 0) op = gw_region_at(f, d->region)->parent;
    if (!op) return 0;
    const gw_op_data *o = gw_op_at(f, op);
    bool looks =
        d->op ? gw_op_rows[o->code].effect == GW_EFFECT_PURE || o->code == GW_OP_LOAD : o->code == GW_OP_FOR;
    uint32_t count = d->op ? o->operands : 2;
    for (uint32_t i = 0; looks && i < count && !found; i++) found = open_in(f, c, gw_operand(f, op, i), left);
    return found;
}

gw_value gw_choice_open(const gw_func *f, const gw_context *c, gw_value v) {
    uint32_t left = LOOK_MOST;
    return open_in(f, c, v, &left);
}

/* ---- what holds in both cases ---- */

/* sign*(to - from) >= 0 where `in` holds: then sign*(to - m) >= 0 for the m that is `to` in the other case. */
static void learn_side(gw_normal *n, gw_context *c, const gw_context *in, const gw_number *to,
                       const gw_number *from, const gw_number *m) {
    for (int64_t sign = -1; sign <= 1; sign += 2) {
        uint64_t assumed = to->assumed | from->assumed | m->assumed;
        gw_poly room = to->poly, known = to->poly;
        gw_poly_add(&room, -1, NULL, &from->poly);
        gw_poly_add(&known, -1, NULL, &m->poly);
        gw_poly_scale(&room, sign);
        gw_poly_scale(&known, sign);
        if (gw_prove_nonnegative(n, &in->facts, &room, &assumed)) gw_context_add(c, &known, assumed);
    }
}

static void learn_sign(gw_normal *n, gw_context *c, gw_context *const in[2], const gw_number side[2],
                       const gw_number *m) {
    uint64_t assumed = side[0].assumed | side[1].assumed | m->assumed;
    for (uint32_t i = 0; i < 2; i++)
        if (!gw_prove_nonnegative(n, &in[i]->facts, &side[i].poly, &assumed)) return;
    gw_context_add(c, &m->poly, assumed);
}

void gw_normal_choice(gw_normal *n, gw_context *c, gw_value v, const gw_number *m) {
    gw_chosen choice;
    gw_number side[2];
    if (c->cases || m->poly.broken || !gw_choice_of(n->f, v, &choice) || !gw_choice_computes(n->f, c, v))
        return;
    gw_context *in[2] = {gw_normal_case(n, c, choice.condition, true),
                         gw_normal_case(n, c, choice.condition, false)};
    if (!in[0] || !in[1]) return;
    gw_normal_exact(n, in[0], choice.yes, &side[0]);
    gw_normal_exact(n, in[1], choice.no, &side[1]);
    learn_side(n, c, in[1], &side[0], &side[1], m);
    learn_side(n, c, in[0], &side[1], &side[0], m);
    learn_sign(n, c, in, side, m);
}

/* A side that is not taken is multiplied with 0, so what it would be does not matter. */
bool gw_normal_choice_sum(gw_normal *n, gw_context *c, gw_value v, gw_number *out) {
    gw_chosen choice;
    gw_number by, yes, no;
    gw_poly product;
    const gw_type t = gw_typeof(n->f, v);
    if (!n->sums_choices || !gw_type_is_signed(t) || gw_type_bits(t) < 32 || !gw_choice_of(n->f, v, &choice) ||
        !gw_normal_uniform(n, choice.condition))
        return false;
    gw_normal_exact(n, c, choice.condition, &by);
    gw_normal_exact(n, c, choice.yes, &yes);
    gw_normal_exact(n, c, choice.no, &no);
    gw_poly_add(&yes.poly, -1, NULL, &no.poly);
    gw_poly_multiply(&product, &by.poly, &yes.poly);
    gw_poly_add(&product, 1, NULL, &no.poly);
    *out = (gw_number){.poly = product, .assumed = by.assumed | yes.assumed | no.assumed};
    return !product.broken;
}

/* ---- choices that must have been made ---- */
static bool chosen_atom(const gw_normal *n, gw_atom a, gw_chosen *out) {
    const gw_atom_data *d = gw_atom_at(n, a);
    return (d->kind == GW_ATOM_PURE || d->kind == GW_ATOM_VALUE) && gw_choice_of(n->f, d->value, out);
}

/* The atom stands for its value under what it assumes. */
static void is_chosen(gw_normal *n, gw_context *c, gw_atom a, gw_value value, uint64_t assumed) {
    gw_number side;
    gw_poly apart;
    gw_normal_exact(n, c, value, &side);
    assumed |= side.assumed | gw_atom_at(n, a)->assumed;
    gw_poly_atom(&apart, a);
    gw_poly_add(&apart, -1, NULL, &side.poly);
    for (int sign = 0; sign < 2; sign++, gw_poly_scale(&apart, -1)) gw_context_add(c, &apart, assumed);
}

void gw_normal_make_choices(gw_normal *n, gw_context *c, gw_value condition, bool truth) {
    gw_chosen made;
    uint32_t count = n->atoms.count;
    for (gw_atom a = 1; a < count && c->region; a++)
        if (chosen_atom(n, a, &made) && made.condition == condition &&
            gw_value_visible(n->f, n->atoms.at[a].value, c->region))
            is_chosen(n, c, a, truth ? made.yes : made.no, 0);
}

static bool is_no_positive_constant(const gw_normal *n, gw_value v) {
    int64_t value;
    return gw_const_int(n->f, v, &value) && value <= 0;
}

static bool learn_choice(gw_normal *n, gw_context *c, gw_atom a) {
    gw_chosen made;
    uint64_t assumed = 0;
    if (!chosen_atom(n, a, &made)) return false;
    bool yes = is_no_positive_constant(n, made.no);
    if (!yes && !is_no_positive_constant(n, made.yes)) return false;
    gw_poly positive;
    gw_poly_atom(&positive, a);
    gw_poly_add_constant(&positive, -1);
    if (!gw_prove_nonnegative(n, &c->facts, &positive, &assumed)) return false;
    is_chosen(n, c, a, yes ? made.yes : made.no, assumed);
    gw_condition_assume(n, c, made.condition, yes);
    return true;
}

/* What one choice says may show that another was made. */
void gw_normal_learn_choices(gw_normal *n, gw_context *c) {
    gw_atom done[CHOICES_MOST];
    uint32_t count = 0, before;
    do {
        before = count;
        for (uint32_t i = 0; i < c->facts.count && i < FACTS_MOST; i++) /* the list grows */
            for (uint32_t k = 0; k < c->facts.at[i].poly.count; k++) {
                const gw_term t = c->facts.at[i].poly.term[k];
                bool known = t.factors != 1 || count == CHOICES_MOST;
                for (uint32_t d = 0; d < count; d++) known |= done[d] == t.factor[0];
                if (!known && learn_choice(n, c, t.factor[0])) done[count++] = t.factor[0];
            }
    } while (count > before);
}
