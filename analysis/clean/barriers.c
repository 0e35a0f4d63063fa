/*
 * barriers.c - barriers stand where all threads of a block come (contract: clean.h).
 *
 * `if (i >= n) return;` before a barrier leaves threads that do not come to it; CUDA lets barriers count
 * without them. In a derivative they would be missing where the reverse sweep meets, so they stay: what the
 * others still do is an `if` that the front end has marked (GW_OP_REST), and here its barriers, and the
 * branches and loops around them, move out of it. What stands between them is guarded piece by piece:
 *
 *     if (alive) { A; barrier; B }      becomes      if (alive) { A }  barrier;  if (alive) { B }
 *
 * Values that leave a piece are zero in the threads that have returned, and so is what they vote (of an `and`,
 * 1). What decides about a barrier - conditions, bounds, breaks - is computed by all threads: it may be made of
 * pure ops (no integer division by what may be 0 there) and of what a barrier returned, and the check for
 * uniformity then holds for the threads that have returned as well.
 */
#include "analysis/clean/clean.h"

#include "analysis/facts/facts.h"
#include "analysis/ir/diagnostics.h"
#include "analysis/ir/passes.h"
#include "analysis/ir/restructure.h"

#include <stdlib.h>

typedef struct rest {
    gw_func *f;
    gw_region within; /* values from outside of it are there in all threads */
    bool *everywhere; /* by op: runs in all threads, those that have returned included */
    bool *asked;      /* by value */
    gw_op missing;    /* op that only the threads run that have not returned, and that a barrier depends on */
} rest;

typedef struct op_list {
    gw_op *at;
    uint32_t count, room;
} op_list;

/* ---- what all threads compute ---- */
static void ask(rest *r, gw_value v);

static void ask_carried(rest *r, gw_op loop, uint32_t i) {
    gw_func *f = r->f;
    ask(r, gw_loop_init(f, loop, i));
    ask(r, gw_loop_next(f, loop, i));
}

/* C leaves open, or a machine refuses, what it does for some operands. */
static bool is_safe(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    int64_t divisor;
    if (gw_op_rows[o->code].effect != GW_EFFECT_PURE) return false;
    if ((o->code != GW_OP_DIV && o->code != GW_OP_REM) || gw_type_is_float(gw_typeof(f, o->first_result)))
        return true;
    return gw_const_int(f, gw_operand(f, op, 1), &divisor) && divisor;
}

static bool is_safe_branch(const gw_func *f, gw_op op) {
    bool safe = gw_op_at(f, op)->code == GW_OP_IF;
    for (uint32_t i = 0; safe && i < gw_op_at(f, op)->regions; i++)
        for (gw_op in = gw_first(f, gw_op_at(f, op)->region[i]); in && safe; in = gw_next(f, in))
            safe = gw_op_at(f, in)->code == GW_OP_YIELD || is_safe(f, in) || is_safe_branch(f, in);
    return safe;
}

/* What the op computes from, and ops inside it compute from that stand outside. */
static void ask_operands(rest *r, gw_op op) {
    gw_func *f = r->f;
    for (gw_op in = op; in; in = gw_walk_op(f, in, op))
        for (uint32_t i = 0; i < gw_op_at(f, in)->operands; i++) {
            gw_value v = gw_operand(f, in, i);
            if (in == op || gw_value_visible(f, v, gw_op_at(f, op)->parent)) ask(r, v);
        }
}

static void ask(rest *r, gw_value v) {
    gw_func *f = r->f;
    const gw_value_data *d = gw_value_at(f, v);
    if (r->asked[v] || !gw_region_inside(f, gw_value_region(f, v), r->within)) return;
    r->asked[v] = true;
    if (!d->op) {
        gw_op loop = gw_region_at(f, d->region)->parent;
        uint32_t fixed = d->region == gw_loop_body(f, loop) ? gw_loop_first_arg(f, loop) : 0;
        if (d->index >= fixed) ask_carried(r, loop, d->index - fixed);
        return;
    }
    const gw_op_data *o = gw_op_at(f, d->op);
    if (o->code == GW_OP_BARRIER) return;
    if (is_safe(f, d->op) || is_safe_branch(f, d->op)) {
        r->everywhere[d->op] = true;
        ask_operands(r, d->op);
    } else if (gw_holds_block_barrier(f, d->op) && gw_is_loop(f, d->op)) {
        ask_carried(r, d->op, d->index);
    } else if (gw_holds_block_barrier(f, d->op)) {
        for (uint32_t i = 0; i < o->regions; i++) ask(r, gw_yielded(f, o->region[i], d->index));
    } else if (!r->missing) {
        r->missing = d->op;
    }
}

/* What decides about the barriers in the region. */
static void ask_control(rest *r, gw_region region) {
    gw_func *f = r->f;
    for (gw_op op = gw_first(f, region); op; op = gw_next(f, op)) {
        const gw_op_data *o = gw_op_at(f, op);
        if (!o->regions || !gw_holds_block_barrier(f, op)) continue;
        for (uint32_t i = 0; o->code == GW_OP_FOR && i < 3; i++) ask(r, gw_operand(f, op, i));
        if (o->code == GW_OP_IF && !(o->flags & GW_OP_REST)) ask(r, gw_operand(f, op, 0));
        if (o->code == GW_OP_WHILE) ask(r, gw_loop_test(f, op));
        if (o->flags & GW_OP_EXIT) ask(r, gw_loop_flag(f, op));
        for (uint32_t i = 0; i < o->regions; i++) ask_control(r, o->region[i]);
    }
}

/* ---- pieces ---- */
static bool used_outside(const gw_func *f, gw_value v, gw_region inside) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        for (uint32_t i = 0; !o->dead && i < o->operands; i++)
            if (gw_operand(f, op, i) == v && !gw_region_inside(f, o->parent, inside)) return true;
    }
    return false;
}

static void rename_outside(gw_func *f, gw_value from, gw_value to, gw_region inside) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        for (uint32_t i = 0; !o->dead && i < o->operands; i++)
            if (gw_operand(f, op, i) == from && !gw_region_inside(f, o->parent, inside))
                gw_set_operand(f, op, i, to);
    }
}

/* The ops in an `if (guard)` at the builder; what leaves them is zero where it does not run. */
static void put_piece(gw_builder *b, gw_value guard, op_list *piece) {
    gw_func *f = b->f;
    if (!piece->count) return;
    b->loc = gw_op_at(f, piece->at[0])->loc;
    gw_op branch = gw_emit(b, GW_OP_IF, GW_T_VOID, 0, &guard, 1);
    gw_region side[2] = {gw_region_new(f, branch), gw_region_new(f, branch)};
    op_list values = {0}, zeros = {0};
    gw_builder other = {f, side[1], 0, b->loc};
    for (uint32_t i = 0; i < piece->count; i++) gw_op_move(f, piece->at[i], side[0], 0);
    for (uint32_t i = 0; i < piece->count; i++)
        for (uint32_t k = 0; k < gw_op_at(f, piece->at[i])->results; k++) {
            gw_value v = gw_result(f, piece->at[i], k);
            if (!used_outside(f, v, side[0])) continue;
            gw_push(&values, v);
            gw_push(&zeros, gw_zero(&other, gw_typeof(f, v)));
        }
    for (uint32_t i = 0; i < values.count; i++) {
        gw_value_data d = *gw_value_at(f, values.at[i]);
        rename_outside(f, values.at[i], gw_op_add_result(f, branch, d.type, d.name), side[0]);
    }
    gw_yield(&(gw_builder){f, side[0], 0, b->loc}, values.at, values.count);
    gw_yield(&other, zeros.at, zeros.count);
    gw_vec_free(&values);
    gw_vec_free(&zeros);
    piece->count = 0;
}

static void list_ops(const gw_func *f, gw_region r, op_list *list) {
    gw_op end = gw_region_end(f, r);
    for (gw_op op = gw_first(f, r); op && op != end; op = gw_next(f, op)) gw_push(list, op);
}

static void spread(rest *r, gw_region from, gw_builder *b, gw_value guard);

/* The rest of threads that return in the rest: ops of both sides, and the results out of them. */
static void spread_rest(rest *r, gw_op branch, gw_builder *b, gw_value guard) {
    gw_func *f = r->f;
    uint32_t side = gw_region_holds_block_barrier(f, gw_op_at(f, branch)->region[0]) ? 0 : 1;
    gw_region living = gw_op_at(f, branch)->region[side], left = gw_op_at(f, branch)->region[1 - side];
    gw_value condition = gw_operand(f, branch, 0);
    b->loc = gw_op_at(f, branch)->loc;
    gw_value alive = side == 0 ? condition : gw_unary(b, GW_OP_NOT, condition);
    if (guard) alive = gw_binary(b, GW_OP_AND, guard, alive);
    if (!gw_value_at(f, alive)->name) gw_value_at(f, alive)->name = gw_intern(f->session, "alive");
    gw_value gone = gw_unary(b, GW_OP_NOT, alive);
    if (guard) gone = gw_binary(b, GW_OP_AND, guard, gone);
    op_list piece = {0};
    list_ops(f, left, &piece);
    put_piece(b, gone, &piece);
    gw_vec_free(&piece);
    spread(r, living, b, alive);
    gw_op ends[2] = {gw_region_end(f, living), gw_region_end(f, left)};
    for (uint32_t i = 0; i < gw_op_at(f, branch)->results; i++) {
        gw_value v = gw_select(b, alive, gw_operand(f, ends[0], i), gw_operand(f, ends[1], i));
        gw_replace_uses(f, gw_result(f, branch, i), v);
    }
    gw_op_remove(f, branch);
}

/* Made in a piece of the guard: zero where that did not run. */
static bool is_guarded(const gw_func *f, gw_value v, gw_value guard) {
    gw_op op = gw_value_at(f, v)->op;
    int64_t otherwise;
    if (!op || gw_op_at(f, op)->code != GW_OP_IF || gw_operand(f, op, 0) != guard) return false;
    gw_op end = gw_region_end(f, gw_op_at(f, op)->region[1]);
    return gw_const_int(f, gw_operand(f, end, gw_value_at(f, v)->index), &otherwise) && !otherwise;
}

/* A thread that has returned votes as if it were not there. */
static void put_barrier(gw_builder *b, gw_op barrier, gw_value guard) {
    gw_func *f = b->f;
    bool all = gw_op_at(f, barrier)->attr == GW_BARRIER_AND;
    gw_value vote = gw_op_at(f, barrier)->attr == GW_BARRIER_PLAIN ? 0 : gw_operand(f, barrier, 0);
    if (vote && (all || !is_guarded(f, vote, guard)))
        gw_set_operand(f, barrier, 0, gw_select(b, guard, vote, gw_int(b, GW_T_I32, all)));
    gw_op_move(f, barrier, b->region, b->before);
}

/* Ops of a region to the builder, which may stand at its end: barriers and what holds them for all threads, the
 * rest for those of the guard. */
static void spread(rest *r, gw_region from, gw_builder *b, gw_value guard) {
    gw_func *f = r->f;
    op_list list = {0}, piece = {0};
    list_ops(f, from, &list);
    for (uint32_t i = 0; i < list.count; i++) {
        gw_op op = list.at[i];
        if (r->everywhere[op] || gw_op_at(f, op)->code == GW_OP_DECLARE) { /* an array is there in all pieces */
            gw_op_move(f, op, b->region, b->before);
        } else if (!gw_holds_block_barrier(f, op)) {
            gw_push(&piece, op);
        } else {
            put_piece(b, guard, &piece);
            if (gw_op_at(f, op)->code == GW_OP_BARRIER) {
                put_barrier(b, op, guard);
            } else if (gw_op_at(f, op)->flags & GW_OP_REST) {
                spread_rest(r, op, b, guard);
            } else {
                gw_op_move(f, op, b->region, b->before);
                for (uint32_t k = gw_op_at(f, op)->code == GW_OP_WHILE; k < gw_op_at(f, op)->regions; k++) {
                    gw_region inner = gw_op_at(f, op)->region[k];
                    spread(r, inner, &(gw_builder){f, inner, gw_region_end(f, inner), b->loc}, guard);
                }
            }
        }
    }
    put_piece(b, guard, &piece);
    gw_vec_free(&list);
    gw_vec_free(&piece);
}

/* ---- messages ---- */
static gw_op first_barrier(const gw_func *f, gw_op op) {
    if (gw_op_at(f, op)->code == GW_OP_BARRIER) return op;
    for (uint32_t i = 0; i < gw_op_at(f, op)->regions; i++)
        for (gw_op in = gw_first(f, gw_op_at(f, op)->region[i]); in; in = gw_next(f, in))
            if (gw_holds_block_barrier(f, in)) return first_barrier(f, in);
    return 0;
}

static void say_divergent(const gw_func *f, gw_op barrier, gw_op cause, const char *how) {
    const char *what = "the value of";
    if (gw_op_at(f, cause)->regions) what = "the branch at";
    if (gw_is_loop(f, cause)) what = "the loop at";
    char *text = gw_format("%s line %u %s", what, gw_op_at(f, cause)->loc.line, how);
    gw_diag(f->session, GW_DIAG_DIVERGENT_BARRIER, gw_op_at(f, barrier)->loc, text);
    free(text);
}

/* ---- the two entries ---- */
static bool leave_rest(gw_func *f, gw_op branch) {
    rest r = {.f = f, .everywhere = gw_alloc(f->ops.count + 1), .asked = gw_alloc(f->values.count + 1)};
    for (uint32_t i = 0; i < 2; i++) {
        r.within = gw_op_at(f, branch)->region[i];
        ask_control(&r, r.within);
    }
    if (r.missing)
        say_divergent(f, first_barrier(f, branch), r.missing,
                      "decides it, which threads that have returned do not compute");
    if (!r.missing)
        spread_rest(&r, branch, &(gw_builder){f, gw_op_at(f, branch)->parent, branch, gw_op_at(f, branch)->loc},
                    0);
    free(r.everywhere);
    free(r.asked);
    return !r.missing;
}

/* The outermost branch that threads leave on one side, and that has barriers on the other only. */
static gw_op find_rest(const gw_func *f, const gw_uniform *u, gw_region r) {
    for (gw_op op = gw_first(f, r); op; op = gw_next(f, op)) {
        const gw_op_data *o = gw_op_at(f, op);
        if (!o->regions || !gw_holds_block_barrier(f, op)) continue;
        bool one_sided = o->code == GW_OP_IF && !(gw_region_holds_block_barrier(f, o->region[0]) &&
                                                  gw_region_holds_block_barrier(f, o->region[1]));
        if (o->flags & GW_OP_REST && one_sided && gw_uniform_control(u, op) > GW_UNIFORM_BLOCK) return op;
        for (uint32_t i = 0; i < o->regions; i++) {
            gw_op found = find_rest(f, u, o->region[i]);
            if (found) return found;
        }
    }
    return 0;
}

/* Lanes that have returned wait at a barrier of the reverse sweep while the others would wait for them in the
 * warp. */
static bool refuse_left_warps(const gw_func *f) {
    gw_uniform u;
    bool good = true;
    gw_uniform_new(&u, f);
    for (gw_op op = 1; op < f->ops.count && good; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead || (o->code != GW_OP_WARP && o->code != GW_OP_SYNCWARP)) continue;
        for (gw_op at = op; good && (at = gw_op_around(f, at)) != 0;)
            good = !(gw_op_at(f, at)->flags & GW_OP_REST) || gw_uniform_control(&u, at) <= GW_UNIFORM_BLOCK;
        if (!good)
            gw_diag(f->session, GW_DIAG_UNSUPPORTED, o->loc,
                    "an operation of a warp that threads have returned from, in a kernel with barriers,",
                    "let all threads come to it, those that have nothing to do with neutral values");
    }
    gw_uniform_free(&u);
    return good;
}

bool gw_barriers_leave_rests(gw_func *f) {
    bool good = !gw_region_holds_block_barrier(f, f->entry) || refuse_left_warps(f);
    for (gw_op branch = 1; branch && good && gw_region_holds_block_barrier(f, f->entry);) {
        gw_uniform u;
        gw_uniform_new(&u, f);
        branch = find_rest(f, &u, f->entry);
        gw_uniform_free(&u);
        if (branch) good = leave_rest(f, branch);
    }
    for (gw_op op = 1; op < f->ops.count; op++) gw_op_at(f, op)->flags &= (uint16_t)~GW_OP_REST;
    return good;
}

bool gw_barriers_check(const gw_func *f) {
    gw_uniform u;
    bool good = true;
    gw_uniform_new(&u, f);
    for (gw_op op = 1; op < f->ops.count && good; op++) {
        if (gw_op_at(f, op)->dead || gw_op_at(f, op)->code != GW_OP_BARRIER) continue;
        gw_op cause = gw_uniform_divergence(&u, op);
        if (cause)
            say_divergent(f, op, cause,
                          gw_is_loop(f, cause) ? "may run differently often in them"
                                               : "may go both ways in them");
        good = !cause;
    }
    gw_uniform_free(&u);
    return good;
}

bool gw_pass_barriers(gw_run *run) {
    bool good = true;
    for (uint32_t i = 0; i < run->session->funcs.count; i++) {
        const gw_func *f = run->session->funcs.at[i];
        if (f->form == GW_FORM_PRIMAL && f->kind == GW_FUNC_KERNEL) good &= gw_barriers_check(f);
    }
    return good;
}
