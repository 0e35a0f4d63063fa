/*
 * frontend/call/openmp.c - the pragmas of OpenMP in a function's text.
 *
 * Clang's tree has none of them: a source is read as one thread runs it (frontend/parse/flags.c). Where it is
 * compiled with -fopenmp, a pragma by which several threads compute something else is refused; a parallel for
 * has a policy (openmp_loop.c), and the others are a remark. openmp.def has the words; openmp_variable.c says
 * of a variable that a clause names, or that is a loop's own index, whether threads have the same.
 *
 * The text is what stands in the file, without what #if leaves out. A pragma is refused where it is not such
 * text: by _Pragma, an attribute [[omp::directive]], a macro, or in a file that the body includes. Refused too
 * are functions of a file where others take their place in threads (declare variant).
 */
#include "analysis/ir/diagnostics.h"
#include "analysis/ir/policies.h"
#include "plugin/frontend/call/openmp_private.h"
#include "plugin/frontend/call/openmp_text.h"
#include "plugin/frontend/parse/parse.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum kind {
    UNKNOWN,
    DIRECTIVE,
    MEETING,
    REGION,
    CLAUSE,
    PRIVATE,
    FIRST,
    LAST,
    DEFAULT,
    REDUCTION,
    LOOPS,
    ORDERED
} kind;
enum { MANY = 100 }; /* loops: as many as there are, one in the other */
static const struct {
    const char *word;
    kind is;
} words[] = {
#define GW_OPENMP(word, kind) {word, kind},
#include "plugin/frontend/call/openmp.def"
};

/* A pragma: its '#', what is behind its words, and the statement behind it. */
typedef struct pragma {
    uint32_t first, end;
    CXCursor statement;
    const gw_cursors *parts; /* of a region: the statements that its private variables are asked about */
    bool has_object;         /* a variable that threads have is an array or a struct */
} pragma;

static const char *word_at(const gw_openmp_text *t, uint32_t i) { return gw_front_openmp_word(t, i); }
static bool is(const gw_openmp_text *t, uint32_t i, const char *word) { return gw_front_openmp_is(t, i, word); }

static bool differs(gw_openmp_text *t, const pragma *p, const char *what, const char *why,
                    const char *way_out) {
    const gw_loc at = gw_front_loc(t->L->u, t->token.at[p->first].where);
    gw_diag(t->L->session, GW_DIAG_OPENMP_MEANING, at, what, why, way_out);
    t->L->failed = true;
    return false;
}

/* ---- variables ---- */
static bool is_between(unsigned at, CXCursor statement) {
    unsigned first, last;
    const CXSourceRange range = clang_getCursorExtent(statement);
    clang_getExpansionLocation(clang_getRangeStart(range), NULL, NULL, NULL, &first);
    clang_getExpansionLocation(clang_getRangeEnd(range), NULL, NULL, NULL, &last);
    return at >= first && at < last;
}

/* All places of the name, or of what may lead to it, outside of pragmas. */
static gw_openmp_mentions mentions_of(gw_openmp_text *t, gw_str name) {
    gw_openmp_mentions found = {.file = t->in};
    for (uint32_t i = 0; i < t->token.count;) {
        const bool is_pragma = is(t, i, "#") && is(t, i + 1, "pragma");
        if (!is_pragma && gw_front_openmp_is_named(t, i, name)) gw_push(&found, t->token.at[i].at);
        i = is_pragma ? gw_front_openmp_words_end(t, i) : i + 1;
    }
    return found;
}

static const gw_openmp_reason *speaks_against(gw_openmp_text *t, pragma *p, CXCursor statement, gw_str name,
                                              gw_openmp_share share, const char *reduction) {
    bool has_object = false;
    const gw_openmp_asked asked = {.L = t->L,
                                   .u = t->L->u,
                                   .definition = t->definition,
                                   .statement = statement,
                                   .share = share,
                                   .reduction = reduction,
                                   .has_object = &has_object};
    gw_openmp_mentions mentions = mentions_of(t, name);
    const gw_openmp_reason *why = gw_front_openmp_differs(t->L->u, &asked, name, &mentions);
    gw_vec_free(&mentions);
    p->has_object |= has_object && share != GW_OPENMP_FIRST; /* which only reads */
    return why;
}

/* How often the region names it outside of the statements that are shared out. */
static uint32_t named_outside(gw_openmp_text *t, const pragma *p, gw_str name) {
    gw_openmp_mentions mentions = mentions_of(t, name);
    uint32_t outside = 0;
    for (uint32_t i = 0; i < mentions.count; i++) {
        bool is_inside = !is_between(mentions.at[i], p->statement);
        for (uint32_t k = 0; k < p->parts->count && !is_inside; k++)
            is_inside = is_between(mentions.at[i], p->parts->at[k]);
        outside += !is_inside;
    }
    gw_vec_free(&mentions);
    return outside;
}

/* In each statement that the region shares out. */
static const gw_openmp_reason *speaks_in_parts(gw_openmp_text *t, pragma *p, gw_str name,
                                               gw_openmp_share share) {
    const gw_openmp_reason *why = NULL;
    for (uint32_t i = 0; i < p->parts->count && !why; i++)
        why = speaks_against(t, p, p->parts->at[i], name, share, NULL);
    return why;
}

static bool check_variable(gw_openmp_text *t, pragma *p, gw_str name, gw_openmp_share share,
                           const char *reduction) {
    static const gw_openmp_reason own = {"each thread has one of its own outside of the region's loops",
                                         "declare it inside the loop"};
    const gw_openmp_reason *why = speaks_against(t, p, p->statement, name, share, reduction);
    if (!why && p->parts && share == GW_OPENMP_PRIVATE) {
        why = speaks_in_parts(t, p, name, GW_OPENMP_PART);
        if (named_outside(t, p, name)) why = &own;
        gw_push(&t->region_own, name);
    }
    return !why || differs(t, p, gw_cstr(t->L->session, name), why->why, why->way_out);
}

/* A variable of the region's own, which names it once by declaring it: it is read alone, or set in each of the
 * statements before it is read. */
static bool check_local(gw_openmp_text *t, pragma *p, CXCursor local) {
    const gw_str name = gw_front_intern(t->L->u, clang_getCursorSpelling(local));
    const gw_openmp_reason *why = speaks_in_parts(t, p, name, GW_OPENMP_FIRST);
    if (!why) return true;
    if (named_outside(t, p, name) == 1) why = speaks_in_parts(t, p, name, GW_OPENMP_PART);
    return !why || differs(t, p, gw_cstr(t->L->session, name), why->why, why->way_out);
}

/* ---- words ---- */
static bool hides(gw_openmp_text *t, const pragma *p, uint32_t macro_at) {
    return differs(t, p, word_at(t, macro_at), "what stands in the macro is not read",
                   "write it without the macro");
}

/* What a reduction's results are combined by; NULL: it is not known. */
static const char *reduction_of(const gw_openmp_text *t, uint32_t i) {
    for (uint32_t k = 0; k < t->reductions.count; k++)
        if (t->reductions.at[k] == t->token.at[i + 1].text) return NULL;
    static const char *const known[] = {"+", "*", "-", "&", "|", "^", "&&", "||", "min", "max"};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (is(t, i + 1, known[k]) && is(t, i + 2, ":")) return known[k];
    return NULL;
}

static bool check_names(gw_openmp_text *t, pragma *p, uint32_t i, uint32_t end, gw_openmp_share share,
                        const char *reduction) {
    for (uint32_t k = i; k + 1 < end; k++) {
        if (is(t, k, ",")) continue;
        if (gw_front_openmp_is_macro(t, k)) return hides(t, p, k);
        if (is(t, k, "["))
            k = gw_front_openmp_behind_brackets(t, k) - 1;
        else if (!isalpha((unsigned char)word_at(t, k)[0]) && word_at(t, k)[0] != '_')
            return differs(t, p, word_at(t, k), "it is not read", "name variables alone");
        else if (!check_variable(t, p, t->token.at[k].text, share, reduction))
            return false;
    }
    return true;
}

/* A clause's expression steps or sets a variable. */
static bool changes(const gw_openmp_text *t, uint32_t i, uint32_t end) {
    static const char *const by[] = {"++", "--",  "=",  "+=", "-=", "*=",
                                     "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};
    for (; i < end; i++)
        for (size_t k = 0; k < sizeof by / sizeof *by; k++)
            if (is(t, i, by[k])) return true;
    return false;
}

static bool check_list(gw_openmp_text *t, pragma *p, uint32_t i, uint32_t end, kind of) {
    if (of == CLAUSE && changes(t, i, end))
        return differs(t, p, word_at(t, i - 1), "what it changes is not read", "change it before");
    if (of == DEFAULT && !is(t, i + 1, "shared") && !is(t, i + 1, "none"))
        return differs(t, p, "default", "each thread has copies of variables that no clause names",
                       "name them");
    if (of == PRIVATE) return check_names(t, p, i + 1, end, GW_OPENMP_PRIVATE, NULL);
    if (of == FIRST) return check_names(t, p, i + 1, end, GW_OPENMP_FIRST, NULL);
    if (of == LAST) return check_names(t, p, i + 1, end, GW_OPENMP_LAST, NULL);
    if (of != REDUCTION) return true;
    if (p->parts)
        return differs(t, p, "reduction", "the region holds parts of the result until it ends",
                       "name it at the loop that sums");
    const char *reduction = reduction_of(t, i);
    if (reduction) return check_names(t, p, i + 3, end, GW_OPENMP_REDUCED, reduction);
    return differs(t, p, "reduction", "how results of threads are combined is not known",
                   "use +, *, min or max");
}

static kind kind_of(const char *word) {
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i].word, word) == 0) return words[i].is;
    return UNKNOWN;
}

/* Private in the region around the pragma, of which it has been asked there. */
static bool is_of_region(const gw_openmp_text *t, const pragma *p, gw_str name) {
    for (uint32_t i = 0; i < t->region_own.count && t->token.at[p->first].at < t->region_end; i++)
        if (t->region_own.at[i] == name) return true;
    return false;
}

/* Indices of as many loops, one in the other, as the pragma is for: one that is declared before is private. */
static bool check_indices(gw_openmp_text *t, pragma *p, uint32_t loops) {
    gw_names set = {0};
    CXCursor loop = gw_front_openmp_loop(p->statement);
    if (loops && clang_Cursor_isNull(loop))
        return differs(t, p, word_at(t, p->first + 3), "its loops are not read", "write them behind it");
    for (uint32_t found = 0; found < loops && !clang_Cursor_isNull(loop); found++) {
        gw_front_openmp_indices(t->L->u, loop, &set);
        loop = gw_front_openmp_loop_in(loop);
    }
    for (uint32_t i = 0; i < set.count && !t->L->failed; i++)
        if (!is_of_region(t, p, set.at[i])) check_variable(t, p, set.at[i], GW_OPENMP_PRIVATE, NULL);
    gw_vec_free(&set);
    return !t->L->failed;
}

/* What a clause in brackets says of how many loops the pragma is for. */
static uint32_t loops_of(const gw_openmp_text *t, uint32_t i) {
    char *end = NULL;
    const unsigned long loops = strtoul(word_at(t, i + 1), &end, 10);
    return is(t, i + 2, ")") && !*end && loops < MANY ? (uint32_t)loops : MANY;
}

/* What the words of a pragma say. */
typedef struct said {
    bool region, is_for, meets;
    uint32_t loops; /* for which it is */
    const char *schedule;
} said;

static void note_word(const gw_openmp_text *t, said *s, uint32_t i, uint32_t end, kind of) {
    const char *word = word_at(t, i);
    const bool is_loop = strcmp(word, "for") == 0;
    s->region |= of == REGION;
    s->meets |= of == MEETING || of == ORDERED;
    s->is_for |= is_loop;
    if (s->loops == 0) s->loops = is_loop || strcmp(word, "simd") == 0;
    for (uint32_t k = i + 1; k + 1 < end && strcmp(word, "schedule") == 0; k++)
        if (gw_front_openmp_schedule(word_at(t, k)) != GW_POLICY_OMP) s->schedule = word_at(t, k);
    if ((of == LOOPS || of == ORDERED) && end > i + 2 && loops_of(t, i + 1) > s->loops)
        s->loops = loops_of(t, i + 1);
}

/* The loop of a parallel for gets a policy, and what stands inside of one may take it away. */
static void share_out(gw_openmp_text *t, const pragma *p, const said *s) {
    const CXSourceLocation where = t->token.at[p->first].where;
    if (s->meets) gw_front_openmp_meet(t->L, t->token.at[p->first].at, t->first_loop);
    const bool in_region = t->token.at[p->first].at < t->region_end;
    const bool has_object = p->has_object || (in_region && t->region_has_object);
    if ((s->region || in_region) && s->is_for && !s->meets && !has_object)
        gw_front_openmp_share_out(t->L, gw_front_openmp_loop(p->statement),
                                  gw_front_openmp_schedule(s->schedule), where);
    else
        gw_diag(t->L->session, GW_DIAG_OPENMP_ONE_THREAD, gw_front_loc(t->L->u, where),
                "this pragma of OpenMP is passed over: the derivative is that of one thread, and means the "
                "same");
}

/* ---- regions ---- */
static bool has_word(const gw_openmp_text *t, uint32_t i, const char *const *among, size_t count) {
    const uint32_t end = gw_front_openmp_words_end(t, i);
    for (uint32_t k = i + 3; k < end; k++) {
        for (size_t n = 0; n < count; n++)
            if (is(t, k, among[n])) return true;
        if (is(t, k + 1, "(")) k = gw_front_openmp_behind_brackets(t, k + 1) - 1;
    }
    return false;
}
static bool is_region(const gw_openmp_text *t, uint32_t i) {
    static const char *const team[] = {"parallel"};
    return has_word(t, i, team, 1);
}
static bool is_shared_out(const gw_openmp_text *t, uint32_t i) {
    static const char *const by[] = {"for", "sections", "single", "master", "masked"};
    return has_word(t, i, by, sizeof by / sizeof *by);
}

/* Statements of the region's text that the team shares out, and of those what one thread has: a section is
 * one by itself. */
static void find_parts(gw_openmp_text *t, const pragma *p, unsigned end, gw_cursors *shared,
                       gw_cursors *parts) {
    static const char *const sections[] = {"sections"};
    for (uint32_t i = p->end; i < t->token.count && t->token.at[i].at < end; i++) {
        const bool is_pragma = is(t, i, "#") && is(t, i + 1, "pragma") && is(t, i + 2, "omp");
        if (!is_pragma || is_region(t, i) || !is_shared_out(t, i)) continue;
        const unsigned behind = t->token.at[gw_front_openmp_words_end(t, i) - 1].at + 1;
        const CXCursor statement = gw_front_openmp_statement(t->definition, behind);
        gw_push(shared, statement);
        if (has_word(t, i, sections, 1)) gw_front_children(statement, parts);
        else gw_push(parts, statement);
    }
}

/* The loops of a region get policies, as that of a parallel for does. */
static bool enter_region(gw_openmp_text *t, pragma *p, gw_cursors *parts) {
    gw_cursors locals = {0}, shared = {0};
    unsigned end = 0;
    clang_getSpellingLocation(clang_getRangeEnd(clang_getCursorExtent(p->statement)), NULL, NULL, NULL, &end);
    find_parts(t, p, end, &shared, parts);
    p->parts = parts;
    const CXCursor each = gw_front_openmp_region(t->L->u, p->statement, &shared, &locals);
    bool same = parts->count > 0 && clang_Cursor_isNull(each);
    if (!same) differs(t, p, "parallel", "each of several threads runs what stands outside of its loops",
                       "use a parallel for, or put it behind omp single");
    for (uint32_t i = 0; i < locals.count && same; i++)
        same = check_local(t, p, locals.at[i]);
    gw_vec_free(&locals);
    gw_vec_free(&shared);
    t->region_end = end;
    t->region_own.count = 0;
    return same;
}

static bool check_words(gw_openmp_text *t, pragma *p) {
    said s = {.schedule = ""};
    for (uint32_t i = p->first + 3; i < p->end; i++) {
        const char *word = word_at(t, i);
        const kind of = kind_of(word);
        if (word[0] == ',') continue;
        if (of == UNKNOWN)
            return differs(t, p, word, "what several threads make of it is not known to be the same",
                           "take the pragma away, or use a parallel for with reductions");
        const uint32_t end = is(t, i + 1, "(") ? gw_front_openmp_behind_brackets(t, i + 1) : i + 1;
        if (!check_list(t, p, i + 1, end, of)) return false;
        note_word(t, &s, i, end, of);
        i = end - 1;
    }
    if (!check_indices(t, p, s.loops)) return false;
    if (p->parts) t->region_has_object = p->has_object;
    else share_out(t, p, &s);
    return true;
}

static bool check(gw_openmp_text *t, pragma *p) {
    gw_cursors parts = {0};
    const bool is_alone = is_region(t, p->first) && !is_shared_out(t, p->first);
    const bool same = (!is_alone || enter_region(t, p, &parts)) && check_words(t, p);
    gw_vec_free(&parts);
    return same;
}

/* ---- what the files say ---- */
/* Words of the text in brackets behind `at`, or of its line. */
static void note_names(gw_openmp_text *t, const char *at, const char *end) {
    while (at < end && *at != ')') {
        const char *begin = at;
        while (at < end && (isalnum((unsigned char)*at) || *at == '_'))
            at++;
        if (at > begin)
            gw_push(&t->threads_own, gw_intern_n(t->L->session, begin, (size_t)(at - begin)));
        else
            at++;
    }
}

/* Another function may take a function's place, or another sum a sum's. */
static void note_declared(gw_openmp_text *t, CXFile file, size_t size) {
    CXTranslationUnit unit = t->L->u->clang;
    const CXSourceLocation first = clang_getLocationForOffset(unit, file, 0);
    if (clang_Location_isInSystemHeader(first)) return;
    gw_front_openmp_read(t, clang_getRange(first, clang_getLocationForOffset(unit, file, (unsigned)size)));
    for (uint32_t i = 1; i < t->token.count && !t->L->failed; i++) {
        const bool in_string = word_at(t, i)[0] == '"' && strstr(word_at(t, i), "declare variant");
        const bool declares = is(t, i - 1, "declare");
        if (in_string || (declares && is(t, i, "variant")) ||
            (is(t, i - 1, "omp") && is(t, i, "metadirective")))
            differs(t, &(pragma){.first = i - 1}, word_at(t, i), "another function may be called in its place",
                    "call the function that is meant");
        if (declares && is(t, i, "reduction")) gw_push(&t->reductions, t->token.at[i + 2].text);
    }
}

static void read_file(CXFile file, CXSourceLocation *from, unsigned depth, CXClientData data) {
    static const char word[] = "threadprivate";
    gw_openmp_text *t = data;
    size_t size = 0;
    (void)from, (void)depth;
    const char *at = clang_getFileContents(t->L->u->clang, file, &size), *begin = at;
    if (!at || t->L->failed) return;
    if (strstr(at, "declare") || strstr(at, "metadirective")) note_declared(t, file, size);
    while ((at = strstr(at, word)) != NULL) {
        at += sizeof word - 1;
        note_names(t, at, begin + gw_front_openmp_line_end(begin, size, (size_t)(at - begin)));
    }
}

static bool is_outside(CXCursor variable) {
    return clang_getCursorKind(variable) == CXCursor_VarDecl &&
           (clang_getCursorLinkage(variable) != CXLinkage_NoLinkage ||
            clang_Cursor_getStorageClass(variable) == CX_SC_Static);
}

/* A variable of which each thread has one. */
static enum CXChildVisitResult check_use(CXCursor c, CXCursor parent, CXClientData data) {
    gw_openmp_text *t = data;
    (void)parent;
    if (t->L->failed) return CXChildVisit_Break;
    if (clang_getCursorKind(c) != CXCursor_DeclRefExpr || !is_outside(clang_getCursorReferenced(c)))
        return CXChildVisit_Recurse;
    const gw_str name = gw_front_intern(t->L->u, clang_getCursorSpelling(c));
    const gw_openmp_token used = {.text = name, .where = clang_getCursorLocation(c)};
    for (uint32_t i = 0; i < t->threads_own.count && !t->L->failed; i++) {
        const gw_openmp_token named = {.text = t->threads_own.at[i]};
        t->token.count = 0;
        gw_push(&t->token, named);
        if (!gw_front_openmp_is_named(t, 0, name)) continue;
        t->token.at[0] = used;
        differs(t, &(pragma){0}, gw_cstr(t->L->session, name), "each thread has one of its own (threadprivate)",
                "take a parameter, or a variable that is declared inside the loop");
    }
    return CXChildVisit_Recurse;
}

/* Iterations of one thread share what is the thread's. */
static enum CXChildVisitResult note_thread_local(CXCursor c, CXCursor parent, CXClientData data) {
    gw_openmp_text *t = data;
    (void)parent;
    const CXCursor variable = clang_getCursorReferenced(c);
    unsigned at;
    if (clang_getCursorKind(c) != CXCursor_DeclRefExpr || clang_getCursorKind(variable) != CXCursor_VarDecl ||
        clang_getCursorTLSKind(variable) == CXTLS_None)
        return CXChildVisit_Recurse;
    clang_getSpellingLocation(clang_getCursorLocation(c), NULL, NULL, NULL, &at);
    gw_front_openmp_meet(t->L, at, t->first_loop);
    return CXChildVisit_Recurse;
}

/* ---- pragmas in other spellings ---- */
/* What a pragma, or an attribute, can be written by. */
static bool leads_to_words(gw_openmp_text *t, uint32_t i) {
    static const char *const by[] = {"_Pragma", "__pragma", "["};
    for (size_t k = 0; k < sizeof by / sizeof *by; k++)
        if (gw_front_openmp_is_macro_of(t, i, gw_front_openmp_is_word, by[k])) return true;
    return is(t, i, "_Pragma") || is(t, i, "__pragma") || (is(t, i, "[") && is(t, i + 1, "["));
}

/* _Pragma or [[omp::directive]], or a macro that leads to one. */
static bool is_operator(gw_openmp_text *t, uint32_t i) {
    if (!leads_to_words(t, i)) return false;
    bool found = gw_front_openmp_is_macro_of(t, i, gw_front_openmp_is_word_of, "omp");
    const uint32_t begin = is(t, i, "[") ? i : i + 1;
    const bool has_more = is(t, begin, "(") || is(t, begin, "[");
    const uint32_t end = has_more ? gw_front_openmp_behind_brackets(t, begin) : begin;
    for (uint32_t k = begin; k < end && !found; k++)
        found = gw_front_openmp_is_word_of(word_at(t, k), "omp") ||
                gw_front_openmp_is_macro_of(t, k, gw_front_openmp_is_word_of, "omp");
    return found;
}

static void refuse_spelling(gw_openmp_text *t, uint32_t i) {
    differs(t, &(pragma){.first = i}, word_at(t, i), "it is not read", "write #pragma omp in this function");
}

/* A macro of which the whole body comes has its arguments where it is named. */
static void check_around(gw_openmp_text *t, CXCursor body) {
    unsigned at, first, last;
    CXFile file, other;
    clang_getExpansionLocation(clang_getCursorLocation(body), &file, NULL, NULL, &at);
    for (uint32_t i = 0; i < t->use.count && !t->L->failed; i++) {
        const CXSourceRange range = clang_getCursorExtent(t->use.at[i]);
        clang_getExpansionLocation(clang_getRangeStart(range), &other, NULL, NULL, &first);
        clang_getExpansionLocation(clang_getRangeEnd(range), NULL, NULL, NULL, &last);
        if (file != other || at < first || at >= last) continue;
        gw_front_openmp_read(t, range);
        if (is_operator(t, 0)) refuse_spelling(t, 0);
    }
}

/* ---- files that the body includes ---- */
typedef struct inclusion {
    gw_openmp_text *t;
    bool is_of_openmp;
} inclusion;

static void read_included(CXFile file, CXSourceLocation *from, unsigned depth, CXClientData data) {
    inclusion *n = data;
    size_t size = 0;
    bool is_inside = false;
    for (unsigned i = 0; i < depth; i++) {
        CXFile by = NULL;
        unsigned at = 0;
        clang_getExpansionLocation(from[i], &by, NULL, NULL, &at);
        is_inside |= clang_File_isEqual(by, n->t->in) && at >= n->t->first && at < n->t->last;
    }
    const char *content = is_inside ? clang_getFileContents(n->t->L->u->clang, file, &size) : NULL;
    n->is_of_openmp |= content && strstr(content, "omp");
}

/* The text that the body includes may hold a pragma, or the statement behind one. */
static bool includes_pragma(gw_openmp_text *t) {
    inclusion n = {.t = t};
    clang_getInclusions(t->L->u->clang, read_included, &n);
    for (uint32_t i = 0; i < t->macro.count && !n.is_of_openmp; i++) {
        for (uint32_t k = 0; k < t->macro.count; k++)
            t->macro.at[k].seen = false;
        n.is_of_openmp =
            gw_front_openmp_macro_leads_to(t, t->macro.at[i].name, gw_front_openmp_is_word_of, "omp");
    }
    for (uint32_t i = 0; i < t->token.count && !n.is_of_openmp; i++)
        n.is_of_openmp = is(t, i, "#") && is(t, i + 1, "pragma") && is(t, i + 2, "omp");
    return n.is_of_openmp;
}

/* ---- the body ---- */
/* A line of the preprocessor; behind it. */
static uint32_t check_line(gw_openmp_text *t, uint32_t i) {
    pragma p = {.first = i, .end = gw_front_openmp_words_end(t, i)};
    const char *word = word_at(t, i + 1);
    if (strncmp(word, "include", 7) == 0 && includes_pragma(t))
        differs(t, &p, word, "what it includes is not read", "write it out");
    if (!is(t, i + 1, "pragma") || strncmp(word_at(t, i + 2), "omp", 3) != 0) return p.end;
    if (!is(t, i + 2, "omp")) refuse_spelling(t, i + 2);
    p.statement = gw_front_openmp_statement(t->definition, t->token.at[p.end - 1].at + 1);
    if (!t->L->failed) check(t, &p);
    return p.end;
}

static void check_text(gw_openmp_text *t) {
    for (uint32_t i = 0; t->file && i < t->token.count && !t->L->failed;) {
        const uint32_t at = i;
        i = is(t, at, "#") ? check_line(t, at) : at + 1;
        if (i == at + 1 && is_operator(t, at)) refuse_spelling(t, at);
    }
}

void gw_front_openmp(gw_lowering *L, CXCursor definition) {
    gw_openmp_text t = {.L = L, .definition = definition, .first_loop = L->openmp.count};
    if (L->failed || !gw_front_has_openmp(L->u->run)) return;
    const CXCursor body = gw_front_body(definition);
    clang_visitChildren(clang_getTranslationUnitCursor(L->u->clang), gw_front_openmp_note_macro, &t);
    clang_getInclusions(L->u->clang, read_file, &t);
    clang_visitChildren(body, check_use, &t);
    if (!L->failed) gw_front_openmp_read(&t, clang_getCursorExtent(body));
    check_text(&t);
    clang_visitChildren(body, note_thread_local, &t);
    check_around(&t, body);
    gw_vec_free(&t.token);
    gw_vec_free(&t.macro);
    gw_vec_free(&t.use);
    gw_vec_free(&t.threads_own);
    gw_vec_free(&t.region_own);
    gw_vec_free(&t.reductions);
}
