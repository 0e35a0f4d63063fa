/*
 * frontend/parse/mistake.c - whether all that Clang finds wrong is the user's own: then the source need not be
 * read again with the installed Thrust and CUB, which takes seconds.
 *
 * It is where an error stands in a declaration of the main file in which nothing is of a stand-in's, by name or
 * by type, and where what the error quotes is declared in the main file or is no name. So a name that the
 * stand-ins lack, or what follows from one, is none.
 */
#include "plugin/frontend/parse/parse.h"

#include <ctype.h>
#include <string.h>

static bool is_of_main(CXCursor c) { return clang_Location_isFromMainFile(clang_getCursorLocation(c)) != 0; }

/* ---- names of the main file ---- */
typedef struct names {
    gw_unit *u;
    GW_VEC(gw_str) list;
} names;

static enum CXChildVisitResult collect(CXCursor c, CXCursor parent, CXClientData data) {
    names *n = data;
    (void)parent;
    if (!is_of_main(c)) return CXChildVisit_Continue;
    if (clang_isDeclaration(clang_getCursorKind(c)))
        gw_push(&n->list, gw_front_intern(n->u, clang_getCursorSpelling(c)));
    return CXChildVisit_Recurse;
}

/* What no library declares. */
static void add_types(names *n) {
    static const char *const types[] = {"void", "bool", "char", "short", "int", "long", "float", "double"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        gw_push(&n->list, gw_intern(n->u->session, types[i]));
}

static bool has_name(const names *n, gw_str name) {
    for (uint32_t i = 0; i < n->list.count; i++)
        if (n->list.at[i] == name) return true;
    return false;
}

/* What the error says between quotes: a name, or a type or a token, in which no name is qualified. */
static bool quotes_own(const names *n, const char *text) {
    for (const char *open; (open = strchr(text, '\'')) != NULL;) {
        const char *close = strchr(++open, '\'');
        if (!close) return false;
        const size_t length = (size_t)(close - open);
        size_t letters = 0;
        while (letters < length && (isalnum((unsigned char)open[letters]) || open[letters] == '_'))
            letters++;
        const bool is_word = letters == length && length && !isdigit((unsigned char)*open);
        if (is_word && !has_name(n, gw_intern_n(n->u->session, open, length))) return false;
        for (size_t i = 0; i < length; i++)
            if (open[i] == ':' || open[i] == '<') return false;
        text = close + 1;
    }
    return true;
}

/* ---- the declaration around the error ---- */
typedef struct search {
    gw_front_place_test *is_library;
    bool found;
} search;

static bool is_of_library(const search *s, CXType type) {
    for (type = clang_getCanonicalType(type); type.kind == CXType_Pointer || gw_front_is_reference(type);)
        type = clang_getCanonicalType(clang_getPointeeType(type));
    return s->is_library(clang_getCursorLocation(clang_getTypeDeclaration(type)));
}

static enum CXChildVisitResult look(CXCursor c, CXCursor parent, CXClientData data) {
    search *s = data;
    (void)parent;
    const CXCursor of = clang_getCursorReferenced(c);
    s->found |= s->is_library(clang_getCursorLocation(of)) || is_of_library(s, clang_getCursorType(c));
    return s->found ? CXChildVisit_Break : CXChildVisit_Recurse;
}

static bool is_apart(gw_unit *u, CXSourceLocation at, gw_front_place_test *is_library) {
    CXCursor c = clang_getCursor(u->clang, at);
    search s = {.is_library = is_library};
    while (!clang_Cursor_isNull(c) && !clang_isInvalid(clang_getCursorKind(c)) &&
           clang_getCursorKind(clang_getCursorSemanticParent(c)) != CXCursor_TranslationUnit)
        c = clang_getCursorSemanticParent(c);
    if (clang_Cursor_isNull(c) || !clang_isDeclaration(clang_getCursorKind(c)) || !is_of_main(c)) return false;
    look(c, c, &s);
    clang_visitChildren(c, look, &s);
    return !s.found;
}

bool gw_front_is_own_mistake(gw_unit *u, gw_front_place_test *is_library) {
    names n = {.u = u};
    bool own = true, any = false;
    add_types(&n);
    clang_visitChildren(clang_getTranslationUnitCursor(u->clang), collect, &n);
    for (unsigned i = 0; i < clang_getNumDiagnostics(u->clang) && own; i++) {
        CXDiagnostic d = clang_getDiagnostic(u->clang, i);
        if (clang_getDiagnosticSeverity(d) >= CXDiagnostic_Error) {
            const CXSourceLocation at = clang_getDiagnosticLocation(d);
            const gw_str text = gw_front_intern(u, clang_getDiagnosticSpelling(d));
            own = clang_Location_isFromMainFile(at) && quotes_own(&n, gw_cstr(u->session, text)) &&
                  is_apart(u, at, is_library);
            any = true;
        }
        clang_disposeDiagnostic(d);
    }
    gw_vec_free(&n.list);
    return any && own;
}
