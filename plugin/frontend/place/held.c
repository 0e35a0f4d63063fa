/*
 * frontend/place/held.c - pointers in what a parameter leads to: where they lead, and those that the function
 * sets: `p->room = new T[n]`.
 *
 * The IR stores no pointers. So such a pointer is a variable of the function's own from its beginning on, which
 * leads first where the caller let it lead; the function is lowered again when the first store to it is found.
 * When the function ends it must lead nowhere or where it led: what the function allocated is gone then. If it
 * leads nowhere, the last that the function does is to set the caller's to null, so that the first half of a
 * split gradient and a jvp, which do all that the primal does, leave the memory that it leaves.
 *
 * Why that is sound: only a path without an index has such a variable, and in memory that is reached by
 * another index (an array of such structs) it is refused; distinct paths lead to distinct pointers (ir.h).
 * Calls that stay ones are given numbers and pointers to such, and so never find the caller's pointer.
 */
#include "analysis/ir/diagnostics.h"
#include "plugin/frontend/place/place.h"
#include "plugin/frontend/type/type.h"

#include <stdlib.h>

static void refuse(gw_lowering *L, gw_loc loc, const char *what, const char *way_out) {
    if (!L->failed) gw_diag(L->session, GW_DIAG_UNSUPPORTED, loc, what, way_out);
    L->failed = true;
}

gw_place gw_front_behind(gw_lowering *L, gw_place pointer) {
    const gw_shape shape = gw_front_pointee(L->u, pointer.shape);
    const gw_type ir = gw_front_ir_type(L->u, pointer.shape);
    if (L->session->types.at[ir].element == GW_T_VOID || pointer.count >= GW_PLACE_INDICES) {
        const gw_refusal *why = gw_front_shape_at(L->u, shape)->refusal;
        refuse(L, L->b.loc, why ? why->what : "what this pointer in memory leads to",
               "pass it as a parameter of its own");
        return (gw_place){0};
    }
    char *path = gw_format("%s[]", GW_FRONT_TEXT(L, pointer.path));
    pointer.shape = shape;
    pointer.path = gw_intern(L->session, path);
    pointer.index[pointer.count++] = gw_int(&L->b, GW_T_I32, 0);
    free(path);
    return pointer;
}

/* A loop's trial knows no index of a pointer: what is lowered for good is asked again. */
static bool is_at_first(const gw_lowering *L, const gw_place *p) {
    int64_t n;
    const bool is_constant = p->count == 1 && gw_const_int(L->f, p->index[0], &n);
    return is_constant ? !n : p->count == 1 && L->trial_values;
}

/* It, or one that an index may tell apart from it; NULL: none. */
static gw_held_pointer *find(gw_lowering *L, const gw_place *p) {
    for (uint32_t i = 0; L->held && p->kind == GW_PLACE_MEMORY && i < L->held->count; i++) {
        gw_held_pointer *h = &L->held->at[i];
        if (h->is_known && h->object == p->object && h->path == p->path) return h;
    }
    return NULL;
}

void gw_front_held_start(gw_lowering *L) {
    for (uint32_t i = 0; i < L->held->count && !L->failed; i++) {
        gw_held_pointer *h = &L->held->at[i];
        gw_place p = {.kind = GW_PLACE_MEMORY, .object = h->object, .path = h->path, .shape = h->shape};
        p.count = 1;
        p.index[0] = gw_int(&L->b, GW_T_I32, 0);
        h->given = gw_front_behind(L, p), h->is_known = true;
        h->slot = gw_front_slot(L, GW_SLOT_POINTER, GW_T_VOID, gw_object_at(L->f, h->object)->name);
        gw_front_slot_set(L, h->slot, gw_front_pointer_new(L, h->given));
    }
}

bool gw_front_held_target(gw_lowering *L, const gw_place *pointer, gw_place *target) {
    const gw_held_pointer *h = find(L, pointer);
    if (!h) return false;
    if (!is_at_first(L, pointer))
        refuse(L, h->loc, "a store to a pointer in one of several structs",
               "set a local pointer, or let the caller set the one in memory");
    const uint32_t number = L->slots.at[h->slot].value;
    *target = number ? L->pointers.at[number] : (gw_place){0};
    return true;
}

bool gw_front_held_point(gw_lowering *L, const gw_place *pointer, gw_place target) {
    if (pointer->kind != GW_PLACE_MEMORY || pointer->read_only || L->is_program || L->failed) return false;
    const gw_object_data *o = gw_object_at(L->f, pointer->object);
    if (o->kind == GW_OBJECT_STRUCT && !gw_cell_behind_pointer(L->f, pointer->object, pointer->path)) {
        L->stored_param = pointer->object; /* the function is lowered again with a copy of it */
        L->failed = true;
        return true;
    }
    if (!is_at_first(L, pointer) || L->f->kind != GW_FUNC_HOST) return false;
    if (o->kind != GW_OBJECT_POINTER || o->is_container) return false;
    const gw_held_pointer *h = find(L, pointer);
    if (h) {
        gw_front_slot_set(L, h->slot, gw_front_pointer_new(L, target));
        return true;
    }
    gw_push(L->held, ((gw_held_pointer){.object = pointer->object, .path = pointer->path, .loc = L->b.loc}));
    L->held->at[L->held->count - 1].shape = pointer->shape;
    L->must_hold = L->failed = true;
    return true;
}

/* It leads nowhere, or where it led when the function began. */
static bool is_left(const gw_lowering *L, const gw_held_pointer *h, const gw_place *p) {
    int64_t n;
    if (p->kind == GW_PLACE_NULL) return true;
    if (p->kind == GW_PLACE_CHOICE) {
        for (uint32_t i = 0; i < p->count; i++)
            if (!is_left(L, h, &L->candidates.at[p->slot + i])) return false;
        return true;
    }
    if (p->kind != GW_PLACE_MEMORY || !gw_front_same_target(p, &h->given)) return false;
    for (uint32_t i = 0; i < p->count; i++)
        if (!gw_const_int(L->f, p->index[i], &n) || n) return false;
    return true;
}

/* Whether it leads nowhere, of one of those that is_left allows. */
static gw_value is_nowhere(gw_lowering *L, const gw_place *p) {
    gw_value any = gw_int(&L->b, GW_T_BOOL, p->kind == GW_PLACE_NULL);
    for (uint32_t i = 0; p->kind == GW_PLACE_CHOICE && i < p->count; i++) {
        const gw_place candidate = L->candidates.at[p->slot + i];
        const gw_value is = gw_binary(&L->b, GW_OP_EQ, p->index[0], gw_int(&L->b, GW_T_I32, i));
        any = gw_binary(&L->b, GW_OP_OR, any, gw_binary(&L->b, GW_OP_AND, is, is_nowhere(L, &candidate)));
    }
    return any;
}

/* The caller's is null from here on, where that is true. */
static void set_null(gw_lowering *L, const gw_held_pointer *h, gw_value when) {
    char *text = gw_format("%s%s", GW_FRONT_TEXT(L, h->path), GW_PATH_PRESENT);
    const gw_str path = gw_intern(L->session, text);
    free(text);
    gw_branch yes = gw_front_branch_begin(L);
    const gw_value zero = gw_int(&L->b, GW_T_I32, 0);
    gw_store(&L->b, h->object, path, &zero, 1, gw_int(&L->b, GW_T_BOOL, 0));
    gw_front_branch_end(L, &yes);
    gw_branch no = gw_front_branch_begin(L);
    gw_front_branch_end(L, &no);
    gw_front_branch_join(L, when, &yes, &no);
}

void gw_front_held_end(gw_lowering *L) {
    for (uint32_t i = 0; i < L->held->count && !L->failed; i++) {
        const gw_held_pointer *h = &L->held->at[i];
        const gw_place last = L->pointers.at[L->slots.at[h->slot].value];
        if (is_left(L, h, &last))
            set_null(L, h, is_nowhere(L, &last));
        else
            refuse(L, h->loc, "a store to a pointer in memory that leads there still when the function ends",
                   "set it to null before, or let the caller set it");
    }
}
