/*
 * frontend_construct.c - constructors, default member initialisers and initialiser lists.
 *
 * libclang shows initialiser lists as they are written: braces may be left out, members may be designated, and
 * conversions are not shown. What is missing is zero: a LOCAL object with a list that leaves cells out starts
 * as zero (its DECLARE makes new cells each time).
 */
#include "frontend_lower.h"

#include <string.h>

static CXCursor member_initializer(gw_lowering *L, gw_shape shape, CXCursor field) {
    CXCursor e = gw_front_expression(field);
    bool array = gw_front_shape_kind(L->u, shape) == GW_SHAPE_ARRAY;
    return array && clang_getCursorKind(e) != CXCursor_InitListExpr ? clang_getNullCursor() : e;
}

static void default_member(gw_lowering *L, gw_place to, gw_shape_field field) {
    CXCursor e = member_initializer(L, field.shape, field.decl);
    if (!clang_Cursor_isNull(e))
        gw_front_initialize(L, to, e);
    else if (gw_front_shape_kind(L->u, field.shape) == GW_SHAPE_STRUCT)
        gw_front_default_construct(L, to, field.decl);
}

static enum CXChildVisitResult find_default(CXCursor child, CXCursor parent, CXClientData data) {
    (void)parent;
    if (clang_getCursorKind(child) != CXCursor_Constructor ||
        !clang_CXXConstructor_isDefaultConstructor(child) || clang_CXXMethod_isDefaulted(child))
        return CXChildVisit_Continue;
    *(CXCursor *)data = child;
    return CXChildVisit_Break;
}

void gw_front_default_construct(gw_lowering *L, gw_place to, CXCursor at) {
    gw_shape_data d = *gw_front_shape_at(L->u, to.shape);
    CXCursor constructor = clang_getNullCursor();
    gw_cursors none = {0};
    clang_visitChildren(clang_getTypeDeclaration(d.clang), find_default, &constructor);
    if (!clang_Cursor_isNull(constructor)) {
        gw_front_inline(L, at, clang_getCursorDefinition(constructor), &to, &none);
        return;
    }
    for (uint32_t i = 0; i < d.count && !L->failed; i++)
        default_member(L, gw_front_member(L, to, i), L->u->fields.at[d.first + i]);
}

/* Members in the order of their declaration, as C++ has it. */
void gw_front_construct_members(gw_lowering *L, gw_place to, CXCursor definition) {
    gw_cursors children = {0};
    gw_front_children(definition, &children);
    gw_shape_data d = *gw_front_shape_at(L->u, to.shape);
    bool delegates = false;
    for (uint32_t i = 0; i < children.count && !delegates; i++) {
        enum CXCursorKind before = i ? clang_getCursorKind(children.at[i - 1]) : CXCursor_NullStmt;
        delegates = clang_getCursorKind(children.at[i]) == CXCursor_CallExpr && before != CXCursor_MemberRef;
        if (delegates) gw_front_initialize(L, to, children.at[i]);
    }
    for (uint32_t f = 0; f < d.count && !delegates && !L->failed; f++) {
        CXCursor e = clang_getNullCursor();
        for (uint32_t i = 0; i + 1 < children.count; i++)
            if (clang_getCursorKind(children.at[i]) == CXCursor_MemberRef &&
                gw_front_field(L->u, to.shape, clang_getCursorReferenced(children.at[i])) == f)
                e = children.at[i + 1];
        gw_place member = gw_front_member(L, to, f);
        if (clang_Cursor_isNull(e))
            default_member(L, member, L->u->fields.at[d.first + f]);
        else
            gw_front_initialize(L, member, e);
    }
    gw_vec_free(&children);
}

void gw_front_construct(gw_lowering *L, gw_place to, CXCursor call) {
    CXCursor constructor = clang_getCursorReferenced(call);
    bool implicit = clang_CXXMethod_isDefaulted(constructor);
    int count = clang_Cursor_getNumArguments(call);
    gw_cursors arguments = {0};
    for (int i = 0; i < count; i++)
        gw_push(&arguments, clang_Cursor_getArgument(call, (unsigned)i));
    if (gw_front_shape_kind(L->u, to.shape) == GW_SHAPE_ARRAY) {
        if (count || !implicit)
            gw_front_refuse(L, call, "an array of objects with constructors", "use plain structs");
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

static void fill_from(gw_lowering *L, gw_place to, CXCursor list, bool zeroed) {
    reading r = {.L = L, .zeroed = zeroed};
    gw_front_expressions(list, &r.items);
    fill(&r, to);
    gw_vec_free(&r.items);
}

/* One element: a list of its own, a value of its type, or (braces left out) the next items. */
static void fill_element(reading *r, gw_place to) {
    gw_lowering *L = r->L;
    gw_shape_kind kind = gw_front_shape_kind(L->u, to.shape);
    bool aggregate = kind == GW_SHAPE_STRUCT || kind == GW_SHAPE_ARRAY;
    if (r->next >= r->items.count) {
        if (!r->zeroed) gw_front_clear(L, to);
        return;
    }
    CXCursor e = r->items.at[r->next];
    if (aggregate && clang_getCursorKind(e) == CXCursor_InitListExpr) {
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

static enum CXChildVisitResult find_constructor(CXCursor child, CXCursor parent, CXClientData data) {
    (void)parent;
    if (clang_getCursorKind(child) != CXCursor_Constructor || clang_CXXMethod_isDefaulted(child))
        return CXChildVisit_Continue;
    *(bool *)data = true;
    return CXChildVisit_Break;
}

static void fill_struct(reading *r, gw_place to, const gw_shape_data *d) {
    gw_lowering *L = r->L;
    bool constructed = false;
    clang_visitChildren(clang_getTypeDeclaration(d->clang), find_constructor, &constructed);
    if (constructed) {
        CXCursor first = r->items.count ? r->items.at[0] : clang_getTypeDeclaration(d->clang);
        gw_front_refuse(L, first, "a list for a class with constructors", "name the constructor: T(a, b)");
    }
    for (uint32_t i = 0; i < d->count && !L->failed; i++) {
        gw_place member = gw_front_member(L, to, i);
        bool missing = r->next >= r->items.count;
        fill_element(r, member);
        if (missing) default_member(L, member, L->u->fields.at[d->first + i]);
    }
}

static void fill_array(reading *r, gw_place to, const gw_shape_data *d) {
    gw_lowering *L = r->L;
    if (!r->zeroed && !r->next && r->items.count < d->count) { /* short: cleared at once */
        gw_front_clear(L, to);
        r->zeroed = true;
    }
    for (uint32_t i = 0; i < d->count && !L->failed; i++) {
        if (r->zeroed && r->next >= r->items.count) break;
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
        n += cells(u, u->fields.at[d->first + i].shape);
    return n;
}

/* Whether the list leaves cells out (or may do so), which are then zero. */
static bool is_short(gw_lowering *L, gw_shape shape, CXCursor list) {
    const gw_shape_data d = *gw_front_shape_at(L->u, shape);
    gw_cursors items = {0};
    gw_front_expressions(list, &items);
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
