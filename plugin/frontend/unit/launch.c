/*
 * frontend/unit/launch.c - what GW_LAUNCH("blockDim.x == 128, n >= 0") and --launch state of a kernel's launch
 * (contract: unit.h; the text: ir/launch.c; what facts mean: facts/launch.c).
 *
 * A fact that cannot be read, is about nothing, or contradicts another is an error: a proof would silently go
 * without it, or go by what is never true.
 */
#include "analysis/facts/facts.h"
#include "analysis/ir/diagnostics.h"
#include "analysis/ir/requests.h"
#include "analysis/ir/rungs.h"
#include "plugin/frontend/unit/unit.h"
#include "plugin/request/request.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct search {
    gw_unit *u;
    gw_func *f;
    bool good;
} search;

/* ---- contradictions ---- */
static char *quoted(const gw_func *f, const gw_launch_fact *fact) {
    gw_text text = {0};
    gw_text_add(&text, "'");
    gw_launch_text(f, fact, &text);
    gw_text_add(&text, "'");
    return text.at;
}

static bool is_possible(gw_func *alone, gw_launch_fact *facts, uint32_t count) {
    const gw_launch_facts all = {.at = facts, .count = count, .room = count};
    return gw_launch_is_possible(alone, &all);
}

/* What the fact, the last of f's, cannot be true beside; NULL: there is nothing. The caller frees it. */
static char *contradicted(const gw_func *f) {
    gw_launch_fact pair[2] = {f->launch.at[f->launch.count - 1]};
    gw_func alone = *f;
    alone.launch = (gw_launch_facts){0};
    if (gw_launch_is_possible(&alone, &f->launch)) return NULL;
    if (is_possible(&alone, pair, 1)) {
        for (uint32_t i = 0; i + 1 < f->launch.count; i++) {
            pair[1] = f->launch.at[i];
            if (!is_possible(&alone, pair, 2)) return quoted(f, &pair[1]);
        }
        return gw_strdup("the facts before it");
    }
    alone.bound = 0;
    if (is_possible(&alone, pair, 1)) return gw_format("__launch_bounds__(%u)", f->bound);
    return gw_strdup("what a launch can have");
}

/* ---- one list of facts ---- */
static bool is_stated(const gw_func *f, const gw_launch_fact *fact) {
    for (uint32_t i = 0; i < f->launch.count; i++)
        if (f->launch.at[i].subject == fact->subject && f->launch.at[i].relation == fact->relation &&
            f->launch.at[i].number == fact->number)
            return true;
    return false;
}

/* The nearest name that there is. */
static void say_subject(search *found, gw_str name, gw_loc loc) {
    static const char *const lengths[] = {"blockDim.x", "blockDim.y", "blockDim.z",
                                          "gridDim.x",  "gridDim.y",  "gridDim.z"};
    const gw_func *f = found->f;
    gw_session *s = found->u->session;
    const char *text = gw_cstr(s, name), *best = NULL;
    for (uint32_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        best = gw_nearer(text, best, lengths[i]);
    for (uint32_t i = 0; i < f->params.count; i++)
        if (f->params.at[i].value && gw_type_is_integer(gw_typeof(f, f->params.at[i].value)))
            best = gw_nearer(text, best, gw_cstr(s, f->params.at[i].name));
    char *mend = best ? gw_format("; did you mean '%s'?", best) : gw_strdup("");
    gw_diag(s, GW_DIAG_LAUNCH_SUBJECT, loc, text, gw_cstr(s, f->name), mend);
    free(mend);
}

static bool add(search *found, gw_launch_fact fact, gw_loc loc) {
    gw_func *f = found->f;
    fact.loc = loc;
    if (is_stated(f, &fact)) return true;
    gw_push(&f->launch, fact);
    char *other = contradicted(f);
    if (!other) return true;
    char *text = quoted(f, &fact);
    gw_diag(found->u->session, GW_DIAG_LAUNCH_CONTRADICTION, loc, text, other);
    free(text);
    free(other);
    return false;
}

/* The text without "or atomic" at its end. */
static gw_str take_other_form(gw_session *s, const char *text, bool *or_atomic) {
    static const char words[] = "or atomic";
    const char *end = text + strlen(text);
    while (end > text && isspace((unsigned char)end[-1]))
        end--;
    const size_t n = (size_t)(end - text), m = sizeof words - 1;
    *or_atomic = n > m && strncmp(end - m, words, m) == 0 && isspace((unsigned char)end[-(long)m - 1]);
    return gw_intern_n(s, text, *or_atomic ? n - m : n);
}

static void add_all(search *found, const char *text, gw_loc loc) {
    gw_session *s = found->u->session;
    const gw_func *f = found->f;
    bool or_atomic;
    const char *at = gw_cstr(s, take_other_form(s, text, &or_atomic)), *wrong = NULL;
    gw_str subject = 0;
    found->good = false;
    if (f->kind != GW_FUNC_KERNEL) {
        gw_diag(s, GW_DIAG_LAUNCH_OF_NO_KERNEL, loc, text, gw_cstr(s, f->name));
        return;
    }
    do {
        gw_launch_fact fact;
        wrong = gw_launch_read(f, &at, &fact, &subject);
        fact.or_atomic = or_atomic;
        if (!wrong && !add(found, fact, loc)) return;
    } while (!wrong && *at);
    if (wrong && subject)
        say_subject(found, subject, loc);
    else if (wrong)
        gw_diag(s, GW_DIAG_BAD_LAUNCH, loc, text, gw_cstr(s, f->name), wrong);
    found->good = !wrong;
}

/* ---- a form for other launches ---- */
/* Both forms are called with the same arguments: what could give them others is refused. */
static const char *why_one_form(const gw_session *s, const gw_request *r) {
    const gw_func *f = r->func;
    bool rows = s->options.deterministic || s->options.accumulate == GW_RUNG_SLOTS;
    for (uint32_t i = 0; i < f->asked.count; i++)
        rows |= f->asked.at[i].rung == GW_RUNG_SLOTS;
    if (r->kind == GW_REQUEST_SPLIT) return "the halves of a gradient have one tape";
    if (r->coarsen) return "its gradient is coarsened";
    if (f->template_head) return "it is a template";
    if (f->packed.count) return "it has GW_PACK";
    return rows ? "it has rows that are summed behind it" : NULL;
}

bool gw_front_other_forms(gw_unit *u) {
    gw_session *s = u->session;
    for (uint32_t i = 0; i < s->requests.count; i++) {
        const gw_request *r = &s->requests.at[i];
        const char *why = r->func && gw_request_rows[r->kind].is_reverse ? why_one_form(s, r) : NULL;
        for (uint32_t k = 0; why && k < r->func->launch.count; k++) {
            const gw_launch_fact *fact = &r->func->launch.at[k];
            if (!fact->or_atomic) continue;
            gw_diag(s, GW_DIAG_ONE_FORM, fact->loc, gw_cstr(s, r->func->name), why);
            break;
        }
    }
    return !s->failed;
}

/* ---- the source's own, and those from outside ---- */
static enum CXChildVisitResult visit(CXCursor c, CXCursor parent, CXClientData data) {
    static const char prefix[] = "gradwright:launch:";
    search *found = data;
    (void)parent;
    if (clang_getCursorKind(c) != CXCursor_AnnotateAttr || !found->good) return CXChildVisit_Continue;
    const char *text = gw_cstr(found->u->session, gw_front_intern(found->u, clang_getCursorSpelling(c)));
    if (strncmp(text, prefix, sizeof prefix - 1) == 0)
        add_all(found, text + sizeof prefix - 1, gw_front_loc(found->u, clang_getCursorLocation(c)));
    return CXChildVisit_Continue;
}

bool gw_front_launch(gw_unit *u, CXCursor definition, gw_func *f) {
    gw_session *s = u->session;
    search found = {u, f, true};
    CXCursor pattern = gw_front_pattern(definition);
    clang_visitChildren(definition, visit, &found);
    clang_visitChildren(clang_getCanonicalCursor(definition), visit, &found);
    if (!clang_Cursor_isNull(pattern)) clang_visitChildren(pattern, visit, &found);
    for (uint32_t i = 0; i < s->launches.count && found.good; i++) {
        gw_given_launch *g = &s->launches.at[i];
        if (!gw_front_is_meant(u, g->function, definition)) continue;
        g->is_used = true;
        add_all(&found, gw_cstr(s, g->text), g->loc);
    }
    return found.good;
}

bool gw_launches_all_used(gw_session *s) {
    bool good = true;
    for (uint32_t i = 0; i < s->launches.count; i++) {
        const gw_given_launch *g = &s->launches.at[i];
        if (g->is_used) continue;
        gw_diag(s, GW_DIAG_UNUSED_LAUNCH, g->loc, gw_cstr(s, g->text), gw_cstr(s, g->function));
        good = false;
    }
    return good;
}
