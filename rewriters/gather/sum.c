/*
 * gather/sum.c - the last step of gathering what neighbouring threads add: one addition of a sum in place of
 * several (contract: gather_private.h; the kernel: gather/shift_kernel.c).
 *
 * Requires a gathering kernel behind ownership, whose additions to an object all reach one cell at one position
 * and are all proved the thread's own. Each branch around an addition yields what would be added and whether it
 * would, each loop of constant bounds sums that up, and behind them stands
 *
 *     if (any) d_x[cell] += sum;
 *
 * Sound: the same values are summed in the same order, only not in memory, where nobody else looks. The cell is
 * that of one of the additions, computed again in 64 bits from the position: its index is a polynomial in the
 * position (gather/shift.c), whose value the others' indices have, too, and that has no room to wrap around;
 * where nobody adds it is not used. If that cannot be done, the additions stay as they are.
 */
#include "analysis/ir/reasons.h"
#include "analysis/ir/rungs.h"
#include "rewriters/motion/motion.h"
#include "analysis/clean/clean.h"
#include "analysis/ir/passes.h"
#include "rewriters/gather/gather_private.h"
#include "analysis/ownership/ownership.h"
#include "analysis/ir/restructure.h"

#include <stdlib.h>

typedef struct summing {
    gw_func *f;
    gw_object object;
    gw_type type;
    gw_region region; /* what is done at a position */
    gw_op last;       /* behind the additions */
    gw_op model;      /* the addition whose cell is computed */
    gw_uniform uniform;
    gw_value_map fixed; /* indices of inner loops: their first */
} summing;

/* Inside of the loops over positions, whose steps are numbers of threads. */
static gw_region find_position(const gw_func *f, gw_region r) {
    gw_op only = 0;
    int64_t step;
    for (gw_op op = gw_first(f, r); op; op = gw_next(f, op)) {
        if (!gw_has_op(f, op, GW_OP_ACCUM)) continue;
        if (only || gw_op_at(f, op)->code != GW_OP_FOR || gw_const_int(f, gw_operand(f, op, 2), &step))
            return r;
        only = op;
    }
    return only ? find_position(f, gw_loop_body(f, only)) : r;
}

/* ---- the cell ---- */
static void fix_loops(summing *s, gw_op add) {
    const gw_func *f = s->f;
    for (gw_region r = gw_op_at(f, add)->parent; r != s->region; r = gw_region_outside(f, r)) {
        gw_op up = gw_region_at(f, r)->parent;
        if (gw_op_at(f, up)->code == GW_OP_FOR)
            gw_map_set(&s->fixed, gw_arg(f, gw_loop_body(f, up), 0), gw_operand(f, up, 0));
    }
}

static gw_value wide(summing *s, gw_builder *b, gw_value v) {
    gw_func *f = s->f;
    gw_op op = v < s->fixed.count && gw_map_get(&s->fixed, v) ? 0 : gw_value_at(f, v)->op;
    bool uniform = op && s->uniform.value[v] == GW_UNIFORM_GRID;
    if (!op || uniform) {
        gw_value here = gw_value_outside(b, v, &s->fixed);
        return here ? gw_cast(b, GW_T_I64, here) : 0;
    }
    if (gw_value_region(f, v) != s->region && gw_value_visible(f, v, s->region)) return gw_cast(b, GW_T_I64, v);
    gw_opcode code = (gw_opcode)gw_op_at(f, op)->code;
    if (!gw_type_is_integer(gw_typeof(f, v)) || (code != GW_OP_CAST && code != GW_OP_ADD && code != GW_OP_SUB &&
                                                 code != GW_OP_MUL && code != GW_OP_NEG))
        return 0;
    gw_value x = gw_operand(f, op, 0), y = gw_op_at(f, op)->operands > 1 ? gw_operand(f, op, 1) : 0;
    if (code == GW_OP_CAST && !gw_type_is_integer(gw_typeof(f, x))) return 0;
    gw_value wx = wide(s, b, x), wy = y ? wide(s, b, y) : 0;
    if (!wx || (y && !wy)) return 0;
    if (code == GW_OP_CAST) return wx;
    return code == GW_OP_NEG ? gw_unary(b, GW_OP_NEG, wx) : gw_binary(b, code, wx, wy);
}

/* The number of ops, counted with repetitions, of which the index at the position is made. */
static uint32_t size_of(const summing *s, gw_value v) {
    enum { LARGE = 1000 };
    const gw_func *f = s->f;
    gw_op op = gw_value_at(f, v)->op;
    if (!op || s->uniform.value[v] == GW_UNIFORM_GRID ||
        (gw_value_region(f, v) != s->region && gw_value_visible(f, v, s->region)))
        return 0;
    uint32_t size = 1;
    for (uint32_t i = 0; i < gw_op_at(f, op)->operands && size < LARGE; i++)
        size += size_of(s, gw_operand(f, op, i));
    return size;
}

/* ---- conditions inside of conditions ---- */
/* The one op of the region that adds, if it is a branch of which one side does; *side is that. */
static gw_op only_branch(const gw_func *f, gw_region r, uint32_t *side) {
    gw_op only = 0;
    for (gw_op op = gw_first(f, r); op; op = gw_next(f, op)) {
        if (!gw_has_op(f, op, GW_OP_ACCUM)) continue;
        if (only || gw_op_at(f, op)->code != GW_OP_IF || gw_op_at(f, op)->results) return 0;
        only = op;
    }
    bool sides[2] = {false, false};
    for (uint32_t i = 0; i < 2 && only; i++)
        for (gw_op in = gw_first(f, gw_op_at(f, only)->region[i]); in; in = gw_next(f, in))
            sides[i] |= gw_has_op(f, in, GW_OP_ACCUM);
    *side = sides[0] ? 0 : 1;
    return sides[0] && sides[1] ? 0 : only;
}

static void move_ops(gw_func *f, gw_region from, gw_region to) {
    for (gw_op op = gw_first(f, from), next; op && gw_op_at(f, op)->code != GW_OP_YIELD; op = next) {
        next = gw_next(f, op);
        gw_op_move(f, op, to, 0);
    }
}

/* if (a) { p = ...; if (b(p)) { adds } } becomes p = ...; if (a && b(p)) { adds }, where p is integer
 * arithmetic: loads of several such branches then need not wait for each other. */
static gw_op flatten(gw_func *f, gw_op outer) {
    uint32_t side, inner_side;
    gw_region r = gw_op_at(f, outer)->parent;
    gw_op again = only_branch(f, gw_op_at(f, outer)->region[0], &inner_side);
    side = again ? 0 : 1;
    if (!again) again = only_branch(f, gw_op_at(f, outer)->region[1], &inner_side);
    if (!again || gw_op_at(f, outer)->results) return outer;
    gw_builder b = {f, r, outer, gw_op_at(f, outer)->loc};
    gw_value inner = gw_value_outside(&b, gw_operand(f, again, 0), NULL), first = gw_operand(f, outer, 0);
    if (!inner) return outer;
    if (side) first = gw_unary(&b, GW_OP_NOT, first);
    if (inner_side) inner = gw_unary(&b, GW_OP_NOT, inner);
    gw_value all = gw_binary(&b, GW_OP_AND, first, inner);
    gw_op made = gw_emit(&b, GW_OP_IF, GW_T_VOID, 0, &all, 1);
    for (uint32_t i = 0; i < 2; i++) {
        gw_builder in = {f, gw_region_new(f, made), 0, b.loc};
        if (i == 0) {
            gw_region inside = gw_op_at(f, again)->region[inner_side],
                      around = gw_op_at(f, outer)->region[side];
            gw_op_move(f, again, in.region, 0);
            move_ops(f, around, in.region);
            gw_op_move(f, again, in.region, 0);
            move_ops(f, inside, in.region);
            gw_op_remove(f, again);
        }
        gw_yield(&in, NULL, 0);
    }
    gw_op_remove(f, outer);
    return flatten(f, made);
}

/* ---- sums ---- */
typedef struct share {
    gw_value sum, any; /* 0: nothing is added */
} share;

static share none_of(const summing *s, gw_builder *b) {
    return (share){gw_real(b, s->type, 0), gw_int(b, GW_T_BOOL, 0)};
}

static share both(gw_builder *b, share x, share y) {
    if (!x.sum || !y.sum) return x.sum ? x : y;
    return (share){gw_binary(b, GW_OP_ADD, x.sum, y.sum), gw_binary(b, GW_OP_OR, x.any, y.any)};
}

static share pull(summing *s, gw_region r);

static share pull_branch(summing *s, gw_op *branch) {
    gw_func *f = s->f;
    gw_value mine[2][2];
    int64_t always;
    *branch = flatten(f, *branch);
    for (uint32_t i = 0; i < 2; i++) {
        gw_region side = gw_op_at(f, *branch)->region[i];
        share got = pull(s, side);
        gw_builder b = {f, side, gw_region_end(f, side), gw_op_at(f, *branch)->loc};
        if (!got.sum) got = none_of(s, &b);
        mine[i][0] = got.sum, mine[i][1] = got.any;
    }
    uint32_t had = gw_op_at(f, *branch)->results;
    gw_value condition = gw_operand(f, *branch, 0);
    bool tells =
        gw_const_int(f, mine[0][1], &always) && always && gw_const_int(f, mine[1][1], &always) && !always;
    *branch = gw_if_rebuild(f, *branch, NULL, mine[0], mine[1], tells ? 1 : 2);
    return (share){gw_result(f, *branch, had), tells ? condition : gw_result(f, *branch, had + 1)};
}

static share pull_loop(summing *s, gw_op *loop) {
    gw_func *f = s->f;
    gw_builder b = {f, gw_op_at(f, *loop)->parent, *loop, gw_op_at(f, *loop)->loc};
    share from = none_of(s, &b);
    uint32_t had = gw_loop_carried(f, *loop);
    *loop = gw_loop_rebuild(f, *loop, NULL, (gw_value[]){from.sum, from.any}, 2);
    gw_region body = gw_loop_body(f, *loop);
    uint32_t arg = gw_loop_first_arg(f, *loop) + had, out = gw_loop_first_yield(f, *loop) + had;
    share got = pull(s, body);
    b = (gw_builder){f, body, gw_region_end(f, body), gw_op_at(f, *loop)->loc};
    got = both(&b, (share){gw_arg(f, body, arg), gw_arg(f, body, arg + 1)}, got);
    gw_set_operand(f, gw_region_end(f, body), out, got.sum);
    gw_set_operand(f, gw_region_end(f, body), out + 1, got.any);
    return (share){gw_result(f, *loop, had), gw_result(f, *loop, had + 1)};
}

/* What the region adds, at its end. */
static share pull(summing *s, gw_region r) {
    gw_func *f = s->f;
    share all = {0, 0};
    for (gw_op op = gw_first(f, r), next; op; op = next) {
        next = gw_next(f, op);
        if (!gw_has_op(f, op, GW_OP_ACCUM)) continue;
        share got;
        gw_builder b = {f, r, next, gw_op_at(f, op)->loc};
        if (gw_op_at(f, op)->code == GW_OP_ACCUM) {
            got = (share){gw_operand(f, op, gw_index_count(f, op)), gw_int(&b, GW_T_BOOL, 1)};
            gw_op_remove(f, op);
        } else {
            got = gw_op_at(f, op)->code == GW_OP_IF ? pull_branch(s, &op) : pull_loop(s, &op);
        }
        all = both(&b, all, got);
    }
    return all;
}

/* ---- where all conditions hold ---- */
/* The additions of region r of the position without the branches around them, as a sum at the cloner's
 * builder. */
static gw_value straight(summing *s, gw_cloner *c, gw_region r);

static gw_value straight_loop(summing *s, gw_cloner *c, gw_op loop) {
    gw_func *f = s->f;
    gw_region outside = c->to->region, body = gw_loop_body(f, loop);
    gw_value from = gw_real(c->to, s->type, 0), operands[4];
    for (uint32_t i = 0; i < 3; i++) operands[i] = gw_clone_value(c, gw_operand(f, loop, i));
    operands[3] = from;
    gw_op made = gw_emit(c->to, GW_OP_FOR, GW_T_VOID, 0, operands, 4);
    gw_op_at(f, made)->attr = gw_op_at(f, loop)->attr;
    gw_op_add_result(f, made, s->type, 0);
    c->to->region = gw_region_new(f, made);
    gw_value index =
        gw_region_arg(f, c->to->region, gw_typeof(f, operands[0]), gw_value_at(f, gw_arg(f, body, 0))->name);
    gw_value sum = gw_region_arg(f, c->to->region, s->type, 0);
    gw_map_set(&c->values, gw_arg(f, body, 0), index);
    gw_value next = gw_binary(c->to, GW_OP_ADD, sum, straight(s, c, body));
    gw_yield(c->to, &next, 1);
    c->to->region = outside;
    return gw_result(f, made, 0);
}

static gw_value straight(summing *s, gw_cloner *c, gw_region r) {
    gw_func *f = s->f;
    gw_value sum = 0;
    for (gw_op op = gw_first(f, r); op && gw_op_at(f, op)->code != GW_OP_YIELD && op != s->last;
         op = gw_next(f, op)) {
        gw_value got = 0;
        uint16_t code = gw_op_at(f, op)->code;
        if (!gw_has_op(f, op, GW_OP_ACCUM)) {
            if (r != s->region) gw_clone_op(c, op);
            continue;
        }
        if (code == GW_OP_ACCUM) got = gw_clone_value(c, gw_operand(f, op, gw_index_count(f, op)));
        else if (code == GW_OP_FOR) got = straight_loop(s, c, op);
        else
            for (uint32_t i = 0; i < 2; i++)
                for (gw_op in = gw_first(f, gw_op_at(f, op)->region[i]); in && !got; in = gw_next(f, in))
                    if (gw_has_op(f, in, GW_OP_ACCUM)) got = straight(s, c, gw_op_at(f, op)->region[i]);
        sum = gw_joined(c->to, GW_OP_ADD, sum, got);
    }
    return sum;
}

/* if (inside) all without conditions; else as it was; what both make. */
static share pull_both(summing *s, gw_builder *b, gw_value inside) {
    gw_func *f = s->f;
    gw_op made = gw_emit(b, GW_OP_IF, GW_T_VOID, 0, &inside, 1);
    gw_builder in = {f, gw_region_new(f, made), 0, b->loc};
    gw_op_add_result(f, made, s->type, 0);
    gw_op_add_result(f, made, GW_T_BOOL, 0);
    gw_cloner c = {.from = f, .to = &in};
    s->last = made;
    gw_value sum = straight(s, &c, s->region);
    gw_yield(&in, (gw_value[]){sum, gw_int(&in, GW_T_BOOL, 1)}, 2);
    gw_map_free(&c.values);
    gw_map_free(&c.objects);
    in.region = gw_region_new(f, made);
    for (gw_op op = gw_first(f, s->region), next; op != made; op = next) {
        next = gw_next(f, op);
        if (gw_has_op(f, op, GW_OP_ACCUM)) gw_op_move(f, op, in.region, 0);
    }
    share got = pull(s, in.region);
    gw_yield(&in, (gw_value[]){got.sum, got.any}, 2);
    return (share){gw_result(f, made, 0), gw_result(f, made, 1)};
}

static void add_once(summing *s, gw_value cell, gw_op_data model) {
    gw_func *f = s->f;
    gw_session *all = f->session;
    gw_builder b = {f, s->region, gw_region_end(f, s->region), model.loc};
    gw_value inside = gw_gather_inside(f, s->region, &b, &s->uniform);
    share got = inside ? pull_both(s, &b, inside) : pull(s, s->region);
    char *text = gw_format("%s_sum", gw_cstr(all, gw_object_at(f, s->object)->name));
    gw_value_at(f, got.sum)->name = gw_intern(all, text);
    free(text);
    gw_op made = gw_emit(&b, GW_OP_IF, GW_T_VOID, 0, &got.any, 1);
    for (uint32_t i = 0; i < 2; i++) {
        gw_builder inner = {f, gw_region_new(f, made), 0, model.loc};
        if (i == 0) {
            gw_op add = gw_accum(&inner, s->object, model.path, &cell, 1, got.sum);
            gw_ownership_decide(f, add,
                                (gw_decision){.how = GW_ACCUMULATE_PLAIN,
                                              .why = gw_because(GW_REASON_SUMMED_FOR_NEIGHBOURS),
                                              .code = all->decisions.at[model.decision].code});
        }
        gw_yield(&inner, NULL, 0);
    }
}

static bool find_model(summing *s) {
    const gw_func *f = s->f;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (!o->dead && o->code == GW_OP_BARRIER) return false; /* of a group: it is one sum already */
        if (o->dead || o->code != GW_OP_ACCUM) continue;
        if (o->attr != GW_ACCUMULATE_PLAIN) return false;
        if (!s->model || size_of(s, gw_operand(f, op, 0)) < size_of(s, gw_operand(f, s->model, 0)))
            s->model = op;
    }
    if (!s->model) return false;
    s->object = gw_op_at(f, s->model)->object;
    s->type = gw_typeof(f, gw_operand(f, s->model, gw_index_count(f, s->model)));
    return true;
}

static void sum_up(gw_func *f) {
    summing s = {.f = f};
    gw_func *before = gw_func_copy(f); /* its values are what the uniformity speaks of */
    s.region = find_position(f, f->entry);
    gw_uniform_new(&s.uniform, before);
    if (find_model(&s)) {
        const gw_op_data model = *gw_op_at(f, s.model);
        gw_builder b = {f, s.region, gw_region_end(f, s.region), model.loc};
        fix_loops(&s, s.model);
        gw_value cell = wide(&s, &b, gw_operand(f, s.model, 0));
        if (cell) add_once(&s, cell, model);
    }
    gw_uniform_free(&s.uniform);
    gw_map_free(&s.fixed);
    gw_func_free(before);
    gw_cse(f);
    gw_dce(f);
}

bool gw_pass_sums(gw_run *run) {
    for (uint32_t i = 0; i < run->session->funcs.count; i++)
        if (run->session->funcs.at[i]->form == GW_FORM_GATHER) sum_up(run->session->funcs.at[i]);
    return true;
}
