/*
 * split.c - cuts a split gradient in two functions, f_fwd and f_bwd.
 *
 * Requires: a derivative as adjoint/split.c makes it, all decisions made. Guarantees: each half has the
 * parameters that it is called with (the first none of the adjoints), and the ops of its branch. What stands
 * outside of both branches is pure and goes into both; what one does not need of it, emission leaves out.
 */
#include "rewriters/formula/formula.h"

#include "analysis/ir/requests.h"
#include "analysis/ir/restructure.h"

#include <string.h>

const char *const gw_split_names[GW_SPLIT_HALVES] = {"forward", "backward"};

bool gw_is_split(const gw_func *f) {
    const gw_session *s = f->session;
    return f->form == GW_FORM_GRAD && f->request < s->requests.count &&
           gw_request_is_split(&s->requests.at[f->request]);
}

gw_op gw_split_second(const gw_func *f) {
    gw_value condition = gw_is_split(f) ? f->params.at[f->params.count - 1].value : 0;
    for (gw_op op = gw_first(f, f->entry); op && condition; op = gw_next(f, op))
        if (gw_op_at(f, op)->code == GW_OP_IF && gw_operand(f, op, 0) == condition) return op;
    return 0;
}

/* The first half puts what the function returns into this parameter. */
static bool is_result(const gw_func *f, uint32_t i) {
    return f->primal->return_type != GW_T_VOID && i + GW_SPLIT_HALVES + 1 == f->params.count;
}

static bool has_param(const gw_func *f, uint32_t i, gw_form half) {
    bool adjoint = f->params.at[i].is_adjoint;
    if (is_result(f, i)) return half == GW_FORM_FWD;
    return i + GW_SPLIT_HALVES < f->params.count && (half == GW_FORM_BWD || !adjoint);
}

/* Objects that belong to no parameter of the half, if they are adjoints of the caller's, are left out. */
static bool has_object(const gw_func *f, gw_object o, gw_form half) {
    for (uint32_t i = 0; i < f->params.count; i++)
        if (f->params.at[i].object == o) return has_param(f, i, half);
    return true;
}

static void copy_signature(gw_cloner *c, gw_func *half) {
    const gw_func *f = c->from;
    for (gw_object o = 1; o < f->objects.count; o++) {
        if (!has_object(f, o, half->form)) continue;
        gw_object_data d = *gw_object_at(f, o);
        if (d.shadow_of) d.shadow_of = gw_clone_object(c, d.shadow_of);
        gw_push(&half->objects, d);
        gw_map_set(&c->objects, o, half->objects.count - 1);
    }
    for (uint32_t i = 0; i < f->params.count; i++)
        if (has_param(f, i, half->form)) gw_signature_copy_param(c, half, i);
}

/* Records belong to the half that adds to them. */
static void copy_pack(gw_cloner *c, gw_func *half) {
    const gw_func *f = c->from;
    if (!f->pack || half->form != GW_FORM_BWD) return;
    half->pack = gw_clone_object(c, f->pack);
    half->pack_stride = f->pack_stride;
    for (uint32_t i = 0; i < f->packed.count; i++) {
        gw_packed p = f->packed.at[i];
        p.object = gw_clone_object(c, p.object);
        gw_push(&half->packed, p);
    }
}

static bool is_condition(const gw_func *f, gw_value v, int half) {
    return v == f->params.at[f->params.count - GW_SPLIT_HALVES + (uint32_t)half].value;
}

static void cut(const gw_func *f, int which) {
    static const gw_form forms[GW_SPLIT_HALVES] = {GW_FORM_FWD, GW_FORM_BWD};
    gw_func *half = gw_signature_func(f->primal, f->request, forms[which]);
    gw_builder b = {.f = half, .region = half->entry, .loc = f->loc};
    gw_cloner c = {.from = f, .to = &b};
    half->tape_host = f->tape_host;
    memcpy(half->tape_local_slots, f->tape_local_slots, sizeof half->tape_local_slots);
    half->coarse = forms[which] == GW_FORM_BWD ? f->coarse : 0;
    half->coarse_axis = half->coarse ? f->coarse_axis : 0;
    copy_signature(&c, half);
    copy_pack(&c, half);
    for (gw_op op = gw_first(f, f->entry); op; op = gw_next(f, op)) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->code != GW_OP_IF && o->code != GW_OP_RET) gw_clone_op(&c, op);
        if (o->code == GW_OP_IF && is_condition(f, gw_operand(f, op, 0), which))
            gw_clone_region_body(&c, o->region[0]);
    }
    gw_emit(&b, GW_OP_RET, GW_T_VOID, 0, NULL, 0);
    gw_map_free(&c.values);
    gw_map_free(&c.objects);
}

void gw_split_cut(gw_func *f) {
    for (int i = 0; i < GW_SPLIT_HALVES; i++) cut(f, i);
}
