/*
 * facts/atomic_check.c - which atomic operations on floats a derivative can have (contract: facts.h).
 *
 * Refused are
 *   - a result that carries a derivative: what the cell held is made of what others added before, and which
 *     they were nobody records;
 *   - a maximum, minimum or exchange whose winner carries one (rewriters/adjoint/atomic.c), but in a split
 *     gradient, on the caller's memory, where the kernel does nothing else with the object than this one
 *     operation, and loads whose values carry no derivative.
 */
#include "analysis/facts/facts.h"

#include "analysis/ir/atomic.h"
#include "analysis/ir/diagnostics.h"

static bool is_winner(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    return gw_atomic_rows[o->attr].floats == 'w' &&
           gw_type_is_float(gw_typeof(f, gw_operand(f, op, o->operands - 1)));
}

/* Another op that reads or writes the object so that its adjoint would be read or written, too. */
static gw_op other_use(const gw_activity *a, gw_op winner) {
    const gw_func *f = a->f;
    const gw_op_data *w = gw_op_at(f, winner);
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead || o->object != w->object || (o->code == GW_OP_ATOMIC && o->attr == w->attr)) continue;
        if (o->code != GW_OP_LOAD || gw_active_value(a, o->first_result)) return op;
    }
    return 0;
}

static bool refuse(const gw_func *f, gw_op op, const char *what, const char *way_out) {
    gw_diag(f->session, GW_DIAG_UNSUPPORTED, gw_op_at(f, op)->loc, what, way_out);
    return false;
}

static bool check_winner(const gw_activity *a, gw_op op, gw_form form) {
    const gw_func *f = a->f;
    const gw_object_data *object = gw_object_at(f, gw_op_at(f, op)->object);
    const char *name = gw_cstr(f->session, object->name);
    gw_op other = other_use(a, op);
    if (form == GW_FORM_JVP)
        return refuse(f, op, "forward, a maximum, minimum or exchange by atomics",
                      "ask for GW_SPLIT_GRADIENT, or find the value in a kernel of its own");
    if (gw_object_is_inner(object->kind))
        return refuse(f, op, "a maximum, minimum or exchange of floats by atomics on shared memory",
                      "reduce with shuffles or in a tree");
    if (other)
        return refuse(
            f, other,
            "another use of memory on which a maximum, minimum or exchange of floats works by atomics",
            "use it in another kernel");
    if (form == GW_FORM_BWD) return true;
    gw_diag(f->session, GW_DIAG_ATOMIC_WINNER, gw_op_at(f, op)->loc, name, name);
    return false;
}

bool gw_check_atomics(const gw_activity *a, const gw_roles *roles, gw_form form) {
    const gw_func *f = a->f;
    bool good = true;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead || o->code != GW_OP_ATOMIC) continue;
        bool inner = gw_object_is_inner(gw_object_at(f, o->object)->kind);
        if (o->results && gw_type_is_float(gw_typeof(f, o->first_result)) &&
            gw_active_value(a, o->first_result))
            good &= refuse(f, op, "the result of an atomic operation on floats",
                           "let each thread write a cell of its own and reduce in a second kernel");
        else if (is_winner(f, op) && gw_active_cell(a, op) && (inner || roles->input[op] || roles->output[op]))
            good &= check_winner(a, op, form);
    }
    return good;
}
