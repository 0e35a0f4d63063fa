/*
 * frontend/place/class.c - objects of classes as their bases and back, their members, and which function a
 * virtual call of one calls.
 */
#include "plugin/frontend/place/place.h"
#include "plugin/frontend/type/type.h"

static bool to_base(gw_lowering *L, gw_place *place, gw_shape wanted, uint32_t depth) {
    if (place->shape == wanted) return true;
    const gw_shape_data d = *gw_front_shape_at(L->u, place->shape);
    if (d.kind != GW_SHAPE_STRUCT || depth > 32) return false;
    for (uint32_t i = 0; i < d.count; i++) {
        if (!L->u->fields.at[d.first + i].is_base) continue;
        gw_place base = gw_front_member(L, *place, i);
        if (!to_base(L, &base, wanted, depth + 1)) continue;
        *place = base;
        return true;
    }
    return false;
}

bool gw_front_is_derived(gw_lowering *L, gw_shape from, gw_shape base) {
    return from != base && gw_front_has_base(L->u, from, base);
}

/* The whole object that an upcast started from. */
static bool to_derived(gw_lowering *L, gw_place *place, gw_shape wanted) {
    if (!place->most) return gw_front_see_as_derived(L, place, wanted);
    gw_place whole = {.kind = GW_PLACE_SLOTS, .shape = place->most}, part = whole;
    if (!to_base(L, &part, place->shape, 0)) return false;
    whole = *place;
    whole.shape = place->most, whole.most = 0;
    gw_front_see_as(L, &whole, whole.shape);
    if (place->kind == GW_PLACE_SLOTS) whole.slot -= part.slot;
    if (!to_base(L, &whole, wanted, 0)) return false;
    *place = whole;
    return true;
}

bool gw_front_recast(gw_lowering *L, gw_place *place, gw_shape wanted) {
    /* its bases are the library's own, which are it */
    if (gw_front_shape_at(L->u, place->shape)->is_shared) return true;
    return to_base(L, place, wanted, 0) || to_derived(L, place, wanted);
}

/* What a reference names is where it leads. */
static gw_place member(gw_lowering *L, gw_place of, uint32_t field) {
    const gw_place p = gw_front_member(L, of, field);
    return !L->failed && gw_front_shape_at(L->u, p.shape)->is_reference ? gw_front_target(L, p) : p;
}

gw_place gw_front_named_member(gw_lowering *L, gw_place of, CXCursor decl) {
    uint32_t field = gw_front_field(L->u, of.shape, decl);
    if (field != UINT32_MAX) return member(L, of, field);
    CXType owner = clang_getCursorType(clang_getCursorSemanticParent(decl));
    if (owner.kind != CXType_Invalid) gw_front_recast(L, &of, gw_front_shape(L->u, owner));
    return member(L, of, gw_front_field(L->u, of.shape, decl));
}

/* ---- virtual functions ---- */
static bool overrides(CXCursor method, CXCursor callee, uint32_t depth) {
    if (clang_equalCursors(clang_getCanonicalCursor(method), clang_getCanonicalCursor(callee))) return true;
    CXCursor *list = NULL;
    unsigned count = 0;
    bool found = false;
    clang_getOverriddenCursors(method, &list, &count);
    for (unsigned i = 0; i < count && !found && depth < 32; i++)
        found = overrides(list[i], callee, depth + 1);
    clang_disposeOverriddenCursors(list);
    return found;
}

/* The overrider in the class or, if it has none, in the bases. */
static CXCursor overrider(CXType type, CXCursor callee, uint32_t depth) {
    gw_cursors list = {0};
    CXCursor found = clang_getNullCursor();
    gw_front_methods(type, &list);
    for (uint32_t i = 0; i < list.count; i++)
        if (clang_getCursorKind(list.at[i]) == CXCursor_CXXMethod && overrides(list.at[i], callee, 0))
            found = list.at[i];
    list.count = 0;
    gw_front_bases(type, &list);
    for (uint32_t i = 0; i < list.count && clang_Cursor_isNull(found) && depth < 32; i++)
        found = overrider(clang_getCanonicalType(clang_getCursorType(list.at[i])), callee, depth + 1);
    gw_vec_free(&list);
    return found;
}

CXCursor gw_front_overrider(gw_lowering *L, CXType type, CXCursor callee) {
    (void)L;
    return overrider(type, callee, 0);
}

static bool has_virtual(CXType type, uint32_t depth) {
    gw_cursors list = {0};
    bool found = false;
    gw_front_methods(type, &list);
    for (uint32_t i = 0; i < list.count; i++) found |= clang_CXXMethod_isVirtual(list.at[i]) != 0;
    list.count = 0;
    gw_front_bases(type, &list);
    for (uint32_t i = 0; i < list.count && !found && depth < 32; i++)
        found = has_virtual(clang_getCanonicalType(clang_getCursorType(list.at[i])), depth + 1);
    gw_vec_free(&list);
    return found;
}

bool gw_front_has_virtual(gw_unit *u, gw_shape shape) {
    const gw_shape_data *d = gw_front_shape_at(u, shape);
    return d->kind == GW_SHAPE_STRUCT && !d->library && has_virtual(d->clang, 0);
}

static bool is_final(CXCursor decl) { return gw_front_has_attribute(decl, CXCursor_CXXFinalAttr); }

/* v.base::f() names the function itself. */
static bool names_class(CXCursor call) {
    gw_cursors children = {0};
    bool named = false;
    gw_front_children(call, &children);
    CXCursor member = children.count ? children.at[0] : clang_getNullCursor();
    children.count = 0;
    if (clang_getCursorKind(member) == CXCursor_MemberRefExpr) gw_front_children(member, &children);
    for (uint32_t i = 0; i < children.count; i++)
        named |= clang_getCursorKind(children.at[i]) == CXCursor_TypeRef ||
                 clang_getCursorKind(children.at[i]) == CXCursor_TemplateRef;
    gw_vec_free(&children);
    return named;
}

/* An object of its own has the type that it was declared with; memory behind a parameter may have any. */
static bool knows_type(gw_lowering *L, const gw_place *self) {
    if (self->kind == GW_PLACE_SLOTS || self->is_exact) return true;
    if (self->kind != GW_PLACE_MEMORY) return false;
    gw_object_kind kind = gw_object_at(L->f, self->object)->kind;
    return kind == GW_OBJECT_LOCAL || kind == GW_OBJECT_SHARED || kind == GW_OBJECT_STRUCT ||
           kind == GW_OBJECT_GLOBAL;
}

static gw_shape whole_of(const gw_place *p) { return p->most ? p->most : p->shape; }

/* The same object, of which both may be parts. */
static bool is_same_object(gw_lowering *L, const gw_place *a, const gw_place *b) {
    bool same = a->kind == b->kind && a->object == b->object && a->path == b->path && a->count == b->count;
    for (uint32_t i = 0; i < a->count && same; i++)
        same = a->index[i] == b->index[i];
    if (!same || a->kind != GW_PLACE_SLOTS) return same;
    const gw_place *both[] = {a, b};
    uint32_t first[2];
    for (uint32_t i = 0; i < 2; i++) {
        gw_place part = {.kind = GW_PLACE_SLOTS, .shape = whole_of(both[i])};
        if (!to_base(L, &part, both[i]->shape, 0)) return false;
        first[i] = both[i]->slot - part.slot;
    }
    return first[0] == first[1];
}

/* What the object is now: the class whose constructor or destructor is at work on it. */
static gw_shape dynamic_type(gw_lowering *L, const gw_place *self) {
    for (uint32_t i = L->frames.count; i-- > 0;) {
        const gw_frame frame = L->frames.at[i];
        const enum CXCursorKind kind = clang_getCursorKind(frame.decl);
        if ((kind == CXCursor_Constructor || kind == CXCursor_Destructor) &&
            is_same_object(L, self, &frame.self))
            return frame.self.shape;
    }
    return whole_of(self);
}

bool gw_front_is_open_call(gw_lowering *L, CXCursor call, CXCursor callee, const gw_place *self) {
    if (!clang_CXXMethod_isVirtual(callee) || names_class(call) || !gw_front_is_dynamic(L, self)) return false;
    const CXType type = gw_front_shape_at(L->u, dynamic_type(L, self))->clang;
    return !is_final(callee) && !is_final(clang_getTypeDeclaration(type)) && !knows_type(L, self);
}

CXCursor gw_front_dispatch(gw_lowering *L, CXCursor call, CXCursor callee, const gw_place *self) {
    if (!clang_CXXMethod_isVirtual(callee) || names_class(call)) return callee;
    gw_shape shape = dynamic_type(L, self);
    CXType type = gw_front_shape_at(L->u, shape)->clang;
    bool final = is_final(callee) || is_final(clang_getTypeDeclaration(type));
    if (!final && !knows_type(L, self)) {
        gw_front_refuse(L, call, "a virtual call", "call the member of the class that is meant");
        return callee;
    }
    CXCursor found = overrider(type, callee, 0);
    if (clang_Cursor_isNull(found) || clang_CXXMethod_isPureVirtual(found))
        gw_front_refuse(L, call, "a virtual call", "call the member of the class that is meant");
    return found;
}
