/*
 * frontend/request/annotation.c - annotations where they mean nothing are errors: before a type, an enumerator,
 * a constructor, a function inside of another, a kernel of which no derivative is asked; and as a statement.
 * The rows below say before what each is read.
 */
#include "plugin/frontend/request/request.h"

#include "analysis/ir/diagnostics.h"

#include <string.h>

enum { FUNCTION = 1, VARIABLE = 2, PARAMETER = 4, MEMBER = 8 };

static const struct annotation {
    const char *text, *macro; /* what follows "gradwright:", up to an argument */
    unsigned places;
    bool of_derivative; /* says how one is made: there must be one */
} rows[] = {
#define GW_REQUEST(KIND, word, macro, made, suffix, is_reverse) {word ":", macro, FUNCTION, false},
#include "analysis/ir/requests.def"
#undef GW_REQUEST
    {"rule:", "GW_DERIVATIVE_OF", FUNCTION, false},
    {"numeric:", "GW_NUMERIC", FUNCTION, false},
    {"nondifferentiable", "GW_NONDIFFERENTIABLE", FUNCTION | VARIABLE | PARAMETER | MEMBER, false},
    {"only_for:", "GW_ONLY_FOR", PARAMETER, false},
    {"scratch", "GW_SCRATCH", PARAMETER, false},
    {"draws", "GW_DRAWS", FUNCTION, false},
    {"ordered", "GW_ORDERED", FUNCTION, false},
    {"promise:injective", "GW_INJECTIVE", FUNCTION, true},
    {"promise:sorted", "GW_SORTED", FUNCTION, true},
    {"promise:disjoint_ranges", "GW_DISJOINT_RANGES", FUNCTION, true},
    {"accumulate:", "GW_ACCUMULATE", FUNCTION, true},
    {"launch:", "GW_LAUNCH", FUNCTION, true},
    {"coarsen:", "GW_COARSEN", FUNCTION, true},
    {"pack:", "GW_PACK", FUNCTION, true},
};

static const struct place {
    enum CXCursorKind kind;
    unsigned place; /* 0: none that anything is read before */
    const char *words;
} places[] = {
    {CXCursor_FunctionDecl, FUNCTION, "before a function inside of another one"},
    {CXCursor_FunctionTemplate, FUNCTION, "before a friend"},
    {CXCursor_CXXMethod, FUNCTION, "before a function"},
    {CXCursor_VarDecl, VARIABLE, "before a variable"},
    {CXCursor_ParmDecl, PARAMETER, "before a parameter"},
    {CXCursor_FieldDecl, MEMBER, "before a member"},
    {CXCursor_StructDecl, 0, "before a type"},
    {CXCursor_ClassDecl, 0, "before a type"},
    {CXCursor_UnionDecl, 0, "before a type"},
    {CXCursor_ClassTemplate, 0, "before a type"},
    {CXCursor_ClassTemplatePartialSpecialization, 0, "before a type"},
    {CXCursor_EnumDecl, 0, "before a type"},
    {CXCursor_TypedefDecl, 0, "before a type"},
    {CXCursor_TypeAliasDecl, 0, "before a type"},
    {CXCursor_Constructor, 0, "before a constructor"},
    {CXCursor_Destructor, 0, "before a destructor"},
};

typedef struct search {
    gw_unit *u;
    const gw_cursors *definitions;
    bool good;
} search;

static bool is_class(CXCursor c) {
    enum CXCursorKind kind = clang_getCursorKind(c);
    return kind == CXCursor_StructDecl || kind == CXCursor_ClassDecl || kind == CXCursor_ClassTemplate ||
           kind == CXCursor_ClassTemplatePartialSpecialization;
}

/* At namespace scope or in a class, and no friend: requests look no further. */
static bool is_found(CXCursor function) {
    CXCursor outer = clang_getCursorLexicalParent(function);
    enum CXCursorKind kind = clang_getCursorKind(outer);
    if (is_class(outer)) return is_class(clang_getCursorSemanticParent(function));
    return clang_isTranslationUnit(kind) || kind == CXCursor_Namespace || kind == CXCursor_LinkageSpec ||
           clang_isInvalid(kind);
}

static bool has_derivative(const search *s, CXCursor function) {
    CXCursor wanted = clang_getCanonicalCursor(function);
    for (uint32_t i = 0; i < s->definitions->count; i++) {
        CXCursor pattern = gw_front_pattern(s->definitions->at[i]);
        if (clang_equalCursors(clang_getCanonicalCursor(s->definitions->at[i]), wanted)) return true;
        if (!clang_Cursor_isNull(pattern) && clang_equalCursors(clang_getCanonicalCursor(pattern), wanted))
            return true;
    }
    return false;
}

static void refuse(search *s, CXCursor attribute, const struct annotation *row, const char *words) {
    const char *way_out = "write it before functions, variables, parameters or members";
    if (row->places == FUNCTION) way_out = "write it before a function, outside of others";
    if (row->of_derivative) way_out = "write it before a function of which a derivative is asked";
    gw_diag(s->u->session, GW_DIAG_MISPLACED_MARK, gw_front_loc(s->u, clang_getCursorLocation(attribute)),
            row->macro, words, way_out);
    s->good = false;
}

static void check(search *s, CXCursor attribute, CXCursor decl, const struct annotation *row) {
    const char *words = "here";
    unsigned place = 0;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (places[i].kind == clang_getCursorKind(decl)) place = places[i].place, words = places[i].words;
    bool honoured = (row->places & place) != 0 && (place != FUNCTION || is_found(decl));
    /* A header may be read where other derivatives are asked for. */
    bool here = clang_Location_isFromMainFile(clang_getCursorLocation(decl)) != 0;
    if (!honoured)
        refuse(s, attribute, row, words);
    else if (row->of_derivative && here && !has_derivative(s, decl))
        refuse(s, attribute, row, "before a function of which no derivative is asked");
}

/* "GW_INJECTIVE(list);" in a body: Clang has an annotated statement, of which libclang shows no annotation. */
static void check_statement(search *s, CXCursor statement) {
    CXFile file;
    unsigned line, column;
    clang_getExpansionLocation(clang_getCursorLocation(statement), &file, &line, &column, NULL);
    CXToken *token =
        file ? clang_getToken(s->u->clang, clang_getLocation(s->u->clang, file, line, column)) : NULL;
    if (!token) return;
    const gw_str word = gw_front_intern(s->u, clang_getTokenSpelling(s->u->clang, *token));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (word == gw_intern(s->u->session, rows[i].macro)) refuse(s, statement, &rows[i], "as a statement");
    clang_disposeTokens(s->u->clang, token, 1);
}

static enum CXChildVisitResult visit(CXCursor c, CXCursor parent, CXClientData data) {
    static const char prefix[] = "gradwright:";
    search *s = data;
    if (clang_getCursorKind(c) == CXCursor_UnexposedStmt) check_statement(s, c);
    if (clang_getCursorKind(c) != CXCursor_AnnotateAttr)
        return clang_Location_isInSystemHeader(clang_getCursorLocation(c)) ? CXChildVisit_Continue
                                                                           : CXChildVisit_Recurse;
    const char *text = gw_cstr(s->u->session, gw_front_intern(s->u, clang_getCursorSpelling(c)));
    if (strncmp(text, prefix, sizeof prefix - 1) != 0) return CXChildVisit_Continue;
    text += sizeof prefix - 1;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strncmp(text, rows[i].text, strlen(rows[i].text)) == 0) check(s, c, parent, &rows[i]);
    return CXChildVisit_Continue;
}

bool gw_front_check_annotations(gw_unit *u, const gw_cursors *definitions) {
    search s = {u, definitions, true};
    clang_visitChildren(clang_getTranslationUnitCursor(u->clang), visit, &s);
    return s.good;
}
