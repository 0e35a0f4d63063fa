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
#include "plugin/frontend/call/openmp_walk_private.h"

static bool is_loop(const gw_openmp_node *n) {
    return n->kind == CXCursor_ForStmt || n->kind == CXCursor_CXXForRangeStmt ||
           n->kind == CXCursor_WhileStmt || n->kind == CXCursor_DoStmt;
}

/* ---- statements ---- */
typedef struct statement_search {
    CXFile file;
    unsigned at;
    CXCursor found;
} statement_search;

static void find_statement(gw_openmp_walk *w, gw_openmp_node *n) {
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
    gw_front_openmp_walk_all(body, find_statement, NULL, &s);
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

/* ---- all uses of a variable ---- */
typedef struct use {
    gw_openmp_manner how;
    bool inside, behind; /* of the statement */
    bool is_part;        /* a member, an element */
    bool is_before_rest; /* set, before all that follows in a block which holds the pragma too */
    bool is_of_turn;     /* set in each turn of the statement's loop */
    bool is_set;         /* something that ran before it has set all that is used */
    bool is_combined;    /* as the reduction does */
    bool is_renamed;     /* what it leads to may get another name */
    CXCursor lambda;     /* in which it is */
} use;

/* A place that sets a part of the variable. */
typedef struct setting {
    CXCursor by;
    gw_openmp_part part;
} setting;
typedef struct settings {
    setting *at;
    uint32_t count, room;
} settings;

typedef struct uses {
    const gw_openmp_asked *asked;
    CXCursor variable;
    uint32_t declared; /* where; 0 before the body */
    bool is_declared;  /* seen before the statement */
    bool is_carried;   /* a loop, a switch or a lambda lies between the declaration and the statement */
    bool inside, behind;
    gw_cursors around; /* the statement */
    settings set;      /* what never runs, in the statement, without having set the variable */
    settings arms[2];  /* choices whose then, whose else sets it */
    GW_VEC(use) all;
} uses;

static bool is_among(const gw_cursors *in, CXCursor c) {
    for (uint32_t i = 0; i < in->count; i++)
        if (clang_equalCursors(in->at[i], c)) return true;
    return false;
}

/* All of the one is of the other. */
static bool is_part_of(gw_openmp_part one, gw_openmp_part other) {
    bool is_it = other.count <= one.count;
    for (uint32_t i = 0; i < other.count && is_it; i++)
        is_it = one.step[i] == other.step[i];
    return is_it;
}

/* By c, all of the part. */
static bool is_set_by(const settings *in, CXCursor c, gw_openmp_part part) {
    for (uint32_t i = 0; i < in->count; i++)
        if (is_part_of(part, in->at[i].part) && clang_equalCursors(in->at[i].by, c)) return true;
    return false;
}

typedef struct part_uses {
    gw_unit *u;
    CXCursor variable;
    gw_openmp_part part;
    uint32_t count;
} part_uses;
static void count_part(gw_openmp_walk *w, gw_openmp_node *n) {
    part_uses *p = w->data;
    bool is_known = false;
    if (n->kind != CXCursor_DeclRefExpr || !clang_equalCursors(clang_getCursorReferenced(n->c), p->variable))
        return;
    const gw_openmp_part part = gw_front_openmp_part_of(p->u, n, &is_known);
    p->count += is_part_of(part, p->part) || is_part_of(p->part, part);
}
/* Nothing in the assignment but its left side uses the part. */
static bool is_used_once(const uses *s, const gw_openmp_node *assignment, gw_openmp_part part) {
    part_uses p = {s->asked->u, s->variable, part, 0};
    gw_front_openmp_walk_all(assignment->c, count_part, NULL, &p);
    return p.count == 1;
}

static bool is_around(const uses *s, CXCursor c) { return is_among(&s->around, c); }

static void note_statement(uses *s, const gw_openmp_node *n) {
    s->inside = true;
    for (const gw_openmp_node *up = n->above; up; up = up->above) {
        gw_push(&s->around, up->c);
        const bool repeats = is_loop(up) || up->kind == CXCursor_SwitchStmt || up->kind == CXCursor_LambdaExpr;
        if (repeats && up->order > s->declared) s->is_carried = true;
    }
}

/* The assignment whose left side is used. */
static const gw_openmp_node *assignment_of(gw_openmp_node *n) {
    bool is_part = false;
    return gw_front_openmp_place_of(n, &is_part)->above;
}

/* With fewer clauses libclang does not say which one is missing. */
static bool is_first_clause(const gw_openmp_node *n) {
    gw_cursors of = {0};
    gw_front_children(n->above->c, &of);
    const bool is_first = n->above->kind == CXCursor_ForStmt && n->place == 0 && of.count == 4;
    gw_vec_free(&of);
    return is_first;
}

/* What stands in the block runs before all that follows in it. */
static bool comes_before_rest(const uses *s, const gw_openmp_node *n) {
    if (is_first_clause(n)) n = n->above;
    return n->above->kind == CXCursor_CompoundStmt && is_around(s, n->above->c);
}

static bool may_leave(CXCursor in);

/* Between the statement, a loop, and the assignment there are blocks alone, and no turn ends before it. */
static bool comes_each_turn(const uses *s, const gw_openmp_node *n) {
    if (may_leave(s->asked->statement)) return false;
    while (n->above->kind == CXCursor_CompoundStmt || n->above->kind == CXCursor_UnexposedStmt)
        n = n->above;
    return is_for(n->above->c) && gw_front_openmp_is_last_child(n) &&
           clang_equalCursors(n->above->c, gw_front_openmp_loop(s->asked->statement));
}

static void note_leaving(gw_openmp_walk *w, gw_openmp_node *n) {
    *(bool *)w->data |= n->kind == CXCursor_BreakStmt || n->kind == CXCursor_ContinueStmt ||
                        n->kind == CXCursor_GotoStmt || n->kind == CXCursor_ReturnStmt;
}
/* A jump may pass over what stands behind it. */
static bool may_leave(CXCursor in) {
    bool leaves = false;
    gw_front_openmp_walk_all(in, note_leaving, NULL, &leaves);
    return leaves;
}

/* What stands around n never runs without it. */
static bool runs_always(uses *s, const gw_openmp_node *n, gw_openmp_part part) {
    const gw_openmp_node *up = n->above;
    const enum CXBinaryOperatorKind of = clang_getCursorBinaryOperatorKind(up->c);
    const bool is_choice = up->kind == CXCursor_ConditionalOperator || of == CXBinaryOperator_LAnd ||
                           of == CXBinaryOperator_LOr || up->kind == CXCursor_IfStmt;
    if (up->kind == CXCursor_IfStmt && n->place > 0) {
        gw_push(&s->arms[n->place > 1], ((setting){up->c, part}));
        return is_set_by(&s->arms[n->place <= 1], up->c, part);
    }
    if (is_choice || up->kind == CXCursor_WhileStmt || up->kind == CXCursor_SwitchStmt) return n->place == 0;
    if (up->kind == CXCursor_CompoundStmt) return up->above->kind != CXCursor_SwitchStmt;
    if (up->kind == CXCursor_ForStmt) return is_first_clause(n);
    if (up->kind == CXCursor_LambdaExpr || (up->kind == CXCursor_DoStmt && may_leave(up->c))) return false;
    return clang_isExpression(up->kind) || up->kind == CXCursor_DeclStmt || up->kind == CXCursor_VarDecl ||
           up->kind == CXCursor_DoStmt || up->kind == CXCursor_UnexposedStmt;
}

static void note_set(uses *s, const gw_openmp_node *n, gw_openmp_part part) {
    for (; runs_always(s, n, part); n = n->above)
        gw_push(&s->set, ((setting){n->above->c, part}));
}

static bool is_set_before(const uses *s, const gw_openmp_node *n, gw_openmp_part part) {
    for (; n; n = n->above)
        if (is_set_by(&s->set, n->c, part)) return true;
    return false;
}

static void note_use(uses *s, gw_openmp_node *n) {
    use x = {.inside = s->inside, .behind = s->behind, .lambda = clang_getNullCursor()};
    x.how = gw_front_openmp_how_used(n, &x.is_part);
    for (const gw_openmp_node *up = n; up->above && clang_Cursor_isNull(x.lambda); up = up->above)
        if (up->above->kind == CXCursor_LambdaExpr) x.lambda = up->above->c;
    bool is_known = false;
    const gw_openmp_part part = gw_front_openmp_part_of(s->asked->u, n, &is_known);
    x.is_set = is_set_before(s, n, part);
    if (x.inside && x.how == GW_OPENMP_OTHER) note_set(s, n, part); /* by whom it is given to */
    const bool sets = x.how == GW_OPENMP_SET && is_used_once(s, assignment_of(n), part);
    const gw_openmp_node *set_by = is_known ? assignment_of(n) : gw_front_openmp_fill(n);
    if (sets && x.inside && set_by) note_set(s, set_by, part);
    if (sets && !x.is_part) {
        x.is_before_rest = x.behind && comes_before_rest(s, gw_front_openmp_joined(assignment_of(n)));
        x.is_of_turn = x.inside && comes_each_turn(s, gw_front_openmp_joined(assignment_of(n)));
    } else if (x.how == GW_OPENMP_SET && !x.is_part) {
        x.how = GW_OPENMP_CHANGE;
    }
    x.is_renamed = gw_front_openmp_is_renamed(s->asked->u, n);
    if (x.inside && s->asked->share == GW_OPENMP_REDUCED)
        x.is_combined = gw_front_openmp_is_combined(s->asked, n, s->variable);
    gw_push(&s->all, x);
}

static void enter_use(gw_openmp_walk *w, gw_openmp_node *n) {
    uses *s = w->data;
    if (clang_equalCursors(n->c, s->asked->statement)) note_statement(s, n);
    if (clang_equalCursors(n->c, s->variable)) {
        const gw_openmp_node *loop = n->above->above;
        s->is_declared |= !s->inside && !s->behind;
        s->declared =
            loop && loop->kind == CXCursor_ForStmt ? loop->order - 1 : n->order; /* it lives on there */
    }
    if (n->kind == CXCursor_DeclRefExpr && clang_equalCursors(clang_getCursorReferenced(n->c), s->variable))
        note_use(s, n);
}

static void leave_use(gw_openmp_walk *w, gw_openmp_node *n) {
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
    reached = {"another parameter leads to it, and not to what a thread has",
               "sum to a variable of the function's own, and add that behind this statement"},
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

/* A parameter may, unless the statement has another that leads to such a number. */
static bool may_be_reference(const uses *s) {
    const CXType of = gw_front_bare(clang_getCursorType(s->variable));
    for (int i = 0; i < clang_Cursor_getNumArguments(s->asked->definition); i++) {
        const CXCursor other = clang_Cursor_getArgument(s->asked->definition, (unsigned)i);
        const CXType type = clang_getCursorType(other);
        if (clang_equalCursors(other, s->variable) || !gw_front_is_reference(type)) continue;
        if (!clang_equalTypes(gw_front_bare(type), of)) continue;
        if (gw_front_openmp_counted(s->asked->statement, other).uses) return false;
    }
    return s->asked->share == GW_OPENMP_REDUCED && clang_getCursorKind(s->variable) == CXCursor_ParmDecl;
}

/* Outside of the statement. */
static bool renames(const uses *s, const use *x) {
    const bool is_elsewhere = !clang_Cursor_isNull(x->lambda) && !is_around(s, x->lambda);
    if (x->inside || (s->asked->share == GW_OPENMP_REDUCED && x->behind && !s->is_carried)) return false;
    if (s->asked->share == GW_OPENMP_REDUCED && x->is_renamed) return true;
    return x->how == GW_OPENMP_OTHER ||
           (is_elsewhere && (x->how != GW_OPENMP_READ || s->asked->share != GW_OPENMP_FIRST));
}

static const gw_openmp_reason *speaks_against(const uses *s) {
    const gw_openmp_share share = s->asked->share;
    bool is_set_behind = false, is_of_turn = false;
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
        if ((share == GW_OPENMP_PRIVATE || share == GW_OPENMP_PART || share == GW_OPENMP_LAST) &&
            (x->how == GW_OPENMP_READ || x->how == GW_OPENMP_CHANGE) && !x->is_set)
            return &unset;
        if (share == GW_OPENMP_PART && x->how == GW_OPENMP_OTHER) return &unread;
        if (share == GW_OPENMP_FIRST && x->how != GW_OPENMP_READ) return &copied;
        if (share == GW_OPENMP_REDUCED && !x->is_combined) return &partial;
        is_of_turn |= x->is_of_turn;
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

static void enter_name(gw_openmp_walk *w, gw_openmp_node *n) {
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

static void leave_name(gw_openmp_walk *w, gw_openmp_node *n) {
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
    gw_front_openmp_walk_all(gw_front_body(asked->definition), enter_use, leave_use, &s);
    const gw_openmp_reason *why = NULL;
    if (!is_local(&s))
        why = &outside;
    else if (gw_front_is_reference(clang_getCursorType(variable)) && !may_be_reference(&s))
        why = &renamed;
    else if (asked->share == GW_OPENMP_REDUCED && gw_front_openmp_is_reached(asked, variable))
        why = &reached;
    else
        why = speaks_against(&s);
    gw_vec_free(&s.around);
    gw_vec_free(&s.set);
    gw_vec_free(&s.arms[0]);
    gw_vec_free(&s.arms[1]);
    gw_vec_free(&s.all);
    return why;
}

/* No number, which is a value of the IR. */
static bool is_object(CXCursor variable) {
    CXType type = clang_getCanonicalType(clang_getCursorType(variable));
    if (type.kind == CXType_LValueReference) type = clang_getCanonicalType(clang_getPointeeType(type));
    return !(type.kind >= CXType_FirstBuiltin && type.kind <= CXType_LastBuiltin) && type.kind != CXType_Enum;
}

const gw_openmp_reason *gw_front_openmp_differs(gw_unit *u, const gw_openmp_asked *asked, gw_str name,
                                                const gw_openmp_mentions *mentions) {
    named s = {.u = u, .name = name, .statement = asked->statement, .mentions = mentions};
    s.is_found = gw_alloc((mentions->count + 1) * sizeof *s.is_found);
    gw_front_openmp_walk_all(gw_front_body(asked->definition), enter_name, leave_name, &s);
    const gw_openmp_reason *why = s.is_member ? &outside : NULL;
    for (uint32_t i = 0; i < s.used.count && !why; i++) {
        why = differs(asked, s.used.at[i]);
        if (is_object(s.used.at[i])) *asked->has_object = true;
    }
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

static bool is_assigned_object(gw_unit *u, const gw_openmp_node *n) {
    const gw_str called = gw_front_intern(u, clang_getCursorSpelling(n->above->c));
    return n->above->kind == CXCursor_CallExpr && called == gw_intern(u->session, "operator=");
}

static void enter_header(gw_openmp_walk *w, gw_openmp_node *n) {
    header *h = w->data;
    bool is_part = false;
    h->is_behind |= clang_equalCursors(n->c, h->body);
    if (h->is_behind) return;
    if (clang_isDeclaration(n->kind)) gw_push(&h->declared, n->c);
    if (n->kind != CXCursor_DeclRefExpr) return;
    const gw_openmp_manner how = gw_front_openmp_how_used(n, &is_part);
    if (how != GW_OPENMP_SET && how != GW_OPENMP_CHANGE && !is_assigned_object(h->u, n)) return;
    if (!is_among(&h->declared, clang_getCursorReferenced(n->c)))
        gw_push(h->set, gw_front_intern(h->u, clang_getCursorSpelling(n->c)));
}

void gw_front_openmp_indices(gw_unit *u, CXCursor loop, gw_names *out) {
    gw_cursors parts = {0};
    gw_front_children(loop, &parts);
    header h = {.u = u, .set = out, .body = parts.count ? parts.at[parts.count - 1] : clang_getNullCursor()};
    gw_front_openmp_walk_all(loop, enter_header, NULL, &h);
    gw_vec_free(&h.declared);
    gw_vec_free(&parts);
}
