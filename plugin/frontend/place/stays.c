/*
 * frontend/place/stays.c - what an expression does besides giving a value, and whether a variable keeps what it
 * was made with.
 */
#include "plugin/frontend/place/place.h"
#include "plugin/frontend/type/type.h"

bool gw_front_acts_itself(CXCursor e) {
    const enum CXCursorKind kind = clang_getCursorKind(e);
    const bool step =
        kind == CXCursor_UnaryOperator && clang_getCursorUnaryOperatorKind(e) <= CXUnaryOperator_PreDec;
    return step || kind == CXCursor_CallExpr || kind == CXCursor_CompoundAssignOperator ||
           kind == CXCursor_CXXThrowExpr || kind == CXCursor_CXXNewExpr ||
           clang_getCursorBinaryOperatorKind(e) == CXBinaryOperator_Assign;
}

static enum CXChildVisitResult visit_effect(CXCursor c, CXCursor parent, CXClientData found) {
    (void)parent;
    *(bool *)found |= gw_front_acts_itself(c);
    return *(bool *)found ? CXChildVisit_Break : CXChildVisit_Recurse;
}

bool gw_front_acts(CXCursor e) {
    bool any = gw_front_acts_itself(e);
    if (!any) clang_visitChildren(e, visit_effect, &any);
    return any;
}

/* ---- whether a variable stays what it is ---- */
typedef struct uses {
    CXCursor variable;
    bool of_text; /* its members that are numbers may change */
    uint32_t all, good;
} uses;

/* a of a.f(x); null: it is another call. */
static CXCursor object_of(CXCursor call) {
    const CXCursor called = gw_front_called_expression(call);
    const bool is_member = clang_getCursorKind(called) == CXCursor_MemberRefExpr &&
                           gw_front_is_method(clang_getCursorReferenced(called));
    return is_member ? gw_front_expression(called) : clang_getNullCursor();
}

static bool is_member(CXCursor e) {
    return clang_getCursorKind(e) == CXCursor_MemberRefExpr &&
           clang_getCursorKind(clang_getCursorReferenced(e)) == CXCursor_FieldDecl &&
           !clang_Cursor_isNull(gw_front_expression(e));
}

static bool is_number(CXType type) {
    const enum CXTypeKind kind = clang_getCanonicalType(type).kind;
    const bool is_builtin = kind >= CXType_FirstBuiltin && kind <= CXType_LastBuiltin;
    return kind == CXType_Enum || (is_builtin && kind != CXType_Void);
}

static bool is_use(const uses *u, CXCursor e) {
    while (gw_front_is_cast(clang_getCursorKind(e)) || clang_getCursorKind(e) == CXCursor_ParenExpr)
        e = gw_front_expression(e);
    while (u->of_text && is_member(e))
        e = gw_front_expression(e);
    return clang_getCursorKind(e) == CXCursor_DeclRefExpr &&
           clang_equalCursors(clang_getCursorReferenced(e), u->variable);
}

static bool only_reads(CXType parameter) {
    return !gw_front_is_reference(parameter) ||
           clang_isConstQualifiedType(clang_getNonReferenceType(clang_getCanonicalType(parameter)));
}

/* A loop over it that only reads its elements. */
static bool is_range(const uses *u, CXCursor loop) {
    gw_cursors parts = {0};
    gw_front_children(loop, &parts);
    const bool is = parts.count > 2 && only_reads(clang_getCursorType(parts.at[0])) && is_use(u, parts.at[1]);
    gw_vec_free(&parts);
    return is;
}

static enum CXChildVisitResult count_uses(CXCursor c, CXCursor parent, CXClientData data) {
    uses *u = data;
    (void)parent;
    if (clang_getCursorKind(c) == CXCursor_DeclRefExpr) u->all += is_use(u, c);
    if (u->of_text && is_member(c) && is_number(clang_getCursorType(c))) u->good += is_use(u, c);
    if (clang_getCursorKind(c) == CXCursor_CXXForRangeStmt) u->good += is_range(u, c);
    if (clang_getCursorKind(c) != CXCursor_CallExpr) return CXChildVisit_Recurse;
    const CXCursor callee = clang_getCursorReferenced(c);
    if (clang_Cursor_isNull(callee)) return CXChildVisit_Recurse;
    const CXType type = clang_getCursorType(callee);
    const bool is_method = clang_getCursorKind(callee) == CXCursor_CXXMethod ||
                           clang_getCursorKind(callee) == CXCursor_ConversionFunction;
    const int named = clang_getNumArgTypes(type), count = clang_Cursor_getNumArguments(c);
    const int shift = is_method && count == named + 1; /* an operator's object */
    const CXCursor object = object_of(c);
    if (is_method && !shift && !clang_Cursor_isNull(object) && clang_CXXMethod_isConst(callee))
        u->good += is_use(u, object);
    for (int i = 0; i < count; i++) {
        const int of = i - shift;
        const bool reads = of < 0 ? clang_CXXMethod_isConst(callee) != 0
                                  : of < named && only_reads(clang_getArgType(type, (unsigned)of));
        if (reads) u->good += is_use(u, clang_Cursor_getArgument(c, (unsigned)i));
    }
    return CXChildVisit_Recurse;
}

static bool stays(CXCursor variable, bool of_text) {
    uses u = {.variable = variable, .of_text = of_text};
    const CXType type = clang_getNonReferenceType(clang_getCanonicalType(clang_getCursorType(variable)));
    if (clang_isConstQualifiedType(type)) return true;
    clang_visitChildren(clang_getCursorSemanticParent(variable), count_uses, &u);
    return u.all == u.good;
}

bool gw_front_stays(CXCursor variable) { return stays(variable, false); }
bool gw_front_text_stays(CXCursor variable) { return stays(variable, true); }
