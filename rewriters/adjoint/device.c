/*
 * adjoint/device.c - the reverse of what a program does to memory that kernels see.
 *
 * Each call is told again on the way back, with the operands that it had (marked BACK): what that means, where
 * the contents are that it found and where their adjoints are, is known where the program runs
 * (gradwright/program.h). The adjoints of a kernel's numbers come back as results.
 *
 * All that a program does is recorded, but for loops with GW_CHECKPOINT: these are segments
 * (adjoint/segment.c), run forward without a record. A launch that ran again by itself would read what it has
 * overwritten, so each segment begins with a MARK, or each snapshot of GW_CHECKPOINT_BINOMIAL has one. Before
 * the segment runs again, a RESTORE brings memory to what it was at the last mark. Marks are a stack, as what
 * the tape holds is: a loop that leaves marks is inside recorded parts only, and its reverse takes all of them
 * away.
 */
#include "rewriters/adjoint/recursion_private.h"

#include "analysis/ir/device.h"
#include "analysis/ir/diagnostics.h"
#include "rewriters/formula/formula.h"

static bool is_asked(const gw_func *p, gw_op op, uint32_t operand) {
    return gw_op_at(p, op)->attr != GW_DEVICE_LAUNCH || gw_launched_asks(p, op, operand);
}

/* All results first: they are consecutive values. */
static void add_numbers(gw_adjoint *a, gw_op op, gw_op made, uint32_t first) {
    const uint32_t operands = gw_op_at(a->primal, op)->operands;
    for (uint32_t i = first; i < operands; i++) {
        const gw_type type = gw_typeof(a->primal, gw_operand(a->primal, op, i));
        if (gw_type_is_float(type)) gw_op_add_result(a->f, made, type, 0);
    }
    for (uint32_t i = first, result = 0; i < operands; i++) {
        const gw_value x = gw_operand(a->primal, op, i);
        if (!gw_type_is_float(gw_typeof(a->primal, x))) continue;
        if (is_asked(a->primal, op, i)) gw_adjoint_add(a, x, gw_result(a->f, made, result));
        result++;
    }
}

static gw_value adjoint_of(gw_adjoint *a, gw_value x) {
    const gw_value d = gw_adjoint_of(a, x);
    return d ? d : gw_adjoint_zero(a, x);
}

void gw_adjoint_device_mark(gw_adjoint *a, gw_op loop, gw_builder *b, uint32_t what) {
    if (!gw_has_op(a->primal, loop, GW_OP_DEVICE)) return;
    gw_op made = gw_emit(b, GW_OP_DEVICE, GW_T_VOID, 0, NULL, 0);
    gw_op_at(a->f, made)->attr = (uint16_t)what;
}

/* Operands that mean nothing on the way back, a bit for each: they need not be kept. */
static const uint32_t forgotten[GW_DEVICE_COUNT] = {
    [GW_DEVICE_ALLOC] = 1 << 0,         /* bytes */
    [GW_DEVICE_ALLOC_MANAGED] = 1 << 0, /* bytes */
    [GW_DEVICE_ALLOC_PINNED] = 1 << 0,  /* bytes */
    [GW_DEVICE_SET] = 1 << 1,           /* the byte */
    [GW_DEVICE_SET_QUEUED] = 1 << 1,
    [GW_DEVICE_SET_2D] = 1 << 2,
    [GW_DEVICE_SET_2D_QUEUED] = 1 << 2,
    [GW_DEVICE_SET_3D] = 1 << 3,
    [GW_DEVICE_SET_3D_QUEUED] = 1 << 3,
};

/* Not a launch without a gradient, nor what the host was given without a derivative. */
static bool is_reversed(const gw_adjoint *a, gw_op op) {
    const gw_op_data *o = gw_op_at(a->primal, op);
    bool any = o->attr != GW_DEVICE_FETCH;
    const bool may_be_none = o->attr == GW_DEVICE_LAUNCH || o->attr == GW_DEVICE_FETCH;
    if (may_be_none && gw_device_is_passive(a->primal, op)) return false;
    for (uint32_t i = 0; i < o->results && !any; i++)
        any = gw_type_is_float(gw_typeof(a->primal, gw_result(a->primal, op, i)));
    return any;
}

/* A launch without a gradient is remembered by what it wrote alone. */
static bool is_forgotten(const gw_adjoint *a, gw_op op, uint32_t i, bool has_reverse) {
    const uint16_t what = gw_op_at(a->primal, op)->attr;
    if (what == GW_DEVICE_FETCH && !has_reverse) return true;
    if (what != GW_DEVICE_LAUNCH) return forgotten[what] >> i & 1;
    const bool is_pointer = gw_typeof(a->primal, gw_operand(a->primal, op, i)) == GW_T_ADDRESS;
    return !has_reverse && (i < GW_LAUNCH_OPERANDS || !is_pointer);
}

/* ---- calls that have a pullback ---- */

/* Those of its parameters, by number, whose adjoints are asked: memory always. */
static gw_value asked(gw_adjoint *a, gw_op op) {
    uint64_t bits = 0;
    for (uint32_t i = GW_RULE_OPERANDS; i < gw_op_at(a->primal, op)->operands; i++) {
        gw_value x = gw_operand(a->primal, op, i);
        const gw_type type = gw_typeof(a->primal, x);
        if (type == GW_T_ADDRESS || (gw_type_is_float(type) && gw_active_value(&a->activity, x)))
            bits |= UINT64_C(1) << (i - GW_RULE_OPERANDS);
    }
    return gw_int(&a->b, GW_T_U32, (int64_t)bits);
}

void gw_adjoint_rule_forward(gw_adjoint *a, gw_op op) {
    gw_value bits = asked(a, op);
    gw_op made = gw_clone_op(&a->c, op);
    gw_set_operand(a->f, made, 0, bits);
}

/* The variable of the host's that operand i leads to is written: which result it is; UINT32_MAX: it is not. */
static uint32_t written(const gw_func *f, gw_op op, uint32_t i) {
    const gw_rule *rule = gw_rule_find(f->session, gw_op_at(f, op)->callee);
    uint32_t at = 0;
    for (uint32_t k = GW_RULE_OPERANDS; k <= i; k++) {
        const gw_rule_param *p = &rule->params.at[k - GW_RULE_OPERANDS];
        const bool writes =
            p->is_memory && p->writes && gw_typeof(f, gw_operand(f, op, k)) != GW_T_ADDRESS;
        if (k == i) return writes ? at : UINT32_MAX;
        at += writes;
    }
    return UINT32_MAX;
}

/* The same call on the way back; frees its operands. */
static gw_op emit_back(gw_adjoint *a, const gw_op_data *o, gw_value_list *operands) {
    gw_op made = gw_emit(&a->b, GW_OP_DEVICE, GW_T_VOID, 0, operands->at, operands->count);
    gw_vec_free(operands);
    gw_op_data *d = gw_op_at(a->f, made);
    d->attr = o->attr;
    d->callee = o->callee;
    d->imm = o->imm;
    d->flags = GW_OP_BACK;
    return made;
}

static void reverse_rule(gw_adjoint *a, gw_op op) {
    const gw_op_data o = *gw_op_at(a->primal, op);
    const gw_rule *rule = gw_rule_find(a->primal->session, o.callee);
    gw_value_list operands = {0};
    if (!rule->is_nondifferentiable && !rule->pullback) {
        const char *name = gw_cstr(a->primal->session, o.callee);
        gw_diag(a->primal->session, GW_DIAG_MISSING_RULE, o.loc, name, "pullback", "pullback", name);
    }
    gw_push(&operands, asked(a, op));
    for (uint32_t i = GW_RULE_OPERANDS; i < o.operands; i++) {
        const gw_value x = gw_operand(a->primal, op, i);
        const gw_type type = gw_typeof(a->primal, x);
        /* of a call without derivative the way back asks where it wrote */
        const bool told = type == GW_T_ADDRESS && rule->params.at[i - GW_RULE_OPERANDS].writes;
        gw_push(&operands,
                told || !rule->is_nondifferentiable ? gw_adjoint_value(a, x) : gw_zero(&a->b, type));
    }
    for (uint32_t i = GW_RULE_OPERANDS; i < o.operands; i++) {
        const uint32_t at = written(a->primal, op, i);
        if (at == UINT32_MAX || !gw_type_is_float(gw_typeof(a->primal, gw_operand(a->primal, op, i)))) continue;
        gw_value result = gw_result(a->primal, op, at), g = gw_adjoint_of(a, result);
        gw_push(&operands, g ? g : gw_adjoint_zero(a, result));
    }
    const gw_op made = emit_back(a, &o, &operands);
    if (!rule->is_nondifferentiable) add_numbers(a, op, made, GW_RULE_OPERANDS);
}

void gw_adjoint_device(gw_adjoint *a, gw_op op) {
    const gw_op_data o = *gw_op_at(a->primal, op);
    if (!gw_device_rows[o.attr].reverses) return;
    if (o.attr == GW_DEVICE_RULE) {
        reverse_rule(a, op);
        return;
    }
    const bool has_reverse = is_reversed(a, op);
    gw_value_list operands = {0};
    const uint32_t needed = o.attr == GW_DEVICE_SEND ? GW_SEND_OPERANDS : o.operands; /* not what was sent */
    for (uint32_t i = 0; i < needed; i++) {
        const gw_value v = gw_operand(a->primal, op, i);
        gw_push(&operands, is_forgotten(a, op, i, has_reverse) ? gw_zero(&a->b, gw_typeof(a->primal, v))
                                                               : gw_adjoint_value(a, v));
    }
    const char *results = gw_device_rows[o.attr].results;
    for (uint32_t i = 0; results[i] && results[i] != '*'; i++)
        if (results[i] == 'a') gw_push(&operands, gw_adjoint_value(a, gw_result(a->primal, op, i)));
    const uint32_t fetched = o.attr == GW_DEVICE_FETCH && has_reverse ? o.results : 0;
    for (uint32_t i = 0; i < fetched; i++)
        if (gw_type_is_float(gw_typeof(a->primal, gw_result(a->primal, op, i))))
            gw_push(&operands, adjoint_of(a, gw_result(a->primal, op, i)));
    const gw_op made = emit_back(a, &o, &operands);
    if (o.attr == GW_DEVICE_LAUNCH && has_reverse) add_numbers(a, op, made, GW_LAUNCH_OPERANDS);
    const bool sends = o.attr == GW_DEVICE_SEND && !gw_device_is_passive(a->primal, op);
    if (sends) add_numbers(a, op, made, GW_SEND_OPERANDS);
}
