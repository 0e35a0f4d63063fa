/*
 * frontend/call/end.c - where a function of the host does not come back: exit, abort, throw.
 *
 * A STOP ends the derivative there as the source ends: nothing flows back through it, and what is behind it in
 * its branch is not reached. Its text is a statement for any place of the file: names in full, and of what is
 * thrown only literals.
 */
#include "plugin/frontend/call/call.h"
#include "plugin/frontend/lower.h"
#include "plugin/frontend/type/type.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *text; /* without brackets: it takes an argument */
} ends[] = {
    {"abort", "abort()"},
    {"exit", "exit"},
    {"_exit", "_exit"},
    {"_Exit", "_Exit"},
    {"quick_exit", "quick_exit"},
    {"terminate", "std::terminate()"},
    {"__builtin_trap", "__builtin_trap()"},
    {"__builtin_abort", "abort()"},
};

static void stop(gw_lowering *L, gw_stop how, const char *text, const gw_value *operand) {
    gw_op op = gw_emit(&L->b, GW_OP_STOP, GW_T_VOID, 0, operand, operand ? 1 : 0);
    gw_op_at(L->f, op)->attr = how;
    gw_op_at(L->f, op)->path = gw_intern(L->session, text);
    L->dead = L->stopped = true;
}

bool gw_front_end(gw_lowering *L, CXCursor callee, const gw_cursors *arguments) {
    if (L->f->kind != GW_FUNC_HOST || L->is_program || clang_getCursorKind(callee) != CXCursor_FunctionDecl)
        return false;
    if (!gw_front_is_library(L->u, callee)) return false;
    const char *name = GW_FRONT_TEXT(L, gw_front_intern(L->u, clang_getCursorSpelling(callee)));
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        if (strcmp(ends[i].name, name) != 0) continue;
        const gw_value code = arguments->count ? gw_front_scalar(L, arguments->at[0]) : 0;
        if (!L->failed) stop(L, GW_STOP_ENDS, ends[i].text, code ? &code : NULL);
        return true;
    }
    return false;
}

/* ---- throw ---- */
static bool is_literal(CXCursor e) {
    const enum CXCursorKind kind = clang_getCursorKind(e);
    return kind == CXCursor_StringLiteral || kind == CXCursor_IntegerLiteral ||
           kind == CXCursor_FloatingLiteral ||
           kind == CXCursor_CharacterLiteral || kind == CXCursor_CXXBoolLiteralExpr;
}

/* Behind conversions, such as that of text to std::string. */
static CXCursor literal_of(CXCursor e) {
    while (!is_literal(e)) {
        const bool converts = gw_front_is_cast(clang_getCursorKind(e)) ||
                              clang_getCursorKind(e) == CXCursor_ParenExpr ||
                              (clang_getCursorKind(e) == CXCursor_CallExpr &&
                               clang_getCursorKind(clang_getCursorReferenced(e)) == CXCursor_Constructor);
        const CXCursor inner = converts ? gw_front_expression(e) : clang_getNullCursor();
        if (clang_Cursor_isNull(inner)) return inner;
        e = inner;
    }
    return e;
}

/* The tokens of a literal as they stand; adds nothing and gives false where it comes out of a macro. */
static bool add_tokens(gw_lowering *L, CXCursor literal, gw_text *text) {
    CXToken *tokens = NULL;
    unsigned count = 0;
    clang_tokenize(L->u->clang, clang_getCursorExtent(literal), &tokens, &count);
    bool good = count > 0;
    for (unsigned i = 0; i < count && good; i++)
        good = clang_getTokenKind(tokens[i]) == CXToken_Literal;
    for (unsigned i = 0; i < count && good; i++) {
        CXString s = clang_getTokenSpelling(L->u->clang, tokens[i]);
        gw_text_addf(text, "%s%s", i ? " " : "", clang_getCString(s));
        clang_disposeString(s);
    }
    clang_disposeTokens(L->u->clang, tokens, count);
    return good;
}

/* The construction of what is thrown, behind copies of it; null: it is none. */
static CXCursor construction(CXCursor e) {
    const CXType type = clang_getCanonicalType(clang_getCursorType(e));
    for (;;) {
        const bool constructs = clang_getCursorKind(e) == CXCursor_CallExpr &&
                                clang_getCursorKind(clang_getCursorReferenced(e)) == CXCursor_Constructor;
        CXCursor inner = clang_getNullCursor();
        if (gw_front_is_cast(clang_getCursorKind(e))) inner = gw_front_expression(e);
        else if (constructs && clang_Cursor_getNumArguments(e) == 1) inner = clang_Cursor_getArgument(e, 0);
        const bool is_copy =
            !clang_Cursor_isNull(inner) &&
            clang_equalTypes(clang_getCanonicalType(clang_getCursorType(inner)), type);
        if (!is_copy) return constructs ? e : inner;
        e = inner;
    }
}

static bool takes_text(gw_lowering *L, CXCursor constructor) {
    const CXType t = clang_getNonReferenceType(clang_getArgType(clang_getCursorType(constructor), 0));
    const CXType to = clang_getCanonicalType(clang_getPointeeType(clang_getCanonicalType(t)));
    return to.kind == CXType_Char_S || to.kind == CXType_Char_U || gw_front_is_passed_type(L->u, t);
}

/* What is between the brackets: the literals of the source, else, of one text, where it is thrown. */
static bool add_arguments(gw_lowering *L, CXCursor made, const char *place, gw_text *text) {
    const int count = clang_Cursor_getNumArguments(made);
    gw_text literals = {0};
    bool good = true;
    for (int i = 0; i < count && good; i++) {
        const CXCursor argument = clang_Cursor_getArgument(made, (unsigned)i);
        if (gw_front_is_default_argument(argument)) break;
        const CXCursor literal = literal_of(argument);
        if (i) gw_text_add(&literals, ", ");
        good = !clang_Cursor_isNull(literal) && add_tokens(L, literal, &literals);
    }
    const bool by_place = !good && count == 1 && takes_text(L, clang_getCursorReferenced(made));
    if (good && literals.at) gw_text_add(text, literals.at);
    if (by_place) gw_text_add(text, place);
    gw_text_free(&literals);
    return good || by_place;
}

/* What is thrown is of a class that the text can name, or a literal; false: it is another thing. */
static bool spell_thrown(gw_lowering *L, CXCursor e, const char *place, gw_text *text) {
    const CXCursor literal = literal_of(e);
    if (gw_front_kind_of(L, e) == GW_SHAPE_SCALAR)
        return !clang_Cursor_isNull(literal) && add_tokens(L, literal, text);
    const CXType type = clang_getCanonicalType(clang_getCursorType(e));
    const gw_str name = gw_front_type_text(L->u, type);
    const CXCursor made = construction(e);
    if (type.kind != CXType_Record || !gw_front_is_spelled(L->u, name)) return false;
    if (clang_getCursorKind(made) != CXCursor_CallExpr) return false;
    gw_text_addf(text, "%s(", GW_FRONT_TEXT(L, name));
    const bool good = add_arguments(L, made, place, text);
    gw_text_add(text, ")");
    return good;
}

void gw_front_throw(gw_lowering *L, CXCursor e) {
    const CXCursor thrown = gw_front_expression(e);
    if (clang_Cursor_isNull(thrown)) {
        gw_front_refuse_kind(L, e);
        return;
    }
    const gw_loc at = gw_front_at(L, e);
    const char *file = GW_FRONT_TEXT(L, at.file), *slash = strrchr(file, '/');
    char *place = gw_format("\"%s:%u throws\"", slash ? slash + 1 : file, at.line);
    gw_text text = {0};
    const bool is_spelled = spell_thrown(L, thrown, place, &text);
    char *statement = is_spelled ? gw_format("throw %s", text.at)
                                 : gw_format("throw std::runtime_error(%s)", place);
    stop(L, is_spelled ? GW_STOP_THROWS : GW_STOP_THROWS_OURS, statement, NULL);
    free(statement), free(place);
    gw_text_free(&text);
}
