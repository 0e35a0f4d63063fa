/*
 * frontend/object/construct.c - constructors and default member initialisers.
 */
#include "plugin/frontend/lower.h"
#include "plugin/frontend/object/object.h"
#include "plugin/frontend/type/type.h"

void gw_front_default_element(gw_lowering *L, gw_place to, gw_place from, CXCursor at) {
    gw_shape_kind kind = gw_front_shape_kind(L->u, to.shape);
    (void)from;
    if (kind == GW_SHAPE_STRUCT) gw_front_default_construct(L, to, at);
    if (kind == GW_SHAPE_ARRAY) gw_front_each_element(L, to, (gw_place){0}, gw_front_default_element, at);
}

bool gw_front_constructs(gw_unit *u, gw_shape shape) {
    const gw_shape_data d = *gw_front_shape_at(u, shape);
    if (d.kind == GW_SHAPE_ARRAY) return gw_front_constructs(u, d.element);
    if (d.kind != GW_SHAPE_STRUCT) return false;
    bool does = d.library || !clang_Cursor_isNull(gw_front_default_constructor(d.clang));
    for (uint32_t i = 0; i < d.count && !does; i++) {
        const gw_shape_field f = u->fields.at[d.first + i];
        does = (!f.is_base && gw_front_default(u, f.decl).is_given) || gw_front_constructs(u, f.shape);
    }
    return does;
}

/* The initialiser may name other members of the object. */
void gw_front_default_member(gw_lowering *L, gw_place object, gw_place to, gw_shape_field field) {
    gw_default d = {0};
    if (!field.is_base) d = gw_front_default(L->u, field.decl);
    if (d.is_given && field.bits && !d.is_known)
        gw_front_refuse(L, field.decl, "a bit-field whose default is no literal", "set it in a constructor");
    else if (d.is_given && field.bits)
        gw_front_store(L, to, gw_front_constant(L, to.shape, d.value, 0, false));
    else if (d.is_given) {
        gw_push(&L->frames, ((gw_frame){.decl = field.decl, .call = field.decl, .self = object}));
        gw_front_initialize(L, to, d.expression);
        L->frames.count--;
    } else if (gw_front_constructs(L->u, field.shape))
        gw_front_default_element(L, to, (gw_place){0}, field.decl);
}

static bool has_initializer(gw_unit *u, const gw_shape_field *field) {
    return !field->is_base && gw_front_default(u, field->decl).is_given;
}

void gw_front_default_construct(gw_lowering *L, gw_place to, CXCursor at) {
    gw_shape_data d = *gw_front_shape_at(L->u, to.shape);
    CXCursor constructor = d.library ? clang_getNullCursor() : gw_front_default_constructor(d.clang);
    gw_cursors none = {0};
    if (d.library) {
        gw_front_library_fill(L, to, &none, at);
        return;
    }
    if (!clang_Cursor_isNull(constructor)) {
        gw_front_inline(L, at, clang_getCursorDefinition(constructor), &to, &none);
        return;
    }
    for (uint32_t i = 0; i < d.count && !L->failed; i++)
        if (gw_front_holds(&d, i) || has_initializer(L->u, &L->u->fields.at[d.first + i]))
            gw_front_default_member(L, to, gw_front_member(L, to, i), L->u->fields.at[d.first + i]);
}

/* An initialiser of a base class, or of the class itself: all others follow the member's name. */
static bool initializes_class(const gw_cursors *children, uint32_t i) {
    bool after_name = i && clang_getCursorKind(children->at[i - 1]) == CXCursor_MemberRef;
    bool after_type = i && (clang_getCursorKind(children->at[i - 1]) == CXCursor_TypeRef ||
                            clang_getCursorKind(children->at[i - 1]) == CXCursor_TemplateRef);
    enum CXCursorKind kind = clang_getCursorKind(children->at[i]);
    return !after_name && clang_isExpression(kind) && (after_type || kind == CXCursor_CallExpr);
}

/* What a constructor gives field f, if it names it. */
static CXCursor given(gw_lowering *L, const gw_cursors *children, gw_shape shape, uint32_t f, bool *named) {
    const gw_shape_field field = L->u->fields.at[gw_front_shape_at(L->u, shape)->first + f];
    for (uint32_t i = 0; i < children->count; i++) {
        bool member = clang_getCursorKind(children->at[i]) == CXCursor_MemberRef && !field.is_base;
        if (member && gw_front_field(L->u, shape, clang_getCursorReferenced(children->at[i])) == f) {
            *named = true;
            return i + 1 < children->count ? children->at[i + 1] : clang_getNullCursor();
        }
        if (!field.is_base || !initializes_class(children, i)) continue;
        if (gw_front_shape_of(L, children->at[i]) != field.shape) continue;
        *named = true;
        return children->at[i];
    }
    return clang_getNullCursor();
}

/* Members in the order of their declaration, as C++ has it. */
void gw_front_construct_members(gw_lowering *L, gw_place to, CXCursor definition) {
    gw_cursors children = {0};
    gw_front_children(definition, &children);
    gw_shape_data d = *gw_front_shape_at(L->u, to.shape);
    bool delegates = false;
    for (uint32_t i = 0; i < children.count && !delegates; i++) {
        delegates = initializes_class(&children, i) && gw_front_shape_of(L, children.at[i]) == to.shape;
        if (delegates) gw_front_initialize(L, to, children.at[i]);
    }
    for (uint32_t f = 0; f < d.count && !delegates && !L->failed; f++) {
        const gw_shape_field field = L->u->fields.at[d.first + f];
        gw_place member = gw_front_member(L, to, f);
        bool named = false;
        if (field.is_anonymous) {
            gw_front_construct_members(L, member, definition);
            continue;
        }
        CXCursor e = given(L, &children, to.shape, f, &named);
        if (!named && d.is_union && !has_initializer(L->u, &field)) continue;
        if (!named)
            gw_front_default_member(L, L->frames.at[L->frames.count - 1].self, member, field);
        else if (clang_isExpression(clang_getCursorKind(e)))
            gw_front_initialize(L, member, e);
        else
            gw_front_clear(L, member);
    }
    gw_vec_free(&children);
}

/* The constructor of the type with the parameters of this one, or null. */
static CXCursor with_parameters_of(CXType type, CXCursor constructor) {
    const CXType wanted = clang_getCanonicalType(clang_getCursorType(constructor));
    CXCursor found = clang_getNullCursor();
    gw_cursors methods = {0};
    gw_front_methods(type, &methods);
    for (uint32_t i = 0; i < methods.count; i++)
        if (clang_getCursorKind(methods.at[i]) == CXCursor_Constructor &&
            clang_equalTypes(clang_getCanonicalType(clang_getCursorType(methods.at[i])), wanted))
            found = methods.at[i];
    gw_vec_free(&methods);
    return found;
}

bool gw_front_construct_inherited(gw_lowering *L, gw_place to, CXCursor inherited, CXCursor call,
                                  const gw_cursors *arguments) {
    const gw_shape_data d = *gw_front_shape_at(L->u, to.shape);
    CXCursor from = clang_getNullCursor();
    uint32_t base = 0, found = 0;
    for (uint32_t f = 0; f < d.count; f++) {
        const gw_shape_field field = L->u->fields.at[d.first + f];
        CXCursor here =
            field.is_base ? with_parameters_of(gw_front_shape_at(L->u, field.shape)->clang, inherited) : from;
        if (!field.is_base || clang_Cursor_isNull(here)) continue;
        from = here, base = f, found++;
    }
    if (found != 1) return false;
    for (uint32_t f = 0; f < d.count && !L->failed; f++) {
        gw_place member = gw_front_member(L, to, f);
        if (f == base) gw_front_inline(L, call, clang_getCursorDefinition(from), &member, arguments);
        else gw_front_default_member(L, to, member, L->u->fields.at[d.first + f]);
    }
    return true;
}

static void construct_element(gw_lowering *L, gw_place to, gw_place from, CXCursor call) {
    (void)from;
    gw_front_construct(L, to, call);
}

void gw_front_construct(gw_lowering *L, gw_place to, CXCursor call) {
    CXCursor constructor = clang_getCursorReferenced(call);
    bool implicit = clang_CXXMethod_isDefaulted(constructor);
    int count = clang_Cursor_getNumArguments(call);
    gw_cursors arguments = {0};
    for (int i = 0; i < count; i++)
        gw_push(&arguments, clang_Cursor_getArgument(call, (unsigned)i));
    gw_library_type library = gw_front_shape_at(L->u, to.shape)->library;
    gw_copying how = clang_CXXConstructor_isMoveConstructor(constructor) ? GW_MOVED : GW_COPIED;
    if (library == GW_LIBRARY_ARRAY && count == 1) {
        gw_front_copy_object(L, to, gw_front_place(L, arguments.at[0]), how, call);
    } else if (library == GW_LIBRARY_ARRAY) {
        gw_front_default_element(L, to, (gw_place){0}, call);
    } else if (library) {
        gw_front_library_fill(L, to, &arguments, call);
    } else if (gw_front_shape_kind(L->u, to.shape) == GW_SHAPE_ARRAY) {
        gw_front_each_element(L, to, (gw_place){0}, construct_element, call);
    } else if (count == 1 && gw_front_is_half_copy(L, to.shape, arguments.at[0])) {
        gw_front_copy(L, to, gw_front_place(L, arguments.at[0]));
    } else if (implicit && count == 1) {
        gw_front_copy_object(L, to, gw_front_place(L, arguments.at[0]), how, call);
    } else if (implicit && count == 0) {
        if (to.kind == GW_PLACE_SLOTS) gw_front_clear(L, to);
        gw_front_default_construct(L, to, call);
    } else {
        gw_front_inline(L, call, clang_getCursorDefinition(constructor), &to, &arguments);
    }
    gw_vec_free(&arguments);
}

/* ---- returned variables ---- */
typedef struct returns {
    gw_unit *u;
    CXCursor variable;
    bool others; /* a return of something else */
} returns;

/* The variable of the function that a constructor of the user's copies or moves into what is returned, or
 * null. */
static CXCursor returned_variable(gw_unit *u, CXCursor e) {
    while (clang_getCursorKind(e) == CXCursor_UnexposedExpr || clang_getCursorKind(e) == CXCursor_ParenExpr)
        e = gw_front_expression(e);
    CXCursor constructor = clang_getCursorReferenced(e), none = clang_getNullCursor();
    bool copies = clang_CXXConstructor_isCopyConstructor(constructor) ||
                  clang_CXXConstructor_isMoveConstructor(constructor);
    if (clang_getCursorKind(e) != CXCursor_CallExpr || !copies) return none;
    CXType type = clang_getUnqualifiedType(clang_getCanonicalType(clang_getCursorType(e)));
    const bool plain = clang_CXXMethod_isDefaulted(constructor);
    if (plain && !gw_front_shape_at(u, gw_front_shape(u, type))->destructs) return none;
    e = clang_Cursor_getArgument(e, 0);
    while (clang_getCursorKind(e) == CXCursor_UnexposedExpr || clang_getCursorKind(e) == CXCursor_ParenExpr)
        e = gw_front_expression(e);
    CXCursor variable = clang_getCursorReferenced(e);
    bool own = clang_getCursorKind(e) == CXCursor_DeclRefExpr &&
               clang_getCursorKind(variable) == CXCursor_VarDecl &&
               clang_Cursor_hasVarDeclGlobalStorage(variable) == 0;
    if (!own) return none; /* what names nothing has no type */
    CXType have = clang_getUnqualifiedType(clang_getCanonicalType(clang_getCursorType(variable)));
    return clang_equalTypes(type, have) ? variable : none;
}

static enum CXChildVisitResult find_other_return(CXCursor statement, CXCursor parent, CXClientData found) {
    (void)parent;
    returns *r = found;
    if (clang_getCursorKind(statement) == CXCursor_LambdaExpr) return CXChildVisit_Continue;
    if (clang_getCursorKind(statement) != CXCursor_ReturnStmt) return CXChildVisit_Recurse;
    r->others |= !clang_equalCursors(returned_variable(r->u, gw_front_expression(statement)), r->variable);
    return CXChildVisit_Continue;
}

/* Compilers make a variable in the place of the result if every return names it, and no constructor copies it.
 * If some returns do, Clang may do so and GCC not. */
void gw_front_return_value(gw_lowering *L, gw_place result, CXCursor e) {
    returns r = {.u = L->u, .variable = returned_variable(L->u, e)};
    if (clang_Cursor_isNull(r.variable) || gw_front_is_passed_class(L, result.shape)) {
        gw_front_initialize(L, result, e);
        return;
    }
    clang_visitChildren(L->frames.at[L->frames.count - 1].decl, find_other_return, &r);
    if (r.others)
        gw_front_refuse(L, e, "a returned variable that a constructor may copy or not",
                        "return one variable everywhere");
    else
        gw_front_copy(L, result, gw_front_variable(L, r.variable, e)), gw_front_give_away(L, r.variable);
}
