/*
 * frontend/call/openmp_fill.c - a loop that sets all elements of an array, one in each turn (contract:
 * openmp_walk_private.h).
 */
#include "plugin/frontend/call/openmp_walk_private.h"

static CXCursor plain(CXCursor e) {
    while (clang_getCursorKind(e) == CXCursor_UnexposedExpr || clang_getCursorKind(e) == CXCursor_ParenExpr) {
        gw_cursors in = {0};
        gw_front_children(e, &in);
        const CXCursor of = in.count == 1 ? in.at[0] : clang_getNullCursor();
        gw_vec_free(&in);
        e = of;
    }
    return e;
}
static bool is_use_of(CXCursor e, CXCursor variable) {
    return clang_getCursorKind(plain(e)) == CXCursor_DeclRefExpr &&
           clang_equalCursors(clang_getCursorReferenced(plain(e)), variable);
}
static bool is_integer(CXCursor e, int64_t value) {
    int64_t found = 0;
    double real;
    bool is_real = false;
    return gw_front_evaluate(e, &found, &real, &is_real) && !is_real && found == value;
}

/* int k = 0; k = 0 */
static bool begins(CXCursor clause, CXCursor index) {
    gw_cursors in = {0};
    gw_front_children(clause, &in);
    bool begins = false;
    if (clang_getCursorKind(clause) == CXCursor_DeclStmt && in.count == 1 &&
        clang_equalCursors(in.at[0], index)) {
        const CXCursor value = clang_Cursor_getVarDeclInitializer(in.at[0]);
        begins = !clang_Cursor_isNull(value) && is_integer(value, 0);
    }
    if (clang_getCursorBinaryOperatorKind(clause) == CXBinaryOperator_Assign)
        begins = is_use_of(in.at[0], index) && is_integer(in.at[1], 0);
    gw_vec_free(&in);
    return begins;
}

/* k < count */
static bool ends(CXCursor clause, CXCursor index, int64_t count) {
    gw_cursors in = {0};
    gw_front_children(clause, &in);
    const bool ends = clang_getCursorBinaryOperatorKind(clause) == CXBinaryOperator_LT &&
                      is_use_of(in.at[0], index) && is_integer(in.at[1], count);
    gw_vec_free(&in);
    return ends;
}

/* k++ */
static bool steps(CXCursor clause, CXCursor index) {
    const enum CXUnaryOperatorKind of = clang_getCursorUnaryOperatorKind(clause);
    gw_cursors in = {0};
    gw_front_children(clause, &in);
    const bool steps = (of == CXUnaryOperator_PostInc || of == CXUnaryOperator_PreInc) && in.count == 1 &&
                       is_use_of(in.at[0], index);
    gw_vec_free(&in);
    return steps;
}

typedef struct turn {
    CXCursor index;
    bool is_other; /* it may end early, or change the index */
} turn;
static void check_turn(gw_openmp_walk *w, gw_openmp_node *n) {
    turn *t = w->data;
    bool is_part = false;
    const bool leaves = n->kind == CXCursor_BreakStmt || n->kind == CXCursor_ContinueStmt ||
                        n->kind == CXCursor_GotoStmt || n->kind == CXCursor_IndirectGotoStmt;
    const bool is_use = n->kind == CXCursor_DeclRefExpr && is_use_of(n->c, t->index);
    t->is_other |= leaves || (is_use && gw_front_openmp_how_used(n, &is_part) != GW_OPENMP_READ);
}

const gw_openmp_node *gw_front_openmp_fill(gw_openmp_node *n) {
    bool is_part = false;
    gw_cursors of = {0};
    const gw_openmp_node *element = gw_front_openmp_place_of(n, &is_part);
    const gw_openmp_node *loop = gw_front_openmp_joined(element->above);
    if (element->kind != CXCursor_ArraySubscriptExpr) return NULL;
    while (loop->above->kind == CXCursor_CompoundStmt || loop->above->kind == CXCursor_UnexposedStmt)
        loop = loop->above;
    if (loop->above->kind != CXCursor_ForStmt || loop->place != 3) return NULL;
    loop = loop->above;
    gw_front_children(element->c, &of);
    const int64_t count = clang_getArraySize(clang_getCanonicalType(clang_getCursorType(plain(of.at[0]))));
    turn t = {.index = clang_getCursorReferenced(plain(of.at[1]))};
    const bool is_named = is_use_of(of.at[1], t.index) && is_use_of(of.at[0], clang_getCursorReferenced(n->c));
    of.count = 0;
    gw_front_children(loop->c, &of);
    if (is_named) gw_front_openmp_walk_all(of.at[3], check_turn, NULL, &t);
    const bool fills = is_named && !t.is_other && count > 0 && begins(of.at[0], t.index) &&
                       ends(of.at[1], t.index, count) && steps(of.at[2], t.index);
    gw_vec_free(&of);
    return fills ? loop : NULL;
}
