/*
 * launch_check.c - the host function <primal>_check that tests what the proofs of a derivative assumed about
 * a launch (contract: ownership.h).
 *
 * An assumption p >= 0 is computed as host_side.c does it: what passes is true.
 */
#include "analysis/facts/facts.h"
#include "analysis/ir/relations.h"
#include "analysis/ownership/host_side_private.h"
#include "analysis/ownership/ownership.h"
#include "analysis/prove/prove.h"

#include <stdlib.h>

typedef struct check {
    gw_ownership *w;
    gw_func *f;
    gw_builder b;
    gw_host_side side;
    GW_VEC(gw_value) results;
} check;

/* ---- which assumptions ---- */

/* Among assumptions that differ by a constant the one with the smallest implies the others. */
static bool implied(const gw_ownership *w, uint32_t i) {
    for (uint32_t k = 0; k < w->n->assumptions.count; k++) {
        gw_poly p = w->n->assumptions.at[i];
        int64_t value;
        if (k == i || !(w->assumed >> (GW_ASSUME_LENGTHS + k) & 1)) continue;
        gw_poly_add(&p, -1, NULL, &w->n->assumptions.at[k]);
        if (gw_poly_is_constant(&p, &value) && value > 0) return true;
    }
    return false;
}

/* ---- conditions ---- */
static bool is_said(const check *c, gw_str condition) {
    for (uint32_t i = 0; i < c->f->assumptions.count; i++)
        if (c->f->assumptions.at[i].condition == condition) return true;
    return false;
}

/* w >= 0, w + h >= 0 */
static bool is_of_sizes(const check *c, uint32_t bit) {
    if (bit < GW_ASSUME_LENGTHS) return false;
    const gw_poly *p = &c->w->n->assumptions.at[bit - GW_ASSUME_LENGTHS];
    for (uint32_t i = 0; i < p->count; i++)
        if (!p->term[i].factors || p->term[i].coefficient < 0) return false;
    return true;
}

/* One more, which is no text of the caller's. */
static void assume(check *c, char *condition, const char *why, gw_value holds) {
    gw_session *s = c->f->session;
    gw_push(&c->f->assumptions,
            ((gw_assumption){gw_intern(s, condition), gw_intern(s, why), c->results.count, false}));
    gw_push(&c->results, holds);
    free(condition);
}

static const char *purpose(const check *c, uint32_t bit) {
    if (bit < GW_ASSUME_LENGTHS) return "it does not appear in the index of";
    if (c->w->assumed_of_groups >> bit & 1)
        return "so that groups of threads, which sum up for each other, count from 0 at";
    return is_of_sizes(c, bit) ? "a size in the index of" : "so that no index wraps around in";
}

static void add(check *c, gw_value holds, uint32_t bit, const char *text) {
    gw_session *s = c->f->session;
    if (is_said(c, gw_intern(s, text))) return;
    char *why =
        gw_format("%s '%s'", purpose(c, bit), gw_cstr(s, gw_object_at(c->w->f, c->w->assumed_for[bit])->name));
    assume(c, gw_strdup(text), why, holds);
    free(why);
}

static void add_length(check *c, uint32_t bit) {
    static const char *const text[] = {"blockDim.y == 1", "blockDim.z == 1", "gridDim.y == 1",
                                       "gridDim.z == 1"};
    gw_value length = gw_special_value(&c->b, bit < 2 ? GW_BLOCK_DIM : GW_GRID_DIM, 1 + bit % 2);
    add(c, gw_binary(&c->b, GW_OP_EQ, length, gw_int(&c->b, GW_T_U32, 1)), bit, text[bit]);
}

static void add_block(check *c, unsigned axis) {
    uint32_t most = c->w->f->block_most[axis];
    bool exact = c->w->f->block_least[axis] == most;
    gw_value have = gw_special_value(&c->b, GW_BLOCK_DIM, axis);
    assume(c, gw_format("blockDim.%c %s %u", "xyz"[axis], exact ? "==" : "<=", most),
           most == 1 ? "the kernel does not look at it; threads sum up for each other"
                     : "as the kernel's shared arrays have it; threads sum up for each other",
           gw_binary(&c->b, exact ? GW_OP_EQ : GW_OP_LE, have, gw_int(&c->b, GW_T_U32, most)));
}

static void add_grid(check *c) {
    for (uint32_t i = 0; i < c->w->n->assumptions.count; i++) { /* said by a proof already */
        gw_poly p, threads;
        gw_poly_constant(&p, (int64_t)1 << 31);
        gw_poly_zero(&threads);
        gw_term product = {.coefficient = -1,
                           .factors = 2,
                           .factor = {gw_atom_special(GW_BLOCK_DIM, 0), gw_atom_special(GW_GRID_DIM, 0)}};
        gw_poly_add_term(&threads, &product);
        gw_poly_add(&p, 1, NULL, &threads);
        if ((c->w->assumed >> (GW_ASSUME_LENGTHS + i) & 1) && gw_poly_equal(&p, &c->w->n->assumptions.at[i]))
            return;
    }
    gw_value threads =
        gw_binary(&c->b, GW_OP_MUL, gw_cast(&c->b, GW_T_I64, gw_special_value(&c->b, GW_GRID_DIM, 0)),
                  gw_cast(&c->b, GW_T_I64, gw_special_value(&c->b, GW_BLOCK_DIM, 0)));
    assume(c, gw_strdup("gridDim.x * blockDim.x <= 2147483648"),
           "so that threads have numbers; they sum up for each other",
           gw_binary(&c->b, GW_OP_LE, threads, gw_int(&c->b, GW_T_I64, (int64_t)1 << 31)));
}

static gw_value subject(check *c, uint32_t s, gw_type type) {
    const gw_value v = s < GW_LAUNCH_PARAM ? gw_special_value(&c->b, (gw_special)(s / 4), s % 4)
                                           : c->f->params.at[s - GW_LAUNCH_PARAM].value;
    return gw_cast(&c->b, type, v);
}

static gw_type type_of_subject(const check *c, uint32_t s) {
    if (s < GW_LAUNCH_PARAM) return GW_T_U32;
    return gw_typeof(c->f, c->f->params.at[s - GW_LAUNCH_PARAM].value);
}

/* A number of the type always is so. */
static bool goes_without_saying(const gw_launch_fact *fact, int64_t low, int64_t high) {
    switch (fact->relation) {
    case GW_RELATION_AT_LEAST:
        return fact->number <= low;
    case GW_RELATION_ABOVE:
        return fact->number < low;
    case GW_RELATION_AT_MOST:
        return fact->number >= high;
    case GW_RELATION_BELOW:
        return fact->number > high;
    default:
        return fact->relation == GW_RELATION_MULTIPLE && fact->number == 1;
    }
}

/* In the subject's own type where that has the number, else in 64 bits. */
static gw_value fact_holds(check *c, const gw_launch_fact *fact) {
    static const gw_opcode codes[] = {
        [GW_RELATION_EQUAL] = GW_OP_EQ, [GW_RELATION_AT_MOST] = GW_OP_LE, [GW_RELATION_AT_LEAST] = GW_OP_GE,
        [GW_RELATION_BELOW] = GW_OP_LT, [GW_RELATION_ABOVE] = GW_OP_GT,   [GW_RELATION_MULTIPLE] = GW_OP_EQ};
    gw_type type = type_of_subject(c, fact->subject);
    int64_t low, high;
    gw_type_range(type, &low, &high);
    if (goes_without_saying(fact, low, high)) return gw_int(&c->b, GW_T_BOOL, 1);
    if (fact->number < low || fact->number > high || gw_type_bits(type) < 32) type = GW_T_I64;
    gw_value v = subject(c, fact->subject, type), number = gw_int(&c->b, type, fact->number);
    if (fact->relation == GW_RELATION_MULTIPLE) {
        v = gw_binary(&c->b, GW_OP_REM, v, number);
        number = gw_int(&c->b, type, 0);
    }
    return gw_binary(&c->b, codes[fact->relation], v, number);
}

static void add_fact(check *c, const gw_launch_fact *fact, const char *why) {
    gw_text text = {0};
    gw_launch_text(c->f, fact, &text);
    if (!is_said(c, gw_intern(c->f->session, text.at)))
        assume(c, gw_strdup(text.at), why, fact_holds(c, fact));
    gw_text_free(&text);
}

static const char *who_states(const gw_launch_fact *fact) {
    if (fact->of_collective) return "the kernel's collectives are for such blocks";
    return fact->or_atomic ? "GW_LAUNCH, or another form runs" : "GW_LAUNCH";
}

/* What is stated of the launch, and what was supposed of it. */
static void add_facts(check *c) {
    const gw_func *primal = c->w->f->primal;
    for (uint32_t i = 0; i < primal->launch.count; i++) {
        const gw_launch_fact *fact = &primal->launch.at[i];
        if (gw_launch_goes_by(c->w->f, fact)) add_fact(c, fact, who_states(fact));
    }
    for (uint32_t i = 0; i < c->w->supposed.count; i++)
        add_fact(c, &c->w->supposed.at[i].fact, c->w->supposed.at[i].why);
}

static gw_value threads_of_block(gw_builder *b) {
    gw_value threads = gw_special_value(b, GW_BLOCK_DIM, 0);
    for (uint32_t axis = 1; axis < 3; axis++)
        threads = gw_binary(b, GW_OP_MUL, threads, gw_special_value(b, GW_BLOCK_DIM, axis));
    return threads;
}

/* What __launch_bounds__ says: proofs go by it. */
static void add_bound(check *c, uint32_t most) {
    gw_value threads = threads_of_block(&c->b);
    assume(c, gw_format("blockDim.x * blockDim.y * blockDim.z <= %u", most), "the kernel's __launch_bounds__",
           gw_binary(&c->b, GW_OP_LE, threads, gw_int(&c->b, GW_T_U32, most)));
}

/* ---- lengths that can be divided ---- */
/* The length along an axis, or the number of threads, is a multiple of the factor. */
static gw_value is_multiple(gw_builder *b, uint32_t factor, unsigned axis) {
    gw_value length = axis == GW_WHOLE_BLOCK ? threads_of_block(b) : gw_special_value(b, GW_BLOCK_DIM, axis);
    gw_value rest = gw_binary(b, GW_OP_REM, length, gw_int(b, GW_T_U32, factor));
    return gw_binary(b, GW_OP_EQ, rest, gw_int(b, GW_T_U32, 0));
}

/* "blockDim.y % 4 == 0 or blockDim.x % 4 == 0" */
static char *multiple_condition(uint32_t factor, const unsigned *axes, unsigned count) {
    gw_text text = {0};
    for (unsigned i = 0; i < count; i++) {
        const char *between = i + 1 == count ? " or " : ", ";
        if (i) gw_text_add(&text, between);
        if (axes[i] == GW_WHOLE_BLOCK)
            gw_text_addf(&text, "blockDim.x * blockDim.y * blockDim.z %% %u == 0", factor);
        else gw_text_addf(&text, "blockDim.%c %% %u == 0", "xyz"[axes[i]], factor);
    }
    return text.at;
}

/* The gradient's block is shorter by the factor. */
static void add_coarse(check *c, uint32_t factor, unsigned axis) {
    char *why = gw_format("a thread of the gradient does the work of %u: GW_COARSEN", factor);
    assume(c, multiple_condition(factor, &axis, 1), why, is_multiple(&c->b, factor, axis));
    c->f->assumptions.at[c->f->assumptions.count - 1].coarse = true;
    free(why);
}

void gw_launch_check_axes(gw_func *f, uint32_t factor, const unsigned *axes, unsigned count) {
    gw_op ret = gw_region_end(f, f->entry);
    gw_builder b = {.f = f, .region = f->entry, .before = ret, .loc = f->loc};
    GW_VEC(gw_value) results = {0};
    for (uint32_t i = 0; i < gw_op_at(f, ret)->operands; i++) gw_push(&results, gw_operand(f, ret, i));
    for (uint32_t i = 0; i < f->assumptions.count; i++) {
        gw_assumption *a = &f->assumptions.at[i];
        if (!a->coarse) continue;
        gw_value holds = is_multiple(&b, factor, axes[0]);
        for (unsigned k = 1; k < count; k++)
            holds = gw_binary(&b, GW_OP_OR, holds, is_multiple(&b, factor, axes[k]));
        results.at[a->index] = holds;
        char *condition = multiple_condition(factor, axes, count);
        a->condition = gw_intern(f->session, condition);
        free(condition);
    }
    gw_op_set_operands(f, ret, results.at, results.count);
    gw_vec_free(&results);
}

static void add_inequality(check *c, uint32_t i) {
    gw_text text = {0};
    gw_value holds = gw_host_side_holds(&c->side, &c->b, &c->w->n->assumptions.at[i], &text);
    add(c, holds, GW_ASSUME_LENGTHS + i, text.at);
    gw_text_free(&text);
}

static void add_assumed(check *c) {
    const gw_ownership *w = c->w;
    for (uint32_t bit = 0; bit < GW_ASSUME_LENGTHS; bit++)
        if ((w->assumed >> bit & 1) && !(bit < 2 && w->f->block_most[1 + bit])) add_length(c, bit);
    for (uint32_t i = 0; i < w->n->assumptions.count; i++)
        if ((w->assumed >> (GW_ASSUME_LENGTHS + i) & 1) && !implied(w, i)) add_inequality(c, i);
}

static void end(check *c) {
    gw_vec_free(&c->results);
    gw_host_side_end(&c->side);
}

void gw_launch_check(gw_ownership *w) {
    const gw_func *primal = w->f->primal;
    if (!primal) return;
    const uint32_t *block = w->f->block_most;
    const uint32_t coarse = gw_coarsening(w->f);
    const unsigned coarse_axis = coarse ? gw_coarsening_axis(w->f) : GW_NO_AXIS;
    const uint32_t bound = gw_launch_bound(w->f);
    bool any = w->assumed || w->supposed.count || primal->launch.count || bound || w->f->has_gathers;
    any |= block[0] || block[1] || block[2] || coarse_axis != GW_NO_AXIS;
    if (!any) return;
    check c = {.w = w};
    c.f = gw_host_side_new(&c.side, w->n, GW_FORM_CHECK);
    c.b = (gw_builder){.f = c.f, .region = c.f->entry, .loc = w->f->loc};
    if (bound) add_bound(&c, bound);
    for (unsigned axis = 0; axis < 3; axis++)
        if (block[axis]) add_block(&c, axis);
    if (coarse_axis != GW_NO_AXIS) add_coarse(&c, coarse, coarse_axis);
    add_facts(&c);
    if (w->f->has_gathers) add_grid(&c);
    add_assumed(&c);
    gw_emit(&c.b, GW_OP_RET, GW_T_VOID, 0, c.results.at, c.results.count);
    end(&c);
}

void gw_launch_check_more(gw_ownership *w) {
    const gw_session *s = w->f->session;
    gw_func *f = NULL;
    for (uint32_t i = 0; i < s->funcs.count; i++)
        if (s->funcs.at[i]->form == GW_FORM_CHECK && s->funcs.at[i]->primal == w->f->primal &&
            s->funcs.at[i]->request == w->f->request)
            f = s->funcs.at[i];
    if (!f) {
        gw_launch_check(w);
        return;
    }
    gw_op ret = gw_region_end(f, f->entry);
    check c = {
        .w = w, .f = f, .b = {.f = f, .region = f->entry, .before = ret, .loc = f->loc}, .side = {.n = w->n}};
    for (uint32_t i = 0; i < f->params.count; i++) {
        if (f->params.at[i].value)
            gw_map_set(&c.side.values, w->f->params.at[i].value, f->params.at[i].value);
        else
            gw_map_set(&c.side.objects, w->f->params.at[i].object, f->params.at[i].object);
    }
    for (uint32_t i = 0; i < gw_op_at(f, ret)->operands; i++) gw_push(&c.results, gw_operand(f, ret, i));
    add_assumed(&c);
    gw_op_set_operands(f, ret, c.results.at, c.results.count);
    end(&c);
}
