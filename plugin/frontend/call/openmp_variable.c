/*
 * frontend/call/openmp_variable.c - whether a variable of which threads have copies means the same to one
 * thread.
 *
 * Every use in Clang's tree of that very declaration is looked at. A use counts as a read where its value alone
 * is taken, as set or changed where it is an assignment's left side; all else (an address, a reference, an
 * argument that a function may change, a capture) may be another name of it. A use that the text has and
 * libclang does not show counts as no read either. So what is not understood is refused.
 *
 * A statement behind the pragma's counts as run before those that follow it if the block that it stands in
 * holds both; no loop, switch or lambda may lie between the declaration and the pragma.
 */
#include "plugin/frontend/call/openmp_private.h"

#include <string.h>

/* ---- the walk: cursors with what they stand in ---- */
typedef struct node {
    CXCursor c;
    enum CXCursorKind kind;
    struct node *above;
    uint32_t order, place, seen; /* of all; among the children of the one above; children so far */
} node;
typedef struct walk walk;
typedef void visit(walk *w, node *n);
struct walk {
    node *here;
    uint32_t order;
    visit *enter, *leave;
    void *data;
};

static enum CXChildVisitResult walk_child(CXCursor c, CXCursor parent, CXClientData data) {
    (void)parent;
    walk *w = data;
    node n = {c, clang_getCursorKind(c), w->here, ++w->order, w->here->seen++, 0};
    w->here = &n;
    w->enter(w, &n);
    clang_visitChildren(c, walk_child, w);
    if (w->leave) w->leave(w, &n);
    w->here = n.above;
    return CXChildVisit_Continue;
}

static void walk_all(CXCursor root, visit *enter, visit *leave, void *data) {
    node none = {.c = clang_getNullCursor()}; /* above the root: of no kind */
    node n = {.c = root, .kind = clang_getCursorKind(root), .above = &none};
    walk w = {.here = &n, .enter = enter, .leave = leave, .data = data};
    clang_visitChildren(root, walk_child, &w);
}

static bool is_loop(const node *n) {
    return n->kind == CXCursor_ForStmt || n->kind == CXCursor_CXXForRangeStmt ||
           n->kind == CXCursor_WhileStmt || n->kind == CXCursor_DoStmt;
}

/* ---- statements ---- */
typedef struct statement_search {
    CXFile file;
    unsigned at;
    CXCursor found;
} statement_search;

static void find_statement(walk *w, node *n) {
    statement_search *s = w->data;
    CXFile file = NULL;
    unsigned at = 0;
    if (!clang_Cursor_isNull(s->found) || !clang_isStatement(n->above->kind)) return;
    clang_getExpansionLocation(clang_getRangeStart(clang_getCursorExtent(n->c)), &file, NULL, NULL, &at);
    if (clang_File_isEqual(file, s->file) && at >= s->at) s->found = n->c;
}

CXCursor gw_front_openmp_statement(CXCursor definition, unsigned at) {
    const CXCursor body = gw_front_body(definition);
    statement_search s = {.at = at, .found = clang_getNullCursor()};
    clang_getExpansionLocation(clang_getCursorLocation(body), &s.file, NULL, NULL, NULL);
    walk_all(body, find_statement, NULL, &s);
    return s.found;
}

static bool is_for(CXCursor c) {
    return clang_getCursorKind(c) == CXCursor_ForStmt || clang_getCursorKind(c) == CXCursor_CXXForRangeStmt;
}

/* A pragma of another kind, or a block of its own, may stand around it. */
CXCursor gw_front_openmp_loop(CXCursor statement) {
    CXCursor found = is_for(statement) ? statement : clang_getNullCursor();
    const enum CXCursorKind kind = clang_getCursorKind(statement);
    if (kind != CXCursor_UnexposedStmt && kind != CXCursor_CompoundStmt) return found;
    gw_cursors in = {0};
    gw_front_children(statement, &in);
    for (uint32_t i = 0; i < in.count && clang_Cursor_isNull(found); i++)
        found = gw_front_openmp_loop(in.at[i]);
    gw_vec_free(&in);
    return found;
}

CXCursor gw_front_openmp_loop_in(CXCursor loop) {
    gw_cursors in = {0};
    gw_front_children(loop, &in);
    const CXCursor found = in.count ? gw_front_openmp_loop(in.at[in.count - 1]) : clang_getNullCursor();
    gw_vec_free(&in);
    return found;
}

/* ---- one use ---- */
typedef enum manner { READ, SET, CHANGE, OTHER } manner;
typedef struct use {
    manner how;
    bool inside, behind; /* of the statement */
    bool is_part;        /* a member, an element */
    bool is_before_rest; /* set, before all that follows in a block which holds the pragma too */
    bool is_of_turn;     /* set in each turn of the statement's loop */
    bool is_set;         /* something that ran before it has set all of it */
    bool is_combined;    /* as the reduction does */
    CXCursor lambda;     /* in which it is */
} use;

/* The number's own value is taken: an implicit conversion of which nothing but the type without const is seen.
 */
static bool takes_value(const node *of, const node *n) {
    const CXType type = clang_getCanonicalType(clang_getCursorType(n->c));
    const CXType own = clang_getCanonicalType(clang_getCursorType(of->c));
    const bool is_scalar = type.kind == CXType_Pointer || type.kind == CXType_Enum ||
                           (type.kind >= CXType_Bool && type.kind <= CXType_NullPtr) ||
                           type.kind == CXType_Half || type.kind == CXType_Float16;
    return n->kind == CXCursor_UnexposedExpr && is_scalar && !clang_isConstQualifiedType(type) &&
           !clang_isVolatileQualifiedType(type) &&
           clang_equalTypes(type, clang_getCanonicalType(clang_getUnqualifiedType(own)));
}

static bool is_of_array(const node *n) {
    const enum CXTypeKind kind = clang_getCanonicalType(clang_getCursorType(n->c)).kind;
    return kind == CXType_ConstantArray || kind == CXType_VariableArray;
}

/* The whole place that the use is a part of: t of (t), t.x, t[i]. */
static node *place_of(node *n, bool *is_part) {
    for (;;) {
        node *up = n->above;
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

/* What stands around an expression whose value goes nowhere as another name of its left side. */
static bool is_value_only(const node *n) {
    const node *up = n->above;
    while (up->kind == CXCursor_ParenExpr)
        n = up, up = up->above;
    if (up->kind == CXCursor_VarDecl) return !gw_front_is_reference(clang_getCursorType(up->c));
    return clang_isStatement(up->kind) || up->kind == CXCursor_BinaryOperator ||
           up->kind == CXCursor_CompoundAssignOperator || takes_value(n, up);
}

static bool is_assigned(const node *n) {
    return n->place == 0 && n->above->kind == CXCursor_BinaryOperator &&
           clang_getCursorBinaryOperatorKind(n->above->c) == CXBinaryOperator_Assign;
}

static bool is_stepped(const node *n) {
    const enum CXUnaryOperatorKind of = clang_getCursorUnaryOperatorKind(n->above->c);
    return n->above->kind == CXCursor_UnaryOperator && of >= CXUnaryOperator_PostInc &&
           of <= CXUnaryOperator_PreDec;
}

static manner how_used(node *n, bool *is_part) {
    n = place_of(n, is_part);
    if (is_assigned(n)) return is_value_only(n->above) ? SET : OTHER;
    if ((n->above->kind == CXCursor_CompoundAssignOperator && n->place == 0) || is_stepped(n))
        return is_value_only(n->above) ? CHANGE : OTHER;
    while (n->above->kind == CXCursor_ParenExpr || (n->above->kind == CXCursor_ConditionalOperator && n->place))
        n = n->above;
    return takes_value(n, n->above) ? READ : OTHER;
}

/* ---- what is done with a result that threads combine ---- */
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

typedef struct count {
    CXCursor of;
    uint32_t uses, sets;
} count;
static void count_use(walk *w, node *n) {
    count *k = w->data;
    bool is_part = false;
    if (n->kind != CXCursor_DeclRefExpr || !clang_equalCursors(clang_getCursorReferenced(n->c), k->of)) return;
    k->uses++;
    if (is_assigned(place_of(n, &is_part)) && !is_part) k->sets++;
}
static count counted(CXCursor in, CXCursor variable) {
    count k = {.of = variable};
    walk_all(in, count_use, NULL, &k);
    return k;
}

static bool is_last_child(const node *n) {
    gw_cursors of = {0};
    gw_front_children(n->above->c, &of);
    const bool is_last = of.count == n->place + 1;
    gw_vec_free(&of);
    return is_last;
}

/* An expression with what is joined to it by commas. */
static const node *joined(const node *n) {
    while (n->above->kind == CXCursor_ParenExpr ||
           clang_getCursorBinaryOperatorKind(n->above->c) == CXBinaryOperator_Comma)
        n = n->above;
    return n;
}

/* An expression's value is read by nothing. */
static bool is_discarded(const node *n) {
    n = joined(n);
    switch (n->above->kind) {
    case CXCursor_CompoundStmt:
    case CXCursor_UnexposedStmt:
        return true;
    case CXCursor_IfStmt:
        return n->place > 0;
    case CXCursor_ForStmt:
    case CXCursor_CXXForRangeStmt:
    case CXCursor_WhileStmt:
        return is_last_child(n);
    case CXCursor_DoStmt:
        return n->place == 0;
    default:
        return false;
    }
}

/* The element, where the variable leads to elements. */
static node *element_of(node *n) {
    node *up = n->above;
    const bool leads =
        up->kind == CXCursor_UnexposedExpr && up->above->kind == CXCursor_ArraySubscriptExpr && up->place == 0;
    return leads ? up->above : n;
}

/* x = x + v, x = v + x */
static bool is_joined(const combination *by, const node *n, CXCursor variable) {
    for (; n->above->kind == CXCursor_ParenExpr || n->above->kind == CXCursor_UnexposedExpr ||
           n->above->kind == CXCursor_BinaryOperator;
         n = n->above) {
        if (n->above->kind != CXCursor_BinaryOperator) continue;
        const enum CXBinaryOperatorKind of = clang_getCursorBinaryOperatorKind(n->above->c);
        if (of == CXBinaryOperator_Assign)
            return n->place == 1 && is_discarded(n->above) && counted(n->above->c, variable).sets == 1;
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
    const bool sets = clang_getCursorKind(does) == CXCursor_BinaryOperator && counted(does, variable).sets == 1;
    return sets && counted(choice, variable).uses == 2 ? does : clang_getNullCursor();
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
static const node *converted(const node *n) {
    while (n->above->kind == CXCursor_ParenExpr || n->above->kind == CXCursor_UnexposedExpr)
        n = n->above;
    return n;
}

/* n is what the variable is set to. */
static bool is_set_to(const node *n, CXCursor variable) {
    return n->place == 1 && clang_getCursorBinaryOperatorKind(n->above->c) == CXBinaryOperator_Assign &&
           is_discarded(n->above) && counted(n->above->c, variable).sets == 1;
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
static bool is_called(const node *n, const char *reduction, CXCursor variable) {
    for (; n->above->kind == CXCursor_CallExpr && n->place > 0; n = converted(n->above))
        if (!is_named(n->above->c, reduction)) return false;
    return is_set_to(n, variable);
}

static uint32_t uses_in_child(const node *of, uint32_t place, CXCursor variable) {
    const CXCursor in = child_at(of->c, place);
    const bool is_it = clang_getCursorKind(in) == CXCursor_DeclRefExpr && /* itself, no child of it */
                       clang_equalCursors(clang_getCursorReferenced(in), variable);
    return counted(in, variable).uses + is_it;
}

/* if (v > x) x = v; x = v > x ? v : x */
static bool is_compared(const node *n, bool greatest, CXCursor variable) {
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
static bool is_set_by_choice(const node *assignment, CXCursor variable) {
    const node *n = joined(assignment);
    while (n->above->kind == CXCursor_CompoundStmt)
        n = n->above;
    return n->above->kind == CXCursor_IfStmt && n->place == 1 &&
           !clang_Cursor_isNull(only_set(n->above->c, variable));
}

/* The least or the greatest: what is done with it makes it that. */
static bool is_extremum(const char *reduction, node *place, manner how, CXCursor variable) {
    if (how == SET && counted(place->above->c, variable).uses == 1)
        return is_set_by_choice(place->above, variable);
    if (how == SET) return is_discarded(place->above);
    const node *up = place->above, *n = converted(place);
    const bool is_bound =
        how == OTHER && up->kind == CXCursor_UnexposedExpr &&
        clang_isConstQualifiedType(clang_getCursorType(up->c)); /* std::max takes references */
    const bool is_chosen = n->above->kind == CXCursor_ConditionalOperator && n->place > 0;
    if (is_chosen) return uses_in_child(n->above, 0, variable) == 1 && is_set_to(converted(n->above), variable);
    if (how != READ && !is_bound) return false;
    return n->above->kind == CXCursor_CallExpr ? is_called(n, reduction, variable)
                                               : is_compared(n, strcmp(reduction, "max") == 0, variable);
}

static bool is_combined(const char *reduction, node *n, CXCursor variable) {
    const combination *by = combination_of(reduction);
    bool is_part = false;
    node *place = place_of(element_of(n), &is_part);
    const manner how = how_used(element_of(n), &is_part);
    const enum CXBinaryOperatorKind of = clang_getCursorBinaryOperatorKind(place->above->c);
    if (!by) return how != CHANGE && is_extremum(reduction, place, how, variable);
    if (how == CHANGE && is_stepped(place)) return by->steps && is_discarded(place->above);
    if (how == CHANGE)
        return (of == by->assigning[0] || of == by->assigning[1]) && is_discarded(place->above) &&
               counted(place->above->c, variable).uses == 1;
    if (how == SET) return is_discarded(place->above) && counted(place->above->c, variable).uses == 2;
    return how == READ && is_joined(by, place, variable);
}

/* ---- all uses of a variable ---- */
typedef struct uses {
    const gw_openmp_asked *asked;
    CXCursor variable;
    uint32_t declared; /* where; 0 before the body */
    bool is_declared;  /* seen before the statement */
    bool is_carried;   /* a loop, a switch or a lambda lies between the declaration and the statement */
    bool inside, behind;
    gw_cursors around;  /* the statement */
    gw_cursors set;     /* what never runs, in the statement, without having set the variable */
    gw_cursors arms[2]; /* choices whose then, whose else sets it */
    GW_VEC(use) all;
} uses;

static bool is_among(const gw_cursors *in, CXCursor c) {
    for (uint32_t i = 0; i < in->count; i++)
        if (clang_equalCursors(in->at[i], c)) return true;
    return false;
}

static bool is_around(const uses *s, CXCursor c) { return is_among(&s->around, c); }

static void note_statement(uses *s, const node *n) {
    s->inside = true;
    for (const node *up = n->above; up; up = up->above) {
        gw_push(&s->around, up->c);
        const bool repeats = is_loop(up) || up->kind == CXCursor_SwitchStmt || up->kind == CXCursor_LambdaExpr;
        if (repeats && up->order > s->declared) s->is_carried = true;
    }
}

/* The assignment whose left side is used. */
static const node *assignment_of(node *n) {
    bool is_part = false;
    return place_of(n, &is_part)->above;
}

/* With fewer clauses libclang does not say which one is missing. */
static bool is_first_clause(const node *n) {
    gw_cursors of = {0};
    gw_front_children(n->above->c, &of);
    const bool is_first = n->above->kind == CXCursor_ForStmt && n->place == 0 && of.count == 4;
    gw_vec_free(&of);
    return is_first;
}

/* What stands in the block runs before all that follows in it. */
static bool comes_before_rest(const uses *s, const node *n) {
    if (is_first_clause(n)) n = n->above;
    return n->above->kind == CXCursor_CompoundStmt && is_around(s, n->above->c);
}

/* Between the statement, a loop, and the assignment there are blocks alone. */
static bool comes_each_turn(const uses *s, const node *n) {
    while (n->above->kind == CXCursor_CompoundStmt || n->above->kind == CXCursor_UnexposedStmt)
        n = n->above;
    return is_for(n->above->c) && is_last_child(n) &&
           clang_equalCursors(n->above->c, gw_front_openmp_loop(s->asked->statement));
}

/* What stands around n never runs without it. */
static bool runs_always(uses *s, const node *n) {
    const node *up = n->above;
    const enum CXBinaryOperatorKind of = clang_getCursorBinaryOperatorKind(up->c);
    const bool is_choice = up->kind == CXCursor_ConditionalOperator || of == CXBinaryOperator_LAnd ||
                           of == CXBinaryOperator_LOr || up->kind == CXCursor_IfStmt;
    if (up->kind == CXCursor_IfStmt && n->place > 0) {
        gw_push(&s->arms[n->place > 1], up->c);
        return is_among(&s->arms[n->place <= 1], up->c);
    }
    if (is_choice || up->kind == CXCursor_WhileStmt || up->kind == CXCursor_SwitchStmt) return n->place == 0;
    if (up->kind == CXCursor_CompoundStmt) return up->above->kind != CXCursor_SwitchStmt;
    if (up->kind == CXCursor_ForStmt) return is_first_clause(n);
    if (up->kind == CXCursor_LambdaExpr) return false;
    return clang_isExpression(up->kind) || up->kind == CXCursor_DeclStmt || up->kind == CXCursor_VarDecl ||
           up->kind == CXCursor_DoStmt || up->kind == CXCursor_UnexposedStmt;
}

static void note_set(uses *s, const node *n) {
    for (; runs_always(s, n); n = n->above)
        gw_push(&s->set, n->above->c);
}

static bool is_set_before(const uses *s, const node *n) {
    for (; n; n = n->above)
        if (is_among(&s->set, n->c)) return true;
    return false;
}

static void note_use(uses *s, node *n) {
    use x = {.inside = s->inside, .behind = s->behind, .lambda = clang_getNullCursor()};
    x.how = how_used(n, &x.is_part);
    for (const node *up = n; up->above && clang_Cursor_isNull(x.lambda); up = up->above)
        if (up->above->kind == CXCursor_LambdaExpr) x.lambda = up->above->c;
    x.is_set = is_set_before(s, n);
    if (x.inside && x.how == OTHER) note_set(s, n); /* by whom it is given to */
    if (x.how == SET && !x.is_part && counted(assignment_of(n)->c, s->variable).uses == 1) {
        if (x.inside) note_set(s, assignment_of(n));
        x.is_before_rest = x.behind && comes_before_rest(s, joined(assignment_of(n)));
        x.is_of_turn = x.inside && comes_each_turn(s, joined(assignment_of(n)));
    } else if (x.how == SET && !x.is_part) {
        x.how = CHANGE;
    }
    if (x.inside && s->asked->share == GW_OPENMP_REDUCED)
        x.is_combined = is_combined(s->asked->reduction, n, s->variable);
    gw_push(&s->all, x);
}

static void enter_use(walk *w, node *n) {
    uses *s = w->data;
    if (clang_equalCursors(n->c, s->asked->statement)) note_statement(s, n);
    if (clang_equalCursors(n->c, s->variable)) {
        const node *loop = n->above->above;
        s->is_declared |= !s->inside && !s->behind;
        s->declared =
            loop && loop->kind == CXCursor_ForStmt ? loop->order - 1 : n->order; /* it lives on there */
    }
    if (n->kind == CXCursor_DeclRefExpr && clang_equalCursors(clang_getCursorReferenced(n->c), s->variable))
        note_use(s, n);
}

static void leave_use(walk *w, node *n) {
    uses *s = w->data;
    if (!clang_equalCursors(n->c, s->asked->statement)) return;
    s->inside = false;
    s->behind = true;
}

/* ---- what speaks against a share ---- */
static const gw_openmp_reason
    outside = {"other functions, or other calls, have it too, and not what a thread has",
               "take a variable that is declared inside the loop"},
    renamed = {"it has another name, which does not lead to what a thread has",
               "take a variable that is declared inside the loop"},
    unread = {"not all that is done with it is read", "take a variable that is declared inside the loop"},
    restored = {"in several threads it is as it was before, behind this statement",
                "declare it inside the loop"},
    unset = {"in several threads it has no value before it is set", "declare it inside the loop"},
    copied = {"each thread changes a copy of its own",
              "copy it to a variable that is declared inside the loop"},
    not_last = {"the loop's last turn may not set it", "set it in each turn, first of all"},
    partial = {"in several threads it holds a part of the result, which this statement reads or sets otherwise",
               "combine it as the reduction says, and read it behind the statement"};

static bool is_argument(CXCursor definition, CXCursor variable) {
    for (int i = 0; i < clang_Cursor_getNumArguments(definition); i++)
        if (clang_equalCursors(clang_Cursor_getArgument(definition, (unsigned)i), variable)) return true;
    return false;
}

static bool is_local(const uses *s) {
    const bool is_own = s->is_declared || is_argument(s->asked->definition, s->variable);
    return is_own && clang_getCursorLinkage(s->variable) == CXLinkage_NoLinkage &&
           clang_Cursor_getStorageClass(s->variable) != CX_SC_Static;
}

static bool may_be_reference(const uses *s) {
    return s->asked->share == GW_OPENMP_REDUCED && clang_getCursorKind(s->variable) == CXCursor_ParmDecl;
}

/* Outside of the statement. */
static bool renames(const uses *s, const use *x) {
    const bool is_elsewhere = !clang_Cursor_isNull(x->lambda) && !is_around(s, x->lambda);
    if (x->inside || (s->asked->share == GW_OPENMP_REDUCED && x->behind && !s->is_carried)) return false;
    return x->how == OTHER || (is_elsewhere && (x->how != READ || s->asked->share != GW_OPENMP_FIRST));
}

static const gw_openmp_reason *speaks_against(const uses *s) {
    const gw_openmp_share share = s->asked->share;
    bool is_seen = false, is_set_behind = false, is_of_turn = false;
    for (uint32_t i = 0; i < s->all.count; i++)
        if (renames(s, &s->all.at[i])) return &renamed;
    if (share == GW_OPENMP_PRIVATE && s->is_carried) return &restored;
    for (uint32_t i = 0; i < s->all.count; i++) {
        const use *x = &s->all.at[i];
        if (share == GW_OPENMP_PRIVATE && x->behind && !is_set_behind) {
            if (!x->is_before_rest) return &restored;
            is_set_behind = true;
        }
        if (!x->inside) continue;
        if ((share == GW_OPENMP_PRIVATE || share == GW_OPENMP_LAST) && (x->how == READ || x->how == CHANGE) &&
            !(x->is_part ? is_seen : x->is_set))
            return &unset;
        if (share == GW_OPENMP_FIRST && x->how != READ) return &copied;
        if (share == GW_OPENMP_REDUCED && !x->is_combined) return &partial;
        is_of_turn |= x->is_of_turn;
        is_seen = true;
    }
    return share == GW_OPENMP_LAST && !is_of_turn ? &not_last : NULL;
}

/* ---- variables by their names ---- */
typedef struct named {
    gw_unit *u;
    gw_str name;
    CXCursor statement;
    const gw_openmp_mentions *mentions;
    bool *is_found; /* of the mentions */
    bool inside, is_member;
    gw_cursors declared; /* in the statement */
    gw_cursors used;     /* there, declared before it */
} named;

static void add_once(gw_cursors *to, CXCursor c) {
    for (uint32_t i = 0; i < to->count; i++)
        if (clang_equalCursors(to->at[i], c)) return;
    gw_push(to, c);
}

static void note_mention(named *s, CXSourceLocation where, bool is_spelled) {
    CXFile file = NULL;
    unsigned at = 0;
    if (is_spelled)
        clang_getSpellingLocation(where, &file, NULL, NULL, &at);
    else
        clang_getExpansionLocation(where, &file, NULL, NULL, &at);
    for (uint32_t i = 0; i < s->mentions->count; i++)
        s->is_found[i] |= s->mentions->at[i] == at && clang_File_isEqual(file, s->mentions->file);
}

static void enter_name(walk *w, node *n) {
    named *s = w->data;
    s->inside |= clang_equalCursors(n->c, s->statement);
    if (s->inside && clang_isDeclaration(n->kind)) gw_push(&s->declared, n->c);
    if (gw_front_intern(s->u, clang_getCursorSpelling(n->c)) != s->name) return;
    note_mention(s, clang_getCursorLocation(n->c), true);
    note_mention(s, clang_getCursorLocation(n->c), false);
    const CXCursor variable = clang_getCursorReferenced(n->c);
    const bool is_use = n->kind == CXCursor_DeclRefExpr && s->inside && !is_among(&s->declared, variable);
    if (is_use) add_once(&s->used, variable);
}

static void leave_name(walk *w, node *n) {
    named *s = w->data;
    if (clang_equalCursors(n->c, s->statement)) s->inside = false;
    /* a member without what it is of */
    s->is_member |= s->inside && n->kind == CXCursor_MemberRefExpr && n->seen == 0 &&
                    gw_front_intern(s->u, clang_getCursorSpelling(n->c)) == s->name;
}

static const gw_openmp_reason *differs(const gw_openmp_asked *asked, CXCursor variable) {
    uses s = {.asked = asked, .variable = variable};
    const enum CXCursorKind kind = clang_getCursorKind(variable);
    if (kind != CXCursor_VarDecl && kind != CXCursor_ParmDecl) return &unread;
    walk_all(gw_front_body(asked->definition), enter_use, leave_use, &s);
    const gw_openmp_reason *why = NULL;
    if (!is_local(&s))
        why = &outside;
    else if (gw_front_is_reference(clang_getCursorType(variable)) && !may_be_reference(&s))
        why = &renamed;
    else
        why = speaks_against(&s);
    gw_vec_free(&s.around);
    gw_vec_free(&s.set);
    gw_vec_free(&s.arms[0]);
    gw_vec_free(&s.arms[1]);
    gw_vec_free(&s.all);
    return why;
}

const gw_openmp_reason *gw_front_openmp_differs(gw_unit *u, const gw_openmp_asked *asked, gw_str name,
                                                const gw_openmp_mentions *mentions) {
    named s = {.u = u, .name = name, .statement = asked->statement, .mentions = mentions};
    s.is_found = gw_alloc((mentions->count + 1) * sizeof *s.is_found);
    walk_all(gw_front_body(asked->definition), enter_name, leave_name, &s);
    const gw_openmp_reason *why = s.is_member ? &outside : NULL;
    for (uint32_t i = 0; i < s.used.count && !why; i++)
        why = differs(asked, s.used.at[i]);
    for (uint32_t i = 0; i < mentions->count && !why && s.used.count; i++)
        if (!s.is_found[i]) why = &unread;
    free(s.is_found);
    gw_vec_free(&s.declared);
    gw_vec_free(&s.used);
    return why;
}

/* ---- a loop's own variables ---- */
typedef struct header {
    gw_unit *u;
    CXCursor body;
    bool is_behind; /* in its body */
    gw_cursors declared;
    gw_names *set;
} header;

static bool is_assigned_object(gw_unit *u, const node *n) {
    const gw_str called = gw_front_intern(u, clang_getCursorSpelling(n->above->c));
    return n->above->kind == CXCursor_CallExpr && called == gw_intern(u->session, "operator=");
}

static void enter_header(walk *w, node *n) {
    header *h = w->data;
    bool is_part = false;
    h->is_behind |= clang_equalCursors(n->c, h->body);
    if (h->is_behind) return;
    if (clang_isDeclaration(n->kind)) gw_push(&h->declared, n->c);
    if (n->kind != CXCursor_DeclRefExpr) return;
    const manner how = how_used(n, &is_part);
    if (how != SET && how != CHANGE && !is_assigned_object(h->u, n)) return;
    if (!is_among(&h->declared, clang_getCursorReferenced(n->c)))
        gw_push(h->set, gw_front_intern(h->u, clang_getCursorSpelling(n->c)));
}

void gw_front_openmp_indices(gw_unit *u, CXCursor loop, gw_names *out) {
    gw_cursors parts = {0};
    gw_front_children(loop, &parts);
    header h = {.u = u, .set = out, .body = parts.count ? parts.at[parts.count - 1] : clang_getNullCursor()};
    walk_all(loop, enter_header, NULL, &h);
    gw_vec_free(&h.declared);
    gw_vec_free(&parts);
}
