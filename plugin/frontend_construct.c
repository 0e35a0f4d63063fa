/*
 * frontend_construct.c - constructors, default member initialisers and initialiser lists.
 *
 * libclang shows initialiser lists as they are written: braces may be left out, members may be designated, and
 * conversions are not shown. What is missing is zero: a LOCAL object with a list that leaves cells out starts
 * as zero (its DECLARE makes new cells each time).
 */
#include "frontend_lower.h"

#include <string.h>

static void default_element(gw_lowering *L, gw_place to, gw_place from, CXCursor at) {
    gw_shape_kind kind = gw_front_shape_kind(L->u, to.shape);
    (void)from;
    if (kind == GW_SHAPE_STRUCT) gw_front_default_construct(L, to, at);
    if (kind == GW_SHAPE_ARRAY) gw_front_each_element(L, to, (gw_place){0}, default_element, at);
}

static bool constructs(const gw_unit *u, gw_shape shape) {
    const gw_shape_data *d = gw_front_shape_at(u, shape);
    if (d->kind == GW_SHAPE_ARRAY) return constructs(u, d->element);
    return d->kind == GW_SHAPE_STRUCT;
}

/* The initialiser may name other members of the object. */
static void default_member(gw_lowering *L, gw_place object, gw_place to, gw_shape_field field) {
    CXCursor e = field.is_base ? clang_getNullCursor() : gw_front_member_initializer(field.decl);
    if (!clang_Cursor_isNull(e)) {
        gw_push(&L->frames, ((gw_frame){.decl = field.decl, .call = field.decl, .self = object}));
        gw_front_initialize(L, to, e);
        L->frames.count--;
    } else if (constructs(L->u, field.shape)) {
        default_element(L, to, (gw_place){0}, field.decl);
    }
}

static bool has_initializer(const gw_shape_field *field) {
    return !field->is_base && !clang_Cursor_isNull(gw_front_member_initializer(field->decl));
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
        if (gw_front_holds(&d, i) || has_initializer(&L->u->fields.at[d.first + i]))
            default_member(L, to, gw_front_member(L, to, i), L->u->fields.at[d.first + i]);
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
        if (!named && d.is_union && !has_initializer(&field)) continue;
        if (!named)
            default_member(L, L->frames.at[L->frames.count - 1].self, member, field);
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

bool gw_front_construct_inherited(gw_lowering *L, gw_place to, CXCursor inherited, CXCursor call, const gw_cursors *arguments) {
    const gw_shape_data d = *gw_front_shape_at(L->u, to.shape);
    CXCursor from = clang_getNullCursor();
    uint32_t base = 0, found = 0;
    for (uint32_t f = 0; f < d.count; f++) {
        const gw_shape_field field = L->u->fields.at[d.first + f];
        CXCursor here = field.is_base ? with_parameters_of(gw_front_shape_at(L->u, field.shape)->clang, inherited) : from;
        if (!field.is_base || clang_Cursor_isNull(here)) continue;
        from = here, base = f, found++;
    }
    if (found != 1) return false;
    for (uint32_t f = 0; f < d.count && !L->failed; f++) {
        gw_place member = gw_front_member(L, to, f);
        if (f == base) gw_front_inline(L, call, clang_getCursorDefinition(from), &member, arguments);
        else default_member(L, to, member, L->u->fields.at[d.first + f]);
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
    if (library == GW_LIBRARY_ARRAY && count == 1) {
        gw_front_copy(L, to, gw_front_place(L, arguments.at[0]));
    } else if (library == GW_LIBRARY_ARRAY) {
        default_element(L, to, (gw_place){0}, call);
    } else if (library) {
        gw_front_library_fill(L, to, &arguments, call);
    } else if (gw_front_shape_kind(L->u, to.shape) == GW_SHAPE_ARRAY) {
        gw_front_each_element(L, to, (gw_place){0}, construct_element, call);
    } else if (count == 1 && gw_front_is_half_copy(L, to.shape, arguments.at[0])) {
        gw_front_copy(L, to, gw_front_place(L, arguments.at[0]));
    } else if (implicit && count == 1 && gw_front_parts_copy_by_code(L->u, to.shape, false)) {
        gw_front_refuse(L, call, "an implicit copy of a class whose parts have a copy constructor", "write the class's copy constructor");
    } else if (implicit && count == 1) {
        gw_front_copy(L, to, gw_front_place(L, arguments.at[0]));
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
    CXCursor variable;
    bool others; /* a return of something else */
} returns;

/* The variable of the function that a constructor of the user's copies or moves into what is returned, or null. */
static CXCursor returned_variable(CXCursor e) {
    while (clang_getCursorKind(e) == CXCursor_UnexposedExpr || clang_getCursorKind(e) == CXCursor_ParenExpr) e = gw_front_expression(e);
    CXCursor constructor = clang_getCursorReferenced(e), none = clang_getNullCursor();
    bool copies = clang_CXXConstructor_isCopyConstructor(constructor) || clang_CXXConstructor_isMoveConstructor(constructor);
    if (clang_getCursorKind(e) != CXCursor_CallExpr || !copies || clang_CXXMethod_isDefaulted(constructor)) return none;
    CXType type = clang_getUnqualifiedType(clang_getCanonicalType(clang_getCursorType(e)));
    e = clang_Cursor_getArgument(e, 0);
    while (clang_getCursorKind(e) == CXCursor_UnexposedExpr || clang_getCursorKind(e) == CXCursor_ParenExpr) e = gw_front_expression(e);
    CXCursor variable = clang_getCursorReferenced(e);
    bool own = clang_getCursorKind(e) == CXCursor_DeclRefExpr && clang_getCursorKind(variable) == CXCursor_VarDecl &&
               clang_Cursor_hasVarDeclGlobalStorage(variable) == 0;
    CXType have = clang_getUnqualifiedType(clang_getCanonicalType(clang_getCursorType(variable)));
    return own && clang_equalTypes(type, have) ? variable : none;
}

static enum CXChildVisitResult find_other_return(CXCursor statement, CXCursor parent, CXClientData found) {
    (void)parent;
    returns *r = found;
    if (clang_getCursorKind(statement) == CXCursor_LambdaExpr) return CXChildVisit_Continue;
    if (clang_getCursorKind(statement) != CXCursor_ReturnStmt) return CXChildVisit_Recurse;
    r->others |= !clang_equalCursors(returned_variable(gw_front_expression(statement)), r->variable);
    return CXChildVisit_Continue;
}

/* Where every return names one variable, compilers make it in the place of the result, and no constructor copies it. Where
 * some do, Clang may do so and GCC not. */
void gw_front_return_value(gw_lowering *L, gw_place result, CXCursor e) {
    returns r = {.variable = returned_variable(e)};
    if (clang_Cursor_isNull(r.variable)) {
        gw_front_initialize(L, result, e);
        return;
    }
    clang_visitChildren(L->frames.at[L->frames.count - 1].decl, find_other_return, &r);
    if (r.others)
        gw_front_refuse(L, e, "a returned variable that a constructor may copy or not", "return one variable everywhere");
    else
        gw_front_copy(L, result, gw_front_variable(L, r.variable, e));
}

/* ---- initialiser lists ---- */
typedef struct reading {
    gw_lowering *L;
    gw_cursors items;
    uint32_t next;
    bool zeroed; /* the object starts as zero: zeros need no store */
} reading;

static void fill(reading *r, gw_place to);

static bool is_designated(CXCursor e) {
    return clang_getCursorKind(e) == CXCursor_UnexposedExpr && clang_getCursorType(e).kind == CXType_Void;
}

static void store_item(reading *r, gw_place to, CXCursor e) {
    gw_lowering *L = r->L;
    int64_t n;
    double x;
    if (!r->zeroed || gw_front_shape_kind(L->u, to.shape) != GW_SHAPE_SCALAR) {
        gw_front_initialize(L, to, e);
        return;
    }
    gw_value v = gw_cast(&L->b, to.shape, gw_front_scalar(L, e));
    bool zero = (gw_const_int(L->f, v, &n) && n == 0) || (gw_const_real(L->f, v, &x) && x == 0);
    if (!zero) gw_front_store(L, to, v);
}

/* The items of a list for this shape: the braces of a std::array's own array may be there or not. */
static void list_items(gw_lowering *L, gw_shape shape, CXCursor list, gw_cursors *out) {
    gw_front_expressions(list, out);
    bool inner = gw_front_shape_at(L->u, shape)->library == GW_LIBRARY_ARRAY && out->count == 1 &&
                 clang_getCursorKind(out->at[0]) == CXCursor_InitListExpr;
    if (!inner) return;
    CXCursor only = out->at[0];
    out->count = 0;
    gw_front_expressions(only, out);
}

static void fill_from(gw_lowering *L, gw_place to, CXCursor list, bool zeroed) {
    reading r = {.L = L, .zeroed = zeroed};
    list_items(L, to.shape, list, &r.items);
    fill(&r, to);
    gw_vec_free(&r.items);
}

void gw_front_construct_from(gw_lowering *L, gw_place to, const gw_cursors *arguments, CXCursor at) {
    CXType type = gw_front_shape_at(L->u, to.shape)->clang;
    if (gw_front_shape_at(L->u, to.shape)->library) {
        gw_front_library_fill(L, to, arguments, at);
    } else if (!arguments->count) {
        gw_front_default_construct(L, to, at);
    } else if (arguments->count == 1 && gw_front_shape_of(L, arguments->at[0]) == to.shape) {
        gw_front_initialize(L, to, arguments->at[0]);
    } else {
        CXCursor constructor = gw_front_list_constructor(L, type, arguments, at);
        if (!L->failed) gw_front_inline(L, at, clang_getCursorDefinition(constructor), &to, arguments);
    }
}

/* An object of a class with constructors, from a list or from one value. */
static void construct_from_item(gw_lowering *L, gw_place to, CXCursor e) {
    gw_cursors arguments = {0};
    if (clang_getCursorKind(e) == CXCursor_InitListExpr)
        gw_front_expressions(e, &arguments);
    else
        gw_push(&arguments, e);
    gw_front_construct_from(L, to, &arguments, e);
    gw_vec_free(&arguments);
}

/* One element: a list of its own, a value of its type, or (braces left out) the next items. */
static void fill_element(reading *r, gw_place to) {
    gw_lowering *L = r->L;
    gw_shape_kind kind = gw_front_shape_kind(L->u, to.shape);
    bool aggregate = kind == GW_SHAPE_STRUCT || kind == GW_SHAPE_ARRAY;
    const gw_shape_data *d = gw_front_shape_at(L->u, to.shape);
    bool class = kind == GW_SHAPE_STRUCT && (d->library || gw_front_has_constructor(d->clang));
    if (r->next >= r->items.count) {
        if (!r->zeroed) gw_front_clear(L, to);
        default_element(L, to, (gw_place){0}, clang_getNullCursor());
        return;
    }
    CXCursor e = r->items.at[r->next];
    if (class && gw_front_shape_of(L, e) != to.shape) {
        r->next++;
        construct_from_item(L, to, e);
    } else if (aggregate && clang_getCursorKind(e) == CXCursor_InitListExpr) {
        r->next++;
        fill_from(L, to, e, r->zeroed);
    } else if (aggregate && gw_front_shape_of(L, e) != to.shape) {
        fill(r, to);
    } else {
        r->next++;
        store_item(r, to, e);
    }
}

static gw_place component(gw_lowering *L, gw_place of, uint32_t i) {
    if (gw_front_shape_kind(L->u, of.shape) == GW_SHAPE_STRUCT) return gw_front_member(L, of, i);
    return gw_front_element(L, of, gw_int(&L->b, GW_T_I32, i));
}

/* The member or element that a designator names, as a number. */
static uint32_t designated(gw_lowering *L, gw_shape shape, CXCursor designator) {
    int64_t index = 0;
    double real = 0;
    bool is_real = false;
    if (clang_getCursorKind(designator) == CXCursor_MemberRef)
        return gw_front_field(L->u, shape, clang_getCursorReferenced(designator));
    if (!gw_front_evaluate(designator, &index, &real, &is_real) || is_real || index < 0 || index > UINT32_MAX)
        gw_front_refuse(L, designator, "this designator", "name one member or element");
    return (uint32_t)index;
}

/* .a.b[2] = x; returns the number of the component that the first designator names. */
static uint32_t fill_designated(reading *r, gw_place to, CXCursor item) {
    gw_lowering *L = r->L;
    gw_cursors parts = {0};
    gw_front_children(item, &parts);
    gw_place at = to;
    uint32_t first = 0;
    for (uint32_t i = 0; i + 1 < parts.count && !L->failed; i++) {
        uint32_t number = designated(L, at.shape, parts.at[i]);
        if (!i) first = number;
        if (!L->failed) at = component(L, at, number);
    }
    CXCursor e = parts.count ? parts.at[parts.count - 1] : clang_getNullCursor();
    if (!L->failed && clang_getCursorKind(e) == CXCursor_InitListExpr &&
        gw_front_shape_kind(L->u, at.shape) != GW_SHAPE_SCALAR)
        fill_from(L, at, e, r->zeroed);
    else if (!L->failed)
        store_item(r, at, e);
    gw_vec_free(&parts);
    return first;
}

/* A list with designators: what has none follows what stands before it. */
static void fill_by_name(reading *r, gw_place to, uint32_t count) {
    gw_lowering *L = r->L;
    uint32_t next = 0;
    if (!r->zeroed) gw_front_clear(L, to);
    while (r->next < r->items.count && !L->failed) {
        CXCursor item = r->items.at[r->next];
        if (is_designated(item)) {
            next = fill_designated(r, to, item);
            r->next++;
        } else if (next < count) {
            fill_element(r, component(L, to, next));
        } else {
            gw_front_refuse(L, item, "this initialiser", "name the members in order");
        }
        next++;
    }
}

static void fill_struct(reading *r, gw_place to, const gw_shape_data *d) {
    gw_lowering *L = r->L;
    for (uint32_t i = 0; i < (d->is_union ? 1 : d->count) && !L->failed; i++) { /* of a union: the first */
        gw_place member = gw_front_member(L, to, i);
        if (r->next < r->items.count) {
            fill_element(r, member);
            continue;
        }
        if (!r->zeroed) gw_front_clear(L, member);
        default_member(L, to, member, L->u->fields.at[d->first + i]);
    }
}

static void fill_array(reading *r, gw_place to, const gw_shape_data *d) {
    gw_lowering *L = r->L;
    if (!r->zeroed && !r->next && r->items.count < d->count) { /* short: cleared at once */
        gw_front_clear(L, to);
        r->zeroed = true;
    }
    for (uint32_t i = 0; i < d->count && !L->failed; i++) {
        if (r->zeroed && r->next >= r->items.count && !constructs(L->u, d->element)) break;
        fill_element(r, gw_front_element(L, to, gw_int(&L->b, GW_T_I32, i)));
    }
}

static void fill(reading *r, gw_place to) {
    gw_lowering *L = r->L;
    gw_shape_data d = *gw_front_shape_at(L->u, to.shape);
    if (L->failed) return;
    bool by_name = false;
    for (uint32_t i = r->next; i < r->items.count; i++)
        by_name |= is_designated(r->items.at[i]);
    if (by_name && !r->next) {
        fill_by_name(r, to, d.count);
    } else if (d.kind == GW_SHAPE_ARRAY) {
        fill_array(r, to, &d);
    } else if (d.kind == GW_SHAPE_STRUCT) {
        fill_struct(r, to, &d);
    }
}

static uint64_t cells(const gw_unit *u, gw_shape shape) {
    const gw_shape_data *d = gw_front_shape_at(u, shape);
    if (d->kind == GW_SHAPE_ARRAY) return d->count * cells(u, d->element);
    uint64_t n = d->kind != GW_SHAPE_STRUCT;
    for (uint32_t i = 0; d->kind == GW_SHAPE_STRUCT && i < d->count; i++)
        if (gw_front_holds(d, i)) n += cells(u, u->fields.at[d->first + i].shape);
    return n;
}

/* Whether the list leaves cells out (or may do so), which are then zero. */
static bool is_short(gw_lowering *L, gw_shape shape, CXCursor list) {
    const gw_shape_data d = *gw_front_shape_at(L->u, shape);
    gw_cursors items = {0};
    list_items(L, shape, list, &items);
    bool nested = false, result = false;
    for (uint32_t i = 0; i < items.count; i++)
        nested |= clang_getCursorKind(items.at[i]) == CXCursor_InitListExpr;
    for (uint32_t i = 0; i < items.count; i++)
        result |= is_designated(items.at[i]);
    if (result)
        nested = false;
    else if (!nested)
        result = items.count < cells(L->u, shape);
    else
        result = items.count < d.count;
    for (uint32_t i = 0; nested && !result && i < items.count && i < d.count; i++) {
        gw_shape of = d.kind == GW_SHAPE_ARRAY ? d.element : L->u->fields.at[d.first + i].shape;
        if (clang_getCursorKind(items.at[i]) == CXCursor_InitListExpr) result = is_short(L, of, items.at[i]);
    }
    gw_vec_free(&items);
    return result;
}

void gw_front_initializer_list(gw_lowering *L, gw_place to, CXCursor list) {
    gw_cursors items = {0};
    gw_front_expressions(list, &items);
    bool own = items.count == 1 && !is_designated(items.at[0]) &&
               gw_front_shape_of(L, items.at[0]) == to.shape &&
               clang_getCursorKind(items.at[0]) != CXCursor_InitListExpr;
    CXCursor only = own ? items.at[0] : list;
    gw_vec_free(&items);
    if (own) {
        gw_front_initialize(L, to, only);
        return;
    }
    bool whole =
        to.kind == GW_PLACE_MEMORY && !to.path && gw_object_at(L->f, to.object)->kind == GW_OBJECT_LOCAL;
    bool zeroed = whole && is_short(L, to.shape, list);
    if (zeroed) gw_object_at(L->f, to.object)->zeroed = true;
    fill_from(L, to, list, zeroed);
}
