/*
 * adjoint_split.c - a split gradient: the primal that writes a tape, and the adjoints that read it.
 *
 * The derivative is made as that of a branch that is recorded (adjoint_record.c) and has the whole primal in it: one branch
 * holds the forward version, with all its stores; another its reverse. Two parameters that no caller sees decide
 * whether each runs, so every pass may treat both as one function, tape and barriers included, and nothing can move from
 * one to the other. split.c cuts them apart in the end.
 *
 * Sound: the values of the forward branch are out of scope in the other one. What that needs is recorded, computed again
 * from parameters, or loaded again from memory that the primal never writes (adjoint_reload.c), which the caller leaves as
 * it was until the second half has run. No call in a kernel is given pointers, so none has to be run again; functions of the
 * host with such a call are refused.
 */
#include "adjoint.h"
#include "split.h"

static gw_value add_condition(gw_adjoint *a, const char *name) {
    gw_session *s = a->f->session;
    gw_param p = {.name = gw_intern(s, name), .type_text = gw_intern(s, "bool"), .primal_index = UINT32_MAX, .loc = a->primal->loc};
    p.value = gw_region_arg(a->f, a->f->entry, GW_T_BOOL, p.name);
    gw_push(&a->f->params, p);
    return p.value;
}

bool gw_adjoint_check_split(const gw_func *p) {
    for (gw_op op = 1; op < p->ops.count; op++) {
        if (gw_op_at(p, op)->dead || gw_op_at(p, op)->code != GW_OP_ADDRESS) continue;
        gw_diag(p->session, GW_DIAG_UNSUPPORTED, gw_op_at(p, op)->loc, "a call with pointers, in two halves,",
                "ask for GW_GRADIENT, which runs both in one call");
        return false;
    }
    return true;
}

/* A branch that runs on the condition, with the builder in it. */
static gw_region open_half(gw_adjoint *a, gw_value condition) {
    a->b.region = a->f->entry;
    gw_op branch = gw_emit(&a->b, GW_OP_IF, GW_T_VOID, 0, &condition, 1);
    gw_region half = gw_region_new(a->f, branch);
    a->b.region = gw_region_new(a->f, branch);
    gw_yield(&a->b, NULL, 0);
    a->b.region = half;
    return half;
}

void gw_adjoint_split(gw_adjoint *a, const gw_object *scalar_adjoints) {
    gw_region entry = a->primal->entry;
    gw_value conditions[GW_SPLIT_HALVES];
    for (int i = 0; i < GW_SPLIT_HALVES; i++) conditions[i] = add_condition(a, gw_split_names[i]);
    gw_region forward = open_half(a, conditions[0]);
    a->recording++;
    gw_adjoint_forward(a, entry);
    a->recording--;
    gw_yield(&a->b, NULL, 0);
    gw_adjoint_leave_forward(a, entry);
    gw_region backward = open_half(a, conditions[1]);
    gw_adjoint_make_shadows(a);
    gw_adjoint_enter(a, entry, forward, backward);
    gw_adjoint_backward(a, entry, NULL, 0, 0);
    gw_adjoint_end(a, scalar_adjoints);
    gw_adjoint_leave(a);
    gw_yield(&a->b, NULL, 0);
    a->b.region = a->f->entry;
}
