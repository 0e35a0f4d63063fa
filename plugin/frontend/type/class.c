/*
 * frontend/type/class.c - classes: their bases, methods, constructors and destructors.
 *
 * libclang shows nothing inside of an instantiated class template but its fields; methods and bases come from
 * visitors that LLVM 19 does not have yet, so they are weak here and the template's pattern stands in.
 */
#include "plugin/frontend/type/type.h"

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
bool gw_front_is_written_constructor(CXCursor c) {
    return clang_getCursorKind(c) == CXCursor_Constructor && !clang_CXXMethod_isDefaulted(c) &&
           !clang_CXXMethod_isDeleted(c);
}

bool gw_front_has_constructor(CXType type) {
    gw_cursors methods = {0};
    bool found = false;
    gw_front_methods(type, &methods);
    for (uint32_t i = 0; i < methods.count; i++)
        found |= gw_front_is_written_constructor(methods.at[i]);
    gw_vec_free(&methods);
    return found;
}

CXCursor gw_front_default_constructor(CXType type) {
    gw_cursors methods = {0};
    CXCursor found = clang_getNullCursor();
    gw_front_methods(type, &methods);
    for (uint32_t i = 0; i < methods.count; i++)
        if (gw_front_is_written_constructor(methods.at[i]) &&
            clang_CXXConstructor_isDefaultConstructor(methods.at[i]))
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

/* Whether text can set each member of a variable. */
bool gw_front_has_settable_members(gw_unit *u, gw_shape shape) {
    const gw_shape_data d = *gw_front_shape_at(u, shape);
    if (d.kind == GW_SHAPE_ARRAY) return gw_front_has_settable_members(u, d.element);
    if (d.kind != GW_SHAPE_STRUCT || d.library) return true;
    if (gw_front_captures_of(u, d.clang)) return true; /* the struct that stands for it */
    bool settable = true;
    for (uint32_t i = d.first; i < d.first + d.count && settable; i++) {
        const gw_shape_field f = u->fields.at[i];
        settable = !f.is_text && !clang_isConstQualifiedType(clang_getCursorType(f.decl)) &&
                   gw_front_has_settable_members(u, f.shape);
    }
    return settable;
}

static bool has_plain_variables(gw_unit *u, gw_shape shape) {
    const gw_shape_data d = *gw_front_shape_at(u, shape);
    if (d.kind == GW_SHAPE_ARRAY) return has_plain_variables(u, d.element);
    if (d.kind != GW_SHAPE_STRUCT || d.library || gw_front_captures_of(u, d.clang)) return true;
    gw_cursors methods = {0};
    bool constructed = false, plainly = false;
    gw_front_methods(d.clang, &methods);
    for (uint32_t i = 0; i < methods.count; i++) {
        if (clang_getCursorKind(methods.at[i]) != CXCursor_Constructor || is_implicit(methods.at[i])) continue;
        constructed = true;
        plainly |= clang_CXXConstructor_isDefaultConstructor(methods.at[i]) &&
                   !clang_CXXMethod_isDeleted(methods.at[i]);
    }
    gw_vec_free(&methods);
    bool plain = plainly || !constructed;
    for (uint32_t i = d.first; i < d.first + d.count && plain; i++)
        plain = has_plain_variables(u, u->fields.at[i].shape);
    return plain;
}

/* Whether text can declare a variable of the type without a value and then set each member. */
bool gw_front_is_settable(gw_unit *u, gw_shape shape) {
    return gw_front_has_settable_members(u, shape) && has_plain_variables(u, shape);
}

CXCursor gw_front_deleter(CXType unique) {
    CXType type = clang_getCanonicalType(clang_Type_getTemplateArgumentAsType(unique, 1));
    CXCursor decl = clang_getTypeDeclaration(type), found = clang_getNullCursor();
    gw_cursors list = {0};
    const bool is_users = type.kind == CXType_Record && !gw_front_in_namespace(decl, "std");
    if (is_users) gw_front_methods(type, &list);
    for (uint32_t i = 0; i < list.count; i++) {
        CXString name = clang_getCursorSpelling(list.at[i]);
        const bool calls = strcmp(clang_getCString(name), "operator()") == 0;
        clang_disposeString(name);
        if (calls && clang_Cursor_getNumArguments(list.at[i]) == 1) found = list.at[i];
    }
    gw_vec_free(&list);
    return clang_getCursorDefinition(found);
}

bool gw_front_deletes(CXType unique) {
    CXCursor decl =
        clang_getTypeDeclaration(clang_getCanonicalType(clang_Type_getTemplateArgumentAsType(unique, 1)));
    CXString name = clang_getCursorSpelling(decl);
    const bool is = strcmp(clang_getCString(name), "default_delete") == 0 && gw_front_in_namespace(decl, "std");
    clang_disposeString(name);
    return is;
}

bool gw_front_has_base(const gw_unit *u, gw_shape of, gw_shape base) {
    const gw_shape_data *d = gw_front_shape_at(u, of);
    bool has = d->kind == GW_SHAPE_STRUCT && of == base;
    for (uint32_t i = 0; d->kind == GW_SHAPE_STRUCT && i < d->count && !has; i++) {
        const gw_shape_field *f = &u->fields.at[d->first + i];
        has = f->is_base && gw_front_has_base(u, f->shape, base);
    }
    return has;
}

static enum CXVisitorResult keep_field(CXCursor decl, CXClientData data) {
    gw_cursors *out = data;
    gw_push(out, decl);
    return CXVisit_Continue;
}

/* By fields and bases, or by its size: LLVM 19 does not show the bases of a template's instance. */
bool gw_front_holds_something(CXType type, uint32_t depth) {
    gw_cursors fields = {0}, bases = {0};
    clang_Type_visitFields(type, keep_field, &fields);
    gw_front_bases(type, &bases);
    bool holds = fields.count || depth > 16 || clang_Type_getSizeOf(type) > clang_Type_getAlignOf(type);
    for (uint32_t i = 0; i < bases.count && !holds; i++)
        holds = gw_front_holds_something(clang_getCanonicalType(clang_getCursorType(bases.at[i])), depth + 1);
    gw_vec_free(&fields);
    gw_vec_free(&bases);
    return holds;
}
