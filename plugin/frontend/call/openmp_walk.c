/*
 * frontend/call/openmp_walk.c - the cursors of a body with what they stand in, and how an expression uses a
 * variable (contract: openmp_walk_private.h).
 */
#include "plugin/frontend/call/openmp_walk_private.h"

#include <stdlib.h>

static enum CXChildVisitResult walk_child(CXCursor c, CXCursor parent, CXClientData data) {
    (void)parent;
    gw_openmp_walk *w = data;
    gw_openmp_node n = {c, clang_getCursorKind(c), w->here, ++w->order, w->here->seen++, 0};
    w->here = &n;
    w->enter(w, &n);
    clang_visitChildren(c, walk_child, w);
    if (w->leave) w->leave(w, &n);
    w->here = n.above;
    return CXChildVisit_Continue;
}

void gw_front_openmp_walk_all(CXCursor root, gw_openmp_visit *enter, gw_openmp_visit *leave, void *data) {
    gw_openmp_node none = {.c = clang_getNullCursor()}; /* above the root: of no kind */
    gw_openmp_node n = {.c = root, .kind = clang_getCursorKind(root), .above = &none};
    gw_openmp_walk w = {.here = &n, .enter = enter, .leave = leave, .data = data};
    clang_visitChildren(root, walk_child, &w);
}

/* The number's own value is taken: an implicit conversion of which nothing but the type without const is seen.
 */
static bool takes_value(const gw_openmp_node *of, const gw_openmp_node *n) {
    const CXType type = clang_getCanonicalType(clang_getCursorType(n->c));
    const CXType own = clang_getCanonicalType(clang_getCursorType(of->c));
    const bool is_scalar = type.kind == CXType_Pointer || type.kind == CXType_Enum ||
                           (type.kind >= CXType_Bool && type.kind <= CXType_NullPtr) ||
                           type.kind == CXType_Half || type.kind == CXType_Float16;
    return n->kind == CXCursor_UnexposedExpr && is_scalar && !clang_isConstQualifiedType(type) &&
           !clang_isVolatileQualifiedType(type) &&
           clang_equalTypes(type, clang_getCanonicalType(clang_getUnqualifiedType(own)));
}

static bool is_of_array(const gw_openmp_node *n) {
    const enum CXTypeKind kind = clang_getCanonicalType(clang_getCursorType(n->c)).kind;
    return kind == CXType_ConstantArray || kind == CXType_VariableArray;
}

/* The whole place that the use is a part of: t of (t), t.x, t[i]. */
gw_openmp_node *gw_front_openmp_place_of(gw_openmp_node *n, bool *is_part) {
    for (;;) {
        gw_openmp_node *up = n->above;
        const bool is_base =
            n->place == 0 && up->kind == CXCursor_MemberRefExpr && n->kind != CXCursor_CallExpr;
        const bool decays = is_of_array(n) && up->kind == CXCursor_UnexposedExpr && up->above &&
                            up->above->kind == CXCursor_ArraySubscriptExpr && up->place == 0;
        if (is_base || decays) *is_part = true;
        if (up->kind == CXCursor_ParenExpr || is_base)
            n = up;
        else if (decays)
            n = up->above;
        else
            return n;
    }
}

/* ".x", "[2]"; 0: which element it is is not known. */
static gw_str step_of(gw_unit *u, const gw_openmp_node *n) {
    if (n->kind == CXCursor_MemberRefExpr) return gw_front_intern(u, clang_getCursorSpelling(n->c));
    gw_cursors in = {0};
    int64_t at = 0;
    double real;
    bool is_real = false;
    gw_front_children(n->c, &in);
    const bool is_known = in.count == 2 && gw_front_evaluate(in.at[1], &at, &real, &is_real) && !is_real;
    gw_vec_free(&in);
    if (!is_known) return 0;
    char *text = gw_format("[%lld]", (long long)at);
    const gw_str step = gw_intern(u->session, text);
    free(text);
    return step;
}

gw_openmp_part gw_front_openmp_part_of(gw_unit *u, gw_openmp_node *n, bool *is_known) {
    bool is_part = false;
    gw_openmp_part part = {.count = 0};
    const gw_openmp_node *whole = gw_front_openmp_place_of(n, &is_part);
    *is_known = true;
    for (const gw_openmp_node *up = n; up != whole && *is_known; up = up->above) {
        const enum CXCursorKind kind = up->above->kind;
        if (kind != CXCursor_MemberRefExpr && kind != CXCursor_ArraySubscriptExpr) continue;
        const gw_str step = part.count < GW_OPENMP_STEPS ? step_of(u, up->above) : 0;
        *is_known = step != 0;
        if (step) part.step[part.count++] = step;
    }
    return part;
}

/* What stands around an expression whose value goes nowhere as another name of its left side. */
static bool is_value_only(const gw_openmp_node *n) {
    const gw_openmp_node *up = n->above;
    while (up->kind == CXCursor_ParenExpr)
        n = up, up = up->above;
    if (up->kind == CXCursor_VarDecl) return !gw_front_is_reference(clang_getCursorType(up->c));
    return clang_isStatement(up->kind) || up->kind == CXCursor_BinaryOperator ||
           up->kind == CXCursor_CompoundAssignOperator || takes_value(n, up);
}

bool gw_front_openmp_is_assigned(const gw_openmp_node *n) {
    return n->place == 0 && n->above->kind == CXCursor_BinaryOperator &&
           clang_getCursorBinaryOperatorKind(n->above->c) == CXBinaryOperator_Assign;
}

bool gw_front_openmp_is_stepped(const gw_openmp_node *n) {
    const enum CXUnaryOperatorKind of = clang_getCursorUnaryOperatorKind(n->above->c);
    return n->above->kind == CXCursor_UnaryOperator && of >= CXUnaryOperator_PostInc &&
           of <= CXUnaryOperator_PreDec;
}

gw_openmp_manner gw_front_openmp_how_used(gw_openmp_node *n, bool *is_part) {
    n = gw_front_openmp_place_of(n, is_part);
    if (gw_front_openmp_is_assigned(n)) return is_value_only(n->above) ? GW_OPENMP_SET : GW_OPENMP_OTHER;
    if ((n->above->kind == CXCursor_CompoundAssignOperator && n->place == 0) || gw_front_openmp_is_stepped(n))
        return is_value_only(n->above) ? GW_OPENMP_CHANGE : GW_OPENMP_OTHER;
    while (n->above->kind == CXCursor_ParenExpr || (n->above->kind == CXCursor_ConditionalOperator && n->place))
        n = n->above;
    return takes_value(n, n->above) ? GW_OPENMP_READ : GW_OPENMP_OTHER;
}

static void count_use(gw_openmp_walk *w, gw_openmp_node *n) {
    gw_openmp_count *k = w->data;
    bool is_part = false;
    if (n->kind != CXCursor_DeclRefExpr || !clang_equalCursors(clang_getCursorReferenced(n->c), k->of)) return;
    k->uses++;
    if (gw_front_openmp_is_assigned(gw_front_openmp_place_of(n, &is_part)) && !is_part) k->sets++;
}
gw_openmp_count gw_front_openmp_counted(CXCursor in, CXCursor variable) {
    gw_openmp_count k = {.of = variable};
    gw_front_openmp_walk_all(in, count_use, NULL, &k);
    return k;
}

bool gw_front_openmp_is_last_child(const gw_openmp_node *n) {
    gw_cursors of = {0};
    gw_front_children(n->above->c, &of);
    const bool is_last = of.count == n->place + 1;
    gw_vec_free(&of);
    return is_last;
}

/* An expression with what is joined to it by commas. */
const gw_openmp_node *gw_front_openmp_joined(const gw_openmp_node *n) {
    while (n->above->kind == CXCursor_ParenExpr ||
           clang_getCursorBinaryOperatorKind(n->above->c) == CXBinaryOperator_Comma)
        n = n->above;
    return n;
}

/* An expression's value is read by nothing. */
bool gw_front_openmp_is_discarded(const gw_openmp_node *n) {
    n = gw_front_openmp_joined(n);
    switch (n->above->kind) {
    case CXCursor_CompoundStmt:
    case CXCursor_UnexposedStmt:
        return true;
    case CXCursor_IfStmt:
        return n->place > 0;
    case CXCursor_ForStmt:
    case CXCursor_CXXForRangeStmt:
    case CXCursor_WhileStmt:
        return gw_front_openmp_is_last_child(n);
    case CXCursor_DoStmt:
        return n->place == 0;
    default:
        return false;
    }
}
