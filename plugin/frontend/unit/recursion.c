/*
 * frontend/unit/recursion.c - what a function reaches: itself, through others too, or a variable.
 *
 * A recursive function cannot be inlined: it becomes a primal function of its own, and its pullback calls
 * pullbacks. Followed are the calls that the source shows; a call through a pointer is inlined or refused
 * elsewhere, and the functions being inlined (frames) still stop a recursion that this does not see.
 */
#include "plugin/frontend/unit/unit.h"

typedef struct search {
    gw_unit *u;
    gw_front_sought *sought;
    const void *what;
    gw_cursors seen; /* definitions */
    bool found;
} search;

static CXCursor called_definition(CXCursor c) {
    if (clang_getCursorKind(c) != CXCursor_CallExpr) return clang_getNullCursor();
    return clang_getCursorDefinition(gw_front_named_function(c));
}

static enum CXChildVisitResult visit(CXCursor c, CXCursor parent, CXClientData data) {
    (void)parent;
    search *s = data;
    s->found |= s->sought(s->u, c, s->what);
    if (s->found) return CXChildVisit_Break;
    CXCursor callee = called_definition(c);
    bool follow =
        !clang_Cursor_isNull(callee) && !clang_Location_isInSystemHeader(clang_getCursorLocation(callee));
    for (uint32_t i = 0; i < s->seen.count && follow; i++)
        follow = !clang_equalCursors(s->seen.at[i], callee);
    if (follow) {
        gw_push(&s->seen, callee);
        clang_visitChildren(callee, visit, s);
    }
    return s->found ? CXChildVisit_Break : CXChildVisit_Recurse;
}

bool gw_front_reaches(gw_unit *u, CXCursor definition, gw_front_sought *sought, const void *what) {
    search s = {.u = u, .sought = sought, .what = what};
    clang_visitChildren(definition, visit, &s);
    gw_vec_free(&s.seen);
    return s.found;
}

static bool is_call_of(gw_unit *u, CXCursor c, const void *definition) {
    (void)u;
    return clang_equalCursors(called_definition(c), *(const CXCursor *)definition);
}

bool gw_front_is_recursive(gw_unit *u, CXCursor definition) {
    for (uint32_t i = 0; i < u->recursions.count; i++)
        if (clang_equalCursors(u->recursions.at[i].decl, definition)) return u->recursions.at[i].recursive;
    bool recursive = gw_front_reaches(u, definition, is_call_of, &definition);
    gw_push(&u->recursions, ((gw_unit_recursion){definition, recursive}));
    return recursive;
}
