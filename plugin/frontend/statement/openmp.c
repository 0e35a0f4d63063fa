/*
 * frontend/statement/openmp.c - the pragmas of OpenMP in a function's text.
 *
 * Clang's tree has none of them: a source is read as one thread runs it (frontend/parse/flags.c). Where it is
 * compiled with -fopenmp, a pragma by which several threads compute something else is refused, and the others
 * are a remark. openmp.def has the words. Variables are followed by their names in the text, which asks for
 * more than need be: one that is private, a loop's own index too, must be set before it is read behind the
 * statement; one that is firstprivate must not change in it.
 */
#include "analysis/ir/diagnostics.h"
#include "plugin/frontend/lower_private.h"

#include <stdio.h>
#include <string.h>

typedef enum kind { UNKNOWN, DIRECTIVE, REGION, CLAUSE, PRIVATE, FIRST, DEFAULT, REDUCTION } kind;
static const struct {
    const char *word;
    kind is;
} words[] = {
#define GW_OPENMP(word, kind) {word, kind},
#include "plugin/frontend/statement/openmp.def"
};

typedef struct token {
    gw_str text;
    unsigned at;
    int depth; /* of braces */
    CXSourceLocation where;
} token;
typedef struct text {
    gw_lowering *L;
    GW_VEC(token) token;
    const char *file;
    size_t size;
} text;
/* Of one pragma: its words, and the statement behind it. */
typedef struct pragma {
    uint32_t first, end, last; /* from its '#'; behind its words; behind the statement */
} pragma;

static const char *word_at(const text *t, uint32_t i) {
    return i < t->token.count ? gw_cstr(t->L->session, t->token.at[i].text) : "";
}
static bool is(const text *t, uint32_t i, const char *word) { return strcmp(word_at(t, i), word) == 0; }

static void read_text(text *t, CXCursor body) {
    CXToken *tokens = NULL;
    unsigned count = 0;
    int depth = 0;
    CXFile file = NULL;
    clang_getSpellingLocation(clang_getCursorLocation(body), &file, NULL, NULL, NULL);
    t->file = file ? clang_getFileContents(t->L->u->clang, file, &t->size) : NULL;
    clang_tokenize(t->L->u->clang, clang_getCursorExtent(body), &tokens, &count);
    for (unsigned i = 0; i < count; i++) {
        if (clang_getTokenKind(tokens[i]) == CXToken_Comment) continue;
        CXString spelling = clang_getTokenSpelling(t->L->u->clang, tokens[i]);
        token x = {.text = gw_intern(t->L->session, clang_getCString(spelling)), .depth = depth};
        x.where = clang_getTokenLocation(t->L->u->clang, tokens[i]);
        clang_getSpellingLocation(x.where, NULL, NULL, NULL, &x.at);
        clang_disposeString(spelling);
        gw_push(&t->token, x);
        depth += is(t, t->token.count - 1, "{") - is(t, t->token.count - 1, "}");
    }
    clang_disposeTokens(t->L->u->clang, tokens, count);
}

/* Behind the words of the pragma whose '#' this is: its line may go on. */
static uint32_t end_of_words(const text *t, uint32_t i) {
    size_t at = t->token.at[i].at;
    while (at < t->size && !(t->file[at] == '\n' && t->file[at - 1] != '\\')) at++;
    while (i < t->token.count && t->token.at[i].at < at) i++;
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

static uint32_t behind_statement(const text *t, uint32_t i) {
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
/* Set at this place by a statement of its own. */
static bool sets(const text *t, uint32_t i, int depth) {
    const bool begins = is(t, i - 1, ";") || is(t, i - 1, "{") || is(t, i - 1, "}") ||
                        (is(t, i - 1, "(") && is(t, i - 2, "for"));
    return begins && is(t, i + 1, "=") && t->token.at[i].depth <= depth;
}

/* What was set in front of the statement is read behind it, or by the next turn of a loop around it. */
static bool is_read_behind(const text *t, const pragma *p, gw_str name) {
    const int depth = t->token.at[p->first].depth;
    for (uint32_t i = p->last; i < t->token.count; i++) {
        if (is(t, i, "#") && is(t, i + 1, "pragma")) i = end_of_words(t, i);
        if (i < t->token.count && t->token.at[i].text == name) return !sets(t, i, depth);
    }
    return false;
}

static bool changes(const text *t, const pragma *p, gw_str name) {
    static const char *const changing[] = {"=",  "+=", "-=",  "*=",  "/=", "%=", "&=", "|=",
                                           "^=", "++", "<<=", ">>=", "--", "[",  ".",  "->"};
    for (uint32_t i = p->end; i < p->last; i++) {
        if (t->token.at[i].text != name) continue;
        if (is(t, i - 1, "++") || is(t, i - 1, "--") || is(t, i - 1, "&")) return true;
        for (size_t k = 0; k < sizeof changing / sizeof *changing; k++)
            if (is(t, i + 1, changing[k])) return true;
    }
    return false;
}

static bool check_variable(text *t, const pragma *p, gw_str name, kind of) {
    const char *word = gw_cstr(t->L->session, name);
    bool loops = false;
    for (uint32_t i = 0; i < p->first && of == PRIVATE; i++) {
        if (!is(t, i, "for") && !is(t, i, "while") && !is(t, i, "do")) continue;
        loops |= behind_statement(t, is(t, i, "do") ? i + 1 : i) >= p->last;
    }
    for (uint32_t i = 0; i < p->first && loops; i++) /* declared in the loop, it does not come round */
        if (t->token.at[i].text == name && t->token.at[i].depth >= t->token.at[p->first].depth) loops = false;
    if (of == PRIVATE && (loops || is_read_behind(t, p, name)))
        return differs(t, p, word, "in several threads it is as it was before, behind this statement",
                      "declare it inside the loop");
    if (of == FIRST && changes(t, p, name))
        return differs(t, p, word, "each thread changes a copy of its own",
                      "copy it to a variable that is declared inside the loop");
    return true;
}

/* ---- words ---- */
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
    for (uint32_t k = i + 1; k + 1 < end && (of == PRIVATE || of == FIRST); k++)
        if (!is(t, k, ",") && !check_variable(t, p, t->token.at[k].text, of)) return false;
    return true;
}

static kind kind_of(const char *word) {
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i].word, word) == 0) return words[i].is;
    return UNKNOWN;
}

/* A loop's own index, which is declared before the loop, is private. */
static bool check_index(text *t, const pragma *p) {
    const bool own = is(t, p->end, "for") && is(t, p->end + 3, "=");
    return !own || check_variable(t, p, t->token.at[p->end + 2].text, PRIVATE);
}

static bool check(text *t, const pragma *p) {
    bool region = false, shared_out = false;
    for (uint32_t i = p->first + 3; i < p->end; i++) {
        const char *word = word_at(t, i);
        const kind of = kind_of(word);
        if (word[0] == ',') continue;
        if (of == UNKNOWN)
            return differs(t, p, word, "what several threads make of it is not known to be the same",
                          "take the pragma away, or use a parallel for with reductions");
        region |= of == REGION;
        shared_out |= strcmp(word, "for") == 0 || strcmp(word, "sections") == 0;
        const uint32_t end = is(t, i + 1, "(") ? behind_brackets(t, i + 1) : i + 1;
        if (!check_list(t, p, i + 1, end, of)) return false;
        i = end - 1;
    }
    if (region && !shared_out)
        return differs(t, p, "parallel", "each of several threads runs all of the statement",
                       "use a parallel for");
    if (!check_index(t, p)) return false;
    gw_diag(t->L->session, GW_DIAG_OPENMP_ONE_THREAD, gw_front_loc(t->L->u, t->token.at[p->first].where),
            "this pragma of OpenMP is passed over: the derivative is that of one thread, and means the same");
    return true;
}

void gw_front_openmp(gw_lowering *L, CXCursor body) {
    text t = {.L = L};
    if (L->failed || !gw_front_has_openmp(L->u->run)) return;
    read_text(&t, body);
    for (uint32_t i = 0; t.file && i < t.token.count && !L->failed; i++) {
        pragma p = {.first = i};
        if (is(&t, i, "_Pragma") && strncmp(word_at(&t, i + 2), "\"omp ", 5) == 0)
            differs(&t, &p, "_Pragma", "it is not read", "write #pragma");
        if (!is(&t, i, "#") || !is(&t, i + 1, "pragma") || !is(&t, i + 2, "omp")) continue;
        p.end = end_of_words(&t, i);
        p.last = behind_statement(&t, p.end);
        check(&t, &p);
    }
    gw_vec_free(&t.token);
}
