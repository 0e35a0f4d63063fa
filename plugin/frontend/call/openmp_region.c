/*
 * frontend/call/openmp_region.c - whether a parallel region means the same to one thread (contract:
 * openmp_private.h).
 *
 * All threads run a region. One of them comes to the same where all that changes what others see stands in
 * statements that the team shares out, or that one thread runs: behind omp for, sections, single, master.
 * Around those there may be blocks, conditions and loops, and declarations, if nothing in their expressions
 * changes anything: no assignment, no call but of the system's functions. What such a variable holds is asked
 * by the caller, as of a clause (openmp_variable.c).
 */
#include "plugin/frontend/call/openmp_walk_private.h"

#include <string.h>

typedef struct region {
    gw_unit *u;
    const gw_cursors *shared; /* statements that the team shares out */
    gw_cursors *locals;
    CXCursor differs; /* the first that each thread runs */
    uint32_t depth;   /* of calls */
} region;
enum { DEEP = 8 };

static bool is_shared(const region *r, CXCursor c) {
    for (uint32_t i = 0; i < r->shared->count; i++)
        if (clang_equalCursors(r->shared->at[i], c)) return true;
    return false;
}

static bool is_step(CXCursor c) {
    const enum CXUnaryOperatorKind unary = clang_getCursorUnaryOperatorKind(c);
    return unary >= CXUnaryOperator_PostInc && unary <= CXUnaryOperator_PreDec;
}

static bool takes_numbers(CXCursor call) {
    const int count = clang_Cursor_getNumArguments(call);
    bool numbers = count > 0;
    for (int i = 0; i < count && numbers; i++) {
        const CXCursor argument = clang_Cursor_getArgument(call, (unsigned)i);
        const CXType of = clang_getCanonicalType(clang_getCursorType(argument));
        numbers = of.kind >= CXType_FirstBuiltin && of.kind <= CXType_LastBuiltin;
    }
    return numbers;
}

static bool is_pure_body(region *r, CXCursor function);

/* A function of the system's that is given numbers, or that changes nothing of its object; one of the source's
 * that changes nothing. OpenMP's own tell threads apart. */
static bool is_pure_call(region *r, CXCursor call) {
    const CXCursor callee = gw_front_named_function(call);
    const char *name = gw_cstr(r->u->session, gw_front_intern(r->u, clang_getCursorSpelling(callee)));
    if (!clang_Location_isInSystemHeader(clang_getCursorLocation(callee))) return is_pure_body(r, callee);
    return strncmp(name, "omp_", 4) != 0 && (clang_CXXMethod_isConst(callee) || takes_numbers(call));
}

/* A variable that is kept, or that each thread has. */
static bool is_of_thread(const gw_openmp_node *n) {
    const CXCursor of = n->kind == CXCursor_DeclRefExpr ? clang_getCursorReferenced(n->c) : n->c;
    if (clang_getCursorKind(of) != CXCursor_VarDecl) return false;
    return clang_getCursorTLSKind(of) != CXTLS_None ||
           (n->kind == CXCursor_VarDecl && clang_Cursor_getStorageClass(of) == CX_SC_Static);
}

static void enter_pure(gw_openmp_walk *w, gw_openmp_node *n) {
    region *r = w->data;
    const enum CXBinaryOperatorKind binary = clang_getCursorBinaryOperatorKind(n->c);
    const bool changes = binary >= CXBinaryOperator_Assign && binary <= CXBinaryOperator_OrAssign;
    const bool calls = n->kind == CXCursor_CallExpr && !is_pure_call(r, n->c);
    if (changes || is_step(n->c) || calls || n->kind == CXCursor_LambdaExpr || n->kind == CXCursor_CXXNewExpr ||
        n->kind == CXCursor_StmtExpr || n->kind == CXCursor_GCCAsmStmt || is_of_thread(n))
        r->differs = n->c;
}

/* No assignment is in it, so it has no loop either. */
static bool is_pure_body(region *r, CXCursor function) {
    const CXCursor body = gw_front_body(clang_getCursorDefinition(function));
    region in = {.u = r->u, .depth = r->depth + 1, .differs = clang_getNullCursor()};
    if (clang_Cursor_isNull(body) || clang_CXXMethod_isVirtual(function) || in.depth > DEEP) return false;
    gw_front_openmp_walk_all(body, enter_pure, NULL, &in);
    return clang_Cursor_isNull(in.differs);
}

/* Nothing below the cursor, or in itself, changes anything. */
static void check_pure(region *r, CXCursor c) {
    gw_openmp_node none = {.c = clang_getNullCursor()}, n = {c, clang_getCursorKind(c), &none, 0, 0, 0};
    gw_openmp_walk w = {.data = r};
    enter_pure(&w, &n);
    gw_front_openmp_walk_all(c, enter_pure, NULL, r);
}

static void check_statement(region *r, CXCursor c);

static void check_declarations(region *r, CXCursor c) {
    gw_cursors in = {0};
    gw_front_children(c, &in);
    for (uint32_t i = 0; i < in.count; i++) {
        const bool is_variable = clang_getCursorKind(in.at[i]) == CXCursor_VarDecl;
        if (!is_variable || clang_Cursor_getStorageClass(in.at[i]) == CX_SC_Static) r->differs = in.at[i];
        else gw_push(r->locals, in.at[i]);
        check_pure(r, in.at[i]);
    }
    gw_vec_free(&in);
}

static CXCursor only_child(CXCursor c) {
    gw_cursors in = {0};
    gw_front_children(c, &in);
    const CXCursor found = in.count == 1 ? in.at[0] : clang_getNullCursor();
    gw_vec_free(&in);
    return found;
}

/* A loop of four parts steps by ++ or -- the counter that it declares; the counter is a local like others. */
static void check_for(region *r, const gw_cursors *in) {
    const CXCursor counter = only_child(in->at[0]), step = in->at[2];
    check_declarations(r, in->at[0]);
    check_pure(r, in->at[1]);
    if (!is_step(step) || clang_Cursor_isNull(counter) ||
        !clang_equalCursors(clang_getCursorReferenced(only_child(step)), counter))
        r->differs = step;
    check_statement(r, in->at[3]);
}

/* c, with the statements in it. */
static void check_statement(region *r, CXCursor c) {
    gw_cursors in = {0};
    if (!clang_Cursor_isNull(r->differs) || is_shared(r, c)) return;
    gw_front_children(c, &in);
    switch (clang_getCursorKind(c)) {
    case CXCursor_CompoundStmt:
        for (uint32_t i = 0; i < in.count; i++)
            check_statement(r, in.at[i]);
        break;
    case CXCursor_NullStmt:
        break;
    case CXCursor_DeclStmt:
        check_declarations(r, c);
        break;
    case CXCursor_IfStmt:
        if (in.count) check_pure(r, in.at[0]);
        for (uint32_t i = 1; i < in.count; i++)
            check_statement(r, in.at[i]);
        if (in.count < 2 || clang_isDeclaration(clang_getCursorKind(in.at[0]))) r->differs = c;
        break;
    case CXCursor_ForStmt:
        if (in.count != 4 || clang_getCursorKind(in.at[0]) != CXCursor_DeclStmt) r->differs = c;
        else check_for(r, &in);
        break;
    default:
        r->differs = c;
    }
    gw_vec_free(&in);
}

CXCursor gw_front_openmp_region(gw_unit *u, CXCursor statement, const gw_cursors *shared, gw_cursors *locals) {
    region r = {.u = u, .shared = shared, .locals = locals, .differs = clang_getNullCursor()};
    check_statement(&r, statement);
    return r.differs;
}
