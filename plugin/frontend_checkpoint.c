/*
 * frontend_checkpoint.c - GW_CHECKPOINT(n) before a loop.
 *
 * For Clang the macro is a for statement that runs once, whose first variable is annotated and has n as its value
 * (gradwright.h). It is taken off here, and n becomes a property of the loop inside.
 */
#include "frontend_lower.h"

#include <string.h>

typedef struct found {
    CXCursor number; /* what the annotated variable is initialized with */
    bool annotated;
} found;

static enum CXChildVisitResult visit_part(CXCursor c, CXCursor parent, CXClientData data) {
    (void)parent;
    found *f = data;
    if (clang_getCursorKind(c) != CXCursor_AnnotateAttr) {
        if (clang_isExpression(clang_getCursorKind(c))) f->number = c;
        return CXChildVisit_Continue;
    }
    CXString text = clang_getCursorSpelling(c);
    f->annotated |= strcmp(clang_getCString(text), "gradwright:checkpoint") == 0;
    clang_disposeString(text);
    return CXChildVisit_Continue;
}

static bool is_loop(enum CXCursorKind kind) {
    return kind == CXCursor_ForStmt || kind == CXCursor_WhileStmt || kind == CXCursor_DoStmt || kind == CXCursor_CXXForRangeStmt;
}

static bool read_number(CXCursor e, int64_t *n) {
    double real;
    bool is_real;
    return !clang_Cursor_isNull(e) && gw_front_evaluate(e, n, &real, &is_real) && !is_real;
}

/* The loop that the annotated one is wrapped around. */
static void lower_inner(gw_lowering *L, CXCursor statement, CXCursor inner, CXCursor number) {
    int64_t n = 0;
    if (!is_loop(clang_getCursorKind(inner))) {
        gw_front_refuse(L, statement, "GW_CHECKPOINT before anything but a loop", "write it right before 'for', 'while' or 'do'");
    } else if (!read_number(number, &n) || n < 1 || n > INT32_MAX) {
        gw_front_refuse(L, statement, "GW_CHECKPOINT with this number", "give it a constant from 1 to 2147483647");
    } else {
        L->checkpoint = n;
        gw_front_statement(L, inner);
        L->checkpoint = 0;
    }
}

bool gw_front_checkpoint(gw_lowering *L, CXCursor statement) {
    if (clang_getCursorKind(statement) != CXCursor_ForStmt) return false;
    found f = {.number = clang_getNullCursor()};
    gw_cursors parts = {0}, variables = {0};
    gw_front_children(statement, &parts);
    if (parts.count == 4 && clang_getCursorKind(parts.at[0]) == CXCursor_DeclStmt) gw_front_children(parts.at[0], &variables);
    if (variables.count == 2 && clang_getCursorKind(variables.at[0]) == CXCursor_VarDecl)
        clang_visitChildren(variables.at[0], visit_part, &f);
    if (f.annotated) lower_inner(L, statement, parts.at[3], f.number);
    gw_vec_free(&parts);
    gw_vec_free(&variables);
    return f.annotated;
}
