/*
 * ownership/rows.c - the second try for kernels that take threadIdx.x apart by a constant (contract:
 * ownership.h).
 *
 *     int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;    // a warp a row
 *
 * gives each thread a (row, lane) of its own only in blocks whose length is a multiple of 32. Nobody launches
 * such a kernel with other blocks, so that is assumed, and checked at the launch - but only for a reference
 * that nothing else proves owned: a launch that needs no proof is not refused. Then blockDim.x is width * rows
 * in the normal forms of a derivative looked at once more, and a quotient by the width is taken apart
 * (normal_ops.c). The solver is not asked again.
 *
 * What those proofs assume are inequalities over `rows`; times a power of the width they are such over
 * blockDim.x, in which the launch check and the first look have them.
 */
#include "analysis/ownership/ownership.h"

enum { WIDTH_LEAST = 2 };

/* ---- which width ---- */
static bool is_thread(const gw_func *f, gw_value v) {
    gw_op op = gw_value_at(f, v)->op;
    while (op && gw_op_at(f, op)->code == GW_OP_CAST) op = gw_value_at(f, gw_operand(f, op, 0))->op;
    return op && gw_op_at(f, op)->code == GW_OP_SPECIAL &&
           gw_op_at(f, op)->attr == GW_SPECIAL_ATTR(GW_THREAD_IDX, 0);
}

/* threadIdx.x / c, % c, >> k or & (c - 1): c; else 0. */
static int64_t width_of(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    bool divides = o->code == GW_OP_DIV || o->code == GW_OP_REM;
    int64_t c;
    if (o->dead || (!divides && o->code != GW_OP_SHR && o->code != GW_OP_AND)) return 0;
    if (!is_thread(f, gw_operand(f, op, 0)) || !gw_const_int(f, gw_operand(f, op, 1), &c) || c < 0 ||
        c > GW_MOST_THREADS)
        return 0;
    if (o->code == GW_OP_SHR) c = c > 10 ? 0 : (int64_t)1 << c;
    if (o->code == GW_OP_AND) c = (c & (c + 1)) == 0 ? c + 1 : 0;
    return c >= WIDTH_LEAST && c <= GW_MOST_THREADS ? c : 0;
}

/* The largest, if all others divide it; 0: there is none. */
static uint32_t find_width(const gw_func *f) {
    int64_t most = 0;
    for (gw_op op = 1; op < f->ops.count; op++)
        if (width_of(f, op) > most) most = width_of(f, op);
    for (gw_op op = 1; op < f->ops.count; op++)
        if (width_of(f, op) && most % width_of(f, op)) return 0;
    return (uint32_t)most;
}

/* ---- what is assumed ---- */
static uint32_t degree(const gw_term *t) {
    uint32_t d = 0;
    for (uint32_t i = 0; i < t->factors; i++) d += t->factor[i] == GW_ATOM_BLOCK_ROWS;
    return d;
}

static gw_atom same_atom(const void *context, gw_atom a) {
    const gw_ownership *w = context;
    const gw_atom_data *d = gw_atom_at(w->rows->n, a);
    if (a == GW_ATOM_BLOCK_ROWS) return gw_atom_special(GW_BLOCK_DIM, 0);
    return d->kind == GW_ATOM_SPECIAL ? a : gw_atom_make(w->n, d, NULL, 0);
}

/* Assumption i in the terms of w, by a positive factor larger or smaller; broken where it is too large. */
static gw_poly over_block(const gw_ownership *w, uint32_t i) {
    gw_poly p = w->rows->n->assumptions.at[i];
    uint32_t most = 0;
    for (uint32_t k = 0; k < p.count; k++)
        if (degree(&p.term[k]) > most) most = degree(&p.term[k]);
    for (uint32_t k = 0; k < p.count; k++)
        for (uint32_t d = degree(&p.term[k]); d < most; d++)
            p.broken |= __builtin_mul_overflow(p.term[k].coefficient, (int64_t)w->rows->n->width,
                                               &p.term[k].coefficient);
    int64_t content = p.broken ? 1 : gw_poly_content(&p);
    for (uint32_t k = 0; k < p.count && content > 1; k++) p.term[k].coefficient /= content;
    gw_poly_rename(&p, same_atom, w);
    return p;
}

static bool take_over(gw_ownership *w, gw_object o, uint64_t assumed) {
    bool good = true;
    for (int really = 0; really < 2; really++)
        for (uint32_t i = 0; i < w->rows->n->assumptions.count && good; i++) {
            if (!(assumed >> (GW_ASSUME_LENGTHS + i) & 1)) continue;
            gw_poly p = over_block(w, i);
            good = really ? gw_ownership_assume(w, o, &p, false) : !p.broken;
        }
    return good;
}

/* ---- the second try ---- */
bool gw_ownership_by_rows(gw_ownership *w, gw_object o, uint32_t i, gw_verdict *v) {
    gw_verdict verdict;
    if (!w->rows && !w->without_rows) {
        uint32_t width = w->f->form == GW_FORM_GATHER ? 0 : find_width(w->f);
        w->without_rows = !width;
        if (width) {
            w->rows = gw_alloc(sizeof *w->rows);
            gw_ownership_start(w->rows, w->f);
            gw_normal_by_width(w->rows->n, width);
            w->rows->by_rules = true;
        }
    }
    if (!w->rows) return false;
    if (!w->rows->refs.count || gw_op_at(w->f, w->rows->refs.at[0])->object != o)
        gw_ownership_look_at(w->rows, o);
    gw_ownership_judge(w->rows, i, &verdict);
    if (!verdict.owned || !take_over(w, o, verdict.assumed)) return false;
    w->width = w->rows->n->width;
    verdict.assumed &= ((uint64_t)1 << GW_ASSUME_LENGTHS) - 1;
    *v = verdict;
    return true;
}
