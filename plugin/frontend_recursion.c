/*
 * frontend_recursion.c - which functions call themselves, through others too.
 *
 * A recursive function cannot be inlined: it becomes a primal function of its own, and its pullback calls pullbacks.
 * Followed are the calls that the source shows; a call through a pointer is inlined or refused elsewhere, and the
 * functions being inlined (frames) still stop a recursion that this does not see.
 */
#include "frontend_unit.h"

typedef struct search {
    CXCursor wanted; /* canonical definition */
    gw_cursors seen;
    bool found;
} search;

static void follow(search *s, CXCursor definition);

static enum CXChildVisitResult visit(CXCursor c, CXCursor parent, CXClientData data) {
    (void)parent;
    search *s = data;
    if (s->found) return CXChildVisit_Break;
    if (clang_getCursorKind(c) == CXCursor_CallExpr) {
        CXCursor callee = clang_getCursorDefinition(clang_getCursorReferenced(c));
        if (!clang_Cursor_isNull(callee) && !clang_Location_isInSystemHeader(clang_getCursorLocation(callee)))
            follow(s, callee);
    }
    return CXChildVisit_Recurse;
}

static void follow(search *s, CXCursor definition) {
    if (clang_equalCursors(definition, s->wanted)) s->found = true;
    for (uint32_t i = 0; i < s->seen.count; i++)
        if (clang_equalCursors(s->seen.at[i], definition)) return;
    if (s->found) return;
    gw_push(&s->seen, definition);
    clang_visitChildren(definition, visit, s);
}

bool gw_front_is_recursive(gw_unit *u, CXCursor definition) {
    for (uint32_t i = 0; i < u->recursions.count; i++)
        if (clang_equalCursors(u->recursions.at[i].decl, definition)) return u->recursions.at[i].recursive;
    search s = {.wanted = definition};
    clang_visitChildren(definition, visit, &s);
    gw_vec_free(&s.seen);
    gw_push(&u->recursions, ((gw_unit_recursion){definition, s.found}));
    return s.found;
}
