/*
 * frontend/type/lambda.c - what lambdas hold copies of, and how one would be written as a class.
 *
 * A lambda's shape is a struct of the variables that it captures by copy, in the order in which its body names
 * them. libclang does not say how a variable is captured, but the text between the brackets does.
 */
#include "plugin/frontend/type/type.h"

#include <ctype.h>
#include <string.h>

/* The text of [...], and what it says. */
typedef struct introducer {
    const char *text;
    unsigned from, to;   /* offsets in the file, with the brackets */
    unsigned end;        /* of the body */
    bool copies;         /* [=] */
    bool copies_object;  /* [*this] */
} introducer;

static bool read_introducer(gw_unit *u, CXCursor lambda, introducer *out) {
    CXFile file = NULL;
    size_t size = 0;
    clang_getExpansionLocation(clang_getCursorLocation(lambda), &file, NULL, NULL, &out->from);
    out->text = file ? clang_getFileContents(u->clang, file, &size) : NULL;
    if (!out->text || out->from >= size || out->text[out->from] != '[') return false;
    int depth = 0;
    for (out->to = out->from; out->to < size; out->to++) {
        char c = out->text[out->to];
        depth += (c == '[' || c == '(' || c == '{') - (c == ']' || c == ')' || c == '}');
        if (!depth) break;
    }
    unsigned i = out->from + 1;
    while (isspace((unsigned char)out->text[i]))
        i++;
    out->copies = out->text[i] == '=';
    return out->to < size;
}

/* The next item of the list, without what follows its name; false at the end. */
static bool next_item(const introducer *in, unsigned *at, const char **name, size_t *length,
                      bool *by_reference) {
    unsigned i = *at;
    int depth = 0;
    while (i < in->to && (isspace((unsigned char)in->text[i]) || in->text[i] == ','))
        i++;
    if (i >= in->to) return false;
    *by_reference = in->text[i] == '&';
    while (i < in->to && (in->text[i] == '&' || isspace((unsigned char)in->text[i])))
        i++;
    *name = in->text + i;
    for (*length = 0; isalnum((unsigned char)(*name)[*length]) || (*name)[*length] == '_';)
        ++*length;
    for (; i < in->to && (depth || in->text[i] != ','); i++)
        depth += (in->text[i] == '(' || in->text[i] == '{') - (in->text[i] == ')' || in->text[i] == '}');
    *at = i;
    return true;
}

/* Whether the variable is listed, and how; a default applies to all that are not. */
static bool captured_by_copy(const introducer *in, const char *variable) {
    unsigned at = in->from + 1;
    const char *name;
    size_t length;
    bool by_reference;
    while (next_item(in, &at, &name, &length, &by_reference))
        if (length == strlen(variable) && strncmp(name, variable, length) == 0) return !by_reference;
    return in->copies;
}

typedef struct search {
    gw_unit *u;
    introducer in;
    gw_cursors *copies;
    const gw_refusal **refusal;
} search;

static enum CXChildVisitResult visit_name(CXCursor c, CXCursor parent, CXClientData data) {
    (void)parent;
    search *s = data;
    CXCursor decl = clang_getCursorReferenced(c);
    enum CXCursorKind kind = clang_getCursorKind(decl);
    if (clang_getCursorKind(c) != CXCursor_DeclRefExpr ||
        (kind != CXCursor_VarDecl && kind != CXCursor_ParmDecl))
        return CXChildVisit_Recurse;
    unsigned at = gw_front_offset(clang_getCursorLocation(decl));
    bool own = at > s->in.to && at < s->in.end, named_here = at > s->in.from && at < s->in.to;
    if (own || clang_Cursor_hasVarDeclGlobalStorage(decl) == 1) return CXChildVisit_Recurse;
    for (uint32_t i = 0; i < s->copies->count; i++)
        if (clang_equalCursors(s->copies->at[i], decl)) return CXChildVisit_Recurse;
    CXString name = clang_getCursorSpelling(decl);
    bool copied = named_here || captured_by_copy(&s->in, clang_getCString(name));
    clang_disposeString(name);
    if (named_here && gw_front_is_reference(clang_getCursorType(decl)))
        *s->refusal = GW_REFUSED(LAMBDA_REFERENCE);
    if (copied) gw_push(s->copies, decl);
    return CXChildVisit_Recurse;
}

/* operator(), or the template of it. */
CXCursor gw_front_call_operator(CXCursor lambda) {
    gw_cursors members = {0};
    CXCursor found = clang_getNullCursor();
    gw_front_children(lambda, &members);
    for (uint32_t i = 0; i < members.count; i++) {
        CXString name = clang_getCursorSpelling(members.at[i]);
        if (strcmp(clang_getCString(name), "operator()") == 0) found = members.at[i];
        clang_disposeString(name);
    }
    gw_vec_free(&members);
    return found;
}

void gw_front_captures(gw_unit *u, CXType type, gw_cursors *copies, const gw_refusal **refusal) {
    CXCursor lambda = clang_getTypeDeclaration(type), function = gw_front_call_operator(lambda);
    search s = {.u = u, .copies = copies, .refusal = refusal};
    if (clang_Cursor_isNull(function) || !read_introducer(u, lambda, &s.in)) {
        *refusal = GW_REFUSED(LAMBDA_USE);
        return;
    }
    for (unsigned i = s.in.from; i < s.in.to; i++)
        if (strncmp(s.in.text + i, "*this", 5) == 0) *refusal = GW_REFUSED(LAMBDA_OBJECT);
    s.in.end = gw_front_offset(clang_getRangeEnd(clang_getCursorExtent(gw_front_body(function))));
    clang_visitChildren(function, visit_name, &s);
}

/* ---- how it would be written with a name ---- */
/* "const float *x" */
static void add_declaration(gw_unit *u, gw_text *out, CXCursor decl) {
    const char *type = gw_cstr(u->session, gw_front_spelled_type(u, clang_getCursorType(decl)));
    const char *name = gw_cstr(u->session, gw_front_intern(u, clang_getCursorSpelling(decl)));
    const char end = *type ? type[strlen(type) - 1] : '*';
    gw_text_addf(out, "%s%s%s", type, end == '*' || end == '&' ? "" : " ", name);
}

static bool is_list(CXCursor decl) {
    return clang_getArrayElementType(clang_getCanonicalType(clang_getCursorType(decl))).kind != CXType_Invalid;
}

char *gw_front_functor(gw_unit *u, CXType type, bool on_device) {
    CXCursor lambda = clang_getTypeDeclaration(type), function = gw_front_call_operator(lambda);
    gw_cursors held = {0};
    const gw_refusal *refusal = NULL;
    bool plain = true; /* no arrays, which no list of values copies */
    gw_text out = {0}, values = {0};
    if (!gw_front_is_lambda(u, type) || clang_getCursorKind(function) != CXCursor_CXXMethod) return NULL;
    gw_front_captures(u, type, &held, &refusal);
    gw_text_add(&out, "struct body { ");
    for (uint32_t i = 0; i < held.count; i++) {
        plain &= !is_list(held.at[i]) && !gw_front_nameless(u, clang_getCursorType(held.at[i]));
        add_declaration(u, &out, held.at[i]);
        gw_text_add(&out, "; ");
        gw_text_addf(&values, "%s%s", i ? ", " : "",
                     gw_cstr(u->session, gw_front_intern(u, clang_getCursorSpelling(held.at[i]))));
    }
    gw_text_addf(&out, "%s%s operator()(", on_device ? "__device__ " : "",
                 gw_cstr(u->session, gw_front_spelled_type(u, clang_getCursorResultType(function))));
    for (int i = 0; i < clang_Cursor_getNumArguments(function); i++) {
        if (i) gw_text_add(&out, ", ");
        add_declaration(u, &out, clang_Cursor_getArgument(function, (unsigned)i));
    }
    gw_text_addf(&out, ")%s { ... } }; and pass body{%s}", clang_CXXMethod_isConst(function) ? " const" : "",
                 values.at ? values.at : "");
    const bool held_any = held.count != 0;
    gw_vec_free(&held);
    gw_text_free(&values);
    if (plain && !refusal && held_any) return out.at;
    gw_text_free(&out);
    return NULL;
}
