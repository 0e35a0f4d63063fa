/*
 * frontend/statement/mark.c - what the user says about single values and loops: GW_STORE(x), GW_RECOMPUTE(x),
 * GW_CHECKPOINT(n) and GW_CHECKPOINT_BINOMIAL(n), which is kept as a negative number. And what our headers of
 * the standard library say: the policy of a loop.
 *
 * C has no annotation of statements, but variables have: for Clang each macro of gradwright.h is a statement
 * around an annotated variable, whose initial value is what the mark is about. A mark on a value is `do { T
 * marked = (x); } while (0)` and becomes an op that names the value that x has there; one on a loop is a for
 * statement that runs once, which is taken off here, and its number becomes a property of the loop inside.
 */
#include "plugin/frontend/lower.h"
#include "plugin/frontend/statement/statement.h"

#include "analysis/ir/diagnostics.h"

#include <stdlib.h>
#include <string.h>

typedef enum mark { NO_MARK, STORE, RECOMPUTE, CHECKPOINT, BINOMIAL, POLICY } mark;

static const struct {
    const char *annotation, *macro;
} marks[] = {
    [STORE] = {"gradwright:store", "GW_STORE"},
    [RECOMPUTE] = {"gradwright:recompute", "GW_RECOMPUTE"},
    [CHECKPOINT] = {"gradwright:checkpoint", "GW_CHECKPOINT"},
    [BINOMIAL] = {"gradwright:binomial", "GW_CHECKPOINT_BINOMIAL"},
    [POLICY] = {"gradwright:policy", "GW_PARALLEL"},
};

typedef struct found {
    CXCursor value; /* what the annotated variable is initialized with */
    mark mark;
} found;

static enum CXChildVisitResult visit_part(CXCursor c, CXCursor parent, CXClientData data) {
    (void)parent;
    found *f = data;
    if (clang_getCursorKind(c) != CXCursor_AnnotateAttr) {
        if (clang_isExpression(clang_getCursorKind(c))) f->value = c;
        return CXChildVisit_Continue;
    }
    CXString text = clang_getCursorSpelling(c);
    for (mark m = STORE; m < sizeof marks / sizeof *marks; m++)
        if (strcmp(clang_getCString(text), marks[m].annotation) == 0) f->mark = m;
    clang_disposeString(text);
    return CXChildVisit_Continue;
}

/* The mark of the first variable that the statement declares, if it declares `count`. */
static found find_mark(CXCursor statement, uint32_t count) {
    found f = {.value = clang_getNullCursor()};
    gw_cursors variables = {0};
    if (clang_getCursorKind(statement) == CXCursor_DeclStmt) gw_front_children(statement, &variables);
    if (variables.count == count && clang_getCursorKind(variables.at[0]) == CXCursor_VarDecl)
        clang_visitChildren(variables.at[0], visit_part, &f);
    gw_vec_free(&variables);
    return f;
}

/* ---- loops ---- */
static bool is_loop(enum CXCursorKind kind) {
    return kind == CXCursor_ForStmt || kind == CXCursor_WhileStmt || kind == CXCursor_DoStmt ||
           kind == CXCursor_CXXForRangeStmt;
}

static bool read_number(CXCursor e, int64_t *n) {
    double real;
    bool is_real;
    return !clang_Cursor_isNull(e) && gw_front_evaluate(e, n, &real, &is_real) && !is_real;
}

static void refuse(gw_lowering *L, CXCursor statement, mark m, const char *how, const char *way_out) {
    char *what = gw_format("%s %s", marks[m].macro, how);
    gw_front_refuse(L, statement, what, way_out);
    free(what);
}

/* The loop that the annotated one is wrapped around. */
static void lower_inner(gw_lowering *L, CXCursor statement, CXCursor inner, const found *f) {
    int64_t n = 0;
    if (f->mark == POLICY) {
        L->policy = (uint16_t)(read_number(f->value, &n) ? n : 0);
        gw_front_statement(L, inner);
        L->policy = 0;
    } else if (!is_loop(clang_getCursorKind(inner))) {
        refuse(L, statement, f->mark, "before anything but a loop",
               "write it right before 'for', 'while' or 'do'");
    } else if (!read_number(f->value, &n) || n < 1 || n > INT32_MAX) {
        refuse(L, statement, f->mark, "with this number", "give it a constant from 1 to 2147483647");
    } else if (f->mark == BINOMIAL && n > GW_MOST_STATES) {
        refuse(L, statement, f->mark, "with this number", "give it a constant from 1 to 65536");
    } else {
        L->checkpoint = f->mark == BINOMIAL ? -n : n;
        gw_front_statement(L, inner);
        L->checkpoint = 0;
    }
}

static bool mark_loop(gw_lowering *L, CXCursor statement, const gw_cursors *parts) {
    if (parts->count != 4) return false;
    found f = find_mark(parts->at[0], 2);
    if (f.mark) lower_inner(L, statement, parts->at[3], &f);
    return f.mark;
}

int64_t gw_front_given_checkpoint(gw_lowering *L, CXCursor loop) {
    gw_session *s = L->session;
    gw_loc at = gw_front_at(L, loop);
    int64_t number = 0;
    for (uint32_t i = 0; i < s->checkpoints.count; i++) {
        gw_given_checkpoint *c = &s->checkpoints.at[i];
        if (c->line != at.line || at.file != L->f->loc.file ||
            !gw_front_is_meant(L->u, c->function, L->frames.at[0].decl))
            continue;
        c->found = true;
        number = c->number;
    }
    return number;
}

bool gw_front_check_checkpoints(gw_session *s) {
    bool good = true;
    for (uint32_t i = 0; i < s->checkpoints.count; i++) {
        const gw_given_checkpoint *c = &s->checkpoints.at[i];
        if (c->found) continue;
        gw_diag(s, GW_DIAG_NO_LOOP, c->loc, gw_cstr(s, c->text));
        good = false;
    }
    return good;
}

/* ---- values ---- */
static bool is_number(CXCursor e) {
    CXType t = clang_getCanonicalType(clang_getCursorType(e));
    return t.kind >= CXType_Bool && t.kind <= CXType_LongDouble && t.kind != CXType_UInt128 &&
           t.kind != CXType_Int128;
}

static bool mark_value(gw_lowering *L, CXCursor statement, const gw_cursors *parts) {
    static const gw_opcode codes[] = {[STORE] = GW_OP_KEEP, [RECOMPUTE] = GW_OP_REPEAT};
    gw_cursors body = {0};
    found f = {0};
    if (parts->count && clang_getCursorKind(parts->at[0]) == CXCursor_CompoundStmt)
        gw_front_children(parts->at[0], &body);
    if (body.count == 1) f = find_mark(body.at[0], 1);
    gw_vec_free(&body);
    if (!f.mark) return false;
    if (clang_Cursor_isNull(f.value) || !is_number(f.value)) {
        refuse(L, statement, f.mark, "of anything but a number", "mark members and elements one by one");
        return true;
    }
    gw_value v = gw_front_scalar(L, f.value);
    gw_front_locate(L, statement);
    if (!L->failed) gw_emit(&L->b, codes[f.mark], GW_T_VOID, 0, &v, 1);
    return true;
}

bool gw_front_mark(gw_lowering *L, CXCursor statement) {
    gw_cursors parts = {0};
    bool marked = false;
    gw_front_children(statement, &parts);
    if (clang_getCursorKind(statement) == CXCursor_ForStmt) marked = mark_loop(L, statement, &parts);
    if (clang_getCursorKind(statement) == CXCursor_DoStmt) marked = mark_value(L, statement, &parts);
    gw_vec_free(&parts);
    return marked;
}
