/*
 * adjoint/split.c - a split gradient: the primal that writes a tape, and the adjoints that read it.
 *
 * The derivative is made as that of a branch that is recorded (adjoint/record.c) and has the whole primal in
 * it: one branch holds the forward version, with all its stores; another its reverse. Two parameters that no
 * caller sees decide whether each runs, so every pass may treat both as one function, tape and barriers
 * included, and nothing can move from one to the other. split.c cuts them apart in the end.
 *
 * Sound: the values of the forward branch are out of scope in the other one. What that needs is recorded,
 * computed again from parameters, or loaded again from memory that the primal never writes (adjoint/reload.c),
 * which the caller leaves as it was until the second half has run. No call in a kernel is given pointers, so
 * none has to be run again; functions of the host with such a call are refused, but for one with
 * effects, whose pullback gets no memory as it was.
 */
#include "analysis/ir/diagnostics.h"
#include "rewriters/adjoint/recursion_private.h"
#include "rewriters/formula/formula.h"

#include <stdlib.h>

static gw_value add_condition(gw_adjoint *a, const char *name) {
    gw_session *s = a->f->session;
    gw_param p = {.name = gw_intern(s, name),
                  .type_text = gw_intern(s, "bool"),
                  .primal_index = UINT32_MAX,
                  .loc = a->primal->loc};
    p.value = gw_region_arg(a->f, a->f->entry, GW_T_BOOL, p.name);
    gw_push(&a->f->params, p);
    return p.value;
}

bool gw_adjoint_check_split(const gw_func *p) {
    for (gw_op op = 1; op < p->ops.count; op++) {
        const gw_op_data *o = gw_op_at(p, op);
        const uint16_t any = GW_OP_READS | GW_OP_WRITES;
        if (o->dead || o->code != GW_OP_CALL || gw_is_ordered(p, op)) continue;
        if (!gw_callee_reaches(p, op, any, true) && !gw_callee_reaches(p, op, any, false)) continue;
        gw_diag(p->session, GW_DIAG_UNSUPPORTED, gw_op_at(p, op)->loc, "a call with pointers, in two halves,",
                "ask for GW_GRADIENT, which runs both in one call");
        return false;
    }
    return true;
}

/* The first half of a function that returns a number has a pointer to it as its last parameter. */
static gw_object add_result(gw_adjoint *a) {
    const gw_func *p = a->primal;
    gw_session *s = a->f->session;
    if (p->return_type == GW_T_VOID) return 0;
    char *text = gw_format("%s *", gw_cstr(s, p->return_text));
    char *pattern = p->return_pattern ? gw_format("%s *", gw_cstr(s, p->return_pattern)) : NULL;
    gw_param q = {.name = gw_intern(s, "result"),
                  .type_text = gw_intern(s, text),
                  .primal_index = UINT32_MAX,
                  .loc = p->loc};
    if (pattern) q.pattern = gw_intern(s, pattern);
    q.object = gw_object_new(a->f, GW_OBJECT_POINTER, q.name, p->return_type);
    gw_object_at(a->f, q.object)->type_text = p->return_text;
    gw_push(&a->f->params, q);
    free(text);
    free(pattern);
    return q.object;
}

static void store_result(gw_adjoint *a, gw_object result) {
    gw_value v = gw_yielded(a->primal, a->primal->entry, 0), first = gw_int(&a->b, GW_T_I32, 0);
    gw_store(&a->b, result, gw_intern(a->f->session, "[]"), &first, 1, gw_clone_value(&a->c, v));
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

void gw_adjoint_split(gw_adjoint *a, const gw_object *scalar_adjoints, gw_value seed) {
    gw_region entry = a->primal->entry;
    gw_object result = add_result(a);
    gw_value conditions[GW_SPLIT_HALVES];
    for (int i = 0; i < GW_SPLIT_HALVES; i++) conditions[i] = add_condition(a, gw_split_names[i]);
    gw_region forward = open_half(a, conditions[0]);
    a->recording++;
    gw_adjoint_forward(a, entry);
    a->recording--;
    if (result) store_result(a, result);
    gw_yield(&a->b, NULL, 0);
    gw_adjoint_leave_forward(a, entry);
    gw_region backward = open_half(a, conditions[1]);
    gw_adjoint_make_shadows(a);
    gw_adjoint_enter(a, entry, forward, backward);
    gw_adjoint_backward(a, entry, &seed, a->roles.returned, 0);
    gw_adjoint_end(a, scalar_adjoints);
    gw_adjoint_leave(a);
    gw_yield(&a->b, NULL, 0);
    a->b.region = a->f->entry;
}
