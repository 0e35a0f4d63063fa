/*
 * frontend/state/refused.c - what goes on behind a statement that is refused: all refusals are said at once.
 *
 * A statement either is lowered whole or leaves the state as it was before it, and what it would have set is
 * lost: who uses that is refused without a word. The function is refused whatever the next statements say, so
 * nothing here has to be right about values; it has to be silent where a complaint could follow from the first.
 */
#include "plugin/frontend/state/state.h"

gw_statement_start gw_front_statement_start(const gw_lowering *L) {
    return (gw_statement_start){.b = L->b,
                                .scope = gw_front_scope(L),
                                .journal = L->journal.count,
                                .exits = L->exits.count,
                                .lists = L->lists.count,
                                .frames = L->frames.count,
                                .owned = L->owned.count,
                                .tries = L->tries.count,
                                .unthrown = L->unthrown.count,
                                .counted = L->counted.count,
                                .passing = L->passing,
                                .naming = L->naming,
                                .dead = L->dead,
                                .stopped = L->stopped};
}

static bool holds_only_numbers(CXType type) {
    while (type.kind == CXType_ConstantArray || type.kind == CXType_VariableArray)
        type = clang_getCanonicalType(clang_getArrayElementType(type));
    return type.kind != CXType_Pointer && type.kind != CXType_Record;
}

/* Whether the statement may set the variable there: it is no value that is read, nor an array of numbers. */
static bool may_set(CXCursor use, CXCursor parent, CXCursor variable) {
    const CXType type = clang_getCanonicalType(clang_getCursorType(variable));
    if (clang_isConstQualifiedType(type)) return false;
    if (clang_getCursorKind(parent) != CXCursor_UnexposedExpr || type.kind == CXType_Record) return true;
    const bool is_array = type.kind == CXType_ConstantArray || type.kind == CXType_VariableArray;
    const CXType now = clang_getCanonicalType(clang_getCursorType(use));
    return (is_array && !holds_only_numbers(type)) || now.kind == CXType_LValueReference;
}

typedef struct lost_search {
    gw_lowering *L;
    bool is_member; /* of the object whose function this is */
} lost_search;

static enum CXChildVisitResult find_lost(CXCursor c, CXCursor parent, CXClientData data) {
    lost_search *s = data;
    const enum CXCursorKind kind = clang_getCursorKind(c);
    const bool is_read = clang_getCursorKind(parent) == CXCursor_UnexposedExpr;
    if (kind == CXCursor_VarDecl || kind == CXCursor_UnexposedDecl) gw_push(&s->L->lost, c);
    if (kind == CXCursor_CXXThisExpr) s->is_member = true;
    if (kind == CXCursor_MemberRefExpr && clang_Cursor_isNull(gw_front_expression(c)) && !is_read)
        s->is_member = true;
    if (kind == CXCursor_DeclRefExpr) {
        const CXCursor variable = clang_getCursorReferenced(c);
        const enum CXCursorKind of = clang_getCursorKind(variable);
        const bool is_variable =
            of == CXCursor_VarDecl || of == CXCursor_ParmDecl || of == CXCursor_UnexposedDecl;
        if (is_variable && may_set(c, parent, variable)) gw_push(&s->L->lost, variable);
    }
    return CXChildVisit_Recurse;
}

void gw_front_statement_lost(gw_lowering *L, const gw_statement_start *start, CXCursor statement) {
    /* all is lowered again */
    if (L->must_stage || L->must_carve || L->must_hold || L->stored_param) return;
    lost_search search = {L, false};
    if (clang_getCursorKind(statement) == CXCursor_VarDecl) gw_push(&L->lost, statement);
    clang_visitChildren(statement, find_lost, &search);
    if (search.is_member) return; /* the call is lost */
    gw_front_slot_rollback(L, start->journal);
    L->owned.count = start->owned;
    gw_front_scope_end(L, start->scope);
    L->exits.count = start->exits, L->lists.count = start->lists, L->frames.count = start->frames;
    L->tries.count = start->tries, L->unthrown.count = start->unthrown, L->counted.count = start->counted;
    L->passing = start->passing, L->naming = start->naming;
    L->b = start->b;
    L->checkpoint = 0, L->policy = 0;
    L->dead = start->dead, L->stopped = start->stopped;
    L->failed = L->discards = false;
    L->refused++;
}

void gw_front_refused_since(gw_lowering *L, uint32_t refused) { L->failed |= L->refused != refused; }
