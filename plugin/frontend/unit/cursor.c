/*
 * frontend/unit/cursor.c - libclang's cursors, strings and locations as the front end wants them.
 *
 * What it hides: CXStrings are copied and disposed of; locations are those of the macro's use, not of
 * its definition; reference cursors (TypeRef, NamespaceRef, ...) among the children of an expression.
 */
#include "plugin/frontend/unit/unit.h"

#include <stdlib.h>
#include <string.h>

gw_str gw_front_intern(gw_unit *u, CXString text) {
    const char *c = clang_getCString(text);
    gw_str s = gw_intern(u->session, c ? c : "");
    clang_disposeString(text);
    return s;
}

gw_loc gw_front_loc(gw_unit *u, CXSourceLocation location) {
    CXFile file = NULL;
    unsigned line = 0, column = 0;
    clang_getExpansionLocation(location, &file, &line, &column, NULL);
    if (!file) return (gw_loc){0};
    if (file != u->last_file) {
        u->last_file = file;
        u->last_name = gw_front_intern(u, clang_getFileName(file));
    }
    return (gw_loc){u->last_name, line, column};
}

static enum CXChildVisitResult add_child(CXCursor child, CXCursor parent, CXClientData data) {
    (void)parent;
    gw_cursors *out = data;
    gw_push(out, child);
    return CXChildVisit_Continue;
}

void gw_front_children(CXCursor cursor, gw_cursors *out) { clang_visitChildren(cursor, add_child, out); }

static enum CXChildVisitResult add_expression(CXCursor child, CXCursor parent, CXClientData data) {
    return clang_isExpression(clang_getCursorKind(child)) ? add_child(child, parent, data)
                                                          : CXChildVisit_Continue;
}

void gw_front_expressions(CXCursor cursor, gw_cursors *out) {
    clang_visitChildren(cursor, add_expression, out);
}

static enum CXChildVisitResult keep_expression(CXCursor child, CXCursor parent, CXClientData data) {
    (void)parent;
    if (clang_isExpression(clang_getCursorKind(child))) *(CXCursor *)data = child;
    return CXChildVisit_Continue;
}

static unsigned offset_of(CXSourceLocation at) {
    unsigned offset = 0;
    clang_getExpansionLocation(at, NULL, NULL, NULL, &offset);
    return offset;
}

/* v of v.f<n>, whose n is a child, too: an object, or a pointer to one, before the name. */
static enum CXChildVisitResult keep_object(CXCursor child, CXCursor member, CXClientData data) {
    const bool is_address = clang_getCursorUnaryOperatorKind(child) == CXUnaryOperator_AddrOf; /* f<&v> */
    const unsigned from = offset_of(clang_getRangeStart(clang_getCursorExtent(child)));
    CXType type = clang_getCanonicalType(clang_getCursorType(child));
    if (type.kind == CXType_Pointer) type = clang_getCanonicalType(clang_getPointeeType(type));
    const bool is_number =
        type.kind >= CXType_FirstBuiltin && type.kind <= CXType_LastBuiltin && type.kind != CXType_Dependent;
    if (!clang_isExpression(clang_getCursorKind(child)) || is_address || is_number || type.kind == CXType_Enum)
        return CXChildVisit_Continue;
    if (from > offset_of(clang_getCursorLocation(member))) return CXChildVisit_Continue;
    *(CXCursor *)data = child;
    return CXChildVisit_Break;
}

CXCursor gw_front_expression(CXCursor cursor) {
    CXCursor last = clang_getNullCursor();
    const CXCursor named = clang_getCursorKind(cursor) == CXCursor_MemberRefExpr
                               ? clang_getCursorReferenced(cursor)
                               : clang_getNullCursor();
    if (clang_getCursorKind(named) == CXCursor_CXXMethod &&
        !clang_Cursor_isNull(clang_getSpecializedCursorTemplate(named))) {
        clang_visitChildren(cursor, keep_object, &last);
        return last;
    }
    clang_visitChildren(cursor, keep_expression, &last);
    return last;
}

typedef struct kind_search {
    enum CXCursorKind kind;
    CXCursor found;
} kind_search;

static enum CXChildVisitResult match_attribute(CXCursor child, CXCursor parent, CXClientData data) {
    (void)parent;
    kind_search *search = data;
    enum CXCursorKind kind = clang_getCursorKind(child);
    if (kind == search->kind) search->found = child;
    bool first = clang_isAttribute(kind) || kind == CXCursor_TemplateTypeParameter ||
                 kind == CXCursor_NonTypeTemplateParameter || kind == CXCursor_TemplateTemplateParameter;
    return kind == search->kind || !first ? CXChildVisit_Break : CXChildVisit_Continue;
}

/* Attributes are visited first, but for the parameters of a template, so the search ends with them. */
bool gw_front_has_attribute(CXCursor decl, enum CXCursorKind kind) {
    if (!clang_Cursor_hasAttrs(decl) && clang_getCursorKind(decl) != CXCursor_FunctionTemplate) return false;
    kind_search search = {kind, clang_getNullCursor()};
    clang_visitChildren(decl, match_attribute, &search);
    return !clang_Cursor_isNull(search.found);
}

static enum CXChildVisitResult match_body(CXCursor child, CXCursor parent, CXClientData data) {
    (void)parent;
    if (clang_getCursorKind(child) != CXCursor_CompoundStmt) return CXChildVisit_Continue;
    *(CXCursor *)data = child;
    return CXChildVisit_Break;
}

CXCursor gw_front_body(CXCursor function) {
    CXCursor body = clang_getNullCursor();
    clang_visitChildren(function, match_body, &body);
    return body;
}

bool gw_front_in_namespace(CXCursor decl, const char *name) {
    CXCursor parent = clang_getCursorSemanticParent(decl);
    while (clang_getCursorKind(parent) == CXCursor_LinkageSpec || clang_Cursor_isInlineNamespace(parent))
        parent = clang_getCursorSemanticParent(parent);
    if (clang_getCursorKind(parent) == CXCursor_TranslationUnit) return !*name;
    if (clang_getCursorKind(parent) != CXCursor_Namespace) return false;
    CXString have = clang_getCursorSpelling(parent);
    bool same = strcmp(clang_getCString(have), name) == 0;
    clang_disposeString(have);
    return same;
}

bool gw_front_is_in_std(CXCursor decl) {
    for (CXCursor c = decl; !clang_Cursor_isNull(c); c = clang_getCursorSemanticParent(c)) {
        if (clang_getCursorKind(c) == CXCursor_TranslationUnit || clang_isInvalid(clang_getCursorKind(c)))
            break;
        if (gw_front_in_namespace(c, "std")) return true;
    }
    return false;
}

bool gw_front_is_file(gw_unit *u, CXType type) {
    CXType t = clang_getCanonicalType(type);
    CXCursor decl = clang_getTypeDeclaration(t.kind == CXType_Pointer ? clang_getPointeeType(t) : t);
    const char *name = gw_cstr(u->session, gw_front_intern(u, clang_getCursorSpelling(decl)));
    return strcmp(name, "_IO_FILE") == 0 || strcmp(name, "FILE") == 0;
}

/* libclang has no kind of its own for it, but names the declaration by its arguments: "c:@pi>#d". What stands
 * behind '>', or NULL; caller frees. */
char *gw_front_variable_usr(CXCursor variable) {
    if (clang_getCursorKind(variable) != CXCursor_UnexposedDecl) return NULL;
    CXString usr = clang_getCursorUSR(variable), name = clang_getCursorSpelling(variable);
    const size_t length = strlen(clang_getCString(name));
    char *found = NULL;
    for (const char *at = clang_getCString(usr); length && !found && (at = strchr(at, '@')) != NULL;)
        if (strncmp(++at, clang_getCString(name), length) == 0 && at[length] == '>')
            found = gw_strdup(at + length + 1);
    clang_disposeString(usr);
    clang_disposeString(name);
    return found;
}

bool gw_front_is_of_variable_template(CXCursor variable) {
    char *arguments = gw_front_variable_usr(variable);
    free(arguments);
    return arguments != NULL;
}

bool gw_front_evaluate(CXCursor expression, int64_t *integer, double *real, bool *is_real) {
    CXEvalResult e = clang_Cursor_Evaluate(expression);
    if (!e) return false;
    CXEvalResultKind kind = clang_EvalResult_getKind(e);
    bool known = kind == CXEval_Int || kind == CXEval_Float;
    *is_real = kind == CXEval_Float;
    if (kind == CXEval_Float) *real = clang_EvalResult_getAsDouble(e);
    if (kind == CXEval_Int)
        *integer = clang_EvalResult_isUnsignedInt(e) ? (int64_t)clang_EvalResult_getAsUnsigned(e)
                                                     : (int64_t)clang_EvalResult_getAsLongLong(e);
    clang_EvalResult_dispose(e);
    return known;
}

gw_func_kind gw_front_function_kind(const gw_unit *u, CXCursor function) {
    if (!u->session->is_cuda) return GW_FUNC_HOST;
    if (gw_front_has_attribute(function, CXCursor_CUDAGlobalAttr)) return GW_FUNC_KERNEL;
    bool device = gw_front_has_attribute(function, CXCursor_CUDADeviceAttr);
    bool host = gw_front_has_attribute(function, CXCursor_CUDAHostAttr);
    if (device && host) return GW_FUNC_HOST_DEVICE;
    return device ? GW_FUNC_DEVICE : GW_FUNC_HOST;
}

CXType gw_front_bare(CXType type) {
    return clang_getUnqualifiedType(clang_getCanonicalType(clang_getNonReferenceType(type)));
}

CXCursor gw_front_called_expression(CXCursor call) {
    gw_cursors parts = {0};
    gw_front_expressions(call, &parts);
    CXCursor e = parts.count ? parts.at[0] : clang_getNullCursor();
    gw_vec_free(&parts);
    while (clang_getCursorKind(e) == CXCursor_UnexposedExpr || clang_getCursorKind(e) == CXCursor_ParenExpr)
        e = gw_front_expression(e);
    return e;
}

CXCursor gw_front_named_function(CXCursor call) {
    const CXCursor named = clang_getCursorReferenced(call);
    if (clang_getCursorKind(call) != CXCursor_CallExpr || clang_Cursor_isNull(named)) return named;
    gw_cursors parts = {0};
    gw_front_expressions(call, &parts);
    /* An operator's first part is its first argument, as a constructor's is. One of them may have a conversion
     * around it that the other lacks, so their places in the source are compared. */
    const CXSourceRange first = clang_getCursorExtent(clang_Cursor_getArgument(call, 0));
    const bool is_argument = !parts.count || clang_equalRanges(clang_getCursorExtent(parts.at[0]), first);
    gw_vec_free(&parts);
    const CXCursor e = is_argument ? clang_getNullCursor() : gw_front_called_expression(call);
    const bool is_returned =
        clang_getCursorKind(e) == CXCursor_CallExpr && clang_equalCursors(clang_getCursorReferenced(e), named);
    return is_returned ? clang_getNullCursor() : named;
}

bool gw_front_is_default_argument(CXCursor argument) {
    return clang_getCursorKind(argument) == CXCursor_UnexposedExpr &&
           clang_Cursor_isNull(gw_front_expression(argument)) &&
           clang_equalLocations(clang_getCursorLocation(argument), clang_getNullLocation());
}

unsigned gw_front_offset(CXSourceLocation location) {
    unsigned offset = 0;
    clang_getExpansionLocation(location, NULL, NULL, NULL, &offset);
    return offset;
}

/* Whether the place is in the text of a #define. */
static bool is_defined(const char *text, size_t at) {
    while (at && !(text[at - 1] == '\n' && (at < 2 || text[at - 2] != '\\')))
        at--;
    return text[at + strspn(text + at, " \t")] == '#';
}

/* Whether the parentheses of a header that begins at `at` hold a semicolon; true, too, where the text ends
 * first, as that of a macro does with its line. */
static bool has_semicolon(const char *text, size_t at, size_t size) {
    const bool in_line = is_defined(text, at);
    int depth = 0;
    for (; at < size; at++) {
        depth += (text[at] == '(' || text[at] == '{') - (text[at] == ')' || text[at] == '}');
        if (!depth && text[at] == ')') return false;
        if ((depth == 1 && text[at] == ';') || (in_line && text[at] == '\n' && text[at - 1] != '\\'))
            return true;
    }
    return true;
}

/* Whether the last that stands in front of `part`, where it is spelled, is a semicolon. */
static bool follows_semicolon(gw_unit *u, CXCursor part) {
    CXFile file = NULL;
    unsigned at = 0;
    size_t size = 0;
    clang_getSpellingLocation(clang_getRangeStart(clang_getCursorExtent(part)), &file, NULL, NULL, &at);
    const char *text = file ? clang_getFileContents(u->clang, file, &size) : NULL;
    if (!text || at > size) return true;
    while (at && (text[at - 1] == ' ' || text[at - 1] == '\t' || text[at - 1] == '\n'))
        at--;
    return at && text[at - 1] == ';';
}

bool gw_front_in_macro(CXCursor statement) {
    CXFile file = NULL, spelled = NULL;
    unsigned from = 0, at = 0;
    const CXSourceLocation start = clang_getRangeStart(clang_getCursorExtent(statement));
    clang_getExpansionLocation(start, &file, NULL, NULL, &from);
    clang_getSpellingLocation(start, &spelled, NULL, NULL, &at);
    return at != from || !file || !spelled || !clang_File_isEqual(file, spelled);
}

/* If a macro writes the header, its text and what stands in front of the part tell. */
bool gw_front_semicolon_before(gw_unit *u, CXCursor statement, CXCursor part) {
    CXFile file = NULL;
    unsigned from = 0;
    size_t size = 0;
    clang_getSpellingLocation(clang_getRangeStart(clang_getCursorExtent(statement)), &file, NULL, NULL, &from);
    const char *text = file ? clang_getFileContents(u->clang, file, &size) : NULL;
    if (gw_front_in_macro(statement))
        return !text || has_semicolon(text, from, size) || follows_semicolon(u, part);
    unsigned to = gw_front_offset(clang_getRangeStart(clang_getCursorExtent(part)));
    for (unsigned i = from; text && i < to && i < size; i++)
        if (text[i] == ';') return true;
    return false;
}

static bool reference_kind(CXType t) {
    return t.kind == CXType_LValueReference || t.kind == CXType_RValueReference;
}

bool gw_front_is_const_reference(CXType type) {
    CXType t = clang_getCanonicalType(type);
    return reference_kind(t) && clang_isConstQualifiedType(clang_getPointeeType(t));
}

bool gw_front_is_reference(CXType type) { return reference_kind(clang_getCanonicalType(type)); }

/* ---- annotations ---- */
typedef struct mark_search {
    gw_unit *u;
    const char *wanted;
    bool found;
} mark_search;

static enum CXChildVisitResult visit_mark(CXCursor c, CXCursor parent, CXClientData data) {
    (void)parent;
    mark_search *s = data;
    if (clang_getCursorKind(c) == CXCursor_AnnotateAttr)
        s->found |=
            strcmp(gw_cstr(s->u->session, gw_front_intern(s->u, clang_getCursorSpelling(c))), s->wanted) == 0;
    return CXChildVisit_Continue;
}

bool gw_front_is_annotated(gw_unit *u, CXCursor decl, const char *wanted) {
    mark_search s = {.u = u, .wanted = wanted};
    if (!clang_Cursor_isNull(decl)) clang_visitChildren(decl, visit_mark, &s);
    return s.found;
}
