/*
 * frontend/place/made.c - a struct that holds pointers, of malloc(sizeof *m) or new: `m->data = malloc(...)`.
 *
 * The IR stores no pointers. So such a struct is a variable of the function's own from its beginning on, whose
 * pointers are slots; the function is lowered again when the first call that makes one is found. A call is the
 * place where it stands, in the calls that are inlined around it.
 *
 * Why that is sound: a call that is come to again, in a loop, makes another struct, and there is one variable
 * only. So whatever leads to the earlier one then leads to nobody knows where, and its use is refused: that is
 * what a list or tree does. Pointers stand in slots and names only.
 */
#include "plugin/frontend/place/place.h"
#include "plugin/frontend/type/type.h"

static bool has_arrays(const gw_unit *u, const gw_shape_data *d) {
    bool has = d->kind == GW_SHAPE_ARRAY || d->is_union;
    for (uint32_t i = 0; d->kind == GW_SHAPE_STRUCT && i < d->count && !has; i++) {
        const gw_shape_field *f = &u->fields.at[d->first + i];
        has = f->is_apart || f->is_text || has_arrays(u, gw_front_shape_at(u, f->shape));
    }
    return has;
}

bool gw_front_may_be_made(const gw_lowering *L, gw_shape shape, gw_value count) {
    const gw_shape_data *d = gw_front_shape_at(L->u, shape);
    int64_t n;
    return d->kind == GW_SHAPE_STRUCT && d->has_pointer && d->leaves && !d->destructs && !d->library &&
           L->f->kind == GW_FUNC_HOST && !L->is_program && gw_const_int(L->f, count, &n) && n == 1 &&
           !has_arrays(L->u, d);
}

void gw_front_made_start(gw_lowering *L) {
    for (uint32_t i = 0; i < L->made->count && !L->failed; i++) {
        gw_made *m = &L->made->at[i];
        m->slot = gw_front_temp(L, m->shape, m->name).slot;
    }
}

static gw_str site_of(gw_lowering *L, CXCursor call) {
    gw_text text = {0};
    for (uint32_t i = 0; i <= L->frames.count; i++) {
        const CXCursor at = i < L->frames.count ? L->frames.at[i].call : call;
        const gw_loc loc = gw_front_loc(L->u, clang_getCursorLocation(at));
        gw_text_addf(&text, "%u:%u:%u;", (unsigned)loc.file, loc.line, loc.column);
    }
    const gw_str site = gw_intern(L->session, text.at);
    gw_text_free(&text);
    return site;
}

static bool leads_to(const gw_lowering *L, const gw_place *p, const gw_made *m) {
    const uint32_t leaves = gw_front_shape_at(L->u, m->shape)->leaves;
    bool leads = p->kind == GW_PLACE_SLOTS && p->slot >= m->slot && p->slot < m->slot + leaves;
    for (uint32_t i = 0; i < p->count && p->kind == GW_PLACE_CHOICE && !leads; i++)
        leads = leads_to(L, &L->candidates.at[p->slot + i], m);
    return leads;
}

/* What leads to the struct that this call made before. */
static void forget(gw_lowering *L, const gw_made *m) {
    const gw_place nobody_knows = {.kind = GW_PLACE_TORN};
    for (uint32_t i = 0; i < L->slots.count; i++) {
        const gw_slot_data s = L->slots.at[i];
        if (s.kind != GW_SLOT_POINTER || !s.value) continue;
        const gw_place p = L->pointers.at[s.value];
        if (leads_to(L, &p, m)) gw_front_slot_set(L, i, gw_front_pointer_new(L, nobody_knows));
    }
    for (uint32_t i = 0; i < L->bindings.count; i++)
        if (leads_to(L, &L->bindings.at[i].place, m)) L->bindings.at[i].place = nobody_knows;
    for (uint32_t i = 0; i < L->frames.count; i++)
        if (leads_to(L, &L->frames.at[i].self, m)) L->frames.at[i].self = nobody_knows;
}

gw_place gw_front_make(gw_lowering *L, gw_shape shape, CXCursor call) {
    const gw_str site = site_of(L, call);
    for (uint32_t i = 0; i < L->made->count; i++) {
        const gw_made *m = &L->made->at[i];
        if (m->site != site || m->shape != shape) continue;
        forget(L, m);
        const gw_place made = {.kind = GW_PLACE_SLOTS, .shape = shape, .slot = m->slot};
        gw_front_clear(L, made);
        return made;
    }
    gw_push(L->made, ((gw_made){.site = site, .shape = shape, .name = L->naming}));
    L->must_hold = L->failed = true;
    return (gw_place){0};
}

bool gw_front_is_made(const gw_lowering *L, const gw_place *p) {
    bool is = false;
    for (uint32_t i = 0; i < L->made->count && p->kind == GW_PLACE_SLOTS; i++)
        is |= L->made->at[i].slot == p->slot && L->made->at[i].shape == p->shape;
    return is;
}
