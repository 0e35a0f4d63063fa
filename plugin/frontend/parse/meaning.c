/*
 * frontend/parse/meaning.c - whether declarations mean in one parse what they mean in another.
 *
 * A source that is read behind another one (joined.c) sees that one's macros and names. So each declaration of
 * its files outside of the library is told by a number made of all that Clang found in it: kinds, types,
 * operators, literals, and which declarations its names lead to; instances of templates too, as far as they are
 * called. What has the same numbers when it is parsed alone and behind the other means the same.
 */
#include "plugin/frontend/parse/parse.h"

#include <stdlib.h>
#include <string.h>

static const char renamed[] = GW_RENAMED;

static uint64_t mix(uint64_t h, uint64_t x) {
    h ^= x + 0x9e3779b97f4a7c15u + (h << 6) + (h >> 2);
    return h * 0xff51afd7ed558ccdu;
}

static bool ends_word(char c) { return !c || strchr(" <>,()\"':@#", c) != NULL; }

/* Without what depends on how a file is named or a name was changed: folders, GW_RENAMED and its number, and
 * the length of a text, which may be a file's name. */
static uint64_t mix_text(uint64_t h, const char *text) {
    static const char length[] = "char[";
    for (const char *p = text; *p;) {
        size_t n = 0, slash = 0;
        while (!ends_word(p[n])) {
            n++;
            if (p[n - 1] == '/') slash = n;
        }
        for (const char *c = p + slash; c < p + n; c++) {
            if (strncmp(c, renamed, sizeof renamed - 1) == 0) {
                c += sizeof renamed - 2 + strspn(c + sizeof renamed - 1, "0123456789");
                continue;
            }
            h = mix(h, (unsigned char)*c);
            const bool is_length = strncmp(c, length, sizeof length - 1) == 0;
            if (is_length) c += sizeof length - 2 + strspn(c + sizeof length - 1, "0123456789");
        }
        p += n;
        if (*p) h = mix(h, (unsigned char)*p++);
    }
    return h;
}

static uint64_t mix_string(uint64_t h, CXString s) {
    const char *text = clang_getCString(s);
    h = mix_text(h, text ? text : "");
    clang_disposeString(s);
    return h;
}

static uint64_t mix_place(uint64_t h, CXCursor c) {
    CXFile file = NULL;
    unsigned offset = 0;
    clang_getExpansionLocation(clang_getCursorLocation(c), &file, NULL, NULL, &offset);
    return file ? mix(mix_string(h, clang_getFileName(file)), offset) : h;
}

static uint64_t mix_literal(uint64_t h, CXCursor literal) {
    const enum CXCursorKind kind = clang_getCursorKind(literal);
    if (kind != CXCursor_IntegerLiteral && kind != CXCursor_FloatingLiteral &&
        kind != CXCursor_CharacterLiteral && kind != CXCursor_StringLiteral)
        return h;
    CXEvalResult value = clang_Cursor_Evaluate(literal);
    if (!value) return h;
    const CXEvalResultKind is = clang_EvalResult_getKind(value);
    if (is == CXEval_Int) h = mix(h, clang_EvalResult_getAsUnsigned(value));
    if (is == CXEval_StrLiteral) h = mix_text(h, clang_EvalResult_getAsStr(value));
    if (is == CXEval_Float) {
        const double x = clang_EvalResult_getAsDouble(value);
        uint64_t bits;
        memcpy(&bits, &x, sizeof bits);
        h = mix(h, bits);
    }
    clang_EvalResult_dispose(value);
    return h;
}

typedef struct telling {
    gw_meanings *out;
    uint64_t hash;
} telling;

static void add(gw_meanings *out, uint64_t place, uint64_t what, CXCursor decl) {
    gw_push(out, ((gw_meaning){place, what, decl}));
}

static uint64_t tell(gw_meanings *out, CXCursor c);

/* An instance of a template, or a member of one of a class. */
static bool is_instance(CXCursor c) {
    return !clang_Cursor_isNull(clang_getSpecializedCursorTemplate(c)) ||
           !clang_Cursor_isNull(clang_getSpecializedCursorTemplate(clang_getCursorSemanticParent(c)));
}

/* A called instance stands nowhere else; it is told once. */
static void note_instance(gw_meanings *out, CXCursor callee) {
    const CXCursor definition = clang_getCursorDefinition(callee);
    if (clang_Cursor_isNull(definition) || !is_instance(definition) ||
        clang_Location_isInSystemHeader(clang_getCursorLocation(definition)))
        return;
    const uint64_t place = mix_string(1, clang_getCursorUSR(definition));
    for (uint32_t i = 0; i < out->count; i++)
        if (out->at[i].place == place) return;
    const uint32_t at = out->count;
    add(out, place, 0, definition);
    const uint64_t what = tell(out, definition);
    out->at[at].what = what;
}

static bool is_member(CXCursor c) {
    const enum CXCursorKind kind = clang_getCursorKind(c);
    return kind == CXCursor_CXXMethod || kind == CXCursor_Constructor || kind == CXCursor_Destructor;
}

/* A defaulted member has a body once it is used. */
static bool is_made_body(CXCursor c, CXCursor parent) {
    return clang_getCursorKind(c) == CXCursor_CompoundStmt && clang_CXXMethod_isDefaulted(parent);
}

/* Whether a defaulted member may throw is found out once it is used. */
static uint64_t mix_type(uint64_t h, CXCursor c) {
    CXString spelling = clang_getTypeSpelling(clang_getCanonicalType(clang_getCursorType(c)));
    char *text = gw_strdup(clang_getCString(spelling)), *end = is_member(c) ? strstr(text, " noexcept") : NULL;
    if (end) *end = 0;
    h = mix_text(h, text);
    free(text);
    clang_disposeString(spelling);
    return h;
}

/* It may be declared in many places. */
static bool is_told_by_name(CXCursor c) {
    return clang_getCursorKind(c) == CXCursor_Namespace || clang_getCursorLinkage(c) == CXLinkage_External ||
           is_instance(c);
}

static enum CXChildVisitResult visit(CXCursor c, CXCursor parent, CXClientData data) {
    telling *t = data;
    if (is_made_body(c, parent)) return CXChildVisit_Continue;
    const CXCursor to = clang_getCursorReferenced(c);
    uint64_t h = mix(t->hash, (uint64_t)clang_getCursorKind(c));
    h = mix_string(h, clang_getCursorSpelling(c));
    h = mix_type(h, c);
    h = mix(h, (uint64_t)clang_getCursorBinaryOperatorKind(c));
    h = mix(h, (uint64_t)clang_getCursorUnaryOperatorKind(c));
    h = mix_literal(h, c);
    if (!clang_Cursor_isNull(to)) {
        h = is_told_by_name(to) ? mix_string(h, clang_getCursorUSR(to)) : mix_place(h, to);
        note_instance(t->out, to);
    }
    t->hash = h;
    return CXChildVisit_Recurse;
}

static uint64_t tell(gw_meanings *out, CXCursor c) {
    telling t = {out, 0};
    visit(c, c, &t);
    clang_visitChildren(c, visit, &t);
    return t.hash;
}

/* A line of use.c, behind what the file has. */
static bool is_use(CXCursor c) {
    CXString name = clang_getCursorSpelling(c);
    const bool is = strncmp(clang_getCString(name), GW_USE, sizeof GW_USE - 1) == 0;
    clang_disposeString(name);
    return is;
}

static enum CXChildVisitResult visit_decl(CXCursor c, CXCursor parent, CXClientData data) {
    gw_meanings *out = data;
    const enum CXCursorKind kind = clang_getCursorKind(c);
    (void)parent;
    if (clang_Location_isInSystemHeader(clang_getCursorLocation(c))) return CXChildVisit_Continue;
    if (kind == CXCursor_Namespace || kind == CXCursor_LinkageSpec) return CXChildVisit_Recurse;
    if (!clang_isDeclaration(kind) || is_use(c)) return CXChildVisit_Continue;
    const uint64_t what = tell(out, c);
    add(out, mix(mix_place(0, c), (uint64_t)kind), what, c);
    return CXChildVisit_Continue;
}

static int by_place(const void *x, const void *y) {
    const gw_meaning *a = x, *b = y;
    if (a->place != b->place) return a->place < b->place ? -1 : 1;
    return (a->what > b->what) - (a->what < b->what);
}

void gw_front_meanings(CXTranslationUnit unit, gw_meanings *out) {
    clang_visitChildren(clang_getTranslationUnitCursor(unit), visit_decl, out);
    if (out->count) qsort(out->at, out->count, sizeof *out->at, by_place);
}

/* All numbers of a place have to be the same: a macro makes several declarations at once. */
CXCursor gw_front_other_meaning(const gw_meanings *alone, const gw_meanings *joined) {
    uint32_t at = 0;
    for (uint32_t i = 0; i < alone->count; i++, at++) {
        while (at < joined->count && joined->at[at].place < alone->at[i].place) at++;
        const bool same = at < joined->count && joined->at[at].place == alone->at[i].place &&
                          joined->at[at].what == alone->at[i].what;
        if (!same) return alone->at[i].decl;
    }
    return clang_getNullCursor();
}
