/*
 * query.c - what passes ask of a function (contract: query.h).
 */
#include "analysis/ir/query.h"

#include "analysis/ir/device.h"

#include <string.h>

bool gw_is_program(const gw_func *f) {
    for (gw_op op = 1; op < f->ops.count; op++)
        if (!gw_op_at(f, op)->dead && gw_op_at(f, op)->code == GW_OP_DEVICE) return true;
    return false;
}

/* ---- calls of programs ---- */
uint32_t gw_device_element(gw_device what) {
    const char *operands = gw_device_rows[what].operands;
    const uint32_t count = (uint32_t)strcspn(operands, "*");
    return operands[0] == 'a' && operands[count - 1] == 'd' ? count - 1 : 0;
}

int64_t gw_launch_request(const gw_func *f, gw_op op) {
    const int64_t kept = gw_op_at(f, op)->imm.i;
    if (kept > 0) return kept - 1;
    return kept ? GW_LAUNCH_PASSIVE : GW_LAUNCH_NONE;
}

void gw_launch_set_request(gw_func *f, gw_op op, int64_t request) {
    if (request >= 0) gw_op_at(f, op)->imm.i = request + 1;
    else gw_op_at(f, op)->imm.i = request == GW_LAUNCH_PASSIVE ? -1 : 0;
}

bool gw_device_is_passive(const gw_func *f, gw_op op) {
    const gw_device what = (gw_device)gw_op_at(f, op)->attr;
    int64_t element = GW_ELEMENT_BYTES;
    if (what == GW_DEVICE_LAUNCH) return gw_launch_request(f, op) < 0;
    if (gw_device_element(what)) gw_const_int(f, gw_operand(f, op, gw_device_element(what)), &element);
    return element == GW_ELEMENT_NONE;
}

gw_object gw_texture_shadow(const gw_func *f, gw_value object) {
    for (uint32_t i = 0; i < f->params.count; i++)
        for (uint32_t k = 0; f->params.at[i].value == object && k < f->params.count; k++)
            if (f->params.at[k].is_adjoint && f->params.at[k].primal_index == i) return f->params.at[k].object;
    return 0;
}

/* ---- around an op ---- */
gw_op gw_loop_around(const gw_func *f, gw_op op) {
    while ((op = gw_op_around(f, op)) != 0)
        if (gw_is_loop(f, op)) return op;
    return 0;
}

gw_region gw_region_around(const gw_func *f, gw_region a, gw_region b) {
    while (!gw_region_inside(f, a, b)) b = gw_region_outside(f, b);
    return b;
}

gw_region gw_common_region(const gw_func *f, gw_op x, gw_op y) {
    return gw_region_around(f, gw_op_at(f, x)->parent, gw_op_at(f, y)->parent);
}

gw_op gw_holder(const gw_func *f, gw_op op, gw_region r) {
    while (op && gw_op_at(f, op)->parent != r) op = gw_op_around(f, op);
    return op;
}

bool gw_comes_before(const gw_func *f, gw_op x, gw_op y) {
    gw_region common = gw_common_region(f, x, y);
    gw_op to = gw_holder(f, y, common);
    for (gw_op op = gw_next(f, gw_holder(f, x, common)); op; op = gw_next(f, op))
        if (op == to) return true;
    return false;
}

/* ---- inside of a region, an op ---- */
static gw_op first_inside(const gw_func *f, gw_op op, uint32_t region) {
    gw_op in = 0;
    for (uint32_t i = region; !in && i < gw_op_at(f, op)->regions; i++)
        in = gw_first(f, gw_op_at(f, op)->region[i]);
    return in;
}

gw_op gw_walk_past(const gw_func *f, gw_op op, gw_region r) {
    for (;;) {
        gw_region at = gw_op_at(f, op)->parent;
        gw_op next = gw_next(f, op);
        if (next || at == r) return next;
        op = gw_region_at(f, at)->parent;
        if (gw_op_at(f, op)->region[0] == at && (next = first_inside(f, op, 1)) != 0) return next;
    }
}

gw_op gw_walk(const gw_func *f, gw_op op, gw_region r) {
    gw_op in = first_inside(f, op, 0);
    return in ? in : gw_walk_past(f, op, r);
}

gw_op gw_walk_op(const gw_func *f, gw_op in, gw_op op) {
    gw_op next = first_inside(f, in, 0);
    while (!next && in != op) {
        gw_region at = gw_op_at(f, in)->parent;
        next = gw_next(f, in);
        in = gw_region_at(f, at)->parent;
        if (!next && gw_op_at(f, in)->region[0] == at) next = first_inside(f, in, 1);
    }
    return next;
}

bool gw_has_op(const gw_func *f, gw_op op, gw_opcode code) {
    for (gw_op in = op; in; in = gw_walk_op(f, in, op))
        if (gw_op_at(f, in)->code == code) return true;
    return false;
}

static bool stops(const gw_func *f, gw_stop how) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (!o->dead && o->code == GW_OP_STOP && o->attr >= how) return true;
        if (!o->dead && o->code == GW_OP_CALL && o->flags & GW_OP_MAY_STOP) return true;
    }
    return false;
}

bool gw_any_stops(const gw_session *s, gw_stop how) {
    for (uint32_t i = 0; i < s->funcs.count; i++)
        if (stops(s->funcs.at[i], how)) return true;
    return false;
}

bool gw_may_stop(const gw_func *f, gw_stop how) {
    if (stops(f, how)) return true;
    for (gw_op op = 1; op < f->ops.count; op++)
        if (!gw_op_at(f, op)->dead && gw_op_at(f, op)->code == GW_OP_CALL) return gw_any_stops(f->session, how);
    return false;
}

bool gw_holds_stop(const gw_func *f, gw_op op) {
    for (gw_op in = op; in; in = gw_walk_op(f, in, op)) {
        const gw_op_data *o = gw_op_at(f, in);
        const gw_func *callee = o->code == GW_OP_CALL ? gw_func_find(f->session, o->callee) : NULL;
        if (o->code == GW_OP_STOP || (callee && gw_may_stop(callee, GW_STOP_ENDS))) return true;
        if (o->code == GW_OP_CALL && o->flags & GW_OP_MAY_STOP) return true;
    }
    return false;
}

bool gw_is_ordered(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    return !o->dead && o->code == GW_OP_CALL && o->flags & GW_OP_ORDERED;
}

bool gw_holds_ordered(const gw_func *f, gw_op op) {
    for (gw_op in = op; in; in = gw_walk_op(f, in, op))
        if (gw_is_ordered(f, in)) return true;
    return false;
}

bool gw_has_loop(const gw_func *f, gw_region r) {
    for (gw_op op = gw_first(f, r); op; op = gw_walk(f, op, r))
        if (gw_is_loop(f, op)) return true;
    return false;
}

bool gw_declares(const gw_func *f, gw_op op, gw_object o) {
    for (gw_op in = op; in; in = gw_walk_op(f, in, op))
        if (gw_op_at(f, in)->code == GW_OP_DECLARE && gw_op_at(f, in)->object == o) return true;
    return false;
}

bool gw_names_object(const gw_func *f, gw_op op, gw_object o) {
    for (gw_op in = op; in; in = gw_walk_op(f, in, op))
        if (gw_op_at(f, in)->object == o) return true;
    return false;
}

static bool touches(const gw_func *f, gw_op op, gw_object o, unsigned touch) {
    const gw_op_data *d = gw_op_at(f, op);
    const bool read = touch & GW_TOUCH_READ, write = touch & GW_TOUCH_WRITE;
    for (uint32_t i = 0; d->code == GW_OP_CALL && i < d->operands; i++)
        if (gw_operand_address(f, op, i) && touches(f, gw_operand_address(f, op, i), o, touch)) return true;
    if (d->object != o) return false;
    switch (d->code) {
    case GW_OP_ATOMIC:
    case GW_OP_SETTLE:
    case GW_OP_SETTLE_ALL: return true;
    case GW_OP_LOAD: return read;
    case GW_OP_STORE:
    case GW_OP_ACCUM:
    case GW_OP_CLEAR: return write;
    case GW_OP_ADDRESS: return (read && d->flags & GW_OP_READS) || (write && d->flags & GW_OP_WRITES);
    default: return false;
    }
}

bool gw_touches(const gw_func *f, gw_op op, gw_object o, unsigned touch) {
    for (gw_op in = op; in; in = gw_walk_op(f, in, op))
        if (touches(f, in, o, touch)) return true;
    return false;
}

bool gw_uses_value(const gw_func *f, gw_op op, gw_value v) {
    for (gw_op in = op; in; in = gw_walk_op(f, in, op))
        for (uint32_t i = 0; i < gw_op_at(f, in)->operands; i++)
            if (gw_operand(f, in, i) == v) return true;
    return false;
}

uint32_t gw_count_uses(const gw_func *f, gw_value v) {
    uint32_t count = 0;
    for (gw_op op = 1; op < f->ops.count; op++)
        for (uint32_t i = 0; !gw_op_at(f, op)->dead && i < gw_op_at(f, op)->operands; i++)
            count += gw_operand(f, op, i) == v;
    return count;
}

/* ---- values ---- */
bool gw_is_zero(const gw_func *f, gw_value v) {
    double x;
    return gw_const_real(f, v, &x) && x == 0;
}

bool gw_is_pure_but(const gw_func *f, gw_region r, gw_op but) {
    for (gw_op op = gw_first(f, r), end = gw_region_end(f, r); op && op != end; op = gw_next(f, op)) {
        const gw_op_data *o = gw_op_at(f, op);
        if (op != but && (o->regions || gw_op_rows[o->code].effect != GW_EFFECT_PURE)) return false;
    }
    return true;
}

gw_value gw_behind_casts(const gw_func *f, gw_value v) {
    for (gw_op op; (op = gw_made_by(f, v, GW_OP_CAST)) != 0;) v = gw_operand(f, op, 0);
    return v;
}

gw_value gw_behind_not(const gw_func *f, gw_value v, bool *truth) {
    for (gw_op op; (op = gw_made_by(f, v, GW_OP_NOT)) != 0;) {
        v = gw_operand(f, op, 0);
        *truth = !*truth;
    }
    return v;
}

/* ---- loops ---- */
int64_t gw_loop_step(const gw_func *f, gw_op loop) {
    int64_t step = 0;
    bool counted = gw_op_at(f, loop)->code == GW_OP_FOR;
    return counted && gw_const_int(f, gw_operand(f, loop, 2), &step) ? step : 0;
}

bool gw_loop_ends(const gw_func *f, gw_op loop, int64_t *first, int64_t *bound) {
    return gw_op_at(f, loop)->code == GW_OP_FOR && gw_const_int(f, gw_operand(f, loop, 0), first) &&
           gw_const_int(f, gw_operand(f, loop, 1), bound);
}

bool gw_loop_advances(const gw_func *f, gw_op loop, uint32_t i, gw_value *step, bool *down) {
    gw_value arg = gw_loop_arg(f, loop, i), next = gw_carried_on(f, loop, i);
    gw_op less = gw_made_by(f, next, GW_OP_SUB), op = less ? less : gw_made_by(f, next, GW_OP_ADD);
    if (!op) return false;
    bool first = gw_operand(f, op, 0) == arg;
    *down = less != 0;
    *step = gw_operand(f, op, first ? 1 : 0);
    return first || (!less && gw_operand(f, op, 1) == arg);
}

bool gw_loop_is_induction(const gw_func *f, gw_op loop, uint32_t i, gw_value *step, bool *down) {
    return gw_type_is_integer(gw_typeof(f, gw_loop_arg(f, loop, i))) &&
           gw_loop_advances(f, loop, i, step, down) && gw_value_visible(f, *step, gw_op_at(f, loop)->parent);
}

/* The flag is true where the branch took this side. */
static bool leaves_on(const gw_func *f, gw_value flag, gw_value condition, uint32_t side) {
    bool leaves = true, taken = side == 0;
    int64_t c;
    if (gw_const_int(f, flag, &c)) return c != 0;
    return gw_behind_not(f, flag, &leaves) == gw_behind_not(f, condition, &taken) && leaves == taken;
}

gw_value gw_carried_on(const gw_func *f, gw_op loop, uint32_t i) {
    gw_value v = gw_loop_next(f, loop, i), flag = gw_loop_flag(f, loop);
    while (flag) {
        gw_op branch = gw_made_by(f, v, GW_OP_IF);
        if (!branch) break;
        uint32_t k = gw_value_at(f, v)->index, stay = 2;
        gw_value next[2], flags[2] = {flag, flag};
        for (uint32_t side = 0; side < 2; side++) {
            gw_op yield = gw_region_end(f, gw_op_at(f, branch)->region[side]);
            next[side] = gw_operand(f, yield, k);
            if (gw_value_at(f, flag)->op == branch)
                flags[side] = gw_operand(f, yield, gw_value_at(f, flag)->index);
            if (leaves_on(f, flags[side], gw_operand(f, branch, 0), side)) stay = stay == 2 ? 1 - side : 3;
        }
        if (stay > 1) break;
        v = next[stay];
        flag = flags[stay];
    }
    return v;
}

/* What the first test of a counted loop says; false if it is not known. */
static bool first_test(const gw_func *f, gw_op loop, bool *runs) {
    int64_t lo, hi;
    if (!gw_loop_ends(f, loop, &lo, &hi)) return false;
    *runs = gw_holds((gw_opcode)gw_op_at(f, loop)->attr, gw_typeof(f, gw_operand(f, loop, 0)), lo, hi);
    return true;
}

bool gw_runs_for_sure(const gw_func *f, gw_op loop) {
    bool runs;
    return first_test(f, loop, &runs) && runs;
}

bool gw_never_runs(const gw_func *f, gw_op loop) {
    bool runs;
    return first_test(f, loop, &runs) && !runs;
}

/* The second tangent of one parameter is along s, and so is a tangent of a tangent. */
static unsigned along(const gw_func *f, uint32_t param) {
    const uint32_t of = f->params.at[param].tangent_of;
    if (!of) return 0;
    unsigned has = along(f, of - 1), here = has ? GW_ALONG_S : GW_ALONG_T;
    for (uint32_t i = 0; i < param; i++)
        if (f->params.at[i].tangent_of == of) here = GW_ALONG_S;
    return has | here;
}

unsigned gw_param_lacks(const gw_func *f, uint32_t param) {
    unsigned all = 0;
    for (uint32_t i = 0; i < f->params.count; i++)
        all |= along(f, i);
    return all & ~along(f, param);
}

gw_opcode gw_mirrored(gw_opcode compare) {
    switch (compare) {
    case GW_OP_LT: return GW_OP_GT;
    case GW_OP_LE: return GW_OP_GE;
    case GW_OP_GT: return GW_OP_LT;
    case GW_OP_GE: return GW_OP_LE;
    default: return compare;
    }
}

bool gw_same_number(const gw_func *f, gw_value a, gw_value b) {
    int64_t x, y;
    return a == b || (gw_const_int(f, a, &x) && gw_const_int(f, b, &y) && x == y);
}

bool gw_is_there(const gw_func *f, gw_value v, gw_op at) {
    gw_op op = gw_value_at(f, v)->op;
    return gw_value_visible(f, v, gw_op_at(f, at)->parent) && (!op || gw_comes_before(f, op, at));
}

bool gw_asks_for_block(const gw_func *f) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (!o->dead && o->code == GW_OP_SPECIAL && o->attr / 4 == GW_BLOCK_IDX) return true;
    }
    return false;
}

/* ---- truths along all ways ---- */
static bool through_branch(const gw_func *f, gw_op op, bool before, gw_flow *region, void *with) {
    bool any = gw_op_at(f, op)->regions < 2 && before;
    for (uint32_t i = 0; i < gw_op_at(f, op)->regions; i++)
        any |= region(with, gw_op_at(f, op)->region[i], before);
    return any;
}

/* A loop may be left behind each of its regions, or not entered. */
bool gw_flows_through(const gw_func *f, gw_op op, bool before, gw_flow *region, void *with) {
    if (!gw_is_loop(f, op)) return through_branch(f, op, before, region, with);
    bool left = before, last;
    do {
        last = left;
        bool now = left;
        for (uint32_t i = 0; i < gw_op_at(f, op)->regions; i++) {
            now = region(with, gw_op_at(f, op)->region[i], now);
            left |= now;
        }
    } while (left != last);
    return left;
}

/* ---- rounding ---- */
/* Computed by an operation that rounds, so that contraction may change its last bits. */
bool gw_is_rounded(const gw_func *f, gw_value v) {
    gw_op op = gw_value_at(f, v)->op;
    if (!op || !gw_type_is_float(gw_typeof(f, v))) return false;
    switch (gw_op_at(f, op)->code) {
    case GW_OP_CONST:
    case GW_OP_LOAD: return false;
    case GW_OP_NEG:
    case GW_OP_FABS: return gw_is_rounded(f, gw_operand(f, op, 0));
    default: return gw_op_rows[gw_op_at(f, op)->code].effect == GW_EFFECT_PURE && !gw_op_at(f, op)->regions;
    }
}

bool gw_is_discrete(const gw_func *f, gw_op op) {
    if (gw_type_is_float(gw_typeof(f, gw_result(f, op, 0)))) return false;
    for (uint32_t i = 0; i < gw_op_at(f, op)->operands; i++)
        if (gw_is_rounded(f, gw_operand(f, op, i))) return true;
    return false;
}
