/*
 * frontend/call/openmp.c - the pragmas of OpenMP in a function's text.
 *
 * Clang's tree has none of them: a source is read as one thread runs it (frontend/parse/flags.c). Where it is
 * compiled with -fopenmp, a pragma by which several threads compute something else is refused, and the others
 * are a remark. openmp.def has the words. Variables are followed by their names in the text, which asks for
 * more than need be: one that is private, a loop's own index too, must be set before it is read behind the
 * statement; one that is firstprivate must not change in it. Neither may have another name, or be known outside
 * of the function. The text is what stands in the file, without what #if leaves out: a macro in it counts as
 * all that its definitions lead to, and is refused where that is not enough, as is a pragma that a macro holds
 * (_Pragma).
 */
#include "analysis/ir/diagnostics.h"
#include "plugin/frontend/call/call.h"
#include "plugin/frontend/parse/parse.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum kind { UNKNOWN, DIRECTIVE, REGION, CLAUSE, PRIVATE, FIRST, DEFAULT, REDUCTION, LOOPS } kind;
enum { MANY = 100 }; /* loops: as many as there are, one in the other */
static const struct {
    const char *word;
    kind is;
} words[] = {
#define GW_OPENMP(word, kind) {word, kind},
#include "plugin/frontend/call/openmp.def"
};

typedef struct token {
    gw_str text;
    unsigned at;
    int depth; /* of braces */
    CXSourceLocation where;
} token;
typedef struct macro {
    gw_str name;
    CXCursor definition;
    bool seen; /* by the search that runs */
} macro;
typedef struct text {
    gw_lowering *L;
    GW_VEC(token) token;
    GW_VEC(macro) macro;
    gw_cursors use;             /* of macros */
    GW_VEC(gw_str) threads_own; /* variables that are threadprivate */
    const char *file;
    size_t size;
    bool hidden; /* of a statement: a macro holds where it ends */
} text;
/* A pragma: its words, and the statement behind it. */
typedef struct pragma {
    uint32_t first, end;      /* its '#'; behind its words */
    uint32_t statement, last; /* the statement, without lines of the preprocessor before it; behind it */
    bool hidden;              /* it is not known where the statement ends */
} pragma;

static const char *word_at(const text *t, uint32_t i) {
    return i < t->token.count ? gw_cstr(t->L->session, t->token.at[i].text) : "";
}
static bool is(const text *t, uint32_t i, const char *word) { return strcmp(word_at(t, i), word) == 0; }

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

static void read_text(text *t, CXSourceRange range) {
    CXToken *tokens = NULL;
    unsigned count = 0;
    int depth = 0;
    CXFile file = NULL;
    clang_getSpellingLocation(clang_getRangeStart(range), &file, NULL, NULL, NULL);
    t->file = file ? clang_getFileContents(t->L->u->clang, file, &t->size) : NULL;
    clang_tokenize(t->L->u->clang, range, &tokens, &count);
    CXSourceRangeList *left_out = clang_getSkippedRanges(t->L->u->clang, file);
    for (unsigned i = 0; i < count; i++) {
        if (clang_getTokenKind(tokens[i]) == CXToken_Comment) continue;
        const gw_str spelled = gw_front_intern(t->L->u, clang_getTokenSpelling(t->L->u->clang, tokens[i]));
        token x = {.text = spelled, .depth = depth};
        x.where = clang_getTokenLocation(t->L->u->clang, tokens[i]);
        clang_getSpellingLocation(x.where, NULL, NULL, NULL, &x.at);
        if (is_left_out(left_out, x.at)) continue;
        gw_push(&t->token, x);
        depth += is(t, t->token.count - 1, "{") - is(t, t->token.count - 1, "}");
    }
    clang_disposeTokens(t->L->u->clang, tokens, count);
    if (left_out) clang_disposeSourceRangeList(left_out);
}

/* ---- macros ---- */
static enum CXChildVisitResult note_macro(CXCursor c, CXCursor parent, CXClientData data) {
    text *t = data;
    (void)parent;
    const enum CXCursorKind of = clang_getCursorKind(c);
    if (clang_Location_isInSystemHeader(clang_getCursorLocation(c))) return CXChildVisit_Continue;
    if (of == CXCursor_MacroDefinition)
        gw_push(&t->macro, ((macro){gw_front_intern(t->L->u, clang_getCursorSpelling(c)), c, false}));
    if (of == CXCursor_MacroExpansion) gw_push(&t->use, c);
    return CXChildVisit_Continue;
}

typedef bool test(const char *spelled, const char *word);
static bool is_word(const char *spelled, const char *word) { return strcmp(spelled, word) == 0; }
/* What a pragma of OpenMP begins with, as a token or in a string. */
static bool is_openmp(const char *spelled, const char *word) {
    const char *quote = strchr(spelled, '"'), *begin = quote ? quote + 1 : spelled;
    while (quote && isspace((unsigned char)*begin))
        begin++;
    const size_t length = strlen(word);
    return strncmp(begin, word, length) == 0 && !isalnum((unsigned char)begin[length]) && begin[length] != '_';
}
static bool is_of_statement(const char *spelled, const char *word) {
    static const char *const words_of[] = {"{", "}", ";", "for", "while", "do", "if", "else", "switch"};
    (void)word;
    for (size_t i = 0; i < sizeof words_of / sizeof *words_of; i++)
        if (strcmp(spelled, words_of[i]) == 0) return true;
    return false;
}

/* It stands in what the macros of this name lead to; false where the name is no macro's. */
static bool macro_leads_to(text *t, gw_str name, test *what, const char *word) {
    CXTranslationUnit unit = t->L->u->clang;
    bool found = false;
    for (uint32_t i = 0; i < t->macro.count && !found; i++) {
        if (t->macro.at[i].name != name || t->macro.at[i].seen) continue;
        CXToken *tokens = NULL;
        unsigned count = 0;
        t->macro.at[i].seen = true;
        clang_tokenize(unit, clang_getCursorExtent(t->macro.at[i].definition), &tokens, &count);
        for (unsigned k = 1; k < count && !found; k++) {
            const gw_str spelled = gw_front_intern(t->L->u, clang_getTokenSpelling(unit, tokens[k]));
            found = what(gw_cstr(t->L->session, spelled), word) || macro_leads_to(t, spelled, what, word);
        }
        clang_disposeTokens(unit, tokens, count);
    }
    return found;
}

static bool is_macro_of(text *t, uint32_t i, test *what, const char *word) {
    if (i >= t->token.count) return false;
    for (uint32_t k = 0; k < t->macro.count; k++)
        t->macro.at[k].seen = false;
    return macro_leads_to(t, t->token.at[i].text, what, word);
}
static bool is_macro(const text *t, uint32_t i) {
    for (uint32_t k = 0; k < t->macro.count; k++)
        if (t->macro.at[k].name == t->token.at[i].text) return true;
    return false;
}
static bool mentions(text *t, uint32_t i, gw_str name) {
    return t->token.at[i].text == name || is_macro_of(t, i, is_word, gw_cstr(t->L->session, name));
}

/* Behind the words of the pragma whose '#' this is: its line may go on. */
static uint32_t end_of_words(const text *t, uint32_t i) {
    size_t at = t->token.at[i].at;
    while (at < t->size && !(t->file[at] == '\n' && t->file[at - 1] != '\\'))
        at++;
    while (i < t->token.count && t->token.at[i].at < at)
        i++;
    return i;
}

static uint32_t behind_brackets(const text *t, uint32_t i) {
    int depth = 0;
    for (; i < t->token.count; i++) {
        const char c = word_at(t, i)[0];
        depth += (c == '(' || c == '{' || c == '[') - (c == ')' || c == '}' || c == ']');
        if (depth == 0) return i + 1;
    }
    return i;
}

static uint32_t behind_statement(text *t, uint32_t i) {
    t->hidden |= is_macro_of(t, i, is_of_statement, "");
    if (is(t, i, "#")) return behind_statement(t, end_of_words(t, i));
    if (is(t, i, "{")) return behind_brackets(t, i);
    if (is(t, i, "for") || is(t, i, "while") || is(t, i, "if") || is(t, i, "switch")) {
        const bool chooses = is(t, i, "if");
        i = behind_statement(t, behind_brackets(t, i + 1));
        return chooses && is(t, i, "else") ? behind_statement(t, i + 1) : i;
    }
    for (; i < t->token.count; i++) {
        if (is(t, i, ";")) return i + 1;
        if (is(t, i, "(") || is(t, i, "{")) i = behind_brackets(t, i) - 1;
    }
    return i;
}

static bool differs(text *t, const pragma *p, const char *what, const char *why, const char *way_out) {
    const gw_loc at = gw_front_loc(t->L->u, t->token.at[p->first].where);
    gw_diag(t->L->session, GW_DIAG_OPENMP_MEANING, at, what, why, way_out);
    t->L->failed = true;
    return false;
}

/* ---- variables ---- */
/* Inside brackets that are not closed since `from`. */
static bool is_bracketed(const text *t, uint32_t from, uint32_t i) {
    int depth = 0;
    for (uint32_t k = from; k < i; k++)
        depth += is(t, k, "(") - is(t, k, ")");
    return depth > 0;
}

/* Set at this place by a statement of its own, which does not read it: not in a loop's condition or step, which
 * follow a ';' too. */
static bool sets(text *t, uint32_t from, uint32_t i, int depth) {
    const bool of_loop = is(t, i - 1, "(") && is(t, i - 2, "for");
    const bool begins = is(t, i - 1, ";") || is(t, i - 1, "{") || is(t, i - 1, "}");
    if (!of_loop && (!begins || is_bracketed(t, from, i))) return false;
    if (!is(t, i + 1, "=") || t->token.at[i].depth > depth) return false;
    for (uint32_t k = i + 2; k < t->token.count && !is(t, k, ";"); k++)
        if (is(t, k, ",") && !is_bracketed(t, i, k))
            return true;
        else if (mentions(t, k, t->token.at[i].text))
            return false;
    return true;
}

/* What was set in front of the statement is read behind it, or by the next turn of a loop around it. */
static bool is_read_behind(text *t, const pragma *p, gw_str name) {
    const int depth = t->token.at[p->first].depth;
    for (uint32_t i = p->last; i < t->token.count; i++) {
        if (is(t, i, "#") && is(t, i + 1, "pragma")) i = end_of_words(t, i);
        if (i < t->token.count && mentions(t, i, name)) return !sets(t, p->last, i, depth);
    }
    return false;
}

/* Another name for it, by which it is used where the pragma does not look: address, reference, lambda. */
static bool has_other_name(const text *t, const pragma *p, gw_str name) {
    static const char *const operands = ")]";
    bool refers = false;
    for (uint32_t i = 2; i < p->first; i++) {
        refers |= is(t, i, "&") && is(t, i - 1, "[");
        if (t->token.at[i].text != name) continue;
        const char before = word_at(t, i - 2)[0];
        const bool operand = isalnum((unsigned char)before) || before == '_' || strchr(operands, before);
        const bool address = is(t, i - 1, "&") && (!operand || is(t, i - 2, "return"));
        const bool reference = i > 3 && is(t, i - 3, "&") && strchr("=({", word_at(t, i - 1)[0]) &&
                               t->token.at[i - 2].text != name;
        if (refers || address || reference) return true;
    }
    return false;
}

static bool is_outside(CXCursor variable) {
    return clang_getCursorKind(variable) == CXCursor_VarDecl &&
           (clang_getCursorLinkage(variable) != CXLinkage_NoLinkage ||
            clang_Cursor_getStorageClass(variable) == CX_SC_Static);
}

/* What other functions, or another call of this one, read of it is not what a thread has. */
static bool outlives(const text *t, const pragma *p, gw_str name) {
    for (uint32_t i = p->end; i < p->last; i++) {
        if (t->token.at[i].text != name) continue;
        CXCursor used = clang_getCursor(t->L->u->clang, t->token.at[i].where);
        if (is_outside(clang_getCursorReferenced(used))) return true;
    }
    return false;
}

static bool changes(text *t, const pragma *p, gw_str name) {
    static const char *const changing[] = {
        "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++", "<<=", ">>=", "--", "[", ".", "->"};
    for (uint32_t i = p->end; i < p->last; i++) {
        if (!mentions(t, i, name)) continue;
        const CXCursor used = clang_getCursor(t->L->u->clang, t->token.at[i].where);
        const bool leads = clang_getCanonicalType(clang_getCursorType(used)).kind == CXType_Pointer;
        if (leads && (is(t, i + 1, "[") || is(t, i + 1, "->"))) continue; /* what it leads to is no copy */
        if (t->token.at[i].text != name) return true;                     /* in a macro, as who knows what */
        if (is(t, i - 1, "++") || is(t, i - 1, "--") || is(t, i - 1, "&")) return true;
        for (size_t k = 0; k < sizeof changing / sizeof *changing; k++)
            if (is(t, i + 1, changing[k])) return true;
    }
    return false;
}

static bool is_declared(const text *t, uint32_t i) {
    return clang_getCursorKind(clang_getCursor(t->L->u->clang, t->token.at[i].where)) == CXCursor_VarDecl;
}

static bool check_variable(text *t, const pragma *p, gw_str name, kind of) {
    const char *word = gw_cstr(t->L->session, name);
    bool loops = false;
    if (outlives(t, p, name))
        return differs(t, p, word, "other functions, or other calls, have it too, and not what a thread has",
                       "take a variable that is declared inside the loop");
    if (has_other_name(t, p, name))
        return differs(t, p, word, "it has another name, which does not lead to what a thread has",
                       "take a variable that is declared inside the loop");
    for (uint32_t i = 0; i < p->first && of == PRIVATE; i++) {
        t->hidden = false;
        const bool in_macro = is_macro_of(t, i, is_word, "for") || is_macro_of(t, i, is_word, "while");
        if (in_macro && t->token.at[i].depth < t->token.at[p->first].depth) loops = true;
        if (!is(t, i, "for") && !is(t, i, "while") && !is(t, i, "do")) continue;
        loops |= behind_statement(t, is(t, i, "do") ? i + 1 : i) >= p->last || t->hidden;
    }
    for (uint32_t i = 0; i < p->first && loops; i++) /* declared in the loop, it does not come round */
        if (t->token.at[i].text == name && t->token.at[i].depth >= t->token.at[p->first].depth &&
            is_declared(t, i))
            loops = false;
    if (of == PRIVATE && (loops || is_read_behind(t, p, name)))
        return differs(t, p, word, "in several threads it is as it was before, behind this statement",
                       "declare it inside the loop");
    if (of == FIRST && changes(t, p, name))
        return differs(t, p, word, "each thread changes a copy of its own",
                       "copy it to a variable that is declared inside the loop");
    return true;
}

/* ---- words ---- */
static bool hides(text *t, const pragma *p, uint32_t macro_at) {
    return differs(t, p, word_at(t, macro_at), "what stands in the macro is not read",
                   "write it without the macro");
}

static bool check_list(text *t, const pragma *p, uint32_t i, uint32_t end, kind of) {
    static const char *const operators = " + * - & | ^ && || min max ";
    char sought[8];
    if (of == DEFAULT && !is(t, i + 1, "shared") && !is(t, i + 1, "none"))
        return differs(t, p, "default", "each thread has copies of variables that no clause names",
                       "name them");
    if (of == REDUCTION) {
        const size_t length = strlen(word_at(t, i + 1));
        if (length < 4) snprintf(sought, sizeof sought, " %s ", word_at(t, i + 1));
        if (length < 4 && strstr(operators, sought)) return true;
        return differs(t, p, "reduction", "how results of threads are combined is not known",
                       "use +, *, min or max");
    }
    for (uint32_t k = i + 1; k + 1 < end && (of == PRIVATE || of == FIRST); k++) {
        if (is(t, k, ",")) continue;
        if (p->hidden || is_macro(t, k)) return hides(t, p, p->hidden ? p->statement : k);
        if (!check_variable(t, p, t->token.at[k].text, of)) return false;
    }
    return true;
}

static kind kind_of(const char *word) {
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i].word, word) == 0) return words[i].is;
    return UNKNOWN;
}

/* The index of the loop that begins here, where it is declared before; 0: it is the loop's own. */
static uint32_t outer_index(const text *t, uint32_t loop) {
    for (uint32_t i = loop + 2; i < t->token.count && !is(t, i, ";") && !is(t, i, ":"); i++) {
        if (!is(t, i, "=")) continue;
        while (is(t, i - 1, ")"))
            i--;
        return is_declared(t, i - 1) ? 0 : i - 1;
    }
    return 0;
}

/* Indices of as many loops, one in the other, as the pragma is for: one that is declared before is private. */
static bool check_indices(text *t, const pragma *p, uint32_t loops) {
    uint32_t at = p->statement;
    for (uint32_t found = 0; found < loops; found++, at = behind_brackets(t, at + 1)) {
        for (; at < p->last && !is(t, at, "for"); at++)
            if (is_macro_of(t, at, is_of_statement, "")) return hides(t, p, at);
        if (at >= p->last && loops == MANY) return true;
        if (at >= p->last)
            return differs(t, p, word_at(t, p->first + 3), "its loops are not read", "write them behind it");
        const uint32_t index = outer_index(t, at);
        if (index && (p->hidden || is_macro(t, index))) return hides(t, p, p->hidden ? p->statement : index);
        if (index && !check_variable(t, p, t->token.at[index].text, PRIVATE)) return false;
    }
    return true;
}

/* What a clause in brackets says of how many loops the pragma is for. */
static uint32_t loops_of(const text *t, uint32_t i) {
    char *end = NULL;
    const unsigned long loops = strtoul(word_at(t, i + 1), &end, 10);
    return is(t, i + 2, ")") && !*end && loops < MANY ? (uint32_t)loops : MANY;
}

static bool check(text *t, const pragma *p) {
    bool region = false, shared_out = false;
    uint32_t loops = 0; /* for which it is */
    for (uint32_t i = p->first + 3; i < p->end; i++) {
        const char *word = word_at(t, i);
        const kind of = kind_of(word);
        if (word[0] == ',') continue;
        if (of == UNKNOWN)
            return differs(t, p, word, "what several threads make of it is not known to be the same",
                           "take the pragma away, or use a parallel for with reductions");
        region |= of == REGION;
        if (loops == 0) loops = strcmp(word, "for") == 0 || strcmp(word, "simd") == 0;
        shared_out |= strcmp(word, "for") == 0 || strcmp(word, "sections") == 0;
        const uint32_t end = is(t, i + 1, "(") ? behind_brackets(t, i + 1) : i + 1;
        if (!check_list(t, p, i + 1, end, of)) return false;
        if (of == LOOPS && end > i + 2 && loops_of(t, i + 1) > loops) loops = loops_of(t, i + 1);
        i = end - 1;
    }
    if (region && !shared_out)
        return differs(t, p, "parallel", "each of several threads runs all of the statement",
                       "use a parallel for");
    if (!check_indices(t, p, loops)) return false;
    gw_diag(t->L->session, GW_DIAG_OPENMP_ONE_THREAD, gw_front_loc(t->L->u, t->token.at[p->first].where),
            "this pragma of OpenMP is passed over: the derivative is that of one thread, and means the same");
    return true;
}

/* ---- variables of which each thread has one ---- */
static void note_threads_own(CXFile file, CXSourceLocation *from, unsigned depth, CXClientData data) {
    static const char word[] = "threadprivate";
    text *t = data;
    size_t size = 0;
    (void)from, (void)depth;
    const char *at = clang_getFileContents(t->L->u->clang, file, &size), *end = at ? at + size : NULL;
    for (; at && at + sizeof word < end; at++) {
        if (memcmp(at, word, sizeof word - 1) != 0) continue;
        for (at += sizeof word - 1; at < end && *at != ')' && *at != '\n';) {
            const char *begin = at;
            while (at < end && (isalnum((unsigned char)*at) || *at == '_'))
                at++;
            if (at > begin)
                gw_push(&t->threads_own, gw_intern_n(t->L->session, begin, (size_t)(at - begin)));
            else
                at++;
        }
    }
}

static bool is_threads_own(const text *t, uint32_t i) {
    bool named = false;
    for (uint32_t k = 0; k < t->threads_own.count; k++)
        named |= t->threads_own.at[k] == t->token.at[i].text;
    if (!named) return false;
    CXCursor used = clang_getCursor(t->L->u->clang, t->token.at[i].where);
    return is_outside(clang_getCursorReferenced(used));
}

/* The operator _Pragma with a pragma of OpenMP, or a macro that leads to one. */
static bool is_operator(text *t, uint32_t i) {
    if (!is(t, i, "_Pragma") && !is_macro_of(t, i, is_word, "_Pragma")) return false;
    bool found = is_macro_of(t, i, is_openmp, "omp");
    const uint32_t end = is(t, i + 1, "(") ? behind_brackets(t, i + 1) : i;
    for (uint32_t k = i + 1; k < end && !found; k++)
        found = is_openmp(word_at(t, k), "omp") || is_macro_of(t, k, is_openmp, "omp");
    return found;
}

/* A macro of which the whole body comes has its arguments where it is named. */
static void check_around(text *t, CXCursor body) {
    unsigned at, first, last;
    CXFile file, other;
    clang_getExpansionLocation(clang_getCursorLocation(body), &file, NULL, NULL, &at);
    for (uint32_t i = 0; i < t->use.count && !t->L->failed; i++) {
        const CXSourceRange range = clang_getCursorExtent(t->use.at[i]);
        clang_getExpansionLocation(clang_getRangeStart(range), &other, NULL, NULL, &first);
        clang_getExpansionLocation(clang_getRangeEnd(range), NULL, NULL, NULL, &last);
        if (file != other || at < first || at >= last) continue;
        t->token.count = 0;
        read_text(t, range);
        if (is_operator(t, 0)) differs(t, &(pragma){0}, "_Pragma", "it is not read", "write #pragma");
    }
}

void gw_front_openmp(gw_lowering *L, CXCursor body) {
    text t = {.L = L};
    if (L->failed || !gw_front_has_openmp(L->u->run)) return;
    clang_visitChildren(clang_getTranslationUnitCursor(L->u->clang), note_macro, &t);
    clang_getInclusions(L->u->clang, note_threads_own, &t);
    read_text(&t, clang_getCursorExtent(body));
    for (uint32_t i = 0; t.file && i < t.token.count && !L->failed; i++) {
        pragma p = {.first = i};
        if (is_threads_own(&t, i))
            differs(&t, &p, word_at(&t, i), "each thread has one of its own (threadprivate)",
                    "take a parameter, or a variable that is declared inside the loop");
        if (is_operator(&t, i)) differs(&t, &p, "_Pragma", "it is not read", "write #pragma");
        if (!is(&t, i, "#") || !is(&t, i + 1, "pragma") || !is(&t, i + 2, "omp")) continue;
        p.end = end_of_words(&t, i);
        t.hidden = false;
        p.statement = p.end;
        while (is(&t, p.statement, "#"))
            p.statement = end_of_words(&t, p.statement);
        p.last = behind_statement(&t, p.statement);
        p.hidden = t.hidden;
        check(&t, &p);
    }
    check_around(&t, body);
    gw_vec_free(&t.token);
    gw_vec_free(&t.macro);
    gw_vec_free(&t.use);
    gw_vec_free(&t.threads_own);
}
