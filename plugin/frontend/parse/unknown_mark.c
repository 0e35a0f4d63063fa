/*
 * frontend/parse/unknown_mark.c - words of Gradwright's that nothing defines: a mark of a source that does not
 * include the header, or one that the header does not have. To Clang they are functions without a type, and
 * what it says of the marks beside them is no more help.
 */
#include "analysis/ir/diagnostics.h"
#include "plugin/frontend/parse/parse.h"
#include "plugin/request/request.h"

#include <stdlib.h>
#include <string.h>

typedef struct search {
    gw_unit *u;
    const char *word, *best;
    bool is_macro, has_header;
} search;

static bool is_ours(const char *word) { return strncmp(word, "GW_", 3) == 0; }

static enum CXChildVisitResult look_at_macro(CXCursor c, CXCursor parent, CXClientData data) {
    search *s = data;
    (void)parent;
    if (clang_getCursorKind(c) != CXCursor_MacroDefinition) return CXChildVisit_Continue;
    const char *name = gw_cstr(s->u->session, gw_front_intern(s->u, clang_getCursorSpelling(c)));
    if (!is_ours(name)) return CXChildVisit_Continue;
    s->is_macro |= strcmp(name, s->word) == 0;
    s->has_header |= strcmp(name, "GW_GRADIENT") == 0;
    s->best = gw_nearer(s->word, s->best, name);
    return CXChildVisit_Continue;
}

/* An error at such a word; a source without the header is told so once, as all others come of that. */
static bool say(gw_unit *u, CXDiagnostic d, bool *has_header) {
    CXSourceLocation at = clang_getDiagnosticLocation(d);
    CXToken *token = clang_getToken(u->clang, at);
    search s = {.u = u, .word = ""};
    if (token) s.word = gw_cstr(u->session, gw_front_intern(u, clang_getTokenSpelling(u->clang, *token)));
    if (token) clang_disposeTokens(u->clang, token, 1);
    if (!is_ours(s.word) || clang_getDiagnosticSeverity(d) < CXDiagnostic_Error) return false;
    clang_visitChildren(clang_getTranslationUnitCursor(u->clang), look_at_macro, &s);
    *has_header = s.has_header;
    if (s.is_macro) return false;
    char *meant = s.best ? gw_format("; did you mean '%s'?", s.best) : gw_strdup("");
    if (s.has_header) gw_diag(u->session, GW_DIAG_UNKNOWN_MARK, gw_front_loc(u, at), s.word, meant);
    else gw_diag(u->session, GW_DIAG_NO_MARKS, gw_front_loc(u, at), s.word);
    free(meant);
    return true;
}

bool gw_front_say_unknown_marks(gw_unit *u) {
    bool found = false, has_header = true;
    for (unsigned i = 0; i < clang_getNumDiagnostics(u->clang) && has_header; i++) {
        CXDiagnostic d = clang_getDiagnostic(u->clang, i);
        found |= say(u, d, &has_header);
        clang_disposeDiagnostic(d);
    }
    return found;
}
