/*
 * frontend/call/openmp_reached.c - whether a function that is inlined reaches what its parameter stands for by
 * another parameter, too.
 *
 * A reduction gives each thread its own of what the parameter leads to. What is read or set through another
 * name is the one that all threads have, which one thread reads with what it has summed so far. Here each
 * argument's place is known, so it is asked where pointers and references lead: those of parameters that the
 * body uses, of members that are pointers, and of the object that a method is called for. Arguments of a
 * function that is differentiated by itself are taken to lie apart, as everywhere.
 */
#include "plugin/frontend/call/openmp_walk_private.h"
#include "plugin/frontend/place/place.h"
#include "plugin/frontend/type/type.h"

/* The first slot of the variable that the slot is of. */
static uint32_t variable_of(const gw_lowering *L, uint32_t slot) {
    const gw_slot_data *d = &L->slots.at[slot];
    return d->leaves ? d->first : slot;
}

static bool meet(const gw_lowering *L, const gw_place *a, const gw_place *b) {
    if (a->kind == GW_PLACE_CHOICE)
        for (uint32_t i = 0; i < a->count; i++)
            if (meet(L, &L->candidates.at[a->slot + i], b)) return true;
    if (b->kind == GW_PLACE_CHOICE) return meet(L, b, a);
    if (a->kind == GW_PLACE_TORN || b->kind == GW_PLACE_TORN) return true;
    if (a->kind != b->kind) return false;
    if (a->kind == GW_PLACE_SLOTS) return variable_of(L, a->slot) == variable_of(L, b->slot);
    return a->kind == GW_PLACE_MEMORY && a->object == b->object;
}

/* By pointers that are kept at the place. */
static bool leads_to(const gw_lowering *L, const gw_place *from, const gw_place *to) {
    if (from->kind != GW_PLACE_SLOTS) return false;
    const uint32_t first = variable_of(L, from->slot), leaves = L->slots.at[first].leaves;
    for (uint32_t slot = first; slot < first + (leaves ? leaves : 1); slot++) {
        const gw_slot_data *d = &L->slots.at[slot];
        if (d->kind == GW_SLOT_POINTER && d->value && meet(L, &L->pointers.at[d->value], to)) return true;
    }
    return false;
}

bool gw_front_openmp_is_reached(const gw_openmp_asked *asked, CXCursor variable) {
    gw_lowering *L = asked->L;
    const gw_frame *frame = L->frames.count ? &L->frames.at[L->frames.count - 1] : NULL;
    if (!frame || clang_Cursor_isNull(frame->call) || clang_getCursorKind(variable) != CXCursor_ParmDecl)
        return false;
    gw_place to = gw_front_variable(L, variable, variable);
    if (!gw_front_is_reference(clang_getCursorType(variable))) {
        const uint32_t pointer = to.kind == GW_PLACE_SLOTS && L->slots.at[to.slot].kind == GW_SLOT_POINTER
                                     ? L->slots.at[to.slot].value
                                     : 0;
        if (!pointer) return false; /* a copy */
        to = L->pointers.at[pointer];
    }
    if (frame->self.kind && (meet(L, &frame->self, &to) || leads_to(L, &frame->self, &to))) return true;
    for (int i = 0; i < clang_Cursor_getNumArguments(asked->definition); i++) {
        const CXCursor other = clang_Cursor_getArgument(asked->definition, (unsigned)i);
        if (clang_equalCursors(other, variable)) continue;
        if (!gw_front_openmp_counted(gw_front_body(asked->definition), other).uses) continue;
        const gw_place place = gw_front_variable(L, other, other);
        const bool is_it = gw_front_is_reference(clang_getCursorType(other)) && meet(L, &place, &to);
        if (is_it || leads_to(L, &place, &to)) return true;
    }
    return false;
}
