/*
 * frontend/request/coarsen.c - GW_COARSEN(n) and GW_COARSEN(n, NAME) beside a kernel's requests, and --coarsen
 * (contract: request.h).
 *
 * One with a name is for the gradient of that name; one without is for all others of the kernel, and comes
 * before --coarsen. One that speaks of no gradient of a kernel is an error: a gradient that silently is not
 * coarsened would be worse.
 */
#include "analysis/facts/facts.h"
#include "analysis/ir/diagnostics.h"
#include "analysis/ir/requests.h"
#include "plugin/frontend/request/request.h"

#include <ctype.h>
#include <string.h>

typedef struct wish {
    gw_str text, name;
    uint32_t number;
    gw_loc loc;
} wish;
typedef struct search {
    gw_unit *u;
    GW_VEC(wish) found;
} search;

static enum CXChildVisitResult visit(CXCursor c, CXCursor parent, CXClientData data) {
    static const char prefix[] = "gradwright:coarsen:";
    search *s = data;
    (void)parent;
    if (clang_getCursorKind(c) != CXCursor_AnnotateAttr) return CXChildVisit_Continue;
    const char *text = gw_cstr(s->u->session, gw_front_intern(s->u, clang_getCursorSpelling(c)));
    if (strncmp(text, prefix, sizeof prefix - 1) != 0) return CXChildVisit_Continue;
    wish w = {.text = gw_intern(s->u->session, text + sizeof prefix - 1),
              .loc = gw_front_loc(s->u, clang_getCursorLocation(c))};
    for (uint32_t i = 0; i < s->found.count; i++)
        if (s->found.at[i].text == w.text) return CXChildVisit_Continue; /* of the canonical declaration, too */
    gw_push(&s->found, w);
    return CXChildVisit_Continue;
}

/* "4" or "4, NAME"; a macro may have written "(4)". False if it is neither. */
static bool read(gw_session *s, wish *w) {
    const char *text = gw_cstr(s, w->text);
    char *end;
    size_t open = strspn(text, "( ");
    text += open;
    unsigned long number = strtoul(text, &end, 10);
    if (!isdigit((unsigned char)*text) || number < GW_LEAST_COARSE || number > GW_MOST_COARSE) return false;
    w->number = (uint32_t)number;
    for (const char *at = text - open; at < text; at++)
        if (*at == '(' && *(end += strspn(end, " ")) != ')')
            return false;
        else if (*at == '(')
            end++;
    const char *p = end + strspn(end, " \t");
    if (!*p) return true;
    if (*p++ != ',') return false;
    p += strspn(p, " \t");
    size_t n = strcspn(p, " \t,");
    w->name = gw_intern_n(s, p, n);
    return n && !p[n + strspn(p + n, " \t")];
}

static bool is_reverse(const gw_request *r) {
    return gw_request_rows[r->kind].is_reverse;
}

/* Gives the number to the function's gradients; whether there is one. */
static bool give(gw_session *s, const gw_cursors *definitions, CXCursor definition, const wish *w) {
    bool any = false;
    for (uint32_t i = 0; i < definitions->count; i++) {
        gw_request *r = &s->requests.at[i];
        if (!is_reverse(r) || !clang_equalCursors(definitions->at[i], definition) ||
            (w->name && r->name != w->name))
            continue;
        any = true;
        if (r->coarsen && !w->name) continue;
        r->coarsen = w->number;
        r->coarsen_loc = w->loc;
    }
    return any;
}

static void look(gw_unit *u, const gw_cursors *definitions, uint32_t index) {
    gw_session *s = u->session;
    const gw_request *r = &s->requests.at[index];
    CXCursor definition = definitions->at[index], pattern = gw_front_pattern(definition);
    search all = {.u = u};
    clang_visitChildren(definition, visit, &all);
    clang_visitChildren(clang_getCanonicalCursor(definition), visit, &all);
    if (!clang_Cursor_isNull(pattern)) clang_visitChildren(pattern, visit, &all);
    for (uint32_t named = 0; named < 2; named++) /* those with names last: they stand */
        for (uint32_t i = 0; i < all.found.count; i++) {
            wish *w = &all.found.at[i];
            const char *wrong = NULL;
            if (!read(s, w)) wrong = "it is no number from 2 to 32, nor one with a name";
            else if (!r->func || r->func->kind != GW_FUNC_KERNEL) wrong = "it is no kernel";
            else if ((w->name != 0) == named && !give(s, definitions, definition, w))
                wrong = "it has no such gradient";
            if (wrong)
                gw_diag(s, GW_DIAG_BAD_COARSENING, w->loc, gw_cstr(s, w->text), gw_cstr(s, r->function), wrong);
        }
    gw_vec_free(&all.found);
}

bool gw_front_coarsen(gw_unit *u, const gw_cursors *definitions) {
    gw_session *s = u->session;
    for (uint32_t i = 0; i < definitions->count; i++) look(u, definitions, i);
    for (uint32_t i = 0; i < s->requests.count; i++)
        if (is_reverse(&s->requests.at[i]) && !s->requests.at[i].coarsen)
            s->requests.at[i].coarsen = s->options.coarsen;
    return !s->failed;
}
