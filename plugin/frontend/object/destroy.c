/*
 * frontend/object/destroy.c - destructors: of variables at the end of their list of statements, of objects
 * without a name at the end of their expression, last first.
 *
 * All paths come to the end of a list, those that left it too (state/exit.c): so a destructor runs once,
 * under no condition, and knows nothing of the exits around it. A variable that every return names lives on as
 * the result. An object without a name to which a reference is bound is the reference's, and ends with it.
 */
#include "plugin/frontend/lower.h"
#include "plugin/frontend/object/object.h"
#include "plugin/frontend/type/type.h"

#include "analysis/ir/diagnostics.h"

static void destroy(gw_lowering *L, gw_place object, gw_place none, CXCursor at) {
    (void)none;
    const gw_shape_data d = *gw_front_shape_at(L->u, object.shape);
    if (!d.destructs || L->failed) return;
    if (d.kind == GW_SHAPE_ARRAY) {
        gw_front_each_element_back(L, object, destroy, at);
        return;
    }
    if (d.library == GW_LIBRARY_UNIQUE) {
        gw_front_unique_end(L, object, at);
        return;
    }
    CXCursor destructor = d.library ? clang_getNullCursor() : gw_front_destructor(d.clang);
    gw_cursors arguments = {0};
    if (!clang_Cursor_isNull(destructor)) {
        CXCursor definition = clang_getCursorDefinition(destructor);
        if (clang_Cursor_isNull(definition))
            gw_front_refuse(L, at, "a class whose destructor is defined elsewhere",
                            "define it in this translation unit");
        else
            gw_front_inline(L, at, definition, &object, &arguments);
    }
    for (uint32_t i = d.count; i-- > 0 && !L->failed;)
        if (gw_front_holds(&d, i)) destroy(L, gw_front_member(L, object, i), none, at);
}

/* In a world without the exits around. */
static void destroy_one(gw_lowering *L, const gw_owned *o, CXCursor at) {
    const bool dead = L->dead;
    const gw_loc loc = L->b.loc;
    gw_exits outer = L->exits;
    L->exits = (gw_exits){0};
    L->dead = false;
    destroy(L, o->place, (gw_place){0}, at);
    gw_vec_free(&L->exits);
    L->exits = outer;
    L->dead = dead;
    L->b.loc = loc;
}

void gw_front_destroy_nameless(gw_lowering *L, uint32_t first) {
    for (uint32_t i = L->owned.count; i-- > first && !L->failed;) {
        const gw_owned o = L->owned.at[i];
        if (!clang_Cursor_isNull(o.decl)) continue;
        gw_front_leave(L, i);
        if (o.region == L->b.region)
            destroy_one(L, &o, L->frames.at[L->frames.count - 1].decl);
        else
            gw_diag(L->session, GW_DIAG_UNSUPPORTED, L->b.loc,
                    "an object without a name whose class has a destructor, in a condition,",
                    "declare a variable of it before");
        L->failed |= o.region != L->b.region;
    }
}

static bool is_part(const gw_lowering *L, const gw_place *part, const gw_place *of) {
    if (part->kind != of->kind) return false;
    if (part->kind != GW_PLACE_SLOTS) return part->object == of->object;
    const uint32_t leaves = gw_front_shape_at(L->u, of->shape)->leaves;
    return part->slot >= of->slot && part->slot < of->slot + leaves;
}

void gw_front_extend(gw_lowering *L, uint32_t first, CXCursor variable, const gw_place *to, bool listed) {
    for (uint32_t i = first; i < L->owned.count && !L->failed; i++) {
        gw_owned *o = &L->owned.at[i];
        if (!clang_Cursor_isNull(o->decl) || (to && !is_part(L, to, &o->place))) continue;
        if (!to || !listed || o->region != L->b.region)
            gw_front_refuse(L, variable,
                            "an object without a name whose class has a destructor, and that lives on,",
                            "declare a variable of it before");
        o->decl = variable;
    }
}

void gw_front_destroy_from(gw_lowering *L, uint32_t first) {
    while (L->owned.count > first) {
        const gw_owned o = L->owned.at[--L->owned.count];
        if (!o.returned && !L->failed && !L->stopped) destroy_one(L, &o, o.decl);
    }
}
