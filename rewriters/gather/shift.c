/*
 * gather/shift.c - additions of neighbouring threads to one cell, turned round: the thread whose cell it is
 * sums up what they add.
 *
 * In the reverse of a stencil, y[i] = f(x[i - 1], x[i], x[i + 1]), the thread with number i adds to d_x[i - 1],
 * d_x[i] and d_x[i + 1], so three threads meet in each cell. The kernel f_grad_gather runs before the
 * gradient's and turns it round: position j takes what the threads j + 1, j and j - 1 add to d_x[j], computed
 * again with their numbers, under their conditions, and adds the sum once (gather/shift_kernel.c;
 * gather/sum.c). The gradient's kernel loses the additions; it runs behind, because it zeroes adjoints that the
 * sums read.
 *
 * Found in a kernel's gradient before ownership, for an object to which it does nothing but add. Required of
 * each addition:
 *   - its index is scale_x*x + scale_y*y + scale_z*z + rest, where x, y, z are the numbers blockIdx*blockDim +
 *     threadIdx of the axes that the kernel looks at, or the index of a grid-stride loop, and scales and rest
 *     are the same in the grid but for loops with constant bounds around the addition. All have the same
 *     scales, and their rests differ by sums of whole scales: the shifts;
 *   - its value and the conditions around it are made of pure ops, of the thread's place through these numbers
 *     only, of memory that the gradient does not write, and of adjoints that the thread reads once before it
 *     zeroes them. They are as they were when the gradient began, and the kernel runs then.
 *
 * Sound because
 *   - each addition (thread t, shift s) stands at one position, t + s. The kernel goes over all positions from
 *     the first thread plus the least shift to the last plus the largest, each once, and at each over all
 *     shifts whose thread t exists: so over the same pairs. Below the first thread it does not look where
 *     conditions keep t + s from being there;
 *   - what is computed there is what thread t computes, with the same values of the same ops, if and where t
 *     computes it;
 *   - nothing is assumed of the cells: the additions are as many as before, and ownership proves, pair by pair,
 *     that positions of different threads never are at one cell. Where it does not, the kernel is not made
 *     (gather.c). Numbers of up to 2^30 threads and constant shifts keep positions within int; that is checked
 *     at the launch.
 */
#include "rewriters/gather/shift_private.h"

#include "analysis/facts/facts.h"
#include "analysis/ir/restructure.h"
#include "analysis/ir/rungs.h"
#include "rewriters/formula/formula.h"

#include <stdlib.h>

/* A coalesced addition without a result costs an H200's L2 about as long as 60 instructions of a warp take to
 * issue; what it takes the cell's thread to make one again must be less, by what the kernel costs itself:
 * conditions, the cell, and a second kernel that zeroes the seeds. Measured (docs/log/gpu-kernels.md): 5 and 7
 * additions a cell of 54 and 31 each lose, 25 of 31 each win. */
static const double MOST_WORK = 60, OWN_KERNEL = 450, FEWEST_ASKED = 2;
enum { LOAD = 8, MOST_ADDS = 64, MOST_SHIFT = 64 };

/* ---- numbers ---- */
static bool is_special(const gw_func *f, gw_value v, gw_special kind, unsigned axis) {
    gw_op op = gw_value_at(f, v)->op;
    return op && gw_op_at(f, op)->code == GW_OP_SPECIAL && gw_op_at(f, op)->attr == GW_SPECIAL_ATTR(kind, axis);
}

static bool is_product(const gw_func *f, gw_value v, gw_special a, gw_special b, unsigned axis) {
    gw_op op = gw_made_by(f, v, GW_OP_MUL);
    if (!op) return false;
    gw_value x = gw_operand(f, op, 0), y = gw_operand(f, op, 1);
    return (is_special(f, x, a, axis) && is_special(f, y, b, axis)) ||
           (is_special(f, y, a, axis) && is_special(f, x, b, axis));
}

static gw_value find_number(const gw_func *f, unsigned axis) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead || o->code != GW_OP_ADD) continue;
        gw_value a = gw_operand(f, op, 0), b = gw_operand(f, op, 1);
        if ((is_product(f, a, GW_BLOCK_IDX, GW_BLOCK_DIM, axis) && is_special(f, b, GW_THREAD_IDX, axis)) ||
            (is_product(f, b, GW_BLOCK_IDX, GW_BLOCK_DIM, axis) && is_special(f, a, GW_THREAD_IDX, axis)))
            return o->first_result;
    }
    return 0;
}

static gw_value without_casts(const gw_func *f, gw_value v) {
    for (gw_op op; (op = gw_value_at(f, v)->op) != 0 && gw_op_at(f, op)->code == GW_OP_CAST;
         v = gw_operand(f, op, 0)) {
        gw_type type = gw_typeof(f, v);
        if (!gw_type_is_integer(type) || gw_type_bits(type) < 32) break;
    }
    return v;
}

static bool is_looked_at(const gw_func *f, unsigned axis) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (!o->dead && o->code == GW_OP_SPECIAL && o->attr % 4 == axis && o->attr / 4 != GW_GRID_DIM)
            return true;
    }
    return false;
}

/* ---- loops around the addition ---- */
static bool is_plain_int_loop(const gw_func *f, gw_op loop) {
    const gw_op_data *o = gw_op_at(f, loop);
    if (o->code != GW_OP_FOR || (o->flags & GW_OP_EXIT) || (o->attr != GW_OP_LT && o->attr != GW_OP_LE))
        return false;
    return gw_typeof(f, gw_operand(f, loop, 0)) == GW_T_I32;
}

/* Made of parameters alone, so that it can stand at the head of the kernel. */
static bool is_parameter(const gw_func *f, gw_value v) {
    gw_op op = gw_value_at(f, v)->op;
    if (!op) return gw_value_at(f, v)->region == f->entry;
    const gw_op_data *o = gw_op_at(f, op);
    bool divides = o->code == GW_OP_DIV || o->code == GW_OP_REM || o->code == GW_OP_SPECIAL;
    bool reads = o->code == GW_OP_LOAD && gw_object_at(f, o->object)->kind == GW_OBJECT_STRUCT && !o->operands;
    if (!reads && (gw_op_rows[o->code].effect != GW_EFFECT_PURE || divides)) return false;
    for (uint32_t i = 0; i < o->operands; i++)
        if (!is_parameter(f, gw_operand(f, op, i))) return false;
    return true;
}

static bool is_stride(const gw_shift *s, gw_op loop, unsigned axis) {
    const gw_func *f = s->f;
    bool whole = gw_op_at(f, loop)->attr == GW_OP_LT &&
                 is_product(f, without_casts(f, gw_operand(f, loop, 2)), GW_GRID_DIM, GW_BLOCK_DIM, axis);
    return whole && without_casts(f, gw_operand(f, loop, 0)) == s->axis[axis].number &&
           is_parameter(f, gw_operand(f, loop, 1));
}

int64_t gw_shift_trips(const gw_func *f, gw_op loop) {
    int64_t low = 0, high = 0;
    gw_const_int(f, gw_operand(f, loop, 0), &low);
    gw_const_int(f, gw_operand(f, loop, 1), &high);
    return high - low + (gw_op_at(f, loop)->attr == GW_OP_LE);
}

static bool note_loop(gw_shift *s, gw_shift_add *a, gw_op loop) {
    const gw_func *f = s->f;
    int64_t low, high;
    if (!is_plain_int_loop(f, loop)) return false;
    for (unsigned axis = 0; axis < 3; axis++) {
        gw_shift_axis *x = &s->axis[axis];
        if (!s->has[axis] || !is_stride(s, loop, axis) || (x->loop && x->loop != loop)) continue;
        x->loop = loop;
        x->index = gw_arg(f, gw_loop_body(f, loop), 0);
        return true;
    }
    if (!gw_loop_ends(f, loop, &low, &high) || gw_loop_step(f, loop) != 1 || gw_shift_trips(f, loop) < 1 ||
        a->loops == GW_SHIFT_LOOPS)
        return false;
    for (uint32_t i = a->loops++; i > 0; i--) a->loop[i] = a->loop[i - 1];
    a->loop[0] = loop; /* from the outside in */
    return true;
}

static bool find_loops(gw_shift *s, gw_shift_add *a) {
    const gw_func *f = s->f;
    for (gw_op up = gw_op_around(f, a->add); up; up = gw_op_around(f, up))
        if (gw_op_at(f, up)->code != GW_OP_IF && !note_loop(s, a, up)) return false;
    return true;
}

bool gw_shift_is_inner(const gw_shift_add *a, gw_op loop) {
    for (uint32_t i = 0; i < a->loops; i++)
        if (a->loop[i] == loop) return true;
    return false;
}

/* ---- polynomials ---- */
static bool has_factor(const gw_term *t, gw_atom a) {
    for (uint32_t i = 0; i < t->factors; i++)
        if (t->factor[i] == a) return true;
    return false;
}

/* What p has of the atom: p = atom*of + rest. */
static void take_out(gw_poly *p, gw_atom a, gw_poly *of) {
    const gw_term by = {.coefficient = 1, .factors = 1, .factor = {a}};
    gw_poly rest;
    gw_poly_zero(of);
    gw_poly_zero(&rest);
    for (uint32_t i = 0; i < p->count; i++) {
        gw_term t = p->term[i], part;
        if (!has_factor(&t, a) || !gw_term_divide(&t, &by, &part)) {
            gw_poly_add_term(&rest, &t);
            continue;
        }
        part.coefficient = t.coefficient;
        gw_poly_add_term(of, &part);
    }
    rest.broken |= p->broken;
    *p = rest;
}

static const gw_term *leading(const gw_poly *p) {
    const gw_term *best = p->count ? &p->term[0] : NULL;
    for (uint32_t i = 1; i < p->count; i++)
        if (p->term[i].factors > best->factors) best = &p->term[i];
    return best;
}

static int64_t magnitude(int64_t x) { return x < 0 ? -x : x; }

/* The axis with the largest scale that is not done. */
static int next_axis(const gw_shift *s, unsigned done) {
    int best = -1;
    for (int i = 0; i < 3; i++) {
        if (!s->has[i] || (done >> i & 1)) continue;
        const gw_term *t = leading(&s->axis[i].scale), *b = best < 0 ? NULL : leading(&s->axis[best].scale);
        bool larger = !b || t->factors > b->factors ||
                      (t->factors == b->factors && magnitude(t->coefficient) > magnitude(b->coefficient));
        if (larger) best = i;
    }
    return best;
}

static int64_t nearest(int64_t a, int64_t b) {
    int64_t half = magnitude(b) / 2, q = (magnitude(a) + half) / magnitude(b);
    return (a < 0) == (b < 0) ? q : -q;
}

/* p as a sum of whole scales. */
static bool in_scales(const gw_shift *s, gw_poly p, int64_t by[3]) {
    unsigned done = 0;
    by[0] = by[1] = by[2] = 0;
    for (int axis; (axis = next_axis(s, done)) >= 0; done |= 1u << axis) {
        const gw_term *unit = leading(&s->axis[axis].scale);
        for (uint32_t i = 0; i < p.count && !by[axis]; i++) {
            bool same = p.term[i].factors == unit->factors;
            for (uint32_t k = 0; same && k < unit->factors; k++) same = p.term[i].factor[k] == unit->factor[k];
            if (same) by[axis] = nearest(p.term[i].coefficient, unit->coefficient);
        }
        if (magnitude(by[axis]) > MOST_SHIFT) return false;
        gw_poly_add(&p, -by[axis], NULL, &s->axis[axis].scale);
    }
    return !p.broken && p.count == 0;
}

/* Only that numbers of threads are numbers, which the kernel's launch is checked for. */
static bool is_checked(const gw_shift *s, uint64_t assumed) {
    for (uint32_t i = 0; i < s->n->assumptions.count; i++) {
        if (!(assumed >> (GW_ASSUME_LENGTHS + i) & 1)) continue;
        gw_poly p = s->n->assumptions.at[i];
        int64_t most;
        bool threads = false;
        for (unsigned axis = 0; axis < 3 && !threads; axis++) {
            gw_poly room = p, block, grid, product;
            gw_poly_special(s->n, GW_SPECIAL_ATTR(GW_BLOCK_DIM, axis), &block);
            gw_poly_special(s->n, GW_SPECIAL_ATTR(GW_GRID_DIM, axis), &grid);
            gw_poly_multiply(&product, &block, &grid);
            gw_poly_add(&room, 1, NULL, &product);
            threads = gw_poly_is_constant(&room, &most) && most >= (int64_t)1 << 30;
        }
        if (!threads) return false;
    }
    return !(assumed & ((1u << GW_ASSUME_LENGTHS) - 1));
}

/* ---- cells ---- */
static bool set_scale(gw_shift *s, unsigned axis, const gw_poly *scale, bool first) {
    if (first) s->axis[axis].scale = *scale;
    return scale->count && gw_poly_uniform(s->n, scale) &&
           (first || gw_poly_equal(scale, &s->axis[axis].scale));
}

/* Index = scales * numbers + rest + k*per..., of which the rest is the same in the grid. */
static bool split_index(gw_shift *s, const gw_shift_add *a, gw_poly *rest, gw_poly per[GW_SHIFT_LOOPS],
                        bool first) {
    const gw_func *f = s->f;
    gw_context *c = gw_normal_context(s->n, gw_op_at(f, a->add)->parent);
    gw_number index, number;
    gw_normal_exact(s->n, c, gw_operand(f, a->add, 0), &index);
    if (index.bits || !is_checked(s, index.assumed)) return false;
    *rest = index.poly;
    for (unsigned axis = 0; axis < 3; axis++) {
        gw_poly probe = *rest, scale, share;
        if (!s->has[axis]) continue;
        gw_normal_exact(s->n, c, s->axis[axis].index, &number);
        take_out(&probe, gw_atom_special(GW_THREAD_IDX, axis), &scale);
        if (number.bits || !is_checked(s, number.assumed) || !set_scale(s, axis, &scale, first)) return false;
        s->axis[axis].value = number.poly;
        gw_poly_multiply(&share, &scale, &number.poly);
        gw_poly_add(rest, -1, NULL, &share);
    }
    for (uint32_t i = 0; i < a->loops; i++) {
        gw_atom_data trip = {.kind = GW_ATOM_TRIP, .value = a->loop[i]};
        for (uint32_t k = 1; k < s->n->atoms.count; k++)
            if (s->n->atoms.at[k].kind == GW_ATOM_TRIP && s->n->atoms.at[k].value == trip.value)
                take_out(rest, (gw_atom)k, &per[i]);
    }
    return gw_poly_uniform(s->n, rest);
}

void gw_shift_reach(const gw_shift *s, const gw_shift_add *a, unsigned axis, int64_t *low, int64_t *high) {
    *low = *high = a->by[axis];
    for (uint32_t i = 0; i < a->loops; i++) {
        int64_t far = a->per[i][axis] * (gw_shift_trips(s->f, a->loop[i]) - 1);
        *(far < 0 ? low : high) += far;
    }
}

/* Conditions say that no thread has a cell so far below the first's. */
static bool stays_above(const gw_shift *s, const gw_shift_add *a, unsigned axis, int64_t low) {
    gw_context *c = gw_normal_context(s->n, gw_op_at(s->f, a->add)->parent);
    gw_poly p = s->axis[axis].value;
    uint64_t assumed = 0;
    gw_poly_add_constant(&p, low);
    return gw_prove_nonnegative(s->n, &c->facts, &p, &assumed) && is_checked(s, assumed);
}

static void set_reach(gw_shift *s) {
    for (uint32_t i = 0; i < s->adds.count; i++)
        for (unsigned axis = 0; axis < 3; axis++) {
            int64_t low, high;
            gw_shift_reach(s, &s->adds.at[i], axis, &low, &high);
            if (high > s->axis[axis].most) s->axis[axis].most = high;
            if (s->has[axis] && low < s->axis[axis].least && !stays_above(s, &s->adds.at[i], axis, low))
                s->axis[axis].least = low;
        }
}

static bool find_shifts(gw_shift *s) {
    GW_VEC(gw_poly) rests = {0};
    bool good = true;
    for (uint32_t i = 0; i < s->adds.count && good; i++) {
        gw_shift_add *a = &s->adds.at[i];
        gw_poly rest, per[GW_SHIFT_LOOPS];
        for (uint32_t k = 0; k < GW_SHIFT_LOOPS; k++) gw_poly_zero(&per[k]);
        good = split_index(s, a, &rest, per, i == 0);
        for (uint32_t k = 0; k < a->loops && good; k++)
            good = gw_poly_uniform(s->n, &per[k]) && in_scales(s, per[k], a->per[k]);
        gw_push(&rests, rest);
    }
    uint32_t centre = 0; /* x[i] itself, if it is there */
    for (uint32_t i = 1; i < rests.count; i++)
        if (rests.at[i].count < rests.at[centre].count) centre = i;
    for (uint32_t i = 0; i < s->adds.count && good; i++) {
        gw_poly from = rests.at[i];
        gw_poly_add(&from, -1, NULL, &rests.at[centre]);
        good = in_scales(s, from, s->adds.at[i].by);
    }
    gw_vec_free(&rests);
    return good;
}

/* ---- what an addition is made of ---- */
typedef struct slice {
    const gw_shift *s;
    const gw_shift_add *a;
    bool *needed;
} slice;

/* Read by each thread, and by each iteration around it, before it is zeroed there, and nowhere else. */
static bool is_consumed(const gw_func *f, gw_op load) {
    for (gw_op up = gw_op_around(f, load); up; up = gw_op_around(f, up))
        if (gw_is_loop(f, up) &&
            (gw_index_count(f, load) != 1 || !gw_tells_iteration(f, up, gw_operand(f, load, 0))))
            return false;
    return gw_gather_is_read_first(f, load);
}

static bool is_readable(const gw_shift *s, gw_op load) {
    const gw_op_data *o = gw_op_at(s->f, load);
    gw_object_kind kind = gw_object_at(s->f, o->object)->kind;
    if (kind != GW_OBJECT_POINTER && kind != GW_OBJECT_STRUCT && kind != GW_OBJECT_GLOBAL) return false;
    return !s->changing[o->object] || is_consumed(s->f, load);
}

static bool need(slice *n, gw_value v);

/* What a branch yields; other things that are done there are left out (gather/shift_kernel.c). */
static bool need_branch(slice *n, gw_op op) {
    const gw_func *f = n->s->f;
    bool good = need(n, gw_operand(f, op, 0));
    for (uint32_t i = 0; i < 2; i++) {
        gw_op end = gw_region_end(f, gw_op_at(f, op)->region[i]);
        n->needed[end] = true;
        for (uint32_t k = 0; k < gw_op_at(f, end)->operands; k++) good = good && need(n, gw_operand(f, end, k));
    }
    return good;
}

static bool need_op(slice *n, gw_op op) {
    const gw_func *f = n->s->f;
    const gw_op_data *o = gw_op_at(f, op);
    if (n->needed[op]) return true;
    n->needed[op] = true;
    if (o->code == GW_OP_IF) return need_branch(n, op);
    bool place = o->code == GW_OP_SPECIAL && o->attr / 4 < GW_BLOCK_DIM,
         control = o->regions || o->code == GW_OP_YIELD;
    if (o->code == GW_OP_LOAD ? !is_readable(n->s, op)
                              : place || (gw_op_rows[o->code].effect != GW_EFFECT_PURE && !control))
        return false;
    for (uint32_t i = 0; i < o->operands; i++)
        if (!need(n, gw_operand(f, op, i))) return false;
    for (uint32_t i = 0; i < o->regions; i++)
        for (gw_op in = gw_first(f, o->region[i]); in; in = gw_next(f, in))
            if (!need_op(n, in)) return false;
    return true;
}

static bool need(slice *n, gw_value v) {
    const gw_func *f = n->s->f;
    for (unsigned axis = 0; axis < 3; axis++)
        if (n->s->has[axis] && v == n->s->axis[axis].index) return true;
    gw_op op = gw_value_at(f, v)->op;
    if (op) return need_op(n, op);
    gw_region r = gw_value_at(f, v)->region;
    if (r == f->entry) return true;
    if (gw_shift_is_inner(n->a, gw_region_at(f, r)->parent)) return gw_value_at(f, v)->index == 0;
    return n->needed[gw_region_at(f, r)->parent];
}

bool gw_shift_slice(const gw_shift *s, const gw_shift_add *a, bool *needed) {
    const gw_func *f = s->f;
    slice n = {s, a, needed};
    bool good = true;
    for (uint32_t i = 0; i < gw_op_at(f, a->add)->operands; i++)
        good = good && need(&n, gw_operand(f, a->add, i));
    for (gw_op up = gw_op_around(f, a->add); up && good; up = gw_op_around(f, up))
        if (gw_op_at(f, up)->code == GW_OP_IF) good = need(&n, gw_operand(f, up, 0));
    for (gw_op up = gw_op_around(f, a->add); up && good; up = gw_op_around(f, up))
        good = !needed[up]; /* nothing uses what it yields */
    return good;
}

/* ---- whether it pays ---- */
static double work_of(const gw_func *f, const bool *needed) {
    double work = 0;
    for (gw_op op = 1; op < f->ops.count; op++) {
        double times = 1;
        if (!needed[op] || gw_op_at(f, op)->dead) continue;
        for (gw_op up = gw_op_around(f, op); up; up = gw_op_around(f, up))
            if (gw_is_loop(f, up) && needed[up]) times *= gw_cost_trips(f, up);
        work += times * (gw_op_at(f, op)->code == GW_OP_LOAD ? LOAD : gw_cost_of_op(f, op));
    }
    return work;
}

static bool pays(const gw_shift *s) {
    const gw_func *f = s->f;
    double count = 0, work = 0;
    bool good = true,
         asked = gw_asked_rung_at(f, s->adds.at[0].add) == GW_RUNG_GATHER || f->session->options.deterministic;
    for (uint32_t i = 0; i < s->adds.count && good; i++) {
        bool *needed = gw_alloc(f->ops.count + 1);
        double times = 1;
        for (uint32_t k = 0; k < s->adds.at[i].loops; k++)
            times *= (double)gw_shift_trips(f, s->adds.at[i].loop[k]);
        good = gw_shift_slice(s, &s->adds.at[i], needed);
        count += times;
        work += times * work_of(f, needed);
        free(needed);
    }
    return good && (asked ? count >= FEWEST_ASKED : work + OWN_KERNEL <= MOST_WORK * count);
}

/* ---- all together ---- */
static bool collect(gw_shift *s) {
    const gw_func *f = s->f;
    gw_str path = 0;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead || o->object != s->object) continue;
        gw_rung rung = o->code == GW_OP_ACCUM ? gw_asked_rung_at(f, op) : GW_RUNG_ATOMIC;
        if (o->attr != GW_ACCUMULATE_UNDECIDED || (rung != GW_RUNG_AUTO && rung != GW_RUNG_GATHER))
            return false;
        if (gw_index_count(f, op) != 1 || (path && o->path != path) || s->adds.count == MOST_ADDS) return false;
        path = o->path;
        gw_push(&s->adds, ((gw_shift_add){.add = op}));
    }
    return s->adds.count && gw_object_at(f, s->object)->kind == GW_OBJECT_POINTER;
}

static bool has_axis(gw_shift *s, unsigned axis) {
    gw_shift_axis *x = &s->axis[axis];
    s->has[axis] = is_looked_at(s->f, axis);
    if (!s->has[axis]) return true;
    x->index = x->number = find_number(s->f, axis);
    return x->number != 0;
}

bool gw_shift_find(gw_shift *s, const gw_func *f, gw_object object) {
    *s = (gw_shift){.f = f, .object = object};
    if (!collect(s)) return false;
    for (unsigned axis = 0; axis < 3; axis++)
        if (!has_axis(s, axis)) return false;
    for (uint32_t i = 0; i < s->adds.count; i++)
        if (!find_loops(s, &s->adds.at[i])) return false;
    s->changing = gw_changing_objects(f);
    s->n = gw_normal_new(f);
    if (!find_shifts(s) || !pays(s)) return false;
    set_reach(s);
    return true;
}

void gw_shift_free(gw_shift *s) {
    free(s->changing);
    if (s->n) gw_normal_free(s->n);
    gw_vec_free(&s->adds);
}
