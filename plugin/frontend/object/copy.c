/*
 * frontend/object/copy.c - copies of objects as C++ makes them.
 *
 * A class with a copy or move constructor (assignment) of the user's is copied by that; another one member by
 * member, each of them in the same way. libclang shows a constructor where the source copies a whole object; it
 * shows none in lists, captures and ranges, nor what an implicit copy does, nor what the library does with
 * elements. All of these come through here. An object that a function returns, or that is made on the spot, is
 * made in its place: no copy.
 *
 * A constructor that says no more than an implicit one would say is none: so the number of copies matters only
 * where a program can tell.
 */
#include "plugin/frontend/lower.h"
#include "plugin/frontend/object/object.h"
#include "plugin/frontend/type/type.h"

static bool assigns(gw_copying how) { return how == GW_ASSIGNED || how == GW_ASSIGNED_MOVED; }
static bool moves(gw_copying how) { return how == GW_MOVED || how == GW_ASSIGNED_MOVED; }

static bool is_of(CXCursor method, gw_copying how) {
    bool constructor = clang_getCursorKind(method) == CXCursor_Constructor;
    if (constructor == assigns(how) || clang_CXXMethod_isDeleted(method)) return false;
    switch (how) {
    case GW_COPIED: return clang_CXXConstructor_isCopyConstructor(method) != 0;
    case GW_MOVED: return clang_CXXConstructor_isMoveConstructor(method) != 0;
    case GW_ASSIGNED: return clang_CXXMethod_isCopyAssignmentOperator(method) != 0;
    default: return clang_CXXMethod_isMoveAssignmentOperator(method) != 0;
    }
}

/* The class's own; of several, the one that takes a constant. */
static CXCursor find(const gw_cursors *methods, gw_copying how) {
    CXCursor found = clang_getNullCursor();
    for (uint32_t i = 0; i < methods->count; i++) {
        if (!is_of(methods->at[i], how)) continue;
        bool constant = gw_front_is_const_reference(clang_getArgType(clang_getCursorType(methods->at[i]), 0));
        if (constant || clang_Cursor_isNull(found)) found = methods->at[i];
    }
    return found;
}

/* What runs; null: each member is copied. A class that cannot be moved is copied. */
static CXCursor written(gw_unit *u, gw_shape shape, gw_copying how) {
    const gw_shape_data *d = gw_front_shape_at(u, shape);
    gw_cursors methods = {0};
    if (d->kind == GW_SHAPE_STRUCT && !d->library) gw_front_methods(d->clang, &methods);
    CXCursor found = find(&methods, how);
    if (moves(how) && clang_Cursor_isNull(found))
        found = find(&methods, assigns(how) ? GW_ASSIGNED : GW_COPIED);
    gw_vec_free(&methods);
    return clang_CXXMethod_isDefaulted(found) ? clang_getNullCursor() : found;
}

/* ---- constructors that copy every member and do nothing else ---- */
static CXCursor inside(CXCursor e) {
    for (;;) {
        enum CXCursorKind kind = clang_getCursorKind(e);
        bool made = kind == CXCursor_CallExpr && clang_Cursor_getNumArguments(e) == 1 &&
                    clang_getCursorKind(clang_getCursorReferenced(e)) == CXCursor_Constructor;
        if (made)
            e = clang_Cursor_getArgument(e, 0);
        else if (kind == CXCursor_UnexposedExpr || kind == CXCursor_ParenExpr || kind == CXCursor_InitListExpr)
            e = gw_front_expression(e);
        else
            return e;
    }
}

static bool names(CXCursor e, CXCursor decl) {
    e = inside(e);
    return clang_getCursorKind(e) == CXCursor_DeclRefExpr &&
           clang_equalCursors(clang_getCursorReferenced(e), decl);
}

/* from.member */
static bool is_members(CXCursor e, CXCursor from, CXCursor member) {
    e = inside(e);
    if (clang_getCursorKind(e) != CXCursor_MemberRefExpr || !names(gw_front_expression(e), from)) return false;
    return clang_equalCursors(clang_getCanonicalCursor(clang_getCursorReferenced(e)),
                              clang_getCanonicalCursor(member));
}

/* member = from.member; */
static bool assigns_member(CXCursor statement, CXCursor from, CXCursor member) {
    gw_cursors sides = {0};
    bool plain = clang_getCursorBinaryOperatorKind(statement) == CXBinaryOperator_Assign;
    if (plain) gw_front_expressions(statement, &sides);
    plain = sides.count == 2 && clang_getCursorKind(sides.at[0]) == CXCursor_MemberRefExpr &&
            (clang_Cursor_isNull(gw_front_expression(sides.at[0])) ||
             clang_getCursorKind(gw_front_expression(sides.at[0])) == CXCursor_CXXThisExpr) &&
            clang_equalCursors(clang_getCanonicalCursor(clang_getCursorReferenced(sides.at[0])),
                               clang_getCanonicalCursor(member)) &&
            is_members(sides.at[1], from, member);
    gw_vec_free(&sides);
    return plain;
}

static bool copies_field(gw_unit *u, const gw_cursors *parts, const gw_cursors *body, CXCursor from,
                         const gw_shape_field *f) {
    bool copied = false;
    for (uint32_t i = 0; i + 1 < parts->count; i++) {
        CXCursor name = parts->at[i], e = parts->at[i + 1];
        bool base = f->is_base && !f->is_anonymous && clang_isExpression(clang_getCursorKind(e)) &&
                    clang_getCursorKind(name) != CXCursor_MemberRef;
        if (base && gw_front_shape(u, clang_getCursorType(e)) == f->shape) copied |= names(e, from);
        bool named = clang_getCursorKind(name) == CXCursor_MemberRef &&
                     clang_equalCursors(clang_getCanonicalCursor(clang_getCursorReferenced(name)),
                                        clang_getCanonicalCursor(f->decl));
        if (named) copied |= is_members(e, from, f->decl);
    }
    for (uint32_t i = 0; i < body->count; i++) copied |= assigns_member(body->at[i], from, f->decl);
    return copied;
}

/* Each statement assigns a member, or is a last `return *this;`. */
static bool does_no_more(gw_unit *u, const gw_cursors *body, CXCursor from, const gw_shape_data *d) {
    uint32_t known = 0;
    for (uint32_t i = 0; i < body->count; i++) {
        bool assigned = false;
        for (uint32_t f = 0; f < d->count; f++)
            assigned |= assigns_member(body->at[i], from, u->fields.at[d->first + f].decl);
        bool last = i + 1 == body->count && clang_getCursorKind(body->at[i]) == CXCursor_ReturnStmt;
        known += assigned || last;
    }
    return known == body->count;
}

static bool is_plain(gw_unit *u, CXCursor method, const gw_shape_data *d) {
    CXCursor definition = clang_getCursorDefinition(method);
    if (clang_Cursor_isNull(definition) || clang_Cursor_getNumArguments(definition) != 1 || d->is_union)
        return false;
    CXCursor from = clang_Cursor_getArgument(definition, 0);
    gw_cursors parts = {0}, body = {0};
    gw_front_children(definition, &parts);
    gw_front_children(gw_front_body(definition), &body);
    bool plain = does_no_more(u, &body, from, d);
    for (uint32_t i = 0; i < d->count && plain; i++)
        plain = copies_field(u, &parts, &body, from, &u->fields.at[d->first + i]);
    gw_vec_free(&parts);
    gw_vec_free(&body);
    return plain;
}

/* ---- whether code runs ---- */
static bool by_code(gw_unit *u, gw_shape shape, gw_copying how) {
    const gw_shape_data d = *gw_front_shape_at(u, shape);
    if (d.kind == GW_SHAPE_ARRAY) return gw_front_copies_by_code(u, d.element, how);
    if (d.library == GW_LIBRARY_VECTOR)
        return gw_front_copies_by_code(u, gw_front_pointee(u, u->fields.at[d.first].shape), how);
    if (d.library == GW_LIBRARY_UNIQUE) return moves(how); /* what was moved from is null */
    if (d.kind != GW_SHAPE_STRUCT) return false;
    CXCursor method = written(u, shape, how);
    bool code = !clang_Cursor_isNull(method) && !is_plain(u, method, &d);
    for (uint32_t i = 0; i < d.count && !code; i++)
        code = gw_front_copies_by_code(u, u->fields.at[d.first + i].shape, how);
    return code;
}

bool gw_front_copies_by_code(gw_unit *u, gw_shape shape, gw_copying how) {
    enum { UNKNOWN, PLAIN, CODE };
    uint8_t known = gw_front_shape_at(u, shape)->copying[how];
    if (known == UNKNOWN) known = by_code(u, shape, how) ? CODE : PLAIN;
    gw_front_shape_at(u, shape)->copying[how] = known;
    return known == CODE;
}

/* ---- copies ---- */
typedef struct copy_of {
    gw_place other;
    gw_copying how;
    CXCursor at;
} copy_of;
static void from_one(gw_lowering *L, gw_place from, void *c) {
    gw_front_copy_object(L, ((copy_of *)c)->other, from, ((copy_of *)c)->how, ((copy_of *)c)->at);
}
static void to_one(gw_lowering *L, gw_place to, void *c) {
    gw_front_copy_object(L, to, ((copy_of *)c)->other, ((copy_of *)c)->how, ((copy_of *)c)->at);
}

static void copy(gw_lowering *L, gw_place to, gw_place from, CXCursor at) {
    gw_front_copy_object(L, to, from, GW_COPIED, at);
}
static void move(gw_lowering *L, gw_place to, gw_place from, CXCursor at) {
    gw_front_copy_object(L, to, from, GW_MOVED, at);
}
static void assign(gw_lowering *L, gw_place to, gw_place from, CXCursor at) {
    gw_front_copy_object(L, to, from, GW_ASSIGNED, at);
}
static void assign_moved(gw_lowering *L, gw_place to, gw_place from, CXCursor at) {
    gw_front_copy_object(L, to, from, GW_ASSIGNED_MOVED, at);
}
gw_element_action *gw_front_copy_action(gw_copying how) {
    static gw_element_action *const actions[] = {
        [GW_COPIED] = copy, [GW_MOVED] = move, [GW_ASSIGNED] = assign, [GW_ASSIGNED_MOVED] = assign_moved};
    return actions[how];
}

void gw_front_copy_object(gw_lowering *L, gw_place to, gw_place from, gw_copying how, CXCursor at) {
    const gw_shape_data d = *gw_front_shape_at(L->u, to.shape);
    if (L->failed) return;
    if (!gw_front_copies_by_code(L->u, to.shape, how)) {
        gw_front_copy(L, to, from);
        return;
    }
    if (from.kind == GW_PLACE_CHOICE) {
        gw_front_choice_each(L, from, from_one, &(copy_of){to, how, at});
        return;
    }
    if (to.kind == GW_PLACE_CHOICE) {
        gw_front_choice_each(L, to, to_one, &(copy_of){from, how, at});
        return;
    }
    if (to.shape != from.shape) gw_front_recast(L, &from, to.shape);
    CXCursor method = written(L->u, to.shape, how);
    if (d.library == GW_LIBRARY_VECTOR && moves(how))
        gw_front_copy(L, to, from);
    else if (d.library == GW_LIBRARY_VECTOR)
        gw_front_vector_copy(L, to, from, how, at);
    else if (d.is_shared && !moves(how))
        gw_front_copy(L, to, from);
    else if (d.library == GW_LIBRARY_UNIQUE)
        gw_front_unique_move(L, to, from, how == GW_ASSIGNED_MOVED, at);
    else if (d.kind == GW_SHAPE_ARRAY)
        gw_front_each_element(L, to, from, gw_front_copy_action(how), at);
    else if (!clang_Cursor_isNull(method))
        gw_front_inline_with(L, at, method, &to, &from, 1, moves(how));
    else
        for (uint32_t i = 0; i < d.count && !L->failed; i++)
            if (gw_front_holds(&d, i))
                gw_front_copy_object(L, gw_front_member(L, to, i), gw_front_member(L, from, i), how, at);
}

void gw_front_copy_value(gw_lowering *L, gw_place to, CXCursor e) {
    const gw_category c = gw_front_category(L, e);
    gw_place from = gw_front_place(L, e);
    if (L->failed) return;
    if (c == GW_MADE)
        gw_front_copy(L, to, from);
    else
        gw_front_copy_object(L, to, from, c == GW_LVALUE ? GW_COPIED : GW_MOVED, e);
}

void gw_front_copy_argument(gw_lowering *L, gw_place to, CXCursor e) {
    bool object = gw_front_shape_kind(L->u, to.shape) == GW_SHAPE_STRUCT ||
                  gw_front_shape_kind(L->u, to.shape) == GW_SHAPE_ARRAY;
    gw_copying how = gw_front_argument_copying(L, e);
    const bool is_made = gw_front_category(L, e) == GW_MADE;
    /* an object without a name is destroyed behind the copy */
    const bool ends = is_made && gw_front_shape_at(L->u, to.shape)->destructs;
    const bool by_code = object && gw_front_copies_by_code(L->u, to.shape, how);
    if (by_code && gw_front_shape_of(L, e) != to.shape) { /* of what it is made of */
        gw_cursors one = {&e, 1, 1};
        gw_front_construct_from(L, to, &one, e);
        return;
    }
    if (!object || gw_front_shape_of(L, e) != to.shape || (!ends && !by_code)) {
        gw_front_initialize(L, to, e);
        return;
    }
    gw_place from = {0};
    if (!is_made) from = gw_front_place(L, e);
    else from = gw_front_temp(L, to.shape, 0);
    if (is_made && !L->failed) gw_front_initialize(L, from, e);
    if (!L->failed) gw_front_copy_object(L, to, from, how, e);
}

void gw_front_fill(gw_lowering *L, gw_place first, gw_place value, gw_value count, gw_copying how,
                   CXCursor at) {
    gw_front_each(L, first, value, true, count, gw_front_copy_action(how), at);
}
