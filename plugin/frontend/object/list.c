/*
 * frontend/object/list.c - initialiser lists.
 *
 * libclang shows them as they are written: braces may be left out, members may be designated, and conversions
 * are not shown. What is missing is zero: a LOCAL object with a list that leaves cells out starts as zero (its
 * DECLARE makes new cells each time).
 */
#include "plugin/frontend/lower.h"
#include "plugin/frontend/object/object.h"
#include "plugin/frontend/type/type.h"

#include <string.h>

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

/* ---- text ---- */
bool gw_front_is_text(gw_lowering *L, gw_place to, CXCursor e) {
    const gw_shape_data *d = gw_front_shape_at(L->u, to.shape);
    bool characters = d->kind == GW_SHAPE_ARRAY && (d->element == GW_T_I8 || d->element == GW_T_U8);
    return characters && clang_getCursorKind(e) == CXCursor_StringLiteral;
}

void gw_front_text(gw_lowering *L, gw_place to, CXCursor e) {
    CXEvalResult known = clang_Cursor_Evaluate(e);
    const char *text =
        known && clang_EvalResult_getKind(known) == CXEval_StrLiteral ? clang_EvalResult_getAsStr(known) : NULL;
    CXString spelled = clang_getCursorSpelling(e);
    uint32_t count = gw_front_shape_at(L->u, to.shape)->count;
    size_t shown = text ? strlen(text) : 0;
    if (!text || strstr(clang_getCString(spelled), "\\000")) /* what stands behind a zero is not in the value */
        gw_front_refuse(L, e, "a string", "write the characters one by one");
    clang_disposeString(spelled);
    for (uint32_t i = 0; i < count && !L->failed; i++) {
        gw_value character = gw_int(&L->b, GW_T_I32, i < shown ? text[i] : 0);
        gw_front_store(L, gw_front_element(L, to, gw_int(&L->b, GW_T_I32, i)), character);
    }
    if (known) clang_EvalResult_dispose(known);
}

/* ---- lists ---- */
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

/* Whether {..., item, ...} of a std::vector gives it an element; -1: that is not known here. */
static int gives_element(gw_lowering *L, gw_shape element, CXCursor item) {
    const gw_shape_data d = *gw_front_shape_at(L->u, element);
    const gw_shape_kind kind = gw_front_kind_of(L, item);
    if (clang_getCursorKind(item) == CXCursor_InitListExpr || gw_front_shape_of(L, item) == element) return 1;
    if (d.kind == GW_SHAPE_SCALAR) return kind == GW_SHAPE_SCALAR;
    const bool converts = d.kind == GW_SHAPE_STRUCT && (d.library || gw_front_has_constructor(d.clang));
    return converts ? -1 : 0;
}

/* Items are elements wherever they can be, else what a constructor takes, such as a size and a value. */
static void fill_vector(gw_lowering *L, gw_place to, CXCursor list) {
    const gw_shape_data d = *gw_front_shape_at(L->u, to.shape);
    const gw_shape element = gw_front_pointee(L->u, L->u->fields.at[d.first].shape);
    gw_cursors items = {0}, whole = {0};
    gw_front_expressions(list, &items);
    gw_push(&whole, list);
    uint32_t given = 0, others = 0;
    for (uint32_t i = 0; i < items.count; i++) {
        const int gives = gives_element(L, element, items.at[i]);
        given += gives == 1, others += gives == 0;
    }
    if (items.count && given == items.count)
        gw_front_library_fill(L, to, &whole, list);
    else if (others == items.count)
        gw_front_library_fill(L, to, &items, list);
    else
        gw_front_refuse(L, list, "a list that may be elements of a std::vector, or a size and a value",
                        "write std::vector<T>(n, value), or T{...} for each element");
    gw_vec_free(&items);
    gw_vec_free(&whole);
}

static void fill_from(gw_lowering *L, gw_place to, CXCursor list, bool zeroed) {
    if (gw_front_shape_at(L->u, to.shape)->library == GW_LIBRARY_VECTOR) {
        fill_vector(L, to, list);
        return;
    }
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
    } else if (arguments->count == 1 &&
               gw_front_is_derived(L, gw_front_shape_of(L, arguments->at[0]), to.shape) &&
               !gw_front_takes(L, type, arguments)) {
        gw_front_copy_value(L, to, arguments->at[0]);
    } else {
        CXCursor constructor = gw_front_list_constructor(L, type, arguments, at);
        if (!L->failed) gw_front_inline(L, at, clang_getCursorDefinition(constructor), &to, arguments);
    }
}

/* An object of a class with constructors, from a list or from one value. */
static void construct_from_item(gw_lowering *L, gw_place to, CXCursor e) {
    gw_cursors arguments = {0};
    const bool is_list = clang_getCursorKind(e) == CXCursor_InitListExpr;
    if (is_list && gw_front_shape_at(L->u, to.shape)->library == GW_LIBRARY_VECTOR) {
        fill_vector(L, to, e);
        return;
    }
    if (is_list)
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
        gw_front_default_element(L, to, (gw_place){0}, clang_getNullCursor());
        return;
    }
    CXCursor e = r->items.at[r->next];
    if (class && gw_front_shape_of(L, e) != to.shape) {
        r->next++;
        construct_from_item(L, to, e);
    } else if (aggregate && clang_getCursorKind(e) == CXCursor_InitListExpr) {
        r->next++;
        fill_from(L, to, e, r->zeroed);
    } else if (aggregate && gw_front_is_derived(L, gw_front_shape_of(L, e), to.shape)) {
        r->next++;
        gw_front_copy_value(L, to, e);
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

/* A list with designators: what has none follows what stands before it, and members that are not named have
 * their defaults. */
static void fill_by_name(reading *r, gw_place to, uint32_t count) {
    gw_lowering *L = r->L;
    const gw_shape_data d = *gw_front_shape_at(L->u, to.shape);
    bool *given = gw_alloc((count + 1) * sizeof *given);
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
        if (next < count) given[next] = true;
        next++;
    }
    for (uint32_t i = 0; i < count && d.kind == GW_SHAPE_STRUCT && !d.is_union && !L->failed; i++)
        if (!given[i]) gw_front_default_member(L, to, gw_front_member(L, to, i), L->u->fields.at[d.first + i]);
    free(given);
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
        gw_front_default_member(L, to, member, L->u->fields.at[d->first + i]);
    }
}

static void fill_array(reading *r, gw_place to, const gw_shape_data *d) {
    gw_lowering *L = r->L;
    if (!r->zeroed && !r->next && r->items.count < d->count) { /* short: cleared at once */
        gw_front_clear(L, to);
        r->zeroed = true;
    }
    for (uint32_t i = 0; i < d->count && !L->failed; i++) {
        if (r->zeroed && r->next >= r->items.count && !gw_front_constructs(L->u, d->element)) break;
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
    if (r->next < r->items.count && gw_front_is_text(L, to, r->items.at[r->next])) {
        gw_front_text(L, to, r->items.at[r->next++]);
    } else if (by_name && !r->next) {
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
               (gw_front_shape_of(L, items.at[0]) == to.shape || gw_front_is_text(L, to, items.at[0])) &&
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
