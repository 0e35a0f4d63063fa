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

gw_openmp_node *gw_front_openmp_element_of(gw_openmp_node *n) {
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

/* "max", fmax, fmaxf, fmaxl of it: the library's, of two, which compares by nothing but < */
static bool is_named(gw_unit *u, CXCursor call, const char *reduction) {
    const CXCursor called = gw_front_named_function(call);
    if (!gw_front_is_known(u, called) || clang_Cursor_getNumArguments(call) != 2) return false;
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
static bool is_called(const gw_openmp_asked *asked, const gw_openmp_node *n, CXCursor variable) {
    for (; n->above->kind == CXCursor_CallExpr && n->place > 0; n = converted(n->above))
        if (!is_named(asked->u, n->above->c, asked->reduction)) return false;
    return is_set_to(n, variable);
}

static uint32_t uses_in_child(const gw_openmp_node *of, uint32_t place, CXCursor variable) {
    const CXCursor in = child_at(of->c, place);
    const bool is_it = clang_getCursorKind(in) == CXCursor_DeclRefExpr && /* itself, no child of it */
                       clang_equalCursors(clang_getCursorReferenced(in), variable);
    return gw_front_openmp_counted(in, variable).uses + is_it;
}

/* ---- what is evaluated twice, or not in each turn ---- */
static bool is_number(CXType type) {
    const enum CXTypeKind kind = clang_getCanonicalType(type).kind;
    return kind >= CXType_Bool && kind <= CXType_LongDouble;
}

/* A function of numbers, or an element of a container. What a library's function is given by a pointer it may
 * change, and without an argument it draws what it gives from elsewhere. */
static bool is_function_of_values(gw_unit *u, CXCursor call) {
    const CXCursor called = gw_front_named_function(call);
    if (clang_Cursor_isNull(called)) return false;
    const gw_str name = gw_front_intern(u, clang_getCursorSpelling(called));
    if (gw_front_is_method(called))
        return clang_Location_isInSystemHeader(clang_getCursorLocation(called)) &&
               (clang_CXXMethod_isConst(called) || name == gw_intern(u->session, "operator[]"));
    const int many = clang_Cursor_getNumArguments(called);
    bool takes_numbers = gw_front_is_known(u, called) && many > 0;
    for (int i = 0; i < many && takes_numbers; i++) {
        const CXType of = clang_getCursorType(clang_Cursor_getArgument(called, (unsigned)i));
        takes_numbers = is_number(of) || gw_front_is_const_reference(of);
    }
    return takes_numbers;
}

typedef struct effects {
    gw_unit *u;
    uint32_t sets, others;
} effects;
static void note_effect(gw_openmp_walk *w, gw_openmp_node *n) {
    effects *e = w->data;
    const bool acts = n->kind == CXCursor_CompoundAssignOperator || n->kind == CXCursor_CXXNewExpr ||
                      n->kind == CXCursor_CXXDeleteExpr || n->kind == CXCursor_CXXThrowExpr ||
                      n->kind == CXCursor_LambdaExpr || n->kind == CXCursor_StmtExpr;
    e->sets += clang_getCursorBinaryOperatorKind(n->c) == CXBinaryOperator_Assign;
    e->others += acts || gw_front_openmp_is_stepped(&(gw_openmp_node){.c = n->c, .above = n});
    e->others += n->kind == CXCursor_CallExpr && !is_function_of_values(e->u, n->c);
}
/* Nothing in it has an effect but as many assignments. */
static bool has_sets_alone(gw_unit *u, CXCursor in, uint32_t sets) {
    effects e = {.u = u};
    gw_front_openmp_walk_all(in, note_effect, NULL, &e);
    return e.sets == sets && e.others == 0;
}

/* if (v > x) x = v; x = v > x ? v : x */
static bool is_compared(const gw_openmp_asked *asked, const gw_openmp_node *n, CXCursor variable) {
    const bool greatest = strcmp(asked->reduction, "max") == 0;
    const enum CXBinaryOperatorKind of = clang_getCursorBinaryOperatorKind(n->above->c);
    const bool is_greater = of == CXBinaryOperator_GT || of == CXBinaryOperator_GE;
    if (!is_greater && of != CXBinaryOperator_LT && of != CXBinaryOperator_LE) return false;
    const bool holds_if_more = is_greater == (n->place == 0); /* x is the greater one where it is true */
    const CXCursor other = child_at(n->above->c, 1 - n->place);
    for (n = converted(n->above); clang_getCursorBinaryOperatorKind(n->above->c) == CXBinaryOperator_LAnd;)
        n = converted(n->above);
    if (n->place != 0) return false;
    const bool is_if = n->above->kind == CXCursor_IfStmt;
    if (!has_sets_alone(asked->u, n->above->c, is_if)) return false;
    if (is_if)
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
static bool is_extremum(const gw_openmp_asked *asked, gw_openmp_node *place, gw_openmp_manner how,
                        CXCursor variable) {
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
    return n->above->kind == CXCursor_CallExpr ? is_called(asked, n, variable)
                                               : is_compared(asked, n, variable);
}

bool gw_front_openmp_is_combined(const gw_openmp_asked *asked, gw_openmp_node *n, CXCursor variable) {
    const combination *by = combination_of(asked->reduction);
    bool is_part = false;
    gw_openmp_node *place = gw_front_openmp_place_of(gw_front_openmp_element_of(n), &is_part);
    const gw_openmp_manner how = gw_front_openmp_how_used(gw_front_openmp_element_of(n), &is_part);
    const enum CXBinaryOperatorKind of = clang_getCursorBinaryOperatorKind(place->above->c);
    if (!by) return how != GW_OPENMP_CHANGE && is_extremum(asked, place, how, variable);
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

bool gw_front_openmp_is_renamed(gw_unit *u, gw_openmp_node *n) {
    bool is_part = false;
    gw_openmp_node *up = gw_front_openmp_element_of(n);
    if (up != n) return gw_front_openmp_how_used(up, &is_part) == GW_OPENMP_OTHER;
    if (gw_front_openmp_how_used(n, &is_part) != GW_OPENMP_READ) return false; /* that speaks for itself */
    for (up = n->above; clang_isExpression(up->kind) && up->kind != CXCursor_CallExpr; up = up->above)
        if (clang_getCanonicalType(clang_getCursorType(up->c)).kind != CXType_Pointer) break;
    const CXType made = clang_getCursorType(up->c);
    if (up->kind == CXCursor_CallExpr) {
        const bool gives_none = is_number(made) || clang_getCanonicalType(made).kind == CXType_Void;
        const bool is_lost = gives_none || gw_front_openmp_is_discarded(up);
        return !is_lost || !gw_front_is_known(u, clang_getCursorReferenced(up->c));
    }
    if (clang_getCursorUnaryOperatorKind(up->c) == CXUnaryOperator_Deref || up->kind == CXCursor_MemberRefExpr)
        return gw_front_openmp_how_used(up, &is_part) == GW_OPENMP_OTHER &&
               converted(up)->above->kind != CXCursor_UnaryExpr; /* sizeof */
    return !is_number(made) && up->kind != CXCursor_IfStmt;
}
