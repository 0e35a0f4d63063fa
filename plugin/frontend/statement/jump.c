/*
 * frontend/statement/jump.c - goto to a label that stands further on, in the list of statements that the jump
 * is in or in one around it: the exit of what stands before the label.
 *
 *     if (!room) goto done;           loop: { if (!room) break loop;
 *     ...                       is            ... }
 *     done: free(room);               free(room);
 *
 * A jump back is a loop, and a jump into a block passes over what it declares: both are refused.
 */
#include "plugin/frontend/lower.h"
#include "plugin/frontend/statement/statement.h"

/* The label that a goto names. Cursors of one label that were found in two ways differ, their places do not. */
static CXSourceLocation target_of(CXCursor jump) {
    gw_cursors parts = {0};
    gw_front_children(jump, &parts);
    const CXCursor label = parts.count ? clang_getCursorReferenced(parts.at[0]) : clang_getNullCursor();
    gw_vec_free(&parts);
    return clang_getCursorLocation(label);
}

static enum CXChildVisitResult find_jump(CXCursor c, CXCursor parent, CXClientData data) {
    CXCursor *label = data;
    (void)parent;
    if (clang_getCursorKind(c) == CXCursor_LambdaExpr) return CXChildVisit_Continue;
    const bool is_it = clang_getCursorKind(c) == CXCursor_GotoStmt &&
                       clang_equalLocations(target_of(c), clang_getCursorLocation(*label));
    if (!is_it) return CXChildVisit_Recurse;
    *label = clang_getNullCursor();
    return CXChildVisit_Break;
}

/* A goto to the label stands in the statement, or is it. */
static bool jumps_to(CXCursor statement, CXCursor label) {
    if (find_jump(statement, label, &label) == CXChildVisit_Recurse)
        clang_visitChildren(statement, find_jump, &label);
    return clang_Cursor_isNull(label);
}

uint32_t gw_front_jumped_to(const gw_cursors *list) {
    for (uint32_t at = list->count; at-- > 1;)
        for (uint32_t i = 0; i < at && clang_getCursorKind(list->at[at]) == CXCursor_LabelStmt; i++)
            if (jumps_to(list->at[i], list->at[at])) return at;
    return list->count;
}

void gw_front_jump(gw_lowering *L, CXCursor jump) {
    if (!gw_front_exit_jump(L, target_of(jump)))
        gw_front_refuse(L, jump, "a goto back, or into a block", "use loops, break and continue");
}
