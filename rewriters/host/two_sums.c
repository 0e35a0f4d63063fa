/*
 * host/two_sums.c - the lanes pass: an inner loop on the host that adds to sums takes two iterations at a time,
 * with a sum for the even and one for the odd ones.
 *
 * Without fast-math a compiler may not reorder floating-point additions, so that a sum makes a loop a chain:
 * each addition waits for the one before, and nothing of the loop can be vectorised. Adjoints of factors that a
 * loop does not change are such sums. Two sums have the width of the vector registers that every 64-bit machine
 * has, and halve the chain.
 *
 * Requires a counted loop with a signed index going up by one, whose body is straight code without tape and
 * calls and carries nothing but sums. Everything but the sums happens in the same order as before, so memory
 * needs no proof; the sums differ by rounding.
 */
#include "analysis/ir/passes.h"
#include "analysis/ir/restructure.h"
#include "rewriters/host/host_private.h"

enum { MOST_OPS = 40, LEAST_TRIPS = 8 };

bool gw_host_is_straight(const gw_func *f, gw_region body) {
    uint32_t count = 0, loads = 0;
    for (gw_op op = gw_first(f, body); op; op = gw_next(f, op)) {
        const gw_op_data *o = gw_op_at(f, op);
        bool memory = o->code == GW_OP_LOAD || o->code == GW_OP_STORE || o->code == GW_OP_ACCUM;
        if (o->regions || (!memory && o->code != GW_OP_YIELD && gw_op_rows[o->code].effect != GW_EFFECT_PURE))
            return false;
        /* the sum is not what it waits for */
        if (o->code >= GW_OP_SQRT && o->code <= GW_OP_HYPOT) return false;
        loads += o->code == GW_OP_LOAD;
        count++;
    }
    return loads && count <= MOST_OPS;
}

static uint32_t uses_in(const gw_func *f, gw_region body, gw_value v) {
    uint32_t n = 0;
    for (gw_op op = gw_first(f, body); op; op = gw_next(f, op))
        for (uint32_t i = 0; i < gw_op_at(f, op)->operands; i++) n += gw_operand(f, op, i) == v;
    return n;
}

/* Each carried value is the argument plus or minus something that no argument is needed for. */
static bool carries_sums(const gw_func *f, gw_op loop) {
    gw_region body = gw_loop_body(f, loop);
    for (uint32_t i = 0; i < gw_loop_carried(f, loop); i++) {
        gw_value arg = gw_loop_arg(f, loop, i), next = gw_loop_next(f, loop, i), term;
        bool down, sums = gw_type_is_float(gw_typeof(f, arg)) && gw_loop_advances(f, loop, i, &term, &down);
        if (!sums || gw_value_region(f, next) != body || uses_in(f, body, arg) != 1 ||
            uses_in(f, body, next) != 1)
            return false;
    }
    return gw_loop_carried(f, loop) != 0;
}

bool gw_host_is_long(const gw_func *f, gw_op loop) {
    int64_t lo, hi;
    if (!gw_loop_ends(f, loop, &lo, &hi)) return true;
    return hi >= LEAST_TRIPS && lo <= hi - LEAST_TRIPS;
}

static bool qualifies(const gw_func *f, gw_op loop) {
    const gw_op_data *o = gw_op_at(f, loop);
    if (gw_loop_step(f, loop) != 1 || o->attr != GW_OP_LT || o->flags & GW_OP_EXIT || o->policy) return false;
    gw_type type = gw_typeof(f, gw_operand(f, loop, 0));
    if (type != GW_T_I32 && type != GW_T_I64) return false;
    return gw_host_is_long(f, loop) && gw_host_is_straight(f, gw_loop_body(f, loop)) && carries_sums(f, loop);
}

bool gw_host_counts_up(const gw_func *f, gw_op loop, gw_value v) {
    gw_region body = gw_loop_body(f, loop);
    if (v == gw_arg(f, body, 0)) return true;
    gw_op op = gw_value_at(f, v)->op;
    if (!op || gw_op_at(f, op)->parent != body || !gw_type_is_signed(gw_typeof(f, v))) return false;
    const gw_op_data *o = gw_op_at(f, op);
    gw_value x = o->operands ? gw_operand(f, op, 0) : 0, y = o->operands > 1 ? gw_operand(f, op, 1) : 0;
    bool x_is_fixed = x && gw_value_region(f, x) != body, y_is_fixed = y && gw_value_region(f, y) != body;
    switch (o->code) {
    case GW_OP_CAST:
        return gw_type_is_integer(gw_typeof(f, v)) && gw_type_is_signed(gw_typeof(f, x)) &&
               gw_type_bits(gw_typeof(f, v)) >= gw_type_bits(gw_typeof(f, x)) && gw_host_counts_up(f, loop, x);
    case GW_OP_ADD:
        return (y_is_fixed && gw_host_counts_up(f, loop, x)) || (x_is_fixed && gw_host_counts_up(f, loop, y));
    case GW_OP_SUB: return y_is_fixed && gw_host_counts_up(f, loop, x);
    default: return false;
    }
}

/* A copy of the body at the builder; the sums so far in and out. In the second lane, values that count up are
 * said as those of the first plus one, in which compilers see neighbours in memory. */
static void copy_lane(gw_builder *b, gw_op loop, gw_value iv, gw_value_map *first, bool second,
                      gw_value *sums) {
    gw_func *f = b->f;
    gw_region body = gw_loop_body(f, loop);
    gw_cloner c = {.from = f, .to = b};
    gw_op end = gw_region_end(f, body);
    gw_map_set(&c.values, gw_arg(f, body, 0), iv);
    for (uint32_t i = 0; i < gw_loop_carried(f, loop); i++)
        gw_map_set(&c.values, gw_arg(f, body, 1 + i), sums[i]);
    for (gw_op op = gw_first(f, body); op != end; op = gw_next(f, op)) {
        gw_value v = gw_op_at(f, op)->results ? gw_result(f, op, 0) : 0;
        if (!second || !v || !gw_host_counts_up(f, loop, v)) gw_clone_op(&c, op);
        else
            gw_map_set(&c.values, v,
                       gw_binary(b, GW_OP_ADD, gw_map_get(first, v), gw_int(b, gw_typeof(f, v), 1)));
        if (!second && v) gw_map_set(first, v, gw_map_get(&c.values, v));
    }
    for (uint32_t i = 0; i < gw_loop_carried(f, loop); i++) sums[i] = gw_clone_value(&c, gw_operand(f, end, i));
    gw_map_free(&c.values);
    gw_map_free(&c.objects);
}

/* for (iv = lo; iv < last; iv += 2) before the loop; it carries the even sums, the odd ones, and where it
 * stops. */
static gw_op make_pairs(gw_func *f, gw_op loop) {
    gw_builder b = {f, gw_op_at(f, loop)->parent, loop, gw_op_at(f, loop)->loc};
    uint32_t n = gw_loop_carried(f, loop);
    gw_value lo = gw_operand(f, loop, 0), hi = gw_operand(f, loop, 1);
    gw_type type = gw_typeof(f, lo);
    gw_value less = gw_binary(&b, GW_OP_SUB, hi, gw_int(&b, type, 1));
    GW_VEC(gw_value) operands = {0};
    gw_push(&operands, lo);
    gw_push(&operands, gw_select(&b, gw_binary(&b, GW_OP_LT, lo, hi), less, lo));
    gw_push(&operands, gw_int(&b, type, 2));
    for (uint32_t i = 0; i < n; i++) gw_push(&operands, gw_operand(f, loop, 3 + i));
    for (uint32_t i = 0; i < n; i++)
        gw_push(&operands, gw_real(&b, gw_typeof(f, gw_operand(f, loop, 3 + i)), 0));
    gw_push(&operands, lo);
    gw_op made = gw_emit(&b, GW_OP_FOR, GW_T_VOID, 0, operands.at, operands.count);
    gw_op_at(f, made)->attr = GW_OP_LT;
    gw_region body = gw_region_new(f, made);
    gw_value_data iv = *gw_value_at(f, gw_arg(f, gw_loop_body(f, loop), 0));
    for (uint32_t i = 0; i < operands.count - 3; i++) {
        gw_value_data d = *gw_value_at(f, i < 2 * n ? gw_arg(f, gw_loop_body(f, loop), 1 + i % n) : lo);
        gw_op_add_result(f, made, d.type, i < 2 * n ? d.name : iv.name);
    }
    gw_region_arg(f, body, type, iv.name);
    for (uint32_t i = 0; i < operands.count - 3; i++) {
        gw_value_data d = *gw_value_at(f, gw_result(f, made, i));
        gw_region_arg(f, body, d.type, d.name);
    }
    gw_vec_free(&operands);
    return made;
}

static void fill_pairs(gw_func *f, gw_op loop, gw_op made) {
    uint32_t n = gw_loop_carried(f, loop);
    gw_region body = gw_loop_body(f, made);
    gw_builder b = {f, body, 0, gw_op_at(f, loop)->loc};
    gw_type type = gw_typeof(f, gw_arg(f, body, 0));
    GW_VEC(gw_value) sums = {0};
    for (uint32_t i = 0; i <= 2 * n; i++) gw_push(&sums, gw_arg(f, body, 1 + i));
    gw_value_map first = {0};
    copy_lane(&b, loop, gw_arg(f, body, 0), &first, false, sums.at);
    copy_lane(&b, loop, gw_binary(&b, GW_OP_ADD, gw_arg(f, body, 0), gw_int(&b, type, 1)), &first, true,
              sums.at + n);
    gw_map_free(&first);
    sums.at[2 * n] = gw_binary(&b, GW_OP_ADD, gw_arg(f, body, 0), gw_int(&b, type, 2));
    gw_yield(&b, sums.at, sums.count);
    gw_vec_free(&sums);
}

/* The loop itself is left with what remains: at most one iteration. */
static void pair_loop(gw_func *f, gw_op loop) {
    uint32_t n = gw_loop_carried(f, loop);
    gw_op made = make_pairs(f, loop);
    fill_pairs(f, loop, made);
    gw_builder b = {f, gw_op_at(f, loop)->parent, loop, gw_op_at(f, loop)->loc};
    gw_set_operand(f, loop, 0, gw_result(f, made, 2 * n));
    for (uint32_t i = 0; i < n; i++)
        gw_set_operand(f, loop, 3 + i,
                       gw_binary(&b, GW_OP_ADD, gw_result(f, made, i), gw_result(f, made, n + i)));
}

static void walk(gw_func *f, gw_region r) {
    for (gw_op op = gw_first(f, r), next; op; op = next) {
        next = gw_next(f, op);
        for (uint32_t i = 0; i < gw_op_at(f, op)->regions; i++) walk(f, gw_op_at(f, op)->region[i]);
        if (qualifies(f, op)) pair_loop(f, op);
    }
}

bool gw_pass_lanes(gw_run *run) {
    for (uint32_t i = 0; i < run->session->funcs.count; i++) {
        gw_func *f = run->session->funcs.at[i];
        if (f->kind == GW_FUNC_HOST && (f->form == GW_FORM_GRAD || f->form == GW_FORM_PULLBACK))
            walk(f, f->entry);
    }
    return true;
}
