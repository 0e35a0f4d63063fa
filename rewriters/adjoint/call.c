/*
 * adjoint/call.c - the derivative of a call: forward the call itself, in reverse a call of the callee's
 * pullback.
 *
 * A pullback takes what the call took, memory as it was before the call included, and leaves that memory as it
 * is. So what the callee reads must be there again where its reverse stands:
 *  - of the caller's own objects, a call that is run again reads what the region's forward part left, or a copy
 *    that was made before the call (adjoint/state.c); what such a call touches is never recorded
 *    (gw_adjoint_must_rerun);
 *  - of others, what the gradient finds there, which is right unless the primal may have written it before
 *    (STALE), or what is there because stores are undone on the way back (adjoint/choice.c). A call that writes
 *    memory of the gradient's caller is never performed: where its value is needed, or what it wrote, the
 *    derivative is refused. Its pullback consumes the adjoints of what it wrote, as the adjoint of a store
 *    does.
 * A call with effects (GW_ORDERED) is performed once, so that what is around it is recorded; its pullback gets
 * null pointers for memory, and is called where it stands in any case, as other processes wait for it.
 */
#include "analysis/facts/facts.h"
#include "analysis/ir/diagnostics.h"
#include "analysis/ir/requests.h"
#include "rewriters/adjoint/recursion_private.h"
#include "rewriters/formula/formula.h"

#include <stdlib.h>

typedef GW_VEC(gw_value) value_list;

/* By operand: its address has a shadow, and the call reaches what lies there; it may only hand it on to
 * itself. */
static bool *find_parts(gw_adjoint *a, gw_op call) {
    bool *part = gw_alloc(gw_op_at(a->primal, call)->operands + 1);
    for (uint32_t i = 0; i < gw_op_at(a->primal, call)->operands; i++) {
        gw_op address = gw_operand_address(a->primal, call, i);
        part[i] = address && gw_op_at(a->primal, address)->flags & (GW_OP_READS | GW_OP_WRITES) &&
                  gw_adjoint_has_shadow(a, address);
    }
    return part;
}

bool gw_adjoint_reverses_call(gw_adjoint *a, gw_op call) {
    const gw_op_data *o = gw_op_at(a->primal, call);
    bool *part = find_parts(a, call);
    bool acts = gw_callee_writes_part(a->primal, call, part) || gw_callee_must_answer(a->primal, call, true) ||
                (o->results && gw_active_value(&a->activity, o->first_result));
    free(part);
    return acts;
}

bool gw_adjoint_check_calls(gw_adjoint *a) {
    const gw_func *p = a->primal;
    bool good = true;
    for (gw_op op = 1; op < p->ops.count; op++) {
        const gw_op_data *o = gw_op_at(p, op);
        if (o->dead || o->code != GW_OP_CALL || !gw_adjoint_reverses_call(a, op)) continue;
        good &= gw_callee_check(p->session, o->callee, GW_REQUEST_GRADIENT, o->loc);
        bool *part = find_parts(a, op);
        for (uint32_t i = 0; i < o->operands; i++)
            for (uint32_t k = 0; k < i && good; k++) {
                if (!part[i] || !part[k]) continue;
                gw_op x = gw_operand_address(p, op, i), y = gw_operand_address(p, op, k);
                if (gw_alias_ops(p, x, y) == GW_ALIAS_NO) continue;
                gw_object object = gw_op_at(p, x)->object;
                gw_diag(p->session, GW_DIAG_TWO_POINTERS, o->loc,
                        gw_cstr(p->session, gw_object_at(p, object)->name));
                good = false;
            }
        free(part);
    }
    return good;
}

/* ---- forward ---- */
void gw_adjoint_call_forward(gw_adjoint *a, gw_op call) {
    if (!gw_is_ordered(a->primal, call)) gw_adjoint_copy_objects(a, call);
    const gw_kept *kept = &a->kept[call]; /* whole objects, of which some cells may not have been written yet */
    for (uint32_t i = 0; i < kept->copied.count; i++)
        gw_object_at(a->f, kept->copied.at[i])->zeroed = true;
    for (uint32_t i = 0; i < gw_op_at(a->primal, call)->operands; i++)
        if (gw_operand_address(a->primal, call, i)) gw_clone_op(&a->c, gw_operand_address(a->primal, call, i));
    gw_clone_op(&a->c, call);
}

bool gw_adjoint_must_rerun(const gw_func *p, gw_op op) {
    for (gw_op in = op; in; in = gw_walk_op(p, in, op)) {
        const gw_op_data *o = gw_op_at(p, in);
        if (gw_is_loop(p, in) && o->imm.i) return true; /* checkpointed: see checkpoint.c */
        if (o->code == GW_OP_CALL && !gw_is_ordered(p, in) &&
            gw_callee_reaches(p, in, GW_OP_READS | GW_OP_WRITES, true))
            return true;
    }
    return false;
}

/* ---- reverse ---- */
/* Cells for the adjoints of by-value operands: a local array for each type. */
typedef struct cells {
    gw_object object[GW_T_SCALARS];
    uint32_t used[GW_T_SCALARS];
} cells;

static void make_cells(gw_adjoint *a, gw_op call, cells *c) {
    gw_session *s = a->f->session;
    uint32_t counts[GW_T_SCALARS] = {0};
    for (uint32_t i = 0; i < gw_op_at(a->primal, call)->operands; i++)
        counts[gw_typeof(a->primal, gw_operand(a->primal, call, i))]++;
    for (gw_type type = GW_T_BOOL; type < GW_T_SCALARS; type++) {
        if (!gw_type_is_float(type) || !counts[type]) continue;
        gw_str name = gw_callee_local_name(s, "d_", gw_op_at(a->primal, call)->callee);
        gw_object d = gw_object_new(a->f, GW_OBJECT_LOCAL, name, gw_type_array(s, type, counts[type]));
        gw_object_at(a->f, d)->zeroed = true;
        gw_object_at(a->f, d)->type_text = s->types.at[type].name;
        gw_op declare = gw_emit(&a->b, GW_OP_DECLARE, GW_T_VOID, 0, NULL, 0);
        gw_op_at(a->f, declare)->object = d;
        c->object[type] = d;
    }
}

/* An operand of the pullback: a value, or where a cell is. Values are made first: addresses stand in a row. */
typedef struct argument {
    gw_value value;
    gw_adjoint_cell cell;
    uint16_t flags;
} argument;
typedef GW_VEC(argument) argument_list;

static void add_primal(gw_adjoint *a, gw_op call, argument_list *list) {
    for (uint32_t i = 0; i < gw_op_at(a->primal, call)->operands; i++) {
        argument x = {0};
        gw_op address = gw_operand_address(a->primal, call, i);
        if (address && gw_is_ordered(a->primal, call)) {
            x.value = gw_int(&a->b, GW_T_ADDRESS, 0);
        } else if (address) {
            uint16_t flags = gw_op_at(a->primal, address)->flags;
            gw_adjoint_find_cell(a, address, &x.cell);
            /* what it writes it puts back */
            if (flags & GW_OP_READS) x.flags = flags & (GW_OP_READS | GW_OP_STALE);
        } else {
            x.value = gw_adjoint_value(a, gw_operand(a->primal, call, i));
        }
        gw_push(list, x);
    }
}

static void add_adjoints(gw_adjoint *a, gw_op call, const bool *part, cells *c, argument_list *list) {
    gw_session *s = a->f->session;
    const gw_rule *rule = gw_rule_find(s, gw_op_at(a->primal, call)->callee);
    for (uint32_t i = 0; i < gw_op_at(a->primal, call)->operands; i++) {
        argument x = {.flags = GW_OP_READS | GW_OP_WRITES};
        gw_type type = gw_typeof(a->primal, gw_operand(a->primal, call, i));
        if (part[i]) {
            gw_adjoint_shadow_cell(a, gw_operand_address(a->primal, call, i), &x.cell);
        } else if (gw_type_is_float(type)) {
            x.cell = (gw_adjoint_cell){.object = c->object[type], .path = gw_intern(s, "[]"), .count = 1};
            x.cell.index[0] = gw_int(&a->b, GW_T_I32, c->used[type]++);
        } else if (rule && rule->pullback && gw_callee_takes_numbers(a->primal, call, i)) {
            x.value = gw_int(&a->b, GW_T_ADDRESS, 0); /* a null pointer */
        } else {
            continue;
        }
        gw_push(list, x);
    }
}

static void emit_call(gw_adjoint *a, const argument_list *list, gw_str callee, uint16_t flags) {
    value_list operands = {0};
    for (uint32_t i = 0; i < list->count; i++) {
        const argument *x = &list->at[i];
        gw_push(&operands, x->value ? x->value
                                    : gw_address(&a->b, x->cell.object, x->cell.path, x->cell.index,
                                                 x->cell.count, x->flags));
    }
    gw_op made = gw_emit(&a->b, GW_OP_CALL, GW_T_VOID, 0, operands.at, operands.count);
    gw_op_at(a->f, made)->callee = callee;
    gw_op_at(a->f, made)->flags = flags;
    gw_vec_free(&operands);
}

/* f_pullback(arguments, seed, &d[0], d_x + i, ...): adjoints of by-value arguments come back in local cells. */
void gw_adjoint_call_reverse(gw_adjoint *a, gw_op call) {
    const gw_op_data o = *gw_op_at(a->primal, call);
    gw_session *s = a->f->session;
    gw_value g = o.results ? gw_adjoint_of(a, o.first_result) : 0;
    bool *part = find_parts(a, call);
    bool acts =
        g || gw_callee_writes_part(a->primal, call, part) || gw_callee_must_answer(a->primal, call, true);
    gw_str callee = acts ? gw_callee_derivative(s, a->primal, call, GW_REQUEST_GRADIENT, part) : 0;
    if (callee) {
        argument_list list = {0};
        cells c = {0};
        gw_adjoint_restore_objects(a, call);
        add_primal(a, call, &list);
        bool returns = o.results && gw_type_is_float(gw_typeof(a->primal, o.first_result));
        if (returns && !g) g = gw_adjoint_zero(a, o.first_result);
        if (returns) gw_push(&list, ((argument){.value = g}));
        make_cells(a, call, &c);
        add_adjoints(a, call, part, &c, &list);
        emit_call(a, &list, callee, o.flags & GW_OP_ORDERED);
        gw_vec_free(&list);
        uint32_t used[GW_T_SCALARS] = {0};
        for (uint32_t i = 0; i < o.operands; i++) {
            gw_value x = gw_operand(a->primal, call, i);
            gw_type type = gw_typeof(a->primal, x);
            if (!gw_type_is_float(type)) continue;
            gw_value index = gw_int(&a->b, GW_T_I32, used[type]++);
            if (gw_active_value(&a->activity, x))
                gw_adjoint_add(a, x, gw_load(&a->b, c.object[type], gw_intern(s, "[]"), &index, 1));
        }
    }
    free(part);
}
