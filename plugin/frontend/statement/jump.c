/*
 * frontend/statement/jump.c - goto to a label that stands further on, in the list of statements that the jump
 * is in or in one around it: the exit of what stands before the label.
 *
 *     if (!room) goto done;           loop: { if (!room) break loop;
 *     ...                       is            ... }
 *     done: free(room);               free(room);
 *
 * A label that is jumped back to begins a loop, which ends behind the last statement that jumps there or to a
 * label in it, or with the list if they declare something:
 *
 *     again: x = next(x);             for (;;) { x = next(x);
 *     if (x > 1) goto again;    is               if (x > 1) continue;
 *     return x;                                  break; }
 *                                     return x;
 *
 * A jump into a block, or into such a loop, passes over what stands before: it is refused.
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

static bool is_label(CXCursor statement) { return clang_getCursorKind(statement) == CXCursor_LabelStmt; }

uint32_t gw_front_jumped_back(const gw_lowering *L, const gw_cursors *list, uint32_t at) {
    uint32_t end = at;
    bool declares = false;
    if (!is_label(list->at[at]) || gw_front_exit_leads(L, clang_getCursorLocation(list->at[at]))) return at;
    for (uint32_t i = at; i < list->count; i++)
        if (jumps_to(list->at[i], list->at[at])) end = i + 1;
    for (uint32_t k = at + 1; k < end; k++) /* labels in it that are jumped back to from behind it */
        for (uint32_t i = end; i < list->count && is_label(list->at[k]); i++)
            if (jumps_to(list->at[i], list->at[k])) end = i + 1;
    for (uint32_t i = at; i < end; i++)
        declares |= clang_getCursorKind(list->at[i]) == CXCursor_DeclStmt;
    return declares ? list->count : end;
}

/* A loop of the list begins before the label and ends behind it. */
static bool is_repeated(const gw_lowering *L, const gw_cursors *list, uint32_t label) {
    for (uint32_t i = 0; i < label; i++)
        if (gw_front_jumped_back(L, list, i) > label) return true;
    return false;
}

uint32_t gw_front_jumped_to(const gw_lowering *L, const gw_cursors *list) {
    for (uint32_t at = list->count; at-- > 1;)
        for (uint32_t i = 0; i < at && is_label(list->at[at]); i++)
            if (jumps_to(list->at[i], list->at[at]) && !is_repeated(L, list, at)) return at;
    return list->count;
}

void gw_front_jump(gw_lowering *L, CXCursor jump) {
    if (!gw_front_exit_jump(L, target_of(jump)))
        gw_front_refuse(L, jump, "a goto into a block or loop", "use loops, break and continue");
}
