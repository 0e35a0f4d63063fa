/*
 * frontend/state/slot.c - slots: local scalars, pointers and exits, with the values that they have now.
 *
 * Every change goes into the journal, so that the changes of a branch can be read off and undone. A slot
 * that is not set has value 0; reading it is undefined in the source, and gives zero here.
 */
#include "plugin/frontend/state/state.h"

uint32_t gw_front_slot(gw_lowering *L, gw_slot_kind kind, gw_type type, gw_str name) {
    gw_push(&L->slots, ((gw_slot_data){.kind = kind, .type = type, .name = name}));
    return L->slots.count - 1;
}

void gw_front_slot_set(gw_lowering *L, uint32_t slot, uint32_t value) {
    gw_slot_data *s = &L->slots.at[slot];
    gw_push(&L->journal, ((gw_slot_change){slot, s->value}));
    s->value = value;
    if (s->kind == GW_SLOT_POINTER || !value) return;
    gw_value_data *v = gw_value_at(L->f, value);
    if (!v->name && v->op && gw_op_at(L->f, v->op)->code != GW_OP_CONST) v->name = s->name;
}

gw_value gw_front_zero(gw_lowering *L, gw_type type) {
    type = gw_type_of_value(type);
    return gw_type_is_float(type) ? gw_real(&L->b, type, 0) : gw_int(&L->b, type, 0);
}

gw_value gw_front_slot_value(gw_lowering *L, uint32_t slot) {
    gw_slot_data *s = &L->slots.at[slot];
    return s->value ? s->value : gw_front_zero(L, s->type);
}

static bool listed(const gw_slot_changes *list, uint32_t slot) {
    for (uint32_t i = 0; i < list->count; i++)
        if (list->at[i].slot == slot) return true;
    return false;
}

static int by_slot(const void *x, const void *y) {
    uint32_t a = ((const gw_slot_change *)x)->slot, b = ((const gw_slot_change *)y)->slot;
    return a < b ? -1 : a > b;
}

void gw_front_slot_changes(gw_lowering *L, uint32_t mark, uint32_t limit, gw_slot_changes *out) {
    gw_slot_changes seen = {0};
    for (uint32_t i = mark; i < L->journal.count; i++) {
        gw_slot_change old = L->journal.at[i];
        if (old.slot >= limit || old.slot >= L->slots.count || listed(&seen, old.slot)) continue;
        gw_push(&seen, old);
        uint32_t now = L->slots.at[old.slot].value;
        if (now != old.value) gw_push(out, ((gw_slot_change){old.slot, now}));
    }
    if (out->count) qsort(out->at, out->count, sizeof *out->at, by_slot);
    gw_vec_free(&seen);
}

void gw_front_slot_rollback(gw_lowering *L, uint32_t mark) {
    while (L->journal.count > mark) {
        gw_slot_change old = L->journal.at[--L->journal.count];
        if (old.slot < L->slots.count) L->slots.at[old.slot].value = old.value;
    }
}

uint32_t gw_front_pointer_new(gw_lowering *L, gw_place target) {
    if (!L->pointers.count) gw_push(&L->pointers, (gw_place){0});
    gw_front_row_mark(L, &target);
    gw_push(&L->pointers, target);
    return L->pointers.count - 1;
}
