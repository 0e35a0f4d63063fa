/*
 * emit/text/held.c - what variables hold while a branch is written, so that an arm does not give one the value
 * that it has:
 *
 *     float d_T = 0.0f;
 *     if (inside) d_T = ...;                not: if (!inside) { d_T = 0.0f; } else { d_T = ...; }
 *
 * A variable holds a value from where it is made with it, in front of a branch (emit/text/control.c), until
 * something is assigned to it, or to the variable that the value is in. Loops forget all, at both ends: what
 * stands below in their text may have run before.
 */
#include "rewriters/emit/text/text_private.h"

#include <string.h>

static bool is_same(const gw_emitter *e, gw_value a, gw_value b) {
    const gw_func *f = e->f;
    gw_op p = gw_value_at(f, a)->op, q = gw_value_at(f, b)->op;
    const gw_op_data *x = p ? gw_op_at(f, p) : NULL, *y = q ? gw_op_at(f, q) : NULL;
    if (a == b) return true;
    if (x && y && x->code == GW_OP_CONST && y->code == GW_OP_CONST) /* -0.0 is not 0.0 */
        return gw_typeof(f, a) == gw_typeof(f, b) && memcmp(&x->imm, &y->imm, sizeof x->imm) == 0;
    return gw_emit_same_variable(&e->plan, a, b);
}

void gw_emit_hold(gw_emitter *e, gw_value root, gw_value source) {
    gw_push(&e->held, ((gw_emit_held){root, source}));
}

bool gw_emit_holds(const gw_emitter *e, gw_value root, gw_value source) {
    for (uint32_t i = 0; i < e->held.count; i++)
        if (e->held.at[i].root == root && is_same(e, e->held.at[i].source, source)) return true;
    return false;
}

void gw_emit_forget(gw_emitter *e, gw_value root) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < e->held.count; i++) {
        gw_emit_held h = e->held.at[i];
        bool changed = h.root == root ||
                       (!gw_emit_is_inline(&e->plan, h.source) && gw_emit_variable(&e->plan, h.source) == root);
        if (!changed) e->held.at[kept++] = h;
    }
    e->held.count = kept;
}

gw_emit_held_list gw_emit_held_now(const gw_emitter *e) {
    gw_emit_held_list copy = {0};
    for (uint32_t i = 0; i < e->held.count; i++) gw_push(&copy, e->held.at[i]);
    return copy;
}

void gw_emit_held_set(gw_emitter *e, gw_emit_held_list *list) {
    e->held.count = 0;
    for (uint32_t i = 0; i < list->count; i++) gw_push(&e->held, list->at[i]);
}

void gw_emit_held_both(gw_emitter *e, const gw_emit_held_list *other) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < e->held.count; i++) {
        bool found = false;
        for (uint32_t k = 0; k < other->count; k++)
            found |= other->at[k].root == e->held.at[i].root && other->at[k].source == e->held.at[i].source;
        if (found) e->held.at[kept++] = e->held.at[i];
    }
    e->held.count = kept;
}
