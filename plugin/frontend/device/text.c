/*
 * frontend/device/text.c - functions that make a number of text alone, in a program: checkCmdLineFlag(argc,
 * argv, "block-size").
 *
 * Such a function is not lowered: text has no values here. It is asked as it stands, where it stood, once, and
 * not on the way back (ASKED; in its callee "$1" is the first operand). Sound, as it gives the same there as in
 * the program: it takes integers and pointers to text, reads no variable at file scope that may change, writes
 * through no pointer, and calls functions of that kind and of the C library's that read text.
 */
#include "plugin/frontend/device/device.h"
#include "plugin/frontend/lower.h"
#include "plugin/frontend/type/type.h"

#include "analysis/ir/device.h"

#include <string.h>

enum { DEEPEST = 8, MOST_OPERANDS = 9 };

typedef struct body {
    gw_lowering *L;
    uint32_t depth;
    bool good;
} body;

static const char *spelling(gw_lowering *L, CXCursor c) {
    return GW_FRONT_TEXT(L, gw_front_intern(L->u, clang_getCursorSpelling(c)));
}

static bool is_integer(CXType type) {
    const CXType t = clang_getCanonicalType(type);
    return t.kind == CXType_Enum || (t.kind >= CXType_Bool && t.kind <= CXType_Int128);
}

/* `const char *`, or a table of such; `writes`: the text may be written to. */
static bool is_text(CXType type, bool *writes) {
    CXType t = clang_getCanonicalType(type);
    for (int steps = 0; t.kind == CXType_Pointer && steps < 2; steps++)
        t = clang_getPointeeType(t);
    *writes = !clang_isConstQualifiedType(t);
    return clang_getCanonicalType(type).kind == CXType_Pointer &&
           (t.kind == CXType_Char_S || t.kind == CXType_Char_U);
}

/* ---- bodies ---- */
static bool reads_text(gw_lowering *L, CXCursor callee) {
    static const char *const names[] = {
        "strlen",  "strnlen", "strcmp",  "strncmp", "strcasecmp", "strncasecmp", "strcoll", "strspn",
        "strcspn", "strchr",  "strrchr", "strstr",  "strpbrk",    "memcmp",      "atoi",    "atol",
        "atoll",   "isalnum", "isalpha", "isdigit", "isxdigit",   "isspace",     "isblank", "ispunct",
        "isupper", "islower", "isprint", "toupper", "tolower"};
    if (!gw_front_is_library(L->u, callee) || !gw_front_is_known(L->u, callee)) return false;
    const char *spelled = spelling(L, callee), *builtin = gw_front_builtin_name(spelled);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], builtin ? builtin : spelled) == 0) return true;
    return false;
}

static bool is_good(gw_lowering *L, CXCursor function, uint32_t depth);

static bool may_call(const body *b, CXCursor call) {
    const CXCursor callee = clang_getCursorReferenced(call);
    if (clang_Cursor_isNull(callee) || clang_getCursorKind(callee) != CXCursor_FunctionDecl) return false;
    return reads_text(b->L, callee) || is_good(b->L, callee, b->depth + 1);
}

/* What is set is a variable by its name. */
static bool sets_variable(CXCursor e) {
    gw_cursors parts = {0};
    gw_front_expressions(e, &parts);
    CXCursor to = parts.count ? parts.at[0] : clang_getNullCursor();
    gw_vec_free(&parts);
    while (!clang_Cursor_isNull(to) && clang_getCursorKind(to) == CXCursor_ParenExpr)
        to = gw_front_expression(to);
    return !clang_Cursor_isNull(to) && clang_getCursorKind(to) == CXCursor_DeclRefExpr;
}

static bool may_name(CXCursor named) {
    if (clang_getCursorKind(named) != CXCursor_VarDecl) return true;
    return clang_Cursor_hasVarDeclGlobalStorage(named) != 1 ||
           clang_isConstQualifiedType(clang_getCursorType(named));
}

static enum CXChildVisitResult look(CXCursor c, CXCursor parent, CXClientData data) {
    body *b = data;
    (void)parent;
    const enum CXCursorKind kind = clang_getCursorKind(c);
    const enum CXUnaryOperatorKind step = clang_getCursorUnaryOperatorKind(c);
    const bool steps =
        kind == CXCursor_UnaryOperator && step >= CXUnaryOperator_PostInc && step <= CXUnaryOperator_PreDec;
    const bool sets = kind == CXCursor_CompoundAssignOperator ||
                      clang_getCursorBinaryOperatorKind(c) == CXBinaryOperator_Assign;
    switch (kind) {
    case CXCursor_CallExpr:
        b->good &= may_call(b, c);
        break;
    case CXCursor_DeclRefExpr:
        b->good &= may_name(clang_getCursorReferenced(c));
        break;
    case CXCursor_CXXNewExpr:
    case CXCursor_CXXDeleteExpr:
    case CXCursor_CXXThrowExpr:
    case CXCursor_LambdaExpr:
    case CXCursor_AsmStmt:
    case CXCursor_GotoStmt:
        b->good = false;
        break;
    default:
        b->good &= !(steps || sets) || sets_variable(c);
        break;
    }
    return b->good ? CXChildVisit_Recurse : CXChildVisit_Break;
}

static bool is_good(gw_lowering *L, CXCursor function, uint32_t depth) {
    const CXCursor definition = clang_getCursorDefinition(function);
    const CXType type = clang_getCursorType(function);
    bool writes, good = depth < DEEPEST && !clang_Cursor_isNull(definition) &&
                        clang_getCursorKind(function) == CXCursor_FunctionDecl &&
                        !gw_front_has_attribute(function, CXCursor_CUDAGlobalAttr);
    for (int i = 0; good && i < clang_getNumArgTypes(type); i++) {
        const CXType of = clang_getArgType(type, (unsigned)i);
        good = is_integer(of) || is_text(of, &writes);
    }
    body b = {.L = L, .depth = depth, .good = good};
    if (good) clang_visitChildren(definition, look, &b);
    return b.good;
}

/* ---- calls ---- */
static bool takes_text(gw_lowering *L, CXCursor callee) {
    const CXType type = clang_getCursorType(callee);
    bool any = false, writes;
    if (clang_getCursorKind(callee) != CXCursor_FunctionDecl || !is_integer(clang_getResultType(type)))
        return false;
    if (clang_Cursor_getNumTemplateArguments(callee) > 0 || clang_isFunctionTypeVariadic(type)) return false;
    for (int i = 0; i < clang_getNumArgTypes(type); i++)
        any |= is_text(clang_getArgType(type, (unsigned)i), &writes);
    return any && is_good(L, callee, 0);
}

/* A table of text is a parameter, which is called by its name: "$oargv;". */
static bool add_table(gw_lowering *L, const gw_place *p, gw_text *text) {
    int64_t first;
    if (p->kind != GW_PLACE_MEMORY || p->count != 1 || p->path != gw_intern(L->session, "[]")) return false;
    if (!gw_const_int(L->f, p->index[0], &first) || first) return false;
    for (uint32_t i = 0; i < L->f->params.count; i++) {
        if (L->f->params.at[i].object != p->object) continue;
        gw_text_addf(text, "$o%s;", GW_FRONT_TEXT(L, L->f->params.at[i].name));
        return true;
    }
    return false;
}

/* A literal, or "(const char *)$1" of a pointer that the program was given. */
static bool add(gw_lowering *L, CXCursor e, CXType type, gw_operands *operands, gw_text *text) {
    const CXCursor literal = gw_front_behind_casts(L, e);
    bool writes;
    if (clang_getCursorKind(literal) == CXCursor_StringLiteral) {
        gw_text tokens = {0};
        const bool good = gw_front_add_literal(L, literal, &tokens);
        for (const char *at = good ? tokens.at : ""; *at; at++)
            gw_text_addf(text, *at == '$' ? "$%c" : "%c", *at);
        gw_text_free(&tokens);
        return good;
    }
    const bool is_pointer = is_text(type, &writes);
    if (gw_front_acts(e) || operands->count == MOST_OPERANDS) return false;
    const gw_place p = is_pointer ? gw_front_pointer(L, e) : (gw_place){0};
    const CXString spelled = clang_getTypeSpelling(clang_getUnqualifiedType(type));
    gw_text_addf(text, "(%s)", GW_FRONT_TEXT(L, gw_front_intern(L->u, spelled)));
    if (L->failed) return false;
    if (is_pointer && !gw_front_is_device(L, &p)) return add_table(L, &p, text);
    gw_push(operands, is_pointer ? gw_front_address(L, p, e) : gw_front_scalar(L, e));
    gw_text_addf(text, "$%u", operands->count);
    return !L->failed;
}

bool gw_front_ask_text(gw_lowering *L, CXCursor call, CXCursor callee, const gw_cursors *arguments,
                       gw_call_result *r) {
    if (!L->is_program || L->failed || !takes_text(L, callee)) return false;
    const CXType type = clang_getCursorType(callee);
    gw_operands operands = {0};
    gw_text text = {0};
    bool good = true;
    gw_text_addf(&text, "::%s(", GW_FRONT_TEXT(L, gw_front_qualified(L->u, callee)));
    for (uint32_t i = 0; i < arguments->count && good; i++) {
        if (gw_front_is_default_argument(arguments->at[i])) break;
        gw_text_add(&text, i ? ", " : "");
        good = add(L, arguments->at[i], clang_getArgType(type, i), &operands, &text);
    }
    gw_text_add(&text, ")");
    if (good) {
        gw_front_locate(L, call);
        const gw_op op = gw_front_device_op(L, GW_DEVICE_ASKED, operands.at, operands.count);
        gw_op_at(L->f, op)->callee = gw_intern(L->session, text.at);
        r->value = gw_cast(&L->b, gw_front_shape_of(L, call), gw_result(L->f, op, 0));
    }
    gw_text_free(&text);
    gw_vec_free(&operands);
    return good;
}
