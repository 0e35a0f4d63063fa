/*
 * frontend/statement/enclosed.c - what may stand in a try block: nothing that may throw unseen.
 *
 * Requires: a try statement of a function of the host, before any of it is lowered.
 * Guarantees: whatever can throw in its block is a `throw` that is a statement of its own, there or in a
 * function that is inlined there, or std's check of an index; nothing is made or changed in the same expression
 * beside it, and no object has to be destroyed on its way. All else is refused. Why that is sound: only kinds
 * of statements and expressions that are listed here are taken, in the block and in all bodies that it reaches;
 * a call whose body is not seen is taken if it cannot throw: by its noexcept, as mathematics, or as a function
 * of C.
 */
#include "plugin/frontend/call/call.h"
#include "plugin/frontend/lower.h"
#include "plugin/frontend/object/object.h"
#include "plugin/frontend/statement/statement.h"
#include "plugin/frontend/type/type.h"

#include <string.h>

typedef struct read_body {
    CXCursor decl;
    bool throws, open;
} read_body;

typedef struct reading {
    gw_lowering *L;
    GW_VEC(read_body) bodies;
    CXType result; /* of the body that is being read */
    bool throws;   /* it does, as far as it was read */
    /* in the full expression that is being read: calls that may throw, checks of indices, and what else is
     * done */
    uint32_t thrown, checked, done;
} reading;

static void statement(reading *r, CXCursor s);
static void expression(reading *r, CXCursor e, bool may);

static void refuse(reading *r, CXCursor at, const char *what, const char *way_out) {
    if (!r->L->failed) gw_front_refuse(r->L, at, what, way_out);
}

static void refuse_unseen(reading *r, CXCursor at) {
    refuse(r, at, "what may throw in a try block, and nobody sees whether it does,",
           "do it before or behind the block, or say noexcept where it throws nothing");
}

/* ---- types ---- */
/* Objects of it are made, copied and left behind without a word. */
static bool is_plain(reading *r, CXType type) {
    const CXType t = clang_getCanonicalType(type);
    if (gw_front_is_reference(t) || t.kind == CXType_Pointer || t.kind == CXType_Void) return true;
    const gw_shape shape = gw_front_shape(r->L->u, t);
    const gw_shape_data d = *gw_front_shape_at(r->L->u, shape);
    if (d.kind == GW_SHAPE_ARRAY) return is_plain(r, clang_getArrayElementType(t)) || d.library;
    if (d.destructs || d.kind == GW_SHAPE_OPAQUE || d.library == GW_LIBRARY_VECTOR ||
        d.library == GW_LIBRARY_UNIQUE)
        return false;
    return d.kind == GW_SHAPE_SCALAR || !(gw_front_copies_by_code(r->L->u, shape, GW_COPIED) ||
                                          gw_front_copies_by_code(r->L->u, shape, GW_MOVED));
}

static bool is_number_or_nothing(reading *r, CXType type) {
    const CXType t = clang_getCanonicalType(type);
    return t.kind == CXType_Void ||
           (!gw_front_is_reference(t) &&
            gw_front_shape_kind(r->L->u, gw_front_shape(r->L->u, t)) == GW_SHAPE_SCALAR);
}

/* ---- expressions ---- */
static bool assigns(CXCursor e) {
    const enum CXCursorKind kind = clang_getCursorKind(e);
    return kind == CXCursor_CompoundAssignOperator ||
           (kind == CXCursor_BinaryOperator && clang_getCursorBinaryOperatorKind(e) == CXBinaryOperator_Assign);
}

static bool steps(CXCursor e) {
    const enum CXUnaryOperatorKind kind = clang_getCursorUnaryOperatorKind(e);
    return kind == CXUnaryOperator_PostInc || kind == CXUnaryOperator_PostDec ||
           kind == CXUnaryOperator_PreInc || kind == CXUnaryOperator_PreDec;
}

static void children(reading *r, CXCursor e, bool may) {
    gw_cursors parts = {0};
    gw_front_children(e, &parts);
    for (uint32_t i = 0; i < parts.count && !r->L->failed; i++)
        if (clang_isExpression(clang_getCursorKind(parts.at[i]))) expression(r, parts.at[i], may);
    gw_vec_free(&parts);
}

/* An expression that is no part of another. */
static void full(reading *r, CXCursor e, bool may) {
    const CXCursor root = gw_front_strip(e);
    r->thrown = r->checked = r->done = 0;
    if (assigns(root))
        children(r, root, may);
    else
        expression(r, e, may);
    if (r->thrown + (r->checked > 0) > 1 || ((r->thrown || r->checked) && r->done))
        refuse(r, e, "what may throw in a try block, in an expression that does something else,",
               "assign it to a variable before");
}

static void note_throw(reading *r, CXCursor at, bool may) {
    r->throws = true;
    if (!may)
        refuse(r, at, "what may throw in a try block, in such a place of an expression,",
               "assign it to a variable before, in a statement of its own");
}

/* What members' declarations give them. */
static void defaults(reading *r, CXCursor class) {
    gw_cursors members = {0};
    gw_front_children(class, &members);
    for (uint32_t i = 0; i < members.count && !r->L->failed; i++)
        if (clang_getCursorKind(members.at[i]) == CXCursor_FieldDecl) children(r, members.at[i], false);
    gw_vec_free(&members);
}

/* Whether the function's body throws to whom calls it. */
static bool body_throws(reading *r, CXCursor definition, CXCursor call) {
    for (uint32_t i = 0; i < r->bodies.count; i++) {
        if (!clang_equalCursors(r->bodies.at[i].decl, definition)) continue;
        if (r->bodies.at[i].open)
            refuse(r, call, "a recursive function in a try block", "call it before the block");
        return r->bodies.at[i].throws;
    }
    const reading outer = *r;
    const uint32_t own = r->bodies.count;
    gw_cursors parts = {0};
    gw_push(&r->bodies, ((read_body){definition, false, true}));
    r->throws = false;
    r->result = clang_getCursorResultType(definition);
    gw_front_children(definition, &parts);
    for (uint32_t i = 0; i < parts.count && !r->L->failed; i++) {
        const enum CXCursorKind kind = clang_getCursorKind(parts.at[i]);
        if (kind == CXCursor_CXXTryStmt)
            refuse(r, parts.at[i], "a function try block", "write the block inside of the body");
        if (kind == CXCursor_CompoundStmt)
            statement(r, parts.at[i]);
        else if (clang_isExpression(kind))
            full(r, parts.at[i], false); /* of a constructor's members */
    }
    gw_vec_free(&parts);
    const bool throws = r->throws;
    r->bodies.at[own].open = false, r->bodies.at[own].throws = throws;
    r->throws = outer.throws, r->result = outer.result;
    r->thrown = outer.thrown, r->checked = outer.checked, r->done = outer.done;
    return throws;
}

static void constructor(reading *r, CXCursor call, CXCursor callee) {
    const CXCursor class = clang_getCursorSemanticParent(callee),
                   definition = clang_getCursorDefinition(callee);
    if (!is_plain(r, clang_getCursorType(call))) refuse_unseen(r, call);
    if (r->L->failed || gw_front_is_in_std(class)) return;
    defaults(r, class);
    if (!gw_front_is_written_constructor(callee)) return;
    r->done++;
    if (clang_Cursor_isNull(definition))
        refuse_unseen(r, call);
    else if (body_throws(r, definition, call))
        refuse(r, call, "a constructor that throws in a try block", "check before the object is made");
}

static void users_function(reading *r, CXCursor call, CXCursor callee, bool may) {
    const CXCursor definition = clang_getCursorDefinition(callee);
    const bool ruled = gw_front_rule_of(r->L->u, clang_getCanonicalCursor(callee)) != UINT32_MAX;
    if (ruled || clang_Cursor_isNull(definition) || clang_CXXMethod_isVirtual(callee)) {
        r->done++;
        if (!gw_front_is_noexcept(callee)) refuse_unseen(r, call);
        return;
    }
    if (!body_throws(r, definition, call)) {
        r->done++;
        return;
    }
    r->thrown++;
    if (clang_getCursorExceptionSpecificationType(definition) != CXCursor_ExceptionSpecificationKind_None)
        refuse(r, call, "a throw in a function that says noexcept, in a try block", "leave noexcept out");
    if (!is_number_or_nothing(r, clang_getCursorResultType(definition)))
        refuse(r, call, "a function that throws in a try block and returns no number",
               "let it write to what a parameter leads to");
    note_throw(r, call, may);
}

/* Whether a function of a library is known to come back. */
static bool comes_back(reading *r, CXCursor callee) {
    const CXType type = clang_getCursorType(callee);
    if (gw_front_is_noexcept(callee) || gw_front_is_mathematics(r->L->u, callee)) return true;
    if (gw_front_is_in_std(callee) || !gw_front_is_library(r->L->u, callee)) return false;
    for (int i = 0; i < clang_getNumArgTypes(type); i++) {
        const CXType t = clang_getCanonicalType(clang_getArgType(type, (unsigned)i));
        if (t.kind == CXType_Pointer &&
            clang_getCanonicalType(clang_getPointeeType(t)).kind == CXType_FunctionProto)
            return false;
    }
    return true;
}

static void refuse_default(reading *r, CXCursor at, CXCursor callee) {
    if (!gw_front_is_in_std(callee)) refuse(r, at, "an argument that is left out, in a try block,", "write it");
}

static void call(reading *r, CXCursor e, bool may) {
    const CXCursor callee = gw_front_named_function(e);
    const enum CXCursorKind kind = clang_getCursorKind(callee);
    const bool makes = kind == CXCursor_Constructor,
               is_none = clang_Cursor_isNull(callee) || clang_isInvalid(kind);
    const bool is_function =
        kind == CXCursor_FunctionDecl || kind == CXCursor_CXXMethod || kind == CXCursor_ConversionFunction;
    children(r, e, may && is_function);
    for (int i = 0; i < clang_Cursor_getNumArguments(e); i++)
        if (gw_front_is_default_argument(clang_Cursor_getArgument(e, (unsigned)i)))
            refuse_default(r, e, callee);
    if (r->L->failed) return;
    if (makes)
        constructor(r, e, callee);
    else if (is_none && is_plain(r, clang_getCursorType(e)) && clang_Cursor_getNumArguments(e) == 1)
        return;
    else if (!is_function)
        refuse_unseen(r, e);
    else if (gw_front_is_checked(r->L->u, callee))
        r->checked++, note_throw(r, e, may);
    else if (gw_front_is_in_std(callee) || gw_front_is_library(r->L->u, callee)) {
        if (!comes_back(r, callee)) refuse_unseen(r, e);
    } else
        users_function(r, e, callee, may);
}

static void operation(reading *r, CXCursor e, bool may) {
    const enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(e);
    const bool chooses =
        kind == CXBinaryOperator_LAnd || kind == CXBinaryOperator_LOr || kind == CXBinaryOperator_Comma;
    children(r, e, may && !chooses);
}

static void expression(reading *r, CXCursor e, bool may) {
    const enum CXCursorKind kind = clang_getCursorKind(e);
    if (r->L->failed) return;
    r->done += assigns(e) || (kind == CXCursor_UnaryOperator && steps(e));
    switch (kind) {
    case CXCursor_IntegerLiteral:
    case CXCursor_FloatingLiteral:
    case CXCursor_CharacterLiteral:
    case CXCursor_StringLiteral:
    case CXCursor_CXXBoolLiteralExpr:
    case CXCursor_CXXNullPtrLiteralExpr:
    case CXCursor_CXXThisExpr:
    case CXCursor_DeclRefExpr:
    case CXCursor_UnaryExpr: /* sizeof */
        return;
    case CXCursor_UnexposedExpr:
        children(r, e, may);
        return;
    case CXCursor_ParenExpr:
    case CXCursor_MemberRefExpr:
    case CXCursor_ArraySubscriptExpr:
    case CXCursor_UnaryOperator:
    case CXCursor_CompoundAssignOperator:
    case CXCursor_CStyleCastExpr:
    case CXCursor_CXXStaticCastExpr:
    case CXCursor_CXXConstCastExpr:
    case CXCursor_CXXFunctionalCastExpr:
        children(r, e, may);
        return;
    case CXCursor_BinaryOperator:
        operation(r, e, may);
        return;
    case CXCursor_ConditionalOperator:
    case CXCursor_InitListExpr:
        children(r, e, false);
        return;
    case CXCursor_CallExpr:
        call(r, e, may);
        return;
    case CXCursor_LambdaExpr: /* its body is read where it is called */
        if (!is_plain(r, clang_getCursorType(e))) refuse_unseen(r, e);
        return;
    default:
        refuse(r, e, "such an expression in a try block", "do it before or behind the block");
    }
}

/* ---- statements ---- */
static void variable(reading *r, CXCursor v, bool may) {
    const CXType type = clang_getCursorType(v);
    gw_cursors parts = {0};
    if (clang_Cursor_getStorageClass(v) == CX_SC_Static)
        refuse(r, v, "a static variable in a try block", "declare it before the block");
    if (!is_plain(r, type))
        refuse(r, v, "an object that is made or destroyed by code, in a try block,",
               "make it before the block");
    gw_front_expressions(v, &parts);
    for (uint32_t i = 0; i < parts.count && !r->L->failed; i++)
        full(r, parts.at[i], may && is_number_or_nothing(r, type));
    gw_vec_free(&parts);
}

/* A list of declarations, or of what stands in the head of a loop. */
static void declaration(reading *r, CXCursor s, bool may) {
    const enum CXCursorKind kind = clang_getCursorKind(s);
    gw_cursors parts = {0};
    if (clang_isExpression(kind)) {
        full(r, s, may);
    } else if (kind == CXCursor_VarDecl) {
        variable(r, s, may);
    } else if (kind == CXCursor_DeclStmt) {
        gw_front_children(s, &parts);
        for (uint32_t i = 0; i < parts.count && !r->L->failed; i++)
            declaration(r, parts.at[i], may);
    } else if (kind != CXCursor_TypedefDecl && kind != CXCursor_TypeAliasDecl) {
        refuse(r, s, "such a declaration in a try block", "write it before the block");
    }
    gw_vec_free(&parts);
}

/* In the head of a loop or switch nothing may throw. */
static void headed(reading *r, CXCursor s) {
    const enum CXCursorKind kind = clang_getCursorKind(s);
    gw_cursors parts = {0};
    gw_front_children(s, &parts);
    const uint32_t body = kind == CXCursor_DoStmt || !parts.count ? 0 : parts.count - 1;
    if (kind != CXCursor_ForStmt && body && gw_front_semicolon_before(r->L->u, s, parts.at[body]))
        refuse(r, s, "an init statement in a try block", "write it before the statement");
    for (uint32_t i = 0; i < parts.count && !r->L->failed; i++) {
        if (i == body)
            statement(r, parts.at[i]);
        else
            declaration(r, parts.at[i], false);
    }
    gw_vec_free(&parts);
}

/* The elements of an array or of a class of std's, for which nobody's begin() is called. */
static void over_range(reading *r, CXCursor s) {
    gw_cursors parts = {0};
    gw_front_children(s, &parts);
    for (uint32_t i = 0; i < parts.count && !r->L->failed; i++) {
        const enum CXCursorKind kind = clang_getCursorKind(parts.at[i]);
        if (kind == CXCursor_VarDecl && !is_plain(r, clang_getCursorType(parts.at[i])))
            refuse_unseen(r, parts.at[i]);
        if (!clang_isExpression(kind)) continue;
        full(r, parts.at[i], false);
        const CXType type = gw_front_bare(clang_getCursorType(parts.at[i]));
        if (type.kind == CXType_Record && !gw_front_is_in_std(clang_getTypeDeclaration(type)))
            refuse_unseen(r, parts.at[i]);
    }
    if (parts.count && gw_front_semicolon_before(r->L->u, s, parts.at[parts.count - 1]))
        refuse(r, s, "an init statement in a try block", "write it before the statement");
    if (parts.count) statement(r, parts.at[parts.count - 1]);
    gw_vec_free(&parts);
}

static void choice(reading *r, CXCursor s) {
    gw_cursors parts = {0};
    gw_front_children(s, &parts);
    const bool is_simple = parts.count > 1 && clang_isExpression(clang_getCursorKind(parts.at[0])) &&
                           !gw_front_semicolon_before(r->L->u, s, parts.at[1]);
    if (!is_simple)
        refuse(r, s, "a declaration in a condition, in a try block,", "write it before the statement");
    if (is_simple) full(r, parts.at[0], true);
    for (uint32_t i = 1; i < parts.count && !r->L->failed; i++)
        statement(r, parts.at[i]);
    gw_vec_free(&parts);
}

/* A label is no part of what it names. */
static void last_part(reading *r, CXCursor s) {
    gw_cursors parts = {0};
    gw_front_children(s, &parts);
    if (parts.count) statement(r, parts.at[parts.count - 1]);
    gw_vec_free(&parts);
}

static void statements(reading *r, CXCursor s) {
    gw_cursors parts = {0};
    gw_front_children(s, &parts);
    for (uint32_t i = 0; i < parts.count && !r->L->failed; i++)
        statement(r, parts.at[i]);
    gw_vec_free(&parts);
}

static void returned(reading *r, CXCursor s) {
    gw_cursors parts = {0};
    gw_front_expressions(s, &parts);
    if (!is_plain(r, r->result) || gw_front_is_reference(r->result))
        refuse(r, s, "a result that is no number or plain struct, in a try block,",
               "return it behind the block");
    for (uint32_t i = 0; i < parts.count && !r->L->failed; i++)
        full(r, parts.at[i], is_number_or_nothing(r, r->result));
    gw_vec_free(&parts);
}

/* What a handler writes through it would be a store to one of several variables; text is read alone. */
static bool leads_to_numbers(CXCursor what) {
    const CXType type = clang_getCanonicalType(clang_getCursorType(what));
    const bool is_pointer = type.kind == CXType_Pointer;
    const CXType of = is_pointer ? clang_getPointeeType(type) : clang_getArrayElementType(type);
    const enum CXTypeKind kind = clang_getCanonicalType(of).kind;
    return kind != CXType_Invalid && kind != CXType_Char_S && kind != CXType_Char_U;
}

static void thrown(reading *r, CXCursor s) {
    const CXCursor what = gw_front_expression(s);
    r->throws = true;
    if (clang_Cursor_isNull(what))
        refuse(r, s, "an exception that is thrown again", "throw an object, or return a status");
    else if (leads_to_numbers(what))
        refuse(r, s, "an exception that is a pointer", "throw an object");
    else if (!gw_front_is_thrown_text(r->L, what))
        full(r, what, false);
}

static void statement(reading *r, CXCursor s) {
    if (r->L->failed) return;
    switch (clang_getCursorKind(s)) {
    case CXCursor_NullStmt:
    case CXCursor_BreakStmt:
    case CXCursor_ContinueStmt:
        return;
    case CXCursor_CompoundStmt:
    case CXCursor_CXXTryStmt:
    case CXCursor_UnexposedStmt: /* with attributes */
        statements(r, s);
        return;
    case CXCursor_CXXCatchStmt:
    case CXCursor_CaseStmt:
    case CXCursor_DefaultStmt:
        last_part(r, s);
        return;
    case CXCursor_DeclStmt:
        declaration(r, s, true);
        return;
    case CXCursor_IfStmt:
        choice(r, s);
        return;
    case CXCursor_ForStmt:
        if (gw_front_openmp_policy(r->L, s)) refuse_unseen(r, s);
        /* fallthrough */
    case CXCursor_WhileStmt:
    case CXCursor_DoStmt:
    case CXCursor_SwitchStmt:
        headed(r, s);
        return;
    case CXCursor_CXXForRangeStmt:
        over_range(r, s);
        return;
    case CXCursor_ReturnStmt:
        returned(r, s);
        return;
    case CXCursor_CXXThrowExpr:
        thrown(r, s);
        return;
    default:
        break;
    }
    const CXCursor inner = clang_getCursorKind(s) == CXCursor_UnexposedExpr ? gw_front_expression(s) : s;
    if (clang_getCursorKind(inner) == CXCursor_CXXThrowExpr)
        thrown(r, inner);
    else if (clang_isExpression(clang_getCursorKind(s)))
        full(r, s, true);
    else
        refuse(r, s, "such a statement in a try block", "write it before or behind the block");
}

/* ---- the whole ---- */
/* What asks for an exception that it is not given. */
static bool asks(gw_unit *u, CXCursor c, const void *none) {
    static const char *const names[] = {"current_exception", "uncaught_exception", "uncaught_exceptions",
                                        "rethrow_exception", "rethrow_if_nested",  "throw_with_nested"};
    const CXCursor callee = clang_getCursorReferenced(c);
    (void)none;
    if (clang_getCursorKind(c) != CXCursor_CallExpr || !gw_front_is_in_std(callee)) return false;
    const char *name = gw_cstr(u->session, gw_front_intern(u, clang_getCursorSpelling(callee)));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0) return true;
    return false;
}

void gw_front_read_try(gw_lowering *L, CXCursor s, CXCursor body) {
    const gw_frame *frame = &L->frames.at[L->frames.count - 1];
    reading r = {.L = L, .result = clang_getCursorResultType(frame->decl)};
    if (gw_front_reaches(L->u, L->frames.at[0].decl, asks, NULL))
        refuse(&r, s, "an exception that is asked for by std's functions", "catch it by its type");
    statement(&r, body);
    gw_vec_free(&r.bodies);
}
