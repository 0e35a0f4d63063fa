/*
 * frontend/state/targets.c - lists of the objects and paths that a pointer may lead to, without their offsets.
 *
 * Where branches or the turns of a loop meet, a pointer leads to one of the targets of all of them: its values
 * there are a selector, if there are several, and the offsets of each. Targets are those that some path through
 * the function sets; a path that sets none (an unset pointer) leaves selector and offsets at 0, which nobody
 * may read.
 */
#include "plugin/frontend/state/state.h"

enum { MOST = 64 }; /* candidates */

bool gw_front_same_target(const gw_place *a, const gw_place *b) {
    return a->kind == b->kind && a->detached == b->detached && a->shape == b->shape && a->most == b->most &&
           a->view == b->view && a->cell == b->cell && a->view_from == b->view_from && a->slot == b->slot &&
           a->numbers_of == b->numbers_of && a->upper == b->upper &&
           a->object == b->object && a->is_exact == b->is_exact && a->path == b->path && a->count == b->count;
}

static bool listed(const gw_targets *list, const gw_place *p, uint32_t *at) {
    for (*at = 0; *at < list->count; ++*at)
        if (gw_front_same_target(&list->at[*at], p)) return true;
    return false;
}

static bool may_be_several(const gw_place *p) {
    return p->kind == GW_PLACE_SLOTS || p->kind == GW_PLACE_MEMORY || p->kind == GW_PLACE_NULL ||
           p->kind == GW_PLACE_FUNCTION;
}

void gw_front_targets_add(gw_lowering *L, gw_targets *list, const gw_place *p) {
    uint32_t at;
    if (p->kind == GW_PLACE_NONE || list->torn) return;
    if (p->kind == GW_PLACE_CHOICE) {
        for (uint32_t i = 0; i < p->count; i++) {
            gw_place candidate = L->candidates.at[p->slot + i];
            gw_front_targets_add(L, list, &candidate);
        }
        return;
    }
    if (listed(list, p, &at)) return;
    list->torn = p->kind == GW_PLACE_TORN || (list->count && !may_be_several(p)) || list->count == MOST;
    for (uint32_t i = 0; i < list->count; i++)
        list->torn |= !may_be_several(&list->at[i]);
    gw_push(list, *p);
}

void gw_front_targets_free(gw_targets *list) {
    gw_vec_free(list);
    *list = (gw_targets){0};
}

static uint32_t offsets(const gw_place *p) { return p->kind == GW_PLACE_MEMORY ? p->count : 0; }

uint32_t gw_front_targets_width(const gw_targets *list) {
    uint32_t width = list->count > 1;
    for (uint32_t i = 0; i < list->count && !list->torn; i++)
        width += offsets(&list->at[i]);
    return list->torn ? 0 : width;
}

/* The number in `list` of the candidate that p's selector tells. */
static gw_value select_in(gw_lowering *L, const gw_targets *list, const gw_place *p) {
    uint32_t at;
    gw_value v = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        bool known = listed(list, &L->candidates.at[p->slot + i], &at);
        gw_value here = gw_int(&L->b, GW_T_I32, known ? at : 0);
        gw_value is = i ? gw_binary(&L->b, GW_OP_EQ, p->index[0], gw_int(&L->b, GW_T_I32, i)) : 0;
        v = i ? gw_select(&L->b, is, here, v) : here;
    }
    return v;
}

bool gw_front_targets_in_order(gw_lowering *L, const gw_targets *list, const gw_place *p) {
    uint32_t at;
    for (uint32_t i = 0; i < p->count; i++)
        if (!listed(list, &L->candidates.at[p->slot + i], &at) || at != i) return false;
    return true;
}

static void put_offsets(gw_lowering *L, const gw_targets *list, const gw_place *p, gw_value *out) {
    uint32_t at, first = list->count > 1;
    if (!listed(list, p, &at)) return;
    for (uint32_t i = 0; i < at; i++)
        first += offsets(&list->at[i]);
    for (uint32_t i = 0; i < offsets(p); i++)
        out[first + i] = gw_cast(&L->b, GW_T_I64, p->index[i]);
}

void gw_front_targets_values(gw_lowering *L, const gw_targets *list, const gw_place *p, gw_value *out) {
    uint32_t at, width = gw_front_targets_width(list);
    for (uint32_t i = 0; i < width; i++)
        out[i] = 0;
    if (p->kind == GW_PLACE_CHOICE) {
        if (list->count > 1)
            out[0] = gw_front_targets_in_order(L, list, p) ? p->index[0] : select_in(L, list, p);
        for (uint32_t i = 0; i < p->count; i++) {
            gw_place candidate = L->candidates.at[p->slot + i];
            put_offsets(L, list, &candidate, out);
        }
    } else if (listed(list, p, &at)) {
        if (list->count > 1) out[0] = gw_int(&L->b, GW_T_I32, at);
        put_offsets(L, list, p, out);
    }
    for (uint32_t i = 0; i < width; i++)
        if (!out[i]) out[i] = gw_int(&L->b, !i && list->count > 1 ? GW_T_I32 : GW_T_I64, 0);
}

gw_place gw_front_targets_place(gw_lowering *L, const gw_targets *list, const gw_value *values) {
    if (list->torn) return (gw_place){.kind = GW_PLACE_TORN};
    if (!list->count) return (gw_place){0};
    uint32_t next = list->count > 1, first = L->candidates.count;
    int64_t known;
    for (uint32_t i = 0; i < list->count; i++) {
        gw_place p = list->at[i];
        for (uint32_t k = 0; k < offsets(&p); k++)
            p.index[k] = values[next++];
        gw_push(&L->candidates, p);
    }
    if (list->count == 1) return L->candidates.at[first];
    if (gw_const_int(L->f, values[0], &known) && known >= 0 && known < list->count)
        return L->candidates.at[first + (uint32_t)known];
    gw_place all = {.kind = GW_PLACE_CHOICE, .slot = first, .count = list->count, .index = {values[0]}};
    for (uint32_t i = 0; i < list->count; i++)
        if (list->at[i].kind != GW_PLACE_NULL) all.shape = list->at[i].shape;
    return all;
}
