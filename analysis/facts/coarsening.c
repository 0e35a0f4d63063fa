/*
 * coarsening.c - what was asked of a gradient by GW_COARSEN or --coarsen (contract: facts.h).
 *
 * The last axis that the kernel uses: neighbours along x are neighbours in memory, so threads stay neighbours
 * along x where there is another axis to merge.
 */
#include "analysis/facts/facts.h"
#include "analysis/ir/query.h"

#include <stdlib.h>
#include <string.h>

static const gw_request *request_of(const gw_func *f) {
    const gw_session *s = f->session;
    bool reverse = f->form == GW_FORM_GRAD || f->form == GW_FORM_FWD || f->form == GW_FORM_BWD;
    return reverse && f->kind == GW_FUNC_KERNEL && f->request < s->requests.count ? &s->requests.at[f->request]
                                                                                  : NULL;
}

uint32_t gw_coarsening(const gw_func *f) {
    const gw_request *r = request_of(f);
    return r ? r->coarsen : 0;
}

/* ---- numbers of threads ---- */
enum { MOST_TERMS = 4, MOST_FACTORS = 4 };

/* A sum of products of what a kernel knows of its thread and block: how often each of threadIdx.x to blockDim.z
 * is a factor. */
typedef struct product {
    uint8_t thread[3], length[3];
} product;
typedef struct polynomial {
    product term[MOST_TERMS];
    uint32_t count;
    bool good;
} polynomial;

static polynomial expand(const gw_func *f, gw_value v, unsigned depth);

static polynomial sum_of(polynomial a, const polynomial *b) {
    a.good &= b->good && a.count + b->count <= MOST_TERMS;
    for (uint32_t i = 0; a.good && i < b->count; i++) a.term[a.count++] = b->term[i];
    return a;
}

static polynomial product_of(const polynomial *a, const polynomial *b) {
    polynomial p = {.good = a->good && b->good && a->count * b->count <= MOST_TERMS};
    for (uint32_t i = 0; p.good && i < a->count; i++)
        for (uint32_t k = 0; k < b->count; k++) {
            product t = a->term[i];
            for (unsigned axis = 0; axis < 3; axis++) {
                t.thread[axis] = (uint8_t)(t.thread[axis] + b->term[k].thread[axis]);
                t.length[axis] = (uint8_t)(t.length[axis] + b->term[k].length[axis]);
            }
            p.term[p.count++] = t;
        }
    return p;
}

static polynomial expand(const gw_func *f, gw_value v, unsigned depth) {
    const gw_op op = gw_value_at(f, v)->op;
    const gw_op_data *o = op ? gw_op_at(f, op) : NULL;
    polynomial p = {0};
    if (!o || depth == 0) return p;
    if (o->code == GW_OP_CAST && !gw_type_is_float(gw_typeof(f, v)))
        return expand(f, gw_operand(f, op, 0), depth - 1);
    if (o->code == GW_OP_SPECIAL && (o->attr / 4 == GW_THREAD_IDX || o->attr / 4 == GW_BLOCK_DIM)) {
        p = (polynomial){.count = 1, .good = true};
        (o->attr / 4 == GW_THREAD_IDX ? p.term[0].thread : p.term[0].length)[o->attr % 4] = 1;
    } else if (o->code == GW_OP_ADD || o->code == GW_OP_MUL) {
        const polynomial a = expand(f, gw_operand(f, op, 0), depth - 1),
                         b = expand(f, gw_operand(f, op, 1), depth - 1);
        p = o->code == GW_OP_ADD ? sum_of(a, &b) : product_of(&a, &b);
    }
    return p;
}

static bool has_term(const polynomial *p, const product *t) {
    for (uint32_t i = 0; i < p->count; i++)
        if (memcmp(&p->term[i], t, sizeof *t) == 0) return true;
    return false;
}

bool gw_is_thread_number(const gw_func *f, gw_value v) {
    static const product rank[3] = {{{1, 0, 0}, {0, 0, 0}}, {{0, 1, 0}, {1, 0, 0}}, {{0, 0, 1}, {1, 1, 0}}};
    const polynomial p = expand(f, v, 10);
    return p.good && p.count == 3 && has_term(&p, &rank[0]) && has_term(&p, &rank[1]) && has_term(&p, &rank[2]);
}

bool gw_is_thread(const gw_func *f, gw_value v) {
    const gw_value number = gw_behind_casts(f, v);
    const gw_op op = gw_made_by(f, number, GW_OP_SPECIAL);
    return gw_is_thread_number(f, number) ||
           (op && gw_op_at(f, op)->attr == GW_SPECIAL_ATTR(GW_THREAD_IDX, 0));
}

/* The number of the thread in its block, or that of the block's threads. */
static bool is_number(const gw_func *f, gw_value v) {
    static const product threads = {{0, 0, 0}, {1, 1, 1}};
    const polynomial p = expand(f, v, 10);
    return gw_is_thread_number(f, v) || (p.good && p.count == 1 && has_term(&p, &threads));
}

/* Whether an op's result goes into such numbers alone; by op: what is known so far. */
enum { UNKNOWN, INSIDE, OUTSIDE };
static bool is_inside(const gw_func *f, gw_op op, uint8_t *known) {
    const gw_op_data *o = gw_op_at(f, op);
    const bool counts =
        o->code == GW_OP_CAST || o->code == GW_OP_ADD || o->code == GW_OP_MUL || o->code == GW_OP_SPECIAL;
    if (known[op] != UNKNOWN) return known[op] == INSIDE;
    known[op] = OUTSIDE;
    if (!counts || o->results != 1) return false;
    if (o->code != GW_OP_SPECIAL && is_number(f, o->first_result)) known[op] = INSIDE;
    if (known[op] == INSIDE) return true;
    bool used = false, all = true;
    for (gw_op user = 1; user < f->ops.count && all; user++)
        for (uint32_t i = 0; !gw_op_at(f, user)->dead && i < gw_op_at(f, user)->operands && all; i++)
            if (gw_operand(f, user, i) == o->first_result) used = true, all = is_inside(f, user, known);
    known[op] = used && all ? INSIDE : OUTSIDE;
    return known[op] == INSIDE;
}

/* The factor divides the length that the launch is checked for, whatever the others are. */
static bool is_divided(const gw_func *derivative, unsigned axis) {
    const uint32_t least = derivative->block_least[axis], factor = gw_coarsening(derivative);
    return factor && least && least == derivative->block_most[axis] && least % factor == 0;
}

unsigned gw_coarsening_axes(const gw_func *derivative, unsigned axes[3]) {
    const gw_func *f = derivative->primal;
    bool used[3] = {false}, lengths = false, any = false;
    unsigned count = 0;
    if (!f) return 0;
    uint8_t *known = gw_alloc(f->ops.count * sizeof *known);
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        const bool thread = o->code == GW_OP_SPECIAL && o->attr / 4 == GW_THREAD_IDX,
                   length = o->code == GW_OP_SPECIAL && o->attr / 4 == GW_BLOCK_DIM;
        if (o->dead || (!thread && !length)) continue;
        any |= thread;
        if (is_inside(f, op, known)) continue;
        if (thread) used[o->attr % 4] = true;
        else lengths = true;
    }
    free(known);
    for (unsigned axis = 3; axis-- > 0;)
        if (used[axis]) axes[count++] = axis;
    if (!count && any) axes[count++] = lengths ? 0 : GW_WHOLE_BLOCK;
    return count && axes[0] != GW_WHOLE_BLOCK && is_divided(derivative, axes[0]) ? 1 : count;
}

bool gw_numbers_flat_blocks(const gw_func *f) {
    bool by_itself = false, in_number = false, more = false;
    uint8_t *known = gw_alloc(f->ops.count * sizeof *known);
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        const bool thread = o->code == GW_OP_SPECIAL && o->attr / 4 == GW_THREAD_IDX,
                   length = o->code == GW_OP_SPECIAL && o->attr / 4 == GW_BLOCK_DIM;
        if (o->dead || (!thread && !length)) continue;
        const bool inside = is_inside(f, op, known);
        in_number |= inside && o->attr % 4;
        more |= !inside && o->attr % 4;
        by_itself |= !inside && thread && o->attr % 4 == 0;
    }
    free(known);
    return by_itself && in_number && !more;
}

unsigned gw_coarsening_axis(const gw_func *derivative) {
    unsigned axes[3];
    return gw_coarsening_axes(derivative, axes) ? axes[0] : GW_NO_AXIS;
}

gw_loc gw_coarsening_loc(const gw_func *f) {
    const gw_request *r = request_of(f);
    if (r && r->coarsen_loc.line) return r->coarsen_loc;
    return r && r->loc.line ? r->loc : f->loc;
}
