/*
 * frontend/call/openmp_text.c - the text of a function's body as tokens, and the macros of its source
 * (contract: openmp_text.h).
 */
#include "plugin/frontend/call/openmp_text.h"
#include "plugin/frontend/parse/parse.h"

#include <ctype.h>
#include <stdlib.h>

/* What the preprocessor left out, in places of the file. */
static bool is_left_out(const CXSourceRangeList *ranges, unsigned at) {
    for (unsigned i = 0; ranges && i < ranges->count; i++) {
        unsigned first, last;
        clang_getSpellingLocation(clang_getRangeStart(ranges->ranges[i]), NULL, NULL, NULL, &first);
        clang_getSpellingLocation(clang_getRangeEnd(ranges->ranges[i]), NULL, NULL, NULL, &last);
        if (at >= first && at < last) return true;
    }
    return false;
}

/* Another spelling of a bracket or of '#'. */
static const char *plain(const char *spelled) {
    static const char *const others[][2] = {{"%:", "#"}, {"<:", "["},    {":>", "]"},    {"<%", "{"},
                                            {"%>", "}"}, {"\?\?=", "#"}, {"\?\?(", "["}, {"\?\?)", "]"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(spelled, others[i][0]) == 0) return others[i][1];
    return spelled;
}

static gw_str spelling_of(gw_openmp_text *t, CXToken of) {
    const gw_str spelled = gw_front_intern(t->L->u, clang_getTokenSpelling(t->L->u->clang, of));
    return gw_intern(t->L->session, plain(gw_cstr(t->L->session, spelled)));
}

void gw_front_openmp_read(gw_openmp_text *t, CXSourceRange range) {
    CXToken *tokens = NULL;
    unsigned count = 0;
    clang_getSpellingLocation(clang_getRangeStart(range), &t->in, NULL, NULL, &t->first);
    clang_getSpellingLocation(clang_getRangeEnd(range), NULL, NULL, NULL, &t->last);
    t->file = t->in ? clang_getFileContents(t->L->u->clang, t->in, &t->size) : NULL;
    clang_tokenize(t->L->u->clang, range, &tokens, &count);
    CXSourceRangeList *left_out = clang_getSkippedRanges(t->L->u->clang, t->in);
    t->token.count = 0;
    for (unsigned i = 0; i < count; i++) {
        if (clang_getTokenKind(tokens[i]) == CXToken_Comment) continue;
        gw_openmp_token x = {.text = spelling_of(t, tokens[i])};
        x.where = clang_getTokenLocation(t->L->u->clang, tokens[i]);
        clang_getSpellingLocation(x.where, NULL, NULL, NULL, &x.at);
        if (is_left_out(left_out, x.at)) continue;
        gw_push(&t->token, x);
    }
    clang_disposeTokens(t->L->u->clang, tokens, count);
    if (left_out) clang_disposeSourceRangeList(left_out);
}

/* ---- macros ---- */
enum CXChildVisitResult gw_front_openmp_note_macro(CXCursor c, CXCursor parent, CXClientData data) {
    gw_openmp_text *t = data;
    (void)parent;
    const enum CXCursorKind of = clang_getCursorKind(c);
    if (clang_Location_isInSystemHeader(clang_getCursorLocation(c))) return CXChildVisit_Continue;
    if (of == CXCursor_MacroDefinition)
        gw_push(&t->macro, ((gw_openmp_macro){gw_front_intern(t->L->u, clang_getCursorSpelling(c)), c, false}));
    if (of == CXCursor_MacroExpansion) gw_push(&t->use, c);
    return CXChildVisit_Continue;
}

bool gw_front_openmp_is_word(const char *spelled, const char *word) { return strcmp(spelled, word) == 0; }
/* What a pragma of OpenMP begins with, as a token or in a string. */
bool gw_front_openmp_is_word_of(const char *spelled, const char *word) {
    const char *quote = strchr(spelled, '"'), *begin = quote ? quote + 1 : spelled;
    while (quote && isspace((unsigned char)*begin))
        begin++;
    const size_t length = strlen(word);
    return strncmp(begin, word, length) == 0 && !isalnum((unsigned char)begin[length]) && begin[length] != '_';
}

/* It stands in what the macros of this name lead to; false where the name is no macro's. */
bool gw_front_openmp_macro_leads_to(gw_openmp_text *t, gw_str name, gw_openmp_test *what, const char *word) {
    CXTranslationUnit unit = t->L->u->clang;
    bool found = false;
    for (uint32_t i = 0; i < t->macro.count && !found; i++) {
        if (t->macro.at[i].name != name || t->macro.at[i].seen) continue;
        CXToken *tokens = NULL;
        unsigned count = 0;
        t->macro.at[i].seen = true;
        clang_tokenize(unit, clang_getCursorExtent(t->macro.at[i].definition), &tokens, &count);
        for (unsigned k = 1; k < count && !found; k++) {
            const gw_str spelled = spelling_of(t, tokens[k]);
            found = what(gw_cstr(t->L->session, spelled), word) ||
                    gw_front_openmp_macro_leads_to(t, spelled, what, word);
        }
        clang_disposeTokens(unit, tokens, count);
    }
    return found;
}

bool gw_front_openmp_is_macro_of(gw_openmp_text *t, uint32_t i, gw_openmp_test *what, const char *word) {
    if (i >= t->token.count) return false;
    for (uint32_t k = 0; k < t->macro.count; k++)
        t->macro.at[k].seen = false;
    return gw_front_openmp_macro_leads_to(t, t->token.at[i].text, what, word);
}
bool gw_front_openmp_is_macro(const gw_openmp_text *t, uint32_t i) {
    for (uint32_t k = 0; k < t->macro.count; k++)
        if (t->macro.at[k].name == t->token.at[i].text) return true;
    return false;
}
bool gw_front_openmp_is_named(gw_openmp_text *t, uint32_t i, gw_str name) {
    const char *word = gw_cstr(t->L->session, name);
    return t->token.at[i].text == name || gw_front_openmp_is_macro_of(t, i, gw_front_openmp_is_word, word);
}

/* A line ends here that does not go on behind a backslash. */
static bool ends_line(const char *file, size_t at) {
    if (file[at] != '\n') return false;
    while (at > 0 && strchr(" \t\r", file[at - 1]))
        at--;
    return at == 0 || !(file[at - 1] == '\\' || (at > 2 && memcmp(file + at - 3, "\?\?/", 3) == 0));
}

/* The end of the preprocessor's line that this is a place of: a comment may hold ends of lines. */
size_t gw_front_openmp_line_end(const char *file, size_t size, size_t at) {
    for (; at < size && !ends_line(file, at); at++) {
        if (file[at] != '/' || at + 1 == size) continue;
        if (file[at + 1] == '/')
            while (at + 1 < size && !ends_line(file, at + 1))
                at++;
        if (file[at + 1] != '*') continue;
        for (at += 2; at + 1 < size && !(file[at] == '*' && file[at + 1] == '/');)
            at++;
    }
    return at;
}

/* Behind the words of the directive whose '#' this is. */
uint32_t gw_front_openmp_words_end(const gw_openmp_text *t, uint32_t i) {
    const size_t at = gw_front_openmp_line_end(t->file, t->size, t->token.at[i].at);
    while (i < t->token.count && t->token.at[i].at < at)
        i++;
    return i;
}

uint32_t gw_front_openmp_behind_brackets(const gw_openmp_text *t, uint32_t i) {
    int depth = 0;
    for (; i < t->token.count; i++) {
        const char c = gw_front_openmp_word(t, i)[0];
        depth += (c == '(' || c == '{' || c == '[') - (c == ')' || c == '}' || c == ']');
        if (depth == 0) return i + 1;
    }
    return i;
}
