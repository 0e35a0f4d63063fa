/*
 * frontend/state/scope.c - what is bound while its scope lasts, what is destroyed at its end, and the
 * diagnostics of a lowering, of which the first ends that of its statement.
 */
#include "plugin/frontend/parse/parse.h"
#include "plugin/frontend/state/state.h"

#include "analysis/ir/diagnostics.h"

gw_loc gw_front_at(gw_lowering *L, CXCursor cursor) {
    gw_loc loc = gw_front_loc(L->u, clang_getCursorLocation(cursor));
    return loc.line ? loc : L->b.loc;
}

static bool is_of_library(const gw_lowering *L, CXCursor at, bool standing_in) {
    CXSourceLocation where = clang_getCursorLocation(at);
    return gw_front_is_stand_in(L->u, where) || gw_front_is_of_toolkit(where) ||
           (!standing_in && clang_Location_isInSystemHeader(where));
}

static gw_loc users_place(gw_lowering *L, CXCursor at, bool standing_in) {
    for (uint32_t i = L->frames.count; is_of_library(L, at, standing_in) && i-- > 0;)
        if (!clang_Cursor_isNull(L->frames.at[i].call)) at = L->frames.at[i].call;
    return gw_front_at(L, at);
}

/* An algorithm is where it is called. */
void gw_front_locate(gw_lowering *L, CXCursor cursor) { L->b.loc = users_place(L, cursor, true); }

/* What is wrong in a library's code is told where the user's calls it. */
gw_loc gw_front_users_place(gw_lowering *L, CXCursor at) { return users_place(L, at, false); }

static bool is_lost(const gw_lowering *L, CXCursor variable) {
    bool is = false;
    for (uint32_t i = 0; i < L->lost.count && !is; i++)
        is = clang_equalCursors(L->lost.at[i], variable) != 0;
    return is;
}

bool gw_front_use_lost(gw_lowering *L, CXCursor variable) {
    L->failed |= is_lost(L, variable);
    return L->failed;
}

static enum CXChildVisitResult find_lost(CXCursor c, CXCursor parent, CXClientData data) {
    const gw_lowering **L = data;
    (void)parent;
    if (!is_lost(*L, clang_getCursorReferenced(c))) return CXChildVisit_Recurse;
    *L = NULL;
    return CXChildVisit_Break;
}

/* It is refused for what a refused statement did not do. */
static bool names_lost(const gw_lowering *L, CXCursor e) {
    if (!L->lost.count) return false;
    if (find_lost(e, e, &L) == CXChildVisit_Recurse) clang_visitChildren(e, find_lost, &L);
    return !L;
}

void gw_front_refuse(gw_lowering *L, CXCursor at, const char *what, const char *way_out) {
    gw_unit *u = L->u;
    const bool failed = L->failed;
    L->failed = true;
    if (names_lost(L, at)) return;
    if (!failed) gw_diag(L->session, GW_DIAG_UNSUPPORTED, gw_front_users_place(L, at), what, way_out);
    if (u->other_thrust)
        gw_diag(L->session, GW_DIAG_OTHER_THRUST, u->other_thrust_at, gw_cstr(L->session, u->other_thrust));
    u->other_thrust = 0;
}

void gw_front_refuse_unthrown(gw_lowering *L) {
    if (L->failed) return;
    gw_diag(L->session, GW_DIAG_UNSUPPORTED, L->b.loc,
            "what may throw to a handler of the same function, where it stands in a condition,",
            "assign it to a variable before");
    L->failed = true;
}

gw_scope gw_front_scope(const gw_lowering *L) { return (gw_scope){L->bindings.count, L->slots.count}; }

void gw_front_scope_end(gw_lowering *L, gw_scope scope) {
    L->bindings.count = scope.bindings;
    for (uint32_t i = 0; i < L->owned.count; i++) { /* an argument that ends with the expression around it */
        const gw_place *p = &L->owned.at[i].place;
        if (p->kind == GW_PLACE_SLOTS && p->slot >= scope.slots) return;
    }
    L->slots.count = scope.slots;
}

void gw_front_bind(gw_lowering *L, CXCursor decl, gw_place place) {
    place.detached |= gw_front_is_nondifferentiable(L->u, decl);
    gw_push(&L->bindings, ((gw_binding){decl, place}));
}

void gw_front_own(gw_lowering *L, CXCursor variable, gw_place place) {
    if (L->failed || !gw_front_shape_at(L->u, place.shape)->destructs) return;
    gw_push(&L->owned, ((gw_owned){variable, place, L->b.region, false}));
}

void gw_front_leave(gw_lowering *L, uint32_t i) {
    for (uint32_t k = 0; k < L->unthrown.count; k++)
        if (L->unthrown.at[k].owned > i) L->unthrown.at[k].owned--;
    L->owned.count--;
    for (uint32_t k = i; k < L->owned.count; k++)
        L->owned.at[k] = L->owned.at[k + 1];
}

void gw_front_disown(gw_lowering *L, gw_place place) {
    for (uint32_t i = L->owned.count; i-- > 0 && !L->failed;) {
        const gw_owned *o = &L->owned.at[i];
        const bool same = o->place.kind == place.kind && o->place.slot == place.slot &&
                          o->place.object == place.object && o->place.shape == place.shape;
        if (!same || !clang_Cursor_isNull(o->decl)) continue;
        gw_front_leave(L, i);
        return;
    }
}

void gw_front_give_away(gw_lowering *L, CXCursor variable) {
    for (uint32_t i = 0; i < L->owned.count; i++)
        if (clang_equalCursors(L->owned.at[i].decl, variable)) L->owned.at[i].returned = true;
}
