/*
 * frontend/type/class.c - classes: bases, methods, which constructor a list calls, which function a virtual
 * call.
 *
 * libclang shows nothing inside of an instantiated class template but its fields; methods and bases come from
 * visitors that LLVM 19 does not have yet, so they are weak here and the template's pattern stands in. A list
 * is shown as it is written, so its constructor is found by a small overload resolution: exact types before
 * arithmetic conversions before everything else, and what stays open is refused.
 */
#include "plugin/frontend/lower_private.h"

#include <string.h>

extern unsigned clang_visitCXXMethods(CXType type, CXFieldVisitor visitor, CXClientData data)
    __attribute__((weak));
extern unsigned clang_visitCXXBaseClasses(CXType type, CXFieldVisitor visitor, CXClientData data)
    __attribute__((weak));

static enum CXVisitorResult add_cursor(CXCursor c, CXClientData data) {
    gw_cursors *out = data;
    gw_push(out, c);
    return CXVisit_Continue;
}

/* Children of the class; of an instance, those of its template (whose types then depend on its parameters). */
static void members(CXType type, gw_cursors *out) {
    CXCursor decl = clang_getTypeDeclaration(type), pattern = clang_getSpecializedCursorTemplate(decl);
    gw_front_children(decl, out);
    if (!out->count && !clang_Cursor_isNull(pattern)) gw_front_children(pattern, out);
}

static void keep_kinds(gw_cursors *list, enum CXCursorKind first, enum CXCursorKind second,
                       enum CXCursorKind third) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        enum CXCursorKind kind = clang_getCursorKind(list->at[i]);
        if (kind == first || kind == second || kind == third) list->at[kept++] = list->at[i];
    }
    list->count = kept;
}

void gw_front_bases(CXType type, gw_cursors *out) {
    if (clang_visitCXXBaseClasses)
        clang_visitCXXBaseClasses(type, add_cursor, out);
    else
        members(type, out);
    keep_kinds(out, CXCursor_CXXBaseSpecifier, CXCursor_CXXBaseSpecifier, CXCursor_CXXBaseSpecifier);
}

void gw_front_methods(CXType type, gw_cursors *out) {
    if (clang_visitCXXMethods)
        clang_visitCXXMethods(type, add_cursor, out);
    else
        members(type, out);
    keep_kinds(out, CXCursor_CXXMethod, CXCursor_Constructor, CXCursor_Destructor);
}

/* A constructor that has a body to run: neither implicit nor defaulted nor deleted. */
static bool written_constructor(CXCursor c) {
    return clang_getCursorKind(c) == CXCursor_Constructor && !clang_CXXMethod_isDefaulted(c) &&
           !clang_CXXMethod_isDeleted(c);
}

bool gw_front_has_constructor(CXType type) {
    gw_cursors methods = {0};
    bool found = false;
    gw_front_methods(type, &methods);
    for (uint32_t i = 0; i < methods.count; i++)
        found |= written_constructor(methods.at[i]);
    gw_vec_free(&methods);
    return found;
}

CXCursor gw_front_default_constructor(CXType type) {
    gw_cursors methods = {0};
    CXCursor found = clang_getNullCursor();
    gw_front_methods(type, &methods);
    for (uint32_t i = 0; i < methods.count; i++)
        if (written_constructor(methods.at[i]) && clang_CXXConstructor_isDefaultConstructor(methods.at[i]))
            found = methods.at[i];
    gw_vec_free(&methods);
    return found;
}

/* A destructor that does nothing is none. */
static bool does_something(CXCursor destructor) {
    CXCursor definition = clang_getCursorDefinition(destructor);
    gw_cursors body = {0};
    if (clang_CXXMethod_isDefaulted(destructor)) return false;
    if (clang_Cursor_isNull(definition)) return true;
    gw_front_children(gw_front_body(definition), &body);
    bool empty = body.count == 0 && !clang_Cursor_isNull(gw_front_body(definition));
    gw_vec_free(&body);
    return !empty;
}

CXCursor gw_front_destructor(CXType type) {
    gw_cursors methods = {0};
    CXCursor found = clang_getNullCursor();
    gw_front_methods(type, &methods);
    for (uint32_t i = 0; i < methods.count; i++)
        if (clang_getCursorKind(methods.at[i]) == CXCursor_Destructor && does_something(methods.at[i]))
            found = methods.at[i];
    gw_vec_free(&methods);
    return found;
}

const gw_refusal *gw_front_refusal(const gw_shape_data *d) {
    if (d->kind == GW_SHAPE_OPAQUE) return d->refusal;
    return d->destructs ? GW_REFUSED(DESTRUCTOR) : NULL;
}

/* Clang's own: where the class is. */
static bool is_implicit(CXCursor constructor) {
    CXCursor class = clang_getCursorSemanticParent(constructor);
    return clang_equalLocations(clang_getCursorLocation(constructor), clang_getCursorLocation(class)) != 0;
}

/* Whether text can declare a variable of the type without a value and then set each member. */
bool gw_front_is_settable(gw_unit *u, gw_shape shape) {
    const gw_shape_data d = *gw_front_shape_at(u, shape);
    if (d.kind == GW_SHAPE_ARRAY) return gw_front_is_settable(u, d.element);
    if (d.kind != GW_SHAPE_STRUCT || d.library) return true;
    if (gw_front_captures_of(u, d.clang)) return true; /* the struct that stands for it */
    gw_cursors methods = {0};
    bool constructed = false, plainly = false, settable = true;
    gw_front_methods(d.clang, &methods);
    for (uint32_t i = 0; i < methods.count; i++) {
        if (clang_getCursorKind(methods.at[i]) != CXCursor_Constructor || is_implicit(methods.at[i])) continue;
        constructed = true;
        plainly |= clang_CXXConstructor_isDefaultConstructor(methods.at[i]) &&
                   !clang_CXXMethod_isDeleted(methods.at[i]);
    }
    gw_vec_free(&methods);
    for (uint32_t i = d.first; i < d.first + d.count && settable; i++) {
        const gw_shape_field f = u->fields.at[i];
        settable = !clang_isConstQualifiedType(clang_getCursorType(f.decl)) && gw_front_is_settable(u, f.shape);
    }
    return settable && (plainly || !constructed);
}

/* ---- the constructor of a list ---- */
enum { EXACT = 0, CONVERTED = 1, UNFIT = 100 };

/* How well an argument fits a parameter. */
static int distance(gw_lowering *L, CXType parameter, CXCursor argument) {
    gw_shape to = gw_front_shape(L->u, parameter), from = gw_front_shape_of(L, argument);
    bool scalars = gw_front_shape_kind(L->u, to) == GW_SHAPE_SCALAR &&
                   gw_front_shape_kind(L->u, from) == GW_SHAPE_SCALAR && to != GW_T_VOID && from != GW_T_VOID;
    if (to == from) return EXACT;
    return scalars || gw_front_is_derived(L, from, to) ? CONVERTED : UNFIT;
}

/* A template that may fit better than what is there: which one libclang does not say. */
static enum CXChildVisitResult find_template(CXCursor c, CXCursor parent, CXClientData found) {
    (void)parent;
    *(bool *)found |= clang_getCursorKind(c) == CXCursor_FunctionTemplate &&
                      clang_getTemplateCursorKind(c) == CXCursor_Constructor;
    return CXChildVisit_Continue;
}

static bool has_template(CXType type) {
    CXCursor decl = clang_getTypeDeclaration(type), pattern = clang_getSpecializedCursorTemplate(decl);
    bool found = false;
    clang_visitChildren(clang_Cursor_isNull(pattern) ? decl : pattern, find_template, &found);
    return found;
}

static bool has_default(CXCursor constructor, uint32_t i) {
    CXCursor canonical = clang_getCanonicalCursor(constructor);
    return !clang_Cursor_isNull(
               clang_Cursor_getVarDeclInitializer(clang_Cursor_getArgument(constructor, i))) ||
           !clang_Cursor_isNull(clang_Cursor_getVarDeclInitializer(clang_Cursor_getArgument(canonical, i)));
}

static int fit(gw_lowering *L, CXCursor constructor, const gw_cursors *arguments) {
    uint32_t params = (uint32_t)clang_Cursor_getNumArguments(constructor);
    if (arguments->count > params) return UNFIT;
    CXType type = clang_getCursorType(constructor);
    int sum = 0;
    for (uint32_t i = 0; i < params; i++) {
        if (i < arguments->count)
            sum += distance(L, clang_getArgType(type, i), arguments->at[i]);
        else if (!has_default(constructor, i))
            return UNFIT;
    }
    return sum;
}

bool gw_front_takes(gw_lowering *L, CXType type, const gw_cursors *arguments) {
    gw_cursors methods = {0};
    bool exact = has_template(type);
    gw_front_methods(type, &methods);
    for (uint32_t i = 0; i < methods.count; i++)
        exact |= written_constructor(methods.at[i]) && fit(L, methods.at[i], arguments) == EXACT;
    gw_vec_free(&methods);
    return exact;
}

CXCursor gw_front_list_constructor(gw_lowering *L, CXType type, const gw_cursors *arguments, CXCursor at) {
    gw_cursors methods = {0};
    CXCursor best = clang_getNullCursor();
    int least = UNFIT;
    bool open = false;
    gw_front_methods(type, &methods);
    for (uint32_t i = 0; i < methods.count; i++) {
        if (!written_constructor(methods.at[i])) continue;
        int d = fit(L, methods.at[i], arguments);
        if (d == least) open = true;
        if (d < least) least = d, best = methods.at[i], open = false;
    }
    gw_vec_free(&methods);
    if (open || clang_Cursor_isNull(best) || (least > EXACT && has_template(type)))
        gw_front_refuse(L, at, "a list for a class with constructors", "name the constructor: T(a, b)");
    return best;
}

/* ---- base and derived ---- */
static bool to_base(gw_lowering *L, gw_place *place, gw_shape wanted, uint32_t depth) {
    if (place->shape == wanted) return true;
    const gw_shape_data d = *gw_front_shape_at(L->u, place->shape);
    if (d.kind != GW_SHAPE_STRUCT || depth > 32) return false;
    for (uint32_t i = 0; i < d.count; i++) {
        if (!L->u->fields.at[d.first + i].is_base) continue;
        gw_place base = gw_front_member(L, *place, i);
        base.most = place->most ? place->most : place->shape;
        if (!to_base(L, &base, wanted, depth + 1)) continue;
        *place = base;
        return true;
    }
    return false;
}

bool gw_front_is_derived(gw_lowering *L, gw_shape from, gw_shape base) {
    const gw_shape_data *d = gw_front_shape_at(L->u, from);
    gw_place p = {.kind = GW_PLACE_SLOTS, .shape = from};
    return d->kind == GW_SHAPE_STRUCT && from != base && gw_front_shape_kind(L->u, base) == GW_SHAPE_STRUCT &&
           to_base(L, &p, base, 0);
}

/* The whole object that an upcast started from. */
static bool to_derived(gw_lowering *L, gw_place *place, gw_shape wanted) {
    if (!place->most) return false;
    gw_place whole = {.kind = GW_PLACE_SLOTS, .shape = place->most}, part = whole;
    if (!to_base(L, &part, place->shape, 0)) return false;
    whole = *place;
    whole.shape = place->most, whole.most = 0;
    if (place->kind == GW_PLACE_SLOTS) whole.slot -= part.slot;
    if (!to_base(L, &whole, wanted, 0)) return false;
    *place = whole;
    return true;
}

bool gw_front_recast(gw_lowering *L, gw_place *place, gw_shape wanted) {
    return to_base(L, place, wanted, 0) || to_derived(L, place, wanted);
}

gw_place gw_front_named_member(gw_lowering *L, gw_place of, CXCursor decl) {
    uint32_t field = gw_front_field(L->u, of.shape, decl);
    if (field != UINT32_MAX) return gw_front_member(L, of, field);
    CXType owner = clang_getCursorType(clang_getCursorSemanticParent(decl));
    if (owner.kind != CXType_Invalid) gw_front_recast(L, &of, gw_front_shape(L->u, owner));
    return gw_front_member(L, of, gw_front_field(L->u, of.shape, decl));
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
static CXCursor overrider(gw_lowering *L, CXType type, CXCursor callee, uint32_t depth) {
    gw_cursors list = {0};
    CXCursor found = clang_getNullCursor();
    gw_front_methods(type, &list);
    for (uint32_t i = 0; i < list.count; i++)
        if (clang_getCursorKind(list.at[i]) == CXCursor_CXXMethod && overrides(list.at[i], callee, 0))
            found = list.at[i];
    list.count = 0;
    gw_front_bases(type, &list);
    for (uint32_t i = 0; i < list.count && clang_Cursor_isNull(found) && depth < 32; i++)
        found = overrider(L, clang_getCanonicalType(clang_getCursorType(list.at[i])), callee, depth + 1);
    gw_vec_free(&list);
    return found;
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
    if (self->most || self->kind == GW_PLACE_SLOTS) return true;
    if (self->kind != GW_PLACE_MEMORY) return false;
    gw_object_kind kind = gw_object_at(L->f, self->object)->kind;
    return kind == GW_OBJECT_LOCAL || kind == GW_OBJECT_SHARED || kind == GW_OBJECT_STRUCT ||
           kind == GW_OBJECT_GLOBAL;
}

CXCursor gw_front_dispatch(gw_lowering *L, CXCursor call, CXCursor callee, const gw_place *self) {
    if (!clang_CXXMethod_isVirtual(callee) || names_class(call)) return callee;
    gw_shape shape = self->most ? self->most : self->shape;
    CXType type = gw_front_shape_at(L->u, shape)->clang;
    bool final = is_final(callee) || is_final(clang_getTypeDeclaration(type));
    if (!final && !knows_type(L, self)) {
        gw_front_refuse(L, call, "a virtual call", "call the member of the class that is meant");
        return callee;
    }
    CXCursor found = overrider(L, type, callee, 0);
    if (clang_Cursor_isNull(found) || clang_CXXMethod_isPureVirtual(found))
        gw_front_refuse(L, call, "a virtual call", "call the member of the class that is meant");
    return found;
}
