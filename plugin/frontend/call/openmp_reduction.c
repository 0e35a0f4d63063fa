/*
 * frontend/call/openmp_reduction.c - whether what is done with a variable combines it as the pragma's reduction
 * says, so that threads may each have a part of the result (contract: openmp_walk_private.h).
 */
#include "plugin/frontend/call/openmp_walk_private.h"

#include <string.h>

typedef struct combination {
    const char *name;
    enum CXBinaryOperatorKind assigning[2], joining, taking; /* x op= v; x = x op v, either way; x = x op v */
    bool steps;
} combination;
static const combination combinations[] = {
    {"+",
     {CXBinaryOperator_AddAssign, CXBinaryOperator_SubAssign},
     CXBinaryOperator_Add,
     CXBinaryOperator_Sub,
     true},
    {"-",
     {CXBinaryOperator_AddAssign, CXBinaryOperator_SubAssign},
     CXBinaryOperator_Add,
     CXBinaryOperator_Sub,
     true},
    {"*",
     {CXBinaryOperator_MulAssign, CXBinaryOperator_DivAssign},
     CXBinaryOperator_Mul,
     CXBinaryOperator_Div,
     false},
    {"&",
     {CXBinaryOperator_AndAssign, CXBinaryOperator_AndAssign},
     CXBinaryOperator_And,
     CXBinaryOperator_And,
     false},
    {"|",
     {CXBinaryOperator_OrAssign, CXBinaryOperator_OrAssign},
     CXBinaryOperator_Or,
     CXBinaryOperator_Or,
     false},
    {"^",
     {CXBinaryOperator_XorAssign, CXBinaryOperator_XorAssign},
     CXBinaryOperator_Xor,
     CXBinaryOperator_Xor,
     false},
    {"&&", {0}, CXBinaryOperator_LAnd, CXBinaryOperator_LAnd, false},
    {"||", {0}, CXBinaryOperator_LOr, CXBinaryOperator_LOr, false},
};
/* NULL: the least or the greatest. */
static const combination *combination_of(const char *name) {
    for (size_t i = 0; i < sizeof combinations / sizeof *combinations; i++)
        if (strcmp(combinations[i].name, name) == 0) return &combinations[i];
    return NULL;
}

/* The element, where the variable leads to elements. */
static gw_openmp_node *element_of(gw_openmp_node *n) {
    gw_openmp_node *up = n->above;
    const bool leads =
        up->kind == CXCursor_UnexposedExpr && up->above->kind == CXCursor_ArraySubscriptExpr && up->place == 0;
    return leads ? up->above : n;
}

/* x = x + v, x = v + x */
static bool is_joined(const combination *by, const gw_openmp_node *n, CXCursor variable) {
    for (; n->above->kind == CXCursor_ParenExpr || n->above->kind == CXCursor_UnexposedExpr ||
           n->above->kind == CXCursor_BinaryOperator;
         n = n->above) {
        if (n->above->kind != CXCursor_BinaryOperator) continue;
        const enum CXBinaryOperatorKind of = clang_getCursorBinaryOperatorKind(n->above->c);
        if (of == CXBinaryOperator_Assign)
            return n->place == 1 && gw_front_openmp_is_discarded(n->above) &&
                   gw_front_openmp_counted(n->above->c, variable).sets == 1;
        if (of != by->joining && (of != by->taking || n->place != 0)) return false;
    }
    return false;
}

/* What an if without an else does, if it is nothing but to set the variable; else null. */
static CXCursor only_set(CXCursor choice, CXCursor variable) {
    gw_cursors of = {0};
    gw_front_children(choice, &of);
    CXCursor does = of.count == 2 ? of.at[1] : clang_getNullCursor();
    while (clang_getCursorKind(does) == CXCursor_CompoundStmt) {
        of.count = 0;
        gw_front_children(does, &of);
        does = of.count == 1 ? of.at[0] : clang_getNullCursor();
    }
    gw_vec_free(&of);
    const bool sets = clang_getCursorKind(does) == CXCursor_BinaryOperator &&
                      gw_front_openmp_counted(does, variable).sets == 1;
    return sets && gw_front_openmp_counted(choice, variable).uses == 2 ? does : clang_getNullCursor();
}

static CXCursor child_at(CXCursor of, uint32_t place) {
    gw_cursors in = {0};
    gw_front_children(of, &in);
    const CXCursor found = place < in.count ? in.at[place] : clang_getNullCursor();
    gw_vec_free(&in);
    return found;
}

/* Expressions of the same words. */
static bool is_same_text(CXCursor a, CXCursor b) {
    CXTranslationUnit unit = clang_Cursor_getTranslationUnit(a);
    CXToken *words[2] = {NULL};
    unsigned many[2] = {0};
    clang_tokenize(unit, clang_getCursorExtent(a), &words[0], &many[0]);
    clang_tokenize(unit, clang_getCursorExtent(b), &words[1], &many[1]);
    bool is_same = many[0] == many[1] && many[0] > 0;
    for (unsigned i = 0; i < many[0] && is_same; i++) {
        CXString text[2] = {clang_getTokenSpelling(unit, words[0][i]),
                            clang_getTokenSpelling(unit, words[1][i])};
        is_same = strcmp(clang_getCString(text[0]), clang_getCString(text[1])) == 0;
        clang_disposeString(text[0]);
        clang_disposeString(text[1]);
    }
    for (int k = 0; k < 2; k++)
        clang_disposeTokens(unit, words[k], many[k]);
    return is_same;
}

/* The expression with brackets and conversions around it. */
static const gw_openmp_node *converted(const gw_openmp_node *n) {
    while (n->above->kind == CXCursor_ParenExpr || n->above->kind == CXCursor_UnexposedExpr)
        n = n->above;
    return n;
}

/* n is what the variable is set to. */
static bool is_set_to(const gw_openmp_node *n, CXCursor variable) {
    return n->place == 1 && clang_getCursorBinaryOperatorKind(n->above->c) == CXBinaryOperator_Assign &&
           gw_front_openmp_is_discarded(n->above) && gw_front_openmp_counted(n->above->c, variable).sets == 1;
}

/* "max", fmax, fmaxf, fmaxl of it */
static bool is_named(CXCursor call, const char *reduction) {
    CXString text = clang_getCursorSpelling(call);
    const char *name = clang_getCString(text);
    if (name[0] == 'f') name++;
    const size_t length = strlen(reduction), more = strlen(name);
    const bool is_it = strncmp(name, reduction, length) == 0 &&
                       (more == length || (more == length + 1 && strchr("fl", name[length])));
    clang_disposeString(text);
    return is_it;
}

/* x = fmax(x, v) */
static bool is_called(const gw_openmp_node *n, const char *reduction, CXCursor variable) {
    for (; n->above->kind == CXCursor_CallExpr && n->place > 0; n = converted(n->above))
        if (!is_named(n->above->c, reduction)) return false;
    return is_set_to(n, variable);
}

static uint32_t uses_in_child(const gw_openmp_node *of, uint32_t place, CXCursor variable) {
    const CXCursor in = child_at(of->c, place);
    const bool is_it = clang_getCursorKind(in) == CXCursor_DeclRefExpr && /* itself, no child of it */
                       clang_equalCursors(clang_getCursorReferenced(in), variable);
    return gw_front_openmp_counted(in, variable).uses + is_it;
}

/* if (v > x) x = v; x = v > x ? v : x */
static bool is_compared(const gw_openmp_node *n, bool greatest, CXCursor variable) {
    const enum CXBinaryOperatorKind of = clang_getCursorBinaryOperatorKind(n->above->c);
    const bool is_greater = of == CXBinaryOperator_GT || of == CXBinaryOperator_GE;
    if (!is_greater && of != CXBinaryOperator_LT && of != CXBinaryOperator_LE) return false;
    const bool holds_if_more = is_greater == (n->place == 0); /* x is the greater one where it is true */
    const CXCursor other = child_at(n->above->c, 1 - n->place);
    for (n = converted(n->above); clang_getCursorBinaryOperatorKind(n->above->c) == CXBinaryOperator_LAnd;)
        n = converted(n->above);
    if (n->place != 0) return false;
    if (n->above->kind == CXCursor_IfStmt)
        return holds_if_more != greatest && is_same_text(child_at(only_set(n->above->c, variable), 1), other);
    if (n->above->kind != CXCursor_ConditionalOperator) return false;
    const bool gives_it = uses_in_child(n->above, 1, variable) == 1;
    return (holds_if_more == greatest) == gives_it && is_set_to(converted(n->above), variable) &&
           is_same_text(child_at(n->above->c, gives_it ? 2 : 1), other);
}

/* The side of such an if. */
static bool is_set_by_choice(const gw_openmp_node *assignment, CXCursor variable) {
    const gw_openmp_node *n = gw_front_openmp_joined(assignment);
    while (n->above->kind == CXCursor_CompoundStmt)
        n = n->above;
    return n->above->kind == CXCursor_IfStmt && n->place == 1 &&
           !clang_Cursor_isNull(only_set(n->above->c, variable));
}

/* The least or the greatest: what is done with it makes it that. */
static bool is_extremum(const char *reduction, gw_openmp_node *place, gw_openmp_manner how, CXCursor variable) {
    if (how == GW_OPENMP_SET && gw_front_openmp_counted(place->above->c, variable).uses == 1)
        return is_set_by_choice(place->above, variable);
    if (how == GW_OPENMP_SET) return gw_front_openmp_is_discarded(place->above);
    const gw_openmp_node *up = place->above, *n = converted(place);
    const bool is_bound =
        how == GW_OPENMP_OTHER && up->kind == CXCursor_UnexposedExpr &&
        clang_isConstQualifiedType(clang_getCursorType(up->c)); /* std::max takes references */
    const bool is_chosen = n->above->kind == CXCursor_ConditionalOperator && n->place > 0;
    if (is_chosen) return uses_in_child(n->above, 0, variable) == 1 && is_set_to(converted(n->above), variable);
    if (how != GW_OPENMP_READ && !is_bound) return false;
    return n->above->kind == CXCursor_CallExpr ? is_called(n, reduction, variable)
                                               : is_compared(n, strcmp(reduction, "max") == 0, variable);
}

bool gw_front_openmp_is_combined(const char *reduction, gw_openmp_node *n, CXCursor variable) {
    const combination *by = combination_of(reduction);
    bool is_part = false;
    gw_openmp_node *place = gw_front_openmp_place_of(element_of(n), &is_part);
    const gw_openmp_manner how = gw_front_openmp_how_used(element_of(n), &is_part);
    const enum CXBinaryOperatorKind of = clang_getCursorBinaryOperatorKind(place->above->c);
    if (!by) return how != GW_OPENMP_CHANGE && is_extremum(reduction, place, how, variable);
    if (how == GW_OPENMP_CHANGE && gw_front_openmp_is_stepped(place))
        return by->steps && gw_front_openmp_is_discarded(place->above);
    if (how == GW_OPENMP_CHANGE)
        return (of == by->assigning[0] || of == by->assigning[1]) &&
               gw_front_openmp_is_discarded(place->above) &&
               gw_front_openmp_counted(place->above->c, variable).uses == 1;
    if (how == GW_OPENMP_SET)
        return gw_front_openmp_is_discarded(place->above) &&
               gw_front_openmp_counted(place->above->c, variable).uses == 2;
    return how == GW_OPENMP_READ && is_joined(by, place, variable);
}
