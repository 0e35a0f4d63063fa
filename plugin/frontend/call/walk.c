/*
 * frontend/call/walk.c - iterators that move through tables and sets which nobody changes, and loops over
 * those: `for (const auto &[key, value] : table)`, `++it`.
 *
 * Such an iterator is a number (emitted/walk.h), which a slot holds like any other; what it leads to is a
 * question to the table, with the number as its operand. A variable that keeps what it was made with needs none
 * (call/asked.c). It stays in one table: the number alone does not say in which.
 */
#include "plugin/frontend/call/call.h"
#include "plugin/frontend/lower.h"
#include "plugin/frontend/place/place.h"
#include "plugin/frontend/type/type.h"

#include "analysis/ir/question.h"

#include <stdlib.h>
#include <string.h>

static gw_value mark_of(gw_lowering *L, gw_place iterator) {
    return gw_front_load(L, gw_front_asked_on(L, iterator, GW_T_U64, "gw_mark($0)", 0));
}

/* ---- loops over all of it ---- */
bool gw_front_can_be_walked(gw_lowering *L, const gw_place *p) {
    const CXType type = gw_front_shape_at(L->u, p->shape)->clang;
    return gw_front_can_be_asked(L, p) &&
           (gw_front_is_asked_owner(L->u, type) || gw_front_is_asked_inside(L->u, type));
}

static bool by_index(gw_lowering *L, const gw_place *p) {
    return gw_front_is_asked_by_index(L->u, gw_front_shape_at(L->u, p->shape)->clang);
}

gw_value gw_front_walk_count(gw_lowering *L, gw_place table) {
    return gw_front_load(L, gw_front_asked_on(L, table, GW_T_U64, "$0.size()", 0));
}

gw_value gw_front_walk_begin(gw_lowering *L, gw_place table) {
    if (by_index(L, &table)) return 0;
    return gw_front_load(L, gw_front_asked_on(L, table, GW_T_U64, "gw_mark($0.begin())", 0));
}

/* The type that a call of operator* in it has. */
static enum CXChildVisitResult find_element(CXCursor c, CXCursor parent, CXClientData found) {
    (void)parent;
    if (clang_getCursorKind(c) != CXCursor_CallExpr) return CXChildVisit_Recurse;
    CXString name = clang_getCursorSpelling(c);
    const bool is_star = strcmp(clang_getCString(name), "operator*") == 0;
    clang_disposeString(name);
    if (is_star) *(CXType *)found = clang_getCursorType(c);
    return is_star ? CXChildVisit_Break : CXChildVisit_Recurse;
}

gw_place gw_front_walk_element(gw_lowering *L, gw_place table, CXCursor variable, gw_value at) {
    if (by_index(L, &table)) {
        const CXType class = clang_getCanonicalType(gw_front_shape_at(L->u, table.shape)->clang);
        const gw_shape shape = gw_front_shape(L->u, clang_Type_getTemplateArgumentAsType(class, 0));
        return gw_front_asked_on(L, table, shape, "$0[$1]", at);
    }
    CXType type = {.kind = CXType_Invalid};
    clang_visitChildren(variable, find_element, &type);
    if (type.kind == CXType_Invalid) {
        gw_front_refuse(L, variable, "this range-for", "loop by iterators");
        return (gw_place){0};
    }
    const gw_shape shape = gw_front_shape(L->u, clang_getUnqualifiedType(type));
    return gw_front_asked_on(L, table, shape, "(*gw_marked($0, $1))", at);
}

gw_value gw_front_walk_on(gw_lowering *L, gw_place table, gw_value at) {
    return gw_front_load(L, gw_front_asked_on(L, table, GW_T_U64, "gw_mark_behind($0, $1)", at));
}

/* ---- iterators that move ---- */
static gw_binding *walking(gw_lowering *L, CXCursor e) {
    e = gw_front_strip(e);
    while (gw_front_is_cast(clang_getCursorKind(e)) && !clang_Cursor_isNull(gw_front_expression(e)))
        e = gw_front_strip(gw_front_expression(e));
    const CXCursor decl = clang_getCursorReferenced(e);
    if (clang_getCursorKind(e) != CXCursor_DeclRefExpr) return NULL;
    for (uint32_t i = L->bindings.count; i-- > 0;)
        if (clang_equalCursors(L->bindings.at[i].decl, decl))
            return L->bindings.at[i].place.walk ? &L->bindings.at[i] : NULL;
    return NULL;
}

gw_place gw_front_referred(gw_lowering *L, CXCursor e) {
    const gw_binding *moves = walking(L, e);
    const CXType type = clang_getCursorType(e);
    const bool is_part = gw_front_is_asked_class(L->u, type) && !gw_front_is_asked_owner(L->u, type);
    const CXCursor made = gw_front_behind_casts(L, e);
    const bool is_call = is_part && clang_getCursorKind(made) == CXCursor_CallExpr;
    if (!moves && is_call && gw_front_returns_reference(made))
        gw_front_refuse(L, e, "a reference to an iterator that a call gives", "name the iterator itself");
    return moves ? moves->place : gw_front_place(L, e);
}

/* The table that the expression, m.begin() or another iterator, leads into; false: nobody can say. */
static bool table_of(gw_lowering *L, CXCursor e, gw_place *table) {
    for (e = gw_front_strip(e);;) {
        const gw_binding *other = walking(L, e);
        if (other) {
            *table = other->place;
            return true;
        }
        const CXCursor callee = clang_getCursorReferenced(e);
        const bool is_made =
            clang_getCursorKind(e) == CXCursor_CallExpr &&
            (clang_getCursorKind(callee) == CXCursor_Constructor || gw_front_steps_aside(L->u, callee));
        if (!is_made && !gw_front_is_cast(clang_getCursorKind(e))) break;
        const CXCursor inner = is_made ? clang_Cursor_getArgument(e, 0) : gw_front_expression(e);
        if (clang_Cursor_isNull(inner)) return false;
        e = gw_front_strip(inner);
    }
    const CXCursor called = gw_front_called_expression(e);
    if (clang_getCursorKind(e) != CXCursor_CallExpr || clang_getCursorKind(called) != CXCursor_MemberRefExpr)
        return false;
    const CXCursor object = gw_front_expression(called);
    if (clang_Cursor_isNull(object)) return false;
    const CXType type = clang_getNonReferenceType(clang_getCursorType(object));
    if (!gw_front_is_asked_owner(L->u, type)) return false;
    const gw_shape shape = gw_front_shape(L->u, type);
    return gw_front_asked_copy(L, object, shape, table);
}

static bool is_same(const gw_place *a, const gw_place *b) {
    return a->object == b->object && a->path == b->path && a->count == b->count &&
           memcmp(a->index, b->index, a->count * sizeof *a->index) == 0;
}

bool gw_front_declare_walk(gw_lowering *L, CXCursor variable, CXCursor e) {
    gw_place table = {0}, first;
    const gw_shape shape = gw_front_shape(L->u, clang_getCursorType(variable));
    if (gw_front_is_asked_owner(L->u, clang_getCursorType(variable)) || !table_of(L, e, &table)) return false;
    if (!gw_front_asked_copy(L, e, shape, &first)) return false;
    table.shape = shape;
    const gw_value mark = mark_of(L, first);
    const gw_str name = gw_front_intern(L->u, clang_getCursorSpelling(variable));
    table.walk = gw_front_slot(L, GW_SLOT_SCALAR, GW_T_U64, name) + 1;
    gw_front_slot_set(L, table.walk - 1, mark);
    gw_front_bind(L, variable, table);
    return true;
}

static bool give(gw_lowering *L, gw_place to, CXCursor e) {
    gw_place table = {0}, from;
    if (!table_of(L, e, &table) || !is_same(&table, &to)) return false;
    if (!gw_front_asked_copy(L, e, to.shape, &from)) return false;
    gw_front_slot_set(L, to.walk - 1, mark_of(L, from));
    return true;
}

bool gw_front_walk(gw_lowering *L, CXCursor call, CXCursor callee, const gw_cursors *arguments,
                   gw_call_result *r) {
    if (clang_Cursor_isNull(callee) || !gw_front_is_method(callee) || !arguments->count) return false;
    if (L->f->kind != GW_FUNC_HOST || L->is_program || clang_CXXMethod_isConst(callee)) return false;
    const CXType class = clang_getCursorType(clang_getCursorSemanticParent(callee));
    if (!gw_front_is_asked_class(L->u, class) || gw_front_is_asked_owner(L->u, class)) return false;
    const char *name = GW_FRONT_TEXT(L, gw_front_intern(L->u, clang_getCursorSpelling(callee)));
    const gw_binding *moves = walking(L, arguments->at[0]);
    const bool up = strcmp(name, "operator++") == 0, down = strcmp(name, "operator--") == 0;
    const gw_place to = moves ? moves->place : (gw_place){0};
    bool good = moves != NULL;
    if (good && (up || down)) {
        const gw_value old = gw_front_slot_value(L, to.walk - 1);
        const char *step = up ? "gw_mark_behind($0, $1)" : "gw_mark_before($0, $1)";
        gw_front_slot_set(L, to.walk - 1, gw_front_load(L, gw_front_asked_on(L, to, GW_T_U64, step, old)));
        r->place = gw_front_asked_on(L, to, to.shape, "gw_marked($0, $1)", old);
        if (!clang_Cursor_getNumArguments(callee)) r->place = gw_front_walked(L, to);
    } else if (good) {
        good = strcmp(name, "operator=") == 0 && give(L, to, arguments->at[1]);
        if (good) r->place = gw_front_walked(L, to);
    }
    if (!good && !L->failed)
        gw_front_refuse(L, call, "this change of an iterator",
                        "step a local one through one table that nobody changes, or ask by find or at");
    return true;
}
